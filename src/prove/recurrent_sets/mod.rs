//! Endless runs of programs on integers, by symbolic execution: loops at one place with what
//! they choose as expressions of the numbers there, sets that are closed under them, and
//! stems that lead into these.
//!
//! Concrete runs show cycles that can be repeated with the same choices
//! ([`nontermination`](super::nontermination)). Here loops come first, and what
//! leads to them is solved for; rounds may differ ([`verdict::rounds`]).
//!
//! * `walk`: symbolic execution; `terms`: its values and conditions;
//! * `stems`: ways to a place;
//! * `loops`: ways round it;
//! * `cover`: sets that are closed under several loops.

mod cover;
mod loops;
mod stems;
mod terms;
mod walk;

use self::cover::{Closed, MAX_LOOPS, Search, Tree, common};
use self::loops::{Loop, chained, distinct, model, settled, symbol_of, walks};
use self::stems::Stems;
use self::terms::in_range;
use self::walk::{Place, Walk};
use super::recurrence::Cycle;
use base::budget::Budget;
use concolic::shadow::{Reductions, Symbol, choice_symbol, entry_symbol};
use ir::cutpoint::CutSet;
use ir::expr::ScalarType;
use ir::{ProcedureId, Program, Variable};
use logic::simplex::is_surely_unsat;
use logic::{Constraint, Integer, LinearExpr, Rational, Var, integers};
use obligation::Fairness;
use std::collections::{BTreeMap, BTreeSet};
use verdict::Refutation;
use verdict::rounds::{Round, Rounds, Rule};
use verdict::witness::{Witness, check_refutation, justify_refutation};

/// How many stems are looked at for each set.
const MAX_STEMS: usize = 1_500;
/// How many of them are solved.
const MAX_SOLVED: usize = 12;
/// How many stems give numbers that sets are made for.
const MAX_SEEDS: usize = 2;
/// The effort to solve a stem.
const SOLVER_EFFORT: usize = 400;
/// How many sets are looked at in a search for those that several loops keep.
const MAX_SETS: usize = 60;
/// How many closed sets of several loops are kept.
const MAX_CLOSED: usize = 4;

/// Looks for a fair run that never ends.
#[must_use]
pub fn refute(program: &Program, fairness: &Fairness, budget: &mut Budget) -> Option<Refutation> {
    let mut heads: Vec<Place> = Vec::new();
    for (index, procedure) in program.procedures.iter().enumerate() {
        if procedure.is_defined() {
            let cuts = CutSet::of_procedure(procedure);
            heads.extend(cuts.iter().map(|block| (ProcedureId::at(index), block)));
        }
    }
    let mut places: Vec<AtPlace<'_>> = Vec::new();
    for head in heads {
        let mut place = AtPlace::new((program, fairness), head, budget);
        if let Some(found) = place.by_one_loop(budget) {
            return Some(found);
        }
        places.push(place);
    }
    let chained = places.iter_mut().find_map(|it| it.by_chained_loops(budget));
    chained.or_else(|| places.iter_mut().find_map(|it| it.by_several_loops(budget)))
}

/// The search at one place.
struct AtPlace<'a> {
    program: &'a Program,
    fairness: &'a Fairness,
    head: Place,
    stems: Stems<'a>,
    /// The ways once round.
    once: Vec<Walk>,
    /// The variables that matter to some of them.
    live: BTreeSet<Variable>,
    /// The loops that are looked at.
    loops: Vec<Loop>,
}

/// The variables at the start of a round whose numbers decide, sooner or later, which ways
/// can be taken.
fn live_in(walks: &[Walk]) -> BTreeSet<Variable> {
    let variables =
        |expr: &LinearExpr| -> Vec<Variable> { expr.variables().filter_map(variable_of).collect() };
    let constraints = walks.iter().flat_map(|it| &it.constraints);
    let mut live: BTreeSet<Variable> = constraints.flat_map(|it| variables(it.expr())).collect();
    loop {
        let values = walks.iter().flat_map(|walk| live.iter().filter_map(|it| walk.value(*it)));
        let more: BTreeSet<Variable> = values.flat_map(variables).collect();
        if more.is_subset(&live) {
            return live;
        }
        live.extend(more);
    }
}

