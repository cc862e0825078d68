//! String literals: static arrays that are not to be written.

use std::collections::BTreeMap;
use std::rc::Rc;

use hashbrown::HashMap;
use wane_grammar::c::ast::{StringKind, StringLiteral};
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::initializer::TEXT_LIMIT;
use super::{Lowered, Lowering, fold};
use crate::base::source::Span;
use crate::c::types::{Array, Integer, Length, Type};
use crate::ir::{
    BinaryOp, BlockId, Command, Expr, HavocSource, InitialContent, IntKind, MemoryKind, ScalarType,
    Terminator, Variable,
};

/// A string literal whose text another one has, too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeated {
    /// Holds its address.
    literal: Variable,
    /// Holds the address of the first literal of this text.
    first: Variable,
    /// Holds the address of a block of its own.
    own: Variable,
}

/// String literals that are reached, and what else waits to be lowered.
#[derive(Debug, Default)]
pub(super) struct Strings {
    pub(super) known: HashMap<Place, (Variable, Type)>,
    pub(super) waiting_strings: Vec<(Variable, Type, Vec<u32>, Place)>,
    /// The first literal of each text.
    pub(super) firsts: BTreeMap<(ScalarType, Vec<u32>), Variable>,
    /// Later literals of the same text.
    pub(super) repeated: Vec<Repeated>,
    /// Whether some operation may tell the addresses of two objects apart.
    pub(super) addresses_matter: bool,
    /// What holds the addresses of labels.
    pub(super) waiting_labels: Vec<(Variable, Place)>,
    pub(super) waiting_functions: Vec<usize>,
    pub(super) waiting_globals: Vec<usize>,
}

impl Lowering<'_> {
    /// The static array that a string literal is.
    pub(super) fn string(&mut self, literal: &StringLiteral, place: Place) -> Lowered<Lvalue> {
        let element = match literal.kind {
            StringKind::Byte => Integer::Char,
            StringKind::Utf16 => Integer::UnsignedShort,
            StringKind::Utf32 => Integer::UnsignedInt,
            StringKind::Wide => self.types.wide_character(),
        };
        Ok(self.static_text(element, &literal.units, place))
    }

    /// The static array of characters that holds a text.
    pub(super) fn text(&mut self, units: Vec<u32>, place: Place) -> Lowered<Lvalue> {
        Ok(self.static_text(Integer::Char, &units, place))
    }

    fn static_text(&mut self, element: Integer, units: &[u32], place: Place) -> Lvalue {
        if let Some((variable, ty)) = self.strings.known.get(&place) {
            return Lvalue { ty: ty.clone(), site: Site::Memory((*variable).into()) };
        }
        let length = Length::Fixed(units.len() as u64 + 1);
        let element = Type::Int(element);
        let ty = Type::Array(Rc::new(Array { element, constant: true, volatile: false, length }));
        let span = self.span(place);
        let name = format!("$string{}", self.strings.known.len());
        let variable = self.parts.address(&name, None, span);
        self.strings.known.insert(place, (variable, ty.clone()));
        self.strings.waiting_strings.push((variable, ty.clone(), units.to_vec(), place));
        Lvalue { ty, site: Site::Memory(variable.into()) }
    }

    pub(super) fn set_up_string(
        &mut self,
        variable: Variable,
        ty: &Type,
        units: &[u32],
        place: Place,
    ) {
        let Type::Array(array) = ty else { return };
        let (Some(size), Some(scalar)) = (self.types.size(ty), self.types.scalar(&array.element))
        else {
            return;
        };
        let key = (scalar, units.to_vec());
        let variable = match self.strings.firsts.get(&key).copied() {
            None => {
                self.strings.firsts.insert(key, variable);
                variable
            }
            Some(first) => {
                let span = self.span(place);
                let own = self.parts.address("$string", None, span);
                self.strings.repeated.push(Repeated { literal: variable, first, own });
                own
            }
        };
        self.allocate_static(variable, size, InitialContent::Zero, place);
        if units.len() > TEXT_LIMIT {
            self.unsupported("string literal of more than 65536 characters", place);
            return;
        }
        let width = u64::from(scalar.bytes(self.types.model.pointer_bytes()));
        let ScalarType::Int(kind) = scalar else { return };
        for (index, unit) in units.iter().enumerate().filter(|(_, unit)| **unit != 0) {
            let offset = Expr::Constant(i128::from(index as u64 * width));
            let address = fold::binary(BinaryOp::Add, variable.into(), offset);
            let value = Expr::Constant(kind.wrap(i128::from(*unit)));
            self.emit(Command::Store { address, value, ty: scalar }, place);
        }
        self.seal(variable, place);
    }

    /// Whether literals of the same text are one object or several is left open by C,
    /// and decided here, before anything else happens, where it may matter.
    pub(super) fn share_literals(&mut self, setup: BlockId) {
        let repeated = std::mem::take(&mut self.strings.repeated);
        let current = self.body.current;
        let apart = |it: &Repeated| (it.literal, it.own);
        let shared = |it: &Repeated| (it.literal, it.first);
        self.body.current = BlockId(0);
        if repeated.is_empty() || !self.strings.addresses_matter {
            self.assign_all(repeated.iter().map(apart));
            self.body.current = current;
            return;
        }
        let ty = ScalarType::Int(IntKind { bits: 1, signed: false });
        let choice = self.temporary(ty, Place::default());
        let source = HavocSource::Input("sharing of equal string literals".to_owned());
        self.emit(Command::Havoc { target: choice, source }, Place::default());
        let (yes, no) = (self.body.block(Span::NOWHERE), self.body.block(Span::NOWHERE));
        self.body.blocks[0].terminator =
            Some(Terminator::Branch { condition: choice.into(), then: yes, otherwise: no });
        self.body.current = yes;
        self.assign_all(repeated.iter().map(shared));
        self.body.current = no;
        self.assign_all(repeated.iter().map(apart));
        for block in [yes, no] {
            self.body.blocks[block.index()].terminator = Some(Terminator::Goto(setup));
        }
        self.body.current = current;
    }

    fn assign_all(&mut self, pairs: impl Iterator<Item = (Variable, Variable)>) {
        for (target, value) in pairs {
            self.emit(Command::Assign { target, value: value.into() }, Place::default());
        }
    }

    /// From here on the block is not to be written.
    pub(super) fn seal(&mut self, block: Variable, place: Place) {
        self.emit(Command::Free { address: block.into(), kind: MemoryKind::Constant }, place);
    }
}
