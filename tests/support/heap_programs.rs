//! Random C programs with lists, singly and doubly linked, circular and shared by
//! mistake: built, walked, reversed, joined, cut, freed, in `main` and in functions, in
//! nested loops. Most of them are in order; each sentence may lack what makes it so.

use super::mutation::Dice;
use std::fmt::Write as _;

const HEADER: &str = "typedef unsigned long size_t;
void *malloc(size_t size);
void free(void *block);
int __VERIFIER_nondet_int(void);
void reach_error(void);
";

/// Writes a program sentence by sentence.
struct Writer {
    dice: Dice,
    text: String,
    indent: usize,
    links: Links,
    /// One of so many sentences lacks something.
    care: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Single,
    Double,
}

const LISTS: [&str; 3] = ["a", "b", "c"];

/// The program with this number.
pub(crate) fn heap_program(number: usize) -> String {
    let mut dice = Dice::of_input(number);
    let links = if dice.below(3) == 0 { Links::Double } else { Links::Single };
    let care = [6, 12, 40][dice.below(3)];
    let mut writer = Writer { dice, text: HEADER.to_owned(), indent: 0, links, care };
    writer.program();
    writer.text
}

impl Writer {
    fn line(&mut self, line: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn open(&mut self, line: &str) {
        self.line(line);
        self.indent += 1;
    }

    fn close(&mut self, line: &str) {
        self.indent -= 1;
        self.line(line);
    }

    /// Whether something is done wrong here.
    fn slips(&mut self) -> bool {
        self.dice.below(self.care) == 0
    }

    fn list(&mut self) -> &'static str {
        LISTS[self.dice.below(LISTS.len())]
    }

    fn is_double(&self) -> bool {
        self.links == Links::Double
    }

    fn condition(&mut self) -> String {
        let k = self.dice.below(4);
        match self.dice.below(6) {
            0 => format!("s > {k}"),
            1 => format!("n < {k}"),
            2 => format!("n == {k}"),
            3 => format!("{} != 0", self.list()),
            _ => "__VERIFIER_nondet_int()".to_owned(),
        }
    }

    fn program(&mut self) {
        let previous = if self.is_double() { " struct node *prev;" } else { "" };
        let first = ["int data; struct node *next;", "struct node *next; int data;"];
        let fields = first[self.dice.below(2)];
        self.line(&format!("struct node {{ {fields}{previous} }};"));
        self.functions();
        self.open("int main(void) {");
        self.line("struct node *a = 0, *b = 0, *c = 0, *p, *q, *t;");
        self.line("int n = __VERIFIER_nondet_int(), s = 0;");
        self.build();
        for _ in 0..1 + self.dice.below(5) {
            self.sentence(0);
        }
        if self.dice.below(3) == 0 {
            self.error();
        }
        if self.dice.below(5) > 0 {
            for list in LISTS {
                if !self.slips() {
                    self.release(list);
                }
            }
        }
        self.line("return 0;");
        self.close("}");
    }

