//! What wane writes about the programs of a corpus: SARIF and witnesses, by their schemas
//! and by what they must mean.
//!
//! With `WANE_CORPUS` set to a folder with manifests (`*.tsv` with a column `file`), all C
//! files in them are checked for all properties, half a second a question: every eighth
//! one, by turns of `WANE_SEED`; all of them with `WANE_OUTPUTS=all`.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "says what was skipped, and counts")]

use jsonschema::Validator;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

const PROPERTIES: &str = "termination,memsafety,memcleanup,reach";

/// The C files that the manifests name, with their data models.
fn programs(corpus: &Path) -> Vec<(String, &'static str)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(corpus).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|it| it != "tsv") {
            continue;
        }
        let table = fs::read_to_string(path).unwrap();
        let mut lines = table.lines();
        let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        let Some(column) = header.iter().position(|it| *it == "file") else { continue };
        for line in lines {
            let Some(file) = line.split('\t').nth(column) else { continue };
            if file.ends_with(".c") || file.ends_with(".i") {
                let model = if line.contains("ilp32") { "ilp32" } else { "lp64" };
                found.insert(file.to_owned(), model);
            }
        }
    }
    found.into_iter().collect()
}

/// What the tests look with.
struct Referee<'a> {
    corpus: &'a Path,
    sarif: Option<Validator>,
    witness: Validator,
}

/// What was looked at, and what is wrong.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<String, usize>,
    faults: Vec<String>,
}

