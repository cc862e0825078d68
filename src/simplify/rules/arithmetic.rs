//! Sums, products and quotients.

use super::{Match, Rule, always, computing, when};
use crate::facts::Range;

/// Constants move outwards, subtractions inwards to what they may cancel, and
/// factors both ways.
pub(super) const RULES: &[Rule] = &[
    always("commute-add", "(+ ?a ?b)", "(+ ?b ?a)"),
    always("commute-multiply", "(* ?a ?b)", "(* ?b ?a)"),
    always("add-zero", "(+ ?a 0)", "?a"),
    always("subtract-zero", "(- ?a 0)", "?a"),
    when("multiply-one", "(* ?a 1)", "?a", |it| it.is_number("?a")),
    when("divide-by-one", "(/ ?a 1)", "?a", |it| it.is_number("?a")),
    // Constants.
    computing("subtract-constant", "(- ?a ?c)", "(+ ?a ?e)", |it| it.constant("?c")?.checked_neg()),
    computing("add-constants", "(+ (+ ?a ?c) ?d)", "(+ ?a ?e)", |it| {
        it.constant("?c")?.checked_add(it.constant("?d")?)
    }),
    when("constant-outwards", "(+ (+ ?a ?c) ?b)", "(+ (+ ?a ?b) ?c)", |it| {
        it.is_constant("?c") && !it.is_constant("?b")
    }),
    computing("multiply-constants", "(* (* ?a ?c) ?d)", "(* ?a ?e)", |it| {
        it.constant("?c")?.checked_mul(it.constant("?d")?)
    }),
    when("factor-outwards", "(* (* ?a ?c) ?b)", "(* (* ?a ?b) ?c)", |it| {
        it.is_constant("?c") && !it.is_constant("?b")
    }),
    // Signs.
    when("negate-twice", "(neg (neg ?a))", "?a", |it| it.is_number("?a")),
    always("negate-as-product", "(neg ?a)", "(* ?a -1)"),
    always("product-as-negate", "(* ?a -1)", "(neg ?a)"),
    always("zero-minus", "(- 0 ?a)", "(neg ?a)"),
    when("add-negated", "(+ ?a (neg ?b))", "(- ?a ?b)", |it| it.is_number("?b")),
    when("subtract-negated", "(- ?a (neg ?b))", "(+ ?a ?b)", |it| it.is_number("?b")),
    // Subtraction.
    when("subtract-itself", "(- ?a ?a)", "0", |it| it.is_harmless("?a")),
    when("subtract-inwards", "(- (+ ?a ?b) ?d)", "(+ (- ?a ?d) ?b)", |it| {
        it.is_number("?b") || it.is_number("?d")
    }),
    always("subtract-sum", "(- ?a (+ ?b ?d))", "(- (- ?a ?b) ?d)"),
    when("add-then-subtract", "(- (+ ?a ?b) ?b)", "?a", |it| {
        it.is_harmless("?b") && it.is_number("?b")
    }),
    when("subtract-then-add", "(+ (- ?a ?b) ?b)", "?a", |it| {
        it.is_harmless("?b") && it.is_number("?b")
    }),
    when("subtract-difference", "(- ?a (- ?a ?b))", "?b", |it| {
        it.is_harmless("?a") && it.is_number("?b")
    }),
    when("difference-subtract", "(- (- ?a ?b) ?a)", "(neg ?b)", |it| {
        it.is_harmless("?a") && it.is_number("?b")
    }),
    when("subtract-common", "(- (+ ?a ?b) (+ ?a ?d))", "(- ?b ?d)", |it| {
        it.is_harmless("?a") && it.is_number("?a")
    }),
    // Products of sums.
    always("distribute-add", "(* (+ ?a ?b) ?d)", "(+ (* ?a ?d) (* ?b ?d))"),
    when("distribute-subtract", "(* (- ?a ?b) ?d)", "(- (* ?a ?d) (* ?b ?d))", |it| {
        it.is_number("?a") || it.is_number("?b")
    }),
    always("factor-add", "(+ (* ?a ?d) (* ?b ?d))", "(* (+ ?a ?b) ?d)"),
    always("factor-subtract", "(- (* ?a ?d) (* ?b ?d))", "(* (- ?a ?b) ?d)"),
    when("one-more-time", "(+ (* ?a ?b) ?a)", "(* ?a (+ ?b 1))", |it| it.is_number("?a")),
    when("one-time-less", "(- (* ?a ?b) ?a)", "(* ?a (- ?b 1))", |it| it.is_number("?a")),
    // Quotients.
    computing("divide-twice", "(/ (/ ?a ?c) ?d)", "(/ ?a ?e)", |it| {
        positive(it, "?c")?.checked_mul(positive(it, "?d")?)
    }),
    computing("divide-multiple", "(/ (* ?a ?c) ?d)", "(* ?a ?e)", |it| {
        let (factor, divisor) = (it.constant("?c")?, positive(it, "?d")?);
        (factor % divisor == 0).then_some(factor / divisor)
    }),
    computing("cancel-factor", "(/ (* ?a ?c) ?d)", "(/ ?a ?e)", |it| {
        let (factor, divisor) = (positive(it, "?c")?, positive(it, "?d")?);
        (divisor % factor == 0).then_some(divisor / factor)
    }),
    when("cancel-unknown-factor", "(/ (* ?a ?b) ?b)", "?a", |it| {
        it.is_number("?a") && it.is_harmless("?b") && it.facts("?b").range.excludes(0)
    }),
    when("remainder-of-multiple", "(% (* ?a ?c) ?d)", "0", |it| {
        let divides = it
            .constant("?c")
            .zip(positive(it, "?d"))
            .is_some_and(|(factor, divisor)| factor % divisor == 0);
        it.is_harmless("?a") && divides
    }),
    when("remainder-in-range", "(% ?a ?c)", "?a", |it| {
        let a = it.facts("?a");
        a.is_number
            && positive(it, "?c")
                .is_some_and(|divisor| a.range.lies_in(Range::of(1 - divisor, divisor - 1)))
    }),
    when("remainder-twice", "(% (% ?a ?c) ?d)", "(% ?a ?d)", |it| {
        let divides = positive(it, "?c")
            .zip(positive(it, "?d"))
            .is_some_and(|(first, second)| first % second == 0);
        it.is_number("?a") && divides
    }),
    when("divide-and-remainder", "(+ (* (/ ?a ?b) ?b) (% ?a ?b))", "?a", |it| {
        it.is_number("?a") && it.is_harmless("?b") && it.facts("?b").range.excludes(0)
    }),
    when("remainder", "(- ?a (* (/ ?a ?b) ?b))", "(% ?a ?b)", |it| it.is_number("?a")),
];

fn positive(found: &Match, variable: &str) -> Option<i128> {
    found.constant(variable).filter(|value| *value > 0)
}
