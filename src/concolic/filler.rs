//! Plain ways to choose for ever: the first runs of a search, and how the others go on.

use ir::expr::ScalarType;

/// A plain way to choose for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Filler {
    /// The same number again and again.
    Constant(i128),
    /// Two numbers in turn.
    Alternating(i128, i128),
    /// 1, 2, 3 and so on.
    Counting,
    /// The same where a number is no flag, and 1 for flags: what is read is there.
    Rising,
    /// Numbers without an order.
    Scattered(u64),
    /// The last bits of a number again and again, the least first.
    Bits(u32, usize),
}

pub(super) const FILLERS: &[Filler] = &[
    Filler::Constant(0),
    Filler::Constant(1),
    Filler::Constant(-1),
    Filler::Alternating(1, 0),
    Filler::Alternating(0, 1),
    Filler::Constant(5),
    Filler::Counting,
    Filler::Constant(-20),
    Filler::Constant(100),
    Filler::Scattered(7),
    Filler::Constant(100_000),
    Filler::Constant(100_001),
    Filler::Rising,
];

/// Whether a choice is one between yes and no.
pub(super) fn is_flag(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::Int(kind) if kind.bits == 1)
}

impl Filler {
    pub(super) fn at(self, position: usize) -> i128 {
        match self {
            Self::Constant(number) => number,
            Self::Alternating(even, odd) => {
                if position.is_multiple_of(2) {
                    even
                } else {
                    odd
                }
            }
            Self::Counting | Self::Rising => i128::try_from(position).unwrap_or(0) + 1,
            Self::Bits(bits, n_bits) => i128::from((bits >> (position % n_bits)) & 1),
            Self::Scattered(seed) => {
                let mixed = (position as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed;
                i128::from((mixed >> 40) % 17) - 4
            }
        }
    }
}
