//! Values and what the operators do with them.
//!
//! An address is a block and an offset and stays one in variables and cells of
//! integer type, as long as they are wide enough. The number behind it is unknown but
//! for what C promises: equal addresses have equal numbers, blocks that exist at the same
//! time do not overlap, the start of a heap block is aligned. What depends on more fails as
//! unsupported. On top of what C promises it is taken for granted, as on all
//! machines that wane knows, that no block and no procedure lies within
//! [`EDGE`] bytes of the ends of the address space, or of its
//! middle where addresses have 64 bits.
//!
//! What operators do with numbers is defined in [`ir::semantics`].

use super::memory::{Memory, MemoryBlockId};
use super::{Failure, MemoryErrorKind};
use ir::expr::{BinaryOp, IntKind, UnaryOp};
pub use ir::semantics::EDGE;
use ir::semantics::{self, NoResult};
use ir::{MemoryKind, ProcedureId};
use std::cmp::Ordering;

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

/// The operators on values, for addresses in a certain memory.
#[derive(Clone, Copy, Debug)]
pub struct Arithmetic<'memory> {
    memory: &'memory Memory,
    /// The integer type that an address fits in exactly.
    address: IntKind,
}

impl<'memory> Arithmetic<'memory> {
    /// The arithmetic of addresses in `memory`.
    #[must_use]
    pub fn of(memory: &'memory Memory) -> Self {
        Self { memory, address: semantics::address_kind(memory.pointer_bytes()) }
    }

    /// Whether the value counts as true.
    ///
    /// # Errors
    /// When that depends on the number behind an address.
    pub fn is_true(self, value: Value) -> Result<bool, Failure> {
        Ok(!self.are_equal(value, Value::NULL)?)
    }

    /// `op operand`.
    ///
    /// # Errors
    /// When the result is not known.
    pub fn unary(self, op: UnaryOp, operand: Value) -> Result<Value, Failure> {
        match (op, operand) {
            (_, Value::Int(value)) => number(semantics::unary(op, value)),
            (UnaryOp::Not, _) => self.is_true(operand).map(|it| Value::from(!it)),
            (UnaryOp::Negate | UnaryOp::BitNot, Value::Pointer(_) | Value::Procedure(_)) => {
                Err(behind_address())
            }
        }
    }

    /// `operand` reduced to the range of an integer type.
    ///
    /// # Errors
    /// When an address does not fit in the type, or its number or sign there is not known.
    pub fn wrap(self, kind: IntKind, operand: Value) -> Result<Value, Failure> {
        if let Value::Int(value) = operand {
            return number(semantics::wrap(kind, value));
        }
        if kind.bits < self.address.bits {
            return Err(Failure::unsupported("an address is cut to fewer bits"));
        }
        if kind.signed && kind.bits == self.address.bits && kind.bits < 64 {
            return Err(Failure::unsupported("the sign of an address"));
        }
        let Value::Pointer(Pointer { block, offset }) = operand else { return Ok(operand) };
        // Far behind a block the number may have been reduced to a negative one before.
        let is_positive = offset >= 0 && self.is_near(Pointer { block, offset });
        if !kind.signed && kind.bits > self.address.bits && !is_positive {
            return Err(Failure::unsupported("an address that may be negative"));
        }
        let distance = IntKind { signed: true, ..kind };
        Ok(Value::Pointer(Pointer { block, offset: distance.wrap(offset) }))
    }

    /// A value as a variable or a cell of pointer type holds it: a number is reduced
    /// to the range of addresses.
    #[must_use]
    pub fn as_address(self, value: Value) -> Value {
        match value {
            Value::Int(number) => Value::Int(self.address.wrap(number)),
            Value::Pointer(_) | Value::Procedure(_) => value,
        }
    }

