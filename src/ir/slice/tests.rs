//! Slices of small programs.

use super::relevance::{Aim, Memory, irrelevant};
use super::without;
use crate::{BlockId, Program, ScalarType, text};
use std::collections::BTreeSet;

fn program(text: &str) -> Program {
    text::parse("slice.goto", text).unwrap().program
}

fn named(program: &Program, names: &[&str]) -> Vec<bool> {
    program.variables.iter().map(|it| names.contains(&it.name.as_str())).collect()
}

/// The text of a procedure's blocks, the slice without these variables.
fn sliced(text: &str, ignored: &[&str]) -> String {
    let program = program(text);
    let sliced = without(&program, &named(&program, ignored));
    let text = text::print(&sliced);
    let body: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    body.join("; ")
}

const BRANCHES: &str = "
    procedure main(x: i32, n: i32) {
      local f: i32
    b0: f := 1 goto b1
    b1: if f & 2 goto b2 else b3
    b2: f := f + n goto b4
    b3: goto b4
    b4: if f > 3 goto b5 else b6
    b5: x := 1 goto b6
    b6: if x > n goto b7 else b8
    b7: n := n + 1 goto b6
    b8: return
    }
    entry main";

#[test]
fn what_is_ignored_is_dropped_and_branches_choose_or_meet() {
    let text = sliced(BRANCHES, &["f"]);
    assert!(!text.contains("f := 1") && !text.contains("f + n"), "{text}");
    assert!(text.contains("b0:; goto b4"), "{text}");
    let choice = "b4:; f := arbitrary \"a value that does not matter\"; if f goto b5 else b6";
    assert!(text.contains(choice), "{text}");
    assert!(text.contains("b6:; if x > n goto b7 else b8; b7:; n := n + 1; goto b6"), "{text}");
}

#[test]
fn what_is_still_read_is_blurred() {
    let text = "
        procedure main(p: ptr, n: i32) {
          local f: i32
        b0: f := n [p : i32] := f f := 2 goto b1
        b1: if f goto b2 else b3
        b2: return
        b3: [p : i32] := 0 return
        }
        entry main";
    let text = sliced(text, &["f"]);
    let any = "f := arbitrary \"a value that does not matter\"";
    assert!(text.contains(&format!("{any}; [p : i32] := f; {any}; goto b1")), "{text}");
    assert!(text.contains("b1:; if f goto b2 else b3"), "no new value of what is read: {text}");
}

#[test]
fn what_may_fail_stays() {
    let text = "
        procedure main(n: i32, p: ptr) {
          local f: i32
        b0: f := 5 / n f := [p : i32] goto b1
        b1: if 5 / n > f goto b2 else b3
        b2: goto b4
        b3: goto b4
        b4: return
        }
        entry main";
    let text = sliced(text, &["f"]);
    assert!(text.contains("b0:; f := 5 / n; f := [p : i32]"), "{text}");
    assert!(text.contains("if 5 / n > f goto b4 else b4"), "{text}");
}

#[test]
fn loops_without_commands_stay_endless() {
    let text = "
        procedure main(n: i32) {
          local f: i32
        b0: f := 0 goto b1
        b1: f := f + 1 if f > 3 goto b2 else b3
        b2: goto b1
        b3: goto b1
        }
        entry main";
    let program = program(text);
    let sliced = without(&program, &named(&program, &["f"]));
    let blocks = &sliced.procedures[0].blocks;
    let mut at = BlockId(0);
    for _ in 0..10 {
        let nexts = blocks[at.index()].terminator.successors();
        assert_eq!(nexts.len(), 1, "{}", text::print(&sliced));
        at = nexts[0];
    }
}

#[test]
fn calls_stay_where_they_were() {
    let text = "
        procedure f(x: i32, y: i32) -> i32 {
        b0: return y
        }
        procedure main(n: i32) {
          local a: i32, b: i32
        b0: a := 1 b := call f(a + n, n) a := b call f(a, b) return
        }
        entry main";
    let text = sliced(text, &["a", "x"]);
    assert!(text.contains("b0:; assume 1; b := call f(0, n); assume 1; call f(0, b)"), "{text}");
}

#[test]
fn what_decides_about_loops_errors_and_addresses_is_relevant() {
    let text = "
        global g: i32
        procedure step(n: i32) -> i32 {
          local t: i32
        b0: t := n - 1 return t
        }
        procedure main(p: ptr, q: ptr) {
          local i: i32, n: i32, f: i32, deep: i32, e: i32, v: i32
        b0: f := 0 n := input \"n\" i := n deep := 1 goto b1
        b1: if i > 0 goto b2 else b4
        b2: i := call step(i) v := [p + 4 : i32] [p + 4 : i32] := v + f f := f + 1 goto b3
        b3: if f > 7 goto b5 else b1
        b4: e := [q : i32] if e goto b6 else b9
        b5: [p : i32] := f goto b1
        b6: if deep goto b7 else b9
        b7: if deep > g goto b8 else b9
        b8: error \"e\" halt
        b9: return
        }
        entry main";
    let program = program(text);
    let found = irrelevant(&program, &Aim::default()).unwrap();
    let names = program.variables.iter().zip(&found.variables);
    let names: Vec<&str> = names.filter(|(_, it)| **it).map(|(it, _)| it.name.as_str()).collect();
    assert_eq!(names, ["f", "v"]);
    let int = program.variables[0].ty;
    let kept = BTreeSet::from([(0, int)]);
    assert_eq!(found.memory, Memory::Except(kept));
    assert!(found.memory.contains(4, int) && !found.memory.contains(0, int));
    assert!(!found.memory.contains(4, ScalarType::Pointer));
}
