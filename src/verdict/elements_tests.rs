//! Claims about elements of arrays, each right, and wrong in one thing.

use super::*;
use heap::segment::Segment;

/// A block of 64 bytes at `x` with `v2` at position `v3` of its elements of 4 bytes, up to `v1`.
fn row(content: Content, recent: &[(LinearExpr, ScalarType, LinearExpr)]) -> Block {
    let scalar = |(offset, ty, value): &(LinearExpr, ScalarType, LinearExpr)| FloatingCell {
        offset: offset.clone(),
        ty: *ty,
        value: value.clone(),
    };
    let fields = [Field { offset: 0, ty: I32, value: Var::at(2) }].into_iter().collect();
    let values = NodeValues { position: Some(Var::at(3)), fields };
    let segment = Segment { stride: 4, first: 0, end: v(1), values };
    Block {
        size: 64.into(),
        content,
        recent: recent.iter().map(scalar).collect(),
        segment: Some(Box::new(segment)),
        ..block(0, &[])
    }
}

/// The state with such a block, or another one, of whose numbers this is known.
fn rows(block: Block, known: &[Constraint]) -> State {
    let kinds = [Kind::Address, Kind::Integer, Kind::Summary, Kind::Summary];
    let mut state = state(&kinds, &[(X, v(0))]);
    state.heap.atoms.push(Atom::Block(block));
    state.facts.numbers.assume_all(known.iter().cloned());
    state
}

fn row_is(have: &State, want: &State) -> bool {
    let binding = vec![v(0), v(1), 0.into(), 0.into()];
    flaw(have, want, (binding, vec![Proof::Same(0)])).is_none()
}

#[test]
fn what_is_said_of_elements_does_not_imply_that_there_are_any() {
    let want = rows(
        row(Content::Arbitrary, &[]),
        &[Constraint::ge(v(3), 0), Constraint::lt(v(3), v(1)), Constraint::eq(v(2), 0)],
    );
    let zeros = Block { segment: None, ..row(Content::Zero, &[]) };
    let with = |least: i64| rows(zeros.clone(), &[Constraint::ge(v(1), least)]);
    assert!(row_is(&with(1), &want));
    assert!(!row_is(&with(0), &want));
}

#[test]
fn of_elements_that_a_scalar_reaches_into_nothing_is_known() {
    let known = [Constraint::eq(v(2), 5), Constraint::ge(v(1), 9)];
    let want = rows(row(Content::Arbitrary, &[]), &known);
    let with = |offset: i64, ty: ScalarType, value: i64| {
        let offset = v(1).scale(&Integer::from(4)).add_constant(offset);
        rows(row(Content::Arbitrary, &[(offset, ty, value.into())]), &known)
    };
    let wide = ScalarType::Int(IntKind { bits: 64, signed: true });
    assert!(row_is(&with(-8, I32, 5), &want));
    assert!(!row_is(&with(-8, I32, 6), &want));
    assert!(!row_is(&with(-8, wide, 5), &want));
    // Behind the elements it may hold anything.
    assert!(row_is(&with(0, wide, 6), &want));
}

#[test]
fn elements_that_are_wanted_are_there() {
    let known = [Constraint::eq(v(2), 5), Constraint::ge(v(1), 9)];
    let want = rows(row(Content::Arbitrary, &[]), &known);
    assert!(row_is(&rows(row(Content::Arbitrary, &[]), &known), &want));
    let none = Block { segment: None, ..row(Content::Arbitrary, &[]) };
    assert!(!row_is(&rows(none, &known), &want));
    let zeros = Block { segment: None, ..row(Content::Zero, &[]) };
    assert!(!row_is(&rows(zeros, &known), &want));
}
