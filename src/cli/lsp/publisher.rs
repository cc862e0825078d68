//! Which diagnostics the client has, by file. Several documents may have some for one header.

use lsp_types::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type ByFile = BTreeMap<PathBuf, Vec<Diagnostic>>;

/// The diagnostics that each document has led to.
#[derive(Debug, Default)]
pub(super) struct Publisher(BTreeMap<PathBuf, ByFile>);

impl Publisher {
    /// A document leads to these from now on. The result are the files whose diagnostics change,
    /// with all that they have.
    pub(super) fn update(&mut self, document: &Path, found: ByFile) -> ByFile {
        let before = self.0.insert(document.to_owned(), found).unwrap_or_default();
        let after = self.0.get(document);
        let files: BTreeSet<PathBuf> =
            before.keys().chain(after.into_iter().flat_map(BTreeMap::keys)).cloned().collect();
        let is_changed =
            |file: &PathBuf| before.get(file) != after.and_then(|after| after.get(file));
        let changed: Vec<PathBuf> = files.into_iter().filter(is_changed).collect();
        changed.into_iter().map(|file| (file.clone(), self.all_of(&file))).collect()
    }

    /// A document leads to none any more.
    pub(super) fn remove(&mut self, document: &Path) -> ByFile {
        let changed = self.update(document, ByFile::new());
        self.0.remove(document);
        changed
    }

    /// All diagnostics of a file.
    pub(super) fn all_of(&self, file: &Path) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = Vec::new();
        for diagnostic in self.0.values().filter_map(|it| it.get(file)).flatten() {
            if !all.contains(diagnostic) {
                all.push(diagnostic.clone());
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{ByFile, Publisher};
    use lsp_types::Diagnostic;
    use std::path::Path;

    #[test]
    fn headers_have_the_diagnostics_of_all_documents() {
        let found = |file: &str, messages: &[&str]| {
            let one = |message: &&str| Diagnostic {
                message: (*message).to_owned(),
                ..Diagnostic::default()
            };
            ByFile::from([(file.into(), messages.iter().map(one).collect())])
        };
        let counted =
            |changed: ByFile| changed.into_values().map(|it| it.len()).collect::<Vec<_>>();
        let mut publisher = Publisher::default();
        let (one, two) = (Path::new("1.c"), Path::new("2.c"));
        assert_eq!(counted(publisher.update(one, found("a.h", &["x", "y"]))), [2]);
        assert_eq!(counted(publisher.update(two, found("a.h", &["y", "z"]))), [3]);
        assert!(publisher.update(two, found("a.h", &["y", "z"])).is_empty(), "nothing is new");
        assert_eq!(counted(publisher.remove(one)), [2]);
        assert_eq!(counted(publisher.remove(two)), [0]);
    }
}
