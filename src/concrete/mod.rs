//! Concrete execution.
