//! Which states are alike: those whose variables have the same signs lose least when they are joined.

use super::Machine;
use heap::state::{Kind, State};
use ir::{ScalarType, Variable};
use logic::Integer;
use std::collections::BTreeMap;

/// What is known of how a number compares with 0.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Negative,
    Zero,
    Positive,
    Unknown,
}

/// So many other differences count less than one of these.
const ZERO_OR_NOT: usize = 4;

/// The signs of the numbers that globals and the variables of all calls hold.
pub(super) struct Signs(BTreeMap<(usize, Variable), Sign>);

impl Signs {
    /// Of a state.
    pub(super) fn of(machine: &Machine<'_>, state: &State) -> Self {
        let mut signs = BTreeMap::new();
        for (position, store) in state.stores.iter().enumerate() {
            for (variable, value) in store {
                let is_number = machine.type_of(*variable) != ScalarType::Pointer;
                if is_number && state.kind_of(value) == Kind::Integer {
                    let sign = if state.surely_zero(value) {
                        Sign::Zero
                    } else if state.surely_at_most_zero(&value.neg().add_constant(Integer::from(1)))
                    {
                        Sign::Positive
                    } else if state.surely_at_most_zero(&value.add_constant(Integer::from(1))) {
                        Sign::Negative
                    } else {
                        Sign::Unknown
                    };
                    signs.insert((position, *variable), sign);
                }
            }
        }
        Self(signs)
    }

    /// How many variables have another sign there. That one is 0 says most: programs ask for it.
    pub(super) fn distance(&self, other: &Self) -> usize {
        let apart = |(slot, sign): (&(usize, Variable), &Sign)| match (sign, other.0.get(slot)) {
            (_, None) => 0,
            (sign, Some(other)) if sign == other => 0,
            (Sign::Zero, _) | (_, Some(Sign::Zero)) => ZERO_OR_NOT,
            _ => 1,
        };
        self.0.iter().map(apart).sum()
    }
}
