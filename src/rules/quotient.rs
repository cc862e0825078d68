//! Quotients by numbers that are not known.

use super::eval::{Assumption, Context, Split, Splitting, any_integer, sign_split};
use heap::state::{Kind, State};
use logic::{Constraint, LinearExpr};

impl Context<'_> {
    /// ```text
    ///       0 ≤ x < y                          0 < y ≤ x
    ///   ──────────────────   ──────────────────────────────────────────────
    ///   x / y = 0, x % y = x   1 ≤ x / y ≤ x,  0 ≤ x % y < y,  x % y ≤ x - y
    /// ```
    ///
    /// If y ≥ 2, even 2 (x / y) ≤ x.
    pub(super) fn divide_by_unknown(
        &mut self,
        state: &mut State,
        left: &LinearExpr,
        right: &LinearExpr,
    ) -> Result<(LinearExpr, LinearExpr), Split> {
        if !are_integers(state, left, right) || !state.surely_at_most_zero(&right.neg()) {
            return Ok((any_integer(state), any_integer(state)));
        }
        let is_positive = state.surely_at_most_zero(&left.neg());
        let is_less = left.sub(right).add_constant(1);
        if is_positive && state.surely_at_most_zero(&is_less) {
            return Ok((LinearExpr::zero(), left.clone()));
        }
        let is_more = right.sub(left);
        let fits = state.surely_at_most_zero(&is_more);
        if is_positive && !fits && self.splitting == Splitting::Allowed {
            let case = |it| vec![Assumption::AtMostZero(it)];
            return Err(vec![case(is_less), case(is_more)]);
        }
        let (quotient, remainder) = (any_integer(state), any_integer(state));
        if is_positive {
            for constraint in [
                Constraint::ge(&remainder, 0),
                Constraint::lt(&remainder, right),
                Constraint::le(&remainder, left),
            ] {
                let _ = state.assume_constraint(constraint);
            }
            let is_two = state.surely_at_most_zero(&right.neg().add_constant(2));
            assume_part(state, &quotient, (left, is_two.then_some(2)));
            if fits {
                let _ = state.assume_constraint(Constraint::ge(&quotient, 1));
                let _ = state.assume_constraint(Constraint::le(&remainder, left.sub(right)));
            }
        } else if self.splitting == Splitting::Allowed && !state.surely_at_most_zero(left) {
            return Err(sign_split(left));
        }
        Ok((quotient, remainder))
    }
}

/// `x >> y` for numbers that are not negative: s ≤ x; if y ≥ 1, even 2 s ≤ x.
pub(super) fn shift_by_unknown(
    state: &mut State,
    left: &LinearExpr,
    right: &LinearExpr,
) -> LinearExpr {
    let shifted = any_integer(state);
    let are_known = are_integers(state, left, right)
        && state.surely_at_most_zero(&left.neg())
        && state.surely_at_most_zero(&right.neg());
    if are_known {
        let is_one = state.surely_at_most_zero(&right.neg().add_constant(1));
        assume_part(state, &shifted, (left, is_one.then_some(2)));
    }
    shifted
}

fn are_integers(state: &State, left: &LinearExpr, right: &LinearExpr) -> bool {
    state.kind_of(left) == Kind::Integer && state.kind_of(right) == Kind::Integer
}

/// That a number is not negative and fits so many times into another one, at least once.
fn assume_part(state: &mut State, part: &LinearExpr, (whole, times): (&LinearExpr, Option<i64>)) {
    let multiple = part.scale(&times.unwrap_or(1).into());
    for constraint in [Constraint::ge(part, 0), Constraint::le(&multiple, whole)] {
        let _ = state.assume_constraint(constraint);
    }
}
