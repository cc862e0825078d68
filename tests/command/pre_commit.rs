//! The hook for pre-commit (`.pre-commit-hooks.yaml`): its file is read, its command is run as it
//! says, and commits are made by git where python3 has pre-commit.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::folder::folder;
use crate::outside::{Machine, file, has_module, has_program, skipped, text, told};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

const HANGS: &str = "void hang(int n)\n{\n    for (;;)\n        n = n ? 0 : 1;\n}\n";
const ENDS: &str = "void ends(int n)\n{\n    while (n > 0)\n        n--;\n}\n";

/// The only hook of the file.
fn hook() -> Value {
    let hooks: Value = serde_yaml_ng::from_str(&text(".pre-commit-hooks.yaml")).unwrap();
    let [hook] = &hooks.as_array().unwrap()[..] else { panic!("{hooks}") };
    hook.clone()
}

/// The command that the hook names, with the names of files behind it, as pre-commit runs it.
fn run_with(files: &[&str], project: &Path) -> (i32, String) {
    let hook = hook();
    let words = shlex::split(hook["entry"].as_str().unwrap()).unwrap();
    let machine = Machine::with(&[]);
    told(machine.command(&words[0], project).args(&words[1..]).args(files))
}

/// Files that a commit has, but that the settings leave out, are no matter of the hook.
#[test]
fn the_hook_stops_what_is_refuted() {
    let settings = "exclude = [\"vendor\", \"*.gen.c\"]\n[check]\nproperty = [\"termination\"]\n";
    let project = folder(&[
        ("wane.toml", settings),
        ("src/hangs.c", HANGS),
        ("src/ends.c", ENDS),
        ("src/a.gen.c", "this is no C"),
        ("vendor/old.c", HANGS),
    ]);
    let (status, output) = run_with(&["src/ends.c", "src/hangs.c", "vendor/old.c"], project.path());
    assert_eq!(status, 1, "{output}");
    assert!(output.contains("src/hangs.c") && !output.contains("vendor"), "{output}");
    for left_out in [&["src/ends.c", "src/a.gen.c"][..], &["vendor/old.c"]] {
        let (status, output) = run_with(left_out, project.path());
        assert_eq!(status, 0, "{output}");
        assert!(!output.contains("vendor/old.c:"), "{output}");
    }
    let hook = hook();
    assert_eq!((&hook["language"], &hook["types"]), (&json!("system"), &json!(["c"])));
    assert_eq!(hook["require_serial"], true, "files of a commit are one program");
}

/// What a folder would be stopped for stops a commit that has `main` beside it, too, and a file
/// without functions stops none.
#[test]
fn the_hook_looks_at_files_as_at_those_of_a_folder() {
    let main = "void ends(int);\nint main(void) { ends(3); return 0; }\n";
    let project = folder(&[
        ("wane.toml", "[check]\nproperty = [\"termination\"]\n"),
        ("src/main.c", main),
        ("src/ends.c", ENDS),
        ("src/hangs.c", HANGS),
        ("src/tables.c", "const int primes[] = { 2, 3, 5 };\n"),
    ]);
    let machine = Machine::with(&[]);
    let files = ["src/main.c", "src/ends.c", "src/hangs.c", "src/tables.c"];
    let of_hook = run_with(&files, project.path());
    assert_eq!(of_hook.0, 1, "{}", of_hook.1);
    let mut of_folder = machine.command("wane", project.path());
    let (status, output) = told(of_folder.args(["--fail-on", "refuted", "src"]));
    let answers = |text: &str| {
        let lines =
            text.lines().filter(|it| it.starts_with("refuted:") || it.starts_with("proved:"));
        lines.map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!((status, answers(&output)), (1, answers(&of_hook.1)));
    let (status, output) = run_with(&["src/tables.c"], project.path());
    assert_eq!(status, 0, "{output}");
    let note = "note: no function is defined here, so nothing is asked: src/tables.c";
    assert!(output.contains(note), "{output}");
    let (status, output) = told(machine.command("wane", project.path()).arg("src/tables.c"));
    assert!(status == 2 && output.contains("no function is defined here"), "{output}");
}

/// A file that somebody names is checked, unless the settings or a flag say that it may be left out.
#[test]
fn exclusion_is_forced_by_a_flag_or_a_setting() {
    let project = folder(&[("vendor/old.c", HANGS)]);
    let machine = Machine::with(&[]);
    let run = |settings: &str, flags: &[&str]| {
        fs::write(project.path().join("wane.toml"), settings).unwrap();
        let mut command = machine.command("wane", project.path());
        told(command.args(["-p", "termination"]).args(flags).arg("./vendor/old.c"))
    };
    let (exclude, forced) = ("exclude = [\"vendor\"]\n", "force-exclude = true\n");
    let both = format!("{exclude}{forced}");
    for (settings, flags, expected) in [
        (exclude, &[][..], 1),
        (exclude, &["--force-exclude"], 0),
        (forced, &[], 1),
        (&both, &[], 0),
        (&both, &["--force-exclude=false"], 1),
        ("include = [\"src/**\"]\n", &["--force-exclude"], 1),
    ] {
        let (status, output) = run(settings, flags);
        assert_eq!(status, expected, "{settings}{flags:?}: {output}");
        assert_eq!(output.contains("are left out"), expected == 0, "{output}");
    }
}

/// Git in a folder, with nothing of the user's own settings.
fn git(machine: &Machine, project: &Path) -> Command {
    let mut git = machine.command("git", project);
    for variable in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        git.env_remove(variable);
    }
    git.envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")]);
    git.env("PRE_COMMIT_HOME", project.join(".git/pre-commit"));
    for role in ["AUTHOR", "COMMITTER"] {
        git.env(format!("GIT_{role}_NAME"), "somebody");
        git.env(format!("GIT_{role}_EMAIL"), "somebody@example.org");
    }
    git
}

