//! Comparisons and truth values.

use super::{Rule, always, when};

/// For conditions: no truth value is made a number and tested again.
pub(super) const RULES: &[Rule] = &[
    always("not-equal", "(! (== ?a ?b))", "(!= ?a ?b)"),
    always("not-unequal", "(! (!= ?a ?b))", "(== ?a ?b)"),
    always("not-less", "(! (< ?a ?b))", "(>= ?a ?b)"),
    always("not-at-most", "(! (<= ?a ?b))", "(> ?a ?b)"),
    always("not-greater", "(! (> ?a ?b))", "(<= ?a ?b)"),
    always("not-at-least", "(! (>= ?a ?b))", "(< ?a ?b)"),
    always("not-not", "(! (! ?a))", "(!= ?a 0)"),
    always("equals-zero", "(== ?a 0)", "(! ?a)"),
    always("not-is-equals-zero", "(! ?a)", "(== ?a 0)"),
    when("truth-differs-from-zero", "(!= ?a 0)", "?a", |it| it.is_truth("?a")),
    when("truth-equals-one", "(== ?a 1)", "?a", |it| it.is_truth("?a")),
    when("truth-differs-from-one", "(!= ?a 1)", "(! ?a)", |it| it.is_truth("?a")),
    when("truth-above-zero", "(> ?a 0)", "?a", |it| it.is_truth("?a")),
    when("truth-at-least-one", "(>= ?a 1)", "?a", |it| it.is_truth("?a")),
    when("truth-below-one", "(< ?a 1)", "(! ?a)", |it| it.is_truth("?a")),
    when("truth-at-most-zero", "(<= ?a 0)", "(! ?a)", |it| it.is_truth("?a")),
    when("flipped-truth", "(^ ?a 1)", "(! ?a)", |it| it.is_truth("?a")),
    when("truth-from-one", "(- 1 ?a)", "(! ?a)", |it| it.is_truth("?a")),
    when("truth-and-one", "(& ?a 1)", "?a", |it| it.is_truth("?a")),
    always("difference-is-zero", "(== (- ?a ?b) 0)", "(== ?a ?b)"),
    always("difference-is-not-zero", "(!= (- ?a ?b) 0)", "(!= ?a ?b)"),
    when("equal-itself", "(== ?a ?a)", "1", |it| it.is_harmless("?a")),
    when("differs-from-itself", "(!= ?a ?a)", "0", |it| it.is_harmless("?a")),
    when("less-than-itself", "(< ?a ?a)", "0", |it| it.is_harmless("?a")),
    when("greater-than-itself", "(> ?a ?a)", "0", |it| it.is_harmless("?a")),
    when("at-most-itself", "(<= ?a ?a)", "1", |it| it.is_harmless("?a")),
    when("at-least-itself", "(>= ?a ?a)", "1", |it| it.is_harmless("?a")),
    when("equal-constant-first", "(== ?c ?a)", "(== ?a ?c)", |it| it.is_constant("?c")),
    when("unequal-constant-first", "(!= ?c ?a)", "(!= ?a ?c)", |it| it.is_constant("?c")),
    when("less-constant-first", "(< ?c ?a)", "(> ?a ?c)", |it| it.is_constant("?c")),
    when("at-most-constant-first", "(<= ?c ?a)", "(>= ?a ?c)", |it| it.is_constant("?c")),
    when("greater-constant-first", "(> ?c ?a)", "(< ?a ?c)", |it| it.is_constant("?c")),
    when("at-least-constant-first", "(>= ?c ?a)", "(<= ?a ?c)", |it| it.is_constant("?c")),
    when("wrap-on-the-right-of-equal", "(== ?b (wrap ?k ?a))", "(== (wrap ?k ?a) ?b)", |it| {
        it.is_number("?a")
    }),
    when("wrap-on-the-right-of-unequal", "(!= ?b (wrap ?k ?a))", "(!= (wrap ?k ?a) ?b)", |it| {
        it.is_number("?a")
    }),
];
