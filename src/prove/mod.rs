//! Provers: a question about a program in, a verdict out.
//!
//! They see the program [simplified](crate::ir::simplify), which has the same
//! runs, blocks and spans.
//!
//! * [`mutant`]: CAV'06, termination of programs with heaps.
//! * [`precondition`]: what a function that is analysed by itself needs.
//! * [`nontermination`]: runs that never end, by recurrent sets.
//! * [`safety`]: the same states: memory safety, memory cleanup, reachability.
//! * [`terminator`]: PLDI'06, transition invariants refined by counterexamples, for
//!   loops that have no lexicographic measure.
//! * [`violation`]: runs that violate one of these.

pub mod mutant;
pub mod nontermination;
mod path;
pub mod precondition;
mod reach;
mod recurrence;
pub mod safety;
mod states;
pub mod terminator;
pub mod violation;

use crate::base::budget::{Budget, Exhausted};
use crate::heap::shape::ShapeLibrary;
use crate::ir::Program;
use crate::ir::simplify::simplify;
use crate::property::Property;
use crate::sonar::contract::Contract;
use crate::sonar::plan::Plan;
use crate::sonar::{DeadVariables, Machine};
use crate::verdict::{Certificate, Reason, Unknown, Verdict};
use std::collections::BTreeMap;

/// The same program without the runs in which a signed integer overflows, where they
/// are none; made when it is asked for.
pub type Bounded<'a> = &'a dyn Fn() -> Option<&'a Program>;

/// As [`prove`] asks for termination, of a program where an overflow of signed integers
/// is undefined. `program` has unbounded ones: what ends there ends as long as nothing
/// overflows. What does not end must do so in the bounded program.
#[must_use]
pub fn prove_without_overflow(
    program: &Program,
    bounded: Bounded<'_>,
    library: &ShapeLibrary,
    budget: &mut Budget,
) -> Verdict {
    match termination(program, bounded, library, budget) {
        Verdict::Unknown(unknown) => {
            let unknown = ended_by_overflow(*unknown, (program, bounded), library, budget);
            Verdict::Unknown(Box::new(unknown))
        }
        verdict => verdict,
    }
}

/// Whether the loop that has no measure goes on for ever with unbounded integers, and
/// has a measure if nothing overflows.
fn ended_by_overflow(
    mut unknown: Unknown,
    (program, bounded): (&Program, Bounded<'_>),
    library: &ShapeLibrary,
    budget: &Budget,
) -> Unknown {
    let (Some(Reason::NoRanking(span)), Some(without), None) =
        (unknown.reasons.first(), bounded(), &program.open)
    else {
        return unknown;
    };
    let reason = Reason::EndsByOverflow(*span);
    let simple = simplify(without);
    let machine = Machine::new(&simple, library);
    let mut steps = budget.of_part(first_steps_for(&simple));
    let ends = matches!(mutant::prove(&machine, &mut steps), Verdict::Proved(_));
    if ends && nontermination::refute(program, &mut budget.of_part(REFUTATION_STEPS)).is_some() {
        unknown.reasons.insert(0, reason);
    }
    unknown
}

/// Answers a question about all runs of a program from its entry.
#[must_use]
pub fn prove(
    program: &Program,
    library: &ShapeLibrary,
    property: &Property,
    budget: &mut Budget,
) -> Verdict {
    match property {
        Property::Termination => termination(program, &|| Some(program), library, budget),
        Property::MemorySafety | Property::MemoryCleanup | Property::Reach => {
            safety(program, library, property, budget)
        }
        Property::Specification(_)
        | Property::Ctl(_)
        | Property::Ltl(_)
        | Property::ThreadTermination(_) => not_built(property),
    }
}

/// As [`prove`], of the calls that satisfy a precondition of the procedure that
/// the entry calls. Runs that go wrong are not looked for.
#[must_use]
pub fn prove_under(
    contract: Contract,
    program: &Program,
    library: &ShapeLibrary,
    property: &Property,
    budget: &mut Budget,
) -> Verdict {
    let simple = simplify(program);
    let of_safety =
        |machine: &Machine<'_>, budget: &mut Budget| safety::prove(machine, property, budget);
    let prover: &Prover<'_> = match property {
        Property::Termination => &mutant::prove,
        Property::MemorySafety | Property::MemoryCleanup | Property::Reach => &of_safety,
        Property::Specification(_)
        | Property::Ctl(_)
        | Property::Ltl(_)
        | Property::ThreadTermination(_) => return not_built(property),
    };
    let dead = dead_for(property);
    let mut machine = Machine::new(&simple, library).with_dead(dead).with_contract(Some(contract));
    let unknown = Verdict::Unknown(Box::new(Unknown { reasons: Vec::new() }));
    by_plans(&mut machine, 0, budget, prover).unwrap_or(unknown)
}

