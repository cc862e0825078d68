//! Elements of arrays. An index of an array in a structure, or in another array, lies in that
//! array (C11 6.5.6p8, J.2), even where the bytes behind it are those of the structure or of the
//! next row.

use wane_grammar::c::ast::{Expr as Tree, ExprKind};
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::convert::Value;
use super::members::Member;
use super::{Lowered, Lowering, fold};
use crate::types::{Length, Type};
use ir::{BinaryOp, Command, Expr, InitialContent, IntKind, MemoryKind, ScalarType, Terminator};

/// How far an index may reach.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// To the last element.
    Inside,
    /// To the place behind it: only the address is taken.
    OnePast,
}

impl<'a> Lowering<'a> {
    /// The element of an array, or what a pointer points at, at an index.
    pub(super) fn element(
        &mut self,
        (array, index): (&'a Tree, &'a Tree),
        reach: Reach,
        place: Place,
    ) -> Lowered<Lvalue> {
        self.in_any_order(&[array, index], place, |this| {
            let (array_value, length, member) = this.array_with_length(array)?;
            let array_value = this.elements(array_value);
            let array_value = this.keep(array_value, &[index], array.place);
            let index_value = this.rvalue(index)?;
            if let Some(length) = length {
                this.check_index(&index_value, length, reach, place);
            }
            let sum = this.add(array_value, index_value, place)?;
            let element = this.dereference(sum, place)?;
            Ok(match (element.site, member) {
                (Site::Memory(address), Some(member)) if reach == Reach::Inside => {
                    Lvalue { ty: element.ty, site: Site::Member(address, member) }
                }
                (site, _) => Lvalue { ty: element.ty, site },
            })
        })
    }

    /// An array as a pointer to its first element; and how many it has, if it is part of a
    /// structure or an array, with the member that it lies in. Arrays of one element stand for any
    /// number at the end of a structure.
    fn array_with_length(
        &mut self,
        array: &'a Tree,
    ) -> Lowered<(Value, Option<u64>, Option<Member>)> {
        let is_name = matches!(array.kind, ExprKind::Name(_));
        let may_be_part =
            matches!(array.kind, ExprKind::Member(..) | ExprKind::Arrow(..) | ExprKind::Index(..));
        // What was read before what stands beside it, was read once.
        if !may_be_part && !is_name || self.settled(array).is_some() {
            return Ok((self.rvalue(array)?, None, None));
        }
        let whole = self.lvalue(array)?;
        let is_array = matches!(whole.ty, Type::Array(_));
        let length = match &whole.ty {
            Type::Array(array) => match array.length {
                Length::Fixed(length) => Some(length).filter(|it| *it > 1 && !is_name),
                Length::Unknown | Length::Variable(_) => None,
            },
            _ => None,
        };
        let member = match whole.site {
            Site::Member(_, member) if length.is_some() || (is_name && is_array) => Some(member),
            _ => None,
        };
        Ok((self.load(whole, array.place)?, length, member))
    }

    /// Goes wrong where an index is not one of an array.
    fn check_index(&mut self, index: &Value, length: u64, reach: Reach, place: Place) {
        let most = i128::from(length) - i128::from(reach == Reach::Inside);
        if !matches!(index.ty, Type::Int(_)) {
            return;
        }
        let bounds = [(BinaryOp::GreaterEqual, 0), (BinaryOp::LessEqual, most)];
        for (op, bound) in bounds {
            let condition = fold::binary(op, index.expr.clone(), Expr::Constant(bound));
            if matches!(condition, Expr::Constant(number) if number != 0) {
                continue;
            }
            let span = self.span(place);
            let (good, bad) = (self.body.block(span), self.body.block(span));
            self.branch_on(condition, good, bad, place);
            self.body.current = bad;
            self.access_nothing(place);
            self.body.current = good;
        }
    }

    /// An access outside of the bounds of an object.
    fn access_nothing(&mut self, place: Place) {
        let nothing = self.temporary(ScalarType::Pointer, place);
        let (kind, content) = (MemoryKind::Alloca, InitialContent::Arbitrary);
        let size = Expr::Constant(0);
        self.emit(Command::Allocate { target: nothing, size, kind, content }, place);
        let ty = ScalarType::Int(IntKind { bits: 8, signed: false });
        let target = self.temporary(ty, place);
        self.emit(Command::Load { target, address: nothing.into(), ty }, place);
        let span = self.span(place);
        self.body.terminate(Terminator::Halt, span);
    }
}
