//! Declarations at file scope.

use std::sync::Arc;

use wane_grammar::c::ast::{
    Declaration, Declarator, Derivation, FunctionDefinition, InitDeclarator, Parameters, Storage,
};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::gift::Gift;
use super::global::{FunctionEntry, GlobalEntry};
use super::link::Reach;
use super::linkage::Linkage;
use super::scope::{Entity, TypeAlias};
use super::specifier::Base;
use super::{Lowered, Lowering};
use crate::types::{Function, Length, Qualifiers, Type};

impl<'a> Lowering<'a> {
    pub(super) fn file_declaration(&mut self, declaration: &'a Declaration) -> Lowered<()> {
        let base = self.specifiers(&declaration.specifiers)?;
        for item in &declaration.declarators {
            self.file_declarator(&base, item)?;
        }
        Ok(())
    }

    fn file_declarator(&mut self, base: &Base, item: &'a InitDeclarator) -> Lowered<()> {
        let declarator = &item.declarator;
        let Some(name) = declarator.name else { return Ok(()) };
        let (ty, qualifiers) = self.declared_type(base, declarator)?;
        let traits = base.traits.clone().and(self.traits(&declarator.attributes)?);
        if base.storage == Some(Storage::Typedef) {
            self.declare_alias(name, base, declarator, (ty, qualifiers))?;
            return Ok(());
        }
        if matches!(ty, Type::Function(_)) {
            let index = self.declare_function(name, &ty, declarator.place, Reach::of(base))?;
            self.declared.functions[index].note(&traits, self.scopes.file());
            self.note_assembler_name(index, &traits, declarator.place);
            return Ok(());
        }
        if ty == Type::Void {
            return self.error(declarator.place, format!("`{}` has type `void`", self.name(name)));
        }
        let ty = self.with_length(ty, item)?;
        let said = qualifiers.and(of_elements(&ty));
        let index = self.declare_global(name, ty, declarator.place, Reach::of(base), said)?;
        self.define_global(index, base, item)?;
        let global = &mut self.declared.globals[index];
        let qualifiers = qualifiers.and(of_elements(&global.ty));
        global.constant |= qualifiers.constant;
        global.volatile |= qualifiers.volatile;
        global.is_static |= base.storage == Some(Storage::Static);
        global.unsupported = global.unsupported.or(traits.unsupported);
        global.weak |= traits.weak;
        if base.storage == Some(Storage::Register) {
            global.unsupported = Some("global variable in a register");
        } else if traits.alias.is_some() {
            global.unsupported = Some("variable that is another one");
        } else if traits.asm_name.is_some_and(|known| known != self.source.name(name))
            && self.source.is_users(declarator.place)
        {
            global.unsupported = Some("variable with another name for the assembler");
        }
        Ok(())
    }

    /// Notes the initial value of a variable, and whether this is its definition. Of several
    /// files with an initial value the first one counts that is not weak.
    fn define_global(
        &mut self,
        index: usize,
        base: &Base,
        item: &'a InitDeclarator,
    ) -> Lowered<()> {
        let (unit, place) = (self.scopes.file(), item.declarator.place);
        let is_weak = base.traits.clone().and(self.traits(&item.declarator.attributes)?).weak;
        let global = &self.declared.globals[index];
        let is_definition = base.storage != Some(Storage::Extern) || item.initializer.is_some();
        let is_first = global.initializer.is_none() || global.unit == unit;
        if item.initializer.is_some() && !is_first && !is_weak && !global.is_replaceable {
            return self.defined_twice(global.name, global.place, place);
        }
        let counts = item.initializer.is_some() && (is_first || !is_weak);
        let is_tentative = is_definition && item.initializer.is_none();
        let is_weak_elsewhere = global.initializer.is_some() && global.is_replaceable;
        let is_tentative_elsewhere = global.is_defined && global.initializer.is_none();
        let do_not_agree =
            is_tentative && is_weak_elsewhere || is_tentative_elsewhere && is_weak && counts;
        if global.unit != unit && do_not_agree {
            self.leave_weak_open(index);
        }
        let global = &mut self.declared.globals[index];
        if global.unit != unit && (counts || is_definition && !global.is_defined) {
            (global.unit, global.place) = (unit, place);
        }
        if counts {
            (global.initializer, global.is_replaceable) = (item.initializer.as_ref(), is_weak);
        }
        global.is_defined |= is_definition;
        Ok(())
    }

