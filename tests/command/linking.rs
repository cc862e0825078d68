//! Files that are given together are one program, and a program without `main` is entered at
//! each of its functions.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::folder;

use assert_cmd::Command;
use folder::folder;
use serde_json::Value;

/// What `wane check` says of all these files: status, output, errors.
fn check(files: &[(&str, &str)], arguments: &[&str]) -> (i32, String, String) {
    let folder = folder(files);
    let mut command = Command::new(env!("CARGO_BIN_EXE_wane"));
    command.env("NO_COLOR", "1").current_dir(folder.path()).arg("check");
    let names = files.iter().map(|(name, _)| *name).filter(|name| !name.ends_with(".h"));
    let output = command.args(names).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// `entry property verdict` of each answer.
fn verdicts(files: &[(&str, &str)], arguments: &[&str]) -> Vec<String> {
    let (_, output, errors) = check(files, &[&["--format", "json"], arguments].concat());
    let report: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(report["errors"], Value::Array(Vec::new()), "{errors}");
    let word = |result: &Value, field: &str| result[field].as_str().unwrap().to_owned();
    let results = report["results"].as_array().unwrap().iter();
    results
        .map(|it| ["file", "entry", "property", "verdict"].map(|field| word(it, field)).join(" "))
        .collect()
}

#[test]
fn a_body_in_another_file_is_followed() {
    let main = "void g(void);\nint main(void) { g(); return 0; }\n";
    let endless = ("b.c", "void g(void) { for (;;) ; }\n");
    let ended = ("b.c", "void g(void) { for (int i = 0; i < 9; i++) ; }\n");
    let asked = ["--property", "termination"];
    assert_eq!(verdicts(&[("a.c", main), endless], &asked), ["a.c main termination false"]);
    assert_eq!(verdicts(&[("a.c", main), ended], &asked), ["a.c main termination true"]);
    // The order of files makes no difference.
    assert_eq!(
        verdicts(&[("z.c", endless.1), ("a.c", main)], &asked),
        ["a.c main termination false"]
    );
}

#[test]
fn what_is_static_belongs_to_its_file() {
    let main = "int next(void);\nextern void reach_error(void);\nstatic int step = 1;\n\
                static int own(void) { return step; }\n\
                int main(void) { if (own() != 1 || next() != 5) reach_error(); return 0; }\n";
    let other = "static int step = 5;\nstatic int own(void) { return step; }\nint next(void) { return own(); }\n";
    let files = [("a.c", main), ("b.c", other)];
    assert_eq!(verdicts(&files, &["--property", "reach"]), ["a.c main reach true"]);
    let files = [("a.c", main), ("b.c", &other.replace('5', "6"))];
    assert_eq!(verdicts(&files, &["--property", "reach"]), ["a.c main reach false"]);
}

const LIST_H: &str = "struct node { struct node *next; int value; };\ntypedef struct { struct node *head; } list;\n\
                      void push(list *it, int value);\nvoid drop(list *it);\n";

#[test]
fn structures_of_a_header_are_the_same_in_all_files() {
    let list = "#include \"list.h\"\n#include <stdlib.h>\n\
        void push(list *it, int value) {\n  struct node *node = malloc(sizeof *node);\n  \
        node->value = value;\n  node->next = it->head;\n  it->head = node;\n}\n\
        void drop(list *it) {\n  while (it->head) {\n    struct node *next = it->head->next;\n    \
        free(it->head);\n    it->head = next;\n  }\n}\n";
    let main = "#include \"list.h\"\nint main(int argc, char **argv) {\n  list it = { 0 };\n  \
        for (int i = 0; i < argc; i++) push(&it, i);\n  drop(&it);\n  return 0;\n}\n";
    let files = [("list.h", LIST_H), ("list.c", list), ("main.c", main)];
    let asked = ["--property", "termination,memsafety"];
    let wanted = ["main.c main termination true", "main.c main memsafety true"];
    assert_eq!(verdicts(&files, &asked), wanted);
    let lost = list.replace("free(it->head);", "");
    let files = [("list.h", LIST_H), ("list.c", lost.as_str()), ("main.c", main)];
    assert_eq!(verdicts(&files, &asked)[1], "main.c main memsafety false");
}

#[test]
fn structures_of_one_tag_may_differ() {
    let main = "struct s { int a; };\nint other(void);\nextern void reach_error(void);\n\
        int main(void) {\n  struct s s = { 1 };\n  if (sizeof s != 4 || other() != 24 + s.a) reach_error();\n  return 0;\n}\n";
    let other = "struct s;\nstruct list { struct s *first; };\nstruct s { long a, b, c; };\n\
        int other(void) { struct s s = { 0, 0, 1 }; struct list list = { &s }; return sizeof s + list.first->c; }\n";
    let files = [("a.c", main), ("b.c", other)];
    assert_eq!(verdicts(&files, &["--property", "reach"]), ["a.c main reach true"]);
}

#[test]
fn tentative_definitions_are_one_variable() {
    let main = "int shared;\nvoid set(void);\nextern void reach_error(void);\n\
        int main(void) { set(); if (shared != 3) reach_error(); return 0; }\n";
    let files = [("a.c", main), ("b.c", "int shared;\nvoid set(void) { shared = 3; }\n")];
    assert_eq!(verdicts(&files, &["--property", "reach"]), ["a.c main reach true"]);
    let main = main.replace("!= 3", "!= 4");
    let files = [("a.c", main.as_str()), ("b.c", "int shared = 4;\nvoid set(void) {}\n")];
    assert_eq!(verdicts(&files, &["--property", "reach"]), ["a.c main reach true"]);
}

#[test]
fn what_is_weak_gives_way() {
    let main = "extern void reach_error(void);\n__attribute__((weak)) int f(void) { return 1; }\n\
        __attribute__((weak)) int v = 1;\nint main(void) { if (f() + v != 4) reach_error(); return 0; }\n";
    let strong = "int f(void) { return 2; }\nint v = 2;\n";
    for files in [[("a.c", main), ("b.c", strong)], [("a.c", strong), ("b.c", main)]] {
        let found = verdicts(&files, &["--property", "reach"]);
        assert!(found[0].ends_with("main reach true"), "{found:?}");
    }
}

#[test]
fn inline_functions_may_be_in_all_files() {
    let header = "inline int twice(int x) { return x + x; }\nstatic inline int half(int x) { return x / 2; }\n";
    let main = "#include \"a.h\"\nint f(int);\nextern void reach_error(void);\n\
        int main(void) { if (f(half(twice(3))) != 6) reach_error(); return 0; }\n";
    let other =
        "#include \"a.h\"\nextern int twice(int x);\nint f(int x) { return twice(half(2 * x)); }\n";
    let files = [("a.h", header), ("a.c", main), ("b.c", other)];
    assert_eq!(verdicts(&files, &["--property", "reach"]), ["a.c main reach true"]);
}

#[test]
fn two_definitions_are_an_error_with_both_places() {
    let main = "int f(void) { return 1; }\nint main(void) { return f(); }\n";
    let (status, _, errors) =
        check(&[("a.c", main), ("b.c", "\nint f(void) { return 2; }\n")], &[]);
    assert_eq!(status, 2);
    assert!(errors.contains("`f` is also defined at a.c:1:5"), "{errors}");
    assert!(errors.contains("b.c:2:5"), "{errors}");
}

#[test]
fn a_file_with_two_bodies_of_a_function_is_no_program() {
    let text = "int f(void) { return 1; }\nint f(void) { return 2; }\n";
    let (status, output, errors) = check(&[("a.c", text)], &[]);
    assert!(status == 2 && !output.contains("proved"), "{output}{errors}");
    assert!(errors.contains("`f` is also defined at a.c:1:5"), "{errors}");
    assert!(errors.contains("a.c:2:5"), "{errors}");
}

#[test]
fn types_that_do_not_agree_leave_calls_unknown() {
    let main = "int f(int x);\nint main(void) { return f(1); }\n";
    let files = [("a.c", main), ("b.c", "int f(long *x) { return *x; }\n")];
    let (_, output, _) = check(&files, &["--property", "memsafety"]);
    assert!(
        output.contains("which has one type at a.c:1:5 and another one at b.c:1:5"),
        "{output}"
    );
    let main = "extern long v;\nint main(void) { return v != 0; }\n";
    let (_, output, _) =
        check(&[("a.c", main), ("b.c", "int v = 1;\n")], &["--property", "memsafety"]);
    assert!(output.contains("variable that has another type in another file"), "{output}");
}

#[test]
fn each_main_is_a_program_of_its_own() {
    let first = "int f(void);\nint main(void) { return f(); }\n";
    let second = "int main(void) { for (;;) ; }\n";
    let used = "static int g(void) { return 2; }\nint f(void) { return g(); }\n";
    let unused = "int h(int n) { while (n > 0) n--; return n; }\n";
    let files = [("a.c", first), ("b.c", second), ("c.c", used), ("d.c", unused)];
    let asked = ["--property", "termination"];
    let wanted =
        ["a.c main termination true", "b.c main termination false", "d.c h termination true"];
    assert_eq!(verdicts(&files, &asked), wanted);
    // What is left out may matter to a linker: constructors, definitions of what is weak.
    let (_, output, _) = check(&files, &asked);
    assert_eq!(
        output.matches("the other files that were given are no part of the program").count(),
        2
    );
}

const OTHER_MAIN: &str = "int main(void) { return 0; }\n";

/// What `reach` says of `main` in `a.c`, where there is another `main`.
fn reached_with(files: &[(&str, &str)]) -> String {
    let files = [files, &[("z.c", OTHER_MAIN)]].concat();
    verdicts(&files, &["--property", "reach"]).swap_remove(0)
}

#[test]
fn definitions_of_every_kind_are_found_for_each_main() {
    let main = "extern void reach_error(void);\nint f(void);\n\
                int main(void) { if (f() != 3) reach_error(); return 0; }\n";
    for other in [
        "int f(void) { return 3; }\n",
        "inline int f(void) { return 3; }\nextern inline int f(void);\n",
        "int f(void);\ninline int f(void) { return 3; }\n",
    ] {
        assert_eq!(
            reached_with(&[("a.c", main), ("b.c", other)]),
            "a.c main reach true",
            "{other}"
        );
    }
    let alias = "static int g(void) { return 3; }\nint f(void) __attribute__((alias(\"g\")));\n";
    assert_eq!(reached_with(&[("a.c", main), ("b.c", alias)]), "a.c main reach unknown");
    // Of two definitions none is chosen.
    let (two, three) = ("int f(void) { return 2; }\n", "int f(void) { return 3; }\n");
    let files = [("a.c", main), ("b.c", two), ("c.c", three)];
    assert_eq!(reached_with(&files), "a.c main reach unknown");
}

#[test]
fn what_is_emitted_is_the_linked_program() {
    let main = "int g(int);\nint main(void) { return g(1); }\n";
    let other = "int g(int n) { while (n > 0) n--; return n; }\n";
    let (status, output, errors) = check(&[("a.c", main), ("b.c", other)], &["--emit", "goto"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(output.contains("procedure g(") && output.contains("procedure main("), "{output}");
    let (status, _, errors) = check(&[("a.c", main), ("b.c", "int g(\n")], &["--emit", "goto"]);
    assert!(status == 2 && errors.contains("b.c:1:6"), "{errors}");
}

const LIBRARY: &str = "struct node { struct node *next; };\n\
    static int helper(struct node *list) { int n = 0; while (list) { n++; list = list->next; } return n; }\n\
    int length(struct node *list) { return helper(list); }\n\
    static void unused(void) { for (;;) ; }\n\
    int count(int n) { while (n > 0) n--; return n; }\n";

#[test]
fn a_library_is_entered_at_all_its_functions() {
    let wanted = [
        "a.c length termination true",
        "a.c unused termination false",
        "a.c count termination true",
    ];
    let asked = ["--property", "termination"];
    assert_eq!(verdicts(&[("a.c", LIBRARY)], &asked), wanted);
    let (status, output, _) = check(&[("a.c", LIBRARY)], &asked);
    assert_eq!(status, 1);
    let table: Vec<&str> = output.lines().rev().take(6).collect();
    assert!(table[5].starts_with("function  termination   loops  if"), "{output}");
    assert!(table[4] == "unused    refuted W050", "{output}");
    assert!(table[2] == "length    proved        1      links lead to an end", "{output}");
    assert_eq!(table[0], "2 proved, 1 refuted");
    // A call across files is followed, and a function with `main` asked for as well.
    let main = "int length(struct node *);\nint main(void) { return length(0); }\n";
    let files = [("a.c", LIBRARY), ("b.c", main)];
    assert_eq!(verdicts(&files, &asked), ["b.c main termination true"]);
    let all = verdicts(&files, &["--property", "termination", "--all-functions"]);
    assert_eq!(all.len(), 5, "{all:?}");
    assert!(all.contains(&"a.c helper termination true".to_owned()), "{all:?}");
    assert_eq!(verdicts(&files, &["--property", "termination", "--entry", "count"]), [wanted[2]]);
}

#[test]
fn functions_of_one_name_are_told_apart_by_their_file() {
    let text = |n: &str| format!("static int f(void) {{ while ({n}) ; return 0; }}\n");
    let (ends, endless) = (text("0"), text("1"));
    let files = [("a.c", ends.as_str()), ("b.c", endless.as_str())];
    let wanted = ["a.c f termination true", "b.c f termination false"];
    let asked = ["--property", "termination"];
    assert_eq!(verdicts(&files, &asked), wanted);
    assert_eq!(verdicts(&files, &[&asked[..], &["--entry", "b.c:f"]].concat()), [wanted[1]]);
    let (status, _, errors) = check(&files, &["--entry", "f"]);
    assert_eq!(status, 2);
    assert!(errors.contains("`f` is `a.c:f` or `b.c:f`"), "{errors}");
}

/// Only one of them can be entered by others, and it is not the only one of its name.
#[test]
fn a_function_of_one_file_does_not_hide_that_of_another() {
    let files = [
        ("a.c", "static int helper(int x) { return x + 1; }\nint a(int x) { return helper(x); }\n"),
        ("b.c", "int helper(int x) { while (x > 0) x--; return x; }\n"),
    ];
    let found = verdicts(&files, &["--property", "termination"]);
    assert_eq!(found, ["a.c a termination true", "b.c helper termination true"]);
}

#[test]
fn a_file_that_is_no_c_does_not_keep_others_from_being_checked() {
    let files = [
        ("a.c", "int f(void) { return 0; }\n"),
        ("b.c", "int g(void) {\n"),
        ("c.c", "int h(void) { return 0; } /*\n"),
    ];
    let (status, output, errors) = check(&files, &["--property", "termination"]);
    assert_eq!(status, 2);
    assert!(output.contains("every run of `f` ends"), "{output}");
    assert!(errors.contains("unexpected end of file") && errors.contains("b.c:1:13"), "{errors}");
    assert!(errors.contains("c.c:1:27"), "{errors}");
}

#[test]
fn lines_of_json_are_the_answers_and_an_end() {
    let (status, output, _) =
        check(&[("a.c", LIBRARY)], &["--property", "termination", "--format", "jsonl"]);
    assert_eq!(status, 1);
    let lines: Vec<Value> = output.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["result", "result", "result", "end"]);
    assert_eq!(lines[1]["verdict"], "false");
}

#[test]
fn what_a_file_that_cannot_be_read_may_define_is_unknown() {
    let main = "void g(void);\nint main(void) { g(); return 0; }\n";
    let asked = ["--property", "termination"];
    let (status, output, _) =
        check(&[("a.c", main), ("b.c", "void g(void) { for (;;) ; \n")], &asked);
    assert_eq!(status, 2);
    assert!(output.contains("call of `g`, which another file may define"), "{output}");
    let (_, output, _) = check(&[("a.c", main)], &[&asked[..], &["missing.c"]].concat());
    assert!(output.contains("unknown[W020]"), "{output}");
}

#[test]
fn bodies_of_inline_functions_that_differ_are_unknown() {
    let main = "extern inline int f(void) { return 1; }\nextern void reach_error(void);\n\
                int main(void) { if (f() == 2) reach_error(); return 0; }\n";
    for files in [
        [("a.c", main), ("b.c", "inline int f(void) { return 2; }\n")],
        [("b.c", "inline int f(void) { return 2; }\n"), ("a.c", main)],
    ] {
        let (_, output, _) = check(&files, &["--property", "reach"]);
        assert!(output.contains("`f`, whose bodies differ"), "{output}");
    }
}

#[test]
fn names_declared_in_blocks_are_looked_for_in_other_files() {
    let first = "extern void reach_error(void);\n\
                 int main(void) { int f(void); extern int v; if (f() + v != 5) reach_error(); return 0; }\n";
    let second = "int main(void) { return 0; }\n";
    let other = "int v = 3;\nint f(void) { return 2; }\n";
    let files = [("a.c", first), ("b.c", second), ("c.c", other)];
    let wanted = ["a.c main reach true", "b.c main reach true"];
    assert_eq!(verdicts(&files, &["--property", "reach"]), wanted);
    // A static table that a block writes to does not keep its values.
    let text = "extern void reach_error(void);\nstatic int v = 1;\n\
                void set(void) { extern int v; v = 2; }\nvoid f(void) { if (v == 2) reach_error(); }\n";
    let found = verdicts(&[("a.c", text)], &["--property", "reach", "--entry", "f"]);
    assert_ne!(found, ["a.c f reach true"]);
}

/// What models define stands for functions of others: it is followed, told, and no matter of its own.
#[test]
fn models_stand_for_functions_without_body() {
    let own = "int own(int n) { while (n > 0) n--; return n; }\n";
    let loops = "while (n > 0) n = take(n); return n; }\n";
    let project = folder(&[
        ("a.c", &format!("int take(int);\nint all(int n) {{ {loops}{own}")),
        ("b.c", &format!("int take(int n) {{ return n; }}\nint again(int n) {{ {loops}")),
        (
            "sub/take.c",
            "static int less(int n) { return n - 1; }\nint take(int n) { return less(n); }\n",
        ),
        ("sub/unused.c", "int nobody(void) { for (;;) ; }\n"),
        ("sub/broken.c", "int take(\n"),
        ("sub/wane.toml", "models = [\"unused.c\", \"take.c\"]\n"),
    ]);
    let told = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wane"));
        command.env("NO_COLOR", "1").current_dir(project.path());
        let words = ["--format", "json", "-p", "termination"];
        let output = command.args(words).args(arguments).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let results = report["results"].as_array().unwrap().iter();
        let line = |it: &Value| {
            let said = it["assumptions"].to_string();
            let is_told = said.contains("`take` does what sub/take.c says");
            (format!("{} {}", it["entry"], it["verdict"]).replace('"', ""), is_told)
        };
        let lines: Vec<(String, bool)> = results.map(line).collect();
        (output.status.code().unwrap(), lines, report["errors"].to_string())
    };
    let line = |text: &str, is_told| (text.to_owned(), is_told);
    let (_, without, _) = told(&["a.c"]);
    assert_eq!(without, [line("all false", false), line("own true", false)]);
    let joined = [line("all true", true), line("own true", false)];
    for arguments in [
        &["--model", "sub/unused.c", "--model", "sub/take.c", "a.c"][..],
        &["--config", "sub/wane.toml", "a.c"],
    ] {
        let (status, found, errors) = told(arguments);
        assert_eq!((status, found), (0, joined.to_vec()), "{errors}");
    }
    // What the program defines itself is not replaced.
    let (_, found, _) = told(&["--model", "sub/take.c", "b.c"]);
    assert_eq!(found[1], line("again false", false), "{found:?}");
    let (status, found, errors) = told(&["--model", "sub/broken.c", "a.c"]);
    assert_eq!((status, found), (2, without), "{errors}");
    assert!(errors.contains("sub/broken.c"), "{errors}");
}
