//! Which rings a precondition leaves out.
//!
//! ```text
//!   p ↦ { next: p }                             a ring of one node, that no caller need build
//!   p ↦ { next: a, prev: b } * a ↦ … * b ↦ …    a ring of three nodes at least
//! ```
//!
//! A list that ends in null never has one node on both sides of another one: where null is tested
//! there is a precondition with it.

use super::nodes::{Node, There, block_at};
use heap::Block;
use heap::state::State;
use ir::open::OpenEntry;
use ir::senses::Sense;

/// Blocks are followed so far.
const MAX_BLOCKS: usize = 4;

/// What the preconditions say of rings that leaves out others, as clauses.
pub(super) fn of_one_length(open: &OpenEntry, requires: &[State], nodes: &[Node]) -> Vec<String> {
    let all_say = |node: &Node, clause: &dyn Fn(&State, &Block) -> Said| {
        let said = |state: &State| match node.within(state) {
            There::Known(block) => clause(state, block),
            There::Nothing => Said::Nothing,
            There::Other => Said::Other,
        };
        let all: Vec<Said> = requires.iter().map(said).collect();
        all.contains(&Said::Ring) && !all.contains(&Said::Other)
    };
    let mut clauses = Vec::new();
    for node in nodes {
        for link in open.links(node.layout) {
            if all_say(node, &|state, block| returns_at_once(state, block, link.offset)) {
                let (name, link) = (&node.name, node.field(&link.name));
                clauses.push(format!("`{link}` is null or leads back to `{name}`"));
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
