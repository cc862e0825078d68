//! What provers by abstract states share: arguments, their check, and the
//! reasons why there are none.

use base::budget::{Budget, Exhausted};
use evidence::alarm::Alarm;
use evidence::certificate::{Certificate, CertifiedNode};
use evidence::place::NodeId;
use evidence::statement::Statement;
use evidence::step::Edge;
use rules::passing::{self, Departure};
use sonar::Machine;
use sonar::fixpoint::{Invariants, Unfinished};
use sonar::transitions::{Open, Transitions};
use verdict::check::{check, justify};
use verdict::{Reason, Unknown, Verdict};

/// How often the numbers are narrowed when the argument does not go through.
pub(super) const MAX_NARROWINGS: usize = 2;

/// The verdict when an argument was found.
pub(super) fn checked(
    machine: &Machine<'_>,
    mut certificate: Certificate,
    budget: &Budget,
) -> Verdict {
    let budget = &mut budget.of_check();
    // What is missing takes as many steps as the check itself.
    let mut effort = budget.clone();
    let justified = justify(machine, &mut certificate, &mut effort);
    if justified.is_err() {
        *budget = effort;
    }
    match justified
        .and_then(|()| check(machine.obligation, machine.shape_library, &certificate, budget))
    {
        Ok(()) => Verdict::Proved(Box::new(certificate)),
        Err(defect) => unknown(vec![Reason::Rejected(defect)]),
    }
}

/// The verdict that there is none.
pub(super) fn unknown(reasons: Vec<Reason>) -> Verdict {
    Verdict::Unknown(Box::new(Unknown { reasons }))
}

/// Why the states of a program were not found.
pub(super) fn unfinished_reasons(
    machine: &Machine<'_>,
    (invariants, why): &(Invariants, Unfinished),
) -> Vec<Reason> {
    let reason = match why {
        Unfinished::Budget(what) => Reason::Exhausted(*what),
        Unfinished::TooManyStates(place) => Reason::TooManyStates(machine.span_of(place)),
    };
    if let Reason::Exhausted(Exhausted::Time | Exhausted::Interrupt) = reason {
        // How far the analysis came by then differs from run to run.
        return vec![reason];
    }
    std::iter::once(reason).chain(reasons_of(machine, &invariants.suspicions)).collect()
}

/// The alarms that keep the goal from being shown.
pub(super) fn reasons_of(machine: &Machine<'_>, alarms: &[Alarm]) -> Vec<Reason> {
    let matter = alarms.iter().filter(|alarm| alarm.kind.matters_for(machine.goal));
    matter.cloned().map(Reason::Alarm).collect()
}

/// Why the states do not make up a transition system.
pub(super) fn open_reason(machine: &Machine<'_>, invariants: &Invariants, open: Open) -> Reason {
    match open {
        Open::Budget(what) => Reason::Exhausted(what),
        Open::Uncovered(node) => {
            Reason::NotClosed(machine.span_of(&invariants.nodes[node.index()].place))
        }
    }
}

/// What an argument by these states shows: the obligation, of the inputs and with the precondition
/// that they rely on.
fn stated(machine: &Machine<'_>) -> Statement {
    let contract = machine.contract.as_ref();
    Statement {
        inputs: machine.inputs,
        requires: contract.map_or_else(Vec::new, |contract| contract.requires.clone()),
        ..Statement::of(machine.obligation)
    }
}

/// The states and the steps between them as an argument, without ranking.
pub(super) fn certificate(
    machine: &Machine<'_>,
    invariants: Invariants,
    transitions: &Transitions,
) -> Certificate {
    let edges = &transitions.edges;
    let mut steps: Vec<Option<Vec<Edge>>> = vec![None; invariants.nodes.len()];
    steps[0] = Some(Vec::new());
    for edge in edges {
        steps[edge.to.index()].get_or_insert_default();
    }
    for edge in edges {
        let from = edge.from.index();
        steps[from].get_or_insert_default().push(edge.clone());
    }
    let meetings =
        |node: usize| transitions.meetings.get(&NodeId::at(node)).cloned().unwrap_or_default();
    let nodes = invariants.nodes.into_iter().zip(steps).enumerate();
    let nodes: Vec<CertifiedNode> = nodes
        .map(|(index, (node, steps))| CertifiedNode {
            place: node.place,
            state: node.state,
            retired: node.retired,
            steps,
            meetings: meetings(index),
        })
        .collect();
    let departures = nodes.iter().enumerate().map(|(index, node)| Departure {
        place: &node.place,
        n_steps: node.steps.as_ref().map_or(0, Vec::len),
        called: transitions.called.get(&NodeId::at(index)).cloned().unwrap_or_default(),
    });
    let requirements = passing::requirements(machine, &departures.collect::<Vec<_>>());
    Certificate {
        assumes: transitions.assumed.iter().cloned().collect(),
        requirements,
        statement: stated(machine),
        approach: machine.approach.clone(),
        nodes,
        refinement: None,
        ranking: descent::Certificate::default(),
    }
}
