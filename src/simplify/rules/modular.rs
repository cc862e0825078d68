//! Reduction to the range of an integer type.

use super::{Match, Rule, computing, when};
use crate::facts::Range;

/// For `wrap_k(wrap_m(a) ...) = wrap_k(a ...)`.
pub(super) const RULES: &[Rule] = &[
    when("wrap-in-range", "(wrap ?k ?a)", "?a", |it| {
        it.kind("?k").is_some_and(|kind| it.facts("?a").fits(kind, it.address_bits()))
    }),
    when("wrap-wrap", "(wrap ?k (wrap ?m ?a))", "(wrap ?k ?a)", is_narrower),
    when("wrap-add", "(wrap ?k (+ (wrap ?m ?a) ?b))", "(wrap ?k (+ ?a ?b))", is_narrower),
    when(
        "wrap-subtract-left",
        "(wrap ?k (- (wrap ?m ?a) ?b))",
        "(wrap ?k (- ?a ?b))",
        is_narrower_difference,
    ),
    when(
        "wrap-subtract-right",
        "(wrap ?k (- ?b (wrap ?m ?a)))",
        "(wrap ?k (- ?b ?a))",
        is_narrower_difference,
    ),
    when("wrap-multiply", "(wrap ?k (* (wrap ?m ?a) ?b))", "(wrap ?k (* ?a ?b))", is_narrower),
    when("wrap-negate", "(wrap ?k (neg (wrap ?m ?a)))", "(wrap ?k (neg ?a))", is_narrower),
    when("wrap-invert", "(wrap ?k (~ (wrap ?m ?a)))", "(wrap ?k (~ ?a))", is_narrower),
    when("wrap-shift", "(wrap ?k (<< (wrap ?m ?a) ?b))", "(wrap ?k (<< ?a ?b))", is_narrower),
    when("wrap-and", "(wrap ?k (& (wrap ?m ?a) ?b))", "(wrap ?k (& ?a ?b))", is_narrower_bitwise),
    when("wrap-or", "(wrap ?k (| (wrap ?m ?a) ?b))", "(wrap ?k (| ?a ?b))", is_narrower_bitwise),
    when("wrap-xor", "(wrap ?k (^ (wrap ?m ?a) ?b))", "(wrap ?k (^ ?a ?b))", is_narrower_bitwise),
    when("mask-wrap", "(& (wrap ?m ?a) ?c)", "(& ?a ?c)", |it| {
        let modulus = it.kind("?m").and_then(ir::IntKind::modulus);
        let is_mask = it
            .constant("?c")
            .zip(modulus)
            .is_some_and(|(mask, modulus)| (0..modulus).contains(&mask));
        is_mask && it.is_number("?a")
    }),
    computing("wrap-equals", "(== (wrap ?k ?a) ?c)", "(== ?a ?e)", only_representative),
    computing("wrap-differs", "(!= (wrap ?k ?a) ?c)", "(!= ?a ?e)", only_representative),
    when(
        "equal-modulo",
        "(== (wrap ?k ?a) ?b)",
        "(== (wrap ?k (- ?a ?b)) 0)",
        is_comparable_modulo,
    ),
    when(
        "unequal-modulo",
        "(!= (wrap ?k ?a) ?b)",
        "(!= (wrap ?k (- ?a ?b)) 0)",
        is_comparable_modulo,
    ),
];

fn is_narrower(found: &Match) -> bool {
    found.kind("?k").zip(found.kind("?m")).is_some_and(|(outer, inner)| {
        outer.modulus().is_some() && inner.modulus().is_some() && outer.bits <= inner.bits
    })
}

/// The distance of two addresses is a number: a wider type than that of
/// addresses shows where they were reduced.
fn is_narrower_difference(found: &Match) -> bool {
    let hides_distance = found.kind("?k").is_some_and(|kind| kind.bits <= found.address_bits());
    is_narrower(found) && (hides_distance || found.is_number("?a") || found.is_number("?b"))
}

fn is_narrower_bitwise(found: &Match) -> bool {
    is_narrower(found) && found.is_number("?a") && found.is_number("?b")
}

/// The only value of `?a` that reduces to the constant `?c`.
fn only_representative(found: &Match) -> Option<i128> {
    let kind = found.kind("?k")?;
    let modulus = kind.modulus()?;
    let wanted = found.constant("?c")?;
    let Range { low: Some(low), high: Some(high) } = found.facts("?a").range else { return None };
    if kind.wrap(wanted) != wanted {
        return None;
    }
    let first = low.checked_add(wanted.checked_sub(low)?.rem_euclid(modulus))?;
    (first <= high && first.checked_add(modulus)? > high).then_some(first)
}

/// Both are numbers, `?b` in the range of `?k`, and `?b` is no constant.
fn is_comparable_modulo(found: &Match) -> bool {
    let (a, b) = (found.facts("?a"), found.facts("?b"));
    let is_in_range = found.kind("?k").is_some_and(|kind| b.fits(kind, found.address_bits()));
    is_in_range && a.is_number && b.is_number && b.constant().is_none()
}
