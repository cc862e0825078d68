//! Plainer inputs for a run that makes an error, or never ends (delta debugging: Zeller and
//! Hildebrandt, *Simplifying and isolating failure-inducing input*, TSE 2002).
//!
//! Inputs are left out, many at once first, and numbers become small, as long as the run is not
//! longer and makes the same error at the same place, or stays in the same loop.

use base::budget::Budget;
use base::limits::STEPS_OF_RUN_A_STEP;
use concolic::texts::is_reader;
use concrete::choices::ChoiceList;
use ir::expr::ScalarType;
use std::collections::BTreeSet;
use verdict::violation::{Chosen, Trial, Violation};

/// What numbers are replaced by, the plainest first.
const PLAIN: &[i128] = &[0, 1, -1, 2];
/// The same for bytes that nothing was written to: some of them are texts.
const PLAIN_BYTES: &[i128] = &[0, 97];
/// The same for bytes of a stream.
const PLAIN_READ: &[i128] = &[97, 10, 32, 48, 49, -1];

/// So many of the first numbers may say how many others there are.
const MOST_COUNTS: usize = 8;
/// So many of the others are left out at most.
const MOST_COUNTED: usize = 24;

/// A run like the one that was found, with fewer and plainer inputs, within so many steps.
#[must_use]
pub(super) fn minimised(trial: &Trial<'_>, found: Violation, budget: &mut Budget) -> Violation {
    plainest(found, trial, budget)
}

/// How runs of one kind are carried out again.
pub(super) trait Again {
    /// A run that was found.
    type Run;
    /// What it chooses, in order.
    fn choices(&self, run: &Self::Run) -> Vec<Chosen>;
    /// How many steps it has.
    fn n_steps(&self, run: &Self::Run) -> u64;
    /// What it costs to look at so many steps.
    fn price(&self, n_steps: u64) -> u64;
    /// The run with these inputs, and zeros behind them, within so many steps, if it does what
    /// this one does.
    fn again(&self, run: &Self::Run, values: Vec<i128>, n_steps: u64) -> Option<Self::Run>;
}

impl Again for Trial<'_> {
    type Run = Violation;

    fn choices(&self, run: &Violation) -> Vec<Chosen> {
        run.choices.clone()
    }

    fn n_steps(&self, run: &Violation) -> u64 {
        run.n_steps
    }

    fn price(&self, n_steps: u64) -> u64 {
        n_steps.div_ceil(STEPS_OF_RUN_A_STEP)
    }

    fn again(&self, run: &Violation, values: Vec<i128>, n_steps: u64) -> Option<Violation> {
        let again = self.replay(&mut ChoiceList::new(values), n_steps)?;
        ((&again.event, again.span) == (&run.event, run.span)).then_some(again)
    }
}

