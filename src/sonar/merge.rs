//! Paths that meet between cutpoints: a state that another one describes is
//! dropped; when many are left, those with matching heaps are joined.
//!
//! The states share their seeds, so what a join keeps is still a relation to
//! the cutpoint that the paths came from.

use super::Machine;
use super::covering::cost_of_matching;
use super::signs::Signs;
use super::strategy::Paths;
use base::budget::{Budget, Exhausted};
use entail::entailment::entail_with_seeds;
use evidence::join_point::{Path, Representative};
use evidence::step::Cover;
use heap::Atom;
use heap::matching::Match;
use heap::products::{Named, Product};
use heap::segment::Rows;
use heap::state::{Kind, State};
use ir::ScalarType;
use logic::{LinearExpr, Var};
use rules::explore::MAX_APART;
use rules::forgetting::{forget_numbers, kept_in};

/// So many do where paths have met often since the last cutpoint.
const MAX_APART_FAR: usize = 2;
/// More than so many stand apart only where their heaps do not match.
const MANY_APART: usize = 2 * MAX_APART;
/// It takes a step to find that a state matches none of so many.
const STANDS_A_STEP: u64 = 2;
/// So often is often.
const MANY_MEETINGS: usize = 48;

/// The states that are left of those at one place.
pub(super) struct Merged {
    /// What execution goes on with.
    pub(super) representatives: Vec<Representative>,
    /// For each path, the representative that describes it, and how, if that is known. How a
    /// path is described by itself, or by a join that it is part of, is not.
    of_path: Vec<(usize, Option<Match>)>,
}

/// The states that are left of those at one place, from which what is dead was
/// forgotten. `n_meetings` tells how often paths met before, since the last
/// cutpoint: in long stretches of branches fewer states are told apart.
///
/// Few states are compared as part of the steps that led to them; many are steps of their own.
///
/// # Errors
/// When the budget runs out.
pub(super) fn merged(
    machine: &Machine<'_>,
    states: &[State],
    n_meetings: usize,
    budget: &mut Budget,
) -> Result<Merged, Exhausted> {
    let max_apart = match machine.strategy.paths {
        Paths::Joined if n_meetings >= MANY_MEETINGS => MAX_APART_FAR,
        Paths::Joined => MAX_APART,
        Paths::Apart => MANY_APART,
    };
    let mut merged =
        Merged { representatives: Vec::new(), of_path: Vec::with_capacity(states.len()) };
    let mut signs: Vec<Option<Signs>> = Vec::new();
    for (path, state) in states.iter().enumerate() {
        let n_stands = merged.representatives.len();
        if n_stands > MANY_APART {
            budget.spend(cost_of_matching(state, n_stands) + n_stands as u64 / STANDS_A_STEP)?;
        }
        let mut known = merged
            .representatives
            .iter()
            .map(|representative| representative.state(states))
            .enumerate();
        let described = known.find_map(|(representative, known)| {
            describes(machine, known, state).map(|found| (representative, found))
        });
        signs.resize_with(merged.representatives.len(), || None);
        let mut joined = || {
            (merged.representatives.len() >= max_apart)
                .then(|| joined(machine, (&merged.representatives, &mut signs), states, state))
        };
        if let Some((representative, found)) = described {
            merged.of_path.push((representative, found));
        } else if let Some((representative, general)) = joined().flatten() {
            merged.representatives[representative] = Representative::State(Box::new(general));
            signs[representative] = None;
            merged.of_path.push((representative, None));
        } else {
            merged.of_path.push((merged.representatives.len(), None));
            merged.representatives.push(Representative::Path(path));
        }
    }
    Ok(merged)
}

/// Why each path is described. A path for which that is not found goes on by itself.
pub(super) fn justified(machine: &Machine<'_>, states: &[State], merged: &mut Merged) -> Vec<Path> {
    let mut paths = Vec::with_capacity(states.len());
    let mut apart = Vec::new();
    for (path, (state, (representative, found))) in
        states.iter().zip(&mut merged.of_path).enumerate()
    {
        let known = &merged.representatives[*representative];
        if let Representative::Path(other) = known
            && (*other == path || states[*other] == *state)
        {
            let is_itself = *other == path;
            paths.push(if is_itself { Path::GoesOn } else { Path::Same(*representative) });
            continue;
        }
        // What described the path before may have become more general since.
        let found = match (known, found.take()) {
            (Representative::Path(_), Some(found)) => Some(found),
            _ => found_description(machine, known.state(states), state),
        };
        paths.push(match found {
            Some(found) => Path::Covered(*representative, Cover::of(found.binding, found.proofs)),
            None => {
                apart.push(Representative::Path(path));
                Path::GoesOn
            }
        });
    }
    merged.representatives.extend(apart);
    paths
}

