//! What abstraction must not lose.

/// What may be lost with a node that is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldPrecision {
    /// As [`Self::KeepValues`]; and a node that a program variable points at stays if bounds of
    /// what it holds would be lost.
    KeepBounds,
    /// A node stays if it alone points at other memory, if what it holds is known
    /// exactly and would not be any more, or if it is named and owns something.
    KeepValues,
    /// A node stays if it alone points at other memory.
    KeepOwned,
    /// So, and nothing is known of the numbers in nodes any more.
    KeepLinks,
    /// What only a node's other fields point at is lost.
    LoseOwned,
}

/// What is lost of the numbers in nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Nothing that is asked for.
    None,
    /// A bound of a field of a node that a program variable points at.
    Bound,
    /// The exact value of a node's field.
    Exact,
}

impl FoldPrecision {
    /// Whether so much must not be lost.
    #[must_use]
    pub fn forbids(self, loss: Loss) -> bool {
        match self {
            Self::KeepBounds => loss != Loss::None,
            Self::KeepValues => loss == Loss::Exact,
            Self::KeepOwned | Self::KeepLinks | Self::LoseOwned => false,
        }
    }

    /// Whether what nodes hold matters.
    #[must_use]
    pub fn is_for_values(self) -> bool {
        match self {
            Self::KeepBounds | Self::KeepValues => true,
            Self::KeepOwned | Self::KeepLinks | Self::LoseOwned => false,
        }
    }
}
