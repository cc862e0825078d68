//! Programs that differ in one line: with some lines they are right, with others
//! they are not (`tests/trust/tampering`).

#![allow(dead_code, reason = "each test uses a part")]

use std::path::Path;
use wane::c::{PreprocessedSource, compile};
use wane::ir::Program;
use wane::obligation::Goal;
use wane::question::Question;
use wane::reduce::plain;

use crate::headers::options;

/// A program with a hole, and what fills it.
pub(crate) struct Near {
    /// The file.
    pub(crate) name: String,
    /// What is asked.
    pub(crate) goal: Goal,
    /// Of these it is true.
    pub(crate) good: Vec<Program>,
    /// Of these it is false.
    pub(crate) bad: Vec<Program>,
}

/// All of them, in the order of their names.
pub(crate) fn families() -> Vec<Near> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tampering");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files.iter().map(|path| family(path)).collect()
}

fn family(path: &Path) -> Near {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let (head, body): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("// "));
    let of = |key: &str| -> Vec<&str> {
        head.iter().filter_map(|line| line.strip_prefix("// ")?.strip_prefix(key)).collect()
    };
    let body = body.join("\n");
    let filled = |line: &&str| {
        let text = body.replace("HOLE", line);
        compile(
            &PreprocessedSource { name: name.clone(), text },
            &options("--int-model=math").unwrap(),
        )
        .unwrap()
    };
    let question = Question::from_name(of("property: ")[0]).unwrap();
    Near {
        goal: plain::goal(&question).unwrap(),
        good: of("good: ").iter().map(filled).collect(),
        bad: of("bad: ").iter().map(filled).collect(),
        name,
    }
}
