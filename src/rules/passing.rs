//! Which events the steps between abstract states pass.
//!
//! An event is the entry of a procedure, and a cutpoint: the steps from a state there surely
//! pass it, and no other step passes it but those across calls whose bodies are not followed.
//! Such a step may pass all events that the callee leads to.

use super::Semantics;
use descent::Requirement;
use evidence::place::Place;
use ir::cutpoint::CallGraph;
use ir::{BlockId, ProcedureId};
use std::collections::BTreeSet;

/// A state from which steps go.
pub struct Departure<'a> {
    /// Where it is.
    pub place: &'a Place,
    /// How many steps go from it.
    pub n_steps: usize,
    /// The procedures that are called on the way, where calls are not followed.
    pub called: BTreeSet<ProcedureId>,
}

/// The compassion requirements of `machine`, said of steps: all steps from the first state,
/// then all from the second, and so on.
#[must_use]
pub fn requirements(machine: &Semantics<'_>, departures: &[Departure<'_>]) -> Vec<Requirement> {
    let fairness = &machine.fairness;
    if fairness.requirements.is_empty() {
        return Vec::new();
    }
    let calls = CallGraph::of_program(machine.program);
    let mut requirements = vec![Requirement::default(); fairness.requirements.len()];
    let mut next = 0;
    for Departure { place, n_steps, called } in departures {
        let steps = next..next + n_steps;
        next = steps.end;
        let own = event_at(place).filter(|event| fairness.is_event(*event));
        let beyond = calls.reachable(called.iter().copied());
        for (asked, requirement) in fairness.requirements.iter().zip(&mut requirements) {
            if asked.whenever.is_none_or(|event| own == Some(event)) {
                requirement.whenever.extend(steps.clone());
            }
            if own == Some(asked.then) || beyond.contains(&asked.then) {
                requirement.then.extend(steps.clone());
            }
        }
    }
    requirements
}

/// The procedure that is entered at a place.
fn event_at(place: &Place) -> Option<ProcedureId> {
    let site = place.site()?;
    (site.block == BlockId(0) && site.command == 0).then_some(site.procedure)
}
