//! The derivations of CAV'06: the small example of §3 and the complete example
//! of §5, with the engine's own steps.
//!
//! Two things differ from the paper. The end of a segment may lie on it
//! (`shapes/list_segment.shape`), so segments append without a side condition.
//! And depths add up when segments append, where the paper forgets them: what
//! stands here implies what stands there. Where the paper's Y has `y ↦ x` beside
//! `ls(y, x)`, ours has the latter only: the former is one of its states.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use wane::base::budget::Budget;
use wane::evidence::place::Place;
use wane::evidence::step::Edge;
use wane::heap::assertion;
use wane::heap::fold_precision::FoldPrecision;
use wane::heap::print::{Names, formula};
use wane::heap::shape::ShapeLibrary;
use wane::heap::unfold::unfold;
use wane::heap::{Atom, State};
use wane::ir::{BlockId, Program, text};
use wane::logic::Var;
use wane::obligation::{Goal, Obligation};
use wane::rules::departure::start_of;
use wane::rules::eval::Context;
use wane::rules::explore::explore;
use wane::rules::forgetting::tidy;
use wane::sonar::Machine;
use wane::sonar::abstraction::folded;
use wane::sonar::fixpoint::{precondition, run_from};
use wane::sonar::search_joins::SearchJoins;
use wane::sonar::transitions::transitions;

fn parsed(text: &str) -> Program {
    text::parse("cav06.goto", text).unwrap_or_else(|error| panic!("{error:?}")).program
}

fn assert_derivation(name: &str, text: &str) {
    insta::with_settings!({ snapshot_path => "../../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, text);
    });
}

/// §3: `is` and `js` are the seeds of the depths `i` and `j`. They are globals,
/// for the analysis to keep them.
const STEP: &str = "
global x: ptr, y: ptr, is: i64, js: i64

procedure main() {
n:
  x := [x : ptr]
  goto after
after:
  halt
}

entry main
";

#[test]
fn a_small_example() {
    let program = parsed(STEP);
    let library = ShapeLibrary::builtin().unwrap();
    let obligation = Obligation::new(&program, Goal::Ends);
    let machine = Machine::new(&obligation, &library);
    let mut enough = Budget::of_steps(u64::MAX);
    let print = |state: &State| formula(state, &program, &library);
    let place = Place::start(program.entry);
    let text = "js = j & is = i & ls[j](y, x) * ls[i](x, 0)";
    let start = assertion::parse(text, &program, program.entry, &library).unwrap().state;
    let mut shown = format!("{text}\nis\n  {}\n", print(&start));
    let load = &program.procedure(program.entry).block(BlockId(0)).commands[0].command;
    let last = start.heap.atoms.len() - 1;
    for ((rule, rearranged), (opened, closed)) in ["UNROLL1", "UNROLL>1"]
        .into_iter()
        .zip(unfold(&start, last, 0, &library))
        .zip([("(4)", "(6)"), ("(5)", "(7)")])
    {
        let _ = writeln!(shown, "\n{opened} rearranged by {rule}\n  {}", print(&rearranged.0));
        for loaded in Context::new(&machine).execute(rearranged.0.clone(), load) {
            let _ = writeln!(shown, "x := [x]\n  {}", print(&loaded));
            let after = place.moved(BlockId(1), 0);
            let (abstracted, _) = folded(
                &machine,
                (&after, tidy(&machine, loaded, &after).unwrap()),
                FoldPrecision::KeepValues,
                &mut enough,
            )
            .unwrap();
            let _ = writeln!(shown, "{closed} abstracted\n  {}", print(&abstracted));
        }
    }
    assert_derivation("cav06_small_example", &shown);
}

/// Fig. 5; the labels are its line numbers.
const TRAVERSAL: &str = "
global x: ptr, y: ptr

procedure main() {
at3:
  y := x
  goto at4
at4:
  if x != 0 goto at5 else at7
at5:
  x := [x : ptr]
  goto at4
at7:
  halt
}

