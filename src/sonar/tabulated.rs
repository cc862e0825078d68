//! Which procedures are analysed by their entry states, once for all calls of them.
//!
//! Calls are followed into the body: that is precise, and cheap in a small program. In a
//! large one, where that would lead through too much, calls of procedures with several
//! callers and calls deep inside of others are *tabulated* instead, as those of recursive
//! procedures must be (`rules::summary`). The check treats the same calls in the same way:
//! the rule of tabulated calls is right for any procedure.

use ir::cutpoint::{CallGraph, CutSet};
use ir::{Callee, Command, Procedure, ProcedureId, Program};
use std::collections::BTreeSet;

/// The blocks and commands that following all calls of a program may lead through.
const MOST_IN_PROGRAM: u64 = 4_000;
/// The blocks and commands that following one call of a large program may lead through.
const MOST_IN_CALL: u64 = 24;
/// The calls inside of each other that are followed.
const DEEPEST: u32 = 24;

/// What following a call of a procedure leads through.
#[derive(Clone, Copy, Default)]
struct Extent {
    /// Blocks and commands, those of calls included.
    size: u64,
    /// Calls inside of each other.
    depth: u32,
}

/// For each procedure, whether its calls are tabulated.
#[must_use]
pub(super) fn tabulated(program: &Program, calls: &CallGraph) -> Vec<bool> {
    let recursive: Vec<bool> =
        (0..program.procedures.len()).map(|id| calls.may_recurse(ProcedureId::at(id))).collect();
    let all_followed = extents(program, calls, |id, _| recursive[id.index()]);
    let Some(whole) = all_followed.get(program.entry.index()) else { return recursive };
    let is_large = whole.size > MOST_IN_PROGRAM;
    let n_callers = n_callers(program, calls);
    let first: Vec<ProcedureId> = calls.callees(program.entry).collect();
    let mut is_tabulated = recursive.clone();
    extents(program, calls, |id, extent| {
        let is_shared = n_callers[id.index()] > 1 && extent.size > MOST_IN_CALL;
        // The entry function keeps its memory where it ends the program.
        let is_cut = (is_large && is_shared || extent.depth > DEEPEST) && !first.contains(&id);
        is_tabulated[id.index()] |= is_cut;
        is_tabulated[id.index()]
    });
    is_tabulated
}

/// The procedures whose calls lead through much, and those that must be.
#[must_use]
pub(super) fn by_size(program: &Program) -> Vec<bool> {
    let calls = CallGraph::of_program(program);
    let first: Vec<ProcedureId> = calls.callees(program.entry).collect();
    let mut is_tabulated = vec![false; program.procedures.len()];
    extents(program, &calls, |id, extent| {
        let is_long = extent.size > MOST_IN_CALL && id != program.entry && !first.contains(&id);
        is_tabulated[id.index()] = calls.may_recurse(id) || is_long;
        is_tabulated[id.index()]
    });
    is_tabulated
}

/// All procedures but the entry and those that it calls: the entry function keeps its memory
/// where it ends the program.
#[must_use]
pub(super) fn all(program: &Program) -> Vec<bool> {
    let calls = CallGraph::of_program(program);
    let followed: Vec<ProcedureId> = calls.callees(program.entry).chain([program.entry]).collect();
    let is_cut = |id| calls.may_recurse(id) || !followed.contains(&id);
    (0..program.procedures.len()).map(|id| is_cut(ProcedureId::at(id))).collect()
}

/// A procedure of more blocks is not followed for the sake of events in it.
const MOST_BLOCKS_BEFORE_EVENTS: usize = 40;

/// The events, and the procedures without loops that lead to them.
pub(super) fn near(
    program: &Program,
    is_event: &dyn Fn(ProcedureId) -> bool,
) -> BTreeSet<ProcedureId> {
    let calls = CallGraph::of_program(program);
    let all = || (0..program.procedures.len()).map(ProcedureId::at);
    let is_straight = |id: ProcedureId| {
        let procedure = program.procedure(id);
        procedure.blocks.len() <= MOST_BLOCKS_BEFORE_EVENTS
            && !calls.may_recurse(id)
            && CutSet::of_procedure(procedure).iter().next().is_none()
    };
    let mut near: BTreeSet<ProcedureId> = all().filter(|id| is_event(*id)).collect();
    loop {
        let leads = |id: &ProcedureId| calls.callees(*id).any(|callee| near.contains(&callee));
        let is_new = |id: &ProcedureId| !near.contains(id) && leads(id) && is_straight(*id);
        let more: Vec<ProcedureId> = all().filter(is_new).collect();
        if more.is_empty() {
            return near;
        }
        near.extend(more);
    }
}

/// What following a call of each procedure leads through, where those are not followed
/// that are `cut`.
fn extents(
    program: &Program,
    calls: &CallGraph,
    mut cut: impl FnMut(ProcedureId, Extent) -> bool,
) -> Vec<Extent> {
    let mut extents = vec![Extent::default(); program.procedures.len()];
    for id in calls.bottom_up().flatten() {
        let extent = extent(program, calls, id, &extents);
        if !cut(id, extent) {
            extents[id.index()] = extent;
        }
    }
    extents
}

fn extent(program: &Program, calls: &CallGraph, id: ProcedureId, known: &[Extent]) -> Extent {
    let procedure = program.procedure(id);
    let commands = procedure.blocks.iter().map(|block| 1 + block.commands.len() as u64);
    let own = Extent { size: commands.sum(), depth: 1 };
    callees(program, calls, procedure).fold(own, |sum, callee| Extent {
        size: sum.size.saturating_add(known[callee.index()].size),
        depth: sum.depth.max(1 + known[callee.index()].depth),
    })
}

/// The procedures that a procedure's calls may run, once for each call.
fn callees<'a>(
    program: &'a Program,
    calls: &'a CallGraph,
    procedure: &'a Procedure,
) -> impl Iterator<Item = ProcedureId> + 'a {
    let commands = procedure.blocks.iter().flat_map(|block| &block.commands);
    commands
        .flat_map(move |instruction| match &instruction.command {
            Command::Call { callee: Callee::Direct(callee), .. } => vec![*callee],
            Command::Call { callee: Callee::Indirect(_), .. } => calls.address_taken().to_vec(),
            _ => Vec::new(),
        })
        .map(|callee| program.followed(callee))
}

/// How many calls may run each procedure.
fn n_callers(program: &Program, calls: &CallGraph) -> Vec<u32> {
    let mut n_callers = vec![0; program.procedures.len()];
    for callee in program.procedures.iter().flat_map(|it| callees(program, calls, it)) {
        n_callers[callee.index()] += 1;
    }
    n_callers
}
