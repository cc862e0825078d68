//! Rows: pointers in an array, each null or the only way to memory of its own.
//!
//! A row of a block says of each element `i` with `first ≤ i < end` that the pointer at byte
//! `i · stride + offset` is null, if some may be, or the start of an instance of a shape that is apart from all
//! else. Of an element that the block *names*, by a cell or among what was read or written last,
//! it says nothing: what such an element owns is in atoms of its own.

use super::bounds::{self, FieldBounds};
use super::segment::place;
use super::shape::{ShapeId, ShapeLibrary};
use super::state::{Junk, Kind, State};
use super::{ANY_SIZE, Atom, Block, Cell, FloatingCell, Instance, Template};
use ir::{MemoryKind, ScalarType};
use logic::{Integer, LinearExpr};
use smallvec::SmallVec;

/// Bytes of an address, as rows count them.
const WIDTH: i64 = 8;

/// `∗ (first ≤ i < end) base + i·stride + offset ↦ null, or an instance`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// Bytes of an element of the array.
    pub stride: i64,
    /// Where in an element the pointer lies.
    pub offset: i64,
    /// The index of the first element.
    pub first: LinearExpr,
    /// The index behind the last element.
    pub end: LinearExpr,
    /// What the pointers own that are not null; nothing where all are.
    pub holds: Option<Holding>,
    /// The blocks of what they own that is a single node have at least so many bytes.
    pub room: LinearExpr,
    /// And at most so many.
    pub sizes: Sizes,
    /// Whether some may be null.
    pub nulls: Nulls,
}

/// Whether elements of a row may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nulls {
    /// None is.
    None,
    /// Some may be.
    Some,
}

/// How many bytes blocks have that elements of a row own as single nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sizes {
    /// No more than an `int` can count.
    Counted,
    /// Any number.
    Any,
}

/// What an element of a row owns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Holding {
    /// Which shape.
    pub shape: ShapeId,
    /// How its nodes lie in memory.
    pub template: Template,
    /// What its arguments are.
    pub places: SmallVec<[Place; 2]>,
    /// What numbers in its nodes are at least and at most.
    pub bounds: FieldBounds,
}

/// What an argument of an instance is that an element of a row owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// What the element holds.
    Element,
    /// Null.
    Null,
    /// Some address.
    Some,
}

impl Holding {
    /// What an element that holds `value` owns, if an instance with these arguments is it, of
    /// whose numbers nothing is said.
    #[must_use]
    pub fn of(
        (shape, template): (ShapeId, &Template),
        arguments: &[LinearExpr],
        value: &LinearExpr,
        library: &ShapeLibrary,
    ) -> Option<Self> {
        let place = |argument: &LinearExpr| match argument {
            _ if argument == value => Place::Element,
            _ if argument.is_zero() => Place::Null,
            _ => Place::Some,
        };
        let holding = Self {
            shape,
            template: template.clone(),
            places: arguments.iter().map(place).collect(),
            bounds: FieldBounds::new(),
        };
        (holding.is_entered(library) && holding.lasts()).then_some(holding)
    }

    /// Whether what is owned lives as long as the element says: no memory of a call, which
    /// ends with that.
    #[must_use]
    pub fn lasts(&self) -> bool {
        let is_of_heap = |it: &Template| it.region.kind == MemoryKind::Heap;
        match self.template.region.kind {
            MemoryKind::Heap => self.template.inner.iter().all(is_of_heap),
            MemoryKind::Static => self.template.inner.is_empty(),
            MemoryKind::Stack
            | MemoryKind::Alloca
            | MemoryKind::Stream
            | MemoryKind::Constant
            | MemoryKind::Any => false,
        }
    }

    /// Whether what is owned is one node, of which the row may say how many bytes it has.
    #[must_use]
    pub fn has_room(&self, library: &ShapeLibrary) -> bool {
        library.get(self.shape).is_plain() && self.template.size == ANY_SIZE
    }

    /// Whether what is owned is lost when nothing leads there.
    #[must_use]
    pub fn is_heap(&self) -> bool {
        self.template.region.kind == MemoryKind::Heap
    }

    /// Whether the instance is entered at what the element holds, and nowhere else.
    #[must_use]
    pub fn is_entered(&self, library: &ShapeLibrary) -> bool {
        let is_element = |at: usize| self.places.get(at) == Some(&Place::Element);
        library.get(self.shape).anchors().any(is_element)
            && self.places.iter().filter(|it| **it == Place::Element).count() == 1
    }

