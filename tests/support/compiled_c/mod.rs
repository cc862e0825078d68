//! Random C programs, compiled with sanitizers and run, and what wane says of them.
//!
//! `WANE_RANDOM_C` says how many programs, `WANE_RANDOM_C_FROM` from which number on;
//! without it `WANE_SEED` chooses the first one. `WANE_RANDOM_C_SAVE` names a folder where
//! programs with a wrong verdict are kept, made small. `WANE_RANDOM_C_TOOL` is another wane
//! to ask, `WANE_RANDOM_C_LIMITS` what bounds its work.
#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod campaign;
pub(crate) mod dice;
pub(crate) mod judge;
pub(crate) mod program;
pub(crate) mod runs;
