//! Addresses in expressions.
//!
//! Of the number behind an address only that is known which
//! [`concrete::value`](concrete::value) states. An expression over addresses is
//! exact modulo the address space: pointers count round its ends. Where more is needed,
//! the address must be [near](State::surely_near) a block that is allocated, or be
//! [exact](State::surely_exact) for another reason.

use super::arbitrary::{any_between, any_integer};
use super::bits::is_lowest_bit;
use super::eval::{Assumption, Context, Split, small};
use heap::state::{Kind, State};
use ir::semantics::address_kind;
use ir::{BinaryOp, Expr, IntKind};
use logic::{Constraint, Integer, LinearExpr};

impl Context<'_> {
    /// The values of two operands. Equality can be asked of addresses that were not
    /// yet reduced to the address space, if the other operand surely lies there.
    pub(super) fn operands(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
    ) -> Result<(LinearExpr, LinearExpr), Split> {
        let kind = address_kind(self.machine.program.pointer_bytes);
        let mut values = [LinearExpr::zero(), LinearExpr::zero()];
        for (value, expr) in values.iter_mut().zip([left, right]) {
            *value = match expr {
                Expr::Wrap(outer, inner)
                    if *outer == kind && matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) =>
                {
                    let inner = self.eval(state, inner)?;
                    let is_number = state.kind_of(&inner) == Kind::Integer;
                    if is_number { self.wrap(state, kind, &inner)? } else { inner }
                }
                _ => self.eval(state, expr)?,
            };
        }
        let [mut left_value, mut right_value] = values;
        let fits = |state: &State, value: &LinearExpr| {
            state.kind_of(value) != Kind::Integer
                || surely_within(state, value, (kind.min(), kind.max()))
        };
        let (is_left_reduced, is_right_reduced) =
            (matches!(left, Expr::Wrap(..)), matches!(right, Expr::Wrap(..)));
        if is_left_reduced && !fits(state, &right_value) {
            left_value = self.eval(state, left)?;
        }
        if is_right_reduced && !fits(state, &left_value) {
            right_value = self.eval(state, right)?;
        }
        Ok((left_value, right_value))
    }

    /// What a comparison says of its operands; `None` where it depends on the numbers
    /// behind addresses, or `op` is no comparison.
    ///
    /// An address is exact only modulo the address space: one that lies far from its
    /// block may have gone round. Where the bases of two addresses cancel, equality is
    /// a question of the distance if that is smaller than the address space, and order
    /// if both are near an allocated block.
    pub(super) fn claim(
        &self,
        state: &State,
        op: BinaryOp,
        left: &LinearExpr,
        right: &LinearExpr,
    ) -> Option<Assumption> {
        let difference = left.sub(right);
        let is_distance =
            state.kind_of(left) != Kind::Integer && state.kind_of(&difference) == Kind::Integer;
        let both_near = || state.surely_near(left) && state.surely_near(right);
        let is_known = !is_distance
            || difference.is_zero()
            || match op {
                BinaryOp::Equal | BinaryOp::NotEqual => {
                    let kind = address_kind(self.machine.program.pointer_bytes);
                    surely_within(state, &difference, (-kind.max(), kind.max())) || both_near()
                }
                _ => both_near(),
            };
        is_known.then_some(())?;
        Some(match op {
            BinaryOp::Equal => Assumption::Zero(difference),
            BinaryOp::NotEqual => Assumption::NonZero(difference),
            BinaryOp::LessEqual => Assumption::AtMostZero(difference),
            BinaryOp::Less => Assumption::AtMostZero(difference.add_constant(1)),
            BinaryOp::GreaterEqual => Assumption::AtMostZero(difference.neg()),
            BinaryOp::Greater => Assumption::AtMostZero(difference.neg().add_constant(1)),
            _ => return None,
        })
    }

    /// The distance of two addresses is that of the expressions where it fits a signed
    /// word, as all distances of addresses do, or where neither has gone round.
    pub(super) fn subtract(
        &self,
        state: &mut State,
        left: &LinearExpr,
        right: &LinearExpr,
    ) -> LinearExpr {
        let difference = left.sub(right);
        if state.kind_of(left) == Kind::Integer || state.kind_of(&difference) != Kind::Integer {
            return difference;
        }
        let word = IntKind { signed: true, ..address_kind(self.machine.program.pointer_bytes) };
        if surely_within(state, &difference, (word.min(), word.max()))
            || (state.surely_near(left) && state.surely_near(right))
        {
            difference
        } else {
            any_integer(state)
        }
    }

    /// The number of an address fits the unsigned type of its width, and wider ones.
    /// Blocks lie in the lower half of an address space of 64 bits; of other addresses
    /// the sign in a type of their width is not known.
    pub(super) fn wrap_address(
        &self,
        state: &mut State,
        kind: IntKind,
        value: &LinearExpr,
    ) -> LinearExpr {
        let bits = address_kind(self.machine.program.pointer_bytes).bits;
        if kind.bits < bits {
            return any_between(state, kind.min(), kind.max()).into();
        }
        let has_sign = state.kind_of(value) == Kind::Address && bits >= 64;
        let fits = !kind.signed || kind.bits > bits || has_sign;
        if fits && state.surely_exact(value) {
            return value.clone();
        }
        state.fresh(Kind::Unknown).into()
    }

    /// For non-negative operands, `0 ≤ x & y ≤ x, y`; masks are sums of quotients.
    /// The low bits of an address are those of its offset, below the alignment.
    pub(super) fn bitwise_and(
        &self,
        state: &mut State,
        left: &LinearExpr,
        right: &LinearExpr,
    ) -> Result<LinearExpr, Split> {
        for (value, mask) in [(left, right), (right, left)] {
            let Some(mask) = small(mask) else { continue };
            if mask >= 0 && state.kind_of(value) != Kind::Integer {
                let known = state.alignment_of(value, self.machine.program.pointer_bytes);
                return Ok(match known.filter(|(alignment, _)| mask < *alignment) {
                    Some((_, low_bits)) => LinearExpr::constant(low_bits & mask),
                    None => any_between(state, 0, mask).into(),
                });
            }
            if let Some(result) = self.masked(state, value, mask)? {
                return Ok(result);
            }
        }
        let result = any_integer(state);
        let non_negative = |state: &State, value: &LinearExpr| {
            state.kind_of(value) == Kind::Integer && state.surely_at_most_zero(&value.neg())
        };
        for value in [left, right] {
            if non_negative(state, value) {
                let _ = state.assume_constraint(Constraint::ge(&result, 0));
                let _ = state.assume_constraint(Constraint::le(&result, value));
            }
        }
        if is_lowest_bit(state, left, right) || is_lowest_bit(state, right, left) {
            let _ = state.assume_constraint(Constraint::ge(&result, 1));
        }
        Ok(result)
    }
}

fn surely_within(state: &State, value: &LinearExpr, (low, high): (i128, i128)) -> bool {
    let excess = |bound: i128| value.add_constant(-&Integer::from(bound));
    state.surely_at_most_zero(&excess(high)) && state.surely_at_most_zero(&excess(low).neg())
}
