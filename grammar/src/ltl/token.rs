//! Tokens of formulas of linear temporal logic.

use std::fmt;

use logos::Logos;

/// A token; names and numbers borrow from the text.
#[derive(Clone, Debug, PartialEq, Logos)]
#[logos(skip r"[ \t\r\n]+")]
pub enum Token<'t> {
    /// A C expression between quotation marks, without them.
    #[regex(r#""[^"\n]*""#, |lexer| &lexer.slice()[1..lexer.slice().len() - 1])]
    Quoted(&'t str),
    /// A name; with a function before it, that of a variable which is local there.
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*(::[A-Za-z_$][A-Za-z0-9_$]*)?", |lexer| lexer.slice())]
    Name(&'t str),
    /// A number or a character, as C writes it.
    #[regex(r"[0-9][0-9A-Za-z_.]*|'([^'\\\n]|\\[^\n])*'", |lexer| lexer.slice())]
    Number(&'t str),
    /// Several of `G`, `F` and `X` in a word, such as `GF`
    #[regex("[GFX][GFX]+", |lexer| lexer.slice(), priority = 11)]
    Modalities(&'t str),
    /// `G`, `[]`
    #[token("G", priority = 10)]
    #[token("[]")]
    Always,
    /// `F`, `<>`
    #[token("F", priority = 10)]
    #[token("<>")]
    Eventually,
    /// `X`
    #[token("X", priority = 10)]
    Next,
    /// `AP`
    #[token("AP", priority = 10)]
    Atom,
    /// `U`, behind an operand
    #[token("U", priority = 10)]
    Until,
    /// `W`, behind an operand
    #[token("W", priority = 10)]
    WeakUntil,
    /// `R`, behind an operand
    #[token("R", priority = 10)]
    Release,
    /// `<->`, `<=>`, `<==>`
    #[token("<->")]
    #[token("<=>")]
    #[token("<==>")]
    Iff,
    /// `=>`, `==>`
    #[token("=>")]
    #[token("==>")]
    Implies,
    /// `->`: implication; members stand between quotation marks
    #[token("->")]
    Arrow,
    /// `&&`, `/\`
    #[token("&&")]
    #[token(r"/\")]
    And,
    /// `||`, `\/`
    #[token("||")]
    #[token(r"\/")]
    Or,
    /// `!`
    #[token("!")]
    Not,
    /// `(`
    #[token("(")]
    Open,
    /// `)`
    #[token(")")]
    Close,
    /// `[`
    #[token("[")]
    OpenBracket,
    /// `]`
    #[token("]")]
    CloseBracket,
    /// `.`
    #[token(".")]
    Dot,
    /// `==`, `!=`
    #[token("==", |lexer| lexer.slice())]
    #[token("!=", |lexer| lexer.slice())]
    Equality(&'t str),
    /// `<`, `<=`, `>`, `>=`
    #[token("<", |lexer| lexer.slice())]
    #[token("<=", |lexer| lexer.slice())]
    #[token(">", |lexer| lexer.slice())]
    #[token(">=", |lexer| lexer.slice())]
    Order(&'t str),
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `/`, `%`
    #[token("/", |lexer| lexer.slice())]
    #[token("%", |lexer| lexer.slice())]
    Divide(&'t str),
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fixed = match self {
            Self::Quoted(text) => return write!(out, "\"{text}\""),
            Self::Name(text)
            | Self::Modalities(text)
            | Self::Number(text)
            | Self::Equality(text)
            | Self::Order(text)
            | Self::Divide(text) => text,
            Self::Always => "G",
            Self::Eventually => "F",
            Self::Next => "X",
            Self::Atom => "AP",
            Self::Until => "U",
            Self::WeakUntil => "W",
            Self::Release => "R",
            Self::Iff => "<->",
            Self::Implies => "=>",
            Self::Arrow => "->",
            Self::And => "&&",
            Self::Or => "||",
            Self::Not => "!",
            Self::Open => "(",
            Self::Close => ")",
            Self::OpenBracket => "[",
            Self::CloseBracket => "]",
            Self::Dot => ".",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Star => "*",
        };
        out.write_str(fixed)
    }
}

/// A text that is no token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexError {
    /// Byte offset of its first character.
    pub start: usize,
    /// Byte offset behind its last one.
    pub end: usize,
}

/// The token stream of a formula, with byte offsets.
pub fn tokens(text: &str) -> impl Iterator<Item = Result<(usize, Token<'_>, usize), LexError>> {
    Token::lexer(text).spanned().map(|(token, range)| match token {
        Ok(token) => Ok((range.start, token, range.end)),
        Err(()) => Err(LexError { start: range.start, end: range.end }),
    })
}
