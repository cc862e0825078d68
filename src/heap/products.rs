//! What a state knows of products: `factor · left · right = value`.
//!
//! The numeric part of a state is linear, so that it cannot say that a block has
//! `rows · columns` elements. A product says it. When another product has a factor in
//! common with it (`i · columns`), the rule of multiplication compares both
//! (`rules::product`).
//!
//! A product that may be too large for its type is *reduced*: it is congruent to the value
//! that the type has of it. Two reductions of one product are equal. What the product is
//! without it, nobody may know, so that the note is all that says so:
//!
//! ```text
//!   block of 4 * (rows * columns as i32) bytes     i32(rows·columns) = n    a block of 4 n bytes
//!   for (i = 0; i < rows * columns; i++)           i32(rows·columns) = n    i < n
//! ```

use super::facts::Sat;
use super::state::{Kind, State};
use ir::IntKind;
use logic::{Integer, LinearExpr, Var};
use std::collections::BTreeSet;

/// More products than this in one state, and no other one is noted.
const MAX_PRODUCTS: usize = 12;

/// Reductions to types of more bits are not noted.
pub const MOST_BITS: u8 = 64;

/// `factor · left · right = value`, over variables of kind [`Kind::Integer`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Product {
    /// A constant that is not 0. It is 8 where `value` are the bytes of as many doubles.
    pub factor: Integer,
    /// One of the factors.
    pub left: LinearExpr,
    /// The other one.
    pub right: LinearExpr,
    /// What the product is.
    pub value: LinearExpr,
    /// The type that the product is reduced to, of [`MOST_BITS`] at most. Without one, the
    /// value is the product itself.
    pub range: Option<IntKind>,
}

/// A name, and the number that it stands for.
pub type Named = (Var, LinearExpr);

impl Product {
    /// The three numbers that it speaks of.
    pub fn numbers(&self) -> impl Iterator<Item = &LinearExpr> {
        [&self.left, &self.right, &self.value].into_iter()
    }

    /// The same, to be changed.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut LinearExpr> {
        [&mut self.left, &mut self.right, &mut self.value].into_iter()
    }

    /// The product of other numbers.
    #[must_use]
    pub fn map(&self, image: impl Fn(Var) -> LinearExpr) -> Self {
        let mut mapped = self.clone();
        mapped.numbers_mut().for_each(|number| *number = number.map(&image));
        mapped
    }

    /// What the value is where both factors are known.
    #[must_use]
    pub fn value_of(&self, left: &Integer, right: &Integer) -> Option<Integer> {
        let product = &(&self.factor * left) * right;
        match self.range {
            None => Some(product),
            Some(kind) => reduced(kind, &product),
        }
    }

    /// The value in terms of the factors, where that is linear.
    fn linear_value(&self) -> Option<LinearExpr> {
        let (left, right) = (self.left.as_constant(), self.right.as_constant());
        match (self.range, left, right) {
            (_, Some(left), Some(right)) => self.value_of(left, right).map(LinearExpr::constant),
            (None, Some(left), None) => Some(self.right.scale(&(&self.factor * left))),
            (None, None, Some(right)) => Some(self.left.scale(&(&self.factor * right))),
            (Some(_), _, _) | (None, None, None) => None,
        }
    }

    /// The product in terms of names, if there are names for what it speaks of.
    #[must_use]
    pub fn in_names(&self, names: &[Named]) -> Option<Self> {
        if self.range.is_some() {
            // A multiple of the product has another reduction.
            let [left, right, value] =
                [&self.left, &self.right, &self.value].map(|it| term_by_term(it, names));
            return Some(Self { left: left?, right: right?, value: value?, ..self.clone() });
        }
        let (left, of_left) = by_names(&self.left, names)?;
        let (right, of_right) = by_names(&self.right, names)?;
        let (value, of_value) = by_names(&self.value, names)?;
        let factor = &self.factor * &of_value;
        let value = value.scale(&(&of_left * &of_right));
        Some(Self { factor, left, right, value, range: None })
    }
}

