//! The lengths of strings, without running along them.

use super::arbitrary::any_integer;
use super::eval::Context;
use super::memory::{MAX_RECENT, constant_offset};
use crate::rearrange;
use heap::state::{Kind, State};
use heap::{Atom, Block, Cell, FloatingCell};
use ir::{IntKind, Procedure, ScalarType};
use logic::{Constraint, Integer, LinearExpr};

/// What is known of the end of a string.
struct End {
    /// So many elements are surely not zero.
    least: i64,
    /// The element behind so many ones is surely zero.
    most: LinearExpr,
}

impl Context<'_> {
    /// ```text
    ///   Q ⊢ x = b + o    b ↦ { z: 0, … } in Q    0 ≤ o ≤ z < size(b)
    ///   elements before o + l·w are not zero
    ///   ──────────────────────────────────────────────────────────── STRING LENGTH
    ///   {Q} n := strlen(x) {Q & l ≤ n & n·w ≤ z - o}
    ///
    ///   x in P[k](ā) at aᵢ    Q₁, …, Qₘ = unfold(Q, P, i)    {Qⱼ} n := strlen(x) {Rⱼ} for each j
    ///   ───────────────────────────────────────────────────────────────────────── IN A NODE
    ///   {Q} n := strlen(x) {R₁ ∨ … ∨ Rₘ}
    /// ```
    ///
    /// The result of a procedure that measures a string, and the state with it, in all cases of
    /// the node that the string lies in, if it lies in one; `None` if it is not known that the
    /// string ends in its block. With a second parameter, a limit, the result is the least of both.
    pub fn string_length(
        &self,
        state: &State,
        callee: &Procedure,
        arguments: &[LinearExpr],
        width: u32,
    ) -> Option<Vec<(State, LinearExpr)>> {
        let library = self.machine.shape_library;
        let cases = rearrange::opened(state, arguments.first()?, library);
        let limit = if callee.parameters.len() > 1 { Some(arguments.get(1)?) } else { None };
        let length = |case| length_in(case, limit, i64::from(width));
        if cases.is_empty() { None } else { cases.into_iter().map(length).collect() }
    }
}

/// The length of what starts at an offset of a block, and the state with it.
fn length_in(
    (mut state, index, offset): (State, usize, LinearExpr),
    limit: Option<&LinearExpr>,
    width: i64,
) -> Option<(State, LinearExpr)> {
    let Atom::Block(block) = &state.heap.atoms[index] else { return None };
    if !state.surely_at_most_zero(&offset.neg()) {
        return None;
    }
    let end = match constant_offset(&offset) {
        Some(start) => end_behind(&state, block, start, width),
        None => floating_end(&state, block, &offset, width),
    };
    let length = match limit {
        None => unlimited(&mut state, index, &offset, &end?, width),
        Some(limit) => limited(&mut state, (index, &offset), end.as_ref(), limit, width)?,
    };
    Some((state, length))
}

/// The end of the string that starts `start` bytes behind the start of a block.
fn end_behind(state: &State, block: &Block, start: i64, width: i64) -> Option<End> {
    let mut at = start;
    loop {
        match element(state, block, at, width) {
            Element::Zero => {
                let behind = LinearExpr::from(at + width).sub(&block.size);
                let count = (at - start) / width;
                let end = End { least: count, most: LinearExpr::from(count) };
                return state.surely_at_most_zero(&behind).then_some(end);
            }
            Element::NonZero => at += width,
            Element::Unknown => return later_end(state, block, (start, at), width),
        }
    }
}

/// The end, where the element at `unknown` is the first one that may be zero.
fn later_end(
    state: &State,
    block: &Block,
    (start, unknown): (i64, i64),
    width: i64,
) -> Option<End> {
    let least = (unknown - start) / width;
    let aligned = |offset: i64| offset > unknown && (offset - start) % width == 0;
    let is_end = |offset: i64| {
        matches!(element(state, block, offset, width), Element::Zero)
            && state.surely_at_most_zero(&LinearExpr::from(offset + width).sub(&block.size))
    };
    let of_cells = block.cells.iter().map(|cell| cell.offset);
    let found = of_cells.filter(|offset| aligned(*offset)).find(|offset| is_end(*offset));
    let of_cell = found.map(|offset| LinearExpr::from((offset - start) / width));
    let floating = floating_end(state, block, &LinearExpr::from(start), width).map(|it| it.most);
    // The nearer one is the end.
    let most = match (of_cell, floating) {
        (Some(cell), Some(floating)) => {
            if state.surely_at_most_zero(&floating.sub(&cell)) {
                floating
            } else {
                cell
            }
        }
        (cell, floating) => cell.or(floating)?,
    };
    Some(End { least, most })
}