entry main
";

/// The relation of an edge: the seeds are what the numbers of its source were.
fn relation(edge: &Edge, nodes: &[wane::sonar::fixpoint::Node], program: &Program) -> String {
    let (from, to) = (&nodes[edge.from.index()].state, &nodes[edge.to.index()].state);
    let n_seeds = Var::at(from.vocabulary.len()).0;
    edge.relation.display(&|variable| match variable.0.checked_sub(n_seeds) {
        None => Names::of_state(from, program).name(variable) + "_s",
        Some(index) => Names::of_state(to, program).name(Var(index)),
    })
}

#[test]
fn a_complete_example() {
    let program = parsed(TRAVERSAL);
    let library = ShapeLibrary::builtin().unwrap();
    let obligation = Obligation::new(&program, Goal::Ends);
    let machine = Machine::new(&obligation, &library);
    let print = |state: &State| formula(state, &program, &library);
    let place = Place::start(program.entry);
    let before = assertion::parse("ls[k](x, 0)", &program, program.entry, &library).unwrap().state;
    let start = precondition(&machine, &place, before).unwrap();
    let mut budget = Budget::of_steps(10_000);
    let found = run_from(&machine, place, start, &mut budget).unwrap();
    let mut shown = "Y, the start first: the others are at the loop's head\n".to_owned();
    for (index, node) in found.nodes.iter().enumerate() {
        let _ = writeln!(shown, "  {index}: {}", print(&node.state));
    }
    let mut enough = Budget::of_steps(u64::MAX);
    let _ = writeln!(shown, "\nSteps from the states before the last, not yet joined with others");
    for node in &found.nodes[..2] {
        let start = start_of(&node.state).unwrap();
        for arrival in explore(
            &machine,
            &mut SearchJoins::new(&machine, &found),
            &node.place,
            start,
            &mut budget,
        )
        .unwrap()
        .arrivals
        {
            let tidied = tidy(&machine, arrival.state, &arrival.place).unwrap();
            let (abstracted, _) =
                folded(&machine, (&arrival.place, tidied), FoldPrecision::KeepValues, &mut enough)
                    .unwrap();
            let _ = writeln!(shown, "  {}\n  to {}", print(&node.state), print(&abstracted));
        }
    }
    let segments = |state: &State| {
        state.heap.atoms.iter().filter(|it| matches!(it, Atom::Instance(_))).count()
    };
    let q = found.nodes.iter().rposition(|node| segments(&node.state) == 2).unwrap();
    let seeded = start_of(&found.nodes[q].state).unwrap();
    let _ = writeln!(
        shown,
        "\ns := SEED({q}): its {} variables are seeds",
        seeded.vocabulary.n_seeds()
    );
    let _ = writeln!(shown, "  {}", print(&seeded));
    let _ = writeln!(shown, "\nZ, before abstraction and after");
    for arrival in explore(
        &machine,
        &mut SearchJoins::new(&machine, &found),
        &found.nodes[q].place,
        seeded,
        &mut budget,
    )
    .unwrap()
    .arrivals
    {
        let _ = writeln!(shown, "  {}", print(&arrival.state));
        let (abstracted, _) = folded(
            &machine,
            (&arrival.place, tidy(&machine, arrival.state, &arrival.place).unwrap()),
            FoldPrecision::KeepValues,
            &mut enough,
        )
        .unwrap();
        let _ = writeln!(shown, "  {}\n", print(&abstracted));
    }
    let _ = writeln!(shown, "α of each step between states");
    for edge in &transitions(&machine, &found, &mut budget).unwrap().edges {
        let _ = writeln!(
            shown,
            "  {} -> {}: {}",
            edge.from.0,
            edge.to.0,
            relation(edge, &found.nodes, &program)
        );
    }
    assert_derivation("cav06_complete_example", &shown);
}
