//! What an entailment finds: a match of two states' heaps, and
//! how it carries numbers over.

use super::fold_precision::FoldPrecision;
use super::products::Named;
use super::proof::Proof;
use super::row::Row;
use super::segment::loses_elements;
use super::shape::ShapeLibrary;
use super::state::{Kind, State};
use super::values::{Image, loses};
use super::{Atom, Block};
use ir::ScalarType;
use logic::{Constraint, LinearExpr, Var};
use numeric::polyhedron::Polyhedron;
use std::collections::BTreeSet;

/// How the heap of `have` is one that `want` describes.
#[derive(Clone, Debug)]
pub struct Match {
    /// What each variable of `want` stands for, over the variables of `have`
    /// and, from [`Self::first_free`] on, arbitrary values.
    pub binding: Vec<LinearExpr>,
    /// Variables from here on stand for values that `have` says nothing of.
    pub first_free: usize,
    /// For each atom of `want`, how it is made up.
    pub proofs: Vec<Proof>,
    /// The disequalities of `want` that `have` does not imply.
    pub lost_nonzero: Vec<usize>,
    /// The products of `want` that `have` does not know of.
    pub lost_products: Vec<usize>,
    /// Numbers that `have` knows of bytes of which `want` says nothing, though
    /// it could: the atom of `want`, the offset and the type.
    pub unnamed: Vec<(usize, i64, ScalarType)>,
    /// For each atom of `want`, what its summarized dimensions stand for.
    pub images: Vec<Vec<Image>>,
}

/// So many ways to choose a node of each instance are gone through one by one.
const MAX_CHOICES: usize = 64;

impl Match {
    /// Whether all is implied that `want` says beside its linear numbers.
    #[must_use]
    pub fn keeps_facts(&self) -> bool {
        self.lost_nonzero.is_empty() && self.lost_products.is_empty()
    }

    /// Makes `want` forget what `have` does not imply, beside its linear numbers.
    pub fn weaken(&self, want: &mut State) {
        let mut index = 0;
        want.facts.nonzero.retain(|_| {
            index += 1;
            !self.lost_nonzero.contains(&(index - 1))
        });
        want.forget_products(&self.lost_products);
    }

    /// Makes `want` note the products of `have` that it implies without having noted them.
    ///
    /// Where a table has 8 · 8 elements, none is noted: the product is a constant. It is noted
    /// where the table has n · n of them. This is what both have in common.
    ///
    /// ```text
    ///   have:  n·n = size     want:  m = 8, size' = 64     σ(m) = n, σ(size') = size
    ///   ─────────────────────────────────────────────────────────────────────────────
    ///   want:  m·m = size'
    /// ```
    pub fn note_common_products(&self, have: &State, want: &mut State) {
        if have.facts.products.is_empty() {
            return;
        }
        let numbers = want.vocabulary.of_kind(Kind::Integer);
        let named = numbers.map(|variable| (variable, self.binding[variable.index()].clone()));
        let names: Vec<Named> = named.filter(|(_, value)| !self.is_free(value)).collect();
        for product in &have.facts.products {
            if let Some(common) = product.in_names(&names)
                && !want.has_noted(&common)
                && want.surely_product(&common)
            {
                want.note_product(common);
            }
        }
    }

    /// Whether a bound value is an arbitrary one, of which nothing is known.
    fn is_free(&self, value: &LinearExpr) -> bool {
        value.as_var().is_some_and(|variable| variable.index() >= self.first_free)
    }

    /// Whether the numbers of `have` are among those of `want`.
    #[must_use]
    pub fn is_covered(&self, have: &State, want: &State) -> bool {
        if self.summarized().next().is_none() {
            return self.implies_numbers(have, want);
        }
        let (known, frame) = self.lifted(have, want);
        let n_choices = self.summarized().map(Vec::len).try_fold(1, usize::checked_mul);
        if n_choices.is_none_or(|n| n > MAX_CHOICES) {
            return self.numbers(have, want).leq(&want.facts.numbers);
        }
        let mut sides = vec![known];
        for images in self.summarized() {
            let with = |side: &Polyhedron, image: &Image| {
                let mut side = side.clone();
                side.assume_all(frame.constraints(image));
                side
            };
            sides = sides
                .iter()
                .flat_map(|side| images.iter().map(|image| with(side, image)))
                .collect();
        }
        sides.iter().all(|side| side.leq(&want.facts.numbers))
    }

    /// Whether `numbers(have) ⟹ numbers(want)[w₁ := σ(w₁), …]`, where nothing is summarized.
    fn implies_numbers(&self, have: &State, want: &State) -> bool {
        let all = want.facts.numbers.constraints();
        all.iter().all(self.implied(have, want)) || have.facts.numbers.is_empty()
    }

    /// What is left of the numbers of `want` if each constraint goes that those of `have` do not
    /// imply. `None` if none does: then this says nothing new, as where dimensions are summarized.
    ///
    /// A join of the numbers may keep more, so much that it is no cover: it rounds the bounds of
    /// integers when it projects [`Self::numbers`], and entailment does not.
    #[must_use]
    pub fn implied_numbers(&self, have: &State, want: &State) -> Option<Polyhedron> {
        if self.summarized().next().is_some() {
            return None;
        }
        let all = want.facts.numbers.constraints();
        let implied: Vec<Constraint> =
            all.iter().filter(|it| self.implied(have, want)(it)).cloned().collect();
        (implied.len() < all.len()).then(|| Polyhedron::of(implied))
    }

