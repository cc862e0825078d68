//! Witnesses: their form, and that what they say of loops is true.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use wane::analyze::{self, Source};
use wane::base::budget::Budget;
use wane::c::{Options, PreprocessedSource};
use wane::concrete::Outcome;
use wane::concrete::choices::ChoiceList;
use wane::concrete::interpreter::Interpreter;
use wane::heap::shape::ShapeLibrary;
use wane::ir::cutpoint::CutSet;
use wane::ir::semantics::IntModel;
use wane::question::Question;
use wane::report::c_terms::{Claim, ClaimKind};
use wane::report::{Answer, Location};

const LOOPS: &str = "extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int j = i;
        while (j > 0) {
            j -= 2;
            sum++;
        }
    }
    int down = sum;
    while (down > -3)
        down--;
    return 0;
}
";
const TWICE: &str = "extern int __VERIFIER_nondet_int(void);
static int count(int from)
{
    int steps = 0;
    while (from > 0) {
        from--;
        steps++;
    }
    return steps;
}
int main(void)
{
    int a = count(3);
    int b = __VERIFIER_nondet_int();
    if (b < 0 || b > 20)
        return 1;
    while (a < b)
        a += 2;
    return count(a + b);
}
";

fn options() -> Options {
    Options { int_model: IntModel::Math, ..Options::default() }
}

fn claims_of(text: &str) -> Vec<Claim> {
    let source = PreprocessedSource { name: "a.c".to_owned(), text: text.to_owned() };
    let subject = analyze::read(Source::C(source), &options()).unwrap();
    let library = ShapeLibrary::builtin().unwrap();
    let mut budget = Budget::of_steps(2_000_000);
    let finding = subject.ask(&Question::Termination, &library, &mut budget);
    assert_eq!(finding.answer, Answer::Proved, "{}", finding.reason);
    finding.evidence.unwrap().claims
}

type Numbers = BTreeMap<String, i128>;

/// The value of a sum such as `-2LL * \at(i, AnyPrev) + (long long)n + -1LL`.
fn sum(text: &str, now: &Numbers, before: &Numbers) -> i128 {
    let atom = |text: &str| -> i128 {
        let text = text.trim().trim_start_matches("(long long)");
        let (negative, text) = match text.strip_prefix("-(long long)") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let value = match text.strip_prefix("\\at(") {
            Some(rest) => before[rest.trim_end_matches(", AnyPrev)")],
            None => now
                .get(text)
                .copied()
                .unwrap_or_else(|| text.trim_end_matches("LL").parse().unwrap()),
        };
        if negative { -value } else { value }
    };
    let terms = text.split(" + ");
    terms.map(|term| term.split(" * ").map(atom).product::<i128>()).sum()
}

/// Whether an expression of the kind that claims have is true.
fn holds(text: &str, now: &Numbers, before: &Numbers) -> bool {
    let comparison = |text: &str| {
        for (sign, test) in [
            (" <= ", (|a, b| a <= b) as fn(i128, i128) -> bool),
            (" >= ", |a, b| a >= b),
            (" == ", |a, b| a == b),
            (" > ", |a, b| a > b),
        ] {
            if let Some((left, right)) = text.split_once(sign) {
                return test(sum(left, now, before), sum(right, now, before));
            }
        }
        panic!("no comparison in {text}")
    };
    let case = |text: &str| {
        let is_grouped = text.starts_with('(') && !text.starts_with("(long long)");
        let text = if is_grouped { &text[1..text.len() - 1] } else { text };
        text.split(" && ").all(comparison)
    };
    text.split(" || ").any(case)
}

