//! What elements of arrays own becomes part of the arrays' rows.

use super::{Hints, Made, Proof, RowEnds, Search};
use crate::entailment::rows::{Owned, owned};
use crate::suggest::{templates_of, with_ending};
use base::budget::{Budget, Exhausted};
use base::limits::MOST_NAMED_ELEMENTS;
use heap::bounds;
use heap::fold_precision::FoldPrecision;
use heap::row::{Holding, Nulls, Row, Sizes};
use heap::shape::{ShapeId, ShapeLibrary};
use heap::state::{Kind, State};
use heap::values::bounds_of;
use heap::{ANY_SIZE, Atom, Block, Cell, FloatingCell, Template};
use ir::{ScalarType, Variable};
use logic::{LinearExpr, Var};
use smallvec::SmallVec;

/// ```text
///   b ↦ { j: a, …; ls or null in first ≤ i < end } * ls[k](a, 0)    first ≤ j < end
///   ─────────────────────────────────────────────────────────────────────────────── OWNED
///   b ↦ { …; ls or null in first ≤ i < end }
/// ```
///
/// Elements that blocks name become nameless, with what they own, if no program variable is
/// their index. An element next to a row makes it longer; one at its end that owns nothing that
/// is known makes it shorter.
///
/// # Errors
/// When the budget runs out.
pub(crate) fn absorb(
    state: &mut State,
    hints: &Hints<'_>,
    proofs: &mut Vec<Proof>,
    budget: &mut Budget,
) -> Result<(), Exhausted> {
    let bases = state.heap.atoms.iter().filter_map(|atom| match atom {
        Atom::Block(block) if !block.rows.is_empty() => Some((block.base, block.rows.len())),
        Atom::Block(_) | Atom::Instance(_) => None,
    });
    let bases: Vec<_> = bases.collect();
    for (base, n_rows) in bases {
        for row in 0..n_rows {
            while let Some(block) = state.block_at(base)
                && step(state, (block, row), hints, proofs)
            {
                budget.spend(1 + state.matching_cost())?;
            }
        }
        drop_empty(state, base);
        named_by_index(state, base);
    }
    Ok(())
}

/// Elements of rows that are named stand among what was read or written last, so that their
/// indices are numbers as others.
fn named_by_index(state: &mut State, base: Var) {
    let Some(Atom::Block(block)) = block_at(state, base) else { return };
    let is_element = |it: &Cell| {
        let (offset, ty) = (LinearExpr::from(it.offset), it.ty);
        let scalar = FloatingCell { offset, ty, value: it.value.clone() };
        block.is_in_rows(&scalar).then_some(scalar)
    };
    let moved: Vec<FloatingCell> = block.cells.iter().filter_map(is_element).collect();
    block.cells.retain(|cell| !moved.iter().any(|it| it.offset == cell.offset.into()));
    block.recent.extend(moved);
    block.recent.sort();
    block.recent.dedup();
}

/// Rows go that say nothing.
fn drop_empty(state: &mut State, base: Var) {
    if let Some(Atom::Block(block)) = block_at(state, base) {
        block.rows.retain(|row| !row.is_empty());
    }
}

fn block_at(state: &mut State, base: Var) -> Option<&mut Atom> {
    let index = state.block_at(base)?;
    state.heap.atoms.get_mut(index)
}

/// Where an element stands to its row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Inside,
    /// It is the next one before the first one.
    Before,
    /// It is the next one behind the last one.
    Behind,
}

