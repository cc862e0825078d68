//! Simple bounds that widening keeps.
//!
//! Widening gives up each inequality that does not hold any more. What it implied goes with
//! it, though that may still hold: `0 <= i` follows from `1 <= 100*i + j` and `i + j <= 1`,
//! and `at <= end` from `2*at <= start + end` and `start <= at`. Bounds of single numbers and
//! of differences are what accesses ask for, so they are looked for here.

use super::Machine;
use heap::reach::target_of;
use heap::{Atom, Block, Kind, State};
use ir::{ScalarType, Variable};
use logic::{Constraint, LinearExpr, Var};
use numeric::polyhedron::Polyhedron;
use std::collections::BTreeSet;

/// The bounds of so many numbers are asked for, and of as many differences.
const MAX_BOUNDED: usize = 24;

/// What `old` says of single numbers, and of two that an inequality compares which is
/// given up, as far as it holds in `joined`.
pub(super) fn stable_bounds(old: &Polyhedron, joined: &Polyhedron) -> Vec<Constraint> {
    let given_up = old.inequalities().iter().filter(|it| !joined.entails(it));
    let given_up: Vec<&Constraint> = given_up.collect();
    if given_up.is_empty() {
        return Vec::new();
    }
    let numbers = old.variables().into_iter().take(MAX_BOUNDED).map(LinearExpr::var);
    let compared: BTreeSet<(Var, Var)> = given_up.into_iter().flat_map(compared).collect();
    let differences = compared.into_iter().take(MAX_BOUNDED);
    let differences = differences.map(|(less, more)| LinearExpr::var(less).sub(&more.into()));
    let mut stable = Vec::new();
    for number in numbers.chain(differences) {
        let (low, high) = old.bounds(&number);
        let low = low.map(|it| Constraint::ge(number.clone(), LinearExpr::constant(it)));
        let high = high.map(|it| Constraint::le(number.clone(), LinearExpr::constant(it)));
        stable.extend(low.into_iter().chain(high).filter(|bound| joined.entails(bound)));
    }
    stable
}

/// That variables of unsigned types are not negative, as far as it holds in both. There are only
/// so many of these bounds, so they may be kept for ever: remainders ask for them. Where there
/// are products, variables of all types count: the sign of a product is that of its factors.
pub(super) fn stable_signs(
    machine: &Machine<'_>,
    state: &State,
    (old, joined): (&Polyhedron, &Polyhedron),
) -> Vec<Constraint> {
    let has_products = !state.facts.products.is_empty();
    let has_sign = |variable: Variable| matches!(machine.type_of(variable), ScalarType::Int(kind) if has_products || !kind.signed);
    let values = state.stores.iter().flatten().filter(|(variable, _)| has_sign(*variable));
    let numbers = values.filter_map(|(_, value)| value.as_var());
    let signs = numbers.map(|number| Constraint::ge(number, 0));
    signs.filter(|it| old.entails(it) && joined.entails(it)).collect()
}

/// That pointers point before the ends of strings and of their blocks, or at them, as far as it
/// holds in both. There are only so many of these bounds, too.
pub(super) fn stable_ends(
    state: &State,
    (old, joined): (&Polyhedron, &Polyhedron),
) -> Vec<Constraint> {
    let mut stable = Vec::new();
    for (_, value) in state.stores.iter().flatten() {
        let Some((base, block)) = block_of(state, value) else { continue };
        let offset = value.sub(&LinearExpr::var(base));
        let fixed = block.text_end().map(|it| it.offset.into());
        let ends = block.floating.iter().map(|it| &it.offset).chain([&block.size]).chain(&fixed);
        let bounds = ends.map(|end| Constraint::le(&offset, end));
        let is_plain = state.kind_of(&offset) == Kind::Integer && offset.as_constant().is_none();
        stable.extend(bounds.filter(|it| is_plain && old.entails(it) && joined.entails(it)));
    }
    stable
}

fn block_of<'a>(state: &'a State, value: &LinearExpr) -> Option<(Var, &'a Block)> {
    let base = target_of(state, value)?;
    match state.heap.atoms.get(state.block_at(base)?)? {
        Atom::Block(block) => Some((base, block)),
        Atom::Instance(_) => None,
    }
}

/// The pairs of variables that have opposite signs in an inequality.
fn compared(constraint: &Constraint) -> Vec<(Var, Var)> {
    let terms = constraint.expr().terms();
    let of_sign =
        |is_less: bool| terms.iter().filter(move |(_, factor)| factor.is_positive() == is_less);
    of_sign(true).flat_map(|(less, _)| of_sign(false).map(|(more, _)| (*less, *more))).collect()
}
