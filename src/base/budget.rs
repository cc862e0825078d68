//! Deterministic limits: an analysis that would run too long ends in a reason.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The step limit was reached.
    Steps,
    /// The caller's clock raised the flag.
    Time,
}

/// Steps that may still be spent, and a flag by which the owner of the clock
/// ends the work from outside. Only the flag depends on time.
#[derive(Clone, Debug)]
pub struct Budget {
    steps_left: u64,
    cancelled: Arc<AtomicBool>,
}

impl Budget {
    /// A budget of so many steps.
    #[must_use]
    pub fn of_steps(steps: u64) -> Self {
        Self { steps_left: steps, cancelled: Arc::default() }
    }

    /// The flag that ends the work when it is set to true.
    #[must_use]
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// Takes `cost` steps.
    ///
    /// # Errors
    /// [`Exhausted`] when fewer steps are left or the flag is set.
    pub fn spend(&mut self, cost: u64) -> Result<(), Exhausted> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Exhausted::Time);
        }
        match self.steps_left.checked_sub(cost) {
            Some(left) => {
                self.steps_left = left;
                Ok(())
            }
            None => Err(Exhausted::Steps),
        }
    }
}
