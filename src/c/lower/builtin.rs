//! Builtins of GNU C whose meaning depends on the types of their arguments, or on
//! what the compiler knows.

use wane_grammar::c::ast::{BinaryOperator, Expr as Tree, ExprKind};
use wane_grammar::c::place::Place;

use super::convert::Value;
use super::operator::operation;
use super::{Lowered, Lowering, fold};
use crate::c::types::{Integer, Type};
use crate::ir::BinaryOp;

/// Arithmetic that says whether its result fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checked {
    operator: BinaryOperator,
    /// The type of the operands, where the name says it.
    ty: Option<Integer>,
    /// Whether the result is stored.
    stores: bool,
}

impl Checked {
    /// `__builtin_add_overflow`, `__builtin_saddl_overflow` and their like.
    pub(super) fn of(name: &str) -> Option<Self> {
        let middle = name.strip_prefix("__builtin_")?;
        let (middle, stores) = match middle.strip_suffix("_overflow_p") {
            Some(middle) => (middle, false),
            None => (middle.strip_suffix("_overflow")?, true),
        };
        let operator = |word: &str| match word {
            "add" => Some(BinaryOperator::Add),
            "sub" => Some(BinaryOperator::Subtract),
            "mul" => Some(BinaryOperator::Multiply),
            _ => None,
        };
        if let Some(operator) = operator(middle) {
            return Some(Self { operator, ty: None, stores });
        }
        let word = middle.get(1..4)?;
        let ty = match (middle.get(..1)?, middle.get(4..)?) {
            ("s", "") => Integer::Int,
            ("s", "l") => Integer::Long,
            ("s", "ll") => Integer::LongLong,
            ("u", "") => Integer::UnsignedInt,
            ("u", "l") => Integer::UnsignedLong,
            ("u", "ll") => Integer::UnsignedLongLong,
            _ => return None,
        };
        Some(Self { operator: operator(word)?, ty: Some(ty), stores })
    }
}

impl<'a> Lowering<'a> {
    /// The exact result, reduced to the type that receives it; whether that changed it.
    pub(super) fn call_checked(
        &mut self,
        checked: Checked,
        values: Vec<Value>,
        place: Place,
    ) -> Lowered<Value> {
        let Ok([mut left, mut right, target]) = <[Value; 3]>::try_from(values) else {
            return self.error(place, "this builtin takes three arguments");
        };
        if let Some(int) = checked.ty {
            left = self.convert(left, &Type::Int(int), place)?;
            right = self.convert(right, &Type::Int(int), place)?;
        }
        let cell =
            if checked.stores { Some(self.dereference(target.clone(), place)?) } else { None };
        let ty = cell.as_ref().map_or(target.ty, |cell| cell.ty.clone());
        let (Type::Int(_), Type::Int(_), Type::Int(int)) = (&left.ty, &right.ty, &ty) else {
            return self.error(place, "this builtin is about integers");
        };
        let kind = int.kind(self.types.model);
        let op = operation(checked.operator).unwrap_or(BinaryOp::Add);
        let exact = fold::binary(op, left.expr, right.expr);
        let wrapped = self.wrap(kind, exact.clone());
        let overflows = fold::binary(BinaryOp::NotEqual, exact, wrapped.clone());
        let overflows = self.materialize(Value::new(Type::Int(Integer::Bool), overflows), place);
        if let Some(cell) = cell {
            self.store(&cell, Value::new(ty, wrapped), place)?;
        }
        Ok(overflows)
    }

    /// `__builtin_constant_p`: literals are constants for every compiler; of other
    /// expressions it depends on what the compiler finds out.
    pub(super) fn is_known_constant(&mut self, tree: &'a Tree, place: Place) -> Lowered<Value> {
        let is_literal = matches!(
            tree.kind,
            ExprKind::Integer(_)
                | ExprKind::Character(_)
                | ExprKind::Floating(_)
                | ExprKind::String(_)
        );
        if is_literal {
            return Ok(Value::new(Type::INT, 1));
        }
        let value = self.approximation(&Type::Int(Integer::Bool), "compiler's knowledge", place)?;
        Ok(Value { ty: Type::INT, expr: value.expr })
    }
}
