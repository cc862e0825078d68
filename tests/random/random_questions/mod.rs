//! Questions about random C programs of few states, whose initial state may be memory with any
//! contents, against explicit searches: formulas of computation tree logic against fixpoints in
//! the graph of states (and these against paths), linear ones, and specifications against a
//! search of all states of program and monitor.
//!
//! `WANE_RANDOM_QUESTIONS` says how many programs, `WANE_SEED` which two thirds of them are, and
//! `WANE_QUESTION_STEPS` with how much work for each question.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "counts what was answered")]

mod formula;
mod program;
use crate::random;
mod specification;

use formula::{Flavour, Formula, Operator, Quantifier};
use program::{Choices, Graph, Program};
use random::Random;
use specification::Specification;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use wane::analyze::{Source, Subject, read};
use wane::base::budget::Budget;
use wane::c::{Options, PreprocessedSource};
use wane::heap::shape::ShapeLibrary;
use wane::question::Question;
use wane::report::Answer;

/// Programs asked of if nothing else is said: with formulas of branching time, whose unknown
/// answers are slow, with linear ones, and with specifications.
const PROGRAMS: u64 = 18;
const LINEAR_PROGRAMS: u64 = 18;
const SPECIFIED_PROGRAMS: u64 = 450;
/// So many formulas for each.
const FORMULAS: u64 = 4;
/// The work for a question.
const STEPS: u64 = 100_000;
/// Deep programs need deep recursion.
const STACK_SIZE: usize = 256 << 20;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|it| it.parse().ok())
}

/// Every third program is always the same one: of these it is known how many are answered. The
/// others are those of the seed.
fn is_usual(program_number: u64) -> bool {
    program_number.is_multiple_of(3)
}

fn random(program_number: u64) -> Random {
    let seed = if is_usual(program_number) { 0 } else { number("WANE_SEED").unwrap_or(0) };
    Random(seed.wrapping_mul(1_000_003).wrapping_add(program_number))
}

fn subject(text: &str) -> Subject {
    let source = PreprocessedSource { name: "a.c".to_owned(), text: text.to_owned() };
    read(Source::C(source), &Options::default()).unwrap()
}

/// How many are so and how many are not, and of how many of these it was said.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    hold: usize,
    proved: usize,
    fail: usize,
    refuted: usize,
}

impl Count {
    /// Asks, and compares with what holds in each reading.
    fn ask(&mut self, program: &Program, question: &Question, truths: &[bool]) {
        let text = program.text();
        let library = ShapeLibrary::builtin().unwrap();
        let mut budget = Budget::of_steps(number("WANE_QUESTION_STEPS").unwrap_or(STEPS));
        let finding = subject(&text).ask(question, &library, &mut budget);
        let said = match finding.answer {
            Answer::Proved => Some(true),
            Answer::Refuted => Some(false),
            Answer::Unknown => None,
        };
        let is_right =
            said.is_none_or(|it| truths[0] == it && truths[1..].iter().all(|truth| *truth == it));
        assert!(is_right, "said {said:?}, and is {truths:?}:\n{question:?}\n{text}");
        let (all, answered) = if truths[0] {
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

    fn add(&mut self, other: Self) {
        self.hold += other.hold;
        self.proved += other.proved;
        self.fail += other.fail;
        self.refuted += other.refuted;
    }
}

/// Works on the programs with all processors, and adds up what is counted of the usual ones.
fn on_programs<const N: usize>(
    otherwise: u64,
    work: impl Fn(u64, &mut [Count; N]) + Sync,
) -> [Count; N] {
    let n_programs = number("WANE_RANDOM_QUESTIONS").unwrap_or(otherwise);
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, sum) = (AtomicU64::new(0), Mutex::new([Count::default(); N]));
    let run = || {
        let mut counts = [Count::default(); N];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= n_programs {
                break;
            }
            let mut others = [Count::default(); N];
            work(number, if is_usual(number) { &mut counts } else { &mut others });
        }
        let mut sum = sum.lock().unwrap();
        sum.iter_mut().zip(counts).for_each(|(all, own)| all.add(own));
    };
    std::thread::scope(|scope| {
        let start = || std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, run);
        let threads: Vec<_> = (0..n_threads).map(|_| start().unwrap()).collect();
        threads.into_iter().for_each(|thread| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        });
    });
    sum.into_inner().unwrap()
}

fn flavour(number: u64) -> Flavour {
    match number % 4 {
        0 => Flavour::Only(Quantifier::All),
        1 => Flavour::Only(Quantifier::Exists),
        _ => Flavour::Mixed,
    }
}

/// A formula: hardly ever one that is the same in all states, which says little.
fn formula_for(program: &Program, graph: &Graph, flavour: Flavour, random: &mut Random) -> Formula {
    loop {
        let formula = Formula::random(random, program, 3, flavour);
        if matches!(&formula, Formula::Not(operand) if matches!(**operand, Formula::Test(_))) {
            continue;
        }
        let holds = formula.holds(graph);
        if holds.iter().any(|it| *it != holds[0]) || random.below(10) == 0 {
            return formula;
        }
    }
}

