//! Fair termination and formulas of linear temporal logic on random programs of few states,
//! against searches that go through all of them.
//!
//! `WANE_RANDOM_FAIR` says how many programs, `WANE_SEED` which.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::random;

use random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use wane::base::budget::Budget;
use wane::base::graph::strongly_connected_components;
use wane::heap::shape::ShapeLibrary;
use wane::ir::{ProcedureId, Program, text};
use wane::obligation::{Compassion, Fairness, Goal, Obligation};
use wane::prove::{mutant, prove};
use wane::reduce::ltl::violations;
use wane::sonar::Machine;
use wane::temporal::buchi::{Automaton, automaton};
use wane::temporal::formula::{Polarity, Table};
use wane::verdict::Verdict;
use wane_grammar::temporal::{Logic, parse};

const PROGRAMS: u64 = 150;
const STEPS: u64 = 200_000;

/// The events: two pairs of them.
const EVENTS: [&str; 4] = ["p0", "q0", "p1", "q1"];

#[derive(Clone, Copy, Debug)]
enum Command {
    /// `x := c` or `y := c`
    Set(usize, i64),
    /// `x := 1 - x` or `y := 1 - y`
    Flip(usize),
    /// The call of an event.
    Event(usize),
    /// The call of `either`, which passes one event where `x` is 0, and another elsewhere.
    Either,
}

#[derive(Clone, Copy, Debug)]
enum End {
    Goto(usize),
    /// By an input.
    Choose(usize, usize),
    /// If a variable has this value.
    Test(usize, i64, usize, usize),
    Halt,
}

/// A program with two variables.
struct Model {
    blocks: Vec<(Vec<Command>, End)>,
    /// The events that `either` passes.
    either: [usize; 2],
}

/// A state: the block, how many of its commands are done, and the variables.
type State = (usize, usize, [i64; 2]);

impl Model {
    fn random(random: &mut Random) -> Self {
        let n_blocks = 2 + random.below(5);
        let command = |random: &mut Random| match random.below(8) {
            0 | 1 => Command::Set(random.below(2), random.number(3)),
            2 => Command::Flip(random.below(2)),
            3 => Command::Either,
            _ => Command::Event(random.below(4)),
        };
        let end = |random: &mut Random| {
            let [one, other] = [0; 2].map(|_| random.below(n_blocks));
            match random.below(9) {
                0..=2 => End::Goto(one),
                3..=5 => End::Choose(one, other),
                6 | 7 => End::Test(random.below(2), random.number(2), one, other),
                _ => End::Halt,
            }
        };
        let block = |random: &mut Random| {
            let n_commands = random.below(3);
            ((0..n_commands).map(|_| command(random)).collect(), end(random))
        };
        let blocks = (0..n_blocks).map(|_| block(random)).collect();
        Self { blocks, either: [random.below(4), random.below(4)] }
    }

    fn text(&self) -> String {
        let mut text = "global x: i32, y: i32\n".to_owned();
        for event in EVENTS {
            let _ = writeln!(text, "procedure {event}() {{\nb0:\n  return\n}}");
        }
        let [zero, other] = self.either.map(|event| EVENTS[event]);
        let _ = writeln!(
            text,
            "procedure either() {{\n  local i: i32\nb0:\n  i := 2\n  goto b3\nb3:\n  if i > 0 goto b4 else b5\n\
             b4:\n  i := i - 1\n  goto b3\nb5:\n  if x == 0 goto b1 else b2\n\
             b1:\n  call {zero}()\n  return\nb2:\n  call {other}()\n  return\n}}"
        );
        text.push_str("procedure main() {\n  local n: i32\n");
        for (number, (commands, end)) in self.blocks.iter().enumerate() {
            let _ = writeln!(text, "b{number}:");
            for command in commands {
                let name = |variable: &usize| ["x", "y"][*variable];
                let line = match command {
                    Command::Set(variable, value) => format!("{} := {value}", name(variable)),
                    Command::Flip(variable) => format!("{0} := 1 - {0}", name(variable)),
                    Command::Event(event) => format!("call {}()", EVENTS[*event]),
                    Command::Either => "call either()".to_owned(),
                };
                let _ = writeln!(text, "  {line}");
            }
            let line = match end {
                End::Goto(to) => format!("goto b{to}"),
                End::Choose(one, other) => {
                    format!("n := input \"nondet\"\n  if n > 0 goto b{one} else b{other}")
                }
                End::Test(variable, value, one, other) => {
                    format!("if {} == {value} goto b{one} else b{other}", ["x", "y"][*variable])
                }
                End::Halt => "halt".to_owned(),
            };
            let _ = writeln!(text, "  {line}");
        }
        text.push_str("}\n");
        for (number, value) in ["x == 0", "y == 1"].iter().enumerate() {
            let _ = writeln!(
                text,
                "procedure $proposition{number}() -> i32 {{\nb0:\n  return {value}\n}}"
            );
        }
        text.push_str(
            "procedure begin() {\nb0:\n  x := 0\n  y := 0\n  call main()\n  halt\n}\nentry begin\n",
        );
        text
    }

