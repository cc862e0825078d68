//! Verdicts about random integer programs, held against all of their runs.
//!
//! Inputs are 0, 1 or 2, so that the interpreter can look at every run of most
//! programs: none of a program that is proved to end may go on and on, and not
//! all of a program that is refuted may end. `WANE_RANDOM_PROGRAMS` says how many
//! programs, `WANE_SEED` which; without it they are always the same.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fmt::Write as _;
use wane::base::budget::Budget;
use wane::concrete::Outcome;
use wane::concrete::choices::ChoiceList;
use wane::concrete::interpreter::Interpreter;
use wane::heap::shape::ShapeLibrary;
use wane::ir::{Program, text};
use wane::obligation::{Fairness, Goal, Obligation};
use wane::prove::mutant;
use wane::prove::nontermination::refute;
use wane::simplify::simplify;
use wane::sonar::Machine;
use wane::verdict::Verdict;

/// So many programs a test, if nothing else is said.
const PROGRAMS: u64 = 150;
/// The programs of different tests are so far apart.
const APART: u64 = 1_000_000;
/// The steps that a proof may take.
const PROOF_STEPS: u64 = 1_500;
/// The steps that a refutation may take.
const REFUTATION_STEPS: u64 = 10_000;
/// Inputs are below this.
const INPUTS: i128 = 3;
/// More runs than this are not looked at.
const MOST_RUNS: usize = 400;
/// A run that takes more steps is long.
const LONG: u64 = 1_500;
/// A run of a program that ends takes fewer.
const ENDLESS: u64 = 200_000;

/// Numbers that look random, from a seed (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    /// From `least` to `greatest`.
    fn between(&mut self, least: i64, greatest: i64) -> i64 {
        let width = u64::try_from(greatest - least).unwrap() + 1;
        least + i64::try_from(self.below(width)).unwrap()
    }

    fn one_of(&mut self, items: &[&'static str]) -> &'static str {
        items[usize::try_from(self.below(items.len() as u64)).unwrap()]
    }
}

const VARIABLES: [&str; 3] = ["a", "b", "c"];

/// Writes a program block by block.
struct Writer {
    random: Random,
    text: String,
    n_blocks: usize,
}

impl Writer {
    fn new_block(&mut self) -> usize {
        self.n_blocks += 1;
        self.n_blocks
    }

    fn term(&mut self) -> String {
        let (left, right) = (self.random.one_of(&VARIABLES), self.random.one_of(&VARIABLES));
        let constant = self.random.between(-2, 3);
        match self.random.below(12) {
            0..4 => format!("{left} + {constant}"),
            4..6 => format!("{left} - {right}"),
            6 => format!("{left} + {right}"),
            7 => format!("{constant}"),
            8 => (*left).to_string(),
            9 => format!("-1 * {left} + {constant}"),
            10 => format!("{} * {left} + {constant}", self.random.between(-2, 3)),
            _ => format!("{left} % {} + {constant}", self.random.between(2, 4)),
        }
    }

    fn condition(&mut self) -> String {
        let comparison = self.random.one_of(&["<", "<=", ">", ">=", ">", "<", "!=", "=="]);
        let left = self.random.one_of(&VARIABLES);
        match self.random.below(3) {
            0 => format!("{left} {comparison} {}", self.random.one_of(&VARIABLES)),
            1 => format!("{left} + {} {comparison} 3", self.random.one_of(&VARIABLES)),
            _ => format!("{left} {comparison} {}", self.random.between(-3, 6)),
        }
    }

    /// Statements from an open block to another open block.
    fn statements(&mut self, depth: u32, count: i64) {
        for _ in 0..count {
            match self.random.below(if depth < 2 { 12 } else { 8 }) {
                0..7 => self.assign(),
                7 => self.input(),
                8 | 9 => self.branch(depth),
                _ => self.repeat(depth),
            }
        }
    }

    fn assign(&mut self) {
        let (target, value) = (self.random.one_of(&VARIABLES), self.term());
        write!(self.text, " {target} := {value}").unwrap();
    }

    fn input(&mut self) {
        let target = self.random.one_of(&VARIABLES);
        write!(self.text, " {target} := input \"{target}\" assume {target} >= 0").unwrap();
        write!(self.text, " assume {target} < {INPUTS}").unwrap();
    }

    fn branch(&mut self, depth: u32) {
        let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
        let condition = self.condition();
        write!(self.text, " if {condition} goto s{yes} else s{no}\ns{yes}:").unwrap();
        let (n_yes, n_no) = (self.random.between(1, 2), self.random.between(0, 2));
        self.statements(depth + 1, n_yes);
        write!(self.text, " goto s{join}\ns{no}:").unwrap();
        self.statements(depth + 1, n_no);
        write!(self.text, " goto s{join}\ns{join}:").unwrap();
    }

    fn repeat(&mut self, depth: u32) {
        let (head, body, after) = (self.new_block(), self.new_block(), self.new_block());
        let condition = self.condition();
        write!(self.text, " goto s{head}\ns{head}: if {condition} goto s{body} else s{after}\n")
            .unwrap();
        write!(self.text, "s{body}:").unwrap();
        let count = self.random.between(1, 3);
        self.statements(depth + 1, count);
        write!(self.text, " goto s{head}\ns{after}:").unwrap();
    }
}

/// A program with three numbers and a loop or a few.
fn random_program(seed: u64) -> Program {
    let random = Random(seed.wrapping_mul(0xD129_0D25_8C5B_45B1));
    let mut writer = Writer { random, text: String::new(), n_blocks: 0 };
    writer.input();
    writer.input();
    writer.statements(2, 1);
    writer.repeat(0);
    let body = writer.text;
    let text = format!(
        "procedure main() {{ local a: i32 local b: i32 local c: i32\n\
         s0: a := 1 b := 2 c := 0 {body} return }} entry main"
    );
    text::parse("random.goto", &text).unwrap_or_else(|error| panic!("{error:?} in\n{text}")).program
}

/// What the runs of a program do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runs {
    /// All of them end.
    End,
    /// One goes on and on.
    Last,
    /// There are too many, or something else happens in one.
    Unclear,
}

