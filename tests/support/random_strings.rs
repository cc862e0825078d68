//! Random programs with blocks of unknown size that are read and written at
//! indices: strings and arrays with an end mark.

use super::random_programs::RandomProgram;
use proptest::collection::vec;
use proptest::prelude::*;
use std::fmt::Write as _;
use wane::ir::text;

/// An index or a bound.
const INDICES: [&str; 7] = ["i", "j", "n - 1", "i + 1", "0", "1", "j - 1"];
/// What is written.
const VALUES: [&str; 4] = ["0", "7", "c", "d"];

#[derive(Clone, Debug)]
enum Statement {
    Store(usize, usize),
    Load(&'static str, usize),
    Move(&'static str),
    /// Goes on while what is read is not zero.
    Search(&'static str, Vec<Statement>),
    /// Goes on while the index is small.
    Count(&'static str, Vec<Statement>),
    If(&'static str, Vec<Statement>),
}

fn statement() -> impl Strategy<Value = Statement> {
    let plain = prop_oneof![
        4 => (0..INDICES.len(), 0..VALUES.len()).prop_map(|(at, value)| Statement::Store(at, value)),
        3 => (variable(), 0..INDICES.len()).prop_map(|(to, at)| Statement::Load(to, at)),
        2 => select(&["i := 0", "j := i", "i := j", "j := n - 1", "i := i + 1", "d := c"])
            .prop_map(Statement::Move),
    ];
    plain.prop_recursive(2, 10, 3, |inner| {
        let index = select(&["i", "j"]);
        prop_oneof![
            2 => (index.clone(), vec(inner.clone(), 0..3)).prop_map(|(at, body)| Statement::Search(at, body)),
            1 => (index, vec(inner.clone(), 0..3)).prop_map(|(at, body)| Statement::Count(at, body)),
            1 => (select(&["c != 0", "i < j", "c != d"]), vec(inner, 1..3))
                .prop_map(|(condition, body)| Statement::If(condition, body)),
        ]
    })
}

fn select(from: &'static [&'static str]) -> impl Strategy<Value = &'static str> + Clone {
    (0..from.len()).prop_map(move |position| from[position])
}

fn variable() -> impl Strategy<Value = &'static str> {
    select(&["c", "d"])
}

/// A program of this kind.
pub(crate) fn string_program() -> impl Strategy<Value = RandomProgram> {
    (vec(statement(), 2..7), 0..3_usize).prop_map(|(statements, element)| {
        let mut writer = Writer { element, ..Writer::default() };
        writer.all(&statements);
        let text = writer.finish();
        let parsed = text::parse("random.goto", &text)
            .unwrap_or_else(|error| panic!("{error:?} in\n{text}"));
        RandomProgram { program: parsed.program }
    })
}

#[derive(Default)]
struct Writer {
    text: String,
    n_labels: usize,
    /// Which type the elements have.
    element: usize,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    fn label(&mut self) -> String {
        self.n_labels += 1;
        format!("l{}", self.n_labels)
    }

    fn element(&self) -> (&'static str, usize) {
        [("i8", 1), ("u8", 1), ("i32", 4)][self.element]
    }

    fn address(&self, index: &str) -> String {
        let (ty, width) = self.element();
        format!("[s + ({index}) * {width} : {ty}]")
    }

    fn all(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Store(at, value) => {
                let ty = self.element().0;
                let line =
                    format!("{} := ({}) as {ty}", self.address(INDICES[*at]), VALUES[*value]);
                self.line(&line);
            }
            Statement::Load(to, at) => {
                let line = format!("{to} := {}", self.address(INDICES[*at]));
                self.line(&line);
            }
            Statement::Move(line) => self.line(line),
            Statement::Search(at, body) => {
                let load = format!("c := {}", self.address(at));
                self.repeat(&[load], "c != 0", at, body);
            }
            Statement::Count(at, body) => {
                let condition = format!("{at} < n - 1");
                self.repeat(&[], &condition, at, body);
            }
            Statement::If(condition, body) => {
                let (then, behind) = (self.label(), self.label());
                self.line(&format!("if {condition} goto {then} else {behind}"));
                let _ = writeln!(self.text, "{then}:");
                self.all(body);
                self.jump(&behind);
            }
        }
    }

    fn jump(&mut self, label: &str) {
        self.line(&format!("goto {label}"));
        let _ = writeln!(self.text, "{label}:");
    }

    fn repeat(&mut self, before: &[String], condition: &str, index: &str, body: &[Statement]) {
        let (head, inside, behind) = (self.label(), self.label(), self.label());
        self.jump(&head);
        before.iter().for_each(|line| self.line(line));
        self.line(&format!("if {condition} goto {inside} else {behind}"));
        let _ = writeln!(self.text, "{inside}:");
        self.all(body);
        self.line(&format!("{index} := {index} + 1"));
        self.line(&format!("goto {head}"));
        let _ = writeln!(self.text, "{behind}:");
    }

    fn finish(self) -> String {
        let (ty, width) = self.element();
        let size = format!("n * {width}");
        format!(
            "procedure main() {{\n  local n: i32, i: i32, j: i32, c: i32, d: i32, s: ptr\nstart:\n  \
             n := input \"n\"\n  assume n >= 1\n  assume n <= 6\n  i := 0\n  j := 0\n  c := 0\n  d := 1\n  \
             s := allocate heap {size}\n  [s + (n - 1) * {width} : {ty}] := 0\n{}  free heap s\n  halt\n}}\n\
             entry main\n",
            self.text
        )
    }
}
