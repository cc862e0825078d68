//! Values of which nothing is known but their type, or a range.

use super::Semantics;
use heap::state::{Kind, State};
use ir::{IntKind, ScalarType};
use logic::{Constraint, Integer, LinearExpr, Var};
use obligation::Inputs;

/// A fresh variable that may be any value of a type.
pub fn any_of_type(state: &mut State, ty: ScalarType) -> LinearExpr {
    match ty {
        ScalarType::Int(kind) if kind.signed && kind.bits >= 32 => any_integer(state),
        ScalarType::Int(kind) => any_in_range(state, kind),
        ScalarType::Pointer | ScalarType::Float(_) => state.fresh(Kind::Unknown).into(),
    }
}

impl Semantics<'_> {
    /// Any value that something of a type may hold.
    pub(super) fn any_value(&self, state: &mut State, ty: ScalarType) -> LinearExpr {
        match (self.inputs, ty) {
            (Inputs::Wrapping, ScalarType::Int(kind)) => any_in_range(state, kind),
            _ => any_of_type(state, ty),
        }
    }

    /// What memory holds of a type is of its range, where all is that is held.
    pub(super) fn bound(&self, state: &mut State, ty: ScalarType, value: &LinearExpr) {
        let ScalarType::Int(kind) = ty else { return };
        let is_number = value.as_constant().is_none() && state.kind_of(value) == Kind::Integer;
        if self.inputs == Inputs::Wrapping && is_number {
            let (least, most) = bounds(kind);
            let (least, most) = (LinearExpr::constant(least), LinearExpr::constant(most));
            state.facts.numbers.assume(Constraint::ge(value.clone(), least));
            state.facts.numbers.assume(Constraint::le(value.clone(), most));
        }
    }
}

/// A fresh integer in the range of a type.
pub(super) fn any_in_range(state: &mut State, kind: IntKind) -> LinearExpr {
    let (min, max) = bounds(kind);
    any_between(state, min, max).into()
}

/// A fresh integer.
pub fn any_integer(state: &mut State) -> LinearExpr {
    state.fresh(Kind::Integer).into()
}

/// The smallest and the largest number of a type.
pub(super) fn bounds(kind: IntKind) -> (Integer, Integer) {
    let power = |bits: u8| {
        let low = bits.min(126);
        let rest = 1_i128 << (bits - low);
        &Integer::from(1_i128 << low) * &Integer::from(rest)
    };
    if kind.signed {
        let limit = power(kind.bits - 1);
        (-&limit, &limit - &Integer::from(1))
    } else {
        (Integer::from(0), &power(kind.bits) - &Integer::from(1))
    }
}

pub(super) fn any_between(
    state: &mut State,
    min: impl Into<Integer>,
    max: impl Into<Integer>,
) -> Var {
    let variable = state.fresh(Kind::Integer);
    let _ = state.assume_constraint(Constraint::ge(variable, LinearExpr::constant(min.into())));
    let _ = state.assume_constraint(Constraint::le(variable, LinearExpr::constant(max.into())));
    variable
}
