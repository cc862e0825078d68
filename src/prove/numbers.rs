//! Proofs by numbers alone: nothing is said of memory, and only what loops depend on is looked at.

use super::by_states;
use base::budget::Budget;
use base::limits::{MOST_SIZE_TRIALS, NUMBERS_STEPS, NUMBERS_STEPS_EACH};
use evidence::approach::Form;
use heap::shape::ShapeLibrary;
use ir::ScalarType;
use ir::semantics::Definedness;
use ir::slice;
use ir::slice::addresses::Addresses;
use ir::slice::numbers::Numbers;
use ir::slice::parts::Calls;
use ir::slice::relevance::{self, Aim};
use ir::slice::sizes::{Size, sizes};
use obligation::{Goal, Obligation};
use simplify::simplify;
use sonar::{Effort, Machine};
use std::collections::BTreeSet;
use verdict::Verdict;

/// Proves that all runs end that C defines, by numbers alone. If need be, pointers that move on
/// count as well, and long procedures are looked at by themselves. Gives a proof, or which loops
/// have no measure so; nothing where the question is another.
#[must_use]
pub fn by_numbers(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    in_forms(obligation, budget, &|form, steps| by_form(obligation, &form, library, steps))
}

/// The same of a function by itself, where numbers that come in or are found in memory are sizes or
/// counts (rule SIZES): as few of them as are needed. Gives a proof.
pub(super) fn by_sizes(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    let program = obligation.simplified(simplify);
    let all = sizes(program);
    if all.is_empty() {
        return None;
    }
    let found = in_forms(obligation, budget, &|form, steps| {
        let numbers = simplify(&form.of(program)?);
        let left_out = relevance::irrelevant_without_memory(&numbers, &Aim::default())?;
        let matters = |it: &&Size| !left_out.variables[it.variable.index()];
        let sizes: BTreeSet<Size> = all.iter().filter(matters).copied().collect();
        let form = Numbers { sizes, ..form };
        (!form.sizes.is_empty()).then(|| by_form(obligation, &form, library, steps)).flatten()
    })?;
    let Verdict::Proved(proof) = &found else { return None };
    let Form::Numbers(form) = proof.approach.form.clone() else { return Some(found) };
    let attempt = |sizes: &BTreeSet<Size>| {
        let form = Numbers { sizes: sizes.clone(), ..form.clone() };
        let verdict = by_form(obligation, &form, library, steps_for(obligation, budget));
        verdict.filter(|it| matches!(it, Verdict::Proved(_)))
    };
    Some(with_fewest(form.sizes.clone(), found, &attempt))
}

/// A proof that grants less: parts of what is granted are left out, ever smaller ones, as long as
/// the rest is enough.
fn with_fewest(
    mut kept: BTreeSet<Size>,
    mut proof: Verdict,
    attempt: &dyn Fn(&BTreeSet<Size>) -> Option<Verdict>,
) -> Verdict {
    let (mut n_trials, mut width) = (0, kept.len());
    while width > 1 {
        width = width.div_ceil(2);
        let all: Vec<Size> = kept.iter().copied().collect();
        for part in all.chunks(width) {
            let fewer: BTreeSet<Size> =
                kept.iter().filter(|it| !part.contains(it)).copied().collect();
            if fewer.is_empty() || n_trials == MOST_SIZE_TRIALS {
                continue;
            }
            n_trials += 1;
            if let Some(found) = attempt(&fewer) {
                (kept, proof) = (fewer, found);
            }
        }
    }
    proof
}

/// The first proof that one of the forms without memory has, or what the last attempt came to.
fn in_forms(
    obligation: &Obligation<'_>,
    budget: &Budget,
    attempt: &dyn Fn(Numbers, Budget) -> Option<Verdict>,
) -> Option<Verdict> {
    let program = obligation.simplified(simplify);
    if !is_of_defined_runs(obligation)
        || !program.variables.iter().any(|it| it.ty == ScalarType::Pointer)
    {
        return None;
    }
    let mut ways = vec![Addresses::Forgotten, Addresses::Moving];
    ways.extend(program.open.iter().map(|_| Addresses::Linked));
    let mut last = None;
    for calls in [Calls::Followed, Calls::Apart] {
        for addresses in &ways {
            let form = Numbers::new(*addresses, calls);
            let Some(verdict) = attempt(form, steps_for(obligation, budget)) else { break };
            let is_cut_short = match &verdict {
                Verdict::Unknown(unknown) => unknown.is_cut_short(),
                _ => return Some(verdict),
            };
            last = Some(verdict);
            if is_cut_short {
                break;
            }
        }
    }
    last
}

fn steps_for(obligation: &Obligation<'_>, budget: &Budget) -> Budget {
    let n_steps = NUMBERS_STEPS_EACH * slice::size(obligation.simplified(simplify)) as u64;
    budget.of_part(n_steps.clamp(NUMBERS_STEPS[0], NUMBERS_STEPS[1])).with_check()
}

/// The same of a large program, with its long procedures looked at by themselves only.
pub(super) fn by_parts(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    let n_steps = NUMBERS_STEPS_EACH * slice::size(obligation.simplified(simplify)) as u64;
    let steps = budget.of_part(n_steps).with_check();
    let form = Numbers::new(Addresses::Forgotten, Calls::Apart);
    is_of_defined_runs(obligation).then(|| by_form(obligation, &form, library, steps)).flatten()
}

/// Whether it is asked whether the runs end that C defines.
fn is_of_defined_runs(obligation: &Obligation<'_>) -> bool {
    (obligation.goal, obligation.definedness) == (Goal::Ends, Definedness::Assumed)
}

/// An attempt at a proof by one form without memory; none where there is no slice of that, or it
/// has no procedures to look at by themselves.
fn by_form(
    obligation: &Obligation<'_>,
    form: &Numbers,
    library: &ShapeLibrary,
    mut steps: Budget,
) -> Option<Verdict> {
    let program = obligation.simplified(simplify);
    let numbers = simplify(&form.of(program)?);
    let left_out = relevance::irrelevant_without_memory(&numbers, &Aim::default())?;
    let sliced = slice::without(&numbers, &left_out.variables);
    let slice = (&sliced, Form::Numbers(form.clone()), left_out);
    let machine = Machine::sliced(obligation, slice, library).with_effort(Effort::Little);
    let machine = match relevance::is_large(program) {
        true => machine.with_long_calls_tabulated(),
        false => machine,
    };
    Some(by_states(&machine, &mut steps))
}
