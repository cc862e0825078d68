//! Mutated programs through front end, analysis and renderers, and mutated shapes,
//! baselines and compilation databases: no panic, and no work far beyond the budget, by
//! the budget's own count and by the time of the processor that the thread took.
//!
//! `WANE_FUZZ` says how many (300 by default), `WANE_FUZZ_SEED` from where on (or else
//! `WANE_SEED` where), `WANE_FUZZ_STEPS` how many steps a question may take;
//! `WANE_FUZZ_KEEP` names a folder for those that fail.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "says how far it got")]

use crate::support;

use cpu_time::ThreadTime;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::mutation::{Dice, boundary, mutate};
use support::prelude;
use wane::analyze::{self, Source};
use wane::base::budget::Budget;
use wane::c::preprocess::preprocess;
use wane::c::{DataModel, MallocModel, Options, PreprocessedSource, database};
use wane::heap::shape::ShapeLibrary;
use wane::ir::semantics::IntModel;
use wane::question::Question;
use wane::report::accepted::Baseline;
use wane::report::comments;
use wane::report::{Answer, Colour, Format, Report, Texts, render, shapes};

/// So many inputs, if nothing else is said.
const INPUTS: usize = 300;
/// Steps that each question may take.
const STEPS: usize = 400;
/// An input that takes more work, for each of its steps, has overrun its budget. Work is
/// what budgets count: steps, and units of the searches beside them.
const WORK_A_STEP: u64 = 1_000;
/// An input that keeps the processor busy for longer has overrun it, too. What other
/// programs do at the same time does not count.
const PROCESSOR_TIME: Duration = Duration::from_secs(10);
/// Larger texts are refused before they get here.
const MAX_BYTES: usize = 1 << 20;

/// A text to start from.
struct Seed {
    kind: Kind,
    /// What headers say.
    head: String,
    /// What is changed.
    body: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    C,
    Goto,
    Smt,
    T2,
    /// Takes the place of the built-in shapes with this number.
    Shapes(usize),
    Database,
    Baseline,
}

impl Kind {
    /// How often seeds of this kind are taken.
    fn weight(self) -> usize {
        match self {
            Self::C => 8,
            Self::Goto | Self::Smt | Self::T2 | Self::Shapes(_) => 6,
            Self::Database | Self::Baseline => 12,
        }
    }
}

const DATABASE: &str = r#"[
  { "directory": "/build", "file": "../src/a.c", "arguments": ["cc", "-I", "include", "-DN=3", "-c", "a.c"] },
  { "directory": "/build", "file": "b.c", "command": "cc -isystem /opt/x -D 'A=\"b c\"' -include b.h -c b.c -o b.o" },
  { "directory": ".", "file": "c.cpp", "command": "c++ -c c.cpp", "output": "c.o" }
]
"#;

const SYSTEM: &str = "START: 0;

FROM: 0;
x := nondet();
TO: 1;

FROM: 1;
assume(x > 0 && y < 10);
x := x - 1;
y := y + 2;
TO: 1;

FROM: 1;
assume(x <= 0);
TO: 2;
";

const CLAUSES: &str = "(declare-sort Loc 0)
(declare-const l0 Loc)
(declare-const l1 Loc)
(assert (distinct l0 l1))
(define-fun init_main ((pc Loc) (x Int)) Bool (and (= pc l0) (<= 0 x)))
(define-fun next_main ((pc Loc) (x Int) (pc1 Loc) (x1 Int)) Bool
  (or (and (= pc l0) (= pc1 l1) (= x1 (+ x 1)))
      (and (= pc l1) (= pc1 l1) (> x 0) (= x1 (- x 1)))))
";

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// A C file, with what it needs of its headers.
fn c_seed(path: &Path) -> Option<Seed> {
    let text = preprocess(path, DataModel::Lp64).ok()?.text;
    let file = path.file_name()?.to_str()?;
    let start = text.rfind(&format!("{file}\" 2")).unwrap_or(0);
    let (head, body) = text.split_at(boundary(&text, start));
    let needed = prelude::needed(head, body);
    let is_read = |head: &str| {
        let text = format!("{head}{body}");
        let source = Source::C(PreprocessedSource { name: "a.c".to_owned(), text });
        analyze::read(source, &options(1)).is_ok()
    };
    let head = if is_read(&needed) { needed } else { head.to_owned() };
    Some(Seed { kind: Kind::C, head, body: body.to_owned() })
}

