//! Endless runs whose rounds are not all alike: the evidence, and its check.
//!
//! A run that comes to one place again and again need not take the same way each time,
//! nor choose the same numbers. A [`Rule`] says from the numbers at the place which way is
//! next, and what is chosen on it: linear expressions of these numbers. It is a tree
//! of questions, so that some way is always next; that the way can be taken, and leads
//! into the recurrent set again, is shown for each under the answers that lead to it
//! (recurrent sets of Gupta, Henzinger, Majumdar, Rybalchenko, Xu, POPL 2008, closed as in
//! Chen, Cook, Fuhs, Nimkar, O'Hearn: *Proving nontermination via safety*, TACAS 2014).
//!
//! Rounds read and write integers in variables only, and no call that was active at the
//! place returns in them. Thus the place and these numbers decide all that a round does.

use super::multipliers::Multipliers;
use super::witness::{Flaw, Lasso, Witness, is_modelled};
use concolic::footprint::{self, Returned};
use concolic::machine::{Concolic, Run};
use concolic::shadow::{Choice, Entry, Reductions, Slot, Symbol, entry_symbol};
use concrete::Outcome;
use concrete::choices::ChoiceList;
use concrete::state::State;
use concrete::value::Value;
use ir::expr::ScalarType;
use ir::{BlockId, Program, Variable};
use logic::{Constraint, Integer, LinearExpr, Rational, Var};
use obligation::Fairness;
use std::collections::{BTreeMap, BTreeSet};

/// Which rounds there are, and which one is next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// The variables whose numbers decide. The symbol of the one with index i is
    /// [`entry_symbol`]`(i)`, here and in the recurrent set.
    pub variables: Vec<Variable>,
    /// Which round is next.
    pub rule: Rule,
}

/// Which round is next, by the numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// By whether an inequality holds.
    Ask {
        /// The inequality.
        question: Constraint,
        /// Where it holds.
        yes: Box<Rule>,
        /// Where its negation does.
        no: Box<Rule>,
    },
    /// This one.
    Take(Round),
}

/// One way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Numbers for the variables with which the way is taken, to see what it needs.
    pub sample: Vec<i128>,
    /// What is chosen on it.
    pub choices: Vec<LinearExpr>,
    /// How many steps it has; at least one.
    pub n_steps: u64,
}

impl Rounds {
    /// Whether all rounds go the same way with the same choices.
    #[must_use]
    pub fn are_alike(&self) -> bool {
        match &self.rule {
            Rule::Take(round) => round.choices.iter().all(|it| it.as_constant().is_some()),
            Rule::Ask { .. } => false,
        }
    }
}

impl Rule {
    /// The round that is next; nothing when a question is no inequality.
    #[must_use]
    pub fn next(&self, numbers: &[i128]) -> Option<&Round> {
        match self {
            Self::Take(round) => Some(round),
            Self::Ask { question, .. } if question.is_equality() => None,
            Self::Ask { question, yes, no } => {
                let next = if question.holds(|it| number_of(numbers, it)) { yes } else { no };
                next.next(numbers)
            }
        }
    }
}

impl Round {
    /// What is chosen where the variables have these numbers.
    #[must_use]
    pub fn chosen(&self, numbers: &[i128]) -> Option<Vec<i128>> {
        let chosen = |it: &LinearExpr| {
            let value = it.evaluate(|symbol| number_of(numbers, symbol));
            value.is_integer().then(|| value.floor().to_i128()).flatten()
        };
        self.choices.iter().map(chosen).collect()
    }
}

fn number_of(numbers: &[i128], symbol: Var) -> Rational {
    let number = match Symbol::of(symbol) {
        Symbol::Entry(index) => numbers.get(index).copied(),
        Symbol::Choice(_) | Symbol::Reduction(_) => None,
    };
    Rational::from(Integer::from(number.unwrap_or(0)))
}

/// The numbers that the variables hold in a state; nothing when some hold none.
#[must_use]
pub fn numbers_in(state: &State, variables: &[Variable]) -> Option<Vec<i128>> {
    variables.iter().map(|it| state.value(*it)?.as_int()).collect()
}

