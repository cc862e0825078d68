//! All schedules of a program, one state after the other.

use super::machine::{Machine, Reading, State, Trouble};
use super::tree::Program;
use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::rc::Rc;

/// Programs of more states are not judged.
const MOST_STATES: usize = 15_000;

/// The states of a program and its steps.
struct Graph {
    states: Vec<Rc<State>>,
    /// For each state, the next ones, and which thread moves.
    edges: Vec<Vec<(usize, usize)>>,
    n_starts: usize,
}

/// Whether threads of the named function end under every schedule: no run has infinitely many
/// steps of them. If they do not, a schedule as text.
///
/// # Errors
/// Why that is not known.
pub(crate) fn endless(program: &Program, reading: Reading) -> Result<Option<String>, Trouble> {
    let machine = Machine::new(program, reading);
    let graph = explored(&machine)?;
    let found = step_in_cycle(&graph.edges, |thread| machine.is_named(thread));
    Ok(found.map(|edge| told(&machine, &graph, edge)))
}

fn explored(machine: &Machine<'_>) -> Result<Graph, Trouble> {
    let mut states: Vec<Rc<State>> = Vec::new();
    let mut numbers: HashMap<Rc<State>, usize> = HashMap::new();
    for start in machine.starts()? {
        let start = Rc::new(start);
        numbers.insert(Rc::clone(&start), states.len());
        states.push(start);
    }
    let n_starts = states.len();
    let mut edges: Vec<Vec<(usize, usize)>> = Vec::new();
    while edges.len() < states.len() {
        let state = Rc::clone(&states[edges.len()]);
        let mut next = Vec::new();
        for thread in 0..machine.n_threads() {
            for to in machine.moves(&state, thread)? {
                let to = Rc::new(to);
                let number = *numbers.entry(Rc::clone(&to)).or_insert_with(|| {
                    states.push(to);
                    states.len() - 1
                });
                next.push((number, thread));
            }
        }
        edges.push(next);
        if states.len() > MOST_STATES {
            return Err(Trouble::TooMany);
        }
    }
    Ok(Graph { states, edges, n_starts })
}

/// A step of a named thread from a state to one from which the state can be reached again:
/// Kosaraju's components, twice depth first.
fn step_in_cycle(
    edges: &[Vec<(usize, usize)>],
    is_named: impl Fn(usize) -> bool,
) -> Option<(usize, usize)> {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (from, next) in edges.iter().enumerate() {
        next.iter().for_each(|(to, _)| reversed[*to].push((from, 0)));
    }
    let mut order = Vec::new();
    let mut seen = vec![false; edges.len()];
    for start in 0..edges.len() {
        visit(edges, start, &mut seen, &mut order);
    }
    let mut component = vec![usize::MAX; edges.len()];
    let mut seen = vec![false; edges.len()];
    for start in order.into_iter().rev() {
        let mut members = Vec::new();
        visit(&reversed, start, &mut seen, &mut members);
        members.into_iter().for_each(|it| component[it] = start);
    }
    edges.iter().enumerate().find_map(|(from, next)| {
        let is_in_cycle =
            |(to, thread): &&(usize, usize)| component[from] == component[*to] && is_named(*thread);
        next.iter().find(is_in_cycle).map(|(to, _)| (from, *to))
    })
}

/// The states that are reached from one and were not seen, in the order in which they are left.
fn visit(next: &[Vec<(usize, usize)>], start: usize, seen: &mut [bool], left: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut path = vec![(start, 0)];
    while let Some((state, position)) = path.last_mut() {
        match next[*state].get(*position) {
            Some((to, _)) => {
                *position += 1;
                if !std::mem::replace(&mut seen[*to], true) {
                    path.push((*to, 0));
                }
            }
            None => {
                left.push(*state);
                path.pop();
            }
        }
    }
}

/// A shortest way from some states to one, with who moves.
fn way(graph: &Graph, from: &[usize], to: usize) -> Vec<(usize, usize, usize)> {
    let mut before: HashMap<usize, (usize, usize)> = HashMap::new();
    let mut open: VecDeque<usize> = from.iter().copied().collect();
    while let Some(state) = open.pop_front() {
        if state == to {
            break;
        }
        for (next, thread) in &graph.edges[state] {
            if !from.contains(next) && !before.contains_key(next) {
                before.insert(*next, (state, *thread));
                open.push_back(*next);
            }
        }
    }
    let mut way = Vec::new();
    let mut at = to;
    while let Some((previous, thread)) = before.get(&at) {
        way.push((*previous, *thread, at));
        at = *previous;
    }
    way.reverse();
    way
}

/// A schedule that goes through a step for ever.
fn told(machine: &Machine<'_>, graph: &Graph, (from, to): (usize, usize)) -> String {
    let starts: Vec<usize> = (0..graph.n_starts).collect();
    let mut text = String::new();
    let mut tell = |title: &str, steps: &[(usize, usize, usize)]| {
        writeln!(text, "{title}").unwrap();
        for (before, thread, after) in steps {
            let [before, after] = [before, after].map(|it| &graph.states[*it]);
            let pairs = before.memory.iter().zip(&after.memory).enumerate();
            let changes: Vec<String> = pairs
                .filter(|(_, (old, new))| old != new)
                .map(|(cell, (_, new))| format!("{} becomes {new}", machine.name_of(cell)))
                .collect();
            writeln!(text, "  {}: {}", machine.name(*thread), changes.join(", ")).unwrap();
        }
    };
    tell("first", &way(graph, &starts, from));
    let thread = graph.edges[from].iter().find(|it| it.0 == to && machine.is_named(it.1));
    let mut cycle = vec![(from, thread.unwrap().1, to)];
    cycle.extend(way(graph, &[to], from));
    tell("then again and again", &cycle);
    text
}
