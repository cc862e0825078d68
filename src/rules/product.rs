//! Products of two unknown integers: linear facts about them.
//!
//! With bounds `l <= x <= u` and `m <= y <= v`, as far as there are any, no product
//! of two of the differences `x - l`, `u - x`, `y - m`, `v - y` of different numbers
//! is negative; multiplied out, that is linear in `x`, `y` and `x*y` (McCormick,
//! Mathematical Programming 1976). A square is at least the number and its opposite.
//!
//! The state remembers products ([`heap::products`]). Two of them with a common
//! factor have a difference that is a product again: `rows*columns - i*columns` is
//! `(rows - i)*columns`, which is at least `columns` where `i < rows`.
//!
//! It remembers, too, what a product is worth in a type that it may be too large for.

use super::arbitrary::{any_between, any_integer, bounds};
use super::eval::{Context, Split, Splitting};
use heap::products::{MOST_BITS, Product};
use heap::state::{Kind, State};
use ir::IntKind;
use logic::{Constraint, Integer, LinearExpr, Var};

/// Bounds beyond this are not used.
const FAR: i64 = 1 << 40;

/// The value of `left * right`, and what is known of it.
pub(super) fn multiply(state: &mut State, left: &LinearExpr, right: &LinearExpr) -> LinearExpr {
    let is_number = |value: &LinearExpr| state.kind_of(value) == Kind::Integer;
    let are_numbers = is_number(left) && is_number(right);
    for (value, factor) in [(left, right), (right, left)] {
        match factor.as_constant() {
            Some(factor) if are_numbers || factor.is_zero() || factor.is_one() => {
                return value.scale(factor);
            }
            _ => {}
        }
    }
    if !are_numbers {
        return any_integer(state);
    }
    let ((left, of_left), (right, of_right)) = (primitive(left), primitive(right));
    unknown_product(state, &left, &right).scale(&(&of_left * &of_right))
}

/// A number that no constant divides, and the constant by which it was divided.
fn primitive(value: &LinearExpr) -> (LinearExpr, Integer) {
    let content = value.content().gcd(value.constant_part());
    match value.div_exact(&content) {
        Some(rest) if !content.is_zero() => (rest, content),
        _ => (value.clone(), Integer::from(1)),
    }
}

/// The same, where no factor is a constant or a multiple of something.
fn unknown_product(state: &mut State, left: &LinearExpr, right: &LinearExpr) -> LinearExpr {
    let is_same = |it: &&Product| {
        let [of_left, of_right] = [&it.left, &it.right];
        it.range.is_none()
            && it.factor.is_one()
            && ((of_left, of_right) == (left, right) || (of_right, of_left) == (left, right))
    };
    if let Some(known) = state.facts.products.iter().find(is_same).cloned() {
        bound(state, &known);
        return known.value;
    }
    let value = any_integer(state);
    if left == right {
        for least in [left.clone(), left.neg()] {
            let _ = state.assume_constraint(Constraint::ge(&value, least));
        }
    }
    let (left, right) = (left.clone(), right.clone());
    let factor = Integer::from(1);
    let product = Product { factor, left, right, value: value.clone(), range: None };
    bound(state, &product);
    for known in state.facts.products.clone().iter().filter(|it| it.range.is_none()) {
        for difference in differences(state, known, &product) {
            bound(state, &difference);
        }
    }
    state.note_product(product);
    value
}