/// Shows that the rule can be followed for ever from `start`, where the recurrent set of the
/// witness holds. Gives the first round as a lasso.
pub(super) fn examine(
    (program, fairness): (&Program, &Fairness),
    start: &State,
    (witness, rounds): (&Witness, &Rounds),
    multipliers: &mut dyn Multipliers,
) -> Result<Lasso, Flaw> {
    let variables = &rounds.variables;
    if variables.iter().collect::<BTreeSet<_>>().len() != variables.len() {
        return Err(Flaw::Start);
    }
    let numbers = numbers_in(start, variables).ok_or(Flaw::Start)?;
    let concolic = Concolic::new(program);
    let set = &witness.recurrent;
    let mut check =
        Check { program, fairness, concolic: &concolic, start, variables, set, multipliers };
    let is_known = |it: &Constraint| check.knows(it.expr());
    if !set.iter().all(|it| is_known(it) && it.holds(|symbol| number_of(&numbers, symbol))) {
        return Err(Flaw::Start);
    }
    check.rule(&rounds.rule, set.clone())?;
    let first = rounds.rule.next(&numbers).ok_or(Flaw::Choices)?;
    if first.chosen(&numbers).as_ref() != Some(&witness.cycle)
        || first.n_steps != witness.n_cycle_steps
        || witness.reductions != Reductions::Decided
    {
        return Err(Flaw::Choices);
    }
    let taken = check.take(&Round { sample: numbers.clone(), ..first.clone() })?;
    let entry = |(variable, number): (&Variable, &i128)| Entry {
        slot: slot_of(program, start, *variable),
        value: Value::Int(*number),
    };
    Ok(Lasso {
        state: start.clone(),
        next: taken.end,
        entries: variables.iter().zip(&numbers).map(entry).collect(),
        choices: [Vec::new(), taken.choices],
        returned: Returned { guards: taken.guards, updates: taken.updates, ranges: Vec::new() },
    })
}

/// Where a variable of the innermost call, or a global, stands.
fn slot_of(program: &Program, state: &State, variable: Variable) -> Slot {
    match program.variable(variable).owner {
        None => Slot::Global(variable),
        Some(_) => Slot::Local(state.frames().len().saturating_sub(1), variable),
    }
}

struct Check<'a> {
    program: &'a Program,
    fairness: &'a Fairness,
    concolic: &'a Concolic<'a>,
    start: &'a State,
    variables: &'a [Variable],
    set: &'a [Constraint],
    multipliers: &'a mut dyn Multipliers,
}

/// A round that was taken: what it needs and does, in symbols of the variables.
struct Taken {
    end: State,
    choices: Vec<Choice>,
    guards: Vec<Constraint>,
    updates: BTreeMap<Var, LinearExpr>,
}

