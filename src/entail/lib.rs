//! What is searched for in symbolic heaps: the check follows what was found, and knows nothing
//! of this.
//!
//! * [`entailment`]: `have ⊢ want`, by walking both heaps from the roots.
//! * [`fold`]: atoms put together by the rules of their shape; `suggest`: by which of them.
//! * `images`: elements of arrays among those of a state.
//! * `pattern`: the atoms of a rule among those of a state.

pub mod entailment;
pub mod fold;
mod images;
mod pattern;
mod suggest;
