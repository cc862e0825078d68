//! Known loops, certificates that must be refused, and relations with a cycle
//! that must never be ranked.

use proptest::prelude::*;

use super::affine::{Affine, rank_relation};
use super::lexicographic::Lexicographic;
use super::multiphase::Multiphase;
use super::{RankingTemplate, well_founded};
use descent::certificate::{Defect, check_ranking};
use descent::{
    AffineFunction, Certificate, Component, Edge, EdgeProof, Relation, Requirement, System,
};
use logic::simplex::surely_entails;
use logic::{Constraint, Integer, LinearExpr, Var};
use std::collections::{BTreeMap, BTreeSet};

/// The value at a position before the step.
fn pre(position: u32) -> LinearExpr {
    LinearExpr::var(Var(position))
}

/// The value at a position after the step.
fn post(position: u32) -> LinearExpr {
    LinearExpr::var(Var(100 + position))
}

fn relation(
    n_before: u32,
    n_after: u32,
    constraints: impl IntoIterator<Item = Constraint>,
) -> Relation {
    Relation {
        pre: (0..n_before).map(Var).collect(),
        post: (0..n_after).map(|position| Var(100 + position)).collect(),
        constraints: constraints.into_iter().collect(),
    }
}

/// `x' = x` at these positions.
fn same(positions: impl IntoIterator<Item = u32>) -> impl Iterator<Item = Constraint> {
    positions.into_iter().map(|position| Constraint::eq(post(position), pre(position)))
}

/// `x >= low` and `x' = x + change` at the position.
fn step(position: u32, low: i64, change: i64) -> [Constraint; 2] {
    [
        Constraint::ge(pre(position), low),
        Constraint::eq(post(position), pre(position).add_constant(change)),
    ]
}

fn names(position: usize) -> String {
    ["i", "j", "k", "n"][position].to_owned()
}

fn show(certificate: &Certificate) -> String {
    let lines = certificate.components.iter().map(|component| {
        let parts = component.display(&|_, position| names(position));
        let parts: Vec<String> = parts.into_iter().map(|(l, f)| format!("{l}: {f}")).collect();
        parts.join(", ")
    });
    lines.collect::<Vec<_>>().join(" | ")
}

/// The certificate as text; it must pass the check.
fn ranked(template: &dyn RankingTemplate, system: &System) -> Option<String> {
    let certificate = template.rank(system)?;
    assert_eq!(check_ranking(system, &certificate), Ok(()));
    Some(show(&certificate))
}

#[test]
fn a_counter_is_its_own_measure() {
    let down = relation(1, 1, step(0, 1, -1));
    let ranking = rank_relation(&down).expect("x' = x - 1 and x > 0");
    assert!(ranking.ranks(&down));
    assert_eq!(ranking.function.display(&names), "i - 1");
}

#[test]
fn a_distance_shrinks() {
    let up = [Constraint::lt(pre(0), pre(1)), Constraint::eq(post(0), pre(0).add_constant(1_i64))];
    let system = System::repeating([relation(2, 2, up.into_iter().chain(same([1])))]);
    assert_eq!(ranked(&Affine, &system).as_deref(), Some("0: -i + j - 1"));
}

#[test]
fn loops_without_end_are_not_ranked() {
    let endless = [
        relation(1, 1, step(0, 1, 0)),
        relation(1, 1, step(0, 1, 1)),
        relation(1, 1, [Constraint::eq(post(0), pre(0).add_constant(-1_i64))]),
        relation(1, 1, []),
        relation(2, 2, [Constraint::ge(pre(0), 1), Constraint::eq(post(0), pre(0) + pre(1))]),
    ];
    for constraints in endless {
        assert_eq!(well_founded(&System::repeating([constraints])), None);
    }
}

/// One function would do, of a large coefficient; a tuple of plain ones says more.
#[test]
fn plain_measures_are_preferred() {
    let inner = [Constraint::le(pre(1), 99), Constraint::eq(post(1), pre(1).add_constant(1_i64))];
    let inner = relation(2, 2, inner.into_iter().chain(step(0, 0, 0)));
    let back = [Constraint::ge(post(1), pre(1).add_constant(-50_i64)), Constraint::le(pre(1), 100)];
    let outer = relation(2, 2, step(0, 1, -1).into_iter().chain(back));
    let system = System::repeating([inner, outer]);
    assert_eq!(ranked(&Affine, &system).as_deref(), Some("0: 51*i - j + 99"));
    assert_eq!(ranked(&Lexicographic, &system).as_deref(), Some("0: i - 1 | 0: -j + 99"));
}

