//! What bytes of a block are known to hold.

use heap::{Block, Cell, Content};
use ir::ScalarType;
use logic::{Integer, LinearExpr};

/// Whether the zeros of a block are not hidden where a scalar lies: by a segment, or by what was
/// written last.
pub(super) fn zeros_reach(block: &Block, scalar: &Cell) -> bool {
    let end = i128::from(scalar.offset) + i128::from(scalar.ty.bytes(8));
    block.recent.is_empty()
        && block.segment.as_ref().is_none_or(|segment| {
            segment.end == LinearExpr::from(segment.first)
                || end <= i128::from(segment.first) * i128::from(segment.stride)
        })
}

/// The pointer at an offset of a block: a cell of that type, or zeros that no cell
/// covers, even in part. Addresses count as 8 bytes.
pub(super) fn pointer_at(block: &Block, offset: i64) -> Option<LinearExpr> {
    if let Some(cell) = block.cells.iter().find(|cell| cell.offset == offset) {
        return (cell.ty == ScalarType::Pointer).then(|| cell.value.clone());
    }
    let end = |cell: &Cell| cell.offset + i64::from(cell.ty.bytes(8));
    let is_touched = block.cells.iter().any(|it| it.offset < offset + 8 && offset < end(it));
    let link = Cell { offset, ty: ScalarType::Pointer, value: LinearExpr::zero() };
    (block.content == Content::Zero && !is_touched && zeros_reach(block, &link))
        .then(LinearExpr::zero)
}

/// The first of the zeros in a block behind its last cell, if that is a byte.
pub(super) fn zero_behind(block: &Block) -> Option<Cell> {
    let is_byte = |cell: &&Cell| matches!(cell.ty, ScalarType::Int(kind) if kind.bits == 8);
    let last = block.cells.last().filter(is_byte)?;
    let zero = Cell { offset: last.offset + 1, ty: last.ty, value: LinearExpr::zero() };
    let size = block.size.as_constant().and_then(Integer::to_i128)?;
    let is_zero = block.content == Content::Zero
        && i128::from(zero.offset) < size
        && block.rows.is_empty()
        && zeros_reach(block, &zero)
        && block.cells.iter().all(|it| !it.overlaps(&zero));
    is_zero.then_some(zero)
}

/// Whether some byte of a block is zero: a cell that lies in it, or one that floats.
pub(super) fn ends(block: &Block) -> bool {
    let is_zero = |ty: ScalarType, value: &LinearExpr| {
        let is_byte = matches!(ty, ScalarType::Int(kind) if kind.bits == 8);
        is_byte && value.as_constant().is_some_and(Integer::is_zero)
    };
    let size = block.size.as_constant().and_then(Integer::to_i128).unwrap_or(0);
    let lies_inside = |it: &Cell| it.offset >= 0 && i128::from(it.offset) < size;
    block.floating.as_ref().is_some_and(|it| is_zero(it.ty, &it.value))
        || block.cells.iter().any(|it| is_zero(it.ty, &it.value) && lies_inside(it))
}
