//! Entailment `have ⊢ want`: both heaps are walked from the program variables.
//!
//! Symbolic heaps are graphs, so the walk is nearly deterministic: what a
//! variable of `want` stands for is fixed by the first place that mentions it.
//! The answer is a [`Match`]: the binding, and for every atom of `want` the atoms
//! of `have` that make it up. All of `have` must be used (no leak is hidden).
//!
//! Numbers are left to the caller: [`Match::numbers`] carries those of `have`
//! over to the variables of `want`.

mod elements;
mod products;
pub(super) mod rows;

use crate::pattern::{Bindings, holds_of, singles, unify_cell};
use base::limits::MOST_GOALS;
use heap::matching::Match;
use heap::proof::Proof;
use heap::shape::{Kin, PatternAtom, Rule, ShapeLibrary};
use heap::state::{Junk, Kind, State};
use heap::values::images;
use heap::{Atom, Block, Instance};
use logic::{Integer, LinearExpr, Var};
use smallvec::SmallVec;
use std::cell::Cell;

/// Finds a match of the heaps, if the walk finds one.
#[must_use]
pub fn entail(have: &State, want: &State, library: &ShapeLibrary) -> Option<Match> {
    walk(have, want, library, 0)
}

/// As [`entail`], for states that came from the same seeds: a seed of `want`
/// stands for the same seed of `have`.
#[must_use]
pub fn entail_with_seeds(have: &State, want: &State, library: &ShapeLibrary) -> Option<Match> {
    walk(have, want, library, want.vocabulary.n_seeds())
}

fn walk(have: &State, want: &State, library: &ShapeLibrary, n_seeds: usize) -> Option<Match> {
    if have.stores.len() != want.stores.len()
        || (have.junk != Junk::None && want.junk == Junk::None)
    {
        return None;
    }
    if have.heap.atoms.len() < want.heap.atoms.len() {
        return None;
    }
    let goals = Cell::new(MOST_GOALS);
    let mut walk = Walk::new(have, want, library, &goals);
    for (index, value) in walk.binding.iter_mut().enumerate().take(n_seeds) {
        *value = Some(Var::at(index).into());
    }
    walk.stores()?;
    walk.atoms()?;
    walk.finish()
}

/// The state of the walk.
#[derive(Clone)]
struct Walk<'a> {
    have: &'a State,
    want: &'a State,
    shape_library: &'a ShapeLibrary,
    binding: Vec<Option<LinearExpr>>,
    n_free: usize,
    used: SmallVec<[Use; 16]>,
    proofs: Vec<Option<Proof>>,
    /// Pairs that mention several unbound variables.
    deferred: Vec<(LinearExpr, LinearExpr)>,
    /// How many goals may still be proved.
    goals: &'a Cell<usize>,
}

/// Whether an atom of `have` was used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Free,
    Used,
}

impl<'a> Walk<'a> {
    fn new(
        have: &'a State,
        want: &'a State,
        library: &'a ShapeLibrary,
        goals: &'a Cell<usize>,
    ) -> Self {
        Self {
            have,
            want,
            shape_library: library,
            binding: vec![None; want.vocabulary.len()],
            n_free: have.vocabulary.len(),
            used: SmallVec::from_elem(Use::Free, have.heap.atoms.len()),
            proofs: vec![None; want.heap.atoms.len()],
            deferred: Vec::new(),
            goals,
        }
    }

    /// Every program variable that `want` speaks of has the wanted value.
    fn stores(&mut self) -> Option<()> {
        for (index, store) in self.want.stores.iter().enumerate() {
            for (variable, wanted) in store {
                match self.have.value_in(index, *variable) {
                    Some(value) => self.unify(wanted, value)?,
                    None => self.unify_with_anything(wanted)?,
                }
            }
        }
        Some(())
    }

    /// Matches atoms whose address is known until none is left; atoms with
    /// known ends go first, so that a segment is not cut short.
    fn atoms(&mut self) -> Option<()> {
        loop {
            self.retry_deferred()?;
            let open: Vec<usize> =
                (0..self.proofs.len()).filter(|i| self.proofs[*i].is_none()).collect();
            if open.is_empty() {
                return Some(());
            }
            let reachable =
                |walk: &Self, i: usize| walk.anchor_value(&walk.want.heap.atoms[i]).is_some();
            let complete = |walk: &Self, i: usize| match &walk.want.heap.atoms[i] {
                Atom::Block(_) => true,
                Atom::Instance(instance) => {
                    instance.arguments.iter().all(|argument| walk.value(argument).is_some())
                }
            };
            let next = open
                .iter()
                .copied()
                .find(|i| reachable(self, *i) && complete(self, *i))
                .or_else(|| open.iter().copied().find(|i| reachable(self, *i)))?;
            self.atom(next)?;
        }
    }

