//! Ways of a transition system from a cutpoint back to it, one after the other
//! edge, and what they say of the values in between (PLDI'06 §3.4).

use descent::{Relation, System};
use logic::simplex::{is_surely_unsat, surely_entails};
use logic::{Constraint, LinearExpr, Var};
use numeric::Polyhedron;
use std::collections::BTreeMap;

/// A way of one edge or more, from a location to itself.
pub(super) struct Path {
    /// The locations before each edge and at the end, with their values.
    stops: Vec<(usize, Vec<Var>)>,
    /// What holds along the edges, in their order.
    constraints: Vec<Constraint>,
    /// How many of the constraints are about the edges up to each one.
    ends: Vec<usize>,
}

/// Where fair ways of one or two edges begin that lead back there and may change nothing: nothing
/// decreases on them, if they are ever taken.
pub(super) fn resting(system: &System) -> Vec<usize> {
    let ends = |edge: &usize| (system.edges[*edge].from, system.edges[*edge].to);
    let rests = |way: &[usize]| {
        !system.cycles(way).is_empty() && Path::new(system, way, &[]).may_change_nothing()
    };
    let all = 0..system.edges.len();
    let rests = |edge: &usize| {
        let (edge, (from, to)) = (*edge, ends(edge));
        let mut others = all.clone().skip(edge + 1).filter(|other| ends(other) == (to, from));
        if from == to { rests(&[edge]) } else { others.any(|other| rests(&[edge, other])) }
    };
    all.clone().filter(rests).map(|edge| system.edges[edge].from).collect()
}

impl Path {
    /// The way along these edges, of which each starts where the last one ended, from
    /// values of which this is known.
    pub(super) fn new(system: &System, edges: &[usize], known: &[Constraint]) -> Self {
        let mut n_used = 0;
        let mut fresh = |number: usize| {
            n_used += number;
            (n_used - number..n_used).map(Var::at).collect::<Vec<_>>()
        };
        let start = edges.first().map_or(0, |edge| system.edges[*edge].from);
        let mut stops = vec![(start, fresh(system.arities[start]))];
        let (mut constraints, mut ends) = (known.to_vec(), Vec::new());
        for edge in edges.iter().map(|edge| &system.edges[*edge]) {
            let relation = &edge.relation;
            let after = fresh(system.arities[edge.to]);
            let mut names: BTreeMap<Var, Var> = BTreeMap::new();
            if let Some((_, before)) = stops.last() {
                names.extend(relation.pre.iter().copied().zip(before.iter().copied()));
            }
            names.extend(relation.post.iter().copied().zip(after.iter().copied()));
            for constraint in &relation.constraints {
                for variable in constraint.expr().variables() {
                    names.entry(variable).or_insert_with(|| fresh(1)[0]);
                }
                constraints.push(constraint.map(|v| LinearExpr::var(names[&v])));
            }
            ends.push(constraints.len());
            stops.push((edge.to, after));
        }
        Self { stops, constraints, ends }
    }

    /// Whether no values go this way.
    pub(super) fn is_impossible(&self) -> bool {
        is_surely_unsat(&self.constraints)
    }

    /// Whether some values may be the same at the end.
    fn may_change_nothing(&self) -> bool {
        let (Some((_, before)), Some((_, after))) = (self.stops.first(), self.stops.last()) else {
            return false;
        };
        let same = |(before, after): (&Var, &Var)| {
            Constraint::zero(LinearExpr::var(*before) - LinearExpr::var(*after))
        };
        let unchanged = before.iter().zip(after).map(same);
        let all: Vec<Constraint> = self.constraints.iter().cloned().chain(unchanged).collect();
        !is_surely_unsat(&all)
    }

    /// What the way does to the values, without those in between.
    pub(super) fn relation(&self) -> Relation {
        let values = |stop: Option<&(usize, Vec<Var>)>| {
            stop.map_or_else(Vec::new, |(_, values)| values.clone())
        };
        let (pre, post) = (values(self.stops.first()), values(self.stops.last()));
        let constraints = self.known_after(self.ends.len()).constraints().to_vec();
        Relation { pre, post, constraints }
    }

    /// What holds of the values at the start and after so many edges.
    fn known_after(&self, n_edges: usize) -> Polyhedron {
        let mut known = Polyhedron::top();
        let mut first = 0;
        for (position, end) in self.ends.iter().enumerate().take(n_edges) {
            known.assume_all(self.constraints[first..*end].iter().cloned());
            first = *end;
            let kept = [&self.stops[0].1, &self.stops[position + 1].1];
            known = known.project_onto(&|v| kept.iter().any(|values| values.contains(&v)));
        }
        known
    }

    /// Whether all of this, over the values at the start and at the end, holds.
    pub(super) fn entails(&self, claims: &[Constraint]) -> bool {
        claims.iter().all(|claim| surely_entails(&self.constraints, &self.at_ends(claim)).is_some())
    }

    /// The claim over the values at the start and then those at the end.
    fn at_ends(&self, claim: &Constraint) -> Constraint {
        let n_seeds = self.stops[0].1.len();
        claim.map(|v| {
            let value = match v.index().checked_sub(n_seeds) {
                None => self.stops[0].1.get(v.index()),
                Some(index) => self.stops.last().and_then(|(_, values)| values.get(index)),
            };
            LinearExpr::var(value.copied().unwrap_or(v))
        })
    }

    /// For a claim that follows (a contradiction: that there is no such way), what
    /// has to be known at each stop for it, by location: interpolants by Farkas
    /// multipliers, or all that is known there if these do not exist. The last stop
    /// has the claim itself.
    pub(super) fn interpolants(&self, claim: &Constraint) -> Vec<(usize, Constraint)> {
        let wanted = self.at_ends(claim);
        let (_, inner) = self.ends.split_last().unwrap_or((&0, &[]));
        let mut found: Vec<(usize, Constraint)> = Vec::new();
        for part in wanted.inequalities() {
            let proof = surely_entails(&self.constraints, &part);
            let refutation = proof.and_then(|mut proof| proof.refutations.pop());
            let sums = refutation.and_then(|it| it.interpolants(&self.constraints, inner));
            for position in 0..inner.len() {
                let known = match &sums {
                    Some(sums) => vec![sums[position].clone()],
                    None => self.known_after(position + 1).constraints().to_vec(),
                };
                found.extend(known.iter().filter_map(|it| self.at_stop(position + 1, it)));
            }
        }
        found.push((self.stops[0].0, claim.clone()));
        found
    }

    /// A constraint over the values at the start and at a stop, in terms of the
    /// pairs of these; nothing if it has others.
    fn at_stop(&self, stop: usize, constraint: &Constraint) -> Option<(usize, Constraint)> {
        let (location, values) = self.stops.get(stop)?;
        let seeds = &self.stops[0].1;
        let position = |v: Var| {
            let seed = seeds.iter().position(|other| *other == v);
            seed.or_else(|| Some(seeds.len() + values.iter().position(|other| *other == v)?))
        };
        let is_fit = constraint.expr().variables().all(|v| position(v).is_some());
        let renamed = constraint.map(|v| LinearExpr::var(Var::at(position(v).unwrap_or(0))));
        is_fit.then_some((*location, renamed))
    }
}
