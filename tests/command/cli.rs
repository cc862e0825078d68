//! The command line from outside: exit status, formats, bad calls, bad files.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::pages::text_of_pages;
use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) const COUNTDOWN: &str = "int input(void);\nint main(void) {\n  int n = input();\n  while (n > 0) n--;\n  return 0;\n}\n";
/// Whether this ends is an open problem.
const OPEN: &str = "int input(void);\nint main(void) {\n  int n = input();\n  \
                    while (n > 1) n = n % 2 ? 3 * n + 1 : n / 2;\n  return 0;\n}\n";
const ENDLESS: &str = "int main(void) {\n  for (;;)\n    ;\n}\n";

pub(crate) fn wane() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wane"));
    command.env("NO_COLOR", "1");
    command
}

/// `wane check --property termination`, in a folder with one file.
pub(crate) fn check(name: &str, text: impl AsRef<[u8]>) -> (TempDir, Command) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let mut command = wane();
    command.current_dir(folder.path()).args(["check", "--property", "termination", name]);
    (folder, command)
}

pub(crate) struct Outcome {
    pub(crate) status: i32,
    pub(crate) output: String,
    pub(crate) errors: String,
}

pub(crate) fn run(command: &mut Command) -> Outcome {
    let result = command.output().unwrap();
    Outcome {
        status: result.status.code().expect("no signal ends wane"),
        output: String::from_utf8(result.stdout).unwrap(),
        errors: String::from_utf8(result.stderr).unwrap(),
    }
}

pub(crate) fn json(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap();
    let schema =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/output.schema.json"))
            .unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let errors: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&value)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    value
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

#[test]
fn a_proof_is_told_loop_by_loop() {
    let outcome = run(&mut check("countdown.c", COUNTDOWN).1);
    assert_eq!(outcome.status, 0, "{}", outcome.errors);
    let expected = "proved: every run of `main` ends  (countdown.c)\n  \
                    loop at countdown.c:4:3 in `main`: `n` gets smaller\n    \
                    where `n` is at least 1 here, and smaller by at least 1 at any later time\n  \
                    assuming that signed integers do not overflow, and malloc does not fail, and \
                    `input`, which has no body here, returns and changes no variable of the file\n\n1 proved\n";
    assert_eq!(outcome.output, expected);
}

/// Memory is drawn as it is at the error, though the program that was searched may be simpler.
#[test]
fn memory_is_drawn_at_the_error() {
    let source = "#include <stdlib.h>\nint main(int argc, char **argv) {\n  \
                  int n = argc > 1 ? atoi(argv[1]) : 5, a[5];\n  \
                  for (int i = 0; i < n; i++) a[i] = i;\n  return a[0];\n}\n";
    let outcome = run(check("drawn.c", source).1.args(["--property", "memsafety"])).output;
    assert!(outcome.contains("i = 5") && outcome.contains("[3] = 3, [4] = 4 }"), "{outcome}");
}

#[test]
fn statistics_keep_to_the_schema() {
    let arguments = ["--statistics", "--format", "json"];
    let report = json(&run(check("countdown.c", COUNTDOWN).1.args(arguments)).output);
    assert!(report["results"][0]["statistics"]["states"].is_u64(), "{report}");
}

/// The loops of this program are cut at the start of their bodies, since their heads give no
/// measure.
#[test]
fn loops_that_are_cut_at_their_bodies_are_told_too() {
    let path = "tests/cases/library/words_go_on_after_their_first_letter.c";
    let mut command = wane();
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let text = run(command.args(["check", "--property", "termination", path])).output;
    for place in ["9:3 in `next`", "12:5 in `next`", "22:3 in `main`"] {
        assert!(text.contains(place), "{text}");
    }
    assert_eq!(text.matches("size(at) - offset(at)` gets smaller").count(), 3, "{text}");
}

#[test]
fn the_example_of_the_readme_is_proved() {
    let text =
        run(wane().args(["check", "--property", "termination"]).arg(example("reverse.c"))).output;
    assert!(text.contains("in `reverse`"), "{text}");
    assert!(text.contains("the list from `rest` gets shorter"), "{text}");
    assert!(text.ends_with("\n1 proved\n"), "{text}");
}

