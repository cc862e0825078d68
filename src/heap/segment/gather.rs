//! Cells that become elements of a segment.

use super::{Rows, Segment, place};
use crate::state::{Kind, State};
use crate::values::{Field, NodeValues};
use crate::{Block, Content, FloatingCell};
use ir::ScalarType;
use logic::{Constraint, Integer, LinearExpr, Var};
use numeric::polyhedron::Polyhedron;
use std::collections::BTreeSet;

/// What is known of one element.
struct Element {
    index: LinearExpr,
    /// Where in the element, as what, and what it holds.
    scalars: Vec<(i64, ScalarType, LinearExpr)>,
    /// Whether it was an element of the segment before.
    was_inside: bool,
}

/// ```text
///   b ↦ { …, j·s: u; v = _ in first ≤ i < j }    N(x̄, v, p)
///   ─────────────────────────────────────────────────────────────── GATHER
///   b ↦ { …; v = _ in first ≤ i < j + 1 }    N(x̄, v, p) ⊔ (N ∧ v = u ∧ p = j)
/// ```
///
/// Makes elements of what was read or written last, and of cells, if that is asked for.
pub(super) fn gather(
    state: &mut State,
    block: usize,
    segment: &Segment,
    rows: Rows,
    pointer_bytes: u32,
) {
    let Some(found) = state.block(block).cloned() else { return };
    let mut open = candidates(&found, segment, rows);
    let mut end = segment.end.clone();
    let mut elements: Vec<Element> = Vec::new();
    while let Some(element) = at(state, &mut open, segment.stride, &end) {
        end = end.add_constant(1);
        elements.push(element);
    }
    // Zeros become elements where something else was written among them.
    let zeros = open
        .iter()
        .filter(|(index, _, it)| found.recent.contains(it) && !segment.has_element(state, index));
    let zeros = match zeros.clone().next() {
        Some((_, _, scalar)) => around(state, &found, segment, &end, scalar),
        None if !elements.is_empty() => behind(state, &found, segment, &end),
        None => None,
    };
    let range = zeros.clone().unwrap_or_else(|| segment.clone());
    for (index, residue, scalar) in open {
        if range.has_element(state, &index) {
            let was_inside = segment.has_element(state, &index);
            let held = (residue, scalar.ty, scalar.value.clone());
            match elements.iter_mut().find(|it| it.was_inside == was_inside && it.index == index) {
                Some(known) => known.scalars.push(held),
                None => elements.push(Element { index, scalars: vec![held], was_inside }),
            }
        } else if found.recent.contains(&scalar) {
            state.let_go(block, &scalar, pointer_bytes);
        }
    }
    for lost in &found.recent {
        if place(&lost.offset, segment.stride).is_none() && !found.is_in_rows(lost) {
            state.let_go(block, lost, pointer_bytes);
        }
    }
    if elements.is_empty() {
        return;
    }
    let Some(now) = state.block_mut(block) else { return };
    let is_within = |offset: i64| {
        let index = offset.div_euclid(segment.stride);
        elements.iter().any(|it| it.index == LinearExpr::from(index))
    };
    now.cells.retain(|cell| {
        rows == Rows::Stay || cell.ty == ScalarType::Pointer || !is_within(cell.offset)
    });
    now.keep_row_elements();
    // What letting go has weakened is weaker now.
    let segment = now.segment.as_deref().map_or_else(|| segment.clone(), Segment::clone);
    let values = summarised(state, &segment, zeros.as_ref(), &elements);
    let Some(now) = state.block_mut(block) else { return };
    let (first, end) = zeros.map_or((segment.first, end), |it| (it.first, it.end));
    now.segment = Some(Box::new(Segment { stride: segment.stride, first, end, values }));
    state.prune_values();
}

