//! Random programs against referees that share no code with what they judge.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "campaigns count what they tried")]

#[path = "../support/compiled_c/mod.rs"]
mod compiled_c;
#[path = "../support/random_numbers.rs"]
mod random;
#[path = "../support/mod.rs"]
mod support;

mod fuzz;
mod random_arrays;
mod random_c;
mod random_calls;
mod random_effects;
mod random_errors;
mod random_fair;
mod random_heaps;
mod random_integers;
mod random_questions;
mod random_runs;
mod random_tables;
mod random_threads;
