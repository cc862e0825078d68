//! What is only used while a lock is held.
//!
//! Nobody sees what happens to that between taking the lock and giving it back: taking it moves
//! to the right of what others do, giving it back and such accesses to the left (Lipton,
//! *Reduction*, CACM 1975). So a thread need not stop there. This holds of locks that one can
//! only wait for, not ask for.

use super::freshness::private_accesses;
use super::inline::{Code, is_object};
use super::sharing::{Cell, Reach, Shared};
use super::steps::sections;
use super::{Grain, Special, Thread, created, facts, special, successors};
use base::graph::reachable;
use ir::{BinaryOp, Command, Expr, Instruction, Procedure, Program, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// The locks that one can only wait for, and what they protect.
pub(super) struct Protected {
    locks: BTreeSet<Variable>,
    /// By cell the locks that are held at all its uses.
    cells: BTreeMap<Cell, Held>,
    /// The lock that all memory is taken to be protected by, but for what a thread has of its
    /// own: each access without it is asked whether that is so.
    guard: Option<Variable>,
}

/// The locks that a thread holds at a place.
pub(super) type Held = BTreeSet<Variable>;

impl Protected {
    /// Whether a cell is only used while some lock is held.
    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.cells.contains_key(&cell)
    }

    /// The locks that are held at all uses of a cell.
    pub(super) fn locks_of(&self, cell: Cell) -> Held {
        self.cells.get(&cell).cloned().unwrap_or_default()
    }

    /// The locks that one can only wait for.
    pub(super) fn locks(&self) -> &BTreeSet<Variable> {
        &self.locks
    }

    /// Whether a section begins here in which such a lock is given back.
    pub(super) fn is_release(&self, program: &Program, instruction: &Instruction) -> bool {
        match special(program, instruction) {
            Some((Special::BeginRelease, [Expr::Variable(lock)])) => self.locks.contains(lock),
            _ => false,
        }
    }
}

impl Protected {
    /// Whether a section begins here in which such a lock is taken.
    pub(super) fn is_taken(&self, program: &Program, instruction: &Instruction) -> bool {
        match special(program, instruction) {
            Some((Special::BeginAcquire, [Expr::Variable(lock)])) => self.locks.contains(lock),
            _ => false,
        }
    }
}

impl Protected {
    /// The locks that a thread surely holds where its blocks begin.
    pub(super) fn held(&self, program: &Program, code: &Code) -> Vec<Option<Held>> {
        held(program, code, &self.locks)
    }

    /// The same behind an instruction.
    pub(super) fn update(&self, program: &Program, instruction: &Instruction, held: &mut Held) {
        update(program, instruction, &self.locks, held);
    }

    /// Whether memory is protected by a lock which is not held, if it is not a thread's own.
    pub(super) fn must_own(&self, held: &Held) -> bool {
        self.guard.is_some_and(|guard| !held.contains(&guard))
    }

    /// Whether accesses may be asked whether the memory is the thread's own.
    pub(super) fn grain(&self) -> Grain {
        if self.guard.is_some() { Grain::Coarse } else { Grain::Fine }
    }
}

/// What is protected by which locks; when the grain is coarse, all memory by one of them.
pub(super) fn protected(
    program: &Program,
    threads: &[Thread],
    shared: &Shared,
    grain: Grain,
) -> Protected {
    let locks = locks(program, threads, shared);
    let mut held_at: BTreeMap<Cell, BTreeSet<Variable>> = BTreeMap::new();
    let mut guards = Guards::default();
    for (number, thread) in threads.iter().enumerate() {
        let held = held(program, &thread.code, &locks);
        let private = private_accesses(program, &thread.code);
        let alone = if number == 0 { alone(program, &thread.code) } else { BTreeSet::new() };
        for (index, block) in thread.code.blocks.iter().enumerate() {
            // Nobody comes there.
            let Some(mut now) = held[index].clone() else { continue };
            for (position, instruction) in block.commands.iter().enumerate() {
                update(program, instruction, &locks, &mut now);
                if alone.contains(&(index, position)) {
                    continue;
                }
                let reach = Reach::at(&private, (index, position));
                for cell in shared.touched(program, instruction, reach) {
                    let known = held_at.entry(cell).or_insert_with(|| now.clone());
                    known.retain(|lock| now.contains(lock));
                    if cell == Cell::Memory {
                        guards.note(&now, &instruction.command);
                    }
                }
            }
            for variable in block.terminator.variables_read() {
                let known = held_at.entry(Cell::Variable(variable)).or_insert_with(|| now.clone());
                known.retain(|lock| now.contains(lock));
            }
        }
    }
    held_at.retain(|_, locks| !locks.is_empty());
    let is_open = grain == Grain::Coarse && !held_at.contains_key(&Cell::Memory);
    let guard = if is_open { guards.best() } else { None };
    held_at.extend(guard.map(|guard| (Cell::Memory, Held::from([guard]))));
    Protected { locks, cells: held_at, guard }
}

