//! What the nodes of an instance hold besides their links, as *summarized
//! dimensions* (Gopan, DiMaio, Dor, Reps and Sagiv, "Numeric domains with
//! summarized dimensions", TACAS 2004).
//!
//! A field of an instance is a variable `v` of kind [`Kind::Summary`], and so is
//! the position `p` of a node, where the shape has an order. A constraint
//! `C(x̄, v, p)` of the state then says `C(x̄, vᵢ, i)` of every node `i`, with `vᵢ`
//! what its field holds; nodes are counted from 0. So fields may be constant,
//! bounded, related to program variables or to the node's position:
//! `v = n - p` is a list that counts down from n. Of pointers that are no links
//! it is known only that they are null in all nodes.

mod bounds;
mod losses;

pub use bounds::{are_within, bounds_of, values_within};
pub use losses::loses;

use super::fold_precision::{FoldPrecision, Loss};
use super::proof::Proof;
use super::shape::{CellPlace, Kin, PatternAtom, ShapeId, ShapeLibrary};
use super::state::{Kind, State};
use super::{Atom, Block, Cell, Content, Instance, Template};
use ir::ScalarType;
use logic::{Constraint, LinearExpr, Var};
use numeric::polyhedron::Polyhedron;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// The summarized dimensions of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeValues {
    /// The position of a node; only with fields, and in shapes with an order.
    pub position: Option<Var>,
    /// What is known of fields, by rising offset.
    pub fields: SmallVec<[Field; 1]>,
}

/// A number in every node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Field {
    /// Bytes from the node's start.
    pub offset: i64,
    /// As what it was written.
    pub ty: ScalarType,
    /// What it holds.
    pub value: Var,
}

impl NodeValues {
    /// Whether nothing is known of the fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The position and the values.
    pub fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.position.into_iter().chain(self.fields.iter().map(|field| field.value))
    }

    /// Renames the variables.
    pub fn rename(&mut self, name: &mut impl FnMut(Var) -> Var) {
        let fields = self.fields.iter_mut().map(|field| &mut field.value);
        self.position.iter_mut().chain(fields).for_each(|variable| *variable = name(*variable));
    }

    pub(super) fn value_at(&self, offset: i64, ty: ScalarType) -> Option<Var> {
        let found = self.fields.iter().find(|field| field.offset == offset && field.ty == ty);
        found.map(|field| field.value)
    }

    /// The same fields with fresh variables.
    fn fresh(&self, state: &mut State) -> Self {
        let mut copy = self.clone();
        copy.rename(&mut |_| state.fresh(Kind::Summary));
        copy
    }

    /// The same fields with numbers of their own, of which a state says what it says of these,
    /// where `place` is the position that had been at a new one.
    #[must_use]
    pub fn copied(&self, state: &mut State, place: &dyn Fn(Var) -> LinearExpr) -> Self {
        let copy = self.fresh(state);
        let own: Vec<Var> = self.variables().collect();
        let image = |v: Var| {
            let mut both = self.variables().zip(copy.variables());
            match both.find(|(old, _)| *old == v) {
                Some((_, new)) if Some(v) == self.position => place(new),
                Some((_, new)) => new.into(),
                None => v.into(),
            }
        };
        let numbers = state.facts.numbers.constraints();
        let about = numbers.iter().filter(|it| own.iter().any(|v| it.mentions(*v)));
        let said: Vec<Constraint> = about.map(|it| it.map(image)).collect();
        state.facts.numbers.assume_all(said);
        copy
    }
}

