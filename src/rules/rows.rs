//! Pointers in arrays that own memory: elements of rows ([`heap::row`](heap::row)),
//! read and written.

use super::memory::constant_offset;
use super::rearrange::Exposed;
use heap::row::{Holding, Nulls, Place, Row, Sizes};
use heap::shape::ShapeLibrary;
use heap::state::{Kind, State};
use heap::unfold::unfold;
use heap::{Atom, Block, Cell, Content, FloatingCell};
use ir::ScalarType;
use logic::{Constraint, LinearExpr};

/// Bytes of an address in a row.
const WIDTH: i64 = 8;

/// Nodes have fewer links in a row.
const MOST_LINKS: i64 = 8;

/// What is about to be stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stored {
    Null,
    Other,
}

/// ```text
///   b ↦ { …; 0 }
///   ─────────────────────────────────────────── NO OWNERS
///   b ↦ { …; null in first ≤ i < end; anything }
/// ```
///
/// A pointer is about to be written. If it is an element of an array, a row of the block is to
/// say what such elements own: at any place among zeros all of them own nothing; else the row starts
/// with none, and grows.
pub(super) fn open(exposed: &mut Exposed, (ty, value): (ScalarType, Stored), stride: Option<i64>) {
    let Exposed { state, block: index, offset } = exposed;
    let Some(Atom::Block(block)) = state.heap.atoms.get(*index) else { return };
    let width = LinearExpr::from(WIDTH);
    if ty != ScalarType::Pointer
        || state.kind_of(offset) != Kind::Integer
        || state.touches_rows(block, (offset, &width))
    {
        return;
    }
    let block = block.clone();
    let is_long = stride.is_some_and(|it| is_long(state, &block, it));
    let row = match (constant_offset(offset), block.content) {
        (None, Content::Zero) => of_zeros(state, &block, offset, stride),
        (Some(_), Content::Zero) if !is_long || value == Stored::Null => None,
        (Some(offset), _) => stride.and_then(|stride| empty(&block, offset, stride)),
        (None, Content::Arbitrary) => None,
    };
    let Some(row) = row else { return };
    if let Some(Atom::Block(block)) = state.heap.atoms.get_mut(*index) {
        block.rows.retain(|known| !(known.is_like(&row) && known.is_empty()));
        block.content = Content::Arbitrary;
        block.rows.push(row);
        block.rows.sort();
    }
}

/// As [`open`], where a pointer is about to be read, if it may be one that the block names.
pub(super) fn open_to_read(mut exposed: Exposed, ty: ScalarType, stride: Option<i64>) -> Exposed {
    let Atom::Block(block) = &exposed.state.heap.atoms[exposed.block] else { return exposed };
    let width = LinearExpr::from(WIDTH);
    let may_be_it = |it: FloatingCell| {
        it.ty == ScalarType::Pointer
            && !exposed.state.surely_share_no_byte((&exposed.offset, &width), (&it.offset, WIDTH))
    };
    let is_among_zeros = constant_offset(&exposed.offset).is_none()
        && block.content == Content::Zero
        && ty == ScalarType::Pointer;
    if is_among_zeros && block.scalars().any(may_be_it) {
        open(&mut exposed, (ty, Stored::Other), stride);
    }
    exposed
}

/// Whether a block has more elements than a node has links.
fn is_long(state: &State, block: &Block, stride: i64) -> bool {
    let least = LinearExpr::from(MOST_LINKS * stride);
    state.surely_at_most_zero(&least.sub(&block.size))
}

