//! How the nodes of an instance lie in memory, and what each of them is known to be.

use super::shape::{Case, Kin, PatternAtom, PatternTerm};
use super::{Cell, Region};
use ir::links::Sort;
use ir::{IntKind, MemoryKind, ScalarType};
use logic::{LinearExpr, Var};
use smallvec::SmallVec;

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
    /// Whether a byte of each node is known to be zero.
    pub ending: Ending,
    /// How many nodes an owned instance of this template has. It says nothing of an instance
    /// that no node owns: the depth of that one tells.
    pub extent: Extent,
    /// How the nodes of other families lie in memory, by position in
    /// [`ShapeDef::inner`](super::shape::ShapeDef::inner).
    pub inner: Vec<Template>,
    /// The positions in [`Self::inner`] of which every node owns some.
    pub always: SmallVec<[usize; 1]>,
}

/// Whether nodes hold text that ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// Each has a byte that is zero.
    Zero,
    /// Nothing is known of their bytes.
    #[default]
    Any,
}

/// How many nodes the instances have that nodes own. A list of lists in which each inner list
/// has one cell is not the same as one of any lists: who frees the one cell has freed all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Each has depth 1.
    One,
    /// Each has some depth.
    #[default]
    Any,
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
            ending: Ending::Any,
            extent: Extent::Any,
            inner: Vec::new(),
            always: SmallVec::new(),
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

    /// Whether an owned instance may have this depth.
    #[must_use]
    pub fn has_extent(
        &self,
        depth: &LinearExpr,
        is_zero: impl FnOnce(&LinearExpr) -> bool,
    ) -> bool {
        match self.extent {
            Extent::Any => true,
            Extent::One => is_zero(&depth.add_constant(-1)),
        }
    }

    /// Whether all nodes of this template, with all that they own, are nodes of the
    /// other one.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        let is_owned_within =
            |(own, other): (&Self, &Self)| own.extent <= other.extent && own.is_within(other);
        self == other
            || self.is_nothing()
            || ((self.size == other.size || other.size == ANY_SIZE)
                && self.root == other.root
                && self.links == other.links
                && other.selves.iter().all(|it| self.selves.contains(it))
                && self.flags == other.flags
                && self.region == other.region
                && self.ending <= other.ending
                && other.always.iter().all(|it| self.always.contains(it))
                && self.inner.len() == other.inner.len()
                && self.inner.iter().zip(&other.inner).all(is_owned_within))
    }

    /// Whether a rule or a case may be one of nodes of this template: if it has a cell, the cell
    /// owns what each node owns, and what does not exist is owned by none.
    #[must_use]
    pub fn allows<'a>(&self, parts: impl IntoIterator<Item = &'a PatternAtom>) -> bool {
        let (mut has_cell, mut owned) = (false, SmallVec::<[usize; 2]>::new());
        for part in parts {
            match part {
                PatternAtom::Cell(..) => has_cell = true,
                PatternAtom::Instance(part) => owned.extend(part.kin.position()),
            }
        }
        owned.iter().all(|it| self.inner.get(*it).is_some_and(|inner| !inner.is_nothing()))
            && (!has_cell || self.always.iter().all(|it| owned.contains(it)))
    }

    /// Whether a case may be one of nodes of this template, as [`Self::allows`] says.
    #[must_use]
    pub fn allows_case(&self, case: &Case) -> bool {
        let owned: SmallVec<[usize; 2]> =
            case.instances.iter().filter_map(|part| part.kin.position()).collect();
        owned.iter().all(|it| self.inner.get(*it).is_some_and(|inner| !inner.is_nothing()))
            && self.always.iter().all(|it| owned.contains(it))
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
