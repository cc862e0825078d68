//! The rules that keep the house in order, as tests.
//!
//! Packages know earlier ones of the table in `src/lib.rs` only; provers and the check know no
//! questions, and the check no search; every file says in its first line what it is; no file is
//! longer than 600 lines; some words do not occur.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::collections::{BTreeMap, BTreeSet};
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

/// A package below `src`.
struct Package {
    name: String,
    /// The packages below `src` that it names, for itself and not for its tests.
    knows: Vec<String>,
    /// What else it names.
    others: Vec<String>,
}

/// The names in a section of a manifest.
fn names_in(manifest: &str, section: &str) -> Vec<String> {
    let lines = manifest.lines().skip_while(|line| *line != section).skip(1);
    let entries = lines.take_while(|line| !line.starts_with('['));
    entries
        .filter_map(|line| Some(line.split(['.', ' ', '=']).next()?.to_owned()))
        .filter(|it| !it.is_empty())
        .collect()
}

/// All packages below `src`, by name.
fn packages() -> BTreeMap<String, Package> {
    let folders = fs::read_dir(root().join("src")).unwrap();
    let manifests = folders.filter_map(|entry| {
        let folder = entry.unwrap().path();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        Some((folder.file_name()?.to_str()?.to_owned(), manifest))
    });
    let manifests: BTreeMap<String, String> = manifests.collect();
    let packages = manifests.iter().map(|(name, manifest)| {
        let named = names_in(manifest, "[dependencies]").into_iter();
        let (knows, others) = named.partition(|it| manifests.contains_key(it));
        (name.clone(), Package { name: name.clone(), knows, others })
    });
    packages.collect()
}

/// A package with all that it knows, directly or not.
fn closure(packages: &BTreeMap<String, Package>, of: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![of.to_owned()];
    while let Some(name) = open.pop() {
        if found.insert(name.clone()) {
            open.extend(packages[&name].knows.iter().cloned());
        }
    }
    found
}

/// The packages of the table in the first lines of `src/lib.rs`, lowest first.
fn layers() -> Vec<String> {
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let rows = lib.lines().filter_map(|line| line.strip_prefix("//! | [`")?.split('`').next());
    rows.map(str::to_owned).collect()
}

/// Where a package knows one that is not before it in the order.
fn upward(packages: &BTreeMap<String, Package>, layers: &[String]) -> Vec<String> {
    let position = |name: &String| layers.iter().position(|layer| layer == name);
    let pairs = packages.values().flat_map(|it| it.knows.iter().map(move |known| (it, known)));
    let upward = pairs.filter(|(it, known)| {
        position(&it.name).is_some_and(|own| position(known).is_none_or(|other| own <= other))
    });
    upward.map(|(it, known)| format!("`{}` may not know `{known}`", it.name)).collect()
}

/// Unit tests may use what they like.
fn is_test(name: &str) -> bool {
    name.ends_with("tests.rs") || name.contains("/tests/")
}

/// Lines of the files of a package, without tests in files of their own.
fn lines_of(package: &str) -> usize {
    let files = rust_files(&[&format!("src/{package}")]);
    files.iter().filter(|it| !is_test(&it.name)).map(|it| it.text.lines().count()).sum()
}

/// What ARCHITECTURE.md says that the check can import, with its lines.
fn listed(architecture: &str) -> BTreeMap<String, usize> {
    let text = architecture.split("All that `verdict` can import").nth(1).unwrap();
    let text = text.split("is: ").nth(1).unwrap().split('.').next().unwrap();
    let items = text.split(", ").map(|item| {
        let (name, lines) = item.trim().split_once("` ").unwrap();
        (name.trim_start_matches('`').to_owned(), lines.parse().unwrap())
    });
    items.collect()
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

#[test]
fn packages_know_earlier_ones_only() {
    let (packages, layers) = (packages(), layers());
    assert!(layers.len() > 20, "{layers:?}");
    let complaints = upward(&packages, &layers);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    let named: BTreeSet<&String> = layers.iter().collect();
    let helpers = ["cli", "embed", "worlds"];
    let all: BTreeSet<&String> =
        packages.keys().filter(|it| !helpers.contains(&it.as_str())).collect();
    assert_eq!(named, all);
}

#[test]
fn provers_and_the_check_know_no_question() {
    let packages = packages();
    for room in ["prove", "verdict"] {
        let known = closure(&packages, room);
        for question in ["question", "reduce", "temporal", "c", "its"] {
            assert!(!known.contains(question), "{room}: {question}");
        }
    }
}

#[test]
fn rules_and_the_check_know_no_search() {
    let packages = packages();
    let known = closure(&packages, "verdict");
    for search in ["entail", "rank", "sonar", "prove"] {
        assert!(packages.contains_key(search) && !known.contains(search), "{search}");
    }
    for name in closure(&packages, "rules") {
        for solver in ["egg", "good_lp"] {
            assert!(!packages[&name].others.iter().any(|it| it == solver), "{name}: {solver}");
        }
    }
}

/// A list that is ten per cent out of date is none.
#[test]
fn what_the_check_imports_is_listed() {
    let known = closure(&packages(), "verdict");
    let listed = listed(&fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap());
    assert_eq!(listed.keys().cloned().collect::<BTreeSet<_>>(), known);
    for (package, lines) in listed {
        let found = lines_of(&package);
        assert!(found.abs_diff(lines) * 10 <= found, "{package}: {found} lines, not {lines}");
    }
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
    let (mut packages, layers) = (packages(), layers());
    packages.get_mut("base").unwrap().knows.push("report".to_owned());
    assert_eq!(upward(&packages, &layers), ["`base` may not know `report`"]);
    let manifest = "[package]\nname = \"a\"\n\n[dependencies]\nir.workspace = true\negg = \"1\"\n\n[dev-dependencies]\nc.workspace = true\n";
    assert_eq!(names_in(manifest, "[dependencies]"), ["ir", "egg"]);
}

#[test]
fn planted_untidiness_is_found() {
    assert_eq!(untidy(&planted("a.rs", "//! A file.\n")), Vec::<String>::new());
    assert_eq!(untidy(&planted("a.rs", "use std::fmt;\n")).len(), 1);
    assert_eq!(untidy(&planted("a.rs", &"//! Long.\n".repeat(MAX_LINES + 1))).len(), 1);
    let word = ["//! W.\nto", "do!()"].concat();
    assert_eq!(untidy(&planted("a.rs", &word)).len(), 1);
}
