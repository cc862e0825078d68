//! What a state can be made to know, and whether it knows that already.

use super::eval::Assumption;
use heap::facts::Sat;
use heap::state::State;
use logic::LinearExpr;

impl Assumption {
    /// What it speaks of.
    pub(super) fn value(&self) -> &LinearExpr {
        match self {
            Self::Zero(value) | Self::NonZero(value) | Self::AtMostZero(value) => value,
        }
    }

    /// Adds the assumption to a state.
    pub fn apply(&self, state: &mut State) -> Sat {
        match self {
            Self::Zero(value) => state.assume_zero(value),
            Self::NonZero(value) => state.assume_nonzero(value),
            Self::AtMostZero(value) => state.assume_at_most_zero(value),
        }
    }

    /// What holds when this does not.
    #[must_use]
    pub fn negation(&self) -> Self {
        match self {
            Self::Zero(value) => Self::NonZero(value.clone()),
            Self::NonZero(value) => Self::Zero(value.clone()),
            Self::AtMostZero(value) => Self::AtMostZero(value.neg().add_constant(1)),
        }
    }

    /// Whether the state surely is as it says.
    pub(super) fn surely_holds(&self, state: &State) -> bool {
        match self {
            Self::Zero(value) => state.surely_zero(value),
            Self::NonZero(value) => state.surely_nonzero(value),
            Self::AtMostZero(value) => state.surely_at_most_zero(value),
        }
    }
}
