//! Simplex against brute force on small boxes, and every proof re-checked.

use proptest::prelude::*;

use super::super::{Constraint, Farkas, Integer, LinearExpr, Rational, Relation, Var};
use super::{
    Optimizer, Optimum, is_surely_entailed, is_surely_unsat, maximize, surely_entails, surely_unsat,
};

const N_VARIABLES: u32 = 3;
const BOX: i64 = 3;

/// Expressions over three variables with coefficients up to `size`.
fn exprs(size: i64) -> impl Strategy<Value = LinearExpr> {
    let coefficients = proptest::collection::vec(-size..=size, N_VARIABLES as usize);
    (coefficients, -2 * size..=2 * size).prop_map(|(coefficients, constant)| {
        let terms = (0..).map(Var).zip(coefficients.into_iter().map(Integer::from));
        LinearExpr::from_terms(terms, constant)
    })
}

fn constraints(size: i64) -> impl Strategy<Value = Constraint> {
    (exprs(size), proptest::bool::weighted(0.3)).prop_map(|(expr, equal)| {
        Constraint::new(if equal { Relation::Equal } else { Relation::AtMost }, expr)
    })
}

fn boxed(constraints: &[Constraint]) -> Vec<Constraint> {
    let bounds = (0..N_VARIABLES).map(|v| LinearExpr::var(Var(v)));
    bounds
        .flat_map(|v| [Constraint::le(&v, BOX), Constraint::ge(&v, -BOX)])
        .chain(constraints.iter().cloned())
        .collect()
}

/// All integer points of the box that satisfy the constraints.
fn points(constraints: &[Constraint]) -> Vec<[i64; 3]> {
    let axis = -BOX..=BOX;
    let cube = axis.clone().flat_map(|x| {
        let axis = axis.clone();
        axis.clone().flat_map(move |y| axis.clone().map(move |z| [x, y, z]))
    });
    cube.filter(|p| constraints.iter().all(|c| c.holds(|v| Rational::from(p[v.index()])))).collect()
}

fn value(expr: &LinearExpr, point: &[i64; 3]) -> Rational {
    expr.evaluate(|v| Rational::from(point[v.index()]))
}

