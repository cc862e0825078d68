//! Which objects are `_Atomic` where there are several threads: an update of one of them is one
//! step (C11 6.5.16.2p3).
//!
//! Types do not say so here. Names do: of each name it is kept at which distance something is
//! atomic, which is how often one has to follow a pointer or look into an array for it.
//!
//! ```text
//!   _Atomic int n;             n: 0
//!   _Atomic int *p, a[4];      p: 1, a: 1
//!   int *_Atomic q;            q: 0
//! ```

use std::collections::BTreeSet;

use wane_grammar::c::ast::{Derivation, Expr as Tree, ExprKind, Specifier, UnaryOperator};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::model::SectionEnd;
use super::{Lowered, Lowering};
use crate::Threads;

/// The distances at which something is atomic.
pub(super) type Unity = BTreeSet<usize>;

/// Whether an update is one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    /// Others may move between reading and writing.
    Two,
    /// They may not.
    One,
}

impl Lowering<'_> {
    /// What specifiers say.
    pub(super) fn said_unity(&self, list: &[Specifier]) -> Unity {
        let mut said = Unity::new();
        for specifier in list {
            match specifier {
                Specifier::Atomic | Specifier::AtomicType(_) => {
                    said.insert(0);
                }
                Specifier::Typedef(name) => {
                    let known = self.atomics.unities.get(&(self.scopes.file(), *name));
                    said.extend(known.into_iter().flatten().flatten());
                }
                _ => {}
            }
        }
        said
    }

    /// Keeps what is said of a name.
    pub(super) fn note_unity(&mut self, name: Symbol, base: &Unity, derivations: &[Derivation]) {
        if self.options.threads == Threads::One {
            return;
        }
        let mut said: Unity = base.iter().map(|it| it + derivations.len()).collect();
        for (distance, derivation) in derivations.iter().enumerate() {
            if let Derivation::Pointer(words) = derivation
                && words.iter().any(|word| matches!(word, Specifier::Atomic))
            {
                said.insert(distance);
            }
        }
        let known = self.atomics.unities.entry((self.scopes.file(), name)).or_default();
        if !known.contains(&said) {
            known.push(said);
        }
    }

    /// Whether only one thread knows a place, or updates are no question there.
    fn is_settled(&self, target: &Lvalue) -> bool {
        let is_own = match target.site {
            Site::Register(variable) => self.parts.variables[variable.index()].owner.is_some(),
            _ => false,
        };
        self.options.threads == Threads::One || self.models.site.is_some() || is_own
    }

    /// Whether a plain assignment is marked as one of an atomic object.
    pub(super) fn steps_of_store(&self, tree: &Tree, target: &Lvalue) -> Steps {
        match self.is_atomic_at(tree, 0) {
            Some(true) if !self.is_settled(target) => Steps::One,
            _ => Steps::Two,
        }
    }

    /// Whether an update of a place is one step.
    pub(super) fn is_one_step(&self, tree: &Tree) -> bool {
        self.is_atomic_at(tree, 0) == Some(true)
    }

    /// How many steps an update of this place takes.
    pub(super) fn steps_of_update(&mut self, tree: &Tree, target: &Lvalue, place: Place) -> Steps {
        if self.is_settled(target) {
            return Steps::Two;
        }
        match self.is_atomic_at(tree, 0) {
            Some(true) => Steps::One,
            Some(false) => Steps::Two,
            None => {
                if self.atomics.unities.values().flatten().any(|said| !said.is_empty()) {
                    self.unsupported("an update of what may be an atomic object", place);
                }
                Steps::Two
            }
        }
    }

    /// An end of such an update.
    pub(super) fn mark_update(
        &mut self,
        steps: Steps,
        end: SectionEnd,
        place: Place,
    ) -> Lowered<()> {
        match steps {
            Steps::One => self.mark_section(end, place),
            Steps::Two => Ok(()),
        }
    }

    /// Whether what a tree designates is atomic at a distance; nothing if that is not known.
    fn is_atomic_at(&self, tree: &Tree, distance: usize) -> Option<bool> {
        match &tree.kind {
            ExprKind::Name(name) | ExprKind::Member(_, name) | ExprKind::Arrow(_, name) => {
                let known = self.atomics.unities.get(&(self.scopes.file(), *name))?;
                let mut answers = known.iter().map(|said| said.contains(&distance));
                let first = answers.next()?;
                answers.all(|other| other == first).then_some(first)
            }
            ExprKind::Index(operand, _) | ExprKind::Unary(UnaryOperator::Dereference, operand) => {
                self.is_atomic_at(operand, distance + 1)
            }
            _ => None,
        }
    }
}
