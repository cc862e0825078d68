//! Reductions: of questions to obligations, and of the answers back.
//!
//! A reduction makes programs and goals. It says by an [`Implication`] what an answer
//! about each of them means for what was asked, and by a [`Combination`] how the answers to
//! several of them are one.
//!
//! * [`plain`]: questions that are goals as they stand.
//! * [`specification`]: SLIC specifications: a monitor, an error, and fair termination.
//! * [`ltl`]: formulas of linear temporal logic: fair termination of a product.
//! * [`ctl`]: formulas of computation tree logic: fair termination of a game's program.
//! * [`threads`]: the termination of a thread: fair termination of all threads together.
//! * [`propositions`]: the C expressions of formulas.
//! * [`integers`]: a model of C's integers: the same text, read in other ways.
//! * [`when_called`]: runs of functions by themselves, of somebody who calls them.
//!
//! A question that no reduction takes is not answered.

mod combination;
pub mod ctl;
pub mod integers;
pub mod ltl;
mod observer;
mod overflow;
pub mod plain;
pub mod propositions;
pub mod specification;
pub mod threads;
pub mod instrument;
pub mod when_called;
mod wrapping;

pub use combination::{Combination, Implication, Truth};
