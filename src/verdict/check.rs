//! The check of an argument by abstract states.
//!
//! It shares with the prover the rules of execution (`rules::explore` and what that
//! calls), and what a state knows (`heap::facts`), with the exact solver that rules
//! ask about numbers. Both are tested against the concrete interpreter. Where the
//! rules leave a choice, it follows the argument, and checks what that says:
//!
//! 1. what it shows is what the obligation asks for; it speaks of the obligation's program, or of
//!    that without what may be left out; every cycle of every procedure passes through a
//!    cutpoint, and so does every event;
//! 2. the first state is the program's start;
//! 3. running on from each state raises no alarm that matters for the goal, and takes just that for
//!    granted which is listed, if the obligation allows it to take anything;
//!    where paths meet, execution goes on with the states named, which describe all
//!    that meet; and each state that arrives at a cutpoint is one that the named
//!    state describes. Why it does, the argument says (`cover`): what each variable
//!    representatives for, how each atom is made up, and multipliers for what is said of
//!    numbers. Fixed point, folding, joins, widening and entailment are not believed;
//! 4. the relation of each step follows from what execution knows, by multipliers;
//! 5. if the goal is that every run ends, the ranking functions decrease along the relations, by
//!    multipliers; where nodes are divided into cells, these leave out no
//!    value, and no step that multipliers do not refute;
//! 6. the events of compassion requirements are passed where the argument says;
//! 7. if the goal is that no memory is lost, each heap block of each state is pointed at, and there
//!    are no others: what arrives without being described makes no. 3 fail.

use super::cover::{Claim, Kinship};
use super::follow::ReplayJoins;
use super::form::is_well_formed;
use super::multipliers::{Carried, Found};
use base::budget::Budget;
use descent::certificate::check_ranking;
use evidence::alarm::Alarm;
use evidence::approach::{Approach, Form};
use evidence::certificate::{Certificate, CertifiedNode, Retired};
use evidence::place::{NodeId, Place};
use heap::reach::hold_their_nodes;
use heap::shape::ShapeLibrary;
use heap::state::State;
use ir::cutpoint::{CallGraph, CutSet, every_cycle_is_cut};
use ir::semantics::Definedness;
use ir::slice::bounds::with_bounds;
use ir::slice::relevance::{Irrelevant, Memory};
use ir::slice::without;
use ir::{BlockId, ProcedureId, Program};
use logic::Farkas;
use obligation::{Callers, ErrorKind, Fairness, Goal, Obligation};
use rules::Semantics;
use rules::departure::departure;
use rules::explore::{Arrival, explore};
use rules::forgetting::tidy;
use rules::passing::{Departure, requirements};
use simplify::simplify;
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong with an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Something else was shown.
    Statement,
    /// What is left out may matter.
    Slice,
    /// Some cycle, or an event, avoids all cutpoints.
    Cutpoints,
    /// A call that may recur is to be followed.
    Calls,
    /// The first state is not the start.
    Start,
    /// Execution raises an alarm.
    Alarm,
    /// Other things are taken for granted than those listed.
    Assumptions,
    /// A state may have lost memory.
    Leak,
    /// A state has not the form of a state.
    Form,
    /// The steps listed are not those that execution makes.
    Steps,
    /// Paths do not meet as listed.
    Meetings,
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
    /// Steps do not pass the events as listed.
    Events,
    /// The cells of a node leave out values or steps.
    Refinement,
    /// A ranking function does not decrease, or is not bounded.
    Ranking,
    /// The check itself ran out of budget.
    Budget,
}

