//! Paths that meet between cutpoints: a state that another one describes is
//! dropped; when many are left, those with matching heaps are joined.
//!
//! The states share their seeds, so what a join keeps is still a relation to
//! the cutpoint that the paths came from.

use super::Machine;
use super::abstraction::{collect_garbage, forget_dead};
use super::place::Place;
use crate::heap::Atom;
use crate::heap::entail::entail_with_seeds;
use crate::heap::matching::Match;
use crate::heap::state::{Kind, State};
use crate::ir::ScalarType;
use crate::logic::{Constraint, LinearExpr, Var};
use std::collections::BTreeSet;

/// So many states stay apart where paths meet.
const MAX_APART: usize = 6;
/// So many do where paths have met often since the last cutpoint.
const MAX_APART_FAR: usize = 2;
/// So often is often.
const MANY_MEETINGS: usize = 48;

/// The states that are left of those at one place, from which what is dead was
/// forgotten. `n_meetings` tells how often paths met before, since the last
/// cutpoint: in long stretches of branches fewer states are told apart.
pub fn merge(machine: &Machine<'_>, states: Vec<State>, n_meetings: usize) -> Vec<State> {
    let max_apart = if n_meetings < MANY_MEETINGS { MAX_APART } else { MAX_APART_FAR };
    let mut kept: Vec<State> = Vec::with_capacity(states.len());
    for state in states {
        if kept.iter().any(|known| describes(machine, known, &state)) {
            continue;
        }
        if kept.len() < max_apart {
            kept.push(state);
        } else {
            join_into(machine, &mut kept, state);
        }
    }
    kept
}

/// Forgets what no run from the place can depend on, and the numbers of it.
pub(super) fn forget(machine: &Machine<'_>, state: &mut State, place: &Place) {
    forget_dead(machine, state, place);
    collect_garbage(state);
    forget_numbers(state);
}

/// Whether `known` describes all that `state` does.
fn describes(machine: &Machine<'_>, known: &State, state: &State) -> bool {
    known == state
        || entail_with_seeds(state, known, machine.shape_library)
            .is_some_and(|found| found.lost_nonzero.is_empty() && found.is_covered(state, known))
}

/// Joins a state with one whose heap matches, or keeps it apart.
fn join_into(machine: &Machine<'_>, kept: &mut Vec<State>, state: State) {
    for known in kept.iter_mut() {
        let mut general = known.clone();
        forget_reads(&mut general);
        name_numbers(machine, &mut general);
        if let Some(found) = entail_with_seeds(&state, &general, machine.shape_library) {
            absorb(&mut general, &state, &found);
            *known = general;
            return;
        }
    }
    kept.push(state);
}

/// Forgets what was read last: the other path has read something else.
fn forget_reads(state: &mut State) {
    for atom in &mut state.heap.atoms {
        if let Atom::Block(block) = atom {
            block.recent = None;
        }
    }
}

fn absorb(general: &mut State, state: &State, found: &Match) {
    let numbers = found.numbers(state, general);
    let mut index = 0;
    general.facts.nonzero.retain(|_| {
        index += 1;
        !found.lost_nonzero.contains(&(index - 1))
    });
    forget_numbers(general);
    general.facts.numbers = general.facts.numbers.join(&numbers.project_onto(&kept_in(general)));
}

/// Which variables of a state still matter: its seeds, and those that it
/// mentions outside of its numbers.
fn kept_in(state: &State) -> impl Fn(Var) -> bool + use<> {
    let mut present = BTreeSet::new();
    state.for_each_expr(&mut |expr| present.extend(expr.variables()));
    let n_seeds = state.vocabulary.n_seeds();
    move |variable| variable.index() < n_seeds || present.contains(&variable)
}

/// Forgets the numbers of variables that do not matter any more.
fn forget_numbers(state: &mut State) {
    state.facts.numbers = state.facts.numbers.project_onto(&kept_in(state));
}

/// What is kept in a slot: null is no number where addresses are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    Pointer,
    Number,
}

fn slot_of(ty: ScalarType) -> Slot {
    if ty == ScalarType::Pointer { Slot::Pointer } else { Slot::Number }
}

/// Gives every number in a slot a variable of its own.
fn name_numbers(machine: &Machine<'_>, state: &mut State) {
    let mut stores = std::mem::take(&mut state.stores);
    for (variable, value) in stores.iter_mut().flatten() {
        name_number(state, value, slot_of(machine.type_of(*variable)));
    }
    state.stores = stores;
    let mut atoms = std::mem::take(&mut state.heap.atoms);
    for atom in &mut atoms {
        match atom {
            Atom::Block(block) => {
                for cell in &mut block.cells {
                    name_number(state, &mut cell.value, slot_of(cell.ty));
                }
                for floating in [&mut block.floating, &mut block.recent].into_iter().flatten() {
                    name_number(state, &mut floating.offset, Slot::Number);
                    name_number(state, &mut floating.value, Slot::Number);
                }
            }
            Atom::Instance(instance) => name_number(state, &mut instance.depth, Slot::Number),
        }
    }
    state.heap.atoms = atoms;
}

fn name_number(state: &mut State, value: &mut LinearExpr, slot: Slot) {
    if state.kind_of(value) != Kind::Integer
        || (slot == Slot::Pointer && value.as_constant().is_some())
    {
        return;
    }
    let name = state.fresh(Kind::Integer);
    state.facts.numbers.assume(Constraint::eq(name, &*value));
    *value = name.into();
}
