//! Types as declarations spell them.

use std::sync::Arc;

use wane_grammar::c::ast::{
    Basic, Declarator, Derivation, Member, Parameters, RecordSpecifier, Specifier, Specifiers,
    Storage, TypeName, TypeofArgument,
};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::atomic_objects::Unity;
use super::attributes::Traits;
use super::scope::{Entity, Tag, TypeAlias};
use super::{Lowered, Lowering};
use crate::Threads;
use crate::layout::{Misfit, Packing, Part};
use crate::types::{Array, Function, Integer, Length, Nature, Qualifiers, RecordId, Type};

/// What the specifiers of a declaration say.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub(super) ty: Type,
    pub(super) qualifiers: Qualifiers,
    /// The alignment that a typedef name has instead of its type's.
    pub(super) natural: Option<u64>,
    pub(super) storage: Option<Storage>,
    pub(super) traits: Traits,
    /// `__auto_type`: the initializer gives the type.
    pub(super) is_auto: bool,
    /// Whether `_Atomic` is said somewhere.
    pub(super) is_atomic: bool,
    /// Where it is said.
    pub(super) unity: Unity,
    pub(super) is_inline: bool,
}

/// The words of basic types, counted.
#[derive(Default)]
struct Words {
    all: Vec<Basic>,
}

impl Words {
    fn count(&self, word: Basic) -> usize {
        self.all.iter().filter(|known| **known == word).count()
    }

    fn has(&self, word: Basic) -> bool {
        self.count(word) > 0
    }
}

impl<'a> Lowering<'a> {
    /// What the words before declarators mean.
    pub(super) fn specifiers(&mut self, specifiers: &'a Specifiers) -> Lowered<Base> {
        let is_atomic = self.says_atomic(&specifiers.list);
        // Others may move.
        let volatile = is_atomic && self.hands_over_objects();
        let mut base = Base {
            ty: Type::INT,
            qualifiers: Qualifiers { volatile, ..Qualifiers::default() },
            natural: None,
            storage: None,
            traits: self.traits(&specifiers.list)?,
            is_auto: false,
            is_atomic,
            unity: self.said_unity(&specifiers.list),
            is_inline: specifiers.list.iter().any(|it| matches!(it, Specifier::Inline)),
        };
        let mut words = Words::default();
        for (index, specifier) in specifiers.list.iter().enumerate() {
            match specifier {
                Specifier::Storage(Storage::ThreadLocal) => {
                    if self.options.threads == Threads::Many {
                        base.traits.unsupported = Some("variable that each thread has of its own");
                    }
                }
                Specifier::Storage(storage) => base.storage = Some(*storage),
                Specifier::Const => base.qualifiers.constant = true,
                Specifier::Volatile => base.qualifiers.volatile = true,
                Specifier::Basic(word) => words.all.push(*word),
                Specifier::Typedef(name) => {
                    let Some(Entity::Typedef(alias)) = self.scopes.entity(*name) else {
                        return self
                            .error(specifiers.place, format!("`{}` is no type", self.name(*name)));
                    };
                    let TypeAlias { ty, qualifiers, alignment } = alias.clone();
                    base.ty = ty.declared_again();
                    base.qualifiers = base.qualifiers.and(qualifiers);
                    base.natural = (alignment > 0).then_some(alignment);
                }
                Specifier::Record(record) => {
                    let after = self.traits(&specifiers.list[index + 1..])?;
                    base.ty = self.record_type(record, &after)?;
                }
                Specifier::Enum(list) => {
                    let after = self.traits(&specifiers.list[index + 1..])?;
                    base.ty = self.enum_type(list, &after)?;
                }
                Specifier::Typeof(argument) => {
                    base.ty = match argument.as_ref() {
                        TypeofArgument::Expr(value) => self.type_of(value)?,
                        TypeofArgument::Type(ty) => self.type_name(ty)?,
                    };
                }
                Specifier::AtomicType(ty) => base.ty = self.type_name(ty)?,
                Specifier::AutoType => base.is_auto = true,
                Specifier::StaticAssertion(assertion) => {
                    if self.constant(&assertion.condition)? == 0 {
                        return self.error(assertion.condition.place, "static assertion fails");
                    }
                }
                Specifier::Qualifier
                | Specifier::Atomic
                | Specifier::Inline
                | Specifier::Attribute(_)
                | Specifier::VectorSize(_)
                | Specifier::AsmName(_)
                | Specifier::Align(_) => {}
            }
        }
        if !words.all.is_empty() {
            base.ty = self.basic_type(&words, &mut base.traits, specifiers.place)?;
        }
        // What stands before a name holds for it, whether it is a pointer or not; a
        // vector is made of what the words name.
        base.ty = self.vector_type(base.ty, &base.traits, specifiers.place);
        if let Some(mode) = base.traits.mode {
            base.ty = self.of_mode(base.ty, mode, specifiers.place);
        }
        Ok(base)
    }

