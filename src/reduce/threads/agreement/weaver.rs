//! A sequential program made of one thread, with more commands at its stops.

use super::parallel::{Parallel, Stopping};
use crate::instrument::block;
use crate::threads::locks::Held;
use crate::threads::{Special, special};
use base::source::Span;
use ir::{Block, BlockId, Command, Expr, HavocSource, Instruction, Terminator, Variable};

/// What a program makes of a thread.
pub(super) trait Role {
    /// Commands before the first one.
    fn begins(&mut self, weaver: &Weaver<'_>) -> Vec<Command>;

    /// Adds commands to a block behind which the thread stops, holding locks. Gives the block
    /// that goes on.
    fn stops(&mut self, weaver: &mut Weaver<'_>, here: usize, held: &Held) -> usize;

    /// The same behind its last step.
    fn ends(&mut self, weaver: &mut Weaver<'_>, here: usize) -> usize;

    /// Commands behind the one that takes a lock.
    fn takes(&mut self, lock: Variable) -> Vec<Command>;

    /// What is left of a command.
    fn does(&mut self, weaver: &Weaver<'_>, instruction: &Instruction) -> Vec<Command>;
}

/// The program on its way.
pub(super) struct Weaver<'a> {
    pub(super) parallel: &'a Parallel,
    pub(super) thread: &'a Stopping,
    blocks: Vec<Block>,
}

impl<'a> Weaver<'a> {
    pub(super) fn new(parallel: &'a Parallel, thread: &'a Stopping) -> Self {
        Self { parallel, thread, blocks: Vec::new() }
    }

    /// The blocks of the program's `main`.
    pub(super) fn instrumented(mut self, role: &mut impl Role) -> Vec<Block> {
        let mut begin = self.parallel.scalars.loads();
        begin.extend(role.begins(&self));
        self.push(begin, Terminator::Goto(BlockId(1)));
        let first = self.blocks.len();
        for it in &self.thread.code.blocks {
            let placeholder = self.push(Vec::new(), Terminator::Halt);
            self.blocks[placeholder.index()].span = it.span;
        }
        for number in 0..self.thread.code.blocks.len() {
            self.block(role, first, number);
        }
        self.blocks
    }

    /// Adds a block; gives its number.
    pub(super) fn push(&mut self, commands: Vec<Command>, terminator: Terminator) -> BlockId {
        self.blocks.push(block(commands, terminator));
        BlockId::at(self.blocks.len() - 1)
    }

    /// Adds commands to a block.
    pub(super) fn extend(&mut self, here: usize, commands: Vec<Command>, span: Span) {
        let commands = commands.into_iter().map(|command| Instruction { command, span });
        self.blocks[here].commands.extend(commands);
    }

    /// Adds a branch to a block: to new ones.
    pub(super) fn branch(&mut self, here: usize, condition: Expr) -> [usize; 2] {
        let span = self.blocks[here].span;
        let [then, otherwise] = [(); 2].map(|()| self.push(Vec::new(), Terminator::Halt));
        for to in [then, otherwise] {
            self.blocks[to.index()].span = span;
        }
        self.blocks[here].terminator = Terminator::Branch { condition, then, otherwise };
        [then.index(), otherwise.index()]
    }

    /// Lets a block go on with another one.
    pub(super) fn goes_on(&mut self, here: usize, to: usize) {
        self.blocks[here].terminator = Terminator::Goto(BlockId::at(to));
    }

    /// Adds a block of the thread, whose blocks stand behind `first`.
    fn block(&mut self, role: &mut impl Role, first: usize, number: usize) {
        let thread = self.thread;
        let it = &thread.code.blocks[number];
        let mut held = thread.held[number].clone().unwrap_or_default();
        let mut here = first + number;
        if thread.stops.contains(&number) {
            here = role.stops(self, here, &held);
        }
        for instruction in &it.commands {
            let span = instruction.span;
            let Some((special, arguments)) = special(&self.parallel.program, instruction) else {
                let done = role.does(self, instruction);
                self.extend(here, done, span);
                continue;
            };
            match (special, arguments) {
                (Special::Exit, _) => {
                    let last = role.ends(self, here);
                    self.blocks[last].terminator = Terminator::Return(Some(Expr::Constant(0)));
                    here = self.push(Vec::new(), Terminator::Halt).index();
                }
                (Special::BeginAcquire, [Expr::Variable(lock)]) if thread.locks.contains(lock) => {
                    held.insert(*lock);
                    let done = role.takes(*lock);
                    self.extend(here, done, span);
                }
                (Special::BeginRelease, [Expr::Variable(lock)]) => {
                    held.remove(lock);
                }
                _ => {}
            }
            if let Some(target) = instruction.command.target() {
                let done = match special {
                    // Neither what another thread returns nor what it is called is known.
                    Special::Result | Special::Itself | Special::Name => anything(target),
                    // Threads can always be started and waited for.
                    _ => Command::Assign { target, value: Expr::Constant(0) },
                };
                self.extend(here, vec![done], span);
            }
        }
        let mut terminator = it.terminator.clone();
        if let Terminator::Return(_) = terminator {
            here = role.ends(self, here);
            terminator = Terminator::Return(Some(Expr::Constant(0)));
        } else {
            terminator.for_each_successor_mut(&mut |to| *to = BlockId::at(first + to.index()));
        }
        self.blocks[here].terminator = terminator;
    }
}

/// Any value, as other threads may have written it.
pub(super) fn anything(target: Variable) -> Command {
    let source = HavocSource::Approximation("what other threads do".to_owned());
    Command::Havoc { target, source }
}