    /// What may follow a state, with the event that is passed. A state in which the program
    /// has ended has no successors.
    fn successors(&self, (block, done, values): State) -> Vec<(State, Option<usize>)> {
        let (commands, end) = &self.blocks[block];
        if let Some(command) = commands.get(done) {
            let mut after = values;
            let event = match command {
                Command::Set(variable, value) => {
                    after[*variable] = *value;
                    None
                }
                Command::Flip(variable) => {
                    after[*variable] = 1 - after[*variable];
                    None
                }
                Command::Event(event) => Some(*event),
                Command::Either => Some(self.either[usize::from(values[0] != 0)]),
            };
            return vec![((block, done + 1, after), event)];
        }
        let to = |block: usize| ((block, 0, values), None);
        match end {
            End::Goto(next) => vec![to(*next)],
            End::Choose(one, other) => vec![to(*one), to(*other)],
            End::Test(variable, value, one, other) => {
                vec![to(if values[*variable] == *value { *one } else { *other })]
            }
            End::Halt => Vec::new(),
        }
    }

    /// All states, numbered.
    fn states(&self) -> BTreeMap<State, usize> {
        let (mut seen, mut open) = (BTreeMap::new(), vec![(0, 0, [0, 0])]);
        while let Some(state) = open.pop() {
            if !seen.contains_key(&state) {
                seen.insert(state, seen.len());
                open.extend(self.successors(state).into_iter().map(|(next, _)| next));
            }
        }
        seen
    }

    /// Whether a run goes on for ever and keeps to the requirements (pairs of events; the first
    /// may be every step).
    fn has_fair_run(&self, requirements: &[(Option<usize>, usize)]) -> bool {
        let states = self.states();
        let edges: Vec<(usize, usize, Option<usize>)> = states
            .iter()
            .flat_map(|(state, from)| {
                let next = self.successors(*state).into_iter();
                next.map(|(to, event)| (*from, states[&to], event)).collect::<Vec<_>>()
            })
            .collect();
        has_fair_cycle(states.len(), edges, requirements)
    }

