//! Flags: integer variables that only ever get constants, truth values, or what other flags
//! hold. Their values tell how a run got here; where states are joined in which they differ,
//! that is lost.

use ir::{Command, Expr, HavocSource, Program, ScalarType, UnaryOp, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// More flags than this are not told apart: each may double the number of states.
const MOST_FLAGS: usize = 12;

/// What a variable gets somewhere: a value, or whatever a command writes.
type Gets<'a> = BTreeMap<Variable, BTreeSet<Option<&'a Expr>>>;

/// The flags of a program that get two values at least; none, if there are many.
pub(crate) fn flags(program: &Program) -> Vec<Variable> {
    let mut gets = gets(program);
    let is_number = |it: &Variable| matches!(program.variable(*it).ty, ScalarType::Int(_));
    gets.retain(|variable, values| is_number(variable) && values.len() > 1);
    loop {
        let known: BTreeSet<Variable> = gets.keys().copied().collect();
        gets.retain(|_, values| values.iter().all(|it| it.is_some_and(|it| is_flag(it, &known))));
        if gets.len() == known.len() {
            return if known.len() > MOST_FLAGS { Vec::new() } else { known.into_iter().collect() };
        }
    }
}

/// What each variable gets. What is arbitrary because nothing was written does not count.
fn gets(program: &Program) -> Gets<'_> {
    let mut gets = Gets::new();
    for procedure in &program.procedures {
        for parameter in &procedure.parameters {
            gets.entry(*parameter).or_default().insert(None);
        }
        let commands = procedure.blocks.iter().flat_map(|block| &block.commands);
        for command in commands.map(|instruction| &instruction.command) {
            let value = match command {
                Command::Assign { value, .. } => Some(value),
                Command::Havoc { source: HavocSource::Uninitialised, .. } => continue,
                _ => None,
            };
            if let Some(target) = command.target() {
                gets.entry(target).or_default().insert(value);
            }
        }
    }
    gets
}

/// Whether a value is a constant, a truth value or a flag's.
fn is_flag(value: &Expr, flags: &BTreeSet<Variable>) -> bool {
    match value {
        Expr::Constant(_) | Expr::Unary(UnaryOp::Not, _) => true,
        Expr::Variable(variable) => flags.contains(variable),
        Expr::Wrap(_, operand) => is_flag(operand, flags),
        Expr::Binary(op, ..) => op.is_comparison(),
        Expr::Unary(..) | Expr::Procedure(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::flags;
    use ir::text::parse;

    #[test]
    fn flags_get_constants_truth_values_and_flags() {
        let text = "
procedure main() {
  local busy: i32
  local seen: i32
  local count: i32
  local once: i32
  local second: i32
b0:
  busy := 0
  seen := count < 3
  count := 0
  once := 1
  second := busy
  goto b1
b1:
  busy := 1
  seen := 0
  count := count + 1
  second := 2
  goto b1
}

entry main
";
        let program = parse("flags.goto", text).expect("a program").program;
        let names = flags(&program).into_iter().map(|it| program.variable(it).name.clone());
        assert_eq!(names.collect::<Vec<_>>(), ["busy", "seen", "second"]);
    }
}
