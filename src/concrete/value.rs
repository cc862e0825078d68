//! Values and what the operators do with them.
//!
//! An address is a block and an offset and stays one in variables and cells of
//! integer type, as long as they are wide enough. Operations that would need
//! the number behind an address fail as unsupported.

use super::memory::MemoryBlockId;
use super::{Failure, MemoryErrorKind};
use crate::ir::ProcedureId;
use crate::ir::expr::{BinaryOp, IntKind, UnaryOp};
use std::cmp::Ordering;

/// So many bytes at both ends of the address space belong to no block.
pub const EDGE: i128 = 4096;

/// Every block starts at a multiple of this.
const ALIGNMENT: i128 = 16;

/// What a variable or a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A number; null is 0.
    Int(i128),
    /// An address in a block, or beside it.
    Pointer(Pointer),
    /// The address of a procedure.
    Procedure(ProcedureId),
}

/// An address: a block and the distance from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer {
    /// The block, live or not.
    pub block: MemoryBlockId,
    /// Bytes from its start; may lie outside.
    pub offset: i128,
}

impl Value {
    /// Null.
    pub const NULL: Self = Self::Int(0);

    /// Whether the value counts as true.
    #[must_use]
    pub fn is_true(self) -> bool {
        self != Self::NULL
    }

    /// The number, if it is one.
    #[must_use]
    pub fn as_int(self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(value),
            Self::Pointer(_) | Self::Procedure(_) => None,
        }
    }

    /// The address in a block, if it is one.
    #[must_use]
    pub fn as_pointer(self) -> Option<Pointer> {
        match self {
            Self::Pointer(pointer) => Some(pointer),
            Self::Int(_) | Self::Procedure(_) => None,
        }
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Int(i128::from(truth))
    }
}

/// The operators on values, for addresses of a certain size.
#[derive(Clone, Copy, Debug)]
pub struct Arithmetic {
    /// The integer type that an address fits in exactly.
    address: IntKind,
}

impl Arithmetic {
    /// The arithmetic of a machine whose addresses have so many bytes.
    #[must_use]
    pub fn of_pointer_bytes(pointer_bytes: u32) -> Self {
        let bits = u8::try_from(pointer_bytes.saturating_mul(8)).unwrap_or(128).min(126);
        Self { address: IntKind { bits, signed: false } }
    }

    /// `op operand`.
    ///
    /// # Errors
    /// When the result is not known.
    pub fn unary(self, op: UnaryOp, operand: Value) -> Result<Value, Failure> {
        let number = match (op, operand) {
            (UnaryOp::Not, _) => return Ok(Value::from(!operand.is_true())),
            (UnaryOp::Negate, Value::Int(value)) => value.checked_neg(),
            (UnaryOp::BitNot, Value::Int(value)) => Some(!value),
            (UnaryOp::Negate | UnaryOp::BitNot, Value::Pointer(_) | Value::Procedure(_)) => {
                return Err(Failure::unsupported("arithmetic on the number behind an address"));
            }
        };
        number.map(Value::Int).ok_or_else(too_large)
    }

    /// `operand` reduced to the range of an integer type.
    ///
    /// # Errors
    /// When an address does not fit in the type.
    pub fn wrap(self, kind: IntKind, operand: Value) -> Result<Value, Failure> {
        match operand {
            Value::Int(value) if kind.bits > 126 && !kind.signed && value < 0 => Err(too_large()),
            Value::Int(value) => Ok(Value::Int(kind.wrap(value))),
            Value::Pointer(_) | Value::Procedure(_) if kind.bits < self.address.bits => {
                Err(Failure::unsupported("an address is cut to fewer bits"))
            }
            Value::Pointer(Pointer { block, offset }) => {
                let distance = IntKind { signed: true, ..self.address };
                Ok(Value::Pointer(Pointer { block, offset: distance.wrap(offset) }))
            }
            Value::Procedure(_) => Ok(operand),
        }
    }

    /// `left op right`.
    ///
    /// # Errors
    /// A division by zero, a negative shift, or a result that is not known.
    pub fn binary(self, op: BinaryOp, left: Value, right: Value) -> Result<Value, Failure> {
        match op {
            BinaryOp::Equal => Ok(Value::from(left == right)),
            BinaryOp::NotEqual => Ok(Value::from(left != right)),
            BinaryOp::Less => self.compare(left, right).map(|it| Value::from(it.is_lt())),
            BinaryOp::LessEqual => self.compare(left, right).map(|it| Value::from(it.is_le())),
            BinaryOp::Greater => self.compare(left, right).map(|it| Value::from(it.is_gt())),
            BinaryOp::GreaterEqual => self.compare(left, right).map(|it| Value::from(it.is_ge())),
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Remainder
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => match (left, right) {
                (Value::Int(left), Value::Int(right)) => on_numbers(op, left, right),
                (Value::Pointer(left), Value::Int(right)) => self.on_pointer(op, left, right),
                (Value::Int(left), Value::Pointer(right)) if commutes(op) => {
                    self.on_pointer(op, right, left)
                }
                (Value::Pointer(left), Value::Pointer(right)) => on_pointers(op, left, right),
                (Value::Int(_), Value::Pointer(_))
                | (Value::Procedure(_), _)
                | (_, Value::Procedure(_)) => {
                    Err(Failure::unsupported("arithmetic on the number behind an address"))
                }
            },
        }
    }

