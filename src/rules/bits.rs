//! Quotients by constants, and bits of numbers that are not known.
//!
//! A mask is a sum of quotients: with the bits from `a` up to but not including `b`,
//!
//! ```text
//!   x & mask = 2ᵃ·⌊x / 2ᵃ⌋ - 2ᵇ·⌊x / 2ᵇ⌋
//!   x | mask = x + mask - (x & mask)         x ^ mask = x + mask - 2·(x & mask)
//! ```
//!
//! and a mask of several such ranges is the sum of them. All of this holds for negative numbers
//! in two's complement, too. So a bit that is tested and then cleared is the same quotient twice:
//! the number becomes less by this bit.

use super::arbitrary::any_integer;
use super::eval::{Assumption, Context, Split, Splitting, small};
use heap::state::{Kind, State};
use ir::semantics::floors_of_mask;
use logic::{Constraint, Integer, LinearExpr, Var};
use std::collections::BTreeSet;

/// A mask of more quotients than this is no sum: it would say little for much work.
const MOST_FLOORS: usize = 4;
/// Powers beyond this one are no numbers of programs.
const WIDEST: u32 = 120;
/// So many numbers of a state are tried as a quotient that it knows already.
const MOST_TRIED: usize = 4;
/// Counts of shifts beyond this say nothing.
const MOST_SHIFT: i64 = 64;

impl Context<'_> {
    /// `value = divisor * q + r` with `0 ≤ r < divisor`, for a positive divisor.
    pub(super) fn divide_floor(
        &self,
        state: &mut State,
        value: &LinearExpr,
        divisor: &Integer,
    ) -> Result<(LinearExpr, LinearExpr), Split> {
        if state.kind_of(value) != Kind::Integer {
            return Ok((any_integer(state), any_integer(state)));
        }
        let quotient = self.floor(state, value, divisor)?;
        let remainder = value.sub(&quotient.scale(divisor));
        Ok((quotient, remainder))
    }

    /// ```text
    ///   ⌊(d·e + r) / d⌋ = e + ⌊r / d⌋      0 ≤ r < d ⟹ ⌊r / d⌋ = 0
    /// ```
    ///
    /// Where a quotient may be one of two numbers, it is so by cases: an index that goes round
    /// a buffer does so in one of them. What else there is has a name, which is the same one if
    /// it is asked for again.
    fn floor(
        &self,
        state: &mut State,
        value: &LinearExpr,
        divisor: &Integer,
    ) -> Result<LinearExpr, Split> {
        let (multiple, rest) = multiple_and_rest(value, divisor);
        if rest.as_constant().is_some() {
            return Ok(multiple);
        }
        if let (Some(low), Some(high)) = state.facts.numbers.bounds(&rest) {
            let (least, most) = (low.div_floor(divisor), high.div_floor(divisor));
            if least == most {
                return Ok(multiple.add_constant(least));
            }
            if &most - &least == Integer::from(1) && self.splitting == Splitting::Allowed {
                let beyond = rest.add_constant(-&(&most * divisor));
                let case = |it| vec![Assumption::AtMostZero(it)];
                return Err(vec![case(beyond.add_constant(1)), case(beyond.neg())]);
            }
        }
        Ok(multiple.add(&named_floor(state, &rest, divisor)))
    }

    /// `value & mask`, where that is a sum of few quotients.
    pub(super) fn masked(
        &self,
        state: &mut State,
        value: &LinearExpr,
        mask: i128,
    ) -> Result<Option<LinearExpr>, Split> {
        let floors = floors_of_mask(mask);
        let is_wide = floors.iter().any(|(position, _)| *position > WIDEST);
        if floors.len() > MOST_FLOORS || is_wide || state.kind_of(value) != Kind::Integer {
            return Ok(None);
        }
        let is_positive = state.surely_at_most_zero(&value.neg());
        let mut result = LinearExpr::zero();
        // Quotients of quotients: then it is known that each is at most a part of the one before.
        let (mut quotient, mut bits) = (value.clone(), 0);
        for (position, sign) in floors {
            let divisor = Integer::from(1_i128 << (position - bits));
            quotient = self.floor(state, &quotient, &divisor)?;
            bits = position;
            if is_positive && quotient.as_constant().is_none() {
                let _ = state.assume_constraint(Constraint::ge(&quotient, 0));
            }
            let power = &Integer::from(1_i128 << position) * &Integer::from(sign);
            result = result.add_scaled(&quotient, &power);
        }
        Ok(Some(result))
    }

    /// For non-negative operands, `0 ≤ x ^ y ≤ x | y ≤ x + y` and `x, y ≤ x | y`.
    pub(super) fn united(
        &self,
        state: &mut State,
        common: Common,
        (left, right): (&LinearExpr, &LinearExpr),
    ) -> Result<LinearExpr, Split> {
        for (value, mask) in [(left, right), (right, left)] {
            if let Some(number) = small(mask)
                && let Some(masked) = self.masked(state, value, number)?
            {
                let times = if common == Common::Kept { -1 } else { -2 };
                return Ok(value.add(mask).add_scaled(&masked, &Integer::from(times)));
            }
        }
        Ok(united_unknown(state, common, (left, right)))
    }
}