/// ```text
///   N(x̄, v, p)  ⟶  N(x̄, u, 0) ∧ N(x̄, v', p' + 1)      u: the cell's, v', p': the rest's
///   ────────────────────────────────────────────── EXPAND
///   where the cell is the last node: N(x̄, u, k - 1) ∧ N(x̄, v', p')
/// ```
///
/// The numbers of a state when a node of an instance with this depth is exposed
/// and `n_rest` instances are left. Returns the cells of the node and the values
/// of the rest.
pub(super) fn expand(
    state: &mut State,
    instance: &Instance,
    place: CellPlace,
    n_rest: usize,
) -> (Vec<Cell>, Vec<NodeValues>) {
    let values = &instance.values;
    if values.is_empty() {
        return (Vec::new(), vec![NodeValues::default(); n_rest]);
    }
    let mut cell = values.clone();
    cell.rename(&mut |_| state.fresh(Kind::Integer));
    let rest: Vec<NodeValues> = (0..n_rest).map(|_| values.fresh(state)).collect();
    let is_summary = |constraint: &&Constraint| values.variables().any(|v| constraint.mentions(v));
    let (about, others): (Vec<&Constraint>, Vec<&Constraint>) =
        state.facts.numbers.constraints().iter().partition(is_summary);
    let mut all: Vec<Constraint> = others.into_iter().cloned().collect();
    for (copy, shift) in std::iter::once((&cell, None)).chain(rest.iter().map(|it| (it, Some(()))))
    {
        let position = match (copy.position, place, shift) {
            (None, ..) => LinearExpr::zero(),
            (Some(_), CellPlace::First, None) => LinearExpr::zero(),
            (Some(_), CellPlace::Last, None) => instance.depth.add_constant(-1),
            (Some(own), CellPlace::First, Some(())) => LinearExpr::var(own).add_constant(1),
            (Some(own), CellPlace::Last, Some(())) | (Some(own), CellPlace::Unordered, _) => {
                own.into()
            }
        };
        let image = |v: Var| match values.fields.iter().position(|field| field.value == v) {
            Some(index) => copy.fields[index].value.into(),
            None if values.position == Some(v) => position.clone(),
            None => v.into(),
        };
        all.extend(about.iter().map(|constraint| constraint.map(image)));
    }
    state.facts.numbers = Polyhedron::of(all);
    let numbers = &state.facts.numbers;
    let cells = cell.fields.iter().filter_map(|field| {
        let value = match field.ty {
            // An address is no number.
            ScalarType::Pointer => {
                let null = Constraint::eq(field.value, 0);
                numbers.entails(&null).then(LinearExpr::zero)?
            }
            ScalarType::Int(_) | ScalarType::Float(_) => field.value.into(),
        };
        Some(Cell { offset: field.offset, ty: field.ty, value })
    });
    (cells.collect(), rest)
}

/// What the summarized dimensions of a wanted instance are at some of its nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Their values, as far as they are known.
    pub values: SmallVec<[(Var, LinearExpr); 2]>,
    /// The least and the greatest value of the position, if that is all there is.
    pub range: Option<(Var, LinearExpr, LinearExpr)>,
}

impl Image {
    /// The image as constraints, over variables of the wanted state renamed by
    /// `wanted` and variables of the given one renamed by `given`.
    pub fn constraints(
        &self,
        wanted: &impl Fn(Var) -> LinearExpr,
        given: &impl Fn(Var) -> LinearExpr,
    ) -> Vec<Constraint> {
        let mut all: Vec<Constraint> = self
            .values
            .iter()
            .map(|(variable, value)| Constraint::eq(wanted(*variable), value.map(given)))
            .collect();
        if let Some((position, least, greatest)) = &self.range {
            all.push(Constraint::ge(wanted(*position), least.map(given)));
            all.push(Constraint::le(wanted(*position), greatest.map(given)));
        }
        all
    }
}

/// The images of an instance that a proof makes up of the atoms of `have`: each
/// node of the instance is described by one of them.
#[must_use]
pub fn images(
    have: &State,
    wanted: &Instance,
    proof: &Proof,
    library: &ShapeLibrary,
) -> Vec<Image> {
    if wanted.values.is_empty() {
        return Vec::new();
    }
    leaves(have, wanted.shape, proof, library)
        .iter()
        .filter_map(|leaf| leaf.image(have, &wanted.values))
        .collect()
}

