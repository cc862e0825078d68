//! Checks that an arriving state is one that an abstract state describes, from
//! the binding and the proofs alone, without search.
//!
//! What the abstract state says of numbers is added up from what the arriving state
//! says of them, by the multipliers that the argument carries. Only disequalities and
//! products are asked of the arriving state itself (`heap::facts`).

use super::bytes::{ends, pointer_at, zero_behind, zeros_reach};
use super::check::Defect;
use super::elements::Elements;
use super::multipliers::Multipliers;
use super::nodes::{self, Part};
use super::templates::{is_of_flagged, is_within, owns_all};
use base::budget::Budget;
use evidence::step::Cover;
use heap::products::Product;
use heap::proof::Proof;
use heap::shape::{Kin, PatternAtom, PatternTerm, Rule};
use heap::state::{Junk, Kind, State};
use heap::template::{Ending, Extent};
use heap::values::NodeValues;
use heap::{Atom, Block, Content, Flag, FloatingCell, Instance, SelfLink, Template};
use ir::ScalarType;
use logic::{Constraint, Integer, LinearExpr, Var};
use numeric::polyhedron::Polyhedron;
use rules::Semantics;
use std::collections::BTreeSet;

/// The claim that `have` is described by `want`, and why.
#[derive(Clone, Copy)]
pub(super) struct Claim<'a> {
    /// What is analysed.
    pub(super) machine: &'a Semantics<'a>,
    /// The state that arrives.
    pub(super) have: &'a State,
    /// The abstract state.
    pub(super) want: &'a State,
    /// The argument.
    pub(super) cover: &'a Cover,
    /// What the states are to each other.
    pub(super) kinship: Kinship<'a>,
}

/// What an arriving state and the one that describes it are to each other.
#[derive(Clone, Copy)]
pub(super) enum Kinship<'a> {
    /// The end of a step: this holds between the seeds of the one and the variables
    /// of the other.
    Step(&'a Polyhedron),
    /// Paths from one cutpoint that meet: both have the same seeds.
    Seeds,
}

impl Claim<'_> {
    /// Checks the claim.
    pub(super) fn check(
        &self,
        multipliers: &mut dyn Multipliers,
        budget: &mut Budget,
    ) -> Result<(), Defect> {
        let taken = BTreeSet::new();
        Judge { claim: *self, multipliers, taken, first_field: self.first_field() }.check(budget)
    }

    /// Names from here on occur neither in the arriving state nor in the binding.
    fn first_field(&self) -> usize {
        let bound = self.cover.binding.iter().flat_map(LinearExpr::variables);
        let last = bound.map(|v| v.index() + 1).max().unwrap_or(0);
        last.max(self.have.vocabulary.len())
    }
}

/// A check of a claim under way.
pub(super) struct Judge<'a, 'm> {
    pub(super) claim: Claim<'a>,
    multipliers: &'m mut dyn Multipliers,
    /// The arbitrary values that already stand for something that is not known.
    taken: BTreeSet<Var>,
    /// From here on, variables stand for what nodes hold.
    first_field: usize,
}

impl Judge<'_, '_> {
    fn check(&mut self, budget: &mut Budget) -> Result<(), Defect> {
        self.check_binding()?;
        self.check_stores()?;
        self.check_heap()?;
        self.check_numbers(budget)?;
        if let Kinship::Step(relation) = self.claim.kinship {
            self.check_relation(relation)?;
        }
        let mut facts = self.claim.want.facts.nonzero.iter();
        let mut products = self.claim.want.facts.products.iter();
        let holds = |it: &Product| self.claim.have.surely_product(&it.map(|v| self.value_of(v)));
        if facts.all(|fact| self.claim.have.surely_nonzero(&self.value(fact)))
            && products.all(holds)
        {
            Ok(())
        } else {
            Err(Defect::Facts)
        }
    }

    /// The relation holds between the seeds of the arriving state and what the
    /// variables of the wanted one stand for.
    fn check_relation(&mut self, relation: &Polyhedron) -> Result<(), Defect> {
        let shift = self.claim.have.vocabulary.n_seeds();
        for constraint in relation.constraints() {
            let conclusion = constraint.map(|v| match v.index().checked_sub(shift) {
                Some(index) => self.value_of(Var::at(index)),
                None => v.into(),
            });
            self.check_constraint(&conclusion)?;
        }
        Ok(())
    }

