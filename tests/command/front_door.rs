//! How wane is called: flags of compilers, pipes, what is said when something is missing, and
//! what is kept when the user has waited long enough.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::folder;

use folder::folder;
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};

use std::process::{Command, Output, Stdio};
use std::time::Instant;
use tempfile::TempDir;

const HEADER: &str = "#define LIMIT 9\n";
const SOURCE: &str = "#include \"size.h\"\n#if N != 3\n#error no\n#endif\n\
                      int main(void) {\n  for (int i = 0; i < LIMIT; i++) ;\n  return 0;\n}\n";

fn wane(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wane"));
    command.env("NO_COLOR", "1").env_remove("CC").current_dir(folder.path()).args(arguments);
    command
}

fn run(folder: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    told(&wane(folder, arguments).output().unwrap())
}

fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_file_alone_is_checked_with_the_flags_of_compilers() {
    let project =
        folder(&[("include/size.h", HEADER), ("a.c", SOURCE), ("first.h", "#define N 3\n")]);
    for arguments in [
        &["-Iinclude", "-DN=3", "a.c"][..],
        &["-I", "include", "-D", "N=3", "-std=c99", "a.c"],
        &["a.c", "-Iinclude", "-include", "first.h"],
        &["a.c", "--", "-Iinclude", "-DN=3"],
        &["-Wall", "-O2", "-g", "-fPIC", "-pthread", "-isystem", "include", "-DN=3", "a.c"],
        &["check", "-DN=4", "-UN", "-DN=3", "a.c", "--", "-Iinclude"],
    ] {
        let (status, output, errors) = run(&project, arguments);
        if arguments.contains(&"-UN") {
            // Definitions come first, as clap hands them over by kind.
            assert_eq!(status, 2, "{output}{errors}");
            continue;
        }
        assert_eq!(status, 0, "{arguments:?}: {output}{errors}");
        assert!(output.ends_with("2 proved\n"), "{output}");
    }
    let (status, output, _) = run(&project, &["--version"]);
    assert!(status == 0 && output.starts_with("wane "), "{output}");
}

/// What a build asks of the headers for its own code is no reason to know less of a program.
#[test]
fn flags_of_ordinary_builds_change_no_answer() {
    let source = "#include <stdio.h>\nint main(void) {\n  char line[16]; int n = 0, c;\n  \
                  while (fgets(line, sizeof line, stdin)) n++;\n  \
                  while ((c = getchar()) != EOF) n ^= c;\n  return n;\n}\n";
    let flags = ["-O2", "-D_FORTIFY_SOURCE=2", "-Wp,-D_FORTIFY_SOURCE=3"];
    let project = folder(&[("a.c", source)]);
    let entry = format!(
        "[{{ \"directory\": \".\", \"file\": \"a.c\", \"command\": \"cc {} -c a.c\" }}]",
        flags.join(" ")
    );
    fs::write(project.path().join("compile_commands.json"), entry).unwrap();
    for arguments in [
        [&["a.c", "--"][..], &flags].concat(),
        [&["a.c"][..], &flags].concat(),
        vec!["compile_commands.json"],
    ] {
        let (status, output, errors) = run(&project, &arguments);
        assert_eq!(status, 0, "{arguments:?}: {output}{errors}");
    }
    let outcome = wane(&project, &["a.c"]).env("CC", "cc -O2 -D_FORTIFY_SOURCE=2").output();
    assert_eq!(told(&outcome.unwrap()).0, 0);
}