    /// Whether a run is accepted by the automaton; where the program ends, its last state is
    /// repeated.
    fn has_accepted_run(&self, automaton: &Automaton, order: &[usize]) -> bool {
        let letter = |(_, _, [x, y]): State, proposition: usize| match order[proposition] {
            0 => x == 0,
            _ => y == 1,
        };
        let fits = |state: State, at: usize| {
            let literals = &automaton.states[at].literals;
            literals.iter().all(|(proposition, holds)| letter(state, *proposition) == *holds)
        };
        let start = (0, 0, [0, 0]);
        let mut seen: BTreeMap<(State, usize), usize> = BTreeMap::new();
        let mut edges = Vec::new();
        let begin = automaton.initial.iter().filter(|at| fits(start, **at));
        let mut open: Vec<(State, usize)> = begin.map(|at| (start, *at)).collect();
        seen.extend(open.iter().enumerate().map(|(number, node)| (*node, number)));
        while let Some((state, at)) = open.pop() {
            let mut next: Vec<State> = self.successors(state).into_iter().map(|it| it.0).collect();
            if next.is_empty() {
                next.push(state);
            }
            for state_after in next {
                for after in automaton.states[at].next.iter().filter(|it| fits(state_after, **it)) {
                    let fresh = seen.len();
                    let node = (state_after, *after);
                    let number = *seen.entry(node).or_insert(fresh);
                    if number == fresh {
                        open.push(node);
                    }
                    edges.push((seen[&(state, at)], number, *after));
                }
            }
        }
        // An edge passes the sets of the state that it leads to.
        let successors = edges.iter().fold(vec![Vec::new(); seen.len()], |mut lists, edge| {
            lists[edge.0].push(edge.1);
            lists
        });
        let components = strongly_connected_components(&successors);
        (0..components.members.len()).any(|number| {
            let inside = |edge: &&(usize, usize, usize)| {
                components.of[edge.0] == number && components.of[edge.1] == number
            };
            let passed: BTreeSet<usize> = edges
                .iter()
                .filter(inside)
                .flat_map(|edge| automaton.states[edge.2].accepts.iter().copied())
                .collect();
            components.cyclic[number] && passed.len() == automaton.n_sets
        })
    }
}

/// Whether some cycle of a graph is fair: parts of it are looked at without the edges that a
/// fair path does not take for ever.
fn has_fair_cycle(
    n_states: usize,
    edges: Vec<(usize, usize, Option<usize>)>,
    requirements: &[(Option<usize>, usize)],
) -> bool {
    let mut successors = vec![Vec::new(); n_states];
    edges.iter().for_each(|(from, to, _)| successors[*from].push(*to));
    let components = strongly_connected_components(&successors);
    (0..components.members.len()).filter(|it| components.cyclic[*it]).any(|number| {
        let inside: Vec<(usize, usize, Option<usize>)> = edges
            .iter()
            .filter(|(from, to, _)| components.of[*from] == number && components.of[*to] == number)
            .copied()
            .collect();
        let broken = requirements.iter().find(|(p, q)| {
            let is_asked = inside.iter().any(|(_, _, event)| p.is_none() || *event == *p);
            is_asked && !inside.iter().any(|(_, _, event)| *event == Some(*q))
        });
        match broken {
            None => true,
            Some((None, _)) => false,
            Some((p, _)) => {
                let rest = inside.into_iter().filter(|(_, _, event)| event != p).collect();
                has_fair_cycle(n_states, rest, requirements)
            }
        }
    })
}

fn named(program: &Program, name: &str) -> ProcedureId {
    ProcedureId::at(program.procedures.iter().position(|it| it.name == name).unwrap())
}

fn fairness(program: &Program, requirements: &[(Option<usize>, usize)]) -> Fairness {
    let event = |event: usize| named(program, EVENTS[event]);
    let requirement =
        |(p, q): &(Option<usize>, usize)| Compassion { whenever: p.map(event), then: event(*q) };
    let control = Vec::new();
    Fairness { requirements: requirements.iter().map(requirement).collect(), control }
}

fn n_programs() -> (u64, u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse().ok());
    (number("WANE_SEED").unwrap_or(0), number("WANE_RANDOM_FAIR").unwrap_or(PROGRAMS))
}

/// What is the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    Holds,
    Fails,
}

impl Truth {
    /// Fails where a run was found that violates it.
    #[allow(clippy::fn_params_excessive_bools, reason = "the answer of a search")]
    fn of(is_violated: bool) -> Self {
        if is_violated { Self::Fails } else { Self::Holds }
    }
}

/// How often each answer was given, and was right.
#[derive(Debug, Default)]
struct Count {
    proved: usize,
    refuted: usize,
    unknown: usize,
}

impl Count {
    fn add(&mut self, verdict: &Verdict, truth: Truth, what: &dyn Fn() -> String) {
        match verdict {
            Verdict::Proved(_) => {
                assert_eq!(truth, Truth::Holds, "proved, and violated: {}", what());
                self.proved += 1;
            }
            Verdict::Refuted(_) => {
                assert_eq!(truth, Truth::Fails, "refuted, and not violated: {}", what());
                self.refuted += 1;
            }
            Verdict::Violated(_) => panic!("no error is possible: {}", what()),
            Verdict::Unknown(_) => self.unknown += 1,
        }
    }
}

