//! Linear equalities in solved form: Gaussian elimination over the integers.

use super::Var;
use super::linear::LinearExpr;
use super::number::Integer;

/// Independent equalities `expr = 0`, each with a pivot variable that occurs in
/// no other row.
///
/// The pivot is the largest variable with coefficient 1 or -1, else the largest
/// variable. When all pivots have coefficient 1 or -1 the rows describe the
/// integer solutions exactly as a substitution.
#[derive(Clone, Debug)]
pub(crate) struct Equalities {
    rows: Vec<Row>,
    first_tag: Var,
}

/// One solved equality; the coefficient of `pivot` in `expr` is positive.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The variable that the row defines.
    pub(crate) pivot: Var,
    /// The expression that is 0.
    pub(crate) expr: LinearExpr,
}

/// What [`Equalities::add`] made of an equality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    /// It followed from the others.
    Redundant,
    /// It defines this variable.
    Defines(Var),
    /// No integers satisfy it together with the others; the expression is 0 for
    /// all solutions, but its coefficients have a divisor that its constant has not.
    Contradiction(LinearExpr),
}

impl Equalities {
    /// No equality.
    pub(crate) fn new() -> Self {
        Self::with_tags(Var(u32::MAX))
    }

    /// No equality; variables from `first_tag` on are labels that are carried
    /// along and never solved for, so that their coefficients tell how a row
    /// was combined.
    pub(crate) fn with_tags(first_tag: Var) -> Self {
        Self {
            rows: Vec::new(),
            first_tag,
        }
    }

    /// The solved rows.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Adds `expr = 0`.
    pub(crate) fn add(&mut self, expr: &LinearExpr) -> Added {
        let (reduced, _) = self.reduce(expr);
        let content = self.content(&reduced);
        if content.is_zero() {
            return if reduced.constant_part().is_zero() {
                Added::Redundant
            } else {
                Added::Contradiction(reduced)
            };
        }
        if !content.is_one() && !content.divides(reduced.constant_part()) {
            return Added::Contradiction(reduced);
        }
        let Some((pivot, expr)) = self.solve(&reduced) else {
            return Added::Redundant;
        };
        for row in &mut self.rows {
            if let Some(combined) = cancel(&row.expr, pivot, &expr) {
                row.expr = primitive(combined.0);
            }
        }
        self.rows.push(Row { pivot, expr });
        Added::Defines(pivot)
    }

    /// `scale * expr` plus a combination of the rows, without pivot variables;
    /// the scale is positive.
    pub(crate) fn reduce(&self, expr: &LinearExpr) -> (LinearExpr, Integer) {
        let mut reduced = expr.clone();
        let mut scale = Integer::ONE;
        for row in &self.rows {
            if let Some((combined, factor)) = cancel(&reduced, row.pivot, &row.expr) {
                reduced = combined;
                scale = scale * factor;
            }
        }
        (reduced, scale)
    }

    /// The common divisor of the coefficients of the variables that are not tags.
    fn content(&self, expr: &LinearExpr) -> Integer {
        let mut divisor = Integer::ZERO;
        for (variable, coefficient) in expr.terms() {
            if *variable < self.first_tag {
                divisor = divisor.gcd(coefficient);
            }
        }
        divisor
    }

    /// The row with its pivot, its coefficient made positive.
    fn solve(&self, expr: &LinearExpr) -> Option<(Var, LinearExpr)> {
        let expr = primitive(expr.clone());
        let terms = || {
            expr.terms()
                .iter()
                .rev()
                .filter(|(v, _)| *v < self.first_tag)
        };
        let unit = terms().find(|(_, c)| c.is_one() || *c == -1);
        let (pivot, coefficient) = unit.or_else(|| terms().next()).cloned()?;
        let expr = if coefficient.is_negative() {
            expr.neg()
        } else {
            expr
        };
        Some((pivot, expr))
    }
}

/// A combination of `target` and `row` (in which `pivot` has a positive
/// coefficient) without `pivot`, and the positive factor of `target` in it;
/// nothing when `pivot` does not occur.
pub(crate) fn cancel(
    target: &LinearExpr,
    pivot: Var,
    row: &LinearExpr,
) -> Option<(LinearExpr, Integer)> {
    let coefficient = target.coefficient_ref(pivot)?;
    let own = row.coefficient_ref(pivot)?;
    if own.is_one() {
        return Some((target.add_scaled(row, &-coefficient), Integer::ONE));
    }
    let divisor = own.gcd(coefficient);
    let scale = own.div_exact(&divisor);
    let factor = -coefficient.div_exact(&divisor);
    Some((target.scale(&scale).add_scaled(row, &factor), scale))
}

/// Divides by the common divisor of all coefficients and the constant.
fn primitive(expr: LinearExpr) -> LinearExpr {
    let divisor = expr.content().gcd(expr.constant_part());
    if divisor.is_one() || divisor.is_zero() {
        return expr;
    }
    LinearExpr::from_terms(
        expr.terms()
            .iter()
            .map(|(v, c)| (*v, c.div_exact(&divisor))),
        expr.constant_part().div_exact(&divisor),
    )
}
