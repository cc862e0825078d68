//! Conditions by which states are divided into cases.

use heap::state::State;
use ir::Variable;
use logic::LinearExpr;

/// The condition `low < high` on two integer variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Condition {
    /// The left side.
    pub low: Variable,
    /// The right side.
    pub high: Variable,
}

impl Condition {
    /// The parts of a state in which it holds, and in which it does not. Where the variables
    /// have no values, that is the state.
    #[must_use]
    pub fn parts(self, state: State) -> Vec<State> {
        let Some(excess) = self.excess(&state) else { return vec![state] };
        let mut other = state.clone();
        let mut holds = state;
        let mut parts = Vec::new();
        if !holds.assume_at_most_zero(&excess).is_empty() {
            parts.push(holds);
        }
        if !other.assume_at_most_zero(&excess.neg().add_constant(1)).is_empty() {
            parts.push(other);
        }
        parts
    }

    /// Whether it is known to hold, or not to.
    #[must_use]
    pub fn is_known(self, state: &State) -> Option<bool> {
        let excess = self.excess(state)?;
        if state.surely_at_most_zero(&excess) {
            return Some(true);
        }
        state.surely_at_most_zero(&excess.neg().add_constant(1)).then_some(false)
    }

    /// What is at most 0 if and only if it holds.
    fn excess(self, state: &State) -> Option<LinearExpr> {
        let stores = 0..state.stores.len();
        let value = |variable| stores.clone().rev().find_map(|it| state.value_in(it, variable));
        let (low, high) = (value(self.low)?, value(self.high)?);
        Some(low.add(&high.neg()).add_constant(1))
    }
}
