//! What threads use without a common lock, one of them writing: C leaves it undefined (C11
//! 5.1.2.4p25). Here each access is a step, and so a user is told which are meant.
//!
//! Not all are found, and none is meant where a lock may be held at both places, where memory is
//! also used by steps that say that they are atomic, and where the first thread has waited for
//! others.

use super::freshness::private_accesses;
use super::inline::Code;
use super::kinds::{self, Number};
use super::locks::alone;
use super::sharing::{Cell, Reach, Shared, Use};
use super::steps::sections;
use super::{Counting, Special, Thread, facts, named_threads, special, successors};
use base::dataflow::unite;
use base::graph::{reachable, reversed};
use base::source::Span;
use ir::{Expr, Instruction, Program, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Two places where threads use the same memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Race {
    /// The variable, if it is one.
    pub name: Option<String>,
    /// Where one writes it.
    pub written: Span,
    /// Where another one uses it.
    pub used: Span,
    /// How.
    pub how: Use,
}

/// A lock that may be held; nothing if it is not known which one.
type MayHold = BTreeSet<Option<Variable>>;

/// A place where a thread uses a cell.
struct Access {
    thread: usize,
    span: Span,
    how: Use,
    held: MayHold,
}

/// The races of the threads of a program, one of each variable.
///
/// # Errors
/// Why the threads are not known.
pub fn races(program: &mut Program, named: &str, counting: Counting) -> Result<Vec<Race>, String> {
    let (main, wanted) = named_threads(program, named)?;
    let threads = kinds::threads(program, main, (wanted, counting))?;
    let shared = Shared::of(program, &threads);
    let mut accesses: BTreeMap<Cell, Vec<Access>> = BTreeMap::new();
    let mut atomic: BTreeSet<Cell> = BTreeSet::new();
    for (number, thread) in threads.iter().enumerate() {
        let found = Finder { program, code: &thread.code, shared: &shared, number };
        found.accesses(&mut accesses, &mut atomic);
    }
    accesses.retain(|cell, _| !atomic.contains(cell));
    let races = accesses.iter().filter_map(|(cell, all)| race(program, &threads, *cell, all));
    Ok(races.collect())
}

/// The first race of a cell.
fn race(program: &Program, threads: &[Thread], cell: Cell, all: &[Access]) -> Option<Race> {
    let are_apart = |one: &Access, other: &Access| {
        let are_two = one.thread != other.thread || threads[one.thread].number == Number::Crowd;
        are_two && one.held.is_disjoint(&other.held)
    };
    let writes = all.iter().filter(|it| it.how == Use::Write && it.span.is_somewhere());
    let name = match cell {
        Cell::Variable(variable) | Cell::Object(variable) => {
            Some(program.variable(variable).name.clone()).filter(|name| !name.contains('$'))
        }
        Cell::Memory => None,
    };
    let found = writes.flat_map(|write| {
        let others = all.iter().filter(|it| it.span.is_somewhere() && are_apart(write, it));
        others.map(|other| (other.how, write.span, other.span))
    });
    let (how, written, used) = found.min_by_key(|(how, written, used)| {
        (*how, written.line, written.column, used.line, used.column)
    })?;
    Some(Race { name, written, used, how })
}

struct Finder<'a> {
    program: &'a Program,
    code: &'a Code,
    shared: &'a Shared,
    number: usize,
}

impl Finder<'_> {
    fn accesses(&self, accesses: &mut BTreeMap<Cell, Vec<Access>>, atomic: &mut BTreeSet<Cell>) {
        let private = private_accesses(self.program, self.code);
        let alone = match self.number {
            0 => alone(self.program, self.code),
            _ => BTreeSet::new(),
        };
        let depths = sections(self.program, self.code);
        let before = self.may_hold();
        let meets = self.meets_others();
        for (index, block) in self.code.blocks.iter().enumerate() {
            let (mut depth, mut held) = (depths[index], before[index].clone());
            for (position, instruction) in block.commands.iter().enumerate() {
                self.step(instruction, &mut held);
                match special(self.program, instruction) {
                    Some((it, _)) if it.begins() => depth += 1,
                    Some((Special::EndSection, _)) => depth = depth.saturating_sub(1),
                    _ => {}
                }
                let place = (index, position);
                if alone.contains(&place) || special(self.program, instruction).is_some() {
                    continue;
                }
                let reach = Reach::at(&private, place);
                for (cell, how) in self.shared.uses(self.program, instruction, reach) {
                    if matches!(cell, Cell::Object(object) if self.code.locals.contains(&object)) {
                        continue;
                    }
                    if depth > 0 {
                        atomic.insert(cell);
                    } else if meets[index] {
                        let (thread, span) = (self.number, instruction.span);
                        let held = held.clone();
                        accesses.entry(cell).or_default().push(Access { thread, span, how, held });
                    }
                }
            }
            let read = block.terminator.variables_read();
            for variable in read.filter(|it| self.shared.contains(Cell::Variable(*it))) {
                let (thread, span) = (self.number, block.span);
                let access = Access { thread, span, how: Use::Read, held: held.clone() };
                if meets[index] {
                    accesses.entry(Cell::Variable(variable)).or_default().push(access);
                }
            }
        }
    }

    /// The locks that may be held where blocks begin.
    fn may_hold(&self) -> Vec<MayHold> {
        let step = |instruction: &Instruction, _, held: &mut MayHold| self.step(instruction, held);
        let before = facts(self.code, MayHold::new(), step, unite);
        before.into_iter().map(Option::unwrap_or_default).collect()
    }

    fn step(&self, instruction: &Instruction, held: &mut MayHold) {
        let key = |lock: &Expr| match lock {
            Expr::Variable(variable) if self.shared.object(lock).is_some() => Some(*variable),
            _ => None,
        };
        match special(self.program, instruction) {
            Some((Special::BeginAcquire | Special::BeginTry, [lock])) => {
                held.insert(key(lock));
            }
            Some((Special::BeginRelease, [lock])) => {
                // Of those that are not known, others may still be held.
                if let Some(lock) = key(lock) {
                    held.remove(&Some(lock));
                }
            }
            _ => {}
        }
    }

    /// For each block, whether other threads may still run there: the first thread has waited for
    /// them where it waits for nobody and starts nobody any more.
    fn meets_others(&self) -> Vec<bool> {
        let waits = |it: &Instruction| {
            let special = special(self.program, it).map(|(special, _)| special);
            matches!(special, Some(Special::Join | Special::Create | Special::CreateC11))
        };
        let blocks = &self.code.blocks;
        let waiting: Vec<usize> =
            (0..blocks.len()).filter(|index| blocks[*index].commands.iter().any(waits)).collect();
        if self.number > 0 || waiting.is_empty() {
            return vec![true; blocks.len()];
        }
        let predecessors = reversed(&successors(blocks));
        let meets = reachable(waiting, |index| predecessors[index].iter().copied());
        (0..blocks.len()).map(|index| meets.contains(&index)).collect()
    }
}
