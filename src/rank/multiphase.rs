//! Nested ranking functions (Ben-Amram and Genaim, "On multiphase-linear
//! ranking functions", CAV 2017, §5; Leike and Heizmann, LMCS 2015, §4.2).
//!
//! `f1` decreases with every step; once it is negative, `f2` decreases, and so
//! on; the last one is never negative.

use std::collections::BTreeMap;

use super::RankingTemplate;
use super::farkas_lp::{Bound, Program, Template, Unknown};
use super::synthesis::{Prepared, UnknownFunctions, integer_functions};
use descent::{AffineFunction, Certificate, Component, Edge, EdgeProof, System};
use logic::simplex::surely_entails;
use logic::{Constraint, LinearExpr, Var};

/// Nested tuples of at most [`DEEPEST`] functions.
#[derive(Clone, Copy, Debug)]
pub struct Multiphase;

/// The largest number of phases that is tried.
pub const DEEPEST: usize = 3;

/// Larger cyclic parts are not tried: the program grows with edges times phases.
const MOST_EDGES: usize = 8;

impl RankingTemplate for Multiphase {
    fn name(&self) -> &'static str {
        "multiphase"
    }

    fn rank(&self, system: &System) -> Option<Certificate> {
        let prepared = Prepared::new(system)?;
        let all: Vec<usize> = (0..system.edges.len()).collect();
        let cycles = prepared.cycles(&all);
        let components = cycles.iter().map(|edges| nested_component(&prepared, edges));
        Some(Certificate::of(components.collect::<Option<_>>()?))
    }
}

/// The shallowest nested argument for all the edges, at least two deep.
pub(super) fn nested_component(prepared: &Prepared<'_>, edges: &[usize]) -> Option<Component> {
    if edges.len() > MOST_EDGES {
        return None;
    }
    (2..=DEEPEST).find_map(|depth| nested_of_depth(prepared, edges, depth))
}

fn nested_of_depth(prepared: &Prepared<'_>, edges: &[usize], depth: usize) -> Option<Component> {
    prepared.search(|reading| {
        let mut program = Program::default();
        let locations = prepared.locations(edges);
        let unknowns: Vec<UnknownFunctions> =
            (0..depth).map(|_| UnknownFunctions::new(&mut program, prepared, &locations)).collect();
        let gain = program.unknown(Unknown::Gain);
        for position in edges {
            if prepared.polyhedra[*position].is_empty() {
                continue;
            }
            let (edge, premises) =
                (prepared.edge(*position), prepared.premises(reading, *position));
            for phase in 0..depth {
                let template = phase_template(&unknowns, phase, edge, gain);
                program.require(premises, &template, Bound::Zero);
            }
            let last = unknowns[depth - 1].depth_below_zero(edge);
            program.require(premises, &last, Bound::Zero);
        }
        program
            .solve(|assignment| certify(prepared, edges, integer_functions(&unknowns, assignment)?))
    })
}

/// `f_i(post) - f_i(pre) - f_(i-1)(pre) + gain`, to be at most 0.
fn phase_template(unknowns: &[UnknownFunctions], phase: usize, edge: &Edge, gain: Var) -> Template {
    let mut template = unknowns[phase].growth(edge);
    if phase > 0 {
        unknowns[phase - 1].add_to(&mut template, -1, edge.from, &edge.relation.pre);
    }
    template.push((gain, LinearExpr::constant(1_i64)));
    template
}

/// Proves the functions exactly.
fn certify(
    prepared: &Prepared<'_>,
    edges: &[usize],
    phases: Vec<BTreeMap<usize, AffineFunction>>,
) -> Option<Component> {
    let mut component = Component::default();
    for position in edges {
        let edge = prepared.edge(*position);
        let (pre, post) = (&edge.relation.pre, &edge.relation.post);
        let premises = &edge.relation.constraints;
        let mut decreases = Vec::with_capacity(phases.len());
        let mut previous = LinearExpr::zero();
        for phase in &phases {
            let before = phase.get(&edge.from)?.of(pre);
            let after = phase.get(&edge.to)?.of(post);
            let decrease = Constraint::ge(&(&before - &after) + &previous, 1);
            decreases.push(surely_entails(premises, &decrease)?);
            previous = before;
        }
        let bound = surely_entails(premises, &Constraint::ge(previous, 0))?;
        component.proofs.insert(*position, EdgeProof::Nested { decreases, bound });
    }
    for phase in phases {
        for (location, function) in phase {
            component.functions.entry(location).or_default().push(function);
        }
    }
    Some(component)
}
