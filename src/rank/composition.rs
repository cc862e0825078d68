//! Composition of relations and disjunctive well-foundedness.
//!
//! Podelski and Rybalchenko, "Transition invariants", LICS 2004: if the
//! transitive closure of a relation lies in a finite union of well-founded
//! relations, the relation is well-founded. Here the closure is computed by
//! abstract interpretation on relations, as SONAR+ does in "Shape-Shifting
//! Heaps" (CAV 2006, Fig. 2), and each disjunct is ranked by `affine`.

use std::collections::BTreeMap;

use super::Relation;
use super::affine::{Ranking, rank_relation};
use crate::logic::simplex::surely_entails;
use crate::logic::{Constraint, LinearExpr, Var};
use crate::numeric::Polyhedron;

/// More disjuncts than this are joined and widened.
const MOST_DISJUNCTS: usize = 12;

/// More compositions than this end the iteration without an answer.
const MOST_COMPOSITIONS: usize = 400;

impl Relation {
    /// First `self`, then `next`: the values after `self` are those before
    /// `next`, by position. The pre-variables of `self` and the post-variables
    /// of `next` must be different.
    ///
    /// The intermediate values are eliminated, which may over-approximate.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let joint = Polyhedron::of(self.chained(next));
        let (pre, post) = (self.pre.clone(), next.post.clone());
        let shadow = joint.project_onto(&|v| pre.contains(&v) || post.contains(&v));
        Self { pre, post, constraints: shadow.constraints().to_vec() }
    }

    /// The constraints of both relations with common intermediate variables,
    /// over `self.pre`, `next.post` and fresh variables.
    fn chained(&self, next: &Self) -> Vec<Constraint> {
        let all = self.variables().chain(next.variables());
        let mut fresh = all.map(|v| v.0.saturating_add(1)).max().unwrap_or(0);
        let mut middle = BTreeMap::new();
        for variable in &self.post {
            middle.insert(*variable, Var(fresh));
            fresh = fresh.saturating_add(1);
        }
        let mut second: BTreeMap<Var, Var> = next.post.iter().map(|v| (*v, *v)).collect();
        let ends = next.pre.iter().zip(&self.post);
        second.extend(ends.map(|(before, after)| (*before, middle[after])));
        for variable in next.variables() {
            second.entry(variable).or_insert_with(|| {
                fresh = fresh.saturating_add(1);
                Var(fresh - 1)
            });
        }
        let mut first: BTreeMap<Var, Var> = self.pre.iter().map(|v| (*v, *v)).collect();
        first.extend(middle);
        for variable in self.variables() {
            first.entry(variable).or_insert_with(|| {
                fresh = fresh.saturating_add(1);
                Var(fresh - 1)
            });
        }
        let rename = |names: &BTreeMap<Var, Var>, constraint: &Constraint| {
            constraint.map(|v| LinearExpr::var(names.get(&v).copied().unwrap_or(v)))
        };
        let first = self.constraints.iter().map(|c| rename(&first, c));
        first.chain(next.constraints.iter().map(|c| rename(&second, c))).collect()
    }

    fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        let ends = self.pre.iter().chain(&self.post).copied();
        ends.chain(self.constraints.iter().flat_map(|c| c.expr().variables()))
    }

    /// The relation without existential variables, as a polyhedron.
    fn polyhedron(&self) -> Polyhedron {
        let all = Polyhedron::of(self.constraints.iter().cloned());
        all.project_onto(&|v| self.pre.contains(&v) || self.post.contains(&v))
    }
}

/// Relations that together contain every path of one or more of the given
/// steps, all from one location to itself with the same `pre` and `post`.
///
/// Nothing when the iteration did not become stable.
#[must_use]
pub fn closure(steps: &[Relation]) -> Option<Vec<Relation>> {
    closure_while(steps, |_| true)
}

