//! Links guessed in small programs.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::{Links, SizedSort, Sort};
use crate::{Program, text};

fn program(locals: &str, body: &str) -> Program {
    let text =
        format!("procedure main() {{\n  local {locals}\nb0:\n{body}\n  halt\n}}\nentry main\n");
    text::parse("test.goto", &text).unwrap().program
}

fn links(locals: &str, body: &str) -> Found {
    Found(Links::of_program(&program(locals, body)))
}

/// The links of a program in which sizes tell sorts apart.
struct Found(Links);

impl Found {
    fn sort(&self, size: i64) -> SizedSort {
        let known = self.0.by_sort.keys().find(|(_, known)| *known == size);
        known.copied().unwrap_or((Sort(99), size))
    }

    fn may_link(&self, size: i64, offset: i64) -> bool {
        self.0.may_link(self.sort(size), offset)
    }

    fn may_own(&self, size: i64, offset: i64) -> bool {
        self.0.may_own(self.sort(size), offset, 1)
    }
}

#[test]
fn a_field_that_points_at_its_own_kind_is_a_link() {
    let found = links(
        "x: ptr, y: ptr, d: ptr",
        "  x := allocate heap 24\n  d := allocate heap 8\n  y := x\n  x := allocate heap 24\n  [x + 8 : ptr] := y\n  [x + 16 : ptr] := d\n  [d : ptr] := d",
    );
    assert!(found.may_link(24, 8));
    assert!(!found.may_link(24, 16), "another kind of block");
    assert!(found.may_own(24, 16));
    assert!(found.may_link(8, 0));
    assert!(found.may_link(99, 0), "nothing is known of such blocks");
}

#[test]
fn intrusive_links_are_seen_through_their_offset() {
    let found = links(
        "x: ptr, l: ptr, m: ptr",
        "  x := allocate heap 32\n  l := x + 16\n  x := allocate heap 32\n  m := x + 16\n  [l : ptr] := m\n  [m + 8 : ptr] := l\n  x := m - 16",
    );
    assert!(found.may_link(32, 16));
    assert!(found.may_link(32, 24));
    assert!(!found.may_link(32, 0));
}

#[test]
fn walking_through_an_array_does_no_harm() {
    let found = links(
        "x: ptr, i: i32",
        "  x := allocate heap 16\n  x := x + 4\n  i := [x : i32]\n  x := x + 4",
    );
    assert!(!found.may_link(16, 0));
}

#[test]
fn a_cursor_over_fields_of_two_kinds_does_not_mix_them() {
    let body = "  l := allocate heap 16\n  m := l\n  n := allocate heap 8\n  [l + 8 : ptr] := m\n  [l : ptr] := n\n  c := l\n  c := n\n  [c : ptr] := n";
    let program = program("l: ptr, m: ptr, n: ptr, c: ptr", body);
    let usual = Links::of_program(&program);
    let finer = Found(usual.finer(&program).unwrap());
    assert!(Found(usual).may_link(16, 0), "what the cursor points at is one kind");
    assert!(!finer.may_link(16, 0));
    assert!(finer.may_own(16, 0));
    assert!(finer.may_link(16, 8));
    assert!(finer.may_link(8, 0));
}

#[test]
fn where_inclusion_tells_no_more_sorts_apart_there_is_nothing_finer() {
    let program = program(
        "x: ptr, y: ptr",
        "  x := allocate heap 16\n  y := allocate heap 16\n  [x : ptr] := y\n  [x : ptr] := x",
    );
    assert!(Links::of_program(&program).finer(&program).is_none());
}
