//! Provers: an obligation in, a verdict out.
//!
//! They see the program [simplified](simplify::simplify), which has the same
//! runs, blocks and spans.
//!
//! * [`mutant`]: CAV'06, termination of programs with heaps.
//! * [`precondition`]: what a function that is analysed by itself needs.
//! * [`nontermination`]: runs that never end, by recurrent sets.
//! * [`safety`]: the same states: what never happens.
//! * [`scope`]: how general the precondition of a proof is.
//! * [`terminator`]: PLDI'06, transition invariants refined by counterexamples, for
//!   loops that have no lexicographic measure.
//! * `via_safety`: runs that never end, by states that never come to an end.
//! * [`violation`]: runs that make an error.

mod bounds;
pub mod mutant;
pub mod recurrent_sets;
mod minimal;
pub mod nontermination;
mod numbers;
mod path;
mod plain_endless;
pub mod precondition;
mod reach;
mod recurrence;
pub mod safety;
pub mod scope;
mod certify;
pub mod terminator;
mod directed_slice;
mod idle;
mod value_sets;
mod via_safety;
pub mod violation;

use base::budget::Budget;
use base::limits::{
    EXACT_STEPS, FIRST_STEPS, FIRST_STEPS_EACH, LINKED_STEPS_EACH, PLAN_STEPS, REFUTATION_STEPS,
    REFUTATION_STEPS_EACH, SLICE_STEPS_EACH, STAGES_STEPS, STEPS_TOWARD_ALARMS,
};
use base::source::Span;
use evidence::approach::Form;
use evidence::certificate::Certificate;
use evidence::scope::Scope;
use heap::shape::ShapeLibrary;
use heap::state::State;
use ir::Program;
use ir::links::Links;
use ir::semantics::Definedness;
use ir::slice;
use ir::slice::relevance::{self, Aim};
use numbers::{by_branches, by_parts};
pub use numbers::{by_numbers, by_numbers_without_addresses};
use obligation::{ErrorKind, Fairness, Goal, Inputs, Known, Obligation};
use simplify::simplify;
use sonar::plan::Plan;
use sonar::{Effort, Machine};
use std::collections::BTreeMap;
use verdict::violation::Trial;
use verdict::{Reason, Unknown, Verdict};

/// A search for a run against an obligation. It gets the budget whose part it may use, and
/// the places where a proof found that something may go wrong, or that a loop has no measure.
pub type Search<'a> = dyn Fn(&Budget, &[Span]) -> Option<Verdict> + 'a;

/// Proves an obligation, or finds a run of its program against it, or says why neither.
#[must_use]
pub fn prove(obligation: &Obligation<'_>, library: &ShapeLibrary, budget: &Budget) -> Verdict {
    prove_beside(&runs_against(obligation, library), obligation, library, budget).0
}

/// The search for runs of the obligation's own program.
pub fn runs_against<'a>(
    obligation: &'a Obligation<'_>,
    library: &'a ShapeLibrary,
) -> impl Fn(&Budget, &[Span]) -> Option<Verdict> + 'a {
    move |budget, suspects| {
        let (goal, fairness) = (obligation.goal, &obligation.fairness);
        refute(obligation.program(), (goal, suspects), (fairness, library), budget)
    }
}