/// The plainest run like the one that was found which is seen within so many steps.
pub(super) fn plainest<A: Again>(found: A::Run, kind: &A, budget: &mut Budget) -> A::Run {
    let mut search = Search { kind, choices: kind.choices(&found), best: found };
    let mut size = search.choices.len().div_ceil(2);
    while size > 0 {
        if search.without(size, budget).is_none() {
            return search.best;
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    // Plain numbers are quickly found; where some say how many others there are, these go, too.
    let steps = [Search::plainer, Search::fewer, Search::plainer, Search::legible];
    let _ = steps.into_iter().try_for_each(|step| step(&mut search, budget));
    search.best
}

struct Search<'a, A: Again> {
    kind: &'a A,
    best: A::Run,
    /// What the best run chooses.
    choices: Vec<Chosen>,
}

impl<A: Again> Search<'_, A> {
    fn values(&self) -> Vec<i128> {
        self.choices.iter().map(|it| it.value).collect()
    }

    /// Leaves out so many neighbours wherever that is possible; nothing when the budget is spent.
    fn without(&mut self, size: usize, budget: &mut Budget) -> Option<()> {
        let mut start = 0;
        while start < self.choices.len() {
            let mut values = self.values();
            values.drain(start..values.len().min(start + size));
            if !self.accepts(values, budget)? {
                start += size;
            }
        }
        Some(())
    }

    /// Lowers numbers and leaves out as many inputs behind them, for one may say how many there
    /// are of the others, many at once first; nothing when the budget is spent.
    fn fewer(&mut self, budget: &mut Budget) -> Option<()> {
        let mut count = 0;
        while let Some(number) = self.choices.get(count).filter(|_| count < MOST_COUNTS) {
            let half = usize::try_from(number.value / 2).unwrap_or(0);
            let mut size = half.min(self.choices.len());
            while size > 0 {
                self.lowered(count, size, budget)?;
                size /= 2;
            }
            count += 1;
        }
        Some(())
    }

    /// Lowers a number by so much, and leaves out so many inputs, as often as that does.
    fn lowered(&mut self, count: usize, size: usize, budget: &mut Budget) -> Option<()> {
        let Ok(less) = i128::try_from(size) else { return Some(()) };
        let mut skipped = 0;
        while skipped < MOST_COUNTED {
            let mut values = self.values();
            let from = count + 1 + skipped;
            if values[count] <= less || from + size > values.len() {
                break;
            }
            values[count] -= less;
            values.drain(from..from + size);
            if !self.accepts(values, budget)? {
                skipped += size;
            }
        }
        Some(())
    }

    /// Replaces numbers by plainer ones, or by some that are nearer to 0; nothing when the budget
    /// is spent.
    fn plainer(&mut self, budget: &mut Budget) -> Option<()> {
        let mut position = 0;
        while let Some(old) = self.choices.get(position).cloned() {
            let plain = plain_for(&old).iter().copied();
            let mut plainer = plain.filter(|it| weight(&old, *it) < weight(&old, old.value));
            let is_plain = loop {
                let Some(plain) = plainer.next() else { break false };
                if self.accepts(self.with(position, plain), budget)? {
                    break true;
                }
            };
            if !is_plain {
                self.nearer(position, budget)?;
            }
            position += 1;
        }
        Some(())
    }

    /// Replaces bytes that cannot be read by letters, the same ones by the same; nothing when the
    /// budget is spent.
    fn legible(&mut self, budget: &mut Budget) -> Option<()> {
        let is_riddle = |it: &Chosen| plain_for(it) != PLAIN && weight(it, it.value) >= 1_000;
        let key = |it: &Chosen| (it.function.clone(), it.value);
        let riddles = self.choices.iter().filter(|it| is_riddle(it)).map(key);
        for (riddle, letter) in riddles.collect::<BTreeSet<_>>().into_iter().zip(97..=122) {
            let choices = self.choices.iter();
            let is_it = |it: &Chosen| is_riddle(it) && key(it) == riddle;
            let values = choices.map(|it| if is_it(it) { letter } else { it.value }).collect();
            // To look at a letter may take longer.
            let n_steps = self.kind.n_steps(&self.best).saturating_mul(2);
            self.accepts_within(n_steps, values, budget)?;
        }
        Some(())
    }

    /// Brings an input nearer to 0, by halves of the way first; nothing when the budget is spent.
    fn nearer(&mut self, position: usize, budget: &mut Budget) -> Option<()> {
        let mut step = self.choices.get(position).map_or(0, |it| it.value / 2);
        while step != 0 {
            let Some(old) = self.choices.get(position) else { break };
            let nearer = old.value - step;
            if weight(old, nearer) < weight(old, old.value) {
                self.accepts(self.with(position, nearer), budget)?;
            }
            step /= 2;
        }
        Some(())
    }

    fn with(&self, position: usize, value: i128) -> Vec<i128> {
        let mut values = self.values();
        values[position] = value;
        values
    }

    /// Takes a run with these inputs, and zeros behind them, if it does as well and is plainer.
    fn accepts(&mut self, values: Vec<i128>, budget: &mut Budget) -> Option<bool> {
        self.accepts_within(self.kind.n_steps(&self.best), values, budget)
    }

    /// The same within so many steps.
    fn accepts_within(
        &mut self,
        n_steps: u64,
        values: Vec<i128>,
        budget: &mut Budget,
    ) -> Option<bool> {
        budget.spend(self.kind.price(n_steps)).ok()?;
        let Some(again) = self.kind.again(&self.best, values, n_steps) else { return Some(false) };
        let choices = self.kind.choices(&again);
        let is_plainer = cost(&choices) < cost(&self.choices);
        if is_plainer {
            (self.best, self.choices) = (again, choices);
        }
        Some(is_plainer)
    }
}

