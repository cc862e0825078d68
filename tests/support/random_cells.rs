//! Random programs for the corners that lists of plain cells leave out: doubly
//! linked and intrusive lists, pointers to pointers and to stack blocks,
//! interior pointers, blocks of unknown size, casts, wrapping numbers, `memset`
//! and `memcpy`, switches, calls that write through their parameters.
//!
//! A node has 24 bytes: an `i32` at 0, `next` at 8, `prev` at 16. The programs
//! are written as `.goto` text.

use super::random_programs::RandomProgram;
use proptest::collection::vec;
use proptest::prelude::*;
use std::fmt::Write as _;
use wane::ir::text;

/// A program of this kind.
pub(crate) fn cell_program() -> impl Strategy<Value = RandomProgram> {
    let start = prop_oneof![
        1 => Just(None),
        3 => (pointer(), 0..4_u32).prop_map(|(list, count)| Some(Statement::Build(list, Count::Constant(count)))),
        2 => pointer().prop_map(|list| Some(Statement::Build(list, Count::Input))),
    ];
    (start, vec(statement(), 1..12)).prop_map(|(start, rest)| {
        let mut writer = Writer::default();
        start.into_iter().chain(rest).for_each(|it| writer.statement(&it));
        let text = writer.finish();
        let parsed = text::parse("random.goto", &text)
            .unwrap_or_else(|error| panic!("{error:?} in\n{text}"));
        RandomProgram { program: parsed.program }
    })
}

/// Pointer variables by number.
type Pointer = u32;

