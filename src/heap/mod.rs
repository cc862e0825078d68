//! Symbolic heaps.
