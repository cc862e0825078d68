//! The search for an abstract state that describes another one.

use super::Machine;
use super::abstraction::folded;
use super::fixpoint::Precision;
use base::budget::{Budget, Exhausted};
use entail::entailment::entail;
use evidence::place::{NodeId, Place};
use heap::fold_precision::FoldPrecision;
use heap::matching::Match;
use heap::proof::Proof;
use heap::state::State;

/// The abstract states that an analysis has so far.
pub trait States {
    /// The states at a place, in a fixed order.
    fn at(&self, place: &Place) -> Vec<(NodeId, &State)>;

    /// What became of the states at one place.
    fn precision(&self) -> Precision {
        Precision::Abstract
    }
}

/// A state that describes another one.
pub struct Covering {
    /// Which state it is.
    pub id: NodeId,
    /// The described state, folded.
    pub folded: State,
    /// How each atom of that is made up of the atoms before.
    pub parts: Vec<Proof>,
    /// How it is described.
    pub found: Match,
}

/// The first state at the place that describes the given one.
///
/// # Errors
/// When the budget runs out.
pub fn covering(
    machine: &Machine<'_>,
    states: &dyn States,
    place: &Place,
    state: &State,
    budget: &mut Budget,
) -> Result<Option<Covering>, Exhausted> {
    let known = states.at(place);
    budget.spend(cost_of_matching(state, known.len()))?;
    let with = |folded: State, parts: Vec<Proof>| {
        let covers = |(id, known): &(NodeId, &State)| {
            let found = entail(&folded, known, machine.shape_library)?;
            let covered = found.keeps_facts() && found.is_covered(&folded, known);
            let is_plain = !found.drops_elements(&folded, known);
            covered.then_some((*id, found, is_plain))
        };
        // One in which elements of arrays keep their names tells more.
        let mut best = None;
        for (id, found, is_plain) in known.iter().filter_map(covers) {
            if is_plain || best.is_none() {
                best = Some((id, found));
            }
            if is_plain {
                break;
            }
        }
        best.map(|(id, found)| Covering { id, folded, parts, found })
    };
    let finest = Some(machine.strategy.finest).filter(|care| *care == FoldPrecision::KeepBounds);
    let cares: &[FoldPrecision] = match states.precision() {
        Precision::Abstract if machine.strategy.finest == FoldPrecision::KeepLinks => {
            &[FoldPrecision::KeepLinks]
        }
        Precision::Abstract => {
            &[FoldPrecision::KeepValues, FoldPrecision::KeepOwned, FoldPrecision::LoseOwned]
        }
        // Nothing was folded there.
        Precision::Exact => &[],
    };
    for care in finest.into_iter().chain(cares.iter().copied()) {
        let (folded, parts) = folded(machine, (place, state.clone()), care, budget)?;
        if let Some(found) = with(folded, parts) {
            return Ok(Some(found));
        }
    }
    Ok(with(state.clone(), (0..state.heap.atoms.len()).map(Proof::Same).collect()))
}

/// The steps that it takes to match a state with so many others.
pub(super) fn cost_of_matching(state: &State, n_known: usize) -> u64 {
    let n_known = n_known as u64;
    n_known / 32 + (n_known + 1).saturating_mul(state.matching_cost())
}
