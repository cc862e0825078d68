//! Writes random programs that make errors, or nearly.

use crate::compiled_c::dice::Dice;
use crate::compiled_c::program::{Declaration, Part, Program};

const PROTOTYPES: &str = "typedef unsigned long size_t;
extern void *malloc(size_t size);
extern void *calloc(size_t count, size_t size);
extern void free(void *block);
extern void *memset(void *block, int byte, size_t size);
extern void *memcpy(void *target, const void *source, size_t size);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
";

/// What is declared at file scope.
const DECLARATIONS: &[(&[&str], &str)] = &[
    (&["acc@"], "static int acc@;"),
    (&["node@"], "struct node@ { int key; int other; struct node@ *next; };"),
    (&["one@"], "static int one@[4];"),
    (&["two@"], "static int two@[5] = { 1, 0, 2, 0, 3 };"),
    (&["table@"], "static int *table@[3];"),
    (&["hidden@"], "static unsigned long hidden@;"),
    (&["fixed@"], "static const int fixed@[3] = { 1, 0, 2 };"),
    (&["spare@"], "static int spare@ = 1;"),
    (&["head@", "first@"], "static struct node@ first@ = { 1, 0, 0 }, *head@ = &first@;"),
];

/// What `main` declares.
const LOCALS: &[(&[&str], &str)] = &[
    (&["x"], "int x = __VERIFIER_nondet_int();"),
    (&["y"], "int y = __VERIFIER_nondet_int();"),
    (&["k"], "int k = 1;"),
    (&["local"], "int local[3] = { 0, 1, 2 };"),
    (&["raw"], "int *raw = malloc(4 * sizeof *raw);"),
    (&["zeros"], "int *zeros = calloc(3, sizeof *zeros);"),
    (&["p"], "int *p = x > 1 ? &spare@ : x > 0 ? zeros : 0;"),
    (&["q"], "int *q = one@ + 1;"),
    (&["it"], "struct node@ *it = head@;"),
    (&["text"], "char *text = \"ab\";"),
];

/// Places in memory that hold numbers: valid always, or not in all runs.
const PLACES: &[&str] = &[
    "one@[$]",
    "two@[$]",
    "local[$]",
    "raw[$]",
    "zeros[$]",
    "*p",
    "p[$]",
    "*q",
    "q[$]",
    "*table@[1]",
    "*table@[$]",
    "it->key",
    "it->other",
    "head@->key",
    "first@.other",
    "spare@",
    "*(int *)hidden@",
    "*(one@ + $ + 1)",
];

/// Statements that change where pointers point.
const MOVES: &[&str] = &[
    "p = &one@[$];",
    "p = 0;",
    "p = zeros;",
    "p = &spare@;",
    "q = two@ + $;",
    "q++;",
    "q = p;",
    "table@[$] = &spare@;",
    "table@[1] = one@;",
    "p = table@[$];",
    "q = table@[1];",
    "hidden@ = (unsigned long)&spare@;",
    "hidden@ = (unsigned long)(one@ + 2) ^ 5;",
    "hidden@ ^= 5;",
    "p = (int *)(hidden@ ^ 5);",
    "for (int b = 0; b < 8; b++) ((char *)&q)[b] = ((char *)&p)[b];",
    "for (int b = 0; b < 8; b++) ((char *)&p)[b] = ((char *)&table@[1])[b];",
    "memcpy(&p, &q, sizeof p);",
    "memcpy(one@, two@ + $, 2 * sizeof(int));",
    "memcpy(raw + $, one@, 2 * sizeof(int));",
    "memset(one@, 0, $ * sizeof(int));",
    "it = it->next;",
    "it = head@;",
    "{ struct node@ *n = calloc(1, sizeof *n); n->next = head@; n->key = $; head@ = n; }",
    "free(zeros); zeros = one@;",
    "free(raw); raw = malloc(2 * sizeof *raw);",
    "free(p);",
    "text[0] = 'c';",
    "*(int *)&fixed@[$] = 1;",
    "{ int inner = 1; if (x == 2) q = &inner; else q = &spare@; }",
    "k = 7 / $;",
    "k = 9 % ($ - 1);",
    "k = 1 << $;",
];

/// The program with this number.
pub(crate) fn random_program(number: u64) -> Program {
    Writer { dice: Dice::of_program(number), n_names: 0 }.write()
}

/// Pointers at file scope may hold memory when `main` returns.
fn declared(names: &[&str], text: &str) -> Declaration {
    match text.starts_with("static") && text.contains('*') {
        true => Declaration::root(names, text),
        false => Declaration::new(names, text),
    }
}

struct Writer {
    dice: Dice,
    n_names: usize,
}

impl Writer {
    fn write(&mut self) -> Program {
        let declarations = DECLARATIONS.iter().map(|(names, text)| declared(names, text)).collect();
        let locals = LOCALS.iter().map(|(names, text)| Declaration::new(names, text)).collect();
        let n_parts = 2 + self.dice.below(5);
        let mut body = self.parts(n_parts, 0);
        body.push(Part::Line(format!("acc@ += {} & 3;", self.place())));
        Program {
            prototypes: PROTOTYPES,
            declarations,
            locals,
            body,
            cleanup: Vec::new(),
            is_open: true,
            depends_on_addresses: true,
            is_watched: true,
        }
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

    /// What a block starts with. A loop ends after a few rounds, or may go on for ever.
    fn head(&mut self) -> String {
        self.n_names += 1;
        let name = format!("i{}", self.n_names);
        let (place, constant) = (self.place(), self.constant());
        match self.dice.below(8) {
            0 | 1 => format!("for (int {name} = 0; {name} < 4; {name}++) {{ TICK; k = {name};"),
            2 => format!("while ({}) {{ TICK;", self.condition()),
            3 => format!("while ({}) {{ TICK; {place} = {constant};", self.condition()),
            4 => format!("while ({place} > 0) {{ TICK; ({place})--;"),
            5 => format!("for (it = head@; it; it = it->next) {{ TICK; it->other = {constant};"),
            _ => format!("if ({}) {{", self.condition()),
        }
    }

    fn line(&mut self) -> String {
        let (place, index) = (self.place(), self.index());
        match self.dice.below(10) {
            0..=3 => {
                let at = self.dice.below(MOVES.len());
                MOVES[at].replace('$', &index)
            }
            4 => format!("{place} = {};", self.constant()),
            5 => format!("{place} = {};", self.place()),
            6 => format!("k = {place};"),
            7 => format!("{} = __VERIFIER_nondet_int();", self.dice.one_of(&["x", "y", "k"])),
            8 => format!("if ({}) k++;", self.condition()),
            _ => format!("acc@ += {place} & 3;"),
        }
    }

    fn condition(&mut self) -> String {
        let left = if self.dice.once_in(3) { self.index() } else { self.place() };
        let operator = self.dice.one_of(&["<", ">", "==", "!="]);
        format!("{left} {operator} {}", self.constant())
    }

    /// A place in memory.
    fn place(&mut self) -> String {
        let at = self.dice.below(PLACES.len());
        PLACES[at].replace('$', &self.index())
    }

    /// A number that is an index, most of the time.
    fn index(&mut self) -> String {
        self.dice
            .one_of(&["0", "1", "2", "x", "x", "y", "k", "(x & 3)", "(k & 1)", "-1"])
            .to_owned()
    }

    fn constant(&mut self) -> String {
        self.dice.one_of(&["0", "0", "1", "2", "3"]).to_owned()
    }
}
