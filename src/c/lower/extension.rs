//! Extensions of GNU C that are neither types nor operators: statement
//! expressions and inline assembly.

use wane_grammar::c::ast::{Asm, AsmOperand, Block, StmtKind};
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::convert::Value;
use super::{Lowered, Lowering};
use crate::c::types::Type;
use crate::ir::{Command, Variable};

impl<'a> Lowering<'a> {
    /// `({ … value; })`
    pub(super) fn statement_expression(
        &mut self,
        block: &'a Block,
        place: Place,
    ) -> Lowered<Value> {
        let Some((last, before)) = block.items.split_last() else { return Ok(Value::void()) };
        let StmtKind::Expr(Some(result)) = &last.kind else {
            self.block(block)?;
            return Ok(Value::void());
        };
        // A structure outlives the block in one that the enclosing scope owns.
        let span = self.span(place);
        self.scopes.push();
        let outer = self.body.enter(span);
        let value =
            before.iter().try_for_each(|item| self.stmt(item)).and_then(|()| self.rvalue(result));
        let value = value.and_then(|value| self.rescue(value, outer, place));
        self.body.leave(outer, span);
        self.scopes.pop();
        value
    }

    /// The value in a place that survives the end of the current frame.
    fn rescue(&mut self, value: Value, outer: usize, place: Place) -> Lowered<Value> {
        if value.ty.is_scalar() {
            // Locals of the block may be set anew when it runs again.
            return Ok(value);
        }
        if !matches!(value.ty, Type::Record(_)) {
            return Ok(value);
        }
        let inner = std::mem::replace(&mut self.body.frame, outer);
        let block: Lowered<Variable> = self.block_of(&value.ty, place);
        self.body.frame = inner;
        let block = block?;
        let size = self.size(&value.ty, place)?;
        self.copy(block.into(), value.expr, size, place);
        Ok(Value::new(value.ty, block))
    }

    /// Inline assembly: outputs are arbitrary.
    pub(super) fn assembly(&mut self, asm: &'a Asm, place: Place) -> Lowered<()> {
        for operand in &asm.inputs {
            self.input_operand(operand)?;
        }
        if !asm.labels.is_empty() {
            self.unsupported("inline assembly that jumps", place);
        }
        let writes_memory = asm.clobbers.iter().any(|clobber| clobber == "memory");
        if writes_memory && !(asm.outputs.is_empty() && asm.inputs.is_empty()) {
            self.unsupported("inline assembly that changes memory", place);
        }
        for operand in &asm.outputs {
            let target = self.lvalue(&operand.value)?;
            self.arbitrary_output(target, place)?;
        }
        Ok(())
    }

    fn input_operand(&mut self, operand: &'a AsmOperand) -> Lowered<()> {
        self.rvalue(&operand.value).map(|_| ())
    }

    fn arbitrary_output(&mut self, target: Lvalue, place: Place) -> Lowered<()> {
        if target.ty.is_scalar() {
            let value = self.approximation(&target.ty, "inline assembly", place)?;
            return self.store(&target, value, place).map(|_| ());
        }
        match target.site {
            Site::Memory(address) => self.scramble(&target.ty, address, "inline assembly", place),
            Site::Register(_) | Site::Bits(..) => {
                self.emit(
                    Command::Unsupported { what: "output of inline assembly".to_owned() },
                    place,
                );
            }
        }
        Ok(())
    }
}
