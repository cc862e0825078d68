//! Runs that come back to a state that they were in: what they do between, they can do for ever.

use concrete::Outcome;
use concrete::canonical::CanonicalForm;
use concrete::choices::Choices;
use concrete::interpreter::Interpreter;
use concrete::state::{Location, State};
use ir::Program;
use ir::cutpoint::CutSet;

/// Looks for states that come back.
pub struct Repetitions<'program> {
    interpreter: Interpreter<'program>,
    cut_sets: Vec<CutSet>,
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

/// What a run may do that does not end soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// It ends.
    Ends,
    /// It comes back to a state.
    Repeats(Repetition),
    /// Neither, within the steps.
    GoesOn,
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
        Self { interpreter: Interpreter::new(program), cut_sets }
    }

    /// What a run does with these choices: states are compared behind the first `n_steps`, and so
    /// many more are looked at (Brent, *An improved Monte Carlo factorization algorithm*, BIT
    /// 1980: one is remembered, a later one after twice as many visits).
    pub fn course(&self, choices: &mut dyn Choices, n_steps: u64) -> Course {
        let mut state = self.interpreter.initial();
        let mut remembered: Option<Remembered> = None;
        let (mut n_visits, mut most_visits) = (0_u64, 1);
        for step in 0..2 * n_steps {
            let place = if step < n_steps { None } else { self.cutpoint(&state) };
            if let Some(location) = place {
                n_visits += 1;
                let is_back =
                    |it: &Remembered| it.location == location && it.form == state.canonical_form();
                if let Some(known) = remembered.as_ref().filter(|it| is_back(it)) {
                    return Course::Repeats(Repetition { start: known.step, end: step });
                }
                if n_visits >= most_visits {
                    (n_visits, most_visits) = (0, 2 * most_visits);
                    let form = state.canonical_form();
                    remembered = Some(Remembered { step, location, form });
                }
            }
            if self.interpreter.step(&mut state, choices) != Outcome::Running {
                return Course::Ends;
            }
        }
        Course::GoesOn
    }

    /// Where a state is, if that is the start of a block that is a cutpoint.
    fn cutpoint(&self, state: &State) -> Option<Location> {
        let location = state.location().filter(|it| it.command == 0)?;
        self.cut_sets[location.procedure.index()].contains(location.block).then_some(location)
    }
}

#[cfg(test)]
mod tests {
    use super::{Course, Repetitions};
    use concrete::choices::ChoiceList;

    /// What the loop `while (goes_on) x = next;` does, from 0 on.
    fn course_of(goes_on: &str, next: &str) -> Course {
        let text = format!(
            "procedure main() {{ local x: i32
            b0: x := 0 goto b1
            b1: if {goes_on} goto b2 else b3
            b2: x := {next} goto b1
            b3: return }}
            entry main"
        );
        let program = ir::text::parse("loops.goto", &text).unwrap().program;
        Repetitions::new(&program).course(&mut ChoiceList::new(Vec::new()), 100)
    }

    #[test]
    fn a_state_that_comes_back_is_told_from_one_that_is_new() {
        let Course::Repeats(found) = course_of("x < 5", "3 - x") else { panic!("it comes back") };
        assert!(found.start < found.end);
        assert_eq!(course_of("x < 5", "x + 1"), Course::Ends);
        assert_eq!(course_of("x >= 0", "x + 1"), Course::GoesOn);
    }
}
