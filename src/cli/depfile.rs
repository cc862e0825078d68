//! `--depfile`: the files that answers depend on, as make and ninja read it.

use super::Check;
use super::request::Requests;
use project::Program;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes which files are behind an output: those of some programs, and those that say how they are
/// read and what is asked of them.
///
/// # Errors
/// The file cannot be written.
pub(super) fn write(
    file: &Path,
    output: &Path,
    (arguments, requests, programs): (&Check, &Requests, &[Program]),
) -> Result<(), String> {
    let named = arguments.files.iter().filter(|it| it.is_file()).cloned();
    let databases = arguments.files.iter().filter_map(|it| database_of(it));
    let of_all = requests.files().map(Path::to_owned).chain(named).chain(databases);
    let of_all = of_all.chain(arguments.spec.iter().cloned()).map(|it| it.display().to_string());
    let files: BTreeSet<String> = programs.iter().flat_map(Program::files).chain(of_all).collect();
    let mut text = format!("{}:", escaped(&output.display().to_string()));
    for name in files {
        text.push_str(" \\\n  ");
        text.push_str(&escaped(&name));
    }
    text.push('\n');
    fs::write(file, text).map_err(|error| format!("{} cannot be written: {error}", file.display()))
}

/// The compilation database that a file or folder may have its flags from.
fn database_of(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(path).ok()?;
    // What is in the folder is below it.
    let file = if path.is_dir() { absolute.join("any.c") } else { absolute };
    project::database_above(&file)
}

/// A name as a word of a makefile.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for symbol in name.chars() {
        match symbol {
            ' ' | '#' | '\\' => text.extend(['\\', symbol]),
            '$' => text.push_str("$$"),
            _ => text.push(symbol),
        }
    }
    text
}
