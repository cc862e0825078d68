//! Which numbers a precondition fixes: those that come in, and those in the blocks behind pointers.
//!
//! ```text
//!   a precondition says x = c    the others say so, too, or have no x
//!   ───────────────────────────────────────────────────────────────── FIXED
//!   x is c
//! ```

use super::null::{block_at, value_of};
use heap::state::State;
use ir::open::{LayoutId, OpenEntry};
use ir::{Program, ScalarType, Variable};
use logic::{LinearExpr, Var};
use std::collections::BTreeMap;

/// Pointers are followed through so many blocks.
const MAX_BLOCKS: usize = 4;

/// The numbers that all preconditions fix to one value, as clauses: `n` is 0.
pub(super) fn fixed_numbers(
    program: &Program,
    open: &OpenEntry,
    requires: &[State],
) -> Vec<String> {
    let mut told = requires.iter().map(|state| numbers(program, open, state));
    let Some(first) = told.next() else { return Vec::new() };
    let others: Vec<Numbers> = told.collect();
    let is_fixed = |name: &String, value: i128| {
        others.iter().all(|other| other.get(name).is_none_or(|it| *it == Some(value)))
    };
    let fixed = first.iter().filter_map(|(name, value)| Some((name, (*value)?)));
    let fixed = fixed.filter(|(name, value)| is_fixed(name, *value));
    fixed.map(|(name, value)| format!("`{name}` is {value}")).collect()
}

/// By name, as programs write it, the only value that a number can have, if there is one.
type Numbers = BTreeMap<String, Option<i128>>;

fn numbers(program: &Program, open: &OpenEntry, state: &State) -> Numbers {
    let mut walk = Walk { state, open, visited: Vec::new(), found: Numbers::new() };
    for (variable, value) in state.stores.iter().flatten() {
        let info = program.variable(*variable);
        let is_parameter = program.procedure(open.procedure).parameters.contains(variable);
        let comes_in = info.owner.is_none() || is_parameter;
        if comes_in && matches!(info.ty, ScalarType::Int(_)) {
            walk.note(info.name.clone(), value);
        }
    }
    let pointers: &[(Variable, LayoutId)] = &open.pointers;
    for (variable, layout) in pointers {
        if let Some(value) = value_of(state, *variable) {
            walk.behind(value, *layout, (0, &program.variable(*variable).name));
        }
    }
    walk.found
}

/// A walk through the blocks of a state.
struct Walk<'a> {
    state: &'a State,
    open: &'a OpenEntry,
    /// The blocks that were looked at.
    visited: Vec<Var>,
    found: Numbers,
}

impl Walk<'_> {
    fn note(&mut self, name: String, value: &LinearExpr) {
        let (least, most) = self.state.facts.numbers.bounds(value);
        let only = least.zip(most).filter(|(least, most)| least == most);
        self.found.insert(name, only.and_then(|(only, _)| only.to_i128()));
    }

    /// The numbers in the block at an address, so many blocks away, and in those behind it.
    fn behind(&mut self, address: &LinearExpr, layout: LayoutId, (far, name): (usize, &str)) {
        let block = block_at(self.state, address).filter(|_| far < MAX_BLOCKS);
        let Some(block) = block.filter(|block| !self.visited.contains(&block.base)) else {
            return;
        };
        self.visited.push(block.base);
        let of_field = |field: &str| match field {
            "*" => format!("*{name}"),
            field => format!("{name}->{field}"),
        };
        let layout = self.open.layout(layout);
        for field in &layout.numbers {
            if let Some(cell) = block.cell(field.offset) {
                self.note(of_field(&field.name), &cell.value);
            }
        }
        for field in &layout.pointers {
            if let (Some(cell), Some(target)) = (block.cell(field.offset), field.target) {
                self.behind(&cell.value, target, (far + 1, &of_field(&field.name)));
            }
        }
    }
}
