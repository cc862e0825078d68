//! The independent re-check of an argument by abstract states.
//!
//! Trusted are the rules of execution (`sonar::explore`, tested against the
//! concrete interpreter) and exact addition. Everything that was *searched* is
//! checked from what the search left behind:
//!
//! 1. every cycle of every procedure passes through a cutpoint;
//! 2. the first state is the program's start, and the precondition the one named;
//! 3. running on from each state raises no alarm that matters for the property,
//!    and each state that arrives at a cutpoint is one that the named state
//!    describes, by the named binding and proofs (`cover`); fixed point, folding,
//!    joins and widening are not believed;
//! 4. the relation of each step follows from what execution knows;
//! 5. for termination, the ranking functions decrease along the relations, by
//!    Farkas multipliers; where nodes are divided into cells, these leave out no
//!    value, and no step that Farkas multipliers do not refute;
//! 6. for memory safety, each heap block of each state is pointed at, and there
//!    are no others: what arrives without being described makes no. 3 fail.

use super::Certificate;
use super::cover::Claim;
use crate::base::budget::Budget;
use crate::heap::reach::hold_their_nodes;
use crate::heap::state::State;
use crate::ir::cutpoint::every_cycle_is_cut;
use crate::logic::{Constraint, simplex};
use crate::property::Property;
use crate::rank::certificate::check_ranking;
use crate::sonar::Machine;
use crate::sonar::abstraction::tidy;
use crate::sonar::explore::{Arrival, explore};
use crate::sonar::fixpoint::{Retired, departure};
use crate::sonar::place::{NodeId, Place};
use crate::sonar::summary::States;
use std::collections::BTreeMap;

/// What is wrong with an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Some cycle avoids all cutpoints.
    Cutpoints,
    /// The first state is not the start, or another precondition is assumed.
    Start,
    /// Execution raises an alarm.
    Alarm,
    /// A state may have lost memory.
    Leak,
    /// The property is none that abstract states can show.
    Property,
    /// The steps listed are not those that execution makes.
    Steps,
    /// A binding is incomplete or of the wrong kind.
    Binding,
    /// A program variable's value differs.
    Stores,
    /// The heap is not made up as claimed.
    Heap,
    /// A constraint does not follow.
    Numbers,
    /// A disequality does not follow.
    Facts,
    /// The cells of a node leave out values or steps.
    Refinement,
    /// A ranking function does not decrease, or is not bounded.
    Ranking,
    /// The check itself ran out of budget.
    Budget,
}

/// Checks an argument that the program of `machine` has the property:
/// termination, memory safety, memory cleanup or reach.
///
/// # Errors
/// The first [`Defect`] found.
pub fn check(
    machine: &Machine<'_>,
    property: &Property,
    certificate: &Certificate,
    budget: &mut Budget,
) -> Result<(), Defect> {
    let procedures = machine.program.procedures.iter();
    let all_cut = machine.cuts.len() == procedures.len()
        && procedures
            .zip(&machine.cuts)
            .all(|(procedure, cut_set)| every_cycle_is_cut(procedure, cut_set));
    if !all_cut {
        return Err(Defect::Cutpoints);
    }
    check_start(machine, certificate)?;
    let claimed = Claimed::of(certificate);
    for index in 0..certificate.nodes.len() {
        check_steps(machine, property, &claimed, index, budget)?;
    }
    match property {
        Property::Termination => check_descent(certificate),
        Property::MemorySafety => check_leaks(machine, certificate),
        Property::MemoryCleanup | Property::Reach => Ok(()),
        Property::Specification(_)
        | Property::Ctl(_)
        | Property::Ltl(_)
        | Property::ThreadTermination(_) => Err(Defect::Property),
    }
}

/// The ranking functions decrease, if need be in the cells of a division.
fn check_descent(certificate: &Certificate) -> Result<(), Defect> {
    let system = certificate.system();
    let ranked = match &certificate.refinement {
        Some(refinement) if !refinement.check(&system) => return Err(Defect::Refinement),
        Some(refinement) => refinement.system(&system).ok_or(Defect::Refinement)?,
        None => system,
    };
    check_ranking(&ranked, &certificate.ranking).map_err(|_| Defect::Ranking)
}

