//! Products of two unknown integers: linear facts about them.
//!
//! With bounds `l <= x <= u` and `m <= y <= v`, as far as there are any, no product
//! of two of the differences `x - l`, `u - x`, `y - m`, `v - y` of different numbers
//! is negative; multiplied out, that is linear in `x`, `y` and `x*y` (McCormick,
//! Mathematical Programming 1976). A square is at least the number and its opposite.
//!
//! The state remembers products ([`crate::heap::products`]). Two of them with a common
//! factor have a difference that is a product again: `rows*columns - i*columns` is
//! `(rows - i)*columns`, which is at least `columns` where `i < rows`.

use super::eval::any_integer;
use crate::heap::products::Product;
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
    if !are_numbers {
        return any_integer(state);
    }
    let ((left, of_left), (right, of_right)) = (primitive(left), primitive(right));
    unknown_product(state, &left, &right).scale(&(&of_left * &of_right))
}

/// A number that no constant divides, and the constant by which it was divided.
fn primitive(value: &LinearExpr) -> (LinearExpr, Integer) {
    let content = value.content().gcd(value.constant_part());
    match value.div_exact(&content) {
        Some(rest) if !content.is_zero() => (rest, content),
        _ => (value.clone(), Integer::from(1)),
    }
}

/// The same, where no factor is a constant or a multiple of something.
fn unknown_product(state: &mut State, left: &LinearExpr, right: &LinearExpr) -> LinearExpr {
    let value = any_integer(state);
    if left == right {
        for least in [left.clone(), left.neg()] {
            let _ = state.assume_constraint(Constraint::ge(&value, least));
        }
    }
    let (left, right) = (left.clone(), right.clone());
    let product = Product { factor: Integer::from(1), left, right, value: value.clone() };
    bound(state, &product);
    for known in state.facts.products.clone() {
        for difference in differences(state, &known, &product) {
            bound(state, &difference);
        }
    }
    state.note_product(product);
    value
}

/// What a product is at least and at most, by the bounds of its factors.
fn bound(state: &mut State, product: &Product) {
    let Product { factor, left, right, value } = product;
    let corners = |bounds: Bounds| [(1, bounds.0), (-1, bounds.1)];
    let (of_left, of_right) = (near(state, left), near(state, right));
    for (sign, bound) in corners(of_left) {
        for (other_sign, other) in corners(of_right.clone()) {
            if let (Some(bound), Some(other)) = (&bound, &other) {
                // sign * (x - bound) * other_sign * (y - other) >= 0
                let rest = LinearExpr::constant(bound * other)
                    .add_scaled(left, &-other)
                    .add_scaled(right, &-bound);
                let expanded = value.add(&rest.scale(factor));
                let sign = sign * other_sign * factor.signum();
                let expanded = expanded.scale(&Integer::from(sign));
                let _ = state.assume_constraint(Constraint::ge(expanded, 0));
            }
        }
    }
}

/// ```text
///   f·x·z = v    y·z = w
///   ─────────────────────
///   f·(x - y)·z = v - f·w
/// ```
///
/// The differences of a known product and a new one, whose own factor is 1, for each way
/// in which they have a factor in common.
fn differences(state: &State, known: &Product, new: &Product) -> Vec<Product> {
    let mut found = Vec::new();
    for (given, common) in [(&known.left, &known.right), (&known.right, &known.left)] {
        for (own, same) in [(&new.left, &new.right), (&new.right, &new.left)] {
            if state.surely_zero(&same.sub(common)) {
                let value = known.value.sub(&new.value.scale(&known.factor));
                let (left, right) = (given.sub(own), common.clone());
                found.push(Product { factor: known.factor.clone(), left, right, value });
            }
        }
    }
    found
}

/// The least and the greatest value, as far as they exist.
type Bounds = (Option<Integer>, Option<Integer>);

/// The bounds of a number, but no far ones.
fn near(state: &State, value: &LinearExpr) -> Bounds {
    let (low, high) = state.facts.numbers.bounds(value);
    let far = Integer::from(FAR);
    (low.filter(|it| it.abs() <= far), high.filter(|it| it.abs() <= far))
}
