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
//! ([`values`](heap::values)): numbers stay, addresses are forgotten.

pub(super) mod rows;

use crate::pattern::{Bindings, fits, holds_of, singles, unify_cell};
use crate::suggest::templates;
use base::budget::{Budget, Exhausted};
use heap::fold_precision::FoldPrecision;
use heap::proof::Proof;
use heap::shape::{Kin, PatternAtom, PatternInstance, PatternTerm, Rule, ShapeId, ShapeLibrary};
use heap::state::{Kind, State};
use heap::template::Extent;
use heap::values::{NodeValues, Summary, summarise};
use heap::{Atom, Block, Cell, Instance, Template};
use ir::ScalarType;
use ir::indices::Indices;
use ir::links::Links;
use logic::{Integer, LinearExpr, Var};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

/// What folding looks at besides the state.
#[derive(Clone, Copy)]
pub struct Hints<'a> {
    /// All shapes.
    pub shape_library: &'a ShapeLibrary,
    /// The shapes to try, in this order.
    pub shapes: &'a [ShapeId],
    /// Blocks with at least so many links are nodes of shapes with as many only.
    pub exclusive: Option<usize>,
    /// Which fields may link nodes.
    pub links: &'a Links,
    /// The variables that addresses are computed with.
    pub indices: &'a Indices,
    /// What becomes of null pointers at the ends of rows.
    pub ends: RowEnds,
}

/// What becomes of null pointers at the ends of rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RowEnds {
    /// They stay elements of rows in which some may be null.
    Stay,
    /// They leave the rows, as pointers do to what was freed.
    Leave,
}

/// Folds until no rule applies. The result describes at least what `state` did.
/// Returns how each atom of the result is made up of those that were there.
///
/// # Errors
/// When the budget runs out; the state may then be folded in part.
pub fn fold(
    state: &mut State,
    hints: &Hints<'_>,
    care: FoldPrecision,
    budget: &mut Budget,
) -> Result<Vec<Proof>, Exhausted> {
    let mut proofs: Vec<Proof> = (0..state.heap.atoms.len()).map(Proof::Same).collect();
    while let Some(step) = find_step(state, hints, care) {
        budget.spend(state.matching_cost())?;
        apply(state, step, &mut proofs);
    }
    rows::absorb(state, hints, &mut proofs, budget)?;
    Ok(proofs)
}

