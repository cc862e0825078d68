//! Forgetting: what no live variable reaches, what will not be read, numbers that nothing mentions
//! (CAV'06 §3, the part of abstraction that every state goes through). Each of it weakens a state.

use super::semantics::{DeadVariables, Semantics};
use evidence::place::{Place, Site};
use heap::reach::reached;
use heap::state::{Junk, State};
use heap::{Atom, Content};
use ir::slice::relevance::Memory;
use ir::{Command, Variable};
use logic::{LinearExpr, Var};
use std::collections::BTreeSet;

/// More disequalities than this, and the later ones are forgotten.
const MAX_NONZERO: usize = 8;

/// Weakens a state that arrives at a cutpoint: what no live variable reaches is
/// forgotten. Returns `None` when the state turns out to describe nothing.
#[must_use]
pub fn tidy(machine: &Semantics<'_>, mut state: State, place: &Place) -> Option<State> {
    forget_dead(machine, &mut state, place);
    state.let_go_of_addresses(machine.program.pointer_bytes);
    if !tighten(&mut state) {
        return None;
    }
    collect_garbage(&mut state);
    prune_nonzero(&mut state);
    Some(state)
}

/// Forgets what no run from the place can depend on, and the numbers of it.
pub(super) fn forget(machine: &Semantics<'_>, state: &mut State, place: &Place) {
    forget_dead(machine, state, place);
    collect_garbage(state);
    state.prune_products();
    forget_numbers(state);
}

/// Which variables of a state still matter: its seeds, and those that it
/// mentions outside of its numbers.
pub fn kept_in(state: &State) -> impl Fn(Var) -> bool + use<> {
    let mut present = BTreeSet::new();
    state.for_each_expr(&mut |expr| present.extend(expr.variables()));
    let n_seeds = state.vocabulary.n_seeds();
    move |variable| variable.index() < n_seeds || present.contains(&variable)
}

/// Forgets the numbers of variables that do not matter any more.
pub fn forget_numbers(state: &mut State) {
    state.facts.numbers = state.facts.numbers.project_onto(&kept_in(state));
}

/// Drops the values of variables that are not live, unless
/// the goal wants some kept, and names those of live variables that
/// have none.
pub fn forget_dead(machine: &Semantics<'_>, state: &mut State, place: &Place) {
    let mut dead: Vec<(usize, Variable, LinearExpr)> = Vec::new();
    for (index, site) in place.sites.iter().enumerate() {
        let live = if index + 1 == place.sites.len() {
            live_at(machine, *site)
        } else {
            live_after_call(machine, *site)
        };
        let live = match machine.dead() {
            // The caller of a function that is analysed by itself keeps what it passed.
            DeadVariables::KeptIfOwning if machine.is_outside(site.procedure) => {
                machine.live.of(site.procedure).own_variables().iter().collect()
            }
            DeadVariables::KeptIfOwning | DeadVariables::Forgotten => live,
        };
        let procedure = machine.program.procedure(site.procedure);
        let Some(store) = state.stores.get_mut(index + 1) else { continue };
        store.retain(|(variable, value)| {
            let is_live = live.contains(variable);
            // Other variables may be out of scope.
            if !is_live && procedure.keeps(*variable) {
                dead.push((index + 1, *variable, value.clone()));
            }
            is_live
        });
        for variable in live {
            if state.value_in(index + 1, variable).is_none() {
                let value = machine.any_value(state, machine.program.variable(variable).ty);
                state.set_in(index + 1, variable, value);
            }
        }
    }
    match machine.dead() {
        DeadVariables::Forgotten => {}
        DeadVariables::KeptIfOwning => keep_owners(state, dead),
    }
    if *machine.approach.ignored() != Memory::Nothing {
        forget_ignored(machine, state);
    }
}

/// Forgets the numbers in memory that are ignored.
fn forget_ignored(machine: &Semantics<'_>, state: &mut State) {
    let ignored = machine.approach.ignored();
    for atom in &mut state.heap.atoms {
        let Atom::Block(block) = atom else { continue };
        let n_known = block.cells.len();
        block.cells.retain(|cell| !ignored.contains(cell.offset.into(), cell.ty));
        if block.cells.len() < n_known {
            // What is not named might be zero there.
            block.content = Content::Arbitrary;
        }
    }
}