    fn atom(&mut self, index: usize) -> Option<()> {
        let want = self.want;
        let proof = match &want.heap.atoms[index] {
            Atom::Block(block) => self.block(block)?,
            Atom::Instance(instance) => self.instance(instance)?,
        };
        self.proofs[index] = Some(proof);
        Some(())
    }

    fn anchor_value(&self, atom: &Atom) -> Option<LinearExpr> {
        match atom {
            Atom::Block(block) => self.binding[block.base.index()].clone(),
            Atom::Instance(instance) => instance.anchors().find_map(|(_, root)| self.value(root)),
        }
    }

    /// The value of a wanted expression, when all its variables are bound.
    fn value(&self, wanted: &LinearExpr) -> Option<LinearExpr> {
        wanted
            .variables()
            .all(|v| self.binding[v.index()].is_some())
            .then(|| wanted.map(|v| self.binding[v.index()].clone().unwrap_or_default()))
    }

    fn equal(&self, left: &LinearExpr, right: &LinearExpr) -> bool {
        left == right || self.have.surely_zero(&left.sub(right))
    }

    fn unify(&mut self, wanted: &LinearExpr, value: &LinearExpr) -> Option<()> {
        let unbound: SmallVec<[Var; 2]> =
            wanted.variables().filter(|v| self.binding[v.index()].is_none()).collect();
        match unbound.as_slice() {
            [] => {
                let known = self.value(wanted)?;
                self.equal(&known, value).then_some(())
            }
            [_] => self.solve(wanted, value),
            _ => {
                self.deferred.push((wanted.clone(), value.clone()));
                self.split_address(wanted, value)
            }
        }
    }

    /// Binds the one unbound variable of `wanted` so that it equals `value`.
    fn solve(&mut self, wanted: &LinearExpr, value: &LinearExpr) -> Option<()> {
        let (variable, solution) = self.solution(wanted, value)?;
        self.bind(variable, solution)
    }

    /// The one unbound variable of `wanted`, and what it is where that equals `value`.
    fn solution(&self, wanted: &LinearExpr, value: &LinearExpr) -> Option<(Var, LinearExpr)> {
        let mut unbound = wanted.variables().filter(|v| self.binding[v.index()].is_none());
        let (variable, None) = (unbound.next()?, unbound.next()) else { return None };
        let coefficient = wanted.coefficient(variable);
        let rest = wanted.sub(&LinearExpr::term(variable, coefficient.clone()));
        let rest = self.value(&rest)?;
        Some((variable, value.sub(&rest).div_exact(&coefficient)?))
    }

    fn bind(&mut self, variable: Var, value: LinearExpr) -> Option<()> {
        let fits = match self.want.vocabulary.kind(variable) {
            Kind::Integer => self.have.kind_of(&value) == Kind::Integer,
            // An unknown value need not be an address.
            Kind::Address => self.have.kind_of(&value) == Kind::Address,
            Kind::Unknown => true,
            Kind::Foreign => {
                value.as_var().is_some_and(|it| self.have.vocabulary.kind(it) == Kind::Foreign)
            }
            Kind::Summary => false,
        };
        fits.then(|| self.binding[variable.index()] = Some(value))
    }

    /// `address + offset` against `address' + offset'`: the addresses first.
    fn split_address(&mut self, wanted: &LinearExpr, value: &LinearExpr) -> Option<()> {
        let address_of = |state: &State, expr: &LinearExpr| {
            let mut addresses =
                expr.variables().filter(|v| state.vocabulary.kind(*v) != Kind::Integer);
            let first = addresses.next()?;
            addresses.next().is_none().then_some(first)
        };
        let Some(target) = address_of(self.want, wanted) else { return Some(()) };
        if self.binding[target.index()].is_some() || wanted.coefficient(target) != Integer::from(1)
        {
            return Some(());
        }
        let source = address_of(self.have, value)?;
        if value.coefficient(source) != Integer::from(1) {
            return None;
        }
        self.bind(target, source.into())
    }

    fn retry_deferred(&mut self) -> Option<()> {
        let deferred = std::mem::take(&mut self.deferred);
        for (wanted, value) in deferred {
            let n_unbound =
                wanted.variables().filter(|v| self.binding[v.index()].is_none()).count();
            if n_unbound > 1 {
                self.deferred.push((wanted, value));
            } else {
                self.unify(&wanted, &value)?;
            }
        }
        Some(())
    }

