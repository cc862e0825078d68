//! What is known of an expression's value in every state of a program.

use ir::{BinaryOp, IntKind, UnaryOp};

/// A set of numbers from `low` to `high`; `None` is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: Option<i128>,
    pub(super) high: Option<i128>,
}

impl Range {
    pub(super) const ALL: Self = Self { low: None, high: None };
    const TRUTH: Self = Self::of(0, 1);

    pub(super) const fn of(low: i128, high: i128) -> Self {
        Self { low: Some(low), high: Some(high) }
    }

    /// The range of an integer type, where [`IntKind`] states it exactly.
    pub(super) fn of_kind(kind: IntKind) -> Self {
        if kind.modulus().is_some() { Self::of(kind.min(), kind.max()) } else { Self::ALL }
    }

    pub(super) fn single(self) -> Option<i128> {
        self.low.filter(|low| self.high == Some(*low))
    }

    pub(super) fn is_at_least(self, bound: i128) -> bool {
        self.low.is_some_and(|low| low >= bound)
    }

    pub(super) fn is_at_most(self, bound: i128) -> bool {
        self.high.is_some_and(|high| high <= bound)
    }

    pub(super) fn lies_in(self, other: Self) -> bool {
        other.low.is_none_or(|bound| self.is_at_least(bound))
            && other.high.is_none_or(|bound| self.is_at_most(bound))
    }

    pub(super) fn excludes(self, value: i128) -> bool {
        self.low.is_some_and(|low| low > value) || self.high.is_some_and(|high| high < value)
    }

    fn meet(self, other: Self) -> Self {
        Self {
            low: self.low.into_iter().chain(other.low).max(),
            high: self.high.into_iter().chain(other.high).min(),
        }
    }

    fn is_empty(self) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if low > high)
    }

    fn both(
        left: Option<i128>,
        right: Option<i128>,
        op: fn(i128, i128) -> Option<i128>,
    ) -> Option<i128> {
        op(left?, right?)
    }

    fn add(self, other: Self) -> Self {
        let add = |left, right| Self::both(left, right, i128::checked_add);
        Self { low: add(self.low, other.low), high: add(self.high, other.high) }
    }

    fn negate(self) -> Self {
        Self {
            low: self.high.and_then(i128::checked_neg),
            high: self.low.and_then(i128::checked_neg),
        }
    }

    fn invert(self) -> Self {
        Self { low: self.high.map(|it| !it), high: self.low.map(|it| !it) }
    }

    fn scale(self, factor: i128) -> Self {
        let times = |bound: Option<i128>| bound.and_then(|it| it.checked_mul(factor));
        match factor {
            0 => Self::of(0, 0),
            1.. => Self { low: times(self.low), high: times(self.high) },
            _ => Self { low: times(self.high), high: times(self.low) },
        }
    }

    fn multiply(self, other: Self) -> Self {
        if let Some(factor) = other.single() {
            return self.scale(factor);
        }
        if let Some(factor) = self.single() {
            return other.scale(factor);
        }
        let corners = |left: Option<i128>, right| Self::both(left, right, i128::checked_mul);
        let products = [
            corners(self.low, other.low),
            corners(self.low, other.high),
            corners(self.high, other.low),
            corners(self.high, other.high),
        ];
        match products {
            [Some(a), Some(b), Some(c), Some(d)] => {
                Self::of(a.min(b).min(c).min(d), a.max(b).max(c).max(d))
            }
            _ if self.is_at_least(0) && other.is_at_least(0) => Self { low: Some(0), high: None },
            _ => Self::ALL,
        }
    }

    /// Quotients rounded towards zero.
    fn divide(self, other: Self) -> Self {
        match other.single() {
            Some(divisor @ 1..) => Self {
                low: self.low.map(|it| it / divisor),
                high: self.high.map(|it| it / divisor),
            },
            _ if self.is_at_least(0) && other.is_at_least(0) => {
                Self { low: Some(0), high: self.high }
            }
            _ => Self::ALL,
        }
    }

    /// Values reduced to the range of `kind`.
    fn wrap(self, kind: IntKind) -> Self {
        let target = Self::of_kind(kind);
        if let (Some(low), Some(high), Some(modulus)) = (self.low, self.high, kind.modulus())
            && low.checked_sub(kind.min()).map(|it| it.div_euclid(modulus))
                == high.checked_sub(kind.min()).map(|it| it.div_euclid(modulus))
            && low.checked_sub(kind.min()).is_some()
        {
            return Self::of(kind.wrap(low), kind.wrap(high));
        }
        target
    }
}

