//! What the commands of a block do to the states of a box.

use super::boxes::Box;
use super::eval::Truth;
use super::memory::{Block, Held, Possible, all_of};
use super::strided::Strided;
use super::{Escape, Place, Return, Site};
use concrete::memory::MemoryBlockId;
use concrete::state::Location;
use ir::expr::{Expr, IntKind, ScalarType};
use ir::{
    BlockId, Callee, Command, HavocSource, InitialContent, MemoryKind, Overlap, ProcedureId,
    Program, Terminator, Variable, semantics,
};
use std::collections::{BTreeMap, BTreeSet};

/// At how many places one access may be.
const MOST_PLACES: i128 = 1_024;
/// How many calls may be active.
const MOST_CALLS: usize = 16;

/// What is the same in all states.
pub struct Ground<'a> {
    /// The program.
    pub program: &'a Program,
    /// The procedure of the innermost call at the start.
    pub base: ProcedureId,
    /// How many blocks there were at the start.
    pub n_blocks: usize,
    /// Where blocks are made: the first of them makes the block after those of the start.
    pub sites: Vec<Site>,
    /// What is chosen at some places.
    pub chosen: &'a BTreeMap<Location, i128>,
}

type Next = Vec<(Place, Box)>;

impl Ground<'_> {
    /// The places that come next, and the states there.
    pub fn successors(&mut self, place: &Place, mut states: Box) -> Result<Next, Escape> {
        let mut at = place.location;
        let program = self.program;
        let block = program.procedure(at.procedure).blocks.get(at.block.index());
        let block = block.ok_or(Escape("a procedure without a body"))?;
        while let Some(instruction) = block.commands.get(at.command) {
            if let Command::Call { target, callee, arguments } = &instruction.command {
                let here = Place { location: at, ..place.clone() };
                return self.call(here, states, (*target, callee), arguments);
            }
            self.command((place, at), &mut states, &instruction.command)?;
            at.command += 1;
        }
        self.leave(place, states, &block.terminator)
    }

    fn leave(&self, place: &Place, states: Box, terminator: &Terminator) -> Result<Next, Escape> {
        let bytes = self.program.pointer_bytes;
        let to = |block: BlockId| Place {
            location: Location { block, command: 0, ..place.location },
            ..place.clone()
        };
        match terminator {
            Terminator::Goto(next) => Ok(vec![(to(*next), states)]),
            Terminator::Branch { condition, then, otherwise } => {
                let known = states.truth(condition, bytes)?;
                let mut next = Vec::new();
                for (truth, block) in [(Truth::Holds, then), (Truth::Fails, otherwise)] {
                    if known.is_some_and(|holds| holds != (truth == Truth::Holds)) {
                        continue;
                    }
                    let mut way = states.clone();
                    way.close_others(condition);
                    next.extend(way.assuming(condition, truth, bytes).map(|it| (to(*block), it)));
                }
                Ok(next)
            }
            Terminator::Switch { value, cases, default } => {
                self.switch(&to, states, (value, cases, *default))
            }
            Terminator::Return(value) => self.give_back(place, states, value.as_ref()),
            Terminator::Halt => Err(Escape("the program ends")),
        }
    }

    fn switch(
        &self,
        to: &dyn Fn(BlockId) -> Place,
        mut states: Box,
        (value, cases, default): (&Expr, &[(i128, i128, BlockId)], BlockId),
    ) -> Result<Next, Escape> {
        let bytes = self.program.pointer_bytes;
        states.close_all(value);
        let Possible::Number(number) = states.eval(value, bytes)? else {
            return Err(Escape("a switch on what is no number"));
        };
        let mut next = Vec::new();
        let mut rest = Some(number);
        for (low, high, block) in cases {
            let Some(left) = rest else { break };
            let Some(inside) = left.at_least(*low).and_then(|it| it.at_most(*high)) else {
                continue;
            };
            next.push((to(*block), states.clone().with(value, inside)));
            rest = without(left, *low, *high);
        }
        if let Some(left) = rest {
            next.push((to(default), states.with(value, left)));
        }
        Ok(next)
    }

    fn give_back(
        &self,
        place: &Place,
        mut states: Box,
        value: Option<&Expr>,
    ) -> Result<Next, Escape> {
        let bytes = self.program.pointer_bytes;
        let mut calls = place.calls.clone();
        let caller = calls.pop().ok_or(Escape("the function returns"))?;
        let value = value.map(|it| states.read(it, bytes)).transpose()?;
        states.forget_all(self.program, place.location.procedure);
        match (caller.target, value) {
            (Some(target), Some(value)) => self.assign(&mut states, target, value),
            (Some(target), None) => states.forget(target),
            (None, _) => {}
        }
        Ok(vec![(Place { calls, location: caller.location }, states)])
    }

    fn assign(&self, states: &mut Box, target: Variable, value: Possible) {
        let value = match self.program.variable(target).ty {
            ScalarType::Pointer => value.as_address(self.program.pointer_bytes),
            ScalarType::Int(_) => value,
            ScalarType::Float(_) => Possible::Any,
        };
        states.assign(target, value);
    }

    fn call(
        &self,
        here: Place,
        mut states: Box,
        (target, callee): (Option<Variable>, &Callee),
        arguments: &[Expr],
    ) -> Result<Next, Escape> {
        let bytes = self.program.pointer_bytes;
        let callee = match callee {
            Callee::Direct(callee) => *callee,
            Callee::Indirect(address) => match states.eval(address, bytes)? {
                Possible::Procedure(callee)
                    if self.program.is_callable_as(callee, target, arguments) =>
                {
                    callee
                }
                _ => return Err(Escape("a call of an unknown function")),
            },
        };
        let procedure = self.program.procedure(callee);
        let mut active = here.calls.iter().map(|it| it.location.procedure);
        let is_active = callee == self.base
            || callee == here.location.procedure
            || active.any(|it| it == callee);
        if !procedure.is_defined()
            || is_active
            || here.calls.len() >= MOST_CALLS
            || procedure.parameters.len() != arguments.len()
        {
            return Err(Escape("a call that is not followed"));
        }
        let values: Result<Vec<Possible>, Escape> =
            arguments.iter().map(|it| states.read(it, bytes)).collect();
        states.forget_all(self.program, callee);
        for (parameter, value) in procedure.parameters.iter().zip(values?) {
            self.assign(&mut states, *parameter, value);
        }
        let mut calls = here.calls;
        let location = Location { command: here.location.command + 1, ..here.location };
        calls.push(Return { location, target });
        let location = Location { procedure: callee, block: BlockId(0), command: 0 };
        Ok(vec![(Place { calls, location }, states)])
    }

    fn command(
        &mut self,
        (place, at): (&Place, Location),
        states: &mut Box,
        command: &Command,
    ) -> Result<(), Escape> {
        let bytes = self.program.pointer_bytes;
        match command {
            Command::Assign { target, value: Expr::Variable(source) }
                if matches!(self.program.variable(*target).ty, ScalarType::Int(_)) =>
            {
                states.open.remove(source);
                states.assign_variable(*target, *source);
            }
            Command::Assign { target, value } => {
                let value = states.read(value, bytes)?;
                self.assign(states, *target, value);
            }
            Command::Havoc { target, source } => self.choose(at, states, *target, source)?,
            Command::Load { target, address, ty } => {
                let Possible::Address(places) = states.read(address, bytes)? else {
                    return Err(Escape("a load from an unknown place"));
                };
                states.load(*target, &places, (*ty, width_of(*ty, bytes)), MOST_PLACES)?;
            }
            Command::Store { address, value, ty } => {
                let address = states.read(address, bytes)?;
                let value = states.read(value, bytes)?;
                self.store(states, &address, *ty, value)?;
            }
            Command::Allocate { target, size, kind, content } => {
                let size = only(&states.read(size, bytes)?)?;
                if size > semantics::largest_object(bytes) {
                    return Err(Escape("a block that has no room"));
                }
                let id = self.allocate((place, at), states, (*kind, *content), size)?;
                states.assign(*target, Possible::Address(BTreeMap::from([(id, zero()?)])));
            }
            Command::Free { address, kind } => {
                let (id, offset) = exact(&states.read(address, bytes)?)?;
                let is_ours = id.index() >= self.n_blocks && offset == 0;
                if !is_ours || states.remove(id)?.kind != *kind {
                    return Err(Escape("a block is freed"));
                }
            }
            Command::Fill { address, byte, size } => {
                let byte = only(&states.read(byte, bytes)?)?;
                let size = only(&states.read(size, bytes)?)?;
                let held = Held::Run(byte.rem_euclid(256).try_into().unwrap_or(0));
                let address = states.read(address, bytes)?;
                write(states, &address, size, &[(0, size, held)])?;
            }
            Command::Copy { target, source, size, overlap } => {
                let size = only(&states.read(size, bytes)?)?;
                let ends = [states.read(target, bytes)?, states.read(source, bytes)?];
                copy(states, &ends, size, *overlap)?;
            }
            Command::Assume { condition } => match command.range_assumed() {
                Some((whole, kind)) => is_in_range(&states.read(whole, bytes)?, kind)?,
                None => self.assume(states, condition)?,
            },
            Command::Measure { .. }
            | Command::Call { .. }
            | Command::Error { .. }
            | Command::Unsupported { .. } => return Err(Escape("a command that is not followed")),
        }
        Ok(())
    }

    /// A value is chosen: the one that is listed, or all are followed.
    fn choose(
        &self,
        at: Location,
        states: &mut Box,
        target: Variable,
        source: &HavocSource,
    ) -> Result<(), Escape> {
        let is_ours = match source {
            HavocSource::Input(_) | HavocSource::Uninitialised => true,
            HavocSource::Approximation(_) => false,
        };
        if !is_ours {
            // What is not ours to choose may depend on what was chosen.
            states.open.clear();
        }
        let ty = self.program.variable(target).ty;
        let (ScalarType::Int(kind), Ok(all)) = (ty, number_of(ty)) else {
            states.assign(target, Possible::Any);
            return Ok(());
        };
        match self.chosen.get(&at).filter(|_| is_ours) {
            Some(number) => {
                let number = Strided::of(kind.wrap(*number)).ok_or(Escape("a large number"))?;
                states.assign(target, Possible::Number(number));
            }
            None => {
                states.assign(target, all);
                states.open.insert(target);
            }
        }
        Ok(())
    }

    /// A condition that holds, or one on a choice that can be made so that it holds.
    fn assume(&self, states: &mut Box, condition: &Expr) -> Result<(), Escape> {
        let bytes = self.program.pointer_bytes;
        if states.truth(condition, bytes)? == Some(true) {
            return Ok(());
        }
        states.speaks_of_open(condition).ok_or(Escape("an assumption that may fail"))?;
        let assumed = states.clone().assuming(condition, Truth::Holds, bytes);
        *states = assumed.ok_or(Escape("an assumption that fails"))?;
        Ok(())
    }

    fn store(
        &self,
        states: &mut Box,
        address: &Possible,
        ty: ScalarType,
        value: Possible,
    ) -> Result<(), Escape> {
        let bytes = self.program.pointer_bytes;
        let width = width_of(ty, bytes);
        let value = match (ty, &value) {
            (ScalarType::Pointer, _) => value.as_address(bytes),
            (ScalarType::Float(_), _) => Possible::Any,
            (ScalarType::Int(_), Possible::Number(_)) => value,
            (ScalarType::Int(_), Possible::Address(_) | Possible::Procedure(_))
                if width >= i128::from(bytes) =>
            {
                value
            }
            (ScalarType::Int(_), _) => return Err(Escape("an address is cut")),
        };
        let Possible::Address(places) = address else {
            return Err(Escape("a store to an unknown place"));
        };
        let is_exact = places.len() == 1 && places.values().all(|it| it.only().is_some());
        for (id, offsets) in places {
            let block = states.block_to_write(*id)?;
            if !block.contains(*offsets, width) || block.kind == MemoryKind::Constant {
                return Err(Escape("memory is written outside of its block"));
            }
            for offset in offsets.each(MOST_PLACES).ok_or(Escape("many places"))? {
                let held = Held::Scalar(ty, value.clone());
                if is_exact {
                    block.write(offset, width, held);
                } else {
                    block.may_write(offset, width, held);
                }
            }
        }
        Ok(())
    }

    fn allocate(
        &mut self,
        (place, at): (&Place, Location),
        states: &mut Box,
        (kind, content): (MemoryKind, InitialContent),
        size: i128,
    ) -> Result<MemoryBlockId, Escape> {
        if kind == MemoryKind::Alloca || size < 0 {
            return Err(Escape("memory that ends with a call"));
        }
        let site = Site { calls: place.calls.clone(), location: at };
        let index = self.sites.iter().position(|it| *it == site).unwrap_or(self.sites.len());
        if index == self.sites.len() {
            self.sites.push(site);
        }
        let id = MemoryBlockId::at(self.n_blocks + index);
        let mut block = Block::fresh(kind, size);
        if content == InitialContent::Zero {
            block.write(0, size, Held::Run(0));
        }
        states.add(id, block)?;
        Ok(id)
    }
}

