//! Folding: atoms put together by the rules of their shape (CAV'06 Fig. 3).
//!
//! ```text
//!   rule A₁ * … * Aₙ ⊢ P(ā)    no address that is lost is used elsewhere
//!   ──────────────────────────────────────────────────────────────────── APPEND
//!   Q * A₁ * … * Aₙ  ⟶  Q * P[k₁ + … + kₙ](ā)
//! ```
//!
//! A block takes the part of an instance of depth 1 where a case of the shape
//! is a cell only. What is known of a node's other fields is summarised
//! ([`values`](super::values)): numbers stay, addresses are forgotten.

use super::pattern::{Bindings, fits, singles, unify_cell};
use super::proof::Proof;
use super::shape::{Kin, PatternAtom, Rule, ShapeDef, ShapeId, ShapeLibrary};
use super::state::{Kind, State};
use super::values::{Loss, NodeValues, Summary, summarise};
use super::{Atom, Block, Cell, Instance, Template};
use crate::base::budget::{Budget, Exhausted};
use crate::ir::links::Links;
use crate::ir::{MemoryKind, ScalarType};
use crate::logic::{Integer, LinearExpr, Var};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

/// What may be lost with a node that is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// A node stays if it alone points at other memory, or if what it holds is
    /// known exactly and would not be any more.
    KeepValues,
    /// A node stays if it alone points at other memory.
    KeepOwned,
    /// What only a node's other fields point at is lost.
    LoseOwned,
}

/// What folding looks at besides the state.
#[derive(Clone, Copy)]
pub struct Hints<'a> {
    /// All shapes.
    pub library: &'a ShapeLibrary,
    /// The shapes to try, in this order.
    pub shapes: &'a [ShapeId],
    /// Blocks with at least so many links are nodes of shapes with as many only.
    pub exclusive: Option<usize>,
    /// Which fields may link nodes.
    pub links: &'a Links,
}

/// So many templates are tried for the nodes of another family.
const MAX_INNER: usize = 4;

/// Folds until no rule applies. The result describes at least what `state` did.
/// Returns how each atom of the result is made up of those that were there.
///
/// # Errors
/// When the budget runs out; the state may then be folded in part.
pub fn fold(
    state: &mut State,
    hints: &Hints<'_>,
    care: Care,
    budget: &mut Budget,
) -> Result<Vec<Proof>, Exhausted> {
    let mut proofs: Vec<Proof> = (0..state.heap.atoms.len()).map(Proof::Same).collect();
    while let Some(step) = find_step(state, hints, care) {
        budget.spend(state.matching_cost())?;
        apply(state, step, &mut proofs);
    }
    Ok(proofs)
}

/// Takes lone nodes for instances of depth 1 of the known shapes (rule SINGLE),
/// unless they hold addresses besides their links.
pub fn promote(state: &mut State, known: &BTreeSet<(ShapeId, Template)>, library: &ShapeLibrary) {
    for index in 0..state.heap.atoms.len() {
        let Atom::Block(block) = &state.heap.atoms[index] else { continue };
        let step = known.iter().find_map(|(shape, template)| {
            let is_link = |cell: &Cell| template.links.contains(&cell.offset);
            let is_plain =
                block.cells.iter().all(|cell| is_link(cell) || cell.ty != ScalarType::Pointer);
            let shape_def = library.get(*shape);
            // Later nodes of that kind may own something that is looked at.
            let is_plain = is_plain && shape_def.inner.is_empty();
            let (number, arguments) = singles(block, template, shape_def).into_iter().next()?;
            let proof = Proof::Rule(number, vec![Proof::Same(index)]);
            is_plain.then(|| Step {
                used: smallvec![index],
                instance: Instance {
                    shape: *shape,
                    template: template.clone(),
                    arguments: arguments.into_iter().collect(),
                    anchor_mask: library.get(*shape).anchor_mask(),
                    depth: LinearExpr::from(1),
                    values: NodeValues::default(),
                },
                summary: summarise(state, *shape, &proof, library),
                proof,
            })
        });
        if let Some(step) = step {
            let instance = step.adopt(state);
            state.heap.atoms[index] = Atom::Instance(instance);
        }
    }
}

/// Atoms to replace by an instance.
struct Step {
    used: SmallVec<[usize; 4]>,
    instance: Instance,
    proof: Proof,
    summary: Summary,
}

impl Step {
    /// Makes the state know what the nodes hold. Returns the instance.
    fn adopt(self, state: &mut State) -> Instance {
        for _ in self.summary.values.variables() {
            state.fresh(Kind::Summary);
        }
        state.facts.numbers = self.summary.numbers;
        Instance { values: self.summary.values, ..self.instance }
    }
}

