//! Tokens of T2's format.

use super::MAXIMUM_DEPTH;
use crate::SyntaxError;
use logos::Logos;

/// A token; names borrow from the text.
#[derive(Clone, Debug, PartialEq, Logos)]
#[logos(skip r"[ \t\r\n]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub enum Token<'t> {
    /// A name.
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$.^']*", |lexer| lexer.slice())]
    Name(&'t str),
    /// A number.
    #[regex(r"[0-9]+", |lexer| lexer.slice())]
    Number(&'t str),
    /// A text in quotes.
    #[regex("\"[^\"]*\"")]
    Text,
    /// `START`
    #[token("START")]
    Start,
    /// `CUTPOINT`
    #[token("CUTPOINT")]
    Cutpoint,
    /// `FROM`
    #[token("FROM")]
    From,
    /// `TO`
    #[token("TO")]
    To,
    /// `AT`
    #[token("AT")]
    At,
    /// `assume`
    #[token("assume")]
    Assume,
    /// `nondet`
    #[token("nondet")]
    Nondet,
    /// `(`
    #[token("(")]
    Open,
    /// `)`
    #[token(")")]
    Close,
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `:=`
    #[token(":=")]
    Assign,
    /// `:`
    #[token(":")]
    Colon,
    /// `||`
    #[token("||")]
    Or,
    /// `&&`
    #[token("&&")]
    And,
    /// `!`
    #[token("!")]
    Not,
    /// `==`, or `=`
    #[token("==")]
    #[token("=")]
    Equal,
    /// `!=`
    #[token("!=")]
    NotEqual,
    /// `<=`
    #[token("<=")]
    LessEqual,
    /// `>=`
    #[token(">=")]
    GreaterEqual,
    /// `<`
    #[token("<")]
    Less,
    /// `>`
    #[token(">")]
    Greater,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
}

/// Longer chains of operators are refused: the tree of a chain is as deep.
const LONGEST_CHAIN: usize = 400;

/// The token stream of a text, with byte offsets.
pub fn tokens(text: &str) -> impl Iterator<Item = Result<(usize, Token<'_>, usize), SyntaxError>> {
    let (mut depth, mut chain) = (0_usize, 0_usize);
    Token::lexer(text).spanned().map(move |(token, range)| {
        let error = |message: &str| Err(SyntaxError::new(message, range.clone()));
        let Ok(token) = token else { return error("this is no token of T2's format") };
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Semicolon => chain = 0,
            Token::Name(_) | Token::Number(_) => {}
            _ => chain += 1,
        }
        if depth > MAXIMUM_DEPTH || chain > LONGEST_CHAIN {
            return error("the expression nests too deep here");
        }
        Ok((range.start, token, range.end))
    })
}