/// The segment with the zeros behind it, up to the next cell or the end of the block: so it has
/// one end from the start, however many elements are written.
fn behind(
    state: &mut State,
    block: &Block,
    segment: &Segment,
    end: &LinearExpr,
) -> Option<Segment> {
    if block.content != Content::Zero {
        return None;
    }
    let written = end.as_constant().and_then(Integer::to_i128);
    let offsets = block.cells.iter().map(|it| it.offset);
    let mut others = offsets.filter(|offset| *offset >= segment.first * segment.stride);
    let last = match written {
        Some(end) => others.find(|it| i128::from(*it) >= end * i128::from(segment.stride)),
        None => others.next().is_some().then_some(0),
    };
    let bytes = last.map_or_else(|| block.size.clone(), LinearExpr::from);
    let all = state.elements_in(&bytes, segment.stride)?;
    let is_longer = state.surely_at_most_zero(&end.sub(&all));
    is_longer.then(|| Segment { end: all, ..Segment::empty(segment.stride, segment.first) })
}

/// The segment with the zeros around a scalar, if that is a longer one.
fn around(
    state: &mut State,
    block: &Block,
    segment: &Segment,
    end: &LinearExpr,
    scalar: &FloatingCell,
) -> Option<Segment> {
    let width = i64::from(scalar.ty.bytes(8));
    let all = state.zeros_around(block, &scalar.offset, (width, Some(segment.stride)))?.0;
    let is_longer = block.content == Content::Zero
        && all.stride == segment.stride
        && all.first <= segment.first
        && state.surely_at_most_zero(&end.sub(&all.end));
    is_longer.then_some(all)
}

/// The scalars that may become elements, with their places.
fn candidates(
    block: &Block,
    segment: &Segment,
    rows: Rows,
) -> Vec<(LinearExpr, i64, FloatingCell)> {
    let all = block.scalars().filter(|it| !block.is_in_rows(it)).filter(|it| {
        (rows == Rows::Gather && it.ty != ScalarType::Pointer) || block.recent.contains(it)
    });
    all.filter_map(|it| {
        let (index, residue) = place(&it.offset, segment.stride)?;
        Some((index, residue, it))
    })
    .collect()
}

/// Takes what is known of the element at an index.
fn at(
    state: &State,
    open: &mut Vec<(LinearExpr, i64, FloatingCell)>,
    stride: i64,
    wanted: &LinearExpr,
) -> Option<Element> {
    let is_there = |index: &LinearExpr| index == wanted || state.surely_zero(&index.sub(wanted));
    let fits = |residue: i64, ty: ScalarType| residue + i64::from(ty.bytes(8)) <= stride.max(8);
    let (here, others): (Vec<_>, Vec<_>) = std::mem::take(open)
        .into_iter()
        .partition(|(index, residue, it)| is_there(index) && fits(*residue, it.ty));
    *open = others;
    let scalars: Vec<_> =
        here.into_iter().map(|(_, residue, it)| (residue, it.ty, it.value)).collect();
    (!scalars.is_empty()).then(|| Element { index: wanted.clone(), scalars, was_inside: false })
}

/// What the elements of a segment and some others hold.
fn summarised(
    state: &mut State,
    segment: &Segment,
    range: Option<&Segment>,
    elements: &[Element],
) -> NodeValues {
    let mut fields: Vec<(i64, ScalarType)> = if segment.is_empty() {
        elements.iter().flat_map(|it| &it.scalars).map(|(at, ty, _)| (*at, *ty)).collect()
    } else {
        segment.values.fields.iter().map(|it| (it.offset, it.ty)).collect()
    };
    let tells = |(at, ty): &(i64, ScalarType)| {
        let all = elements.iter().flat_map(|it| &it.scalars);
        let mut held = all.filter(|(own, other, _)| (own, other) == (at, ty));
        held.all(|(_, _, value)| state.tells_more(*ty, value))
    };
    fields.retain(tells);
    fields.sort();
    fields.dedup_by_key(|(offset, _)| *offset);
    let mut values = NodeValues::default();
    if !fields.is_empty() {
        values.position = Some(state.fresh(Kind::Summary));
    }
    for (offset, ty) in fields {
        let value = state.fresh(Kind::Summary);
        values.fields.push(Field { offset, ty, value });
    }
    let old: Vec<Var> = segment.values.variables().collect();
    if !values.is_empty() {
        let live = live(state, &old);
        let new: Vec<Var> = values.variables().collect();
        let side = |all: Vec<Constraint>| {
            let mut side = state.facts.numbers.clone();
            side.assume_all(all);
            side.project_onto(&|v| new.contains(&v) || live.contains(&v))
        };
        let before = (!segment.is_empty()).then(|| side(of_segment(segment, &values)));
        let others = elements.iter().map(|it| side(of_element(state, segment, &values, it)));
        let zeros = range.map(|range| side(of_zeros(range, &values)));
        // Where there may be no element, one is made up at the start.
        let is_some = |it: &Segment| {
            let none = it.end.neg().add_constant(it.first.saturating_add(1));
            state.surely_at_most_zero(&none)
        };
        let fields = NodeValues { position: None, fields: values.fields.clone() };
        let at_start = |mut all: Vec<Constraint>, first: i64| {
            all.extend(values.position.map(|it| Constraint::eq(it, first)));
            side(all)
        };
        let has_range = !segment.is_empty() && segment.values.position.is_none();
        let no_old = (has_range && !is_some(segment))
            .then(|| at_start(of_segment(segment, &fields), segment.first));
        let no_zero =
            range.filter(|it| !is_some(it)).map(|it| at_start(of_zeros(it, &fields), it.first));
        let sides = before.into_iter().chain(zeros).chain(others).chain(no_old).chain(no_zero);
        let joined: Option<Polyhedron> = sides.reduce(|left, right| left.join(&right));
        state.facts.numbers = state.facts.numbers.project_onto(&|v| !old.contains(&v));
        if let Some(joined) = joined {
            state.facts.numbers.assume_all(joined.constraints().iter().cloned());
        }
        values.fields.retain(|field| state.tells_more(field.ty, &field.value.into()));
    } else if !old.is_empty() {
        state.facts.numbers = state.facts.numbers.project_onto(&|v| !old.contains(&v));
    }
    values
}

