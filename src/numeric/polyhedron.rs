//! Convex polyhedra in constraint form (Cousot and Halbwachs, POPL 1978).

use std::sync::{Arc, OnceLock};

use super::NumericDomain;
use logic::connected::connected_with;
use logic::equalities::{Equalities, cancel, choose_pivot};
use logic::simplex::{Optimizer, inequalities_refute, inequalities_surely_unsat};
use logic::{Constraint, Integer, LinearExpr, Relation, Var};

/// The integer points of a conjunction of linear constraints.
///
/// Invariant: the constraints are sorted, equalities first; each equality has a
/// pivot variable that no other constraint mentions; inequalities are tightened,
/// no two have the same left side, and no two opposed ones make an equality. A
/// visibly empty polyhedron has a contradiction as its only constraint.
#[derive(Clone, Debug)]
pub struct Polyhedron {
    /// Shared by clones until one of them changes.
    body: Arc<Body>,
    /// Whether a search for a contradiction found one; filled on demand.
    unsat: OnceLock<bool>,
}

#[derive(Clone, Debug, Default)]
struct Body {
    constraints: Vec<Constraint>,
    /// The pivots of the equalities, which are the first constraints.
    pivots: Vec<Var>,
}

impl Polyhedron {
    /// All valuations.
    #[must_use]
    pub fn top() -> Self {
        Self { body: Arc::default(), unsat: OnceLock::from(false) }
    }

    /// No valuation.
    #[must_use]
    pub fn empty() -> Self {
        let body = Body { constraints: vec![Constraint::contradiction()], pivots: Vec::new() };
        Self { body: Arc::new(body), unsat: OnceLock::from(true) }
    }

    /// The valuations that satisfy all the constraints.
    #[must_use]
    pub fn of(constraints: impl IntoIterator<Item = Constraint>) -> Self {
        let mut result = Self::top();
        result.assume_all(constraints);
        result
    }

