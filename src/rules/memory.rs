//! Reading and writing the bytes of exposed blocks.

use super::arbitrary::{any_between, any_of_type, bounds};
use super::rearrange::Exposed;
use heap::segment::{self, Segment, Written};
use heap::state::{Kind, State};
use heap::{Atom, Block, Cell, Content, FloatingCell};
use ir::{IntKind, MemoryKind, ScalarType};
use logic::{Constraint, Integer, LinearExpr};

/// So much of what was read or written last at offsets that are not constant is kept.
pub(super) const MAX_RECENT: usize = 4;

/// What a scalar of type `ty` at the exposed address holds. A first read of
/// arbitrary bytes names them, so that a second one finds the same.
pub fn load(exposed: &mut Exposed, ty: ScalarType, pointer_bytes: u32) -> LinearExpr {
    let width = i64::from(ty.bytes(pointer_bytes));
    let Some(offset) = constant_offset(&exposed.offset) else {
        return load_again(exposed, ty, pointer_bytes);
    };
    let Some(block) = block_mut(&mut exposed.state, exposed.block) else {
        return LinearExpr::zero();
    };
    let overlaps = |cell: &&Cell| {
        cell.offset < offset + width
            && offset < cell.offset + i64::from(cell.ty.bytes(pointer_bytes))
    };
    match block.cells.iter().find(overlaps).cloned() {
        Some(cell) if cell.offset == offset && cell.ty == ty => {
            assume_range(&mut exposed.state, ty, &cell.value);
            cell.value
        }
        Some(cell) if cell.offset == offset => {
            reinterpret(&mut exposed.state, &cell, ty, pointer_bytes)
        }
        Some(_) => any_of_type(&mut exposed.state, ty),
        None => {
            let value = load_again(exposed, ty, pointer_bytes);
            let is_named = !touches_rows(exposed, width);
            if let Some(block) = block_mut(&mut exposed.state, exposed.block)
                && is_named
            {
                block.name(Cell { offset, ty, value: value.clone() });
            }
            value
        }
    }
}

/// Whether so many bytes at the exposed address may belong to elements of rows.
fn touches_rows(exposed: &Exposed, width: i64) -> bool {
    let Atom::Block(block) = &exposed.state.heap.atoms[exposed.block] else { return false };
    exposed.state.touches_rows(block, (&exposed.offset, &width.into()))
}

/// Whether a truth value is read from bytes that were written as something else, and may
/// be neither 0 nor 1.
pub fn is_no_truth(exposed: &Exposed, ty: ScalarType, pointer_bytes: u32) -> bool {
    let ScalarType::Int(IntKind { bits: 1, .. }) = ty else { return false };
    let Some(offset) = constant_offset(&exposed.offset) else { return false };
    let Atom::Block(block) = &exposed.state.heap.atoms[exposed.block] else { return false };
    let holds = |cell: &&Cell| {
        cell.offset <= offset && offset < cell.offset + i64::from(cell.ty.bytes(pointer_bytes))
    };
    let Some(cell) = block.cells.iter().find(holds) else { return false };
    let is_byte = cell.ty.bytes(pointer_bytes) == 1 && !matches!(cell.ty, ScalarType::Float(_));
    cell.ty != ty
        && !(is_byte
            && exposed.state.kind_of(&cell.value) == Kind::Integer
            && exposed.state.surely_at_most_zero(&cell.value.neg())
            && exposed.state.surely_at_most_zero(&cell.value.add_constant(-1)))
}

/// What lies where no cell at a constant offset is: the same as before, if it was read or
/// written last, or what the segment of the block says.
fn load_again(exposed: &mut Exposed, ty: ScalarType, pointer_bytes: u32) -> LinearExpr {
    let is_of_row = touches_rows(exposed, i64::from(ty.bytes(pointer_bytes)));
    let Exposed { state, block: index, offset } = exposed;
    let Some(block) = block_mut(state, *index) else { return LinearExpr::zero() };
    let same = block.recent.clone().into_iter().filter(|it| it.ty == ty);
    if let Some(known) = same.rev().find(|it| state.surely_zero(&it.offset.sub(offset))) {
        return known.value;
    }
    let value = state.element(*index, offset, ty, pointer_bytes);
    let value = value.or_else(|| of_table(state, (*index, offset), ty, pointer_bytes));
    let is_known = value.is_some();
    let value = value.unwrap_or_else(|| any_of_type(state, ty));
    if let ScalarType::Int(_) = ty
        && is_known
    {
        assume_range(state, ty, &value);
    }
    let is_number = state.kind_of(offset) == Kind::Integer && offset.as_constant().is_none();
    let is_kept = matches!(ty, ScalarType::Int(_)) && is_number && !is_of_row;
    let Some(block) = block_mut(state, *index).filter(|_| is_kept) else { return value };
    // What says nothing may be forgotten for something newer.
    let says_nothing =
        block.content == Content::Arbitrary && block.segment.is_none() && block.rows.is_empty();
    if says_nothing && block.recent.len() >= MAX_RECENT {
        block.recent.remove(0);
    }
    if block.recent.len() < MAX_RECENT {
        block.recent.push(FloatingCell { offset: offset.clone(), ty, value: value.clone() });
    }
    value
}

