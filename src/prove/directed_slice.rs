//! Runs that go straight to a place: the program without the branches that lead away from it.
//!
//! In a large program most runs never come to the one loop that has no measure. A branch that
//! can lead there at once is made to; one from which the place is only come to by way of the
//! branch again is given up.

use base::source::Span;
use ir::cutpoint::{CallGraph, CutSet};
use ir::{
    Block, BlockId, Callee, Command, Expr, Instruction, Procedure, ProcedureId, Program, Terminator,
};
use std::collections::BTreeSet;

/// The loops whose heads are at one of these places.
pub(super) fn loops_at(program: &Program, places: &[Span]) -> Vec<(ProcedureId, BlockId)> {
    let mut heads = loops_of(program);
    heads.retain(|(id, head)| places.contains(&program.procedure(*id).block(*head).span));
    heads
}

/// All loops, by their heads.
pub(super) fn loops_of(program: &Program) -> Vec<(ProcedureId, BlockId)> {
    let heads = program.procedures.iter().enumerate().flat_map(|(index, procedure)| {
        let heads: Vec<BlockId> = CutSet::of_procedure(procedure).iter().collect();
        heads.into_iter().map(move |head| (ProcedureId::at(index), head))
    });
    heads.collect()
}

/// The program in which some runs end silently that do not go straight to the head of this
/// loop. All other runs are as they were, step by step.
pub(super) fn toward(program: &Program, (within, head): (ProcedureId, BlockId)) -> Program {
    let calls = CallGraph::of_program(program);
    let mut leading = BTreeSet::from([within]);
    let all = || (0..program.procedures.len()).map(ProcedureId::at);
    loop {
        let leads = |id: &ProcedureId| calls.callees(*id).any(|callee| leading.contains(&callee));
        let more: Vec<ProcedureId> =
            all().filter(|id| !leading.contains(id) && leads(id)).collect();
        if more.is_empty() {
            break;
        }
        leading.extend(more);
    }
    let mut narrowed = program.clone();
    for id in &leading {
        let procedure = program.procedure(*id);
        let is_goal = |index: usize, block: &Block| {
            (*id == within && index == head.index())
                || block.commands.iter().any(|it| calls_one_of(it, &leading))
        };
        let goals: Vec<bool> =
            procedure.blocks.iter().enumerate().map(|(index, it)| is_goal(index, it)).collect();
        narrow(&mut narrowed.procedures[id.index()], &goals);
    }
    narrowed
}

fn calls_one_of(instruction: &Instruction, leading: &BTreeSet<ProcedureId>) -> bool {
    match &instruction.command {
        Command::Call { callee: Callee::Direct(callee), .. } => leading.contains(callee),
        _ => false,
    }
}

/// Gives branches up from which no goal is come to but by way of the branch.
fn narrow(procedure: &mut Procedure, goals: &[bool]) {
    let successors = procedure.successor_lists();
    let end = BlockId::at(successors.len());
    let mut is_narrowed = false;
    for (index, nexts) in successors.iter().enumerate() {
        if nexts.len() < 2 || goals[index] || is_behind(&successors, goals, index) {
            continue;
        }
        let leads: Vec<bool> =
            nexts.iter().map(|next| reaches(&successors, goals, *next, index)).collect();
        if !leads.contains(&true) {
            continue;
        }
        let mut leads = leads.into_iter();
        procedure.blocks[index].terminator.for_each_successor_mut(&mut |to| {
            if leads.next() == Some(false) {
                *to = end;
                is_narrowed = true;
            }
        });
        forget_cases(&mut procedure.blocks[index].terminator, end);
    }
    if is_narrowed {
        let span = procedure.span;
        let command = Command::Assume { condition: Expr::Constant(0) };
        let commands = vec![Instruction { command, span }];
        procedure.blocks.push(Block { commands, terminator: Terminator::Halt, span });
    }
}

/// Drops the cases of a switch that end as all other values do: a run need not try each of them.
fn forget_cases(terminator: &mut Terminator, end: BlockId) {
    if let Terminator::Switch { cases, default, .. } = terminator
        && *default == end
    {
        cases.retain(|(_, _, to)| *to != end);
    }
}

/// Whether a block is on a cycle with a goal such that the goal comes first: what a loop does
/// once it is reached is its own business.
fn is_behind(successors: &[Vec<usize>], goals: &[bool], block: usize) -> bool {
    let mut before = vec![false; successors.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if !goals[at] && !std::mem::replace(&mut before[at], true) {
            open.extend(&successors[at]);
        }
    }
    !before[block]
}

/// Whether a way from a block leads to a goal and not past another block.
fn reaches(successors: &[Vec<usize>], goals: &[bool], from: usize, past: usize) -> bool {
    let mut seen = vec![false; successors.len()];
    seen[past] = true;
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if seen[at] {
            continue;
        }
        if goals[at] {
            return true;
        }
        seen[at] = true;
        open.extend(&successors[at]);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::toward;
    use ir::{BlockId, ProcedureId, text};

    #[test]
    fn branches_that_lead_away_are_given_up() {
        let text = "
            procedure endless(n: i32) {
            b0: if n > 7 goto b1 else b2
            b1: return
            b2: if n < 0 goto b2 else b1
            }
            procedure other() { b0: return }
            procedure main(n: i32) {
            b0: if n goto b1 else b5
            b1: switch n { 1 => b2, 2 => b3, else => b4 }
            b2: call other() goto b4
            b3: call endless(n) goto b4
            b4: n := n - 1 goto b0
            b5: return
            }
            entry main";
        let program = text::parse("toward.goto", text).unwrap().program;
        let narrowed = toward(&program, (ProcedureId(0), BlockId(2)));
        let ways = |procedure: usize, block: usize| -> Vec<usize> {
            narrowed.procedures[procedure].successor_lists()[block].clone()
        };
        assert_eq!(ways(0, 0), [3, 2], "the early return is given up");
        assert_eq!(ways(0, 2), [2, 1], "the loop itself is as it was");
        assert_eq!(ways(2, 0), [1, 6], "the end is given up");
        assert_eq!(ways(2, 1), [3, 6], "so are other cases");
        assert_eq!(ways(2, 4), [0]);
        assert_eq!(narrowed.procedures[1].blocks, program.procedures[1].blocks);
    }
}
