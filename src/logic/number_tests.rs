//! Numbers against `num_bigint` and `num_rational`, near every word boundary.

use super::{Integer, Rational};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use proptest::prelude::*;

fn big(value: &Integer) -> BigInt {
    value.to_string().parse().expect("an integer prints as digits")
}

/// Integers that crowd around 0, 2^31, 2^63 and 2^127.
fn integers() -> impl Strategy<Value = Integer> {
    let anchors = prop_oneof![
        Just(0_i128),
        Just(1_i128 << 31),
        Just(i128::from(i64::MAX)),
        Just(i128::from(i64::MIN)),
        Just(i128::MAX / 2)
    ];
    (anchors, -5_i128..=5, any::<bool>()).prop_map(|(anchor, offset, square)| {
        let value = Integer::from(anchor + offset);
        if square { &value * &value } else { value }
    })
}

proptest! {
    #[test]
    fn integer_operations_agree_with_big_integers(a in integers(), b in integers()) {
        prop_assert_eq!(big(&(&a + &b)), big(&a) + big(&b));
        prop_assert_eq!(big(&(&a - &b)), big(&a) - big(&b));
        prop_assert_eq!(big(&(&a * &b)), big(&a) * big(&b));
        prop_assert_eq!(big(&-&a), -big(&a));
        prop_assert_eq!(big(&a.gcd(&b)), big(&a).gcd(&big(&b)));
        prop_assert_eq!(a.cmp(&b), big(&a).cmp(&big(&b)));
        if !b.is_zero() {
            prop_assert_eq!(big(&a.div_floor(&b)), big(&a).div_floor(&big(&b)));
            prop_assert_eq!(big(&a.div_ceil(&b)), big(&a).div_ceil(&big(&b)));
            prop_assert_eq!((&a * &b).div_exact(&b), a.clone());
            prop_assert!(b.divides(&(&a * &b)));
        }
        prop_assert_eq!(&(&a + &b) - &b, a);
    }

    #[test]
    fn rational_operations_agree_with_big_rationals(
        a in integers(), b in integers(), c in integers(), d in integers()
    ) {
        let (Some(left), Some(right)) = (Rational::new(a, b), Rational::new(c, d)) else {
            return Ok(());
        };
        let wide = |r: &Rational| BigRational::new(big(r.numerator()), big(r.denominator()));
        prop_assert_eq!(wide(&(&left + &right)), wide(&left) + wide(&right));
        prop_assert_eq!(wide(&(&left - &right)), wide(&left) - wide(&right));
        prop_assert_eq!(wide(&(&left * &right)), wide(&left) * wide(&right));
        prop_assert_eq!(left.cmp(&right), wide(&left).cmp(&wide(&right)));
        prop_assert_eq!(big(&left.floor()), wide(&left).floor().to_integer());
        prop_assert_eq!(big(&left.ceil()), wide(&left).ceil().to_integer());
        if let Some(quotient) = left.checked_div(&right) {
            prop_assert_eq!(wide(&quotient), wide(&left) / wide(&right));
        }
    }
}

#[test]
fn results_that_fit_a_word_again_are_equal_to_words() {
    let big = Integer::from(i64::MAX) + Integer::ONE;
    assert_eq!(big.to_i64(), None);
    assert_eq!(&big - &Integer::ONE, Integer::from(i64::MAX));
    assert_eq!(-&big, Integer::from(i64::MIN));
}
