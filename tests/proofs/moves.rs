//! What is proved of functions that move pointers along texts (`ir::slice::motion`, rules AGAIN and
//! PRIVATE, the bytes of copies, lengths of strings), against all calls with two small texts: random
//! functions, run here statement by statement. A run that leaves its texts is undefined, and one that
//! takes many steps has no end: there are far fewer states.
//!
//! `WANE_MOVES=1000` tries more functions, `WANE_SEED` others.

use crate::links::is_proved;
use crate::random_numbers::Random;
use std::fmt::Write as _;
use wane::heap::shape::ShapeLibrary;

/// Where a function keeps its pointers, and what it counts.
#[derive(Clone, Copy)]
enum Home {
    /// In variables.
    Variables,
    /// In a structure of its own, which helpers change and which is copied (rule PRIVATE).
    Structure,
}

impl Home {
    const ALL: [Self; 2] = [Self::Variables, Self::Structure];

    fn pointer(self, it: usize) -> &'static str {
        match self {
            Self::Variables => ["p", "q"][it],
            Self::Structure => ["run.p", "run.q"][it],
        }
    }

    fn count(self) -> &'static str {
        match self {
            Self::Variables => "i",
            Self::Structure => "run.i",
        }
    }

    fn forward(self, it: usize, by: i64) -> String {
        match (self, by) {
            (Self::Structure, 1) => format!("{}(&run);", ["ahead_p", "ahead_q"][it]),
            _ => format!("{} += {by};", self.pointer(it)),
        }
    }

    fn assign(self, to: usize, from: usize) -> String {
        let to = self.pointer(to);
        match self {
            Self::Variables => format!("{to} = {};", self.pointer(from)),
            Self::Structure => {
                format!("{{ struct run old = run; {to} = {}; }}", ["old.p", "old.q"][from])
            }
        }
    }

    /// What stands before the statements.
    fn begin(self) -> &'static str {
        match self {
            Self::Variables => {
                "void f(char *p, char *q) {\n  unsigned long i = 0;\n  char word[2];\n"
            }
            Self::Structure => {
                "struct run { char *p; unsigned long i; char *q; };\n\
                 static void ahead_p(struct run *it) { it->p++; }\n\
                 static void ahead_q(struct run *it) { it->q++; }\n\
                 void f(char *p, char *q) {\n  struct run run = { p, 0, q };\n  char word[2];\n"
            }
        }
    }
}

/// What bytes are.
const BYTES: [u8; 3] = [0, b'a', b'b'];
/// Bytes of a text.
const LENGTH: usize = 3;
/// No run that ends takes so many steps.
const MOST_STEPS: u32 = 600;

/// What is asked of a byte.
#[derive(Clone, Copy)]
enum Test {
    /// It is this one of [`BYTES`].
    Is(usize),
    /// It is not.
    IsNot(usize),
}

/// A statement, about pointers by their numbers; `i` counts.
enum Statement {
    Forward(usize, i64),
    Assign(usize, usize),
    Write(usize, usize),
    Count,
    Restart,
    /// `p += i`.
    Advance(usize),
    /// `p += strlen(p)`.
    ToEnd(usize),
    /// `p = strchr(p, 'a')`, and returns if there is none.
    Find(usize),
    /// `memcpy(word, p, 2)`, and a step.
    Take(usize),
    Return,
    If(Place, Test, Vec<Statement>, Vec<Statement>),
    While(Place, Test, Vec<Statement>),
}
use Statement::{
    Advance, Assign, Count, Find, Forward, If, Restart, Return, Take, ToEnd, While, Write,
};

/// Where a byte is read: at a pointer, or `i` bytes behind it.
#[derive(Clone, Copy)]
enum Place {
    At(usize),
    Behind(usize),
}
use Place::{At, Behind};

fn statements(random: &mut Random, depth: usize, most: usize) -> Vec<Statement> {
    let n = 1 + random.below(most);
    (0..n).map(|_| statement(random, depth)).collect()
}

fn place(random: &mut Random) -> Place {
    let pointer = random.below(2);
    if random.below(4) == 0 { Behind(pointer) } else { At(pointer) }
}

fn test(random: &mut Random) -> Test {
    let byte = random.below(3);
    if random.below(2) == 0 { Test::Is(byte) } else { Test::IsNot(byte) }
}

fn statement(random: &mut Random, depth: usize) -> Statement {
    let [a, b] = [random.below(2), random.below(2)];
    match random.below(24) {
        0..=5 => Forward(a, 1),
        6 => Forward(a, 2),
        7 => Forward(a, -1),
        8 => Assign(a, b),
        9 | 10 => Write(a, random.below(3)),
        11 => Count,
        12 => Restart,
        13 => Advance(a),
        14 => ToEnd(a),
        15 => Find(a),
        16 => Take(a),
        17 => Return,
        18..=20 if depth < 2 => {
            let (then, otherwise) =
                (statements(random, depth + 1, 3), statements(random, depth + 1, 2));
            If(place(random), test(random), then, otherwise)
        }
        21 | 22 if depth < 2 => {
            While(place(random), test(random), statements(random, depth + 1, 2))
        }
        _ => Forward(a, 1),
    }
}