/// Takes lone nodes for instances of depth 1 of the known shapes (rule SINGLE),
/// unless they hold addresses besides their links.
pub fn promote(state: &mut State, known: &BTreeSet<(ShapeId, Template)>, library: &ShapeLibrary) {
    for index in 0..state.heap.atoms.len() {
        let Atom::Block(block) = &state.heap.atoms[index] else { continue };
        let step = known.iter().find_map(|(shape, template)| {
            let is_link = |cell: &Cell| {
                let is_self = template.selves.iter().any(|it| it.offset == cell.offset);
                is_self || template.links.contains(&cell.offset)
            };
            let is_plain =
                block.cells.iter().all(|cell| is_link(cell) || cell.ty != ScalarType::Pointer);
            let shape_def = library.get(*shape);
            // Later nodes of that kind may own something that is looked at.
            let is_plain = is_plain && shape_def.inner.is_empty() && shape_def.shared.is_empty();
            let (number, arguments) =
                singles(state, block, template, shape_def).into_iter().next()?;
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
                summary: summarise(
                    state,
                    (*shape, template),
                    &proof,
                    library,
                    FoldPrecision::LoseOwned,
                ),
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

fn find_step(state: &State, hints: &Hints<'_>, care: FoldPrecision) -> Option<Step> {
    let library = hints.shape_library;
    hints.shapes.iter().find_map(|id| {
        let id = *id;
        let shape = library.get(id);
        let templates = templates(state, id, hints);
        // The first template goes through all rules before the next, so that of
        // two that mirror each other one is used throughout.
        templates.iter().find_map(|template| {
            let rules = shape.rules.iter().enumerate();
            let rules =
                rules.filter(|(_, rule)| holds_of(rule, template) && template.allows(&rule.left));
            rules.filter(|(_, rule)| !rule.is_lone_node()).find_map(|(number, rule)| {
                let links = hints.links;
                let search =
                    Search { state, shape: id, number, rule, template, library, links, care };
                search.run()
            })
        })
    })
}

/// The parts of a rule matched so far.
#[derive(Clone)]
struct Partial {
    bindings: Bindings,
    used: SmallVec<[usize; 4]>,
    depth: LinearExpr,
    parts: Vec<Proof>,
}

/// An instance that atoms make up.
struct Made {
    arguments: Vec<LinearExpr>,
    depth: LinearExpr,
    proof: Proof,
    used: SmallVec<[usize; 4]>,
}

/// A search for atoms that match the left side of a rule.
struct Search<'a> {
    state: &'a State,
    shape: ShapeId,
    number: usize,
    rule: &'a Rule,
    template: &'a Template,
    library: &'a ShapeLibrary,
    links: &'a Links,
    care: FoldPrecision,
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
        let ways = self.ways(pattern, self.template, so_far);
        ways.into_iter().find_map(|longer| self.extend(&longer))
    }

    /// Ways to match one more part of a rule of a shape with this template.
    fn ways(&self, pattern: &PatternAtom, template: &Template, so_far: &Partial) -> Vec<Partial> {
        let atoms = self.state.heap.atoms.iter().enumerate();
        let free = atoms.filter(|(index, _)| !so_far.used.contains(index));
        match pattern {
            PatternAtom::Cell(root, links) => {
                let start = so_far.bindings.value(*root, template).map(|it| template.start_of(&it));
                let is_there = |block: &Block| {
                    start.as_ref().is_none_or(|start| start.as_var() == Some(block.base))
                };
                let longer = |(index, atom): (usize, &Atom)| {
                    let Atom::Block(block) = atom else { return None };
                    if !is_there(block) || !fits(block, template) {
                        return None;
                    }
                    let mut bindings = so_far.bindings.clone();
                    if !unify_cell(
                        &mut bindings,
                        (*root, links),
                        (self.state, block),
                        template,
                        &same,
                    ) {
                        return None;
                    }
                    let mut longer = Partial { bindings, ..so_far.clone() };
                    longer.used.push(index);
                    longer.depth = longer.depth.add_constant(1);
                    longer.parts.push(Proof::Same(index));
                    Some(longer)
                };
                free.filter_map(longer).collect()
            }
            PatternAtom::Instance(pattern) => {
                let Some(own) = template.of_kin(pattern.kin) else { return Vec::new() };
                let anchors = self.library.get(pattern.shape).anchors();
                let mut known = anchors.filter_map(|anchor| {
                    let value = so_far.bindings.value(*pattern.arguments.get(anchor)?, template)?;
                    Some((anchor, value))
                });
                let place = known.next();
                let start = place.as_ref().and_then(|(_, value)| own.start_of(value).as_var());
                let is_there = |atom: &Atom| match (&place, atom) {
                    // A block alone is the first part of no lemma: the rules of the
                    // cases put it before what follows.
                    (None, Atom::Block(_)) => !so_far.parts.is_empty(),
                    (None, Atom::Instance(_)) => true,
                    (Some(_), Atom::Block(block)) => start == Some(block.base),
                    (Some((anchor, value)), Atom::Instance(instance)) => {
                        instance.arguments.get(*anchor) == Some(value)
                    }
                };
                free.filter(|(_, atom)| is_there(atom))
                    .flat_map(|found| self.ways_of_instance(pattern, template, found, so_far))
                    .collect()
            }
        }
    }

    /// Ways in which an atom, with what it owns if it is a block, is an instance in
    /// a rule.
    fn ways_of_instance(
        &self,
        pattern: &PatternInstance,
        template: &Template,
        (index, atom): (usize, &Atom),
        so_far: &Partial,
    ) -> Vec<Partial> {
        let Some(own) = template.of_kin(pattern.kin) else { return Vec::new() };
        let found = match atom {
            Atom::Instance(instance)
                if pattern.shape == instance.shape && instance.template.is_within(own) =>
            {
                vec![Made {
                    arguments: instance.arguments.to_vec(),
                    depth: instance.depth.clone(),
                    proof: Proof::Same(index),
                    used: smallvec![index],
                }]
            }
            Atom::Instance(_) => Vec::new(),
            Atom::Block(block) => self.nodes((pattern.shape, own), (index, block), &so_far.used),
        };
        let longer = |made: Made| {
            let is_owned = pattern.kin != Kin::Family;
            if is_owned && !own.has_extent(&made.depth, |it| self.state.surely_zero(it)) {
                return None;
            }
            let mut longer = so_far.clone();
            unify_all(&mut longer.bindings, &pattern.arguments, &made.arguments, template)?;
            longer.used.extend(made.used);
            longer.parts.push(made.proof);
            // The depth of an instance of another family is its own.
            if pattern.kin == Kin::Family {
                longer.depth = longer.depth.add(&made.depth);
            }
            Some(longer)
        };
        found.into_iter().filter_map(longer).collect()
    }

    /// ```text
    ///   block = start(root) ↦ { links }    a case has this cell and what it owns
    ///   ──────────────────────────────────────────────────────────────────────── NODE
    ///   block * owned ⊢ P[1](ā)
    /// ```
    fn nodes(
        &self,
        (shape, template): (ShapeId, &Template),
        (index, block): (usize, &Block),
        taken: &SmallVec<[usize; 4]>,
    ) -> Vec<Made> {
        let shape = self.library.get(shape);
        let alone =
            singles(self.state, block, template, shape).into_iter().map(|(number, arguments)| {
                Made {
                    arguments,
                    depth: LinearExpr::from(1),
                    proof: Proof::Rule(number, vec![Proof::Same(index)]),
                    used: smallvec![index],
                }
            });
        let mut found: Vec<Made> = alone.collect();
        let rules = shape.rules.iter().enumerate();
        let is_owner = |rule: &Rule| rule.is_lone_owner() && template.allows(&rule.left);
        for (number, rule) in rules.filter(|(_, rule)| is_owner(rule)) {
            let Some((PatternAtom::Cell(root, links), owned)) = rule.left.split_first() else {
                continue;
            };
            let mut bindings = Bindings::new(rule.n_variables);
            if !fits(block, template)
                || !unify_cell(&mut bindings, (*root, links), (self.state, block), template, &same)
            {
                continue;
            }
            let used = taken.iter().copied().chain([index]).collect();
            let depth = LinearExpr::from(1);
            let mut ways = vec![Partial { bindings, used, depth, parts: vec![Proof::Same(index)] }];
            for part in owned {
                ways = ways.iter().flat_map(|way| self.ways(part, template, way)).collect();
            }
            found.extend(ways.into_iter().filter_map(|way| {
                let head = rule.head.iter();
                Some(Made {
                    arguments: head
                        .map(|term| way.bindings.value(*term, template))
                        .collect::<Option<_>>()?,
                    depth: LinearExpr::from(1),
                    proof: Proof::Rule(number, way.parts),
                    used: way.used[taken.len()..].into(),
                })
            }));
        }
        found
    }

    fn finish(&self, found: &Partial) -> Option<Step> {
        let Partial { bindings, used, depth, parts } = found;
        let head = self.rule.head.iter();
        let arguments: SmallVec<[LinearExpr; 2]> =
            head.map(|term| bindings.value(*term, self.template)).collect::<Option<_>>()?;
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
        let shared = self.library.get(self.shape).shared.iter();
        let mut shared = shared.filter_map(|label| self.template.links.get(*label));
        // What all nodes share is something, or a list whose cells hold nothing
        // would be of another kind than one whose cells hold something.
        let is_null = |offset: &i64| {
            used.iter().any(|index| match &self.state.heap.atoms[*index] {
                Atom::Block(block) => block.link(*offset).is_some_and(|value| value.is_zero()),
                Atom::Instance(_) => false,
            })
        };
        if shared.any(is_null) {
            return None;
        }
        let all_hidden = lost.all(|variable| !named(variable) && self.is_hidden(variable, used));
        let keeps_all = self.care == FoldPrecision::LoseOwned
            || !used.iter().any(|index| self.owns_more(*index, used));
        let loses_self =
            self.care.is_for_values() && used.iter().any(|it| self.loses_link_to_itself(*it));
        if !all_hidden || !keeps_all || loses_self || self.swallows_a_named_node(used) {
            return None;
        }
        let proof = Proof::Rule(self.number, parts.clone());
        let summary =
            summarise(self.state, (self.shape, self.template), &proof, self.library, self.care);
        if self.care.forbids(summary.loss) {
            return None;
        }
        Some(Step { used: used.clone(), instance, proof, summary })
    }

    /// Whether a program variable points at a node of which too much would be lost:
    /// that it owns nothing, where others own something, or one node, where others own
    /// many; or, while few states are known, what it owns. The next step may well look at
    /// that.
    fn swallows_a_named_node(&self, used: &SmallVec<[usize; 4]>) -> bool {
        let shape = self.library.get(self.shape);
        if self.template.inner.iter().all(Template::is_nothing) {
            return false;
        }
        let in_stores =
            |v: Var| self.state.stores.iter().flatten().any(|(_, value)| value.mentions(v));
        let owned = |block: &Block| {
            let offsets = shape.owners.iter().filter_map(|label| self.template.links.get(*label));
            let values = offsets.filter_map(|offset| block.link(*offset));
            let is_owned = |it: &LinearExpr| !it.is_zero() && !it.mentions(block.base);
            values.filter(is_owned).collect::<SmallVec<[LinearExpr; 2]>>()
        };
        let is_one = |value: &LinearExpr| {
            let mut variables = value.variables();
            variables.any(|base| self.state.block_at(base).is_some())
        };
        let may_be_many = self.template.inner.iter().any(|it| it.extent == Extent::Any)
            && shape.inner.iter().any(|inner| self.library.get(*inner).is_recursive());
        let stays = |block: &Block| match self.care {
            FoldPrecision::KeepBounds | FoldPrecision::KeepValues => true,
            FoldPrecision::KeepOwned | FoldPrecision::KeepLinks => {
                let owned = owned(block);
                owned.is_empty() || (may_be_many && owned.iter().any(is_one))
            }
            FoldPrecision::LoseOwned => false,
        };
        used.iter().any(|index| match &self.state.heap.atoms[*index] {
            Atom::Block(block) => in_stores(block.base) && stays(block),
            Atom::Instance(_) => false,
        })
    }

    /// Whether a block's fields besides its links are all that points at some
    /// other atom.
    fn owns_more(&self, index: usize, used: &SmallVec<[usize; 4]>) -> bool {
        let Atom::Block(block) = &self.state.heap.atoms[index] else { return false };
        let links = template_for(block, self.template).map_or(&[][..], |own| &own.links);
        let others = block.cells.iter().filter(|cell| !links.contains(&cell.offset));
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

    /// Whether a block is linked to itself by a field that the template does not know: it
    /// is a ring of one, or the first of a list that holds the last one. The lists that
    /// grow out of it are of another shape.
    fn loses_link_to_itself(&self, index: usize) -> bool {
        let Atom::Block(block) = &self.state.heap.atoms[index] else { return false };
        let Some(template) = template_for(block, self.template) else { return false };
        let size = block.size.as_constant().and_then(Integer::to_i128);
        let Some(size) = size.and_then(|size| i64::try_from(size).ok()) else { return false };
        let is_known = |offset: i64| {
            let mut selves = template.selves.iter();
            template.links.contains(&offset) || selves.any(|it| it.offset == offset)
        };
        let mut links = self.links.links_of((block.region.sort, size));
        links.any(|offset| {
            !is_known(offset) && block.link(offset).is_some_and(|it| it.mentions(block.base))
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

/// Of a template and those of other families in it, the one for a block.
fn template_for<'a>(block: &Block, template: &'a Template) -> Option<&'a Template> {
    if fits(block, template) {
        return Some(template);
    }
    template.inner.iter().find_map(|inner| template_for(block, inner))
}

fn same(a: &LinearExpr, b: &LinearExpr) -> bool {
    a == b
}

fn unify_all(
    bindings: &mut Bindings,
    terms: &[PatternTerm],
    values: &[LinearExpr],
    template: &Template,
) -> Option<()> {
    let mut pairs = terms.iter().zip(values);
    pairs.all(|(term, value)| bindings.unify(*term, value, template, &same)).then_some(())
}
