//! What is proved of functions whose callers keep to types (rule BOUNDS), against calls by such:
//! random functions of pointers, run by the interpreter from random memories, in which pointers
//! are null or lead to objects of their types, also to the same ones.
//!
//! `WANE_BOUNDS=1000` tries more functions, `WANE_SEED` others.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::callers::{one_of, options};
use crate::random_numbers::Random;
use std::fmt::Write as _;
use wane::analyze::{Source, read};
use wane::base::budget::Budget;
use wane::base::source::Span;
use wane::c::{Options, PreprocessedSource, compile};
use wane::concrete::Outcome;
use wane::concrete::choices::ChoiceList;
use wane::concrete::interpreter::Interpreter;
use wane::concrete::memory::{Content, MemoryBlockId};
use wane::concrete::state::State;
use wane::concrete::value::{Pointer, Value};
use wane::evidence::approach::Form;
use wane::heap::shape::ShapeLibrary;
use wane::ir::slice::bounds::{MemberPlace, Need, with_bounds};
use wane::ir::{InitialContent, IntKind, MemoryKind, Program, ScalarType, Variable};
use wane::obligation::{Callers, ErrorKind, Goal, Obligation};
use wane::prove::prove;
use wane::question::Question;
use wane::report::Answer;
use wane::simplify::simplify;
use wane::verdict::Verdict;

/// Steps of one analysis, and of a run.
const STEPS: [u64; 2] = [400_000, 2_000];
/// Memories that each function is run from.
const N_MEMORIES: usize = 300;
/// Bytes of a node; nothing else is so large.
const NODE: i128 = 32;
/// Bytes of a pointer; rows have up to three of them.
const POINTER: i128 = 8;
/// What memory safety excludes.
const SAFETY: [ErrorKind; 4] =
    [ErrorKind::InvalidAccess, ErrorKind::InvalidFree, ErrorKind::Arithmetic, ErrorKind::Leak];

/// What the functions are about: `next` at 0, `data` at 8, `n` at 16, `tag` at 20, `name` at 24.
const TYPES: &str = "void *memset(void *, int, unsigned long);\n\
                     void *memmove(void *, const void *, unsigned long);\n\
                     void *memcpy(void *, const void *, unsigned long);\n\
                     void free(void *);\n\
                     struct node { struct node *next; int *data; int n; char tag[4]; char *name; };\n\
                     \n\
                     static int *pick(struct node *x) { return x ? x->data : 0; }\n\
                     static void set(struct node *x, int k) { if (x) x->n = k; }\n\
                     static int *local(void) { int x; return &x; }\n\
                     static void put(int *x) { *x = 1; }\n\
                     static void mark(char *t) { *t = 9; }\n\
                     static char own[4];\n";

