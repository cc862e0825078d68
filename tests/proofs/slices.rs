//! What is proved of a slice holds of the program, whatever variables were ignored; and what is
//! proved of procedures by themselves holds of the program that calls them.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::support;

use support::heap_programs::heap_program;
use support::oracle::SeededChoices;
use wane::base::budget::Budget;
use wane::c::{Options, PreprocessedSource, compile};
use wane::concrete::Outcome;
use wane::concrete::interpreter::Interpreter;
use wane::heap::shape::ShapeLibrary;
use wane::ir::Program;
use wane::ir::semantics::IntModel;
use wane::ir::slice::parts::apart;
use wane::ir::slice::relevance::{Aim, irrelevant};
use wane::ir::slice::without;
use wane::obligation::{Goal, Obligation};
use wane::prove::mutant;
use wane::sonar::Machine;
use wane::verdict::Verdict;

/// The programs that are sliced.
const PROGRAMS: usize = 25;
/// Slices of each, beside the one that is chosen with care.
const SLICES: u64 = 3;
/// The runs of each program of which something was proved.
const RUNS: u64 = 6;
/// A run that ends does so within so many steps.
const MOST_STEPS: u64 = 30_000;

/// The programs whose procedures are looked at by themselves.
const PROGRAMS_IN_PARTS: u64 = 120;

fn read(number: usize) -> Program {
    compiled(heap_program(number))
}

fn compiled(text: String) -> Program {
    let source = PreprocessedSource { name: "random.c".to_owned(), text };
    let options = Options { int_model: IntModel::Math, ..Options::default() };
    compile(&source, &options).unwrap()
}

/// Some of the variables, from a seed.
fn some(program: &Program, seed: u64) -> Vec<bool> {
    let mixed = |index: usize| {
        let mixed = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ seed;
        mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 61
    };
    (0..program.variables.len()).map(|index| mixed(index) < 2).collect()
}

/// Whether all runs of the slice are proved to end.
fn is_proved(sliced: &Program, library: &ShapeLibrary) -> bool {
    let obligation = Obligation::new(sliced, Goal::Ends);
    let machine = Machine::new(&obligation, library).with_long_calls_tabulated();
    let verdict = mutant::prove(&machine, &mut Budget::of_steps(12_000));
    matches!(verdict, Verdict::Proved(_))
}

fn check_runs(program: &Program, what: &str) {
    let interpreter = Interpreter::new(program);
    for run in 0..RUNS {
        let mut state = interpreter.initial();
        let mut choices = SeededChoices::new(run);
        let mut outcome = Outcome::Running;
        for _ in 0..MOST_STEPS {
            outcome = interpreter.step(&mut state, &mut choices);
            if outcome != Outcome::Running {
                break;
            }
        }
        let is_fine = !matches!(outcome, Outcome::Running | Outcome::MemoryError { .. });
        assert!(is_fine, "{what}, run {run}: {outcome:?}");
    }
}

#[test]
fn what_is_proved_of_slices_holds() {
    let library = ShapeLibrary::builtin().unwrap();
    let seed: u64 = std::env::var("WANE_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    let first = usize::try_from(seed).unwrap().wrapping_mul(1_000_000);
    let mut n_proved = [0; 2];
    for number in first..first + PROGRAMS {
        let program = read(number);
        let careful = irrelevant(&program, &Aim::default()).unwrap().variables;
        let others = (0..SLICES).map(|it| some(&program, it + seed));
        for (position, ignored) in [careful].into_iter().chain(others).enumerate() {
            if is_proved(&without(&program, &ignored), &library) {
                check_runs(&program, &format!("program {number}, slice {position}"));
                n_proved[position.min(1)] += 1;
            }
        }
    }
    assert!(n_proved[0] >= 3 && n_proved[1] >= 1, "too few to tell: {n_proved:?}");
}

/// A program of procedures with loops that call each other, from a seed. Some of them never end.
fn program_of_calls(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap() % n
    };
    let mut text = "extern int __VERIFIER_nondet_int(void);\nint g;\n".to_owned();
    for number in 0..4 {
        let condition = ["x > 0", "g > x", "n < x", "n < 3"][below(4)];
        let mut steps = String::new();
        for _ in 0..=below(3) {
            let other = below(number.max(1));
            let called = format!("f{other}");
            steps.push_str(&match below(8) {
                0 | 1 => "x = x - 1; ".to_owned(),
                2 | 3 => "n = n + 1; ".to_owned(),
                4 => "g = g - 1; ".to_owned(),
                5 if number > 0 => format!("x = x - {called}(n); "),
                6 if number > 0 => format!("n = n + {called}(x); "),
                7 => format!("if (x > 0) {{ x = x - 1; n = f{number}(x); }} "),
                _ => "g = x; ".to_owned(),
            });
        }
        let result = ["1", "x", "g", "n"][below(4)];
        text.push_str(&format!(
            "static int f{number}(int x) {{ int n = 0; while ({condition}) {{ {steps}}} return {result}; }}\n"
        ));
    }
    text.push_str(
        "int main(void) {
            int a = __VERIFIER_nondet_int();
            g = __VERIFIER_nondet_int();
            if (a > 4 || g > 4 || a < -4 || g < -4) return 0;
            return f3(a) + f2(g);
        }",
    );
    text
}

#[test]
fn what_is_proved_of_parts_holds() {
    let library = ShapeLibrary::builtin().unwrap();
    let seed: u64 = std::env::var("WANE_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    let (mut n_proved, mut n_others) = (0, 0);
    for number in 0..PROGRAMS_IN_PARTS {
        let number = seed.wrapping_mul(1_000_000).wrapping_add(number);
        let text = program_of_calls(number);
        let program = compiled(text.clone());
        if is_proved(&apart(&program).unwrap(), &library) {
            check_runs(&program, &text);
            n_proved += 1;
        } else {
            n_others += 1;
        }
    }
    assert!(n_proved >= 2 && n_others >= 2, "too few to tell: {n_proved}, {n_others}");
}
