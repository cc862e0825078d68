//! Conjuncts that would do (§5).
//!
//! The paper takes a cycle of the thread that the environment lets go on for ever, and ranks it
//! in isolation: the environment is to let that measure not grow. Here all cycles of the thread
//! are ranked in isolation at once; each measure gives a conjunct.

use super::{Parallel, Promise};
use evidence::certificate::Certificate;
use heap::state::Kind;
use ir::Variable;
use logic::Var;
use std::collections::{BTreeMap, BTreeSet};

/// Larger factors are left out.
const LARGEST_FACTOR: i128 = 1 << 20;

/// What must not grow so that the measures of the thread in isolation do not: the parts of them
/// that others change.
#[must_use]
pub fn of_ranking(parallel: &Parallel, in_isolation: &Certificate) -> BTreeSet<Promise> {
    let changing = parallel.changing();
    let origins = in_isolation.origins();
    let mut found = BTreeSet::new();
    let ranked: Vec<BTreeMap<Var, Variable>> = in_isolation
        .nodes
        .iter()
        .map(|node| {
            let globals = node.state.stores.first().into_iter().flatten();
            let held = globals.filter(|(variable, _)| changing.contains(variable));
            held.filter_map(|(variable, value)| Some((value.as_var()?, *variable))).collect()
        })
        .collect();
    for component in &in_isolation.ranking.components {
        for (location, functions) in &component.functions {
            let Some(node) = origins.get(*location) else { continue };
            let (Some(names), Some(state)) =
                (ranked.get(*node), in_isolation.nodes.get(*node).map(|it| &it.state))
            else {
                continue;
            };
            let positions: Vec<Var> = state.vocabulary.of_kind(Kind::Integer).collect();
            for function in functions {
                let terms = positions.iter().zip(&function.coefficients);
                let shared = terms.filter_map(|(var, factor)| {
                    Some((*names.get(var)?, factor.to_i128()?)).filter(|(_, factor)| *factor != 0)
                });
                found.extend(promise(shared.collect()));
            }
        }
    }
    found
}

/// That a variable goes in one direction only, for each that others change and each direction.
#[must_use]
pub fn of_directions(parallel: &Parallel) -> BTreeSet<Promise> {
    let of = |variable: Variable| [1, -1].map(|factor| BTreeMap::from([(variable, factor)]));
    parallel.changing().into_iter().flat_map(of).filter_map(promise).collect()
}

/// The promise that a measure does not grow.
fn promise(measure: BTreeMap<Variable, i128>) -> Option<Promise> {
    let is_small = measure.values().all(|factor| factor.abs() <= LARGEST_FACTOR);
    (is_small && !measure.is_empty()).then(|| Promise { measure, unless: BTreeSet::new() })
}
