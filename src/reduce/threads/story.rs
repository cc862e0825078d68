//! The schedule that an endless run keeps to: which thread moves, and over which lines.

use super::schedule::{SCHEDULE, TURN, place_name};
use crate::instrument::procedure_named;
use base::source::Span;
use concrete::Outcome;
use concrete::choices::ChoiceList;
use concrete::interpreter::Interpreter;
use concrete::state::{Frame, State};
use concrete::value::Value;
use ir::{Program, Variable};
use std::collections::BTreeMap;
use verdict::Refutation;

/// A thread moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Its function.
    pub thread: String,
    /// What it does.
    pub spans: Vec<Span>,
}

/// The turns of a run of the program of all threads: those before the cycle, then those of it.
#[must_use]
pub fn turns(program: &Program, refutation: &Refutation) -> [Vec<Turn>; 2] {
    let witness = &refutation.witness;
    let values = witness.stem.iter().chain(&witness.cycle).copied().collect();
    let mut choices = ChoiceList::new(values);
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    let mut teller = Teller::new(program);
    let mut told = [Vec::new(), Vec::new()];
    let lengths = [witness.n_stem_steps, witness.n_cycle_steps];
    for (turns, length) in told.iter_mut().zip(lengths) {
        for _ in 0..length {
            teller.look(&interpreter, &state, turns);
            if interpreter.step(&mut state, &mut choices) != Outcome::Running {
                break;
            }
        }
        teller.end(&state, turns);
    }
    told
}

struct Teller {
    turn: Option<Variable>,
    names: BTreeMap<i128, String>,
    main: Option<ir::ProcedureId>,
    spans: Vec<Span>,
}

impl Teller {
    fn new(program: &Program) -> Self {
        let numbered = || program.variables.iter().enumerate();
        let turn = numbered().find(|(_, it)| it.name == TURN).map(|(at, _)| Variable::at(at));
        let names = numbered().filter_map(|(_, it)| place_name(&it.name)).collect();
        Self { turn, names, main: procedure_named(program, "main"), spans: Vec::new() }
    }

    /// Notes what is about to be done.
    fn look(&mut self, interpreter: &Interpreter<'_>, state: &State, turns: &mut Vec<Turn>) {
        let Some(location) = state.location() else { return };
        if Some(location.procedure) == self.main
            && location.block == SCHEDULE
            && location.command == 0
        {
            self.end(state, turns);
        }
        let span = interpreter.span(state);
        if span.is_somewhere() && !self.spans.iter().any(|it| it.line == span.line) {
            self.spans.push(span);
        }
    }

    /// Ends a turn.
    fn end(&mut self, state: &State, turns: &mut Vec<Turn>) {
        let spans = std::mem::take(&mut self.spans);
        let mut held = state.frames().iter().flat_map(Frame::variables);
        let turn = held.find(|(variable, _)| Some(*variable) == self.turn);
        let Some((_, Value::Int(number))) = turn else { return };
        let Some(thread) = self.names.get(&number).filter(|_| !spans.is_empty()) else { return };
        turns.push(Turn { thread: thread.clone(), spans });
    }
}

/// Turns in a sentence: threads with their lines.
#[must_use]
pub fn told(turns: &[Turn]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut last: Option<(&str, Vec<u32>)> = None;
    let part = |(thread, lines): (&str, Vec<u32>)| {
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        format!("`{thread}` {}", abridged(lines, " ").join(" "))
    };
    for turn in turns {
        let lines = turn.spans.iter().map(|span| span.line);
        match &mut last {
            Some((thread, known)) if *thread == turn.thread => known.extend(lines),
            _ => parts.extend(last.replace((&turn.thread, lines.collect())).map(part)),
        }
    }
    parts.extend(last.map(part));
    abridged(parts, ", ").join(", ")
}

/// The longest sequence that is told once, with how often it comes.
const LONGEST_ROUND: usize = 12;

/// Words in which a sequence that comes three times or more, one after the other, stands once.
fn abridged(words: Vec<String>, between: &str) -> Vec<String> {
    let mut told = Vec::new();
    let mut rest = &words[..];
    while let Some(first) = rest.first() {
        let times = |length: usize| {
            let round = &rest[..length];
            rest.chunks(length).take_while(|it| *it == round).count()
        };
        let lengths = 1..=LONGEST_ROUND.min(rest.len());
        let rounds = lengths.map(|length| (length, times(length))).filter(|(_, n)| *n >= 3);
        match rounds.max_by_key(|(length, n)| (length * n, std::cmp::Reverse(*length))) {
            Some((length, n)) => {
                told.push(format!("({}) {n} times", rest[..length].join(between)));
                rest = &rest[length * n..];
            }
            None => {
                told.push(first.clone());
                rest = &rest[1..];
            }
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::abridged;

    fn told(text: &str) -> String {
        abridged(text.split(' ').map(str::to_owned).collect(), " ").join(" ")
    }

    #[test]
    fn rounds_are_told_once() {
        assert_eq!(told("1 2 3 2 3 2 3 4"), "1 (2 3) 3 times 4");
        assert_eq!(told("5 5 5 5"), "(5) 4 times");
        assert_eq!(told("1 2 1 2 3"), "1 2 1 2 3");
    }
}
