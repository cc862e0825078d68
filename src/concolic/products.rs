//! Comparisons of products with numbers: that both factors keep their signs and are as large
//! as they need to be is enough for a product to stay on one side of a number.

use super::eval::{Evaluator, Stop, fixed};
use super::shadow::Shaded;
use concrete::value::Value;
use ir::expr::{BinaryOp, Expr};
use logic::{Constraint, Integer, LinearExpr};

/// What is known of a product.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    AtLeast(i128),
    AtMost(i128),
}

/// Whether a product is a square.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Factors {
    Equal,
    Different,
}

impl Factors {
    fn of(first: &LinearExpr, second: &LinearExpr) -> Self {
        if first == second { Self::Equal } else { Self::Different }
    }
}

impl Evaluator<'_> {
    /// ```text
    /// s a >= m   s b >= n   m n >= k   m, n >= 0   s = 1 or -1
    /// --------------------------------------------------------
    ///                      a b >= k
    /// ```
    ///
    /// Nothing for other expressions, and where the rule does not fit. A run that is
    /// shadowed from its start pins a factor instead: to turn over what it decided, one
    /// wants to know all that would change it.
    pub(super) fn compared_product(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
    ) -> Result<Option<Shaded>, Stop> {
        let (factors, number, op) = match (left, right) {
            (Expr::Binary(BinaryOp::Multiply, a, b), number) => ([a, b], number, Some(op)),
            (number, Expr::Binary(BinaryOp::Multiply, a, b)) => ([a, b], number, op.mirrored()),
            _ => return Ok(None),
        };
        let Some(op) = op.filter(|_| self.shadow.is_of_middle()) else { return Ok(None) };
        let [a, b] = [self.eval(factors[0])?, self.eval(factors[1])?];
        let number = self.eval(number)?;
        let (Some(x), Some(y), None) = (&a.form, &b.form, &number.form) else { return Ok(None) };
        let (Value::Int(p), Value::Int(q), Value::Int(k)) = (a.value, b.value, number.value) else {
            return Ok(None);
        };
        let Some(side) = p.checked_mul(q).and_then(|product| side_of(op, product, k)) else {
            return Ok(None);
        };
        let (x, p, least) = match side {
            Side::AtLeast(least) => (x.clone(), p, Some(least)),
            Side::AtMost(most) => (x.neg(), p.saturating_neg(), most.checked_neg()),
        };
        let Some([m, n]) = least.and_then(|least| bounds([p, q], least, Factors::of(&x, y))) else {
            return Ok(None);
        };
        let signed = |it: &LinearExpr| if p < 0 { it.neg() } else { it.clone() };
        self.decide(Constraint::ge(signed(&x), Integer::from(m)));
        self.decide(Constraint::ge(signed(y), Integer::from(n)));
        let product = self.arithmetic().binary(BinaryOp::Multiply, a.value, b.value);
        let product = product.map_err(|_| Stop::Fails)?;
        let truth = self.arithmetic().binary(op, product, number.value);
        Ok(Some(fixed(truth.map_err(|_| Stop::Fails)?)))
    }
}

/// What the result of the comparison says of the product.
fn side_of(op: BinaryOp, product: i128, number: i128) -> Option<Side> {
    let above = || number.checked_add(1).map(Side::AtLeast);
    let below = || number.checked_sub(1).map(Side::AtMost);
    match op {
        BinaryOp::Equal | BinaryOp::NotEqual => match product.cmp(&number) {
            std::cmp::Ordering::Less => below(),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => above(),
        },
        BinaryOp::Greater | BinaryOp::LessEqual if product > number => above(),
        BinaryOp::Greater | BinaryOp::LessEqual => Some(Side::AtMost(number)),
        BinaryOp::GreaterEqual | BinaryOp::Less if product >= number => Some(Side::AtLeast(number)),
        BinaryOp::GreaterEqual | BinaryOp::Less => below(),
        _ => None,
    }
}

/// Bounds of the factors' sizes, for factors of one sign. Their product is at least the
/// number, and the factors are as large as that.
fn bounds([p, q]: [i128; 2], least: i128, factors: Factors) -> Option<[i128; 2]> {
    if p == 0 || q == 0 || (p < 0) != (q < 0) {
        return None;
    }
    let (p, q) = (p.checked_abs()?, q.checked_abs()?);
    if least <= 0 {
        return Some([0, 0]);
    }
    if factors == Factors::Equal {
        let root = (least - 1).isqrt() + 1;
        return Some([root, root]);
    }
    if q >= least {
        return Some([1, least]);
    }
    if p >= least {
        return Some([least, 1]);
    }
    Some([p, (least - 1) / p + 1])
}
