//! Closed sets of several loops at one place: in the set some loop can always be taken, and
//! all that are taken lead back into it.
//!
//! The search mends a set until it is closed (Chen, Cook, Fuhs, Nimkar, O'Hearn, TACAS 2014,
//! mend programs in the same way): where no loop can be taken, a condition is added of
//! one that almost could; where a loop leads out, what would keep it inside.

use super::loops::Loop;
use base::budget::Budget;
use logic::Constraint;
use logic::simplex::{Premises, is_surely_entailed, is_surely_unsat};

/// How many conditions are added.
const MAX_MENDED: usize = 5;
/// How many loops are looked at together.
pub(super) const MAX_LOOPS: usize = 24;
/// How large a set may become.
const MAX_CONSTRAINTS: usize = 40;
/// How many questions a rule asks before it knows the way.
const MAX_QUESTIONS: usize = 10;

/// Which loop is next, by its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    Ask(Constraint, Box<Tree>, Box<Tree>),
    Take(usize),
}

impl Tree {
    /// The loops that it takes.
    pub(super) fn taken(&self) -> Vec<usize> {
        match self {
            Self::Take(index) => vec![*index],
            Self::Ask(_, yes, no) => [yes.taken(), no.taken()].concat(),
        }
    }
}

/// A set that is closed under some loops.
#[derive(Clone, Debug)]
pub(super) struct Closed {
    pub(super) set: Vec<Constraint>,
    pub(super) tree: Tree,
}

pub(super) struct Search<'a> {
    pub(super) loops: &'a [Loop],
    /// Whether a set may be entered.
    pub(super) is_entered: &'a mut dyn FnMut(&[Constraint]) -> bool,
    /// What is done with a closed set; the search ends when this says so.
    pub(super) found: &'a mut dyn FnMut(Closed) -> bool,
    /// How many sets are still looked at.
    pub(super) n_left: usize,
}

impl Search<'_> {
    /// Mends the set until it is closed, in all ways that are likely. Tells whether the search
    /// has ended with success.
    pub(super) fn mend(
        &mut self,
        set: Vec<Constraint>,
        n_mended: usize,
        budget: &mut Budget,
    ) -> bool {
        if self.n_left == 0 || budget.spend(20).is_err() {
            return false;
        }
        self.n_left -= 1;
        if is_surely_unsat(&set) || !(self.is_entered)(&set) {
            return false;
        }
        let mut repairs = Vec::new();
        let mut n_questions = 0;
        if let Some(tree) = self.cover(&set, &set, 0, &mut n_questions, &mut repairs) {
            return (self.found)(Closed { set, tree });
        }
        if n_mended >= MAX_MENDED || set.len() >= MAX_CONSTRAINTS {
            return false;
        }
        let mut tried: Vec<Vec<Constraint>> = Vec::new();
        for repair in repairs {
            if tried.contains(&repair) {
                continue;
            }
            let mended = [set.as_slice(), &repair].concat();
            tried.push(repair);
            if self.mend(mended, n_mended + 1, budget) {
                return true;
            }
        }
        false
    }

    /// Which of the loops from `first` on to take in a region of the set. Where there is none,
    /// what might mend the set.
    fn cover(
        &self,
        set: &[Constraint],
        region: &[Constraint],
        first: usize,
        n_questions: &mut usize,
        repairs: &mut Vec<Vec<Constraint>>,
    ) -> Option<Tree> {
        for (index, it) in self.loops.iter().enumerate().skip(first) {
            // A question that has one answer is none.
            let (mut taken, mut missing) = (region.to_vec(), Vec::new());
            for guard in it.guards.iter().flat_map(Constraint::inequalities) {
                if !is_surely_entailed(&taken, &guard) {
                    taken.push(guard.clone());
                    missing.push(guard);
                }
            }
            if is_surely_unsat(&taken) {
                continue;
            }
            let premises = Premises::new(&taken);
            let lost: Vec<Constraint> = set
                .iter()
                .map(|kept| it.before(kept))
                .filter(|after| !premises.surely_entail(after))
                .collect();
            if !lost.is_empty() {
                if !lost.iter().any(Constraint::is_contradiction) {
                    repairs.push(lost);
                }
                continue;
            }
            *n_questions += missing.len();
            if *n_questions > MAX_QUESTIONS {
                return None;
            }
            let mut tree = Tree::Take(index);
            for (position, guard) in missing.iter().enumerate().rev() {
                let negation = guard.negate()?;
                let other = [region, &missing[..position], &[negation]].concat();
                let Some(no) = self.cover(set, &other, index + 1, n_questions, repairs) else {
                    repairs.push(vec![guard.clone()]);
                    return None;
                };
                tree = Tree::Ask(guard.clone(), Box::new(tree), Box::new(no));
            }
            return Some(tree);
        }
        None
    }
}

/// What all of the loops need.
pub(super) fn common(loops: &[Loop]) -> Vec<Constraint> {
    let mut common: Vec<Constraint> = Vec::new();
    for guard in loops.iter().flat_map(|it| &it.guards) {
        let is_needed =
            |it: &Loop| it.guards.contains(guard) || is_surely_entailed(&it.guards, guard);
        if !common.contains(guard) && loops.iter().all(is_needed) {
            common.push(guard.clone());
        }
    }
    common
}