/// Functions that tell what might be told wrongly.
const KNOWN: [&str; 76] = [
    "if (!a || !b) return;\n  memcpy(a, b, 4);",
    "if (!p || !q || !p->data || !q->data) return;\n  memcpy(p->data, q->data, 4);",
    "if (!p || !a || !p->data) return;\n  b = p->data;\n  p->data = a;\n  memcpy(b, p->data, 4);",
    "if (!s || !p || !p->name) return;\n  for (int i = 0; i < n; i++) memcpy(p->name + i, s, 1);",
    "int *c[1];\n  c[0] = local();\n  *c[0] = 1;",
    "int *c = local();\n  *c = 1;",
    "int y;\n  int *c = 0;\n  if (n > 0) c = &y;\n  *c = 1;",
    "if (!a) return;\n  a--;\n  *a = 1;",
    "if (!p || !q) return;\n  { int y; p->data = &y; }\n  if (q->data) *q->data = 1;",
    "if (!s) return;\n  mark(s);\n  while (*s) s++;",
    "if (!p) return;\n  for (int i = 0; i < p->n; i++) p->data[i] = i;",
    "if (!p || !q) return;\n  p->next = q;\n  q->next = 0;\n  if (p->next->next) p->next->next->n = 1;",
    "a = local();\n  *a = 1;",
    "{ int y; a = &y; }\n  *a = 1;",
    "if (!p) return;\n  b = p->data;\n  p->n = 7;\n  for (int i = 0; i < p->n; i++) b[i] = 0;",
    "if (!s) return;\n  while (*s) s++;",
    "if (!s) return;\n  s[0] = 1;\n  while (*s) s++;",
    "if (!p || !s) return;\n  s[0] = 9;\n  p->tag[2] = 0;\n  while (*s) *s++ = 2;",
    "if (!p) return;\n  if (p->next) { p = p->next; p->n = 1; }\n  if (p->next) p->next->n = 2;",
    "if (!a) return;\n  a++;\n  p->data = a;\n  *p->data = 1;",
    "if (!p || !q) return;\n  if (q->data) { p->data = 0; *q->data = 1; }",
    "n = 1 / n;",
    "if (!p) return;\n  { int *t = (int *)p; for (int i = 0; i < 4; i++) t[i] = 9; }\n  if (p->data) *p->data = 1;",
    "while (p != q) p = p->next;",
    "while (p != q) { p->n = 1; p = p->next; if (n) p->next = q; }",
    "{ struct node *x = p->next; x->next->data[0] = 1; p->next = 0; x = p->next; if (n) x->n = 1; }",
    "p = p->next->next; p->next = q; p->next->next->n = 2;",
    "for (char *t = p->next->name; *t; t++) n++;",
    "p->next->tag[n & 3] = 1; for (char *t = p->next->name; *t; t++) n++;",
    "{ struct node **at = &p->next; *at = 0; } while (p != q) p = p->next;",
    "if (!p) return;\n  free(p); p->n = 1;",
    "if (!p) return;\n  free(p->data); free(p->data);",
    "if (!p) return;\n  free(p->data); if (a) *a = 1;",
    "if (!p) return;\n  a = p->data; free(p->data); p->data = 0; if (a) *a = 1;",
    "if (!p) return;\n  free(p->next); if (p->next) p->next->n = 1;",
    "if (!q) return;\n  free(p); q->n = 1;",
    "if (!p || !q) return;\n  p->data = q->data; free(q->data); q->data = 0; if (p->data) *p->data = 1;",
    "if (!p) return;\n  { struct node *t = p->next; free(p); if (t) t->n = 1; }",
    "if (!p) return;\n  free(p->data); p->data = 0; free(p->name); free(p);",
    "while (p) { struct node *t = p->next; free(p); p = t; }",
    "if (!p || !q) return;\n  memset(p, 0, 32); free(q->data); if (p->data) *p->data = 1;",
    "if (!p || !q) return;\n  *p = *q; free(q->data); if (p->data) *p->data = 1;",
    "if (!p) return;\n  { int *c[1]; c[0] = p->data; free(p->data); if (c[0]) *c[0] = 1; }",
    "if (!p) return;\n  { int *t = &p->n; free(p); *t = 1; }",
    "if (!p || !q) return;\n  q->data = p->data; p->data = 0; free(q->data); q->data = 0;",
    "if (!p || !q) return;\n  q->next = p; if (q->next != p) return; free(p); if (q->next) q->next->n = 1;",
    "if (!p) return;\n  a = pick(p); free(p->data); if (a) put(a);",
    "free(a); free(b);",
    "{ char **at = (char **)&p->next; *at = 0; }\n  while (p != q) p = p->next;",
    "if (!p) return;\n  { char *t = (char *)p; memset(t, 7, 8); }\n  if (p->next) p->next->n = 1;",
    "if (!p || !s) return;\n  { char *t = (char *)p; memmove(t, s, 1); }\n  if (p->next) p->next->n = 1;",
    "{ char *t = (char *)p; memset(t, 0, 8); }\n  p->next->n = 1;",
    "memset(q, 0, 32); while (n-- > 0) p = p->next->next;",
    "if (!p) return;\n  memmove((char *)p + 8, p, 8);\n  if (p->data) p->data[3] = 1;",
    "for (int i = 0; i < n; i++) t[i]->n = i;",
    "t[0]->n = 1; p->next = 0; t[0]->n = 2;",
    "t[0]->n = 1; p->next = q; t[0]->n = 2;",
    "t[0]->n = 1; memset(t, 0, 8); t[0]->n = 2;",
    "t[0]->n = 1; if (p && q) *p = *q; t[0]->n = 2;",
    "{ struct node **u = &p->next; (*u)->n = 1; }",
    "{ struct node **u = t; if (n) u = &p->next; (*u)->n = 1; }",
    "memmove(t, t + 1, 8); t[0]->n = 1; t[n]->n = 2;",
    "if (!p || !t) return;\n  { struct node **u = n ? &p->next : t; *u = q; if (*u) (*u)->n = 1; }",
    "if (!p) return;\n  { int *c = n ? &p->n : p->data; if (c) *c = 1; if (c) c[1] = 2; }",
    "if (!p || !q) return;\n  { char **u = n ? &p->name : (char **)&p->next; *u = s; }\n  if (p->next) p->next->n = 1;",
    "if (!p || !q) return;\n  { struct node x = *p; *p = *q; *q = x; }\n  if (p->next) p->next->n = 1;",
    "if (!p) return;\n  { struct node x; x.n = n; *p = x; }\n  if (p->next) p->next->n = 1;",
    "if (!p) return;\n  { struct node x = *p; x.data++; *p = x; }\n  if (p->data) *p->data = 1;",
    "if (!p || !s) return;\n  { struct node x = *p; memcpy((char *)&x + 24, s, 1); *p = x; }\n  if (p->name) n = *p->name;",
    "if (!p || !q) return;\n  { struct node x = *p; free(x.data); *q = x; }\n  if (q->data) *q->data = 1;",
    "if (!p || !q) return;\n  { struct node x = *p; memset(&x, 7, 8); *q = x; }\n  if (q->next) q->next->n = 1;",
    "if (!p || !q) return;\n  { struct node x; if (n) x = *p; *q = x; }\n  if (q->next) q->next->n = 1;",
    "if (!p || !q) return;\n  memcpy(&p->data, &q->data, 24);\n  if (p->data) *p->data = 1;",
    "if (!p || !q) return;\n  memcpy(&p->data, &q->next, 8);\n  if (p->data) p->data[5] = 1;",
    "if (!p || !q) return;\n  memcpy((char *)p + 4, (char *)q + 4, 8);\n  if (p->next) p->next->n = 1;",
    "if (!p || !q) return;\n  memcpy((char *)p + 8, (char *)q + 8, 20);\n  if (p->name) n = *p->name;",
];

