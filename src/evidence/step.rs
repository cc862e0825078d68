//! Steps between abstract states, and why an arriving state is described by another.

use super::place::{NodeId, Site};
use heap::proof::Proof;
use logic::{Farkas, LinearExpr};
use numeric::polyhedron::Polyhedron;

/// A step from one abstract state to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// Where the call is, if the step starts a recursive procedure.
    pub call: Option<Site>,
    /// Why the state that arrives is one that `to` describes.
    pub cover: Cover,
    /// Constraints between the variables of `from` (as they are) and those of
    /// `to` (moved up by the number of variables of `from`).
    pub relation: Polyhedron,
}

/// Why an arriving state is one that a node describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// What each variable of the node stands for, over the variables of the
    /// arriving state and, behind those, arbitrary values.
    pub binding: Vec<LinearExpr>,
    /// How each atom of the node is made up of those of the arriving state.
    pub proofs: Vec<Proof>,
    /// Why what the node says of numbers holds, in the order in which the check asks
    /// for it (`verdict::cover`). An argument that is not yet to be checked has none.
    pub multipliers: Vec<Farkas>,
}

impl Cover {
    /// A cover without multipliers.
    #[must_use]
    pub fn of(binding: Vec<LinearExpr>, proofs: Vec<Proof>) -> Self {
        Self { binding, proofs, multipliers: Vec::new() }
    }
}
