//! What the elements of wanted rows own, read off the block that is to be described: the
//! check's own reading of rows (`heap::row`).
//!
//! A wanted row says of *every* element from its first one to its end that it is null or owns an
//! instance, but for those that the wanted block names. So each of them is an element of the
//! block's own row, or one that the block names, which is null or owns what a proof makes up;
//! and what the block's own row owns is owned by elements of the wanted one, or was by elements
//! that the block names.

use super::cover::{Claim, Judge};
use super::nodes;
use super::templates::is_within;
use heap::bounds::Bounds;
use heap::proof::Proof;
use heap::row::{Holding, Nulls, Place, Row, Sizes};
use heap::state::Kind;
use heap::values::{Field, NodeValues};
use heap::{Atom, Block, Instance};
use ir::{MemoryKind, ScalarType};
use logic::{Constraint, Integer, LinearExpr, Var};
use smallvec::SmallVec;

/// A pointer that a block names and that is an element of an array.
struct Element {
    index: LinearExpr,
    offset: LinearExpr,
    value: LinearExpr,
}

/// Indices of elements, from the first one to the one behind the last one.
struct Range {
    first: LinearExpr,
    end: LinearExpr,
}

impl Judge<'_, '_> {
    /// Whether elements own what the wanted block says. The proofs make up what elements own
    /// that the wanted block does not name.
    pub(super) fn rows_are(&mut self, wanted: &Block, block: &Block, owned: &[Proof]) -> bool {
        let mut open: Vec<&Proof> = owned.iter().collect();
        wanted.rows.iter().all(|row| self.row_is(row, (wanted, block), &mut open))
            && open.is_empty()
            && block.rows.iter().all(|own| {
                own.holds.is_none()
                    || wanted.rows.iter().any(|row| is_like(row, own))
                    || self.is_shown(&Constraint::le(&own.end, &own.first))
            })
    }

    /// Whether elements of an atom's rows may own memory.
    pub(super) fn owns_by_rows(&mut self, atom: &Atom) -> bool {
        let Atom::Block(block) = atom else { return false };
        block
            .rows
            .iter()
            .filter(|row| row.holds.as_ref().is_some_and(is_heap))
            .any(|row| !self.is_shown(&Constraint::le(&row.end, &row.first)))
    }

    fn row_is(
        &mut self,
        row: &Row,
        (wanted, block): (&Block, &Block),
        open: &mut Vec<&Proof>,
    ) -> bool {
        let range = Range { first: self.value(&row.first), end: self.value(&row.end) };
        let is_number = |it: &LinearExpr| self.claim.have.kind_of(it) == Kind::Integer;
        if !is_number(&range.first) || !is_number(&range.end) {
            return false;
        }
        let own = block.rows.iter().find(|own| is_like(row, own));
        let elements = elements(block, row);
        let own_range = own.map(|own| Range { first: own.first.clone(), end: own.end.clone() });
        if !self.is_made_of(&range, own_range.as_ref(), &elements) {
            return false;
        }
        let may_be_null = |it: &Row| it.nulls == Nulls::Some;
        if own.is_some_and(may_be_null) && !may_be_null(row) {
            return false;
        }
        if let Some((own, held)) = own.and_then(|own| Some((own, own.holds.as_ref()?))) {
            let own_range = Range { first: own.first.clone(), end: own.end.clone() };
            let room = self.value(&row.room);
            let is_kept = row.holds.as_ref().is_some_and(|holds| holds_as(held, holds))
                && self.is_at_most(&room, &own.room)
                && (own.sizes == row.sizes || row.sizes == Sizes::Any)
                && self.is_made_of(&own_range, Some(&range), &elements);
            if !is_kept {
                return false;
            }
        }
        // What the block's own row owns at an element would be nobody's, if the wanted block named
        // that element and the block did not.
        let owner = own.filter(|own| own.holds.is_some());
        self::elements(wanted, row).iter().all(|it| self.is_accounted(it, owner, &elements))
            && elements.iter().all(|element| {
                self.is_named(element, wanted) || self.is_owner(element, (row, &range), open)
            })
    }

