//! What threads see of each other: variables and memory that one of them writes and another
//! one uses.
//!
//! There is one list for the whole program. An object is a cell of its own only if each mention
//! of its address, in threads, in what sets up the program and in functions of the library, is an
//! access of it; all others are memory of which it is not known which one.

use super::freshness::{Position, private_accesses};
use super::inline::{Code, is_object};
use super::kinds::Number;
use super::whole::{Effects, beside_threads, called_at_once, callee_of, effects, with_callees};
use super::{Special, Thread, is_not_modelled, special, successors};
use base::graph::reachable;
use ir::{Command, Expr, Instruction, MemoryKind, ProcedureId, Program, Terminator, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Something that can be read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cell {
    /// A global variable.
    Variable(Variable),
    /// The object whose address this variable holds, which is used for nothing else.
    Object(Variable),
    /// Memory of which it is not known which one.
    Memory,
}

/// How a cell is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// Its value is looked at.
    Read,
    /// It is given another one, or is no more.
    Write,
}

/// Who knows the memory that a command uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// No other thread.
    Own,
    /// Perhaps others.
    Open,
}

impl Reach {
    /// That of the command at a position, where these are private.
    pub(super) fn at(private: &BTreeSet<Position>, position: Position) -> Self {
        if private.contains(&position) { Self::Own } else { Self::Open }
    }
}

/// The cells that threads see of each other.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    cells: BTreeSet<Cell>,
    closed: BTreeSet<Variable>,
    /// What steps of several accesses do.
    effects: Effects,
    /// The variables that stand for parts of objects.
    scalars: BTreeSet<Variable>,
}

impl Shared {
    /// Those of these threads.
    pub(super) fn of(program: &Program, threads: &[Thread]) -> Self {
        Self::with_scalars(program, threads, BTreeSet::new())
    }

    /// Those of these threads, where variables stand for parts of objects.
    pub(super) fn with_scalars(
        program: &Program,
        threads: &[Thread],
        scalars: BTreeSet<Variable>,
    ) -> Self {
        let codes: Vec<&Code> = threads.iter().map(|thread| &thread.code).collect();
        let closed = closed(program, &codes);
        let effects = effects(program, &codes, &closed);
        let mut readers: BTreeMap<Cell, BTreeSet<usize>> = BTreeMap::new();
        let mut writers: BTreeMap<Cell, BTreeSet<usize>> = BTreeMap::new();
        for (number, code) in codes.iter().enumerate() {
            for (cell, how) in uses(program, code, (&closed, &effects)) {
                readers.entry(cell).or_default().insert(number);
                if threads[number].number == Number::Crowd {
                    // Another one of them.
                    readers.entry(cell).or_default().insert(threads.len() + number);
                }
                if how == Use::Write {
                    writers.entry(cell).or_default().insert(number);
                }
            }
        }
        let is_shared = |cell: &&Cell| readers[*cell].len() > 1;
        let cells = writers.keys().filter(is_shared).copied().collect();
        Self { cells, closed, effects, scalars }
    }

    /// The shared variables.
    pub(super) fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.cells.iter().filter_map(|cell| match cell {
            Cell::Variable(variable) => Some(*variable),
            Cell::Object(_) | Cell::Memory => None,
        })
    }

    /// Whether threads see a cell of each other.
    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.cells.contains(&cell)
    }

    /// The shared cells that an instruction uses, and how; it is not told of memory that only it
    /// knows.
    pub(super) fn uses(
        &self,
        program: &Program,
        instruction: &Instruction,
        reach: Reach,
    ) -> BTreeSet<(Cell, Use)> {
        let context = (&self.closed, &self.effects);
        let mut found: BTreeSet<(Cell, Use)> =
            uses_of(program, instruction, reach, context).into_iter().collect();
        found.retain(|(cell, _)| self.contains(*cell));
        found
    }

    /// The shared cells that an instruction uses.
    pub(super) fn touched(
        &self,
        program: &Program,
        instruction: &Instruction,
        reach: Reach,
    ) -> BTreeSet<Cell> {
        self.uses(program, instruction, reach).into_iter().map(|(cell, _)| cell).collect()
    }

    /// What a function does that is called as one step.
    pub(super) fn effects_of(&self, called: ProcedureId) -> Option<&BTreeSet<(Cell, Use)>> {
        self.effects.get(&called)
    }

    /// The cell at an address.
    pub(super) fn cell(&self, address: &Expr) -> Cell {
        cell_of(address, &self.closed)
    }

    /// The global variables that an instruction writes by calling a function of the library.
    pub(super) fn written_within(
        &self,
        program: &Program,
        instruction: &Instruction,
    ) -> impl Iterator<Item = Variable> + '_ {
        let effect = callee_of(program, instruction).and_then(|it| self.effects.get(&it));
        effect.into_iter().flatten().filter_map(|used| match used {
            (Cell::Variable(variable), Use::Write) => Some(*variable),
            _ => None,
        })
    }

    /// The object whose address an expression is, if it is used for nothing else; or the
    /// variable that stands for a part of one.
    pub(super) fn object(&self, address: &Expr) -> Option<Variable> {
        let is_known = |it: &Variable| self.closed.contains(it) || self.scalars.contains(it);
        match address {
            Expr::Variable(variable) => Some(*variable).filter(is_known),
            _ => None,
        }
    }
}