/// The body of a random function.
fn body(random: &mut Random) -> String {
    let mut body = String::new();
    for _ in 0..2 + random.below(4) {
        let [x, y] = [(); 2].map(|()| one_of(random, &["p", "q"]));
        let [c, d] = [(); 2].map(|()| one_of(random, &["a", "b"]));
        let k = random.below(5);
        let statement = match random.below(60) {
            0..=2 => format!("if (!{x}) return;"),
            3 => format!("if (!{c}) return;"),
            4 => format!("{x} = {x}->next;"),
            5 => format!("{x}->next = {y};"),
            6 => format!("{x}->n = {k};"),
            7 => format!("n = {x}->n;"),
            8 => format!("{c} = {x}->data;"),
            9 => format!("{x}->data = {c};"),
            10 => format!("for (int i = 0; i < {x}->n; i++) {x}->data[i] = i;"),
            11 => format!("for (int i = 0; i < n; i++) {c}[i] = {d} ? 1 : 0;"),
            12 => format!("while ({x}) {x} = {x}->next;"),
            13 => format!("{x}->tag[{k}] = {k};"),
            14 => format!("if ({x} && {x}->next) {x}->next->n = {k};"),
            15 => format!("if ({c}) *{c} = {k};"),
            16 => format!("{c}++;"),
            17 => format!("{c} = pick({x});"),
            18 => format!("set({x}, {k});"),
            19 => format!("{{ int y; {c} = &y; put({c}); }}"),
            20 => format!("if ({c}) put({c});"),
            21 => "if (s) while (*s) s++;".to_owned(),
            22 => format!("if (s && {x}) {x}->tag[0] = s[0];"),
            23 => format!("if ({x} && {y}) *{x} = *{y};"),
            24 => format!("if ({x}) {{ char *t = (char *){x}; t[8 + {k}] = {k}; }}"),
            25 => format!("if ({x}) memset({x}, 0, 8 * {k});"),
            26 => "if (s) { *(int *)s = 1; }".to_owned(),
            27 => format!("if (n) n = {k} / n;"),
            28 => format!("if ({x}) {{ int *t = (int *){x}; t[{k}] = {k}; }}"),
            29 => format!("if ({x} && {y}) memmove((char *){x} + 8, {y}, 4 * {k});"),
            30 => format!("n += {x}->next->n;"),
            31 => format!("while ({x}->n) {x} = {x}->next;"),
            32 => format!("{x}->next->data[0] = {k};"),
            33 => format!("for (char *t = {x}->next->name; *t; t++) n++;"),
            34 => format!("{x}->name = s;"),
            35 => format!("{{ struct node **at = &{x}->next; *at = {y}; }}"),
            36 => format!("free({x}->data); {x}->data = 0;"),
            37 => format!("free({x}->name);"),
            38 => format!("free({x});"),
            39 => format!("free({c});"),
            40 => format!(
                "if ({x} && {x}->next) {{ struct node *t = {x}->next; {x}->next = t->next; free(t); }}"
            ),
            41 => format!("{c} = {x}->data; free({y}->data);"),
            42 => format!("{x}->data = {y}->data;"),
            43 => format!("t[{k}]->n = {k};"),
            44 => "for (int i = 0; i < n; i++) t[i]->n = i;".to_owned(),
            45 => format!("t[{k}] = {x};"),
            46 => "t++;".to_owned(),
            47 => format!("{x} = t[n];"),
            48 => format!("memmove(t, t + 1, 8 * {k});"),
            53 => format!("if ({c} && {d}) memcpy({c}, {d}, 4 * {k});"),
            54 => format!("if ({x} && {x}->data && {c}) memcpy({x}->data, {c}, 4);"),
            49 => format!("{{ struct node **u = &{x}->next; (*u)->n = {k}; }}"),
            50 => "if (t) memset(t, 0, 8);".to_owned(),
            51 => format!("*(n ? &{x}->next : t) = {y};"),
            55 => format!("if ({x} && {y}) {{ struct node v = *{x}; *{y} = v; }}"),
            56 => format!(
                "if ({x}) {{ struct node v = *{x}; v.next = {y}; *{x} = v; if (v.data) v.data[{k}] = 1; }}"
            ),
            57 => format!(
                "if ({x}) {{ struct node v; v.next = 0; v.data = {c}; v.name = s; *{x} = v; }}"
            ),
            58 => {
                format!("if ({x} && {y}) memcpy((char *){x} + 4 * {k}, (char *){y} + 4 * {k}, 8);")
            }
            59 => format!("if ({x} && {y}) {{ struct node v = *{x}; free(v.data); *{y} = v; }}"),
            _ => format!("if ({c}) {c}[{k}] = 1;"),
        };
        let _ = writeln!(body, "  {statement}");
    }
    body
}

