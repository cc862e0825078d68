//! Which numbers the preconditions fix: those that come in, and those in the blocks behind pointers.
//!
//! ```text
//!   each precondition says c <= x <= d, or has no block with x    d <= c + 1    x's type has more
//!   ───────────────────────────────────────────────────────────────────────────────────── FIXED
//!   x is c or d
//! ```
//!
//! A number of elements that may be 0 or 1 says as little of loops and copies as one that must be 0.

use super::nodes::{Node, There};
use super::value_of;
use heap::state::State;
use ir::open::OpenEntry;
use ir::{IntKind, Program, ScalarType, Variable};
use logic::LinearExpr;

/// The least and the most that a number may be.
type Range = (i128, i128);

/// The numbers that have one value by all preconditions, or two, as clauses: `n` is 0.
pub(super) fn fixed_numbers(
    program: &Program,
    open: &OpenEntry,
    requires: &[State],
    nodes: &[Node],
) -> Vec<String> {
    let value_in = |state, variable| value_of(state, variable).map_or(There::Other, There::Known);
    let come_in =
        numbers_that_come_in(program, open, requires).into_iter().filter_map(|(it, kind)| {
            let range = fixed(requires, kind, |state| value_in(state, it))?;
            Some((program.variable(it).name.clone(), range))
        });
    let behind = nodes.iter().flat_map(|node| {
        let fields = open.layout(node.layout).numbers.iter();
        fields.filter_map(|field| {
            let range = fixed(requires, field.kind, |state| node.cell(state, field.offset))?;
            Some((node.field(&field.name), range))
        })
    });
    let clause = |(name, (least, most)): (String, Range)| match least == most {
        true => format!("`{name}` is {least}"),
        false => format!("`{name}` is {least} or {most}"),
    };
    come_in.chain(behind).map(clause).collect()
}

/// The parameters and globals that hold numbers of which a precondition may say something.
fn numbers_that_come_in(
    program: &Program,
    open: &OpenEntry,
    requires: &[State],
) -> Vec<(Variable, IntKind)> {
    let parameters = &program.procedure(open.procedure).parameters;
    let number = |variable: Variable| {
        let info = program.variable(variable);
        let is_outside = info.owner.is_none() || parameters.contains(&variable);
        match info.ty {
            ScalarType::Int(kind) if is_outside => Some((variable, kind)),
            _ => None,
        }
    };
    let known = requires.first().into_iter().flat_map(|state| state.stores.iter().flatten());
    known.filter_map(|(variable, _)| number(*variable)).collect()
}

/// The one or two values that something of a type has in all preconditions where it is.
fn fixed<'a>(
    requires: &'a [State],
    kind: IntKind,
    read: impl Fn(&'a State) -> There<&'a LinearExpr>,
) -> Option<Range> {
    let mut all: Option<Range> = None;
    for state in requires {
        let (least, most) = match read(state) {
            There::Known(value) => range(state, kind, value)?,
            There::Nothing => continue,
            There::Other => return None,
        };
        all = Some(all.map_or((least, most), |it| (it.0.min(least), it.1.max(most))));
    }
    all.filter(|(least, most)| most.saturating_sub(*least) <= 1 && kind.bits > 1)
}

/// The least and the most that a value of a type may be.
fn range(state: &State, kind: IntKind, value: &LinearExpr) -> Option<Range> {
    let (least, most) = state.facts.numbers.bounds(value);
    let least = least.map_or(Some(kind.min()), |it| it.to_i128())?.max(kind.min());
    let most = most.map_or(Some(kind.max()), |it| it.to_i128())?.min(kind.max());
    (least <= most).then_some((least, most))
}
