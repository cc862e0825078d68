//! Reductions: of questions to obligations, and of the answers back.
//!
//! A reduction makes programs and goals. It says by an [`Implication`] what an answer
//! about each of them means for what was asked, and carries it back.
//!
//! * [`plain`]: questions that are goals as they stand.
//! * [`specification`]: SLIC specifications: a monitor, an error, and fair termination.
//! * [`ltl`]: formulas of linear temporal logic: fair termination of a product.
//! * [`ctl`]: formulas of computation tree logic: fair termination of a game's program.
//! * [`threads`]: the termination of a thread: fair termination of all threads together.
//! * [`propositions`]: the C expressions of formulas.
//! * [`integers`]: a model of C's integers: the same text, read in other ways.
//!
//! A question that no reduction takes is not answered.

pub mod ctl;
pub mod integers;
pub mod ltl;
mod observer;
mod overflow;
pub mod plain;
pub mod propositions;
pub mod specification;
pub mod threads;
pub mod weave;

/// What the answer to an obligation means for what the obligation was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Implication {
    /// It is the answer.
    Equivalent,
    /// A proof is a proof: all runs that count are runs of the obligation's program. A
    /// run against the obligation means nothing.
    Sound,
    /// A refutation is a refutation: all runs of the obligation's program count. A proof
    /// means nothing.
    Complete,
}
