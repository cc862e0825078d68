//! Which runs count: those that are fair (POPL'07, §2.2).
//!
//! An *event* is the entry of a procedure: the programs of `reduce` call procedures without
//! commands where something happens that matters.

use ir::{ProcedureId, Variable};

/// The runs that count, and how their states are told apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fairness {
    /// What a run keeps to; one that does not is none against the goal.
    pub requirements: Vec<Compassion>,
    /// Global variables that tell where an automaton is. States in which they differ are
    /// never joined.
    pub control: Vec<Variable>,
}

/// A compassion requirement ⟨p, q⟩: a run with infinitely many p-steps has infinitely many
/// q-steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compassion {
    /// The event p; every step if there is none.
    pub whenever: Option<ProcedureId>,
    /// The event q.
    pub then: ProcedureId,
}

impl Fairness {
    /// Whether the entry of this procedure is an event that a requirement speaks of.
    #[must_use]
    pub fn is_event(&self, procedure: ProcedureId) -> bool {
        self.requirements.iter().any(|requirement| {
            requirement.then == procedure || requirement.whenever == Some(procedure)
        })
    }

    /// Whether a run that passes these events for ever, and no others, is fair.
    #[must_use]
    pub fn allows(&self, events: &[ProcedureId]) -> bool {
        self.requirements.iter().all(|requirement| {
            let is_asked = requirement.whenever.is_none_or(|event| events.contains(&event));
            !is_asked || events.contains(&requirement.then)
        })
    }
}
