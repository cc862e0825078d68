//! Proofs by numbers alone: nothing is said of memory, and only what loops depend on is looked at.

use super::{by_states, more_finely};
use base::budget::Budget;
use base::limits::{NUMBERS_STEPS, NUMBERS_STEPS_EACH};
use evidence::approach::Form;
use heap::shape::ShapeLibrary;
use ir::semantics::Definedness;
use ir::slice;
use ir::slice::addresses::Addresses;
use ir::slice::numbers::Numbers;
use ir::slice::parts::Calls;
use ir::slice::relevance::{self, Aim};
use ir::{Program, ScalarType};
use obligation::{Goal, Obligation};
use simplify::simplify;
use sonar::{Effort, Machine};
use verdict::Verdict;

/// Proves that all runs end that C defines, by numbers alone. If need be, pointers that move on
/// count as well, and long procedures are looked at by themselves; measures that are quickly found
/// come first. Gives a proof, or which loops have no measure so; nothing where the question is
/// another.
#[must_use]
pub fn by_numbers(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    let mut ways = vec![Addresses::Forgotten, Addresses::Moving];
    if obligation.simplified(simplify).open.is_some() {
        ways.extend([Addresses::Linked, Addresses::MovingAndLinked]);
    }
    by_forms(obligation, &ways, library, budget)
}

/// The same where no access goes wrong: what ends a run is no part of such a proof.
#[must_use]
pub fn by_numbers_without_addresses(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    by_forms(obligation, &[Addresses::Forgotten, Addresses::Linked], library, budget)
}

/// The same where loops take one of several links on from each node, as those down a tree do; or where
/// there are no pointers.
#[must_use]
pub(super) fn by_branches(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    // Without pointers, all that is left out is what numbers alone do that is undefined.
    let ways = match has_pointers(obligation.simplified(simplify)) {
        true => [Addresses::MovingAndBranching],
        false => [Addresses::Forgotten],
    };
    by_ways(obligation, &ways, library, budget)
}

fn has_pointers(program: &Program) -> bool {
    program.variables.iter().any(|it| it.ty == ScalarType::Pointer)
}

/// The same for programs with pointers.
fn by_forms(
    obligation: &Obligation<'_>,
    ways: &[Addresses],
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    let is_about_pointers = has_pointers(obligation.simplified(simplify));
    is_about_pointers.then(|| by_ways(obligation, ways, library, budget)).flatten()
}

fn by_ways(
    obligation: &Obligation<'_>,
    ways: &[Addresses],
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    let program = obligation.simplified(simplify);
    if !is_of_defined_runs(obligation) {
        return None;
    }
    let n_steps = NUMBERS_STEPS_EACH * slice::size(program) as u64;
    let n_steps = n_steps.clamp(NUMBERS_STEPS[0], NUMBERS_STEPS[1]);
    let (mut last, mut unranked) = (None, Vec::new());
    for calls in [Calls::Followed, Calls::Apart] {
        let first = unranked.len();
        for addresses in ways.iter().copied() {
            let steps = budget.of_part(n_steps);
            let form = Numbers { addresses, calls };
            let attempt = by_form(obligation, (form, Effort::Least), library, steps);
            let Some(verdict) = attempt else { break };
            let is_cut_short = match &verdict {
                Verdict::Unknown(unknown) => unknown.is_cut_short(),
                _ => return Some(verdict),
            };
            last = Some(verdict);
            if is_cut_short {
                break;
            }
            unranked.push(form);
        }
        // What more is known of addresses is most likely to help, or nothing at all of them.
        if unranked.len() > first + 1 {
            let most = unranked.pop();
            unranked.truncate(first + 1);
            unranked.splice(first..first, most);
        }
    }
    for form in &unranked {
        let steps = budget.of_part(n_steps);
        let Some(verdict) = by_form(obligation, (*form, Effort::Little), library, steps) else {
            continue;
        };
        if let Verdict::Proved(_) = verdict {
            return Some(verdict);
        }
        last = Some(verdict);
    }
    let finest = unranked.first().zip(last.as_ref());
    let finer = finest.and_then(|(form, last)| {
        let steps = budget.of_part(n_steps);
        with_machine(obligation, *form, library, |machine| {
            more_finely(&mut machine.with_effort(Effort::Little), last, &steps)
        })
    });
    finer.flatten().or(last)
}

/// The same of a large program, with its long procedures looked at by themselves only.
pub(super) fn by_parts(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    let n_steps = NUMBERS_STEPS_EACH * slice::size(obligation.simplified(simplify)) as u64;
    let steps = budget.of_part(n_steps);
    let form = Numbers { addresses: Addresses::Forgotten, calls: Calls::Apart };
    let attempt = || by_form(obligation, (form, Effort::Little), library, steps);
    is_of_defined_runs(obligation).then(attempt).flatten()
}

/// Whether it is asked whether the runs end that C defines.
fn is_of_defined_runs(obligation: &Obligation<'_>) -> bool {
    (obligation.goal, obligation.definedness) == (Goal::Ends, Definedness::Assumed)
}

/// An attempt at a proof by one form without memory; none where there is no slice of that, or it
/// has no procedures to look at by themselves.
fn by_form(
    obligation: &Obligation<'_>,
    (form, effort): (Numbers, Effort),
    library: &ShapeLibrary,
    mut steps: Budget,
) -> Option<Verdict> {
    with_machine(obligation, form, library, |machine| {
        by_states(&machine.with_effort(effort), &mut steps)
    })
}

/// What a machine over the numbers of a program finds, in one form; none where there is no slice of
/// that.
fn with_machine<T>(
    obligation: &Obligation<'_>,
    form: Numbers,
    library: &ShapeLibrary,
    find: impl FnOnce(Machine<'_>) -> T,
) -> Option<T> {
    let program = obligation.simplified(simplify);
    let numbers = simplify(&form.of(program)?);
    let left_out = relevance::irrelevant_without_memory(&numbers, &Aim::default())?;
    let sliced = slice::without(&numbers, &left_out.variables);
    let slice = (&sliced, Form::Numbers(form), left_out);
    let machine = Machine::sliced(obligation, slice, library);
    Some(find(match relevance::is_large(program) {
        true => machine.with_long_calls_tabulated(),
        false => machine,
    }))
}
