//! Pure expressions over program variables, and the types of scalars.

use super::{ProcedureId, Variable};
use smallvec::SmallVec;
use std::fmt::{self, Display, Formatter};

/// An integer type's width and sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntKind {
    /// Width in bits, 1 to 128; 1 and unsigned for `_Bool`.
    pub bits: u8,
    /// Whether negative values exist.
    pub signed: bool,
}

impl IntKind {
    /// Smallest value.
    #[must_use]
    pub fn min(self) -> i128 {
        if self.signed { -(1_i128 << (self.bits.min(127) - 1)) } else { 0 }
    }

    /// Largest value (of 127 bits at most).
    #[must_use]
    pub fn max(self) -> i128 {
        let bits = if self.signed { self.bits.min(127) - 1 } else { self.bits.min(126) };
        (1_i128 << bits) - 1
    }

    /// Number of values, or `None` when it exceeds 2^126.
    #[must_use]
    pub fn modulus(self) -> Option<i128> {
        (self.bits <= 126).then(|| 1_i128 << self.bits)
    }

    /// The value of the type that is congruent to `value` modulo 2^bits.
    #[must_use]
    pub fn wrap(self, value: i128) -> i128 {
        let Some(modulus) = self.modulus() else { return value };
        let low = value.rem_euclid(modulus);
        if low > self.max() { low - modulus } else { low }
    }
}

impl Display for IntKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

/// The type of a scalar in a variable or in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScalarType {
    /// An integer. Under the mathematical model a signed one has no bounds.
    Int(IntKind),
    /// An address.
    Pointer,
    /// A floating-point number of so many bytes: its values are not modelled.
    Float(u8),
}

impl ScalarType {
    /// Bytes it takes in memory.
    #[must_use]
    pub fn bytes(self, pointer_bytes: u32) -> u32 {
        match self {
            Self::Int(kind) => u32::from(kind.bits).div_ceil(8),
            Self::Pointer => pointer_bytes,
            Self::Float(bytes) => u32::from(bytes),
        }
    }
}

/// An operator on one integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOp {
    /// `-x`
    Negate,
    /// `~x` in two's complement of unbounded width, that is `-x - 1`.
    BitNot,
    /// `x == 0`
    Not,
}

/// An operator on two integers or addresses. Comparisons yield 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOp {
    /// Sum; of an address and an integer, the address so many bytes on.
    Add,
    /// Difference; of two addresses, the bytes between them.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient rounded towards zero; a zero divisor is an error.
    Divide,
    /// Remainder with the dividend's sign; a zero divisor is an error.
    Remainder,
    /// `x * 2^y`; a negative `y` is an error.
    ShiftLeft,
    /// `x / 2^y` rounded down; a negative `y` is an error.
    ShiftRight,
    /// Bitwise and of two's complement of unbounded width.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl BinaryOp {
    /// Whether the result says how the operands compare: 0 or 1.
    #[must_use]
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Equal
                | Self::NotEqual
                | Self::Less
                | Self::LessEqual
                | Self::Greater
                | Self::GreaterEqual
        )
    }

    /// The comparison with its sides exchanged, if it is one.
    #[must_use]
    pub fn mirrored(self) -> Option<Self> {
        Some(match self {
            Self::Equal | Self::NotEqual => self,
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            _ => return None,
        })
    }

    /// The comparison that holds where this one does not, if it is one.
    #[must_use]
    pub fn negated(self) -> Option<Self> {
        Some(match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterEqual,
            Self::LessEqual => Self::Greater,
            Self::Greater => Self::LessEqual,
            Self::GreaterEqual => Self::Less,
            _ => return None,
        })
    }

    /// Whether there is a result for every number on the left, given this on the right: nothing
    /// is divided by what may be zero, or shifted by what may be too far.
    #[must_use]
    pub fn is_total_with(self, right: &Expr) -> bool {
        match self {
            Self::Divide | Self::Remainder => matches!(right, Expr::Constant(it) if *it != 0),
            Self::ShiftLeft | Self::ShiftRight => matches!(right, Expr::Constant(0..=127)),
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::And
            | Self::Or
            | Self::Xor
            | Self::Equal
            | Self::NotEqual
            | Self::Less
            | Self::LessEqual
            | Self::Greater
            | Self::GreaterEqual => true,
        }
    }
}

