//! Orders of evaluation that no other thread can tell from each other.
//!
//! Where C leaves the order of evaluation open, the program chooses (`c::lower::unsequenced`).
//! One access that others see makes no order, nor do those within a step: there the first way
//! stands for all.

use super::freshness::private_accesses;
use super::inline::{Code, join_blocks};
use super::locks::{Protected, alone};
use super::sharing::{Cell, Reach, Shared};
use super::steps::{depth_after, is_visible, sections};
use super::{special, successors};
use base::graph::{reachable, strongly_connected_components};
use c::ORDER_AMONG_THREADS;
use ir::{Block, Command, Expr, HavocSource, Instruction, Program, Terminator, Variable};
use std::collections::BTreeSet;

/// Takes the first way wherever the others are the same for all threads; `number` is that of the
/// thread.
pub(super) fn settle(
    program: &Program,
    code: &mut Code,
    number: usize,
    (shared, protected): (&Shared, &Protected),
) {
    if !code.blocks.iter().any(|it| choice_of(it).is_some()) {
        return;
    }
    let seen = seen(program, code, number, (shared, protected));
    let depths = sections(program, code);
    let mut settled = Vec::new();
    for (index, block) in code.blocks.iter().enumerate() {
        let Some(choice) = choice_of(block) else { continue };
        let is_within = depth_behind(program, block, depths[index]) > 0;
        let mut ways = block.terminator.successors().into_iter();
        if is_within || ways.all(|way| n_seen(code, way.index(), choice, &seen) <= 1) {
            settled.push(index);
        }
    }
    for index in settled {
        let block = &mut code.blocks[index];
        if let Terminator::Switch { default, .. } = block.terminator {
            block.commands.pop();
            block.terminator = Terminator::Goto(default);
        }
    }
    forget_unreached(&mut code.blocks);
    join_blocks(&mut code.blocks);
}

/// The variable by which an order is chosen behind a block.
fn choice_of(block: &Block) -> Option<Variable> {
    match (&block.commands.last()?.command, &block.terminator) {
        (
            Command::Havoc { target, source: HavocSource::Input(name) },
            Terminator::Switch { value: Expr::Variable(by), .. },
        ) if name == ORDER_AMONG_THREADS && target == by => Some(*target),
        _ => None,
    }
}

/// How many accesses of each command others see; those of its end behind them.
fn seen(
    program: &Program,
    code: &Code,
    number: usize,
    (shared, protected): (&Shared, &Protected),
) -> Vec<Vec<bool>> {
    let private = private_accesses(program, code);
    let alone = if number == 0 { alone(program, code) } else { BTreeSet::new() };
    let depths = sections(program, code);
    let is_open = |it: Variable| {
        shared.contains(Cell::Variable(it)) && !protected.contains(Cell::Variable(it))
    };
    let of = |(index, block): (usize, &Block)| {
        let mut depth = depths[index];
        let mut found = Vec::new();
        for (position, instruction) in block.commands.iter().enumerate() {
            let place = (index, position);
            let special = special(program, instruction).map(|(it, _)| it);
            let begins = special.is_some_and(super::Special::begins);
            let reach = Reach::at(&private, place);
            let is_seen = begins || is_visible(program, (instruction, reach), shared, protected);
            found.push(is_seen && depth == 0 && !alone.contains(&place));
            depth = depth_after(program, instruction, depth);
        }
        let read = block.terminator.variables_read();
        found.push(depth == 0 && read.into_iter().any(is_open));
        found
    };
    code.blocks.iter().enumerate().map(of).collect()
}

fn depth_behind(program: &Program, block: &Block, before: u32) -> u32 {
    block.commands.iter().fold(before, |depth, it| depth_after(program, it, depth))
}

/// How many accesses others see from a block on, up to where the choice has been made; two stand
/// for more.
fn n_seen(code: &Code, from: usize, choice: Variable, seen: &[Vec<bool>]) -> usize {
    let (mut within, mut open, mut found) = (BTreeSet::new(), vec![from], BTreeSet::new());
    let mut between = vec![Vec::new(); code.blocks.len()];
    let successors = successors(&code.blocks);
    let mut n_found = 0;
    while let Some(index) = open.pop() {
        if !within.insert(index) {
            continue;
        }
        let is_end = |it: &Instruction| match &it.command {
            Command::Assign { target, .. } => *target == choice,
            _ => false,
        };
        let end = code.blocks[index].commands.iter().position(is_end);
        let own = &seen[index][..end.unwrap_or(seen[index].len())];
        let n_own = own.iter().filter(|it| **it).count();
        n_found += n_own;
        if n_own > 0 {
            found.insert(index);
        }
        if end.is_none() {
            between[index].clone_from(&successors[index]);
            open.extend(&successors[index]);
        }
    }
    let cycles = strongly_connected_components(&between);
    if found.iter().any(|index| cycles.is_on_cycle(*index)) { 2 } else { n_found }
}

/// Empties the blocks to which no way leads.
fn forget_unreached(blocks: &mut [Block]) {
    let successors = successors(blocks);
    let reached = reachable([0], |index| successors[index].iter().copied());
    for (index, block) in blocks.iter_mut().enumerate() {
        if !reached.contains(&index) {
            block.commands.clear();
            block.terminator = Terminator::Halt;
        }
    }
}