    fn functions(&mut self) {
        self.open("static struct node *push(struct node *list, int value) {");
        self.line("struct node *cell = malloc(sizeof *cell);");
        self.line("cell->data = value;");
        if !self.slips() {
            self.line("cell->next = list;");
        }
        if self.is_double() {
            self.line("cell->prev = 0;");
            let guard = if self.slips() { "" } else { "if (list) " };
            self.line(&format!("{guard}list->prev = cell;"));
        }
        self.line("return cell;");
        self.close("}");
        self.open("static void drop(struct node *list) {");
        match self.dice.below(3) {
            0 => {
                {
                    let line = if self.slips() {
                        "if (!list->next) return;"
                    } else {
                        "if (!list) return;"
                    };
                    self.line(line)
                };
                self.line("drop(list->next);");
                self.line("free(list);");
            }
            1 => {
                self.open("while (list) {");
                self.line("struct node *next = list->next;");
                self.line("free(list);");
                {
                    let line = if self.slips() { "list = list->next;" } else { "list = next;" };
                    self.line(line)
                };
                self.close("}");
            }
            _ => {
                self.open("while (list) {");
                self.line("struct node *old = list;");
                self.line("list = list->next;");
                if !self.slips() {
                    self.line("free(old);");
                }
                self.close("}");
            }
        }
        self.close("}");
        self.open("static int length(struct node *list) {");
        if self.dice.below(2) == 0 {
            self.line("return list ? 1 + length(list->next) : 0;");
        } else {
            self.line("int count = 0;");
            self.line("for (; list; list = list->next) count++;");
            self.line("return count;");
        }
        self.close("}");
        self.open("static struct node *last(struct node *list) {");
        let guard = if self.slips() { "list->next" } else { "list && list->next" };
        self.line(&format!("while ({guard}) list = list->next;"));
        self.line("return list;");
        self.close("}");
        self.open("static void take(struct node **from, struct node **to) {");
        self.line("struct node *cell = *from;");
        if !self.slips() {
            self.line("if (!cell) return;");
        }
        self.line("*from = cell->next;");
        if self.is_double() {
            self.line("if (cell->next) cell->next->prev = 0;");
        }
        self.line("cell->next = *to;");
        if self.is_double() {
            self.line("if (*to) (*to)->prev = cell;");
            self.line("cell->prev = 0;");
        }
        self.line("*to = cell;");
        self.close("}");
    }

    fn push(&mut self, list: &str) {
        let value = ["n", "s", "0", "1", "__VERIFIER_nondet_int()"][self.dice.below(5)];
        if self.dice.below(2) == 0 {
            return self.line(&format!("{list} = push({list}, {value});"));
        }
        self.line("t = malloc(sizeof *t);");
        self.line(&format!("t->data = {value};"));
        self.line(&format!("t->next = {list};"));
        if self.is_double() {
            self.line("t->prev = 0;");
            let guard = if self.slips() { String::new() } else { format!("if ({list}) ") };
            self.line(&format!("{guard}{list}->prev = t;"));
        }
        self.line(&format!("{list} = t;"));
    }

    fn build(&mut self) {
        let list = self.list();
        match self.dice.below(4) {
            0 => {
                self.open("for (int i = 0; i < n; i++) {");
                self.push(list);
                self.close("}");
            }
            1 => {
                self.open("while (__VERIFIER_nondet_int()) {");
                self.push(list);
                self.close("}");
            }
            2 => {
                {
                    let line = if self.slips() { "while (n != 0) {" } else { "while (n > 0) {" };
                    self.open(line)
                };
                self.push(list);
                if !self.slips() {
                    self.line("n--;");
                }
                self.close("}");
            }
            _ => {
                for _ in 0..1 + self.dice.below(3) {
                    self.push(list);
                }
            }
        }
    }

    fn release(&mut self, list: &str) {
        match self.dice.below(3) {
            0 => {
                self.line(&format!("drop({list});"));
            }
            1 => {
                self.open(&format!("while ({list}) {{"));
                self.line(&format!("t = {list}->next;"));
                self.line(&format!("free({list});"));
                self.line(&format!("{list} = t;"));
                self.close("}");
                return;
            }
            _ => {
                let guard = if self.slips() { "next" } else { "" };
                let condition =
                    if guard.is_empty() { list.to_owned() } else { format!("{list}->next") };
                self.open(&format!("while ({condition}) {{"));
                self.line(&format!("t = {list};"));
                self.line(&format!("{list} = {list}->next;"));
                if !self.slips() {
                    self.line("free(t);");
                }
                self.close("}");
                return;
            }
        }
        if !self.slips() {
            self.line(&format!("{list} = 0;"));
        }
    }

