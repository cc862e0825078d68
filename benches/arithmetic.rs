//! Exact arithmetic on inputs of the size that the shape analysis asks about.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use wane::descent::certificate::check_ranking;
use wane::descent::{Relation, System};
use wane::logic::{Constraint, Integer, LinearExpr, Var, simplex};
use wane::numeric::Polyhedron;
use wane::rank::affine::rank_relation;
use wane::rank::well_founded;

/// A fixed pseudo-random sequence, the same in every run.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = u64::try_from(high - low + 1).unwrap_or(1);
        low + i64::try_from(self.below(width)).unwrap_or(0)
    }
}

fn var(index: u64) -> LinearExpr {
    LinearExpr::var(Var(u32::try_from(index).unwrap_or(0)))
}

/// What a state at a cutpoint looks like: depths at least 1, sums of depths,
/// counters within the range of `int`, some differences.
fn state(n_variables: u64, n_constraints: usize, seed: u64) -> Vec<Constraint> {
    let mut random = Sequence(seed);
    let mut constraints: Vec<Constraint> =
        (0..n_variables / 2).map(|v| Constraint::ge(var(v), 1)).collect();
    constraints.push(Constraint::le(var(0), 2_147_483_647));
    constraints.push(Constraint::eq(var(1), var(2) + var(3)));
    while constraints.len() < n_constraints {
        let (u, v, w) =
            (random.below(n_variables), random.below(n_variables), random.below(n_variables));
        let bound = random.between(0, 5);
        constraints.push(match random.below(4) {
            0 => Constraint::le(var(u), var(v).add_constant(bound)),
            1 => Constraint::le(var(u) + var(v), var(w).add_constant(10 * bound)),
            2 => Constraint::eq(var(u), var(v).add_constant(1_i64)),
            _ => Constraint::le(var(u), 100 + bound),
        });
        if simplex::is_surely_unsat(&constraints) {
            constraints.pop();
        }
    }
    constraints
}

fn queries(n_variables: u64, seed: u64) -> Vec<Constraint> {
    let mut random = Sequence(seed);
    let one = |_| {
        let (u, v) = (random.below(n_variables), random.below(n_variables));
        Constraint::le(var(u), var(v).add_constant(random.between(-1, 200)))
    };
    (0..32).map(one).collect()
}

fn entailment(criterion: &mut Criterion) {
    for (n_variables, n_constraints) in [(6, 8), (12, 18), (24, 30)] {
        let premises: Vec<_> =
            (1..17).map(|seed| state(n_variables, n_constraints, seed)).collect();
        let polyhedra: Vec<_> = premises.iter().map(|p| Polyhedron::of(p.clone())).collect();
        let asked = queries(n_variables, 7);
        let mut next = 0;
        let mut pick = move || {
            next = (next + 1) % 512;
            (next / 32, next % 32)
        };
        let size = format!("{n_variables}x{n_constraints}");
        criterion.bench_function(&format!("entails/slice/{size}"), |bencher| {
            bencher.iter_batched(
                &mut pick,
                |(p, q)| simplex::is_surely_entailed(&premises[p], black_box(&asked[q])),
                BatchSize::SmallInput,
            );
        });
        let mut next = 0;
        criterion.bench_function(&format!("entails/polyhedron/{size}"), |bencher| {
            bencher.iter(|| {
                next = (next + 1) % 512;
                polyhedra[next / 32].entails(black_box(&asked[next % 32]))
            });
        });
        let mut next = 0;
        criterion.bench_function(&format!("build_and_test_emptiness/{size}"), |bencher| {
            bencher.iter(|| {
                next = (next + 1) % 16;
                Polyhedron::of(premises[next].iter().cloned()).is_empty()
            });
        });
    }
}

