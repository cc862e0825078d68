//! S-expressions, as SMT-LIB writes them: `(assert (= x (+ y 1)))`.

pub mod token;

use crate::SyntaxError;
use crate::error::Alternatives;
use lalrpop_util::ParseError;
use token::{Token, tokens};

#[allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    reason = "generated code"
)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/sexpr.rs"));
}

/// How deep lists may nest. A fixed limit, so that a hostile text ends in a message
/// and not in an exhausted stack.
pub const MAXIMUM_DEPTH: usize = 600;

/// An expression with its place: byte offsets, the end exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub tree: Tree,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last one.
    pub end: usize,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A name; without the bars if it was quoted.
    Symbol(String),
    /// A numeral, as digits.
    Number(String),
    /// Expressions in parentheses.
    List(Vec<Node>),
}

/// Parses a text that consists of expressions.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse(text: &str) -> Result<Vec<Node>, SyntaxError> {
    grammar::FileParser::new().parse(tokens(text)).map_err(|error| describe(text, error))
}

/// Parentheses are all that can be wrong.
fn describe(text: &str, error: ParseError<usize, Token<'_>, SyntaxError>) -> SyntaxError {
    match error {
        ParseError::UnrecognizedEof { .. } => {
            SyntaxError::new("a parenthesis is not closed", text.len()..text.len())
        }
        ParseError::UnrecognizedToken { token: (start, _, end), .. }
        | ParseError::ExtraToken { token: (start, _, end) } => {
            SyntaxError::new("this parenthesis closes nothing", start..end)
        }
        other => SyntaxError::of_parser(other, text, ("text", Alternatives::Untold)),
    }
}
