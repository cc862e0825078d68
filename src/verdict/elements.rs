//! What the elements of a wanted segment hold, read off the block that is to be described: the
//! check's own reading of segments (`heap::segment`).
//!
//! A wanted segment says something of a field `v` and the index `p` of *every* element from its
//! first one to its end. The elements of the block's own segment, cells and zeros divide them
//! into parts; what holds in each part holds of every element.

use super::nodes::Part;
use heap::segment::Segment;
use heap::state::{Kind, State};
use heap::values::Field;
use heap::{Block, Content};
use ir::ScalarType;
use logic::{Constraint, Integer, LinearExpr, Var};

/// A scalar of the block that is described, at an offset.
struct Scalar {
    offset: LinearExpr,
    ty: ScalarType,
    value: LinearExpr,
}

impl Scalar {
    /// The index of the element that it lies in, and how far from the element's start.
    fn place(&self, stride: i64) -> Option<(LinearExpr, i64)> {
        let constant = self.offset.constant_part().to_i128()?;
        let rest = i64::try_from(constant.rem_euclid(i128::from(stride))).ok()?;
        let start = self.offset.sub(&LinearExpr::from(rest));
        Some((start.div_exact(&Integer::from(stride))?, rest))
    }

    fn width(&self) -> i64 {
        self.ty.bytes(8).into()
    }
}

/// A wanted segment, and the block that has its elements.
pub(super) struct Elements<'a> {
    pub(super) have: &'a State,
    pub(super) block: &'a Block,
    pub(super) wanted: &'a Block,
    /// Where the wanted elements end, in terms of the arriving state.
    pub(super) end: LinearExpr,
}

/// Whether something holds of the numbers of the arriving state.
pub(super) type Shows<'a> = dyn FnMut(&Constraint) -> bool + 'a;