#[test]
fn the_runs_in_the_readme_are_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = text_of_pages();
    let lock = "tests/cases/branching/lock_can_be_released.c";
    let calls: [&[&str]; 3] = [
        &["--ctl", "AG(held == 1 -> EF(held == 0))", lock],
        &["check", "examples/reverse.c"],
        &["check", "--property", "termination", "examples/stuck.c"],
    ];
    for call in calls {
        let output = run(wane().current_dir(root).args(call)).output;
        assert!(pages.contains(output.trim_end()), "README and the guide lack\n{output}");
    }
    let output = run(wane().current_dir(root).arg("examples/library.c")).output;
    let table = &output[output.find("function  ").unwrap()..];
    assert!(pages.contains(table.trim_end()), "README and the guide lack\n{table}");
}

#[test]
fn an_unknown_shows_its_place() {
    let outcome = run(&mut check("open.c", OPEN).1);
    assert_eq!(outcome.status, 3);
    let expected = "unknown: whether every run of `main` ends  (open.c)\n\
                    unknown[W030]: no measure was found that this loop decreases\n \
                    --> open.c:4:3\n  |\n4 |   while (n > 1)";
    assert!(outcome.output.starts_with(expected), "{}", outcome.output);
    assert!(outcome.output.contains("help: wane explain W030"), "{}", outcome.output);
}

#[test]
fn the_status_counts_the_worst() {
    let (folder, mut both) = check("a.c", COUNTDOWN);
    fs::write(folder.path().join("b.c"), ENDLESS).unwrap();
    let outcome = run(both.arg("b.c"));
    assert_eq!(outcome.status, 1);
    assert!(outcome.output.ends_with("1 proved, 1 refuted\n"), "{}", outcome.output);
    fs::write(folder.path().join("c.c"), OPEN).unwrap();
    let outcome = run(both.arg("c.c"));
    assert_eq!(outcome.status, 1);
    assert!(outcome.output.ends_with("1 proved, 1 refuted, 1 unknown\n"), "{}", outcome.output);
    let outcome = run(both.arg("missing.c"));
    assert_eq!(outcome.status, 2);
    assert!(outcome.output.ends_with("1 unknown, 1 error\n"), "{}", outcome.output);
    assert!(outcome.errors.contains("missing.c cannot be read"), "{}", outcome.errors);
}

#[test]
fn json_keeps_to_its_schema() {
    let (folder, mut command) = check("a.c", COUNTDOWN);
    fs::write(folder.path().join("b.c"), ENDLESS).unwrap();
    fs::write(folder.path().join("c.c"), "int main(void) { return }\n").unwrap();
    fs::write(folder.path().join("d.c"), OPEN).unwrap();
    let outcome = run(command.args(["b.c", "c.c", "d.c", "--format", "json"]));
    assert_eq!(outcome.status, 2);
    let value = json(&outcome.output);
    let verdicts: Vec<&Value> =
        value["results"].as_array().unwrap().iter().map(|result| &result["verdict"]).collect();
    assert_eq!(verdicts, ["true", "false", "unknown"]);
    assert_eq!(value["results"][0]["evidence"]["loops"][0]["line"], 4);
    assert_eq!(value["results"][1]["reasons"][0]["code"], "W050");
    assert_eq!(value["results"][1]["evidence"]["endless_run"]["kind"], "loop");
    assert_eq!(value["results"][2]["reasons"][0]["code"], "W030");
    assert_eq!(value["errors"][0]["file"], "c.c");
    assert_eq!(value["errors"][0]["line"], 1);
}

#[test]
fn what_is_not_built_is_unknown() {
    for flags in [&["--thread", "main"][..], &["--property", "reach"]] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.c"), COUNTDOWN).unwrap();
        let mut command = wane();
        command.current_dir(folder.path()).args(["check", "a.c", "--format", "json"]).args(flags);
        let outcome = run(&mut command);
        let verdict = json(&outcome.output)["results"][0]["verdict"].clone();
        assert!(verdict == "unknown" || outcome.status < 2, "{flags:?}: {}", outcome.output);
    }
    let outcome = run(&mut check("system.smt2", "(declare-sort Loc 0)").1);
    assert_eq!(outcome.status, 2);
    assert!(outcome.errors.contains("the text has no `cfg_init`"), "{}", outcome.errors);
}

