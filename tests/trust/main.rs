//! What a verdict rests on: the check, forged evidence, rules against the interpreter, and the order of the packages.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what fails here fails the test")]

#[path = "../support/forged_atoms.rs"]
mod forged_atoms;
#[path = "../support/forger.rs"]
mod forger;
#[path = "../support/headers.rs"]
mod headers;
#[path = "../support/near_programs.rs"]
mod near_programs;
#[path = "../support/reader.rs"]
mod reader;
#[path = "../support/mod.rs"]
mod support;

mod abstraction_against_interpreter;
mod architecture;
mod defects;
mod entailments;
mod safety_against_interpreter;
mod statements;
mod tampering;
