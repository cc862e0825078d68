//! Code of the program that is no part of a thread's: what sets up its variables before the first
//! thread runs, and the functions of the library that are one step each. Both may keep addresses
//! and use what threads use.

use super::inline::Code;
use super::sharing::{Cell, Use, memory_used};
use super::{special, special_procedure};
use base::graph::reachable;
use ir::{Callee, Command, Instruction, ProcedureId, Program, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// What steps of several accesses do: by function, with all that it calls.
pub(super) type Effects = BTreeMap<ProcedureId, BTreeSet<(Cell, Use)>>;

/// The functions that are called as one step.
pub(super) fn called_at_once(program: &Program, codes: &[&Code]) -> BTreeSet<ProcedureId> {
    let mut found = BTreeSet::new();
    for code in codes {
        for instruction in code.blocks.iter().flat_map(|block| &block.commands) {
            found.extend(callee_of(program, instruction));
        }
    }
    found
}

/// The function that a command calls as one step.
pub(super) fn callee_of(program: &Program, instruction: &Instruction) -> Option<ProcedureId> {
    match &instruction.command {
        Command::Call { callee: Callee::Direct(callee), .. }
            if special(program, instruction).is_none() =>
        {
            Some(*callee)
        }
        _ => None,
    }
}

/// A function and all that it calls by name.
pub(super) fn with_callees(program: &Program, from: ProcedureId) -> BTreeSet<ProcedureId> {
    reachable([from], |it| commands_of(program, it).filter_map(|it| callee_of(program, it)))
}

/// The commands of the program that no thread runs one by one, but for those that make global
/// objects.
pub(super) fn beside_threads<'a>(
    program: &'a Program,
    codes: &[&Code],
) -> impl Iterator<Item = &'a Instruction> {
    let mut all = BTreeSet::from([program.entry]);
    for called in called_at_once(program, codes) {
        all.extend(with_callees(program, called));
    }
    all.into_iter().flat_map(|id| {
        let is_start = id == program.entry;
        let is_object =
            move |it: &&Instruction| !is_start || !matches!(it.command, Command::Allocate { .. });
        commands_of(program, id).filter(is_object)
    })
}

/// What the functions do that are called as one step. One that has no body, or calls what is not
/// known, uses memory in any way.
pub(super) fn effects(program: &Program, codes: &[&Code], closed: &BTreeSet<Variable>) -> Effects {
    let called = called_at_once(program, codes);
    let of = |it: ProcedureId| (it, effect(program, it, closed));
    called.into_iter().map(of).collect()
}

fn effect(
    program: &Program,
    called: ProcedureId,
    closed: &BTreeSet<Variable>,
) -> BTreeSet<(Cell, Use)> {
    let is_global = |it: &Variable| program.variable(*it).owner.is_none();
    let mut found = BTreeSet::new();
    for id in with_callees(program, called) {
        let procedure = program.procedure(id);
        let is_special = special_procedure(procedure).is_some();
        if is_special || !procedure.is_defined() {
            found.insert((Cell::Memory, Use::Write));
        }
        let mut read = BTreeSet::new();
        for instruction in commands_of(program, id) {
            let command = &instruction.command;
            read.extend(command.variables_read());
            let target = command.target().filter(is_global);
            found.extend(target.map(|it| (Cell::Variable(it), Use::Write)));
            found.extend(memory_used(command, closed));
            if let Command::Call { callee: Callee::Indirect(_), .. } = command {
                found.insert((Cell::Memory, Use::Write));
            }
        }
        let ends = procedure.blocks.iter().filter_map(|it| it.terminator.expression());
        read.extend(ends.flat_map(ir::Expr::variables));
        // The address of an object is the same always.
        let read = read.into_iter().filter(|it| is_global(it) && !closed.contains(it));
        found.extend(read.map(|it| (Cell::Variable(it), Use::Read)));
    }
    found
}

fn commands_of(program: &Program, id: ProcedureId) -> impl Iterator<Item = &Instruction> {
    program.procedure(id).blocks.iter().flat_map(|block| &block.commands)
}
