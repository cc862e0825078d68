//! What attempts at proofs of candidates come to.

use base::budget::Budget;
use heap::Atom;
use heap::shape::ShapeId;
use heap::state::State;
use std::collections::BTreeSet;
use verdict::check::Defect;
use verdict::{Reason, Unknown};

/// What comes of the attempts at a proof by all plans.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Attempt {
    /// A proof.
    Proof,
    /// With each plan something may go wrong.
    Hopeless,
    /// With some plan there were too few steps, or too many states; with the others something
    /// may go wrong.
    Costly,
    /// There is no measure, with some plan.
    Failed,
}

/// Whether an attempt, of which these steps are left, needed more.
pub(super) fn is_short(unknown: &Unknown, steps: &Budget) -> bool {
    let no_check = Reason::Rejected(Defect::Budget);
    steps.is_spent() || unknown.is_cut_short() || unknown.reasons.contains(&no_check)
}

/// What an attempt by one plan came to that found no proof, and of which these steps are left.
pub(super) fn failed(unknown: &Unknown, steps: &Budget) -> Attempt {
    let is_costly = |reason: &Reason| matches!(reason, Reason::TooManyStates(_));
    if is_short(unknown, steps) || unknown.reasons.iter().any(is_costly) {
        return Attempt::Costly;
    }
    let is_alarm = |reason: &Reason| matches!(reason, Reason::Alarm(_));
    let goes_wrong = !unknown.reasons.is_empty() && unknown.reasons.iter().all(is_alarm);
    if goes_wrong { Attempt::Hopeless } else { Attempt::Failed }
}

/// The shapes of the instances in preconditions.
pub(super) fn shapes_of(requires: &[State]) -> BTreeSet<ShapeId> {
    let atoms = requires.iter().flat_map(|state| &state.heap.atoms);
    let instances = atoms.filter_map(|atom| match atom {
        Atom::Instance(instance) => Some(instance.shape),
        Atom::Block(_) => None,
    });
    instances.collect()
}
