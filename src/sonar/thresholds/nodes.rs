//! Thresholds of widening for nodes: what they hold is mostly one of the program's own
//! constants, so a bound that grows stops at the next of these.

use crate::heap::state::{Kind, State};
use crate::ir::{Expr, Program};
use crate::logic::{Constraint, Integer, LinearExpr};
use crate::numeric::polyhedron::Polyhedron;
use std::collections::BTreeSet;

/// Programs with more constants than this have no thresholds: they would be
/// gone through one by one.
const MAX_CONSTANTS: usize = 24;

/// The constants that a program writes or compares with.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeThresholds {
    constants: BTreeSet<i128>,
}

impl NodeThresholds {
    /// Those of a program.
    pub(super) fn of_program(program: &Program) -> Self {
        let mut constants = BTreeSet::new();
        for block in program.procedures.iter().flat_map(|procedure| &procedure.blocks) {
            for instruction in &block.commands {
                instruction.command.for_each_expression(&mut |it| collect(it, &mut constants));
            }
            if let Some(expr) = block.terminator.expression() {
                collect(expr, &mut constants);
            }
        }
        if constants.len() > MAX_CONSTANTS {
            constants.clear();
        }
        Self { constants }
    }

    /// For each number in nodes of `state`, the next constants outside of what it
    /// is in `numbers`.
    pub(super) fn around(&self, state: &State, numbers: &Polyhedron) -> Vec<Constraint> {
        let mut found = Vec::new();
        if self.constants.is_empty() {
            return found;
        }
        for variable in state.vocabulary.of_kind(Kind::Summary) {
            if !numbers.mentions(variable) {
                continue;
            }
            let (low, high) = numbers.bounds(&variable.into());
            let constants = || self.constants.iter().map(|it| Integer::from(*it));
            let bound = |it: &Integer| LinearExpr::constant(it.clone());
            if let Some(low) = low
                && let Some(next) = constants().rev().find(|it| *it <= low)
            {
                found.push(Constraint::ge(variable, bound(&next)));
            }
            if let Some(high) = high
                && let Some(next) = constants().find(|it| *it >= high)
            {
                found.push(Constraint::le(variable, bound(&next)));
            }
        }
        found
    }
}

fn collect(expr: &Expr, constants: &mut BTreeSet<i128>) {
    match expr {
        Expr::Constant(value) => {
            constants.insert(*value);
        }
        Expr::Variable(_) | Expr::Procedure(_) => {}
        Expr::Unary(_, operand) | Expr::Wrap(_, operand) => collect(operand, constants),
        Expr::Binary(_, left, right) => {
            collect(left, constants);
            collect(right, constants);
        }
    }
}
