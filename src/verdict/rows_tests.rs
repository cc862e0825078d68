//! Claims about what elements of arrays own, each right, and wrong in one thing.

use super::*;
use crate::heap::row::{Holding, Nulls, Row};
use crate::logic::Constraint;

/// Elements of a table of 64 bytes at `v0` from `v1` to `v2`: each owns a list, or is null.
fn row(nulls: Nulls) -> Row {
    let library = ShapeLibrary::builtin().unwrap();
    let list = list(3, 1.into(), &[]);
    let kind = (list.shape, &list.template);
    let holds = Holding::of(kind, &list.arguments, &v(3), &library);
    Row { stride: 8, offset: 0, first: v(1), end: v(2), holds, nulls }
}

fn table(rows: &[Row], named: &[(LinearExpr, LinearExpr)]) -> Block {
    let scalar = |(index, value): &(LinearExpr, LinearExpr)| FloatingCell {
        offset: index.scale(&Integer::from(8)),
        ty: ScalarType::Pointer,
        value: value.clone(),
    };
    Block {
        size: 64.into(),
        rows: rows.to_vec(),
        recent: named.iter().map(scalar).collect(),
        ..block(0, &[])
    }
}

/// A state with such a table, other atoms, and this known of `first` and `end`.
fn with(table: Block, others: &[Atom], known: &[Constraint]) -> State {
    let kinds = [Kind::Address, Kind::Integer, Kind::Integer, Kind::Address, Kind::Integer];
    let mut state = state(&kinds, &[(X, v(0))]);
    state.heap.atoms.push(Atom::Block(table));
    state.heap.atoms.extend_from_slice(others);
    state.facts.numbers.assume_all(known.iter().cloned());
    state
}

fn binding(first: LinearExpr, end: LinearExpr) -> Vec<LinearExpr> {
    vec![v(0), first, end, Var::at(5).into(), Var::at(6).into()]
}

fn is_right(have: &State, want: &State, ends: (LinearExpr, LinearExpr), proof: Proof) -> bool {
    flaw(have, want, (binding(ends.0, ends.1), vec![proof])).is_none()
}

fn wanted(nulls: Nulls) -> State {
    with(table(&[row(nulls)], &[]), &[], &[])
}

fn within() -> Vec<Constraint> {
    vec![Constraint::ge(v(1), 0), Constraint::ge(v(2), v(1).add_constant(2))]
}

#[test]
fn a_row_is_itself_and_no_other() {
    let have = with(table(&[row(Nulls::None)], &[]), &[], &within());
    let same = (v(1), v(2));
    for nulls in [Nulls::None, Nulls::Some] {
        assert!(is_right(&have, &wanted(nulls), same.clone(), Proof::Same(0)));
    }
    let with_nulls = with(table(&[row(Nulls::Some)], &[]), &[], &within());
    assert!(!is_right(&with_nulls, &wanted(Nulls::None), same, Proof::Same(0)));
    // Neither are elements made up, nor is what they own lost.
    for ends in [(v(1), v(2).add_constant(1)), (v(1).add_constant(1), v(2))] {
        assert!(!is_right(&have, &wanted(Nulls::Some), ends, Proof::Same(0)));
    }
    let none = with(table(&[], &[]), &[], &[]);
    assert!(!is_right(&have, &none, (v(1), v(2)), Proof::Same(0)));
    assert!(!is_right(&none, &wanted(Nulls::Some), (0.into(), 1.into()), Proof::Same(0)));
}

#[test]
fn a_named_element_owns_what_it_should() {
    let owned = Atom::Instance(list(3, v(4), &[]));
    let names =
        |index: LinearExpr, value: LinearExpr| table(&[row(Nulls::None)], &[(index, value)]);
    let have = |table| with(table, std::slice::from_ref(&owned), &within());
    let own = |owned: Vec<Proof>| Proof::Same(0).with_owned(owned);
    let (same, is) = ((v(1), v(2)), |have: &State, proof| {
        is_right(have, &wanted(Nulls::None), (v(1), v(2)), proof)
    });
    let inside = have(names(v(1), v(3)));
    assert!(is(&inside, own(vec![Proof::Same(1)])));
    // What it owns is not forgotten, and not owned twice.
    assert!(!is(&inside, own(vec![])));
    assert!(!is(&inside, own(vec![Proof::Same(1), Proof::Same(1)])));
    // Something else is no list that it owns.
    assert!(!is(&have(names(v(1), v(0))), own(vec![Proof::Same(1)])));
    assert!(!is(&have(names(v(1), v(3).add_constant(8))), own(vec![Proof::Same(1)])));
    // Behind the row, it makes the row longer.
    let behind = have(names(v(2), v(3)));
    let longer = (same.0, same.1.add_constant(1));
    assert!(is_right(&behind, &wanted(Nulls::None), longer.clone(), own(vec![Proof::Same(1)])));
    assert!(!is_right(&behind, &wanted(Nulls::None), longer, own(vec![])));
    assert!(!is(&behind, own(vec![Proof::Same(1)])));
    // Null is one where nulls are.
    let null = with(names(v(1), 0.into()), &[], &within());
    assert!(!is(&null, own(vec![])));
    assert!(is_right(&null, &wanted(Nulls::Some), (v(1), v(2)), own(vec![])));
}

#[test]
fn what_hangs_on_an_end_may_be_left_out() {
    let names =
        |index: LinearExpr| with(table(&[row(Nulls::None)], &[(index, v(3))]), &[], &within());
    let shorter = (v(1).add_constant(1), v(2));
    assert!(is_right(&names(v(1)), &wanted(Nulls::None), shorter.clone(), Proof::Same(0)));
    assert!(!is_right(&names(v(1).add_constant(1)), &wanted(Nulls::None), shorter, Proof::Same(0)));
}