/// The stops from which on code writes nothing that others see, and starts no threads: so it
/// makes no difference whether it moves on.
pub(super) fn silent(
    program: &Program,
    code: &Code,
    stops: &BTreeSet<usize>,
    shared: &Shared,
) -> BTreeSet<usize> {
    let successors = successors(&code.blocks);
    let private = private_accesses(program, code);
    let is_loud = |instruction: &Instruction, reach: Reach| {
        if let Some((special, _)) = special(program, instruction) {
            return !matches!(special, Special::Join | Special::Result | Special::Itself);
        }
        let command = &instruction.command;
        if let Command::Unsupported { .. } = command {
            return true;
        }
        let mut uses = shared.uses(program, instruction, reach).into_iter();
        uses.any(|(_, how)| how == Use::Write)
    };
    let loud = |block: &usize| {
        let mut commands = code.blocks[*block].commands.iter().enumerate();
        commands.any(|(position, it)| is_loud(it, Reach::at(&private, (*block, position))))
    };
    let is_silent = |stop: &&usize| {
        let nexts = |block: usize| successors[block].iter().copied();
        !reachable([**stop], nexts).iter().any(loud)
    };
    stops.iter().filter(is_silent).copied().collect()
}

/// The threads on which it may depend what these ones do: those that write what they, or one
/// on which they depend, use. What is not modelled may write anything.
pub(super) fn relevant(
    program: &Program,
    threads: &[Thread],
    first: BTreeSet<usize>,
) -> BTreeSet<usize> {
    let codes: Vec<&Code> = threads.iter().map(|thread| &thread.code).collect();
    let closed = closed(program, &codes);
    let effects = effects(program, &codes, &closed);
    let of = |code: &&Code| uses(program, code, (&closed, &effects)).collect();
    let used: Vec<BTreeSet<(Cell, Use)>> = codes.iter().map(of).collect();
    let mut relevant = first;
    loop {
        let cells = relevant.iter().flat_map(|it| &used[*it]);
        let cells: BTreeSet<Cell> = cells.map(|(cell, _)| *cell).collect();
        let writes = |it: &usize| {
            does_anything(program, codes[*it])
                || used[*it].iter().any(|(cell, how)| *how == Use::Write && cells.contains(cell))
        };
        let is_new = |it: &usize| !relevant.contains(it) && writes(it);
        let more: Vec<usize> = (0..threads.len()).filter(is_new).collect();
        if more.is_empty() {
            return relevant;
        }
        relevant.extend(more);
    }
}

/// Whether code does what is not modelled, which may be anything.
pub(super) fn does_anything(program: &Program, code: &Code) -> bool {
    let mut commands = code.blocks.iter().flat_map(|block| &block.commands);
    commands.any(|it| is_not_modelled(program, &it.command))
}

/// The variables that hold the addresses of objects and are used for nothing but accesses.
pub(super) fn closed(program: &Program, codes: &[&Code]) -> BTreeSet<Variable> {
    let mut bases = BTreeSet::new();
    for code in codes {
        for instruction in code.blocks.iter().flat_map(|block| &block.commands) {
            if let Command::Allocate { target, kind: MemoryKind::Stack, .. } = instruction.command {
                bases.insert(target);
            }
        }
    }
    let globals = (0..program.variables.len()).map(Variable::at);
    bases.extend(globals.filter(|it| is_object(program, *it)));
    let code = codes.iter().flat_map(|code| &code.blocks);
    let commands = code.clone().flat_map(|block| &block.commands);
    for instruction in commands.chain(beside_threads(program, codes)) {
        for used in escaping(program, instruction) {
            bases.remove(&used);
        }
    }
    let called = called_at_once(program, codes);
    let called = called.into_iter().flat_map(|it| with_callees(program, it));
    let called = called.flat_map(|it| &program.procedure(it).blocks);
    for used in code.chain(called).flat_map(|it| it.terminator.variables_read()) {
        bases.remove(&used);
    }
    bases
}