#[test]
fn fair_termination_agrees_with_a_search_of_all_states() {
    let library = ShapeLibrary::builtin().unwrap();
    let (seed, n_programs) = n_programs();
    let mut count = Count::default();
    for number in 0..n_programs {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let model = Model::random(&mut random);
        let all = [(Some(0), 1), (Some(2), 3), (None, 1), (None, 3), (Some(1), 0)];
        let requirements: Vec<_> = all.into_iter().filter(|_| random.below(2) == 0).collect();
        let program = text::parse("random.goto", &model.text()).unwrap().program;
        let fairness = fairness(&program, &requirements);
        let truth = Truth::of(model.has_fair_run(&requirements));
        let what = || format!("{requirements:?}\n{}", model.text());
        let obligation = Obligation::new(&program, Goal::Ends).under(fairness.clone());
        let verdict = prove(&obligation, &library, &Budget::of_steps(STEPS));
        count.add(&verdict, truth, &what);
        let obligation = Obligation::new(&program, Goal::Ends).under(fairness.clone());
        let machine = Machine::new(&obligation, &library).with_calls_tabulated();
        let tabulated = mutant::prove(&machine, &mut Budget::of_steps(STEPS));
        Count::default().add(&tabulated, truth, &what);
    }
    assert!(count.proved * 4 > count.unknown && count.refuted * 4 > count.unknown, "{count:?}");
}

/// Formulas without `X` over the propositions `x == 0` and `y == 1`.
fn formula(random: &mut Random, depth: usize) -> String {
    let inner = |random: &mut Random| formula(random, depth - 1);
    match if depth == 0 { 0 } else { random.below(9) } {
        0 | 1 => ["x == 0", "y == 1"][random.below(2)].to_owned(),
        2 => format!("!({})", inner(random)),
        3 => format!("G ({})", inner(random)),
        4 => format!("F ({})", inner(random)),
        5 => format!("({}) U ({})", inner(random), inner(random)),
        6 => format!("({}) && ({})", inner(random), inner(random)),
        7 => format!("({}) -> ({})", inner(random), inner(random)),
        _ => format!("({}) R ({})", inner(random), inner(random)),
    }
}

#[test]
fn formulas_agree_with_a_search_of_all_states() {
    let library = ShapeLibrary::builtin().unwrap();
    let (seed, n_programs) = n_programs();
    let mut count = Count::default();
    for number in 0..n_programs {
        let mut random = Random(seed.wrapping_mul(1_000_033).wrapping_add(number));
        let model = Model::random(&mut random);
        let text = formula(&mut random, 3);
        let mut table = Table::default();
        let negation = table.normal_form(
            &parse(&text, Logic::Linear).unwrap().tree,
            &text,
            Polarity::Negative,
        );
        let order: Vec<usize> =
            table.propositions.iter().map(|it| usize::from(it.text.contains('y'))).collect();
        // The program's propositions are numbered as those of the formula.
        let goto = match order.first() {
            Some(1) => model
                .text()
                .replace("$proposition1", "$proposition_")
                .replace("$proposition0", "$proposition1")
                .replace("$proposition_", "$proposition0"),
            _ => model.text(),
        };
        let accepted = automaton(&table, negation, 1_000).unwrap();
        let truth = Truth::of(model.has_accepted_run(&accepted, &order));
        let program = text::parse("random.goto", &goto).unwrap().program;
        let woven = violations(&text).unwrap().product(program, "main").unwrap();
        let obligation = Obligation::new(&woven.program, Goal::Ends).under(woven.fairness);
        let verdict = prove(&obligation, &library, &Budget::of_steps(STEPS));
        count.add(&verdict, truth, &|| format!("{text}\n{goto}"));
    }
    assert!(count.proved * 4 > count.unknown && count.refuted * 4 > count.unknown, "{count:?}");
}