/// The locks under which memory is used.
#[derive(Default)]
struct Guards {
    /// For each lock, how often memory is used while it is held.
    n_held: BTreeMap<Variable, usize>,
    /// The locks that are held wherever it is not known which memory is used.
    needed: Option<Held>,
}

impl Guards {
    /// Notes what is held where a command uses memory.
    fn note(&mut self, held: &Held, command: &Command) {
        for lock in held {
            *self.n_held.entry(*lock).or_default() += 1;
        }
        if addresses(command).is_none() {
            let needed = self.needed.get_or_insert_with(|| held.clone());
            needed.retain(|lock| held.contains(lock));
        }
    }

    /// The lock under which it is used most often.
    fn best(&self) -> Option<Variable> {
        let can = |lock: &Variable| self.needed.as_ref().is_none_or(|it| it.contains(lock));
        let guards = self.n_held.iter().filter(|(lock, _)| can(lock));
        guards.max_by_key(|(lock, n_held)| (**n_held, std::cmp::Reverse(**lock))).map(|it| *it.0)
    }
}

/// The addresses of the memory that a command uses, if they are known.
pub(super) fn addresses(command: &Command) -> Option<Vec<&Expr>> {
    Some(match command {
        Command::Load { address, .. }
        | Command::Store { address, .. }
        | Command::Free { address, .. }
        | Command::Measure { address, .. }
        | Command::Fill { address, .. } => vec![address],
        Command::Copy { target, source, .. } => vec![target, source],
        _ => return None,
    })
}

/// The locks that are only taken and given back.
fn locks(program: &Program, threads: &[Thread], shared: &Shared) -> BTreeSet<Variable> {
    let (mut taken, mut others) = (BTreeSet::new(), BTreeSet::new());
    for (number, thread) in threads.iter().enumerate() {
        let depths = sections(program, &thread.code);
        let alone = if number == 0 { alone(program, &thread.code) } else { BTreeSet::new() };
        for (index, block) in thread.code.blocks.iter().enumerate() {
            let mut depth = depths[index];
            for (position, instruction) in block.commands.iter().enumerate() {
                match special(program, instruction) {
                    Some((Special::BeginAcquire, [lock])) => taken.extend(shared.object(lock)),
                    Some((Special::BeginTry, [lock])) => others.extend(shared.object(lock)),
                    _ => {}
                }
                if let Some((special, _)) = special(program, instruction) {
                    depth = match special {
                        Special::EndSection => depth.saturating_sub(1),
                        special if special.begins() => depth + 1,
                        _ => depth,
                    };
                    if !matches!(special, Special::Create | Special::CreateC11) {
                        continue;
                    }
                }
                if depth == 0 && !alone.contains(&(index, position)) {
                    others.extend(
                        shared.touched(program, instruction, Reach::Open).into_iter().filter_map(
                            |cell| match cell {
                                Cell::Object(object) | Cell::Variable(object) => Some(object),
                                Cell::Memory => None,
                            },
                        ),
                    );
                }
            }
        }
    }
    taken.retain(|lock| !others.contains(lock));
    for thread in threads {
        let released = released_by_others(program, &thread.code, &taken);
        taken.retain(|lock| !released.contains(lock));
    }
    taken
}

