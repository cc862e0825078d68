//! Variables that addresses are computed with: indices of arrays, and what they are made of, or is
//! made of them, by constants alone.

use super::{Command, Expr, Program, ScalarType, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// These variables of a program, each with what it is an index of.
#[derive(Clone, Debug, Default)]
pub struct Indices(BTreeMap<Variable, Arrays>);

/// Which arrays a variable is an index of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Arrays {
    /// The pointers that it is added to.
    pointers: BTreeSet<Variable>,
    /// Whether it is added to something else than a pointer in a variable.
    is_any: bool,
}

impl Indices {
    /// Those of a program. What is only added to a pointer as it is, by which nothing is read or
    /// written, is none.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let blocks = || program.blocks();
        let commands = || blocks().flat_map(|it| &it.commands).map(|it| &it.command);
        let mut found = Self::default();
        for command in commands() {
            match command {
                Command::Load { address, .. } | Command::Store { address, .. } => {
                    found.note(program, address);
                }
                Command::Assign { target, value } => {
                    if program.variable(*target).ty == ScalarType::Pointer {
                        found.note(program, value);
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
            let mut has_grown = false;
            for command in commands() {
                let Command::Assign { target, value } = command else { continue };
                let Some(source) = origin(value) else { continue };
                has_grown |= found.share(*target, source) | found.share(source, *target);
            }
            if !has_grown {
                return found;
            }
        }
    }

    fn note(&mut self, program: &Program, address: &Expr) {
        let mut pointers = BTreeSet::new();
        let mut numbers = BTreeSet::new();
        address.variables().for_each(|it| {
            let is_pointer = program.variable(it).ty == ScalarType::Pointer;
            if is_pointer {
                pointers.insert(it)
            } else {
                numbers.insert(it)
            };
        });
        for number in numbers {
            let arrays = self.0.entry(number).or_default();
            arrays.is_any |= pointers.len() != 1;
            arrays.pointers.extend(&pointers);
        }
    }

    /// Says of a variable what is said of another. Returns whether that is new.
    fn share(&mut self, from: Variable, to: Variable) -> bool {
        let Some(arrays) = self.0.get(&from).cloned() else { return false };
        let known = self.0.entry(to).or_default();
        let before = known.clone();
        known.is_any |= arrays.is_any;
        known.pointers.extend(arrays.pointers);
        *known != before
    }

    /// Whether a variable may be an index of an array, where `is_elsewhere` says which pointers
    /// are none to it.
    pub fn may_be_of(&self, variable: Variable, is_elsewhere: impl Fn(Variable) -> bool) -> bool {
        self.0
            .get(&variable)
            .is_some_and(|it| it.is_any || !it.pointers.iter().all(|it| is_elsewhere(*it)))
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
    use super::{Indices, Variable};
    use crate::text::parse;

    #[test]
    fn indices_are_what_addresses_are_computed_with() {
        let text = "
procedure main() {
  local table: ptr
  local other: ptr
  local item: ptr
  local at: i32
  local next: i32
  local count: i32
b0:
  table := allocate heap 80
  next := at + 1
  item := [table + at * 8 : ptr]
  count := 3
  other := table
  [table + 8 : i32] := count
  halt
}

entry main
";
        let program = parse("indices.goto", text).expect("a program").program;
        let indices = Indices::of(&program);
        let named = |name: &str| {
            let ids = (0..program.variables.len()).map(Variable::at);
            ids.clone().find(|it| program.variable(*it).name == name).expect("a variable")
        };
        for (name, is_index) in [("at", true), ("next", true), ("count", false)] {
            assert_eq!(indices.may_be_of(named(name), |_| false), is_index, "{name}");
        }
        assert!(!indices.may_be_of(named("next"), |it| it == named("table")));
        assert!(indices.may_be_of(named("next"), |it| it == named("other")));
    }
}
