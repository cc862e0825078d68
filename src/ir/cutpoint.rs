//! cutpoint