/// A loop over a text.
fn function(random: &mut Random) -> Vec<Statement> {
    let mut body = statements(random, 0, 3);
    if random.below(2) == 0 {
        body.push(Forward(random.below(2), 1));
    }
    vec![While(At(0), Test::IsNot(0), body)]
}

/// Functions that tell what might be told wrongly.
fn known() -> Vec<Vec<Statement>> {
    let (is_a, not_a) = (Test::Is(1), Test::IsNot(1));
    let text = |body| vec![While(At(0), Test::IsNot(0), body)];
    let stretch = || While(At(0), is_a, vec![Forward(0, 1)]);
    vec![
        // A stretch of one kind, or a step; and a stretch that may be empty.
        text(vec![If(At(0), is_a, vec![stretch()], vec![Forward(0, 1)])]),
        text(vec![stretch()]),
        // What was read there is written over.
        text(vec![If(At(0), is_a, vec![Write(1, 2), stretch()], vec![Forward(0, 1)])]),
        text(vec![If(At(0), is_a, vec![Write(0, 2), stretch()], vec![Forward(0, 1)])]),
        // The pointer goes elsewhere between.
        text(vec![If(At(0), is_a, vec![Assign(0, 1), stretch()], vec![Forward(0, 1)])]),
        text(vec![If(Behind(0), is_a, vec![Count, stretch()], vec![Forward(0, 1)])]),
        // Two that follow each other, and two that come back to each other.
        text(vec![Assign(1, 0), Forward(1, 1), Assign(0, 1)]),
        text(vec![Assign(1, 0), Forward(0, 1), Assign(0, 1)]),
        // Lengths, places that are found, words.
        text(vec![ToEnd(0)]),
        text(vec![ToEnd(0), Forward(0, 1)]),
        text(vec![Find(0), Forward(0, 1)]),
        text(vec![Find(0)]),
        text(vec![Take(0), Forward(0, -1)]),
        text(vec![Take(0), Forward(0, -2)]),
        text(vec![Restart, While(Behind(0), not_a, vec![Count]), Advance(0)]),
        text(vec![Restart, Count, While(Behind(0), not_a, vec![Count]), Advance(0)]),
    ]
}

fn print(statements: &[Statement], (home, indent): (Home, usize), text: &mut String) {
    for statement in statements {
        let _ = write!(text, "{:indent$}", "");
        let at = |place: &Place| match place {
            At(pointer) => format!("*{}", home.pointer(*pointer)),
            Behind(pointer) => format!("{}[{}]", home.pointer(*pointer), home.count()),
        };
        let holds = |place: &Place, test: &Test| match test {
            Test::Is(byte) => format!("{} == {}", at(place), BYTES[*byte]),
            Test::IsNot(byte) => format!("{} != {}", at(place), BYTES[*byte]),
        };
        let (p, i) = (|pointer: &usize| home.pointer(*pointer), home.count());
        let _ = match statement {
            Forward(it, by) => writeln!(text, "{}", home.forward(*it, *by)),
            Assign(to, from) => writeln!(text, "{}", home.assign(*to, *from)),
            Write(it, byte) => writeln!(text, "*{} = {};", p(it), BYTES[*byte]),
            Count => writeln!(text, "{i}++;"),
            Restart => writeln!(text, "{i} = 0;"),
            Advance(it) => writeln!(text, "{} += {i};", p(it)),
            ToEnd(it) => writeln!(text, "{0} += strlen({0});", p(it)),
            Find(it) => writeln!(text, "{0} = strchr({0}, 'a'); if (!{0}) return;", p(it)),
            Take(it) => writeln!(text, "memcpy(word, {0}, 2); {0} += 2;", p(it)),
            Return => writeln!(text, "return;"),
            If(place, test, then, otherwise) => {
                let _ = writeln!(text, "if ({}) {{", holds(place, test));
                print(then, (home, indent + 2), text);
                let _ = writeln!(text, "{:indent$}}} else {{", "");
                print(otherwise, (home, indent + 2), text);
                writeln!(text, "{:indent$}}}", "")
            }
            While(place, test, body) => {
                let _ = writeln!(text, "while ({}) {{", holds(place, test));
                print(body, (home, indent + 2), text);
                writeln!(text, "{:indent$}}}", "")
            }
        };
    }
}

/// What a run has before it: two texts of `LENGTH` bytes, and where pointers are in one of them.
struct Run {
    texts: [[u8; LENGTH]; 2],
    pointers: [(usize, i64); 2],
    count: i64,
    steps: u32,
}

/// Why a run goes no further.
enum Stop {
    Undefined,
    Returned,
    Endless,
}

