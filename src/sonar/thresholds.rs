//! Bounds at which widening stops first: the numbers that a program tests its
//! variables against for equality, and the ranges that it reduces them to.
//!
//! `while (x != 100) x--;` has no inequality. Where `x` starts above 100, it is
//! only the bound `101 <= x` that excludes that it comes past 100.

use crate::heap::state::State;
use crate::ir::{BinaryOp, Command, Expr, IntKind, Program, Terminator, UnaryOp, Variable};
use crate::logic::{Constraint, Integer};
use std::collections::{BTreeMap, BTreeSet};

/// More numbers than this are not tried for a variable.
const MOST_NUMBERS: usize = 4;
/// How often numbers are handed on by assignments.
const MOST_COPIES: usize = 3;

/// For each variable the numbers that it is compared with, and the ranges.
#[derive(Clone, Debug, Default)]
pub(super) struct Thresholds {
    numbers: BTreeMap<Variable, BTreeSet<i128>>,
    ranges: BTreeMap<Variable, BTreeSet<(i128, i128)>>,
}

impl Thresholds {
    /// Those of a program.
    pub(super) fn of_program(program: &Program) -> Self {
        let mut thresholds = Self::default();
        let blocks = || program.procedures.iter().flat_map(|it| &it.blocks);
        let mut copies = Vec::new();
        for block in blocks() {
            for instruction in &block.commands {
                instruction.command.for_each_expression(&mut |expr| thresholds.add(expr));
                let command = &instruction.command;
                if let Command::Assign { target, value: Expr::Variable(source) } = command {
                    copies.push((*target, *source));
                } else if let Command::Assume { condition: Expr::Variable(variable) } = command {
                    thresholds.note(*variable, 0);
                }
            }
            if let Terminator::Branch { condition: Expr::Variable(variable), .. } =
                &block.terminator
            {
                thresholds.note(*variable, 0);
            }
            block.terminator.expression().into_iter().for_each(|expr| thresholds.add(expr));
        }
        for _ in 0..MOST_COPIES {
            for (target, source) in &copies {
                thresholds.share(*target, *source);
            }
        }
        thresholds
    }

    fn note(&mut self, variable: Variable, number: i128) {
        let numbers = self.numbers.entry(variable).or_default();
        if numbers.len() < MOST_NUMBERS {
            numbers.insert(number);
        }
    }

    fn share(&mut self, target: Variable, source: Variable) {
        for (from, to) in [(target, source), (source, target)] {
            for number in self.numbers.get(&from).cloned().unwrap_or_default() {
                self.note(to, number);
            }
        }
    }

    /// Notes the comparisons in an expression. The recursion is as deep as it is.
    fn add(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(_) | Expr::Variable(_) | Expr::Procedure(_) => {}
            Expr::Unary(op, operand) => {
                if let (UnaryOp::Not, Some((variable, shift))) = (op, shifted(operand)) {
                    self.note(variable, -shift);
                }
                self.add(operand);
            }
            Expr::Wrap(kind, operand) => {
                if let Some((variable, shift)) = shifted(operand)
                    && kind.bits <= 64
                {
                    let range = (IntKind::min(*kind) - shift, IntKind::max(*kind) - shift);
                    self.ranges.entry(variable).or_default().insert(range);
                }
                self.add(operand);
            }
            Expr::Binary(op, left, right) => {
                if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
                    for (side, other) in [(left, right), (right, left)] {
                        if let (Some((variable, shift)), Expr::Constant(number)) =
                            (shifted(side), other.as_ref())
                            && let Some(number) = number.checked_sub(shift)
                        {
                            self.note(variable, number);
                        }
                    }
                }
                self.add(left);
                self.add(right);
            }
        }
    }

    /// The bounds for the values of a state.
    pub(super) fn at(&self, state: &State) -> Vec<Constraint> {
        let mut bounds = Vec::new();
        for (variable, value) in state.stores.iter().flatten() {
            if value.as_constant().is_some() {
                continue;
            }
            for (low, high) in self.ranges.get(variable).into_iter().flatten() {
                bounds.push(Constraint::ge(value, Integer::from(*low)));
                bounds.push(Constraint::le(value, Integer::from(*high)));
            }
            let numbers = self.numbers.get(variable).into_iter().flatten();
            for number in numbers.copied().map(Integer::from) {
                bounds.push(Constraint::ge(value, number.clone()));
                bounds.push(Constraint::le(value, number.clone()));
                bounds.push(Constraint::gt(value, number.clone()));
                bounds.push(Constraint::lt(value, number));
            }
        }
        bounds
    }
}

/// A variable plus a small constant.
fn shifted(expr: &Expr) -> Option<(Variable, i128)> {
    match expr {
        Expr::Variable(variable) => Some((*variable, 0)),
        Expr::Wrap(_, operand) => shifted(operand),
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            match (left.as_ref(), right.as_ref(), op) {
                (Expr::Variable(variable), Expr::Constant(number), BinaryOp::Add)
                | (Expr::Constant(number), Expr::Variable(variable), BinaryOp::Add) => {
                    Some((*variable, *number))
                }
                (Expr::Variable(variable), Expr::Constant(number), BinaryOp::Subtract) => {
                    Some((*variable, number.checked_neg()?))
                }
                _ => None,
            }
        }
        _ => None,
    }
    .filter(|(_, shift)| shift.unsigned_abs() < 1 << 60)
}
