//! What is read once more, where nothing has changed it.
//!
//! ```text
//!   c: what lies at p + i, where that is known; i may be made of variables
//!   ─────────────────────────────────────────────────────────────────────────────── AGAIN
//!   start, p := E, i := E  ⟶  …; c := *
//!   x := [p + i]   ⟶  x := [p + i]; x := c    if c may be known: on some way (on each, for a
//!                                             pointer) x := [p + i] or [p + i] := x, and nothing
//!                                             since that loses it
//!   x := [p + i]   ⟶  x := [p + i]; c := x    otherwise
//!   [p + i] := E   ⟶  [p + i] := E; c := E
//!   [q] := E       ⟶  [q] := E; c := *        if that may be the same place
//! ```
//!
//! On ways on which it is known, these are the expressions that are available (Cocke, 1970) among
//! reads of memory: what holds where a loop begins holds in its first round. What may write there is
//! told as for cells.

use super::copies::propagated;
use super::{Cell, Cells, Effect, HELD, Place, Written, any};
use crate::cutpoint::CallGraph;
use crate::open::MemberId;
use crate::slice::sum::{Sum, sum};
use crate::{
    Block, Callee, Command, Expr, Gap, Instruction, Procedure, ProcedureId, Program, ScalarType,
    Variable, VariableInfo,
};
use base::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Adds a variable for each place that is read again. Gives these.
pub(in super::super) fn add(
    program: &mut Program,
    told: &BTreeSet<Variable>,
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
        let (variables, writers) = (&program.variables, &writers);
        let again = Again { cells: &cells, known: &known, variables, writers };
        program.procedures[index] = again.procedure(program.procedure(id));
    }
    all
}

/// What may write memory or globals, or lead to what does.
struct Writers {
    /// By procedure.
    procedures: Vec<bool>,
    /// Whether a procedure does that is called through a pointer. What comes in leaves memory as it is.
    through_pointers: bool,
}

impl Writers {
    fn of(program: &Program) -> Self {
        let calls = CallGraph::of_program(program);
        let procedures = program.procedures.iter().map(|it| !it.is_defined()).collect();
        let mut writers = Self { procedures, through_pointers: false };
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for (index, procedure) in program.procedures.iter().enumerate() {
                let mut commands = procedure.blocks.iter().flat_map(|it| &it.commands);
                if !writers.procedures[index] && commands.any(|it| writers.are_met(program, it)) {
                    writers.procedures[index] = true;
                    is_changed = true;
                }
            }
            let called = calls.called_through_pointers();
            writers.through_pointers = called.iter().any(|it| writers.procedures[it.index()]);
        }
        writers
    }

    fn are_met(&self, program: &Program, Instruction { command, span }: &Instruction) -> bool {
        let gives_up = || program.open.as_ref().is_some_and(|it| it.givers.contains(span));
        let is_global = |it: Variable| program.variable(it).owner.is_none();
        match command {
            Command::Store { .. }
            | Command::Fill { .. }
            | Command::Copy { .. }
            | Command::Free { .. } => true,
            Command::Call { target, callee, .. } => {
                target.is_some_and(is_global)
                    || match callee {
                        Callee::Indirect(_) => self.through_pointers || gives_up(),
                        Callee::Direct(callee) => {
                            program.entered(*callee).any(|it| self.procedures[it.index()])
                        }
                    }
            }
            Command::Unsupported { gap, .. } => !is_without_effect(gap),
            other => other.target().is_some_and(is_global),
        }
    }
}

/// Whether what is not modelled leaves memory as it is, where runs go on.
fn is_without_effect(gap: &Gap) -> bool {
    matches!(gap, Gap::Granted(_) | Gap::Undefined)
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
    fn is_pointer(&self) -> bool {
        self.place.ty == ScalarType::Pointer
    }

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
    variables: &'a [VariableInfo],
    writers: &'a Writers,
}

/// The places whose contents may be known, if they are numbers, and are known, if they are pointers.
type Known = BTreeSet<Spot>;

/// What is known where ways meet.
fn met(one: &Known, other: &Known) -> Known {
    let all = one.union(other);
    all.filter(|it| !it.is_pointer() || one.contains(it) && other.contains(it)).cloned().collect()
}

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
                let lost = lost.iter().filter(|it| !it.is_pointer());
                let lost = lost.map(|it| any(self.variable(it), HELD));
                let span = instruction.span;
                commands.push(instruction);
                commands.extend(lost.chain(told).map(|command| Instruction { command, span }));
            }
            block.commands = commands;
        }
        let span = procedure.span;
        let numbers = self.known.keys().filter(|it| !it.is_pointer());
        let begin = numbers.map(|it| any(self.variable(it), HELD));
        let begin = begin.map(|command| Instruction { command, span });
        result.blocks[0].commands.splice(0..0, begin);
        result
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
                let after = before.as_ref().map_or_else(|| known.clone(), |it| met(it, &known));
                if before.as_ref() != Some(&after) {
                    *before = Some(after);
                    open.push(next.index());
                }
            }
        }
        at_starts
    }

    fn spot(&self, command: &Command) -> Option<(Spot, &Cell)> {
        let spot = spot(self.variables, command)?;
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
    fn pass(&self, Instruction { command, span }: &Instruction, known: &mut Known) -> Vec<Spot> {
        let written = match command {
            Command::Store { address, ty, .. } => Some(self.written(address, Some(*ty), *span)),
            Command::Fill { address, .. } | Command::Copy { target: address, .. } => {
                Some(self.written(address, None, *span))
            }
            _ => None,
        };
        let loses_all = match command {
            Command::Unsupported { gap, .. } => !is_without_effect(gap),
            Command::Call { callee: Callee::Indirect(_), .. } => {
                self.writers.through_pointers || self.cells.open.givers.contains(span)
            }
            Command::Call { callee: Callee::Direct(callee), .. } => {
                self.writers.procedures[callee.index()]
            }
            _ => false,
        };
        let is_lost = |spot: &&Spot| {
            let is_written = |it: &Written<'_>| {
                let is_apart = |it| self.cells.roots.origins.are_apart(it, spot.place.pointer);
                let effect = || self.cells.effect(it, spot.place, &self.known[*spot]);
                !it.root.is_some_and(is_apart) && effect() == Effect::Any
            };
            loses_all
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

    fn written(&self, address: &Expr, ty: Option<ScalarType>, span: Span) -> Written<'_> {
        let at = sum(self.variables, address);
        Written {
            root: at.map(|it| it.pointer),
            is_own: false,
            is_text: at.is_some_and(|it| self.cells.is_text(it.pointer)),
            offset: at.filter(|it| it.is_constant).map(|it| it.bytes),
            ty,
            members: if ty.is_some() { self.cells.open.members_at(span) } else { &[] },
        }
    }
}