impl Box {
    /// What an expression may be whose value is used: what was chosen for it is not open any
    /// more.
    fn read(&mut self, expr: &Expr, pointer_bytes: u32) -> Result<Possible, Escape> {
        self.close_all(expr);
        self.eval(expr, pointer_bytes)
    }

    fn close_all(&mut self, expr: &Expr) {
        expr.variables().for_each(|variable| {
            self.open.remove(&variable);
        });
    }

    /// Choices that a condition mentions are not open any more, but for the one that it says
    /// something of.
    fn close_others(&mut self, condition: &Expr) {
        let kept = self.speaks_of_open(condition);
        self.close_all(condition);
        self.open.extend(kept);
    }

    /// With these numbers for an expression, if it is a variable.
    fn with(mut self, expr: &Expr, known: Strided) -> Self {
        if let Expr::Variable(variable) = expr {
            self.refine(*variable, known);
        }
        self
    }

    /// The variables of a procedure end.
    fn forget_all(&mut self, program: &Program, procedure: ProcedureId) {
        let all: BTreeSet<Variable> =
            self.variables().filter(|it| program.variable(*it).owner == Some(procedure)).collect();
        all.into_iter().for_each(|it| self.forget(it));
    }
}

fn without(numbers: Strided, low: i128, high: i128) -> Option<Strided> {
    let (below, above) = (numbers.at_most(low - 1), numbers.at_least(high + 1));
    match (below, above) {
        (Some(below), Some(above)) => Some(below.join(above)),
        (Some(rest), None) | (None, Some(rest)) => Some(rest),
        (None, None) => None,
    }
}

