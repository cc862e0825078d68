//! Lists that are as long as a number beside them says.
//!
//! ```text
//!   x ↦ { first: f, n: k }    nothing is known behind f
//!   ───────────────────────────────────────────────────── COUNTED
//!   P * ls[k](f, 0)    or    P & f = 0 & k = 0
//! ```

use super::Candidate;
use heap::Atom;
use heap::shape::{Order, ShapeLibrary};
use ir::open::{NumberField, OpenEntry};
use logic::{LinearExpr, Var};
use rules::eval::Missing;

/// More numbers of a structure are not tried.
const MAX_COUNTS: usize = 2;

impl Candidate {
    /// The pointer is the root of a list whose length stands in the structure that holds the
    /// pointer; and the same for empty lists.
    pub(in super::super) fn with_counted(
        &self,
        missing: &Missing,
        open: &OpenEntry,
        library: &ShapeLibrary,
    ) -> [Vec<Self>; 2] {
        let Missing::Block(address) = missing else { return Default::default() };
        let Some((pointer, _)) = self.pointer(address) else { return Default::default() };
        let Some((holder, fields)) = self.counts_beside(pointer, open) else {
            return Default::default();
        };
        let mut found = Vec::new();
        let mut empty = Vec::new();
        for field in fields {
            let Some((named, number)) = self.with_number(holder, field) else { continue };
            let [lists, _] = named.with_shapes(missing, open, library);
            for list in lists {
                found.extend(list.counted_by(&number, library));
            }
            let mut next = named;
            next.types.remove(&pointer);
            let is_null = !next.state.assume_zero(&pointer.into()).is_empty();
            if is_null && !next.state.assume_zero(&number).is_empty() {
                empty.push(next);
            }
        }
        [found, empty]
    }

    /// The block that holds a pointer, and the integers in it that may be lengths.
    fn counts_beside<'a>(
        &self,
        pointer: Var,
        open: &'a OpenEntry,
    ) -> Option<(usize, impl Iterator<Item = &'a NumberField> + use<'a>)> {
        let holds = |atom: &Atom| match atom {
            Atom::Block(block) => block.cells.iter().any(|cell| cell.value == pointer.into()),
            Atom::Instance(_) => false,
        };
        let holder = self.state.heap.atoms.iter().position(holds)?;
        let Atom::Block(block) = &self.state.heap.atoms[holder] else { return None };
        let layout = open.layout(*self.types.get(&block.base)?);
        let fields = layout.numbers.iter().filter(|field| is_count(&field.name));
        Some((holder, fields.take(MAX_COUNTS)))
    }

    /// The list that was added last has so many nodes, if nodes follow each other in it.
    fn counted_by(mut self, number: &LinearExpr, library: &ShapeLibrary) -> Option<Self> {
        let Some(Atom::Instance(list)) = self.state.heap.atoms.last() else { return None };
        let is_list = library.get(list.shape).order() == Order::Linear;
        let difference = list.depth.sub(number);
        let is_possible = !self.state.assume_zero(&difference).is_empty();
        (is_list && is_possible).then_some(self)
    }
}

/// Whether a number may be a length, by its name. Nothing rests on it.
fn is_count(name: &str) -> bool {
    let name = name.rsplit('.').next().unwrap_or(name).to_lowercase();
    name == "n" || ["len", "count", "num", "size", "nr", "nodes"].iter().any(|it| name.contains(it))
}
