//! Transition invariants that the search finds, and changed ones.

use super::*;
use base::limits::TRANSITION_INVARIANT_UNITS;
use descent::certificate::{Defect, check_ranking};
use descent::invariant::Succession;
use descent::{Edge, Relation};
use proptest::prelude::*;

/// Values before are `Var(0), Var(1), ...`, values after `Var(100), Var(101), ...`.
fn pre(position: u32) -> LinearExpr {
    LinearExpr::var(Var(position))
}

fn post(position: u32) -> LinearExpr {
    LinearExpr::var(Var(100 + position))
}

fn edge(from: usize, to: usize, arity: u32, constraints: Vec<Constraint>) -> Edge {
    let pre = (0..arity).map(Var).collect();
    let post = (100..100 + arity).map(Var).collect();
    Edge { from, to, relation: Relation { pre, post, constraints } }
}

/// The values after, one after the other.
fn become_of<const N: usize>(values: [LinearExpr; N]) -> impl Iterator<Item = Constraint> {
    (0..).zip(values).map(|(position, value)| Constraint::eq(post(position), value))
}

/// `while (x > 0 && y > 0)` with `x := x - 1; y := anything` or `y := y - 1`, through
/// a location in between.
fn choice() -> System {
    let guards = [Constraint::ge(pre(0), 1), Constraint::ge(pre(1), 1)];
    let first = become_of([pre(0).add_constant(-1_i64)]);
    let second = become_of([pre(0), pre(1).add_constant(-1_i64)]);
    let stay = become_of([pre(0), pre(1)]);
    let edges = vec![
        edge(0, 1, 2, stay.chain(guards).collect()),
        edge(1, 0, 2, first.collect()),
        edge(1, 0, 2, second.collect()),
    ];
    System { arities: vec![2, 2], edges, requirements: Vec::new() }
}

fn completed(system: &System) -> Option<Certificate> {
    let all: Vec<usize> = (0..system.edges.len()).collect();
    let mut effort = Budget::of_steps(TRANSITION_INVARIANT_UNITS);
    complete(system, Certificate::default(), system.cycles(&all), &mut effort)
}

#[test]
fn several_relations_together_contain_all_ways_back() {
    let system = choice();
    let certificate = completed(&system).expect("x or y falls");
    assert_eq!(check_ranking(&system, &certificate), Ok(()));
    let [invariant] = certificate.invariants.as_slice() else { panic!("one is enough") };
    assert!(invariant.rankings().count() >= 2);
}

/// `x := x + y; y := y - 1` while `x > 0`, or the same with z.
#[test]
fn phases_become_cases() {
    let step = |grown: u32| {
        let fallen = |position: u32| pre(position).add_constant(-i64::from(position == grown));
        let values = [pre(0) + pre(grown), fallen(1), fallen(2)];
        edge(0, 0, 3, become_of(values).chain([Constraint::ge(pre(0), 1)]).collect())
    };
    let system =
        System { arities: vec![3], edges: vec![step(1), step(2)], requirements: Vec::new() };
    let certificate = completed(&system).expect("y, z and then x fall");
    assert_eq!(check_ranking(&system, &certificate), Ok(()));
}

#[test]
fn what_may_go_on_has_no_invariant() {
    let idle = edge(0, 0, 1, become_of([pre(0)]).chain([Constraint::ge(pre(0), 1)]).collect());
    assert_eq!(
        completed(&System { arities: vec![1], edges: vec![idle], requirements: Vec::new() }),
        None
    );
}

/// Each change that leaves something out is found, and so is another system.
#[test]
fn a_wrong_invariant_is_refused() {
    let system = choice();
    let right = completed(&system).expect("x or y falls");
    let is_refused = |change: &dyn Fn(&mut TransitionInvariant)| {
        let mut changed = right.clone();
        change(&mut changed.invariants[0]);
        check_ranking(&system, &changed) == Err(Defect::WrongInvariant { cutpoint: 0 })
    };
    assert!(is_refused(&|it| it.first.clear()));
    for position in 0..right.invariants[0].pairs.len() {
        assert!(is_refused(&|it| it.pairs[position].next.clear()));
        assert!(is_refused(&|it| {
            it.pairs[position].constraints.push(Constraint::contradiction());
        }));
        assert!(is_refused(&|it| it.pairs[position].location = 7));
        assert!(is_refused(&|it| {
            for succession in it.pairs[position].next.values_mut() {
                *succession = Succession::Impossible(logic::Farkas::default());
            }
        }));
    }
    assert!(is_refused(&|it| it.pairs.iter_mut().for_each(|pairs| pairs.ranking = None)));
    assert!(is_refused(&|it| it.pairs.truncate(1)));
    let mut elsewhere = right.clone();
    elsewhere.invariants[0].cutpoint = 9;
    assert!(check_ranking(&system, &elsewhere).is_err());
    let mut longer = system.clone();
    longer.edges.push(edge(1, 1, 2, Vec::new()));
    assert!(check_ranking(&longer, &right).is_err());
}

/// Random expressions over two values before and two after.
fn exprs() -> impl Strategy<Value = LinearExpr> {
    (proptest::collection::vec(-2_i64..=2, 4), -4_i64..=4).prop_map(|(coefficients, constant)| {
        let variables = [Var(0), Var(1), Var(100), Var(101)];
        let terms = variables.into_iter().zip(coefficients);
        let terms = terms.map(|(v, c)| (v, logic::Integer::from(c)));
        LinearExpr::from_terms(terms, constant)
    })
}

/// The constraints that all hold if the values before and after are these.
fn through(some: &[LinearExpr], before: [i64; 2], after: [i64; 2]) -> Vec<Constraint> {
    let value = |v: Var| {
        let values = if v.index() < 100 { before } else { after };
        values[v.index() % 100].into()
    };
    let weakened = some.iter().map(|expr| {
        let excess = expr.evaluate(value).ceil();
        if excess.is_positive() { expr.add_constant(-excess) } else { expr.clone() }
    });
    weakened.map(Constraint::at_most_zero).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    /// A system with a path that comes back to the same values has no invariants,
    /// and one that is found passes the check.
    #[test]
    fn what_comes_back_is_never_excluded(
        some in proptest::collection::vec(exprs(), 1..5), other in proptest::collection::vec(exprs(), 1..5),
        here in proptest::array::uniform2(-3_i64..=3), there in proptest::array::uniform2(-3_i64..=3)
    ) {
        let edges = vec![
            edge(0, 1, 2, through(&some, here, there)),
            edge(1, 0, 2, through(&other, there, here)),
        ];
        prop_assert_eq!(completed(&System { arities: vec![2, 2], edges, requirements: Vec::new() }), None);
        let steps = [&some, &other].map(|exprs| {
            edge(0, 0, 2, exprs.iter().cloned().map(Constraint::at_most_zero).collect())
        });
        let system = System { arities: vec![2], edges: steps.into(), requirements: Vec::new() };
        if let Some(certificate) = completed(&system) {
            prop_assert_eq!(check_ranking(&system, &certificate), Ok(()));
        }
    }
}
