//! Patterns of files, as `.gitignore` and its kin write them: `tests/**`, `*.gen.c`.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use std::path::{Path, PathBuf};

/// Patterns that stand in one folder.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    /// The folder, absolute.
    folder: PathBuf,
    patterns: GlobSet,
}

impl Patterns {
    /// Reads patterns; `/` is never matched by `*`, and `**` matches any folders. A pattern
    /// without `/` names files and folders of any depth, one with it is relative to the folder. A
    /// folder stands for all that is below it.
    ///
    /// # Errors
    /// What is wrong with one of them.
    pub(super) fn read(folder: &Path, patterns: &[String]) -> Result<Self, String> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let own = pattern.strip_prefix("./").unwrap_or(pattern).trim_end_matches('/');
            let anywhere = if own.contains('/') { "" } else { "**/" };
            let placed = format!("{anywhere}{}", own.trim_start_matches('/'));
            for variant in [placed.clone(), format!("{placed}/**")] {
                set.add(glob(&variant).map_err(|why| format!("`{pattern}` is no pattern: {why}"))?);
            }
        }
        let patterns = set.build().map_err(|error| error.to_string())?;
        Ok(Self { folder: folder.to_owned(), patterns })
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Whether one of them names a file, which is relative to the current folder.
    pub(super) fn name(&self, file: &Path) -> bool {
        let plain = file.strip_prefix(".").unwrap_or(file);
        let absolute = std::path::absolute(plain).unwrap_or_else(|_| plain.to_owned());
        let below = absolute.strip_prefix(&self.folder).unwrap_or(&absolute);
        self.patterns.is_match(below)
    }
}

fn glob(pattern: &str) -> Result<Glob, String> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).backslash_escape(true).build();
    glob.map_err(|error| error.kind().to_string())
}