#[test]
fn nested_loops_need_a_tuple() {
    let inner = relation(2, 2, step(1, 1, -1).into_iter().chain(same([0])));
    let outer = relation(2, 2, step(0, 1, -1));
    let system = System::repeating([inner, outer]);
    assert_eq!(ranked(&Affine, &system), None);
    assert_eq!(ranked(&Lexicographic, &system).as_deref(), Some("0: i - 1 | 0: j - 1"));
}

#[test]
fn the_panhandle_has_one_measure() {
    let first =
        step(0, 1, -1).into_iter().chain([Constraint::eq(post(1), pre(1).add_constant(1_i64))]);
    let first = relation(
        3,
        3,
        first.chain(same([2])).chain([Constraint::ge(pre(1), 0), Constraint::ge(pre(2), 0)]),
    );
    let second = step(1, 1, -1).into_iter().chain(same([0, 2]));
    let second =
        relation(3, 3, second.chain([Constraint::ge(pre(0), 0), Constraint::ge(pre(2), 0)]));
    let third = step(2, 1, -1).into_iter().chain(same([0, 1]));
    let third = relation(3, 3, third.chain([Constraint::ge(pre(0), 0), Constraint::ge(pre(1), 0)]));
    let system = System::repeating([first, second, third]);
    assert_eq!(ranked(&Affine, &system).as_deref(), Some("0: 2*i + j + k - 1"));
}

#[test]
fn phases_need_nested_functions() {
    let constraints = [
        Constraint::ge(pre(0), 1),
        Constraint::eq(post(0), pre(0) + pre(1)),
        Constraint::eq(post(1), pre(1).add_constant(-1_i64)),
    ];
    let system = System::repeating([relation(2, 2, constraints)]);
    assert!(ranked(&Lexicographic, &system).is_some());
    assert_eq!(ranked(&Affine, &system), None);
    assert!(ranked(&Multiphase, &system).is_some_and(|text| text.starts_with("0: <j")));
    assert!(well_founded(&system).is_some());
}

/// `while (i > 0) { j = n; while (j > 0) j--; i--; }` with locations for
/// both heads; values i, j, n.
fn two_heads() -> System {
    let edge = |from, to, constraints: Vec<Constraint>| Edge {
        from,
        to,
        relation: relation(3, 3, constraints),
    };
    let enter = [Constraint::ge(pre(0), 1), Constraint::eq(post(1), pre(2))];
    let spin = step(1, 1, -1).into_iter().chain(same([0, 2])).collect();
    let leave = [Constraint::le(pre(1), 0), Constraint::eq(post(0), pre(0).add_constant(-1_i64))];
    System {
        arities: vec![3, 3],
        edges: vec![
            edge(0, 1, enter.into_iter().chain(same([0, 2])).collect()),
            edge(1, 1, spin),
            edge(1, 0, leave.into_iter().chain(same([1, 2])).collect()),
        ],
        requirements: Vec::new(),
    }
}

#[test]
fn each_location_has_its_own_function() {
    let system = two_heads();
    let certificate = Lexicographic.rank(&system).expect("both loops count down");
    assert_eq!(check_ranking(&system, &certificate), Ok(()));
    assert!(certificate.components.len() >= 2);
}

