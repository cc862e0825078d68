//! Values of expressions on a walk, and when conditions hold there.

use super::walk::Walk;
use ir::expr::{BinaryOp, Expr, IntKind, UnaryOp};
use logic::{Constraint, Integer, LinearExpr};

/// Constraints all of which hold, in each of several ways.
pub(super) type Cases = Vec<Vec<Constraint>>;

/// Which truth value is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    True,
    False,
}

impl Wanted {
    fn flipped(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
        }
    }
}

impl Walk {
    /// When a condition has the truth value.
    pub(super) fn truth(&mut self, condition: &Expr, wanted: Wanted) -> Option<Cases> {
        match condition {
            Expr::Unary(UnaryOp::Not, inner) => self.truth(inner, wanted.flipped()),
            Expr::Binary(op, left, right) if op.is_comparison() => {
                if let Some(cases) = self.compared_product(*op, (left, right), wanted) {
                    return Some(cases);
                }
                let difference = self.linear(left)?.sub(&self.linear(right)?);
                Some(compared(*op, &difference, wanted))
            }
            _ => {
                let number = self.linear(condition)?;
                Some(compared(BinaryOp::NotEqual, &number, wanted))
            }
        }
    }

    /// When a product compares with a number as wanted, in some ways in which the factors have
    /// signs and the one is at least 1 and the other large enough.
    fn compared_product(
        &mut self,
        op: BinaryOp,
        (left, right): (&Expr, &Expr),
        wanted: Wanted,
    ) -> Option<Cases> {
        let (product, number, op) = match (left, right) {
            (Expr::Binary(BinaryOp::Multiply, ..), _) => (left, right, op),
            (_, Expr::Binary(BinaryOp::Multiply, ..)) => (right, left, op.mirrored()?),
            _ => return None,
        };
        let Expr::Binary(_, first, second) = product else { return None };
        let factors = [self.linear(first)?, self.linear(second)?];
        if factors.iter().any(|it| it.as_constant().is_some()) {
            return None;
        }
        let number = self.linear(number)?.as_constant()?.to_i128()?;
        let op = if wanted == Wanted::True { op } else { op.negated()? };
        let above = |number: i128| large_product(&factors, number);
        let below = |number: i128| {
            large_product(&[factors[0].neg(), factors[1].clone()], number.checked_neg()?)
        };
        match op {
            BinaryOp::Greater => above(number.checked_add(1)?),
            BinaryOp::GreaterEqual => above(number),
            BinaryOp::Less => below(number.checked_sub(1)?),
            BinaryOp::LessEqual => below(number),
            BinaryOp::NotEqual => {
                Some([above(number.checked_add(1)?)?, below(number.checked_sub(1)?)?].concat())
            }
            _ => None,
        }
    }

    /// The value of an expression. Where it is reduced to a type's range, it is in this
    /// range from here on.
    pub(super) fn linear(&mut self, expr: &Expr) -> Option<LinearExpr> {
        Some(match expr {
            Expr::Constant(number) => LinearExpr::constant(*number),
            Expr::Variable(variable) => self.value(*variable)?.clone(),
            Expr::Procedure(_) => return None,
            Expr::Unary(UnaryOp::Negate, inner) => self.linear(inner)?.neg(),
            Expr::Unary(UnaryOp::BitNot, inner) => self.linear(inner)?.neg().add_constant(-1_i64),
            Expr::Unary(UnaryOp::Not, inner) => {
                let number = self.linear(inner)?;
                LinearExpr::constant(i128::from(number.as_constant()?.is_zero()))
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.linear(left)?, self.linear(right)?);
                binary(*op, &left, &right)?
            }
            Expr::Wrap(kind, inner) => {
                let inner = self.linear(inner)?;
                for bound in in_range(*kind, &inner) {
                    self.constrain(bound);
                }
                inner
            }
        })
    }
}

/// That a number is in the range of a type.
pub(super) fn in_range(kind: IntKind, number: &LinearExpr) -> Vec<Constraint> {
    if kind.modulus().is_none() {
        return Vec::new();
    }
    vec![
        Constraint::ge(number.clone(), Integer::from(kind.min())),
        Constraint::le(number.clone(), Integer::from(kind.max())),
    ]
}

/// When the difference of two numbers compares with zero as wanted.
fn compared(op: BinaryOp, difference: &LinearExpr, wanted: Wanted) -> Cases {
    let zero = || LinearExpr::zero();
    let below = || Constraint::lt(difference.clone(), zero());
    let above = || Constraint::gt(difference.clone(), zero());
    let is_true = wanted == Wanted::True;
    let cases = match op {
        BinaryOp::Equal | BinaryOp::NotEqual => {
            if (op == BinaryOp::Equal) == is_true {
                vec![vec![Constraint::eq(difference.clone(), zero())]]
            } else {
                vec![vec![above()], vec![below()]]
            }
        }
        BinaryOp::Less if is_true => vec![vec![below()]],
        BinaryOp::Less => vec![vec![Constraint::ge(difference.clone(), zero())]],
        BinaryOp::LessEqual if is_true => vec![vec![Constraint::le(difference.clone(), zero())]],
        BinaryOp::LessEqual => vec![vec![above()]],
        BinaryOp::Greater if is_true => vec![vec![above()]],
        BinaryOp::Greater => vec![vec![Constraint::le(difference.clone(), zero())]],
        _ if is_true => vec![vec![Constraint::ge(difference.clone(), zero())]],
        _ => vec![vec![below()]],
    };
    cases.into_iter().filter(|case| !case.iter().any(Constraint::is_contradiction)).collect()
}

/// Ways in which a product is at least some number.
fn large_product([a, b]: &[LinearExpr; 2], number: i128) -> Option<Cases> {
    let bounds: Vec<[i128; 2]> = if number <= 0 {
        vec![[0, 0]]
    } else if a == b {
        let root = (number - 1).isqrt() + 1;
        vec![[root, root]]
    } else if number == 1 {
        vec![[1, 1]]
    } else {
        vec![[1, number], [number, 1]]
    };
    let mut cases = Vec::new();
    for [first, second] in bounds {
        let least = |it: &LinearExpr, bound: i128| Constraint::ge(it.clone(), Integer::from(bound));
        cases.push(vec![least(a, first), least(b, second)]);
        cases.push(vec![least(&a.neg(), first), least(&b.neg(), second)]);
    }
    Some(cases)
}

fn binary(op: BinaryOp, left: &LinearExpr, right: &LinearExpr) -> Option<LinearExpr> {
    match (op, left.as_constant(), right.as_constant()) {
        (BinaryOp::Add, ..) => Some(left.add(right)),
        (BinaryOp::Subtract, ..) => Some(left.sub(right)),
        (BinaryOp::Multiply, Some(factor), _) => Some(right.scale(factor)),
        (BinaryOp::Multiply, _, Some(factor)) => Some(left.scale(factor)),
        (op, Some(left), Some(right)) => {
            let numbers = (left.to_i128()?, right.to_i128()?);
            ir::semantics::binary(op, numbers.0, numbers.1).ok().map(LinearExpr::constant)
        }
        _ => None,
    }
}
