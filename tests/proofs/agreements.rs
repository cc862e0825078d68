//! Agreements (PLDI 2007): which are found, and that none is found where others keep to none.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use assert_cmd::Command;
use serde_json::Value;
use std::fs;

/// What is said of the thread `walker` of a program: the verdict, the agreement, and how often
/// it was strengthened and weakened.
fn said(shared: &str, walker: &str, others: &[&str]) -> (String, Option<String>, [usize; 2]) {
    let mut text = String::from("#include <pthread.h>\nextern int nondet(void);\n");
    text.push_str(shared);
    text.push_str(&format!("\nstatic void *walker(void *unused) {{ {walker} return 0; }}\n"));
    for (number, body) in others.iter().enumerate() {
        text.push_str(&format!(
            "static void *other{number}(void *unused) {{ while (nondet()) {{ {body} }} return 0; }}\n"
        ));
    }
    text.push_str("int main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, walker, 0);\n");
    for number in 0..others.len() {
        text.push_str(&format!("    pthread_create(&t, 0, other{number}, 0);\n"));
    }
    text.push_str("    return 0;\n}\n");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), &text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_wane"));
    let arguments = ["check", "--thread", "walker", "--int-model", "math", "--format", "json"];
    let output = command.current_dir(folder.path()).args(arguments).arg("a.c").output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let result = &report["results"][0];
    let story = &result["evidence"]["agreement"];
    let steps = story["steps"].as_array().into_iter().flatten();
    let steps: Vec<&str> = steps.filter_map(Value::as_str).collect();
    let count = |word: &str| steps.iter().filter(|step| step.starts_with(word)).count();
    (
        result["verdict"].as_str().unwrap().to_owned(),
        story["agreement"].as_str().map(str::to_owned),
        [count("strengthened"), count("weakened")],
    )
}

fn proved(agreement: &str, n_steps: [usize; 2]) -> (String, Option<String>, [usize; 2]) {
    ("true".to_owned(), Some(agreement.to_owned()), n_steps)
}

const GAUGE: &str = "static int gauge;\nstatic pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;";

const DRAINS: &str = "while (gauge > 3) __sync_fetch_and_sub(&gauge, 2);";

#[test]
fn a_thread_that_counts_for_itself_needs_nothing() {
    let walker = "for (int i = 0; i < 9; i++) gauge = i;";
    assert_eq!(said(GAUGE, walker, &["gauge = nondet();"]), proved("true", [0, 0]));
}

#[test]
fn a_measure_may_fall_but_not_grow() {
    let others =
        ["__sync_fetch_and_sub(&gauge, 1);", "if (gauge > 0) __sync_fetch_and_sub(&gauge, 3);"];
    assert_eq!(said(GAUGE, DRAINS, &others), proved("gauge' <= gauge", [1, 0]));
}

#[test]
fn each_lock_of_another_thread_weakens_it() {
    let held = format!(
        "pthread_mutex_lock(&gate); pthread_mutex_lock(&door); {DRAINS}
        pthread_mutex_unlock(&door); pthread_mutex_unlock(&gate);"
    );
    let under = |lock: &str| {
        format!("pthread_mutex_lock(&{lock}); gauge = nondet(); pthread_mutex_unlock(&{lock});")
    };
    let [gate, door] = ["gate", "door"].map(under);
    let one = said(GAUGE, &held, &[&gate, "__sync_fetch_and_sub(&gauge, 1);"]);
    assert_eq!(one, proved("gate != walker || gauge' <= gauge", [1, 1]));
    let both = said(GAUGE, &held, &[&gate, &door]);
    assert_eq!(both, proved("door != walker || gate != walker || gauge' <= gauge", [1, 2]));
}

#[test]
fn a_lock_that_one_of_them_does_not_take_is_no_excuse() {
    let held = format!("pthread_mutex_lock(&gate); {DRAINS} pthread_mutex_unlock(&gate);");
    let others = ["pthread_mutex_lock(&door); gauge = nondet(); pthread_mutex_unlock(&door);"];
    assert_eq!(said(GAUGE, &held, &others), ("false".to_owned(), None, [0, 0]));
}

#[test]
fn a_lock_that_others_open_is_no_lock() {
    let held = format!("pthread_mutex_lock(&gate); {DRAINS} pthread_mutex_unlock(&gate);");
    let others = [
        "pthread_mutex_lock(&gate); gauge = nondet(); pthread_mutex_unlock(&gate);",
        "pthread_mutex_unlock(&gate);",
    ];
    let (verdict, agreement, _) = said(GAUGE, &held, &others);
    assert_ne!(verdict, "true");
    assert_eq!(agreement, None);
}

#[test]
fn two_bounds_close_in() {
    let shared = "static int low, high;";
    let others = ["__sync_fetch_and_add(&low, 2);", "__sync_fetch_and_sub(&high, 1);"];
    let walker = "while (low < high) { if (nondet()) __sync_fetch_and_add(&low, 1); \
                  else __sync_fetch_and_sub(&high, 1); }";
    let closing = proved("(high' <= high) && (low' >= low)", [2, 0]);
    assert_eq!(said(shared, walker, &others), closing);
}

#[test]
fn an_update_that_is_read_and_written_apart_breaks_a_promise() {
    let shared = "static int low, high;";
    let walker = "while (low < high) { if (nondet()) low++; else high--; }";
    // Lost updates delay the end only; but that is no matter of an agreement.
    let (verdict, agreement, _) = said(shared, walker, &["low += 2;", "high -= 1;"]);
    assert_eq!((verdict.as_str(), agreement), ("true", None));
}

#[test]
fn parts_of_structures_are_spoken_of_by_themselves() {
    let shared = "static struct { pthread_mutex_t gate; int gauge, other; } s;";
    let walker = "pthread_mutex_lock(&s.gate); while (s.gauge > 0) s.gauge--; \
                  pthread_mutex_unlock(&s.gate);";
    let others = ["pthread_mutex_lock(&s.gate); s.gauge = nondet(); pthread_mutex_unlock(&s.gate);
        s.other = nondet();"];
    let (verdict, agreement, n_steps) = said(shared, walker, &others);
    assert_eq!((verdict.as_str(), n_steps), ("true", [0, 0]));
    assert!(agreement.unwrap().contains(" != walker || "));
}
