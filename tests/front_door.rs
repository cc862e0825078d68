//! How wane is called: flags of compilers, pipes, what is said when something is missing, and
//! what is kept when the user has waited long enough.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

#[path = "support/folder.rs"]
mod folder;

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
    for format in ["human", "json", "jsonl", "sarif", "html"] {
        let arguments = ["--property", "termination", "--format", format];
        let asked = |file| run(&project, &[&arguments[..], &[file]].concat());
        let (status, output, errors) = asked("wraps.c");
        assert!(status == 1 && output.contains(reading), "{format}: {output}{errors}");
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
        assert!([Some(0), Some(3)].contains(&status), "{status:?}");
        let last: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
        assert_eq!(last["kind"], "end");
        let (results, _) = lines.split_at(lines.len() - 1);
        for line in results.iter().filter(|line| !whole.contains(&line.as_str())) {
            let result: Value = serde_json::from_str(line).unwrap();
            assert_eq!(result["reasons"][0]["message"], "wane was interrupted", "{line}");
            n_cut += 1;
        }
        assert!(results.len() == 40 || status == Some(3), "{} results", results.len());
    }
    assert!(n_cut > 0, "no run was interrupted");
}

/// Two questions that one thing leaves open are told of together.
#[test]
fn the_same_reason_is_shown_once() {
    let source = "struct node { struct node *next; };\nvoid change(struct node *list);\n\
                  int main(void) {\n  struct node one = { 0 };\n  change(&one);\n  return 0;\n}\n";
    let folder = folder(&[("a.c", source)]);
    let output = wane(&folder, &["--property", "termination,memsafety", "a.c"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.matches("a.c:5:3").count()), (Some(3), 1), "{text}");
    let other = "unknown: for the same reason, whether no run of `main` makes an invalid memory \
                 access or loses memory  (a.c)\n";
    assert!(text.contains(other) && text.ends_with("2 unknown\n"), "{text}");
}
