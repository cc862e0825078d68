//! How atoms make up an instance: the part of an argument that can be checked
//! without search.

/// How atoms of a heap, by index, make up one atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The atom with this index is it.
    Same(usize),
    /// The rule with this number of the shape, and its parts in order. A part
    /// that is a cell is [`Proof::Same`] of a block.
    Rule(usize, Vec<Proof>),
}

impl Proof {
    /// Replaces each atom by what makes it up in turn.
    #[must_use]
    pub fn expand(&self, parts: &[Self]) -> Self {
        match self {
            Self::Same(index) => parts.get(*index).cloned().unwrap_or(Self::Same(*index)),
            Self::Rule(number, inner) => {
                Self::Rule(*number, inner.iter().map(|part| part.expand(parts)).collect())
            }
        }
    }

    /// Calls `visit` for every atom used.
    pub fn for_each_atom(&self, visit: &mut impl FnMut(usize)) {
        match self {
            Self::Same(index) => visit(*index),
            Self::Rule(_, inner) => inner.iter().for_each(|part| part.for_each_atom(visit)),
        }
    }
}
