//! Over time and over machines: the cache, shards, what has changed, differences of reports.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::folder::folder;
use crate::outside::skipped;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

fn wane(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wane"));
    command.env("NO_COLOR", "1").env_remove("CC").current_dir(folder).args(arguments);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = wane(folder, arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Functions of some kinds: a list that is walked, loops that count, one that hangs, one that
/// nobody knows of, one that makes an error.
fn functions(n_functions: usize) -> String {
    let mut text = String::from("struct cell { int value; struct cell *next; };\n");
    for number in 0..n_functions {
        let _ = match number % 5 {
            0 => writeln!(
                text,
                "int sum_{number}(struct cell *x) {{ int s = 0; while (x) {{ s ^= x->value; x = x->next; }} return s; }}"
            ),
            1 => writeln!(
                text,
                "int up_{number}(int n) {{ int i = 0; while (i < n) i += {number}; return i; }}"
            ),
            2 => writeln!(text, "void hang_{number}(int n) {{ for (;;) n = !n; }}"),
            3 => writeln!(
                text,
                "void open_{number}(int *a, int n) {{ while (a[n] != {number}) n = a[n]; }}"
            ),
            _ => writeln!(text, "int bad_{number}(void) {{ int *p = 0; return *p + {number}; }}"),
        };
    }
    text
}

fn project(n_functions: usize) -> TempDir {
    let main = "int sum_0(void *);\nint main(void) { return sum_0(0); }\n";
    folder(&[
        ("lib.c", &functions(n_functions)),
        ("src/main.c", main),
        ("src/odd.c", "int x = ;\n"),
    ])
}

const FEW_STEPS: [&str; 2] = ["--steps", "40000"];

#[test]
fn shards_put_together_are_one_run() {
    let project = project(10);
    for number in (1..=8).rev() {
        let (shard, file) = (format!("{number}/8"), format!("part{number}.json"));
        let arguments = [&FEW_STEPS[..], &["--shard", &shard, "-o", &file, "."]].concat();
        let (status, output, errors) = run(project.path(), &arguments);
        assert_eq!((status, output.as_str(), errors.as_str()), (0, "", ""));
    }
    for format in ["json", "jsonl", "sarif", "html", "human"] {
        let whole = [&FEW_STEPS[..], &["--format", format, "."]].concat();
        let (status, expected, errors) = run(project.path(), &whole);
        let parts: Vec<String> =
            [3, 1, 2, 8, 7, 6, 4, 5].map(|number| format!("part{number}.json")).to_vec();
        let mut merge = vec!["merge", "--format", format];
        merge.extend(parts.iter().map(String::as_str));
        let merged = run(project.path(), &merge);
        assert_eq!(merged, (status, expected, errors), "{format}");
    }
    for (files, message) in [
        (&["part1.json", "part2.json"][..], "part 3 of 8 is missing"),
        (&["lib.c"], "lib.c is no part of a report"),
    ] {
        let (status, _, errors) = run(project.path(), &[&["merge"], files].concat());
        assert!(status == 2 && errors.contains(message), "{errors}");
    }
    let mut twice = vec!["merge", "part1.json"];
    let parts: Vec<String> = (1..=8).map(|number| format!("part{number}.json")).collect();
    twice.extend(parts.iter().map(String::as_str));
    let (status, _, errors) = run(project.path(), &twice);
    assert!(status == 2 && errors.contains("part 1 of 8 is there twice"), "{errors}");
    fs::write(project.path().join("lib.c"), functions(5)).unwrap();
    let again = [&FEW_STEPS[..], &["--shard", "1/8", "-o", "part1.json", "."]].concat();
    assert_eq!(run(project.path(), &again).0, 0);
    let (status, _, errors) = run(
        project.path(),
        &twice[..1].iter().copied().chain(parts.iter().map(String::as_str)).collect::<Vec<_>>(),
    );
    assert!(status == 2 && errors.contains("the parts are of different runs"), "{errors}");
    // What a project has set for reports is no matter of parts.
    fs::write(project.path().join("wane.toml"), "[report]\nformat = \"sarif\"\n").unwrap();
    assert_eq!(run(project.path(), &again).0, 0);
    assert_eq!(run(project.path(), &[&again[..], &["--format", "sarif"]].concat()).0, 2);
    for wrong in ["0/2", "3/2", "x"] {
        assert_eq!(run(project.path(), &["--shard", wrong, "."]).0, 2);
    }
}

/// User and system time of a call, in seconds, where python3 can measure it.
fn cpu_of(folder: &Path, arguments: &[&str]) -> Option<f64> {
    let script = "import os, resource, subprocess, sys\n\
                  subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n\
                  used = resource.getrusage(resource.RUSAGE_CHILDREN)\n\
                  print(used.ru_utime + used.ru_stime)\n";
    let mut command = Command::new("python3");
    command.args(["-c", script, env!("CARGO_BIN_EXE_wane")]).args(arguments).current_dir(folder);
    String::from_utf8(command.output().ok()?.stdout).ok()?.trim().parse().ok()
}

fn entries_of(cache: &Path) -> Vec<PathBuf> {
    let below = |folder: &Path| fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let folders = below(cache).filter(|it| it.is_dir());
    folders.flat_map(|it| below(&it).collect::<Vec<_>>()).collect()
}

#[test]
fn a_cache_gives_the_same_answers_for_less() {
    let project = project(15);
    let arguments = ["--format", "json", "--steps", "40000", "--cache", "cache", "lib.c"];
    let without = run(project.path(), &["--format", "json", "--steps", "40000", "lib.c"]);
    let first = cpu_of(project.path(), &arguments);
    let second = cpu_of(project.path(), &arguments);
    if let (Some(first), Some(second)) = (first, second) {
        assert!(second * 4.0 < first, "{second} s after {first} s");
    } else {
        run(project.path(), &arguments);
    }
    assert_eq!(run(project.path(), &arguments), without);
    // One function changes: it alone is asked again.
    let n_known = entries_of(&project.path().join("cache")).len();
    // Two answers for each function, and which code it reaches; and which functions there are.
    assert_eq!(n_known, 3 * 15 + 1);
    let changed = functions(15).replacen("s ^= x->value", "s |= x->value", 1);
    fs::write(project.path().join("lib.c"), changed).unwrap();
    assert_eq!(run(project.path(), &arguments).0, without.0);
    // The text of the file is another one: which code is reached is found again.
    assert_eq!(entries_of(&project.path().join("cache")).len(), n_known + 1 + 15 + 2);
    // Other options are other questions.
    run(project.path(), &[&["--int-model", "math"], &arguments[..]].concat());
    assert_eq!(entries_of(&project.path().join("cache")).len(), 2 * n_known + 1 + 15 + 2);
}

/// The same text is entered at other functions, as other things are asked.
#[test]
fn a_cache_knows_where_a_program_is_entered() {
    let helper = "int half(int n) { while (n > 1) n /= 2; return n; }\n";
    let main =
        "int half(int n);\nint main(void) { int n = 9; while (half(n) > 1) n--; return n; }\n";
    let project = folder(&[("half.c", helper), ("main.c", main), ("no.c", "int broken(\n")]);
    let both = ["half.c", "main.c"];
    let calls: [Vec<&str>; 7] = [
        both.to_vec(),
        [&["--all-functions"], &both[..]].concat(),
        [&["--entry", "half"], &both[..]].concat(),
        [&["-p", "termination"], &both[..]].concat(),
        vec!["half.c"],
        vec!["half.c", "no.c"],
        vec!["."],
    ];
    for call in &calls {
        let without = run(project.path(), &[&["--format", "json"], &call[..]].concat());
        for _ in 0..2 {
            let cached = [&["--format", "json", "--cache", "known"], &call[..]].concat();
            assert_eq!(run(project.path(), &cached), without, "{call:?}");
        }
    }
}

/// What is damaged is no entry; what another run writes is whole.
#[test]
fn a_cache_loses_and_falsifies_nothing() {
    let project = project(10);
    let arguments = ["--format", "json", "--steps", "40000", "--cache", "cache", "lib.c"];
    let expected = run(project.path(), &["--format", "json", "--steps", "40000", "lib.c"]);
    run(project.path(), &arguments);
    let cache = project.path().join("cache");
    let entries = entries_of(&cache);
    assert_eq!(entries.len(), 31);
    for (number, entry) in entries.iter().enumerate() {
        let text = fs::read_to_string(entry).unwrap();
        let other = fs::read_to_string(&entries[(number + 1) % entries.len()]).unwrap();
        let damaged = match number % 5 {
            0 => text[..text.len() / 2].to_owned(),
            1 => text.replace("true", "false").replace("unknown", "true"),
            2 => String::new(),
            // An entry in the place of another one.
            3 => other,
            _ => text.replacen(char::is_numeric, "7", 1),
        };
        fs::write(entry, damaged).unwrap();
    }
    assert_eq!(run(project.path(), &arguments), expected);
    // Two runs at once, and runs that are ended at any moment.
    fs::remove_dir_all(&cache).unwrap();
    let mut both: Vec<_> = (0..2)
        .map(|_| {
            wane(project.path(), &arguments)
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in both.drain(..) {
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected.1);
    }
    for moment in 0..50 {
        // Every tenth run finds nothing that an earlier one has left.
        if moment % 10 == 0 {
            assert_eq!(run(project.path(), &arguments), expected);
            fs::remove_dir_all(&cache).unwrap();
        }
        let mut child = wane(project.path(), &arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(moment * 7));
        let signal = ["-INT", "-TERM", "-KILL"][usize::try_from(moment).unwrap() % 3];
        let _ = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .stderr(Stdio::null())
            .status();
        child.wait().unwrap();
    }
    assert_eq!(run(project.path(), &arguments), expected);
}

#[test]
fn only_what_has_changed_is_asked() {
    let header = "#define STEP 1\n";
    let user =
        "#include \"step.h\"\nint up(int n) { int i = 0; while (i < n) i += STEP; return i; }\n";
    let caller = "int up(int);\nint twice(int n) { return up(n) + up(n); }\n";
    let project = folder(&[
        ("step.h", header),
        ("up.c", user),
        ("caller.c", caller),
        ("alone.c", "int alone(int n) { while (n > 0) n--; return n; }\n"),
    ]);
    let entries = |arguments: &[&str]| -> Vec<String> {
        let fixed = ["-p", "termination", "--format", "json"];
        let (_, output, errors) = run(project.path(), &[&fixed[..], arguments, &["."]].concat());
        let report: Value = serde_json::from_str(&output).unwrap_or_else(|_| panic!("{errors}"));
        let results = report["results"].as_array().unwrap().iter();
        let mut entries: Vec<String> =
            results.map(|it| it["entry"].as_str().unwrap().to_owned()).collect();
        entries.sort();
        entries
    };
    let list = |text: &str| fs::write(project.path().join("list"), text).unwrap();
    assert_eq!(entries(&[]), ["alone", "twice", "up"]);
    list("alone.c\n");
    assert_eq!(entries(&["--changed-files", "list"]), ["alone"]);
    // Who includes a header, and who calls that, is meant as well.
    list("step.h\n");
    assert_eq!(entries(&["--changed-files", "list"]), ["twice", "up"]);
    list("caller.c\n");
    assert_eq!(entries(&["--changed-files", "list"]), ["twice"]);
    list("removed.c\n");
    assert_eq!(entries(&["--changed-files", "list"]), ["alone", "twice", "up"]);
    let (_, _, errors) = run(project.path(), &["--changed-files", "list", "."]);
    assert!(errors.contains("warning: removed.c is not there any more"), "{errors}");
    list("readme.md\n");
    assert_eq!(entries(&["--changed-files", "list"]), [""; 0]);
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(project.path()).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        let output = command.args(arguments).stdin(Stdio::null()).output();
        output.is_ok_and(|it| it.status.success())
    };
    if git(&["init", "-q"]) && git(&["add", "."]) && git(&["commit", "-q", "-m", "first"]) {
        assert_eq!(entries(&["--changed-since", "HEAD"]), [""; 0]);
        fs::write(project.path().join("step.h"), "#define STEP 2\n").unwrap();
        fs::write(project.path().join("new.c"), "int fresh(void) { return 1; }\n").unwrap();
        assert_eq!(entries(&["--changed-since", "HEAD"]), ["fresh", "twice", "up"]);
        let (status, _, errors) = run(project.path(), &["--changed-since", "nowhere", "."]);
        assert!(status == 2 && errors.contains("there is no revision `nowhere`"), "{errors}");
        // What others did since is no change of this branch.
        assert!(git(&["branch", "ours"]) && git(&["commit", "-q", "-a", "-m", "theirs"]));
        assert!(git(&["branch", "theirs"]) && git(&["checkout", "-q", "ours"]));
        fs::write(project.path().join("alone.c"), "int alone(void) { return 1; }\n").unwrap();
        assert!(git(&["commit", "-q", "-a", "-m", "ours"]));
        assert_eq!(entries(&["--changed-since", "theirs"]), ["alone", "fresh"]);
        // Two histories without a common commit.
        assert!(git(&["checkout", "-q", "--orphan", "other"]) && git(&["commit", "-q", "-m", "b"]));
        assert_eq!(entries(&["--changed-since", "theirs"]), ["alone", "fresh", "twice", "up"]);
    }
}

#[test]
fn differences_of_reports_are_told() {
    let old = "int a(int n) { while (n > 0) n--; return n; }\nvoid b(int n) { for (;;) n = !n; }\n\
               int c(void) { return 1; }\nint d(void) { return 1; }\n";
    let new = "int a(int n) { while (n > 0) n++; return n; }\n\
               void b(int n) { while (n > 0) n--; }\nint d(void) { return 1; }\nvoid e(int n) { for (;;) n = !n; }\n\
               void f(unsigned n) { while (n > 1) n = n % 2 ? 3 * n + 1 : n / 2; }\n";
    let project = folder(&[("x.c", old)]);
    let report = |name: &str| {
        run(project.path(), &["-p", "termination", "--format", "json", "-o", name, "x.c"]);
    };
    report("old.json");
    fs::write(project.path().join("x.c"), new).unwrap();
    report("new.json");
    let (status, output, _) = run(project.path(), &["diff", "old.json", "new.json"]);
    assert_eq!(status, 1);
    for line in [
        "introduced: x.c:4:",
        "fixed: x.c: termination of `b`",
        "lost proof: x.c:1:",
        "gone: x.c: termination of `c`",
        "new unknown: x.c:5:",
    ] {
        assert!(output.contains(line), "{line}\n{output}");
    }
    let counts = "1 introduced, 1 lost proof, 1 new unknown, 1 fixed, 1 gone, 1 unchanged\n";
    assert!(output.ends_with(counts), "{output}");
    let (status, json, _) =
        run(project.path(), &["diff", "--format", "json", "old.json", "new.json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((status, json["introduced"][0]["entry"].as_str()), (1, Some("e")));
    assert_eq!(run(project.path(), &["diff", "new.json", "new.json"]).0, 0);
    assert_eq!(run(project.path(), &["diff", "--fail-on", "never", "old.json", "new.json"]).0, 0);
    let (status, _, errors) = run(project.path(), &["diff", "x.c", "new.json"]);
    assert!(
        status == 2 && errors.contains("x.c cannot be compared: it is no JSON report"),
        "{errors}"
    );
}

/// What is refuted before and after, but for another reason, was mended and is new.
#[test]
fn another_fault_of_a_function_is_no_old_one() {
    let null = "int main(void) {\n    int *p  = 0;\n    *p = 1;\n    return 0;\n}\n";
    let freed = "#include <stdlib.h>\nint main(void) {\n    int *p = malloc(4);\n    free(p);\n    \
                 *p = 3;\n    return 0;\n}\n";
    let moved = "\nint main(void) {\n    int *p = 0;\n    * p  = 1;\n    return 0;\n}\n";
    let project = folder(&[("x.c", null)]);
    let report = |name: &str, text: &str| {
        fs::write(project.path().join("x.c"), text).unwrap();
        run(project.path(), &["-p", "memsafety", "--format", "json", "-o", name, "x.c"]);
    };
    for (name, text) in [("null.json", null), ("freed.json", freed), ("moved.json", moved)] {
        report(name, text);
    }
    let (status, output, _) = run(project.path(), &["diff", "null.json", "freed.json"]);
    assert!(output.contains("introduced: x.c:5:") && output.contains("[W002]"), "{output}");
    assert!(output.contains("fixed: x.c:3:") && output.contains("[W001]"), "{output}");
    assert!(status == 1 && output.ends_with("1 introduced, 1 fixed, 0 unchanged\n"), "{output}");
    let (status, output, _) = run(project.path(), &["diff", "null.json", "moved.json"]);
    assert_eq!((status, output.as_str()), (0, "1 unchanged\n"));
}

#[test]
fn parts_of_a_run_are_not_compared() {
    let project = project(10);
    let json = ["--steps", "40000", "--format", "json", "lib.c"];
    run(project.path(), &[&["-o", "whole.json"][..], &json].concat());
    run(project.path(), &[&["-o", "part.json", "--shard", "1/2"][..], &json].concat());
    for pair in [["whole.json", "part.json"], ["part.json", "whole.json"]] {
        let (status, output, errors) = run(project.path(), &[&["diff"], &pair[..]].concat());
        assert!(status == 2 && output.is_empty(), "{output}");
        assert!(errors.contains("part.json") && errors.contains("it is part 1 of 2"), "{errors}");
        assert!(errors.contains("`wane merge`"), "{errors}");
    }
}

#[test]
fn build_systems_are_told_what_answers_depend_on() {
    let project =
        folder(&[("a b.h", "\n"), ("a.c", "#include \"a b.h\"\nint f(void) { return 1; }\n")]);
    let (status, ..) = run(project.path(), &["--depfile", "out.d", "-o", "out.txt", "a.c"]);
    assert_eq!(status, 0);
    let text = fs::read_to_string(project.path().join("out.d")).unwrap();
    fs::write(project.path().join("wane.toml"), "[check]\nsteps = 77\n").unwrap();
    run(project.path(), &["--depfile", "settings.d", "-o", "out.txt", "a.c"]);
    let of_settings = fs::read_to_string(project.path().join("settings.d")).unwrap();
    assert!(of_settings.contains("wane.toml"), "{of_settings}");
    // Beside these, what the C compiler reads of its own accord.
    assert!(
        text.starts_with("out.txt: \\\n  ") && text.ends_with(" \\\n  a\\ b.h \\\n  a.c\n"),
        "{text}"
    );
}

/// The plan of a project in so many parts, as ninja reads it.
fn plan(folder: &Path, n_parts: &str, words: &[&str]) -> String {
    let arguments = ["plan", "--ninja", "--shards", n_parts, "--folder", "out put", "--"];
    let (status, plan, errors) = run(folder, &[&arguments[..], words].concat());
    assert_eq!(status, 0, "{errors}");
    fs::write(folder.join("build.ninja"), &plan).unwrap();
    plan
}

/// What ninja says that it does, if it is there, which ends well.
fn ninja(folder: &Path) -> Option<String> {
    let done = Command::new("ninja").current_dir(folder).output().ok()?;
    let told = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{told}");
    Some(told)
}

/// Where ninja is at hand, it does all parts, and again only what is out of date.
#[test]
fn ninja_does_the_work_in_parts() {
    let project = project(10);
    let text = plan(project.path(), "3", &["--steps", "40000", "lib.c"]);
    assert_eq!(text.matches("\nbuild out$ put/part-").count(), 3, "{text}");
    let Some(_) = ninja(project.path()) else {
        assert!(text.contains("deps = gcc"));
        return skipped("there is no ninja");
    };
    let report = fs::read_to_string(project.path().join("out put/report.json")).unwrap();
    let whole = run(project.path(), &["--steps", "40000", "--format", "json", "lib.c"]).1;
    assert_eq!(report, whole);
    assert!(ninja(project.path()).unwrap().contains("no work to do"));
}

/// Files of a project, what an edit leaves of each, and the files whose answers it may change.
const EDITS: [(&str, &str, &[&str]); 5] = [
    ("b.c", "int b(int n) { return n / 2; }\n", &["a.c", "b.c"]),
    // Nothing but a line that is blank.
    ("c.c", "#include \"c.h\"\nint c(int n) { while (n > C) n--; return n; }\n\n", &[]),
    ("c.h", "#define C 5\n", &["c.c"]),
    ("d.c", "void d(int n) { for (;;) n = !n; } // wane: allow(W050)\n", &[]),
    // The place of `f` among all is another one.
    ("e.c", "int e(int n) { return n; }\nint e2(void) { return 2; }\n", &["e.c", "f.c"]),
];

/// Each edit runs the edges that it concerns, and no others; what comes of it is one run, byte for
/// byte.
#[test]
fn ninja_does_again_what_an_edit_concerns() {
    let project = folder(&[
        ("a.c", "int b(int);\nint a(int n) { while (n > 0) n = b(n); return n; }\n"),
        ("b.c", "int b(int n) { return n - 1; }\n"),
        ("c.c", "#include \"c.h\"\nint c(int n) { while (n > C) n--; return n; }\n"),
        ("c.h", "#define C 4\n"),
        ("d.c", "void d(int n) { for (;;) n = !n; }\n"),
        ("e.c", "int e(int n) { return n + 1; }\n"),
        ("f.c", "int f(int n) { while (n) n /= 2; return n; }\n"),
    ]);
    let path = project.path();
    let words = [&FEW_STEPS[..], &["-p", "termination", "."]].concat();
    plan(path, "40", &words);
    if ninja(path).is_none() {
        return skipped("there is no ninja");
    }
    // The files that a part is about.
    let files_of = |number: usize| -> Vec<String> {
        let part = fs::read_to_string(path.join(format!("out put/part-{number}.json"))).unwrap();
        let part: Value = serde_json::from_str(&part).unwrap();
        let results = part["results"].as_array().unwrap().iter();
        results.map(|it| it["file"].as_str().unwrap().to_owned()).collect()
    };
    let whole = || run(path, &[&["--format", "json"], &words[..]].concat()).1;
    let report = || fs::read_to_string(path.join("out put/report.json")).unwrap();
    assert_eq!(report(), whole());
    for (name, text, concerned) in EDITS {
        let before: Vec<Vec<String>> = (1..=40).map(files_of).collect();
        let used = before.iter().filter(|it| !it.is_empty()).count();
        assert!(used >= 5, "files are in parts of their own: {before:?}");
        fs::write(path.join(name), text).unwrap();
        let told = ninja(path).unwrap();
        for (number, files) in (1..).zip(&before) {
            let is_done = told.contains(&format!("wane: part {number} of 40"));
            let is_wanted = files.iter().any(|it| concerned.contains(&it.as_str()));
            assert_eq!(is_done, is_wanted, "{name} {files:?}: {told}");
        }
        assert_eq!(report(), whole(), "{name}");
        assert!(ninja(path).unwrap().contains("no work to do"));
    }
    // Parts of other texts are not put together.
    let number = (1..=40).find(|it| files_of(*it).contains(&"f.c".to_owned())).unwrap();
    let part = format!("out put/part-{number}.json");
    let stale = fs::read_to_string(path.join(&part)).unwrap();
    fs::write(path.join("f.c"), "int f(int n) { return 0; }\n").unwrap();
    ninja(path).unwrap();
    fs::write(path.join(&part), stale).unwrap();
    let parts: Vec<String> = (1..=40).map(|it| format!("out put/part-{it}.json")).collect();
    let merge: Vec<&str> = ["merge"].into_iter().chain(parts.iter().map(String::as_str)).collect();
    let (status, _, errors) = run(path, &merge);
    assert!(status == 2 && errors.contains(&format!("{part} is out of date")), "{errors}");
    // Nor is a part made of files that are not those of the plan.
    fs::write(path.join("a.c"), "\n").unwrap();
    let part = ["--shard", "1/40", "--plan", "out put", "-o", "x.json"];
    let (status, _, errors) = run(path, &[&part, &words[..]].concat());
    assert!(status == 2 && errors.contains("files have changed since"), "{errors}");
}