fn source(body: &str) -> PreprocessedSource {
    let text = format!(
        "{TYPES}void f(struct node *p, struct node *q, int *a, int *b, int n, char *s, struct node **t) {{\n  {body}\n}}\n"
    );
    PreprocessedSource { name: "f.c".to_owned(), text }
}

const INT: ScalarType = ScalarType::Int(IntKind { bits: 32, signed: true });
const CHAR: ScalarType = ScalarType::Int(IntKind { bits: 8, signed: true });

/// A random memory: up to two nodes, two arrays, two texts and two rows of pointers to nodes.
fn memory(program: &Program, random: &mut Random) -> State {
    let open = program.open.clone().unwrap();
    let mut state = Interpreter::new(program).initial_of(open.procedure);
    let mut make = |sizes: Vec<i128>| -> Vec<MemoryBlockId> {
        let make = |bytes: i128| {
            let (kind, content) = (MemoryKind::Heap, InitialContent::Arbitrary);
            state.memory_mut().allocate(kind, Value::Int(bytes), content, Span::NOWHERE).unwrap()
        };
        sizes.into_iter().map(make).collect()
    };
    let mut sizes = |most: usize, each: i128| -> Vec<i128> {
        (0..random.below(3)).map(|_| each * i128::from(1 + random.number(most))).collect()
    };
    let (nodes, arrays, texts, rows) =
        (sizes(1, NODE), sizes(3, 4), sizes(3, 1), sizes(3, POINTER));
    let n_bytes = [arrays.clone(), texts.clone(), rows.clone()];
    let [nodes, arrays, texts, rows] = [nodes, arrays, texts, rows].map(&mut make);
    // The first member of a node is such a pointer, too.
    let ways = [&nodes[..], &rows[..]].concat();
    let mut one_of = |all: &[MemoryBlockId]| {
        let chosen = random.below(all.len() + 1);
        let start = |it: usize| Value::Pointer(Pointer { block: all[it], offset: 0 });
        chosen.checked_sub(1).map_or(Value::NULL, start)
    };
    let mut values = Vec::new();
    for node in &nodes {
        values.push((*node, 0, ScalarType::Pointer, one_of(&nodes)));
        values.push((*node, 8, ScalarType::Pointer, one_of(&arrays)));
        values.push((*node, 24, ScalarType::Pointer, one_of(&texts)));
    }
    for (row, bytes) in rows.iter().zip(&n_bytes[2]) {
        for at in 0..bytes / POINTER {
            values.push((*row, at * POINTER, ScalarType::Pointer, one_of(&nodes)));
        }
    }
    let globals: Vec<(&str, Value)> =
        [("p", &nodes), ("q", &nodes), ("a", &arrays), ("b", &arrays), ("s", &texts), ("t", &ways)]
            .map(|(name, all)| (name, one_of(all)))
            .into();
    for node in &nodes {
        values.push((*node, 16, INT, Value::Int(i128::from(random.number(5)) - 1)));
        values.extend(
            (0..4).map(|at| (*node, 20 + at, CHAR, Value::Int(i128::from(random.number(2))))),
        );
    }
    for (blocks, sizes, ty) in [(&arrays, &n_bytes[0], INT), (&texts, &n_bytes[1], CHAR)] {
        for (block, size) in blocks.iter().zip(sizes) {
            let each = i128::from(ty.bytes(8));
            let places = (0..size / each).map(|it| it * each);
            values.extend(
                places.map(|at| (*block, at, ty, Value::Int(i128::from(random.number(2))))),
            );
        }
    }
    for (block, offset, ty, value) in values {
        let address = Value::Pointer(Pointer { block, offset });
        state.memory_mut().store(address, ty, value).unwrap();
    }
    for (name, value) in globals {
        set(program, &mut state, name, value);
    }
    set(program, &mut state, "n", Value::Int(i128::from(random.number(5)) - 1));
    state
}

