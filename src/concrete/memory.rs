//! Memory: blocks with an identity, and the cells in them.
//!
//! A block's bytes are covered by *cells* that do not overlap: a scalar as it
//! was stored, a run of equal bytes, or bytes without a number. Bytes that no
//! cell covers are arbitrary and not chosen yet. A load that matches a stored
//! scalar gives back its value; other loads assemble little-endian bytes.

use super::choices::reduced;
use super::value::{Arithmetic, EDGE, Pointer, Value};
use super::{Failure, MemoryErrorKind};
use base::source::Span;
use base::typed_index;
use ir::expr::ScalarType;
use ir::{InitialContent, MemoryKind, Overlap, semantics};
use std::collections::BTreeMap;

typed_index!(
    /// The identity of a block; never used again when the block is gone.
    MemoryBlockId
);

/// All blocks of a state.
#[derive(Clone, Debug)]
pub struct Memory {
    blocks: Vec<MemoryBlock>,
    pointer_bytes: u32,
    /// The sizes of the live blocks together.
    live_bytes: i128,
}

/// A block of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryBlock {
    /// What kind of memory it is.
    pub kind: MemoryKind,
    /// Its size in bytes.
    pub size: i128,
    /// Whether it may still be accessed.
    pub lifetime: Lifetime,
    /// The command that allocated it.
    pub allocated_at: Span,
    /// How many blocks there had been when its lifetime ended.
    n_blocks_at_end: Option<usize>,
    cells: BTreeMap<i128, Cell>,
}

/// Whether a block may still be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifetime {
    /// It may.
    Live,
    /// It was freed, or its scope has ended.
    Ended,
}

/// What some consecutive bytes of a block hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// How many bytes.
    pub width: i128,
    /// What they hold.
    pub content: Content,
}

/// What the bytes of a cell hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// A scalar as it was stored.
    Scalar {
        /// The type of the store.
        ty: ScalarType,
        /// The value.
        value: Value,
    },
    /// Each byte holds this.
    Run(u8),
    /// Bytes without a number: parts of an address or of a floating-point number.
    Opaque,
    /// Bytes that nothing was written to. A copy of them was made, and whoever reads that
    /// chooses.
    Moved,
}

/// Chooses a value for a scalar of some type.
pub(super) type Chooser<'choices> = dyn FnMut(ScalarType) -> i128 + 'choices;

impl Memory {
    /// Memory without blocks, for addresses of so many bytes.
    #[must_use]
    pub fn new(pointer_bytes: u32) -> Self {
        Self { blocks: Vec::new(), pointer_bytes, live_bytes: 0 }
    }

    /// How many bytes an address has.
    #[must_use]
    pub fn pointer_bytes(&self) -> u32 {
        self.pointer_bytes
    }

    /// A block, live or not.
    #[must_use]
    pub fn block(&self, id: MemoryBlockId) -> &MemoryBlock {
        &self.blocks[id.index()]
    }

    /// The live blocks, oldest first.
    pub fn live_blocks(&self) -> impl Iterator<Item = (MemoryBlockId, &MemoryBlock)> {
        let all = self.blocks.iter().enumerate();
        all.filter(|(_, block)| block.lifetime == Lifetime::Live)
            .map(|(index, block)| (MemoryBlockId::at(index), block))
    }

    /// Whether two blocks have been there at the same time, so that they do not overlap.
    #[must_use]
    pub fn have_coexisted(&self, one: MemoryBlockId, other: MemoryBlockId) -> bool {
        let (first, second) = (one.min(other), one.max(other));
        self.block(first).n_blocks_at_end.is_none_or(|n_blocks| n_blocks > second.index())
    }

    /// Whether live blocks hold so many bytes without a number that they may be all parts of an
    /// address.
    #[must_use]
    pub fn has_split_addresses(&self) -> bool {
        let cells = self.live_blocks().flat_map(|(_, block)| block.cells());
        let opaque = cells.filter(|(_, cell)| cell.content == Content::Opaque);
        let n_bytes: i128 = opaque.map(|(_, cell)| cell.width).sum();
        n_bytes >= i128::from(self.pointer_bytes)
    }

