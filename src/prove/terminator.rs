//! TERMINATOR (Cook, Podelski, Rybalchenko, "Termination proofs for systems
//! code", PLDI 2006), on the transition system that the analysis leaves behind.
//!
//! | paper | here |
//! |---|---|
//! | Fig. 2: `T := ∅`, counterexample, `T := T ∪ W` | `Query::answer` |
//! | §3.2, Fig. 6: the copy of a state at the cutpoint | the first variables of `descent::invariant::Pairs` |
//! | §3.3: safety check by lazy abstraction | `prove::reach` |
//! | §3.4: lassos and their relations | `prove::path` |
//! | beyond the paper: ways back with several phases | `Query::divide` |
//! | §4.1: one cutpoint at a time | `Query` |
//! | §4.3: not beyond the exits of a loop | only edges of one cyclic part |
//! | §4.4: weak binary reachability | edges know what the abstract states at their starts know, no more of the stem |
//!
//! It is the fallback where neither lexicographic tuples nor a division into cells
//! rank the system. The answer is evidence that `descent::invariant` checks.

use super::path::Path;
use super::reach::{Explored, Predicates, reach};
use base::budget::Budget;
use descent::invariant::TransitionInvariant;
use descent::{AffineFunction, Certificate, System};
use logic::{Constraint, LinearExpr, Var};
use rank::RankingTemplate as _;
use rank::affine::rank_relation;
use rank::multiphase::Multiphase;

/// How often the abstraction of one query is refined.
const MOST_REFINEMENTS: usize = 24;
/// More ranking relations of one cutpoint than this are not collected.
const MOST_RELATIONS: usize = 8;
/// A larger cyclic part is left alone.
const MOST_EDGES: usize = 60;

/// Completes a ranking whose components leave the cyclic parts `stuck`, by
/// transition invariants of cutpoints there. The effort is at most
/// [`TRANSITION_INVARIANT_UNITS`](base::limits::TRANSITION_INVARIANT_UNITS).
#[must_use]
pub fn complete(
    system: &System,
    ranking: Certificate,
    stuck: Vec<Vec<usize>>,
    effort: &mut Budget,
) -> Option<Certificate> {
    let mut ranking = ranking;
    let mut open = stuck;
    while let Some(part) = open.pop() {
        let invariant = cut(system, &part, effort)?;
        let stays = |edge: &usize| system.edges[*edge].from != invariant.cutpoint;
        let rest: Vec<usize> = part.iter().copied().filter(stays).collect();
        open.extend(system.cycles(&rest));
        ranking.invariants.push(invariant);
    }
    Some(ranking)
}

/// A transition invariant of some location of a cyclic part.
fn cut(system: &System, part: &[usize], effort: &mut Budget) -> Option<TransitionInvariant> {
    if part.len() > MOST_EDGES {
        return None;
    }
    let mut cutpoints: Vec<usize> = part.iter().map(|edge| system.edges[*edge].from).collect();
    cutpoints.sort_unstable();
    cutpoints.dedup();
    cutpoints.into_iter().find_map(|cutpoint| Query::new(system, part, cutpoint).answer(effort))
}

/// The question whether every way from a cutpoint back to it is ranked.
struct Query<'a> {
    system: &'a System,
    /// The edges that count.
    part: &'a [usize],
    cutpoint: usize,
    /// `T`: of two states at the cutpoint, one of these decreases.
    relations: Vec<AffineFunction>,
    predicates: Predicates,
}

impl<'a> Query<'a> {
    fn new(system: &'a System, part: &'a [usize], cutpoint: usize) -> Self {
        let (relations, predicates) = (Vec::new(), Predicates::default());
        Self { system, part, cutpoint, relations, predicates }
    }

    /// Fig. 2 of the paper: `T` grows by a ranking relation for each way back that
    /// is not in it, until there is none.
    fn answer(mut self, effort: &mut Budget) -> Option<TransitionInvariant> {
        for _ in 0..MOST_REFINEMENTS {
            let claims: Vec<[Constraint; 2]> =
                self.relations.iter().map(|function| self.claims(function)).collect();
            let question = (self.part, self.cutpoint, claims.as_slice());
            match reach(self.system, question, &self.predicates, effort)? {
                Explored::Within(reached) => return reached.evidence(&self.relations),
                Explored::Outside(path, case) => self.learn(&path, case)?,
            }
        }
        None
    }

    /// `f(t) <= f(s) - 1` and `0 <= f(s)`, over the values of s and then of t.
    fn claims(&self, function: &AffineFunction) -> [Constraint; 2] {
        let arity = self.system.arities[self.cutpoint];
        let before: Vec<Var> = (0..arity).map(Var::at).collect();
        let after: Vec<Var> = (arity..2 * arity).map(Var::at).collect();
        let (before, after) = (function.of(&before), function.of(&after));
        [Constraint::lt(after, &before), Constraint::ge(before, LinearExpr::zero())]
    }

    /// Refines `T` or the predicates, so that this way back is not met again.
    /// Nothing when it may be repeated for ever, or nothing new was learnt.
    fn learn(&mut self, edges: &[usize], case: usize) -> Option<()> {
        let path = Path::new(self.system, edges, &self.predicates.known_in(case));
        let new = if path.is_impossible() {
            path.interpolants(&Constraint::contradiction())
        } else if let Some(claims) = self.claims_of(&path) {
            claims.iter().flat_map(|claim| path.interpolants(claim)).collect()
        } else {
            return self.divide(&path);
        };
        let mut is_new = false;
        for (location, predicate) in new {
            is_new |= self.predicates.add(location, predicate);
        }
        is_new.then_some(())
    }

    /// For a way back that can be repeated in phases only: each phase has a ranking
    /// relation, and is a case of its own (nested functions, `rank::multiphase`).
    fn divide(&mut self, path: &Path) -> Option<()> {
        let loops = System::repeating([path.relation()]);
        let mut certificate = Multiphase.rank(&loops)?;
        let phases = certificate.components.pop()?.functions.remove(&0)?;
        let (_, earlier) = phases.split_last()?;
        let mut is_new = false;
        for phase in earlier {
            let [_, bound] = self.claims(phase);
            is_new |= self.predicates.split(bound);
        }
        self.relations.extend(phases);
        (is_new && self.relations.len() <= MOST_RELATIONS).then_some(())
    }

    /// A ranking relation that contains the path: one of `T`, or a new one.
    fn claims_of(&mut self, path: &Path) -> Option<[Constraint; 2]> {
        let relation = path.relation();
        let known = self.relations.iter().map(|function| self.claims(function));
        if let Some(claims) = known.into_iter().find(|claims| path.entails(claims)) {
            return Some(claims);
        }
        let function = rank_relation(&relation)?.function;
        if self.relations.len() >= MOST_RELATIONS || self.relations.contains(&function) {
            return None;
        }
        let claims = self.claims(&function);
        self.relations.push(function);
        Some(claims)
    }
}

#[cfg(test)]
#[path = "terminator_tests.rs"]
mod tests;
