//! What is read once more, where nothing has changed it.
//!
//! ```text
//!   c: what lies at p + i, where that is known; i may be made of variables
//!   ─────────────────────────────────────────────────────────────────────────────── AGAIN
//!   start, p := E, i := E  ⟶  …; c := *
//!   x := [p + i]   ⟶  x := [p + i]; x := c    if c may be known: on some way (on each, for a pointer
//!                                             whose object matters) x := [p + i] or [p + i] := x,
//!                                             and nothing since that loses it
//!   x := [p + i]   ⟶  x := [p + i]; c := x    otherwise
//!   [p + i] := E   ⟶  [p + i] := E; c := E
//!   [q] := E       ⟶  [q] := E; c := *        if that may be the same place
//! ```
//!
//! On ways on which it is known, these are the expressions that are available (Cocke, 1970) among
//! reads of memory: what holds where a loop begins holds in its first round. What may write there is
//! told as for cells.

use super::copies::propagated;
use super::writers::{self, Write, Writers};
use super::{Cell, Cells, Effect, HELD, Place, Written, any};
use crate::open::MemberId;
use crate::slice::sum::{Sum, sum};
use crate::{
    Block, Command, Expr, Instruction, Procedure, ProcedureId, Program, ScalarType, Variable,
    VariableInfo,
};
use base::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Which pointers are taken for known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum KnownPointers {
    /// Those that are known on each way.
    OnEachWay,
    /// Those that are on some way, if the procedure writes them: elsewhere they may lead anywhere.
    OnSomeWay,
}

/// Adds a variable for each place that is read again. Gives these.
pub(in super::super) fn add(
    program: &mut Program,
    (told, pointers): (&BTreeSet<Variable>, KnownPointers),
    texts: &[bool],
) -> Vec<(Variable, Place)> {
    let Some(open) = program.open.clone() else { return Vec::new() };
    let cells = Cells::without_roots(program, open, texts);
    let writers = Writers::of(program);
    let mut all = Vec::new();
    for index in 0..program.procedures.len() {
        let id = ProcedureId::at(index);
        if id == program.entry || !program.procedure(id).is_defined() {
            continue;
        }
        program.procedures[index] = propagated(program, program.procedure(id));
        let mut known = places(program, id, &cells, told);
        if known.is_empty() {
            continue;
        }
        for (spot, cell) in &mut known {
            let Place { pointer, bytes, ty, .. } = spot.place;
            let at = if spot.address.is_none() { bytes.to_string() } else { "…".to_owned() };
            let name = format!("{}[{at}] again", program.variable(pointer).name);
            let info = VariableInfo { name, ty, owner: Some(id), span: Span::NOWHERE };
            program.variables.push(info);
            cell.variable = Variable::at(program.variables.len() - 1);
            all.push((cell.variable, spot.place));
        }
        let commands = program.procedures[index].blocks.iter().flat_map(|it| &it.commands);
        let stores = commands.filter(|it| matches!(it.command, Command::Store { .. }));
        let written = stores.filter_map(|it| spot(&program.variables, &it.command)).collect();
        let again =
            Again { cells: &cells, known: &known, program, writers: &writers, pointers, written };
        program.procedures[index] = again.procedure(program.procedure(id));
    }
    all
}

/// The places behind a procedure's own variables that are read, and are read or written elsewhere,
/// too.
fn places(
    program: &Program,
    id: ProcedureId,
    cells: &Cells,
    told: &BTreeSet<Variable>,
) -> BTreeMap<Spot, Cell> {
    let mut found: BTreeMap<Spot, (usize, usize, BTreeSet<MemberId>, bool)> = BTreeMap::new();
    for block in &program.procedure(id).blocks {
        for (position, Instruction { command, span }) in block.commands.iter().enumerate() {
            let next = block.commands.get(position + 1).map(|it| &it.command);
            let is_told = matches!(next, Some(Command::Assign { value: Expr::Variable(cell), .. })
                if told.contains(cell));
            let Some(place) = spot(&program.variables, command).filter(|_| !is_told) else {
                continue;
            };
            let members = cells.open.members_at(*span);
            let entry = found.entry(place).or_default();
            entry.0 += usize::from(matches!(command, Command::Load { .. }));
            entry.1 += 1;
            entry.2.extend(members);
            entry.3 |= members.is_empty();
        }
    }
    let again = found.into_iter().filter(|(_, (reads, all, ..))| *reads > 0 && *all > 1);
    let cell = |(spot, (_, _, members, is_unknown)): (Spot, (_, _, BTreeSet<MemberId>, bool))| {
        let members = (!is_unknown).then_some(members);
        let variable = spot.place.pointer;
        (spot, Cell { variable, members })
    };
    again.map(cell).collect()
}

