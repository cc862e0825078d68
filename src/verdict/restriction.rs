//! Endless runs by abstract states: if some choices are fixed so that no run comes to an end,
//! every run with these choices is endless (Chen, Cook, Fuhs, Nimkar, O'Hearn: *Proving
//! nontermination via safety*, TACAS 2014; here of programs with heaps).
//!
//! That no run comes to an end is a question of safety. It is asked of the program in which
//!
//! 1. what is listed is chosen at the inputs listed, all else is arbitrary;
//! 2. an error stands where the program ends;
//! 3. an assumption that fails is an error, for a run ends there. One on the range of a value
//!    that is arbitrary remains: there is such a value.
//!
//! If nothing undefined and no error is in any run of that program, each of its runs goes on for
//! ever, and there is one, which is a run of the program as it was written. Rounds may differ in
//! all they do: lists that grow, and are walked through in each of them.

use super::check::{Defect, check};
use base::budget::Budget;
use base::source::Span;
use concolic::machine::Concolic;
use concolic::shadow::{Choice, ChoiceSource};
use concrete::Outcome;
use concrete::choices::{ChoiceList, reduced};
use concrete::state::Location;
use evidence::certificate::Certificate;
use heap::shape::ShapeLibrary;
use ir::{
    Block, BlockId, Command, Expr, HavocSource, Instruction, ProcedureId, Program, ScalarType,
    Terminator,
};
use obligation::{ErrorKind, Goal, Obligation};
use std::collections::BTreeMap;

/// What is chosen, and why no run that chooses it ends.
#[derive(Clone, Debug)]
pub struct Restriction {
    /// What the inputs at some places are.
    pub chosen: Chosen,
    /// The argument that the [`restricted`] program makes no error.
    pub argument: Certificate,
    /// The shapes that it speaks of.
    pub shapes: ShapeLibrary,
}

/// What is chosen at some inputs.
pub type Chosen = BTreeMap<Location, i128>;

/// What the restricted program must not do.
pub const NO_END: Goal = Goal::avoids_all(&[
    ErrorKind::InvalidAccess,
    ErrorKind::InvalidFree,
    ErrorKind::Arithmetic,
    ErrorKind::ErrorReached,
]);

/// The steps of the check: no more than a few times those of the search, which no clock ends here.
const CHECK_STEPS: u64 = 50_000;

/// Shows that no run of the program ends that makes the choices of a restriction.
///
/// # Errors
/// What is wrong with the argument.
pub(super) fn check_restriction(
    program: &Program,
    restriction: &Restriction,
) -> Result<(), Defect> {
    let restricted = restricted(program, &restriction.chosen);
    let never_ends = Obligation::new(&restricted, NO_END);
    let budget = &mut Budget::of_steps(CHECK_STEPS);
    check(&never_ends, &restriction.shapes, &restriction.argument, budget)
}

/// Whether a run with these inputs makes the choices of a restriction in its first steps.
pub(super) fn is_restricted(
    concolic: &Concolic<'_>,
    chosen: &Chosen,
    (inputs, n_steps): (Vec<i128>, u64),
) -> bool {
    let pointer_bytes = concolic.program().pointer_bytes;
    let (mut run, mut source) = (concolic.start(), ChoiceList::new(inputs));
    for _ in 0..n_steps {
        let n_choices = run.shadow.choices().len();
        let Some(here) = run.state.location() else { return false };
        if concolic.step(&mut run, &mut source) != Ok(Outcome::Running) {
            return false;
        }
        let is_chosen = |it: &Choice| match (&it.source, chosen.get(&here)) {
            (ChoiceSource::Input(_), Some(number)) => {
                it.value == reduced(*number, it.ty, pointer_bytes)
            }
            _ => true,
        };
        if !run.shadow.choices()[n_choices..].iter().all(is_chosen) {
            return false;
        }
    }
    true
}

