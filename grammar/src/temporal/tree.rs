//! Formulas of temporal logic, as they are written.

use super::Logic;
use crate::SyntaxError;

/// What is asked of a program: a formula, and which runs count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The formula.
    pub tree: Tree,
    /// Only runs that keep to all of these count.
    pub fairness: Vec<Fairness>,
}

/// If one condition holds again and again, so does another. Both are without temporal operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fairness {
    /// The first.
    pub whenever: Tree,
    /// The second.
    pub then: Tree,
}

impl Fairness {
    pub(super) fn new(whenever: Part, then: Part) -> Result<Self, SyntaxError> {
        let [whenever, then] = [whenever.tree()?, then.tree()?];
        for tree in [&whenever, &then] {
            if tree.is_temporal() {
                let (start, end) = tree.extent();
                let message = "conditions of fairness have no temporal operators";
                return Err(SyntaxError::new(message, start..end));
            }
        }
        Ok(Self { whenever, then })
    }
}

/// A formula of CTL\*: that of linear time has no quantifiers, that of branching time one
/// before each operator that speaks of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A C expression: where its text starts and ends.
    Atom(usize, usize),
    /// It does not hold.
    Not(Box<Tree>),
    /// An operator between formulas that says nothing of a path.
    Connected(Connective, Box<Tree>, Box<Tree>),
    /// What an operator before a formula says of these paths.
    Modal(Paths, Modality, Box<Tree>),
    /// What an operator between formulas says of these paths.
    Bounded(Paths, Interval, Box<Tree>, Box<Tree>),
}

impl Tree {
    /// Where the text of its atoms starts and ends.
    #[must_use]
    pub fn extent(&self) -> (usize, usize) {
        match self {
            Self::Atom(start, end) => (*start, *end),
            Self::Not(operand) | Self::Modal(_, _, operand) => operand.extent(),
            Self::Connected(_, left, right) | Self::Bounded(_, _, left, right) => {
                (left.extent().0, right.extent().1)
            }
        }
    }

    /// Whether it speaks of more than one state.
    #[must_use]
    pub fn is_temporal(&self) -> bool {
        match self {
            Self::Atom(..) => false,
            Self::Not(operand) => operand.is_temporal(),
            Self::Connected(_, left, right) => left.is_temporal() || right.is_temporal(),
            Self::Modal(..) | Self::Bounded(..) => true,
        }
    }
}

/// Of which of the paths from a state an operator speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paths {
    /// All of them.
    All,
    /// At least one.
    Some,
    /// The one that the whole formula is about.
    Own,
}

/// What an operator before a formula says of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modality {
    /// `X`
    Next,
    /// `F`
    Future,
    /// `G`
    Globally,
}

/// What an operator between formulas says of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `R`, in linear time
    Release,
}

/// An operator between formulas that says nothing of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connective {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Iff,
}

/// What was read at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// C: where its text starts and ends, without parentheses around it.
    C(usize, usize),
    /// A formula with logical or temporal operators.
    Formula(Tree),
    /// `X`, `F` and `G` before a formula, which speak of the paths of the quantifier before
    /// them.
    Path(Path),
}

/// Operators without a quantifier, the outermost first, before a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    operators: Vec<Modality>,
    operand: Tree,
    /// Where the text of the operators starts, and that of the innermost ends.
    extent: (usize, usize),
}

impl Part {
    /// The formula; a C expression is an atom.
    pub(super) fn tree(self) -> Result<Tree, SyntaxError> {
        match self {
            Self::C(start, end) => Ok(Tree::Atom(start, end)),
            Self::Formula(tree) => Ok(tree),
            Self::Path(Path { extent: (start, end), .. }) => {
                let message = "here `A` or `E` is missing before `G`, `F` and `X`";
                Err(SyntaxError::new(message, start..end))
            }
        }
    }

    /// An operator without a quantifier before this.
    pub(super) fn behind(
        self,
        operator: Modality,
        logic: Logic,
        (start, end): (usize, usize),
    ) -> Result<Self, SyntaxError> {
        Ok(match (logic, self) {
            (Logic::Linear, operand) => {
                Self::Formula(Tree::Modal(Paths::Own, operator, Box::new(operand.tree()?)))
            }
            (Logic::Branching, Self::Path(mut path)) => {
                path.operators.insert(0, operator);
                path.extent.0 = start;
                Self::Path(path)
            }
            (Logic::Branching, other) => {
                let (operators, operand) = (vec![operator], other.tree()?);
                Self::Path(Path { operators, operand, extent: (start, end) })
            }
        })
    }

    /// A quantifier before operators.
    ///
    /// All paths have a property after every step if and only if all paths from the states
    /// there have it: A G ψ = A G A ψ. So with X, and with E F and E X. But A F G p is weaker
    /// than A F A G p, and no formula of computation tree logic says it.
    pub(super) fn of(
        self,
        paths: Paths,
        (start, end): (usize, usize),
    ) -> Result<Self, SyntaxError> {
        let Self::Path(path) = self else {
            let message = "behind `A` and `E` stand `G`, `F`, `X`, or `U` or `W` in brackets";
            return Err(SyntaxError::new(message, start..end));
        };
        let (own, message) = match paths {
            Paths::All | Paths::Own => {
                let message = "this is no formula of CTL: behind `AF` a quantifier is missing";
                (Modality::Globally, message)
            }
            Paths::Some => {
                let message = "this is no formula of CTL: behind `EG` a quantifier is missing";
                (Modality::Future, message)
            }
        };
        let (_, outer) = path.operators.split_last().unwrap_or((&own, &[]));
        if outer.iter().any(|it| *it != own && *it != Modality::Next) {
            return Err(SyntaxError::new(message, start..path.extent.1));
        }
        let under = |operand, operator: &Modality| Tree::Modal(paths, *operator, Box::new(operand));
        Ok(Self::Formula(path.operators.iter().rev().fold(path.operand, under)))
    }

    /// The negation.
    pub(super) fn negated(self) -> Result<Self, SyntaxError> {
        Ok(Self::Formula(Tree::Not(Box::new(self.tree()?))))
    }

    /// An operator between this and another.
    pub(super) fn with(self, operator: Connective, other: Self) -> Result<Self, SyntaxError> {
        let (left, right) = (Box::new(self.tree()?), Box::new(other.tree()?));
        Ok(Self::Formula(Tree::Connected(operator, left, right)))
    }

    /// This until another.
    pub(super) fn until(
        self,
        (paths, operator): (Paths, Interval),
        other: Self,
    ) -> Result<Self, SyntaxError> {
        let (left, right) = (Box::new(self.tree()?), Box::new(other.tree()?));
        Ok(Self::Formula(Tree::Bounded(paths, operator, left, right)))
    }

    /// Two expressions with a C operator between them.
    pub(super) fn compared(self, other: Self) -> Result<Self, SyntaxError> {
        let (start, end) = match (self, other) {
            (Self::C(start, _), Self::C(_, end)) => return Ok(Self::C(start, end)),
            (Self::Formula(tree), _) | (_, Self::Formula(tree)) => tree.extent(),
            (Self::Path(path), _) | (_, Self::Path(path)) => path.extent,
        };
        let message = "this is no C expression: put one between quotation marks";
        Err(SyntaxError::new(message, start..end))
    }
}
