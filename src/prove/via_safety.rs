//! Endless runs by the shape analysis: choices with which no run comes to an end.
//!
//! A run that lasts says what to choose: where it always chose the same, that. Then the
//! analysis looks for states in which the program, restricted to these choices, never ends
//! (`verdict::restriction`). This finds loops that make a structure larger in each round and walk
//! through it, which no cycle of steps repeats.

use super::safety;
use base::budget::Budget;
use base::limits::{LONGEST_RUN, RESTRICTION_RUNS_STEPS, RESTRICTION_STEPS};
use concolic::explore::{Exploration, Trace, Visit};
use concolic::machine::Concolic;
use concolic::shadow::{Choice, ChoiceSource, Reductions};
use concrete::Outcome;
use heap::shape::ShapeLibrary;
use ir::{BlockId, Program};
use obligation::{Fairness, Obligation};
use sonar::{Effort, Machine};
use std::collections::{BTreeMap, BTreeSet};
use verdict::restriction::{Chosen, NO_END, Restriction, restricted};
use verdict::witness::{Witness, justify_refutation};
use verdict::{Refutation, Verdict};

/// How many runs are looked at.
const MOST_RUNS: usize = 16;
/// How many ways to choose are tried.
const MOST_TRIED: usize = 3;

/// Looks for choices with which the program does not end.
#[must_use]
pub(super) fn refute(
    program: &Program,
    fairness: &Fairness,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Refutation> {
    let is_plain = fairness.requirements.is_empty() && fairness.control.is_empty();
    if !is_plain || program.open.is_some() {
        return None;
    }
    let concolic = Concolic::new(program);
    let mut exploration = Exploration::new(&concolic, LONGEST_RUN).going_on(LONGEST_RUN);
    let mut steps = budget.of_part(RESTRICTION_RUNS_STEPS);
    let mut tried: BTreeSet<Chosen> = BTreeSet::new();
    for _ in 0..MOST_RUNS {
        let trace = exploration.next(&mut steps)?;
        if trace.outcome != Some(Outcome::OutOfBudget) {
            continue;
        }
        let Some(chosen) = chosen_in(&concolic, &trace) else { continue };
        if !tried.insert(chosen.clone()) {
            continue;
        }
        let found = restriction(program, chosen, library, budget)
            .and_then(|it| witness(&concolic, &trace, it))
            .and_then(|it| justify_refutation(program, fairness, it).ok());
        if found.is_some() {
            return found;
        }
        if tried.len() == MOST_TRIED {
            return None;
        }
    }
    None
}

/// What the run chose at places where it always chose the same.
fn chosen_in(concolic: &Concolic<'_>, trace: &Trace) -> Option<Chosen> {
    let (mut run, mut source) = (concolic.start(), trace.inputs.source());
    let mut chosen: BTreeMap<_, Option<i128>> = BTreeMap::new();
    for _ in 0..LONGEST_RUN {
        let (here, n_choices) = (run.state.location()?, run.shadow.choices().len());
        (concolic.step(&mut run, &mut source) == Ok(Outcome::Running)).then_some(())?;
        for it in &run.shadow.choices()[n_choices..] {
            if matches!(it.source, ChoiceSource::Input(_)) {
                let known = chosen.entry(here).or_insert(Some(it.value));
                *known = known.filter(|known| *known == it.value);
            }
        }
    }
    Some(chosen.into_iter().filter_map(|(here, value)| Some((here, value?))).collect())
}

/// The argument that no run ends that makes these choices.
fn restriction(
    program: &Program,
    chosen: Chosen,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Restriction> {
    let restricted = restricted(program, &chosen);
    let obligation = Obligation::new(&restricted, NO_END);
    let machine = Machine::simplified(&obligation, library).with_effort(Effort::Little);
    let verdict = safety::prove(&machine, &mut budget.of_part(RESTRICTION_STEPS));
    let Verdict::Proved(argument) = verdict else { return None };
    Some(Restriction { chosen, argument: *argument, shapes: library.clone() })
}

/// The run, up to the loop that it stays in, and a round of that.
fn witness(concolic: &Concolic<'_>, trace: &Trace, restriction: Restriction) -> Option<Witness> {
    let (first, again) = round(&trace.visits)?;
    let mut source = trace.inputs.source();
    let mut run = concolic.start();
    for _ in 0..first.step {
        (concolic.step(&mut run, &mut source) == Ok(Outcome::Running)).then_some(())?;
    }
    let stem = values(run.shadow.choices());
    let mut cycle = concolic.resume(run.state, Reductions::Decided);
    for _ in first.step..again.step {
        (concolic.step(&mut cycle, &mut source) == Ok(Outcome::Running)).then_some(())?;
    }
    Some(Witness {
        stem,
        n_stem_steps: first.step,
        cycle: values(cycle.shadow.choices()),
        n_cycle_steps: again.step - first.step,
        reductions: Reductions::Decided,
        recurrent: Vec::new(),
        rounds: None,
        trap: None,
        restriction: Some(restriction),
        multipliers: Vec::new(),
    })
}

fn values(choices: &[Choice]) -> Vec<i128> {
    choices.iter().map(|it| it.value).collect()
}

/// The first round of the loop that the run stays in: of the places that it comes to in its last
/// half, the one with the fewest calls that it came to first.
fn round(visits: &[Visit]) -> Option<(Visit, Visit)> {
    let is_head = |it: &&Visit| it.location.block != BlockId(0);
    let last = visits.last()?.step / 2;
    let late = visits.iter().filter(|it| it.step > last).filter(is_head);
    let late: BTreeSet<_> = late.map(|it| (it.depth, it.location)).collect();
    let depth = late.first()?.0;
    let is_wanted = |it: &&Visit| it.depth == depth && late.contains(&(depth, it.location));
    let first = visits.iter().find(is_wanted)?;
    let mut again = visits.iter().filter(|it| it.step > first.step);
    let again = again.find(|it| it.location == first.location && it.depth == depth)?;
    Some((*first, *again))
}
