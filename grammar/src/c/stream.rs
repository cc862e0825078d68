//! The token stream that the parser pulls: raw tokens with directives and
//! attributes taken out, and with identifiers classified at the last moment.
//!
//! An identifier is emitted as [`Token::Name`]; whether it is a typedef name is
//! asked only when the parser pulls the next token. By then the parser has done
//! all reductions that were waiting for its lookahead, so scopes are settled.

use std::collections::VecDeque;

use logos::{Lexer, Logos};

use super::attribute::{self, Argument, Meaning};
use super::literal;
use super::name::{Names, Symbol};
use super::place::{Place, SyntaxError};
use super::scope::Context;
use super::token::{LexicalError, Number, Token};

/// Deepest nesting of brackets that is accepted.
const NESTING_LIMIT: u32 = 512;

type Spanned = (u32, Token, u32);

/// What a name stands behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// `struct`, `union` or `enum`.
    Tag,
    /// What a member or a label follows.
    Member,
    /// Where an enumeration has one of its names.
    Enumerators,
    /// A type, or a star.
    Type,
    Other,
}

/// Which part of an enumeration is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Enumeration {
    None,
    /// `enum` and its tag.
    Head,
    /// What its braces hold.
    List,
}

/// Classified tokens of a preprocessed text.
pub(super) struct Tokens<'t> {
    lexer: Lexer<'t, Token>,
    /// Where the text of the lexer begins.
    base: usize,
    /// The files after the one that is read, the next one last, and where they begin.
    files: Vec<(usize, &'t str)>,
    context: &'t Context,
    /// Tokens read ahead, or made of an attribute.
    pending: VecDeque<Spanned>,
    /// An identifier that waits to be classified.
    unclassified: Option<(u32, Symbol, u32)>,
    nesting: u32,
    /// What the next name stands behind.
    before: Before,
    enumeration: Enumeration,
    /// Whether a file has just ended.
    is_new_file: bool,
    /// Attributes and pragmas whose effect nobody knows.
    unknown: Vec<(Place, String)>,
}

impl<'t> Tokens<'t> {
    /// The tokens of a text that is several files, which begin at `starts`.
    pub(super) fn new(text: &'t str, starts: &[usize], names: Names, context: &'t Context) -> Self {
        let mut files = Vec::new();
        let mut end = text.len();
        for start in starts.iter().rev().copied().chain([0]) {
            files.push((start, text.get(start..end).unwrap_or_default()));
            end = start;
        }
        let (base, first) = files.pop().unwrap_or_default();
        Self {
            lexer: Token::lexer_with_extras(first, names),
            base,
            files,
            context,
            pending: VecDeque::new(),
            unclassified: None,
            nesting: 0,
            before: Before::Other,
            enumeration: Enumeration::None,
            is_new_file: false,
            unknown: Vec::new(),
        }
    }

    /// The identifiers met, and the attributes and pragmas that nobody knows.
    pub(super) fn into_parts(self) -> (Names, Vec<(Place, String)>) {
        (self.lexer.extras, self.unknown)
    }

    /// The next raw token that is no directive.
    fn raw(&mut self) -> Option<Result<Spanned, SyntaxError>> {
        loop {
            let Some(token) = self.lexer.next() else { return self.next_file().map(Ok) };
            let span = self.lexer.span();
            let place = Place::new(offset(self.base + span.start), offset(self.base + span.end));
            let token = match token {
                Ok(Token::Directive) => match self.directive(place) {
                    Ok(()) => continue,
                    Err(error) => return Some(Err(error)),
                },
                Ok(Token::Comment) => continue,
                Ok(Token::Number(Number::Integer(value))) => Token::Integer(value),
                Ok(Token::Number(Number::Floating(value))) => Token::Floating(value),
                Ok(token) => token,
                Err(error) => return Some(Err(self.lexical_error(place, &error))),
            };
            return Some(Ok((place.start, token, place.end)));
        }
    }

    /// Goes on to the next file, if there is one.
    fn next_file(&mut self) -> Option<Spanned> {
        let (start, text) = self.files.pop()?;
        let names = std::mem::take(&mut self.lexer.extras);
        self.lexer = Token::lexer_with_extras(text, names);
        self.base = start;
        Some((offset(start), Token::EndOfFile, offset(start)))
    }

