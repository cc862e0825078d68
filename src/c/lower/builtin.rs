//! Builtins of GNU C whose meaning depends on the types of their arguments, or on
//! what the compiler knows.

use wane_grammar::c::ast::{BinaryOperator, Expr as Tree, ExprKind};
use wane_grammar::c::place::Place;

use super::convert::Value;
use super::operator::operation;
use super::{Lowered, Lowering, fold};
use crate::types::{Integer, Type};
use ir::{BinaryOp, Expr};

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

/// Builtins that yield constants for constants.
const CONSTANT: &[&str] = &[
    "bswap16",
    "bswap32",
    "bswap64",
    "choose_expr",
    "clz",
    "clzl",
    "clzll",
    "constant_p",
    "ctz",
    "ctzl",
    "ctzll",
    "expect",
    "ffs",
    "ffsl",
    "ffsll",
    "parity",
    "parityl",
    "parityll",
    "popcount",
    "popcountl",
    "popcountll",
    "strlen",
];

/// Whether a call of this builtin with constants is one.
pub(super) fn is_constant(name: &str) -> bool {
    name.strip_prefix("__builtin_").is_some_and(|name| CONSTANT.binary_search(&name).is_ok())
}

/// The value of a builtin that counts or turns the bits of a constant, if it has one.
fn of_bits(name: &str, value: i128, long_bits: u32) -> Option<i128> {
    let (name, bits) = match name.strip_suffix("ll") {
        Some(name) => (name, 64),
        None => name.strip_suffix('l').map_or((name, 32), |name| (name, long_bits)),
    };
    let value = u64::try_from(value & ((1 << bits) - 1)).ok()?;
    let unused = 64 - bits;
    let count = match name {
        "clz" if value != 0 => value.leading_zeros() - unused,
        "ctz" if value != 0 => value.trailing_zeros(),
        "ffs" if value == 0 => 0,
        "ffs" => value.trailing_zeros() + 1,
        "popcount" => value.count_ones(),
        "parity" => value.count_ones() % 2,
        _ => return None,
    };
    Some(count.into())
}

/// The number with its bytes in the other order.
fn swapped(name: &str, value: i128) -> Option<i128> {
    let bits: u32 = name.strip_prefix("bswap")?.parse().ok()?;
    let value = u64::try_from(value & ((1 << bits) - 1)).ok()?;
    Some((value.swap_bytes() >> (64 - bits)).into())
}

impl<'a> Lowering<'a> {
    /// What a call of a builtin with constants is, if it is one.
    pub(super) fn constant_builtin(
        &self,
        name: &str,
        values: &[Value],
        trees: &[Tree],
    ) -> Option<Value> {
        let name = name.strip_prefix("__builtin_").filter(|_| is_constant(name))?;
        if let ("strlen", [Tree { kind: ExprKind::String(text), .. }]) = (name, trees) {
            let length = text.units.iter().position(|unit| *unit == 0).unwrap_or(text.units.len());
            return Some(Value::new(Type::Int(self.types.size_type()), length as i128));
        }
        let [Value { ty: Type::Int(_), expr: Expr::Constant(value) }] = values else { return None };
        let swapped = swapped(name, *value).map(|value| match name {
            "bswap16" => (Integer::UnsignedShort, value),
            "bswap32" => (Integer::UnsignedInt, value),
            _ => (Integer::UnsignedLongLong, value),
        });
        let long_bits = u32::from(self.types.model.long_bits());
        let counted = || Some((Integer::Int, of_bits(name, *value, long_bits)?));
        swapped.or_else(counted).map(|(int, value)| Value::new(Type::Int(int), value))
    }

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
        if is_literal || self.known_constant(tree)?.is_some() {
            return Ok(Value::new(Type::INT, 1));
        }
        let value = self.approximation(&Type::Int(Integer::Bool), "compiler's knowledge", place)?;
        Ok(Value { ty: Type::INT, expr: value.expr })
    }
}
