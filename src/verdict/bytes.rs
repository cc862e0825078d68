//! What bytes of a block are known to hold.

use crate::heap::{Block, Cell, Content};
use crate::ir::ScalarType;
use crate::logic::LinearExpr;

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