    /// Which constraints of `want` the numbers of `have` imply.
    fn implied(&self, have: &State, want: &State) -> impl Fn(&Constraint) -> bool {
        // Where a value of `want` may be anything, it is no variable of `have`.
        let frame = Frame { shift: u32::MAX / 2 };
        move |constraint| {
            let image = |variable: Var| {
                let value = &self.binding[variable.index()];
                let is_number = want.vocabulary.kind(variable) == Kind::Integer;
                let is_bound = is_number && !self.is_free(value);
                if is_bound { value.clone() } else { frame.given(variable) }
            };
            have.facts.numbers.entails(&constraint.map(image))
        }
    }

    /// The numbers of `have`, said of the variables of `want`:
    /// `∃ have. numbers(have) ∧ w₁ = σ(w₁) ∧ …`, joined over the images of
    /// summarized dimensions.
    #[must_use]
    pub fn numbers(&self, have: &State, want: &State) -> Polyhedron {
        let (mut numbers, frame) = self.lifted(have, want);
        let summarized: Vec<&Vec<Image>> = self.summarized().collect();
        for (position, images) in summarized.iter().enumerate() {
            let later = summarized[position + 1..].iter().flat_map(|images| images.iter());
            let later: BTreeSet<Var> = later
                .flat_map(|image| frame.constraints(image))
                .flat_map(|constraint| constraint.expr().variables().collect::<Vec<_>>())
                .collect();
            let side = |image: &Image| {
                let mut side = numbers.clone();
                side.assume_all(frame.constraints(image));
                side.project_onto(&|v| frame.is_own(v) || later.contains(&v))
            };
            let joined = images.iter().map(side).reduce(|left, right| left.join(&right));
            numbers = joined.unwrap_or(numbers);
        }
        numbers.project_onto(&|v| frame.is_own(v))
    }

    /// Whether what some node holds is known exactly in `have`, or by bounds if these are to be
    /// kept, and is not in `want`.
    #[must_use]
    pub fn loses(
        &self,
        (have, want): (&State, &State),
        library: &ShapeLibrary,
        care: FoldPrecision,
    ) -> bool {
        care.is_for_values()
            && want.heap.atoms.iter().zip(&self.proofs).any(|(atom, proof)| match atom {
                Atom::Instance(instance) => loses((have, want), instance, proof, library, care),
                Atom::Block(block) => {
                    (block.floating.is_none() && floats_zero(have, proof))
                        || loses_elements_of((have, want), block, proof)
                }
            })
    }

    /// Whether an element of an array is named in `have`, with what it owns, and not in `want`; or
    /// elements are null in a row of `have`, and `want` says nothing of them.
    #[must_use]
    pub fn drops_elements(&self, have: &State, want: &State) -> bool {
        want.heap.atoms.iter().zip(&self.proofs).any(|(atom, proof)| {
            let Atom::Block(wanted) = atom else { return false };
            match proof.block().and_then(|index| have.heap.atoms.get(index)) {
                Some(Atom::Block(block)) => {
                    let is_dropped =
                        |row: &Row| !wanted.rows.iter().any(|known| known.is_like(row));
                    wanted.n_named_elements() < block.n_named_elements()
                        || block.rows.iter().any(is_dropped)
                }
                Some(Atom::Instance(_)) | None => false,
            }
        })
    }

    /// The images of atoms with summarized dimensions.
    fn summarized(&self) -> impl Iterator<Item = &Vec<Image>> {
        self.images.iter().filter(|images| !images.is_empty())
    }

    /// `numbers(have) ∧ w₁ = σ(w₁) ∧ …`.
    fn lifted(&self, have: &State, want: &State) -> (Polyhedron, Frame) {
        let frame = Frame { shift: u32::try_from(want.vocabulary.len()).unwrap_or(u32::MAX) };
        let mut numbers = have.facts.numbers.map(|v| frame.given(v));
        for variable in want.vocabulary.of_kind(Kind::Integer) {
            let value = &self.binding[variable.index()];
            if !self.is_free(value) {
                numbers.assume(Constraint::eq(variable, value.map(|v| frame.given(v))));
            }
        }
        (numbers, frame)
    }
}

/// Two states in one polyhedron: the variables of `want` as they are, those of
/// `have` moved up.
#[derive(Clone, Copy)]
struct Frame {
    shift: u32,
}

impl Frame {
    fn is_own(self, variable: Var) -> bool {
        variable.0 < self.shift
    }

    fn given(self, variable: Var) -> LinearExpr {
        Var(variable.0 + self.shift).into()
    }

    fn constraints(self, image: &Image) -> Vec<Constraint> {
        image.constraints(&|v| v.into(), &|v| self.given(v))
    }
}

fn loses_elements_of((have, want): (&State, &State), wanted: &Block, proof: &Proof) -> bool {
    let Some(index) = proof.block() else { return false };
    match have.heap.atoms.get(index) {
        Some(Atom::Block(block)) => loses_elements((have, block), (want, wanted)),
        Some(Atom::Instance(_)) | None => false,
    }
}

/// Whether a zero floats in the block: the end of a string, perhaps.
fn floats_zero(state: &State, proof: &Proof) -> bool {
    let Some(index) = proof.block() else { return false };
    match state.heap.atoms.get(index) {
        Some(Atom::Block(block)) => {
            block.floating.as_ref().is_some_and(|floating| state.surely_zero(&floating.value))
        }
        Some(Atom::Instance(_)) | None => false,
    }
}
