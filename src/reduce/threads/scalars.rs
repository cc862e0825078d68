//! Objects that are used part by part: each part becomes a variable.
//!
//! ```text
//!   s := block of 48 bytes                          s.0, s.16 variables
//!   $1 := [s + 16 : i32]             becomes        $1 := s.16
//!   [s : u32] := $1 + 1                             s.0 := $1 + 1
//! ```
//!
//! That holds of an object whose address is used for nothing but accesses at constant offsets,
//! where parts do not overlap and each is used as one type.

use super::inline::{Code, is_object};
use super::sharing::closed;
use super::{Thread, special};
use crate::instrument::add_global;
use ir::{BinaryOp, Command, Expr, Instruction, Program, ScalarType, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A place in an object: the variable that holds its address, and an offset.
type Place = (Variable, i128);

/// The variables that stand for parts of objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Scalars {
    parts: BTreeMap<Place, (Variable, ScalarType)>,
}

impl Scalars {
    /// Puts variables in the place of parts of global objects, as far as all threads use these
    /// part by part.
    pub(super) fn promote(program: &mut Program, threads: &mut [Thread]) -> Self {
        let codes: Vec<&Code> = threads.iter().map(|thread| &thread.code).collect();
        let mut scalars = Self::default();
        for (object, parts) in divisible(program, &codes) {
            for (offset, ty) in parts {
                let name = &program.variable(object).name;
                let name = if offset == 0 { name.clone() } else { format!("{name}.{offset}") };
                let variable = add_global(program, &name, ty);
                scalars.parts.insert((object, offset), (variable, ty));
            }
        }
        for thread in threads {
            for block in &mut thread.code.blocks {
                let commands = std::mem::take(&mut block.commands);
                let renamed = commands.into_iter().flat_map(|it| scalars.renamed(program, it));
                block.commands = renamed.collect();
            }
        }
        scalars
    }

    /// The variables.
    pub(super) fn variables(&self) -> BTreeSet<Variable> {
        self.parts.values().map(|(variable, _)| *variable).collect()
    }

    /// Gives the variables the values of the parts.
    pub(super) fn loads(&self) -> Vec<Command> {
        let load = |((object, offset), (target, ty)): (&Place, &(Variable, ScalarType))| {
            let address = match offset {
                0 => Expr::from(*object),
                _ => Expr::binary(BinaryOp::Add, (*object).into(), Expr::Constant(*offset)),
            };
            Command::Load { target: *target, address, ty: *ty }
        };
        self.parts.iter().map(load).collect()
    }

    fn at(&self, address: &Expr) -> Option<Variable> {
        let place = place_of(address)?;
        self.parts.get(&place).map(|(variable, _)| *variable)
    }

    /// What an instruction does to the variables.
    fn renamed(&self, program: &Program, instruction: Instruction) -> Vec<Instruction> {
        let span = instruction.span;
        let assign = |target, value| Command::Assign { target, value };
        let done = match &instruction.command {
            Command::Load { target, address, .. } => {
                self.at(address).map(|part| vec![assign(*target, part.into())])
            }
            Command::Store { address, value, .. } => {
                self.at(address).map(|part| vec![assign(part, value.clone())])
            }
            Command::Fill { address, size, .. } => {
                range_of(address, size).map(|(object, range)| {
                    let within = self.parts.range((object, range.start)..(object, range.end));
                    within.map(|(_, (part, _))| assign(*part, Expr::Constant(0))).collect()
                })
            }
            _ => None,
        };
        if let Some(commands) = done.filter(|it: &Vec<Command>| !it.is_empty()) {
            return commands.into_iter().map(|command| Instruction { command, span }).collect();
        }
        let mut instruction = instruction;
        let is_special = special(program, &instruction).is_some();
        if let Command::Call { arguments, .. } = &mut instruction.command
            && is_special
            && let Some(first) = arguments.first_mut()
            && let Some(part) = self.at(first)
        {
            *first = part.into();
        }
        vec![instruction]
    }
}