#[test]
fn bad_calls_end_with_status_2_and_a_message() {
    let calls: &[&[&str]] = &[
        &["check"],
        &["check", "a.c", "--property", "speed"],
        &["check", "a.c", "--ctl", "AF x", "--ltl", "F x"],
        &["check", "a.c", "--ctl", "AF x", "--property", "reach"],
        &["check", "a.c", "--thread", "f", "--entry", "g"],
        &["check", "a.c", "--timeout", "0"],
        &["check", "a.c", "--timeout", "soon"],
        &["check", "a.c", "--steps", "0"],
        &["check", "a.c", "--jobs", "0"],
        &["check", "a.c", "--memory", "-1"],
        &["check", "a.c", "--emit", "goto", "--format", "json"],
        &["check", "a.c", "--emit", "assembly"],
        &["check", "a.c", "--data-model", "lp128"],
        &["check", "a.c", "--spec", "missing.slic"],
        &["check", "a.c", "--shape", "missing.shape"],
        &[],
    ];
    for call in calls {
        let outcome = run(wane().args(*call));
        assert_eq!(outcome.status, 2, "{call:?}");
        assert!(outcome.output.is_empty() && !outcome.errors.is_empty(), "{call:?}");
    }
    // What is no command is a file.
    let outcome = run(wane().args(["prove", "missing.c"]));
    assert_eq!(outcome.status, 2);
    assert!(outcome.errors.contains("prove cannot be read"), "{}", outcome.errors);
}

#[test]
fn a_false_lemma_is_an_error_with_a_heap() {
    let shape = "shape two(x, y) {\n  unfold x\n    | x |-> { next: y }\n    | x |-> { next: n } * two(n, y)\n  lemma meet: two(x, m) * two(z, m) |- two(x, z)\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.shape");
    fs::write(&file, shape).unwrap();
    let program = folder.path().join("a.c");
    fs::write(&program, COUNTDOWN).unwrap();
    let outcome = run(wane().arg("check").arg(&program).arg("--shape").arg(&file));
    assert_eq!(outcome.status, 2);
    let expected = "mine.shape:5:9: the lemma `meet` is false where n0 |-> { next: ";
    assert!(outcome.errors.contains(expected), "{}", outcome.errors);
    fs::write(&file, shape.replace("two(z, m) |- two(x, z)", "two(m, z) |- two(x, z)")).unwrap();
    let outcome = run(wane().arg("check").arg(&program).arg("--shape").arg(&file));
    assert_eq!(outcome.status, 0, "{}", outcome.errors);
}

#[test]
fn bad_files_are_located_messages() {
    let deep =
        format!("int main(void) {{ return {}1{}; }}", "(".repeat(100_000), ")".repeat(100_000));
    let nested = format!("int main(void) {}{}", "{".repeat(50_000), "}".repeat(50_000));
    let files: &[(&str, &[u8])] = &[
        ("garbage.c", b"\x00\xff\xfe\x01 \x80 int int int"),
        ("garbage.i", b"\x7fELF\x02\x01\x01\x00"),
        ("garbage.goto", b"\x00\xff\xfe"),
        ("empty.goto", b""),
        ("comment.c", b"int main(void) { return 0; } /* no end"),
        ("string.c", b"char *s = \"no end\n;int main(void) { return 0; }"),
        ("missing_header.c", b"#include \"nowhere/at_all.h\"\nint main(void) { return 0; }"),
        ("stray.c", b"int main(void) { return 0 }"),
        ("unknown_name.c", b"int main(void) { return x; }"),
        ("notes.txt", b"not a program"),
        ("deep.c", deep.as_bytes()),
        ("nested.c", nested.as_bytes()),
    ];
    for (name, text) in files {
        let outcome = run(check(name, text).1.args(["--format", "json"]));
        let value = json(&outcome.output);
        let n_results = value["results"].as_array().unwrap().len();
        match outcome.status {
            2 => assert_eq!(n_results, 0, "{name}"),
            0 | 3 => assert_eq!(n_results, 1, "{name}"),
            other => panic!("{name}: status {other}"),
        }
        assert_eq!(
            outcome.status == 2,
            outcome.errors.contains(name),
            "{name}: {}",
            outcome.errors
        );
        assert!(!outcome.errors.contains("panicked"), "{name}: {}", outcome.errors);
    }
}

