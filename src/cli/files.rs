//! Files of the user.

use std::fs;
use std::path::Path;
use wane::analyze::Source;
use wane::c::PreprocessedSource;
use wane::heap::shape::ShapeError;
use wane::report::{Location, Problem, Report, Texts};

/// Larger files are refused.
const MAX_BYTES: u64 = 64 << 20;

/// The text of a file; bytes that are no UTF-8 are replaced.
pub(super) fn read_text(path: &Path) -> Result<String, String> {
    let name = path.display();
    let about = |error: std::io::Error| format!("{name} cannot be read: {error}");
    let metadata = fs::metadata(path).map_err(about)?;
    if metadata.is_dir() {
        return Err(format!("{name} is a directory"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(format!("{name} has more than {} MiB", MAX_BYTES >> 20));
    }
    let bytes = fs::read(path).map_err(about)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// How `.c` files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preprocessing {
    /// By the system's preprocessor, where the file has directives.
    On,
    /// Not at all.
    Off,
}

/// Reads a file to be checked.
pub(super) fn read_source(path: &Path, preprocessing: Preprocessing) -> Result<Source, Vec<Problem>> {
    let name = path.display().to_string();
    let problem = |message: String| vec![Problem { message, location: Location::of_file(&name) }];
    let text = |path| read_text(path).map_err(problem);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c") if preprocessing == Preprocessing::On => preprocess(path),
        Some("c" | "i") => Ok(Source::C(PreprocessedSource { text: text(path)?, name })),
        Some("goto") => Ok(Source::Goto { text: text(path)?, name }),
        Some("smt2" | "t2") => {
            text(path)?;
            Ok(Source::NotBuilt { name, what: "questions about transition systems".to_owned() })
        }
        _ => {
            text(path)?;
            Err(problem("this is no .c, .i or .goto file".to_owned()))
        }
    }
}

fn preprocess(path: &Path) -> Result<Source, Vec<Problem>> {
    let name = path.display().to_string();
    let text = read_text(path)
        .map_err(|message| vec![Problem { message, location: Location::of_file(&name) }])?;
    Ok(Source::C(PreprocessedSource { name, text }))
}

/// The files that a report points into, as far as they can be read.
pub(super) fn texts(report: &Report) -> Texts {
    let mut texts = Texts::new();
    for name in report.files() {
        if !texts.contains_key(name)
            && let Ok(text) = read_text(Path::new(name))
        {
            texts.insert(name.to_owned(), text);
        }
    }
    texts
}

/// `file:line:column: message` of an error in a shape file.
pub(super) fn shape_error(path: &Path, text: &str, error: &ShapeError) -> String {
    let before = text.get(..error.range.start).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
    format!("{}:{line}:{column}: {}", path.display(), error.message)
}