    fn walk(&mut self, list: &str, depth: usize) {
        match self.dice.below(7) {
            0 => {
                let guard = if self.slips() { "" } else { "p && " };
                self.line(&format!("p = {list};"));
                {
                    let line =
                        format!("while ({guard}p->data != {}) p = p->next;", self.dice.below(3));
                    self.line(&line)
                };
                if self.dice.below(2) == 0 {
                    self.line("if (p) s = p->data;");
                }
            }
            1 => {
                self.open(&format!("for (p = {list}; p; p = p->next) {{"));
                let start = if self.dice.below(2) == 0 { "p->next" } else { list };
                let end = if start == list && self.dice.below(2) == 0 { "q != p" } else { "q" };
                self.open(&format!("for (q = {start}; {end}; q = q->next) {{"));
                self.line("s++;");
                self.close("}");
                self.close("}");
            }
            2 => {
                self.line(&format!("p = {list};"));
                self.open("while (p) {");
                {
                    let line = ["s++;", "s += p->data;", "p->data = s;"][self.dice.below(3)];
                    self.line(line)
                };
                let slips = self.slips();
                let condition = self.condition();
                if slips {
                    self.line(&format!("if ({condition})"));
                }
                self.line("p = p->next;");
                self.close("}");
            }
            3 => {
                let guard = if self.slips() { "" } else { " && p->next" };
                self.line(&format!("for (p = {list}; p{guard}; p = p->next->next) s++;"));
            }
            4 if self.is_double() => {
                self.line(&format!("p = last({list});"));
                self.line("while (p) { s++; p = p->prev; }");
            }
            4 | 5 => {
                self.line(&format!("s = length({list});"));
                let step = ["s--", "s -= 2", "s = s - 1"][self.dice.below(3)];
                let end = if self.slips() { "s != 0" } else { "s > 0" };
                self.line(&format!("while ({end}) {step};"));
            }
            _ => {
                self.line(&format!("p = {list};"));
                self.open("while (p) {");
                self.line("q = p->next;");
                if depth < 1 && self.dice.below(2) == 0 {
                    self.sentence(depth + 2);
                }
                self.line("p = q;");
                self.close("}");
            }
        }
    }

    fn cut(&mut self, list: &str) {
        match self.dice.below(4) {
            0 => {
                let guard = if self.slips() { String::new() } else { format!("if ({list}) ") };
                self.open(&format!("{guard}{{"));
                self.line(&format!("t = {list};"));
                self.line(&format!("{list} = {list}->next;"));
                if self.is_double() && !self.slips() {
                    self.line(&format!("if ({list}) {list}->prev = 0;"));
                }
                if !self.slips() {
                    self.line("free(t);");
                }
                self.close("}");
            }
            1 if !self.is_double() => {
                let value = self.dice.below(3);
                self.open("{");
                self.line(&format!("struct node **link = &{list};"));
                self.open("while (*link) {");
                self.open(&format!("if ((*link)->data == {value}) {{"));
                self.line("t = *link;");
                self.line("*link = t->next;");
                self.line("free(t);");
                if self.slips() {
                    self.line("link = &t->next;");
                }
                self.close("} else");
                self.line("    link = &(*link)->next;");
                self.close("}");
                self.close("}");
            }
            2 => {
                self.open(&format!("if ({list} && {list}->next) {{"));
                self.line(&format!("t = {list}->next;"));
                self.line(&format!("{list}->next = t->next;"));
                if self.is_double() {
                    let guard = if self.slips() { "" } else { "if (t->next) " };
                    self.line(&format!("{guard}t->next->prev = {list};"));
                }
                self.line("free(t);");
                self.close("}");
            }
            _ => {
                self.open(&format!("if ({list}) {{"));
                self.line(&format!("drop({list}->next);"));
                if !self.slips() {
                    self.line(&format!("{list}->next = 0;"));
                }
                self.close("}");
            }
        }
    }

