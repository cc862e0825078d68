//! Where in the user's files a thing was written.

/// A place in the preprocessed text's origin: a file, a line and a column.
///
/// Positions refer to the files the user wrote, not to the preprocessor's
/// output. Lines and columns count from 1; 0 stands for "no place" (code that
/// the front end made up, such as the call of `main`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Index into [`SourceMap::files`].
    pub file: u16,
    /// Line of the first character.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Characters covered on that line, at least 1.
    pub length: u32,
}

impl Span {
    /// The span of code that no user wrote.
    pub const NOWHERE: Self = Self { file: 0, line: 0, column: 0, length: 0 };

    /// Whether the span points at a user's file.
    #[must_use]
    pub fn is_somewhere(self) -> bool {
        self.line > 0
    }
}

/// The files that spans point into.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SourceMap {
    /// File names as the user or the line markers gave them. Entry 0 is the
    /// file that was asked for.
    pub files: Vec<String>,
}

impl SourceMap {
    /// `file:line:column` of a span, or `<generated>`.
    #[must_use]
    pub fn describe(&self, span: Span) -> String {
        match self.files.get(usize::from(span.file)) {
            Some(name) if span.is_somewhere() => format!("{name}:{}:{}", span.line, span.column),
            _ => "<generated>".to_owned(),
        }
    }

    /// The index of `name`, added when it is new.
    pub fn intern(&mut self, name: &str) -> u16 {
        let position = self.files.iter().position(|known| known == name).unwrap_or_else(|| {
            self.files.push(name.to_owned());
            self.files.len() - 1
        });
        u16::try_from(position).unwrap_or(u16::MAX)
    }
}

/// The line and the column of a byte of a text, from 1 on; of its end, if it has no such byte.
#[must_use]
pub fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let last = before.rsplit('\n').next().unwrap_or_default();
    (1 + before.matches('\n').count(), 1 + last.chars().count())
}
