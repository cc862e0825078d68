//! Strategies after runs: where a formula with `E` waits for something, a run that comes to it
//! says which inputs lead there.

use super::{Games, Judge, Judged, Patience, Played};
use base::limits::REFUTATION_STEPS;
use obligation::{ErrorKind, Goal};
use prove::violation;
use reduce::ctl::Branching;
use reduce::ctl::strategy::{Said, Strategy};
use std::collections::BTreeMap;
use temporal::formula::{Formula, FormulaId, Paths};
use verdict::Reason;
use verdict::violation::Trial;

/// The steps of a run that is looked for: observations are some of them.
const SCOUTING_RUN: u64 = 500;
/// The steps of a game by a strategy that a run suggests.
const GUIDED_STEPS: u64 = 40_000;
/// More formulas than this are not looked for.
const MOST_GOALS: usize = 4;

impl Judge<'_> {
    /// Plays by the strategies that runs suggest.
    pub(super) fn play_guided(
        &self,
        branching: &Branching,
        games: &[Games],
    ) -> Result<Option<Judged>, Reason> {
        for games in games {
            for strategy in self.guided(branching, games) {
                let patience = Patience::Steps(GUIDED_STEPS);
                if let Played::Won(judged) = self.play(branching, games, &strategy, patience)? {
                    return Ok(Some(*judged));
                }
            }
        }
        Ok(None)
    }

    /// The strategies that runs suggest: for all formulas at once, then for each.
    fn guided(&self, branching: &Branching, games: &Games) -> Vec<Strategy> {
        let mut found: Vec<Strategy> = Vec::new();
        let mut all = Strategy::default();
        for goal in goals(branching, games.id) {
            let Some(said) = self.way_to(branching, games, goal) else { continue };
            let inputs: BTreeMap<_, _> =
                said.into_iter().map(|(input, said)| ((input, goal), said)).collect();
            all.inputs.extend(inputs.clone());
            found.push(Strategy { inputs, ..Strategy::default() });
        }
        if found.len() > 1 {
            found.insert(0, all);
        }
        found
    }

    /// What inputs are, when first read, in a run in which this formula waits long enough.
    fn way_to(
        &self,
        branching: &Branching,
        games: &Games,
        goal: FormulaId,
    ) -> Option<BTreeMap<usize, Said>> {
        let program =
            branching.scouting(games.id, goal, games.program.clone(), self.states()).ok()?;
        let is_found = Goal::avoids_all(&[ErrorKind::ErrorReached]);
        let run = violation::search_up_to(
            SCOUTING_RUN,
            &Trial::of(&program, is_found),
            &[],
            &mut self.budget.of_part(REFUTATION_STEPS),
        )?;
        let mut said = BTreeMap::new();
        for chosen in &run.choices {
            let input = chosen.function.as_deref().and_then(Branching::number_of_input);
            if let Some(input) = input {
                said.entry(input).or_insert(Said::Value(chosen.value));
            }
        }
        (!said.is_empty()).then_some(said)
    }
}

/// The formulas with `E` that wait for something.
fn goals(branching: &Branching, id: FormulaId) -> Vec<FormulaId> {
    let mut goals = Vec::new();
    branching.table.for_each_part(id, &mut |part| {
        if let Formula::Until(Paths::Some, ..) = branching.table.get(part)
            && !goals.contains(&part)
        {
            goals.push(part);
        }
    });
    goals.truncate(MOST_GOALS);
    goals
}