    /// How many blocks there have been.
    #[must_use]
    pub fn n_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Whether a block of this size can live beside the others: no object is larger than
    /// the distances in it can tell, and live blocks do not overlap.
    #[must_use]
    pub fn has_room(&self, size: i128) -> bool {
        let all = semantics::address_kind(self.pointer_bytes).max();
        size <= semantics::largest_object(self.pointer_bytes)
            && self.live_bytes.saturating_add(size) <= all
    }

    /// A new block.
    ///
    /// # Errors
    /// When the size is negative or no number.
    pub fn allocate(
        &mut self,
        kind: MemoryKind,
        size: Value,
        content: InitialContent,
        span: Span,
    ) -> Result<MemoryBlockId, Failure> {
        let size = size.as_int().ok_or_else(|| Failure::unsupported("an address as a size"))?;
        if size < 0 {
            return Err(Failure::Error(MemoryErrorKind::NegativeAllocation));
        }
        let mut cells = BTreeMap::new();
        if content == InitialContent::Zero && size > 0 {
            cells.insert(0, Cell { width: size, content: Content::Run(0) });
        }
        self.live_bytes = self.live_bytes.saturating_add(size);
        let lifetime = Lifetime::Live;
        let (allocated_at, n_blocks_at_end) = (span, None);
        self.blocks.push(MemoryBlock {
            kind,
            size,
            lifetime,
            allocated_at,
            n_blocks_at_end,
            cells,
        });
        Ok(MemoryBlockId::at(self.blocks.len() - 1))
    }

    /// How many bytes the live heap block has that starts at `address`; 0 for null.
    pub(super) fn measure(&self, address: Value) -> Result<i128, Failure> {
        let Pointer { block, offset } = match address {
            Value::Int(0) => return Ok(0),
            Value::Pointer(pointer) => pointer,
            Value::Int(_) | Value::Procedure(_) => {
                return Err(Failure::Error(MemoryErrorKind::InvalidFree));
            }
        };
        let found = self.block(block);
        if found.kind != MemoryKind::Heap || offset != 0 {
            return Err(Failure::Error(MemoryErrorKind::InvalidFree));
        }
        match found.lifetime {
            Lifetime::Ended => Err(Failure::Error(MemoryErrorKind::DoubleFree)),
            Lifetime::Live => Ok(found.size),
        }
    }

    /// Ends the lifetime of the block that starts at `address`.
    pub(super) fn free(&mut self, kind: MemoryKind, address: Value) -> Result<(), Failure> {
        let Pointer { block, offset } = match address {
            Value::Int(0) if kind == MemoryKind::Heap => return Ok(()),
            Value::Pointer(pointer) => pointer,
            Value::Int(_) | Value::Procedure(_) => {
                return Err(Failure::Error(MemoryErrorKind::InvalidFree));
            }
        };
        let found = self.block(block);
        if (kind, found.kind) == (MemoryKind::Constant, MemoryKind::Static) {
            self.blocks[block.index()].kind = kind;
            return Ok(());
        }
        if kind != MemoryKind::Any && (found.kind != kind || offset != 0) {
            return Err(Failure::Error(MemoryErrorKind::InvalidFree));
        }
        if found.lifetime == Lifetime::Ended {
            return Err(Failure::Error(MemoryErrorKind::DoubleFree));
        }
        self.end_lifetime(block);
        Ok(())
    }

    pub(super) fn end_lifetime(&mut self, block: MemoryBlockId) {
        let n_blocks = self.blocks.len();
        let block = &mut self.blocks[block.index()];
        if block.lifetime == Lifetime::Live {
            self.live_bytes = self.live_bytes.saturating_sub(block.size);
        }
        block.lifetime = Lifetime::Ended;
        block.n_blocks_at_end = Some(n_blocks);
        block.cells.clear();
    }

