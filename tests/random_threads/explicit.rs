//! All schedules of a program, one state after the other.

use crate::program::{Instruction, N_LOCKS, N_SHARED, Program};
use std::collections::BTreeMap;

/// Where all threads are, and what everything holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    shared: [i64; N_SHARED],
    locked: [bool; N_LOCKS],
    threads: Vec<(usize, i64)>,
}

/// Programs of more states are not judged.
const MOST_STATES: usize = 60_000;

/// Whether the threads of the first function end under every schedule: no run has infinitely
/// many steps of them.
/// Nothing, if there are too many states.
pub(crate) fn ends(program: &Program) -> Option<bool> {
    let threads = vec![(0, 0); program.threads.len()];
    let first = State { shared: program.initial, locked: [false; N_LOCKS], threads };
    let mut numbers = BTreeMap::from([(first.clone(), 0)]);
    let mut open = vec![first];
    // For each state, the next ones, and whether the first thread moves.
    let mut edges: Vec<Vec<(usize, bool)>> = vec![Vec::new()];
    while let Some(state) = open.pop() {
        let number = numbers[&state];
        for thread in 0..program.threads.len() {
            for next in steps(program, &state, thread) {
                let n_known = numbers.len();
                let to = *numbers.entry(next.clone()).or_insert(n_known);
                if to == n_known {
                    edges.push(Vec::new());
                    open.push(next);
                }
                edges[number].push((to, program.threads[thread].function == 0));
            }
        }
        if numbers.len() > MOST_STATES {
            return None;
        }
    }
    Some(!has_cycle_with_move(&edges))
}

/// The states after a step of a thread; none, if it waits or has ended.
fn steps(program: &Program, state: &State, thread: usize) -> Vec<State> {
    let (at, local) = state.threads[thread];
    let mut next = state.clone();
    next.threads[thread].0 = at + 1;
    let goes = |to: usize, state: &State| {
        let mut other = state.clone();
        other.threads[thread].0 = to;
        other
    };
    match &program.threads[thread].code[at] {
        Instruction::Set(shared, value) => next.shared[*shared] = *value,
        Instruction::Read(shared) => next.threads[thread].1 = state.shared[*shared],
        Instruction::Write(shared) => next.shared[*shared] = local,
        Instruction::Add(by) => {
            let fits = if *by > 0 { local < 2 } else { local > 0 };
            next.threads[thread].1 = if fits { local + by } else { local };
        }
        Instruction::Swap(shared, old, new) => {
            if state.shared[*shared] == *old {
                next.shared[*shared] = *new;
            }
        }
        Instruction::Lock(lock) => {
            if state.locked[*lock] {
                return Vec::new();
            }
            next.locked[*lock] = true;
        }
        Instruction::Unlock(lock) => next.locked[*lock] = false,
        Instruction::TryLock(lock, to) => {
            if state.locked[*lock] {
                return vec![goes(*to, state)];
            }
            next.locked[*lock] = true;
        }
        Instruction::UnlessMore(shared, bound, to) => {
            if state.shared[*shared] <= *bound {
                return vec![goes(*to, state)];
            }
        }
        Instruction::UnlessLocalMore(bound, to) => {
            if local <= *bound {
                return vec![goes(*to, state)];
            }
        }
        Instruction::Perhaps(to) => return vec![next, goes(*to, state)],
        Instruction::Goto(to) => return vec![goes(*to, state)],
        Instruction::Stay => return vec![state.clone()],
        Instruction::Stop | Instruction::End => return Vec::new(),
    }
    vec![next]
}

/// Whether some step of the first thread leads from a state to one from which the state can be
/// reached again: Kosaraju's components, twice depth first.
fn has_cycle_with_move(edges: &[Vec<(usize, bool)>]) -> bool {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (from, next) in edges.iter().enumerate() {
        next.iter().for_each(|(to, _)| reversed[*to].push(from));
    }
    let forward: Vec<Vec<usize>> =
        edges.iter().map(|next| next.iter().map(|(to, _)| *to).collect()).collect();
    let mut order = Vec::new();
    let mut seen = vec![false; edges.len()];
    for start in 0..edges.len() {
        visit(&forward, start, &mut seen, &mut order);
    }
    let mut component = vec![usize::MAX; edges.len()];
    let mut seen = vec![false; edges.len()];
    for start in order.into_iter().rev() {
        let mut members = Vec::new();
        visit(&reversed, start, &mut seen, &mut members);
        members.into_iter().for_each(|it| component[it] = start);
    }
    let mut all = edges.iter().enumerate();
    all.any(|(from, next)| {
        next.iter().any(|(to, moves)| *moves && component[from] == component[*to])
    })
}

/// The states that are reached from one and were not seen, in the order in which they are left.
fn visit(next: &[Vec<usize>], start: usize, seen: &mut [bool], left: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut path = vec![(start, 0)];
    while let Some((state, position)) = path.last_mut() {
        match next[*state].get(*position) {
            Some(to) => {
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
