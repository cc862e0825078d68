//! Ways from the start of the program to a place: best first, those first that are short
//! and go round little.

use super::walk::{Place, Walk};
use base::budget::Budget;
use base::graph::{reachable, reversed};
use ir::{BlockId, Callee, Command, ProcedureId, Program};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How many ways to a place are kept.
const MAX_ARRIVALS: usize = 1_500;
/// How many values the walks that are kept may have together.
const MAX_KEPT: usize = 150_000;
/// How many walks may wait.
const MAX_WAITING: usize = 3_000;
/// How many walks are gone on with, at most.
const MAX_TURNS: usize = 8_000;
/// What it costs to come to a place once more.
const COST_OF_RETURN: usize = 6;

/// How far places are from a goal, in blocks.
#[derive(Debug)]
pub(super) struct Distances(BTreeMap<Place, usize>);

impl Distances {
    /// The distances to a place, calls counted as steps.
    pub(super) fn to(program: &Program, goal: Place) -> Self {
        let mut distances: BTreeMap<Place, usize> = BTreeMap::from([(goal, 0)]);
        let mut before: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
        for (index, procedure) in program.procedures.iter().enumerate() {
            let id = ProcedureId::at(index);
            for (position, block) in procedure.blocks.iter().enumerate() {
                let here = (id, BlockId::at(position));
                let mut next: Vec<Place> =
                    block.terminator.successors().into_iter().map(|it| (id, it)).collect();
                next.extend(block.commands.iter().filter_map(|it| match it.command {
                    Command::Call { callee: Callee::Direct(callee), .. } => {
                        Some((callee, BlockId(0)))
                    }
                    _ => None,
                }));
                for place in next {
                    before.entry(place).or_default().push(here);
                }
            }
        }
        let mut open = VecDeque::from([goal]);
        while let Some(place) = open.pop_front() {
            let distance = distances[&place] + 1;
            for earlier in before.get(&place).into_iter().flatten() {
                if !distances.contains_key(earlier) {
                    distances.insert(*earlier, distance);
                    open.push_back(*earlier);
                }
            }
        }
        Self(distances)
    }

    /// The distance of a place; nothing where the goal is out of reach of it.
    pub(super) fn of(&self, place: Place) -> Option<usize> {
        self.0.get(&place).copied()
    }
}

/// The search for ways to one place. It goes on where it stopped.
pub(super) struct Stems<'a> {
    program: &'a Program,
    goal: Place,
    distances: Distances,
    /// By cost, and the order in which they were found.
    waiting: BTreeMap<(usize, usize), Walk>,
    n_found: usize,
    n_turns: usize,
    /// How many values the walks had that were found.
    n_values: usize,
    /// The walks that are at the place.
    arrivals: Vec<Walk>,
}

impl<'a> Stems<'a> {
    pub(super) fn new(program: &'a Program, goal: Place) -> Self {
        let mut stems = Self {
            program,
            goal,
            distances: Distances::to(program, goal),
            waiting: BTreeMap::new(),
            n_found: 0,
            n_turns: 0,
            n_values: 0,
            arrivals: Vec::new(),
        };
        stems.wait(Walk::of_program(program));
        stems
    }

    /// The way that was found as the one with this index.
    pub(super) fn get(&mut self, index: usize, budget: &mut Budget) -> Option<&Walk> {
        while self.arrivals.len() <= index {
            self.go_on(budget)?;
        }
        self.arrivals.get(index)
    }

    fn go_on(&mut self, budget: &mut Budget) -> Option<()> {
        if self.arrivals.len() >= MAX_ARRIVALS
            || self.n_turns >= MAX_TURNS
            || self.n_values >= MAX_KEPT
        {
            return None;
        }
        self.n_turns += 1;
        let (_, walk) = self.waiting.pop_first()?;
        budget.spend(1 + walk.constraints.len() as u64 / 16).ok()?;
        for next in walk.successors(self.program) {
            if next.place() == Some(self.goal) {
                self.n_values += next.values().count();
                self.arrivals.push(next.clone());
            }
            self.wait(next);
        }
        Some(())
    }

    fn wait(&mut self, walk: Walk) {
        let Some(place) = walk.place() else { return };
        let distance = match self.distances.of(place) {
            Some(distance) => distance,
            // The caller may get there.
            None if walk.depth() > 1 => 1,
            None => return,
        };
        if self.waiting.len() < MAX_WAITING {
            let n_returns: u32 = walk.visits.values().map(|it| it - 1).sum();
            let n_blocks: u32 = walk.visits.values().sum();
            let cost = n_blocks as usize + distance + COST_OF_RETURN * n_returns as usize;
            self.n_found += 1;
            self.waiting.insert((cost, self.n_found), walk);
        }
    }
}

/// The places that a procedure's runs pass between two visits of a place in it.
pub(super) fn around(program: &Program, head: Place) -> BTreeSet<BlockId> {
    let successors = program.procedure(head.0).successor_lists();
    let predecessors = reversed(&successors);
    let [after, before] = [&successors, &predecessors].map(|edges| {
        let nexts = |block: usize| edges[block].iter().copied();
        reachable(nexts(head.1.index()), nexts)
    });
    after.intersection(&before).map(|it| BlockId::at(*it)).collect()
}
