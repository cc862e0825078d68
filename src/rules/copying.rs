//! What the bytes of a block hold, carried to another place.

use super::memory::{block_mut, constant_offset, floating_apart, forget_oldest, forget_range};
use super::rearrange::Exposed;
use heap::row::Row;
use heap::segment::{Segment, Written};
use heap::state::State;
use heap::{Atom, Block, Cell, Content, FloatingCell};
use ir::ScalarType;
use logic::{LinearExpr, Var};

/// What becomes of bytes that are copied.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// They stay.
    Stays,
    /// They are given up at once: what their pointers own, the copies own.
    IsGivenUp,
}

/// What is known of some bytes of a block.
#[derive(Clone)]
pub(super) struct Copied {
    /// Where the block starts,
    base: Var,
    /// and where in it they do.
    offset: i64,
    cells: Vec<Cell>,
    /// At offsets that are not constant.
    recent: Vec<FloatingCell>,
    floating: Option<Box<FloatingCell>>,
    segment: Option<Box<Segment>>,
    /// Rows whose elements own what they did.
    rows: Vec<Row>,
    /// What the other bytes hold.
    content: Content,
}

/// What is known of `width` bytes at the exposed address; `None` when they do not start at a
/// constant offset.
#[must_use]
pub(super) fn bytes_in_range(
    exposed: &Exposed,
    width: &LinearExpr,
    source: Source,
    pointer_bytes: u32,
) -> Option<Copied> {
    let state = &exposed.state;
    let Atom::Block(block) = &state.heap.atoms[exposed.block] else { return None };
    let offset = constant_offset(&exposed.offset)?;
    let range = &(LinearExpr::from(offset), width.add_constant(offset));
    let bytes = |ty: ScalarType| i64::from(ty.bytes(pointer_bytes));
    let lies = |offset: &LinearExpr, ty| {
        Place::of(state, range, (offset, &offset.add_constant(bytes(ty))))
    };
    let place_of = |cell: &Cell| lies(&cell.offset.into(), cell.ty);
    let is_in = |it: &&FloatingCell| lies(&it.offset, it.ty) == Place::Inside;
    let segment = block.segment.as_deref().map(|it| (it, Place::of_segment(state, range, it)));
    let is_cut = block.cells.iter().any(|it| place_of(it) == Place::Across)
        || block.recent.iter().any(|it| lies(&it.offset, it.ty) == Place::Across);
    let is_divided = segment.as_ref().is_some_and(|(_, place)| *place == Place::Across);
    let is_in_segment = |(_, place): &(&Segment, Place)| *place == Place::Inside && !is_cut;
    let is_moved = |row: &&Row| {
        let mut named = block.named_elements(row);
        let is_in = row.is_empty() || Place::of_row(state, range, row) == Place::Inside;
        is_in && !is_cut && named.all(|(_, it)| lies(&it.offset, it.ty) == Place::Inside)
    };
    let rows = block.rows.iter().filter(|it| source == Source::IsGivenUp && is_moved(it));
    Some(Copied {
        base: block.base,
        offset,
        rows: rows.cloned().collect(),
        cells: block.cells.iter().filter(|it| place_of(it) == Place::Inside).cloned().collect(),
        recent: block.recent.iter().filter(is_in).cloned().collect(),
        floating: block.floating.as_ref().filter(|it| is_in(&&***it)).cloned(),
        segment: segment.filter(is_in_segment).map(|(it, _)| Box::new(it.clone())),
        content: if is_cut || is_divided { Content::Arbitrary } else { block.content },
    })
}

/// How much of a block is overwritten.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Covered {
    All,
    Some,
}

/// ```text
///   b ↦ { …; P in first ≤ i < end } * b' ↦ { … }    b is given up next    end·stride ≤ n
///   ──────────────────────────────────────────────────────────────────────────────────── OWNERS
///   copy(b', b, n)  ⟶  b ↦ { … } * b' ↦ { …; P in first ≤ i < end }
/// ```
///
/// Overwrites `width` bytes at the exposed address by copied ones.
pub(super) fn paste(
    exposed: &mut Exposed,
    copied: Option<Copied>,
    width: &LinearExpr,
    pointer_bytes: u32,
) {
    let (Some(copied), Some(offset)) = (copied, constant_offset(&exposed.offset)) else {
        forget_range(exposed, width, pointer_bytes);
        return;
    };
    let apart = floating_apart(exposed, width, pointer_bytes);
    let (from, kept) = (copied.base, copied.rows.clone());
    let moved = copied.moved(&mut exposed.state, offset);
    let Exposed { state, block: index, offset: at } = exposed;
    state.overwrite(*index, (at, width), Written::Other, pointer_bytes);
    state.forget_fields(*index, (at, width));
    let covered = match &state.heap.atoms[*index] {
        Atom::Block(block) if state.surely_zero(&block.size.sub(width)) => Covered::All,
        Atom::Block(_) | Atom::Instance(_) => Covered::Some,
    };
    let Some(block) = block_mut(state, *index) else { return };
    let is_free = block.base != from && block.rows.iter().all(Row::is_empty);
    let takes_rows = is_free && !kept.is_empty() && moved.rows.len() == kept.len();
    if takes_rows {
        block.rows.clone_from(&moved.rows);
    }
    moved.put(block, covered);
    if takes_rows
        && let Some(Atom::Block(source)) =
            state.block_at(from).and_then(|it| state.heap.atoms.get_mut(it))
    {
        source.rows.retain(|row| !kept.contains(row));
    }
    let Some(block) = block_mut(state, *index) else { return };
    if let Some(floating) = apart {
        block.floating = Some(floating);
    }
    forget_oldest(exposed, pointer_bytes);
}