fn set(program: &Program, state: &mut State, name: &str, value: Value) {
    if let Some(variable) = parameter(program, name) {
        state.assign(variable, value);
    }
}

/// A parameter of the function.
fn parameter(program: &Program, name: &str) -> Option<Variable> {
    let open = program.open.as_ref()?;
    let all = &program.procedure(open.procedure).parameters;
    all.iter().copied().find(|it| program.variable(*it).name == name)
}

/// What a variable that comes in holds, by its name; nothing where there is no such place.
fn value(program: &Program, state: &State, name: &str) -> Option<Value> {
    let element = match name.strip_prefix("t[").and_then(|it| it.strip_suffix(']')) {
        Some(index) => index.parse::<i128>().ok(),
        None => (name == "*t").then_some(0),
    };
    let (root, member) = match (element, name.split_once("->")) {
        (Some(_), _) => ("t", ""),
        (None, Some(parts)) => parts,
        (None, None) => return state.value(parameter(program, name)?),
    };
    let Value::Pointer(pointer) = state.value(parameter(program, root)?)? else { return None };
    let offset = match member {
        "" => element? * POINTER,
        "next" => 0,
        "data" => 8,
        "n" => 16,
        "name" => 24,
        _ => return None,
    };
    scalar(state, Pointer { offset: pointer.offset + offset, ..pointer })
}

