//! What proofs about functions by themselves take for granted.

use super::{Command, Gap};

/// What is taken for granted of what a function by itself meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grant {
    /// Links that are followed lead to an end.
    Links,
    /// So do they where a walk takes one of several on from each node.
    Branches,
    /// Others give locks back that a run waits for, and leave memory as it is; and locks are held
    /// that it gives back.
    Locks,
}

impl Grant {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Links, Self::Branches, Self::Locks];

    /// What is taken for granted, as a clause of a sentence.
    #[must_use]
    pub const fn what(self) -> &'static str {
        match self {
            Self::Links => "the links that are followed here lead to an end",
            Self::Branches => {
                "a walk comes to an end whichever of the links that are followed here it takes"
            }
            Self::Locks => {
                "others give the lock back and leave memory as it is, and what is given back is held"
            }
        }
    }

    /// The command that says so.
    #[must_use]
    pub fn command(self) -> Command {
        Command::Unsupported { what: self.what().to_owned(), gap: Gap::Granted(self) }
    }
}
