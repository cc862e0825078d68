//! The documents that an editor has open, with their texts as they are there.

use super::names;
use super::positions::Encoding;
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A document.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// Its name, as the editor writes it.
    pub(super) uri: Uri,
    /// Its text, perhaps not saved yet.
    pub(super) text: String,
}

impl Document {
    /// Makes changes, one after the other.
    pub(super) fn change(
        &mut self,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        for change in changes {
            let Some(range) = change.range else {
                self.text = change.text;
                continue;
            };
            let start = encoding.byte_of_text(&self.text, range.start);
            let end = encoding.byte_of_text(&self.text, range.end).max(start);
            self.text.replace_range(start..end, &change.text);
        }
    }
}

/// All that are open, by path.
#[derive(Debug, Default)]
pub(super) struct Documents(BTreeMap<PathBuf, Document>);

impl Documents {
    /// The document is open now.
    pub(super) fn open(&mut self, path: PathBuf, document: Document) {
        self.0.insert(path, document);
    }

    /// It is open no more.
    pub(super) fn close(&mut self, path: &Path) {
        self.0.remove(path);
    }

    /// The document, if it is open.
    pub(super) fn get(&self, path: &Path) -> Option<&Document> {
        self.0.get(path)
    }

    /// The same, to change it.
    pub(super) fn get_mut(&mut self, path: &Path) -> Option<&mut Document> {
        self.0.get_mut(path)
    }

    /// The paths of all.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.keys()
    }

    /// The name of a file, as the editor writes it where it has opened it.
    pub(super) fn uri(&self, path: &Path) -> Option<Uri> {
        self.get(path).map(|document| document.uri.clone()).or_else(|| names::uri_of(path))
    }
}

/// Whether a file is checked by itself. Headers are a matter of those that include them.
pub(super) fn is_checked(path: &Path) -> bool {
    path.extension().is_none_or(|it| it != "h")
}

#[cfg(test)]
mod tests {
    use super::{Document, Encoding};
    use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
    use std::str::FromStr as _;

    #[test]
    fn changes_are_made_in_their_order() {
        let uri = Uri::from_str("file:///a.c").unwrap();
        let mut document = Document { uri, text: "int \u{1f980} a;\nint b;\n".to_owned() };
        let change = |from: (u32, u32), to: (u32, u32), text: &str| {
            let [start, end] = [from, to].map(|(line, column)| Position::new(line, column));
            let range = Some(Range::new(start, end));
            TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
        };
        let changes = vec![
            change((0, 7), (0, 8), "x"),
            change((1, 0), (2, 0), ""),
            change((9, 9), (9, 9), "// end"),
            change((0, 2), (0, 1), "!"),
        ];
        document.change(changes, Encoding::Utf16);
        assert_eq!(document.text, "in!t \u{1f980} x;\n// end");
    }
}
