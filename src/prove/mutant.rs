//! MUTANT: termination of programs with heaps (CAV'06, Fig. 2).
//!
//! | paper | here |
//! |---|---|
//! | `Y := SONAR*[{I}]` | `sonar::fixpoint::run` |
//! | `SEED(y)` | `rules::departure::start_of`: logical variables never change what they stand for, so a state's own variables are the seeds |
//! | `Z := SONAR+[{s}]` | `sonar::transitions`: one step to the next cutpoint; more steps by composing relations |
//! | `α(z)` | the relation of an edge, numbers only |
//! | `WF(z)` | `rank`, and `terminator` for what that does not rank |

use super::certify::unfinished_reasons;
use super::certify::{MAX_NARROWINGS, certificate, checked, open_reason, reasons_of, unknown};
use super::path::resting;
use super::terminator;
use base::budget::Budget;
use base::limits::{DIVISION_UNITS, RANKING_UNITS, TRANSITION_INVARIANT_UNITS};
use base::source::Span;
use evidence::certificate::Certificate;
use rank;
use sonar::fixpoint;
use sonar::transitions::{Open, transitions};
use sonar::{Effort, Machine};
use std::collections::BTreeSet;
use verdict::{Reason, Verdict};

/// Proves that every run from the program's entry ends, or says why not.
#[must_use]
pub fn prove(machine: &Machine<'_>, budget: &mut Budget) -> Verdict {
    match argue(machine, budget) {
        Ok(certificate) => checked(machine, certificate, budget),
        Err(failure) => unknown(failure.reasons),
    }
}

/// As [`prove`], without abstraction: for programs whose loops are left after a few rounds.
/// Each round has states of its own, so that nothing is left to rank.
#[must_use]
pub fn prove_exactly(machine: &Machine<'_>, budget: &mut Budget) -> Verdict {
    let Ok(invariants) = fixpoint::run_exactly(machine, budget) else {
        return unknown(Vec::new());
    };
    let Ok(steps) = transitions(machine, &invariants, budget) else { return unknown(Vec::new()) };
    let alarms = reasons_of(machine, &steps.alarms);
    if !alarms.is_empty() {
        return unknown(alarms);
    }
    match ranked(machine, certificate(machine, invariants, &steps), budget) {
        Ok(certificate) => checked(machine, certificate, budget),
        Err(failure) => unknown(failure.reasons),
    }
}

/// No argument: the reasons, and the states and steps found, if every step from
/// them was seen and none went wrong.
struct NoArgument {
    reasons: Vec<Reason>,
    unranked: Option<Box<Certificate>>,
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
    argue(machine, budget)
        .or_else(|failure| failure.unranked.map(|found| *found).ok_or(failure.reasons))
}

/// Finds an argument, or reasons why there is none.
fn argue(machine: &Machine<'_>, budget: &mut Budget) -> Result<Certificate, NoArgument> {
    let mut invariants = fixpoint::run(machine, budget)
        .map_err(|unfinished| unfinished_reasons(machine, &unfinished))?;
    let mut failure = NoArgument::from(Vec::new());
    let mut conditional = None;
    for round in 0..=MAX_NARROWINGS {
        let steps = match transitions(machine, &invariants, budget) {
            Ok(steps) => steps,
            // Narrowed states need not be closed under execution.
            Err(Open::Uncovered(_)) if round > 0 => break,
            Err(open) => return Err(vec![open_reason(machine, &invariants, open)].into()),
        };
        let alarms = reasons_of(machine, &steps.alarms);
        if alarms.is_empty() {
            match ranked(machine, certificate(machine, invariants.clone(), &steps), budget) {
                Ok(certificate) if certificate.assumes.is_empty() => return Ok(certificate),
                // Less may have to be taken for granted of narrower states.
                Ok(certificate) => conditional = Some(certificate),
                Err(unranked) => failure = unranked,
            }
        } else {
            failure.reasons = alarms;
        }
        if round < MAX_NARROWINGS {
            invariants = steps.narrowed(&invariants);
        }
    }
    if let Some(certificate) = conditional {
        return Ok(certificate);
    }
    match failure.unranked.take() {
        Some(unranked) => disjunctively_ranked(unranked, budget)
            .map_err(|unranked| NoArgument { unranked: Some(unranked), ..failure }),
        None => Err(failure),
    }
}

/// Finds transition invariants (`prove::terminator`) for what has no ranking
/// functions; else gives the states and steps back.
fn disjunctively_ranked(
    certificate: Box<Certificate>,
    budget: &Budget,
) -> Result<Certificate, Box<Certificate>> {
    let system = certificate.system();
    let mut rankings = budget.of_search(RANKING_UNITS);
    let attempt = rank::lexicographic::attempt(&system, &mut rankings);
    let mut effort = budget.of_search(TRANSITION_INVARIANT_UNITS);
    let ranking = attempt
        .and_then(|(ranking, stuck)| terminator::complete(&system, ranking, stuck, &mut effort));
    match ranking {
        Some(ranking) => Ok(Certificate { ranking, ..*certificate }),
        None => Err(certificate),
    }
}

/// Finds ranking functions (`WF` of the paper, for all relations at once), or
/// names the loops that have none.
fn ranked(
    machine: &Machine<'_>,
    certificate: Certificate,
    budget: &Budget,
) -> Result<Certificate, NoArgument> {
    let system = certificate.system();
    let without_measure = |nodes: BTreeSet<usize>| {
        let spans = nodes.into_iter().map(|it| machine.span_of(&certificate.nodes[it].place));
        let spans: BTreeSet<Span> = spans.collect();
        spans.into_iter().map(Reason::NoRanking).collect::<Vec<Reason>>()
    };
    if machine.strategy.effort != Effort::Much {
        let resting = without_measure(resting(&system).into_iter().collect());
        if !resting.is_empty() {
            return Err(NoArgument::from(resting));
        }
    }
    let mut rankings = budget.of_search(RANKING_UNITS);
    let Some((ranking, stuck)) = rank::lexicographic::attempt(&system, &mut rankings) else {
        return Err(NoArgument::from(Vec::new()));
    };
    if stuck.is_empty() {
        return Ok(Certificate { ranking, ..certificate });
    }
    let edges = stuck.iter().flatten().map(|edge| system.edges[*edge].from);
    let reasons = without_measure(edges.collect());
    if machine.strategy.effort == Effort::Least {
        return Err(NoArgument::from(reasons));
    }
    let divisions = budget.of_search(DIVISION_UNITS);
    let cells = rank::splitting::rank_cells(&system, &stuck, divisions, &mut rankings);
    if let Some((refinement, ranking)) = cells {
        return Ok(Certificate { refinement: Some(refinement), ranking, ..certificate });
    }
    Err(NoArgument { reasons, unranked: Some(Box::new(certificate)) })
}
