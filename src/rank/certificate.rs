//! The exact check of ranking certificates.
//!
//! Nothing here is shared with the search for rankings: the check adds up
//! Farkas combinations and follows edges.
//!
//! Why a checked certificate excludes infinite paths: take the edges that such
//! a path uses infinitely often. They connect their locations strongly, so at
//! each component they lie in one cyclic part, all are justified there, and a
//! strict one among them would decrease a bounded integer for ever. Hence none
//! of them is ever removed; but at the end no cycle is left.

use std::collections::BTreeSet;
use std::fmt;

use super::{AffineFunction, Certificate, Component, Edge, EdgeProof, System};
use crate::logic::{Constraint, Farkas, LinearExpr};

/// Why a certificate is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// The system's edges do not fit its locations.
    MalformedSystem,
    /// A cyclic part has functions at some of its locations only.
    ScopeCutsCycle {
        /// The component of the certificate.
        component: usize,
        /// An edge with one end inside.
        edge: usize,
    },
    /// An edge on a cycle has no proof.
    MissingProof {
        /// The component of the certificate.
        component: usize,
        /// The edge.
        edge: usize,
    },
    /// A proof does not show what it should.
    WrongProof {
        /// The component of the certificate.
        component: usize,
        /// The edge.
        edge: usize,
    },
    /// In a cyclic part some edges are justified by nested functions, but not all.
    MixedProofs {
        /// The component of the certificate.
        component: usize,
    },
    /// After all components this edge is still on a cycle.
    CycleLeft {
        /// The edge.
        edge: usize,
    },
}

impl fmt::Display for Defect {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MalformedSystem => write!(out, "an edge does not fit its locations"),
            Self::ScopeCutsCycle { component, edge } => {
                write!(out, "component {component} covers edge {edge} by half")
            }
            Self::MissingProof { component, edge } => {
                write!(out, "component {component} says nothing about edge {edge}")
            }
            Self::WrongProof { component, edge } => {
                write!(out, "component {component} does not prove its claim about edge {edge}")
            }
            Self::MixedProofs { component } => {
                write!(out, "component {component} is nested on some edges only")
            }
            Self::CycleLeft { edge } => write!(out, "edge {edge} may be taken for ever"),
        }
    }
}

impl std::error::Error for Defect {}

/// Checks that the certificate proves the absence of infinite paths.
///
/// # Errors
/// The first [`Defect`].
pub fn check_ranking(system: &System, certificate: &Certificate) -> Result<(), Defect> {
    if !system.is_well_formed() {
        return Err(Defect::MalformedSystem);
    }
    let mut remaining: BTreeSet<usize> = (0..system.edges.len()).collect();
    for (position, component) in certificate.components.iter().enumerate() {
        for edge in check_component(system, &remaining, position, component)? {
            remaining.remove(&edge);
        }
    }
    match edges_on_cycles(system, &remaining).first() {
        Some(edge) => Err(Defect::CycleLeft { edge: *edge }),
        None => Ok(()),
    }
}

/// The edges that the component shows to be taken finitely often.
fn check_component(
    system: &System,
    remaining: &BTreeSet<usize>,
    number: usize,
    component: &Component,
) -> Result<Vec<usize>, Defect> {
    let mut decreasing = Vec::new();
    let mut nested = Vec::new();
    let mut n_checked = 0;
    for position in edges_on_cycles(system, remaining) {
        let edge = &system.edges[position];
        let at = |location| component.functions.get(&location).map(Vec::as_slice);
        let (before, after) = match (at(edge.from), at(edge.to)) {
            (Some(before), Some(after)) => (before, after),
            (None, None) => continue,
            _ => return Err(Defect::ScopeCutsCycle { component: number, edge: position }),
        };
        let Some(proof) = component.proofs.get(&position) else {
            return Err(Defect::MissingProof { component: number, edge: position });
        };
        if !justifies(edge, proof, before, after) {
            return Err(Defect::WrongProof { component: number, edge: position });
        }
        n_checked += 1;
        match proof {
            EdgeProof::NonIncreasing(_) => {}
            EdgeProof::Decreasing { .. } => decreasing.push(position),
            EdgeProof::Nested { .. } => nested.push(position),
        }
    }
    if nested.is_empty() {
        Ok(decreasing)
    } else if nested.len() == n_checked {
        Ok(nested)
    } else {
        Err(Defect::MixedProofs { component: number })
    }
}

/// Whether the proof shows its claim about the edge.
fn justifies(
    edge: &Edge,
    proof: &EdgeProof,
    before: &[AffineFunction],
    after: &[AffineFunction],
) -> bool {
    let relation = &edge.relation;
    let shows = |farkas: &Farkas, claim: &Constraint| farkas.check(&relation.constraints, claim);
    let pre: Vec<LinearExpr> = before.iter().map(|f| f.of(&relation.pre)).collect();
    let post: Vec<LinearExpr> = after.iter().map(|f| f.of(&relation.post)).collect();
    match (proof, pre.as_slice(), post.as_slice()) {
        (EdgeProof::NonIncreasing(farkas), [pre], [post]) => {
            shows(farkas, &Constraint::le(post, pre))
        }
        (EdgeProof::Decreasing { decrease, bound }, [pre], [post]) => {
            shows(decrease, &Constraint::lt(post, pre)) && shows(bound, &Constraint::ge(pre, 0))
        }
        (EdgeProof::Nested { decreases, bound }, pre, post) => {
            let Some(last) = pre.last() else { return false };
            let n_phases = pre.len();
            let phase = |i: usize| {
                let start = if i == 0 { pre[0].clone() } else { &pre[i] + &pre[i - 1] };
                shows(&decreases[i], &Constraint::lt(&post[i], start))
            };
            decreases.len() == n_phases
                && post.len() == n_phases
                && (0..n_phases).all(phase)
                && shows(bound, &Constraint::ge(last, 0))
        }
        _ => false,
    }
}

/// The remaining edges whose end leads back to their start.
fn edges_on_cycles(system: &System, remaining: &BTreeSet<usize>) -> Vec<usize> {
    let mut successors = vec![Vec::new(); system.arities.len()];
    for position in remaining {
        let edge = &system.edges[*position];
        successors[edge.from].push(edge.to);
    }
    let mut reachable: Vec<Option<Vec<bool>>> = vec![None; system.arities.len()];
    let mut on_cycle = Vec::new();
    for position in remaining {
        let edge = &system.edges[*position];
        let reached = reachable[edge.to].get_or_insert_with(|| reach(&successors, edge.to));
        if reached[edge.from] {
            on_cycle.push(*position);
        }
    }
    on_cycle
}

/// For each location, whether a path leads there from `start`.
fn reach(successors: &[Vec<usize>], start: usize) -> Vec<bool> {
    let mut reached = vec![false; successors.len()];
    reached[start] = true;
    let mut pending = vec![start];
    while let Some(location) = pending.pop() {
        for next in &successors[location] {
            if !reached[*next] {
                reached[*next] = true;
                pending.push(*next);
            }
        }
    }
    reached
}
