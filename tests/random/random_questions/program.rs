//! Random C programs of few states, and their graphs of states.
//!
//! Beside two global variables that have a first value, there is memory that has none here: it is
//! part of the initial state. Programs compare it with small constants only, so a few numbers
//! stand for all of them.

mod graph;

use super::random::Random;
use graph::{Arrival, Point, Points, Targets};
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(crate) use graph::{Choices, Graph, Happening, Steps};

/// The values of the variables, in their order.
pub(crate) type Values = Vec<i64>;

/// What stands for all numbers, where these are compared with 0, 1 and 2 only.
const ANY: [i64; 5] = [0, 1, 2, 3, -1];

/// The two variables that are computed with.
const X: usize = 0;
const Y: usize = 1;
/// A variable that takes inputs, and that no formula speaks of.
const INPUT: usize = 2;
/// The first of those whose values are only compared and copied.
const KEPT: usize = 3;

/// A variable, or an object in memory.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// How it is written in C.
    text: &'static str,
    /// What declares it.
    declaration: &'static str,
    /// Its first value, if it has one.
    start: Option<i64>,
}

/// What may stand beside the two variables.
const CELLS: [Cell; 7] = [
    Cell { text: "e", declaration: "extern int e;", start: None },
    Cell { text: "a[1]", declaration: "extern int a[2];", start: None },
    Cell { text: "r.v", declaration: "extern struct s { int u, v; } r;", start: None },
    Cell { text: "*p", declaration: "extern int t;\nint *p = &t;", start: None },
    Cell {
        text: "q->v",
        declaration: "extern struct s { int u, v; } n;\nstruct s *q = &n;",
        start: None,
    },
    Cell { text: "m[1]", declaration: "int m[2] = {0, 1};", start: Some(1) },
    Cell { text: "*k", declaration: "int o = 2;\nint *k = &o;", start: Some(2) },
];

/// What is assigned to a variable.
#[derive(Clone, Copy, Debug)]
enum Value {
    Constant(i64),
    /// Another variable.
    Copy(usize),
    /// The variable and 1 or -1.
    Plus(i64),
    /// One without the variable.
    Flipped,
}

/// A comparison of a variable with a constant.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    pub(crate) variable: usize,
    text: &'static str,
    operator: &'static str,
    constant: i64,
}

impl Test {
    pub(crate) fn holds(&self, values: &[i64]) -> bool {
        let value = values[self.variable];
        match self.operator {
            "==" => value == self.constant,
            "!=" => value != self.constant,
            "<" => value < self.constant,
            _ => value > self.constant,
        }
    }

    pub(crate) fn text(&self) -> String {
        format!("{} {} {}", self.text, self.operator, self.constant)
    }

    /// The test as part of a formula.
    pub(crate) fn proposition(&self) -> String {
        if self.variable < KEPT { self.text() } else { format!("\"{}\"", self.text()) }
    }
}

/// How an input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// Where it is used.
    Here,
    /// By a function that returns it.
    Callee,
}

#[derive(Clone, Debug)]
enum Condition {
    Always,
    Input(Source),
    Test(Test),
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Self::Always => "1".to_owned(),
            Self::Input(Source::Here) => "nondet()".to_owned(),
            Self::Input(Source::Callee) => "fetch()".to_owned(),
            Self::Test(test) => test.text(),
        }
    }
}

/// The functions that specifications watch.
pub(crate) const WATCHED: [&str; 2] = ["take", "give"];

#[derive(Clone, Debug)]
enum Statement {
    Set(usize, Value),
    If(Condition, Block, Block),
    While(Condition, Block),
    /// So many rounds, counted by a variable of its own.
    Repeat(usize, Block),
    /// The variable gets a value from 0 to 2 from outside.
    Pick(usize, Source),
    /// The variable that no formula speaks of gets any value.
    Draw(Source),
    /// Runs with other values are none.
    Assume(Test),
    /// A store that C does not define: a run that comes there is none.
    Crash,
    /// The call of `step`.
    Call,
    /// The call of a function that does nothing.
    Event(usize),
    Break,
    Return,
}

type Block = Vec<Statement>;