/// The locks that a thread gives back where it may not hold them.
fn released_by_others(
    program: &Program,
    code: &Code,
    locks: &BTreeSet<Variable>,
) -> BTreeSet<Variable> {
    let mut found = BTreeSet::new();
    for (block, held) in code.blocks.iter().zip(held(program, code, locks)) {
        let Some(mut now) = held else { continue };
        for instruction in &block.commands {
            if let Some((Special::BeginRelease, [Expr::Variable(lock)])) =
                special(program, instruction)
                && !now.contains(lock)
            {
                found.insert(*lock);
            }
            update(program, instruction, locks, &mut now);
        }
    }
    found
}

/// The locks that a thread surely holds where its blocks begin; nothing where it never comes.
fn held(program: &Program, code: &Code, locks: &BTreeSet<Variable>) -> Vec<Option<Held>> {
    let step = |instruction: &Instruction, _, held: &mut Held| {
        update(program, instruction, locks, held);
    };
    let join = |known: &mut Held, held: Held| {
        let n_known = known.len();
        known.retain(|lock| held.contains(lock));
        known.len() < n_known
    };
    facts(code, Held::new(), step, join)
}

fn update(
    program: &Program,
    instruction: &Instruction,
    locks: &BTreeSet<Variable>,
    held: &mut BTreeSet<Variable>,
) {
    match special(program, instruction) {
        Some((Special::BeginAcquire, [Expr::Variable(lock)])) if locks.contains(lock) => {
            held.insert(*lock);
        }
        Some((Special::BeginRelease, [Expr::Variable(lock)])) => {
            held.remove(lock);
        }
        _ => {}
    }
}

/// Whether a lock is a plain one: a global object, or a part of one, whose initializer writes
/// nothing behind its first number, in a program that makes no locks of other kinds while it
/// runs.
pub(super) fn is_plain(program: &Program, lock: &Expr) -> bool {
    const KINDS: [&str; 2] = ["pthread_mutexattr_settype$", "mtx_init$"];
    let Some((base, offset)) = part_of(lock) else { return false };
    let makes_kinds = |it: &Procedure| KINDS.iter().any(|kind| it.name.starts_with(kind));
    let writes_kind = |address: &Expr| {
        let is_plain = part_of(address)
            .is_some_and(|(_, at)| !(offset + 1..offset + SIZE_OF_LOCK).contains(&at));
        address.mentions(base) && !is_plain
    };
    let is_start = |it: &Procedure| it.name == program.procedure(program.entry).name;
    let mut all = program.procedures.iter().filter(|it| is_start(it) || !it.name.contains('$'));
    is_object(program, base)
        && !program.procedures.iter().any(makes_kinds)
        && !all.any(|procedure| {
            let mut commands = procedure.blocks.iter().flat_map(|block| &block.commands);
            commands.any(|it| match &it.command {
                Command::Store { address, .. } => writes_kind(address),
                Command::Copy { target, .. } => target.mentions(base),
                _ => false,
            })
        })
}

/// How many bytes a lock has at most.
const SIZE_OF_LOCK: i128 = 40;

/// The object that an address is in, and how many bytes behind its beginning.
fn part_of(address: &Expr) -> Option<(Variable, i128)> {
    match address {
        Expr::Variable(variable) => Some((*variable, 0)),
        Expr::Binary(BinaryOp::Add, left, right) => {
            let (base, offset) = part_of(left)?;
            let Expr::Constant(more) = **right else { return None };
            Some((base, offset.checked_add(more)?))
        }
        _ => None,
    }
}

/// The commands of `main` before it starts a thread.
pub(super) fn alone(program: &Program, main: &Code) -> BTreeSet<(usize, usize)> {
    let blocks = &main.blocks;
    let successors = successors(blocks);
    let (mut behind, mut first) = (Vec::new(), BTreeMap::new());
    for (index, block) in blocks.iter().enumerate() {
        let starts = block.commands.iter().position(|it| created(program, it).is_some());
        if let Some(position) = starts {
            first.insert(index, position);
            behind.extend(successors[index].iter().copied());
        }
    }
    let seen = reachable(behind, |block| successors[block].iter().copied());
    let numbered = blocks.iter().enumerate().filter(|(index, _)| !seen.contains(index));
    let before = numbered.flat_map(|(index, block)| {
        let n_alone = first.get(&index).copied().unwrap_or(block.commands.len());
        (0..n_alone).map(move |position| (index, position))
    });
    before.collect()
}
