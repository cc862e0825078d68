//! Integer transition systems: what the shape analysis leaves behind as text, and
//! such texts as input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::list_loops;

use list_loops::Arrangement;
use wane::analyze::{Source, Subject, read};
use wane::base::budget::Budget;
use wane::c::{DataModel, MallocModel, Options, PreprocessedSource};
use wane::heap::shape::ShapeLibrary;
use wane::ir::semantics::IntModel;
use wane::question::Question;
use wane::report::Answer;

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

fn c(text: &str) -> Subject {
    let source = PreprocessedSource { name: "a.c".to_owned(), text: text.to_owned() };
    read(Source::C(source), &options()).unwrap()
}

fn smt(text: &str) -> Source {
    Source::Smt { name: "a.smt2".to_owned(), text: text.to_owned() }
}

fn t2(text: &str) -> Source {
    Source::T2 { name: "a.t2".to_owned(), text: text.to_owned() }
}

fn is_proved(source: Source) -> bool {
    let subject = read(source, &options()).unwrap();
    let library = ShapeLibrary::builtin().unwrap();
    let finding = subject.ask(&Question::Termination, &library, &mut Budget::of_steps(100_000));
    finding.answer == Answer::Proved
}

fn emitted(subject: &Subject) -> Result<String, String> {
    subject.its_text(&ShapeLibrary::builtin().unwrap(), &mut Budget::of_steps(100_000))
}

/// The place and the message of the only problem.
fn problem(source: Source) -> String {
    let problems = read(source, &options()).unwrap_err();
    let [only] = problems.as_slice() else { panic!("{problems:?}") };
    format!("{}: {}", only.location.describe(), only.message)
}

const WALK: &str = "
typedef unsigned long size_t;
void *malloc(size_t size);
int input(void);
struct node { struct node *next; };
int main(void) {
    struct node *list = 0;
    while (input()) {
        struct node *cell = malloc(sizeof *cell);
        cell->next = list;
        list = cell;
    }
    return 0;
}
";

#[test]
fn a_loop_without_measure_leaves_its_system() {
    let text = emitted(&c(WALK)).unwrap();
    insta::with_settings!({ snapshot_path => "../../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("transition_system", text);
    });
    assert!(!is_proved(smt(&text)));
}

#[test]
fn what_is_printed_is_read_again() {
    for arrangement in [Arrangement::Functions, Arrangement::Blocks, Arrangement::Recursions] {
        let text = emitted(&c(&list_loops::program(arrangement, 2))).unwrap();
        assert!(is_proved(smt(&text)), "{text}");
    }
    let straight = emitted(&c("int main(void) { return 0; }")).unwrap();
    assert!(is_proved(smt(&straight)), "{straight}");
}

#[test]
fn where_something_may_go_wrong_there_is_no_system() {
    let message = emitted(&c("int *p;\nint main(void) { return *p; }")).unwrap_err();
    assert_eq!(
        message,
        "there is no transition system: a.c:2:25: a null pointer may be dereferenced here"
    );
}

