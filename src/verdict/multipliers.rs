//! Implications between numbers: carried multipliers are added up, never searched.
//!
//! The check of an argument asks for implications in a fixed order. [`Carried`]
//! answers from the multipliers that the argument carries. The prover runs the same
//! check with [`Found`], which searches them; so it knows what is asked for.

use logic::farkas::{Combination, Refutation};
use logic::{Constraint, Farkas, Integer, simplex};
use std::slice::Iter;

/// Tells whether premises imply a conclusion over the integers.
pub trait Multipliers {
    /// Whether the premises are shown to imply the conclusion.
    fn show(&mut self, premises: &[Constraint], conclusion: &Constraint) -> bool;

    /// The same, where the check goes on if they are not: an argument says so with a proof that
    /// proves nothing.
    fn try_to_show(&mut self, premises: &[Constraint], conclusion: &Constraint) -> bool;
}

/// Multipliers that an argument carries: one proof a question, in order.
pub struct Carried<'a>(Iter<'a, Farkas>);

impl<'a> Carried<'a> {
    /// These multipliers.
    #[must_use]
    pub fn new(proofs: &'a [Farkas]) -> Self {
        Self(proofs.iter())
    }

    /// Whether all of them were used.
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        self.0.len() == 0
    }
}

impl Multipliers for Carried<'_> {
    fn show(&mut self, premises: &[Constraint], conclusion: &Constraint) -> bool {
        conclusion.is_trivial()
            || self.0.next().is_some_and(|proof| proof.check(premises, conclusion))
    }

    fn try_to_show(&mut self, premises: &[Constraint], conclusion: &Constraint) -> bool {
        self.show(premises, conclusion)
    }
}

/// Multipliers found by search.
#[derive(Debug, Default)]
pub struct Found(pub Vec<Farkas>);

impl Multipliers for Found {
    fn show(&mut self, premises: &[Constraint], conclusion: &Constraint) -> bool {
        if conclusion.is_trivial() {
            return true;
        }
        let found =
            at_hand(premises, conclusion).or_else(|| simplex::surely_entails(premises, conclusion));
        found.map(|proof| self.0.push(proof)).is_some()
    }

    fn try_to_show(&mut self, premises: &[Constraint], conclusion: &Constraint) -> bool {
        let is_shown = self.show(premises, conclusion);
        if !is_shown {
            self.0.push(Farkas { refutations: Vec::new() });
        }
        is_shown
    }
}

/// A proof from a single premise for each inequality, if there is one: most of what
/// is asked was known before.
fn at_hand(premises: &[Constraint], conclusion: &Constraint) -> Option<Farkas> {
    let refutation = |part: &Constraint| {
        let negation = premises.len();
        let says = |(position, premise): (usize, &Constraint)| {
            let (terms, wanted) = (premise.expr().terms(), part.expr().terms());
            let (bound, least) = (premise.expr().constant_part(), part.expr().constant_part());
            if terms == wanted && bound >= least {
                return Some((position, Integer::ONE));
            }
            let is_opposed = premise.is_equality() && premise.expr().is_opposed_to(part.expr());
            (is_opposed && -bound >= *least).then(|| (position, -Integer::ONE))
        };
        let used = premises.iter().enumerate().find_map(says)?;
        let last = Combination(vec![used, (negation, Integer::ONE)]);
        Some(Refutation { cuts: Vec::new(), last })
    };
    let refutations: Option<Vec<Refutation>> =
        conclusion.inequalities().iter().map(refutation).collect();
    Some(Farkas { refutations: refutations? })
}