/// A sentence of the structured language.
#[derive(Clone, Debug)]
enum Statement {
    /// Pushes nodes in front of a doubly linked list.
    Build(Pointer, Count),
    /// A command or a few, on pointers.
    Simple(Simple, Pointer, Pointer),
    /// One assignment of numbers.
    Arithmetic(&'static str),
    /// Goes along a link with a cursor.
    Walk(Link, Pointer, Pointer, Vec<Statement>),
    Repeat(u32, Vec<Statement>),
    If(&'static str, Pointer, Pointer, Vec<Statement>, Vec<Statement>),
    Switch(Vec<Statement>, Vec<Statement>, Vec<Statement>),
}

#[derive(Clone, Debug)]
enum Count {
    Constant(u32),
    Input,
}

#[derive(Clone, Copy, Debug)]
enum Link {
    Next,
    Prev,
}

/// What `@` and `%` are in a text: the two pointers.
#[derive(Clone, Copy, Debug)]
struct Simple(&'static str, Needs);

/// What must not be null.
#[derive(Clone, Copy, Debug)]
enum Needs {
    Nothing,
    First,
    Both,
}

const SIMPLE: &[Simple] = &[
    Simple("@ := 0", Needs::Nothing),
    Simple("@ := %", Needs::Nothing),
    Simple("@ := allocate heap 24 zeroed", Needs::Nothing),
    Simple("@ := allocate heap 24", Needs::Nothing),
    Simple(
        "@ := allocate heap 24\n[@ : i32] := i0\n[@ + 8 : ptr] := %\n[@ + 16 : ptr] := 0",
        Needs::Nothing,
    ),
    Simple("% := [@ + 8 : ptr]", Needs::First),
    Simple("% := [@ + 16 : ptr]", Needs::First),
    Simple("@ := [@ + 8 : ptr]", Needs::First),
    Simple("[@ + 8 : ptr] := %", Needs::First),
    Simple("[@ + 16 : ptr] := %", Needs::First),
    Simple("[@ + 8 : ptr] := %\n[% + 16 : ptr] := @", Needs::Both),
    Simple("[@ : i32] := i0", Needs::First),
    Simple("i1 := [@ : i32]", Needs::First),
    Simple("u0 := [@ : u8]", Needs::First),
    Simple("w := [@ + 8 : u64]\n% := w", Needs::First),
    Simple("[@ + 8 : u64] := 0", Needs::First),
    Simple("[@ + 12 : i32] := i0", Needs::First),
    Simple("[@; 24] := fill 0", Needs::First),
    Simple("[@ + 8; 8] := fill 0", Needs::First),
    Simple("[@; 24] := copy %", Needs::Both),
    Simple("[@ + 8; 16] := copy % + 8", Needs::Both),
    // Pointers to pointers, in a stack block and inside of nodes.
    Simple("[s : ptr] := @", Needs::Nothing),
    Simple("@ := [s : ptr]", Needs::Nothing),
    Simple("q := s", Needs::Nothing),
    Simple("q := @ + 8", Needs::First),
    Simple("[q : ptr] := @", Needs::Nothing),
    Simple("@ := [q : ptr]", Needs::Nothing),
    Simple("call put(s, @)", Needs::Nothing),
    Simple("call put(@ + 8, %)", Needs::First),
    Simple("@ := call get(@)", Needs::First),
    // Recursion.
    Simple("i0 := call count(@)", Needs::Nothing),
    Simple("@ := call last(@)", Needs::First),
    Simple("@ := call copied(%)", Needs::Nothing),
    Simple("call drop(@)\n@ := 0", Needs::Nothing),
    Simple("i1 := call down(i0)", Needs::Nothing),
    Simple("@ := call through(%)", Needs::Nothing),
    // A ring of links through a head on the stack.
    Simple("[h : ptr] := h\n[h + 8 : ptr] := h", Needs::Nothing),
    Simple("t := [h : ptr]\n[@ + 8 : ptr] := t\n[h : ptr] := @ + 8", Needs::First),
    Simple(
        "t := [h : ptr]\n[@ + 8 : ptr] := t\n[@ + 16 : ptr] := h\n[h : ptr] := @ + 8\n[t + 8 : ptr] := @ + 8",
        Needs::First,
    ),
    Simple("free heap @\n@ := 0", Needs::First),
    Simple("free heap @", Needs::Nothing),
    Simple("t := [@ + 8 : ptr]\nfree heap @\n@ := t", Needs::First),
    Simple("i0 := @ == %", Needs::Nothing),
    // Blocks of unknown size.
    Simple("n := u0\na := allocate heap n\n@ := 0", Needs::Nothing),
    Simple("n := u1 + 1\na := allocate heap n zeroed\n[a + u1 : u8] := u0", Needs::Nothing),
];

const ARITHMETIC: &[&str] = &[
    "i0 := input \"i\"",
    "i1 := input \"i\"",
    "u0 := input \"u\"",
    "u1 := input \"u\"",
    "i0 := 3",
    "i0 := i0 - 1",
    "i1 := i0 * 2 + i1",
    "i0 := i1 / 3",
    "i0 := i1 % 4",
    "i1 := i0 & 3",
    "i1 := i0 | 1",
    "i0 := i1 >> 1",
    "i0 := i0 ^ i1",
    "u0 := (u0 + 1) as u8",
    "u0 := (u0 - u1) as u8",
    "u1 := i0 as u8",
    "u1 := (u0 * 2) as u8",
    "i0 := (u0 as i8) as i32",
    "i0 := i0 < i1",
    "i1 := -i0",
    "w := (i0 - 1) as u64",
    "i1 := (i0 + 100) as i8",
];

const CONDITIONS: &[&str] = &[
    "@ != 0",
    "@ == %",
    "i0 < i1",
    "i0 > 0",
    "u0 < u1",
    "i0 == i1",
    "@ + 8 == q",
    "u0 != 0",
    "w > 100",
    "(i0 < i1) & (u0 < 9)",
];

fn pointer() -> impl Strategy<Value = Pointer> + Clone {
    prop_oneof![5 => Just(0_u32), 4 => Just(1_u32), 2 => Just(2_u32), 1 => Just(3_u32)]
}

fn statement() -> BoxedStrategy<Statement> {
    let count = prop_oneof![2 => (0..4_u32).prop_map(Count::Constant), 1 => Just(Count::Input)];
    let link = prop_oneof![3 => Just(Link::Next), 1 => Just(Link::Prev)];
    let simple = prop_oneof![
        2 => (pointer(), count).prop_map(|(list, count)| Statement::Build(list, count)),
        14 => (proptest::sample::select(SIMPLE), pointer(), pointer())
            .prop_map(|(what, one, other)| Statement::Simple(what, one, other)),
        4 => proptest::sample::select(ARITHMETIC).prop_map(Statement::Arithmetic),
    ];
    simple
        .boxed()
        .prop_recursive(2, 12, 3, move |inner| {
            let body = || vec(inner.clone(), 0..3);
            prop_oneof![
                4 => inner.clone(),
                2 => (link.clone(), pointer(), pointer(), body())
                    .prop_map(|(link, cursor, list, body)| Statement::Walk(link, cursor, list, body)),
                2 => (0..4_u32, body()).prop_map(|(rounds, body)| Statement::Repeat(rounds, body)),
                2 => (proptest::sample::select(CONDITIONS), pointer(), pointer(), body(), body())
                    .prop_map(|(what, one, other, then, rest)| Statement::If(what, one, other, then, rest)),
                1 => (body(), body(), body()).prop_map(|(one, few, rest)| Statement::Switch(one, few, rest)),
            ]
        })
        .boxed()
}

/// Writes sentences down as the body of `main`.
#[derive(Default)]
struct Writer {
    body: String,
    n_labels: usize,
    n_counters: usize,
}

fn fill_in(text: &str, one: Pointer, other: Pointer) -> String {
    text.replace('@', &format!("p{one}")).replace('%', &format!("p{other}"))
}

impl Writer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "  {text}");
    }

