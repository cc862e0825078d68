//! Which pointers are compared with null, and which with something else.

use crate::{
    Block, Command, Expr, Instruction, Program, ScalarType, Terminator, UnaryOp, Variable,
};
use std::collections::BTreeSet;

/// Whether what is written may tell that a run has been there: a number other than 0.
fn is_mark(ty: ScalarType, value: &Expr) -> bool {
    matches!(ty, ScalarType::Int(_)) && *value != Expr::Constant(0)
}

/// The variables that branches compare.
#[derive(Default)]
pub(super) struct Compared {
    /// With null.
    pub(super) with_null: BTreeSet<Variable>,
    /// With something else, or with what was there when a run came there before: where these
    /// point, marks are left.
    pub(super) with_others: BTreeSet<Variable>,
}

impl Compared {
    pub(super) fn of(program: &Program) -> Self {
        let mut found = Self::default();
        program.blocks().for_each(|block| found.block(block));
        found
    }

    /// Those of one block.
    pub(super) fn of_block(block: &Block) -> Self {
        let mut found = Self::default();
        found.block(block);
        found
    }

    fn block(&mut self, block: &Block) {
        match &block.terminator {
            Terminator::Branch { condition, .. } => self.condition(condition),
            other => self.others(other.expression()),
        }
        for Instruction { command, .. } in &block.commands {
            match command {
                Command::Assume { condition } => self.condition(condition),
                Command::Store { address, value, ty } if is_mark(*ty, value) => {
                    self.with_others.extend(address.variables());
                }
                other => other.expressions().for_each(|it| self.others(Some(it))),
            }
        }
    }

    fn condition(&mut self, condition: &Expr) {
        if let Expr::Variable(variable) = condition {
            self.with_null.insert(*variable);
        }
        self.with_null.extend(negated(condition));
        self.others(Some(condition));
        self.with_null.extend(condition.comparisons().filter_map(|it| match it {
            (_, Expr::Variable(variable), Expr::Constant(0))
            | (_, Expr::Constant(0), Expr::Variable(variable)) => Some(*variable),
            _ => None,
        }));
    }

    fn others(&mut self, expr: Option<&Expr>) {
        for (_, left, right) in expr.into_iter().flat_map(Expr::comparisons) {
            let is_null = |it: &Expr| *it == Expr::Constant(0);
            if !is_null(left) && !is_null(right) {
                self.with_others.extend(left.variables().chain(right.variables()));
            }
        }
    }
}

/// The variable in `!x`.
fn negated(condition: &Expr) -> Option<Variable> {
    match condition {
        Expr::Unary(UnaryOp::Not, operand) => match &**operand {
            Expr::Variable(variable) => Some(*variable),
            _ => None,
        },
        _ => None,
    }
}
