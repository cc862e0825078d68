//! What proofs by abstract states are made of: data that the analysis finds and the
//! check follows. Nothing here knows either of them.
//!
//! * [`alarm`]: what keeps an argument from being a proof.
//! * [`statement`]: what an argument shows.
//! * [`approach`]: how it goes about the program; `condition`: by which cases.
//! * [`place`]: where execution stands, calls included.
//! * [`step`]: steps between abstract states, and covers: why an arriving state is one that
//!   another describes.
//! * [`join_point`]: paths that meet between cutpoints.
//! * [`certificate`]: all of it together, with ranking functions.
//! * [`scope`]: how many calls of a function that speaks of.

pub mod alarm;
pub mod approach;
pub mod certificate;
pub mod condition;
pub mod join_point;
pub mod place;
pub mod scope;
pub mod statement;
pub mod step;
