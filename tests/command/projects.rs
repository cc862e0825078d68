//! Whole projects: folders, compilation databases, accepted answers, completions.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::folder;
use crate::outside::{Machine, has_program, skipped, told};

use assert_cmd::Command;
use folder::folder;
use serde_json::Value;
use std::fs;
use std::path::Path;

const LEAK: &str = "#include <stdlib.h>\nint main(void) {\n  void *x = malloc(4);\n  \
                    x = 0;\n  return x != 0;\n}\n";
const CLEAN: &str = "int main(void) {\n  return 0;\n}\n";

/// `wane check --property memsafety` there: status, output, errors.
fn check(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wane"));
    command.env("NO_COLOR", "1").current_dir(folder);
    let output =
        command.args(["check", "--property", "memsafety"]).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn files_of(output: &str) -> Vec<String> {
    let report: Value = serde_json::from_str(output).unwrap();
    let results = report["results"].as_array().unwrap();
    results.iter().map(|it| it["file"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_folder_stands_for_the_c_files_below_it() {
    let project = folder(&[
        ("src/b.c", CLEAN),
        ("src/a.c", CLEAN),
        ("src/deep/c.i", CLEAN),
        ("src/.hidden/d.c", CLEAN),
        ("src/e.h", ""),
        ("empty/readme", ""),
    ]);
    let (status, output, _) = check(project.path(), &["--format", "json", "src"]);
    assert_eq!(status, 0, "{output}");
    assert_eq!(files_of(&output), ["src/a.c", "src/b.c", "src/deep/c.i"]);
    let (status, output, errors) = check(project.path(), &["--format", "json", "empty", "src/a.c"]);
    assert_eq!((status, files_of(&output).len()), (2, 1));
    assert!(errors.contains("there is no .c or .i file in this folder"), "{errors}");
}

/// A pipe would be waited for, for ever.
#[test]
#[cfg(unix)]
fn a_folder_stands_for_files_only() {
    let project = folder(&[("a.c", CLEAN)]);
    let made = std::process::Command::new("mkfifo").arg(project.path().join("b.c")).status();
    if !made.is_ok_and(|it| it.success()) {
        return;
    }
    let (status, output, errors) = check(project.path(), &["--format", "json", "."]);
    assert_eq!((status, files_of(&output)), (0, vec!["a.c".to_owned()]), "{errors}");
}

#[test]
fn a_compilation_database_says_how_files_are_preprocessed() {
    let source = "#include \"size.h\"\n#if N != 3\n#error no\n#endif\nint main(void) {\n  int a[SIZE] = { 0 };\n  \
                  return a[N];\n}\n";
    let project = folder(&[("src/a.c", source), ("include/size.h", "#define SIZE 4\n")]);
    let database = r#"[{ "directory": ".", "file": "src/a.c", "command": "cc -Iinclude '-DN=3' -c src/a.c" },
                       { "directory": ".", "file": "src/b.s", "arguments": ["as", "src/b.s"] }]"#;
    fs::write(project.path().join("compile_commands.json"), database).unwrap();
    let (status, output, errors) = check(project.path(), &["compile_commands.json"]);
    assert_eq!(status, 0, "{output}{errors}");
    for (broken, message) in [
        ("[{", "this is no compilation database"),
        ("[]", "this compilation database lists no .c file"),
        (
            r#"[{ "directory": ".", "file": "src/a.c", "command": "cc 'x" }]"#,
            "the command for src/a.c has an open quote",
        ),
    ] {
        fs::write(project.path().join("broken.json"), broken).unwrap();
        fs::write(project.path().join("fine.c"), CLEAN).unwrap();
        let (status, output, errors) = check(project.path(), &["broken.json", "fine.c"]);
        assert_eq!(status, 2);
        assert!(errors.contains(message), "{errors}");
        assert!(output.contains("1 proved"), "the other file is checked: {output}");
    }
}

#[test]
fn a_comment_accepts_an_error_on_its_line() {
    let accepted = LEAK.replace("x = 0;\n", "x = 0; // wane: allow(W010)\n");
    assert_ne!(accepted, LEAK);
    let project = folder(&[("leak.c", LEAK), ("accepted.c", &accepted)]);
    assert_eq!(check(project.path(), &["leak.c"]).0, 1);
    let (status, output, errors) = check(project.path(), &["accepted.c"]);
    assert_eq!((status, errors.as_str()), (0, ""), "{output}");
    assert!(output.contains("1 accepted"), "{output}");
    let (_, sarif, _) = check(project.path(), &["--format", "sarif", "accepted.c"]);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["suppressions"][0]["kind"], "inSource");
}

#[test]
fn a_comment_that_accepts_nothing_is_reported() {
    let useless = CLEAN.replace("return 0;", "return 0; /* wane: allow(W010, W999, W011) */");
    let project = folder(&[("useless.c", &useless)]);
    let (status, _, errors) = check(project.path(), &["useless.c"]);
    assert_eq!(status, 0);
    assert!(errors.contains("nothing on this line is W010"), "{errors}");
    assert!(errors.contains("there is no code or property `W999` to allow"), "{errors}");
    assert!(!errors.contains("W011,"), "memcleanup was not asked: {errors}");
}

#[test]
fn a_baseline_accepts_what_was_known() {
    let project = folder(&[("leak.c", LEAK)]);
    let (status, ..) = check(project.path(), &["--write-baseline", "known.json", "leak.c"]);
    assert_eq!(status, 1);
    let (status, output, _) = check(project.path(), &["--baseline", "known.json", "leak.c"]);
    assert_eq!(status, 0, "{output}");
    // The settings may name the file before it is written.
    fs::write(project.path().join("wane.toml"), "[report]\nbaseline = \"first.json\"\n").unwrap();
    let (status, _, errors) = check(project.path(), &["leak.c"]);
    assert!(status == 2 && errors.contains("--write-baseline"), "{errors}");
    let (status, ..) = check(project.path(), &["--write-baseline", "first.json", "leak.c"]);
    assert_eq!(status, 1);
    let (status, output, _) = check(project.path(), &["leak.c"]);
    assert_eq!(status, 0, "{output}");
    // Moved lines change nothing; another error is new.
    fs::write(project.path().join("leak.c"), format!("\n\n{LEAK}")).unwrap();
    assert_eq!(check(project.path(), &["--baseline", "known.json", "leak.c"]).0, 0);
    let other = LEAK.replace("  x = 0;\n", "  *(char *)0 = 1;\n");
    fs::write(project.path().join("leak.c"), other).unwrap();
    let (status, _, errors) = check(project.path(), &["--baseline", "known.json", "leak.c"]);
    assert_eq!(status, 1);
    assert!(errors.contains("1 entry of the baseline is no answer any more"), "{errors}");
    for (text, message) in [
        ("{}", "known.json is no baseline: `wane --write-baseline FILE` writes one"),
        ("[]", "known.json is no baseline: `wane --write-baseline FILE` writes one"),
        ("null", "known.json is no baseline: `wane --write-baseline FILE` writes one"),
        ("known", "known.json is no baseline: this is no JSON"),
        (r#"{ "version": 7, "known": [] }"#, "its version is 7"),
    ] {
        fs::write(project.path().join("known.json"), text).unwrap();
        let (status, _, errors) = check(project.path(), &["--baseline", "known.json", "leak.c"]);
        assert_eq!(status, 2);
        assert!(errors.contains(message), "{errors}");
    }
    let (status, _, errors) = check(project.path(), &["--baseline", "absent.json", "leak.c"]);
    assert_eq!(status, 2);
    assert!(errors.contains("absent.json cannot be read"), "{errors}");
}

/// Where a baseline is read from, or how few files are asked about, is no matter of its entries.
#[test]
fn entries_of_a_baseline_stay_until_they_are_answered() {
    let other = LEAK.replace("main", "other");
    let project = folder(&[
        ("wane.toml", "[report]\nbaseline = \"known.json\"\n"),
        ("src/leak.c", LEAK),
        ("src/other.c", &other),
        ("src/apart/third.c", &other.replace("other", "third")),
    ]);
    let known = || fs::read_to_string(project.path().join("known.json")).unwrap();
    assert_eq!(check(project.path(), &["--write-baseline", "known.json", "src"]).0, 1);
    let all = known();
    assert_eq!(all.matches("fingerprint").count(), 3, "{all}");
    for (place, asked) in [
        ("", "src"),
        ("src", "."),
        ("src", "leak.c"),
        ("src/apart", "third.c"),
        ("src/apart", "../other.c"),
    ] {
        let (status, output, errors) = check(&project.path().join(place), &[asked]);
        assert_eq!((status, errors.as_str()), (0, ""), "{place}: {output}");
    }
    // Fewer files are asked: the others stay.
    let written = ["--write-baseline", "../known.json", "other.c"];
    assert_eq!(check(&project.path().join("src"), &written).0, 0);
    assert_eq!(known().matches("fingerprint").count(), 3, "{}", known());
    assert_eq!(check(project.path(), &["src"]).0, 0);
    // What is mended goes.
    let mended = "int other(void) {\n  return 0;\n}\n";
    fs::write(project.path().join("src/other.c"), mended).unwrap();
    let (status, _, errors) = check(project.path(), &["src"]);
    assert!(status == 0 && errors.contains("1 entry of the baseline is no answer any more"));
    let (_, _, errors) = check(project.path(), &["src/leak.c"]);
    assert_eq!(errors, "", "nothing is said of what was not asked");
    assert_eq!(check(project.path(), &["--write-baseline", "known.json", "src/other.c"]).0, 0);
    assert!(known().contains("third") && !known().contains("other"), "{}", known());
    // Something else is not overwritten.
    fs::write(project.path().join("src/list"), "other.c").unwrap();
    let (status, _, errors) = check(project.path(), &["--write-baseline", "src/list", "src"]);
    assert!(status == 2 && errors.contains("src/list is no baseline"), "{errors}");
}

/// Where the comment goes, the answer is open again.
#[test]
fn what_a_comment_accepts_is_no_entry_of_a_baseline() {
    let accepted = format!("// wane: allow-file(W010, leak)\n{LEAK}");
    let project = folder(&[("leak.c", &accepted)]);
    let (_, output, errors) = check(project.path(), &["--write-baseline", "known.json", "leak.c"]);
    let known = fs::read_to_string(project.path().join("known.json")).unwrap();
    assert_eq!(known.matches("fingerprint").count(), 0, "{output}{errors}{known}");
    fs::write(project.path().join("leak.c"), LEAK).unwrap();
    assert_eq!(check(project.path(), &["--baseline", "known.json", "leak.c"]).0, 1);
}

/// A number is a code, as `wane explain` reads it; what is accepted twice is so by both.
#[test]
fn comments_name_codes_by_their_numbers() {
    let hang = "int hang(int n) {\n  for (;;) n = !n;\n}\n";
    let of_number = format!("// wane: allow-function(50)\n{hang}");
    let twice = format!("// wane: allow-function(W050, termination)\n{hang}");
    let project = folder(&[("number.c", &of_number), ("twice.c", &twice)]);
    for file in ["number.c", "twice.c"] {
        let (status, output, errors) = check(project.path(), &["-p", "termination", file]);
        assert_eq!((status, errors.as_str()), (0, ""), "{output}");
        assert!(output.contains("1 accepted"), "{output}");
    }
}

/// A database that is of no use, or leaves files out, is told of.
#[test]
fn what_a_database_leaves_out_is_told() {
    let text = |name: &str| format!("int {name}(int n) {{\n  return n;\n}}\n");
    let [a, b, c] = ["a", "b", "c"].map(text);
    let project = folder(&[("a.c", &a), ("below/b.c", &b), ("below/c.c", &c)]);
    let database = |text: &str| {
        fs::write(project.path().join("compile_commands.json"), text).unwrap();
    };
    let run = |arguments: &[&str]| {
        let (status, output, errors) = check(project.path(), arguments);
        assert_eq!(status, 0, "{output}{errors}");
        errors
    };
    for broken in ["{", "{}", r#"[{"file": "a.c"}]"#] {
        database(broken);
        for named in [&["a.c"][..], &["a.c", "below/b.c"], &["below"]] {
            let errors = run(named);
            assert_eq!(errors.matches("warning: ").count(), 1, "{broken}: {errors}");
            assert!(errors.contains("without the flags of their build"), "{errors}");
            assert!(!errors.contains("invalid type"), "{errors}");
        }
    }
    database(r#"[{"directory": "/gone", "file": "a.c", "command": "cc a.c"}]"#);
    let errors = run(&["."]);
    assert!(errors.starts_with("warning: compile_commands.json lists no file below ."), "{errors}");
    database(r#"[{"directory": ".", "file": "a.c", "command": "cc a.c"}]"#);
    let errors = run(&["."]);
    let note = "note: 2 C files here are in no command of compile_commands.json and are not \
                checked: below/b.c, below/c.c; name them to check them\n";
    assert_eq!(errors, note);
    assert_eq!(run(&["--exclude", "below", "."]), "");
    assert_eq!(run(&["--quiet", "."]), "");
    assert!(run(&["below"]).starts_with("note: compile_commands.json lists no file below below"));
}

/// Functions that `main` does not reach are told of by their number, each time.
#[test]
fn functions_that_are_not_asked_about_are_told_of() {
    let library = "int used(void) { return 1; }\nint one(void) { return used(); }\n\
                   int two(void) { return 2; }\nstatic int three(void) { return 3; }\n";
    let main = "int used(void);\nint main(void) { return used(); }\nint four(void) { return 4; }\n";
    let project = folder(&[("main.c", main), ("library.c", library)]);
    let errors = |arguments: &[&str]| check(project.path(), arguments).2;
    let note = "note: 4 functions are not called from `main` and not asked about: \
                `--all-functions` asks\n";
    for _ in 0..2 {
        assert_eq!(errors(&["--cache", "known", "main.c", "library.c"]), note);
    }
    for quiet in ["--quiet", "--all-functions", "--entry=one"] {
        assert_eq!(errors(&[quiet, "main.c", "library.c"]), "", "{quiet}");
    }
    let one =
        "note: 1 function is not called from `main` and not asked about: `--all-functions` asks\n";
    assert_eq!(errors(&["main.c"]), one);
    assert_eq!(errors(&["library.c"]), "");
    assert_eq!(errors(&["."]), one);
}

#[test]
fn what_is_accepted_is_no_gap_in_the_table() {
    let text = "// wane: allow-function(W050)\nvoid wait(void) { for (;;) { } }\n\
                int first(int *p) { return p ? *p : 0; }\n";
    let project = folder(&[("two.c", text)]);
    let asked = ["--property", "termination", "two.c"];
    let (status, output, _) = check(project.path(), &asked);
    assert_eq!(status, 0, "{output}");
    let line = output.lines().find(|line| line.starts_with("wait  "));
    let words: Vec<&str> = line.expect(&output).split_whitespace().collect();
    assert_eq!(words, ["wait", "proved", "accepted"], "{output}");
}

#[test]
fn sarif_names_files_relative_to_the_folder() {
    let project = folder(&[("src/a.c", LEAK)]);
    let root = project.path().canonicalize().unwrap();
    let absolute = root.join("src/a.c");
    let (_, sarif, _) = check(&root, &["--format", "sarif", absolute.to_str().unwrap()]);
    assert!(sarif.contains("\"uri\": \"src/a.c\""), "{sarif}");
    assert!(!sarif.contains("\"uri\": \"/"), "{sarif}");
}

#[test]
fn shells_are_told_the_flags() {
    for shell in ["bash", "zsh", "fish"] {
        let script = script(shell);
        assert!(script.contains("write-baseline") && script.contains("W050"), "{shell}");
        assert!(script.contains("check|merge") || script.contains("check merge"), "{shell}");
    }
}

fn script(shell: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wane"));
    let output = command.args(["completions", shell]).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// As bash does: the function of the script is called with the words of the line.
#[test]
fn bash_completes_without_a_command_as_with_check() {
    for (words, wanted) in [
        ("FILE --form", "--format"),
        ("FILE --format s", "sarif"),
        ("--format s", "sarif"),
        ("check --format s", "sarif"),
        ("--fail-on n", "never"),
        ("-p mems", "memsafety"),
        ("--al", "--all-functions"),
        ("FILE -p terminat", "termination"),
        ("che", "check"),
        ("explain W05", "W050 W051"),
        ("merge --format j", "json jsonl junit"),
        ("FILE --no-such", ""),
    ] {
        let line = format!(
            "{}\nCOMP_WORDS=(wane {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             _wane wane \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD - 1]}}\"\n\
             echo \"${{COMPREPLY[@]}}\"\n",
            script("bash")
        );
        let output = std::process::Command::new("bash").args(["-c", &line]).output();
        let Ok(output) = output else { return };
        let completed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(completed.trim(), wanted, "{words}");
    }
}

/// Where fish and zsh are at hand: the one completes as bash does, the other reads its script.
#[test]
fn other_shells_complete_as_well() {
    let folder = folder(&[("wane.fish", &script("fish")), ("_wane", &script("zsh"))]);
    let machine = Machine::with(&[]);
    for (line, wanted) in [
        ("wane --format s", "sarif"),
        ("wane a.c --fail-on n", "never"),
        ("wane check -p ter", "termination"),
        ("wane explain W05", "W050 W051"),
        ("wane mer", "merge"),
    ] {
        if !has_program("fish") {
            skipped("there is no fish");
            break;
        }
        let call = format!("source wane.fish; complete -C '{line}'");
        let mut fish = machine.command("fish", folder.path());
        let (status, output) = told(fish.env("HOME", folder.path()).args(["-c", &call]));
        let words: Vec<&str> = output.lines().filter_map(|it| it.split('\t').next()).collect();
        assert_eq!((status, words.join(" ").as_str()), (0, wanted), "{line}: {output}");
    }
    if !has_program("zsh") {
        return skipped("there is no zsh");
    }
    let call = "autoload -Uz compinit && compinit -u -D && source ./_wane && whence -w _wane";
    let mut zsh = machine.command("zsh", folder.path());
    let (status, output) = told(zsh.env("HOME", folder.path()).args(["-f", "-c", call]));
    assert!(status == 0 && output.contains("_wane: function"), "{output}");
}
