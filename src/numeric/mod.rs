//! Numeric domains.
