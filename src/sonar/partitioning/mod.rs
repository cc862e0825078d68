//! By what states are told apart that are at the same place (trace partitioning: Rival and
//! Mauborgne, TOPLAS 2007).
//!
//! * [`conditions`]: what the program assumes of two variables.
//! * [`flags`]: variables that say how a run got here.
//! * [`control`]: variables that say where a state machine is.

pub(crate) mod conditions;
pub(crate) mod control;
pub(crate) mod flags;