    fn says_atomic(&self, list: &[Specifier]) -> bool {
        list.iter().any(|specifier| match specifier {
            Specifier::Atomic | Specifier::AtomicType(_) => true,
            Specifier::Typedef(name) => self.atomics.names.contains(&(self.scopes.file(), *name)),
            _ => false,
        })
    }

    fn basic_type(&self, words: &Words, traits: &mut Traits, place: Place) -> Lowered<Type> {
        if words.has(Basic::Complex) {
            traits.unsupported = Some("complex number");
        }
        let unsigned = words.has(Basic::Unsigned);
        let pick =
            |signed: Integer| Type::Int(if unsigned { signed.to_unsigned() } else { signed });
        let extended = words.all.iter().find_map(|word| match word {
            Basic::ExtendedFloat(bytes) => Some(*bytes),
            _ => None,
        });
        Ok(if let Some(bytes) = extended {
            Type::Float(bytes)
        } else if words.has(Basic::Void) {
            Type::Void
        } else if words.has(Basic::Bool) {
            Type::Int(Integer::Bool)
        } else if words.has(Basic::Char) {
            let plain = !unsigned && !words.has(Basic::Signed);
            if plain { Type::Int(Integer::Char) } else { pick(Integer::SignedChar) }
        } else if words.has(Basic::Float) {
            Type::Float(4)
        } else if words.has(Basic::Double) {
            let long = words.has(Basic::Long);
            Type::Float(if long { self.types.model.long_double_bytes() } else { 8 })
        } else if words.has(Basic::Int128) {
            pick(Integer::Int128)
        } else if words.has(Basic::UnsignedInt128) {
            Type::Int(Integer::UnsignedInt128)
        } else if words.has(Basic::Short) {
            pick(Integer::Short)
        } else {
            match words.count(Basic::Long) {
                0 if words.has(Basic::Complex) => Type::Float(8),
                0 => pick(Integer::Int),
                1 => pick(Integer::Long),
                2 => pick(Integer::LongLong),
                _ => return self.error(place, "too many `long`s"),
            }
        })
    }

    fn record_type(&mut self, record: &'a RecordSpecifier, after: &Traits) -> Lowered<Type> {
        let known = self.record_id(record)?;
        let Some(members) = &record.members else { return Ok(Type::Record(known)) };
        // What another file has completed is compared with what this one says.
        let is_complete = self.types.record(known).layout.is_some();
        let id = if is_complete { self.types.declare(record.kind, record.tag) } else { known };
        let before = self.traits(&record.attributes)?;
        let mut parts = Vec::new();
        for member in members {
            self.member(member, &mut parts)?;
        }
        let nature = before.clone().and(after.clone()).nature;
        if nature != Nature::Plain {
            self.types.set_nature(id, nature);
        }
        let packing = Packing {
            packed: before.packed || after.packed,
            limit: record.pack.map(u64::from),
            alignment: before.alignment.max(after.alignment),
        };
        match self.types.complete(id, parts, packing) {
            Ok(()) => Ok(Type::Record(self.unified(known, id, record.place)?)),
            Err(misfit) => {
                let (name, what) = match misfit {
                    Misfit::Size(name) => (name, "a type without a size"),
                    Misfit::Width(name) => (name, "a width that its type does not have"),
                };
                let member = match name {
                    Some(name) => format!("member `{}`", self.name(name)),
                    None => "a member".to_owned(),
                };
                self.error(record.place, format!("{member} has {what}"))
            }
        }
    }

