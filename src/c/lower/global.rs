//! Functions, globals and strings that are reached, and the procedure that
//! sets them up and calls `main`.

use std::sync::Arc;

use wane_grammar::c::ast::{Derivation, FunctionDefinition, Initializer, Parameters};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::body::{self, Body};
use super::convert::Value;
use super::gift::Gift;
use super::initializer::StaticEntry;
use super::link::Reach;
use super::linkage::Linkage;
use super::scope::{Entity, Home};
use super::{Lowered, Lowering, fold};
use crate::SyntaxError;
use crate::library::{self, models};
use crate::types::{Function, Integer, Qualifiers, Type};
use base::source::Span;
use ir::{
    BinaryOp, BlockId, Command, Expr, HavocSource, InitialContent, Instruction, MemoryKind,
    ProcedureId, ScalarType, Terminator, Variable, VariableInfo,
};

/// A function of the file.
#[derive(Clone, Debug)]
pub(super) struct FunctionEntry<'a> {
    pub(super) name: Symbol,
    pub(super) ty: Arc<Function>,
    pub(super) definition: Option<&'a FunctionDefinition>,
    pub(super) linkage: Linkage,
    pub(super) no_return: bool,
    /// What attributes say of its result.
    pub(super) gift: Gift,
    /// The priorities, if it runs before or after `main`.
    pub(super) constructor: Option<u32>,
    pub(super) destructor: Option<u32>,
    /// Its procedure, once it is reached.
    pub(super) procedure: Option<ProcedureId>,
    pub(super) place: Place,
    /// The file that it was first declared in, or is defined in.
    pub(super) unit: usize,
    pub(super) reach: Reach,
    /// Whether another file may have the definition that counts.
    pub(super) is_replaceable: bool,
    pub(super) is_inline: bool,
}

/// A variable that lives as long as the program.
#[derive(Clone, Debug)]
pub(super) struct GlobalEntry<'a> {
    pub(super) name: Symbol,
    pub(super) ty: Type,
    pub(super) initializer: Option<&'a Initializer>,
    /// The initial values of a static local.
    pub(super) entries: Vec<StaticEntry>,
    /// Whether it must live in memory, when that is known already.
    pub(super) in_memory: Option<bool>,
    /// Whether the file defines it, or only declares it.
    pub(super) is_defined: bool,
    pub(super) unsupported: Option<&'static str>,
    /// Where it is, once it is reached.
    home: Option<Home>,
    /// Whether it keeps its initial value.
    pub(super) constant: bool,
    /// Whether it may change by itself.
    pub(super) volatile: bool,
    /// Whether only this file knows it.
    pub(super) is_static: bool,
    /// Whether its address is null if nobody defines it.
    pub(super) weak: bool,
    pub(super) place: Place,
    /// The file that it was first declared in, or is defined in.
    pub(super) unit: usize,
    /// Whether another file may have the initial value that counts.
    pub(super) is_replaceable: bool,
}

impl GlobalEntry<'_> {
    pub(super) fn new(name: Symbol, ty: Type, place: Place, unit: usize) -> Self {
        Self {
            name,
            ty,
            initializer: None,
            entries: Vec::new(),
            in_memory: None,
            is_defined: false,
            unsupported: None,
            home: None,
            constant: false,
            volatile: false,
            is_static: false,
            weak: false,
            place,
            unit,
            is_replaceable: false,
        }
    }

    /// What is said of it beside its type.
    pub(super) fn qualifiers(&self) -> Qualifiers {
        Qualifiers { constant: self.constant, volatile: self.volatile }
    }
}

