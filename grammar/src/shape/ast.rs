//! Syntax trees of shapes, assertions and judgments.

/// The shapes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeFile {
    /// In the order of the text.
    pub shapes: Vec<Shape>,
}

/// One inductive predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Lines of the documentation above it.
    pub doc: Vec<String>,
    /// Its name, with place.
    pub name: Name,
    /// Formal parameters.
    pub parameters: Vec<Name>,
    /// Ways to take it apart, each complete by itself.
    pub unfoldings: Vec<Unfolding>,
    /// Entailments that put instances together.
    pub lemmas: Vec<Lemma>,
    /// For an extension, what it extends; all else is that shape's then.
    pub base: Option<Base>,
}

/// What a shape extends: the cells of another one hold more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// The other shape.
    pub name: Name,
    /// What each cell holds besides, with the cell as `self`: one of these.
    pub more: Vec<Formula>,
}

/// A complete case distinction on the cell that one parameter points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfolding {
    /// The parameter that points at the cell.
    pub anchor: Name,
    /// The cases.
    pub cases: Vec<Formula>,
}

/// A named entailment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// Its name.
    pub name: Name,
    /// The entailment.
    pub judgment: Judgment,
}

/// `have |- want`, or `have |/- want` when it is not to be proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgment {
    /// The left side.
    pub have: Formula,
    /// Whether the entailment is claimed (`|-`) or denied (`|/-`).
    pub claim: Claim,
    /// The right side.
    pub want: Formula,
}

/// What a judgment says of its entailment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It holds.
    Entails,
    /// It is not provable.
    EntailsNot,
}

/// A symbolic heap: everything joined by `*` and `&`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// In the order of the text.
    pub items: Vec<Item>,
}

/// One conjunct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `root |-> { label: value, … }`
    Cell {
        /// The node's address.
        root: Term,
        /// The link fields.
        fields: Vec<(Name, Term)>,
    },
    /// `shape[depth](arguments)`
    Instance {
        /// Which shape.
        shape: Name,
        /// How many unfoldings, when said.
        depth: Option<Term>,
        /// Actual parameters.
        arguments: Vec<Term>,
    },
    /// `left op right`
    Comparison {
        /// Left side.
        left: Term,
        /// Which comparison.
        operator: Comparison,
        /// Right side.
        right: Term,
    },
    /// Nothing.
    Emp,
    /// Something unreachable.
    Junk,
}

/// A comparison of two terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
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

/// A linear term: a sum of products of a number and a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Factors and names; an empty name stands for 1.
    pub summands: Vec<(i64, Option<Name>)>,
}

/// A name and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The text.
    pub text: String,
    /// Byte offset of its first character.
    pub start: usize,
    /// Byte offset behind its last one.
    pub end: usize,
}
