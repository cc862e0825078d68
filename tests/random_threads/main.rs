//! Threads of random C programs of few states, against all their schedules, one by one.
//!
//! `WANE_RANDOM_THREADS` says how many programs, `WANE_SEED` which, and
//! `WANE_RANDOM_THREADS_TOOL` names another wane to ask.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "counts what was answered")]

mod explicit;
mod program;
#[path = "../support/random_numbers.rs"]
mod random;

use assert_cmd::Command;
use program::Program;
use random::Random;
use serde_json::Value;
use std::fs;

/// Programs asked of if nothing else is said.
const PROGRAMS: u64 = 24;

/// What `wane check` says of the first thread, if it knows.
fn answer(text: &str) -> Option<bool> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), text).unwrap();
    let tool = std::env::var("WANE_RANDOM_THREADS_TOOL");
    let mut command = Command::new(tool.as_deref().unwrap_or(env!("CARGO_BIN_EXE_wane")));
    let arguments = ["check", "--thread", "thread0", "--format", "json", "a.c"];
    let output = command.current_dir(folder.path()).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no report: {errors}\n{text}"));
    match report["results"][0]["verdict"].as_str() {
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some("unknown") => None,
        other => panic!("no verdict: {other:?}\n{errors}\n{text}"),
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|it| it.parse().ok())
}

#[test]
fn threads_agree_with_all_schedules() {
    let seed = number("WANE_SEED").unwrap_or(0);
    // How many end and do not, and of how many of these it was said.
    let (mut all, mut answered) = ([0_u64; 2], [0_u64; 2]);
    for program_number in 0..number("WANE_RANDOM_THREADS").unwrap_or(PROGRAMS) {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(program_number));
        let program = Program::random(&mut random);
        let Some(ends) = explicit::ends(&program) else { continue };
        let text = program.text();
        let said = answer(&text);
        assert!(said.is_none_or(|it| it == ends), "said {said:?}, not the case:\n{text}");
        all[usize::from(ends)] += 1;
        answered[usize::from(ends)] += u64::from(said.is_some());
    }
    eprintln!("do not end, end: {all:?}; answered: {answered:?}");
    assert!(all.iter().all(|it| *it > 0), "{all:?}");
    let n_all = all.iter().sum::<u64>();
    let share = 100 * answered.iter().sum::<u64>() / n_all;
    // Few programs may be hard ones.
    let least = if n_all < 100 { 35 } else { 60 };
    assert!(share >= least, "{share} % answered");
}
