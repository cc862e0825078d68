//! The evidence that a run does what it must not, and its replay.
//!
//! The evidence is what the run chooses. The interpreter runs with just these
//! choices, and its states alone say what happens.

use super::followed::Followed;
use super::unmodelled::Called;
use base::source::Span;
use concolic::shadow::{Choice, ChoiceSource};
use concrete::choices::Choices;
use concrete::state::State;
use concrete::{MemoryErrorKind, Outcome};
use ir::Program;
use ir::expr::ScalarType;
use obligation::{ErrorKind, Goal};

/// A run from the start against a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What it chooses, in order, and where.
    pub choices: Vec<Chosen>,
    /// How many steps it has.
    pub n_steps: u64,
    /// What happens in the end.
    pub event: Event,
    /// Where it happens.
    pub span: Span,
}

/// A value that a run was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The number.
    pub value: i128,
    /// Its type.
    pub ty: ScalarType,
    /// What asked for it: a function, or `None` for what nothing was written to.
    pub function: Option<String>,
    /// Where.
    pub span: Span,
}

impl From<&Choice> for Chosen {
    fn from(choice: &Choice) -> Self {
        let function = match &choice.source {
            ChoiceSource::Input(name) => Some(name.clone()),
            ChoiceSource::Uninitialised | ChoiceSource::Memory | ChoiceSource::Approximation => {
                None
            }
        };
        Self { value: choice.value, ty: choice.ty, function, span: choice.span }
    }
}

/// What a run must not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It does something undefined.
    Undefined(MemoryErrorKind),
    /// It has lost the last pointer to a heap block, which was allocated here.
    Leak(Span),
    /// It ends with a heap block that is not freed, which was allocated here.
    Unfreed(Span),
    /// It reaches an error.
    Error(String),
}

impl Event {
    /// What kind of error it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Undefined(kind) => match kind {
                MemoryErrorKind::NullDereference
                | MemoryErrorKind::WildPointer
                | MemoryErrorKind::UseAfterFree
                | MemoryErrorKind::OutOfBounds
                | MemoryErrorKind::ConstantWrite => ErrorKind::InvalidAccess,
                MemoryErrorKind::InvalidFree | MemoryErrorKind::DoubleFree => {
                    ErrorKind::InvalidFree
                }
                MemoryErrorKind::NegativeAllocation
                | MemoryErrorKind::DivisionByZero
                | MemoryErrorKind::NegativeShift => ErrorKind::Arithmetic,
            },
            Self::Leak(_) => ErrorKind::Leak,
            Self::Unfreed(_) => ErrorKind::Unfreed,
            Self::Error(_) => ErrorKind::ErrorReached,
        }
    }
}

/// A program, and what its runs must not do.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// The program.
    pub program: &'a Program,
    /// What no run may do.
    pub goal: Goal,
    /// The function of which only what no caller can prevent counts.
    called: Option<Called<'a>>,
}

impl<'a> Trial<'a> {
    /// All runs of a program.
    #[must_use]
    pub fn of(program: &'a Program, goal: Goal) -> Self {
        Self { program, goal, called: None }
    }

    /// Those that do what they do whoever calls a function (`unmodelled`).
    #[must_use]
    pub fn whoever_calls(self, called: Called<'a>) -> Self {
        Self { called: Some(called), ..self }
    }

    /// Makes a run of so many steps at most, and says which error it makes, if it makes one that the
    /// goal excludes.
    ///
    /// A value that is not modelled may not be what is chosen, so nothing may depend on one
    /// (`unmodelled`). The address that a library function gives is null or one that this run cannot
    /// have: it may be null only.
    #[must_use]
    pub fn replay(&self, choices: &mut dyn Choices, n_steps: u64) -> Option<Violation> {
        let mut run = Followed::new(self.program, self.called);
        let (mut step, mut outcome) = (0, Outcome::Running);
        while step < n_steps && outcome == Outcome::Running {
            step += run.counts();
            outcome = run.step(choices).ok()?;
        }
        let Followed { state, unmodelled, span, made, .. } = run;
        let left = if self.called.is_none() { self.left(&state, &outcome, span) } else { None };
        let (event, span) = left.or_else(|| event(&state, outcome, span))?;
        let is_shown = match &event {
            Event::Undefined(_) => unmodelled.is_begun(),
            Event::Leak(_) => unmodelled.is_begun() && unmodelled.are_lost(&state, &state.leaked()),
            Event::Unfreed(_) | Event::Error(_) => self.called.is_none(),
        };
        (self.goal.avoids(event.kind()) && is_shown).then_some(Violation {
            choices: made,
            n_steps: step,
            event,
            span,
        })
    }

    /// What is not freed in a run that ends here.
    fn left(&self, state: &State, outcome: &Outcome, here: Span) -> Option<(Event, Span)> {
        // A program that defines the error function itself goes on behind its call.
        let ends = match outcome {
            Outcome::ReachedError { what, .. } => {
                self.program.procedures.iter().all(|procedure| procedure.name != *what)
            }
            _ => *outcome == Outcome::Halted,
        };
        let counts = ends && self.goal.avoids(ErrorKind::Unfreed);
        if counts { unfreed(state, here) } else { None }
    }
}

/// The block that is not freed in a run that ends here.
fn unfreed(state: &State, here: Span) -> Option<(Event, Span)> {
    let id = state.unfreed().first().copied()?;
    Some((Event::Unfreed(state.memory().block(id).allocated_at), here))
}

/// What else has happened in a run.
fn event(state: &State, outcome: Outcome, here: Span) -> Option<(Event, Span)> {
    match outcome {
        Outcome::MemoryError { kind, span } => Some((Event::Undefined(kind), span)),
        Outcome::ReachedError { what, span } => Some((Event::Error(what), span)),
        Outcome::Running | Outcome::Halted => {
            let leaked = match outcome {
                Outcome::Halted => state.leaked_at_the_end(),
                _ => state.leaked(),
            };
            let id = leaked.first().copied()?;
            let allocated = state.memory().block(id).allocated_at;
            (!state.memory().has_split_addresses()).then_some((Event::Leak(allocated), here))
        }
        Outcome::AssumeFailed | Outcome::Unsupported { .. } | Outcome::OutOfBudget => None,
    }
}
