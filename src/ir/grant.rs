//! What proofs about functions by themselves take for granted.

use super::{Command, Gap};

/// What is taken for granted of what a function by itself meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grant {
    /// Links that are followed lead to an end.
    Links,
    /// Others give locks back that a run waits for, and what it gives back is held.
    Locks,
    /// Numbers that are handed in or found are sizes or counts.
    Sizes,
}

impl Grant {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Links, Self::Locks, Self::Sizes];

    /// What is taken for granted, as a clause of a sentence.
    #[must_use]
    pub const fn what(self) -> &'static str {
        match self {
            Self::Links => "the links that are followed here lead to an end",
            Self::Locks => {
                "a lock is held that is given back, and given back if somebody else holds it"
            }
            Self::Sizes => "the number is not negative, and less than 2147483648",
        }
    }

    /// The command that says so.
    #[must_use]
    pub fn command(self) -> Command {
        Command::Unsupported { what: self.what().to_owned(), gap: Gap::Granted(self) }
    }
}
