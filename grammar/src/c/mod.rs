//! C: tokens, syntax tree and parser.
//!
//! [`parse`] reads preprocessed text. The grammar is `c.lalrpop`; which
//! identifiers are typedef names is settled between `stream` and `scope`.

pub mod ast;
pub mod attribute;
mod build;
mod depth;
pub mod literal;
pub mod name;
pub mod place;
pub mod scope;
mod stream;
pub mod token;

use lalrpop_util::{ParseError, lalrpop_mod};

use ast::TranslationUnit;
use name::Names;
use place::{LineMap, Place, SyntaxError};
use scope::Context;
use stream::Tokens;
use token::Token;

lalrpop_mod!(
    #[allow(clippy::all, clippy::too_many_lines, clippy::unwrap_used)]
    #[allow(missing_docs, unreachable_pub, unused)]
    parser,
    "/c.rs"
);

/// Parses preprocessed C.
///
/// # Errors
/// The first place where the text is no C, or where it is nested too deeply to
/// be analysed.
pub fn parse(text: &str) -> Result<TranslationUnit, SyntaxError> {
    parse_files(text, &[])
}

/// Parses several files that stand in one text, behind each other: the first is at its start,
/// and the others `start` where it is said, in order. Typedef names of the first are known
/// in all of them; those of the others only in the file itself.
///
/// # Errors
/// As [`parse`].
pub fn parse_files(text: &str, starts: &[usize]) -> Result<TranslationUnit, SyntaxError> {
    if u32::try_from(text.len()).is_err() {
        return Err(SyntaxError::new(Place::default(), "the file is larger than 4 GiB"));
    }
    let mut names = Names::default();
    let context = Context::new(&mut names);
    let mut tokens = Tokens::new(text, starts, names, &context);
    let items = parser::TranslationUnitParser::new()
        .parse(&context, &mut tokens)
        .map_err(|error| describe(text, error))?;
    let (names, unknown) = tokens.into_parts();
    Ok(TranslationUnit { items, names, unknown })
}

/// The map from places of `text` to the files it was made of.
#[must_use]
pub fn line_map(name: &str, text: &str) -> LineMap {
    LineMap::new(name, text)
}

/// Words for the parser's error.
fn describe(text: &str, error: ParseError<u32, Token, SyntaxError>) -> SyntaxError {
    match error {
        ParseError::User { error } => error,
        ParseError::InvalidToken { location } => {
            SyntaxError::new(Place::new(location, location + 1), "unexpected text")
        }
        ParseError::UnrecognizedEof { expected, .. } => {
            let end = u32::try_from(text.trim_end().len()).unwrap_or(u32::MAX);
            let message = format!("unexpected end of file{}", wanted(&expected));
            SyntaxError::new(Place::new(end.saturating_sub(1), end), message)
        }
        ParseError::UnrecognizedToken { token: (start, Token::EndOfFile, _), expected } => {
            let end = text.get(..start as usize).map_or(0, |before| before.trim_end().len());
            let end = u32::try_from(end).unwrap_or(u32::MAX);
            let message = format!("unexpected end of file{}", wanted(&expected));
            SyntaxError::new(Place::new(end.saturating_sub(1), end), message)
        }
        ParseError::UnrecognizedToken { token: (start, _, end), expected } => {
            let found = text.get(start as usize..end as usize).unwrap_or_default();
            let found: String = found.chars().take(40).collect();
            let message = format!("unexpected `{found}`{}", wanted(&expected));
            SyntaxError::new(Place::new(start, end), message)
        }
        ParseError::ExtraToken { token: (start, _, end) } => {
            SyntaxError::new(Place::new(start, end), "unexpected text after the end")
        }
    }
}

/// What the parser would have taken, if that is little enough to help.
fn wanted(expected: &[String]) -> String {
    let mut words: Vec<&str> = expected.iter().map(|word| word.trim_matches('"')).collect();
    words.sort_unstable();
    // Between statements nearly everything is possible, so nothing is said.
    if words.contains(&";") && !words.contains(&"}") {
        return ", expected `;`".to_owned();
    }
    match words.as_slice() {
        [] => String::new(),
        [one] => format!(", expected `{one}`"),
        few if few.len() <= 4 => {
            let list: Vec<String> = few.iter().map(|word| format!("`{word}`")).collect();
            format!(", expected one of {}", list.join(", "))
        }
        _ => String::new(),
    }
}