/// A place that is read or written by one expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    place: Place,
    /// Where it is, if it is not always so many bytes behind a variable.
    address: Option<Expr>,
}

impl Spot {
    /// Whether it is made of a variable.
    fn depends_on(&self, variable: Variable) -> bool {
        let is_part = |it: &Expr| it.variables().any(|it| it == variable);
        self.place.pointer == variable || self.address.as_ref().is_some_and(is_part)
    }
}

/// The place that a command reads or writes, if that is behind one pointer.
fn spot(variables: &[VariableInfo], command: &Command) -> Option<Spot> {
    let (Command::Load { address, ty, .. } | Command::Store { address, ty, .. }) = command else {
        return None;
    };
    let Sum { pointer, bytes, is_constant, step } = sum(variables, address)?;
    if matches!(ty, ScalarType::Float(_)) {
        return None;
    }
    let place = Place { pointer, bytes, step, ty: *ty };
    match is_constant {
        true => Some(Spot { place: Place { step: 0, ..place }, address: None }),
        false => Some(Spot { place, address: Some(address.clone()) }),
    }
}

struct Again<'a> {
    cells: &'a Cells,
    known: &'a BTreeMap<Spot, Cell>,
    program: &'a Program,
    writers: &'a Writers,
    pointers: KnownPointers,
    /// The places that the procedure writes itself.
    written: BTreeSet<Spot>,
}

/// The places whose contents may be known, if they are numbers, and are known, if they are pointers.
type Known = BTreeSet<Spot>;