    fn lexical_error(&self, place: Place, error: &LexicalError) -> SyntaxError {
        match error {
            LexicalError::Message(message) => SyntaxError::new(place, message.clone()),
            LexicalError::Stray => {
                let character = self.lexer.slice().chars().next().unwrap_or('\0');
                let what = match literal::raw_byte(character) {
                    Some(byte) => format!("byte 0x{byte:02x}, which is no UTF-8 text"),
                    None if character.is_control() => {
                        format!("control character U+{:04X}", u32::from(character))
                    }
                    None => format!("character `{character}`"),
                };
                SyntaxError::new(place, format!("unexpected {what}"))
            }
        }
    }

    /// Line markers are read by the line map; few pragmas change anything; anything
    /// else should have been preprocessed.
    fn directive(&mut self, place: Place) -> Result<(), SyntaxError> {
        let text = self.lexer.slice().trim_start_matches('#').trim();
        let word = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        match word {
            "pragma" => {
                self.pragma(text["pragma".len()..].trim(), place);
                Ok(())
            }
            "" | "line" | "ident" | "sccs" | "assert" | "unassert" => Ok(()),
            digits if digits.starts_with(|c: char| c.is_ascii_digit()) => Ok(()),
            other => Err(SyntaxError::new(place, format!("`#{other}` needs a preprocessor"))),
        }
    }

    /// Compilers ignore the pragmas that they do not know. Of those that they know,
    /// some name other definitions or another order of bytes.
    fn pragma(&mut self, text: &'t str, place: Place) {
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        match words.next().unwrap_or_default() {
            "pack" => {
                let arguments = text["pack".len()..].trim();
                self.context.pragma_pack(arguments.trim_matches(['(', ')']));
            }
            word @ ("weak" | "redefine_extname" | "scalar_storage_order" | "ms_struct") => {
                self.unknown.push((place, format!("#pragma {word}")));
            }
            _ => {}
        }
    }

    /// The tokens up to the parenthesis that closes the next one, both left out.
    fn parenthesized(&mut self, place: Place) -> Result<Vec<Spanned>, SyntaxError> {
        let missing = || SyntaxError::new(place, "attribute without parentheses");
        match self.raw().ok_or_else(missing)?? {
            (_, Token::ParenOpen, _) => {}
            (start, _, end) => {
                return Err(SyntaxError::new(
                    Place::new(start, end),
                    "expected `(` of an attribute",
                ));
            }
        }
        let mut depth = 1_u32;
        let mut inner = Vec::new();
        loop {
            let token = self.raw().ok_or_else(missing)??;
            match token.1 {
                Token::ParenOpen => depth += 1,
                Token::ParenClose => depth -= 1,
                Token::EndOfFile => return Err(missing()),
                _ => {}
            }
            if depth == 0 {
                return Ok(inner);
            }
            inner.push(token);
        }
    }