/// The number of a type that is congruent to a number.
#[must_use]
pub fn reduced(kind: IntKind, number: &Integer) -> Option<Integer> {
    let modulus = Integer::from(kind.modulus()?);
    let rest = number - &(&number.div_floor(&modulus) * &modulus);
    Some(Integer::from(kind.wrap(rest.to_i128()?)))
}

/// A multiple of a number in terms of names, and how many times as much it is.
fn by_names(number: &LinearExpr, names: &[Named]) -> Option<(LinearExpr, Integer)> {
    let Some((first, factor)) = number.terms().first() else {
        return Some((number.clone(), Integer::from(1)));
    };
    let whole = names.iter().find_map(|(name, value)| {
        let first = value.coefficient_ref(*first).filter(|it| factor.divides(it))?;
        let times = first.div_exact(factor);
        let rest = value.sub(&number.scale(&times));
        let constant = rest.as_constant()?;
        Some((LinearExpr::var(*name).add_constant(-constant), times))
    });
    whole.or_else(|| Some((term_by_term(number, names)?, Integer::from(1))))
}

/// A number where each variable has a name.
fn term_by_term(number: &LinearExpr, names: &[Named]) -> Option<LinearExpr> {
    let start = LinearExpr::constant(number.constant_part().clone());
    number.terms().iter().try_fold(start, |sum, (variable, factor)| {
        let term = names.iter().find_map(|(name, value)| {
            let rest = value.sub(&LinearExpr::var(*variable));
            let constant = rest.as_constant()?;
            Some(LinearExpr::var(*name).add_constant(-constant))
        })?;
        Some(sum.add_scaled(&term, factor))
    })
}

impl State {
    /// Whether a product is what it is said to be in every concrete state.
    ///
    /// ```text
    ///   f·x·y = v    min ≤ v ≤ max
    ///   ──────────────────────────
    ///        wrap(f·x·y) = v
    /// ```
    #[must_use]
    pub fn surely_product(&self, product: &Product) -> bool {
        let Product { factor, left, right, value, range } = product;
        if product.numbers().any(|number| self.kind_of(number) != Kind::Integer) {
            return false;
        }
        let known = match range {
            None => self.linear_product(factor, left, right),
            Some(kind) => self.fitting_product(*kind, (factor, left, right)),
        };
        known.is_some_and(|it| self.surely_zero(&it.sub(value))) || self.has_noted(product)
    }

    /// What the reduction of `factor · left · right` to a type is, if the state knows it.
    #[must_use]
    pub fn reduction(
        &self,
        kind: IntKind,
        (factor, left, right): (&Integer, &LinearExpr, &LinearExpr),
    ) -> Option<LinearExpr> {
        let mut known = self.facts.products.iter().filter(|it| it.range == Some(kind));
        let noted = known.find(|it| it.factor == *factor && self.has_factors(it, left, right));
        noted
            .map(|it| it.value.clone())
            .or_else(|| self.fitting_product(kind, (factor, left, right)))
    }

    /// The product, if it is known and has a value of the type.
    fn fitting_product(
        &self,
        kind: IntKind,
        (factor, left, right): (&Integer, &LinearExpr, &LinearExpr),
    ) -> Option<LinearExpr> {
        let noted = self.facts.products.iter().filter(|it| it.range.is_none()).find_map(|it| {
            let times = it.factor.divides(factor).then(|| factor.div_exact(&it.factor))?;
            self.has_factors(it, left, right).then(|| it.value.scale(&times))
        });
        let product = noted.or_else(|| self.linear_product(factor, left, right))?;
        self.surely_fits(kind, &product).then_some(product)
    }

    /// Whether a number is of the range of a type.
    fn surely_fits(&self, kind: IntKind, number: &LinearExpr) -> bool {
        let above = number.add_constant(Integer::from(-kind.max()));
        let below = number.neg().add_constant(Integer::from(kind.min()));
        self.kind_of(number) == Kind::Integer
            && self.surely_at_most_zero(&above)
            && self.surely_at_most_zero(&below)
    }

    /// The product of numbers of which one is a constant.
    fn linear_product(
        &self,
        factor: &Integer,
        left: &LinearExpr,
        right: &LinearExpr,
    ) -> Option<LinearExpr> {
        [(left, right), (right, left)].into_iter().find_map(|(constant, other)| {
            self.constant_value(constant).map(|constant| other.scale(&(factor * &constant)))
        })
    }

