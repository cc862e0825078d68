//! What is proved and refuted of programs, and of functions by themselves.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what fails here fails the test")]

#[path = "../support/call_programs.rs"]
mod call_programs;
#[path = "../support/crowd_programs.rs"]
mod crowd_programs;
#[path = "../support/driver_programs.rs"]
mod driver_programs;
#[path = "../support/headers.rs"]
mod headers;
#[path = "../support/list_loops.rs"]
mod list_loops;
#[path = "../support/liveness_drivers.rs"]
mod liveness_drivers;
#[path = "../support/random_numbers.rs"]
mod random_numbers;
#[path = "../support/reader.rs"]
mod reader;
#[path = "../support/mod.rs"]
mod support;

mod agreements;
mod bounds;
mod budgets;
mod callers;
mod cases;
mod cav06;
mod crowds;
mod fairness;
mod links;
mod moves;
mod node_values;
mod preconditions;
mod refutations;
mod restrictions;
mod rounds;
mod scaling;
mod scopes;
mod shapes;
mod slices;
