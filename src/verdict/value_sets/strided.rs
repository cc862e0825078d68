//! Sets of numbers with bounds and a step (Balakrishnan, Reps: *Analyzing memory accesses in
//! x86 executables*, CC 2004): {least, least + step, …, greatest}.
//!
//! Each operation gives a set that has the results for all numbers of its operands. It gives
//! nothing where there may be none, such as after a division by zero, or where bounds become
//! too large.

use ir::expr::{BinaryOp, IntKind, UnaryOp};
use ir::semantics;

/// Bounds stay below this, so that sums and differences of two of them are numbers.
const LARGEST: i128 = 1 << 100;

/// A set of numbers, not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strided {
    least: i128,
    greatest: i128,
    /// Zero if there is one number only; else it divides the distance of the bounds.
    step: i128,
}

impl Strided {
    /// One number.
    pub(super) fn of(number: i128) -> Option<Self> {
        (number.abs() <= LARGEST).then_some(Self { least: number, greatest: number, step: 0 })
    }

    /// The numbers from `least` on that are no more than `greatest`; nothing if there are none.
    fn new(least: i128, greatest: i128, step: i128) -> Option<Self> {
        if least > greatest || least < -LARGEST || greatest > LARGEST {
            return None;
        }
        let step = step.abs();
        if step == 0 || greatest - least < step {
            return Some(Self { least, greatest: least, step: 0 });
        }
        let greatest = least + (greatest - least) / step * step;
        Some(Self { least, greatest, step })
    }

    /// All numbers between two bounds.
    pub(super) fn between(least: i128, greatest: i128) -> Option<Self> {
        Self::new(least, greatest, 1)
    }

    /// All numbers of a type.
    pub(super) fn all_of(kind: IntKind) -> Option<Self> {
        kind.modulus()?;
        Self::between(kind.min(), kind.max())
    }

    /// The least number.
    #[must_use]
    pub fn least(self) -> i128 {
        self.least
    }

    /// The greatest number.
    #[must_use]
    pub fn greatest(self) -> i128 {
        self.greatest
    }

    /// The number, if there is only one.
    #[must_use]
    pub fn only(self) -> Option<i128> {
        (self.step == 0).then_some(self.least)
    }

    /// The numbers, if there are no more than so many.
    pub(super) fn each(self, most: i128) -> Option<Vec<i128>> {
        let step = self.step.max(1);
        let count = (self.greatest - self.least) / step + 1;
        (count <= most).then(|| (0..count).map(|it| self.least + it * step).collect())
    }

    /// Whether a number is in the set.
    pub(super) fn has(self, number: i128) -> bool {
        let is_between = self.least <= number && number <= self.greatest;
        is_between && (self.step == 0 || (number - self.least) % self.step == 0)
    }

    /// A set that has both.
    pub(super) fn join(self, other: Self) -> Self {
        let least = self.least.min(other.least);
        let step = gcd(gcd(self.step, other.step), self.least - other.least);
        Self { least, greatest: self.greatest.max(other.greatest), step }
    }

    /// The same, with bounds that have moved pushed on to one of these, which ascend.
    pub(super) fn widen(self, other: Self, bounds: &[i128]) -> Option<Self> {
        let joined = self.join(other);
        let (mut least, mut greatest) = (joined.least, joined.greatest);
        if least < self.least {
            let bound = bounds.iter().rev().find(|it| **it <= least)?;
            least = least - (least - bound) / joined.step.max(1) * joined.step.max(1);
        }
        if greatest > self.greatest {
            greatest = *bounds.iter().find(|it| **it >= greatest)?;
        }
        Self::new(least, greatest, joined.step)
    }

    /// The numbers that are at least this; nothing if there are none.
    pub(super) fn at_least(self, bound: i128) -> Option<Self> {
        if bound <= self.least {
            return Some(self);
        }
        let step = self.step.max(1);
        let least = self.least + (bound - self.least + step - 1) / step * step;
        Self::new(least, self.greatest, self.step)
    }

    /// The numbers that are at most this; nothing if there are none.
    pub(super) fn at_most(self, bound: i128) -> Option<Self> {
        Self::new(self.least, self.greatest.min(bound), self.step)
    }

    /// The numbers that are not this one; nothing if there are none. Only a bound is taken away.
    pub(super) fn without(self, number: i128) -> Option<Self> {
        if self.least == number {
            self.at_least(number + 1)
        } else if self.greatest == number {
            self.at_most(number - 1)
        } else {
            Some(self)
        }
    }

    /// The numbers reduced to the range of a type.
    pub(super) fn wrap(self, kind: IntKind) -> Option<Self> {
        if kind.min() <= self.least && self.greatest <= kind.max() {
            return Some(self);
        }
        let modulus = kind.modulus()?;
        let moved = kind.wrap(self.least) - self.least;
        if self.greatest + moved <= kind.max() {
            return Self::new(self.least + moved, self.greatest + moved, self.step);
        }
        // What remains of the step is what it has in common with the modulus.
        let step = gcd(self.step, modulus);
        let least = kind.min() + (self.least - kind.min()).rem_euclid(step);
        Self::new(least, kind.max(), step)
    }

