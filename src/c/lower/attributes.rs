//! What attributes and alignments say of a declaration.

use wane_grammar::c::ast::{AlignmentArgument, Attribute, Specifier};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::gift::Gift;
use super::{Lowered, Lowering};
use crate::types::{Nature, Type};

/// What attributes say.
#[derive(Clone, Debug, Default)]
pub(super) struct Traits {
    pub(super) no_return: bool,
    /// The priorities, if it runs before or after `main`.
    pub(super) constructor: Option<u32>,
    pub(super) destructor: Option<u32>,
    pub(super) packed: bool,
    /// 0 when not given.
    pub(super) alignment: u64,
    pub(super) unsupported: Option<&'static str>,
    /// The function that is called when the variable's scope ends.
    pub(super) cleanup: Option<Symbol>,
    /// What it is another name of.
    pub(super) alias: Option<Symbol>,
    pub(super) weak: bool,
    pub(super) gift: Gift,
    /// Its name for the assembler.
    pub(super) asm_name: Option<String>,
    pub(super) mode: Option<Mode>,
    pub(super) vector: Option<u64>,
    pub(super) nature: Nature,
}

/// What `mode` says of a type.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mode {
    /// An integer of so many bytes.
    Integer(u64),
    /// A floating type of so many bytes.
    Floating(u8),
    /// An integer as wide as an address.
    Word,
}

impl Traits {
    /// What two places say of one declaration.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            no_return: self.no_return || other.no_return,
            gift: self.gift.and(other.gift),
            constructor: self.constructor.or(other.constructor),
            destructor: self.destructor.or(other.destructor),
            packed: self.packed || other.packed,
            alignment: self.alignment.max(other.alignment),
            unsupported: self.unsupported.or(other.unsupported),
            cleanup: self.cleanup.or(other.cleanup),
            alias: self.alias.or(other.alias),
            weak: self.weak || other.weak,
            asm_name: self.asm_name.or(other.asm_name),
            mode: self.mode.or(other.mode),
            vector: self.vector.or(other.vector),
            nature: if self.nature == Nature::Plain { other.nature } else { self.nature },
        }
    }
}

impl<'a> Lowering<'a> {
    /// What the attributes among `list` say.
    pub(super) fn traits(&mut self, list: &'a [Specifier]) -> Lowered<Traits> {
        let mut traits = Traits::default();
        for specifier in list {
            match specifier {
                Specifier::Attribute(Attribute::NoReturn) => traits.no_return = true,
                Specifier::Attribute(Attribute::Packed) => traits.packed = true,
                Specifier::Attribute(Attribute::LargestAlignment) => traits.alignment = 16,
                Specifier::Attribute(Attribute::Constructor(priority)) => {
                    traits.constructor = Some(*priority);
                }
                Specifier::Attribute(Attribute::Destructor(priority)) => {
                    traits.destructor = Some(*priority);
                }
                Specifier::Attribute(Attribute::ModeBytes(bytes)) => {
                    traits.mode = Some(Mode::Integer(u64::from(*bytes)));
                }
                Specifier::Attribute(Attribute::ModeFloat(bytes)) => {
                    traits.mode = Some(Mode::Floating(*bytes));
                }
                Specifier::Attribute(Attribute::ModeWord) => traits.mode = Some(Mode::Word),
                Specifier::Attribute(Attribute::Alias(target)) => traits.alias = Some(*target),
                Specifier::Attribute(Attribute::Cleanup(name)) => traits.cleanup = Some(*name),
                Specifier::Attribute(Attribute::Weak) => traits.weak = true,
                Specifier::Attribute(Attribute::Fresh) => traits.gift.is_fresh = true,
                Specifier::Attribute(Attribute::BytesOfArgument(position)) => {
                    traits.gift.bytes = Some(*position);
                }
                Specifier::Attribute(Attribute::TransparentUnion) => {
                    traits.nature = Nature::Transparent;
                }
                Specifier::Attribute(Attribute::StorageOrder) => {
                    traits.nature = Nature::Reordered;
                }
                Specifier::AsmName(name) => traits.asm_name = Some(name.clone()),
                Specifier::VectorSize(bytes) => {
                    let bytes = self.constant(bytes)?;
                    traits.vector = Some(u64::try_from(bytes).unwrap_or(0));
                }
                Specifier::Align(AlignmentArgument::Expr(value)) => {
                    let value = self.constant(value)?;
                    traits.alignment = traits.alignment.max(u64::try_from(value).unwrap_or(0));
                }
                Specifier::Align(AlignmentArgument::Type(ty)) => {
                    let ty = self.type_name(ty)?;
                    traits.alignment = traits.alignment.max(self.types.alignment(&ty));
                }
                _ => {}
            }
        }
        Ok(traits)
    }

    /// The type that has a mode.
    pub(super) fn of_mode(&mut self, ty: Type, mode: Mode, place: Place) -> Type {
        let pointer_bytes = u64::from(self.types.model.pointer_bytes());
        let bytes = match mode {
            Mode::Integer(bytes) => bytes,
            Mode::Word => pointer_bytes,
            Mode::Floating(bytes) if matches!(ty, Type::Float(_)) => return Type::Float(bytes),
            Mode::Floating(_) => 0,
        };
        let found = match &ty {
            Type::Int(int) => int.with_bytes(bytes, self.types.model).map(Type::Int),
            Type::Pointer(_) if bytes == pointer_bytes => Some(ty.clone()),
            _ => None,
        };
        found.unwrap_or_else(|| {
            self.unsupported("attribute `mode`", place);
            ty
        })
    }

    /// The vector of the elements, where the traits ask for one.
    pub(super) fn vector_type(&mut self, ty: Type, traits: &Traits, place: Place) -> Type {
        let Some(bytes) = traits.vector else { return ty };
        let vector = match &ty {
            Type::Int(_) | Type::Float(_) => self.types.vector(&ty, bytes),
            _ => None,
        };
        vector.unwrap_or_else(|| {
            self.unsupported("attribute `vector_size`", place);
            ty
        })
    }
}
