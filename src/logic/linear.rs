//! Linear expressions over logical variables, and constraints on them.

use std::fmt::{self, Write as _};
use std::ops::{Add, Neg, Sub};

use smallvec::SmallVec;

use super::Var;
use super::number::{Integer, Rational};

/// The variables of an expression with their coefficients.
type Terms = SmallVec<[(Var, Integer); 2]>;

/// `a1*v1 + ... + an*vn + c` with integer coefficients.
///
/// The variables are strictly increasing and no coefficient is 0, so equal
/// expressions are structurally equal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LinearExpr {
    terms: Terms,
    constant: Integer,
}

impl LinearExpr {
    /// The expression 0.
    #[must_use]
    pub fn zero() -> Self {
        Self::default()
    }

    /// The expression that is `value` everywhere.
    #[must_use]
    pub fn constant(value: impl Into<Integer>) -> Self {
        Self { terms: Terms::new(), constant: value.into() }
    }

    /// The expression `variable`.
    #[must_use]
    pub fn var(variable: Var) -> Self {
        Self::term(variable, Integer::ONE)
    }

    /// The expression `coefficient * variable`.
    #[must_use]
    pub fn term(variable: Var, coefficient: impl Into<Integer>) -> Self {
        let coefficient = coefficient.into();
        let mut terms = Terms::new();
        if !coefficient.is_zero() {
            terms.push((variable, coefficient));
        }
        Self { terms, constant: Integer::ZERO }
    }

    /// The sum of `terms` and `constant`; a variable may occur more than once.
    #[must_use]
    pub fn from_terms(
        terms: impl IntoIterator<Item = (Var, Integer)>,
        constant: impl Into<Integer>,
    ) -> Self {
        let mut sorted: Terms = terms.into_iter().collect();
        sorted.sort_by_key(|(variable, _)| *variable);
        let mut merged = Terms::with_capacity(sorted.len());
        for (variable, coefficient) in sorted {
            match merged.last_mut() {
                Some((last, sum)) if *last == variable => *sum += coefficient,
                _ => merged.push((variable, coefficient)),
            }
        }
        merged.retain(|(_, coefficient)| !coefficient.is_zero());
        Self { terms: merged, constant: constant.into() }
    }

    /// The variables with their non-zero coefficients, in increasing order.
    #[must_use]
    pub fn terms(&self) -> &[(Var, Integer)] {
        &self.terms
    }

    /// The constant summand.
    #[must_use]
    pub fn constant_part(&self) -> &Integer {
        &self.constant
    }

    /// The coefficient of `variable`, 0 when it does not occur.
    #[must_use]
    pub fn coefficient(&self, variable: Var) -> Integer {
        self.coefficient_ref(variable).cloned().unwrap_or_default()
    }

    /// The non-zero coefficient of `variable`, if it occurs.
    #[must_use]
    pub fn coefficient_ref(&self, variable: Var) -> Option<&Integer> {
        if self.terms.len() <= 8 {
            return self.terms.iter().find(|(v, _)| *v == variable).map(|(_, c)| c);
        }
        let position = self.terms.binary_search_by_key(&variable, |(v, _)| *v).ok()?;
        Some(&self.terms[position].1)
    }

    /// The value, when no variable occurs.
    #[must_use]
    pub fn as_constant(&self) -> Option<&Integer> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The variable, when the expression is exactly a variable.
    #[must_use]
    pub fn as_var(&self) -> Option<Var> {
        match self.terms.as_slice() {
            [(variable, coefficient)] if coefficient.is_one() && self.constant.is_zero() => {
                Some(*variable)
            }
            _ => None,
        }
    }

