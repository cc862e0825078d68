//! Files and pipes, and what language they are in.

use super::inputs::Input;
use analyze::{self, Source};
use c::preprocess::{preprocess_text, preprocess_with};
use c::{DataModel, PreprocessedSource};
use report::{Location, Problem};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

/// What was read from the standard input, which can be read once only.
static TYPED: OnceLock<String> = OnceLock::new();

/// Larger files are refused.
const MAX_BYTES: u64 = 64 << 20;

/// The text of a file; bytes that are no UTF-8 are replaced.
///
/// # Errors
/// Why it cannot be read, with its name: it is none, a folder, or larger than 64 MiB.
pub fn read_text(path: &Path) -> Result<String, String> {
    if let Some(text) = TYPED.get().filter(|_| path == Path::new("-")) {
        return Ok(text.clone());
    }
    check_readable(path)?;
    let bytes = fs::read(path).map_err(|error| unreadable(path, &error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("{} cannot be read: {error}", path.display())
}

/// Only plain files of reasonable size are read.
fn check_readable(path: &Path) -> Result<(), String> {
    let metadata = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if metadata.is_dir() {
        Err(format!("{} is a directory", path.display()))
    } else if !metadata.is_file() {
        // A pipe would be waited for, and a device may have no end.
        Err(format!("{} is no regular file", path.display()))
    } else if metadata.len() > MAX_BYTES {
        Err(format!("{} has more than {} MiB", path.display(), MAX_BYTES >> 20))
    } else {
        Ok(())
    }
}

/// How `.c` files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preprocessing {
    /// By the system's preprocessor, where the file has directives.
    On,
    /// Not at all.
    Off,
}

/// Reads a file to be checked.
pub(super) fn read_source(
    input: &Input,
    preprocessing: Preprocessing,
    data_model: DataModel,
) -> Result<Source, Vec<Problem>> {
    let path = input.path.as_path();
    let name = path.display().to_string();
    let problem = |message: String| vec![Problem { message, location: Location::of_file(&name) }];
    if path == Path::new("-") || is_pipe(path) {
        return read_pipe(input, preprocessing, data_model);
    }
    check_readable(path).map_err(problem)?;
    let text = || read_text(path).map_err(problem);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c") if preprocessing == Preprocessing::Off => {
            Ok(Source::C(PreprocessedSource { text: text()?, name }))
        }
        Some("c" | "i") => preprocess_with(path, data_model, &input.flags)
            .map(Source::C)
            .map_err(|rejection| analyze::problems(&rejection)),
        Some("goto") => Ok(Source::Goto { text: text()?, name }),
        Some("smt2") => Ok(Source::Smt { text: text()?, name }),
        Some("t2") => Ok(Source::T2 { text: text()?, name }),
        _ => Err(problem("this is no .c, .i, .goto, .smt2 or .t2 file".to_owned())),
    }
}

/// Whether a file is in a format that leaves nothing to other files.
pub(super) fn is_system(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("goto" | "smt2" | "t2"))
}

fn is_pipe(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir())
}

/// Reads C from the standard input or a pipe, which can be read once only.
fn read_pipe(
    input: &Input,
    preprocessing: Preprocessing,
    data_model: DataModel,
) -> Result<Source, Vec<Problem>> {
    let name = input.path.display().to_string();
    let problem = |message: String| vec![Problem { message, location: Location::of_file(&name) }];
    let read = |source: &mut dyn Read| {
        let mut bytes = Vec::new();
        source.take(MAX_BYTES + 1).read_to_end(&mut bytes).map(|_| bytes)
    };
    let bytes = if name == "-" {
        read(&mut std::io::stdin().lock())
    } else {
        fs::File::open(&input.path).and_then(|mut file| read(&mut file))
    };
    let bytes = bytes.map_err(|error| problem(unreadable(&input.path, &error)))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(problem(format!("{name} has more than {} MiB", MAX_BYTES >> 20)));
    }
    if name == "-" {
        TYPED.get_or_init(|| String::from_utf8_lossy(&bytes).into_owned());
    }
    match preprocessing {
        Preprocessing::Off => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Ok(Source::C(PreprocessedSource { text, name }))
        }
        Preprocessing::On => preprocess_text(&name, &bytes, data_model, &input.flags)
            .map(Source::C)
            .map_err(|rejection| analyze::problems(&rejection)),
    }
}