/// ```text
///   b ↦ { 0: c₀, w: c₁, … } in Q, all of w bytes    o is a multiple of w
///   ───────────────────────────────────────────────────────────────────── TABLE
///   {Q} x := [b + o] {Q & min c ≤ x ≤ max c}
/// ```
///
/// A number in the range of all constants of a table, if a block is one.
fn of_table(
    state: &mut State,
    (index, offset): (usize, &LinearExpr),
    ty: ScalarType,
    pointer_bytes: u32,
) -> Option<LinearExpr> {
    let Atom::Block(block) = &state.heap.atoms[index] else { return None };
    let bytes = i64::from(ty.bytes(pointer_bytes));
    // What was read last changes nothing.
    let is_constant = block.region.kind == MemoryKind::Constant || block.recent.is_empty();
    let is_plain = is_constant && block.floating.is_none() && block.segment.is_none();
    if !matches!(ty, ScalarType::Int(_)) || !is_plain || !block.rows.is_empty() {
        return None;
    }
    let n_elements = i64::try_from(block.cells.len()).ok()?;
    let is_whole = block.size == LinearExpr::from(bytes * n_elements);
    let zero = (!is_whole && block.content == Content::Zero).then_some(Integer::ZERO);
    if !is_whole && zero.is_none() {
        return None;
    }
    segment::place(offset, bytes).filter(|(_, residue)| *residue == 0)?;
    let constant = |cell: &Cell| {
        let is_element = cell.offset % bytes == 0 && cell.ty == ty;
        is_element.then(|| state.constant_value(&cell.value)).flatten()
    };
    let constants: Option<Vec<Integer>> = block.cells.iter().map(constant).collect();
    let constants: Vec<Integer> = constants?.into_iter().chain(zero).collect();
    let (least, most) = (constants.iter().min()?.clone(), constants.iter().max()?.clone());
    Some(any_between(state, least, most).into())
}

/// A cell of a type whose range is known holds a value of that range. That it
/// contradicts what is known else is left to be found out.
fn assume_range(state: &mut State, ty: ScalarType, value: &LinearExpr) {
    let ScalarType::Int(kind) = ty else { return };
    let is_known = value.as_constant().is_some() || (kind.signed && kind.bits >= 32);
    if is_known || state.kind_of(value) != Kind::Integer {
        return;
    }
    let (least, most) = bounds(kind);
    let (least, most) = (LinearExpr::constant(least), LinearExpr::constant(most));
    state.facts.numbers.assume(Constraint::ge(value.clone(), least));
    state.facts.numbers.assume(Constraint::le(value.clone(), most));
}

/// The bytes of a cell read as another type of the same width.
fn reinterpret(state: &mut State, cell: &Cell, ty: ScalarType, pointer_bytes: u32) -> LinearExpr {
    let same_width = cell.ty.bytes(pointer_bytes) == ty.bytes(pointer_bytes);
    let in_range = |state: &State, value: &LinearExpr| match (cell.ty, ty) {
        (ScalarType::Int(_), ScalarType::Int(kind)) => {
            state.kind_of(value) == Kind::Integer
                && state.surely_at_most_zero(&value.neg().add_constant(bounds(kind).0))
                && state.surely_at_most_zero(&value.add_constant(-&bounds(kind).1))
        }
        // Addresses of blocks stay what they are where their numbers are exact, and have
        // no sign; other values have a sign or not.
        (ScalarType::Pointer, ScalarType::Int(kind)) => match state.kind_of(value) {
            Kind::Address => state.surely_exact(value) && (!kind.signed || pointer_bytes >= 8),
            Kind::Unknown | Kind::Foreign => !kind.signed && state.surely_exact(value),
            Kind::Integer | Kind::Summary => false,
        },
        (ScalarType::Int(_), ScalarType::Pointer) => {
            state.kind_of(value) != Kind::Integer || state.surely_at_most_zero(&value.neg())
        }
        (ScalarType::Float(_), _)
        | (_, ScalarType::Float(_))
        | (ScalarType::Pointer, ScalarType::Pointer) => false,
    };
    if same_width && in_range(state, &cell.value) {
        cell.value.clone()
    } else {
        any_of_type(state, ty)
    }
}

