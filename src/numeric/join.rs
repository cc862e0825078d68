//! Joins and widenings of polyhedra in constraint form.
//!
//! The affine hull is exact (Karr, Acta Informatica 1976). The inequalities of
//! a join are those of either side, relaxed or turned until the other satisfies
//! them, and bounds of a few templates; all are consequences of both sides.

use std::collections::{BTreeMap, BTreeSet};

use super::polyhedron::Polyhedron;
use logic::equalities::Equalities;
use logic::simplex::Optimizer;
use logic::{Constraint, Integer, LinearExpr, Var};

/// At most so many template directions are tried in a join.
const MOST_TEMPLATES: usize = 64;
/// At most so many constraints of one side are turned around its equalities.
const MOST_TURNS: usize = 24;

impl Polyhedron {
    /// An upper bound of both; see the module's doc.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        self.join_along(other, &[])
    }

    /// The same, with the bounds of more directions.
    #[must_use]
    pub fn join_along(&self, other: &Self, directions: &[LinearExpr]) -> Self {
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
        joined.bound(directions);
        joined.turn_own_constraints(&left, &right);
        joined.result.simplify();
        joined.result
    }

    /// The widening of Cousot and Halbwachs: constraints of `self` that `newer`
    /// satisfies, the affine hull, and thresholds that both satisfy; `u < v`,
    /// `u <= v` and `u <= v + 1` are thresholds for two variables of which no order was lost.
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
        let (stable, lost): (Vec<_>, Vec<_>) = own.partition(|it| newer.entails(it));
        result.assume_all(stable);
        // What is lost of a variable may be said by another one, but not by the same two.
        let loose: BTreeSet<Var> = lost.iter().flat_map(|it| it.expr().variables()).collect();
        let is_moving =
            |it: &Constraint| lost.iter().any(|old| old.expr().terms() == it.expr().terms());
        let is_loose = |it: &&Constraint| {
            it.expr().variables().any(|it| loose.contains(&it)) && !is_moving(it)
        };
        let orders = newer.inequalities().iter().filter(|it| is_order(it)).filter(is_loose);
        let orders: Vec<Constraint> = orders.filter(|it| self.entails(it)).cloned().collect();
        result.assume_all(orders);
        let kept = thresholds.iter().flat_map(Constraint::inequalities);
        let kept: Vec<Constraint> = kept.filter(|c| self.entails(c) && newer.entails(c)).collect();
        result.assume_all(kept);
        result
    }
}

/// Whether a constraint says of two variables which one is less, or larger by one at most.
fn is_order(constraint: &Constraint) -> bool {
    let [(_, one), (_, other)] = constraint.expr().terms() else { return false };
    let is_unit = |it: &Integer| it.abs() == Integer::ONE;
    is_unit(one) && *one == -other && constraint.expr().constant_part().abs() <= Integer::ONE
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
    let mut theirs = Equalities::default();
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
    /// Upper bounds on both sides of `v` and `-v`.
    singles: BTreeMap<LinearExpr, Integer>,
}

impl Joined {
    fn new(left: &Polyhedron, right: &Polyhedron) -> Self {
        Self {
            result: affine_hull(left, right),
            left: left.optimizer(),
            right: right.optimizer(),
            tried: BTreeSet::new(),
            singles: BTreeMap::new(),
        }
    }

    /// Whether the direction, modulo the affine hull, was not seen before.
    fn is_new(&mut self, direction: &LinearExpr) -> bool {
        let reduced = self.result.reduce(&Constraint::at_most_zero(direction.clone()));
        let direction = reduced.expr().add_constant(-reduced.expr().constant_part());
        !direction.is_zero() && self.tried.insert(direction)
    }

    fn assume_bound(&mut self, direction: &LinearExpr, top: Integer) {
        self.result.assume(Constraint::le(direction, LinearExpr::constant(top)));
    }

    /// Relaxes the constraints of either side until the other satisfies them.
    fn relax_own_constraints(&mut self, left: &Polyhedron, right: &Polyhedron) {
        for (side, own) in [(Side::Left, left), (Side::Right, right)] {
            for part in own.constraints().iter().flat_map(Constraint::inequalities) {
                let direction = part.expr().add_constant(-part.expr().constant_part());
                if !self.is_new(&direction) {
                    continue;
                }
                let own_bound = -part.expr().constant_part();
                if let Some(other_bound) = self.other(side).integer_upper_bound(&direction) {
                    self.assume_bound(&direction, own_bound.max(other_bound));
                }
            }
        }
    }

