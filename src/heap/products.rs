//! What a state knows of products: `factor · left · right = value`.
//!
//! The numeric part of a state is linear, so that it cannot say that a block has
//! `rows · columns` elements. A product says it. When another product has a factor in
//! common with it (`i · columns`), the rule of multiplication compares both
//! (`sonar::product`).

use super::state::{Kind, State};
use crate::logic::{Integer, LinearExpr, Var};
use std::collections::BTreeSet;

/// More products than this in one state, and no other one is noted.
const MAX_PRODUCTS: usize = 12;

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

    /// The product in terms of names, if there are names for what it speaks of.
    #[must_use]
    pub fn in_names(&self, names: &[Named]) -> Option<Self> {
        let (left, of_left) = by_names(&self.left, names)?;
        let (right, of_right) = by_names(&self.right, names)?;
        let (value, of_value) = by_names(&self.value, names)?;
        let factor = &self.factor * &of_value;
        let value = value.scale(&(&of_left * &of_right));
        Some(Self { factor, left, right, value })
    }
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
    whole.or_else(|| {
        let start = LinearExpr::constant(number.constant_part().clone());
        let sum = number.terms().iter().try_fold(start, |sum, (variable, factor)| {
            let (term, times) = names.iter().find_map(|(name, value)| {
                let rest = value.sub(&LinearExpr::var(*variable));
                let constant = rest.as_constant()?;
                Some((LinearExpr::var(*name).add_constant(-constant), factor))
            })?;
            Some(sum.add(&term.scale(times)))
        })?;
        Some((sum, Integer::from(1)))
    })
}

impl State {
    /// Whether a product is what it is said to be in every concrete state.
    #[must_use]
    pub fn surely_product(&self, product: &Product) -> bool {
        if product.numbers().any(|number| self.kind_of(number) != Kind::Integer) {
            return false;
        }
        self.knows_factor(product) || self.has_noted(product)
    }

    /// Whether one factor is a constant, so that the product is linear, and what it is said to be.
    fn knows_factor(&self, product: &Product) -> bool {
        let Product { factor, left, right, value } = product;
        [(left, right), (right, left)].into_iter().any(|(constant, other)| {
            self.constant_value(constant).is_some_and(|constant| {
                self.surely_zero(&other.scale(&(factor * &constant)).sub(value))
            })
        })
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
        let Product { factor, left, right, value } = product;
        self.facts.products.iter().any(|known| {
            let same = |one: &LinearExpr, other: &LinearExpr| self.surely_zero(&one.sub(other));
            let same_factors = (same(&known.left, left) && same(&known.right, right))
                || (same(&known.left, right) && same(&known.right, left));
            same_factors && same(&value.scale(&known.factor), &known.value.scale(factor))
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

    /// Forgets products of numbers that nothing else mentions.
    pub fn prune_products(&mut self) {
        let mut products = std::mem::take(&mut self.facts.products);
        if products.is_empty() {
            return;
        }
        let mut present: BTreeSet<Var> = BTreeSet::new();
        self.for_each_expr(&mut |expr| present.extend(expr.variables()));
        products.retain(|product| {
            let mut variables = product.numbers().flat_map(LinearExpr::variables);
            variables.all(|v| present.contains(&v))
        });
        products.sort();
        products.dedup();
        self.facts.products = products;
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
