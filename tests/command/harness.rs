//! Test cases that wane writes, compiled and run.
//!
//! With `WANE_CORPUS` set to a folder with a `heap.tsv`, every third refuted answer there, by
//! turns of `WANE_SEED`, or every one with `WANE_HARNESS=all`, is replayed by the interpreter, and
//! the test cases that show their error are counted.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stderr, reason = "says what was skipped, and counts")]

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use wane::analyze::{self, Source};
use wane::base::budget::Budget;
use wane::c::preprocess::preprocess;
use wane::c::{self, DataModel, MallocModel, Options};
use wane::heap::shape::ShapeLibrary;
use wane::ir::semantics::IntModel;
use wane::obligation::{Fairness, Obligation};
use wane::prove::prove;
use wane::prove::violation::replayed;
use wane::question::Question;
use wane::reduce::{integers, plain};
use wane::report::Answer;
use wane::verdict::Verdict;
use wane::verdict::violation::Trial;
use wane::verdict::witness::check_refutation;

const NODE: &str = "#include <stdlib.h>\nstruct node { int value; struct node *next; };\n\
                    extern int __VERIFIER_nondet_int(void);\n";

/// The signal to a process that has worked for too long: `SIGXCPU`.
const OUT_OF_TIME: i32 = 24;

/// So many of the corpus's test cases show their error at least.
const SHOWN_OF_CORPUS: usize = 280;

/// Whether `cc` has what the flags ask for.
fn compiler_has(flags: &[&str]) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("a.c");
    fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let mut command = Command::new("cc");
    command.args(flags).arg(&source).arg("-o").arg(folder.path().join("a"));
    let built = command.output().is_ok_and(|output| output.status.success());
    built && Command::new(folder.path().join("a")).status().is_ok_and(|status| status.success())
}

/// Whether `cc` counts steps. What it counts with is part of each test case, so it links none here.
pub(super) fn compiler_counts() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    let known = *ANSWER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("a.c");
        fs::write(&source, "int main(void) { return 0; }\n").unwrap();
        let mut command = Command::new("cc");
        command.args(["-c", "-fsanitize-coverage=trace-pc"]).arg(&source);
        let built = command.arg("-o").arg(folder.path().join("a.o")).output();
        built.is_ok_and(|output| output.status.success())
    });
    if !known {
        eprintln!("skipped: `cc` has no -fsanitize-coverage=trace-pc here");
    }
    known
}

pub(super) fn has_sanitizers() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    let known = *ANSWER.get_or_init(|| compiler_has(&["-fsanitize=address,leak"]));
    if !known {
        eprintln!("skipped: `cc` has no -fsanitize=address,leak here");
    }
    known
}

/// Runs a program to its end, or until it has worked for 20 seconds: a program that must
/// wait for others has as much time as it needs.
fn run_for_a_while(path: &Path) -> Option<Output> {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -t 20; exec \"$0\""]).arg(path);
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).output().ok()?;
    (output.status.signal() != Some(OUT_OF_TIME)).then_some(output)
}

/// The flags that a test case asks for in its first lines.
fn flags(harness: &str) -> Vec<&str> {
    let line = harness.lines().find_map(|line| line.strip_prefix(" * cc ")).unwrap();
    line.split_whitespace().filter(|word| word.starts_with('-')).collect()
}

/// What the program says on the standard error when it runs as the test case wants;
/// nothing when it cannot be compiled or does not end.
pub(super) fn what_is_shown(
    program: &Path,
    harness: &str,
    folder: &Path,
) -> Option<(String, bool)> {
    let (stand_ins, binary) = (folder.join("harness.c"), folder.join("program"));
    fs::write(&stand_ins, harness).unwrap();
    let mut command = Command::new("cc");
    command.args(["-w", "-x", "c"]).args(flags(harness)).arg(program).arg(&stand_ins);
    if harness.contains("-ftrivial-auto-var-init=zero") {
        command.arg("-ftrivial-auto-var-init=zero");
    }
    let built = command.arg("-o").arg(&binary).output().unwrap();
    if !built.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&built.stderr));
        return None;
    }
    let output = run_for_a_while(&binary)?;
    let is_killed = output.status.code().is_none();
    Some((String::from_utf8_lossy(&output.stderr).into_owned(), is_killed))
}

/// Checks a file with `--test-case`, in a folder: the test case.
fn written(folder: &Path, text: &str, arguments: &[&str]) -> String {
    let file = folder.join("program.c");
    fs::write(&file, text).unwrap();
    let cases = folder.join("cases");
    let mut wane = Command::new(env!("CARGO_BIN_EXE_wane"));
    wane.arg("check").args(arguments).arg("--test-case").arg(&cases).arg(&file);
    let answer = wane.output().unwrap();
    assert_eq!(answer.status.code(), Some(1), "{}", String::from_utf8_lossy(&answer.stdout));
    let mut written = fs::read_dir(&cases).unwrap();
    let harness = fs::read_to_string(written.next().unwrap().unwrap().path()).unwrap();
    assert!(written.next().is_none(), "one question, one test case");
    harness
}

