//! The graph of a program's states.

use super::{ANY, Block, Condition, INPUT, Source, Statement, Test, Value, Values};
use std::collections::BTreeMap;

/// A point of the program, calls and counted loops unrolled, with the points behind it.
#[derive(Clone, Debug)]
pub(super) enum Point {
    Set(usize, Value, usize),
    Pick(usize, usize),
    Draw(usize),
    Assume(Test, usize),
    Crash,
    Branch(Condition, usize, usize),
    /// An input was read, and one of these comes next.
    Fork(Vec<usize>),
    /// Another round of a counted loop.
    Round(usize),
    Event(usize, usize),
    End,
}

/// How a run came to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Arrival {
    Start,
    /// By a change of a variable.
    Change(usize),
    /// By an input, or by nothing of note.
    Quietly,
}

/// Where statements lead.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    pub(super) next: usize,
    /// Where `break` does.
    pub(super) out: usize,
    /// Where `return` does.
    pub(super) end: usize,
}

pub(super) struct Points<'a> {
    pub(super) all: Vec<Point>,
    /// Where loops begin.
    pub(super) heads: Vec<usize>,
    /// Where rounds of counted loops do.
    pub(super) rounds: Vec<usize>,
    pub(super) step: &'a Block,
}

impl Points<'_> {
    pub(super) fn add(&mut self, point: Point) -> usize {
        self.all.push(point);
        self.all.len() - 1
    }

    /// The point where a block starts.
    pub(super) fn block(&mut self, block: &Block, targets: Targets) -> usize {
        block.iter().rev().fold(targets.next, |next, statement| {
            let targets = Targets { next, ..targets };
            match statement {
                Statement::Set(variable, value) => self.add(Point::Set(*variable, *value, next)),
                Statement::Pick(variable, Source::Here) => self.add(Point::Pick(*variable, next)),
                Statement::Pick(variable, Source::Callee) => {
                    let set = |value| Point::Set(*variable, Value::Constant(value), next);
                    let picked = (0..=2).map(|value| self.add(set(value))).collect();
                    self.add(Point::Fork(picked))
                }
                Statement::Draw(_) => self.add(Point::Draw(next)),
                Statement::Assume(test) => self.add(Point::Assume(test.clone(), next)),
                Statement::If(condition, then, other) => {
                    let [then, other] = [then, other].map(|it| self.block(it, targets));
                    self.add(Point::Branch(condition.clone(), then, other))
                }
                Statement::While(condition, body) => {
                    let head = self.add(Point::End);
                    self.heads.push(head);
                    let body = self.block(body, Targets { next: head, out: next, ..targets });
                    self.all[head] = Point::Branch(condition.clone(), body, next);
                    head
                }
                Statement::Repeat(rounds, body) => (0..*rounds).fold(next, |round, _| {
                    let body = self.block(body, Targets { next: round, out: next, ..targets });
                    let round = self.add(Point::Round(body));
                    self.rounds.push(round);
                    round
                }),
                Statement::Crash => self.add(Point::Crash),
                Statement::Call => {
                    let step = self.step;
                    self.block(step, Targets { next, out: next, end: next })
                }
                Statement::Event(event) => self.add(Point::Event(*event, next)),
                Statement::Break => targets.out,
                Statement::Return => targets.end,
            }
        })
    }

    /// The states after one. A branch is a step of its own, as is an assignment.
    pub(super) fn after(&self, point: usize, values: &Values) -> Vec<(usize, Values, Arrival)> {
        let with = |variable: usize, value: i64, next: usize| {
            let mut after = values.clone();
            after[variable] = value;
            (next, after, Arrival::Change(variable))
        };
        let quietly = |next: usize| (next, values.clone(), Arrival::Quietly);
        match &self.all[point] {
            Point::Set(variable, value, next) => {
                let value = match value {
                    Value::Constant(constant) => *constant,
                    Value::Copy(other) => values[*other],
                    Value::Plus(step) => values[*variable] + step,
                    Value::Flipped => 1 - values[*variable],
                };
                vec![with(*variable, value, *next)]
            }
            Point::Pick(variable, next) => (0..=2).map(|it| with(*variable, it, *next)).collect(),
            Point::Draw(next) => ANY.iter().map(|it| with(INPUT, *it, *next)).collect(),
            Point::Assume(test, next) if test.holds(values) => vec![quietly(*next)],
            Point::Assume(..) | Point::Crash => Vec::new(),
            Point::Branch(Condition::Always, then, _) => vec![quietly(*then)],
            Point::Branch(Condition::Input(_), then, other) => {
                vec![quietly(*then), quietly(*other)]
            }
            Point::Branch(Condition::Test(test), then, other) => {
                vec![quietly(if test.holds(values) { *then } else { *other })]
            }
            Point::Fork(all) => all.iter().map(|it| quietly(*it)).collect(),
            Point::Round(next) | Point::Event(_, next) => vec![quietly(*next)],
            Point::End => vec![quietly(point)],
        }
    }
}

