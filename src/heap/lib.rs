//! Symbolic heaps and the states built on them (CAV'06 §3).
//!
//! A [`SymbolicHeap`] is a separating conjunction of [`Atom`]s over logical
//! variables; a [`State`] adds the values of program variables and pure facts.
//! All variables but the program's are existential.
//!
//! * [`shape`]: inductive predicates as data; "to add a shape" is its doc.
//! * [`template`]: how nodes lie in memory.
//! * [`state`]: values of program variables, vocabulary, substitution.
//! * [`facts`]: what a state knows: equalities, disequalities, separation.
//! * [`unfold`]: an instance taken apart by cases.
//! * [`values`]: what nodes hold besides their links.
//! * [`matching`]: what an entailment finds.
//! * [`segment`]: what elements of arrays hold.
//! * [`row`]: what elements of arrays own.
//! * [`reach`]: which atoms program variables reach.
//! * [`products`]: what a state knows of products of two numbers.
//! * [`proof`]: how atoms make up an instance, as data.
//! * [`assertion`]: formulas as states.
//! * [`definitions`]: which blocks of a concrete memory make up an instance.
//! * [`graph`], [`small_models`]: all small heaps in which a definition holds.
//! * [`claims`]: what a shape claims, tried on them.
//! * [`model`]: which concrete states a state describes: the referee of all this.
//! * [`mod@print`]: states as a paper prints them.

pub mod assertion;
pub mod bounds;
pub mod fold_precision;
pub mod claims;
pub mod code;
pub mod definitions;
pub mod facts;
pub mod graph;
pub mod matching;
pub mod model;
pub mod print;
pub mod products;
pub mod proof;
pub mod reach;
pub mod row;
pub mod segment;
pub mod shape;
pub mod small_models;
pub mod state;
pub mod template;
pub mod unfold;
pub mod values;

use ir::links::Sort;
use ir::{MemoryKind, ScalarType};
use logic::{Integer, LinearExpr, Var};
use row::Row;
use segment::Segment;
use shape::ShapeId;
use smallvec::SmallVec;
pub use state::{Kind, State, Vocabulary};
pub use template::{ANY_SIZE, Flag, SelfLink, Template};
use values::NodeValues;

/// A separating conjunction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymbolicHeap {
    /// The conjuncts; their order means nothing.
    pub atoms: Vec<Atom>,
}

/// One conjunct.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atom {
    /// A block of memory with known contents.
    Block(Block),
    /// An instance of an inductive shape.
    Instance(Instance),
}

/// Whose memory a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Region {
    /// What kind of memory.
    pub kind: MemoryKind,
    /// For stack memory, the depth of the owning frame; else 0.
    pub frame: u32,
    /// Of which sort it is: blocks of different sorts are never nodes of one
    /// instance. No run depends on it.
    pub sort: Sort,
}

/// What the bytes of a block hold that no cell describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// Anything.
    Arbitrary,
    /// Zero.
    Zero,
}

/// `base ↦ { offset: value, … }`: `size` bytes, starting at `base`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block {
    /// The address of its first byte.
    pub base: Var,
    /// How many bytes it has.
    pub size: LinearExpr,
    /// Whose memory it is.
    pub region: Region,
    /// What the bytes outside of `cells` hold.
    pub content: Content,
    /// Known contents, by rising offset, without overlap. What lies behind the end
    /// of the block says nothing: how large the block is, only `size` tells.
    pub cells: SmallVec<[Cell; 2]>,
    /// One more scalar in the block, at an offset that is not constant: the end of
    /// a string, a sentinel. It may share bytes with cells.
    pub floating: Option<Box<FloatingCell>>,
    /// What was read or written last at offsets that are not constant, between cutpoints.
    pub recent: Vec<FloatingCell>,
    /// What elements of an array hold; see [`segment`].
    pub segment: Option<Box<Segment>>,
    /// What elements of an array own; see [`row`].
    pub rows: Vec<Row>,
}

