//! What a function that is analysed by itself overwrites: the last pointer to memory of its
//! callers may be lost so.
//!
//! ```text
//!   Q' is what a write makes of Q    the place held an unknown value v in Q    v may be other than 0
//!   no variable and no memory of Q' holds v, perhaps moved by a number
//!   ──────────────────────────────────────────────────────────────────────────────────────── LOST
//!   what v points at may be lost
//! ```
//!
//! A link between nodes of one kind that gets another address is left out: a node that is put into
//! a list leaves the one that it was in. Memory that the state speaks of is none of this rule: that it is pointed at is asked of each
//! state ([`Semantics::holds_all`](super::Semantics::holds_all)).

use super::eval::Context;
use super::rearrange::Exposed;
use evidence::alarm::AlarmKind;
use heap::reach::target_of;
use heap::state::{Kind, State};
use heap::{Atom, Content};
use ir::{Expr, MemoryKind, ScalarType, Variable};
use logic::{LinearExpr, Var};
use obligation::ErrorKind;

/// What a place holds before it is written.
pub(super) enum Before {
    /// Nothing that matters.
    Nothing,
    /// This value.
    Value(Var),
    /// Something that came in and has no name.
    Nameless,
}

impl Context<'_> {
    /// Whether overwritten pointers matter: those of a function by itself.
    fn minds_what_came_in(&self, state: &State) -> bool {
        // Before the call the entry writes what comes in.
        let is_called = state.stores.len() > 2;
        let is_open = self.machine.program.open.is_some();
        is_open && is_called && self.machine.goal.avoids(ErrorKind::Leak)
    }

    /// What a variable holds before it is written.
    pub(super) fn before_assignment(&self, state: &State, target: Variable) -> Before {
        let info = self.machine.program.variable(target);
        let is_users = info.owner.is_none() && !info.name.starts_with("__model");
        if !is_users || info.ty != ScalarType::Pointer || !self.minds_what_came_in(state) {
            return Before::Nothing;
        }
        state.value_in(0, target).map_or(Before::Nothing, |value| unknown(state, value))
    }

    /// What the exposed place holds before a scalar is written there, by this address.
    pub(super) fn before_store(
        &self,
        exposed: &Exposed,
        (ty, written): (ScalarType, &LinearExpr),
        address: &Expr,
    ) -> Before {
        let Exposed { state, block, offset } = exposed;
        if ty != ScalarType::Pointer || !self.minds_what_came_in(state) {
            return Before::Nothing;
        }
        let Atom::Block(block) = &state.heap.atoms[*block] else { return Before::Nothing };
        let mut recent = block.recent.iter().rev().filter(|it| it.ty == ty);
        let recent = recent.find(|it| state.surely_zero(&it.offset.sub(offset)));
        let constant = offset.as_constant().and_then(|it| it.to_i64());
        let cell = constant.and_then(|offset| block.cell(offset)).filter(|cell| cell.ty == ty);
        let known = cell.map(|cell| &cell.value).or(recent.map(|it| &it.value));
        let is_own = matches!(block.region.kind, MemoryKind::Stack | MemoryKind::Alloca)
            || self.is_made_here(address);
        let is_linked_anew = || {
            let place = block.size.as_constant().and_then(|it| it.to_i64()).zip(constant);
            place.is_some_and(|place| self.is_link(place)) && !state.surely_zero(written)
        };
        match known {
            _ if is_linked_anew() => Before::Nothing,
            Some(value) => unknown(state, value),
            None if block.content == Content::Zero || is_own => Before::Nothing,
            None => Before::Nameless,
        }
    }

    /// Whether objects of so many bytes have a link there to objects of their kind, or of the kind
    /// of what they have there. A node that is put into a list leaves what it was linked to.
    fn is_link(&self, (bytes, offset): (i64, i64)) -> bool {
        let Some(open) = &self.machine.program.open else { return false };
        let own_name = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
        open.layouts.iter().filter(|layout| layout.bytes == bytes).any(|layout| {
            let mut fields = layout.pointers.iter().filter(|field| field.offset == offset);
            fields.any(|field| {
                field.target.is_some_and(|target| {
                    let name = own_name(&field.name);
                    open.links(target).any(|link| own_name(&link.name) == name)
                })
            })
        })
    }

    /// Whether an address is one of memory that the function allocates itself.
    fn is_made_here(&self, address: &Expr) -> bool {
        let mut is_made = false;
        let mut is_other = false;
        address.variables().for_each(|variable| {
            if self.machine.type_of(variable) == ScalarType::Pointer {
                is_made |= self.machine.made_here.contains(&variable);
                is_other |= !self.machine.made_here.contains(&variable);
            }
        });
        is_made && !is_other
    }

    /// Rule LOST: notes whether what a place held before is held by nothing now.
    pub(super) fn note_overwritten(&mut self, state: &State, before: &Before) {
        let is_lost = match before {
            Before::Nothing => false,
            Before::Nameless => true,
            Before::Value(value) => {
                let is_held = |it: &Var| it == value;
                !self.machine.held_addresses(state).iter().any(is_held)
                    && !state.heap.atoms.iter().any(|it| it.targets(state).iter().any(is_held))
            }
        };
        if is_lost {
            self.alarm(AlarmKind::Overwritten);
        }
    }
}

/// The unknown value that is no null pointer for certain, if it is one.
fn unknown(state: &State, value: &LinearExpr) -> Before {
    let target = target_of(state, value).filter(|_| !state.surely_zero(value));
    match target {
        Some(target) if state.vocabulary.kind(target) == Kind::Unknown => Before::Value(target),
        Some(_) | None => Before::Nothing,
    }
}