    /// Whether an element that the wanted block names is one that the block names, or none of
    /// those that own something in its row.
    fn is_accounted(&mut self, wanted: &Element, owner: Option<&Row>, known: &[Element]) -> bool {
        let offset = self.value(&wanted.offset);
        let index = self.value(&wanted.index);
        owner.is_none_or(|own| {
            known.iter().any(|it| self.is_same(&it.offset, &offset))
                || self.is_shown(&Constraint::lt(&index, &own.first))
                || self.is_shown(&Constraint::ge(&index, &own.end))
        })
    }

    /// Whether each index of a range is one of another range, or that of an element.
    fn is_made_of(&mut self, range: &Range, other: Option<&Range>, elements: &[Element]) -> bool {
        let mut reached = range.first.clone();
        let mut other = other;
        for _ in 0..elements.len() + 2 {
            if self.is_shown(&Constraint::le(&range.end, &reached)) {
                return true;
            }
            let next = other.filter(|it| {
                self.is_shown(&Constraint::le(&it.first, &reached))
                    && self.is_shown(&Constraint::ge(&it.end, &reached))
            });
            if let Some(next) = next {
                reached = next.end.clone();
                other = None;
            } else if elements.iter().any(|it| self.is_same(&it.index, &reached)) {
                reached = reached.add_constant(1);
            } else {
                return false;
            }
        }
        self.is_shown(&Constraint::le(&range.end, &reached))
    }

    fn is_same(&mut self, left: &LinearExpr, right: &LinearExpr) -> bool {
        let difference = left.sub(right);
        match difference.as_constant() {
            Some(constant) => constant.is_zero(),
            None => {
                self.claim.have.kind_of(&difference) == Kind::Integer
                    && self.is_shown(&Constraint::zero(difference))
            }
        }
    }

    /// Whether the wanted block names an element, and its value.
    fn is_named(&mut self, element: &Element, wanted: &Block) -> bool {
        let pointers = wanted.scalars().filter(|it| it.ty == ScalarType::Pointer);
        let named: Vec<(LinearExpr, LinearExpr)> =
            pointers.map(|it| (self.value(&it.offset), self.value(&it.value))).collect();
        named.iter().any(|(offset, value)| {
            self.is_same(offset, &element.offset) && self.is_same(value, &element.value)
        })
    }

    /// Whether an element that is not named is null, or owns what one of the proofs makes up, or
    /// is none of the wanted ones.
    fn is_owner(
        &mut self,
        element: &Element,
        (row, range): (&Row, &Range),
        open: &mut Vec<&Proof>,
    ) -> bool {
        if (row.nulls == Nulls::Some && self.is_same(&element.value, &LinearExpr::zero()))
            || self.is_shown(&Constraint::lt(&element.index, &range.first))
            || self.is_shown(&Constraint::ge(&element.index, &range.end))
        {
            return true;
        }
        let is_inside = self.is_shown(&Constraint::ge(&element.index, &range.first))
            && self.is_shown(&Constraint::lt(&element.index, &range.end));
        let Some(holds) = row.holds.as_ref().filter(|_| is_inside) else { return false };
        if !row.is_of_any_size() && !self.has_size(&element.value, row) {
            return false;
        }
        let mut proofs = open.iter();
        let position = proofs.position(|proof| self.makes_up(holds, &element.value, proof));
        let Some(position) = position else { return false };
        open.remove(position);
        true
    }

    /// Whether an address leads into a block that has as many bytes as a row says.
    fn has_size(&mut self, address: &LinearExpr, row: &Row) -> bool {
        let (have, room) = (self.claim.have, self.value(&row.room));
        let most = match row.sizes {
            Sizes::Counted => Some(LinearExpr::from(i64::from(i32::MAX))),
            Sizes::Any => None,
        };
        let leads_there = |block: &&Block| address.sub(&block.base.into()).as_constant().is_some();
        let blocks = have.heap.atoms.iter().filter_map(|atom| match atom {
            Atom::Block(block) => Some(block),
            Atom::Instance(_) => None,
        });
        let sizes: Vec<LinearExpr> =
            blocks.filter(leads_there).map(|block| block.size.clone()).collect();
        sizes.iter().any(|size| {
            self.is_at_most(&room, size)
                && most.as_ref().is_none_or(|most| self.is_at_most(size, most))
        })
    }

    fn is_at_most(&mut self, least: &LinearExpr, most: &LinearExpr) -> bool {
        least == most
            || self.claim.have.kind_of(&least.sub(most)) == Kind::Integer
                && self.is_shown(&Constraint::le(least, most))
    }

