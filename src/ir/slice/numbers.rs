//! Forms of a program without memory: which addresses are kept, and how calls are looked at.

use super::addresses::{Addresses, as_numbers};
use super::parts::{Calls, apart};
use crate::{Command, Gap, Grant, Program};

/// A form of a program without memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Which addresses are kept.
    pub addresses: Addresses,
    /// How calls are looked at.
    pub calls: Calls,
}

impl Numbers {
    /// The program in this form; nothing if it has no procedures to look at by themselves, or no
    /// loops that take one of several links, where the form is about these.
    #[must_use]
    pub fn of(self, program: &Program) -> Option<Program> {
        let followed = as_numbers(program, self.addresses);
        if self.addresses == Addresses::MovingAndBranching && !branches(&followed) {
            return None;
        }
        match self.calls {
            Calls::Followed => Some(followed),
            Calls::Apart => apart(&followed),
        }
    }
}

/// Whether it is granted that walks end which take one of several links.
fn branches(program: &Program) -> bool {
    let commands = program.blocks().flat_map(|it| &it.commands);
    let grant = Gap::Granted(Grant::Branches);
    commands.map(|it| &it.command).any(|it| match it {
        Command::Unsupported { gap, .. } => *gap == grant,
        _ => false,
    })
}
