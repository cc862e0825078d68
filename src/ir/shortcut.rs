//! What is known of procedures that stand for functions of the library.

use super::ProcedureId;

/// What is known of all calls of a procedure: the model of a library function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shortcut {
    /// It measures the string of elements of `width` bytes at the first parameter: the
    /// result is the number of elements before the first zero, or the second parameter
    /// if there is one and it is less. Nothing behind that is read.
    StringLength {
        /// Bytes in an element.
        width: u32,
    },
    /// Every run of it is, up to values of variables that are gone when it returns, a run
    /// of this procedure, which has the same parameters.
    Summary(ProcedureId),
    /// How often things of a sort can still be read changes so in its calls, and nowhere else.
    Input(InputSort, InputChange),
}

/// What can be read finitely often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputSort {
    /// Streams.
    Streams,
    /// Folders.
    Folders,
    /// Texts that are divided, a part each time.
    Texts,
    /// The options among what `main` is given.
    Options,
}

impl InputSort {
    /// All sorts.
    pub const ALL: [Self; 4] = [Self::Streams, Self::Folders, Self::Texts, Self::Options];
}

/// A change of how often something can still be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputChange {
    /// It is opened, or read again from another place.
    Begun,
    /// It is read once, which it could be.
    Less,
    /// Something is put back.
    More,
}
