//! Elements of arrays: whether a concrete block has what a segment says of it.

use super::{Referee, Search};
use crate::definitions::address_of;
use crate::segment::Segment;
use crate::{Atom, Block, Content};
use concrete::memory::MemoryBlockId;
use logic::{Constraint, LinearExpr, Var};
use numeric::polyhedron::Polyhedron;

/// A symbolic block of which elements, or what was written last, say something, and the
/// concrete one.
pub(super) type Array<'a> = (&'a Block, MemoryBlockId);

impl Referee<'_> {
    /// What elements hold and their positions.
    pub(super) fn dimensions_of_elements(&self) -> Vec<Var> {
        let segments = self.symbolic.heap.atoms.iter().filter_map(|atom| match atom {
            Atom::Block(block) => block.segment.as_deref(),
            Atom::Instance(_) => None,
        });
        segments.flat_map(|segment| segment.values.variables().collect::<Vec<_>>()).collect()
    }

    /// The blocks that are more than cells and zeros.
    pub(super) fn arrays(&self, search: &Search) -> Vec<Array<'_>> {
        let blocks = self.symbolic.heap.atoms.iter().filter_map(|atom| match atom {
            Atom::Block(block) if block.segment.is_some() || !block.recent.is_empty() => {
                let (id, _) = address_of(&search.value(&block.base.into())?)?;
                Some((block, id))
            }
            Atom::Block(_) | Atom::Instance(_) => None,
        });
        blocks.collect()
    }

    /// Whether the ends of segments may be so that all of these arrays are as they are said to
    /// be, and the numbers hold.
    pub(super) fn elements_exist(
        &self,
        search: &Search,
        arrays: &[Array<'_>],
        numbers: &Polyhedron,
    ) -> bool {
        let Some(((block, id), others)) = arrays.split_first() else { return true };
        let n_bytes = i64::try_from(self.heap.memory.block(*id).size).unwrap_or(0);
        let Some(segment) = block.segment.as_deref() else {
            return self.zeros_are_there(search, (block, *id), 0)
                && self.elements_exist(search, others, numbers);
        };
        // One without elements may begin behind the end of the block.
        let most = (n_bytes / segment.stride + 1).max(segment.first);
        (segment.first..=most).any(|end| {
            let mut with = numbers.clone();
            with.assume(Constraint::eq(segment.end.clone(), end));
            with.assume_all(self.of_elements(search, (block, *id), segment, end));
            !with.is_empty()
                && self.zeros_are_there(search, (block, *id), end)
                && self.elements_exist(search, others, &with)
        })
    }

    /// What the numbers say of each element, with what it holds. Of none, they say it of
    /// something that is made up.
    fn of_elements(
        &self,
        search: &Search,
        (block, id): Array<'_>,
        segment: &Segment,
        end: i64,
    ) -> Vec<Constraint> {
        let mentions = |it: &&Constraint| segment.values.variables().any(|v| it.mentions(v));
        let numbers = self.symbolic.facts.numbers.constraints().iter();
        let about: Vec<&Constraint> = numbers.filter(mentions).collect();
        let n_bytes = i64::try_from(self.heap.memory.block(id).size).unwrap_or(0);
        let mut all: Vec<Constraint> = Vec::new();
        let mut is_any = false;
        for index in segment.first..end {
            let start = index * segment.stride;
            if start + segment.stride > n_bytes {
                continue;
            }
            is_any = true;
            let image = |v: Var| self.value_in_element(search, (block, id), segment, (index, v));
            all.extend(about.iter().filter_map(|constraint| {
                let known = constraint.expr().variables().all(|v| image(v).is_some());
                known.then(|| constraint.map(|v| image(v).unwrap_or_default()))
            }));
        }
        if is_any { all } else { about.into_iter().cloned().collect() }
    }

    fn value_in_element(
        &self,
        search: &Search,
        (block, id): Array<'_>,
        segment: &Segment,
        (index, variable): (i64, Var),
    ) -> Option<LinearExpr> {
        if segment.values.position == Some(variable) {
            return Some(index.into());
        }
        let Some(field) = segment.values.fields.iter().find(|field| field.value == variable) else {
            return Some(variable.into());
        };
        let at = index * segment.stride + field.offset;
        let width = self.width(field.ty);
        let is_free = (at..at + width).all(|byte| !self.is_described(search, block, byte));
        let value = self.heap.read(id, at, field.ty).filter(|_| is_free)?;
        value.as_constant().is_some().then_some(value)
    }

    /// Whether a cell, or what was written last, may lie at a byte.
    fn is_described(&self, search: &Search, block: &Block, byte: i64) -> bool {
        let holds = |offset: i64, width: i64| (offset..offset + width).contains(&byte);
        block.cells.iter().any(|cell| holds(cell.offset, self.width(cell.ty)))
            || block.recent.iter().any(|it| {
                let offset = search.value(&it.offset);
                let offset = offset.as_ref().and_then(LinearExpr::as_constant);
                offset
                    .and_then(|it| i64::try_from(it.to_i128()?).ok())
                    .is_none_or(|offset| holds(offset, self.width(it.ty)))
            })
    }

    /// Whether what is neither described nor an element is zero, where the block says so.
    fn zeros_are_there(&self, search: &Search, (block, id): Array<'_>, end: i64) -> bool {
        let n_bytes = i64::try_from(self.heap.memory.block(id).size).unwrap_or(0);
        let is_element = |byte: i64| {
            block.segment.as_deref().is_some_and(|segment| {
                (segment.first * segment.stride..end * segment.stride).contains(&byte)
            })
        };
        block.content == Content::Arbitrary
            || (0..n_bytes).all(|byte| {
                is_element(byte)
                    || self.is_described(search, block, byte)
                    || self.heap.is_zero(id, byte)
            })
    }
}
