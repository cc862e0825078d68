//! Where a thread stops because it may not come to the next stop.
//!
//! Between two stops a thread moves at once. If it may go round for ever there, end the whole
//! program, or be assumed away, then the others may run on without that: so it stops before, if
//! it has done something since its last stop that they see. What they do not see need not be
//! done at all.

use super::freshness::{Position, private_accesses};
use super::inline::Code;
use super::locks::{Protected, alone};
use super::sharing::{Reach, Shared, Use};
use super::steps::sections;
use super::{Special, special, successors};
use base::dataflow::least;
use base::graph::{Components, strongly_connected_components};
use ir::{Block, BlockId, Command, Instruction, Program, Terminator};
use std::collections::BTreeSet;

/// Adds the stops before what may not come to the next one.
pub(super) fn pauses(
    program: &Program,
    code: &mut Code,
    stops: &mut BTreeSet<usize>,
    (shared, protected): (&Shared, &Protected),
    is_main: IsMain,
) {
    let private = private_accesses(program, code);
    let alone = match is_main {
        IsMain::Yes => alone(program, code),
        IsMain::No => BTreeSet::new(),
    };
    let depths = sections(program, code);
    let cycles = cycles(code, stops);
    let follow =
        Follow { program, code, stops, cycles, shared, protected, is_main, private, alone, depths };
    let loud = follow.fixpoint();
    let cycles = &follow.cycles;
    let mut before = Vec::new();
    let mut edges = Vec::new();
    for (index, since) in loud.into_iter().enumerate() {
        let mut pauses = Vec::new();
        let after = follow.block(index, since, &mut |position| pauses.push(position));
        before.push(pauses);
        let nexts = successors_of(&code.blocks[index]);
        edges.extend(
            nexts
                .filter(|next| after == Done::Something && enters(cycles, index, *next))
                .map(|next| (index, next)),
        );
    }
    for (index, to) in edges {
        let span = code.blocks[to].span;
        let on =
            Block { commands: Vec::new(), terminator: Terminator::Goto(BlockId::at(to)), span };
        let stop = code.blocks.len();
        code.blocks.push(on);
        stops.insert(stop);
        code.blocks[index].terminator.for_each_successor_mut(&mut |next| {
            if next.index() == to {
                *next = BlockId::at(stop);
            }
        });
    }
    for (index, pauses) in before.into_iter().enumerate() {
        // From the last to the first, so that positions stay.
        for position in pauses.into_iter().rev() {
            let next = code.blocks.len();
            let block = &mut code.blocks[index];
            let commands = block.commands.split_off(position);
            let span = commands.first().map_or(block.span, |first| first.span);
            let on = Terminator::Goto(BlockId::at(next));
            let terminator = std::mem::replace(&mut block.terminator, on);
            code.blocks.push(Block { commands, terminator, span });
            stops.insert(next);
        }
    }
}

/// Whether the whole program ends where the thread returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IsMain {
    Yes,
    No,
}

/// What a thread has done since its last stop that others may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Nothing,
    Something,
}

fn successors_of(block: &Block) -> impl Iterator<Item = usize> {
    block.terminator.successors().into_iter().map(BlockId::index)
}

/// Whether an edge leads into a cycle without stops.
fn enters(cycles: &Components, from: usize, to: usize) -> bool {
    cycles.is_on_cycle(to) && cycles.of[from] != cycles.of[to]
}

/// Follows a thread from stop to stop.
struct Follow<'a> {
    program: &'a Program,
    code: &'a Code,
    stops: &'a BTreeSet<usize>,
    /// The cycles without stops.
    cycles: Components,
    shared: &'a Shared,
    protected: &'a Protected,
    is_main: IsMain,
    private: BTreeSet<Position>,
    alone: BTreeSet<Position>,
    depths: Vec<u32>,
}

/// The cycles without stops.
fn cycles(code: &Code, stops: &BTreeSet<usize>) -> Components {
    let mut between = successors(&code.blocks);
    for nexts in &mut between {
        nexts.retain(|next| !stops.contains(next));
    }
    strongly_connected_components(&between)
}

impl Follow<'_> {
    /// For each block, what was done before since the last stop.
    fn fixpoint(&self) -> Vec<Done> {
        let flow = |index: usize, since: &Done| {
            let is_loud = self.block(index, *since, &mut |_| {}) == Done::Something;
            let nexts = successors_of(&self.code.blocks[index]).filter(move |next| {
                is_loud && !self.stops.contains(next) && !enters(&self.cycles, index, *next)
            });
            nexts.map(|next| (next, Done::Something))
        };
        let blocks = 0..self.code.blocks.len();
        let join = |known: &mut Done, since| std::mem::replace(known, since) != since;
        let loud = least(blocks.len(), blocks.map(|it| (it, Done::Nothing)), flow, join);
        loud.into_iter().map(|it| it.unwrap_or(Done::Nothing)).collect()
    }

    /// What was done behind a block since the last stop, the ones before which `pause` is called
    /// among them.
    fn block(&self, index: usize, since: Done, pause: &mut impl FnMut(usize)) -> Done {
        let mut loud = since == Done::Something;
        let mut depth = self.depths[index];
        let mut takes = false;
        let block = &self.code.blocks[index];
        for (position, instruction) in block.commands.iter().enumerate() {
            takes |= depth == 0 && self.protected.is_taken(self.program, instruction);
            match special(self.program, instruction) {
                Some((it, _)) if it.begins() => {
                    depth += 1;
                    loud |= self.protected.is_release(self.program, instruction);
                }
                Some((Special::EndSection, _)) => {
                    depth = depth.saturating_sub(1);
                    takes &= depth > 0;
                }
                Some((Special::Create | Special::CreateC11, _)) => {
                    // Who starts threads for ever lets them move.
                    if depth == 0 && self.cycles.is_on_cycle(index) {
                        pause(position);
                    }
                    loud = true;
                }
                Some(_) => {}
                None => {
                    if loud && depth == 0 && self.may_stay(&instruction.command) {
                        pause(position);
                        loud = false;
                    }
                    let reach = Reach::at(&self.private, (index, position));
                    let is_quiet = takes || self.alone.contains(&(index, position));
                    loud |= !is_quiet && self.is_seen(instruction, reach);
                }
            }
        }
        let ends = match block.terminator {
            Terminator::Halt => true,
            Terminator::Return(_) => self.is_main == IsMain::Yes,
            _ => false,
        };
        if ends && loud && depth == 0 {
            pause(block.commands.len());
        }
        if loud { Done::Something } else { Done::Nothing }
    }

    /// Whether a command may not come to an end, or ends the run.
    fn may_stay(&self, command: &Command) -> bool {
        match command {
            Command::Assume { .. } => command.range_assumed().is_none(),
            Command::Call { .. } | Command::Error { .. } => true,
            _ => false,
        }
    }

    /// Whether an instruction writes what others see at once.
    fn is_seen(&self, instruction: &Instruction, reach: Reach) -> bool {
        let mut uses = self.shared.uses(self.program, instruction, reach).into_iter();
        uses.any(|(cell, how)| how == Use::Write && !self.protected.contains(cell))
    }
}
