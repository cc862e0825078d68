//! Reduced products in hand-made states.

use super::{Product, reduced};
use crate::state::{Kind, State};
use ir::{IntKind, Variable};
use logic::{Constraint, Integer, LinearExpr, Var};

const I32: IntKind = IntKind { bits: 32, signed: true };
const I8: IntKind = IntKind { bits: 8, signed: true };
const U8: IntKind = IntKind { bits: 8, signed: false };

/// `x`, `y` and `n`, numbers that program variables hold.
const X: Var = Var(0);
const Y: Var = Var(1);
const N: Var = Var(2);

fn state() -> State {
    let mut state = State::initial();
    for index in 0..3 {
        let value = state.fresh(Kind::Integer);
        state.set_in(0, Variable::at(index), value.into());
    }
    state
}

fn product(factor: i64, (left, right): (Var, Var), range: Option<IntKind>) -> Product {
    let (left, right, value) = (left.into(), right.into(), N.into());
    Product { factor: Integer::from(factor), left, right, value, range }
}

#[test]
fn numbers_are_reduced_to_the_range_of_a_type() {
    let far = 1_i64 << 40;
    let all = [(I8, 200, -56), (I8, -129, 127), (U8, -1, 255), (U8, 256, 0), (I32, far, 0)];
    for (kind, number, expected) in all {
        assert_eq!(
            reduced(kind, &Integer::from(number)),
            Some(Integer::from(expected)),
            "{number}"
        );
    }
}

#[test]
fn a_reduced_product_is_the_same_in_either_order_only() {
    let mut state = state();
    state.note_product(product(3, (X, Y), Some(I8)));
    assert!(state.surely_product(&product(3, (Y, X), Some(I8))));
    for wrong in [
        product(3, (X, Y), None),
        product(3, (X, Y), Some(U8)),
        product(6, (X, Y), Some(I8)),
        product(-3, (X, Y), Some(I8)),
        product(3, (X, X), Some(I8)),
    ] {
        assert!(!state.surely_product(&wrong), "{wrong:?}");
    }
    let twice = Product { factor: 6.into(), ..product(3, (X, Y), Some(I8)) };
    let twice = Product { value: LinearExpr::term(N, 2), ..twice };
    assert!(!state.surely_product(&twice), "2 wrap(3 x y) may be too large");
}

#[test]
fn what_fits_is_not_changed() {
    let mut state = state();
    state.note_product(product(1, (X, Y), None));
    let _ = state.assume_constraint(Constraint::ge(N, 0));
    let _ = state.assume_constraint(Constraint::le(N, 127));
    assert!(state.surely_product(&product(1, (X, Y), Some(I8))));
    let twice = Product { value: LinearExpr::term(N, 2), ..product(2, (X, Y), Some(U8)) };
    assert!(state.surely_product(&twice));
    let twice = Product { range: Some(I8), ..twice };
    assert!(!state.surely_product(&twice), "it may be 254");
}

#[test]
fn a_factor_that_is_known_makes_the_product_linear() {
    let mut state = state();
    let _ = state.assume_constraint(Constraint::eq(X, 3));
    let _ = state.assume_constraint(Constraint::eq(N, LinearExpr::term(Y, 3)));
    assert!(state.surely_product(&product(1, (X, Y), None)));
    assert!(!state.surely_product(&product(1, (X, Y), Some(I8))));
    let _ = state.assume_constraint(Constraint::ge(N, -128));
    assert!(!state.surely_product(&product(1, (X, Y), Some(I8))));
    let _ = state.assume_constraint(Constraint::le(N, 127));
    assert!(state.surely_product(&product(1, (X, Y), Some(I8))));
}

#[test]
fn the_product_of_a_constant_is_linear() {
    let mut state = state();
    state.note_product(product(4, (X, Y), None));
    let _ = state.assume_zero(&LinearExpr::var(Y).add_constant(Integer::from(-25)));
    assert!(state.facts.products.is_empty());
    let held = [0, 2].map(|index| state.value_in(0, Variable::at(index)).cloned());
    let [Some(x), Some(n)] = held else { panic!("both have values") };
    assert!(state.surely_zero(&n.sub(&x.scale(&Integer::from(100)))));
}

#[test]
fn a_reduced_product_is_a_constant_where_both_factors_are() {
    let mut state = state();
    state.note_product(product(1, (X, Y), Some(I8)));
    let _ = state.assume_zero(&LinearExpr::var(X).add_constant(Integer::from(-100)));
    assert_eq!(state.facts.products.len(), 1);
    let linear = LinearExpr::term(Y, 100).sub(&N.into());
    assert!(!state.surely_zero(&linear), "100 y may be too large");
    let _ = state.assume_zero(&LinearExpr::var(Y).add_constant(Integer::from(-3)));
    assert!(state.facts.products.is_empty());
    assert_eq!(state.value_in(0, Variable::at(2)), Some(&LinearExpr::from(44)));
}

#[test]
fn reduced_products_stay_while_their_factors_do() {
    let mut state = state();
    let [first, second] = [(); 2].map(|()| state.fresh(Kind::Integer));
    state.note_product(Product { value: first.into(), ..product(1, (X, Y), Some(I8)) });
    // A product of a product.
    state.note_product(Product { value: second.into(), ..product(1, (first, N), Some(I8)) });
    state.note_product(Product { value: second.into(), ..product(1, (first, first), None) });
    state.prune_products();
    assert_eq!(state.facts.products.len(), 3);
    state.set_in(0, Variable::at(0), LinearExpr::zero());
    state.prune_products();
    assert!(state.facts.products.is_empty());
}
