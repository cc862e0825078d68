//! wane as a gate: what makes a call fail, and what a project sets once.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::folder::folder;
use assert_cmd::Command;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const PROVED: &str = "int count(int n) {\n  while (n > 0) n--;\n  return n;\n}\n";
const REFUTED: &str = "int hang(int n) {\n  for (;;) n = n ? 0 : 1;\n}\n";
/// Whether this ends is an open problem.
const OPEN: &str =
    "void collatz(unsigned n) {\n  while (n > 1) n = n % 2 ? 3 * n + 1 : n / 2;\n}\n";
const MAIN: &str = "int count(int);\nint main(void) { return count(3); }\n";

fn told(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wane"));
    command.env("NO_COLOR", "1").env_remove("CC").current_dir(folder).args(arguments);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn run(project: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    told(project.path(), arguments)
}

/// What was asked, in order: `file:entry:property`.
fn asked(output: &str) -> Vec<String> {
    let report: Value = serde_json::from_str(output).unwrap_or_else(|_| panic!("{output}"));
    let results = report["results"].as_array().unwrap().iter();
    let word = |it: &Value, name: &str| it[name].as_str().unwrap().to_owned();
    let line =
        |it: &Value| format!("{}:{}:{}", word(it, "file"), word(it, "entry"), word(it, "property"));
    results.map(line).collect()
}

/// Blanks inside the line change nothing, also where a baseline is of the second version, in which
/// they counted.
#[test]
fn a_baseline_knows_lines_with_other_blanks() {
    let text = "int main(void) {\n    int *p = 0;\n    *p  = 1;\n    return 0;\n}\n";
    let project = folder(&[("a.c", text)]);
    let asked = ["-p", "memsafety", "--baseline", "known.json", "a.c"];
    assert_eq!(run(&project, &["-p", "memsafety", "--write-baseline", "known.json", "a.c"]).0, 1);
    fs::write(project.path().join("a.c"), text.replace("*p  =", "* p =")).unwrap();
    assert_eq!(run(&project, &asked), (0, "1 accepted\n".to_owned(), String::new()));
    let second = json!({ "version": 1, "known": [{
        "fingerprint": "f638c7a593544e7a", "file": "a.c", "function": "main",
        "property": "memsafety", "reason": "a null pointer",
    }] });
    fs::write(project.path().join("known.json"), second.to_string()).unwrap();
    fs::write(project.path().join("a.c"), text).unwrap();
    assert_eq!(run(&project, &asked), (0, "1 accepted\n".to_owned(), String::new()));
}

#[test]
fn users_choose_which_answers_fail() {
    let project = folder(&[("a.c", PROVED), ("b.c", REFUTED), ("c.c", OPEN)]);
    for (fail_on, file, expected) in [
        ("unknown", "a.c", 0),
        ("unknown", "b.c", 1),
        ("unknown", "c.c", 3),
        ("refuted", "a.c", 0),
        ("refuted", "b.c", 1),
        ("refuted", "c.c", 0),
        ("never", "b.c", 0),
        ("never", "c.c", 0),
        ("never", "missing.c", 2),
    ] {
        let arguments = ["-p", "termination", "--fail-on", fail_on, file];
        let (status, output, errors) = run(&project, &arguments);
        assert_eq!(status, expected, "{fail_on} {file}: {output}{errors}");
        let is_told = file == "a.c" || output.contains("refuted") || output.contains("unknown");
        assert!(is_told || file == "missing.c", "{output}");
    }
    fs::write(project.path().join("wane.toml"), "[report]\nfail-on = \"refuted\"\n").unwrap();
    assert_eq!(run(&project, &["-p", "termination", "c.c"]).0, 0);
    assert_eq!(run(&project, &["-p", "termination", "--fail-on", "unknown", "c.c"]).0, 3);
}

#[test]
fn a_project_sets_its_options_once() {
    let settings = "exclude = [\"vendor\", \"*.gen.c\"]\n\n[check]\nproperty = [\"termination\"]\n\
                    timeout = 7.5\n\n[preprocessor]\nfolders = [\"include\"]\ndefine = [\"N=3\"]\n\n\
                    [[overrides]]\npaths = [\"src/careful/**\"]\n\
                    check = { property = [\"memsafety\"], strict = true }\n";
    let source = format!("#include \"n.h\"\n#if N != 3\n#error no\n#endif\n{PROVED}");
    let project = folder(&[
        ("wane.toml", settings),
        ("include/n.h", ""),
        ("src/a.c", &source),
        ("src/b.gen.c", "this is no C"),
        ("src/careful/c.c", "int half(int n) { return n / 2; }\n"),
        ("src/vendor/d.c", "nor is this"),
    ]);
    let (status, output, errors) = run(&project, &["--format", "json", "src"]);
    assert_eq!(status, 0, "{output}{errors}");
    assert_eq!(asked(&output), ["src/a.c:count:termination", "src/careful/c.c:half:memsafety"]);
    // From a folder below, the same file is found.
    let below = project.path().join("src");
    let (status, output, errors) = told(&below, &["--format", "json", "."]);
    assert_eq!((status, asked(&output).len()), (0, 2), "{output}{errors}");
    // A file that is named is checked, whatever is left out.
    let (status, _, errors) = run(&project, &["src/vendor/d.c"]);
    assert!(status == 2 && errors.contains("src/vendor/d.c:1"), "{errors}");
    // Flags count more than the file.
    let (_, output, _) = run(&project, &["--format", "json", "-p", "reach", "src"]);
    assert_eq!(asked(&output), ["src/a.c:count:reach", "src/careful/c.c:half:reach"]);
    let (_, output, _) = run(&project, &["--format", "json", "--include", "src/a*", "src"]);
    assert_eq!(asked(&output), ["src/a.c:count:termination"]);
    let (_, output, _) = run(&project, &["--format", "json", "--exclude", "careful", "src"]);
    assert_eq!(asked(&output), ["src/a.c:count:termination"]);
    let (status, _, errors) = run(&project, &["--exclude", "*.c", "src"]);
    assert!(status == 2 && errors.contains("all files of this are left out"), "{errors}");
}

#[test]
fn settings_are_shown_and_read_back() {
    let project = folder(&[
        ("wane.toml", "[check]\nsteps = 1234\n[report]\nformat = \"jsonl\"\n"),
        ("a.c", PROVED),
    ]);
    let (status, shown, errors) = run(&project, &["config"]);
    assert_eq!(status, 0, "{errors}");
    for line in ["steps = 1234", "format = \"jsonl\"", "timeout = 60.0", "fail-on = \"unknown\""] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert!(shown.starts_with("# from ") && shown.contains("wane.toml\n"), "{shown}");
    fs::write(project.path().join("shown.toml"), &shown).unwrap();
    let (_, again, errors) = run(&project, &["config", "--config", "shown.toml"]);
    let without_head = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(without_head(&again), without_head(&shown), "{errors}");
}

#[test]
fn errors_in_settings_have_places() {
    let project = folder(&[("a.c", PROVED)]);
    for (text, place, message) in [
        ("[check]\ntimeuot = 3\n", "wane.toml:2:1", "there is no setting `timeuot` here"),
        ("[check]\ntimeout = 0\n", "wane.toml:2:11", "expected a number of seconds above 0"),
        (
            "[check]\nproperty = [\"safety\"]\n",
            "wane.toml:2:13",
            "`safety` is none of `termination`",
        ),
        ("[report\n", "wane.toml:1:8", ""),
        ("jobs = \"many\"\n", "wane.toml:1:8", "expected a number from 1 to 65535"),
        ("[[overrides]]\npaths = [\"a\"]\ncheck = { jobs = 3 }\n", "wane.toml:3:11", "`jobs`"),
        ("exclude = [\"a[\"]\n", "wane.toml: `a[` is no pattern", ""),
        ("[[overrides]]\npaths = [\"[\"]\ncheck = {}\n", "wane.toml: `[` is no pattern", ""),
    ] {
        fs::write(project.path().join("wane.toml"), text).unwrap();
        let (status, _, errors) = run(&project, &["a.c"]);
        assert_eq!(status, 2, "{text}");
        assert!(errors.contains(place) && errors.contains(message), "{text}{errors}");
    }
    let (status, _, errors) = run(&project, &["--config", "absent.toml", "a.c"]);
    assert!(status == 2 && errors.contains("absent.toml cannot be read"), "{errors}");
    let file = project.path().join("wane.toml");
    fs::write(&file, b"jobs = 1\n# \xff\n").unwrap();
    let (status, _, errors) = run(&project, &["a.c"]);
    assert!(status == 2 && errors.contains("wane.toml:2:3: this is no UTF-8"), "{errors}");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let (status, _, errors) = run(&project, &["a.c"]);
    assert!(status == 2 && errors.contains("wane.toml is a directory"), "{errors}");
}

/// The schema names the keys that there are, and no others.
#[test]
fn the_schema_of_settings_is_that_of_the_program() {
    let schema =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/wane.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let project = folder(&[("a.c", PROVED)]);
    let mut n_keys = 0;
    let mut try_key = |table: &[&str], key: &str, value: &Value| {
        let mut whole = serde_json::json!({ key: value });
        for name in table.iter().rev() {
            whole = serde_json::json!({ *name: whole });
        }
        assert!(validator.is_valid(&whole), "{whole}");
        let text = toml::to_string(&whole).unwrap();
        fs::write(project.path().join("wane.toml"), &text).unwrap();
        let (status, _, errors) = run(&project, &["config"]);
        assert_eq!(status, 0, "{text}{errors}");
        n_keys += 1;
    };
    let properties = |value: &Value| value["properties"].as_object().unwrap().clone();
    for (name, value) in properties(&schema) {
        let own =
            value.get("$ref").and_then(|it| it.as_str()).map(|it| it.rsplit('/').next().unwrap());
        match own {
            Some(table) => {
                for (key, value) in properties(&schema["$defs"][table]) {
                    try_key(&[&name], &key, &value["examples"][0]);
                }
            }
            None => try_key(&[], &name, &value["examples"][0]),
        }
    }
    assert!(n_keys > 20, "{n_keys}");
    // What the program shows is what the schema knows.
    let shown = run(&folder(&[("a.c", "")]), &["config"]).1;
    let shown: Value = toml::from_str(&shown).unwrap();
    assert!(validator.is_valid(&shown), "{shown}");
    let wrong = serde_json::json!({ "check": { "timeuot": 3 } });
    assert!(!validator.is_valid(&wrong));
}

#[test]
fn a_compilation_database_is_found() {
    let source = format!("#ifndef GIVEN\n#error no\n#endif\n{PROVED}");
    let database = |root: &Path| {
        let entry = |file: &str| serde_json::json!({ "directory": root, "file": file, "command": format!("cc -DGIVEN -c {file}") });
        let probe = "build/CMakeFiles/3.25.1/CompilerIdC/CMakeCCompilerId.c";
        serde_json::json!([entry("src/a.c"), entry("lib/b.c"), entry(probe)]).to_string()
    };
    for place in ["compile_commands.json", "build/compile_commands.json"] {
        let other = source.replace("count", "other");
        let project = folder(&[
            ("src/a.c", &source),
            ("lib/b.c", &other),
            ("src/not_compiled.c", "nothing for wane"),
            ("build/CMakeFiles/3.25.1/CompilerIdC/CMakeCCompilerId.c", "nothing for wane"),
        ]);
        fs::create_dir_all(project.path().join("build")).unwrap();
        let root = project.path().canonicalize().unwrap();
        fs::write(project.path().join(place), database(&root)).unwrap();
        let arguments = ["-p", "termination", "--format", "json"];
        let files = |more: &[&str]| {
            let (status, output, errors) = told(&root, &[&arguments[..], more].concat());
            assert_eq!(status, 0, "{place} {more:?}: {output}{errors}");
            asked(&output)
        };
        assert_eq!(files(&["."]), ["src/a.c:count:termination", "lib/b.c:other:termination"]);
        // A file alone has its flags, too, and so has a folder below.
        for named in ["src/a.c", "src", "./src", "lib/../src"] {
            assert_eq!(files(&[named]), ["src/a.c:count:termination"], "{named}");
        }
    }
    // Without one, probes are left out as well.
    let project = folder(&[("a.c", PROVED), ("build/CMakeFiles/probe.c", "nothing for wane")]);
    let (status, output, errors) = run(&project, &["-p", "termination", "."]);
    assert_eq!(status, 0, "{output}{errors}");
}

/// As Meson writes them: from the folder of the build, which has no C file itself.
#[test]
fn a_database_may_name_files_by_way_of_its_folder() {
    let source = format!("#include \"given.h\"\n#ifndef GIVEN\n#error no\n#endif\n{PROVED}");
    let project = folder(&[
        ("src/a.c", &source),
        ("include/given.h", "#define GIVEN\n"),
        ("tests/b.c", "nothing for wane"),
        (
            "wane.toml",
            "[[overrides]]\npaths = [\"src/a.c\"]\ncheck = { property = [\"termination\"] }\n",
        ),
    ]);
    let root = project.path().canonicalize().unwrap();
    fs::create_dir(root.join("build")).unwrap();
    for directory in [root.join("build").display().to_string(), ".".to_owned()] {
        let entry = |file: &str| serde_json::json!({ "directory": directory, "file": file, "command": format!("cc -I../include -c {file}") });
        let entries = serde_json::json!([entry("../src/a.c"), entry("../tests/b.c")]);
        fs::write(root.join("build/compile_commands.json"), entries.to_string()).unwrap();
        let all = ["build", ".", "build/compile_commands.json"];
        for named in all.iter().chain(&["src", "src/a.c"]) {
            let arguments = ["--format", "json", "--exclude", "tests/b.c", named];
            let (status, output, errors) = told(&root, &arguments);
            assert_eq!(status, 0, "{named}: {output}{errors}");
            assert_eq!(asked(&output), ["src/a.c:count:termination"], "{named}");
        }
    }
}

/// Libraries are often compiled twice, as `-DPIC` and without.
#[test]
fn a_file_that_is_compiled_twice_is_told_once() {
    let entries = |flags: [&str; 2]| {
        let entry = |flag| serde_json::json!({ "directory": ".", "file": "a.c", "command": format!("cc {flag} -c a.c") });
        serde_json::json!(flags.map(entry)).to_string()
    };
    let same = format!("#include \"a.h\"\n{PROVED}");
    let other = format!("int pic = PIC;\n{PROVED}");
    let worse = format!("#ifdef WORSE\nint count(int n) {{ for (;;) ; }}\n#else\n{PROVED}#endif\n");
    for (text, flags, expected, differs) in [
        (&same, ["", "-DPIC"], 0, false),
        (&other, ["-DPIC=1", "-DPIC=2"], 0, false),
        (&worse, ["", "-DWORSE"], 1, true),
        (&worse, ["-DWORSE", ""], 1, true),
    ] {
        let project =
            folder(&[("a.c", text), ("a.h", ""), ("compile_commands.json", &entries(flags))]);
        for format in ["json", "jsonl", "junit", "codeclimate", "human"] {
            let arguments = ["-p", "termination", "--format", format, "."];
            let (status, output, errors) = run(&project, &arguments);
            assert_eq!(status, expected, "{format} {flags:?}: {output}{errors}");
            assert_eq!(errors.contains("compiled several times"), differs, "{errors}");
            match format {
                "json" => assert_eq!(asked(&output), ["a.c:count:termination"]),
                "jsonl" => assert_eq!(output.matches("\"verdict\"").count(), 1, "{output}"),
                "junit" => assert!(output.contains("tests=\"1\""), "{output}"),
                "human" => assert!(output.contains("\n1 "), "{output}"),
                // That answers differ is an issue of its own.
                _ => {
                    let n_most = 1 + usize::from(differs);
                    assert!(output.matches("fingerprint").count() <= n_most, "{output}");
                }
            }
        }
    }
}

#[test]
fn a_main_of_a_test_does_not_hide_the_library() {
    let other = "int count(int);\nint main(void) { return count(5) + count(4); }\n";
    let project = folder(&[("count.c", PROVED), ("tests/one.c", MAIN), ("tests/two.c", other)]);
    let arguments = ["-p", "termination", "--format", "json"];
    let (status, output, errors) = run(&project, &[&arguments[..], &["."]].concat());
    assert_eq!(status, 0, "{output}{errors}");
    // The library is entered once, in the first program that has it.
    let mut found = asked(&output);
    found.sort();
    let expected = [
        "count.c:count:termination",
        "tests/one.c:main:termination",
        "tests/two.c:main:termination",
    ];
    assert_eq!(found, expected);
    // Files that are named together are one program, as for a linker.
    let named = [&arguments[..], &["count.c", "tests/one.c"]].concat();
    assert_eq!(asked(&run(&project, &named).1), ["tests/one.c:main:termination"]);
}

#[test]
fn quiet_and_verbose_say_less_and_more() {
    let accepted = REFUTED.replace("for (;;)", "for (;;) /* wane: allow(W050) */");
    let project = folder(&[("a.c", PROVED), ("b.c", OPEN), ("c.c", &accepted)]);
    let arguments = ["-p", "termination", "a.c", "b.c", "c.c"];
    let (_, normal, _) = run(&project, &arguments);
    assert!(normal.contains("proved: ") && !normal.contains("refuted: "), "{normal}");
    let (status, quiet, errors) = run(&project, &[&["-q"], &arguments[..]].concat());
    assert_eq!((status, errors.as_str()), (3, ""));
    assert!(
        quiet.starts_with("unknown: whether ")
            && quiet.contains("unknown[W030]")
            && !quiet.contains("proved"),
        "{quiet}"
    );
    let (status, verbose, _) = run(&project, &[&["-v"], &arguments[..]].concat());
    assert_eq!(status, 3);
    assert!(verbose.contains("refuted: ") && verbose.contains("1 accepted"), "{verbose}");
    let file = project.path().join("out.txt");
    let (status, output, _) =
        run(&project, &["-j", "1", "-o", "out.txt", "-p", "termination", "a.c"]);
    assert_eq!((status, output.as_str()), (0, ""));
    assert!(fs::read_to_string(file).unwrap().ends_with("1 proved\n"));
}

#[test]
fn comments_accept_in_lines_functions_and_files() {
    let next = REFUTED.replace("  for", "  // wane: allow(W050)\n  for");
    let function = format!("// wane: allow-function(termination)\n{REFUTED}");
    let file = format!("// wane: allow-file(W050, W030)\n{REFUTED}{OPEN}");
    let project = folder(&[("next.c", &next), ("function.c", &function), ("file.c", &file)]);
    for name in ["next.c", "function.c", "file.c"] {
        let (status, output, errors) = run(&project, &["-p", "termination", name]);
        assert_eq!((status, errors.as_str()), (0, ""), "{name}: {output}");
        assert!(output.contains("accepted"), "{output}");
    }
    let silent = REFUTED.replace("for (;;)", "for (;;) // wane: allow W050\n");
    fs::write(project.path().join("silent.c"), silent).unwrap();
    let (status, _, errors) = run(&project, &["-p", "termination", "silent.c"]);
    assert_eq!(status, 2);
    assert!(errors.contains("stand in parentheses") && errors.contains("silent.c:2:"), "{errors}");
}

#[test]
fn help_starts_with_a_file_and_completions_know_codes() {
    let project = folder(&[]);
    let (_, help, _) = run(&project, &["--help"]);
    let usage = help.lines().find(|line| line.starts_with("Usage:")).unwrap();
    assert_eq!(usage, "Usage: wane [OPTIONS] FILE...");
    for shell in ["bash", "zsh", "fish"] {
        let (_, script, _) = run(&project, &["completions", shell]);
        for word in ["memcleanup", "sarif", "refuted"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        for value in ["W050", "zsh"] {
            assert!(script.contains(value), "{shell}: {value}");
        }
    }
    let (status, page, _) = run(&project, &["man", "check"]);
    assert!(status == 0 && page.starts_with(".ie") && page.contains("fail\\-on"), "{page}");
    assert_eq!(run(&project, &["man", "nothing"]).0, 2);
    assert!(run(&project, &["explain", "w050"]).1.contains("W050"));
}

/// Comes back when a process catches signals and sleeps. Where no file says so, it has the time that
/// this takes on any machine.
#[cfg(unix)]
fn wait_until_it_waits(child: &mut std::process::Child) {
    use std::time::Duration;
    // The bits of SIGINT and SIGTERM.
    const WANTED: u64 = 1 << 1 | 1 << 14;
    let file = format!("/proc/{}/status", child.id());
    for _ in 0..6000 {
        assert!(child.try_wait().unwrap().is_none(), "it waits");
        let Ok(status) = fs::read_to_string(&file) else {
            return std::thread::sleep(Duration::from_secs(3));
        };
        let of = |key: &str| status.lines().find_map(|it| it.strip_prefix(key)).map(str::trim);
        let caught = of("SigCgt:").and_then(|it| u64::from_str_radix(it, 16).ok()).unwrap_or(0);
        if caught & WANTED == WANTED && of("State:").is_some_and(|it| it.starts_with('S')) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it catches no signals: {}", fs::read_to_string(&file).unwrap_or_default());
}

#[cfg(unix)]
#[test]
fn signals_end_what_waits_for_a_pipe() {
    use std::process::{Command, Stdio};
    let project = folder(&[("a.c", PROVED)]);
    let pipe = project.path().join("pipe");
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|it| it.success()) {
        return;
    }
    let own = |file| vec!["check", file];
    let written = vec!["check", "a.c", "-o", "pipe"];
    let listed = || vec!["check", "a.c", "--changed-files", "-"];
    for (signal, arguments) in [
        ("-INT", listed()),
        ("-TERM", listed()),
        ("-INT", own("-")),
        ("-TERM", own("-")),
        ("-INT", own("pipe")),
        ("-TERM", own("pipe")),
        ("-INT", written),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wane"))
            .current_dir(project.path())
            .args(&arguments)
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_until_it_waits(&mut child);
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal} {arguments:?}");
    }
}

#[test]
fn only_regular_files_are_read_as_settings_and_lists() {
    let project = folder(&[("a.c", PROVED)]);
    let (status, _, errors) = run(&project, &["--baseline", "/dev/zero", "a.c"]);
    assert_eq!(status, 2);
    assert!(errors.contains("/dev/zero is no regular file"), "{errors}");
}

#[test]
fn property_files_of_the_competition_are_answered_in_its_words() {
    let property = |parts: &[&str]| -> String {
        parts.iter().map(|it| format!("CHECK( init(main()), LTL({it}) )\n")).collect()
    };
    let memory = ["G valid-free", "G valid-deref", "G valid-memtrack"];
    let project = folder(&[
        ("end.prp", &property(&["F end"])),
        ("memory.prp", &property(&memory)),
        ("free.prp", &property(&["G valid-free"])),
        ("reach.prp", &property(&["G ! call(reach_error())"])),
        ("overflow.prp", &property(&["G ! overflow"])),
        ("two.prp", &property(&["F end", "G valid-free"])),
        ("stops.c", "int main(void) { for (int i = 0; i < 9; i++) ; return 0; }\n"),
        ("hangs.c", "int main(void) { for (;;) ; }\n"),
        ("null.c", "int main(void) { int *p = 0; return *p; }\n"),
        ("calls.c", "void reach_error(void) {}\nint main(void) { reach_error(); }\n"),
    ]);
    for (file, program, word) in [
        ("end.prp", "stops.c", "TRUE"),
        ("end.prp", "hangs.c", "FALSE(termination)"),
        ("memory.prp", "stops.c", "TRUE"),
        ("memory.prp", "null.c", "FALSE(valid-deref)"),
        // Another part is violated, so of this one nothing is known.
        ("free.prp", "null.c", "UNKNOWN"),
        ("reach.prp", "calls.c", "FALSE"),
        ("reach.prp", "stops.c", "TRUE"),
    ] {
        let (status, output, errors) = run(&project, &["--svcomp", file, program]);
        assert_eq!((status, output), (0, format!("{word}\n")), "{file} {program} {errors}");
    }
    for (file, message) in [
        ("overflow.prp", "overflow.prp:1: this property is not one that wane answers"),
        ("two.prp", "two.prp:2: a file asks for one thing"),
        ("stops.c", "stops.c:1: this property is not one"),
    ] {
        let (status, _, errors) = run(&project, &["--svcomp", file, "stops.c"]);
        assert!(status == 2 && errors.contains(message), "{errors}");
    }
}

/// What answers took is told where somebody asks for it: the work is the same each time, and
/// reports are the same as ever without it.
#[test]
fn answers_say_what_they_took() {
    let project = folder(&[("a.c", PROVED)]);
    let arguments = ["--format", "json", "--statistics", "a.c"];
    let works = [(); 2].map(|()| {
        let report: Value = serde_json::from_str(&run(&project, &arguments).1).unwrap();
        let results = report["results"].as_array().unwrap().iter();
        let work = |it: &Value| {
            let took = &it["statistics"];
            assert!(took["milliseconds"].as_u64().unwrap() < 10_000, "{took}");
            assert!(took["memory_kib"].as_u64().is_none_or(|it| it > 1_000), "{took}");
            (took["steps"].as_u64().unwrap(), took["states"].as_u64().unwrap())
        };
        results.map(work).collect::<Vec<_>>()
    });
    assert_eq!(works[0], works[1]);
    assert_eq!(works[0].len(), 2);
    assert!(works[0].iter().all(|(n_steps, _)| *n_steps > 0), "{works:?}");
    assert!(!run(&project, &["--format", "json", "a.c"]).1.contains("statistics"));
    let (_, told, _) = run(&project, &["--statistics", "-p", "termination", "a.c"]);
    let line = told.lines().find(|it| it.starts_with("  took ")).unwrap_or_default();
    assert!(line.contains(" steps, ") && line.contains(" symbolic states"), "{told}");
    assert!(!run(&project, &["a.c"]).1.contains("took"));
}
