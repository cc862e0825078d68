//! The evidence that a program has a run that never ends, and its check.
//!
//! A [`Witness`] is a lasso: a *stem* that leads the interpreter to a state, and a
//! *cycle* of steps from there. The cycle can be repeated for ever because of a
//! *recurrent set* R of the numbers that it reads (Gupta, Henzinger, Majumdar,
//! Rybalchenko, Xu: *Proving non-termination*, POPL 2008):
//!
//! 1. the state after the stem is in R;
//! 2. in R, every decision of the cycle is as in the cycle, whatever the free reductions
//!    to ranges of types give, and whatever a value is that is not modelled;
//! 3. the cycle passes events so that repeating it is fair;
//! 4. the cycle leads from R into R, and to a heap that holds again what the
//!    cycle reads of the heap (`concolic::footprint`).
//!
//! Where rounds are not all alike, the cycle is the first of them, and [`Rounds`] says what
//! the others are; R is then a set of numbers in variables. Where nothing leads out of some
//! states, whichever way a round goes, they are a [`Trap`]; and where no run ends that makes
//! some choices, there is a [`Restriction`].

use super::Refutation;
use super::followed::{Followed, has_foreign_memory};
use super::multipliers::{Carried, Found, Multipliers};
use super::restriction::{Restriction, check_restriction, is_restricted};
use super::rounds::{self, Rounds};
use super::value_sets::{self, Trap};
use concolic::footprint::{self, Returned};
use concolic::machine::Concolic;
use concolic::shadow::{Choice, ChoiceSource, Entry, Reductions, Symbol};
use concrete::Outcome;
use concrete::choices::ChoiceList;
use concrete::interpreter::Interpreter;
use concrete::state::State;
use ir::expr::ScalarType;
use ir::{BlockId, Program, floats};
use logic::{Constraint, Farkas, Integer, LinearExpr};
use obligation::Fairness;
use std::collections::BTreeMap;

/// A run that never ends: a stem, and a cycle that is repeated.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What the stem chooses.
    pub stem: Vec<i128>,
    /// How many steps it has.
    pub n_stem_steps: u64,
    /// What the cycle chooses, each time.
    pub cycle: Vec<i128>,
    /// How many steps it has; at least one.
    pub n_cycle_steps: u64,
    /// What the cycle makes of sums that are reduced to the range of a type.
    pub reductions: Reductions,
    /// The recurrent set, over the symbols of the cycle's footprint
    /// ([`concolic::shadow::entry_symbol`]).
    pub recurrent: Vec<Constraint>,
    /// The rounds after the first, if they are not the same cycle with the same choices.
    pub rounds: Option<Rounds>,
    /// The states that the run stays in, if nothing leads out of them. The cycle is the first
    /// round then, and others may differ.
    pub trap: Option<Trap>,
    /// What is chosen so that the program does not end. The cycle is the first round then, and
    /// others may differ.
    pub restriction: Option<Restriction>,
    /// Why the set implies each decision of the cycle, and then, why the cycle keeps
    /// each of its constraints. A witness that is not yet to be checked has none.
    pub multipliers: Vec<Farkas>,
}

/// What is wrong with a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The stem or the cycle ends, fails, or is not modelled.
    Ends,
    /// It does not choose as often as is listed.
    Choices,
    /// The cycle's end does not hold again what the cycle needs.
    Heap,
    /// The stem does not lead into the set.
    Start,
    /// The set does not imply a decision of the cycle.
    Guard,
    /// The cycle leads out of the set.
    NotClosed,
    /// A run that repeats the cycle is not fair.
    Unfair,
}

/// A checked witness with what the check found out about it.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// The state after the stem.
    pub state: State,
    /// The state after the cycle.
    pub next: State,
    /// What the cycle reads.
    pub entries: Vec<Entry>,
    /// What the stem and the cycle choose, with their places.
    pub choices: [Vec<Choice>; 2],
    /// What the cycle does to the numbers.
    pub returned: Returned,
}

/// How often the cycle is run once more, although it is proved that it can be.
const N_REHEARSALS: usize = 3;

