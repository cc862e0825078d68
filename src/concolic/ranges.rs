//! What decisions say of single numbers: that most branches lead nowhere is seen by that alone.

use super::inputs::range_of;
use super::shadow::{Choice, Decision, Symbol};
use logic::{Constraint, Integer, Var};
use std::collections::{BTreeMap, BTreeSet};

/// The least and the greatest number that each symbol may be.
pub(super) struct Ranges<'a> {
    choices: &'a [Choice],
    known: BTreeMap<Var, (Integer, Integer)>,
    /// What single numbers are not equal to.
    excluded: BTreeSet<Constraint>,
}

impl<'a> Ranges<'a> {
    /// What the types of these choices say.
    pub(super) fn of_types(choices: &'a [Choice]) -> Self {
        Self { choices, known: BTreeMap::new(), excluded: BTreeSet::new() }
    }

    fn of(&self, symbol: Var) -> Option<(Integer, Integer)> {
        let of_type = || match Symbol::of(symbol) {
            Symbol::Choice(index) => {
                let (low, high) = range_of(self.choices.get(index)?.ty);
                Some((low.into(), high.into()))
            }
            Symbol::Entry(_) | Symbol::Reduction(_) => None,
        };
        self.known.get(&symbol).cloned().or_else(of_type)
    }

    /// Whether some numbers in the ranges satisfy the constraint, as far as each of them by
    /// itself says.
    pub(super) fn allow(&self, constraint: &Constraint) -> bool {
        let constant = constraint.expr().constant_part().clone();
        let (mut least, mut greatest) = (constant.clone(), constant);
        for (symbol, factor) in constraint.expr().terms() {
            let Some((low, high)) = self.of(*symbol) else { return true };
            let (low, high) = if factor.is_negative() { (high, low) } else { (low, high) };
            least += factor * &low;
            greatest += factor * &high;
        }
        let is_missed = least.is_positive() || (constraint.is_equality() && greatest.is_negative());
        !is_missed && !self.excluded.contains(constraint)
    }

    /// The decision was made, from now on.
    pub(super) fn decide(&mut self, decision: &Decision) {
        if decision.is_disequality() {
            self.excluded.extend(decision.alternatives.first().cloned());
        } else {
            self.assume(&decision.constraint);
        }
    }

    /// The constraint holds from now on.
    fn assume(&mut self, constraint: &Constraint) {
        let [(symbol, factor)] = constraint.expr().terms() else { return };
        let Some((mut low, mut high)) = self.of(*symbol).filter(|_| factor.abs().is_one()) else {
            return;
        };
        let bound = -(factor * constraint.expr().constant_part());
        if constraint.is_equality() || !factor.is_negative() {
            high = high.min(bound.clone());
        }
        if constraint.is_equality() || factor.is_negative() {
            low = low.max(bound);
        }
        self.known.insert(*symbol, (low, high));
    }
}

#[cfg(test)]
mod tests {
    use super::Ranges;
    use crate::shadow::{Choice, ChoiceSource, Decision, choice_symbol};
    use base::source::Span;
    use concrete::state::Location;
    use ir::expr::IntKind;
    use ir::{BlockId, ProcedureId, ScalarType};
    use logic::{Constraint, Integer, LinearExpr};

    #[test]
    fn bounds_come_from_types_and_decisions() {
        let ty = ScalarType::Int(IntKind { bits: 8, signed: true });
        let choice = Choice { ty, value: 0, source: ChoiceSource::Memory, span: Span::NOWHERE };
        let choices = [choice.clone(), choice];
        let (x, y) = (LinearExpr::var(choice_symbol(0)), LinearExpr::var(choice_symbol(1)));
        let number = |n: i64| Integer::from(n);
        let mut ranges = Ranges::of_types(&choices);
        assert!(ranges.allow(&Constraint::eq(&x, number(127))));
        assert!(!ranges.allow(&Constraint::eq(&x, number(128))), "no such number has the type");
        assert!(!ranges.allow(&Constraint::gt(&(&x + &y), number(254))));
        assert!(ranges.allow(&Constraint::ge(&(&x + &y), number(254))));
        ranges.assume(&Constraint::ge(&x, number(5)));
        ranges.assume(&Constraint::le(&x, number(7)));
        assert!(!ranges.allow(&Constraint::lt(&x, number(5))));
        assert!(ranges.allow(&Constraint::eq(&x, number(6))));
        assert!(!ranges.allow(&Constraint::gt(&(&y - &x), number(122))));
        let other = Decision {
            location: Location { procedure: ProcedureId(0), block: BlockId(0), command: 0 },
            constraint: Constraint::gt(&x, number(6)),
            alternatives: vec![Constraint::eq(&x, number(6)), Constraint::lt(&x, number(6))],
        };
        ranges.decide(&other);
        assert!(!ranges.allow(&Constraint::eq(&x, number(6))));
        assert!(ranges.allow(&Constraint::eq(&x, number(5))), "which side it is does not matter");
        ranges.assume(&Constraint::eq(&y, number(3)));
        assert!(!ranges.allow(&Constraint::eq(&x, &y)), "3 is less than 5");
    }
}
