//! Variables that addresses are computed with: indices of arrays, and what they are made of, or is
//! made of them, by constants alone.

use super::{Command, Expr, Program, ScalarType, Variable};
use std::collections::BTreeSet;

/// These variables of a program. What is only added to a pointer as it is, by which nothing is
/// read or written, is none.
#[must_use]
pub fn indices(program: &Program) -> BTreeSet<Variable> {
    let blocks = || program.procedures.iter().flat_map(|it| &it.blocks);
    let commands = || blocks().flat_map(|it| &it.commands).map(|it| &it.command);
    let mut found = BTreeSet::new();
    let mut note = |expr: &Expr| {
        expr.for_each_variable(&mut |it| {
            if program.variable(it).ty != ScalarType::Pointer {
                found.insert(it);
            }
        });
    };
    for command in commands() {
        match command {
            Command::Load { address, .. } | Command::Store { address, .. } => note(address),
            Command::Assign { target, value } => {
                if program.variable(*target).ty == ScalarType::Pointer {
                    note(value);
                }
            }
            Command::Havoc { .. }
            | Command::Allocate { .. }
            | Command::Free { .. }
            | Command::Measure { .. }
            | Command::Fill { .. }
            | Command::Copy { .. }
            | Command::Assume { .. }
            | Command::Call { .. }
            | Command::Error { .. }
            | Command::Unsupported { .. } => {}
        }
    }
    loop {
        let n_found = found.len();
        for command in commands() {
            let Command::Assign { target, value } = command else { continue };
            let Some(source) = origin(value) else { continue };
            if found.contains(target) {
                found.insert(source);
            } else if found.contains(&source) {
                found.insert(*target);
            }
        }
        if found.len() == n_found {
            return found;
        }
    }
}

/// The variable that a value is made of, with constants.
fn origin(value: &Expr) -> Option<Variable> {
    match value {
        Expr::Variable(variable) => Some(*variable),
        Expr::Wrap(_, operand) => origin(operand),
        Expr::Binary(_, left, right) => match (left.as_ref(), right.as_ref()) {
            (operand, Expr::Constant(_)) | (Expr::Constant(_), operand) => origin(operand),
            _ => None,
        },
        Expr::Constant(_) | Expr::Unary(..) | Expr::Procedure(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::indices;
    use crate::ir::text::parse;

    #[test]
    fn indices_are_what_addresses_are_computed_with() {
        let text = "
procedure main() {
  local table: ptr
  local item: ptr
  local at: i32
  local next: i32
  local count: i32
b0:
  table := allocate heap 80
  next := at + 1
  item := [table + at * 8 : ptr]
  count := 3
  [table + 8 : i32] := count
  halt
}

entry main
";
        let program = parse("indices.goto", text).expect("a program").program;
        let names = indices(&program).into_iter().map(|it| program.variable(it).name.clone());
        assert_eq!(names.collect::<Vec<_>>(), ["at", "next"]);
    }
}