/// What is known of a value.
///
/// A claim about the value holds in each state in which the expression has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    /// It is a number and no address.
    pub(super) is_number: bool,
    /// If it is an address, it lies in the address space around its block, so
    /// that reduction to the width of an address changes nothing.
    pub(super) is_in_space: bool,
    /// The evaluation divides nothing by zero and shifts by no negative distance.
    pub(super) is_harmless: bool,
    /// Where it lies, if it is a number.
    pub(super) range: Range,
    /// How often the range was narrowed; bounds the time this may take.
    narrowings: u8,
}

/// As often as this a range is narrowed.
const MAX_NARROWINGS: u8 = 16;

impl Facts {
    /// Nothing at all.
    pub(super) fn nothing() -> Self {
        Self { is_in_space: false, is_harmless: false, ..Self::word(Range::ALL) }
    }

    /// A harmless number in a range.
    pub(super) fn number(range: Range) -> Self {
        Self { is_number: true, is_in_space: true, is_harmless: true, range, narrowings: 0 }
    }

    /// The value of a variable that may hold an address. That such an address
    /// lies in the address space is taken for granted, as in C.
    pub(super) fn word(range: Range) -> Self {
        Self { is_number: false, ..Self::number(range) }
    }

    /// The value, if only one is possible and nothing can go wrong.
    pub(super) fn constant(&self) -> Option<i128> {
        self.range.single().filter(|_| self.is_number && self.is_harmless)
    }

    /// Whether it is a number, and 0 or 1.
    pub(super) fn is_truth(&self) -> bool {
        self.is_number && self.range.lies_in(Range::TRUTH)
    }

    /// Adds what is known of the same value from elsewhere.
    pub(super) fn learn(&mut self, other: &Self) {
        let mut range = self.range.meet(other.range);
        let narrowings = self.narrowings.max(other.narrowings) + u8::from(range != self.range);
        if range.is_empty() || narrowings > MAX_NARROWINGS {
            range = self.range;
        }
        *self = Self {
            is_number: self.is_number || other.is_number,
            is_in_space: self.is_in_space || other.is_in_space,
            is_harmless: self.is_harmless || other.is_harmless,
            range,
            narrowings: narrowings.min(MAX_NARROWINGS),
        };
    }

    /// Whether reduction to the range of `kind` changes nothing.
    pub(super) fn fits(&self, kind: IntKind, address_bits: u8) -> bool {
        let keeps_addresses = self.is_number || (self.is_in_space && kind.bits >= address_bits);
        keeps_addresses && kind.modulus().is_some() && self.range.lies_in(Range::of_kind(kind))
    }

    /// Of `op operand`.
    pub(super) fn unary(op: UnaryOp, operand: &Self) -> Self {
        let range = match op {
            UnaryOp::Negate => operand.range.negate(),
            UnaryOp::BitNot => operand.range.invert(),
            UnaryOp::Not if operand.range.excludes(0) => Range::of(0, 0),
            UnaryOp::Not if operand.is_number && operand.range.single() == Some(0) => {
                Range::of(1, 1)
            }
            UnaryOp::Not => Range::TRUTH,
        };
        Self { is_harmless: operand.is_harmless, ..Self::number(range) }
    }

    /// Of `operand` reduced to the range of `kind`.
    pub(super) fn wrap(kind: IntKind, operand: &Self, address_bits: u8) -> Self {
        Self {
            is_number: operand.is_number || kind.bits < address_bits,
            // A wider type counts on beyond the address space.
            is_in_space: operand.is_in_space || kind.bits <= address_bits,
            range: operand.range.wrap(kind),
            ..*operand
        }
    }

    /// Of `left op right`.
    pub(super) fn binary(op: BinaryOp, left: &Self, right: &Self, address_bits: u8) -> Self {
        let are_numbers = left.is_number && right.is_number;
        let is_number = match op {
            BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor => are_numbers,
            BinaryOp::Subtract => left.is_number,
            BinaryOp::And => are_numbers || left.is_low_mask() || right.is_low_mask(),
            _ => true,
        };
        let errs = match op {
            BinaryOp::Divide | BinaryOp::Remainder => !right.range.excludes(0),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => !right.range.is_at_least(0),
            _ => false,
        };
        Self {
            is_number,
            is_in_space: is_number,
            is_harmless: left.is_harmless && right.is_harmless && !errs,
            range: range_of_binary(op, left, right, address_bits),
            narrowings: 0,
        }
    }

    /// A mask of bits that an address has in common with its offset.
    fn is_low_mask(&self) -> bool {
        self.is_number && self.range.lies_in(Range::of(0, 15))
    }
}

