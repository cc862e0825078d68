//! Products of two unknown integers: linear facts about them.
//!
//! With bounds `l <= x <= u` and `m <= y <= v`, as far as there are any, no product
//! of two of the differences `x - l`, `u - x`, `y - m`, `v - y` of different numbers
//! is negative; multiplied out, that is linear in `x`, `y` and `x*y` (McCormick,
//! Mathematical Programming 1976). A square is at least the number and its opposite.

use super::eval::any_integer;
use crate::heap::state::{Kind, State};
use crate::logic::{Constraint, Integer, LinearExpr};

/// Bounds beyond this are not used.
const FAR: i64 = 1 << 40;

/// The value of `left * right`, and what is known of it.
pub(super) fn multiply(state: &mut State, left: &LinearExpr, right: &LinearExpr) -> LinearExpr {
    let is_number = |value: &LinearExpr| state.kind_of(value) == Kind::Integer;
    let are_numbers = is_number(left) && is_number(right);
    for (value, factor) in [(left, right), (right, left)] {
        match factor.as_constant() {
            Some(factor) if are_numbers || factor.is_zero() || factor.is_one() => {
                return value.scale(factor);
            }
            _ => {}
        }
    }
    let product = any_integer(state);
    if !are_numbers {
        return product;
    }
    if left == right {
        for least in [left.clone(), left.neg()] {
            let _ = state.assume_constraint(Constraint::ge(&product, least));
        }
    }
    let corners = |bounds: Bounds| [(1, bounds.0), (-1, bounds.1)];
    let (of_left, of_right) = (near(state, left), near(state, right));
    for (sign, bound) in corners(of_left) {
        for (other_sign, other) in corners(of_right.clone()) {
            if let (Some(bound), Some(other)) = (&bound, &other) {
                // sign * (x - bound) * other_sign * (y - other) >= 0
                let expanded = product
                    .add_scaled(left, &-other)
                    .add_scaled(right, &-bound)
                    .add_constant(bound * other);
                let expanded = expanded.scale(&Integer::from(sign * other_sign));
                let _ = state.assume_constraint(Constraint::ge(expanded, 0));
            }
        }
    }
    product
}

/// The least and the greatest value, as far as they exist.
type Bounds = (Option<Integer>, Option<Integer>);

/// The bounds of a number, but no far ones.
fn near(state: &State, value: &LinearExpr) -> Bounds {
    let (low, high) = state.facts.numbers.bounds(value);
    let far = Integer::from(FAR);
    (low.filter(|it| it.abs() <= far), high.filter(|it| it.abs() <= far))
}
