//! Runs of functions by themselves that somebody makes who calls them.
//!
//! What a run of such a function begins with is not known: a pointer that comes in, a variable of the
//! file. So a run is looked for of a caller who hands over objects, and calls it before all others:
//! then the variables hold what the program gives them.

use super::Implication;
use super::integers::{Answered, Asked, Runs};
use base::budget::Budget;
use base::limits::REFUTATION_STEPS;
use base::source::Span;
use ir::{Command, ProcedureId, Program, Variable};
use obligation::{ErrorKind, Goal, Obligation};
use prove::nontermination::refute_idly;
use prove::precondition::begins_unmodelled;
use prove::violation;
use verdict::unmodelled::Called;
use verdict::violation::Trial;
use verdict::{Reason, Verdict};

/// A run of a function by itself that never ends when somebody calls it who hands over objects,
/// where there is no proof for all callers.
#[must_use]
pub fn endless_when_called<'a>(
    verdict: &Verdict,
    obligation: &Obligation<'_>,
    asked: &'a Asked<'_>,
    budget: &Budget,
) -> Option<Answered<'a>> {
    let own = obligation.program();
    if own.open.is_none() || !begins_unmodelled(own) || asked.weave.is_some() {
        return None;
    }
    let suspect = |reason: &Reason| match reason {
        Reason::NoRanking(span) => Some(*span),
        _ => None,
    };
    let suspects: Vec<Span> = match verdict {
        Verdict::Unknown(unknown) => unknown.reasons.iter().filter_map(suspect).collect(),
        _ => Vec::new(),
    };
    let of_runs = |program: &'a Program| {
        let verdict = Verdict::Refuted(Box::new(refute_idly(program, &suspects, budget)?));
        Some(Answered::of(verdict, program).meaning(Implication::Complete))
    };
    let wrapped = || Some(Answered { runs: Runs::Wrapping, ..of_runs(asked.called_wrapping()?)? });
    asked.called().and_then(of_runs).or_else(wrapped)
}

/// A run of a function by itself that goes wrong whoever calls it, where no proof is there: nothing
/// that it does depends on what comes in.
#[must_use]
pub fn violated_when_called<'a>(
    verdict: &Verdict,
    obligation: &Obligation<'_>,
    asked: &'a Asked<'_>,
    budget: &Budget,
) -> Option<Answered<'a>> {
    let (own, goal) = (obligation.program(), obligation.goal);
    let Verdict::Unknown(unknown) = verdict else { return None };
    let is_about_memory = goal != Goal::Ends && !goal.avoids(ErrorKind::ErrorReached);
    let open = own.open.as_ref().filter(|_| is_about_memory && asked.weave.is_none())?;
    if !begins_unmodelled(own) {
        return None;
    }
    let suspects: Vec<Span> = unknown.reasons.iter().filter_map(Reason::span).collect();
    let program = asked.called()?;
    let name = &own.procedure(open.procedure).name;
    let procedure = program.procedures.iter().position(|it| it.name == *name)?;
    let of_file = &variables_of_file(own, program);
    let called = Called { procedure: ProcedureId::at(procedure), of_file };
    let trial = Trial::of(program, goal).whoever_calls(called);
    let mut steps = budget.of_part(REFUTATION_STEPS);
    let found = violation::search(&trial, &suspects, &mut steps)?;
    let verdict = Verdict::Violated(Box::new(found));
    Some(Answered::of(verdict, program).meaning(Implication::Complete))
}

/// The variables of the file of which nothing is known in the program of a function by itself, as
/// another reading of the same text has them.
fn variables_of_file(own: &Program, other: &Program) -> Vec<Variable> {
    let entry = own.procedure(own.entry).blocks.iter();
    let unknown = entry.flat_map(|it| &it.commands).filter_map(|it| match it.command {
        Command::Havoc { target, .. } => Some(own.variable(target).name.as_str()),
        _ => None,
    });
    let names: Vec<&str> = unknown.collect();
    let is_one = |it: &Variable| {
        let info = other.variable(*it);
        info.owner.is_none() && names.contains(&info.name.as_str())
    };
    (0..other.variables.len()).map(Variable::at).filter(is_one).collect()
}
