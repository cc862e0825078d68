//! Which rings a precondition leaves out.
//!
//! ```text
//!   p ↦ { next: p }                             a ring of one node, that no caller need build
//!   p ↦ { next: a, prev: b } * a ↦ … * b ↦ …    a ring of three nodes at least
//! ```
//!
//! A list that ends in null never has one node on both sides of another one: where null is tested
//! there is a precondition with it.

use super::null::{block_at, value_of};
use crate::senses::Sense;
use heap::Block;
use heap::state::State;
use ir::open::{LayoutId, OpenEntry};
use ir::{Program, Variable};
use logic::{LinearExpr, Var};

/// Blocks are followed so far.
const MAX_BLOCKS: usize = 4;

/// What the preconditions say of rings that leaves out others, as clauses.
pub(super) fn of_one_length(
    program: &Program,
    open: &OpenEntry,
    requires: &[State],
) -> Vec<String> {
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
    let all_say = |node: &Node, clause: &dyn Fn(&State, &Block) -> Said| {
        let said = |state: &State| match node.within(state) {
            Within::Block(block) => clause(state, block),
            Within::Nothing => Said::Nothing,
            Within::Other => Said::Other,
        };
        let all: Vec<Said> = requires.iter().map(said).collect();
        all.contains(&Said::Ring) && !all.contains(&Said::Other)
    };
    let mut clauses = Vec::new();
    for node in &nodes {
        for link in open.links(node.layout) {
            if all_say(node, &|state, block| returns_at_once(state, block, link.offset)) {
                let (name, link) = (&node.name, &link.name);
                clauses.push(format!("`{name}->{link}` is null or leads back to `{name}`"));
            }
        }
        let links: Vec<(i64, Sense)> =
            open.links(node.layout).map(|it| (it.offset, Sense::of(&it.name))).collect();
        if all_say(node, &|state, block| has_two_neighbours(state, block, &links)) {
            clauses.push(format!("two different nodes are on both sides of `{}`", node.name));
        }
    }
    clauses
}

/// What a precondition says of the ring through a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    /// That it is so.
    Ring,
    /// Something else.
    Other,
    /// There is no such node.
    Nothing,
}

/// Whether a link of a node leads back to it through nodes that are known one by one.
fn returns_at_once(state: &State, block: &Block, link: i64) -> Said {
    let mut at = block;
    for _ in 0..MAX_BLOCKS {
        let Some(cell) = at.cell(link) else { return Said::Other };
        if state.surely_zero(&cell.value) {
            return Said::Nothing;
        }
        let Some(next) = block_at(state, &cell.value) else { return Said::Other };
        if next.base == block.base {
            return Said::Ring;
        }
        at = next;
    }
    Said::Other
}

/// Whether the nodes before and behind a node are two, beside itself.
fn has_two_neighbours(state: &State, block: &Block, links: &[(i64, Sense)]) -> Said {
    let along = |sense: Sense| {
        let (offset, _) = links.iter().find(|(_, known)| *known == sense)?;
        block_at(state, &block.cell(*offset)?.value)
    };
    match along(Sense::Ahead).zip(along(Sense::Back)) {
        Some((next, back)) if next.base == back.base => Said::Other,
        // Only one of them is the node itself: no ring.
        Some((next, back)) if [next.base, back.base].contains(&block.base) => Said::Nothing,
        Some(_) => Said::Ring,
        None => Said::Other,
    }
}

/// A node that some precondition has by itself.
struct Node {
    root: Variable,
    /// The fields that lead to it.
    path: Vec<i64>,
    layout: LayoutId,
    name: String,
}

/// What is where a node is in another precondition.
enum Within<'a> {
    Block(&'a Block),
    /// Null comes before.
    Nothing,
    /// A node of an instance, or anything.
    Other,
}

impl Node {
    fn within<'a>(&self, state: &'a State) -> Within<'a> {
        let Some(mut value) = value_of(state, self.root) else { return Within::Nothing };
        for offset in &self.path {
            if state.surely_zero(value) {
                return Within::Nothing;
            }
            let cell = block_at(state, value).and_then(|block| block.cell(*offset));
            let Some(cell) = cell else { return Within::Other };
            value = &cell.value;
        }
        match block_at(state, value) {
            Some(block) => Within::Block(block),
            None if state.surely_zero(value) => Within::Nothing,
            None => Within::Other,
        }
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
        for field in &self.open.layout(node.layout).pointers {
            let (Some(cell), Some(target)) = (block.cell(field.offset), field.target) else {
                continue;
            };
            let mut path = node.path.clone();
            path.push(field.offset);
            let name = format!("{}->{}", node.name, field.name);
            self.from(&cell.value, Node { root: node.root, path, layout: target, name });
        }
        self.found.push(node);
    }
}