/// Checks that the witness is a fair run of the program that never ends. It believes
/// the interpreter and the shadow (`concolic`), and exact addition.
///
/// # Errors
/// The first [`Flaw`] found.
pub fn check_refutation(
    program: &Program,
    fairness: &Fairness,
    witness: &Witness,
) -> Result<Lasso, Flaw> {
    let mut carried = Carried::new(&witness.multipliers);
    let lasso = examine((program, fairness), witness, &mut carried)?;
    if carried.is_used_up() { Ok(lasso) } else { Err(Flaw::NotClosed) }
}

/// Searches the multipliers that the [check](check_refutation) will ask for.
///
/// # Errors
/// The first [`Flaw`] that no multipliers can mend.
pub fn justify_refutation(
    program: &Program,
    fairness: &Fairness,
    witness: Witness,
) -> Result<Refutation, Flaw> {
    let mut found = Found::default();
    let lasso = examine((program, fairness), &witness, &mut found)?;
    Ok(Refutation { witness: Witness { multipliers: found.0, ..witness }, lasso })
}

fn examine(
    (program, fairness): (&Program, &Fairness),
    witness: &Witness,
    multipliers: &mut dyn Multipliers,
) -> Result<Lasso, Flaw> {
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    let n_approximations = replay(&interpreter, &mut state, &witness.stem, witness.n_stem_steps)?;
    if n_approximations > 0 && !decides_nothing(program, witness) {
        return Err(Flaw::Choices);
    }
    if witness.trap.is_some() || witness.restriction.is_some() {
        return examine_enclosed((program, fairness), state, witness);
    }
    let lasso = match &witness.rounds {
        None => {
            let lasso = run_cycle((program, fairness), &state, witness)?;
            check_closed(witness, &lasso, multipliers)?;
            lasso
        }
        Some(rounds) => {
            let stem = stem_choices(&Concolic::new(program), witness)?;
            if !is_modelled(program, &stem) {
                return Err(Flaw::Choices);
            }
            let lasso =
                rounds::examine((program, fairness), &state, (witness, rounds), multipliers)?;
            let [_, cycle] = lasso.choices;
            Lasso { choices: [stem, cycle], ..lasso }
        }
    };
    for _ in 0..N_REHEARSALS {
        let location = state.location();
        let (choices, n_steps) = witness.round_from(&state).ok_or(Flaw::Choices)?;
        let n_approximations = replay(&interpreter, &mut state, &choices, n_steps)?;
        if n_approximations > 0
            && witness.reductions == Reductions::Decided
            && !decides_nothing(program, witness)
        {
            return Err(Flaw::Choices);
        }
        if state.location() != location {
            return Err(Flaw::Heap);
        }
    }
    Ok(lasso)
}

/// A run that stays in a trap, or makes the choices of a restriction. Events are not counted
/// in it.
fn examine_enclosed(
    (program, fairness): (&Program, &Fairness),
    start: State,
    witness: &Witness,
) -> Result<Lasso, Flaw> {
    let concolic = Concolic::new(program);
    let stem = stem_choices(&concolic, witness)?;
    // A restriction speaks of choices all over the program, also of those that callers make.
    let is_of_callers = program.open.is_some() && witness.restriction.is_some();
    if !is_modelled(program, &stem) || has_foreign_memory(program) || is_of_callers {
        return Err(Flaw::Choices);
    }
    if !fairness.requirements.is_empty() || !fairness.control.is_empty() {
        return Err(Flaw::Unfair);
    }
    if !witness.recurrent.is_empty() || witness.n_cycle_steps == 0 {
        return Err(Flaw::Start);
    }
    if let Some(trap) = &witness.trap {
        value_sets::check(program, &start, trap).map_err(|_| Flaw::NotClosed)?;
    }
    if let Some(restriction) = &witness.restriction {
        check_restriction(program, restriction).map_err(|_| Flaw::NotClosed)?;
        // The run that is shown is one of those that do not end.
        let shown = [&witness.stem[..], &witness.cycle].concat();
        let n_steps = witness.n_stem_steps.saturating_add(witness.n_cycle_steps);
        if !is_restricted(&concolic, &restriction.chosen, (shown, n_steps)) {
            return Err(Flaw::Choices);
        }
    }
    let mut run = concolic.resume(start.clone(), witness.reductions);
    let mut source = ChoiceList::new(witness.cycle.clone());
    for _ in 0..witness.n_cycle_steps {
        if concolic.step(&mut run, &mut source) != Ok(Outcome::Running) {
            return Err(Flaw::Ends);
        }
    }
    if source.n_asked() != witness.cycle.len() || run.state.location() != start.location() {
        return Err(Flaw::Choices);
    }
    Ok(Lasso {
        state: start,
        entries: run.shadow.entries().to_vec(),
        choices: [stem, run.shadow.choices().to_vec()],
        returned: Returned { guards: Vec::new(), updates: BTreeMap::new(), ranges: Vec::new() },
        next: run.state,
    })
}