    /// Turns constraints of a side around its equalities until the other side
    /// satisfies them: where `e = 0` on one side and `e >= l > 0` on the other,
    /// `c <= 0` on the one gives `c <= λe` on both. So `i <= k` where `m = 1`
    /// and `i <= k + 1` where `m = 2` make `i <= k + m - 1`.
    fn turn_own_constraints(&mut self, left: &Polyhedron, right: &Polyhedron) {
        for (side, own) in [(Side::Left, left), (Side::Right, right)] {
            let axes = self.axes(side, own);
            let mut n_turns = 0;
            for part in own.inequalities() {
                let excess = self.other(side).integer_upper_bound(part.expr());
                if axes.is_empty() || excess.as_ref().is_some_and(|excess| !excess.is_positive()) {
                    continue;
                }
                for (axis, least) in &axes {
                    n_turns += 1;
                    if n_turns > MOST_TURNS {
                        return;
                    }
                    let factor = excess.as_ref().map_or(Integer::ONE, |it| it.div_ceil(least));
                    let turned = part.expr() - &axis.scale(&factor);
                    let bound = self.other(side).integer_upper_bound(&turned);
                    if bound.is_some_and(|bound| !bound.is_positive()) {
                        self.result.assume(Constraint::at_most_zero(turned));
                    }
                }
            }
        }
    }

    /// Expressions that are 0 on a side and at least the given positive number
    /// on the other.
    fn axes(&mut self, side: Side, own: &Polyhedron) -> Vec<(LinearExpr, Integer)> {
        let mut axes = Vec::new();
        for equality in own.equalities() {
            for axis in [equality.expr().clone(), equality.expr().neg()] {
                let least = self.other(side).integer_upper_bound(&axis.neg()).map(|it| -it);
                axes.extend(least.filter(Integer::is_positive).map(|least| (axis, least)));
            }
        }
        axes
    }

    fn other(&mut self, side: Side) -> &mut Optimizer {
        match side {
            Side::Left => &mut self.right,
            Side::Right => &mut self.left,
        }
    }

    /// The least upper bound of the direction on both sides, if there is one.
    fn common_bound(&mut self, direction: &LinearExpr) -> Option<Integer> {
        let left = self.left.integer_upper_bound(direction)?;
        Some(left.max(self.right.integer_upper_bound(direction)?))
    }

    /// Adds the bounds of directions that are not simpler ones.
    fn bound(&mut self, directions: &[LinearExpr]) {
        for direction in directions {
            let direction = direction.add_constant(-direction.constant_part());
            if self.is_new(&direction)
                && let Some(top) = self.common_bound(&direction)
            {
                self.assume_bound(&direction, top);
            }
        }
    }

    /// Adds the bounds of the template directions. A sum whose bound is the sum
    /// of the bounds of its summands says nothing new.
    fn bound_templates(&mut self, left: &Polyhedron, right: &Polyhedron) {
        for direction in templates(left, right).iter().take(MOST_TEMPLATES) {
            let parts: Option<Integer> = direction
                .terms()
                .iter()
                .map(|(v, c)| self.singles.get(&LinearExpr::term(*v, c)).cloned())
                .try_fold(Integer::ZERO, |sum, bound| Some(sum + bound?));
            let is_single = direction.terms().len() == 1;
            if !is_single && !self.is_new(direction) {
                continue;
            }
            let Some(top) = self.common_bound(direction) else { continue };
            if is_single {
                self.singles.insert(direction.clone(), top.clone());
            }
            if parts.is_none_or(|parts| top < parts) {
                self.assume_bound(direction, top);
            }
        }
    }
}

/// One of the two sides of a join.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// The directions `±v` for all variables, `±(u - v)`, `±(u + v)` for variables
/// that occur in a common constraint, and `±(u - v)` where `u` moves from one
/// constant to another: what bounded `u` when it was fixed is found so.
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
    let mut moving = BTreeSet::new();
    for first in left.constants().chain(right.constants()) {
        let others = singles.iter().filter(|second| **second != first);
        let pair = |second: &Var| (first.min(*second), first.max(*second));
        moving.extend(others.map(pair).filter(|pair| !pairs.contains(pair)));
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
    for (first, second) in moving {
        both_ways(&LinearExpr::var(first) - &LinearExpr::var(second));
        both_ways(&LinearExpr::var(first) + &LinearExpr::var(second));
    }
    directions
}