/// Whether `known` describes all that `state` does; and how, if that was asked.
#[expect(clippy::option_option, reason = "the same state is described without a match")]
fn describes(machine: &Machine<'_>, known: &State, state: &State) -> Option<Option<Match>> {
    if known == state {
        return Some(None);
    }
    found_description(machine, known, state).map(Some)
}

/// How `known` describes all that `state` does, if the walk finds it.
fn found_description(machine: &Machine<'_>, known: &State, state: &State) -> Option<Match> {
    entail_with_seeds(state, known, machine.shape_library)
        .filter(|found| found.keeps_facts() && found.is_covered(state, known))
}

/// The representative most like a state, of those that it can be joined with as its heap matches,
/// and the join.
fn joined(
    machine: &Machine<'_>,
    (representatives, of_known): (&[Representative], &mut [Option<Signs>]),
    states: &[State],
    state: &State,
) -> Option<(usize, State)> {
    let signs = Signs::of(machine, state);
    let mut known: Vec<(usize, &State)> =
        representatives.iter().map(|it| it.state(states)).enumerate().collect();
    known.retain(|(_, known)| !machine.are_apart(known, state));
    known.sort_by_cached_key(|(at, known)| {
        signs.distance(of_known[*at].get_or_insert_with(|| Signs::of(machine, known)))
    });
    known.into_iter().find_map(|(representative, known)| {
        let mut general = known.clone();
        // The other path has read and written something else.
        general.gather(Rows::Stay, machine.program.pointer_bytes);
        name_numbers(machine, &mut general);
        let found = entail_with_seeds(state, &general, machine.shape_library)?;
        absorb(&mut general, state, &found);
        Some((representative, general))
    })
}

fn absorb(general: &mut State, state: &State, found: &Match) {
    let numbers = found.numbers(state, general);
    found.weaken(general);
    found.note_common_products(state, general);
    forget_numbers(general);
    general.facts.numbers = general.facts.numbers.join(&numbers.project_onto(&kept_in(general)));
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
    let mut names = Vec::new();
    let mut stores = std::mem::take(&mut state.stores);
    for (variable, value) in stores.iter_mut().flatten() {
        names.extend(name_number(state, value, slot_of(machine.type_of(*variable))));
    }
    state.stores = stores;
    let mut atoms = std::mem::take(&mut state.heap.atoms);
    for atom in &mut atoms {
        match atom {
            Atom::Block(block) => {
                for cell in &mut block.cells {
                    names.extend(name_number(state, &mut cell.value, slot_of(cell.ty)));
                }
                let rows = block.rows.clone();
                for scalar in block.floats_mut() {
                    // Of an element of a row the index is named.
                    let element = rows.iter().find_map(|row| Some((row, row.index_of(scalar)?)));
                    if let Some((row, mut index)) = element {
                        names.extend(name_number(state, &mut index, Slot::Number));
                        scalar.offset = row.offset_of(&index);
                    } else {
                        names.extend(name_number(state, &mut scalar.offset, Slot::Number));
                    }
                    // That something ends there is part of the heap graph.
                    if !scalar.value.is_zero() {
                        names.extend(name_number(state, &mut scalar.value, Slot::Number));
                    }
                }
                if let Some(segment) = block.segment.as_mut().filter(|it| !it.is_empty()) {
                    names.extend(name_number(state, &mut segment.end, Slot::Number));
                }
                for row in block.rows.iter_mut().filter(|row| !row.is_empty()) {
                    names.extend(name_number(state, &mut row.first, Slot::Number));
                    names.extend(name_number(state, &mut row.end, Slot::Number));
                    if !row.room.is_zero() {
                        names.extend(name_number(state, &mut row.room, Slot::Number));
                    }
                }
            }
            Atom::Instance(instance) => {
                names.extend(name_number(state, &mut instance.depth, Slot::Number));
            }
        }
    }
    state.heap.atoms = atoms;
    // What no slot holds, such as the size of a block, keeps its name.
    let products = state.facts.products.iter();
    let mentioned = products.clone().flat_map(Product::numbers).flat_map(LinearExpr::variables);
    let kept = mentioned.map(|variable| (variable, variable.into()));
    let all: Vec<Named> = names.iter().cloned().chain(kept).collect();
    state.facts.products = products.filter_map(|product| product.in_names(&all)).collect();
    state.facts.numbers.define(names);
}

/// The name that a number gets, and the number.
fn name_number(state: &mut State, value: &mut LinearExpr, slot: Slot) -> Option<(Var, LinearExpr)> {
    if state.kind_of(value) != Kind::Integer
        || (slot == Slot::Pointer && value.as_constant().is_some())
    {
        return None;
    }
    let name = state.fresh(Kind::Integer);
    Some((name, std::mem::replace(value, name.into())))
}
