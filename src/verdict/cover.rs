//! Checks that an arriving state is one that an abstract state describes, from
//! the binding and the proofs alone, without search. Constraints and relations
//! are re-added by their Farkas multipliers. Equalities of values and
//! disequalities are asked of the state itself (`heap::facts`), whose exact
//! arithmetic is trusted there.

use super::check::Defect;
use crate::base::budget::Budget;
use crate::heap::proof::Proof;
use crate::heap::shape::{Kin, PatternAtom, PatternTerm, Rule, ShapeLibrary};
use crate::heap::state::{Junk, Kind, State};
use crate::heap::values::{Image, images};
use crate::heap::{Atom, Block, Cell, Content, FloatingCell, Instance, Template};
use crate::ir::ScalarType;
use crate::logic::{Constraint, LinearExpr, Var};
use crate::numeric::polyhedron::Polyhedron;
use crate::sonar::transitions::Cover;
use std::collections::BTreeSet;

/// The claim that `have` is described by `want`, and why.
pub(super) struct Claim<'a> {
    /// The state that arrives.
    pub(super) have: &'a State,
    /// The abstract state.
    pub(super) want: &'a State,
    /// The argument.
    pub(super) cover: &'a Cover,
    /// The shapes.
    pub(super) shape_library: &'a ShapeLibrary,
}

