//! Addresses as sums of a pointer and numbers.

use crate::{BinaryOp, Expr, ScalarType, Variable, VariableInfo};

/// A pointer with something added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    /// The only pointer of the sum.
    pub(super) pointer: Variable,
    /// The constants that are added to it.
    pub(super) bytes: i128,
    /// Whether nothing else is.
    pub(super) is_constant: bool,
}

/// The pointer that an address is made of, by sums, and what is added; nothing for what is no such
/// sum.
pub(super) fn sum(variables: &[VariableInfo], address: &Expr) -> Option<Sum> {
    let is_pointer = |it: Variable| variables[it.index()].ty == ScalarType::Pointer;
    let has_pointer = |it: &Expr| it.variables().any(is_pointer);
    let (rest, added, sign) = match address {
        Expr::Variable(pointer) => {
            let alone = Sum { pointer: *pointer, bytes: 0, is_constant: true };
            return is_pointer(*pointer).then_some(alone);
        }
        Expr::Binary(BinaryOp::Add, left, right) if !has_pointer(right) => (left, right, 1),
        Expr::Binary(BinaryOp::Add, left, right) if !has_pointer(left) => (right, left, 1),
        Expr::Binary(BinaryOp::Subtract, left, right) if !has_pointer(right) => (left, right, -1),
        _ => return None,
    };
    let Sum { pointer, bytes, is_constant } = sum(variables, rest)?;
    match **added {
        Expr::Constant(more) => {
            let bytes = bytes.checked_add(more.checked_mul(sign)?)?;
            Some(Sum { pointer, bytes, is_constant })
        }
        _ => Some(Sum { pointer, bytes, is_constant: false }),
    }
}
