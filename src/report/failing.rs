//! A run that does what it must not, in terms of the source program.

use super::endless::{counted, is_shown, shown_inputs};
use super::fed;
use super::harness::{Given, Shows};
use super::inputs;
use super::path::{Teller, Until};
use super::run::{Event as PathEvent, EventKind};
use super::{Cause, FailingRun, Input, Location};
use base::source::Span;
use concrete::MemoryErrorKind;
use ir::{HavocSource, Program, ScalarType};
use verdict::violation::{Chosen, Event, Violation};

/// A step of the program that was searched is at most so many of the program that is told of.
const STEPS_PER_STEP: u64 = 8;

/// What a violation shows.
pub struct Failure {
    /// The run that it speaks of.
    pub run: FailingRun,
    /// What happens in the end, with its place.
    pub cause: Cause,
    /// What the run is given, for a test case.
    pub given: Vec<Given>,
    /// What it reads from the standard input, where that is known.
    pub read: Option<Vec<u8>>,
}

/// The run that a violation speaks of, and what happens in the end.
#[must_use]
pub fn failure(program: &Program, violation: &Violation) -> Failure {
    let allocated = match &violation.event {
        Event::Leak(span) | Event::Unfreed(span) => span.is_somewhere().then_some(*span),
        Event::Undefined(_) | Event::Error(_) => None,
    };
    let teller = told(program, violation);
    let cause = cause(program, violation, &teller);
    let chosen = violation.choices.iter().enumerate();
    // What a floating-point number is, nobody knows.
    let is_told = |index: usize, it: &Chosen| {
        !teller.is_hidden(index) && !matches!(it.ty, ScalarType::Float(_))
    };
    let read = fed::standard_input(&violation.choices, &teller);
    let is_fed = |index: usize| read.is_some() && teller.is_from_call(index);
    let given = chosen
        .filter(|(index, it)| it.function.is_some() || is_told(*index, it) && !is_fed(*index));
    let given = given.map(|(_, it)| Given { function: it.function.clone(), value: it.value });
    let given = given.collect();
    let own = |at: usize, it: &Chosen| {
        let is_own = is_told(at, it) && !is_made_up(it);
        is_own.then(|| inputs::input(program, it, teller.name_of_unset(at)))
    };
    let given_later = inputs::of_choices(program, (&violation.choices, 0), &teller, own);
    // No error that a run is shown for depends on a caller (`verdict::unmodelled`).
    let by_caller = violation.choices.iter().any(is_handed).then(|| Input {
        name: "what the caller hands over".to_owned(),
        value: "anything".to_owned(),
        location: Location::of_span(Span::NOWHERE, &program.sources),
    });
    let inputs = by_caller.into_iter().chain(teller.started_with()).chain(given_later).collect();
    let run = FailingRun {
        inputs,
        steps: violation.n_steps,
        allocated: allocated.map(|span| Location::of_span(span, &program.sources)),
        path: path(teller, program, violation),
    };
    Failure { run, cause, given, read }
}

/// Whether a choice is one of an automaton that runs beside the program, or of a caller.
fn is_made_up(chosen: &Chosen) -> bool {
    let is_made_up = |name: &str| inputs::is_made_up(name, chosen.value);
    chosen.function.as_deref().is_some_and(is_made_up) || is_handed(chosen)
}

/// Whether a caller hands over what is chosen.
fn is_handed(chosen: &Chosen) -> bool {
    let is_handed = |name: &str| {
        [HavocSource::HANDED, HavocSource::LEADS].iter().any(|it| name.starts_with(it))
    };
    chosen.function.as_deref().is_some_and(is_handed)
}

/// The run, up to its end.
fn told<'p>(program: &'p Program, violation: &Violation) -> Teller<'p> {
    let mut teller = Teller::new(program);
    let values: Vec<i128> = violation.choices.iter().map(|it| it.value).collect();
    // The run ends there by itself, or when memory is lost. The program that was searched may have
    // been a simpler one, which takes fewer steps.
    let until = match violation.event {
        Event::Undefined(_) | Event::Error(_) | Event::Unfreed(_) => Until::End,
        Event::Leak(_) => Until::Lost,
    };
    teller.run_until(until, &values, violation.n_steps.saturating_mul(STEPS_PER_STEP));
    teller
}

