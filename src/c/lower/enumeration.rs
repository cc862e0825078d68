//! Enumerations and the types of their enumerators.

use wane_grammar::c::ast::EnumSpecifier;

use super::attributes::Traits;
use super::scope::{Entity, Tag};
use super::{Lowered, Lowering};
use crate::types::{Integer, Type};
use ir::IntKind;

impl<'a> Lowering<'a> {
    /// The type that the specifier of an enumeration means.
    pub(super) fn enum_type(&mut self, list: &'a EnumSpecifier, after: &Traits) -> Lowered<Type> {
        let Some(enumerators) = &list.enumerators else {
            let known = list.tag.and_then(|tag| self.scopes.tag(tag));
            return Ok(match known {
                Some(Tag::Enum(ty)) => ty.clone(),
                _ => Type::Int(Integer::UnsignedInt),
            });
        };
        let mut next = 0;
        let (mut lowest, mut highest) = (0, 0);
        let mut wide = Vec::new();
        for enumerator in enumerators {
            let value = match &enumerator.value {
                Some(value) => self.constant(value)?,
                None => next,
            };
            lowest = lowest.min(value);
            highest = highest.max(value);
            next = value + 1;
            let ty = self.type_of_enumerator(value);
            self.scopes.declare(enumerator.name, Entity::Constant(value, ty));
            wide.extend(ty.map(|_| (enumerator.name, value)));
        }
        let packed = after.packed || self.traits(&list.attributes)?.packed;
        let is_wide = lowest < i128::from(i32::MIN) || highest > i128::from(u32::MAX);
        let smallest =
            [Integer::UnsignedChar, Integer::SignedChar, Integer::UnsignedShort, Integer::Short]
                .into_iter()
                .find(|int| {
                    let kind = int.kind(self.types.model);
                    let fits = IntKind::min(kind) <= lowest && highest <= IntKind::max(kind);
                    fits && int.is_signed() == (lowest < 0)
                });
        let is_long = self.types.model.long_bits() == 64;
        let int = match (is_wide, lowest < 0) {
            _ if packed && smallest.is_some() => smallest.unwrap_or(Integer::Int),
            (false, false) => Integer::UnsignedInt,
            (false, true) if highest <= i128::from(i32::MAX) => Integer::Int,
            (true, false) if is_long => Integer::UnsignedLong,
            (true, false) => Integer::UnsignedLongLong,
            (_, true) if is_long => Integer::Long,
            (_, true) => Integer::LongLong,
        };
        for (name, value) in wide {
            self.scopes.declare(name, Entity::Constant(value, Some(int)));
        }
        let ty = Type::Int(int);
        if let Some(tag) = list.tag {
            self.scopes.declare_tag(tag, Tag::Enum(ty.clone()));
        }
        Ok(ty)
    }

    /// Before its enumeration is complete, an enumerator is `int` unless it does not fit.
    fn type_of_enumerator(&self, value: i128) -> Option<Integer> {
        let holds = |int: &Integer| {
            let kind = int.kind(self.types.model);
            kind.min() <= value && value <= kind.max()
        };
        if holds(&Integer::Int) {
            return None;
        }
        let wider = [Integer::UnsignedInt, Integer::Long, Integer::LongLong];
        Some(wider.into_iter().find(holds).unwrap_or(Integer::UnsignedLongLong))
    }
}
