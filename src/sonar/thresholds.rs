//! Bounds at which widening stops first: the numbers that a program tests its
//! variables against for equality, the ranges that it reduces them to, what its
//! remainders and masks leave, its comparisons and distances of shifts (Halbwachs,
//! Proy and Roumanoff, FMSD 1997, call it widening up to); and for what nodes
//! hold, its constants.
//!
//! `while (x != 100) x--;` has no inequality. Where `x` starts above 100, it is
//! only the bound `101 <= x` that excludes that it comes past 100. And what the
//! comparison of `while (i < n) i++;` bounds may be needed by a loop further on,
//! whose own states are widened before any narrowing.

mod loaded;
mod nodes;

use heap::Atom;
use heap::state::{Kind, State};
use ir::semantics::largest_object;
use ir::{BinaryOp, Command, Expr, IntKind, Program, ScalarType, Terminator, UnaryOp, Variable};
use loaded::Loaded;
use logic::{Constraint, Integer, LinearExpr, Var};
use nodes::NodeThresholds;
use numeric::polyhedron::Polyhedron;
use std::collections::{BTreeMap, BTreeSet};

/// More numbers than this are not tried for a variable.
const MOST_NUMBERS: usize = 4;
/// How often numbers are handed on by assignments.
const MOST_COPIES: usize = 3;

/// So many comparisons are bounds of one state.
const MOST_COMPARISONS: usize = 12;

/// The bounds that a program suggests.
#[derive(Clone, Debug, Default)]
pub struct Thresholds {
    nodes: NodeThresholds,
    /// What stands for values in memory.
    loaded: Loaded,
    /// The variables that get values out of memory.
    from_memory: BTreeSet<Variable>,
    /// Differences of what is compared, where program variables stand for their
    /// values.
    comparisons: BTreeSet<LinearExpr>,
    /// Where numbers lie in one block that are compared with each other.
    siblings: BTreeSet<(i64, i64)>,
    /// For each variable the numbers that it is compared with.
    numbers: BTreeMap<Variable, BTreeSet<i128>>,
    /// For each variable the ranges that it is reduced to.
    ranges: BTreeMap<Variable, BTreeSet<(i128, i128)>>,
    /// The most bytes that an object has.
    largest_object: i128,
}

impl Thresholds {
    /// Those of a program.
    #[must_use]
    pub fn of_program(program: &Program) -> Self {
        let mut thresholds = Self {
            nodes: NodeThresholds::of_program(program),
            loaded: Loaded::of_program(program),
            largest_object: largest_object(program.pointer_bytes),
            ..Self::default()
        };
        let blocks = || program.blocks();
        let mut copies = Vec::new();
        for block in blocks() {
            for instruction in &block.commands {
                instruction.command.expressions().for_each(|expr| thresholds.add(expr));
                let command = &instruction.command;
                if let Command::Load { target, .. } = command {
                    thresholds.from_memory.insert(*target);
                }
                if let Command::Assign { target, value } = command
                    && let Some(most) = most_left(value)
                {
                    thresholds.ranges.entry(*target).or_default().insert((0, most));
                }
                if let Command::Assign { target, value: Expr::Variable(source) } = command {
                    copies.push((*target, *source));
                } else if let Command::Assume { condition: Expr::Variable(variable) } = command {
                    thresholds.note(*variable, 0);
                }
            }
            if let Terminator::Branch { condition: Expr::Variable(variable), .. } =
                &block.terminator
            {
                thresholds.note(*variable, 0);
            }
            block.terminator.expression().into_iter().for_each(|expr| thresholds.add(expr));
        }
        let siblings =
            thresholds.comparisons.iter().filter_map(|it| thresholds.loaded.siblings(it));
        thresholds.siblings = siblings.collect();
        for _ in 0..MOST_COPIES {
            for (target, source) in &copies {
                thresholds.share(*target, *source);
                if thresholds.from_memory.contains(source) {
                    thresholds.from_memory.insert(*target);
                }
            }
        }
        thresholds
    }

    fn note(&mut self, variable: Variable, number: i128) {
        let numbers = self.numbers.entry(variable).or_default();
        if numbers.len() < MOST_NUMBERS {
            numbers.insert(number);
        }
    }

    fn share(&mut self, target: Variable, source: Variable) {
        for (from, to) in [(target, source), (source, target)] {
            for number in self.numbers.get(&from).cloned().unwrap_or_default() {
                self.note(to, number);
            }
        }
    }

