//! Random C programs of several procedures, compiled with sanitizers and run: no verdict of
//! wane is against what the runs do. Procedures call each other in loops, take addresses of
//! their callers' variables, and go down one list or two.
//!
//! As for `random_c`, the first lines of `support/compiled_c` name the variables that ask for
//! more programs.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "says how far it got")]

use crate::compiled_c;
mod procedures;
mod writer;

#[test]
fn verdicts_on_random_calls_agree_with_compiled_runs() {
    compiled_c::campaign::verdicts_agree(writer::random_program, 40);
}
