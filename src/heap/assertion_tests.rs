//! Formulas that are assertions, and texts that are not.

use super::parse;
use crate::Kind;
use crate::print::formula;
use crate::shape::ShapeLibrary;
use ir::{ProcedureId, Program, text};

fn program() -> Program {
    let source = "global head: ptr\nprocedure f(x: ptr, n: i32) {\n  local y: ptr\nb:\n  return\n}\n\
                  procedure main() {\n  local x: ptr\nb:\n  halt\n}\nentry main\n";
    text::parse("test.goto", source).unwrap().program
}

fn shown(assertion: &str) -> String {
    let (program, library) = (program(), ShapeLibrary::builtin().unwrap());
    match parse(assertion, &program, ProcedureId(0), &library) {
        Ok(found) => formula(&found.state, &program, &library),
        Err(error) => format!("{}: {:?}", error.message, error.range),
    }
}

#[test]
fn names_in_scope_are_variables() {
    assert_eq!(shown("ls[n](x, 0)"), "1 <= n & ls[n](x, 0)");
    assert_eq!(
        shown("ls[k](head, x) * x |-> { next: y }"),
        "1 <= k & ls[k](head, x) * x |-> { 0: y }:8"
    );
    assert_eq!(shown("ls(z, 0)"), "1 <= k & ls[k](a', 0)");
}

#[test]
fn equations_of_addresses_are_solved_and_those_of_numbers_kept() {
    assert_eq!(shown("x = y & ls(y, 0)"), "y = x & 1 <= k & ls[k](x, 0)");
    assert_eq!(shown("ls[k](x, 0) & n = k + 1"), "k + 1 = n & 1 <= k & ls[k](x, 0)");
}

#[test]
fn labels_choose_the_template() {
    assert_eq!(shown("x |-> { next: 0, prev: y }"), "x |-> { 0: 0, 8: y }:16");
    assert_eq!(shown("x |-> { prev: y } * junk"), "x |-> { 8: y }:16 * junk");
}

#[test]
fn what_has_no_meaning_is_refused_with_its_place() {
    assert_eq!(shown("x = 0 & bush(x)"), "no shape has this name: Some(8..12)");
    assert_eq!(shown("ls(x)"), "this shape takes 2 arguments: Some(0..2)");
    assert_eq!(shown("ls(0, x)"), "null is no node: an instance has at least one: Some(0..2)");
    assert_eq!(shown("x |-> { edge: 0 }"), "no shape has nodes with these labels: Some(8..12)");
    assert_eq!(shown("x |-> { next: 0, next: y }"), "this label stands here twice: Some(17..21)");
    assert_eq!(shown("x + 8 |-> { next: 0 }"), "the address of a cell is a name: None");
    assert_eq!(shown("n > 1 & n < 1"), "no state satisfies the assertion: None");
    assert_eq!(shown("x = 0 & x != 0"), "no state satisfies the assertion: None");
    assert!(shown("ls[k](x, 0) &").starts_with("the text ends too early"));
}

#[test]
fn the_table_follows_equations() {
    let (program, library) = (program(), ShapeLibrary::builtin().unwrap());
    let found = parse("x = z & ls[k](z, w)", &program, ProcedureId(0), &library).unwrap();
    assert_eq!(found.names["x"], found.names["z"]);
    assert_eq!(found.state.kind_of(&found.names["k"]), Kind::Integer);
    assert_eq!(found.names.len(), 4);
}
