//! Bounds of what nodes hold, where the nodes lose their names.

use super::{Field, Leaf, NodeValues, candidates, leaves, live_without};
use crate::Template;
use crate::bounds::{Bounds, FieldBounds};
use crate::proof::Proof;
use crate::shape::{ShapeId, ShapeLibrary};
use crate::state::{Kind, State};
use ir::ScalarType;
use logic::{Constraint, LinearExpr, Var};
use numeric::polyhedron::Polyhedron;
use smallvec::SmallVec;

/// The bounds of the nodes that a proof makes up of atoms of a state.
#[must_use]
pub fn bounds_of(
    state: &State,
    (shape, template): (ShapeId, &Template),
    proof: &Proof,
    library: &ShapeLibrary,
) -> FieldBounds {
    let parts = leaves(state, shape, proof, library);
    let live = live_without(state, &parts);
    let mut fields = candidates(state, template, &parts, &live);
    fields.retain(|field| matches!(field.ty, ScalarType::Int(_)));
    let sides = Sides::of(state, fields, &parts);
    let bound = |field: &Field| Bounds::of(field, &|constraint| sides.show(constraint));
    sides.fields.iter().filter_map(bound).collect()
}

/// Whether the nodes that a proof makes up of atoms of a state are within bounds.
#[must_use]
pub fn are_within(
    state: &State,
    (shape, bounds): (ShapeId, &[Bounds]),
    proof: &Proof,
    library: &ShapeLibrary,
) -> bool {
    let field = |it: &Bounds| Field { offset: it.offset, ty: it.ty, value: Var::at(0) };
    let parts = leaves(state, shape, proof, library);
    let sides = Sides::of(state, bounds.iter().map(field).collect(), &parts);
    let mut all = bounds.iter().zip(&sides.fields);
    all.all(|(it, field)| it.constraints(field.value).all(|it| sides.show(&it)))
}

/// The numbers of a state, with those of fields of nodes: one side for each atom that is a node,
/// or some.
struct Sides {
    fields: SmallVec<[Field; 1]>,
    numbers: Vec<Polyhedron>,
}

impl Sides {
    fn of(state: &State, fields: SmallVec<[Field; 1]>, parts: &[Leaf]) -> Self {
        let mut values = NodeValues { position: None, fields };
        let mut next = state.vocabulary.len();
        values.rename(&mut |_| {
            next += 1;
            Var::at(next - 1)
        });
        if values.is_empty() {
            return Self { fields: values.fields, numbers: Vec::new() };
        }
        let same = |v: Var| LinearExpr::var(v);
        let images = parts.iter().filter_map(|leaf| leaf.image(state, &values));
        let numbers = images.map(|image| {
            let mut side = state.facts.numbers.clone();
            side.assume_all(image.constraints(&same, &same));
            side
        });
        Self { numbers: numbers.collect(), fields: values.fields }
    }

    fn show(&self, constraint: &Constraint) -> bool {
        self.numbers.iter().all(|side| side.entails(constraint))
    }
}

/// Fields of nodes that are within bounds, as summarized dimensions of a state.
#[must_use]
pub fn values_within(state: &mut State, bounds: &[Bounds]) -> NodeValues {
    let mut values = NodeValues::default();
    for it in bounds {
        let value = state.fresh(Kind::Summary);
        values.fields.push(Field { offset: it.offset, ty: it.ty, value });
        state.facts.numbers.assume_all(it.constraints(value));
    }
    values
}
