//! Loops that count to a constant, whatever comes in: `for (i = 0; i < 10; i++)`.
//!
//! ```text
//!   some test that leaves the loop compares v with a constant
//!   in the loop v changes by constants only    elsewhere it is set to constants
//!   ──────────────────────────────────────────────────────────────────────────── COUNTED
//!   the loop runs as often as the constants say
//! ```
//!
//! Nothing rests on it: it says which loops need not be able to run any number of times.

use super::cutpoint::CutSet;
use super::{BinaryOp, BlockId, Command, Expr, Procedure, Terminator, Variable};

/// Whether the loop with this head counts to a constant.
#[must_use]
pub fn is_counted(procedure: &Procedure, cuts: &CutSet, head: BlockId) -> bool {
    let inside = blocks_of(procedure, cuts, head);
    let tests = inside.iter().filter(|block| {
        let next = procedure.block(**block).terminator.successors();
        next.into_iter().any(|block| !inside.contains(&block))
    });
    let mut compared = tests.filter_map(|block| match &procedure.block(*block).terminator {
        Terminator::Branch { condition, .. } => compared_with_constant(condition),
        Terminator::Goto(_)
        | Terminator::Switch { .. }
        | Terminator::Return(_)
        | Terminator::Halt => None,
    });
    compared.any(|variable| moves_by_constants(procedure, &inside, variable))
}

/// The blocks of a loop.
fn blocks_of(procedure: &Procedure, cuts: &CutSet, head: BlockId) -> Vec<BlockId> {
    let path = cuts.nesting(head);
    let prefix = &path[..path.len().saturating_sub(1)];
    let blocks = (0..procedure.blocks.len()).map(BlockId::at);
    blocks.filter(|block| cuts.nesting(*block).starts_with(prefix)).collect()
}

/// The only variable of a condition.
fn compared_with_constant(condition: &Expr) -> Option<Variable> {
    let mut variables = Vec::new();
    condition.variables().for_each(|variable| variables.push(variable));
    variables.dedup();
    match (variables.as_slice(), condition) {
        ([variable], Expr::Binary(..) | Expr::Unary(..) | Expr::Wrap(..)) => Some(*variable),
        _ => None,
    }
}

/// Whether a variable is counted up or down in a loop, and set to constants elsewhere.
fn moves_by_constants(procedure: &Procedure, inside: &[BlockId], variable: Variable) -> bool {
    let mut moves = false;
    for (index, block) in procedure.blocks.iter().enumerate() {
        let is_inside = inside.contains(&BlockId::at(index));
        let commands = block.commands.iter().map(|instruction| &instruction.command);
        for command in commands.filter(|command| command.target() == Some(variable)) {
            let is_fine = match command {
                Command::Assign { value, .. } if is_inside => is_shift(value, variable),
                Command::Assign { value, .. } => matches!(value, Expr::Constant(_)),
                other => other.target() != Some(variable),
            };
            if !is_fine {
                return false;
            }
            moves |= is_inside;
        }
    }
    moves && !procedure.parameters.contains(&variable)
}

/// Whether a value is that of a variable and a constant.
fn is_shift(value: &Expr, variable: Variable) -> bool {
    match value {
        Expr::Wrap(_, value) => is_shift(value, variable),
        Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) => {
            **left == Expr::Variable(variable) && matches!(**right, Expr::Constant(_))
        }
        Expr::Constant(_)
        | Expr::Variable(_)
        | Expr::Procedure(_)
        | Expr::Unary(..)
        | Expr::Binary(..) => false,
    }
}
