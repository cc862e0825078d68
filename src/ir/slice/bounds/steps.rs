//! What the steps of a program with bounds are made of.

use super::Failure;
use crate::{BinaryOp, Block, Command, Expr, Gap, Instruction, IntKind, Terminator, Variable};
use base::source::Span;

/// Objects lie in the lower half of an address space of 64 bits.
pub(super) const HIGHEST: i128 = (1 << 63) - 1;

/// Where the object begins and ends that a pointer leads to.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub(super) low: Variable,
    pub(super) high: Variable,
    /// Where a byte of it is 0, if that is known; else it is negative.
    pub(super) zero: Option<Variable>,
    /// Whether the pointer leads into the block that is watched (`given`): 1, or else 0.
    pub(super) own: Option<Variable>,
}

impl Ends {
    pub(super) fn all(self) -> impl Iterator<Item = Variable> {
        [self.low, self.high].into_iter().chain(self.zero).chain(self.own)
    }

    /// What they are where there is no object.
    pub(super) fn none(self) -> impl Iterator<Item = (Variable, Expr)> {
        let zero = self.zero.map(|it| (it, UNKNOWN));
        let no = |it: Variable| (it, Expr::Constant(0));
        [self.low, self.high].map(no).into_iter().chain(zero).chain(self.own.map(no))
    }
}

/// No byte that is 0 is known.
pub(super) const UNKNOWN: Expr = Expr::Constant(-1);

/// A place where a pointer is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Check {
    /// Where.
    pub span: Span,
    /// Which one.
    pub pointer: Variable,
    /// What is accessed begins so many bytes behind it, if that is constant.
    pub begins: Option<i128>,
    /// It ends so many bytes behind it.
    pub ends: Option<i128>,
    /// It ends so many bytes behind it, and behind multiples of a number that is not constant.
    pub reach: Option<i128>,
}

/// A step of the result.
pub(super) enum Step {
    Do(Command),
    /// The run goes wrong in this way unless that holds.
    Assert(Failure, Expr),
    /// One of these happens, whichever: each is a row of commands.
    OneOf(Vec<Vec<Command>>),
}

impl Step {
    pub(super) fn command(self) -> Option<Command> {
        match self {
            Self::Do(command) => Some(command),
            Self::Assert(..) | Self::OneOf(_) => None,
        }
    }
}

pub(super) fn binary(op: BinaryOp, left: impl Into<Expr>, right: impl Into<Expr>) -> Expr {
    Expr::binary(op, left.into(), right.into())
}

pub(super) fn plus(value: impl Into<Expr>, bytes: i128) -> Expr {
    match bytes {
        0 => value.into(),
        _ => binary(BinaryOp::Add, value, Expr::Constant(bytes)),
    }
}

pub(super) fn assume(condition: Expr) -> Step {
    Step::Do(Command::Assume { condition })
}

/// A number is one of its type.
pub(super) fn assume_range(target: Variable, kind: IntKind) -> Step {
    let wrapped = Expr::Wrap(kind, Box::new(target.into()));
    assume(binary(BinaryOp::Equal, wrapped, target))
}

pub(super) fn set(target: Variable, value: impl Into<Expr>) -> Step {
    Step::Do(Command::Assign { target, value: value.into() })
}

/// The run goes wrong here.
pub(super) fn wrong_end(failure: Failure, span: Span) -> Block {
    let command = Command::Unsupported { what: failure.what(), gap: Gap::Undefined };
    let commands = vec![Instruction { command, span }];
    Block { commands, terminator: Terminator::Halt, span }
}
