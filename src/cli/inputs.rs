//! What is to be checked: files, folders, compilation databases.

use super::files;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use wane::report::{Location, Problem};

/// A file to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Input {
    /// The file.
    pub(super) path: PathBuf,
    /// What the preprocessor is told beside its name.
    pub(super) flags: Vec<String>,
}

/// The files that some arguments stand for, in order, without repetition, and what is
/// wrong with those that stand for none. A folder stands for the `.c` and `.i` files
/// below it, a `.json` file for those that its compilation database lists.
pub(super) fn expand(arguments: &[PathBuf]) -> (Vec<Input>, Vec<Problem>) {
    let (mut inputs, mut problems) = (Vec::new(), Vec::new());
    for path in arguments {
        let found = if path.is_dir() {
            of_folder(path)
        } else if path.extension().is_some_and(|extension| extension == "json") {
            of_database(path)
        } else {
            Ok(vec![Input { path: path.clone(), flags: Vec::new() }])
        };
        match found {
            Ok(found) => {
                for input in found {
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

/// An entry of a compilation database, as Clang documents it.
#[derive(Debug, Deserialize)]
struct Compilation {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

fn of_database(path: &Path) -> Result<Vec<Input>, String> {
    let text = files::read_text(path)?;
    let entries: Vec<Compilation> = serde_json::from_str(&text)
        .map_err(|error| format!("this is no compilation database: {error}"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut inputs = Vec::new();
    for entry in entries {
        let directory = folder.join(&entry.directory);
        let path = shown(&directory.join(&entry.file));
        if !path.extension().is_some_and(|it| it == "c" || it == "i") {
            continue;
        }
        let words = if entry.arguments.is_empty() {
            shlex::split(&entry.command).ok_or_else(|| {
                format!("the command for {} has an open quote", entry.file.display())
            })?
        } else {
            entry.arguments
        };
        inputs.push(Input { path, flags: preprocessor_flags(&words, &directory) });
    }
    if inputs.is_empty() {
        return Err("this compilation database lists no .c file".to_owned());
    }
    Ok(inputs)
}

/// A path as a person would write it: relative to the current folder, if it is below.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).map_or_else(|_| path.to_owned(), Path::to_owned)
}

/// Flags that name a folder or file, and those that do not.
const WITH_PATH: [&str; 5] = ["-I", "-isystem", "-iquote", "-idirafter", "-include"];
const WITH_TEXT: [&str; 2] = ["-D", "-U"];

/// What of a compiler's command line is for the preprocessor; paths are made relative
/// to the current folder.
fn preprocessor_flags(words: &[String], directory: &Path) -> Vec<String> {
    let mut flags = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let known = WITH_PATH.iter().chain(&WITH_TEXT).find(|flag| word.starts_with(**flag));
        let Some(flag) = known else { continue };
        let joined = &word[flag.len()..];
        let value = if joined.is_empty() { words.next().cloned() } else { Some(joined.to_owned()) };
        let Some(value) = value else { continue };
        flags.push((*flag).to_owned());
        flags.push(if WITH_PATH.contains(flag) {
            shown(&directory.join(value)).display().to_string()
        } else {
            value
        });
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::preprocessor_flags;
    use std::path::Path;

    #[test]
    fn only_what_the_preprocessor_needs_is_kept() {
        let line = "cc -O2 -Iinclude -isystem /opt/x -DN=3 -U M -include a.h -Wall -c b.c -o b.o";
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let flags = preprocessor_flags(&words, Path::new("/p")).join(" ");
        assert_eq!(flags, "-I /p/include -isystem /opt/x -D N=3 -U M -include /p/a.h");
    }
}
