//! The syntax tree of a `.goto` text. Names are still names.

/// A name, number or other leaf with the byte offsets where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The thing.
    pub node: T,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset after its last byte.
    pub end: usize,
}

/// A name with its place.
pub type Name = Located<String>;

/// A whole text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// The items in order.
    pub items: Vec<Item>,
}

/// What stands at the top level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `pointer_bytes 8`
    PointerBytes(Located<u128>),
    /// `global x: i32, y: ptr`
    Globals(Vec<Declaration>),
    /// `procedure …`
    Procedure(Procedure),
    /// `entry main`
    Entry(Name),
}

/// `x: i32`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The variable.
    pub name: Name,
    /// The name of its type.
    pub ty: Name,
}

/// A procedure, with its body unless it is only declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// The procedure.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Declaration>,
    /// The name of the result's type.
    pub result: Option<Name>,
    /// Assertions about its states, as text.
    pub contracts: Vec<Contract>,
    /// What it does.
    pub body: Option<Body>,
}

/// An assertion at a procedure, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// When it is to hold.
    pub moment: Moment,
    /// The assertion.
    pub assertion: Located<String>,
}

/// When an assertion is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// `requires`: when the procedure starts.
    Before,
    /// `ensures`: when it returns.
    After,
}

/// Local variables and blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The local variables.
    pub locals: Vec<Declaration>,
    /// The blocks, at least one.
    pub blocks: Vec<Block>,
}

/// A labelled block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its label.
    pub label: Name,
    /// Its commands.
    pub commands: Vec<Located<Command>>,
    /// Where control goes next.
    pub terminator: Located<Terminator>,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `x := …`
    Assign(Name, Source),
    /// `[address : ty] := value`
    Store(Expr, Name, Expr),
    /// `[address; size] := fill byte`
    Fill(Expr, Expr, Expr),
    /// `[address; size] := copy source`
    Copy(Expr, Expr, Expr, Overlap),
    /// `free kind address`
    Free(Kind, Expr),
    /// `assume condition`
    Assume(Expr),
    /// `call f(…)`
    Call(Callee, Vec<Expr>),
    /// `error "what"`
    Error(String),
    /// `unsupported "what"`
    Unsupported(String),
    /// `undefined "what"`
    Undefined(String),
    /// `clobber "what"`
    Clobber(String),
    /// `clobber address "what"`
    Handed(Expr, String),
    /// `granted "what"`, with the place of what is said
    Granted(Located<String>),
}

/// What may stand on the right of `x :=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// An expression.
    Value(Expr),
    /// `input "function"`
    Input(String),
    /// `uninitialised`
    Uninitialised,
    /// `arbitrary "why"`
    Arbitrary(String),
    /// `[address : ty]`
    Load(Expr, Name),
    /// `allocate kind size` and whether `zeroed` follows.
    Allocate(Kind, Expr, Content),
    /// `measure address`
    Measure(Expr),
    /// `call f(…)`
    Call(Callee, Vec<Expr>),
}

/// A kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant is its keyword")]
pub enum Kind {
    Heap,
    Stack,
    Alloca,
    /// For `free` only: whatever the address points into.
    Any,
    Static,
    /// `stream`
    Stream,
    /// Static memory that is not to be written.
    Constant,
}

/// Whether the bytes that a copy writes may be some of those that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// They may.
    Allowed,
    /// Only if they are the same ones.
    Undefined,
}

/// What a new block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing was said: any bytes.
    Arbitrary,
    /// `zeroed`
    Zero,
}

/// What is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// `f`
    Named(Name),
    /// `*(expression)`
    Computed(Expr),
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// `goto b`
    Goto(Name),
    /// `if e goto b else c`
    Branch(Expr, Name, Name),
    /// `switch e { 1 => b, 2..4 => c, else => d }`
    Switch(Expr, Vec<Case>, Name),
    /// `return` or `return e`
    Return(Option<Expr>),
    /// `halt`
    Halt,
}

/// `low..high => target`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Least value.
    pub low: Signed,
    /// Greatest value.
    pub high: Signed,
    /// The label of the block.
    pub target: Name,
}

/// A number with its sign, not yet known to fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// Whether it had a minus.
    pub sign: Sign,
    /// Its digits.
    pub magnitude: Located<u128>,
}

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant says it")]
pub enum Sign {
    Plus,
    Minus,
}

/// An expression with its place; its nesting is at most
/// [`super::MAXIMUM_DEPTH`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Levels of nesting, at least 1.
    pub depth: u32,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset after its last byte.
    pub end: usize,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number without sign.
    Number(u128),
    /// A variable.
    Variable(String),
    /// `&f`
    Procedure(String),
    /// `(e)`; kept because `-(1)` is an operation and `-1` a number.
    Parenthesised(Box<Expr>),
    /// An operator on one operand.
    Unary(Unary, Box<Expr>),
    /// An operator on two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `e as u8`
    Wrap(Box<Expr>, Name),
}

/// Operators on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in the goto program")]
pub enum Unary {
    Negate,
    BitNot,
    Not,
}

/// Operators on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in the goto program")]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// How a grammar action fails.
type RaisedError = lalrpop_util::ParseError<usize, super::token::Token, crate::SyntaxError>;

impl Expr {
    /// A leaf.
    pub(crate) fn leaf(start: usize, kind: ExprKind, end: usize) -> Self {
        Self { kind, depth: 1, start, end }
    }

    /// An inner node, unless it nests too deep.
    pub(crate) fn node(start: usize, kind: ExprKind, end: usize) -> Result<Self, RaisedError> {
        let below = match &kind {
            ExprKind::Number(_) | ExprKind::Variable(_) | ExprKind::Procedure(_) => 0,
            ExprKind::Parenthesised(inner)
            | ExprKind::Unary(_, inner)
            | ExprKind::Wrap(inner, _) => inner.depth,
            ExprKind::Binary(_, left, right) => left.depth.max(right.depth),
        };
        if below >= super::MAXIMUM_DEPTH {
            let limit = super::MAXIMUM_DEPTH;
            let message = format!("the expression nests deeper than {limit} levels");
            let error = crate::SyntaxError::new(message, start..end);
            return Err(lalrpop_util::ParseError::User { error });
        }
        Ok(Self { kind, depth: below + 1, start, end })
    }

    /// `left operator right`, unless it nests too deep.
    pub(crate) fn binary(left: Self, operator: Binary, right: Self) -> Result<Self, RaisedError> {
        let (start, end) = (left.start, right.end);
        Self::node(start, ExprKind::Binary(operator, Box::new(left), Box::new(right)), end)
    }
}