impl Elements<'_> {
    fn stride(&self) -> i64 {
        self.wanted.segment.as_ref().map_or(1, |it| it.stride)
    }

    fn first(&self) -> i64 {
        self.wanted.segment.as_ref().map_or(0, |it| it.first)
    }

    /// The elements that the block's own segment speaks of, counted as the wanted ones are.
    fn own(&self) -> Option<&Segment> {
        let own = self.block.segment.as_deref()?;
        ((own.stride, own.first) == (self.stride(), self.first())).then_some(own)
    }

    /// The scalars of the block that the wanted block does not list.
    fn scalars(&self) -> Vec<Scalar> {
        let is_listed = |offset: i64, ty: ScalarType| {
            self.wanted.cells.iter().any(|it| it.offset == offset && it.ty == ty)
        };
        let cells = self.block.cells.iter().filter(|it| !is_listed(it.offset, it.ty));
        let cells =
            cells.map(|it| Scalar { offset: it.offset.into(), ty: it.ty, value: it.value.clone() });
        let recent = self.block.recent.iter().map(|it| Scalar {
            offset: it.offset.clone(),
            ty: it.ty,
            value: it.value.clone(),
        });
        cells.chain(recent).collect()
    }

    fn has_other_elements(&self) -> bool {
        let Some(own) = self.block.segment.as_deref() else { return false };
        own.end != LinearExpr::from(own.first) && self.own().is_none()
    }

    /// Whether all wanted elements are there: elements of the block's own segment, cells that
    /// follow it one by one, or zeros. Where the wanted block is zero but for what it lists and
    /// its elements, so is the block.
    pub(super) fn are_there(&self, shows: &mut Shows<'_>) -> bool {
        let is_empty = |it: &Segment| it.end == LinearExpr::from(it.first);
        if self.wanted.segment.as_deref().is_none_or(is_empty) {
            return self.wanted.content == Content::Arbitrary || self.others_are_zero(shows);
        }
        if self.has_other_elements() {
            return false;
        }
        let zeros = self.block.content == Content::Zero;
        if self.wanted.content == Content::Zero && !self.others_are_zero(shows) {
            return false;
        }
        if zeros {
            return true;
        }
        let covered = self.covered(shows);
        shows(&Constraint::le(&self.end, covered))
    }

    /// Where the elements end that the block's own segment, or scalars that follow it one by one,
    /// speak of; or some index behind the end of the wanted ones.
    fn covered(&self, shows: &mut Shows<'_>) -> LinearExpr {
        let mut covered = self.own().map_or_else(|| self.first().into(), |own| own.end.clone());
        let scalars = self.scalars();
        let is_next = |it: &Scalar, covered: &LinearExpr, shows: &mut Shows<'_>| {
            let index = it.place(self.stride()).map(|(index, _)| index);
            index.is_some_and(|index| {
                index == *covered
                    || (self.have.kind_of(&index) == Kind::Integer
                        && shows(&Constraint::eq(index, covered)))
            })
        };
        for _ in 0..scalars.len() {
            if !scalars.iter().any(|it| is_next(it, &covered, shows)) {
                break;
            }
            covered = covered.add_constant(1);
        }
        covered
    }

    /// Whether the block is zero where the wanted one says so.
    fn others_are_zero(&self, shows: &mut Shows<'_>) -> bool {
        let ends = match self.block.segment.as_deref() {
            Some(own) if own.end != LinearExpr::from(own.first) => {
                self.own().is_some() && shows(&Constraint::le(&own.end, &self.end))
            }
            Some(_) | None => true,
        };
        let stride = Integer::from(self.stride());
        let start = LinearExpr::from(self.first()).scale(&stride);
        let behind = self.end.scale(&stride);
        let is_element = |it: &Scalar, shows: &mut Shows<'_>| {
            self.wanted.segment.is_some()
                && self.have.kind_of(&it.offset) == Kind::Integer
                && shows(&Constraint::ge(&it.offset, &start))
                && shows(&Constraint::le(it.offset.add_constant(it.width()), &behind))
        };
        let is_zero = |it: &Scalar, shows: &mut Shows<'_>| match it.value.as_constant() {
            Some(constant) => constant.is_zero(),
            None => {
                self.have.kind_of(&it.value) == Kind::Integer
                    && shows(&Constraint::zero(it.value.clone()))
            }
        };
        ends && self.scalars().iter().all(|it| is_zero(it, shows) || is_element(it, shows))
    }

    /// What holds of the elements of each part. `name` calls the wanted dimensions. Where no
    /// element may be left, one is made up: it holds what the binding says, which is `pretended`.
    pub(super) fn parts(
        &self,
        (name, pretended): (&dyn Fn(Var) -> LinearExpr, &dyn Fn(Var) -> LinearExpr),
        shows: &mut Shows<'_>,
    ) -> Vec<Part> {
        let Some(segment) = self.wanted.segment.as_deref() else { return Vec::new() };
        let mut parts = Vec::new();
        let own = self.own().filter(|own| own.end != LinearExpr::from(own.first));
        if let Some(own) = own {
            let range = Range { first: own.first, end: &own.end };
            let fields = of_fields(segment, own, name);
            match segment.values.position {
                Some(position) if own.values.position.is_none() => {
                    parts.extend(range.parts(fields, &name(position), shows));
                }
                _ => parts.push(with_position(segment, own, fields, name)),
            }
        }
        if self.block.content == Content::Zero {
            let covered = self.covered(shows);
            if !shows(&Constraint::le(&self.end, covered)) {
                let range = Range { first: self.first(), end: &self.end };
                match segment.values.position {
                    Some(position) => {
                        parts.extend(range.parts(zeros(segment, name), &name(position), shows));
                    }
                    None => parts.push(zeros(segment, name)),
                }
            }
        }
        let scalars = self.scalars();
        for (position, scalar) in scalars.iter().enumerate() {
            let place = scalar.place(self.stride());
            let Some((index, rest)) =
                place.filter(|(index, _)| self.have.kind_of(index) == Kind::Integer)
            else {
                parts.push(Part::new());
                continue;
            };
            let last = (rest + scalar.width() - 1).div_euclid(self.stride());
            let is_outside = shows(&Constraint::le(index.add_constant(last + 1), self.first()))
                || shows(&Constraint::ge(&index, &self.end));
            if !is_outside && last > 0 {
                // It lies in more than one element: of these nothing is known.
                parts.push(Part::new());
                continue;
            }
            let is_again = scalars[..position]
                .iter()
                .any(|it| it.place(self.stride()).is_some_and(|(known, _)| known == index));
            if !is_outside && !is_again {
                let old = own.filter(|own| shows(&Constraint::le(index.add_constant(1), &own.end)));
                parts.push(self.element((segment, old), &index, &scalars, (name, shows)));
            }
        }
        if parts.is_empty() {
            let made_up = segment.values.variables();
            parts.push(made_up.map(|v| Constraint::eq(name(v), pretended(v))).collect());
        }
        parts
    }

    /// The element at an index, of which some scalars of the block say something. What they do
    /// not touch, the block's own segment says, if the element is one of it.
    fn element(
        &self,
        (segment, old): (&Segment, Option<&Segment>),
        index: &LinearExpr,
        scalars: &[Scalar],
        (name, shows): (&dyn Fn(Var) -> LinearExpr, &mut Shows<'_>),
    ) -> Part {
        let mut part = Part::new();
        part.extend(segment.values.position.map(|it| Constraint::eq(name(it), index)));
        let mut is_old = false;
        for field in &segment.values.fields {
            let (here, elsewhere): (Vec<&Scalar>, Vec<&Scalar>) =
                scalars.iter().partition(|it| self.touches(it, index, *field));
            // One elsewhere may lie in this element all the same, if nobody knows.
            let mut others = elsewhere.into_iter();
            match here.as_slice() {
                [] if others.all(|it| self.is_apart(it, index, *field, shows)) => {
                    let known = old.and_then(|old| field_of(old, *field));
                    is_old |= known.is_some();
                    part.extend(known.map(|known| Constraint::eq(name(field.value), known)));
                }
                [only] => part.extend(
                    self.held(only, index, *field)
                        .map(|value| Constraint::eq(name(field.value), value)),
                ),
                [..] => {}
            }
        }
        let position = old.and_then(|old| old.values.position).filter(|_| is_old);
        part.extend(position.map(|position| Constraint::eq(position, index)));
        part
    }

    /// Whether a scalar lies in the element at an index, written alike, and shares bytes with a
    /// field.
    fn touches(&self, scalar: &Scalar, index: &LinearExpr, field: Field) -> bool {
        let end = field.offset + i64::from(field.ty.bytes(8));
        scalar.place(self.stride()).is_some_and(|(own, rest)| {
            own == *index && rest < end && field.offset < rest + scalar.width()
        })
    }

    /// Whether a scalar surely shares no byte with a field of the element at an index.
    fn is_apart(
        &self,
        scalar: &Scalar,
        index: &LinearExpr,
        field: Field,
        shows: &mut Shows<'_>,
    ) -> bool {
        let Some((own, rest)) = scalar.place(self.stride()) else { return false };
        let end = field.offset + i64::from(field.ty.bytes(8));
        let stays_inside = rest + scalar.width() <= self.stride();
        (stays_inside && (rest >= end || field.offset >= rest + scalar.width()))
            || (stays_inside
                && self.have.kind_of(&own) == Kind::Integer
                && (shows(&Constraint::lt(&own, index)) || shows(&Constraint::gt(&own, index))))
    }

    /// What a field of the element at an index holds, if the scalar is just this field.
    fn held(&self, scalar: &Scalar, index: &LinearExpr, field: Field) -> Option<LinearExpr> {
        let (own, rest) = scalar.place(self.stride())?;
        let is_it = own == *index
            && (rest, scalar.ty) == (field.offset, field.ty)
            && matches!(scalar.ty, ScalarType::Int(_));
        (is_it && self.have.kind_of(&scalar.value) == Kind::Integer).then(|| scalar.value.clone())
    }
}

