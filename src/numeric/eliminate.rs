//! Existential quantification: solved equalities first, then Fourier–Motzkin.

use super::polyhedron::Polyhedron;
use logic::equalities::cancel;
use logic::{Constraint, LinearExpr, Var};

/// Where one step of Fourier–Motzkin would make more than this many new
/// inequalities, those that mention the variable are dropped instead.
const MOST_COMBINATIONS: usize = 120;

/// Above this many inequalities the redundant ones are removed.
const SIMPLIFY_ABOVE: usize = 16;

/// Whether an elimination may have made inequalities that follow from others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Redundancy {
    None,
    Possible,
}

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
        let mut redundancy = Redundancy::None;
        while let Some(position) = result.cheapest(&others) {
            let variable = others.swap_remove(position);
            if result.mentions(variable) {
                let n_before = result.inequalities().len();
                let made = result.eliminate(variable);
                redundancy = redundancy.max(made);
                if result.inequalities().len() > n_before {
                    result.tidy_up(&mut redundancy);
                }
            }
        }
        result.tidy_up(&mut redundancy);
        result
    }

    /// Makes the variable arbitrary.
    pub fn forget(&mut self, variable: Var) {
        if self.mentions(variable) {
            if self.is_empty() {
                *self = Self::empty();
            } else {
                let mut redundancy = self.eliminate(variable);
                self.tidy_up(&mut redundancy);
            }
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

    /// Removes redundant inequalities, where there may be some, and many.
    fn tidy_up(&mut self, redundancy: &mut Redundancy) {
        if *redundancy == Redundancy::Possible && self.inequalities().len() > SIMPLIFY_ABOVE {
            self.simplify();
            *redundancy = Redundancy::None;
        }
    }

    /// Eliminates one variable from a polyhedron that is not visibly empty.
    fn eliminate(&mut self, variable: Var) -> Redundancy {
        if self.pivots().contains(&variable) {
            *self = self.without_definitions(&|v| v != variable);
            return Redundancy::None;
        }
        if let Some(row) = self.defining_row(variable) {
            *self = self.substituted_by(variable, row);
            return Redundancy::None;
        }
        let (with, rest): (Vec<&Constraint>, Vec<&Constraint>) =
            self.constraints().iter().partition(|c| c.mentions(variable));
        let is_above = |c: &&&Constraint| c.expr().coefficient(variable).is_positive();
        let above: Vec<&Constraint> = with.iter().filter(is_above).copied().collect();
        let below: Vec<&Constraint> = with.iter().filter(|c| !is_above(c)).copied().collect();
        let mut result = Self::of(rest.into_iter().cloned());
        let n_pairs = above.len() * below.len();
        if (1..=MOST_COMBINATIONS).contains(&n_pairs) {
            let pairs = above.iter().flat_map(|a| below.iter().map(|b| (a.expr(), b.expr())));
            result.assume_all(pairs.map(|(a, b)| resolve(a, b, variable)));
        }
        *self = result;
        // What is left after others are gone follows from nothing that it did not before.
        if n_pairs > MOST_COMBINATIONS || n_pairs == 0 {
            Redundancy::None
        } else {
            Redundancy::Possible
        }
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
