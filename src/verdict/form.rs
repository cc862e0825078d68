//! Whether a state of an argument has the form that the rules of execution rely on.
//!
//! A state that execution makes always has it. One of an argument could be anything:
//! two values of one variable, of which a rule finds the older one; the same name for
//! what the nodes of two instances hold; links that its shape does not have.

use heap::products::{MOST_BITS, Product};
use heap::row::Holding;
use heap::segment::Segment;
use heap::shape::{ShapeDef, ShapeLibrary};
use heap::state::{Kind, State};
use heap::template::Ending;
use heap::values::Field;
use heap::{ANY_SIZE, Atom, Block, Content, Flag, Instance, Template};
use ir::{MemoryKind, ScalarType};
use logic::{LinearExpr, Var};
use rules::Semantics;
use std::collections::BTreeSet;

/// Whether the state has the form of a state.
pub(super) fn is_well_formed(machine: &Semantics<'_>, state: &State) -> bool {
    let form = Form { state, machine };
    let fields = state.heap.atoms.iter().filter_map(|atom| match atom {
        Atom::Instance(instance) => Some(instance.values.variables()),
        Atom::Block(block) => block.segment.as_ref().map(|segment| segment.values.variables()),
    });
    let mut named = BTreeSet::new();
    let numbers = &state.facts.numbers;
    state.stores.iter().all(|store| {
        store.is_sorted_by(|a, b| a.0 < b.0) && store.iter().all(|(_, value)| form.has_value(value))
    }) && state.heap.atoms.iter().all(|atom| match atom {
        Atom::Block(block) => form.has_block(block),
        Atom::Instance(instance) => form.has_instance(instance),
    }) && fields
        .flatten()
        .all(|field| form.kind(field) == Some(Kind::Summary) && named.insert(field))
        && state.facts.nonzero.iter().all(|fact| form.has_value(fact))
        && state.facts.products.iter().all(|product| form.has_product(product))
        && numbers
            .variables()
            .into_iter()
            .all(|v| matches!(form.kind(v), Some(Kind::Integer | Kind::Summary)))
}

struct Form<'a> {
    state: &'a State,
    machine: &'a Semantics<'a>,
}

impl Form<'_> {
    /// The kind of a variable, if it is one of the state.
    fn kind(&self, variable: Var) -> Option<Kind> {
        let vocabulary = &self.state.vocabulary;
        (variable.index() < vocabulary.len()).then(|| vocabulary.kind(variable))
    }

    /// What nodes hold is no value.
    fn has_value(&self, value: &LinearExpr) -> bool {
        value.variables().all(|v| self.kind(v).is_some_and(|kind| kind != Kind::Summary))
    }

    /// A product is one of numbers, and its factor is not 0. It is reduced to types of few bits.
    fn has_product(&self, product: &Product) -> bool {
        let is_number = |number: &LinearExpr| {
            self.has_value(number) && self.state.kind_of(number) == Kind::Integer
        };
        !product.factor.is_zero()
            && product.range.is_none_or(|kind| kind.bits <= MOST_BITS)
            && product.numbers().all(is_number)
    }

    /// Cells come by rising offset and share no byte.
    fn has_block(&self, block: &Block) -> bool {
        let pointer_bytes = self.machine.program.pointer_bytes;
        let in_order = block.cells.windows(2).all(|pair| {
            let end = i128::from(pair[0].offset) + i128::from(pair[0].ty.bytes(pointer_bytes));
            end <= i128::from(pair[1].offset)
        });
        in_order
            && matches!(self.kind(block.base), Some(Kind::Address | Kind::Unknown))
            && self.has_value(&block.size)
            && block.cells.iter().all(|cell| self.has_value(&cell.value))
            && block.floats().all(|it| self.has_value(&it.offset) && self.has_value(&it.value))
            && block.segment.as_ref().is_none_or(|segment| self.has_segment(segment))
            && self.has_rows(block)
    }

    /// Rows are of one array, each of another field of its elements.
    fn has_rows(&self, block: &Block) -> bool {
        let library = self.machine.shape_library;
        let is_number =
            |it: &LinearExpr| self.has_value(it) && self.state.kind_of(it) == Kind::Integer;
        let owns = |holds: &Holding| {
            library.iter().nth(holds.shape.index()).is_some_and(|shape| {
                holds.places.len() == shape.parameters.len()
                    && holds.is_entered(library)
                    && fits(library, shape, &holds.template)
                    && lasts(&holds.template)
                    && holds.bounds.is_sorted_by(|a, b| a.offset < b.offset)
                    && holds.bounds.iter().all(|it| matches!(it.ty, ScalarType::Int(_)))
            })
        };
        let is_one_node = |it: &Holding| library.get(it.shape).labels.is_empty();
        let mut offsets: Vec<i64> = block.rows.iter().map(|row| row.offset).collect();
        offsets.sort_unstable();
        (block.rows.is_empty() || block.content == Content::Arbitrary)
            && offsets.windows(2).all(|pair| i128::from(pair[1]) - i128::from(pair[0]) >= 8)
            && block.rows.windows(2).all(|pair| pair[0].stride == pair[1].stride)
            && block.rows.iter().all(|row| {
                row.offset >= 0
                    && i128::from(row.offset) + 8 <= i128::from(row.stride)
                    && is_number(&row.first)
                    && is_number(&row.end)
                    && is_number(&row.room)
                    && row.holds.as_ref().is_none_or(owns)
                    && (row.is_of_any_size() || row.holds.as_ref().is_some_and(is_one_node))
            })
    }

    /// Elements have bytes, and their fields lie in them by rising offset, sharing none.
    fn has_segment(&self, segment: &Segment) -> bool {
        let fields = &segment.values.fields;
        let end = |field: &Field| field.offset + i64::from(field.ty.bytes(8));
        let is_dimension = |v: Var| self.kind(v) == Some(Kind::Summary);
        segment.stride > 0
            && segment.first >= 0
            && self.has_value(&segment.end)
            && self.state.kind_of(&segment.end) == Kind::Integer
            && segment.values.variables().all(is_dimension)
            && fields.iter().all(|it| it.offset >= 0 && end(it) <= segment.stride)
            && fields.windows(2).all(|pair| end(&pair[0]) <= pair[1].offset)
            && fields.iter().all(|it| matches!(it.ty, ScalarType::Int(_)))
    }

    fn has_instance(&self, instance: &Instance) -> bool {
        let library = self.machine.shape_library;
        let Some(shape) = library.iter().nth(instance.shape.index()) else { return false };
        let fields = &instance.values.fields;
        instance.arguments.len() == shape.parameters.len()
            && instance.arguments.iter().all(|it| self.has_value(it))
            && instance.anchor_mask == shape.anchor_mask()
            && self.has_value(&instance.depth)
            && fits(library, shape, &instance.template)
            && fields.is_sorted_by(|a, b| a.offset < b.offset)
            && fields.iter().all(|field| !matches!(field.ty, ScalarType::Float(_)))
    }
}

