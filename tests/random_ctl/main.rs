//! Formulas of computation tree logic on random C programs of few states, against fixpoints in
//! the graph of their states; and these against paths.
//!
//! `WANE_RANDOM_CTL` says how many programs, `WANE_SEED` which, and `WANE_RANDOM_CTL_STEPS`
//! with how much work for each question, if not as much as the command takes by itself.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "counts what was answered")]

mod formula;
mod program;
#[path = "../support/random_numbers.rs"]
mod random;

use assert_cmd::Command;
use formula::{Flavour, Formula, Operator, Quantifier};
use program::{Graph, Program, Test};
use random::Random;
use serde_json::Value;
use std::fs;

/// Programs asked of if nothing else is said: with formulas of branching time, whose unknown
/// answers are slow, and with linear ones.
const PROGRAMS: u64 = 12;
const LINEAR_PROGRAMS: u64 = 15;
/// So many formulas for each.
const FORMULAS: u64 = 4;

/// What `wane check` says of a program and a formula: whether it holds, if it knows.
fn answer(text: &str, flag: &str, formula: &str) -> Option<bool> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_wane"));
    command.current_dir(folder.path()).args(["check", flag, formula, "--format", "json", "a.c"]);
    if let Some(steps) = number("WANE_RANDOM_CTL_STEPS") {
        command.args(["--steps", &steps.to_string()]);
    }
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no report: {errors}\n{formula}\n{text}"));
    match report["results"][0]["verdict"].as_str() {
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some("unknown") => None,
        other => panic!("no verdict: {other:?}\n{errors}\n{formula}\n{text}"),
    }
}

/// How many formulas hold and how many do not, and of how many of these it was said.
#[derive(Debug, Default)]
struct Count {
    hold: usize,
    proved: usize,
    fail: usize,
    refuted: usize,
}

impl Count {
    /// Asks, and compares.
    fn ask(&mut self, program: &Program, (flag, formula): (&str, &str), truth: &[bool]) {
        let text = program.text();
        let said = answer(&text, flag, formula);
        let is_right = said.is_none_or(|it| it == truth[0]);
        assert!(is_right, "said {said:?}, not the case:\n{formula}\n{text}");
        let (all, answered) = if truth[0] {
            (&mut self.hold, &mut self.proved)
        } else {
            (&mut self.fail, &mut self.refuted)
        };
        *all += 1;
        *answered += usize::from(said.is_some());
    }

    fn answered(&self) -> usize {
        100 * (self.proved + self.refuted) / (self.hold + self.fail).max(1)
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|it| it.parse().ok())
}

fn flavour(number: u64) -> Flavour {
    match number % 4 {
        0 => Flavour::Only(Quantifier::All),
        1 => Flavour::Only(Quantifier::Exists),
        _ => Flavour::Mixed,
    }
}

/// A formula and where it holds: hardly ever one that is the same in all states, which says
/// little.
fn formula_for(graph: &Graph, flavour: Flavour, random: &mut Random) -> (Formula, Vec<bool>) {
    loop {
        let formula = Formula::random(random, 3, flavour);
        if matches!(&formula, Formula::Not(operand) if matches!(**operand, Formula::Test(_))) {
            continue;
        }
        let holds = formula.holds(graph);
        if holds.iter().any(|it| *it != holds[0]) || random.below(10) == 0 {
            return (formula, holds);
        }
    }
}

#[test]
fn formulas_agree_with_fixpoints() {
    let seed = number("WANE_SEED").unwrap_or(0);
    let mut counts: [Count; 3] = Default::default();
    for program_number in 0..number("WANE_RANDOM_CTL").unwrap_or(PROGRAMS) {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(program_number));
        let program = Program::random(&mut random);
        let graph = program.graph();
        for formula_number in 0..FORMULAS {
            let flavour = flavour(formula_number);
            let (formula, holds) = formula_for(&graph, flavour, &mut random);
            let text = formula.text(&mut random);
            let count = match flavour {
                Flavour::Only(Quantifier::All) => &mut counts[0],
                Flavour::Only(Quantifier::Exists) => &mut counts[1],
                Flavour::Mixed => &mut counts[2],
            };
            count.ask(&program, ("--ctl", &text), &holds);
        }
    }
    for (name, count) in ["universal", "existential", "mixed"].iter().zip(&counts) {
        eprintln!("{name}: {} % answered, {count:?}", count.answered());
    }
    assert!(counts.iter().all(|it| it.hold > 0 && it.fail > 0), "{counts:?}");
    assert!(counts.iter().all(|it| it.answered() >= 75), "{counts:?}");
}

/// Fixpoints and paths in graphs that no program made.
#[test]
fn fixpoints_agree_with_paths() {
    let mut differing = 0;
    for number in 0..4_000 {
        let mut random = Random(number);
        let n_states = 1 + random.below(6);
        let successors = (0..n_states)
            .map(|_| (0..=random.below(2)).map(|_| random.below(n_states)).collect())
            .collect();
        let values = (0..n_states).map(|_| [random.number(3), random.number(2)]).collect();
        let graph = Graph { successors, values };
        let formula = Formula::random(&mut random, 3, flavour(number));
        let holds = formula.holds(&graph);
        assert_eq!(holds, formula.holds_by_paths(&graph), "{formula:?}\n{graph:?}");
        differing += usize::from(holds.iter().any(|it| *it != holds[0]));
    }
    // Formulas that are the same everywhere say little.
    assert!(differing > 700, "{differing}");
}

/// Formulas that are linear as well: so are the programs' texts and graphs compared.
#[test]
fn graphs_are_those_of_the_programs() {
    let mut count = Count::default();
    let seed = number("WANE_SEED").unwrap_or(0);
    for program_number in 0..number("WANE_RANDOM_CTL").unwrap_or(LINEAR_PROGRAMS) {
        let mut random = Random(seed.wrapping_mul(1_000_033).wrapping_add(program_number));
        let program = Program::random(&mut random);
        let graph = program.graph();
        for operator in [Operator::Globally, Operator::Future, Operator::Until] {
            let [p, q] = [0; 2].map(|_| Test::random(&mut random));
            let all = |operator, left: Option<Test>, right: Formula| {
                let left = left.map(|it| Box::new(Formula::Test(it)));
                Formula::Path(Quantifier::All, operator, left, Box::new(right))
            };
            let (linear, formula) = match operator {
                Operator::Globally => {
                    let answered = all(Operator::Future, None, Formula::Test(q));
                    let implies = Formula::Implies(Box::new(Formula::Test(p)), Box::new(answered));
                    (format!("G({} -> F {})", p.text(), q.text()), all(operator, None, implies))
                }
                Operator::Future => {
                    (format!("F({})", p.text()), all(operator, None, Formula::Test(p)))
                }
                Operator::Until | Operator::WeakUntil => (
                    format!("{} U {}", p.text(), q.text()),
                    all(operator, Some(p), Formula::Test(q)),
                ),
            };
            count.ask(&program, ("--ltl", &linear), &formula.holds(&graph));
        }
    }
    assert!(count.proved > 5 && count.refuted > 5 && count.answered() > 80, "{count:?}");
}