    /// Names for the numbers of nodes that nothing else is called by.
    fn fields(&self, bounds: &[Bounds]) -> SmallVec<[Field; 1]> {
        let first = self.first_free_name();
        let field = |(at, it): (usize, &Bounds)| Field {
            offset: it.offset,
            ty: it.ty,
            value: Var::at(first + at),
        };
        bounds.iter().enumerate().map(field).collect()
    }

    /// Whether the numbers of all nodes that a proof makes up are within bounds.
    fn are_within(&mut self, wanted: &Instance, bounds: &[Bounds], proof: &Proof) -> bool {
        if bounds.is_empty() {
            return true;
        }
        let Claim { have, machine, .. } = self.claim;
        let name = |v: Var| LinearExpr::var(v);
        let parts = nodes::parts(have, (wanted, &name), proof, machine.shape_library);
        let Some(parts) = parts else { return false };
        let mut sides = parts.into_iter().map(|part| {
            let known = have.facts.numbers.constraints().iter().cloned();
            known.chain(part).collect::<Vec<_>>()
        });
        sides.all(|side| {
            bounds.iter().zip(&wanted.values.fields).all(|(it, field)| {
                let least = it.least.map(|least| Constraint::ge(field.value, Integer::from(least)));
                let most = it.greatest.map(|most| Constraint::le(field.value, Integer::from(most)));
                least.into_iter().chain(most).all(|it| self.is_implied(&side, &it))
            })
        })
    }

    /// Whether a proof makes up what an element owns that holds a value.
    fn makes_up(&mut self, holds: &Holding, value: &LinearExpr, proof: &Proof) -> bool {
        let wanted = Instance {
            shape: holds.shape,
            template: holds.template.clone(),
            arguments: holds.places.iter().map(|_| LinearExpr::zero()).collect(),
            anchor_mask: 0,
            depth: LinearExpr::zero(),
            values: NodeValues { position: None, fields: self.fields(&holds.bounds) },
        };
        let Some(made) = self.make_up(&wanted, proof) else { return false };
        self.are_within(&wanted, &holds.bounds, proof)
            && made.shape == holds.shape
            && is_within(&made.template, &holds.template)
            && made.arguments.len() == holds.places.len()
            && made.arguments.iter().zip(&holds.places).all(|(argument, place)| match place {
                Place::Element => argument == value,
                Place::Null => argument.is_zero(),
                Place::Some => true,
            })
    }
}

/// Whether all numbers of nodes that are within some bounds are within others.
fn admits_no_more(own: &[Bounds], other: &[Bounds]) -> bool {
    other.iter().all(|it| {
        own.iter().any(|own| {
            (own.offset, own.ty) == (it.offset, it.ty)
                && it.least.is_none_or(|least| own.least.is_some_and(|own| own >= least))
                && it.greatest.is_none_or(|most| own.greatest.is_some_and(|own| own <= most))
        })
    })
}

fn is_heap(holds: &Holding) -> bool {
    holds.template.region.kind == MemoryKind::Heap
}

fn is_like(row: &Row, other: &Row) -> bool {
    (row.stride, row.offset) == (other.stride, other.offset)
}

/// Whether what is owned in one way is owned in the other.
fn holds_as(own: &Holding, other: &Holding) -> bool {
    own.shape == other.shape
        && is_within(&own.template, &other.template)
        && admits_no_more(&own.bounds, &other.bounds)
        && own.places.len() == other.places.len()
        && own.places.iter().zip(&other.places).all(|(own, other)| match other {
            Place::Some => *own != Place::Element,
            Place::Element | Place::Null => own == other,
        })
}

/// The pointers of a block that are elements of an array, as a row counts them.
fn elements(block: &Block, row: &Row) -> Vec<Element> {
    let pointers = block.scalars().filter(|it| it.ty == ScalarType::Pointer);
    let element = |it: heap::FloatingCell| {
        let start = it.offset.add_constant(-row.offset);
        let index = start.div_exact(&Integer::from(row.stride))?;
        let is_whole = index.scale(&row.stride.into()) == start;
        is_whole.then_some(Element { index, offset: it.offset, value: it.value })
    };
    pointers.filter_map(element).collect()
}
