//! What a variable or a block may hold in the states of a trap.

use super::Escape;
use super::strided::Strided;
use concrete::memory::{Content, MemoryBlock, MemoryBlockId};
use concrete::value::Value;
use ir::expr::{IntKind, ScalarType};
use ir::semantics::address_kind;
use ir::{MemoryKind, ProcedureId};
use std::collections::BTreeMap;

/// How many blocks an address may be in.
const MOST_BLOCKS: usize = 8;

/// What a variable or a cell may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possible {
    /// One of these numbers.
    Number(Strided),
    /// An address in one of these blocks, with what its offset there may be.
    Address(BTreeMap<MemoryBlockId, Strided>),
    /// The address of a procedure.
    Procedure(ProcedureId),
    /// Anything.
    Any,
}

impl Possible {
    /// Just this value.
    pub(super) fn of(value: Value) -> Self {
        match value {
            Value::Int(number) => Strided::of(number).map_or(Self::Any, Self::Number),
            Value::Pointer(to) => Strided::of(to.offset)
                .map_or(Self::Any, |offset| Self::Address(BTreeMap::from([(to.block, offset)]))),
            Value::Procedure(procedure) => Self::Procedure(procedure),
        }
    }

    /// What either may be.
    pub(super) fn join(&self, other: &Self) -> Self {
        self.combined(other, &|one, other| Some(one.join(other)))
    }

    /// The same, with bounds that have moved pushed on to one of these.
    pub(super) fn widen(&self, other: &Self, bounds: &[i128]) -> Self {
        self.combined(other, &|one, other| one.widen(other, bounds))
    }

    fn combined(&self, other: &Self, join: &dyn Fn(Strided, Strided) -> Option<Strided>) -> Self {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => {
                join(*one, *other).map_or(Self::Any, Self::Number)
            }
            (Self::Address(one), Self::Address(other)) => {
                let mut places = one.clone();
                for (block, offset) in other {
                    let joined = places.get(block).map_or(Some(*offset), |it| join(*it, *offset));
                    let Some(joined) = joined else { return Self::Any };
                    places.insert(*block, joined);
                }
                if places.len() > MOST_BLOCKS { Self::Any } else { Self::Address(places) }
            }
            (Self::Procedure(one), Self::Procedure(other)) if one == other => self.clone(),
            (Self::Number(_) | Self::Address(_) | Self::Procedure(_) | Self::Any, _) => Self::Any,
        }
    }

    /// The block is gone, and its name may become that of another one.
    pub(super) fn forget_block(&mut self, id: MemoryBlockId) {
        if let Self::Address(places) = self
            && places.contains_key(&id)
        {
            *self = Self::Any;
        }
    }

    /// As a variable or a cell of pointer type holds it.
    pub(super) fn as_address(&self, pointer_bytes: u32) -> Self {
        match self {
            Self::Number(number) => {
                number.wrap(address_kind(pointer_bytes)).map_or(Self::Any, Self::Number)
            }
            Self::Address(_) | Self::Procedure(_) | Self::Any => self.clone(),
        }
    }
}

/// What some consecutive bytes hold. Bytes without a cell may hold anything or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// A scalar as it was stored.
    Scalar(ScalarType, Possible),
    /// Each byte holds this.
    Run(u8),
    /// Each byte holds some number.
    Bytes,
}

impl Held {
    fn is_of_numbers(&self) -> bool {
        match self {
            Self::Scalar(ScalarType::Int(_) | ScalarType::Pointer, Possible::Number(_))
            | Self::Run(_)
            | Self::Bytes => true,
            Self::Scalar(..) => false,
        }
    }

    /// A part of it; nothing where parts have no numbers.
    fn part(&self) -> Option<Self> {
        match self {
            Self::Run(_) | Self::Bytes => Some(self.clone()),
            Self::Scalar(..) => self.is_of_numbers().then_some(Self::Bytes),
        }
    }

