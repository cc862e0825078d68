//! Random C programs of few states, and their graphs of states.

use super::random::Random;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The variables, both global.
pub(crate) const NAMES: [&str; 2] = ["x", "y"];

/// What is assigned to a variable.
#[derive(Clone, Copy, Debug)]
enum Value {
    Constant(i64),
    /// The other variable.
    Other,
    /// The variable and 1 or -1.
    Plus(i64),
    /// One without the variable.
    Flipped,
}

/// A comparison of a variable with a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    pub(crate) variable: usize,
    pub(crate) operator: &'static str,
    pub(crate) constant: i64,
}

impl Test {
    pub(crate) fn random(random: &mut Random) -> Self {
        let operator = ["==", "!=", "<", ">"][random.below(4)];
        Self { variable: random.below(2), operator, constant: random.number(3) }
    }

    pub(crate) fn holds(self, values: [i64; 2]) -> bool {
        let value = values[self.variable];
        match self.operator {
            "==" => value == self.constant,
            "!=" => value != self.constant,
            "<" => value < self.constant,
            _ => value > self.constant,
        }
    }

    pub(crate) fn text(self) -> String {
        format!("{} {} {}", NAMES[self.variable], self.operator, self.constant)
    }
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    Always,
    Input,
    Test(Test),
}

impl Condition {
    fn random(random: &mut Random) -> Self {
        if random.below(2) == 0 { Self::Input } else { Self::Test(Test::random(random)) }
    }

    fn text(self) -> String {
        match self {
            Self::Always => "1".to_owned(),
            Self::Input => "nondet()".to_owned(),
            Self::Test(test) => test.text(),
        }
    }
}

#[derive(Clone, Debug)]
enum Statement {
    Set(usize, Value),
    If(Condition, Block, Block),
    While(Condition, Block),
    /// So many rounds, counted by a variable of its own.
    Repeat(usize, Block),
    /// The variable gets a value from 0 to 2 from outside.
    Pick(usize),
    /// Runs with other values are none.
    Assume(Test),
    /// The call of `step`.
    Call,
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

/// A program with two variables, `main` and a function.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    start: [i64; 2],
    main: Block,
    step: Block,
}

impl Program {
    /// A program that does something.
    pub(crate) fn random(random: &mut Random) -> Self {
        loop {
            let program = Self::any(random);
            let Some(graph) = program.graph_of_runs() else { continue };
            if graph.values.iter().any(|it| *it != graph.values[0]) && graph.values.len() > 8 {
                return program;
            }
        }
    }

    fn any(random: &mut Random) -> Self {
        let start = [random.number(3), random.number(2)];
        let step = block(random, 1, Place::Function);
        let mut main = block(random, 3, Place::Main);
        if random.below(2) == 0 {
            // Many formulas speak of runs that go on for ever.
            main.push(Statement::While(Condition::Always, block(random, 2, Place::Loop)));
        }
        Self { start, main, step }
    }

    /// The program in C.
    pub(crate) fn text(&self) -> String {
        let [x, y] = self.start;
        let mut text = "int nondet(void);\nvoid __VERIFIER_assume(int);\n".to_owned();
        let _ = writeln!(text, "int x = {x}, y = {y};");
        if calls(&self.main) {
            text.push_str("static void step(void) {\n");
            write_block(&self.step, 1, "return;", &mut text);
            text.push_str("}\n");
        }
        text.push_str("int main(void) {\n");
        write_block(&self.main, 1, "return 0;", &mut text);
        text + "    return 0;\n}\n"
    }

    /// The states of the program's runs.
    pub(crate) fn graph(&self) -> Graph {
        self.graph_of_runs().unwrap()
    }

    /// The states that the program can reach and go on from. Where it ends, the last state is
    /// repeated. `None` if it has no run.
    fn graph_of_runs(&self) -> Option<Graph> {
        let mut points = Points { all: vec![Point::End], step: &self.step };
        let start = points.block(&self.main, Targets { next: 0, out: 0, end: 0 });
        let mut numbers = BTreeMap::from([((start, self.start), 0)]);
        let mut states = vec![(start, self.start)];
        let mut successors = Vec::new();
        while let Some(state) = states.get(successors.len()).copied() {
            let next = points.after(state).into_iter().map(|next| {
                *numbers.entry(next).or_insert_with(|| {
                    states.push(next);
                    states.len() - 1
                })
            });
            successors.push(next.collect());
        }
        let values = states.into_iter().map(|state| state.1).collect();
        Graph { successors, values }.without_dead_ends()
    }
}

