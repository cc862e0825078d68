//! Exact numbers: machine words while they suffice, big integers afterwards.
//!
//! Every operation is exact. A result outside of the range of a machine word is one of
//! `num_bigint`, and only such a result is: so equality and hashing are structural.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive};

use super::divisor::{gcd_large, gcd_word, gcd_words};

/// An integer of unbounded size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Repr);

/// `Big` holds only what does not fit `Small`: the representation is canonical.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Box<BigInt>),
}

use Repr::{Big, Small};

impl Integer {
    /// The number 0.
    pub const ZERO: Self = Self(Small(0));
    /// The number 1.
    pub const ONE: Self = Self(Small(1));
    /// The number -1.
    pub const MINUS_ONE: Self = Self(Small(-1));

    /// How many bits it takes, at least a word.
    #[must_use]
    pub fn bits(&self) -> u64 {
        if let Big(value) = &self.0 { value.bits() } else { 64 }
    }

    /// Whether this is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0))
    }

    /// Whether this is 1.
    #[must_use]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1))
    }

    /// Whether this is below 0.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Whether this is above 0.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// -1, 0 or 1, with the sign of this number.
    #[must_use]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small(value) => i32::from(*value > 0) - i32::from(*value < 0),
            Big(value) => i32::from(value.is_positive()) - i32::from(value.is_negative()),
        }
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The greatest common divisor, non-negative; `gcd(0, n) = |n|`.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Small(left), Small(right)) => {
                Self::from(i128::from(gcd_words(left.unsigned_abs(), right.unsigned_abs())))
            }
            (Small(0), Big(big)) | (Big(big), Small(0)) => Self::from(big.abs()),
            (Small(word), Big(big)) | (Big(big), Small(word)) => {
                Self::from(i128::from(gcd_word(big, word.unsigned_abs())))
            }
            (Big(left), Big(right)) => Self::from(gcd_large(left, right)),
        }
    }

    /// The least common multiple, non-negative; 0 when one of them is 0.
    #[must_use]
    pub fn lcm(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::ZERO;
        }
        (&self.div_floor(&self.gcd(other)) * other).abs()
    }

    /// The quotient when `divisor` is known to divide this number.
    ///
    /// The result for a divisor that does not divide is the floor; for 0 it is 0.
    #[must_use]
    pub fn div_exact(&self, divisor: &Self) -> Self {
        self.div_floor(divisor)
    }

    /// The greatest integer at most `self / divisor`; 0 when the divisor is 0.
    #[must_use]
    pub fn div_floor(&self, divisor: &Self) -> Self {
        match (&self.0, &divisor.0) {
            (_, Small(0)) => Self::ZERO,
            (_, Small(1)) => self.clone(),
            (_, Small(-1)) => -self,
            (Small(left), Small(right)) => {
                Self(Small(num_integer::Integer::div_floor(left, right)))
            }
            _ => Self::from(self.to_bigint().div_floor(&divisor.to_bigint())),
        }
    }

    /// The least integer at least `self / divisor`; 0 when the divisor is 0.
    #[must_use]
    pub fn div_ceil(&self, divisor: &Self) -> Self {
        -(-self).div_floor(divisor)
    }

    /// Whether this number divides `other`; 0 divides only 0.
    #[must_use]
    pub fn divides(&self, other: &Self) -> bool {
        if self.is_zero() {
            return other.is_zero();
        }
        (&other.div_floor(self) * self) == *other
    }

    /// The value as an `i64`, when it fits.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small(value) => Some(*value),
            Big(_) => None,
        }
    }

    /// The value as an `i128`, when it fits.
    #[must_use]
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Small(value) => Some(i128::from(*value)),
            Big(value) => value.to_i128(),
        }
    }

    /// The nearest float, for candidates that are checked exactly afterwards.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Small(value) => value.to_f64(),
            Big(value) => value.to_f64(),
        }
        .unwrap_or(f64::INFINITY)
    }

    fn to_bigint(&self) -> BigInt {
        match &self.0 {
            Small(value) => BigInt::from(*value),
            Big(value) => BigInt::clone(value),
        }
    }
}

impl Default for Integer {
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        Self(Small(value))
    }
}

impl From<i32> for Integer {
    fn from(value: i32) -> Self {
        Self(Small(i64::from(value)))
    }
}

impl From<u32> for Integer {
    fn from(value: u32) -> Self {
        Self(Small(i64::from(value)))
    }
}

