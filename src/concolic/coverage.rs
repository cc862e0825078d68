//! What is new: ways out of blocks, and how often one run has taken them.
//!
//! A branch *promises* something new if the run would take a way for the n-th time in a call, and
//! few runs have taken it just so often (the counts of Zalewski's *American fuzzy lop*, with the
//! branches of a generational search); or if a size would be one that no run had. Such branches
//! come first, those of runs that pass a suspect before all others: what is read before it decides
//! what happens there.

use super::explore::{Branch, Trace};
use super::shadow::{Decision, Symbol};
use base::source::Span;
use concrete::state::Location;
use ir::{BlockId, ProcedureId, Program, Terminator};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A way that is taken more often is no news.
const MOST_OFTEN: u32 = 40;
/// A size that is greater is no news.
const GREATEST_SIZE: u32 = 200;
/// What so many runs do is no news either. From the first of them nothing may go on.
const MOST_RUNS: u32 = 24;
/// What a run does costs so many times more for each run that does it.
const COST_OF_RUN: u32 = 2;
/// How many branches may wait.
const MAX_WAITING: usize = 20_000;

/// So many blocks of a run cost as much as one more time.
const BLOCKS_A_TIME: usize = 256;

/// Something that a run does so many times in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    distance: Distance,
    count: u32,
    procedure: ProcedureId,
    from: BlockId,
    turn: Turn,
}

/// What is done in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// The block is left for this one.
    To(BlockId),
    /// The command here needs a number to be just what it is: a size, say. That number counts.
    With(usize),
}

/// What the alternatives of a decision promise, one after the other; of one about a size, which
/// sizes are promised.
pub(super) type Promises = Vec<Option<Way>>;

/// Whether the run passes a suspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    Near,
    Far,
}

impl Way {
    fn most_often(&self) -> u32 {
        match self.turn {
            Turn::To(_) => MOST_OFTEN,
            Turn::With(_) => GREATEST_SIZE,
        }
    }

    /// Whether the run passes a suspect.
    pub(super) fn is_near(&self) -> bool {
        self.distance == Distance::Near
    }

    /// The least size that is promised, if it is one.
    pub(super) fn size(&self) -> Option<u32> {
        matches!(self.turn, Turn::With(_)).then_some(self.count)
    }
}

/// What runs have taken, and what others promise.
pub(super) struct Coverage {
    /// The blocks that have a suspect.
    suspects: BTreeSet<(ProcedureId, BlockId)>,
    /// How many runs have done it.
    taken: BTreeMap<Way, u32>,
    /// Branches by what they cost, what they promise, and their number: near suspects first, then
    /// what is done seldom in short runs; what was found last has come farthest.
    waiting: BTreeMap<(Distance, u32, Way, Reverse<usize>, usize), Branch>,
    n_traces: usize,
    n_noted: usize,
}

impl Coverage {
    /// Nothing was taken yet; these places are suspects.
    pub(super) fn new(program: &Program, suspects: &[Span]) -> Self {
        let mut blocks = BTreeSet::new();
        for (procedure, it) in program.procedures.iter().enumerate() {
            for (block, it) in it.blocks.iter().enumerate() {
                let mut spans = it.commands.iter().map(|it| it.span).chain([it.span]);
                if spans.any(|span| suspects.contains(&span)) {
                    blocks.insert((ProcedureId::at(procedure), BlockId::at(block)));
                }
            }
        }
        Self {
            suspects: blocks,
            taken: BTreeMap::new(),
            waiting: BTreeMap::new(),
            n_traces: 0,
            n_noted: 0,
        }
    }

