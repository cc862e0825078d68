//! The files for build servers (`docs/ci`): they are read as their hosts read them, and what they
//! run is run, in order, on a small project.
//!
//! What belongs to hosts is done here: sources are checked out, caches and artifacts are copied, a
//! `cargo` installs what was built already, an `sbatch` runs what it is handed.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::folder::folder;
use crate::outside::{Machine, file, has_module, has_program, skipped, text, told};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const ENDS: &str = "void ends(int n)\n{\n    while (n > 0)\n        n--;\n}\n";
const HANGS: &str = "void hang(int n)\n{\n    for (;;)\n        n = n ? 0 : 1;\n}\n";
const NULL: &str = "int null(void)\n{\n    int *p = 0;\n    return *p;\n}\n";
const MENDED: &str = "int null(void)\n{\n    return 0;\n}\n";

/// Says where it was told to put `wane`, as cargo does.
const CARGO: &str = r#"[[ " $* " == *" --git https://example.org/wane.git --tag v0.1.0 wane "* ]] || exit 1
root=$HOME/.cargo
while [[ $# -gt 0 ]]; do [[ $1 == --root ]] && root=$2; shift; done
mkdir -p "$root/bin" && ln -s "$(command -v wane)" "$root/bin/wane" && echo "installed in $root"
"#;

/// The sources of a user.
fn project() -> TempDir {
    folder(&[("src/ends.c", ENDS), ("src/hangs.c", HANGS), ("src/lib/null.c", NULL)])
}

fn mend(project: &Path) {
    fs::write(project.join("src/hangs.c"), ENDS.replace("ends", "hang")).unwrap();
    fs::write(project.join("src/lib/null.c"), MENDED).unwrap();
}

fn yaml(name: &str) -> Value {
    serde_yaml_ng::from_str(&text(name)).unwrap()
}

fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// A text, or a list of them.
fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Array(all) => all.iter().map(|it| it.as_str().unwrap().to_owned()).collect(),
        Value::String(one) => vec![one.clone()],
        _ => Vec::new(),
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(copied.success(), "{} to {}", from.display(), to.display());
}

/// The schemas of hosts, where python3 has them.
#[test]
fn files_of_hosts_keep_to_their_schemas() {
    if !has_module("check_jsonschema") {
        return skipped("python3 has no module check_jsonschema");
    }
    for (schema, name) in [
        ("vendor.github-workflows", "docs/ci/github.yml"),
        ("vendor.gitlab-ci", "docs/ci/gitlab-ci.yml"),
    ] {
        let mut check = Command::new("python3");
        check.args(["-m", "check_jsonschema", "--builtin-schema", schema]).arg(file(name));
        let (status, output) = told(&mut check);
        assert_eq!(status, 0, "{output}");
    }
}

/// What a host keeps from job to job, and from run to run.
struct Host {
    machine: Machine,
    /// Where caches, artifacts, homes and work trees are.
    folder: TempDir,
    sources: PathBuf,
}

/// A command that a job has run.
struct Ran {
    job: String,
    command: String,
    status: i32,
    output: String,
}

impl Host {
    fn new(sources: &Path) -> Self {
        let machine = Machine::with(&[("cargo", CARGO)]);
        Self { machine, folder: tempfile::tempdir().unwrap(), sources: sources.to_owned() }
    }

    fn place(&self, kind: &str, name: &str) -> PathBuf {
        self.folder.path().join(kind).join(name)
    }

    /// An empty folder.
    fn fresh(&self, kind: &str) -> PathBuf {
        let place = self.place(kind, "now");
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(&place).unwrap();
        place
    }

    /// The files of a cache are laid where they were. Whether there is one.
    fn restore(&self, key: &str, to: &Path) -> bool {
        let from = self.place("caches", key);
        let is_known = !key.is_empty() && from.exists() && !to.exists();
        if is_known {
            copy(&from, to);
        }
        is_known
    }

    /// A job ends, and its caches are kept under their keys, unless these are known.
    fn keep(&self, caches: &[(String, PathBuf)]) {
        for (key, path) in caches {
            let place = self.place("caches", key);
            if path.exists() && !place.exists() {
                copy(path, &place);
            }
        }
    }

    fn run(&self, (job, command): (&str, &str), shell: &mut Command) -> Ran {
        let (status, output) = told(shell);
        Ran { job: job.to_owned(), command: command.to_owned(), status, output }
    }
}

/// A job of a workflow on GitHub as it runs.
struct Job<'a> {
    host: &'a Host,
    name: &'a str,
    /// What stands for `${{ ... }}`.
    known: BTreeMap<String, String>,
    tree: PathBuf,
    home: PathBuf,
    caches: Vec<(String, PathBuf)>,
}

