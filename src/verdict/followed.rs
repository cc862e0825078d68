//! A run in the interpreter, and how far it is one of the program.

use super::unmodelled::{Called, Depends, Unmodelled};
use super::violation::Chosen;
use base::source::Span;
use concrete::Outcome;
use concrete::choices::{Choices, Occasion};
use concrete::interpreter::Interpreter;
use concrete::state::{Location, State};
use ir::expr::ScalarType;
use ir::{Command, HavocSource, InitialContent, MemoryKind, Program};

/// A run, as far as it has come.
pub(super) struct Followed<'a> {
    program: &'a Program,
    interpreter: Interpreter<'a>,
    pub(super) state: State,
    /// What in it may not be what the program has.
    pub(super) unmodelled: Unmodelled<'a>,
    /// The place of the last step.
    pub(super) span: Span,
    /// What was chosen.
    pub(super) made: Vec<Chosen>,
    /// Bytes that nothing was written to.
    memory: Modelled,
}

impl<'a> Followed<'a> {
    /// A run of a program from its start; of a function that somebody calls, if one is.
    pub(super) fn new(program: &'a Program, called: Option<Called<'a>>) -> Self {
        let interpreter = Interpreter::new(program);
        let state = interpreter.initial();
        let memory = match called.is_none() && has_foreign_memory(program) {
            true => Modelled::NotAll,
            false => Modelled::All,
        };
        let unmodelled = Unmodelled::new(program, called);
        let (span, made) = (Span::NOWHERE, Vec::new());
        Self { program, interpreter, state, unmodelled, span, made, memory }
    }

    /// How many steps the next one counts for. A command that is only there to end runs that overflow
    /// counts for none, so that a run has as many steps with such commands as without.
    pub(super) fn counts(&self) -> u64 {
        u64::from(self.command().is_none_or(|it| it.range_assumed().is_none()))
    }

    /// The command that comes next.
    fn command(&self) -> Option<&'a Command> {
        let Location { procedure, block, command } = self.state.location()?;
        let block = self.program.procedure(procedure).blocks.get(block.index())?;
        block.commands.get(command).map(|it| &it.command)
    }

    /// Makes a step.
    ///
    /// # Errors
    /// When it depends on a value that is not modelled.
    pub(super) fn step(&mut self, choices: &mut dyn Choices) -> Result<Outcome, Depends> {
        self.span = self.interpreter.span(&self.state);
        let command = self.command();
        let procedure = self.state.location().map(|it| it.procedure);
        let site = (self.state.frames().len(), procedure);
        self.unmodelled.follow(&self.state)?;
        let (made, span, memory) = (&mut self.made, self.span, self.memory);
        let mut listener = Listener { choices, span, made, modelled: Modelled::All, memory };
        let outcome = self.interpreter.step(&mut self.state, &mut listener);
        if listener.modelled == Modelled::NotAll && self.unmodelled.is_begun() {
            self.unmodelled.chosen(site, command)?;
        }
        Ok(outcome)
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
    made: &'a mut Vec<Chosen>,
    modelled: Modelled,
    /// Whether bytes that nothing was written to may be anything.
    memory: Modelled,
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
            Occasion::Havoc(HavocSource::Approximation(_)) | Occasion::LibraryText => {
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
