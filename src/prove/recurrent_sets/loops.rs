//! Ways round a place, with what is chosen on them settled.

use super::stems::around;
use super::terms::in_range;
use super::walk::{Place, Walk};
use base::budget::Budget;
use concolic::footprint::Returned;
use concolic::shadow::{Symbol, choice_symbol, entry_symbol};
use ir::expr::ScalarType;
use ir::{Program, Variable};
use logic::simplex::Premises;
use logic::{Constraint, Integer, LinearExpr, Relation, Var, integers};
use std::collections::{BTreeMap, BTreeSet};

/// How many ways round a place are looked at.
const MAX_WALKS: usize = 64;
/// How many ways there are of several rounds, and how many of one round these are made of.
const MAX_CHAINED: usize = 48;
const MAX_PARTS: usize = 16;
/// How many rounds are chained.
const MAX_ROUNDS: usize = 3;
/// How many walks are gone on with to find them.
const MAX_TURNS: usize = 1_500;
/// How many more ways are looked for, at random, where there are that many; and how many walks
/// are gone on with for each.
const MAX_DIVES: usize = 48;
const MAX_TURNS_OF_DIVE: usize = 60;
/// In how many ways the choices of one way round are settled.
const MAX_SETTLED: usize = 10;
/// How many walks are tried for that.
const MAX_SETTLING: usize = 120;
/// The effort for one model.
const SOLVER_EFFORT: usize = 60;

/// A way round a place. The symbol of a variable's number is `entry_symbol(variable.index())`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    /// When it can be taken.
    pub(super) guards: Vec<Constraint>,
    /// The variables that it reads.
    pub(super) read: BTreeSet<Variable>,
    /// What the variables are after it that it reads or changes.
    pub(super) updates: BTreeMap<Variable, LinearExpr>,
    /// What is chosen on it.
    pub(super) choices: Vec<LinearExpr>,
    pub(super) n_steps: u64,
}

/// The symbol of a variable's number.
pub(super) fn symbol_of(variable: Variable) -> Var {
    entry_symbol(variable.index())
}

impl Loop {
    /// What holds before it for a constraint to hold after it.
    pub(super) fn before(&self, constraint: &Constraint) -> Constraint {
        constraint.map(|symbol| self.after(symbol))
    }

    /// What a number is after it.
    fn after(&self, symbol: Var) -> LinearExpr {
        let Symbol::Entry(index) = Symbol::of(symbol) else { return symbol.into() };
        self.updates.get(&Variable::at(index)).cloned().unwrap_or_else(|| symbol.into())
    }

    /// The loop in the terms of a cycle of a run.
    pub(super) fn returned(&self) -> Returned {
        let updates = self.updates.iter().map(|(it, value)| (symbol_of(*it), value.clone()));
        Returned { guards: self.guards.clone(), updates: updates.collect(), ranges: Vec::new() }
    }
}

/// The ways once round a place that pass no block of its procedure twice.
pub(super) fn walks(program: &Program, head: Place, budget: &mut Budget) -> Vec<Walk> {
    let start = || vec![Walk::from_place(head)];
    let mut order = Order::AsWritten;
    let limits = (MAX_WALKS, MAX_TURNS);
    let mut found = rounds((program, head), start(), limits, &mut order, budget);
    if found.len() < MAX_WALKS {
        return found;
    }
    // Those that were found may differ in their last blocks only.
    order = Order::Scattered(7);
    for _ in 0..MAX_DIVES {
        found.extend(rounds((program, head), start(), (1, MAX_TURNS_OF_DIVE), &mut order, budget));
    }
    found
}

/// In which order ways are tried.
enum Order {
    AsWritten,
    /// In no order that shows, by this number.
    Scattered(u64),
}

impl Order {
    /// Puts the way that is tried first last.
    fn arrange(&mut self, ways: &mut [Walk]) {
        ways.reverse();
        if let Self::Scattered(seed) = self {
            for position in (1..ways.len()).rev() {
                *seed =
                    seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                let other = (*seed >> 33) as usize % (position + 1);
                ways.swap(position, other);
            }
        }
    }
}

