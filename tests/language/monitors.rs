//! Corners of specifications and formulas in which something once went wrong.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use wane::analyze::{Source, Subject, read};
use wane::base::budget::Budget;
use wane::c::{Options, PreprocessedSource};
use wane::heap::shape::ShapeLibrary;
use wane::question::Question;
use wane::report::Answer::{self, Proved, Refuted, Unknown};

fn subject(text: &str) -> Subject {
    let source = PreprocessedSource { name: "a.c".to_owned(), text: text.to_owned() };
    read(Source::C(source), &Options::default()).unwrap()
}

fn specification(text: &str) -> Question {
    Question::Specification { file: "a.slic".to_owned(), text: text.to_owned() }
}

fn check(rows: &[(&str, Question, Answer)]) {
    let library = ShapeLibrary::builtin().unwrap();
    for (program, question, expected) in rows {
        let finding = subject(program).ask(question, &library, &mut Budget::of_steps(400_000));
        assert_eq!(finding.answer, *expected, "{question:?}\n{program}\n{}", finding.reason);
    }
}

fn ltl(text: &str) -> Question {
    Question::Ltl(text.to_owned())
}

/// What stands in a rule is C: names and comments with `set` in them owe nothing, and helper
/// functions may.
#[test]
fn only_calls_of_set_make_obligations() {
    let endless = "void f(void) {} int main(void) { for (;;) f(); }";
    let arm = "state { int n; void arm(int on) { if (on) set(); else unset(); } }
        acquire.exit { arm(1); } release.entry { arm(0); }";
    let rounds = "void acquire(void) {} void release(int n) {}
        int main(void) { for (;;) { acquire(); release(1); } }";
    check(&[
        (endless, specification("state { int offset = 0; } f.entry { offset = 1; }"), Refuted),
        (endless, specification("state { int n; } f.entry { /* set once */ n = 1; }"), Refuted),
        (rounds, specification(arm), Proved),
    ]);
}

/// `$1` is what was passed, at the end, too, whatever becomes of the parameter.
#[test]
fn parameters_keep_what_was_passed() {
    let watch = specification("f.exit { if ($1 == 5) error(); }");
    let assigned = "static void f(int k) { k = 5; } int main(void) { f(1); return 0; }";
    let written = "static void inc(int *p) { *p = 5; } static void f(int k) { inc(&k); }
        int main(void) { f(1); return 0; }";
    let passed = "static void inc(int *p) { *p = 6; } static void f(int k) { inc(&k); }
        int main(void) { f(5); return 0; }";
    let structure = "struct s { int a, b; };
        static struct s g(int n) { struct s v = {n, n + 1}; return v; }
        int main(void) { return g(3).a; }";
    check(&[
        (assigned, watch.clone(), Proved),
        (written, watch.clone(), Proved),
        (passed, watch, Refuted),
        (structure, specification("g.entry { if ($1 != 3) error(); }"), Proved),
        (structure, specification("g.entry { if ($1 == 3) error(); }"), Refuted),
    ]);
}

/// Names of the specification are its own, and parameters have types.
#[test]
fn what_cannot_be_watched_is_refused() {
    let mode =
        "int mode = 9; static void f(void) {} int main(void) { if (mode == 9) f(); return 0; }";
    let old = "int f(n) int n; { return n + 8; } int main(void) { return f(1); }";
    let rows = [
        (mode, specification("state { int mode = 0; } f.entry { error(); }"), "`mode` is declared"),
        (old, specification("f.exit { if ($return == 9) error(); }"), "`$return` is not declared"),
        (
            "void own(void) {} void other(void) __attribute__((alias(\"own\")));
            int main(void) { other(); return 0; }",
            specification("other.entry { error(); }"),
            "`other` is another name",
        ),
        (
            "int $obligation; int main(void) { return 0; }",
            specification("state {}"),
            "`$obligation`",
        ),
    ];
    for (program, question, expected) in rows {
        let problems = subject(program).understands(&question).unwrap_err();
        assert!(problems[0].message.contains(expected), "{}", problems[0].message);
    }
    // A function that the program does not know is never called.
    let unknown = specification("copy.entry { if ($3 > 4) error(); }");
    assert!(subject(mode).understands(&unknown).is_ok());
}

