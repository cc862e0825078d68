//! Tests of `model`.

