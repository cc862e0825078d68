//! Pure facts.
