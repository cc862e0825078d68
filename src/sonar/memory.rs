//! Reading and writing the bytes of exposed blocks.

use super::eval::any_of_type;
use super::rearrange::Exposed;
use crate::heap::state::{Kind, State};
use crate::heap::{Atom, Block, Cell, Content};
use crate::ir::ScalarType;
use crate::logic::{Integer, LinearExpr};

/// What a scalar of type `ty` at the exposed address holds. A first read of
/// arbitrary bytes names them, so that a second one finds the same.
pub fn load(exposed: &mut Exposed, ty: ScalarType, pointer_bytes: u32) -> LinearExpr {
    let width = i64::from(ty.bytes(pointer_bytes));
    let Some(offset) = constant_offset(&exposed.offset) else {
        return any_of_type(&mut exposed.state, ty);
    };
    let Some(block) = block_mut(&mut exposed.state, exposed.block) else {
        return LinearExpr::zero();
    };
    let overlaps = |cell: &&Cell| {
        cell.offset < offset + width
            && offset < cell.offset + i64::from(cell.ty.bytes(pointer_bytes))
    };
    match block.cells.iter().find(overlaps).cloned() {
        Some(cell) if cell.offset == offset && cell.ty == ty => cell.value,
        Some(cell) if cell.offset == offset => {
            reinterpret(&mut exposed.state, &cell, ty, pointer_bytes)
        }
        Some(_) => any_of_type(&mut exposed.state, ty),
        None => {
            let zeroed = block.content == Content::Zero && !matches!(ty, ScalarType::Float(_));
            let value =
                if zeroed { LinearExpr::zero() } else { any_of_type(&mut exposed.state, ty) };
            if let Some(block) = block_mut(&mut exposed.state, exposed.block) {
                block.write(Cell { offset, ty, value: value.clone() }, pointer_bytes);
            }
            value
        }
    }
}

/// The bytes of a cell read as another type of the same width.
fn reinterpret(state: &mut State, cell: &Cell, ty: ScalarType, pointer_bytes: u32) -> LinearExpr {
    let same_width = cell.ty.bytes(pointer_bytes) == ty.bytes(pointer_bytes);
    let in_range = |state: &State, value: &LinearExpr| match (cell.ty, ty) {
        (ScalarType::Int(_), ScalarType::Int(kind)) => {
            state.kind_of(value) == Kind::Integer
                && state.surely_at_most_zero(&value.neg().add_constant(Integer::from(kind.min())))
                && state.surely_at_most_zero(&value.add_constant(-&Integer::from(kind.max())))
        }
        // Addresses of blocks stay what they are; other values have a sign or not.
        (ScalarType::Pointer, ScalarType::Int(kind)) => match state.kind_of(value) {
            Kind::Address => true,
            Kind::Unknown => !kind.signed,
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
/// may be hit are forgotten.
pub fn store(exposed: &mut Exposed, ty: ScalarType, value: LinearExpr, pointer_bytes: u32) {
    let width = LinearExpr::from(i64::from(ty.bytes(pointer_bytes)));
    match constant_offset(&exposed.offset) {
        Some(offset) => {
            if let Some(block) = block_mut(&mut exposed.state, exposed.block) {
                block.write(Cell { offset, ty, value }, pointer_bytes);
            }
        }
        None => forget_range(exposed, &width, pointer_bytes),
    }
}

/// Forgets all cells that `width` bytes at the exposed address may overlap.
pub fn forget_range(exposed: &mut Exposed, width: &LinearExpr, pointer_bytes: u32) {
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
        block.cells.clear();
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
    let Some(block) = block_mut(&mut exposed.state, exposed.block) else { return };
    block.clear(offset, width_bytes, pointer_bytes);
    block.content = if whole || block.content == content { content } else { Content::Arbitrary };
    for cell in cells {
        block.write(Cell { offset: cell.offset + offset, ..cell }, pointer_bytes);
    }
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
