//! `wane.toml`: the settings of a project, and those of some of its files.
//!
//! The nearest one counts: that of the current folder, or else of the folder above it, and so
//! on. Paths and patterns in it are relative to its folder.

use super::errors;
use super::paths::Patterns;
use super::{Checking, Settings};
use project::read_text;
use report::accepted::Home;
use std::path::{Path, PathBuf};

/// What the file is called.
pub(crate) const FILE_NAME: &str = "wane.toml";

/// All that is set for a run: flags over the file.
#[derive(Clone, Debug)]
pub(crate) struct Configuration {
    /// The file, if there is one.
    pub(crate) file: Option<PathBuf>,
    /// From where files are named when answers are recognized: its folder, or the current one.
    pub(crate) home: Home,
    /// What holds for all files.
    pub(crate) settings: Settings,
    /// What the command line alone says.
    flags: Checking,
    /// What holds for files of some names, the later the weightier.
    overrides: Vec<(Patterns, Checking)>,
    included: Patterns,
    excluded: Vec<Patterns>,
}

impl Configuration {
    /// Flags over the file that they name, or else the nearest one.
    ///
    /// # Errors
    /// The file cannot be read, or something in it is no setting; with its place.
    pub(crate) fn read(flags: &Settings, named: Option<&Path>) -> Result<Self, String> {
        let here =
            std::env::current_dir().map_err(|error| format!("no current folder: {error}"))?;
        let file = named.map(Path::to_owned).or_else(|| nearest(&here));
        let of_file = file.as_deref().map_or_else(|| Ok(Settings::default()), of_file)?;
        let folder = file.as_deref().map_or_else(|| here.clone(), |it| folder_of(it, &here));
        let of_flags = |patterns: &[String]| Patterns::read(&here, patterns);
        let name = file.as_deref().unwrap_or(Path::new(FILE_NAME)).display();
        let of_project = |patterns: &[String]| {
            Patterns::read(&folder, patterns).map_err(|why| format!("{name}: {why}"))
        };
        let included = match &flags.include[..] {
            [] => of_project(&of_file.include)?,
            wanted => of_flags(wanted)?,
        };
        let excluded = vec![of_project(&of_file.exclude)?, of_flags(&flags.exclude)?];
        let overrides = of_file.overrides.iter();
        let overrides = overrides.map(|it| Ok((of_project(&it.paths)?, it.check.clone())));
        Ok(Self {
            overrides: overrides.collect::<Result<_, String>>()?,
            settings: flags.clone().over(of_file.in_folder(&shown(&folder, &here))),
            flags: flags.check.clone(),
            included,
            excluded,
            home: Home { here, folder: plain(&folder) },
            file,
        })
    }

    /// All that holds, as a `wane.toml` that says where it is from.
    pub(crate) fn text(&self) -> String {
        let from = match &self.file {
            Some(file) => format!("# from {}", file.display()),
            None => format!("# no {FILE_NAME} here or above"),
        };
        let settings = toml::to_string(&self.settings.clone().with_defaults()).unwrap_or_default();
        format!("{from}\n{settings}")
    }

    /// Whether a file is taken where a folder or a compilation database lists it.
    pub(crate) fn takes(&self, file: &Path) -> bool {
        let is_included = self.included.is_empty() || self.included.name(file);
        is_included && !self.excludes(file)
    }

    /// Whether a pattern of those that are left out names a file.
    pub(crate) fn excludes(&self, file: &Path) -> bool {
        self.excluded.iter().any(|it| it.name(file))
    }

    /// What is asked of a file.
    pub(crate) fn check_of(&self, file: &Path) -> Checking {
        let own = self.overrides.iter().filter(|(patterns, _)| patterns.name(file));
        let own = own.fold(Checking::default(), |below, (_, it)| it.clone().over(below));
        self.flags.clone().over(own).over(self.settings.check.clone())
    }
}

/// The file in a folder, or in the nearest one above it; a folder of that name is none, which is
/// said when it is read.
fn nearest(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|it| it.join(FILE_NAME)).find(|it| it.exists())
}

/// A folder without `.` and `..`.
fn plain(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// The folder of a file, absolute.
fn folder_of(file: &Path, here: &Path) -> PathBuf {
    here.join(file.parent().unwrap_or(Path::new("")))
}

/// A folder as a person in `here` would name it.
fn shown(folder: &Path, here: &Path) -> PathBuf {
    folder.strip_prefix(here).unwrap_or(folder).to_owned()
}

fn of_file(file: &Path) -> Result<Settings, String> {
    let name = file.display();
    let text = read_text(file)?;
    if std::fs::read(file).is_ok_and(|bytes| bytes != text.as_bytes()) {
        let start = text.find(char::REPLACEMENT_CHARACTER).unwrap_or_default();
        let (line, column) = base::source::line_and_column(&text, start);
        return Err(format!("{name}:{line}:{column}: this is no UTF-8"));
    }
    let wrong = |error: toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start);
        let (line, column) = base::source::line_and_column(&text, start);
        format!("{name}:{line}:{column}: {}", errors::in_words(error.message()))
    };
    toml::from_str(&text).map_err(wrong)
}
