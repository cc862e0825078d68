//! Forms of a program without memory: which addresses are kept, how calls are looked at, and which
//! numbers are granted to be sizes.

use super::addresses::{Addresses, as_numbers};
use super::parts::{Calls, apart};
use super::sizes::{self, Size};
use crate::Program;
use std::collections::BTreeSet;

/// A form of a program without memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Which addresses are kept.
    pub addresses: Addresses,
    /// How calls are looked at.
    pub calls: Calls,
    /// Which numbers are granted to be sizes.
    pub sizes: BTreeSet<Size>,
}

impl Numbers {
    /// The form in which no number is granted to be a size.
    #[must_use]
    pub fn new(addresses: Addresses, calls: Calls) -> Self {
        Self { addresses, calls, sizes: BTreeSet::new() }
    }

    /// The program in this form; nothing if it has no procedures to look at by themselves, where
    /// these are.
    #[must_use]
    pub fn of(&self, program: &Program) -> Option<Program> {
        let followed = if self.sizes.is_empty() {
            as_numbers(program, self.addresses)
        } else {
            as_numbers(&sizes::granted(program, &self.sizes), self.addresses)
        };
        match self.calls {
            Calls::Followed => Some(followed),
            Calls::Apart => apart(&followed),
        }
    }
}