    /// The place of `size` bytes at `address`, which a live block must contain.
    fn checked(&self, address: Value, size: i128) -> Result<Pointer, Failure> {
        let pointer = match address {
            Value::Int(number) if (-EDGE..EDGE).contains(&number) => {
                return Err(Failure::Error(MemoryErrorKind::NullDereference));
            }
            Value::Int(_) | Value::Procedure(_) => {
                return Err(Failure::Error(MemoryErrorKind::WildPointer));
            }
            Value::Pointer(pointer) => pointer,
        };
        let block = self.block(pointer.block);
        if block.lifetime == Lifetime::Ended {
            return Err(Failure::Error(MemoryErrorKind::UseAfterFree));
        }
        let end = pointer.offset.checked_add(size);
        if pointer.offset < 0 || end.is_none_or(|end| end > block.size) {
            return Err(Failure::Error(MemoryErrorKind::OutOfBounds));
        }
        Ok(pointer)
    }

    /// The same, of a block that may be written.
    fn checked_to_write(&self, address: Value, size: i128) -> Result<Pointer, Failure> {
        let pointer = self.checked(address, size)?;
        match self.block(pointer.block).kind {
            MemoryKind::Constant => Err(Failure::Error(MemoryErrorKind::ConstantWrite)),
            _ => Ok(pointer),
        }
    }

    /// The scalar of type `ty` at `address`. Bytes that were not chosen yet are
    /// chosen now.
    pub(super) fn load(
        &mut self,
        address: Value,
        ty: ScalarType,
        choose: &mut Chooser<'_>,
    ) -> Result<Value, Failure> {
        let pointer_bytes = self.pointer_bytes;
        let width = i128::from(ty.bytes(pointer_bytes));
        let Pointer { block, offset } = self.checked(address, width)?;
        let block = &mut self.blocks[block.index()];
        match block.pieces(offset, offset + width).as_slice() {
            [] => {
                let value = Value::Int(reduced(choose(ty), ty, pointer_bytes));
                block.write(offset, Cell { width, content: Content::Scalar { ty, value } });
                Ok(value)
            }
            [(_, Cell { width: stored, content: Content::Scalar { ty: as_stored, value } })]
                if *stored == width =>
            {
                match value {
                    Value::Int(_) if is_float(*as_stored) && !is_float(ty) => Err(bytes_of_float()),
                    Value::Int(number) if *as_stored != ty => {
                        of_bytes(ty, le_bytes(*number), width)
                    }
                    _ => Ok(*value),
                }
            }
            pieces => {
                let bytes = block.assemble(pieces, offset, width, choose)?;
                of_bytes(ty, bytes, width)
            }
        }
    }

    /// Writes a scalar of type `ty` to `address`.
    ///
    /// # Errors
    /// When the bytes are not all in one live block, or too few for an address.
    pub fn store(&mut self, address: Value, ty: ScalarType, value: Value) -> Result<(), Failure> {
        let bytes = ty.bytes(self.pointer_bytes);
        let width = i128::from(bytes);
        let Pointer { block, offset } = self.checked_to_write(address, width)?;
        if value.as_int().is_none() && bytes < self.pointer_bytes {
            return Err(Failure::unsupported("an address is cut to fewer bits"));
        }
        let value = match ty {
            ScalarType::Pointer => Arithmetic::of(self).as_address(value),
            ScalarType::Int(_) | ScalarType::Float(_) => value,
        };
        let cell = Cell { width, content: Content::Scalar { ty, value } };
        self.blocks[block.index()].write(offset, cell);
        Ok(())
    }

    /// Writes `byte`, reduced to 0..=255, to `size` bytes.
    pub(super) fn fill(&mut self, address: Value, byte: Value, size: Value) -> Result<(), Failure> {
        let size = checked_size(size)?;
        if size == 0 {
            return Ok(());
        }
        let Pointer { block, offset } = self.checked_to_write(address, size)?;
        let byte = byte.as_int().ok_or_else(|| Failure::unsupported("an address as a byte"))?;
        let content = Content::Run(le_bytes(byte)[0]);
        self.blocks[block.index()].write(offset, Cell { width: size, content });
        Ok(())
    }

