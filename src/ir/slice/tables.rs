//! Tables of functions that have gaps.
//!
//! A variable of the file that nobody changes holds what the file says. Where a function's address
//! is read from one, the function is there only if each of the elements holds one: what others
//! promise of the functions that they hand over says nothing of such a table.

use super::sum::sum;
use crate::{Command, Expr, InitialContent, MemoryKind, Program, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// The blocks that keep their first values and may hold null where they are taken to hold the
/// address of a function.
pub(crate) fn with_gaps(program: &Program) -> BTreeSet<Variable> {
    let entry = program.procedure(program.entry);
    let commands = || entry.blocks.iter().flat_map(|it| &it.commands).map(|it| &it.command);
    let mut functions: BTreeMap<Variable, BTreeSet<i128>> = BTreeMap::new();
    for command in commands() {
        if let Command::Store { address, value: Expr::Procedure(_), .. } = command
            && let Some(place) = sum(&program.variables, address).filter(|it| it.is_constant)
        {
            functions.entry(place.pointer).or_default().insert(place.bytes);
        }
    }
    let kept = commands().filter_map(|command| match command {
        Command::Allocate {
            target,
            size: Expr::Constant(size),
            kind: MemoryKind::Static | MemoryKind::Constant,
            content: InitialContent::Zero,
        } => Some((*target, *size)),
        _ => None,
    });
    let has_gaps = |(block, size): &(Variable, i128)| match functions.get(block) {
        Some(filled) => !is_full(program, *block, *size, filled),
        None => may_hold_functions(program, *block, *size),
    };
    kept.filter(has_gaps).map(|it| it.0).collect()
}

/// Whether a function lies in each element where one lies in some.
fn is_full(program: &Program, block: Variable, size: i128, filled: &BTreeSet<i128>) -> bool {
    let width = i128::from(program.pointer_bytes);
    let form = program.forms.of(block).map(|it| program.forms.element(it));
    let stride = form.map_or(width, |it| program.forms.size(it)).max(1);
    let offsets: BTreeSet<i128> = filled.iter().map(|it| it.rem_euclid(stride)).collect();
    let expected = size / stride * i128::try_from(offsets.len()).unwrap_or(i128::MAX);
    i128::try_from(filled.len()).is_ok_and(|it| it == expected)
}

/// Whether pointers may lie there that lead to nothing that has a size, as functions do not.
fn may_hold_functions(program: &Program, block: Variable, size: i128) -> bool {
    let width = i128::from(program.pointer_bytes);
    let Some(form) = program.forms.of(block) else { return false };
    let element = program.forms.element(form);
    let end = program.forms.size(element).min(size);
    let offsets = (0..end / width.max(1)).map(|it| it * width);
    let leads_to = |at: i128| program.forms.pointee(element, at, width);
    offsets.filter_map(leads_to).any(|it| program.forms.size(it) == 0)
}
