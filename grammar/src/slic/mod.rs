//! Specifications of liveness and safety (Cook, Gotsman, Podelski, Rybalchenko and Vardi,
//! POPL'07, Fig. 1, after SLIC).
//!
//! ```text
//! state { int level = -1; }
//! raise.entry { if (level == -1) { level = $1; set(); } }
//! lower.entry { if ($1 == level) { unset(); } level = -1; }
//! fairness { read.exit { 1 } read.exit { $return != 0 } }
//! ```

pub mod token;
pub mod tree;

#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, clippy::unwrap_used)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/slic.rs"));
}

use lalrpop_util::ParseError;
use token::{LexError, Token, tokens};
use tree::{Rule, Specification, Text};

/// A syntax error in a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What was wrong.
    pub message: String,
    /// Byte offset of the first offending character.
    pub start: usize,
    /// Byte offset behind the last one.
    pub end: usize,
}

/// Parses a specification.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse(text: &str) -> Result<Specification, SyntaxError> {
    grammar::SpecificationParser::new()
        .parse(tokens(text))
        .map_err(|error| describe(text, 0, error))
}

/// Parses what stands between the braces of a fairness constraint: two patterns with
/// expressions.
///
/// # Errors
/// The first [`SyntaxError`], at its place in the specification.
pub fn parse_constraint(inner: &Text) -> Result<(Rule, Rule), SyntaxError> {
    let parsed = grammar::ConstraintParser::new().parse(tokens(&inner.text));
    let (mut p, mut q) = parsed.map_err(|error| describe(&inner.text, inner.start, error))?;
    for rule in [&mut p, &mut q] {
        rule.body.start += inner.start;
        if let tree::Pattern::Function { start, .. } = &mut rule.pattern {
            *start += inner.start;
        }
    }
    Ok((p, q))
}

fn describe(
    text: &str,
    offset: usize,
    error: ParseError<usize, Token<'_>, LexError>,
) -> SyntaxError {
    let at = |message: String, start: usize, end: usize| SyntaxError {
        message,
        start: start + offset,
        end: end + offset,
    };
    match error {
        ParseError::InvalidToken { location } => {
            at("unexpected character".to_owned(), location, location + 1)
        }
        ParseError::UnrecognizedEof { location, .. } => {
            at("the specification ends too early".to_owned(), location, text.len())
        }
        ParseError::UnrecognizedToken { token: (start, token, end), .. }
        | ParseError::ExtraToken { token: (start, token, end) } => {
            at(format!("unexpected `{token}`"), start, end)
        }
        ParseError::User { error: LexError { start, end } } => {
            let what = if text[start..].starts_with('{') {
                "this brace is not closed"
            } else {
                "this is no word of a specification"
            };
            at(what.to_owned(), start, end)
        }
    }
}