impl Check<'_> {
    /// Whether an expression speaks of the variables only.
    fn knows(&self, expr: &LinearExpr) -> bool {
        expr.variables().all(|it| match Symbol::of(it) {
            Symbol::Entry(index) => index < self.variables.len(),
            Symbol::Choice(_) | Symbol::Reduction(_) => false,
        })
    }

    /// Shows each round of the rule under the answers that lead to it.
    fn rule(&mut self, rule: &Rule, premises: Vec<Constraint>) -> Result<(), Flaw> {
        match rule {
            Rule::Ask { question, yes, no } => {
                let negation = question.negate().ok_or(Flaw::Guard)?;
                if !self.knows(question.expr()) {
                    return Err(Flaw::Guard);
                }
                self.rule(yes, [premises.as_slice(), std::slice::from_ref(question)].concat())?;
                self.rule(no, [premises.as_slice(), &[negation]].concat())
            }
            Rule::Take(round) => self.round(round, &premises),
        }
    }

    /// ```text
    /// premises |- guards of the round      premises |- R[update]      choices in their types
    /// --------------------------------------------------------------------------------------
    ///                       from premises, the round leads into R
    /// ```
    fn round(&mut self, round: &Round, premises: &[Constraint]) -> Result<(), Flaw> {
        let taken = self.take(round)?;
        for (choice, form) in taken.choices.iter().zip(&round.choices) {
            for bound in bounds(choice.ty, form)? {
                if !self.multipliers.show(premises, &bound) {
                    return Err(Flaw::Choices);
                }
            }
        }
        if !taken.guards.iter().all(|it| self.multipliers.show(premises, it)) {
            return Err(Flaw::Guard);
        }
        let update = |symbol| taken.updates.get(&symbol).cloned().unwrap_or_else(|| symbol.into());
        let set = self.set;
        let mut after = set.iter().map(|it| it.map(update));
        if after.all(|it| self.multipliers.show(premises, &it)) {
            Ok(())
        } else {
            Err(Flaw::NotClosed)
        }
    }

    /// Takes the round from its sample.
    fn take(&self, round: &Round) -> Result<Taken, Flaw> {
        let chosen = round.chosen(&round.sample).ok_or(Flaw::Choices)?;
        let is_fitting = round.sample.len() == self.variables.len()
            && round.choices.iter().all(|it| self.knows(it));
        if round.n_steps == 0 || !is_fitting {
            return Err(Flaw::Choices);
        }
        let mut state = self.start.clone();
        for (variable, number) in self.variables.iter().zip(&round.sample) {
            state.assign(*variable, Value::Int(*number));
        }
        let begin = state.clone();
        let mut run = self.concolic.resume(state, Reductions::Decided);
        let mut source = ChoiceList::new(chosen.clone());
        let mut entered = Vec::new();
        for _ in 0..round.n_steps {
            if self.concolic.step(&mut run, &mut source) != Ok(Outcome::Running) {
                return Err(Flaw::Ends);
            }
            let here = run.state.location();
            let start = here.filter(|here| here.block == BlockId(0) && here.command == 0);
            entered.extend(start.map(|here| here.procedure));
        }
        if !self.fairness.allows(&entered) {
            return Err(Flaw::Unfair);
        }
        let choices = run.shadow.choices().to_vec();
        let made: Vec<i128> = choices.iter().map(|it| it.value).collect();
        if made != chosen || !is_modelled(self.program, &choices) {
            return Err(Flaw::Choices);
        }
        if !footprint::stays(&begin, &run) {
            return Err(Flaw::Heap);
        }
        self.in_symbols_of_variables(run, round, choices)
    }

    fn in_symbols_of_variables(
        &self,
        mut run: Run,
        round: &Round,
        choices: Vec<Choice>,
    ) -> Result<Taken, Flaw> {
        let mut ends = Vec::with_capacity(self.variables.len());
        for variable in self.variables {
            let slot = slot_of(self.program, self.start, *variable);
            let end = footprint::at_end(&mut run, slot).map_err(|_| Flaw::Heap)?;
            let number = end.value.as_int().ok_or(Flaw::Heap)?;
            ends.push(end.form.unwrap_or_else(|| LinearExpr::constant(number)));
        }
        // All that was read is a number in one of the variables.
        let mut images = Vec::new();
        for entry in run.shadow.entries() {
            let index = self
                .variables
                .iter()
                .position(|variable| entry.slot == slot_of(self.program, self.start, *variable));
            let index = index.filter(|_| entry.value.as_int().is_some()).ok_or(Flaw::Heap)?;
            images.push(entry_symbol(index));
        }
        let image = |symbol: Var| match Symbol::of(symbol) {
            Symbol::Entry(index) => images.get(index).map(|it| LinearExpr::var(*it)),
            Symbol::Choice(index) => round.choices.get(index).cloned(),
            Symbol::Reduction(_) => None,
        };
        let translated = |expr: &LinearExpr| -> Result<LinearExpr, Flaw> {
            if expr.variables().all(|it| image(it).is_some()) {
                Ok(expr.map(|it| image(it).unwrap_or_default()))
            } else {
                Err(Flaw::Choices)
            }
        };
        let mut updates = BTreeMap::new();
        for (index, end) in ends.iter().enumerate() {
            updates.insert(entry_symbol(index), translated(end)?);
        }
        let decisions = run.shadow.decisions().iter();
        let guards = decisions.map(|it| {
            Ok(Constraint::new(it.constraint.relation(), translated(it.constraint.expr())?))
        });
        let guards = guards.collect::<Result<Vec<_>, Flaw>>()?;
        Ok(Taken { end: run.state, choices, guards, updates })
    }
}

/// That a choice, which is this expression of the numbers, is in its type.
fn bounds(ty: ScalarType, form: &LinearExpr) -> Result<Vec<Constraint>, Flaw> {
    let ScalarType::Int(kind) = ty else {
        return form.as_constant().map(|_| Vec::new()).ok_or(Flaw::Choices);
    };
    let mut bounds = Vec::new();
    if kind.modulus().is_some() {
        bounds.push(Constraint::le(form.clone(), Integer::from(kind.max())));
    }
    if kind.modulus().is_some() || !kind.signed {
        bounds.push(Constraint::ge(form.clone(), Integer::from(kind.min())));
    }
    Ok(bounds)
}
