//! Runs that make an error.
//!
//! They come from `concolic::explore`; the interpreter says what each of them
//! does (`verdict::violation`).

use super::minimal::minimised;
use base::budget::Budget;
use base::limits::{
    LONGEST_RUN, MIDDLE_RUN, MIDDLE_RUN_STEPS, MINIMISING_STEPS, RUNS_WITH_LONG_TEXTS,
    RUNS_WITH_TEXTS, SHORT_RUN, SHORT_RUN_STEPS, STEPS_BEHIND_LEAK, STEPS_OF_RUN_A_STEP,
    STEPS_TO_BEGIN, STEPS_WITH_ALL_TEXTS, STEPS_WITH_LONG_TEXTS,
};
use base::source::Span;
use concolic::explore::Exploration;
use concolic::machine::Concolic;
use concolic::texts::learnt::Learnt;
use concolic::texts::{Texts, Words};
use concrete::Outcome;
use concrete::choices::ChoiceList;
use concrete::interpreter::Interpreter;
use ir::Program;
use verdict::violation::{Event, Trial, Violation};

/// Looks for a run that makes an error which the goal excludes, within so many steps: errors are
/// suspected at some places.
#[must_use]
pub fn search(trial: &Trial<'_>, suspects: &[Span], budget: &mut Budget) -> Option<Violation> {
    let rounds = [(SHORT_RUN, SHORT_RUN_STEPS), (MIDDLE_RUN, MIDDLE_RUN_STEPS)];
    let [short, middle] = rounds.map(|(longest, n_steps)| {
        move |budget: &Budget| search_up_to(longest, trial, suspects, &mut budget.of_part(n_steps))
    });
    short(budget)
        .or_else(|| in_texts(trial, budget))
        .or_else(|| middle(budget))
        .or_else(|| search_up_to(LONGEST_RUN, trial, suspects, budget))
}

/// Looks at runs that read texts which are guessed. What is lost or left matters less than what
/// another one of them does.
fn in_texts(trial: &Trial<'_>, budget: &Budget) -> Option<Violation> {
    let words = Words::of(trial.program)?;
    let mut learnt = Learnt::new(&words);
    let mut for_plainer = budget.of_part(MINIMISING_STEPS);
    let mut lost: Option<Violation> = None;
    let mut steps = budget.of_part(STEPS_WITH_ALL_TEXTS / STEPS_OF_RUN_A_STEP);
    for _ in 0..RUNS_WITH_TEXTS {
        let (mut texts, most_steps) = (learnt.next_texts(), learnt.most_steps());
        let (fate, n_steps) = fate(trial.program, texts.clone(), most_steps, &mut learnt);
        if steps.spend((n_steps + STEPS_TO_BEGIN) / STEPS_OF_RUN_A_STEP).is_err() {
            break;
        }
        let is_news = fate == Fate::Wrong || fate == Fate::Loses && lost.is_none();
        let found = is_news.then(|| trial.replay(&mut texts, most_steps)).flatten();
        lost = match found.and_then(|it| made_plain(trial, it, &mut for_plainer)) {
            None => lost,
            Some(found) if !is_lost(&found) => return Some(found),
            loss => loss,
        };
    }
    let mut steps =
        budget.of_part(RUNS_WITH_LONG_TEXTS * STEPS_WITH_LONG_TEXTS / STEPS_OF_RUN_A_STEP);
    for seed in 0..RUNS_WITH_LONG_TEXTS {
        if steps.spend(STEPS_WITH_LONG_TEXTS / STEPS_OF_RUN_A_STEP).is_err() {
            break;
        }
        let mut texts = Texts::long(&words, seed);
        let found = trial.replay(&mut texts, STEPS_WITH_LONG_TEXTS);
        let is_news = |it: &Violation| lost.is_none() || !is_lost(it);
        let found = found.filter(is_news);
        lost = match found.and_then(|it| made_plain(trial, it, &mut for_plainer)) {
            None => lost,
            Some(found) if !is_lost(&found) => return Some(found),
            loss => loss,
        };
    }
    lost
}

fn is_lost(found: &Violation) -> bool {
    matches!(found.event, Event::Leak(_) | Event::Unfreed(_))
}

/// The same with plain inputs, if it is as good again.
fn made_plain(trial: &Trial<'_>, found: Violation, steps: &mut Budget) -> Option<Violation> {
    replayed(trial, &minimised(trial, shortest(trial, found), steps))
}

/// What a run is worth another look for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Something goes wrong.
    Wrong,
    /// Memory is lost, or left at the end.
    Loses,
    /// Nothing.
    Fine,
}