impl Claim<'_> {
    /// Checks the claim, and that `relation` holds between the seeds of `have`
    /// and the values of `want`'s variables.
    pub(super) fn check(&self, relation: &Polyhedron, budget: &mut Budget) -> Result<(), Defect> {
        self.check_binding()?;
        self.check_stores()?;
        self.check_heap()?;
        let shift = self.have.vocabulary.n_seeds();
        let images = self.images();
        for constraint in self.want.facts.numbers.constraints() {
            self.check_at_nodes(&images, constraint, budget)?;
        }
        for constraint in relation.constraints() {
            let image = |v: Var| match v.index().checked_sub(shift) {
                Some(index) => self.value_of(Var::at(index)),
                None => v.into(),
            };
            self.check_constraint(&constraint.map(image))?;
        }
        for fact in &self.want.facts.nonzero {
            if !self.have.surely_nonzero(&self.value(fact)) {
                return Err(Defect::Facts);
            }
        }
        Ok(())
    }

    /// For each instance of which fields are known, what they are at its nodes.
    fn images(&self) -> Vec<(&Instance, Vec<Image>)> {
        let made_up = self.want.heap.atoms.iter().zip(&self.cover.proofs);
        let instances = made_up.filter_map(|(atom, proof)| match atom {
            Atom::Instance(instance) if !instance.values.is_empty() => {
                Some((instance, images(self.have, instance, proof, self.shape_library)))
            }
            Atom::Instance(_) | Atom::Block(_) => None,
        });
        instances.collect()
    }

    /// A constraint holds for all nodes of the instances whose dimensions it
    /// mentions.
    fn check_at_nodes(
        &self,
        images: &[(&Instance, Vec<Image>)],
        constraint: &Constraint,
        budget: &mut Budget,
    ) -> Result<(), Defect> {
        let about = images.iter().filter(|(instance, _)| {
            instance.values.variables().any(|variable| constraint.mentions(variable))
        });
        let about: Vec<&Vec<Image>> = about.map(|(_, images)| images).collect();
        let mut choice = vec![0; about.len()];
        loop {
            let chosen: Vec<&Image> =
                about.iter().zip(&choice).filter_map(|(images, at)| images.get(*at)).collect();
            if chosen.len() < about.len() {
                return Err(Defect::Heap);
            }
            self.check_at(&chosen, constraint)?;
            // The next choice, as a counter counts.
            let Some(next) = (0..about.len()).find(|i| choice[*i] + 1 < about[*i].len()) else {
                return Ok(());
            };
            budget.spend(1).map_err(|_| Defect::Budget)?;
            choice[next] += 1;
            choice[..next].fill(0);
        }
    }

    fn check_at(&self, chosen: &[&Image], constraint: &Constraint) -> Result<(), Defect> {
        let given = |v: Var| LinearExpr::var(v);
        let wanted = |v: Var| self.value_of(v);
        let mut premises = self.have.facts.numbers.constraints().to_vec();
        premises.extend(chosen.iter().flat_map(|image| image.constraints(&wanted, &given)));
        let conclusion = constraint.map(wanted);
        if super::check::follows(&premises, &conclusion) { Ok(()) } else { Err(Defect::Numbers) }
    }

    fn value_of(&self, variable: Var) -> LinearExpr {
        self.cover.binding.get(variable.index()).cloned().unwrap_or_default()
    }

    fn value(&self, wanted: &LinearExpr) -> LinearExpr {
        wanted.map(|v| self.value_of(v))
    }

    fn is_free(&self, value: &LinearExpr) -> bool {
        value.as_var().is_some_and(|v| v.index() >= self.have.vocabulary.len())
    }

    /// Every variable is bound, an integer to an integer; a bound value speaks
    /// of the arriving state, or is one arbitrary value of its own.
    fn check_binding(&self) -> Result<(), Defect> {
        if self.cover.binding.len() != self.want.vocabulary.len() {
            return Err(Defect::Binding);
        }
        let mut free = BTreeSet::new();
        for (index, value) in self.cover.binding.iter().enumerate() {
            let is_known = value.variables().all(|v| v.index() < self.have.vocabulary.len());
            let fits = if is_known {
                match self.want.vocabulary.kind(Var::at(index)) {
                    Kind::Integer => self.have.kind_of(value) == Kind::Integer,
                    Kind::Address | Kind::Unknown => true,
                    // Its values are those of the nodes.
                    Kind::Summary => false,
                }
            } else {
                self.is_free(value) && free.insert(value.clone())
            };
            if !fits {
                return Err(Defect::Binding);
            }
        }
        Ok(())
    }

    fn equal(&self, wanted: &LinearExpr, have: &LinearExpr) -> bool {
        let difference = self.value(wanted).sub(have);
        difference.is_zero() || self.have.surely_zero(&difference)
    }

    fn check_stores(&self) -> Result<(), Defect> {
        if self.want.stores.len() != self.have.stores.len() {
            return Err(Defect::Stores);
        }
        for (index, store) in self.want.stores.iter().enumerate() {
            for (variable, wanted) in store {
                let agrees = match self.have.value_in(index, *variable) {
                    Some(value) => self.equal(wanted, value),
                    None => self.is_free(&self.value(wanted)),
                };
                if !agrees {
                    return Err(Defect::Stores);
                }
            }
        }
        Ok(())
    }

    fn check_heap(&self) -> Result<(), Defect> {
        if self.cover.proofs.len() != self.want.heap.atoms.len() {
            return Err(Defect::Heap);
        }
        let mut used = vec![false; self.have.heap.atoms.len()];
        for (atom, proof) in self.want.heap.atoms.iter().zip(&self.cover.proofs) {
            let mut once = true;
            proof.for_each_atom(&mut |index| match used.get_mut(index) {
                Some(slot) if !*slot => *slot = true,
                _ => once = false,
            });
            let made_up = match atom {
                Atom::Block(block) => self.block_is(block, proof),
                Atom::Instance(instance) => self.instance_is(instance, proof),
            };
            if !once || !made_up {
                return Err(Defect::Heap);
            }
        }
        let lost_heap =
            self.have.heap.atoms.iter().zip(&used).any(|(atom, used)| !used && atom.is_heap());
        let has_junk = lost_heap || self.have.junk == Junk::Some;
        if has_junk && self.want.junk == Junk::None { Err(Defect::Heap) } else { Ok(()) }
    }

    fn block_is(&self, wanted: &Block, proof: &Proof) -> bool {
        let Proof::Same(index) = proof else { return false };
        let Atom::Block(block) = &self.have.heap.atoms[*index] else { return false };
        // What `wanted` does not list is zero if it says so.
        let is_zero =
            |cell: &Cell| wanted.cell(cell.offset).is_some() || self.have.surely_zero(&cell.value);
        let content_fits = wanted.content == Content::Arbitrary
            || (wanted.content == block.content && block.cells.iter().all(is_zero));
        let cells_fit = wanted.cells.iter().all(|cell| match block.cell(cell.offset) {
            Some(found) => found.ty == cell.ty && self.equal(&cell.value, &found.value),
            // The bytes are there, whatever they hold.
            None => {
                block.content == Content::Arbitrary
                    && self.is_free(&self.value(&cell.value))
                    && block.cells.iter().all(|other| !other.overlaps(cell))
            }
        });
        self.value_of(wanted.base) == LinearExpr::var(block.base)
            && self.equal(&wanted.size, &block.size)
            && wanted.region == block.region
            && content_fits
            && cells_fit
            && self.floating_is(wanted.floating.as_deref(), block.floating.as_deref(), block)
            && self.floating_is(wanted.recent.as_deref(), block.recent.as_deref(), block)
    }

    /// The wanted scalar is the one that floats in the block, or one of its cells.
    fn floating_is(
        &self,
        wanted: Option<&FloatingCell>,
        known: Option<&FloatingCell>,
        block: &Block,
    ) -> bool {
        let Some(wanted) = wanted else { return true };
        let is_wanted = |offset: &LinearExpr, ty: ScalarType, value: &LinearExpr| {
            wanted.ty == ty
                && self.equal(&wanted.offset, offset)
                && self.equal(&wanted.value, value)
        };
        known.is_some_and(|known| is_wanted(&known.offset, known.ty, &known.value))
            || block.cells.iter().any(|it| is_wanted(&it.offset.into(), it.ty, &it.value))
    }

    fn instance_is(&self, wanted: &Instance, proof: &Proof) -> bool {
        let Some(made) = self.make_up(wanted, proof) else { return false };
        made.shape == wanted.shape
            && made.template.is_within(&wanted.template)
            && self.equal(&wanted.depth, &made.depth)
            && wanted.arguments.len() == made.arguments.len()
            && wanted
                .arguments
                .iter()
                .zip(&made.arguments)
                .all(|(wanted, made)| self.equal(wanted, made))
    }

    /// The instance that the atoms of a proof make up.
    fn make_up(&self, wanted: &Instance, proof: &Proof) -> Option<Instance> {
        match proof {
            Proof::Same(index) => match self.have.heap.atoms.get(*index)? {
                Atom::Instance(instance) => Some(instance.clone()),
                Atom::Block(_) => None,
            },
            Proof::Rule(number, parts) => {
                let rule = self.shape_library.get(wanted.shape).rules.get(*number)?;
                self.apply_rule(wanted, rule, parts)
            }
        }
    }

    fn apply_rule(&self, wanted: &Instance, rule: &Rule, parts: &[Proof]) -> Option<Instance> {
        if rule.left.len() != parts.len() {
            return None;
        }
        let mut values: Vec<Option<LinearExpr>> = vec![None; rule.n_variables];
        let mut depth = LinearExpr::zero();
        for (pattern, part) in rule.left.iter().zip(parts) {
            match pattern {
                PatternAtom::Cell(root, links) => {
                    self.bind_cell(&mut values, (*root, links), part, &wanted.template)?;
                    depth = depth.add_constant(1);
                }
                PatternAtom::Instance(pattern) => {
                    let template = wanted.template.of_kin(pattern.kin)?.clone();
                    let inner = Instance { shape: pattern.shape, template, ..wanted.clone() };
                    let made = self.make_up(&inner, part)?;
                    if made.shape != pattern.shape || !made.template.is_within(&inner.template) {
                        return None;
                    }
                    for (term, value) in pattern.arguments.iter().zip(&made.arguments) {
                        bind(&wanted.template, &mut values, *term, value)?;
                    }
                    if pattern.kin == Kin::Family {
                        depth = depth.add(&made.depth);
                    }
                }
            }
        }
        let head = rule.head.iter();
        let arguments =
            head.map(|term| term.value(&wanted.template, &values)).collect::<Option<_>>()?;
        Some(Instance { arguments, depth, ..wanted.clone() })
    }

    fn bind_cell(
        &self,
        values: &mut [Option<LinearExpr>],
        (root, links): (PatternTerm, &[Option<PatternTerm>]),
        part: &Proof,
        template: &Template,
    ) -> Option<()> {
        let Proof::Same(index) = part else { return None };
        let Atom::Block(block) = self.have.heap.atoms.get(*index)? else { return None };
        if block.region != template.region || block.size != LinearExpr::from(template.size) {
            return None;
        }
        bind(template, values, root, &LinearExpr::var(block.base).add_constant(template.root))?;
        for (link, offset) in links.iter().zip(&template.links) {
            if let Some(term) = link {
                bind(template, values, *term, &pointer_at(block, *offset)?)?;
            }
        }
        Some(())
    }

    /// A constraint over the variables of `have` follows from its numbers.
    fn check_constraint(&self, constraint: &Constraint) -> Result<(), Defect> {
        super::check::follows(self.have.facts.numbers.constraints(), constraint)
            .then_some(())
            .ok_or(Defect::Numbers)
    }
}

/// The pointer at an offset of a block: a cell of that type, or zeros that no cell
/// covers, even in part. Addresses count as 8 bytes.
fn pointer_at(block: &Block, offset: i64) -> Option<LinearExpr> {
    if let Some(cell) = block.cells.iter().find(|cell| cell.offset == offset) {
        return (cell.ty == ScalarType::Pointer).then(|| cell.value.clone());
    }
    let end = |cell: &Cell| cell.offset + i64::from(cell.ty.bytes(8));
    let is_touched = block.cells.iter().any(|it| it.offset < offset + 8 && offset < end(it));
    (block.content == Content::Zero && !is_touched).then(LinearExpr::zero)
}

/// Makes a term of a pattern, in nodes of a template, worth this value; a name
/// that has a value already keeps it.
fn bind(
    template: &Template,
    values: &mut [Option<LinearExpr>],
    term: PatternTerm,
    value: &LinearExpr,
) -> Option<()> {
    if let Some(known) = term.value(template, values) {
        return (known == *value).then_some(());
    }
    let (number, solution) = term.solved(template, value)?;
    *values.get_mut(number)? = Some(solution);
    Some(())
}