/// A rule for a function that the program lacks never applies: of that the user is warned, and
/// what such rules owe is what the specification is about.
#[test]
fn what_is_lacking_owes_nothing() {
    let endless = "void work(void) {} int main(void) { for (;;) work(); }";
    let missing = "wrok.entry { set(); } done.exit { unset(); }";
    check(&[
        (endless, specification(missing), Proved),
        (endless, specification("work.entry { set(); } done.exit { unset(); }"), Refuted),
        (endless, specification("wrok.entry { error(); }"), Refuted),
    ]);
    let library = ShapeLibrary::builtin().unwrap();
    let mut budget = Budget::of_steps(400_000);
    let finding = subject(endless).ask(&specification(missing), &library, &mut budget);
    let warnings: Vec<&str> = finding.warnings.iter().map(|it| it.message.as_str()).collect();
    let never = "is no function of the program: its rules never apply";
    let expected = [format!("`done` {never}"), format!("`wrok` {never}; did you mean `work`?")];
    assert_eq!(warnings, expected);
    assert_eq!(finding.warnings[1].location.column, Some(1));
}

/// A formula that is too large is no error of the call.
#[test]
fn large_formulas_are_left_open() {
    let parts: Vec<String> = (0..9).map(|n| format!("GF(x == {n} U y == {n})")).collect();
    check(&[("int x, y; int main(void) { return 0; }", ltl(&parts.join(" <-> ")), Unknown)]);
}

/// The word begins where `main` is called first.
#[test]
fn nothing_is_observed_before_main() {
    let before = "int x; __attribute__((constructor)) static void init(void) { x = 5; x = 1; }
        int main(void) { x = 2; return 0; }";
    let again = "void __VERIFIER_ltl_step(void); int x;
        int main(void) {
            if (x == 0) { __VERIFIER_ltl_step(); x = 1; return main(); }
            return 0;
        }";
    check(&[
        (before, ltl("x == 1"), Proved),
        (before, ltl("G x != 5"), Proved),
        (before, ltl("G x == 1"), Refuted),
        (again, ltl("G x == 0"), Proved),
        (again, ltl("F x == 1"), Refuted),
    ]);
}

/// A run that makes no more steps repeats the last one.
#[test]
fn words_of_steps_go_on_for_ever() {
    let one = "void __VERIFIER_ltl_step(void); int a;
        int main(void) { __VERIFIER_ltl_step(); for (;;) { } }";
    let none = "void __VERIFIER_ltl_step(void); int a;
        int main(void) { if (a) __VERIFIER_ltl_step(); for (;;) { } }";
    check(&[
        (one, ltl("X(a == 0)"), Proved),
        (one, ltl("true"), Proved),
        (one, ltl("F X(a == 1)"), Refuted),
        (none, ltl("a == 0"), Proved),
        (none, ltl("a == 1"), Refuted),
    ]);
}

/// Formulas may call functions of the program that repeat nothing.
#[test]
fn functions_in_formulas_are_not_observed() {
    let counts = "int x;
        int count(void) { int r = 0; for (int i = 0; i < x; i++) r++; return r; }
        int twice(void) { return x + x; }
        int main(void) { x = 1; return 0; }";
    check(&[
        (counts, ltl("F \"count() == 1\""), Unknown),
        (counts, ltl("F \"twice() == 2\""), Proved),
        (counts, ltl("G \"twice() < 2\""), Refuted),
    ]);
    for text in [
        "F main::x == 1",
        "G \"1) != 0; } int q(void) { return (1\"",
        "F \"x == 1; x == 2\"",
        "F \"(x\"",
    ] {
        assert!(wane::reduce::ltl::violations(text).is_err(), "{text}");
    }
}