    /// `left op right`.
    ///
    /// # Errors
    /// A division by zero, a negative shift, or a result that is not known.
    pub fn binary(self, op: BinaryOp, left: Value, right: Value) -> Result<Value, Failure> {
        if let (Value::Int(left), Value::Int(right)) = (left, right) {
            return number(semantics::binary(op, left, right));
        }
        match op {
            BinaryOp::Equal => self.are_equal(left, right).map(Value::from),
            BinaryOp::NotEqual => self.are_equal(left, right).map(|it| Value::from(!it)),
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
                (Value::Pointer(left), Value::Int(right)) => self.on_pointer(op, left, right),
                (Value::Int(left), Value::Pointer(right)) if commutes(op) => {
                    self.on_pointer(op, right, left)
                }
                (Value::Pointer(left), Value::Pointer(right)) => self.on_pointers(op, left, right),
                (_, Value::Int(0)) if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) => {
                    Err(Failure::Error(MemoryErrorKind::DivisionByZero))
                }
                (Value::Procedure(_), Value::Int(0)) if commutes(op) && op != BinaryOp::And => {
                    Ok(left)
                }
                (Value::Int(_), Value::Int(_) | Value::Pointer(_))
                | (Value::Procedure(_), _)
                | (_, Value::Procedure(_)) => Err(behind_address()),
            },
        }
    }

    /// Whether an address surely lies within [`EDGE`] bytes of its block, so that
    /// counting from the block's start never left the address space.
    fn is_near(self, pointer: Pointer) -> bool {
        let size = self.memory.block(pointer.block).size;
        -EDGE < pointer.offset && pointer.offset < size.saturating_add(EDGE)
    }

    /// Whether an address is that of a byte of a block, of one that exists or existed.
    fn is_inside(self, pointer: Pointer) -> bool {
        let block = self.memory.block(pointer.block);
        // Even a heap block without bytes has an address of its own.
        let least = i128::from(block.kind == MemoryKind::Heap);
        0 <= pointer.offset && pointer.offset < block.size.max(least)
    }

    fn are_equal(self, left: Value, right: Value) -> Result<bool, Failure> {
        match (left, right) {
            (Value::Int(left), Value::Int(right)) => Ok(left == right),
            (Value::Procedure(left), Value::Procedure(right)) => Ok(left == right),
            (Value::Pointer(left), Value::Pointer(right)) if left.block == right.block => {
                self.are_equal_offsets(left, right)
            }
            (Value::Pointer(left), Value::Pointer(right))
                if self.is_inside(left)
                    && self.is_inside(right)
                    && self.memory.have_coexisted(left.block, right.block) =>
            {
                Ok(false)
            }
            (Value::Procedure(_), Value::Pointer(pointer))
            | (Value::Pointer(pointer), Value::Procedure(_))
                if self.is_inside(pointer) =>
            {
                Ok(false)
            }
            (address, Value::Int(number)) | (Value::Int(number), address) => {
                self.compare_address(address, number).map(|_| false)
            }
            (Value::Pointer(_) | Value::Procedure(_), Value::Pointer(_) | Value::Procedure(_)) => {
                Err(Failure::unsupported("whether addresses in different blocks are equal"))
            }
        }
    }

    fn are_equal_offsets(self, left: Pointer, right: Pointer) -> Result<bool, Failure> {
        let distance = left.offset.checked_sub(right.offset).ok_or_else(too_large)?;
        match self.address.wrap(distance) {
            _ if distance == 0 => Ok(true),
            // As addresses they are equal, as numbers in a wider type they are not.
            0 => Err(behind_address()),
            _ => Ok(false),
        }
    }

    fn compare(self, left: Value, right: Value) -> Result<Ordering, Failure> {
        match (left, right) {
            (Value::Int(left), Value::Int(right)) => Ok(left.cmp(&right)),
            (Value::Pointer(left), Value::Pointer(right)) if left == right => Ok(Ordering::Equal),
            (Value::Procedure(left), Value::Procedure(right)) if left == right => {
                Ok(Ordering::Equal)
            }
            (Value::Pointer(left), Value::Pointer(right))
                if left.block == right.block && self.is_near(left) && self.is_near(right) =>
            {
                Ok(left.offset.cmp(&right.offset))
            }
            (address, Value::Int(number)) => self.compare_address(address, number),
            (Value::Int(number), address) => {
                self.compare_address(address, number).map(Ordering::reverse)
            }
            (Value::Pointer(_) | Value::Procedure(_), Value::Pointer(_) | Value::Procedure(_)) => {
                Err(Failure::unsupported("order of addresses in different blocks"))
            }
        }
    }

    /// How an address compares to `number`: blocks and procedures keep away from the
    /// ends of the address space, and the address keeps close to its block.
    fn compare_address(self, address: Value, number: i128) -> Result<Ordering, Failure> {
        let (below, above) = match address {
            Value::Pointer(pointer) if self.is_near(pointer) => {
                let size = self.memory.block(pointer.block).size;
                (pointer.offset.min(0), (pointer.offset - size).max(0))
            }
            Value::Procedure(_) => (0, 0),
            Value::Pointer(_) | Value::Int(_) => return Err(behind_address()),
        };
        if number < EDGE + below {
            Ok(Ordering::Greater)
        } else if number > self.address.max() - EDGE + above {
            Ok(Ordering::Less)
        } else {
            Err(Failure::unsupported("order of an address and a number"))
        }
    }

    /// The multiples at which a block surely starts: C promises that the memory of
    /// `malloc` is aligned for every type.
    fn alignment(self, block: MemoryBlockId) -> i128 {
        match self.memory.block(block).kind {
            MemoryKind::Heap => i128::from(self.address.bits / 4),
            MemoryKind::Stack
            | MemoryKind::Alloca
            | MemoryKind::Static
            | MemoryKind::Stream
            | MemoryKind::Constant
            | MemoryKind::Any => 1,
        }
    }

    /// An address and a number: distances, and the bits below the alignment.
    fn on_pointer(self, op: BinaryOp, pointer: Pointer, number: i128) -> Result<Value, Failure> {
        let Pointer { block, offset } = pointer;
        let moved = |distance: Option<i128>| {
            let offset = distance.and_then(|it| offset.checked_add(it)).ok_or_else(too_large)?;
            Ok(Value::Pointer(Pointer { block, offset }))
        };
        let alignment = self.alignment(block);
        let low_bits = offset.rem_euclid(alignment);
        let is_low = (0..alignment).contains(&number);
        // As a mask of the address, `-8` and `2^64 - 8` are the same.
        let cleared = IntKind { signed: true, ..self.address }.wrap(!number);
        match op {
            BinaryOp::Add => moved(Some(number)),
            BinaryOp::Subtract => moved(number.checked_neg()),
            BinaryOp::And if is_low => Ok(Value::Int(low_bits & number)),
            BinaryOp::And if (0..alignment).contains(&cleared) => {
                moved(Some(-(low_bits & cleared)))
            }
            BinaryOp::Or if is_low => moved(Some((low_bits | number) - low_bits)),
            BinaryOp::Xor if is_low => moved(Some((low_bits ^ number) - low_bits)),
            BinaryOp::Divide | BinaryOp::Remainder if number == 0 => {
                Err(Failure::Error(MemoryErrorKind::DivisionByZero))
            }
            // Read as a signed number an address may be negative, and so are its remainders.
            BinaryOp::Remainder
                if alignment_divides(number, alignment) && low_bits % number == 0 =>
            {
                Ok(Value::Int(0))
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight if number < 0 => {
                Err(Failure::Error(MemoryErrorKind::NegativeShift))
            }
            _ => Err(behind_address()),
        }
    }

    /// The distance of two addresses that are close to the same block.
    fn on_pointers(self, op: BinaryOp, left: Pointer, right: Pointer) -> Result<Value, Failure> {
        match op {
            BinaryOp::Subtract if left == right => Ok(Value::Int(0)),
            BinaryOp::Subtract
                if left.block == right.block && self.is_near(left) && self.is_near(right) =>
            {
                left.offset.checked_sub(right.offset).map(Value::Int).ok_or_else(too_large)
            }
            BinaryOp::Subtract => Err(Failure::unsupported("distance between different blocks")),
            _ => Err(behind_address()),
        }
    }
}

