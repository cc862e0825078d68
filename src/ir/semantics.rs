//! What the operators mean on numbers: the one definition.
//!
//! The interpreter, constant folding, simplification, the shape analysis and the
//! shadow of concolic runs all ask here. What operators do with addresses stands in
//! `concrete::value`, on top of this.

use super::expr::{BinaryOp, IntKind, UnaryOp};

/// What the integers of C are where a program was made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntModel {
    /// Types have their widths; unsigned integers wrap, and what follows an overflow
    /// of a signed one is undefined. A program read so has only the runs without.
    C,
    /// Signed integers are unbounded; unsigned ones wrap.
    Math,
    /// All integers wrap at their width.
    Machine,
}

/// What becomes of runs that do something undefined: access memory that is not there, write a
/// constant, free what is not allocated, divide by zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Definedness {
    /// A proof shows that there are none.
    #[default]
    Shown,
    /// A proof may leave them out: it is about the runs that C defines, and names the places
    /// where it took for granted that what happens is defined.
    Assumed,
}

/// Why an operator has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoResult {
    /// Division by zero.
    DivisionByZero,
    /// A shift by a negative distance.
    NegativeShift,
    /// The exact result has more than 128 bits.
    TooLarge,
}

/// `op operand`.
///
/// # Errors
/// When the result is too large.
pub fn unary(op: UnaryOp, operand: i128) -> Result<i128, NoResult> {
    match op {
        UnaryOp::Negate => operand.checked_neg().ok_or(NoResult::TooLarge),
        UnaryOp::BitNot => Ok(!operand),
        UnaryOp::Not => Ok(i128::from(operand == 0)),
    }
}

/// `left op right`.
///
/// # Errors
/// A division by zero, a negative shift, or a result that is too large.
pub fn binary(op: BinaryOp, left: i128, right: i128) -> Result<i128, NoResult> {
    let number = match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        BinaryOp::Divide | BinaryOp::Remainder if right == 0 => {
            return Err(NoResult::DivisionByZero);
        }
        BinaryOp::Divide => left.checked_div(right),
        // The remainder by -1 is 0 also where the quotient overflows.
        BinaryOp::Remainder => Some(left.checked_rem(right).unwrap_or(0)),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight if right < 0 => {
            return Err(NoResult::NegativeShift);
        }
        BinaryOp::ShiftLeft => shift_left(left, right),
        BinaryOp::ShiftRight => Some(left >> right.min(127)),
        BinaryOp::And => Some(left & right),
        BinaryOp::Or => Some(left | right),
        BinaryOp::Xor => Some(left ^ right),
        BinaryOp::Equal => Some(i128::from(left == right)),
        BinaryOp::NotEqual => Some(i128::from(left != right)),
        BinaryOp::Less => Some(i128::from(left < right)),
        BinaryOp::LessEqual => Some(i128::from(left <= right)),
        BinaryOp::Greater => Some(i128::from(left > right)),
        BinaryOp::GreaterEqual => Some(i128::from(left >= right)),
    };
    number.ok_or(NoResult::TooLarge)
}

fn shift_left(value: i128, distance: i128) -> Option<i128> {
    match distance {
        _ if value == 0 => Some(0),
        0..=126 => value.checked_mul(1 << distance),
        _ => None,
    }
}

/// `x & mask` as the sum of `sign · 2ⁿ · ⌊x / 2ⁿ⌋`, for each `(n, sign)` of the result, in
/// ascending order. A range of bits in the mask begins with one and ends with another one.
#[must_use]
pub fn floors_of_mask(mask: i128) -> Vec<(u32, i64)> {
    let mut floors = Vec::new();
    let mut before = 0;
    for position in 0..128 {
        let bit = (mask >> position) & 1;
        if bit != before {
            floors.push((position, if bit == 1 { 1 } else { -1 }));
        }
        before = bit;
    }
    floors
}

/// `operand` reduced to the range of an integer type.
///
/// # Errors
/// When the result is too large.
pub fn wrap(kind: IntKind, operand: i128) -> Result<i128, NoResult> {
    if kind.bits > 126 && !kind.signed && operand < 0 {
        return Err(NoResult::TooLarge);
    }
    Ok(kind.wrap(operand))
}

/// The integer type that an address of so many bytes fits in exactly.
#[must_use]
pub fn address_kind(pointer_bytes: u32) -> IntKind {
    let bits = u8::try_from(pointer_bytes.saturating_mul(8)).unwrap_or(128).min(126);
    IntKind { bits, signed: false }
}

/// The most bytes that an object has, where addresses have so many bytes: differences of
/// addresses in it are numbers of the signed type of that width.
#[must_use]
pub fn largest_object(pointer_bytes: u32) -> i128 {
    IntKind { signed: true, ..address_kind(pointer_bytes) }.max()
}

/// So many bytes at both ends of the address space belong to no block and to no
/// procedure.
pub const EDGE: i128 = 4096;
