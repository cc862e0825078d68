//! Which shapes are tried together.
//!
//! Small heaps fit many shapes: two cells with two links each may be part of a
//! doubly linked list, of a tree or of a skip list. So of the families whose
//! nodes have several links, one is tried at a time, with what extends it and
//! what owns instances of it, and all together only at the end.

use heap::shape::{Order, ShapeDef, ShapeId, ShapeLibrary};
use ir::links::Links;

/// What folding may abstract by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The shapes, those with the most links first.
    pub shapes: Vec<ShapeId>,
    /// Blocks with at least so many links are nodes of shapes with as many only:
    /// a branch of a tree is no list.
    pub exclusive: Option<usize>,
}

/// The plans for a program with these links, in the order in which they are to
/// be tried; at least one.
#[must_use]
pub fn plans(library: &ShapeLibrary, links: &Links) -> Vec<Plan> {
    let order: Vec<ShapeId> = library.by_specificity().collect();
    let fits = |id: &ShapeId| has_room(library, links, library.get(*id));
    let order: Vec<ShapeId> = order.into_iter().filter(fits).collect();
    let is_alternative = |id: ShapeId| library.get(id).n_links() > 1;
    let mut families: Vec<ShapeId> = order
        .iter()
        .map(|id| library.get(*id).trunk)
        .filter(|trunk| is_alternative(*trunk))
        .collect();
    // A user's shapes come before those of the library.
    families.sort_by_key(|family| (library.is_builtin(*family), *family));
    families.dedup();
    let with = |family: ShapeId| {
        let belongs = |id: ShapeId| {
            let trunk = library.get(id).trunk;
            !is_alternative(trunk) || trunk == family
        };
        let shape = library.get(family);
        let fits = |id: &ShapeId| {
            belongs(*id) && library.get(*id).inner.iter().all(|inner| belongs(*inner))
        };
        Plan {
            shapes: order.iter().copied().filter(fits).collect(),
            exclusive: (shape.order() == Order::None).then(|| shape.n_links()),
        }
    };
    let mut plans: Vec<Plan> = families.iter().map(|family| with(*family)).collect();
    // One-way lists may have more links that nobody follows.
    if !families.is_empty() {
        let fits = |id: &ShapeId| {
            let mut parts = library.get(*id).inner.iter().chain([id]);
            parts.all(|part| !is_alternative(library.get(*part).trunk))
        };
        let shapes = order.iter().copied().filter(fits).collect();
        plans.insert(1, Plan { shapes, exclusive: None });
    }
    let all = Plan { shapes: order.clone(), exclusive: None };
    if plans.iter().all(|plan| plan.shapes != all.shapes) {
        plans.push(all);
    }
    plans
}

/// Whether some blocks of the program have as many fields as nodes of a shape.
fn has_room(library: &ShapeLibrary, links: &Links, shape: &ShapeDef) -> bool {
    let (n_links, n_owners) = (shape.n_links(), shape.owners.len());
    let n_fields = shape.labels.len();
    let has_links = if library.owns_cells(shape) {
        links.have_room_for_blocks(n_links, n_owners)
    } else if shape.has_heads() {
        // Links and heads point at each other.
        links.have_room(n_links + n_owners, 0, 0)
    } else {
        links.have_room(n_links, n_owners, library.n_owned_links(shape))
    };
    let has_places = !shape.holds_places() || links.lead_to_places();
    // A cell without links is part of other shapes only.
    n_fields > 0 && has_links && has_places && links.have_addresses(n_fields)
}