    /// `op operand`.
    pub(super) fn unary(self, op: UnaryOp) -> Option<Self> {
        match op {
            UnaryOp::Negate => Self::new(-self.greatest, -self.least, self.step),
            UnaryOp::BitNot => Self::new(-self.greatest - 1, -self.least - 1, self.step),
            UnaryOp::Not => truth(self.equals(Self { least: 0, greatest: 0, step: 0 })),
        }
    }

    /// `left op right`.
    pub(super) fn binary(op: BinaryOp, left: Self, right: Self) -> Option<Self> {
        if let (Some(left), Some(right)) = (left.only(), right.only()) {
            return Self::of(semantics::binary(op, left, right).ok()?);
        }
        match op {
            BinaryOp::Add => left.sum(right),
            BinaryOp::Subtract => left.sum(right.unary(UnaryOp::Negate)?),
            BinaryOp::Multiply => left.product(right),
            BinaryOp::Divide => left.quotient(right),
            BinaryOp::Remainder => left.remainder(right),
            BinaryOp::ShiftLeft => {
                let distance = right.only().filter(|it| (0..64).contains(it))?;
                left.product(Self::of(1 << distance)?)
            }
            BinaryOp::ShiftRight => left.shifted(right),
            BinaryOp::And => left.and(right),
            BinaryOp::Or | BinaryOp::Xor => left.mixed(right),
            BinaryOp::Equal => truth(left.equals(right)),
            BinaryOp::NotEqual => truth(left.equals(right).map(|it| !it)),
            BinaryOp::Less => truth(left.is_less(right)),
            BinaryOp::LessEqual => truth(right.is_less(left).map(|it| !it)),
            BinaryOp::Greater => truth(right.is_less(left)),
            BinaryOp::GreaterEqual => truth(left.is_less(right).map(|it| !it)),
        }
    }

    fn equals(self, other: Self) -> Option<bool> {
        if let (Some(one), Some(another)) = (self.only(), other.only()) {
            return Some(one == another);
        }
        let apart = self.greatest < other.least || other.greatest < self.least;
        let common = gcd(self.step, other.step);
        let is_out_of_step = common > 0 && (self.least - other.least) % common != 0;
        (apart || is_out_of_step).then_some(false)
    }

    fn is_less(self, other: Self) -> Option<bool> {
        if self.greatest < other.least {
            Some(true)
        } else if self.least >= other.greatest {
            Some(false)
        } else {
            None
        }
    }

    fn sum(self, other: Self) -> Option<Self> {
        let step = gcd(self.step, other.step);
        Self::new(self.least + other.least, self.greatest + other.greatest, step)
    }

    fn product(self, other: Self) -> Option<Self> {
        let corners = self.corners(other, i128::checked_mul)?;
        let step = match (self.only(), other.only()) {
            (Some(factor), _) => other.step.checked_mul(factor)?,
            (_, Some(factor)) => self.step.checked_mul(factor)?,
            (None, None) => 1,
        };
        Self::new(corners[0], corners[1], step)
    }

    fn quotient(self, other: Self) -> Option<Self> {
        if other.has(0) || (other.least < 0 && other.greatest > 0) {
            return None;
        }
        let corners = self.corners(other, i128::checked_div)?;
        Self::between(corners[0], corners[1])
    }

    /// `x % k`: as far from zero as `x`, and less far than `k`.
    fn remainder(self, other: Self) -> Option<Self> {
        if other.has(0) || (other.least < 0 && other.greatest > 0) {
            return None;
        }
        let divisor = other.least.abs().max(other.greatest.abs());
        let most = divisor - 1;
        if let (Some(_), true) = (other.only(), self.least >= 0) {
            if self.greatest < divisor {
                return Some(self);
            }
            let step = gcd(self.step, divisor);
            return Self::new(self.least % step, most, step);
        }
        let (least, greatest) = (self.least.clamp(-most, 0), self.greatest.clamp(0, most));
        // What is left of a number differs from it by multiples of the divisor.
        let step = match other.only() {
            Some(divisor) => gcd(self.step, divisor).max(1),
            None => 1,
        };
        Self::new(least + (self.least - least).rem_euclid(step), greatest, step)
    }

    fn shifted(self, other: Self) -> Option<Self> {
        if other.least < 0 || other.greatest > 126 {
            return None;
        }
        let corners = self.corners(other, |left, right| Some(left >> right))?;
        Self::between(corners[0], corners[1])
    }