    /// Each constraint holds for all nodes of the instances whose fields it mentions.
    fn check_numbers(&mut self, budget: &mut Budget) -> Result<(), Defect> {
        let Claim { want, cover, machine, have, .. } = self.claim;
        let mut summarized: Vec<(&NodeValues, Vec<Part>)> = Vec::new();
        for (atom, proof) in want.heap.atoms.iter().zip(&cover.proofs) {
            match atom {
                Atom::Instance(instance) if !instance.values.is_empty() => {
                    let name = |v: Var| self.value_of(v);
                    let parts = nodes::parts(have, (instance, &name), proof, machine.shape_library);
                    summarized.push((&instance.values, parts.ok_or(Defect::Heap)?));
                }
                Atom::Block(Block { segment: Some(segment), .. }) if !segment.values.is_empty() => {
                    let parts = self.parts_of_elements(atom, proof);
                    summarized.push((&segment.values, parts.ok_or(Defect::Heap)?));
                }
                Atom::Instance(_) | Atom::Block(_) => {}
            }
        }
        for constraint in want.facts.numbers.constraints() {
            let about = summarized.iter().filter(|(values, _)| {
                values.variables().any(|variable| constraint.mentions(variable))
            });
            let about: Vec<&[Part]> = about.map(|(_, parts)| parts.as_slice()).collect();
            self.check_at_nodes(&about, &constraint.map(|v| self.value_of(v)), budget)?;
        }
        Ok(())
    }

    /// What is known of the elements that a block of the wanted state speaks of.
    fn parts_of_elements(&mut self, wanted: &Atom, proof: &Proof) -> Option<Vec<Part>> {
        let Claim { have, want, cover, .. } = self.claim;
        let (Atom::Block(wanted), Some(index)) = (wanted, proof.block()) else { return None };
        let Some(Atom::Block(block)) = have.heap.atoms.get(index) else { return None };
        let end = self.value(&wanted.segment.as_ref()?.end);
        let elements = Elements { have, block, wanted, end };
        let first_field = self.first_field;
        // What is made up is a number.
        let pretended = |v: Var| {
            let value = cover.binding.get(v.index()).and_then(LinearExpr::as_constant);
            value.map_or_else(LinearExpr::zero, |it| LinearExpr::constant(it.clone()))
        };
        let name = |v: Var| {
            let is_dimension = want.vocabulary.kind(v) == Kind::Summary;
            if is_dimension { Var::at(first_field + v.index()).into() } else { v.into() }
        };
        let mut shows = |constraint: &Constraint| self.is_shown(constraint);
        Some(elements.parts((&name, &pretended), &mut shows))
    }

    /// The conclusion holds whichever node of each instance is meant.
    fn check_at_nodes(
        &mut self,
        about: &[&[Part]],
        conclusion: &Constraint,
        budget: &mut Budget,
    ) -> Result<(), Defect> {
        if about.is_empty() || conclusion.is_trivial() {
            return self.check_constraint(conclusion);
        }
        if about.iter().any(|parts| parts.is_empty()) {
            return Err(Defect::Heap);
        }
        let mut choice = vec![0; about.len()];
        loop {
            let mut premises = self.claim.have.facts.numbers.constraints().to_vec();
            for (parts, at) in about.iter().zip(&choice) {
                premises.extend_from_slice(&parts[*at]);
            }
            if !self.multipliers.show(&premises, conclusion) {
                return Err(Defect::Numbers);
            }
            // The next choice, as a counter counts.
            let Some(next) = (0..about.len()).find(|i| choice[*i] + 1 < about[*i].len()) else {
                return Ok(());
            };
            budget.spend(1).map_err(|_| Defect::Budget)?;
            choice[next] += 1;
            choice[..next].fill(0);
        }
    }

    /// What a variable of the wanted state stands for. What nodes hold has a name of
    /// its own, whatever the binding says.
    fn value_of(&self, variable: Var) -> LinearExpr {
        match self.claim.want.vocabulary.kind(variable) {
            Kind::Summary => Var::at(self.first_field + variable.index()).into(),
            Kind::Integer | Kind::Address | Kind::Unknown | Kind::Foreign => {
                self.claim.cover.binding.get(variable.index()).cloned().unwrap_or_default()
            }
        }
    }

    pub(super) fn value(&self, wanted: &LinearExpr) -> LinearExpr {
        wanted.map(|v| self.value_of(v))
    }