/// Writes a scalar at the exposed address. At an unknown offset, cells that may be hit are
/// forgotten. `stride` is what an index in the address counts, if one is.
pub fn store(
    exposed: &mut Exposed,
    (ty, value): (ScalarType, LinearExpr),
    stride: Option<i64>,
    pointer_bytes: u32,
) {
    let width = LinearExpr::from(i64::from(ty.bytes(pointer_bytes)));
    let floating = floating_apart(exposed, &width, pointer_bytes);
    let constant = constant_offset(&exposed.offset);
    let Exposed { state, block: index, offset } = exposed;
    if constant.is_none() && state.kind_of(offset) == Kind::Integer {
        state.divide_zeros(*index, offset, (ty, stride), pointer_bytes);
    }
    let is_number = state.kind_of(offset) == Kind::Integer;
    let is_named = ty == ScalarType::Pointer && (constant.is_some() || is_number);
    let written = if is_named { Written::Pointer } else { Written::Other };
    state.overwrite(*index, (offset, &width), written, pointer_bytes);
    let Some(block) = block_mut(state, *index) else { return };
    block.floating = floating;
    match constant {
        Some(offset) => {
            block.name(Cell { offset, ty, value });
            if let Some(stride) = stride {
                note_row(block, offset, stride);
            }
        }
        None if is_number => {
            let (offset, value) = (offset.clone(), value);
            block.recent.push(FloatingCell { offset, ty, value: value.clone() });
            forget_oldest(exposed, pointer_bytes);
            float(exposed, ty, value);
        }
        None => state.forget_contents(*index),
    }
}

/// Remembers that an element was written by its index: it is one of a row.
fn note_row(block: &mut Block, offset: i64, stride: i64) {
    let is_new = |known: &Segment| {
        known.is_empty() && (known.stride != stride || offset < known.first * stride)
    };
    if block.segment.as_deref().is_none_or(is_new) {
        block.segment = Some(Box::new(Segment::empty(stride, offset.div_euclid(stride))));
    }
}

/// Keeps only so much of what was written last.
pub(super) fn forget_oldest(exposed: &mut Exposed, pointer_bytes: u32) {
    let Exposed { state, block: index, .. } = exposed;
    while let Some(block) = block_mut(state, *index)
        && block.recent.len() > MAX_RECENT
        && let Some(position) = block.recent.iter().position(|it| !block.is_in_rows(it))
    {
        let oldest = block.recent.remove(position);
        state.let_go(*index, &oldest, pointer_bytes);
    }
}

/// Keeps what was written at an unknown offset, if it is a likely end of something:
/// a constant or a character. A zero is not given up for something else.
fn float(exposed: &mut Exposed, ty: ScalarType, value: LinearExpr) {
    let in_segment = matches!(&exposed.state.heap.atoms[exposed.block],
        Atom::Block(block) if block.segment.is_some());
    let is_likely = match ty {
        ScalarType::Int(kind) => value.as_constant().is_some() || (kind.bits <= 8 && !in_segment),
        ScalarType::Pointer | ScalarType::Float(_) => false,
    };
    let is_number = |it: &LinearExpr| exposed.state.kind_of(it) == Kind::Integer;
    if !is_likely || !is_number(&value) || !is_number(&exposed.offset) {
        return;
    }
    let offset = exposed.offset.clone();
    if let Some(block) = block_mut(&mut exposed.state, exposed.block) {
        let has_end = block.floating.as_ref().is_some_and(|known| known.value.is_zero());
        if !has_end || value.is_zero() {
            block.floating = Some(Box::new(FloatingCell { offset, ty, value }));
        }
    }
}

/// The floating cell, if it surely lies outside of `width` bytes at the exposed
/// address.
pub(super) fn floating_apart(
    exposed: &Exposed,
    width: &LinearExpr,
    pointer_bytes: u32,
) -> Option<Box<FloatingCell>> {
    let Atom::Block(block) = &exposed.state.heap.atoms[exposed.block] else { return None };
    let floating = block.floating.clone()?;
    let end = floating.offset.add_constant(i64::from(floating.ty.bytes(pointer_bytes)));
    let starts_behind = end.sub(&exposed.offset);
    let ends_before = exposed.offset.add(width).sub(&floating.offset);
    let is_apart = exposed.state.surely_at_most_zero(&starts_behind)
        || exposed.state.surely_at_most_zero(&ends_before);
    is_apart.then_some(floating)
}