/// What is misspelt, missing or of another language is told in words that help.
#[test]
fn what_is_not_there_is_told_with_what_may_be_meant() {
    let source = "int ring_get(void) { return 0; }\nint main(void) { return ring_get(); }\n";
    let folders = "#include <stddef.h>\nint main(void) { return 0; }\n";
    let project = folder(&[
        ("a.c", source),
        ("f.c", folders),
        ("class.c", "class A {\n  int x;\n};\n"),
        ("space.c", "namespace a { int x; }\n"),
        ("stream.c", "#include <iostream>\nint main(void) { return 0; }\n"),
        ("open.c", "int main(void) { return (1; }\n"),
    ]);
    for (arguments, status, words) in [
        (&["--entry", "ring_gett", "a.c"][..], 2, "is defined here; did you mean `ring_get`?"),
        (&["--entry", "a.c:ring_gett", "a.c"], 2, "did you mean `ring_get`?"),
        (&["-I", "nodir", "f.c"], 0, "warning: there is no folder `nodir`"),
        (&["class.c"], 2, "(this looks like C++)"),
        (&["space.c"], 2, "(this looks like C++)"),
        (&["stream.c"], 2, "(this looks like a header of C++)"),
        (&["version"], 2, "`wane --version` tells it"),
        (&["explain", "termination"], 2, "`termination` is a question"),
        (&["explain", "W999"], 2, "there is no code `W999`"),
    ] {
        let (found, _, errors) = run(&project, arguments);
        assert_eq!(found, status, "{arguments:?}: {errors}");
        assert!(errors.contains(words), "{arguments:?}: {errors}");
    }
    let (_, _, errors) = run(&project, &["open.c"]);
    assert!(!errors.contains("C++"), "{errors}");
    for code in ["50", "W050", "w050"] {
        assert!(run(&project, &["explain", code]).1.contains("W050"), "{code}");
    }
    let (status, output, _) = run(&project, &["--format", "json", "--output", "-", "a.c"]);
    assert!(status == 0 && output.starts_with('{') && !project.path().join("-").exists());
}

/// What hangs for ever or cannot be done is refused, wherever it is set.
#[test]
fn limits_are_above_0() {
    for (key, set) in
        [("jobs", "jobs = 0"), ("memory", "memory = 0"), ("steps", "[check]\nsteps = 0")]
    {
        let project = folder(&[("a.c", "int main(void) { return 0; }\n"), ("wane.toml", set)]);
        let words = if key == "jobs" { "a number from 1 to 65535" } else { "a number above 0" };
        let option = format!("--{key}=0");
        for arguments in [&["a.c"][..], &["a.c", &option]] {
            let (status, _, errors) = run(&project, arguments);
            assert_eq!(status, 2, "{errors}");
            assert!(errors.contains(&format!("expected {words}")), "{errors}");
        }
    }
    let project = folder(&[("a.c", "int main(void) { return 0; }\n")]);
    assert_eq!(run(&project, &["--steps", "20_000", "--jobs", "1", "a.c"]).0, 0);
}

