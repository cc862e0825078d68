//! What threads are called. That is any number but 0, and no other thread has it at the time: who
//! has ended and was waited for gives its name back.
//!
//! Most programs use names for nothing but to wait for threads. There it makes no difference what
//! they are, and each thread has one of its own.

use super::inline::Code;
use super::schedule::{JOINED, NOT_STARTED, Product};
use super::sharing::{Cell, Shared, base_of};
use super::whole::callee_of;
use super::{Special, Thread, special};
use crate::instrument::add_global;
use crate::threads::Purpose;
use ir::{
    BinaryOp, Command, Expr, HavocSource, Instruction, IntKind, Program, ScalarType, Variable,
};
use std::collections::BTreeSet;

/// Whether anything but who is waited for may depend on what threads are called.
pub(super) fn are_seen(program: &Program, threads: &[Thread], shared: &Shared) -> bool {
    let codes: Vec<&Code> = threads.iter().map(|it| &it.code).collect();
    let mut known = Names { program, shared, held: BTreeSet::new(), places: BTreeSet::new() };
    loop {
        let before = (known.held.len(), known.places.len());
        for instruction in codes.iter().flat_map(|code| &code.blocks).flat_map(|it| &it.commands) {
            if known.follow(instruction) {
                return true;
            }
        }
        let mut ends =
            codes.iter().flat_map(|code| &code.blocks).filter_map(|it| it.terminator.expression());
        if ends.any(|it| known.is_name(it)) {
            return true;
        }
        if before == (known.held.len(), known.places.len()) {
            return false;
        }
    }
}

/// Whether threads may end that nobody waits for, and give their names back.
pub(super) fn detaches(program: &Program) -> bool {
    let is_one = |name: &str| {
        matches!(name, "pthread_detach" | "thrd_detach" | "pthread_attr_setdetachstate")
    };
    program.procedures.iter().any(|it| it.name.split('$').next().is_some_and(is_one))
}

/// Where names are.
struct Names<'a> {
    program: &'a Program,
    shared: &'a Shared,
    /// The variables that may hold what is made of one.
    held: BTreeSet<Variable>,
    /// Where they may be in memory, with the offset if that is known.
    places: BTreeSet<(Cell, Option<i128>)>,
}

impl Names<'_> {
    fn is_name(&self, expr: &Expr) -> bool {
        expr.variables().any(|it| self.held.contains(&it))
    }

    /// Notes what an instruction does to names. Gives whether something depends on one.
    fn follow(&mut self, instruction: &Instruction) -> bool {
        let command = &instruction.command;
        match special(self.program, instruction) {
            Some((Special::Create | Special::CreateC11, [id, given @ ..])) => {
                self.places.insert(self.place(id));
                return given.iter().any(|it| self.is_name(it)) || self.is_name(id);
            }
            Some((Special::Name, _)) => {
                self.held.extend(command.target());
                return false;
            }
            Some((Special::Join | Special::Result, _)) => return false,
            Some((_, arguments)) => return arguments.iter().any(|it| self.is_name(it)),
            None => {}
        }
        match command {
            Command::Assign { target, value } => {
                if self.is_name(value) {
                    self.held.insert(*target);
                }
                false
            }
            Command::Store { address, value, .. } => {
                if self.is_name(value) {
                    self.places.insert(self.place(address));
                }
                self.is_name(address)
            }
            Command::Load { target, address, ty } => {
                if self.may_be_name(address, *ty) {
                    self.held.insert(*target);
                }
                self.is_name(address)
            }
            Command::Call { target, .. } => {
                let mut is_told = false;
                command.expressions().for_each(|it| is_told |= self.is_name(it));
                let effects = callee_of(self.program, instruction);
                let effects = effects.and_then(|it| self.shared.effects_of(it));
                let mut uses = effects.into_iter().flatten();
                let is_read = uses.any(|(cell, _)| self.places.iter().any(|(it, _)| it == cell));
                if is_told || is_read {
                    self.held.extend(*target);
                }
                // It may have been written anywhere.
                let writes = |cell: &Cell| !matches!(cell, Cell::Variable(_));
                let mut uses = effects.into_iter().flatten();
                is_told && uses.any(|(cell, how)| *how == super::Use::Write && writes(cell))
            }
            other => {
                let mut is_used = false;
                other.expressions().for_each(|it| is_used |= self.is_name(it));
                is_used
            }
        }
    }

    fn place(&self, address: &Expr) -> (Cell, Option<i128>) {
        match self.shared.cell(address) {
            Cell::Object(object) => (Cell::Object(object), offset_of(address)),
            other => (other, None),
        }
    }

    /// Whether a name may be read there. One whose place is not known is read as a whole.
    fn may_be_name(&self, address: &Expr, ty: ScalarType) -> bool {
        let bytes = i128::from(ty.bytes(self.program.pointer_bytes));
        let size = i128::from(self.program.pointer_bytes);
        let (cell, offset) = self.place(address);
        self.places.iter().filter(|(it, _)| *it == cell).any(|(_, at)| match (offset, at) {
            (Some(offset), Some(at)) => offset < at + size && *at < offset + bytes,
            _ => bytes == size,
        })
    }
}

/// How far an address is behind the beginning of an object, if that is constant.
fn offset_of(address: &Expr) -> Option<i128> {
    match address {
        Expr::Variable(_) => Some(0),
        Expr::Binary(BinaryOp::Add, left, right) => match **right {
            Expr::Constant(more) => offset_of(left)?.checked_add(more),
            _ => None,
        },
        _ => None,
    }
    .filter(|_| base_of(address).is_some())
}

impl Product {
    /// Adds variables for what threads are called, if that is seen.
    pub(super) fn add_names(&mut self, program: &mut Program, threads: &[Thread], shared: &Shared) {
        if !are_seen(program, threads, shared) {
            return;
        }
        let bits = u8::try_from(program.pointer_bytes * 8).unwrap_or(64);
        let ty = ScalarType::Int(IntKind { bits, signed: false });
        self.names = (0..threads.len())
            .map(|number| add_global(program, &format!("$name{number}"), ty))
            .collect();
        self.anybody = add_global(program, "$name", ty);
        self.has_detached = detaches(program);
    }

    /// What is noted of the name of a thread that is started: nobody else has it now.
    pub(super) fn takes_name(&self, number: usize) -> Vec<Command> {
        let Some(name) = self.names.get(number).copied() else { return Vec::new() };
        let source = HavocSource::Input("what a thread is called".to_owned());
        let condition = Expr::binary(BinaryOp::NotEqual, name.into(), Expr::Constant(0));
        let mut commands =
            vec![Command::Havoc { target: name, source }, Command::Assume { condition }];
        // A thread that nobody waits for gives its name back when it ends, which may be at any time.
        let is_any = self.purpose == Purpose::Proof && self.has_detached;
        let others = self.names.iter().enumerate().filter(|_| !is_any);
        let is_one = |it: &usize| *it != number && !self.crowds.contains(it);
        for (other, its) in others.filter(|(other, _)| is_one(other)) {
            let is_at = |place: i128| {
                Expr::binary(BinaryOp::Equal, self.places[other].into(), Expr::Constant(place))
            };
            let free = [NOT_STARTED, JOINED];
            let apart = Expr::binary(BinaryOp::NotEqual, name.into(), (*its).into());
            let or = |left, right| Expr::binary(BinaryOp::Or, left, right);
            let condition = free.into_iter().map(is_at).fold(apart, or);
            commands.push(Command::Assume { condition });
        }
        commands
    }
}
