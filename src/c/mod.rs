//! C to goto programs.
