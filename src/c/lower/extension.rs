//! Extensions of GNU C that are neither types nor operators: statement
//! expressions and inline assembly.

use wane_grammar::c::ast::{Asm, AsmOperand, Block, StmtKind};
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::convert::Value;
use super::{Lowered, Lowering};
use crate::types::Type;
use ir::{Command, Gap, Variable};

/// Instructions that change nothing that a program of one thread can see.
const HARMLESS: &[&str] = &["nop", "pause", "rep", "rep nop", "mfence", "lfence", "sfence"];

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
            // What is called when the block is left may change the value's variables.
            let is_kept = !self.body.calls_on_leaving();
            return Ok(if is_kept { value } else { self.snapshot(&value, place) });
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

    /// Inline assembly without instructions, or with some of [`HARMLESS`], does
    /// nothing; other assembly may do anything, unless it is said to be a function
    /// from its inputs to its outputs. Outputs are arbitrary.
    pub(super) fn assembly(&mut self, asm: &'a Asm, place: Place) -> Lowered<()> {
        self.let_others_move(place);
        for operand in &asm.inputs {
            self.input_operand(operand)?;
        }
        let does_nothing = asm
            .text
            .split([';', '\n'])
            .map(|instruction| instruction.split_whitespace().collect::<Vec<_>>().join(" "))
            .all(|instruction| instruction.is_empty() || HARMLESS.contains(&instruction.as_str()));
        if !asm.labels.is_empty() {
            self.unsupported("inline assembly that jumps", place);
        }
        let writes_memory = asm.clobbers.iter().any(|clobber| clobber == "memory");
        if !does_nothing && (writes_memory || asm.volatile) {
            self.unsupported("inline assembly that may do more than set its outputs", place);
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
            Site::Memory(address) | Site::Member(address, _) | Site::Volatile(address) => {
                self.scramble(&target.ty, address, "inline assembly", place)
            }
            Site::Register(_) | Site::Bits(..) => {
                self.emit(
                    Command::Unsupported {
                        what: "output of inline assembly".to_owned(),
                        gap: Gap::NotModelled,
                    },
                    place,
                );
            }
        }
        Ok(())
    }
}
