//! Shape definitions read in a concrete memory: by their cases, and nothing
//! else.
//!
//! Values are linear expressions: variable `Var::at(i)` is the start of memory
//! block `i`, and different blocks stay different variables, as they have
//! different addresses ([`concrete`]).
//!
//! Instances are taken apart by the cases of the first unfolding of their
//! shape: that is the definition. Lemmas and other unfoldings are claims.

use super::shape::{Case, Kin, PatternAtom, PatternInstance, PatternTerm, ShapeId, ShapeLibrary};
use super::template::{Ending, Extent};
use super::{Template, code};
use concrete::memory::{Lifetime, Memory, MemoryBlockId};
use concrete::value::{Pointer, Value};
use ir::{IntKind, ScalarType};
use logic::{Integer, LinearExpr, Var};
use std::collections::BTreeSet;

/// A concrete value as an expression over the starts of blocks.
#[must_use]
pub fn form_of(value: Value) -> LinearExpr {
    match value {
        Value::Int(number) => LinearExpr::constant(number),
        Value::Pointer(Pointer { block, offset }) => {
            start_of(block).add_constant(Integer::from(offset))
        }
        Value::Procedure(id) => LinearExpr::constant(code::address_of(id)),
    }
}

pub(super) fn start_of(block: MemoryBlockId) -> LinearExpr {
    LinearExpr::var(Var(block.0))
}

/// The block and the offset that a value is an address of.
pub(super) fn address_of(value: &LinearExpr) -> Option<(MemoryBlockId, Integer)> {
    let [(variable, factor)] = value.terms() else { return None };
    factor.is_one().then(|| (MemoryBlockId(variable.0), value.constant_part().clone()))
}

/// How blocks make up some atoms of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternModel {
    /// The values of the pattern's variables, as far as they are determined.
    pub values: Vec<Option<LinearExpr>>,
    /// The blocks that are nodes.
    pub blocks: BTreeSet<MemoryBlockId>,
    /// The nodes of the shape's own family, in the order of the parts.
    pub nodes: Vec<MemoryBlockId>,
}

impl PatternModel {
    /// A model of nothing, with values known so far.
    #[must_use]
    pub fn empty(values: Vec<Option<LinearExpr>>) -> Self {
        Self { values, blocks: BTreeSet::new(), nodes: Vec::new() }
    }

    /// Whether both have the same blocks, and as many nodes of their own family.
    #[must_use]
    pub fn has_nodes_of(&self, other: &Self) -> bool {
        self.blocks == other.blocks && self.depth() == other.depth()
    }

    /// How many nodes of the shape itself there are.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.nodes.len()
    }
}

/// The definitions of a library, read in a concrete memory.
#[derive(Clone, Copy)]
pub struct Definitions<'a> {
    /// The memory.
    pub memory: &'a Memory,
    /// The definitions.
    pub shape_library: &'a ShapeLibrary,
}