/// The variables that matter besides summarized dimensions of the segment.
fn live(state: &State, old: &[Var]) -> BTreeSet<Var> {
    let mut live = BTreeSet::new();
    state.for_each_expr(&mut |expr| live.extend(expr.variables()));
    old.iter().for_each(|v| {
        live.remove(v);
    });
    live
}

/// The elements that were in the segment before.
fn of_segment(segment: &Segment, values: &NodeValues) -> Vec<Constraint> {
    let mut all = Vec::new();
    for field in &values.fields {
        let old = segment.field(field.offset, field.ty);
        all.extend(old.map(|old| Constraint::eq(field.value, old.value)));
    }
    if let Some(position) = values.position {
        match segment.values.position {
            Some(old) => all.push(Constraint::eq(position, old)),
            None => {
                all.push(Constraint::ge(position, segment.first));
                all.push(Constraint::le(position, segment.end.add_constant(-1)));
            }
        }
    }
    all
}

/// Zeros that are elements now.
fn of_zeros(range: &Segment, values: &NodeValues) -> Vec<Constraint> {
    let mut all: Vec<Constraint> =
        values.fields.iter().map(|field| Constraint::eq(field.value, 0)).collect();
    if let Some(position) = values.position {
        all.push(Constraint::ge(position, range.first));
        all.push(Constraint::le(position, range.end.add_constant(-1)));
    }
    all
}

/// One element: what is not known of it is what the segment says.
fn of_element(
    state: &State,
    segment: &Segment,
    values: &NodeValues,
    element: &Element,
) -> Vec<Constraint> {
    let mut all: Vec<Constraint> = Vec::new();
    all.extend(values.position.map(|position| Constraint::eq(position, &element.index)));
    let mut is_old = false;
    for field in &values.fields {
        let end = field.offset + i64::from(field.ty.bytes(8));
        let touches = |(at, ty, _): &&(i64, ScalarType, LinearExpr)| {
            *at < end && field.offset < at + i64::from(ty.bytes(8))
        };
        match element.scalars.iter().find(touches) {
            Some((at, ty, value)) => {
                let is_known =
                    (*at, *ty) == (field.offset, field.ty) && state.kind_of(value) == Kind::Integer;
                all.extend(is_known.then(|| Constraint::eq(field.value, value)));
            }
            None if element.was_inside => {
                let old = segment.field(field.offset, field.ty);
                is_old |= old.is_some();
                all.extend(old.map(|old| Constraint::eq(field.value, old.value)));
            }
            None => {}
        }
    }
    let old = segment.values.position.filter(|_| is_old);
    all.extend(old.map(|old| Constraint::eq(old, &element.index)));
    all
}
