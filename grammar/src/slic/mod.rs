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

use crate::SyntaxError;
use crate::error::Alternatives;
use token::tokens;
use tree::{Rule, Specification, Text};

/// Parses a specification.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse(text: &str) -> Result<Specification, SyntaxError> {
    grammar::SpecificationParser::new().parse(tokens(text)).map_err(|error| {
        SyntaxError::of_parser(error, text, ("specification", Alternatives::Untold))
    })
}

/// Parses what stands between the braces of a fairness constraint: two patterns with
/// expressions.
///
/// # Errors
/// The first [`SyntaxError`], at its place in the specification.
pub fn parse_constraint(inner: &Text) -> Result<(Rule, Rule), SyntaxError> {
    let parsed = grammar::ConstraintParser::new().parse(tokens(&inner.text));
    let (mut p, mut q) = parsed.map_err(|error| {
        let error =
            SyntaxError::of_parser(error, &inner.text, ("constraint", Alternatives::Untold));
        let (start, end) = (error.start + inner.start, error.end + inner.start);
        SyntaxError { start, end, ..error }
    })?;
    for rule in [&mut p, &mut q] {
        rule.body.start += inner.start;
        if let tree::Pattern::Function { start, .. } = &mut rule.pattern {
            *start += inner.start;
        }
    }
    Ok((p, q))
}
