//! Which variables a question about a program's runs depends on, as far as can be told from
//! where they occur.
//!
//! Relevant is what addresses are made of, what decides how often loops are run and which
//! effects there are, and what flows there. An *effect* is a loop, an error, a block that begins
//! or ends, a call that leads to an effect, a relevant variable that gets a value.
//!
//! A condition that reads a variable that an address is made of is relevant as well: often it
//! says where the address may point.

use super::control::deciding;
use super::pointees::pointees;
use super::size;
use crate::cutpoint::{CallGraph, CutSet};
use crate::{
    BinaryOp, Callee, Command, Expr, Procedure, ProcedureId, Program, ScalarType, Terminator,
    Variable,
};
use std::collections::BTreeSet;

/// The work of a search, for each block and command of the program: what takes longer is
/// no slice worth having.
const MOST_ROUNDS: usize = 60;

/// What a question speaks of.
#[derive(Clone, Debug, Default)]
pub struct Aim {
    /// Variables that count.
    pub variables: Vec<Variable>,
    /// Procedures whose calls count.
    pub procedures: BTreeSet<ProcedureId>,
}

/// What nothing depends on that matters for an aim.
#[derive(Clone, Debug)]
pub struct Irrelevant {
    /// The variables, by index.
    pub variables: Vec<bool>,
    /// The parts of memory.
    pub memory: Memory,
}

/// A part of memory: of numbers, since addresses are relevant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// Nothing.
    #[default]
    Nothing,
    /// All but what has these types and is so far behind the start of its block.
    Except(BTreeSet<(i128, ScalarType)>),
    /// All of it: addresses are numbers ([`addresses`](super::addresses)).
    Everything,
}

impl Memory {
    /// Whether what a block holds at an offset is part of it.
    #[must_use]
    pub fn contains(&self, offset: i128, ty: ScalarType) -> bool {
        match self {
            Self::Nothing => false,
            Self::Everything => true,
            Self::Except(kept) => ty != ScalarType::Pointer && !kept.contains(&(offset, ty)),
        }
    }
}

/// What nothing depends on that matters for the aim; `None` if that is not found soon.
#[must_use]
pub fn irrelevant(program: &Program, aim: &Aim) -> Option<Irrelevant> {
    found(Search::new(program, aim, Contents::Read))
}

/// The same of a program where addresses are numbers, and nothing is said of memory.
#[must_use]
pub fn irrelevant_without_memory(program: &Program, aim: &Aim) -> Option<Irrelevant> {
    let found = found(Search::new(program, aim, Contents::Unknown))?;
    Some(Irrelevant { memory: Memory::Everything, ..found })
}

/// What is known of what memory holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contents {
    /// What was written.
    Read,
    /// Nothing.
    Unknown,
}

fn found(mut search: Search<'_>) -> Option<Irrelevant> {
    for _ in 0..MOST_ROUNDS {
        if !search.round() {
            let variables = search.relevant.iter().map(|is_relevant| !is_relevant).collect();
            let place = |field: Field| field.map(|(_, offset, ty)| (offset, ty));
            let fields: Option<BTreeSet<_>> = search.fields.into_iter().map(place).collect();
            let memory = fields.map_or(Memory::Nothing, Memory::Except);
            return Some(Irrelevant { variables, memory });
        }
    }
    None
}

/// Which part of the memory a command accesses: in which blocks, so far behind where a variable
/// points, and of this type. Other addresses are nowhere in particular.
type Field = Option<(usize, i128, ScalarType)>;