    fn and(self, other: Self) -> Option<Self> {
        let (mask, number) = match (self.only(), other.only()) {
            (Some(mask), _) => (Some(mask), other),
            (_, mask) => (mask, self),
        };
        if let Some(mask) = mask.filter(|it| *it > 0) {
            let is_low = mask & (mask + 1) == 0;
            if is_low && number.least >= 0 && number.greatest <= mask {
                return Some(number);
            }
            let most = if number.least >= 0 { mask.min(number.greatest) } else { mask };
            return Self::new(0, most, mask & -mask);
        }
        match (self.least >= 0, other.least >= 0) {
            (true, true) => Self::between(0, self.greatest.min(other.greatest)),
            (true, false) => Self::between(0, self.greatest),
            (false, true) => Self::between(0, other.greatest),
            (false, false) => self.mixed(other),
        }
    }

    /// The numbers that have no more bits than those of both sets.
    fn mixed(self, other: Self) -> Option<Self> {
        let magnitude = |it: i128| if it < 0 { -(it + 1) } else { it };
        let ends = [self.least, self.greatest, other.least, other.greatest];
        let largest = ends.into_iter().map(magnitude).max()?;
        let above = power_above(largest.checked_add(1)?)?;
        let least = if self.least >= 0 && other.least >= 0 { 0 } else { -above };
        Self::between(least, above - 1)
    }

    /// The least and the greatest result for two bounds.
    fn corners(
        self,
        other: Self,
        operation: impl Fn(i128, i128) -> Option<i128>,
    ) -> Option<[i128; 2]> {
        let mut results = Vec::with_capacity(4);
        for left in [self.least, self.greatest] {
            for right in [other.least, other.greatest] {
                results.push(operation(left, right)?);
            }
        }
        Some([*results.iter().min()?, *results.iter().max()?])
    }
}

/// The least power of two that is no less.
fn power_above(number: i128) -> Option<i128> {
    let power = u128::try_from(number).ok()?.checked_next_power_of_two()?;
    i128::try_from(power).ok()
}

/// The set of what a truth value may be.
fn truth(known: Option<bool>) -> Option<Strided> {
    match known {
        Some(truth) => Strided::of(i128::from(truth)),
        None => Strided::between(0, 1),
    }
}

fn gcd(one: i128, other: i128) -> i128 {
    let (mut one, mut other) = (one.abs(), other.abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPS: [BinaryOp; 16] = [
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Multiply,
        BinaryOp::Divide,
        BinaryOp::Remainder,
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Equal,
        BinaryOp::NotEqual,
        BinaryOp::Less,
        BinaryOp::LessEqual,
        BinaryOp::Greater,
        BinaryOp::GreaterEqual,
    ];

    /// Small sets of all kinds.
    fn sets() -> Vec<Strided> {
        let mut sets = Vec::new();
        for least in [-9, -8, -3, -1, 0, 1, 2, 5, 8] {
            for (length, step) in [(0, 0), (1, 1), (4, 1), (9, 3), (12, 4), (10, 2), (17, 1)] {
                sets.extend(Strided::new(least, least + length, step));
            }
        }
        sets
    }

    fn is_within(one: Strided, other: Strided) -> bool {
        one.join(other) == other
    }

    fn members(set: Strided) -> Vec<i128> {
        set.each(1_000).unwrap()
    }

    #[test]
    fn operators_give_all_results() {
        for left in sets() {
            for right in sets() {
                for op in OPS {
                    let Some(result) = Strided::binary(op, left, right) else { continue };
                    for one in members(left) {
                        for other in members(right) {
                            let number = semantics::binary(op, one, other);
                            assert!(
                                number.is_ok_and(|it| result.has(it)),
                                "{op:?} {left:?} {right:?}: {one} {other}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn reductions_and_unary_operators_give_all_results() {
        let kinds = [(3, true), (3, false), (2, false), (1, false)];
        for set in sets() {
            for number in members(set) {
                for op in [UnaryOp::Negate, UnaryOp::BitNot, UnaryOp::Not] {
                    let result = set.unary(op).unwrap();
                    assert!(result.has(semantics::unary(op, number).unwrap()));
                }
                for (bits, signed) in kinds {
                    let kind = IntKind { bits, signed };
                    assert!(set.wrap(kind).unwrap().has(kind.wrap(number)), "{set:?} {number}");
                }
            }
        }
    }

    #[test]
    fn joins_and_bounds_keep_what_they_must() {
        let bounds = [-100, -8, 0, 4, 100];
        for one in sets() {
            for other in sets() {
                let (joined, widened) = (one.join(other), one.widen(other, &bounds).unwrap());
                assert!(is_within(one, joined) && is_within(other, joined));
                assert!(is_within(joined, widened), "{one:?} {other:?} {widened:?}");
                for number in members(one).into_iter().chain(members(other)) {
                    assert!(joined.has(number) && widened.has(number));
                }
            }
            for bound in -10..10 {
                let keeps =
                    |kept: Option<Strided>, number: i128| kept.is_some_and(|it| it.has(number));
                for number in members(one) {
                    assert_eq!(keeps(one.at_least(bound), number), number >= bound);
                    assert_eq!(keeps(one.at_most(bound), number), number <= bound);
                    assert!(number == bound || keeps(one.without(bound), number));
                }
            }
        }
    }
}