/// The scalar at a place.
fn scalar(state: &State, Pointer { block, offset }: Pointer) -> Option<Value> {
    let mut cells = state.memory().block(block).cells();
    cells.find(|(at, _)| *at == offset).and_then(|(_, cell)| match cell.content {
        Content::Scalar { value, .. } => Some(value),
        _ => None,
    })
}

/// What the nodes hold as such a member; of elements, what rows hold, and what `t` leads to.
fn members(
    (names, program): (&Program, &Program),
    state: &State,
    member: &MemberPlace,
) -> Vec<Value> {
    let mut nodes = state.memory().live_blocks().filter(|it| it.1.size == NODE).map(|it| it.0);
    if names.forms.is_structure(member.structure) {
        let offset = member.offset;
        return nodes.filter_map(|block| scalar(state, Pointer { block, offset })).collect();
    }
    let way = match parameter(program, "t").and_then(|it| state.value(it)) {
        Some(Value::Pointer(Pointer { block, .. })) => nodes.find(|it| *it == block),
        _ => None,
    };
    let first = way.and_then(|block| scalar(state, Pointer { block, offset: 0 }));
    let blocks = state.memory().live_blocks().filter(|it| it.1.size < NODE);
    let cells = blocks.flat_map(|(_, block)| block.cells());
    let pointers = cells.filter_map(|(_, cell)| match cell.content {
        Content::Scalar { value, ty: ScalarType::Pointer } => Some(value),
        _ => None,
    });
    pointers.chain(first).collect()
}

/// Whether it is null or leads to a text.
fn is_text(state: &State, value: Value) -> bool {
    let Value::Pointer(Pointer { block, offset }) = value else { return true };
    let mut places = offset..state.memory().block(block).size;
    places.any(|offset| scalar(state, Pointer { block, offset }) == Some(Value::Int(0)))
}

/// Whether a memory is one with which the function may be called. Of places that are not there,
/// anything may be needed.
fn is_meant(need: &Need, (names, program): (&Program, &Program), state: &State) -> bool {
    let held = |it: Variable| value(program, state, &names.variable(it).name);
    let about = need.about().and_then(held);
    let number = |it: Option<Value>| match it {
        Some(Value::Int(number)) => Some(number),
        _ => None,
    };
    let count = match need {
        Need::Elements { count, .. } => number(held(*count)),
        _ => None,
    };
    let is_way = need.about().is_some_and(|it| names.variable(it).name == "t");
    let room = match about {
        Some(Value::Pointer(Pointer { block, offset })) => {
            let size = state.memory().block(block).size;
            if is_way && size == NODE { POINTER } else { size - offset }
        }
        _ => 0,
    };
    match need {
        Need::NotNull(_) | Need::NotZero(_) => about.is_none_or(|it| it != Value::NULL),
        Need::Between(_, least, most) => {
            number(about).is_none_or(|it| (*least..=*most).contains(&it))
        }
        Need::Member(it) => {
            members((names, program), state, it).into_iter().all(|it| it != Value::NULL)
        }
        Need::MemberString(it) => {
            members((names, program), state, it).into_iter().all(|it| is_text(state, it))
        }
        Need::Bytes(_, bytes) => about.is_none() || *bytes <= room,
        Need::Elements { stride, more, .. } => {
            about.is_none() || count.is_none_or(|it| stride * it + more <= room)
        }
        Need::String(_) => about.is_none_or(|it| is_text(state, it)),
        // These are about what is given up.
        Need::Owned | Need::Sole(_) | Need::Apart(..) => true,
        Need::Disjoint(_, other) => match (about, held(*other)) {
            (Some(Value::Pointer(one)), Some(Value::Pointer(other))) => one.block != other.block,
            _ => true,
        },
        // Nothing lies before what comes in here, and no two pointers lead to different places of
        // one object.
        Need::Before(..) | Need::Until { .. } => false,
    }
}

