//! Calls, also of functions of which nothing is known but that their addresses came in.

use super::{Explorer, code_address};
use base::budget::{Budget, Exhausted};
use base::source::Span;
use evidence::alarm::AlarmKind;
use evidence::place::{Place, Site};
use heap::state::{Kind, State};
use ir::{Callee, Command, Expr, Instruction, Variable};
use logic::LinearExpr;

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
                            for id in program.callbacks(*target, arguments) {
                                self.enter(place, state.clone(), (id, arguments), budget)?;
                            }
                            let callee = (&value, instruction.span);
                            self.call_outside(place, state, callee, *target);
                        }
                        None if value.as_constant().is_some() => {
                            self.context.undefined(AlarmKind::UnknownCallee);
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
    /// The report says what this takes for granted: the function is there, returns, and leaves
    /// memory as it is (`c::lower::ownership_assumptions`), which is not so where the pointer's name says that
    /// memory is given up.
    fn call_outside(
        &mut self,
        place: &Place,
        mut state: State,
        (value, span): (&LinearExpr, Span),
        target: Option<Variable>,
    ) {
        let Some(Site { block, command, .. }) = place.site() else { return };
        let open = self.context.machine.program.open.as_ref();
        if open.is_some_and(|open| open.givers.contains(&span)) {
            let what = "a call through a pointer that may give up what it is handed, as the \
                        pointer's name says";
            self.context.alarm(AlarmKind::Unsupported(what.to_owned()));
            return;
        }
        if state.assume_nonzero(value).is_empty() {
            return;
        }
        let next = place.moved(block, command + 1);
        self.go_on(next, state, target, None);
    }
}
