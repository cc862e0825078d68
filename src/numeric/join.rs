//! Joins and widenings of polyhedra in constraint form.
//!
//! The affine hull is exact (Karr, Acta Informatica 1976). The inequalities of
//! a join are those of either side, relaxed until the other satisfies them, and
//! bounds of a few templates; all are consequences of both sides.

use std::collections::BTreeSet;

use super::polyhedron::Polyhedron;
use crate::logic::equalities::Equalities;
use crate::logic::simplex::Optimizer;
use crate::logic::{Constraint, Integer, LinearExpr, Var};

/// At most so many template directions are tried in a join.
const MOST_TEMPLATES: usize = 64;

impl Polyhedron {
    /// An upper bound of both; see the module's doc.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        if self == other || other.is_empty() {
            return self.clone();
        }
        if self.is_empty() {
            return other.clone();
        }
        let (left, right) = (self.with_implied_equalities(), other.with_implied_equalities());
        let mut joined = Joined::new(&left, &right);
        joined.relax_own_constraints(&left, &right);
        joined.bound_templates(&left, &right);
        joined.result.simplify();
        joined.result
    }

    /// The widening of Cousot and Halbwachs: constraints of `self` that `newer`
    /// satisfies, the affine hull, and thresholds that both satisfy.
    ///
    /// Chains become constant when each `newer` contains the value before: the
    /// dimension of the affine hull grows or the inequalities are a subset.
    #[must_use]
    pub fn widen(&self, newer: &Self, thresholds: &[Constraint]) -> Self {
        if self == newer || newer.is_empty() {
            return self.clone();
        }
        if self.is_empty() {
            return newer.clone();
        }
        let mut result = affine_hull(self, newer);
        let own = self.constraints().iter().flat_map(Constraint::inequalities);
        let stable: Vec<Constraint> = own.filter(|c| newer.entails(c)).collect();
        result.assume_all(stable);
        let kept = thresholds.iter().flat_map(Constraint::inequalities);
        let kept: Vec<Constraint> = kept.filter(|c| self.entails(c) && newer.entails(c)).collect();
        result.assume_all(kept);
        result
    }
}

/// The equalities that follow from those of both sides: the intersection of the
/// two row spaces, by Gauss elimination.
///
/// Each equality of `left` is reduced by those of `right` and tagged; a
/// combination whose rest vanishes is an equality of `right` too, and its tags
/// tell which combination of `left` it is.
fn affine_hull(left: &Polyhedron, right: &Polyhedron) -> Polyhedron {
    let rows = left.equalities();
    let all = rows.iter().chain(right.equalities());
    let largest = all.filter_map(|c| c.expr().variables().last()).max();
    let first_tag = largest.map_or(0, |v| v.0.saturating_add(1));
    let mut theirs = Equalities::new();
    for row in right.equalities() {
        theirs.add(row.expr());
    }
    let mut rests = Equalities::with_tags(Var(first_tag + 1));
    let mut hull = Polyhedron::top();
    // The constant must vanish too, so it takes part as the variable `one`.
    let one = Var(first_tag);
    for (row, tag) in rows.iter().zip(first_tag.saturating_add(1)..) {
        let (rest, scale) = theirs.reduce(row.expr());
        let constant = LinearExpr::term(one, rest.constant_part());
        let linear = rest.add_constant(-rest.constant_part());
        let tagged = linear + constant + LinearExpr::term(Var(tag), scale);
        let (combined, _) = rests.reduce(&tagged);
        if combined.variables().all(|v| v > one) {
            hull.assume(Constraint::zero(untagged(&combined, rows, one)));
        } else {
            rests.add(&tagged);
        }
    }
    hull
}

/// The combination of `rows` whose multipliers are the coefficients of the tags.
fn untagged(combined: &LinearExpr, rows: &[Constraint], one: Var) -> LinearExpr {
    let mut sum = LinearExpr::zero();
    for (tag, multiplier) in combined.terms() {
        let position = (tag.0 - one.0 - 1) as usize;
        sum = sum.add_scaled(rows[position].expr(), multiplier);
    }
    sum
}

/// A join under construction: everything in `result` holds on both sides.
struct Joined {
    result: Polyhedron,
    left: Optimizer,
    right: Optimizer,
    tried: BTreeSet<LinearExpr>,
}

impl Joined {
    fn new(left: &Polyhedron, right: &Polyhedron) -> Self {
        Self {
            result: affine_hull(left, right),
            left: left.optimizer(),
            right: right.optimizer(),
            tried: BTreeSet::new(),
        }
    }

    /// Adds the least upper bound of `direction` on both sides, if there is one.
    fn bound(&mut self, direction: &LinearExpr) {
        let reduced = self.result.reduce(&Constraint::at_most_zero(direction.clone()));
        let direction = reduced.expr().add_constant(-reduced.expr().constant_part());
        if direction.is_zero() || !self.tried.insert(direction.clone()) {
            return;
        }
        let Some(left) = self.left.integer_upper_bound(&direction) else {
            return;
        };
        let Some(right) = self.right.integer_upper_bound(&direction) else {
            return;
        };
        let top: Integer = left.max(right);
        self.result.assume(Constraint::le(&direction, LinearExpr::constant(top)));
    }

    fn relax_own_constraints(&mut self, left: &Polyhedron, right: &Polyhedron) {
        for constraint in left.constraints().iter().chain(right.constraints()) {
            for part in constraint.inequalities() {
                self.bound(part.expr());
            }
        }
    }

    fn bound_templates(&mut self, left: &Polyhedron, right: &Polyhedron) {
        for direction in templates(left, right).iter().take(MOST_TEMPLATES) {
            self.bound(direction);
        }
    }
}

/// The directions `±v` for all variables and `±(u - v)`, `±(u + v)` for
/// variables that occur in a common constraint.
fn templates(left: &Polyhedron, right: &Polyhedron) -> Vec<LinearExpr> {
    let mut singles = BTreeSet::new();
    let mut pairs = BTreeSet::new();
    for constraint in left.constraints().iter().chain(right.constraints()) {
        let variables: Vec<Var> = constraint.expr().variables().collect();
        for (position, first) in variables.iter().enumerate() {
            singles.insert(*first);
            pairs.extend(variables[position + 1..].iter().map(|second| (*first, *second)));
        }
    }
    let mut directions = Vec::new();
    let mut both_ways = |expr: LinearExpr| directions.extend([expr.neg(), expr]);
    for variable in singles {
        both_ways(LinearExpr::var(variable));
    }
    for (first, second) in pairs {
        let (first, second) = (LinearExpr::var(first), LinearExpr::var(second));
        both_ways(&first - &second);
        both_ways(&first + &second);
    }
    directions
}
