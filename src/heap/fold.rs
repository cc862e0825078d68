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
use super::shape::{PatternAtom, Rule, ShapeDef, ShapeId, ShapeLibrary};
use super::state::{Kind, State};
use super::values::{Loss, NodeValues, Summary, summarise};
use super::{Atom, Block, Cell, Instance, Template};
use crate::ir::{MemoryKind, ScalarType};
use crate::logic::{Integer, LinearExpr, Var};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

/// What may be lost with a node that is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// A node stays if it alone points at other memory, or if what it holds is
    /// known exactly and would not be any more.
    KeepOwned,
    /// What only a node's other fields point at is lost.
    LoseOwned,
}

/// Folds until no rule applies. The result describes at least what `state` did.
/// Returns how each atom of the result is made up of those that were there.
pub fn fold(state: &mut State, library: &ShapeLibrary, care: Care) -> Vec<Proof> {
    let mut proofs: Vec<Proof> = (0..state.heap.atoms.len()).map(Proof::Same).collect();
    while let Some(step) = find_step(state, library, care) {
        apply(state, step, &mut proofs);
    }
    proofs
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
            let (number, arguments) =
                singles(block, template, library.get(*shape)).into_iter().next()?;
            let proof = Proof::Rule(number, vec![Proof::Same(index)]);
            is_plain.then(|| Step {
                used: smallvec![index],
                instance: Instance {
                    shape: *shape,
                    template: template.clone(),
                    arguments: arguments.into_iter().collect(),
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

fn find_step(state: &State, library: &ShapeLibrary, care: Care) -> Option<Step> {
    library.by_specificity().find_map(|id| {
        let shape = library.get(id);
        let templates = templates(state, id, shape);
        let rules = shape.rules.iter().enumerate().filter(|(_, rule)| rule.left.len() > 1);
        rules.into_iter().find_map(|(number, rule)| {
            let search =
                |template| Search { state, shape: id, number, rule, template, library, care }.run();
            templates.iter().find_map(search)
        })
    })
}

/// The templates that atoms of the state suggest for a shape: those of its
/// instances, and those by which one block links to another of its kind.
fn templates(state: &State, id: ShapeId, shape: &ShapeDef) -> Vec<Template> {
    let mut found: Vec<Template> = Vec::new();
    for atom in &state.heap.atoms {
        match atom {
            Atom::Instance(instance) if instance.shape == id => {
                found.push(instance.template.clone())
            }
            Atom::Block(block) => suggest(state, block, shape, &mut found),
            Atom::Instance(_) => {}
        }
    }
    found.sort();
    found.dedup();
    found
}

fn suggest(state: &State, block: &Block, shape: &ShapeDef, found: &mut Vec<Template>) {
    let foldable = matches!(block.region.kind, MemoryKind::Heap | MemoryKind::Alloca);
    let Some(size) = block
        .size
        .as_constant()
        .and_then(Integer::to_i128)
        .and_then(|size| i64::try_from(size).ok())
    else {
        return;
    };
    if !foldable {
        return;
    }
    let pointers: Vec<i64> = block
        .cells
        .iter()
        .filter(|cell| cell.ty == ScalarType::Pointer)
        .map(|cell| cell.offset)
        .collect();
    let mut roots: Vec<i64> = block
        .cells
        .iter()
        .filter_map(|cell| offset_into_sibling(state, block, &cell.value))
        .collect();
    roots.sort_unstable();
    roots.dedup();
    let anchors = shape.anchors().fold(0, |mask, anchor| mask | 1 << anchor);
    for root in roots {
        for links in arrangements(&pointers, shape.labels.len()) {
            found.push(Template { size, root, links, anchors, region: block.region });
        }
    }
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

/// All ways to pick `n` different offsets, in order.
fn arrangements(offsets: &[i64], n: usize) -> Vec<SmallVec<[i64; 2]>> {
    let mut all = vec![SmallVec::new()];
    for _ in 0..n {
        all = all
            .iter()
            .flat_map(|chosen: &SmallVec<[i64; 2]>| {
                offsets.iter().filter(|offset| !chosen.contains(offset)).map(|offset| {
                    let mut longer = chosen.clone();
                    longer.push(*offset);
                    longer
                })
            })
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
                if pattern.shape == instance.shape && instance.template == *self.template =>
            {
                // The depth of an instance of another shape is its own.
                let depth = if pattern.shape == self.shape {
                    instance.depth.clone()
                } else {
                    LinearExpr::zero()
                };
                unify_all(bindings, &pattern.arguments, &instance.arguments)
                    .map(|bindings| (bindings, depth, Proof::Same(index)))
                    .into_iter()
                    .collect()
            }
            (PatternAtom::Instance(pattern), Atom::Block(block)) if pattern.shape == self.shape => {
                singles(block, self.template, self.library.get(self.shape))
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
        if !all_hidden || !keeps_all {
            return None;
        }
        let proof = Proof::Rule(self.number, parts.clone());
        let summary = summarise(self.state, self.shape, &proof, self.library);
        if self.care == Care::KeepOwned && summary.loss == Loss::Exact {
            return None;
        }
        Some(Step { used: used.clone(), instance, proof, summary })
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
