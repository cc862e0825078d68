//! T2's text format of transition systems.
//!
//! ```text
//! START: 0;
//!
//! FROM: 0;
//!   x := nondet();
//!   assume(x > 0);
//! TO: 1;
//! ```

pub mod token;
pub mod tree;

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
    include!(concat!(env!("OUT_DIR"), "/t2.rs"));
}

/// How deep parentheses may nest. A fixed limit, so that a hostile text ends in a
/// message and not in an exhausted stack.
pub const MAXIMUM_DEPTH: usize = 300;

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

/// Parses a whole file.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse(text: &str) -> Result<tree::File, SyntaxError> {
    grammar::FileParser::new().parse(tokens(text)).map_err(|error| describe(text, error))
}

type RawError<'t> = lalrpop_util::ParseError<usize, Token<'t>, LexError>;

fn describe(text: &str, error: RawError<'_>) -> SyntaxError {
    use lalrpop_util::ParseError as Raw;
    let at = |message: String, start, end| SyntaxError { message, start, end };
    match error {
        Raw::UnrecognizedEof { .. } => {
            at("the text ends too early".to_owned(), text.len(), text.len())
        }
        Raw::InvalidToken { location } => at("no token".to_owned(), location, location + 1),
        Raw::UnrecognizedToken { token: (start, _, end), .. }
        | Raw::ExtraToken { token: (start, _, end) } => {
            let what = text.get(start..end).unwrap_or_default();
            at(format!("`{what}` is not expected here"), start, end)
        }
        Raw::User { error } => at(error.message.to_owned(), error.start, error.end),
    }
}