    /// `have` says nothing here: unbound variables may be anything.
    fn unify_with_anything(&mut self, wanted: &LinearExpr) -> Option<()> {
        let free = LinearExpr::var(Var::at(self.n_free));
        self.n_free += 1;
        let variable = wanted.as_var()?;
        match (&self.binding[variable.index()], self.want.vocabulary.kind(variable)) {
            (None, Kind::Integer | Kind::Unknown) => {
                self.binding[variable.index()] = Some(free);
                Some(())
            }
            _ => None,
        }
    }

    /// ```text
    ///   σ(b) = b'    sizes, regions agree    every wanted cell is there
    ///   ─────────────────────────────────────────────────────────────── BLOCK
    ///   Q * b' ↦ {o: v', …}  ⊢  σ(b ↦ {o: v})
    /// ```
    fn block(&mut self, wanted: &Block) -> Option<Proof> {
        let base = self.binding[wanted.base.index()].clone()?.as_var()?;
        let index = self.have.block_at(base)?;
        let Atom::Block(block) = &self.have.heap.atoms[index] else { return None };
        let content_fits =
            wanted.content == heap::Content::Arbitrary || wanted.content == block.content;
        if self.used[index] == Use::Used || block.region != wanted.region || !content_fits {
            return None;
        }
        self.used[index] = Use::Used;
        self.unify(&wanted.size, &block.size)?;
        for cell in &wanted.cells {
            match block.cell(cell.offset) {
                Some(found) if found.ty == cell.ty => self.unify(&cell.value, &found.value)?,
                Some(_) => return None,
                None => match block.content {
                    heap::Content::Arbitrary => self.unify_with_anything(&cell.value)?,
                    heap::Content::Zero if block.is_zero_at(cell) => {
                        self.unify(&cell.value, &LinearExpr::zero())?;
                    }
                    heap::Content::Zero => return None,
                },
            }
        }
        if let Some(wanted) = &wanted.floating {
            let found = block.floating.as_ref().filter(|found| found.ty == wanted.ty);
            let found = found.cloned().or_else(|| self.fixed_end(block, wanted).map(Box::new))?;
            self.unify(&wanted.offset, &found.offset)?;
            self.unify(&wanted.value, &found.value)?;
        }
        self.recent(wanted, block)?;
        self.segment(wanted, block)?;
        let owned = self.rows(wanted, block)?;
        Some(Proof::Same(index).with_owned(owned))
    }

    fn instance(&mut self, wanted: &Instance) -> Option<Proof> {
        let known: Vec<Option<LinearExpr>> =
            wanted.arguments.iter().map(|argument| self.value(argument)).collect();
        let goal = Goal { wanted, arguments: known };
        let found = self.prove(&goal)?;
        for (argument, value) in wanted.arguments.iter().zip(&found.arguments) {
            self.unify(argument, value)?;
        }
        self.unify(&wanted.depth, &found.depth)?;
        self.used = found.used;
        Some(found.proof)
    }

    /// Makes up the goal from unused atoms, starting at a known anchor.
    fn prove(&self, goal: &Goal<'_>) -> Option<Found> {
        self.goals.set(self.goals.get().checked_sub(1)?);
        let (index, _) = self.atom_at_anchor(goal)?;
        let direct = self.direct(goal, index);
        direct.or_else(|| {
            let rules = self.shape_library.get(goal.wanted.shape).rules.iter().enumerate();
            let is_useful =
                |rule: &Rule| !rule.is_lone_cell() && holds_of(rule, &goal.wanted.template);
            let mut useful = rules.filter(|(_, rule)| is_useful(rule));
            useful.find_map(|(number, rule)| self.by_rule(goal, number, rule))
        })
    }

    /// The unused atom of `have` at which an anchor of the goal points.
    fn atom_at_anchor(&self, goal: &Goal<'_>) -> Option<(usize, usize)> {
        let mask = goal.wanted.anchor_mask;
        let anchors =
            goal.arguments.iter().enumerate().filter(|(position, _)| mask & (1 << position) != 0);
        anchors.filter_map(|(position, value)| Some((position, value.as_ref()?))).find_map(
            |(position, root)| {
                let start = goal.wanted.template.start_of(root);
                let index = self.have.heap.atoms.iter().position(|atom| match atom {
                    Atom::Block(block) => LinearExpr::var(block.base) == start,
                    Atom::Instance(instance) => {
                        instance.anchors().any(|(_, own)| instance.template.start_of(own) == start)
                    }
                })?;
                (self.used[index] == Use::Free).then_some((index, position))
            },
        )
    }

