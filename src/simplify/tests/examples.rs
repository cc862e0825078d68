//! What some expressions become.

use crate::simplify;
use ir::text::{Names, print_command};
use ir::{Program, text};

fn program(commands: &str) -> Program {
    let text = format!(
        "procedure main() {{
           local i: i32, x: u32, y: u32, b: u8, c: u8, s: u64, t: u64, p: ptr, q: ptr
         start:
           x := input \"x\"
           {commands}
           halt
         }}
         entry main"
    );
    text::parse("example.goto", &text).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).program
}

/// The last command of the first block, simplified.
fn simplified(commands: &str) -> String {
    let program = simplify(&program(commands));
    let last = program.procedures[0].blocks[0].commands.last().unwrap();
    print_command(&Names::of_program(&program), &last.command)
}

fn becomes(before: &str, after: &str) {
    assert_eq!(simplified(&format!("i := {before}")), format!("i := {after}"));
}

fn condition_becomes(before: &str, after: &str) {
    assert_eq!(simplified(&format!("assume {before}")), format!("assume {after}"));
}

#[test]
fn reductions_disappear() {
    becomes("((x - 1) as u32 + 1) as u32", "x");
    becomes("((s - 1) as u64 + 1) as u64", "s");
    becomes("((x + 1) as u32 + y) as u32", "(x + 1 + y) as u32");
    becomes("(b + c) as u32", "b + c");
    becomes("(b & 255) as i16", "b");
    becomes("(x as u64 as u8) as u8", "x as u8");
    condition_becomes("(x - 1) as u32 != 0", "x != 1");
    condition_becomes("((x - 1) as u32 == 0) == 0", "x != 1");
    condition_becomes("(x - y) as u32 == 0", "x == y");
    condition_becomes("(x + 1) as u32 == (y + 1) as u32", "x == y");
}

#[test]
fn addresses_are_no_numbers() {
    becomes("(p + 8) as u64", "(p + 8) as u64");
    becomes("(p | 0) as i64", "(p | 0) as i64");
    becomes("p * 1", "p * 1");
    condition_becomes("!(p - q)", "p == q");
    condition_becomes("((p == q) != 0) == 0", "p != q");
}

#[test]
fn a_type_is_believed_only_where_it_is_kept() {
    assert_eq!(simplified("x := 0 - 1\ni := x as u32"), "i := x as u32");
    assert_eq!(simplified("x := 1\ni := x as u32"), "i := x");
    assert_eq!(simplified("[p : u8] := 300\nb := [p : u8]\ni := b as u8"), "i := b as u8");
    assert_eq!(simplified("[p : u8] := 200\nb := [p : u8]\ni := b as u8"), "i := b");
    assert_eq!(simplified("y := x - 1\nx := y\ni := x as u32"), "i := x as u32");
}

#[test]
fn truth_values_are_not_tested_again() {
    condition_becomes("(i < 3) != 0", "i < 3");
    condition_becomes("!(i < 3)", "i >= 3");
    condition_becomes("!!((i < 3) as u32)", "i < 3");
    condition_becomes("(1 - (i == 3)) as u8 == 0", "i == 3");
    becomes("!!(x < y)", "x < y");
}

#[test]
fn products_and_quotients_cancel() {
    becomes("((i + 1) * 4 - i * 4) as u8", "4");
    becomes("i * y + 4 - y * i", "4");
    becomes("i * (x + y) - i * x", "i * y");
    becomes("(i * 12) / 4", "i * 3");
    becomes("x / y * y + x % y", "x / y * y + x % y");
    becomes("x / 10 * 10 + x % 10", "x");
    becomes("x - x / 10 * 10", "x % 10");
    becomes("(b % 256) ^ 0", "b");
    becomes("~~i ^ i", "0");
}

#[test]
fn linear_expressions_are_left_to_the_analyses() {
    becomes("i + 1 - 1", "i + 1 - 1");
    condition_becomes("i + 1 < x + 1", "i + 1 < x + 1");
}

#[test]
fn errors_stay() {
    becomes("0 * (x / y)", "0 * (x / y)");
    becomes("x / y - x / y", "x / y - x / y");
    becomes("y / y", "y / y");
    becomes("0 & (1 << i)", "0 & 1 << i");
    becomes("(x / (y + 1)) * 0", "0");
}

#[test]
fn spans_and_shape_stay() {
    let before = program("i := ((x - 1) as u32 + 1) as u32");
    let after = simplify(&before);
    let (old, new) = (&before.procedures[0].blocks[0], &after.procedures[0].blocks[0]);
    assert_eq!(old.commands.len(), new.commands.len());
    assert!(old.commands.iter().zip(&new.commands).all(|(old, new)| old.span == new.span));
    assert_eq!(text::print(&after), text::print(&simplify(&before)));
}
