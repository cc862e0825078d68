//! Tokens of S-expressions.

use super::MAXIMUM_DEPTH;
use crate::SyntaxError;
use logos::Logos;

/// A token; names borrow from the text.
#[derive(Clone, Debug, PartialEq, Logos)]
#[logos(skip r"[ \t\r\n]+")]
#[logos(skip(r";[^\n]*", allow_greedy = true))]
pub enum Token<'t> {
    /// A name, a keyword, or a string; bars around a name are taken off.
    #[regex(r"[A-Za-z~!@$%^&*_+=<>.?/:'-][A-Za-z0-9~!@$%^&*_+=<>.?/:'-]*", |lexer| lexer.slice())]
    #[regex(r"\|[^|\\]*\|", |lexer| lexer.slice().trim_matches('|'))]
    #[regex("\"[^\"]*\"", |lexer| lexer.slice())]
    Symbol(&'t str),
    /// A numeral.
    #[regex(r"[0-9]+", |lexer| lexer.slice())]
    Number(&'t str),
    /// `(`
    #[token("(")]
    Open,
    /// `)`
    #[token(")")]
    Close,
}

/// The token stream of a text, with byte offsets.
pub fn tokens(text: &str) -> impl Iterator<Item = Result<(usize, Token<'_>, usize), SyntaxError>> {
    let mut depth = 0_usize;
    Token::lexer(text).spanned().map(move |(token, range)| {
        let error = |message: &str| Err(SyntaxError::new(message, range.clone()));
        let Ok(token) = token else { return error("this is no token of SMT-LIB") };
        match token {
            Token::Open if depth >= MAXIMUM_DEPTH => return error("lists nest too deep here"),
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Symbol(_) | Token::Number(_) => {}
        }
        Ok((range.start, token, range.end))
    })
}
