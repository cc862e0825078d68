//! Calls of functions of which nothing is known but that their addresses came in.

use super::Explorer;
use crate::evidence::place::{Place, Site};
use crate::heap::state::{Kind, State};
use crate::ir::Variable;
use crate::logic::LinearExpr;

impl Explorer<'_, '_> {
    /// Whether a value is the address of a function that came in with the call of a function
    /// that is analysed by itself.
    pub(super) fn is_outside(&self, state: &State, value: &LinearExpr) -> bool {
        let is_unknown = |variable| state.vocabulary.kind(variable) == Kind::Unknown;
        self.context.machine.program.open.is_some()
            && value.as_var().is_some_and(is_unknown)
            && !state.surely_zero(value)
    }

    /// ```text
    ///   x is an unknown value in Q, in a function that is analysed by itself
    ///   ──────────────────────────────────────────────────────────────────── OUTSIDE
    ///   {Q} y := (*x)(ē) {Q & x != 0 with arbitrary y}
    /// ```
    ///
    /// The report says what this takes for granted: the function is there, returns, and leaves
    /// memory as it is (`c::lower::kept`).
    pub(super) fn call_outside(
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