/// Whether `number` is a power of two that divides the alignment.
fn alignment_divides(number: i128, alignment: i128) -> bool {
    number > 0 && alignment % number == 0
}

fn commutes(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
}

fn number(result: Result<i128, NoResult>) -> Result<Value, Failure> {
    result.map(Value::Int).map_err(|why| match why {
        NoResult::DivisionByZero => Failure::Error(MemoryErrorKind::DivisionByZero),
        NoResult::NegativeShift => Failure::Error(MemoryErrorKind::NegativeShift),
        NoResult::TooLarge => too_large(),
    })
}

fn behind_address() -> Failure {
    Failure::unsupported("arithmetic on the number behind an address")
}

fn too_large() -> Failure {
    Failure::unsupported("a number above 128 bits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::source::Span;
    use ir::InitialContent;

    #[test]
    fn remainders_of_addresses_may_be_negative() {
        let mut memory = Memory::new(4);
        let size = Value::Int(8);
        let block =
            memory.allocate(MemoryKind::Heap, size, InitialContent::Zero, Span::NOWHERE).unwrap();
        let remainder = |offset: i128| {
            let address = Value::Pointer(Pointer { block, offset });
            Arithmetic::of(&memory).binary(BinaryOp::Remainder, address, Value::Int(2))
        };
        assert_eq!(remainder(6), Ok(Value::Int(0)));
        assert!(remainder(5).is_err(), "1 or -1, as the address is read");
    }
}