/// What becomes of variables that nothing reads any more: for leaks those that own a
/// block count.
fn dead_for(property: &Property) -> DeadVariables {
    match property {
        Property::MemorySafety => DeadVariables::KeptIfOwning,
        Property::Termination
        | Property::MemoryCleanup
        | Property::Reach
        | Property::Specification(_)
        | Property::Ctl(_)
        | Property::Ltl(_)
        | Property::ThreadTermination(_) => DeadVariables::Forgotten,
    }
}

fn not_built(property: &Property) -> Verdict {
    let reasons = vec![Reason::NotBuilt(format!("the property `{}`", property.name()))];
    Verdict::Unknown(Box::new(Unknown { reasons }))
}

/// The transition system that the shape analysis of a program leaves behind, with
/// a precondition if there is one, or one is found for a function that is analysed
/// by itself.
///
/// # Errors
/// Why there is none.
pub fn transition_system(
    program: &Program,
    contract: Option<Contract>,
    library: &ShapeLibrary,
    budget: &mut Budget,
) -> Result<Certificate, Vec<Reason>> {
    let simple = simplify(program);
    if let (Some(open), None) = (&simple.open, &contract) {
        let goal = precondition::Goal::termination();
        let found = precondition::prove(&simple, open, library, &goal, budget);
        if let Verdict::Proved(certificate) = found {
            return Ok(*certificate);
        }
    }
    let machine = Machine::new(&simple, library).with_contract(contract);
    mutant::transition_system(&machine, budget)
}

/// The steps of a first attempt at a proof, at least.
const FIRST_STEPS: u64 = 1_000;
/// The steps of a first attempt for each command and branch of the program.
const FIRST_STEPS_EACH: u64 = 24;
/// The steps that the search for an endless run may take.
const REFUTATION_STEPS: u64 = 400_000;

/// The steps that an analysis without abstraction may take.
const EXACT_STEPS: u64 = 4_000;

fn first_steps_for(program: &Program) -> u64 {
    let blocks = program.procedures.iter().flat_map(|procedure| &procedure.blocks);
    let n_commands: usize = blocks.map(|block| block.commands.len() + 1).sum();
    FIRST_STEPS.max(FIRST_STEPS_EACH * n_commands as u64)
}

/// Proves that all runs end, or else looks for one that does not. Where a proof
/// takes long, the search comes first. It sees the program as it was written, without
/// the runs that overflow where they are undefined.
fn termination(
    program: &Program,
    bounded: Bounded<'_>,
    library: &ShapeLibrary,
    budget: &mut Budget,
) -> Verdict {
    let refute =
        |budget: &Budget| nontermination::refute(bounded()?, &mut budget.of_part(REFUTATION_STEPS));
    let simple = simplify(program);
    let mut machine = Machine::new(&simple, library);
    if let Some(open) = &simple.open {
        let goal = precondition::Goal::termination();
        return match precondition::prove(&simple, open, library, &goal, budget) {
            Verdict::Unknown(unknown) => refute(budget)
                .map_or(Verdict::Unknown(unknown), |it| Verdict::Refuted(Box::new(it))),
            proof => proof,
        };
    }
    let mut first_steps = budget.of_part(first_steps_for(&simple));
    let first = mutant::prove(&machine, &mut first_steps);
    let Verdict::Unknown(unknown) = first else { return first };
    match refute(budget) {
        Some(refutation) => Verdict::Refuted(Box::new(refutation)),
        None => after_first(&mut machine, (*unknown, &first_steps), budget, &mutant::prove),
    }
}

