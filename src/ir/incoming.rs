//! Variables whose values came in with the call of a function that is analysed by itself, or were
//! made by the program: never what nothing was written to.
//!
//! ```text
//!   each definition of x is a parameter of the function, a value from outside, the address of a
//!   procedure, null, a load in a program without memory that nothing was written to and without
//!   tables of functions that have gaps, or a copy of, or an argument that is, such a variable
//!   ──────────────────────────────────────────────────────────────────────────────────────── COMES IN
//!   the value of x is not that of a variable or of memory without a value
//! ```

use super::cutpoint::CallGraph;
use super::slice::tables::with_gaps;
use super::{
    Callee, Command, Expr, HavocSource, InitialContent, ProcedureId, Program, Terminator, Variable,
};
use std::collections::BTreeSet;

/// These variables; none for a program that starts at `main`.
#[must_use]
pub fn coming_in(program: &Program) -> BTreeSet<Variable> {
    if program.open.is_none() {
        return BTreeSet::new();
    }
    let is_any = allocates(program) || !with_gaps(program).is_empty();
    let loads = if is_any { Loads::OfAnything } else { Loads::OfValues };
    let calls = CallGraph::of_program(program);
    let mut found: BTreeSet<Variable> = defined(program);
    // A variable is taken out with all that are made of it.
    loop {
        let before = found.len();
        for (id, command) in commands(program) {
            retain_by(command, (id, program, calls.address_taken()), loads, &mut found);
        }
        if found.len() == before {
            return found;
        }
    }
}

/// What a load may find.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loads {
    /// What was written, or came in.
    OfValues,
    /// Also what nothing was written to, or null where a function is expected.
    OfAnything,
}

/// Locals that only ever hold null, the address of memory that the function allocates which is
/// analysed by itself, or what it calls, or nothing yet; none for a program that starts at `main`.
#[must_use]
pub fn made_here(program: &Program) -> BTreeSet<Variable> {
    if program.open.is_none() {
        return BTreeSet::new();
    }
    let came_in: BTreeSet<Variable> =
        program.procedures.iter().flat_map(|it| it.parameters.iter().copied()).collect();
    let is_local = |it: &Variable| program.variable(*it).owner.is_some() && !came_in.contains(it);
    let mut found: BTreeSet<Variable> = defined(program).into_iter().filter(is_local).collect();
    loop {
        let before = found.len();
        for (procedure, command) in commands(program) {
            let is_outside = procedure == program.entry;
            if let Some(target) = command.target()
                && (is_outside || !gives_what_is_made(program, command, &found))
            {
                found.remove(&target);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The ones of [these](made_here) that are null only where an allocation fails, or where nothing
/// was allocated yet.
#[must_use]
pub fn allocated(program: &Program) -> BTreeSet<Variable> {
    let made = made_here(program);
    let mut found = BTreeSet::new();
    let is_found = |value: &Expr, found: &BTreeSet<Variable>| match value {
        Expr::Variable(source) => found.contains(source),
        _ => false,
    };
    loop {
        let before = found.len();
        for (_, command) in commands(program) {
            let Some(target) = command.target().filter(|it| made.contains(it)) else { continue };
            let is_allocated = match command {
                Command::Allocate { .. } => true,
                Command::Assign { value, .. } => is_found(value, &found),
                Command::Call { callee: Callee::Direct(callee), .. } => {
                    returned(program, *callee).any(|value| is_found(value, &found))
                }
                _ => false,
            };
            if is_allocated {
                found.insert(target);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// What a procedure returns.
fn returned(program: &Program, procedure: ProcedureId) -> impl Iterator<Item = &Expr> {
    let blocks = program.procedure(procedure).blocks.iter();
    blocks.filter_map(|block| match &block.terminator {
        Terminator::Return(value) => value.as_ref(),
        _ => None,
    })
}

/// Whether a command gives its target null, new memory, nothing, or what such a variable holds.
fn gives_what_is_made(program: &Program, command: &Command, made: &BTreeSet<Variable>) -> bool {
    let is_made = |value: &Expr| match value {
        Expr::Constant(number) => *number == 0,
        Expr::Variable(source) => made.contains(source),
        Expr::Procedure(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Wrap(..) => false,
    };
    match command {
        Command::Allocate { .. } | Command::Havoc { source: HavocSource::Uninitialised, .. } => {
            true
        }
        Command::Assign { value, .. } => is_made(value),
        Command::Call { callee: Callee::Direct(callee), .. } => {
            returned(program, *callee).all(is_made)
        }
        _ => false,
    }
}

/// Takes out of the set what a command gives another value.
fn retain_by(
    command: &Command,
    (caller, program, taken): (ProcedureId, &Program, &[ProcedureId]),
    loads: Loads,
    found: &mut BTreeSet<Variable>,
) {
    let is_fine = |expr: &Expr, found: &BTreeSet<Variable>| match expr {
        Expr::Constant(0) | Expr::Procedure(_) => true,
        Expr::Variable(variable) => found.contains(variable),
        Expr::Constant(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Wrap(..) => false,
    };
    match command {
        Command::Assign { target, value } if !is_fine(value, found) => {
            found.remove(target);
        }
        Command::Load { target, .. } if loads == Loads::OfAnything => {
            found.remove(target);
        }
        Command::Havoc { target, source: HavocSource::Uninitialised }
        | Command::Allocate { target, .. }
        | Command::Measure { target, .. } => {
            found.remove(target);
        }
        Command::Call { target, callee, arguments } => {
            if let Some(target) = target {
                found.remove(target);
            }
            let is_start = caller == program.entry;
            let callees: Vec<ProcedureId> = match callee {
                Callee::Direct(callee) => vec![*callee],
                Callee::Indirect(_) => taken.to_vec(),
            };
            for callee in callees.into_iter().filter(|_| !is_start) {
                let parameters = &program.procedure(callee).parameters;
                for (position, parameter) in parameters.iter().enumerate() {
                    if !arguments.get(position).is_some_and(|it| is_fine(it, found)) {
                        found.remove(parameter);
                    }
                }
            }
        }
        Command::Assign { .. }
        | Command::Load { .. }
        | Command::Havoc { .. }
        | Command::Store { .. }
        | Command::Free { .. }
        | Command::Fill { .. }
        | Command::Copy { .. }
        | Command::Assume { .. }
        | Command::Error { .. }
        | Command::Unsupported { .. } => {}
    }
}

/// Whether the program makes memory that holds nothing yet, but for what comes in.
fn allocates(program: &Program) -> bool {
    commands(program).any(|(procedure, command)| {
        procedure != program.entry
            && matches!(command, Command::Allocate { content: InitialContent::Arbitrary, .. })
    })
}

/// All variables that are given a value somewhere.
fn defined(program: &Program) -> BTreeSet<Variable> {
    let parameters = program.procedures.iter().flat_map(|it| it.parameters.iter().copied());
    parameters.chain(commands(program).filter_map(|(_, command)| command.target())).collect()
}

fn commands(program: &Program) -> impl Iterator<Item = (ProcedureId, &Command)> {
    let procedures = program.procedures.iter().enumerate();
    procedures.flat_map(|(index, procedure)| {
        let commands = procedure.blocks.iter().flat_map(|block| &block.commands);
        commands.map(move |instruction| (ProcedureId::at(index), &instruction.command))
    })
}
