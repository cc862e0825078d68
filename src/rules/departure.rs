//! Where execution goes on from an abstract state at a cutpoint.

use super::Semantics;
use evidence::place::{NodeId, Place};
use heap::state::State;

/// The place and state from which a node is explored; `None` when nothing
/// comes after it, or its numbers contradict each other.
#[must_use]
pub fn departure(
    machine: &Semantics<'_>,
    id: NodeId,
    place: &Place,
    node: &State,
) -> Option<(Place, State)> {
    place.site()?;
    let start = start_of(node)?;
    if place.is_entry() && place.site()?.procedure != machine.program.entry {
        return Some((place.inside(id), machine.with_ghosts(start)));
    }
    Some((place.clone(), start))
}

/// The state from which a node is explored: all variables seeded (CAV'06 §4,
/// `SEED`), and what the numbers fix put into the heap. `None` when the numbers
/// contradict each other.
#[must_use]
pub fn start_of(node: &State) -> Option<State> {
    let mut state = node.clone();
    state.vocabulary.seed_all();
    for equality in node.plain_numbers().implied_equalities() {
        if state.assume_zero(equality.expr()).is_empty() {
            return None;
        }
    }
    Some(state)
}