/// The loops that ways round become, the best of each way first.
fn all_settled(walks: &[Walk], live: &BTreeSet<Variable>, budget: &mut Budget) -> Vec<Loop> {
    let settled: Vec<Vec<Loop>> = walks.iter().map(|it| settled(it, live, budget)).collect();
    let most = settled.iter().map(Vec::len).max().unwrap_or(0);
    let mut all: Vec<Loop> = Vec::new();
    for position in 0..most {
        for it in settled.iter().filter_map(|it| it.get(position)) {
            if !all.contains(it) {
                all.push(it.clone());
            }
        }
    }
    all
}

impl<'a> AtPlace<'a> {
    fn new(
        (program, fairness): (&'a Program, &'a Fairness),
        head: Place,
        budget: &mut Budget,
    ) -> Self {
        let mut stems = Stems::new(program, head);
        let is_reached = stems.get(0, budget).is_some();
        let once = if is_reached { walks(program, head, budget) } else { Vec::new() };
        let live = live_in(&once);
        let loops = all_settled(&once, &live, budget);
        Self { program, fairness, head, stems, once, live, loops }
    }

    /// A set that one loop keeps.
    fn by_one_loop(&mut self, budget: &mut Budget) -> Option<Refutation> {
        for index in 0..self.loops.len() {
            let returned = self.loops[index].returned();
            let mut tried: Vec<Vec<Constraint>> = Vec::new();
            for numbers in self.seeds(index, budget) {
                budget.spend(20).ok()?;
                let number_of =
                    |symbol: Var| numbers.get(&symbol).and_then(Integer::to_i128).unwrap_or(0);
                let Some(cycle) = Cycle::new(&returned, &number_of) else { continue };
                for set in cycle.closed_sets() {
                    if tried.contains(&set) {
                        continue;
                    }
                    let closed = Closed { set: set.clone(), tree: Tree::Take(index) };
                    tried.push(set);
                    if let Some(found) = self.enter(&closed, budget) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    /// The same, with several rounds as one.
    fn by_chained_loops(&mut self, budget: &mut Budget) -> Option<Refutation> {
        let chained = chained(self.program, self.head, &self.once, budget);
        let loops = std::mem::replace(&mut self.loops, all_settled(&chained, &self.live, budget));
        let found = self.by_one_loop(budget);
        self.loops = loops;
        found
    }

    /// Numbers with which the loop can be taken: those at the ends of some stems, or else any.
    fn seeds(&mut self, index: usize, budget: &mut Budget) -> Vec<BTreeMap<Var, Integer>> {
        let Loop { guards, read, .. } = &self.loops[index];
        let mut seeds = Vec::new();
        for stem in 0..MAX_SEEDS {
            let Some(walk) = self.stems.get(stem, budget) else { break };
            let solution = entering(walk, guards).and_then(|it| model(&it, &|_| Integer::ZERO));
            let Some(solution) = solution else { continue };
            let number = |it: Var| Rational::from(solution.get(&it).cloned().unwrap_or_default());
            let value = |it: &Variable| walk.value(*it).map(|it| it.evaluate(number).floor());
            let numbers = read.iter().map(|it| Some((symbol_of(*it), value(it)?)));
            seeds.extend(numbers.collect::<Option<BTreeMap<_, _>>>());
        }
        if seeds.is_empty() {
            seeds.extend(model(guards, &|_| Integer::ZERO));
        }
        seeds
    }

    /// A set that several loops keep.
    fn by_several_loops(&mut self, budget: &mut Budget) -> Option<Refutation> {
        self.loops = distinct(&self.loops, MAX_LOOPS);
        let loops = self.loops.clone();
        if loops.len() < 2 {
            return None;
        }
        for start in [common(&loops), Vec::new()] {
            let mut of_stems = budget.clone();
            let mut closed_sets = Vec::new();
            let mut is_entered = |set: &[Constraint]| {
                (0..MAX_SEEDS).any(|stem| {
                    let walk = self.stems.get(stem, &mut of_stems);
                    walk.and_then(|it| entering(it, set)).is_some()
                })
            };
            let mut found = |closed: Closed| {
                closed_sets.push(closed);
                closed_sets.len() >= MAX_CLOSED
            };
            let mut search = Search {
                loops: &loops,
                is_entered: &mut is_entered,
                found: &mut found,
                n_left: MAX_SETS,
            };
            search.mend(start, 0, budget);
            let found = closed_sets.iter().find_map(|it| self.enter(it, budget));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// A stem that leads into a closed set, and all that makes a witness of it.
    fn enter(&mut self, closed: &Closed, budget: &mut Budget) -> Option<Refutation> {
        let mut variables: BTreeSet<Variable> = BTreeSet::new();
        for index in closed.tree.taken() {
            variables.extend(self.loops[index].read.iter().copied());
        }
        let symbols = closed.set.iter().flat_map(|it| it.expr().variables());
        variables.extend(symbols.filter_map(variable_of));
        let variables: Vec<Variable> = variables.into_iter().collect();
        let mut n_solved = 0;
        for index in 0..MAX_STEMS {
            let walk = self.stems.get(index, budget)?;
            budget.spend(1).ok()?;
            let Some(system) = entering(walk, &closed.set) else { continue };
            budget.spend(20).ok()?;
            n_solved += 1;
            if n_solved > MAX_SOLVED {
                return None;
            }
            let Some(stem) = inputs(walk, system) else { continue };
            let numbers = |variable: &Variable| number_at_end(walk, &stem, *variable);
            let Some(numbers) = variables.iter().map(numbers).collect::<Option<Vec<i128>>>() else {
                continue;
            };
            let n_stem_steps = walk.n_steps;
            let witness = self.witness(closed, &variables, (stem, n_stem_steps), &numbers);
            if let Some(found) = witness.and_then(|it| self.checked(it)) {
                return Some(found);
            }
        }
        None
    }

    fn witness(
        &self,
        closed: &Closed,
        variables: &[Variable],
        (stem, n_stem_steps): (Vec<i128>, u64),
        numbers: &[i128],
    ) -> Option<Witness> {
        let positions: BTreeMap<Var, Var> = variables
            .iter()
            .enumerate()
            .map(|(index, it)| (symbol_of(*it), entry_symbol(index)))
            .collect();
        let image = |symbol: Var| positions.get(&symbol).copied().unwrap_or(symbol).into();
        let builder = RuleBuilder { loops: &self.loops, variables, numbers, image: &image };
        let rule = builder.rule(&closed.tree, &closed.set)?;
        let first = rule.next(numbers)?;
        Some(Witness {
            stem,
            n_stem_steps,
            cycle: first.chosen(numbers)?,
            n_cycle_steps: first.n_steps,
            reductions: Reductions::Decided,
            recurrent: closed.set.iter().map(|it| it.map(image)).collect(),
            rounds: Some(Rounds { variables: variables.to_vec(), rule }),
            trap: None,
            restriction: None,
            multipliers: Vec::new(),
        })
    }

    /// The witness with its multipliers, without constraints that are not needed.
    fn checked(&self, witness: Witness) -> Option<Refutation> {
        let justify = |it: Witness| justify_refutation(self.program, self.fairness, it).ok();
        let mut best = justify(witness)?;
        let mut position = 0;
        while position < best.witness.recurrent.len() {
            let mut fewer = best.witness.clone();
            fewer.recurrent.remove(position);
            match justify(fewer) {
                Some(found) => best = found,
                None => position += 1,
            }
        }
        let lasso = check_refutation(self.program, self.fairness, &best.witness).ok()?;
        Some(Refutation { witness: best.witness, lasso })
    }
}

/// Makes a rule of a tree.
struct RuleBuilder<'a> {
    loops: &'a [Loop],
    variables: &'a [Variable],
    /// The numbers of the variables at the start.
    numbers: &'a [i128],
    image: &'a dyn Fn(Var) -> LinearExpr,
}

impl RuleBuilder<'_> {
    fn rule(&self, tree: &Tree, region: &[Constraint]) -> Option<Rule> {
        match tree {
            Tree::Ask(question, yes, no) => {
                let negation = question.negate()?;
                let yes = self.rule(yes, &[region, std::slice::from_ref(question)].concat())?;
                let no = self.rule(no, &[region, &[negation]].concat())?;
                let question = question.map(self.image);
                Some(Rule::Ask { question, yes: Box::new(yes), no: Box::new(no) })
            }
            Tree::Take(index) => {
                let it = &self.loops[*index];
                let wish = |symbol: Var| {
                    let position = self.variables.iter().position(|it| symbol_of(*it) == symbol);
                    position.map_or(Integer::ZERO, |at| Integer::from(self.numbers[at]))
                };
                let sample = model(region, &wish)?;
                let number = |variable: &Variable| {
                    let symbol = symbol_of(*variable);
                    sample.get(&symbol).cloned().unwrap_or_else(|| wish(symbol)).to_i128()
                };
                Some(Rule::Take(Round {
                    sample: self.variables.iter().map(number).collect::<Option<_>>()?,
                    choices: it.choices.iter().map(|form| form.map(self.image)).collect(),
                    n_steps: it.n_steps,
                }))
            }
        }
    }
}

/// The variable whose number a symbol is.
fn variable_of(symbol: Var) -> Option<Variable> {
    match Symbol::of(symbol) {
        Symbol::Entry(index) => Some(Variable::at(index)),
        Symbol::Choice(_) | Symbol::Reduction(_) => None,
    }
}

/// What a walk from the start satisfies that ends in a set; nothing where that cannot be.
fn entering(walk: &Walk, set: &[Constraint]) -> Option<Vec<Constraint>> {
    let mut system = walk.constraints.clone();
    for constraint in set {
        let mut value = BTreeMap::new();
        for symbol in constraint.expr().variables() {
            value.insert(symbol, walk.value(variable_of(symbol)?)?.clone());
        }
        system.push(constraint.map(|it| value.get(&it).cloned().unwrap_or_default()));
    }
    system.retain(|it| !it.is_trivial());
    let is_empty = system.iter().any(Constraint::is_contradiction) || is_surely_unsat(&system);
    (!is_empty).then_some(system)
}

/// All choices of a walk that satisfies the system.
fn inputs(walk: &Walk, mut system: Vec<Constraint>) -> Option<Vec<i128>> {
    for (index, ty) in walk.choices.iter().enumerate() {
        let ScalarType::Int(kind) = ty else { return None };
        let choice = LinearExpr::var(choice_symbol(index));
        system.extend(in_range(*kind, &choice).iter().map(|it| walk.in_open_symbols(it)));
    }
    system.retain(|it| !it.is_trivial());
    let mut numbers = integers::solution(&system, &|_| Integer::ZERO, SOLVER_EFFORT)?;
    for (symbol, value) in walk.solved.iter().rev() {
        let number =
            value.evaluate(|it| Rational::from(numbers.get(&it).cloned().unwrap_or_default()));
        numbers.insert(*symbol, number.floor());
    }
    let number = |index| numbers.get(&choice_symbol(index)).cloned().unwrap_or_default().to_i128();
    (0..walk.choices.len()).map(number).collect()
}

/// What a variable is at the end of a walk with these choices.
fn number_at_end(walk: &Walk, choices: &[i128], variable: Variable) -> Option<i128> {
    let number = |symbol: Var| match Symbol::of(symbol) {
        Symbol::Choice(index) => choices.get(index).copied().unwrap_or(0),
        Symbol::Entry(_) | Symbol::Reduction(_) => 0,
    };
    let value = walk.value(variable)?.evaluate(|it| Rational::from(Integer::from(number(it))));
    value.floor().to_i128()
}
