//! README and the guide: each file that they show is written, each call is made and prints what
//! they say, their links lead somewhere, and they name all options.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::folder::folder;
use crate::outside::{self, Machine, has_program, text};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn run(folder: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wane"));
    command.env("NO_COLOR", "1").env_remove("CC").current_dir(folder.path()).args(arguments);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Whether a line is what a page shows of it; `…` stands for anything.
fn is_line(shown: &str, line: &str) -> bool {
    let mut rest = line;
    let mut parts = shown.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(behind) = rest.strip_prefix(first) else { return false };
    rest = behind;
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    rest.ends_with(last)
}

/// Whether lines are those that a page shows; a line `…` stands for any number of them.
fn are_lines(shown: &[&str], lines: &[&str]) -> bool {
    match (shown.split_first(), lines.split_first()) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some((&"…", rest)), _) => (0..=lines.len()).any(|n| are_lines(rest, &lines[n..])),
        (Some((shown, rest)), Some((line, lines))) => {
            is_line(shown, line) && are_lines(rest, lines)
        }
        (Some(_), None) => false,
    }
}

/// README and the pages of the guide, with their files.
pub(crate) fn pages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(root.join("docs/guide")).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|it| it == "md")).collect();
    files.sort();
    files.insert(0, root.join("README.md"));
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).unwrap();
        (file, text)
    };
    files.into_iter().map(read).collect()
}

/// All pages as one text.
pub(crate) fn text_of_pages() -> String {
    pages().into_iter().map(|(_, text)| text).collect()
}

/// Puts a file of this repository that a call names at the same place in a folder.
fn bring(name: &str, project: &TempDir) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let to = project.path().join(name);
    if from.is_file() && !to.exists() {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    }
}

/// Makes a call that a page shows, with what it prints behind the first line.
fn is_printed(shown: &str, project: &TempDir) {
    let (call, shown) = shown.split_once('\n').unwrap();
    let words = shlex::split(call.strip_prefix("wane ").unwrap()).unwrap();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.iter().for_each(|word| bring(word, project));
    let (_, printed, errors) = run(project, &words);
    let shown: Vec<&str> = shown.trim_end().lines().collect();
    let lines: Vec<&str> = printed.trim_end().lines().collect();
    assert!(
        are_lines(&shown, &lines),
        "{call}\nshown:\n{}\nprinted:\n{printed}{errors}",
        shown.join("\n")
    );
}

/// What readers have already when they come to a page: code of their own, and what it is compiled
/// with, in a repository of git.
fn workplace() -> TempDir {
    let walk = "int walk(int n) { while (n > 0) n--; return n; }\n";
    let project = folder(&[
        ("src/walk.c", walk),
        ("program.c", "int main(void) { return 0; }\n"),
        (
            "build/compile_commands.json",
            r#"[{"directory":"..","file":"src/walk.c","command":"cc"}]"#,
        ),
    ]);
    let script = "git init -q && git add src && git -c user.name=a -c user.email=a@b.c \
                  commit -q -m all && git update-ref refs/remotes/origin/main HEAD";
    let _ = Command::new("bash").current_dir(project.path()).args(["-c", script]).output();
    project
}

/// Runs the lines of a page in a shell: all of them are calls that are no mistake. What builds wane
/// itself, or needs what is not at hand, is left out.
fn run_shell(script: &str, project: &TempDir) {
    let needed = [("git", "--changed-since"), ("ninja", "ninja -f")];
    if script.contains("cargo ")
        || needed.iter().any(|(name, text)| script.contains(text) && !has_program(name))
    {
        return;
    }
    let trap = "trap 's=$?; ((s == 1 || s == 3)) || exit 99' ERR\n";
    let machine = Machine::with(&[]);
    let mut bash = machine.command("bash", project.path());
    let (status, output) = outside::told(bash.args(["-c", &format!("{trap}{script}\nexit 0")]));
    assert_eq!(status, 0, "{script}{output}");
}

/// Does what a page shows, in a folder of its own: its C files, settings and shapes are written
/// under the names that their first line says, and its calls are made. The number of these.
fn follow(page: &str) -> usize {
    let project = workplace();
    let mut n_calls = 0;
    for block in page.split("```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').unwrap();
        if kind == "shape" && text.starts_with("///") {
            fs::write(project.path().join("pair.shape"), text).unwrap();
        } else if kind == "c" || kind == "toml" {
            let name = text.lines().next().unwrap().trim_matches(|it: char| "/*# ".contains(it));
            assert!(name.ends_with(kind) && !name.contains(' '), "`{name}` is no name of a file");
            fs::write(project.path().join(name), text).unwrap();
        } else if kind == "sh" {
            run_shell(text, &project);
        } else if kind == "text" {
            for shown in text.split("$ ").skip(1) {
                is_printed(shown, &project);
                n_calls += 1;
            }
        }
    }
    n_calls
}

