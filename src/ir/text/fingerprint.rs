//! Fingerprints of programs: by its fingerprint an argument says which program it is about.

use super::super::Program;
use super::print::print;
use sha2::{Digest as _, Sha256};
use std::fmt::{Display, Formatter, Result};

/// The digest of what a program does: of its text, and of what that does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of a program. Places in the source and forms of memory do not count:
    /// nothing rests on them.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut digest = Sha256::new();
        digest.update(print(program));
        digest.update(format!("{:?}", program.open));
        for procedure in &program.procedures {
            let (lasting, shortcut) = (&procedure.lasting, &procedure.shortcut);
            digest.update(format!("{lasting:?} {shortcut:?}"));
        }
        Self(digest.finalize().into())
    }
}

impl Display for Fingerprint {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