impl Again<'_> {
    fn procedure(&self, procedure: &Procedure) -> Procedure {
        let at_starts = self.at_starts(procedure);
        let mut result = procedure.clone();
        for (block, known) in result.blocks.iter_mut().zip(at_starts) {
            let mut known = known.unwrap_or_default();
            let mut commands = Vec::new();
            for instruction in std::mem::take(&mut block.commands) {
                let told = self.told(&instruction.command, &known);
                let lost = self.pass(&instruction, &mut known);
                let lost = lost.iter().filter(|it| !self.is_known_throughout(it));
                let lost = lost.map(|it| any(self.variable(it), HELD));
                let span = instruction.span;
                // What is told of a place comes before it is lost, what is told to it behind.
                let is_read =
                    told.as_ref().and_then(Command::target) == instruction.command.target();
                let (before, behind) = if is_read { (told, None) } else { (None, told) };
                commands.push(instruction);
                let more = before.into_iter().chain(lost).chain(behind);
                commands.extend(more.map(|command| Instruction { command, span }));
            }
            block.commands = commands;
        }
        let span = procedure.span;
        let numbers = self.known.keys().filter(|it| !self.is_known_throughout(it));
        let begin = numbers.map(|it| any(self.variable(it), HELD));
        let begin = begin.map(|command| Instruction { command, span });
        result.blocks[0].commands.splice(0..0, begin);
        result
    }

    /// Whether it has to be known on each way: a link that is found leads on, and where it is not
    /// changed, that is more than that it is the same as before, perhaps.
    fn is_known_throughout(&self, spot: &Spot) -> bool {
        let may_change = self.pointers == KnownPointers::OnSomeWay && self.written.contains(spot);
        spot.place.ty == ScalarType::Pointer && !may_change
    }

    /// What is known where ways meet.
    fn met(&self, one: &Known, other: &Known) -> Known {
        let is_known =
            |it: &&Spot| !self.is_known_throughout(it) || one.contains(it) && other.contains(it);
        one.union(other).filter(is_known).cloned().collect()
    }

    fn variable(&self, spot: &Spot) -> Variable {
        self.known[spot].variable
    }

    /// What may be known at the start of each block; nothing where no run comes to.
    fn at_starts(&self, procedure: &Procedure) -> Vec<Option<Known>> {
        let mut at_starts: Vec<Option<Known>> = vec![None; procedure.blocks.len()];
        at_starts[0] = Some(Known::new());
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            let block: &Block = &procedure.blocks[index];
            let mut known = at_starts[index].clone().unwrap_or_default();
            for instruction in &block.commands {
                self.pass(instruction, &mut known);
            }
            for next in block.terminator.successors() {
                let before = &mut at_starts[next.index()];
                let after =
                    before.as_ref().map_or_else(|| known.clone(), |it| self.met(it, &known));
                if before.as_ref() != Some(&after) {
                    *before = Some(after);
                    open.push(next.index());
                }
            }
        }
        at_starts
    }

    fn spot(&self, command: &Command) -> Option<(Spot, &Cell)> {
        let spot = spot(&self.program.variables, command)?;
        let cell = self.known.get(&spot)?;
        Some((spot, cell))
    }

    /// What comes after a command that reads or writes a place: it is known from then on.
    fn told(&self, command: &Command, known: &Known) -> Option<Command> {
        let (spot, cell) = self.spot(command)?;
        match command {
            Command::Load { target, .. } if known.contains(&spot) => {
                Some(Command::Assign { target: *target, value: cell.variable.into() })
            }
            // What the address is made of has another value behind it.
            Command::Load { target, .. } if spot.depends_on(*target) => None,
            Command::Load { target, .. } => {
                Some(Command::Assign { target: cell.variable, value: (*target).into() })
            }
            Command::Store { value, .. } => {
                Some(Command::Assign { target: cell.variable, value: value.clone() })
            }
            _ => None,
        }
    }

    /// What is known behind a command. Gives what was, and is not any more.
    fn pass(&self, instruction: &Instruction, known: &mut Known) -> Vec<Spot> {
        let Instruction { command, span } = instruction;
        let written = match command {
            Command::Store { address, ty, .. } => Some(self.written(address, Some(*ty), *span)),
            Command::Copy { target, .. } => Some(self.written(target, None, *span)),
            Command::Fill { address, .. } => {
                Some(Written { members: &[], ..self.written(address, None, *span) })
            }
            _ => None,
        };
        let by_others: Vec<&Write> = match command {
            Command::Call { callee, .. } => self.writers.of_call(self.program, callee).collect(),
            _ => Vec::new(),
        };
        let own = writers::own(self.program, instruction);
        let own = own.as_ref().filter(|it| !matches!(it, Write::Memory(..)));
        let is_lost = |spot: &&Spot| {
            let is_written = |it: &Written<'_>| {
                let is_apart = |it| self.cells.roots.origins.are_apart(it, spot.place.pointer);
                let effect = || self.cells.effect(it, spot.place, &self.known[*spot]);
                !it.root.is_some_and(is_apart) && effect() == Effect::Any
            };
            by_others.iter().copied().chain(own).any(|it| self.loses(it, spot))
                || command.target().is_some_and(|it| spot.depends_on(it))
                || written.as_ref().is_some_and(is_written)
        };
        let lost: Vec<Spot> = known.iter().filter(is_lost).cloned().collect();
        for spot in &lost {
            known.remove(spot);
        }
        if let Some((spot, _)) = self.spot(command)
            && !command.target().is_some_and(|it| spot.depends_on(it))
        {
            known.insert(spot);
        }
        lost
    }

    /// Whether a place may hold another value behind a write, of another procedure if it is one of
    /// memory.
    fn loses(&self, write: &Write, spot: &Spot) -> bool {
        let is_apart = |it: &Variable| self.cells.roots.origins.are_apart(*it, spot.place.pointer);
        match write {
            Write::Anything => true,
            Write::Global(variable) => spot.depends_on(*variable),
            Write::Memory(pointer, ..) => {
                let written = write.of_memory(|it| self.cells.is_text(it));
                let effect = |it: &Written<'_>| {
                    self.cells.effect(it, spot.place, &self.known[spot]) == Effect::Any
                };
                !pointer.as_ref().is_some_and(is_apart) && written.as_ref().is_some_and(effect)
            }
            Write::Handed(object) => {
                let forms = &self.program.forms;
                let is_other = self.cells.is_of_other_form(forms, *object, spot.place.pointer);
                !object.as_ref().is_some_and(is_apart) && !is_other
            }
        }
    }

    fn written(&self, address: &Expr, ty: Option<ScalarType>, span: Span) -> Written<'_> {
        let at = sum(&self.program.variables, address);
        Written {
            root: at.map(|it| it.pointer),
            is_own: false,
            is_text: at.is_some_and(|it| self.cells.is_text(it.pointer)),
            offset: at.filter(|it| it.is_constant).map(|it| it.bytes),
            ty,
            members: self.cells.open.members_at(span),
        }
    }
}