/// An atom that makes up a part of an instance, and how many nodes come before.
struct Leaf {
    atom: usize,
    before: Option<LinearExpr>,
}

fn leaves(have: &State, shape: ShapeId, proof: &Proof, library: &ShapeLibrary) -> Vec<Leaf> {
    let mut found = Vec::new();
    let walk = Walk { have, shape_library: library };
    walk.collect(shape, proof, Some(LinearExpr::zero()), &mut found);
    found
}

/// A walk over the atoms of a proof, in the order of the nodes.
struct Walk<'a> {
    have: &'a State,
    shape_library: &'a ShapeLibrary,
}

impl Walk<'_> {
    /// Returns how many nodes there are, if that is known.
    fn collect(
        &self,
        shape: ShapeId,
        proof: &Proof,
        before: Option<LinearExpr>,
        found: &mut Vec<Leaf>,
    ) -> Option<LinearExpr> {
        let (number, parts) = match proof {
            Proof::Same(atom) => {
                found.push(Leaf { atom: *atom, before });
                return match self.have.heap.atoms.get(*atom)? {
                    Atom::Block(_) => Some(LinearExpr::from(1)),
                    Atom::Instance(instance) => Some(instance.depth.clone()),
                };
            }
            Proof::Rule(number, parts) => (*number, parts),
            Proof::Row(..) => return None,
        };
        let rule = self.shape_library.get(shape).rules.get(number)?;
        let is_own = |atom: &PatternAtom| match atom {
            PatternAtom::Cell(..) => true,
            PatternAtom::Instance(instance) => instance.kin == Kin::Family,
        };
        let (order, mut before): (SmallVec<[usize; 2]>, _) = match &rule.order {
            Some(order) => (order.clone(), before),
            None => ((0..rule.left.len()).filter(|part| is_own(&rule.left[*part])).collect(), None),
        };
        let mut total = Some(LinearExpr::zero());
        for part in order {
            let shape = match rule.left.get(part)? {
                PatternAtom::Cell(..) => shape,
                PatternAtom::Instance(instance) => instance.shape,
            };
            let depth =
                parts.get(part).and_then(|it| self.collect(shape, it, before.clone(), found));
            before = before.zip(depth.as_ref()).map(|(before, depth)| before.add(depth));
            total = total.zip(depth).map(|(total, depth)| total.add(&depth));
        }
        total
    }
}

impl Leaf {
    fn image(&self, have: &State, wanted: &NodeValues) -> Option<Image> {
        let atom = have.heap.atoms.get(self.atom)?;
        let mut image = Image::default();
        for field in &wanted.fields {
            if let Some(value) = self.value(have, atom, field) {
                image.values.push((field.value, value));
            }
        }
        let Some((position, before)) = wanted.position.zip(self.before.clone()) else {
            return Some(image);
        };
        match atom {
            Atom::Block(_) => image.values.push((position, before)),
            Atom::Instance(instance) => match instance.values.position {
                Some(own) => image.values.push((position, before.add(&own.into()))),
                None => {
                    let last = before.add(&instance.depth).add_constant(-1);
                    image.range = Some((position, before, last));
                }
            },
        }
        Some(image)
    }

    fn value(&self, have: &State, atom: &Atom, field: &Field) -> Option<LinearExpr> {
        match atom {
            Atom::Block(block) => number_in(have, block, field.offset, field.ty),
            Atom::Instance(instance) => {
                instance.values.value_at(field.offset, field.ty).map(LinearExpr::from)
            }
        }
    }
}

/// The number at an offset of a block, if it is known.
fn number_in(state: &State, block: &Block, offset: i64, ty: ScalarType) -> Option<LinearExpr> {
    let wanted = Cell { offset, ty, value: LinearExpr::zero() };
    match block.cell(offset) {
        Some(cell) => {
            let fits = cell.ty == ty && state.kind_of(&cell.value) == Kind::Integer;
            fits.then(|| cell.value.clone())
        }
        None => block.is_zero_at(&wanted).then(LinearExpr::zero),
    }
}

