//! MUTANT: termination of programs with heaps (CAV'06, Fig. 2).
//!
//! | paper | here |
//! |---|---|
//! | `Y := SONAR*[{I}]` | `sonar::fixpoint::run` |
//! | `SEED(y)` | `sonar::fixpoint::start_of`: logical variables never change what they stand for, so a state's own variables are the seeds |
//! | `Z := SONAR+[{s}]` | `sonar::transitions`: one step to the next cutpoint; more steps by composing relations |
//! | `α(z)` | the relation of an edge, numbers only |
//! | `WF(z)` | `rank` |

use crate::base::budget::{Budget, Exhausted};
use crate::base::source::Span;
use crate::rank;
use crate::sonar::Machine;
use crate::sonar::fixpoint::{self, Invariants, Unfinished};
use crate::sonar::place::Place;
use crate::sonar::transitions::{Edge, Open, transitions};
use crate::verdict::check::check;
use crate::verdict::{Certificate, CertifiedNode, Reason, Unknown, Verdict};
use std::collections::BTreeSet;

/// Proves that every run from the program's entry ends, or says why not.
#[must_use]
pub fn prove(machine: &Machine<'_>, budget: &mut Budget) -> Verdict {
    match argue(machine, budget) {
        Ok(certificate) => match check(machine, &certificate, budget) {
            Ok(()) => Verdict::Proved(Box::new(certificate)),
            Err(defect) => unknown(vec![Reason::Rejected(defect)]),
        },
        Err(failure) => unknown(failure.reasons),
    }
}

fn unknown(reasons: Vec<Reason>) -> Verdict {
    Verdict::Unknown(Box::new(Unknown { reasons }))
}

/// How often the numbers are narrowed when the argument does not go through.
const MAX_NARROWINGS: usize = 2;

/// No argument: the reasons, and the states and steps found, if every step from
/// them was seen and none went wrong.
struct NoArgument {
    reasons: Vec<Reason>,
    unranked: Option<Certificate>,
}

impl From<Vec<Reason>> for NoArgument {
    fn from(reasons: Vec<Reason>) -> Self {
        Self { reasons, unranked: None }
    }
}

/// The transition system that the analysis leaves behind, ranked or not; with
/// ranking functions only where the whole system has them.
///
/// # Errors
/// Why there is none: something may go wrong, or the states were not found.
pub fn transition_system(
    machine: &Machine<'_>,
    budget: &mut Budget,
) -> Result<Certificate, Vec<Reason>> {
    argue(machine, budget).or_else(|failure| failure.unranked.ok_or(failure.reasons))
}

/// Finds an argument, or reasons why there is none.
fn argue(machine: &Machine<'_>, budget: &mut Budget) -> Result<Certificate, NoArgument> {
    let mut invariants = fixpoint::run(machine, budget)
        .map_err(|unfinished| reasons(machine, &unfinished.0, &unfinished.1))?;
    let mut failure = NoArgument::from(Vec::new());
    for round in 0..=MAX_NARROWINGS {
        let steps = match transitions(machine, &invariants, budget) {
            Ok(steps) => steps,
            // Narrowed states need not be closed under execution.
            Err(Open::Uncovered(_)) if round > 0 => break,
            Err(open) => return Err(vec![open_reason(machine, &invariants, open)].into()),
        };
        if steps.alarms.is_empty() {
            match ranked(machine, certificate(invariants.clone(), steps.edges.clone())) {
                Ok(certificate) => return Ok(certificate),
                Err(unranked) => failure = unranked,
            }
        } else {
            failure.reasons = steps.alarms.iter().cloned().map(Reason::Alarm).collect();
        }
        if round < MAX_NARROWINGS {
            invariants = steps.narrowed(&invariants);
        }
    }
    Err(failure)
}

fn reasons(machine: &Machine<'_>, invariants: &Invariants, why: &Unfinished) -> Vec<Reason> {
    let reason = match why {
        Unfinished::Budget(what) => Reason::Exhausted(*what),
        Unfinished::TooManyStates(place) => Reason::TooManyStates(span_of(machine, place)),
    };
    if reason == Reason::Exhausted(Exhausted::Time) {
        // How far the analysis came by then differs from run to run.
        return vec![reason];
    }
    let suspicions = invariants.suspicions.iter().cloned().map(Reason::Alarm);
    std::iter::once(reason).chain(suspicions).collect()
}

fn open_reason(machine: &Machine<'_>, invariants: &Invariants, open: Open) -> Reason {
    match open {
        Open::Budget(what) => Reason::Exhausted(what),
        Open::Uncovered(node) => {
            Reason::NotClosed(span_of(machine, &invariants.nodes[node.index()].place))
        }
    }
}

fn certificate(invariants: Invariants, edges: Vec<Edge>) -> Certificate {
    let mut steps: Vec<Option<Vec<Edge>>> = vec![None; invariants.nodes.len()];
    steps[0] = Some(Vec::new());
    for edge in &edges {
        steps[edge.to.index()].get_or_insert_default();
    }
    for edge in edges {
        let from = edge.from.index();
        steps[from].get_or_insert_default().push(edge);
    }
    let nodes = invariants.nodes.into_iter().zip(steps);
    Certificate {
        nodes: nodes
            .map(|(node, steps)| CertifiedNode {
                place: node.place,
                state: node.state,
                retired: node.retired,
                steps,
            })
            .collect(),
        refinement: None,
        ranking: rank::Certificate::default(),
    }
}

/// Finds ranking functions (`WF` of the paper, for all relations at once), or
/// names the loops that have none.
fn ranked(machine: &Machine<'_>, certificate: Certificate) -> Result<Certificate, NoArgument> {
    let system = certificate.system();
    let Some((ranking, stuck)) = rank::lexicographic::attempt(&system) else {
        return Err(NoArgument::from(Vec::new()));
    };
    if stuck.is_empty() {
        return Ok(Certificate { ranking, ..certificate });
    }
    if let Some((refinement, ranking)) = rank::splitting::rank_cells(&system, &stuck) {
        return Ok(Certificate { refinement: Some(refinement), ranking, ..certificate });
    }
    let edges = stuck.iter().flatten().map(|edge| system.edges[*edge].from);
    let spans: BTreeSet<Span> =
        edges.map(|node| span_of(machine, &certificate.nodes[node].place)).collect();
    let reasons = spans.into_iter().map(Reason::NoRanking).collect();
    Err(NoArgument { reasons, unranked: Some(certificate) })
}

/// Where the loop of a place stands in the source.
#[must_use]
pub fn span_of(machine: &Machine<'_>, place: &Place) -> Span {
    let Some(site) = place.site() else { return Span::NOWHERE };
    machine.program.procedure(site.procedure).block(site.block).span
}
