//! Existential quantification: solved equalities first, then Fourier–Motzkin.

use super::polyhedron::Polyhedron;
use crate::logic::equalities::cancel;
use crate::logic::{Constraint, LinearExpr, Var};

/// Where one step of Fourier–Motzkin would make more than this many new
/// inequalities, those that mention the variable are dropped instead.
const MOST_COMBINATIONS: usize = 120;

/// Above this many inequalities the redundant ones are removed.
const SIMPLIFY_ABOVE: usize = 16;

impl Polyhedron {
    /// The projection on the variables that `keep` accepts: a polyhedron over
    /// these that contains every valuation of `self`, restricted.
    ///
    /// Exact over the rationals unless the growth budget is exceeded; exact
    /// over the integers where equalities with coefficient 1 or -1 suffice.
    #[must_use]
    pub fn project_onto(&self, keep: &dyn Fn(Var) -> bool) -> Self {
        if self.is_empty() {
            return Self::empty();
        }
        let mut result = self.without_definitions(keep);
        let mut others: Vec<Var> = result.variables().into_iter().filter(|v| !keep(*v)).collect();
        while let Some(position) = result.cheapest(&others) {
            let variable = others.swap_remove(position);
            if result.mentions(variable) {
                result = result.without(variable);
            }
        }
        result
    }

    /// Makes the variable arbitrary.
    pub fn forget(&mut self, variable: Var) {
        if self.mentions(variable) {
            *self = if self.is_empty() { Self::empty() } else { self.without(variable) };
        }
    }

    /// Gives the variable the value that the expression has before.
    pub fn assign(&mut self, variable: Var, value: &LinearExpr) {
        if !value.mentions(variable) {
            self.forget(variable);
            self.assume(Constraint::eq(LinearExpr::var(variable), value));
            return;
        }
        let used = self.variables().into_iter().chain(value.variables());
        let Some(before) = used.map(|v| v.0).max().and_then(|v| v.checked_add(1)).map(Var) else {
            self.forget(variable);
            return;
        };
        let rename = |v: Var| if v == variable { before } else { v };
        let mut result = self.rename(rename);
        let value = value.map(|v| LinearExpr::var(rename(v)));
        result.assume(Constraint::eq(LinearExpr::var(variable), value));
        result.forget(before);
        *self = result;
    }

    /// The position of the variable whose elimination adds the fewest
    /// constraints; ties go to the smallest variable.
    fn cheapest(&self, variables: &[Var]) -> Option<usize> {
        let cost = |variable: Var| {
            if self.pivots().contains(&variable) {
                return i64::MIN;
            }
            if self.equalities().iter().any(|c| c.mentions(variable)) {
                return i64::MIN + 1;
            }
            let (mut above, mut below) = (0_i64, 0_i64);
            for inequality in self.inequalities() {
                match inequality.expr().coefficient_ref(variable).map(|c| c.signum()) {
                    Some(1) => above += 1,
                    Some(-1) => below += 1,
                    _ => {}
                }
            }
            above * below - above - below
        };
        (0..variables.len())
            .min_by_key(|position| (cost(variables[*position]), variables[*position]))
    }

    /// Eliminates one variable from a polyhedron that is not visibly empty.
    fn without(&self, variable: Var) -> Self {
        if self.pivots().contains(&variable) {
            return self.without_definitions(&|v| v != variable);
        }
        if let Some(row) = self.defining_row(variable) {
            return self.substituted_by(variable, row);
        }
        let (with, rest): (Vec<&Constraint>, Vec<&Constraint>) =
            self.constraints().iter().partition(|c| c.mentions(variable));
        let is_above = |c: &&&Constraint| c.expr().coefficient(variable).is_positive();
        let above: Vec<&Constraint> = with.iter().filter(is_above).copied().collect();
        let below: Vec<&Constraint> = with.iter().filter(|c| !is_above(c)).copied().collect();
        let mut result = Self::of(rest.into_iter().cloned());
        if above.len() * below.len() > MOST_COMBINATIONS {
            return result;
        }
        let pairs = above.iter().flat_map(|a| below.iter().map(|b| (a.expr(), b.expr())));
        result.assume_all(pairs.map(|(a, b)| resolve(a, b, variable)));
        if result.inequalities().len() > SIMPLIFY_ABOVE {
            result.simplify();
        }
        result
    }

    /// The equality in which the variable has the smallest coefficient.
    fn defining_row(&self, variable: Var) -> Option<usize> {
        let rows = self.equalities().iter().enumerate();
        let sizes = rows.filter_map(|(row, c)| {
            c.expr().coefficient_ref(variable).map(|coefficient| (coefficient.abs(), row))
        });
        sizes.min().map(|(_, row)| row)
    }

    /// Uses an equality to replace the variable everywhere else.
    fn substituted_by(&self, variable: Var, row: usize) -> Self {
        let definition = self.equalities()[row].expr();
        let others = self.constraints().iter().enumerate().filter(|(position, _)| *position != row);
        Self::of(others.map(|(_, c)| match cancel(c.expr(), variable, definition) {
            Some((expr, _)) => Constraint::new(c.relation(), expr),
            None => c.clone(),
        }))
    }
}

/// `a*v + e <= 0` and `-b*v + f <= 0` with positive `a`, `b` give
/// `b*e + a*f <= 0`.
fn resolve(above: &LinearExpr, below: &LinearExpr, variable: Var) -> Constraint {
    let (upper, lower) = (above.coefficient(variable), below.coefficient(variable).abs());
    let divisor = upper.gcd(&lower);
    let (upper, lower) = (upper.div_exact(&divisor), lower.div_exact(&divisor));
    Constraint::at_most_zero(above.scale(&lower).add_scaled(below, &upper))
}
