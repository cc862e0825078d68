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

use token::Token;

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

/// What is wrong with a text, and where: byte offsets, end exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Offset of the first byte concerned.
    pub start: usize,
    /// Offset after the last byte concerned.
    pub end: usize,
    /// What is wrong, as a sentence without its full stop.
    pub message: String,
}

/// A problem met inside a grammar action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ActionError {
    TooDeep { start: usize, end: usize },
}

/// Parses a whole `.goto` text.
///
/// # Errors
/// All lexical errors, or else the first syntax error.
pub fn parse(text: &str) -> Result<tree::File, Vec<SyntaxError>> {
    let tokens = token::tokens(text)?;
    grammar::rules::FileParser::new()
        .parse(tokens)
        .map_err(|error| vec![describe(error, text.len())])
}

type RawError = lalrpop_util::ParseError<usize, Token, ActionError>;

fn describe(error: RawError, text_length: usize) -> SyntaxError {
    use lalrpop_util::ParseError as Raw;
    let (start, end, message) = match error {
        Raw::InvalidToken { location } => (location, location + 1, "no token".to_owned()),
        Raw::UnrecognizedEof { expected, .. } => {
            let message = format!("the text ends too early; expected {}", list(&expected));
            (text_length, text_length, message)
        }
        Raw::UnrecognizedToken { token: (start, token, end), expected } => {
            (start, end, format!("unexpected {token}; expected {}", list(&expected)))
        }
        Raw::ExtraToken { token: (start, token, end) } => {
            (start, end, format!("unexpected {token} after the end"))
        }
        Raw::User { error: ActionError::TooDeep { start, end } } => {
            (start, end, format!("the expression nests deeper than {MAXIMUM_DEPTH} levels"))
        }
    };
    SyntaxError { start, end, message }
}

/// `a`, `a or b`, `a, b or c`; long lists are cut.
fn list(expected: &[String]) -> String {
    const SHOWN: usize = 8;
    let plain = |name: &String| name.replace('"', "`");
    match expected {
        [] => "nothing".to_owned(),
        [only] => plain(only),
        _ if expected.len() > SHOWN => "something else".to_owned(),
        [init @ .., last] => {
            let init: Vec<String> = init.iter().map(plain).collect();
            format!("{} or {}", init.join(", "), plain(last))
        }
    }
}