/// A pure expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expr {
    /// A number; null is 0.
    Constant(i128),
    /// The value of a variable.
    Variable(Variable),
    /// The address of a procedure.
    Procedure(ProcedureId),
    /// An operator applied to one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator applied to two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The operand reduced to the range of an integer type.
    Wrap(IntKind, Box<Expr>),
}

impl Expr {
    /// `left op right`.
    #[must_use]
    pub fn binary(op: BinaryOp, left: Self, right: Self) -> Self {
        Self::Binary(op, Box::new(left), Box::new(right))
    }

    /// `op operand`.
    #[must_use]
    pub fn unary(op: UnaryOp, operand: Self) -> Self {
        Self::Unary(op, Box::new(operand))
    }

    /// What the operator is applied to, left to right.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = &Self> {
        let [left, right] = match self {
            Self::Constant(_) | Self::Variable(_) | Self::Procedure(_) => [None, None],
            Self::Unary(_, operand) | Self::Wrap(_, operand) => [Some(operand), None],
            Self::Binary(_, left, right) => [Some(left), Some(right)],
        };
        left.into_iter().chain(right).map(|it| &**it)
    }

    /// What the operator is applied to, left to right.
    pub fn operands_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        let [left, right] = match self {
            Self::Constant(_) | Self::Variable(_) | Self::Procedure(_) => [None, None],
            Self::Unary(_, operand) | Self::Wrap(_, operand) => [Some(operand), None],
            Self::Binary(_, left, right) => [Some(left), Some(right)],
        };
        left.into_iter().chain(right).map(|it| &mut **it)
    }

    /// The expression and all that it is made of, wholes before parts, left to right.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        let mut open: SmallVec<[&Self; 8]> = SmallVec::from_slice(&[self]);
        std::iter::from_fn(move || {
            let next = open.pop()?;
            open.extend(next.operands().rev());
            Some(next)
        })
    }

    /// The variables that occur, left to right, perhaps several times.
    pub fn variables(&self) -> impl Iterator<Item = Variable> {
        self.parts().filter_map(|it| match it {
            Self::Variable(variable) => Some(*variable),
            _ => None,
        })
    }

    /// The numbers that occur, left to right.
    pub fn constants(&self) -> impl Iterator<Item = i128> {
        self.parts().filter_map(|it| match it {
            Self::Constant(number) => Some(*number),
            _ => None,
        })
    }

    /// The procedures whose addresses are taken, left to right.
    pub fn procedures(&self) -> impl Iterator<Item = ProcedureId> {
        self.parts().filter_map(|it| match it {
            Self::Procedure(procedure) => Some(*procedure),
            _ => None,
        })
    }

    /// The comparisons with their two sides, from the outside in.
    pub fn comparisons(&self) -> impl Iterator<Item = (BinaryOp, &Self, &Self)> {
        self.parts().filter_map(|it| match it {
            Self::Binary(op, left, right) if op.is_comparison() => Some((*op, &**left, &**right)),
            _ => None,
        })
    }

    /// Whether a variable occurs.
    #[must_use]
    pub fn mentions(&self, variable: Variable) -> bool {
        self.parts().any(|it| *it == Self::Variable(variable))
    }

    /// Whether nothing is divided by what may be zero, or shifted by what may be too far.
    #[must_use]
    pub fn is_total(&self) -> bool {
        self.parts().all(|it| match it {
            Self::Binary(op, _, right) => op.is_total_with(right),
            _ => true,
        })
    }
}

impl From<Variable> for Expr {
    fn from(variable: Variable) -> Self {
        Self::Variable(variable)
    }
}

impl From<i128> for Expr {
    fn from(value: i128) -> Self {
        Self::Constant(value)
    }
}
