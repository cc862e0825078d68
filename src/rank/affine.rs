//! Podelski and Rybalchenko, "A complete method for the synthesis of linear
//! ranking functions", VMCAI 2004.
//!
//! A relation has an affine ranking function exactly if a linear program over
//! the function's coefficients and Farkas multipliers is solvable: the function
//! is bounded from below wherever a step is possible, and every step decreases it.

use std::collections::BTreeSet;

use super::synthesis::{Aim, Prepared, one_component};
use crate::RankingTemplate;
use descent::{Certificate, EdgeProof, Ranking, Relation, System};

/// One affine function per location that every edge on a cycle decreases.
#[derive(Clone, Copy, Debug)]
pub struct Affine;

/// An affine ranking function of one relation, with proof. Complete over the
/// rationals.
#[must_use]
pub fn rank_relation(relation: &Relation) -> Option<Ranking> {
    let system = System::repeating([relation.clone()]);
    let prepared = Prepared::new(&system)?;
    let mut component = one_component(&prepared, &[0], Aim::Every)?;
    let function = component.functions.remove(&0)?.pop()?;
    match component.proofs.remove(&0)? {
        EdgeProof::Decreasing { decrease, bound } => Some(Ranking { function, decrease, bound }),
        EdgeProof::NonIncreasing(_)
        | EdgeProof::Bounded { .. }
        | EdgeProof::Falling(_)
        | EdgeProof::Nested { .. } => None,
    }
}

impl RankingTemplate for Affine {
    fn name(&self) -> &'static str {
        "affine"
    }

    fn rank(&self, system: &System) -> Option<Certificate> {
        let prepared = Prepared::new(system)?;
        let all: Vec<usize> = (0..system.edges.len()).collect();
        let mut components = Vec::new();
        for cycle in prepared.cycles(&all) {
            let component = one_component(&prepared, &cycle, Aim::Every)?;
            let strict: BTreeSet<usize> = component.strict_edges().collect();
            let rest: Vec<usize> = cycle.into_iter().filter(|e| !strict.contains(e)).collect();
            if !prepared.cycles(&rest).is_empty() {
                return None;
            }
            components.push(component);
        }
        Some(Certificate::of(components))
    }
}
