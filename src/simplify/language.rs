//! Expressions as nodes of an e-graph.

use egg::{FromOp, FromOpError, Id, Language, RecExpr};
use ir::{BinaryOp, Expr, IntKind, ProcedureId, UnaryOp, Variable};
use std::fmt;

/// An operator and its operands. The type of a [`Node::Wrap`] is its first
/// operand, so that rules can speak of any type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Node {
    Constant(i128),
    Variable(Variable),
    Procedure(ProcedureId),
    Kind(IntKind),
    Unary(UnaryOp, [Id; 1]),
    Binary(BinaryOp, [Id; 2]),
    Wrap([Id; 2]),
}

/// A node without its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operator {
    Constant,
    Variable,
    Procedure,
    Kind,
    Unary(UnaryOp),
    Binary(BinaryOp),
    Wrap,
}

const UNARY: [(&str, UnaryOp); 3] =
    [("neg", UnaryOp::Negate), ("~", UnaryOp::BitNot), ("!", UnaryOp::Not)];

const BINARY: [(&str, BinaryOp); 16] = [
    ("+", BinaryOp::Add),
    ("-", BinaryOp::Subtract),
    ("*", BinaryOp::Multiply),
    ("/", BinaryOp::Divide),
    ("%", BinaryOp::Remainder),
    ("<<", BinaryOp::ShiftLeft),
    (">>", BinaryOp::ShiftRight),
    ("&", BinaryOp::And),
    ("|", BinaryOp::Or),
    ("^", BinaryOp::Xor),
    ("==", BinaryOp::Equal),
    ("!=", BinaryOp::NotEqual),
    ("<", BinaryOp::Less),
    ("<=", BinaryOp::LessEqual),
    (">", BinaryOp::Greater),
    (">=", BinaryOp::GreaterEqual),
];

impl Language for Node {
    type Discriminant = Operator;

    fn discriminant(&self) -> Operator {
        match self {
            Self::Constant(_) => Operator::Constant,
            Self::Variable(_) => Operator::Variable,
            Self::Procedure(_) => Operator::Procedure,
            Self::Kind(_) => Operator::Kind,
            Self::Unary(op, _) => Operator::Unary(*op),
            Self::Binary(op, _) => Operator::Binary(*op),
            Self::Wrap(_) => Operator::Wrap,
        }
    }

    fn matches(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Constant(_), _)
            | (Self::Variable(_), _)
            | (Self::Procedure(_), _)
            | (Self::Kind(_), _) => self == other,
            _ => self.discriminant() == other.discriminant(),
        }
    }

    fn children(&self) -> &[Id] {
        match self {
            Self::Constant(_) | Self::Variable(_) | Self::Procedure(_) | Self::Kind(_) => &[],
            Self::Unary(_, operands) => operands,
            Self::Binary(_, operands) | Self::Wrap(operands) => operands,
        }
    }

    fn children_mut(&mut self) -> &mut [Id] {
        match self {
            Self::Constant(_) | Self::Variable(_) | Self::Procedure(_) | Self::Kind(_) => &mut [],
            Self::Unary(_, operands) => operands,
            Self::Binary(_, operands) | Self::Wrap(operands) => operands,
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(formatter, "{value}"),
            Self::Variable(variable) => write!(formatter, "v{}", variable.0),
            Self::Procedure(procedure) => write!(formatter, "f{}", procedure.0),
            Self::Kind(kind) => {
                write!(formatter, "{}{}", if kind.signed { 'i' } else { 'u' }, kind.bits)
            }
            Self::Unary(op, _) => formatter.write_str(symbol_of(&UNARY, *op)),
            Self::Binary(op, _) => formatter.write_str(symbol_of(&BINARY, *op)),
            Self::Wrap(_) => formatter.write_str("wrap"),
        }
    }
}

fn symbol_of<Op: PartialEq>(table: &[(&'static str, Op)], op: Op) -> &'static str {
    table.iter().find(|(_, other)| *other == op).map_or("?", |(symbol, _)| symbol)
}

impl FromOp for Node {
    type Error = FromOpError;

    fn from_op(op: &str, children: Vec<Id>) -> Result<Self, FromOpError> {
        let node = match *children.as_slice() {
            [] => leaf_of(op),
            [only] => UNARY
                .iter()
                .find(|(symbol, _)| *symbol == op)
                .map(|(_, op)| Self::Unary(*op, [only])),
            [kind, operand] if op == "wrap" => Some(Self::Wrap([kind, operand])),
            [left, right] => BINARY
                .iter()
                .find(|(symbol, _)| *symbol == op)
                .map(|(_, op)| Self::Binary(*op, [left, right])),
            _ => None,
        };
        node.ok_or_else(|| FromOpError::new(op, children))
    }
}

fn leaf_of(text: &str) -> Option<Node> {
    if let Ok(value) = text.parse() {
        return Some(Node::Constant(value));
    }
    let (letter, number) = text.split_at_checked(1)?;
    match letter {
        "v" => Some(Node::Variable(Variable(number.parse().ok()?))),
        "f" => Some(Node::Procedure(ProcedureId(number.parse().ok()?))),
        "i" | "u" => {
            Some(Node::Kind(IntKind { bits: number.parse().ok()?, signed: letter == "i" }))
        }
        _ => None,
    }
}

/// Writes `expr` down as nodes, each operand before its operator.
pub(super) fn nodes_of(expr: &Expr) -> RecExpr<Node> {
    let mut nodes = RecExpr::default();
    add(&mut nodes, expr);
    nodes
}

fn add(nodes: &mut RecExpr<Node>, expr: &Expr) -> Id {
    let node = match expr {
        Expr::Constant(value) => Node::Constant(*value),
        Expr::Variable(variable) => Node::Variable(*variable),
        Expr::Procedure(procedure) => Node::Procedure(*procedure),
        Expr::Unary(op, operand) => Node::Unary(*op, [add(nodes, operand)]),
        Expr::Binary(op, left, right) => {
            let left = add(nodes, left);
            Node::Binary(*op, [left, add(nodes, right)])
        }
        Expr::Wrap(kind, operand) => {
            let kind = nodes.add(Node::Kind(*kind));
            Node::Wrap([kind, add(nodes, operand)])
        }
    };
    nodes.add(node)
}

/// The expression that ends at `root`, or `None` where the nodes are not one.
pub(super) fn expr_at(nodes: &RecExpr<Node>, root: Id) -> Option<Expr> {
    Some(match &nodes[root] {
        Node::Constant(value) => Expr::Constant(*value),
        Node::Variable(variable) => Expr::Variable(*variable),
        Node::Procedure(procedure) => Expr::Procedure(*procedure),
        Node::Kind(_) => return None,
        Node::Unary(op, [operand]) => Expr::unary(*op, expr_at(nodes, *operand)?),
        Node::Binary(op, [left, right]) => {
            Expr::binary(*op, expr_at(nodes, *left)?, expr_at(nodes, *right)?)
        }
        Node::Wrap([kind, operand]) => {
            let Node::Kind(kind) = nodes[*kind] else { return None };
            Expr::Wrap(kind, Box::new(expr_at(nodes, *operand)?))
        }
    })
}
