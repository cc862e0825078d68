//! Calls, also of functions of which nothing is known but that their addresses came in.

use super::{Explorer, code_address};
use crate::base::budget::{Budget, Exhausted};
use crate::evidence::place::{Place, Site};
use crate::heap::state::{Kind, State};
use crate::ir::{Callee, Command, Expr, Instruction, Variable};
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
                            self.call_outside(place, state, (&value, *target));
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
        let is_unknown = |variable| state.vocabulary.kind(variable) == Kind::Unknown;
        let came_in = match pointer {
            Expr::Variable(variable) => self.context.machine.coming_in.contains(variable),
            Expr::Constant(_)
            | Expr::Procedure(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Wrap(..) => false,
        };
        came_in && value.as_var().is_some_and(is_unknown) && !state.surely_zero(value)
    }

    /// ```text
    ///   x is an unknown value in Q, and comes in (ir::incoming)
    ///   ──────────────────────────────────────────────────────────────────── OUTSIDE
    ///   {Q} y := (*x)(ē) {Q & x != 0 with arbitrary y}
    /// ```
    ///
    /// The report says what this takes for granted: the function is there, returns, and leaves
    /// memory as it is (`c::lower::kept`).
    fn call_outside(
        &mut self,
        place: &Place,
        mut state: State,
        (value, target): (&LinearExpr, Option<Variable>),
    ) {
        let Some(Site { block, command, .. }) = place.site() else { return };
        if !state.assume_nonzero(value).is_empty() {
            self.go_on(place.moved(block, command + 1), state, target, None);
        }
    }
}
