//! New memory that functions give.

/// What attributes say of the memory that a function returns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gift {
    /// It is new.
    pub(super) is_fresh: bool,
    /// The argument with its bytes, from 1.
    pub(super) bytes: Option<u8>,
}

impl Gift {
    /// What two places say.
    pub(super) fn and(self, other: Self) -> Self {
        Self { is_fresh: self.is_fresh || other.is_fresh, bytes: self.bytes.or(other.bytes) }
    }
}
