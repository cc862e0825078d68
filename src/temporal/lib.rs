//! Temporal logic.
//!
//! * [`formula`]: formulas of linear time in negation normal form.
//! * [`buchi`]: the automaton of such a formula: the words that satisfy it.
//! * [`branching`]: formulas of branching time in positive normal form.

pub mod branching;
pub mod buchi;
pub mod formula;
