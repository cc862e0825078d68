//! What is told of runs: what programs are started with, and the names of blocks.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::cli::{check, json, run};

/// One word leads to an error; when that happens, the program has written over it.
const GREETING: &str = "#include <string.h>\nint main(int argc, char **argv) {\n  \
                        char greeting[8];\n  if (argc < 2 || strcmp(argv[1], \"hi\") != 0)\n    \
                        return 1;\n  argv[1][0] = 'x';\n  greeting[8] = 0;\n  return 0;\n}\n";

#[test]
fn what_a_program_is_started_with_is_told_as_text() {
    let outcome = run(check("greeting.c", GREETING).1.args(["--property", "memsafety"])).output;
    assert!(outcome.contains("with `argv[1]` at 2:5 = \"hi\"\n"), "{outcome}");
    assert!(outcome.contains("memory: argv[1]: { text = \"xi\" }"), "{outcome}");
}

/// What makes the words that a program is started with has a loop that nobody wrote; a loop whose
/// head does nothing is one of the program.
#[test]
fn loops_of_the_program_are_told_and_no_others() {
    let text = "int main(int argc, char **argv) {\n  int n = 0;\n  for (int i = 1; i < argc; i++) \
                {\n    char *at = argv[i];\n    for (;;) {\n      if (!*at) break;\n      n++;\n      \
                at++;\n    }\n  }\n  return n > 9;\n}\n";
    let outcome = run(check("words.c", text).1.args(["--property", "termination"])).output;
    let lines = outcome.lines().filter_map(|it| it.trim().strip_prefix("loop at words.c:"));
    let places: Vec<&str> = lines.filter_map(|it| it.split(" in ").next()).collect();
    assert_eq!(places, ["3:3", "5:5"], "{outcome}");
}

#[test]
fn texts_keep_to_the_schema() {
    let arguments = ["--property", "memsafety", "--format", "json"];
    let report = json(&run(check("greeting.c", GREETING).1.args(arguments)).output);
    let failing = &report["results"][1]["evidence"]["failing_run"];
    assert_eq!(failing["inputs"][0]["name"], "argv[1]", "{report}");
    assert_eq!(failing["inputs"][0]["value"], "\"hi\"");
    let first = &failing["path"][0];
    assert_eq!(
        (&first["kind"], &first["message"]),
        (&"input".into(), &"`argv[1]` is \"hi\"".into())
    );
}