impl From<i128> for Integer {
    fn from(value: i128) -> Self {
        match i64::try_from(value) {
            Ok(word) => Self(Small(word)),
            Err(_) => Self(Big(Box::new(BigInt::from(value)))),
        }
    }
}

impl From<u64> for Integer {
    fn from(value: u64) -> Self {
        Self::from(i128::from(value))
    }
}

impl From<usize> for Integer {
    fn from(value: usize) -> Self {
        match i64::try_from(value) {
            Ok(word) => Self(Small(word)),
            Err(_) => Self(Big(Box::new(BigInt::from(value)))),
        }
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Self {
        match value.to_i64() {
            Some(word) => Self(Small(word)),
            None => Self(Big(Box::new(value))),
        }
    }
}

impl From<&Integer> for Integer {
    fn from(value: &Integer) -> Self {
        value.clone()
    }
}

/// The text was not a decimal integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnInteger;

impl FromStr for Integer {
    type Err = NotAnInteger;

    /// Reads decimal digits with an optional sign.
    fn from_str(text: &str) -> Result<Self, NotAnInteger> {
        if let Ok(word) = text.parse::<i64>() {
            return Ok(Self::from(word));
        }
        text.parse::<BigInt>().map(Self::from).map_err(|_| NotAnInteger)
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(left), Small(right)) => left.cmp(right),
            (Big(left), Big(right)) => left.cmp(right),
            (Small(_), Big(right)) => {
                if right.is_positive() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Big(_), Small(_)) => other.cmp(self).reverse(),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq<i64> for Integer {
    fn eq(&self, other: &i64) -> bool {
        self.0 == Small(*other)
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(value) => fmt::Display::fmt(value, out),
            Big(value) => fmt::Display::fmt(value, out),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

fn add_integers(left: &Integer, right: &Integer) -> Integer {
    if let (Small(left), Small(right)) = (&left.0, &right.0) {
        return match left.checked_add(*right) {
            Some(sum) => Integer(Small(sum)),
            None => Integer::from(i128::from(*left) + i128::from(*right)),
        };
    }
    Integer::from(left.to_bigint() + right.to_bigint())
}

fn subtract_integers(left: &Integer, right: &Integer) -> Integer {
    if let (Small(left), Small(right)) = (&left.0, &right.0) {
        return match left.checked_sub(*right) {
            Some(difference) => Integer(Small(difference)),
            None => Integer::from(i128::from(*left) - i128::from(*right)),
        };
    }
    Integer::from(left.to_bigint() - right.to_bigint())
}

fn multiply_integers(left: &Integer, right: &Integer) -> Integer {
    if let (Small(left), Small(right)) = (&left.0, &right.0) {
        return match left.checked_mul(*right) {
            Some(product) => Integer(Small(product)),
            None => Integer::from(i128::from(*left) * i128::from(*right)),
        };
    }
    Integer::from(left.to_bigint() * right.to_bigint())
}

/// Implements an operator for the four mixtures of values and references.
macro_rules! binary_operator {
    ($type:ident, $trait:ident, $method:ident, $function:ident) => {
        impl $trait<&$type> for &$type {
            type Output = $type;
            fn $method(self, other: &$type) -> $type {
                $function(self, other)
            }
        }
        impl $trait<$type> for &$type {
            type Output = $type;
            fn $method(self, other: $type) -> $type {
                $function(self, &other)
            }
        }
        impl $trait<&$type> for $type {
            type Output = $type;
            fn $method(self, other: &$type) -> $type {
                $function(&self, other)
            }
        }
        impl $trait<$type> for $type {
            type Output = $type;
            fn $method(self, other: $type) -> $type {
                $function(&self, &other)
            }
        }
    };
}
pub(crate) use binary_operator;

binary_operator!(Integer, Add, add, add_integers);
binary_operator!(Integer, Sub, sub, subtract_integers);
binary_operator!(Integer, Mul, mul, multiply_integers);
binary_operator!(Rational, Add, add, add_rationals);
binary_operator!(Rational, Sub, sub, subtract_rationals);
binary_operator!(Rational, Mul, mul, multiply_rationals);

impl Neg for &Integer {
    type Output = Integer;
    fn neg(self) -> Integer {
        match &self.0 {
            Small(value) => match value.checked_neg() {
                Some(negated) => Integer(Small(negated)),
                None => Integer::from(-i128::from(*value)),
            },
            Big(value) => Integer::from(-BigInt::clone(value)),
        }
    }
}

impl Neg for Integer {
    type Output = Integer;
    fn neg(self) -> Integer {
        -&self
    }
}

impl AddAssign<&Integer> for Integer {
    fn add_assign(&mut self, other: &Integer) {
        *self = add_integers(self, other);
    }
}

impl AddAssign<Integer> for Integer {
    fn add_assign(&mut self, other: Integer) {
        *self = add_integers(self, &other);
    }
}

impl SubAssign<&Integer> for Integer {
    fn sub_assign(&mut self, other: &Integer) {
        *self = subtract_integers(self, other);
    }
}

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: Integer,
    denominator: Integer,
}

impl Rational {
    /// The number 0.
    pub const ZERO: Self = Self { numerator: Integer::ZERO, denominator: Integer::ONE };
    /// The number 1.
    pub const ONE: Self = Self { numerator: Integer::ONE, denominator: Integer::ONE };

    /// The fraction `numerator / denominator` in lowest terms, or nothing when
    /// the denominator is 0.
    #[must_use]
    pub fn new(numerator: impl Into<Integer>, denominator: impl Into<Integer>) -> Option<Self> {
        let (numerator, denominator) = (numerator.into(), denominator.into());
        if denominator.is_zero() {
            return None;
        }
        Some(Self::reduced(numerator, denominator))
    }

    /// The denominator is not 0.
    fn reduced(numerator: Integer, denominator: Integer) -> Self {
        if denominator.is_one() {
            return Self { numerator, denominator };
        }
        let mut divisor = numerator.gcd(&denominator);
        if denominator.is_negative() {
            divisor = -divisor;
        }
        if divisor.is_one() {
            return Self { numerator, denominator };
        }
        Self {
            numerator: numerator.div_exact(&divisor),
            denominator: denominator.div_exact(&divisor),
        }
    }

    /// The numerator; it carries the sign.
    #[must_use]
    pub fn numerator(&self) -> &Integer {
        &self.numerator
    }

    /// The denominator, positive.
    #[must_use]
    pub fn denominator(&self) -> &Integer {
        &self.denominator
    }

    /// Whether this is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// Whether the denominator is 1.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.denominator.is_one()
    }

    /// -1, 0 or 1, with the sign of this number.
    #[must_use]
    pub fn signum(&self) -> i32 {
        self.numerator.signum()
    }

    /// The greatest integer at most this number.
    #[must_use]
    pub fn floor(&self) -> Integer {
        self.numerator.div_floor(&self.denominator)
    }

    /// The least integer at least this number.
    #[must_use]
    pub fn ceil(&self) -> Integer {
        self.numerator.div_ceil(&self.denominator)
    }

    /// `1 / self`, or nothing for 0.
    #[must_use]
    pub fn reciprocal(&self) -> Option<Self> {
        Self::new(self.denominator.clone(), self.numerator.clone())
    }

    /// The quotient, or nothing when `divisor` is 0.
    #[must_use]
    pub fn checked_div(&self, divisor: &Self) -> Option<Self> {
        divisor.reciprocal().map(|inverse| self * &inverse)
    }
}

impl Default for Rational {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<T: Into<Integer>> From<T> for Rational {
    fn from(value: T) -> Self {
        Self { numerator: value.into(), denominator: Integer::ONE }
    }
}

fn add_rationals(left: &Rational, right: &Rational) -> Rational {
    if left.denominator == right.denominator {
        return Rational::reduced(&left.numerator + &right.numerator, left.denominator.clone());
    }
    let numerator = &left.numerator * &right.denominator + &right.numerator * &left.denominator;
    Rational::reduced(numerator, &left.denominator * &right.denominator)
}

fn subtract_rationals(left: &Rational, right: &Rational) -> Rational {
    add_rationals(left, &-right)
}

fn multiply_rationals(left: &Rational, right: &Rational) -> Rational {
    Rational::reduced(&left.numerator * &right.numerator, &left.denominator * &right.denominator)
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        Rational { numerator: -&self.numerator, denominator: self.denominator.clone() }
    }
}

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        -&self
    }
}

impl AddAssign<&Rational> for Rational {
    fn add_assign(&mut self, other: &Rational) {
        *self = add_rationals(self, other);
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_integer() {
            return write!(out, "{}", self.numerator);
        }
        write!(out, "{}/{}", self.numerator, self.denominator)
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

#[cfg(test)]
#[path = "number_tests.rs"]
mod tests;
