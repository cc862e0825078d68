//! Tokens of formulas of temporal logic.
//!
//! `A`, `E`, `G`, `F`, `X`, `U`, `W` and words of them are also names of variables, as in
//! `AG(A == 1 -> AF R == 1)`. What they are, what stands beside them says; in linear time, where
//! operators are single letters, `G`, `F` and `X` are never names, and `A` and `E` always are.

use super::Logic;
use super::tree::{Interval, Modality, Paths};
use crate::SyntaxError;
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
    /// `[AG]` and the like
    #[regex(r"\[[AE][GFXUW]\]", |lexer| lexer.slice())]
    Bracketed(&'t str),
    /// `A` or `E`, not as a name
    Quantifier(Paths),
    /// `G` or `[]`, `F` or `<>`, `X`: not as names
    #[token("[]", |_| Modality::Globally)]
    #[token("<>", |_| Modality::Future)]
    Modality(Modality),
    /// `U` or `W` between operands, in brackets
    Interval(Interval),
    /// `U`, `W` or `R` between operands, in linear time
    Infix(Interval),
    /// `AU`, `AW`, `EU` or `EW` before two operands
    QuantifiedInterval((Paths, Interval)),
    /// `AP`, not as a name
    Atom,
    /// `fairness` behind `;`
    Fairness,
    /// `<->`, `<=>`, `<==>`
    #[token("<->")]
    #[token("<=>")]
    #[token("<==>")]
    Iff,
    /// `=>`, `==>`, and `->`: members stand between quotation marks
    #[token("=>")]
    #[token("==>")]
    #[token("->")]
    Implies,
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
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `==`, `!=`, and `=` as some transition systems write it
    #[token("==", |lexer| lexer.slice())]
    #[token("!=", |lexer| lexer.slice())]
    #[token("=", |lexer| lexer.slice())]
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

impl<'t> Token<'t> {
    /// The name that it is, or nothing.
    fn name(&self) -> &'t str {
        if let Self::Name(name) = self { name } else { "" }
    }

    /// Whether an operand may start with it.
    fn starts_operand(&self) -> bool {
        matches!(
            self,
            Self::Quoted(_)
                | Self::Name(_)
                | Self::Number(_)
                | Self::Bracketed(_)
                | Self::Modality(_)
                | Self::Not
                | Self::Open
        )
    }

    /// Whether an operand may end with it.
    fn ends_operand(&self) -> bool {
        matches!(
            self,
            Self::Quoted(_) | Self::Name(_) | Self::Number(_) | Self::Close | Self::CloseBracket
        )
    }
}

/// A token and where it starts and ends.
pub type Placed<'t> = (usize, Token<'t>, usize);

/// A formula has no more tokens, so that it is not deep either.
const MOST_TOKENS: usize = 2_000;

/// The tokens of a formula, with byte offsets.
///
/// # Errors
/// The first text that is no token; and where there are too many of them.
pub fn tokens(text: &str, logic: Logic) -> Result<Vec<Placed<'_>>, SyntaxError> {
    let words: Vec<Placed<'_>> = Token::lexer(text)
        .spanned()
        .map(|(token, range)| match token {
            Ok(token) if logic == Logic::Branching || token != Token::Equality("=") => {
                Ok((range.start, token, range.end))
            }
            Ok(_) | Err(()) => {
                let message = match &text[range.clone()] {
                    "=" => "unexpected character; that two are equal is `==`",
                    _ => "unexpected character",
                };
                Err(SyntaxError::new(message, range))
            }
        })
        .collect::<Result<_, SyntaxError>>()?;
    let words = few(text, words)?;
    let mut found: Vec<Placed<'_>> = Vec::with_capacity(words.len());
    for at in 0..words.len() {
        read(&words, at, logic, &mut found);
    }
    few(text, found)
}

fn few<'t>(text: &str, tokens: Vec<Placed<'t>>) -> Result<Vec<Placed<'t>>, SyntaxError> {
    if tokens.len() > MOST_TOKENS {
        let message = "a formula has at most 2000 words and signs";
        return Err(SyntaxError::new(message, 0..text.len()));
    }
    Ok(tokens)
}

