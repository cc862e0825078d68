//! Build script: embeds every file of `shapes/` and of `src/c/models/` in name
//! order, so that a new shape or a new library model is a new file and nothing else.
#![allow(clippy::print_stdout, reason = "this is how a build script talks to cargo")]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

type Done = Result<(), Box<dyn std::error::Error>>;

fn main() -> Done {
    embed("shapes", "shape", "shapes.rs")?;
    embed("src/c/models", "c", "models.rs")
}

/// Writes a list of the names and texts of the files in a folder.
fn embed(folder: &str, wanted: &str, list: &str) -> Done {
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
