//! `--depfile`: the files that answers depend on, as make and ninja read it.

use super::Check;
use super::request::Requests;
use project::Program;
use std::collections::BTreeSet;
use std::fs;

/// Writes the files behind some programs and what is asked of them, if that is wanted.
///
/// # Errors
/// The file cannot be written.
pub(super) fn write(
    arguments: &Check,
    requests: &Requests,
    programs: &[Program],
) -> Result<(), String> {
    let (Some(file), Some(output)) = (&arguments.depfile, &arguments.telling.output) else {
        return Ok(());
    };
    let of_all = requests.files().map(|it| it.display().to_string());
    let files: BTreeSet<String> = programs.iter().flat_map(Program::files).chain(of_all).collect();
    let mut text = format!("{}:", escaped(&output.display().to_string()));
    for name in files {
        text.push_str(" \\\n  ");
        text.push_str(&escaped(&name));
    }
    text.push('\n');
    fs::write(file, text).map_err(|error| format!("{} cannot be written: {error}", file.display()))
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
