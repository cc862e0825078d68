//! Symbolic heaps and the states built on them (CAV'06 §3).
//!
//! A [`SymbolicHeap`] is a separating conjunction of [`Atom`]s over logical
//! variables; a [`State`] adds the values of program variables and pure facts.
//! All variables but the program's are existential.
//!
//! * [`shape`]: inductive predicates as data; "to add a shape" is its doc.
//! * [`state`]: values of program variables, vocabulary, substitution.
//! * [`facts`]: what a state knows: equalities, disequalities, separation.
//! * [`unfold`]: an instance taken apart by cases.
//! * [`fold`]: atoms put together by the rules of their shape.
//! * [`entail`]: `have ⊢ want`, by walking both heaps from the roots.
//! * [`values`]: what nodes hold besides their links.
//! * [`matching`]: what an entailment finds.
//! * [`segment`]: what elements of arrays hold.
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
pub mod care;
pub mod claims;
pub mod code;
pub mod definitions;
pub mod entail;
pub mod facts;
pub mod fold;
pub mod graph;
pub mod matching;
pub mod model;
mod pattern;
pub mod print;
pub mod products;
pub mod proof;
pub mod reach;
pub mod segment;
pub mod shape;
pub mod small_models;
pub mod state;
mod suggest;
pub mod unfold;
pub mod values;

use crate::ir::links::Sort;
use crate::ir::{IntKind, MemoryKind, ScalarType};
use crate::logic::{LinearExpr, Var};
use segment::Segment;
use shape::{Kin, PatternTerm, ShapeId};
use smallvec::SmallVec;
pub use state::{Kind, State, Vocabulary};
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

/// The size in templates of nodes that do not exist.
const NO_SIZE: i64 = -1;
/// The size in templates of nodes that may have any: text, buffers. Such nodes have no
/// links.
pub const ANY_SIZE: i64 = -2;

/// How the nodes of an instance lie in memory. It is inferred from the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Template {
    /// Bytes of a node, or [`ANY_SIZE`].
    pub size: i64,
    /// Where in the node its address points: 0, or the place of an intrusive link.
    pub root: i64,
    /// The offset of each link, by the shape's labels.
    pub links: SmallVec<[i64; 2]>,
    /// Fields that hold addresses of their own nodes, by rising offset.
    pub selves: SmallVec<[SelfLink; 1]>,
    /// Numbers that say of a link whether it leads on, by label.
    pub flags: SmallVec<[Flag; 2]>,
    /// Whose memory the nodes are.
    pub region: Region,
    /// How the nodes of other families lie in memory, by position in
    /// [`ShapeDef::inner`](shape::ShapeDef::inner).
    pub inner: Vec<Template>,
}

/// A field that holds an address in its own node: that of the object that a link is part
/// of, or of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SelfLink {
    /// Where the field lies, in bytes from the node's start.
    pub offset: i64,
    /// Where it points, in bytes from the node's start.
    pub target: i64,
}

/// A number in a node that says of a link whether it leads on to what the definition says. Where
/// it does not, the link may hold anything: null, or the address of a node that is no child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flag {
    /// The link.
    pub label: usize,
    /// Where the number lies, in bytes from the node's start.
    pub offset: i64,
    /// Its type.
    pub kind: IntKind,
    /// What it is where the link leads on.
    pub leads: i64,
    /// What it is where the definition has null.
    pub ends: i64,
}

impl Flag {
    /// The cell of a flag whose link holds this by a definition.
    #[must_use]
    pub fn cell(&self, link: PatternTerm) -> Cell {
        let value = if link == PatternTerm::Null { self.ends } else { self.leads };
        Cell { offset: self.offset, ty: ScalarType::Int(self.kind), value: value.into() }
    }
}

impl SelfLink {
    /// What the field holds in a node that starts at a variable.
    #[must_use]
    pub fn value_in(self, start: Var) -> LinearExpr {
        LinearExpr::var(start).add_constant(self.target)
    }
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
            && self.segment.as_deref().is_none_or(is_before)
            && self.cells.iter().all(|cell| !cell.overlaps(scalar))
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

    /// Forgets all contents.
    pub fn forget(&mut self) {
        self.cells.clear();
        self.recent.clear();
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

impl Template {
    /// The template of nodes that do not exist: no block has this size. It stands
    /// for owned nodes where none has been seen.
    #[must_use]
    pub fn of_nothing() -> Self {
        Self {
            size: NO_SIZE,
            root: 0,
            links: SmallVec::new(),
            selves: SmallVec::new(),
            flags: SmallVec::new(),
            region: Region { kind: MemoryKind::Heap, frame: 0, sort: Sort::default() },
            inner: Vec::new(),
        }
    }

    /// Whether no block is such a node.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.size == NO_SIZE
    }

    /// Whether a node may have so many bytes.
    #[must_use]
    pub fn admits(&self, size: &LinearExpr) -> bool {
        self.size == ANY_SIZE || *size == LinearExpr::from(self.size)
    }

    /// The least bytes that a node has.
    #[must_use]
    pub fn least_size(&self) -> LinearExpr {
        LinearExpr::from(self.size.max(0))
    }

    /// Whether all nodes of this template, with all that they own, are nodes of the
    /// other one.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self == other
            || self.is_nothing()
            || ((self.size == other.size || other.size == ANY_SIZE)
                && self.root == other.root
                && self.links == other.links
                && other.selves.iter().all(|it| self.selves.contains(it))
                && self.flags == other.flags
                && self.region == other.region
                && self.inner.len() == other.inner.len()
                && self.inner.iter().zip(&other.inner).all(|(own, other)| own.is_within(other)))
    }

    /// The template of an instance in a definition whose own nodes have this one.
    #[must_use]
    pub fn of_kin(&self, kin: Kin) -> Option<&Self> {
        match kin {
            Kin::Family => Some(self),
            Kin::Inner(position) => self.inner.get(position),
        }
    }

    /// The number that says whether a link leads on.
    #[must_use]
    pub fn flag_of(&self, label: usize) -> Option<&Flag> {
        self.flags.iter().find(|flag| flag.label == label)
    }

    /// Where a link lies, in bytes from where the node's address points.
    #[must_use]
    pub fn offset_of(&self, label: usize) -> Option<i64> {
        self.links.get(label).map(|offset| offset - self.root)
    }

    /// The address of a link of the node that `address` points at.
    #[must_use]
    pub fn field_of(&self, address: &LinearExpr, label: usize) -> Option<LinearExpr> {
        Some(address.add_constant(self.offset_of(label)?))
    }

    /// The address of the first byte of the node that `address` points at.
    #[must_use]
    pub fn start_of(&self, address: &LinearExpr) -> LinearExpr {
        address.add_constant(-self.root)
    }
}
