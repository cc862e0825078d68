//! Abstract sets of integer valuations.
//!
//! To add a domain: one file here with a type that implements
//! [`NumericDomain`], one `pub mod` line, and one call of the law kit in its
//! tests (`laws.rs`).

mod eliminate;
mod join;
pub mod polyhedron;

#[cfg(test)]
pub mod laws;

pub use polyhedron::Polyhedron;

use logic::{Constraint, LinearExpr, Var};

/// A set of integer valuations, over-approximated.
///
/// A domain value `a` stands for the valuations `γ(a)`. Answers are one-sided:
/// what is claimed holds of every valuation in `γ(a)`.
pub trait NumericDomain: Clone {
    /// All valuations.
    #[must_use]
    fn top() -> Self;

    /// Whether `γ(self)` is surely empty.
    #[must_use]
    fn is_bottom(&self) -> bool;

    /// Whether `γ(self)` is surely a subset of `γ(other)`.
    #[must_use]
    fn leq(&self, other: &Self) -> bool;

    /// An upper bound: `γ` of the result contains both `γ(self)` and `γ(other)`.
    #[must_use]
    fn join(&self, other: &Self) -> Self;

    /// An upper bound like [`join`](Self::join); every chain
    /// `a, a.widen(b, t), ...` with fixed `t` becomes constant. Of the
    /// `thresholds`, those that hold on both sides are kept.
    #[must_use]
    fn widen(&self, newer: &Self, thresholds: &[Constraint]) -> Self;

    /// Restricts to valuations that satisfy the constraint; never drops one
    /// that does.
    fn assume(&mut self, constraint: Constraint);

    /// Makes the variable arbitrary.
    fn forget(&mut self, variable: Var);

    /// Gives the variable the value that `value` has before.
    fn assign(&mut self, variable: Var, value: &LinearExpr);

    /// Constraints that every valuation satisfies, in a canonical order.
    #[must_use]
    fn constraints(&self) -> Vec<Constraint>;
}
