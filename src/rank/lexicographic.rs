//! Alias, Darte, Feautrier and Gonnord, "Multi-dimensional rankings, program
//! termination, and complexity bounds of flowchart programs", SAS 2010.
//!
//! Each component of the tuple decreases as many edges of a strongly connected
//! component as possible and increases none; the decreasing edges are removed,
//! and what is still cyclic is ranked by the next components.

use std::collections::BTreeSet;

use base::budget::Budget;
use base::limits::RANKING_UNITS;
use logic::Constraint;

use super::carried::carried_component;
use super::synthesis::{Aim, Prepared, one_component};
use super::{RankingTemplate, multiphase};
use descent::{AffineFunction, Certificate, Component, Edge, System};

/// Lexicographic tuples of affine functions; where no component can be found,
/// a nested argument may finish a strongly connected component.
#[derive(Clone, Copy, Debug)]
pub struct Lexicographic;

impl RankingTemplate for Lexicographic {
    fn name(&self) -> &'static str {
        "lexicographic"
    }

    fn rank(&self, system: &System) -> Option<Certificate> {
        match attempt(system, &mut Budget::of_steps(RANKING_UNITS))? {
            (certificate, stuck) if stuck.is_empty() => Some(certificate),
            _ => None,
        }
    }
}

/// As much of a ranking as there is: the components found, and the edges of
/// each cyclic part that has none, or none within the effort: at most [`RANKING_UNITS`]
/// units, each for some entries of a linear program. Nothing for a malformed system.
#[must_use]
pub fn attempt(system: &System, effort: &mut Budget) -> Option<(Certificate, Vec<Vec<usize>>)> {
    attempt_guarded(system, &guarded(system), effort)
}

/// The edges that not all values at their location can take, as far as they say so.
pub(super) fn guarded(system: &System) -> BTreeSet<usize> {
    let has_guard = |edge: &Edge| {
        let of_values_before = |constraint: &Constraint| {
            !constraint.is_equality()
                && constraint.expr().variables().all(|v| edge.relation.pre.contains(&v))
        };
        edge.relation.constraints.iter().any(of_values_before)
    };
    let edges = system.edges.iter().enumerate();
    edges.filter(|(_, edge)| has_guard(edge)).map(|(position, _)| position).collect()
}

/// [`attempt`] where the edges with a guard are known.
pub(super) fn attempt_guarded(
    system: &System,
    guarded: &BTreeSet<usize>,
    effort: &mut Budget,
) -> Option<(Certificate, Vec<Vec<usize>>)> {
    let prepared = Prepared::new(system)?;
    let all: Vec<usize> = (0..system.edges.len()).collect();
    let mut pending = prepared.cycles(&all);
    pending.reverse();
    let mut components = Vec::new();
    let mut stuck = Vec::new();
    while let Some(edges) = pending.pop() {
        let Some(component) = next_component(&prepared, &edges, guarded, effort) else {
            stuck.push(edges);
            continue;
        };
        let strict: BTreeSet<usize> = component.strict_edges().collect();
        let rest: Vec<usize> = edges.into_iter().filter(|e| !strict.contains(e)).collect();
        let mut rest = prepared.cycles(&rest);
        rest.reverse();
        pending.extend(rest);
        components.push(component);
    }
    Some((Certificate::of(components), stuck))
}

/// Parts of more edges are first searched for measures that guards bound.
const MOST_EDGES_AT_ONCE: usize = 16;
/// Numbers of programs are mostly smaller, and limits of types are not.
const LIMITS: u64 = 1 << 30;
/// In parts of more edges no single edge is aimed at.
const MOST_EDGES_AIMED_AT: usize = 64;

/// First functions that are bounded on every edge, then functions that need
/// to be bounded on one edge only, then functions that guards bound on every fair cycle, then
/// nested ones.
fn next_component(
    prepared: &Prepared<'_>,
    edges: &[usize],
    guarded: &BTreeSet<usize>,
    effort: &mut Budget,
) -> Option<Component> {
    let cost = prepared.cost(edges);
    let carried = || carried_component(prepared, edges, |_| true);
    let is_large = edges.len() > MOST_EDGES_AT_ONCE;
    is_large
        .then(carried)
        .flatten()
        .or_else(|| {
            effort.spend(cost).ok()?;
            one_component(prepared, edges, Aim::Every)
        })
        .or_else(|| {
            let aimed = if edges.len() > MOST_EDGES_AIMED_AT { &[] } else { edges };
            let mut aims = aimed.iter().map(|edge| Aim::Only(*edge));
            aims.find_map(|aim| {
                effort.spend(cost).ok()?;
                one_component(prepared, edges, aim)
            })
        })
        .or_else(|| {
            let cut = cut_of(prepared, edges, guarded)?;
            effort.spend(cost).ok()?;
            one_component(prepared, edges, Aim::Cut(&cut))
        })
        .or_else(|| {
            effort.spend(cost.saturating_mul(4)).ok()?;
            multiphase::nested_component(prepared, edges)
        })
        .map(|found| plainest(prepared, edges, found))
}

/// The component, or one with plain measures, if it has others. That may fall on fewer edges: the
/// next ones rank the rest, of which what falls on all is one. In parts of many edges such measures
/// were looked for first.
fn plainest(prepared: &Prepared<'_>, edges: &[usize], found: Component) -> Component {
    let is_worth_it = edges.len() <= MOST_EDGES_AT_ONCE && !is_plain(&found);
    let plain = is_worth_it.then(|| carried_component(prepared, edges, is_plain)).flatten();
    plain.unwrap_or(found)
}

/// Whether all measures are numbers or distances of two, and end before the limits of types.
fn is_plain(component: &Component) -> bool {
    let is_plain = |it: &AffineFunction| {
        let mut used = it.coefficients.iter().filter(|it| !it.is_zero());
        let is_near = it.constant.to_i64().is_some_and(|it| it.unsigned_abs() < LIMITS);
        is_near && used.clone().count() <= 2 && used.all(|it| it.abs().is_one())
    };
    component.functions.values().flatten().all(is_plain)
}

/// The edges with a guard, if they are not all and every fair cycle passes one.
fn cut_of(
    prepared: &Prepared<'_>,
    edges: &[usize],
    guarded: &BTreeSet<usize>,
) -> Option<BTreeSet<usize>> {
    let (cut, rest): (Vec<usize>, Vec<usize>) =
        edges.iter().partition(|edge| guarded.contains(edge));
    let is_cut = !cut.is_empty() && !rest.is_empty() && prepared.cycles(&rest).is_empty();
    is_cut.then(|| cut.into_iter().collect())
}
