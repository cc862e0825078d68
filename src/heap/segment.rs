//! Elements of an array as one atom: a *segment* of a block.
//!
//! A segment says of each element `i` with `first ≤ i < end`, which lies at byte
//! `i · stride`, what its fields hold, as summarized dimensions do of the nodes of an
//! instance ([`values`](super::values)): a constraint `C(x̄, v, p)` of the state says
//! `C(x̄, vᵢ, i)` of every element. Of a scalar that a cell of the block describes, or that
//! was read or written last, the segment says nothing. Where no element is left, `C(x̄, v, p)`
//! holds for some `v` and `p`, so that what it implies of `x̄` is true in any case.

mod gather;

use super::row::Row;
use super::state::{Kind, State};
use super::values::{Field, NodeValues};
use super::{Atom, Block, Content, FloatingCell};
use ir::ScalarType;
use logic::{Constraint, Integer, LinearExpr, Var};

/// `∗ (first ≤ i < end) base + i·stride ↦ { offset: vᵢ, … }`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Segment {
    /// Bytes of an element, at least 1.
    pub stride: i64,
    /// The index of the first element.
    pub first: i64,
    /// The index behind the last element.
    pub end: LinearExpr,
    /// What elements hold; the position is the index.
    pub values: NodeValues,
}

/// Which cells become elements, where what was read or written last is forgotten.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// None: they stay.
    Stay,
    /// Those that continue a segment.
    Gather,
}

impl Segment {
    /// No element, before the one with this index.
    #[must_use]
    pub fn empty(stride: i64, first: i64) -> Self {
        Self { stride, first, end: first.into(), values: NodeValues::default() }
    }

    /// Whether there is no element, to look at it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.end == LinearExpr::from(self.first)
    }

    /// The field that a scalar in an element is.
    pub fn field(&self, residue: i64, ty: ScalarType) -> Option<Field> {
        let same = |field: &&Field| field.offset == residue && field.ty == ty;
        self.values.fields.iter().find(same).copied()
    }

    fn has_element(&self, state: &State, index: &LinearExpr) -> bool {
        state.surely_at_most_zero(&index.neg().add_constant(self.first))
            && state.surely_at_most_zero(&index.add_constant(1).sub(&self.end))
    }

    fn surely_misses(&self, state: &State, index: &LinearExpr) -> bool {
        state.surely_at_most_zero(&index.add_constant(1 - self.first))
            || state.surely_at_most_zero(&self.end.sub(index))
    }
}

/// The index of the element at an offset, and how far the offset is from its start.
#[must_use]
pub fn place(offset: &LinearExpr, stride: i64) -> Option<(LinearExpr, i64)> {
    let constant = offset.constant_part().to_i128()?;
    let residue = i64::try_from(constant.rem_euclid(i128::from(stride))).ok()?;
    let index = offset.add_constant(-residue).div_exact(&Integer::from(stride))?;
    Some((index, residue))
}

/// What is left of an offset without all whole elements, as far as these are seen.
fn rest(offset: &LinearExpr, stride: i64) -> LinearExpr {
    let stride = Integer::from(stride);
    let whole = &offset.constant_part().div_floor(&stride) * &stride;
    let constant = offset.constant_part() - &whole;
    let terms = offset.terms().iter().filter(|(_, factor)| !stride.divides(factor));
    terms.fold(LinearExpr::constant(constant), |rest, (variable, factor)| {
        rest.add_scaled(&LinearExpr::var(*variable), factor)
    })
}

/// Whether it is noted what elements of a type hold. Numbers as wide as an address are handles
/// more often than indices: what is known of them costs more than it tells.
fn is_noted(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::Int(kind) if kind.bits <= 32)
}

/// The index behind the cells that follow the start of a segment one by one.
fn row_end(block: &Block, segment: &Segment) -> i64 {
    let mut end = segment.first;
    while block.cells.iter().any(|it| it.offset.div_euclid(segment.stride) == end) {
        end += 1;
    }
    end
}

