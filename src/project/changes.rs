//! Which files are behind a program, and which of them have changed.

use super::{Linked, Program};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Files that have changed.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Those that are there, absolute.
    files: BTreeSet<PathBuf>,
    /// A C file that is not there any more: what it defined may be missing anywhere.
    gone: Option<PathBuf>,
}

impl Changes {
    /// Files by their names, relative to the current folder.
    #[must_use]
    pub fn of_files(names: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut changes = Self::default();
        for name in names {
            match name.canonicalize() {
                Ok(path) => drop(changes.files.insert(path)),
                Err(_) if is_c(&name) => drop(changes.gone.get_or_insert(name)),
                Err(_) => {}
            }
        }
        changes
    }

    /// A C file that is not there: all that was read counts as changed then.
    #[must_use]
    pub fn gone(&self) -> Option<&Path> {
        self.gone.as_deref()
    }

    /// The files of a program, as its places name them, whose code may have changed: those of each
    /// C file that has changed itself, or includes one that has.
    #[must_use]
    pub fn within(&self, program: &Program) -> BTreeSet<String> {
        let mut touched = BTreeSet::new();
        let units: Vec<BTreeSet<String>> = match program {
            Program::C(Linked { sources, .. }) => {
                sources.iter().map(|source| files_of(&source.name, &source.text)).collect()
            }
            Program::System(_) => vec![BTreeSet::from([program.name().to_owned()])],
        };
        for files in units {
            if self.gone.is_some() || files.iter().any(|file| self.has(file)) {
                touched.extend(files);
            }
        }
        touched
    }

    fn has(&self, name: &str) -> bool {
        Path::new(name).canonicalize().is_ok_and(|path| self.files.contains(&path))
    }
}

fn is_c(name: &Path) -> bool {
    name.extension().is_some_and(|it| it == "c" || it == "i" || it == "h")
}

impl Program {
    /// All files that its text was read from, headers included.
    #[must_use]
    pub fn files(&self) -> BTreeSet<String> {
        match self {
            Self::C(linked) => {
                let sources = linked.sources.iter();
                sources.flat_map(|source| files_of(&source.name, &source.text)).collect()
            }
            Self::System(_) => BTreeSet::from([self.name().to_owned()]),
        }
    }
}

/// A file, and those that line markers of the preprocessor name in its text.
fn files_of(name: &str, text: &str) -> BTreeSet<String> {
    let named = text.lines().filter_map(|line| {
        let rest = line.strip_prefix("# ")?;
        let (number, rest) = rest.split_once(" \"")?;
        let is_marker = number.bytes().all(|byte| byte.is_ascii_digit());
        let (file, _) = rest.split_once('"')?;
        (is_marker && !file.starts_with('<')).then(|| file.to_owned())
    });
    named.chain([name.to_owned()]).collect()
}