/// The ways several times round a place, where there are few ways once round it.
pub(super) fn chained(
    program: &Program,
    head: Place,
    once: &[Walk],
    budget: &mut Budget,
) -> Vec<Walk> {
    let (mut all, mut last) = (Vec::new(), once.to_vec());
    if once.len() > MAX_PARTS {
        return all;
    }
    for _ in 1..MAX_ROUNDS {
        let mut open: Vec<Walk> = last;
        open.iter_mut().for_each(|it| it.visits.clear());
        open.reverse();
        let limits = (MAX_CHAINED, MAX_TURNS);
        last = rounds((program, head), open, limits, &mut Order::AsWritten, budget);
        all.extend(last.iter().cloned());
    }
    all
}

/// Goes on with walks until they come to the place.
fn rounds(
    (program, head): (&Program, Place),
    mut open: Vec<Walk>,
    (most, most_turns): (usize, usize),
    order: &mut Order,
    budget: &mut Budget,
) -> Vec<Walk> {
    let inside = around(program, head);
    let mut found = Vec::new();
    for _ in 0..most_turns {
        let Some(walk) = open.pop() else { break };
        if found.len() >= most || budget.spend(1 + walk.constraints.len() as u64 / 16).is_err() {
            break;
        }
        let mut next = walk.successors(program);
        order.arrange(&mut next);
        for walk in next {
            let Some(place) = walk.place() else { continue };
            let n_visits = walk.visits.get(&place).copied().unwrap_or(0);
            if walk.depth() > 1 {
                if n_visits <= 2 {
                    open.push(walk);
                }
            } else if place == head {
                found.push(walk);
            } else if inside.contains(&place.1) && n_visits <= 1 {
                open.push(walk);
            }
        }
    }
    found
}

/// The loops that a way round becomes when its choices are settled, the most likely first.
/// Those choices matter that guards or variables of `live` depend on.
pub(super) fn settled(walk: &Walk, live: &BTreeSet<Variable>, budget: &mut Budget) -> Vec<Loop> {
    let mut loops = Vec::new();
    let mut open = vec![walk.clone()];
    for _ in 0..MAX_SETTLING {
        let Some(walk) = open.pop() else { break };
        if loops.len() >= MAX_SETTLED
            || budget.spend(1 + walk.constraints.len() as u64 / 16).is_err()
        {
            break;
        }
        let Some(choice) = unsettled(&walk, live) else {
            loops.extend(finished(&walk));
            continue;
        };
        let mut ways = Vec::new();
        for value in candidates(&walk, choice, live) {
            let mut way = walk.clone();
            way.enter(value.variables());
            way.constrain(Constraint::eq(LinearExpr::var(choice), value));
            if !way.constraints.iter().any(Constraint::is_contradiction) {
                ways.push(way);
            }
        }
        ways.reverse();
        open.extend(ways);
    }
    weakest(&loops)
}

/// Without the loops that need more than another one.
fn weakest(loops: &[Loop]) -> Vec<Loop> {
    let needs_more = |it: &Loop, other: &Loop| {
        other.guards.len() < it.guards.len()
            && other.guards.iter().all(|guard| it.guards.contains(guard))
    };
    let mut weakest = loops.to_vec();
    weakest.retain(|it| !loops.iter().any(|other| needs_more(it, other)));
    weakest
}

fn is_choice(symbol: &Var) -> bool {
    matches!(Symbol::of(*symbol), Symbol::Choice(_))
}

/// The last choice that matters and is open.
fn unsettled(walk: &Walk, live: &BTreeSet<Variable>) -> Option<Var> {
    let limits = walk.constraints.iter().flat_map(|it| it.expr().variables());
    let values = walk.values().filter(|(variable, _)| live.contains(variable));
    let results = values.flat_map(|(_, value)| value.variables());
    limits.chain(results).filter(is_choice).max()
}