/// Like [`closure`], but gives up at the first disjunct that is not acceptable.
fn closure_while(
    steps: &[Relation],
    mut is_acceptable: impl FnMut(&Relation) -> bool,
) -> Option<Vec<Relation>> {
    let Some(first) = steps.first() else { return Some(Vec::new()) };
    let (pre, post) = (first.pre.clone(), first.post.clone());
    if steps.iter().any(|step| step.pre != pre || step.post != post) {
        return None;
    }
    let relation = |polyhedron: &Polyhedron| Relation {
        pre: pre.clone(),
        post: post.clone(),
        constraints: polyhedron.constraints().to_vec(),
    };
    let mut found = Disjunction::default();
    steps.iter().for_each(|step| found.add(step.polyhedron()));
    let mut n_compositions = 0;
    while let Some(position) = found.pending.pop() {
        let current = relation(&found.disjuncts[position]);
        if !is_acceptable(&current) {
            return None;
        }
        for step in steps {
            n_compositions += 1;
            if n_compositions > MOST_COMPOSITIONS {
                return None;
            }
            found.add(current.then(step).polyhedron());
        }
    }
    Some(found.disjuncts.iter().map(relation).collect())
}

/// A growing set of disjuncts with those that are still to be composed.
#[derive(Default)]
struct Disjunction {
    disjuncts: Vec<Polyhedron>,
    pending: Vec<usize>,
}

impl Disjunction {
    /// Adds what is not covered yet; beyond the limit the disjunct that has most
    /// in common with it is widened.
    fn add(&mut self, candidate: Polyhedron) {
        if candidate.is_empty() || self.disjuncts.iter().any(|known| candidate.leq(known)) {
            return;
        }
        if self.disjuncts.len() < MOST_DISJUNCTS {
            self.pending.push(self.disjuncts.len());
            self.disjuncts.push(candidate);
            return;
        }
        let shared = |known: &Polyhedron| {
            known.constraints().iter().filter(|c| candidate.entails(c)).count()
        };
        let score = |position: &usize| (shared(&self.disjuncts[*position]), usize::MAX - position);
        if let Some(position) = (0..self.disjuncts.len()).max_by_key(score) {
            let known = &self.disjuncts[position];
            self.disjuncts[position] = known.widen(&known.join(&candidate), &[]);
            if !self.pending.contains(&position) {
                self.pending.push(position);
            }
        }
    }
}

/// A proof that a set of steps is well-founded: relations that contain every
/// path, each with a ranking function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransitionInvariant {
    /// The disjuncts with their rankings.
    pub disjuncts: Vec<(Relation, Ranking)>,
}

/// A disjunctive proof that the steps cannot be repeated for ever.
#[must_use]
pub fn disjunctively_well_founded(steps: &[Relation]) -> Option<TransitionInvariant> {
    let ranked = |disjunct: Relation| rank_relation(&disjunct).map(|ranking| (disjunct, ranking));
    let all = closure_while(steps, |disjunct| rank_relation(disjunct).is_some())?;
    let disjuncts = all.into_iter().map(ranked).collect::<Option<Vec<_>>>()?;
    let invariant = TransitionInvariant { disjuncts };
    invariant.check(steps).then_some(invariant)
}

impl TransitionInvariant {
    /// Whether this proves the steps well-founded: each step is in a disjunct,
    /// each disjunct followed by a step is in a disjunct, and each disjunct is
    /// ranked. All by Farkas proofs that are added up exactly.
    #[must_use]
    pub fn check(&self, steps: &[Relation]) -> bool {
        let covers = |premises: &[Constraint]| {
            self.disjuncts.iter().any(|(disjunct, _)| {
                disjunct.constraints.iter().all(|claim| {
                    surely_entails(premises, claim).is_some_and(|p| p.check(premises, claim))
                })
            })
        };
        let aligned = |relation: &Relation| {
            steps.iter().all(|step| step.pre == relation.pre && step.post == relation.post)
        };
        let is_closed =
            |disjunct: &Relation| steps.iter().all(|step| covers(&disjunct.chained(step)));
        steps.iter().all(|step| covers(&step.constraints))
            && self.disjuncts.iter().all(|(disjunct, ranking)| {
                aligned(disjunct) && is_closed(disjunct) && ranking.ranks(disjunct)
            })
    }
}

impl Ranking {
    /// Whether the proofs show that the function ranks the relation.
    #[must_use]
    pub fn ranks(&self, relation: &Relation) -> bool {
        let before = self.function.of(&relation.pre);
        let after = self.function.of(&relation.post);
        let premises = &relation.constraints;
        self.decrease.check(premises, &Constraint::lt(after, &before))
            && self.bound.check(premises, &Constraint::ge(before, 0))
    }
}
