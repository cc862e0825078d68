//! Random programs that mostly run: see below.
