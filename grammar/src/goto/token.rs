//! Tokens of the `.goto` text.

use crate::SyntaxError;
use logos::Logos;
/// A token.
#[derive(Logos, Clone, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f]+", skip(r"//[^\n]*", allow_greedy = true))]
#[allow(missing_docs, reason = "each variant is its text")]
pub enum Token {
    #[token("global")]
    Global,
    #[token("procedure")]
    Procedure,
    #[token("local")]
    Local,
    #[token("entry")]
    Entry,
    #[token("pointer_bytes")]
    PointerBytes,
    #[token("requires")]
    Requires,
    #[token("ensures")]
    Ensures,
    #[token("input")]
    Input,
    #[token("uninitialised")]
    Uninitialised,
    #[token("arbitrary")]
    Arbitrary,
    #[token("allocate")]
    Allocate,
    #[token("free")]
    Free,
    #[token("measure")]
    Measure,
    #[token("heap")]
    Heap,
    #[token("stack")]
    Stack,
    #[token("alloca")]
    Alloca,
    #[token("any")]
    Any,
    #[token("stream")]
    Stream,
    #[token("static")]
    Static,
    #[token("constant")]
    Constant,
    #[token("zeroed")]
    Zeroed,
    #[token("fill")]
    Fill,
    #[token("copy")]
    Copy,
    #[token("apart")]
    Apart,
    #[token("assume")]
    Assume,
    #[token("call")]
    Call,
    #[token("error")]
    Error,
    #[token("unsupported")]
    Unsupported,
    #[token("undefined")]
    Undefined,
    #[token("clobber")]
    Clobber,
    #[token("granted")]
    Granted,
    #[token("goto")]
    Goto,
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("switch")]
    Switch,
    /// `return` with a value after it.
    #[token("return")]
    Return,
    /// `return` without a value; told apart in [`tokens`].
    ReturnNothing,
    #[token("halt")]
    Halt,
    #[token("as")]
    As,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("..")]
    Range,
    #[token(":=")]
    Assign,
    #[token("->")]
    Arrow,
    #[token("=>")]
    Then,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("&")]
    And,
    #[token("|")]
    Or,
    #[token("^")]
    Xor,
    #[token("~")]
    Tilde,
    #[token("!")]
    Bang,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    /// A decimal number without sign.
    #[regex("[0-9]+", |lexer| lexer.slice().parse::<u128>().ok())]
    Number(u128),
    /// A name, plain or between backquotes.
    #[regex("[A-Za-z_$][A-Za-z0-9_$.]*", |lexer| lexer.slice().to_owned())]
    #[regex(r"`([^`\\\n]|\\.)*`", |lexer| unquote(lexer.slice()))]
    Name(String),
    /// A text between double quotes.
    #[regex(r#""([^"\\\n]|\\.)*""#, |lexer| unquote(lexer.slice()))]
    Text(String),
}

/// The words that are not names.
pub const KEYWORDS: [&str; 35] = [
    "global",
    "procedure",
    "local",
    "entry",
    "pointer_bytes",
    "requires",
    "ensures",
    "input",
    "uninitialised",
    "arbitrary",
    "allocate",
    "free",
    "measure",
    "heap",
    "stack",
    "alloca",
    "any",
    "static",
    "stream",
    "constant",
    "zeroed",
    "fill",
    "copy",
    "apart",
    "assume",
    "call",
    "error",
    "unsupported",
    "goto",
    "if",
    "else",
    "switch",
    "return",
    "halt",
    "as",
];

/// A token between the offsets of its first byte and of the byte after it.
pub type Located = (usize, Token, usize);