/// How a run goes that reads such texts, and how many steps it takes; what it does is learnt.
fn fate(
    program: &Program,
    mut texts: Texts<'_>,
    most_steps: u64,
    learnt: &mut Learnt<'_>,
) -> (Fate, u64) {
    let interpreter = Interpreter::new(program);
    let (mut state, mut outcome) = (interpreter.initial(), Outcome::Running);
    for _ in 0..most_steps {
        learnt.watch(&state);
        outcome = interpreter.step(&mut state, &mut texts);
        if outcome != Outcome::Running {
            break;
        }
    }
    let n_steps = learnt.end(&texts);
    let loses = match outcome {
        Outcome::MemoryError { .. } | Outcome::ReachedError { .. } => {
            return (Fate::Wrong, n_steps);
        }
        Outcome::AssumeFailed | Outcome::OutOfBudget | Outcome::Unsupported { .. } => false,
        Outcome::Running => !state.leaked().is_empty(),
        Outcome::Halted => !state.unfreed().is_empty(),
    };
    (if loses { Fate::Loses } else { Fate::Fine }, n_steps)
}

/// The same, among runs of so many steps.
#[must_use]
pub fn search_up_to(
    max_run: u64,
    trial: &Trial<'_>,
    suspects: &[Span],
    budget: &mut Budget,
) -> Option<Violation> {
    let concolic = Concolic::new(trial.program);
    let exploration = Exploration::new(&concolic, max_run);
    let mut exploration = if max_run <= SHORT_RUN {
        exploration.comparing_futures()
    } else {
        exploration.toward(suspects)
    };
    let mut leak: Option<Violation> = None;
    let mut more = budget.of_part(STEPS_BEHIND_LEAK);
    // However late a run is found, its inputs are made plain.
    let mut for_plainer = budget.of_part(MINIMISING_STEPS);
    loop {
        let limit = if leak.is_some() { &mut more } else { &mut *budget };
        let Some(trace) = exploration.next(limit) else { return leak };
        if matches!(trace.outcome, Some(Outcome::AssumeFailed)) {
            continue;
        }
        let mut source = trace.inputs.source();
        // A short run may be as good as there.
        let is_cut = trace.outcome == Some(Outcome::OutOfBudget);
        let n_steps = if is_cut { LONGEST_RUN.max(max_run) } else { max_run };
        if is_cut && limit.spend((n_steps - max_run) / STEPS_OF_RUN_A_STEP).is_err() {
            return leak;
        }
        let Some(found) = trial.replay(&mut source, n_steps) else { continue };
        if leak.is_some() && matches!(found.event, Event::Leak(_)) {
            continue;
        }
        match made_plain(trial, found, &mut for_plainer) {
            Some(checked) if matches!(checked.event, Event::Leak(_)) => leak = Some(checked),
            Some(checked) => return Some(checked),
            None => {}
        }
    }
}

/// Makes the same choices again, and no others.
#[must_use]
pub fn replayed(trial: &Trial<'_>, violation: &Violation) -> Option<Violation> {
    let values = violation.choices.iter().map(|chosen| chosen.value).collect();
    let again = trial.replay(&mut ChoiceList::new(values), violation.n_steps)?;
    (again.event == violation.event && again.choices.len() == violation.choices.len())
        .then_some(again)
}

/// Whether the same choices lead to the same error in another reading of the program, where steps are
/// a few more or fewer.
#[must_use]
pub fn is_made_in(trial: &Trial<'_>, violation: &Violation) -> bool {
    let values = violation.choices.iter().map(|chosen| chosen.value).collect();
    let n_steps = violation.n_steps.saturating_mul(2);
    let again = trial.replay(&mut ChoiceList::new(values), n_steps);
    again.is_some_and(|it| it.event == violation.event)
}

/// The run up to where memory is lost.
fn shortest(trial: &Trial<'_>, found: Violation) -> Violation {
    let Event::Leak(_) = found.event else { return found };
    let values: Vec<i128> = found.choices.iter().map(|chosen| chosen.value).collect();
    let lost_within = |n_steps: u64| {
        let mut choices = ChoiceList::new(values.clone());
        trial
            .replay(&mut choices, n_steps)
            .filter(|violation| matches!(violation.event, Event::Leak(_)))
    };
    // What is lost stays lost.
    let (mut low, mut high) = (0, found.n_steps);
    let mut best = found;
    while low + 1 < high {
        let middle = low.midpoint(high);
        match lost_within(middle) {
            Some(violation) => (best, high) = (violation, middle),
            None => low = middle,
        }
    }
    best
}