/// Git with these words, which ends well.
fn done(machine: &Machine, project: &Path, words: &[&str]) -> String {
    let (status, output) = told(git(machine, project).args(words));
    assert_eq!(status, 0, "{words:?}: {output}");
    output
}

/// The hook in a repository of its own, and the revision that a user's configuration names.
fn published(machine: &Machine) -> (tempfile::TempDir, String) {
    let hooks = folder(&[(".pre-commit-hooks.yaml", &text(".pre-commit-hooks.yaml"))]);
    for words in [&["init", "-q"][..], &["add", "."], &["commit", "-q", "-m", "hooks"]] {
        done(machine, hooks.path(), words);
    }
    let revision = done(machine, hooks.path(), &["rev-parse", "HEAD"]);
    (hooks, revision.trim().to_owned())
}

/// By pre-commit itself: a commit is stopped, made once it is mended, and not held up by files that
/// are left out, headers or other languages.
#[test]
fn pre_commit_runs_the_hook() {
    if !has_program("git") || !has_module("pre_commit") {
        return skipped("there is no git, or python3 has no module pre_commit");
    }
    let machine = Machine::with(&[]);
    let manifest = file(".pre-commit-hooks.yaml");
    let here = manifest.parent().unwrap();
    let validate = ["-m", "pre_commit", "validate-manifest", ".pre-commit-hooks.yaml"];
    let (status, output) = told(machine.command("python3", here).args(validate));
    assert_eq!(status, 0, "{output}");
    let (hooks, revision) = published(&machine);
    let repository = hooks.path().display();
    let configuration =
        format!("repos:\n- repo: {repository}\n  rev: {revision}\n  hooks:\n  - id: wane\n");
    let project = folder(&[
        (".pre-commit-config.yaml", &configuration),
        ("wane.toml", "exclude = [\"vendor\"]\n[check]\nproperty = [\"termination\"]\n"),
    ]);
    let path = project.path();
    done(&machine, path, &["init", "-q"]);
    let install = told(machine.command("python3", path).env_remove("GIT_DIR").args([
        "-m",
        "pre_commit",
        "install",
    ]));
    assert_eq!(install.0, 0, "{}", install.1);
    let commit = |files: &[(&str, &str)]| {
        for (name, text) in files {
            fs::create_dir_all(path.join(name).parent().unwrap()).unwrap();
            fs::write(path.join(name), text).unwrap();
        }
        done(&machine, path, &["add", "."]);
        told(git(&machine, path).args(["commit", "-q", "-m", "work"]))
    };
    let (status, output) = commit(&[("a.c", HANGS), ("vendor/b.c", HANGS), ("a.h", "int a;\n")]);
    assert_eq!(status, 1, "{output}");
    assert!(output.contains("Failed") && output.contains("a.c:3:5"), "{output}");
    assert!(!output.contains("vendor"), "{output}");
    let (status, output) = commit(&[("a.c", ENDS)]);
    assert!(status == 0 && output.contains("Passed"), "{output}");
    let (status, output) = commit(&[("a.h", "int b;\n"), ("a.py", "pass\n")]);
    assert!(status == 0 && output.contains("Skipped"), "{output}");
    let (status, output) = commit(&[("vendor/b.c", "this is no C\n")]);
    assert!(status == 0 && output.contains("Passed"), "{output}");
}