/// ```text
///   b ↦ { o: v, … } in Q    o is not constant
///   ──────────────────────────────────────────────────────────── SPLIT
///   Q at address b + e is Q & e < o, or Q & e = o, or Q & e > o
/// ```
///
/// The exposed state by cases, with the value that a scalar of type `ty` then has
/// at the exposed address, where the floating cell says it.
pub fn by_floating(
    exposed: Exposed,
    ty: ScalarType,
    pointer_bytes: u32,
) -> Vec<(Exposed, Option<LinearExpr>)> {
    let Some(floating) = floating_of(&exposed, ty, pointer_bytes) else {
        return vec![(exposed, None)];
    };
    let distance = exposed.offset.sub(&floating.offset);
    if exposed.state.surely_zero(&distance) {
        return vec![(exposed, Some(floating.value))];
    }
    let mut cases = Vec::new();
    for beyond in [distance.add_constant(1), distance.neg().add_constant(1)] {
        let mut state = exposed.state.clone();
        if !state.assume_at_most_zero(&beyond).is_empty() {
            let (block, offset) = (exposed.block, exposed.offset.clone());
            cases.push((Exposed { state, block, offset }, None));
        }
    }
    let Exposed { mut state, block, offset } = exposed;
    // As a constraint, so that nothing is renamed.
    if !state.assume_constraint(Constraint::zero(distance)).is_empty() {
        cases.push((Exposed { state, block, offset }, Some(floating.value)));
    }
    cases
}

/// The floating cell of the exposed block, if it may be what a scalar of this type
/// at the exposed address is.
fn floating_of(exposed: &Exposed, ty: ScalarType, pointer_bytes: u32) -> Option<Box<FloatingCell>> {
    let Atom::Block(block) = &exposed.state.heap.atoms[exposed.block] else { return None };
    let fixed = || block.text_end().map(|it| Box::new(it.into()));
    let is_fixed = constant_offset(&exposed.offset).is_none();
    let floating = block.floating.clone().or_else(|| is_fixed.then(fixed).flatten())?;
    let is_integer = matches!(ty, ScalarType::Int(_));
    let same_width = floating.ty.bytes(pointer_bytes) == ty.bytes(pointer_bytes);
    let same_value = floating.ty == ty || floating.value.is_zero();
    let is_number = exposed.state.kind_of(&exposed.offset) == Kind::Integer;
    (is_integer && same_width && same_value && is_number).then_some(floating)
}

/// Forgets all that `width` bytes at the exposed address may overlap.
pub fn forget_range(exposed: &mut Exposed, width: &LinearExpr, pointer_bytes: u32) {
    let floating = floating_apart(exposed, width, pointer_bytes);
    let Exposed { state, block: index, offset } = exposed;
    state.overwrite(*index, (offset, width), Written::Other, pointer_bytes);
    state.forget_fields(*index, (offset, width));
    if let Some(block) = block_mut(state, *index) {
        block.floating = floating;
        block.content = Content::Arbitrary;
    }
}

/// `memset`: zeroing a whole block is kept, all else is forgotten.
pub fn fill(exposed: &mut Exposed, byte: &LinearExpr, width: &LinearExpr, pointer_bytes: u32) {
    let is_zero = byte.is_zero();
    let covers_all = exposed.offset.is_zero()
        && matches!(&exposed.state.heap.atoms[exposed.block], Atom::Block(block) if block.size == *width);
    if !(is_zero && covers_all) {
        forget_range(exposed, width, pointer_bytes);
        return;
    }
    exposed.state.forget_contents(exposed.block);
    if let Some(block) = block_mut(&mut exposed.state, exposed.block) {
        block.content = Content::Zero;
    }
}

/// The number that an offset is, when it is constant and small.
#[must_use]
pub fn constant_offset(offset: &LinearExpr) -> Option<i64> {
    offset.as_constant().and_then(Integer::to_i128).and_then(|value| i64::try_from(value).ok())
}

pub(super) fn block_mut(state: &mut State, index: usize) -> Option<&mut Block> {
    match state.heap.atoms.get_mut(index) {
        Some(Atom::Block(block)) => Some(block),
        _ => None,
    }
}
