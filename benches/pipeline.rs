//! The stages of the way from C text to a checked proof.
#![allow(clippy::unwrap_used, reason = "a benchmark on fixed input")]

#[path = "../tests/support/call_programs.rs"]
mod call_programs;
#[path = "../tests/support/crowd_programs.rs"]
mod crowd_programs;
#[path = "../tests/support/driver_programs.rs"]
mod driver_programs;
#[path = "../tests/support/list_loops.rs"]
mod list_loops;
#[path = "../tests/support/liveness_drivers.rs"]
mod liveness_drivers;

use std::hint::black_box;

use call_programs::{calls_in_a_row, levels};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use crowd_programs::{Crowd, Main};
use list_loops::Arrangement;
use wane::analyze::{Source, read};
use wane::base::budget::Budget;
use wane::c::{DataModel, MallocModel, Options, PreprocessedSource};
use wane::entail::entailment::entail;
use wane::evidence::place::Place;
use wane::heap::assertion;
use wane::heap::fold_precision::FoldPrecision;
use wane::heap::shape::ShapeLibrary;
use wane::ir::semantics::IntModel;
use wane::ir::{BlockId, text};
use wane::obligation::{Goal, Obligation};
use wane::question::Question;
use wane::report::Answer;
use wane::rules::eval::Context;
use wane::rules::forgetting::tidy;
use wane::sonar::Machine;
use wane::sonar::abstraction::folded;

/// C without directives, so that no preprocessor is measured.
const REVERSE: &str = "
typedef unsigned long size_t;
void *malloc(size_t size);
void free(void *block);
int input(void);

struct node { int value; struct node *next; };

static struct node *build(int length) {
    struct node *list = 0;
    for (int i = 0; i < length; i++) {
        struct node *cell = malloc(sizeof *cell);
        cell->value = i;
        cell->next = list;
        list = cell;
    }
    return list;
}

int main(void) {
    struct node *rest = build(input());
    struct node *done = 0;
    while (rest) {
        struct node *next = rest->next;
        rest->next = done;
        done = rest;
        rest = next;
    }
    while (done) {
        struct node *next = done->next;
        free(done);
        done = next;
    }
    return 0;
}
";

const NESTED: &str = "
int input(void);

int main(void) {
    int n = input(), sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            sum += j;
    return sum;
}
";

const RECURSION: &str = "
int input(void);

