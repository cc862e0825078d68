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
