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

use ast::{Formula, Judgment, ShapeFile};
use lalrpop_util::ParseError;
use token::{LexError, Token, tokens};

/// A syntax error in a shape file or an assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What was wrong.
    pub message: String,
    /// Byte offset of the first offending character.
    pub start: usize,
    /// Byte offset behind the last one.
    pub end: usize,
}

/// Parses the text of a `.shape` file.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse_file(text: &str) -> Result<ShapeFile, SyntaxError> {
    grammar::ShapeFileParser::new().parse(tokens(text)).map_err(|error| describe(text, error))
}

/// Parses one assertion, such as `k > 1 & ls[k](x, 0)`.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse_formula(text: &str) -> Result<Formula, SyntaxError> {
    grammar::FormulaParser::new().parse(tokens(text)).map_err(|error| describe(text, error))
}

/// Parses one entailment judgment, such as `ls[k](x, y) |- ls[k](x, y)`.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse_judgment(text: &str) -> Result<Judgment, SyntaxError> {
    grammar::JudgmentParser::new().parse(tokens(text)).map_err(|error| describe(text, error))
}

fn describe(text: &str, error: ParseError<usize, Token<'_>, LexError>) -> SyntaxError {
    let at = |message: String, start: usize, end: usize| SyntaxError { message, start, end };
    match error {
        ParseError::InvalidToken { location } => {
            at("unexpected character".to_owned(), location, location + 1)
        }
        ParseError::UnrecognizedEof { location, expected } => at(
            format!("unexpected end of text; expected {}", expected.join(", ")),
            location,
            text.len(),
        ),
        ParseError::UnrecognizedToken { token: (start, token, end), expected } => {
            at(format!("unexpected `{token}`; expected {}", expected.join(", ")), start, end)
        }
        ParseError::ExtraToken { token: (start, token, end) } => {
            at(format!("unexpected `{token}` after the end"), start, end)
        }
        ParseError::User { error } => at(error.message.to_owned(), error.start, error.end),
    }
}
