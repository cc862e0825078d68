//! Addresses as sums of a pointer and numbers.

use num_integer::Integer as _;

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
    /// What else is added is a multiple of this; 0 if that is nothing.
    pub(super) step: i128,
}

/// A number that what is added to a constant is a multiple of, as far as an expression tells; 0 where
/// nothing is added. With it comes the constant.
pub(super) fn steps(value: &Expr) -> (i128, i128) {
    let (step, constant) = match value {
        Expr::Constant(number) => (Some(0), Some(*number)),
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            let ((one, first), (other, second)) = (steps(left), steps(right));
            let constant = match op {
                BinaryOp::Add => first.checked_add(second),
                _ => first.checked_sub(second),
            };
            (Some(one.gcd(&other)), constant)
        }
        Expr::Binary(BinaryOp::Multiply, left, right) => match (&**left, &**right) {
            (Expr::Constant(by), other) | (other, Expr::Constant(by)) => {
                let (step, constant) = steps(other);
                (step.checked_mul(*by).map(i128::abs), constant.checked_mul(*by))
            }
            _ => (None, None),
        },
        _ => (None, None),
    };
    // Of a sum that is not known nothing is told.
    step.zip(constant).unwrap_or((1, 0))
}

/// The pointer that an address is made of, by sums, and what is added; nothing for what is no such
/// sum.
pub(super) fn sum(variables: &[VariableInfo], address: &Expr) -> Option<Sum> {
    let is_pointer = |it: Variable| variables[it.index()].ty == ScalarType::Pointer;
    let has_pointer = |it: &Expr| it.variables().any(is_pointer);
    let (rest, added, sign) = match address {
        Expr::Variable(pointer) => {
            let alone = Sum { pointer: *pointer, bytes: 0, is_constant: true, step: 0 };
            return is_pointer(*pointer).then_some(alone);
        }
        Expr::Binary(BinaryOp::Add, left, right) if !has_pointer(right) => (left, right, 1),
        Expr::Binary(BinaryOp::Add, left, right) if !has_pointer(left) => (right, left, 1),
        Expr::Binary(BinaryOp::Subtract, left, right) if !has_pointer(right) => (left, right, -1),
        _ => return None,
    };
    let Sum { pointer, bytes, is_constant, step } = sum(variables, rest)?;
    let (more, constant) = steps(added);
    let bytes = bytes.checked_add(constant.checked_mul(sign)?)?;
    let is_constant = is_constant && matches!(**added, Expr::Constant(_));
    Some(Sum { pointer, bytes, is_constant, step: step.gcd(&more) })
}
