//! The rules that keep the house in order, as tests.
//!
//! Imports go to an earlier layer of `src/lib.rs` only; provers and the check know no
//! questions, and the check no search; every file says in its first line what it is; no file is longer than 600 lines; some words do not
//! occur.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fs;
use std::path::{Path, PathBuf};

const MAX_LINES: usize = 600;

/// What no source file may contain; assembled, so that this file passes.
fn forbidden_words() -> Vec<String> {
    let words = [
        ["todo", "!"],
        ["unimpl", "emented!"],
        ["#[ign", "ore"],
        ["dbg", "!("],
        ["/wo", "rk/"],
        ["/ho", "me/"],
        ["../sha", "red"],
    ];
    words.iter().map(|halves| halves.concat()).collect()
}

struct SourceFile {
    /// Its name below the repository.
    name: String,
    text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files of some folders, in the order of their names.
fn rust_files(folders: &[&str]) -> Vec<SourceFile> {
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root()).unwrap().display().to_string();
                files.push(SourceFile { name, text: fs::read_to_string(&path).unwrap() });
            }
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

/// The layers, lowest first: the `pub mod` lines of `src/lib.rs`.
fn layers(lib: &str) -> Vec<String> {
    let names = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    names.map(str::to_owned).collect()
}

/// The layer that a file of `src` belongs to; `lib.rs` and the binary have none.
fn layer_of<'a>(name: &str, layers: &'a [String]) -> Option<&'a str> {
    let below = name.strip_prefix("src/")?;
    let first = below.split('/').next()?.trim_end_matches(".rs");
    layers.iter().find(|layer| *layer == first).map(String::as_str)
}

/// The layers that a text names by `crate::`, with line numbers. Comments may
/// name any layer.
fn imports(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        for (start, marker) in code.match_indices("crate::") {
            // `$crate::` in a macro names the same crate.
            let rest = &code[start + marker.len()..];
            let names = match rest.strip_prefix('{') {
                Some(group) => group.split(',').map(str::trim).map(first_word).collect(),
                None => vec![first_word(rest)],
            };
            found.extend(
                names.into_iter().filter(|name| !name.is_empty()).map(|name| (number + 1, name)),
            );
        }
    }
    found
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

/// Unit tests may use what they like: an oracle often is in a later layer.
fn is_test(name: &str) -> bool {
    name.ends_with("tests.rs") || name.contains("/tests/")
}

/// The imports of a file that go against the order.
fn upward_imports(file: &SourceFile, layers: &[String]) -> Vec<String> {
    if is_test(&file.name) {
        return Vec::new();
    }
    let Some(own) = layer_of(&file.name, layers) else { return Vec::new() };
    let position = |name: &str| layers.iter().position(|layer| layer == name);
    imports(&file.text)
        .into_iter()
        .filter(|(_, target)| position(target).is_some_and(|target| Some(target) > position(own)))
        .map(|(line, target)| format!("{}:{line}: `{own}` may not know `{target}`", file.name))
        .collect()
}

/// The rooms that know obligations and nothing of what users ask, tests included.
const ROOMS_OF_OBLIGATIONS: [&str; 6] =
    ["rank", "obligation", "evidence", "sonar", "verdict", "prove"];

/// Where a file below the reductions names a question.
fn questions_named(file: &SourceFile, layers: &[String]) -> Vec<String> {
    match layer_of(&file.name, layers) {
        Some(own) if ROOMS_OF_OBLIGATIONS.contains(&own) => {}
        _ => return Vec::new(),
    }
    let named = imports(&file.text).into_iter().filter(|(_, target)| target == "question");
    named.map(|(line, _)| format!("{}:{line}: names a question", file.name)).collect()
}

/// The parts of the shape analysis that search. The rules of execution are the others.
const SEARCHES: [&str; 9] = [
    "abstraction",
    "covering",
    "fixpoint",
    "merge",
    "plan",
    "searching",
    "strategy",
    "thresholds",
    "transitions",
];

/// The rules of execution: what the check shares with the search.
const RULES: [&str; 23] = [
    "address",
    "bits",
    "constants",
    "contract",
    "copying",
    "departure",
    "eval",
    "execute",
    "explore",
    "explore/call",
    "explore/sort",
    "forgetting",
    "guide",
    "memory",
    "overwritten",
    "passing",
    "product",
    "quotient",
    "rearrange",
    "rows",
    "semantics",
    "strings",
    "summary",
];

/// What rules may not name: what the search reads, and what looks for shapes.
const NOT_FOR_RULES: [&str; 4] = ["Machine", "Strategy", "entail::fold", "entail::entailment"];

/// Where a rule names a search, or what that reads.
fn searches_in_rules(file: &SourceFile) -> Vec<String> {
    let own = file.name.strip_prefix("src/sonar/").and_then(|it| it.strip_suffix(".rs"));
    if !own.is_some_and(|own| RULES.contains(&own)) {
        return Vec::new();
    }
    let mut complaints = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        let is_import = code.starts_with("use super::") || code.starts_with("use crate::sonar::");
        let searches = SEARCHES.iter().filter(|name| is_import && code.contains(**name));
        let named = searches.chain(NOT_FOR_RULES.iter().filter(|name| code.contains(**name)));
        complaints.extend(named.map(|name| format!("{}:{}: `{name}`", file.name, number + 1)));
    }
    complaints
}

