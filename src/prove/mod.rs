//! Provers.
