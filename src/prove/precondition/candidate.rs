//! A candidate precondition, and what can be added to one.

mod counted;
mod flags;
mod senses;

use heap::shape::{ShapeDef, ShapeId, ShapeLibrary};
use heap::state::{Kind, State};
use heap::template::{Ending, Extent};
use heap::values::NodeValues;
use heap::{Atom, Block, Cell, Content, FloatingCell, Instance, Region, Template};
use ir::links::Sort;
use ir::open::{LayoutId, NumberField, OpenEntry, PointerSort};
use ir::senses::Sense;
use ir::{IntKind, MemoryKind, Program, ScalarType};
use logic::{Constraint, Integer, LinearExpr, Var};
use rules::eval::Missing;
use senses::{Fit, are_alike, arrangements, fit, is_shared, pairs};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::ops::Range;

/// More arguments and fields than this are not made equal to each other.
const MAX_ALIASES: usize = 4;

/// More integers of a block have no names.
const MAX_NUMBERS: usize = 8;

/// A precondition, with the types of the pointers in it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The precondition.
    pub(super) state: State,
    /// What pointers point at by their types; those of null are absent.
    types: BTreeMap<Var, LayoutId>,
    /// The integer arguments, and the integers in blocks that have names.
    numbers: Vec<Var>,
}

/// A character of a string.
const CHARACTER: ScalarType = ScalarType::Int(IntKind { bits: 8, signed: true });

const HEAP: Region = Region { kind: MemoryKind::Heap, frame: 0, sort: Sort(0) };

impl Candidate {
    /// Nothing is required; all that comes in has a name.
    pub(super) fn of_entry(program: &Program, open: &OpenEntry) -> Self {
        let mut state = State::initial();
        let mut types = BTreeMap::new();
        for (variable, layout) in &open.pointers {
            let value = state.fresh(Kind::Unknown);
            let is_global = program.variable(*variable).owner.is_none();
            state.set_in(usize::from(!is_global), *variable, value.into());
            types.insert(value, *layout);
        }
        // Parameters are known to come in (`ir::incoming`).
        let of_globals = open.functions.iter().filter(|it| program.variable(**it).owner.is_none());
        for variable in of_globals {
            let value = state.fresh(Kind::Foreign);
            state.set_in(0, *variable, value.into());
        }
        let mut numbers = Vec::new();
        for parameter in &program.procedure(open.procedure).parameters {
            if let ScalarType::Int(_) = program.variable(*parameter).ty {
                let value = state.fresh(Kind::Integer);
                state.set_in(1, *parameter, value.into());
                numbers.push(value);
            }
        }
        Self { state, types, numbers }
    }

    /// Whether something can be added that is missing.
    pub(super) fn supplies(&self, missing: &Missing, open: &OpenEntry) -> bool {
        match missing {
            Missing::Block(address) => self.pointer(address).is_some(),
            Missing::Room(base, excess) => {
                self.measured_block(*base).is_some()
                    || self.may_be_array(*base, excess, open)
                    || (self.object(*base).is_some() && self.is_of_arguments(excess))
            }
            Missing::Divisor(value) => self.is_of_arguments(value),
        }
    }

    /// The pointer that came in and points around an address where nothing is, perhaps as the
    /// start of an array.
    fn pointer(&self, address: &LinearExpr) -> Option<(Var, LayoutId)> {
        let one = Integer::from(1);
        let candidates = address.terms().iter().filter(|(_, factor)| *factor == one);
        let mut typed = candidates.filter_map(|(it, _)| Some((*it, *self.types.get(it)?)));
        typed.find(|(pointer, _)| !self.state.is_allocated(*pointer))
    }

    /// The size of a block that may be an array: a variable.
    fn measured_block(&self, base: Var) -> Option<Var> {
        match &self.state.heap.atoms[self.state.block_at(base)?] {
            Atom::Block(block) => block.size.as_var(),
            Atom::Instance(_) => None,
        }
    }

    /// The candidate in which the pointer at which memory is missing is null.
    pub(super) fn with_null(&self, missing: &Missing) -> Option<Self> {
        let Missing::Block(address) = missing else { return None };
        let (pointer, _) = self.pointer(address)?;
        let mut next = self.clone();
        next.types.remove(&pointer);
        (!next.state.assume_zero(&pointer.into()).is_empty()).then_some(next)
    }

