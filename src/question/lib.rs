//! What a user may ask of a program, with the names that the command line and reports use.

/// A question about all runs of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Every run ends.
    Termination,
    /// No run accesses memory that is not there, frees what is not allocated,
    /// or loses a block.
    MemorySafety,
    /// Every block is freed when the program ends.
    MemoryCleanup,
    /// No run calls `reach_error` or fails an assertion.
    Reach,
    /// A SLIC-like specification of liveness and safety.
    Specification {
        /// The file's name.
        file: String,
        /// Its text.
        text: String,
    },
    /// A formula of computation tree logic.
    Ctl(String),
    /// A formula of linear temporal logic.
    Ltl(String),
    /// The named function, run as a thread among others, ends.
    ThreadTermination(String),
}

impl Question {
    /// The name by which the command line and the JSON output know it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Termination => "termination",
            Self::MemorySafety => "memsafety",
            Self::MemoryCleanup => "memcleanup",
            Self::Reach => "reach",
            Self::Specification { .. } => "spec",
            Self::Ctl(_) => "ctl",
            Self::Ltl(_) => "ltl",
            Self::ThreadTermination(_) => "thread-termination",
        }
    }

    /// The formula, file or function that goes with the name, if one does.
    #[must_use]
    pub fn argument(&self) -> Option<&str> {
        match self {
            Self::Termination | Self::MemorySafety | Self::MemoryCleanup | Self::Reach => None,
            Self::Specification { file: argument, .. }
            | Self::Ctl(argument)
            | Self::Ltl(argument)
            | Self::ThreadTermination(argument) => Some(argument),
        }
    }

    /// The question with this name, of those that need no more than a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Termination, Self::MemorySafety, Self::MemoryCleanup, Self::Reach]
            .into_iter()
            .find(|question| question.name() == name)
    }
}
