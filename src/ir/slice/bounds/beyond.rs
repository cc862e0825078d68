//! Pointers by which a program goes beyond what their types say that they lead to.
//!
//! ```text
//!   p: made of the address of something larger that has pointers, as of a structure in which *p lies
//!   p + e is accessed, or given to a pointer of p's type; it is not known to lie in *p
//!   ─────────────────────────────────────────────────────────────────────────────────────── BEYOND
//!   what lies where p leads may not be what its type says
//! ```
//!
//! Behind the elements of an array that is a member lie other members.

use crate::slice::sum::{Sum, sum};
use crate::{Command, Expr, Program, Variable};
use std::collections::BTreeSet;

/// No object has so many bytes.
const ANY: i128 = 1 << 64;

/// These pointers, of whatever they are made.
pub(super) fn pointers(program: &Program) -> BTreeSet<Variable> {
    program.commands().flat_map(|it| beyond(program, it)).collect()
}

fn beyond(program: &Program, command: &Command) -> Vec<Variable> {
    let accessed = |address: &Expr, bytes: i128| {
        let Sum { pointer, bytes: at, step, .. } = sum(&program.variables, address)?;
        let form = program.forms.of(pointer).map(|it| program.forms.element(it));
        let size = form.map_or(0, |it| program.forms.size(it));
        let is_inside = step == 0 && at >= 0 && at + bytes <= size;
        (!is_inside).then_some(pointer)
    };
    let given = |target: Variable, value: &Expr| {
        let Sum { pointer, bytes, step, .. } = sum(&program.variables, value)?;
        let [from, to] = [pointer, target].map(|it| program.forms.of(it));
        let is_inside = step == 0 && (bytes == 0 || from != to && from.is_some());
        (!is_inside).then_some(pointer)
    };
    let constant = |size: &Expr| match size {
        Expr::Constant(size) => *size,
        _ => ANY,
    };
    let found: Vec<Option<Variable>> = match command {
        Command::Load { address, ty, .. } | Command::Store { address, ty, .. } => {
            vec![accessed(address, i128::from(ty.bytes(program.pointer_bytes)))]
        }
        Command::Fill { address, size, .. } => vec![accessed(address, constant(size))],
        Command::Copy { target, source, size, .. } => {
            [target, source].map(|it| accessed(it, constant(size))).to_vec()
        }
        Command::Assign { target, value } => vec![given(*target, value)],
        Command::Call { callee: crate::Callee::Direct(callee), arguments, .. } => {
            let callee = program.procedure(program.followed(*callee));
            let both = callee.parameters.iter().zip(arguments);
            both.map(|(parameter, argument)| given(*parameter, argument)).collect()
        }
        _ => Vec::new(),
    };
    found.into_iter().flatten().collect()
}
