//! Where paths meet between cutpoints, and which states describe them from there on.

use super::place::Place;
use super::step::Cover;
use heap::state::State;

/// Paths that meet between cutpoints, and the states that describe them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinPoint {
    /// Where they meet.
    pub place: Place,
    /// What execution goes on with.
    pub representatives: Vec<Representative>,
    /// For each path, which of these describes it, and why.
    pub paths: Vec<Path>,
}

/// A state with which execution goes on where paths meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Representative {
    /// That of the path with this position.
    Path(usize),
    /// A more general one.
    State(Box<State>),
}

impl Representative {
    /// The state, where those of the paths are these.
    #[must_use]
    pub fn state<'a>(&'a self, states: &'a [State]) -> &'a State {
        match self {
            Self::Path(path) => &states[*path],
            Self::State(state) => state,
        }
    }
}

/// Why the state of a path need not be looked at any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// It is among those with which execution goes on.
    GoesOn,
    /// It is the same as the representative with this position.
    Same(usize),
    /// The representative with this position describes it.
    Covered(usize, Cover),
}