fn width_of(ty: ScalarType, pointer_bytes: u32) -> i128 {
    i128::from(ty.bytes(pointer_bytes))
}

fn number_of(ty: ScalarType) -> Result<Possible, Escape> {
    match ty {
        ScalarType::Int(kind) => all_of(kind),
        ScalarType::Pointer | ScalarType::Float(_) => Ok(Possible::Any),
    }
}

/// That a number is in the range of a type: no overflow.
fn is_in_range(value: &Possible, kind: IntKind) -> Result<(), Escape> {
    match value {
        Possible::Number(number)
            if kind.min() <= number.least() && number.greatest() <= kind.max() =>
        {
            Ok(())
        }
        _ => Err(Escape("an overflow")),
    }
}

fn zero() -> Result<Strided, Escape> {
    Strided::of(0).ok_or(Escape("a large number"))
}

fn only(value: &Possible) -> Result<i128, Escape> {
    match value {
        Possible::Number(number) => number.only().ok_or(Escape("a size that is not known")),
        Possible::Address(_) | Possible::Procedure(_) | Possible::Any => {
            Err(Escape("a size that is no number"))
        }
    }
}

/// One address that is known.
fn exact(value: &Possible) -> Result<(MemoryBlockId, i128), Escape> {
    let Possible::Address(places) = value else { return Err(Escape("an unknown place")) };
    let mut places = places.iter();
    match (places.next(), places.next()) {
        (Some((id, offset)), None) => Ok((*id, offset.only().ok_or(Escape("several places"))?)),
        _ => Err(Escape("several places")),
    }
}

