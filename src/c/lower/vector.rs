//! Vectors of GNU C: they are copied, and their elements are read and written;
//! operations on whole vectors are not modelled.

use wane_grammar::c::place::Place;

use super::convert::Value;
use super::{Lowered, Lowering};
use crate::types::Type;

impl Lowering<'_> {
    /// The result of an operation on operands of these types, if one is a vector.
    pub(super) fn vector_operation(
        &mut self,
        operands: &[&Type],
        place: Place,
    ) -> Option<Lowered<Value>> {
        let vector = operands.iter().find(|ty| self.types.vector_element(ty).is_some())?;
        self.unsupported("operation on a vector", place);
        Some(self.arbitrary_block(vector, place))
    }

    /// A vector that is indexed is the array of its elements.
    pub(super) fn elements(&self, value: Value) -> Value {
        match self.types.vector_element(&value.ty) {
            Some(element) => Value { ty: element.pointer(), expr: value.expr },
            None => value,
        }
    }

    /// A vector as another type, or a number as a vector.
    pub(super) fn convert_vector(
        &mut self,
        from: &Type,
        to: &Type,
        place: Place,
    ) -> Option<Lowered<Value>> {
        let has_vector = [from, to].into_iter().any(|ty| self.types.vector_element(ty).is_some());
        if !has_vector || from == to || *to == Type::Void {
            return None;
        }
        self.unsupported("conversion of a vector", place);
        Some(self.approximation(to, "vector", place))
    }
}