#[test]
fn corrupt_certificates_are_refused() {
    let system = two_heads();
    let certificate = Lexicographic.rank(&system).expect("both loops count down");
    let check = |change: &dyn Fn(&mut Certificate)| {
        let mut corrupt = certificate.clone();
        change(&mut corrupt);
        check_ranking(&system, &corrupt)
    };
    assert!(matches!(check(&|c| c.components.clear()), Err(Defect::CycleLeft { .. })));
    let defect = check(&|c| {
        c.components[0].functions.remove(&1);
    });
    assert!(matches!(defect, Err(Defect::ScopeCutsCycle { .. })));
    let defect = check(&|c| {
        c.components[0].proofs.pop_first();
    });
    assert!(matches!(defect, Err(Defect::MissingProof { .. })));
    let defect = check(&|c| {
        for function in c.components[0].functions.values_mut().flatten() {
            for coefficient in &mut function.coefficients {
                *coefficient = -&*coefficient;
            }
        }
    });
    assert!(matches!(defect, Err(Defect::WrongProof { .. })));
    let defect = check(&|c| {
        let component = &mut c.components[0];
        let strict: Vec<usize> = component.strict_edges().collect();
        for (edge, proof) in &mut component.proofs {
            if let EdgeProof::NonIncreasing(farkas) = proof.clone() {
                assert!(!strict.contains(edge));
                *proof = EdgeProof::Decreasing { decrease: farkas.clone(), bound: farkas };
            }
        }
    });
    assert!(matches!(defect, Err(Defect::WrongProof { .. })));
}

/// What the check says of a loop with this relation that is ranked by its number.
fn verdict(constraints: &[Constraint], proof: EdgeProof) -> Result<(), Defect> {
    let system = System::repeating([relation(1, 1, constraints.iter().cloned())]);
    let number = AffineFunction { coefficients: vec![Integer::ONE], constant: Integer::ZERO };
    let functions = BTreeMap::from([(0, vec![number])]);
    let component = Component { functions, proofs: BTreeMap::from([(0, proof)]) };
    check_ranking(&system, &Certificate::of(vec![component]))
}

#[test]
fn a_decrease_and_a_bound_are_needed() {
    let wrong = Err(Defect::WrongProof { component: 0, edge: 0 });
    let shows =
        |premises: &[Constraint], claim| surely_entails(premises, &claim).unwrap_or_default();
    let decreasing = |constraints: &[Constraint]| {
        let decrease = shows(constraints, Constraint::lt(post(0), pre(0)));
        let bound = shows(constraints, Constraint::ge(pre(0), 0));
        verdict(constraints, EdgeProof::Decreasing { decrease, bound })
    };
    let (down, stays) = (step(0, 1, -1), step(0, 1, 0));
    assert_eq!(decreasing(&down), Ok(()));
    assert_eq!(decreasing(&down[1..]), wrong);
    assert_eq!(decreasing(&stays), wrong);
    let not_rising = |constraints: &[Constraint]| {
        let proof = shows(constraints, Constraint::le(post(0), pre(0)));
        verdict(constraints, EdgeProof::NonIncreasing(proof))
    };
    assert_eq!(not_rising(&down), Err(Defect::CycleLeft { edge: 0 }));
    assert_eq!(not_rising(&step(0, 1, 1)), wrong);
}

#[test]
fn nested_functions_are_bounded_and_on_all_edges() {
    let shows =
        |premises: &[Constraint], claim| surely_entails(premises, &claim).unwrap_or_default();
    let nested = |constraints: &[Constraint]| {
        let decreases = vec![shows(constraints, Constraint::lt(post(0), pre(0)))];
        let bound = shows(constraints, Constraint::ge(pre(0), 0));
        EdgeProof::Nested { decreases, bound }
    };
    let (down, stays) = (step(0, 1, -1), step(0, 1, 0));
    assert_eq!(verdict(&down, nested(&down)), Ok(()));
    let wrong = Err(Defect::WrongProof { component: 0, edge: 0 });
    assert_eq!(verdict(&down[1..], nested(&down[1..])), wrong);
    let system = System::repeating([relation(1, 1, down.clone()), relation(1, 1, stays.clone())]);
    let number = AffineFunction { coefficients: vec![Integer::ONE], constant: Integer::ZERO };
    let not_rising = EdgeProof::NonIncreasing(shows(&stays, Constraint::le(post(0), pre(0))));
    let component = Component {
        functions: BTreeMap::from([(0, vec![number])]),
        proofs: BTreeMap::from([(0, nested(&down)), (1, not_rising)]),
    };
    let mixed = check_ranking(&system, &Certificate::of(vec![component]));
    assert_eq!(mixed, Err(Defect::MixedProofs { component: 0 }));
}

