//! Statements.

use super::super::name::Symbol;
use super::super::place::Place;
use super::{Declaration, Expr};

/// A statement, or a declaration among statements.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub place: Place,
    /// Height of the tree below, itself included.
    pub depth: u32,
}

/// `{ … }`
#[derive(Clone, Debug)]
pub struct Block {
    /// Its statements, in order.
    pub items: Vec<Stmt>,
    /// From brace to brace.
    pub place: Place,
}

/// The forms of statements. A label is a statement of its own, before the
/// statement it labels.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `expression;` or just `;`
    Expr(Option<Expr>),
    /// A declaration.
    Declaration(Declaration),
    /// `{ … }`
    Block(Block),
    /// `if (…) … else if (…) … else …`
    If {
        /// Conditions and what they guard, the last one first.
        arms: Vec<(Expr, Stmt)>,
        /// What comes after the last `else`.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while (condition) body`
    While {
        /// The word itself.
        keyword: Place,
        /// The condition.
        condition: Expr,
        /// What is repeated.
        body: Box<Stmt>,
    },
    /// `do body while (condition);`
    DoWhile {
        /// The word itself.
        keyword: Place,
        /// What is repeated.
        body: Box<Stmt>,
        /// The condition.
        condition: Expr,
    },
    /// `for (start; condition; step) body`
    For {
        /// The word itself.
        keyword: Place,
        /// What is done once, a declaration or an expression.
        start: Option<Box<Stmt>>,
        /// The condition; none is true.
        condition: Option<Expr>,
        /// What is done after each round.
        step: Option<Expr>,
        /// What is repeated.
        body: Box<Stmt>,
    },
    /// `switch (value) body`
    Switch {
        /// The value compared.
        value: Expr,
        /// Holds the cases.
        body: Box<Stmt>,
    },
    /// `name:`
    Label(Symbol),
    /// `case first:` or `case first ... last:`
    Case(Expr, Option<Expr>),
    /// `default:`
    Default,
    /// `goto name;`
    Goto(Symbol),
    /// `goto *address;`
    ComputedGoto(Expr),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return value;`
    Return(Option<Expr>),
    /// Inline assembly.
    Asm(Asm),
}

/// Inline assembly.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The instructions.
    pub text: String,
    /// Whether it is more than a function from inputs to outputs.
    pub volatile: bool,
    /// What is written.
    pub outputs: Vec<AsmOperand>,
    /// What is read.
    pub inputs: Vec<AsmOperand>,
    /// Registers and `memory`.
    pub clobbers: Vec<String>,
    /// Labels it may jump to.
    pub labels: Vec<Symbol>,
}

/// An operand of inline assembly.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// How it is passed, such as `=r` or `m`.
    pub constraint: String,
    /// The C operand.
    pub value: Expr,
}
