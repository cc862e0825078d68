//! Refutations of termination, tried on programs whose runs can all be looked at.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use proptest::prelude::*;
use std::fmt::Write as _;
use wane::base::budget::Budget;
use wane::concolic::shadow::{choice_symbol, entry_symbol};
use wane::concrete::Outcome;
use wane::concrete::choices::ChoiceList;
use wane::concrete::interpreter::Interpreter;
use wane::ir::{Program, text};
use wane::logic::{Constraint, Farkas, LinearExpr};
use wane::obligation::{ErrorKind, Fairness, Goal};
use wane::prove::nontermination::refute;
use wane::verdict::Refutation;
use wane::verdict::violation::Trial;
use wane::verdict::witness::{Flaw, Witness, check_refutation, justify_refutation};

/// A program with two numbers, `a` and `b`, each between 0 and 3 at first, and a
/// loop of a few assignments.
#[derive(Clone, Debug)]
struct Toy {
    guard: (i64, i64, i64),
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    /// The step is made when `a + factor * b >= bound`.
    condition: Option<(i64, i64)>,
    target: usize,
    of_a: i64,
    of_b: i64,
    constant: i64,
}

const NAMES: [&str; 2] = ["a", "b"];

fn step() -> impl Strategy<Value = Step> {
    let condition = proptest::option::of((-1_i64..2, -2_i64..4));
    (condition, 0..2_usize, -1_i64..3, -1_i64..2, -2_i64..3).prop_map(
        |(condition, target, of_a, of_b, constant)| Step {
            condition,
            target,
            of_a,
            of_b,
            constant,
        },
    )
}

fn toy() -> impl Strategy<Value = Toy> {
    let guard = (-1_i64..2, -1_i64..2, -3_i64..4);
    (guard, prop::collection::vec(step(), 1..4)).prop_map(|(guard, steps)| Toy { guard, steps })
}

impl Toy {
    fn program(&self) -> Program {
        self.drawing("")
    }

    /// The same with what is drawn at the start of each round.
    fn drawing(&self, draw: &str) -> Program {
        let (x, y, bound) = self.guard;
        let mut body = String::new();
        for (index, step) in self.steps.iter().enumerate() {
            let next = index + 1;
            let Step { target, of_a, of_b, constant, .. } = step;
            let target = NAMES[*target];
            let value = format!("{of_a} * a + {of_b} * b + {constant}");
            match step.condition {
                None => writeln!(body, "s{index}: {target} := {value} goto s{next}"),
                Some((factor, bound)) => writeln!(
                    body,
                    "s{index}: if a + {factor} * b >= {bound} goto t{index} else s{next}\n\
                     t{index}: {target} := {value} goto s{next}"
                ),
            }
            .unwrap();
        }
        let text = format!(
            "procedure main() {{ local a: i32 local b: i32 local c: i32\n\
             start: a := input \"a\" b := input \"b\"\n\
             assume a >= 0 assume a <= 3 assume b >= 0 assume b <= 3 goto head\n\
             head: if {x} * a + {y} * b > {bound} goto draw else done\n\
             draw: {draw} goto s0\n\
             {body}s{last}: goto head\n\
             done: return }} entry main",
            last = self.steps.len(),
        );
        text::parse("toy.goto", &text).unwrap().program
    }
}

/// In each round `b` is some number that is not modelled.
const DRAW: &str = "c := arbitrary \"c\" b := c % 4";

/// How the run with these inputs ends, within some steps.
fn outcome(program: &Program, inputs: [i128; 2]) -> Outcome {
    outcome_with(program, inputs.to_vec())
}

/// The same with more choices behind the inputs.
fn outcome_with(program: &Program, choices: Vec<i128>) -> Outcome {
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    let mut choices = ChoiceList::new(choices);
    interpreter.run(&mut state, &mut choices, &mut Budget::of_steps(3_000))
}

fn all_inputs() -> impl Iterator<Item = [i128; 2]> {
    (0..4).flat_map(|a| (0..4).map(move |b| [a, b]))
}

/// No run is evidence that has needed a value which is not modelled: none is followed far beyond
/// it.
#[test]
fn runs_end_soon_after_what_is_not_modelled() {
    let program = |source: &str| {
        let text = format!(
            "procedure main() {{ local a: i32 local b: i32\n\
             start: a := {source} \"a\" b := a goto head\n\
             head: if b > 3 goto again else done\n\
             again: b := b + 1 goto head\n\
             done: return }} entry main"
        );
        text::parse("runs.goto", &text).unwrap().program
    };
    let refuted = |source: &str| {
        let (program, mut budget) = (program(source), Budget::of_steps(30_000));
        let found = refute(&program, &Fairness::default(), &mut budget);
        (found.is_some(), budget.work())
    };
    assert!(refuted("input").0);
    let (is_refuted, work) = refuted("arbitrary");
    assert!(!is_refuted);
    // Runs that were followed would take all of the steps.
    assert!(work < 5_000, "{work}");
}

