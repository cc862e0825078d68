//! What an instance would not tell any more of the nodes that make it up: exact values, and
//! bounds of nodes that program variables point at.

use super::{Field, Leaf, NodeValues, Summary, is_exact, leaves, summarise};
use crate::fold_precision::FoldPrecision;
use crate::proof::Proof;
use crate::shape::ShapeLibrary;
use crate::state::State;
use crate::{Atom, Instance};
use ir::ScalarType;
use logic::{Constraint, Integer, LinearExpr, Var};

/// The bounds of fields of nodes that program variables point at, over the summarized
/// dimensions. The ranges of types are none.
pub(super) fn bounds_of_named<'a>(
    state: &'a State,
    leaves: &'a [Leaf],
    values: &'a NodeValues,
) -> impl Iterator<Item = Constraint> + 'a {
    let named = leaves.iter().filter_map(|leaf| {
        let atom = state.heap.atoms.get(leaf.atom)?;
        is_named_node(state, atom).then_some((leaf, atom))
    });
    named.flat_map(move |(leaf, atom)| {
        values.fields.iter().flat_map(move |field| {
            leaf.value(state, atom, field).map_or_else(Vec::new, |it| bounds(state, &it, field))
        })
    })
}

/// Whether an atom is one node, and a program variable points at it.
fn is_named_node(state: &State, atom: &Atom) -> bool {
    let in_stores =
        |address: Var| state.stores.iter().flatten().any(|(_, value)| value.mentions(address));
    match atom {
        Atom::Block(block) => in_stores(block.base),
        Atom::Instance(instance) => {
            let mut roots = instance.anchors().flat_map(|(_, root)| root.variables());
            roots.any(in_stores) && state.facts.numbers.entails(&Constraint::eq(&instance.depth, 1))
        }
    }
}

/// The bounds of a number, said of a field's dimension.
fn bounds(state: &State, value: &LinearExpr, field: &Field) -> Vec<Constraint> {
    let ScalarType::Int(kind) = field.ty else { return Vec::new() };
    let (least, greatest) = state.facts.numbers.bounds(value);
    let least = least.filter(|least| *least > Integer::from(kind.min()));
    let greatest = greatest.filter(|greatest| *greatest < Integer::from(kind.max()));
    let own = LinearExpr::var(field.value);
    let least = least.map(|least| Constraint::ge(&own, least));
    least.into_iter().chain(greatest.map(|greatest| Constraint::le(&own, greatest))).collect()
}

/// Whether something that is to be kept is known of a node in the atoms that make up an
/// instance, and is not in the instance of `want`.
#[must_use]
pub fn loses(
    (have, want): (&State, &State),
    wanted: &Instance,
    proof: &Proof,
    library: &ShapeLibrary,
    care: FoldPrecision,
) -> bool {
    let summary = summarise(have, (wanted.shape, &wanted.template), proof, library, care);
    let known = |field: &Field| wanted.values.value_at(field.offset, field.ty);
    let is_forgotten = |field: &Field| {
        field.ty != ScalarType::Pointer
            && is_exact(&summary.numbers, field)
            && known(field).is_none()
    };
    care.forbids(summary.loss)
        || summary.values.fields.iter().any(is_forgotten)
        || (care == FoldPrecision::KeepBounds
            && loses_bounds((have, want), wanted, proof, library, &summary))
}

/// Whether a bound of a node that a program variable points at does not hold in the instance of
/// `want`, or all nodes hold one number, and those of `want` another.
fn loses_bounds(
    (have, want): (&State, &State),
    wanted: &Instance,
    proof: &Proof,
    library: &ShapeLibrary,
    summary: &Summary,
) -> bool {
    let known = |field: &Field| wanted.values.value_at(field.offset, field.ty);
    let fields = &summary.values.fields;
    let is_lost = |bound: Constraint| {
        let kept = fields.iter().find(|field| bound.mentions(field.value)).and_then(known);
        kept.is_none_or(|kept| !want.facts.numbers.entails(&bound.map(|_| kept.into())))
    };
    let differs = |field: &Field| {
        let own = summary.numbers.implied_constant(field.value);
        let other = known(field).and_then(|kept| want.facts.numbers.implied_constant(kept));
        own.zip(other).is_some_and(|(own, other)| own != other)
    };
    fields.iter().any(differs)
        || bounds_of_named(have, &leaves(have, wanted.shape, proof, library), &summary.values)
            .any(is_lost)
}
