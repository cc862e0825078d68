//! Relations between values before and after a step as commands that choose as
//! little as possible.
//!
//! `x' = e` is an assignment as soon as all of `e` is known; what no equality
//! determines is chosen, and every other condition assumed as soon as all that it
//! mentions is known.

use super::lowering::{Builder, Formula};
use crate::base::source::Span;
use crate::ir::{BinaryOp, BlockId, Expr, UnaryOp, Variable};
use std::collections::BTreeSet;

/// Variables without values, and what has to hold of them.
struct Open {
    unknown: Vec<Variable>,
    conditions: Vec<Formula>,
}

/// Gives values to the unknown variables such that the formula holds, in every
/// possible way; returns where runs go on in which it does. Where several may be
/// chosen, the first ones of the list are.
pub(super) fn satisfy(
    builder: &mut Builder,
    mut at: BlockId,
    (unknown, formula): (Vec<Variable>, Formula),
    span: Span,
) -> BlockId {
    let mut open = Open { unknown, conditions: Vec::new() };
    open.add(formula);
    loop {
        for known in open.take_known() {
            at = builder.require(at, &known, span);
        }
        if let Some((variable, value)) = open.take_definition() {
            builder.assign(at, variable, value, span);
        } else if open.unknown.is_empty() {
            return at;
        } else {
            builder.choose(at, open.unknown.remove(0), span);
        }
    }
}

impl Open {
    fn add(&mut self, formula: Formula) {
        match formula {
            Formula::And(parts) => parts.into_iter().for_each(|part| self.add(part)),
            Formula::Compare(..) | Formula::Or(_) => self.conditions.push(formula),
        }
    }

    /// The conditions that mention no unknown variable.
    fn take_known(&mut self) -> Vec<Formula> {
        let unknown: BTreeSet<Variable> = self.unknown.iter().copied().collect();
        let is_known = |formula: &Formula| !formula.mentions(&unknown);
        let (known, others) = self.conditions.drain(..).partition(is_known);
        self.conditions = others;
        known
    }

    /// A variable that an equality determines, with its value.
    fn take_definition(&mut self) -> Option<(Variable, Expr)> {
        let unknown: BTreeSet<Variable> = self.unknown.iter().copied().collect();
        let found = |condition: &Formula| match condition {
            Formula::Compare(BinaryOp::Equal, left, right) => {
                isolated(left, right, &unknown).or_else(|| isolated(right, left, &unknown))
            }
            Formula::Compare(..) | Formula::And(_) | Formula::Or(_) => None,
        };
        let mut conditions = self.conditions.iter().enumerate();
        let (position, (variable, value)) =
            conditions.find_map(|(position, condition)| Some((position, found(condition)?)))?;
        self.conditions.remove(position);
        self.unknown.retain(|other| *other != variable);
        Some((variable, value))
    }
}

impl Formula {
    fn mentions(&self, variables: &BTreeSet<Variable>) -> bool {
        match self {
            Self::Compare(_, left, right) => {
                occurrences(left, variables) + occurrences(right, variables) > 0
            }
            Self::And(parts) | Self::Or(parts) => parts.iter().any(|it| it.mentions(variables)),
        }
    }
}

fn occurrences(expr: &Expr, variables: &BTreeSet<Variable>) -> usize {
    let mut count = 0;
    expr.for_each_variable(&mut |variable| count += usize::from(variables.contains(&variable)));
    count
}

/// The one unknown variable of `left = right` with its value, if it stands on the
/// left under sums, differences and negations only.
fn isolated(left: &Expr, right: &Expr, unknown: &BTreeSet<Variable>) -> Option<(Variable, Expr)> {
    if occurrences(left, unknown) != 1 || occurrences(right, unknown) != 0 {
        return None;
    }
    let (mut left, mut right) = (left, right.clone());
    loop {
        match left {
            Expr::Variable(variable) => return Some((*variable, right)),
            Expr::Unary(UnaryOp::Negate, inner) => {
                right = Expr::unary(UnaryOp::Negate, right);
                left = inner;
            }
            Expr::Binary(BinaryOp::Add, first, second) => {
                let (with, without) = ordered(first, second, unknown);
                right = Expr::binary(BinaryOp::Subtract, right, without.clone());
                left = with;
            }
            Expr::Binary(BinaryOp::Subtract, first, second) => {
                if occurrences(first, unknown) == 1 {
                    right = Expr::binary(BinaryOp::Add, right, (**second).clone());
                    left = first;
                } else {
                    right = Expr::binary(BinaryOp::Subtract, (**first).clone(), right);
                    left = second;
                }
            }
            _ => return None,
        }
    }
}

/// The operand with the unknown variable first.
fn ordered<'a>(
    first: &'a Expr,
    second: &'a Expr,
    unknown: &BTreeSet<Variable>,
) -> (&'a Expr, &'a Expr) {
    if occurrences(first, unknown) == 1 { (first, second) } else { (second, first) }
}
