//! Reading and writing the bytes of exposed blocks.

use super::eval::{any_of_type, bounds};
use super::rearrange::Exposed;
use crate::heap::state::{Kind, State};
use crate::heap::{Atom, Block, Cell, Content, FloatingCell};
use crate::ir::{IntKind, ScalarType};
use crate::logic::{Constraint, Integer, LinearExpr};

/// What a scalar of type `ty` at the exposed address holds. A first read of
/// arbitrary bytes names them, so that a second one finds the same.
pub fn load(exposed: &mut Exposed, ty: ScalarType, pointer_bytes: u32) -> LinearExpr {
    let width = i64::from(ty.bytes(pointer_bytes));
    let Some(offset) = constant_offset(&exposed.offset) else {
        return load_again(exposed, ty);
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
            let zeroed = block.content == Content::Zero && !matches!(ty, ScalarType::Float(_));
            let value =
                if zeroed { LinearExpr::zero() } else { any_of_type(&mut exposed.state, ty) };
            if let Some(block) = block_mut(&mut exposed.state, exposed.block) {
                block.name(Cell { offset, ty, value: value.clone() }, pointer_bytes);
            }
            value
        }
    }
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

/// What lies at an offset that is not constant: the same as before, if it was read
/// last.
fn load_again(exposed: &mut Exposed, ty: ScalarType) -> LinearExpr {
    let Some(block) = block_mut(&mut exposed.state, exposed.block) else {
        return LinearExpr::zero();
    };
    if let Some(recent) = block.recent.clone().filter(|recent| recent.ty == ty)
        && exposed.state.surely_zero(&recent.offset.sub(&exposed.offset))
    {
        return recent.value;
    }
    let value = any_of_type(&mut exposed.state, ty);
    let offset = exposed.offset.clone();
    let is_number = exposed.state.kind_of(&offset) == Kind::Integer;
    if let (ScalarType::Int(_), true, Some(block)) =
        (ty, is_number, block_mut(&mut exposed.state, exposed.block))
    {
        block.recent = Some(Box::new(FloatingCell { offset, ty, value: value.clone() }));
    }
    value
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
            Kind::Unknown => !kind.signed && state.surely_exact(value),
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

/// Writes a scalar at the exposed address. At an unknown offset, all cells that
/// may be hit are forgotten, and what is written floats.
pub fn store(exposed: &mut Exposed, ty: ScalarType, value: LinearExpr, pointer_bytes: u32) {
    let width = LinearExpr::from(i64::from(ty.bytes(pointer_bytes)));
    match constant_offset(&exposed.offset) {
        Some(offset) => {
            let floating = floating_apart(exposed, &width, pointer_bytes);
            if let Some(block) = block_mut(&mut exposed.state, exposed.block) {
                block.write(Cell { offset, ty, value }, pointer_bytes);
                block.floating = floating;
            }
        }
        None => {
            forget_range(exposed, &width, pointer_bytes);
            float(exposed, ty, value);
        }
    }
}

/// Keeps what was written at an unknown offset, if it is a likely end of something:
/// a constant or a character. A zero is not given up for something else.
fn float(exposed: &mut Exposed, ty: ScalarType, value: LinearExpr) {
    let is_likely = match ty {
        ScalarType::Int(kind) => value.as_constant().is_some() || kind.bits <= 8,
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
fn floating_apart(
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
    let floating = block.floating.clone()?;
    let is_integer = matches!(ty, ScalarType::Int(_));
    let same_width = floating.ty.bytes(pointer_bytes) == ty.bytes(pointer_bytes);
    let same_value = floating.ty == ty || floating.value.is_zero();
    let is_number = exposed.state.kind_of(&exposed.offset) == Kind::Integer;
    (is_integer && same_width && same_value && is_number).then_some(floating)
}

/// Forgets all cells that `width` bytes at the exposed address may overlap.
pub fn forget_range(exposed: &mut Exposed, width: &LinearExpr, pointer_bytes: u32) {
    let floating = floating_apart(exposed, width, pointer_bytes);
    let Atom::Block(block) = &exposed.state.heap.atoms[exposed.block] else { return };
    let hit: Vec<i64> = block
        .cells
        .iter()
        .filter(|cell| {
            let end = cell.offset + i64::from(cell.ty.bytes(pointer_bytes));
            let starts_behind = exposed.offset.neg().add_constant(end);
            let ends_before = exposed.offset.add(width).add_constant(-cell.offset);
            !exposed.state.surely_at_most_zero(&starts_behind)
                && !exposed.state.surely_at_most_zero(&ends_before)
        })
        .map(|cell| cell.offset)
        .collect();
    if let Some(block) = block_mut(&mut exposed.state, exposed.block) {
        block.cells.retain(|cell| !hit.contains(&cell.offset));
        (block.floating, block.recent) = (floating, None);
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
    if let Some(block) = block_mut(&mut exposed.state, exposed.block) {
        block.forget();
        block.content = Content::Zero;
    }
}

/// The cells within `width` bytes at the exposed address, offsets from there,
/// and what the other bytes hold;
/// `None` when the range is not constant.
#[must_use]
pub fn cells_in_range(
    exposed: &Exposed,
    width: &LinearExpr,
    pointer_bytes: u32,
) -> Option<(Vec<Cell>, Content)> {
    let offset = constant_offset(&exposed.offset)?;
    let width = constant_offset(width)?;
    let Atom::Block(block) = &exposed.state.heap.atoms[exposed.block] else { return None };
    let inside = |cell: &&Cell| {
        offset <= cell.offset
            && cell.offset + i64::from(cell.ty.bytes(pointer_bytes)) <= offset + width
    };
    let overlaps = |cell: &Cell| {
        cell.offset < offset + width
            && offset < cell.offset + i64::from(cell.ty.bytes(pointer_bytes))
    };
    let is_cut = block.cells.iter().any(|cell| overlaps(cell) && !inside(&cell));
    let content = if is_cut { Content::Arbitrary } else { block.content };
    let moved = block
        .cells
        .iter()
        .filter(inside)
        .map(|cell| Cell { offset: cell.offset - offset, ..cell.clone() });
    Some((moved.collect(), content))
}

/// Overwrites `width` bytes at the exposed address by copied cells.
pub fn paste(
    exposed: &mut Exposed,
    copied: Option<(Vec<Cell>, Content)>,
    width: &LinearExpr,
    pointer_bytes: u32,
) {
    let whole = matches!(&exposed.state.heap.atoms[exposed.block], Atom::Block(block) if block.size == *width);
    let (Some((cells, content)), Some(offset), Some(width_bytes)) =
        (copied, constant_offset(&exposed.offset), constant_offset(width))
    else {
        forget_range(exposed, width, pointer_bytes);
        return;
    };
    let floating = floating_apart(exposed, &LinearExpr::from(width_bytes), pointer_bytes);
    let Some(block) = block_mut(&mut exposed.state, exposed.block) else { return };
    block.clear(offset, width_bytes, pointer_bytes);
    block.content = if whole || block.content == content { content } else { Content::Arbitrary };
    for cell in cells {
        block.write(Cell { offset: cell.offset + offset, ..cell }, pointer_bytes);
    }
    block.floating = floating;
}

/// The number that an offset is, when it is constant and small.
#[must_use]
pub fn constant_offset(offset: &LinearExpr) -> Option<i64> {
    offset.as_constant().and_then(Integer::to_i128).and_then(|value| i64::try_from(value).ok())
}

fn block_mut(state: &mut State, index: usize) -> Option<&mut Block> {
    match state.heap.atoms.get_mut(index) {
        Some(Atom::Block(block)) => Some(block),
        _ => None,
    }
}
