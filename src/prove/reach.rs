//! Binary reachability by lazy abstraction: which pairs of values at a cutpoint
//! and later ones there are, in terms of predicates (PLDI'06 §3.3; Henzinger,
//! Jhala, Majumdar and Sutre, POPL 2002; over pairs: Podelski and Rybalchenko,
//! "Transition predicate abstraction", POPL 2005).

use base::budget::Budget;
use descent::Ranking;
use descent::invariant::{Pairs, Succession, TransitionInvariant, extended};
use descent::refinement::Tree;
use descent::{AffineFunction, System};
use logic::Constraint;
use logic::simplex::{surely_entails, surely_unsat};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// More sets of pairs than this are not distinguished.
const MOST_PAIRS: usize = 160;
/// By more conditions than this the values at the cutpoint are not divided.
const MOST_SPLITS: usize = 3;

/// What pairs are described by, for each location, over the values at the cutpoint
/// and then those at the location.
#[derive(Clone, Debug, Default)]
pub(super) struct Predicates {
    at: BTreeMap<usize, Vec<Constraint>>,
    /// Conditions on the values at the cutpoint, which divide these into cases.
    splits: Vec<Constraint>,
}

impl Predicates {
    /// Whether the predicate says something and was not known.
    pub(super) fn add(&mut self, location: usize, predicate: Constraint) -> bool {
        let known = self.at.entry(location).or_default();
        let is_new =
            !predicate.is_trivial() && !predicate.is_contradiction() && !known.contains(&predicate);
        if is_new {
            known.push(predicate);
        }
        is_new
    }

    /// Divides the values at the cutpoint by a condition, unless that has been done or
    /// there are many cases.
    pub(super) fn split(&mut self, condition: Constraint) -> bool {
        let is_new = !self.splits.contains(&condition)
            && self.splits.len() < MOST_SPLITS
            && condition.negate().is_some();
        if is_new {
            self.splits.push(condition);
        }
        is_new
    }

    /// What holds in a case, by the numbers of [`Predicates::cases`].
    pub(super) fn known_in(&self, case: usize) -> Vec<Constraint> {
        let sides = self.splits.iter().enumerate();
        let sides = sides.filter_map(|(position, condition)| {
            let holds = case >> position & 1 == 0;
            if holds { Some(condition.clone()) } else { condition.negate() }
        });
        sides.collect()
    }

    /// A case for each way in which the conditions hold or not.
    fn cases(&self) -> Cases {
        let n_cases = 1 << self.splits.len();
        let mut trees: Vec<Tree> = (0..n_cases).map(Tree::Cell).collect();
        for condition in self.splits.iter().rev() {
            let fails = trees.split_off(trees.len() / 2);
            let halves = trees.into_iter().zip(fails);
            let join = |(holds, fails)| Tree::Split {
                condition: condition.clone(),
                holds: Box::new(holds),
                fails: Box::new(fails),
            };
            trees = halves.map(join).collect();
        }
        let tree = trees.pop().unwrap_or(Tree::Cell(0));
        (tree, (0..n_cases).map(|case| self.known_in(case)).collect())
    }

    fn at(&self, location: usize) -> &[Constraint] {
        self.at.get(&location).map_or(&[], Vec::as_slice)
    }
}

/// How an exploration ended.
pub(super) enum Explored<'a> {
    /// All pairs at the cutpoint satisfy the claims of some relation.
    Within(Reached<'a>),
    /// Those of this way back, by its edges, may not, if it starts in this case.
    Outside(Vec<usize>, usize),
}

/// A part of the system, the cutpoint, and for each relation of `T` what holds of
/// its pairs.
type Question<'a> = (&'a [usize], usize, &'a [[Constraint; 2]]);

/// The cases of values at the cutpoint, with what holds in each.
type Cases = (Tree, Vec<Vec<Constraint>>);

/// Where an edge starts.
#[derive(Clone, Copy)]
enum From {
    /// At the cutpoint, in a case.
    Case(usize),
    /// Behind a set of pairs.
    Pairs(usize),
}

/// The sets of pairs that were found.
pub(super) struct Reached<'a> {
    system: &'a System,
    cutpoint: usize,
    cases: Cases,
    first: Vec<BTreeMap<usize, Succession>>,
    pairs: Vec<Pairs>,
    /// The predicates that hold of each set, by position at its location.
    known: Vec<BTreeSet<usize>>,
    /// Which set each one came from, and by which edge.
    origins: Vec<(From, usize)>,
}

/// Explores the pairs. Nothing when there are too many.
pub(super) fn reach<'a>(
    system: &'a System,
    (part, cutpoint, claims): Question<'_>,
    predicates: &Predicates,
    effort: &mut Budget,
) -> Option<Explored<'a>> {
    let n_cases = 1 << predicates.splits.len();
    let mut reached = Reached {
        system,
        cutpoint,
        first: vec![BTreeMap::new(); n_cases],
        cases: predicates.cases(),
        pairs: Vec::new(),
        known: Vec::new(),
        origins: Vec::new(),
    };
    let mut open: VecDeque<From> = (0..n_cases).map(From::Case).collect();
    while let Some(at) = open.pop_front() {
        let location = match at {
            From::Case(_) => cutpoint,
            From::Pairs(at) => reached.pairs[at].location,
        };
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
                let (path, case) = reached.path_to(n_before);
                return Some(Explored::Outside(path, case));
            }
            open.push_back(From::Pairs(n_before));
        }
    }
    Some(Explored::Within(reached))
}

impl Reached<'_> {
    /// Takes one more edge. What is reached so is new unless all that holds of
    /// other pairs holds of it.
    fn extend(
        &mut self,
        at: From,
        edge: usize,
        predicates: &Predicates,
        effort: &mut Budget,
    ) -> Option<()> {
        let start = match at {
            From::Case(case) => (None, self.cases.1[case].as_slice()),
            From::Pairs(at) => (Some(&self.pairs[at]), &[][..]),
        };
        let premises = extended(self.system, self.cutpoint, start, &self.system.edges[edge]);
        let location = self.system.edges[edge].to;
        let all = predicates.at(location);
        effort.spend((premises.len() * (1 + all.len())) as u64).ok()?;
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
            From::Pairs(at) => &mut self.pairs[at].next,
            From::Case(case) => &mut self.first[case],
        };
        next.insert(edge, succession);
        Some(())
    }

    /// The pairs of which these predicates, or fewer, hold.
    fn described_by<T>(
        &mut self,
        location: usize,
        all: &[Constraint],
        origin: (From, usize),
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

    /// The edges that led to a set of pairs first, and the case they started in.
    fn path_to(&self, pairs: usize) -> (Vec<usize>, usize) {
        let mut edges = Vec::new();
        let mut at = pairs;
        loop {
            let (origin, edge) = self.origins[at];
            edges.push(edge);
            match origin {
                From::Pairs(before) => at = before,
                From::Case(case) => {
                    edges.reverse();
                    return (edges, case);
                }
            }
        }
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
        let (cases, _) = self.cases;
        Some(TransitionInvariant { cutpoint, cases, first: self.first, pairs: self.pairs })
    }
}