/// Where a statement stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Main,
    Loop,
    Function,
    LoopOfFunction,
}

/// A program with `main` and a function.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    cells: Vec<Cell>,
    start: [i64; 2],
    main: Block,
    step: Block,
}

/// What draws a program.
struct Draw<'a> {
    random: &'a mut Random,
    cells: &'a [Cell],
}

impl Program {
    /// A program that does something.
    pub(crate) fn random(random: &mut Random) -> Self {
        loop {
            let program = Self::any(random);
            let Some(graph) = program.graph() else { continue };
            let differs = |it: &Values| it[..2] != graph.values[0][..2];
            if graph.values.iter().any(differs) && graph.values.len() > 8 {
                return program;
            }
        }
    }

    fn any(random: &mut Random) -> Self {
        let mut cells: Vec<Cell> = Vec::new();
        for _ in 0..random.below(3) {
            let cell = CELLS[random.below(CELLS.len())];
            let is_new = |it: &Cell| it.text != cell.text;
            // Both structures have one type.
            let is_apart = |it: &Cell| {
                !it.declaration.contains("struct") || !cell.declaration.contains("struct")
            };
            if cells.iter().all(|it| is_new(it) && is_apart(it)) {
                cells.push(cell);
            }
        }
        let start = [random.number(3), random.number(2)];
        let mut draw = Draw { random, cells: &cells };
        let step = draw.block(1, Place::Function);
        let mut main = draw.block(3, Place::Main);
        if draw.random.below(2) == 0 {
            // Many formulas speak of runs that go on for ever.
            main.push(Statement::While(Condition::Always, draw.block(2, Place::Loop)));
        }
        Self { cells, start, main, step }
    }

    fn names(&self) -> Vec<&'static str> {
        ["x", "y", "h"].into_iter().chain(self.cells.iter().map(|it| it.text)).collect()
    }

    /// A comparison that a formula may make.
    pub(crate) fn test(&self, random: &mut Random) -> Test {
        Draw { random, cells: &self.cells }.proposition()
    }

    /// The program in C.
    pub(crate) fn text(&self) -> String {
        let [x, y] = self.start;
        let mut text = "int nondet(void);\nvoid __VERIFIER_assume(int);\n".to_owned();
        let _ = writeln!(text, "int x = {x}, y = {y}, h, *nowhere;");
        for cell in &self.cells {
            let _ = writeln!(text, "{}", cell.declaration);
        }
        for name in WATCHED {
            let _ = writeln!(text, "void {name}(void) {{}}");
        }
        text.push_str("static int fetch(void) { return nondet(); }\n");
        text.push_str("static int pick(void) {\n    int v = nondet();\n");
        text.push_str("    __VERIFIER_assume(v >= 0 && v <= 2);\n    return v;\n}\n");
        let names = self.names();
        if calls(&self.main) {
            text.push_str("static void step(void) {\n");
            write_block(&self.step, (1, "return;"), &names, &mut text);
            text.push_str("}\n");
        }
        text.push_str("int main(void) {\n");
        write_block(&self.main, (1, "return 0;"), &names, &mut text);
        text + "    return 0;\n}\n"
    }

    /// The values in which the program may start.
    fn starts(&self) -> Vec<Values> {
        let mut starts = vec![vec![self.start[0], self.start[1], 0]];
        for cell in &self.cells {
            let values: Vec<i64> = cell.start.map_or(ANY.to_vec(), |it| vec![it]);
            let longer = |start: Values| {
                let with = move |value: &i64| [start.as_slice(), &[*value]].concat();
                values.iter().map(with).collect::<Vec<_>>()
            };
            starts = starts.into_iter().flat_map(longer).collect();
        }
        starts
    }

    /// The states that the program can reach, and the events on the way. Where it ends, the last
    /// state is repeated.
    pub(crate) fn steps(&self) -> Steps {
        let mut points = Points {
            all: vec![Point::End],
            heads: Vec::new(),
            rounds: Vec::new(),
            step: &self.step,
        };
        let start = points.block(&self.main, Targets { next: 0, out: 0, end: 0 });
        let mut numbers = BTreeMap::new();
        let mut states: Vec<(usize, Values, Arrival)> = Vec::new();
        for values in self.starts() {
            numbers.insert((start, values.clone(), Arrival::Start), states.len());
            states.push((start, values, Arrival::Start));
        }
        let n_initial = states.len();
        let mut successors = Vec::new();
        let mut events = Vec::new();
        while let Some((point, values, _)) = states.get(successors.len()).cloned() {
            let next = points.after(point, &values).into_iter().map(|next| {
                *numbers.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    states.len() - 1
                })
            });
            successors.push(next.collect());
            events.push(match points.all[point] {
                Point::Event(event, _) => Happening::Event(event),
                Point::End => Happening::End,
                _ => Happening::Nothing,
            });
        }
        let at = |number: &usize| &states[*number];
        let all: Vec<usize> = (0..states.len()).collect();
        let arrivals = all.iter().map(|it| at(it).2).collect();
        let is_among = |list: &[usize]| all.iter().map(|it| list.contains(&at(it).0)).collect();
        let (is_head, is_round) = (is_among(&points.heads), is_among(&points.rounds));
        let ends = all.iter().map(|it| at(it).0 == 0).collect();
        let values = states.iter().map(|state| state.1.clone()).collect();
        let in_memory = (0..self.cells.len()).filter(|it| self.cells[*it].text != "e");
        let in_memory = in_memory.map(|it| KEPT + it).collect();
        Steps {
            successors,
            values,
            events,
            n_initial,
            arrivals,
            is_head,
            is_round,
            ends,
            in_memory,
        }
    }

    /// The states from which a run goes on; `None` if the program has no run.
    pub(crate) fn graph(&self) -> Option<Graph> {
        self.steps().graph()
    }
}