    /// The scalar of a type that zero bytes are, in place of them.
    fn like(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Run(0), Self::Scalar(ty @ ScalarType::Int(_), _)) => {
                Self::Scalar(*ty, Possible::of(Value::NULL))
            }
            _ => self.clone(),
        }
    }

    /// What either may be, nothing if that is unknown.
    fn combined(
        &self,
        other: &Self,
        join: &dyn Fn(&Possible, &Possible) -> Possible,
    ) -> Option<Self> {
        match (self.like(other), other.like(self)) {
            (Self::Scalar(ty, one), Self::Scalar(as_other, other)) if ty == as_other => {
                Some(Self::Scalar(ty, join(&one, &other)))
            }
            (Self::Run(one), Self::Run(other)) if one == other => Some(Self::Run(one)),
            (one, other) => (one.is_of_numbers() && other.is_of_numbers()).then_some(Self::Bytes),
        }
    }
}

/// A block of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) size: i128,
    pub(super) kind: MemoryKind,
    /// By their offsets, with their widths.
    cells: BTreeMap<i128, (i128, Held)>,
}

impl Block {
    /// A block in which nothing was written.
    pub(super) fn fresh(kind: MemoryKind, size: i128) -> Self {
        Self { size, kind, cells: BTreeMap::new() }
    }

    /// What a block holds in a state.
    pub(super) fn of(block: &MemoryBlock) -> Self {
        let mut cells = BTreeMap::new();
        for (offset, cell) in block.cells() {
            let held = match cell.content {
                Content::Scalar { ty: ty @ ScalarType::Float(_), .. } => {
                    Held::Scalar(ty, Possible::Any)
                }
                Content::Scalar { ty, value } => Held::Scalar(ty, Possible::of(value)),
                Content::Run(byte) => Held::Run(byte),
                Content::Opaque | Content::Moved => continue,
            };
            cells.insert(offset, (cell.width, held));
        }
        Self { size: block.size, kind: block.kind, cells }
    }

    /// Whether a scalar of just this type was stored at an offset.
    pub(super) fn holds_just(&self, offset: i128, ty: ScalarType) -> bool {
        matches!(self.cells.get(&offset), Some((_, Held::Scalar(stored, _))) if *stored == ty)
    }

    /// Forgets addresses in a block that is gone.
    pub(super) fn forget_block(&mut self, id: MemoryBlockId) {
        for (_, held) in self.cells.values_mut() {
            if let Held::Scalar(_, value) = held {
                value.forget_block(id);
            }
        }
    }

    /// How many cells it has.
    pub(super) fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// Whether so many bytes at an offset are inside.
    pub(super) fn contains(&self, offset: Strided, width: i128) -> bool {
        offset.least() >= 0 && offset.greatest() + width <= self.size
    }

    /// What a load gives.
    pub(super) fn load(
        &self,
        offset: i128,
        ty: ScalarType,
        width: i128,
    ) -> Result<Possible, Escape> {
        if let Some((stored, Held::Scalar(as_stored, value))) = self.cells.get(&offset)
            && *stored == width
        {
            return match (value, as_stored, ty) {
                _ if *as_stored == ty => Ok(value.clone()),
                (Possible::Number(number), ScalarType::Int(_), ScalarType::Int(kind)) => {
                    number.wrap(kind).map(Possible::Number).ok_or(Escape("a large number"))
                }
                _ => Err(Escape("a value is read as another type")),
            };
        }
        let pieces = self.pieces(offset, offset + width);
        let is_zero = pieces.iter().all(|(_, _, held)| **held == Held::Run(0));
        let all = self.covered(offset, offset + width).then_some(ty);
        match all {
            Some(ScalarType::Int(_) | ScalarType::Pointer) if is_zero => {
                Ok(Possible::of(Value::NULL))
            }
            Some(ScalarType::Int(kind)) => all_of(kind),
            _ => Err(Escape("memory is read whose value is not known")),
        }
    }

    /// Writes over whatever was there.
    pub(super) fn write(&mut self, offset: i128, width: i128, held: Held) {
        self.clear(offset, offset + width);
        if width > 0 {
            self.cells.insert(offset, (width, held));
        }
    }

    /// Writes perhaps.
    pub(super) fn may_write(&mut self, offset: i128, width: i128, held: Held) {
        let end = offset + width;
        let old = match self.pieces(offset, end).as_slice() {
            [(start, wide, old)] if (*start, *wide) == (offset, width) => Some((*old).clone()),
            [(start, wide, Held::Run(byte))] if *start <= offset && end <= start + wide => {
                Some(Held::Run(*byte))
            }
            _ => None,
        };
        let joined = match old {
            Some(old) => old.combined(&held, &|one, other| one.join(other)),
            None => (self.covered(offset, end) && held.is_of_numbers()).then_some(Held::Bytes),
        };
        self.clear(offset, end);
        if let Some(joined) = joined {
            self.cells.insert(offset, (width, joined));
        }
    }

