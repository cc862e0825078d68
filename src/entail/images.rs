//! How a segment is one that another block describes: what entailment finds.

use heap::segment::{Segment, place};
use heap::state::{Kind, State};
use heap::values::Image;
use heap::{Block, Content, FloatingCell};
use ir::ScalarType;
use logic::{Integer, LinearExpr};

/// The segment of a block that counts elements as the wanted one does.
fn counterpart<'a>(block: &'a Block, wanted: &Segment) -> Option<&'a Segment> {
    let own = block.segment.as_deref()?;
    (own.stride == wanted.stride && own.first == wanted.first).then_some(own)
}

/// The index behind the elements of `block`, if they may be those of the wanted segment. Cells
/// that continue them are elements, and zeros are.
pub(crate) fn reached_end(
    (have, block): (&State, &Block),
    (want, wanted): (&State, &Block),
) -> Option<LinearExpr> {
    let segment = wanted.segment.as_deref()?;
    let own = counterpart(block, segment);
    let is_other = block.segment.as_ref().is_some_and(|it| !it.is_empty()) && own.is_none();
    if is_other {
        return None;
    }
    let mut end = grown_end(have, block, wanted, segment);
    if block.content == Content::Zero {
        end = end_of_zeros((have, block), (want, wanted), segment, end);
    }
    Some(end)
}

/// Where the elements of a block end that its segment or cells behind it speak of. Where the
/// numbers contradict each other all indices are the same: no cell counts twice.
fn grown_end(have: &State, block: &Block, wanted: &Block, segment: &Segment) -> LinearExpr {
    let own = counterpart(block, segment);
    let mut end = own.map_or_else(|| segment.first.into(), |own| own.end.clone());
    let mut open: Vec<LinearExpr> = block
        .scalars()
        .filter(|it| !is_in(wanted, it))
        .filter_map(|it| place(&it.offset, segment.stride).map(|(index, _)| index))
        .collect();
    loop {
        let n_open = open.len();
        open.retain(|index| *index != end && !have.surely_zero(&index.sub(&end)));
        if open.len() == n_open {
            return end;
        }
        end = end.add_constant(1);
    }
}

/// Zeros are elements as far as the wanted segment surely reaches.
fn end_of_zeros(
    (have, block): (&State, &Block),
    (want, wanted): (&State, &Block),
    segment: &Segment,
    end: LinearExpr,
) -> LinearExpr {
    let stride = Integer::from(segment.stride);
    let known = match segment.end.as_var() {
        Some(end) => want.facts.numbers.implied_constant(end),
        None => segment.end.as_constant().cloned(),
    };
    let all = || {
        let is_all = want.surely_zero(&segment.end.scale(&stride).sub(&wanted.size));
        is_all.then(|| have.whole_elements_in(&block.size, segment.stride)).flatten()
    };
    let further = known.map(LinearExpr::constant).or_else(all);
    further.filter(|it| have.surely_at_most_zero(&end.sub(it))).unwrap_or(end)
}

/// Whether a cell of a block stands in the wanted one, too.
fn is_in(wanted: &Block, scalar: &FloatingCell) -> bool {
    let offset = scalar.offset.as_constant().and_then(Integer::to_i128);
    wanted.cells.iter().any(|it| Some(it.offset.into()) == offset && it.ty == scalar.ty)
}

/// Whether cells of a block that the wanted one does not have are zero, or elements of the wanted
/// segment, which reaches up to `end`; and so the elements of the block's own segment.
pub(crate) fn others_are_zero(
    have: &State,
    block: &Block,
    wanted: &Block,
    end: Option<&LinearExpr>,
) -> bool {
    let segment = wanted.segment.as_deref();
    let is_element = |it: &FloatingCell| {
        let Some((segment, end)) = segment.zip(end) else { return false };
        let (stride, width) = (Integer::from(segment.stride), i64::from(it.ty.bytes(8)));
        let first = LinearExpr::from(segment.first).scale(&stride);
        have.surely_at_most_zero(&first.sub(&it.offset))
            && have.surely_at_most_zero(&it.offset.add_constant(width).sub(&end.scale(&stride)))
    };
    let is_fine =
        |it: FloatingCell| is_in(wanted, &it) || have.surely_zero(&it.value) || is_element(&it);
    let own = block.segment.as_deref().filter(|it| !it.is_empty());
    let ends =
        own.is_none_or(|own| end.is_some_and(|end| have.surely_at_most_zero(&own.end.sub(end))));
    ends && block.rows.is_empty() && block.scalars().all(is_fine)
}

