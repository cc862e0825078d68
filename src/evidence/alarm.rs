//! What keeps an argument from being a proof.

use base::source::Span;
use ir::Grant;
use obligation::{ErrorKind, Goal};

/// Something that keeps the analysis from a proof: a possible error (`⊤` in
/// CAV'06), or a construct that it does not follow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alarm {
    /// Where it happens.
    pub span: Span,
    /// What happens.
    pub kind: AlarmKind,
}

/// What an [`Alarm`] is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AlarmKind {
    /// A null address may be accessed.
    NullDereference,
    /// An address may be accessed that points at no live block.
    WildDereference,
    /// A block may be accessed outside of its bounds.
    OutOfBounds,
    /// A string literal or a constant object may be written.
    ConstantWrite,
    /// Something may be freed that is not the start of a live heap block.
    InvalidFree,
    /// The size of an allocation may be negative.
    NegativeAllocation,
    /// A divisor may be zero, or a shift count out of range.
    DivisionByZero,
    /// This may happen, and C leaves undefined what happens then.
    Undefined(String),
    /// A construct that is not modelled.
    Unsupported(String),
    /// What is taken for granted of the memory that a function by itself finds may not be so.
    Granted(Grant),
    /// A call that is looked at by itself, where what it sees is not all of its own: locals of
    /// several of its callers.
    Inseparable(String),
    /// A call through a pointer that may hold no procedure's address, or that of one of
    /// another type.
    UnknownCallee,
    /// Nothing may point at some heap block any more.
    Leak,
    /// Nothing may point any more at what a pointer held that came in.
    Overwritten,
    /// Some heap block may not be freed when the program ends.
    Unfreed,
    /// An error command may be reached.
    ErrorReached(String),
}

impl AlarmKind {
    /// Whether this must be excluded to reach the goal. What is undefined
    /// leaves everything open, so it matters for every goal.
    #[must_use]
    pub fn matters_for(&self, goal: Goal) -> bool {
        match self {
            Self::Leak | Self::Overwritten => goal.avoids(ErrorKind::Leak),
            Self::Unfreed => goal.avoids(ErrorKind::Unfreed),
            Self::ErrorReached(_) => goal.avoids(ErrorKind::ErrorReached),
            Self::NullDereference
            | Self::WildDereference
            | Self::OutOfBounds
            | Self::ConstantWrite
            | Self::InvalidFree
            | Self::NegativeAllocation
            | Self::DivisionByZero
            | Self::Undefined(_)
            | Self::Unsupported(_)
            | Self::Granted(_)
            | Self::Inseparable(_)
            | Self::UnknownCallee => true,
        }
    }

    /// Whether it is about an access of memory, or its release.
    #[must_use]
    pub const fn is_about_an_access(&self) -> bool {
        matches!(
            self,
            Self::NullDereference
                | Self::WildDereference
                | Self::OutOfBounds
                | Self::ConstantWrite
                | Self::InvalidFree
        )
    }

    /// The stable code of the alarm.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NullDereference => "W001",
            Self::WildDereference => "W002",
            Self::OutOfBounds => "W003",
            Self::InvalidFree => "W004",
            Self::NegativeAllocation => "W005",
            Self::DivisionByZero => "W006",
            Self::UnknownCallee => "W007",
            Self::ConstantWrite => "W008",
            Self::Undefined(_) => "W009",
            Self::Leak | Self::Overwritten => "W010",
            Self::Unfreed => "W011",
            Self::ErrorReached(_) => "W012",
            Self::Granted(Grant::Links) => "W013",
            Self::Granted(Grant::Locks) => "W015",
            Self::Granted(Grant::Branches) => "W016",
            Self::Unsupported(_) => "W020",
            Self::Inseparable(_) => "W021",
        }
    }

    /// The alarm as a clause of a sentence.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::NullDereference => "a null pointer may be dereferenced here".to_owned(),
            Self::WildDereference => "this pointer may not point at a live object".to_owned(),
            Self::OutOfBounds => "this access may be out of bounds".to_owned(),
            Self::ConstantWrite => {
                "a string literal or a constant object may be written here".to_owned()
            }
            Self::InvalidFree => "this may free something that is not a live heap block".to_owned(),
            Self::NegativeAllocation => "the size of this allocation may be negative".to_owned(),
            Self::DivisionByZero => {
                "this divisor may be zero, or this shift count out of range".to_owned()
            }
            Self::Undefined(what) => format!("this may be {what}, which C leaves undefined"),
            Self::Unsupported(what) => format!("not modelled: {what}"),
            Self::Granted(grant) => format!("it may not be so that {}", grant.what()),
            Self::Inseparable(name) => format!(
                "the call of `{name}` is not followed: it sees local variables of several callers"
            ),
            Self::UnknownCallee => {
                "this pointer may hold the address of no function, or of one of another type"
                    .to_owned()
            }
            Self::Leak => "the last pointer to a heap block may be lost here".to_owned(),
            Self::Overwritten => {
                "the last pointer to memory of the caller may be overwritten here".to_owned()
            }
            Self::Unfreed => "the program may end with memory that is not freed".to_owned(),
            Self::ErrorReached(what) => format!("`{what}` may be reached"),
        }
    }
}