    /// Notes the comparisons in an expression. The recursion is as deep as it is.
    fn add(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(_) | Expr::Variable(_) | Expr::Procedure(_) => {}
            Expr::Unary(op, operand) => {
                if let (UnaryOp::Not, Some((variable, shift))) = (op, shifted(operand)) {
                    self.note(variable, -shift);
                }
                self.add(operand);
            }
            Expr::Wrap(kind, operand) => {
                if let Some((variable, shift)) = shifted(operand)
                    && kind.bits <= 64
                {
                    let range = (IntKind::min(*kind) - shift, IntKind::max(*kind) - shift);
                    self.ranges.entry(variable).or_default().insert(range);
                }
                self.add(operand);
            }
            Expr::Binary(op, left, right) => {
                if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
                    for (side, other) in [(left, right), (right, left)] {
                        if let (Some((variable, shift)), Expr::Constant(number)) =
                            (shifted(side), other.as_ref())
                            && let Some(number) = number.checked_sub(shift)
                        {
                            self.note(variable, number);
                        }
                    }
                }
                if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight)
                    && let Some(distance) = linear(right).filter(|it| it.as_constant().is_none())
                {
                    self.comparisons.insert(distance);
                }
                if op.is_comparison()
                    && let Some((left, right)) = linear(left).zip(linear(right))
                {
                    let difference = left.sub(&right);
                    let turned = difference.neg();
                    let is_order = difference.terms().len() > 1 || is_order(*op);
                    self.comparisons.extend(is_order.then(|| difference.min(turned)));
                }
                self.add(left);
                self.add(right);
            }
        }
    }

    /// Has thresholds for the fields of blocks from now on, too: more steps, for closer
    /// bounds. Whether there are any.
    pub(super) fn limit_fields(&mut self) -> bool {
        self.nodes.limit_fields()
    }

    /// The bounds for the values of a state and of its nodes; the latter are those
    /// around what they are in `numbers`.
    pub(super) fn at(&self, state: &State, numbers: &Polyhedron) -> Vec<Constraint> {
        let mut bounds = self.nodes.around(state, numbers);
        for (variable, value) in state.stores.iter().flatten() {
            if value.as_constant().is_some() {
                continue;
            }
            if let Some(number) = value.as_var().filter(|_| self.from_memory.contains(variable)) {
                self.nodes.next_limits(number, numbers, &mut bounds);
            }
            for (low, high) in self.ranges.get(variable).into_iter().flatten() {
                bounds.push(Constraint::ge(value, Integer::from(*low)));
                bounds.push(Constraint::le(value, Integer::from(*high)));
            }
            let numbers = self.numbers.get(variable).into_iter().flatten();
            for number in numbers.copied().map(Integer::from) {
                bounds.push(Constraint::ge(value, number.clone()));
                bounds.push(Constraint::le(value, number.clone()));
                bounds.push(Constraint::gt(value, number.clone()));
                bounds.push(Constraint::lt(value, number));
            }
        }
        bounds.extend(self.of_sizes(state));
        for value in self.differences(state) {
            bounds.push(Constraint::ge(&value, 0));
            bounds.push(Constraint::le(&value, 0));
            bounds.push(Constraint::gt(&value, 0));
            bounds.push(Constraint::lt(&value, 0));
        }
        bounds
    }

    /// No object is larger than distances in it can tell, which limits what counts its elements.
    fn of_sizes(&self, state: &State) -> impl Iterator<Item = Constraint> {
        state.heap.atoms.iter().filter_map(|atom| match atom {
            Atom::Block(block) if block.size.as_constant().is_none() => {
                Some(Constraint::le(&block.size, Integer::from(self.largest_object)))
            }
            Atom::Block(_) | Atom::Instance(_) => None,
        })
    }

    /// What the program compares, as differences of what is known in a state.
    pub(super) fn differences(&self, state: &State) -> impl Iterator<Item = LinearExpr> {
        let compared = self.comparisons.iter().flat_map(|it| self.all_valued(it, state));
        compared.chain(self.of_siblings(state)).take(MOST_COMPARISONS)
    }

    /// The differences of numbers that are compared where they lie in one block, of all blocks that
    /// have such: `v->n == v->room` limits the one by the other, whoever has a pointer there.
    fn of_siblings(&self, state: &State) -> impl Iterator<Item = LinearExpr> {
        let blocks = state.heap.atoms.iter().filter_map(|atom| match atom {
            Atom::Block(block) => Some(block),
            Atom::Instance(_) => None,
        });
        blocks.flat_map(|block| {
            self.siblings.iter().filter_map(|(one, other)| {
                let number = |offset| {
                    let cell = block.cell(offset).filter(|it| matches!(it.ty, ScalarType::Int(_)));
                    cell.map(|it| &it.value)
                };
                let difference = number(*one)?.sub(number(*other)?);
                let is_number = |v: Var| state.vocabulary.kind(v) == Kind::Integer;
                let is_open = difference.as_constant().is_none();
                (is_open && difference.variables().all(is_number)).then_some(difference)
            })
        })
    }

    /// What an expression is worth by the names that its variables have, or else by those that
    /// callers have for them.
    fn all_valued(&self, expr: &LinearExpr, state: &State) -> Vec<LinearExpr> {
        match self.valued(expr, state, 0) {
            Some(value) => vec![value],
            None => {
                let names = 1..self.loaded.n_names(expr);
                names.filter_map(|name| self.valued(expr, state, name)).collect()
            }
        }
    }

    /// What an expression over program variables is worth in a state, if it has
    /// values for all of them and it is not constant there.
    fn valued(&self, expr: &LinearExpr, state: &State, name: usize) -> Option<LinearExpr> {
        let mut sum = LinearExpr::constant(expr.constant_part().clone());
        for (variable, factor) in expr.terms() {
            let variable = Variable::at(variable.index());
            let mut frames = (0..state.stores.len()).rev();
            let value = frames.find_map(|frame| state.value_in(frame, variable)).cloned();
            let value = value.or_else(|| self.loaded.value(variable, state, name))?;
            sum = sum.add_scaled(&value, factor);
        }
        let is_number = |v: Var| state.vocabulary.kind(v) == Kind::Integer;
        (sum.as_constant().is_none() && sum.variables().all(is_number)).then_some(sum)
    }
}