    /// Copies `size` bytes.
    pub(super) fn copy(
        &mut self,
        target: Value,
        source: Value,
        size: Value,
        overlap: Overlap,
    ) -> Result<(), Failure> {
        let size = checked_size(size)?;
        if size == 0 {
            return Ok(());
        }
        let source = self.checked(source, size)?;
        let target = self.checked_to_write(target, size)?;
        if source == target {
            return Ok(());
        }
        let meet = source.block == target.block && (source.offset - target.offset).abs() < size;
        if meet && overlap == Overlap::Undefined {
            return Err(Failure::unsupported("a copy between bytes that overlap"));
        }
        let end = source.offset + size;
        let pieces = self.block(source.block).pieces(source.offset, end);
        // What is not covered was not chosen yet. Who reads the copy chooses; the original
        // has that value then, and can be read no more.
        let original = &mut self.blocks[source.block.index()];
        let ends = pieces.iter().map(|(offset, cell)| offset + cell.width);
        let starts = pieces.iter().map(|(offset, _)| *offset);
        let gaps = std::iter::once(source.offset).chain(ends).zip(starts.chain([end]));
        for (start, end) in gaps.filter(|(start, end)| start < end) {
            if original.kind == MemoryKind::Constant {
                return Err(Failure::unsupported("a copy of a text that only the library knows"));
            }
            original.write(start, Cell { width: end - start, content: Content::Moved });
        }
        let block = &mut self.blocks[target.block.index()];
        block.clear(target.offset, target.offset + size);
        for (offset, cell) in pieces {
            block.write(offset - source.offset + target.offset, cell);
        }
        Ok(())
    }
}

fn checked_size(size: Value) -> Result<i128, Failure> {
    match size.as_int() {
        Some(size) if size >= 0 => Ok(size),
        Some(_) => Err(Failure::Error(MemoryErrorKind::OutOfBounds)),
        None => Err(Failure::unsupported("an address as a size")),
    }
}

impl MemoryBlock {
    /// The cells with their offsets, ascending.
    pub fn cells(&self) -> impl Iterator<Item = (i128, &Cell)> {
        self.cells.iter().map(|(offset, cell)| (*offset, cell))
    }

    /// The addresses that the cells hold, ascending by offset.
    pub fn targets(&self) -> impl Iterator<Item = Pointer> {
        self.cells.values().filter_map(|cell| match cell.content {
            Content::Scalar { value: Value::Pointer(pointer), .. } => Some(pointer),
            Content::Scalar { .. } | Content::Run(_) | Content::Opaque | Content::Moved => None,
        })
    }

    /// The cells between two offsets; those that stick out are cut.
    fn pieces(&self, start: i128, end: i128) -> Vec<(i128, Cell)> {
        let before = self.cells.range(..start).next_back();
        let inside = self.cells.range(start..end);
        let overlapping = before.into_iter().chain(inside);
        overlapping.flat_map(|(offset, cell)| cell.cut(*offset, start, end)).collect()
    }

    /// Puts a cell, over whatever was there.
    fn write(&mut self, start: i128, cell: Cell) {
        self.clear(start, start + cell.width);
        if cell.width > 0 {
            self.cells.insert(start, cell);
        }
    }

    /// Takes away what was written between two offsets.
    fn clear(&mut self, start: i128, end: i128) {
        if let Some((&offset, &old)) = self.cells.range(..start).next_back()
            && offset + old.width > start
        {
            self.cells.remove(&offset);
            self.cells.extend(old.cut(offset, offset, start));
            self.cells.extend(old.cut(offset, end, offset + old.width));
        }
        while let Some((&offset, &old)) = self.cells.range(start..end).next() {
            self.cells.remove(&offset);
            self.cells.extend(old.cut(offset, end, offset + old.width));
        }
    }