impl Witness {
    /// What the round chooses that begins in a state after the stem or a round, and how
    /// many steps it has.
    #[must_use]
    pub fn round_from(&self, state: &State) -> Option<(Vec<i128>, u64)> {
        let Some(rounds) = &self.rounds else {
            return Some((self.cycle.clone(), self.n_cycle_steps));
        };
        let numbers = rounds::numbers_in(state, &rounds.variables)?;
        let round = rounds.rule.next(&numbers)?;
        Some((round.chosen(&numbers)?, round.n_steps))
    }
}

/// Whether the program's meaning says of all choices what they may be.
pub(super) fn is_modelled(program: &Program, choices: &[Choice]) -> bool {
    let foreign = has_foreign_memory(program);
    choices.iter().all(|it| match it.source {
        ChoiceSource::Approximation => {
            matches!(it.ty, ScalarType::Float(_)) && floats::are_only_moved(program)
        }
        ChoiceSource::Memory => !foreign,
        ChoiceSource::Input(_) | ChoiceSource::Uninitialised => true,
    })
}

/// Whether nothing that is not modelled decides anything in the stem and in the rounds, of which each
/// does the same: what is not known behind the first is what is not known behind the second.
fn decides_nothing(program: &Program, witness: &Witness) -> bool {
    if witness.rounds.is_some() || witness.trap.is_some() || witness.restriction.is_some() {
        return false;
    }
    let mut run = Followed::new(program, None);
    let mut go = |choices: &[i128], n_steps: u64| {
        let mut source = ChoiceList::new(choices.to_vec());
        let is_running = (0..n_steps).all(|_| run.step(&mut source) == Ok(Outcome::Running));
        is_running.then(|| run.unmodelled.clone())
    };
    if go(&witness.stem, witness.n_stem_steps).is_none() {
        return false;
    }
    let mut round = || go(&witness.cycle, witness.n_cycle_steps);
    round().zip(round()).is_some_and(|(first, second)| first.knows_what(&second))
}

/// Runs so many steps in the interpreter, with just these choices; how many of them stand for
/// values that are not modelled.
fn replay(
    interpreter: &Interpreter<'_>,
    state: &mut State,
    choices: &[i128],
    n_steps: u64,
) -> Result<usize, Flaw> {
    let mut source = ChoiceList::new(choices.to_vec());
    for _ in 0..n_steps {
        if interpreter.step(state, &mut source) != Outcome::Running {
            return Err(Flaw::Ends);
        }
    }
    if source.n_asked() != choices.len() {
        return Err(Flaw::Choices);
    }
    Ok(source.n_approximations())
}