    /// The arguments of the instance that an element owns which holds `value`, as far as they
    /// are known.
    #[must_use]
    pub fn arguments(&self, value: &LinearExpr) -> Vec<Option<LinearExpr>> {
        let known = |place: &Place| match place {
            Place::Element => Some(value.clone()),
            Place::Null => Some(LinearExpr::zero()),
            Place::Some => None,
        };
        self.places.iter().map(known).collect()
    }

    /// Whether all that is so owned is owned as the other one says.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        let fits = |(own, other): (&Place, &Place)| own == other || *other == Place::Some;
        self.shape == other.shape
            && self.template.is_within(&other.template)
            && bounds::imply(&self.bounds, &other.bounds)
            && self.places.len() == other.places.len()
            && self.places.iter().zip(&other.places).all(fits)
            && self
                .places
                .iter()
                .zip(&other.places)
                .all(|(own, other)| (*own == Place::Element) == (*other == Place::Element))
    }

    /// A new instance, owned by an element that holds `value`.
    pub fn instance(
        &self,
        state: &mut State,
        value: &LinearExpr,
        library: &ShapeLibrary,
    ) -> Instance {
        let arguments = self.arguments(value).into_iter();
        let arguments =
            arguments.map(|it| it.unwrap_or_else(|| state.fresh(Kind::Address).into())).collect();
        let depth = LinearExpr::var(state.fresh(Kind::Integer));
        let _ = state.assume_at_most_zero(&depth.neg().add_constant(1));
        let values = super::values::values_within(state, &self.bounds);
        Instance {
            shape: self.shape,
            template: self.template.clone(),
            arguments,
            anchor_mask: library.get(self.shape).anchor_mask(),
            depth,
            values,
        }
    }
}

impl Sizes {
    /// The most bytes, if there are such.
    #[must_use]
    pub fn most(self) -> Option<Integer> {
        match self {
            Self::Counted => Some(Integer::from(i32::MAX)),
            Self::Any => None,
        }
    }
}

impl Row {
    /// Whether nothing is said of the bytes of what is owned.
    #[must_use]
    pub fn is_of_any_size(&self) -> bool {
        self.room.is_zero() && self.sizes == Sizes::Any
    }

    /// Whether there is no element, to look at it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first == self.end
    }

    /// Whether elements may own memory that is lost when nothing leads there.
    #[must_use]
    pub fn owns_heap(&self) -> bool {
        self.holds.as_ref().is_some_and(Holding::is_heap)
    }

    /// Whether both say something of the same field of the elements.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        (self.stride, self.offset) == (other.stride, other.offset)
    }

    /// The index of the element that a scalar is, whether or not the row reaches so far.
    #[must_use]
    pub fn index_of(&self, scalar: &FloatingCell) -> Option<LinearExpr> {
        let (index, residue) = place(&scalar.offset, self.stride)?;
        (scalar.ty == ScalarType::Pointer && residue == self.offset).then_some(index)
    }

    /// Where the element at an index lies.
    #[must_use]
    pub fn offset_of(&self, index: &LinearExpr) -> LinearExpr {
        index.scale(&self.stride.into()).add_constant(self.offset)
    }

    /// Whether bytes at an offset surely belong to no element.
    #[must_use]
    pub fn is_missed(&self, state: &State, offset: &LinearExpr, width: &LinearExpr) -> bool {
        if self.is_empty() {
            return true;
        }
        let residue = place(offset, self.stride).map(|(_, residue)| residue);
        let n_bytes = width.as_constant().and_then(Integer::to_i128);
        if let (Some(residue), Some(n_bytes)) = (residue.map(i128::from), n_bytes)
            && state.kind_of(offset) == Kind::Integer
            && residue + n_bytes <= i128::from(self.stride)
            && (residue + n_bytes <= i128::from(self.offset)
                || i128::from(self.offset + WIDTH) <= residue)
        {
            return true;
        }
        let start = self.offset_of(&self.first);
        let behind = self.offset_of(&self.end.add_constant(-1)).add_constant(WIDTH);
        state.surely_at_most_zero(&offset.add(width).sub(&start))
            || state.surely_at_most_zero(&behind.sub(offset))
    }

    /// Whether an index surely is one of the row's.
    #[must_use]
    pub fn reaches(&self, state: &State, index: &LinearExpr) -> bool {
        state.surely_at_most_zero(&self.first.sub(index))
            && state.surely_at_most_zero(&index.add_constant(1).sub(&self.end))
    }
}