    /// Whether this is the expression 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty() && self.constant.is_zero()
    }

    /// Whether `variable` occurs.
    #[must_use]
    pub fn mentions(&self, variable: Var) -> bool {
        self.coefficient_ref(variable).is_some()
    }

    /// The variables that occur, in increasing order.
    pub fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.terms.iter().map(|(variable, _)| *variable)
    }

    /// `self + other`.
    #[must_use]
    #[allow(clippy::should_implement_trait, reason = "the operator exists too, on references")]
    pub fn add(&self, other: &Self) -> Self {
        self.add_scaled(other, &Integer::ONE)
    }

    /// `self - other`.
    #[must_use]
    #[allow(clippy::should_implement_trait, reason = "the operator exists too, on references")]
    pub fn sub(&self, other: &Self) -> Self {
        self.add_scaled(other, &Integer::MINUS_ONE)
    }

    /// `-self`.
    #[must_use]
    #[allow(clippy::should_implement_trait, reason = "the operator exists too, on references")]
    pub fn neg(&self) -> Self {
        Self {
            terms: self.terms.iter().map(|(variable, c)| (*variable, -c)).collect(),
            constant: -&self.constant,
        }
    }

    /// `factor * self`.
    #[must_use]
    pub fn scale(&self, factor: &Integer) -> Self {
        if factor.is_zero() {
            return Self::zero();
        }
        Self {
            terms: self.terms.iter().map(|(variable, c)| (*variable, c * factor)).collect(),
            constant: &self.constant * factor,
        }
    }

    /// `self + value`.
    #[must_use]
    pub fn add_constant(&self, value: impl Into<Integer>) -> Self {
        let mut sum = self.clone();
        sum.constant += value.into();
        sum
    }

    /// `self + factor * other`: a merge of the two sorted term lists.
    #[must_use]
    pub fn add_scaled(&self, other: &Self, factor: &Integer) -> Self {
        if factor.is_zero() {
            return self.clone();
        }
        let mut terms = Terms::with_capacity(self.terms.len() + other.terms.len());
        let mut mine = self.terms.iter().peekable();
        for (variable, coefficient) in &other.terms {
            while let Some(term) = mine.next_if(|(v, _)| v < variable) {
                terms.push(term.clone());
            }
            let mut sum = coefficient * factor;
            if let Some((_, own)) = mine.next_if(|(v, _)| v == variable) {
                sum += own;
            }
            if !sum.is_zero() {
                terms.push((*variable, sum));
            }
        }
        terms.extend(mine.cloned());
        Self { terms, constant: &self.constant + &other.constant * factor }
    }

    /// `self` with `replacement` for `variable`.
    #[must_use]
    pub fn substitute(&self, variable: Var, replacement: &Self) -> Self {
        let Some(coefficient) = self.coefficient_ref(variable) else {
            return self.clone();
        };
        let terms = self.terms.iter().filter(|(v, _)| *v != variable).cloned().collect();
        let rest = Self { terms, constant: self.constant.clone() };
        rest.add_scaled(replacement, coefficient)
    }

    /// Every variable replaced by its image, all at once.
    #[must_use]
    pub fn map(&self, mut image: impl FnMut(Var) -> Self) -> Self {
        let mut terms = Terms::with_capacity(self.terms.len());
        let mut constant = self.constant.clone();
        for (variable, coefficient) in &self.terms {
            let value = image(*variable);
            constant += &value.constant * coefficient;
            terms.extend(value.terms.into_iter().map(|(v, c)| (v, c * coefficient)));
        }
        Self::from_terms(terms, constant)
    }

    /// The quotient, if the divisor divides every coefficient and the constant.
    #[must_use]
    pub fn div_exact(&self, divisor: &Integer) -> Option<Self> {
        let exact = !divisor.is_zero()
            && divisor.divides(&self.constant)
            && self.terms.iter().all(|(_, factor)| divisor.divides(factor));
        exact.then(|| {
            let terms = self.terms.iter().map(|(v, factor)| (*v, factor.div_exact(divisor)));
            Self::from_terms(terms, self.constant.div_exact(divisor))
        })
    }

    /// The greatest common divisor of the coefficients, without the constant;
    /// 0 when no variable occurs.
    #[must_use]
    pub fn content(&self) -> Integer {
        let mut divisor = Integer::ZERO;
        for (_, coefficient) in &self.terms {
            divisor = divisor.gcd(coefficient);
            if divisor.is_one() {
                break;
            }
        }
        divisor
    }

    /// The value when each variable has the value that `valuation` says.
    #[must_use]
    pub fn evaluate(&self, mut valuation: impl FnMut(Var) -> Rational) -> Rational {
        let mut sum = Rational::from(self.constant.clone());
        for (variable, coefficient) in &self.terms {
            sum += &(valuation(*variable) * Rational::from(coefficient.clone()));
        }
        sum
    }

    /// Whether the sum of the two is a constant.
    #[must_use]
    pub fn is_opposed_to(&self, other: &Self) -> bool {
        self.terms.len() == other.terms.len()
            && self.terms.iter().zip(&other.terms).all(|((v, c), (w, d))| v == w && *c == -d)
    }

    /// The expression as a person writes it: `2*i + j - 3`.
    #[must_use]
    pub fn display(&self, name: &impl Fn(Var) -> String) -> String {
        let mut text = String::new();
        for (variable, coefficient) in &self.terms {
            write_sign(&mut text, coefficient);
            let size = coefficient.abs();
            if !size.is_one() {
                let _ = write!(text, "{size}*");
            }
            text.push_str(&name(*variable));
        }
        if text.is_empty() {
            return self.constant.to_string();
        }
        if !self.constant.is_zero() {
            write_sign(&mut text, &self.constant);
            let _ = write!(text, "{}", self.constant.abs());
        }
        text
    }

    /// Divides coefficients exactly and the constant upwards, which is the
    /// strongest form of `self <= 0` over the integers.
    fn tightened(mut self, divisor: &Integer) -> Self {
        for (_, coefficient) in &mut self.terms {
            *coefficient = coefficient.div_exact(divisor);
        }
        self.constant = self.constant.div_ceil(divisor);
        self
    }
}

