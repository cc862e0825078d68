//! What is proved of a slice holds of the program, whatever variables were ignored.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::support;

use support::heap_programs::heap_program;
use support::oracle::SeededChoices;
use wane::base::budget::Budget;
use wane::c::{Options, PreprocessedSource, compile};
use wane::concrete::Outcome;
use wane::concrete::interpreter::Interpreter;
use wane::heap::shape::ShapeLibrary;
use wane::ir::Program;
use wane::ir::semantics::IntModel;
use wane::ir::slice::relevance::{Aim, irrelevant};
use wane::ir::slice::without;
use wane::obligation::{Goal, Obligation};
use wane::prove::mutant;
use wane::sonar::Machine;
use wane::verdict::Verdict;

/// The programs that are sliced.
const PROGRAMS: usize = 25;
/// Slices of each, beside the one that is chosen with care.
const SLICES: u64 = 3;
/// The runs of each program of which something was proved.
const RUNS: u64 = 6;
/// A run that ends does so within so many steps.
const MOST_STEPS: u64 = 30_000;

fn read(number: usize) -> Program {
    let source = PreprocessedSource { name: "heap.c".to_owned(), text: heap_program(number) };
    let options = Options { int_model: IntModel::Math, ..Options::default() };
    compile(&source, &options).unwrap()
}

/// Some of the variables, from a seed.
fn some(program: &Program, seed: u64) -> Vec<bool> {
    let mixed = |index: usize| {
        let mixed = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ seed;
        mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 61
    };
    (0..program.variables.len()).map(|index| mixed(index) < 2).collect()
}

/// Whether all runs of the slice are proved to end.
fn is_proved(sliced: &Program, library: &ShapeLibrary) -> bool {
    let obligation = Obligation::new(sliced, Goal::Ends);
    let machine = Machine::new(&obligation, library).with_long_calls_tabulated();
    let verdict = mutant::prove(&machine, &mut Budget::of_steps(12_000));
    matches!(verdict, Verdict::Proved(_))
}

fn check_runs(program: &Program, what: &str) {
    let interpreter = Interpreter::new(program);
    for run in 0..RUNS {
        let mut state = interpreter.initial();
        let mut choices = SeededChoices::new(run);
        let mut outcome = Outcome::Running;
        for _ in 0..MOST_STEPS {
            outcome = interpreter.step(&mut state, &mut choices);
            if outcome != Outcome::Running {
                break;
            }
        }
        let is_fine = !matches!(outcome, Outcome::Running | Outcome::MemoryError { .. });
        assert!(is_fine, "{what}, run {run}: {outcome:?}");
    }
}

#[test]
fn what_is_proved_of_slices_holds() {
    let library = ShapeLibrary::builtin().unwrap();
    let seed: u64 = std::env::var("WANE_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    let first = usize::try_from(seed).unwrap().wrapping_mul(1_000_000);
    let mut n_proved = [0; 2];
    for number in first..first + PROGRAMS {
        let program = read(number);
        let careful = irrelevant(&program, &Aim::default()).unwrap().variables;
        let others = (0..SLICES).map(|it| some(&program, it + seed));
        for (position, ignored) in [careful].into_iter().chain(others).enumerate() {
            if is_proved(&without(&program, &ignored), &library) {
                check_runs(&program, &format!("program {number}, slice {position}"));
                n_proved[position.min(1)] += 1;
            }
        }
    }
    assert!(n_proved[0] >= 3 && n_proved[1] >= 1, "too few to tell: {n_proved:?}");
}
