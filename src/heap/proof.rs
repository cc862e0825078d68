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
    /// The block with this index, and the instances that elements of its rows own which the
    /// block says something of besides.
    Row(usize, Vec<Proof>),
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
            Self::Row(index, owned) => {
                let block = Self::Same(*index).expand(parts);
                block.with_owned(owned.iter().map(|part| part.expand(parts)).collect())
            }
        }
    }

    /// Calls `visit` for every atom used.
    pub fn for_each_atom(&self, visit: &mut impl FnMut(usize)) {
        match self {
            Self::Same(index) => visit(*index),
            Self::Rule(_, inner) => inner.iter().for_each(|part| part.for_each_atom(visit)),
            Self::Row(index, owned) => {
                visit(*index);
                owned.iter().for_each(|part| part.for_each_atom(visit));
            }
        }
    }

    /// The block that a proof is of, if it is one of a block.
    #[must_use]
    pub fn block(&self) -> Option<usize> {
        match self {
            Self::Same(index) | Self::Row(index, _) => Some(*index),
            Self::Rule(..) => None,
        }
    }

    /// The instances that elements of the block own which it says something of besides.
    #[must_use]
    pub fn owned(&self) -> &[Self] {
        match self {
            Self::Row(_, owned) => owned,
            Self::Same(_) | Self::Rule(..) => &[],
        }
    }

    /// The same, with what more elements of its rows own.
    #[must_use]
    pub fn with_owned(self, more: Vec<Self>) -> Self {
        match self {
            _ if more.is_empty() => self,
            Self::Same(index) => Self::Row(index, more),
            Self::Row(index, mut owned) => {
                owned.extend(more);
                Self::Row(index, owned)
            }
            // What is made up by a rule is no block.
            Self::Rule(number, parts) => Self::Rule(number, parts),
        }
    }
}
