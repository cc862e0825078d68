//! Which variables say where a state machine is.

use base::graph::reachable;
use ir::{
    BinaryOp, Callee, Command, Expr, HavocSource, Procedure, Program, ScalarType, Terminator,
    Variable,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a variable gets somewhere: a value, or whatever a command writes.
type Gets<'a> = BTreeMap<Variable, Vec<Option<&'a Expr>>>;

/// The *control variables* of a program: integers that only ever get constants, themselves plus a
/// constant, or what other such variables hold, and that the program asks for two constants at
/// least. What they get their values from belongs to them.
///
/// ```text
///   switch (state++) { case 1: … state = 3; … case 2: … }
/// ```
pub(super) fn control_variables(program: &Program) -> BTreeSet<Variable> {
    let mut gets = gets(program);
    gets.retain(|it, _| matches!(program.variable(*it).ty, ScalarType::Int(_)));
    loop {
        let known: BTreeSet<Variable> = gets.keys().copied().collect();
        gets.retain(|_, values| values.iter().all(|it| it.is_some_and(|it| is_step(it, &known))));
        if gets.len() == known.len() {
            break;
        }
    }
    let asked = asked(program).filter(|it| gets.contains_key(it));
    reachable(asked, |variable| {
        let values = gets.get(&variable).into_iter().flatten().flatten();
        values.flat_map(|it| it.variables())
    })
}

/// What each variable gets. What is arbitrary because nothing was written does not count.
fn gets(program: &Program) -> Gets<'_> {
    let mut gets = Gets::new();
    for parameter in &program.procedure(program.entry).parameters {
        gets.entry(*parameter).or_default().push(None);
    }
    for procedure in &program.procedures {
        let commands = procedure.blocks.iter().flat_map(|block| &block.commands);
        for command in commands.map(|instruction| &instruction.command) {
            let value = match command {
                Command::Assign { value, .. } => Some(value),
                Command::Havoc { source: HavocSource::Uninitialised, .. } => continue,
                Command::Call { target, callee: Callee::Direct(callee), arguments } => {
                    let callee = program.procedure(program.followed(*callee));
                    for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                        gets.entry(*parameter).or_default().push(Some(argument));
                    }
                    if let Some(target) = target {
                        gets.entry(*target).or_default().extend(results(callee));
                    }
                    continue;
                }
                _ => None,
            };
            if let Some(target) = command.target() {
                gets.entry(target).or_default().push(value);
            }
        }
    }
    gets
}

/// The values that a procedure returns; one that is not known, if it has no body.
fn results(procedure: &Procedure) -> Vec<Option<&Expr>> {
    if !procedure.is_defined() {
        return vec![None];
    }
    let mut results = Vec::new();
    for block in &procedure.blocks {
        if let Terminator::Return(Some(value)) = &block.terminator {
            results.push(Some(value));
        }
    }
    results
}

/// Whether a value is a constant, or that of a variable, perhaps with a constant added.
fn is_step(value: &Expr, known: &BTreeSet<Variable>) -> bool {
    match value {
        Expr::Constant(_) => true,
        Expr::Variable(variable) => known.contains(variable),
        Expr::Wrap(_, operand) => is_step(operand, known),
        Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) => {
            is_step(left, known) && matches!(**right, Expr::Constant(_))
        }
        Expr::Unary(..) | Expr::Binary(..) | Expr::Procedure(_) => false,
    }
}

/// The variables that a program asks whether they are this or that constant, of two at least.
fn asked(program: &Program) -> impl Iterator<Item = Variable> + use<> {
    let mut asked: BTreeMap<Variable, BTreeSet<i128>> = BTreeMap::new();
    let mut note = |variable: Option<Variable>, constant: i128| {
        variable.into_iter().for_each(|it| {
            asked.entry(it).or_default().insert(constant);
        });
    };
    for block in program.blocks() {
        block.expressions().for_each(|expr| {
            for comparison in expr.comparisons() {
                if let (BinaryOp::Equal | BinaryOp::NotEqual, expr, Expr::Constant(number))
                | (BinaryOp::Equal | BinaryOp::NotEqual, Expr::Constant(number), expr) =
                    comparison
                {
                    note(variable_in(expr), *number);
                }
            }
        });
        if let Terminator::Switch { value, cases, .. } = &block.terminator {
            for (low, high, _) in cases {
                note(variable_in(value), *low);
                note(variable_in(value), *high);
            }
        }
    }
    asked.into_iter().filter(|(_, constants)| constants.len() > 1).map(|(variable, _)| variable)
}

/// The variable whose value, or whose value in another type, this is.
fn variable_in(expr: &Expr) -> Option<Variable> {
    match expr {
        Expr::Variable(variable) => Some(*variable),
        Expr::Wrap(_, operand) => variable_in(operand),
        Expr::Constant(_) | Expr::Procedure(_) | Expr::Unary(..) | Expr::Binary(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::control_variables;
    use ir::text::parse;

    #[test]
    fn control_variables_are_asked_for_constants() {
        let text = "
procedure main() {
  local state: i32
  local old: i32
  local count: i32
  local third: i32
b0:
  state := 1
  count := 0
  goto b1
b1:
  old := state
  state := state + 1
  count := count + 1
  third := count * 2
  switch old { 1 => b2, 2 => b2, else => b1 }
b2:
  state := 7
  if third == 3 goto b1 else b3
b3:
  if third == 4 goto b1 else b4
b4:
  if count < 3 goto b1 else b0
}

entry main
";
        let program = parse("control.goto", text).expect("a program").program;
        let names = control_variables(&program);
        let names: Vec<_> = names.iter().map(|it| program.variable(*it).name.as_str()).collect();
        assert_eq!(names, ["state", "old"]);
    }
}