    /// Every variable is bound to a value of its kind: an integer to an integer, an
    /// address to an address. A bound value speaks of the arriving state, or is one
    /// arbitrary value of its own. States with the same seeds agree on them.
    fn check_binding(&self) -> Result<(), Defect> {
        let Claim { have, want, cover, kinship, .. } = self.claim;
        if cover.binding.len() != want.vocabulary.len() {
            return Err(Defect::Binding);
        }
        let n_seeds = match kinship {
            Kinship::Step(_) => 0,
            Kinship::Seeds => have.vocabulary.n_seeds(),
        };
        if matches!(kinship, Kinship::Seeds) && want.vocabulary.n_seeds() != n_seeds {
            return Err(Defect::Binding);
        }
        let mut free = BTreeSet::new();
        for (index, value) in cover.binding.iter().enumerate() {
            let variable = Var::at(index);
            let kind = want.vocabulary.kind(variable);
            let is_known = value.variables().all(|v| v.index() < have.vocabulary.len());
            let fits = if kind == Kind::Summary {
                // Its values are those of the nodes.
                true
            } else if is_known {
                is_of_kind(have, value, kind)
            } else {
                let may_be_any = kind != Kind::Foreign || !is_mentioned(want, variable);
                may_be_any && value.as_var().is_some_and(|v| free.insert(v))
            };
            let agrees = index >= n_seeds
                || (have.vocabulary.kind(variable) == kind
                    && (kind == Kind::Summary || *value == LinearExpr::var(variable)));
            if !fits || !agrees {
                return Err(Defect::Binding);
            }
        }
        Ok(())
    }

    /// Whether a wanted value may be anything, where the arriving state says nothing
    /// of a place of this type: each arbitrary value stands for one such place only.
    fn is_anything(&mut self, wanted: &LinearExpr, ty: ScalarType) -> bool {
        let Some(variable) = wanted.as_var() else { return false };
        let fits = match self.claim.want.vocabulary.kind(variable) {
            Kind::Unknown => true,
            Kind::Integer => matches!(ty, ScalarType::Int(_)),
            Kind::Address | Kind::Foreign | Kind::Summary => false,
        };
        let value = self.value_of(variable).as_var();
        let free = value.filter(|v| v.index() >= self.claim.have.vocabulary.len());
        fits && free.is_some_and(|v| self.taken.insert(v))
    }

    fn equal(&mut self, wanted: &LinearExpr, have: &LinearExpr) -> bool {
        let difference = self.value(wanted).sub(have);
        self.is_zero(&difference)
    }

    /// Whether a value of the arriving state is 0.
    fn is_zero(&mut self, value: &LinearExpr) -> bool {
        match value.as_constant() {
            Some(constant) => constant.is_zero(),
            None => {
                self.claim.have.kind_of(value) == Kind::Integer
                    && self.check_constraint(&Constraint::zero(value.clone())).is_ok()
            }
        }
    }

    fn check_stores(&mut self) -> Result<(), Defect> {
        let Claim { have, want, machine, .. } = self.claim;
        if want.stores.len() != have.stores.len() {
            return Err(Defect::Stores);
        }
        for (index, store) in want.stores.iter().enumerate() {
            for (variable, wanted) in store {
                let agrees = match have.value_in(index, *variable) {
                    Some(value) => self.equal(wanted, value),
                    None => self.is_anything(wanted, machine.type_of(*variable)),
                };
                if !agrees {
                    return Err(Defect::Stores);
                }
            }
        }
        Ok(())
    }

    fn check_heap(&mut self) -> Result<(), Defect> {
        let Claim { have, want, cover, .. } = self.claim;
        if cover.proofs.len() != want.heap.atoms.len() {
            return Err(Defect::Heap);
        }
        let mut used = vec![false; have.heap.atoms.len()];
        for (atom, proof) in want.heap.atoms.iter().zip(&cover.proofs) {
            let mut once = true;
            proof.for_each_atom(&mut |index| match used.get_mut(index) {
                Some(slot) if !*slot => *slot = true,
                _ => once = false,
            });
            let made_up = once
                && match atom {
                    Atom::Block(block) => self.block_is(block, proof),
                    Atom::Instance(instance) => self.instance_is(instance, proof),
                };
            if !made_up {
                return Err(Defect::Heap);
            }
        }
        let mut unused = have.heap.atoms.iter().zip(&used).filter(|(_, used)| !**used);
        let lost_heap = unused.any(|(atom, _)| atom.is_heap() || self.owns_by_rows(atom));
        let has_junk = lost_heap || have.junk != Junk::None;
        if has_junk && want.junk == Junk::None { Err(Defect::Heap) } else { Ok(()) }
    }