fn outcome(program: &Program, inputs: &[i128], steps: u64) -> (Outcome, usize) {
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    let mut choices = ChoiceList::new(inputs.to_vec());
    let outcome = interpreter.run(&mut state, &mut choices, &mut Budget::of_steps(steps));
    (outcome, choices.n_asked())
}

/// Looks at all runs, the inputs in order.
fn runs(program: &Program) -> Runs {
    let mut open: Vec<Vec<i128>> = vec![Vec::new()];
    let mut found = Runs::End;
    for _ in 0..MOST_RUNS {
        let Some(inputs) = open.pop() else { return found };
        let (end, n_asked) = outcome(program, &inputs, LONG);
        match end {
            Outcome::Halted | Outcome::AssumeFailed => {}
            Outcome::OutOfBudget if outcome(program, &inputs, ENDLESS).0 == end => {
                return Runs::Last;
            }
            _ => found = Runs::Unclear,
        }
        if n_asked > inputs.len() {
            open.extend((0..INPUTS).map(|next| inputs.iter().copied().chain([next]).collect()));
        }
    }
    Runs::Unclear
}

/// How many programs there were of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    proved: usize,
    refuted: usize,
    /// All runs end, but nothing was said.
    missed: usize,
    open: usize,
}

/// What wane says of a program.
enum Said {
    Ends,
    GoesOn,
    Nothing,
}

/// As `prove` does, with few steps.
fn said(program: &Program, library: &ShapeLibrary) -> Said {
    let simple = simplify(program);
    let obligation = Obligation::new(&simple, Goal::Ends);
    let machine = Machine::new(&obligation, library);
    match mutant::prove(&machine, &mut Budget::of_steps(PROOF_STEPS)) {
        Verdict::Proved(_) => Said::Ends,
        Verdict::Refuted(_) | Verdict::Violated(_) => Said::GoesOn,
        Verdict::Unknown(_) => {
            match refute(program, &Fairness::default(), &mut Budget::of_steps(REFUTATION_STEPS)) {
                Some(_) => Said::GoesOn,
                None => Said::Nothing,
            }
        }
    }
}

fn judge(number: u64) {
    let library = ShapeLibrary::builtin().unwrap();
    let asked = std::env::var("WANE_RANDOM_PROGRAMS").ok();
    let n_programs = asked.map_or(PROGRAMS, |text| text.parse().unwrap());
    let mut tally = Tally::default();
    let seed: u64 = std::env::var("WANE_SEED").map_or(0, |text| text.parse().unwrap());
    let first = seed.wrapping_mul(10 * APART).wrapping_add(number * APART);
    for seed in (0..n_programs).map(|index| first.wrapping_add(index)) {
        let program = random_program(seed);
        let (said, runs) = (said(&program, &library), runs(&program));
        match said {
            Said::Ends => {
                tally.proved += 1;
                assert_ne!(runs, Runs::Last, "{seed}: {}", text::print(&program));
            }
            Said::GoesOn => {
                tally.refuted += 1;
                assert_ne!(runs, Runs::End, "{seed}: {}", text::print(&program));
            }
            Said::Nothing if runs == Runs::End => tally.missed += 1,
            Said::Nothing => tally.open += 1,
        }
    }
    let all = tally.proved + tally.refuted + tally.missed + tally.open;
    assert!(5 * tally.proved > all && 40 * tally.refuted > all, "{tally:?}");
    assert!(8 * tally.missed < all, "{tally:?}");
}

#[test]
fn verdicts_agree_with_all_runs_1() {
    judge(1);
}

#[test]
fn verdicts_agree_with_all_runs_2() {
    judge(2);
}

#[test]
fn verdicts_agree_with_all_runs_3() {
    judge(3);
}

#[test]
fn verdicts_agree_with_all_runs_4() {
    judge(4);
}