/// README and the guide say what wane prints: each command in them is run.
#[test]
fn readme_shows_what_is_printed() {
    let pages = pages();
    let n_calls: usize = pages.iter().map(|(_, page)| follow(page)).sum();
    assert!(n_calls >= 20, "README and the guide show {n_calls} commands");
    assert!(follow(&pages[0].1) >= 2, "README shows a proof and a hang");
}

/// Options that README and the guide name are options, and the guide's table names all of them.
#[test]
fn readme_names_the_options() {
    let names_in = |text: &str| -> BTreeSet<String> {
        let is_part = |it: char| it.is_ascii_lowercase() || it == '-';
        let found =
            text.split("--").skip(1).filter(|it| it.starts_with(|c: char| c.is_ascii_lowercase()));
        found.map(|it| it.chars().take_while(|c| is_part(*c)).collect()).collect()
    };
    let project = folder(&[]);
    let commands = ["check", "merge", "diff", "plan", "config", "shapes"];
    let helps = commands.map(|command| run(&project, &[command, "--help"]).1).concat();
    let mut known = names_in(&helps);
    let unknown: Vec<String> = names_in(&text_of_pages()).difference(&known).cloned().collect();
    assert_eq!(
        unknown,
        ["maintainer", "no-build", "path", "release"],
        "options of cargo, and no others"
    );
    known.remove("help");
    let pages = pages();
    let (_, page) = pages.iter().find(|(file, _)| file.ends_with("options.md")).unwrap();
    let table: String = page.lines().filter(|line| line.starts_with("| `")).collect();
    let missing: Vec<String> = known.difference(&names_in(&table)).cloned().collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The formulas that the guide gives as examples are formulas.
#[test]
fn formulas_of_the_readme_are_read() {
    let text = text_of_pages();
    let formula = text.split('`').find(|it| it.starts_with("G(\"p->")).unwrap();
    let source = "struct s { int state; } s, *p = &s;\n\
                  int main(void) { s.state = 1; p = &s; for (;;) p->state = 1; }\n";
    let project = folder(&[("a.c", source)]);
    let (status, output, errors) = run(&project, &["--ltl", formula, "a.c"]);
    assert!([0, 1, 3].contains(&status), "{output}{errors}");
}

/// The name that a heading has in links, as code hosts and mdbook make it.
fn anchor(heading: &str) -> String {
    let kept = |it: &char| it.is_alphanumeric() || " -_".contains(*it);
    heading.to_lowercase().chars().filter(kept).map(|it| if it == ' ' { '-' } else { it }).collect()
}

/// The anchors of a page.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|it| it.starts_with('#'));
    headings.map(|it| anchor(it.trim_start_matches('#').trim())).collect()
}

/// The targets of a page's links.
fn links(page: &str) -> impl Iterator<Item = &str> {
    page.split("](").skip(1).filter_map(|it| it.split_once(')')).map(|(target, _)| target)
}

/// Links of README and the guide lead to files and headings that there are; the guide's list has all
/// its pages; README is short.
#[test]
fn links_of_the_pages_lead_somewhere() {
    let pages = pages();
    assert!(pages[0].1.lines().count() <= 150, "README is at most 150 lines");
    for (file, page) in &pages {
        for link in links(page).filter(|it| !it.contains("://") && !it.contains(' ')) {
            let (name, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if name.is_empty() {
                file.clone()
            } else {
                file.parent().unwrap_or(Path::new("")).join(name)
            };
            assert!(target.exists(), "{}: {link}", file.display());
            let is_there = || anchors(&fs::read_to_string(&target).unwrap()).contains(heading);
            assert!(heading.is_empty() || is_there(), "{}: {link}", file.display());
        }
    }
    let summary = text("docs/guide/SUMMARY.md");
    let listed: BTreeSet<&str> = links(&summary).collect();
    let names = pages[1..].iter().map(|(file, _)| file.file_name().unwrap().to_str().unwrap());
    let written: BTreeSet<&str> = names.filter(|it| *it != "SUMMARY.md").collect();
    assert_eq!(listed, written);
}
