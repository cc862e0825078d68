//! The numbers of a simplex dictionary: machine words, or unbounded integers.

use super::divisor::gcd_words;
use super::number::Integer;

/// Exact integers that a dictionary can hold. `None` means "does not fit": the
/// caller starts again with [`Integer`], which always fits.
pub(super) trait Scalar: Clone + PartialEq {
    const ZERO: Self;
    const ONE: Self;
    fn from_integer(value: &Integer) -> Option<Self>;
    fn to_integer(&self) -> Integer;
    fn sign(&self) -> i32;
    fn negated(&self) -> Self;
    /// `self * scale + factor * other`.
    fn combined(&self, scale: &Self, factor: &Self, other: &Self) -> Option<Self>;
    fn times(&self, other: &Self) -> Option<Self>;
    /// Non-negative.
    fn common_divisor(&self, other: &Self) -> Self;
    fn divided(&self, divisor: &Self) -> Self;
    /// Whether the row should be divided by its common divisor.
    fn is_large(&self) -> bool;
    /// What an operation on numbers of this size costs.
    fn price(&self) -> u64;
}

/// Words stay below this size, so that negation cannot overflow.
const WORD_LIMIT: u128 = 1 << 126;

fn word(value: i128) -> Option<i128> {
    (value.unsigned_abs() < WORD_LIMIT).then_some(value)
}

/// Products of two 64-bit words cost one machine multiplication.
fn product(left: i128, right: i128) -> Option<i128> {
    match (i64::try_from(left), i64::try_from(right)) {
        (Ok(left), Ok(right)) => Some(i128::from(left) * i128::from(right)),
        _ => left.checked_mul(right),
    }
}

impl Scalar for i128 {
    const ZERO: Self = 0;
    const ONE: Self = 1;

    fn from_integer(value: &Integer) -> Option<Self> {
        word(value.to_i128()?)
    }

    fn to_integer(&self) -> Integer {
        Integer::from(*self)
    }

    fn sign(&self) -> i32 {
        i32::from(*self > 0) - i32::from(*self < 0)
    }

    fn negated(&self) -> Self {
        -*self
    }

    fn combined(&self, scale: &Self, factor: &Self, other: &Self) -> Option<Self> {
        word(product(*self, *scale)?.checked_add(product(*factor, *other)?)?)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        word(product(*self, *other)?)
    }

    fn common_divisor(&self, other: &Self) -> Self {
        let (left, right) = (self.unsigned_abs(), other.unsigned_abs());
        match (u64::try_from(left), u64::try_from(right)) {
            (Ok(left), Ok(right)) => i128::from(gcd_words(left, right)),
            _ => num_integer::Integer::gcd(self, other),
        }
    }

    fn divided(&self, divisor: &Self) -> Self {
        match (i64::try_from(*self), i64::try_from(*divisor)) {
            (Ok(left), Ok(right)) if right > 0 => i128::from(left / right),
            _ => *self / *divisor,
        }
    }

    fn is_large(&self) -> bool {
        self.unsigned_abs() >> 40 != 0
    }

    fn price(&self) -> u64 {
        1
    }
}

impl Scalar for Integer {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    fn from_integer(value: &Integer) -> Option<Self> {
        Some(value.clone())
    }

    fn to_integer(&self) -> Integer {
        self.clone()
    }

    fn sign(&self) -> i32 {
        self.signum()
    }

    fn negated(&self) -> Self {
        -self
    }

    fn combined(&self, scale: &Self, factor: &Self, other: &Self) -> Option<Self> {
        Some(self * scale + factor * other)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        Some(self * other)
    }

    fn common_divisor(&self, other: &Self) -> Self {
        self.gcd(other)
    }

    fn divided(&self, divisor: &Self) -> Self {
        self.div_exact(divisor)
    }

    /// Allocations, and greatest common divisors.
    fn price(&self) -> u64 {
        20 + self.bits() / 4
    }

    fn is_large(&self) -> bool {
        self.to_i64().is_none_or(|value| value.unsigned_abs() >> 40 != 0)
    }
}
