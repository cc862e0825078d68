//! Declarations inside functions.

use std::sync::Arc;

use wane_grammar::c::ast::{
    Declaration, Declarator, Derivation, Expr as Tree, InitDeclarator, Initializer, Storage,
};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::body::Extent;
use super::convert::Value;
use super::declare::of_elements;
use super::link::Reach;
use super::scope::{Entity, Home, Local};
use super::specifier::Base;
use super::{Lowered, Lowering};
use crate::types::{Length, Qualifiers, Type};
use ir::{Command, HavocSource, InitialContent, MemoryKind, Variable, VariableInfo};

impl<'a> Lowering<'a> {
    pub(super) fn local_declaration(&mut self, declaration: &'a Declaration) -> Lowered<()> {
        let base = self.specifiers(&declaration.specifiers)?;
        if let Some(what) = base.traits.unsupported {
            self.unsupported(what, declaration.place);
        }
        for item in &declaration.declarators {
            self.local_declarator(&base, item)?;
        }
        Ok(())
    }

    fn local_declarator(&mut self, base: &Base, item: &'a InitDeclarator) -> Lowered<()> {
        let declarator = &item.declarator;
        let Some(name) = declarator.name else { return Ok(()) };
        let own = self.traits(&declarator.attributes)?;
        if let Some(what) = own.unsupported {
            self.unsupported(what, declarator.place);
        }
        let traits = base.traits.clone().and(own);
        if base.is_auto {
            return self.auto_variable(name, item, traits.cleanup);
        }
        let (ty, qualifiers) = self.declared_type(base, declarator)?;
        let declared = qualifiers;
        let qualifiers = qualifiers.and(of_elements(&ty));
        match base.storage {
            Some(Storage::Typedef) => self.declare_alias(name, base, declarator, (ty, declared)),
            _ if matches!(ty, Type::Function(_)) => {
                if item.initializer.is_some() || base.storage == Some(Storage::Auto) {
                    return self.nested_function(name, &ty, declarator.place);
                }
                let index = self.declare_function(name, &ty, declarator.place, Reach::Program)?;
                self.declared.functions[index].note(&traits, self.scopes.file());
                self.note_assembler_name(index, &traits, declarator.place);
                Ok(())
            }
            Some(Storage::Extern) => {
                let index = self.extern_variable(name, (ty, declared), declarator.place)?;
                self.declared.globals[index].volatile |= qualifiers.volatile;
                self.scopes.declare(name, Entity::Global(index));
                Ok(())
            }
            Some(Storage::Static) => self.static_local(name, ty, qualifiers, item),
            storage => {
                if storage == Some(Storage::Register) && traits.asm_name.is_some() {
                    self.unsupported("variable in a fixed register", declarator.place);
                }
                self.automatic(name, ty, qualifiers, item)?;
                self.clean_up(name, traits.cleanup, declarator.place)
            }
        }
    }

    /// GNU C: a function inside of another one, whose variables it may use. To call it, or to
    /// take its address, is not modelled.
    fn nested_function(&mut self, name: Symbol, ty: &Type, place: Place) -> Lowered<()> {
        let Type::Function(ty) = ty else { return self.error(place, "this is no function") };
        let index = self.local_function(name, Arc::clone(ty), place);
        self.declared.functions[index].linkage.is_nested = true;
        Ok(())
    }

    /// `cleanup(function)`: what follows in the scope is a frame of its own, which
    /// calls the function however it is left.
    fn clean_up(&mut self, name: Symbol, function: Option<Symbol>, place: Place) -> Lowered<()> {
        let Some(function) = function else { return Ok(()) };
        let callee = match self.scopes.entity(function) {
            Some(Entity::Function(index)) => Some(self.defined(*index)),
            _ => None,
        };
        let callee = callee.filter(|index| {
            let function = &self.declared.functions[*index];
            let takes_one = function.ty.parameters.as_ref().is_some_and(|list| list.len() == 1);
            function.definition.is_some() && takes_one && !function.ty.variadic
        });
        let home = match self.scopes.entity(name) {
            Some(Entity::Local(Local { home: Home::Memory(block), .. })) => Some(*block),
            _ => None,
        };
        let (Some(index), Some(block)) = (callee, home) else {
            self.unsupported("attribute `cleanup` with this function", place);
            return Ok(());
        };
        if matches!(self.declared.functions[index].ty.result, Type::Record(_) | Type::VaList) {
            self.unsupported("attribute `cleanup` with this function", place);
            return Ok(());
        }
        let procedure = self.procedure_of(index);
        let span = self.span(place);
        self.body.enter_part(Extent::Rest, span);
        self.body.call_on_leaving(procedure, block);
        Ok(())
    }

