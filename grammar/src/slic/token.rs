//! Tokens of specifications.

use crate::SyntaxError;
use logos::{Lexer, Logos};

/// A token; names borrow from the text.
#[derive(Clone, Debug, PartialEq, Logos)]
#[logos(skip r"[ \t\r\n;]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip r"/\*([^*]|\*+[^*/])*\*+/")]
pub enum Token<'t> {
    /// `state`
    #[token("state")]
    State,
    /// `fairness`
    #[token("fairness")]
    Fairness,
    /// `any`
    #[token("any")]
    Any,
    /// `entry`
    #[token("entry")]
    Entry,
    /// `exit`
    #[token("exit")]
    Exit,
    /// A name.
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*", |lexer| lexer.slice())]
    Name(&'t str),
    /// `.`
    #[token(".")]
    Dot,
    /// Braces with all that stands between them: C, or the parts of a fairness constraint.
    #[token("{", braces)]
    Braces(&'t str),
}

/// Goes on to the brace that closes the one just read. Braces in comments and quotes do not
/// count.
fn braces<'t>(lexer: &mut Lexer<'t, Token<'t>>) -> Option<&'t str> {
    let rest = lexer.remainder();
    let bytes = rest.as_bytes();
    let (mut depth, mut at) = (1_usize, 0);
    while at < bytes.len() {
        let comment_end = if rest[at..].starts_with("//") {
            Some("\n")
        } else if rest[at..].starts_with("/*") {
            Some("*/")
        } else {
            None
        };
        if let Some(end) = comment_end {
            at += rest[at + 2..].find(end).map_or(rest.len(), |found| 2 + found + end.len());
            continue;
        }
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            _ => {}
        }
        at += 1;
        while at < bytes.len() && !rest.is_char_boundary(at) {
            at += 1;
        }
        if depth == 0 {
            lexer.bump(at);
            return Some(lexer.slice());
        }
    }
    None
}

/// The token stream of a specification, with byte offsets.
pub fn tokens(text: &str) -> impl Iterator<Item = Result<(usize, Token<'_>, usize), SyntaxError>> {
    Token::lexer(text).spanned().map(|(token, range)| match token {
        Ok(token) => Ok((range.start, token, range.end)),
        Err(()) => {
            let is_open = text[range.start..].starts_with('{');
            let message = if is_open {
                "this brace is not closed"
            } else {
                "this is no word of a specification"
            };
            Err(SyntaxError::new(message, range))
        }
    })
}
