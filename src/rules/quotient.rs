//! Quotients by numbers that are not known.

use super::arbitrary::any_integer;
use super::eval::{Assumption, Context, Split, Splitting, sign_split};
use heap::state::{Kind, State};
use logic::{Constraint, LinearExpr};

impl Context<'_> {
    /// ```text
    ///   x = s |x|    y = t |y|    s, t ∈ {1, -1}
    ///   ──────────────────────────────────────────────────────
    ///   x / y = s t (|x| / |y|),    x % y = s (|x| % |y|)
    /// ```
    pub(super) fn divide_by_unknown(
        &mut self,
        state: &mut State,
        left: &LinearExpr,
        right: &LinearExpr,
    ) -> Result<(LinearExpr, LinearExpr), Split> {
        if !are_integers(state, left, right) {
            return Ok((any_integer(state), any_integer(state)));
        }
        let signs = (Sign::of(state, left), Sign::of(state, right));
        let (Some(of_left), Some(of_right)) = signs else {
            let open = if signs.1.is_none() { right } else { left };
            return match self.splitting {
                Splitting::Allowed => Err(sign_split(open)),
                Splitting::GivenUp => Ok((any_integer(state), any_integer(state))),
            };
        };
        let (quotient, remainder) =
            self.divide_sizes(state, &of_left.times(left), &of_right.times(right))?;
        Ok((of_left.times(&of_right.times(&quotient)), of_left.times(&remainder)))
    }

    /// ```text
    ///       0 ≤ x < y                          0 < y ≤ x
    ///   ──────────────────   ──────────────────────────────────────────────
    ///   x / y = 0, x % y = x   1 ≤ x / y ≤ x,  0 ≤ x % y < y,  x % y ≤ x - y
    /// ```
    ///
    /// If y ≥ 2, even 2 (x / y) ≤ x.
    fn divide_sizes(
        &mut self,
        state: &mut State,
        left: &LinearExpr,
        right: &LinearExpr,
    ) -> Result<(LinearExpr, LinearExpr), Split> {
        let is_less = left.sub(right).add_constant(1);
        if state.surely_at_most_zero(&is_less) {
            return Ok((LinearExpr::zero(), left.clone()));
        }
        let is_more = right.sub(left);
        let fits = state.surely_at_most_zero(&is_more);
        if !fits && self.splitting == Splitting::Allowed {
            let case = |it| vec![Assumption::AtMostZero(it)];
            return Err(vec![case(is_less), case(is_more)]);
        }
        let (quotient, remainder) = (any_integer(state), any_integer(state));
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
        Ok((quotient, remainder))
    }
}

/// The sign of a number; that of 0 is either.
#[derive(Clone, Copy)]
enum Sign {
    Plus,
    Minus,
}

impl Sign {
    /// The sign of a number that surely has one.
    fn of(state: &State, number: &LinearExpr) -> Option<Self> {
        if state.surely_at_most_zero(&number.neg()) {
            Some(Self::Plus)
        } else if state.surely_at_most_zero(number) {
            Some(Self::Minus)
        } else {
            None
        }
    }

    fn times(self, number: &LinearExpr) -> LinearExpr {
        match self {
            Self::Plus => number.clone(),
            Self::Minus => number.neg(),
        }
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