static int ackermann(int m, int n) {
    if (m <= 0)
        return n + 1;
    if (n <= 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) { return ackermann(input(), input()); }
";

/// Three pointers for assertions to speak of, and a step along a list.
const STEP: &str = "
global x: ptr, y: ptr, z: ptr

procedure main() {
start:
  x := [x : ptr]
  goto after
after:
  halt
}

entry main
";

fn options() -> Options {
    Options {
        data_model: DataModel::Lp64,
        int_model: IntModel::Math,
        malloc: MallocModel::Succeeds,
        input: wane::c::Input::Ends,
        entry: None,
        ..Options::default()
    }
}

fn source(text: &str) -> Source {
    Source::C(PreprocessedSource { name: "bench.c".to_owned(), text: text.to_owned() })
}

fn parsing(criterion: &mut Criterion) {
    let options = options();
    criterion.bench_function("parse/c/reverse", |bench| {
        bench.iter(|| read(black_box(source(REVERSE)), &options).unwrap());
    });
    let goto = read(source(REVERSE), &options).unwrap().goto_text().unwrap();
    criterion.bench_function("parse/goto/reverse", |bench| {
        bench.iter(|| text::parse("bench.goto", black_box(&goto)).unwrap());
    });
}

fn entailment(criterion: &mut Criterion) {
    let library = ShapeLibrary::builtin().unwrap();
    let program = text::parse("bench.goto", STEP).unwrap().program;
    let state =
        |text: &str| assertion::parse(text, &program, program.entry, &library).unwrap().state;
    let have = state("k = j + 1 & ls[i](x, y) * ls[j](y, z) * ls[k](z, 0)");
    let want = state("k >= j & ls[i](x, y) * ls[j](y, z) * ls[k](z, 0)");
    criterion.bench_function("entail/three_segments", |bench| {
        bench.iter(|| entail(black_box(&have), black_box(&want), &library).is_some());
    });
}

/// Rearrange, execute, abstract: CAV'06 §3.
fn one_step(criterion: &mut Criterion) {
    let library = ShapeLibrary::builtin().unwrap();
    let program = text::parse("bench.goto", STEP).unwrap().program;
    let obligation = Obligation::new(&program, Goal::Ends);
    let machine = Machine::new(&obligation, &library);
    let formula = "ls[j](y, x) * ls[i](x, 0)";
    let start = assertion::parse(formula, &program, program.entry, &library).unwrap().state;
    let load = &program.procedure(program.entry).block(BlockId(0)).commands[0].command;
    let after = Place::start(program.entry).moved(BlockId(1), 0);
    criterion.bench_function("step/load_next", |bench| {
        bench.iter(|| {
            let loaded = Context::new(&machine).execute(black_box(start.clone()), load);
            let tidied = loaded.into_iter().filter_map(|state| tidy(&machine, state, &after));
            let mut budget = Budget::of_steps(u64::MAX);
            tidied
                .map(|state| {
                    folded(&machine, (&after, state), FoldPrecision::KeepOwned, &mut budget)
                })
                .collect::<Vec<_>>()
        });
    });
}

fn whole_programs(criterion: &mut Criterion) {
    let library = ShapeLibrary::builtin().unwrap();
    for (name, text) in [("reverse", REVERSE), ("nested", NESTED), ("ackermann", RECURSION)] {
        let subject = read(source(text), &options()).unwrap();
        let ask =
            || subject.ask(&Question::Termination, &library, &mut Budget::of_steps(1_000_000));
        assert_eq!(ask().answer, Answer::Proved);
        criterion.bench_function(&format!("prove/{name}"), |bench| bench.iter(ask));
    }
}

/// Independent loops: time should grow linearly.
fn many_loops(criterion: &mut Criterion) {
    let library = ShapeLibrary::builtin().unwrap();
    let mut group = criterion.benchmark_group("loops");
    group.sample_size(10);
    for arrangement in [Arrangement::Functions, Arrangement::Blocks, Arrangement::Recursions] {
        for n in [1, 2, 4, 8, 16, 32, 64, 128] {
            let subject = read(source(&list_loops::program(arrangement, n)), &options()).unwrap();
            let ask =
                || subject.ask(&Question::Termination, &library, &mut Budget::of_steps(10_000_000));
            assert_eq!(ask().answer, Answer::Proved);
            group.throughput(Throughput::Elements(n as u64));
            let name = format!("{arrangement:?}");
            group.bench_function(BenchmarkId::new(name, n), |bench| bench.iter(ask));
        }
    }
    group.finish();
}

/// Dispatch functions of about 850 lines each: time should grow linearly.
fn drivers(criterion: &mut Criterion) {
    let library = ShapeLibrary::builtin().unwrap();
    let mut group = criterion.benchmark_group("drivers");
    group.sample_size(10);
    for n in [10, 20, 40] {
        let subject = read(source(&driver_programs::program(n, 212)), &options()).unwrap();
        let ask =
            || subject.ask(&Question::Termination, &library, &mut Budget::of_steps(100_000_000));
        assert_eq!(ask().answer, Answer::Proved);
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(BenchmarkId::new("functions", n), |bench| bench.iter(ask));
    }
    group.finish();
}

/// Chains of calls, diamonds of them, and one function that is called often: time should grow
/// linearly with the number of calls that are written.
fn calls(criterion: &mut Criterion) {
    let library = ShapeLibrary::builtin().unwrap();
    let mut group = criterion.benchmark_group("calls");
    group.sample_size(10);
    let chains = [4, 16, 64, 400].map(|n| ("chain", n, levels(n, 1)));
    let diamonds = [7, 14, 28].map(|n| ("diamond", n, levels(n, 2)));
    let rows = [100, 800, 3_200].map(|n| ("row", n, calls_in_a_row(n)));
    for (name, n, text) in chains.into_iter().chain(diamonds).chain(rows) {
        let subject = read(source(&text), &options()).unwrap();
        let ask =
            || subject.ask(&Question::Termination, &library, &mut Budget::of_steps(10_000_000));
        assert_eq!(ask().answer, Answer::Proved);
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(BenchmarkId::new(name, n), |bench| bench.iter(ask));
    }
    group.finish();
}

/// Drivers with specifications, of 1,000 to 20,000 lines (POPL'07, Tables 1 to 4): time should
/// grow linearly, for proofs and for refutations.
fn specifications(criterion: &mut Criterion) {
    let library = ShapeLibrary::builtin().unwrap();
    let mut group = criterion.benchmark_group("specifications");
    group.sample_size(10);
    let cares = [
        (liveness_drivers::FoldPrecision::Careful, Answer::Proved),
        (liveness_drivers::FoldPrecision::Careless, Answer::Refuted),
    ];
    for kind in liveness_drivers::ALL {
        for (care, expected) in cares {
            for n in [19, 38, 94, 189, 378] {
                let text = liveness_drivers::program(kind, care, n);
                let n_lines = text.lines().count();
                let subject = read(source(&text), &Options::default()).unwrap();
                let (file, text) = ("driver.slic".to_owned(), kind.specification());
                let question = Question::Specification { file, text };
                let ask =
                    || subject.ask(&question, &library, &mut Budget::of_steps(20_000_000)).answer;
                assert_eq!(ask(), expected, "{kind:?} {care:?} {n}");
                group.throughput(Throughput::Elements(n_lines as u64));
                let id = BenchmarkId::new(format!("{kind:?} {care:?}"), n_lines);
                group.bench_function(id, |bench| bench.iter(ask));
            }
        }
    }
    group.finish();
}

/// Producers, consumers and closers, 2 to 128 of them and up to six more kinds: time should
/// not depend on how many threads there are, and grow linearly with their kinds.
fn crowds(criterion: &mut Criterion) {
    let library = ShapeLibrary::builtin().unwrap();
    let mut group = criterion.benchmark_group("crowds");
    group.sample_size(10);
    let many = [2, 8, 32, 128].map(|n_threads| (n_threads, 0, Main::Loop));
    let kinds = [2, 4, 6].map(|n_more_kinds| (64, n_more_kinds, Main::Line));
    for (closes, expected) in [(true, Answer::Proved), (false, Answer::Refuted)] {
        for (n_threads, n_more_kinds, main) in many.into_iter().chain(kinds) {
            let crowd = Crowd { n_threads, n_more_kinds, closes, main };
            let text = preprocessed(&crowd.text());
            let subject = read(source(&text), &options()).unwrap();
            let question = Question::ThreadTermination("consumer".to_owned());
            let ask = || subject.ask(&question, &library, &mut Budget::of_steps(20_000_000)).answer;
            assert_eq!(ask(), expected, "{crowd:?}");
            let id = format!("{expected:?} of {} kinds", n_more_kinds + 3);
            group.bench_function(BenchmarkId::new(id, n_threads), |bench| bench.iter(ask));
        }
    }
    group.finish();
}

/// The program as the bench's parser wants it: without directives.
fn preprocessed(text: &str) -> String {
    let declared = "typedef unsigned long pthread_t;
typedef struct { int state[10]; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
";
    let text = text.replace("#include <pthread.h>\n", declared);
    text.replace(" = PTHREAD_MUTEX_INITIALIZER", "")
}

criterion_group!(
    benches,
    crowds,
    parsing,
    entailment,
    one_step,
    whole_programs,
    many_loops,
    drivers,
    calls,
    specifications
);
criterion_main!(benches);
