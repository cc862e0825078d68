//! The guide of the analysis: it finds what the rules of execution leave open.

use super::covering::{States, covering};
use super::merge::{Merged, justified, merged};
use super::{Machine, Semantics};
use base::budget::{Budget, Exhausted};
use evidence::join_point::{JoinPoint, Representative};
use evidence::place::{NodeId, Place};
use heap::state::State;
use rules::joins::{Entered, Joins};

/// The guide of the analysis.
pub struct SearchJoins<'a> {
    machine: &'a Machine<'a>,
    states: &'a dyn States,
    n_meetings: usize,
    notes: Notes,
}

/// What a guide notes of its answers.
enum Notes {
    Nothing,
    Meetings(Vec<JoinPoint>),
}

impl<'a> SearchJoins<'a> {
    /// A guide that knows these states, and notes nothing.
    #[must_use]
    pub fn new(machine: &'a Machine<'a>, states: &'a dyn States) -> Self {
        Self { machine, states, n_meetings: 0, notes: Notes::Nothing }
    }

    /// A guide that knows these states, and notes where paths meet.
    #[must_use]
    pub fn noting(machine: &'a Machine<'a>, states: &'a dyn States) -> Self {
        Self { notes: Notes::Meetings(Vec::new()), ..Self::new(machine, states) }
    }

    /// What it has noted.
    #[must_use]
    pub fn meetings(self) -> Vec<JoinPoint> {
        match self.notes {
            Notes::Nothing => Vec::new(),
            Notes::Meetings(meetings) => meetings,
        }
    }
}

impl<'a> Joins<'a> for SearchJoins<'a> {
    fn meet(
        &mut self,
        _semantics: &Semantics<'_>,
        place: &Place,
        mut states: Vec<State>,
        budget: &mut Budget,
    ) -> Result<Vec<State>, Exhausted> {
        self.n_meetings += 1;
        let mut merged = merged(self.machine, &states, self.n_meetings - 1, budget)?;
        if let Notes::Meetings(meetings) = &mut self.notes {
            let paths = justified(self.machine, &states, &mut merged);
            let representatives = merged.representatives.clone();
            meetings.push(JoinPoint { place: place.clone(), representatives, paths });
        }
        let Merged { representatives, .. } = merged;
        let state = |representative: Representative| match representative {
            // No two representatives are the same path.
            Representative::Path(path) => {
                states.get_mut(path).map(std::mem::take).unwrap_or_default()
            }
            Representative::State(state) => *state,
        };
        Ok(representatives.into_iter().map(state).collect())
    }

    fn enter(
        &mut self,
        _semantics: &Semantics<'_>,
        start: &Place,
        state: &State,
        budget: &mut Budget,
    ) -> Result<Option<Entered>, Exhausted> {
        let found = covering(self.machine, self.states, start, state, budget)?;
        Ok(found.map(|covering| (covering.id, covering.found.binding)))
    }

    fn exits(&self, entry: NodeId) -> Vec<&'a State> {
        self.states.at(&Place::exit(entry)).into_iter().map(|(_, state)| state).collect()
    }
}
