//! Proofs of safety against the interpreter: random programs are analysed, with
//! and without abstraction, and random runs of them must keep to what was proved.
//!
//! * A run of a program that was proved memory safe does nothing undefined, and in
//!   no state of it a heap block is lost.
//! * A run of a program that was proved to clean up ends without heap blocks.
//! * A program in which a violation was found is not proved to have none.
//!
//! `WANE_ORACLE_CASES` sets the number of programs, `WANE_ORACLE_SEED` or `WANE_SEED`
//! other programs; without them, every run of the test does the same.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test, which shows how much it did")]

use crate::support;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;
use support::are_usual_programs;
use support::oracle::SeededChoices;
use support::random_cells::cell_program;
use support::random_programs::{RandomProgram, list_program};
use wane::base::budget::Budget;
use wane::concrete::Outcome;
use wane::concrete::interpreter::Interpreter;
use wane::heap::shape::ShapeLibrary;
use wane::ir::Program;
use wane::obligation::{Goal, Obligation};
use wane::prove::{safety, violation};
use wane::question::Question;
use wane::reduce::plain;
use wane::sonar::Machine;
use wane::verdict::Verdict;
use wane::verdict::violation::Trial;

/// Steps that the analysis of a program may take.
const ANALYSIS_STEPS: u64 = 3_000;
/// Steps that the search for a violation may take.
const SEARCH_STEPS: u64 = 3_000;
/// Runs of each program.
const RUNS: u64 = 6;
/// Steps of each run.
const RUN_STEPS: usize = 500;

/// How many programs there were of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    safe: usize,
    clean: usize,
    violated: usize,
}

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Whether a goal is proved, in one way or the other.
fn is_proved(program: &Program, library: &ShapeLibrary, goal: Goal) -> bool {
    let obligation = Obligation::new(program, goal);
    let machine = Machine::new(&obligation, library);
    let budget = || Budget::of_steps(ANALYSIS_STEPS);
    let proofs =
        [safety::prove(&machine, &mut budget()), safety::prove_exactly(&machine, &mut budget())];
    proofs.iter().any(|verdict| matches!(verdict, Verdict::Proved(_)))
}

fn check(program: &Program, library: &ShapeLibrary) -> Result<Tally, String> {
    let memory_safety = plain::goal(&Question::MemorySafety).unwrap();
    let memory_cleanup = plain::goal(&Question::MemoryCleanup).unwrap();
    let safe = is_proved(program, library, memory_safety);
    let clean = is_proved(program, library, memory_cleanup);
    let found = |goal| {
        let trial = Trial::of(program, goal);
        violation::search(&trial, &[], &mut Budget::of_steps(SEARCH_STEPS)).is_some()
    };
    let violated = found(memory_safety);
    if safe && violated {
        return Err("proved memory safe, and a violation was found".to_owned());
    }
    if clean && found(memory_cleanup) {
        return Err("proved to clean up, and a violation was found".to_owned());
    }
    let proofs = Proofs { safe, clean };
    for seed in 0..RUNS {
        if safe || clean {
            follow(program, &proofs, seed).map_err(|why| format!("seed {seed}: {why}"))?;
        }
    }
    Ok(Tally { safe: safe.into(), clean: clean.into(), violated: violated.into() })
}

/// What was proved of a program.
struct Proofs {
    safe: bool,
    clean: bool,
}

fn follow(program: &Program, proofs: &Proofs, seed: u64) -> Result<(), String> {
    let Proofs { safe, clean } = *proofs;
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    let mut choices = SeededChoices::new(seed);
    for step in 0..RUN_STEPS {
        let outcome = interpreter.step(&mut state, &mut choices);
        if safe && !state.leaked().is_empty() {
            return Err(format!("step {step} of a memory safe program loses memory"));
        }
        match outcome {
            Outcome::Running => {}
            Outcome::MemoryError { kind, .. } => {
                return Err(format!("step {step} of a safe program fails: {kind:?}"));
            }
            Outcome::Halted if clean && !state.unfreed().is_empty() => {
                return Err("a clean program leaves memory behind".to_owned());
            }
            Outcome::Halted
            | Outcome::AssumeFailed
            | Outcome::ReachedError { .. }
            | Outcome::Unsupported { .. }
            | Outcome::OutOfBudget => return Ok(()),
        }
    }
    Ok(())
}

fn check_many(programs: impl Strategy<Value = RandomProgram>, n_cases: u64) -> Tally {
    let library = ShapeLibrary::builtin().unwrap();
    let n_cases = from_environment("WANE_ORACLE_CASES", n_cases);
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(
        &from_environment("WANE_ORACLE_SEED", from_environment("WANE_SEED", 1)).to_le_bytes(),
    );
    let config = Config {
        cases: u32::try_from(n_cases).unwrap(),
        failure_persistence: None,
        max_shrink_iters: 2_000,
        ..Config::default()
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let total = Cell::new(Tally::default());
    let outcome = runner.run(&programs, |program| {
        let tally = check(&program.program, &library).map_err(TestCaseError::fail)?;
        let sum = total.get();
        total.set(Tally {
            safe: sum.safe + tally.safe,
            clean: sum.clean + tally.clean,
            violated: sum.violated + tally.violated,
        });
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    println!("{:?}", total.get());
    total.get()
}

#[test]
fn list_programs_keep_to_their_proofs() {
    let tally = check_many(list_program(), 150);
    assert!(tally.violated > 0 || !are_usual_programs(), "{tally:?}");
}

#[test]
fn cell_programs_keep_to_their_proofs() {
    let tally = check_many(cell_program(), 150);
    assert!(tally.violated > 0 || !are_usual_programs(), "{tally:?}");
}
