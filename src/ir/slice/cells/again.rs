//! What is read once more, where nothing has changed it.
//!
//! ```text
//!   c: what lies at p + i, where that is known
//!   ─────────────────────────────────────────────────────────────────────────────── AGAIN
//!   start, p := E  ⟶  …; c := *
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
    let mut cells = Cells::without_roots(program, open, texts);
    let writes = writers(program);
    let mut all = Vec::new();
    for index in 0..program.procedures.len() {
        let id = ProcedureId::at(index);
        if id == program.entry || !program.procedure(id).is_defined() {
            continue;
        }
        program.procedures[index] = propagated(program, program.procedure(id));
        cells.known = places(program, id, &cells, told);
        if cells.known.is_empty() {
            continue;
        }
        for (place, cell) in &mut cells.known {
            let (pointer, offset, ty) = *place;
            let name = format!("{}[{offset}] again", program.variable(pointer).name);
            let info = VariableInfo { name, ty, owner: Some(id), span: Span::NOWHERE };
            program.variables.push(info);
            cell.variable = Variable::at(program.variables.len() - 1);
            all.push((cell.variable, *place));
        }
        let again = Again { cells: &cells, variables: &program.variables, writes: &writes };
        program.procedures[index] = again.procedure(program.procedure(id));
    }
    all
}

/// The procedures that may write memory or globals, or lead to some that may.
fn writers(program: &Program) -> Vec<bool> {
    let is_global = |it: Variable| program.variable(it).owner.is_none();
    let mut writes: Vec<bool> = program.procedures.iter().map(|it| !it.is_defined()).collect();
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        for (index, procedure) in program.procedures.iter().enumerate() {
            let commands = procedure.blocks.iter().flat_map(|it| &it.commands);
            let mut effects = commands.map(|it| match &it.command {
                Command::Store { .. }
                | Command::Fill { .. }
                | Command::Copy { .. }
                | Command::Free { .. }
                | Command::Call { callee: Callee::Indirect(_), .. } => true,
                Command::Call { target, callee: Callee::Direct(callee), .. } => {
                    target.is_some_and(is_global)
                        || program.entered(*callee).any(|it| writes[it.index()])
                }
                Command::Unsupported { gap, .. } => !is_without_effect(gap),
                other => other.target().is_some_and(is_global),
            });
            if !writes[index] && effects.any(|it| it) {
                writes[index] = true;
                is_changed = true;
            }
        }
    }
    writes
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
) -> BTreeMap<Place, Cell> {
    let mut found: BTreeMap<Place, (usize, usize, BTreeSet<MemberId>, bool)> = BTreeMap::new();
    for block in &program.procedure(id).blocks {
        for (position, Instruction { command, span }) in block.commands.iter().enumerate() {
            let next = block.commands.get(position + 1).map(|it| &it.command);
            let is_told = matches!(next, Some(Command::Assign { value: Expr::Variable(cell), .. })
                if told.contains(cell));
            let Some(place) = place(&program.variables, command).filter(|_| !is_told) else {
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
    let cell = |(place, (_, _, members, is_unknown)): (Place, (_, _, BTreeSet<MemberId>, bool))| {
        let members = (!is_unknown).then_some(members);
        (place, Cell { variable: place.0, members })
    };
    again.map(cell).collect()
}

/// The place that a command reads or writes, if it is always so many bytes behind a variable.
fn place(variables: &[VariableInfo], command: &Command) -> Option<Place> {
    let (Command::Load { address, ty, .. } | Command::Store { address, ty, .. }) = command else {
        return None;
    };
    let Sum { pointer, bytes, is_constant: true, .. } = sum(variables, address)? else {
        return None;
    };
    (!matches!(ty, ScalarType::Float(_))).then_some((pointer, bytes, *ty))
}

struct Again<'a> {
    cells: &'a Cells,
    variables: &'a [VariableInfo],
    /// By procedure.
    writes: &'a [bool],
}

/// The places whose contents may be known, if they are numbers, and are known, if they are pointers.
type Known = BTreeSet<Place>;

fn is_pointer((_, _, ty): &Place) -> bool {
    *ty == ScalarType::Pointer
}

/// What is known where ways meet.
fn met(one: &Known, other: &Known) -> Known {
    let all = one.union(other);
    all.filter(|it| !is_pointer(it) || one.contains(it) && other.contains(it)).copied().collect()
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
                let lost = lost.iter().filter(|it| !is_pointer(it));
                let lost = lost.map(|it| any(self.variable(it), HELD));
                let span = instruction.span;
                commands.push(instruction);
                commands.extend(lost.chain(told).map(|command| Instruction { command, span }));
            }
            block.commands = commands;
        }
        let span = procedure.span;
        let numbers = self.cells.known.keys().filter(|it| !is_pointer(it));
        let begin = numbers.map(|it| any(self.variable(it), HELD));
        let begin = begin.map(|command| Instruction { command, span });
        result.blocks[0].commands.splice(0..0, begin);
        result
    }

    fn variable(&self, place: &Place) -> Variable {
        self.cells.known[place].variable
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

    fn place(&self, command: &Command) -> Option<(Place, &Cell)> {
        let place = place(self.variables, command)?;
        Some((place, self.cells.known.get(&place)?))
    }

    /// What comes after a command that reads or writes a place: it is known from then on.
    fn told(&self, command: &Command, known: &Known) -> Option<Command> {
        let (place, cell) = self.place(command)?;
        match command {
            Command::Load { target, .. } if known.contains(&place) => {
                Some(Command::Assign { target: *target, value: cell.variable.into() })
            }
            // What the address is made of has another value behind it.
            Command::Load { target, .. } if *target == place.0 => None,
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
    fn pass(&self, Instruction { command, span }: &Instruction, known: &mut Known) -> Vec<Place> {
        let written = match command {
            Command::Store { address, ty, .. } => Some(self.written(address, Some(*ty), *span)),
            Command::Fill { address, .. } | Command::Copy { target: address, .. } => {
                Some(self.written(address, None, *span))
            }
            _ => None,
        };
        let loses_all = match command {
            Command::Unsupported { gap, .. } => !is_without_effect(gap),
            Command::Call { callee: Callee::Indirect(_), .. } => true,
            Command::Call { callee: Callee::Direct(callee), .. } => self.writes[callee.index()],
            _ => false,
        };
        let is_lost = |place: &&Place| {
            let is_written = |it| self.cells.effect(it, **place, &self.cells.known[*place]);
            loses_all
                || command.target() == Some(place.0)
                || written.as_ref().is_some_and(|it| is_written(it) == Effect::Any)
        };
        let lost: Vec<Place> = known.iter().filter(is_lost).copied().collect();
        for place in &lost {
            known.remove(place);
        }
        if let Some((place, _)) = self.place(command)
            && command.target() != Some(place.0)
        {
            known.insert(place);
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