    /// One atom is all of the goal.
    fn direct(&self, goal: &Goal<'_>, index: usize) -> Option<Found> {
        let mut used = self.used.clone();
        used[index] = Use::Used;
        match &self.have.heap.atoms[index] {
            Atom::Instance(instance)
                if instance.shape == goal.wanted.shape
                    && instance.template.is_within(&goal.wanted.template) =>
            {
                self.agrees(goal, &instance.arguments).then(|| Found {
                    arguments: instance.arguments.to_vec(),
                    depth: instance.depth.clone(),
                    used,
                    proof: Proof::Same(index),
                })
            }
            Atom::Instance(_) => None,
            Atom::Block(block) => {
                let shape = self.shape_library.get(goal.wanted.shape);
                let (number, arguments) = singles(self.have, block, &goal.wanted.template, shape)
                    .into_iter()
                    .find(|(_, arguments)| self.agrees(goal, arguments))?;
                let proof = Proof::Rule(number, vec![Proof::Same(index)]);
                Some(Found { arguments, depth: LinearExpr::from(1), used, proof })
            }
        }
    }

    fn agrees(&self, goal: &Goal<'_>, arguments: &[LinearExpr]) -> bool {
        goal.arguments
            .iter()
            .zip(arguments)
            .all(|(known, found)| known.as_ref().is_none_or(|known| self.equal(known, found)))
    }

    /// ```text
    ///   rule A₁ * … * Aₙ ⊢ P(ā)    have ⊢ A₁ * … * Aₙ * F
    ///   ─────────────────────────────────────────────────── RULE
    ///   have ⊢ P[k₁ + … + kₙ](ā) * F
    /// ```
    ///
    /// The first part must be one atom of `have`; so each step uses one up.
    fn by_rule(&self, goal: &Goal<'_>, number: usize, rule: &Rule) -> Option<Found> {
        if !goal.wanted.template.allows(&rule.left) {
            return None;
        }
        let equal = |a: &LinearExpr, b: &LinearExpr| self.equal(a, b);
        let mut bindings = Bindings::new(rule.n_variables);
        for (term, value) in rule.head.iter().zip(&goal.arguments) {
            if let Some(value) = value
                && !bindings.unify(*term, value, &goal.wanted.template, &equal)
            {
                return None;
            }
        }
        let mut proofs: Vec<Option<Proof>> = vec![None; rule.left.len()];
        let mut depth = LinearExpr::zero();
        // Most rules fail at their first part: until then nothing is copied.
        let mut later: Option<Self> = None;
        for round in 0..rule.left.len() {
            let walk = later.as_ref().unwrap_or(self);
            let (part, found) =
                rule.left.iter().enumerate().filter(|(part, _)| proofs[*part].is_none()).find_map(
                    |(part, pattern)| {
                        Some((
                            part,
                            walk.part(
                                goal,
                                pattern,
                                &bindings,
                                if round == 0 { Reach::OneAtom } else { Reach::Any },
                            )?,
                        ))
                    },
                )?;
            bindings = found.bindings;
            later.get_or_insert_with(|| self.clone()).used = found.used;
            depth = depth.add(&found.depth);
            proofs[part] = Some(found.proof);
        }
        let template = &goal.wanted.template;
        let arguments: Option<Vec<_>> =
            rule.head.iter().map(|term| bindings.value(*term, template)).collect();
        let arguments = arguments?;
        self.agrees(goal, &arguments).then_some(Found {
            arguments,
            depth,
            used: later.map_or_else(|| self.used.clone(), |walk| walk.used),
            proof: Proof::Rule(number, proofs.into_iter().flatten().collect()),
        })
    }

