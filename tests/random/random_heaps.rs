//! Verdicts about random C programs with lists, held against many of their runs.
//!
//! Inputs are small, and the interpreter looks at all runs with them, or at many. A
//! proof must not meet a run that it excludes; what is refuted is shown by a run of the
//! interpreter alone. `WANE_RANDOM_HEAPS` says how many programs, `WANE_RANDOM_HEAPS_FROM`
//! from which number on, or else `WANE_SEED` where; without them, they are always the same.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test, which shows how much it did")]

use crate::support;

use std::collections::BTreeMap;
use support::heap_programs::heap_program;
use wane::base::budget::Budget;
use wane::c::{DataModel, MallocModel, Options, PreprocessedSource, compile};
use wane::concrete::Outcome;
use wane::concrete::choices::ChoiceList;
use wane::concrete::interpreter::Interpreter;
use wane::heap::shape::ShapeLibrary;
use wane::ir::Program;
use wane::ir::semantics::IntModel;
use wane::obligation::Obligation;
use wane::prove::prove;
use wane::question::Question;
use wane::reduce::plain;
use wane::verdict::Verdict;

/// So many programs, if nothing else is said.
const PROGRAMS: usize = 100;
/// The programs of two seeds are so far apart.
const APART: usize = 1_000_000;
/// Steps that a question may take.
const STEPS: u64 = 700;
/// Inputs are below this.
const INPUTS: i128 = 3;
/// Inputs beyond these are 0.
const MOST_INPUTS: usize = 7;
/// More runs than this are not looked at.
const MOST_RUNS: usize = 160;
/// A run that takes more steps is long.
const LONG: usize = 1_500;
/// A run of a program that ends takes fewer.
const ENDLESS: usize = 100_000;
/// How often a cycle that is said to go on for ever is followed.
const ROUNDS: usize = 40;

/// What runs of a program do that some property excludes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    undefined: bool,
    leak: bool,
    unfreed: bool,
    error: bool,
    endless: bool,
}

impl Seen {
    /// Whether this contradicts a proof. Behind what is undefined, all is possible.
    fn contradicts(self, question: &Question) -> bool {
        match question {
            Question::Termination => self.endless,
            Question::MemorySafety => self.undefined || self.leak,
            Question::MemoryCleanup => self.undefined || self.unfreed,
            _ => self.undefined || self.error,
        }
    }

    /// Whether this alone violates the property.
    fn violates(self, question: &Question) -> bool {
        match question {
            Question::Termination => self.endless,
            Question::MemorySafety => self.undefined || self.leak,
            Question::MemoryCleanup => self.unfreed,
            _ => self.error,
        }
    }
}

/// What one run does within so many steps, and whether it is over then.
fn run(program: &Program, choices: &mut ChoiceList, n_steps: usize) -> (Seen, Option<Outcome>) {
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    let mut seen = Seen::default();
    for step in 0..n_steps {
        let outcome = interpreter.step(&mut state, choices);
        if step < LONG {
            seen.leak |= !state.leaked().is_empty();
        }
        match outcome {
            Outcome::Running => continue,
            Outcome::MemoryError { .. } => seen.undefined = true,
            Outcome::ReachedError { .. } => {
                seen.error = true;
                seen.unfreed = !state.unfreed().is_empty();
            }
            Outcome::Halted => seen.unfreed = !state.unfreed().is_empty(),
            Outcome::AssumeFailed | Outcome::Unsupported { .. } | Outcome::OutOfBudget => {}
        }
        return (seen, Some(outcome));
    }
    (seen, None)
}

/// The runs with small inputs, as far as there is time: what they do together.
fn runs(program: &Program) -> Seen {
    let mut all = Seen::default();
    let mut inputs = vec![0; MOST_INPUTS];
    for _ in 0..MOST_RUNS {
        let mut choices = ChoiceList::new(inputs.clone());
        let (mut seen, outcome) = run(program, &mut choices, LONG);
        if outcome.is_none() && !all.endless {
            let (_, later) = run(program, &mut ChoiceList::new(inputs.clone()), ENDLESS);
            seen.endless = later.is_none();
        }
        // A value that is not modelled may not be what was chosen.
        if choices.n_approximations() == 0 {
            all = Seen {
                undefined: all.undefined || seen.undefined,
                leak: all.leak || seen.leak,
                unfreed: all.unfreed || seen.unfreed,
                error: all.error || seen.error,
                endless: all.endless || seen.endless,
            };
        }
        // The next inputs, as a counter counts; what was not asked for does not count.
        let n_asked = choices.n_asked().min(MOST_INPUTS);
        inputs[n_asked..].fill(0);
        let Some(next) = inputs[..n_asked].iter().rposition(|it| *it + 1 < INPUTS) else { break };
        inputs[next] += 1;
        inputs[next + 1..].fill(0);
    }
    all
}