    /// `typedef`
    pub(super) fn declare_alias(
        &mut self,
        name: Symbol,
        base: &Base,
        declarator: &'a Declarator,
        (ty, qualifiers): (Type, Qualifiers),
    ) -> Lowered<()> {
        let own = self.traits(&declarator.attributes)?.alignment.max(base.traits.alignment);
        let inherited = base.natural.filter(|_| declarator.derivations.is_empty()).unwrap_or(0);
        let alignment = if own > 0 { own } else { inherited };
        self.scopes.declare(name, Entity::Typedef(TypeAlias { ty, qualifiers, alignment }));
        Ok(())
    }

    /// Declares a variable that lives as long as the program.
    fn declare_global(
        &mut self,
        name: Symbol,
        ty: Type,
        place: Place,
        reach: Reach,
        said: Qualifiers,
    ) -> Lowered<usize> {
        match self.declared(name, reach) {
            Some(Entity::Global(index)) => {
                self.compare_global(index, (&ty, said), place);
                self.complete_global(index, ty);
                Ok(index)
            }
            Some(_) => self.conflict(name, place),
            None => {
                let unit = self.scopes.file();
                self.declared.globals.push(GlobalEntry::new(name, ty, place, unit));
                let index = self.declared.globals.len() - 1;
                self.declare_new(name, Entity::Global(index), reach);
                Ok(index)
            }
        }
    }

    /// A later declaration may give an array its length.
    fn complete_global(&mut self, index: usize, ty: Type) {
        let global = &mut self.declared.globals[index];
        if let (Type::Array(old), Type::Array(new)) = (&global.ty, &ty)
            && old.length == Length::Unknown
            && new.length != Length::Unknown
        {
            global.ty = Type::Array(Arc::clone(new));
        }
    }

    /// `extern` inside a function.
    pub(super) fn extern_variable(
        &mut self,
        name: Symbol,
        (ty, qualifiers): (Type, Qualifiers),
        place: Place,
    ) -> Lowered<usize> {
        let said = qualifiers.and(of_elements(&ty));
        self.declare_global(name, ty, place, Reach::Program, said)
    }

    /// A static local: a global whose name only its scope knows.
    pub(super) fn new_static_local(&mut self, name: Symbol, ty: Type, place: Place) -> usize {
        let mut global = GlobalEntry::new(name, ty, place, self.scopes.file());
        global.is_defined = true;
        self.declared.globals.push(global);
        self.declared.globals.len() - 1
    }

    /// Declares a function, for the whole file.
    pub(super) fn declare_function(
        &mut self,
        name: Symbol,
        ty: &Type,
        place: Place,
        reach: Reach,
    ) -> Lowered<usize> {
        let index = match self.declared(name, reach) {
            Some(Entity::Function(index)) => {
                self.compare_function(index, ty, place);
                Some(index)
            }
            Some(_) => return self.conflict(name, place),
            None => None,
        };
        let Type::Function(ty) = ty else { return self.error(place, "this is no function") };
        let index = index.unwrap_or_else(|| self.new_function(name, Arc::clone(ty), place, reach));
        let function = &mut self.declared.functions[index];
        if function.ty.parameters.is_none()
            && ty.parameters.is_some()
            && function.definition.is_none()
        {
            function.ty = Arc::clone(ty);
        }
        if !self.scopes.at_file() {
            self.scopes.declare(name, Entity::Function(index));
        }
        Ok(index)
    }

