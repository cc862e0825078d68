//! Objects of which nothing is known any more.

use wane_grammar::c::place::Place;

use super::{Lowering, fold};
use crate::types::Type;
use ir::{BinaryOp, Command, Expr, HavocSource, ScalarType};

/// Parts of a structure that are made arbitrary one by one.
const SCRAMBLE_LIMIT: u64 = 256;

impl Lowering<'_> {
    /// Makes all parts of an object arbitrary.
    pub(super) fn scramble(&mut self, ty: &Type, address: Expr, what: &str, place: Place) {
        let mut leaves = Vec::new();
        if self.leaves(ty, 0, &mut leaves).is_none() {
            self.clobber(format!("large arbitrary object from `{what}`"), place);
            return;
        }
        for (offset, scalar) in leaves {
            let target = self.temporary(scalar, place);
            let source = HavocSource::Approximation(what.to_owned());
            self.emit(Command::Havoc { target, source }, place);
            let offset = Expr::Constant(i128::from(offset));
            let address = fold::binary(BinaryOp::Add, address.clone(), offset);
            self.emit(Command::Store { address, value: target.into(), ty: scalar }, place);
        }
    }

    /// Offsets and types of the scalars in an object; `None` if there are many.
    fn leaves(&self, ty: &Type, offset: u64, into: &mut Vec<(u64, ScalarType)>) -> Option<()> {
        if into.len() as u64 > SCRAMBLE_LIMIT {
            return None;
        }
        match ty {
            Type::Record(id) => {
                let record = self.types.record(*id);
                for field in &record.layout.as_ref()?.fields {
                    match field.bits {
                        Some(bits) => {
                            into.push((offset + field.offset, ScalarType::Int(bits.unit)))
                        }
                        None => self.leaves(&field.ty, offset + field.offset, into)?,
                    }
                }
                Some(())
            }
            Type::Array(array) => {
                let size = self.types.size(&array.element)?;
                let total = self.types.size(ty)?;
                for index in 0..total.checked_div(size)? {
                    self.leaves(&array.element, offset + index * size, into)?;
                }
                Some(())
            }
            other => {
                into.push((offset, self.types.scalar(other)?));
                Some(())
            }
        }
    }
}