/// What the dimensions of a wanted segment are at some of its elements, up to `end`.
pub(crate) fn images(
    (have, block): (&State, &Block),
    wanted: &Block,
    end: &LinearExpr,
) -> Vec<Image> {
    let Some(segment) = wanted.segment.as_deref() else { return Vec::new() };
    if segment.values.is_empty() {
        return Vec::new();
    }
    let own = counterpart(block, segment).filter(|it| !it.is_empty());
    let mut found: Vec<Image> = own.map(|own| of_segment(segment, own)).into_iter().collect();
    let is_some = |first: i64, end: &LinearExpr| {
        have.surely_at_most_zero(&end.neg().add_constant(first.saturating_add(1)))
    };
    // Where there may be no element, one is made up at the start.
    let made_up = |image: &Image| {
        let (position, first, _) = image.range.clone()?;
        let at = std::iter::once((position, first));
        Some(Image { values: image.values.iter().cloned().chain(at).collect(), range: None })
    };
    if own.is_some_and(|own| !is_some(own.first, &own.end)) {
        let more: Vec<Image> = found.iter().filter_map(made_up).collect();
        found.extend(more);
    }
    let covered = grown_end(have, block, wanted, segment);
    if block.content == Content::Zero && !have.surely_at_most_zero(&end.sub(&covered)) {
        let zeros = segment.values.fields.iter().map(|it| (it.value, LinearExpr::zero()));
        let last = end.add_constant(-1);
        let range = segment.values.position.map(|it| (it, segment.first.into(), last));
        let zeros = Image { values: zeros.collect(), range };
        if !is_some(segment.first, end) {
            found.extend(made_up(&zeros));
        }
        found.push(zeros);
    }
    let mut seen: Vec<LinearExpr> = Vec::new();
    let all: Vec<FloatingCell> = block.scalars().filter(|it| !is_in(wanted, it)).collect();
    for scalar in &all {
        let Some((index, residue)) = place(&scalar.offset, segment.stride) else {
            found.push(Image::default());
            continue;
        };
        let last = (residue + i64::from(scalar.ty.bytes(8)) - 1).div_euclid(segment.stride);
        let is_outside = have.surely_at_most_zero(&index.add_constant(last + 1 - segment.first))
            || have.surely_at_most_zero(&end.sub(&index));
        if !is_outside && last > 0 {
            found.push(Image::default());
            continue;
        }
        if is_outside || seen.contains(&index) {
            continue;
        }
        found.push(of_element((have, &all), segment, own, &index));
        seen.push(index);
    }
    found
}

fn of_segment(segment: &Segment, own: &Segment) -> Image {
    let mut image = Image::default();
    for field in &segment.values.fields {
        if let Some(known) = own.field(field.offset, field.ty) {
            image.values.push((field.value, known.value.into()));
        }
    }
    if let Some(position) = segment.values.position {
        match own.values.position {
            Some(known) => image.values.push((position, known.into())),
            None => {
                image.range = Some((position, own.first.into(), own.end.add_constant(-1)));
            }
        }
    }
    image
}

/// The element at an index, of which cells say something.
fn of_element(
    (have, all): (&State, &[FloatingCell]),
    segment: &Segment,
    own: Option<&Segment>,
    index: &LinearExpr,
) -> Image {
    let mut image = Image::default();
    image.values.extend(segment.values.position.map(|it| (it, index.clone())));
    let old = own.filter(|own| have.surely_at_most_zero(&index.add_constant(1).sub(&own.end)));
    let mut is_old = false;
    for field in &segment.values.fields {
        let end = field.offset + i64::from(field.ty.bytes(8));
        let shares = |residue: i64, it: &FloatingCell| {
            residue < end && field.offset < residue + i64::from(it.ty.bytes(8))
        };
        let places = || all.iter().map(|it| (place(&it.offset, segment.stride), it));
        let here = places().find_map(|(at, it)| {
            let (own, residue) = at?;
            (own == *index && shares(residue, it)).then_some((residue, it))
        });
        let is_apart = |(at, it): (Option<(LinearExpr, i64)>, &FloatingCell)| {
            at.is_some_and(|(own, residue)| {
                !shares(residue, it)
                    || have.surely_at_most_zero(&own.add_constant(1).sub(index))
                    || have.surely_at_most_zero(&index.add_constant(1).sub(&own))
            })
        };
        match here {
            Some((residue, it)) => {
                let is_known = (residue, it.ty) == (field.offset, field.ty)
                    && matches!(it.ty, ScalarType::Int(_))
                    && have.kind_of(&it.value) == Kind::Integer;
                image.values.extend(is_known.then(|| (field.value, it.value.clone())));
            }
            None if places().all(is_apart) => {
                let known = old.and_then(|own| own.field(field.offset, field.ty));
                is_old |= known.is_some();
                image.values.extend(known.map(|known| (field.value, known.value.into())));
            }
            None => {}
        }
    }
    let known = old.and_then(|own| own.values.position).filter(|_| is_old);
    if let (Some(known), Some(position)) = (known, segment.values.position) {
        image.values.push((position, known.into()));
    }
    image
}
