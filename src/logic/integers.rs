//! Integer solutions of linear constraints, near values that are wished for.

use super::Var;
use super::linear::Constraint;
use super::number::{Integer, Rational};
use super::simplex::{Optimizer, Optimum};
use std::collections::{BTreeMap, BTreeSet};

/// How many values of one variable are tried.
const MAX_TRIES: usize = 4;
/// How far from the nearest value they may lie.
const MAX_DISTANCE: i64 = 40;

/// An integer solution of the constraints in which a variable has the value that
/// `wish` names for it wherever the constraints leave that open. Variables that
/// do not occur are not listed. Nothing when there is none, or when none was
/// found with so much effort (each about two simplex runs on a few dozen constraints).
#[must_use]
pub fn solution(
    constraints: &[Constraint],
    wish: &dyn Fn(Var) -> Integer,
    effort: usize,
) -> Option<BTreeMap<Var, Integer>> {
    let (mut unmet, mut met): (Vec<&Constraint>, Vec<&Constraint>) =
        constraints.iter().partition(|it| !it.holds(|v| Rational::from(wish(v))));
    let mut values: BTreeMap<Var, Integer> =
        met.iter().flat_map(|it| it.expr().variables()).map(|v| (v, wish(v))).collect();
    // Only what hangs together with an unmet constraint has to change.
    let mut open: BTreeSet<Var> = BTreeSet::new();
    loop {
        open.extend(unmet.iter().flat_map(|it| it.expr().variables()));
        let (touched, rest): (Vec<_>, Vec<_>) =
            met.iter().partition(|it| it.expr().variables().any(|v| open.contains(&v)));
        if touched.is_empty() {
            break;
        }
        unmet.extend(touched);
        met = rest;
    }
    let system: Vec<Constraint> = unmet.into_iter().cloned().collect();
    let variables: Vec<Var> = open.into_iter().collect();
    let mut search = Search { wish, effort };
    values.extend(search.solve(system, &variables)?);
    let value_of = |v: Var| Rational::from(values.get(&v).cloned().unwrap_or_default());
    constraints.iter().all(|it| it.holds(value_of)).then_some(values)
}

/// Whether each equality, with this value for the variable, has integer solutions
/// by itself: the divisor of the other coefficients divides the rest.
fn has_partners(system: &[Constraint], variable: Var, value: &Integer) -> bool {
    let mut equalities = system.iter().filter(|it| it.is_equality() && it.mentions(variable));
    equalities.all(|it| !it.substitute(variable, &value.clone().into()).is_contradiction())
}

struct Search<'a> {
    wish: &'a dyn Fn(Var) -> Integer,
    effort: usize,
}

impl Search<'_> {
    /// Fixes the variables one by one, each as near to its wish as possible.
    fn solve(
        &mut self,
        mut system: Vec<Constraint>,
        variables: &[Var],
    ) -> Option<BTreeMap<Var, Integer>> {
        system.retain(|it| !it.is_trivial());
        if system.iter().any(Constraint::is_contradiction) {
            return None;
        }
        let is_met = |it: &Constraint| it.holds(|v| Rational::from((self.wish)(v)));
        let Some((&first, rest)) = variables.split_first() else {
            return system.is_empty().then(BTreeMap::new);
        };
        if system.iter().all(is_met) {
            return Some(variables.iter().map(|v| (*v, (self.wish)(*v))).collect());
        }
        for value in self.candidates(&system, first) {
            self.effort = self.effort.checked_sub(1 + system.len() * variables.len() / 1024)?;
            let fixed = value.clone().into();
            let narrowed = system.iter().map(|it| it.substitute(first, &fixed)).collect();
            if let Some(mut values) = self.solve(narrowed, rest) {
                values.insert(first, value);
                return Some(values);
            }
        }
        None
    }

    fn candidates(&mut self, system: &[Constraint], variable: Var) -> Vec<Integer> {
        let mut optimizer = Optimizer::new(system);
        let least = match optimizer.minimize(&variable.into()) {
            Optimum::Bounded(value) => Some(value.ceil()),
            Optimum::Unbounded | Optimum::Unknown => None,
            Optimum::Infeasible => return Vec::new(),
        };
        let greatest = match optimizer.maximize(&variable.into()) {
            Optimum::Bounded(value) => Some(value.floor()),
            Optimum::Unbounded | Optimum::Unknown => None,
            Optimum::Infeasible => return Vec::new(),
        };
        let is_inside = |value: &Integer| {
            least.as_ref().is_none_or(|it| it <= value)
                && greatest.as_ref().is_none_or(|it| value <= it)
        };
        let wish = (self.wish)(variable);
        let nearest = match (&least, &greatest) {
            (Some(least), _) if wish < *least => least.clone(),
            (_, Some(greatest)) if wish > *greatest => greatest.clone(),
            _ => wish,
        };
        let around = (0..=MAX_DISTANCE).flat_map(|distance| [distance, -distance]).skip(1);
        let mut candidates: Vec<Integer> = around
            .map(|it| &nearest + Integer::from(it))
            .filter(|value| is_inside(value) && has_partners(system, variable, value))
            .take(MAX_TRIES)
            .collect();
        candidates.dedup();
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LinearExpr;
    use proptest::prelude::*;

    fn x() -> LinearExpr {
        LinearExpr::var(Var(0))
    }

    fn y() -> LinearExpr {
        LinearExpr::var(Var(1))
    }

    #[test]
    fn parity_is_respected() {
        let double = x().scale(&Integer::from(2_i64));
        let constraints =
            [Constraint::eq(double, y().add_constant(1_i64)), Constraint::ge(y(), 4_i64)];
        let found = solution(&constraints, &|_| Integer::ZERO, 50).unwrap();
        assert_eq!(found, BTreeMap::from([(Var(0), 3_i64.into()), (Var(1), 5_i64.into())]));
    }

    #[test]
    fn wishes_are_kept_where_they_may() {
        let constraints = [Constraint::ge(x(), 7_i64), Constraint::le(y(), 3_i64)];
        let found = solution(&constraints, &|_| Integer::ONE, 50).unwrap();
        assert_eq!(found, BTreeMap::from([(Var(0), 7_i64.into()), (Var(1), 1_i64.into())]));
    }

    proptest! {
        #[test]
        fn what_is_found_solves_and_small_solutions_are_found(
            rows in prop::collection::vec((-3_i64..4, -3_i64..4, -6_i64..7), 1..5)
        ) {
            let row = |(a, b, c): &(i64, i64, i64)| {
                let terms = [(Var(0), (*a).into()), (Var(1), (*b).into())];
                Constraint::at_most_zero(LinearExpr::from_terms(terms, *c))
            };
            let constraints: Vec<Constraint> = rows.iter().map(row).collect();
            let holds = |x: i64, y: i64| {
                let value = |v: Var| Rational::from(Integer::from(if v == Var(0) { x } else { y }));
                constraints.iter().all(|it| it.holds(value))
            };
            let is_solvable = (-9..10).any(|x| (-9..10).any(|y| holds(x, y)));
            let found = solution(&constraints, &|_| Integer::ZERO, 200);
            if let Some(values) = &found {
                let value = |v: Var| Rational::from(values.get(&v).cloned().unwrap_or_default());
                prop_assert!(constraints.iter().all(|it| it.holds(value)));
            } else if is_solvable {
                // Gaps between rational and integer solutions may hide one.
                prop_assume!(false);
            }
        }
    }
}
