//! The exact check of ranking certificates.
//!
//! Nothing here is shared with the search for rankings but the division into
//! components, whose meaning is checked on each edge: the check adds up Farkas
//! combinations and follows edges.
//!
//! Why a checked certificate excludes infinite paths: take the edges that such
//! a path uses infinitely often. They connect their locations strongly, so at
//! each component they lie in one cyclic part, all are justified there, and a
//! strict one among them would decrease a bounded integer for ever. Hence none
//! of them is ever removed; but at the end no cycle is left. A falling edge without a bound of
//! its own is strict, too, if no fair cycle of the part avoids the bounded edges: a function that
//! falls for ever is below its bound from some point on, and these edges are not taken any more.
//! The same holds of the
//! edges from a cutpoint that a transition invariant shows to be passed finitely
//! often (`invariant`).
//!
//! Paths that break a compassion requirement ⟨p, q⟩ do not count. A fair path that takes a
//! p-edge infinitely often takes a q-edge infinitely often: in a part without q-edges its
//! p-edges go (POPL'07, §3.1: *None* and *Some*). The check uses requirements by itself, wherever
//! it can, so a certificate says nothing of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::invariant::TransitionInvariant;
use super::{AffineFunction, Certificate, Component, Edge, EdgeProof, System};
use base::graph::levels;
use logic::{Constraint, Farkas, LinearExpr};

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
    /// A function falls, but some cycle of the part avoids the edges that bound it.
    NoBound {
        /// The component of the certificate.
        component: usize,
    },
    /// A transition invariant does not show its claim, or there is nothing to show.
    WrongInvariant {
        /// Its cutpoint.
        cutpoint: usize,
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
            Self::NoBound { component } => {
                write!(out, "some cycle keeps to edges on which component {component} has no bound")
            }
            Self::WrongInvariant { cutpoint } => {
                write!(out, "the pairs of states at location {cutpoint} are not all ranked")
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
    let mut parts = CyclicParts::of(system);
    for (number, component) in certificate.components.iter().enumerate() {
        check_component(&mut parts, number, component)?;
    }
    for invariant in &certificate.invariants {
        check_invariant(&mut parts, invariant)?;
    }
    match parts.edges.iter().flatten().min() {
        Some(edge) => Err(Defect::CycleLeft { edge: *edge }),
        None => Ok(()),
    }
}

/// Checks the invariant against the cyclic part of its cutpoint, and removes the
/// edges from there: no path passes it for ever.
fn check_invariant(
    parts: &mut CyclicParts<'_>,
    invariant: &TransitionInvariant,
) -> Result<(), Defect> {
    let wrong = Defect::WrongInvariant { cutpoint: invariant.cutpoint };
    let part = parts.at(std::iter::once(&invariant.cutpoint)).pop_first().ok_or(wrong)?;
    if !invariant.check(parts.system, &parts.edges[part]) {
        return Err(wrong);
    }
    let leaving = parts.edges[part].iter().copied();
    let leaving = leaving.filter(|edge| parts.system.edges[*edge].from == invariant.cutpoint);
    let leaving: BTreeSet<usize> = leaving.collect();
    parts.remove(part, &leaving);
    Ok(())
}

/// Checks the component against the cyclic parts that it speaks of, and removes
/// the edges that it shows to be taken finitely often.
fn check_component(
    parts: &mut CyclicParts<'_>,
    number: usize,
    component: &Component,
) -> Result<(), Defect> {
    let mut decreasing = BTreeSet::new();
    let mut nested = BTreeSet::new();
    let mut n_checked = 0;
    let touched = parts.at(component.functions.keys());
    for position in touched.iter().flat_map(|part| &parts.edges[*part]) {
        let position = *position;
        let edge = &parts.system.edges[position];
        let at = |location| component.functions.get(&location).map(Vec::as_slice);
        let (Some(before), Some(after)) = (at(edge.from), at(edge.to)) else {
            return Err(Defect::ScopeCutsCycle { component: number, edge: position });
        };
        let Some(proof) = component.proofs.get(&position) else {
            return Err(Defect::MissingProof { component: number, edge: position });
        };
        if !justifies(edge, proof, before, after) {
            return Err(Defect::WrongProof { component: number, edge: position });
        }
        n_checked += 1;
        match proof {
            EdgeProof::NonIncreasing(_) | EdgeProof::Bounded { .. } => false,
            EdgeProof::Decreasing { .. } | EdgeProof::Falling(_) => decreasing.insert(position),
            EdgeProof::Nested { .. } => nested.insert(position),
        };
    }
    let strict = match nested.len() {
        0 => decreasing,
        all if all == n_checked => nested,
        _ => return Err(Defect::MixedProofs { component: number }),
    };
    if !touched.iter().all(|part| parts.are_bounded(&parts.edges[*part], component)) {
        return Err(Defect::NoBound { component: number });
    }
    for part in touched {
        parts.remove(part, &strict);
    }
    Ok(())
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
        (EdgeProof::Bounded { growth, bound }, [pre], [post]) => {
            shows(growth, &Constraint::le(post, pre)) && shows(bound, &Constraint::ge(pre, 0))
        }
        (EdgeProof::Falling(farkas), [pre], [post]) => shows(farkas, &Constraint::lt(post, pre)),
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

/// The edges that may still be on a cycle, in parts that no cycle connects.
///
/// Each location belongs to at most one part, and each cycle of edges that were
/// not removed lies in one part. Parts are looked up by location, so that a
/// component costs no more than the parts it speaks of.
struct CyclicParts<'a> {
    system: &'a System,
    /// By part; emptied when a part is split.
    edges: Vec<Vec<usize>>,
    /// The part that each location belongs to.
    of: Vec<Option<usize>>,
}

impl<'a> CyclicParts<'a> {
    fn of(system: &'a System) -> Self {
        let of = vec![None; system.arities.len()];
        let mut parts = Self { system, edges: Vec::new(), of };
        parts.split((0..system.edges.len()).collect());
        parts
    }

    /// The parts that contain some of the locations.
    fn at<'b>(&self, locations: impl Iterator<Item = &'b usize>) -> BTreeSet<usize> {
        locations.filter_map(|location| *self.of.get(*location)?).collect()
    }

    /// Removes edges from a part, which may fall into several.
    fn remove(&mut self, part: usize, removed: &BTreeSet<usize>) {
        let edges = std::mem::take(&mut self.edges[part]);
        for position in &edges {
            let (from, to) = self.ends(*position);
            (self.of[from], self.of[to]) = (None, None);
        }
        self.split(edges.into_iter().filter(|edge| !removed.contains(edge)).collect());
    }

    /// Whether each function that falls along these edges without a bound of its own is bounded
    /// on all their fair cycles.
    ///
    /// ```text
    ///   f falls on e ∈ S, grows on no edge of S   f ≥ 0 on B   S \ B has no fair cycle
    ///   ────────────────────────────────────────────────────────────────────────────── BELOW
    ///                no fair path that stays in S takes e for ever
    /// ```
    fn are_bounded(&self, edges: &[usize], component: &Component) -> bool {
        let proof = |edge: &usize| component.proofs.get(edge);
        if !edges.iter().any(|edge| matches!(proof(edge), Some(EdgeProof::Falling(_)))) {
            return true;
        }
        let has_bound = |edge: &&usize| {
            matches!(proof(edge), Some(EdgeProof::Bounded { .. } | EdgeProof::Decreasing { .. }))
        };
        let rest = edges.iter().filter(|edge| !has_bound(edge)).copied().collect();
        let of = vec![None; self.system.arities.len()];
        let mut without = Self { system: self.system, edges: Vec::new(), of };
        without.split(rest);
        without.edges.iter().all(Vec::is_empty)
    }

    /// Makes parts of edges at locations that belong to no part.
    ///
    /// If levels never rise along an edge, they are constant on each cycle, so
    /// that an edge between different levels is on none. That they never rise is
    /// checked here; otherwise the edges stay together, which is always right.
    fn split(&mut self, edges: Vec<usize>) {
        let ends: Vec<(usize, usize)> = edges.iter().map(|edge| self.ends(*edge)).collect();
        let levels = levels(&ends);
        let level = |location: &usize| levels.get(location).copied();
        let never_rise = ends.iter().all(|(from, to)| level(to) <= level(from));
        let mut by_level: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for (edge, (from, to)) in edges.into_iter().zip(&ends) {
            if !never_rise {
                by_level.entry(None).or_default().push(edge);
            } else if level(from) == level(to) {
                by_level.entry(level(from)).or_default().push(edge);
            }
        }
        for edges in by_level.into_values() {
            if let Some(fair) = self.without_unfair(&edges) {
                self.split(fair);
                continue;
            }
            for edge in &edges {
                let (from, to) = self.ends(*edge);
                (self.of[from], self.of[to]) = (Some(self.edges.len()), Some(self.edges.len()));
            }
            self.edges.push(edges);
        }
    }

    /// The edges without those that no fair path which stays among them takes for ever, if
    /// there are such.
    fn without_unfair(&self, edges: &[usize]) -> Option<Vec<usize>> {
        let happens = |event: &BTreeSet<usize>| edges.iter().any(|edge| event.contains(edge));
        let mut requirements = self.system.requirements.iter();
        let broken = requirements.find(|it| happens(&it.whenever) && !happens(&it.then))?;
        Some(edges.iter().copied().filter(|edge| !broken.whenever.contains(edge)).collect())
    }

    fn ends(&self, edge: usize) -> (usize, usize) {
        (self.system.edges[edge].from, self.system.edges[edge].to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Relation;

    /// Location `i` with a loop and a step to `i + 1`.
    fn chain(n: usize) -> System {
        let relation = Relation { pre: Vec::new(), post: Vec::new(), constraints: Vec::new() };
        let step = |from, to| Edge { from, to, relation: relation.clone() };
        let edges = (0..n).flat_map(|i| [step(i, i), step(i, (i + 1).min(n - 1))]).collect();
        System { arities: vec![0; n], edges, requirements: Vec::new() }
    }

    #[test]
    fn a_component_touches_its_own_part_only() {
        let system = chain(100);
        let mut parts = CyclicParts::of(&system);
        assert_eq!(parts.edges.len(), 100);
        assert_eq!(parts.edges[parts.of[7].unwrap_or(0)], [14]);
        let touched = parts.at([7, 9, 1000].iter());
        assert_eq!(touched.len(), 2);
        for part in touched {
            parts.remove(part, &BTreeSet::from([14]));
        }
        assert_eq!((parts.of[7], parts.of[9].is_some()), (None, true));
        assert_eq!(parts.edges.iter().flatten().count(), 100);
    }
}