    /// How many variables it has.
    pub(super) fn n_variables(&self) -> usize {
        self.state.vocabulary.len()
    }

    /// Whether something is missing behind one of these variables.
    pub(super) fn is_behind(&self, missing: &Missing, variables: &Range<usize>) -> bool {
        let Missing::Block(address) = missing else { return false };
        self.pointer(address).is_some_and(|(pointer, _)| variables.contains(&pointer.index()))
    }

    /// The pointer is the root of an instance: of those that end in null, and of others.
    pub(super) fn with_shapes(
        &self,
        missing: &Missing,
        open: &OpenEntry,
        library: &ShapeLibrary,
    ) -> [Vec<Self>; 2] {
        let Missing::Block(address) = missing else { return Default::default() };
        let Some((pointer, layout)) = self.pointer(address) else { return Default::default() };
        let fields: Vec<(i64, Sense)> =
            open.links(layout).map(|field| (field.offset, Sense::of(&field.name))).collect();
        let links: Vec<i64> = fields.iter().map(|(offset, _)| *offset).collect();
        let has_back = fields.iter().any(|(_, sense)| *sense == Sense::Back);
        let mut shapes: Vec<ShapeId> = library.by_specificity().collect();
        // Other shapes of a family are parts of its first one. A cell alone is a block.
        shapes.retain(|id| {
            let shape = library.get(*id);
            let is_plain = shape.inner.is_empty() && shape.owners.is_empty();
            let has_cells = !shape.labels.is_empty();
            shape.family == *id && has_cells && is_plain && !shape.holds_places()
        });
        // A list linked both ways fits few programs that were written for trees, and a tree
        // fits few lists that are linked both ways.
        shapes.sort_by_key(|id| {
            let shape = library.get(*id);
            let is_both_ways = shape.anchors().count() > 1;
            (shape.labels.len(), is_both_ways != has_back, shape.parameters.len(), *id)
        });
        let (mut found, mut last, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for id in shapes {
            let shape = library.get(id);
            let alike = pairs(shape.labels.len()).filter(|(a, b)| are_alike(shape, *a, *b));
            let alike: Vec<(usize, usize)> = alike.collect();
            for links in arrangements(&links, shape.labels.len()) {
                let is_mirrored = alike.iter().any(|(a, b)| links[*a] > links[*b]);
                let fit = fit(shape, &links, &fields);
                if is_mirrored || fit == Fit::Not {
                    continue;
                }
                let found = if fit == Fit::Well { &mut found } else { &mut last };
                let size = open.layout(layout).bytes;
                let (selves, inner) = (SmallVec::new(), Vec::new());
                let known = match links.len() {
                    0 | 1 => None,
                    _ => flags::flags_beside(shape, &links, open.layout(layout)),
                };
                let flags = SmallVec::new();
                let region = HEAP;
                let (ending, extent, always) = (Ending::Any, Extent::Any, SmallVec::new());
                let root = 0;
                let template = Template {
                    size,
                    root,
                    links,
                    selves,
                    flags,
                    region,
                    ending,
                    extent,
                    inner,
                    always,
                };
                let flagged = known.map(|flags| Template { flags, ..template.clone() });
                let is_up = |(offset, sense): &(i64, Sense)| {
                    let mut shared = shape.shared.iter();
                    *sense == Sense::Up && shared.any(|it| template.links.get(*it) == Some(offset))
                };
                let end = if fields.iter().any(is_up) { End::Owned } else { End::Null };
                for template in flagged.iter().chain([&template]) {
                    found.extend(self.with_shape(pointer, (id, shape), template, end));
                }
                let is_segment = shape.parameters.len() == shape.anchors().count() + 1;
                if is_segment {
                    let ends = self.others_of(pointer, layout).map(End::At);
                    for end in std::iter::once(End::Start).chain(ends) {
                        others.extend(self.with_shape(pointer, (id, shape), &template, end));
                    }
                }
            }
        }
        found.extend(last);
        [found, others]
    }

    fn with_shape(
        &self,
        pointer: Var,
        (id, shape): (ShapeId, &ShapeDef),
        template: &Template,
        end: End,
    ) -> Option<Self> {
        let anchor = shape.unfoldings.first()?.anchor;
        let mut next = self.clone();
        let root = next.allocate(pointer)?;
        let mut arguments: SmallVec<[LinearExpr; 2]> = SmallVec::new();
        for position in 0..shape.parameters.len() {
            arguments.push(match end {
                _ if position == anchor => root.into(),
                _ if shape.anchors().any(|other| other == position) => {
                    let end = next.state.fresh(Kind::Address);
                    let layout = next.types.get(&root).copied();
                    next.types.extend(layout.map(|layout| (end, layout)));
                    end.into()
                }
                End::Owned if is_shared(shape, position) => {
                    let owner = next.state.fresh(Kind::Unknown);
                    let layout = next.types.get(&root).copied();
                    next.types.extend(layout.map(|layout| (owner, layout)));
                    owner.into()
                }
                End::Null | End::Owned => LinearExpr::zero(),
                End::Start => root.into(),
                End::At(other) => other.into(),
            });
        }
        let depth = LinearExpr::from(next.state.fresh(Kind::Integer));
        let at_least_one = Constraint::ge(&depth, 1);
        next.state.heap.atoms.push(Atom::Instance(Instance {
            shape: id,
            template: template.clone(),
            arguments,
            anchor_mask: shape.anchor_mask(),
            depth,
            values: NodeValues::default(),
        }));
        (!next.state.assume_constraint(at_least_one).is_empty()).then_some(next)
    }

    /// The pointer points at one object of its type.
    pub(super) fn with_block(&self, missing: &Missing, open: &OpenEntry) -> Option<Self> {
        let Missing::Block(address) = missing else { return None };
        let (pointer, layout) = self.pointer(address)?;
        let mut next = self.clone();
        let base = next.allocate(pointer)?;
        let layout = open.layout(layout);
        let size = LinearExpr::from(layout.bytes);
        let mut cells: SmallVec<[Cell; 2]> = SmallVec::new();
        for field in &layout.pointers {
            let kind = match field.sort {
                PointerSort::Object => Kind::Unknown,
                PointerSort::Function => Kind::Foreign,
            };
            let value = next.state.fresh(kind);
            next.types.extend(field.target.map(|target| (value, target)));
            let (offset, ty) = (field.offset, ScalarType::Pointer);
            cells.push(Cell { offset, ty, value: value.into() });
        }
        let content = Content::Arbitrary;
        let (region, floating, recent, segment, rows) = (HEAP, None, Vec::new(), None, Vec::new());
        let block = Block { base, size, region, content, cells, floating, recent, segment, rows };
        next.state.heap.atoms.push(Atom::Block(block));
        Some(next)
    }

    /// The pointer points at an array of objects of its type, which hold no pointers.
    pub(super) fn with_objects(&self, missing: &Missing, open: &OpenEntry) -> Option<Self> {
        let Missing::Block(address) = missing else { return None };
        self.pointer(address)?;
        let mut next = self.with_block(missing, open)?;
        let base = next.state.heap.atoms.iter().rev().find_map(|atom| match atom {
            Atom::Block(block) => Some(block.base),
            Atom::Instance(_) => None,
        })?;
        next.make_array(base, open)?;
        Some(next)
    }

    /// The object that was too small is one of an array.
    pub(super) fn with_array(&self, missing: &Missing, open: &OpenEntry) -> Option<Self> {
        let Missing::Room(base, excess) = missing else { return None };
        let mut next = self.clone();
        next.may_be_array(*base, excess, open).then_some(())?;
        next.make_array(*base, open)?;
        Some(next)
    }

    /// Makes an array of any length of one object. No object is larger than differences of pointers
    /// can tell (PTRDIFF_MAX).
    fn make_array(&mut self, base: Var, open: &OpenEntry) -> Option<()> {
        let layout = open.layout(*self.types.get(&base)?);
        let index = self.state.block_at(base)?;
        let size = self.state.fresh(Kind::Integer);
        let Atom::Block(block) = &mut self.state.heap.atoms[index] else { return None };
        (layout.pointers.is_empty() && block.cells.is_empty()).then_some(())?;
        block.size = size.into();
        let most = Constraint::le(size, i64::MAX);
        (!self.state.assume_constraint(most).is_empty()).then_some(())
    }

    /// The bytes of a single object.
    fn object(&self, base: Var) -> Option<i64> {
        match &self.state.heap.atoms[self.state.block_at(base)?] {
            Atom::Block(block) => block.size.as_constant().and_then(Integer::to_i64),
            Atom::Instance(_) => None,
        }
    }

    /// Whether an access behind the end of an object goes to others beside it: by whole objects.
    ///
    /// ```text
    ///   struct point *p    p[n].x    16*n + 4 <= bytes behind p     an array
    ///   struct text *p     p->c[n]   n + 5 <= bytes behind p        one object
    /// ```
    fn may_be_array(&self, base: Var, excess: &LinearExpr, open: &OpenEntry) -> bool {
        let layout = self.types.get(&base).map(|layout| open.layout(*layout));
        let Some(layout) = layout.filter(|layout| layout.pointers.is_empty()) else { return false };
        let bytes = Integer::from(layout.bytes);
        self.object(base) == Some(layout.bytes)
            && excess.terms().iter().all(|(_, factor)| bytes.divides(factor))
    }

    /// The pointer is equal to another one of its type.
    pub(super) fn with_alias(&self, missing: &Missing) -> Vec<Self> {
        let Missing::Block(address) = missing else { return Vec::new() };
        let Some((pointer, layout)) = self.pointer(address) else { return Vec::new() };
        let equal = |other: Var| {
            let mut next = self.clone();
            let difference = LinearExpr::from(pointer).sub(&other.into());
            next.types.remove(&pointer);
            (!next.state.assume_zero(&difference).is_empty()).then_some(next)
        };
        let others = self.others_of(pointer, layout);
        others.filter_map(equal).collect()
    }

    /// The pointer points at the last node of a list that is linked both ways, of which nothing
    /// points at the last node yet.
    pub(super) fn with_end(&self, missing: &Missing) -> Vec<Self> {
        let Missing::Block(address) = missing else { return Vec::new() };
        let Some((pointer, layout)) = self.pointer(address) else { return Vec::new() };
        let instances = self.state.heap.atoms.iter().filter_map(|atom| match atom {
            Atom::Instance(instance) => Some(instance),
            Atom::Block(_) => None,
        });
        let ends = instances.flat_map(|it| it.anchors().skip(1));
        let ends = ends.filter_map(|(_, end)| end.as_var());
        let ends = ends.filter(|end| self.types.get(end) == Some(&layout) && !self.is_held(*end));
        let at = |end: Var| {
            let mut next = self.clone();
            next.types.remove(&pointer);
            let difference = LinearExpr::from(pointer).sub(&end.into());
            (!next.state.assume_zero(&difference).is_empty()).then_some(next)
        };
        ends.filter_map(at).collect()
    }

    /// Whether a variable or a field holds an address.
    fn is_held(&self, address: Var) -> bool {
        let stores = self.state.stores.iter().flatten().map(|(_, value)| value);
        let cells = self.state.heap.atoms.iter().flat_map(|atom| match atom {
            Atom::Block(block) => block.cells.as_slice(),
            Atom::Instance(_) => &[],
        });
        stores.chain(cells.map(|cell| &cell.value)).any(|it| it.mentions(address))
    }

    fn others_of(&self, pointer: Var, layout: LayoutId) -> impl Iterator<Item = Var> {
        let others =
            self.types.iter().filter(move |(other, ty)| **other != pointer && **ty == layout);
        others.map(|(other, _)| *other).take(MAX_ALIASES)
    }

    /// The integers in blocks have names, so that more can be said of them. Nothing, if all have.
    pub(super) fn with_numbers(&self, missing: &Missing, open: &OpenEntry) -> Option<Self> {
        let Missing::Room(..) = missing else { return None };
        let mut next = self.clone();
        for index in 0..next.state.heap.atoms.len() {
            for field in next.unnamed(index, open) {
                next.name_number(index, &field);
            }
        }
        (next.numbers.len() > self.numbers.len()).then_some(next)
    }

    /// One integer in a block has a name, which comes with it.
    fn with_number(&self, atom: usize, field: &NumberField) -> Option<(Self, LinearExpr)> {
        let mut next = self.clone();
        let Atom::Block(block) = &self.state.heap.atoms[atom] else { return None };
        let known = block.cell(field.offset).map(|cell| cell.value.clone());
        let value = known.unwrap_or_else(|| next.name_number(atom, field).into());
        Some((next, value))
    }

    /// Gives an integer in a block a name.
    fn name_number(&mut self, atom: usize, field: &NumberField) -> Var {
        let (kind, value) = (field.kind, self.state.fresh(Kind::Integer));
        let [least, most] = [kind.min(), kind.max()].map(Integer::from);
        self.state.facts.numbers.assume(Constraint::ge(value, least));
        self.state.facts.numbers.assume(Constraint::le(value, most));
        self.numbers.push(value);
        let cell = Cell { offset: field.offset, ty: ScalarType::Int(kind), value: value.into() };
        if let Atom::Block(block) = &mut self.state.heap.atoms[atom] {
            block.cells.push(cell);
            block.cells.sort_by_key(|cell| cell.offset);
        }
        value
    }

    /// The integers in a block that lie inside it and have no names.
    fn unnamed(&self, atom: usize, open: &OpenEntry) -> Vec<NumberField> {
        let Atom::Block(block) = &self.state.heap.atoms[atom] else { return Vec::new() };
        let layout = self.types.get(&block.base).map(|layout| open.layout(*layout));
        let Some(layout) = layout.filter(|_| block.floating.is_none()) else { return Vec::new() };
        let fields = layout.numbers.iter().filter(|field| {
            let end = LinearExpr::from(field.offset + field.bytes());
            block.cell(field.offset).is_none()
                && layout.bytes > 1
                && self.state.surely_at_most_zero(&end.sub(&block.size))
        });
        fields.take(MAX_NUMBERS).cloned().collect()
    }

    /// The block is large enough for as many elements as an argument says.
    pub(super) fn with_elements(&self, missing: &Missing, open: &OpenEntry) -> Vec<Self> {
        let Missing::Room(base, _) = missing else { return Vec::new() };
        let Some(size) = self.measured_block(*base) else { return Vec::new() };
        let element = self.types.get(base).map_or(1, |layout| open.layout(*layout).bytes);
        let demand = |number: &Var| LinearExpr::term(*number, element).sub(&size.into());
        self.numbers.iter().filter_map(|number| self.demanding(&demand(number))).collect()
    }

    /// The block has as many elements as a number says, and the index is no larger than that: where a
    /// structure says how many there are, and how many are in use.
    ///
    /// ```text
    ///   s ↦ { p: x, a: i, b: k }    x ↦ n bytes    x + e*i + c is accessed
    ///   ───────────────────────────────────────────────────────────────────
    ///   e*k <= n & i <= k
    /// ```
    pub(super) fn with_index_below(&self, missing: &Missing, open: &OpenEntry) -> Vec<Self> {
        let Missing::Room(base, _) = missing else { return Vec::new() };
        let Some(size) = self.measured_block(*base) else { return Vec::new() };
        let element = self.types.get(base).map_or(1, |layout| open.layout(*layout).bytes);
        let beside = self.numbers_beside(*base);
        let pairs = beside.iter().flat_map(|index| {
            let others = beside.iter().filter(move |it| *it != index);
            others.map(move |count| (*index, *count))
        });
        let below = |(index, count): (Var, Var)| {
            let room = LinearExpr::term(count, element).sub(&size.into());
            let before = LinearExpr::from(index).sub(&count.into());
            self.demanding(&room).unwrap_or_else(|| self.clone()).demanding(&before)
        };
        pairs.filter_map(below).collect()
    }

    /// The numbers with names that lie in the block that leads to another one.
    fn numbers_beside(&self, pointer: Var) -> Vec<Var> {
        let holders = self.state.heap.atoms.iter().filter_map(|atom| match atom {
            Atom::Block(block) => Some(&block.cells),
            Atom::Instance(_) => None,
        });
        let mut holders = holders.filter(|cells| cells.iter().any(|it| it.value == pointer.into()));
        let cells = holders.next().into_iter().flatten();
        let numbers = cells.filter_map(|it| it.value.as_var());
        numbers.filter(|it| self.numbers.contains(it)).collect()
    }

    /// The block is large enough for this access.
    pub(super) fn with_room(&self, missing: &Missing) -> Option<Self> {
        let Missing::Room(base, excess) = missing else { return None };
        let is_block = self.measured_block(*base).is_some() || self.object(*base).is_some();
        is_block.then_some(())?;
        let is_own = |variable: Var| variable.index() < self.state.vocabulary.len();
        if excess.variables().all(is_own) { self.demanding(excess) } else { None }
    }

    /// The string ends no sooner than where it is looked at.
    ///
    /// ```text
    ///   x ↦ n bytes { z: 0 }    x + e - 1 is read, for some e <= n
    ///   ──────────────────────────────────────────────────────────
    ///   e - 1 <= z
    /// ```
    pub(super) fn with_longer_string(&self, missing: &Missing) -> Option<Self> {
        let Missing::Room(base, excess) = missing else { return None };
        let Atom::Block(block) = &self.state.heap.atoms[self.state.block_at(*base)?] else {
            return None;
        };
        let end = block.floating.as_ref().filter(|end| end.value.is_zero())?;
        let last = excess.add(&block.size).add_constant(-1);
        let is_named = last.variables().all(|it| self.numbers.contains(&it));
        let demand = last.sub(&end.offset);
        if is_named && last.as_constant().is_none() { self.demanding(&demand) } else { None }
    }

    /// The same where this is not positive; nothing, if that is known or impossible.
    fn demanding(&self, demand: &LinearExpr) -> Option<Self> {
        let mut next = self.clone();
        if next.state.surely_at_most_zero(demand) {
            return None;
        }
        (!next.state.assume_at_most_zero(demand).is_empty()).then_some(next)
    }

    /// Whether a number is made of integer arguments alone.
    fn is_of_arguments(&self, value: &LinearExpr) -> bool {
        value.as_constant().is_none() && value.variables().all(|it| self.numbers.contains(&it))
    }

    /// The divisor is not zero.
    pub(super) fn with_divisor(&self, missing: &Missing) -> Option<Self> {
        let Missing::Divisor(value) = missing else { return None };
        let mut next = self.clone();
        (!next.state.assume_nonzero(value).is_empty()).then_some(next)
    }

    /// The block of characters holds a string.
    ///
    /// ```text
    ///   x ↦ n bytes   becomes   x ↦ n bytes { z: 0 } & 0 <= z & z + 1 <= n
    /// ```
    pub(super) fn with_string(&self, missing: &Missing, open: &OpenEntry) -> Option<Self> {
        let Missing::Room(base, _) = missing else { return None };
        let size = self.measured_block(*base)?;
        let layout = self.types.get(base)?;
        let mut next = self.clone();
        let end = next.state.fresh(Kind::Integer);
        let index = next.state.block_at(*base)?;
        let Atom::Block(block) = &mut next.state.heap.atoms[index] else { return None };
        if open.layout(*layout).bytes != 1 || block.floating.is_some() {
            return None;
        }
        let (offset, value) = (end.into(), LinearExpr::zero());
        block.floating = Some(Box::new(FloatingCell { offset, ty: CHARACTER, value }));
        let ends_inside = LinearExpr::from(end).add_constant(1).sub(&size.into());
        let is_possible = !next.state.assume_at_most_zero(&ends_inside).is_empty()
            && !next.state.assume_constraint(Constraint::ge(end, 0)).is_empty();
        is_possible.then_some(next)
    }

    /// A new address that the pointer holds.
    fn allocate(&mut self, pointer: Var) -> Option<Var> {
        let address = self.state.fresh(Kind::Address);
        let layout = self.types.remove(&pointer)?;
        self.types.insert(address, layout);
        let difference = LinearExpr::from(pointer).sub(&address.into());
        (!self.state.assume_zero(&difference).is_empty()).then_some(address)
    }
}

/// Where a segment ends.
#[derive(Clone, Copy)]
enum End {
    Null,
    /// In null; but what all nodes hold, their owner, need not be null.
    Owned,
    /// Where it starts.
    Start,
    At(Var),
}
