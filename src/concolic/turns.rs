//! Runs of a program that is made of several, one of which is chosen again and again to move:
//! each moves until the program is where it was before in its turn, and then the next one does.
//! Who cannot move lets the one before go on a little.
//!
//! Where all are is in variables that tell where an automaton is (`obligation::Fairness`).

use super::explore::{Exploration, Filler, Inputs, Trace};
use super::inputs::Looking;
use super::machine::Run;
use base::budget::Budget;
use concrete::choices::{Choices, Occasion};
use concrete::value::Value;
use ir::{HavocSource, ScalarType, Variable};

/// The input that says who moves.
pub const WHO: &str = "$schedule";

/// A run is over when nobody went elsewhere in so many rounds.
const IDLE_ROUNDS: usize = 6;

/// Who does not move in its turn waits for so many moves of the one before.
const MOST_HELP: usize = 3;

/// How a run is to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turns {
    /// Who is chosen, one after the other, at first.
    pub first: Vec<i128>,
    /// Who is chosen again and again behind that.
    pub again: Vec<i128>,
    /// All other inputs.
    pub inputs: Filler,
}

impl Exploration<'_> {
    /// A run that goes like that; `control` tells where the parts are. `None` when the budget is
    /// spent.
    pub fn in_turns(
        &self,
        turns: &Turns,
        control: &[Variable],
        budget: &mut Budget,
    ) -> Option<Trace> {
        let mut source = Source {
            turns,
            control,
            places: Vec::new(),
            seen: Vec::new(),
            n_turns: 0,
            n_inputs: 0,
            n_idle: 0,
            n_helped: 0,
        };
        let mut trace = self.follow(&mut source, budget)?;
        let values = trace.choices.iter().map(|it| it.value).collect();
        trace.inputs = Inputs { values, then: turns.inputs };
        Some(trace)
    }
}

struct Source<'a> {
    turns: &'a Turns,
    control: &'a [Variable],
    /// Where all are now.
    places: Vec<Option<i128>>,
    /// Where all were in this turn.
    seen: Vec<Vec<Option<i128>>>,
    n_turns: usize,
    n_inputs: usize,
    /// How many turns it is since somebody went elsewhere.
    n_idle: usize,
    /// How often somebody else has moved in this turn.
    n_helped: usize,
}

impl Looking for Source<'_> {
    fn look(&mut self, run: &Run) -> bool {
        let held = |wanted: &Variable| {
            let mut globals = run.state.globals();
            match globals.find(|(it, _)| it == wanted) {
                Some((_, Value::Int(place))) => Some(place),
                _ => None,
            }
        };
        self.places = self.control.iter().map(held).collect();
        self.n_idle <= IDLE_ROUNDS * self.turns.again.len()
    }
}

impl Choices for Source<'_> {
    fn choose(&mut self, _: ScalarType, occasion: Occasion<'_>) -> i128 {
        match occasion {
            Occasion::Havoc(HavocSource::Input(name)) if name == WHO => {}
            Occasion::Havoc(HavocSource::Input(_)) => {
                self.n_inputs += 1;
                return self.turns.inputs.at(self.n_inputs - 1);
            }
            // Hardly anything depends on these.
            _ => return 0,
        }
        let is_back = self.seen.contains(&self.places);
        let is_stuck = is_back && self.seen.len() == 1;
        if is_stuck && self.n_helped < MOST_HELP && self.n_turns > 0 {
            // Perhaps it waits for who moved before.
            self.n_helped += 1;
            self.seen.clear();
            return self.who(self.n_turns - 1);
        }
        if is_back {
            self.n_idle = if is_stuck { self.n_idle + 1 } else { 0 };
            self.n_helped = 0;
            self.seen.clear();
            self.n_turns += 1;
        }
        self.seen.push(self.places.clone());
        self.who(self.n_turns)
    }
}

impl Source<'_> {
    /// Whose turn is the one of this number.
    fn who(&self, turn: usize) -> i128 {
        let Turns { first, again, .. } = self.turns;
        let behind = turn.checked_sub(first.len());
        behind.map_or_else(|| first[turn], |number| again[number % again.len()])
    }
}