/// A system with the locations `a` and `b`, the variable `x` and these steps.
fn system(steps: &str) -> String {
    format!(
        "; a comment
        (declare-sort Loc 0) (declare-const a Loc) (declare-const b Loc)
        (assert (distinct a b))
        (define-fun init_main ((pc Loc) (x Int)) Bool (cfg_init pc a true))
        (define-fun next_main ((pc Loc) (x Int) (pc1 Loc) (|x'| Int)) Bool
          (or (cfg_trans2 pc a pc1 b true) {steps}))"
    )
}

#[test]
fn conditions_mean_what_they_say() {
    let loops = |relation: &str| smt(&system(&format!("(cfg_trans2 pc b pc1 b {relation})")));
    assert!(is_proved(loops("(and (< 0 x) (= x' (- x 1)))")));
    assert!(is_proved(loops("(exists ((y Int)) (and (> y 0) (>= x y 0) (= x' (- x y))))")));
    assert!(is_proved(loops("(and (or (< 7 x 100) (<= 1 x 7)) (= x' (+ (- 1) x)))")));
    assert!(is_proved(loops("(not (=> (> x 0) (not (= x' (+ x (* 2 -1))))))")));
    assert!(is_proved(loops("false")));
    assert!(!is_proved(loops("true")));
    assert!(!is_proved(loops("(and (distinct x 0) (= x' (- x 1)))")));
    assert!(!is_proved(loops("(not (and (> x 0) (= x' (- x 1))))")));
}

#[test]
fn integers_have_no_bounds() {
    let up = "(cfg_trans2 pc b pc1 b (> x' x))";
    assert!(!is_proved(smt(&system(up))));
    assert!(!is_proved(t2("START: 1; FROM: 1; x := x + 1; assume(x > 0); TO: 1;")));
}

#[test]
fn assignments_come_in_order() {
    let count = "START: 1; CUTPOINT: 3;
        FROM: 1; AT(3, \"a.c \") x := nondet(); TO: 2;
        FROM: 2; assume(x > 0 && !(x == 5) || x >= 5); y := x - 1; x := y; TO: 2;
        FROM: 2; assume(-x >= 0); TO: done;";
    assert!(is_proved(t2(count)));
    assert!(!is_proved(t2(&count.replace("y := x - 1; x := y;", "x := y; y := x;"))));
    assert!(!is_proved(t2(&count.replace("x - 1", "x - nondet()"))));
}

/// A variable that only the formula speaks of has any value at first, and keeps it.
#[test]
fn formulas_may_have_variables_of_their_own() {
    let ask = |text: &str, formula: &str| {
        let library = ShapeLibrary::builtin().unwrap();
        let subject = read(t2(text), &options()).unwrap();
        let question = Question::Ctl(formula.to_owned());
        subject.ask(&question, &library, &mut Budget::of_steps(100_000)).answer
    };
    let rounds = "START: 1; FROM: 1; y := y + 1; TO: 1;";
    assert_eq!(ask(rounds, "EF(x == 7)"), Answer::Refuted);
    assert_eq!(ask(rounds, "x != 7 || AG(x == 7)"), Answer::Proved);
}

#[test]
fn bad_texts_have_a_place() {
    assert_eq!(problem(smt("(assert (distinct a b)\n")), "a.smt2:2:1: a parenthesis is not closed");
    assert_eq!(problem(smt("\n ) ")), "a.smt2:2:2: this parenthesis closes nothing");
    assert_eq!(problem(smt("")), "a.smt2:1:1: the text has no `cfg_init`");
    assert_eq!(
        problem(smt(&system("(cfg_trans2 pc b\npc1 c true)"))),
        "a.smt2:7:5: this location is not among those that are distinct"
    );
    assert_eq!(
        problem(smt(&system("(cfg_trans2 pc b pc1 b\n(< x (f x)))"))),
        "a.smt2:7:6: this operation is not read"
    );
    assert_eq!(
        problem(smt(&system("(cfg_trans2 pc b pc1 b\n(< x y))"))),
        "a.smt2:7:6: this name is not known here"
    );
    assert_eq!(problem(t2("START: 1;\nFROM 1;")), "a.t2:2:6: unexpected `1`");
    assert_eq!(problem(t2("START: 1;\n#")), "a.t2:2:1: this is no token of T2's format");
    assert_eq!(
        problem(t2("START: 5; FROM: 1; x := 0; TO: 2;")),
        "a.t2:1:8: no transition leaves or reaches the start `5`"
    );
    let huge = "9".repeat(60);
    assert_eq!(
        problem(t2(&format!("START: 1; FROM: 1; x := {huge}; TO: 1;"))),
        "a.t2:1:25: the number is too large"
    );
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    let deep = format!("{}{}", "(and ".repeat(100_000), ")".repeat(100_000));
    assert!(problem(smt(&deep)).ends_with("lists nest too deep here"));
    let text = format!("START: 1; FROM: 1; x := {}1", "-(".repeat(100_000));
    assert!(problem(t2(&text)).ends_with("the expression nests too deep here"));
}