/// Checks a file with `--test-case`, and runs what comes out.
fn shown(text: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let harness = written(folder.path(), text, arguments);
    let file = folder.path().join("program.c");
    what_is_shown(&file, &harness, folder.path()).expect("it compiles and ends").0
}

#[test]
fn address_sanitizer_shows_invalid_accesses() {
    if !has_sanitizers() {
        return;
    }
    let after_free = format!(
        "{NODE}int main(void) {{\n  struct node *x = malloc(sizeof *x);\n  x->value = \
         __VERIFIER_nondet_int();\n  if (x->value == 7) free(x);\n  x->value++;\n  free(x);\n  \
         return 0;\n}}\n"
    );
    assert!(shown(&after_free, &["--property", "memsafety"]).contains("heap-use-after-free"));
    let null = format!(
        "{NODE}int main(void) {{\n  struct node *x = 0;\n  int n = __VERIFIER_nondet_int();\n  if \
         (n > 41 && n < 43) return x->value;\n  return 0;\n}}\n"
    );
    assert!(shown(&null, &["--property", "memsafety"]).contains("SEGV"));
    let beyond = "#include <stdlib.h>\nextern unsigned char __VERIFIER_nondet_uchar(void);\nint \
                  main(void) {\n  char *x = malloc(4);\n  x[__VERIFIER_nondet_uchar()] = 1;\n  \
                  free(x);\n  return 0;\n}\n";
    assert!(shown(beyond, &["--property", "memsafety"]).contains("heap-buffer-overflow"));
    let twice = "#include <stdlib.h>\nextern _Bool again(int);\nint main(void) {\n  char *x = \
                 malloc(4);\n  free(x);\n  if (again(1)) free(x);\n  return 0;\n}\n";
    assert!(shown(twice, &["--property", "memsafety"]).contains("double-free"));
}

#[test]
fn allocation_fails_where_it_fails_in_the_run() {
    if !has_sanitizers() || !compiler_has(&["-Wl,--wrap=malloc"]) {
        return;
    }
    let text = "#include <stdlib.h>\nint main(void) {\n  int *x = malloc(4);\n  int *y = \
                malloc(4);\n  if (x) *y = 1;\n  free(x);\n  free(y);\n  return 0;\n}\n";
    let output = shown(text, &["--property", "memsafety", "--malloc-may-fail"]);
    assert!(output.contains("SEGV") && output.contains("program.c:5"), "{output}");
}

#[test]
fn leak_sanitizer_shows_lost_and_left_memory() {
    if !has_sanitizers() {
        return;
    }
    let lost = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  \
                char *x = malloc(4);\n  if (__VERIFIER_nondet_int() == 9) x = 0;\n  free(x);\n  \
                return 0;\n}\n";
    assert!(shown(lost, &["--property", "memsafety"]).contains("LeakSanitizer: detected"));
    let left = "#include <stdlib.h>\nstatic void *kept;\nint main(void) {\n  kept = malloc(4);\n  \
                return 0;\n}\n";
    assert!(shown(left, &["--property", "memcleanup"]).contains("LeakSanitizer: detected"));
}

#[test]
fn an_error_is_reached() {
    if !has_sanitizers() {
        return;
    }
    let text = "extern void reach_error(void);\nextern long __VERIFIER_nondet_long(void);\nextern \
                void __VERIFIER_assume(int);\nint main(void) {\n  long n = \
                __VERIFIER_nondet_long();\n  __VERIFIER_assume(n < -70000000000);\n  if (n % 2) \
                reach_error();\n  return 0;\n}\n";
    assert!(shown(text, &["--property", "reach"]).contains("reach_error is reached"));
}

#[test]
fn an_endless_run_passes_its_step_count() {
    if !compiler_counts() {
        return;
    }
    let asked = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = \
                 __VERIFIER_nondet_int();\n  while (n > 0)\n    if (__VERIFIER_nondet_int() == 4) \
                 n = n;\n    else n--;\n  return 0;\n}\n";
    let output = shown(asked, &["--property", "termination"]);
    assert!(output.contains("step count passed"), "{output}");
    let empty = "int main(void) {\n  for (;;)\n    ;\n}\n";
    assert!(shown(empty, &["--property", "termination"]).contains("step count passed"));
}