/// What is known of the nodes of an instance that is about to be folded.
pub struct Summary {
    /// The dimensions, numbered behind the variables of the state.
    pub values: NodeValues,
    /// The numbers of the state and of the dimensions.
    pub numbers: Polyhedron,
    /// Whether some node's value was known exactly, and is not any more.
    pub loss: Loss,
}

/// ```text
///   N(x̄) with values ūᵢ of the parts
///   ─────────────────────────────────────────────────────────── FOLD
///   ⊔ᵢ (N ∧ v = uᵢ ∧ p = positionᵢ), projected on live x̄, v, p
/// ```
///
/// The summarized dimensions of an instance that `proof` makes up of atoms of
/// `state`.
pub fn summarise(
    state: &State,
    (shape, template): (ShapeId, &Template),
    proof: &Proof,
    library: &ShapeLibrary,
    care: FoldPrecision,
) -> Summary {
    let leaves = leaves(state, shape, proof, library);
    let live = live_without(state, &leaves);
    let mut candidates = candidates(state, template, &leaves, &live);
    if care == FoldPrecision::KeepLinks {
        candidates.retain(|it| it.ty == ScalarType::Pointer);
    }
    let nothing = Summary {
        values: NodeValues::default(),
        numbers: state.facts.numbers.clone(),
        loss: Loss::None,
    };
    if candidates.is_empty() {
        return nothing;
    }
    let mut values = NodeValues { position: None, fields: candidates };
    if leaves.iter().all(|leaf| leaf.before.is_some()) {
        values.position = Some(Var::at(0));
    }
    let mut next = state.vocabulary.len();
    values.rename(&mut |_| {
        next += 1;
        Var::at(next - 1)
    });
    let is_new = |v: Var| v.index() >= state.vocabulary.len();
    let same = |v: Var| LinearExpr::var(v);
    let sides: Vec<Polyhedron> = leaves
        .iter()
        .filter_map(|leaf| leaf.image(state, &values))
        .map(|image| {
            let mut side = state.facts.numbers.clone();
            side.assume_all(image.constraints(&same, &same));
            side.project_onto(&|v| is_new(v) || live.contains(&v))
        })
        .collect();
    let Some(joined) = sides.iter().cloned().reduce(|left, right| left.join(&right)) else {
        return nothing;
    };
    let is_lost = |field: &Field| {
        field.ty != ScalarType::Pointer
            && sides.iter().any(|side| is_exact(side, field))
            && !is_exact(&joined, field)
    };
    let loss = if values.fields.iter().any(is_lost) {
        Loss::Exact
    } else if care == FoldPrecision::KeepBounds
        && losses::bounds_of_named(state, &leaves, &values).any(|bound| !joined.entails(&bound))
    {
        Loss::Bound
    } else {
        Loss::None
    };
    let mut numbers = state.facts.numbers.clone();
    numbers.assume_all(joined.constraints().iter().cloned());
    Summary { values, numbers, loss }
}

/// The variables that matter besides what the leaves hold.
fn live_without(state: &State, leaves: &[Leaf]) -> BTreeSet<Var> {
    let mut live = BTreeSet::new();
    let mut see = |expr: &LinearExpr| live.extend(expr.variables());
    state.stores.iter().flatten().for_each(|(_, value)| see(value));
    for (index, atom) in state.heap.atoms.iter().enumerate() {
        match atom {
            _ if leaves.iter().all(|leaf| leaf.atom != index) => atom.for_each_expr(&mut see),
            Atom::Instance(instance) => see(&instance.depth),
            Atom::Block(_) => {}
        }
    }
    live
}

