//! Names this build: a number that changes with the text of any file that wane is made of, so
//! that answers of an earlier build are not taken for its own.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../..");
    let mut files = Vec::new();
    for folder in ["src", "grammar", "shapes", "docs/codes"] {
        collect(&root.join(folder), &mut files);
        println!("cargo:rerun-if-changed={}", root.join(folder).display());
    }
    files.push(root.join("Cargo.lock"));
    println!("cargo:rerun-if-changed={}", root.join("Cargo.lock").display());
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.strip_prefix(&root).unwrap_or(&file).hash(&mut hasher);
        fs::read(&file).unwrap_or_default().hash(&mut hasher);
    }
    println!("cargo:rustc-env=WANE_BUILD={:016x}", hasher.finish());
}

/// All files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
