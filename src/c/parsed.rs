//! C files that are one program, parsed.

use wane_grammar::c::ast::{Declarator, Item, TranslationUnit};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::{LineMap, Place};

use super::hooks::{Hook, give_parameters, other_name};
use super::library::models;
use super::lower::Declarations;
use super::preprocess::NOTE;
use super::{Input, PreprocessedSource, Rejection, SyntaxError};
use base::source::{SourceMap, Span};
use self_cell::self_cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Whether all files of a program are known, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// They are.
    Whole,
    /// They are those that a file with `main` needs; others were given, and left out.
    Chosen,
    /// There may be more: what they define is not known.
    Part,
}

self_cell! {
    /// Files, and what is known of their declarations.
    struct Cell {
        owner: Files,
        #[not_covariant]
        dependent: Declarations,
    }
}

/// A program that is parsed: its files, and their declarations as far as they were lowered.
pub struct Parsed(Cell);

/// The files of a program, and the models of the library functions that they name.
#[derive(Debug)]
pub(super) struct Files {
    /// The names of the files, as the user gave them.
    pub(super) names: Vec<String>,
    /// Whether these are all its files.
    pub(super) extent: Extent,
    /// The files that were given with them and cannot be read.
    pub(super) unread: Vec<String>,
    /// Those of the files that stand for functions of others.
    pub(super) models: Vec<String>,
    /// The text of all files, that of the models first, and where each starts.
    pub(super) text: String,
    pub(super) starts: Vec<usize>,
    /// Functions that are lowered even if nothing calls them.
    pub(super) roots: Vec<String>,
    /// Functions that are called where others begin and return.
    pub(super) hooks: Vec<Hook>,
    pub(super) lines: LineMap,
    pub(super) unit: TranslationUnit,
}

/// More text for a program.
#[derive(Clone, Debug, Default)]
pub struct Appendix {
    /// The text, in C.
    pub text: String,
    /// Functions that are lowered even if nothing calls them.
    pub roots: Vec<String>,
    /// Functions that are called where others begin and return.
    pub hooks: Vec<Hook>,
}

impl fmt::Debug for Parsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.files().fmt(f)
    }
}

impl Parsed {
    /// Nothing is known of the declarations.
    fn of(files: Files) -> Self {
        Self(Cell::new(files, |_| Declarations::default()))
    }

    /// The files.
    pub(super) fn files(&self) -> &Files {
        self.0.borrow_owner()
    }

    /// Does something with what is known of the declarations.
    pub(super) fn with_declarations<T>(
        &self,
        work: impl for<'a> FnOnce(&'a Files, &Declarations<'a>) -> T,
    ) -> T {
        self.0.with_dependent(work)
    }

    /// Whether a file declares a function or anything else by this name.
    #[must_use]
    pub fn mentions(&self, name: &str) -> bool {
        self.files().unit.names.find(name).is_some()
    }

    /// The macros without parameters that the preprocessor has told of
    /// ([`WITH_MACROS`](super::preprocess::WITH_MACROS)), with what they stand for; the last
    /// definition counts.
    #[must_use]
    pub fn macros(&self) -> BTreeMap<&str, &str> {
        let mut macros = BTreeMap::new();
        for line in self.files().text.lines().filter_map(|line| line.strip_prefix(NOTE)) {
            if let Some(name) = line.strip_prefix("#undef ") {
                macros.remove(name.trim());
            } else if let Some(definition) = line.strip_prefix("#define ")
                && let Some((name, body)) = definition.split_once(' ')
                && !name.contains('(')
            {
                macros.insert(name, body.trim());
            }
        }
        macros
    }

    /// The same, where these may not be all files.
    #[must_use]
    pub fn with_extent(self, extent: Extent) -> Self {
        Self::of(Files { extent, ..self.0.into_owner() })
    }

    /// The same, beside files that cannot be read.
    #[must_use]
    pub fn beside(self, unread: Vec<String>) -> Self {
        Self::of(Files { unread, ..self.0.into_owner() })
    }

    /// The files that were given with those of the program and cannot be read.
    #[must_use]
    pub fn unread(&self) -> &[String] {
        &self.files().unread
    }

    /// The same, where some files stand for functions of others: that these do the same is taken for
    /// granted.
    #[must_use]
    pub fn with_models(self, models: Vec<String>) -> Self {
        Self::of(Files { models, ..self.0.into_owner() })
    }

    /// The files that stand for functions of others.
    #[must_use]
    pub fn models(&self) -> &[String] {
        &self.files().models
    }

    /// The same, with more text behind that of the last file.
    ///
    /// # Errors
    /// The first place where the text is no C.
    pub(super) fn with_appendix(&self, appendix: Appendix) -> Result<Self, Rejection> {
        self.files().with_appendix(appendix).map(Self::of)
    }