/// Gives variables their values back that lead to heap memory which nothing else
/// leads to, the outermost first.
fn keep_owners(state: &mut State, dead: Vec<(usize, Variable, LinearExpr)>) {
    let mut roots: BTreeSet<Var> = BTreeSet::new();
    state.stores.iter().flatten().for_each(|(_, value)| roots.extend(value.variables()));
    let n_reached = |roots: &BTreeSet<Var>| {
        let reached = reached(state, roots.clone());
        let atoms = state.heap.atoms.iter().zip(reached);
        atoms.filter(|(atom, is_reached)| *is_reached && atom.has_heap()).count()
    };
    let n_heap = state.heap.atoms.iter().filter(|atom| atom.has_heap()).count();
    let mut n_known = n_reached(&roots);
    let mut kept = Vec::new();
    for (store, variable, value) in dead {
        if n_known == n_heap {
            break;
        }
        let mut more = roots.clone();
        more.extend(value.variables());
        let n_more = n_reached(&more);
        if n_more > n_known {
            (roots, n_known) = (more, n_more);
            kept.push((store, variable, value));
        }
    }
    for (store, variable, value) in kept {
        state.set_in(store, variable, value);
    }
}

/// What is live where execution stands: at the start of a block or behind a
/// call, and everything elsewhere.
fn live_at(machine: &Semantics<'_>, site: Site) -> BTreeSet<Variable> {
    let live = machine.live.of(site.procedure);
    let here = match site.command.checked_sub(1) {
        None => Some(live.at_start(site.block)),
        Some(before) => live.after_call(site.block, before),
    };
    here.unwrap_or(live.own_variables()).iter().collect()
}

fn live_after_call(machine: &Semantics<'_>, site: Site) -> BTreeSet<Variable> {
    let block = machine.program.procedure(site.procedure).block(site.block);
    let after = machine.live.of(site.procedure).after_call(site.block, site.command);
    let mut live: BTreeSet<Variable> = after.into_iter().flat_map(|set| set.iter()).collect();
    if let Some(Command::Call { target: Some(target), .. }) =
        block.commands.get(site.command).map(|instruction| &instruction.command)
    {
        live.remove(target);
    }
    live
}

/// Turns disequalities that have become one-sided into bounds. Returns whether
/// the state may still describe something.
fn tighten(state: &mut State) -> bool {
    let facts = std::mem::take(&mut state.facts.nonzero);
    facts.iter().all(|fact| !state.assume_nonzero(fact).is_empty())
}

/// ```text
///   no program variable reaches A
///   ───────────────────────────── JUNK
///   Q * A  ⟶  Q * junk
/// ```
///
/// Returns which atoms were kept.
pub fn collect_garbage(state: &mut State) -> Vec<bool> {
    let mut roots: BTreeSet<Var> = BTreeSet::new();
    state.stores.iter().flatten().for_each(|(_, value)| roots.extend(value.variables()));
    let is_reached = reached(state, roots);
    let mut atoms = state.heap.atoms.iter().zip(&is_reached);
    let lost_heap = atoms.any(|(atom, reached)| !reached && atom.is_heap());
    if lost_heap {
        state.junk = state.junk.max(Junk::Some);
    }
    let mut unreached = state.heap.atoms.iter().zip(&is_reached);
    if unreached.any(|(atom, reached)| !reached && !atom.is_heap() && state.owns_by_rows(atom)) {
        state.junk = Junk::Lost;
    }
    let mut keep = is_reached.iter();
    state.heap.atoms.retain(|_| keep.next().copied().unwrap_or(true));
    is_reached
}

/// Keeps the disequalities that say something about what is still there.
pub fn prune_nonzero(state: &mut State) {
    let mut present: BTreeSet<Var> = BTreeSet::new();
    let facts = std::mem::take(&mut state.facts.nonzero);
    state.for_each_expr(&mut |expr| present.extend(expr.variables()));
    for atom in &state.heap.atoms {
        present.extend(atom.own_addresses(state));
    }
    let mut kept: Vec<LinearExpr> = facts
        .into_iter()
        .filter(|fact| {
            fact.variables().all(|v| present.contains(&v)) && !state.surely_nonzero(fact)
        })
        .collect();
    kept.sort();
    kept.dedup();
    kept.truncate(MAX_NONZERO);
    state.prune_products();
    state.facts.nonzero = kept.into_iter().collect();
}