    fn label(&mut self) -> String {
        self.n_labels += 1;
        format!("l{}", self.n_labels)
    }

    fn stand(&mut self, label: &str) {
        let _ = writeln!(self.body, "{label}:");
    }

    fn if_else(
        &mut self,
        condition: &str,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let (yes, no, after) = (self.label(), self.label(), self.label());
        self.line(&format!("if {condition} goto {yes} else {no}"));
        self.stand(&yes);
        then(self);
        self.line(&format!("goto {after}"));
        self.stand(&no);
        otherwise(self);
        self.line(&format!("goto {after}"));
        self.stand(&after);
    }

    fn while_loop(&mut self, condition: &str, body: impl FnOnce(&mut Self)) {
        let (head, inside, after) = (self.label(), self.label(), self.label());
        self.line(&format!("goto {head}"));
        self.stand(&head);
        self.line(&format!("if {condition} goto {inside} else {after}"));
        self.stand(&inside);
        body(self);
        self.line(&format!("goto {head}"));
        self.stand(&after);
    }

    fn repeat(&mut self, start: &str, body: impl FnOnce(&mut Self)) {
        let counter = format!("c{}", self.n_counters);
        self.n_counters += 1;
        self.line(&format!("{counter} := {start}"));
        self.while_loop(&format!("{counter} > 0"), |writer| {
            body(writer);
            writer.line(&format!("{counter} := {counter} - 1"));
        });
    }

