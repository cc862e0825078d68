//! Arguments for what is false: none of them may pass the check.
//!
//! The programs of `tests/trust/tampering` do not end, or do something wrong; so every
//! argument that they are right is false, whatever it says. Arguments are forged from
//! the proofs of programs that differ in one line, and from what the analysis finds
//! out about the program itself. Then some of their fields are changed, ranking
//! functions and multipliers are searched anew, and the check must refuse.
//!
//! `WANE_FORGERIES` sets how many are tried, `WANE_FORGERIES_SEED` others.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test, which shows how much it did")]

use crate::forger;
use crate::near_programs;

use forger::{Forger, KINDS, Random};
use near_programs::{Near, families};
use std::collections::BTreeMap;
use wane::base::budget::Budget;
use wane::evidence::certificate::{Certificate, CertifiedNode};
use wane::evidence::place::NodeId;
use wane::evidence::statement::Statement;
use wane::heap::shape::ShapeLibrary;
use wane::ir::Program;
use wane::obligation::{Goal, Obligation};
use wane::prove::prove;
use wane::rank::lexicographic;
use wane::sonar::transitions::transitions;
use wane::sonar::{Machine, fixpoint};
use wane::verdict::Verdict;
use wane::verdict::check::{check, justify};

/// Steps of the analysis of a program, and of the check of an argument.
const STEPS: u64 = 20_000;
/// The steps of one search for ranking functions.
const RANKING_STEPS: u64 = 20_000;

/// What the analysis finds out about a program, right or wrong, as an argument.
fn draft(machine: &Machine<'_>) -> Option<Certificate> {
    let mut budget = Budget::of_steps(STEPS);
    let invariants = fixpoint::run(machine, &mut budget).ok()?;
    let found = transitions(machine, &invariants, &mut budget).ok()?;
    let is_reached =
        |node: usize| node == 0 || found.edges.iter().any(|edge| edge.to == NodeId::at(node));
    let node = |(index, node): (usize, &fixpoint::Node)| {
        let steps = found.edges.iter().filter(|edge| edge.from.index() == index).cloned();
        CertifiedNode {
            place: node.place.clone(),
            state: node.state.clone(),
            retired: node.retired,
            steps: is_reached(index).then(|| steps.collect()),
            meetings: found.meetings.get(&NodeId::at(index)).cloned().unwrap_or_default(),
        }
    };
    Some(Certificate {
        statement: Statement::of(machine.obligation),
        approach: machine.approach.clone(),
        assumes: Vec::new(),
        requirements: Vec::new(),
        nodes: invariants.nodes.iter().enumerate().map(node).collect(),
        refinement: None,
        ranking: wane::descent::Certificate::default(),
    })
}

/// Ranking functions for what the argument says of steps, if that has any.
fn rank_again(certificate: &mut Certificate) {
    let n_nodes = certificate.nodes.len();
    let mut steps = certificate.nodes.iter().filter_map(|node| node.steps.as_ref()).flatten();
    if !steps.all(|step| step.from.index() < n_nodes && step.to.index() < n_nodes) {
        return;
    }
    let system = certificate.system();
    let mut effort = Budget::of_steps(RANKING_STEPS);
    if let Some((ranking, stuck)) = lexicographic::attempt(&system, &mut effort)
        && stuck.is_empty()
    {
        (certificate.ranking, certificate.refinement) = (ranking, None);
    }
}

/// Programs for which an argument is false, with what it is forged from.
struct Victim {
    name: String,
    goal: Goal,
    program: Program,
    sources: Vec<Certificate>,
}

