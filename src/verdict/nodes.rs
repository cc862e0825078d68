//! What the nodes of an instance hold, read off the atoms that make it up: the
//! check's own reading of summarized dimensions (`heap::values`).
//!
//! A wanted instance says something of a field `v` and the position `p` of *every*
//! node. The atoms that make the instance up divide the nodes into parts: a block is
//! one node, an instance some. What holds in each part holds of every node.

use heap::proof::Proof;
use heap::shape::{Kin, PatternAtom, ShapeId, ShapeLibrary};
use heap::state::{Kind, State};
use heap::values::Field;
use heap::{Atom, Block, Cell, Content, Instance};
use ir::ScalarType;
use logic::{Constraint, LinearExpr, Var};

/// What is known of the fields and the position of the nodes of one atom.
pub(super) type Part = Vec<Constraint>;

/// What is known of the nodes of each atom that a proof makes a wanted instance up of.
/// The wanted dimensions are called as `name` says. Nothing when the proof does not fit
/// the shape.
pub(super) fn parts(
    have: &State,
    (wanted, name): (&Instance, &dyn Fn(Var) -> LinearExpr),
    proof: &Proof,
    library: &ShapeLibrary,
) -> Option<Vec<Part>> {
    let mut walk = Walk { have, wanted, name, library, parts: Vec::new() };
    walk.visit(wanted.shape, proof, Some(LinearExpr::zero()))?;
    Some(walk.parts)
}

/// A walk over the atoms of a proof that have nodes of the instance's own family.
struct Walk<'a> {
    have: &'a State,
    wanted: &'a Instance,
    name: &'a dyn Fn(Var) -> LinearExpr,
    library: &'a ShapeLibrary,
    parts: Vec<Part>,
}

impl Walk<'_> {
    /// Visits the nodes of a proof. `before` is how many nodes come before these, if
    /// the nodes have an order. Returns how many there are.
    fn visit(
        &mut self,
        shape: ShapeId,
        proof: &Proof,
        before: Option<LinearExpr>,
    ) -> Option<LinearExpr> {
        let (number, inner) = match proof {
            Proof::Same(index) => return self.atom(*index, before),
            Proof::Rule(number, inner) => (*number, inner),
            Proof::Row(..) => return None,
        };
        let rule = self.library.get(shape).rules.get(number)?;
        let own = rule.left.iter().enumerate().filter_map(|(position, part)| match part {
            PatternAtom::Cell(..) => Some((position, shape)),
            PatternAtom::Instance(part) => {
                (part.kin == Kin::Family).then_some((position, part.shape))
            }
        });
        let mut own: Vec<(usize, ShapeId)> = own.collect();
        let mut before = before;
        match &rule.order {
            // Each part once, from the first node to the last.
            Some(order) if order.len() == own.len() => {
                let in_order =
                    order.iter().map(|at| own.iter().find(|(own, _)| own == at).copied());
                let in_order: Vec<_> = in_order.collect::<Option<_>>()?;
                let mut sorted = in_order.clone();
                sorted.sort();
                if sorted != own {
                    return None;
                }
                own = in_order;
            }
            Some(_) => return None,
            None => before = None,
        }
        let mut total = LinearExpr::zero();
        for (position, shape) in own {
            let n_nodes = self.visit(shape, inner.get(position)?, before.clone())?;
            before = before.map(|before| before.add(&n_nodes));
            total = total.add(&n_nodes);
        }
        Some(total)
    }

    fn atom(&mut self, index: usize, before: Option<LinearExpr>) -> Option<LinearExpr> {
        let atom = self.have.heap.atoms.get(index)?;
        let mut part = Part::new();
        for field in &self.wanted.values.fields {
            let held = match atom {
                Atom::Block(block) => number_in(self.have, block, *field),
                Atom::Instance(instance) => {
                    let same = |own: &&Field| (own.offset, own.ty) == (field.offset, field.ty);
                    let own = instance.values.fields.iter().find(same);
                    own.map(|own| LinearExpr::var(own.value))
                }
            };
            part.extend(held.map(|held| Constraint::eq((self.name)(field.value), held)));
        }
        let n_nodes = match atom {
            Atom::Block(_) => LinearExpr::from(1),
            Atom::Instance(instance) => instance.depth.clone(),
        };
        if let (Some(position), Some(before)) = (self.wanted.values.position, before) {
            let position = (self.name)(position);
            let own = match atom {
                Atom::Instance(instance) => instance.values.position,
                Atom::Block(_) => None,
            };
            if let Some(own) = own {
                part.push(Constraint::eq(position, before.add(&own.into())));
            } else {
                let last = before.add(&n_nodes).add_constant(-1);
                part.push(Constraint::ge(position.clone(), before));
                part.push(Constraint::le(position, last));
            }
        }
        self.parts.push(part);
        Some(n_nodes)
    }
}

/// The number that a block holds where a field lies, if it is known.
fn number_in(state: &State, block: &Block, field: Field) -> Option<LinearExpr> {
    let wanted = Cell { offset: field.offset, ty: field.ty, value: LinearExpr::zero() };
    let mut touched = block.cells.iter().filter(|cell| cell.overlaps(&wanted));
    match (touched.next(), touched.next()) {
        (None, _) => {
            let is_zero = block.content == Content::Zero
                && block.segment.is_none()
                && block.recent.is_empty()
                && !matches!(field.ty, ScalarType::Float(_));
            is_zero.then(LinearExpr::zero)
        }
        (Some(cell), None) => {
            let fits = (cell.offset, cell.ty) == (field.offset, field.ty);
            (fits && state.kind_of(&cell.value) == Kind::Integer).then(|| cell.value.clone())
        }
        (Some(_), Some(_)) => None,
    }
}
