//! Which pointers must be null by a precondition: those that come in, and those in the blocks
//! behind them.
//!
//! ```text
//!   a precondition says p->f = 0    the others say so, too, or have no block at p
//!   ───────────────────────────────────────────────────────────────────────────── NULL BEHIND
//!   p->f must be null
//! ```

use heap::state::State;
use heap::{Atom, Block};
use ir::open::{LayoutId, OpenEntry};
use ir::{Program, ScalarType, Variable};
use logic::{LinearExpr, Var};

/// Fields are followed through so many blocks.
const MAX_BLOCKS: usize = 4;

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

/// The value of a variable that comes in.
pub(super) fn value_of(state: &State, variable: Variable) -> Option<&LinearExpr> {
    let mut stores = state.stores.iter().flatten();
    stores.find(|(known, _)| *known == variable).map(|(_, value)| value)
}

/// The fields that must be null, as programs write them.
pub(super) fn null_behind(program: &Program, open: &OpenEntry, requires: &[State]) -> Vec<String> {
    let mut null: Vec<(Variable, Vec<i64>, String)> = Vec::new();
    for state in requires {
        for (variable, layout) in &open.pointers {
            let Some(value) = value_of(state, *variable) else { continue };
            let name = program.variable(*variable).name.clone();
            let mut fields = NullFields { state, open, visited: Vec::new(), found: Vec::new() };
            fields.behind(value, *layout, &(Vec::new(), name));
            for (path, name) in fields.found {
                if null.iter().all(|(root, known, _)| (root, known) != (variable, &path)) {
                    null.push((*variable, path, name));
                }
            }
        }
    }
    let must_be_null = |(root, path, _): &(Variable, Vec<i64>, String)| {
        let said = |state: &State| {
            value_of(state, *root).map_or(Said::Nothing, |value| follow(state, value, path))
        };
        requires.iter().all(|state| said(state) != Said::Other)
    };
    null.into_iter().filter(must_be_null).map(|(.., name)| name).collect()
}

/// The null pointers in blocks of a state.
struct NullFields<'a> {
    state: &'a State,
    open: &'a OpenEntry,
    /// The blocks that were looked at.
    visited: Vec<Var>,
    found: Vec<(Vec<i64>, String)>,
}

impl NullFields<'_> {
    /// Those in the block at an address, and in those behind it.
    fn behind(&mut self, address: &LinearExpr, layout: LayoutId, way: &(Vec<i64>, String)) {
        let (path, name) = way;
        let block = block_at(self.state, address).filter(|_| path.len() < MAX_BLOCKS);
        let Some(block) = block.filter(|block| !self.visited.contains(&block.base)) else {
            return;
        };
        self.visited.push(block.base);
        for field in &self.open.layout(layout).pointers {
            let Some(cell) = block.cell(field.offset) else { continue };
            let mut longer = path.clone();
            longer.push(field.offset);
            let name = match field.name.as_str() {
                "*" => format!("*{name}"),
                field => format!("{name}->{field}"),
            };
            if self.state.surely_zero(&cell.value) {
                self.found.push((longer, name));
            } else if let Some(target) = field.target {
                self.behind(&cell.value, target, &(longer, name));
            }
        }
    }
}

/// What a precondition says of a pointer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    /// It is null.
    Null,
    /// It need not be.
    Other,
    /// There is no such pointer.
    Nothing,
}

/// What a precondition says of the pointer behind these fields.
fn follow(state: &State, address: &LinearExpr, path: &[i64]) -> Said {
    let Some((offset, rest)) = path.split_first() else {
        return if state.surely_zero(address) { Said::Null } else { Said::Other };
    };
    if state.surely_zero(address) {
        return Said::Nothing;
    }
    let cell = block_at(state, address).and_then(|block| block.cell(*offset));
    // Nodes of instances hold many things.
    cell.map_or(Said::Other, |cell| follow(state, &cell.value, rest))
}

pub(super) fn block_at<'a>(state: &'a State, address: &LinearExpr) -> Option<&'a Block> {
    match &state.heap.atoms[state.block_at(address.as_var()?)?] {
        Atom::Block(block) => Some(block),
        Atom::Instance(_) => None,
    }
}