#[test]
fn a_function_is_called_in_place_of_main() {
    if !compiler_counts() {
        return;
    }
    let text = "struct pair { int *first; short n; };\nint main(void) { return 0; }\n\
                void wait(struct pair *x, signed char c) {\n  while (*x->first != x->n && c)\n    \
                ;\n}\n";
    let output = shown(text, &["--property", "termination", "--entry", "wait"]);
    assert!(output.contains("step count passed"), "{output}");
}

#[test]
fn a_test_case_says_what_the_program_is_started_with() {
    let text = "int main(int argc, char **argv) {\n  if (argc != 2) return 1;\n  while \
                (argv[1][0] == '$' && argv[1][1] == '\\'' && !argv[1][2])\n    ;\n  return 0;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let harness = written(folder.path(), text, &["--property", "termination"]);
    assert!(harness.contains(r" * Run it as ./a.out $'$\''"), "{harness}");
    assert!(!harness.contains("__model"), "what models call is no part of it: {harness}");
}

#[test]
fn stand_ins_may_have_any_name() {
    if !has_sanitizers() || !compiler_counts() {
        return;
    }
    // The C library has all of these, and wane has models of none.
    let names = ["setitimer", "getitimer", "sigsuspend", "lockf", "getrusage", "sysinfo", "acct"];
    let declared = names.map(|name| format!("extern int {name}(void *);\n")).concat();
    let called = names.map(|name| format!("  if ({name}(0) == 5) return 0;\n")).concat();
    let hang = format!("{declared}int main(void) {{\n{called}  for (;;)\n    ;\n}}\n");
    assert!(shown(&hang, &["--property", "termination"]).contains("step count passed"));
    let error = format!(
        "{declared}extern void reach_error(void);\nint main(void) {{\n{called}  if (setitimer(0) == 9) \
         reach_error();\n  return 0;\n}}\n"
    );
    assert!(shown(&error, &["--property", "reach"]).contains("reach_error is reached"));
}

