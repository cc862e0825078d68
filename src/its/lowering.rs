//! Locations and transitions to blocks.

use super::Located;
use base::source::{SourceMap, Span};
use ir::{
    BinaryOp, Block, BlockId, Command, Expr, HavocSource, Instruction, IntKind, Procedure,
    ProcedureId, Program, ScalarType, Terminator, Variable, VariableInfo,
};
use std::collections::BTreeMap;

/// Integers without bounds.
const UNBOUNDED: ScalarType = ScalarType::Int(IntKind { bits: 128, signed: true });

/// A condition without negations.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    /// A comparison of two terms.
    Compare(BinaryOp, Expr, Expr),
    /// All of them.
    And(Vec<Formula>),
    /// Some of them.
    Or(Vec<Formula>),
}

/// Whether a condition is meant as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Polarity {
    /// As it is.
    Plain,
    /// Its negation.
    Negated,
}

impl Polarity {
    pub(super) fn flipped(self) -> Self {
        match self {
            Self::Plain => Self::Negated,
            Self::Negated => Self::Plain,
        }
    }

    /// The comparison, or its opposite; other operators stay as they are.
    pub(super) fn of(self, operator: BinaryOp) -> BinaryOp {
        if self == Self::Plain {
            return operator;
        }
        operator.negated().unwrap_or(operator)
    }

    pub(super) fn all(self, parts: Vec<Formula>) -> Formula {
        match self {
            Self::Plain => Formula::And(parts),
            Self::Negated => Formula::Or(parts),
        }
    }
}

/// A program of one procedure in the making. Block 0 leads to the start.
pub(super) struct Builder {
    program: Program,
    blocks: Vec<Block>,
    locations: BTreeMap<String, BlockId>,
    /// The first blocks of the transitions from each location.
    transitions: BTreeMap<BlockId, Vec<BlockId>>,
    choice: Variable,
}

impl Builder {
    pub(super) fn new(file_name: &str) -> Self {
        let program = Program {
            procedures: Vec::new(),
            variables: Vec::new(),
            entry: ProcedureId(0),
            sources: SourceMap { files: vec![file_name.to_owned()] },
            pointer_bytes: 8,
            open: None,
            forms: ir::forms::Forms::default(),
        };
        let mut builder = Self {
            program,
            blocks: Vec::new(),
            locations: BTreeMap::new(),
            transitions: BTreeMap::new(),
            choice: Variable(0),
        };
        builder.choice = builder.variable("choice$", Span::NOWHERE);
        builder.block(Span::NOWHERE);
        builder
    }

    /// A new variable; its name need not be new.
    pub(super) fn variable(&mut self, name: &str, span: Span) -> Variable {
        let variable = Variable::at(self.program.variables.len());
        let owner = Some(ProcedureId(0));
        self.program.variables.push(VariableInfo {
            name: name.to_owned(),
            ty: UNBOUNDED,
            owner,
            span,
        });
        variable
    }

    fn block(&mut self, span: Span) -> BlockId {
        let block = BlockId::at(self.blocks.len());
        self.blocks.push(Block { commands: Vec::new(), terminator: Terminator::Halt, span });
        block
    }

    /// The block of a location; `span` is where it is named first.
    fn location(&mut self, name: &str, span: Span) -> BlockId {
        if let Some(known) = self.locations.get(name) {
            return *known;
        }
        let block = self.block(span);
        self.locations.insert(name.to_owned(), block);
        block
    }

    /// A new transition: where its commands start.
    pub(super) fn transition(&mut self, from: &str, span: Span) -> BlockId {
        let (from, first) = (self.location(from, span), self.block(span));
        self.transitions.entry(from).or_default().push(first);
        first
    }

    pub(super) fn go_to(&mut self, at: BlockId, location: &str, span: Span) {
        let target = self.location(location, span);
        self.blocks[at.index()].terminator = Terminator::Goto(target);
    }

    fn push(&mut self, at: BlockId, command: Command, span: Span) {
        self.blocks[at.index()].commands.push(Instruction { command, span });
    }

    pub(super) fn assign(&mut self, at: BlockId, target: Variable, value: Expr, span: Span) {
        self.push(at, Command::Assign { target, value }, span);
    }

    pub(super) fn choose(&mut self, at: BlockId, target: Variable, span: Span) {
        let source = HavocSource::Input("nondet".to_owned());
        self.push(at, Command::Havoc { target, source }, span);
    }

    /// Ends runs in which the formula is false; returns where the others go on.
    pub(super) fn require(&mut self, at: BlockId, formula: &Formula, span: Span) -> BlockId {
        match formula {
            Formula::Compare(operator, left, right) => {
                let condition = Expr::binary(*operator, left.clone(), right.clone());
                self.push(at, Command::Assume { condition }, span);
                at
            }
            Formula::And(parts) => parts.iter().fold(at, |at, part| self.require(at, part, span)),
            Formula::Or(parts) => match parts.as_slice() {
                [] => {
                    self.push(at, Command::Assume { condition: Expr::Constant(0) }, span);
                    at
                }
                [only] => self.require(at, only, span),
                several => {
                    let join = self.block(span);
                    let mut targets = Vec::with_capacity(several.len());
                    for part in several {
                        let first = self.block(span);
                        let last = self.require(first, part, span);
                        self.blocks[last.index()].terminator = Terminator::Goto(join);
                        targets.push(first);
                    }
                    self.branch(at, &targets);
                    join
                }
            },
        }
    }

    /// Goes on at any of the blocks.
    fn branch(&mut self, at: BlockId, targets: &[BlockId]) {
        let Some((last, others)) = targets.split_last() else { return };
        let span = self.blocks[at.index()].span;
        if others.is_empty() {
            self.blocks[at.index()].terminator = Terminator::Goto(*last);
            return;
        }
        self.choose(at, self.choice, span);
        let cases = others.iter().zip(0_i128..).map(|(target, number)| (number, number, *target));
        let (value, cases) = (Expr::Variable(self.choice), cases.collect());
        self.blocks[at.index()].terminator = Terminator::Switch { value, cases, default: *last };
    }

    /// The program that starts at this location.
    pub(super) fn finish(mut self, start: &str, span: Span) -> Located {
        self.go_to(BlockId(0), start, span);
        let start = self.location(start, span);
        let blocks = self.blocks.iter().skip(1);
        let is_again = blocks.into_iter().any(|it| it.terminator == Terminator::Goto(start));
        let locations = self.locations.values().copied();
        let locations = locations.filter(|it| is_again || *it != start).collect();
        for (location, targets) in std::mem::take(&mut self.transitions) {
            self.branch(location, &targets);
        }
        self.program.procedures.push(Procedure {
            shortcut: None,
            name: "main".to_owned(),
            parameters: Vec::new(),
            lasting: Vec::new(),
            result: None,
            blocks: self.blocks,
            span,
        });
        Located { program: self.program, locations }
    }
}
