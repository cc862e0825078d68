//! Programs that read what wane writes, where they are at hand: BenchExec, Microsoft's validator of
//! SARIF, `man`, a terminal.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::folder::folder;
use crate::outside::{Machine, has_module, has_program, skipped, text, told};
use serde_json::Value;
use std::fs;

const HANGS: &str = "int main(void) { for (;;) ; }\n";
const ENDS: &str = "int main(void) { for (int i = 0; i < 9; i++) ; return 0; }\n";
/// Whether this ends is an open problem.
const OPEN: &str = "int main(void) { unsigned n; while (n > 1) n = n % 2 ? 3 * n + 1 : n / 2; }\n";

/// BenchExec runs the tool-info module of `docs/benchexec`, and scores what it says.
#[test]
fn benchexec_scores_the_answers() {
    if !has_program("benchexec") || !has_module("benchexec") {
        return skipped("there is no benchexec");
    }
    let task = |program: &str, expected: &str| {
        format!(
            "format_version: '2.0'\ninput_files: '{program}'\nproperties:\n\
             - property_file: end.prp\n  expected_verdict: {expected}\n\
             options:\n  language: C\n  data_model: ILP32\n"
        )
    };
    let benchmark = "<?xml version=\"1.0\"?>\n\
        <!DOCTYPE benchmark PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN\" \
        \"https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd\">\n\
        <benchmark tool=\"tools.wane\"><option name=\"--timeout\">50</option>\n\
        <rundefinition><tasks name=\"all\"><include>*.yml</include>\
        <propertyfile>end.prp</propertyfile></tasks></rundefinition></benchmark>\n";
    let project = folder(&[
        ("tools/__init__.py", ""),
        ("tools/wane.py", &text("docs/benchexec/wane.py")),
        ("end.prp", "CHECK( init(main()), LTL(F end) )\n"),
        ("ends.c", ENDS),
        ("ends.yml", &task("ends.c", "true")),
        ("hangs.c", HANGS),
        ("hangs.yml", &task("hangs.c", "false")),
        ("benchmark.xml", benchmark),
    ]);
    let machine = Machine::with(&[]);
    let mut benchexec = machine.command("benchexec", project.path());
    benchexec.args(["--no-container", "benchmark.xml"]).env("PYTHONPATH", project.path());
    let (status, output) = told(&mut benchexec);
    if status != 0 && output.contains("cgroups are not available") {
        return skipped("benchexec has no cgroups here");
    }
    assert_eq!(status, 0, "{output}");
    for line in ["false(termination)", "correct true:        1", "correct false:       1"] {
        assert!(output.contains(line), "{output}");
    }
}

/// The validator's rules for the standard, for GitHub and for Azure DevOps. What it misses are
/// addresses, of which there are none, and the name of a pipeline, which is for who uploads the log.
#[test]
fn the_validator_of_sarif_has_nothing_to_say() {
    let names = ["sarif-multitool-linux", "sarif-multitool"];
    let Some(name) = names.into_iter().find(|name| has_program(name)) else {
        return skipped("there is no sarif-multitool");
    };
    let null = "int *find(int *p) { return p ? p : 0; }\n\
                int null(void) { int *p = find(0); return *p; }\n";
    let project = folder(&[("hangs.c", HANGS), ("null & more.c", null), ("open.c", OPEN)]);
    let machine = Machine::with(&[]);
    let mut wane = machine.command("wane", project.path());
    let written = wane.args(["--format", "sarif", "-o", "log.sarif", "--steps", "20000", "."]);
    assert_eq!(told(written).0, 1);
    for (kind, left_out) in
        [("Gh", &[][..]), ("Ado", &["GHAzDO1014"]), ("Sarif", &["SARIF2005", "SARIF2012"])]
    {
        let mut validate = machine.command(name, project.path());
        validate.args(["validate", "log.sarif", "--rule-kind", kind]);
        let (status, output) = told(&mut validate);
        assert!(status == 0 && output.contains("Analysis completed successfully"), "{output}");
        let is_remark = |line: &&str| line.contains(": error ") || line.contains(": warning ");
        let is_left_out = |line: &&str| left_out.iter().any(|rule| line.contains(rule));
        let remarks: Vec<&str> =
            output.lines().filter(is_remark).filter(|it| !is_left_out(it)).collect();
        assert!(remarks.is_empty(), "{kind}: {remarks:?}");
    }
}

