//! Who decides where the rules of execution leave a choice.
//!
//! Between two cutpoints the rules leave two things open: which states go on where
//! paths meet, and which entry state describes a call of a recursive procedure. A
//! [`Guide`] answers. The guide of the analysis ([`Searching`]) searches, and notes
//! why its answers are right, if it is asked to. The guide of the check follows these
//! notes, and believes nothing of them (`verdict::check`).

use super::Machine;
use super::merge::{Merged, justified, merged};
use super::place::{NodeId, Place};
use super::summary::{States, covering};
use super::transitions::Cover;
use crate::base::budget::{Budget, Exhausted};
use crate::heap::state::State;
use crate::logic::LinearExpr;

/// An entry state, and what its variables stand for.
pub type Entered = (NodeId, Vec<LinearExpr>);

/// Decides what the rules of execution leave open.
pub trait Guide<'a> {
    /// The states to go on with in place of those that meet at a place.
    ///
    /// # Errors
    /// When the budget runs out.
    fn meet(
        &mut self,
        machine: &Machine<'_>,
        place: &Place,
        states: Vec<State>,
        budget: &mut Budget,
    ) -> Result<Vec<State>, Exhausted>;

    /// The entry state that describes a call which begins so at the start of a
    /// procedure. Without one, the call is not followed.
    ///
    /// # Errors
    /// When the budget runs out.
    fn enter(
        &mut self,
        machine: &Machine<'_>,
        start: &Place,
        state: &State,
        budget: &mut Budget,
    ) -> Result<Option<Entered>, Exhausted>;

    /// The states in which the procedure that is entered in a state returns.
    fn exits(&self, entry: NodeId) -> Vec<&'a State>;
}

/// Paths that meet between cutpoints, and the states that describe them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Where they meet.
    pub place: Place,
    /// What execution goes on with.
    pub stands: Vec<Stand>,
    /// For each path, which of these describes it, and why.
    pub paths: Vec<Path>,
}

/// A state with which execution goes on where paths meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stand {
    /// That of the path with this position.
    Path(usize),
    /// A more general one.
    State(Box<State>),
}

/// Why the state of a path need not be looked at any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// It is among those with which execution goes on.
    GoesOn,
    /// It is the same as the stand with this position.
    Same(usize),
    /// The stand with this position describes it.
    Covered(usize, Cover),
}

/// The guide of the analysis.
pub struct Searching<'a> {
    states: &'a dyn States,
    n_meetings: usize,
    notes: Notes,
}

/// What a guide notes of its answers.
enum Notes {
    Nothing,
    Meetings(Vec<Meeting>),
}

impl<'a> Searching<'a> {
    /// A guide that knows these states, and notes nothing.
    #[must_use]
    pub fn new(states: &'a dyn States) -> Self {
        Self { states, n_meetings: 0, notes: Notes::Nothing }
    }

    /// A guide that knows these states, and notes where paths meet.
    #[must_use]
    pub fn noting(states: &'a dyn States) -> Self {
        Self { notes: Notes::Meetings(Vec::new()), ..Self::new(states) }
    }

    /// What it has noted.
    #[must_use]
    pub fn meetings(self) -> Vec<Meeting> {
        match self.notes {
            Notes::Nothing => Vec::new(),
            Notes::Meetings(meetings) => meetings,
        }
    }
}

impl<'a> Guide<'a> for Searching<'a> {
    fn meet(
        &mut self,
        machine: &Machine<'_>,
        place: &Place,
        mut states: Vec<State>,
        _budget: &mut Budget,
    ) -> Result<Vec<State>, Exhausted> {
        self.n_meetings += 1;
        let mut merged = merged(machine, &states, self.n_meetings - 1);
        if let Notes::Meetings(meetings) = &mut self.notes {
            let paths = justified(machine, &states, &mut merged);
            let stands = merged.stands.clone();
            meetings.push(Meeting { place: place.clone(), stands, paths });
        }
        let Merged { stands, .. } = merged;
        let state = |stand: Stand| match stand {
            // No two stands are the same path.
            Stand::Path(path) => states.get_mut(path).map(std::mem::take).unwrap_or_default(),
            Stand::State(state) => *state,
        };
        Ok(stands.into_iter().map(state).collect())
    }

    fn enter(
        &mut self,
        machine: &Machine<'_>,
        start: &Place,
        state: &State,
        budget: &mut Budget,
    ) -> Result<Option<Entered>, Exhausted> {
        let found = covering(machine, self.states, start, state, budget)?;
        Ok(found.map(|covering| (covering.id, covering.found.binding)))
    }

    fn exits(&self, entry: NodeId) -> Vec<&'a State> {
        self.states.at(&Place::exit(entry)).into_iter().map(|(_, state)| state).collect()
    }
}