fn apply(state: &mut State, step: Step, proofs: &mut Vec<Proof>) {
    let proof = step.proof.expand(proofs);
    let mut used = step.used.clone();
    let instance = step.adopt(state);
    used.sort_unstable();
    for index in used.into_iter().rev() {
        state.heap.atoms.remove(index);
        proofs.remove(index);
    }
    state.heap.atoms.push(Atom::Instance(instance));
    proofs.push(proof);
    state.prune_values();
}

fn find_step(state: &State, hints: &Hints<'_>, care: Care) -> Option<Step> {
    let library = hints.library;
    hints.shapes.iter().find_map(|id| {
        let id = *id;
        let shape = library.get(id);
        let templates = templates(state, id, hints);
        // The first template goes through all rules before the next, so that of
        // two that mirror each other one is used throughout.
        templates.iter().find_map(|template| {
            let rules = shape.rules.iter().enumerate();
            rules.filter(|(_, rule)| !rule.is_lone_cell()).find_map(|(number, rule)| {
                Search { state, shape: id, number, rule, template, library, care }.run()
            })
        })
    })
}

/// The templates that atoms of the state suggest for a shape: those of its
/// family's instances, and those by which one block links to another of its
/// kind.
fn templates(state: &State, id: ShapeId, hints: &Hints<'_>) -> Vec<Template> {
    let shape = hints.library.get(id);
    let mut found: Vec<Template> = Vec::new();
    let mut suggested = None;
    for atom in &state.heap.atoms {
        match atom {
            Atom::Instance(instance)
                if hints.library.get(instance.shape).family == shape.family =>
            {
                found.push(instance.template.clone());
            }
            Atom::Block(block) => {
                let roots = roots_in_siblings(state, block);
                if !roots.is_empty() {
                    let inner =
                        suggested.get_or_insert_with(|| inner_templates(state, shape, hints));
                    found.extend(suggestions(block, &roots, shape, inner, hints));
                }
            }
            Atom::Instance(_) => {}
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Ways to choose templates for the other families' nodes of a definition.
fn inner_templates(state: &State, shape: &ShapeDef, hints: &Hints<'_>) -> Vec<Vec<Template>> {
    let mut choices: Vec<Vec<Template>> = vec![Vec::new()];
    for inner in &shape.inner {
        let mut candidates: Vec<Template> = Vec::new();
        for atom in &state.heap.atoms {
            match atom {
                Atom::Instance(instance) if instance.shape == *inner => {
                    candidates.push(instance.template.clone());
                }
                Atom::Block(block) if hints.library.get(*inner).inner.is_empty() => {
                    let shape = hints.library.get(*inner);
                    candidates.extend(suggestions(block, &[0], shape, &[Vec::new()], hints));
                }
                Atom::Instance(_) | Atom::Block(_) => {}
            }
        }
        candidates.retain(|template| template.region.kind == MemoryKind::Heap);
        candidates.sort();
        candidates.dedup();
        candidates.truncate(MAX_INNER);
        let longer = |chosen: &Vec<Template>, next: &Template| {
            chosen.iter().chain([next]).cloned().collect::<Vec<_>>()
        };
        choices = choices
            .iter()
            .flat_map(|chosen| candidates.iter().map(|next| longer(chosen, next)))
            .collect();
    }
    choices
}

/// The templates with which a block can be a node of a shape, entered at one of
/// the roots.
fn suggestions(
    block: &Block,
    roots: &[i64],
    shape: &ShapeDef,
    inner: &[Vec<Template>],
    hints: &Hints<'_>,
) -> Vec<Template> {
    let size = block.size.as_constant().and_then(Integer::to_i128);
    let Some(size) = size.and_then(|size| i64::try_from(size).ok()) else { return Vec::new() };
    let foldable = match block.region.kind {
        MemoryKind::Heap => true,
        // What heap blocks of other kinds hang on such a node would be lost with it.
        MemoryKind::Alloca => shape.inner.is_empty(),
        MemoryKind::Stack | MemoryKind::Static => false,
    };
    let n_links = shape.n_links();
    let is_reserved = hints
        .exclusive
        .is_some_and(|n_reserved| n_links < n_reserved && hints.links.n_links(size) >= n_reserved);
    if !foldable || is_reserved {
        return Vec::new();
    }
    let pointers = block.cells.iter().filter(|cell| cell.ty == ScalarType::Pointer);
    let pointers: Vec<i64> = pointers.map(|cell| cell.offset).collect();
    let fits = |label: usize, offset: i64| {
        if shape.owners.contains(&label) {
            hints.links.may_own(size, offset)
        } else {
            hints.links.may_link(size, offset)
        }
    };
    let arrangements = arrangements(&pointers, shape.labels.len(), &fits);
    let mut found = Vec::new();
    for root in roots {
        for links in &arrangements {
            found.extend(inner.iter().map(|inner| Template {
                size,
                root: *root,
                links: links.clone(),
                region: block.region,
                inner: inner.clone(),
            }));
        }
    }
    found
}

/// Where the links of a block enter other blocks like it.
fn roots_in_siblings(state: &State, block: &Block) -> Vec<i64> {
    let values = block.cells.iter().filter(|cell| cell.ty == ScalarType::Pointer);
    let mut roots: Vec<i64> =
        values.filter_map(|cell| offset_into_sibling(state, block, &cell.value)).collect();
    roots.sort_unstable();
    roots.dedup();
    roots
}

/// `c` when `value` is `b + c` for another block `b` like this one.
fn offset_into_sibling(state: &State, block: &Block, value: &LinearExpr) -> Option<i64> {
    let [(variable, factor)] = value.terms() else { return None };
    let Atom::Block(other) = &state.heap.atoms[state.block_at(*variable)?] else { return None };
    let alike = *factor == Integer::from(1)
        && other.base != block.base
        && other.region == block.region
        && other.size == block.size;
    if alike { i64::try_from(value.constant_part().to_i128()?).ok() } else { None }
}

/// So many ways to lay the links of a shape into a block are tried.
const MAX_ARRANGEMENTS: usize = 1_000;

/// The ways to pick a different offset for each of `n` labels that fits it; not all, if
/// there are many.
fn arrangements(
    offsets: &[i64],
    n: usize,
    fits: &impl Fn(usize, i64) -> bool,
) -> Vec<SmallVec<[i64; 2]>> {
    let mut all = vec![SmallVec::new()];
    for label in 0..n {
        all = all
            .iter()
            .flat_map(|chosen: &SmallVec<[i64; 2]>| {
                let free = |offset: &&i64| !chosen.contains(offset) && fits(label, **offset);
                offsets.iter().filter(free).map(|offset| {
                    let mut longer = chosen.clone();
                    longer.push(*offset);
                    longer
                })
            })
            .take(MAX_ARRANGEMENTS)
            .collect();
    }
    all
}

/// The parts of a rule matched so far.
#[derive(Clone)]
struct Partial {
    bindings: Bindings,
    used: SmallVec<[usize; 4]>,
    depth: LinearExpr,
    parts: Vec<Proof>,
}

/// A search for atoms that match the left side of a rule.
struct Search<'a> {
    state: &'a State,
    shape: ShapeId,
    number: usize,
    rule: &'a Rule,
    template: &'a Template,
    library: &'a ShapeLibrary,
    care: Care,
}

impl Search<'_> {
    fn run(&self) -> Option<Step> {
        self.extend(&Partial {
            bindings: Bindings::new(self.rule.n_variables),
            used: SmallVec::new(),
            depth: LinearExpr::zero(),
            parts: Vec::new(),
        })
    }

    fn extend(&self, so_far: &Partial) -> Option<Step> {
        let Some(pattern) = self.rule.left.get(so_far.parts.len()) else {
            return self.finish(so_far);
        };
        let atoms = self.state.heap.atoms.iter().enumerate();
        atoms.filter(|(index, _)| !so_far.used.contains(index)).find_map(|(index, atom)| {
            let ways = self.matches(pattern, index, atom, &so_far.bindings);
            ways.into_iter().find_map(|(bindings, depth, part)| {
                let mut longer = so_far.clone();
                longer.bindings = bindings;
                longer.used.push(index);
                longer.depth = longer.depth.add(&depth);
                longer.parts.push(part);
                self.extend(&longer)
            })
        })
    }

    /// Ways in which an atom matches a part of the rule, with the atom's depth.
    fn matches(
        &self,
        pattern: &PatternAtom,
        index: usize,
        atom: &Atom,
        bindings: &Bindings,
    ) -> Vec<(Bindings, LinearExpr, Proof)> {
        let equal = |a: &LinearExpr, b: &LinearExpr| a == b;
        let one = LinearExpr::from(1);
        match (pattern, atom) {
            (PatternAtom::Cell(root, links), Atom::Block(block)) if fits(block, self.template) => {
                let mut bindings = bindings.clone();
                let matched = unify_cell(&mut bindings, *root, links, block, self.template, &equal);
                if matched { vec![(bindings, one, Proof::Same(index))] } else { Vec::new() }
            }
            (PatternAtom::Instance(pattern), Atom::Instance(instance))
                if pattern.shape == instance.shape
                    && self.template.of_kin(pattern.kin) == Some(&instance.template) =>
            {
                // The depth of an instance of another family is its own.
                let depth = match pattern.kin {
                    Kin::Family => instance.depth.clone(),
                    Kin::Inner(_) => LinearExpr::zero(),
                };
                unify_all(bindings, &pattern.arguments, &instance.arguments)
                    .map(|bindings| (bindings, depth, Proof::Same(index)))
                    .into_iter()
                    .collect()
            }
            (PatternAtom::Instance(pattern), Atom::Block(block)) => {
                let Some(template) = self.template.of_kin(pattern.kin) else { return Vec::new() };
                let one = match pattern.kin {
                    Kin::Family => one,
                    Kin::Inner(_) => LinearExpr::zero(),
                };
                singles(block, template, self.library.get(pattern.shape))
                    .iter()
                    .filter_map(|(number, arguments)| {
                        let bindings = unify_all(bindings, &pattern.arguments, arguments)?;
                        Some((
                            bindings,
                            one.clone(),
                            Proof::Rule(*number, vec![Proof::Same(index)]),
                        ))
                    })
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    fn finish(&self, found: &Partial) -> Option<Step> {
        let Partial { bindings, used, depth, parts } = found;
        let arguments: SmallVec<[LinearExpr; 2]> =
            self.rule.head.iter().map(|term| bindings.value(*term)).collect::<Option<_>>()?;
        let instance = Instance {
            shape: self.shape,
            template: self.template.clone(),
            arguments,
            anchor_mask: self.library.get(self.shape).anchor_mask(),
            depth: depth.clone(),
            values: NodeValues::default(),
        };
        let kept: Vec<Var> = instance.anchors().flat_map(|(_, root)| root.variables()).collect();
        let mut lost = used
            .iter()
            .flat_map(|index| self.state.heap.atoms[*index].own_addresses(self.state))
            .filter(|v| !kept.contains(v));
        let named =
            |variable: Var| instance.arguments.iter().any(|argument| argument.mentions(variable));
        let all_hidden = lost.all(|variable| !named(variable) && self.is_hidden(variable, used));
        let keeps_all =
            self.care == Care::LoseOwned || !used.iter().any(|index| self.owns_more(*index, used));
        if !all_hidden || !keeps_all || self.swallows_a_named_node(&instance) {
            return None;
        }
        let proof = Proof::Rule(self.number, parts.clone());
        let summary = summarise(self.state, self.shape, &proof, self.library);
        if self.care == Care::KeepValues && summary.loss == Loss::Exact {
            return None;
        }
        Some(Step { used: used.clone(), instance, proof, summary })
    }

    /// Whether the rule puts one node away, together with what hangs on it, at
    /// which a program variable points: the next step may well look at it.
    fn swallows_a_named_node(&self, instance: &Instance) -> bool {
        let n_own = self.rule.left.iter().filter(|part| match part {
            PatternAtom::Cell(..) => true,
            PatternAtom::Instance(instance) => instance.kin == Kin::Family,
        });
        let roots = || instance.anchors().flat_map(|(_, root)| root.variables());
        let in_stores =
            |v: Var| self.state.stores.iter().flatten().any(|(_, value)| value.mentions(v));
        matches!(self.rule.left.first(), Some(PatternAtom::Cell(..)))
            && n_own.count() == 1
            && roots().any(in_stores)
    }

    /// Whether a block's fields besides its links are all that points at some
    /// other atom.
    fn owns_more(&self, index: usize, used: &SmallVec<[usize; 4]>) -> bool {
        let Atom::Block(block) = &self.state.heap.atoms[index] else { return false };
        let others = block.cells.iter().filter(|cell| !self.template.links.contains(&cell.offset));
        let mut targets = others.flat_map(|cell| cell.value.variables());
        targets.any(|target| {
            let owner = self
                .state
                .heap
                .atoms
                .iter()
                .position(|a| a.own_addresses(self.state).contains(&target));
            owner.is_some_and(|owner| {
                let own: SmallVec<[usize; 4]> = used.iter().copied().chain([owner]).collect();
                !used.contains(&owner) && self.is_hidden(target, &own)
            })
        })
    }

    /// Whether no program variable and no other atom uses an address.
    fn is_hidden(&self, variable: Var, used: &SmallVec<[usize; 4]>) -> bool {
        let in_stores =
            self.state.stores.iter().flatten().any(|(_, value)| value.mentions(variable));
        let elsewhere = self
            .state
            .heap
            .atoms
            .iter()
            .enumerate()
            .any(|(index, atom)| !used.contains(&index) && atom.mentions(variable));
        !in_stores && !elsewhere
    }
}

fn unify_all(
    bindings: &Bindings,
    terms: &[super::shape::PatternTerm],
    values: &[LinearExpr],
) -> Option<Bindings> {
    let mut bindings = bindings.clone();
    let equal = |a: &LinearExpr, b: &LinearExpr| a == b;
    terms
        .iter()
        .zip(values)
        .all(|(term, value)| bindings.unify(*term, value, &equal))
        .then_some(bindings)
}
