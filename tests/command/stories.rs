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

/// C leaves open which call comes first: that is told where the run depends on it, and only there.
#[test]
fn an_order_is_told_where_it_is_not_the_written_one() {
    for (last, is_told) in [(1, true), (2, false)] {
        let text = format!(
            "static int g;\nstatic int one(void) {{ g = 1; return 0; }}\n\
             static int two(void) {{ g = 2; return 0; }}\nint main(void) {{\n  \
             int s = one() + two();\n  while (g == {last}) ;\n  return s;\n}}\n"
        );
        let outcome = run(check("order.c", &text).1.args(["-p", "termination"])).output;
        assert!(outcome.starts_with("refuted"), "{outcome}");
        let told = "with order of evaluation at 5:11 = not as written";
        assert_eq!(outcome.contains(told), is_told, "{outcome}");
        assert_eq!(outcome.contains("order of evaluation"), is_told, "{outcome}");
    }
}

/// An argument is no input of the library, whatever it is called.
#[test]
fn arguments_are_told_by_their_names() {
    let text = "int up(int getchar, int argc) {\n  int i = 0;\n  while (i < getchar) i += argc;\n  \
                return i;\n}\n";
    let outcome = run(check("up.c", text).1.args(["-p", "termination"])).output;
    let told = "with argument `getchar` at 1:5 = 1, argument `argc` at 1:5 = 0";
    assert!(outcome.contains(told), "{outcome}");
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

/// However long the texts are of the run that was found first, what is told are the shortest ones
/// that do; what the library calls its own variables is not told.
#[test]
fn texts_are_as_short_as_will_do() {
    let text = "#include <string.h>\nint main(int argc, char **argv) {\n  for (int i = 1; i < argc; \
                i++) {\n    char word[4];\n    strcpy(word, argv[i]);\n  }\n  return 0;\n}\n";
    let outcome = run(check("short.c", text).1.args(["--property", "memsafety"])).output;
    assert!(outcome.contains("with `argv[1]` at 2:5 = \"aaaa\"\n"), "{outcome}");
    for inner in ["target", "source ", "length"] {
        assert!(!outcome.contains(inner), "{inner}: {outcome}");
    }
}

/// A run that never ends is given no more than what it needs to come to its loop.
#[test]
fn what_leads_to_an_endless_loop_is_as_little_as_will_do() {
    let told = |text: &str| run(check("hang.c", text).1.args(["-p", "termination"])).output;
    let text = told(
        "int main(int argc, char **argv) {\n  if (argc < 2) return 1;\n  char *p = argv[1];\n  \
         while (*p) {\n    if (*p == '/') continue;\n    p++;\n  }\n  return 0;\n}\n",
    );
    assert!(text.contains("with `argv[1]` at 1:5 = \"/\"\n"), "{text}");
    let counted = told(
        "#include <stdio.h>\nint main(void) {\n  int n, x, sum = 0;\n  if (scanf(\"%d\", &n) != 1) \
         return 1;\n  for (int i = 0; i < n; i++) {\n    if (scanf(\"%d\", &x) != 1) return 1;\n    \
         sum += x;\n  }\n  while (n != 0)\n    if (n > 5) n -= 2; else if (n != 3) n--;\n  \
         return sum;\n}\n",
    );
    assert!(counted.contains("`scanf` at 4:7 = 3, `scanf` at 6:9 = 0 (3 times)\n"), "{counted}");
}

/// What is chosen for a variable that has no value yet is told where something reads it, and by the
/// name of the variable.
#[test]
fn variables_without_a_value_are_told_of_where_they_are_read() {
    let text = |first: &str| {
        format!(
            "#include <stdio.h>\nint main(void) {{\n  int c{first}, n = 0, row[2];\n  for (;;) {{\n    \
             if (n > 0 || c == 7)\n      c = getchar();\n    row[n++] = c;\n    if (c == 'x')\n      \
             return 0;\n  }}\n}}\n"
        )
    };
    let told = |text: &str| run(check("row.c", text).1.args(["--property", "memsafety"])).output;
    let read = told(&text(""));
    assert!(read.contains("with `c` without a value at 3:7 = 0, `getchar` at 6:11 = "), "{read}");
    let written = told(
        "#include <stdio.h>\nint main(void) {\n  int c, row[2];\n  for (int n = 0; \
                        (c = getchar()) != 'x'; n++)\n    row[n] = c;\n  return 0;\n}\n",
    );
    assert!(written.contains("with `getchar` at 4:24 = \"aaa\"\n"), "{written}");
    assert!(!told(&text(" = 0")).contains("without a value"));
}

/// Memory that a run reads without a value of its own is told by its name, and by the call that
/// put there what stands there.
#[test]
fn memory_without_a_value_is_told_by_name() {
    let told = |text: &str| run(check("bytes.c", text).1.args(["-p", "memsafety"])).output;
    let main = |body: &str| {
        told(&format!(
            "#include <stdio.h>\n#include <string.h>\nstatic void set(int *p, int yes) {{ if (yes) *p = \
             1; }}\nint main(int argc, char **argv) {{\n{body}\n}}\n"
        ))
    };
    let local = main("  int x, row[4] = {0};\n  set(&x, argc > 2);\n  return row[x];");
    assert!(local.contains("`x` without a value at 7:14 = "), "{local}");
    let bytes = "  unsigned char b[8], c[16], row[4];\n  size_t n = fread(b, 1, 8, stdin);\n  ";
    let unread = main(&format!("{bytes}if (n > 2) return 1;\n  row[b[3]] = 1;\n  return 0;"));
    assert!(unread.contains("`b[3]` without a value at 8:7 = 97\n"), "{unread}");
    let read = main(&format!("{bytes}if (n < 8) return 1;\n  row[b[3]] = 1;\n  return 0;"));
    assert!(read.contains("`b[3]` from `fread` at 8:7 = 97\n"), "{read}");
    let copied = format!("{bytes}if (n < 8) return 1;\n  memcpy(c + 4, b, 8);\n");
    let copied = main(&format!("{copied}  row[c[9]] = 1;\n  return 0;"));
    assert!(copied.contains("`c[9]` from `fread` at 9:7 = 97\n"), "{copied}");
    let text = main("  char text[8], small[4];\n  strcpy(small, text);\n  return 0;");
    assert!(text.contains("`text` without a value at 6:3 = \"aaaa\"\n"), "{text}");
}

/// A word is told as text, with letters where any do, and which call a variable is of.
#[test]
fn words_are_told_as_text_and_variables_by_their_calls() {
    let text = "#include <stdio.h>\n#include <string.h>\nstatic int last(const char *s) {\n  int n = \
                (int)strlen(s);\n  return s[n - 2];\n}\nint main(void) {\n  char word[8];\n  while \
                (scanf(\"%7s\", word) == 1)\n    if (last(word) == 'y')\n      return 1;\n  return \
                0;\n}\n";
    let outcome = run(check("word.c", text).1.args(["--property", "memsafety"])).output;
    assert!(outcome.contains("with `scanf` at 9:10 = \"a\"\n"), "{outcome}");
    assert!(outcome.contains("memory: in `last`: s -> word, n = 1\n"), "{outcome}");
}

/// Of a library function one hears what it gives back, not what its model chooses; the block that is
/// lost stands there, and where it was made.
#[test]
fn library_functions_are_told_by_their_results_and_lost_blocks_are_shown() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n  char *copy = \
                malloc(5);\n  FILE *file = fopen(\"names\", \"r\");\n  if (!file) {\n    copy = \
                NULL;\n    return 1;\n  }\n  free(copy);\n  fclose(file);\n  putchar('x');\n  return \
                0;\n}\n";
    let outcome = run(check("names.c", text).1.args(["--property", "memsafety"])).output;
    assert!(outcome.contains("with `fopen` at 5:16 = null\n"), "{outcome}");
    let arguments = ["--property", "memsafety", "--format", "json"];
    let report = json(&run(check("names.c", text).1.args(arguments)).output);
    let inputs = &report["results"][1]["evidence"]["failing_run"]["inputs"];
    assert_eq!((&inputs[0]["name"], &inputs[0]["value"]), (&"fopen".into(), &"null".into()));
    assert!(outcome.contains("1. #1 of 5 bytes is allocated"), "{outcome}");
    assert!(outcome.contains("memory: #1 (lost): 5 bytes"), "{outcome}");
}

/// Elements that hold the same are one line, and what is left out is counted.
#[test]
fn long_rows_are_drawn_short() {
    let text = "struct row { int cell[16]; int used, end; };\nint main(void) {\n  struct row r = { { 0 \
                }, 0, 9 };\n  for (int i = 0; i < 16; i++)\n    r.cell[i] = i < 12 ? 7 : i;\n  \
                r.used = 16;\n  int *none = 0;\n  return *none + r.cell[r.used - 1];\n}\n";
    let outcome = run(check("long.c", text).1.args(["--property", "memsafety"])).output;
    let drawn = "r: { cell[0..11] = 7, cell[12] = 12, cell[13] = 13, cell[14] = 14, cell[15] = 15, used \
                 = 16, end = 9 }";
    assert!(outcome.contains(drawn), "{outcome}");
}

/// That there is something to be read goes without saying where what is read is told; a format for
/// compilers' readers tells what the run is given, too.
#[test]
fn what_is_read_is_told_once() {
    let text = "#include <stdio.h>\nint main(void) {\n  int age;\n  if (scanf(\"%d\", &age) != 1)\n    \
                return 1;\n  int *none = 0;\n  return age > 150 ? *none : 0;\n}\n";
    let arguments = ["--property", "memsafety", "--format", "gcc"];
    let outcome = run(check("age.c", text).1.args(arguments)).output;
    let note = "age.c:7:22: note: this happens after ";
    let line = outcome.lines().find(|it| it.starts_with(note)).unwrap_or_default();
    assert!(line.ends_with("with `scanf` at 4:7 = 151"), "{outcome}");
}

/// A story of a loss ends where the block is lost, whatever the program does afterwards.
#[test]
fn a_loss_is_shown_when_it_happens() {
    let text = "#include <stdlib.h>\nint main(void) {\n  int stage = 1;\n  char *copy = \
                malloc(5);\n  copy = NULL;\n  for (stage = 2; stage < 40; stage++)\n    free(copy);\n  \
                return 0;\n}\n";
    let outcome = run(check("stage.c", text).1.args(["--property", "memsafety"])).output;
    assert!(outcome.contains("stage = 1, copy = null"), "{outcome}");
    assert!(outcome.contains("memory: #1 (lost): 5 bytes"), "{outcome}");
}

/// What the program does not look at is not told, nor what wane needs for itself: results of
/// functions that write, whether equal literals are one object, blocks without room.
#[test]
fn what_nobody_looks_at_is_not_told() {
    let text = "#include <stdio.h>\nstruct row { int cell[4]; int end; };\nint main(void) {\n  struct \
                row r = { { 0 }, 0 };\n  const char *one = \"same\", *other = \"same\";\n  \
                putchar('x');\n  puts(one);\n  \
                const char *at = one;\n  while (at != one + 2)\n    at++;\n  for (int i = 0; i <= 4; i++)\n    r.cell[i] = \
                other[0];\n  return r.end;\n}\n";
    let outcome = run(check("row.c", text).1.args(["--property", "memsafety"])).output;
    assert!(outcome.contains("error[W003]") && outcome.contains("cell[0..3] = 115"), "{outcome}");
    for hidden in ["`putchar` at", "`puts` at", "sharing of", "0 bytes"] {
        assert!(!outcome.contains(hidden), "{hidden}: {outcome}");
    }
}

/// The facts of a loop are about the program: not about what a stream keeps for itself, nor about
/// texts that never change.
#[test]
fn facts_of_a_loop_are_about_the_program() {
    let text = "#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n  int c, n = 0;\n  do\n    c \
                = getchar();\n  while (c != '\\n');\n  while (access(\"/tmp/lock\", F_OK) == 0)\n    \
                n ^= 1;\n  return 0;\n}\n";
    let outcome = run(&mut check("wait.c", text).1).output;
    assert!(outcome.contains("error[W050]"), "{outcome}");
    assert!(!outcome.contains("byte ") && !outcome.contains("path["), "{outcome}");
}

/// Words that must be the same stay so when they become letters.
#[test]
fn the_same_words_become_the_same_letters() {
    let text = "#include <stdio.h>\n#include <string.h>\nint main(void) {\n  char one[8], other[8];\n  \
                if (scanf(\"%7s\", one) != 1)\n    return 0;\n  if (scanf(\"%7s\", other) != 1)\n    \
                return 0;\n  int *none = 0;\n  return strcmp(one, other) == 0 ? *none : 0;\n}\n";
    let outcome = run(check("twice.c", text).1.args(["--property", "memsafety"])).output;
    let told = "with `scanf` at 5:7 = \"a\", `scanf` at 7:7 = \"a\"\n";
    assert!(outcome.contains(told), "{outcome}");
}