    /// What stands between two offsets, to be written so far away.
    pub(super) fn copied(&self, start: i128, end: i128) -> Vec<(i128, i128, Held)> {
        let mut found = Vec::new();
        for (offset, width, held) in self.pieces(start, end) {
            let (from, to) = (offset.max(start), (offset + width).min(end));
            let is_whole = (from, to) == (offset, offset + width);
            let part = if is_whole { Some(held.clone()) } else { held.part() };
            found.extend(part.map(|it| (from, to - from, it)));
        }
        found
    }

    /// Forgets what stands between two offsets.
    pub(super) fn clear(&mut self, start: i128, end: i128) {
        let touched: Vec<(i128, i128, Held)> = self
            .pieces(start, end)
            .into_iter()
            .map(|(offset, width, held)| (offset, width, held.clone()))
            .collect();
        for (offset, width, held) in touched {
            self.cells.remove(&offset);
            let Some(part) = held.part() else { continue };
            for (from, to) in [(offset, start), (end, offset + width)] {
                if from < to {
                    self.cells.insert(from, (to - from, part.clone()));
                }
            }
        }
    }

    /// Narrows down the scalar that a cell holds.
    pub(super) fn refine(&mut self, offset: i128, known: Strided) {
        if let Some((_, Held::Scalar(_, value))) = self.cells.get_mut(&offset) {
            *value = Possible::Number(known);
        }
    }

    /// What either may hold.
    pub(super) fn combined(
        &self,
        other: &Self,
        join: &dyn Fn(&Possible, &Possible) -> Possible,
    ) -> Option<Self> {
        if (self.size, self.kind) != (other.size, other.kind) {
            return None;
        }
        let (one, other) = (self.split_like(other), other.split_like(self));
        let mut cells = BTreeMap::new();
        for (offset, (width, held)) in &one.cells {
            let joined = match other.cells.get(offset) {
                Some((wide, another)) if wide == width => held.combined(another, join),
                _ => (held.is_of_numbers() && other.covered(*offset, offset + width))
                    .then_some(Held::Bytes),
            };
            cells.extend(joined.map(|it| (*offset, (*width, it))));
        }
        Some(Self { cells, ..one })
    }

    /// The same, with runs of bytes divided where cells of the other one begin and end.
    fn split_like(&self, other: &Self) -> Self {
        let mut split = self.clone();
        let ends = other.cells.iter().flat_map(|(offset, (width, _))| [*offset, offset + width]);
        for end in ends {
            let before = split.cells.range(..end).next_back();
            let Some((&offset, (width, Held::Run(byte)))) = before else { continue };
            let (width, byte) = (*width, *byte);
            if offset + width > end {
                split.cells.insert(offset, (end - offset, Held::Run(byte)));
                split.cells.insert(end, (offset + width - end, Held::Run(byte)));
            }
        }
        split
    }

    /// The cells that have bytes between two offsets.
    fn pieces(&self, start: i128, end: i128) -> Vec<(i128, i128, &Held)> {
        let before = self.cells.range(..start).next_back();
        let before = before.filter(|(offset, (width, _))| *offset + width > start);
        let inside = self.cells.range(start..end.max(start));
        before
            .into_iter()
            .chain(inside)
            .map(|(offset, (width, held))| (*offset, *width, held))
            .collect()
    }

    /// Whether all bytes between two offsets hold numbers.
    fn covered(&self, start: i128, end: i128) -> bool {
        let mut known = start;
        for (offset, width, held) in self.pieces(start, end) {
            if offset > known || !held.is_of_numbers() {
                return false;
            }
            known = offset + width;
        }
        known >= end
    }
}

/// Any number of a type.
pub(super) fn all_of(kind: IntKind) -> Result<Possible, Escape> {
    Strided::all_of(kind).map(Possible::Number).ok_or(Escape("a number without bounds"))
}