/// What `--test-case` says on the standard error of a program that hangs.
fn said_of(program: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.c");
    fs::write(&file, program).unwrap();
    let mut wane = Command::new(env!("CARGO_BIN_EXE_wane"));
    wane.args(["check", "--property", "termination", "--test-case"]);
    let output = wane.arg(folder.path().join("cases")).args(options).arg(&file).output().unwrap();
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_has_no_test_case_is_said() {
    let said = said_of(
        "static int odd(int n) { while (n % 2 != 0) n = n % 5; return n; }\n",
        &["--entry", "odd"],
    );
    assert!(said.contains("no test case for termination") && said.contains("`odd`"), "{said}");
}

/// Each round adds a node and walks through all that there are.
#[test]
fn rounds_that_differ_have_no_test_case() {
    let said = said_of(
        "#include <stdlib.h>
        extern int more(void);
        struct node { struct node *next; };
        int main(void) {
            struct node *all = NULL;
            do {
                struct node *node = malloc(sizeof *node);
                if (node == NULL) return 1;
                node->next = all;
                all = node;
                while (node != NULL) node = node->next;
            } while (more());
            while (all != NULL) { struct node *next = all->next; free(all); all = next; }
            return 0;
        }\n",
        &[],
    );
    assert!(said.contains("no test case for termination") && said.contains("differ"), "{said}");
}

/// A row of a manifest whose property is known to be violated.
struct Row {
    id: String,
    file: PathBuf,
    question: Question,
    options: Options,
}

fn violated_rows(corpus: &Path) -> Vec<Row> {
    let table = fs::read_to_string(corpus.join("heap.tsv")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let question = Question::from_name(cells.get(2)?)?;
        let is_wide = !line.contains("ilp32");
        let options = Options {
            data_model: if is_wide { DataModel::Lp64 } else { DataModel::Ilp32 },
            int_model: IntModel::Math,
            malloc: MallocModel::Succeeds,
            input: wane::c::Input::Ends,
            entry: None,
            ..Options::default()
        };
        let (id, file) = (cells[0].to_owned(), corpus.join(cells[1]));
        (cells[3] == "false").then_some(Row { id, file, question, options })
    };
    table.lines().skip(1).filter_map(row).collect()
}

/// What became of a row.
enum Outcome {
    Undecided,
    Shown,
    NotShown,
}

/// Steps of a search; with more of them some questions take minutes.
const STEPS: u64 = 30_000;

fn outcome_of(row: &Row, library: &ShapeLibrary, folder: &Path) -> Outcome {
    let source = preprocess(&row.file, row.options.data_model).unwrap();
    let subject = analyze::read(Source::C(source.clone()), &row.options).unwrap();
    let mut budget = Budget::of_steps(STEPS);
    let finding = subject.ask(&row.question, library, &mut budget);
    if finding.answer != Answer::Refuted {
        return Outcome::Undecided;
    }
    let goal = plain::goal(&row.question).unwrap();
    let [proofs, _] = integers::readings(goal, row.options.int_model);
    let options = Options { int_model: proofs.model, ..row.options.clone() };
    let program = c::compile(&source, &options).unwrap();
    match prove(&Obligation::new(&program, goal), library, &Budget::of_steps(STEPS)) {
        Verdict::Refuted(it) => {
            assert!(
                check_refutation(&program, &Fairness::default(), &it.witness).is_ok(),
                "{}",
                row.id
            )
        }
        Verdict::Violated(it) => {
            assert_eq!(
                replayed(&Trial::of(&program, goal), &it).as_ref(),
                Some(&*it),
                "{}",
                row.id
            );
        }
        Verdict::Proved(_) | Verdict::Unknown(_) => panic!("{} is refuted only once", row.id),
    }
    // Where rounds differ, no list of inputs goes on for ever.
    let Some(harness) = finding.test_case else { return Outcome::NotShown };
    match what_is_shown(&row.file, &harness, folder) {
        Some((text, is_killed)) => {
            let shows = ["Sanitizer: ", "step count passed", "Sanitizer:DEADLYSIGNAL"];
            if is_killed || shows.iter().any(|it| text.contains(it)) {
                Outcome::Shown
            } else {
                Outcome::NotShown
            }
        }
        None => Outcome::NotShown,
    }
}

#[test]
fn refuted_answers_of_a_corpus_are_replayed_and_shown() {
    let Some(corpus) = std::env::var_os("WANE_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: WANE_CORPUS names no folder of programs");
        return;
    };
    if !corpus.join("heap.tsv").is_file() || !has_sanitizers() {
        eprintln!("skipped: there is no heap.tsv in {}", corpus.display());
        return;
    }
    let seed = std::env::var("WANE_SEED").ok().and_then(|it| it.parse::<usize>().ok());
    let n_turns = if std::env::var("WANE_HARNESS").is_ok_and(|it| it == "all") { 1 } else { 3 };
    let rows = violated_rows(&corpus).into_iter().skip(seed.unwrap_or(0) % n_turns);
    let rows: Vec<Row> = rows.step_by(n_turns).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let library = ShapeLibrary::builtin().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let following = || rows.get(next.fetch_add(1, Ordering::Relaxed));
        let outcome = |row| (row, outcome_of(row, &library, folder.path()));
        std::iter::from_fn(following).map(outcome).collect::<Vec<_>>()
    };
    let outcomes: Vec<_> = std::thread::scope(|scope| {
        let start = |_| {
            let thread = std::thread::Builder::new().stack_size(256 << 20);
            thread.spawn_scoped(scope, work).unwrap()
        };
        let threads: Vec<_> =
            (0..std::thread::available_parallelism().map_or(1, usize::from)).map(start).collect();
        threads.into_iter().flat_map(|it| it.join().unwrap()).collect()
    });
    let n_shown = outcomes.iter().filter(|(_, it)| matches!(it, Outcome::Shown)).count();
    let missed: Vec<_> = outcomes
        .iter()
        .filter(|(_, it)| matches!(it, Outcome::NotShown))
        .map(|(row, _)| &row.id)
        .collect();
    let n_refuted = n_shown + missed.len();
    eprintln!("{n_refuted} refuted and replayed, {n_shown} shown; not shown: {missed:?}");
    assert!(
        n_shown * n_turns * 5 >= SHOWN_OF_CORPUS * 4,
        "only {n_shown} test cases show their error"
    );
}

/// An error within a structure is seen by the commands of the test case, too; and a program whose own
/// name leads to one is started by that name.
#[test]
fn errors_within_an_object_and_by_the_program_s_name_are_shown() {
    if !has_sanitizers() {
        return;
    }
    let within = "struct row { int cell[4]; int end; };\nint main(void) {\n  struct row r = { { 0 }, 0 \
                  };\n  int i = 0;\n  while (i < 5)\n    r.cell[i++] = 1;\n  return r.end;\n}\n";
    assert!(shown(within, &["--property", "memsafety"]).contains("index 4 out of bounds"));
    let folder = tempfile::tempdir().unwrap();
    let named = "#include <string.h>\nint main(int argc, char **argv) {\n  char name[4];\n  strcpy(name, \
                 argv[0]);\n  return argc + name[0];\n}\n";
    let harness = written(folder.path(), named, &["--property", "memsafety"]);
    assert!(harness.contains(" * In bash, run it as (exec -a \"aaaa\" ./a.out)\n"), "{harness}");
}