/// Whether two scalars have no byte in common whatever the variables in their distance are: they
/// are different fields of elements.
fn differ_by_remainder(distance: &LinearExpr, width: &Integer, other_width: i64) -> bool {
    let small = |it: &Integer| it.to_i128().filter(|it| it.unsigned_abs() < 1 << 62);
    let stride = small(&distance.content()).filter(|it| *it > 0);
    let (Some(stride), Some(constant), Some(width)) =
        (stride, small(distance.constant_part()), small(width))
    else {
        return false;
    };
    let remainder = constant.rem_euclid(stride);
    remainder >= width && remainder + i128::from(other_width) <= stride
}

/// What is written over bytes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// One pointer, which the block names from then on.
    Pointer,
    /// Anything else.
    Other,
}

impl State {
    fn block(&self, index: usize) -> Option<&Block> {
        match self.heap.atoms.get(index)? {
            Atom::Block(block) => Some(block),
            Atom::Instance(_) => None,
        }
    }

    fn block_mut(&mut self, index: usize) -> Option<&mut Block> {
        match self.heap.atoms.get_mut(index)? {
            Atom::Block(block) => Some(block),
            Atom::Instance(_) => None,
        }
    }

    /// Whether two scalars of a block surely have no byte in common.
    #[must_use]
    pub fn surely_share_no_byte(
        &self,
        (offset, width): (&LinearExpr, &LinearExpr),
        (other, other_width): (&LinearExpr, i64),
    ) -> bool {
        if let Some(width) = width.as_constant()
            && self.kind_of(offset) == Kind::Integer
            && self.kind_of(other) == Kind::Integer
            && differ_by_remainder(&other.sub(offset), width, other_width)
        {
            return true;
        }
        let before = other.add_constant(other_width).sub(offset);
        let behind = offset.add(width).sub(other);
        self.surely_at_most_zero(&before) || self.surely_at_most_zero(&behind)
    }

    /// ```text
    ///   N(x̄, v, p)    first ≤ i < end    no other cell is at i
    ///   ─────────────────────────────────────────────────────── ELEMENT
    ///   N(x̄, v, p) ∧ N(x̄, u, i)         u: what the element holds
    /// ```
    ///
    /// What a scalar at an offset of a block holds, if the segment of the block or its zeros
    /// say something of it. What cells say is not looked at.
    pub fn element(
        &mut self,
        block: usize,
        offset: &LinearExpr,
        ty: ScalarType,
        pointer_bytes: u32,
    ) -> Option<LinearExpr> {
        let found = self.block(block)?;
        let width = LinearExpr::from(i64::from(ty.bytes(pointer_bytes)));
        let is_free = |it: &FloatingCell| {
            let other = (&it.offset, i64::from(it.ty.bytes(pointer_bytes)));
            self.surely_share_no_byte((offset, &width), other)
        };
        if !found.scalars().all(|it| is_free(&it)) {
            return None;
        }
        let is_number = matches!(ty, ScalarType::Int(_) | ScalarType::Pointer);
        let zero = (found.content == Content::Zero && is_number).then(LinearExpr::zero);
        if self.touches_rows(found, (offset, &width)) {
            return None;
        }
        let Some(segment) = found.segment.as_deref() else { return zero };
        let bytes = |index: LinearExpr| index.scale(&segment.stride.into());
        let behind = bytes(segment.end.clone()).sub(offset);
        let before = offset.add(&width).sub(&bytes(segment.first.into()));
        if self.surely_at_most_zero(&behind) || self.surely_at_most_zero(&before) {
            return zero;
        }
        let (index, residue) = place(offset, segment.stride)?;
        let field = segment.field(residue, ty)?;
        if !segment.has_element(self, &index) {
            return None;
        }
        let segment = segment.clone();
        Some(self.copy_of_element(&segment, field, &index))
    }

