//! What an argument shows: the obligation in a form that can be compared. An argument for
//! another program, goal or assumption shows nothing here, however right it is there.

use heap::state::State;
use ir::semantics::Definedness;
use ir::semantics::IntModel;
use ir::text::Fingerprint;
use obligation::{Callers, Fairness, Goal, Inputs, Obligation};

/// That all runs of a program that count reach a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Which program.
    pub program: Fingerprint,
    /// The goal.
    pub goal: Goal,
    /// Which runs count.
    pub fairness: Fairness,
    /// What the program reads.
    pub inputs: Inputs,
    /// What becomes of runs that do something undefined.
    pub definedness: Definedness,
    /// What callers of a function by itself keep to.
    pub callers: Callers,
    /// How integers were read where the program was made of C.
    pub integers: Option<IntModel>,
    /// What the entry's call relies on: one of these; nothing if there are none.
    pub requires: Vec<State>,
}

impl Statement {
    /// What an obligation asks for, of all that the program may read.
    #[must_use]
    pub fn of(obligation: &Obligation<'_>) -> Self {
        Self {
            program: obligation.fingerprint(),
            goal: obligation.goal,
            fairness: obligation.fairness.clone(),
            inputs: Inputs::Any,
            definedness: obligation.definedness,
            callers: obligation.callers,
            integers: obligation.integers,
            requires: obligation.requires.clone(),
        }
    }

    /// Whether this is what an obligation asks for. It may say more: of all inputs, where only
    /// those of their type count. It may rely on a precondition only where that is given, or is
    /// looked for, which is so for a function that is analysed by itself.
    #[must_use]
    pub fn answers(&self, obligation: &Obligation<'_>) -> bool {
        let is_asked = obligation.requires == self.requires;
        let is_sought = obligation.requires.is_empty() && obligation.program().open.is_some();
        self.program == obligation.fingerprint()
            && self.goal == obligation.goal
            && self.fairness == obligation.fairness
            && self.definedness == obligation.definedness
            && self.callers == obligation.callers
            && self.integers == obligation.integers
            && (self.inputs == Inputs::Any || self.inputs == obligation.inputs)
            && (is_asked || is_sought)
    }
}