/// What happens in the run that was told.
fn path(mut teller: Teller<'_>, program: &Program, violation: &Violation) -> Vec<PathEvent> {
    let (_, mut message) = described(&violation.event, &teller);
    match violation.event {
        Event::Leak(_) => teller.stress(teller.lost()),
        Event::Unfreed(_) => teller.stress(teller.unfreed()),
        Event::Undefined(_) | Event::Error(_) => teller.stress(None),
    }
    if let (Event::Undefined(_), Some((name, size))) = (&violation.event, teller.name_of_touched())
    {
        message.push_str(&format!(" ({name}, of {})", counted(size, "byte")));
    }
    let place = Some(violation.span).filter(|span| span.is_somewhere());
    let place = place.map(|span| Location::of_span(span, &program.sources));
    teller.finish(EventKind::Error, message, place.filter(|it| !it.file.starts_with('<')))
}

/// What happens in the end, with its place.
fn cause(program: &Program, violation: &Violation, teller: &Teller<'_>) -> Cause {
    let (code, message) = described(&violation.event, teller);
    let place = Some(violation.span).filter(|span| span.is_somewhere());
    let location = place.map(|span| Location::of_span(span, &program.sources));
    Cause { code, message, location }
}

/// The event at the end of a run; what is in a pointer that was never given a value is no
/// null pointer.
fn described(event: &Event, teller: &Teller<'_>) -> (&'static str, String) {
    match event {
        Event::Undefined(MemoryErrorKind::NullDereference) if teller.follows_unset() => {
            ("W002", "this pointer was never given a value".to_owned())
        }
        _ => describe(event),
    }
}

fn describe(event: &Event) -> (&'static str, String) {
    let (code, text) = match event {
        Event::Undefined(kind) => match kind {
            MemoryErrorKind::NullDereference => ("W001", "a null pointer is dereferenced here"),
            MemoryErrorKind::WildPointer => ("W002", "this pointer points at no object"),
            MemoryErrorKind::UseAfterFree => ("W002", "this object does not live any more"),
            MemoryErrorKind::OutOfBounds => ("W003", "this access is out of bounds"),
            MemoryErrorKind::ConstantWrite => ("W008", "this is a string literal or a constant"),
            MemoryErrorKind::InvalidFree => ("W004", "this is not the start of a heap block"),
            MemoryErrorKind::DoubleFree => ("W004", "this was freed before"),
            MemoryErrorKind::NegativeAllocation => ("W005", "this size is negative"),
            MemoryErrorKind::DivisionByZero => ("W006", "this divisor is zero"),
            MemoryErrorKind::NegativeShift => ("W006", "this shift count is out of range"),
        },
        Event::Leak(_) => ("W010", "nothing points at a heap block any more"),
        Event::Unfreed(_) => ("W011", "the program ends with a heap block that is not freed"),
        Event::Error(what) if what.starts_with("__assert") => ("W012", "this assertion fails"),
        Event::Error(what) => return ("W012", format!("`{what}` is reached")),
    };
    (code, text.to_owned())
}

/// How a test case shows the event.
#[must_use]
pub fn shows(event: &Event) -> Shows {
    match event {
        Event::Undefined(_) => Shows::MemoryError,
        Event::Leak(_) => Shows::Leak,
        Event::Unfreed(_) => Shows::Unfreed,
        Event::Error(_) => Shows::Error,
    }
}

impl FailingRun {
    /// The run for a person, a line at a time.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let given = if self.inputs.iter().any(is_shown) {
            format!("with {}", shown_inputs(&self.inputs))
        } else {
            "without any input".to_owned()
        };
        vec![format!("this happens after {}, {given}", counted(self.steps, "step"))]
    }
}
