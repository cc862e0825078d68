//! Endless runs that nothing leads out of: the states that a run may come to are followed from
//! one of its own, numbers as sets and addresses as they are (value-set analysis: Balakrishnan,
//! Reps, CC 2004), until no more come. If no way ends the run, it does not end.
//!
//! This finds loops whose rounds differ: a counter that wraps around, flags that are set in the
//! first rounds, values that are read and make no difference. `verdict::value_sets` checks what is
//! found.

use base::budget::Budget;
use concolic::explore::{Trace, Visit};
use concolic::machine::Concolic;
use concolic::shadow::{ChoiceSource, Reductions};
use concrete::Outcome;
use concrete::state::{Location, State};
use ir::cutpoint::CutSet;
use ir::expr::Expr;
use ir::{BlockId, Command, ProcedureId, Program};
use obligation::Fairness;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use verdict::Refutation;
use verdict::value_sets::{Box, Ground, Place, Trap, start};
use verdict::witness::{Witness, justify_refutation};

/// How many places of one run are tried.
const MOST_TRIED: usize = 4;
/// How often one place is tried.
const MOST_AGAIN: usize = 6;
/// After how many visits of a loop's head bounds are pushed on.
const PATIENCE: usize = 3;
/// The same at other places.
const MORE_PATIENCE: usize = 30;
/// How many places there may be.
const MOST_PLACES: usize = 500;
/// What a place costs that is looked at.
const COST: u64 = 6;

/// The search for traps in runs of a program.
pub(super) struct Traps<'a> {
    concolic: &'a Concolic<'a>,
    fairness: &'a Fairness,
    /// Where bounds are pushed on to.
    bounds: Vec<i128>,
    heads: BTreeMap<ProcedureId, CutSet>,
    tried: BTreeMap<Location, usize>,
}

impl<'a> Traps<'a> {
    pub(super) fn new(concolic: &'a Concolic<'a>, fairness: &'a Fairness) -> Self {
        let program = concolic.program();
        let cuts = |(index, it)| (ProcedureId::at(index), CutSet::of_procedure(it));
        Self {
            concolic,
            fairness,
            bounds: bounds(program),
            heads: program.procedures.iter().enumerate().map(cuts).collect(),
            tried: BTreeMap::new(),
        }
    }

    /// Looks for a trap at the places that a run comes to again and again, the last ones first.
    pub(super) fn in_trace(&mut self, trace: &Trace, budget: &mut Budget) -> Option<Refutation> {
        let is_plain = self.fairness.requirements.is_empty() && self.fairness.control.is_empty();
        if trace.outcome != Some(Outcome::OutOfBudget) || !is_plain {
            return None;
        }
        for (first, again) in last_rounds(&trace.visits).into_iter().take(MOST_TRIED) {
            let n_tried = self.tried.entry(first.location).or_default();
            *n_tried += 1;
            if *n_tried > MOST_AGAIN {
                continue;
            }
            budget.spend(again.step + 20).ok()?;
            if let Some(found) = self.between_visits(trace, (first, again), budget) {
                return Some(found);
            }
        }
        None
    }

    fn between_visits(
        &self,
        trace: &Trace,
        (first, again): (Visit, Visit),
        budget: &mut Budget,
    ) -> Option<Refutation> {
        let mut source = trace.inputs.source();
        let mut run = self.concolic.start();
        for _ in 0..first.step {
            (self.concolic.step(&mut run, &mut source) == Ok(Outcome::Running)).then_some(())?;
        }
        let (state, stem) = (run.state.clone(), run.shadow.choices().to_vec());
        let mut cycle = self.concolic.resume(run.state, Reductions::Decided);
        let mut chosen = BTreeMap::new();
        for _ in first.step..again.step {
            let (here, n_choices) = (cycle.state.location()?, cycle.shadow.choices().len());
            (self.concolic.step(&mut cycle, &mut source) == Ok(Outcome::Running)).then_some(())?;
            let made = &cycle.shadow.choices()[n_choices..];
            let ours = made.iter().filter(|it| matches!(it.source, ChoiceSource::Input(_)));
            chosen.extend(ours.map(|it| (here, it.value)));
        }
        let mut tries = vec![BTreeMap::new(), chosen];
        tries.dedup();
        for chosen in tries {
            let Some(trap) = self.close(&state, chosen, budget) else { continue };
            let witness = Witness {
                stem: stem.iter().map(|it| it.value).collect(),
                n_stem_steps: first.step,
                cycle: cycle.shadow.choices().iter().map(|it| it.value).collect(),
                n_cycle_steps: again.step - first.step,
                reductions: Reductions::Decided,
                recurrent: Vec::new(),
                rounds: None,
                trap: Some(trap),
                restriction: None,
                multipliers: Vec::new(),
            };
            let program = self.concolic.program();
            if let Ok(found) = justify_refutation(program, self.fairness, witness) {
                return Some(found);
            }
        }
        None
    }

