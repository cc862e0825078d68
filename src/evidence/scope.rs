//! How many calls of a function a proof with a precondition speaks of.

use base::source::Span;
use ir::Variable;

/// How much of what callers may do a precondition leaves, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Nothing is asked of callers.
    All,
    /// Something is asked, but each loop and recursion can go on any number of times, each
    /// pointer that is asked about can be other than null, each number can have several values,
    /// rings can have any length, and the returns are reached that are no early ones.
    General,
    /// Some loop is left out, or runs no more often than some constant, or some pointer must be
    /// null or equal to another one, or some number has one value, or some return is not reached.
    Bounded,
    /// No loop of a function with loops runs twice, or all pointers that come in must be null.
    Degenerate,
    /// That, and each call is one with null where the function has something to do otherwise, and
    /// reaches no loop.
    Vacuous,
}

/// The scope of a proof, and what keeps it from being general.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The scope.
    pub scope: Scope,
    /// The loops and recursions that cannot go on any number of times.
    pub bounded: Vec<Span>,
    /// The pointers that come in and must be null.
    pub null: Vec<Variable>,
    /// The pointers that come in and must be equal to one before them.
    pub equal: Vec<Variable>,
    /// The pointers in blocks behind those that come in that must be null.
    pub behind: Vec<String>,
    /// What is said of the shortest rings, as clauses: all are of one length, or of three nodes at
    /// least.
    pub rings: Vec<String>,
    /// The numbers that come in, or lie behind pointers, and must have one value, as clauses.
    pub fixed: Vec<String>,
    /// The returns that are what the function is for and that no run reaches.
    pub unreached: Vec<Span>,
}

impl Scope {
    /// What a machine calls it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::General => "general",
            Self::Bounded => "bounded",
            Self::Degenerate | Self::Vacuous => "degenerate",
        }
    }

    /// Whether a proof with this scope answers the question.
    #[must_use]
    pub fn answers(self) -> bool {
        self <= Self::General
    }
}

impl Coverage {
    /// That nothing is asked.
    #[must_use]
    pub fn all() -> Self {
        Self {
            scope: Scope::All,
            bounded: Vec::new(),
            null: Vec::new(),
            equal: Vec::new(),
            behind: Vec::new(),
            rings: Vec::new(),
            fixed: Vec::new(),
            unreached: Vec::new(),
        }
    }
}
