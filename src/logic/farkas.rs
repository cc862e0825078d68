//! Certificates of unsatisfiability and entailment, and their exact check.
//!
//! The check adds up what the certificate says and looks at the sum. It shares
//! no code with the search (`simplex`, `tableau`), only expressions and numbers.

use super::linear::{Constraint, LinearExpr, Relation};
use super::number::Integer;

/// A linear combination of lines: their positions with integer multipliers,
/// which are not negative for inequalities.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Combination(pub Vec<(usize, Integer)>);

/// A refutation of a list of constraints (the lines).
///
/// Farkas' lemma with cuts (Gomory, Chvátal): each cut is a combination of
/// earlier lines, divided by the divisor of its coefficients with its constant
/// rounded, and is appended to the lines; the last combination is a visible
/// contradiction such as `1 <= 0`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Refutation {
    /// The lines that are appended, in order.
    pub cuts: Vec<Combination>,
    /// The combination that is false.
    pub last: Combination,
}

/// Evidence that premises entail a conclusion over the integers: for each
/// inequality of the conclusion, a refutation of the premises together with the
/// inequality's negation (which is the line after the premises).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Farkas {
    /// One refutation per inequality of the conclusion.
    pub refutations: Vec<Refutation>,
}

impl Farkas {
    /// Whether this proves that every integer solution of the premises
    /// satisfies the conclusion. For unsatisfiable premises the conclusion is
    /// [`Constraint::contradiction`].
    #[must_use]
    pub fn check(&self, premises: &[Constraint], conclusion: &Constraint) -> bool {
        if conclusion.is_trivial() {
            return true;
        }
        let parts = conclusion.inequalities();
        parts.len() == self.refutations.len()
            && parts.iter().zip(&self.refutations).all(|(part, refutation)| {
                part.negate().is_some_and(|negation| refutation.check(premises, &negation))
            })
    }
}

impl Refutation {
    /// Craig interpolants by Farkas multipliers (McMillan, TCS 2005; Rybalchenko and
    /// Sofronie-Stokkermans, VMCAI 2007): for each number of lines, what those first
    /// lines contribute to the contradiction. It follows from them, contradicts the
    /// others, and has only variables that both have. Nothing when the refutation
    /// needs cuts.
    #[must_use]
    pub fn interpolants(&self, lines: &[Constraint], ends: &[usize]) -> Option<Vec<Constraint>> {
        // An inequality even where only equalities contribute: it says no more than
        // the contradiction needs.
        let contribution = |end: &usize| {
            let first = self.last.0.iter().filter(|(position, _)| position < end);
            let mut sum =
                first.map(|(position, number)| Some(lines.get(*position)?.expr().scale(number)));
            let sum = sum.try_fold(LinearExpr::zero(), |all, it| Some(all + it?))?;
            Some(Constraint::at_most_zero(sum))
        };
        if self.cuts.is_empty() { ends.iter().map(contribution).collect() } else { None }
    }

    /// Whether the premises and `assumption` are shown to have no common
    /// integer solution.
    #[must_use]
    pub fn check(&self, premises: &[Constraint], assumption: &Constraint) -> bool {
        let mut lines: Vec<&Constraint> = premises.iter().collect();
        lines.push(assumption);
        let mut derived = Vec::with_capacity(self.cuts.len());
        for cut in &self.cuts {
            let sum = {
                let line = |position: usize| line_at(&lines, &derived, position);
                cut.sum(&line)
            };
            match sum {
                Some(constraint) => derived.push(constraint),
                None => return false,
            }
        }
        let line = |position: usize| line_at(&lines, &derived, position);
        self.last.sum(&line).is_some_and(|constraint| constraint.is_contradiction())
    }
}

fn line_at<'a>(
    lines: &[&'a Constraint],
    derived: &'a [Constraint],
    position: usize,
) -> Option<&'a Constraint> {
    match lines.get(position) {
        Some(line) => Some(line),
        None => derived.get(position - lines.len()),
    }
}

impl Combination {
    /// The constraint that is the sum, in normal form: an equality when only
    /// equalities are added. Nothing when a position is out of range or the
    /// multiplier of an inequality is negative.
    fn sum<'a>(&self, line: &impl Fn(usize) -> Option<&'a Constraint>) -> Option<Constraint> {
        let mut sum = LinearExpr::zero();
        let mut relation = Relation::Equal;
        for (position, multiplier) in &self.0 {
            let constraint = line(*position)?;
            if constraint.relation() == Relation::AtMost {
                if multiplier.is_negative() {
                    return None;
                }
                relation = Relation::AtMost;
            }
            sum = sum + constraint.expr().scale(multiplier);
        }
        Some(Constraint::new(relation, sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Var;

    fn x() -> LinearExpr {
        LinearExpr::var(Var(0))
    }

    /// Whether the sum of these multiples refutes `premise` and `assumption`.
    fn refutes(premise: &Constraint, assumption: &Constraint, multiples: [i64; 2]) -> bool {
        let lines = multiples.into_iter().map(Integer::from).enumerate();
        let last = Combination(lines.collect());
        let refutation = Refutation { cuts: Vec::new(), last };
        refutation.check(std::slice::from_ref(premise), assumption)
    }

    #[test]
    fn inequalities_are_not_turned_round() {
        let (low, high) = (Constraint::le(x(), 0), Constraint::ge(x(), 1));
        assert!(refutes(&low, &high, [1, 1]));
        assert!(!refutes(&low, &high, [1, 0]));
        // What is left of these is 5 <= 0, by a multiple that is negative.
        assert!(!refutes(&Constraint::le(x(), 5), &low, [-1, 1]));
        assert!(refutes(&Constraint::eq(x(), 1), &low, [-1, 1]));
    }

    #[test]
    fn inequalities_add_up_to_inequalities() {
        // The sum is -1 <= 0, which is true, and not -1 = 0.
        assert!(!refutes(&Constraint::le(x(), 1), &Constraint::ge(x(), 0), [1, 1]));
        assert!(!refutes(&Constraint::eq(x(), 1), &Constraint::ge(x(), 0), [1, 1]));
    }

    #[test]
    fn both_sides_of_an_equality_are_shown() {
        let premises = [Constraint::le(x(), 0)];
        let side = Refutation {
            cuts: Vec::new(),
            last: Combination(vec![(0, Integer::ONE), (1, Integer::ONE)]),
        };
        let half = Farkas { refutations: vec![side] };
        assert!(half.check(&premises, &Constraint::le(x(), 0)));
        assert!(!half.check(&premises, &Constraint::eq(x(), 0)));
    }
}