fn block(random: &mut Random, depth: usize, place: Place) -> Block {
    (0..=random.below(3)).map(|_| statement(random, depth, place)).collect()
}

fn statement(random: &mut Random, depth: usize, place: Place) -> Statement {
    let variable = random.below(2);
    let inside = match place {
        Place::Main | Place::Loop => Place::Loop,
        Place::Function | Place::LoopOfFunction => Place::LoopOfFunction,
    };
    match random.below(if depth == 0 { 8 } else { 16 }) {
        0..=2 => Statement::Set(variable, Value::Constant(random.number(3))),
        3 => match random.below(4) {
            0 => Statement::Pick(variable),
            1 if random.below(2) == 0 => Statement::Assume(Test::random(random)),
            kind => Statement::Set(variable, [Value::Other, Value::Flipped][kind % 2]),
        },
        4 | 5 => bounded(variable, [1, -1][random.below(2)]),
        6 if place != Place::Function && place != Place::LoopOfFunction => Statement::Call,
        7 if depth < 2 && inside == place => {
            let leave = [Statement::Break, Statement::Return][random.below(3) / 2].clone();
            Statement::If(Condition::random(random), vec![leave], Vec::new())
        }
        6 | 7 => Statement::Set(variable, Value::Constant(0)),
        8..=10 => {
            let then = block(random, depth - 1, place);
            let other =
                if random.below(2) == 0 { block(random, depth - 1, place) } else { Vec::new() };
            Statement::If(Condition::random(random), then, other)
        }
        11..=13 => Statement::While(Condition::random(random), block(random, depth - 1, inside)),
        14 => Statement::While(Condition::Always, block(random, depth - 1, inside)),
        _ => Statement::Repeat(1 + random.below(2), block(random, depth - 1, inside)),
    }
}

/// A step of a variable that stays between 0 and 3, or comes from below 0.
fn bounded(variable: usize, step: i64) -> Statement {
    let (operator, constant) = if step > 0 { ("<", 3) } else { (">", 0) };
    let within = Condition::Test(Test { variable, operator, constant });
    Statement::If(within, vec![Statement::Set(variable, Value::Plus(step))], Vec::new())
}

/// Whether the function is called.
fn calls(block: &Block) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Call => true,
        Statement::If(_, then, other) => calls(then) || calls(other),
        Statement::While(_, body) | Statement::Repeat(_, body) => calls(body),
        Statement::Set(..)
        | Statement::Pick(_)
        | Statement::Assume(_)
        | Statement::Break
        | Statement::Return => false,
    })
}

fn write_block(block: &Block, depth: usize, end: &str, text: &mut String) {
    let indent = "    ".repeat(depth);
    let inner = |head: String, block: &Block, text: &mut String| {
        let _ = writeln!(text, "{indent}{head} {{");
        write_block(block, depth + 1, end, text);
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
                let (name, other) = (NAMES[*variable], NAMES[1 - variable]);
                match value {
                    Value::Constant(constant) => format!("{name} = {constant};"),
                    Value::Other => format!("{name} = {other};"),
                    Value::Plus(1) => format!("{name}++;"),
                    Value::Plus(_) => format!("{name}--;"),
                    Value::Flipped => format!("{name} = 1 - {name};"),
                }
            }
            Statement::Pick(variable) => {
                let name = NAMES[*variable];
                format!("{name} = nondet(); __VERIFIER_assume({name} >= 0 && {name} <= 2);")
            }
            Statement::Assume(test) => format!("__VERIFIER_assume({});", test.text()),
            Statement::Call => "step();".to_owned(),
            Statement::Break => "break;".to_owned(),
            Statement::Return => end.to_owned(),
        };
        let _ = writeln!(text, "{indent}{line}");
    }
}