    /// Replaces `__attribute__ ((…))` by tokens for what matters of it.
    fn attribute_list(&mut self, place: Place) -> Result<(), SyntaxError> {
        let tokens = self.parenthesized(place)?;
        let inner = match tokens.as_slice() {
            [(_, Token::ParenOpen, _), inner @ .., (_, Token::ParenClose, _)] => inner,
            other => other,
        };
        let mut depth = 0_u32;
        let parts = inner.split(|(_, token, _)| {
            match token {
                Token::ParenOpen => depth += 1,
                Token::ParenClose => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && *token == Token::Comma
        });
        for part in parts {
            self.attribute(part);
        }
        Ok(())
    }

    /// Whether this token comes next.
    fn is_next(&mut self, token: &Token) -> bool {
        if self.pending.is_empty() {
            match self.raw() {
                Some(Ok(next)) => self.pending.push_back(next),
                Some(Err(error)) => self.context.fail(error),
                None => {}
            }
        }
        self.pending.front().is_some_and(|(_, next, _)| next == token)
    }

    /// Replaces `[[…]]` (C23 6.7.13) by tokens for what matters of it.
    fn standard_attributes(&mut self, place: Place) -> Result<(), SyntaxError> {
        let missing = || SyntaxError::new(place, "expected `]]` of an attribute");
        let mut tokens = Vec::new();
        let mut depth = 1_u32;
        while depth > 0 {
            let token = match self.pending.pop_front() {
                Some(token) => token,
                None => self.raw().ok_or_else(missing)??,
            };
            match token.1 {
                Token::BracketOpen | Token::ParenOpen => depth += 1,
                Token::BracketClose | Token::ParenClose => depth -= 1,
                Token::EndOfFile => return Err(missing()),
                _ => {}
            }
            tokens.push(token);
        }
        // The inner brackets are the first and one before the last token.
        let [(_, Token::BracketOpen, _), inner @ .., (_, Token::BracketClose, _), _] = &*tokens
        else {
            return Err(missing());
        };
        let mut depth = 0_u32;
        let parts = inner.split(|(_, token, _)| {
            match token {
                Token::ParenOpen => depth += 1,
                Token::ParenClose => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && *token == Token::Comma
        });
        for part in parts {
            let n_known = self.pending.len();
            match part {
                // The family that it belongs to; compilers ignore those of others.
                [
                    (_, Token::Name(family), _),
                    (_, Token::Colon, _),
                    (_, Token::Colon, _),
                    own @ ..,
                ] if ["gnu", "__gnu__", "clang"].contains(&self.lexer.extras.text(*family)) => {
                    self.attribute(own);
                    // What it belongs to depends on its place in other ways than that of
                    // `__attribute__` does.
                    if self.pending.len() > n_known {
                        self.pending.truncate(n_known);
                        self.unknown.push((place, "attribute in double brackets".to_owned()));
                    }
                }
                [(_, Token::Name(name), _)] if self.lexer.extras.text(*name) == "noreturn" => {
                    self.attribute(part);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What a word stands for that is a keyword of C23. Older programs may have it as a name:
    /// of a tag, a member, a label or an enumerator, or where no such keyword can stand.
    fn later_keyword(&mut self, symbol: Symbol) -> Option<Token> {
        let token = match self.lexer.extras.text(symbol) {
            "bool" => Token::Bool,
            "static_assert" => Token::StaticAssert,
            "alignas" => Token::Alignas,
            "alignof" => Token::Alignof,
            "thread_local" => Token::ThreadLocal,
            "constexpr" => Token::Const,
            "typeof_unqual" => Token::Typeof,
            _ => return None,
        };
        let is_name = match self.before {
            Before::Tag | Before::Member | Before::Enumerators => true,
            Before::Type => {
                matches!(token, Token::Bool | Token::StaticAssert | Token::Alignof | Token::Typeof)
            }
            Before::Other => false,
        };
        let takes_parenthesis =
            matches!(token, Token::StaticAssert | Token::Alignas | Token::Alignof | Token::Typeof);
        let is_alone = matches!(token, Token::ThreadLocal | Token::Const)
            && (self.is_next(&Token::ParenClose) || self.is_next(&Token::Comma));
        let is_being_declared = is_alone
            || self.is_next(&Token::Semicolon)
            || self.is_next(&Token::Equal)
            || takes_parenthesis && !self.is_next(&Token::ParenOpen)
            || self.context.is_in_typedef() && self.is_next(&Token::Comma);
        (!is_name && !is_being_declared && !self.context.is_declared(symbol)).then_some(token)
    }

    /// What the next name stands behind, if this token is the last one.
    fn after(&self, token: &Token) -> Before {
        match (token, self.before) {
            (Token::Enum | Token::Struct | Token::Union, _) => Before::Tag,
            (Token::Attribute(_), Before::Tag) => Before::Tag,
            (Token::Type(_) | Token::Variable(_), Before::Tag) => Before::Type,
            (Token::Dot | Token::Arrow | Token::Goto, _) => Before::Member,
            (Token::BraceOpen | Token::Comma, _) if self.enumeration == Enumeration::List => {
                Before::Enumerators
            }
            (
                Token::Type(_)
                | Token::Char
                | Token::Double
                | Token::Float
                | Token::Int
                | Token::Long
                | Token::Short
                | Token::Signed
                | Token::Unsigned
                | Token::Void
                | Token::Star,
                _,
            ) => Before::Type,
            _ => Before::Other,
        }
    }

    /// Which part of an enumeration is being read after this token.
    fn enumeration_after(&self, token: &Token) -> Enumeration {
        match (token, self.enumeration) {
            (Token::Enum, _) => Enumeration::Head,
            (Token::BraceOpen, Enumeration::Head) => Enumeration::List,
            (Token::Type(_) | Token::Variable(_) | Token::Attribute(_), Enumeration::Head) => {
                Enumeration::Head
            }
            (Token::BraceClose, _) | (_, Enumeration::Head) => Enumeration::None,
            (_, known) => known,
        }
    }

    /// One attribute: its name and, in parentheses, its arguments.
    fn attribute(&mut self, tokens: &[Spanned]) {
        let Some(((start, first, end), arguments)) = tokens.split_first() else { return };
        let Token::Name(name) = first else { return };
        let name = self.lexer.extras.text(*name);
        let with_expression = match name.trim_matches('_') {
            "aligned" if !arguments.is_empty() => Some(Token::Alignas),
            "vector_size" if !arguments.is_empty() => Some(Token::VectorSize),
            _ => None,
        };
        if let Some(token) = with_expression {
            self.pending.push_back((*start, token, *end));
            self.pending.extend(arguments.iter().cloned());
            return;
        }
        let name = name.to_owned();
        let text = arguments.iter().find_map(|(_, token, _)| match token {
            Token::String(part) => Some(part.body.clone()),
            _ => None,
        });
        let text = text.map(|text| self.lexer.extras.intern(&text));
        match attribute::meaning(&name, self.argument(arguments, text)) {
            Meaning::Harmless => {}
            Meaning::Known(known) => {
                self.pending.push_back((*start, Token::Attribute(known), *end));
            }
            Meaning::Unknown => {
                let end = arguments.last().map_or(*end, |(_, _, end)| *end);
                self.unknown.push((Place::new(*start, end), format!("attribute `{name}`")));
            }
        }
    }

    /// What stands in an attribute's parentheses, which are among the tokens.
    fn argument(&self, tokens: &[Spanned], text: Option<Symbol>) -> Argument<'_> {
        let word = tokens.iter().find_map(|(_, token, _)| match token {
            Token::Name(word) => Some((self.lexer.extras.text(*word), *word)),
            _ => None,
        });
        let number = tokens.iter().find_map(|(_, token, _)| match token {
            Token::Integer(literal) => Some(literal.value),
            _ => None,
        });
        Argument { word, text, number, length: tokens.len().saturating_sub(2) }
    }

    /// `_Atomic(type)` is a type; without the parenthesis it is a qualifier.
    fn atomic(&mut self) -> Token {
        if self.pending.is_empty() {
            match self.raw() {
                Some(Ok(next)) => self.pending.push_back(next),
                Some(Err(error)) => self.context.fail(error),
                None => {}
            }
        }
        match self.pending.front() {
            Some((_, Token::ParenOpen, _)) => Token::AtomicOf,
            _ => Token::Atomic,
        }
    }

    /// The next token with attributes resolved and brackets counted.
    fn resolved(&mut self) -> Option<Result<Spanned, SyntaxError>> {
        loop {
            let next = match self.pending.pop_front() {
                Some(token) => Ok(token),
                None => self.raw()?,
            };
            let (start, token, end) = match next {
                Ok(token) => token,
                Err(error) => return Some(Err(error)),
            };
            let place = Place::new(start, end);
            let skipped = match token {
                Token::AttributeList => self.attribute_list(place),
                Token::Declspec => {
                    self.unknown.push((place, "`__declspec`".to_owned()));
                    self.parenthesized(place).map(|_| ())
                }
                Token::BracketOpen if self.is_next(&Token::BracketOpen) => {
                    self.standard_attributes(place)
                }
                Token::Atomic => return Some(Ok((start, self.atomic(), end))),
                token => return Some(self.count(place, &token).map(|()| (start, token, end))),
            };
            if let Err(error) = skipped {
                return Some(Err(error));
            }
        }
    }

    fn count(&mut self, place: Place, token: &Token) -> Result<(), SyntaxError> {
        match token {
            Token::ParenOpen | Token::BracketOpen | Token::BraceOpen => self.nesting += 1,
            Token::ParenClose | Token::BracketClose | Token::BraceClose => {
                self.nesting = self.nesting.saturating_sub(1);
            }
            _ => {}
        }
        if self.nesting > NESTING_LIMIT {
            return Err(SyntaxError::new(
                place,
                format!("brackets are nested more than {NESTING_LIMIT} deep"),
            ));
        }
        Ok(())
    }
}

/// Offsets are 32 bits wide; [`super::parse`] refuses longer texts.
fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

impl Iterator for Tokens<'_> {
    type Item = Result<Spanned, SyntaxError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.context.take_failure() {
            return Some(Err(error));
        }
        if let Some((start, symbol, end)) = self.unclassified.take() {
            let is_type = self.context.is_type(symbol);
            let token = if is_type { Token::Type(symbol) } else { Token::Variable(symbol) };
            self.enumeration = self.enumeration_after(&token);
            self.before = self.after(&token);
            return Some(Ok((start, token, end)));
        }
        if self.is_new_file {
            self.context.begin_file();
            self.is_new_file = false;
        }
        let next = self.resolved()?;
        self.is_new_file = matches!(next, Ok((_, Token::EndOfFile, _)));
        if let Ok((start, Token::Name(symbol), end)) = next {
            if let Some(token) = self.later_keyword(symbol) {
                return Some(Ok((start, token, end)));
            }
            self.unclassified = Some((start, symbol, end));
        } else if let Ok((_, token, _)) = &next {
            self.enumeration = self.enumeration_after(token);
            self.before = self.after(token);
        }
        Some(next)
    }
}