/// What a state's next step is for a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Happening {
    /// A watched function is called.
    Event(usize),
    /// The program ends.
    End,
    Nothing,
}

/// All states, also those from which no run goes on.
pub(crate) struct Steps {
    pub(crate) successors: Vec<Vec<usize>>,
    pub(crate) values: Vec<Values>,
    pub(crate) events: Vec<Happening>,
    /// The first ones are initial.
    pub(crate) n_initial: usize,
    pub(super) arrivals: Vec<Arrival>,
    pub(super) is_head: Vec<bool>,
    pub(super) is_round: Vec<bool>,
    pub(super) ends: Vec<bool>,
    /// The variables that are objects in memory.
    pub(super) in_memory: Vec<usize>,
}

/// Whether states behind inputs count in which nothing has changed that a formula speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choices {
    /// As all states do.
    Count,
    /// Only changes and loops make states.
    DoNotCount,
    /// The same, and counted loops make none: they may have become straight lines.
    NorRounds,
}

impl Steps {
    /// The states that count from which a run goes on, for a formula about these variables. If
    /// one of them is in memory, all changes of memory count.
    pub(crate) fn states(&self, variables: &[usize], choices: Choices) -> Option<Graph> {
        let in_memory = |it: &usize| self.in_memory.contains(it);
        let more = self.in_memory.iter().filter(|_| variables.iter().any(in_memory));
        let variables: Vec<usize> = variables.iter().chain(more).copied().collect();
        let graph = self.all();
        let graph = graph.without_dead_ends()?;
        if choices == Choices::Count {
            return Some(graph.renumbered());
        }
        let counts = |state: usize| {
            let is_round = choices != Choices::NorRounds && self.is_round[state];
            let is_change = match self.arrivals[state] {
                Arrival::Start => true,
                Arrival::Change(variable) => variables.contains(&variable),
                Arrival::Quietly => false,
            };
            is_change || is_round || self.is_head[state] || self.ends[state]
        };
        Some(graph.of_those(&counts).renumbered())
    }

    pub(super) fn graph(&self) -> Option<Graph> {
        self.states(&[], Choices::Count)
    }

    fn all(&self) -> Graph {
        let (successors, values) = (self.successors.clone(), self.values.clone());
        Graph { successors, values, initial: (0..self.n_initial).collect() }
    }
}

/// States with the values of the variables. Each has a successor.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) successors: Vec<Vec<usize>>,
    pub(crate) values: Vec<Values>,
    pub(crate) initial: Vec<usize>,
}

impl Graph {
    /// Whether something holds in all initial states.
    pub(crate) fn holds(&self, states: &[bool]) -> bool {
        self.initial.iter().all(|it| states[*it])
    }

    /// The same without ways to states from which no run goes on; `None` if none is left.
    fn without_dead_ends(mut self) -> Option<Self> {
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
        for next in &mut self.successors {
            next.retain(|it| lives[*it]);
        }
        self.initial.retain(|it| lives[*it]);
        (!self.initial.is_empty()).then_some(self)
    }

    /// The states of which something is said, and the ways from one of them to the next.
    fn of_those(&self, counts: &dyn Fn(usize) -> bool) -> Self {
        let next = |state: usize| {
            let (mut open, mut seen) = (self.successors[state].clone(), Vec::new());
            let mut found = Vec::new();
            while let Some(state) = open.pop() {
                if seen.contains(&state) {
                    continue;
                }
                seen.push(state);
                if counts(state) {
                    found.push(state);
                } else {
                    open.extend(&self.successors[state]);
                }
            }
            found
        };
        let successors = (0..self.values.len()).map(next).collect();
        Self { successors, values: self.values.clone(), initial: self.initial.clone() }
    }

    /// The states that can be reached, by new numbers.
    fn renumbered(&self) -> Self {
        let mut order = self.initial.clone();
        let mut numbers: BTreeMap<usize, usize> = order.iter().copied().zip(0..).collect();
        let mut successors = Vec::new();
        while let Some(state) = order.get(successors.len()).copied() {
            let next = self.successors[state].iter().map(|next| {
                *numbers.entry(*next).or_insert_with(|| {
                    order.push(*next);
                    order.len() - 1
                })
            });
            successors.push(next.collect());
        }
        let values = order.iter().map(|it| self.values[*it].clone()).collect();
        Self { successors, values, initial: (0..self.initial.len()).collect() }
    }
}
