//! Several files that are one program: what a name of one file means in the others.
//!
//! Functions and variables with external linkage are one for all files (C11 6.2.2p2), and so
//! are structures whose tags and members are the same (C11 6.2.7p1). All else is a file's
//! own.

use std::collections::BTreeSet;
use std::sync::Arc;

use hashbrown::HashMap;
use wane_grammar::c::ast::{FunctionDefinition, Storage};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::attributes::Traits;
use super::scope::Entity;
use super::specifier::Base;
use super::{Lowered, Lowering};
use crate::types::{Qualifiers, RecordId, Type, Types};

/// Where a name is known that is declared outside of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// In all files: it has external linkage.
    Program,
    /// In one file: it has internal linkage.
    File,
}

impl Reach {
    /// What a declaration says.
    pub(super) fn of(base: &Base) -> Self {
        if base.storage == Some(Storage::Static) { Self::File } else { Self::Program }
    }
}

/// What files share.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared {
    entities: Arc<HashMap<Symbol, Entity>>,
    tags: HashMap<Symbol, RecordId>,
    /// Tags of structures that are not the same in all files.
    apart: BTreeSet<Symbol>,
    /// A tag that was found to be one of them.
    differs: Option<Symbol>,
    /// The structures that were completed in the file that is read.
    completed: BTreeSet<RecordId>,
    /// How many structures there were when that file began.
    n_before: usize,
}

impl Shared {
    /// Nothing yet, and of structures with these tags never anything.
    pub(super) fn without(apart: BTreeSet<Symbol>) -> Self {
        Self { apart, ..Self::default() }
    }

    /// What a name with external linkage means.
    pub(super) fn entity(&self, name: Symbol) -> Option<&Entity> {
        self.entities.get(&name)
    }

    /// The structure that other files have with this tag.
    pub(super) fn tag(&self, tag: Symbol) -> Option<RecordId> {
        self.tags.get(&tag).copied()
    }

    /// A tag is declared outside of functions.
    pub(super) fn share_tag(&mut self, tag: Symbol, id: RecordId) {
        if !self.apart.contains(&tag) {
            self.tags.entry(tag).or_insert(id);
        }
    }

    /// Whether the file that is read has completed a structure.
    pub(super) fn is_completed(&self, id: RecordId) -> bool {
        self.completed.contains(&id)
    }

    /// The tags to keep apart when the program is read once more, if it must be.
    pub(super) fn to_keep_apart(&self) -> Option<BTreeSet<Symbol>> {
        let mut apart = self.apart.clone();
        apart.insert(self.differs?).then_some(apart)
    }
}

impl<'a> Lowering<'a> {
    /// A file begins. It knows what the models declare, and nothing of other files.
    pub(super) fn begin_file(&mut self) {
        self.scopes.begin_file();
        self.shared.completed.clear();
        self.shared.n_before = self.types.records.len();
    }

    /// What a name means, if the file has declared it or shares it with another one. What is
    /// static hides the models' functions.
    pub(super) fn declared(&mut self, name: Symbol, reach: Reach) -> Option<Entity> {
        let own = self.scopes.file_entity(name).cloned();
        match (own, reach) {
            // A word of C23, which an older program declares.
            (Some(Entity::Constant(..)), _) if self.scopes.is_inherited(name) => None,
            (Some(_), Reach::File) if self.scopes.is_inherited(name) => None,
            (Some(own), _) => Some(own),
            (None, Reach::File) => None,
            (None, Reach::Program) => {
                let shared = self.shared.entity(name).cloned()?;
                self.scopes.declare_in_file(name, shared.clone());
                Some(shared)
            }
        }
    }

    /// A name is declared for the first time.
    pub(super) fn declare_new(&mut self, name: Symbol, entity: Entity, reach: Reach) {
        self.scopes.declare_in_file(name, entity.clone());
        if reach == Reach::Program {
            Arc::make_mut(&mut self.shared.entities).entry(name).or_insert(entity);
        }
    }

    /// The structure that a definition completes, where `new` has its members. It is `known`
    /// if another file has completed that.
    ///
    /// # Errors
    /// If the files do not agree. Then the program is read again, with this tag kept apart.
    pub(super) fn unified(
        &mut self,
        known: RecordId,
        new: RecordId,
        place: Place,
    ) -> Lowered<RecordId> {
        self.shared.completed.insert(known);
        if known != new && !are_same(&self.types, known, new) {
            self.shared.differs = self.types.record(known).tag;
            return self.error(place, "this structure has other members in another file");
        }
        if self.types.record(new).tag.is_some() || !self.scopes.at_file() {
            return Ok(known);
        }
        let mut earlier = (0..self.shared.n_before).map(RecordId);
        // Two structures of one file are two, though they have the same members.
        let is_same = |it: &RecordId| {
            self.types.record(*it).tag.is_none()
                && !self.shared.completed.contains(it)
                && are_same(&self.types, *it, new)
        };
        let found = earlier.find(is_same).unwrap_or(new);
        self.shared.completed.insert(found);
        Ok(found)
    }

