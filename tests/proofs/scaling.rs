//! The work for a program of independent loops, and for one like a driver, grows
//! linearly with their number.
//! Counted are states and steps, never time.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::call_programs;
use crate::driver_programs;
use crate::list_loops;
use crate::liveness_drivers;

use call_programs::{calls_in_a_row, levels};
use list_loops::Arrangement;
use liveness_drivers::FoldPrecision;
use wane::analyze::{Source, read};
use wane::base::budget::Budget;
use wane::c::{self, Options, PreprocessedSource};
use wane::heap::shape::ShapeLibrary;
use wane::ir::Program;
use wane::ir::semantics::IntModel;
use wane::obligation::{Goal, Obligation};
use wane::prove::mutant;
use wane::question::Question;
use wane::report::Answer;
use wane::sonar::Machine;
use wane::verdict::Verdict;

const ALL: [Arrangement; 3] =
    [Arrangement::Functions, Arrangement::Blocks, Arrangement::Recursions];

fn compiled(arrangement: Arrangement, n: usize) -> Program {
    compiled_text(list_loops::program(arrangement, n))
}

fn compiled_text(text: String) -> Program {
    let options = Options { int_model: IntModel::Math, ..Options::default() };
    c::compile(&PreprocessedSource { name: "loops.c".to_owned(), text }, &options).unwrap()
}

/// How many abstract states, steps and ranking components the proof has; `None`
/// when the budget does not suffice.
fn size(program: &Program, steps: u64) -> Option<[usize; 3]> {
    let library = ShapeLibrary::builtin().unwrap();
    let obligation = Obligation::new(program, Goal::Ends);
    let machine = Machine::new(&obligation, &library);
    match mutant::prove(&machine, &mut Budget::of_steps(steps)) {
        Verdict::Proved(proof) => {
            let n_steps = proof.nodes.iter().flat_map(|node| &node.steps).flatten().count();
            Some([proof.nodes.len(), n_steps, proof.ranking.components.len()])
        }
        _ => None,
    }
}

/// The steps and the units of searches that the proof takes.
fn cost(program: &Program) -> u64 {
    let library = ShapeLibrary::builtin().unwrap();
    let obligation = Obligation::new(program, Goal::Ends);
    let machine = Machine::new(&obligation, &library);
    let mut budget = Budget::of_steps(10_000_000);
    assert!(matches!(mutant::prove(&machine, &mut budget), Verdict::Proved(_)));
    budget.work()
}

#[test]
fn each_loop_adds_the_same_states_and_steps() {
    for arrangement in ALL {
        let sizes = [2, 3, 8].map(|n| size(&compiled(arrangement, n), 1_000_000).unwrap());
        for count in 0..3 {
            let [two, three, eight] = sizes.map(|size| size[count]);
            assert_eq!(eight - two, 6 * (three - two), "{arrangement:?}: {sizes:?}");
        }
    }
}

#[test]
fn each_loop_costs_the_same() {
    for arrangement in [Arrangement::Functions, Arrangement::Blocks] {
        let [two, three, eight] = [2, 3, 8].map(|n| cost(&compiled(arrangement, n)));
        // Arithmetic is charged in whole units, so that the sum is rounded down by part of one.
        let is_linear = eight - two <= 6 * (three - two) + 1;
        assert!(is_linear, "{arrangement:?}: {two}, {three}, {eight}");
    }
}

/// Dispatch functions with loops inside the loop that serves requests.
#[test]
fn dispatch_functions_add_the_same_states_and_cost_the_same() {
    let programs = [4, 8, 16].map(|n| compiled_text(driver_programs::program(n, 6)));
    let sizes = [0, 1, 2].map(|at| size(&programs[at], 10_000_000).unwrap());
    for count in 0..2 {
        let [four, eight, sixteen] = sizes.map(|size| size[count]);
        assert!(sixteen - eight <= 2 * (eight - four), "{sizes:?}");
    }
    let [four, eight, sixteen] = [0, 1, 2].map(|at| cost(&programs[at]));
    assert!(10 * (sixteen - eight) <= 21 * (eight - four), "{four}, {eight}, {sixteen}");
}

/// Followed into each body, a program of twenty such levels has a million calls.
#[test]
fn calls_of_shared_functions_cost_the_same_on_each_level() {
    let cost_of = |n| cost(&compiled_text(levels(n, 2)));
    let [some, more, most] = [16, 32, 64].map(cost_of);
    assert!(most - more <= 3 * (more - some), "{some}, {more}, {most}");
}

#[test]
fn long_chains_of_calls_cost_the_same_for_each_call() {
    let cost_of = |n| cost(&compiled_text(levels(n, 1)));
    let [some, more, most] = [100, 200, 400].map(cost_of);
    assert!(most - more <= 3 * (more - some), "{some}, {more}, {most}");
}

#[test]
fn many_calls_of_one_function_cost_the_same_each() {
    let cost_of = |n| cost(&compiled_text(calls_in_a_row(n)));
    let [some, more, most] = [100, 200, 400].map(cost_of);
    assert!(most - more <= 3 * (more - some), "{some}, {more}, {most}");
}

/// The work for a question whether a driver keeps to its specification (POPL'07, Tables 1 to 4).
fn cost_of_driver(kind: liveness_drivers::Kind, care: FoldPrecision, n_functions: usize) -> u64 {
    let text = liveness_drivers::program(kind, care, n_functions);
    let source = PreprocessedSource { name: "driver.c".to_owned(), text };
    let subject = read(Source::C(source), &Options::default()).unwrap();
    let (file, text) = ("driver.slic".to_owned(), kind.specification());
    let library = ShapeLibrary::builtin().unwrap();
    let mut budget = Budget::of_steps(20_000_000);
    let finding = subject.ask(&Question::Specification { file, text }, &library, &mut budget);
    let expected = if care == FoldPrecision::Careful { Answer::Proved } else { Answer::Refuted };
    assert_eq!(finding.answer, expected, "{kind:?} {care:?} {n_functions}: {}", finding.reason);
    budget.work()
}

#[test]
fn specifications_of_drivers_cost_the_same_for_each_function() {
    for kind in liveness_drivers::ALL {
        for care in [FoldPrecision::Careful, FoldPrecision::Careless] {
            let [some, more, most] = [20, 40, 80].map(|n| cost_of_driver(kind, care, n));
            let (first, second) = (more.saturating_sub(some), most.saturating_sub(more));
            assert!(second <= 3 * first.max(some), "{kind:?} {care:?}: {some}, {more}, {most}");
        }
    }
}
