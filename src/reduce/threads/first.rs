//! The first thread: it runs all that the program runs by itself. Constructors come before `main`,
//! and behind it what is to be done when the program ends; others may run beside either.

use super::special_procedure;
use crate::instrument::{add_procedure, call, procedure_named};
use ir::{
    Block, Callee, Command, Instruction, IntKind, Procedure, ProcedureId, Program, ScalarType,
    Terminator, Variable,
};
use std::collections::BTreeSet;

/// The name of its procedure; it is shown as `main`.
const FIRST: &str = "main$first";

/// Divides the entry procedure: what sets up the variables stays there, and the first thread gets
/// a procedure of its own.
///
/// # Errors
/// If there is no `main`.
pub(super) fn first_thread(program: &mut Program) -> Result<ProcedureId, String> {
    if let Some(known) = procedure_named(program, FIRST) {
        return Ok(known);
    }
    procedure_named(program, "main").ok_or("threads of programs without `main`")?;
    let entry = program.procedure(program.entry).clone();
    let (block, position) = first_call(program, &entry).ok_or("what the program begins with")?;
    let first = add_procedure(program, FIRST);
    let position = beginning(program, &entry, (block, position));
    let mut blocks = entry.blocks.clone();
    let begin = blocks[block].commands.split_off(position);
    let Block { terminator, span, .. } = blocks[block].clone();
    blocks[0] = Block { commands: begin, terminator, span };
    for own in used_in(&blocks[..1]).into_iter().chain(used_in(&blocks[block + 1..])) {
        let info = &mut program.variables[own.index()];
        if info.owner == Some(program.entry) {
            info.owner = Some(first);
        }
    }
    for passed in blocks.iter_mut().skip(1).take(block) {
        passed.commands.clear();
        passed.terminator = Terminator::Halt;
    }
    let setup = &mut program.procedures[program.entry.index()];
    setup.blocks.truncate(block + 1);
    setup.blocks[block].commands.truncate(position);
    setup.blocks[block].commands.push(call(first, entry.span));
    setup.blocks[block].terminator = Terminator::Halt;
    let own = &mut program.procedures[first.index()];
    own.blocks = blocks;
    own.result = Some(ScalarType::Int(IntKind { bits: 32, signed: true }));
    own.span = entry.span;
    Ok(first)
}

/// The place where the entry procedure calls a function of the program for the first time.
fn first_call(program: &Program, entry: &Procedure) -> Option<(usize, usize)> {
    let is_users = |it: &Instruction| match &it.command {
        Command::Call { callee: Callee::Direct(callee), .. } => {
            let callee = program.procedure(*callee);
            special_procedure(callee).is_none() && !callee.is_of_library()
        }
        _ => false,
    };
    let mut blocks = entry.blocks.iter().enumerate();
    blocks.find_map(|(index, it)| Some((index, it.commands.iter().position(is_users)?)))
}

/// The place in the block where the first thread begins: what it is given is made there.
fn beginning(program: &Program, entry: &Procedure, (block, call): (usize, usize)) -> usize {
    let commands = &entry.blocks[block].commands;
    let is_own = |it: &Variable| program.variable(*it).owner == Some(program.entry);
    let mut begin = call;
    loop {
        let later = &commands[begin..];
        let mut used: BTreeSet<Variable> = used_in(&entry.blocks[block + 1..]);
        used.extend(later.iter().flat_map(used_by));
        used.retain(is_own);
        let makes = |it: &Instruction| used_by(it).iter().any(|it| used.contains(it));
        match commands[..begin].iter().position(makes) {
            Some(earlier) => begin = earlier,
            None => return begin,
        }
    }
}

fn used_by(instruction: &Instruction) -> BTreeSet<Variable> {
    instruction.command.variables_read().chain(instruction.command.target()).collect()
}

fn used_in(blocks: &[Block]) -> BTreeSet<Variable> {
    let mut found = BTreeSet::new();
    for block in blocks {
        found.extend(block.commands.iter().flat_map(used_by));
        found.extend(block.terminator.variables_read());
    }
    found
}
