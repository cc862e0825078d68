//! A function that is analysed by itself (`--entry`): it may be called at any
//! time, with any arguments, and finds any values in the globals.

use std::sync::Arc;

use wane_grammar::c::place::Place;

use super::scope::Home;
use super::{Lowered, Lowering};
use crate::types::{Array, Length, Pointee, RecordId, Type};
use crate::{Options, Threads};
use ir::open::{Layout, LayoutId, NumberField, OpenEntry, PointerField, PointerSort};
use ir::{
    BinaryOp, Command, Expr, HavocSource, InitialContent, ProcedureId, ScalarType, Variable,
    VariableInfo,
};

/// More types than this, and what further pointers point at is left open.
const MAX_LAYOUTS: usize = 64;

/// The pointers of longer arrays in structures have no names.
const MAX_ELEMENTS: u64 = 4;

/// A variable that holds a pointer when the function is called.
pub(super) type IncomingPointer = (Variable, Arc<Pointee>);

/// Whether a function is named at which execution starts, and it is not `main`.
pub(super) fn starts_elsewhere(options: &Options) -> bool {
    options.entry.as_deref().is_some_and(|entry| entry != "main")
}

impl Lowering<'_> {
    /// Whether execution starts at another function than `main`.
    pub(super) fn is_open(&self) -> bool {
        self.options.threads == Threads::One && starts_elsewhere(&self.options)
    }

    /// Whether others call all functions of the program, each in a thread of its own: `main` is
    /// made later (`reduce::threads::driver`).
    pub(super) fn is_driver(&self) -> bool {
        self.options.threads == Threads::Many && starts_elsewhere(&self.options)
    }

    /// Gives a global any value that it can have when the function is called.
    pub(super) fn open_global(&mut self, index: usize, home: Home) -> Lowered<()> {
        let (ty, place) =
            (self.declared.globals[index].ty.clone(), self.declared.globals[index].place);
        let name = self.global_name(index);
        match home {
            Home::Register(target) => {
                if !self.declared.globals[index].is_static && self.source.is_users(place) {
                    self.opened.shared.push(name.clone());
                }
                self.incoming(target, &name, &ty, place);
            }
            Home::Memory(target) => {
                let Some(size) = self.types.size(&ty) else {
                    self.unsupported(format!("the size of `{name}` is not known"), place);
                    return Ok(());
                };
                self.allocate_static(target, size, InitialContent::Arbitrary, place);
                if let Type::Record(record) = ty {
                    self.open_fields(target, &name, record, place);
                }
            }
        }
        Ok(())
    }

    /// That nobody hands over the address of a variable that other files know: it is taken to be
    /// written by its name only, where the file does not take its address.
    pub(super) fn apart_from_globals(&self) -> Option<String> {
        let own = self.parts.procedures.iter();
        let mut commands = own.flat_map(|it| &it.blocks).flat_map(|it| &it.commands);
        let writes = commands.any(|it| {
            use Command::{Copy, Fill, Store};
            matches!(it.command, Store { .. } | Fill { .. } | Copy { .. })
        });
        let names: Vec<String> = self.opened.shared.iter().map(|it| format!("`{it}`")).collect();
        let (last, others) = names.split_last().filter(|_| writes && self.opened.has_incoming)?;
        let all = match others {
            [] => last.clone(),
            others => format!("{} or {last}", others.join(", ")),
        };
        Some(format!("no pointer that comes in, and none behind them, leads to {all}"))
    }

    /// Gives the pointers of a structure names.
    pub(super) fn open_fields(
        &mut self,
        block: Variable,
        name: &str,
        record: RecordId,
        place: Place,
    ) {
        let mut fields = Vec::new();
        self.pointers_in(record, 0, "", &mut fields);
        for (offset, field, pointee) in fields {
            let name = format!("{name}.{field}");
            let ty = ScalarType::Pointer;
            let info = VariableInfo { name: name.clone(), ty, owner: None, span: self.span(place) };
            let value = self.parts.variable(info);
            self.incoming(value, &name, &Type::Pointer(pointee), place);
            let offset = Expr::Constant(i128::from(offset));
            let address = super::fold::binary(BinaryOp::Add, block.into(), offset);
            self.emit(Command::Store { address, value: value.into(), ty }, place);
        }
    }

    fn incoming(&mut self, target: Variable, name: &str, ty: &Type, place: Place) {
        let source = HavocSource::Approximation(format!("the value of `{name}` at the call"));
        self.emit(Command::Havoc { target, source }, place);
        if let Type::Pointer(pointee) = ty {
            self.opened.incoming.push((target, Arc::clone(pointee)));
            self.forms.push((target, pointee.ty.clone()));
        }
    }

    /// An argument of the function that is analysed. The caller holds on to it.
    pub(super) fn open_argument(
        &mut self,
        (position, parameter): (usize, Option<Variable>),
        ty: &Type,
        place: Place,
    ) -> Lowered<Expr> {
        let Some(scalar) = self.types.scalar(ty) else {
            return Ok(self.approximation(ty, "argument of the entry function", place)?.expr);
        };
        let (name, span) = (format!("$argument{position}"), self.span(place));
        let owner = Some(self.body.procedure);
        let info = VariableInfo { name, ty: scalar, owner, span };
        let target = self.parts.variable(info);
        // No function of the library is called so, whose inputs are known by its name.
        let input = match parameter {
            Some(it) => format!("argument `{}`", self.parts.variables[it.index()].name),
            None => format!("argument {}", position + 1),
        };
        let source = match ty {
            Type::Int(_) => HavocSource::Input(input),
            _ => HavocSource::Approximation("argument of the entry function".to_owned()),
        };
        self.emit(Command::Havoc { target, source }, place);
        self.assume_range(target, scalar, place);
        Ok(target.into())
    }

    /// Where the caller keeps a result that may be an address.
    pub(super) fn caller_result(&mut self, ty: &Type, place: Place) -> Option<Variable> {
        let Type::Pointer(_) = ty else { return None };
        let (name, span) = ("$returned".to_owned(), self.span(place));
        let owner = Some(self.body.procedure);
        let info = VariableInfo { name, ty: ScalarType::Pointer, owner, span };
        Some(self.parts.variable(info))
    }

    /// What is known of the function: `formals` are its parameters with their
    /// types.
    pub(super) fn describe_entry(
        &mut self,
        procedure: ProcedureId,
        formals: &[(Variable, Type)],
    ) -> OpenEntry {
        for (variable, ty) in formals {
            if let Type::Pointer(pointee) = ty {
                let pointee = self.outside.kept.type_behind(*variable).unwrap_or(pointee);
                self.opened.incoming.push((*variable, Arc::clone(pointee)));
            }
        }
        let mut layouts = Layouts { known: Vec::new(), done: Vec::new() };
        let incoming = std::mem::take(&mut self.opened.incoming);
        let is_structure = |(_, ty): &(Variable, Type)| matches!(ty, Type::Record(_));
        self.opened.has_incoming = !incoming.is_empty() || formals.iter().any(is_structure);
        let mut pointers: Vec<(Variable, LayoutId)> = Vec::new();
        let functions = incoming.iter().filter(|(_, pointee)| is_function(pointee));
        let functions = functions.map(|(variable, _)| *variable).collect();
        for (variable, pointee) in &incoming {
            let ty = &self.outside.kept.typed(pointee).ty;
            pointers.extend(self.layout_of(ty, &mut layouts).map(|id| (*variable, id)));
        }
        self.finish_layouts(&mut layouts);
        OpenEntry {
            procedure,
            pointers,
            functions,
            layouts: layouts.done,
            givers: self.outside.kept.givers(),
            holders: self.outside.kept.holders(),
            callbacks: Vec::new(),
            has_unions: true,
            members: Vec::new(),
        }
    }

    /// The same, with what is known when all is lowered: the procedures whose addresses the file
    /// takes somewhere, and whether there are unions.
    pub(super) fn with_whole_file(&self, entry: OpenEntry) -> OpenEntry {
        let functions = self.declared.functions.iter();
        let taken = functions.filter(|it| self.taken.is_value(it.name));
        let mut callbacks: Vec<ProcedureId> = taken.filter_map(|it| it.procedure).collect();
        callbacks.sort_unstable();
        let members = self.opened.accesses.members(&self.types);
        OpenEntry { callbacks, has_unions: self.opened.uses_unions, members, ..entry }
    }

    /// Reserves a number for a type that has a size.
    fn layout_of(&self, ty: &Type, layouts: &mut Layouts) -> Option<LayoutId> {
        let has_size =
            !matches!(ty, Type::Void | Type::Function(_)) && self.types.size(ty) > Some(0);
        if let Some(known) = layouts.known.iter().position(|known| known == ty) {
            return Some(LayoutId::at(known));
        }
        if !has_size || layouts.known.len() >= MAX_LAYOUTS {
            return None;
        }
        layouts.known.push(ty.clone());
        Some(LayoutId::at(layouts.known.len() - 1))
    }

    /// Looks into the types, which may mention further ones.
    fn finish_layouts(&self, layouts: &mut Layouts) {
        let pointer_bytes = u64::from(self.types.model.pointer_bytes());
        while let Some(ty) = layouts.known.get(layouts.done.len()).cloned() {
            let mut fields = Vec::new();
            let mut numbers = Vec::new();
            match &ty {
                Type::Record(record) => {
                    self.pointers_in(*record, 0, "", &mut fields);
                    self.numbers_in(*record, (0, ""), &mut numbers);
                }
                Type::Pointer(pointee) => fields.push((0, "*".to_owned(), Arc::clone(pointee))),
                Type::Int(int) => {
                    let (name, kind) = ("*".to_owned(), int.kind(self.types.model));
                    numbers.push(NumberField { name, offset: 0, kind });
                }
                _ => {}
            }
            let pointers = fields.into_iter().filter_map(|(offset, name, pointee)| {
                let target = self.layout_of(&self.outside.kept.typed(&pointee).ty, layouts);
                let sort = match is_function(&pointee) {
                    true => PointerSort::Function,
                    false => PointerSort::Object,
                };
                Some(PointerField { name, offset: i64::try_from(offset).ok()?, target, sort })
            });
            let pointers: Vec<PointerField> = pointers.collect();
            keep_apart(&mut numbers, &pointers, pointer_bytes);
            let bytes = self.types.size(&ty).and_then(|size| i64::try_from(size).ok());
            let name = self.spelling(&ty);
            let bytes = bytes.unwrap_or(i64::MAX);
            layouts.done.push(Layout { name, bytes, pointers, numbers });
        }
    }

    /// The pointers in a structure and in those that it contains.
    pub(super) fn pointers_in(
        &self,
        record: RecordId,
        start: u64,
        prefix: &str,
        found: &mut Vec<(u64, String, Arc<Pointee>)>,
    ) {
        let Some(layout) = &self.types.record(record).layout else { return };
        let pointer_bytes = u64::from(self.types.model.pointer_bytes());
        for field in &layout.fields {
            let name = match field.name {
                Some(name) => format!("{prefix}{}", self.name(name)),
                None => prefix.trim_end_matches('.').to_owned(),
            };
            let offset = start + field.offset;
            match &field.ty {
                Type::Pointer(pointee) if is_new_at(found, offset) => {
                    found.push((offset, name, Arc::clone(pointee)));
                }
                Type::Record(inner) => {
                    let prefix = if name.is_empty() { name } else { format!("{name}.") };
                    self.pointers_in(*inner, offset, &prefix, found);
                }
                Type::Array(array) => {
                    for (position, pointee) in few_pointers(array).enumerate() {
                        let offset = offset + position as u64 * pointer_bytes;
                        if is_new_at(found, offset) {
                            found.push((offset, format!("{name}[{position}]"), pointee));
                        }
                    }
                }
                _ => {}
            }
        }
        found.sort_by_key(|(offset, ..)| *offset);
    }

    /// The integers in a structure and in those that it contains.
    pub(super) fn numbers_in(
        &self,
        record: RecordId,
        (start, prefix): (u64, &str),
        found: &mut Vec<NumberField>,
    ) {
        let Some(layout) = &self.types.record(record).layout else { return };
        for field in layout.fields.iter().filter(|field| field.bits.is_none()) {
            let name = match field.name {
                Some(name) => format!("{prefix}{}", self.name(name)),
                None => prefix.trim_end_matches('.').to_owned(),
            };
            let offset = start + field.offset;
            match &field.ty {
                Type::Int(int) => {
                    let kind = int.kind(self.types.model);
                    let offset = i64::try_from(offset).ok();
                    found.extend(offset.map(|offset| NumberField { name, offset, kind }));
                }
                Type::Record(inner) => {
                    let prefix = if name.is_empty() { name } else { format!("{name}.") };
                    self.numbers_in(*inner, (offset, &prefix), found);
                }
                _ => {}
            }
        }
    }

    /// A type as a programmer would call it.
    fn spelling(&self, ty: &Type) -> String {
        match ty {
            Type::Record(id) => match self.types.record(*id).tag {
                Some(tag) => format!("struct {}", self.name(tag)),
                None => "struct".to_owned(),
            },
            Type::Array(array) => match array.length {
                Length::Fixed(length) => format!("{}[{length}]", self.spelling(&array.element)),
                _ => format!("{}[]", self.spelling(&array.element)),
            },
            Type::Pointer(pointee) => format!("{} *", self.spelling(&pointee.ty)),
            Type::Int(_) => "int".to_owned(),
            Type::Float(_) => "float".to_owned(),
            Type::Void | Type::Function(_) | Type::VaList => "object".to_owned(),
        }
    }
}

