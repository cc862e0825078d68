//! Rows of arrays: whether the pointers of a concrete block own what a row says of them.

use super::elements::Array;
use super::{Equation, Referee, Search};
use crate::bounds::Bounds;
use crate::definitions::{PatternModel, address_of};
use crate::row::{Nulls, Row};
use crate::{Atom, Block};
use concrete::memory::MemoryBlockId;
use ir::ScalarType;
use logic::{Integer, LinearExpr};

impl Referee<'_> {
    /// The ways to find in the memory what elements of rows own. All other atoms are placed.
    pub(super) fn place_rows(&self, search: Search) -> Vec<Search> {
        let mut ways = vec![search];
        for atom in &self.symbolic.heap.atoms {
            let Atom::Block(block) = atom else { continue };
            for row in &block.rows {
                ways = ways.iter().flat_map(|way| self.place_row(way, block, row)).collect();
            }
        }
        ways
    }

    fn place_row(&self, search: &Search, block: &Block, row: &Row) -> Vec<Search> {
        let base = search.value(&block.base.into());
        let Some((id, _)) = base.as_ref().and_then(address_of) else { return Vec::new() };
        let n_elements =
            i64::try_from(self.heap.memory.block(id).size).unwrap_or(0) / row.stride + 1;
        let of = |end: &LinearExpr| {
            let known = search.value(end).and_then(|it| it.as_constant()?.to_i128());
            match known.and_then(|it| i64::try_from(it).ok()) {
                Some(known) => vec![known],
                None => (0..=n_elements).collect(),
            }
        };
        let mut ways = Vec::new();
        for first in of(&row.first) {
            for end in of(&row.end) {
                let mut way = search.clone();
                for (symbolic, concrete) in [(&row.first, first), (&row.end, end)] {
                    let (symbolic, concrete) = (symbolic.clone(), LinearExpr::from(concrete));
                    way.equations.push(Equation { symbolic, concrete });
                }
                if self.propagate(&mut way).is_some() {
                    ways.extend(self.place_elements(way, (block, id), row, first..end));
                }
            }
        }
        ways
    }

    fn place_elements(
        &self,
        search: Search,
        (block, id): Array<'_>,
        row: &Row,
        indices: std::ops::Range<i64>,
    ) -> Vec<Search> {
        let mut ways = vec![search];
        for index in indices {
            let offset = index * row.stride + row.offset;
            let at = LinearExpr::from(offset);
            let is_named = |way: &Search| {
                block.scalars().any(|it| {
                    it.ty == ScalarType::Pointer && way.value(&it.offset).as_ref() == Some(&at)
                })
            };
            let owned = |way: &Search| {
                if is_named(way) {
                    vec![way.clone()]
                } else {
                    self.place_owned(way, row, (id, offset))
                }
            };
            ways = ways.iter().flat_map(owned).collect();
        }
        ways
    }

    /// Whether the numbers of a node are within bounds, as far as the run chose them.
    fn is_within(&self, node: MemoryBlockId, bounds: &[Bounds]) -> bool {
        bounds.iter().all(|it| {
            let value = self.heap.read(node, it.offset, it.ty);
            let number = value.and_then(|it| it.as_constant()?.to_i128());
            number.is_none_or(|number| it.admit(number))
        })
    }

    /// What one element owns: nothing, if it is null or was not chosen.
    fn place_owned(
        &self,
        search: &Search,
        row: &Row,
        (id, offset): (MemoryBlockId, i64),
    ) -> Vec<Search> {
        let Some(value) = self.heap.read(id, offset, ScalarType::Pointer) else {
            return vec![search.clone()];
        };
        if value.is_zero() {
            return if row.nulls == Nulls::Some { vec![search.clone()] } else { Vec::new() };
        }
        let Some(holds) = &row.holds else { return Vec::new() };
        let arguments = holds.arguments(&value);
        let models =
            self.heap.models_instance(holds.shape, &holds.template, &arguments, &search.used);
        let with = |blocks| {
            let mut way = search.clone();
            way.used.extend(blocks);
            way
        };
        let room = search.value(&row.room).and_then(|it| it.as_constant()?.to_i128());
        let is_within = |model: &PatternModel| {
            model.nodes.iter().all(|node| {
                let size = self.heap.memory.block(*node).size;
                self.is_within(*node, &holds.bounds)
                    && room.is_none_or(|least| least <= size)
                    && row.sizes.most().is_none_or(|most| Integer::from(size) <= most)
            })
        };
        models.into_iter().filter(is_within).map(|model| with(model.blocks)).collect()
    }
}