fn run_cycle(
    (program, fairness): (&Program, &Fairness),
    start: &State,
    witness: &Witness,
) -> Result<Lasso, Flaw> {
    if witness.n_cycle_steps == 0 {
        return Err(Flaw::Ends);
    }
    let concolic = Concolic::new(program);
    let stem = stem_choices(&concolic, witness)?;
    let mut run = concolic.resume(start.clone(), witness.reductions);
    let mut source = ChoiceList::new(witness.cycle.clone());
    let mut entered = Vec::new();
    for _ in 0..witness.n_cycle_steps {
        if concolic.step(&mut run, &mut source) != Ok(Outcome::Running) {
            return Err(Flaw::Ends);
        }
        let here = run.state.location();
        let start = here.filter(|here| here.block == BlockId(0) && here.command == 0);
        entered.extend(start.map(|here| here.procedure));
    }
    if !fairness.allows(&entered) {
        return Err(Flaw::Unfair);
    }
    let choices = run.shadow.choices().to_vec();
    let is_free =
        |it: &Choice| witness.reductions == Reductions::Free && it.unmodelled_range().is_some();
    let chosen: Vec<Choice> = choices.iter().filter(|it| !is_free(it)).cloned().collect();
    let is_modelled = is_modelled(program, &stem) && is_modelled(program, &chosen)
        || decides_nothing(program, witness);
    if source.n_asked() != witness.cycle.len() || !is_modelled {
        return Err(Flaw::Choices);
    }
    let returned = footprint::returns(start, &mut run).map_err(|_| Flaw::Heap)?;
    Ok(Lasso {
        state: start.clone(),
        entries: run.shadow.entries().to_vec(),
        choices: [stem, choices],
        returned,
        next: run.state,
    })
}

/// The choices of the stem with their places.
fn stem_choices(concolic: &Concolic<'_>, witness: &Witness) -> Result<Vec<Choice>, Flaw> {
    let mut run = concolic.start();
    let mut source = ChoiceList::new(witness.stem.clone());
    for _ in 0..witness.n_stem_steps {
        if concolic.step(&mut run, &mut source) != Ok(Outcome::Running) {
            return Err(Flaw::Ends);
        }
    }
    Ok(run.shadow.choices().to_vec())
}

/// Shows that the recurrent set holds now, allows the cycle, and is kept by it.
fn check_closed(
    witness: &Witness,
    lasso: &Lasso,
    multipliers: &mut dyn Multipliers,
) -> Result<(), Flaw> {
    let set = &witness.recurrent;
    let is_entry = |symbol| match Symbol::of(symbol) {
        Symbol::Entry(index) => index < lasso.entries.len(),
        Symbol::Choice(_) | Symbol::Reduction(_) => false,
    };
    if !set.iter().all(|it| it.expr().variables().all(is_entry)) {
        return Err(Flaw::Start);
    }
    if !set.iter().all(|it| it.holds(|symbol| lasso.number_now(symbol))) {
        return Err(Flaw::Start);
    }
    let mut shows = |it: Constraint| multipliers.show(set, &lasso.returned.whatever_reduced(&it));
    let mut guards = lasso.returned.guards.iter();
    if !guards.all(|it| shows(it.map(|symbol| lasso.with_choices(symbol)))) {
        return Err(Flaw::Guard);
    }
    let mut kept = set.iter();
    if kept.all(|it| shows(it.map(|symbol| lasso.update_of(symbol)))) {
        Ok(())
    } else {
        Err(Flaw::NotClosed)
    }
}

impl Lasso {
    /// The number of a symbol after the stem.
    #[must_use]
    pub fn number_now(&self, symbol: logic::Var) -> logic::Rational {
        let number = match Symbol::of(symbol) {
            Symbol::Entry(index) => self.entries.get(index).and_then(|it| it.value.as_int()),
            Symbol::Choice(index) => self.choices[1].get(index).map(|it| it.value),
            Symbol::Reduction(_) => None,
        };
        logic::Rational::from(Integer::from(number.unwrap_or(0)))
    }

    /// The choices of the cycle are numbers, always the same.
    fn with_choices(&self, symbol: logic::Var) -> LinearExpr {
        match Symbol::of(symbol) {
            Symbol::Choice(index) if index < self.choices[1].len() => {
                LinearExpr::constant(self.choices[1][index].value)
            }
            Symbol::Choice(_) | Symbol::Entry(_) | Symbol::Reduction(_) => LinearExpr::var(symbol),
        }
    }

    /// What a number of the footprint is after the cycle. A symbol that is no
    /// number stays as it is, as nothing is known of it.
    #[must_use]
    pub fn update_of(&self, symbol: logic::Var) -> LinearExpr {
        let update = self.returned.updates.get(&symbol);
        update.map_or_else(|| LinearExpr::var(symbol), |it| it.map(|v| self.with_choices(v)))
    }
}
