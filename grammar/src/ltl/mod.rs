//! Formulas of linear temporal logic.
//!
//! ```text
//! G(request == 1 -> F answer == 1)       [](AP(request == 1) ==> <>(AP(answer == 1)))
//! "p->state == 0" U G("p->state > 0")
//! ```
//!
//! Atoms are C expressions. What is more than names, numbers, comparisons and sums stands
//! between quotation marks (see [`crate::quoted`]). Binary operators bind, the weakest first: `<->`; `->`; `U`, `W`, `R`;
//! `||`; `&&`. The operators `!`, `G`, `F`, `X` bind stronger than these, and weaker than those
//! of C.

pub mod token;
pub mod tree;

#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, clippy::unwrap_used)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/ltl.rs"));
}

use lalrpop_util::ParseError;
use token::{LexError, Token, tokens};
use tree::{Part, Tree};

/// A syntax error in a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What was wrong.
    pub message: String,
    /// Byte offset of the first offending character.
    pub start: usize,
    /// Byte offset behind the last one.
    pub end: usize,
}

/// A formula has no more tokens, so that it is not deep either.
const MOST_TOKENS: usize = 2_000;

/// Parses a formula.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse(text: &str) -> Result<Tree, SyntaxError> {
    let n_operators = |token: Result<(usize, Token<'_>, usize), LexError>| match token {
        Ok((_, Token::Modalities(word), _)) => word.len(),
        _ => 1,
    };
    if tokens(text).map(n_operators).sum::<usize>() > MOST_TOKENS {
        let message = format!("a formula has at most {MOST_TOKENS} words and signs");
        return Err(SyntaxError { message, start: 0, end: text.len() });
    }
    grammar::FormulaParser::new().parse(tokens(text)).map_err(|error| describe(text, error))
}

/// Two expressions with a C operator between them.
fn compared<'t>(left: Part, right: Part) -> Result<Part, ParseError<usize, Token<'t>, LexError>> {
    match (left, right) {
        (Part::C(start, _), Part::C(_, end)) => Ok(Part::C(start, end)),
        (Part::Formula(tree), _) | (_, Part::Formula(tree)) => {
            let (start, end) = tree.extent();
            Err(ParseError::User { error: LexError { start, end } })
        }
    }
}

fn describe(text: &str, error: ParseError<usize, Token<'_>, LexError>) -> SyntaxError {
    let at = |message: String, start: usize, end: usize| SyntaxError { message, start, end };
    match error {
        ParseError::InvalidToken { location } => {
            at("unexpected character".to_owned(), location, location + 1)
        }
        ParseError::UnrecognizedEof { location, .. } => {
            at("the formula ends too early".to_owned(), location, text.len())
        }
        ParseError::UnrecognizedToken { token: (start, token, end), .. }
        | ParseError::ExtraToken { token: (start, token, end) } => {
            at(format!("unexpected `{token}`"), start, end)
        }
        ParseError::User { error: LexError { start, end } } => {
            at("this is no C expression: put one between quotation marks".to_owned(), start, end)
        }
    }
}
