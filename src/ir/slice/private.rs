//! Objects that a program makes and only ever accesses at known places: their parts are variables.
//!
//! ```text
//!   b: made in one place, on the stack, and what leads there is always b + i: it is accessed, and
//!      handed to procedures that do no more with it        c: the part of b at i + j, apart from others
//!   ──────────────────────────────────────────────────────────────────────────────────────── PRIVATE
//!   b := new(n)    ⟶  b := new(n); c := *
//!   x := [p + j]   ⟶  x := [p + j]; x := c
//!   [p + j] := E   ⟶  [p + j] := E; c := E
//!   [p; k] := copy q    ⟶  [p; k] := copy q; c := [q + j - i]
//! ```
//!
//! Nothing else can write there, whatever it is. So compilers take structures apart (scalar
//! replacement of aggregates; Muchnick, *Advanced Compiler Design*, 1997, §12.2). Such are the state
//! of a parser that a function keeps and hands to its helpers, and structures that are returned.
//! Accesses stay where they are, with all that may go wrong there.

use super::any;
use super::cells::HELD;
use super::definitions::{Definition, definitions, places};
use super::sum::{Sum, sum};
use crate::cutpoint::CallGraph;
use crate::forms::Forms;
use crate::{
    BinaryOp, Callee, Command, Expr, HavocSource, InitialContent, Instruction, MemoryKind, Overlap,
    ProcedureId, Program, ScalarType, Terminator, Variable, VariableInfo,
};
use base::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Adds a variable for each part of such objects. Gives these objects.
pub(super) fn add(program: &mut Program) -> Objects {
    let made = made_once(program);
    let width = program.pointer_bytes;
    if made.is_empty() {
        return Objects { made, places: Vec::new(), parts: BTreeMap::new(), width };
    }
    let roots = made.keys().copied().collect();
    let places = places(&definitions(program), &roots);
    let mut objects = Objects { made, places, parts: BTreeMap::new(), width };
    objects.keep_private(program);
    objects.find_parts(program);
    let Program { procedures, variables, forms, .. } = program;
    for block in procedures.iter_mut().flat_map(|it| &mut it.blocks) {
        let commands = std::mem::take(&mut block.commands).into_iter();
        block.commands =
            commands.flat_map(|it| objects.with_effects((variables, forms), it)).collect();
    }
    objects
}

/// The variables that get the address of a block of known size, in one place of a procedure that is
/// not entered again while it runs, with that size.
fn made_once(program: &Program) -> BTreeMap<Variable, i128> {
    let calls = CallGraph::of_program(program);
    let mut made = BTreeMap::new();
    let mut others = BTreeSet::new();
    for (index, procedure) in program.procedures.iter().enumerate() {
        let id = ProcedureId::at(index);
        for command in procedure.blocks.iter().flat_map(|it| &it.commands).map(|it| &it.command) {
            let Some(target) = command.target() else { continue };
            let size = match command {
                Command::Allocate {
                    size: Expr::Constant(size), kind: MemoryKind::Stack, ..
                } if !calls.may_recurse(id) => Some(*size),
                _ => None,
            };
            match size {
                Some(size) if made.insert(target, size).is_none() => {}
                _ => {
                    others.insert(target);
                }
            }
        }
        others.extend(&procedure.parameters);
    }
    made.retain(|it, _| !others.contains(it));
    made
}

/// The pointers are known of objects that are as large as so many of them at most.
const MOST_COPIED: i128 = 32;

/// A part of an object.
pub(super) struct Part {
    /// So many bytes behind the start.
    pub(super) offset: i128,
    /// Its type.
    pub(super) ty: ScalarType,
    /// What lies there.
    pub(super) variable: Variable,
}

/// Such objects.
pub(super) struct Objects {
    /// By variable that holds the address: how many bytes there are.
    made: BTreeMap<Variable, i128>,
    /// By variable: always so many bytes behind one of these.
    places: Vec<Option<(Variable, i128)>>,
    /// By object.
    parts: BTreeMap<Variable, Vec<Part>>,
    /// Bytes of a pointer.
    width: u32,
}