/// The sign that joins `number` as the next summand to `text`.
fn write_sign(text: &mut String, number: &Integer) {
    text.push_str(match (text.is_empty(), number.is_negative()) {
        (true, false) => "",
        (true, true) => "-",
        (false, false) => " + ",
        (false, true) => " - ",
    });
}

impl fmt::Debug for LinearExpr {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.display(&|variable| format!("v{}", variable.0)))
    }
}

impl fmt::Debug for Constraint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.display(&|variable| format!("v{}", variable.0)))
    }
}

impl From<Var> for LinearExpr {
    fn from(variable: Var) -> Self {
        Self::var(variable)
    }
}

impl From<i64> for LinearExpr {
    fn from(value: i64) -> Self {
        Self::constant(value)
    }
}

impl From<Integer> for LinearExpr {
    fn from(value: Integer) -> Self {
        Self::constant(value)
    }
}

impl From<&LinearExpr> for LinearExpr {
    fn from(expr: &LinearExpr) -> Self {
        expr.clone()
    }
}

fn add_exprs(left: &LinearExpr, right: &LinearExpr) -> LinearExpr {
    left.add_scaled(right, &Integer::ONE)
}

fn subtract_exprs(left: &LinearExpr, right: &LinearExpr) -> LinearExpr {
    left.add_scaled(right, &Integer::MINUS_ONE)
}

super::number::binary_operator!(LinearExpr, Add, add, add_exprs);
super::number::binary_operator!(LinearExpr, Sub, sub, subtract_exprs);

impl Neg for &LinearExpr {
    type Output = LinearExpr;
    fn neg(self) -> LinearExpr {
        LinearExpr::neg(self)
    }
}

/// How an expression compares with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The expression is 0.
    Equal,
    /// The expression is at most 0.
    AtMost,
}

/// `expr = 0` or `expr <= 0` over the integers, in normal form.
///
/// The coefficients have no common divisor; the constant of `<=` is the
/// tightest integer; the first coefficient of an equality is positive. An
/// equality that no integers satisfy because the divisor of its coefficients
/// does not divide its constant is stored as `1 = 0`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraint {
    relation: Relation,
    expr: LinearExpr,
}

impl Constraint {
    /// `left = right`.
    #[must_use]
    pub fn eq(left: impl Into<LinearExpr>, right: impl Into<LinearExpr>) -> Self {
        Self::zero(left.into() - right.into())
    }

    /// `left <= right`.
    #[must_use]
    pub fn le(left: impl Into<LinearExpr>, right: impl Into<LinearExpr>) -> Self {
        Self::at_most_zero(left.into() - right.into())
    }

    /// `left < right`, which over the integers is `left <= right - 1`.
    #[must_use]
    pub fn lt(left: impl Into<LinearExpr>, right: impl Into<LinearExpr>) -> Self {
        Self::at_most_zero((left.into() - right.into()).add_constant(1_i64))
    }

    /// `left >= right`.
    #[must_use]
    pub fn ge(left: impl Into<LinearExpr>, right: impl Into<LinearExpr>) -> Self {
        Self::le(right, left)
    }

    /// `left > right`.
    #[must_use]
    pub fn gt(left: impl Into<LinearExpr>, right: impl Into<LinearExpr>) -> Self {
        Self::lt(right, left)
    }

    /// `expr = 0`.
    #[must_use]
    pub fn zero(expr: LinearExpr) -> Self {
        let relation = Relation::Equal;
        let content = expr.content();
        if content.is_zero() {
            let constant = if expr.is_zero() { Integer::ZERO } else { Integer::ONE };
            return Self { relation, expr: LinearExpr::constant(constant) };
        }
        if !content.divides(&expr.constant) {
            return Self { relation, expr: LinearExpr::constant(1_i64) };
        }
        let negative = expr.terms.first().is_some_and(|(_, c)| c.is_negative());
        let divisor = if negative { -content } else { content };
        let expr = if divisor.is_one() { expr } else { expr.tightened(&divisor) };
        Self { relation, expr }
    }

