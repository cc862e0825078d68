//! Entailment of what elements of arrays own.

use super::{Goal, Use, Walk};
use base::limits::MOST_GOALS_OF_ELEMENT;
use heap::proof::Proof;
use heap::row::{Holding, Nulls, Row, Sizes};
use heap::shape::ShapeLibrary;
use heap::state::State;
use heap::values::{NodeValues, are_within};
use heap::{Block, FloatingCell, Instance};
use logic::LinearExpr;
use std::cell::Cell;

impl Walk<'_> {
    /// ```text
    ///   σ(first) = first'    σ(end) = end'    elements that are not wanted own what they should
    ///   ─────────────────────────────────────────────────────────────────────────────────── ROW
    ///   b' ↦ { …; P' in first' ≤ i < end' } * Q  ⊢  σ(b ↦ { …; P in first ≤ i < end })
    /// ```
    ///
    /// Returns how the instances are made up that elements own which the wanted block does not
    /// name.
    pub(super) fn rows(&mut self, wanted: &Block, block: &Block) -> Option<Vec<Proof>> {
        let has_owners = |row: &&Row| row.holds.is_some();
        let mut unwanted = block.rows.iter().filter(has_owners);
        if unwanted.any(|own| !wanted.rows.iter().any(|row| row.is_like(own))) {
            return None;
        }
        let mut owned = Vec::new();
        for row in &wanted.rows {
            let own = block.rows.iter().find(|own| own.is_like(row))?;
            let fits = match (&own.holds, &row.holds) {
                (None, _) => true,
                (Some(own), Some(wanted)) => own.is_within(wanted),
                (Some(_), None) => false,
            };
            if !fits || own.nulls > row.nulls {
                return None;
            }
            self.unify(&row.first, &own.first)?;
            self.unify(&row.end, &own.end)?;
            self.room(row, own)?;
            for (index, element) in block.named_elements(own) {
                let width = LinearExpr::from(8);
                if self.is_wanted(wanted, &element)
                    || (row.nulls == Nulls::Some && self.have.surely_zero(&element.value))
                    || own.is_missed(self.have, &element.offset, &width)
                {
                    continue;
                }
                own.reaches(self.have, &index).then_some(())?;
                let room = self.value(&row.room)?;
                has_size(self.have, &element.value, (&room, row.sizes)).then_some(())?;
                owned.push(self.owned_by(row, &element)?);
            }
        }
        Some(owned)
    }

    /// What is owned has as many bytes as is wanted, or as many are wanted as it has.
    fn room(&mut self, row: &Row, own: &Row) -> Option<()> {
        if own.holds.is_some() && own.sizes > row.sizes {
            return None;
        }
        let Some(wanted) = self.value(&row.room) else {
            return self.unify(&row.room, &own.room);
        };
        let is_met = || self.have.surely_at_most_zero(&wanted.sub(&own.room));
        (own.holds.is_none() || is_met()).then_some(())
    }

    fn is_wanted(&self, wanted: &Block, element: &FloatingCell) -> bool {
        wanted.scalars().any(|it| {
            it.ty == element.ty
                && self.value(&it.offset).is_some_and(|at| self.equal(&at, &element.offset))
        })
    }

    /// How the instance is made up that an element owns.
    fn owned_by(&mut self, row: &Row, element: &FloatingCell) -> Option<Proof> {
        let holding = row.holds.as_ref()?;
        let found = self.prove(&goal(&instance(holding, self.shape_library), holding, element))?;
        let bounds = (holding.shape, holding.bounds.as_slice());
        are_within(self.have, bounds, &found.proof, self.shape_library).then_some(())?;
        self.used = found.used;
        Some(found.proof)
    }
}

/// Whether what an element owns that holds a value surely has so many bytes.
pub(crate) fn has_size(
    state: &State,
    value: &LinearExpr,
    (room, sizes): (&LinearExpr, Sizes),
) -> bool {
    let is_met = |size: &LinearExpr| state.has_size(size, (room, sizes));
    room.is_zero() && sizes == Sizes::Any || state.bytes_behind(value).is_some_and(is_met)
}

fn goal<'a>(wanted: &'a Instance, holding: &Holding, element: &FloatingCell) -> Goal<'a> {
    Goal { wanted, arguments: holding.arguments(&element.value) }
}

/// An instance of the shape, with arguments that mean nothing.
fn instance(holding: &Holding, library: &ShapeLibrary) -> Instance {
    Instance {
        shape: holding.shape,
        template: holding.template.clone(),
        arguments: holding.places.iter().map(|_| LinearExpr::zero()).collect(),
        anchor_mask: library.get(holding.shape).anchor_mask(),
        depth: LinearExpr::zero(),
        values: NodeValues::default(),
    }
}

/// What an element owns: how it is made up, of which atoms, and its arguments.
pub(crate) struct Owned {
    pub(crate) proof: Proof,
    pub(crate) atoms: Vec<usize>,
    pub(crate) arguments: Vec<LinearExpr>,
}

/// The atoms of a state that make up what an element with a value owns, if all of it is there.
pub(crate) fn owned(
    state: &State,
    holding: &Holding,
    element: &FloatingCell,
    library: &ShapeLibrary,
) -> Option<Owned> {
    let goals = Cell::new(MOST_GOALS_OF_ELEMENT);
    let walk = Walk::new(state, state, library, &goals);
    let found = walk.prove(&goal(&instance(holding, library), holding, element))?;
    let used = found.used.iter().enumerate().filter(|(_, it)| **it == Use::Used);
    let atoms = used.map(|(index, _)| index).collect();
    Some(Owned { proof: found.proof, atoms, arguments: found.arguments })
}
