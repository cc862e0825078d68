//! Floating-point constants, and what operators make of them. Variables hold unknown
//! numbers; but what C computes of constants alone is fixed by IEEE 754, in the same
//! arithmetic that this program is run with.

use wane_grammar::c::place::Place;

use super::convert::Value;
use super::{Lowered, Lowering};
use crate::DataModel;
use crate::types::Type;
use ir::{BinaryOp, Expr, IntKind};

/// A number of type `float` or `double`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Real {
    Single(f32),
    Double(f64),
}

impl Real {
    /// As a constant: its bits.
    pub(super) fn value(self) -> Value {
        match self {
            Self::Single(number) => Value::new(Type::Float(4), i128::from(number.to_bits())),
            Self::Double(number) => Value::new(Type::Float(8), i128::from(number.to_bits())),
        }
    }

    fn of_bits(bytes: u8, bits: u64) -> Option<Self> {
        match bytes {
            4 => Some(Self::Single(f32::from_bits(u32::try_from(bits).ok()?))),
            8 => Some(Self::Double(f64::from_bits(bits))),
            _ => None,
        }
    }

    /// The nearest number of a type with so many bytes.
    #[expect(clippy::cast_possible_truncation, reason = "rounds to nearest, as C does")]
    pub(super) fn rounded(self, bytes: u8) -> Option<Self> {
        match (self, bytes) {
            (Self::Single(number), 8) => Some(Self::Double(number.into())),
            (Self::Double(number), 4) => Some(Self::Single(number as f32)),
            (same @ Self::Single(_), 4) | (same @ Self::Double(_), 8) => Some(same),
            _ => None,
        }
    }

    /// The integer that it is converted to; nothing where C leaves that open.
    #[expect(clippy::cast_possible_truncation, reason = "what is out of range is left out")]
    pub(super) fn truncated(self, kind: IntKind) -> Option<i128> {
        let number = match self {
            Self::Single(number) => f64::from(number),
            Self::Double(number) => number,
        };
        let whole = number.trunc();
        let integer = (whole.abs() < 1e36).then_some(whole as i128)?;
        (kind.min()..=kind.max()).contains(&integer).then_some(integer)
    }

    pub(super) fn is_nonzero(self) -> bool {
        match self {
            Self::Single(number) => number != 0.0,
            Self::Double(number) => number != 0.0,
        }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Single(number) => Self::Single(-number),
            Self::Double(number) => Self::Double(-number),
        }
    }
}

impl Lowering<'_> {
    /// The constant that a literal of a type with so many bytes is.
    pub(super) fn real_literal(&self, bytes: u8, bits: u64) -> Option<Value> {
        // Elsewhere, constants may be computed with more digits than their types have.
        let is_plain = self.types.model == DataModel::Lp64;
        Real::of_bits(bytes, bits).filter(|_| is_plain).map(Real::value)
    }

    /// The number that a value is, if it is a constant. Integers become `double`s.
    #[expect(clippy::cast_precision_loss, reason = "rounds to nearest, as C does")]
    pub(super) fn real(&self, value: &Value) -> Option<Real> {
        let Expr::Constant(constant) = value.expr else { return None };
        if self.types.model != DataModel::Lp64 {
            return None;
        }
        match value.ty {
            Type::Float(bytes) => Real::of_bits(bytes, u64::try_from(constant).ok()?),
            Type::Int(_) => Some(Real::Double(constant as f64)),
            _ => None,
        }
    }

    /// The same, converted to a type with so many bytes.
    #[expect(clippy::cast_precision_loss, reason = "rounds to nearest, as C does")]
    pub(super) fn real_as(&self, value: &Value, bytes: u8) -> Option<Real> {
        let real = self.real(value)?;
        match (&value.ty, &value.expr, bytes) {
            // Rounded once, from the integer.
            (Type::Int(_), Expr::Constant(number), 4) => Some(Real::Single(*number as f32)),
            _ => real.rounded(bytes),
        }
    }

    /// Both operands, in their common type.
    pub(super) fn reals(&self, left: &Value, right: &Value) -> Option<[Real; 2]> {
        let bytes = width(&left.ty, &right.ty);
        Some([self.real_as(left, bytes)?, self.real_as(right, bytes)?])
    }

    /// A number of which nothing is known.
    pub(super) fn unknown_real(&mut self, bytes: u8, place: Place) -> Lowered<Value> {
        self.approximation(&Type::Float(bytes), "floating-point number", place)
    }
}

/// How many bytes the common type has of operands, one of which is no integer.
pub(super) fn width(left: &Type, right: &Type) -> u8 {
    match (left, right) {
        (Type::Float(a), Type::Float(b)) => *a.max(b),
        (Type::Float(bytes), _) | (_, Type::Float(bytes)) => *bytes,
        _ => 8,
    }
}

/// Whether a comparison of two numbers of one type holds.
#[expect(clippy::float_cmp, reason = "this is the comparison that C means")]
pub(super) fn compare(op: BinaryOp, operands: [Real; 2]) -> Option<bool> {
    let [left, right] = match operands {
        [Real::Single(left), Real::Single(right)] => [f64::from(left), f64::from(right)],
        [Real::Double(left), Real::Double(right)] => [left, right],
        _ => return None,
    };
    match op {
        BinaryOp::Equal => Some(left == right),
        BinaryOp::NotEqual => Some(left != right),
        BinaryOp::Less => Some(left < right),
        BinaryOp::LessEqual => Some(left <= right),
        BinaryOp::Greater => Some(left > right),
        BinaryOp::GreaterEqual => Some(left >= right),
        _ => None,
    }
}

/// The result of arithmetic with two numbers of one type.
pub(super) fn arithmetic(op: BinaryOp, operands: [Real; 2]) -> Option<Real> {
    match operands {
        [Real::Single(a), Real::Single(b)] => Some(Real::Single(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Subtract => a - b,
            BinaryOp::Multiply => a * b,
            BinaryOp::Divide => a / b,
            _ => return None,
        })),
        [Real::Double(a), Real::Double(b)] => Some(Real::Double(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Subtract => a - b,
            BinaryOp::Multiply => a * b,
            BinaryOp::Divide => a / b,
            _ => return None,
        })),
        _ => None,
    }
}