/// Proves an obligation beside a search for runs against it. Where a first attempt with few steps is
/// not enough, the search has its turn before the other attempts. With the verdict comes what was
/// found out about what calls of a function by itself need.
///
/// No run is looked for when the obligation has a precondition.
#[must_use]
pub fn prove_beside(
    search: &Search<'_>,
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> (Verdict, Known) {
    let simple = obligation.simplified(simplify);
    let Some(open) = simple.open.as_ref().filter(|_| obligation.requires.is_empty()) else {
        return (prove_closed(search, obligation, library, budget), Known::default());
    };
    let strict = obligation.clone().with_definedness(Definedness::Shown);
    let first = precondition::prove_of_all(&strict, open, library, budget)
        .or_else(|| by_numbers(obligation, library, budget));
    let by_numbers = match first {
        Some(Verdict::Unknown(unknown)) => unknown.reasons,
        Some(proof) => return (proof, Known::default()),
        None => Vec::new(),
    };
    if let Some(proof) = bounds::prove(obligation, library, budget) {
        return (proof, Known::default());
    }
    // What callers give is not taken for granted any more: it is asked for.
    let precondition::Answer { verdict, known: mut learnt, scope } =
        precondition::prove(&strict, open, library, budget);
    if !scope.is_some_and(Scope::answers)
        && let Some(proof @ Verdict::Proved(_)) = by_branches(obligation, library, budget)
    {
        return (proof, learnt);
    }
    learnt.obstacle = by_numbers.first().map(Reason::obstacle).or(learnt.obstacle);
    let verdict = match verdict {
        Verdict::Unknown(mut unknown) => {
            unknown.reasons.splice(0..0, by_numbers);
            let is_of_other_runs = precondition::begins_unmodelled(obligation.program());
            let found = if is_of_other_runs { None } else { search(budget, &[]) };
            found.unwrap_or(Verdict::Unknown(unknown))
        }
        verdict => verdict,
    };
    (verdict, learnt)
}

/// Looks for a run of the program, as it was written, against the goal; a fair one, if the
/// goal is that runs end. These loops are suspected to be endless.
#[must_use]
pub fn refute(
    program: &Program,
    (goal, suspects): (Goal, &[Span]),
    (fairness, library): (&Fairness, &ShapeLibrary),
    budget: &Budget,
) -> Option<Verdict> {
    let n_steps = REFUTATION_STEPS.max(REFUTATION_STEPS_EACH * slice::size(program) as u64);
    let mut steps = budget.of_part(n_steps);
    match goal {
        Goal::Ends => nontermination::refute_at(program, fairness, suspects, &mut steps)
            .or_else(|| via_safety::refute(program, fairness, library, budget))
            .map(|found| plain_endless::minimised(program, fairness, found, budget))
            .map(|refutation| Verdict::Refuted(Box::new(refutation))),
        Goal::Avoids(_) => violation::search(&Trial::of(program, goal), suspects, &mut steps)
            .map(|violation| Verdict::Violated(Box::new(violation))),
    }
}

/// Proves an obligation about a whole program, or one with a precondition.
fn prove_closed(
    search: &Search<'_>,
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Verdict {
    let simple = obligation.simplified(simplify);
    let mut machine = Machine::simplified(obligation, library);
    if machine.contract.is_some() {
        return by_plans(&mut machine, 0, budget).unwrap_or(certify::unknown(Vec::new()));
    }
    let mut was_searched = false;
    if relevance::is_large(simple) {
        let sliced = by_slice(obligation, library, budget);
        if let Some(proof @ Verdict::Proved(_)) = sliced {
            return proof;
        }
        if let Some(proof @ Verdict::Proved(_)) = by_parts(obligation, library, budget) {
            return proof;
        }
        // What is false of it is often near, and all else would take long; but who looks for errors
        // of memory has no suspects yet.
        was_searched = obligation.goal == Goal::Ends || sliced.is_some();
        let suspected = suspects(obligation.goal, sliced.as_ref());
        if was_searched && let Some(found) = search(budget, &suspected) {
            return found;
        }
    }
    let mut first_steps = budget.of_part(first_steps_for(simple));
    let first = by_states(&machine, &mut first_steps);
    let suspected = match obligation.goal {
        // Most loops that hang are soon found without knowing which.
        Goal::Ends => Vec::new(),
        Goal::Avoids(_) => suspects(obligation.goal, Some(&first)),
    };
    let Verdict::Unknown(unknown) = first else { return first };
    if first_steps.is_spent()
        && let Some(proof) = by_links(&mut machine, budget)
    {
        return proof;
    }
    if let Some(proof @ Verdict::Proved(_)) = by_numbers(obligation, library, budget) {
        return proof;
    }
    if !was_searched && let Some(found) = search(budget, &suspected) {
        return found;
    }
    if let Goal::Avoids(_) = obligation.goal
        && let Some(proof) = exactly(&machine, budget)
    {
        return proof;
    }
    if obligation.inputs != Inputs::Any
        && let Some(proof) = by_ranges(&mut machine, budget)
    {
        return proof;
    }
    let verdict = after_first(&mut machine, (*unknown, &first_steps), budget);
    // By now more may be known of where it goes wrong.
    let also = suspects(obligation.goal, Some(&verdict));
    let is_news = !was_searched && also.iter().any(|it| !suspected.contains(it));
    let toward = budget.of_part(STEPS_TOWARD_ALARMS);
    if is_news && let Some(found) = search(&toward, &also) {
        return found;
    }
    verdict
}

/// Tries the plan of a machine with nothing known of the numbers in nodes. Gives a proof.
fn by_links(machine: &mut Machine<'_>, budget: &Budget) -> Option<Verdict> {
    if !machine.strategy.links.have_room(1, 0, 0) {
        return None;
    }
    machine.keep_links();
    // Where there are others, the plan may not be the one that fits.
    let n_plans = machine.plans().len() as u64;
    let n_steps = LINKED_STEPS_EACH * first_steps_for(machine.program) / n_plans;
    let verdict = by_states(machine, &mut budget.of_part(n_steps));
    machine.keep_values();
    matches!(verdict, Verdict::Proved(_)).then_some(verdict)
}

/// Proves an obligation about a large program by what the goal depends on: all else is left
/// out ([`slice`]), and each long procedure is analysed by itself.
fn by_slice(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    let Obligation { goal, fairness, .. } = obligation;
    let program = obligation.simplified(simplify);
    let is_about_memory =
        [ErrorKind::Leak, ErrorKind::Unfreed].into_iter().any(|kind| goal.avoids(kind));
    if is_about_memory {
        return None;
    }
    let events =
        fairness.requirements.iter().flat_map(|it| it.whenever.into_iter().chain([it.then]));
    let aim = Aim { variables: fairness.control.clone(), procedures: events.collect() };
    let left_out = relevance::irrelevant(program, &aim)?;
    let sliced = slice::without(program, &left_out.variables);
    let slice = (&sliced, Form::Simplified, left_out);
    let machine = Machine::sliced(obligation, slice, library).with_long_calls_tabulated();
    let mut steps = budget.of_part(SLICE_STEPS_EACH * slice::size(program) as u64);
    Some(by_states(&machine, &mut steps))
}

/// Where a proof found that something may go wrong, or that a loop has no measure.
fn suspects(goal: Goal, verdict: Option<&Verdict>) -> Vec<Span> {
    let Some(Verdict::Unknown(unknown)) = verdict else { return Vec::new() };
    let span = |reason: &Reason| match (goal, reason) {
        (Goal::Ends, Reason::NoRanking(span)) => Some(*span),
        (Goal::Avoids(_), Reason::Alarm(alarm)) => Some(alarm.span),
        _ => None,
    };
    unknown.reasons.iter().filter_map(span).collect()
}

/// Whether a first attempt at a proof, with few steps, is enough.
#[must_use]
pub fn is_proved_at_once(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> bool {
    matches!(prove_at_once(obligation, library, (budget, 0)), Verdict::Proved(_))
}

/// A first attempt at a proof, with few steps, or with so many if these are more.
#[must_use]
pub fn prove_at_once(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    (budget, n_steps): (&Budget, u64),
) -> Verdict {
    let machine = Machine::simplified(obligation, library).with_effort(Effort::Little);
    let mut steps = budget.of_part(n_steps.max(first_steps_for(obligation.simplified(simplify))));
    by_states(&machine, &mut steps)
}

/// Answers an obligation by the abstract states that the plan of `machine` leads to.
fn by_states(machine: &Machine<'_>, budget: &mut Budget) -> Verdict {
    match machine.goal {
        Goal::Ends => mutant::prove(machine, budget),
        Goal::Avoids(_) => safety::prove(machine, budget),
    }
}

/// The transition system that the shape analysis of a program leaves behind. For a
/// function that is analysed by itself, a precondition is looked for if none is given.
///
/// # Errors
/// Why there is none.
pub fn transition_system(
    program: &Program,
    requires: &[State],
    library: &ShapeLibrary,
    budget: &mut Budget,
) -> Result<Certificate, Vec<Reason>> {
    let obligation = Obligation::new(program, Goal::Ends).requiring(requires.to_vec());
    let machine = Machine::simplified(&obligation, library);
    if let (Some(open), None) = (&obligation.program().open, &machine.contract) {
        let found = precondition::prove(&obligation, open, library, budget);
        if let Verdict::Proved(certificate) = found.verdict {
            return Ok(*certificate);
        }
    }
    mutant::transition_system(&machine, budget)
}

fn first_steps_for(program: &Program) -> u64 {
    let blocks = program.blocks();
    let n_commands: usize = blocks.map(|block| block.commands.len() + 1).sum();
    FIRST_STEPS.max(FIRST_STEPS_EACH * n_commands as u64)
}

/// Goes on after a first attempt, with few steps, at the first plan. All plans are
/// tried with more steps; the first one only if its attempt ran out of them. Without a
/// proof, the answer is why the first of them gave none.
fn after_first(
    machine: &mut Machine<'_>,
    (unknown, first_steps): (Unknown, &Budget),
    budget: &Budget,
) -> Verdict {
    let was_cut_short = first_steps.is_spent() || unknown.is_cut_short();
    let n_done = usize::from(!was_cut_short);
    // Where nothing was folded, all plans say the same.
    let is_enough = n_done > 0 && !machine.has_folded();
    let by_plans = if is_enough { None } else { by_plans(machine, n_done, budget) };
    machine.semantics.inputs = Inputs::Any;
    let verdict = match by_plans {
        Some(proof @ Verdict::Proved(_)) => return proof,
        Some(verdict) if was_cut_short => verdict,
        _ => Verdict::Unknown(Box::new(unknown)),
    };
    let exact = match machine.goal {
        Goal::Ends => exactly(machine, budget),
        Goal::Avoids(_) => None,
    };
    let finer = exact
        .or_else(|| by_bodies(machine, &verdict, budget))
        .or_else(|| by_bounds(machine, budget));
    finer
        .or_else(|| by_cases(machine, budget))
        .or_else(|| by_stages(machine, budget))
        .or_else(|| by_emptying(machine, budget))
        .unwrap_or(verdict)
}

/// Tries the first plan of a program about numbers in other ways, where loops have no measure so far.
/// Gives a proof.
fn more_finely(machine: &mut Machine<'_>, verdict: &Verdict, budget: &Budget) -> Option<Verdict> {
    by_ranges(machine, budget)
        .or_else(|| by_bodies(machine, verdict, budget))
        .or_else(|| by_cases(machine, budget))
}

/// Tries states without abstraction. Gives a proof.
fn exactly(machine: &Machine<'_>, budget: &Budget) -> Option<Verdict> {
    let mut steps = budget.of_part(EXACT_STEPS);
    let verdict = match machine.goal {
        Goal::Ends => mutant::prove_exactly(machine, &mut steps),
        Goal::Avoids(_) => safety::prove_exactly(machine, &mut steps),
    };
    matches!(verdict, Verdict::Proved(_)).then_some(verdict)
}

/// Tries the first plan with what is read in the range of its type, if numbers are reduced
/// somewhere: an unsigned counter that counts up to an input does not wrap around then. Gives
/// a proof, or leaves the ranges to the other plans.
///
/// It is no part of the first attempt, for bounds of inputs are one more thing that each state
/// has to keep.
fn by_ranges(machine: &mut Machine<'_>, budget: &Budget) -> Option<Verdict> {
    if !machine.ranges_may_matter() {
        return None;
    }
    machine.semantics.inputs = machine.obligation.inputs;
    let verdict = by_states(machine, &mut budget.of_part(PLAN_STEPS[0]));
    matches!(verdict, Verdict::Proved(_)).then_some(verdict)
}

/// Tries the first plan with loops cut at the start of their bodies, where loops have no measure
/// so far: one that is entered only where its condition holds goes on at least once. Gives a
/// proof.
fn by_bodies(machine: &mut Machine<'_>, verdict: &Verdict, budget: &Budget) -> Option<Verdict> {
    if machine.goal != Goal::Ends || suspects(Goal::Ends, Some(verdict)).is_empty() {
        return None;
    }
    machine.strategy.plan = machine.plans().swap_remove(0);
    let is_other = machine.cut_at_bodies();
    let verdict = is_other.then(|| by_states(machine, &mut budget.of_part(PLAN_STEPS[1])));
    machine.cut_at_heads();
    verdict.filter(|it| matches!(it, Verdict::Proved(_)))
}

/// Tries the first plan with nodes kept that variables point at, if bounds of what they hold
/// would be lost: what a loop ended at is often told by such bounds. Gives a proof.
fn by_bounds(machine: &mut Machine<'_>, budget: &Budget) -> Option<Verdict> {
    machine.strategy.plan = machine.plans().swap_remove(0);
    machine.keep_bounds();
    let verdict =
        machine.has_folded().then(|| by_states(machine, &mut budget.of_part(PLAN_STEPS[1])));
    machine.keep_values();
    let verdict = verdict?;
    matches!(verdict, Verdict::Proved(_)).then_some(verdict)
}

/// Tries the first plan with states told apart by flags and conditions. Gives a proof.
fn by_cases(machine: &mut Machine<'_>, budget: &Budget) -> Option<Verdict> {
    machine.strategy.plan = machine.plans().swap_remove(0);
    let has_cases = machine.tell_cases_apart();
    let verdict = has_cases.then(|| by_states(machine, &mut budget.of_part(PLAN_STEPS[1])))?;
    matches!(verdict, Verdict::Proved(_)).then_some(verdict)
}

/// Tries the first plan with states told apart by what control variables hold, and nothing of what
/// other attempts add. Gives a proof.
fn by_stages(machine: &Machine<'_>, budget: &Budget) -> Option<Verdict> {
    let mut machine = Machine::simplified(machine.obligation, machine.shape_library);
    let has_stages = machine.tell_stages_apart();
    let verdict = has_stages.then(|| by_states(&machine, &mut budget.of_part(STAGES_STEPS)))?;
    matches!(verdict, Verdict::Proved(_)).then_some(verdict)
}

/// Tries the first plan with arrays of owners that get shorter in all loops that free what these own,
/// those that store pointers as well. Gives a proof.
fn by_emptying(machine: &Machine<'_>, budget: &Budget) -> Option<Verdict> {
    let mut machine = Machine::simplified(machine.obligation, machine.shape_library);
    let is_other = machine.empty_while_freeing();
    let verdict = is_other.then(|| by_states(&machine, &mut budget.of_part(PLAN_STEPS[0])))?;
    matches!(verdict, Verdict::Proved(_)).then_some(verdict)
}

/// Tries the plans but the first `n_done`, in rounds. Gives the first proof, or
/// else why the first of them found none. Where more sorts of blocks can be told apart, the
/// plans that do so come first.
fn by_plans(machine: &mut Machine<'_>, n_done: usize, budget: &Budget) -> Option<Verdict> {
    let usual = machine.strategy.links.clone();
    let mut plans: Vec<(usize, Plan)> = machine.plans().into_iter().enumerate().collect();
    let n_plans = plans.len();
    plans.drain(..n_done);
    let mut open: Vec<(usize, Plan, Links)> = Vec::new();
    if let Some(finer) = machine.finer_links() {
        machine.set_links(&finer);
        let plans = machine.plans().into_iter().enumerate();
        open.extend(plans.map(|(number, plan)| (n_plans + number, plan, finer.clone())));
    }
    open.extend(plans.into_iter().map(|(number, plan)| (number, plan, usual.clone())));
    let verdict = by_open_plans(machine, open, budget);
    machine.set_links(&usual);
    verdict
}

/// Tries plans, each with its links, in rounds.
fn by_open_plans(
    machine: &mut Machine<'_>,
    mut open: Vec<(usize, Plan, Links)>,
    budget: &Budget,
) -> Option<Verdict> {
    let mut answers: BTreeMap<usize, Verdict> = BTreeMap::new();
    for steps in PLAN_STEPS {
        let mut exhausted = Vec::new();
        for (number, plan, links) in open {
            machine.strategy.plan.clone_from(&plan);
            machine.set_links(&links);
            let mut part = budget.of_part(steps);
            let verdict = by_states(machine, &mut part);
            if matches!(verdict, Verdict::Proved(_)) {
                return Some(verdict);
            }
            answers.insert(number, verdict);
            if !machine.has_folded() && !part.is_spent() {
                // All plans say the same.
                return answers.pop_first().map(|(_, verdict)| verdict);
            }
            if part.is_spent() {
                exhausted.push((number, plan, links));
            }
        }
        open = exhausted;
    }
    answers.pop_first().map(|(_, verdict)| verdict)
}
