//! Threads of random C programs of few states, against all their schedules, one by one. The
//! schedules are those of the accesses that the text of a program makes: these are found in
//! another way than wane's, from the program as a tree.
//!
//! `WANE_RANDOM_THREADS` says how many programs, `WANE_SEED` which half of them are,
//! `WANE_RANDOM_THREADS_STEPS` with how much work for each, and `WANE_RANDOM_THREADS_TOOL` names
//! another wane to ask. With `WANE_RANDOM_THREADS_FAULTS`,
//! the name of a file, wrong answers are written there and the rest is tried as well.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "counts what was answered")]

mod code;
mod duel;
mod explicit;
mod expressions;
mod generate;
mod hand;
mod machine;
use crate::random;
mod sequence;
mod shrink;
mod statements;
mod steps;
mod terms;
mod text;
mod tree;
mod words;

use machine::{Reading, Trouble};
use random::Random;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::process::Command;
use std::time::{Duration, Instant};
use tree::Program;

/// Programs asked of if nothing else is said, and the steps for each.
const PROGRAMS: u64 = 120;
const STEPS: u64 = 3_000;

/// The wane that is asked.
struct Tool {
    path: String,
    steps: String,
}

impl Tool {
    fn new() -> Self {
        let path = std::env::var("WANE_RANDOM_THREADS_TOOL");
        let path = path.unwrap_or_else(|_| env!("CARGO_BIN_EXE_wane").to_owned());
        let steps = number("WANE_RANDOM_THREADS_STEPS").unwrap_or(STEPS).to_string();
        Self { path, steps }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Proved,
    Refuted,
    Unknown,
}

/// What wane says of the named thread.
fn answer(program: &Program, tool: &Tool) -> Answer {
    let text = text::text(program);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), &text).unwrap();
    let named = &program.functions[program.named].name;
    let mut command = Command::new(&tool.path);
    command.current_dir(folder.path()).args(["check", "--thread", named, "--format", "json"]);
    command.args(["--steps", &tool.steps]);
    let output = command.arg("a.c").output().unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    let says = |verdict: &str| report.contains(&format!("\"verdict\": \"{verdict}\""));
    match () {
        () if says("true") => Answer::Proved,
        () if says("false") => Answer::Refuted,
        () if says("unknown") => Answer::Unknown,
        () => panic!("no verdict: {report}\n{}\n{text}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// What is so: whether the thread may go on for ever in the larger reading of what C leaves
/// open, and whether it may in the smaller one.
fn truth(program: &Program) -> Result<[bool; 2], Trouble> {
    let may = explicit::endless(program, Reading::OnceOrTwice)?.is_some();
    let must = may && explicit::endless(program, Reading::Once)?.is_some();
    Ok([may, must])
}

/// Whether an answer is wrong.
fn is_wrong(said: Answer, [may, must]: [bool; 2]) -> bool {
    match said {
        Answer::Proved => must,
        Answer::Refuted => !may,
        Answer::Unknown => false,
    }
}

/// A wrong answer, with the smallest program that is found to have it.
fn fault(program: Program, said: Answer, tool: &Tool) -> String {
    let smallest = shrink::smallest(program, |it| {
        truth(it).is_ok_and(|truth| is_wrong(said, truth)) && answer(it, tool) == said
    });
    let schedule = explicit::endless(&smallest, Reading::OnceOrTwice).unwrap();
    let schedule = schedule.unwrap_or_else(|| "no schedule is endless\n".to_owned());
    let named = &smallest.functions[smallest.named].name;
    format!("`{named}` is said to be {said:?}, but:\n{schedule}\n{}", text::text(&smallest))
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|it| it.parse().ok())
}

#[derive(Debug, Default)]
struct Counts {
    /// How many do not end and do, and of how many of these it was said.
    all: [u64; 2],
    answered: [u64; 2],
    troubles: BTreeMap<Trouble, u64>,
    wrong: u64,
    exploring: Duration,
    asking: Duration,
}

#[test]
fn threads_agree_with_all_schedules() {
    let seed = number("WANE_SEED").unwrap_or(0);
    let faults = std::env::var("WANE_RANDOM_THREADS_FAULTS").ok();
    let tool = Tool::new();
    let mut counts = Counts::default();
    for program_number in 0..number("WANE_RANDOM_THREADS").unwrap_or(PROGRAMS) {
        // Every other program is always the same one: of these it is known how many are answered.
        let is_usual = program_number.is_multiple_of(2);
        let seed = if is_usual { 0 } else { seed };
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(program_number));
        let program = generate::program(&mut random);
        let start = Instant::now();
        let truth = truth(&program);
        counts.exploring += start.elapsed();
        let truth = match truth {
            Ok(truth) => truth,
            Err(trouble) => {
                *counts.troubles.entry(trouble).or_default() += 1;
                continue;
            }
        };
        let start = Instant::now();
        let said = answer(&program, &tool);
        counts.asking += start.elapsed();
        if is_wrong(said, truth) {
            counts.wrong += 1;
            let fault = fault(program, said, &tool);
            let Some(faults) = &faults else { panic!("program {program_number}: {fault}") };
            let mut file =
                std::fs::OpenOptions::new().create(true).append(true).open(faults).unwrap();
            writeln!(file, "=== program {program_number} of seed {seed}\n{fault}").unwrap();
            continue;
        }
        if !is_usual {
            continue;
        }
        let ends = usize::from(!truth[0]);
        counts.all[ends] += 1;
        counts.answered[ends] += u64::from(said != Answer::Unknown);
    }
    eprintln!("{counts:?}");
    assert_eq!(counts.wrong, 0, "see the file");
    let share = |one: u64, all: u64| 100 * one / all.max(1);
    let [endless, ending] = [0, 1].map(|it| share(counts.answered[it], counts.all[it]));
    assert!(counts.all.iter().all(|it| *it > 0), "{:?}", counts.all);
    assert!(endless >= 15 && ending >= 15, "{endless} % and {ending} % answered");
    let of_all = share(counts.answered.iter().sum(), counts.all.iter().sum());
    assert!(of_all >= 30, "{of_all} % answered");
}