/// A point of the program, calls and counted loops unrolled, with the points behind it.
#[derive(Clone, Copy, Debug)]
enum Point {
    Set(usize, Value, usize),
    Pick(usize, usize),
    Assume(Test, usize),
    Branch(Condition, usize, usize),
    End,
}

/// Where statements lead.
#[derive(Clone, Copy)]
struct Targets {
    next: usize,
    /// Where `break` does.
    out: usize,
    /// Where `return` does.
    end: usize,
}

struct Points<'a> {
    all: Vec<Point>,
    step: &'a Block,
}

impl Points<'_> {
    fn add(&mut self, point: Point) -> usize {
        self.all.push(point);
        self.all.len() - 1
    }

    /// The point where a block starts.
    fn block(&mut self, block: &Block, targets: Targets) -> usize {
        block.iter().rev().fold(targets.next, |next, statement| {
            let targets = Targets { next, ..targets };
            match statement {
                Statement::Set(variable, value) => self.add(Point::Set(*variable, *value, next)),
                Statement::Pick(variable) => self.add(Point::Pick(*variable, next)),
                Statement::Assume(test) => self.add(Point::Assume(*test, next)),
                Statement::If(condition, then, other) => {
                    let [then, other] = [then, other].map(|it| self.block(it, targets));
                    self.add(Point::Branch(*condition, then, other))
                }
                Statement::While(condition, body) => {
                    let head = self.add(Point::End);
                    let body = self.block(body, Targets { next: head, out: next, ..targets });
                    self.all[head] = Point::Branch(*condition, body, next);
                    head
                }
                Statement::Repeat(rounds, body) => (0..*rounds).fold(next, |round, _| {
                    self.block(body, Targets { next: round, out: next, ..targets })
                }),
                Statement::Call => {
                    let step = self.step;
                    self.block(step, Targets { next, out: next, end: next })
                }
                Statement::Break => targets.out,
                Statement::Return => targets.end,
            }
        })
    }

    /// The states after one. A branch is a step of its own, as is an assignment.
    fn after(&self, (point, values): (usize, [i64; 2])) -> Vec<(usize, [i64; 2])> {
        match self.all[point] {
            Point::Set(variable, value, next) => {
                let mut after = values;
                after[variable] = match value {
                    Value::Constant(constant) => constant,
                    Value::Other => values[1 - variable],
                    Value::Plus(step) => values[variable] + step,
                    Value::Flipped => 1 - values[variable],
                };
                vec![(next, after)]
            }
            Point::Pick(variable, next) => {
                let picked = |value| {
                    let mut after = values;
                    after[variable] = value;
                    (next, after)
                };
                (0..=2).map(picked).collect()
            }
            Point::Assume(test, next) if test.holds(values) => vec![(next, values)],
            Point::Assume(..) => Vec::new(),
            Point::Branch(Condition::Always, then, _) => vec![(then, values)],
            Point::Branch(Condition::Input, then, other) => vec![(then, values), (other, values)],
            Point::Branch(Condition::Test(test), then, other) => {
                vec![(if test.holds(values) { then } else { other }, values)]
            }
            Point::End => vec![(point, values)],
        }
    }
}

/// States with the values of the variables. Each has a successor; the first is initial.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) successors: Vec<Vec<usize>>,
    pub(crate) values: Vec<[i64; 2]>,
}

impl Graph {
    /// The same without the states from which no run goes on; `None` if the first is one.
    fn without_dead_ends(self) -> Option<Self> {
        let mut lives = vec![true; self.values.len()];
        loop {
            let goes_on = |state: usize| self.successors[state].iter().any(|next| lives[*next]);
            let still: Vec<bool> =
                lives.iter().enumerate().map(|(state, lives)| *lives && goes_on(state)).collect();
            if still == lives {
                break;
            }
            lives = still;
        }
        let kept = |state: usize| lives[..state].iter().filter(|it| **it).count();
        let (mut successors, mut values) = (Vec::new(), Vec::new());
        for (state, nexts) in self.successors.iter().enumerate().filter(|(state, _)| lives[*state])
        {
            successors.push(nexts.iter().filter(|it| lives[**it]).map(|it| kept(*it)).collect());
            values.push(self.values[state]);
        }
        lives[0].then_some(Self { successors, values })
    }
}