    /// All states that a run may come to from a state; nothing where it may end.
    fn close(
        &self,
        state: &State,
        chosen: BTreeMap<Location, i128>,
        budget: &mut Budget,
    ) -> Option<Trap> {
        let program = self.concolic.program();
        let (place, first) = start(program, state).ok()?;
        let mut ground = Ground {
            program,
            base: place.location.procedure,
            n_blocks: state.memory().n_blocks(),
            sites: Vec::new(),
            chosen: &chosen,
        };
        let mut boxes = BTreeMap::from([(place.clone(), first)]);
        let mut visits: BTreeMap<Place, usize> = BTreeMap::new();
        let mut open = VecDeque::from([place]);
        while let Some(place) = open.pop_front() {
            budget.spend(COST).ok()?;
            let states = boxes.get(&place)?.clone();
            let next = match ground.successors(&place, states) {
                Ok(next) => next,
                Err(_) => return None,
            };
            for (place, states) in next {
                let joined = match boxes.get(&place) {
                    None => states,
                    Some(old) => {
                        let count = visits.entry(place.clone()).or_default();
                        *count += 1;
                        self.joined(&place, *count, (old, &states))?
                    }
                };
                if boxes.get(&place) != Some(&joined) {
                    boxes.insert(place.clone(), joined);
                    if !open.contains(&place) {
                        open.push_back(place);
                    }
                }
            }
            if boxes.len() > MOST_PLACES {
                return None;
            }
        }
        Some(Trap { boxes, sites: ground.sites, chosen })
    }

    fn joined(&self, place: &Place, count: usize, (old, new): (&Box, &Box)) -> Option<Box> {
        let Location { procedure, block, command } = place.location;
        let cuts = self.heads.get(&procedure);
        let is_head = command == 0 && cuts.is_some_and(|it| it.contains(block));
        let patience = if is_head { PATIENCE } else { MORE_PATIENCE };
        if count > patience { old.widen(new, &self.bounds).ok() } else { old.join(new).ok() }
    }
}

/// For each place of the last rounds of a run, the last two visits with the same calls.
fn last_rounds(visits: &[Visit]) -> Vec<(Visit, Visit)> {
    let mut seen: BTreeSet<Location> = BTreeSet::new();
    let mut rounds = Vec::new();
    for (position, again) in visits.iter().enumerate().rev() {
        if again.location.block == BlockId(0) || !seen.insert(again.location) {
            continue;
        }
        let mut earlier = visits[..position].iter().rev();
        let is_alike = |it: &&Visit| it.location == again.location && it.depth == again.depth;
        if let Some(first) = earlier.find(is_alike) {
            rounds.push((*first, *again));
        }
    }
    rounds
}

/// The bounds of types, and the constants of the program with their neighbours.
fn bounds(program: &Program) -> Vec<i128> {
    let mut bounds: BTreeSet<i128> = BTreeSet::from([-1, 0, 1]);
    for bits in [7, 8, 15, 16, 31, 32, 63, 64] {
        let power = 1_i128 << bits;
        bounds.extend([-power, power - 1]);
    }
    let blocks = program.blocks();
    let mut note = |expr: &Expr| {
        for number in expr.constants().filter(|it| it.abs() <= 1 << 64) {
            bounds.extend([number - 1, number, number + 1]);
        }
    };
    for block in blocks {
        for instruction in &block.commands {
            if !matches!(instruction.command, Command::Allocate { .. }) {
                instruction.command.expressions().for_each(&mut note);
            }
        }
        block.terminator.expression().into_iter().for_each(&mut note);
    }
    bounds.into_iter().collect()
}
