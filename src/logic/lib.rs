//! Pure facts over the integers, without heap: numbers, linear expressions,
//! constraints, and the exact decision of their conjunctions.

pub mod connected;
pub mod equalities;
pub mod farkas;
pub mod integers;
pub mod linear;
pub mod number;
mod divisor;
mod scalar;
pub mod simplex;
mod tableau;

pub use farkas::Farkas;
pub use linear::{Constraint, LinearExpr, Relation};
pub use number::{Integer, Rational};

base::typed_index! {
    /// A logical variable: an integer (or an address) that formulas speak about.
    Var
}