/// The end that a zero at an offset that is not constant makes.
fn floating_end(state: &State, block: &Block, start: &LinearExpr, width: i64) -> Option<End> {
    let is_zero = |it: &&FloatingCell| {
        let is_byte = matches!(it.ty, ScalarType::Int(kind) if kind.bits == 8);
        is_byte && state.surely_zero(&it.value)
    };
    let is_behind = |distance: &LinearExpr| {
        state.kind_of(distance) == Kind::Integer && state.surely_at_most_zero(&distance.neg())
    };
    let zeros = block.floats().filter(|_| width == 1).filter(is_zero);
    let distances = zeros.map(|it| it.offset.sub(start)).filter(is_behind);
    let nearer = |one: LinearExpr, other: LinearExpr| {
        if state.surely_at_most_zero(&other.sub(&one)) { other } else { one }
    };
    distances.reduce(nearer).map(|most| End { least: 0, most })
}

/// What an element of a string is.
enum Element {
    Zero,
    NonZero,
    Unknown,
}

fn element(state: &State, block: &Block, at: i64, width: i64) -> Element {
    // Cells are sorted and as wide as a number or an address.
    let next = block.cells.partition_point(|cell| cell.offset < at + width);
    let near = &block.cells[next.saturating_sub(16)..next];
    let Some(cell) = near.iter().rev().find(|cell| at < cell.offset + i64::from(cell.ty.bytes(8)))
    else {
        let ty = ScalarType::Int(IntKind { bits: 8, signed: false });
        let first = Cell { offset: at, ty, value: LinearExpr::zero() };
        // Of wider elements the last byte tells.
        let last = Cell { offset: at + width - 1, ..first.clone() };
        let is_zero = block.is_zero_at(&first) && block.is_zero_at(&last);
        return if is_zero { Element::Zero } else { Element::Unknown };
    };
    let is_whole = cell.offset == at
        && matches!(cell.ty, ScalarType::Int(kind) if i64::from(kind.bits) == 8 * width);
    if !is_whole || state.kind_of(&cell.value) != Kind::Integer {
        Element::Unknown
    } else if state.surely_zero(&cell.value) {
        Element::Zero
    } else if state.surely_nonzero(&cell.value) {
        Element::NonZero
    } else {
        Element::Unknown
    }
}

/// The length, whatever it is. That the element behind it is zero is kept, so that a second
/// measure is at most as much.
fn unlimited(
    state: &mut State,
    index: usize,
    offset: &LinearExpr,
    end: &End,
    width: i64,
) -> LinearExpr {
    let least = LinearExpr::from(end.least);
    if end.most == least {
        return least;
    }
    let length = any_integer(state);
    state.facts.numbers.assume(Constraint::ge(&length, least));
    state.facts.numbers.assume(Constraint::le(&length, &end.most));
    if let Some(Atom::Block(block)) = state.heap.atoms.get_mut(index)
        && width == 1
    {
        let ty = ScalarType::Int(IntKind { bits: 8, signed: true });
        let (offset, value) = (offset.add(&length), LinearExpr::zero());
        let zero = FloatingCell { offset, ty, value };
        // Another string may end where the other zero is.
        if block.floating.is_none() {
            block.floating = Some(Box::new(zero));
        } else if block.recent.len() < MAX_RECENT {
            block.recent.push(zero);
        }
    }
    length
}

/// The least of the length and a limit. Without an end that is known, as many elements
/// as the limit says must lie in the block.
fn limited(
    state: &mut State,
    (index, offset): (usize, &LinearExpr),
    end: Option<&End>,
    limit: &LinearExpr,
    width: i64,
) -> Option<LinearExpr> {
    if state.kind_of(limit) != Kind::Integer || !state.surely_at_most_zero(&limit.neg()) {
        return None;
    }
    let Atom::Block(block) = &state.heap.atoms[index] else { return None };
    let behind = offset.add(&limit.scale(&Integer::from(width))).sub(&block.size);
    if end.is_none() && !state.surely_at_most_zero(&behind) {
        return None;
    }
    if let Some(end) = end
        && end.most == LinearExpr::from(end.least)
    {
        if state.surely_at_most_zero(&end.most.sub(limit)) {
            return Some(end.most.clone());
        }
        if state.surely_at_most_zero(&limit.sub(&end.most)) {
            return Some(limit.clone());
        }
    }
    let length = any_integer(state);
    state.facts.numbers.assume(Constraint::ge(&length, 0));
    state.facts.numbers.assume(Constraint::le(&length, limit));
    if let Some(end) = end {
        state.facts.numbers.assume(Constraint::le(&length, &end.most));
    }
    Some(length)
}
