//! Polyhedra: laws on random samples, and the cases that analyses live on.

use proptest::prelude::*;

use super::super::laws::{self, check_laws, points, satisfies};
use super::Polyhedron;
use logic::{Constraint, Integer, LinearExpr, Var};

const NAMES: [&str; 6] = ["x", "y", "z", "i", "j", "k"];

fn name(variable: Var) -> String {
    NAMES.get(variable.index()).map_or_else(|| format!("v{}", variable.0), |n| (*n).to_owned())
}

fn v(text: &str) -> LinearExpr {
    let position = NAMES.iter().position(|n| *n == text).expect("a known name");
    LinearExpr::var(Var::at(position))
}

fn n(value: i64) -> LinearExpr {
    LinearExpr::constant(value)
}

fn show(polyhedron: &Polyhedron) -> String {
    polyhedron.display(&name)
}

/// The constraint on `v` that says of `scale * v + shift` what `c` says of `v`.
fn far_away(c: &Constraint, scale: &Integer, shift: &Integer) -> Constraint {
    let expr = c.expr();
    let sum = expr.terms().iter().fold(Integer::ZERO, |sum, (_, a)| sum + a);
    let constant = expr.constant_part() * scale - &sum * shift;
    Constraint::new(c.relation(), LinearExpr::from_terms(expr.terms().iter().cloned(), constant))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_laws_of_numeric_domains_hold(sample in laws::samples()) {
        check_laws::<Polyhedron>(&sample)?;
    }

    #[test]
    fn projection_keeps_every_point(some in proptest::collection::vec(laws::constraints(), 0..7)) {
        let shadow = Polyhedron::of(some.clone()).project_onto(&|v| v == Var(0));
        prop_assert!(shadow.variables().iter().all(|v| *v == Var(0)));
        for point in points().filter(|point| satisfies(&some, point)) {
            prop_assert!(satisfies(shadow.constraints(), &point));
        }
    }

    /// New variables with values: the same polyhedron as by one equality after the other.
    #[test]
    fn definitions_are_equalities(
        some in proptest::collection::vec(laws::constraints(), 0..7),
        values in proptest::collection::vec(laws::constraints(), 1..4),
    ) {
        let named = values.iter().enumerate();
        let definitions: Vec<(Var, LinearExpr)> =
            named.map(|(index, value)| (Var::at(10 + index), value.expr().clone())).collect();
        let mut defined = Polyhedron::of(some);
        let mut assumed = defined.clone();
        defined.define(definitions.clone());
        for (variable, value) in definitions {
            assumed.assume(Constraint::eq(variable, value));
        }
        prop_assert_eq!(defined.constraints(), assumed.constraints());
    }

    #[test]
    fn bounds_and_constants_hold_at_every_point(
        some in proptest::collection::vec(laws::constraints(), 0..7)
    ) {
        let polyhedron = Polyhedron::of(some.clone());
        let (lower, upper) = polyhedron.bounds(&(v("x") - v("z")));
        let constant = polyhedron.implied_constant(Var(1));
        let implied = polyhedron.implied_equalities();
        let mut simple = polyhedron.clone();
        simple.simplify();
        // The other way round holds at every point, but need not be provable:
        // what is redundant over the integers may not be over the rationals.
        prop_assert!(polyhedron.leq(&simple));
        for point in points() {
            prop_assert_eq!(satisfies(simple.constraints(), &point), satisfies(&some, &point));
        }
        for point in points().filter(|point| satisfies(&some, point)) {
            let difference = Integer::from(point[0] - point[2]);
            prop_assert!(lower.iter().all(|bound| *bound <= difference));
            prop_assert!(upper.iter().all(|bound| *bound >= difference));
            prop_assert!(constant.iter().all(|value| *value == point[1]));
            prop_assert!(satisfies(&implied, &point));
        }
    }

    /// The points `scale * p + shift` of a polyhedron far from the origin, with
    /// big constants, are kept by every operation.
    #[test]
    fn operations_stay_sound_far_away(
        sample in laws::samples(),
        scale in prop_oneof![Just(1_i64), Just((1_i64 << 31) - 1), Just(1_i64 << 62)],
        shift in prop_oneof![Just(0_i64), Just(-(1_i64 << 31)), Just(i64::MAX)]
    ) {
        let (scale, shift) = (Integer::from(scale), Integer::from(shift));
        let moved = |some: &[Constraint]| {
            Polyhedron::of(some.iter().map(|c| far_away(c, &scale, &shift)))
        };
        let (left, right) = (moved(&sample.left), moved(&sample.right));
        let joined = left.join(&right);
        let wide = left.widen(&joined, &[]);
        let shadow = left.project_onto(&|v| v != Var(1));
        for point in points().filter(|point| satisfies(&sample.left, point)) {
            let at = |v: Var| Integer::from(point[v.index()]) * &scale + &shift;
            prop_assert!(!left.is_empty());
            for set in [&left, &joined, &wide, &shadow] {
                prop_assert!(set.contains(at));
            }
        }
    }

    #[test]
    fn joins_of_differences_are_above_both_sides(
        left in laws::differences(), right in laws::differences()
    ) {
        laws::check_order::<Polyhedron>(&left, &right)?;
    }

    #[test]
    fn differences_in_any_order_are_the_same_set(some in laws::differences()) {
        let mut forwards = Polyhedron::of(some.clone()).with_implied_equalities();
        let mut backwards = Polyhedron::of(some.into_iter().rev()).with_implied_equalities();
        forwards.simplify();
        backwards.simplify();
        prop_assert_eq!(forwards.equalities(), backwards.equalities());
        prop_assert!(forwards.leq(&backwards) && backwards.leq(&forwards));
    }
}

