//! Writes random programs about tables of pointers.

use crate::compiled_c::dice::Dice;
use crate::compiled_c::program::{Declaration, Part, Program};

const PROTOTYPES: &str = "typedef unsigned long size_t;
extern void *malloc(size_t size);
extern void *calloc(size_t count, size_t size);
extern void *realloc(void *block, size_t size);
extern void free(void *block);
extern void *memset(void *block, int byte, size_t size);
extern void *memcpy(void *target, const void *source, size_t size);
extern size_t strlen(const char *text);
extern char *strcpy(char *target, const char *source);
extern int strcmp(const char *left, const char *right);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
";

/// Tables: what is declared, an element at an index, and how many there are.
const TABLES: &[(&str, &str, &str)] = &[
    ("static struct node@ *table@[4];", "table@[$]", "4"),
    ("static struct { int n; struct node@ *row[3]; int last; } box@;", "box@.row[$]", "3"),
    ("static struct { int key; struct node@ *list; } slot@[3];", "slot@[$].list", "3"),
];

/// Tables of a function: as above.
const LOCALS: &[(&str, &str, &str)] = &[
    ("struct node@ *few[3] = { 0 };", "few[$]", "3"),
    ("struct node@ **more = calloc(n1 + 1, sizeof *more);", "more[$]", "(n1 + 1)"),
    (
        "struct node@ **raw = malloc(3 * sizeof *raw); for (int i = 0; i < 3; i++) raw[i] = 0;",
        "raw[$]",
        "3",
    ),
];

/// The program with this number.
pub(crate) fn random_program(number: u64) -> Program {
    let dice = Dice::of_program(number);
    Writer { dice, tables: Vec::new(), n_names: 0, is_careful: false }.write()
}

struct Writer {
    dice: Dice,
    /// The tables that the program uses: an element, and how many there are.
    tables: Vec<(&'static str, &'static str)>,
    n_names: usize,
    /// Whether nothing is done that may be wrong.
    is_careful: bool,
}

impl Writer {
    fn write(&mut self) -> Program {
        self.is_careful = self.dice.once_in(2);
        let node = "struct node@ { struct node@ *next; char *name; int v; };";
        let mut declarations = vec![
            Declaration::new(&["acc@"], "static int acc@;"),
            Declaration::new(&["node@"], node),
        ];
        for (text, element, count) in TABLES {
            let name = element.split(['[', '.']).next().unwrap_or_default();
            declarations.push(Declaration::root(&[name], text));
            if self.dice.once_in(2) {
                self.tables.push((element, count));
            }
        }
        let mut locals = vec![
            Declaration::new(&["x"], "int x = __VERIFIER_nondet_int() & 3;"),
            Declaration::new(&["y"], "int y = 1;"),
            Declaration::new(&["n1"], "int n1 = 2;"),
            Declaration::new(&["p"], "struct node@ *p = 0;"),
        ];
        let mut cleanup = Vec::new();
        for (text, element, count) in LOCALS {
            let name = element.split(['[', '.']).next().unwrap_or_default();
            if self.tables.is_empty() || self.dice.once_in(5) {
                self.tables.push((element, count));
                if text.contains("**") && (self.is_careful || !self.dice.once_in(5)) {
                    cleanup.push(Part::Line(format!("free({name});")));
                }
            }
            locals.push(Declaration::new(&[name], text));
        }
        let n_parts = 2 + self.dice.below(5);
        let mut body = self.parts(n_parts, 0);
        for (element, count) in self.tables.clone() {
            if self.is_careful || !self.dice.once_in(4) {
                body.push(Part::Line(format!(
                    "for (int i = 0; i < {count}; i++) {{ TICK; {} }}",
                    clear(&element.replace('$', "i"))
                )));
            }
        }
        Program {
            prototypes: PROTOTYPES,
            declarations,
            locals,
            body,
            cleanup,
            is_open: true,
            depends_on_addresses: false,
            is_watched: true,
        }
    }

