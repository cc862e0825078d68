//! The laws that every numeric domain obeys, checked on sampled points.
//!
//! A domain's tests call [`check_laws`] on random [`Sample`]s.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::NumericDomain;
use logic::{Constraint, Integer, LinearExpr, Relation, Var};

/// Variables of the samples.
pub const N_VARIABLES: u32 = 3;
const BOX: i64 = 3;

/// A point of the sampled box.
pub type Point = [i64; N_VARIABLES as usize];

/// Material for one check of the laws.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Some constraints.
    pub left: Vec<Constraint>,
    /// Others.
    pub right: Vec<Constraint>,
    /// Those that a widening may keep.
    pub thresholds: Vec<Constraint>,
    /// A term over the same variables.
    pub value: LinearExpr,
}

fn exprs(size: i64) -> impl Strategy<Value = LinearExpr> {
    let coefficients = proptest::collection::vec(-size..=size, N_VARIABLES as usize);
    (coefficients, -4_i64..=4).prop_map(|(coefficients, constant)| {
        let terms = (0..).map(Var).zip(coefficients.into_iter().map(Integer::from));
        LinearExpr::from_terms(terms, constant)
    })
}

/// Random constraints over the sampled variables.
pub fn constraints() -> impl Strategy<Value = Constraint> {
    (exprs(2), proptest::bool::weighted(0.25)).prop_map(|(expr, equal)| {
        Constraint::new(if equal { Relation::Equal } else { Relation::AtMost }, expr)
    })
}

/// Random material.
pub fn samples() -> impl Strategy<Value = Sample> {
    let some = || proptest::collection::vec(constraints(), 0..6);
    (some(), some(), some(), exprs(2)).prop_map(|(left, right, thresholds, value)| Sample {
        left,
        right,
        thresholds,
        value,
    })
}

/// All points of the sampled box.
pub fn points() -> impl Iterator<Item = Point> {
    let axis = || -BOX..=BOX;
    axis().flat_map(move |x| axis().flat_map(move |y| axis().map(move |z| [x, y, z])))
}

/// Whether the point satisfies all the constraints.
pub fn satisfies(constraints: &[Constraint], point: &Point) -> bool {
    constraints.iter().all(|c| c.holds(|v| point[v.index()].into()))
}

fn domain_of<D: NumericDomain>(constraints: &[Constraint]) -> D {
    let mut domain = D::top();
    constraints.iter().for_each(|c| domain.assume(c.clone()));
    domain
}

/// Random differences `u - v <= c` and `u - v = c`, for which integers and
/// rationals agree, so that the order must be decided completely.
pub fn differences() -> impl Strategy<Value = Vec<Constraint>> {
    let variable = || (0..N_VARIABLES).prop_map(|v| LinearExpr::var(Var(v)));
    let one = (variable(), variable(), -4_i64..=4, proptest::bool::weighted(0.25)).prop_map(
        |(u, v, bound, equal)| {
            let relation = if equal { Relation::Equal } else { Relation::AtMost };
            Constraint::new(relation, (u - v).add_constant(bound))
        },
    );
    proptest::collection::vec(one, 0..6)
}

/// Checks that joins and widenings are above both sides by the order itself.
pub fn check_order<D: NumericDomain>(left: &[Constraint], right: &[Constraint]) -> TestCaseResult {
    let (left, right): (D, D) = (domain_of(left), domain_of(right));
    let joined = left.join(&right);
    prop_assert!(left.leq(&joined) && right.leq(&joined));
    for wide in [left.widen(&joined, &[]), left.widen(&right, &[])] {
        prop_assert!(left.leq(&wide) && right.leq(&wide) && joined.leq(&wide));
    }
    Ok(())
}

/// Checks every law on one sample, on points.
pub fn check_laws<D: NumericDomain>(sample: &Sample) -> TestCaseResult {
    let (left, right): (D, D) = (domain_of(&sample.left), domain_of(&sample.right));
    assume_keeps_points(&sample.left, &left)?;
    joins_and_widenings_are_upper_bounds(sample, &left, &right)?;
    order_agrees_with_points(sample, &left, &right)?;
    forgetting_and_assigning_keep_points(sample, &left)?;
    chains_become_constant(sample, left, &right)
}

fn assume_keeps_points<D: NumericDomain>(constraints: &[Constraint], domain: &D) -> TestCaseResult {
    for point in points().filter(|point| satisfies(constraints, point)) {
        prop_assert!(!domain.is_bottom());
        prop_assert!(satisfies(&domain.constraints(), &point));
    }
    Ok(())
}

fn joins_and_widenings_are_upper_bounds<D: NumericDomain>(
    sample: &Sample,
    left: &D,
    right: &D,
) -> TestCaseResult {
    let joined = left.join(right);
    for wide in [left.widen(&joined, &sample.thresholds), left.widen(right, &sample.thresholds)] {
        for point in points() {
            let inside = satisfies(&sample.left, &point) || satisfies(&sample.right, &point);
            prop_assert!(!inside || satisfies(&joined.constraints(), &point));
            prop_assert!(!inside || satisfies(&wide.constraints(), &point));
        }
    }
    Ok(())
}

fn order_agrees_with_points<D: NumericDomain>(
    sample: &Sample,
    left: &D,
    right: &D,
) -> TestCaseResult {
    prop_assert!(left.leq(left) && left.leq(&D::top()));
    if left.leq(right) {
        for point in points().filter(|point| satisfies(&sample.left, point)) {
            prop_assert!(satisfies(&right.constraints(), &point));
        }
    }
    Ok(())
}

fn forgetting_and_assigning_keep_points<D: NumericDomain>(
    sample: &Sample,
    domain: &D,
) -> TestCaseResult {
    let (mut forgotten, mut assigned) = (domain.clone(), domain.clone());
    forgotten.forget(Var(1));
    assigned.assign(Var(1), &sample.value);
    prop_assert!(forgotten.constraints().iter().all(|c| !c.mentions(Var(1))));
    for point in points().filter(|point| satisfies(&sample.left, point)) {
        for other in -BOX..=BOX {
            prop_assert!(satisfies(&forgotten.constraints(), &[point[0], other, point[2]]));
        }
        let value = sample.value.evaluate(|v| point[v.index()].into()).floor();
        let after = |v: Var| {
            if v == Var(1) { value.clone() } else { point[v.index()].into() }
        };
        prop_assert!(assigned.constraints().iter().all(|c| c.holds(|v| after(v).into())));
    }
    Ok(())
}

/// Joins with a moving copy of `right`, then widens, until nothing changes.
fn chains_become_constant<D: NumericDomain>(
    sample: &Sample,
    start: D,
    right: &D,
) -> TestCaseResult {
    let (mut current, mut moving) = (start, right.clone());
    for _ in 0..60 {
        moving.assign(Var(0), &LinearExpr::var(Var(0)).add_constant(1_i64));
        moving.assign(Var(2), &sample.value);
        let next = current.widen(&current.join(&moving), &sample.thresholds);
        current = next;
    }
    let next = current.widen(&current.join(&moving), &sample.thresholds);
    prop_assert_eq!(next.constraints(), current.constraints(), "the chain still grows");
    Ok(())
}
