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

use crate::SyntaxError;
use crate::error::Alternatives;
use token::tokens;

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

/// Parses a whole file.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse(text: &str) -> Result<tree::File, SyntaxError> {
    grammar::FileParser::new()
        .parse(tokens(text))
        .map_err(|error| SyntaxError::of_parser(error, text, ("text", Alternatives::Untold)))
}
