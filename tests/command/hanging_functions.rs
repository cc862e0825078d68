//! Functions with pointers that are refuted, compiled with their callers and run: each hangs.
//!
//! `WANE_HANGING=300` tries more random functions, `WANE_SEED` others.

use crate::harness::{compiler_counts, what_is_shown};
use crate::random_numbers::Random;
use std::fs;
use std::process::Command;

const ITEM: &str = "struct item { struct item *next; int key; };\n";

/// Functions that hang for some callers, and what is to be said of them.
const KNOWN: [(&str, i32); 15] = [
    ("unsigned f(struct item *x) { unsigned n = 0; while (x) n++; return n; }", 1),
    ("void f(struct item *x, int k) { while (x && x->key != k) if (x->key > 0) x = x->next; }", 1),
    ("void f(char *s, char c) { while (*s != c) if (*s) s++; }", 1),
    (
        "unsigned f(short *a, long n) { unsigned s = 0; for (long i = 0; i < n;) s += a[i]; return s; }",
        1,
    ),
    ("static int *p;\nvoid f(struct item **x) { while (!p) *x = 0; }", 1),
    ("void f(int *t, int n, int k) { int i = 0; while (t[i] != k) i = (i + 1) % n; }", 3),
    ("void f(unsigned *c, unsigned n) { while (*c < n) *c *= 2; }", 3),
    ("extern void g(void);\nvoid f(char *s) { while (*s) g(); }", 3),
    ("void f(volatile char *s) { while (*s) ; }", 3),
    // Others may move meanwhile.
    ("int sched_yield(void);\nvoid f(int *done) { while (!*done) sched_yield(); }", 3),
    ("unsigned sleep(unsigned);\nvoid f(int *done) { while (!*done) sleep(1); }", 3),
    ("void f(int *done) { while (!__atomic_load_n(done, __ATOMIC_ACQUIRE)) ; }", 3),
    ("void f(int *done) { while (!*done) __sync_synchronize(); }", 3),
    ("void f(int *done) { while (!*done) __asm__ volatile(\"\" ::: \"memory\"); }", 3),
    ("void f(_Atomic int *done) { while (!*done) ; }", 3),
];

fn one_of<'a>(random: &mut Random, options: &[&'a str]) -> &'a str {
    options[random.below(options.len())]
}

/// A function with a loop that may go on without a step.
fn function(random: &mut Random) -> String {
    let (head, statements): (&str, &[&str]) = match random.below(3) {
        0 => (
            "void f(struct item *x, int k) { int n = 0; while (x && (x->key != k || n > 2))",
            &[
                "x = x->next;",
                "if (x->key < k) continue;",
                "if (x->key == 3) x = x->next;",
                "if (n > 1) break;",
                "n = (n + 1) & 7;",
                "x->key = k;",
                "if (x->next) x = x->next;",
            ],
        ),
        1 => (
            "void f(char *s, char c) { char *t = s; while (*t && *t != c)",
            &[
                "t++;",
                "if (*t == 'x') continue;",
                "if (t[1] == 0) *t = 0;",
                "if (t > s) t--;",
                "*s = c;",
                "if (*t > c) t++;",
            ],
        ),
        _ => (
            "void f(int *a, unsigned n) { unsigned i = 0; while (i < n)",
            &[
                "i++;",
                "if (a[i & 3] < 0) continue;",
                "n--;",
                "a[i & 3] = 1;",
                "if (a[0] > 5) i = n;",
                "if (a[1] == 2) break;",
            ],
        ),
    };
    let body: Vec<&str> = (0..1 + random.below(3)).map(|_| one_of(random, statements)).collect();
    format!("{head} {{ {} }} }}", body.join(" "))
}

/// What wane says of a function, and what the program of the test case says if there is one.
fn answered(function: &str) -> (i32, Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let (file, cases) = (folder.path().join("program.c"), folder.path().join("cases"));
    fs::write(&file, format!("{ITEM}{function}\n")).unwrap();
    let mut wane = Command::new(env!("CARGO_BIN_EXE_wane"));
    wane.args(["check", "-p", "termination", "--entry", "f", "--test-case"]).arg(&cases).arg(&file);
    let status = wane.output().unwrap().status.code().unwrap();
    let written = fs::read_dir(&cases).ok().and_then(|mut it| it.next());
    let shown = written.map(|it| {
        let harness = fs::read_to_string(it.unwrap().path()).unwrap();
        what_is_shown(&file, &harness, folder.path()).expect(function).0
    });
    (status, shown)
}

#[test]
fn functions_that_are_refuted_hang_when_their_callers_call_them() {
    if !compiler_counts() {
        return;
    }
    for (function, expected) in KNOWN {
        assert_eq!(answered(function).0, expected, "{function}");
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let mut random = Random(number("WANE_SEED").unwrap_or(1));
    let functions = (0..number("WANE_HANGING").unwrap_or(20)).map(|_| function(&mut random));
    let known = KNOWN.iter().map(|(function, _)| (*function).to_owned());
    let mut n_refuted = 0;
    for function in known.chain(functions) {
        let (status, shown) = answered(&function);
        assert_ne!(status, 2, "{function}");
        if status == 1 {
            n_refuted += 1;
            let shown = shown.expect("a refuted function that others can call has a caller");
            assert!(shown.contains("step count passed"), "{function}\n{shown}");
        }
    }
    assert!(n_refuted >= 8, "only {n_refuted} are refuted");
}