/// Runs the program and checks each claim whenever its loop is reached.
fn check_on_run(text: &str, claims: &[Claim], inputs: Vec<i128>) -> usize {
    let source = PreprocessedSource { name: "a.c".to_owned(), text: text.to_owned() };
    let program = wane::c::compile(&source, &options()).unwrap();
    let cuts: Vec<CutSet> = program.procedures.iter().map(CutSet::of_procedure).collect();
    let interpreter = Interpreter::new(&program);
    let mut state = interpreter.initial();
    let mut choices = ChoiceList::new(inputs);
    let mut visits: Vec<Vec<Numbers>> = vec![Vec::new(); claims.len()];
    let mut n_checked = 0;
    for _ in 0..4000 {
        if let Some(at) = state.location()
            && at.command == 0
            && cuts[at.procedure.index()].contains(at.block)
        {
            let span = program.procedure(at.procedure).block(at.block).span;
            let place = Location::of_span(span, &program.sources);
            let frame = state.frames().last().unwrap();
            let numbers: Numbers = frame
                .variables()
                .filter_map(|(it, value)| {
                    Some((program.variable(it).name.clone(), value.as_int()?))
                })
                .collect();
            for (claim, visits) in claims.iter().zip(&mut visits) {
                if claim.location != place {
                    continue;
                }
                match claim.kind {
                    ClaimKind::Invariant => {
                        assert!(holds(&claim.value, &numbers, &numbers), "{claim:?} {numbers:?}");
                    }
                    ClaimKind::Transition => {
                        for earlier in visits.iter() {
                            let is_true = holds(&claim.value, &numbers, earlier);
                            assert!(is_true, "{claim:?}: {earlier:?}, then {numbers:?}");
                        }
                    }
                }
                visits.push(numbers.clone());
                n_checked += 1;
            }
        }
        if interpreter.step(&mut state, &mut choices) != Outcome::Running {
            break;
        }
    }
    n_checked
}

#[test]
fn what_is_said_of_loops_is_true() {
    for text in [LOOPS, TWICE] {
        let claims = claims_of(text);
        assert!(claims.iter().any(|it| it.kind == ClaimKind::Invariant), "{claims:?}");
        assert!(claims.iter().any(|it| it.kind == ClaimKind::Transition), "{claims:?}");
        for input in -2..12 {
            assert!(check_on_run(text, &claims, vec![input]) > 0);
        }
    }
}

#[test]
fn a_loop_that_is_entered_twice_has_no_transition_invariant() {
    let claims = claims_of(TWICE);
    let transitions = claims.iter().filter(|it| it.kind == ClaimKind::Transition);
    assert!(transitions.clone().all(|it| it.function == "main"), "{claims:?}");
    let inner = claims_of(LOOPS);
    let inner = inner.iter().filter(|it| it.location.line == Some(8));
    assert!(inner.clone().all(|it| it.kind == ClaimKind::Invariant), "the inner loop restarts");
}

/// Writes witnesses for a program.
fn witnesses(text: &str, property: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), text).unwrap();
    let mut wane = Command::new(env!("CARGO_BIN_EXE_wane"));
    wane.current_dir(folder.path()).args(["check", "--deterministic", "--witness", "w.yml"]);
    wane.args(["--property", property, "--int-model", "math", "a.c"]).output().unwrap();
    fs::read_to_string(folder.path().join("w.yml")).unwrap()
}

/// The witnesses as JSON, valid by their schema.
fn read(text: &str) -> Value {
    let value = serde_yaml_ng::from_str::<Value>(text).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/witness.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    value
}

#[test]
fn proofs_and_counterexamples_have_the_form_of_their_schema() {
    let proof = read(&witnesses(LOOPS, "termination"));
    assert_eq!(proof[0]["entry_type"], "invariant_set");
    let text = proof.to_string();
    assert!(text.contains("loop_transition_invariant") && text.contains("AnyPrev"), "{text}");

    let endless = "extern int f(void);\nint main(void) {\n  int n = f();\n  while (n > 3)\n    n = \
                   n + (f() == 5);\n  return 0;\n}\n";
    let endless = read(&witnesses(endless, "termination")).to_string();
    assert!(endless.contains("\"cycle\"") && endless.contains("branching"), "{endless}");

    let wrong = "extern int f(int, int);\nint main(void) {\n  int n = f(1, \")\"[0]);\n  if (n == \
                 42)\n    return *(int *)0;\n  return 0;\n}\n";
    let wrong = read(&witnesses(wrong, "memsafety"));
    let first = &wrong[0]["content"][0]["segment"][0]["waypoint"];
    assert_eq!(first["constraint"]["value"], "\\result == 42");
    assert_eq!(first["location"]["column"], 22);
    let last = &wrong[0]["content"][1]["segment"][0]["waypoint"];
    assert_eq!((&last["type"], &last["location"]["line"]), (&"target".into(), &5.into()));
    let whole = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                 CHECK( init(main()), LTL(G valid-memtrack) )";
    assert_eq!(wrong[0]["metadata"]["task"]["specification"], whole);
}

