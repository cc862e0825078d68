//! The abstract semantics against the interpreter: random programs are
//! analysed, random runs of them must be as the analysis says.
//!
//! * A run at a cutpoint is in a state that one of the nodes there describes.
//! * From cutpoint to cutpoint, numbers and depths change as an edge says: that
//!   is the soundness of seeding (CAV'06 §4).
//! * A run that does something undefined does it where there is an alarm.
//! * A run of a program that was proved to halt does halt.
//!
//! `WANE_ORACLE_CASES` sets the number of programs, `WANE_ORACLE_SEED` or `WANE_SEED`
//! other programs; without them, every run of the test does the same.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test, which shows how much it did")]

use crate::support;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;
use support::are_usual_programs;
use support::heap_programs::heap_program;
use support::oracle::{Tally, compare, compare_tabulated};
use support::random_cells::cell_program;
use support::random_programs::{RandomProgram, list_program};
use support::random_strings::string_program;
use wane::c::{Options, PreprocessedSource, compile};
use wane::ir::semantics::IntModel;
use wane::ir::{Program, text};

/// Steps that the analysis of a program may take.
const ANALYSIS_STEPS: u64 = 3_000;
/// Runs of each program.
const RUNS: u64 = 6;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// The program with a place in a text for each command, for alarms have one.
fn with_places(program: &Program) -> Program {
    text::parse("random.goto", &text::print(program)).unwrap().program
}

/// Compares many programs; a difference is shown with a program that was made
/// as small as possible.
fn compare_many(programs: impl Strategy<Value = RandomProgram>, n_cases: u64) -> Tally {
    let n_cases = from_environment("WANE_ORACLE_CASES", n_cases);
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(
        &from_environment("WANE_ORACLE_SEED", from_environment("WANE_SEED", 1)).to_le_bytes(),
    );
    let config = Config {
        cases: u32::try_from(n_cases).unwrap(),
        failure_persistence: None,
        max_shrink_iters: 3_000,
        ..Config::default()
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let total = Cell::new(Tally::default());
    let outcome = runner.run(&programs, |program| {
        let tally = compare(&with_places(&program.program), ANALYSIS_STEPS, 0..RUNS)
            .map_err(TestCaseError::fail)?;
        let mut sum = total.get();
        sum.add(tally);
        total.set(sum);
        Ok(())
    });
    if let Err(difference) = outcome {
        panic!("{difference}");
    }
    total.get()
}

#[test]
fn runs_of_list_programs_are_as_the_analysis_says() {
    let tally = compare_many(list_program(), 300);
    println!("lists: {tally:?}");
    assert_eq!(tally.dropped, 0, "{tally:?}");
    if are_usual_programs() {
        assert!(tally.steps >= 100_000 && tally.arrivals >= 10_000, "{tally:?}");
        assert!(tally.proved >= 100 && tally.errors >= 50, "{tally:?}");
    }
}

#[test]
fn runs_of_cell_programs_are_as_the_analysis_says() {
    let tally = compare_many(cell_program(), 300);
    println!("cells: {tally:?}");
    assert_eq!(tally.dropped, 0, "{tally:?}");
    if are_usual_programs() {
        assert!(tally.steps >= 50_000 && tally.arrivals >= 5_000, "{tally:?}");
        assert!(tally.proved >= 100 && tally.errors >= 10, "{tally:?}");
    }
}

#[test]
fn runs_of_string_programs_are_as_the_analysis_says() {
    let tally = compare_many(string_program(), 400);
    println!("strings: {tally:?}");
    assert!(tally.dropped * 100 <= tally.transitions, "{tally:?}");
    if are_usual_programs() {
        assert!(tally.steps >= 20_000 && tally.arrivals >= 2_000, "{tally:?}");
        assert!(tally.proved >= 50 && tally.errors >= 20, "{tally:?}");
    }
}

/// Programs in C with several procedures, some of them recursive, whose calls are followed or
/// tabulated.
#[test]
fn runs_of_heap_programs_are_as_the_analysis_says() {
    let n_cases = usize::try_from(from_environment("WANE_ORACLE_CASES", 60)).unwrap();
    let seed = usize::try_from(from_environment("WANE_SEED", 0)).unwrap();
    let from = seed.wrapping_mul(1_000_000);
    let work = move || {
        let mut total = [Tally::default(); 2];
        for number in from..from + n_cases {
            let text = heap_program(number);
            let source = PreprocessedSource { name: "heap.c".to_owned(), text: text.clone() };
            let options = Options { int_model: IntModel::Math, ..Options::default() };
            let program = compile(&source, &options).unwrap();
            for (compare, total) in [compare, compare_tabulated].into_iter().zip(&mut total) {
                let tally = compare(&program, 4 * ANALYSIS_STEPS, 0..RUNS);
                total.add(tally.unwrap_or_else(|why| panic!("program {number}: {why}\n{text}")));
            }
        }
        println!("heaps: {total:?}");
        if are_usual_programs() {
            assert!(total[0].finished > 40 && total[0].entries > 50, "{total:?}");
            assert!(total[1].entries > 400 && total[1].inside > 200, "{total:?}");
            assert!(total[1].returns > 400, "{total:?}");
        }
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap();
}

/// Programs with runs that do not halt, which were once proved to halt.
#[test]
fn once_unsound() {
    let programs = [
        include_str!("../once_unsound/zeroed_block_with_other_cells.goto"),
        include_str!("../once_unsound/part_of_a_cell_copied.goto"),
        include_str!("../once_unsound/minus_one_as_an_address.goto"),
        include_str!("../once_unsound/an_address_as_a_signed_number.goto"),
    ];
    for program in programs {
        let parsed = text::parse("once_unsound.goto", program).unwrap();
        let tally = compare(&parsed.program, ANALYSIS_STEPS, 0..RUNS).unwrap();
        assert!(tally.proved == 0 && tally.finished == 1, "{program}");
    }
}