/// Scales rows by big factors, which must not change any answer.
fn inflate(constraints: &[Constraint], factor: i64) -> Vec<Constraint> {
    let image =
        |v: Var| LinearExpr::term(v, 1_i64).scale(&Integer::from(factor)).add_constant(factor - 1);
    constraints.iter().map(|c| c.map(image)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn unsat_means_no_integer_point(some in proptest::collection::vec(constraints(4), 1..7)) {
        let all = boxed(&some);
        let proof = surely_unsat(&all);
        prop_assert_eq!(proof.is_some(), is_surely_unsat(&all));
        if let Some(proof) = proof {
            prop_assert!(proof.check(&all, &Constraint::contradiction()));
            prop_assert!(points(&all).is_empty());
        }
    }

    #[test]
    fn entailment_holds_at_every_point(
        some in proptest::collection::vec(constraints(3), 1..5), conclusion in constraints(3)
    ) {
        let all = boxed(&some);
        let proof = surely_entails(&all, &conclusion);
        prop_assert_eq!(proof.is_some(), is_surely_entailed(&all, &conclusion));
        if let Some(proof) = proof {
            prop_assert!(proof.check(&all, &conclusion));
            prop_assert!(points(&all).iter().all(|p| conclusion.holds(|v| Rational::from(p[v.index()]))));
        }
    }

    #[test]
    fn the_optimum_bounds_all_points_and_is_tight(
        some in proptest::collection::vec(constraints(3), 0..5), objectives in proptest::collection::vec(exprs(3), 1..4)
    ) {
        let all = boxed(&some);
        let mut optimizer = Optimizer::new(&all);
        for objective in objectives {
            let optimum = optimizer.maximize(&objective);
            prop_assert_eq!(&optimum, &maximize(&all, &objective));
            match optimum {
                Optimum::Bounded(top) => {
                    prop_assert!(points(&all).iter().all(|p| value(&objective, p) <= top));
                    let scaled = objective.scale(top.denominator());
                    prop_assert!(is_surely_entailed(&all, &Constraint::le(&scaled, LinearExpr::constant(top.numerator()))));
                    let bottom = optimizer.minimize(&objective);
                    prop_assert!(bottom.value().is_some_and(|bottom| *bottom <= top));
                }
                Optimum::Infeasible => prop_assert!(points(&all).is_empty()),
                Optimum::Unbounded | Optimum::Unknown => prop_assert!(false, "the box is bounded"),
            }
        }
    }

    #[test]
    fn big_constants_change_no_answer(
        some in proptest::collection::vec(constraints(4), 1..6),
        factor in prop_oneof![Just(1_i64 << 31), Just(i64::MAX), Just((1_i64 << 62) - 57)]
    ) {
        let all = inflate(&boxed(&some), factor);
        if let Some(proof) = surely_unsat(&all) {
            prop_assert!(proof.check(&all, &Constraint::contradiction()));
        }
        prop_assert_eq!(surely_unsat(&all).is_some(), is_surely_unsat(&all));
    }

    #[test]
    fn big_shifts_change_no_answer(
        some in proptest::collection::vec(constraints(4), 1..6),
        shift in prop_oneof![Just(1_i64 << 31), Just(i64::MAX), Just(1_i64 << 53)]
    ) {
        let all = boxed(&some);
        let moved: Vec<Constraint> =
            all.iter().map(|c| c.map(|v| LinearExpr::var(v).add_constant(shift))).collect();
        prop_assert_eq!(is_surely_unsat(&all), is_surely_unsat(&moved));
        let objective = LinearExpr::var(Var(0));
        let expected = match maximize(&all, &objective) {
            Optimum::Bounded(top) => Optimum::Bounded(top - Rational::from(shift)),
            other => other,
        };
        prop_assert_eq!(maximize(&moved, &objective), expected);
    }

    #[test]
    fn a_corrupt_proof_is_refused(
        some in proptest::collection::vec(constraints(4), 1..7), at in 0_usize..20, by in 1_i64..5
    ) {
        let all = boxed(&some);
        if let Some(mut proof) = surely_unsat(&all) {
            let sat: Vec<Constraint> = boxed(&[]);
            prop_assert!(!proof.check(&sat, &Constraint::contradiction()));
            for refutation in &mut proof.refutations {
                let n_lines = refutation.last.0.len();
                refutation.last.0[at % n_lines].1 += Integer::from(-1_000 * by);
            }
            if proof.check(&all, &Constraint::contradiction()) {
                prop_assert!(points(&all).is_empty());
            }
        }
    }
}

#[test]
fn a_proof_with_a_line_out_of_range_is_refused() {
    use super::super::farkas::{Combination, Refutation};
    let x = LinearExpr::var(Var(0));
    let premises = [Constraint::le(&x, 0)];
    let last = Combination(vec![(9, Integer::ONE)]);
    let proof = Farkas { refutations: vec![Refutation { cuts: Vec::new(), last }] };
    assert!(!proof.check(&premises, &Constraint::contradiction()));
    assert!(!Farkas::default().check(&premises, &Constraint::contradiction()));
}

#[test]
fn parity_is_refuted_by_divisors() {
    let (x, y) = (LinearExpr::var(Var(0)), LinearExpr::var(Var(1)));
    let twice = |e: &LinearExpr| e.scale(&Integer::from(2));
    let all = [
        Constraint::eq(&x, twice(&y)),
        Constraint::eq(&x, twice(&LinearExpr::var(Var(2))).add_constant(1_i64)),
    ];
    let proof = surely_unsat(&all).expect("a number is not even and odd");
    assert!(proof.check(&all, &Constraint::contradiction()));
}

#[test]
fn unbounded_directions_are_reported() {
    let (x, y) = (LinearExpr::var(Var(0)), LinearExpr::var(Var(1)));
    let all = [Constraint::le(&x, &y), Constraint::ge(&x, 0)];
    assert_eq!(maximize(&all, &y), Optimum::Unbounded);
    assert_eq!(super::minimize(&all, &y), Optimum::Bounded(Rational::ZERO));
    assert_eq!(maximize(&all, &(&x - &y)), Optimum::Bounded(Rational::ZERO));
    assert_eq!(maximize(&all, &LinearExpr::var(Var(7))), Optimum::Unbounded);
}