    /// A number of which all is known that is known of a field of the element at an index.
    fn copy_of_element(
        &mut self,
        segment: &Segment,
        field: Field,
        index: &LinearExpr,
    ) -> LinearExpr {
        let value = LinearExpr::var(self.fresh(Kind::Integer));
        let others: Vec<Var> =
            segment.values.fields.iter().map(|it| it.value).filter(|v| *v != field.value).collect();
        let about = |it: &&Constraint| {
            it.mentions(field.value) && !others.iter().any(|other| it.mentions(*other))
        };
        let image = |v: Var| match v {
            _ if v == field.value => value.clone(),
            _ if Some(v) == segment.values.position => index.clone(),
            _ => v.into(),
        };
        let known: Vec<Constraint> =
            self.facts.numbers.constraints().iter().filter(about).map(|it| it.map(image)).collect();
        self.facts.numbers.assume_all(known);
        value
    }

    /// ```text
    ///   b ↦ { …; 0 }
    ///   ────────────────────────────────────────── ZEROS
    ///   b ↦ { …; v = 0 in first ≤ i < end; 0 }
    /// ```
    ///
    /// Takes the zeros around a scalar at an offset that is not constant for a segment, before
    /// it is written. Where that cannot be said, nothing is known of them any more.
    pub fn divide_zeros(
        &mut self,
        block: usize,
        offset: &LinearExpr,
        (ty, stride): (ScalarType, Option<i64>),
        bytes: u32,
    ) {
        let Some(found) = self.block(block).cloned() else { return };
        if found.content != Content::Zero || found.segment.as_ref().is_some_and(|it| !it.is_empty())
        {
            return;
        }
        // Of numbers that are not modelled nothing is ever known.
        let is_known = !matches!(ty, ScalarType::Float(_)) || !found.cells.is_empty();
        let width = i64::from(ty.bytes(bytes));
        let range =
            if is_known { self.zeros_around(&found, offset, (width, stride)) } else { None };
        let Some((mut segment, residue)) = range else {
            if let Some(found) = self.block_mut(block) {
                found.content = Content::Arbitrary;
            }
            return;
        };
        if is_noted(ty) {
            let value = self.fresh(Kind::Summary);
            self.facts.numbers.assume(Constraint::eq(value, 0));
            segment.values.fields.push(Field { offset: residue, ty, value });
        }
        if let Some(found) = self.block_mut(block) {
            found.segment = Some(Box::new(segment));
        }
    }

    /// The elements between the cells around an offset, and where in an element it lies.
    pub fn zeros_around(
        &mut self,
        block: &Block,
        offset: &LinearExpr,
        (width, stride): (i64, Option<i64>),
    ) -> Option<(Segment, i64)> {
        let counted =
            stride.map_or_else(|| offset.content(), |it| offset.content().gcd(&it.into()));
        let stride = i64::try_from(counted.to_i128()?).ok().filter(|it| *it >= width)?;
        let (_, residue) = place(offset, stride)?;
        if residue + width > stride || self.kind_of(offset) != Kind::Integer {
            return None;
        }
        let (mut first, mut last) = (0, None);
        let row = block.segment.as_deref().filter(|it| it.stride == stride);
        let row = row.map_or(0..0, |it| it.first * stride..row_end(block, it) * stride);
        for cell in block.cells.iter().filter(|it| !row.contains(&it.offset)) {
            let end = cell.offset + i64::from(cell.ty.bytes(8));
            if self.surely_at_most_zero(&offset.neg().add_constant(end)) {
                first = first.max(end.div_euclid(stride) + i64::from(end.rem_euclid(stride) != 0));
            } else if self.surely_at_most_zero(&offset.add_constant(width - cell.offset)) {
                last = Some(last.unwrap_or(cell.offset).min(cell.offset));
            }
        }
        let end = match last {
            Some(last) => last.div_euclid(stride).into(),
            None => self.elements_in(&block.size, stride)?,
        };
        Some((Segment { end, ..Segment::empty(stride, first) }, residue))
    }

