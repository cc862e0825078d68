//! Normal forms of expressions and constraints.

use super::super::Var;
use super::{Constraint, LinearExpr};

fn x() -> LinearExpr {
    LinearExpr::var(Var(0))
}

fn y() -> LinearExpr {
    LinearExpr::var(Var(1))
}

fn times(factor: i64, expr: &LinearExpr) -> LinearExpr {
    expr.scale(&factor.into())
}

fn show(constraint: &Constraint) -> String {
    constraint.display(&|v| ["x", "y"][v.index()].to_owned())
}

#[test]
fn sums_cancel_and_stay_sorted() {
    let sum = (y() + x()) - y();
    assert_eq!(sum.as_var(), Some(Var(0)));
    assert!((&sum - &x()).is_zero());
    assert_eq!(
        times(-2, &(x() - y())).add_constant(3_i64).display(&|v| format!("v{}", v.0)),
        "-2*v0 + 2*v1 + 3"
    );
}

#[test]
fn substitution_is_simultaneous() {
    let swapped = (times(2, &x()) + y()).map(|v| if v == Var(0) { y() } else { x() });
    assert_eq!(swapped, x() + times(2, &y()));
    assert_eq!((x() + y()).substitute(Var(0), &y().neg()), LinearExpr::zero());
}

#[test]
fn inequalities_are_tightened_to_integers() {
    assert_eq!(show(&Constraint::le(times(2, &x()), 5)), "x <= 2");
    assert_eq!(show(&Constraint::ge(times(2, &x()), 5)), "3 <= x");
    assert_eq!(show(&Constraint::lt(x(), y())), "x + 1 <= y");
    assert!(Constraint::lt(x(), x()).is_contradiction());
    assert!(Constraint::le(x(), x()).is_trivial());
}

#[test]
fn equalities_have_one_sign_and_know_their_divisor() {
    assert_eq!(Constraint::eq(y(), x()), Constraint::eq(x(), y()));
    assert_eq!(show(&Constraint::eq(times(4, &x()), times(2, &y()))), "2*x = y");
    assert!(Constraint::eq(times(2, &x()), 1).is_contradiction());
}

#[test]
fn the_negation_of_an_inequality_is_its_integer_complement() {
    let constraint = Constraint::le(x(), 3);
    assert_eq!(constraint.negate(), Some(Constraint::ge(x(), 4)));
    assert_eq!(constraint.negate().and_then(|c| c.negate()), Some(constraint));
    assert_eq!(Constraint::eq(x(), 3).negate(), None);
}