    /// A function that was not known before.
    pub(super) fn new_function(
        &mut self,
        name: Symbol,
        ty: Arc<Function>,
        place: Place,
        reach: Reach,
    ) -> usize {
        let index = self.add_function(name, ty, place, reach);
        self.declare_new(name, Entity::Function(index), reach);
        index
    }

    /// A function that only the innermost scope knows.
    pub(super) fn local_function(
        &mut self,
        name: Symbol,
        ty: Arc<Function>,
        place: Place,
    ) -> usize {
        let index = self.add_function(name, ty, place, Reach::File);
        self.scopes.declare(name, Entity::Function(index));
        index
    }

    fn add_function(
        &mut self,
        name: Symbol,
        ty: Arc<Function>,
        place: Place,
        reach: Reach,
    ) -> usize {
        self.declared.functions.push(FunctionEntry {
            name,
            ty,
            definition: None,
            linkage: Linkage::default(),
            no_return: false,
            gift: Gift::default(),
            constructor: None,
            destructor: None,
            procedure: None,
            place,
            unit: self.scopes.file(),
            reach,
            is_replaceable: false,
            is_inline: false,
        });
        self.declared.functions.len() - 1
    }

    pub(super) fn function_definition(&mut self, function: &'a FunctionDefinition) -> Lowered<()> {
        let declarator = &function.declarator;
        let base = self.specifiers(&function.specifiers)?;
        let (ty, _) = self.declared_type(&base, declarator)?;
        let (Some(name), Type::Function(ty)) = (declarator.name, &ty) else {
            return self.error(declarator.place, "a body without a function's head");
        };
        let ty = self.definition_type(function, ty)?;
        let traits = base.traits.clone().and(self.traits(&declarator.attributes)?);
        let head = Type::Function(Arc::clone(&ty));
        let index = self.declare_function(name, &head, declarator.place, Reach::of(&base))?;
        let unit = self.scopes.file();
        self.declared.functions[index].note(&traits, unit);
        self.note_assembler_name(index, &traits, declarator.place);
        // `extern inline` functions may come with two bodies; in a file the last one counts.
        if self.define_function(index, function, (base.is_inline, &traits))? {
            self.declared.functions[index].ty = ty;
        }
        Ok(())
    }

    /// The type of a defined function: an old definition says its parameters'
    /// types, too.
    fn definition_type(
        &mut self,
        function: &'a FunctionDefinition,
        ty: &Arc<Function>,
    ) -> Lowered<Arc<Function>> {
        let Some(Derivation::Function(head)) = function.declarator.derivations.first() else {
            return Ok(Arc::clone(ty));
        };
        let Parameters::Names(names) = &head.parameters else { return Ok(Arc::clone(ty)) };
        let mut parameters = Vec::new();
        for name in names {
            parameters.push(match Self::old_parameter(function, *name) {
                Some((declaration, declarator)) => {
                    let base = self.specifiers(&declaration.specifiers)?;
                    self.parameter_type(&base, declarator)?.0
                }
                None => Type::INT,
            });
        }
        let parameters = Some(parameters);
        Ok(Arc::new(Function { result: ty.result.clone(), parameters, variadic: ty.variadic }))
    }

    /// Where an old definition declares a parameter.
    pub(super) fn old_parameter(
        function: &'a FunctionDefinition,
        name: Symbol,
    ) -> Option<(&'a Declaration, &'a Declarator)> {
        function.parameter_declarations.iter().find_map(|declaration| {
            let item =
                declaration.declarators.iter().find(|item| item.declarator.name == Some(name))?;
            Some((declaration, &item.declarator))
        })
    }
}

/// What is said of an array's elements.
pub(super) fn of_elements(ty: &Type) -> Qualifiers {
    match ty {
        Type::Array(array) => array.qualifiers().and(of_elements(&array.element)),
        _ => Qualifiers::default(),
    }
}