    fn block_is(&mut self, wanted: &Block, proof: &Proof) -> bool {
        let have = self.claim.have;
        let Some(index) = proof.block() else { return false };
        let Some(Atom::Block(block)) = have.heap.atoms.get(index) else { return false };
        let content_fits = wanted.content == Content::Arbitrary || wanted.content == block.content;
        let cells_fit = wanted.cells.iter().all(|cell| match block.cell(cell.offset) {
            Some(found) => found.ty == cell.ty && self.equal(&cell.value, &found.value),
            // The bytes are there, whatever they hold.
            None => {
                block.cells.iter().all(|other| !other.overlaps(cell))
                    && match block.content {
                        Content::Arbitrary => self.is_anything(&cell.value, cell.ty),
                        Content::Zero => {
                            zeros_reach(block, cell)
                                && !matches!(cell.ty, ScalarType::Float(_))
                                && self.equal(&cell.value, &LinearExpr::zero())
                        }
                    }
            }
        });
        self.value_of(wanted.base) == LinearExpr::var(block.base)
            && self.equal(&wanted.size, &block.size)
            && wanted.region == block.region
            && content_fits
            && cells_fit
            && self.floating_is(wanted.floating.as_deref(), block.floating.as_deref(), block)
            && wanted.recent.iter().all(|wanted| {
                let mut known = block.scalars();
                known.any(|known| self.recent_is(wanted, &known))
            })
            && self.elements_are(wanted, block)
            && self.rows_are(wanted, block, proof.owned())
    }

    /// What was written last is the wanted scalar.
    fn recent_is(&mut self, wanted: &FloatingCell, known: &FloatingCell) -> bool {
        let same = |judge: &mut Self, wanted: &LinearExpr, known: &LinearExpr| {
            let difference = judge.value(wanted).sub(known);
            difference.is_zero()
                || (judge.claim.have.kind_of(&difference) == Kind::Integer
                    && judge.is_shown(&Constraint::zero(difference)))
        };
        wanted.ty == known.ty
            && same(self, &wanted.offset, &known.offset)
            && same(self, &wanted.value, &known.value)
    }

    /// The elements that the wanted segment speaks of are there, and what `wanted` does not
    /// list is zero if it says so.
    fn elements_are(&mut self, wanted: &Block, block: &Block) -> bool {
        let have = self.claim.have;
        let end = wanted.segment.as_ref().map_or_else(LinearExpr::zero, |it| self.value(&it.end));
        if have.kind_of(&end) != Kind::Integer {
            return false;
        }
        let elements = Elements { have, block, wanted, end };
        let mut shows = |constraint: &Constraint| self.is_shown(constraint);
        elements.are_there(&mut shows)
    }

    /// The wanted scalar is the one that floats in the block, or one of its cells.
    fn floating_is(
        &mut self,
        wanted: Option<&FloatingCell>,
        known: Option<&FloatingCell>,
        block: &Block,
    ) -> bool {
        let Some(wanted) = wanted else { return true };
        let mut is_wanted = |offset: &LinearExpr, ty: ScalarType, value: &LinearExpr| {
            wanted.ty == ty
                && self.equal(&wanted.offset, offset)
                && self.equal(&wanted.value, value)
        };
        known.is_some_and(|known| is_wanted(&known.offset, known.ty, &known.value))
            || block.cells.iter().any(|it| is_wanted(&it.offset.into(), it.ty, &it.value))
            || zero_behind(block).is_some_and(|it| is_wanted(&it.offset.into(), it.ty, &it.value))
    }

    fn instance_is(&mut self, wanted: &Instance, proof: &Proof) -> bool {
        let Some(made) = self.make_up(wanted, proof) else { return false };
        made.shape == wanted.shape
            && is_within(&made.template, &wanted.template)
            && self.equal(&wanted.depth, &made.depth)
            && wanted.arguments.len() == made.arguments.len()
            && wanted
                .arguments
                .iter()
                .zip(&made.arguments)
                .all(|(wanted, made)| self.equal(wanted, made))
    }

    /// The instance that the atoms of a proof make up.
    pub(super) fn make_up(&mut self, wanted: &Instance, proof: &Proof) -> Option<Instance> {
        match proof {
            Proof::Same(index) => match self.claim.have.heap.atoms.get(*index)? {
                Atom::Instance(instance) => Some(instance.clone()),
                Atom::Block(_) => None,
            },
            Proof::Row(..) => None,
            Proof::Rule(number, parts) => {
                let shape = self.claim.machine.shape_library.get(wanted.shape);
                self.apply_rule(wanted, shape.rules.get(*number)?, parts)
            }
        }
    }

