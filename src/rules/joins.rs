//! Who decides where the rules of execution leave a choice.
//!
//! Between two cutpoints the rules leave two things open: which states go on where
//! paths meet, and which entry state describes a call of a recursive procedure.
//! [`Joins`] answers. That of the analysis (`sonar::search_joins`) searches, and notes
//! why its answers are right, if it is asked to. That of the check follows these
//! notes, and believes nothing of them (`verdict::check`).

use super::Semantics;
use base::budget::{Budget, Exhausted};
use evidence::place::{NodeId, Place};
use heap::state::State;
use logic::LinearExpr;

/// An entry state, and what its variables stand for.
pub type Entered = (NodeId, Vec<LinearExpr>);

/// Decides what the rules of execution leave open.
pub trait Joins<'a> {
    /// The states to go on with in place of those that meet at a place.
    ///
    /// # Errors
    /// When the budget runs out.
    fn meet(
        &mut self,
        machine: &Semantics<'_>,
        place: &Place,
        states: Vec<State>,
        budget: &mut Budget,
    ) -> Result<Vec<State>, Exhausted>;

    /// The entry state that describes a call which begins so at the start of a
    /// procedure. Without one, the call is not followed.
    ///
    /// # Errors
    /// When the budget runs out.
    fn enter(
        &mut self,
        machine: &Semantics<'_>,
        start: &Place,
        state: &State,
        budget: &mut Budget,
    ) -> Result<Option<Entered>, Exhausted>;

    /// The states in which the procedure that is entered in a state returns.
    fn exits(&self, entry: NodeId) -> Vec<&'a State>;
}