/// Adds the tokens that a word is. `found` has those before it.
fn read<'t>(words: &[Placed<'t>], at: usize, logic: Logic, found: &mut Vec<Placed<'t>>) {
    let (start, word, end) = &words[at];
    let before = found.last().map(|it| &it.1);
    let after = words.get(at + 1).map(|it| &it.1);
    let is_behind_operand = before.is_some_and(Token::ends_operand);
    let is_branching = logic == Logic::Branching;
    let single = match word {
        Token::Bracketed(name) if is_branching && !is_behind_operand => {
            return push_operators(&name[1..3], start + 1, found);
        }
        Token::Bracketed(name) => {
            found.push((*start, Token::OpenBracket, start + 1));
            found.push((start + 1, Token::Name(&name[1..3]), end - 1));
            return found.push((end - 1, Token::CloseBracket, *end));
        }
        Token::Name(name) if is_operator(words, at, logic) => {
            return push_operators(name, *start, found);
        }
        Token::Name(name @ ("U" | "W" | "R")) if !is_branching && is_behind_operand => {
            Token::Infix(interval(name))
        }
        Token::Name("AP") if after == Some(&Token::Open) => Token::Atom,
        Token::Name(_) if !is_branching => word.clone(),
        Token::Name("AU" | "AW" | "EU" | "EW") if after == Some(&Token::Open) => {
            return push_operators(word.name(), *start, found);
        }
        Token::Name(name @ ("A" | "E")) if is_quantifier(words, at) => {
            Token::Quantifier(quantifier(name))
        }
        Token::Name(name @ ("U" | "W")) if is_behind_operand => Token::Interval(interval(name)),
        Token::Name("fairness") if before == Some(&Token::Semicolon) => Token::Fairness,
        _ => word.clone(),
    };
    found.push((*start, single, *end));
}

/// Whether `G`, `F` or `X` at a place, or a word such as `AG`, `AFAG` or `GF`, is no name: an
/// operand follows.
fn is_operator(words: &[Placed<'_>], at: usize, logic: Logic) -> bool {
    let name = words[at].1.name();
    let is_modality = |letter: u8| matches!(letter, b'G' | b'F' | b'X');
    let letters = name.as_bytes();
    let is_word = letters.iter().enumerate().all(|(at, letter)| match letter {
        b'A' | b'E' if logic == Logic::Branching => {
            letters.get(at + 1).is_some_and(|next| is_modality(*next))
        }
        letter => is_modality(*letter),
    });
    let is_before_operand = logic == Logic::Linear
        || words.get(at + 1).is_some_and(|it| match it.1 {
            // Hardly anybody calls a number `AG`.
            Token::Minus | Token::Star => letters.len() > 1,
            _ => it.1.starts_operand(),
        });
    is_word && !name.is_empty() && is_before_operand
}

/// Whether `A` or `E` at a place is no name: an operator follows, a parenthesis, or a bracket
/// that has `U` or `W` in it.
fn is_quantifier(words: &[Placed<'_>], at: usize) -> bool {
    match words.get(at + 1).map(|it| &it.1) {
        Some(Token::Open | Token::Modality(_)) => true,
        Some(Token::Name(_)) => is_operator(words, at + 1, Logic::Branching),
        Some(Token::OpenBracket) => {
            let mut depth = 0_usize;
            for place in at + 1..words.len() {
                match &words[place].1 {
                    Token::Open | Token::OpenBracket => depth += 1,
                    Token::Close | Token::CloseBracket if depth <= 1 => return false,
                    Token::Close | Token::CloseBracket => depth -= 1,
                    Token::Name("U" | "W") if depth == 1 && words[place - 1].1.ends_operand() => {
                        return true;
                    }
                    _ => {}
                }
            }
            false
        }
        _ => false,
    }
}

/// Adds the operators of a word, such as `AFAG` or `EU`.
fn push_operators(word: &str, start: usize, found: &mut Vec<Placed<'_>>) {
    if word.ends_with(['U', 'W']) {
        let token = Token::QuantifiedInterval((quantifier(&word[..1]), interval(&word[1..])));
        return found.push((start, token, start + 2));
    }
    found.extend(word.bytes().enumerate().map(|(at, letter)| {
        let token = match letter {
            b'G' => Token::Modality(Modality::Globally),
            b'F' => Token::Modality(Modality::Future),
            b'X' => Token::Modality(Modality::Next),
            _ => Token::Quantifier(quantifier(&word[at..=at])),
        };
        (start + at, token, start + at + 1)
    }));
}

fn quantifier(letter: &str) -> Paths {
    if letter == "A" { Paths::All } else { Paths::Some }
}

fn interval(letter: &str) -> Interval {
    match letter {
        "U" => Interval::Until,
        "R" => Interval::Release,
        _ => Interval::WeakUntil,
    }
}
