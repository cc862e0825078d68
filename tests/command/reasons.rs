//! Why there is no answer, in words that are about the program.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::cli::{check, run};

fn told(text: &str) -> String {
    run(check("reason.c", text).1.args(["-p", "memsafety"])).output
}

/// Whatever goes wrong inside a function of the library: a person knows the call, and what the
/// function asks of it.
#[test]
fn reasons_inside_the_library_are_about_the_call() {
    let main = |body: &str| {
        told(&format!(
            "#include <stdio.h>\n#include <string.h>\nstruct row {{ char name[16]; int score; }};\nint \
             main(void) {{\n  struct row rows[10];\n  char line[64];\n  int n = 0;\n  while (n < 10 && \
             fgets(line, sizeof line, stdin)) {{\n    char *end = strchr(line, ':');\n    if (!end) \
             continue;\n    *end = 0;\n    {body}\n    n++;\n  }}\n  return 0;\n}}\n"
        ))
    };
    let copied = main("strcpy(rows[n].name, line);");
    let place = "the call of `strcpy` may access memory out of bounds: the target needs room for the \
                 text and its zero\n  --> reason.c:12:5";
    assert!(copied.contains(place), "{copied}");
    let bytes = main("memcpy(rows[n].name, line, strlen(line) + 1);");
    let place = "this access may be out of bounds: both objects need as many bytes as are copied\n  \
                 --> reason.c:12:5";
    assert!(bytes.contains(place), "{bytes}");
    let printed = main("snprintf(line, sizeof line, \"%s\", end);");
    assert!(printed.contains("[W009]: the call of `snprintf` may make a copy"), "{printed}");
    assert!(!printed.contains("not modelled"), "{printed}");
}

/// A long call is no recursion.
#[test]
fn calls_that_are_not_followed_are_told_as_calls() {
    let text = told(
        "struct up { int value; struct up *next; };\nstatic int depth(struct up *caller, int n) {\n  struct \
         up own = { n, caller };\n  if (n > 0)\n    return depth(&own, n - 1);\n  int sum = 0;\n  for \
         (struct up *it = &own; it; it = it->next)\n    sum += it->value;\n  return sum;\n}\nint main(int \
         argc, char **argv) {\n  return depth(0, argc);\n}\n",
    );
    let reason = "[W021]: the call of `depth` is not followed: it sees local variables of several \
                  callers\n --> reason.c:5:12";
    assert!(text.contains(reason), "{text}");
}

/// What is repeated has its name: a function without loops can repeat itself only.
#[test]
fn recursion_is_no_loop() {
    let told = |text: &str| run(check("reason.c", text).1.args(["-p", "termination"])).output;
    let recursion = told("int half(int n) {\n  return n == 0 ? 0 : half(n - 2);\n}\n");
    assert!(recursion.contains("[W035]: this recursion may go on until"), "{recursion}");
    assert!(recursion.contains("no measure was found that this recursion"), "{recursion}");
    let repeated = told("int main(void) {\n  for (int i = 0; i >= 0; i++) ;\n}\n");
    assert!(repeated.contains("[W035]: this loop may go on until"), "{repeated}");
}