    /// The structure or union that a specifier means or begins.
    fn record_id(&mut self, record: &RecordSpecifier) -> Lowered<RecordId> {
        let Some(tag) = record.tag else { return Ok(self.types.declare(record.kind, None)) };
        let known = if record.members.is_some() {
            self.scopes.innermost_tag(tag)
        } else {
            self.scopes.tag(tag)
        };
        match known {
            Some(Tag::Record(id)) if self.types.record(*id).kind == record.kind => {
                let id = *id;
                let is_complete = self.types.record(id).layout.is_some();
                if record.members.is_some() && is_complete && self.shared.is_completed(id) {
                    let name = self.name(tag);
                    return self.error(record.place, format!("`{name}` is defined twice"));
                }
                Ok(id)
            }
            Some(_) if record.members.is_none() => {
                self.error(record.place, format!("`{}` is another kind of tag", self.name(tag)))
            }
            _ => {
                let is_shared = self.scopes.at_file();
                let shared = self
                    .shared
                    .tag(tag)
                    .filter(|id| is_shared && self.types.record(*id).kind == record.kind);
                let id = shared.unwrap_or_else(|| self.types.declare(record.kind, Some(tag)));
                self.scopes.declare_tag(tag, Tag::Record(id));
                if is_shared {
                    self.shared.share_tag(tag, id);
                }
                Ok(id)
            }
        }
    }

    fn member(&mut self, member: &'a Member, parts: &mut Vec<Part>) -> Lowered<()> {
        let base = self.specifiers(&member.specifiers)?;
        let is_assertion =
            matches!(member.specifiers.list.as_slice(), [Specifier::StaticAssertion(_)]);
        if member.declarators.is_empty() && matches!(base.ty, Type::Record(_)) && !is_assertion {
            // An anonymous member; a mere declaration of a tag is none.
            let named = member.specifiers.list.iter().any(|specifier| match specifier {
                Specifier::Record(record) => record.tag.is_some(),
                _ => false,
            });
            if !named {
                parts.push(Part {
                    name: None,
                    ty: base.ty,
                    qualifiers: base.qualifiers,
                    width: None,
                    alignment: base.traits.alignment,
                    natural: base.natural,
                    packed: false,
                });
            }
            return Ok(());
        }
        for item in &member.declarators {
            if let Some(what) = base.traits.unsupported {
                self.unsupported(what, item.declarator.place);
            }
            let (ty, qualifiers) = self.declared_type(&base, &item.declarator)?;
            let is_plain = |step: &Derivation| matches!(step, Derivation::Array(_));
            let natural = base.natural.filter(|_| item.declarator.derivations.iter().all(is_plain));
            let traits = self.traits(&item.declarator.attributes)?;
            let width = match &item.width {
                Some(width) => Some(u64::try_from(self.constant(width)?).unwrap_or(u64::MAX)),
                None => None,
            };
            parts.push(Part {
                name: item.declarator.name,
                ty,
                qualifiers,
                width,
                natural,
                alignment: base.traits.alignment.max(traits.alignment),
                packed: base.traits.packed || traits.packed,
            });
        }
        Ok(())
    }

    /// The type of what a declarator declares, and what is said of it beside.
    pub(super) fn declared_type(
        &mut self,
        base: &Base,
        declarator: &'a Declarator,
    ) -> Lowered<(Type, Qualifiers)> {
        let place = declarator.place;
        let traits = self.traits(&declarator.attributes)?;
        let element = self.vector_type(base.ty.clone(), &traits, place);
        let base = Base { ty: element, ..base.clone() };
        let (mut ty, qualifiers) = self.derive(&base, &declarator.derivations, place)?;
        if let Some(mode) = traits.mode {
            ty = self.of_mode(ty, mode, place);
        }
        if let Some(name) = declarator.name {
            if base.is_atomic {
                self.atomics.names.insert((self.scopes.file(), name));
            }
            self.note_unity(name, &base.unity, &declarator.derivations);
        }
        if let (Type::Record(id), true) = (&ty, traits.nature != Nature::Plain) {
            self.types.set_nature(*id, traits.nature);
        }
        Ok((ty, qualifiers))
    }