impl Draw<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn block(&mut self, depth: usize, place: Place) -> Block {
        (0..=self.below(3)).map(|_| self.statement(depth, place)).collect()
    }

    fn test_of(&mut self, variable: usize) -> Test {
        let text = match variable {
            X => "x",
            Y => "y",
            INPUT => "h",
            kept => self.cells[kept - KEPT].text,
        };
        let operator = ["==", "!=", "<", ">"][self.below(4)];
        Test { variable, text, operator, constant: self.random.number(3) }
    }

    fn proposition(&mut self) -> Test {
        let kept = self.below(2 * (1 + self.cells.len()));
        let variable = if kept < self.cells.len() { KEPT + kept } else { self.below(2) };
        self.test_of(variable)
    }

    /// A test of any variable.
    fn test(&mut self) -> Test {
        let variable = self.below(KEPT + self.cells.len());
        self.test_of(variable)
    }

    fn source(&mut self) -> Source {
        [Source::Here, Source::Callee][self.below(2)]
    }

    fn condition(&mut self) -> Condition {
        if self.below(2) == 0 {
            Condition::Input(self.source())
        } else {
            Condition::Test(self.test())
        }
    }

    /// A change of a variable that is only compared and copied.
    fn keep(&mut self) -> Statement {
        let n_kept = 1 + self.cells.len();
        let (target, other) = (INPUT + self.below(n_kept), INPUT + self.below(n_kept));
        match self.below(3) {
            0 => Statement::Draw(self.source()),
            1 if target != other => Statement::Set(target, Value::Copy(other)),
            _ => Statement::Set(target, Value::Constant(self.random.number(3))),
        }
    }

    fn statement(&mut self, depth: usize, place: Place) -> Statement {
        let variable = self.below(2);
        let inside = match place {
            Place::Main | Place::Loop => Place::Loop,
            Place::Function | Place::LoopOfFunction => Place::LoopOfFunction,
        };
        match self.below(if depth == 0 { 9 } else { 18 }) {
            0 | 1 => Statement::Set(variable, Value::Constant(self.random.number(3))),
            2 => self.keep(),
            3 => match self.below(4) {
                0 => Statement::Pick(variable, self.source()),
                1 if self.below(2) == 0 => Statement::Assume(self.test()),
                1 => Statement::If(self.condition(), vec![Statement::Crash], Vec::new()),
                kind => {
                    let value = [Value::Copy(1 - variable), Value::Flipped][kind % 2];
                    Statement::Set(variable, value)
                }
            },
            4 | 5 => self.bounded(variable),
            6 if place != Place::Function && place != Place::LoopOfFunction => Statement::Call,
            7 if depth < 2 && inside == place => {
                let leave = [Statement::Break, Statement::Return][self.below(3) / 2].clone();
                Statement::If(self.condition(), vec![leave], Vec::new())
            }
            6..=8 => Statement::Event(self.below(WATCHED.len())),
            9..=11 => {
                let then = self.block(depth - 1, place);
                let other =
                    if self.below(2) == 0 { self.block(depth - 1, place) } else { Vec::new() };
                Statement::If(self.condition(), then, other)
            }
            12..=15 => Statement::While(self.condition(), self.block(depth - 1, inside)),
            16 => Statement::While(Condition::Always, self.block(depth - 1, inside)),
            _ => Statement::Repeat(1 + self.below(2), self.block(depth - 1, inside)),
        }
    }

    /// A step of a variable that stays between 0 and 3, or comes from below 0.
    fn bounded(&mut self, variable: usize) -> Statement {
        let step = [1, -1][self.below(2)];
        let (operator, constant) = if step > 0 { ("<", 3) } else { (">", 0) };
        let text = ["x", "y"][variable];
        let within = Condition::Test(Test { variable, text, operator, constant });
        Statement::If(within, vec![Statement::Set(variable, Value::Plus(step))], Vec::new())
    }
}