/// Around: a guarded edge to the second location, and two ways back. `x` falls on the first and
/// stays on the second, where `y` falls; only the guard bounds them.
fn bounded_by_its_guard() -> System {
    let guard = same([0, 1]).chain([Constraint::ge(pre(0), 1), Constraint::ge(pre(1), 1)]);
    let first = [Constraint::eq(post(0), pre(0).add_constant(-1_i64))];
    let second = same([0]).chain([Constraint::eq(post(1), pre(1).add_constant(-1_i64))]);
    let edges = vec![
        Edge { from: 0, to: 1, relation: relation(2, 2, guard) },
        Edge { from: 1, to: 0, relation: relation(2, 2, first) },
        Edge { from: 1, to: 0, relation: relation(2, 2, second) },
    ];
    System { arities: vec![2, 2], edges, requirements: Vec::new() }
}

#[test]
fn a_measure_is_bounded_where_all_cycles_pass() {
    let system = bounded_by_its_guard();
    assert!(ranked(&Lexicographic, &system).is_some());
    let mut unguarded = system.clone();
    unguarded.edges[0].relation = relation(2, 2, same([0, 1]));
    assert_eq!(Lexicographic.rank(&unguarded), None);
}

#[test]
fn a_measure_without_bound_is_refused() {
    let system = bounded_by_its_guard();
    let right = Lexicographic.rank(&system).expect("the guard bounds both numbers");
    let first = &right.components[0].proofs;
    assert!(matches!(first[&0], EdgeProof::Bounded { .. }));
    assert!(matches!(first[&1], EdgeProof::Falling(_)));
    let forged = |change: &dyn Fn(&mut BTreeMap<usize, EdgeProof>)| {
        let mut forged = right.clone();
        change(&mut forged.components[0].proofs);
        check_ranking(&system, &forged)
    };
    let without_bound = forged(&|proofs| {
        if let Some(EdgeProof::Bounded { growth, .. }) = proofs.remove(&0) {
            proofs.insert(0, EdgeProof::NonIncreasing(growth));
        }
    });
    assert_eq!(without_bound, Err(Defect::NoBound { component: 0 }));
    let wrong_bound = forged(&|proofs| {
        if let Some(EdgeProof::Bounded { growth, .. }) = proofs.remove(&0) {
            proofs.insert(0, EdgeProof::Bounded { bound: growth.clone(), growth });
        }
    });
    assert_eq!(wrong_bound, Err(Defect::WrongProof { component: 0, edge: 0 }));
    let not_falling = forged(&|proofs| {
        if let Some(EdgeProof::NonIncreasing(growth)) = proofs.remove(&2) {
            proofs.insert(2, EdgeProof::Falling(growth));
        }
    });
    assert_eq!(not_falling, Err(Defect::WrongProof { component: 0, edge: 2 }));
}

/// A loop beside the guard that a fair path leaves: the measure may fall there without a bound.
#[test]
fn unfair_cycles_need_no_bound() {
    let mut system = bounded_by_its_guard();
    let falls = [Constraint::eq(post(0), pre(0).add_constant(-1_i64))];
    system.edges.push(Edge { from: 1, to: 1, relation: relation(2, 2, falls) });
    assert_eq!(Lexicographic.rank(&system), None);
    let (whenever, then) = (BTreeSet::from([3]), BTreeSet::from([0]));
    system.requirements.push(Requirement { whenever, then });
    let certificate = Lexicographic.rank(&system).expect("a fair path passes the guard");
    assert_eq!(check_ranking(&system, &certificate), Ok(()));
    system.requirements.clear();
    let unfair = check_ranking(&system, &certificate);
    assert_eq!(unfair, Err(Defect::NoBound { component: 0 }));
}

#[test]
fn edges_have_the_values_of_their_locations() {
    let system = |n_before| {
        let edges = vec![Edge { from: 0, to: 1, relation: relation(n_before, 1, []) }];
        System { arities: vec![1, 1], edges, requirements: Vec::new() }
    };
    assert_eq!(check_ranking(&system(1), &Certificate::default()), Ok(()));
    let malformed = check_ranking(&system(0), &Certificate::default());
    assert_eq!(malformed, Err(Defect::MalformedSystem));
}