/// ```text
///      x < d y
///   ─────────────
///   ⌊x / d⌋ < y
/// ```
///
/// `⌊value / divisor⌋` by its name. As it is an integer, it is a whole one less than what is only
/// a part more than `value / divisor`: than the value itself, or a term of it.
fn named_floor(state: &mut State, value: &LinearExpr, divisor: &Integer) -> LinearExpr {
    let one = Integer::from(1);
    for candidate in candidates(state, value, divisor) {
        let remainder = value.sub(&LinearExpr::term(candidate, divisor.clone()));
        if state.surely_at_most_zero(&remainder.neg())
            && state.surely_at_most_zero(&remainder.add_constant(&one - divisor))
        {
            return candidate.into();
        }
    }
    let quotient = any_integer(state);
    let remainder = value.sub(&quotient.scale(divisor));
    let _ = state.assume_constraint(Constraint::ge(&remainder, 0));
    let _ =
        state.assume_constraint(Constraint::lt(&remainder, LinearExpr::constant(divisor.clone())));
    let terms = value.terms().iter().filter(|(_, it)| *it == one).take(MOST_TRIED);
    let terms: Vec<LinearExpr> = terms.map(|(it, _)| LinearExpr::var(*it)).collect();
    for more in std::iter::once(value.clone()).chain(terms) {
        if state.surely_at_most_zero(&value.sub(&more.scale(divisor)).add_constant(1)) {
            let _ = state.assume_constraint(Constraint::lt(&quotient, more));
        }
    }
    quotient
}

/// The part that the divisor divides, divided by it, and the rest, whose constant is not negative
/// and less than the divisor.
fn multiple_and_rest(value: &LinearExpr, divisor: &Integer) -> (LinearExpr, LinearExpr) {
    let mut multiple = LinearExpr::constant(value.constant_part().div_floor(divisor));
    for (variable, coefficient) in value.terms() {
        if let Some(exact) = LinearExpr::constant(coefficient.clone()).div_exact(divisor) {
            multiple = multiple.add_scaled(&LinearExpr::var(*variable), exact.constant_part());
        }
    }
    let rest = value.sub(&multiple.scale(divisor));
    (multiple, rest)
}

/// Numbers of the state that may be the quotient: constraints say something of them, times the
/// divisor, beside the number.
fn candidates(state: &State, value: &LinearExpr, divisor: &Integer) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    for constraint in state.facts.numbers.constraints() {
        let expr = constraint.expr();
        if !value.variables().any(|it| expr.mentions(it)) {
            continue;
        }
        let is_multiple = |coefficient: &Integer| coefficient.abs() == *divisor;
        let of_constraint = expr.terms().iter().filter(|(_, it)| is_multiple(it));
        found.extend(of_constraint.map(|(variable, _)| *variable).take(MOST_TRIED - found.len()));
        if found.len() >= MOST_TRIED {
            break;
        }
    }
    found
}

/// `x & -x` is the lowest bit of `x`, which is there if `x` is not 0; as is `x & (2ⁿ - x)` where
/// `x` has no more bits than `n`.
pub(super) fn is_lowest_bit(state: &State, left: &LinearExpr, right: &LinearExpr) -> bool {
    let sum = left.add(right);
    let Some(sum) = small(&sum) else { return false };
    let is_power = sum > 0 && sum & (sum - 1) == 0;
    let below = left.add_constant(1).add_constant(-Integer::from(sum));
    state.kind_of(left) == Kind::Integer
        && state.surely_at_most_zero(&left.neg().add_constant(1))
        && (sum == 0 || (is_power && state.surely_at_most_zero(&below)))
}

/// Whether bits that both have are in the result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Common {
    /// As in `x | y`.
    Kept,
    /// As in `x ^ y`.
    Cleared,
}

/// The same where neither is a mask.
fn united_unknown(
    state: &mut State,
    common: Common,
    (left, right): (&LinearExpr, &LinearExpr),
) -> LinearExpr {
    let result = any_integer(state);
    let bounded = [left, right].iter().all(|value| {
        state.kind_of(value) == Kind::Integer && state.surely_at_most_zero(&value.neg())
    });
    if bounded {
        let _ = state.assume_constraint(Constraint::ge(&result, 0));
        let _ = state.assume_constraint(Constraint::le(&result, left.add(right)));
        if common == Common::Kept {
            let _ = state.assume_constraint(Constraint::ge(&result, left));
            let _ = state.assume_constraint(Constraint::ge(&result, right));
        }
    }
    result
}

/// `x << y` for numbers that are not negative: at least `x`, and `2 x` if `y ≥ 1`; at most
/// `2ⁿ x` if `y ≤ n`.
pub(super) fn shift_left_by_unknown(
    state: &mut State,
    left: &LinearExpr,
    count: &LinearExpr,
) -> LinearExpr {
    let shifted = any_integer(state);
    let are_known = [left, count].iter().all(|value| {
        state.kind_of(value) == Kind::Integer && state.surely_at_most_zero(&value.neg())
    });
    if !are_known {
        return shifted;
    }
    let is_one = state.surely_at_most_zero(&count.neg().add_constant(1));
    let least = if is_one { 2 } else { 1 };
    let _ = state.assume_constraint(Constraint::ge(&shifted, left.scale(&Integer::from(least))));
    let most = state.facts.numbers.bounds(count).1.and_then(|it| it.to_i128());
    if let Some(most @ 0..) = most.filter(|it| *it <= i128::from(MOST_SHIFT)) {
        let factor = Integer::from(1_i128 << most);
        let _ = state.assume_constraint(Constraint::le(&shifted, left.scale(&factor)));
    }
    shifted
}