fn is_function(pointee: &Pointee) -> bool {
    matches!(pointee.ty, Type::Function(_))
}

/// Whether no pointer is known at an offset.
fn is_new_at(found: &[(u64, String, Arc<Pointee>)], offset: u64) -> bool {
    found.iter().all(|(known, ..)| *known != offset)
}

/// What the pointers of an array of few of them point at.
fn few_pointers(array: &Array) -> impl Iterator<Item = Arc<Pointee>> {
    let pointee = match &array.element {
        Type::Pointer(pointee) => Some(Arc::clone(pointee)),
        _ => None,
    };
    let n_elements = match array.length {
        Length::Fixed(n) if n <= MAX_ELEMENTS => usize::try_from(n).unwrap_or(0),
        Length::Fixed(_) | Length::Unknown | Length::Variable(_) => 0,
    };
    pointee.into_iter().flat_map(move |it| std::iter::repeat_n(it, n_elements))
}

/// Leaves those numbers that share no bytes with pointers or with numbers before them.
fn keep_apart(numbers: &mut Vec<NumberField>, pointers: &[PointerField], pointer_bytes: u64) {
    let behind = |offset: i64, bytes: u64| offset + i64::try_from(bytes).unwrap_or(i64::MAX);
    let mut taken: Vec<(i64, i64)> =
        pointers.iter().map(|it| (it.offset, behind(it.offset, pointer_bytes))).collect();
    numbers.retain(|number| {
        let own = (number.offset, number.offset + number.bytes());
        let is_apart = taken.iter().all(|it| own.1 <= it.0 || it.1 <= own.0);
        taken.extend(is_apart.then_some(own));
        is_apart
    });
    numbers.sort_by_key(|number| number.offset);
}

/// The types met so far, and those that were looked into.
struct Layouts {
    known: Vec<Type>,
    done: Vec<Layout>,
}