impl Tally {
    fn count(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    fn fault(&mut self, file: &str, what: impl std::fmt::Display) {
        self.faults.push(format!("{file}: {what}"));
    }

    fn add(&mut self, other: Self) {
        for (what, number) in other.counts {
            *self.counts.entry(what).or_default() += number;
        }
        self.faults.extend(other.faults);
    }
}

fn validator(path: &Path) -> Validator {
    let schema = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

impl Referee<'_> {
    fn check(&self, file: &str, model: &str) -> Tally {
        let folder = tempfile::tempdir().unwrap();
        let (log, witness) = (folder.path().join("log.sarif"), folder.path().join("witness.yml"));
        let mut wane = Command::new(env!("CARGO_BIN_EXE_wane"));
        wane.current_dir(self.corpus).args(["check", "--jobs", "1", "--timeout", "0.5"]);
        wane.args(["--property", PROPERTIES, "--deterministic", "--format", "sarif", "--output"]);
        wane.arg(&log).arg("--witness").arg(&witness);
        let status =
            wane.args(["--data-model", model]).arg(file).stderr(Stdio::null()).status().unwrap();
        let mut tally = Tally::default();
        if !matches!(status.code(), Some(0..=3)) {
            tally.fault(file, format!("ends with {status}"));
            return tally;
        }
        let log = serde_json::from_str(&fs::read_to_string(log).unwrap()).unwrap();
        self.check_log(file, &log, &mut tally);
        let witnesses =
            serde_yaml_ng::from_str::<Value>(&fs::read_to_string(witness).unwrap()).unwrap();
        self.check_witnesses(file, &witnesses, &log, &mut tally);
        self.check_expressions(file, &witnesses, folder.path(), &mut tally);
        tally
    }

    fn check_log(&self, file: &str, log: &Value, tally: &mut Tally) {
        tally.count("logs");
        for error in self.sarif.iter().flat_map(|it| it.iter_errors(log)) {
            tally.fault(file, format!("{error} at {}", error.instance_path()));
        }
        let mut places = Vec::new();
        all_of(log, "physicalLocation", &mut places);
        for place in places {
            tally.count("places");
            let name = plain_name(place["artifactLocation"]["uri"].as_str().unwrap());
            let region = &place["region"];
            let number = |key: &str| region[key].as_u64().map(|it| usize::try_from(it).unwrap());
            let line = number("startLine").unwrap();
            // A file as a whole, which may be empty.
            if number("startColumn").is_none() {
                continue;
            }
            let ends = [number("startColumn"), number("endColumn")];
            self.check_place(file, (&name, line), &ends, tally);
        }
    }

    /// The line must be there, and so must the columns.
    fn check_place(
        &self,
        file: &str,
        (name, line): (&str, usize),
        columns: &[Option<usize>],
        tally: &mut Tally,
    ) {
        let texts = match self.line(name, line) {
            Some(text) => vec![text],
            None => self.marked_lines(file, name, line),
        };
        let Some(length) = texts.iter().map(|it| it.chars().count()).max() else {
            return tally.fault(file, format!("{name} has no line {line}"));
        };
        for column in columns.iter().flatten() {
            if !(1..=length + 1).contains(column) {
                tally.fault(file, format!("{name}:{line} has no column {column}"));
            }
        }
    }

    fn line(&self, name: &str, line: usize) -> Option<String> {
        let bytes = fs::read(self.corpus.join(name)).ok()?;
        String::from_utf8_lossy(&bytes).split('\n').nth(line.checked_sub(1)?).map(str::to_owned)
    }

    /// What a preprocessed file says at a line of a file that it was made of, and that is
    /// not there itself: by the markers of the preprocessor.
    fn marked_lines(&self, file: &str, name: &str, line: usize) -> Vec<String> {
        let bytes = fs::read(self.corpus.join(file)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let mut at = (file.to_owned(), 1);
        let mut found = Vec::new();
        for written in text.split('\n') {
            if let Some(marker) = written.strip_prefix("# ") {
                let number = marker.split(' ').next().and_then(|it| it.parse().ok());
                let name = marker.split('"').nth(1);
                if let Some((number, name)) = number.zip(name) {
                    at = (name.to_owned(), number);
                    continue;
                }
            }
            if at.1 == line && steps(&at.0).eq(steps(name)) {
                found.push(written.to_owned());
            }
            at.1 += 1;
        }
        found
    }

    /// The text from a witness's place on.
    fn text_at(&self, file: &str, place: &Value, tally: &mut Tally) -> String {
        let number = |key: &str| place[key].as_u64().and_then(|it| usize::try_from(it).ok());
        let (name, line) = (place["file_name"].as_str().unwrap(), number("line").unwrap());
        if name != file {
            tally.fault(file, format!("a place in {name}"));
        }
        self.check_place(file, (name, line), &[number("column")], tally);
        let text = self.line(name, line).unwrap_or_default();
        text.chars().skip(number("column").unwrap_or(1) - 1).collect()
    }

    fn check_witnesses(&self, file: &str, witnesses: &Value, log: &Value, tally: &mut Tally) {
        for error in self.witness.iter_errors(witnesses) {
            tally.fault(file, format!("{error} at {}", error.instance_path()));
        }
        for entry in witnesses.as_array().unwrap() {
            tally.count(entry["entry_type"].as_str().unwrap());
            let content = entry["content"].as_array().unwrap();
            if entry["entry_type"] == "invariant_set" {
                for item in content {
                    tally.count(item["invariant"]["type"].as_str().unwrap());
                    let text = self.text_at(file, &item["invariant"]["location"], tally);
                    if !is_loop(&text) {
                        tally.fault(file, format!("an invariant at `{text}`"));
                    }
                }
            } else {
                let specification = entry["metadata"]["task"]["specification"].to_string();
                let is_hang = specification.contains("F end");
                self.check_sequence(file, (content, is_hang), log, tally);
            }
        }
    }

    /// Stem, then cycle or target; each waypoint at the text that its type asks for; what
    /// functions return in the order of the run.
    fn check_sequence(
        &self,
        file: &str,
        (segments, is_hang): (&[Value], bool),
        log: &Value,
        tally: &mut Tally,
    ) {
        let mut shape = String::new();
        let mut lines = Vec::new();
        for segment in segments {
            let waypoints = segment["segment"].as_array().unwrap();
            let [waypoint] = waypoints.as_slice() else {
                return tally.fault(file, "a segment of several waypoints");
            };
            let waypoint = &waypoint["waypoint"];
            let text = self.text_at(file, &waypoint["location"], tally);
            let kind = waypoint["type"].as_str().unwrap();
            tally.count(kind);
            let fits = match kind {
                "function_return" => text.starts_with(')'),
                "branching" => is_loop(&text),
                _ => true,
            };
            if !fits {
                tally.fault(file, format!("{kind} at `{text}`"));
            }
            match (kind, waypoint["action"].as_str().unwrap()) {
                ("target", "follow") => shape.push('t'),
                (_, "follow") => shape.push('f'),
                _ => shape.push('c'),
            }
            if kind != "branching" {
                lines.push(waypoint["location"]["line"].as_u64());
            }
        }
        let rest = shape.trim_start_matches('f');
        let is_ordered = if is_hang {
            !rest.is_empty() && rest.chars().all(|it| it == 'c')
        } else {
            rest == "t"
        };
        if !is_ordered {
            tally.fault(file, format!("waypoints in the order {shape}"));
        }
        if !is_told(&lines, log) {
            tally.fault(file, format!("waypoints at lines {lines:?}, in the order of no run"));
        }
    }

    /// What is said of loops must be C there: it is put into the loops' conditions, and
    /// `cc` reads the result.
    fn check_expressions(&self, file: &str, witnesses: &Value, folder: &Path, tally: &mut Tally) {
        let mut claims = BTreeSet::new();
        for entry in witnesses.as_array().unwrap() {
            for item in entry["content"].as_array().unwrap() {
                let invariant = &item["invariant"];
                let place = &invariant["location"];
                let (Some(line), Some(column), Some(value), Some(name)) = (
                    place["line"].as_u64(),
                    place["column"].as_u64(),
                    invariant["value"].as_str(),
                    place["file_name"].as_str(),
                ) else {
                    continue;
                };
                if name == file {
                    claims.insert((line, column, value.to_owned()));
                }
            }
        }
        if claims.is_empty() {
            return;
        }
        let bytes = fs::read(self.corpus.join(file)).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut told = text.clone();
        for (line, column, value) in claims.iter().rev() {
            match with_claim(&told, (*line, *column), value) {
                Some(next) => told = next,
                None => tally.fault(file, format!("no condition at {line}:{column}")),
            }
        }
        let origin = self.corpus.join(file);
        if let Err(said) = compiles(&told, &origin, folder)
            && compiles(&text, &origin, folder).is_ok()
        {
            tally.fault(file, said);
        }
        tally.count("programs with C expressions");
    }
}

/// All values of a key, at any depth.
fn all_of<'a>(value: &'a Value, key: &str, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                if name == key {
                    found.push(field);
                }
                all_of(field, key, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|it| all_of(it, key, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The parts of a name, without those that lead nowhere, which URIs leave out.
fn steps(name: &str) -> impl Iterator<Item = &str> {
    name.split('/').filter(|step| !["", "."].contains(step))
}

/// A URI reference without its escapes.
fn plain_name(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.strip_prefix("file://").unwrap_or(uri).bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            let digits = std::str::from_utf8(&digits).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

fn is_loop(text: &str) -> bool {
    ["while", "for"]
        .iter()
        .any(|word| text.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('(')))
}

/// Whether a run in the log passes these lines in this order. A run that is told in part
/// passes anything.
fn is_told(lines: &[Option<u64>], log: &Value) -> bool {
    let mut flows = Vec::new();
    all_of(log, "threadFlows", &mut flows);
    flows.iter().any(|flow| {
        let steps = flow[0]["locations"].as_array().unwrap();
        let mut places = steps
            .iter()
            .map(|it| it["location"]["physicalLocation"]["region"]["startLine"].as_u64());
        steps.len() >= 100
            // A call may be written on several lines.
            || lines.iter().all(|line| {
                places.any(|place| place.zip(*line).is_none_or(|(a, b)| a <= b && b <= a + 3))
            })
    })
}

/// The program with a claim in the condition of the loop at a place.
fn with_claim(text: &str, (line, column): (u64, u64), claim: &str) -> Option<String> {
    let claim = claim.replace("\\at", "WANE_AT");
    let start: usize =
        text.split_inclusive('\n').take(usize::try_from(line).ok()? - 1).map(str::len).sum();
    let (skipped, _) = text[start..].char_indices().nth(usize::try_from(column).ok()? - 1)?;
    let head = start + skipped;
    let open = head + text[head..].find('(')? + 1;
    let at =
        if text[head..].starts_with("for") { open + end_of_first(&text[open..])? } else { open };
    let is_empty = text[at..].trim_start().starts_with(';');
    let inserted =
        if is_empty { format!(" 1 || ({claim})") } else { format!(" (void)({claim}), ") };
    Some(format!("{}{inserted}{}", &text[..at], &text[at..]))
}

/// What follows the first semicolon outside of parentheses.
fn end_of_first(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (index, character) in text.char_indices() {
        match character {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            ';' if depth == 0 => return Some(index + 1),
            _ => {}
        }
    }
    None
}

/// What the compiler says against the text.
fn compiles(text: &str, origin: &Path, folder: &Path) -> Result<(), String> {
    let file = folder.join("claims.c");
    fs::write(&file, text).unwrap();
    let mut command = Command::new("cc");
    command.args(["-fsyntax-only", "-w", "-x", "c", "-std=gnu11", "-D", "WANE_AT(x, y)=(x)"]);
    command.arg("-I").arg(origin.parent().unwrap()).arg(&file);
    let output = command.output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stderr).lines().take(3).collect::<Vec<_>>().join(" ");
    if output.status.success() { Ok(()) } else { Err(said) }
}

#[test]
fn claims_stand_in_conditions() {
    let text = "int f(int n) {\n  for (int i = (0); i < n; i++)\n    while (n) n--;\n}\n";
    let told = with_claim(text, (2, 3), "\\at(i, AnyPrev) > i").unwrap();
    assert!(told.contains("(0); (void)(WANE_AT(i, AnyPrev) > i),  i < n"), "{told}");
    assert!(with_claim(text, (3, 5), "n > 0").unwrap().contains("while ( (void)(n > 0), n)"));
    assert!(with_claim("for (;;) {}", (1, 1), "1").unwrap().starts_with("for (; 1 || (1);) {}"));
}

#[test]
fn what_is_written_about_a_corpus_is_valid_and_makes_sense() {
    let Some(corpus) = std::env::var_os("WANE_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: WANE_CORPUS names no folder of programs");
        return;
    };
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/witness.schema.json");
    let sarif = std::env::var_os("WANE_SARIF_SCHEMA").map(|it| validator(Path::new(&it)));
    let referee = Referee { corpus: &corpus, sarif, witness: validator(&schema) };
    let mut programs = programs(&corpus);
    if std::env::var("WANE_OUTPUTS").is_ok_and(|it| it == "all") {
        eprintln!("all programs");
    } else {
        let seed = std::env::var("WANE_SEED").ok().and_then(|it| it.parse::<usize>().ok());
        let turn = seed.unwrap_or(0) % 8;
        let numbered = programs.into_iter().enumerate();
        programs = numbered.filter(|(at, _)| at % 8 == turn).map(|(_, it)| it).collect();
    }
    let (queue, total) = (Mutex::new(programs.iter()), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, std::num::NonZero::get) {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some((file, model)) = next else { break };
                    let tally = referee.check(file, model);
                    total.lock().unwrap().add(tally);
                }
            });
        }
    });
    let total = total.into_inner().unwrap();
    eprintln!("{} programs, {:?}", programs.len(), total.counts);
    assert!(total.faults.is_empty(), "{}", total.faults.join("\n"));
}