    /// Makes a definition the body of a function. Of several files with a body the first one
    /// counts that is not weak.
    pub(super) fn define_function(
        &mut self,
        index: usize,
        definition: &'a FunctionDefinition,
        (is_inline, traits): (bool, &Traits),
    ) -> Lowered<bool> {
        let (unit, place) = (self.scopes.file(), definition.declarator.place);
        let is_weak = traits.weak || self.declared.functions[index].linkage.is_weak_in(unit);
        let known = &self.declared.functions[index];
        if let Some(other) = known.definition
            && known.unit != unit
        {
            if is_inline || known.is_inline {
                // Which of them a call means is for the compiler (C11 6.7.4p7).
                if self.source.text(other.place) != self.source.text(definition.place) {
                    let what = format!("`{}`, whose bodies differ", self.name(known.name));
                    self.declared.functions[index].linkage.obstacle.get_or_insert(what);
                }
                return Ok(false);
            }
            match (known.is_replaceable, is_weak) {
                (_, true) => return Ok(false),
                (true, false) => {}
                (false, false) => return self.defined_twice(known.name, known.place, place),
            }
        } else if known.definition.is_some() && !known.is_inline {
            return self.defined_twice(known.name, known.place, place);
        }
        let function = &mut self.declared.functions[index];
        function.is_inline = is_inline;
        function.definition = Some(definition);
        function.place = place;
        function.unit = unit;
        function.is_replaceable = is_weak;
        Ok(true)
    }

    /// Two definitions of what there can be one of.
    pub(super) fn defined_twice<T>(&self, name: Symbol, first: Place, place: Place) -> Lowered<T> {
        let first = self.source.describe(self.source.span(first));
        self.error(place, format!("`{}` is also defined at {first}", self.name(name)))
    }

    /// Notes that files give a function types that do not agree.
    pub(super) fn compare_function(&mut self, index: usize, ty: &Type, place: Place) {
        let function = &self.declared.functions[index];
        let is_other = function.unit != self.scopes.file() && self.source.is_users(function.place);
        let Type::Function(ty) = ty else { return };
        let is_same = function.ty.is_compatible(ty)
            || are_same_types(
                &self.types,
                &Type::Function(Arc::clone(&function.ty)),
                &Type::Function(Arc::clone(ty)),
            );
        if is_other && !is_same && function.linkage.obstacle.is_none() {
            let (first, second) = (self.source.span(function.place), self.source.span(place));
            let name = self.name(function.name);
            let [first, second] = [first, second].map(|span| self.source.describe(span));
            let what =
                format!("`{name}`, which has one type at {first} and another one at {second}");
            self.declared.functions[index].linkage.obstacle = Some(what);
        }
    }

    /// Whether two complete structures have the same members, whatever they are called.
    pub(super) fn are_same(&self, left: RecordId, right: RecordId) -> bool {
        are_same(&self.types, left, right)
    }

    /// Notes that a variable is weak in one file, and has no initial value in another:
    /// linkers do not agree which of them counts.
    pub(super) fn leave_weak_open(&mut self, index: usize) {
        self.declared.globals[index].unsupported =
            Some("variable that is weak in one file and has no initial value in another");
    }

    /// Notes that files give a variable types that do not agree.
    pub(super) fn compare_global(
        &mut self,
        index: usize,
        (ty, qualifiers): (&Type, Qualifiers),
        place: Place,
    ) {
        const WHAT: &str = "variable that has another type in another file";
        let global = &mut self.declared.globals[index];
        let is_same = global.ty.is_compatible(ty) || are_same_types(&self.types, &global.ty, ty);
        let is_same = is_same && global.qualifiers() == qualifiers;
        if global.unit != self.scopes.file() && !is_same {
            global.unsupported = Some(WHAT);
            // It may be set up by now.
            if !self.scopes.at_file() {
                self.unsupported(WHAT, place);
            }
        }
    }
}

/// Whether two complete structures have the same members.
fn are_same(types: &Types, left: RecordId, right: RecordId) -> bool {
    let (left, right) = (types.record(left), types.record(right));
    let (Some(a), Some(b)) = (&left.layout, &right.layout) else { return false };
    let is_same_shape = (left.kind, left.nature) == (right.kind, right.nature)
        && (a.size, a.alignment) == (b.size, b.alignment)
        && a.fields.len() == b.fields.len();
    let mut pairs = a.fields.iter().zip(&b.fields);
    is_same_shape
        && pairs.all(|(a, b)| {
            (a.name, a.qualifiers, a.offset, a.bits) == (b.name, b.qualifiers, b.offset, b.bits)
                && are_same_types(types, &a.ty, &b.ty)
        })
}

/// Whether two types are the same, up to structures without a tag, and those that one file
/// leaves incomplete (C11 6.2.7p1).
fn are_same_types(types: &Types, left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Record(a), Type::Record(b)) => {
            let (left, right) = (types.record(*a), types.record(*b));
            let is_open = left.layout.is_none() || right.layout.is_none();
            a == b
                || (left.tag, left.kind) == (right.tag, right.kind)
                    && match left.tag {
                        Some(_) => is_open,
                        None => are_same(types, *a, *b),
                    }
        }
        (Type::Pointer(a), Type::Pointer(b)) => {
            a.qualifiers() == b.qualifiers() && are_same_types(types, &a.ty, &b.ty)
        }
        (Type::Array(a), Type::Array(b)) => {
            (a.length, a.qualifiers()) == (b.length, b.qualifiers())
                && are_same_types(types, &a.element, &b.element)
        }
        (Type::Function(a), Type::Function(b)) => {
            let are_alike = match (&a.parameters, &b.parameters) {
                (Some(a), Some(b)) => {
                    let mut pairs = a.iter().zip(b);
                    a.len() == b.len() && pairs.all(|(a, b)| are_same_types(types, a, b))
                }
                (a, b) => a.is_none() && b.is_none(),
            };
            are_alike && a.variadic == b.variadic && are_same_types(types, &a.result, &b.result)
        }
        _ => left == right,
    }
}
