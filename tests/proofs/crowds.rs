//! Many threads of few kinds: what is said of them, and what that costs, does not depend on how
//! many there are.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::crowd_programs;

use assert_cmd::Command;
use crowd_programs::{Crowd, Main};
use serde_json::Value;
use std::fs;

/// What is said of the thread `consumer`.
fn said(crowd: &Crowd) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), crowd.text()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_wane"));
    let arguments = ["check", "--thread", "consumer", "--int-model", "math", "--format", "json"];
    let output = command.current_dir(folder.path()).args(arguments).arg("a.c").output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["results"][0]["verdict"].as_str().unwrap().to_owned()
}

#[test]
fn consumers_end_when_the_store_is_closed_first() {
    for main in [Main::Line, Main::Loop] {
        for n_threads in [2, 3, 8, 32, 128] {
            let crowd = Crowd { n_threads, n_more_kinds: 0, closes: true, main };
            assert_eq!(said(&crowd), "true", "{crowd:?}");
        }
    }
}

#[test]
fn consumers_may_take_for_ever_while_others_put() {
    for main in [Main::Line, Main::Loop] {
        for n_threads in [2, 3, 8, 32, 128] {
            let crowd = Crowd { n_threads, n_more_kinds: 0, closes: false, main };
            assert_eq!(said(&crowd), "false", "{crowd:?}");
        }
    }
}

#[test]
fn more_kinds_make_no_difference() {
    for n_more_kinds in [1, 3, 6] {
        let crowd = Crowd { n_threads: 64, n_more_kinds, closes: true, main: Main::Line };
        assert_eq!(said(&crowd), "true", "{crowd:?}");
    }
}
