//! The `.goto` text: the papers' small language of goto programs, widened to
//! what C needs. Tokens, syntax tree and grammar; names are resolved elsewhere.
//!
//! ```text
//! global head: ptr
//! procedure main() -> i32 requires "emp" {
//!   local n: i32, p: ptr
//! start:
//!   n := input "nondet"
//!   p := allocate heap 16
//!   [p + 8 : ptr] := 0
//!   if n > 0 goto start else done
//! done:
//!   return 0
//! }
//! entry main
//! ```

pub mod token;
pub mod tree;

use crate::SyntaxError;
use crate::error::Alternatives;

#[allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    reason = "generated code"
)]
mod grammar {
    lalrpop_util::lalrpop_mod!(pub(super) rules, "/goto.rs");
}

/// How deep expressions may nest. A fixed limit, so that a hostile text ends in
/// a message and not in an exhausted stack.
pub const MAXIMUM_DEPTH: u32 = 500;

/// Parses a whole `.goto` text.
///
/// # Errors
/// All lexical errors, or else the first syntax error.
pub fn parse(text: &str) -> Result<tree::File, Vec<SyntaxError>> {
    let tokens = token::tokens(text)?;
    grammar::rules::FileParser::new()
        .parse(tokens)
        .map_err(|error| vec![SyntaxError::of_parser(error, text, ("text", Alternatives::Told))])
}
