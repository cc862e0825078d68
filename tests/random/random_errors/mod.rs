//! Random C programs with errors in front of loops, in them and behind them: accesses out of
//! bounds, through null and freed pointers and to constants, zero divisors, wrong frees. Some
//! loops end and some do not, often by what such an access reads or writes. They are compiled
//! with sanitizers and run: a run that makes no error and does not end is never excluded, however
//! much a proof takes for granted. The first lines of `support/compiled_c` name the variables
//! that ask for more than the test does, such as
//! `WANE_RANDOM_C=20000 cargo test --release --test random random_errors -- --nocapture`.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "says how far it got")]

use crate::compiled_c;
mod writer;

#[test]
fn runs_without_an_error_that_do_not_end_are_never_excluded() {
    compiled_c::campaign::verdicts_agree(writer::random_program, 60);
}