fn field_of(segment: &Segment, wanted: Field) -> Option<LinearExpr> {
    let same = |own: &&Field| (own.offset, own.ty) == (wanted.offset, wanted.ty);
    segment.values.fields.iter().find(same).map(|own| own.value.into())
}

/// What the elements of the block's own segment hold.
fn of_fields(wanted: &Segment, own: &Segment, name: &dyn Fn(Var) -> LinearExpr) -> Part {
    let fields = wanted
        .values
        .fields
        .iter()
        .filter_map(|field| Some(Constraint::eq(name(field.value), field_of(own, *field)?)));
    fields.collect()
}

/// And what their position is, where both segments speak of it.
fn with_position(
    wanted: &Segment,
    own: &Segment,
    mut part: Part,
    name: &dyn Fn(Var) -> LinearExpr,
) -> Part {
    let positions = wanted.values.position.zip(own.values.position);
    part.extend(positions.map(|(wanted, own)| Constraint::eq(name(wanted), own)));
    part
}

/// Zeros.
fn zeros(wanted: &Segment, name: &dyn Fn(Var) -> LinearExpr) -> Part {
    let numbers = wanted.values.fields.iter().filter(|it| !matches!(it.ty, ScalarType::Float(_)));
    numbers.map(|field| Constraint::eq(name(field.value), 0)).collect()
}

/// Positions of elements.
struct Range<'a> {
    first: i64,
    end: &'a LinearExpr,
}

impl Range<'_> {
    /// Elements anywhere in the range. Where it may be empty, one is made up at its start: what is
    /// said of elements must not imply that there are any.
    fn parts(
        &self,
        fields: Part,
        position: &LinearExpr,
        shows: &mut Shows<'_>,
    ) -> impl Iterator<Item = Part> + use<> {
        let is_there = shows(&Constraint::ge(self.end, self.first.saturating_add(1)));
        let with = |bounds: &[Constraint]| fields.iter().chain(bounds).cloned().collect::<Part>();
        let least = Constraint::ge(position, self.first);
        let greatest = Constraint::le(position, self.end.add_constant(-1));
        let anywhere = with(&[least, greatest]);
        let made_up = (!is_there).then(|| with(&[Constraint::eq(position, self.first)]));
        std::iter::once(anywhere).chain(made_up)
    }
}