/// All manual pages are shown without a warning.
#[test]
fn man_shows_the_pages() {
    let project = folder(&[]);
    let machine = Machine::with(&[]);
    let wane = |words: &[&str]| {
        let output = machine.command("wane", project.path()).args(words).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let main = wane(&["man"]);
    let names = main.lines().filter_map(|it| it.strip_prefix("wane\\-")?.strip_suffix("(1)"));
    let names: Vec<&str> = names.collect();
    assert!(names.len() >= 8, "{names:?}");
    if !has_program("man") {
        return skipped("there is no man");
    }
    for name in names {
        fs::write(project.path().join("page.1"), wane(&["man", name])).unwrap();
        let mut man = machine.command("man", project.path());
        man.args(["--warnings", "-P", "cat", "-l", "page.1"]).env("LC_ALL", "C.UTF-8");
        let output = man.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && errors.is_empty(), "{name}: {errors}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("SYNOPSIS"), "{name}");
    }
}

/// On a terminal, long work is told of while it lasts, and the bar is gone before an answer comes.
#[test]
fn a_terminal_shows_what_takes_long() {
    if !has_program("script") {
        return skipped("there is no script");
    }
    let open = |number: usize| OPEN.replace("main(void)", &format!("open_{number}(unsigned n)"));
    let many: String = (0..8).map(|it| open(it).replace("unsigned n; ", "")).collect();
    let project = folder(&[("open.c", &many)]);
    let machine = Machine::with(&[]);
    let mut terminal = machine.command("script", project.path());
    let call = "wane --timeout 1 -j 1 -p termination open.c";
    let (status, output) = told(terminal.args(["-qec", call, "/dev/null"]).env("TERM", "xterm"));
    assert_eq!(status, 3, "{output}");
    assert!(output.contains(" of 8 done, "), "{output}");
    assert!(output.contains(": termination of open_7 of open.c"), "{output}");
    // The bar is taken away before each answer, and at the end.
    for (before, _) in output.match_indices("whether every run of").skip(4) {
        let line = output[..before].rsplit(['\n', '\r']).next().unwrap();
        assert!(line.starts_with("\u{1b}[2K") && !line.contains("done"), "{line:?}");
    }
    assert!(output.contains("\u{1b}[2Kfunction "), "{output}");
}

/// The shapes that a project sets are known to each call.
#[test]
fn shapes_of_a_project_are_set_once() {
    let shape = text("docs/guide/shapes.md");
    let shape =
        shape.split("```").find(|it| it.starts_with("shape\n") || it.contains("shape ")).unwrap();
    let wrong = format!("{}\nthis is no shape", shape.split_once('\n').unwrap().1);
    let project = folder(&[
        ("a.c", ENDS),
        ("sub/own.shape", &wrong),
        ("sub/wane.toml", "shapes = [\"own.shape\"]\n"),
    ]);
    let machine = Machine::with(&[]);
    let mut wane = machine.command("wane", project.path());
    let (status, output) = told(wane.args(["--config", "sub/wane.toml", "a.c"]));
    assert!(status == 2 && output.contains("sub/own.shape:"), "{output}");
    let report = machine.command("wane", project.path()).args(["--format", "json", "a.c"]).output();
    let report: Value = serde_json::from_slice(&report.unwrap().stdout).unwrap();
    assert_eq!(report["results"][0]["verdict"], "true");
}