/// What a choice is replaced by, the plainest first.
fn plain_for(choice: &Chosen) -> &'static [i128] {
    let is_byte = matches!(choice.ty, ScalarType::Int(kind) if kind.bits == 8);
    match &choice.function {
        Some(function) if is_reader(function) => PLAIN_READ,
        None if is_byte => PLAIN_BYTES,
        _ => PLAIN,
    }
}

/// How far a number is from a plain one: small ones are near, and those that are not negative; of
/// bytes those that can be read.
fn weight(choice: &Chosen, number: i128) -> u128 {
    let plain = plain_for(choice);
    let nearest = plain.iter().position(|it| *it == number);
    if let Some(position) = nearest {
        return position as u128;
    }
    let is_text = plain != PLAIN && u8::try_from(number).is_ok_and(|it| it.is_ascii_graphic());
    let least = if is_text { 10 } else { 1_000 };
    let size = number.unsigned_abs().saturating_mul(2).saturating_add(u128::from(number < 0));
    size.saturating_add(least)
}

/// By how many inputs a run has, and then by how large they are.
fn cost(choices: &[Chosen]) -> (usize, u128) {
    let weights = choices.iter().map(|it| weight(it, it.value));
    (choices.len(), weights.fold(0, u128::saturating_add))
}

#[cfg(test)]
mod tests {
    use super::minimised;
    use base::budget::Budget;
    use concrete::choices::ChoiceList;
    use ir::text;
    use obligation::{ErrorKind, Goal};
    use verdict::violation::Trial;

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
        let found = Trial::of(&program, goal).replay(&mut inputs, 100).unwrap();
        let values = |budget: u64| -> Vec<i128> {
            let plain =
                minimised(&Trial::of(&program, goal), found.clone(), &mut Budget::of_steps(budget));
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
        let found = Trial::of(&program, goal)
            .replay(&mut ChoiceList::new(vec![4, 1, 9, 2, 3]), 100)
            .unwrap();
        let plain = minimised(&Trial::of(&program, goal), found, &mut Budget::of_steps(10_000));
        let values: Vec<i128> = plain.choices.iter().map(|it| it.value).collect();
        assert_eq!(values, [1, 9]);
    }

    /// Makes an error if a number is more than 600.
    const LARGE: &str = "procedure main() { local n: i32
        start: n := input \"n\" if n > 600 goto bad else done
        bad: error \"large\" halt
        done: halt } entry main";

    #[test]
    fn the_least_number_is_found_by_halves_of_the_way() {
        let program = text::parse("toy.goto", LARGE).unwrap().program;
        let goal = Goal::avoids_all(&[ErrorKind::ErrorReached]);
        for large in [1_000_000_007, 1_201, 602] {
            let found =
                Trial::of(&program, goal).replay(&mut ChoiceList::new(vec![large]), 10).unwrap();
            let plain = minimised(&Trial::of(&program, goal), found, &mut Budget::of_steps(60));
            assert_eq!(plain.choices[0].value, 601, "from {large}");
        }
    }

    /// Reads a byte and makes an error if it is neither a digit nor less than 'A'.
    const BYTES: &str = "procedure main() { local c: i32
        start: c := input \"getchar\" if c >= 65 goto bad else done
        bad: error \"letter\" halt
        done: halt } entry main";

    #[test]
    fn bytes_of_a_stream_become_ones_that_can_be_read() {
        let program = text::parse("toy.goto", BYTES).unwrap().program;
        let goal = Goal::avoids_all(&[ErrorKind::ErrorReached]);
        let found = Trial::of(&program, goal).replay(&mut ChoiceList::new(vec![233]), 10).unwrap();
        let plain = minimised(&Trial::of(&program, goal), found, &mut Budget::of_steps(60));
        assert_eq!(plain.choices[0].value, i128::from(b'a'));
    }
}