/// A number that is drawn makes no difference beside a larger one, and some by itself.
#[test]
fn draws_that_make_no_difference_refute() {
    let refuted = |constant| {
        let step = Step { condition: None, target: 0, of_a: 0, of_b: 1, constant };
        let program = Toy { guard: (1, 0, 0), steps: vec![step] }.drawing(DRAW);
        refute(&program, &Fairness::default(), &mut Budget::of_steps(30_000)).is_some()
    };
    assert!(refuted(4));
    assert!(!refuted(3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// All runs are looked at: a refuted program has one that goes on and on.
    #[test]
    fn what_is_refuted_does_not_end(toy in toy()) {
        let program = toy.program();
        if let Some(Refutation { witness, .. }) = refute(&program, &Fairness::default(), &mut Budget::of_steps(30_000)) {
            let inputs = [witness.stem[0], witness.stem[1]];
            // Numbers above 128 bits end the interpreter, not the run.
            let ends = outcome(&program, inputs) == Outcome::Halted;
            prop_assert!(!ends, "{witness:?} in {}", text::print(&program));
        }
    }

    /// What is refuted although numbers are not modelled does not end whatever these are.
    #[test]
    fn what_is_refuted_does_not_end_whatever_is_drawn(
        toy in toy(),
        draws in prop::collection::vec(prop::collection::vec(-9_i128..9, 300), 4),
    ) {
        let program = toy.drawing(DRAW);
        if let Some(Refutation { witness, .. }) = refute(&program, &Fairness::default(), &mut Budget::of_steps(30_000)) {
            for more in draws {
                let choices = [&witness.stem[..2], &more[..]].concat();
                let ends = outcome_with(&program, choices) == Outcome::Halted;
                prop_assert!(!ends, "{witness:?} in {}", text::print(&program));
            }
        }
    }

    /// The check does not believe what is changed.
    #[test]
    fn a_wrong_witness_is_rejected(toy in toy(), inputs in (0_i128..4, 0_i128..4), steps in 1_u64..40) {
        let program = toy.program();
        let inputs = [inputs.0, inputs.1];
        let witness = Witness {
            stem: inputs.to_vec(),
            n_stem_steps: 7,
            cycle: Vec::new(),
            n_cycle_steps: steps,
            reductions: wane::concolic::shadow::Reductions::Decided,
            recurrent: Vec::new(),
            rounds: None,
            trap: None,
            restriction: None,
            multipliers: Vec::new(),
        };
        if justify_refutation(&program, &Fairness::default(), witness).is_ok() {
            prop_assert!(outcome(&program, inputs) != Outcome::Halted);
        }
    }
}

/// Most programs of this kind that run for long are refuted.
#[test]
fn endless_programs_are_mostly_refuted() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut n_long, mut n_refuted) = (0, 0);
    for _ in 0..200 {
        let program = toy().new_tree(&mut runner).unwrap().current().program();
        if all_inputs().any(|inputs| outcome(&program, inputs) == Outcome::OutOfBudget) {
            n_long += 1;
            n_refuted += usize::from(
                refute(&program, &Fairness::default(), &mut Budget::of_steps(60_000)).is_some(),
            );
        }
    }
    assert!(n_long > 20 && n_refuted * 10 > n_long * 9, "{n_refuted} of {n_long}");
}

fn parsed(text: &str) -> Program {
    text::parse("small.goto", text).unwrap().program
}

fn up(bound: i64) -> Program {
    parsed(&format!(
        "procedure main() {{ local i: i32 a: i := 0 goto h
         h: if i < {bound} goto b else d  b: i := i + 1 goto h  d: return }} entry main"
    ))
}

#[test]
fn a_loop_that_ends_late_is_not_refuted() {
    for bound in [1, 10, 100, 1_000_000] {
        assert!(refute(&up(bound), &Fairness::default(), &mut Budget::of_steps(100_000)).is_none());
    }
}

#[test]
fn each_flaw_is_found() {
    let program = parsed(
        "procedure main() { local i: i32 a: i := input \"i\" goto h
         h: if i > 0 goto b else d  b: i := i + 1 goto h  d: return } entry main",
    );
    let Refutation { witness, .. } =
        refute(&program, &Fairness::default(), &mut Budget::of_steps(10_000)).unwrap();
    let flaw = |change: &dyn Fn(&mut Witness)| {
        let mut changed = witness.clone();
        change(&mut changed);
        check_refutation(&program, &Fairness::default(), &changed).err()
    };
    assert_eq!(flaw(&|it| it.multipliers.clear()), Some(Flaw::Guard));
    assert_eq!(flaw(&|it| it.multipliers.push(Farkas::default())), Some(Flaw::NotClosed));
    assert_eq!(flaw(&|_| ()), None);
    assert_eq!(flaw(&|it| it.n_cycle_steps = 0), Some(Flaw::Ends));
    assert_eq!(flaw(&|it| it.stem[0] = 0), Some(Flaw::Ends));
    assert_eq!(flaw(&|it| it.stem.push(1)), Some(Flaw::Choices));
    assert_eq!(flaw(&|it| it.cycle.push(1)), Some(Flaw::Choices));
    assert_eq!(flaw(&|it| it.n_cycle_steps += 1), Some(Flaw::Heap));
    assert_eq!(flaw(&|it| it.recurrent.clear()), Some(Flaw::Guard));
    let pinned = |it: &mut Witness| {
        let now = check_refutation(&program, &Fairness::default(), &witness)
            .unwrap()
            .number_now(entry_symbol(0));
        it.recurrent = vec![Constraint::eq(LinearExpr::var(entry_symbol(0)), now.floor())];
    };
    let mut changed = witness.clone();
    pinned(&mut changed);
    assert_eq!(
        justify_refutation(&program, &Fairness::default(), changed).err(),
        Some(Flaw::NotClosed)
    );
    let far = vec![Constraint::ge(LinearExpr::var(entry_symbol(0)), 1_000_000)];
    let changed = Witness { recurrent: far, ..witness };
    assert_eq!(
        justify_refutation(&program, &Fairness::default(), changed).err(),
        Some(Flaw::Start)
    );
}