/// Makes one element of a row nameless. Returns whether there was one.
fn step(
    state: &mut State,
    (at, number): (usize, usize),
    hints: &Hints<'_>,
    proofs: &mut Vec<Proof>,
) -> bool {
    let Atom::Block(block) = &state.heap.atoms[at] else { return false };
    let Some(row) = block.rows.get(number).cloned() else { return false };
    let base = block.base;
    let named: Vec<(LinearExpr, FloatingCell)> = block.named_elements(&row).collect();
    let is_crowded = named.len() > MOST_NAMED_ELEMENTS;
    for (index, element) in named {
        let is_elsewhere = |it: Variable| is_elsewhere(state, base, it);
        let is_index = |it: Variable| hints.indices.may_be_of(it, is_elsewhere);
        if !is_crowded && is_in_stores(state, &index, is_index) {
            continue;
        }
        let side = side_of(state, &row, &index);
        if let Some(side) = side {
            if state.surely_zero(&element.value) {
                // One that ends the array is none of it.
                let is_next = row.nulls == Nulls::None && side != Side::Inside;
                let is_end =
                    || is_in_stores(state, &index, |_| true) || is_last(state, at, &row, &index);
                if is_next && is_end() {
                    continue;
                }
                let may_leave = row.nulls == Nulls::None || hints.ends == RowEnds::Leave;
                let is_left = may_leave && side == Side::Inside;
                if !is_left || !shorten(state, (at, number), (&element, &index)) {
                    take(state, (at, number), (&element, side), None);
                }
                return true;
            }
            let owner = found_owner(state, (at, &row), &element, hints);
            if let Some((holding, owned)) = owner {
                let mut atoms = owned.atoms.clone();
                let size = size_of(state, (&row, &holding), &element.value, hints.shape_library);
                let owner = Owner { holding, size };
                take(state, (at, number), (&element, side), Some(owner));
                let proof = owned.proof.expand(proofs);
                proofs[at] = proofs[at].clone().with_owned(vec![proof]);
                atoms.sort_unstable();
                for atom in atoms.into_iter().rev() {
                    state.heap.atoms.remove(atom);
                    proofs.remove(atom);
                }
                return true;
            }
        }
        if is_dangling(state, &element.value) {
            if !shorten(state, (at, number), (&element, &index)) {
                lose(state, (at, &row));
            }
            return true;
        }
    }
    if is_crowded {
        lose(state, (at, &row));
    }
    is_crowded
}

/// Nothing is known any more of what elements own.
fn lose(state: &mut State, (at, row): (usize, &Row)) {
    state.lose_rows(at, &|_, known| known.is_like(row));
    if let Atom::Block(block) = &mut state.heap.atoms[at] {
        block.recent.retain(|it| row.index_of(it).is_none());
    }
}

/// Whether a pointer in a program variable points at something else than a block.
fn is_elsewhere(state: &State, base: Var, pointer: Variable) -> bool {
    let stores = state.stores.iter().flatten();
    let mut values = stores.filter(|(it, _)| *it == pointer).map(|(_, value)| value).peekable();
    values.peek().is_some() && !values.any(|value| value.variables().any(|it| it == base))
}

/// Whether a program variable of which this is wanted has an index as its value.
fn is_in_stores(state: &State, index: &LinearExpr, is_wanted: impl Fn(Variable) -> bool) -> bool {
    let stores = state.stores.iter().flatten();
    let mut values = stores.filter(|(it, _)| is_wanted(*it)).map(|(_, value)| value);
    values.any(|value| state.surely_zero(&value.sub(index)))
}

/// Whether the array ends behind an element.
fn is_last(state: &State, at: usize, row: &Row, index: &LinearExpr) -> bool {
    let Atom::Block(block) = &state.heap.atoms[at] else { return false };
    let end = index.add_constant(1).scale(&row.stride.into());
    state.surely_zero(&end.sub(&block.size))
}

fn side_of(state: &State, row: &Row, index: &LinearExpr) -> Option<Side> {
    if row.reaches(state, index) {
        Some(Side::Inside)
    } else if state.surely_zero(&index.sub(&row.end)) {
        Some(Side::Behind)
    } else if state.surely_zero(&index.sub(&row.first).add_constant(1)) {
        Some(Side::Before)
    } else {
        None
    }
}

/// What elements of a row own, and how many bytes it has at least and at most.
struct Owner {
    holding: Holding,
    size: (LinearExpr, Sizes),
}

