//! A look at memory that chooses nothing.

use super::Failure;
use super::memory::{Content, Memory};
use super::value::Value;
use ir::expr::ScalarType;

impl Memory {
    /// The scalar of type `ty` at `address`, or `None` when a byte of it was not
    /// chosen yet.
    ///
    /// # Errors
    /// When the bytes are not all in one live block, or have no number.
    pub fn peek(&self, address: Value, ty: ScalarType) -> Result<Option<Value>, Failure> {
        if let Some(value) = self.stored_at(address, ty) {
            return Ok(Some(value));
        }
        let mut is_chosen = true;
        let value = self.clone().load(address, ty, &mut |_| {
            is_chosen = false;
            0
        })?;
        Ok(is_chosen.then_some(value))
    }

    /// What a store of just this type left at an address. The block may have
    /// been freed only if it has no cells.
    fn stored_at(&self, address: Value, ty: ScalarType) -> Option<Value> {
        let pointer = address.as_pointer()?;
        let mut cells = self.block(pointer.block).cells();
        let (_, cell) = cells.find(|(offset, _)| *offset == pointer.offset)?;
        match cell.content {
            Content::Scalar { ty: stored, value } if stored == ty => Some(value),
            Content::Scalar { .. } | Content::Run(_) | Content::Opaque | Content::Moved => None,
        }
    }
}
