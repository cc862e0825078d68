//! A run that does what it must not, in terms of the source program.

use super::endless::shown_inputs;
use super::{Cause, FailingRun, Input, Location};
use crate::concrete::MemoryErrorKind;
use crate::ir::Program;
use crate::verdict::violation::{Chosen, Event, Violation};

/// The run that a violation speaks of.
#[must_use]
pub fn run(program: &Program, violation: &Violation) -> FailingRun {
    let allocated = match &violation.event {
        Event::Leak(span) | Event::Unfreed(span) => span.is_somewhere().then_some(*span),
        Event::Undefined(_) | Event::Error(_) => None,
    };
    FailingRun {
        inputs: violation.choices.iter().map(|it| input(program, it)).collect(),
        steps: violation.n_steps,
        allocated: allocated.map(|span| Location::of_span(span, &program.sources)),
    }
}

/// What happens in the end, with its place.
#[must_use]
pub fn cause(program: &Program, violation: &Violation) -> Cause {
    let (code, message) = describe(&violation.event);
    let place = Some(violation.span).filter(|span| span.is_somewhere());
    let location = place.map(|span| Location::of_span(span, &program.sources));
    Cause { code, message, location }
}

fn describe(event: &Event) -> (&'static str, String) {
    let (code, text) = match event {
        Event::Undefined(kind) => match kind {
            MemoryErrorKind::NullDereference => ("W001", "a null pointer is dereferenced here"),
            MemoryErrorKind::WildPointer => ("W002", "this pointer points at no object"),
            MemoryErrorKind::UseAfterFree => ("W002", "this object does not live any more"),
            MemoryErrorKind::OutOfBounds => ("W003", "this access is out of bounds"),
            MemoryErrorKind::InvalidFree => ("W004", "this is not the start of a heap block"),
            MemoryErrorKind::DoubleFree => ("W004", "this was freed before"),
            MemoryErrorKind::NegativeAllocation => ("W005", "this size is negative"),
            MemoryErrorKind::DivisionByZero => ("W006", "this divisor is zero"),
            MemoryErrorKind::NegativeShift => ("W006", "this shift count is negative"),
        },
        Event::Leak(_) => ("W010", "nothing points at a heap block any more"),
        Event::Unfreed(_) => ("W011", "the program ends with a heap block that is not freed"),
        Event::Error(what) => return ("W012", format!("`{what}` is reached")),
    };
    (code, text.to_owned())
}

fn input(program: &Program, chosen: &Chosen) -> Input {
    let name = chosen.function.as_deref().unwrap_or("what nothing was written to");
    Input {
        name: name.to_owned(),
        value: chosen.value.to_string(),
        location: Location::of_span(chosen.span, &program.sources),
    }
}

impl FailingRun {
    /// The run for a person, a line at a time.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(place) = &self.allocated {
            lines.push(format!("the block was allocated at {}", place.describe()));
        }
        let given = match self.inputs.as_slice() {
            [] => "without any input".to_owned(),
            inputs => format!("with {}", shown_inputs(inputs)),
        };
        lines.push(format!("this happens after {} steps, {given}", self.steps));
        lines
    }
}