impl Definitions<'_> {
    /// All models of an instance whose arguments are `arguments`, as far as
    /// they are known, in blocks outside of `used`. The models' values are the
    /// arguments.
    #[must_use]
    pub fn models_instance(
        &self,
        shape: ShapeId,
        template: &Template,
        arguments: &[Option<LinearExpr>],
        used: &BTreeSet<MemoryBlockId>,
    ) -> Vec<PatternModel> {
        let Some(unfolding) = self.shape_library.get(shape).unfoldings.first() else {
            return Vec::new();
        };
        let blocks = match &arguments[unfolding.anchor] {
            Some(root) => match address_of(&template.start_of(root)) {
                Some((block, offset)) if offset.is_zero() => vec![block],
                _ => Vec::new(),
            },
            None => self.memory.live_blocks().map(|(id, _)| id).collect(),
        };
        let mut models = Vec::new();
        for block in blocks.into_iter().filter(|block| !used.contains(block)) {
            for case in unfolding.cases.iter().filter(|case| template.allows_case(case)) {
                let mut arguments = arguments.to_vec();
                arguments[unfolding.anchor] = Some(start_of(block).add_constant(template.root));
                models.extend(self.models_case(unfolding.anchor, case, template, &arguments, used));
            }
        }
        models
    }

    /// All models of a case: its cell is at the anchor, whose argument must be
    /// known.
    #[must_use]
    pub fn models_case(
        &self,
        anchor: usize,
        case: &Case,
        template: &Template,
        arguments: &[Option<LinearExpr>],
        used: &BTreeSet<MemoryBlockId>,
    ) -> Vec<PatternModel> {
        let mut values = arguments.to_vec();
        values.resize(case.n_variables, None);
        // Twice, for the second member may get its value from the cell.
        if !case.equalities.iter().all(|(left, right)| equate(template, &mut values, *left, *right))
        {
            return Vec::new();
        }
        let mut parts = vec![PatternAtom::Cell(PatternTerm::Variable(anchor), case.links.clone())];
        parts.extend(case.instances.iter().cloned().map(PatternAtom::Instance));
        let start = PatternModel::empty(values);
        let mut models = self.models_parts(template, &parts, start, used);
        models.retain_mut(|model| {
            let holds = case
                .equalities
                .iter()
                .all(|(left, right)| equate(template, &mut model.values, *left, *right));
            model.values.truncate(arguments.len());
            holds
        });
        models
    }

    /// All ways to add separate models of `parts` to a model.
    #[must_use]
    pub fn models_parts(
        &self,
        template: &Template,
        parts: &[PatternAtom],
        model: PatternModel,
        used: &BTreeSet<MemoryBlockId>,
    ) -> Vec<PatternModel> {
        let Some((part, rest)) = parts.split_first() else { return vec![model] };
        let taken: BTreeSet<MemoryBlockId> = used.union(&model.blocks).copied().collect();
        let longer = match part {
            PatternAtom::Cell(root, links) => {
                self.add_cell(template, (*root, links), &model, &taken)
            }
            PatternAtom::Instance(instance) => {
                self.add_instance(template, instance, &model, &taken)
            }
        };
        longer
            .into_iter()
            .flat_map(|model| self.models_parts(template, rest, model, used))
            .collect()
    }

    fn add_cell(
        &self,
        template: &Template,
        (root, links): (PatternTerm, &[Option<PatternTerm>]),
        model: &PatternModel,
        taken: &BTreeSet<MemoryBlockId>,
    ) -> Vec<PatternModel> {
        let live = self.memory.live_blocks().map(|(id, _)| id);
        let free = live.filter(|id| !taken.contains(id) && self.is_node(template, *id));
        free.filter_map(|id| {
            let mut longer = model.clone();
            let address = start_of(id).add_constant(template.root);
            unify(template, &mut longer.values, root, &address).then_some(())?;
            for (label, (link, offset)) in links.iter().zip(&template.links).enumerate() {
                let flag = template.flag_of(label);
                if let Some((term, flag)) = link.zip(flag) {
                    let cell = flag.cell(term);
                    let value = self.read(id, cell.offset, cell.ty);
                    (value? == cell.value).then_some(())?;
                }
                if let (Some(term), Some(value)) =
                    (link, self.read(id, *offset, ScalarType::Pointer))
                    && (flag.is_none() || *term != PatternTerm::Null)
                {
                    unify(template, &mut longer.values, *term, &value).then_some(())?;
                }
            }
            let mut selves = template.selves.iter();
            let holds_selves = selves.all(|it| {
                self.read(id, it.offset, ScalarType::Pointer)
                    .is_none_or(|value| value == start_of(id).add_constant(it.target))
            });
            holds_selves.then_some(())?;
            longer.blocks.insert(id);
            longer.nodes.push(id);
            Some(longer)
        })
        .collect()
    }

    fn add_instance(
        &self,
        template: &Template,
        instance: &PatternInstance,
        model: &PatternModel,
        taken: &BTreeSet<MemoryBlockId>,
    ) -> Vec<PatternModel> {
        let arguments: Vec<_> =
            instance.arguments.iter().map(|term| term.value(template, &model.values)).collect();
        let Some(own) = template.of_kin(instance.kin) else { return Vec::new() };
        let inner = self.models_instance(instance.shape, own, &arguments, taken);
        inner
            .into_iter()
            .filter(|found| instance.kin == Kin::Family || has_extent(own, found.depth()))
            .filter_map(|found| {
                let mut longer = model.clone();
                for (term, value) in instance.arguments.iter().zip(&found.values) {
                    if let Some(value) = value
                        && !unify(template, &mut longer.values, *term, value)
                    {
                        return None;
                    }
                }
                longer.blocks.extend(found.blocks);
                if instance.kin == Kin::Family {
                    longer.nodes.extend(found.nodes);
                }
                Some(longer)
            })
            .collect()
    }

    /// Whether a live block has the size and region of a template's nodes.
    fn is_node(&self, template: &Template, id: MemoryBlockId) -> bool {
        let block = self.memory.block(id);
        block.lifetime == Lifetime::Live
            && template.admits(&LinearExpr::constant(block.size))
            && block.kind == template.region.kind
            && (template.ending == Ending::Any || self.may_hold_zero(id, block.size))
    }

    /// What is stored in a block, unless it was not chosen or has no number.
    pub(super) fn read(
        &self,
        id: MemoryBlockId,
        offset: i64,
        ty: ScalarType,
    ) -> Option<LinearExpr> {
        let address = Value::Pointer(Pointer { block: id, offset: offset.into() });
        self.memory.peek(address, ty).ok().flatten().map(form_of)
    }

    /// Whether some byte of a block is 0, or was not chosen yet.
    fn may_hold_zero(&self, id: MemoryBlockId, size: i128) -> bool {
        let byte = ScalarType::Int(IntKind { bits: 8, signed: false });
        let size = i64::try_from(size).unwrap_or(0);
        (0..size).any(|at| self.read(id, at, byte).is_none_or(|value| value.is_zero()))
    }

    /// Whether a byte of a block is surely 0.
    pub(super) fn is_zero(&self, id: MemoryBlockId, offset: i64) -> bool {
        let byte = ScalarType::Int(IntKind { bits: 8, signed: false });
        self.read(id, offset, byte).is_some_and(|value| value.is_zero())
    }
}

/// Whether an owned instance may have so many nodes.
fn has_extent(template: &Template, n_nodes: usize) -> bool {
    template.extent == Extent::Any || n_nodes == 1
}

fn unify(
    template: &Template,
    values: &mut [Option<LinearExpr>],
    term: PatternTerm,
    value: &LinearExpr,
) -> bool {
    match (term.value(template, values), term.solved(template, value)) {
        (Some(known), _) => known == *value,
        (None, Some((number, solution))) => {
            values[number] = Some(solution);
            true
        }
        (None, None) => false,
    }
}

fn equate(
    template: &Template,
    values: &mut [Option<LinearExpr>],
    left: PatternTerm,
    right: PatternTerm,
) -> bool {
    match (left.value(template, values), right.value(template, values)) {
        (Some(value), _) => unify(template, values, right, &value),
        (None, Some(value)) => unify(template, values, left, &value),
        (None, None) => true,
    }
}