#[test]
fn two_bounds_make_an_equality() {
    let one = Polyhedron::of([Constraint::ge(v("k"), 1), Constraint::le(v("k"), 1)]);
    assert_eq!(show(&one), "k = 1");
    assert_eq!(one.implied_constant(Var(5)), Some(Integer::ONE));
}

#[test]
fn equal_sets_print_the_same() {
    let first =
        Polyhedron::of([Constraint::eq(v("k"), v("i") + v("j")), Constraint::ge(v("i"), 1)]);
    let second = Polyhedron::of([
        Constraint::ge(v("i"), 1),
        Constraint::ge(v("i"), -5),
        Constraint::eq(v("i"), v("k") - v("j")),
    ]);
    assert_eq!(show(&first), show(&second));
    assert_eq!(first, second);
}

#[test]
fn appending_segments_adds_their_lengths() {
    let mut state = Polyhedron::of([
        Constraint::ge(v("i"), 1),
        Constraint::ge(v("j"), 1),
        Constraint::eq(v("k"), v("i") + v("j")),
        Constraint::eq(v("x"), v("k").scale(&Integer::from(2))),
    ]);
    state = state.project_onto(&|var| var == Var(0));
    assert_eq!(show(&state), "4 <= x");
}

#[test]
fn a_join_finds_the_line_through_two_points() {
    let at = |x: i64, y: i64| {
        Polyhedron::of([Constraint::eq(v("x"), n(x)), Constraint::eq(v("y"), n(y))])
    };
    let joined = at(0, 1).join(&at(2, 5));
    assert_eq!(show(&joined), "2*x + 1 = y /\\ 0 <= x /\\ x <= 2");
}

#[test]
fn a_join_keeps_the_conserved_sum() {
    let start = Polyhedron::of([
        Constraint::eq(v("i"), v("z")),
        Constraint::eq(v("j"), n(0)),
        Constraint::ge(v("z"), 1),
    ]);
    let mut step = start.clone();
    step.assume(Constraint::ge(v("i"), 1));
    step.assign(Var(3), &v("i").add_constant(-1_i64));
    step.assign(Var(4), &v("j").add_constant(1_i64));
    let invariant = start.widen(&start.join(&step), &[Constraint::ge(v("i"), 0)]);
    assert!(invariant.entails(&Constraint::eq(v("i") + v("j"), v("z"))));
    assert!(invariant.entails(&Constraint::ge(v("j"), 0)));
    assert!(invariant.entails(&Constraint::ge(v("i"), 0)));
}

/// What is lost between two variables does not come back one larger; of others it may be said.
#[test]
fn widening_keeps_an_order_but_lets_none_slip() {
    let one = Polyhedron::of([
        Constraint::eq(v("x"), 0),
        Constraint::le(v("y"), v("z")),
        Constraint::ge(v("y"), 0),
    ]);
    let other = Polyhedron::of([
        Constraint::le(v("x"), v("y")),
        Constraint::ge(v("x"), 0),
        Constraint::le(v("y"), v("z").add_constant(1_i64)),
        Constraint::ge(v("y"), 0),
    ]);
    let wide = one.widen(&other, &[]);
    assert!(wide.entails(&Constraint::le(v("x"), v("y"))));
    assert!(!wide.entails(&Constraint::le(v("y"), v("z").add_constant(1_i64))));
}

#[test]
fn emptiness_knows_parity() {
    let odd_and_even = Polyhedron::of([
        Constraint::eq(v("x"), v("y").scale(&Integer::from(2))),
        Constraint::eq(v("x"), v("z").scale(&Integer::from(2)).add_constant(1_i64)),
    ]);
    assert!(odd_and_even.is_empty());
    assert_eq!(show(&odd_and_even), "false");
}

#[test]
fn assignment_of_an_old_value_is_simultaneous() {
    let mut state = Polyhedron::of([Constraint::eq(v("x"), n(4))]);
    state.assign(Var(0), &(v("x") + v("x")).add_constant(1_i64));
    assert_eq!(show(&state), "x = 9");
}

#[test]
fn huge_constants_stay_exact() {
    let limit = Integer::from(u64::MAX);
    let state = Polyhedron::of([
        Constraint::le(v("x"), LinearExpr::constant(&limit)),
        Constraint::ge(v("y"), LinearExpr::constant(&limit)),
        Constraint::lt(v("y"), v("x")),
    ]);
    assert!(state.is_empty());
    let mut line = Polyhedron::of([Constraint::eq(v("x"), v("y").scale(&limit))]);
    line.assume(Constraint::ge(v("y"), LinearExpr::constant(&limit)));
    assert_eq!(line.bounds(&v("x")).0, Some(&limit * &limit));
}