impl Run {
    fn all(&mut self, statements: &[Statement]) -> Result<(), Stop> {
        statements.iter().try_for_each(|it| self.one(it))
    }

    fn byte(&mut self, (text, at): (usize, i64)) -> Result<&mut u8, Stop> {
        let at = usize::try_from(at).map_err(|_| Stop::Undefined)?;
        self.texts[text].get_mut(at).ok_or(Stop::Undefined)
    }

    fn holds(&mut self, place: Place, test: Test) -> Result<bool, Stop> {
        self.step()?;
        let (At(pointer) | Behind(pointer)) = place;
        let (text, at) = self.pointers[pointer];
        let more = if let Behind(_) = place { self.count } else { 0 };
        let byte = *self.byte((text, at + more))?;
        Ok(match test {
            Test::Is(it) => byte == BYTES[it],
            Test::IsNot(it) => byte != BYTES[it],
        })
    }

    fn go(&mut self, pointer: usize, by: i64) -> Result<(), Stop> {
        let at = self.pointers[pointer].1 + by;
        self.pointers[pointer].1 = at;
        if (0..=LENGTH).contains(&usize::try_from(at).unwrap_or(usize::MAX)) {
            Ok(())
        } else {
            Err(Stop::Undefined)
        }
    }

    /// How far it is from a pointer to one of these bytes.
    fn distance(&mut self, pointer: usize, bytes: &[u8]) -> Result<i64, Stop> {
        let (text, at) = self.pointers[pointer];
        let mut more = 0;
        while !bytes.contains(self.byte((text, at + more))?) {
            more += 1;
        }
        Ok(more)
    }

    fn step(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > MOST_STEPS { Err(Stop::Endless) } else { Ok(()) }
    }

    fn one(&mut self, statement: &Statement) -> Result<(), Stop> {
        self.step()?;
        match statement {
            Forward(it, by) => self.go(*it, *by)?,
            Assign(to, from) => self.pointers[*to] = self.pointers[*from],
            Write(it, byte) => *self.byte(self.pointers[*it])? = BYTES[*byte],
            Count => self.count += 1,
            Restart => self.count = 0,
            Advance(it) => self.go(*it, self.count)?,
            ToEnd(it) => {
                let end = self.distance(*it, &[0])?;
                self.go(*it, end)?;
            }
            Find(it) => {
                let found = self.distance(*it, &[0, b'a'])?;
                self.go(*it, found)?;
                if *self.byte(self.pointers[*it])? == 0 {
                    return Err(Stop::Returned);
                }
            }
            Take(it) => {
                self.go(*it, 2)?;
            }
            Return => return Err(Stop::Returned),
            If(place, test, then, otherwise) => {
                let holds = self.holds(*place, *test)?;
                self.all(if holds { then } else { otherwise })?;
            }
            While(place, test, body) => {
                while self.holds(*place, *test)? {
                    self.all(body)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether some call has no end: with each two texts, and pointers anywhere in them.
fn has_endless_call(function: &[Statement]) -> bool {
    let n_texts = BYTES.len().pow(2 * LENGTH as u32);
    let n_places = 2 * LENGTH;
    (0..n_texts * n_places * n_places).any(|number| {
        let mut rest = number;
        let mut next = |n: usize| {
            let digit = rest % n;
            rest /= n;
            digit
        };
        let mut pointer = || {
            let place = next(n_places);
            (place / LENGTH, (place % LENGTH) as i64)
        };
        let pointers = [pointer(), pointer()];
        let texts = [(); 2].map(|()| [(); LENGTH].map(|()| BYTES[next(BYTES.len())]));
        let mut run = Run { texts, pointers, count: 0, steps: 0 };
        matches!(run.all(function), Err(Stop::Endless))
    })
}

#[test]
fn moves_along_texts_that_are_proved_to_end_do_so_in_all_small_texts() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let mut random = Random(number("WANE_SEED").unwrap_or(1));
    let n_random = number("WANE_MOVES").unwrap_or(40);
    let library = ShapeLibrary::builtin().unwrap();
    let functions: Vec<Vec<Statement>> =
        known().into_iter().chain((0..n_random).map(|_| function(&mut random))).collect();
    let mut n_proved = 0;
    for (function, home) in functions.iter().flat_map(|it| Home::ALL.map(|home| (it, home))) {
        let mut text = "unsigned long strlen(const char *);\nchar *strchr(const char *, int);\n\
                        void *memcpy(void *, const void *, unsigned long);\n"
            .to_owned();
        text.push_str(home.begin());
        print(function, (home, 2), &mut text);
        text.push_str("}\n");
        if is_proved(&text, &library) {
            n_proved += 1;
            assert!(!has_endless_call(function), "this was proved, and has no end:\n{text}");
        }
    }
    let n_functions = functions.len() * Home::ALL.len();
    assert!(n_proved * 4 >= n_functions, "only {n_proved} of {n_functions} proofs");
}