#[test]
fn a_folder_without_c_files_is_an_error() {
    let (folder, mut command) = check("a.c", COUNTDOWN);
    fs::create_dir(folder.path().join("folder.c")).unwrap();
    let outcome = run(command.arg("folder.c"));
    assert_eq!(outcome.status, 2);
    assert!(
        outcome.errors.contains("there is no .c or .i file in this folder"),
        "{}",
        outcome.errors
    );
    assert!(outcome.output.contains("1 proved"), "{}", outcome.output);
}

#[test]
fn an_empty_file_has_no_main() {
    let outcome = run(&mut check("empty.c", "").1);
    assert!([2, 3].contains(&outcome.status), "{}", outcome.status);
}

#[test]
fn two_runs_give_the_same_bytes() {
    let files = ["reverse.c", "queue.c", "ring.c", "stuck.c"].map(example);
    for format in ["human", "json", "sarif", "html", "gcc", "junit"] {
        let bytes = |jobs: &str| {
            run(wane().args(["check", "--format", format, "--jobs", jobs]).args(&files)).output
        };
        let first = bytes("1");
        assert!(!first.is_empty());
        assert_eq!(first, bytes("1"), "{format}");
        assert_eq!(first, bytes("3"), "{format}");
    }
}

#[test]
fn output_goes_to_a_file() {
    let (folder, mut command) = check("a.c", COUNTDOWN);
    let outcome = run(command.args(["--format", "json", "--output", "report.json"]));
    assert_eq!((outcome.status, outcome.output.as_str()), (0, ""));
    json(&fs::read_to_string(folder.path().join("report.json")).unwrap());
    let (_folder, mut command) = check("a.c", COUNTDOWN);
    assert_eq!(run(command.args(["--output", "no/such/folder.json"])).status, 2);
}

#[test]
fn colours_are_used_when_asked() {
    let plain = run(&mut check("a.c", ENDLESS).1).output;
    let coloured = run(check("a.c", ENDLESS).1.args(["--color", "always"])).output;
    assert!(!plain.contains('\u{1b}') && coloured.contains('\u{1b}'));
}

#[test]
fn the_goto_program_reads_back() {
    let goto = run(check("a.c", COUNTDOWN).1.args(["--emit", "goto"]));
    assert_eq!(goto.status, 2, "--emit contradicts --property");
    let (folder, _) = check("a.c", COUNTDOWN);
    let goto = run(wane().current_dir(folder.path()).args(["check", "a.c", "--emit", "goto"]));
    assert_eq!(goto.status, 0, "{}", goto.errors);
    let outcome = run(&mut check("a.goto", goto.output).1);
    assert_eq!(outcome.status, 0, "{}{}", outcome.output, outcome.errors);
}

#[test]
fn an_entry_is_a_function_of_the_file() {
    let text = "int down(int n) { while (n > 0) n--; return n; }\nint main(void) { for (;;) ; }\n";
    let outcome = run(check("a.c", text).1.args(["--entry", "down"]));
    assert_eq!(outcome.status, 0, "{}{}", outcome.output, outcome.errors);
    assert!(outcome.output.contains("every run of `down` ends"), "{}", outcome.output);
    let outcome = run(check("a.c", text).1.args(["--entry", "sideways"]));
    assert!([2, 3].contains(&outcome.status), "{}", outcome.output);
}