/// No state that runs reach has lost memory.
fn check_leaks(machine: &Machine<'_>, certificate: &Certificate) -> Result<(), Defect> {
    let mut reached = certificate.nodes.iter().filter(|node| node.steps.is_some());
    let holds_all = hold_their_nodes(machine.shape_library)
        && reached.all(|node| machine.holds_all(&node.state));
    if holds_all { Ok(()) } else { Err(Defect::Leak) }
}

/// The states of a certificate, with those in use by place.
struct Claimed<'a> {
    certificate: &'a Certificate,
    at: BTreeMap<&'a Place, Vec<NodeId>>,
}

impl<'a> Claimed<'a> {
    fn of(certificate: &'a Certificate) -> Self {
        let mut at: BTreeMap<&Place, Vec<NodeId>> = BTreeMap::new();
        for (index, node) in certificate.nodes.iter().enumerate() {
            if node.retired == Retired::No {
                at.entry(&node.place).or_default().push(NodeId::at(index));
            }
        }
        Self { certificate, at }
    }
}

impl States for Claimed<'_> {
    fn at(&self, place: &Place) -> Vec<(NodeId, &State)> {
        let known = self.at.get(place).into_iter().flatten();
        known.map(|id| (*id, &self.certificate.nodes[id.index()].state)).collect()
    }
}

fn check_start(machine: &Machine<'_>, certificate: &Certificate) -> Result<(), Defect> {
    let start = certificate.nodes.first().ok_or(Defect::Start)?;
    let is_start = start.place == Place::start(machine.program.entry)
        && start.state == State::initial()
        && start.steps.is_some();
    let required = machine.contract.as_ref().map_or(&[][..], |contract| &contract.requires);
    let is_start = is_start && required == certificate.requires;
    if is_start { Ok(()) } else { Err(Defect::Start) }
}

fn check_steps(
    machine: &Machine<'_>,
    property: &Property,
    claimed: &Claimed<'_>,
    index: usize,
    budget: &mut Budget,
) -> Result<(), Defect> {
    let certificate = claimed.certificate;
    let node = &certificate.nodes[index];
    let Some(steps) = &node.steps else { return Ok(()) };
    // Nothing comes after a state at which a procedure has returned, nor after
    // one whose numbers contradict each other.
    let Some((place, start)) = departure(machine, NodeId::at(index), &node.place, &node.state)
    else {
        return if steps.is_empty() { Ok(()) } else { Err(Defect::Steps) };
    };
    let found = explore(machine, claimed, &place, start, budget).map_err(|_| Defect::Budget)?;
    if found.alarms.iter().any(|alarm| alarm.kind.matters_for(property)) {
        return Err(Defect::Alarm);
    }
    let mut steps = steps.iter();
    for Arrival { place, state, callee, call } in found.arrivals {
        let Some(have) = tidy(machine, state, &place) else { continue };
        let step = steps.next().ok_or(Defect::Steps)?;
        let target = certificate.nodes.get(step.to.index()).ok_or(Defect::Steps)?;
        let is_there = step.from.index() == index && step.call == call;
        // Callers see the exits in use only.
        let is_in_use = target.steps.is_some() && target.retired == Retired::No;
        if !is_there || target.place != place || !is_in_use {
            return Err(Defect::Steps);
        }
        // What execution went on with behind a call is the exits of this state.
        let is_call = place.is_entry();
        if is_call && callee != Some((step.to, step.cover.binding.clone())) {
            return Err(Defect::Steps);
        }
        let claim = Claim {
            have: &have,
            want: &target.state,
            cover: &step.cover,
            shape_library: machine.shape_library,
        };
        claim.check(&step.relation, budget)?;
    }
    if steps.next().is_some() { Err(Defect::Steps) } else { Ok(()) }
}

/// Whether the multipliers of an exact simplex run add the premises up to the
/// conclusion.
pub(super) fn follows(premises: &[Constraint], conclusion: &Constraint) -> bool {
    conclusion.is_trivial()
        || simplex::surely_entails(premises, conclusion)
            .is_some_and(|farkas| farkas.check(premises, conclusion))
}
