//! The text being lowered: names, and places as spans.

use wane_grammar::c::name::{Names, Symbol};
use wane_grammar::c::place::{LineMap, Place};

use crate::SyntaxError;
use crate::hooks::{Hook, Moment};
use crate::parsed::{Extent, Files};
use base::source::{SourceMap, Span};

/// What is known of the text.
#[derive(Clone)]
pub(super) struct Source<'a> {
    text: &'a str,
    names: &'a Names,
    /// The names of the files, as the user gave them.
    given: &'a [String],
    extent: Extent,
    roots: &'a [String],
    hooks: &'a [Hook],
    lines: &'a LineMap,
    /// The [`SourceMap`] index of each file of `lines`.
    files: Vec<u16>,
    map: SourceMap,
}

impl<'a> Source<'a> {
    pub(super) fn new(files: &'a Files) -> Self {
        let Files { names: given, extent, text, lines, unit, roots, hooks, .. } = files;
        let extent = *extent;
        let mut map = SourceMap::default();
        let numbers = lines.files.iter().map(|file| map.intern(file)).collect();
        Self { text, names: &unit.names, given, extent, roots, hooks, lines, files: numbers, map }
    }

    /// The functions that are called when another one begins or returns. A builtin is the
    /// library's function of that name, which macros of headers call so.
    pub(super) fn hooks(&self, function: &str, moment: Moment) -> impl Iterator<Item = &'a str> {
        let hooks = self.hooks.iter().filter(move |hook| hook.moment == moment);
        let is_watched = move |hook: &&Hook| {
            hook.function == function
                || function.strip_prefix("__builtin_") == Some(hook.function.as_str())
        };
        hooks.filter(is_watched).map(|hook| hook.procedure.as_str())
    }

    /// Whether functions are watched.
    pub(super) fn has_hooks(&self) -> bool {
        !self.hooks.is_empty()
    }

    /// The functions that are lowered even if nothing calls them.
    pub(super) fn roots(&self) -> &'a [String] {
        self.roots
    }

    pub(super) fn name(&self, symbol: Symbol) -> &'a str {
        self.names.text(symbol)
    }

    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        self.names.find(name)
    }

    /// The text that stands at `place`, without its spaces.
    pub(super) fn text(&self, place: Place) -> String {
        let text = self.text.get(place.start as usize..place.end as usize).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.flat_map(str::chars).filter(|it| !it.is_whitespace()).collect()
    }

    /// Where the user wrote what stands at `place`.
    pub(super) fn span(&self, place: Place) -> Span {
        if place == Place::default() {
            return Span::NOWHERE;
        }
        let position = self.lines.position(self.text, place);
        Span {
            file: self.files.get(position.file).copied().unwrap_or_default(),
            line: position.line,
            column: position.column,
            length: position.length,
        }
    }

    /// Whether the user wrote what stands at `place`, and no header of the system.
    pub(super) fn is_users(&self, place: Place) -> bool {
        let file = self.lines.position(self.text, place).file;
        let name = self.lines.files.get(file).map_or("", String::as_str);
        place != Place::default() && !name.starts_with("/usr/") && !name.starts_with('<')
    }

    /// Whether these are all files of the program.
    pub(super) fn extent(&self) -> Extent {
        self.extent
    }

    /// Whether a file that is not known may define something.
    pub(super) fn is_part(&self) -> bool {
        self.extent == Extent::Part
    }

    /// How many files there are.
    pub(super) fn n_files(&self) -> usize {
        self.given.len()
    }

    /// The name that the user gave a file; 0 is the models.
    pub(super) fn name_of_file(&self, file: usize) -> &'a str {
        file.checked_sub(1).and_then(|file| self.given.get(file)).map_or("", String::as_str)
    }

    /// The name of the file of a span.
    pub(super) fn file(&self, span: Span) -> &str {
        self.map.files.get(usize::from(span.file)).map_or("", String::as_str)
    }

    /// A span as `file:line:column`.
    pub(super) fn describe(&self, span: Span) -> String {
        self.map.describe(span)
    }

    pub(super) fn error(&self, place: Place, message: impl Into<String>) -> SyntaxError {
        SyntaxError { span: self.span(place), message: message.into() }
    }

    pub(super) fn into_map(self) -> SourceMap {
        self.map
    }
}
