//! Joins as the check makes them: it goes the way that the argument names.
//!
//! Where paths meet, execution goes on with the states that the argument names there,
//! if they describe all the paths. A call goes to the entry state that the argument
//! names; that this describes the call is checked when the call has arrived there.

use super::check::{Claimed, Defect, ReplayChecker};
use super::cover::{Claim, Kinship};
use super::form::is_well_formed;
use base::budget::{Budget, Exhausted};
use evidence::certificate::CertifiedNode;
use evidence::join_point::{JoinPoint, Path, Representative};
use evidence::place::{NodeId, Place};
use evidence::step::Edge;
use heap::state::State;
use rules::Semantics;
use rules::joins::{Entered, Joins};
use std::slice::Iter;

/// Joins by what an argument says of one node.
pub(super) struct ReplayJoins<'a, 'j> {
    claimed: &'j Claimed<'a>,
    meetings: Iter<'a, JoinPoint>,
    /// The steps that are not used yet; calls are found among them in order.
    steps: Iter<'a, Edge>,
    checker: &'j mut dyn ReplayChecker,
    /// The first thing that was wrong. What is explored after it means nothing.
    outcome: Result<(), Defect>,
}

impl<'a, 'j> ReplayJoins<'a, 'j> {
    pub(super) fn new(
        claimed: &'j Claimed<'a>,
        node: &'a CertifiedNode,
        steps: &'a [Edge],
        checker: &'j mut dyn ReplayChecker,
    ) -> Self {
        let (meetings, steps) = (node.meetings.iter(), steps.iter());
        Self { claimed, meetings, steps, checker, outcome: Ok(()) }
    }

    /// Whether the argument was right in all that it named, and named no more.
    ///
    /// # Errors
    /// The first [`Defect`].
    pub(super) fn finish(mut self) -> Result<(), Defect> {
        self.outcome?;
        if self.meetings.next().is_some() { Err(Defect::Meetings) } else { Ok(()) }
    }

    /// The states with which execution goes on behind a meeting, if each path is one
    /// of them or described by one of them.
    fn representatives(
        &mut self,
        machine: &Semantics<'_>,
        place: &Place,
        states: &[State],
        budget: &mut Budget,
    ) -> Result<Vec<State>, Defect> {
        let meeting = self.meetings.next().ok_or(Defect::Meetings)?;
        if meeting.place != *place || meeting.paths.len() != states.len() {
            return Err(Defect::Meetings);
        }
        let state = |representative: &'a Representative| match representative {
            Representative::Path(path) => states.get(*path).cloned().ok_or(Defect::Meetings),
            Representative::State(state) if is_well_formed(machine, state) => Ok((**state).clone()),
            Representative::State(_) => Err(Defect::Form),
        };
        let representatives =
            meeting.representatives.iter().map(state).collect::<Result<Vec<State>, Defect>>()?;
        for (position, (path, have)) in meeting.paths.iter().zip(states).enumerate() {
            match path {
                Path::GoesOn
                    if meeting.representatives.contains(&Representative::Path(position)) => {}
                Path::Same(representative)
                    if representatives.get(*representative) == Some(have) => {}
                Path::GoesOn | Path::Same(_) => return Err(Defect::Meetings),
                Path::Covered(representative, cover) => {
                    let want = representatives.get(*representative).ok_or(Defect::Meetings)?;
                    let kinship = Kinship::Seeds;
                    let claim = Claim { machine, have, want, cover, kinship };
                    self.checker.judge(&claim, budget)?;
                }
            }
        }
        Ok(representatives)
    }

    /// The next call that the argument names.
    fn next_call(&mut self, start: &Place) -> Result<Entered, Defect> {
        let step = self.steps.find(|step| step.call.is_some()).ok_or(Defect::Steps)?;
        let target = self.claimed.target(step.to).ok_or(Defect::Steps)?;
        let is_there = target.place == *start;
        is_there.then(|| (step.to, step.cover.binding.clone())).ok_or(Defect::Steps)
    }
}

impl<'a> Joins<'a> for ReplayJoins<'a, '_> {
    fn meet(
        &mut self,
        machine: &Semantics<'_>,
        place: &Place,
        states: Vec<State>,
        budget: &mut Budget,
    ) -> Result<Vec<State>, Exhausted> {
        if self.outcome.is_err() {
            return Ok(Vec::new());
        }
        let representatives = self.representatives(machine, place, &states, budget);
        Ok(representatives.unwrap_or_else(|defect| {
            self.outcome = Err(defect);
            Vec::new()
        }))
    }

    fn enter(
        &mut self,
        _machine: &Semantics<'_>,
        start: &Place,
        _state: &State,
        _budget: &mut Budget,
    ) -> Result<Option<Entered>, Exhausted> {
        if self.outcome.is_err() {
            return Ok(None);
        }
        let entered = self.next_call(start);
        Ok(entered.map(Some).unwrap_or_else(|defect| {
            self.outcome = Err(defect);
            None
        }))
    }

    fn exits(&self, entry: NodeId) -> Vec<&'a State> {
        self.claimed.exits(entry)
    }
}

#[cfg(test)]
#[path = "follow_tests.rs"]
mod tests;
