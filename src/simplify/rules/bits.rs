//! Bitwise operators and shifts.

use super::{Match, Rule, always, computing, when};
use crate::facts::Range;

/// Masks and shifts that change nothing or are sums.
pub(super) const RULES: &[Rule] = &[
    always("commute-and", "(& ?a ?b)", "(& ?b ?a)"),
    always("commute-or", "(| ?a ?b)", "(| ?b ?a)"),
    always("commute-xor", "(^ ?a ?b)", "(^ ?b ?a)"),
    when("mask-in-range", "(& ?a ?c)", "?a", is_masked_already),
    computing("mask-mask", "(& (& ?a ?c) ?d)", "(& ?a ?e)", |it| {
        it.is_number("?a").then_some(it.constant("?c")? & it.constant("?d")?)
    }),
    when("and-ones", "(& ?a -1)", "?a", |it| it.is_number("?a")),
    when("or-zero", "(| ?a 0)", "?a", |it| it.is_number("?a")),
    when("xor-zero", "(^ ?a 0)", "?a", |it| it.is_number("?a")),
    when("and-itself", "(& ?a ?a)", "?a", |it| it.is_number("?a")),
    when("or-itself", "(| ?a ?a)", "?a", |it| it.is_number("?a")),
    when("xor-itself", "(^ ?a ?a)", "0", |it| it.is_harmless("?a")),
    when("xor-twice", "(^ (^ ?a ?b) ?b)", "?a", |it| {
        it.is_number("?a") && it.is_number("?b") && it.is_harmless("?b")
    }),
    when("invert-twice", "(~ (~ ?a))", "?a", |it| it.is_number("?a")),
    always("invert", "(~ ?a)", "(- -1 ?a)"),
    computing("shift-left", "(<< ?a ?c)", "(* ?a ?e)", |it| power_of_two(it.constant("?c")?)),
    when("shift-right-by-none", "(>> ?a 0)", "?a", |it| it.is_number("?a")),
    computing("shift-right-twice", "(>> (>> ?a ?c) ?d)", "(>> ?a ?e)", |it| {
        let (first, second) = (it.constant("?c")?, it.constant("?d")?);
        if first >= 0 && second >= 0 { first.checked_add(second) } else { None }
    }),
    computing("shift-of-multiple", "(>> (* ?a ?c) ?d)", "(* ?a ?e)", |it| {
        let (factor, power) = (it.constant("?c")?, power_of_two(it.constant("?d")?)?);
        (factor % power == 0).then_some(factor / power)
    }),
    computing("shift-for-division", "(/ ?a ?c)", "(>> ?a ?e)", |it| {
        let divisor = it.constant("?c").filter(|it| *it > 0 && it.count_ones() == 1)?;
        let a = it.facts("?a");
        (a.is_number && a.range.is_at_least(0)).then_some(i128::from(divisor.trailing_zeros()))
    }),
];

fn power_of_two(exponent: i128) -> Option<i128> {
    (0..=100).contains(&exponent).then(|| 1 << exponent)
}

/// `?c` is `2^n - 1`, and `?a` lies below `2^n`.
fn is_masked_already(found: &Match) -> bool {
    let a = found.facts("?a");
    let is_below = |mask: i128| {
        mask >= 0 && mask & mask.wrapping_add(1) == 0 && a.range.lies_in(Range::of(0, mask))
    };
    a.is_number && found.constant("?c").is_some_and(is_below)
}