    /// How many elements so many bytes are, if a number of the state says so.
    #[must_use]
    pub fn whole_elements_in(&self, bytes: &LinearExpr, stride: i64) -> Option<LinearExpr> {
        let factor = Integer::from(stride);
        if let Some(constant) = bytes.as_constant() {
            return Some(i64::try_from(constant.to_i128()?).ok()?.div_euclid(stride).into());
        }
        let size = bytes.as_var();
        let divided = self.facts.numbers.equalities().iter().filter_map(|equality| {
            let size = size?;
            let solved = match equality.expr().coefficient(size) {
                it if it == Integer::from(1) => equality.expr().neg(),
                it if it == Integer::from(-1) => equality.expr().clone(),
                _ => return None,
            };
            let others = LinearExpr::var(size).add(&solved);
            let is_plain =
                others.variables().all(|v| self.vocabulary.kind(v) == Kind::Integer && v != size);
            others.div_exact(&factor).filter(|_| is_plain)
        });
        let mut divided = divided;
        bytes.div_exact(&factor).or_else(|| divided.next())
    }

    /// How many elements so many bytes are.
    fn elements_in(&mut self, bytes: &LinearExpr, stride: i64) -> Option<LinearExpr> {
        let known = self.whole_elements_in(bytes, stride);
        if known.is_some() {
            return known;
        }
        let factor = Integer::from(stride);
        if self.kind_of(bytes) != Kind::Integer {
            return None;
        }
        let whole = LinearExpr::var(self.fresh(Kind::Integer));
        let rest = bytes.sub(&whole.scale(&factor));
        self.facts.numbers.assume(Constraint::ge(rest.clone(), 0));
        self.facts.numbers.assume(Constraint::le(rest, stride - 1));
        Some(whole)
    }

    /// Something is about to be written at an offset: what says something of these bytes says
    /// nothing any more, or still holds of what was there.
    pub fn overwrite(
        &mut self,
        block: usize,
        (offset, width): (&LinearExpr, &LinearExpr),
        written: Written,
        pointer_bytes: u32,
    ) {
        let bytes = |ty: ScalarType| i64::from(ty.bytes(pointer_bytes));
        let Some(found) = self.block(block) else { return };
        let is_hit = |it: &FloatingCell| {
            !self.surely_share_no_byte((offset, width), (&it.offset, bytes(it.ty)))
        };
        let hit: Vec<FloatingCell> = found.scalars().filter(is_hit).collect();
        for lost in &hit {
            let ends = lost.offset.add_constant(bytes(lost.ty)).sub(offset).sub(width);
            let is_covered = self.surely_at_most_zero(&offset.sub(&lost.offset))
                && self.surely_at_most_zero(&ends);
            if !is_covered {
                self.let_go(block, lost, pointer_bytes);
            }
        }
        // What an element owned that is written is in an atom of its own by now. If the element
        // is not named again, the row would say something of what is written.
        let is_element = |row: &Row, state: &Self| {
            let mut named = hit.iter().filter(|it| row.index_of(it).is_some()).peekable();
            written == Written::Pointer
                && named.peek().is_some()
                && named.all(|it| {
                    *width == LinearExpr::from(bytes(it.ty))
                        && state.surely_zero(&it.offset.sub(offset))
                })
        };
        self.lose_rows(block, &|state, row| {
            !row.is_missed(state, offset, width) && !is_element(row, state)
        });
        let Some(found) = self.block_mut(block) else { return };
        found.recent.retain(|it| !hit.contains(it));
        found.cells.retain(|cell| {
            let is_it = |lost: &FloatingCell| {
                lost.offset == LinearExpr::from(cell.offset) && lost.ty == cell.ty
            };
            !hit.iter().any(is_it)
        });
    }