#[test]
fn c_comes_from_the_standard_input_and_from_pipes() {
    let project = folder(&[("include/size.h", HEADER)]);
    let arguments = ["--property", "termination", "-Iinclude", "-DN=3", "-"];
    let mut child =
        wane(&project, &arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(SOURCE.replace("i++", "i--").as_bytes()).unwrap();
    let (_, output, _) = told(&child.wait_with_output().unwrap());
    // The limit is never reached.
    assert!(output.contains("unknown[W035]") && output.contains("-:6:3"), "{output}");
    assert!(output.contains("6 |   for (int i = 0; i < LIMIT; i--) ;"), "{output}");
    let script = format!(
        "{} --property termination <(printf 'int main(void) {{ for (;;) ; }}')",
        env!("CARGO_BIN_EXE_wane")
    );
    let Ok(output) = Command::new("bash").args(["-c", &script]).output() else { return };
    let (status, output, _) = told(&output);
    assert!(status == 1 && output.contains("a run of `main` never ends"), "{output}");
}

/// A run that C leaves undefined on its way is told as one in every format; so is a loop that
/// only an overflow ends, which is no verdict.
#[test]
fn every_format_says_what_overflows() {
    let wraps = "int main(void) {\n  int i = 0, j = 0;\n  while (i == 0) j++;\n}\n";
    let ends = "int main(void) {\n  for (int i = 0; i >= 0; i++) ;\n}\n";
    let project = folder(&[("wraps.c", wraps), ("ends.c", ends)]);
    let reading = "with wrap-around; C leaves the overflow undefined";
    let of_hosts = ["gcc", "github", "codeclimate", "junit", "checkstyle"];
    for format in ["human", "json", "jsonl", "sarif", "html"].into_iter().chain(of_hosts) {
        let arguments = ["--property", "termination", "--format", format];
        let asked = |file| run(&project, &[&arguments[..], &[file]].concat());
        let (status, output, errors) = asked("wraps.c");
        assert!(status == 1 && output.contains(reading), "{format}: {output}{errors}");
        let is_short = ["gcc", "github"].contains(&format);
        let n_told = output.lines().map(|line| line.matches(reading).count()).max();
        assert!(!is_short || n_told == Some(1), "{format} says it twice: {output}");
        let (status, output, errors) = asked("ends.c");
        assert!(status != 1 && output.contains("W035"), "{format}: {output}{errors}");
        assert!(!output.contains(reading), "{format}: {output}");
    }
}

#[test]
fn what_is_missing_is_said_with_a_way_out() {
    let project = folder(&[("include/size.h", HEADER), ("a.c", SOURCE)]);
    let (status, _, errors) = run(&project, &["-DN=3", "a.c"]);
    assert_eq!(status, 2);
    assert!(errors.contains("a.c:1:10") && errors.contains("-I FOLDER says where"), "{errors}");
    let mut command = wane(&project, &["-DN=3", "-Iinclude", "a.c"]);
    let (status, _, errors) = told(&command.env("CC", "no-such-compiler").output().unwrap());
    assert_eq!(status, 2);
    assert!(
        errors.contains("`no-such-compiler`") && errors.contains("install a C compiler"),
        "{errors}"
    );
    let mut command = wane(&project, &["-Iinclude", "a.c"]);
    let (status, output, _) = told(&command.env("CC", "cc -DN=3").output().unwrap());
    assert_eq!(status, 0, "{output}");
    let (status, _, errors) =
        run(&project, &["-DN=3", "-Iinclude", "a.c", "--output", "no/such/file"]);
    assert_eq!(status, 2);
    assert!(errors.contains("no/such/file cannot be written"), "{errors}");
}

#[test]
fn answers_that_cannot_be_written_are_an_error() {
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else { return };
    let project = folder(&[("a.c", "int main(void) { return 0; }\n")]);
    let output = wane(&project, &["a.c"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    let (status, _, errors) = told(&output);
    assert_eq!(status, 2);
    assert!(errors.contains("the answers cannot be written"), "{errors}");
}

#[test]
fn a_database_is_read_from_its_own_folder() {
    let database = r#"[{ "directory": ".", "file": "a.c", "command": "cc -I. -Iinclude -std=gnu11 -DN=3 -c a.c" }]"#;
    let project = folder(&[
        ("size.h", HEADER),
        ("include/other.h", ""),
        ("a.c", &SOURCE.replace("#if", "#include <size.h>\n#if")),
        ("compile_commands.json", database),
    ]);
    let (status, output, errors) = run(&project, &["compile_commands.json"]);
    assert_eq!(status, 0, "{output}{errors}");
}

/// Many functions, each of which takes a little while.
fn library() -> String {
    (0..40)
        .map(|n| {
            format!(
                "struct node{n} {{ struct node{n} *next; int value; }};\n\
                 int f{n}(struct node{n} *list, int k) {{\n  int sum = 0;\n  \
                 for (struct node{n} *it = list; it; it = it->next) for (int i = 0; i < k; i++) sum = i;\n  \
                 return sum;\n}}\n"
            )
        })
        .collect()
}

#[test]
fn an_interrupt_keeps_what_was_found() {
    let text = library();
    let project = folder(&[("a.c", &text)]);
    let arguments = ["--format", "jsonl", "--property", "termination", "--jobs", "2", "a.c"];
    let arguments = [&arguments[..], &["--fail-on", "never"]].concat();
    let begun = Instant::now();
    let (_, whole, _) = run(&project, &arguments);
    let time = begun.elapsed();
    let whole: Vec<&str> = whole.lines().collect();
    assert_eq!(whole.len(), 41);
    let mut n_cut = 0;
    for moment in 0..30_u32 {
        let mut child = wane(&project, &arguments).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let id = child.id().to_string();
        let killer = std::thread::spawn(move || {
            // The last moments are often too late.
            std::thread::sleep(time * (1 + moment * 7 % 30) / 31);
            let mut kill = Command::new("kill");
            kill.args(["-INT", &id]).stderr(Stdio::null()).status().is_ok()
        });
        let lines: Vec<String> = output.lines().map(Result::unwrap).collect();
        let status = child.wait().unwrap().code();
        killer.join().unwrap();
        if lines.is_empty() {
            // The signal came before there was a handler.
            continue;
        }
        assert!([Some(0), Some(130)].contains(&status), "{status:?}");
        let last: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
        assert_eq!(last["kind"], "end");
        let (results, _) = lines.split_at(lines.len() - 1);
        for line in results.iter().filter(|line| !whole.contains(&line.as_str())) {
            let result: Value = serde_json::from_str(line).unwrap();
            assert_eq!(result["reasons"][0]["message"], "wane was interrupted", "{line}");
            n_cut += 1;
        }
        assert!(results.len() == 40 || status == Some(130), "{} results", results.len());
    }
    assert!(n_cut > 0, "no run was interrupted");
}

/// Whatever the answers so far and whatever counts, a gate does not take them for all.
#[test]
fn an_interrupted_gate_is_not_passed() {
    let project = folder(&[("a.c", &library())]);
    for fail_on in ["refuted", "never", "unknown"] {
        let arguments =
            ["--format", "sarif", "-p", "termination", "-j1", "--fail-on", fail_on, "a.c"];
        let begun = Instant::now();
        let whole = told(&wane(&project, &arguments).output().unwrap()).1;
        assert!(whole.contains("\"executionSuccessful\": true"), "{whole}");
        let time = begun.elapsed();
        // How long a run takes differs with what else the machine does, so that many moments are
        // tried: some signals come before there is a handler, some when all is done.
        let n_cut = (1..=40).filter(|&moment| {
            let child = wane(&project, &arguments).stdout(Stdio::piped()).spawn().unwrap();
            std::thread::sleep(time * (moment * 7 % 41) / 41);
            let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
            assert!(sent.unwrap().success());
            let ended = child.wait_with_output().unwrap();
            let was_handled = ended.status.code().is_some();
            let (status, output, errors) = told(&ended);
            let is_whole = output.contains("\"executionSuccessful\": true");
            let is_cut = was_handled && !is_whole;
            assert!(!is_cut || status == 130, "{fail_on}, status {status}: {output}{errors}");
            is_cut
        });
        assert!(n_cut.take(1).count() == 1, "{fail_on}: no run was interrupted");
    }
}

/// What is said of a file holds without another one that cannot be read, and says so.
#[test]
fn each_answer_names_the_files_that_cannot_be_read() {
    let main = "int helper(int n);\nint main(void) { return helper(1) }\n";
    let helper = "int helper(int n) { while (n > 0) n--; return n; }\n";
    let missing = "#include \"no_such_header.h\"\nint main(void) { return 0; }\n";
    for main in [main, missing] {
        let project = folder(&[("main.c", main), ("helper.c", helper)]);
        let (status, output, errors) = run(&project, &["main.c", "helper.c"]);
        assert_eq!(status, 2, "{output}{errors}");
        let n_told =
            output.matches("`main.c`, which cannot be read, is no part of the program").count();
        assert_eq!(n_told, 2, "{output}");
        let arguments = ["--format", "json", "main.c", "helper.c"];
        let (_, output, _) = run(&project, &arguments);
        let report: Value = serde_json::from_str(&output).unwrap();
        for result in report["results"].as_array().unwrap() {
            assert!(result.to_string().contains("main.c"), "{result}");
        }
    }
}

/// A pointer that was never given a value is no null pointer.
#[test]
fn pointers_without_a_value_are_told_apart_from_null() {
    for (body, code) in [
        ("int *p; *p = 1;", "W002"),
        ("int *p, *q; q = p; *q = 1;", "W002"),
        ("struct s *s = malloc(sizeof *s); s->n = 0; *s->p = 1;", "W002"),
        ("int *p = 0; *p = 1;", "W001"),
        ("struct s *s = calloc(1, sizeof *s); *s->p = 1;", "W001"),
    ] {
        let text = format!(
            "#include <stdlib.h>\nstruct s {{ int *p, n; }};\nint main(void) {{\n  {body}\n  return 0;\n}}\n"
        );
        let project = folder(&[("a.c", &text)]);
        let (status, output, _) = run(&project, &["--property", "memsafety", "a.c"]);
        assert!(status == 1 && output.contains(&format!("error[{code}]")), "{body}: {output}");
    }
}

/// A loop is told with the places of the calls that lead there, not with what follows them.
#[test]
fn calls_are_told_at_their_own_places() {
    let source = "static void walk(int n) { while (n > 0) n--; }\n\
                  static void outer(int n) {\n  walk(n);\n}\n\
                  static int other(int n) {\n  if (n > 3) {\n    walk(n);\n  }\n  return n;\n}\n\
                  extern int __VERIFIER_nondet_int(void);\n\
                  int main(void) {\n  int n = __VERIFIER_nondet_int();\n  outer(n);\n  return other(n);\n}\n";
    let project = folder(&[("a.c", source)]);
    let (_, output, _) = run(&project, &["--property", "termination", "a.c"]);
    assert!(output.contains("(called from 14:3, 3:3)"), "{output}");
    assert!(output.contains("(called from 15:10, 7:5)"), "{output}");
}

/// What the limits left open is told with a place.
#[test]
fn a_limit_is_told_where_the_question_starts() {
    let source = "extern int __VERIFIER_nondet_int(void);\n\
                  int main(void) {\n  int n = __VERIFIER_nondet_int();\n  while (n > 0) n--;\n}\n";
    let project = folder(&[("a.c", source)]);
    let (_, output, _) = run(&project, &["--property", "termination", "--steps", "3", "a.c"]);
    assert!(output.contains("W033") && output.contains("a.c:2:"), "{output}");
}

/// No name is suggested in place of itself.
#[test]
fn a_name_is_not_suggested_for_itself() {
    let source = "static int next(void) { static int count; return ++count; }\n\
                  int main(void) { for (;;) next(); }\n";
    let project = folder(&[("a.c", source)]);
    let (status, output, errors) = run(&project, &["--ltl", "G(count > 0)", "a.c"]);
    let text = format!("{output}{errors}");
    assert!(status != 0 && text.contains("`count` is not declared"), "{text}");
    assert!(!text.contains("did you mean `count`"), "{text}");
}

/// What a program reads, byte by byte or number by number, a test case supplies.
#[test]
fn test_cases_of_programs_that_read() {
    let bytes = "#include <stdio.h>\nint main(void) {\n  int *p = 0;\n  int c = getchar();\n  \
                 if (c == 'x' && getc(stdin) == 'y') *p = 1;\n  return 0;\n}\n";
    let numbers = "#include <stdio.h>\nint main(void) {\n  int n, *p = 0;\n  \
                   if (scanf(\"%d\", &n) == 1 && n == 42) *p = 1;\n  return 0;\n}\n";
    let project = folder(&[("bytes.c", bytes), ("numbers.c", numbers)]);
    for name in ["bytes", "numbers"] {
        let file = format!("{name}.c");
        let arguments = ["--property", "memsafety", "--test-case", "cases", &file];
        let (status, output, errors) = run(&project, &arguments);
        assert_eq!(status, 1, "{output}{errors}");
    }
    let case = |name: &str| {
        fs::read_to_string(project.path().join(format!("cases/{name}.memsafety.c"))).unwrap()
    };
    assert!(case("numbers").contains("\"42\\n\""), "{}", case("numbers"));
    for name in ["bytes", "numbers"] {
        let text = case(name);
        assert!(!text.contains("does not supply"), "{text}");
        let (program, case) = (format!("{name}.c"), format!("cases/{name}.memsafety.c"));
        let mut compiler = Command::new("cc");
        compiler.current_dir(project.path()).args(["-w", "-o", "shown", &program, &case]);
        let Ok(true) = compiler.status().map(|status| status.success()) else { return };
        let mut shown = Command::new(project.path().join("shown"));
        let shown = shown.stdin(Stdio::null()).status().unwrap();
        assert_eq!(shown.code(), None, "{name}: the program is killed by a signal");
    }
}

/// What is refuted is shown once; questions that it leaves open say so in a line.
#[test]
fn what_is_refuted_is_shown_once() {
    let source = "#include <stdlib.h>\nint main(void) {\n    int *p = malloc(4);\n    free(p);\n    *p = \
                  3;\n    return 0;\n}\n";
    let folder = folder(&[("a.c", source)]);
    let properties = "memsafety,reach,memcleanup,termination";
    let output = wane(&folder, &["--property", properties, "a.c"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.matches("--> a.c:5:5").count()), (Some(1), 1), "{text}");
    let other = "unknown: for W002 at a.c:5:5 (see above), whether no run of `main` reaches an error  \
                 (a.c)\n";
    assert!(text.contains(other) && text.ends_with("1 refuted, 3 unknown\n"), "{text}");
}

/// Two questions that one thing leaves open are told of together.
#[test]
fn the_same_reason_is_shown_once() {
    let source = "void (*signal(int, void (*)(int)))(int);\nstatic void on(int n) {}\nint main(void) \
                  {\n\n  signal(2, on);\n  return 0;\n}\n";
    let folder = folder(&[("a.c", source)]);
    let output = wane(&folder, &["--property", "termination,memsafety", "a.c"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.matches("a.c:5:3").count()), (Some(3), 1), "{text}");
    let other = "unknown: for the same reason, whether no run of `main` makes an invalid memory \
                 access or loses memory  (a.c)\n";
    assert!(text.contains(other) && text.ends_with("2 unknown\n"), "{text}");
}
