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