/// The zeros around an offset as a row of null pointers, if no other scalar lies there.
fn of_zeros(
    state: &mut State,
    block: &Block,
    offset: &LinearExpr,
    stride: Option<i64>,
) -> Option<Row> {
    let (range, residue) = state.zeros_around(block, offset, (WIDTH, stride))?;
    let first = LinearExpr::from(range.first);
    let row = Row {
        stride: range.stride,
        offset: residue,
        first,
        end: range.end,
        holds: None,
        room: LinearExpr::zero(),
        sizes: Sizes::Any,
        nulls: Nulls::Some,
    };
    let is_fine = |it: &FloatingCell| {
        let width = LinearExpr::from(i64::from(it.ty.bytes(8)));
        row.index_of(it).is_some() || row.is_missed(state, &it.offset, &width)
    };
    let is_apart = block.segment.as_ref().is_none_or(|it| it.is_empty());
    let is_new = !block.rows.iter().any(|known| known.is_like(&row) && !known.is_empty());
    (is_apart && is_new && block.scalars().all(|it| is_fine(&it))).then_some(row)
}

/// A row that starts at an element, and has none yet.
fn empty(block: &Block, offset: i64, stride: i64) -> Option<Row> {
    let (index, residue) = (offset.div_euclid(stride), offset.rem_euclid(stride));
    let first = LinearExpr::from(index);
    let (end, nulls) = (first.clone(), Nulls::None);
    let room = LinearExpr::zero();
    let (holds, sizes) = (None, Sizes::Any);
    let row = Row { stride, offset: residue, first, end, holds, room, sizes, nulls };
    let is_known = block.rows.iter().any(|known| known.is_like(&row));
    (residue + WIDTH <= stride && !is_known).then_some(row)
}

/// ```text
///   b ↦ { …; ls or null in first ≤ i < end }    no other scalar is element j
///   ──────────────────────────────────────────────────────────────────────── OWNER
///   b ↦ { j: 0, … }    or    b ↦ { j: a, … } * ls[k](a, 0)
/// ```
///
/// The exposed state by cases, so that a pointer at the exposed address that is an element of a
/// row is one that the block says something of besides. What may be one or the other is split
/// in two.
pub(super) fn by_rows(exposed: Exposed, ty: ScalarType, library: &ShapeLibrary) -> Vec<Exposed> {
    let mut cases = Vec::new();
    let named = {
        let Atom::Block(block) = &exposed.state.heap.atoms[exposed.block] else { return cases };
        let scalar = FloatingCell { offset: exposed.offset.clone(), ty, value: LinearExpr::zero() };
        let is_number = exposed.state.kind_of(&exposed.offset) == Kind::Integer;
        let row = block.rows.iter().find_map(|row| Some((row.clone(), row.index_of(&scalar)?)));
        row.filter(|_| is_number).map(|(row, index)| {
            let known: Vec<_> = block.named_elements(&row).collect();
            (row, index, known)
        })
    };
    let Some((row, index, known)) = named else { return vec![exposed] };
    Division { row: &row, index: &index, library }.divide(exposed, (&known, None), &mut cases);
    cases
}

/// The index of an element that a block names, and the element.
type Known = (LinearExpr, FloatingCell);

/// One element of a row that is looked for.
struct Division<'a> {
    row: &'a Row,
    index: &'a LinearExpr,
    library: &'a ShapeLibrary,
}

