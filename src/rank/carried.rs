//! Measures for large cyclic parts, found without a linear program.
//!
//! Around many inner loops an outer one counts. Its measure is bounded by a guard on
//! one edge, and the other locations hold it in some form: what a guard says is
//! carried backwards along the edges, location by location, and then proved of all
//! of them. The cost grows with the edges times the measures tried, where a linear
//! program has all coefficients at all locations at once.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::synthesis::{Prepared, certify};
use descent::{AffineFunction, Component, Relation};
use logic::{Constraint, LinearExpr, Var};
use numeric::Polyhedron;

/// How many measures are carried around.
const MOST_MEASURES: usize = 48;
/// How many terms a guard has that is tried.
const MOST_TERMS: usize = 3;

/// The first component with a measure that a guard of some edge bounds which the caller accepts.
pub(super) fn carried_component(
    prepared: &Prepared<'_>,
    edges: &[usize],
    accepts: impl Fn(&Component) -> bool,
) -> Option<Component> {
    let mut tried: BTreeSet<(usize, LinearExpr)> = BTreeSet::new();
    // The part is entered at its first location, the head of the outermost loop.
    let head = edges.iter().map(|edge| prepared.edge(*edge).from).min()?;
    let (back, others): (Vec<usize>, Vec<usize>) =
        edges.iter().partition(|edge| prepared.edge(**edge).to == head);
    let mut n_carried = 0;
    for edge in back.into_iter().chain(others) {
        let from = prepared.edge(edge).from;
        for measure in guards(&prepared.polyhedra[edge], &prepared.edge(edge).relation) {
            if n_carried >= MOST_MEASURES {
                return None;
            }
            if !tried.insert((from, measure.clone())) {
                continue;
            }
            let Some(measures) = carry(prepared, edges, (from, &measure)) else { continue };
            tried.extend(measures.iter().map(|(at, it)| (*at, without_constant(it))));
            let mut from_there = edges.iter().filter(|it| prepared.edge(**it).from == from);
            if !from_there.any(|it| falls(prepared, *it, &measure, &measures)) {
                continue;
            }
            n_carried += 1;
            let functions = measures.iter().map(|(location, measure)| {
                let arity = prepared.system.arities[*location];
                let coefficients = (0..arity).map(|i| measure.coefficient(Var::at(i))).collect();
                (
                    *location,
                    AffineFunction { coefficients, constant: measure.constant_part().clone() },
                )
            });
            let component = certify(prepared, edges, functions.collect()).filter(&accepts);
            if component.is_some() {
                return component;
            }
        }
    }
    None
}

fn without_constant(expr: &LinearExpr) -> LinearExpr {
    expr.add_constant(-expr.constant_part())
}

/// What the inequalities on the values before an edge bound from below, by
/// position, short ones first.
fn guards(known: &Polyhedron, relation: &Relation) -> Vec<LinearExpr> {
    let shadow = known.project_onto(&|v| relation.pre.contains(&v));
    let bounds = shadow.inequalities().iter().map(|it| without_constant(&it.expr().neg()));
    let mut bounds: Vec<LinearExpr> = bounds
        .filter(|it| it.terms().len() <= MOST_TERMS)
        .filter_map(|it| by_position(&it, &relation.pre))
        .collect();
    bounds
        .sort_by_key(|it| (it.terms().len(), it.terms().iter().any(|(_, it)| !it.abs().is_one())));
    bounds
}

/// Whether the measure is surely smaller after the edge.
fn falls(
    prepared: &Prepared<'_>,
    edge: usize,
    before: &LinearExpr,
    measures: &BTreeMap<usize, LinearExpr>,
) -> bool {
    let relation = &prepared.edge(edge).relation;
    let Some(after) = measures.get(&prepared.edge(edge).to) else { return false };
    let (before, after) = (at(before, &relation.pre), at(after, &relation.post));
    prepared.polyhedra[edge].entails(&Constraint::lt(after, before))
}

/// The measure at all locations of the edges: nowhere smaller than what it is at the
/// next location on the way to the first one.
fn carry(
    prepared: &Prepared<'_>,
    edges: &[usize],
    (start, measure): (usize, &LinearExpr),
) -> Option<BTreeMap<usize, LinearExpr>> {
    let mut into: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for edge in edges {
        into.entry(prepared.edge(*edge).to).or_default().push(*edge);
    }
    let mut measures = BTreeMap::from([(start, measure.clone())]);
    let mut open = VecDeque::from([start]);
    while let Some(location) = open.pop_front() {
        for edge in into.get(&location).into_iter().flatten() {
            let before = prepared.edge(*edge).from;
            if measures.contains_key(&before) {
                continue;
            }
            if let Some(image) = image_before(prepared, *edge, &measures[&location]) {
                measures.insert(before, image);
                open.push_back(before);
            }
        }
    }
    let is_everywhere = edges.iter().all(|edge| measures.contains_key(&prepared.edge(*edge).from));
    is_everywhere.then_some(measures)
}

/// An expression over the values before the edge that is no smaller than this one
/// over the values after it; the same, if there is one.
fn image_before(prepared: &Prepared<'_>, edge: usize, after: &LinearExpr) -> Option<LinearExpr> {
    let relation = &prepared.edge(edge).relation;
    // Most edges leave most values as they are.
    let wanted = at(after, &relation.post);
    let known = &prepared.polyhedra[edge];
    let same = wanted.map(|v| {
        let position = relation.post.iter().position(|other| *other == v);
        let kept = relation
            .pre
            .iter()
            .enumerate()
            .find(|(_, before)| known.equalities().contains(&Constraint::eq(**before, v)));
        match (position, kept) {
            (Some(_), Some((_, before))) => LinearExpr::var(*before),
            _ => LinearExpr::var(v),
        }
    });
    if let Some(found) = by_position(&same, &relation.pre) {
        return Some(found);
    }
    let everywhere = known.variables().into_iter().chain(wanted.variables());
    let result = Var::at(everywhere.chain(relation.pre.iter().copied()).max()?.index() + 1);
    let mut joint = known.clone();
    joint.assume(Constraint::eq(result, wanted));
    let shadow = joint.project_onto(&|v| v == result || relation.pre.contains(&v));
    let bounds = shadow.equalities().iter().chain(shadow.inequalities());
    let upper = |bound: &Constraint| {
        let factor = bound.expr().coefficient(result);
        let rest = bound.expr().substitute(result, &LinearExpr::zero());
        if factor.is_one() {
            by_position(&rest.neg(), &relation.pre)
        } else if bound.is_equality() && factor.abs().is_one() {
            by_position(&rest, &relation.pre)
        } else {
            None
        }
    };
    bounds.into_iter().find_map(upper)
}

/// The expression over these variables by their positions; nothing if it has others.
fn by_position(expr: &LinearExpr, variables: &[Var]) -> Option<LinearExpr> {
    let position = |v: Var| variables.iter().position(|other| *other == v);
    let fits = expr.variables().all(|v| position(v).is_some());
    fits.then(|| expr.map(|v| LinearExpr::var(Var::at(position(v).unwrap_or(0)))))
}

fn at(expr: &LinearExpr, variables: &[Var]) -> LinearExpr {
    expr.map(|v| LinearExpr::var(variables[v.index()]))
}