fn seeds(shapes: &[String]) -> Vec<Seed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in ["tests/cases", "tests/once_unsound", "examples"] {
        files_below(&root.join(folder), &mut paths);
    }
    let plain = |kind, body: &str| Seed { kind, head: String::new(), body: body.to_owned() };
    let seed = |path: &PathBuf| match path.extension()?.to_str()? {
        "c" => c_seed(path),
        "goto" => Some(plain(Kind::Goto, &fs::read_to_string(path).ok()?)),
        _ => None,
    };
    let mut seeds: Vec<Seed> = paths.iter().filter_map(seed).collect();
    seeds.extend(shapes.iter().enumerate().map(|(at, text)| plain(Kind::Shapes(at), text)));
    let mut report = Report::new();
    let (library, text) = (ShapeLibrary::builtin().unwrap(), "int main(void) { for (;;) ; }");
    let source = Source::C(PreprocessedSource { name: "a.c".to_owned(), text: text.to_owned() });
    let subject = analyze::read(source, &options(1)).unwrap();
    let mut budget = Budget::of_steps(STEPS as u64);
    report.findings.push(subject.ask(&Question::Termination, &library, &mut budget));
    let texts = Texts::from([("a.c".to_owned(), text.to_owned())]);
    seeds.push(plain(Kind::Baseline, &Baseline::default().updated(&report, &texts).write()));
    seeds.push(plain(Kind::Database, DATABASE));
    seeds.push(plain(Kind::T2, SYSTEM));
    seeds.push(plain(Kind::Smt, CLAUSES));
    seeds
}

const PROPERTIES: [Question; 4] =
    [Question::Termination, Question::MemorySafety, Question::MemoryCleanup, Question::Reach];
const FORMATS: [Format; 9] = [
    Format::Human,
    Format::Json,
    Format::Sarif,
    Format::Html,
    Format::Gcc,
    Format::Github,
    Format::CodeClimate,
    Format::Junit,
    Format::Checkstyle,
];

fn options(number: usize) -> Options {
    Options {
        data_model: if number.is_multiple_of(5) { DataModel::Ilp32 } else { DataModel::Lp64 },
        int_model: [IntModel::C, IntModel::Machine, IntModel::Math][number % 3],
        input: if number.is_multiple_of(5) {
            wane::c::Input::Endless
        } else {
            wane::c::Input::Ends
        },
        malloc: if number.is_multiple_of(7) { MallocModel::MayFail } else { MallocModel::Succeeds },
        entry: None,
        ..Options::default()
    }
}

/// How far inputs got.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// The text has a meaning.
    read: usize,
    /// It is a program, and a question about it was asked.
    asked: usize,
    proved: usize,
    refuted: usize,
}

struct Fuzzer {
    seeds: Vec<Seed>,
    /// By weight, positions in `seeds`.
    chances: Vec<usize>,
    shapes: Vec<String>,
    shape_library: ShapeLibrary,
    /// A program for changed shapes.
    walk: String,
    steps: u64,
    /// What the last input took.
    work: u64,
    tally: Tally,
}

