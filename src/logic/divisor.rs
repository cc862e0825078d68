//! Greatest common divisors.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive};

use base::effort;

/// Operations on words that a common divisor of two numbers takes, for each pair of their
/// words.
const PRICE: u64 = 16;

/// Stein's algorithm on words; `gcd(0, n) = n`.
pub(crate) fn gcd_words(mut left: u64, mut right: u64) -> u64 {
    if left == 0 || right == 0 {
        return left | right;
    }
    if left == 1 || right == 1 {
        return 1;
    }
    let shift = (left | right).trailing_zeros();
    left >>= left.trailing_zeros();
    while right != 0 {
        right >>= right.trailing_zeros();
        if left > right {
            std::mem::swap(&mut left, &mut right);
        }
        right -= left;
    }
    left << shift
}

/// The common divisor of a number and a word, which is not 0.
pub(super) fn gcd_word(number: &BigInt, word: u64) -> u64 {
    gcd_words(word, (number % word).abs().to_u64().unwrap_or_default())
}

/// The common divisor of two large numbers. Numbers of very different length are brought
/// together first: Stein's algorithm takes a step a bit.
pub(super) fn gcd_large(left: &BigInt, right: &BigInt) -> BigInt {
    let words = |it: &BigInt| it.bits().div_ceil(64);
    effort::note(PRICE * words(left) * words(right));
    let (long, short) = if left.bits() > right.bits() { (left, right) } else { (right, left) };
    let rest = (long % short).abs();
    match rest.to_u64() {
        Some(0) => short.abs(),
        Some(word) => BigInt::from(gcd_word(short, word)),
        None => short.gcd(&rest),
    }
}
