//! Laws of the goto program's analyses, tried on runs of random programs.

use crate::support;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;
use support::random_programs::{list_program, some_choices};
use wane::base::budget::Budget;
use wane::base::source::Span;
use wane::concrete::choices::ChoiceList;
use wane::concrete::interpreter::Interpreter;
use wane::concrete::memory::Lifetime;
use wane::concrete::state::State;
use wane::concrete::value::Value;
use wane::concrete::{MemoryErrorKind, Outcome};
use wane::ir::cutpoint::{CutSet, every_cycle_is_cut};
use wane::ir::liveness::Liveness;
use wane::ir::{BlockId, Command, Instruction, ProcedureId, Program, text};

const MAXIMUM_STEPS: u64 = 2_000;

fn run(program: &Program, choices: &[i128]) -> (State, Outcome) {
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    let mut choices = ChoiceList::new(choices.to_vec());
    let mut budget = Budget::of_steps(MAXIMUM_STEPS);
    let outcome = interpreter.run(&mut state, &mut choices, &mut budget);
    (state, outcome)
}

/// The program with rubbish in every variable that is not live.
fn with_rubbish(program: &Program) -> Program {
    let liveness = Liveness::of_program(program);
    let mut spoiled = program.clone();
    for (index, procedure) in spoiled.procedures.iter_mut().enumerate() {
        let liveness = liveness.of(ProcedureId::at(index));
        for (index, block) in procedure.blocks.iter_mut().enumerate() {
            let live = liveness.at_start(BlockId::at(index));
            let dead = liveness.own_variables().iter().filter(|it| !live.contains(*it));
            let rubbish = dead.map(|target| Instruction {
                command: Command::Assign { target, value: 0xDEAD.into() },
                span: Span::NOWHERE,
            });
            block.commands.splice(0..0, rubbish.collect::<Vec<_>>());
        }
    }
    spoiled
}

/// Every address in a state's cells and variables is of a block that exists,
/// and cells lie inside their block, one after the other.
fn is_consistent(state: &State) -> bool {
    let memory = state.memory();
    let values = state.globals().chain(state.frames().iter().flat_map(|it| it.variables()));
    let known =
        |value: Value| value.as_pointer().is_none_or(|it| it.block.index() < memory.n_blocks());
    let in_order = memory.live_blocks().all(|(_, block)| {
        let mut end = 0;
        block.lifetime == Lifetime::Live
            && block.cells().all(|(offset, cell)| {
                let follows = offset >= end && cell.width > 0;
                end = offset + cell.width;
                follows && end <= block.size
            })
    });
    in_order && values.map(|(_, value)| value).all(known)
}

proptest! {
    #[test]
    fn dead_variables_do_not_matter(program in list_program(), choices in some_choices()) {
        let (state, outcome) = run(&program.program, &choices);
        let (spoiled_state, spoiled) = run(&with_rubbish(&program.program), &choices);
        if outcome != Outcome::OutOfBudget && spoiled != Outcome::OutOfBudget {
            prop_assert_eq!(&outcome, &spoiled);
            // In the middle of a run a dead variable may be what keeps a block.
            if outcome == Outcome::Halted {
                prop_assert_eq!(state.leaked().len(), spoiled_state.leaked().len());
            }
        }
    }

    #[test]
    fn loops_pass_cutpoints(program in list_program()) {
        for procedure in &program.program.procedures {
            prop_assert!(every_cycle_is_cut(procedure, &CutSet::of_procedure(procedure)));
        }
    }

    #[test]
    fn the_text_means_the_same(program in list_program(), choices in some_choices()) {
        let again = text::parse("again.goto", &text::print(&program.program)).unwrap().program;
        let (state, _) = run(&program.program, &choices);
        let (state_again, _) = run(&again, &choices);
        prop_assert_eq!(state.canonical_form(), state_again.canonical_form());
    }

    #[test]
    fn states_stay_consistent(program in list_program(), choices in some_choices()) {
        let (state, _) = run(&program.program, &choices);
        prop_assert!(is_consistent(&state));
    }

    #[test]
    fn a_repeated_state_repeats_again(program in list_program(), choices in some_choices()) {
        let interpreter = Interpreter::new(&program.program);
        let mut state = interpreter.initial();
        let mut choices = ChoiceList::new(choices);
        let mut seen = BTreeMap::new();
        let mut period: Option<usize> = None;
        for step in 0..400_usize {
            // The list of choices must be used up, or the input differs.
            if choices.n_asked() < 12 && period.is_none() {
                seen.clear();
            }
            let earlier = seen.insert(state.canonical_form(), step);
            match (period, earlier) {
                (None, Some(earlier)) => period = Some(step - earlier),
                (Some(period), Some(earlier)) => prop_assert_eq!(step - earlier, period),
                (Some(_), None) => prop_assert!(false, "a cycle was left"),
                (None, None) => {}
            }
            if interpreter.step(&mut state, &mut choices) != Outcome::Running {
                prop_assert!(period.is_none());
                break;
            }
        }
    }
}

/// The random programs are worth running: enough of them end well, enough go
/// wrong in a way that an analysis must find, and some do not end.
#[test]
fn random_programs_are_a_good_mixture() {
    const N_RUNS: usize = 400;
    let mut runner = TestRunner::deterministic();
    let mut counts = BTreeMap::new();
    for _ in 0..N_RUNS {
        let case = (list_program(), some_choices()).new_tree(&mut runner).unwrap().current();
        let kind = match run(&case.0.program, &case.1).1 {
            Outcome::Halted => "halted".to_owned(),
            Outcome::OutOfBudget => "out of budget".to_owned(),
            Outcome::MemoryError { kind, .. } => match kind {
                MemoryErrorKind::NullDereference
                | MemoryErrorKind::UseAfterFree
                | MemoryErrorKind::DoubleFree
                | MemoryErrorKind::WildPointer => format!("{kind:?}"),
                unexpected => panic!("{unexpected:?} in {case:?}"),
            },
            unexpected => panic!("{unexpected:?} in {case:?}"),
        };
        *counts.entry(kind).or_insert(0_usize) += 1;
    }
    let count = |kind: &str| counts.get(kind).copied().unwrap_or(0);
    assert!(count("halted") > N_RUNS / 2, "{counts:?}");
    for kind in ["out of budget", "NullDereference", "UseAfterFree", "DoubleFree"] {
        assert!(count(kind) > 0, "{counts:?}");
    }
}