/// Which address a function gives that is not there, nobody knows; an input may be any.
#[test]
fn no_run_chooses_an_address_from_elsewhere() {
    let is_violated = |name: &str| {
        let program = parsed(&format!(
            "procedure main() {{ local p: ptr a: p := input \"{name}\" if p != 0 goto e else d
             e: error \"reach_error\" goto d  d: return }} entry main"
        ));
        let goal = Goal::avoids_all(&[ErrorKind::ErrorReached]);
        Trial::of(&program, goal).replay(&mut ChoiceList::new(vec![8]), 100).is_some()
    };
    assert!(is_violated("__VERIFIER_nondet_pointer"));
    assert!(!is_violated("find"));
}

#[test]
fn the_recurrent_set_speaks_of_no_choices() {
    let program = parsed(
        "procedure main() { local c: i32 a: goto h
         h: c := input \"c\" if c > 0 goto h else d  d: return } entry main",
    );
    let Refutation { witness, .. } =
        refute(&program, &Fairness::default(), &mut Budget::of_steps(10_000)).unwrap();
    let positive = Constraint::ge(LinearExpr::var(choice_symbol(0)), 1);
    let changed = Witness { recurrent: vec![positive], ..witness };
    assert_eq!(
        justify_refutation(&program, &Fairness::default(), changed).err(),
        Some(Flaw::Start)
    );
}

/// Wherever in its round the cycle is found, the loop is told by its head: that of the
/// function that does not come back, not of those that it calls.
#[test]
fn a_hang_is_told_at_the_head_of_its_loop() {
    let source = "struct ring { struct ring *next; };
static void step(struct ring *at) {
  for (int i = 0; i < 3; i++)
    at->next = at;
}
static void visit(struct ring *at) {
  struct ring *it = at;
  step(it);
  while (it->next != 0) {
    step(it);
    it = it->next;
  }
}
int main(void) {
  struct ring one;
  visit(&one);
  return 0;
}
";
    let text = wane::c::PreprocessedSource { name: "ring.c".to_owned(), text: source.to_owned() };
    let program = wane::c::compile(&text, &wane::c::Options::default()).unwrap();
    let found = refute(&program, &Fairness::default(), &mut Budget::of_steps(100_000)).unwrap();
    let cause = wane::report::endless::cause(&program, &found);
    let place = cause.location.unwrap();
    assert_eq!((place.line, cause.message.as_str()), (Some(9), "this loop can run for ever"));
    assert_eq!(wane::report::endless::run(&program, &found).function, "visit");
}

#[test]
fn parts_of_memory_are_called_as_in_the_program() {
    let source = "
struct ring { struct { int low, high; } range; struct ring *next; };
int main(void) {
  struct ring table[2];
  table[0].range.low = 3; table[0].range.high = 5; table[0].next = &table[1];
  table[1].range.low = 4; table[1].range.high = 5; table[1].next = &table[0];
  struct ring *at = table;
  while (at != 0 && at->range.low < at->range.high) at = at->next;
  return 0;
}
";
    let text = wane::c::PreprocessedSource { name: "ring.c".to_owned(), text: source.to_owned() };
    let program = wane::c::compile(&text, &wane::c::Options::default()).unwrap();
    let found = refute(&program, &Fairness::default(), &mut Budget::of_steps(100_000)).unwrap();
    let run = wane::report::endless::run(&program, &found);
    let invariant = run.invariant.join("; ");
    assert!(invariant.contains("at[0].range.low"), "{invariant}");
    assert!(!invariant.contains("byte") && !invariant.contains("->["), "{invariant}");
    let drawing = run.path.iter().find_map(|it| it.heap.as_ref()).unwrap();
    let table = drawing.blocks.iter().find(|it| it.name == "table").unwrap();
    let names: Vec<&str> = table.fields.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names[..3], ["[0].range.low", "[0].range.high", "[0].next"]);
}