fn victims(near: &Near, library: &ShapeLibrary) -> Vec<Victim> {
    let goal = near.goal;
    let proof = |program: &Program| {
        let obligation = Obligation::new(program, goal);
        match prove(&obligation, library, &Budget::of_steps(STEPS)) {
            Verdict::Proved(certificate) => Some(*certificate),
            _ => None,
        }
    };
    let proofs: Vec<Certificate> = near.good.iter().filter_map(proof).collect();
    assert!(!proofs.is_empty(), "{}: nothing to forge from", near.name);
    let victim = |(position, program): (usize, &Program)| {
        let obligation = Obligation::new(program, goal);
        let own = draft(&Machine::simplified(&obligation, library));
        let mut sources: Vec<Certificate> = proofs.iter().cloned().chain(own).collect();
        // They say that they are about this program: else none would be looked at.
        sources.iter_mut().for_each(|it| it.statement = Statement::of(&obligation));
        let name = format!("{} {position}", near.name);
        Victim { name, goal, program: program.clone(), sources }
    };
    near.bad.iter().enumerate().map(victim).collect()
}

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// What became of the forgeries.
#[derive(Default)]
struct Tally {
    tried: u64,
    /// Those with multipliers for all that they claim of states and steps.
    nearly: u64,
    kinds: BTreeMap<&'static str, u64>,
    accepted: Vec<String>,
}

impl Tally {
    /// Forges one argument, and has it checked.
    fn forge(&mut self, victim: &Victim, machine: &Machine<'_>, random: &mut Random) {
        let (obligation, library) = (machine.obligation, machine.shape_library);
        let mut certificate = random.of(&victim.sources).clone();
        let donor = random.of(&victim.sources);
        let mut changes = Vec::new();
        for _ in 0..random.below(4) {
            let mut forger = Forger { random, certificate: &mut certificate, donor, machine };
            changes.extend(forger.change());
        }
        for change in &changes {
            *self.kinds.entry(change).or_default() += 1;
        }
        if victim.goal == Goal::Ends && random.below(4) > 0 {
            rank_again(&mut certificate);
        }
        let mut budget = Budget::of_steps(STEPS);
        if random.below(8) > 0 && justify(machine, &mut certificate, &mut budget).is_ok() {
            self.nearly += 1;
        }
        self.tried += 1;
        let mut budget = Budget::of_steps(STEPS);
        if check(obligation, library, &certificate, &mut budget).is_ok() {
            self.accepted.push(format!("{}: {changes:?}", victim.name));
        }
    }
}

#[test]
fn no_false_argument_is_accepted() {
    let library = ShapeLibrary::builtin().unwrap();
    let n_forgeries = from_environment("WANE_FORGERIES", 2_000);
    let seed = from_environment("WANE_FORGERIES_SEED", 1);
    let victims: Vec<Victim> = families().iter().flat_map(|near| victims(near, &library)).collect();
    let mut tally = Tally::default();
    for (position, victim) in (0_u64..).zip(&victims) {
        let obligation = Obligation::new(&victim.program, victim.goal);
        let machine = Machine::simplified(&obligation, &library);
        let n_victims = victims.len() as u64;
        let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(position));
        for _ in 0..n_forgeries.div_ceil(n_victims) {
            tally.forge(victim, &machine, &mut random);
        }
    }
    println!(
        "{} forgeries for {} programs, {} with multipliers",
        tally.tried,
        victims.len(),
        tally.nearly
    );
    println!("{:?}", tally.kinds);
    assert!(tally.accepted.is_empty(), "{}", tally.accepted.join("\n"));
    if n_forgeries >= 20_000 {
        let unused: Vec<_> = KINDS.iter().filter(|kind| !tally.kinds.contains_key(*kind)).collect();
        assert!(unused.is_empty(), "no forgery changes {unused:?}");
    }
}

/// Proofs of what is true pass the check: else the other test would say nothing.
#[test]
fn right_arguments_are_accepted() {
    let library = ShapeLibrary::builtin().unwrap();
    for near in families() {
        for program in &near.good {
            let obligation = Obligation::new(program, near.goal);
            let mut budget = Budget::of_steps(STEPS);
            let verdict = prove(&obligation, &library, &budget);
            let Verdict::Proved(certificate) = verdict else { panic!("{}", near.name) };
            let checked = check(&obligation, &library, &certificate, &mut budget);
            assert_eq!(checked, Ok(()), "{}", near.name);
        }
    }
}
