//! Transition invariants of cutpoints, and their exact check.
//!
//! Cook, Podelski and Rybalchenko, "Termination proofs for systems code", PLDI
//! 2006, §2 and §3: if every pair of a state at a cutpoint and a later state
//! there (the binary reachability relation `R+`) lies in a finite union `T` of
//! well-founded relations, no run passes the cutpoint for ever. (The union need
//! not be well-founded; by Ramsey's theorem an infinite run has infinitely many
//! states of which all pairs lie in the same one of them. Podelski and
//! Rybalchenko, "Transition invariants", LICS 2004.)
//!
//! That `R+` lies in `T` is shown by an inductive argument: [`Pairs`] for each
//! location that paths from the cutpoint reach, closed under the edges. The check
//! adds up Farkas multipliers edge by edge; how the pairs were found does not
//! matter to it.

use std::collections::BTreeMap;

use super::Ranking;
use super::refinement::Tree;
use super::{Edge, Relation, System};
use logic::{Constraint, Farkas, LinearExpr, Var};

/// Why no path passes a cutpoint for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransitionInvariant {
    /// The location.
    pub cutpoint: usize,
    /// How the values at the cutpoint are divided into cases.
    pub cases: Tree,
    /// Where the edges from the cutpoint lead to, by case and position of the edge.
    pub first: Vec<BTreeMap<usize, Succession>>,
    /// Sets of pairs that together contain `R+` from the cutpoint.
    pub pairs: Vec<Pairs>,
}

/// Some pairs of values at the cutpoint and, one or more edges later, values at a
/// location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairs {
    /// The location.
    pub location: usize,
    /// What holds of them. `Var::at(i)` is the value at position `i` of the
    /// cutpoint; behind these stand the values at the location.
    pub constraints: Vec<Constraint>,
    /// Where the edges from the location lead to.
    pub next: BTreeMap<usize, Succession>,
    /// At the cutpoint: what decreases between the two.
    pub ranking: Option<Ranking>,
}

/// What becomes of pairs by one more edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Succession {
    /// They cannot take it.
    Impossible(Farkas),
    /// They become some of other pairs.
    Within {
        /// Which ones, by position.
        pairs: usize,
        /// Proofs of what holds of these, one after the other.
        proofs: Vec<Farkas>,
    },
}

/// What holds along an edge behind some pairs, or behind the cutpoint itself, whose
/// values satisfy `known`: over the values at the cutpoint, then those after the
/// edge, then others.
#[must_use]
pub fn extended(
    system: &System,
    cutpoint: usize,
    (pairs, known): (Option<&Pairs>, &[Constraint]),
    edge: &Edge,
) -> Vec<Constraint> {
    let (n_seeds, n_after) = (system.arities[cutpoint], system.arities[edge.to]);
    let middle = n_seeds + n_after;
    let old = pairs.into_iter().flat_map(|pairs| &pairs.constraints).map(|constraint| {
        constraint.map(|v| {
            let index = v.index();
            LinearExpr::var(if index < n_seeds { v } else { Var::at(index + n_after) })
        })
    });
    let start = if pairs.is_some() { middle } else { 0 };
    let mut names: BTreeMap<Var, Var> = BTreeMap::new();
    names.extend((0..).zip(&edge.relation.pre).map(|(i, v)| (*v, Var::at(start + i))));
    names.extend((0..).zip(&edge.relation.post).map(|(i, v)| (*v, Var::at(n_seeds + i))));
    let mut fresh = middle + edge.relation.pre.len();
    let mut rename = |v: Var| {
        let name = names.entry(v).or_insert_with(|| {
            fresh += 1;
            Var::at(fresh - 1)
        });
        LinearExpr::var(*name)
    };
    let new: Vec<Constraint> =
        edge.relation.constraints.iter().map(|it| it.map(&mut rename)).collect();
    known.iter().cloned().chain(old).chain(new).collect()
}

impl TransitionInvariant {
    /// Whether no path of these edges, a well-formed system's, passes the cutpoint
    /// for ever.
    #[must_use]
    pub fn check(&self, system: &System, edges: &[usize]) -> bool {
        let arity = system.arities.get(self.cutpoint);
        if !arity.is_some_and(|arity| self.cases.is_over(*arity))
            || !self.pairs.iter().all(|it| self.is_fit(system, it))
        {
            return false;
        }
        let goes_on = |from: usize,
                       start: (Option<&Pairs>, &[Constraint]),
                       next: &BTreeMap<usize, Succession>| {
            let leaving = edges.iter().filter(|edge| system.edges[**edge].from == from);
            leaving.into_iter().all(|edge| {
                let premises = extended(system, self.cutpoint, start, &system.edges[*edge]);
                next.get(edge).is_some_and(|succession| {
                    self.is_shown(succession, system.edges[*edge].to, &premises)
                })
            })
        };
        self.cases.cells().into_iter().all(|(case, known)| {
            let first = self.first.get(case);
            first.is_some_and(|first| goes_on(self.cutpoint, (None, &known), first))
        }) && self.pairs.iter().all(|it| goes_on(it.location, (Some(it), &[]), &it.next))
    }

    /// Whether the pairs speak of the right values, and those at the cutpoint are
    /// ranked.
    fn is_fit(&self, system: &System, pairs: &Pairs) -> bool {
        let Some(n_after) = system.arities.get(pairs.location) else { return false };
        let n_values = system.arities[self.cutpoint] + n_after;
        let is_over = |it: &Constraint| it.expr().variables().all(|v| v.index() < n_values);
        pairs.constraints.iter().all(is_over)
            && (pairs.location != self.cutpoint
                || pairs
                    .ranking
                    .as_ref()
                    .is_some_and(|it| it.ranks(&pairs.relation(system, self.cutpoint))))
    }

