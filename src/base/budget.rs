//! Deterministic limits: an analysis that would run too long ends in a reason.

use super::effort;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The step limit was reached.
    Steps,
    /// The owner of the clock raised the flag.
    Time,
    /// The owner of the clock saw too much memory in use.
    Memory,
    /// The user has stopped the work.
    Interrupt,
}

/// Ends the work of a [`Budget`] from outside.
#[derive(Clone, Debug, Default)]
pub struct Canceller {
    /// 0: go on; 1: time; 2: memory; 3: the user.
    flag: Arc<AtomicU8>,
}

impl Canceller {
    /// Ends the work because the time is over.
    pub fn time_is_over(&self) {
        self.flag.store(1, Ordering::Relaxed);
    }

    /// Ends the work because too much memory is in use.
    pub fn memory_is_full(&self) {
        self.flag.store(2, Ordering::Relaxed);
    }

    /// Ends the work because the user wants no more.
    pub fn is_interrupted(&self) {
        self.flag.store(3, Ordering::Relaxed);
    }

    /// What ended the work, if anything did.
    #[must_use]
    pub fn cancelled(&self) -> Option<Exhausted> {
        match self.flag.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Exhausted::Time),
            2 => Some(Exhausted::Memory),
            _ => Some(Exhausted::Interrupt),
        }
    }
}

/// How many units of a search stand for a step.
const UNITS_A_STEP: u64 = 100;

/// All searches together take no more units than this for each step that there was at
/// first, however many of them are begun.
const MOST_WORK_A_STEP: u64 = 1_000;

/// How many times as many steps larger parts have.
const LARGER: u64 = 16;

/// Steps that may still be spent, and a flag by which the owner of the clock
/// ends the work from outside. Only the flag depends on time.
#[derive(Clone, Debug)]
pub struct Budget {
    /// The steps that it had at first.
    steps: u64,
    steps_left: u64,
    /// What a step is in units of searches.
    price: u64,
    /// How many times as many steps as usual the parts have.
    generosity: u64,
    canceller: Canceller,
    /// What was spent here, in all parts, and in all searches beside the steps.
    work: Arc<AtomicU64>,
    /// The same in units, as many for each step as it is worth.
    units: Arc<AtomicU64>,
    /// The symbolic states that were looked at.
    states: Arc<AtomicU64>,
    /// What may be spent in all of them.
    most_work: u64,
}

impl Budget {
    /// A budget of so many steps.
    #[must_use]
    pub fn of_steps(steps: u64) -> Self {
        effort::clear();
        let (canceller, work, units) = (Canceller::default(), Arc::default(), Arc::default());
        let states = Arc::default();
        let most_work = steps.saturating_mul(MOST_WORK_A_STEP);
        let (price, generosity) = (UNITS_A_STEP, 1);
        let steps_left = steps;
        Self { steps, steps_left, price, generosity, canceller, work, units, states, most_work }
    }

    /// The steps and the units of searches that were spent by now, here and in all that
    /// is a part of this: how much work was done, whatever the clock says.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }

    /// The steps that were spent by now, here and in all that is a part of this, and in
    /// searches the steps that their units stand for: how long the work has taken.
    #[must_use]
    pub fn effort(&self) -> u64 {
        self.units.load(Ordering::Relaxed) / UNITS_A_STEP
    }

    /// A symbolic state is looked at: all that follows from it in one block.
    pub fn note_state(&self) {
        self.states.fetch_add(1, Ordering::Relaxed);
    }

    /// How many symbolic states were looked at by now, here and in all that is a part of this.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    /// What ends the work from outside.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }

    /// A budget of so many steps of its own that the same owner of the clock ends, or of more where
    /// parts have more. It has no more steps than are left here.
    #[must_use]
    pub fn of_part(&self, steps: u64) -> Self {
        self.with_steps(steps.saturating_mul(self.generosity).min(self.steps_left))
    }

    /// The same budget, whose parts have many more steps.
    #[must_use]
    pub fn with_larger_parts(&self) -> Self {
        Self { generosity: self.generosity.saturating_mul(LARGER), ..self.clone() }
    }

    /// A budget for a search beside the steps, such as one for ranking functions, in
    /// units of less work: `most` of them, or fewer where this budget was small. The
    /// same owner of the clock ends it.
    #[must_use]
    pub fn of_search(&self, most: u64) -> Self {
        let search = self.with_steps(most.min(self.steps.saturating_mul(UNITS_A_STEP)));
        Self { price: 1, ..search }
    }

    /// A budget of its own whose work counts here, too.
    fn with_steps(&self, steps: u64) -> Self {
        Self { steps, steps_left: steps, ..self.clone() }
    }

    /// As many steps again as this had at first, for a check of what was found with it.
    #[must_use]
    pub fn of_check(&self) -> Self {
        self.with_steps(self.steps)
    }

    /// Whether fewer steps were spent by now than there were at first, here and in all that is a
    /// part of this.
    #[must_use]
    pub fn has_steps_left(&self) -> bool {
        self.effort() < self.steps
    }

    /// Whether no step is left.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.steps_left == 0 || self.work() >= self.most_work
    }

    /// Takes `cost` steps.
    ///
    /// # Errors
    /// [`Exhausted`] when fewer steps are left, and ever after, or the flag is set.
    pub fn spend(&mut self, cost: u64) -> Result<(), Exhausted> {
        if let Some(why) = self.canceller.cancelled() {
            return Err(why);
        }
        let beside = effort::take();
        let work = self.work().saturating_add(cost).saturating_add(beside);
        let units = cost.saturating_mul(self.price).saturating_add(beside);
        self.units.fetch_add(units, Ordering::Relaxed);
        match self.steps_left.checked_sub(cost) {
            Some(left) if work <= self.most_work => {
                self.steps_left = left;
                // One thread works, so nothing is lost between the reading and the writing.
                self.work.store(work, Ordering::Relaxed);
                Ok(())
            }
            _ => {
                self.steps_left = 0;
                Err(Exhausted::Steps)
            }
        }
    }
}