/// The lines and types of all waypoints of the only witness.
fn waypoints(witness: &Value) -> Vec<(String, u64)> {
    let segments = witness[0]["content"].as_array().unwrap().iter();
    let waypoints = segments.map(|it| &it["segment"][0]["waypoint"]);
    waypoints
        .map(|it| {
            (it["type"].as_str().unwrap().to_owned(), it["location"]["line"].as_u64().unwrap())
        })
        .collect()
}

#[test]
fn what_returns_nothing_is_no_waypoint() {
    let start = "extern int f(void);\nextern void note(void);\nextern void abort(void);\n";
    let rest = "int main(void) {\n  int n = f();\n  note();\n  if (n == 42)\n    \
                reach_error();\n  return 0;\n}\n";
    // Whether it has a body, which may end the run, or none.
    for error in ["extern void reach_error(void);\n", "void reach_error(void) { abort(); }\n"] {
        let text = format!("{start}{error}{rest}");
        let witness = read(&witnesses(&text, "reach"));
        let wanted = [("function_return".to_owned(), 6), ("target".to_owned(), 9)];
        assert_eq!(waypoints(&witness), wanted, "{witness}");
        assert_eq!(
            witness[0]["metadata"]["task"]["specification"],
            "CHECK( init(main()), LTL(G ! call(reach_error())) )"
        );
    }
}

#[test]
fn what_is_read_into_memory_is_no_result() {
    let text = "#include <stdio.h>\nextern void reach_error(void);\nint main(void) {\n  int n;\n  if \
                (scanf(\"%d\", &n) != 1)\n    return 0;\n  if (n == 7)\n    reach_error();\n  return 0;\n}\n";
    let witness = read(&witnesses(text, "reach"));
    assert_eq!(waypoints(&witness), [("target".to_owned(), 8)], "{witness}");
}

/// A function gives back null, or a pointer, of which a witness can say nothing.
#[test]
fn pointers_are_no_numbers() {
    for (taken, waypoint) in [("!file", Some("\\result == 0")), ("file", None)] {
        let text = format!(
            "#include <stdio.h>\nextern void reach_error(void);\nint main(void) {{\n  FILE *file = \
             fopen(\"a\", \"r\");\n  if ({taken})\n    reach_error();\n  return 0;\n}}\n"
        );
        let witness = read(&witnesses(&text, "reach"));
        let mut wanted = vec![("target".to_owned(), 6)];
        wanted.splice(0..0, waypoint.map(|_| ("function_return".to_owned(), 4)));
        assert_eq!(waypoints(&witness), wanted, "{witness}");
        let first = &witness[0]["content"][0]["segment"][0]["waypoint"]["constraint"]["value"];
        assert_eq!(first.as_str(), waypoint, "{witness}");
    }
}

#[test]
fn what_ends_at_no_place_has_no_witness() {
    let text = "#include <stdlib.h>\nint *kept;\nint main(void) {\n  kept = malloc(4);\n  return \
                0;\n}\n";
    assert_eq!(witnesses(text, "memcleanup"), "[]\n");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    assert_eq!(witnesses(LOOPS, "termination"), witnesses(LOOPS, "termination"));
    let unknown = "int main(void) {\n  goto *(void *)0;\n}\n";
    assert_eq!(witnesses(unknown, "termination"), "[]\n");
}