impl Division<'_> {
    /// The cases in which the element is one of the known ones, or another one. Each known one
    /// surely is this element or another one then.
    fn divide(
        &self,
        exposed: Exposed,
        (known, found): (&[Known], Option<&LinearExpr>),
        cases: &mut Vec<Exposed>,
    ) {
        let Some(((other, scalar), later)) = known.split_first() else {
            match found {
                Some(offset) => cases.push(Exposed { offset: offset.clone(), ..exposed }),
                None => self.inside_or_not(exposed, cases),
            }
            return;
        };
        let Exposed { mut state, block, offset } = exposed;
        let distance = self.index.sub(other);
        let beyond = [distance.add_constant(1), distance.neg().add_constant(1)];
        let is_it = found.or(Some(&scalar.offset));
        if state.surely_zero(&distance) {
            self.divide(Exposed { state, block, offset }, (later, is_it), cases);
        } else if beyond.iter().any(|it| state.surely_at_most_zero(it)) {
            self.divide(Exposed { state, block, offset }, (later, found), cases);
        } else {
            for beyond in beyond {
                let mut apart = state.clone();
                if !apart.assume_at_most_zero(&beyond).is_empty() {
                    let apart = Exposed { state: apart, block, offset: offset.clone() };
                    self.divide(apart, (later, found), cases);
                }
            }
            if !state.assume_constraint(Constraint::zero(distance)).is_empty() {
                self.divide(Exposed { state, block, offset }, (later, is_it), cases);
            }
        }
    }

    /// The cases in which the element is one of the row, or before or behind it.
    fn inside_or_not(&self, exposed: Exposed, cases: &mut Vec<Exposed>) {
        let Exposed { mut state, block, offset } = exposed;
        let before = self.index.add_constant(1).sub(&self.row.first);
        let behind = self.row.end.sub(self.index);
        for outside in [before, behind] {
            if state.surely_at_most_zero(&outside) {
                cases.push(Exposed { state, block, offset });
                return;
            }
            let inside = outside.neg().add_constant(1);
            if !state.surely_at_most_zero(&inside) {
                let mut other = state.clone();
                if !other.assume_at_most_zero(&outside).is_empty() {
                    cases.push(Exposed { state: other, block, offset: offset.clone() });
                }
                if state.assume_at_most_zero(&inside).is_empty() {
                    return;
                }
            }
        }
        self.take_out(Exposed { state, block, offset }, cases);
    }

    /// The cases in which the element owns something, or is null.
    fn take_out(&self, exposed: Exposed, cases: &mut Vec<Exposed>) {
        let Exposed { state, block, offset } = exposed;
        if let Some(holding) = &self.row.holds {
            let mut state = state.clone();
            let value = LinearExpr::var(state.fresh(Kind::Address));
            let instance = holding.instance(&mut state, &value, self.library);
            state.heap.atoms.push(Atom::Instance(instance));
            let mut owner = Exposed { state, block, offset: offset.clone() };
            note(&mut owner, value);
            let states = self.in_nodes(owner.state, holding).into_iter();
            cases.extend(states.map(|state| Exposed { state, block, offset: offset.clone() }));
        }
        match self.row.nulls {
            Nulls::Some => {
                let mut none = Exposed { state, block, offset };
                note(&mut none, LinearExpr::zero());
                cases.push(none);
            }
            Nulls::None => {}
        }
    }

    /// The cases of a state whose last atom is what an element owns: one node without links is a
    /// block, so that what a loop finds out of it is known from its first round on.
    fn in_nodes(&self, state: State, holding: &Holding) -> Vec<State> {
        let shape = self.library.get(holding.shape);
        let is_entry = |it: &usize| holding.places.get(*it) == Some(&Place::Element);
        match shape.anchors().find(is_entry).filter(|_| shape.is_plain()) {
            Some(entry) => {
                let last = state.heap.atoms.len() - 1;
                let cases = unfold(&state, last, entry, self.library);
                cases.into_iter().map(|(state, node)| self.with_room(state, node)).collect()
            }
            None => vec![state],
        }
    }
}

impl Division<'_> {
    /// A state in which this block is a node that an element owned.
    fn with_room(&self, mut state: State, node: usize) -> State {
        if let Some(Atom::Block(block)) = state.heap.atoms.get(node) {
            let size = block.size.clone();
            let missing = self.row.room.sub(&size);
            let _ = state.assume_at_most_zero(&missing);
            if let Some(most) = self.row.sizes.most() {
                let _ = state.assume_at_most_zero(&size.sub(&most.into()));
            }
        }
        state
    }
}

/// The pointer at the exposed address holds a value.
fn note(exposed: &mut Exposed, value: LinearExpr) {
    let Exposed { state, block, offset } = exposed;
    let Some(Atom::Block(block)) = state.heap.atoms.get_mut(*block) else { return };
    let ty = ScalarType::Pointer;
    match constant_offset(offset) {
        Some(offset) => block.name(Cell { offset, ty, value }),
        None => block.recent.push(FloatingCell { offset: offset.clone(), ty, value }),
    }
}