    fn derive(
        &mut self,
        base: &Base,
        derivations: &'a [Derivation],
        place: Place,
    ) -> Lowered<(Type, Qualifiers)> {
        let mut ty = base.ty.clone();
        let mut qualifiers = base.qualifiers;
        for step in derivations.iter().rev() {
            match step {
                Derivation::Pointer(words) => {
                    ty = ty.pointer_with(qualifiers);
                    let is_atomic = self.says_atomic(words) && self.hands_over_objects();
                    qualifiers = Qualifiers {
                        constant: words.iter().any(|word| matches!(word, Specifier::Const)),
                        volatile: is_atomic
                            || words.iter().any(|word| matches!(word, Specifier::Volatile)),
                    };
                }
                Derivation::Array(length) => {
                    if matches!(ty, Type::Void | Type::Function(_)) {
                        return self.error(place, "array of elements without a size");
                    }
                    let length = match length {
                        Some(length) => self.length(length)?,
                        None => Length::Unknown,
                    };
                    let Qualifiers { constant, volatile } = qualifiers;
                    ty = Type::Array(Arc::new(Array { element: ty, constant, volatile, length }));
                }
                Derivation::Function(function) => {
                    let parameters = self.parameter_types(&function.parameters)?;
                    let result = ty;
                    ty = Type::Function(Arc::new(Function {
                        result,
                        parameters,
                        variadic: function.variadic,
                    }));
                    qualifiers = Qualifiers::default();
                }
            }
        }
        Ok((ty, qualifiers))
    }

    /// The types of a prototype's parameters.
    fn parameter_types(&mut self, parameters: &'a Parameters) -> Lowered<Option<Vec<Type>>> {
        let Parameters::Typed(list) = parameters else { return Ok(None) };
        self.scopes.push();
        // What a prototype says of lengths is not evaluated.
        let types = self.aside(|this| {
            let types = list.iter().map(|parameter| {
                let base = this.specifiers(&parameter.specifiers)?;
                let (ty, _) = this.parameter_type(&base, &parameter.declarator)?;
                if let Some(name) = parameter.declarator.name {
                    // Later parameters may use it as the length of an array. In a
                    // prototype the length makes no difference.
                    this.scopes.declare(name, Entity::Constant(1, None));
                }
                Ok(ty)
            });
            types.collect::<Lowered<Vec<Type>>>()
        });
        self.scopes.pop();
        Ok(Some(types?.into_iter().filter(|ty| *ty != Type::Void).collect()))
    }

    /// The type of a parameter, and what is said of it beside: arrays and functions are
    /// pointers.
    pub(super) fn parameter_type(
        &mut self,
        base: &Base,
        declarator: &'a Declarator,
    ) -> Lowered<(Type, Qualifiers)> {
        if let Some((Derivation::Array(_), inner)) = declarator.derivations.split_first() {
            let (element, qualifiers) = self.derive(base, inner, declarator.place)?;
            return Ok((element.pointer_with(qualifiers), Qualifiers::default()));
        }
        let (ty, qualifiers) = self.declared_type(base, declarator)?;
        Ok((ty.decayed(), qualifiers))
    }

    /// The type that a type name means.
    pub(super) fn type_name(&mut self, name: &'a TypeName) -> Lowered<Type> {
        Ok(self.qualified_type_name(name)?.0)
    }

    /// The same, and what is said of it beside.
    pub(super) fn qualified_type_name(
        &mut self,
        name: &'a TypeName,
    ) -> Lowered<(Type, Qualifiers)> {
        let base = self.specifiers(&name.specifiers)?;
        if let Some(what) = base.traits.unsupported {
            self.unsupported(what, name.place);
        }
        self.declared_type(&base, &name.declarator)
    }

    /// The size of a type, which must have a constant one.
    pub(super) fn size(&self, ty: &Type, place: Place) -> Lowered<u64> {
        match self.types.size(ty) {
            Some(size) => Ok(size),
            None => self.error(place, format!("{} has no size here", self.describe(ty))),
        }
    }

    /// A type in words, for messages.
    pub(super) fn describe(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "`void`".to_owned(),
            Type::Int(_) => "an integer".to_owned(),
            Type::Float(_) => "a floating-point number".to_owned(),
            Type::Pointer(_) => "a pointer".to_owned(),
            Type::Array(_) => "an array".to_owned(),
            Type::Function(_) => "a function".to_owned(),
            Type::VaList => "a `va_list`".to_owned(),
            Type::Record(id) => match self.types.record(*id).tag {
                Some(tag) => format!("the structure `{}`", self.name(tag)),
                None => "a structure without a name".to_owned(),
            },
        }
    }

    /// The symbol's name is declared twice with different meanings.
    pub(super) fn conflict<T>(&self, name: Symbol, place: Place) -> Lowered<T> {
        self.error(place, format!("`{}` is declared as something else before", self.name(name)))
    }
}
