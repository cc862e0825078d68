//! Small heaps of nodes with links, laid out in a concrete memory.

use base::source::Span;
use concrete::memory::Memory;
use concrete::value::{Pointer, Value};
use ir::{InitialContent, MemoryKind, ScalarType};

/// What a link holds: null, an address that is no node's, a node, or the place of
/// a link of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    /// Null.
    Null,
    /// The address of something that is no node.
    Elsewhere,
    /// The node with this number.
    Node(usize),
    /// The place of the link with the second number in the node with the first.
    Field(usize, usize),
}

/// The links of each node.
pub type Graph = Vec<Vec<Link>>;

/// The bytes of a link.
pub(super) const LINK_BYTES: u32 = 8;

/// Adds a graph to an empty memory, as heap blocks with links one behind the
/// other. Node `i` becomes block `i`; the block behind them, which is static,
/// is elsewhere. `None` when the memory does not take them.
#[must_use]
pub fn lay_out(memory: &mut Memory, graph: &Graph) -> Option<()> {
    let at = |label: usize| Some(i128::from(LINK_BYTES) * i128::try_from(label).ok()?);
    let n_links = graph.first().map_or(1, Vec::len);
    let mut allocate = |kind: MemoryKind, size: i128| {
        memory.allocate(kind, Value::Int(size), InitialContent::Arbitrary, Span::NOWHERE).ok()
    };
    let mut blocks = Vec::new();
    for _ in graph {
        blocks.push(allocate(MemoryKind::Heap, at(n_links)?)?);
    }
    blocks.push(allocate(MemoryKind::Static, 1)?);
    for (node, links) in graph.iter().enumerate() {
        for (index, link) in links.iter().enumerate() {
            let (target, offset) = match link {
                Link::Null => (None, 0),
                Link::Elsewhere => (blocks.last(), 0),
                Link::Node(target) => (blocks.get(*target), 0),
                Link::Field(target, label) => (blocks.get(*target), at(*label)?),
            };
            let pointer = |block| Value::Pointer(Pointer { block, offset });
            let value = target.copied().map_or(Value::NULL, pointer);
            let place = Value::Pointer(Pointer { block: blocks[node], offset: at(index)? });
            memory.store(place, ScalarType::Pointer, value).ok()?;
        }
    }
    Some(())
}
