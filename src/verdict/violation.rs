//! The evidence that a run does what it must not, and its replay.
//!
//! The evidence is what the run chooses. The interpreter runs with just these
//! choices, and its states alone say what happens.

use base::source::Span;
use concolic::shadow::{Choice, ChoiceSource};
use concrete::choices::{Choices, Occasion};
use concrete::interpreter::Interpreter;
use concrete::state::{Location, State};
use concrete::{MemoryErrorKind, Outcome};
use ir::expr::ScalarType;
use ir::{Command, HavocSource, InitialContent, MemoryKind, Program, floats};
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

/// Runs the program for so many steps at most, and says which error it makes, if it
/// makes one that the goal excludes.
///
/// A value that is not modelled may not be what is chosen; so a run that needs
/// one violates nothing. Floating-point numbers are none that a run needs, where they are
/// only moved about. The address that a library function gives is null or
/// one that this run cannot have: it may be null only.
#[must_use]
pub fn replay(
    program: &Program,
    goal: Goal,
    choices: &mut dyn Choices,
    n_steps: u64,
) -> Option<Violation> {
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    let memory = if has_foreign_memory(program) { Modelled::NotAll } else { Modelled::All };
    let (span, made, modelled) = (Span::NOWHERE, Vec::new(), Modelled::All);
    let mut listener = Listener { choices, span, made, modelled, memory, computes: false };
    let (mut step, mut outcome) = (0, Outcome::Running);
    while step < n_steps && outcome == Outcome::Running {
        listener.span = interpreter.span(&state);
        let is_counted = !assumes_range(program, &state);
        outcome = interpreter.step(&mut state, &mut listener);
        step += u64::from(is_counted);
    }
    let is_modelled = listener.modelled == Modelled::All;
    if !is_modelled || listener.computes && !floats::are_only_moved(program) {
        return None;
    }
    // A program that defines the error function itself goes on behind its call.
    let ends = match &outcome {
        Outcome::ReachedError { what, .. } => {
            program.procedures.iter().all(|procedure| procedure.name != *what)
        }
        _ => outcome == Outcome::Halted,
    };
    let counts_unfreed = ends && goal.avoids(ErrorKind::Unfreed);
    let left = if counts_unfreed { unfreed(&state, listener.span) } else { None };
    let (event, span) = left.or_else(|| event(&state, outcome, listener.span))?;
    goal.avoids(event.kind()).then_some(Violation {
        choices: listener.made,
        n_steps: step,
        event,
        span,
    })
}

/// Whether the next command is only there to end runs that overflow: such commands do
/// not count, so that a run has as many steps with them as without.
fn assumes_range(program: &Program, state: &State) -> bool {
    let Some(Location { procedure, block, command }) = state.location() else { return false };
    let block = program.procedure(procedure).blocks.get(block.index());
    let instruction = block.and_then(|block| block.commands.get(command));
    instruction.is_some_and(|it| it.command.range_assumed().is_some())
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

/// Whether all values of a run are ones that the program can have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Modelled {
    All,
    NotAll,
}

/// Notes what a run asks for.
struct Listener<'a> {
    choices: &'a mut dyn Choices,
    span: Span,
    made: Vec<Chosen>,
    modelled: Modelled,
    /// Whether bytes that nothing was written to may be anything.
    memory: Modelled,
    /// Whether the run computes with floating-point numbers.
    computes: bool,
}

/// Whether there is memory at the start whose content is not modelled: the globals of a
/// function that is analysed by itself.
pub(super) fn has_foreign_memory(program: &Program) -> bool {
    let blocks = program.blocks();
    let mut commands = blocks.flat_map(|block| &block.commands).map(|it| &it.command);
    let is_foreign = |command: &Command| match command {
        Command::Allocate { kind: MemoryKind::Static, content, .. } => {
            *content == InitialContent::Arbitrary
        }
        _ => false,
    };
    program.open.is_some() && commands.any(is_foreign)
}

impl Choices for Listener<'_> {
    fn choose(&mut self, ty: ScalarType, occasion: Occasion<'_>) -> i128 {
        let value = self.choices.choose(ty, occasion);
        let function = match occasion {
            Occasion::Havoc(HavocSource::Input(name)) => {
                let is_address = matches!(ty, ScalarType::Pointer);
                if is_address && value != 0 && !name.contains("nondet") {
                    self.modelled = Modelled::NotAll;
                }
                Some(name.clone())
            }
            Occasion::Havoc(HavocSource::Approximation(_)) => {
                match ty {
                    ScalarType::Float(_) => self.computes = true,
                    ScalarType::Int(_) | ScalarType::Pointer => self.modelled = Modelled::NotAll,
                }
                None
            }
            Occasion::LibraryText => {
                self.modelled = Modelled::NotAll;
                None
            }
            Occasion::UninitialisedMemory => {
                if self.memory == Modelled::NotAll {
                    self.modelled = Modelled::NotAll;
                }
                None
            }
            Occasion::Havoc(HavocSource::Uninitialised) | Occasion::UnassignedVariable => None,
        };
        self.made.push(Chosen { value, ty, function, span: self.span });
        value
    }
}