impl Fuzzer {
    fn new(steps: u64) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut paths = Vec::new();
        files_below(&root.join("shapes"), &mut paths);
        let shapes: Vec<String> = paths.iter().map(|it| fs::read_to_string(it).unwrap()).collect();
        let seeds = seeds(&shapes);
        let chances = seeds.iter().enumerate().flat_map(|(at, it)| vec![at; it.kind.weight()]);
        let chances = chances.collect();
        let walk = c_seed(&root.join("examples/reverse.c")).unwrap();
        let walk = format!("{}{}", walk.head, walk.body);
        let (library, tally) = (ShapeLibrary::builtin().unwrap(), Tally::default());
        Self { seeds, chances, shapes, shape_library: library, walk, steps, work: 0, tally }
    }

    /// The input with this number: what it was made from, and its text.
    fn input(&self, number: usize) -> (&Seed, String) {
        let mut dice = Dice::of_input(number);
        let seed = &self.seeds[self.chances[dice.below(self.chances.len())]];
        let others: Vec<&str> = self.seeds.iter().map(|it| it.body.as_str()).collect();
        let mut body = mutate(&seed.body, &others, &mut dice);
        body.truncate(
            (0..=MAX_BYTES.min(body.len())).rfind(|at| body.is_char_boundary(*at)).unwrap(),
        );
        (seed, body)
    }

    /// Checks one text as the command line would.
    fn check(&mut self, kind: Kind, text: String, number: usize) {
        self.work = 0;
        let name = "a.c".to_owned();
        let source = match kind {
            Kind::C => Source::C(PreprocessedSource { name, text: text.clone() }),
            Kind::Goto => Source::Goto { name, text: text.clone() },
            Kind::Smt => Source::Smt { name, text: text.clone() },
            Kind::T2 => Source::T2 { name, text: text.clone() },
            Kind::Shapes(position) => return self.check_shapes(position, &text, number),
            Kind::Database => {
                self.tally.read += usize::from(database::read(&text).is_ok());
                return;
            }
            Kind::Baseline => {
                let Ok(baseline) = Baseline::read(&text) else { return };
                self.tally.read += 1;
                baseline.accept(&mut Report::new(), &Texts::new());
                assert_eq!(Baseline::read(&baseline.write()), Ok(baseline));
                return;
            }
        };
        let library = self.shape_library.clone();
        self.ask(source, &text, &library, number);
    }

    fn check_shapes(&mut self, position: usize, text: &str, number: usize) {
        let mut library = ShapeLibrary::default();
        for (at, built_in) in self.shapes.iter().enumerate() {
            if library.add_file(if at == position { text } else { built_in }).is_err() {
                return;
            }
        }
        let _ = shapes::render(&library);
        let text = self.walk.clone();
        let source = Source::C(PreprocessedSource { name: "a.c".to_owned(), text });
        self.ask(source, &self.walk.clone(), &library, number);
    }

    fn ask(&mut self, source: Source, text: &str, library: &ShapeLibrary, number: usize) {
        let texts = Texts::from([("a.c".to_owned(), text.to_owned())]);
        let mut report = Report::new();
        match analyze::read(source, &options(number)) {
            Ok(subject) => {
                self.tally.read += 1;
                if subject.precondition(library).is_ok() {
                    let property = &PROPERTIES[number % PROPERTIES.len()];
                    let mut budget = Budget::of_steps(self.steps);
                    let finding = subject.ask(property, library, &mut budget);
                    self.work = budget.work();
                    self.tally.asked += 1;
                    self.tally.proved += usize::from(finding.answer == Answer::Proved);
                    self.tally.refuted += usize::from(finding.answer == Answer::Refuted);
                    report.findings.push(finding);
                }
            }
            Err(problems) => report.problems = problems,
        }
        comments::apply(&mut report, &texts);
        let _ = render(&report, FORMATS[number / 4 % FORMATS.len()], &texts, Colour::Off);
    }
}

fn number_of(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Writes down an input that failed.
fn keep(number: usize, seed: &Seed, body: &str, (work, time): (u64, Duration)) {
    eprintln!("input {number} ({:?}, {work} units of work, {time:?}):\n{body}", seed.kind);
    if let Ok(folder) = std::env::var("WANE_FUZZ_KEEP") {
        let extension = match seed.kind {
            Kind::C => "i",
            Kind::Goto => "goto",
            Kind::Smt => "smt2",
            Kind::T2 => "t2",
            Kind::Shapes(_) => "shape",
            Kind::Database | Kind::Baseline => "json",
        };
        let path = Path::new(&folder).join(format!("{number}.{extension}"));
        let _ = fs::write(path, format!("{}{body}", seed.head));
    }
}

#[test]
fn mutated_programs_neither_panic_nor_overrun() {
    let first = number_of("WANE_FUZZ_SEED", number_of("WANE_SEED", 0).wrapping_mul(1_000_000));
    let n_inputs = number_of("WANE_FUZZ", INPUTS);
    let work = move || {
        let mut fuzzer = Fuzzer::new(number_of("WANE_FUZZ_STEPS", STEPS) as u64);
        assert!(fuzzer.seeds.len() > 50);
        let most_work = fuzzer.steps * WORK_A_STEP;
        let mut failures = Vec::new();
        let (mut most, mut longest) = (0, Duration::ZERO);
        for number in first..first + n_inputs {
            let (seed, body) = fuzzer.input(number);
            let (kind, text) = (seed.kind, format!("{}{body}", seed.head));
            let begun = ThreadTime::now();
            let result = catch_unwind(AssertUnwindSafe(|| fuzzer.check(kind, text, number)));
            let elapsed = begun.elapsed();
            most = most.max(fuzzer.work);
            longest = longest.max(elapsed);
            if result.is_err() || fuzzer.work > most_work || elapsed > PROCESSOR_TIME {
                let (seed, body) = fuzzer.input(number);
                keep(number, seed, &body, (fuzzer.work, elapsed));
                failures.push(number);
            }
        }
        eprintln!(
            "{n_inputs} inputs from {first}, at most {most} units of work and {longest:?}: {:?}",
            fuzzer.tally
        );
        assert!(failures.is_empty(), "inputs {failures:?}");
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap();
}