/// What holds of a formula: with all states, and without those behind inputs if that is never so
/// with or without rounds of counted loops.
fn truths(program: &Program, formula: &Formula) -> Vec<bool> {
    let (steps, variables) = (program.steps(), formula.variables());
    let by = |choices: Choices| {
        let graph = steps.states(&variables, choices).unwrap();
        graph.holds(&formula.holds(&graph))
    };
    let all = by(Choices::Count);
    let without = [Choices::DoNotCount, Choices::NorRounds].map(by);
    if without.contains(&all) { vec![all] } else { vec![all, !all] }
}

#[test]
fn formulas_agree_with_fixpoints() {
    let counts = on_programs(PROGRAMS, |program_number, counts: &mut [Count; 3]| {
        let mut random = random(program_number);
        let program = Program::random(&mut random);
        let graph = program.graph().unwrap();
        for formula_number in 0..FORMULAS {
            let flavour = flavour(formula_number);
            let formula = formula_for(&program, &graph, flavour, &mut random);
            let count = match flavour {
                Flavour::Only(Quantifier::All) => &mut counts[0],
                Flavour::Only(Quantifier::Exists) => &mut counts[1],
                Flavour::Mixed => &mut counts[2],
            };
            let question = Question::Ctl(formula.text(&mut random));
            count.ask(&program, &question, &truths(&program, &formula));
        }
    });
    for (name, count) in ["universal", "existential", "mixed"].iter().zip(&counts) {
        eprintln!("{name}: {} % answered, {count:?}", count.answered());
    }
    assert!(counts.iter().all(|it| it.hold > 0 && it.fail > 0), "{counts:?}");
    // Of a dozen formulas of a kind some are hard; of all together, few.
    assert!(counts.iter().all(|it| it.answered() >= 40), "{counts:?}");
    let shares: usize = counts.iter().map(Count::answered).sum();
    assert!(shares >= 3 * 60, "{counts:?}");
}

/// Fixpoints and paths in graphs that no program made.
#[test]
fn fixpoints_agree_with_paths() {
    let program = Program::random(&mut Random(0));
    let mut differing = 0;
    for number in 0..4_000 {
        let mut random = Random(number);
        let n_states = 1 + random.below(6);
        let successors = (0..n_states)
            .map(|_| (0..=random.below(2)).map(|_| random.below(n_states)).collect())
            .collect();
        let values = (0..n_states).map(|_| (0..8).map(|_| random.number(3)).collect()).collect();
        let graph = Graph { successors, values, initial: vec![0] };
        let formula = Formula::random(&mut random, &program, 3, flavour(number));
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
    let [count] = on_programs(LINEAR_PROGRAMS, |program_number, [count]: &mut [Count; 1]| {
        let mut random = random(program_number + (3 << 40));
        let program = Program::random(&mut random);
        let graph = program.graph().unwrap();
        for operator in [Operator::Globally, Operator::Future, Operator::Until] {
            let [p, q] = [0; 2].map(|_| program.test(&mut random));
            let texts = [&p, &q].map(|it| it.proposition());
            let all = |operator, left: Option<Formula>, right: Formula| {
                Formula::Path(Quantifier::All, operator, left.map(Box::new), Box::new(right))
            };
            let [p, q] = [p, q].map(Formula::Test);
            let (linear, formula) = match operator {
                Operator::Globally => {
                    let answered = all(Operator::Future, None, q);
                    let implies = Formula::Implies(Box::new(p), Box::new(answered));
                    (format!("G({} -> F {})", texts[0], texts[1]), all(operator, None, implies))
                }
                Operator::Future => (format!("F({})", texts[0]), all(operator, None, p)),
                Operator::Until | Operator::WeakUntil => {
                    (format!("{} U {}", texts[0], texts[1]), all(operator, Some(p), q))
                }
            };
            let truth = graph.holds(&formula.holds(&graph));
            count.ask(&program, &Question::Ltl(linear), &[truth]);
        }
    });
    eprintln!("linear: {} % answered, {count:?}", count.answered());
    assert!(count.proved > 3 && count.refuted > 3 && count.answered() > 75, "{count:?}");
}

#[test]
fn specifications_agree_with_a_search_of_all_states() {
    let [count] = on_programs(SPECIFIED_PROGRAMS, |program_number, [count]: &mut [Count; 1]| {
        let mut random = random(program_number + (3 << 41));
        let program = Program::random(&mut random);
        let specification = Specification::random(&mut random);
        let truth = specification.holds(&program.steps());
        let (file, text) = ("a.slic".to_owned(), specification.text());
        count.ask(&program, &Question::Specification { file, text }, &[truth]);
    });
    eprintln!("specifications: {} % answered, {count:?}", count.answered());
    assert!(count.proved > 3 && count.refuted > 3 && count.answered() > 75, "{count:?}");
}