/// Writes pieces, at their distances from an address, over so many bytes there.
fn write(
    states: &mut Box,
    address: &Possible,
    size: i128,
    pieces: &[(i128, i128, Held)],
) -> Result<(), Escape> {
    if size == 0 {
        return Ok(());
    }
    let (id, offset) = exact(address)?;
    let block = states.block_to_write(id)?;
    let place = Strided::of(offset).ok_or(Escape("a large number"))?;
    if size < 0 || !block.contains(place, size) || block.kind == MemoryKind::Constant {
        return Err(Escape("memory is written outside of its block"));
    }
    block.clear(offset, offset + size);
    for (distance, width, held) in pieces {
        block.write(offset + distance, *width, held.clone());
    }
    Ok(())
}

fn copy(
    states: &mut Box,
    [target, source]: &[Possible; 2],
    size: i128,
    overlap: Overlap,
) -> Result<(), Escape> {
    if size == 0 {
        return Ok(());
    }
    let (from, to) = (exact(source)?, exact(target)?);
    let block = states.block(from.0)?;
    let place = Strided::of(from.1).ok_or(Escape("a large number"))?;
    if size < 0 || !block.contains(place, size) {
        return Err(Escape("memory is read outside of its block"));
    }
    let meet = from.0 == to.0 && (from.1 - to.1).abs() < size;
    if meet && from != to && overlap == Overlap::Undefined {
        return Err(Escape("a copy between bytes that overlap"));
    }
    let pieces: Vec<(i128, i128, Held)> = block
        .copied(from.1, from.1 + size)
        .into_iter()
        .map(|(offset, width, held)| (offset - from.1, width, held))
        .collect();
    let known: i128 = pieces.iter().map(|(_, width, _)| width).sum();
    // A copy of what nothing was written to is a matter of its own.
    if known != size {
        return Err(Escape("a copy of what is not known"));
    }
    write(states, target, size, &pieces)
}