impl Job<'_> {
    /// A text with what its expressions stand for.
    fn expanded(&self, text: &str) -> String {
        let Some((head, rest)) = text.split_once("${{") else { return text.to_owned() };
        let (expression, tail) = rest.split_once("}}").unwrap();
        let value = self.known.get(expression.trim());
        let value = value.unwrap_or_else(|| panic!("{expression} is not known"));
        format!("{head}{value}{}", self.expanded(tail))
    }

    fn path(&self, written: &str) -> PathBuf {
        let written = self.expanded(written);
        match written.strip_prefix("~/") {
            Some(rest) => self.home.join(rest),
            None => self.tree.join(written),
        }
    }

    /// An action of somebody else.
    fn act(&mut self, step: &Value) {
        let with = &step["with"];
        match word(step, "uses").split('@').next().unwrap() {
            "actions/checkout" => copy(&self.host.sources.join("src"), &self.tree.join("src")),
            "actions/cache" => {
                let path = self.path(word(with, "path"));
                let key = self.expanded(word(with, "key"));
                let is_hit = self.host.restore(&key, &path);
                let starts = word(with, "restore-keys").lines().map(|it| self.expanded(it));
                let starts: Vec<String> = starts.collect();
                let known = fs::read_dir(self.host.place("caches", "")).into_iter().flatten();
                let known = known.map(|it| it.unwrap().file_name().into_string().unwrap());
                for other in known.filter(|it| starts.iter().any(|start| it.starts_with(start))) {
                    self.host.restore(&other, &path);
                }
                let output = format!("steps.{}.outputs.cache-hit", word(step, "id"));
                self.known.insert(output, is_hit.to_string());
                self.caches.push((key, path));
            }
            "actions/upload-artifact" => {
                let name = self.expanded(word(with, "name"));
                let path = self.path(word(with, "path"));
                copy(&path, &self.host.place("artifacts", &name));
            }
            "actions/download-artifact" => {
                assert_eq!(with["merge-multiple"], true);
                let start = word(with, "pattern").trim_end_matches('*');
                for entry in fs::read_dir(self.host.place("artifacts", "")).unwrap() {
                    let entry = entry.unwrap();
                    let name = entry.file_name().into_string().unwrap();
                    if name.starts_with(start) {
                        copy(&entry.path(), &self.tree.join(name + ".json"));
                    }
                }
            }
            "github/codeql-action/upload-sarif" => {
                let log = fs::read_to_string(self.path(word(with, "sarif_file"))).unwrap();
                let log: Value = serde_json::from_str(&log).unwrap();
                assert_eq!(log["version"], "2.1.0");
                assert!(log["runs"][0]["results"].is_array());
            }
            other => panic!("nobody knows {other}"),
        }
    }

    /// Whether the condition of a step holds.
    fn is_wanted(&self, step: &Value) -> bool {
        let Some(condition) = step["if"].as_str() else { return true };
        let (left, right) = condition.split_once(" != ").unwrap();
        self.known[left] != right.trim_matches('\'')
    }

    /// All steps, until one fails.
    fn run(&mut self, steps: &Value, environment: &Value) -> Vec<Ran> {
        let mut all = Vec::new();
        for step in steps.as_array().unwrap() {
            match step["run"].as_str() {
                _ if !self.is_wanted(step) => {}
                None => self.act(step),
                Some(command) => {
                    let command = self.expanded(command);
                    let mut shell = self.host.machine.command("bash", &self.tree);
                    shell.args(["-e", "-c", &command]).env("HOME", &self.home);
                    for (name, value) in environment.as_object().unwrap() {
                        shell.env(name, value.as_str().unwrap());
                    }
                    let ran = self.host.run((self.name, &command), &mut shell);
                    let is_over = ran.status != 0;
                    all.push(ran);
                    if is_over {
                        return all;
                    }
                }
            }
        }
        self.host.keep(&self.caches);
        all
    }
}

