//! Linear temporal logic.
//!
//! * [`formula`]: formulas in negation normal form.
//! * [`buchi`]: the automaton of a formula: the words that satisfy it.

pub mod buchi;
pub mod formula;
