//! Which numbers the preconditions fix: those that come in, and those in the blocks behind pointers.
//!
//! ```text
//!   a precondition says x = c    the others say so, too, or have no block with x
//!   ──────────────────────────────────────────────────────────────────────────── FIXED
//!   x is c
//! ```

use super::nodes::{Node, There};
use super::value_of;
use heap::state::State;
use ir::open::OpenEntry;
use ir::{Program, ScalarType, Variable};
use logic::LinearExpr;

/// The numbers that have one value by all preconditions, as clauses: `n` is 0.
pub(super) fn fixed_numbers(
    program: &Program,
    open: &OpenEntry,
    requires: &[State],
    nodes: &[Node],
) -> Vec<String> {
    let value_in = |state, variable| value_of(state, variable).map_or(There::Other, There::Known);
    let come_in = numbers_that_come_in(program, open, requires).into_iter().filter_map(|it| {
        let value = fixed(requires, |state| value_in(state, it))?;
        Some((program.variable(it).name.clone(), value))
    });
    let behind = nodes.iter().flat_map(|node| {
        let fields = open.layout(node.layout).numbers.iter();
        fields.filter_map(|field| {
            let value = fixed(requires, |state| node.cell(state, field.offset))?;
            Some((node.field(&field.name), value))
        })
    });
    come_in.chain(behind).map(|(name, value)| format!("`{name}` is {value}")).collect()
}

/// The parameters and globals that hold numbers of which a precondition may say something.
fn numbers_that_come_in(program: &Program, open: &OpenEntry, requires: &[State]) -> Vec<Variable> {
    let parameters = &program.procedure(open.procedure).parameters;
    let comes_in = |variable: &Variable| {
        let info = program.variable(*variable);
        let is_outside = info.owner.is_none() || parameters.contains(variable);
        is_outside && matches!(info.ty, ScalarType::Int(_))
    };
    let known = requires.first().into_iter().flat_map(|state| state.stores.iter().flatten());
    known.map(|(variable, _)| *variable).filter(comes_in).collect()
}

/// The one value that something has in all preconditions where it is.
fn fixed<'a>(
    requires: &'a [State],
    read: impl Fn(&'a State) -> There<&'a LinearExpr>,
) -> Option<i128> {
    let mut only = None;
    for state in requires {
        let value = match read(state) {
            There::Known(value) => only_value(state, value)?,
            There::Nothing => continue,
            There::Other => return None,
        };
        if only.is_some_and(|it| it != value) {
            return None;
        }
        only = Some(value);
    }
    only
}

fn only_value(state: &State, value: &LinearExpr) -> Option<i128> {
    let (least, most) = state.facts.numbers.bounds(value);
    least.zip(most).filter(|(least, most)| least == most)?.0.to_i128()
}