    /// ```text
    ///   Q ∧ N(x̄, v, p)
    ///   ───────────────────────────────────────── LET GO
    ///   Q ∧ (N(x̄, v, p) ⊔ (v = u ∧ p = i))        u: what was known at index i
    /// ```
    ///
    /// What segment and zeros say is made true of a scalar that is about to be forgotten.
    pub fn let_go(&mut self, block: usize, lost: &FloatingCell, pointer_bytes: u32) {
        let Some(found) = self.block(block).cloned() else { return };
        let width = LinearExpr::from(i64::from(lost.ty.bytes(pointer_bytes)));
        let segment = found.segment.as_deref().filter(|it| !it.is_empty());
        let at = segment.and_then(|it| place(&lost.offset, it.stride));
        let is_inside = segment
            .zip(at.as_ref())
            .is_some_and(|(segment, (index, _))| segment.has_element(self, index));
        if found.content == Content::Zero
            && !is_inside
            && !self.surely_zero(&lost.value)
            && let Some(found) = self.block_mut(block)
        {
            found.content = Content::Arbitrary;
        }
        let Some(segment) = segment else { return };
        let field = at.as_ref().and_then(|(_, residue)| segment.field(*residue, lost.ty));
        let is_number = self.kind_of(&lost.value) == Kind::Integer;
        match field.zip(at).filter(|_| is_number) {
            Some((field, (index, _))) => {
                if !segment.surely_misses(self, &index) {
                    self.weaken_field(segment, field, (&index, &lost.value));
                }
            }
            None => self.forget_fields(block, (&lost.offset, &width)),
        }
    }

    /// What is said of a field becomes what its elements and a value at an index have in common.
    fn weaken_field(
        &mut self,
        segment: &Segment,
        field: Field,
        (index, value): (&LinearExpr, &LinearExpr),
    ) {
        let numbers = &self.facts.numbers;
        let position = segment.values.position;
        let is_of_element = |v: Var| v == field.value || Some(v) == position;
        // Of the element's other fields nothing is known.
        let others = segment.values.fields.iter().map(|it| it.value);
        let others: Vec<Var> = others.filter(|it| *it != field.value).collect();
        let elements = numbers.project_onto(&|v| !others.contains(&v));
        let mut element = elements.project_onto(&|v| !is_of_element(v));
        element.assume(Constraint::eq(field.value, value));
        element.assume_all(position.map(|position| Constraint::eq(position, index)));
        let joined = elements.join(&element);
        let mut weaker = numbers.project_onto(&|v| !is_of_element(v));
        let about =
            joined.constraints().iter().filter(|it| it.expr().variables().any(is_of_element));
        weaker.assume_all(about.cloned());
        self.facts.numbers = weaker;
    }

    /// Forgets what is said of fields that may share bytes with some at an offset.
    pub fn forget_fields(&mut self, block: usize, (offset, width): (&LinearExpr, &LinearExpr)) {
        let Some(segment) = self.block(block).and_then(|it| it.segment.clone()) else { return };
        let bytes = |index: &LinearExpr| index.scale(&segment.stride.into());
        let (first, end) = (bytes(&segment.first.into()), bytes(&segment.end));
        if self.surely_at_most_zero(&offset.add(width).sub(&first))
            || self.surely_at_most_zero(&end.sub(offset))
        {
            return;
        }
        let rest = rest(offset, segment.stride);
        let behind = rest.add(width);
        let is_before =
            |one: &LinearExpr, bytes: i64| self.surely_at_most_zero(&one.add_constant(-bytes));
        let is_behind = |bytes: i64, other: &LinearExpr| {
            self.surely_at_most_zero(&other.neg().add_constant(bytes))
        };
        let is_in_one = is_behind(0, &rest) && is_before(&behind, segment.stride);
        let is_lost = |field: &Field| {
            let end = field.offset + i64::from(field.ty.bytes(8));
            !is_in_one || !(is_before(&behind, field.offset) || is_behind(end, &rest))
        };
        let lost: Vec<Var> =
            segment.values.fields.iter().filter(|it| is_lost(it)).map(|it| it.value).collect();
        if lost.is_empty() {
            return;
        }
        if let Some(own) = self.block_mut(block).and_then(|it| it.segment.as_mut()) {
            own.values.fields.retain(|it| !lost.contains(&it.value));
        }
        self.facts.numbers = self.facts.numbers.project_onto(&|v| !lost.contains(&v));
    }

    /// Whether more is known of a number than that it is one of its type.
    #[must_use]
    pub fn tells_more(&self, ty: ScalarType, value: &LinearExpr) -> bool {
        if !is_noted(ty) {
            return false;
        }
        let Some(variable) = value.as_var() else { return self.kind_of(value) == Kind::Integer };
        let about = self.facts.numbers.constraints().iter().filter(|it| it.mentions(variable));
        let is_related = about.clone().any(|it| it.expr().terms().len() > 1);
        let is_number = matches!(self.vocabulary.kind(variable), Kind::Integer | Kind::Summary);
        is_number
            && matches!(ty, ScalarType::Int(_))
            && (is_related || self.tells_bounds(ty, value))
    }

