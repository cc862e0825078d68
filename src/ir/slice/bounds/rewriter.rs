//! A program with assertions about bounds in place of accesses.

use super::given::Given;
use super::pointers::{Holder, Nullness, Pointer, Pointers, Position, told};
use super::steps::{Check, Ends, Step, assume, wrong_end};
use super::{Called, Failure, MemberPlace, NUMBER, Need, held, number};
use crate::slice::sum::{Sum, sum};
use crate::{
    Block, BlockId, Callee, Command, Expr, Gap, Instruction, MemoryKind, Procedure, ProcedureId,
    Program, ScalarType, Terminator, Variable,
};
use base::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Puts assertions in place of accesses.
pub(super) struct Rewriter<'a> {
    pub(super) program: &'a Program,
    pub(super) pointers: &'a Pointers,
    /// The variables that tell what memory holds.
    pub(super) told: &'a BTreeSet<Variable>,
    /// By such a variable: the pointer behind which a member lies that it tells.
    pub(super) members: &'a BTreeMap<Variable, (Variable, MemberPlace)>,
    /// The pointers that have bounds.
    pub(super) ends: BTreeMap<Holder, Ends>,
    pub(super) checks: BTreeSet<Check>,
    /// What may go wrong, by what is said then.
    pub(super) failures: BTreeMap<String, Failure>,
    /// What calls keep to beside types.
    pub(super) needs: &'a [Need],
    called: &'a Called,
    /// Whether pointers are read from memory.
    pub(super) follows_what_is_read: bool,
    /// Whether untyped pointers get types.
    pub(super) gives_types: bool,
    /// Whether pointers may be written that others can read.
    pub(super) sets_pointers: bool,
    /// By procedure: whether it may write bytes of others that are not 0.
    pub(super) spoils: Vec<bool>,
    pub(super) rewritten: Program,
    /// What is known of the block that is watched, if any is given up.
    pub(super) given: Option<Given>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(
        program: &'a Program,
        pointers: &'a Pointers,
        (told, members): (&'a BTreeSet<Variable>, &'a BTreeMap<Variable, (Variable, MemberPlace)>),
        (needs, called): (&'a [Need], &'a Called),
    ) -> Self {
        let (rewritten, checks, ends) = (program.clone(), BTreeSet::new(), BTreeMap::new());
        let spoils = vec![false; program.procedures.len()];
        let mut commands = program.commands();
        let follows_what_is_read =
            commands.any(|it| matches!(it, Command::Load { ty: ScalarType::Pointer, .. }));
        let gives_types = pointers.gives_types();
        let mut rewriter = Self {
            program,
            pointers,
            told,
            members,
            ends,
            checks,
            failures: BTreeMap::new(),
            follows_what_is_read,
            gives_types,
            sets_pointers: false,
            needs,
            called,
            spoils,
            rewritten,
            given: None,
        };
        rewriter.given = rewriter.watched();
        rewriter.sets_pointers = rewriter.may_set_pointers();
        rewriter.gives_types |= rewriter.types_what_it_keeps();
        if rewriter.tells_strings() {
            rewriter.find_spoilers();
        }
        rewriter
    }

    /// The places where pointers are followed.
    pub(super) fn checks(&self) -> Vec<Check> {
        self.checks.iter().copied().collect()
    }

    /// The program with assertions, for calls of a procedure.
    pub(super) fn program(&mut self, open: ProcedureId) -> Option<Program> {
        self.check_members()?;
        self.give_ends();
        for variable in &mut self.rewritten.variables {
            if variable.ty == ScalarType::Pointer {
                variable.ty = NUMBER;
            }
        }
        for index in 0..self.program.procedures.len() {
            let id = ProcedureId::at(index);
            let is_entry = id == self.program.entry;
            let procedure = match is_entry {
                true => self.entry(open)?,
                false => self.procedure(id)?,
            };
            self.rewritten.procedures[index] = procedure;
        }
        Some(self.rewritten.clone())
    }

    /// Whether the objects of a pointer have bounds.
    pub(super) fn has_ends(&self, pointer: Variable) -> bool {
        self.ends.contains_key(&pointer.index())
    }

    pub(super) fn is_pointer(&self, variable: Variable) -> bool {
        self.program.variable(variable).ty == ScalarType::Pointer
    }

    /// Finds the pointers that need bounds, and what these are made of.
    pub(super) fn give_ends(&mut self) {
        let mut wanted: BTreeSet<Holder> = BTreeSet::new();
        for command in self.program.commands() {
            match command {
                Command::Load { address, ty, .. } => self.want(address, *ty, &mut wanted),
                Command::Store { address, value, ty } => {
                    self.want(address, *ty, &mut wanted);
                    if let (ScalarType::Pointer, Some(Sum { pointer, .. })) = (ty, self.sum(value))
                    {
                        wanted.insert(pointer.index());
                    }
                }
                Command::Fill { address, .. }
                | Command::Free { address, kind: MemoryKind::Heap }
                | Command::Unsupported { gap: Gap::Handed(address), .. } => {
                    self.want_all(address, &mut wanted);
                }
                Command::Copy { target, source, .. } => {
                    self.want_all(target, &mut wanted);
                    self.want_all(source, &mut wanted);
                }
                _ => {}
            }
        }
        let n_variables = self.program.variables.len();
        for holder in self.pointers.sources_of(wanted) {
            let (name, owner) = match holder.checked_sub(n_variables) {
                None => {
                    let own = &self.program.variables[holder];
                    (own.name.clone(), own.owner)
                }
                Some(procedure) => (self.program.procedures[procedure].name.clone(), None),
            };
            let ends = self.new_ends(&name, owner);
            self.ends.insert(holder, ends);
        }
    }

    pub(super) fn new_ends(&mut self, name: &str, owner: Option<ProcedureId>) -> Ends {
        let tells_strings = self.tells_strings();
        let mut make =
            |what: &str| number(&mut self.rewritten, format!("${what} of {name}"), owner);
        let (low, high) = (make("start"), make("end"));
        let zero = tells_strings.then(|| make("zero"));
        Ends { low, high, zero, own: self.given.as_ref().map(|_| make("own")) }
    }

    pub(super) fn sum(&self, address: &Expr) -> Option<Sum> {
        sum(&self.program.variables, address)
    }

    pub(super) fn want(&self, address: &Expr, ty: ScalarType, wanted: &mut BTreeSet<Holder>) {
        if let Some(Sum { pointer, .. }) = self.sum(address)
            && (self.given.is_some() || self.steady(address, self.bytes(ty)).is_none())
        {
            wanted.insert(pointer.index());
        }
    }

    pub(super) fn want_all(&self, address: &Expr, wanted: &mut BTreeSet<Holder>) {
        if let Some(Sum { pointer, .. }) = self.sum(address) {
            wanted.insert(pointer.index());
        }
    }

    /// The pointer and its distance to the start of its object, if an address is always inside,
    /// with so many bytes behind it, unless the object is null; and whether it may be.
    pub(super) fn steady(&self, address: &Expr, bytes: i128) -> Option<(Variable, i128, Nullness)> {
        let Sum { pointer, bytes: more, is_constant, .. } = self.sum(address)?;
        let Pointer { position, least, is_wild, .. } = self.pointers.of_variable(pointer);
        let (Position::At(at, nullness), Some(least)) = (*position, *least) else { return None };
        let is_inside = is_constant && at + more >= 0 && at + more + bytes <= least;
        (is_inside && !is_wild).then_some((pointer, at, nullness))
    }

    /// Whether a value is always null or the start of an object.
    pub(super) fn is_start(&self, value: &Expr) -> bool {
        let Some(Sum { pointer, bytes, is_constant: true, .. }) = self.sum(value) else {
            return false;
        };
        let Pointer { position, is_wild, .. } = self.pointers.of_variable(pointer);
        matches!(position, Position::At(at, _) if at + bytes == 0) && !is_wild
    }

    pub(super) fn procedure(&mut self, id: ProcedureId) -> Option<Procedure> {
        let mut procedure = self.program.procedure(id).clone();
        procedure.shortcut = None;
        if procedure.result == Some(ScalarType::Pointer) {
            procedure.result = Some(NUMBER);
        }
        for parameter in &self.program.procedure(id).parameters {
            if let Some(ends) = self.ends.get(&parameter.index()) {
                procedure.parameters.extend(ends.all());
            }
        }
        for index in 0..self.program.procedure(id).blocks.len() {
            let block = self.program.procedure(id).block(BlockId::at(index)).clone();
            self.block(id, block, index, &mut procedure.blocks)?;
        }
        Some(procedure)
    }

    /// Rewrites a block: each assertion ends it, and the rest is a new one.
    pub(super) fn block(
        &mut self,
        id: ProcedureId,
        block: Block,
        index: usize,
        blocks: &mut Vec<Block>,
    ) -> Option<()> {
        let mut at = BlockId::at(index);
        let mut done: Vec<Instruction> = Vec::new();
        for (position, instruction) in block.commands.iter().enumerate() {
            let next = block.commands.get(position + 1).map(|it| &it.command);
            let span = instruction.span;
            let mut steps = Vec::new();
            if let Some(callee) = self.called.get(&(id, index, position)) {
                self.check_called(span, callee, &mut steps);
            }
            steps.extend(self.command((id, span), (&instruction.command, next))?);
            for step in steps {
                let (failure, condition) = match step {
                    Step::Do(command) => {
                        done.push(Instruction { command, span });
                        continue;
                    }
                    Step::OneOf(ways) => {
                        let before = std::mem::take(&mut done);
                        at = self.divide((id, span), (at, before), ways, blocks);
                        continue;
                    }
                    Step::Assert(failure, condition) => (failure, condition),
                };
                self.failures.insert(failure.what(), failure);
                blocks.push(wrong_end(failure, span));
                let (wrong, goes_on) = (BlockId::at(blocks.len() - 1), BlockId::at(blocks.len()));
                let terminator = Terminator::Branch { condition, then: goes_on, otherwise: wrong };
                blocks.push(Block { commands: Vec::new(), terminator: Terminator::Halt, span });
                blocks[at.index()] =
                    Block { commands: std::mem::take(&mut done), terminator, span };
                at = goes_on;
            }
        }
        let mut terminator = block.terminator;
        if let Terminator::Return(Some(value)) = &terminator
            && let Some(ends) = self.ends.get(&self.pointers.result(id)).copied()
        {
            let is_left = |it: Variable| self.program.variable(it).owner == Some(id);
            let leaves =
                |it: Sum| self.pointers.of_variable(it.pointer).made.iter().copied().any(is_left);
            // What the procedure made on its stack is gone.
            let value = match self.sum(value) {
                Some(it) if leaves(it) => &Expr::Constant(0),
                _ => value,
            };
            let steps = self.copy_ends(ends, value);
            let steps = steps.into_iter().filter_map(Step::command);
            done.extend(steps.map(|command| Instruction { command, span: block.span }));
        }
        if let Some(value) = terminator.expression_mut() {
            self.as_number(value);
        }
        if let Terminator::Return(_) = terminator {
            let left = self.leave(id).into_iter().filter_map(Step::command);
            done.extend(left.map(|command| Instruction { command, span: block.span }));
        }
        blocks[at.index()] = Block { commands: done, terminator, span: block.span };
        Some(())
    }

    /// Goes on in one of some ways, whichever; the block where these meet again.
    fn divide(
        &mut self,
        (id, span): (ProcedureId, Span),
        (at, mut commands): (BlockId, Vec<Instruction>),
        ways: Vec<Vec<Command>>,
        blocks: &mut Vec<Block>,
    ) -> BlockId {
        let way = number(&mut self.rewritten, "$way".to_owned(), Some(id));
        commands.push(Instruction { command: held(way), span });
        let (first, n_ways) = (blocks.len(), ways.len());
        let met = BlockId::at(first + n_ways);
        let numbered = (1..n_ways).zip(1..);
        let cases = numbered.map(|(at, case)| (case, case, BlockId::at(first + at))).collect();
        let terminator =
            Terminator::Switch { value: way.into(), cases, default: BlockId::at(first) };
        for way in ways {
            let commands = way.into_iter().map(|command| Instruction { command, span });
            let terminator = Terminator::Goto(met);
            blocks.push(Block { commands: commands.collect(), terminator, span });
        }
        blocks.push(Block { commands: Vec::new(), terminator: Terminator::Halt, span });
        blocks[at.index()] = Block { commands, terminator, span };
        met
    }

    pub(super) fn command(
        &mut self,
        (id, span): (ProcedureId, Span),
        (command, next): (&Command, Option<&Command>),
    ) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        self.check_kept(command)?;
        match command {
            Command::Assign { target, value } => self.assign(*target, value, &mut steps),
            Command::Havoc { target, source } => self.havoc((*target, source), &mut steps),
            Command::Load { target, address, ty } => {
                self.check(span, address, self.bytes(*ty), &mut steps)?;
                self.check_pointer_row((address, *ty), &mut steps);
                let place = self.place(id, (*target, address), &mut steps);
                if let Some(cell) = told(command, next, self.told) {
                    self.find(cell, (address, &place), &mut steps);
                } else {
                    self.loaded(*target, address, &mut steps);
                    self.find(*target, (address, &place), &mut steps);
                    self.compared_with_zero((*target, *ty), address, &mut steps);
                }
            }
            Command::Store { address, value, ty } => {
                self.check(span, address, self.bytes(*ty), &mut steps)?;
                self.check_pointer_row((address, *ty), &mut steps);
                self.check_writable(address)?;
                match ty {
                    ScalarType::Pointer => self.check_stored((span, address), value, &mut steps)?,
                    ty => self.check_number((span, address), self.bytes(*ty))?,
                }
                self.check_member((span, address), (value, *ty), &mut steps);
                self.keep((address, value, *ty), &mut steps);
                match self.bytes(*ty) {
                    1 if self.is_spoiled(command) => self.spoil_at(id, address, &mut steps),
                    _ => self.spoil(self.is_spoiled(command).then_some(id), &mut steps),
                }
            }
            Command::Allocate { target, size, .. } => self.make(*target, size, &mut steps),
            Command::Free { address, kind: MemoryKind::Stack } => {
                self.lose(id, address, &mut steps)?
            }
            Command::Free { address, kind: MemoryKind::Heap } => {
                self.give_up((span, address), &mut steps)?;
            }
            Command::Free { .. } => {}
            Command::Fill { address, byte, size } => {
                self.check_all((span, address), size, &mut steps)?;
                self.check_rows(address, size, &mut steps);
                self.check_writable(address)?;
                self.check_filled(address, byte, size)?;
                self.check_members_filled(address, size, &mut steps);
                self.forget(address, size, &mut steps);
                self.spoil(self.is_spoiled(command).then_some(id), &mut steps);
            }
            Command::Copy { target, source, size, overlap } => {
                self.check_all((span, target), size, &mut steps)?;
                self.check_all((span, source), size, &mut steps)?;
                self.check_rows(target, size, &mut steps);
                self.check_rows(source, size, &mut steps);
                self.check_writable(target)?;
                self.check_copied((target, size), source, *overlap, &mut steps)?;
                self.check_kept_once(target, size)?;
                self.spoil(self.is_spoiled(command).then_some(id), &mut steps);
            }
            Command::Assume { condition } => {
                let mut condition = condition.clone();
                self.as_number(&mut condition);
                steps.push(assume(condition));
            }
            Command::Call { target, callee, arguments } => {
                let Callee::Direct(callee) = callee else { return None };
                self.call(id, (*target, *callee), arguments, &mut steps);
            }
            // The run ends here.
            Command::Error { .. } => steps.push(assume(Expr::Constant(0))),
            Command::Unsupported { gap: Gap::Granted(_), .. } => self.share(&mut steps),
            Command::Unsupported { gap: Gap::Handed(object), .. } if self.given.is_some() => {
                self.give_up((span, object), &mut steps)?;
                self.spoil(Some(id), &mut steps);
            }
            Command::Unsupported { .. } => steps.push(Step::Do(command.clone())),
            Command::Measure { .. } => return None,
        }
        Some(steps)
    }

    /// A pointer that is read or written stays in the member that it is an element of.
    fn check_pointer_row(&self, (address, ty): (&Expr, ScalarType), steps: &mut Vec<Step>) {
        if ty == ScalarType::Pointer {
            self.check_row(address, Expr::Constant(self.bytes(ty)), steps);
        }
    }

    /// So many bytes stay in the member of whose elements they are.
    fn check_rows(&self, address: &Expr, size: &Expr, steps: &mut Vec<Step>) {
        let mut size = size.clone();
        self.as_number(&mut size);
        self.check_row(address, size, steps);
    }

    pub(super) fn bytes(&self, ty: ScalarType) -> i128 {
        i128::from(ty.bytes(self.program.pointer_bytes))
    }
}
