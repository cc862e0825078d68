//! What expressions designate, and where that is.

use super::members::Member;
use crate::types::{Bits, Qualifiers, Type};
use ir::{Expr, Variable};

/// What an expression designates.
#[derive(Clone, Debug)]
pub(super) struct Lvalue {
    pub(super) ty: Type,
    pub(super) site: Site,
}

/// Where it is.
#[derive(Clone, Debug)]
pub(super) enum Site {
    /// A variable.
    Register(Variable),
    /// Memory at an address.
    Memory(Expr),
    /// The same, if it is a member of a structure.
    Member(Expr, Member),
    /// Memory at an address that may change by itself.
    Volatile(Expr),
    /// Some bits of the unit at an address.
    Bits(Expr, Bits),
}

impl Site {
    /// Memory at an address.
    pub(super) fn at(address: Expr, qualifiers: Qualifiers) -> Self {
        if qualifiers.volatile { Self::Volatile(address) } else { Self::Memory(address) }
    }
}
