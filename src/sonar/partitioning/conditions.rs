//! Conditions by which the states at the heads of loops are told apart.
//!
//! A loop that assumes `x < y` on one of its ways behaves differently from when on that holds;
//! a state that joins both cases says little of either.

use evidence::condition::Condition;
use heap::state::State;
use ir::{BinaryOp, Command, Expr, Program, ScalarType, Variable};
use logic::LinearExpr;
use std::collections::BTreeSet;

/// More conditions than this are not told apart: each may double the number of states.
const MOST_CONDITIONS: usize = 3;

/// More sums than this are not bounded: each is four linear programs for each join.
const MOST_SUMS: usize = 24;

/// The comparisons of variables that a program assumes; none, if there are many.
pub(crate) fn conditions(program: &Program) -> Vec<Condition> {
    let blocks = program.blocks();
    let commands = blocks.flat_map(|block| &block.commands);
    let assumed = commands.filter_map(|instruction| match &instruction.command {
        Command::Assume { condition: assumed } => condition(program, assumed),
        _ => None,
    });
    let found: BTreeSet<Condition> = assumed.collect();
    if found.len() > MOST_CONDITIONS { Vec::new() } else { found.into_iter().collect() }
}

/// `x < y`, or what is that or its negation with the variables in another order.
fn condition(program: &Program, condition: &Expr) -> Option<Condition> {
    let Expr::Binary(op, left, right) = condition else { return None };
    let (left, right) = (number(program, left)?, number(program, right)?);
    let (low, high) = match op {
        BinaryOp::Less | BinaryOp::GreaterEqual => (left, right),
        BinaryOp::Greater | BinaryOp::LessEqual => (right, left),
        _ => return None,
    };
    (low != high).then_some(Condition { low, high })
}

/// A sum of three variables: the difference of two that the program compares, and a counter.
/// Where `x` has grown by as much as `v` has become less, what is
/// known of `x - y` was known of `x + v - y` before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sum {
    compared: [Variable; 2],
    third: Variable,
}

/// The sums of a program; none, if there are many.
pub(crate) fn sums(program: &Program) -> Vec<Sum> {
    let (mut pairs, mut counters) = (BTreeSet::new(), BTreeSet::new());
    for block in program.blocks() {
        let mut note = |expr: &Expr| {
            for (_, left, right) in expr.comparisons() {
                if let [Some(left), Some(right)] = [left, right].map(|side| number(program, side)) {
                    pairs.insert([left.min(right), left.max(right)]);
                }
            }
        };
        for instruction in &block.commands {
            instruction.command.expressions().for_each(&mut note);
            counters.extend(counted(&instruction.command));
        }
        block.terminator.expression().into_iter().for_each(&mut note);
    }
    pairs.retain(|pair| pair[0] != pair[1] && pair.iter().any(|it| counters.contains(it)));
    let of = |compared: [Variable; 2]| {
        let others = counters.iter().filter(move |it| !compared.contains(it));
        others.map(move |third| Sum { compared, third: *third })
    };
    let found: Vec<Sum> = pairs.into_iter().flat_map(of).collect();
    if found.len() > MOST_SUMS { Vec::new() } else { found }
}

/// The variable that a command changes by a constant.
fn counted(command: &Command) -> Option<Variable> {
    let Command::Assign { target, value } = command else { return None };
    let mut value = value;
    while let Expr::Wrap(_, operand) = value {
        value = operand;
    }
    let Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) = value else { return None };
    let is_own = **left == Expr::Variable(*target) && matches!(**right, Expr::Constant(_));
    is_own.then_some(*target)
}

impl Sum {
    /// The sums in a state, both ways and with either sign of the third variable; none where
    /// its variables have no values.
    pub(crate) fn directions(self, state: &State) -> Vec<LinearExpr> {
        let stores = 0..state.stores.len();
        let value = |variable| stores.clone().rev().find_map(|it| state.value_in(it, variable));
        let [left, right] = self.compared.map(value);
        let (Some(left), Some(right), Some(third)) = (left, right, value(self.third)) else {
            return Vec::new();
        };
        let difference = left.add(&right.neg());
        let [up, down] = [difference.add(third), difference.add(&third.neg())];
        vec![up.neg(), up, down.neg(), down]
    }
}

/// The integer variable whose value, or whose value in another type, this is.
fn number(program: &Program, expr: &Expr) -> Option<Variable> {
    match expr {
        Expr::Variable(variable) => {
            matches!(program.variable(*variable).ty, ScalarType::Int(_)).then_some(*variable)
        }
        Expr::Wrap(_, operand) => number(program, operand),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::conditions;
    use ir::text::parse;

    #[test]
    fn comparisons_of_two_variables_are_conditions() {
        let text = "
procedure main() {
  local low: i32
  local high: i32
  local limit: u32
b0:
  assume low < 3
  assume low != high
  assume low <= high
  assume limit > low as u32
  goto b0
}

entry main
";
        let program = parse("conditions.goto", text).expect("a program").program;
        let name = |it| program.variable(it).name.as_str();
        let found = conditions(&program).into_iter().map(|it| (name(it.low), name(it.high)));
        assert_eq!(found.collect::<Vec<_>>(), [("low", "limit"), ("high", "low")]);
    }
}
