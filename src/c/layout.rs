//! Where the members of structures and unions lie.

use wane_grammar::c::ast::RecordKind;
use wane_grammar::c::name::Symbol;

use super::types::{Bits, Field, Integer, Layout, Length, Qualifiers, RecordId, Type, Types};
use ir::IntKind;

/// A member before layout.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) name: Option<Symbol>,
    pub(super) ty: Type,
    pub(super) qualifiers: Qualifiers,
    /// Width, of a bit-field.
    pub(super) width: Option<u64>,
    /// From `aligned`; 0 when not given.
    pub(super) alignment: u64,
    /// The alignment that a typedef name has instead of its type's.
    pub(super) natural: Option<u64>,
    pub(super) packed: bool,
}

/// Attributes of a structure or union that change its layout.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packing {
    /// From `packed`.
    pub(super) packed: bool,
    /// From `#pragma pack`.
    pub(super) limit: Option<u64>,
    /// From `aligned`; 0 when not given.
    pub(super) alignment: u64,
}

impl Types {
    /// Lays out the members. An error names a member that has no place.
    pub(super) fn complete(
        &mut self,
        id: RecordId,
        parts: Vec<Part>,
        packing: Packing,
    ) -> Result<(), Misfit> {
        let mut placer = Placer {
            types: self,
            packing,
            kind: self.records[id.0].kind,
            bits: 0,
            layout: Layout { alignment: 1, ..Layout::default() },
        };
        for part in parts {
            placer.place(part)?;
        }
        let mut layout = placer.layout;
        layout.alignment = layout.alignment.max(packing.alignment);
        layout.size = align(layout.size, layout.alignment);
        self.narrow_units(&mut layout);
        self.records[id.0].layout = Some(layout);
        Ok(())
    }

    /// A bit-field is read and written through a unit of its type. Where that unit is
    /// not all of bit-fields, or lies outside of the structure, a smaller one takes its
    /// place.
    fn narrow_units(&self, layout: &mut Layout) {
        let size = layout.size;
        let others: Vec<(u64, u64)> = layout
            .fields
            .iter()
            .filter(|field| field.bits.is_none())
            .map(|field| (field.offset, field.offset + self.size(&field.ty).unwrap_or(0)))
            .collect();
        for field in &mut layout.fields {
            let Some(bits) = field.bits else { continue };
            let bytes = u64::from(bits.unit.bits / 8);
            let end = field.offset + bytes;
            let is_mixed = others.iter().any(|(from, to)| *from < end && field.offset < *to);
            if end <= size && !is_mixed {
                continue;
            }
            let start = field.offset * 8 + u64::from(bits.low);
            let (first, last) = (start / 8, (start + u64::from(bits.width)).div_ceil(8));
            let narrow = (last - first).next_power_of_two();
            let first = first.min(size.saturating_sub(narrow));
            let byte = |value: u64| u8::try_from(value).unwrap_or(u8::MAX);
            field.offset = first;
            field.bits = Some(Bits {
                low: byte(start - first * 8),
                width: bits.width,
                unit: IntKind { bits: byte(narrow * 8), signed: false },
            });
        }
    }
}

/// `value` rounded up to a multiple of `alignment`.
fn align(value: u64, alignment: u64) -> u64 {
    value.div_ceil(alignment.max(1)).saturating_mul(alignment.max(1))
}

/// A member that has no place, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    /// Its type has no size.
    Size(Option<Symbol>),
    /// Its type has no such bit-field.
    Width(Option<Symbol>),
}

/// Places one member after the other.
struct Placer<'t> {
    types: &'t Types,
    packing: Packing,
    kind: RecordKind,
    /// Bits taken so far by members of a structure.
    bits: u64,
    layout: Layout,
}

impl Placer<'_> {
    fn place(&mut self, part: Part) -> Result<(), Misfit> {
        let size = match (&part.ty, self.types.size(&part.ty)) {
            (Type::Void | Type::Function(_), _) => return Err(Misfit::Size(part.name)),
            (_, Some(size)) => size,
            // A flexible array member.
            (Type::Array(array), None) if array.length == Length::Unknown => 0,
            _ => return Err(Misfit::Size(part.name)),
        };
        match part.width {
            Some(width) => self.place_bits(part, size, width),
            None => {
                self.place_bytes(part, size);
                Ok(())
            }
        }
    }

    /// The alignment a member gets.
    fn alignment(&self, part: &Part) -> u64 {
        let natural = part.natural.unwrap_or_else(|| self.types.alignment(&part.ty));
        let base = if self.packing.packed || part.packed { 1 } else { natural };
        let wanted = base.max(part.alignment);
        self.packing.limit.map_or(wanted, |limit| wanted.min(limit))
    }

    fn place_bytes(&mut self, part: Part, size: u64) {
        let alignment = self.alignment(&part);
        let offset = match self.kind {
            RecordKind::Struct => align(self.bits.div_ceil(8), alignment),
            RecordKind::Union => 0,
        };
        self.bits = offset.saturating_add(size).saturating_mul(8);
        self.layout.alignment = self.layout.alignment.max(alignment);
        self.layout.size = self.layout.size.max(offset.saturating_add(size));
        let Part { name, ty, qualifiers, .. } = part;
        self.layout.fields.push(Field { name, ty, qualifiers, offset, bits: None });
    }

    fn place_bits(&mut self, part: Part, size: u64, width: u64) -> Result<(), Misfit> {
        let Type::Int(int) = part.ty else { return Err(Misfit::Width(part.name)) };
        let unit_bits = size * 8;
        // Only one without a name may have no bits (C11 6.7.2.1p4).
        if width > unit_bits || (width == 0 && part.name.is_some()) {
            return Err(Misfit::Width(part.name));
        }
        let packed = self.packing.packed || part.packed;
        let start = match self.kind {
            RecordKind::Struct => self.bits,
            RecordKind::Union => 0,
        };
        let crosses = start / unit_bits != (start + width.max(1) - 1) / unit_bits;
        let start =
            if width == 0 || (crosses && !packed) { align(start, unit_bits) } else { start };
        let start =
            if part.alignment > 0 { align(start, self.alignment(&part) * 8) } else { start };
        if width > 0 && part.name.is_some() {
            self.layout.alignment = self.layout.alignment.max(self.alignment(&part));
        }
        self.bits = start + width;
        self.layout.size = self.layout.size.max(self.bits.div_ceil(8));
        if part.name.is_none() {
            return Ok(());
        }
        self.layout.fields.push(self.bit_field(&part, int, start, width));
        Ok(())
    }

    /// A bit-field at bit `start`, seen through a unit that contains it.
    fn bit_field(&self, part: &Part, int: Integer, start: u64, width: u64) -> Field {
        let declared = u64::from(int.kind(self.types.model).bits.max(8));
        // A packed bit-field may cross the units of its type; then a byte-aligned
        // unit is taken, wide enough.
        let crosses = start / declared != (start + width - 1) / declared;
        let base = if crosses { start / 8 * 8 } else { start / declared * declared };
        let unit =
            if crosses { (start + width - base).next_power_of_two().max(8) } else { declared };
        let byte = |value: u64| u8::try_from(value).unwrap_or(u8::MAX);
        let bits = Bits {
            low: byte(start - base),
            width: byte(width),
            unit: IntKind { bits: byte(unit), signed: false },
        };
        Field {
            name: part.name,
            ty: part.ty.clone(),
            qualifiers: part.qualifiers,
            offset: base / 8,
            bits: Some(bits),
        }
    }
}
