//! Numbers and pointers in memory that a function by itself is handed, where nothing else is said
//! of memory.
//!
//! ```text
//!   r: a pointer that only the start gives a value    p: always r + i    c: what lies at r + i + j
//!   ────────────────────────────────────────────────────────────────────────────────────── CELLS
//!   x := [p + j]  ⟶  x := [p + j]; x := c
//!   [p + j] := E  ⟶  [p + j] := E; c := E
//!   [q] := E      ⟶  [q] := E; c := *                     if that may be the same place
//! ```
//!
//! Such are the fields of the structure that a module's functions hand on. Two places are not the
//! same if they are other members (`MemberId`), other parts of what `r` points at, or of types that
//! no object has both of (C11 6.5p7), unless a union may have; bytes may be part of anything. What
//! the function makes itself is no part of what it was handed.

pub(super) mod again;
mod copies;
mod writers;

use super::any;
use super::definitions::{comes_in, definitions, places};
use super::origins::Origins;
use super::sum::{Sum, sum};
use crate::forms::Forms;
use crate::open::{MemberId, OpenEntry};
use crate::{
    Callee, Command, Expr, Gap, Instruction, IntKind, ProcedureId, Program, ScalarType, Variable,
    VariableInfo,
};
use base::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Why what lies there may be any value.
pub(super) const HELD: &str = "what memory holds";

/// Adds what lies at known places to a program that is about a function by itself. Gives the
/// variables that stand for it, by place: so many bytes behind a root. What is written through these
/// pointers, by variable, is no part of anything but texts.
pub(super) fn add(program: &mut Program, texts: &[bool]) -> Vec<(Variable, Place)> {
    let Some(open) = program.open.clone() else { return Vec::new() };
    let roots = Roots::of(program);
    let procedures = (0..program.procedures.len()).map(ProcedureId::at);
    let undefined = procedures.filter(|it| !program.procedure(*it).is_defined()).collect();
    let texts = texts.to_vec();
    let mut cells = Cells { roots, open, texts, undefined, known: BTreeMap::new() };
    cells.find(program);
    if cells.known.is_empty() {
        return Vec::new();
    }
    let entry = program.entry;
    if let Some(first) = program.procedures[entry.index()].blocks.first_mut() {
        let begin = cells.known.values().map(|it| any(it.variable, HELD));
        let begin = begin.map(|command| Instruction { command, span: Span::NOWHERE });
        first.commands.splice(0..0, begin);
    }
    let Program { procedures, variables, forms, .. } = program;
    for (index, procedure) in procedures.iter_mut().enumerate() {
        if index == entry.index() {
            continue;
        }
        for block in &mut procedure.blocks {
            let commands = std::mem::take(&mut block.commands).into_iter();
            block.commands =
                commands.flat_map(|it| cells.with_effects((variables, forms), it)).collect();
        }
    }
    cells.known.into_iter().map(|(place, cell)| (cell.variable, place)).collect()
}

/// Where pointers point, as far as it is told by those that only the start gives values.
struct Roots {
    /// By variable: always so many bytes behind a root.
    places: Vec<Option<(Variable, i128)>>,
    /// What the function makes itself.
    origins: Origins,
}

impl Roots {
    fn of(program: &Program) -> Self {
        let definitions = definitions(program);
        let is_root = |it: &Variable| {
            let is_pointer = program.variable(*it).ty == ScalarType::Pointer;
            is_pointer && comes_in(program, *it) && definitions[it.index()].is_empty()
        };
        let variables = (0..program.variables.len()).map(Variable::at);
        let roots: BTreeSet<Variable> = variables.filter(is_root).collect();
        let places = places(&definitions, &roots);
        Self { places, origins: Origins::of(program) }
    }
}

/// A place behind a pointer, and the type that is read there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) pointer: Variable,
    /// So many bytes behind it,
    pub(super) bytes: i128,
    /// and behind some multiple of so many; 0 if there is nothing more.
    pub(super) step: i128,
    pub(super) ty: ScalarType,
}

/// What lies at a place.
struct Cell {
    variable: Variable,
    /// The members that it is read as; none if that is not known.
    members: Option<BTreeSet<MemberId>>,
}

struct Cells {
    roots: Roots,
    open: OpenEntry,
    /// By variable: whether it is known to lead to bytes only that are no part of others.
    texts: Vec<bool>,
    /// The procedures of which nothing is known.
    undefined: BTreeSet<ProcedureId>,
    known: BTreeMap<Place, Cell>,
}

/// What a command writes.
struct Written<'a> {
    root: Option<Variable>,
    /// Whether it is something that the function makes itself.
    is_own: bool,
    /// Whether it is a byte that is no part of something else.
    is_text: bool,
    offset: Option<i128>,
    /// Nothing for so many bytes that it is not known how many.
    ty: Option<ScalarType>,
    members: &'a [MemberId],
}

/// What becomes of a cell.
#[derive(PartialEq, Eq)]
enum Effect {
    Nothing,
    Set,
    Any,
}

