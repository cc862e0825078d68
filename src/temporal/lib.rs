//! Temporal logic.
//!
//! * [`formula`]: formulas of linear and of branching time in positive normal form.
//! * [`buchi`]: the automaton of a formula of linear time: the words that satisfy it.

pub mod buchi;
pub mod formula;
