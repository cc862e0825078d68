//! Endless runs whose rounds differ: found, checked, and followed in the interpreter.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use proptest::prelude::*;
use wane::base::budget::Budget;
use wane::concolic::shadow::{Reductions, Symbol, entry_symbol};
use wane::concrete::Outcome;
use wane::concrete::choices::ChoiceList;
use wane::concrete::interpreter::Interpreter;
use wane::ir::{Program, text};
use wane::logic::{Constraint, Integer, LinearExpr, Rational};
use wane::obligation::Fairness;
use wane::prove::{nontermination, recurrent_sets};
use wane::verdict::Refutation;
use wane::verdict::rounds::{Round, Rule, numbers_in};
use wane::verdict::witness::{Flaw, Witness, check_refutation, justify_refutation};

fn parsed(text: &str) -> Program {
    text::parse("rounds.goto", text).unwrap().program
}

fn refuted(program: &Program) -> Option<Refutation> {
    recurrent_sets::refute(program, &Fairness::default(), &mut Budget::of_steps(20_000))
}

/// Follows the witness in the interpreter for some rounds. The recurrent set holds at the start
/// of each.
fn follows(program: &Program, witness: &Witness) -> Result<(), String> {
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    let go = |state: &mut _, choices: Vec<i128>, n_steps: u64| {
        let mut source = ChoiceList::new(choices);
        for _ in 0..n_steps {
            let outcome = interpreter.step(state, &mut source);
            if outcome != Outcome::Running {
                return Err(outcome);
            }
        }
        Ok(())
    };
    go(&mut state, witness.stem.clone(), witness.n_stem_steps).map_err(|it| format!("{it:?}"))?;
    let variables = &witness.rounds.as_ref().unwrap().variables;
    let head = state.location();
    for round in 0..200 {
        let numbers = numbers_in(&state, variables).ok_or("no numbers")?;
        let value = |symbol| match Symbol::of(symbol) {
            Symbol::Entry(index) => Rational::from(Integer::from(numbers[index])),
            Symbol::Choice(_) | Symbol::Reduction(_) => Rational::ZERO,
        };
        if !witness.recurrent.iter().all(|it| it.holds(value)) {
            return Err(format!("outside of the set in round {round}: {numbers:?}"));
        }
        // Numbers above 128 bits end the interpreter, not the run.
        let Some((choices, n_steps)) = witness.round_from(&state) else { return Ok(()) };
        match go(&mut state, choices, n_steps) {
            Ok(()) if state.location() == head => {}
            Err(Outcome::Unsupported { .. }) => return Ok(()),
            other => return Err(format!("round {round}: {other:?}")),
        }
    }
    Ok(())
}

fn found(text: &str) -> (Program, Witness) {
    let program = parsed(text);
    let Refutation { witness, .. } = refuted(&program).unwrap();
    follows(&program, &witness).unwrap();
    (program, witness)
}

/// Each input is above the last.
const KEEPS_UP: &str = "procedure main() { local x: i32 local y: i32 a: x := 0 goto h
     h: y := input \"y\" assume y > x x := y goto h } entry main";

/// The inner loop takes ever more rounds.
const LONGER: &str = "procedure main() { local n: i128 local i: i128
     a: n := input \"n\" i := 0 assume n > 0 goto h
     h: if n > 0 goto b else d
     b: if i > 0 goto down else up
     down: i := i - 1 goto h
     up: n := n + 1 i := n goto h
     d: return } entry main";

#[test]
fn choices_may_follow_the_numbers() {
    let text = KEEPS_UP.replace("i32", "i128");
    let (_, witness) = found(&text);
    assert!(!witness.rounds.unwrap().are_alike());
}

/// An `int` cannot grow for ever.
#[test]
fn choices_stay_in_their_types() {
    assert!(refuted(&parsed(KEEPS_UP)).is_none());
}

#[test]
fn rounds_may_go_different_ways() {
    let (_, witness) = found(LONGER);
    assert!(matches!(witness.rounds.unwrap().rule, Rule::Ask { .. }));
}

#[test]
fn loops_may_be_chained() {
    found(
        "procedure main() { local s: i128 local n: i128 local m: i128
         a: s := 0 n := input \"n\" assume n > 1 goto h
         h: m := input \"m\" assume m >= 1 if s == 0 goto one else two
         one: assume m < n n := m s := 1 goto h
         two: assume m <= n + 2 n := m s := 0 goto h } entry main",
    );
}

fn first_round(rule: &mut Rule) -> &mut Round {
    match rule {
        Rule::Take(round) => round,
        Rule::Ask { yes, .. } => first_round(yes),
    }
}

