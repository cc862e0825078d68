//! Safety of programs with heaps: what never happens in any run.
//!
//! The argument is the one of [`mutant`](super::mutant) without ranking:
//! `Y := SONAR*[{I}]` (CAV'06, Fig. 2), closed under execution. It speaks of all
//! states that runs reach, also of runs that do not end.
//!
//! Which kinds of errors are excluded, the goal says. Nothing undefined may happen
//! whatever it says: behind an undefined step everything is possible.

use super::certify::unfinished_reasons;
use super::certify::{MAX_NARROWINGS, certificate, checked, open_reason, reasons_of, unknown};
use base::budget::Budget;
use evidence::certificate::Certificate;
use sonar::Machine;
use sonar::fixpoint;
use sonar::transitions::{Open, transitions};
use verdict::{Reason, Verdict};

/// Proves that no run from the program's entry makes an error that the goal of
/// `machine` excludes, or says why not.
#[must_use]
pub fn prove(machine: &Machine<'_>, budget: &mut Budget) -> Verdict {
    match argue(machine, budget) {
        Ok(certificate) => checked(machine, certificate, budget),
        Err(reasons) => unknown(reasons),
    }
}

/// As [`prove`], without abstraction: for programs whose loops are left after a
/// few rounds.
#[must_use]
pub fn prove_exactly(machine: &Machine<'_>, budget: &mut Budget) -> Verdict {
    let Ok(invariants) = fixpoint::run_exactly(machine, budget) else {
        return unknown(Vec::new());
    };
    let Ok(steps) = transitions(machine, &invariants, budget) else { return unknown(Vec::new()) };
    let reasons = reasons_of(machine, &steps.alarms);
    if reasons.is_empty() {
        checked(machine, certificate(machine, invariants, &steps), budget)
    } else {
        unknown(reasons)
    }
}

/// Finds states in which nothing goes wrong, or what may.
fn argue(machine: &Machine<'_>, budget: &mut Budget) -> Result<Certificate, Vec<Reason>> {
    let mut invariants = fixpoint::run(machine, budget)
        .map_err(|unfinished| unfinished_reasons(machine, &unfinished))?;
    let mut reasons = Vec::new();
    for round in 0..=MAX_NARROWINGS {
        let steps = match transitions(machine, &invariants, budget) {
            Ok(steps) => steps,
            // Narrowed states need not be closed under execution.
            Err(Open::Uncovered(_)) if round > 0 => break,
            Err(open) => return Err(vec![open_reason(machine, &invariants, open)]),
        };
        reasons = reasons_of(machine, &steps.alarms);
        if reasons.is_empty() {
            return Ok(certificate(machine, invariants, &steps));
        }
        if round < MAX_NARROWINGS {
            invariants = steps.narrowed(&invariants);
        }
    }
    Err(reasons)
}
