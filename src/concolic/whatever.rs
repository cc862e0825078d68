//! Numbers of which nothing is known but a range: what is shown of a run with them holds
//! whatever they are ([`Reductions::Free`]).

use super::eval::Evaluator;
use super::shadow::{Choice, ChoiceSource, Form, Reductions, Shadow, Symbol};
use ir::expr::{BinaryOp, ScalarType};
use logic::LinearExpr;

impl Choice {
    /// The range of the number, if what is shown of it can hold for all of them: it is an
    /// integer that is not modelled.
    #[must_use]
    pub fn unmodelled_range(&self) -> Option<[i128; 2]> {
        match self.ty {
            ScalarType::Int(kind)
                if self.source == ChoiceSource::Approximation && kind.bits <= 64 =>
            {
                Some([kind.min(), kind.max()])
            }
            ScalarType::Int(_) | ScalarType::Pointer | ScalarType::Float(_) => None,
        }
    }
}

impl Shadow {
    /// Notes a choice and gives its form: where reductions are free, a number that is not
    /// modelled may be any.
    pub(super) fn choose_or_free(&mut self, choice: Choice) -> Form {
        let Some(range) = choice.unmodelled_range() else { return self.choose(choice) };
        let value = choice.value;
        let chosen = self.choose(choice);
        if self.reductions == Reductions::Free {
            return Some(self.reduce(value, range));
        }
        self.has_decided_reductions = true;
        chosen
    }

    /// The least and the greatest number that a form can be, if free results are all that it is
    /// made of.
    fn range_of(&self, form: &LinearExpr) -> Option<[i128; 2]> {
        let constant = form.constant_part().to_i128()?;
        form.terms().iter().try_fold([constant; 2], |[least, most], (symbol, factor)| {
            let Symbol::Reduction(index) = Symbol::of(*symbol) else { return None };
            let factor = factor.to_i128()?;
            let (_, [low, high]) = self.reduced.get(index)?;
            let ends = [low.checked_mul(factor)?, high.checked_mul(factor)?];
            let [low, high] = if factor < 0 { [ends[1], ends[0]] } else { ends };
            Some([least.checked_add(low)?, most.checked_add(high)?])
        })
    }
}

impl Evaluator<'_> {
    /// What is left of a number when it is divided, or the quotient, if the number may be any of
    /// a range; in this run it is `a`, and the divisor `b`.
    pub(super) fn quotient_of_any(
        &mut self,
        op: BinaryOp,
        expr: &LinearExpr,
        [a, b]: [i128; 2],
    ) -> Form {
        let range = self.shadow.range_of(expr).filter(|_| b > 0)?;
        let result = if op == BinaryOp::Divide { a / b } else { a % b };
        Some(self.shadow.reduce(result, quotients(op, range, b)))
    }
}

/// The range of a quotient or of what is left.
///
/// ```text
///   l <= x <= h   k > 0                  l <= x <= h   k > 0
/// ------------------------   ----------------------------------------------
/// l / k <= x / k <= h / k    min(0, max(l, 1-k)) <= x % k <= max(0, min(h, k-1))
/// ```
fn quotients(op: BinaryOp, [least, most]: [i128; 2], divisor: i128) -> [i128; 2] {
    match op {
        BinaryOp::Divide => [least / divisor, most / divisor],
        _ => [least.max(1 - divisor).min(0), most.min(divisor - 1).max(0)],
    }
}

#[cfg(test)]
mod tests {
    use super::{BinaryOp, quotients};

    #[test]
    fn quotients_of_all_numbers_in_a_range_are_in_theirs() {
        for (least, most, divisor) in
            (-9..=9).flat_map(|l| (l..=9).flat_map(move |h| (1..=5).map(move |k| (l, h, k))))
        {
            let [low, high] = quotients(BinaryOp::Divide, [least, most], divisor);
            let [bottom, top] = quotients(BinaryOp::Remainder, [least, most], divisor);
            for number in least..=most {
                assert!((low..=high).contains(&(number / divisor)), "{number} / {divisor}");
                assert!((bottom..=top).contains(&(number % divisor)), "{number} % {divisor}");
            }
        }
    }
}
