//! Inputs: what runs choose, and which choices lead elsewhere.

use super::filler::{Filler, is_flag};
use super::machine::Run;
use super::shadow::{Choice, ChoiceSource, Decision, Symbol, choice_symbol};
use concrete::choices::{Choices, Occasion};
use ir::expr::ScalarType;
use logic::{Constraint, Integer, LinearExpr, Rational, Var, integers};
use std::collections::BTreeSet;

/// How to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// The first choices.
    pub values: Vec<i128>,
    /// How to go on.
    pub then: Filler,
}

/// So many sides of disequalities are taken one after the other.
const MOST_SIDES: usize = 24;

/// Choices that lead along these decisions, and satisfy others, too. Where something was
/// not equal, it may be greater now that was less.
pub(super) fn solve_path(
    decisions: &[Decision],
    others: &[Constraint],
    choices: &[Choice],
    effort: usize,
) -> Option<Vec<i128>> {
    let (apart, system): (Vec<&Decision>, Vec<&Decision>) =
        decisions.iter().partition(|it| it.is_disequality());
    let mut system: Vec<Constraint> = system.into_iter().map(|it| it.constraint.clone()).collect();
    system.extend_from_slice(others);
    let sides = apart.iter().map(|it| it.constraint.clone());
    let as_before = system.iter().cloned().chain(sides).collect();
    if let Some(values) = solve_choices(as_before, choices, effort) {
        return Some(values);
    }
    let mut values =
        if apart.is_empty() { None } else { solve_choices(system.clone(), choices, effort) };
    for _ in 0..MOST_SIDES {
        let found = values.as_ref()?;
        let value = |symbol: Var| match Symbol::of(symbol) {
            Symbol::Choice(index) => found.get(index).copied().unwrap_or_default(),
            Symbol::Entry(_) | Symbol::Reduction(_) => 0,
        };
        let number =
            |expr: &LinearExpr| expr.evaluate(|it| Rational::from(Integer::from(value(it))));
        let is_equal = |it: &&&Decision| number(it.alternatives[0].expr()).is_zero();
        let Some(broken) = apart.iter().find(is_equal) else { return values };
        let sides = [&broken.constraint, &broken.alternatives[1]];
        values = sides.into_iter().find_map(|side| {
            system.push(side.clone());
            let values = solve_choices(system.clone(), choices, effort);
            if values.is_none() {
                system.pop();
            }
            values
        });
    }
    None
}

impl Decision {
    /// Whether it says no more than that two numbers are not equal, though its constraint says
    /// which is less. Its alternatives are that they are equal, and the other side.
    pub(super) fn is_disequality(&self) -> bool {
        let is_one_side = |it: &Constraint| !it.is_equality();
        is_one_side(&self.constraint)
            && matches!(self.alternatives.as_slice(), [equal, other] if equal.is_equality() && is_one_side(other))
    }
}

/// Choices that satisfy the constraints, as far as possible the given ones.
/// Constraints on what is not modelled have no solution.
#[must_use]
pub fn solve_choices(
    mut system: Vec<Constraint>,
    choices: &[Choice],
    effort: usize,
) -> Option<Vec<i128>> {
    let mentioned: BTreeSet<Var> = system.iter().flat_map(|it| it.expr().variables()).collect();
    for symbol in &mentioned {
        let Symbol::Choice(index) = Symbol::of(*symbol) else { return None };
        let choice = choices.get(index)?;
        if choice.source == ChoiceSource::Approximation {
            return None;
        }
        let (low, high) = range_of(choice.ty);
        let expr = LinearExpr::var(*symbol);
        system.push(Constraint::ge(&expr, Integer::from(low)));
        system.push(Constraint::le(&expr, Integer::from(high)));
    }
    let wish = |symbol: Var| match Symbol::of(symbol) {
        Symbol::Choice(index) => choices.get(index).map_or(0, |it| it.value).into(),
        Symbol::Entry(_) | Symbol::Reduction(_) => Integer::ZERO,
    };
    let solution = integers::solution(&system, &wish, effort)?;
    let value = |index: usize| {
        let symbol = choice_symbol(index);
        solution.get(&symbol).map_or(Some(choices[index].value), Integer::to_i128)
    };
    (0..choices.len()).map(value).collect()
}

/// The numbers that a choice of this type may be. An address that is a number is
/// null or no address at all.
pub(super) fn range_of(ty: ScalarType) -> (i128, i128) {
    match ty {
        ScalarType::Int(kind) => (kind.min(), kind.max()),
        ScalarType::Pointer | ScalarType::Float(_) => (0, i128::from(u32::MAX)),
    }
}

impl Inputs {
    /// The choices one after the other.
    #[must_use]
    pub fn source(&self) -> InputSource<'_> {
        InputSource { inputs: self, n_asked: 0 }
    }
}

/// Answers with inputs.
#[derive(Clone, Debug)]
pub struct InputSource<'a> {
    inputs: &'a Inputs,
    n_asked: usize,
}

/// Makes choices, and may look at the run before each step.
pub(super) trait Looking: Choices {
    /// Looks at the run. Gives whether it is to go on.
    fn look(&mut self, _: &Run) -> bool {
        true
    }
}

impl Looking for InputSource<'_> {}

impl Choices for InputSource<'_> {
    fn choose(&mut self, ty: ScalarType, _: Occasion<'_>) -> i128 {
        let position = self.n_asked;
        self.n_asked += 1;
        match self.inputs.values.get(position) {
            Some(value) => *value,
            None if self.inputs.then == Filler::Rising && is_flag(ty) => 1,
            None => self.inputs.then.at(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::solve_path;
    use crate::shadow::{Choice, ChoiceSource, Decision, choice_symbol};
    use base::source::Span;
    use concrete::state::Location;
    use ir::expr::IntKind;
    use ir::{BlockId, ProcedureId, ScalarType};
    use logic::{Constraint, Integer, LinearExpr};

    /// A run that chose 1 has decided that its number is not 10, nor 12, nor less than 1.
    #[test]
    fn what_was_less_may_be_greater() {
        let ty = ScalarType::Int(IntKind { bits: 8, signed: false });
        let choices = [Choice { ty, value: 1, source: ChoiceSource::Memory, span: Span::NOWHERE }];
        let x = LinearExpr::var(choice_symbol(0));
        let at = |n: i64| Integer::from(n);
        let location = Location { procedure: ProcedureId(0), block: BlockId(0), command: 0 };
        let apart = |n: i64| Decision {
            location,
            constraint: Constraint::lt(&x, at(n)),
            alternatives: vec![Constraint::eq(&x, at(n)), Constraint::gt(&x, at(n))],
        };
        let least = Constraint::ge(&x, at(1));
        let alternatives = least.negate().into_iter().collect();
        let decisions =
            [apart(10), apart(12), Decision { location, constraint: least, alternatives }];
        let solve = |others: &[Constraint]| solve_path(&decisions, others, &choices, 100);
        assert_eq!(solve(&[Constraint::eq(&x, at(113))]), Some(vec![113]));
        assert_eq!(
            solve(&[Constraint::ge(&x, at(10)), Constraint::le(&x, at(12))]),
            Some(vec![11])
        );
        assert_eq!(solve(&[Constraint::eq(&x, at(12))]), None, "it was decided that it is not 12");
        assert_eq!(solve(&[Constraint::lt(&x, at(1))]), None, "this was no question of sides");
        assert_eq!(solve(&[]), Some(vec![1]), "what need not change stays");
    }
}