    fn all(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|it| self.statement(it));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Build(list, count) => {
                let start = match count {
                    Count::Constant(number) => number.to_string(),
                    Count::Input => "input \"length\"".to_owned(),
                };
                self.repeat(&start, |writer| writer.push_front(*list));
            }
            Statement::Simple(what, one, other) => self.simple(*what, *one, *other),
            // In the text of a remainder `%` is no pointer.
            Statement::Arithmetic(text) => self.line(text),
            Statement::Walk(link, cursor, list, body) => {
                let offset = match link {
                    Link::Next => 8,
                    Link::Prev => 16,
                };
                self.line(&format!("p{cursor} := p{list}"));
                self.while_loop(&format!("p{cursor} != 0"), |writer| {
                    writer.all(body);
                    writer.if_else(
                        &format!("p{cursor} != 0"),
                        |writer| writer.line(&format!("p{cursor} := [p{cursor} + {offset} : ptr]")),
                        |_| {},
                    );
                });
            }
            Statement::Repeat(rounds, body) => self.repeat(&rounds.to_string(), |it| it.all(body)),
            Statement::If(what, one, other, then, otherwise) => {
                let condition = fill_in(what, *one, *other);
                self.if_else(&condition, |it| it.all(then), |it| it.all(otherwise));
            }
            Statement::Switch(one, few, rest) => self.switch([one, few, rest]),
        }
    }

    fn switch(&mut self, bodies: [&[Statement]; 3]) {
        let labels = [self.label(), self.label(), self.label()];
        let after = self.label();
        self.line(&format!(
            "switch i0 {{ 0 => {}, 1..3 => {}, else => {} }}",
            labels[0], labels[1], labels[2]
        ));
        for (label, body) in labels.iter().zip(bodies) {
            self.stand(label);
            self.all(body);
            self.line(&format!("goto {after}"));
        }
        self.stand(&after);
    }

    fn simple(&mut self, Simple(text, needs): Simple, one: Pointer, other: Pointer) {
        let text = fill_in(text, one, other);
        let lines = |writer: &mut Self| text.lines().for_each(|line| writer.line(line));
        let first = format!("p{one} != 0");
        match needs {
            Needs::Nothing => lines(self),
            Needs::First => self.if_else(&first, lines, |_| {}),
            Needs::Both => {
                let second = format!("p{other} != 0");
                self.if_else(&first, |writer| writer.if_else(&second, lines, |_| {}), |_| {});
            }
        }
    }

    fn push_front(&mut self, list: Pointer) {
        self.line("t := allocate heap 24");
        self.line("[t : i32] := i0");
        self.line(&format!("[t + 8 : ptr] := p{list}"));
        self.line("[t + 16 : ptr] := 0");
        let link = format!("[p{list} + 16 : ptr] := t");
        self.if_else(&format!("p{list} != 0"), |writer| writer.line(&link), |_| {});
        self.line(&format!("p{list} := t"));
    }

    fn finish(self) -> String {
        let counters: String = (0..self.n_counters).fold(String::new(), |mut text, index| {
            let _ = write!(text, ", c{index}: i32");
            text
        });
        format!(
            "procedure put(where: ptr, what: ptr) {{\nb:\n  [where : ptr] := what\n  return\n}}\n\
             procedure get(node: ptr) -> ptr {{\n  local r: ptr\nb:\n  r := [node + 8 : ptr]\n  return r\n}}\n\
             procedure count(it: ptr) -> i32 {{\n  local n: ptr, r: i32\nb:\n  if it == 0 goto no else yes\n\
             no:\n  return 0\nyes:\n  n := [it + 8 : ptr]\n  r := call count(n)\n  return r + 1\n}}\n\
             procedure last(it: ptr) -> ptr {{\n  local n: ptr, r: ptr\nb:\n  n := [it + 8 : ptr]\n  \
             if n == 0 goto no else yes\nno:\n  return it\nyes:\n  r := call last(n)\n  return r\n}}\n\
             procedure copied(it: ptr) -> ptr {{\n  local n: ptr, r: ptr, c: ptr\nb:\n  if it == 0 goto no else yes\n\
             no:\n  return 0\nyes:\n  n := [it + 8 : ptr]\n  r := call copied(n)\n  c := allocate heap 24 zeroed\n  \
             [c + 8 : ptr] := r\n  return c\n}}\n\
             procedure drop(it: ptr) {{\n  local n: ptr\nb:\n  if it == 0 goto no else yes\n\
             no:\n  return\nyes:\n  n := [it + 8 : ptr]\n  free heap it\n  call drop(n)\n  return\n}}\n\
             procedure down(k: i32) -> i32 {{\n  local r: i32\nb:\n  if k > 0 goto yes else no\n\
             no:\n  return k\nyes:\n  r := call down(k - 1)\n  return r + 1\n}}\n\
             procedure through(it: ptr) -> ptr {{\n  local slot: ptr, r: ptr\nb:\n  slot := allocate stack 8\n  \
             [slot : ptr] := it\n  r := [slot : ptr]\n  free stack slot\n  return r\n}}\n\
             procedure main() {{\n  local p0: ptr, p1: ptr, p2: ptr, p3: ptr, t: ptr, q: ptr, s: ptr, h: ptr, a: ptr\n  \
             local i0: i32, i1: i32, u0: u8, u1: u8, w: u64, n: i64{counters}\nb:\n  \
             s := allocate stack 8 zeroed\n  h := allocate stack 16 zeroed\n  q := s\n  \
             p0 := 0\n  p1 := 0\n  p2 := 0\n  p3 := 0\n  i0 := 0\n  i1 := 1\n  u0 := 0\n  u1 := 200\n  w := 0\n\
             {}  halt\n}}\nentry main\n",
            self.body
        )
    }
}