/// How many bytes all have that elements of a row own when one more owns something: as many as
/// before, or, if it is the first, as many as it has itself, if variables say how many these are.
fn size_of(
    state: &State,
    (row, holding): (&Row, &Holding),
    value: &LinearExpr,
    library: &ShapeLibrary,
) -> (LinearExpr, Sizes) {
    let size = state.bytes_behind(value).filter(|_| holding.has_room(library));
    let Some(size) = size else {
        return (LinearExpr::zero(), Sizes::Any);
    };
    let is_named = |it: Var| state.stores.iter().flatten().any(|(_, value)| value.mentions(it));
    let (room, sizes) = match row.holds {
        Some(_) => (row.room.clone(), row.sizes),
        None if size.variables().all(is_named) => (size.clone(), Sizes::Counted),
        None => (LinearExpr::zero(), Sizes::Counted),
    };
    let (no_room, is) = (LinearExpr::zero(), |it| state.has_size(size, it));
    let sizes = if is((&no_room, sizes)) { sizes } else { Sizes::Any };
    let room = if is((&room, Sizes::Any)) { room } else { no_room };
    (room, sizes)
}

/// The element is nameless from now on.
fn take(
    state: &mut State,
    (at, number): (usize, usize),
    (element, side): (&FloatingCell, Side),
    owner: Option<Owner>,
) {
    let Atom::Block(block) = &mut state.heap.atoms[at] else { return };
    forget_name(block, element);
    let row = &mut block.rows[number];
    match owner {
        Some(Owner { holding, size: (room, sizes) }) => {
            (row.holds, row.room, row.sizes) = (Some(holding), room, sizes);
        }
        None => row.nulls = Nulls::Some,
    }
    match side {
        Side::Inside => {}
        Side::Before => row.first = row.first.add_constant(-1),
        Side::Behind => row.end = row.end.add_constant(1),
    }
}

fn forget_name(block: &mut Block, element: &FloatingCell) {
    block.cells.retain(|it| LinearExpr::from(it.offset) != element.offset || it.ty != element.ty);
    block.recent.retain(|it| it != element);
}

/// Leaves out an element at an end of its row.
fn shorten(
    state: &mut State,
    (at, number): (usize, usize),
    (element, index): (&FloatingCell, &LinearExpr),
) -> bool {
    let Atom::Block(block) = &state.heap.atoms[at] else { return false };
    let row = &block.rows[number];
    if !row.reaches(state, index) {
        return false;
    }
    let is_first = state.surely_zero(&index.sub(&row.first));
    let is_last = state.surely_zero(&index.sub(&row.end).add_constant(1));
    let Atom::Block(block) = &mut state.heap.atoms[at] else { return false };
    let row = &mut block.rows[number];
    if is_first {
        row.first = row.first.add_constant(1);
    } else if is_last {
        row.end = row.end.add_constant(-1);
    } else {
        return false;
    }
    forget_name(block, element);
    true
}

/// Whether nothing is known of what a value points at: it was freed, perhaps.
fn is_dangling(state: &State, value: &LinearExpr) -> bool {
    !value.is_zero()
        && state
            .heap
            .atoms
            .iter()
            .all(|atom| !atom.own_addresses(state).iter().any(|address| value.mentions(*address)))
}

/// What an element owns, in a form that fits the row, if nothing else points there.
fn found_owner(
    state: &State,
    (at, row): (usize, &Row),
    element: &FloatingCell,
    hints: &Hints<'_>,
) -> Option<(Holding, Owned)> {
    let fits = |holding: &Holding| {
        let found = owned(state, holding, element, hints.shape_library)?;
        is_hidden(state, at, element, &found).then_some(found)
    };
    let known = row.holds.iter().cloned();
    let wider = || {
        let candidates = candidates(state, element, hints).into_iter();
        candidates.filter(|it| row.holds.as_ref().is_none_or(|known| known.is_within(it)))
    };
    let with_owned = |it: Holding| fits(&it).map(|found| (it, found));
    let found = known.into_iter().find_map(with_owned).or_else(|| wider().find_map(with_owned));
    let (mut holding, found) = found?;
    let kind = (holding.shape, &holding.template);
    let own = bounds_of(state, kind, &found.proof, hints.shape_library);
    holding.bounds = match &row.holds {
        Some(known) => bounds::join(&known.bounds, &own),
        None => own,
    };
    Some((holding, found))
}