impl<'a> Lowering<'a> {
    /// Lowers all that the entry function reaches. Returns the errors met.
    pub(super) fn program(&mut self) -> Vec<SyntaxError> {
        let entry = match self.entry_function() {
            Ok(entry) => entry,
            Err(error) => return vec![error],
        };
        let unit = self.declared.functions[entry].unit;
        self.scopes.enter(unit);
        self.declared.entry_file = self.source.name_of_file(unit);
        let setup = self.body.block(Span::NOWHERE);
        self.body.blocks[0].terminator = Some(Terminator::Goto(setup));
        self.body.current = setup;
        let mut errors = Vec::new();
        self.procedure_of(entry);
        for root in self.source.roots() {
            if let Some(index) = self.hook_named(root) {
                self.procedure_of(index);
            }
        }
        if self.is_driver() {
            // Others may call what the program's tables name.
            for index in 0..self.declared.globals.len() {
                let global = &self.declared.globals[index];
                if global.is_defined && !global.is_static && global.initializer.is_some() {
                    self.home_of_global(index);
                }
            }
        }
        let constructors = if self.is_open() { Vec::new() } else { self.constructors() };
        for index in &constructors {
            self.procedure_of(*index);
        }
        if !self.is_open() {
            for index in self.destructors() {
                self.procedure_of(index);
            }
        }
        self.lower_waiting(&mut errors);
        let end_of_setup = self.body.current;
        let calls = self.body.block(Span::NOWHERE);
        self.body.current = calls;
        constructors.iter().for_each(|index| self.call_without_arguments(*index));
        errors.extend(self.call_entry(entry).err());
        if !self.is_open() {
            let place = self.declared.functions[entry].place;
            errors.extend(self.call_destructors(place).err());
        }
        // What these calls mention is set up before them, too.
        let end = std::mem::replace(&mut self.body.current, end_of_setup);
        self.lower_waiting(&mut errors);
        self.body.terminate(Terminator::Goto(calls), Span::NOWHERE);
        self.body.current = end;
        self.set_up_texts(setup);
        self.body.terminate(Terminator::Halt, Span::NOWHERE);
        let blocks = std::mem::take(&mut self.body.blocks);
        let start = self.body.procedure.index();
        self.parts.procedures[start].blocks = body::tidy(blocks);
        errors
    }