impl Cells {
    /// Nothing known of a program where no variable keeps what the start gives it.
    fn without_roots(program: &Program, open: OpenEntry, texts: &[bool]) -> Self {
        let places = vec![None; program.variables.len()];
        let roots = Roots { places, origins: Origins::of(program) };
        let texts = texts.to_vec();
        Self { roots, open, texts, undefined: BTreeSet::new(), known: BTreeMap::new() }
    }

    fn is_text(&self, pointer: Variable) -> bool {
        self.texts.get(pointer.index()).copied().unwrap_or(false)
    }

    /// Finds the places that are read.
    fn find(&mut self, program: &mut Program) {
        let mut accessed: BTreeMap<Place, Option<BTreeSet<MemberId>>> = BTreeMap::new();
        let mut read = BTreeSet::new();
        for Instruction { command, span } in program.blocks().flat_map(|it| &it.commands) {
            let (Command::Load { address, ty, .. } | Command::Store { address, ty, .. }) = command
            else {
                continue;
            };
            if let (Some((root, Some(offset))), false) =
                (self.place(&program.variables, address), matches!(ty, ScalarType::Float(_)))
            {
                let members = self.open.members_at(*span);
                let place = Place { pointer: root, bytes: offset, step: 0, ty: *ty };
                if let Command::Load { .. } = command {
                    read.insert(place);
                }
                let known = accessed.entry(place).or_insert_with(|| Some(BTreeSet::new()));
                match known {
                    Some(known) if !members.is_empty() => known.extend(members),
                    _ => *known = None,
                }
            }
        }
        for (place, members) in accessed.into_iter().filter(|it| read.contains(&it.0)) {
            let Place { pointer, bytes, ty, .. } = place;
            let name = self.name(program, (pointer, bytes), ty);
            program.variables.push(VariableInfo { name, ty, owner: None, span: Span::NOWHERE });
            let variable = Variable::at(program.variables.len() - 1);
            self.known.insert(place, Cell { variable, members });
        }
    }

    /// What the program calls a place.
    fn name(&self, program: &Program, (root, offset): (Variable, i128), ty: ScalarType) -> String {
        let root_name = &program.variable(root).name;
        let layout = self.open.pointers.iter().find(|(it, _)| *it == root);
        let layout = layout.map(|(_, id)| self.open.layout(*id));
        let numbers = layout.into_iter().flat_map(|it| &it.numbers);
        let numbers = numbers.map(|it| (it.offset, &it.name));
        let pointers = layout.into_iter().flat_map(|it| &it.pointers);
        let mut fields = numbers.chain(pointers.map(|it| (it.offset, &it.name)));
        match fields.find(|(at, _)| i128::from(*at) == offset) {
            Some((_, field)) if field.starts_with(|it: char| it.is_alphabetic() || it == '_') => {
                format!("{root_name}->{field}")
            }
            _ => {
                let element = program.forms.of(root).map(|it| program.forms.element(it));
                let width = i128::from(ty.bytes(program.pointer_bytes));
                let is_row = element.is_some_and(|it| program.forms.size(it) == width);
                match is_row && offset % width == 0 {
                    true => format!("{root_name}[{}]", offset / width),
                    false => format!("{root_name} at {offset}"),
                }
            }
        }
    }

    fn place(
        &self,
        variables: &[VariableInfo],
        address: &Expr,
    ) -> Option<(Variable, Option<i128>)> {
        let Sum { pointer, bytes, is_constant, .. } = sum(variables, address)?;
        let (root, more) = self.roots.places[pointer.index()]?;
        Some((root, is_constant.then_some(bytes + more)))
    }

    /// A command with what becomes of the cells.
    fn with_effects(
        &self,
        (variables, forms): (&[VariableInfo], &Forms),
        instruction: Instruction,
    ) -> Vec<Instruction> {
        let written = |address, ty, span| self.written((variables, address), ty, span);
        let Instruction { command, span } = &instruction;
        let more: Vec<Command> = match command {
            Command::Load { target, address, ty } => {
                let place = self.place(variables, address).and_then(|(pointer, at)| {
                    Some(Place { pointer, bytes: at?, step: 0, ty: *ty })
                });
                let cell = place.and_then(|place| self.known.get(&place));
                cell.map(|it| Command::Assign { target: *target, value: it.variable.into() })
                    .into_iter()
                    .collect()
            }
            Command::Store { address, value, ty } => {
                self.effects(&written(address, Some(*ty), *span), value)
            }
            Command::Fill { address, .. } => {
                let written = Written { members: &[], ..written(address, None, *span) };
                self.effects(&written, &Expr::Constant(0))
            }
            Command::Copy { target: address, .. } => {
                self.effects(&written(address, None, *span), &Expr::Constant(0))
            }
            Command::Unsupported { gap: Gap::Handed(object), .. } => {
                self.handed(forms, sum(variables, object).map(|it| it.pointer))
            }
            Command::Unsupported { gap: Gap::Contents, .. } => {
                self.known.values().map(|it| any(it.variable, HELD)).collect()
            }
            // What is known and called has its effects there; others leave memory as it is.
            Command::Call { callee: Callee::Indirect(_), .. }
                if self.open.givers.contains(span) =>
            {
                self.known.values().map(|it| any(it.variable, HELD)).collect()
            }
            Command::Call { callee: Callee::Direct(callee), .. }
                if self.undefined.contains(callee) =>
            {
                self.known.values().map(|it| any(it.variable, HELD)).collect()
            }
            _ => Vec::new(),
        };
        let span = *span;
        let more = more.into_iter().map(|command| Instruction { command, span });
        std::iter::once(instruction).chain(more).collect()
    }

