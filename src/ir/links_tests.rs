//! Links guessed in small programs.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::Links;
use crate::ir::text;

fn links(locals: &str, body: &str) -> Links {
    let text =
        format!("procedure main() {{\n  local {locals}\nb0:\n{body}\n  halt\n}}\nentry main\n");
    Links::of_program(&text::parse("test.goto", &text).unwrap().program)
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
