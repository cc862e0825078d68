//! Procedures that give back new blocks, as `malloc` does: `xmalloc`, `pool_take`.
//!
//! Such a procedure is used for blocks of all kinds, of sizes that its callers choose. What it gives back to one caller is
//! no reason to take it for what it gives back to another one ([`super::links`]).

use super::{
    Callee, Command, Expr, Procedure, ProcedureId, Program, ScalarType, Terminator, Variable,
};
use std::collections::{BTreeMap, BTreeSet};

/// The procedures that return a new block or null, and do nothing else with it than to
/// compare, fill or free it.
#[must_use]
pub(super) fn allocators(
    program: &Program,
    constants: &BTreeMap<Variable, i128>,
) -> BTreeSet<ProcedureId> {
    let mut known = BTreeSet::new();
    loop {
        let is_new = |id: &ProcedureId| {
            !known.contains(id) && is_allocator(program.procedure(*id), &known, constants)
        };
        let all = (0..program.procedures.len()).map(ProcedureId::at);
        let found: Vec<ProcedureId> = all.filter(is_new).collect();
        if found.is_empty() {
            return known;
        }
        known.extend(found);
    }
}

/// What a command does to the variables that hold the block.
enum Use {
    /// It makes the block.
    Makes,
    /// Nothing of importance.
    Harmless,
    /// It may put the address elsewhere, or another one in its place.
    Mixes,
}

fn is_allocator(
    procedure: &Procedure,
    known: &BTreeSet<ProcedureId>,
    constants: &BTreeMap<Variable, i128>,
) -> bool {
    let Some(results) = results(procedure) else { return false };
    if procedure.result != Some(ScalarType::Pointer) || results.is_empty() {
        return false;
    }
    let is_parameter = |it: &Variable| procedure.parameters.contains(it);
    if results.iter().any(is_parameter) {
        return false;
    }
    let commands = procedure.blocks.iter().flat_map(|block| &block.commands);
    let mut makes = false;
    for instruction in commands {
        match use_of(&instruction.command, &results, known) {
            Use::Makes if asks_for_one_size(&instruction.command, constants) => return false,
            Use::Makes => makes = true,
            Use::Harmless => {}
            Use::Mixes => return false,
        }
    }
    makes
}

/// Whether all blocks that a command makes have one size: they are of one kind.
fn asks_for_one_size(command: &Command, constants: &BTreeMap<Variable, i128>) -> bool {
    let is_constant = |expr: &Expr| match expr {
        Expr::Constant(_) => true,
        Expr::Variable(variable) => constants.contains_key(variable),
        Expr::Procedure(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Wrap(..) => false,
    };
    if let Command::Call { arguments, .. } = command {
        return arguments.iter().all(is_constant);
    }
    matches!(command, Command::Allocate { size, .. } if is_constant(size))
}

/// The variables that are returned, or copied to such; `None` if anything else but null is.
fn results(procedure: &Procedure) -> Option<BTreeSet<Variable>> {
    let mut results = BTreeSet::new();
    for block in &procedure.blocks {
        match &block.terminator {
            Terminator::Return(Some(Expr::Variable(variable))) => {
                results.insert(*variable);
            }
            Terminator::Return(Some(Expr::Constant(0)) | None)
            | Terminator::Goto(_)
            | Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Halt => {}
            Terminator::Return(Some(_)) => return None,
        }
    }
    loop {
        let n_known = results.len();
        for instruction in procedure.blocks.iter().flat_map(|block| &block.commands) {
            if let Command::Assign { target, value: Expr::Variable(source) } = &instruction.command
                && results.contains(target)
            {
                results.insert(*source);
            }
        }
        if results.len() == n_known {
            return Some(results);
        }
    }
}

fn use_of(command: &Command, results: &BTreeSet<Variable>, known: &BTreeSet<ProcedureId>) -> Use {
    let is_result = |variable: &Variable| results.contains(variable);
    let mentions = |expr: &Expr| {
        let mut found = false;
        expr.variables().for_each(|variable| found |= is_result(&variable));
        found
    };
    match command {
        Command::Allocate { target, .. } if is_result(target) => Use::Makes,
        Command::Call { target: Some(target), callee, arguments } if is_result(target) => {
            let makes = match callee {
                Callee::Direct(id) => known.contains(id),
                Callee::Indirect(_) => true,
            };
            if makes && !arguments.iter().any(mentions) { Use::Makes } else { Use::Mixes }
        }
        Command::Assign { target, value } => match value {
            Expr::Constant(_) | Expr::Variable(_) if is_result(target) => Use::Harmless,
            _ if is_result(target) || mentions(value) => Use::Mixes,
            _ => Use::Harmless,
        },
        Command::Load { target, address, .. } if is_result(target) || mentions(address) => {
            Use::Mixes
        }
        Command::Store { address, value, .. } if mentions(address) || mentions(value) => Use::Mixes,
        Command::Copy { target, source, .. } if mentions(target) || mentions(source) => Use::Mixes,
        Command::Call { arguments, .. } if arguments.iter().any(mentions) => Use::Mixes,
        Command::Measure { target, .. } if is_result(target) => Use::Mixes,
        Command::Allocate { .. }
        | Command::Call { .. }
        | Command::Load { .. }
        | Command::Store { .. }
        | Command::Copy { .. }
        | Command::Measure { .. }
        | Command::Havoc { .. }
        | Command::Free { .. }
        | Command::Fill { .. }
        | Command::Assume { .. }
        | Command::Error { .. }
        | Command::Unsupported { .. } => Use::Harmless,
    }
}
