//! What names mean, scope by scope.

use std::sync::Arc;

use hashbrown::HashMap;
use wane_grammar::c::name::Symbol;

use crate::types::{Integer, Qualifiers, RecordId, Type};
use ir::Variable;

/// What an ordinary identifier means.
#[derive(Clone, Debug)]
pub(super) enum Entity {
    /// A local variable or a parameter.
    Local(Local),
    /// A variable that lives as long as the program.
    Global(usize),
    /// A function.
    Function(usize),
    /// An enumerator; its type where that is not `int`.
    Constant(i128, Option<Integer>),
    /// A typedef name.
    Typedef(TypeAlias),
}

/// What a typedef name stands for.
#[derive(Clone, Debug)]
pub(super) struct TypeAlias {
    pub(super) ty: Type,
    pub(super) qualifiers: Qualifiers,
    /// From `aligned`; 0 when not given.
    pub(super) alignment: u64,
}

/// A local variable.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) ty: Type,
    pub(super) home: Home,
    /// Whether it may change by itself.
    pub(super) volatile: bool,
}

impl Local {
    /// What is said of it beside its type.
    pub(super) fn qualifiers(&self) -> Qualifiers {
        Qualifiers { constant: false, volatile: self.volatile }
    }
}

/// Where a variable's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// In this variable.
    Register(Variable),
    /// In the memory block whose address this variable holds.
    Memory(Variable),
}

/// What a tag means.
#[derive(Clone, Debug)]
pub(super) enum Tag {
    /// A structure or union.
    Record(RecordId),
    /// An enumeration; its integer type.
    Enum(Type),
}

#[derive(Clone, Debug, Default)]
struct Scope {
    entities: HashMap<Symbol, Entity>,
    tags: HashMap<Symbol, Tag>,
}

/// The scopes of the files, and those that are open in one of them.
#[derive(Clone, Debug)]
pub(super) struct Scopes {
    /// The first one is that of the models; the others know what it knows.
    files: Vec<Arc<Scope>>,
    /// The file that is read.
    file: usize,
    /// The scopes inside of the file, the innermost last.
    stack: Vec<Scope>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self { files: vec![Arc::default()], file: 0, stack: Vec::new() }
    }

    /// Another file begins.
    pub(super) fn begin_file(&mut self) {
        self.files.push(Arc::clone(&self.files[0]));
        self.file = self.files.len() - 1;
    }

    /// How many names the files know, about.
    pub(super) fn n_names(&self) -> usize {
        self.files.iter().map(|file| file.entities.len()).sum()
    }

    /// The number of the file that is read; 0 is the models.
    pub(super) fn file(&self) -> usize {
        self.file
    }

    /// Goes to a file, and returns the one that was read before.
    pub(super) fn enter(&mut self, file: usize) -> usize {
        std::mem::replace(&mut self.file, file)
    }

    fn innermost(&self) -> &Scope {
        self.stack.last().unwrap_or(&self.files[self.file])
    }

    fn innermost_mut(&mut self) -> &mut Scope {
        match self.stack.last_mut() {
            Some(scope) => scope,
            None => Arc::make_mut(&mut self.files[self.file]),
        }
    }

    pub(super) fn push(&mut self) {
        self.stack.push(Scope::default());
    }

    pub(super) fn pop(&mut self) {
        self.stack.pop();
    }

    /// Closes all scopes but the file's.
    pub(super) fn pop_to_file(&mut self) {
        self.stack.clear();
    }

    /// Whether only the file's scope is open.
    pub(super) fn at_file(&self) -> bool {
        self.stack.is_empty()
    }

    /// Whether the innermost scope is the outermost one of a function's body.
    pub(super) fn at_body(&self) -> bool {
        // Around it is that of the parameters.
        self.stack.len() == 2
    }

    pub(super) fn entity(&self, name: Symbol) -> Option<&Entity> {
        let found = self.stack.iter().rev().find_map(|scope| scope.entities.get(&name));
        found.or_else(|| self.file_entity(name))
    }

    /// What a name means outside of functions, in the file that is read.
    pub(super) fn file_entity(&self, name: Symbol) -> Option<&Entity> {
        self.entity_in(self.file, name)
    }

    /// What a name means outside of functions, in some file.
    pub(super) fn entity_in(&self, file: usize, name: Symbol) -> Option<&Entity> {
        self.files[file].entities.get(&name)
    }

    /// Whether the file knows a name from the models, and has not declared it anew.
    pub(super) fn is_inherited(&self, name: Symbol) -> bool {
        let number = |file| match self.entity_in(file, name) {
            Some(Entity::Function(index) | Entity::Global(index)) => Some((*index, true)),
            Some(Entity::Constant(value, _)) => {
                usize::try_from(*value).ok().map(|value| (value, false))
            }
            _ => None,
        };
        self.file > 0 && number(0).is_some() && number(0) == number(self.file)
    }

    pub(super) fn declare(&mut self, name: Symbol, entity: Entity) {
        self.innermost_mut().entities.insert(name, entity);
    }

    pub(super) fn declare_in_file(&mut self, name: Symbol, entity: Entity) {
        Arc::make_mut(&mut self.files[self.file]).entities.insert(name, entity);
    }

    pub(super) fn tag(&self, name: Symbol) -> Option<&Tag> {
        let found = self.stack.iter().rev().find_map(|scope| scope.tags.get(&name));
        found.or_else(|| self.files[self.file].tags.get(&name))
    }

    /// The tag as the innermost scope itself declares it.
    pub(super) fn innermost_tag(&self, name: Symbol) -> Option<&Tag> {
        self.innermost().tags.get(&name)
    }

    pub(super) fn declare_tag(&mut self, name: Symbol, tag: Tag) {
        self.innermost_mut().tags.insert(name, tag);
    }
}