/// What a choice may be: such that a variable stays what it is, the bounds that it has, or
/// some number.
fn candidates(walk: &Walk, choice: Var, live: &BTreeSet<Variable>) -> Vec<LinearExpr> {
    let mut candidates: Vec<LinearExpr> = Vec::new();
    let mut add = |it: LinearExpr| {
        if !candidates.contains(&it) {
            candidates.push(it);
        }
    };
    for (variable, value) in walk.values() {
        if live.contains(&variable) && value.coefficient(choice).is_one() {
            let rest = value.sub(&LinearExpr::var(choice));
            add(LinearExpr::var(symbol_of(variable)).sub(&rest));
        }
    }
    let bounds = |sign: Integer| {
        let is_bound = move |it: &&Constraint| it.expr().coefficient(choice) == sign;
        walk.constraints.iter().filter(is_bound)
    };
    for constraint in bounds(Integer::ONE) {
        add(LinearExpr::var(choice).sub(constraint.expr()));
    }
    for constraint in bounds(-Integer::ONE) {
        add(LinearExpr::var(choice).add(constraint.expr()));
    }
    let is_bounded = walk.constraints.iter().any(|it| it.mentions(choice));
    if !is_bounded {
        add(LinearExpr::constant(0_i64));
        add(LinearExpr::constant(1_i64));
    } else if let Some(model) = model(&walk.constraints, &|_| Integer::ZERO)
        && let Some(number) = model.get(&choice)
    {
        add(LinearExpr::constant(number.clone()));
    }
    candidates
}

/// Integers that satisfy the constraints.
pub(super) fn model(
    constraints: &[Constraint],
    wish: &dyn Fn(Var) -> Integer,
) -> Option<BTreeMap<Var, Integer>> {
    integers::solution(constraints, wish, SOLVER_EFFORT)
}

/// The loop of a walk all of whose choices that matter are settled.
fn finished(walk: &Walk) -> Option<Loop> {
    let open = |index: usize| {
        let mut form = LinearExpr::var(choice_symbol(index));
        for (symbol, value) in &walk.solved {
            form = form.substitute(*symbol, value);
        }
        form.map(|it| if is_choice(&it) { LinearExpr::zero() } else { it.into() })
    };
    let choices: Vec<LinearExpr> = (0..walk.choices.len()).map(open).collect();
    let mut guards = walk.constraints.clone();
    for (ty, form) in walk.choices.iter().zip(&choices) {
        let ScalarType::Int(kind) = ty else { return None };
        guards.extend(in_range(*kind, form));
    }
    guards.retain(|it| !it.is_trivial());
    if guards.iter().any(Constraint::is_contradiction) {
        return None;
    }
    let settled = |value: &LinearExpr| {
        value.map(|it| if is_choice(&it) { LinearExpr::zero() } else { it.into() })
    };
    let mut updates: BTreeMap<Variable, LinearExpr> =
        walk.entered.iter().map(|it| (*it, symbol_of(*it).into())).collect();
    updates.extend(walk.values().map(|(variable, value)| (variable, settled(value))));
    let read = walk.entered.clone();
    Some(Loop { guards: tightest(guards), read, updates, choices, n_steps: walk.n_steps })
}

/// The loops without those that differ only in what no guard depends on, and without those
/// that can be taken only where another one does the same.
pub(super) fn distinct(loops: &[Loop], most: usize) -> Vec<Loop> {
    let mut relevant: BTreeSet<Var> =
        loops.iter().flat_map(|it| &it.guards).flat_map(|it| it.expr().variables()).collect();
    loop {
        let n_before = relevant.len();
        for it in loops {
            let after: Vec<LinearExpr> = relevant.iter().map(|symbol| it.after(*symbol)).collect();
            relevant.extend(after.iter().flat_map(LinearExpr::variables));
        }
        if relevant.len() == n_before {
            break;
        }
    }
    let mut kept: Vec<Loop> = Vec::new();
    for it in loops {
        let premises = Premises::new(&it.guards);
        let does_the_same = |other: &Loop| {
            relevant.iter().all(|symbol| it.after(*symbol) == other.after(*symbol))
                && other
                    .guards
                    .iter()
                    .all(|guard| it.guards.contains(guard) || premises.surely_entail(guard))
        };
        if kept.len() < most && !kept.iter().any(does_the_same) {
            kept.push(it.clone());
        }
    }
    kept
}

/// Without constraints that others of the same terms imply.
fn tightest(constraints: Vec<Constraint>) -> Vec<Constraint> {
    let mut kept: Vec<Constraint> = Vec::new();
    for constraint in constraints {
        let is_alike = |it: &&mut Constraint| {
            it.relation() == Relation::AtMost
                && constraint.relation() == Relation::AtMost
                && it.expr().terms() == constraint.expr().terms()
        };
        match kept.iter_mut().find(is_alike) {
            Some(old) if old.expr().constant_part() < constraint.expr().constant_part() => {
                *old = constraint;
            }
            Some(_) => {}
            None => kept.push(constraint),
        }
    }
    kept
}