    /// What is lost where an object is handed to somebody who may give it up or change it.
    fn handed(&self, forms: &Forms, object: Option<Variable>) -> Vec<Command> {
        let is_lost = |it: &Place| !self.is_of_other_form(forms, object, it.pointer);
        let lost = self.known.iter().filter(|(it, _)| is_lost(it));
        lost.map(|(_, it)| any(it.variable, HELD)).collect()
    }

    /// Whether two pointers lead to objects of types of which none is a part of the other one. What
    /// has a name is no part.
    fn is_of_other_form(&self, forms: &Forms, object: Option<Variable>, root: Variable) -> bool {
        let form = |it: Variable| forms.of(it);
        let both = object.and_then(form).zip(form(root));
        both.is_some_and(|(one, other)| match self.roots.origins.is_named(root) {
            true => forms.size(one) > 0 && !forms.may_hold(other, forms.element(one)),
            false => forms.are_apart(one, other),
        })
    }

    fn written(
        &self,
        (variables, address): (&[VariableInfo], &Expr),
        ty: Option<ScalarType>,
        span: Span,
    ) -> Written<'_> {
        let place = self.place(variables, address);
        let pointer = sum(variables, address).map(|it| it.pointer);
        Written {
            root: place.map(|it| it.0),
            is_own: pointer.is_some_and(|it| self.roots.origins.made(it).is_some()),
            is_text: pointer.is_some_and(|it| self.is_text(it)),
            offset: place.and_then(|it| it.1),
            ty,
            members: self.open.members_at(span),
        }
    }

    fn effects(&self, written: &Written<'_>, value: &Expr) -> Vec<Command> {
        let mut commands = Vec::new();
        for (place, cell) in &self.known {
            match self.effect(written, *place, cell) {
                Effect::Nothing => {}
                Effect::Set => {
                    let (target, value) = (cell.variable, value.clone());
                    commands.push(Command::Assign { target, value });
                }
                Effect::Any => commands.push(any(cell.variable, HELD)),
            }
        }
        commands
    }

    fn effect(&self, written: &Written<'_>, place: Place, cell: &Cell) -> Effect {
        let Place { pointer: root, bytes: offset, step, ty } = place;
        if written.is_own {
            return Effect::Nothing;
        }
        let bytes = |ty: ScalarType| i128::from(ty.bytes(8));
        if let (Some(from), Some(own), Some(kind)) = (written.root, written.offset, written.ty)
            && from == root
            && step == 0
        {
            let is_apart = own + bytes(kind) <= offset || offset + bytes(ty) <= own;
            let is_same = own == offset && kind == ty;
            return match (is_apart, is_same) {
                (true, _) => Effect::Nothing,
                (_, true) => Effect::Set,
                _ => Effect::Any,
            };
        }
        let members = cell.members.as_ref().filter(|it| !it.is_empty());
        let united = MemberId::UNITED;
        let are_others = !written.members.is_empty()
            && members.is_some_and(|own| written.members.iter().all(|it| !own.contains(it)));
        if are_others {
            return Effect::Nothing;
        }
        let byte = ScalarType::Int(IntKind { bits: 8, signed: true });
        let Some(kind) = written.ty.or(written.is_text.then_some(byte)) else { return Effect::Any };
        // What is no member may lie in a union.
        let in_no_union = |it: Option<bool>| it.map_or(!self.open.has_unions, |it| !it);
        let is_declared =
            |members: &[MemberId]| (!members.is_empty()).then(|| members.contains(&united));
        let plain = in_no_union(is_declared(written.members))
            && in_no_union(members.map(|it| it.contains(&united)));
        let is_byte = |ty: ScalarType| bytes(ty) == 1;
        let of_other_types = match (kind, ty) {
            (ScalarType::Int(one), ScalarType::Int(other)) => one.bits != other.bits,
            (ScalarType::Pointer, ScalarType::Pointer) => false,
            _ => true,
        };
        if !plain || !of_other_types {
            return Effect::Any;
        }
        // Bytes of any object may be read and written, but not those of a member by another name.
        let is_in_text = self.is_text(root);
        let is_apart = written.is_text && !is_in_text;
        let may_be_part = (is_byte(kind) && written.members.is_empty() && !is_apart)
            || (is_byte(ty) && members.is_none() && !is_in_text);
        if may_be_part { Effect::Any } else { Effect::Nothing }
    }
}
