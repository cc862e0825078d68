//! What accesses may need beside the types of what comes in.

use crate::forms::FormId;
use crate::{BinaryOp, Expr, Variable};

/// A member of all structures of a type, that is a pointer; or an element of arrays of pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemberPlace {
    /// The type of the structures; for elements, their own.
    pub structure: FormId,
    /// Where it lies in each, in bytes; for elements, 0.
    pub offset: i128,
}

/// Something that a call has to keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// A pointer that comes in is not null.
    NotNull(Variable),
    /// Behind a pointer that comes in there are so many bytes.
    Bytes(Variable, i128),
    /// Behind a pointer that comes in there are as many things of so many bytes as a number says
    /// that comes in, and some more.
    Elements {
        /// The pointer.
        pointer: Variable,
        /// Bytes of each.
        stride: i128,
        /// The number.
        count: Variable,
        /// How many bytes more.
        more: i128,
    },
    /// What is behind a pointer that comes in reaches up to another one.
    Until {
        /// The pointer.
        pointer: Variable,
        /// Where it has to end at the least.
        end: Variable,
    },
    /// So many bytes before a pointer that comes in belong to its object.
    Before(Variable, i128),
    /// A pointer that comes in is null or leads to a string.
    String(Variable),
    /// A number that comes in is not 0.
    NotZero(Variable),
    /// A number that comes in is in a range, with both ends.
    Between(Variable, i128, i128),
    /// No such member of what callers made is null, whenever it is read.
    Member(MemberPlace),
    /// Each such member is null or leads to a string.
    MemberString(MemberPlace),
    /// What is given up is a block of the heap, to which one place in memory leads at most, which
    /// is not in the block itself.
    Owned,
    /// No place in memory leads into what a parameter leads to, if that is given up.
    Sole(Variable),
    /// Two parameters do not lead into the same block that is given up.
    Apart(Variable, Variable),
    /// What lies behind one pointer that comes in, to the end of its object, is no part of what lies
    /// behind another one.
    Disjoint(Variable, Variable),
}

impl Need {
    /// The pointer or number that it is about, if it is about one.
    #[must_use]
    pub fn about(self) -> Option<Variable> {
        Some(match self {
            Self::NotNull(it)
            | Self::Bytes(it, _)
            | Self::Before(it, _)
            | Self::String(it)
            | Self::NotZero(it)
            | Self::Between(it, ..)
            | Self::Sole(it)
            | Self::Apart(it, _)
            | Self::Disjoint(it, _) => it,
            Self::Elements { pointer, .. } | Self::Until { pointer, .. } => pointer,
            Self::Member(_) | Self::MemberString(_) | Self::Owned => return None,
        })
    }

    /// Whether what keeps to this keeps to another one, too: of two ranges, the one within; of two
    /// ends, the one further on.
    #[must_use]
    pub fn implies(self, other: Self) -> bool {
        match (self, other) {
            (Self::Between(number, least, most), Self::Between(it, from, to)) => {
                number == it && from <= least && most <= to
            }
            (Self::Bytes(pointer, bytes), Self::Bytes(it, fewer)) => {
                pointer == it && fewer <= bytes
            }
            (
                Self::Elements { more, .. },
                Self::Elements { pointer, stride, count, more: other },
            ) => self == Self::Elements { pointer, stride, count, more } && other <= more,
            _ => self == other,
        }
    }

    /// The condition at the start on numbers, where this is what a variable is called, and here is
    /// the end of the object that it is about.
    pub(super) fn condition(
        self,
        value: &impl Fn(Variable) -> Expr,
        end: Option<Expr>,
    ) -> Option<Expr> {
        let binary = Expr::binary;
        let room = |pointer: Variable, bytes: Expr| {
            let needed = binary(BinaryOp::Add, value(pointer), bytes);
            Some(binary(BinaryOp::LessEqual, needed, end.clone()?))
        };
        match self {
            Self::NotNull(pointer) => {
                Some(binary(BinaryOp::Greater, value(pointer), Expr::Constant(0)))
            }
            Self::NotZero(number) => {
                Some(binary(BinaryOp::NotEqual, value(number), Expr::Constant(0)))
            }
            Self::Until { end: last, .. } => {
                Some(binary(BinaryOp::LessEqual, value(last), end.clone()?))
            }
            Self::Bytes(pointer, bytes) => room(pointer, Expr::Constant(bytes)),
            Self::Elements { pointer, stride, count, more } => {
                let all = binary(BinaryOp::Multiply, value(count), Expr::Constant(stride));
                room(pointer, binary(BinaryOp::Add, all, Expr::Constant(more)))
            }
            Self::Between(number, least, most) => {
                let from = binary(BinaryOp::LessEqual, Expr::Constant(least), value(number));
                let to = binary(BinaryOp::LessEqual, value(number), Expr::Constant(most));
                Some(binary(BinaryOp::And, from, to))
            }
            // These say something else than a condition on numbers at the start.
            Self::Before(..)
            | Self::String(_)
            | Self::Member(_)
            | Self::MemberString(_)
            | Self::Owned
            | Self::Sole(_)
            | Self::Apart(..)
            | Self::Disjoint(..) => None,
        }
    }
}