/// Whether nodes of the shape may lie in memory as the template says.
fn fits(library: &ShapeLibrary, shape: &ShapeDef, template: &Template) -> bool {
    template.is_nothing()
        || (template.links.len() == shape.labels.len()
            && (template.size != ANY_SIZE || shape.labels.is_empty())
            && template.inner.len() == shape.inner.len()
            && template.always.iter().all(|it| *it < template.inner.len())
            && (template.ending == Ending::Any || template.links.is_empty())
            && are_apart(template)
            && has_flags(library, shape, template)
            && shape
                .inner
                .iter()
                .zip(&template.inner)
                .all(|(shape, inner)| fits(library, library.get(*shape), inner))
            && template.inner.iter().all(|it| it.is_nothing() || lasts(it)))
}

/// Whether nodes live until they are freed, with all that they own, or for ever: they are of no
/// call, which would take them away without a word to who owns them.
fn lasts(template: &Template) -> bool {
    match template.region.kind {
        MemoryKind::Heap => template.inner.iter().all(|it| it.is_nothing() || lasts(it)),
        MemoryKind::Static => template.inner.is_empty(),
        MemoryKind::Stack
        | MemoryKind::Alloca
        | MemoryKind::Stream
        | MemoryKind::Constant
        | MemoryKind::Any => false,
    }
}

/// Whether no two pointers of a node share a byte. Addresses count as 8 bytes.
fn are_apart(template: &Template) -> bool {
    let selves = template.selves.iter().map(|it| it.offset);
    let mut all: Vec<i128> = template.links.iter().copied().chain(selves).map(i128::from).collect();
    all.sort_unstable();
    template.selves.is_empty() || all.windows(2).all(|pair| pair[1] - pair[0] >= 8)
}

/// Whether the flags of a node are numbers that share no byte with its links or with each other,
/// at most one a link. What lemmas say of such nodes was tried for the built-in shapes only.
fn has_flags(library: &ShapeLibrary, shape: &ShapeDef, template: &Template) -> bool {
    let pointers = template.links.iter().copied().chain(template.selves.iter().map(|it| it.offset));
    let pointers = pointers.map(|offset| (offset, offset.saturating_add(8)));
    let own = |flag: &Flag| {
        let bytes = i64::from(ScalarType::Int(flag.kind).bytes(8));
        (flag.offset, flag.offset.saturating_add(bytes))
    };
    let mut all: Vec<(i64, i64)> = pointers.chain(template.flags.iter().map(own)).collect();
    all.sort_unstable();
    template.flags.is_empty()
        || (library.is_builtin(shape.family)
            && template.flags.iter().all(|flag| flag.label < template.links.len())
            && template.flags.windows(2).all(|pair| pair[0].label < pair[1].label)
            && template.flags.iter().all(|flag| flag.offset >= 0 && flag.leads != flag.ends)
            && all.last().is_some_and(|last| last.1 <= template.size)
            && all.windows(2).all(|pair| pair[0].1 <= pair[1].0))
}