    /// The bytes of a stretch that `pieces` cover in part; the others are
    /// chosen one by one.
    fn assemble(
        &mut self,
        pieces: &[(i128, Cell)],
        start: i128,
        width: i128,
        choose: &mut Chooser<'_>,
    ) -> Result<[u8; 16], Failure> {
        let mut known = [None; 16];
        let n_bytes = usize::try_from(width).unwrap_or(usize::MAX);
        let wanted = known.get_mut(..n_bytes);
        let wanted = wanted.ok_or_else(|| Failure::unsupported("a scalar above 16 bytes"))?;
        for (offset, cell) in pieces {
            let from = usize::try_from(offset - start).unwrap_or(0);
            let length = usize::try_from(cell.width).unwrap_or(0);
            let bytes = cell.bytes()?;
            for (place, byte) in wanted[from..from + length].iter_mut().zip(bytes) {
                *place = Some(byte);
            }
        }
        let mut result = [0; 16];
        for (index, byte) in wanted.iter().enumerate() {
            result[index] = byte.unwrap_or_else(|| {
                let ty = ScalarType::Int(BYTE);
                let chosen = le_bytes(choose(ty))[0];
                let offset = start + i128::try_from(index).unwrap_or(0);
                self.write(offset, Cell { width: 1, content: Content::Run(chosen) });
                chosen
            });
        }
        Ok(result)
    }
}

const BYTE: ir::IntKind = ir::IntKind { bits: 8, signed: false };

impl Cell {
    /// The part of the cell at `offset` that lies between `start` and `end`.
    fn cut(self, offset: i128, start: i128, end: i128) -> Vec<(i128, Self)> {
        let from = start.max(offset);
        let to = end.min(offset + self.width);
        let whole = from == offset && to == offset + self.width;
        let width = to - from;
        match self.content {
            _ if width <= 0 => Vec::new(),
            _ if whole => vec![(offset, self)],
            Content::Run(_) | Content::Opaque | Content::Moved => {
                vec![(from, Self { width, ..self })]
            }
            Content::Scalar { ty, value: Value::Int(number) }
                if self.width <= 16 && !is_float(ty) =>
            {
                let bytes = le_bytes(number);
                let byte = |at: i128| bytes[usize::try_from(at - offset).unwrap_or(0)];
                let run = |at| (at, Self { width: 1, content: Content::Run(byte(at)) });
                (from..to).map(run).collect()
            }
            Content::Scalar { .. } => vec![(from, Self { width, content: Content::Opaque })],
        }
    }

    /// The bytes, at least as many as the width (up to 16).
    fn bytes(&self) -> Result<[u8; 16], Failure> {
        match self.content {
            Content::Run(byte) => Ok([byte; 16]),
            Content::Scalar { ty, .. } if is_float(ty) => Err(bytes_of_float()),
            Content::Scalar { value: Value::Int(number), .. } => Ok(le_bytes(number)),
            Content::Scalar { .. } => Err(Failure::unsupported("an address is read as bytes")),
            Content::Moved => {
                Err(Failure::unsupported("bytes without a value are read behind a copy of them"))
            }
            Content::Opaque => {
                Err(Failure::unsupported("bytes without a number are read (of an address)"))
            }
        }
    }
}

/// Floating-point numbers have no value here that anything may depend on.
fn is_float(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::Float(_))
}

fn bytes_of_float() -> Failure {
    Failure::unsupported("the bytes of a floating-point number")
}

/// The bytes of a number in two's complement, least significant first.
fn le_bytes(number: i128) -> [u8; 16] {
    number.to_le_bytes()
}

/// The scalar of type `ty` in the first `width` bytes; the others are ignored.
fn of_bytes(ty: ScalarType, mut bytes: [u8; 16], width: i128) -> Result<Value, Failure> {
    let n_bytes = usize::try_from(width).unwrap_or(usize::MAX);
    let rest = bytes.get_mut(n_bytes..);
    rest.ok_or_else(|| Failure::unsupported("a scalar above 16 bytes"))?.fill(0);
    let number = i128::from_le_bytes(bytes);
    match ty {
        ScalarType::Int(kind) if !kind.signed && kind.bits > 126 && number < 0 => {
            Err(Failure::unsupported("a number above 128 bits"))
        }
        ScalarType::Int(kind) if kind.bits == 1 && !(0..=1).contains(&number) => {
            Err(Failure::unsupported("a truth value that is neither 0 nor 1"))
        }
        ScalarType::Int(kind) => Ok(Value::Int(kind.wrap(number))),
        ScalarType::Pointer | ScalarType::Float(_) => Ok(Value::Int(number)),
    }
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
