//! Who hears how the work goes on: a terminal, an editor.

use c::EntryPoint;
use report::Finding;
use std::time::Duration;

/// Who hears how the work of the pool goes on. What is of no interest need not be heard.
pub(super) trait Audience {
    /// A program is entered at these functions.
    fn entered(&mut self, _functions: &[EntryPoint]) {}

    /// There is an answer, whatever is not known yet.
    fn answered(&mut self, _finding: &Finding, _end: End) {}

    /// An answer will not change, and is known as are all before it.
    fn told(&mut self, _finding: &Finding) {}

    /// This is what is being looked at, from time to time.
    fn looked_at(&mut self, _stage: &Stage<'_>) {}
}

/// How the work for an answer came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// By itself.
    Whole,
    /// It was cut short by the clock, for want of memory, or by the user.
    Cut,
}

/// What is being looked at: of several questions the one that takes longest.
pub(super) struct Stage<'a> {
    /// How many functions are done, and programs that are asked about as a whole.
    pub(super) n_done: usize,
    /// How many there are, as far as they are known.
    pub(super) n_all: usize,
    /// The name of the question.
    pub(super) question: &'a str,
    /// The file.
    pub(super) file: &'a str,
    /// The function, if it is one of several.
    pub(super) function: Option<&'a str>,
    /// How long that question has been looked at.
    pub(super) since: Duration,
}
