//! Programs with more runs and less code: what a question does not depend on is left out.
//!
//! Weiser's slices (*Program slicing*, ICSE 1981) keep what a criterion depends on. Here it is
//! the other way round: whatever variables are *ignored*, the result has all runs of the
//! program, up to the values of these. So [`relevance`] may choose them as it likes: a poor
//! choice costs a proof, never its truth.
//!
//! ```text
//!   y is ignored   e has a value in every state
//!   ─────────────────────────────────────────── BLUR
//!   y := e  ⟶  y := *
//!
//!   y is ignored   no command reads y
//!   ───────────────────────────────────────────────────────── CHOOSE
//!   if e(y) then b else c  ⟶  y := *; if y then b else c
//!
//!   y is ignored   y is read behind CHOOSE only
//!   ─────────────────────────────────────────── DROP
//!   y := *  ⟶  (nothing)
//!
//!   e has a value in every state   b and c lead to d without a command
//!   ─────────────────────────────────────────────────────────────────── MEET
//!   if e then b else c  ⟶  goto d
//! ```
//!
//! Procedures, variables, blocks and the positions of calls stay what they were. Memory, and
//! all that may go wrong there, is not touched. Where memory is lost may change.

pub mod addresses;
pub mod bounds;
mod callees;
mod cells;
mod chains;
mod control;
mod definitions;
pub mod numbers;
pub mod parts;
mod motion;
mod origins;
mod pointees;
mod private;
pub mod relevance;
mod sum;
pub(crate) mod tables;

use super::cutpoint::CallGraph;
use super::{
    Block, BlockId, Callee, Command, Expr, HavocSource, Instruction, ProcedureId, Program,
    ScalarType, Terminator, Variable,
};
use base::graph::reverse_postorder;

/// Why the value of an ignored variable is arbitrary.
const IGNORED: &str = "a value that does not matter";

/// The program in which these variables, by index, have any values. All its runs from the entry
/// are runs of the result, up to these values and to what is done without a command.
#[must_use]
pub fn without(program: &Program, ignored: &[bool]) -> Program {
    let Readers { dropped, unused, .. } = Readers::of(program, ignored);
    let slicer = Slicer { program, ignored, dropped, unused };
    let mut sliced = program.clone();
    for (index, procedure) in sliced.procedures.iter_mut().enumerate() {
        let id = ProcedureId::at(index);
        procedure.blocks.iter_mut().for_each(|block| slicer.block(id, block));
        meet(program, &mut procedure.blocks);
    }
    sliced
}

/// Whether the expression has a value in every state, whatever that is: no address is involved
/// either.
#[must_use]
pub fn is_total(program: &Program, expr: &Expr) -> bool {
    let is_number = |it: &Expr| match it {
        Expr::Procedure(_) => false,
        Expr::Variable(variable) => matches!(program.variable(*variable).ty, ScalarType::Int(_)),
        Expr::Constant(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Wrap(..) => true,
    };
    expr.is_total() && expr.parts().all(is_number)
}

/// Whether a command only gives a value to an ignored variable, and can always do so.
fn is_blurred(program: &Program, ignored: &[bool], command: &Command) -> bool {
    match command {
        Command::Assign { target, value } => ignored[target.index()] && is_total(program, value),
        Command::Havoc { target, .. } => ignored[target.index()],
        _ => false,
    }
}

/// The parameters of a call whose body is known, with the arguments.
fn bound<'a>(
    program: &'a Program,
    procedure: ProcedureId,
    arguments: &'a [Expr],
) -> impl Iterator<Item = (Variable, &'a Expr)> {
    program.procedure(procedure).parameters.iter().copied().zip(arguments)
}

/// Finds the ignored variables that nothing reads but what DROP and CHOOSE allow.
struct Readers<'a> {
    program: &'a Program,
    ignored: &'a [bool],
    /// By variable.
    dropped: Vec<bool>,
    /// By procedure: whether nobody reads the result.
    unused: Vec<bool>,
    /// Whether that has changed.
    changed: bool,
}

impl<'a> Readers<'a> {
    fn of(program: &'a Program, ignored: &'a [bool]) -> Self {
        let mut unused = vec![true; program.procedures.len()];
        for id in CallGraph::of_program(program).called_through_pointers() {
            unused[id.index()] = false;
        }
        let dropped = ignored.to_vec();
        let mut readers = Self { program, ignored, dropped, unused, changed: true };
        while std::mem::take(&mut readers.changed) {
            for (index, procedure) in program.procedures.iter().enumerate() {
                let id = ProcedureId::at(index);
                procedure.blocks.iter().for_each(|block| readers.block(id, block));
            }
        }
        readers
    }

    fn block(&mut self, procedure: ProcedureId, block: &Block) {
        for instruction in &block.commands {
            match &instruction.command {
                command if is_blurred(self.program, self.ignored, command) => {}
                Command::Call { target, callee: Callee::Direct(callee), arguments } => {
                    if target.is_some_and(|it| !self.dropped[it.index()]) {
                        for id in self.program.entered(*callee) {
                            self.changed |= std::mem::take(&mut self.unused[id.index()]);
                        }
                    }
                    for (parameter, argument) in bound(self.program, *callee, arguments) {
                        let is_dropped =
                            self.dropped[parameter.index()] && is_total(self.program, argument);
                        if !is_dropped {
                            self.read(argument);
                        }
                    }
                }
                command => command.expressions().for_each(|expr| self.read(expr)),
            }
        }
        match &block.terminator {
            Terminator::Branch { condition, .. }
                if chosen(self.program, &self.dropped, condition).is_some() => {}
            Terminator::Return(Some(value))
                if self.unused[procedure.index()] && is_total(self.program, value) => {}
            terminator => terminator.expression().into_iter().for_each(|it| self.read(it)),
        }
    }

