//! Recurrent sets of a cycle's numbers: constraints that imply the cycle's
//! decisions and that the cycle keeps.
//!
//! | way | the set |
//! |---|---|
//! | weakest preconditions | the guards, and what they say of the numbers after the cycle, until that adds nothing |
//! | growth | the guards, and that the cycle does not lead nearer to their bounds; and this of these constraints again |
//! | bounds | which bounds by the present numbers the cycle keeps (Flanagan, Leino: *Houdini*, FME 2001) |
//! | fixed point | the guards, and that the cycle changes no number |
//! | present | where there are many guards: the present numbers, if the cycle leads back to them |
//!
//! The first two are also tried with the numbers held fast that the cycle leaves as
//! they are.

use concolic::footprint::Returned;
use concolic::shadow::Symbol;
use logic::simplex::{Premises, is_surely_unsat};
use logic::{Constraint, Integer, LinearExpr, Rational, Relation, Var};
use std::collections::{BTreeMap, BTreeSet};

/// A cycle as a relation between numbers.
pub(super) struct Cycle<'a> {
    returned: &'a Returned,
    guards: Vec<Constraint>,
    updates: BTreeMap<Var, LinearExpr>,
    now: BTreeMap<Var, Integer>,
}

/// How often a set is extended.
const MAX_ROUNDS: usize = 6;
/// How large a set may become.
const MAX_CONSTRAINTS: usize = 40;
/// Of more numbers it is not asked where all of them stay: the equalities are solved together, and
/// their coefficients grow with each.
const MAX_SOLVED: usize = 40;
/// How many numbers the bounds are tried for, and those of sums and differences.
const MAX_BOUNDED: usize = 12;
const MAX_PAIRED: usize = 8;

/// Without trivial constraints, and with only one of those that differ in their
/// constants.
fn tightest(constraints: impl Iterator<Item = Constraint>) -> Vec<Constraint> {
    let mut kept: Vec<Constraint> = Vec::new();
    for constraint in constraints.filter(|it| !it.is_trivial()) {
        let is_alike = |it: &&mut Constraint| {
            it.relation() == constraint.relation()
                && it.expr().terms() == constraint.expr().terms()
                && (it.relation() == Relation::AtMost || **it == constraint)
        };
        match kept.iter_mut().find(is_alike) {
            Some(old) if old.expr().constant_part() < constraint.expr().constant_part() => {
                *old = constraint;
            }
            Some(_) => {}
            None => kept.push(constraint),
        }
    }
    kept
}

impl<'a> Cycle<'a> {
    /// The cycle, with its choices as they were, and only the numbers that its
    /// guards depend on. Nothing when a guard depends on what is not known.
    pub(super) fn new(returned: &'a Returned, number_of: &dyn Fn(Var) -> i128) -> Option<Self> {
        let value = |symbol: Var| match Symbol::of(symbol) {
            Symbol::Choice(_) => LinearExpr::constant(number_of(symbol)),
            Symbol::Entry(_) | Symbol::Reduction(_) => LinearExpr::var(symbol),
        };
        let guards = returned.guards.iter().map(|it| returned.whatever_reduced(&it.map(value)));
        let guards = tightest(guards);
        let mut relevant: BTreeSet<Var> =
            guards.iter().flat_map(|it| it.expr().variables()).collect();
        let mut updates = BTreeMap::new();
        while let Some(symbol) = relevant.iter().copied().find(|it| !updates.contains_key(it)) {
            let update = returned.updates.get(&symbol)?.map(value);
            let is_entry = |it: &Var| matches!(Symbol::of(*it), Symbol::Entry(_));
            relevant.extend(update.variables().filter(is_entry));
            updates.insert(symbol, update);
        }
        let now = relevant.into_iter().map(|it| (it, Integer::from(number_of(it)))).collect();
        Some(Self { returned, guards, updates, now })
    }

    /// Sets that the cycle keeps, the most likely first.
    pub(super) fn closed_sets(&self) -> Vec<Vec<Constraint>> {
        if self.guards.len() > MAX_CONSTRAINTS {
            return self.present().into_iter().collect();
        }
        let pinned = [self.guards.clone(), self.kept_numbers()].concat();
        let tries = [
            self.weakest(self.guards.clone()),
            self.weakest(pinned.clone()),
            self.growing(self.guards.clone()),
            self.growing(pinned),
            self.bounded(),
            self.fixed_point(),
        ];
        let mut sets: Vec<Vec<Constraint>> = Vec::new();
        for set in tries.into_iter().flatten() {
            if !sets.contains(&set) && !is_surely_unsat(&set) {
                sets.push(set);
            }
        }
        sets
    }

    /// Whether the set holds of the present numbers.
    pub(super) fn holds_now(&self, set: &[Constraint]) -> bool {
        let now =
            |symbol: Var| self.now.get(&symbol).cloned().map_or(Rational::ZERO, Rational::from);
        set.iter().all(|it| it.holds(now))
    }

    /// The present numbers, if the cycle comes back to them.
    fn present(&self) -> Option<Vec<Constraint>> {
        let now = |symbol: Var| self.now.get(&symbol).cloned().unwrap_or_default();
        let is_back = |(symbol, update): (&Var, &LinearExpr)| {
            update.evaluate(|it| Rational::from(now(it))) == Rational::from(now(*symbol))
        };
        let set =
            self.now.iter().map(|(it, now)| Constraint::eq(LinearExpr::var(*it), now.clone()));
        self.updates.iter().all(is_back).then(|| set.collect())
    }

    fn after(&self, constraint: &Constraint) -> Constraint {
        self.returned.whatever_reduced(&constraint.map(|symbol| self.updated(symbol)))
    }