/// The fields of which something may be known in some leaf.
fn candidates(
    state: &State,
    template: &Template,
    leaves: &[Leaf],
    live: &BTreeSet<Var>,
) -> SmallVec<[Field; 1]> {
    let numbered: BTreeSet<Var> = state.facts.numbers.variables().into_iter().collect();
    let tells = |value: &LinearExpr| {
        state.kind_of(value) == Kind::Integer
            && value.variables().all(|v| numbered.contains(&v) || live.contains(&v))
    };
    let mut found: SmallVec<[Field; 1]> = SmallVec::new();
    let mut add = |offset: i64, ty: ScalarType| {
        if found.iter().all(|field| field.offset != offset) {
            found.push(Field { offset, ty, value: Var::at(0) });
        }
    };
    for leaf in leaves {
        match state.heap.atoms.get(leaf.atom) {
            Some(Atom::Block(block)) => {
                let cells = block.cells.iter();
                let is_link = |cell: &Cell| {
                    let ty = ScalarType::Pointer;
                    let link = |at: &i64| Cell { offset: *at, ty, value: LinearExpr::zero() };
                    template.links.iter().any(|at| cell.overlaps(&link(at)))
                        || template.flags.iter().any(|flag| flag.offset == cell.offset)
                };
                let tells = |cell: &&Cell| match cell.ty {
                    ScalarType::Int(_) => tells(&cell.value) && !is_link(cell),
                    ScalarType::Pointer => cell.value.is_zero() && !is_link(cell),
                    ScalarType::Float(_) => false,
                };
                cells.filter(tells).for_each(|cell| add(cell.offset, cell.ty));
            }
            Some(Atom::Instance(instance)) => {
                instance.values.fields.iter().for_each(|field| add(field.offset, field.ty));
            }
            None => {}
        }
    }
    found.sort();
    found
}

fn is_exact(side: &Polyhedron, field: &Field) -> bool {
    side.equalities().iter().any(|equality| equality.mentions(field.value))
}

impl State {
    /// The numbers without summarized dimensions.
    #[must_use]
    pub fn plain_numbers(&self) -> Polyhedron {
        let is_plain = |v: Var| self.vocabulary.kind(v) != Kind::Summary;
        if self.facts.numbers.variables().into_iter().all(is_plain) {
            return self.facts.numbers.clone();
        }
        self.facts.numbers.project_onto(&is_plain)
    }

    /// Drops summarized dimensions of which nothing is known, and numbers that
    /// speak of their positions.
    pub fn prune_values(&mut self) {
        let numbers = &self.facts.numbers;
        let mut dropped: Vec<Var> = Vec::new();
        for atom in &mut self.heap.atoms {
            let values = match atom {
                Atom::Instance(Instance { values, .. }) => values,
                Atom::Block(block) => match &mut block.segment {
                    Some(segment) => &mut segment.values,
                    None => continue,
                },
            };
            values.fields.retain(|field| numbers.mentions(field.value));
            let has_use = |position: Var| {
                let together = |constraint: &Constraint| {
                    constraint.mentions(position)
                        && values.fields.iter().any(|field| constraint.mentions(field.value))
                };
                numbers.constraints().iter().any(together)
            };
            if let Some(position) = values.position
                && !has_use(position)
            {
                values.position = None;
                dropped.push(position);
            }
        }
        if !dropped.is_empty() {
            self.facts.numbers = numbers.project_onto(&|v| !dropped.contains(&v));
        }
        for atom in &mut self.heap.atoms {
            let Atom::Block(block) = atom else { continue };
            let Some(segment) = &block.segment else { continue };
            if segment.is_empty() || !segment.values.is_empty() {
                continue;
            }
            // Where elements are all there is, and nothing is known of them, zeros beside them
            // are none.
            let is_all = segment.first == 0 && block.cells.is_empty() && block.recent.is_empty();
            if block.content == Content::Arbitrary || is_all {
                block.segment = None;
                block.content = Content::Arbitrary;
            }
        }
    }
}