    /// The names of the files, in order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.files().names
    }
}

impl Files {
    fn with_appendix(&self, appendix: Appendix) -> Result<Self, Rejection> {
        let Appendix { text, roots, hooks } = appendix;
        let text = format!("{}\n{text}", self.text);
        let mut again = parsed(self.names.clone(), text, self.starts.clone())?;
        if let Some((name, place)) = declared_twice(&again.unit, self.text.len()) {
            let message = format!("`{name}` is declared by the program, too: take another name");
            return Err(rejected(&again.lines, &again.text, place, message));
        }
        if let Some((name, place)) = other_name(&again.unit, &hooks) {
            let message = format!("`{name}` is another name of a function: watch that one");
            return Err(rejected(&again.lines, &again.text, place, message));
        }
        give_parameters(&mut again.unit, &hooks);
        let (unread, models) = (self.unread.clone(), self.models.clone());
        Ok(Self { extent: self.extent, unread, models, roots, hooks, ..again })
    }
}

/// Parses files that are one program.
///
/// # Errors
/// The first place where the text of one of them is no C.
pub(super) fn parse(sources: &[PreprocessedSource], input: Input) -> Result<Parsed, Rejection> {
    let names: Vec<String> = sources.iter().map(|source| source.name.clone()).collect();
    let wanted: Vec<&str> = sources.iter().map(|source| source.text.as_str()).collect();
    let mut text = format!(
        "# 1 \"<wane library>\"\nenum {{ __model_endless_input = {} }};\n{}",
        u8::from(input == Input::Endless),
        models::text_for(&wanted)
    );
    let mut starts = Vec::new();
    for source in sources {
        text.push('\n');
        starts.push(text.len());
        let name = source.name.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("# 1 \"{name}\"\n"));
        text.push_str(&source.text);
    }
    parsed(names, text, starts).map(Parsed::of)
}

/// Parses the text of all files.
fn parsed(names: Vec<String>, text: String, starts: Vec<usize>) -> Result<Files, Rejection> {
    let lines = LineMap::new(names.first().map_or("", String::as_str), &text);
    match wane_grammar::c::parse_files(&text, &starts) {
        Ok(unit) => {
            let (extent, unread, models) = (Extent::Whole, Vec::new(), Vec::new());
            let (roots, hooks) = (Vec::new(), Vec::new());
            Ok(Files { names, extent, unread, models, lines, unit, text, starts, roots, hooks })
        }
        Err(error) => {
            let before = text.get(..error.place.start as usize).unwrap_or_default();
            let start = before.rfind('\n').map_or(0, |it| it + 1);
            let line = text[start..].lines().next().unwrap_or_default();
            let hint = if is_of_another_language(line) { " (this looks like C++)" } else { "" };
            Err(rejected(&lines, &text, error.place, error.message + hint))
        }
    }
}

/// Whether a line that is no C begins like one of C++.
fn is_of_another_language(line: &str) -> bool {
    let line = line.trim_start();
    let first = line.split(|it: char| !it.is_ascii_alphanumeric()).next().unwrap_or_default();
    let words = ["class", "namespace", "template", "using", "public", "private", "protected"];
    words.contains(&first) || line.contains("::") || line.starts_with("extern \"C\"")
}

/// What is wrong at a place of the text.
fn rejected(lines: &LineMap, text: &str, place: Place, message: String) -> Rejection {
    let mut sources = SourceMap::default();
    let position = lines.position(text, place);
    for file in &lines.files {
        sources.intern(file);
    }
    let file = lines.files.get(position.file).map_or(0, |file| sources.intern(file));
    let span = Span { file, line: position.line, column: position.column, length: position.length };
    Rejection { sources, errors: vec![SyntaxError { span, message }] }
}

/// A name that is declared at file scope both before a byte of the text and behind it.
fn declared_twice(unit: &TranslationUnit, limit: usize) -> Option<(&str, Place)> {
    let declarators = unit.items.iter().flat_map(|item| -> Vec<&Declarator> {
        match item {
            Item::Function(function) => vec![&function.declarator],
            Item::Declaration(declaration) => {
                declaration.declarators.iter().map(|it| &it.declarator).collect()
            }
            Item::Asm(..) | Item::EndOfFile(_) => Vec::new(),
        }
    });
    let named = declarators.filter_map(|it| Some((it.name?, it.place)));
    let is_before = |place: &Place| (place.start as usize) < limit;
    let (before, behind): (Vec<_>, Vec<_>) = named.partition(|(_, place)| is_before(place));
    let known: BTreeSet<Symbol> = before.into_iter().map(|(name, _)| name).collect();
    let (name, place) = behind.into_iter().find(|(name, _)| known.contains(name))?;
    Some((unit.names.text(name), place))
}
