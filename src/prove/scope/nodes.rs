//! The blocks that preconditions have one by one behind the pointers that come in, by the way that
//! leads there from a variable: what one precondition says of such a block is compared with what
//! the others say of it.

use super::value_of;
use heap::state::State;
use heap::{Atom, Block};
use ir::open::{LayoutId, OpenEntry};
use ir::{Program, Variable};
use logic::{LinearExpr, Var};

/// Blocks are followed so far.
const MAX_BLOCKS: usize = 4;

/// A block that some precondition has by itself.
pub(super) struct Node {
    root: Variable,
    /// The fields that lead to it.
    path: Vec<i64>,
    pub(super) layout: LayoutId,
    /// The pointer that leads to it, as programs write it.
    pub(super) name: String,
}

/// What is where a node, or a cell of it, is in another precondition.
#[derive(Clone, Copy)]
pub(super) enum There<T> {
    /// That is known.
    Known(T),
    /// Null comes before.
    Nothing,
    /// A node of an instance, or anything.
    Other,
}

/// The nodes of all preconditions, each once, what leads to others before them.
pub(super) fn nodes(program: &Program, open: &OpenEntry, requires: &[State]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for state in requires {
        for (variable, layout) in &open.pointers {
            let Some(value) = value_of(state, *variable) else { continue };
            let name = program.variable(*variable).name.clone();
            let node = Node { root: *variable, path: Vec::new(), layout: *layout, name };
            let mut walk = Walk { state, open, visited: Vec::new(), found: Vec::new() };
            walk.from(value, node);
            for node in walk.found {
                if nodes.iter().all(|it| (it.root, &it.path) != (node.root, &node.path)) {
                    nodes.push(node);
                }
            }
        }
    }
    nodes
}

impl Node {
    /// The block of a precondition at the same place.
    pub(super) fn within<'a>(&self, state: &'a State) -> There<&'a Block> {
        let Some(mut value) = value_of(state, self.root) else { return There::Nothing };
        for offset in &self.path {
            if state.surely_zero(value) {
                return There::Nothing;
            }
            let cell = block_at(state, value).and_then(|block| block.cell(*offset));
            let Some(cell) = cell else { return There::Other };
            value = &cell.value;
        }
        match block_at(state, value) {
            Some(block) => There::Known(block),
            None if state.surely_zero(value) => There::Nothing,
            None => There::Other,
        }
    }

    /// What lies in that block at an offset.
    pub(super) fn cell<'a>(&self, state: &'a State, offset: i64) -> There<&'a LinearExpr> {
        match self.within(state) {
            There::Known(block) => {
                block.cell(offset).map_or(There::Other, |cell| There::Known(&cell.value))
            }
            There::Nothing => There::Nothing,
            There::Other => There::Other,
        }
    }

    /// A field of it, as programs write it.
    pub(super) fn field(&self, field: &str) -> String {
        match field {
            "*" => format!("*{}", self.name),
            field => format!("{}->{field}", self.name),
        }
    }
}

/// The block at an address, if it is known by itself.
pub(super) fn block_at<'a>(state: &'a State, address: &LinearExpr) -> Option<&'a Block> {
    match &state.heap.atoms[state.block_at(address.as_var()?)?] {
        Atom::Block(block) => Some(block),
        Atom::Instance(_) => None,
    }
}

/// A walk over the blocks of a precondition.
struct Walk<'a> {
    state: &'a State,
    open: &'a OpenEntry,
    visited: Vec<Var>,
    found: Vec<Node>,
}

impl Walk<'_> {
    /// Finds the node at an address, and those behind it.
    fn from(&mut self, address: &LinearExpr, node: Node) {
        let block = block_at(self.state, address).filter(|_| node.path.len() < MAX_BLOCKS);
        let Some(block) = block.filter(|block| !self.visited.contains(&block.base)) else {
            return;
        };
        self.visited.push(block.base);
        let behind = |field: &ir::open::PointerField| {
            let cell = block.cell(field.offset)?;
            let mut path = node.path.clone();
            path.push(field.offset);
            let (root, layout, name) = (node.root, field.target?, node.field(&field.name));
            Some((&cell.value, Node { root, path, layout, name }))
        };
        let fields = self.open.layout(node.layout).pointers.iter();
        let behind: Vec<(&LinearExpr, Node)> = fields.filter_map(behind).collect();
        self.found.push(node);
        behind.into_iter().for_each(|(address, node)| self.from(address, node));
    }
}