/// Whether a memory is one with which the function may be called that gave up what it did not leave.
fn is_owned(
    need: &Need,
    (names, program): (&Program, &Program),
    [first, last]: [&State; 2],
) -> bool {
    let is_left = |block: MemoryBlockId| last.memory().live_blocks().any(|it| it.0 == block);
    let of_parameter = |it: &Variable| match value(program, first, &names.variable(*it).name) {
        Some(Value::Pointer(Pointer { block, .. })) => Some(block),
        _ => None,
    };
    // Where pointers lie that lead into a block.
    let homes = |to: MemoryBlockId| -> Vec<MemoryBlockId> {
        let blocks = first.memory().live_blocks();
        let leads = |content: &Content| match content {
            Content::Scalar { value: Value::Pointer(it), .. } => it.block == to,
            _ => false,
        };
        let places = blocks.flat_map(|(from, block)| block.cells().map(move |it| (from, it.1)));
        places.filter(|(_, cell)| leads(&cell.content)).map(|it| it.0).collect()
    };
    match need {
        Need::Owned => {
            let mut gone = first.memory().live_blocks().map(|it| it.0).filter(|it| !is_left(*it));
            gone.all(|it| homes(it).len() <= 1 && !homes(it).contains(&it))
        }
        Need::Sole(it) => of_parameter(it).is_none_or(|it| is_left(it) || homes(it).is_empty()),
        Need::Apart(one, other) => {
            let [one, other] = [one, other].map(of_parameter);
            one.is_none_or(|it| is_left(it) || Some(it) != other)
        }
        _ => true,
    }
}

/// What calls have to keep to, if a function is proved by bounds; or what is wrong with that.
fn complaint(
    body: &str,
    library: &ShapeLibrary,
    random: &mut Random,
) -> Result<Option<Vec<Need>>, String> {
    let program = compile(&source(body), &options()).unwrap();
    let obligation =
        Obligation::new(&program, Goal::avoids_all(&SAFETY)).called_by(Callers::ByTypes);
    let verdict = prove(&obligation, library, &Budget::of_steps(STEPS[0]));
    let Verdict::Proved(proof) = verdict else { return Ok(None) };
    let Form::Bounds(needs) = &proof.approach.form else { return Ok(None) };
    let names = with_bounds(&simplify(&program), needs).unwrap().program;
    for _ in 0..N_MEMORIES {
        let mut state = memory(&program, random);
        if !needs.iter().all(|it| is_meant(it, (&names, &program), &state)) {
            continue;
        }
        let first = state.clone();
        let mut choices = ChoiceList::new(Vec::new());
        let mut steps = Budget::of_steps(STEPS[1]);
        let outcome = Interpreter::new(&program).run(&mut state, &mut choices, &mut steps);
        let is_wrong = !matches!(outcome, Outcome::Halted | Outcome::OutOfBudget);
        if is_wrong && needs.iter().all(|it| is_owned(it, (&names, &program), [&first, &state])) {
            return Err(format!("{needs:?}: a call fails, {outcome:?}: {first:?}"));
        }
    }
    Ok(Some(needs.clone()))
}