fn lattice(criterion: &mut Criterion) {
    for (n_variables, n_constraints) in [(6, 8), (12, 18), (24, 30)] {
        let polyhedra: Vec<_> =
            (1..17).map(|seed| Polyhedron::of(state(n_variables, n_constraints, seed))).collect();
        let size = format!("{n_variables}x{n_constraints}");
        let mut next = 0;
        criterion.bench_function(&format!("join/{size}"), |bencher| {
            bencher.iter(|| {
                next = (next + 1) % 16;
                polyhedra[next].join(black_box(&polyhedra[(next + 1) % 16]))
            });
        });
        let mut next = 0;
        criterion.bench_function(&format!("join_after_step/{size}"), |bencher| {
            bencher.iter(|| {
                next = (next + 1) % 16;
                let mut after = polyhedra[next].clone();
                after.assign(Var(0), &var(0).add_constant(1_i64));
                polyhedra[next].join(black_box(&after))
            });
        });
        let mut next = 0;
        criterion.bench_function(&format!("project_half/{size}"), |bencher| {
            bencher.iter(|| {
                next = (next + 1) % 16;
                polyhedra[next].project_onto(black_box(&|v| v.0 % 2 == 0))
            });
        });
        let mut next = 0;
        criterion.bench_function(&format!("widen/{size}"), |bencher| {
            bencher.iter(|| {
                next = (next + 1) % 16;
                polyhedra[next].widen(black_box(&polyhedra[(next + 1) % 16]), &[])
            });
        });
    }
}

fn numbers(criterion: &mut Criterion) {
    let small = (Integer::from(123_456), Integer::from(-789));
    let big = (Integer::from(i64::MAX) * Integer::from(3), Integer::from(17));
    criterion.bench_function("integer/multiply_small", |bencher| {
        bencher.iter(|| black_box(&small.0) * black_box(&small.1));
    });
    criterion.bench_function("integer/multiply_big", |bencher| {
        bencher.iter(|| black_box(&big.0) * black_box(&big.1));
    });
}

/// Steps that move one of `n` counters down and the next one anywhere, which
/// needs a tuple of length `n`; with `endless` one step changes nothing.
fn counters(n: u32, endless: Option<Relation>) -> System {
    let mut steps: Vec<Relation> =
        (0..n)
            .map(|falling| {
                let (before, after) =
                    (LinearExpr::var(Var(falling)), LinearExpr::var(Var(100 + falling)));
                let mut constraints = vec![
                    Constraint::ge(&before, 1),
                    Constraint::eq(after, before.add_constant(-1_i64)),
                ];
                let stable = (0..n).filter(|v| *v != falling && *v != falling + 1);
                constraints.extend(stable.map(|v| {
                    Constraint::eq(LinearExpr::var(Var(100 + v)), LinearExpr::var(Var(v)))
                }));
                constraints.extend((0..n).map(|v| Constraint::ge(LinearExpr::var(Var(v)), 0)));
                Relation {
                    pre: (0..n).map(Var).collect(),
                    post: (100..100 + n).map(Var).collect(),
                    constraints,
                }
            })
            .collect();
    steps.extend(endless);
    System::repeating(steps)
}

fn ranking(criterion: &mut Criterion) {
    for n in [2, 4, 8] {
        let single = counters(n, None).edges[0].relation.clone();
        criterion.bench_function(&format!("rank/affine/{n}"), |bencher| {
            bencher.iter(|| rank_relation(black_box(&single)));
        });
        let tuple = counters(n, None);
        criterion.bench_function(&format!("rank/lexicographic/{n}"), |bencher| {
            bencher.iter(|| well_founded(black_box(&tuple)));
        });
        let mut idle = single.clone();
        idle.constraints = (0..n)
            .map(|v| Constraint::eq(LinearExpr::var(Var(100 + v)), LinearExpr::var(Var(v))))
            .collect();
        let endless = counters(n, Some(idle.clone()));
        criterion.bench_function(&format!("rank/no_affine/{n}"), |bencher| {
            bencher.iter(|| rank_relation(black_box(&idle)));
        });
        criterion.bench_function(&format!("rank/none/{n}"), |bencher| {
            bencher.iter(|| well_founded(black_box(&endless)));
        });
        if let Some(certificate) = well_founded(&tuple) {
            criterion.bench_function(&format!("rank/check/{n}"), |bencher| {
                bencher.iter(|| check_ranking(black_box(&tuple), &certificate));
            });
        }
    }
}

criterion_group!(benches, numbers, entailment, lattice, ranking);
criterion_main!(benches);
