//! Calls that are tabulated: what a call sees is described by an entry state, what its body does
//! by states that remember that entry, and what it leaves by an exit state.

use super::{Claims, Tally, place_of, show_state};
use wane::concrete::state::State as ConcreteState;
use wane::concrete::value::Value;
use wane::evidence::certificate::Retired;
use wane::evidence::place::{NodeId, Place};
use wane::heap::definitions::form_of;
use wane::heap::model::{MAX_MODELS, Valuation, View, valuations_of};
use wane::ir::{Command, ProcedureId, Variable};
use wane::logic::{LinearExpr, Var};

/// A call that has not returned.
pub(super) struct Call {
    procedure: ProcedureId,
    /// How many frames there are outside of it.
    n_callers: usize,
    /// The entry states that describe it, with the models.
    entries: Vec<(NodeId, Valuation)>,
}

/// Whether a run can still be compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparable {
    Yes,
    /// There are too many models to tell.
    No,
}

impl Claims<'_> {
    /// Notes calls that begin and end with the last step, and compares the states there.
    pub(super) fn follow_calls(
        &self,
        state: &ConcreteState,
        calls: &mut Vec<Call>,
        tally: &mut Tally,
    ) -> Result<Comparable, String> {
        while let Some(call) = calls.last()
            && state.frames().len() <= call.n_callers
        {
            // A run that has ended has no caller any more.
            if !state.frames().is_empty() {
                self.leave(state, call)?;
                tally.returns += 1;
            }
            calls.pop();
        }
        let Some(location) = state.location() else { return Ok(Comparable::Yes) };
        let n_callers = state.frames().len() - 1;
        let is_known = calls.last().is_some_and(|call| call.n_callers == n_callers);
        let is_start = location.block.index() == 0 && location.command == 0;
        if is_known || !is_start || !self.machine.is_tabulated(location.procedure) {
            return Ok(Comparable::Yes);
        }
        let start = Place::start(location.procedure);
        let entries = self.described_part(state, &start, n_callers, &[]);
        if entries.len() >= MAX_MODELS {
            return Ok(Comparable::No);
        }
        if entries.is_empty() {
            return Err(self.told("no entry state describes this call", &start, state));
        }
        tally.entries += 1;
        calls.push(Call { procedure: location.procedure, n_callers, entries });
        Ok(Comparable::Yes)
    }

    /// A cutpoint is reached in the body of a call.
    pub(super) fn arrive_in(&self, state: &ConcreteState, call: &Call) -> Result<(), String> {
        let sites = place_of(state).sites.into_iter().skip(call.n_callers).collect();
        let place = Place { entry: None, sites };
        let is_described = call.entries.iter().any(|(entry, model)| {
            let slots = self.remembered(*entry, model);
            !self.described_part(state, &place.inside(*entry), call.n_callers, &slots).is_empty()
        });
        let what = "no state of the body describes this";
        is_described.then_some(()).ok_or_else(|| self.told(what, &place, state))
    }

    /// A call has returned.
    fn leave(&self, state: &ConcreteState, call: &Call) -> Result<(), String> {
        let n_frames = state.frames().len();
        let result = self.result_of(state, call.procedure);
        let is_described = call.entries.iter().any(|(entry, model)| {
            let mut slots = self.remembered(*entry, model);
            slots.extend(result.clone());
            !self.described_part(state, &Place::exit(*entry), n_frames, &slots).is_empty()
        });
        let place = Place::start(call.procedure);
        let what = "no exit state describes this return";
        is_described.then_some(()).ok_or_else(|| self.told(what, &place, state))
    }

    /// What the caller has received.
    fn result_of(
        &self,
        state: &ConcreteState,
        procedure: ProcedureId,
    ) -> Option<(Variable, LinearExpr)> {
        let location = state.location()?;
        let block = self.machine.program.procedure(location.procedure).block(location.block);
        let call = block.commands.get(location.command.checked_sub(1)?)?;
        let Command::Call { target: Some(target), .. } = &call.command else { return None };
        let is_target = |(variable, _): &(Variable, Value)| variable == target;
        let found = state.frames().last()?.variables().find(is_target);
        let (_, value) = found.or_else(|| state.globals().find(is_target))?;
        Some((self.machine.result_slot(procedure), form_of(value)))
    }

    /// What the slots of a body hold, where it was entered in this model of an entry state.
    fn remembered(&self, entry: NodeId, model: &Valuation) -> Vec<(Variable, LinearExpr)> {
        let variables = 0..self.invariants.nodes[entry.index()].state.vocabulary.len();
        let slot = |index: usize| {
            let value = model.value(Var::at(index))?.clone();
            Some((self.machine.ghost(Var::at(index)), value))
        };
        variables.filter_map(slot).collect()
    }

    fn described_part(
        &self,
        state: &ConcreteState,
        place: &Place,
        n_callers: usize,
        slots: &[(Variable, LinearExpr)],
    ) -> Vec<(NodeId, Valuation)> {
        let view = View::Call { n_callers, slots };
        let nodes = self.invariants.nodes.iter().enumerate();
        let here = nodes.filter(|(_, node)| node.place == *place && node.retired == Retired::No);
        here.flat_map(|(index, node)| {
            let library = self.machine.shape_library;
            let models = valuations_of(state, view, &node.state, library);
            models.into_iter().map(move |model| (NodeId::at(index), model))
        })
        .collect()
    }

    fn told(&self, what: &str, place: &Place, state: &ConcreteState) -> String {
        format!("{what}:\n{}\n{}", self.show(place), show_state(state))
    }
}