    /// Whether a number is known to lie in a part of the range of its type.
    fn tells_bounds(&self, ty: ScalarType, value: &LinearExpr) -> bool {
        let ScalarType::Int(kind) = ty else { return false };
        if !is_noted(ty) || value.variables().any(|v| !self.facts.numbers.mentions(v)) {
            return false;
        }
        let (least, greatest) = self.facts.numbers.bounds(value);
        least.is_some_and(|it| it > Integer::from(kind.min()))
            || greatest.is_some_and(|it| it < Integer::from(kind.max()))
    }

    /// What was read or written last of addresses says nothing any more.
    pub fn let_go_of_addresses(&mut self, pointer_bytes: u32) {
        for block in 0..self.heap.atoms.len() {
            let Some(found) = self.block(block) else { continue };
            let rows = found.clone();
            let is_address =
                |it: &FloatingCell| it.ty == ScalarType::Pointer && !rows.is_in_rows(it);
            let lost: Vec<FloatingCell> =
                found.recent.iter().filter(|it| is_address(it)).cloned().collect();
            for lost in &lost {
                self.let_go(block, lost, pointer_bytes);
            }
            if let Some(found) = self.block_mut(block) {
                found.recent.retain(|it| !is_address(it));
            }
        }
    }

    /// Forgets what was read or written last: it becomes elements of segments.
    pub fn gather(&mut self, rows: Rows, pointer_bytes: u32) {
        for block in 0..self.heap.atoms.len() {
            let Some(found) = self.block(block) else { continue };
            match found.segment.clone() {
                Some(segment) if !found.recent.is_empty() || rows == Rows::Gather => {
                    gather::gather(self, block, &segment, rows, pointer_bytes);
                }
                Some(_) => {}
                None => {
                    let lost: Vec<FloatingCell> =
                        found.recent.iter().filter(|it| !found.is_in_rows(it)).cloned().collect();
                    for lost in lost {
                        self.let_go(block, &lost, pointer_bytes);
                    }
                }
            }
            if let Some(found) = self.block_mut(block) {
                found.keep_row_elements();
            }
        }
    }
}

/// Whether something is known of elements of one block, and not any more of those of another that
/// describes it, or that was not known before.
#[must_use]
pub fn loses_elements((have, block): (&State, &Block), (want, wanted): (&State, &Block)) -> bool {
    let knows = |state: &State, block: &Block, other: &Block| {
        let Some(segment) = &block.segment else { return false };
        let start = i128::from(segment.first) * i128::from(segment.stride);
        block.cells.iter().any(|cell| {
            i128::from(cell.offset) >= start
                && other.cell(cell.offset).is_none()
                && state.tells_bounds(cell.ty, &cell.value)
        })
    };
    let is_plain = |block: &Block| block.segment.as_ref().is_none_or(|it| it.is_empty());
    let has_values = |block: &Block| block.segment.as_ref().is_some_and(|it| !it.values.is_empty());
    (is_plain(wanted) && (knows(have, block, wanted) || has_values(block)))
        || (is_plain(block) && is_plain(wanted) && knows(want, wanted, block))
        || names_element_of((have, block), wanted)
}

/// Whether a block that describes another one has a cell of its own for what is an element of a
/// segment there: of such a cell nothing would be known.
fn names_element_of((have, block): (&State, &Block), wanted: &Block) -> bool {
    let Some(segment) = block.segment.as_deref() else { return false };
    wanted.cells.iter().filter(|cell| block.cell(cell.offset).is_none()).any(|cell| {
        place(&cell.offset.into(), segment.stride).is_some_and(|(index, residue)| {
            segment.field(residue, cell.ty).is_some() && !segment.surely_misses(have, &index)
        })
    })
}
