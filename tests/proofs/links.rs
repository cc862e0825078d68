//! What is proved of functions that walk along links (rule LINKS), against all calls with three
//! nodes whose links lead to an end: random functions, run here statement by statement. A run that
//! takes a null pointer for a node is undefined, and one that takes many steps has no end.
//!
//! `WANE_LINKS=1000` tries more functions, `WANE_SEED` others.

use crate::callers::options;
use crate::random_numbers::Random;
use std::fmt::Write as _;
use wane::base::budget::Budget;
use wane::c::{PreprocessedSource, compile};
use wane::evidence::approach::Form;
use wane::heap::shape::ShapeLibrary;
use wane::ir::semantics::Definedness;
use wane::obligation::{Goal, Obligation};
use wane::prove::by_numbers;
use wane::verdict::Verdict;

const VARIABLES: [&str; 3] = ["p", "q", "r"];
const LINKS: [&str; 2] = ["next", "other"];
const N_NODES: usize = 3;
/// No run that ends takes so many steps.
const MOST_STEPS: u32 = 400;
/// Steps of one analysis.
const STEPS: u64 = 200_000;

/// A statement, about variables and links by their numbers.
enum Statement {
    Load(usize, usize, usize),
    Copy(usize, usize),
    Store(usize, usize, usize),
    Clear(usize, usize),
    If(usize, Vec<Statement>, Vec<Statement>),
    While(usize, Vec<Statement>),
}
use Statement::{Clear, Copy, If, Load, Store, While};

fn statements(random: &mut Random, depth: usize, most: usize) -> Vec<Statement> {
    let n = 1 + random.below(most);
    (0..n).map(|_| statement(random, depth)).collect()
}

fn statement(random: &mut Random, depth: usize) -> Statement {
    let [a, b] = [random.below(3), random.below(3)];
    let link = random.below(2);
    match random.below(20) {
        0..=6 => Load(a, b, link),
        7..=10 => Copy(a, b),
        11..=13 => Store(a, link, b),
        14 => Clear(a, link),
        15..=17 if depth < 2 => {
            If(a, statements(random, depth + 1, 3), statements(random, depth + 1, 2))
        }
        18 if depth < 1 => While(a, statements(random, depth + 1, 3)),
        _ => Load(a, a, link),
    }
}

/// A loop over a list whose body ends with a step.
fn function(random: &mut Random) -> Vec<Statement> {
    let mut body = statements(random, 0, 4);
    body.push(match random.below(4) {
        0 => Copy(0, 1),
        1 => Load(0, 1, 0),
        _ => Load(0, 0, random.below(2)),
    });
    vec![Copy(2, 0), While(0, body)]
}

/// Functions that tell what might be told wrongly.
fn known() -> Vec<Vec<Statement>> {
    let guarded = |statements| If(1, statements, Vec::new());
    vec![
        // Turned round.
        vec![Copy(2, 1), While(0, vec![Load(1, 0, 0), Store(0, 0, 2), Copy(2, 0), Copy(0, 1)])],
        // Set ahead.
        vec![Copy(2, 0), While(0, vec![Load(1, 0, 0), guarded(vec![Store(1, 0, 2)]), Copy(0, 1)])],
        // Down one link and back by another.
        vec![While(0, vec![Load(1, 0, 0), guarded(vec![Load(1, 1, 1)]), Copy(0, 1)])],
        vec![While(
            0,
            vec![Load(1, 0, 0), guarded(vec![Store(1, 1, 0), Load(1, 1, 1)]), Copy(0, 1)],
        )],
        // Another link changes.
        vec![While(0, vec![Store(0, 1, 2), Copy(2, 0), Load(0, 0, 0)])],
    ]
}

fn print(statements: &[Statement], indent: usize, text: &mut String) {
    let [v, l] = [VARIABLES, [LINKS[0], LINKS[1], ""]];
    for statement in statements {
        let _ = write!(text, "{:indent$}", "");
        let _ = match statement {
            Load(to, from, link) => writeln!(text, "{} = {}->{};", v[*to], v[*from], l[*link]),
            Copy(to, from) => writeln!(text, "{} = {};", v[*to], v[*from]),
            Store(at, link, from) => writeln!(text, "{}->{} = {};", v[*at], l[*link], v[*from]),
            Clear(at, link) => writeln!(text, "{}->{} = 0;", v[*at], l[*link]),
            If(about, then, otherwise) => {
                let _ = writeln!(text, "if ({}) {{", v[*about]);
                print(then, indent + 2, text);
                let _ = writeln!(text, "{:indent$}}} else {{", "");
                print(otherwise, indent + 2, text);
                writeln!(text, "{:indent$}}}", "")
            }
            While(about, body) => {
                let _ = writeln!(text, "while ({}) {{", v[*about]);
                print(body, indent + 2, text);
                writeln!(text, "{:indent$}}}", "")
            }
        };
    }
}

