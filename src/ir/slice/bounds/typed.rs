//! Whether pointers get what their types say.

use super::pointers::WHOLE;
use crate::slice::sum::{Sum, sum};
use crate::{Callee, Command, Expr, Instruction, Program, ScalarType, Variable};
use base::source::Span;
use std::collections::BTreeSet;

/// What is accessed by pointers to which others of another type were assigned is no member that their
/// types name.
pub(super) fn forget_members_of_others(program: &mut Program) {
    let odd = odd(program);
    let is_odd = |address: &Expr| {
        sum(&program.variables, address).is_some_and(|it| odd.contains(&it.pointer))
    };
    let is_accessed = |it: &&Instruction| match &it.command {
        Command::Load { address, .. } | Command::Store { address, .. } => is_odd(address),
        Command::Copy { target, source, .. } => is_odd(target) || is_odd(source),
        _ => false,
    };
    let commands = program.blocks().flat_map(|it| &it.commands);
    let places: BTreeSet<Span> = commands.filter(is_accessed).map(|it| it.span).collect();
    if let Some(open) = &mut program.open {
        open.members.retain(|(place, _)| !places.contains(place));
    }
}

/// The pointers that may lead to something of another type than theirs, by what is assigned.
fn odd(program: &Program) -> BTreeSet<Variable> {
    let is_pointer = |it: Variable| program.variable(it).ty == ScalarType::Pointer;
    let given = |command: &Command| -> Vec<(Variable, Expr)> {
        match command {
            Command::Assign { target, value } => vec![(*target, value.clone())],
            Command::Call { callee: Callee::Direct(callee), arguments, .. } => {
                let callee = program.procedure(program.followed(*callee));
                callee.parameters.iter().copied().zip(arguments.iter().cloned()).collect()
            }
            _ => Vec::new(),
        }
    };
    let all: Vec<(Variable, Expr)> =
        program.commands().flat_map(given).filter(|(target, _)| is_pointer(*target)).collect();
    let mut odd = BTreeSet::new();
    let mut n_before = usize::MAX;
    while n_before != odd.len() {
        n_before = odd.len();
        for (target, value) in &all {
            let from = sum(&program.variables, value).map(|it| it.pointer);
            if !is_of_type((program, *target), value) || from.is_some_and(|it| odd.contains(&it)) {
                odd.insert(*target);
            }
        }
    }
    odd
}

/// Whether a pointer gets the address of something smaller than that by which this is made, where
/// that has pointers.
pub(super) fn is_part((program, target): (&Program, Variable), value: &Expr) -> bool {
    let forms = &program.forms;
    let form = |it: Variable| forms.of(it).map(|it| forms.element(it));
    let from = sum(&program.variables, value).and_then(|it| form(it.pointer));
    from.zip(form(target)).is_some_and(|(from, to)| {
        forms.is_structure(from) && from != to && forms.has_pointers(from, WHOLE)
    })
}

/// Whether what lies at a value is an object of the type of the pointer that gets it, as far as
/// pointers lie there: a part of what it is made of, or something that begins with that. Where
/// one has no type, the other one's is taken.
pub(super) fn is_of_type((program, target): (&Program, Variable), value: &Expr) -> bool {
    let forms = &program.forms;
    let Some(Sum { pointer, bytes, step, .. }) = sum(&program.variables, value) else {
        return true;
    };
    let sized = |it: Variable| forms.of(it).filter(|it| forms.size(*it) > 0);
    let is_moved = bytes != 0 || step != 0;
    let (Some(from), Some(to)) = (sized(pointer), sized(target)) else { return !is_moved };
    let from = forms.element(from);
    let size = forms.size(from);
    let is_part = step.rem_euclid(size) == 0 && forms.has_part(from, bytes.rem_euclid(size), to);
    is_part || (!is_moved && forms.has_part(to, 0, from))
}