    /// Whether there is surely no valuation. Reasons with divisors, tightened
    /// constants and rational infeasibility.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self.unsat.get_or_init(|| inequalities_surely_unsat(&self.inequality_exprs()))
    }

    fn is_visibly_empty(&self) -> bool {
        self.unsat.get() == Some(&true)
    }

    /// The constraints in canonical order, equalities first.
    #[must_use]
    pub fn constraints(&self) -> &[Constraint] {
        &self.body.constraints
    }

    /// The equalities, in solved form.
    #[must_use]
    pub fn equalities(&self) -> &[Constraint] {
        &self.body.constraints[..self.body.pivots.len()]
    }

    /// The variables that an equality fixes.
    pub fn constants(&self) -> impl Iterator<Item = Var> + '_ {
        self.equalities().iter().filter_map(|equality| match equality.expr().terms() {
            [(variable, _)] => Some(*variable),
            _ => None,
        })
    }

    /// The inequalities, which do not mention the pivots of the equalities.
    #[must_use]
    pub fn inequalities(&self) -> &[Constraint] {
        &self.body.constraints[self.body.pivots.len()..]
    }

    /// The equalities with the variable that each defines.
    pub fn solved_equalities(&self) -> impl Iterator<Item = (Var, &Constraint)> {
        self.body.pivots.iter().copied().zip(self.equalities())
    }

    /// The pivots of [`Polyhedron::equalities`], in the same order.
    pub(super) fn pivots(&self) -> &[Var] {
        &self.body.pivots
    }

    /// Without the equalities that define variables that are not kept: for a
    /// polyhedron that is not empty, the same over the rationals as making
    /// those variables arbitrary, since nothing else mentions them.
    pub(super) fn without_definitions(&self, keep: &dyn Fn(Var) -> bool) -> Self {
        if self.body.pivots.iter().all(|pivot| keep(*pivot)) {
            return self.clone();
        }
        let mut body = Body::default();
        for (row, pivot) in self.equalities().iter().zip(&self.body.pivots) {
            if keep(*pivot) {
                body.constraints.push(row.clone());
                body.pivots.push(*pivot);
            }
        }
        body.constraints.extend_from_slice(self.inequalities());
        Self { body: Arc::new(body), unsat: self.unsat.clone() }
    }

    pub(super) fn inequality_exprs(&self) -> Vec<&LinearExpr> {
        self.inequalities().iter().map(Constraint::expr).collect()
    }

    /// The variables that the constraints mention, in increasing order.
    #[must_use]
    pub fn variables(&self) -> Vec<Var> {
        let all = self.body.constraints.iter().flat_map(|c| c.expr().variables());
        let mut variables: Vec<Var> = all.collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// Whether a constraint mentions the variable.
    #[must_use]
    pub fn mentions(&self, variable: Var) -> bool {
        self.body.constraints.iter().any(|c| c.mentions(variable))
    }

    /// Keeps the valuations that satisfy the constraint.
    pub fn assume(&mut self, constraint: Constraint) {
        self.assume_all([constraint]);
    }

    /// Keeps the valuations that satisfy all the constraints.
    pub fn assume_all(&mut self, constraints: impl IntoIterator<Item = Constraint>) {
        let mut pending: Vec<Constraint> = constraints.into_iter().collect();
        pending.reverse();
        while let Some(constraint) = pending.pop() {
            if self.is_visibly_empty() {
                return;
            }
            let reduced = match self.reduce_expr(constraint.expr()) {
                Some((expr, _)) => Constraint::new(constraint.relation(), expr),
                None => constraint,
            };
            if reduced.is_contradiction() {
                *self = Self::empty();
            } else if !reduced.is_trivial() {
                match reduced.relation() {
                    Relation::Equal => self.insert_equality(reduced, &mut pending),
                    Relation::AtMost => self.insert_inequality(reduced, &mut pending),
                }
            }
        }
    }

    /// Gives values to variables that neither the constraints nor the values mention. The same
    /// as to assume one equality after the other.
    pub fn define(&mut self, definitions: impl IntoIterator<Item = (Var, LinearExpr)>) {
        if self.is_visibly_empty() {
            return;
        }
        let mut others = Vec::new();
        let mut rows = Vec::new();
        for (variable, value) in definitions {
            let row = self.reduce(&Constraint::eq(variable, value));
            match choose_pivot(row.expr(), &Integer::ONE, Var(u32::MAX)) {
                Some(pivot) if pivot == variable => rows.push((row, pivot)),
                _ => others.push(row),
            }
        }
        let mut body = std::mem::take(Arc::make_mut(&mut self.body));
        let inequalities = body.constraints.split_off(body.pivots.len());
        rows.extend(body.constraints.into_iter().zip(body.pivots));
        rows.sort();
        let (mut constraints, pivots): (Vec<Constraint>, Vec<Var>) = rows.into_iter().unzip();
        constraints.extend(inequalities);
        self.body = Arc::new(Body { constraints, pivots });
        self.assume_all(others);
    }

    /// The constraint without pivot variables; equivalent under the equalities.
    pub(super) fn reduce(&self, constraint: &Constraint) -> Constraint {
        match self.reduce_expr(constraint.expr()) {
            Some((expr, _)) => Constraint::new(constraint.relation(), expr),
            None => constraint.clone(),
        }
    }

    /// A positive multiple of the expression without pivot variables, and the
    /// factor; nothing when it mentions none.
    fn reduce_expr(&self, expr: &LinearExpr) -> Option<(LinearExpr, Integer)> {
        let mut result: Option<(LinearExpr, Integer)> = None;
        for (row, pivot) in self.body.constraints.iter().zip(&self.body.pivots) {
            let current = result.as_ref().map_or(expr, |(expr, _)| expr);
            if let Some((reduced, factor)) = cancel(current, *pivot, row.expr()) {
                let scale = result.map_or(Integer::ONE, |(_, scale)| scale);
                result = Some((reduced, scale * factor));
            }
        }
        result
    }

    /// Adds a reduced equality; what its pivot disturbs goes to `pending`.
    fn insert_equality(&mut self, equality: Constraint, pending: &mut Vec<Constraint>) {
        let Some(pivot) = choose_pivot(equality.expr(), &Integer::ONE, Var(u32::MAX)) else {
            return;
        };
        self.unsat = OnceLock::new();
        let n_equalities = self.body.pivots.len();
        let mut rows: Vec<(Constraint, Var)> = Vec::with_capacity(n_equalities + 1);
        let body = std::mem::take(Arc::make_mut(&mut self.body));
        let mut old = body.constraints.into_iter();
        for (row, own_pivot) in old.by_ref().take(n_equalities).zip(body.pivots) {
            let row = match cancel(row.expr(), pivot, equality.expr()) {
                Some((expr, _)) => Constraint::zero(expr),
                None => row,
            };
            if row.is_contradiction() {
                *self = Self::empty();
                return;
            }
            rows.push((row, own_pivot));
        }
        rows.push((equality, pivot));
        rows.sort();
        let kept = old.filter_map(|inequality| {
            if inequality.mentions(pivot) {
                pending.push(inequality);
                return None;
            }
            Some(inequality)
        });
        let kept: Vec<Constraint> = kept.collect();
        let (mut constraints, pivots): (Vec<Constraint>, Vec<Var>) = rows.into_iter().unzip();
        constraints.extend(kept);
        self.body = Arc::new(Body { constraints, pivots });
    }

    /// Adds a reduced inequality; an equality that it makes goes to `pending`.
    fn insert_inequality(&mut self, inequality: Constraint, pending: &mut Vec<Constraint>) {
        let expr = inequality.expr();
        let n_equalities = self.body.pivots.len();
        let mut same = None;
        for (position, other) in self.body.constraints.iter().enumerate().skip(n_equalities) {
            let theirs = other.expr();
            if theirs.terms() == expr.terms() {
                if theirs.constant_part() >= expr.constant_part() {
                    return;
                }
                same = Some(position);
            } else if theirs.is_opposed_to(expr) {
                let gap = theirs.constant_part() + expr.constant_part();
                if gap.is_positive() {
                    *self = Self::empty();
                    return;
                }
                if gap.is_zero() {
                    pending.push(Constraint::zero(expr.clone()));
                    return;
                }
            }
        }
        let constraints = &mut Arc::make_mut(&mut self.body).constraints;
        if let Some(position) = same {
            constraints.remove(position);
        }
        let place = constraints.partition_point(|other| *other < inequality);
        constraints.insert(place, inequality);
        self.unsat = OnceLock::new();
    }

    /// Whether every valuation surely satisfies the constraint.
    #[must_use]
    pub fn entails(&self, constraint: &Constraint) -> bool {
        if self.is_visibly_empty() {
            return true;
        }
        let reduced = self.reduce(constraint);
        if reduced.is_trivial() {
            return true;
        }
        if reduced.is_contradiction() {
            return self.is_empty();
        }
        reduced.inequalities().iter().all(|part| self.entails_inequality(part))
    }

    /// Entailment of a reduced inequality.
    fn entails_inequality(&self, part: &Constraint) -> bool {
        let expr = part.expr();
        let syntactic = |c: &Constraint| {
            c.expr().terms() == expr.terms() && c.expr().constant_part() >= expr.constant_part()
        };
        if self.inequalities().iter().any(syntactic) {
            return true;
        }
        let is_free = |v: Var| !self.inequalities().iter().any(|c| c.mentions(v));
        if expr.variables().any(is_free) {
            return self.is_empty();
        }
        self.refutes(part)
    }

    /// Whether the negation of a reduced inequality is surely in contradiction with the
    /// inequalities.
    fn refutes(&self, part: &Constraint) -> bool {
        let negation = part.negate().unwrap_or_else(Constraint::contradiction);
        inequalities_refute(&self.inequalities_about(negation.expr()), &negation)
    }

    /// Whether `self` is surely a subset of `other`.
    #[must_use]
    pub fn leq(&self, other: &Self) -> bool {
        self == other || other.constraints().iter().all(|c| self.entails(c)) || self.is_empty()
    }

    /// Replaces the variable by `replacement` in every constraint: the
    /// valuations that satisfied them once `variable := replacement` is done.
    pub fn substitute(&mut self, variable: Var, replacement: &LinearExpr) {
        let changed = self.without(variable);
        self.assume_all(changed.iter().map(|it| it.substitute(variable, replacement)));
    }

    /// Takes away the constraints that mention a variable. What is left stays as it is: to
    /// reduce all of it again would take most of the time of calls.
    fn without(&mut self, variable: Var) -> Vec<Constraint> {
        if !self.mentions(variable) {
            return Vec::new();
        }
        self.unsat = OnceLock::new();
        let body = std::mem::take(Arc::make_mut(&mut self.body));
        let is_kept: Vec<bool> = body.constraints.iter().map(|it| !it.mentions(variable)).collect();
        let pivots = body.pivots.into_iter().zip(&is_kept);
        let pivots = pivots.filter_map(|(pivot, is_kept)| is_kept.then_some(pivot)).collect();
        let (kept, taken): (Vec<_>, Vec<_>) =
            body.constraints.into_iter().zip(is_kept).partition(|(_, is_kept)| *is_kept);
        let constraints = kept.into_iter().map(|(it, _)| it).collect();
        self.body = Arc::new(Body { constraints, pivots });
        taken.into_iter().map(|(it, _)| it).collect()
    }

    /// Replaces every variable by its image, all at once.
    #[must_use]
    pub fn map(&self, mut image: impl FnMut(Var) -> LinearExpr) -> Self {
        Self::of(self.body.constraints.iter().map(|c| c.map(&mut image)))
    }

    /// Renames every variable. Different variables may get the same name, which
    /// makes them equal.
    #[must_use]
    pub fn rename(&self, mut name: impl FnMut(Var) -> Var) -> Self {
        self.map(|variable| LinearExpr::var(name(variable)))
    }

    /// The intersection.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        let mut result = self.clone();
        result.assume_all(other.body.constraints.iter().cloned());
        result
    }

    /// Questions about the greatest values of many expressions.
    #[must_use]
    pub fn optimizer(&self) -> Optimizer {
        self.optimizer_of(&self.inequality_exprs())
    }

    /// Questions about greatest values under these inequalities and all equalities.
    fn optimizer_of(&self, inequalities: &[&LinearExpr]) -> Optimizer {
        let rows =
            self.body.pivots.iter().copied().zip(self.equalities().iter().map(Constraint::expr));
        let equalities = Equalities::solved(rows.map(|(pivot, expr)| (pivot, expr.clone())));
        Optimizer::of_solved(equalities, inequalities.iter().copied().cloned().collect())
    }

    /// The inequalities that say something about an expression: where all of them are known
    /// to be satisfiable, those that are connected with it.
    fn inequalities_about(&self, reduced: &LinearExpr) -> Vec<&LinearExpr> {
        let exprs = self.inequality_exprs();
        if self.unsat.get() != Some(&false) {
            return exprs;
        }
        let connected = connected_with(reduced.variables(), &exprs);
        connected.into_iter().map(|position| exprs[position]).collect()
    }

    /// The least and the greatest integer that the expression can be, where
    /// they exist. For an empty polyhedron both are missing.
    #[must_use]
    pub fn bounds(&self, expr: &LinearExpr) -> (Option<Integer>, Option<Integer>) {
        let reduced = self.reduce_expr(expr);
        let about = self.inequalities_about(reduced.as_ref().map_or(expr, |(expr, _)| expr));
        let mut optimizer = self.optimizer_of(&about);
        let upper = optimizer.integer_upper_bound(expr);
        let lower = optimizer.integer_upper_bound(&expr.neg()).map(|bound| -bound);
        (lower, upper)
    }

    /// The only value of the variable, if it surely has only one.
    #[must_use]
    pub fn implied_constant(&self, variable: Var) -> Option<Integer> {
        if let Some(row) = self.body.pivots.iter().position(|pivot| *pivot == variable) {
            return match self.body.constraints[row].expr().terms() {
                [(_, c)] => Some((-self.body.constraints[row].expr().constant_part()).div_exact(c)),
                _ => self.constant_by_bounds(variable),
            };
        }
        self.constant_by_bounds(variable)
    }

    fn constant_by_bounds(&self, variable: Var) -> Option<Integer> {
        if !self.mentions(variable) {
            return None;
        }
        match self.bounds(&LinearExpr::var(variable)) {
            (Some(lower), Some(upper)) if lower == upper => Some(lower),
            _ => None,
        }
    }

    /// Equalities that surely hold: the explicit ones and those of inequalities
    /// that cannot be strict. In solved form.
    #[must_use]
    pub fn implied_equalities(&self) -> Vec<Constraint> {
        self.with_implied_equalities().equalities().to_vec()
    }

    /// The same set with its implied equalities made explicit.
    #[must_use]
    pub(super) fn with_implied_equalities(&self) -> Self {
        if self.is_empty() {
            return Self::empty();
        }
        let optimizer = self.optimizer();
        let tight = self.inequalities().iter().enumerate().filter(|(position, inequality)| {
            let opposite = Constraint::at_most_zero(inequality.expr().neg());
            !optimizer.is_slack(*position) && self.entails_inequality(&opposite)
        });
        let found: Vec<Constraint> =
            tight.map(|(_, c)| Constraint::zero(c.expr().clone())).collect();
        let mut result = self.clone();
        result.assume_all(found);
        result
    }

    /// Removes inequalities that follow from the other constraints.
    pub fn simplify(&mut self) {
        if self.is_empty() {
            *self = Self::empty();
            return;
        }
        let mut position = self.body.constraints.len();
        while position > self.body.pivots.len() {
            position -= 1;
            let candidate = Arc::make_mut(&mut self.body).constraints.remove(position);
            if !self.entails_by_others(&candidate) {
                Arc::make_mut(&mut self.body).constraints.insert(position, candidate);
            }
        }
    }

    /// Entailment of an own inequality that was taken out of a satisfiable set.
    fn entails_by_others(&self, part: &Constraint) -> bool {
        let is_free = |v: Var| !self.inequalities().iter().any(|c| c.mentions(v));
        if part.expr().variables().any(is_free) {
            return false;
        }
        self.refutes(part)
    }

    /// Whether the valuation satisfies all constraints.
    #[must_use]
    pub fn contains(&self, valuation: impl Fn(Var) -> Integer) -> bool {
        self.body.constraints.iter().all(|c| c.holds(|variable| valuation(variable).into()))
    }

    /// The constraints as a person writes them, joined by `/\`; `true` for all
    /// valuations and `false` for none.
    #[must_use]
    pub fn display(&self, name: &impl Fn(Var) -> String) -> String {
        if self.is_empty() {
            return "false".to_owned();
        }
        if self.body.constraints.is_empty() {
            return "true".to_owned();
        }
        let parts: Vec<String> = self.body.constraints.iter().map(|c| c.display(name)).collect();
        parts.join(" /\\ ")
    }
}