/// An integer at some offset of a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FloatingCell {
    /// Bytes from the block's start; it lies within the block.
    pub offset: LinearExpr,
    /// As what it was written.
    pub ty: ScalarType,
    /// What it holds.
    pub value: LinearExpr,
}

/// A scalar at a constant offset of a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Bytes from the block's start.
    pub offset: i64,
    /// As what it was written or read.
    pub ty: ScalarType,
    /// What it holds.
    pub value: LinearExpr,
}

/// `shape[depth](arguments)`, every node of it as the template says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance {
    /// Which shape.
    pub shape: ShapeId,
    /// How its nodes lie in memory.
    pub template: Template,
    /// Actual parameters.
    pub arguments: SmallVec<[LinearExpr; 2]>,
    /// Which arguments point at nodes of the instance, a bit each: the shape's
    /// anchors.
    pub anchor_mask: u8,
    /// How many unfoldings it has, at least 1.
    pub depth: LinearExpr,
    /// What its nodes hold besides their links.
    pub values: NodeValues,
}

impl Atom {
    /// Calls `visit` for every expression but a block's base.
    pub fn for_each_expr(&self, visit: &mut impl FnMut(&LinearExpr)) {
        match self {
            Self::Block(block) => {
                visit(&block.size);
                block.cells.iter().for_each(|cell| visit(&cell.value));
                for floating in block.floats() {
                    visit(&floating.offset);
                    visit(&floating.value);
                }
                if let Some(segment) = &block.segment {
                    visit(&segment.end);
                    segment.values.variables().for_each(|variable| visit(&variable.into()));
                }
                for row in &block.rows {
                    visit(&row.first);
                    visit(&row.end);
                    visit(&row.room);
                }
            }
            Self::Instance(instance) => {
                instance.arguments.iter().for_each(&mut *visit);
                visit(&instance.depth);
                instance.values.variables().for_each(|variable| visit(&variable.into()));
            }
        }
    }

    /// Replaces every expression but a block's base.
    pub fn update_exprs(&mut self, update: &mut impl FnMut(&mut LinearExpr)) {
        match self {
            Self::Block(block) => {
                update(&mut block.size);
                block.cells.iter_mut().for_each(|cell| update(&mut cell.value));
                for floating in block.floats_mut() {
                    update(&mut floating.offset);
                    update(&mut floating.value);
                }
                if let Some(segment) = &mut block.segment {
                    update(&mut segment.end);
                    update_names(&mut segment.values, update);
                }
                for row in &mut block.rows {
                    update(&mut row.first);
                    update(&mut row.end);
                    update(&mut row.room);
                }
            }
            Self::Instance(instance) => {
                instance.arguments.iter_mut().for_each(&mut *update);
                update(&mut instance.depth);
                update_names(&mut instance.values, update);
            }
        }
    }

    /// Whether a variable occurs, a block's base included.
    #[must_use]
    pub fn mentions(&self, variable: Var) -> bool {
        let mut found = matches!(self, Self::Block(block) if block.base == variable);
        self.for_each_expr(&mut |expr| found |= expr.mentions(variable));
        found
    }
}

/// Replaces summarized dimensions by what takes their place.
fn update_names(values: &mut NodeValues, update: &mut impl FnMut(&mut LinearExpr)) {
    values.rename(&mut |variable| {
        let mut renamed = LinearExpr::var(variable);
        update(&mut renamed);
        renamed.as_var().unwrap_or(variable)
    });
}

impl Cell {
    /// Whether two cells may share a byte; addresses count as 8 bytes.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let end = |cell: &Self| cell.offset + i64::from(cell.ty.bytes(8));
        self.offset < end(other) && other.offset < end(self)
    }
}

impl From<Cell> for FloatingCell {
    fn from(Cell { offset, ty, value }: Cell) -> Self {
        Self { offset: offset.into(), ty, value }
    }
}

impl Block {
    /// What lies at offsets that are not constant.
    pub fn floats(&self) -> impl Iterator<Item = &FloatingCell> {
        self.floating.as_deref().into_iter().chain(&self.recent)
    }

