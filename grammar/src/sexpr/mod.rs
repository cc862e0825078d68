//! S-expressions, as SMT-LIB writes them: `(assert (= x (+ y 1)))`.

pub mod token;

use token::{LexError, Token, tokens};

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

/// What is wrong with a text, and where: byte offsets, end exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong, as a sentence without its full stop.
    pub message: String,
    /// Offset of the first byte concerned.
    pub start: usize,
    /// Offset after the last byte concerned.
    pub end: usize,
}

/// Parses a text that consists of expressions.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse(text: &str) -> Result<Vec<Node>, SyntaxError> {
    grammar::FileParser::new().parse(tokens(text)).map_err(|error| describe(text, error))
}

type RawError<'t> = lalrpop_util::ParseError<usize, Token<'t>, LexError>;

fn describe(text: &str, error: RawError<'_>) -> SyntaxError {
    use lalrpop_util::ParseError as Raw;
    let at = |message: &str, start, end| SyntaxError { message: message.to_owned(), start, end };
    match error {
        Raw::UnrecognizedEof { .. } => at("a parenthesis is not closed", text.len(), text.len()),
        Raw::InvalidToken { location } => at("no token", location, location + 1),
        Raw::UnrecognizedToken { token: (start, _, end), .. }
        | Raw::ExtraToken { token: (start, _, end) } => {
            at("this parenthesis closes nothing", start, end)
        }
        Raw::User { error } => at(error.message, error.start, error.end),
    }
}
