//! Plainer inputs for a run that makes an error (delta debugging: Zeller and Hildebrandt,
//! *Simplifying and isolating failure-inducing input*, TSE 2002).
//!
//! Inputs are left out, many at once first, and numbers become small, as long as the run is not
//! longer and makes the same error at the same place.

use base::budget::Budget;
use concrete::choices::ChoiceList;
use ir::Program;
use obligation::Goal;
use verdict::violation::{Violation, replay};

/// What numbers are replaced by, the plainest first.
const PLAIN: [i128; 4] = [0, 1, -1, 2];

/// So many of the first numbers may say how many others there are.
const MOST_COUNTS: usize = 8;
/// So many of the others are left out at most.
const MOST_COUNTED: usize = 24;

/// A run like the one that was found, with fewer and plainer inputs, within so many steps.
#[must_use]
pub(super) fn minimised(
    program: &Program,
    goal: Goal,
    found: Violation,
    budget: &mut Budget,
) -> Violation {
    let mut search = Search { program, goal, best: found };
    let mut size = search.best.choices.len().div_ceil(2);
    while size > 0 {
        if search.without(size, budget).is_none() {
            return search.best;
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    // Plain numbers are quickly found; where some say how many others there are, these go, too.
    let steps = [Search::plainer, Search::fewer, Search::plainer];
    let _ = steps.into_iter().try_for_each(|step| step(&mut search, budget));
    search.best
}

struct Search<'a> {
    program: &'a Program,
    goal: Goal,
    best: Violation,
}

impl Search<'_> {
    fn values(&self) -> Vec<i128> {
        self.best.choices.iter().map(|it| it.value).collect()
    }

    /// Leaves out so many neighbours wherever that is possible; nothing when the budget is spent.
    fn without(&mut self, size: usize, budget: &mut Budget) -> Option<()> {
        let mut start = 0;
        while start < self.best.choices.len() {
            let mut values = self.values();
            values.drain(start..values.len().min(start + size));
            if !self.accepts(values, budget)? {
                start += size;
            }
        }
        Some(())
    }

    /// Lowers numbers by one and leaves out an input behind them, for one may say how many there
    /// are of the others; nothing when the budget is spent.
    fn fewer(&mut self, budget: &mut Budget) -> Option<()> {
        let (mut count, mut position) = (0, 1);
        while count < self.best.choices.len().min(MOST_COUNTS) {
            let is_count = self.best.choices[count].value > 1;
            if !is_count || position >= self.best.choices.len().min(count + MOST_COUNTED) {
                count += 1;
                position = count + 1;
                continue;
            }
            let mut values = self.values();
            values[count] -= 1;
            values.remove(position);
            if !self.accepts(values, budget)? {
                position += 1;
            }
        }
        Some(())
    }

    /// Replaces numbers by plainer ones; nothing when the budget is spent.
    fn plainer(&mut self, budget: &mut Budget) -> Option<()> {
        let mut position = 0;
        while let Some(old) = self.best.choices.get(position).map(|it| it.value) {
            for plain in PLAIN.into_iter().filter(|it| weight(*it) < weight(old)) {
                let mut values = self.values();
                values[position] = plain;
                if self.accepts(values, budget)? {
                    break;
                }
            }
            position += 1;
        }
        Some(())
    }

    /// Takes a run with these inputs, and zeros behind them, if it does as well and is plainer.
    fn accepts(&mut self, values: Vec<i128>, budget: &mut Budget) -> Option<bool> {
        budget.spend(self.best.n_steps).ok()?;
        let mut choices = ChoiceList::new(values);
        let again = replay(self.program, self.goal, &mut choices, self.best.n_steps);
        let is_same = |it: &Violation| (&it.event, it.span) == (&self.best.event, self.best.span);
        let plainer = again.filter(is_same).filter(|it| cost(it) < cost(&self.best));
        let is_plainer = plainer.is_some();
        if let Some(plainer) = plainer {
            self.best = plainer;
        }
        Some(is_plainer)
    }
}

/// How far a number is from a plain one: small ones are, and those that are not negative.
fn weight(number: i128) -> u128 {
    number.unsigned_abs().saturating_mul(2).saturating_add(u128::from(number < 0))
}

/// By how many inputs a run has, and then by how large they are.
fn cost(run: &Violation) -> (usize, u128) {
    let weights = run.choices.iter().map(|it| weight(it.value));
    (run.choices.len(), weights.fold(0, u128::saturating_add))
}

#[cfg(test)]
mod tests {
    use super::minimised;
    use base::budget::Budget;
    use concrete::choices::ChoiceList;
    use ir::text;
    use obligation::{ErrorKind, Goal};
    use verdict::violation::replay;

    /// Reads numbers until one is 7 or less, and makes an error if that is the last of two or more
    /// and the one before was more than 20.
    const PROGRAM: &str = "procedure main() { local a: i32 local b: i32
        start: a := 0 goto head
        head: b := input \"next\" if b > 7 goto more else last
        more: a := b goto head
        last: if a > 20 goto bad else done
        bad: error \"large\" halt
        done: halt } entry main";

    #[test]
    fn inputs_become_few_and_small() {
        let program = text::parse("toy.goto", PROGRAM).unwrap().program;
        let goal = Goal::avoids_all(&[ErrorKind::ErrorReached]);
        let mut inputs = ChoiceList::new(vec![90, 12, 31, 8, 200, 25, 5]);
        let found = replay(&program, goal, &mut inputs, 100).unwrap();
        let values = |budget: u64| -> Vec<i128> {
            let plain = minimised(&program, goal, found.clone(), &mut Budget::of_steps(budget));
            assert_eq!((&plain.event, plain.span), (&found.event, found.span));
            plain.choices.iter().map(|it| it.value).collect()
        };
        // None of the numbers that are tried is more than 20, so one that was there is lowered.
        assert_eq!(values(10_000), [21, 0]);
        assert_eq!(values(0), [90, 12, 31, 8, 200, 25, 5]);
    }

    /// Reads how many numbers there are, and them, and makes an error if one of them is 9.
    const COUNTED: &str = "procedure main() { local n: i32 local b: i32 local seen: i32
        start: n := input \"count\" seen := 0 goto head
        head: if n > 0 goto more else last
        more: b := input \"next\" n := n - 1 if b == 9 goto nine else head
        nine: seen := 1 goto head
        last: if seen > 0 goto bad else done
        bad: error \"nine\" halt
        done: halt } entry main";

    #[test]
    fn what_says_how_many_there_are_is_lowered() {
        let program = text::parse("toy.goto", COUNTED).unwrap().program;
        let goal = Goal::avoids_all(&[ErrorKind::ErrorReached]);
        let found = replay(&program, goal, &mut ChoiceList::new(vec![4, 1, 9, 2, 3]), 100).unwrap();
        let plain = minimised(&program, goal, found, &mut Budget::of_steps(10_000));
        let values: Vec<i128> = plain.choices.iter().map(|it| it.value).collect();
        assert_eq!(values, [1, 9]);
    }
}
