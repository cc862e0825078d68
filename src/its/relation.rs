//! Relations between values before and after a step as commands that choose as
//! little as possible.
//!
//! `x' = e` is an assignment as soon as all of `e` is known; what no equality
//! determines is chosen, and every other condition assumed as soon as all that it
//! mentions is known. `x' <= e` and `e <= x'` are one equality.

use super::lowering::{Builder, Formula};
use base::source::Span;
use ir::{BinaryOp, BlockId, Expr, UnaryOp, Variable};
use std::collections::{BTreeMap, BTreeSet};

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
    open.join_bounds();
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

    /// Makes an equality of two inequalities that together say no less.
    fn join_bounds(&mut self) {
        let mut upper: BTreeMap<Bound, usize> = BTreeMap::new();
        let mut joined: Vec<Formula> = Vec::with_capacity(self.conditions.len());
        for condition in self.conditions.drain(..) {
            if let Some(bound) = Bound::of(&condition) {
                if let Some(first) = bound.opposite().and_then(|it| upper.remove(&it)) {
                    joined[first] = as_equality(&joined[first]);
                    continue;
                }
                upper.entry(bound).or_insert(joined.len());
            }
            joined.push(condition);
        }
        self.conditions = joined;
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

/// `left = right` for `left <= right`, `left + 1 = right` for `left < right`.
fn as_equality(condition: &Formula) -> Formula {
    let Formula::Compare(operator, left, right) = condition else { return condition.clone() };
    let next = |expr: &Expr| Expr::binary(BinaryOp::Add, expr.clone(), Expr::Constant(1));
    let (left, right) = match operator {
        BinaryOp::Less => (next(left), right.clone()),
        BinaryOp::Greater => (left.clone(), next(right)),
        _ => (left.clone(), right.clone()),
    };
    Formula::Compare(BinaryOp::Equal, left, right)
}

/// A sum of multiples of variables, and a number, that is at most zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Bound {
    terms: BTreeMap<Variable, i128>,
    constant: i128,
}

impl Bound {
    /// What an inequality says, if it is linear and its numbers are small enough.
    fn of(condition: &Formula) -> Option<Self> {
        let Formula::Compare(operator, left, right) = condition else { return None };
        let (sign, constant) = match operator {
            BinaryOp::LessEqual => (1, 0),
            BinaryOp::Less => (1, 1),
            BinaryOp::GreaterEqual => (-1, 0),
            BinaryOp::Greater => (-1, 1),
            _ => return None,
        };
        let mut bound = Self { constant, ..Self::default() };
        bound.add(left, sign)?;
        bound.add(right, -sign)?;
        bound.terms.retain(|_, factor| *factor != 0);
        Some(bound)
    }

    fn add(&mut self, expr: &Expr, factor: i128) -> Option<()> {
        match expr {
            Expr::Constant(number) => {
                self.constant = self.constant.checked_add(number.checked_mul(factor)?)?;
            }
            Expr::Variable(variable) => {
                let old = self.terms.entry(*variable).or_default();
                *old = old.checked_add(factor)?;
            }
            Expr::Unary(UnaryOp::Negate, inner) => self.add(inner, factor.checked_neg()?)?,
            Expr::Binary(BinaryOp::Add, left, right) => {
                self.add(left, factor)?;
                self.add(right, factor)?;
            }
            Expr::Binary(BinaryOp::Subtract, left, right) => {
                self.add(left, factor)?;
                self.add(right, factor.checked_neg()?)?;
            }
            Expr::Binary(BinaryOp::Multiply, left, right) => match (&**left, &**right) {
                (Expr::Constant(number), other) | (other, Expr::Constant(number)) => {
                    self.add(other, factor.checked_mul(*number)?)?;
                }
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }

    /// That the sum is at least zero.
    fn opposite(&self) -> Option<Self> {
        let terms =
            self.terms.iter().map(|(variable, factor)| Some((*variable, factor.checked_neg()?)));
        Some(Self { terms: terms.collect::<Option<_>>()?, constant: self.constant.checked_neg()? })
    }
}

fn occurrences(expr: &Expr, variables: &BTreeSet<Variable>) -> usize {
    let mut count = 0;
    expr.variables().for_each(|variable| count += usize::from(variables.contains(&variable)));
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