#[test]
fn strictness_of_an_edge_outside_the_functions_does_not_count() {
    let endless = System::repeating([relation(1, 1, step(0, 1, 0))]);
    let mut forged = Lexicographic
        .rank(&System::repeating([relation(1, 1, step(0, 1, -1))]))
        .expect("a counter");
    assert!(check_ranking(&endless, &forged).is_err());
    forged.components[0].functions.clear();
    assert_eq!(check_ranking(&endless, &forged), Err(Defect::CycleLeft { edge: 0 }));
}

#[test]
fn infeasible_steps_need_no_measure() {
    let never = [Constraint::ge(pre(0), 1), Constraint::le(pre(0), 0)];
    let system = System::repeating([relation(1, 1, never), relation(1, 1, step(0, 1, -1))]);
    assert!(ranked(&Lexicographic, &system).is_some());
    assert!(ranked(&Affine, &system).is_some());
}

#[test]
fn huge_constants_are_ranked_exactly() {
    let big = 1_i64 << 62;
    let scaled = |e: LinearExpr| e.scale(&Integer::from(big - 1));
    let constraints = [
        Constraint::ge(scaled(pre(0)), pre(1).add_constant(big)),
        Constraint::le(scaled(post(0)), scaled(pre(0)).add_constant(-big)),
        Constraint::ge(pre(1), -big),
    ];
    let system = System::repeating([relation(2, 2, constraints)]);
    assert!(ranked(&Affine, &system).is_some());
}

/// Random expressions over two values before and two after.
fn exprs() -> impl Strategy<Value = LinearExpr> {
    (proptest::collection::vec(-3_i64..=3, 4), -5_i64..=5).prop_map(|(coefficients, constant)| {
        let variables = [Var(0), Var(1), Var(100), Var(101)];
        let terms = variables.into_iter().zip(coefficients.into_iter().map(Integer::from));
        LinearExpr::from_terms(terms, constant)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Whatever holds at a fixed point is not well-founded.
    #[test]
    fn relations_with_a_fixed_point_are_never_ranked(
        some in proptest::collection::vec(exprs(), 1..7), x in -4_i64..=4, y in -4_i64..=4
    ) {
        let value = |v: Var| [x, y][v.index() % 100].into();
        let through = some.iter().map(|expr| {
            let excess = expr.evaluate(value).ceil();
            if excess.is_positive() {
                Constraint::at_most_zero(expr.add_constant(-excess))
            } else {
                Constraint::at_most_zero(expr.clone())
            }
        });
        let step = relation(2, 2, through);
        prop_assert_eq!(rank_relation(&step), None);
        prop_assert_eq!(well_founded(&System::repeating([step])), None);
    }

    /// Podelski and Rybalchenko's method is complete: a relation that some
    /// affine function ranks is ranked.
    #[test]
    fn every_linear_ranking_is_found(
        measure in proptest::collection::vec(-4_i64..=4, 2), low in -9_i64..=9,
        some in proptest::collection::vec(exprs(), 0..5),
        scale in prop_oneof![Just(1_i64), Just(1_i64 << 31), Just(i64::MAX)]
    ) {
        let of = |first: u32| {
            let terms = (first..).map(Var).zip(measure.iter().map(|c| Integer::from(*c) * Integer::from(scale)));
            LinearExpr::from_terms(terms, 0_i64)
        };
        let goal = [Constraint::ge(of(0), low), Constraint::le(of(100), of(0).add_constant(-1_i64))];
        let step = relation(2, 2, goal.into_iter().chain(some.into_iter().map(Constraint::at_most_zero)));
        let ranking = rank_relation(&step);
        prop_assert!(ranking.is_some_and(|ranking| ranking.ranks(&step)));
    }

    /// Certificates that the search returns always pass the check.
    #[test]
    fn what_is_found_is_checked(
        first in proptest::collection::vec(exprs(), 1..5), second in proptest::collection::vec(exprs(), 1..5)
    ) {
        let step = |exprs: Vec<LinearExpr>| relation(2, 2, exprs.into_iter().map(Constraint::at_most_zero));
        let system = System::repeating([step(first), step(second)]);
        let templates: [&dyn RankingTemplate; 3] = [&Affine, &Lexicographic, &Multiphase];
        for template in templates {
            if let Some(certificate) = template.rank(&system) {
                prop_assert_eq!(check_ranking(&system, &certificate), Ok(()));
            }
        }
    }
}
