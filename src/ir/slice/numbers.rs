//! Forms of a program without memory: which addresses are kept, and how calls are looked at.

use super::addresses::{Addresses, as_numbers};
use super::parts::{Calls, apart};
use crate::Program;

/// A form of a program without memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Which addresses are kept.
    pub addresses: Addresses,
    /// How calls are looked at.
    pub calls: Calls,
}

impl Numbers {
    /// The program in this form; nothing if it has no procedures to look at by themselves, where
    /// these are.
    #[must_use]
    pub fn of(self, program: &Program) -> Option<Program> {
        let followed = as_numbers(program, self.addresses);
        match self.calls {
            Calls::Followed => Some(followed),
            Calls::Apart => apart(&followed),
        }
    }
}
