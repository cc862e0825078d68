//! Formulas of linear temporal logic, as they are written.

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A C expression: where its text starts and ends.
    Atom(usize, usize),
    /// An operator before a formula.
    Unary(Unary, Box<Tree>),
    /// An operator between formulas.
    Binary(Binary, Box<Tree>, Box<Tree>),
}

impl Tree {
    /// Where the text of its atoms starts and ends.
    #[must_use]
    pub fn extent(&self) -> (usize, usize) {
        match self {
            Self::Atom(start, end) => (*start, *end),
            Self::Unary(_, operand) => operand.extent(),
            Self::Binary(_, left, right) => (left.extent().0, right.extent().1),
        }
    }
}

/// An operator before a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// It does not hold.
    Not,
    /// From here on it always holds.
    Always,
    /// It holds here or later.
    Eventually,
    /// It holds in the next state.
    Next,
}

/// An operator between formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Both hold.
    And,
    /// One of them holds.
    Or,
    /// If the first holds, so does the second.
    Implies,
    /// Both hold, or none.
    Iff,
    /// The second holds here or later, and until then the first.
    Until,
    /// The same, or the first holds for ever.
    WeakUntil,
    /// The second holds until both do, or for ever.
    Release,
}

/// What was read at a place: a C expression so far, or a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// C: where its text starts and ends, without parentheses around it.
    C(usize, usize),
    /// A formula with logical or temporal operators.
    Formula(Tree),
}

impl Part {
    /// The formula; a C expression is an atom.
    #[must_use]
    pub fn tree(self) -> Tree {
        match self {
            Self::C(start, end) => Tree::Atom(start, end),
            Self::Formula(tree) => tree,
        }
    }

    /// An operator before this.
    #[must_use]
    pub fn under(self, operator: Unary) -> Self {
        Self::Formula(Tree::Unary(operator, Box::new(self.tree())))
    }

    /// The operators `G`, `F` and `X` of a word before this.
    #[must_use]
    pub fn under_all(self, word: &str) -> Self {
        word.chars().rev().fold(self, |operand, letter| match letter {
            'G' => operand.under(Unary::Always),
            'F' => operand.under(Unary::Eventually),
            _ => operand.under(Unary::Next),
        })
    }

    /// An operator between this and another.
    #[must_use]
    pub fn with(self, operator: Binary, other: Self) -> Self {
        Self::Formula(Tree::Binary(operator, Box::new(self.tree()), Box::new(other.tree())))
    }
}