    /// The same, to be changed.
    pub fn floats_mut(&mut self) -> impl Iterator<Item = &mut FloatingCell> {
        self.floating.as_deref_mut().into_iter().chain(&mut self.recent)
    }

    /// The cell at exactly this offset.
    #[must_use]
    pub fn cell(&self, offset: i64) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.offset == offset)
    }

    /// Whether the bytes of a scalar are zero, since neither a cell nor a segment covers them,
    /// even in part.
    #[must_use]
    pub fn is_zero_at(&self, scalar: &Cell) -> bool {
        let end = scalar.offset + i64::from(scalar.ty.bytes(8));
        let is_before = |segment: &Segment| {
            segment.is_empty()
                || i128::from(end) <= i128::from(segment.first) * i128::from(segment.stride)
        };
        self.content == Content::Zero
            && !matches!(scalar.ty, ScalarType::Float(_))
            && self.recent.is_empty()
            && self.rows.is_empty()
            && self.segment.as_deref().is_none_or(is_before)
            && self.cells.iter().all(|cell| !cell.overlaps(scalar))
    }

    /// Where the text in the block ends: the last cell that is a byte and zero, or the first of the
    /// zeros in the block behind the last cell, if that is a byte.
    #[must_use]
    pub fn text_end(&self) -> Option<Cell> {
        let is_byte = |cell: &&Cell| matches!(cell.ty, ScalarType::Int(kind) if kind.bits == 8);
        let of_cell = self.cells.iter().rev().filter(is_byte).find(|cell| cell.value.is_zero());
        let behind = || {
            let last = self.cells.last().filter(is_byte)?;
            let end = Cell { offset: last.offset + 1, ty: last.ty, value: LinearExpr::zero() };
            let size = self.size.as_constant().and_then(Integer::to_i128)?;
            (i128::from(end.offset) < size && self.is_zero_at(&end)).then_some(end)
        };
        of_cell.cloned().or_else(behind)
    }

    /// Whether some byte of the block surely is zero.
    #[must_use]
    pub fn has_ending(&self) -> bool {
        let is_zero = |ty: ScalarType, value: &LinearExpr| {
            matches!(ty, ScalarType::Int(kind) if kind.bits == 8) && value.is_zero()
        };
        let size = self.size.as_constant().and_then(Integer::to_i128).unwrap_or(0);
        self.floating.as_ref().is_some_and(|it| is_zero(it.ty, &it.value))
            || self.cells.iter().any(|it| {
                is_zero(it.ty, &it.value) && it.offset >= 0 && i128::from(it.offset) < size
            })
    }

    /// What a link at this offset holds, if it is known: a number that was written
    /// there need not be as wide.
    #[must_use]
    pub fn link(&self, offset: i64) -> Option<LinearExpr> {
        if let Some(cell) = self.cell(offset) {
            return (cell.ty == ScalarType::Pointer).then(|| cell.value.clone());
        }
        let link = Cell { offset, ty: ScalarType::Pointer, value: LinearExpr::zero() };
        self.is_zero_at(&link).then_some(link.value)
    }

    /// Gives a name to what unknown bytes at an offset hold, that no cell covers.
    pub fn name(&mut self, cell: Cell) {
        let position = self.cells.partition_point(|other| other.offset < cell.offset);
        self.cells.insert(position, cell);
    }

    /// Forgets all contents. What rows own must be lost before.
    pub fn forget(&mut self) {
        self.cells.clear();
        self.recent.clear();
        self.rows.clear();
        (self.floating, self.segment) = (None, None);
        self.content = Content::Arbitrary;
    }
}

impl Instance {
    /// The arguments that point at nodes of the instance.
    pub fn anchors(&self) -> impl Iterator<Item = (usize, &LinearExpr)> {
        let mask = self.anchor_mask;
        self.arguments.iter().enumerate().filter(move |(position, _)| mask & (1 << position) != 0)
    }
}