/// The variables of a command that are more than the start of an address that is accessed.
fn escaping(program: &Program, instruction: &Instruction) -> BTreeSet<Variable> {
    let mut found = BTreeSet::new();
    let address = |expr: &Expr, found: &mut BTreeSet<Variable>| {
        let base = base_of(expr);
        found.extend(expr.variables().filter(|it| Some(*it) != base));
    };
    let command = &instruction.command;
    match command {
        Command::Fill { address: at, byte, size } => {
            address(at, &mut found);
            found.extend(byte.variables());
            found.extend(size.variables());
        }
        Command::Load { address: at, .. } | Command::Free { address: at, .. } => {
            address(at, &mut found);
        }
        Command::Store { address: at, value, .. } => {
            address(at, &mut found);
            found.extend(value.variables());
        }
        // The first argument of a creation is where the thread's number goes.
        Command::Call { arguments, .. } if special(program, instruction).is_some() => {
            for (position, argument) in arguments.iter().enumerate() {
                // So does the address of a lock.
                if position == 0 {
                    address(argument, &mut found);
                } else {
                    found.extend(argument.variables());
                }
            }
        }
        Command::Allocate { target, kind, size, .. } => {
            found.extend(size.variables());
            if *kind != MemoryKind::Stack {
                found.insert(*target);
            }
        }
        other => {
            found.extend(other.variables_read());
            found.extend(other.target());
        }
    }
    if let Command::Load { target, .. } = command {
        found.insert(*target);
    }
    found
}

/// The variable that an address starts with: `v`, or `v + …`.
pub(super) fn base_of(expr: &Expr) -> Option<Variable> {
    match expr {
        Expr::Variable(variable) => Some(*variable),
        Expr::Binary(ir::BinaryOp::Add, left, _) => base_of(left),
        _ => None,
    }
}

/// The memory that a command uses.
pub(super) fn memory_used(command: &Command, closed: &BTreeSet<Variable>) -> Option<(Cell, Use)> {
    let cell = |address: &Expr| cell_of(address, closed);
    Some(match command {
        Command::Load { address, .. } | Command::Measure { address, .. } => {
            (cell(address), Use::Read)
        }
        Command::Store { address, .. }
        | Command::Free { address, .. }
        | Command::Fill { address, .. } => (cell(address), Use::Write),
        Command::Copy { .. } => (Cell::Memory, Use::Write),
        _ => return None,
    })
}

/// How an instruction uses cells.
fn uses_of(
    program: &Program,
    instruction: &Instruction,
    reach: Reach,
    (closed, effects): (&BTreeSet<Variable>, &Effects),
) -> Vec<(Cell, Use)> {
    let is_global = |it: &Variable| program.variable(*it).owner.is_none();
    let command = &instruction.command;
    let mut found = Vec::new();
    command.expressions().for_each(|expr| {
        let globals = expr.variables().filter(is_global);
        found.extend(globals.map(|it| (Cell::Variable(it), Use::Read)));
    });
    let target = command.target().filter(is_global);
    found.extend(target.map(|it| (Cell::Variable(it), Use::Write)));
    match special(program, instruction) {
        Some((Special::Create | Special::CreateC11, [id, ..])) => {
            found.push((cell_of(id, closed), Use::Write));
        }
        Some(_) => {}
        None if reach == Reach::Open => {
            found.extend(memory_used(command, closed));
            let called = callee_of(program, instruction);
            found.extend(called.and_then(|it| effects.get(&it)).into_iter().flatten());
        }
        None => {}
    }
    found
}

/// The cell at an address.
fn cell_of(address: &Expr, closed: &BTreeSet<Variable>) -> Cell {
    match base_of(address).filter(|it| closed.contains(it)) {
        Some(base) => Cell::Object(base),
        None => Cell::Memory,
    }
}

/// How code uses cells.
fn uses<'a>(
    program: &'a Program,
    code: &'a Code,
    context: (&'a BTreeSet<Variable>, &'a Effects),
) -> impl Iterator<Item = (Cell, Use)> + 'a {
    let is_global = |it: &Variable| program.variable(*it).owner.is_none();
    let private = private_accesses(program, code);
    code.blocks.iter().enumerate().flat_map(move |(index, block)| {
        let mut found = Vec::new();
        for (position, instruction) in block.commands.iter().enumerate() {
            let reach = Reach::at(&private, (index, position));
            found.extend(uses_of(program, instruction, reach, context));
            // A lock is used in the section that begins here.
            if let Some((_, [lock, ..])) = special(program, instruction) {
                let lock = base_of(lock).filter(|it| context.0.contains(it));
                found.extend(lock.map(|it| (Cell::Object(it), Use::Write)));
            }
        }
        if let Terminator::Branch { .. } | Terminator::Switch { .. } = block.terminator {
            let read = block.terminator.variables_read();
            let globals = read.into_iter().filter(is_global);
            found.extend(globals.map(|it| (Cell::Variable(it), Use::Read)));
        }
        found
    })
}
