//! Runs that come back to a state that they were in, as far as it matters: what they do between,
//! they may do for ever.

use super::read_later::ReadLater;
use concrete::Outcome;
use concrete::canonical::CanonicalForm;
use concrete::choices::Choices;
use concrete::interpreter::Interpreter;
use concrete::state::{Location, State};
use ir::Program;
use ir::cutpoint::CutSet;

/// So many steps are done before states are compared.
const FEW: u64 = 1_000;

/// Looks for states that come back.
pub struct Repetitions<'program> {
    interpreter: Interpreter<'program>,
    cut_sets: Vec<CutSet>,
    later: ReadLater,
}

/// The numbers of steps before a state and before the same one again, at the start of a block
/// that is a cutpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// Before it.
    pub start: u64,
    /// Before the same.
    pub end: u64,
}

/// A state that may come back.
struct Remembered {
    step: u64,
    location: Location,
    form: CanonicalForm,
}

impl<'program> Repetitions<'program> {
    /// Of runs of a program.
    #[must_use]
    pub fn new(program: &'program Program) -> Self {
        let cut_sets = program.procedures.iter().map(CutSet::of_procedure).collect();
        let (interpreter, later) = (Interpreter::new(program), ReadLater::in_program(program));
        Self { interpreter, cut_sets, later }
    }

    /// Where a run with these choices comes back to a state, if it does so within `most` steps.
    /// States are compared behind the first few: most runs end in these (Brent, *An improved Monte
    /// Carlo factorization algorithm*, BIT 1980: one state is remembered, a later one after twice as
    /// many visits).
    pub fn first(&self, choices: &mut dyn Choices, most: u64) -> Option<Repetition> {
        self.first_watched(choices, most, &mut |_| {})
    }

    /// The same, and each state of the run is shown.
    pub fn first_watched(
        &self,
        choices: &mut dyn Choices,
        most: u64,
        watch: &mut dyn FnMut(&State),
    ) -> Option<Repetition> {
        let mut state = self.interpreter.initial();
        let mut remembered: Option<Remembered> = None;
        let (mut n_visits, mut most_visits) = (0_u64, 1);
        for step in 0..most {
            watch(&state);
            let place = if step < FEW { None } else { self.cutpoint(&state) };
            if let Some(location) = place {
                n_visits += 1;
                let is_back =
                    |it: &&Remembered| it.location == location && it.form == self.form(&state);
                if let Some(known) = remembered.as_ref().filter(is_back) {
                    return Some(Repetition { start: known.step, end: step });
                }
                if n_visits >= most_visits {
                    (n_visits, most_visits) = (0, 2 * most_visits);
                    let form = self.form(&state);
                    remembered = Some(Remembered { step, location, form });
                }
            }
            if self.interpreter.step(&mut state, choices) != Outcome::Running {
                return None;
            }
        }
        None
    }

    /// What is the same where a run comes back: a counter that nobody asks may have gone on.
    fn form(&self, state: &State) -> CanonicalForm {
        state.canonical_form_where(&|frame, it| self.later.contains(state, frame, it)).0
    }

    /// Where a state is, if that is the start of a block that is a cutpoint.
    fn cutpoint(&self, state: &State) -> Option<Location> {
        let location = state.location().filter(|it| it.command == 0)?;
        self.cut_sets[location.procedure.index()].contains(location.block).then_some(location)
    }
}

#[cfg(test)]
mod tests {
    use super::Repetitions;
    use concrete::choices::ChoiceList;

    /// Whether the loop `while (goes_on) x = next;` comes back to a state, from 0 on.
    fn repeats(goes_on: &str, next: &str) -> bool {
        let text = format!(
            "procedure main() {{ local x: i32
            b0: x := 0 goto b1
            b1: if {goes_on} goto b2 else b3
            b2: x := {next} goto b1
            b3: return }}
            entry main"
        );
        let program = ir::text::parse("loops.goto", &text).unwrap().program;
        let found = Repetitions::new(&program).first(&mut ChoiceList::new(Vec::new()), 5_000);
        found.is_some_and(|it| it.start < it.end)
    }

    #[test]
    fn a_state_that_comes_back_is_told_from_one_that_is_new() {
        assert!(repeats("x < 5", "3 - x"));
        assert!(!repeats("x < 5", "x + 1"), "it ends");
        assert!(!repeats("x >= 0", "x + 1"), "each state is new");
    }
}