    fn entry_function(&mut self) -> Lowered<usize> {
        let wanted = self.options.entry.as_deref().unwrap_or("main");
        // `f` is any function of this name, `a.c:f` that of a file.
        let (file, name) = match wanted.rsplit_once(':') {
            Some((file, name)) => (Some(file), name),
            None => (None, wanted),
        };
        let symbol = self.source.find(name);
        let is_meant = |function: &FunctionEntry<'_>| {
            let own = self.source.name_of_file(function.unit);
            Some(function.name) == symbol
                && function.definition.is_some()
                && file.is_none_or(|file| own == file)
        };
        let functions = &self.declared.functions;
        let mut found = (0..functions.len()).filter(|it| is_meant(&functions[*it]));
        match (found.next(), found.next()) {
            (Some(index), None) => Ok(index),
            (Some(first), Some(second)) => {
                let own = |index: usize| self.source.name_of_file(functions[index].unit);
                let [first, second] = [first, second].map(own);
                let message = format!("`{name}` is `{first}:{name}` or `{second}:{name}`");
                Err(SyntaxError { span: Span { file: 0, line: 1, column: 1, length: 1 }, message })
            }
            (None, _) => self.other_name(symbol, file).ok_or_else(|| SyntaxError {
                span: Span { file: 0, line: 1, column: 1, length: 1 },
                message: crate::missing_function(name),
            }),
        }
    }

    /// The function that has this other name (`__attribute__((alias))`).
    fn other_name(&self, name: Option<Symbol>, file: Option<&str>) -> Option<usize> {
        let own_file = |index: usize| self.source.name_of_file(self.declared.functions[index].unit);
        (0..self.declared.functions.len())
            .filter(|index| {
                let function = &self.declared.functions[*index];
                Some(function.name) == name && function.linkage.alias.is_some()
            })
            .filter(|index| file.is_none_or(|file| own_file(*index) == file))
            .map(|index| self.defined(index))
            .find(|index| self.declared.functions[*index].definition.is_some())
    }

    /// Lowers until nothing new is reached.
    fn lower_waiting(&mut self, errors: &mut Vec<SyntaxError>) {
        loop {
            if let Some(index) = self.strings.waiting_functions.pop() {
                errors.extend(self.lower_function(index).err());
            } else if let Some((index, site, procedure)) = self.models.waiting.pop() {
                errors.extend(self.lower_model(index, site, procedure).err());
            } else if let Some(index) = self.strings.waiting_globals.pop() {
                errors.extend(self.set_up_global(index).err());
            } else if let Some((variable, ty, units, place)) = self.strings.waiting_strings.pop() {
                self.set_up_string(variable, &ty, units, place);
            } else if let Some((variable, place)) = self.strings.waiting_labels.pop() {
                self.set_up_label(variable, place);
            } else {
                return;
            }
        }
    }

    /// The procedure of a function, which will be lowered.
    pub(super) fn procedure_of(&mut self, index: usize) -> ProcedureId {
        if let Some(procedure) = self.declared.functions[index].procedure {
            return procedure;
        }
        let name = self.name(self.declared.functions[index].name);
        let span = self.span(self.declared.functions[index].place);
        let procedure = self.parts.procedure(name, span);
        self.declared.functions[index].procedure = Some(procedure);
        self.strings.waiting_functions.push(index);
        procedure
    }

    fn lower_function(&mut self, index: usize) -> Lowered<()> {
        match self.declared.functions[index].procedure {
            Some(procedure) => self.lower_into(index, procedure),
            None => Ok(()),
        }
    }

    /// Lowers a function as the body of a procedure.
    pub(super) fn lower_into(&mut self, index: usize, procedure: ProcedureId) -> Lowered<()> {
        let function = &self.declared.functions[index];
        let ty = Arc::clone(&function.ty);
        let (definition, place) = (function.definition, function.place);
        let span = self.span(place);
        let outer = self.scopes.enter(function.unit);
        let mut body = Body::new(procedure, ty.result.clone(), span);
        body.never_returns = function.no_return;
        for gap in &self.declared.gaps {
            body.emit(gap.command.clone(), gap.span);
        }
        let start = std::mem::replace(&mut self.body, body);
        self.scopes.push();
        self.parts.procedures[procedure.index()].result = self.types.scalar(&ty.result);
        if matches!(ty.result, Type::Record(_) | Type::VaList) {
            let address = self.parts.address("$result", Some(procedure), span);
            self.body.result_address = Some(address);
            self.parts.procedures[procedure.index()].parameters.push(address);
        }
        let result = match definition {
            Some(definition) => self.lower_definition(definition),
            None => self.lower_stub(index, &ty, place),
        };
        self.scopes.pop_to_file();
        self.scopes.enter(outer);
        let body = std::mem::replace(&mut self.body, start);
        result?;
        match body.finish() {
            Ok(blocks) => {
                self.parts.procedures[procedure.index()].blocks = body::tidy(blocks);
                Ok(())
            }
            Err((label, place)) => {
                self.error(place, format!("there is no label `{}`", self.name(label)))
            }
        }
    }

    fn lower_definition(&mut self, function: &'a FunctionDefinition) -> Lowered<()> {
        let head = match function.declarator.derivations.first() {
            Some(Derivation::Function(head)) => head,
            _ => {
                return self.error(function.place, "the parameters of this function are not given");
            }
        };
        match &head.parameters {
            Parameters::Unknown => {}
            Parameters::Typed(parameters) => {
                let declared = self.type_of_definition(function);
                let declared = declared.and_then(|ty| ty.parameters.clone()).unwrap_or_default();
                for (position, parameter) in parameters.iter().enumerate() {
                    let base = self.specifiers(&parameter.specifiers)?;
                    let (ty, said) = self.parameter_type(&base, &parameter.declarator)?;
                    self.note_parameter(declared.get(position), &ty);
                    self.length_of_parameter(&parameter.declarator)?;
                    if ty != Type::Void {
                        let declarator = &parameter.declarator;
                        self.parameter(declarator.name, (&ty, said), declarator)?;
                    }
                }
            }
            Parameters::Names(names) => {
                for name in names {
                    match Self::old_parameter(function, *name) {
                        Some((declaration, declarator)) => {
                            let base = self.specifiers(&declaration.specifiers)?;
                            let (ty, said) = self.parameter_type(&base, declarator)?;
                            self.length_of_parameter(declarator)?;
                            self.parameter(Some(*name), (&ty, said), declarator)?;
                        }
                        None => {
                            let int = (&Type::INT, Qualifiers::default());
                            self.parameter(Some(*name), int, &function.declarator)?;
                        }
                    }
                }
            }
        }
        if matches!(self.type_of_definition(function), Some(ty) if ty.variadic) {
            self.variadic_parameter(function.place);
        }
        self.block(&function.body)?;
        let end = Place::new(function.body.place.end.saturating_sub(1), function.body.place.end);
        self.check_return(end);
        let value = self.no_result(end)?;
        let span = self.span(end);
        self.body.leave_procedure(value, span);
        self.finish_dispatches()
    }

    /// The type that a definition gives its function.
    fn type_of_definition(&self, function: &FunctionDefinition) -> Option<Arc<Function>> {
        match self.scopes.file_entity(function.declarator.name?)? {
            Entity::Function(index) => Some(Arc::clone(&self.declared.functions[*index].ty)),
            _ => None,
        }
    }

    /// A function without body whose address is taken: calls what is known of it.
    fn lower_stub(&mut self, index: usize, ty: &Arc<Function>, place: Place) -> Lowered<()> {
        let span = self.span(place);
        let procedure = self.body.procedure;
        let mut arguments = Vec::new();
        for parameter in ty.parameters.iter().flatten() {
            let scalar = self.types.scalar(parameter).unwrap_or(ScalarType::Pointer);
            let variable = self.parts.temporary(scalar, procedure, span);
            self.parts.procedures[procedure.index()].parameters.push(variable);
            arguments.push(Value::new(parameter.clone(), variable));
        }
        if ty.variadic {
            self.variadic_parameter(place);
        }
        let value = self.call_watched(index, arguments, &[], place)?;
        let given = match (&ty.result, self.body.result_address) {
            (Type::Void, _) => None,
            (result, Some(target)) => {
                let size = self.size(result, place)?;
                self.copy(target.into(), value.expr, size, place);
                None
            }
            (_, None) => Some(value.expr),
        };
        self.body.leave_procedure(given, span);
        Ok(())
    }

    /// Where a global is; it is reached now.
    pub(super) fn home_of_global(&mut self, index: usize) -> Home {
        let global = &self.declared.globals[index];
        if let Some(home) = global.home {
            return home;
        }
        let name = self.source.name(global.name);
        if let Some(users) = self.users_variable(name, index) {
            let home = self.home_of_global(users);
            self.declared.globals[index].home = Some(home);
            return home;
        }
        let span = self.source.span(global.place);
        let in_memory = global.volatile
            || global.in_memory.unwrap_or_else(|| self.taken.is_global_taken(global.name));
        let home = match self.types.scalar(&global.ty) {
            Some(ty) if !in_memory => {
                let info = VariableInfo { name: name.to_owned(), ty, owner: None, span };
                Home::Register(self.parts.variable(info))
            }
            _ => Home::Memory(self.parts.address(name, None, span)),
        };
        self.declared.globals[index].home = Some(home);
        let ty = self.declared.globals[index].ty.clone();
        self.note_form(home, &ty);
        self.strings.waiting_globals.push(index);
        home
    }

    /// The variable of the program that a variable without definition of the models stands
    /// for.
    fn users_variable(&self, name: &str, index: usize) -> Option<usize> {
        let is_defined = self.declared.globals[index].is_defined;
        let users = name.strip_prefix(models::MODEL).filter(|_| !is_defined)?;
        match self.shared.entity(self.source.find(users)?) {
            Some(Entity::Global(users)) => Some(*users),
            _ => None,
        }
    }

    /// Opens a stream that is open from the start, with any content
    /// (`struct __model_stream`).
    fn set_up_stream(&mut self, target: Variable, place: Place) {
        let (kind, content) = (MemoryKind::Stream, InitialContent::Zero);
        self.emit(Command::Allocate { target, size: Expr::Constant(24), kind, content }, place);
        let ty = ScalarType::Int(Integer::UnsignedLongLong.kind(self.types.model));
        let (address, value) = (target.into(), self.rounds(place).expr);
        self.emit(Command::Store { address, value, ty }, place);
    }

    /// Gives a global its first value.
    fn set_up_global(&mut self, index: usize) -> Lowered<()> {
        let outer = self.scopes.enter(self.declared.globals[index].unit);
        let result = self.set_up_global_of_file(index);
        self.scopes.enter(outer);
        result
    }

    /// The same, where the names of its file are known.
    fn set_up_global_of_file(&mut self, index: usize) -> Lowered<()> {
        let global = &self.declared.globals[index];
        let (ty, place, name) = (global.ty.clone(), global.place, global.name);
        let is_defined = global.is_defined;
        let Some(home) = global.home else { return Ok(()) };
        if let Some(what) = global.unsupported {
            self.unsupported(what, place);
        }
        if self.declared.globals[index].weak && !is_defined {
            self.unsupported("weak variable that is not defined here", place);
        }
        let may_be_elsewhere = !is_defined || self.declared.globals[index].is_replaceable;
        if may_be_elsewhere && self.source.is_part() && self.source.is_users(place) {
            self.unsupported("variable that another file may define", place);
        }
        let is_constant = self.declared.globals[index].constant;
        let is_own = self.name(name).starts_with(models::OWN);
        let is_kept = is_constant || is_own || self.hands_over_objects();
        if self.is_open() && !is_kept && !self.keeps_its_value(index) {
            return self.open_global(index, home);
        }
        let entries = match self.declared.globals[index].initializer {
            Some(initializer) => self.static_entries(&ty, initializer)?,
            None => std::mem::take(&mut self.declared.globals[index].entries),
        };
        let known = self.name(name);
        let is_librarys = !is_defined && library::is_variable(known);
        if is_librarys && matches!(home, Home::Memory(_)) {
            self.unsupported(format!("variable `{known}` of the library"), place);
        }
        let source = match is_librarys {
            true => HavocSource::Approximation(known.to_owned()),
            false => HavocSource::Input(known.to_owned()),
        };
        match (home, known.strip_prefix(models::MODEL).unwrap_or(known)) {
            (Home::Register(target), "stdin" | "stdout" | "stderr") if !is_defined => {
                self.set_up_stream(target, place);
                return Ok(());
            }
            (Home::Register(target), "optind" | "opterr") if !is_defined => {
                self.emit(Command::Assign { target, value: Expr::Constant(1) }, place);
                return Ok(());
            }
            (Home::Register(target), "environ" | "__environ") if !is_defined => {
                let value = self.environment(place)?;
                self.emit(Command::Assign { target, value }, place);
                return Ok(());
            }
            _ => {}
        }
        match home {
            Home::Register(target) if is_defined => {
                let value =
                    entries.last().map_or(Some(Expr::Constant(0)), |entry| entry.value.clone());
                match value {
                    Some(value) => self.emit(Command::Assign { target, value }, place),
                    None => self.emit(Command::Havoc { target, source }, place),
                }
            }
            Home::Register(target) => self.emit(Command::Havoc { target, source }, place),
            Home::Memory(target) => {
                let Some(size) = self.size_with_entries(&ty, &entries) else {
                    let what = format!("the size of `{}` is not known", self.name(name));
                    self.unsupported(what, place);
                    return Ok(());
                };
                let content =
                    if is_defined { InitialContent::Zero } else { InitialContent::Arbitrary };
                self.allocate_static(target, size, content, place);
                for entry in &entries {
                    self.set_up_entry(target, entry)?;
                }
                let global = &self.declared.globals[index];
                if global.constant && !global.volatile {
                    self.seal(target, place);
                }
            }
        }
        Ok(())
    }

    /// Whether nobody outside of the file knows a global, and nobody in the file writes
    /// to it or hands its address on: then it has its initial value at any call.
    fn keeps_its_value(&self, index: usize) -> bool {
        let global = &self.declared.globals[index];
        let is_file_scope = matches!(self.scopes.file_entity(global.name),
            Some(Entity::Global(known)) if *known == index);
        let is_readable = match &global.ty {
            Type::Array(array) => !self.contains_array(&array.element),
            ty => !self.contains_array(ty),
        };
        is_file_scope
            && global.is_static
            && !global.volatile
            && is_readable
            && !self.taken.may_change(global.name)
            && !(matches!(global.ty, Type::Array(_)) && self.taken.is_used_whole(global.name))
    }

    /// Whether an array is a part of objects of this type.
    fn contains_array(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(_) => true,
            Type::Record(id) => {
                let layout = &self.types.record(*id).layout;
                let mut fields = layout.iter().flat_map(|layout| &layout.fields);
                fields.any(|field| self.contains_array(&field.ty))
            }
            _ => false,
        }
    }

    /// The size of an object; a flexible array member adds what is initialized.
    fn size_with_entries(&self, ty: &Type, entries: &[StaticEntry]) -> Option<u64> {
        let ends =
            entries.iter().map(|entry| entry.offset + self.types.size(&entry.ty).unwrap_or(0));
        let size = self.types.size(ty)?;
        Some(ends.max().unwrap_or(0).max(size))
    }

    /// Allocates a block before anything else happens.
    pub(super) fn allocate_static(
        &mut self,
        target: Variable,
        size: u64,
        content: InitialContent,
        place: Place,
    ) {
        let span = self.span(place);
        let size = Expr::Constant(i128::from(size));
        let command = Command::Allocate { target, size, kind: MemoryKind::Static, content };
        self.body.blocks[BlockId(0).index()].commands.push(Instruction { command, span });
    }

    fn set_up_entry(&mut self, target: Variable, entry: &StaticEntry) -> Lowered<()> {
        if entry.value == Some(Expr::Constant(0)) && entry.bits.is_none() {
            return Ok(());
        }
        let offset = Expr::Constant(i128::from(entry.offset));
        let address = fold::binary(BinaryOp::Add, target.into(), offset);
        let site = match entry.bits {
            Some(bits) => Site::Bits(address, bits),
            None => Site::Memory(address),
        };
        let value = match &entry.value {
            Some(value) => Value::new(entry.ty.clone(), value.clone()),
            None if entry.ty.is_scalar() => {
                self.approximation(&entry.ty, "initial value", entry.place)?
            }
            None => {
                self.unsupported("initializer of a static object", entry.place);
                return Ok(());
            }
        };
        self.store(&Lvalue { ty: entry.ty.clone(), site }, value, entry.place).map(|_| ())
    }

    /// What a global is called.
    pub(super) fn global_name(&self, index: usize) -> String {
        self.name(self.declared.globals[index].name).to_owned()
    }
}
