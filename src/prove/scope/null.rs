//! Which pointers must be null by a precondition: those that come in, and those in the blocks
//! behind them.
//!
//! ```text
//!   a precondition says p->f = 0    the others say so, too, or have no block at p
//!   ───────────────────────────────────────────────────────────────────────────── NULL BEHIND
//!   p->f must be null
//! ```

use super::nodes::{Node, There};
use super::value_of;
use heap::Atom;
use heap::state::State;
use ir::open::OpenEntry;
use ir::{ScalarType, Variable};
use logic::LinearExpr;

/// How many pointers come in, and those that are null by all preconditions.
pub(super) fn null_pointers(open: &OpenEntry, requires: &[State]) -> (usize, Vec<Variable>) {
    let is_null = |state: &State, variable: Variable| {
        value_of(state, variable).is_some_and(|value| state.surely_zero(value))
    };
    let pointers = open.pointers.iter().map(|(variable, _)| *variable);
    let null = pointers.filter(|it| requires.iter().all(|state| is_null(state, *it))).collect();
    (open.pointers.len(), null)
}

/// Whether some pointer that comes in, or lies in a block, is null by a precondition.
pub(super) fn has_null(state: &State, open: &OpenEntry) -> bool {
    let come_in = open.pointers.iter().filter_map(|(variable, _)| value_of(state, *variable));
    let behind = state.heap.atoms.iter().flat_map(|atom| match atom {
        Atom::Block(block) => block.cells.as_slice(),
        Atom::Instance(_) => &[],
    });
    let behind = behind.filter(|cell| cell.ty == ScalarType::Pointer).map(|cell| &cell.value);
    come_in.chain(behind).any(|value| state.surely_zero(value))
}

/// The fields that must be null, as programs write them.
pub(super) fn null_behind(open: &OpenEntry, requires: &[State], nodes: &[Node]) -> Vec<String> {
    let must_be_null = |node: &Node, offset: i64| {
        let said = || requires.iter().map(|state| (state, node.cell(state, offset)));
        let is_null = |(state, cell): (&State, There<&LinearExpr>)| match cell {
            There::Known(value) => Some(state.surely_zero(value)),
            There::Nothing => None,
            There::Other => Some(false),
        };
        said().any(|it| is_null(it).is_some()) && said().filter_map(is_null).all(|it| it)
    };
    let fields = nodes.iter().flat_map(|node| {
        let fields = open.layout(node.layout).pointers.iter();
        fields.filter(|it| must_be_null(node, it.offset)).map(|it| node.field(&it.name))
    });
    fields.collect()
}