    /// One part of a rule; `None` also when no anchor of it is known yet.
    fn part(
        &self,
        goal: &Goal<'_>,
        pattern: &PatternAtom,
        bindings: &Bindings,
        reach: Reach,
    ) -> Option<FoundPart> {
        let equal = |a: &LinearExpr, b: &LinearExpr| self.equal(a, b);
        match pattern {
            PatternAtom::Cell(root, links) => {
                let template = &goal.wanted.template;
                let start = template.start_of(&bindings.value(*root, template)?);
                let index = self.have.block_at(start.as_var()?)?;
                let Atom::Block(block) = &self.have.heap.atoms[index] else { return None };
                if self.used[index] != Use::Free || !crate::pattern::fits(block, template) {
                    return None;
                }
                let mut bindings = bindings.clone();
                let cell = (self.have, block);
                let matched = unify_cell(&mut bindings, (*root, links), cell, template, &equal);
                let mut used = self.used.clone();
                used[index] = Use::Used;
                matched.then_some(FoundPart {
                    bindings,
                    depth: LinearExpr::from(1),
                    used,
                    proof: Proof::Same(index),
                })
            }
            PatternAtom::Instance(pattern) => {
                let own = &goal.wanted.template;
                let arguments =
                    pattern.arguments.iter().map(|term| bindings.value(*term, own)).collect();
                let template = goal.wanted.template.of_kin(pattern.kin)?.clone();
                let anchor_mask = self.shape_library.get(pattern.shape).anchor_mask();
                let wanted =
                    Instance { shape: pattern.shape, template, anchor_mask, ..goal.wanted.clone() };
                let inner = Goal { wanted: &wanted, arguments };
                let found = if reach == Reach::OneAtom {
                    let (index, _) = self.atom_at_anchor(&inner)?;
                    self.direct(&inner, index)?
                } else {
                    self.prove(&inner)?
                };
                let mut bindings = bindings.clone();
                for (term, value) in pattern.arguments.iter().zip(&found.arguments) {
                    if !bindings.unify(*term, value, own, &equal) {
                        return None;
                    }
                }
                let depth = match pattern.kin {
                    Kin::Family => found.depth,
                    Kin::Inner(_) => {
                        let is_zero = |it: &LinearExpr| self.have.surely_zero(it);
                        wanted.template.has_extent(&found.depth, is_zero).then(LinearExpr::zero)?
                    }
                };
                let Found { used, proof, .. } = found;
                Some(FoundPart { bindings, depth, used, proof })
            }
        }
    }

    fn finish(mut self) -> Option<Match> {
        if self.used.contains(&Use::Free) {
            return None;
        }
        self.retry_deferred()?;
        for (wanted, value) in std::mem::take(&mut self.deferred) {
            // Several unknowns in one sum: the first takes it, the rest are 0.
            let known = self.value(&wanted)?;
            self.equal(&known, &value).then_some(())?;
        }
        self.reduced_products();
        self.make_elements_up();
        let first_free = self.have.vocabulary.len();
        let mut n_free = self.n_free;
        let binding: Vec<LinearExpr> = self
            .binding
            .iter()
            .map(|value| {
                value.clone().unwrap_or_else(|| {
                    n_free += 1;
                    LinearExpr::var(Var::at(n_free - 1))
                })
            })
            .collect();
        let lost_nonzero = (0..self.want.facts.nonzero.len())
            .filter(|i| {
                let fact = self.want.facts.nonzero[*i].map(|v| binding[v.index()].clone());
                !self.have.surely_nonzero(&fact)
            })
            .collect();
        let lost_products = (0..self.want.facts.products.len())
            .filter(|i| {
                let product = &self.want.facts.products[*i];
                !self.have.surely_product(&product.map(|v| binding[v.index()].clone()))
            })
            .collect();
        let proofs: Vec<Proof> =
            std::mem::take(&mut self.proofs).into_iter().collect::<Option<_>>()?;
        let unnamed = elements::unnamed(self.have, self.want, &proofs);
        let made_up = self.want.heap.atoms.iter().zip(&proofs);
        let images = made_up.map(|(atom, proof)| match atom {
            Atom::Instance(instance) => images(self.have, instance, proof, self.shape_library),
            Atom::Block(block) => self.images_or_made_up(block, proof),
        });
        let images = images.collect();
        Some(Match { binding, first_free, proofs, lost_nonzero, lost_products, unnamed, images })
    }
}

/// How much may make up a part of a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// A single atom.
    OneAtom,
    /// Whatever rules allow.
    Any,
}

/// An instance to be made up, with its arguments as far as they are known.
struct Goal<'a> {
    wanted: &'a Instance,
    arguments: Vec<Option<LinearExpr>>,
}

/// How a goal was made up.
struct Found {
    arguments: Vec<LinearExpr>,
    depth: LinearExpr,
    used: SmallVec<[Use; 16]>,
    proof: Proof,
}

/// How a part of a rule was made up.
struct FoundPart {
    bindings: Bindings,
    depth: LinearExpr,
    used: SmallVec<[Use; 16]>,
    proof: Proof,
}
