//! Proofs that are right, each changed in one thing that no proof may say: the check tells
//! what is wrong with them. `tests/trust/tampering.rs` changes proofs at random.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::headers;

use headers::options;
use wane::base::budget::Budget;
use wane::c::{PreprocessedSource, compile};
use wane::evidence::certificate::{Certificate, Retired};
use wane::evidence::place::NodeId;
use wane::heap::shape::ShapeLibrary;
use wane::ir::Program;
use wane::ir::cutpoint::CutSet;
use wane::numeric::polyhedron::Polyhedron;
use wane::obligation::{Goal, Obligation};
use wane::prove::prove;
use wane::simplify::simplify;
use wane::verdict::Verdict;
use wane::verdict::check::{Defect, check};

const STEPS: u64 = 50_000;

/// A loop that ends, after one of two ways that meet.
const COUNTDOWN: &str = "int __VERIFIER_nondet_int(void);
    int main(void) {
        int i = __VERIFIER_nondet_int(), j = 1;
        if (__VERIFIER_nondet_int()) j = 2;
        while (i > 0) i = i - j;
        return 0;
    }";

fn program(text: &str) -> Program {
    let source = PreprocessedSource { name: "defects.c".to_owned(), text: text.to_owned() };
    simplify(&compile(&source, &options("--int-model=math").unwrap()).unwrap())
}

/// What the check says of a proof after a change.
fn defect(text: &str, change: impl Fn(&mut Certificate)) -> Option<Defect> {
    let (program, library) = (program(text), ShapeLibrary::builtin().unwrap());
    let obligation = Obligation::new(&program, Goal::Ends);
    let verdict = prove(&obligation, &library, &Budget::of_steps(STEPS));
    let Verdict::Proved(mut certificate) = verdict else { panic!("not proved: {text}") };
    change(&mut certificate);
    check(&obligation, &library, &certificate, &mut Budget::of_steps(STEPS)).err()
}

/// The node of a loop that is reached from itself.
fn of_loop(certificate: &Certificate) -> usize {
    let mut steps = certificate.nodes.iter().flat_map(|node| node.steps.iter().flatten());
    steps.find(|step| step.from == step.to).unwrap().from.index()
}

#[test]
fn the_proof_itself_is_right() {
    assert_eq!(defect(COUNTDOWN, |_| ()), None);
}

#[test]
fn every_cycle_has_a_cutpoint() {
    let straight = program("int main(void) { return 0; }");
    let uncut = |it: &mut Certificate| {
        let none = CutSet::of_procedure(straight.procedure(straight.entry));
        it.approach.cuts = vec![none; it.approach.cuts.len()];
    };
    assert_eq!(defect(COUNTDOWN, uncut), Some(Defect::Cutpoints));
}

#[test]
fn it_begins_with_the_start() {
    let impossible = |it: &mut Certificate| {
        it.nodes.truncate(1);
        it.nodes[0].state.facts.numbers = Polyhedron::empty();
        it.nodes[0].steps = Some(Vec::new());
        it.nodes[0].meetings.clear();
    };
    assert_eq!(defect(COUNTDOWN, impossible), Some(Defect::Start));
    let unreached = |it: &mut Certificate| {
        for node in &mut it.nodes {
            node.steps = None;
            node.meetings.clear();
        }
    };
    assert_eq!(defect(COUNTDOWN, unreached), Some(Defect::Start));
}

#[test]
fn steps_lead_to_nodes_in_use() {
    let unreached = |it: &mut Certificate| {
        let node = of_loop(it);
        it.nodes[node].steps = None;
        it.nodes[node].meetings.clear();
    };
    assert_eq!(defect(COUNTDOWN, unreached), Some(Defect::Steps));
    let retired = |it: &mut Certificate| {
        let node = of_loop(it);
        it.nodes[node].retired = Retired::Yes;
    };
    assert_eq!(defect(COUNTDOWN, retired), Some(Defect::Steps));
    let from_elsewhere = |it: &mut Certificate| {
        let node = of_loop(it);
        let steps = it.nodes[node].steps.as_mut().unwrap();
        steps.iter_mut().for_each(|step| step.from = NodeId::at(0));
    };
    assert_eq!(defect(COUNTDOWN, from_elsewhere), Some(Defect::Steps));
}

#[test]
fn steps_lead_to_where_execution_comes() {
    let text = "int main(void) {
        int i = 5, j = 5;
        while (i > 0) i = i - 1;
        while (j > 0) j = j - 1;
        return 0;
    }";
    let elsewhere = |it: &mut Certificate| {
        let first = it.nodes[0].steps.as_ref().unwrap()[0].to;
        let is_other =
            |node: &usize| *node > 0 && it.nodes[*node].place != it.nodes[first.index()].place;
        let other = NodeId::at((0..it.nodes.len()).find(is_other).unwrap());
        it.nodes[0].steps.as_mut().unwrap()[0].to = other;
    };
    assert_eq!(defect(text, |_| ()), None);
    assert_eq!(defect(text, elsewhere), Some(Defect::Steps));
}

/// A loop that has a measure on each side of zero only.
const TOWARDS_ZERO: &str = "int __VERIFIER_nondet_int(void);
    int main(void) {
        int x = __VERIFIER_nondet_int();
        while (x != 0) {
            if (x > 0) x = x - 1;
            else x = x + 1;
        }
        return 0;
    }";

#[test]
fn what_is_ranked_is_all_there_is() {
    assert_eq!(defect(TOWARDS_ZERO, |_| ()), None);
    let without_steps = |it: &mut Certificate| {
        it.refinement.as_mut().unwrap().steps.clear();
        it.ranking = wane::descent::Certificate::default();
    };
    assert_eq!(defect(TOWARDS_ZERO, without_steps), Some(Defect::Refinement));
    let unranked = |it: &mut Certificate| {
        it.ranking = wane::descent::Certificate::default();
    };
    assert_eq!(defect(TOWARDS_ZERO, unranked), Some(Defect::Ranking));
}
