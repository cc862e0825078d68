//! Claims of where a text ends, each right, and wrong in one thing.

use super::*;

const LETTER: ScalarType = ScalarType::Int(IntKind { bits: 8, signed: true });

/// A text of zeros but for one letter, in a block of so many bytes.
fn text_of(size: i64, letter: i64) -> Block {
    Block { size: size.into(), content: Content::Zero, ..block(0, &[(letter, LETTER, 97.into())]) }
}

/// Whether it is shown that such a text ends at an offset.
fn ends_at(text: Block, offset: i64) -> bool {
    let end = FloatingCell { offset: offset.into(), ty: LETTER, value: LinearExpr::zero() };
    let size = text.size.clone();
    let wanted = Block { size, floating: Some(Box::new(end)), ..block(0, &[]) };
    let (have, want) = (heap(&[Atom::Block(text)]), heap(&[Atom::Block(wanted)]));
    flaw(&have, &want, (vec![v(0), v(1)], vec![Proof::Same(0)])).is_none()
}

#[test]
fn a_text_ends_behind_its_last_letter() {
    assert!(ends_at(text_of(8, 6), 7));
    assert!(ends_at(text_of(8, 2), 3));
    assert!(!ends_at(text_of(8, 6), 6), "a letter");
    assert!(!ends_at(text_of(8, 7), 8), "behind the block");
    assert!(!ends_at(text_of(8, 7), 7), "the last letter");
}

#[test]
fn what_is_not_known_to_be_zero_is_no_end() {
    let arbitrary = Block { content: Content::Arbitrary, ..text_of(8, 2) };
    assert!(!ends_at(arbitrary, 3));
    let of_any_size = Block { size: v(1), ..text_of(8, 2) };
    assert!(!ends_at(of_any_size, 3));
    let wider = Block { content: Content::Zero, ..block(0, &[(2, I32, 97.into())]) };
    assert!(!ends_at(wider, 3), "the second byte of a number");
    let written = FloatingCell { offset: v(1), ty: LETTER, value: 98.into() };
    assert!(!ends_at(Block { recent: vec![written], ..text_of(8, 2) }, 3));
}