fn range_of_binary(op: BinaryOp, left: &Facts, right: &Facts, address_bits: u8) -> Range {
    let (a, b) = (left.range, right.range);
    match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Subtract => difference(left, right, address_bits),
        BinaryOp::Multiply => a.multiply(b),
        BinaryOp::Divide => a.divide(b),
        BinaryOp::Remainder => remainder(left, right),
        BinaryOp::ShiftLeft => match b.single() {
            Some(distance @ 0..=100) => a.scale(1 << distance),
            _ => Range { low: a.low.filter(|low| *low >= 0), high: None },
        },
        BinaryOp::ShiftRight => match b.single() {
            Some(distance @ 0..) => {
                let shift = |bound: i128| bound >> distance.min(127);
                Range { low: a.low.map(shift), high: a.high.map(shift) }
            }
            _ if a.is_at_least(0) => Range { low: Some(0), high: a.high },
            _ => Range::ALL,
        },
        BinaryOp::And => bits_in_common(left, right),
        BinaryOp::Or | BinaryOp::Xor => match (a.high, b.high) {
            (Some(high), Some(other)) if a.is_at_least(0) && b.is_at_least(0) => {
                Range::of(0, all_bits(high | other))
            }
            _ => Range::ALL,
        },
        BinaryOp::Equal => comparison(left, right, |a, b| {
            let same = a.single().zip(b.single()).is_some_and(|(a, b)| a == b);
            (same, a.meet(b).is_empty())
        }),
        BinaryOp::NotEqual => comparison(left, right, |a, b| {
            let same = a.single().zip(b.single()).is_some_and(|(a, b)| a == b);
            (a.meet(b).is_empty(), same)
        }),
        BinaryOp::Less => comparison(left, right, |a, b| (is_below(a, b), is_at_most(b, a))),
        BinaryOp::LessEqual => comparison(left, right, |a, b| (is_at_most(a, b), is_below(b, a))),
        BinaryOp::Greater => comparison(left, right, |a, b| (is_below(b, a), is_at_most(a, b))),
        BinaryOp::GreaterEqual => {
            comparison(left, right, |a, b| (is_at_most(b, a), is_below(a, b)))
        }
    }
}

fn is_below(a: Range, b: Range) -> bool {
    a.high.zip(b.low).is_some_and(|(high, low)| high < low)
}

fn is_at_most(a: Range, b: Range) -> bool {
    a.high.zip(b.low).is_some_and(|(high, low)| high <= low)
}

/// 0, 1 or either, by a test that says whether the comparison surely holds and
/// whether it surely does not.
fn comparison(left: &Facts, right: &Facts, test: fn(Range, Range) -> (bool, bool)) -> Range {
    if !(left.is_number && right.is_number) {
        return Range::TRUTH;
    }
    match test(left.range, right.range) {
        (true, false) => Range::of(1, 1),
        (false, true) => Range::of(0, 0),
        _ => Range::TRUTH,
    }
}

/// The distance of two addresses is below the size of the address space.
fn difference(left: &Facts, right: &Facts, address_bits: u8) -> Range {
    let of_numbers = left.range.add(right.range.negate());
    if left.is_number || right.is_number {
        return of_numbers;
    }
    let space = 1_i128 << address_bits.min(126);
    match of_numbers {
        Range { low: Some(low), high: Some(high) } if left.is_in_space && right.is_in_space => {
            Range::of(low.min(1 - space), high.max(space - 1))
        }
        _ => Range::ALL,
    }
}

/// Of the dividend's sign, and nearer to zero than dividend and divisor.
fn remainder(left: &Facts, right: &Facts) -> Range {
    let a = left.range;
    let size =
        right.range.single().filter(|it| *it != 0).and_then(i128::checked_abs).map(|it| it - 1);
    let is_negative = left.is_number && a.is_at_most(0);
    let low = if a.is_at_least(0) { Some(0) } else { size.map(|it| -it) };
    let high = if is_negative { Some(0) } else { size };
    let by_dividend = a.high.filter(|_| left.is_number && a.is_at_least(0));
    Range { low, high }.meet(Range { low: None, high: by_dividend })
}

/// A number from 0 on that is one operand bounds the result.
fn bits_in_common(left: &Facts, right: &Facts) -> Range {
    [left, right]
        .into_iter()
        .filter(|it| it.is_number && it.range.is_at_least(0))
        .map(|it| Range { low: Some(0), high: it.range.high })
        .fold(Range::ALL, Range::meet)
}

/// The number with all bits up to the highest of `value`, a number from 0 on.
fn all_bits(value: i128) -> i128 {
    if value <= 0 { 0 } else { i128::MAX >> (value.leading_zeros() - 1) }
}