    fn compare(self, left: Value, right: Value) -> Result<Ordering, Failure> {
        match (left, right) {
            (Value::Int(left), Value::Int(right)) => Ok(left.cmp(&right)),
            (Value::Pointer(left), Value::Pointer(right)) if left.block == right.block => {
                Ok(left.offset.cmp(&right.offset))
            }
            (Value::Pointer(_), Value::Int(number)) => self.compare_address(number),
            (Value::Int(number), Value::Pointer(_)) => {
                self.compare_address(number).map(Ordering::reverse)
            }
            (Value::Pointer(_), Value::Pointer(_))
            | (Value::Procedure(_), _)
            | (_, Value::Procedure(_)) => {
                Err(Failure::unsupported("order of addresses in different blocks"))
            }
        }
    }

    /// How the address of some block compares to `number`.
    fn compare_address(self, number: i128) -> Result<Ordering, Failure> {
        if number < EDGE {
            Ok(Ordering::Greater)
        } else if number > self.address.max() - EDGE {
            Ok(Ordering::Less)
        } else {
            Err(Failure::unsupported("order of an address and a number"))
        }
    }

    /// An address and a number: distances, and the bits below the alignment.
    fn on_pointer(self, op: BinaryOp, pointer: Pointer, number: i128) -> Result<Value, Failure> {
        let Pointer { block, offset } = pointer;
        let moved = |distance: Option<i128>| {
            let offset = distance.and_then(|it| offset.checked_add(it)).ok_or_else(too_large)?;
            Ok(Value::Pointer(Pointer { block, offset }))
        };
        let low_bits = offset.rem_euclid(ALIGNMENT);
        let is_low = (0..ALIGNMENT).contains(&number);
        // As a mask of the address, `-8` and `2^64 - 8` are the same.
        let cleared = IntKind { signed: true, ..self.address }.wrap(!number);
        match op {
            BinaryOp::Add => moved(Some(number)),
            BinaryOp::Subtract => moved(number.checked_neg()),
            BinaryOp::And if is_low => Ok(Value::Int(low_bits & number)),
            BinaryOp::And if (0..ALIGNMENT).contains(&cleared) => {
                moved(Some(-(low_bits & cleared)))
            }
            BinaryOp::Or if is_low => moved(Some((low_bits | number) - low_bits)),
            BinaryOp::Xor if is_low => moved(Some((low_bits ^ number) - low_bits)),
            BinaryOp::Divide | BinaryOp::Remainder if number == 0 => {
                Err(Failure::Error(MemoryErrorKind::DivisionByZero))
            }
            BinaryOp::Remainder if [1, 2, 4, 8, 16].contains(&number) => {
                Ok(Value::Int(low_bits % number))
            }
            _ => Err(Failure::unsupported("arithmetic on the number behind an address")),
        }
    }
}

fn commutes(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
}

fn on_pointers(op: BinaryOp, left: Pointer, right: Pointer) -> Result<Value, Failure> {
    match op {
        BinaryOp::Subtract if left.block == right.block => {
            left.offset.checked_sub(right.offset).map(Value::Int).ok_or_else(too_large)
        }
        BinaryOp::Subtract => Err(Failure::unsupported("distance between different blocks")),
        _ => Err(Failure::unsupported("arithmetic on the number behind an address")),
    }
}

/// The exact result; comparisons are done elsewhere.
fn on_numbers(op: BinaryOp, left: i128, right: i128) -> Result<Value, Failure> {
    let number = match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        BinaryOp::Divide | BinaryOp::Remainder if right == 0 => {
            return Err(Failure::Error(MemoryErrorKind::DivisionByZero));
        }
        BinaryOp::Divide => left.checked_div(right),
        // The remainder by -1 is 0 also where the quotient overflows.
        BinaryOp::Remainder => Some(left.checked_rem(right).unwrap_or(0)),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight if right < 0 => {
            return Err(Failure::Error(MemoryErrorKind::NegativeShift));
        }
        BinaryOp::ShiftLeft => shift_left(left, right),
        BinaryOp::ShiftRight => Some(left >> right.min(127)),
        BinaryOp::And => Some(left & right),
        BinaryOp::Or => Some(left | right),
        BinaryOp::Xor => Some(left ^ right),
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => None,
    };
    number.map(Value::Int).ok_or_else(too_large)
}

fn shift_left(value: i128, distance: i128) -> Option<i128> {
    match distance {
        _ if value == 0 => Some(0),
        0..=126 => value.checked_mul(1 << distance),
        _ => None,
    }
}

fn too_large() -> Failure {
    Failure::unsupported("a number above 128 bits")
}