/// Where the check names a search.
fn searches_named(file: &SourceFile) -> Vec<String> {
    if !file.name.starts_with("src/verdict/") || is_test(&file.name) {
        return Vec::new();
    }
    let mut complaints = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        let named = SEARCHES.iter().find(|name| code.contains(&format!("sonar::{name}")));
        complaints.extend(named.map(|name| format!("{}:{}: `{name}`", file.name, number + 1)));
    }
    complaints
}

/// What is wrong with one file by itself.
fn untidy(file: &SourceFile) -> Vec<String> {
    let mut complaints = Vec::new();
    let first = file.text.lines().next().unwrap_or_default();
    if !first.starts_with("//! ") {
        complaints.push(format!("{}: the first line does not say what the file is", file.name));
    }
    let n_lines = file.text.lines().count();
    if n_lines > MAX_LINES {
        complaints.push(format!("{}: {n_lines} lines", file.name));
    }
    for word in forbidden_words() {
        if file.text.contains(&word) {
            complaints.push(format!("{}: contains `{word}`", file.name));
        }
    }
    complaints
}

fn lib_layers() -> Vec<String> {
    layers(&fs::read_to_string(root().join("src/lib.rs")).unwrap())
}

#[test]
fn imports_go_down_only() {
    let layers = lib_layers();
    assert!(layers.len() > 10, "{layers:?}");
    let complaints: Vec<String> =
        rust_files(&["src"]).iter().flat_map(|file| upward_imports(file, &layers)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn provers_and_the_check_know_no_question() {
    let layers = lib_layers();
    let rooms = ROOMS_OF_OBLIGATIONS.iter().chain(&["question"]);
    assert!(rooms.clone().all(|room| layers.iter().any(|layer| layer == room)), "{layers:?}");
    let files = rust_files(&["src"]);
    let complaints: Vec<String> =
        files.iter().flat_map(|file| questions_named(file, &layers)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_check_knows_rules_and_no_search() {
    for name in SEARCHES {
        assert!(root().join(format!("src/sonar/{name}.rs")).exists(), "{name}");
    }
    for name in RULES {
        assert!(root().join(format!("src/sonar/{name}.rs")).exists(), "{name}");
    }
    let files = rust_files(&["src"]);
    let in_rules = files.iter().flat_map(searches_in_rules);
    let complaints: Vec<String> = files.iter().flat_map(searches_named).chain(in_rules).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_table_of_layers_has_the_order_of_the_modules() {
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let rows = lib.lines().filter_map(|line| line.strip_prefix("//! | [`")?.split('`').next());
    assert_eq!(rows.map(str::to_owned).collect::<Vec<_>>(), layers(&lib));
}

#[test]
fn the_grammars_know_nothing_of_the_analysis() {
    let manifest = fs::read_to_string(root().join("grammar/Cargo.toml")).unwrap();
    assert!(!manifest.lines().any(|line| line.starts_with("wane ") || line.starts_with("wane=")));
}

#[test]
fn files_are_tidy() {
    let files = rust_files(&["src", "grammar", "tests", "benches", "examples"]);
    let complaints: Vec<String> = files.iter().flat_map(untidy).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn planted(name: &str, text: &str) -> SourceFile {
    SourceFile { name: name.to_owned(), text: text.to_owned() }
}

#[test]
fn a_planted_upward_import_is_found() {
    let layers = lib_layers();
    let found = |name, text| upward_imports(&planted(name, text), &layers);
    let complaint = "src/base/graph.rs:2: `base` may not know `report`";
    assert_eq!(
        found("src/base/graph.rs", "//! Graphs.\nuse crate::report::Report;\n"),
        [complaint]
    );
    assert_eq!(found("src/heap/mod.rs", "use crate::{ir, verdict::Verdict};\n").len(), 1);
    assert_eq!(found("src/sonar/eval.rs", "fn f() { crate::prove::mutant::prove() }\n").len(), 1);
    assert!(found("src/sonar/eval.rs", "use crate::heap::State; // see crate::prove\n").is_empty());
    assert!(found("src/main.rs", "use crate::cli;\n").is_empty());
    assert!(found("src/ir/tests.rs", "use crate::concrete;\n").is_empty());
}

#[test]
fn a_planted_question_or_search_is_found() {
    let layers = lib_layers();
    let text = "//! Proofs.\nuse crate::question::Question;\n";
    for name in ["src/prove/mod.rs", "src/rank/tests.rs", "src/obligation.rs"] {
        assert_eq!(questions_named(&planted(name, text), &layers).len(), 1, "{name}");
    }
    assert!(questions_named(&planted("src/reduce/plain.rs", text), &layers).is_empty());
    let text = "//! Check.\nuse crate::sonar::fixpoint::run;\n";
    assert_eq!(searches_named(&planted("src/verdict/check.rs", text)).len(), 1);
    assert!(searches_named(&planted("src/prove/mutant.rs", text)).is_empty());
    let text = "//! Rules.\nuse super::merge::merged;\nfn f(machine: &Machine<'_>) {}\n";
    assert_eq!(searches_in_rules(&planted("src/sonar/execute.rs", text)).len(), 2);
    assert!(searches_in_rules(&planted("src/sonar/searching.rs", text)).is_empty());
}

#[test]
fn planted_untidiness_is_found() {
    assert_eq!(untidy(&planted("a.rs", "//! A file.\n")), Vec::<String>::new());
    assert_eq!(untidy(&planted("a.rs", "use std::fmt;\n")).len(), 1);
    assert_eq!(untidy(&planted("a.rs", &"//! Long.\n".repeat(MAX_LINES + 1))).len(), 1);
    let word = ["//! W.\nto", "do!()"].concat();
    assert_eq!(untidy(&planted("a.rs", &word)).len(), 1);
}
