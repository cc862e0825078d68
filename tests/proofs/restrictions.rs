//! Endless runs by restricted programs (`verdict::restriction`): what a restricted program does,
//! against runs; and arguments that are changed.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use proptest::prelude::*;
use std::collections::BTreeMap;
use wane::base::budget::Budget;
use wane::c::{Options, PreprocessedSource, compile};
use wane::concrete::Outcome;
use wane::concrete::choices::ChoiceList;
use wane::concrete::interpreter::Interpreter;
use wane::concrete::state::Location;
use wane::evidence::certificate::Certificate;
use wane::heap::shape::ShapeLibrary;
use wane::ir::{BlockId, Program, text};
use wane::obligation::{Fairness, Goal, Obligation};
use wane::prove::prove;
use wane::verdict::restriction::{Chosen, restricted};
use wane::verdict::witness::{Flaw, Witness, check_refutation, justify_refutation};
use wane::verdict::{Refutation, Verdict};

const STEPS: u64 = 2_000_000;

/// A program that reads three numbers, assumes something of the first two, calls a procedure that
/// may end it, and ends, or not, by what it has read.
fn program([low, step, last]: [i64; 3]) -> Program {
    let text = format!(
        "procedure main() {{ local a: i32 local b: i32 local c: i32\n\
         start: a := input \"a\" assume a >= {low} b := input \"b\" assume b <= a goto head\n\
         head: if a > b goto more else done\n\
         more: c := input \"c\" call leave(c) b := b + {step} goto head\n\
         done: return }}\n\
         procedure leave(c: i32) {{ start: if c > {last} goto out else back\n\
         out: halt  back: return }} entry main"
    );
    text::parse("toy.goto", &text).unwrap().program
}

fn outcome(program: &Program, inputs: Vec<i128>) -> Outcome {
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    interpreter.run(&mut state, &mut ChoiceList::new(inputs), &mut Budget::of_steps(400))
}

fn location(program: &Program, (block, command): (usize, usize)) -> Location {
    Location { procedure: program.entry, block: BlockId::at(block), command }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// It makes an error just where the program ends, or an assumption fails.
    #[test]
    fn a_restricted_program_fails_where_the_program_ends(
        form in (-1_i64..3, -1_i64..2, -1_i64..2),
        a in -2_i64..4,
        b in -2_i64..4,
        c in -2_i64..3,
    ) {
        let program = program([form.0, form.1, form.2]);
        let [a, b, c] = [a, b, c].map(i128::from);
        let chosen: Chosen = BTreeMap::from([
            (location(&program, (0, 0)), a),
            (location(&program, (0, 2)), b),
            (location(&program, (2, 0)), c),
        ]);
        let inputs: Vec<i128> = [a, b].into_iter().chain(std::iter::repeat_n(c, 200)).collect();
        let found = outcome(&restricted(&program, &chosen), Vec::new());
        match outcome(&program, inputs) {
            Outcome::Halted | Outcome::AssumeFailed => {
                prop_assert!(matches!(found, Outcome::ReachedError { .. }), "{found:?}");
            }
            other => prop_assert_eq!(found, other),
        }
    }
}

/// A stack that is searched for what may be on it, as long as somebody says so.
fn growing(is_checked: &str) -> Program {
    let text = format!(
        "typedef unsigned long size_t; extern void *malloc(size_t);\n\
         extern int __VERIFIER_nondet_int(void);\n\
         struct node {{ struct node *next; int number; }};\n\
         int main(void) {{\n\
           struct node *top = 0;\n\
           int sum = 0;\n\
           while (__VERIFIER_nondet_int()) {{\n\
             struct node *node = malloc(sizeof *node);\n\
             node->number = 1; node->next = top; top = node;\n\
             for (struct node *it = top; it; it = it->next)\n\
               if ({is_checked}) return 1;\n\
           }}\n\
           return sum;\n\
         }}\n"
    );
    compile(&PreprocessedSource { name: "growing.c".to_owned(), text }, &Options::default())
        .unwrap()
}

fn refuted(program: &Program) -> Option<Refutation> {
    let library = ShapeLibrary::builtin().unwrap();
    let obligation = Obligation::new(program, Goal::Ends);
    match prove(&obligation, &library, &Budget::of_steps(STEPS)) {
        Verdict::Refuted(found) => Some(*found),
        Verdict::Proved(_) | Verdict::Violated(_) | Verdict::Unknown(_) => None,
    }
}

#[test]
fn a_structure_that_grows_is_walked_for_ever() {
    let program = growing("it->number != 1");
    let Refutation { witness, .. } = refuted(&program).unwrap();
    assert!(witness.restriction.is_some() && witness.n_cycle_steps > 0);
    assert!(check_refutation(&program, &Fairness::default(), &witness).is_ok());
    // Nothing lasts where the walk ends the program.
    assert!(refuted(&growing("it->number == 1")).is_none());
}

#[test]
fn what_is_changed_is_refused() {
    let program = growing("it->number != 1");
    let other = growing("it->number == 1");
    let witness = refuted(&program).unwrap().witness;
    let flaw = |program: &Program, change: &dyn Fn(&mut Chosen, &mut Certificate)| {
        let mut restriction = witness.restriction.clone().unwrap();
        change(&mut restriction.chosen, &mut restriction.argument);
        let changed = Witness { restriction: Some(restriction), ..witness.clone() };
        check_refutation(program, &Fairness::default(), &changed).err()
    };
    let n_nodes = witness.restriction.as_ref().unwrap().argument.nodes.len();
    assert_eq!(flaw(&program, &|_, _| ()), None);
    assert_eq!(flaw(&program, &|chosen, _| chosen.clear()), Some(Flaw::NotClosed));
    let leaves = |chosen: &mut Chosen, _: &mut Certificate| {
        chosen.values_mut().for_each(|number| *number = 0);
    };
    assert_eq!(flaw(&program, &leaves), Some(Flaw::NotClosed));
    assert_eq!(flaw(&program, &|_, argument| argument.nodes.clear()), Some(Flaw::NotClosed));
    for node in 0..n_nodes {
        let forgotten = |_: &mut Chosen, argument: &mut Certificate| {
            argument.nodes[node].steps = None;
        };
        assert_eq!(flaw(&program, &forgotten), Some(Flaw::NotClosed), "{node}");
    }
    assert_eq!(flaw(&other, &|_, _| ()), Some(Flaw::NotClosed));
    // The run that is shown must make the choices: this one leaves the loop.
    let mut shown = witness.clone();
    shown.cycle.iter_mut().for_each(|number| *number = 0);
    assert!(check_refutation(&program, &Fairness::default(), &shown).is_err());
    // Other choices make another program, of which the argument does not speak.
    let chosen = &mut shown.restriction.as_mut().unwrap().chosen;
    chosen.values_mut().for_each(|number| *number = 2);
    shown.cycle.clone_from(&witness.cycle);
    let justified = justify_refutation(&program, &Fairness::default(), shown);
    assert_eq!(justified.err(), Some(Flaw::NotClosed));
}
