//! Writes random programs about arrays.

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
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
";

/// Arrays: what is declared, an element at an index, and how many there are.
const ARRAYS: &[(&str, &str, &str)] = &[
    ("static int zero@[8];", "zero@[$]", "8"),
    ("static struct { int n; int keys[6]; int last; } box@ = { .n = 0 };", "box@.keys[$]", "6"),
    ("static struct { short a; char b; } pair@[5];", "pair@[$].b", "5"),
    ("static struct { int key; int uses; } slot@[4];", "slot@[$].uses", "4"),
    ("static int grid@[3][4];", "grid@[1][$]", "4"),
    ("static unsigned char byte@[7];", "byte@[$]", "7"),
    (
        "static struct { struct { int n; int v[4]; } one, two; } both@ = { .two = { 1, { 2 } } };",
        "both@.one.v[$]",
        "4",
    ),
    ("static int given@[5] = { 3, 1, 4, 1, 2 };", "given@[$]", "5"),
];

/// Arrays of a function: as above.
const LOCALS: &[(&str, &str, &str)] = &[
    ("int fill[6];", "fill[$]", "6"),
    ("int plain[5] = { 0 };", "plain[$]", "5"),
    ("struct { int n; int v[4]; } own; own.n = 0;", "own.v[$]", "4"),
    ("char text[8] = \"ab\";", "text[$]", "8"),
    ("int *more = calloc(n1 + 1, sizeof *more);", "more[$]", "(n1 + 1)"),
    ("int *raw = malloc(4 * sizeof *raw);", "raw[$]", "4"),
    ("struct { int key; int uses; } *pool = calloc(3, sizeof *pool);", "pool[$].key", "3"),
];

const NUMBERS: &[&str] = &["x", "y", "n1", "k"];

/// The program with this number.
pub(crate) fn random_program(number: u64) -> Program {
    let mut writer = Writer { dice: Dice::of_program(number), arrays: Vec::new(), n_names: 0 };
    writer.write()
}

struct Writer {
    dice: Dice,
    /// The arrays that the program uses: an element, and how many there are.
    arrays: Vec<(&'static str, &'static str)>,
    n_names: usize,
}