struct Search<'a> {
    program: &'a Program,
    calls: CallGraph,
    /// By procedure and block: the branches that decide about it.
    deciding: Vec<Vec<Vec<usize>>>,
    /// By procedure and block: whether it has an effect.
    has_effect: Vec<Vec<bool>>,
    /// By procedure and block: whether the branch at its end is relevant.
    decides: Vec<Vec<bool>>,
    /// By procedure: whether its calls have effects.
    matters: Vec<bool>,
    /// By procedure: whether its result is relevant.
    results: Vec<bool>,
    /// By variable.
    relevant: Vec<bool>,
    /// By variable: whether it occurs in an address.
    in_address: Vec<bool>,
    /// By variable: which blocks it may point to.
    blocks: Vec<usize>,
    /// The parts of memory that are read into relevant variables.
    fields: BTreeSet<Field>,
    contents: Contents,
    changed: bool,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program, aim: &Aim, contents: Contents) -> Self {
        let per_block = |procedure: &Procedure| vec![false; procedure.blocks.len()];
        let calls = CallGraph::of_program(program);
        let mut search = Self {
            program,
            deciding: program.procedures.iter().map(deciding).collect(),
            has_effect: program.procedures.iter().map(per_block).collect(),
            decides: program.procedures.iter().map(per_block).collect(),
            matters: vec![false; program.procedures.len()],
            results: vec![false; program.procedures.len()],
            relevant: vec![false; program.variables.len()],
            in_address: vec![false; program.variables.len()],
            blocks: pointees(program),
            fields: BTreeSet::new(),
            contents,
            changed: false,
            calls,
        };
        aim.variables.iter().for_each(|it| search.relevant[it.index()] = true);
        aim.procedures.iter().for_each(|it| search.matters[it.index()] = true);
        for (index, procedure) in program.procedures.iter().enumerate() {
            for head in CutSet::of_procedure(procedure).iter() {
                search.has_effect[index][head.index()] = true;
                search.matters[index] = true;
            }
            let id = ProcedureId::at(index);
            if search.calls.may_recurse(id) || !procedure.is_defined() {
                search.matters[index] = true;
                search.has_effect[index].iter_mut().take(1).for_each(|it| *it = true);
            }
        }
        search.note_calls_of_anyone();
        search.note_addresses();
        search
    }

    /// Of procedures that are called through pointers, or have shortcuts, all is relevant.
    fn note_calls_of_anyone(&mut self) {
        let program = self.program;
        let all = || (0..program.procedures.len()).map(ProcedureId::at);
        let models = all().filter(|it| program.procedure(*it).shortcut.is_some());
        let models = self.calls.reachable(models);
        let is_model = |owner: Option<ProcedureId>| owner.is_some_and(|it| models.contains(&it));
        for (index, variable) in program.variables.iter().enumerate() {
            self.relevant[index] |= is_model(variable.owner);
        }
        for id in self.calls.called_through_pointers().iter().chain(&models) {
            self.results[id.index()] = true;
            self.matters[id.index()] = true;
            for parameter in &program.procedure(*id).parameters {
                self.relevant[parameter.index()] = true;
            }
        }
    }

    /// What addresses are made of, and what must have a value of some kind for a command to
    /// have a meaning.
    fn note_addresses(&mut self) {
        let program = self.program;
        let blocks = program.blocks();
        for instruction in blocks.flat_map(|block| &block.commands) {
            match &instruction.command {
                Command::Load { address, .. } | Command::Store { address, .. }
                    if self.contents == Contents::Unknown =>
                {
                    self.need(address);
                }
                command if self.contents == Contents::Unknown && is_about_memory(command) => {}
                Command::Load { address, .. }
                | Command::Store { address, .. }
                | Command::Measure { address, .. }
                | Command::Free { address, .. } => self.points(address),
                Command::Fill { address, size, .. } => {
                    [address, size].into_iter().for_each(|it| self.points(it));
                }
                Command::Copy { target, source, size, .. } => {
                    [target, source, size].into_iter().for_each(|it| self.points(it));
                }
                Command::Allocate { size, .. } => self.points(size),
                Command::Call { callee: Callee::Indirect(address), .. } => self.points(address),
                command => command.expressions().for_each(|expr| self.divides(expr)),
            }
        }
    }

    fn points(&mut self, address: &Expr) {
        address.variables().for_each(|variable| {
            self.relevant[variable.index()] = true;
            self.in_address[variable.index()] = true;
        });
    }

    /// Notes divisors and the like.
    fn divides(&mut self, expr: &Expr) {
        for part in expr.parts() {
            if let Expr::Binary(op, _, right) = part
                && !op.is_total_with(right)
            {
                right.variables().for_each(|it| self.relevant[it.index()] = true);
            }
        }
    }

    /// Looks at everything once, against the order of execution; whether that has changed
    /// anything.
    fn round(&mut self) -> bool {
        self.changed = false;
        let program = self.program;
        for (index, procedure) in program.procedures.iter().enumerate().rev() {
            for (position, block) in procedure.blocks.iter().enumerate().rev() {
                self.terminator((index, position), &block.terminator);
                for instruction in block.commands.iter().rev() {
                    self.command((index, position), &instruction.command);
                }
                if self.has_effect[index][position] {
                    self.decided((index, position));
                }
            }
        }
        self.changed
    }

    fn terminator(&mut self, (index, position): (usize, usize), terminator: &Terminator) {
        match terminator {
            Terminator::Return(value) => {
                if let Some(value) = value.as_ref().filter(|_| self.results[index]) {
                    self.need(value);
                    self.effect((index, position));
                }
            }
            Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
                if self.decides[index][position] || self.is_about_address(value) {
                    self.need(value);
                }
            }
            Terminator::Goto(_) | Terminator::Halt => {}
        }
    }

    fn is_about_address(&self, condition: &Expr) -> bool {
        let mut found = false;
        condition.variables().for_each(|variable| found |= self.in_address[variable.index()]);
        found
    }

    fn command(&mut self, at: (usize, usize), command: &Command) {
        match command {
            command if self.contents == Contents::Unknown && is_about_memory(command) => {
                let wanted = command.target().filter(|it| self.relevant[it.index()]);
                wanted.into_iter().for_each(|it| self.gives(at, it));
            }
            Command::Assign { target, value } if self.relevant[target.index()] => {
                self.need(value);
                self.gives(at, *target);
            }
            Command::Havoc { target, .. } if self.relevant[target.index()] => {
                self.gives(at, *target);
            }
            Command::Load { target, address, ty } if self.relevant[target.index()] => {
                let field = self.field_of(address, *ty);
                self.changed |= self.fields.insert(field);
                self.gives(at, *target);
            }
            Command::Store { address, value, ty } if self.is_read(self.field_of(address, *ty)) => {
                self.need(value);
                self.lasting_effect(at);
            }
            Command::Call { target, callee, arguments } => {
                self.call(at, (*target, callee), arguments);
            }
            Command::Assume { condition } if command.range_assumed().is_none() => {
                self.need(condition);
                self.effect(at);
            }
            Command::Allocate { .. }
            | Command::Measure { .. }
            | Command::Free { .. }
            | Command::Fill { .. }
            | Command::Copy { .. }
            | Command::Error { .. }
            | Command::Unsupported { .. } => self.lasting_effect(at),
            Command::Assign { .. }
            | Command::Havoc { .. }
            | Command::Load { .. }
            | Command::Store { .. }
            | Command::Assume { .. } => {}
        }
    }

    fn call(
        &mut self,
        at: (usize, usize),
        (target, callee): (Option<Variable>, &Callee),
        arguments: &[Expr],
    ) {
        let wanted = target.filter(|it| self.relevant[it.index()]);
        wanted.into_iter().for_each(|it| self.gives(at, it));
        match callee {
            Callee::Indirect(_) => {
                arguments.iter().for_each(|it| self.need(it));
                self.lasting_effect(at);
            }
            Callee::Direct(callee) => {
                let program = self.program;
                for id in program.entered(*callee) {
                    if wanted.is_some() && !std::mem::replace(&mut self.results[id.index()], true) {
                        self.changed = true;
                    }
                    let parameters = &program.procedure(id).parameters;
                    for (parameter, argument) in parameters.iter().zip(arguments) {
                        if self.relevant[parameter.index()] {
                            self.need(argument);
                        }
                    }
                    if self.matters[id.index()] {
                        self.lasting_effect(at);
                    }
                }
            }
        }
    }

    fn is_read(&self, field: Field) -> bool {
        match field {
            Some(_) => self.fields.contains(&field) || self.fields.contains(&None),
            None => !self.fields.is_empty(),
        }
    }

    fn field_of(&self, address: &Expr, ty: ScalarType) -> Field {
        let (base, offset) = match address {
            Expr::Variable(base) => (*base, 0),
            Expr::Binary(BinaryOp::Add, base, offset) => match (&**base, &**offset) {
                (Expr::Variable(base), Expr::Constant(offset)) => (*base, *offset),
                _ => return None,
            },
            _ => return None,
        };
        Some((self.blocks[base.index()], offset, ty))
    }

    fn need(&mut self, value: &Expr) {
        let (relevant, changed) = (&mut self.relevant, &mut self.changed);
        value.variables().for_each(|variable| {
            *changed |= !std::mem::replace(&mut relevant[variable.index()], true);
        });
    }

    /// What decides about a block is relevant.
    fn decided(&mut self, (index, position): (usize, usize)) {
        for branch in &self.deciding[index][position] {
            self.changed |= !std::mem::replace(&mut self.decides[index][*branch], true);
            // And so is whether it is come to.
            self.has_effect[index][*branch] = true;
        }
    }

    /// Notes that a block has an effect inside of the call.
    fn effect(&mut self, (index, position): (usize, usize)) {
        self.has_effect[index][position] = true;
    }

    /// Notes that a block gives a value to a variable.
    fn gives(&mut self, at: (usize, usize), target: Variable) {
        match self.program.variable(target).owner {
            Some(_) => self.effect(at),
            None => self.lasting_effect(at),
        }
    }

    /// Notes that a block has an effect that callers see.
    fn lasting_effect(&mut self, at: (usize, usize)) {
        self.effect(at);
        self.changed |= !std::mem::replace(&mut self.matters[at.0], true);
    }
}

/// Whether a command accesses memory, or changes what is there.
fn is_about_memory(command: &Command) -> bool {
    match command {
        Command::Load { .. }
        | Command::Store { .. }
        | Command::Measure { .. }
        | Command::Free { .. }
        | Command::Fill { .. }
        | Command::Copy { .. }
        | Command::Allocate { .. } => true,
        Command::Assign { .. }
        | Command::Havoc { .. }
        | Command::Assume { .. }
        | Command::Call { .. }
        | Command::Error { .. }
        | Command::Unsupported { .. } => false,
    }
}

/// Smaller programs are looked at as they are.
const SMALL: usize = 800;

/// Whether a program is so large that slices of it are worth while.
#[must_use]
pub fn is_large(program: &Program) -> bool {
    size(program) > SMALL
}