    /// Whether a product has these factors, in one order or the other.
    fn has_factors(&self, known: &Product, left: &LinearExpr, right: &LinearExpr) -> bool {
        let same = |one: &LinearExpr, other: &LinearExpr| self.surely_zero(&one.sub(other));
        (same(&known.left, left) && same(&known.right, right))
            || (same(&known.left, right) && same(&known.right, left))
    }

    /// The only value that a number can have.
    #[must_use]
    pub fn constant_value(&self, number: &LinearExpr) -> Option<Integer> {
        if let Some(constant) = number.as_constant() {
            return Some(constant.clone());
        }
        let (low, high) = self.facts.numbers.bounds(number);
        low.filter(|low| high.as_ref() == Some(low))
    }

    /// Whether the state has noted the product, of numbers that are equal to these.
    pub(super) fn has_noted(&self, product: &Product) -> bool {
        let Product { factor, left, right, value, range } = product;
        self.facts.products.iter().any(|known| {
            let same = |one: &LinearExpr, other: &LinearExpr| self.surely_zero(&one.sub(other));
            let has_value = || match range {
                None => same(&value.scale(&known.factor), &known.value.scale(factor)),
                Some(_) => known.factor == *factor && same(value, &known.value),
            };
            known.range == *range && self.has_factors(known, left, right) && has_value()
        })
    }

    /// Notes a product of two numbers, unless there are many.
    pub fn note_product(&mut self, product: Product) {
        if self.facts.products.len() >= MAX_PRODUCTS {
            self.prune_products();
        }
        if self.facts.products.len() < MAX_PRODUCTS && !self.facts.products.contains(&product) {
            self.facts.products.push(product);
        }
    }

    /// Forgets products of numbers that nothing else mentions. A reduced product stays while
    /// its factors are there: as long as they are, it may be formed again.
    pub fn prune_products(&mut self) {
        let mut products = std::mem::take(&mut self.facts.products);
        if products.is_empty() {
            return;
        }
        let mut present: BTreeSet<Var> = BTreeSet::new();
        self.for_each_expr(&mut |expr| present.extend(expr.variables()));
        let is_in =
            |present: &BTreeSet<Var>, it: &LinearExpr| it.variables().all(|v| present.contains(&v));
        // A factor may be a reduced product itself.
        for _ in 0..products.len() {
            for it in products.iter().filter(|it| it.range.is_some()) {
                if is_in(&present, &it.left) && is_in(&present, &it.right) {
                    present.extend(it.value.variables());
                }
            }
        }
        products.retain(|it| it.numbers().all(|number| is_in(&present, number)));
        products.sort();
        products.dedup();
        self.facts.products = products;
    }

    /// A product whose factor has turned out to be a constant is linear, so the numbers say
    /// what it is, and no note has to.
    ///
    /// ```text
    ///   f·c·y = v      wrap(f·c·d) = w    wrap(f·c·d) = e
    ///   ─────────      ──────────────────────────────────
    ///   v = f·c·y                     w = e
    /// ```
    pub(super) fn settle_products(&mut self) -> Sat {
        let mut products = self.facts.products.iter().enumerate();
        let linear = |(at, it): (usize, &Product)| Some((at, it.linear_value()?));
        let Some((at, known)) = products.find_map(linear) else { return Sat::Maybe };
        let product = self.facts.products.remove(at);
        match self.assume_zero(&product.value.sub(&known)) {
            Sat::Empty => Sat::Empty,
            Sat::Maybe => self.settle_products(),
        }
    }

    /// Forgets products of what is no number any more.
    pub(super) fn forget_strange_products(&mut self) {
        let mut products = std::mem::take(&mut self.facts.products);
        products.retain(|it| it.numbers().all(|number| self.kind_of(number) == Kind::Integer));
        self.facts.products = products;
    }

    /// Forgets the products with these positions.
    pub fn forget_products(&mut self, lost: &[usize]) {
        let mut index = 0;
        self.facts.products.retain(|_| {
            index += 1;
            !lost.contains(&(index - 1))
        });
    }
}

#[cfg(test)]
#[path = "products_tests.rs"]
mod tests;