/// Runs a workflow as GitHub does: each job for each value of its matrix, after those that it needs.
fn github(host: &Host, revision: &str) -> Vec<Ran> {
    let workflow = yaml("docs/ci/github.yml");
    let mut ended: Vec<&str> = Vec::new();
    let mut all = Vec::new();
    for (name, job) in workflow["jobs"].as_object().unwrap() {
        assert!(words(&job["needs"]).iter().all(|it| ended.contains(&&**it)), "{name}");
        let matrix = job["strategy"]["matrix"].as_object();
        let values: Vec<Option<(String, String)>> = match matrix.and_then(|it| it.iter().next()) {
            None => vec![None],
            Some((key, values)) => {
                let value = |it: &Value| Some((format!("matrix.{key}"), it.to_string()));
                values.as_array().unwrap().iter().map(value).collect()
            }
        };
        for value in values {
            let mut known = BTreeMap::from(
                [("runner.os", "Linux"), ("github.sha", revision)]
                    .map(|(name, value)| (name.to_owned(), value.to_owned())),
            );
            for (name, value) in workflow["env"].as_object().unwrap() {
                known.insert(format!("env.{name}"), value.as_str().unwrap().to_owned());
            }
            known.extend(value);
            let (tree, home) = (host.fresh("tree"), host.fresh("home"));
            let mut job_now = Job { host, name, known, tree, home, caches: Vec::new() };
            all.extend(job_now.run(&job["steps"], &workflow["env"]));
        }
        ended.push(name);
    }
    all
}

/// Four parts and their report; what is refuted fails the last step, and nothing once it is mended.
#[test]
fn the_workflow_of_github_runs() {
    let project = project();
    let host = Host::new(project.path());
    let first = github(&host, "one");
    let status = |all: &[Ran]| all.iter().map(|it| it.status).collect::<Vec<_>>();
    // The program is installed once; after that the cache has it.
    assert!(first[0].command.starts_with("cargo install"), "{}", first[0].command);
    let told = first.iter().map(|it| it.output.as_str()).collect::<String>();
    assert_eq!(status(&first), [0, 0, 0, 0, 0, 0, 1], "{told}");
    let last = first.last().unwrap();
    for refuted in ["::error file=src/hangs.c,line=3,", "::error file=src/lib/null.c,line=4,"] {
        assert!(last.job == "report" && last.output.contains(refuted), "{}", last.output);
    }
    assert!(host.place("caches", "wane-answers-1-one").join(".gitignore").exists());
    mend(project.path());
    let second = github(&host, "two");
    let told = second.iter().map(|it| it.output.as_str()).collect::<String>();
    assert_eq!(status(&second), [0; 6], "{told}");
    assert_eq!(second.last().unwrap().output, "", "nothing is told at any line");
    assert!(host.place("caches", "wane-answers-4-two").exists());
}

/// A job of GitLab with what the jobs say that it extends.
fn extended(jobs: &Value, name: &str) -> serde_json::Map<String, Value> {
    let own = jobs[name].as_object().unwrap().clone();
    let base = own.get("extends").and_then(Value::as_str);
    let mut job = base.map_or_else(serde_json::Map::new, |base| extended(jobs, base));
    job.extend(own);
    job
}