    fn updated(&self, symbol: Var) -> LinearExpr {
        self.updates.get(&symbol).cloned().unwrap_or_else(|| LinearExpr::var(symbol))
    }

    /// `R := G; while R does not imply r[U] for some r of R: R := R ∪ {r[U]}`.
    fn weakest(&self, set: Vec<Constraint>) -> Option<Vec<Constraint>> {
        self.closed_by(set, |constraint| self.after(constraint))
    }

    /// The same, with `r[U] - r <= 0` for `r <= 0` that is not kept.
    fn growing(&self, set: Vec<Constraint>) -> Option<Vec<Constraint>> {
        self.closed_by(set, |constraint| {
            let after = constraint.expr().map(|symbol| self.updated(symbol));
            let nearer = Constraint::new(constraint.relation(), after - constraint.expr().clone());
            self.returned.whatever_reduced(&nearer)
        })
    }

    fn closed_by(
        &self,
        mut set: Vec<Constraint>,
        extension: impl Fn(&Constraint) -> Constraint,
    ) -> Option<Vec<Constraint>> {
        let mut n_kept = 0;
        for _ in 0..MAX_ROUNDS {
            let premises = Premises::new(&set);
            let lost: Vec<Constraint> = set[n_kept..]
                .iter()
                .filter(|it| !premises.surely_entail(&self.after(it)))
                .cloned()
                .collect();
            if lost.is_empty() {
                return self.is_closed(&set).then_some(set);
            }
            n_kept = set.len();
            for constraint in lost.iter().map(&extension) {
                if constraint.is_contradiction() || set.len() > MAX_CONSTRAINTS {
                    return None;
                }
                if !constraint.is_trivial() && !set.contains(&constraint) {
                    set.push(constraint);
                }
            }
            if is_surely_unsat(&set) {
                return None;
            }
        }
        None
    }

    fn is_closed(&self, set: &[Constraint]) -> bool {
        let premises = Premises::new(set);
        set.iter().all(|it| premises.surely_entail(&self.after(it)))
    }

    /// `x = c` for the numbers that are `c` now, and after the cycle too if all of
    /// these are.
    fn kept_numbers(&self) -> Vec<Constraint> {
        let mut kept = self.now.clone();
        loop {
            let n_before = kept.len();
            let is_kept = |symbol: &Var, number: &Integer| {
                let update = self.updated(*symbol).map(|it| match kept.get(&it) {
                    Some(number) => LinearExpr::constant(number.clone()),
                    None => LinearExpr::var(it),
                });
                update.as_constant() == Some(number)
            };
            let next = self
                .now
                .iter()
                .filter(|(symbol, number)| kept.contains_key(symbol) && is_kept(symbol, number));
            kept = next.map(|(symbol, number)| (*symbol, number.clone())).collect();
            if kept.len() == n_before {
                break;
            }
        }
        let pin = |(symbol, number)| Constraint::eq(LinearExpr::var(symbol), number);
        kept.into_iter().map(pin).collect()
    }

    /// The largest part of the candidates that the cycle keeps under the guards.
    fn houdini(&self, fixed: &[Constraint], mut candidates: Vec<Constraint>) -> Vec<Constraint> {
        loop {
            let premises = Premises::new(&[fixed, &candidates].concat());
            let n_before = candidates.len();
            candidates.retain(|it| premises.surely_entail(&self.after(it)));
            if candidates.len() == n_before {
                return candidates;
            }
        }
    }

    /// The guards and the bounds by the present numbers that are kept.
    fn bounded(&self) -> Option<Vec<Constraint>> {
        if self.now.len() > MAX_BOUNDED {
            return None;
        }
        let mut candidates = Vec::new();
        let mut add = |expr: &LinearExpr| {
            let value = expr.evaluate(|symbol| {
                self.now.get(&symbol).cloned().map_or(Rational::ZERO, Rational::from)
            });
            let value = LinearExpr::constant(value.floor());
            candidates.push(Constraint::ge(expr, value.clone()));
            candidates.push(Constraint::le(expr, value));
            candidates.push(Constraint::ge(expr, 0_i64));
            candidates.push(Constraint::le(expr, 0_i64));
        };
        let symbols: Vec<LinearExpr> = self.now.keys().map(|it| LinearExpr::var(*it)).collect();
        for (position, left) in symbols.iter().enumerate() {
            add(left);
            let n_paired = if symbols.len() <= MAX_PAIRED { position } else { 0 };
            for right in symbols.iter().take(n_paired) {
                add(&left.sub(right));
                add(&left.add(right));
            }
        }
        for (symbol, update) in &self.updates {
            let step = update.sub(&LinearExpr::var(*symbol));
            if step.variables().all(|it| matches!(Symbol::of(it), Symbol::Entry(_))) {
                add(&step);
            }
        }
        candidates.retain(|it| !it.is_trivial() && self.holds_now(std::slice::from_ref(it)));
        let kept = self.houdini(&self.guards, candidates);
        let set = [self.guards.clone(), kept].concat();
        self.is_closed(&set).then_some(set)
    }

    /// The guards, where nothing changes.
    fn fixed_point(&self) -> Option<Vec<Constraint>> {
        if self.updates.len() > MAX_SOLVED {
            return None;
        }
        let same = |(symbol, update): (&Var, &LinearExpr)| {
            Constraint::eq(LinearExpr::var(*symbol), update.clone())
        };
        let same = self.updates.iter().map(same);
        let same: Vec<Constraint> = same.map(|it| self.returned.whatever_reduced(&it)).collect();
        let set: Vec<Constraint> = [self.guards.clone(), same]
            .concat()
            .into_iter()
            .filter(|it| !it.is_trivial())
            .collect();
        (!set.iter().any(Constraint::is_contradiction) && self.is_closed(&set)).then_some(set)
    }
}
