//! Where a thread stops: before it touches what others see, one access at a time.

use super::inline::Code;
use super::locks::Protected;
use super::sharing::{Cell, Shared};
use super::{Special, replaced, special, successors, variables_of};
use crate::base::source::Span;
use crate::ir::{
    Block, BlockId, Command, Expr, Instruction, ProcedureId, Program, Terminator, Variable,
    VariableInfo,
};
use std::collections::{BTreeMap, BTreeSet};

/// Lets each command of a thread read or write at most one variable that others see.
pub(super) fn one_access_each(
    program: &mut Program,
    owner: ProcedureId,
    code: &mut Code,
    shared: &Shared,
) {
    let mut blocks = std::mem::take(&mut code.blocks);
    for block in &mut blocks {
        let mut commands = Vec::new();
        let mut reads =
            |program: &mut Program, expr: &mut Expr, span: Span, own: Option<Variable>| {
                let mut names: BTreeMap<Variable, Expr> = BTreeMap::new();
                let read = variables_of(expr);
                let seen = read.into_iter().filter(|it| shared.contains(Cell::Variable(*it)));
                for variable in seen.collect::<Vec<_>>() {
                    // A plain read needs no other name.
                    if *expr == Expr::Variable(variable) && own.is_some() {
                        continue;
                    }
                    let info = program.variable(variable).clone();
                    program.variables.push(VariableInfo { owner: Some(owner), ..info });
                    let target = Variable::at(program.variables.len() - 1);
                    code.locals.insert(target);
                    let command = Command::Assign { target, value: variable.into() };
                    commands.push(Instruction { command, span });
                    names.insert(variable, target.into());
                }
                *expr = replaced(expr, &|it| names.get(&it).cloned().unwrap_or(it.into()));
                std::mem::take(&mut commands)
            };
        let mut all = Vec::new();
        for mut instruction in std::mem::take(&mut block.commands) {
            let span = instruction.span;
            let target = match &instruction.command {
                Command::Assign { target, .. } => {
                    Some(*target).filter(|it| !shared.contains(Cell::Variable(*it)))
                }
                _ => None,
            };
            instruction.command.for_each_expression_mut(&mut |expr| {
                all.extend(reads(program, expr, span, target));
            });
            all.push(instruction);
        }
        block.commands = all;
        if let Terminator::Branch { condition: expr, .. } | Terminator::Switch { value: expr, .. } =
            &mut block.terminator
        {
            let span = block.span;
            block.commands.extend(reads(program, expr, span, None));
        }
    }
    code.blocks = blocks;
}

/// Divides the blocks of a thread where it stops. Gives the blocks before which it does.
pub(super) fn stops(
    program: &Program,
    code: &mut Code,
    shared: &Shared,
    protected: &Protected,
) -> BTreeSet<usize> {
    let within = sections(program, code);
    let mut stops = BTreeSet::new();
    for number in 0..code.blocks.len() {
        let mut depth = within[number];
        let mut here = number;
        for instruction in std::mem::take(&mut code.blocks[number].commands) {
            let special = special(program, &instruction).map(|(special, _)| special);
            let begins = special.is_some_and(Special::begins);
            let is_stop = depth == 0
                && if begins {
                    !protected.is_release(program, &instruction)
                } else {
                    is_visible(&instruction, special, shared, protected)
                };
            if is_stop {
                let block = &mut code.blocks[here];
                let rest = Block {
                    commands: Vec::new(),
                    terminator: std::mem::replace(&mut block.terminator, Terminator::Halt),
                    span: instruction.span,
                };
                let next = code.blocks.len();
                code.blocks[here].terminator = Terminator::Goto(BlockId::at(next));
                code.blocks.push(rest);
                stops.insert(next);
                here = next;
            }
            match special {
                Some(_) if begins => depth += 1,
                Some(Special::EndSection) => depth = depth.saturating_sub(1),
                _ => code.blocks[here].commands.push(instruction),
            }
        }
    }
    stops
}

fn is_visible(
    instruction: &Instruction,
    special: Option<Special>,
    shared: &Shared,
    protected: &Protected,
) -> bool {
    match special {
        Some(Special::Join) => return true,
        Some(_) => return false,
        None => {}
    }
    let cells = shared.touched(&instruction.command);
    cells.into_iter().any(|cell| !protected.contains(cell))
}

/// For each block, how many sections it begins in.
pub(super) fn sections(program: &Program, code: &Code) -> Vec<u32> {
    let successors = successors(&code.blocks);
    let mut depths: Vec<Option<u32>> = vec![None; code.blocks.len()];
    let mut open = vec![(0, 0)];
    while let Some((number, depth)) = open.pop() {
        if depths[number].is_some_and(|known| known <= depth) {
            continue;
        }
        depths[number] = Some(depth);
        let mut after = depth;
        for instruction in &code.blocks[number].commands {
            match special(program, instruction) {
                Some((special, _)) if special.begins() => after += 1,
                Some((Special::EndSection, _)) => after = after.saturating_sub(1),
                _ => {}
            }
        }
        open.extend(successors[number].iter().map(|next| (*next, after.min(8))));
    }
    depths.into_iter().map(|depth| depth.unwrap_or(0)).collect()
}

/// The thread's own variables that are read again from each block on.
pub(super) fn live(code: &Code) -> Vec<BTreeSet<Variable>> {
    let mut live: Vec<BTreeSet<Variable>> = vec![BTreeSet::new(); code.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for number in (0..code.blocks.len()).rev() {
            let block = &code.blocks[number];
            let mut now: BTreeSet<Variable> = BTreeSet::new();
            for next in block.terminator.successors() {
                now.extend(live[next.index()].iter().copied());
            }
            now.extend(block.terminator.expression().into_iter().flat_map(variables_of));
            for instruction in block.commands.iter().rev() {
                if let Some(target) = instruction.command.target() {
                    now.remove(&target);
                }
                instruction.command.for_each_expression(&mut |expr| now.extend(variables_of(expr)));
            }
            now.retain(|it| code.locals.contains(it));
            if now != live[number] {
                live[number] = now;
                changed = true;
            }
        }
    }
    live
}