    fn apply_rule(&mut self, wanted: &Instance, rule: &Rule, parts: &[Proof]) -> Option<Instance> {
        if rule.left.len() != parts.len()
            || !owns_all(&wanted.template, rule)
            || !is_of_flagged(rule, &wanted.template)
        {
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
                    if made.shape != pattern.shape || !is_within(&made.template, &inner.template) {
                        return None;
                    }
                    for (term, value) in pattern.arguments.iter().zip(&made.arguments) {
                        bind(&wanted.template, &mut values, *term, value)?;
                    }
                    if pattern.kin == Kin::Family {
                        depth = depth.add(&made.depth);
                    } else if inner.template.extent == Extent::One
                        && !self.is_zero(&made.depth.add_constant(-1))
                    {
                        return None;
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
        &mut self,
        values: &mut [Option<LinearExpr>],
        (root, links): (PatternTerm, &[Option<PatternTerm>]),
        part: &Proof,
        template: &Template,
    ) -> Option<()> {
        let Proof::Same(index) = part else { return None };
        let Atom::Block(block) = self.claim.have.heap.atoms.get(*index)? else { return None };
        let is_node = block.region == template.region
            && template.admits(&block.size)
            && (template.ending == Ending::Any || ends(block));
        if !is_node || !block.rows.is_empty() {
            return None;
        }
        bind(template, values, root, &LinearExpr::var(block.base).add_constant(template.root))?;
        let is_self = |it: &SelfLink| pointer_at(block, it.offset) == Some(it.value_in(block.base));
        if !template.selves.iter().all(is_self) {
            return None;
        }
        for (label, (link, offset)) in links.iter().zip(&template.links).enumerate() {
            let Some(term) = link else { continue };
            let mut flags = template.flags.iter().filter(|flag| flag.label == label);
            let flag = flags.next();
            let says = |flag: &Flag| {
                let said = if *term == PatternTerm::Null { flag.ends } else { flag.leads };
                let ty = ScalarType::Int(flag.kind);
                let cell = block.cells.iter().find(|it| it.offset == flag.offset && it.ty == ty);
                cell.map(|it| it.value.sub(&LinearExpr::from(said)))
            };
            if let Some(flag) = flag
                && !self.is_zero(&says(flag)?)
            {
                return None;
            }
            // Where a number says that a link does not lead on, it may hold anything.
            if *term != PatternTerm::Null || flag.is_none() {
                bind(template, values, *term, &pointer_at(block, *offset)?)?;
            }
        }
        Some(())
    }

    /// Whether a constraint over the variables of the arriving state follows from its numbers,
    /// where the check goes on if it does not.
    pub(super) fn is_shown(&mut self, constraint: &Constraint) -> bool {
        self.is_implied(self.claim.have.facts.numbers.constraints(), constraint)
    }

    /// Whether a constraint follows from others, where the check goes on if it does not.
    pub(super) fn is_implied(&mut self, premises: &[Constraint], constraint: &Constraint) -> bool {
        self.multipliers.try_to_show(premises, constraint)
    }

    /// From here on, variables stand for nothing.
    pub(super) fn first_free_name(&self) -> usize {
        self.first_field + self.claim.want.vocabulary.len()
    }

    /// A constraint over the variables of the arriving state follows from its numbers.
    fn check_constraint(&mut self, constraint: &Constraint) -> Result<(), Defect> {
        let premises = self.claim.have.facts.numbers.constraints();
        if self.multipliers.show(premises, constraint) { Ok(()) } else { Err(Defect::Numbers) }
    }
}

/// Whether a value of a state is of a kind. An address is one address, perhaps moved
/// by a number; an unknown value may be anything.
fn is_of_kind(state: &State, value: &LinearExpr, kind: Kind) -> bool {
    let is_one_address = || {
        let mut terms = value.terms().iter();
        terms.all(|(v, factor)| {
            state.vocabulary.kind(*v) == Kind::Integer || *factor == Integer::ONE
        })
    };
    match kind {
        Kind::Integer => state.kind_of(value) == Kind::Integer,
        Kind::Address => state.kind_of(value) == Kind::Address && is_one_address(),
        Kind::Unknown => value.variables().all(|v| state.vocabulary.kind(v) != Kind::Summary),
        Kind::Foreign => value.as_var().is_some_and(|v| state.vocabulary.kind(v) == kind),
        Kind::Summary => false,
    }
}

/// Whether a state says something of a variable.
fn is_mentioned(state: &State, variable: Var) -> bool {
    let mut found = state.facts.numbers.constraints().iter().any(|it| it.mentions(variable));
    state.for_each_expr(&mut |value| found |= value.mentions(variable));
    found
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

#[cfg(test)]
#[path = "cover_tests.rs"]
mod tests;