impl Default for Polyhedron {
    fn default() -> Self {
        Self::top()
    }
}

/// Equality of the representation: the same constraints in normal form.
impl PartialEq for Polyhedron {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.body, &other.body) || self.body.constraints == other.body.constraints
    }
}

impl Eq for Polyhedron {}

impl std::hash::Hash for Polyhedron {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.body.constraints.hash(state);
    }
}

impl PartialOrd for Polyhedron {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// An arbitrary total order, for canonical lists.
impl Ord for Polyhedron {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.body.constraints.cmp(&other.body.constraints)
    }
}

impl NumericDomain for Polyhedron {
    fn top() -> Self {
        Self::top()
    }

    fn is_bottom(&self) -> bool {
        self.is_empty()
    }

    fn leq(&self, other: &Self) -> bool {
        Self::leq(self, other)
    }

    fn join(&self, other: &Self) -> Self {
        Self::join(self, other)
    }

    fn widen(&self, newer: &Self, thresholds: &[Constraint]) -> Self {
        Self::widen(self, newer, thresholds)
    }

    fn assume(&mut self, constraint: Constraint) {
        Self::assume(self, constraint);
    }

    fn forget(&mut self, variable: Var) {
        Self::forget(self, variable);
    }

    fn assign(&mut self, variable: Var, value: &LinearExpr) {
        Self::assign(self, variable, value);
    }

    fn constraints(&self) -> Vec<Constraint> {
        self.body.constraints.clone()
    }
}

#[cfg(test)]
#[path = "polyhedron_tests.rs"]
mod tests;
