//! Random C programs about tables of pointers: elements that own lists, blocks and text, by one
//! name or two, moved, shared, lost and freed. They are compiled with sanitizers and run: no
//! verdict of wane is against what the runs do. The first lines of `support/compiled_c` name the
//! variables that ask for more than the test does, such as
//! `WANE_RANDOM_C=20000 cargo test --release --test random random_tables -- --nocapture`.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "says how far it got")]

use crate::compiled_c;
mod writer;

#[test]
fn verdicts_on_random_tables_agree_with_compiled_runs() {
    compiled_c::campaign::verdicts_agree(writer::random_program, 12);
}