impl Writer {
    fn write(&mut self) -> Program {
        let mut declarations = vec![Declaration::new(&["acc@"], "static int acc@;")];
        for (text, element, count) in ARRAYS {
            let name = element.split(['[', '.']).next().unwrap_or_default();
            declarations.push(Declaration::new(&[name], text));
            if self.dice.once_in(3) {
                self.arrays.push((element, count));
            }
        }
        let mut locals = vec![
            Declaration::new(&["x"], "int x = __VERIFIER_nondet_int();"),
            Declaration::new(&["y"], "int y = 2;"),
            Declaration::new(&["n1"], "int n1 = 3;"),
            Declaration::new(&["k"], "int k = 0;"),
        ];
        let mut cleanup = Vec::new();
        for (text, element, count) in LOCALS {
            let name = element.split(['[', '.']).next().unwrap_or_default();
            if self.arrays.is_empty() || self.dice.once_in(5) {
                self.arrays.push((element, count));
                if text.contains('*') && !self.dice.once_in(5) {
                    cleanup.push(Part::Line(format!("free({name});")));
                }
            }
            locals.push(Declaration::new(&[name], text));
        }
        let n_parts = 2 + self.dice.below(5);
        let mut body = self.parts(n_parts, 0);
        for _ in 0..1 + self.dice.below(2) {
            let (element, count) = self.array();
            let sum = element.replace('$', "i");
            body.push(Part::Line(match self.dice.below(3) {
                0 => format!("acc@ += {};", element.replace('$', "0")),
                1 => format!("for (int i = 0; i < {count}; i++) {{ TICK; acc@ += {sum} & 7; }}"),
                _ => "acc@ += (x & 3) + y + k;".to_owned(),
            }));
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

    fn array(&mut self) -> (&'static str, &'static str) {
        self.arrays[self.dice.below(self.arrays.len())]
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

    /// What a block starts with. Most loops end.
    fn head(&mut self) -> String {
        self.n_names += 1;
        let (name, number) = (format!("i{}", self.n_names), self.number());
        let (element, count) = self.array();
        let at = element.replace('$', &name);
        match self.dice.below(9) {
            0 => {
                format!("for (int {name} = 0; {name} < {count}; {name}++) {{ TICK; {at} = {name};")
            }
            1 => format!(
                "for (int {name} = 0; {name} < {count}; {name}++) {{ TICK; {number} = {at};"
            ),
            2 => format!(
                "for (int {name} = {count} - 1; {name} >= 0; {name}--) {{ TICK; {at} = {name} & 3;"
            ),
            3 => format!("while ({number} > 0 && {number} < 9) {{ TICK; {number}--;"),
            4 => {
                format!("if ({number} >= 0 && {number} < {count}) {{ {};", self.assignment(&number))
            }
            5 => format!(
                "if ({number} >= 0 && {number} < {count} && {}) {{",
                self.condition(&element.replace('$', &number))
            ),
            6 => format!("if ({}) {{", self.condition(&number)),
            7 => format!(
                "for (int {name} = 0; {name} < {count} && {at} != {}; {name}++) {{ TICK; k = {name};",
                self.constant()
            ),
            _ => format!(
                "for (int {name} = 0; {name} < 5; {name}++) {{ TICK; if (__VERIFIER_nondet_int() > 3) break;"
            ),
        }
    }

    fn assignment(&mut self, index: &str) -> String {
        let (element, count) = self.array();
        let (at, value) = (element.replace('$', index), self.value());
        // One in so many indices is not looked at.
        if self.dice.once_in(12) {
            format!("{at} = {value}")
        } else {
            format!("if ({index} >= 0 && {index} < {count}) {at} = {value}")
        }
    }

    fn line(&mut self) -> String {
        let (element, count) = self.array();
        let (number, constant) = (self.number(), self.constant());
        let index = element.replace('$', &number);
        let guard = format!("if ({number} >= 0 && {number} < {count})");
        match self.dice.below(20) {
            0 => format!("{number} = __VERIFIER_nondet_int();"),
            1 => format!("{number} = {constant};"),
            2 => format!("{guard} {index} = {};", self.value()),
            3 => format!("{guard} {number} = {index};"),
            4 => format!("{guard} {index}++;"),
            5 => format!("{} = {};", element.replace('$', "0"), self.value()),
            6 => format!("if ({number} < 50) {number}++;"),
            7 => format!("{guard} {{ {}; k = {index}; }}", self.assignment("y")),
            8 => format!("{};", self.assignment("k")),
            9 => format!("if (box@.n < 6) box@.keys[box@.n++] = {number} & 7;"),
            10 => format!("if (box@.n > 0) {{ box@.n--; {number} = box@.keys[box@.n]; }}"),
            11 => format!("slot@[{number} & 3].key = {constant};"),
            12 => format!(
                "if (slot@[{number} & 3].key > 0) slot@[slot@[{number} & 3].key & 3].uses = {number} & 15;"
            ),
            13 => format!("{number} = byte@[{number} & 3] + {constant};"),
            14 => format!(
                "if (zero@[y & 7] >= 0 && zero@[y & 7] < 8) zero@[zero@[y & 7]] = {number} & 7;"
            ),
            15 => self.copy(&number),
            16 => self.copy(&number),
            17 => format!(
                "if ({number} >= 0 && {number} < 4) both@.two.v[{number}] = {};",
                self.value()
            ),
            18 => format!("if ({number} >= 0 && {number} < 4) k = both@.two.v[{number}];"),
            _ => format!("acc@ += {number} & 7;"),
        }
    }

    /// Copies a structure, or some of an array, perhaps by way of another one.
    fn copy(&mut self, number: &str) -> String {
        let value = self.value();
        match self.dice.below(6) {
            0 => "both@.one = both@.two;".to_owned(),
            1 => "both@.two = both@.one;".to_owned(),
            2 => "memcpy(both@.two.v, both@.one.v + 1, 3 * sizeof(int));".to_owned(),
            3 => "slot@[1] = slot@[2];".to_owned(),
            4 => "memcpy(zero@ + 4, zero@, 4 * sizeof *zero@);".to_owned(),
            _ => format!(
                "{{ __typeof__(both@.one) w = both@.two; if ({number} >= 0 && {number} < 4) w.v[{number}] = {value}; both@.one = w; k = w.v[1]; }}"
            ),
        }
    }

    fn value(&mut self) -> String {
        match self.dice.below(5) {
            0 => self.constant(),
            1 => format!("{} & 7", self.number()),
            2 => "__VERIFIER_nondet_int() & 3".to_owned(),
            3 => "y".to_owned(),
            _ => format!("({} & 1) + {}", self.number(), self.constant()),
        }
    }

    fn condition(&mut self, left: &str) -> String {
        let constant = self.constant();
        let operator = self.dice.one_of(&["<", ">", "==", "!=", "<=", ">="]);
        format!("{left} {operator} {constant}")
    }

    fn number(&mut self) -> String {
        NUMBERS[self.dice.below(NUMBERS.len())].to_owned()
    }

    fn constant(&mut self) -> String {
        ["0", "1", "2", "3", "5", "7"][self.dice.below(6)].to_owned()
    }
}
