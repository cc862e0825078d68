//! Addresses made of the variable that a pointer was copied from, as long as both are the same and of
//! one type.
//!
//! ```text
//!   on each way here    p := q, then nothing that gives p or q a value
//!   ────────────────────────────────────────────────────────────────── COPIES
//!   … [p + E] …  ⟶  … [q + E] …
//! ```

use crate::{Block, Command, Expr, Instruction, Procedure, Program, ScalarType, Variable};
use std::collections::BTreeMap;

/// What each variable was copied from.
type Copies = BTreeMap<Variable, Variable>;

/// A procedure with addresses so. Calls may give globals other values.
pub(super) fn propagated(program: &Program, procedure: &Procedure) -> Procedure {
    let at_starts = at_starts(program, procedure);
    let mut result = procedure.clone();
    for (block, copies) in result.blocks.iter_mut().zip(at_starts) {
        let mut copies = copies.unwrap_or_default();
        for instruction in &mut block.commands {
            if let Command::Load { address, .. } | Command::Store { address, .. } =
                &mut instruction.command
            {
                replace(address, &copies);
            }
            pass(program, instruction, &mut copies);
        }
    }
    result
}

fn at_starts(program: &Program, procedure: &Procedure) -> Vec<Option<Copies>> {
    let mut at_starts: Vec<Option<Copies>> = vec![None; procedure.blocks.len()];
    if let Some(first) = at_starts.first_mut() {
        *first = Some(Copies::new());
    }
    let mut open = vec![0];
    while let Some(index) = open.pop() {
        let block: &Block = &procedure.blocks[index];
        let mut copies = at_starts[index].clone().unwrap_or_default();
        block.commands.iter().for_each(|it| pass(program, it, &mut copies));
        for next in block.terminator.successors() {
            let before = &mut at_starts[next.index()];
            let mut after = copies.clone();
            if let Some(before) = before {
                after.retain(|copy, of| before.get(copy) == Some(of));
            }
            if before.as_ref() != Some(&after) {
                *before = Some(after);
                open.push(next.index());
            }
        }
    }
    at_starts
}

fn pass(program: &Program, instruction: &Instruction, copies: &mut Copies) {
    let is_local = |it: &Variable| program.variable(*it).owner.is_some();
    if let Command::Call { .. } = instruction.command {
        copies.retain(|copy, of| is_local(copy) && is_local(of));
    }
    if let Command::Free { address, .. } = &instruction.command {
        let freed: Vec<Variable> = address.variables().collect();
        copies.retain(|_, of| !freed.contains(of));
    }
    let Some(target) = instruction.command.target() else { return };
    let source = match &instruction.command {
        Command::Assign { value: Expr::Variable(source), .. } => {
            Some(copies.get(source).copied().unwrap_or(*source))
        }
        _ => None,
    };
    copies.retain(|copy, of| *copy != target && *of != target);
    let is_pointer = program.variable(target).ty == ScalarType::Pointer;
    // What has another type is told apart.
    let size = |it: Variable| program.forms.of(it).map(|form| program.forms.size(form));
    let is_same = |it: &Variable| *it != target && size(*it) == size(target);
    if let Some(source) = source.filter(|it| is_pointer && is_same(it)) {
        copies.insert(target, source);
    }
}

fn replace(expr: &mut Expr, copies: &Copies) {
    if let Expr::Variable(variable) = expr
        && let Some(of) = copies.get(variable)
    {
        *variable = *of;
    }
    expr.operands_mut().for_each(|it| replace(it, copies));
}
