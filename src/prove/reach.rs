//! Binary reachability by lazy abstraction: which pairs of values at a cutpoint
//! and later ones there are, in terms of predicates (PLDI'06 §3.3; Henzinger,
//! Jhala, Majumdar and Sutre, POPL 2002; over pairs: Podelski and Rybalchenko,
//! "Transition predicate abstraction", POPL 2005).

use crate::logic::Constraint;
use crate::logic::simplex::{surely_entails, surely_unsat};
use crate::rank::affine::Ranking;
use crate::rank::invariant::{Pairs, Succession, TransitionInvariant, extended};
use crate::rank::{AffineFunction, System};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// More sets of pairs than this are not distinguished.
const MOST_PAIRS: usize = 160;

/// What pairs are described by, for each location, over the values at the cutpoint
/// and then those at the location.
#[derive(Clone, Debug, Default)]
pub(super) struct Predicates(BTreeMap<usize, Vec<Constraint>>);

impl Predicates {
    /// Whether the predicate says something and was not known.
    pub(super) fn add(&mut self, location: usize, predicate: Constraint) -> bool {
        let known = self.0.entry(location).or_default();
        let is_new =
            !predicate.is_trivial() && !predicate.is_contradiction() && !known.contains(&predicate);
        if is_new {
            known.push(predicate);
        }
        is_new
    }

    fn at(&self, location: usize) -> &[Constraint] {
        self.0.get(&location).map_or(&[], Vec::as_slice)
    }
}

/// How an exploration ended.
pub(super) enum Explored<'a> {
    /// All pairs at the cutpoint satisfy the claims of some relation.
    Within(Reached<'a>),
    /// Those of this way back, by its edges, may not.
    Outside(Vec<usize>),
}

/// A part of the system, the cutpoint, and for each relation of `T` what holds of
/// its pairs.
type Question<'a> = (&'a [usize], usize, &'a [[Constraint; 2]]);

/// The sets of pairs that were found.
pub(super) struct Reached<'a> {
    system: &'a System,
    cutpoint: usize,
    first: BTreeMap<usize, Succession>,
    pairs: Vec<Pairs>,
    /// The predicates that hold of each set, by position at its location.
    known: Vec<BTreeSet<usize>>,
    /// Which set each one came from, and by which edge.
    origins: Vec<(Option<usize>, usize)>,
}

/// Explores the pairs. Nothing when there are too many.
pub(super) fn reach<'a>(
    system: &'a System,
    (part, cutpoint, claims): Question<'_>,
    predicates: &Predicates,
    effort: &mut usize,
) -> Option<Explored<'a>> {
    let mut reached = Reached {
        system,
        cutpoint,
        first: BTreeMap::new(),
        pairs: Vec::new(),
        known: Vec::new(),
        origins: Vec::new(),
    };
    let mut open: VecDeque<Option<usize>> = VecDeque::from([None]);
    while let Some(at) = open.pop_front() {
        let location = at.map_or(cutpoint, |at| reached.pairs[at].location);
        for edge in part.iter().copied().filter(|edge| system.edges[*edge].from == location) {
            let n_before = reached.pairs.len();
            reached.extend(at, edge, predicates, effort)?;
            if reached.pairs.len() == n_before {
                continue;
            }
            if n_before >= MOST_PAIRS {
                return None;
            }
            let new = &reached.pairs[n_before];
            let is_ranked = |[decrease, bound]: &[Constraint; 2]| {
                new.constraints.contains(decrease)
                    && (bound.is_trivial() || new.constraints.contains(bound))
            };
            if new.location == cutpoint && !claims.iter().any(is_ranked) {
                return Some(Explored::Outside(reached.path_to(n_before)));
            }
            open.push_back(Some(n_before));
        }
    }
    Some(Explored::Within(reached))
}

impl Reached<'_> {
    /// Takes one more edge. What is reached so is new unless all that holds of
    /// other pairs holds of it.
    fn extend(
        &mut self,
        at: Option<usize>,
        edge: usize,
        predicates: &Predicates,
        effort: &mut usize,
    ) -> Option<()> {
        let start = at.map(|at| &self.pairs[at]);
        let premises = extended(self.system, self.cutpoint, start, &self.system.edges[edge]);
        let location = self.system.edges[edge].to;
        let all = predicates.at(location);
        *effort = effort.checked_sub(premises.len() * (1 + all.len()))?;
        let succession = match surely_unsat(&premises) {
            Some(farkas) => Succession::Impossible(farkas),
            None => {
                let proofs = all.iter().enumerate();
                let proofs = proofs.filter_map(|(position, predicate)| {
                    Some((position, surely_entails(&premises, predicate)?))
                });
                let proofs: BTreeMap<usize, _> = proofs.collect();
                let pairs = self.described_by(location, all, (at, edge), &proofs);
                let used = self.known[pairs].iter().filter_map(|it| proofs.get(it));
                Succession::Within { pairs, proofs: used.cloned().collect() }
            }
        };
        let next = match at {
            Some(at) => &mut self.pairs[at].next,
            None => &mut self.first,
        };
        next.insert(edge, succession);
        Some(())
    }

    /// The pairs of which these predicates, or fewer, hold.
    fn described_by<T>(
        &mut self,
        location: usize,
        all: &[Constraint],
        origin: (Option<usize>, usize),
        holding: &BTreeMap<usize, T>,
    ) -> usize {
        let known = self.pairs.iter().zip(&self.known).position(|(pairs, known)| {
            pairs.location == location && known.iter().all(|it| holding.contains_key(it))
        });
        known.unwrap_or_else(|| {
            self.known.push(holding.keys().copied().collect());
            let constraints = holding.keys().map(|position| all[*position].clone()).collect();
            self.pairs.push(Pairs { location, constraints, next: BTreeMap::new(), ranking: None });
            self.origins.push(origin);
            self.pairs.len() - 1
        })
    }

    /// The edges that led to a set of pairs first.
    fn path_to(&self, pairs: usize) -> Vec<usize> {
        let mut edges = Vec::new();
        let mut at = Some(pairs);
        while let Some((origin, edge)) = at.and_then(|at| self.origins.get(at)) {
            edges.push(*edge);
            at = *origin;
        }
        edges.reverse();
        edges
    }

    /// The pairs as evidence, those at the cutpoint each ranked by one of these
    /// functions.
    pub(super) fn evidence(mut self, functions: &[AffineFunction]) -> Option<TransitionInvariant> {
        let (system, cutpoint) = (self.system, self.cutpoint);
        for pairs in self.pairs.iter_mut().filter(|pairs| pairs.location == cutpoint) {
            let relation = pairs.relation(system, cutpoint);
            let ranking = |function: &AffineFunction| {
                let (before, after) = (function.of(&relation.pre), function.of(&relation.post));
                let known = &relation.constraints;
                let decrease = surely_entails(known, &Constraint::lt(after, &before))?;
                let bound = surely_entails(known, &Constraint::ge(before, 0))?;
                Some(Ranking { function: function.clone(), decrease, bound })
            };
            pairs.ranking = Some(functions.iter().find_map(ranking)?);
        }
        Some(TransitionInvariant { cutpoint, first: self.first, pairs: self.pairs })
    }
}