    fn table(&mut self) -> (&'static str, &'static str) {
        self.tables[self.dice.below(self.tables.len())]
    }

    fn parts(&mut self, count: usize, depth: usize) -> Vec<Part> {
        (0..count).map(|_| self.part(depth)).collect()
    }

    fn part(&mut self, depth: usize) -> Part {
        if depth >= 2 || self.dice.once_in(2) {
            return Part::Line(self.line());
        }
        let head = self.head();
        let count = 1 + self.dice.below(3);
        Part::Block { head, body: self.parts(count, depth + 1), tail: "}".to_owned() }
    }

    /// What a block starts with.
    fn head(&mut self) -> String {
        self.n_names += 1;
        let name = format!("i{}", self.n_names);
        let (element, count) = self.table();
        let at = element.replace('$', &name);
        match self.dice.below(5) {
            0 => format!(
                "for (int {name} = 0; {name} < {count}; {name}++) {{ TICK; {}",
                push(&at, "y")
            ),
            1 => format!("for (int {name} = 0; {name} < 4; {name}++) {{ TICK; x = {name} & 1;"),
            2 => format!("if (x >= 0 && x < {count} && {}) {{", element.replace('$', "x")),
            3 => "while (__VERIFIER_nondet_int() > 2) { TICK;".to_owned(),
            _ => "if (__VERIFIER_nondet_int() > 0) {".to_owned(),
        }
    }

    fn line(&mut self) -> String {
        let number = ["x", "y"][self.dice.below(2)];
        let (element, count) = self.table();
        let (other, many) = self.table();
        let (one, two) = (element.replace('$', number), other.replace('$', "y"));
        let guard = format!("if ({number} >= 0 && {number} < {count} && y >= 0 && y < {many}) {{");
        let n_kinds = if self.is_careful { 12 } else { 20 };
        let act = match self.dice.below(n_kinds) {
            0 | 1 => push(&one, number),
            2 => pop(&one),
            3 => format!(
                "for (struct node@ *q = {one}; q; q = q->next) {{ TICK; acc@ += q->v & 3; }}"
            ),
            4 => clear(&one),
            5 => format!(
                "if ({one}) {{ struct node@ *q = {one}; {one} = q->next; q->next = {two}; {two} = q; }}"
            ),
            6 => format!("struct node@ *q = {one}; {one} = {two}; {two} = q;"),
            7 => return "x = __VERIFIER_nondet_int() & 3;".to_owned(),
            8 => return "y = (y + 1) & 1;".to_owned(),
            9 => format!(
                "if ({one} && !{one}->name) {{ {one}->name = malloc(4); strcpy({one}->name, \"ab\"); }}"
            ),
            10 => format!("if ({one} && {one}->name) acc@ += (int)strlen({one}->name) & 3;"),
            11 => format!("if ({one}) acc@ += {one}->v & 7;"),
            12 => format!("{one} = 0;"),
            13 => format!("free({one});"),
            14 => format!("{one} = {two};"),
            15 => format!("p = {one};"),
            16 => "if (p) acc@ += p->v & 3;".to_owned(),
            17 => format!("if ({one} && {one}->name) {one}->name[x & 3] = 'c';"),
            18 => format!("if ({one}) free({one}->name);"),
            _ => format!("if ({one}) {{ free({one}); {one} = 0; }}"),
        };
        format!("{guard} {act} }}")
    }
}

fn push(at: &str, value: &str) -> String {
    format!(
        "{{ struct node@ *q = malloc(sizeof *q); q->v = {value}; q->name = 0; q->next = {at}; {at} = q; }}"
    )
}

fn pop(at: &str) -> String {
    format!("if ({at}) {{ struct node@ *q = {at}; {at} = q->next; free(q->name); free(q); }}")
}

fn clear(at: &str) -> String {
    format!(
        "while ({at}) {{ TICK; struct node@ *q = {at}; {at} = q->next; free(q->name); free(q); }}"
    )
}