/// Checks an argument for an obligation. All that it works with comes from the obligation, and
/// from the argument.
///
/// # Errors
/// The first [`Defect`] found.
pub fn check(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    certificate: &Certificate,
    budget: &mut Budget,
) -> Result<(), Defect> {
    let Certificate { statement, approach, .. } = certificate;
    if !statement.answers(obligation) {
        return Err(Defect::Statement);
    }
    let numbers;
    let whole = match &approach.form {
        Form::Written => obligation.program(),
        Form::Simplified => obligation.simplified(simplify),
        Form::Numbers(form) => {
            // Of memory nothing is known there: that accesses are valid must be granted.
            if (obligation.goal, obligation.definedness) != (Goal::Ends, Definedness::Assumed) {
                return Err(Defect::Form);
            }
            let whole = form.of(obligation.simplified(simplify)).ok_or(Defect::Form)?;
            numbers = simplify(&whole);
            &numbers
        }
        Form::Bounds(needs) => {
            // That runs end is no matter of memory alone.
            let is_another =
                obligation.goal == Goal::Ends || obligation.goal.avoids(ErrorKind::ErrorReached);
            if is_another || obligation.callers != Callers::ByTypes {
                return Err(Defect::Form);
            }
            let bounded = with_bounds(obligation.simplified(simplify), needs);
            numbers = simplify(&bounded.ok_or(Defect::Form)?.program);
            &numbers
        }
    };
    let slice = match &approach.left_out {
        Some(left_out) => Some(sliced(whole, (obligation.goal, &approach.form), left_out)?),
        None => None,
    };
    let program = slice.as_ref().unwrap_or(whole);
    check_approach(program, &obligation.fairness, approach)?;
    let semantics = Semantics::of(statement, program, approach.clone(), library);
    check_argument(&semantics, certificate, budget)
}

/// The program without what is left out. Where memory must not be lost, nothing may be left
/// out: a pointer that no command reads may hold it.
fn sliced(
    program: &Program,
    (goal, form): (Goal, &Form),
    left_out: &Irrelevant,
) -> Result<Program, Defect> {
    let is_about_memory = goal.avoids(ErrorKind::Leak) || goal.avoids(ErrorKind::Unfreed);
    let has_all = left_out.variables.len() == program.variables.len();
    // Where all memory is ignored, addresses have to be numbers.
    let has_none = matches!(form, Form::Bounds(_));
    let is_apart = has_none || matches!(form, Form::Numbers(..));
    let is_right = is_apart || left_out.memory != Memory::Everything;
    if (is_about_memory && !has_none) || !has_all || !is_right {
        return Err(Defect::Slice);
    }
    Ok(without(program, &left_out.variables))
}

/// Every cycle is cut, and so is the start of each event; calls that may recur are tabulated.
fn check_approach(
    program: &Program,
    fairness: &Fairness,
    Approach { cuts, tabulated, .. }: &Approach,
) -> Result<(), Defect> {
    let n_procedures = program.procedures.len();
    if cuts.len() != n_procedures {
        return Err(Defect::Cutpoints);
    }
    let is_cut = |(index, cut_set): (usize, &CutSet)| {
        let is_event = fairness.is_event(ProcedureId::at(index));
        every_cycle_is_cut(&program.procedures[index], cut_set)
            && (!is_event || cut_set.contains(BlockId(0)))
    };
    if !cuts.iter().enumerate().all(is_cut) {
        return Err(Defect::Cutpoints);
    }
    let calls = CallGraph::of_program(program);
    let is_followed = |index: &usize| !tabulated[*index];
    let may_recur = |index: usize| calls.may_recurse(ProcedureId::at(index));
    let is_right =
        tabulated.len() == n_procedures && !(0..n_procedures).filter(is_followed).any(may_recur);
    if is_right { Ok(()) } else { Err(Defect::Calls) }
}

/// The states are closed under execution, and reach the goal.
fn check_argument(
    machine: &Semantics<'_>,
    certificate: &Certificate,
    budget: &mut Budget,
) -> Result<(), Defect> {
    check_start(machine, certificate)?;
    let Seen { called, assumed } = check_states(machine, certificate, &mut Adding, budget)?;
    if !assumed.iter().eq(&certificate.assumes) {
        return Err(Defect::Assumptions);
    }
    check_events(machine, certificate, called)?;
    match machine.goal {
        Goal::Ends => check_descent(certificate),
        Goal::Avoids(kinds) if kinds.contains(ErrorKind::Leak) => check_leaks(machine, certificate),
        Goal::Avoids(_) => Ok(()),
    }
}