    /// `expr <= 0`.
    #[must_use]
    pub fn at_most_zero(expr: LinearExpr) -> Self {
        let relation = Relation::AtMost;
        let content = expr.content();
        if content.is_zero() {
            let constant = if expr.constant.is_positive() { Integer::ONE } else { Integer::ZERO };
            return Self { relation, expr: LinearExpr::constant(constant) };
        }
        let expr = if content.is_one() { expr } else { expr.tightened(&content) };
        Self { relation, expr }
    }

    /// `expr = 0` or `expr <= 0`.
    #[must_use]
    pub fn new(relation: Relation, expr: LinearExpr) -> Self {
        match relation {
            Relation::Equal => Self::zero(expr),
            Relation::AtMost => Self::at_most_zero(expr),
        }
    }

    /// The constraint that nothing satisfies.
    #[must_use]
    pub fn contradiction() -> Self {
        Self { relation: Relation::AtMost, expr: LinearExpr::constant(1_i64) }
    }

    /// Whether it compares with `=` or `<=`.
    #[must_use]
    pub fn relation(&self) -> Relation {
        self.relation
    }

    /// Whether it is an equality.
    #[must_use]
    pub fn is_equality(&self) -> bool {
        self.relation == Relation::Equal
    }

    /// The expression that is compared with 0.
    #[must_use]
    pub fn expr(&self) -> &LinearExpr {
        &self.expr
    }

    /// The same, taken out of it.
    #[must_use]
    pub fn into_expr(self) -> LinearExpr {
        self.expr
    }

    /// Whether every valuation satisfies it.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.expr.is_zero()
    }

    /// Whether it is visibly false: no variable, and a constant that fails.
    #[must_use]
    pub fn is_contradiction(&self) -> bool {
        self.expr.terms.is_empty() && !self.expr.constant.is_zero()
    }

    /// The integers that violate an inequality: `e <= 0` becomes `e >= 1`.
    /// The complement of an equality is not convex, so there is none.
    #[must_use]
    pub fn negate(&self) -> Option<Self> {
        match self.relation {
            Relation::Equal => None,
            Relation::AtMost => Some(Self::ge(&self.expr, 1_i64)),
        }
    }

    /// The inequalities with the same meaning: two for an equality.
    #[must_use]
    pub fn inequalities(&self) -> SmallVec<[Self; 2]> {
        let mut parts = SmallVec::new();
        parts.push(Self { relation: Relation::AtMost, expr: self.expr.clone() });
        if self.is_equality() && !self.expr.terms.is_empty() {
            parts.push(Self { relation: Relation::AtMost, expr: self.expr.neg() });
        }
        parts
    }

    /// The constraint with `replacement` for `variable`.
    #[must_use]
    pub fn substitute(&self, variable: Var, replacement: &LinearExpr) -> Self {
        Self::new(self.relation, self.expr.substitute(variable, replacement))
    }

    /// Every variable replaced by its image, all at once.
    #[must_use]
    pub fn map(&self, image: impl FnMut(Var) -> LinearExpr) -> Self {
        Self::new(self.relation, self.expr.map(image))
    }

    /// Whether `variable` occurs.
    #[must_use]
    pub fn mentions(&self, variable: Var) -> bool {
        self.expr.mentions(variable)
    }

    /// Whether the valuation satisfies it.
    #[must_use]
    pub fn holds(&self, valuation: impl FnMut(Var) -> Rational) -> bool {
        let sign = self.expr.evaluate(valuation).signum();
        match self.relation {
            Relation::Equal => sign == 0,
            Relation::AtMost => sign <= 0,
        }
    }

    /// The constraint as a person writes it, positive summands on either
    /// side: `i + 1 <= n`, `k = i + j`.
    #[must_use]
    pub fn display(&self, name: &impl Fn(Var) -> String) -> String {
        let expr = &self.expr;
        let side = |keep: fn(&Integer) -> bool, sign: &Integer| {
            let terms = expr.terms.iter().filter(|(_, c)| keep(c)).map(|(v, c)| (*v, c * sign));
            let constant = if keep(&expr.constant) { &expr.constant * sign } else { Integer::ZERO };
            LinearExpr::from_terms(terms, constant).display(name)
        };
        let left = side(Integer::is_positive, &Integer::ONE);
        let right = side(Integer::is_negative, &Integer::MINUS_ONE);
        match self.relation {
            Relation::Equal => format!("{left} = {right}"),
            Relation::AtMost => format!("{left} <= {right}"),
        }
    }
}

#[cfg(test)]
#[path = "linear_tests.rs"]
mod tests;