impl Block {
    /// What cells, and what was read or written last, say of the block.
    pub fn scalars(&self) -> impl Iterator<Item = FloatingCell> + '_ {
        let cell = |it: &Cell| FloatingCell {
            offset: it.offset.into(),
            ty: it.ty,
            value: it.value.clone(),
        };
        self.cells.iter().map(cell).chain(self.recent.iter().cloned())
    }

    /// The elements of a row that the block names, with their indices.
    pub fn named_elements<'a>(
        &'a self,
        row: &'a Row,
    ) -> impl Iterator<Item = (LinearExpr, FloatingCell)> + 'a {
        self.scalars().filter_map(|it| Some((row.index_of(&it)?, it)))
    }

    /// How many elements of rows the block names.
    #[must_use]
    pub fn n_named_elements(&self) -> usize {
        self.scalars().filter(|it| self.is_in_rows(it)).count()
    }

    /// Whether a scalar is an element of one of the rows, or would be if that were longer.
    #[must_use]
    pub fn is_in_rows(&self, scalar: &FloatingCell) -> bool {
        self.rows.iter().any(|row| row.index_of(scalar).is_some())
    }

    /// Forgets what was read or written last, but elements of rows.
    pub fn keep_row_elements(&mut self) {
        let recent = std::mem::take(&mut self.recent);
        self.recent = recent.into_iter().filter(|it| self.is_in_rows(it)).collect();
    }

    /// Whether elements of rows may own memory.
    #[must_use]
    pub fn has_owners(&self) -> bool {
        self.rows.iter().any(Row::owns_heap)
    }
}

impl Atom {
    /// Whether it is memory that lives until it is freed, or owns some.
    #[must_use]
    pub fn has_heap(&self) -> bool {
        self.is_heap() || matches!(self, Self::Block(block) if block.has_owners())
    }
}

impl State {
    /// Whether bytes of a block may belong to elements of its rows.
    #[must_use]
    pub fn touches_rows(&self, block: &Block, (offset, width): (&LinearExpr, &LinearExpr)) -> bool {
        block.rows.iter().any(|row| !row.is_missed(self, offset, width))
    }

    /// How many bytes the block has into which an address leads.
    #[must_use]
    pub fn bytes_behind(&self, address: &LinearExpr) -> Option<&LinearExpr> {
        self.heap.atoms.iter().find_map(|atom| match atom {
            Atom::Block(block) => {
                let distance = address.sub(&block.base.into());
                distance.as_constant().map(|_| &block.size)
            }
            Atom::Instance(_) => None,
        })
    }

    /// Whether a block has at least so many bytes, and at most as many as blocks of these sizes.
    #[must_use]
    pub fn has_size(&self, size: &LinearExpr, (room, sizes): (&LinearExpr, Sizes)) -> bool {
        let is_small = |most: Integer| self.surely_at_most_zero(&size.sub(&most.into()));
        self.surely_at_most_zero(&room.sub(size)) && sizes.most().is_none_or(is_small)
    }

    /// Whether elements of a row may own memory that the block does not name.
    fn owns_by_row(&self, block: &Block, row: &Row) -> bool {
        let named: Vec<LinearExpr> = block.named_elements(row).map(|(index, _)| index).collect();
        let (mut first, mut end) = (row.first.clone(), row.end.clone());
        for _ in &named {
            let is_named = |at: &LinearExpr| named.iter().any(|it| self.surely_zero(&it.sub(at)));
            if is_named(&first) {
                first = first.add_constant(1);
            } else if is_named(&end.add_constant(-1)) {
                end = end.add_constant(-1);
            }
        }
        row.owns_heap() && !self.surely_at_most_zero(&end.sub(&first))
    }

    /// Whether elements of an atom's rows may own memory that is in no atom of its own.
    #[must_use]
    pub fn owns_by_rows(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Block(block) => block.rows.iter().any(|row| self.owns_by_row(block, row)),
            Atom::Instance(_) => false,
        }
    }

    /// Forgets the rows of a block of which this is wanted: what their elements own is lost.
    pub fn lose_rows(&mut self, block: usize, is_lost: &dyn Fn(&Self, &Row) -> bool) {
        let Some(Atom::Block(found)) = self.heap.atoms.get(block) else { return };
        let (lost, kept): (Vec<Row>, Vec<Row>) =
            found.rows.clone().into_iter().partition(|row| is_lost(self, row));
        if lost.iter().any(|row| self.owns_by_row(found, row)) {
            self.junk = Junk::Lost;
        }
        if let Some(Atom::Block(found)) = self.heap.atoms.get_mut(block) {
            found.rows = kept;
        }
    }

    /// Forgets all that is known of what a block holds.
    pub fn forget_contents(&mut self, block: usize) {
        self.lose_rows(block, &|_, _| true);
        if let Some(Atom::Block(found)) = self.heap.atoms.get_mut(block) {
            found.forget();
        }
    }

    /// Takes a block away, with what its rows own.
    pub fn take_block(&mut self, block: usize) {
        self.lose_rows(block, &|_, _| true);
        self.heap.atoms.remove(block);
    }
}
