//! What is wrong with a text, and where.

use lalrpop_util::ParseError;
use std::ops::Range;

/// A syntax error: of formulas, shapes, specifications, goto programs and transition systems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong, as a sentence without its full stop.
    pub message: String,
    /// Byte offset of the first character concerned.
    pub start: usize,
    /// Byte offset behind the last one.
    pub end: usize,
}

/// Whether it is said what might stand where something is wrong. Where operators have levels, the
/// parser has left the inner ones when it notices: it would name the outer ones only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alternatives {
    Told,
    Untold,
}

/// Longer lists of what might stand at a place help nobody.
const MOST_EXPECTED: usize = 8;
/// Longer tokens are cut.
const MOST_CHARACTERS: usize = 30;

impl SyntaxError {
    pub(crate) fn new(message: impl Into<String>, at: Range<usize>) -> Self {
        Self { message: message.into(), start: at.start, end: at.end }
    }

    /// The error of a parser that read a `text`: a whole, such as "formula".
    pub(crate) fn of_parser<T>(
        error: ParseError<usize, T, Self>,
        text: &str,
        (whole, alternatives): (&str, Alternatives),
    ) -> Self {
        let list = |expected: &[String]| match alternatives {
            Alternatives::Told => list(expected),
            Alternatives::Untold => String::new(),
        };
        match error {
            ParseError::User { error } => error,
            ParseError::InvalidToken { location } => {
                Self::new("unexpected character", location..location + 1)
            }
            ParseError::UnrecognizedEof { expected, .. } => {
                let message = format!("the {whole} ends too early{}", list(&expected));
                Self::new(message, text.len()..text.len())
            }
            ParseError::UnrecognizedToken { token: (start, _, end), expected } => {
                let message = format!("unexpected {}{}", shown(&text[start..end]), list(&expected));
                Self::new(message, start..end)
            }
            ParseError::ExtraToken { token: (start, _, end) } => {
                let message = format!("unexpected {} after the end", shown(&text[start..end]));
                Self::new(message, start..end)
            }
        }
    }
}

/// A token between quotation marks, or its beginning.
fn shown(token: &str) -> String {
    let line = token.lines().next().unwrap_or_default();
    let short: String = line.chars().take(MOST_CHARACTERS).collect();
    let dots = if short.len() < token.len() { "..." } else { "" };
    format!("`{short}{dots}`")
}

/// `; expected a`, `; expected a or b`, `; expected a, b or c`; nothing for long lists.
fn list(expected: &[String]) -> String {
    let plain = |name: &String| name.replace('"', "`");
    match expected {
        [] => String::new(),
        _ if expected.len() > MOST_EXPECTED => String::new(),
        [only] => format!("; expected {}", plain(only)),
        [init @ .., last] => {
            let init: Vec<String> = init.iter().map(plain).collect();
            format!("; expected {} or {}", init.join(", "), plain(last))
        }
    }
}
