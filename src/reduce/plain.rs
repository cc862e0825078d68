//! Questions that are the goal of an obligation about the same program.
//!
//! | question | goal |
//! |---|---|
//! | termination | every run ends |
//! | memsafety | no run accesses or frees invalid memory, or loses a block |
//! | memcleanup | no run ends with a block that is not freed |
//! | reach | no run reaches an error command |
//!
//! The answers are the same ([`Implication::Equivalent`](super::Implication)).

use obligation::{ErrorKind, Goal};
use question::Question;

/// The goal that a question asks for. Nothing for a question that no reduction makes
/// an obligation of.
#[must_use]
pub fn goal(question: &Question) -> Option<Goal> {
    use ErrorKind::{ErrorReached, InvalidAccess, InvalidFree, Leak, Unfreed};
    match question {
        Question::Termination => Some(Goal::Ends),
        Question::MemorySafety => Some(Goal::avoids_all(&[InvalidAccess, InvalidFree, Leak])),
        Question::MemoryCleanup => Some(Goal::avoids_all(&[Unfreed])),
        Question::Reach => Some(Goal::avoids_all(&[ErrorReached])),
        Question::Specification { .. }
        | Question::Ctl(_)
        | Question::Ltl(_)
        | Question::ThreadTermination(_) => None,
    }
}

/// The part of memory safety that an error violates, as verifiers name it. Other
/// questions have no parts.
#[must_use]
pub fn subproperty(question: &Question, error: ErrorKind) -> Option<&'static str> {
    match (question, error) {
        (Question::MemorySafety, ErrorKind::InvalidAccess) => Some("valid-deref"),
        (Question::MemorySafety, ErrorKind::InvalidFree) => Some("valid-free"),
        (Question::MemorySafety, ErrorKind::Leak) => Some("valid-memtrack"),
        _ => None,
    }
}