impl Copied {
    /// The same at another offset of a block. What is said of elements is said of the new ones
    /// by numbers of their own.
    fn moved(mut self, state: &mut State, offset: i64) -> Self {
        let distance = offset - self.offset;
        self.cells.iter_mut().for_each(|it| it.offset += distance);
        for it in self.recent.iter_mut().chain(self.floating.as_deref_mut()) {
            it.offset = it.offset.add_constant(distance);
        }
        self.rows = self.rows.iter().filter_map(|it| moved_row(it, distance)).collect();
        if let Some(segment) = self.segment.take() {
            let is_empty = segment.is_empty();
            self.segment = moved_segment(state, &segment, distance).map(Box::new);
            if self.segment.is_none() && !is_empty {
                self.content = Content::Arbitrary;
            }
        }
        self
    }

    /// Makes a block hold the bytes, of which nothing is known any more.
    fn put(self, block: &mut Block, covered: Covered) {
        let is_whole = covered == Covered::All;
        let is_plain = is_whole || block.segment.as_ref().is_none_or(|it| it.is_empty());
        let is_same = is_plain && block.content == self.content;
        block.content = if is_whole || is_same { self.content } else { Content::Arbitrary };
        // A row of no elements might grow.
        if block.rows.iter().any(|it| !it.is_empty()) {
            block.content = Content::Arbitrary;
        } else if block.content == Content::Zero {
            block.rows.clear();
        }
        if is_whole || (is_plain && self.segment.is_some()) {
            block.segment = self.segment;
        }
        self.cells.into_iter().for_each(|it| block.name(it));
        block.recent.extend(self.recent);
        block.floating = self.floating;
    }
}

/// ```text
///   N(x̄, v, p) says of the elements first ≤ i < end what they hold
///   ─────────────────────────────────────────────────────────────────────────────── MOVE
///   N(x̄, v', p' - k) says it of the elements first + k ≤ i < end + k of their copy
/// ```
fn moved_segment(state: &mut State, segment: &Segment, distance: i64) -> Option<Segment> {
    if distance.checked_rem(segment.stride)? != 0 {
        return None;
    }
    let k = distance / segment.stride;
    let values =
        segment.values.copied(state, &|position: Var| LinearExpr::from(position).add_constant(-k));
    Some(Segment {
        stride: segment.stride,
        first: segment.first.checked_add(k)?,
        end: segment.end.add_constant(k),
        values,
    })
}

fn moved_row(row: &Row, distance: i64) -> Option<Row> {
    (distance.checked_rem(row.stride)? == 0).then(|| {
        let k = distance / row.stride;
        Row { first: row.first.add_constant(k), end: row.end.add_constant(k), ..row.clone() }
    })
}

/// Where some bytes start and end in a block.
type Range = (LinearExpr, LinearExpr);

/// How some bytes lie to a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// All are surely in it.
    Inside,
    /// None is, surely.
    Outside,
    /// Neither is known.
    Across,
}

impl Place {
    fn of(state: &State, (from, to): &Range, (start, end): (&LinearExpr, &LinearExpr)) -> Self {
        let is_up_to =
            |low: &LinearExpr, high: &LinearExpr| state.surely_at_most_zero(&low.sub(high));
        if is_up_to(from, start) && is_up_to(end, to) {
            Self::Inside
        } else if is_up_to(end, from) || is_up_to(to, start) {
            Self::Outside
        } else {
            Self::Across
        }
    }

    fn of_segment(state: &State, range: &Range, segment: &Segment) -> Self {
        let stride = segment.stride.into();
        let start = LinearExpr::from(segment.first).scale(&stride);
        Self::of(state, range, (&start, &segment.end.scale(&stride)))
    }

    fn of_row(state: &State, range: &Range, row: &Row) -> Self {
        let stride = row.stride.into();
        Self::of(state, range, (&row.first.scale(&stride), &row.end.scale(&stride)))
    }
}
