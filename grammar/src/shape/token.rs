//! Tokens of the assertion language.

use std::fmt;

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

impl fmt::Display for Token<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fixed = match self {
            Self::Doc(text) => return write!(out, "///{text}"),
            Self::Name(name) => return out.write_str(name),
            Self::Number(value) => return write!(out, "{value}"),
            Self::Shape => "shape",
            Self::Extends => "extends",
            Self::Unfold => "unfold",
            Self::Lemma => "lemma",
            Self::Emp => "emp",
            Self::Junk => "junk",
            Self::PointsTo => "|->",
            Self::Entails => "|-",
            Self::EntailsNot => "|/-",
            Self::Bar => "|",
            Self::OpenParen => "(",
            Self::CloseParen => ")",
            Self::OpenBracket => "[",
            Self::CloseBracket => "]",
            Self::OpenBrace => "{",
            Self::CloseBrace => "}",
            Self::Comma => ",",
            Self::Colon => ":",
            Self::Star => "*",
            Self::And => "&",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        };
        out.write_str(fixed)
    }
}

/// A text that is no token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexError {
    /// What is wrong with it.
    pub message: &'static str,
    /// Byte offset of its first character.
    pub start: usize,
    /// Byte offset behind its last one.
    pub end: usize,
}

/// The token stream of a text, with byte offsets.
pub fn tokens(text: &str) -> impl Iterator<Item = Result<(usize, Token<'_>, usize), LexError>> {
    Token::lexer(text).spanned().map(|(token, range)| match token {
        Ok(token) => Ok((range.start, token, range.end)),
        Err(()) => Err(LexError {
            message: "this is no token of the assertion language",
            start: range.start,
            end: range.end,
        }),
    })
}
