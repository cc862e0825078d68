//! The rules of execution (CAV'06 §3): what a command does to a state, what is known of it, and
//! where execution goes on. They search for nothing: what they leave open [`Joins`](joins::Joins)
//! decides, which is the analysis for the prover, and the certificate for the check.
//!
//! * [`contract`]: what a function that is analysed by itself can rely on.
//! * [`eval`]: expressions to linear expressions over logical variables; `address`:
//!   what is known of the numbers of addresses in them.
//! * [`rearrange`]: §3 "Rearrangement": the cell that a command touches.
//! * [`execute`]: §3 "Symbolic Execution": one rule a command.
//! * [`forgetting`]: the part of abstraction that is a rule.
//! * [`explore`]: Fig. 4, the transition relation, from cutpoint to cutpoint.
//! * [`departure`]: where execution goes on from a state at a cutpoint.
//! * [`joins`]: who decides what the rules of execution leave open.
//! * [`semantics`]: what the rules of execution read.
//! * [`summary`]: calls that are tabulated.
//! * `numbers`: execution where nothing is said of memory.

mod address;
pub mod arbitrary;
mod assumption;
mod bits;
mod constants;
pub mod contract;
mod copying;
pub mod departure;
pub mod eval;
pub mod execute;
pub mod explore;
pub mod forgetting;
pub mod joins;
pub mod memory;
mod numbers;
mod overwritten;
pub mod passing;
mod product;
mod quotient;
pub mod rearrange;
mod rows;
pub mod semantics;
mod strides;
mod strings;
pub mod summary;

pub use semantics::Semantics;
