//! Programs with their truth and what wane says of them.
//!
//! A case is a file under `tests/cases` whose first lines are
//!
//! ```text
//! // property: termination
//! // truth: holds              or: fails. Fixed by hand, never by the tool; a run
//! //                           without defined behaviour does not end well
//! // expect: proved            or: refuted, unknown(CODE)
//! // options: --entry f        if it needs any
//! ```
//!
//! A verdict against the truth is UNSOUND. A verdict against the expectation is
//! changed precision: when the change is wanted, `WANE_ACCEPT=1 cargo test
//! --test proofs cases` writes it into the files, and `cargo insta accept` into the
//! dashboard, which counts them. `WANE_CASE` names a single case to be run.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::headers;

use headers::Case;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};
use wane::heap::shape::ShapeLibrary;

/// Deep programs need deep recursion.
const STACK_SIZE: usize = 256 << 20;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// All files of the folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension().and_then(|it| it.to_str()) {
                None => open.push(path),
                Some("c" | "goto") => found.push(path),
                Some(_) => {}
            }
        }
    }
    found.sort();
    found
}

/// What wane says of each case.
fn run_all(cases: &[Case]) -> Vec<String> {
    let library = ShapeLibrary::builtin().unwrap();
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(vec![String::new(); cases.len()]);
    let work = || {
        loop {
            let position = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(position) else { return };
            let verdict = case.run(&library);
            verdicts.lock().unwrap()[position] = verdict;
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, std::num::NonZero::get) {
            thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work).unwrap();
        }
    });
    verdicts.into_inner().unwrap()
}

/// What is wrong with a verdict.
fn complaint(case: &Case, verdict: &str) -> Option<String> {
    let contradicts = matches!((case.holds, verdict), (true, "refuted") | (false, "proved"));
    if contradicts {
        Some(format!("UNSOUND: {}: says {verdict}, against the truth", case.name))
    } else if verdict != case.expect {
        Some(format!("changed precision: {}: says {verdict}, expected {}", case.name, case.expect))
    } else {
        None
    }
}

/// Writes a verdict into the case's `expect` line.
fn accept(case: &Case, verdict: &str) {
    let text = fs::read_to_string(&case.path).unwrap();
    let (old, new) = (format!("// expect: {}\n", case.expect), format!("// expect: {verdict}\n"));
    fs::write(&case.path, text.replacen(&old, &new, 1)).unwrap();
}

/// A row for each folder: how many cases hold and were proved, fail and were refuted, and the codes
/// of the others.
#[derive(Default)]
struct Row<'a> {
    proved: [usize; 2],
    refuted: [usize; 2],
    open: BTreeMap<&'a str, usize>,
}

impl<'a> Row<'a> {
    fn add(&mut self, case: &Case, verdict: &'a str) {
        let (reached, all) =
            if case.holds { ("proved", &mut self.proved) } else { ("refuted", &mut self.refuted) };
        all[0] += usize::from(verdict == reached);
        all[1] += 1;
        if let Some(code) = verdict.strip_prefix("unknown(").and_then(|it| it.strip_suffix(')')) {
            *self.open.entry(code).or_default() += 1;
        }
    }

    fn text(&self, name: &str) -> String {
        let of = |[some, all]: [usize; 2]| format!("{some} of {all}");
        let open = self.open.iter().map(|(code, n)| format!("{code} {n}"));
        let open = Vec::from_iter(open).join(", ");
        let row = format!("{name:14} {:11} {:11} {open}", of(self.proved), of(self.refuted));
        row.trim_end().to_owned() + "\n"
    }
}

fn dashboard(cases: &[Case], verdicts: &[String]) -> String {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut all = Row::default();
    for (case, verdict) in cases.iter().zip(verdicts) {
        let folder = case.name.split('/').next().unwrap();
        rows.entry(folder).or_default().add(case, verdict);
        all.add(case, verdict);
    }
    let rows = rows.iter().map(|(name, row)| row.text(name));
    let head = "folder         proved      refuted     unknown\n".to_owned();
    [head].into_iter().chain(rows).chain([all.text("all")]).collect()
}

#[test]
fn every_case_has_the_expected_verdict() {
    let root = folder();
    let mut cases: Vec<Case> =
        files(&root).into_iter().map(|path| Case::of_file(&root, path).unwrap()).collect();
    let single = env::var("WANE_CASE").ok();
    cases.retain(|case| single.as_ref().is_none_or(|name| case.name == *name));
    let verdicts = run_all(&cases);
    let mut complaints = Vec::new();
    for (case, verdict) in cases.iter().zip(&verdicts) {
        let Some(complaint) = complaint(case, verdict) else { continue };
        if env::var_os("WANE_ACCEPT").is_some() && !complaint.starts_with("UNSOUND") {
            accept(case, verdict);
        } else {
            complaints.push(complaint);
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    if single.is_some() {
        assert_eq!(cases.len(), 1);
        return;
    }
    insta::with_settings!({ snapshot_path => "../../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("dashboard", dashboard(&cases, &verdicts));
    });
}

#[test]
fn complaints_tell_unsound_from_imprecise() {
    let root = folder();
    let path = root.join("goto/countdown.goto");
    let case =
        Case { expect: "proved".to_owned(), holds: true, ..Case::of_file(&root, path).unwrap() };
    assert_eq!(complaint(&case, "proved"), None);
    assert!(complaint(&case, "refuted").unwrap().starts_with("UNSOUND"));
    assert!(complaint(&case, "unknown(W030)").unwrap().starts_with("changed precision"));
    let wrong = Case { holds: false, ..case };
    assert!(complaint(&wrong, "proved").unwrap().starts_with("UNSOUND"));
}