/// An expression as a sum of program variables, if it is one.
fn linear(expr: &Expr) -> Option<LinearExpr> {
    match expr {
        Expr::Constant(number) => Some(LinearExpr::constant(*number)),
        Expr::Variable(variable) => Some(LinearExpr::var(Var::at(variable.index()))),
        Expr::Wrap(_, operand) => linear(operand),
        Expr::Binary(BinaryOp::Add, left, right) => Some(linear(left)?.add(&linear(right)?)),
        Expr::Binary(BinaryOp::Subtract, left, right) => Some(linear(left)?.sub(&linear(right)?)),
        Expr::Binary(..) | Expr::Unary(..) | Expr::Procedure(_) => None,
    }
}

fn is_order(op: BinaryOp) -> bool {
    use BinaryOp::{Greater, GreaterEqual, Less, LessEqual};
    matches!(op, Less | LessEqual | Greater | GreaterEqual)
}

/// The most that a remainder or a mask leaves, if an expression ends with one.
fn most_left(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Wrap(_, operand) => most_left(operand),
        Expr::Binary(BinaryOp::Remainder, _, divisor) => match divisor.as_ref() {
            Expr::Constant(number) => Some(number.checked_abs()?.max(1) - 1),
            _ => None,
        },
        Expr::Binary(BinaryOp::And, left, right) => match (left.as_ref(), right.as_ref()) {
            (Expr::Constant(mask), _) | (_, Expr::Constant(mask)) if *mask >= 0 => Some(*mask),
            _ => None,
        },
        _ => None,
    }
}

/// A variable plus a small constant.
fn shifted(expr: &Expr) -> Option<(Variable, i128)> {
    match expr {
        Expr::Variable(variable) => Some((*variable, 0)),
        Expr::Wrap(_, operand) => shifted(operand),
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            match (left.as_ref(), right.as_ref(), op) {
                (Expr::Variable(variable), Expr::Constant(number), BinaryOp::Add)
                | (Expr::Constant(number), Expr::Variable(variable), BinaryOp::Add) => {
                    Some((*variable, *number))
                }
                (Expr::Variable(variable), Expr::Constant(number), BinaryOp::Subtract) => {
                    Some((*variable, number.checked_neg()?))
                }
                _ => None,
            }
        }
        _ => None,
    }
    .filter(|(_, shift)| shift.unsigned_abs() < 1 << 60)
}
