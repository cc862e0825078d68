//! The reference semantics of the goto program: an interpreter of concrete
//! states.
//!
//! It is the referee of the whole tool. A counterexample is replayed here
//! before anyone sees it, and random runs must be covered by the abstract
//! states. So it prefers to stop with [`Outcome::Unsupported`] over guessing:
//! every run that it does carry out is a possible run of the program.
//!
//! What C leaves open is settled once, in a way that a real machine could
//! settle it, and stated here:
//!
//! * Addresses are pairs of a block and an offset ([`value`]). Different blocks
//!   have different addresses, also when one was freed before the other was
//!   made. Each block starts at a multiple of 16. No block touches the first or
//!   the last [`value::EDGE`] bytes of the address space, and a number that was
//!   not made from an address is never the address of a block.
//! * Bytes and variables that nothing was written to hold arbitrary values,
//!   each chosen when it is first read ([`choices`]).
//! * Numbers are exact up to 128 bits; beyond that a run is unsupported.

pub mod canonical;
pub mod choices;
pub mod interpreter;
pub mod memory;
mod peek;
pub mod state;
pub mod value;

use base::source::Span;

/// How a run stands after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Running,
    /// The program has ended in good order.
    Halted,
    /// An assumption does not hold: this is no run of the program.
    AssumeFailed,
    /// The program did something undefined.
    MemoryError {
        /// What it did.
        kind: MemoryErrorKind,
        /// Where.
        span: Span,
    },
    /// The program reached an error command.
    ReachedError {
        /// The function or assertion.
        what: String,
        /// Where.
        span: Span,
    },
    /// The interpreter does not know how the run goes on.
    Unsupported {
        /// What it cannot do.
        what: String,
        /// Where.
        span: Span,
    },
    /// The step budget is spent.
    OutOfBudget,
}

/// The undefined things that a program can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryErrorKind {
    /// Access through null, or near it (a field of a null structure).
    NullDereference,
    /// Access through a number that is no address, or to a procedure.
    WildPointer,
    /// Access to a block whose lifetime has ended.
    UseAfterFree,
    /// Access before the start or after the end of a block.
    OutOfBounds,
    /// Writing a string literal or a constant object.
    ConstantWrite,
    /// Release of what is not the start of a block of that kind.
    InvalidFree,
    /// Release of a block that was released before.
    DoubleFree,
    /// Allocation of a negative number of bytes.
    NegativeAllocation,
    /// Division by zero, or its remainder.
    DivisionByZero,
    /// Shift by a negative distance.
    NegativeShift,
}

/// Why an evaluation or a memory access has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The program did something undefined.
    Error(MemoryErrorKind),
    /// The interpreter does not know the result.
    Unsupported(String),
}

impl Failure {
    /// An unsupported operation.
    pub fn unsupported(what: &str) -> Self {
        Self::Unsupported(what.to_owned())
    }

    /// The outcome of a run that fails so at `span`.
    #[must_use]
    pub fn at(self, span: Span) -> Outcome {
        match self {
            Self::Error(kind) => Outcome::MemoryError { kind, span },
            Self::Unsupported(what) => Outcome::Unsupported { what, span },
        }
    }
}