#[test]
fn an_entry_may_be_another_name_of_a_function() {
    let text = "int down(int n) { while (n > 0) n--; return n; }
int lower(int) __attribute__((alias(\"down\")));
int elsewhere(int) __attribute__((alias(\"up\")));
";
    let outcome = run(check("a.c", text).1.args(["--entry", "lower", "--property", "termination"]));
    assert_eq!(outcome.status, 0, "{}{}", outcome.output, outcome.errors);
    assert!(outcome.output.contains("ends"), "{}", outcome.output);
    let outcome = run(check("a.c", text).1.args(["--entry", "elsewhere"]));
    assert!(outcome.errors.contains("no function `elsewhere`"), "{}", outcome.errors);
}

#[test]
fn an_analysis_that_takes_too_long_is_unknown() {
    // Many variables, so that the first states alone take longer than this.
    let names: Vec<String> = (0..40).map(|number| format!("x{number}")).collect();
    let steps: String = names
        .windows(2)
        .map(|pair| format!("if ({} > {}) {}--; ", pair[0], pair[1], pair[0]))
        .collect();
    let text = format!(
        "int input(void);\nint main(void) {{ int {}; while (input()) {{ {steps} }} return 0; }}\n",
        names.iter().map(|name| format!("{name} = input()")).collect::<Vec<_>>().join(", "),
    );
    let outcome = run(check("slow.c", text).1.args(["--timeout", "0.01", "--format", "json"]));
    assert_eq!(outcome.status, 3, "{}", outcome.output);
    assert_eq!(json(&outcome.output)["results"][0]["reasons"][0]["code"], "W033");
}

#[test]
fn few_steps_leave_a_question_open() {
    let arguments = ["--property", "termination", "--steps", "1", "--format", "json"];
    let outcome = run(check("a.c", COUNTDOWN).1.args(arguments));
    assert_eq!(outcome.status, 3, "{}", outcome.output);
    assert_eq!(json(&outcome.output)["results"][0]["reasons"][0]["code"], "W033");
}

#[test]
fn sarif_results_are_what_is_to_be_mended() {
    let (folder, mut command) = check("a.c", COUNTDOWN);
    fs::write(folder.path().join("b.c"), ENDLESS).unwrap();
    fs::write(folder.path().join("c.c"), OPEN).unwrap();
    let outcome = run(command.args(["b.c", "c.c", "--format", "sarif"]));
    let log: Value = serde_json::from_str(&outcome.output).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let [result] = &results[..] else { panic!("{results:?}") };
    assert_eq!((&result["kind"], &result["level"]), (&"fail".into(), &"error".into()));
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], 2);
    let notes = log["runs"][0]["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
    let levels: Vec<&Value> = notes.iter().map(|note| &note["level"]).collect();
    assert_eq!(levels, ["none", "note"], "a proof, and an open answer");
    let kinds: Vec<&Value> = notes.iter().map(|note| &note["properties"]["kind"]).collect();
    assert_eq!(kinds, ["pass", "open"]);
}

/// Compilers' lines come answer by answer, and only of what is no proof.
#[test]
fn compilers_lines_name_places_and_codes() {
    let (folder, mut command) = check("a.c", COUNTDOWN);
    fs::write(folder.path().join("b.c"), ENDLESS).unwrap();
    fs::write(folder.path().join("c.c"), "int main(void) { return }\n").unwrap();
    let outcome = run(command.args(["b.c", "c.c", "--format", "gcc"]));
    assert_eq!(outcome.status, 2, "{}", outcome.errors);
    let lines: Vec<&str> = outcome.output.lines().collect();
    let [endless, why, unreadable] = &lines[..] else { panic!("{lines:?}") };
    assert!(endless.starts_with("b.c:2:3: error: a run of `main` never ends"), "{endless}");
    assert!(endless.ends_with(" [W050]"), "{endless}");
    assert_eq!(*why, "b.c:2:3: note: nothing in a round can lead out of it");
    assert!(unreadable.starts_with("c.c:1:") && unreadable.contains(": error: "), "{unreadable}");
}

#[test]
fn html_escapes_the_program() {
    let outcome = run(check("a.c", OPEN).1.args(["--format", "html"]));
    assert!(
        outcome.output.contains("n &gt; 1") && !outcome.output.contains("n > 1"),
        "{}",
        outcome.output
    );
}

#[test]
fn a_precondition_without_meaning_has_a_place() {
    let text = |requires: &str| {
        format!("procedure f(x: ptr) requires \"{requires}\" {{\nb:\n  return\n}}\nentry f\n")
    };
    let outcome = run(&mut check("a.goto", text("ls(x, 0)")).1);
    assert_eq!(outcome.status, 0, "{}{}", outcome.output, outcome.errors);
    assert!(outcome.output.contains("run of `f` ends if ls(x, 0)"), "{}", outcome.output);
    for wrong in ["lists(x, 0)", "ls(x", "ls(0, 0)"] {
        let outcome = run(&mut check("a.goto", text(wrong)).1);
        assert_eq!(outcome.status, 2, "{wrong}: {}{}", outcome.output, outcome.errors);
        assert!(outcome.errors.contains("a.goto:1:"), "{wrong}: {}", outcome.errors);
    }
}

/// Nothing keeps the index inside of the array.
const UNBOUNDED: &str = "int input(void);\nint a[4];\nint main(void) {\n  int n = input();\n  \
                         for (int i = 0; i < n; i++)\n    a[i] = 1;\n  return 0;\n}\n";

#[test]
fn what_is_taken_for_granted_is_said_in_each_format() {
    let (_folder, mut command) = check("a.c", UNBOUNDED);
    let told = run(&mut command);
    assert_eq!(told.status, 0, "{}", told.output);
    let line = "  assuming that the access at 6:5 is valid: not proved\n";
    assert!(told.output.contains(line), "{}", told.output);
    let told = run(command.args(["--format", "json"]));
    let report = json(&told.output);
    let place = &report["results"][0]["assumes"][0];
    assert_eq!((&place["code"], &place["line"]), (&"W003".into(), &6.into()), "{place}");
    let told = run(check("a.c", UNBOUNDED).1.args(["--format", "sarif"]));
    assert!(told.output.contains("assuming that this access is in bounds: not proved (W003)"));
    let told = run(check("a.c", UNBOUNDED).1.args(["--format", "html"]));
    assert!(told.output.contains("access at 6:5 is valid"), "{}", told.output);
}

/// First values are put there whatever happens.
#[test]
fn first_values_are_no_accesses_that_are_assumed() {
    let text = "static const int days[3] = { 31, 28, 31 };\nint input(void);\nint main(void) {\n  \
                return days[input()];\n}\n";
    let told = run(check("a.c", text).1.args(["--property", "termination"])).output;
    assert!(told.contains("assuming that the access at 4:10 is valid"), "{told}");
}

/// The measure of an inner loop begins anew, and that of the outer one does not.
#[test]
fn measures_of_loops_within_loops_are_their_own() {
    let text = "int main(void) {\n  int s = 0;\n  for (int i = 0; i < 2; i++)\n    for (int j = 0; j < 2; j++)\n      \
                for (int k = 0; k < 3; k++) s ^= k;\n  return s;\n}\n";
    let told = run(check("a.c", text).1.args(["--property", "termination"])).output;
    for (loop_at, name, behind) in [
        ("3:3", "i", "\n"),
        ("4:5", "j", " before the loop is left\n"),
        ("5:7", "k", " before the loop is left\n"),
    ] {
        let line = format!("{loop_at} in `main`: `{name}` gets larger");
        let own = told.split("  loop at").find(|it| it.contains(&line)).expect(&told);
        assert!(own.contains(&format!("larger by at least 1 at any later time{behind}")), "{told}");
    }
}

#[test]
fn what_is_taken_for_granted_and_refuted_is_called_so() {
    let told = run(check("a.c", UNBOUNDED).1.args(["--property", "termination,memsafety"]));
    assert_eq!(told.status, 1, "{}", told.output);
    let line = "  up to the error at 6:5: it may be met, as memory safety shows\n";
    assert!(told.output.contains(line), "{}", told.output);
    assert!(!told.output.contains("at 6:5 is valid"), "{}", told.output);
}

#[test]
fn strict_proofs_take_nothing_for_granted() {
    let (_folder, mut command) = check("a.c", UNBOUNDED);
    let told = run(command.arg("--strict"));
    assert_eq!(told.status, 3, "{}", told.output);
    assert!(told.output.contains("W003"), "{}", told.output);
}

#[test]
fn nothing_is_taken_for_granted_of_what_is_memory_safe() {
    let text = UNBOUNDED.replace("a[i] = 1", "if (i < 4) a[i] = 1");
    let (_folder, mut command) = check("a.c", &text);
    let told = run(command.args(["--property", "termination,memsafety"]));
    assert_eq!(told.status, 0, "{}", told.output);
    assert!(!told.output.contains("is valid"), "{}", told.output);
}