/// Searches the multipliers that the [`check`] will ask for, and adds them to the
/// argument. Nothing else of the argument changes.
///
/// # Errors
/// The first [`Defect`] that no multipliers can mend.
pub fn justify(
    machine: &Semantics<'_>,
    certificate: &mut Certificate,
    budget: &mut Budget,
) -> Result<(), Defect> {
    let mut finding = Finding::default();
    check_states(machine, certificate, &mut finding, budget)?;
    for (cover, multipliers) in certificate.covers_mut().zip(finding.found) {
        cover.multipliers = multipliers;
    }
    Ok(())
}

/// Decides about claims, one after the other.
pub(super) trait ReplayChecker {
    /// Checks a claim.
    fn judge(&mut self, claim: &Claim<'_>, budget: &mut Budget) -> Result<(), Defect>;
}

/// Adds up the multipliers that a claim carries.
struct Adding;

impl ReplayChecker for Adding {
    fn judge(&mut self, claim: &Claim<'_>, budget: &mut Budget) -> Result<(), Defect> {
        let mut carried = Carried::new(&claim.cover.multipliers);
        claim.check(&mut carried, budget)?;
        if carried.is_used_up() { Ok(()) } else { Err(Defect::Numbers) }
    }
}

/// Searches the multipliers of all claims.
#[derive(Default)]
struct Finding {
    found: Vec<Vec<Farkas>>,
}

impl ReplayChecker for Finding {
    fn judge(&mut self, claim: &Claim<'_>, budget: &mut Budget) -> Result<(), Defect> {
        let mut found = Found::default();
        claim.check(&mut found, budget)?;
        self.found.push(found.0);
        Ok(())
    }
}

/// The steps pass the events of requirements as listed.
fn check_events(
    machine: &Semantics<'_>,
    certificate: &Certificate,
    called: Vec<BTreeSet<ProcedureId>>,
) -> Result<(), Defect> {
    let nodes = certificate.nodes.iter().zip(called);
    let departures = nodes.map(|(node, called)| Departure {
        place: &node.place,
        n_steps: node.steps.as_ref().map_or(0, Vec::len),
        called,
    });
    let passed = requirements(machine, &departures.collect::<Vec<_>>());
    if passed == certificate.requirements { Ok(()) } else { Err(Defect::Events) }
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
fn check_leaks(machine: &Semantics<'_>, certificate: &Certificate) -> Result<(), Defect> {
    let mut reached = certificate.nodes.iter().filter(|node| node.steps.is_some());
    let holds_all = hold_their_nodes(machine.shape_library)
        && reached.all(|node| machine.holds_all(&node.state));
    if holds_all { Ok(()) } else { Err(Defect::Leak) }
}

/// The states of a certificate, with those in use by place.
pub(super) struct Claimed<'a> {
    certificate: &'a Certificate,
    at: BTreeMap<&'a Place, Vec<&'a State>>,
}

impl<'a> Claimed<'a> {
    pub(super) fn of(certificate: &'a Certificate) -> Self {
        let mut at: BTreeMap<&Place, Vec<&State>> = BTreeMap::new();
        for node in certificate.nodes.iter().filter(|node| node.retired == Retired::No) {
            at.entry(&node.place).or_default().push(&node.state);
        }
        Self { certificate, at }
    }

    /// The states in which a procedure returns that was entered in a state.
    pub(super) fn exits(&self, entry: NodeId) -> Vec<&'a State> {
        self.at.get(&Place::exit(entry)).cloned().unwrap_or_default()
    }

