//! C files that are one program, parsed.

use wane_grammar::c::ast::TranslationUnit;
use wane_grammar::c::place::LineMap;

use super::hooks::{Hook, give_parameters};
use super::library::models;
use super::preprocess::NOTE;
use super::{Input, PreprocessedSource, Rejection, SyntaxError};
use crate::base::source::{SourceMap, Span};
use std::collections::BTreeMap;

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

/// The files of a program, and the models of the library functions that they name.
#[derive(Debug)]
pub struct Parsed {
    /// The names of the files, as the user gave them.
    pub(super) names: Vec<String>,
    /// Whether these are all its files.
    pub(super) extent: Extent,
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

impl Parsed {
    /// Whether a file declares a function or anything else by this name.
    #[must_use]
    pub fn mentions(&self, name: &str) -> bool {
        self.unit.names.find(name).is_some()
    }

    /// The macros without parameters that the preprocessor has told of
    /// ([`WITH_MACROS`](super::preprocess::WITH_MACROS)), with what they stand for; the last
    /// definition counts.
    #[must_use]
    pub fn macros(&self) -> BTreeMap<&str, &str> {
        let noted = self.text.lines().filter_map(|line| line.strip_prefix(NOTE));
        let definitions = noted.filter_map(|line| line.strip_prefix("#define "));
        let plain = definitions.filter_map(|it| {
            let (name, body) = it.split_once(' ')?;
            (!name.contains('(')).then_some((name, body.trim()))
        });
        plain.collect()
    }

    /// The same, where these may not be all files.
    #[must_use]
    pub fn with_extent(self, extent: Extent) -> Self {
        Self { extent, ..self }
    }

    /// The same, with more text behind that of the last file.
    ///
    /// # Errors
    /// The first place where the text is no C.
    pub(super) fn with_appendix(&self, appendix: Appendix) -> Result<Self, Rejection> {
        let Appendix { text, roots, hooks } = appendix;
        let text = format!("{}\n{text}", self.text);
        let mut again = parsed(self.names.clone(), text, self.starts.clone())?;
        give_parameters(&mut again.unit, &hooks);
        Ok(Self { extent: self.extent, roots, hooks, ..again })
    }

    /// The names of the files, in order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
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
    parsed(names, text, starts)
}

/// Parses the text of all files.
fn parsed(names: Vec<String>, text: String, starts: Vec<usize>) -> Result<Parsed, Rejection> {
    let lines = LineMap::new(names.first().map_or("", String::as_str), &text);
    match wane_grammar::c::parse_files(&text, &starts) {
        Ok(unit) => {
            let (extent, roots, hooks) = (Extent::Whole, Vec::new(), Vec::new());
            Ok(Parsed { names, extent, lines, unit, text, starts, roots, hooks })
        }
        Err(error) => {
            let mut sources = SourceMap::default();
            let position = lines.position(&text, error.place);
            for file in &lines.files {
                sources.intern(file);
            }
            let file = lines.files.get(position.file).map_or(0, |file| sources.intern(file));
            let span = Span {
                file,
                line: position.line,
                column: position.column,
                length: position.length,
            };
            Err(Rejection { sources, errors: vec![SyntaxError { span, message: error.message }] })
        }
    }
}
