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
pub struct Equalities {
    rows: Vec<Row>,
    first_tag: Var,
}

/// One solved equality.
#[derive(Clone, Debug)]
struct Row {
    /// The variable that the row defines.
    pivot: Var,
    /// The expression that is 0.
    expr: LinearExpr,
}

/// What [`Equalities::add`] made of an equality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Added {
    /// It followed from the others.
    Redundant,
    /// It is one more row.
    New,
    /// No integers satisfy it together with the others; the expression is 0 for
    /// all solutions, but its coefficients have a divisor that its constant has not.
    Contradiction(LinearExpr),
}

impl Default for Equalities {
    /// No equality.
    fn default() -> Self {
        Self::with_tags(Var(u32::MAX))
    }
}

impl Equalities {
    /// No equality; variables from `first_tag` on are labels that are carried
    /// along and never solved for, so that their coefficients tell how a row
    /// was combined.
    pub fn with_tags(first_tag: Var) -> Self {
        Self { rows: Vec::new(), first_tag }
    }

    /// Equalities that are in solved form already.
    pub fn solved(rows: impl Iterator<Item = (Var, LinearExpr)>) -> Self {
        let rows = rows.map(|(pivot, expr)| Row { pivot, expr }).collect();
        Self { rows, first_tag: Var(u32::MAX) }
    }

    /// The rows, each with the variable that it defines.
    pub fn rows(&self) -> impl Iterator<Item = (Var, &LinearExpr)> {
        self.rows.iter().map(|row| (row.pivot, &row.expr))
    }

    /// Adds `expr = 0`.
    pub fn add(&mut self, expr: &LinearExpr) -> Added {
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
        let Some(pivot) = choose_pivot(&reduced, &content, self.first_tag) else {
            return Added::Redundant;
        };
        let expr = primitive(reduced);
        for row in &mut self.rows {
            if let Some(combined) = cancel(&row.expr, pivot, &expr) {
                row.expr = primitive(combined.0);
            }
        }
        self.rows.push(Row { pivot, expr });
        Added::New
    }

    /// `scale * expr` plus a combination of the rows, without pivot variables;
    /// the scale is positive.
    pub fn reduce(&self, expr: &LinearExpr) -> (LinearExpr, Integer) {
        let mut result: Option<(LinearExpr, Integer)> = None;
        for row in &self.rows {
            let current = result.as_ref().map_or(expr, |(reduced, _)| reduced);
            if let Some((reduced, factor)) = cancel(current, row.pivot, &row.expr) {
                let scale = result.map_or(Integer::ONE, |(_, scale)| scale);
                result = Some((reduced, scale * factor));
            }
        }
        result.unwrap_or_else(|| (expr.clone(), Integer::ONE))
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
}

/// A combination of `target` and `row` without `pivot`, and the positive factor
/// of `target` in it; nothing when `pivot` does not occur in both.
pub fn cancel(target: &LinearExpr, pivot: Var, row: &LinearExpr) -> Option<(LinearExpr, Integer)> {
    let coefficient = target.coefficient_ref(pivot)?;
    let own = row.coefficient_ref(pivot)?;
    if own.is_one() {
        return Some((target.add_scaled(row, &-coefficient), Integer::ONE));
    }
    if *own == -1 {
        return Some((target.add_scaled(row, coefficient), Integer::ONE));
    }
    let divisor = own.gcd(coefficient);
    let scale = own.div_exact(&divisor);
    let factor = coefficient.div_exact(&divisor);
    let (scale, factor) = if scale.is_negative() { (-scale, factor) } else { (scale, -factor) };
    Some((target.scale(&scale).add_scaled(row, &factor), scale))
}

/// The variable to solve `expr = 0` for: the largest one below `limit` whose
/// coefficient is `content` (the common divisor of all) or its negation, else
/// the largest one.
pub fn choose_pivot(expr: &LinearExpr, content: &Integer, limit: Var) -> Option<Var> {
    let terms = || expr.terms().iter().rev().filter(|(v, _)| *v < limit);
    let unit = terms().find(|(_, c)| c == content || (c + content).is_zero());
    unit.or_else(|| terms().next()).map(|(variable, _)| *variable)
}

/// Divides by the common divisor of all coefficients and the constant.
fn primitive(expr: LinearExpr) -> LinearExpr {
    let divisor = expr.content().gcd(expr.constant_part());
    if divisor.is_one() || divisor.is_zero() {
        return expr;
    }
    LinearExpr::from_terms(
        expr.terms().iter().map(|(v, c)| (*v, c.div_exact(&divisor))),
        expr.constant_part().div_exact(&divisor),
    )
}