#[test]
fn each_flaw_of_rounds_is_found() {
    let (program, witness) = found(&KEEPS_UP.replace("i32", "i128"));
    let fairness = Fairness::default();
    let flaw = |change: &dyn Fn(&mut Witness)| {
        let mut changed = witness.clone();
        change(&mut changed);
        let checked = check_refutation(&program, &fairness, &changed).err();
        // More multipliers mend none of this.
        let multipliers = Vec::new();
        let mended = justify_refutation(&program, &fairness, Witness { multipliers, ..changed });
        (checked, mended.err())
    };
    let round = |it: &mut Witness, change: &dyn Fn(&mut Round)| {
        change(first_round(&mut it.rounds.as_mut().unwrap().rule));
    };
    assert_eq!(flaw(&|_| ()), (None, None));
    let below = LinearExpr::var(entry_symbol(0)).add_constant(-1_i64);
    let falls = |it: &mut Witness| round(it, &|it| it.choices[0] = below.clone());
    assert!(flaw(&falls).1.is_some(), "an input below the last is not let through");
    let high = |it: &mut Witness| round(it, &|it| it.choices[0] = LinearExpr::constant(1_000_i64));
    assert!(flaw(&high).1.is_some(), "a constant is passed some time");
    assert!(flaw(&|it| round(it, &|it| it.n_steps += 1)).1.is_some());
    assert!(flaw(&|it| round(it, &|it| it.n_steps = 0)).1.is_some());
    assert!(flaw(&|it| round(it, &|it| it.sample.clear())).1.is_some());
    assert!(flaw(&|it| round(it, &|it| it.choices.clear())).1.is_some());
    let far = |it: &mut Witness| round(it, &|it| it.choices[0] = LinearExpr::var(entry_symbol(9)));
    assert_eq!(flaw(&far).1, Some(Flaw::Choices));
    assert!(flaw(&|it| it.cycle[0] += 1).1.is_some());
    assert!(flaw(&|it| it.n_cycle_steps += 1).1.is_some());
    assert!(flaw(&|it| it.reductions = Reductions::Free).1.is_some());
    assert!(flaw(&|it| it.rounds = None).1.is_some(), "the first input does not do for ever");
    let variables = |it: &mut Witness| it.rounds.as_mut().unwrap().variables.clear();
    assert!(flaw(&variables).1.is_some());
    let twice = |it: &mut Witness| {
        let variables = &mut it.rounds.as_mut().unwrap().variables;
        let first = variables[0];
        variables.push(first);
    };
    assert_eq!(flaw(&twice).1, Some(Flaw::Start));
    let never = Constraint::ge(LinearExpr::var(entry_symbol(0)), 1_000_000);
    assert_eq!(flaw(&|it| it.recurrent = vec![never.clone()]).1, Some(Flaw::Start));
}

#[test]
fn rules_that_leave_out_a_way_are_rejected() {
    let (program, witness) = found(LONGER);
    let mut changed = witness.clone();
    let rounds = changed.rounds.as_mut().unwrap();
    let Rule::Ask { yes, .. } = rounds.rule.clone() else { panic!("{:?}", rounds.rule) };
    rounds.rule = *yes;
    assert!(justify_refutation(&program, &Fairness::default(), changed).is_err());
    let mut changed = witness;
    let rounds = changed.rounds.as_mut().unwrap();
    if let Rule::Ask { yes, no, .. } = &mut rounds.rule {
        std::mem::swap(yes, no);
    }
    assert!(justify_refutation(&program, &Fairness::default(), changed).is_err());
}

/// A loop with a few ways round, which change two numbers and read an input.
#[derive(Clone, Debug)]
struct Toy(Vec<Way>);

#[derive(Clone, Debug)]
struct Way {
    guard: (i64, i64, i64),
    update: (i64, i64, i64),
    /// `x` becomes an input that is at least, or at most, `y` and this.
    input: Option<(bool, i64)>,
}

fn toy() -> impl Strategy<Value = Toy> {
    let way = (
        (-1_i64..2, -1_i64..2, -2_i64..3),
        (-1_i64..3, -1_i64..2, -2_i64..3),
        proptest::option::of((any::<bool>(), -2_i64..3)),
    );
    let way = way.prop_map(|(guard, update, input)| Way { guard, update, input });
    prop::collection::vec(way, 1..4).prop_map(Toy)
}

impl Toy {
    fn program(&self) -> Program {
        let mut text = "procedure main() { local x: i128 local y: i128 local z: i128 local w: i128
             start: x := input \"x\" y := input \"y\" assume x <= 5 assume y <= 5 goto h\n"
            .to_owned();
        let n_ways = self.0.len();
        text.push_str("h: w := input \"w\" goto c0\n");
        for (index, Way { guard: (a, b, c), update: (d, e, f), input }) in self.0.iter().enumerate()
        {
            let next = if index + 1 < n_ways { format!("c{}", index + 1) } else { "d".to_owned() };
            text.push_str(&format!("c{index}: if w == {index} goto w{index} else {next}\n"));
            text.push_str(&format!("w{index}: assume {a} * x + {b} * y >= {c} "));
            text.push_str(&format!("z := {d} * x + {e} * y + {f} y := z "));
            if let Some((is_least, bound)) = input {
                let op = if *is_least { ">=" } else { "<=" };
                text.push_str(&format!("x := input \"x\" assume x {op} y + {bound} "));
            }
            text.push_str("goto h\n");
        }
        text.push_str("d: return } entry main");
        parsed(&text)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// What is refuted can be followed, and the set holds at the start of each round.
    #[test]
    fn witnesses_can_be_followed(toy in toy()) {
        let program = toy.program();
        if let Some(Refutation { witness, .. }) = refuted(&program) {
            let followed = follows(&program, &witness);
            prop_assert!(followed.is_ok(), "{followed:?} {witness:?} {}", text::print(&program));
        }
    }
}

/// What every run of ends is not refuted by loops either.
#[test]
fn loops_that_end_are_not_refuted() {
    for body in
        ["assume x < 100 x := x + 1", "assume x > 0 x := x - 1", "assume x * x < 50 x := x + 1"]
    {
        let program = parsed(&format!(
            "procedure main() {{ local x: i128 a: x := input \"x\" goto h h: {body} goto h }} entry main"
        ));
        assert!(refuted(&program).is_none(), "{body}");
        let budget = &mut Budget::of_steps(20_000);
        assert!(nontermination::refute(&program, &Fairness::default(), budget).is_none(), "{body}");
    }
}