/// The program with such choices, and with an error where it ends. What was listed of places
/// that are no inputs of integers changes nothing.
#[must_use]
pub fn restricted(program: &Program, chosen: &Chosen) -> Program {
    let mut restricted = program.clone();
    for (index, procedure) in restricted.procedures.iter_mut().enumerate() {
        let id = ProcedureId::at(index);
        let mut making = Making {
            program,
            chosen,
            procedure: id,
            added: Vec::new(),
            n_blocks: procedure.blocks.len(),
        };
        let blocks = std::mem::take(&mut procedure.blocks).into_iter().enumerate();
        let mut made: Vec<Block> =
            blocks.map(|(index, block)| making.block(BlockId::at(index), block)).collect();
        made.append(&mut making.added);
        procedure.blocks = made;
    }
    restricted
}

/// Makes the blocks of one procedure.
struct Making<'a> {
    program: &'a Program,
    chosen: &'a Chosen,
    procedure: ProcedureId,
    n_blocks: usize,
    /// Blocks behind those that there are.
    added: Vec<Block>,
}

impl Making<'_> {
    /// The block up to the first assumption that may fail; what comes behind it is added.
    fn block(&mut self, id: BlockId, block: Block) -> Block {
        let Block { commands, terminator, span } = block;
        let mut rest = Block { commands: Vec::new(), terminator, span };
        if self.is_end(&rest.terminator) {
            rest.commands.push(end_at(span));
        }
        for (position, Instruction { command, span }) in commands.iter().enumerate().rev() {
            let before =
                position.checked_sub(1).and_then(|it| Some((it, &commands.get(it)?.command)));
            match command {
                Command::Assume { condition } if !self.is_possible(id, before, command) => {
                    let end = Block {
                        commands: vec![end_at(*span)],
                        terminator: Terminator::Halt,
                        span: *span,
                    };
                    let (then, otherwise) = (self.add(reversed(rest)), self.add(end));
                    let condition = condition.clone();
                    let terminator = Terminator::Branch { condition, then, otherwise };
                    rest = Block { commands: Vec::new(), terminator, span: *span };
                }
                command => {
                    let chosen = self.chosen_at(id, position, command);
                    let command = chosen.unwrap_or_else(|| command.clone());
                    rest.commands.push(Instruction { command, span: *span });
                }
            }
        }
        Block { span, ..reversed(rest) }
    }

    fn add(&mut self, block: Block) -> BlockId {
        self.added.push(block);
        BlockId::at(self.n_blocks + self.added.len() - 1)
    }

    /// Whether the program ends here.
    fn is_end(&self, terminator: &Terminator) -> bool {
        match terminator {
            Terminator::Halt => true,
            Terminator::Return(_) => self.procedure == self.program.entry,
            Terminator::Goto(_) | Terminator::Branch { .. } | Terminator::Switch { .. } => false,
        }
    }

    /// The input with what is listed, if it is an integer.
    fn chosen_at(&self, block: BlockId, position: usize, command: &Command) -> Option<Command> {
        let Command::Havoc { target, source: HavocSource::Input(_) } = command else { return None };
        let ty = self.program.variable(*target).ty;
        let here = Location { procedure: self.procedure, block, command: position };
        let number = *self.chosen.get(&here).filter(|_| matches!(ty, ScalarType::Int(_)))?;
        let number = reduced(number, ty, self.program.pointer_bytes);
        Some(Command::Assign { target: *target, value: Expr::Constant(number) })
    }

    /// Whether an assumption holds of some value that was just made arbitrary.
    fn is_possible(
        &self,
        block: BlockId,
        before: Option<(usize, &Command)>,
        assumption: &Command,
    ) -> bool {
        let Some((position, command @ Command::Havoc { target, .. })) = before else {
            return false;
        };
        let is_arbitrary = self.chosen_at(block, position, command).is_none();
        let range = assumption.range_assumed();
        is_arbitrary && range.is_some_and(|(expr, _)| *expr == Expr::Variable(*target))
    }
}

/// An error that stands for the end of the program.
fn end_at(span: Span) -> Instruction {
    Instruction { command: Command::Error { what: "the end of the program".to_owned() }, span }
}

fn reversed(mut block: Block) -> Block {
    block.commands.reverse();
    block
}
