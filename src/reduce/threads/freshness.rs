//! Memory of which no other thread knows yet: a new block, until its address goes anywhere but
//! into the thread's own variables and into the block itself.
//!
//! ```text
//!   target := new block        target is fresh of this place; no other variable is any more
//!   v := w + …                 v is fresh of the place that w is fresh of
//!   *w := … v …                if v may hold an address of a place: nothing is fresh of it,
//!                              unless w is
//! ```

use super::inline::Code;
use super::sharing::base_of;
use super::{Special, facts, special};
use ir::{Command, Expr, Instruction, Program, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A place in code: block and command.
pub(super) type Position = (usize, usize);

/// The variables that hold an address of the newest block of a place, which nobody else knows.
type Fresh = BTreeMap<Variable, Position>;

/// The commands that use only memory of which no other thread knows.
pub(super) fn private_accesses(program: &Program, code: &Code) -> BTreeSet<Position> {
    let places = Places::of(code);
    if places.holders.is_empty() {
        return BTreeSet::new();
    }
    let before = places.fixpoint(program, code);
    let mut found = BTreeSet::new();
    for (index, block) in code.blocks.iter().enumerate() {
        let Some(mut fresh) = before[index].clone() else { continue };
        for (position, instruction) in block.commands.iter().enumerate() {
            if is_within(&instruction.command, &fresh) {
                found.insert((index, position));
            }
            places.step(program, instruction, (index, position), &mut fresh);
        }
    }
    found
}

fn is_within(command: &Command, fresh: &Fresh) -> bool {
    let address = match command {
        Command::Load { address, .. }
        | Command::Store { address, .. }
        | Command::Free { address, .. }
        | Command::Measure { address, .. }
        | Command::Fill { address, .. } => address,
        _ => return false,
    };
    base_of(address).is_some_and(|base| fresh.contains_key(&base))
}

/// The places where code makes blocks.
struct Places<'a> {
    code: &'a Code,
    /// For each place, the variables that may ever hold an address of its blocks, as long as
    /// nobody else knows them.
    holders: BTreeMap<Position, BTreeSet<Variable>>,
}

impl<'a> Places<'a> {
    fn of(code: &'a Code) -> Self {
        let mut holders = BTreeMap::new();
        for (index, block) in code.blocks.iter().enumerate() {
            for (position, instruction) in block.commands.iter().enumerate() {
                if let Command::Allocate { target, .. } = instruction.command
                    && code.locals.contains(&target)
                {
                    holders.insert((index, position), spread(code, target));
                }
            }
        }
        Self { code, holders }
    }

    /// What is fresh where each block begins; nothing where execution never comes.
    fn fixpoint(&self, program: &Program, code: &Code) -> Vec<Option<Fresh>> {
        let step = |instruction: &Instruction, at, fresh: &mut Fresh| {
            self.step(program, instruction, at, fresh);
        };
        let join = |known: &mut Fresh, fresh: Fresh| {
            let n_known = known.len();
            known.retain(|variable, place| fresh.get(variable) == Some(place));
            known.len() < n_known
        };
        facts(code, Fresh::new(), step, join)
    }

    /// What is fresh behind a command.
    fn step(&self, program: &Program, instruction: &Instruction, at: Position, fresh: &mut Fresh) {
        let command = &instruction.command;
        for (told, within) in told(program, instruction, self.code) {
            let within = within.and_then(|base| fresh.get(&base)).copied();
            fresh.retain(|_, place| within == Some(*place) || !self.may_hold(*place, told));
        }
        let Some(target) = command.target() else { return };
        match command {
            Command::Allocate { .. } => {
                fresh.retain(|_, place| *place != at);
                fresh.remove(&target);
                if self.holders.contains_key(&at) {
                    fresh.insert(target, at);
                }
            }
            Command::Assign { value, .. } => {
                let place = base_of(value).and_then(|base| fresh.get(&base)).copied();
                fresh.remove(&target);
                if let Some(place) = place.filter(|_| self.code.locals.contains(&target)) {
                    fresh.insert(target, place);
                }
            }
            _ => {
                fresh.remove(&target);
            }
        }
    }

    fn may_hold(&self, place: Position, expr: &Expr) -> bool {
        let holders = self.holders.get(&place);
        holders.is_none_or(|holders| expr.variables().any(|it| holders.contains(&it)))
    }
}

/// The values that a command may tell others, with the variable at whose address they are
/// written, if they are.
fn told<'a>(
    program: &Program,
    instruction: &'a Instruction,
    code: &Code,
) -> Vec<(&'a Expr, Option<Variable>)> {
    match &instruction.command {
        Command::Store { address, value, .. } => vec![(value, base_of(address))],
        Command::Assign { target, value } if !code.locals.contains(target) => vec![(value, None)],
        Command::Copy { target, source, .. } => vec![(target, None), (source, None)],
        Command::Call { arguments, .. } => match special(program, instruction) {
            None | Some((Special::Create | Special::CreateC11, _)) => {
                arguments.iter().map(|it| (it, None)).collect()
            }
            Some(_) => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The variables to which a value may come from this one: by assignments, or by way of the
/// memory at its address.
fn spread(code: &Code, from: Variable) -> BTreeSet<Variable> {
    let mut held = BTreeSet::from([from]);
    loop {
        let n_held = held.len();
        for instruction in code.blocks.iter().flat_map(|block| &block.commands) {
            let (target, value) = match &instruction.command {
                Command::Assign { target, value } => (target, value),
                Command::Load { target, address, .. } => (target, address),
                _ => continue,
            };
            if value.variables().any(|it| held.contains(&it)) {
                held.insert(*target);
            }
        }
        if held.len() == n_held {
            return held;
        }
    }
}
