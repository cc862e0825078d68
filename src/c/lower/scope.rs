//! What names mean, scope by scope.

use hashbrown::HashMap;
use wane_grammar::c::name::Symbol;

use crate::c::types::{Integer, Qualifiers, RecordId, Type};
use crate::ir::Variable;

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

#[derive(Debug, Default)]
struct Scope {
    entities: HashMap<Symbol, Entity>,
    tags: HashMap<Symbol, Tag>,
}

/// The open scopes; the first is the file's.
#[derive(Debug)]
pub(super) struct Scopes {
    stack: Vec<Scope>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self { stack: vec![Scope::default()] }
    }

    pub(super) fn push(&mut self) {
        self.stack.push(Scope::default());
    }

    pub(super) fn pop(&mut self) {
        if self.stack.len() > 1 {
            self.stack.pop();
        }
    }

    /// Closes all scopes but the file's.
    pub(super) fn pop_to_file(&mut self) {
        self.stack.truncate(1);
    }

    /// Whether only the file's scope is open.
    pub(super) fn at_file(&self) -> bool {
        self.stack.len() == 1
    }

    /// Whether the innermost scope is the outermost one of a function's body.
    pub(super) fn at_body(&self) -> bool {
        // Around it are the file's scope and that of the parameters.
        self.stack.len() == 3
    }

    pub(super) fn entity(&self, name: Symbol) -> Option<&Entity> {
        self.stack.iter().rev().find_map(|scope| scope.entities.get(&name))
    }

    pub(super) fn file_entity(&self, name: Symbol) -> Option<&Entity> {
        self.stack.first().and_then(|scope| scope.entities.get(&name))
    }

    pub(super) fn declare(&mut self, name: Symbol, entity: Entity) {
        if let Some(scope) = self.stack.last_mut() {
            scope.entities.insert(name, entity);
        }
    }

    pub(super) fn declare_in_file(&mut self, name: Symbol, entity: Entity) {
        if let Some(scope) = self.stack.first_mut() {
            scope.entities.insert(name, entity);
        }
    }

    pub(super) fn tag(&self, name: Symbol) -> Option<&Tag> {
        self.stack.iter().rev().find_map(|scope| scope.tags.get(&name))
    }

    /// The tag as the innermost scope itself declares it.
    pub(super) fn innermost_tag(&self, name: Symbol) -> Option<&Tag> {
        self.stack.last().and_then(|scope| scope.tags.get(&name))
    }

    pub(super) fn declare_tag(&mut self, name: Symbol, tag: Tag) {
        if let Some(scope) = self.stack.last_mut() {
            scope.tags.insert(name, tag);
        }
    }
}