    /// The node to which a step may lead. Callers see the exits in use only.
    pub(super) fn target(&self, id: NodeId) -> Option<&'a CertifiedNode> {
        let node = self.certificate.nodes.get(id.index())?;
        (node.steps.is_some() && node.retired == Retired::No).then_some(node)
    }
}

fn check_start(machine: &Semantics<'_>, certificate: &Certificate) -> Result<(), Defect> {
    let start = certificate.nodes.first().ok_or(Defect::Start)?;
    let is_start = start.place == Place::start(machine.program.entry)
        && start.state == State::initial()
        && start.steps.is_some();
    if is_start { Ok(()) } else { Err(Defect::Start) }
}

/// What execution met on the way.
#[derive(Default)]
struct Seen {
    /// For each state the procedures that are called, where calls are not followed.
    called: Vec<BTreeSet<ProcedureId>>,
    /// What was taken for granted.
    assumed: BTreeSet<Alarm>,
}

/// The states are closed under execution, and nothing goes wrong in them.
fn check_states(
    machine: &Semantics<'_>,
    certificate: &Certificate,
    checker: &mut dyn ReplayChecker,
    budget: &mut Budget,
) -> Result<Seen, Defect> {
    let claimed = Claimed::of(certificate);
    let mut in_use = certificate.nodes.iter().filter(|node| node.retired == Retired::No);
    if !in_use.all(|node| is_well_formed(machine, &node.state)) {
        return Err(Defect::Form);
    }
    let mut seen = Seen::default();
    for index in 0..certificate.nodes.len() {
        let (called, assumed) = check_steps(machine, (&claimed, index), checker, budget)?;
        seen.called.push(called);
        seen.assumed.extend(assumed);
    }
    Ok(seen)
}

fn check_steps(
    machine: &Semantics<'_>,
    (claimed, index): (&Claimed<'_>, usize),
    checker: &mut dyn ReplayChecker,
    budget: &mut Budget,
) -> Result<(BTreeSet<ProcedureId>, Vec<Alarm>), Defect> {
    let nothing = (BTreeSet::new(), Vec::new());
    let node = &claimed.certificate.nodes[index];
    let Some(steps) = &node.steps else {
        // What the start does not reach has nothing to say.
        return if node.meetings.is_empty() { Ok(nothing) } else { Err(Defect::Meetings) };
    };
    // Nothing comes after a state at which a procedure has returned, nor after
    // one whose numbers contradict each other.
    let Some((place, start)) = departure(machine, NodeId::at(index), &node.place, &node.state)
    else {
        let is_end = steps.is_empty() && node.meetings.is_empty();
        return if is_end { Ok(nothing) } else { Err(Defect::Steps) };
    };
    let mut joins = ReplayJoins::new(claimed, node, steps, &mut *checker);
    let found = explore(machine, &mut joins, &place, start, budget).map_err(|_| Defect::Budget)?;
    joins.finish()?;
    if found.alarms.iter().any(|alarm| alarm.kind.matters_for(machine.goal)) {
        return Err(Defect::Alarm);
    }
    let mut steps = steps.iter();
    for Arrival { place, state, callee, call } in found.arrivals {
        let Some(have) = tidy(machine, state, &place) else { continue };
        let step = steps.next().ok_or(Defect::Steps)?;
        let target = claimed.target(step.to).ok_or(Defect::Steps)?;
        if step.from.index() != index || step.call != call || target.place != place {
            return Err(Defect::Steps);
        }
        // What execution went on with behind a call is the exits of this state.
        let is_call = place.is_entry();
        if is_call && callee != Some((step.to, step.cover.binding.clone())) {
            return Err(Defect::Steps);
        }
        let kinship = Kinship::Step(&step.relation);
        let claim =
            Claim { machine, have: &have, want: &target.state, cover: &step.cover, kinship };
        checker.judge(&claim, budget)?;
    }
    if steps.next().is_some() { Err(Defect::Steps) } else { Ok((found.called, found.assumed)) }
}