/// Whether the function is called.
fn calls(block: &Block) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Call => true,
        Statement::If(_, then, other) => calls(then) || calls(other),
        Statement::While(_, body) | Statement::Repeat(_, body) => calls(body),
        Statement::Set(..)
        | Statement::Pick(..)
        | Statement::Draw(_)
        | Statement::Assume(_)
        | Statement::Crash
        | Statement::Event(_)
        | Statement::Break
        | Statement::Return => false,
    })
}

fn write_block(block: &Block, (depth, end): (usize, &str), names: &[&str], text: &mut String) {
    let indent = "    ".repeat(depth);
    let inner = |head: String, block: &Block, text: &mut String| {
        let _ = writeln!(text, "{indent}{head} {{");
        write_block(block, (depth + 1, end), names, text);
        let _ = writeln!(text, "{indent}}}");
    };
    for statement in block {
        let line = match statement {
            Statement::If(condition, then, other) => {
                inner(format!("if ({})", condition.text()), then, text);
                if !other.is_empty() {
                    inner("else".to_owned(), other, text);
                }
                continue;
            }
            Statement::While(condition, body) => {
                inner(format!("while ({})", condition.text()), body, text);
                continue;
            }
            Statement::Repeat(rounds, body) => {
                let i = format!("i{depth}");
                inner(format!("for (int {i} = 0; {i} < {rounds}; {i}++)"), body, text);
                continue;
            }
            Statement::Set(variable, value) => {
                let name = names[*variable];
                match value {
                    Value::Constant(constant) => format!("{name} = {constant};"),
                    Value::Copy(other) => format!("{name} = {};", names[*other]),
                    Value::Plus(1) => format!("{name}++;"),
                    Value::Plus(_) => format!("{name}--;"),
                    Value::Flipped => format!("{name} = 1 - {name};"),
                }
            }
            Statement::Pick(variable, Source::Here) => {
                let name = names[*variable];
                format!("{name} = nondet(); __VERIFIER_assume({name} >= 0 && {name} <= 2);")
            }
            Statement::Pick(variable, Source::Callee) => format!("{} = pick();", names[*variable]),
            Statement::Draw(Source::Here) => "h = nondet();".to_owned(),
            Statement::Draw(Source::Callee) => "h = fetch();".to_owned(),
            Statement::Assume(test) => format!("__VERIFIER_assume({});", test.text()),
            Statement::Crash => "*nowhere = 1;".to_owned(),
            Statement::Call => "step();".to_owned(),
            Statement::Event(event) => format!("{}();", WATCHED[*event]),
            Statement::Break => "break;".to_owned(),
            Statement::Return => end.to_owned(),
        };
        let _ = writeln!(text, "{indent}{line}");
    }
}
