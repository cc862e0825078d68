//! Calls that begin blocks of the heap, and those that make them larger or smaller.

use wane_grammar::c::place::Place;

use super::convert::Value;
use super::external_calls::Known;
use super::{Lowered, Lowering, fold};
use crate::MallocModel;
use crate::types::{Integer, Type};
use ir::{
    BinaryOp, BlockId, Command, Expr, HavocSource, InitialContent, IntKind, MemoryKind, Overlap,
    ScalarType, Terminator, Variable, semantics,
};

impl Lowering<'_> {
    /// A new heap block, or null if the user allows that.
    pub(super) fn allocated(
        &mut self,
        size: Expr,
        content: InitialContent,
        call: &Known<'_>,
    ) -> Lowered<Value> {
        let target = self.temporary(ScalarType::Pointer, call.place);
        self.or_null(target, &size.clone(), call, |this| {
            let kind = MemoryKind::Heap;
            this.emit(Command::Allocate { target, size, kind, content }, call.place);
        })?;
        self.pointer_result(target.into(), call)
    }

    /// The old block ends, and a new one begins with its content, as far as there is room.
    /// It may have the same address, so the content waits elsewhere. Where there may be no
    /// memory, the old block may stay. With size 0, C leaves open what happens: the old
    /// block ends or stays, and there is a block without bytes or null.
    pub(super) fn reallocate(&mut self, call: &Known<'_>) -> Lowered<Value> {
        let place = call.place;
        let mut size = self.byte_count(call, 1)?;
        if call.values.len() > 2 {
            let factor = self.byte_count(call, 2)?;
            size = fold::binary(BinaryOp::Multiply, size, factor);
        }
        let (old, target) = (call.argument(0), self.temporary(ScalarType::Pointer, place));
        let too_large = self.body.block(self.span(place));
        if !matches!(size, Expr::Constant(_)) {
            self.unless_too_large((target, &size), too_large, place);
        }
        self.or_null(target, &size.clone(), call, |this| {
            let (kind, content) = (MemoryKind::Heap, InitialContent::Arbitrary);
            if old == Expr::Constant(0) {
                this.emit(Command::Allocate { target, size, kind, content }, place);
                return;
            }
            let join = this.body.block(this.span(place));
            this.reallocate_nothing(target, (&old, &size), join, place);
            let kept = this.room_of(&old, &size, place);
            let between = this.temporary(ScalarType::Pointer, place);
            let copy = |target: Variable, source: Expr| Command::Copy {
                target: target.into(),
                source,
                size: kept.clone(),
                overlap: Overlap::Allowed,
            };
            let on_stack = MemoryKind::Stack;
            let (room, target_size) = (kept.clone(), size);
            let begin = Command::Allocate { target: between, size: room, kind: on_stack, content };
            for command in [
                begin,
                copy(between, old.clone()),
                Command::Free { address: old, kind },
                Command::Allocate { target, size: target_size, kind, content },
                copy(target, between.into()),
                Command::Free { address: between.into(), kind: on_stack },
            ] {
                this.emit(command, place);
            }
            this.body.terminate(Terminator::Goto(join), this.span(place));
            this.body.current = join;
        })?;
        self.body.terminate(Terminator::Goto(too_large), self.span(place));
        self.body.current = too_large;
        self.pointer_result(target.into(), call)
    }

    /// Goes on where an object can have that size; in other cases, there is null, and the old block
    /// stays. These end in `join`.
    fn unless_too_large(&mut self, (target, size): (Variable, &Expr), join: BlockId, place: Place) {
        let span = self.span(place);
        let most = semantics::largest_object(self.types.model.pointer_bytes());
        let is_too_large = fold::binary(BinaryOp::Greater, size.clone(), Expr::Constant(most));
        let (fails, goes_on) = (self.body.block(span), self.body.block(span));
        self.branch_on(is_too_large, fails, goes_on, place);
        self.body.current = fails;
        self.emit(Command::Assign { target, value: Expr::Constant(0) }, place);
        self.body.terminate(Terminator::Goto(join), span);
        self.body.current = goes_on;
    }

    /// Goes on where the size is not 0; the other cases end in `join`.
    fn reallocate_nothing(
        &mut self,
        target: Variable,
        (old, size): (&Expr, &Expr),
        join: BlockId,
        place: Place,
    ) {
        if matches!(size, Expr::Constant(size) if *size != 0) {
            return;
        }
        let span = self.span(place);
        let [none, some, freed, kept, block, null] = std::array::from_fn(|_| self.body.block(span));
        self.branch_on(fold::truth(size.clone()), some, none, place);
        self.body.current = none;
        self.branch_on_unknown(freed, kept, place);
        self.body.current = freed;
        self.emit(Command::Free { address: old.clone(), kind: MemoryKind::Heap }, place);
        self.branch_on_unknown(block, null, place);
        self.body.current = block;
        let (kind, content) = (MemoryKind::Heap, InitialContent::Arbitrary);
        self.emit(Command::Allocate { target, size: size.clone(), kind, content }, place);
        self.body.terminate(Terminator::Goto(join), span);
        self.body.current = kept;
        self.body.terminate(Terminator::Goto(null), span);
        self.body.current = null;
        self.emit(Command::Assign { target, value: Expr::Constant(0) }, place);
        self.body.terminate(Terminator::Goto(join), span);
        self.body.current = some;
    }

    /// Goes one way or the other, which is not modelled.
    fn branch_on_unknown(&mut self, one: BlockId, other: BlockId, place: Place) {
        let target = self.temporary(ScalarType::Int(IntKind { bits: 1, signed: false }), place);
        let source = HavocSource::Approximation("realloc".to_owned());
        self.emit(Command::Havoc { target, source }, place);
        self.branch_on(target.into(), one, other, place);
    }

    /// How many bytes of a heap block have room in `size` bytes.
    fn room_of(&mut self, block: &Expr, size: &Expr, place: Place) -> Expr {
        let ty = ScalarType::Int(self.types.size_type().kind(self.types.model));
        let kept = self.temporary(ty, place);
        self.emit(Command::Measure { target: kept, address: block.clone() }, place);
        let is_less = fold::binary(BinaryOp::Less, size.clone(), kept.into());
        let span = self.span(place);
        let (less, join) = (self.body.block(span), self.body.block(span));
        self.branch_on(is_less, less, join, place);
        self.body.current = less;
        self.emit(Command::Assign { target: kept, value: size.clone() }, place);
        self.body.terminate(Terminator::Goto(join), span);
        self.body.current = join;
        kept.into()
    }

    /// Does `allocate`, or sets `target` to null if the user allows that. No object is larger
    /// than the distances in it can tell, so there is none of such a size: what asks for one fails,
    /// which is so in no run that counts where that does not happen.
    fn or_null(
        &mut self,
        target: Variable,
        size: &Expr,
        call: &Known<'_>,
        allocate: impl FnOnce(&mut Self),
    ) -> Lowered<()> {
        let place = call.place;
        let most = semantics::largest_object(self.types.model.pointer_bytes());
        if matches!(size, Expr::Constant(size) if *size > most) {
            self.emit(Command::Assign { target, value: Expr::Constant(0) }, place);
            return Ok(());
        }
        let fits = fold::binary(BinaryOp::LessEqual, size.clone(), Expr::Constant(most));
        let fits =
            (!matches!(size, Expr::Constant(_))).then_some(Command::Assume { condition: fits });
        if self.options.malloc == MallocModel::Succeeds {
            fits.into_iter().for_each(|it| self.emit(it, place));
            allocate(self);
            return Ok(());
        }
        let span = self.span(place);
        let source = HavocSource::Input(call.name.to_owned());
        let choice = self.arbitrary(&Type::Int(Integer::Bool), source, place)?;
        let (yes, no, join) = (self.body.block(span), self.body.block(span), self.body.block(span));
        self.branch_on(fold::truth(choice.expr), yes, no, place);
        self.body.current = yes;
        fits.into_iter().for_each(|it| self.emit(it, place));
        allocate(self);
        self.body.terminate(Terminator::Goto(join), span);
        self.body.current = no;
        self.emit(Command::Assign { target, value: Expr::Constant(0) }, place);
        self.body.terminate(Terminator::Goto(join), span);
        self.body.current = join;
        Ok(())
    }
}