impl Context<'_> {
    /// ```text
    ///   f·x·y = v    wrap(f·x·y) = w              f·x·y = v
    ///   ────────────────────────────   ─────────────────────────────────
    ///            wrap(v) = w           wrap(v) = w for a new w, as noted
    /// ```
    ///
    /// A sum is congruent to one in which a product is reduced.
    pub(super) fn reduced_sum(
        &mut self,
        state: &mut State,
        kind: IntKind,
        value: &LinearExpr,
    ) -> Result<Option<LinearExpr>, Split> {
        let Some((product, rest)) = self.summand(state, kind, value) else { return Ok(None) };
        let before: Vec<Var> = product.value.variables().collect();
        let Some(reduced) = self.reduced_product(state, kind, product) else { return Ok(None) };
        let sum = reduced.add(&rest);
        match rest.is_zero() {
            true => Ok(Some(reduced)),
            false if before.iter().any(|it| sum.mentions(*it)) => Ok(None),
            false => self.wrap(state, kind, &sum).map(Some),
        }
    }

    /// A multiple of a product in a sum, and the rest.
    fn summand(
        &self,
        state: &State,
        kind: IntKind,
        value: &LinearExpr,
    ) -> Option<(Product, LinearExpr)> {
        let exact = state.facts.products.iter().filter(|it| it.range.is_none());
        exact.filter(|_| kind.bits <= MOST_BITS).find_map(|known| {
            let variable = known.value.as_var()?;
            let times = value.coefficient_ref(variable)?;
            let multiple = LinearExpr::term(variable, times.clone());
            let rest = value.sub(&multiple);
            let factor = &known.factor * times;
            let product = Product { factor, value: multiple, ..known.clone() };
            (rest.is_zero() || self.is_new(&product.value)).then_some((product, rest))
        })
    }

    /// The reduction of a product, unless it is better told apart by whether the product fits:
    /// where the state knew the product before, that says more than a note.
    fn reduced_product(
        &self,
        state: &mut State,
        kind: IntKind,
        mut product: Product,
    ) -> Option<LinearExpr> {
        product.left = self.reduced_factor(state, kind, &product.left);
        product.right = self.reduced_factor(state, kind, &product.right);
        let parts = (&product.factor, &product.left, &product.right);
        if let Some(known) = state.reduction(kind, parts) {
            return Some(known);
        }
        if self.splitting == Splitting::Allowed && !self.is_new(&product.value) {
            return None;
        }
        let (min, max) = bounds(kind);
        product.value = any_between(state, min, max).into();
        product.range = Some(kind);
        state.note_product(product.clone());
        Some(product.value)
    }

    /// A factor that is a product itself, and nothing but that, may be reduced as well. It has
    /// its name since it was formed, after its own factors: so this comes to an end.
    fn reduced_factor(&self, state: &mut State, kind: IntKind, factor: &LinearExpr) -> LinearExpr {
        let is_later = |product: &Product| {
            let mut own = product.left.variables().chain(product.right.variables());
            product.value.variables().all(|value| own.all(|it| it < value))
        };
        let product = self
            .summand(state, kind, factor)
            .filter(|(product, rest)| rest.is_zero() && is_later(product));
        let reduced = product.and_then(|(it, _)| self.reduced_product(state, kind, it));
        reduced.unwrap_or_else(|| factor.clone())
    }
}

/// Whether a question is about reduced products that `state` does not know, only `attempt`.
/// Where they have names already, the question can be settled.
pub(super) fn is_about_products(split: &Split, state: &State, attempt: &State) -> bool {
    let mut new = split
        .iter()
        .flatten()
        .flat_map(|it| it.value().variables())
        .filter(|it| it.index() >= state.vocabulary.len())
        .peekable();
    let reduced = attempt.facts.products.iter().filter(|it| it.range.is_some());
    let is_reduced = |variable| reduced.clone().any(|it| it.value.mentions(variable));
    new.peek().is_some() && new.all(is_reduced)
}

/// What a product is at least and at most, by the bounds of its factors.
fn bound(state: &mut State, product: &Product) {
    let Product { factor, left, right, value, range: _ } = product;
    let corners = |bounds: Bounds| [(1, bounds.0), (-1, bounds.1)];
    let (of_left, of_right) = (near(state, left), near(state, right));
    for (sign, bound) in corners(of_left) {
        for (other_sign, other) in corners(of_right.clone()) {
            if let (Some(bound), Some(other)) = (&bound, &other) {
                // sign * (x - bound) * other_sign * (y - other) >= 0
                let rest = LinearExpr::constant(bound * other)
                    .add_scaled(left, &-other)
                    .add_scaled(right, &-bound);
                let expanded = value.add(&rest.scale(factor));
                let sign = sign * other_sign * factor.signum();
                let expanded = expanded.scale(&Integer::from(sign));
                let _ = state.assume_constraint(Constraint::ge(expanded, 0));
            }
        }
    }
}

/// ```text
///   f·x·z = v    y·z = w
///   ─────────────────────
///   f·(x - y)·z = v - f·w
/// ```
///
/// The differences of a known product and a new one, whose own factor is 1, for each way
/// in which they have a factor in common.
fn differences(state: &State, known: &Product, new: &Product) -> Vec<Product> {
    let mut found = Vec::new();
    for (given, common) in [(&known.left, &known.right), (&known.right, &known.left)] {
        for (own, same) in [(&new.left, &new.right), (&new.right, &new.left)] {
            if state.surely_zero(&same.sub(common)) {
                let value = known.value.sub(&new.value.scale(&known.factor));
                let (left, right) = (given.sub(own), common.clone());
                let factor = known.factor.clone();
                found.push(Product { factor, left, right, value, range: None });
            }
        }
    }
    found
}

/// The least and the greatest value, as far as they exist.
type Bounds = (Option<Integer>, Option<Integer>);

/// The bounds of a number, but no far ones.
fn near(state: &State, value: &LinearExpr) -> Bounds {
    let (low, high) = state.facts.numbers.bounds(value);
    let far = Integer::from(FAR);
    (low.filter(|it| it.abs() <= far), high.filter(|it| it.abs() <= far))
}
