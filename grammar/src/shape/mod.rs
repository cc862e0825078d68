//! Inductive shapes, assertions about symbolic heaps, and entailment judgments.
//!
//! ```text
//! shape ls(x, y) {
//!   unfold x
//!     | x |-> { next: y }
//!     | x |-> { next: n } * ls(n, y)
//!   lemma append: ls(x, m) * ls(m, y) |- ls(x, y)
//! }
//! shape nls extends ls
//!   | self |-> { down: 0 }
//!   | self |-> { down: d } * ls(d, 0)
//! ```
//!
//! `x.next` is the address of the field `next` of the cell `x`.

pub mod ast;
pub mod token;

#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, clippy::unwrap_used)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/shape.rs"));
}

use crate::SyntaxError;
use crate::error::Alternatives;
use ast::{Formula, Judgment, ShapeFile};
use token::tokens;

/// Parses the text of a `.shape` file.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse_file(text: &str) -> Result<ShapeFile, SyntaxError> {
    grammar::ShapeFileParser::new()
        .parse(tokens(text))
        .map_err(|error| SyntaxError::of_parser(error, text, ("text", Alternatives::Told)))
}

/// Parses one assertion, such as `k > 1 & ls[k](x, 0)`.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse_formula(text: &str) -> Result<Formula, SyntaxError> {
    grammar::FormulaParser::new()
        .parse(tokens(text))
        .map_err(|error| SyntaxError::of_parser(error, text, ("text", Alternatives::Told)))
}

/// Parses one entailment judgment, such as `ls[k](x, y) |- ls[k](x, y)`.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse_judgment(text: &str) -> Result<Judgment, SyntaxError> {
    grammar::JudgmentParser::new()
        .parse(tokens(text))
        .map_err(|error| SyntaxError::of_parser(error, text, ("text", Alternatives::Told)))
}