    fn join(&mut self, list: &str, other: &str) {
        self.open(&format!("if (!{list}) {{"));
        self.line(&format!("{list} = {other};"));
        self.close("} else {");
        self.indent += 1;
        self.line(&format!("p = {list};"));
        self.line("while (p->next) p = p->next;");
        self.line(&format!("p->next = {other};"));
        if self.is_double() {
            let guard = if self.slips() { String::new() } else { format!("if ({other}) ") };
            self.line(&format!("{guard}{other}->prev = p;"));
        }
        self.close("}");
        if !self.slips() {
            self.line(&format!("{other} = 0;"));
        }
    }

    fn reverse(&mut self, list: &str) {
        self.line("q = 0;");
        self.open(&format!("while ({list}) {{"));
        self.line(&format!("t = {list}->next;"));
        self.line(&format!("{list}->next = q;"));
        if self.is_double() && !self.slips() {
            self.line(&format!("{list}->prev = t;"));
        }
        self.line(&format!("q = {list};"));
        {
            let line = format!("{list} = {};", if self.slips() { "q" } else { "t" });
            self.line(&line)
        };
        self.close("}");
        self.line(&format!("{list} = q;"));
    }

    fn insert(&mut self, list: &str) {
        self.line(&format!("p = {list};"));
        {
            let line =
                format!("while (p && p->next && p->data < {}) p = p->next;", self.dice.below(3));
            self.line(&line)
        };
        let guard = if self.slips() { "" } else { "if (p) " };
        self.open(&format!("{guard}{{"));
        self.line("t = malloc(sizeof *t);");
        self.line("t->data = s;");
        self.line("t->next = p->next;");
        if self.is_double() {
            self.line("t->prev = p;");
            self.line("if (t->next) t->next->prev = t;");
        }
        self.line("p->next = t;");
        self.close("}");
    }

    /// Something that must not be, and that may be true.
    fn error(&mut self) {
        let list = self.list();
        let value = self.dice.below(4);
        let line = match self.dice.below(6) {
            0 => format!("if (s == {value}) reach_error();"),
            1 => format!("if ({list} && {list}->data == {value}) reach_error();"),
            2 => format!("if (length({list}) > {value}) reach_error();"),
            3 => format!("if ({list} && {list}->next == {list}) reach_error();"),
            _ => format!("if (n > {value} && {list} == 0 && s < 0) reach_error();"),
        };
        self.line(&line);
    }

    fn sentence(&mut self, depth: usize) {
        let (list, other) = (self.list(), self.list());
        match self.dice.below(if depth < 2 { 17 } else { 11 }) {
            0 => self.push(list),
            1 => self.error(),
            2 => self.line(&format!("take(&{list}, &{other});")),
            3 if self.slips() => self.line(&format!("{list} = {other};")),
            3 | 4 => self.cut(list),
            5 => self.insert(list),
            6 if self.slips() && !self.is_double() => {
                self.line(&format!("t = last({list});"));
                self.line(&format!("if (t) t->next = {other};"));
            }
            6 => {
                let line = ["s++;", "n = s;", "s = n;", "n = __VERIFIER_nondet_int();"]
                    [self.dice.below(4)];
                self.line(line)
            }
            7 => {
                let mut line = String::new();
                let guard = if self.slips() { String::new() } else { format!("if ({list}) ") };
                let _ = write!(line, "{guard}s = {list}->data;");
                self.line(&line);
            }
            8 if list != other || self.slips() => self.join(list, other),
            8 | 9 => self.walk(list, depth),
            10 => self.reverse(list),
            11 | 12 => {
                let condition = self.condition();
                self.open(&format!("if ({condition}) {{"));
                self.sentence(depth + 1);
                if self.dice.below(2) == 0 {
                    self.close("} else {");
                    self.indent += 1;
                    self.sentence(depth + 1);
                }
                self.close("}");
            }
            13 => {
                self.open("while (__VERIFIER_nondet_int()) {");
                self.sentence(depth + 1);
                self.close("}");
            }
            14 => self.release(list),
            15 => self.build(),
            _ => self.walk(list, depth),
        }
    }
}