    /// `__auto_type x = value;`
    fn auto_variable(
        &mut self,
        name: Symbol,
        item: &'a InitDeclarator,
        cleanup: Option<Symbol>,
    ) -> Lowered<()> {
        let Some(Initializer::Expr(value)) = &item.initializer else {
            return self.error(item.declarator.place, "`__auto_type` needs an initializer");
        };
        let ty = self.unevaluated(|this| Ok(this.rvalue(value)?.ty))?;
        self.automatic(name, ty, Qualifiers::default(), item)?;
        self.clean_up(name, cleanup, item.declarator.place)
    }

    fn automatic(
        &mut self,
        name: Symbol,
        ty: Type,
        qualifiers: Qualifiers,
        item: &'a InitDeclarator,
    ) -> Lowered<()> {
        let volatile = qualifiers.volatile;
        let place = item.declarator.place;
        let ty = self.with_length(ty, item)?;
        if ty == Type::Void {
            return self.error(place, format!("`{}` has type `void`", self.name(name)));
        }
        if self.types.size(&ty).is_none() {
            return self.variable_length(name, ty, qualifiers, place);
        }
        let home = self.local_home(name, &ty, qualifiers, &item.declarator)?;
        self.scopes.declare(name, Entity::Local(Local { ty: ty.clone(), home, volatile }));
        let site = match home {
            Home::Register(variable) => Site::Register(variable),
            Home::Memory(variable) => Site::Memory(variable.into()),
        };
        match (&item.initializer, home) {
            (Some(initializer), _) => self.initialize(&Lvalue { ty, site }, initializer, place),
            (None, Home::Register(target)) => {
                self.emit(Command::Havoc { target, source: HavocSource::Uninitialised }, place);
                Ok(())
            }
            (None, Home::Memory(_)) => Ok(()),
        }
    }

    /// The type with the length that the initializer gives it.
    pub(super) fn with_length(&mut self, ty: Type, item: &'a InitDeclarator) -> Lowered<Type> {
        match &item.initializer {
            Some(initializer) => self.completed(ty, initializer),
            None => Ok(ty),
        }
    }

    /// Where a local variable is kept: in memory if something else than its name leads to it,
    /// or if it may change by itself.
    fn local_home(
        &mut self,
        name: Symbol,
        ty: &Type,
        qualifiers: Qualifiers,
        declarator: &Declarator,
    ) -> Lowered<Home> {
        let span = self.span(declarator.place);
        let owner = Some(self.body.procedure);
        let spelling = self.name(name);
        match self.types.scalar(ty) {
            Some(scalar) if !qualifiers.volatile && !self.taken.is_local_taken(declarator) => {
                let info = VariableInfo { name: spelling.to_owned(), ty: scalar, owner, span };
                let variable = self.parts.variable(info);
                self.note_lasting(variable);
                let home = Home::Register(variable);
                self.note_form(home, ty);
                Ok(home)
            }
            _ => {
                let size = self.size(ty, declarator.place)?;
                let variable = self.parts.address(spelling, owner, span);
                self.body.own(variable, size);
                self.note_lasting(variable);
                let home = Home::Memory(variable);
                self.note_form(home, ty);
                Ok(home)
            }
        }
    }

    /// Notes what is in scope as long as the call lasts.
    fn note_lasting(&mut self, variable: Variable) {
        if self.scopes.at_body() {
            let procedure = self.body.procedure.index();
            self.parts.procedures[procedure].lasting.push(variable);
        }
    }

