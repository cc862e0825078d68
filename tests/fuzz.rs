//! Mutated programs through front end, analysis and renderers: no panic, and no work
//! far beyond the budget.
//!
//! `WANE_FUZZ` says how many (300 by default), `WANE_FUZZ_SEED` from where on.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "says how far it got")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wane::analyze::{self, Source};
use wane::base::budget::Budget;
use wane::c::preprocess::preprocess;
use wane::c::{DataModel, IntModel, MallocModel, Options, PreprocessedSource};
use wane::heap::shape::ShapeLibrary;
use wane::property::Property;
use wane::report::{Colour, Format, Report, Texts, render};

/// Steps that each question may take.
const STEPS: u64 = 400;
/// An input that takes longer has overrun its budget.
const TIME: Duration = Duration::from_secs(10);

/// A source of numbers (Marsaglia's xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % limit.max(1)
    }
}

/// A program to start from; what stands before `start` comes from headers.
struct Seed {
    name: String,
    text: String,
    start: usize,
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

fn seeds() -> Vec<Seed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in ["tests/cases", "tests/once_unsound", "examples"] {
        files_below(&root.join(folder), &mut paths);
    }
    let seed = |path: &PathBuf| {
        let extension = path.extension()?.to_str()?;
        let name = format!("a.{extension}");
        match extension {
            "c" => {
                let text = preprocess(path, DataModel::Lp64).ok()?.text;
                let file = path.file_name()?.to_str()?;
                let start = text.rfind(&format!("{file}\" 2")).unwrap_or(0);
                Some(Seed { name, text, start })
            }
            "goto" | "smt2" | "t2" => {
                Some(Seed { name, text: fs::read_to_string(path).ok()?, start: 0 })
            }
            _ => None,
        }
    };
    paths.iter().filter_map(seed).collect()
}

const WORDS: &[&str] = &[
    "0",
    "-1",
    "1",
    "2147483647",
    "9223372036854775807",
    "18446744073709551615",
    "0x80000000",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "->",
    ".",
    "=",
    "==",
    "<",
    "+",
    "-",
    "/",
    "%",
    "<<",
    "!",
    "~",
    "?",
    ":",
    "int",
    "char",
    "unsigned",
    "long",
    "void",
    "struct",
    "union",
    "enum",
    "static",
    "extern",
    "const",
    "typedef",
    "sizeof",
    "if",
    "else",
    "while",
    "for",
    "do",
    "goto",
    "return",
    "break",
    "continue",
    "switch",
    "case",
    "default",
    "malloc",
    "free",
    "main",
    "float",
    "double",
    "_Bool",
    "__int128",
    "__typeof__",
    "__attribute__((packed))",
    "\"text\"",
    "'c'",
    "abort",
    "memcpy",
    "memset",
    "realloc",
    "calloc",
    "alloca",
    "inline",
    "register",
    "asm",
    "...",
    "procedure",
    "assume",
    "havoc",
    "\u{e9}",
    "\0",
    "#",
    "\\",
    "\n# 7 \"b.c\"\n",
];