/// Runs a job of GitLab: the status, and what it wrote.
fn gitlab_job(host: &Host, (name, job): (&str, &Value), number: u64) -> Ran {
    let (tree, home) = (host.fresh("tree"), host.fresh("home"));
    copy(&host.sources.join("src"), &tree.join("src"));
    let n_jobs = job["parallel"].as_u64().unwrap_or(1);
    let caches = job["cache"].as_array().unwrap().iter().map(|cache| {
        let key = word(cache, "key").replace("$WANE_REVISION", "v0.1.0");
        let key = key.replace("$CI_NODE_INDEX", &number.to_string());
        (key, tree.join(words(&cache["paths"])[0].as_str()))
    });
    let caches: Vec<(String, PathBuf)> = caches.collect();
    for (key, path) in &caches {
        host.restore(key, path);
    }
    for needed in words(&job["needs"]) {
        let from = host.place("artifacts", &needed.replace(':', "-"));
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &tree.join(entry.file_name()));
        }
    }
    let lines = [words(&job["before_script"]), words(&job["script"])].concat();
    let script = format!("set -eo pipefail\n{}\n", lines.join("\n"));
    let mut shell = host.machine.command("bash", &tree);
    shell.args(["-c", &script]).env("HOME", home).env("CI_PROJECT_DIR", &tree);
    shell.env("CI_NODE_INDEX", number.to_string()).env("CI_NODE_TOTAL", n_jobs.to_string());
    for (name, value) in yaml("docs/ci/gitlab-ci.yml")["variables"].as_object().unwrap() {
        shell.env(name, value.as_str().unwrap());
    }
    let ran = host.run((name, &script), &mut shell);
    let artifacts = &job["artifacts"];
    if ran.status == 0 || artifacts["when"] == "always" {
        let mut kept = words(&artifacts["paths"]);
        let reports = artifacts["reports"].as_object().into_iter().flatten();
        kept.extend(reports.map(|(_, path)| path.as_str().unwrap().to_owned()));
        for path in kept {
            let path = path.replace('*', &number.to_string());
            copy(&tree.join(&path), &host.place("artifacts", &name.replace(':', "-")).join(path));
        }
    }
    host.keep(&caches);
    ran
}

/// Runs all jobs of the file for GitLab.
fn gitlab(host: &Host) -> Vec<Ran> {
    let jobs = yaml("docs/ci/gitlab-ci.yml");
    let mut all = Vec::new();
    for name in ["wane:part", "wane:report"] {
        let job = Value::Object(extended(&jobs, name));
        for number in 1..=job["parallel"].as_u64().unwrap_or(1) {
            all.push(gitlab_job(host, (name, &job), number));
        }
    }
    let is_job = |name: &&String| !name.starts_with('.') && *name != "variables";
    assert_eq!(jobs.as_object().unwrap().keys().filter(is_job).count(), 2);
    all
}

#[test]
fn the_jobs_of_gitlab_run() {
    let project = project();
    let host = Host::new(project.path());
    for (n_installed, expected) in [(1, 1), (0, 0)] {
        let all = gitlab(&host);
        let told = all.iter().map(|it| format!("{}: {}", it.job, it.output)).collect::<String>();
        let statuses: Vec<i32> = all.iter().map(|it| it.status).collect();
        assert_eq!(statuses, [0, 0, 0, 0, expected], "{told}");
        assert_eq!(told.matches("installed in .wane-program").count(), n_installed, "{told}");
        let report = |name| host.place("artifacts", "wane-report").join(name);
        let read = |name| fs::read_to_string(report(name)).unwrap();
        let issues: Value = serde_json::from_str(&read("gl-code-quality-report.json")).unwrap();
        let tests = read("wane-junit.xml");
        let tests = roxmltree::Document::parse(&tests).unwrap();
        let n_issues = 2 * usize::try_from(expected).unwrap();
        assert_eq!(issues.as_array().unwrap().len(), n_issues, "{issues}");
        let n_failures = tests.root_element().attribute("failures").unwrap().parse::<usize>();
        assert_eq!(n_failures.unwrap(), n_issues);
        assert!(host.place("caches", "wane-answers-3").exists());
        mend(project.path());
        fs::remove_dir_all(host.place("artifacts", "")).unwrap();
    }
}

/// Runs each job at once, as SLURM would on other machines, from a copy of the script; what a job
/// depends on must have ended well.
const SBATCH: &str = r#"array=- after=
while [[ $1 == --* ]]; do
    case $1 in
    --array=1-*) array=${1#--array=1-} ;;
    --dependency=afterok:*) after=${1#--dependency=afterok:} ;;
    --output=*) log=${1#--output=} ;;
    --parsable | --job-name=* | --cpus-per-task=* | --mem=*M | --time=*) ;;
    *) exit 1 ;;
    esac
    shift
