//! Plainer inputs for a run that never ends: each run that is tried is proved to be endless as the
//! one that was found is, or it does not count.

use super::minimal::{Again, plainest};
use super::nontermination::Search;
use base::budget::Budget;
use base::limits::MINIMISING_STEPS;
use concrete::Outcome;
use concrete::choices::ChoiceList;
use concrete::interpreter::Interpreter;
use ir::Program;
use obligation::Fairness;
use verdict::Refutation;
use verdict::violation::Chosen;
use verdict::witness::{Witness, check_refutation, justify_refutation};

/// A run that stays in the same loop, with fewer and plainer inputs. What says which of several
/// parts moves is left as it is.
#[must_use]
pub(super) fn minimised(
    program: &Program,
    fairness: &Fairness,
    found: Refutation,
    budget: &Budget,
) -> Refutation {
    if !fairness.control.is_empty() {
        return found;
    }
    let concolic = concolic::machine::Concolic::new(program);
    let search = Search::of_any(&concolic, fairness);
    let endless = Endless { program, fairness, search: &search };
    let plain = plainest(found.clone(), &endless, &mut budget.of_part(MINIMISING_STEPS));
    let Refutation { witness, .. } = search.without_needless(plain);
    check_refutation(program, fairness, &witness)
        .map_or(found, |lasso| Refutation { witness, lasso })
}

/// Runs that never end.
struct Endless<'a> {
    program: &'a Program,
    fairness: &'a Fairness,
    search: &'a Search<'a>,
}

/// A visit of the place where rounds begin: how many steps and how many choices are before it.
#[derive(Clone, Copy)]
struct Visit {
    n_steps: u64,
    n_choices: usize,
}

impl Endless<'_> {
    /// Where a run with these choices comes to the place where rounds begin, within so many steps;
    /// nothing if it ends.
    fn visits(&self, run: &Refutation, values: &[i128], most: u64) -> Option<Vec<Visit>> {
        let place = run.lasso.state.location();
        let interpreter = Interpreter::new(self.program);
        let (mut state, mut source) = (interpreter.initial(), ChoiceList::new(values.to_vec()));
        let mut visits = Vec::new();
        for n_steps in 0..=most {
            if state.location() == place {
                visits.push(Visit { n_steps, n_choices: source.n_asked() });
            }
            if interpreter.step(&mut state, &mut source) != Outcome::Running {
                return None;
            }
        }
        Some(visits)
    }

    /// An endless run with these choices whose first round is between two visits.
    fn between(&self, run: &Refutation, values: &[i128], ends: [Visit; 2]) -> Option<Refutation> {
        let n_cycle_steps = ends[1].n_steps - ends[0].n_steps;
        let Witness { rounds, trap, restriction, .. } = &run.witness;
        if rounds.is_none() && trap.is_none() && restriction.is_none() {
            let source = ChoiceList::new(values.to_vec());
            return self.search.lasso(source, [ends[0].n_steps, n_cycle_steps]);
        }
        let chosen = |from: usize, to: usize| -> Vec<i128> {
            (from..to).map(|it| values.get(it).copied().unwrap_or(0)).collect()
        };
        let witness = Witness {
            stem: chosen(0, ends[0].n_choices),
            n_stem_steps: ends[0].n_steps,
            cycle: chosen(ends[0].n_choices, ends[1].n_choices),
            n_cycle_steps,
            ..run.witness.clone()
        };
        justify_refutation(self.program, self.fairness, witness).ok()
    }
}

impl Again for Endless<'_> {
    type Run = Refutation;

    fn choices(&self, run: &Refutation) -> Vec<Chosen> {
        run.lasso.choices.iter().flatten().map(Chosen::from).collect()
    }

    fn n_steps(&self, run: &Refutation) -> u64 {
        run.witness.n_stem_steps.saturating_add(run.witness.n_cycle_steps)
    }

    /// A run is not only carried out: it is proved to be endless.
    fn price(&self, n_steps: u64) -> u64 {
        n_steps.saturating_add(20)
    }

    fn again(&self, run: &Refutation, values: Vec<i128>, n_steps: u64) -> Option<Refutation> {
        let shown = [&run.witness.stem[..], &run.witness.cycle].concat();
        let n_visits = self.visits(run, &shown, self.n_steps(run))?;
        let is_of_round = |it: &&Visit| it.n_steps >= run.witness.n_stem_steps;
        let period = n_visits.iter().filter(is_of_round).count().checked_sub(1)?;
        let visits = self.visits(run, &values, n_steps)?;
        let last = visits.len().checked_sub(period + 1)?;
        let starts = if last == 0 { vec![0] } else { vec![0, last] };
        let ends = |start: usize| [visits[start], visits[start + period]];
        starts.into_iter().find_map(|start| self.between(run, &values, ends(start)))
    }
}