/// Cuts a text into tokens.
///
/// `return` is [`Token::ReturnNothing`] where a label (a name and a colon) or
/// the end of the procedure follows: an LR(1) grammar cannot look that far.
///
/// # Errors
/// Every place that is no token.
pub fn tokens(text: &str) -> Result<Vec<Located>, Vec<SyntaxError>> {
    let mut tokens = Vec::new();
    let mut errors = Vec::new();
    for (token, range) in Token::lexer(text).spanned() {
        match token {
            Ok(token) => tokens.push((range.start, token, range.end)),
            Err(()) => errors.push(SyntaxError::new(
                "this is no token: a stray character, an open quote, a bad escape or a \
                          number above 2^128",
                range,
            )),
        }
    }
    for index in 0..tokens.len() {
        if tokens[index].1 == Token::Return && returns_nothing(&tokens[index + 1..]) {
            tokens[index].1 = Token::ReturnNothing;
        }
    }
    if errors.is_empty() { Ok(tokens) } else { Err(errors) }
}

fn returns_nothing(rest: &[Located]) -> bool {
    matches!(
        rest,
        [] | [(_, Token::CloseBrace, _), ..] | [(_, Token::Name(_), _), (_, Token::Colon, _), ..]
    )
}

/// The content of a quoted name or text.
fn unquote(quoted: &str) -> Option<String> {
    let mut result = String::new();
    let mut characters = quoted.get(1..quoted.len() - 1)?.chars();
    while let Some(character) = characters.next() {
        let escaped = match character {
            '\\' => match characters.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                same @ ('\\' | '`' | '"') => same,
                _ => return None,
            },
            plain => plain,
        };
        result.push(escaped);
    }
    Some(result)
}

fn quote(text: &str, delimiter: char) -> String {
    let mut result = String::from(delimiter);
    for character in text.chars() {
        let escaped = match character {
            '\n' => 'n',
            '\t' => 't',
            '\r' => 'r',
            '\0' => '0',
            '\\' => '\\',
            same if same == delimiter => same,
            plain => {
                result.push(plain);
                continue;
            }
        };
        result.push('\\');
        result.push(escaped);
    }
    result.push(delimiter);
    result
}

/// A text between double quotes that [`tokens`] reads back.
#[must_use]
pub fn quoted_text(text: &str) -> String {
    quote(text, '"')
}

/// A name as [`tokens`] reads it back: as it is, or between backquotes.
#[must_use]
pub fn quoted_name(name: &str) -> String {
    let is_start = |it: char| it.is_ascii_alphabetic() || it == '_' || it == '$';
    let is_plain = name.starts_with(is_start)
        && name.chars().all(|it| is_start(it) || it.is_ascii_digit() || it == '.')
        && !KEYWORDS.contains(&name);
    if is_plain { name.to_owned() } else { quote(name, '`') }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_no_names() {
        for text in KEYWORDS {
            let lexed = tokens(text).unwrap();
            assert_eq!(lexed.len(), 1, "{text}");
            assert!(!matches!(lexed[0].1, Token::Name(_)), "{text}");
        }
    }

    #[test]
    fn odd_names_and_texts_come_back() {
        for odd in ["", "a b", "x`y\\", "if", "1x", "é", "a\nb\t\0", "x..y", "\"", "$t.1", "a'"] {
            let name = tokens(&quoted_name(odd)).unwrap();
            assert_eq!(name.len(), 1);
            assert_eq!(name[0].1, Token::Name(odd.to_owned()));
            let text = tokens(&quoted_text(odd)).unwrap();
            assert_eq!(text[0].1, Token::Text(odd.to_owned()));
        }
    }

    #[test]
    fn return_looks_ahead_for_a_label() {
        let kinds = |text| tokens(text).unwrap().into_iter().map(|it| it.1).collect::<Vec<_>>();
        assert_eq!(kinds("return b1: halt")[0], Token::ReturnNothing);
        assert_eq!(kinds("return b1")[0], Token::Return);
        assert_eq!(kinds("return }")[0], Token::ReturnNothing);
    }

    #[test]
    fn all_bad_places_are_reported() {
        let errors =
            tokens("a # b \"open\n `x\\q` 999999999999999999999999999999999999999999").unwrap_err();
        let starts: Vec<usize> = errors.iter().map(|error| error.start).collect();
        assert_eq!(starts[0], 2);
        assert!(starts.len() >= 4, "{errors:?}");
    }
}
