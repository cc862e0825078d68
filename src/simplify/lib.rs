//! Equal expressions that the analyses understand better.
//!
//! A goto program made from C is full of reductions to the range of a type, of
//! truth values that are compared with zero, and of products and quotients that
//! cancel. Each costs the shape analysis a case split or an unknown. Equality
//! saturation (Tate et al., POPL'09; egg: Willsey et al., POPL'21) adds to each
//! expression all that `rules` shows equal to it, within fixed limits, and
//! takes the one that leaves the fewest unknowns, then the fewest splits.
//!
//! Equal means: in every state of the program both have the same value, or both
//! are an error. Which of two errors comes first may change.

mod facts;
mod language;
mod rules;
mod saturation;
#[cfg(test)]
pub mod tests;
mod typing;

use ir::{BinaryOp, Block, Command, Expr, Program, Terminator, UnaryOp};
use saturation::best_equal;
use std::collections::BTreeMap;
use std::sync::Arc;
use typing::Typing;

/// Expressions with more operators are simplified in parts.
const MAX_OPERATORS: usize = 60;

/// The program with each expression replaced by one that is equal in every
/// state and, if possible, easier to analyse. Commands, blocks and spans stay.
#[must_use]
pub fn simplify(program: &Program) -> Program {
    let mut simplifier =
        Simplifier { typing: Arc::new(Typing::of_program(program)), done: BTreeMap::new() };
    let mut simplified = program.clone();
    let blocks = simplified.procedures.iter_mut().flat_map(|procedure| &mut procedure.blocks);
    blocks.for_each(|block| simplifier.block(block));
    simplified
}

struct Simplifier {
    typing: Arc<Typing>,
    /// What expressions became.
    done: BTreeMap<Expr, Expr>,
}

impl Simplifier {
    fn block(&mut self, block: &mut Block) {
        for instruction in &mut block.commands {
            match &mut instruction.command {
                Command::Assume { condition } => self.condition(condition),
                command => command.for_each_expression_mut(&mut |expr| self.value(expr)),
            }
        }
        match &mut block.terminator {
            Terminator::Branch { condition, .. } => self.condition(condition),
            Terminator::Switch { value, .. } | Terminator::Return(Some(value)) => self.value(value),
            Terminator::Goto(_) | Terminator::Return(None) | Terminator::Halt => {}
        }
    }

    fn value(&mut self, expr: &mut Expr) {
        if is_plain(expr, Place::Root) {
            return;
        }
        if let Some(known) = self.done.get(expr) {
            expr.clone_from(known);
            return;
        }
        let original = expr.clone();
        if operators(expr) > MAX_OPERATORS {
            self.operands(expr);
        } else if let Some(better) = best_equal(expr, &self.typing) {
            *expr = better;
        }
        self.done.insert(original, expr.clone());
    }

    fn operands(&mut self, expr: &mut Expr) {
        expr.operands_mut().for_each(|it| self.value(it));
    }

    /// Of a condition it matters only whether it is zero.
    fn condition(&mut self, condition: &mut Expr) {
        if is_plain(condition, Place::Root) {
            return;
        }
        let mut test = Expr::binary(BinaryOp::NotEqual, condition.clone(), 0.into());
        self.value(&mut test);
        *condition = match test {
            Expr::Binary(BinaryOp::NotEqual, value, zero) if *zero == Expr::Constant(0) => *value,
            other => other,
        };
    }
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Operand,
}

/// Whether the analyses understand `expr` as it is: sums and multiples of
/// variables, and one comparison of such.
fn is_plain(expr: &Expr, place: Place) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Variable(_) | Expr::Procedure(_) => true,
        Expr::Wrap(..) | Expr::Unary(UnaryOp::Not, _) => false,
        Expr::Unary(UnaryOp::Negate | UnaryOp::BitNot, operand) => {
            is_plain(operand, Place::Operand)
        }
        Expr::Binary(op, left, right) => {
            is_plain_operator(*op, left, right, place)
                && is_plain(left, Place::Operand)
                && is_plain(right, Place::Operand)
        }
    }
}

fn is_plain_operator(op: BinaryOp, left: &Expr, right: &Expr, place: Place) -> bool {
    let is_constant = |expr: &Expr| matches!(expr, Expr::Constant(_));
    match op {
        BinaryOp::Add | BinaryOp::Subtract => true,
        BinaryOp::Multiply => is_constant(left) || is_constant(right),
        BinaryOp::ShiftLeft => is_constant(right),
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => place == Place::Root,
        BinaryOp::Divide
        | BinaryOp::Remainder
        | BinaryOp::ShiftRight
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => false,
    }
}

fn operators(expr: &Expr) -> usize {
    expr.parts().filter(|it| it.operands().next().is_some()).count()
}
