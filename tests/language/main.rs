//! What texts mean: C, goto programs, transition systems, formulas, and the models of the library.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "campaigns count what they tried")]

#[path = "../support/compiled_c/mod.rs"]
mod compiled_c;
#[path = "../support/list_loops.rs"]
mod list_loops;
#[path = "../support/mod.rs"]
mod support;

mod front_end;
mod goto_text;
mod interpreter;
mod models;
mod monitors;
mod temporal;
mod transition_systems;
