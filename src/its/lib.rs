//! Integer transition systems as goto programs.
//!
//! * [`smt`]: the SMT-LIB style of the termination competition.
//! * [`t2`]: T2's text format.
//!
//! A location becomes a block that chooses among its transitions; a transition
//! assigns and chooses so that its relation holds, and ends the run where it cannot. Integers have
//! no bounds: their type is wider than any whose bounds the analysis uses.

mod lowering;
mod relation;
pub mod smt;
pub mod t2;

use base::source::Span;
use ir::text::Lines;
use ir::{BlockId, Program};

/// A transition system as a goto program of one procedure.
#[derive(Clone, Debug)]
pub struct Located {
    /// The program.
    pub program: Program,
    /// The blocks that are its locations; a start that nothing leads back to is none: what
    /// leaves it gives variables their first values.
    pub locations: Vec<BlockId>,
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemError {
    /// The place.
    pub span: Span,
    /// A sentence without its full stop.
    pub message: String,
}

/// An error at bytes of a text.
#[derive(Clone, Debug)]
struct ErrorAt {
    start: usize,
    end: usize,
    message: String,
}

impl ErrorAt {
    fn located(self, lines: &Lines<'_>) -> SystemError {
        SystemError { span: lines.span(self.start, self.end), message: self.message }
    }
}
