//! Which shapes are tried together.
//!
//! Small heaps fit many shapes: two cells with two links each may be part of a
//! doubly linked list, of a tree or of a skip list. So of the families whose
//! nodes have several links, one is tried at a time, and all together only at
//! the end.

use crate::heap::shape::{Order, ShapeId, ShapeLibrary};
use crate::ir::links::Links;

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
    let fits = |id: &ShapeId| {
        let shape = library.get(*id);
        links.have_room(shape.n_links(), shape.owners.len())
    };
    let order: Vec<ShapeId> = order.into_iter().filter(fits).collect();
    let is_alternative = |id: ShapeId| library.get(id).n_links() > 1;
    let mut families: Vec<ShapeId> =
        order.iter().filter(|id| is_alternative(**id)).map(|id| library.get(*id).family).collect();
    // A user's shapes come before those of the library.
    families.sort_by_key(|family| (library.is_builtin(*family), *family));
    families.dedup();
    let with = |family: ShapeId| {
        let belongs = |id: &ShapeId| !is_alternative(*id) || library.get(*id).family == family;
        let shape = library.get(family);
        // Where nodes own instances of the family, they own no others.
        let owns = |id: &ShapeId| {
            library.get(*id).inner.iter().any(|inner| library.get(*inner).family == family)
        };
        let is_owner = |id: &ShapeId| !library.get(*id).inner.is_empty();
        let has_owners = order.iter().any(owns);
        let belongs = |id: &ShapeId| belongs(id) && (!has_owners || !is_owner(id) || owns(id));
        Plan {
            shapes: order.iter().copied().filter(belongs).collect(),
            exclusive: (shape.order() == Order::None).then(|| shape.n_links()),
        }
    };
    let mut plans: Vec<Plan> = families.iter().map(|family| with(*family)).collect();
    let all = Plan { shapes: order.clone(), exclusive: None };
    if plans.iter().all(|plan| plan.shapes != all.shapes) {
        plans.push(all);
    }
    plans
}
