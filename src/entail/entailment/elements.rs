//! Entailment of what elements of arrays hold.

use super::Walk;
use crate::images::{self, reached_end};
use heap::proof::Proof;
use heap::state::{Kind, State};
use heap::values::Image;
use heap::{Atom, Block, Cell, Content, FloatingCell};
use ir::ScalarType;
use logic::{Constraint, Integer, LinearExpr, Var};

impl Walk<'_> {
    /// What was read or written last is the same: first those whose places are known.
    pub(super) fn recent(&mut self, wanted: &Block, block: &Block) -> Option<()> {
        let mut open: Vec<&FloatingCell> = block.recent.iter().collect();
        let mut missing: Vec<&FloatingCell> = wanted.recent.iter().collect();
        while !missing.is_empty() {
            let known = missing.iter().position(|it| self.value(&it.offset).is_some());
            let wanted = missing.remove(known.unwrap_or(0));
            let position = open.iter().position(|found| self.may_be(wanted, found))?;
            let found = open.remove(position);
            self.unify(&wanted.offset, &found.offset)?;
            self.unify(&wanted.value, &found.value)?;
        }
        Some(())
    }

    /// Whether a wanted scalar may be one that was found, as far as it is known.
    fn may_be(&self, wanted: &FloatingCell, found: &FloatingCell) -> bool {
        let offset = self.value(&wanted.offset);
        let is_there = offset.is_none_or(|offset| self.equal(&offset, &found.offset));
        let is_null = (wanted.value.is_zero(), found.value.is_zero());
        found.ty == wanted.ty
            && is_there
            && match self.value(&wanted.value) {
                Some(value) => self.equal(&value, &found.value),
                // Null is no address that is still to be found.
                None => wanted.ty != ScalarType::Pointer || is_null.0 == is_null.1,
            }
    }

    /// ```text
    ///   σ(end) = end'    all elements of one segment are elements of the other
    ///   ────────────────────────────────────────────────────────────────────── SEGMENT
    ///   b' ↦ { …; v' in first ≤ i < end' }  ⊢  σ(b ↦ { v in first ≤ i < end })
    /// ```
    pub(super) fn segment(&mut self, wanted: &Block, block: &Block) -> Option<()> {
        let is_none = |it: &Block| it.segment.as_ref().is_none_or(|segment| segment.is_empty());
        let keeps_zeros = wanted.content == Content::Arbitrary;
        if is_none(wanted) {
            // What is zero there must be zero here.
            let is_plain = keeps_zeros
                || (is_none(block) && images::others_are_zero(self.have, block, wanted, None));
            return is_plain.then_some(());
        }
        let segment = wanted.segment.as_ref()?;
        let end = reached_end((self.have, block), (self.want, wanted))?;
        self.unify(&segment.end, &end)?;
        (keeps_zeros || images::others_are_zero(self.have, block, wanted, Some(&end))).then_some(())
    }

    /// A zero among the cells of a block, as if it floated: the last one, unless the wanted state
    /// says more of another one.
    pub(super) fn fixed_end(&self, block: &Block, wanted: &FloatingCell) -> Option<FloatingCell> {
        let is_end = |cell: &&Cell| cell.ty == wanted.ty && self.have.surely_zero(&cell.value);
        let ends: Vec<&Cell> = block.cells.iter().rev().filter(is_end).collect();
        let behind = block.text_end().filter(|it| ends.is_empty() && is_end(&it));
        let ends: Vec<&Cell> = ends.into_iter().chain(&behind).collect();
        let offset = |cell: &&Cell| LinearExpr::from(cell.offset);
        let best = self.fitting(&wanted.offset, ends.iter().map(offset).collect())?;
        let end = ends.into_iter().find(|cell| offset(cell) == best)?;
        Some(FloatingCell { offset: best, ty: wanted.ty, value: end.value.clone() })
    }

    /// Which of some values a wanted one is: where it is not known yet, the first one of which
    /// most is true that the wanted state says of it.
    fn fitting(&self, wanted: &LinearExpr, values: Vec<LinearExpr>) -> Option<LinearExpr> {
        if values.len() <= 1 {
            return values.into_iter().next();
        }
        if let Some(known) = self.value(wanted) {
            return values.into_iter().find(|value| self.equal(&known, value));
        }
        let n_true = |value: &LinearExpr| {
            let Some((variable, solution)) = self.solution(wanted, value) else { return 0 };
            let all = self.want.facts.numbers.constraints().iter();
            let about = all.filter(|it| it.mentions(variable));
            about.filter(|it| self.is_true_of(it, variable, &solution)).count()
        };
        // Of several the last one in this order is found.
        values.into_iter().rev().max_by_key(n_true)
    }

    /// Whether a wanted constraint holds where a variable has a value, as far as the others are
    /// known.
    fn is_true_of(&self, constraint: &Constraint, variable: Var, value: &LinearExpr) -> bool {
        let image = |v: Var| match &self.binding[v.index()] {
            None if v == variable => Some(value.clone()),
            known => known.clone(),
        };
        constraint.expr().variables().all(|v| image(v).is_some())
            && self.have.facts.numbers.entails(&constraint.map(|v| image(v).unwrap_or_default()))
    }

    /// What the dimensions of a wanted segment are at its elements, as far as there are any.
    fn images_of_elements(&self, wanted: &Block, proof: Option<&Proof>) -> Vec<Image> {
        let Some(index) = proof.and_then(Proof::block) else { return Vec::new() };
        let Some(Atom::Block(block)) = self.have.heap.atoms.get(index) else {
            return Vec::new();
        };
        let end = wanted.segment.as_ref().and_then(|it| self.value(&it.end));
        end.map_or_else(Vec::new, |end| images::images((self.have, block), wanted, &end))
    }

    /// The same; where no element is left, what is said of elements is said of one that is made
    /// up.
    pub(super) fn images_or_made_up(&self, wanted: &Block, proof: &Proof) -> Vec<Image> {
        let found = self.images_of_elements(wanted, Some(proof));
        match &wanted.segment {
            Some(segment) if found.is_empty() && !segment.values.is_empty() => {
                let values = segment.values.variables();
                let values = values.filter_map(|v| Some((v, self.binding[v.index()].clone()?)));
                vec![Image { values: values.collect(), range: None }]
            }
            _ => found,
        }
    }

    /// Makes elements up where none is left, so that they are as the wanted state says.
    pub(super) fn make_elements_up(&mut self) {
        let mut open: Vec<Var> = Vec::new();
        for (atom, proof) in self.want.heap.atoms.iter().zip(&self.proofs) {
            let Atom::Block(block) = atom else { continue };
            let Some(segment) = &block.segment else { continue };
            if !segment.values.is_empty()
                && self.images_of_elements(block, proof.as_ref()).is_empty()
            {
                open.extend(segment.values.variables());
            }
        }
        if open.is_empty() {
            return;
        }
        // Variables of the given state stand behind those of the wanted one.
        let shift = u32::try_from(self.want.vocabulary.len()).unwrap_or(u32::MAX);
        let given = |v: Var| LinearExpr::var(Var(v.0 + shift));
        let mut numbers = self.want.facts.numbers.clone();
        numbers.assume_all(self.have.facts.numbers.map(given).constraints().iter().cloned());
        for variable in self.want.vocabulary.of_kind(Kind::Integer) {
            if let Some(value) = &self.binding[variable.index()] {
                numbers.assume(Constraint::eq(variable, value.map(given)));
            }
        }
        for variable in open {
            let (least, greatest) = numbers.bounds(&variable.into());
            let value = least.or(greatest).unwrap_or(Integer::ZERO);
            numbers.assume(Constraint::eq(variable, LinearExpr::constant(value.clone())));
            self.binding[variable.index()] = Some(LinearExpr::constant(value));
        }
    }
}

/// Numbers that one state knows of bytes of which the other says nothing, though it could: the
/// atom, the offset and the type.
pub(super) fn unnamed(
    have: &State,
    want: &State,
    proofs: &[Proof],
) -> Vec<(usize, i64, ScalarType)> {
    let mut found = Vec::new();
    for (index, (atom, proof)) in want.heap.atoms.iter().zip(proofs).enumerate() {
        let (Atom::Block(wanted), Some(same)) = (atom, proof.block()) else { continue };
        let Some(Atom::Block(block)) = have.heap.atoms.get(same) else { continue };
        if wanted.content == Content::Zero {
            continue;
        }
        let is_new = |cell: &&Cell| {
            matches!(cell.ty, ScalarType::Int(_))
                && wanted.cells.iter().all(|known| !known.overlaps(cell))
                && [wanted, block].iter().all(|it| {
                    it.segment
                        .as_ref()
                        .is_none_or(|segment| cell.offset < segment.first * segment.stride)
                })
        };
        found.extend(block.cells.iter().filter(is_new).map(|cell| (index, cell.offset, cell.ty)));
    }
    found
}