/// The global objects that are used part by part, with their parts.
fn divisible(program: &Program, codes: &[&Code]) -> BTreeMap<Variable, BTreeMap<i128, ScalarType>> {
    let mut objects = closed(program, codes);
    objects.retain(|it| is_object(program, *it));
    for used in of_the_library(program) {
        objects.remove(&used);
    }
    let mut uses: BTreeMap<Variable, Uses> =
        objects.into_iter().map(|it| (it, Uses::default())).collect();
    for block in codes.iter().flat_map(|code| &code.blocks) {
        for instruction in &block.commands {
            note(program, instruction, &mut uses);
        }
    }
    let bytes = |ty: ScalarType| i128::from(ty.bytes(program.pointer_bytes));
    uses.retain(|_, uses| uses.are_apart(&bytes));
    uses.into_iter().map(|(object, uses)| (object, uses.parts)).collect()
}

/// The variables that functions of the library use, which are no part of any thread's code.
pub(super) fn of_the_library(program: &Program) -> BTreeSet<Variable> {
    let is_librarys = |name: &str| name.contains('$');
    let mut found = BTreeSet::new();
    for (id, procedure) in program.procedures.iter().enumerate() {
        if id == program.entry.index() || !is_librarys(&procedure.name) {
            continue;
        }
        found.extend(procedure.blocks.iter().flat_map(ir::Block::variables));
    }
    found
}

/// How an object is used.
#[derive(Default)]
struct Uses {
    parts: BTreeMap<i128, ScalarType>,
    /// Ranges that are filled with zeros.
    zeroed: Vec<std::ops::Range<i128>>,
    /// Whether it is used in another way, too.
    otherwise: bool,
}

impl Uses {
    fn part(&mut self, offset: i128, ty: ScalarType) {
        self.otherwise |= *self.parts.entry(offset).or_insert(ty) != ty;
    }

    /// Whether there are parts, none of which overlaps another one or is filled in part.
    fn are_apart(&self, bytes: &impl Fn(ScalarType) -> i128) -> bool {
        let mut end = 0;
        for (offset, ty) in &self.parts {
            if *offset < end {
                return false;
            }
            end = offset + bytes(*ty);
            let is_cut = |range: &std::ops::Range<i128>| {
                let is_apart = range.end <= *offset || end <= range.start;
                !is_apart && (*offset < range.start || range.end < end)
            };
            if self.zeroed.iter().any(is_cut) {
                return false;
            }
        }
        !self.otherwise && !self.parts.is_empty()
    }
}

/// Notes what an instruction does to objects.
fn note(program: &Program, instruction: &Instruction, uses: &mut BTreeMap<Variable, Uses>) {
    let mut of = |address: &Expr, how: &dyn Fn(&mut Uses, Option<i128>)| {
        let base = super::sharing::base_of(address);
        if let Some(uses) = base.and_then(|base| uses.get_mut(&base)) {
            how(uses, place_of(address).map(|(_, offset)| offset));
        }
    };
    let part = |ty: ScalarType| {
        move |uses: &mut Uses, offset: Option<i128>| match offset {
            Some(offset) => uses.part(offset, ty),
            None => uses.otherwise = true,
        }
    };
    let other = |uses: &mut Uses, _: Option<i128>| uses.otherwise = true;
    match &instruction.command {
        Command::Load { address, ty, .. } | Command::Store { address, ty, .. } => {
            of(address, &part(*ty));
        }
        Command::Fill { address, byte, size } => {
            let range = range_of(address, size).filter(|_| *byte == Expr::Constant(0));
            of(address, &|uses, _| match &range {
                Some((_, range)) => uses.zeroed.push(range.clone()),
                None => uses.otherwise = true,
            });
        }
        Command::Free { address, .. } | Command::Measure { address, .. } => of(address, &other),
        Command::Call { arguments, .. } => {
            let is_lock = special(program, instruction).is_some_and(|(it, _)| it.begins());
            let first = arguments.first().filter(|_| !is_lock);
            if let Some(first) = first {
                of(first, &other);
            }
        }
        _ => {}
    }
}

/// The place that an address is, if its offset is constant.
fn place_of(address: &Expr) -> Option<Place> {
    match address {
        Expr::Variable(variable) => Some((*variable, 0)),
        Expr::Binary(BinaryOp::Add, left, right) => match (place_of(left)?, &**right) {
            ((variable, offset), Expr::Constant(more)) => Some((variable, offset + more)),
            _ => None,
        },
        _ => None,
    }
}

/// The bytes of an object that are written at once, if they are known.
fn range_of(address: &Expr, size: &Expr) -> Option<(Variable, std::ops::Range<i128>)> {
    let Expr::Constant(size) = size else { return None };
    place_of(address).map(|(object, offset)| (object, offset..offset + size))
}
