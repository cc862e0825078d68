//! Specifications, as they are written.

/// A specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Specification {
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// A part of a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Declarations of variables, in C.
    State(Text),
    /// What happens at some places of the program.
    Transfer(Rule),
    /// A fairness constraint: text for [`parse_constraint`](super::parse_constraint).
    Fairness(Text),
}

/// A pattern with C text between braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Where.
    pub pattern: Pattern,
    /// Statements, or an expression.
    pub body: Text,
}

/// Text, and the byte where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Its first byte in the specification.
    pub start: usize,
}

/// Places of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Everywhere.
    Any,
    /// Where a function begins or returns.
    Function {
        /// Its name.
        function: String,
        /// Which of both.
        moment: Moment,
        /// The byte of the specification where the name starts.
        start: usize,
    },
}

/// When something happens in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before its first statement.
    Entry,
    /// Before it returns.
    Exit,
}
