//! Build scripts' help: embeds every file of a folder in name order, so that a new shape or a new
//! library model is a new file and nothing else.
#![allow(clippy::print_stdout, reason = "this is how a build script talks to cargo")]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// Writes `list` into the folder of the build: an expression that lists the names and the texts of
/// the files with the extension `wanted` in `folder`, which is relative to the package.
///
/// # Errors
/// Where the folder cannot be read, the list not be written, or no build is under way.
pub fn embed(folder: &str, wanted: &str, list: &str) -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(folder);
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == wanted))
        .collect();
    files.sort();
    let mut code = String::from("&[\n");
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        writeln!(code, "    ({name:?}, include_str!({:?})),", path.display().to_string())?;
    }
    code.push(']');
    fs::write(Path::new(&env::var("OUT_DIR")?).join(list), code)?;
    Ok(())
}
