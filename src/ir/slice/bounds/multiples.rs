//! Of what the sizes of arrays may be multiples, as the program tells: guesses that only what is tried
//! depends on.

use crate::slice::sum::sum;
use crate::{BinaryOp, Command, Expr, Program, ScalarType, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// By what numbers are multiplied that are kept or compared.
pub(super) fn factors(program: &Program) -> BTreeSet<i128> {
    let values = program.commands().filter_map(|it| match it {
        Command::Assign { target, value } => {
            let is_number = matches!(program.variable(*target).ty, ScalarType::Int(_));
            is_number.then_some(value)
        }
        _ => None,
    });
    let conditions = program.blocks().filter_map(|it| it.terminator.expression());
    let factor = |part: &Expr| match part {
        Expr::Binary(BinaryOp::Multiply, left, right) => match (&**left, &**right) {
            (Expr::Constant(by), _) | (_, Expr::Constant(by)) => Some(*by),
            _ => None,
        },
        _ => None,
    };
    let all = values.chain(conditions).flat_map(Expr::parts).filter_map(factor);
    all.filter(|it| *it > 1).collect()
}

/// How many bytes accesses are apart, and how far pointers move on by all their steps, if that is more
/// than a byte.
pub(super) fn distances(program: &Program) -> BTreeSet<i128> {
    let mut found = BTreeSet::new();
    let mut moves: BTreeMap<Variable, i128> = BTreeMap::new();
    for command in program.commands() {
        match command {
            Command::Load { address, .. } | Command::Store { address, .. } => {
                found.extend(sum(&program.variables, address).map(|it| it.step));
            }
            Command::Assign { target, value } => {
                let moved = sum(&program.variables, value);
                if let Some(it) = moved.filter(|it| it.pointer == *target && it.bytes > 0) {
                    *moves.entry(*target).or_default() += it.bytes;
                }
            }
            _ => {}
        }
    }
    found.extend(moves.into_values());
    found.retain(|it| *it > 1);
    found
}