fn compiled(text: &str, int_model: IntModel) -> Program {
    let options = Options {
        data_model: DataModel::Lp64,
        int_model,
        malloc: MallocModel::Succeeds,
        input: wane::c::Input::Ends,
        entry: None,
        ..Options::default()
    };
    let source = PreprocessedSource { name: "heap.c".to_owned(), text: text.to_owned() };
    compile(&source, &options).unwrap_or_else(|error| panic!("{error:?} in\n{text}"))
}

/// What is said of a question, or why that is wrong.
fn verdict(
    program: &Program,
    library: &ShapeLibrary,
    question: &Question,
    seen: Seen,
) -> Result<&'static str, String> {
    let obligation = Obligation::new(program, plain::goal(question).unwrap());
    match prove(&obligation, library, &Budget::of_steps(STEPS)) {
        Verdict::Proved(_) if seen.contradicts(question) => {
            Err(format!("{} is proved, and runs do this: {seen:?}", question.name()))
        }
        Verdict::Proved(_) => Ok("proved"),
        Verdict::Violated(violation) => {
            let inputs = violation.choices.iter().map(|it| it.value).collect();
            let n_steps = usize::try_from(violation.n_steps).unwrap();
            let (replayed, _) = run(program, &mut ChoiceList::new(inputs), n_steps);
            let name = question.name();
            let shows = replayed.violates(question);
            shows
                .then_some("refuted")
                .ok_or(format!("{name} is refuted, and the run does {replayed:?}"))
        }
        Verdict::Refuted(refutation) => {
            let witness = &refutation.witness;
            let mut inputs = witness.stem.clone();
            (0..ROUNDS).for_each(|_| inputs.extend(&witness.cycle));
            let cycle = usize::try_from(witness.n_cycle_steps).unwrap();
            let n_steps = usize::try_from(witness.n_stem_steps).unwrap() + ROUNDS * cycle;
            let goes_on = run(program, &mut ChoiceList::new(inputs), n_steps).1.is_none();
            goes_on.then_some("refuted").ok_or("what never ends has ended".to_owned())
        }
        Verdict::Unknown(_) if seen.violates(question) => Ok("unknown, fails"),
        Verdict::Unknown(_) => Ok("unknown"),
    }
}

#[test]
fn verdicts_on_random_heap_programs_agree_with_runs() {
    let number_of = |name: &str, default: usize| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let n_programs = number_of("WANE_RANDOM_HEAPS", PROGRAMS);
    let from = number_of("WANE_RANDOM_HEAPS_FROM", number_of("WANE_SEED", 0).wrapping_mul(APART));
    let work = move || {
        let library = ShapeLibrary::builtin().unwrap();
        let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut wrong = Vec::new();
        for number in from..from + n_programs {
            let text = heap_program(number);
            // Safety is shown for arithmetic that wraps around, as `analyze` does.
            let safety = match number % 4 {
                0 => Question::MemoryCleanup,
                1 => Question::Reach,
                _ => Question::MemorySafety,
            };
            for (question, model) in
                [(Question::Termination, IntModel::Math), (safety, IntModel::Machine)]
            {
                let program = compiled(&text, model);
                let seen = runs(&program);
                match verdict(&program, &library, &question, seen) {
                    Ok(word) => *counts.entry((question.name(), word)).or_default() += 1,
                    Err(why) => {
                        eprintln!("program {number}: {why}\n{text}");
                        wrong.push(number);
                    }
                }
            }
        }
        eprintln!("{n_programs} programs from {from}: {counts:?}");
        assert!(wrong.is_empty(), "programs {wrong:?}");
        let count = |word: &str| -> usize {
            counts.iter().filter(|((_, it), _)| *it == word).map(|(_, count)| count).sum()
        };
        assert!(
            count("proved") > n_programs / 4 && count("refuted") > n_programs / 8,
            "{counts:?}"
        );
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap();
}