done
spool=$(mktemp) && cp "$1" "$spool" && shift
status=0
if [[ $array != - ]]; then
    for ((task = 1; task <= array; task++)); do
        SLURM_ARRAY_TASK_ID=$task bash "$spool" "$@" > "${log//%a/$task}" 2>&1 || status=1
    done
    echo $status > array-status
    echo "17;cluster"
else
    [[ $after == 17 && $(< array-status) == 0 ]] || exit 1
    bash "$spool" "$@" > "$log" 2>&1 || status=$?
    echo $status > merge-status
    echo 18
fi
"#;

#[test]
fn an_array_of_slurm_is_one_run() {
    let project = project();
    let machine = Machine::with(&[("sbatch", SBATCH)]);
    copy(&file("docs/ci/slurm.sh"), &project.path().join("slurm.sh"));
    let flags = ["-p", "termination", "src"];
    for expected in [1, 0] {
        let mut start = machine.command("bash", project.path());
        start.args(["slurm.sh"]).args(flags).env("N_PARTS", "3").env("REPORTS", "all reports");
        start.env("CPUS", "1").env("MEMORY_MIB", "1024");
        let (status, output) = told(&mut start);
        let read = |name: &str| fs::read_to_string(project.path().join(name)).unwrap_or_default();
        let log = read("all reports/merge.log");
        assert_eq!(
            (status, output.trim_end()),
            (0, "18"),
            "{log}{}",
            read("all reports/part-1.log")
        );
        assert_eq!(read("merge-status").trim(), expected.to_string(), "{log}");
        assert_eq!(log.contains("src/hangs.c:3:5"), expected == 1, "{log}");
        let mut whole = machine.command("wane", project.path());
        let output = whole.args(["--format", "json"]).args(flags).output().unwrap();
        assert_eq!(read("all reports/report.json"), String::from_utf8(output.stdout).unwrap());
        mend(project.path());
    }
    let (status, output) = told(machine.command("bash", project.path()).arg("slurm.sh"));
    assert!(status == 2 && output.contains("usage:"), "{output}");
}

/// A target of a project with CMake, for each builder that is at hand.
#[test]
fn a_target_of_cmake_checks_what_is_compiled() {
    let builders = [("Ninja", "ninja"), ("Unix Makefiles", "make")];
    if !has_program("cmake") || !builders.iter().any(|(_, program)| has_program(program)) {
        return skipped("there is no cmake with ninja or make");
    }
    let lists = format!(
        "cmake_minimum_required(VERSION 3.13)\nproject(example C)\n\
         set(CMAKE_EXPORT_COMPILE_COMMANDS ON)\ninclude(\"{}\")\n\
         add_library(example src/ends.c src/hangs.c src/lib/null.c)\n\
         target_compile_definitions(example PRIVATE GIVEN)\n",
        file("docs/ci/wane.cmake").display()
    );
    for (generator, _) in builders.iter().filter(|(_, program)| has_program(program)) {
        let project = project();
        let given = format!("#ifndef GIVEN\n#error no\n#endif\n{ENDS}");
        fs::write(project.path().join("src/ends.c"), given).unwrap();
        fs::write(project.path().join("CMakeLists.txt"), &lists).unwrap();
        let machine = Machine::with(&[]);
        let cmake = |words: &[&str]| told(machine.command("cmake", project.path()).args(words));
        let (status, output) = cmake(&["-G", generator, "-S", ".", "-B", "build"]);
        assert_eq!(status, 0, "{output}");
        let (status, output) = cmake(&["--build", "build", "--target", "wane"]);
        assert!(status != 0 && output.contains("src/hangs.c:3:5"), "{generator}: {output}");
        assert!(!output.contains("CMakeCCompilerId"), "{output}");
        mend(project.path());
        let (status, output) = cmake(&["--build", "build", "--target", "wane"]);
        assert_eq!(status, 0, "{generator}: {output}");
        assert!(project.path().join("build/wane-cache").exists());
        fs::write(project.path().join("src/hangs.c"), HANGS).unwrap();
        let set = ["-DWANE_FAIL_ON=never", "-DWANE_FLAGS=-p;termination", "build"];
        assert_eq!(cmake(&set).0, 0);
        let (status, output) = cmake(&["--build", "build", "--target", "wane"]);
        assert!(status == 0 && output.contains("refuted"), "{output}");
    }
}