/// The shapes that what an element points at may have.
fn candidates(state: &State, element: &FloatingCell, hints: &Hints<'_>) -> Vec<Holding> {
    let library = hints.shape_library;
    let points_here = |atom: &Atom| {
        atom.own_addresses(state).iter().any(|address| element.value.mentions(*address))
    };
    let Some(index) = state.heap.atoms.iter().position(points_here) else { return Vec::new() };
    match &state.heap.atoms[index] {
        Atom::Instance(instance) => {
            let kind = (instance.shape, &instance.template);
            let own = Holding::of(kind, &instance.arguments, &element.value, library);
            own.into_iter().collect()
        }
        Atom::Block(block) => {
            // Cells without links are elsewhere part of other shapes only.
            let is_plain = |id: &ShapeId| library.get(*id).is_plain();
            let plain = library.by_specificity().filter(is_plain);
            let mut found = Vec::new();
            for shape in hints.shapes.iter().copied().chain(plain) {
                let mut templates = templates_of(state, block, shape, hints);
                if library.get(shape).is_plain() {
                    let any = |it: &Template| Template { size: ANY_SIZE, ..it.clone() };
                    let of_any_size: Vec<Template> = templates.iter().map(any).collect();
                    templates.extend(of_any_size);
                    // Text that ends is more than bytes.
                    let texts = templates.iter().filter_map(|it| with_ending(block, it));
                    templates = texts.collect::<Vec<_>>().into_iter().chain(templates).collect();
                }
                for template in templates {
                    let made = nodes(state, (shape, &template), (index, block), hints);
                    found.extend(made.iter().filter_map(|made| {
                        Holding::of((shape, &template), &made.arguments, &element.value, library)
                    }));
                }
            }
            found
        }
    }
}

/// The instances that a block makes up, with what it owns, of which nothing else is lost.
fn nodes(
    state: &State,
    (shape, template): (ShapeId, &Template),
    (index, block): (usize, &Block),
    hints: &Hints<'_>,
) -> Vec<Made> {
    let library = hints.shape_library;
    let Some(rule) = library.get(shape).rules.first() else { return Vec::new() };
    let (number, links, care) = (0, hints.links, FoldPrecision::KeepOwned);
    let search = Search { state, shape, number, rule, template, library, links, care };
    let mut made = search.nodes((shape, template), (index, block), &SmallVec::new());
    made.retain(|it| !it.used.iter().any(|own| search.owns_more(*own, &it.used)));
    made
}

/// Whether only this element points at what it owns.
fn is_hidden(state: &State, at: usize, element: &FloatingCell, found: &Owned) -> bool {
    let in_stores = |v: Var| state.stores.iter().flatten().any(|(_, value)| value.mentions(v));
    let elsewhere = |v: Var| {
        state.heap.atoms.iter().enumerate().any(|(index, atom)| match atom {
            _ if found.atoms.contains(&index) => false,
            Atom::Block(block) if index == at => {
                let mut others = block.clone();
                forget_name(&mut others, element);
                Atom::Block(others).mentions(v)
            }
            Atom::Block(_) | Atom::Instance(_) => atom.mentions(v),
        })
    };
    let own = found.atoms.iter().flat_map(|it| state.heap.atoms[*it].own_addresses(state));
    let arguments = found.arguments.iter().flat_map(LinearExpr::variables);
    let is_address = |v: &Var| state.vocabulary.kind(*v) != Kind::Integer;
    own.chain(arguments.filter(is_address)).all(|v| !in_stores(v) && !elsewhere(v))
        && element.ty == ScalarType::Pointer
}
