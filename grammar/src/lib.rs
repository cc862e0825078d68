//! Token streams, syntax trees and LALRPOP grammars of everything that wane
//! reads. This crate knows what a text says, never what it means.

pub mod c;
mod error;
pub mod goto;
pub mod quoted;
pub mod sexpr;
pub mod shape;
pub mod slic;
pub mod t2;
pub mod temporal;

pub use error::SyntaxError;
