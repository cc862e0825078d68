//! What a run must be that goes on for ever only where integers wrap around.
//!
//! What becomes of a run that overflows depends on the compiler. That a loop goes on for ever all
//! the same is said of runs that come into the loop as C defines, and overflow on a round:
//!
//! ```text
//!   each round passes the loop    the first overflow happens where each round passes
//!   ─────────────────────────────────────────────────────────────────────────────── WRAPPING
//! ```
//!
//! `if (x + 1 < x) for (;;);` has no such run.

use base::source::Span;
use concrete::Outcome;
use concrete::choices::ChoiceList;
use concrete::interpreter::Interpreter;
use concrete::state::State;
use ir::Program;
use std::collections::BTreeSet;
use verdict::Refutation;

/// The steps for each step of the run where integers wrap around: assumptions are steps, too.
const STEPS_FOR_A_STEP: u64 = 8;

/// A block of a procedure, and how many calls are active below.
type Passed = (usize, Span, Span);

/// Whether a place is the start of a block, or a procedure, that each round of an endless run
/// passes.
pub(super) fn comes_round(program: &Program, refutation: &Refutation, place: Span) -> bool {
    let (round, _) = round(program, refutation);
    round.iter().any(|(_, procedure, block)| *procedure == place || *block == place)
}

/// Whether a run of `wrapping` comes to what it goes round for ever before it does what `defined`
/// leaves out, which is the same text without runs that overflow.
pub(super) fn overflows_in_rounds(
    defined: &Program,
    wrapping: &Program,
    refutation: &Refutation,
) -> bool {
    let witness = &refutation.witness;
    let interpreter = Interpreter::new(defined);
    let mut state = interpreter.initial();
    let mut choices = ChoiceList::new([witness.stem.as_slice(), &witness.cycle].concat());
    for _ in 0..STEPS_FOR_A_STEP * (witness.n_stem_steps + witness.n_cycle_steps) {
        let places = passed(defined, &state);
        match interpreter.step(&mut state, &mut choices) {
            Outcome::Running => {}
            Outcome::AssumeFailed => {
                let (round, n_waiting) = round(wrapping, refutation);
                return places.iter().skip(n_waiting).any(|it| round.contains(it));
            }
            Outcome::Halted
            | Outcome::MemoryError { .. }
            | Outcome::ReachedError { .. }
            | Outcome::Unsupported { .. }
            | Outcome::OutOfBudget => return false,
        }
    }
    true
}

/// What the first round of an endless run passes, and how many calls only wait all the time.
fn round(program: &Program, refutation: &Refutation) -> (BTreeSet<Passed>, usize) {
    let Refutation { witness, lasso } = refutation;
    let interpreter = Interpreter::new(program);
    let (mut state, mut choices) = (lasso.state.clone(), ChoiceList::new(witness.cycle.clone()));
    let mut round = BTreeSet::new();
    let mut n_waiting = state.frames().len().saturating_sub(1);
    for _ in 0..=witness.n_cycle_steps {
        round.extend(passed(program, &state));
        n_waiting = n_waiting.min(state.frames().len().saturating_sub(1));
        if interpreter.step(&mut state, &mut choices) != Outcome::Running {
            break;
        }
    }
    (round, n_waiting)
}

/// Where the calls are that are active.
fn passed(program: &Program, state: &State) -> Vec<Passed> {
    let frames = state.frames().iter().enumerate();
    let places = frames.map(|(depth, frame)| {
        let location = frame.location();
        let procedure = program.procedure(location.procedure);
        (depth, procedure.span, procedure.block(location.block).span)
    });
    places.collect()
}