    fn read(&mut self, expr: &Expr) {
        let (dropped, changed) = (&mut self.dropped, &mut self.changed);
        expr.variables().for_each(|variable| {
            *changed |= std::mem::take(&mut dropped[variable.index()]);
        });
    }
}

/// The variable that may stand for a condition by CHOOSE.
fn chosen(program: &Program, dropped: &[bool], condition: &Expr) -> Option<Variable> {
    let mut first = None;
    condition.variables().for_each(|variable| {
        let is_number = matches!(program.variable(variable).ty, ScalarType::Int(_));
        if first.is_none() && is_number && dropped[variable.index()] {
            first = Some(variable);
        }
    });
    first.filter(|_| is_total(program, condition))
}

struct Slicer<'a> {
    program: &'a Program,
    ignored: &'a [bool],
    dropped: Vec<bool>,
    unused: Vec<bool>,
}

impl Slicer<'_> {
    fn block(&self, procedure: ProcedureId, block: &mut Block) {
        let is_call = |it: &Instruction| matches!(it.command, Command::Call { .. });
        let n_fixed = block.commands.iter().rposition(is_call).map_or(0, |last| last + 1);
        let mut position = 0;
        block.commands.retain_mut(|instruction| {
            position += 1;
            // Calls stay where they are.
            self.command(&mut instruction.command) || position <= n_fixed
        });
        match &mut block.terminator {
            Terminator::Branch { condition, .. } => {
                if let Some(target) = chosen(self.program, &self.dropped, condition) {
                    *condition = target.into();
                    block
                        .commands
                        .push(Instruction { command: any(target, IGNORED), span: block.span });
                }
            }
            Terminator::Return(Some(value))
                if self.unused[procedure.index()] && is_total(self.program, value) =>
            {
                *value = Expr::Constant(0);
            }
            _ => {}
        }
    }

    /// Changes a command; whether it does anything.
    fn command(&self, command: &mut Command) -> bool {
        if is_blurred(self.program, self.ignored, command) {
            let Some(target) = command.target() else { return true };
            if self.dropped[target.index()] {
                *command = Command::Assume { condition: Expr::Constant(1) };
                return false;
            }
            *command = any(target, IGNORED);
            return true;
        }
        if let Command::Call { callee: Callee::Direct(callee), arguments, .. } = command {
            let parameters = &self.program.procedure(*callee).parameters;
            for (parameter, argument) in parameters.iter().zip(arguments) {
                if self.dropped[parameter.index()] && is_total(self.program, argument) {
                    *argument = Expr::Constant(0);
                }
            }
        }
        true
    }
}

/// Any value, for this reason.
fn any(target: Variable, why: &str) -> Command {
    Command::Havoc { target, source: HavocSource::Approximation(why.to_owned()) }
}

/// Leads all jumps past blocks without commands, and takes branches away that meet again
/// before anything happens.
fn meet(program: &Program, blocks: &mut [Block]) {
    if blocks.is_empty() {
        return;
    }
    let successors: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| block.terminator.successors().into_iter().map(BlockId::index).collect())
        .collect();
    // Blocks that come later are done first, so that what is behind a branch is known.
    let mut order = reverse_postorder(&successors, 0);
    order.reverse();
    for index in order {
        let mut terminator = blocks[index].terminator.clone();
        terminator.for_each_successor_mut(&mut |to| *to = behind(blocks, *to));
        let first = terminator.successors().first().copied();
        let is_one = terminator.successors().iter().all(|to| Some(*to) == first);
        if let (Some(to), true) = (first, is_one)
            && terminator.expression().is_none_or(|it| is_total(program, it))
        {
            terminator = Terminator::Goto(to);
            forget_choice(&mut blocks[index]);
        }
        blocks[index].terminator = terminator;
    }
    let successors: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| block.terminator.successors().into_iter().map(BlockId::index).collect())
        .collect();
    let mut is_reached = vec![false; blocks.len()];
    reverse_postorder(&successors, 0).into_iter().for_each(|index| is_reached[index] = true);
    for (block, _) in blocks.iter_mut().zip(is_reached).filter(|(_, is_reached)| !is_reached) {
        block.commands.clear();
        block.terminator = Terminator::Halt;
    }
}

/// Drops the choice that only a branch read which is gone.
fn forget_choice(block: &mut Block) {
    let Some(Instruction { command: Command::Havoc { target, source }, .. }) =
        block.commands.last()
    else {
        return;
    };
    let is_own = *source == HavocSource::Approximation(IGNORED.to_owned());
    let condition = block.terminator.expression();
    if is_own && condition == Some(&Expr::Variable(*target)) {
        block.commands.pop();
    }
}

/// The first block with a command, or with a choice, that a jump leads to.
fn behind(blocks: &[Block], from: BlockId) -> BlockId {
    let mut at = from;
    for _ in 0..blocks.len() {
        match (&blocks[at.index()].commands[..], &blocks[at.index()].terminator) {
            ([], Terminator::Goto(next)) => at = *next,
            _ => return at,
        }
    }
    // An endless loop without commands stays one.
    from
}

/// How large a program is: its blocks and commands.
#[must_use]
pub fn size(program: &Program) -> usize {
    let blocks = program.blocks();
    blocks.map(|block| 1 + block.commands.len()).sum()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
