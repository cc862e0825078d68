//! Random programs: some lists, and calls of procedures, in loops and branches.

use super::compiled_c::dice::Dice;
use super::compiled_c::program::{Declaration, Part, Program};
use super::procedures::{PROCEDURES, Procedure};

const PROTOTYPES: &str = "typedef unsigned long size_t;
extern void *malloc(size_t size);
extern void free(void *block);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
";
const LISTS: [&str; 3] = ["a@", "b@", "c@"];
const NUMBERS: [&str; 2] = ["m@", "n@"];
/// Calls inside of each other beyond those that are followed.
const FAR: usize = 26;

/// The program with this number.
pub(crate) fn random_program(number: u64) -> Program {
    let mut dice = Dice::of_program(number);
    let care = [2, 5, 30][dice.below(3)];
    Writer { dice, care, is_open: false }.write()
}

struct Writer {
    dice: Dice,
    /// One of so many procedures may do something else than it should.
    care: usize,
    is_open: bool,
}

impl Writer {
    fn write(mut self) -> Program {
        let node = "struct node@ { int data; struct node@ *next; };";
        let mut declarations = vec![Declaration::new(&["struct node@"], node)];
        for procedure in PROCEDURES {
            declarations.push(Declaration::new(&[procedure.name], self.body_of(procedure)));
        }
        let is_far = self.dice.once_in(5);
        if is_far {
            declarations.extend(self.relays());
        }
        let mut locals = vec![Declaration::new(&["acc@"], "int acc@ = 0;")];
        for number in NUMBERS {
            let value = ["0", "1", "3", "__VERIFIER_nondet_int()"][self.dice.below(4)];
            self.is_open |= value.ends_with(')');
            locals.push(Declaration::new(&[number], &format!("int {number} = {value};")));
        }
        let are_global = self.dice.once_in(3);
        for list in LISTS {
            let text = format!("struct node@ *{list} = 0;");
            if are_global {
                declarations.push(Declaration::root(&[list], &format!("static {text}")));
            } else {
                locals.push(Declaration::new(&[list], &text));
            }
        }
        let n_starts = 1 + self.dice.below(3);
        let mut body: Vec<Part> = (0..n_starts).map(|_| self.start()).collect();
        if is_far {
            body.push(Part::Line(self.filled("relay@(P, Q, N);")));
        }
        for _ in 0..1 + self.dice.below(4) {
            body.push(self.part(0));
        }
        body.push(Part::Line(self.filled("acc@ = (acc@ + N + N) % 50;")));
        let mut cleanup = Vec::new();
        for list in LISTS {
            if !self.dice.once_in(4) {
                cleanup.push(Part::Line(format!("drop@({list}); {list} = 0;")));
            }
        }
        Program {
            prototypes: PROTOTYPES,
            declarations,
            locals,
            body,
            cleanup,
            is_open: self.is_open,
            depends_on_addresses: false,
            is_watched: true,
        }
    }

    fn body_of(&mut self, procedure: &Procedure) -> &'static str {
        let is_sound = !self.dice.once_in(self.care);
        let bodies = if is_sound { procedure.sound } else { procedure.doubtful };
        self.dice.one_of(bodies)
    }

    /// Procedures that hand on what they were given, one to the next.
    fn relays(&mut self) -> Vec<Declaration> {
        let mut found = Vec::new();
        for number in 0..=FAR {
            let name = if number == FAR { "relay@".to_owned() } else { format!("relay{number}@") };
            let work = match number {
                0 => ["take@(from, to);", "if (n > 0) *from = push@(*from, n);"]
                    [self.dice.below(2)]
                .to_owned(),
                _ => format!("relay{}@(from, to, n);", number - 1),
            };
            let text = format!(
                "static void {name}(struct node@ **from, struct node@ **to, int n) {{ TICK; {work} }}"
            );
            found.push(Declaration::new(&[&name], &text));
        }
        found
    }

    fn start(&mut self) -> Part {
        let line = ["L = fill@(L, N);", "L = fill@(L, 2);", "L = push@(L, N);", "L = fill@(0, 4);"];
        let line = self.dice.one_of(&line);
        Part::Line(self.filled(line))
    }

    fn call(&mut self) -> Part {
        let line = match self.dice.below(PROCEDURES.len() + 3) {
            0 => "acc@ = (acc@ + N) % 50;",
            1 => "N = acc@;",
            2 => "if (L) N = L->data;",
            other => self.dice.one_of(PROCEDURES[other - 3].calls),
        };
        Part::Line(self.filled(line))
    }

    fn part(&mut self, depth: usize) -> Part {
        if depth > 1 || !self.dice.once_in(3) {
            return self.call();
        }
        let head = [
            "for (int i = 0; i < 2; i++) { TICK;",
            "while (L) { TICK;",
            "while (N > 0) { TICK;",
            "if (N > 0) {",
            "if (L && L->data < N) {",
            "for (struct node@ *p = L; p; p = p->next) { TICK;",
        ];
        let head = self.dice.one_of(&head);
        let head = self.filled(head);
        let mut body: Vec<Part> =
            (0..1 + self.dice.below(3)).map(|_| self.part(depth + 1)).collect();
        // What was tested changes, most of the time.
        if let Some(rest) = head.strip_prefix("while (")
            && !self.dice.once_in(self.care)
        {
            let tested = &rest[..2];
            let other = LISTS.iter().find(|it| **it != tested).copied().unwrap_or("a@");
            let step = if LISTS.contains(&tested) {
                format!("take@(&{tested}, &{other});")
            } else {
                format!("{tested} -= 1;")
            };
            body.push(Part::Line(step));
        }
        Part::Block { head, body, tail: "}".to_owned() }
    }

    /// The text with lists and numbers for the letters that stand for them.
    fn filled(&mut self, template: &str) -> String {
        let (list, number) = (self.dice.below(LISTS.len()), self.dice.below(NUMBERS.len()));
        let is_shared = self.dice.once_in(3 * self.care);
        let other = if is_shared { list } else { (list + 1 + self.dice.below(2)) % LISTS.len() };
        let (list, other) = (LISTS[list], LISTS[other]);
        let (first, second) = (NUMBERS[number], NUMBERS[1 - number]);
        let image = |letter: char| {
            Some(match letter {
                'L' => list.to_owned(),
                'M' => other.to_owned(),
                'P' => format!("&{list}"),
                'Q' => format!("&{other}"),
                'N' => first.to_owned(),
                'I' => format!("&{first}"),
                'J' => format!("&{second}"),
                _ => return None,
            })
        };
        let letters: Vec<char> = template.chars().collect();
        let is_part = |at: Option<usize>| {
            at.and_then(|at| letters.get(at)).is_some_and(|it| it.is_alphanumeric() || *it == '_')
        };
        let mut text = String::new();
        for (at, letter) in letters.iter().enumerate() {
            let is_alone = !is_part(at.checked_sub(1)) && !is_part(Some(at + 1));
            match image(*letter).filter(|_| is_alone) {
                Some(name) => text.push_str(&name),
                None => text.push(*letter),
            }
        }
        text
    }
}