/// What a run has before it.
struct Run {
    values: [Option<usize>; 3],
    links: [[Option<usize>; 2]; N_NODES],
    steps: u32,
}

/// Why a run goes no further.
enum Stop {
    Undefined,
    Endless,
}

impl Run {
    fn all(&mut self, statements: &[Statement]) -> Result<(), Stop> {
        statements.iter().try_for_each(|it| self.one(it))
    }

    fn one(&mut self, statement: &Statement) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(Stop::Endless);
        }
        let node = |it: usize| self.values[it].ok_or(Stop::Undefined);
        match statement {
            Load(to, from, link) => self.values[*to] = self.links[node(*from)?][*link],
            Copy(to, from) => self.values[*to] = self.values[*from],
            Store(at, link, from) => self.links[node(*at)?][*link] = self.values[*from],
            Clear(at, link) => self.links[node(*at)?][*link] = None,
            If(about, then, otherwise) => {
                let is_node = self.values[*about].is_some();
                self.all(if is_node { then } else { otherwise })?;
            }
            While(about, body) => {
                while self.values[*about].is_some() {
                    self.all(body)?;
                    self.one(&Copy(0, 0))?;
                }
            }
        }
        Ok(())
    }
}

/// Whether some call with nodes whose links lead to those before them has no end.
fn has_endless_call(function: &[Statement]) -> bool {
    let any = |nodes: usize, number: usize| (number % (nodes + 1)).checked_sub(1);
    let n_links: usize = (0..N_NODES).map(|it| (it + 1) * (it + 1)).product();
    let n_values = (N_NODES + 1).pow(3);
    (0..n_links * n_values).any(|number| {
        let (mut rest, mut links) = (number / n_values, [[None; 2]; N_NODES]);
        for (node, links) in links.iter_mut().enumerate() {
            for link in links {
                *link = any(node, rest);
                rest /= node + 1;
            }
        }
        let mut rest = number % n_values;
        let values = [(); 3].map(|()| {
            let value = any(N_NODES, rest);
            rest /= N_NODES + 1;
            value
        });
        let mut run = Run { values, links, steps: 0 };
        matches!(run.all(function), Err(Stop::Endless))
    })
}

/// Whether it is proved by numbers alone that all calls end, with no condition but that links lead to
/// an end.
pub(crate) fn is_proved(text: &str, library: &ShapeLibrary) -> bool {
    let source = PreprocessedSource { name: "f.c".to_owned(), text: text.to_owned() };
    let program = compile(&source, &options()).unwrap();
    let obligation = Obligation::new(&program, Goal::Ends).with_definedness(Definedness::Assumed);
    let verdict = by_numbers(&obligation, library, &Budget::of_steps(STEPS));
    matches!(verdict, Some(Verdict::Proved(proof)) if matches!(proof.approach.form, Form::Numbers(_)))
}

#[test]
fn walks_along_links_that_are_proved_to_end_do_so_in_all_small_memories() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let mut random = Random(number("WANE_SEED").unwrap_or(1));
    let n_random = number("WANE_LINKS").unwrap_or(150);
    let library = ShapeLibrary::builtin().unwrap();
    let functions: Vec<Vec<Statement>> =
        known().into_iter().chain((0..n_random).map(|_| function(&mut random))).collect();
    let mut n_proved = 0;
    for function in &functions {
        let mut text = "struct node { struct node *next, *other; };\n".to_owned();
        text.push_str("void f(struct node *p, struct node *q, struct node *r) {\n");
        print(function, 2, &mut text);
        text.push_str("}\n");
        if is_proved(&text, &library) {
            n_proved += 1;
            assert!(!has_endless_call(function), "this was proved, and has no end:\n{text}");
        }
    }
    assert!(n_proved * 12 >= functions.len(), "only {n_proved} of {} proofs", functions.len());
}