    /// Notes what a run takes. Gives what its decisions promise if they were otherwise.
    pub(super) fn note(&mut self, program: &Program, trace: &Trace) -> Vec<Promises> {
        self.n_traces += 1;
        let is_near = trace.blocks.iter().any(|it| self.suspects.contains(it));
        let distance = if is_near { Distance::Near } else { Distance::Far };
        // Calls begin anew.
        let mut counts: BTreeMap<(ProcedureId, usize, BlockId, BlockId), u32> = BTreeMap::new();
        let mut n_calls: BTreeMap<ProcedureId, usize> = BTreeMap::new();
        let mut passed = trace.blocks.iter().enumerate().peekable();
        let mut last = None;
        let mut done = BTreeSet::new();
        let mut promises = Vec::with_capacity(trace.decisions.len());
        for (decision, at) in trace.decisions.iter().zip(&trace.blocks_at) {
            let Location { procedure, block: from, command } = decision.location;
            while let Some((_, (entered, block))) = passed.next_if(|(index, _)| index < at) {
                *n_calls.entry(*entered).or_default() += usize::from(*block == BlockId(0));
            }
            let call = n_calls.get(&procedure).copied().unwrap_or_default();
            let block = program.procedure(procedure).block(from);
            let way = |turn, count| Way { distance, count, procedure, from, turn };
            if command < block.commands.len() {
                let number = number_of(decision, trace);
                let with = |number| Some(way(Turn::With(command), u32::try_from(number).ok()?));
                done.extend(number.and_then(with));
                // Most sizes are no more than a way to something else; the next one matters where
                // something may go wrong.
                let larger = number.and_then(|it| it.checked_mul(2)?.checked_add(2));
                let next = number.filter(|_| distance == Distance::Near).map(|it| it + 1);
                promises.push([larger, next].map(|it| it.and_then(with)).to_vec());
                continue;
            }
            let next = trace.blocks.get(*at).filter(|(it, _)| *it == procedure);
            let next = next.map(|(_, block)| *block);
            let promise = |to| {
                let count = counts.get(&(procedure, call, from, to)).copied().unwrap_or_default();
                way(Turn::To(to), count + 1)
            };
            let others = others(&block.terminator, decision, next);
            promises.push(others.into_iter().map(|to| Some(promise(to?))).collect());
            // One condition may be several decisions.
            if let Some(next) = next
                && last.replace(*at) != Some(*at)
            {
                let count = counts.entry((procedure, call, from, next)).or_default();
                *count += 1;
                done.insert(way(Turn::To(next), *count));
            }
        }
        done.into_iter().for_each(|way| *self.taken.entry(way).or_default() += 1);
        promises
    }

    /// Notes a branch for what it promises, if that is news.
    pub(super) fn wait(&mut self, way: Way, branch: Branch) {
        let is_news = self.is_news(&way) && way.count <= way.most_often();
        if is_news && self.waiting.len() < MAX_WAITING {
            self.n_noted += 1;
            let cost = self.cost(&way, &branch);
            let key = (way.distance, cost, way, Reverse(self.n_traces), self.n_noted);
            self.waiting.insert(key, branch);
        }
    }

    fn cost(&self, way: &Way, branch: &Branch) -> u32 {
        let length = u32::try_from(branch.trace.blocks.len() / BLOCKS_A_TIME).unwrap_or(u32::MAX);
        (way.count + COST_OF_RUN * self.n_runs(way)).saturating_add(length)
    }

    fn n_runs(&self, way: &Way) -> u32 {
        self.taken.get(way).copied().unwrap_or_default()
    }

    /// The first branch that waits and still promises something new.
    pub(super) fn next(&mut self) -> Option<Branch> {
        loop {
            let ((distance, cost, way, trace, number), branch) = self.waiting.pop_first()?;
            let cost_now = self.cost(&way, &branch);
            if self.is_news(&way) && cost_now <= cost {
                return Some(branch);
            }
            if self.is_news(&way) {
                self.waiting.insert((distance, cost_now, way, trace, number), branch);
            }
        }
    }

    fn is_news(&self, way: &Way) -> bool {
        let most = match way.turn {
            Turn::To(_) => MOST_RUNS,
            Turn::With(_) => 1,
        };
        self.n_runs(way) < most
    }
}

/// The sizes that the alternatives of a decision promise.
pub(super) fn sizes(promises: &Promises) -> impl Iterator<Item = Way> {
    promises.iter().flatten().copied().filter(|it| it.size().is_some())
}

/// Where the alternatives of a decision lead, as far as that is known.
fn others(
    terminator: &Terminator,
    decision: &Decision,
    next: Option<BlockId>,
) -> Vec<Option<BlockId>> {
    let mut others: Vec<BlockId> = terminator.successors();
    if let Some(taken) = others.iter().position(|it| Some(*it) == next) {
        others.remove(taken);
    }
    let n_alternatives = decision.alternatives.len();
    match others.as_slice() {
        [only] => vec![Some(*only); n_alternatives],
        // Each case is an alternative.
        several if several.len() == n_alternatives => others.into_iter().map(Some).collect(),
        _ => vec![None; n_alternatives],
    }
}

/// The number that a choice was for a decision that it is just that.
fn number_of(decision: &Decision, trace: &Trace) -> Option<i128> {
    let [(symbol, _)] = decision.constraint.expr().terms() else { return None };
    match Symbol::of(*symbol) {
        Symbol::Choice(index) if decision.constraint.is_equality() => {
            Some(trace.choices.get(index)?.value)
        }
        Symbol::Choice(_) | Symbol::Entry(_) | Symbol::Reduction(_) => None,
    }
}
