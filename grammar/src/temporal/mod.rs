//! Formulas of temporal logic: of linear time (LTL), and of branching time (CTL).
//!
//! ```text
//! G(request == 1 -> F answer == 1)       [](AP(request == 1) ==> <>(AP(answer == 1)))
//! "p->state == 0" U G("p->state > 0")    a == 1 W GF(b == 1)
//!
//! AG(request == 1 -> AF answer == 1)     [AG](request != 1 || [AF](answer == 1))
//! E[size >= 0 U closed == 1]             A G(E F("p->state == 0")); fairness (a == 1, b == 1)
//! ```
//!
//! Atoms are C expressions. What is more than names, numbers, comparisons and sums stands
//! between quotation marks (see [`crate::quoted`]). Operators between formulas bind, the weakest
//! first: `<->`; `->`; in linear time `U`, `W`, `R`; `||`; `&&`. Operators before formulas (`!`,
//! `G`, `F`, `X`, in branching time behind `A` or `E`) bind stronger than these, and weaker than
//! those of C. In branching time `U` and `W` stand between brackets behind `A` or `E`.

pub mod token;
pub mod tree;

#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, clippy::unwrap_used)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/temporal.rs"));
}

use crate::SyntaxError;
use crate::error::Alternatives;
use lalrpop_util::ParseError;
use token::{Placed, Token, tokens};
use tree::{Formula, Part};

/// Of which logic a formula is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// LTL: operators speak of the one run.
    Linear,
    /// CTL: each operator says of which runs it speaks.
    Branching,
}

/// Parses a formula.
///
/// # Errors
/// The first [`SyntaxError`].
pub fn parse(text: &str, logic: Logic) -> Result<Formula, SyntaxError> {
    let tokens = tokens(text, logic)?;
    grammar::FormulaParser::new()
        .parse(logic, tokens.into_iter().map(Ok::<Placed<'_>, SyntaxError>))
        .map_err(|error| SyntaxError::of_parser(error, text, ("formula", Alternatives::Untold)))
}

/// What an action of the grammar says.
type Action<'t, T> = Result<T, ParseError<usize, Token<'t>, SyntaxError>>;

fn action<'t, T>(result: Result<T, SyntaxError>) -> Action<'t, T> {
    result.map_err(|error| ParseError::User { error })
}

/// Two expressions with a C operator between them.
fn compared<'t>(left: Part, right: Part) -> Action<'t, Part> {
    action(left.compared(right))
}

#[cfg(test)]
mod tests;