fn word_at(text: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let rest = text.get(from..)?;
    let start = from + rest.find(|it: char| !it.is_whitespace())?;
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    let first = text[start..].chars().next()?;
    let length = if is_name(first) {
        text[start..].find(|it| !is_name(it)).unwrap_or(text.len() - start)
    } else {
        first.len_utf8()
    };
    Some(start..start + length)
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

fn mutate(seed: &Seed, others: &[Seed], dice: &mut Dice) -> String {
    let (head, body) = seed.text.split_at(boundary(&seed.text, seed.start));
    let mut body = body.to_owned();
    for _ in 0..=dice.below(4) {
        let at = dice.below(body.len() + 1);
        let at = boundary(&body, at);
        let Some(word) = word_at(&body, at) else { continue };
        match dice.below(7) {
            0 => body.replace_range(word, ""),
            1 => body.replace_range(word, WORDS[dice.below(WORDS.len())]),
            2 => body.insert_str(word.end, &format!(" {} ", WORDS[dice.below(WORDS.len())])),
            3 => {
                let from = dice.below(body.len());
                let from = boundary(&body, from);
                let Some(other) = word_at(&body, from) else { continue };
                let other = body[other].to_owned();
                body.replace_range(word, &other);
            }
            4 => {
                let end = boundary(&body, (at + dice.below(60)).min(body.len()));
                body.replace_range(at..end, "");
            }
            5 => {
                let end = boundary(&body, (at + dice.below(80)).min(body.len()));
                let piece = body[at..end].to_owned();
                body.insert_str(end, &piece.repeat(1 + dice.below(3)));
            }
            _ => {
                let other = &others[dice.below(others.len())];
                let own = &other.text[boundary(&other.text, other.start)..];
                let from = dice.below(own.len());
                let from = boundary(own, from);
                let end = boundary(own, (from + dice.below(120)).min(own.len()));
                body.insert_str(at, &own[from..end]);
            }
        }
    }
    format!("{head}{body}")
}

const PROPERTIES: [Property; 4] =
    [Property::Termination, Property::MemorySafety, Property::MemoryCleanup, Property::Reach];
const FORMATS: [Format; 4] = [Format::Human, Format::Json, Format::Sarif, Format::Html];

/// Checks one text as the command line would.
fn check(name: &str, text: &str, number: usize, library: &ShapeLibrary) {
    let options = Options {
        data_model: if number.is_multiple_of(5) { DataModel::Ilp32 } else { DataModel::Lp64 },
        int_model: if number.is_multiple_of(3) { IntModel::Machine } else { IntModel::Math },
        malloc: if number.is_multiple_of(7) { MallocModel::MayFail } else { MallocModel::Succeeds },
        entry: None,
    };
    let (name, text) = (name.to_owned(), text.to_owned());
    let texts = Texts::from([(name.clone(), text.clone())]);
    let source = match name.rsplit('.').next() {
        Some("c") => Source::C(PreprocessedSource { name, text }),
        Some("goto") => Source::Goto { name, text },
        Some("smt2") => Source::Smt { name, text },
        _ => Source::T2 { name, text },
    };
    let mut report = Report::new();
    match analyze::read(source, &options) {
        Ok(subject) => {
            let property = &PROPERTIES[number % PROPERTIES.len()];
            let mut budget = Budget::of_steps(STEPS);
            report.findings.push(subject.ask(property, library, &mut budget));
        }
        Err(problems) => report.problems = problems,
    }
    let _ = render(&report, FORMATS[number / 4 % FORMATS.len()], &texts, Colour::Off);
}

#[test]
fn mutated_programs_neither_panic_nor_overrun() {
    let number_of = |name: &str, default: usize| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (n_inputs, first) = (number_of("WANE_FUZZ", 300), number_of("WANE_FUZZ_SEED", 0));
    let work = move || {
        let (library, seeds) = (ShapeLibrary::builtin().unwrap(), seeds());
        assert!(seeds.len() > 50);
        let mut failures = Vec::new();
        let (start, mut slowest) = (Instant::now(), Duration::ZERO);
        for number in first..first + n_inputs {
            let mut dice = Dice(
                0x9e37_79b9_7f4a_7c15 ^ (number as u64 + 1).wrapping_mul(0xbf58_476d_1ce4_e5b9),
            );
            dice.below(2);
            let seed = &seeds[dice.below(seeds.len())];
            let text = mutate(seed, &seeds, &mut dice);
            let begun = Instant::now();
            let result =
                catch_unwind(AssertUnwindSafe(|| check(&seed.name, &text, number, &library)));
            let elapsed = begun.elapsed();
            slowest = slowest.max(elapsed);
            if result.is_err() || elapsed > TIME {
                eprintln!(
                    "input {number} ({elapsed:?}):\n{}",
                    &text[boundary(&text, seed.start.min(text.len()))..]
                );
                failures.push(number);
            }
        }
        eprintln!("{n_inputs} inputs in {:?}, the slowest in {slowest:?}", start.elapsed());
        assert!(failures.is_empty(), "inputs {failures:?}");
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap();
}
