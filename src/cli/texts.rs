//! The texts that reports and errors point into.

use base::source::line_and_column;
use heap::shape::ShapeError;
use project::read_text;
use report::{Report, Texts};
use std::path::Path;

/// The files that a report points into, as far as they can be read.
pub(super) fn of(report: &Report) -> Texts {
    let mut texts = Texts::new();
    add_texts(report, &mut texts);
    texts
}

/// Adds those that are not known yet, and returns them.
pub(super) fn add_texts(report: &Report, texts: &mut Texts) -> Texts {
    let mut added = Texts::new();
    for name in report.files() {
        if !texts.contains_key(name)
            && let Ok(text) = read_text(Path::new(name))
        {
            added.insert(name.to_owned(), text.clone());
            texts.insert(name.to_owned(), text);
        }
    }
    added
}

/// `file:line:column: message` of an error in a shape file.
pub(super) fn shape_error(path: &Path, text: &str, error: &ShapeError) -> String {
    let (line, column) = line_and_column(text, error.range.start);
    format!("{}:{line}:{column}: {}", path.display(), error.message)
}