/// The steps that each plan may take before the next one has its turn. What is
/// not proved in the last round has too many states.
const ROUNDS: [u64; 3] = [6_000, 40_000, 150_000];

/// What follows a first attempt, with few steps, at the first plan: all plans with
/// more of them, but the first if it was no question of steps. If none gives a
/// proof, the answer is why the first of them did not.
fn after_first(
    machine: &mut Machine<'_>,
    (unknown, first_steps): (Unknown, &Budget),
    budget: &Budget,
    prover: &Prover<'_>,
) -> Verdict {
    let was_cut_short =
        first_steps.is_spent() || unknown.reasons.contains(&Reason::Exhausted(Exhausted::Steps));
    let n_done = usize::from(!was_cut_short);
    match by_plans(machine, n_done, budget, prover) {
        Some(verdict) if was_cut_short || matches!(verdict, Verdict::Proved(_)) => verdict,
        _ => Verdict::Unknown(Box::new(unknown)),
    }
}

/// How a question is answered by one plan.
type Prover<'a> = dyn Fn(&Machine<'_>, &mut Budget) -> Verdict + 'a;

/// Tries the plans but the first `n_done`, in rounds. Gives the first proof, or
/// else why the first of them found none.
fn by_plans(
    machine: &mut Machine<'_>,
    n_done: usize,
    budget: &Budget,
    prover: &Prover<'_>,
) -> Option<Verdict> {
    let mut open: Vec<(usize, Plan)> = machine.plans().into_iter().enumerate().collect();
    open.drain(..n_done);
    let mut answers: BTreeMap<usize, Verdict> = BTreeMap::new();
    for steps in ROUNDS {
        let mut exhausted = Vec::new();
        for (number, plan) in open {
            machine.plan.clone_from(&plan);
            let mut part = budget.of_part(steps);
            let verdict = prover(machine, &mut part);
            if matches!(verdict, Verdict::Proved(_)) {
                return Some(verdict);
            }
            answers.insert(number, verdict);
            if part.is_spent() {
                exhausted.push((number, plan));
            }
        }
        open = exhausted;
    }
    answers.pop_first().map(|(_, verdict)| verdict)
}

/// Proves that no run violates the property, or else looks for one that does.
/// Where a proof takes long, the search comes first. It sees the program as it
/// was written.
fn safety(
    program: &Program,
    library: &ShapeLibrary,
    property: &Property,
    budget: &mut Budget,
) -> Verdict {
    let simple = simplify(program);
    let dead = dead_for(property);
    let prover =
        |machine: &Machine<'_>, budget: &mut Budget| safety::prove(machine, property, budget);
    if let Some(open) = &simple.open {
        let goal = precondition::Goal { property, dead, prover: &prover };
        return match precondition::prove(&simple, open, library, &goal, budget) {
            Verdict::Unknown(unknown) => {
                violation::search(program, property, &mut budget.of_part(REFUTATION_STEPS))
                    .map_or(Verdict::Unknown(unknown), |it| Verdict::Violated(Box::new(it)))
            }
            proof => proof,
        };
    }
    let mut machine = Machine::new(&simple, library).with_dead(dead);
    let mut first_steps = budget.of_part(first_steps_for(&simple));
    let first = safety::prove(&machine, property, &mut first_steps);
    let Verdict::Unknown(unknown) = first else { return first };
    let found = violation::search(program, property, &mut budget.of_part(REFUTATION_STEPS));
    if let Some(violation) = found {
        return Verdict::Violated(Box::new(violation));
    }
    let exact = safety::prove_exactly(&machine, property, &mut budget.of_part(EXACT_STEPS));
    if let Verdict::Proved(_) = exact {
        return exact;
    }
    after_first(&mut machine, (*unknown, &first_steps), budget, &prover)
}