    fn is_shown(&self, succession: &Succession, location: usize, premises: &[Constraint]) -> bool {
        match succession {
            Succession::Impossible(farkas) => farkas.check(premises, &Constraint::contradiction()),
            Succession::Within { pairs, proofs } => self.pairs.get(*pairs).is_some_and(|pairs| {
                pairs.location == location
                    && pairs.constraints.len() == proofs.len()
                    && pairs
                        .constraints
                        .iter()
                        .zip(proofs)
                        .all(|(it, proof)| proof.check(premises, it))
            }),
        }
    }

    /// The functions of `T`, each once: of two states at the cutpoint, one after
    /// the other, one of these decreases and was not negative.
    pub fn rankings(&self) -> impl Iterator<Item = &Ranking> {
        let all = self.pairs.iter().filter_map(|pairs| pairs.ranking.as_ref());
        let all: Vec<&Ranking> = all.collect();
        let is_new = |position: usize| {
            all[..position].iter().all(|other| other.function != all[position].function)
        };
        let kept: Vec<&Ranking> = (0..all.len())
            .filter(|position| is_new(*position))
            .map(|position| all[position])
            .collect();
        kept.into_iter()
    }
}

impl Pairs {
    /// The pairs as a relation from the values at the cutpoint to those at the
    /// location.
    #[must_use]
    pub fn relation(&self, system: &System, cutpoint: usize) -> Relation {
        let (n_seeds, n_after) = (system.arities[cutpoint], system.arities[self.location]);
        Relation {
            pre: (0..n_seeds).map(Var::at).collect(),
            post: (n_seeds..n_seeds + n_after).map(Var::at).collect(),
            constraints: self.constraints.clone(),
        }
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

#[cfg(test)]
mod tests {
    use super::super::AffineFunction;
    use super::*;
    use logic::Integer;
    use logic::simplex::surely_entails;

    const BEFORE: Var = Var(0);
    const AFTER: Var = Var(1);

    /// One location whose number changes by this, and another one that nothing reaches.
    fn changing(by: i64) -> System {
        let constraints = vec![Constraint::eq(AFTER, LinearExpr::var(BEFORE).add_constant(by))];
        let relation = Relation { pre: vec![BEFORE], post: vec![AFTER], constraints };
        System {
            arities: vec![1, 1],
            edges: vec![Edge { from: 0, to: 0, relation }],
            requirements: Vec::new(),
        }
    }

    fn shown(premises: &[Constraint], claim: &Constraint) -> Farkas {
        surely_entails(premises, claim).unwrap_or_default()
    }

    fn once(succession: Succession) -> BTreeMap<usize, Succession> {
        BTreeMap::from([(0, succession)])
    }

    /// Pairs of which this holds, shown as far as it can be, with the number as measure.
    fn invariant(
        system: &System,
        location: usize,
        constraints: &[Constraint],
    ) -> TransitionInvariant {
        let function = AffineFunction { coefficients: vec![Integer::ONE], constant: Integer::ZERO };
        let decrease = shown(constraints, &Constraint::lt(AFTER, BEFORE));
        let bound = shown(constraints, &Constraint::ge(BEFORE, 0));
        let mut pairs = Pairs {
            location,
            constraints: constraints.to_vec(),
            next: BTreeMap::new(),
            ranking: Some(Ranking { function, decrease, bound }),
        };
        let within = |from: Option<&Pairs>| {
            let premises = extended(system, 0, (from, &[]), &system.edges[0]);
            let proofs = constraints.iter().map(|it| shown(&premises, it)).collect();
            once(Succession::Within { pairs: 0, proofs })
        };
        let first = vec![within(None)];
        pairs.next = within(Some(&pairs));
        TransitionInvariant { cutpoint: 0, cases: Tree::Cell(0), first, pairs: vec![pairs] }
    }

    #[test]
    fn what_does_not_end_has_no_invariant() {
        let (still, falling) = (changing(0), changing(-1));
        let never = [Constraint::contradiction()];
        // Nothing is said, and nothing is ranked.
        assert!(!invariant(&still, 0, &[]).check(&still, &[0]));
        // The pairs are at a location that nothing reaches.
        assert!(!invariant(&still, 1, &[]).check(&still, &[0]));
        // No pair is one of these: that is not shown, or not at all.
        let mut nothing = invariant(&still, 0, &never);
        assert!(!nothing.check(&still, &[0]));
        let silent = once(Succession::Within { pairs: 0, proofs: Vec::new() });
        nothing.first = vec![silent.clone()];
        nothing.pairs[0].next = silent;
        assert!(!nothing.check(&still, &[0]));
        nothing.first = vec![once(Succession::Impossible(Farkas::default()))];
        assert!(!nothing.check(&still, &[0]));
        // The number falls for ever.
        let falls = [Constraint::lt(AFTER, BEFORE)];
        assert!(!invariant(&falling, 0, &falls).check(&falling, &[0]));
    }

    #[test]
    fn what_ends_has_one() {
        let mut falling = changing(-1);
        let positive = Constraint::ge(BEFORE, 0);
        falling.edges[0].relation.constraints.push(positive.clone());
        let right = invariant(&falling, 0, &[Constraint::lt(AFTER, BEFORE), positive]);
        assert!(right.check(&falling, &[0]));
        let mut ends = right;
        ends.pairs[0].next.clear();
        assert!(!ends.check(&falling, &[0]));
    }
}