    /// A variable-length array lives until the rest of its scope is left.
    fn variable_length(
        &mut self,
        name: Symbol,
        ty: Type,
        qualifiers: Qualifiers,
        place: Place,
    ) -> Lowered<()> {
        if !is_variable(&ty) {
            let what = self.describe(&ty);
            return self.error(place, format!("`{}` is {what} without a size", self.name(name)));
        }
        let size = self.size_expr(&ty, place)?;
        let span = self.span(place);
        let target = self.parts.address(self.source.name(name), Some(self.body.procedure), span);
        let content = InitialContent::Arbitrary;
        self.body.own_from_here(target, span);
        self.emit(Command::Allocate { target, size, kind: MemoryKind::Stack, content }, place);
        let home = Home::Memory(target);
        self.scopes.declare(name, Entity::Local(Local { ty, home, volatile: qualifiers.volatile }));
        Ok(())
    }

    /// A static local is a global that only this scope names. Its initializer
    /// is read here, where the names it uses mean what they mean.
    fn static_local(
        &mut self,
        name: Symbol,
        ty: Type,
        qualifiers: Qualifiers,
        item: &'a InitDeclarator,
    ) -> Lowered<()> {
        let place = item.declarator.place;
        let ty = self.with_length(ty, item)?;
        self.size(&ty, place)?;
        let in_memory = self.taken.is_local_taken(&item.declarator) || !ty.is_scalar();
        let index = self.new_static_local(name, ty.clone(), place);
        self.declared.globals[index].in_memory = Some(in_memory);
        self.declared.globals[index].constant = qualifiers.constant;
        self.declared.globals[index].volatile = qualifiers.volatile;
        self.scopes.declare(name, Entity::Global(index));
        if let Some(initializer) = &item.initializer {
            let entries = self.unevaluated(|this| this.static_entries(&ty, initializer))?;
            self.declared.globals[index].entries = entries;
        }
        Ok(())
    }

    /// Declares a parameter and puts its value in its place.
    pub(super) fn parameter(
        &mut self,
        name: Option<Symbol>,
        (ty, qualifiers): (&Type, Qualifiers),
        declarator: &Declarator,
    ) -> Lowered<()> {
        let span = self.span(declarator.place);
        let spelling = name.map_or("$unnamed", |name| self.name(name));
        let owner = Some(self.body.procedure);
        let scalar = self.types.scalar(ty);
        let is_taken = qualifiers.volatile || self.taken.is_local_taken(declarator);
        let taken = name.filter(|_| is_taken);
        let procedure = self.body.procedure.index();
        let (formal, home) = match scalar {
            None => {
                // A structure: the caller passes the address of a copy.
                let formal = self.parts.address(spelling, owner, span);
                (formal, Home::Memory(formal))
            }
            Some(ty) => {
                let info = VariableInfo { name: spelling.to_owned(), ty, owner, span };
                let formal = self.parts.variable(info);
                (formal, Home::Register(formal))
            }
        };
        self.parts.procedures[procedure].parameters.push(formal);
        self.note_form(home, ty);
        let home = match (scalar, taken) {
            (Some(scalar), Some(name)) => {
                let home = self.local_home(name, ty, qualifiers, declarator)?;
                if let Home::Memory(block) = home {
                    let command =
                        Command::Store { address: block.into(), value: formal.into(), ty: scalar };
                    self.emit(command, declarator.place);
                }
                home
            }
            _ => home,
        };
        if let Some(name) = name {
            let volatile = qualifiers.volatile || of_elements(ty).volatile;
            self.scopes.declare(name, Entity::Local(Local { ty: ty.clone(), home, volatile }));
        }
        Ok(())
    }

    /// The length that a parameter's type gives, which is evaluated and not used.
    pub(super) fn length_of_parameter(&mut self, declarator: &'a Declarator) -> Lowered<()> {
        if let Some(Derivation::Array(Some(length))) = declarator.derivations.first() {
            self.full_expression(length, |this| this.effects(length))?;
        }
        Ok(())
    }

    /// The value of an initializer expression for a scalar.
    pub(super) fn scalar_value(&mut self, tree: &'a Tree, ty: &Type) -> Lowered<Value> {
        let value = self.rvalue(tree)?;
        self.convert(value, ty, tree.place)
    }
}

/// Whether the type's size depends on a variable.
fn is_variable(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => {
            matches!(array.length, Length::Variable(_)) || is_variable(&array.element)
        }
        _ => false,
    }
}
