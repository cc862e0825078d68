//! Runs of functions by themselves that somebody makes who calls them.
//!
//! What a run of such a function begins with is not known: a pointer that comes in, a variable of the
//! file. So a run is looked for of a caller who hands over objects, and calls it before all others:
//! then the variables hold what the program gives them.

use super::Implication;
use super::integers::{Answered, Asked, Runs};
use base::budget::Budget;
use base::source::Span;
use heap::shape::ShapeLibrary;
use ir::{Command, Expr, Instruction, Program, ScalarType, Variable};
use obligation::{ErrorKind, Fairness, Goal, Obligation};
use prove::nontermination::refute_idly;
use prove::precondition::{beginnings, begins_unmodelled};
use prove::refute;
use verdict::{Reason, Verdict};

/// What variables of the file hold in other calls: a run that fails because it is the first call,
/// before something is made ready, is no mistake.
const OTHER_VALUES: [i128; 3] = [1, 2, 100];

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

/// A run of a function by itself that goes wrong when it is called before all others, and in the same
/// way whatever the numbers are that variables of the file hold; where no proof is there, and no
/// pointer comes in. An assertion may be about a state that only other calls lead to.
#[must_use]
pub fn violated_when_called<'a>(
    verdict: &Verdict,
    obligation: &Obligation<'_>,
    asked: &'a Asked<'_>,
    (library, budget): (&ShapeLibrary, &Budget),
) -> Option<Answered<'a>> {
    let (own, goal) = (obligation.program(), obligation.goal);
    let Verdict::Unknown(unknown) = verdict else { return None };
    let is_number = |it: &Variable| matches!(own.variable(*it).ty, ScalarType::Int(_));
    let are_numbers = beginnings(own).all(|it| is_number(&it));
    let is_about_memory = goal != Goal::Ends && !goal.avoids(ErrorKind::ErrorReached);
    let is_asked = is_about_memory && own.open.is_some() && asked.weave.is_none();
    if !(is_asked && begins_unmodelled(own) && are_numbers) {
        return None;
    }
    let suspects: Vec<Span> = unknown.reasons.iter().filter_map(Reason::span).collect();
    let fairness = Fairness::default();
    let violation =
        |program: &Program| match refute(program, (goal, &suspects), (&fairness, library), budget)?
        {
            verdict @ Verdict::Violated(_) => Some(verdict),
            _ => None,
        };
    let program = asked.called()?;
    let names: Vec<&str> = beginnings(own).map(|it| own.variable(it).name.as_str()).collect();
    let found = violation(program)?;
    let Verdict::Violated(first) = &found else { return None };
    let is_same = |value: i128| {
        let other = violation(&beginning_with(program, &names, value));
        matches!(other, Some(Verdict::Violated(it)) if (it.span, &it.event) == (first.span, &first.event))
    };
    OTHER_VALUES.into_iter().all(is_same).then(|| {
        let means = Implication::Complete;
        Answered::of(found, program).meaning(means)
    })
}

/// The program whose variables with these names hold a number when the function is called.
fn beginning_with(program: &Program, names: &[&str], value: i128) -> Program {
    let mut program = program.clone();
    let globals: Vec<Variable> = (0..program.variables.len())
        .map(Variable::at)
        .filter(|it| {
            let info = program.variable(*it);
            info.owner.is_none() && names.contains(&info.name.as_str())
        })
        .collect();
    let set = |target: Variable| {
        let command = Command::Assign { target, value: Expr::Constant(value) };
        Instruction { command, span: Span::NOWHERE }
    };
    let entry = &mut program.procedures[program.entry.index()];
    for block in &mut entry.blocks {
        let is_call = |it: &Instruction| matches!(it.command, Command::Call { .. });
        if let Some(at) = block.commands.iter().position(is_call) {
            block.commands.splice(at..at, globals.iter().copied().map(set));
        }
    }
    program
}
