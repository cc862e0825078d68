//! Which atoms program variables reach.

use super::Atom;
use super::state::{Kind, State};
use crate::logic::Var;
use std::collections::BTreeSet;

impl Atom {
    /// The addresses at which the atom's own nodes start or are entered.
    #[must_use]
    pub fn own_addresses(&self, state: &State) -> Vec<Var> {
        match self {
            Self::Block(block) => vec![block.base],
            Self::Instance(instance) => instance
                .anchors()
                .flat_map(|(_, root)| root.variables())
                .filter(|variable| state.vocabulary.kind(*variable) != Kind::Integer)
                .collect(),
        }
    }
}

/// For each atom, whether it is reached from some of the variables.
#[must_use]
pub fn reached(state: &State, mut from: BTreeSet<Var>) -> Vec<bool> {
    let mut is_reached = vec![false; state.heap.atoms.len()];
    loop {
        let mut grew = false;
        for (index, atom) in state.heap.atoms.iter().enumerate() {
            if !is_reached[index]
                && atom.own_addresses(state).iter().any(|address| from.contains(address))
            {
                is_reached[index] = true;
                grew = true;
                atom.for_each_expr(&mut |expr| from.extend(expr.variables()));
            }
        }
        if !grew {
            return is_reached;
        }
    }
}
