//! What is to be checked: files, folders, compilation databases.

use super::files;
use c::database::{self, Entry, Flag};
use report::{Location, Problem};
use std::fs;
use std::path::{Path, PathBuf};

/// A file to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The file.
    pub path: PathBuf,
    /// What the preprocessor is told beside its name.
    pub flags: Vec<String>,
}

/// The files that some arguments stand for, in order, without repetition, and what is
/// wrong with those that stand for none. A folder stands for the `.c` and `.i` files
/// below it, a `.json` file for those that its compilation database lists.
///
/// All of them are preprocessed with these flags, too.
pub fn expand(arguments: &[PathBuf], flags: &[String]) -> (Vec<Input>, Vec<Problem>) {
    let (mut inputs, mut problems) = (Vec::new(), Vec::new());
    for path in arguments {
        let found = if path.is_dir() {
            of_folder(path)
        } else if path.extension().is_some_and(|extension| extension == "json") {
            of_database(path)
        } else {
            // `./a.c` is `a.c`.
            let plain = path.strip_prefix(".").unwrap_or(path).to_owned();
            Ok(vec![Input { path: plain, flags: Vec::new() }])
        };
        match found {
            Ok(found) => {
                for mut input in found {
                    input.flags.extend_from_slice(flags);
                    if !inputs.contains(&input) {
                        inputs.push(input);
                    }
                }
            }
            Err(message) => {
                let location = Location::of_file(&path.display().to_string());
                problems.push(Problem { message, location });
            }
        }
    }
    (inputs, problems)
}

/// The C files below a folder, by name. Hidden folders and links to folders are left
/// out.
fn of_folder(folder: &Path) -> Result<Vec<Input>, String> {
    let mut open = vec![folder.to_owned()];
    let mut paths = Vec::new();
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder)
            .map_err(|error| format!("the folder {} cannot be read: {error}", folder.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            let is_c = path.extension().is_some_and(|it| it == "c" || it == "i");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden => open.push(path),
                Ok(kind) if !kind.is_dir() && is_c => paths.push(path),
                Ok(_) | Err(_) => {}
            }
        }
    }
    if paths.is_empty() {
        return Err("there is no .c or .i file in this folder".to_owned());
    }
    paths.sort();
    Ok(paths.into_iter().map(|path| Input { path, flags: Vec::new() }).collect())
}

fn of_database(path: &Path) -> Result<Vec<Input>, String> {
    let text = files::read_text(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let input = |entry: Entry| {
        let directory = folder.join(&entry.directory);
        let flags = entry.flags.into_iter().flat_map(|flag| match flag {
            Flag::Path(flag, path) => {
                vec![flag.to_owned(), shown(&directory.join(path)).display().to_string()]
            }
            Flag::Text(flag, text) => vec![flag.to_owned(), text],
            Flag::Word(word) => vec![word],
        });
        Input { path: shown(&directory.join(&entry.file)), flags: flags.collect() }
    };
    Ok(database::read(&text)?.into_iter().map(input).collect())
}

/// A path as a person would write it: relative to the current folder, if it is below.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    match path.strip_prefix(&here) {
        Ok(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Ok(below) => below.to_owned(),
        Err(_) => path.to_owned(),
    }
}
