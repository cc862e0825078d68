//! Random C programs whose expressions do something, in every context that C has for them:
//! discarded, as arguments of known, unknown and variadic functions, cast, as conditions, steps
//! and cases, as initializers, indices, lengths and results. They are compiled with sanitizers
//! and run: no verdict of wane is against what the runs do, whether the value of an expression
//! is used or not. The first lines of `support/compiled_c` name the variables that ask for more
//! than the test does, such as
//! `WANE_RANDOM_C=20000 cargo test --release --test random random_effects -- --nocapture`.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "says how far it got")]

use crate::compiled_c;
mod writer;

#[test]
fn verdicts_on_random_effects_agree_with_compiled_runs() {
    compiled_c::campaign::verdicts_agree(writer::random_program, 40);
}
