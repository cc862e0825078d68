//! `printf`, `scanf` and their like, conversion by conversion: C text cannot say what
//! becomes of variable arguments.

mod directive;
mod print;
mod scan;
mod scan_text;

use wane_grammar::c::ast::{Expr as Tree, ExprKind};
use wane_grammar::c::place::Place;

use self::directive::Size;
use super::convert::Value;
use super::external_calls::Known;
use super::{Lowered, Lowering};
use crate::types::{Integer, Type};

/// No buffer is larger, and no width, than this.
const NO_LIMIT: u64 = 1 << 62;

impl Lowering<'_> {
    /// The text of an argument that is a string literal.
    fn literal(trees: &[Tree], index: usize) -> Option<String> {
        match &trees.get(index)?.kind {
            ExprKind::String(literal) => {
                literal.units.iter().map(|unit| char::from_u32(*unit)).collect()
            }
            _ => None,
        }
    }

    /// Calls a helper of the models; where the program got none, it is not modelled.
    fn helper(
        &mut self,
        helper: &str,
        caller: &str,
        values: Vec<Value>,
        place: Place,
    ) -> Lowered<Value> {
        match self.function_named(helper) {
            Some(index) => self.call_model(index, caller, values, place),
            None => {
                self.unsupported(format!("call of `{caller}`"), place);
                self.approximation(&Type::INT, caller, place)
            }
        }
    }

    /// Calls a helper of the models if the program got it.
    fn optional_helper(
        &mut self,
        helper: &str,
        call: &Known<'_>,
        values: Vec<Value>,
    ) -> Lowered<()> {
        if let Some(index) = self.function_named(helper) {
            self.call_model(index, call.name, values, call.place)?;
        }
        Ok(())
    }

    /// The integer type that a conversion of this size reads or writes.
    fn integer_of_size(&self, size: Size, letter: char) -> Type {
        let is_unsigned = "ouxX".contains(letter);
        let signed = match size {
            Size::Byte => Integer::SignedChar,
            Size::Short => Integer::Short,
            Size::Int => Integer::Int,
            Size::Long => Integer::Long,
            Size::LongLong => Integer::LongLong,
            Size::Pointer => self.types.difference_type(),
        };
        Type::Int(if is_unsigned { signed.to_unsigned() } else { signed })
    }

    /// A number of bytes as a value of the size type.
    fn number_of_bytes(&self, number: u64) -> Value {
        Value::new(Type::Int(self.types.size_type()), i128::from(number))
    }
}