impl Objects {
    /// The variables for their parts.
    pub(super) fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.parts.values().flatten().map(|it| it.variable)
    }

    fn bytes(&self, ty: ScalarType) -> i128 {
        i128::from(ty.bytes(self.width))
    }

    /// The object in which an address lies, and where.
    pub(super) fn place(
        &self,
        variables: &[VariableInfo],
        address: &Expr,
    ) -> Option<(Variable, i128)> {
        let Sum { pointer, bytes, is_constant: true, .. } = sum(variables, address)? else {
            return None;
        };
        let (object, more) = (*self.places.get(pointer.index())?)?;
        self.made.contains_key(&object).then_some((object, bytes + more))
    }

    /// Whether so many bytes at a place lie in the object.
    fn fits(&self, (object, offset): (Variable, i128), bytes: i128) -> bool {
        self.made.get(&object).is_some_and(|size| 0 <= offset && offset + bytes <= *size)
    }

    /// Drops the objects that are used in another way.
    fn keep_private(&mut self, program: &Program) {
        let mut seen = BTreeSet::new();
        for block in program.blocks() {
            for instruction in &block.commands {
                self.command(program, &instruction.command, &mut seen);
            }
            if let Terminator::Return(Some(value)) = &block.terminator {
                self.show(value, &mut seen);
            }
        }
        self.made.retain(|it, _| !seen.contains(it));
    }

    /// An expression is used so that its objects may be accessed by others.
    fn show(&self, value: &Expr, seen: &mut BTreeSet<Variable>) {
        seen.extend(value.variables().filter_map(|it| self.places[it.index()]).map(|it| it.0));
    }

    fn command(&self, program: &Program, command: &Command, seen: &mut BTreeSet<Variable>) {
        let variables = &program.variables;
        match command {
            Command::Load { address, ty, .. } => {
                self.access((variables, address), Some(self.bytes(*ty)), seen);
            }
            Command::Store { address, value, ty } => {
                self.access((variables, address), Some(self.bytes(*ty)), seen);
                self.show(value, seen);
            }
            Command::Fill { address, byte, size } => {
                self.access((variables, address), constant(size), seen);
                [byte, size].into_iter().for_each(|it| self.show(it, seen));
            }
            Command::Copy { target, source, size, .. } => {
                self.access((variables, target), constant(size), seen);
                self.access((variables, source), constant(size), seen);
                self.show(size, seen);
            }
            Command::Free { address: Expr::Variable(_), kind: MemoryKind::Stack }
            | Command::Assume { .. } => {}
            Command::Assign { target, value } => self.flow(value, *target, seen),
            Command::Call { callee: Callee::Direct(callee), arguments, .. } => {
                for procedure in program.entered(*callee).map(|it| program.procedure(it)) {
                    for (index, argument) in arguments.iter().enumerate() {
                        match procedure.parameters.get(index) {
                            Some(parameter) if procedure.is_defined() => {
                                self.flow(argument, *parameter, seen);
                            }
                            _ => self.show(argument, seen),
                        }
                    }
                }
            }
            other => other.expressions().for_each(|it| self.show(it, seen)),
        }
    }

    /// An access of so many bytes, if that is known.
    fn access(
        &self,
        (variables, address): (&[VariableInfo], &Expr),
        bytes: Option<i128>,
        seen: &mut BTreeSet<Variable>,
    ) {
        let place = self.place(variables, address).zip(bytes);
        if !place.is_some_and(|(place, bytes)| self.fits(place, bytes)) {
            self.show(address, seen);
        }
    }

    /// A variable gets a value: the same place, or none of an object.
    fn flow(&self, value: &Expr, to: Variable, seen: &mut BTreeSet<Variable>) {
        let from = match Definition::by(value) {
            Definition::Place(from, bytes) => {
                self.places[from.index()].map(|(object, more)| (object, more + bytes))
            }
            Definition::Made | Definition::Other => None,
        };
        if from.is_none() || from != self.places[to.index()] {
            self.show(value, seen);
        }
    }

    /// What is accessed, by object; of what is copied, the pointers.
    fn accessed(&self, program: &Program) -> BTreeMap<Variable, BTreeSet<(i128, ScalarType)>> {
        let mut accessed: BTreeMap<Variable, BTreeSet<(i128, ScalarType)>> = BTreeMap::new();
        let place = |address: &Expr| self.place(&program.variables, address);
        for command in program.commands() {
            match command {
                Command::Load { address, ty, .. } | Command::Store { address, ty, .. } => {
                    if let Some((object, offset)) = place(address) {
                        accessed.entry(object).or_default().insert((offset, *ty));
                    }
                }
                Command::Copy { target, source, .. } => {
                    for (object, _) in [target, source].into_iter().filter_map(place) {
                        let pointers = self.pointers_of(program, object).unwrap_or_default();
                        let all = pointers.into_iter().map(|at| (at, ScalarType::Pointer));
                        accessed.entry(object).or_default().extend(all);
                    }
                }
                _ => {}
            }
        }
        accessed
    }

    /// Where pointers lie in an object; nothing where there are too many, or it is not known.
    fn pointers_of(&self, program: &Program, object: Variable) -> Option<Vec<i128>> {
        let (forms, width) = (&program.forms, i128::from(self.width));
        let (layout, size) = (forms.of(object)?, *self.made.get(&object)?);
        if forms.size(layout) != size || size > MOST_COPIED * width {
            return None;
        }
        let words = (0..size / width).map(|it| it * width);
        let with_pointers = words.filter(|it| forms.has_pointers(layout, (*it, it + width)));
        with_pointers.map(|it| forms.pointee(layout, it, width).map(|_| it)).collect()
    }

    /// Finds the parts that are accessed, and are all alone where they are.
    fn find_parts(&mut self, program: &mut Program) {
        let accessed = self.accessed(program);
        let width = self.width;
        let end = |(offset, ty): &(i128, ScalarType)| offset + i128::from(ty.bytes(width));
        let handed_on = self.handed_on(program);
        for (object, all) in accessed {
            let VariableInfo { name, owner, .. } = program.variable(object).clone();
            let owner = owner.filter(|_| !handed_on.contains(&object));
            let layout = program.forms.of(object);
            for part in &all {
                let meets = |it: &&(i128, ScalarType)| it.0 < end(part) && part.0 < end(it);
                let (offset, ty) = *part;
                if all.iter().filter(meets).count() > 1 || matches!(ty, ScalarType::Float(_)) {
                    continue;
                }
                let bytes = end(part) - offset;
                let path = layout.and_then(|it| program.forms.part(it, offset, bytes));
                let path = path.map_or_else(|| format!("[{offset}]"), |it| it.path);
                let (name, span) = (format!("{name}{path}"), Span::NOWHERE);
                program.variables.push(VariableInfo { name, ty, owner, span });
                let variable = Variable::at(program.variables.len() - 1);
                if let Some(form) = layout.and_then(|it| program.forms.pointee(it, offset, bytes)) {
                    program.forms.note(variable, form);
                }
                self.parts.entry(object).or_default().push(Part { offset, ty, variable });
            }
        }
    }

    /// The objects that lie where a pointer of another procedure leads.
    fn handed_on(&self, program: &Program) -> BTreeSet<Variable> {
        let owner = |variable: Variable| program.variable(variable).owner;
        let led = self.places.iter().enumerate().filter_map(|(it, place)| {
            let (object, _) = (*place)?;
            (owner(Variable::at(it)) != owner(object)).then_some(object)
        });
        led.collect()
    }

    /// The parts of an object.
    pub(super) fn parts_of(&self, object: Variable) -> &[Part] {
        self.parts.get(&object).map_or(&[], |it| it)
    }

    fn part(&self, variables: &[VariableInfo], address: &Expr, ty: ScalarType) -> Option<Variable> {
        let (object, at) = self.place(variables, address)?;
        let mut parts = self.parts_of(object).iter();
        parts.find(|it| (it.offset, it.ty) == (at, ty)).map(|it| it.variable)
    }

    /// A command with what becomes of the parts.
    fn with_effects(
        &self,
        (variables, forms): (&[VariableInfo], &Forms),
        instruction: Instruction,
    ) -> Vec<Instruction> {
        let effects = self.effects((variables, forms), &instruction.command).into_iter();
        let span = instruction.span;
        let at = |command: &Command| match command {
            // What is read here is no member that the program names here.
            Command::Load { .. } => Span::NOWHERE,
            _ => span,
        };
        let effects = effects.map(|command| Instruction { span: at(&command), command });
        std::iter::once(instruction).chain(effects).collect()
    }

    /// What becomes of the parts by a command.
    fn effects(
        &self,
        (variables, forms): (&[VariableInfo], &Forms),
        command: &Command,
    ) -> Vec<Command> {
        match command {
            Command::Allocate { target, content, .. } => {
                let begun = |it: &Part| match content {
                    InitialContent::Zero => set(it.variable, Expr::Constant(0)),
                    InitialContent::Arbitrary => {
                        let source = HavocSource::Uninitialised;
                        Command::Havoc { target: it.variable, source }
                    }
                };
                self.parts_of(*target).iter().map(begun).collect()
            }
            Command::Load { target, address, ty } => {
                let part = self.part(variables, address, *ty);
                part.map(|it| set(*target, it.into())).into_iter().collect()
            }
            Command::Store { address, value, ty } => {
                let part = self.part(variables, address, *ty);
                part.map(|it| set(it, value.clone())).into_iter().collect()
            }
            Command::Fill { address, byte, size } => {
                let filled = |it: &Part, _| match byte {
                    Expr::Constant(0) => set(it.variable, Expr::Constant(0)),
                    _ => any(it.variable, HELD),
                };
                self.written((variables, address), size, filled)
            }
            Command::Copy { target, source, size, .. } => {
                // Within one object, what is written may be read later.
                let to = self.place(variables, target).map(|it| it.0);
                let from = self.place(variables, source).filter(|it| Some(it.0) != to);
                let copied = |it: &Part, behind: i128| {
                    let parts = from.map_or(&[][..], |(object, _)| self.parts_of(object));
                    let same = from.and_then(|(_, at)| {
                        parts.iter().find(|one| (one.offset, one.ty) == (at + behind, it.ty))
                    });
                    match same {
                        Some(one) => set(it.variable, one.variable.into()),
                        None if !self.is_read_as_it_is(
                            (variables, forms),
                            (command, source),
                            (behind, it.ty),
                        ) =>
                        {
                            any(it.variable, HELD)
                        }
                        None => Command::Load {
                            target: it.variable,
                            address: self::behind(source, behind),
                            ty: it.ty,
                        },
                    }
                };
                self.written((variables, target), size, copied)
            }
            _ => Vec::new(),
        }
    }

    /// Whether a structure that is assigned has a scalar of this size so many bytes behind its start,
    /// and lies in no such object: bytes that are copied may have been written as others.
    fn is_read_as_it_is(
        &self,
        (variables, forms): (&[VariableInfo], &Forms),
        (command, source): (&Command, &Expr),
        (behind, ty): (i128, ScalarType),
    ) -> bool {
        let Command::Copy { overlap: Overlap::Allowed, .. } = command else { return false };
        let Some(Sum { pointer, bytes, step, .. }) = sum(variables, source) else { return false };
        let Some(form) = forms.of(pointer).map(|it| forms.element(it)) else { return false };
        let each = forms.size(form);
        each > 0
            && step.rem_euclid(each) == 0
            && self.place(variables, source).is_none()
            && forms.part(form, (bytes + behind).rem_euclid(each), self.bytes(ty)).is_some()
    }

    /// What becomes of the parts that are written whole, each so many bytes behind an address, and of
    /// those of which some bytes are.
    fn written(
        &self,
        (variables, address): (&[VariableInfo], &Expr),
        size: &Expr,
        becomes: impl Fn(&Part, i128) -> Command,
    ) -> Vec<Command> {
        let Some(((object, from), size)) = self.place(variables, address).zip(constant(size))
        else {
            return Vec::new();
        };
        let to = from + size;
        let changed = self.parts_of(object).iter().filter_map(|it| {
            let end = it.offset + self.bytes(it.ty);
            match (from <= it.offset && end <= to, end <= from || to <= it.offset) {
                (_, true) => None,
                (true, _) => Some(becomes(it, it.offset - from)),
                (false, _) => Some(any(it.variable, HELD)),
            }
        });
        changed.collect()
    }
}

fn constant(size: &Expr) -> Option<i128> {
    match size {
        Expr::Constant(size) => Some(*size),
        _ => None,
    }
}

/// The address so many bytes behind another one.
pub(super) fn behind(address: &Expr, bytes: i128) -> Expr {
    match bytes {
        0 => address.clone(),
        _ => Expr::binary(BinaryOp::Add, address.clone(), Expr::Constant(bytes)),
    }
}

fn set(target: Variable, value: Expr) -> Command {
    Command::Assign { target, value }
}
