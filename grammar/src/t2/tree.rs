//! Syntax trees of T2's format.

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where runs start.
    pub start: Label,
    /// The transitions.
    pub transitions: Vec<Transition>,
}

/// The name of a location: a number or a word. Byte offsets, the end exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The name.
    pub name: String,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last one.
    pub end: usize,
}

/// Commands from one location to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Where it starts.
    pub from: Label,
    /// What is done, in order.
    pub statements: Vec<Statement>,
    /// Where it ends.
    pub to: Label,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `x := e`
    Assign(Label, Term),
    /// `assume(c)`
    Assume(Condition),
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A comparison of two terms.
    Compare(Comparison, Term, Term),
    /// Both.
    And(Box<Condition>, Box<Condition>),
    /// At least one.
    Or(Box<Condition>, Box<Condition>),
    /// Not.
    Not(Box<Condition>),
    /// `nondet()`: what may be true, and may be false.
    Any,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A number, as digits.
    Number(Label),
    /// A variable.
    Variable(Label),
    /// `nondet()`
    Nondet,
    /// `-t`
    Negate(Box<Term>),
    /// `t + u`
    Add(Box<Term>, Box<Term>),
    /// `t - u`
    Subtract(Box<Term>, Box<Term>),
    /// `t * u`
    Multiply(Box<Term>, Box<Term>),
}