#[test]
fn what_is_proved_of_bounds_holds_for_callers_that_keep_to_types() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let mut random = Random(number("WANE_SEED").unwrap_or(1));
    let n_random = number("WANE_BOUNDS").unwrap_or(60);
    let library = ShapeLibrary::builtin().unwrap();
    let known = KNOWN.iter().map(|it| (*it).to_owned());
    let bodies: Vec<String> = known.chain((0..n_random).map(|_| body(&mut random))).collect();
    let is_of_members = |it: &Need| matches!(it, Need::Member(_) | Need::MemberString(_));
    let (mut n_proved, mut n_by_members, mut n_given) = (0, 0, 0);
    for body in &bodies {
        match complaint(body, &library, &mut random) {
            Ok(None) => {}
            Ok(Some(needs)) => {
                n_proved += 1;
                n_by_members += usize::from(needs.iter().any(is_of_members));
                n_given += usize::from(needs.contains(&Need::Owned));
            }
            Err(complaint) => panic!("{body}\n{complaint}"),
        }
    }
    let n_bodies = bodies.len();
    assert!(n_proved * 5 >= n_bodies, "only {n_proved} of {n_bodies} proofs");
    assert!(n_by_members * 30 >= n_bodies, "only {n_by_members} need members");
    assert!(n_given * 30 >= n_bodies, "only {n_given} give something up");
}

/// What others may give up is the start of a block of the heap, whoever put it there: these calls fail
/// where `p` is `q`.
#[test]
fn what_is_kept_where_others_give_it_up_begins_a_block() {
    let library = ShapeLibrary::builtin().unwrap();
    let bodies = [
        "if (!p || !p->name) return;\n  if (*p->name) p->name++;\n  if (q) free(q->name);",
        "if (!p) return;\n  p->name = own;\n  if (q) free(q->name);",
    ];
    for body in bodies {
        assert_eq!(complaint(body, &library, &mut Random(1)), Ok(None), "{body}");
    }
    // The same where nothing is put there.
    let body = "if (!p || !p->name) return;\n  if (q) free(q->name);";
    let needs = complaint(body, &library, &mut Random(1)).unwrap().unwrap();
    assert!(needs.contains(&Need::Owned));
}

/// The middle of what is not empty is no end of it: no element behind it is needed.
#[test]
fn no_more_elements_are_needed_than_are_used() {
    let library = ShapeLibrary::builtin().unwrap();
    let bodies = [
        "if (n > 0) a[n / 2] = a[(n - 1) / 2];",
        "int i = 0, j = n;\n  while (i < j) {\n    int k = i + (j - i) / 2;\n    if (a[k]) i = k + 1; \
         else j = k;\n  }",
        "int i = 0, j = n;\n  while (i < j) {\n    int k = i + ((j - i) >> 1);\n    if (a[k]) i = k + 1; \
         else j = k;\n  }",
    ];
    for body in bodies {
        let subject = read(Source::C(source(body)), &options()).unwrap();
        let mut budget = Budget::of_steps(STEPS[0]);
        let finding = subject.ask(&Question::MemorySafety, &library, &mut budget);
        assert_eq!(finding.precondition, ["a != 0 & 4*n <= bytes(a)"], "{body}");
        assert_eq!(complaint(body, &library, &mut Random(1)).map(|_| ()), Ok(()), "{body}");
    }
}

/// The report says what callers have to keep to, and `--strict` takes none of it for granted.
#[test]
fn what_is_needed_of_callers_is_said() {
    let library = ShapeLibrary::builtin().unwrap();
    let body = "if (p->next) p->next->n = 1;\n  *p->data = 2;";
    let ask = |options: &Options| {
        let subject = read(Source::C(source(body)), options).unwrap();
        subject.ask(&Question::MemorySafety, &library, &mut Budget::of_steps(STEPS[0]))
    };
    let finding = ask(&options());
    assert_eq!((finding.answer, finding.scope), (Answer::Proved, Some("general")));
    assert_eq!(finding.precondition, ["p != 0 & p->data != 0"]);
    let codes: Vec<&str> = finding.assumes.iter().map(|it| it.code).collect();
    assert_eq!(codes, ["W014"]);
    let strict = Options { definedness: wane::ir::semantics::Definedness::Shown, ..options() };
    let finding = ask(&strict);
    assert!(finding.assumes.is_empty(), "{:?}", finding.reason);
}
