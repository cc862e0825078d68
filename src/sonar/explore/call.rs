//! Calls, also of functions of which nothing is known but that their addresses came in.

use super::{Explorer, code_address};
use crate::base::budget::{Budget, Exhausted};
use crate::evidence::place::{Place, Site};
use crate::heap::state::{Kind, State};
use crate::ir::{
    BinaryOp, Callee, Command, Expr, InitialContent, Instruction, MemoryKind, Variable,
};
use crate::logic::LinearExpr;
use crate::sonar::AlarmKind;

impl Explorer<'_, '_> {
    /// Executes a call.
    pub(super) fn call(
        &mut self,
        place: &Place,
        state: State,
        instruction: &Instruction,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let Command::Call { target, callee, arguments } = &instruction.command else {
            return Ok(());
        };
        let program = self.context.machine.program;
        match callee {
            Callee::Direct(procedure) => {
                self.enter(place, state, (*procedure, arguments), budget)?;
            }
            Callee::Indirect(pointer) => {
                for (state, value) in self.context.values(state, pointer) {
                    match code_address(&value) {
                        Some(id) if program.is_callable_as(id, *target, arguments) => {
                            self.enter(place, state, (id, arguments), budget)?;
                        }
                        None if self.is_outside(&state, (pointer, &value)) => {
                            self.call_outside(place, state, (&value, *target, arguments));
                        }
                        _ => self.context.alarm(AlarmKind::UnknownCallee),
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a value is the address of a function that came in with the call of a function
    /// that is analysed by itself.
    fn is_outside(&self, state: &State, (pointer, value): (&Expr, &LinearExpr)) -> bool {
        let is_of = |kind| value.as_var().is_some_and(|it| state.vocabulary.kind(it) == kind);
        let came_in = match pointer {
            Expr::Variable(variable) => self.context.machine.coming_in.contains(variable),
            Expr::Constant(_)
            | Expr::Procedure(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Wrap(..) => false,
        };
        let is_there = is_of(Kind::Foreign) || (came_in && is_of(Kind::Unknown));
        is_there && !state.surely_zero(value)
    }

    /// ```text
    ///   x is foreign in Q, or an unknown value that comes in (ir::incoming)
    ///   ──────────────────────────────────────────────────────────────────── OUTSIDE
    ///   {Q} y := (*x)(ē) {Q & x != 0 with arbitrary y}
    /// ```
    ///
    /// Where the pointer is named like an allocator, y is the address of a new block of as many
    /// bytes as its arguments say. The report says what this takes for granted: the function is
    /// there, returns, and leaves memory as it is (`c::lower::kept`).
    fn call_outside(
        &mut self,
        place: &Place,
        mut state: State,
        (value, target, arguments): (&LinearExpr, Option<Variable>, &[Expr]),
    ) {
        let Some(Site { block, command, .. }) = place.site() else { return };
        if state.assume_nonzero(value).is_empty() {
            return;
        }
        let next = place.moved(block, command + 1);
        let open = self.context.machine.program.open.as_ref();
        let gifts = open.map_or(&[][..], |open| &open.gifts);
        let Some(gift) = gifts.iter().find(|gift| Some(gift.target) == target) else {
            self.go_on(next, state, target, None);
            return;
        };
        let factors = gift.factors.iter().filter_map(|at| arguments.get(*at).cloned());
        let size = factors.reduce(|left, right| Expr::binary(BinaryOp::Multiply, left, right));
        let what = (MemoryKind::Heap, InitialContent::Arbitrary);
        let size = size.unwrap_or(Expr::Constant(0));
        for state in self.context.allocate(state, gift.target, &size, what) {
            self.go_on(next.clone(), state, None, None);
        }
    }
}
