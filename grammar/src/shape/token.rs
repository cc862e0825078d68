//! Tokens of the assertion language.

use crate::SyntaxError;
use logos::Logos;

/// A token; names borrow from the text.
#[derive(Clone, Debug, PartialEq, Logos)]
#[logos(skip r"[ \t\r\n]+")]
#[logos(skip(r"//[^/\n][^\n]*|//\n", allow_greedy = true))]
pub enum Token<'t> {
    /// A line of documentation, without its slashes.
    #[regex(r"///[^\n]*", |lexer| &lexer.slice()[3..], allow_greedy = true)]
    Doc(&'t str),
    /// A name; primes are allowed, as in the papers. With a label behind a dot it
    /// is the place of that field.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*'*(\.[A-Za-z_][A-Za-z0-9_]*)?", |lexer| lexer.slice())]
    Name(&'t str),
    /// A number.
    #[regex(r"[0-9]+", |lexer| lexer.slice().parse::<i64>().ok())]
    Number(i64),
    /// `shape`
    #[token("shape")]
    Shape,
    /// `extends`
    #[token("extends")]
    Extends,
    /// `unfold`
    #[token("unfold")]
    Unfold,
    /// `lemma`
    #[token("lemma")]
    Lemma,
    /// `emp`
    #[token("emp")]
    Emp,
    /// `junk`
    #[token("junk")]
    Junk,
    /// `|->`
    #[token("|->")]
    PointsTo,
    /// `|-`
    #[token("|-")]
    Entails,
    /// `|/-`
    #[token("|/-")]
    EntailsNot,
    /// `|`
    #[token("|")]
    Bar,
    /// `(`
    #[token("(")]
    OpenParen,
    /// `)`
    #[token(")")]
    CloseParen,
    /// `[`
    #[token("[")]
    OpenBracket,
    /// `]`
    #[token("]")]
    CloseBracket,
    /// `{`
    #[token("{")]
    OpenBrace,
    /// `}`
    #[token("}")]
    CloseBrace,
    /// `,`
    #[token(",")]
    Comma,
    /// `:`
    #[token(":")]
    Colon,
    /// `*`
    #[token("*")]
    Star,
    /// `&`
    #[token("&")]
    And,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `=`
    #[token("=")]
    Equal,
    /// `!=`
    #[token("!=")]
    NotEqual,
    /// `<`
    #[token("<")]
    Less,
    /// `<=`
    #[token("<=")]
    LessEqual,
    /// `>`
    #[token(">")]
    Greater,
    /// `>=`
    #[token(">=")]
    GreaterEqual,
}

/// The token stream of a text, with byte offsets.
pub fn tokens(text: &str) -> impl Iterator<Item = Result<(usize, Token<'_>, usize), SyntaxError>> {
    Token::lexer(text).spanned().map(|(token, range)| match token {
        Ok(token) => Ok((range.start, token, range.end)),
        Err(()) => Err(SyntaxError::new("this is no token of the assertion language", range)),
    })
}
