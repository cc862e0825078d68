//! Proofs that a program does not always end: a run that comes back to where it
//! was, and provably does so for ever.
//!
//! Runs come from `concolic::explore`. Two visits of one place in a run are the
//! ends of a cycle; `recurrence` finds the numbers with which the cycle can be
//! repeated, and if they are not the present ones, the stem's path condition is
//! solved for inputs that lead to them. `verdict::witness` checks what is found.

use super::directed_slice::{loops_at, loops_of, toward};
use super::idle::is_idle;
use super::recurrence::Cycle;
use super::recurrent_sets;
use super::value_sets::Traps;
use base::budget::Budget;
use base::limits::{
    FIRST_REFUTATION_STEPS, IDLE_STEPS, LONGEST_CYCLE, LONGEST_RUN, LOOPS_STEPS, MOST_SUSPECTS,
    RUNS_WITH_TEXTS, SHORT_RUNS, SHORT_RUNS_STEPS, STEPS_OF_CYCLES_IN_LARGE,
    STEPS_OF_CYCLES_IN_SHORT, STEPS_OF_RUN_A_STEP, STEPS_TO_BEGIN, STEPS_TOWARD_SUSPECT,
    STEPS_WITH_ALL_TEXTS,
};
use base::source::Span;
use concolic::explore::{Exploration, Filler, Trace, Visit, solve_choices};
use concolic::footprint::{self, Returned};
use concolic::machine::{Concolic, Run};
use concolic::repeated::{Repetition, Repetitions};
use concolic::shadow::{Reductions, Symbol};
use concolic::texts::learnt::Learnt;
use concolic::texts::{Texts, Words};
use concolic::turns::Turns;
use concrete::Outcome;
use concrete::choices::Choices;
use concrete::state::State;
use ir::slice::relevance;
use ir::{BlockId, ProcedureId, Program};
use logic::{Constraint, LinearExpr, Var};
use obligation::Fairness;
use std::collections::{BTreeMap, BTreeSet};
use verdict::Refutation;
use verdict::witness::{Witness, check_refutation, justify_refutation};

/// So many runs with numbers in some order are looked at.
const RANDOM_RUNS: u64 = 60;
/// The steps of such a run.
const RANDOM_RUN: u64 = 1_000;
/// The inputs of such runs.
const INPUTS: [Filler; 8] = [
    Filler::Constant(1),
    Filler::Bits(0b011, 3),
    Filler::Constant(0),
    Filler::Bits(0b01, 2),
    Filler::Scattered(11),
    Filler::Bits(0b101, 3),
    Filler::Bits(0b0111, 4),
    Filler::Bits(0b001, 3),
];
/// So many runs in which all move in turn are looked at before.
const RUNS_IN_TURNS: usize = 200;
/// How many turns somebody is ahead.
const LEAD: usize = 4;
/// The steps of such a run.
const LONGEST_IN_TURNS: u64 = 6_000;
/// The steps for all of them.
const TURNS_STEPS: u64 = 1_200_000;
/// At how many places of such a run cycles are looked for that end there, and how many.
const ENDS_IN_TURNS: [usize; 2] = [16, 4];
/// How many visits of a place a cycle may pass.
const MAX_PERIOD: usize = 8;
/// How often the same cycle is looked at.
const MAX_TRIES: usize = 3;
/// How many cycles of one run are looked at.
const MAX_CYCLES_OF_RUN: usize = 24;
/// How many cycles of one run are looked at first that come back to the same numbers.
const MAX_REPETITIONS: usize = 3;
/// How many earlier starts of a cycle are tried, for a shorter stem.
const MAX_EARLIER: usize = 8;
/// How far a run is followed behind a value that is not modelled: a cycle that holds whatever
/// that is begins before it.
const FURTHER: u64 = 100;
/// The effort to solve a stem for inputs that lead into a recurrent set.
const SOLVER_EFFORT: usize = 120;

/// Looks for a fair run that never ends, within so many steps; first, in a large program, for
/// one that goes straight to a loop at one of the places that are suspected.
#[must_use]
pub fn refute_at(
    program: &Program,
    fairness: &Fairness,
    suspects: &[Span],
    budget: &mut Budget,
) -> Option<Refutation> {
    let is_large = relevance::is_large(program);
    let loops = if is_large { loops_at(program, suspects) } else { Vec::new() };
    for place in loops.into_iter().take(MOST_SUSPECTS) {
        let mut steps = budget.of_part(STEPS_TOWARD_SUSPECT);
        let found = refute(&toward(program, place), fairness, &mut steps);
        let lasso = found.and_then(|Refutation { witness, .. }| {
            let lasso = check_refutation(program, fairness, &witness).ok()?;
            Some(Refutation { witness, lasso })
        });
        if lasso.is_some() {
            return lasso;
        }
    }
    refute(program, fairness, budget)
}

/// Looks for a fair run that never ends, within so many steps.
#[must_use]
pub fn refute(program: &Program, fairness: &Fairness, budget: &mut Budget) -> Option<Refutation> {
    let concolic = Concolic::new(program);
    let exploration = Exploration::new(&concolic, LONGEST_RUN).going_on(FURTHER);
    let mut exploration = exploration.toward(&[]);
    let is_large = relevance::is_large(program);
    let mut search = Search::of_any(&concolic, fairness);
    if is_large {
        search.most_steps = STEPS_OF_CYCLES_IN_LARGE;
    }
    // There are too many ways to look at one by one, if each call is followed.
    if is_large && program.procedures.len() > 1 {
        return search.in_texts(budget).or_else(|| search.in_runs(&mut exploration, budget));
    }
    // Most loops that hang do so soon.
    let short = search.in_short_runs(&mut budget.of_part(SHORT_RUNS_STEPS));
    let short = short.or_else(|| search.in_texts(budget));
    if short.is_some() {
        return short;
    }
    let mut first = budget.of_part(FIRST_REFUTATION_STEPS);
    search
        .in_runs(&mut exploration, &mut first)
        .or_else(|| recurrent_sets::refute(program, fairness, &mut budget.of_part(LOOPS_STEPS)))
        .or_else(|| search.in_runs(&mut exploration, budget))
}

/// Looks for a fair run that reads text and comes back to a state.
#[must_use]
pub fn refute_by_text(
    program: &Program,
    fairness: &Fairness,
    budget: &Budget,
) -> Option<Refutation> {
    let concolic = Concolic::new(program);
    Search::of_any(&concolic, fairness).in_texts(budget)
}

/// Looks for an endless run that comes back to the same numbers, whatever its inputs: where they
/// say which of several threads moves, there are many such runs, but few that go straight.
#[must_use]
pub fn refute_at_random(
    program: &Program,
    fairness: &Fairness,
    budget: &mut Budget,
) -> Option<Refutation> {
    let concolic = Concolic::new(program);
    let mut search = Search::of_any(&concolic, fairness);
    search.in_turns(&mut budget.of_part(TURNS_STEPS)).or_else(|| {
        let exploration = Exploration::new(&concolic, RANDOM_RUN).going_on(FURTHER);
        (1..=RANDOM_RUNS).find_map(|seed| {
            let trace = exploration.scattered(seed, budget)?;
            let repeated = search.in_cycles(&trace, repetitions(&trace.visits), budget);
            repeated.or_else(|| search.in_trace(&trace, budget))
        })
    })
}

/// Looks for an endless run that goes round idly (`is_idle`): first for one that goes straight to a
/// loop at one of the places that are suspected, or to any.
#[must_use]
pub fn refute_idly(program: &Program, suspects: &[Span], budget: &Budget) -> Option<Refutation> {
    let fairness = Fairness::default();
    let find = |narrowed: &Program, budget: &mut Budget| {
        let concolic = Concolic::new(narrowed);
        let (tried, sought, most_steps) = (BTreeMap::new(), Sought::Idle, STEPS_OF_CYCLES_IN_LARGE);
        let (concolic, fairness) = (&concolic, &fairness);
        let mut search = Search { concolic, fairness, tried, most_steps, sought };
        let mut runs = Exploration::new(concolic, LONGEST_RUN).going_on(FURTHER).toward(&[]);
        let Refutation { witness, .. } = search.in_runs(&mut runs, budget)?;
        let lasso = check_refutation(program, fairness, &witness).ok()?;
        Some(Refutation { witness, lasso }).filter(|it| is_idle(program, it))
    };
    let mut loops = loops_at(program, suspects);
    if loops.is_empty() {
        loops = loops_of(program);
    }
    loops.truncate(MOST_SUSPECTS);
    // Runs that do not go straight have as many steps as all others.
    let straight = IDLE_STEPS / 2;
    let n_steps = straight / loops.len().max(1) as u64;
    let mut toward = loops.into_iter().map(|place| toward(program, place));
    toward
        .find_map(|it| find(&it, &mut budget.of_part(n_steps)))
        .or_else(|| find(program, &mut budget.of_part(straight)))
}

pub(super) struct Search<'program> {
    concolic: &'program Concolic<'program>,
    fairness: &'program Fairness,
    tried: Tried,
    /// The steps that may be looked at for cycles of one run.
    most_steps: u64,
    sought: Sought,
}

/// Which endless runs are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sought {
    Any,
    /// Those that go [round idly](is_idle).
    Idle,
}

/// How often cycles were looked at, by the places they pass.
type Tried = BTreeMap<Vec<(ProcedureId, BlockId)>, usize>;

/// The two ends of a cycle, as positions in the list of visits.
type Ends = (usize, usize);

impl<'program> Search<'program> {
    /// A search for any endless run.
    pub(super) fn of_any(
        concolic: &'program Concolic<'program>,
        fairness: &'program Fairness,
    ) -> Self {
        let (tried, sought, most_steps) = (BTreeMap::new(), Sought::Any, u64::MAX);
        Self { concolic, fairness, tried, most_steps, sought }
    }

    /// Looks at runs in which all move in turn, in some order.
    fn in_turns(&mut self, budget: &mut Budget) -> Option<Refutation> {
        let exploration = Exploration::new(self.concolic, LONGEST_IN_TURNS).going_on(FURTHER);
        let control = &self.fairness.control;
        ways_to_take_turns(control.len()).into_iter().take(RUNS_IN_TURNS).find_map(|turns| {
            let trace = exploration.in_turns(&turns, control, budget)?;
            self.in_cycles(&trace, rounds(&trace.visits), budget)
        })
    }

    /// Looks at short runs, for cycles and for traps.
    fn in_short_runs(&mut self, budget: &mut Budget) -> Option<Refutation> {
        let mut runs =
            Exploration::new(self.concolic, SHORT_RUNS).preferring_news().going_on(FURTHER);
        let mut traps = Traps::new(self.concolic, self.fairness);
        let most_steps = std::mem::replace(&mut self.most_steps, STEPS_OF_CYCLES_IN_SHORT);
        let mut tried = BTreeMap::new();
        while let Some(trace) = runs.next(budget) {
            let found = self.in_repetitions(&trace, &mut tried, budget);
            let found = found.or_else(|| self.in_trace(&trace, budget));
            if let Some(found) = found.or_else(|| traps.in_trace(&trace, budget)) {
                return Some(found);
            }
        }
        self.tried.clear();
        self.most_steps = most_steps;
        None
    }

    /// Looks at runs that read texts which are guessed, and come back to a state.
    fn in_texts(&mut self, budget: &Budget) -> Option<Refutation> {
        let program = self.concolic.program();
        let words = Words::of(program)?;
        let repetitions = Repetitions::new(program);
        let mut steps = budget.of_part(STEPS_WITH_ALL_TEXTS / STEPS_OF_RUN_A_STEP);
        let mut learnt = Learnt::new(&words);
        for _ in 0..RUNS_WITH_TEXTS {
            let (texts, most_steps) = (learnt.next_texts(), 2 * learnt.most_steps());
            let mut read = texts.clone();
            let mut watch = |state: &State| learnt.watch(state);
            let found = repetitions.first_watched(&mut read, most_steps, &mut watch);
            let n_steps = learnt.end(&read);
            steps.spend((n_steps + STEPS_TO_BEGIN) / STEPS_OF_RUN_A_STEP).ok()?;
            if let Some(found) = found.and_then(|it| self.in_text(texts, it, &mut steps)) {
                return Some(found);
            }
        }
        None
    }

    /// Looks at the run that reads such texts and comes back to a state.
    fn in_text(
        &mut self,
        texts: Texts<'_>,
        Repetition { start, end }: Repetition,
        steps: &mut Budget,
    ) -> Option<Refutation> {
        let program = self.concolic.program();
        let exploration = Exploration::new(self.concolic, end + 1).going_on(FURTHER);
        let trace = exploration.reading(texts, steps)?;
        let visit = |step| trace.visits.iter().find(|it| it.step == step).copied();
        let (start, end) = (visit(start)?, visit(end)?);
        let found = trace.is_certain_up_to(&start).then(|| self.between(&trace, start, end))??;
        let Refutation { witness, .. } = self.shrunk(&trace, start, found);
        let lasso = check_refutation(program, self.fairness, &witness).ok()?;
        Some(Refutation { witness, lasso })
    }

    /// Looks for cycles at whose ends the numbers are the same. They are counted by themselves:
    /// earlier rounds along the same way may have led out of the loop with other numbers.
    fn in_repetitions(
        &mut self,
        trace: &Trace,
        tried: &mut Tried,
        budget: &mut Budget,
    ) -> Option<Refutation> {
        std::mem::swap(&mut self.tried, tried);
        let repetitions = repetitions(&trace.visits).into_iter().take(MAX_REPETITIONS).collect();
        let found = self.in_cycles(trace, repetitions, budget);
        std::mem::swap(&mut self.tried, tried);
        found
    }

    fn in_runs(&mut self, runs: &mut Exploration<'_>, budget: &mut Budget) -> Option<Refutation> {
        while let Some(trace) = runs.next(budget) {
            if let Some(found) = self.in_trace(&trace, budget) {
                return Some(found);
            }
        }
        None
    }

    fn in_trace(&mut self, trace: &Trace, budget: &mut Budget) -> Option<Refutation> {
        self.in_cycles(trace, cycles(&trace.visits), budget)
    }

    fn in_cycles(
        &mut self,
        trace: &Trace,
        cycles: Vec<Ends>,
        budget: &mut Budget,
    ) -> Option<Refutation> {
        let mut most_steps = self.most_steps;
        for ends in cycles.into_iter().take(4 * MAX_CYCLES_OF_RUN) {
            let passed = path(trace, ends);
            let entered = passed.iter().filter(|(_, block)| *block == BlockId(0));
            let entered: Vec<ProcedureId> = entered.map(|(procedure, _)| *procedure).collect();
            if !self.fairness.allows(&entered) {
                continue;
            }
            let count = self.tried.entry(passed).or_default();
            *count += 1;
            if *count > MAX_TRIES {
                continue;
            }
            let (start, end) = (trace.visits[ends.0], trace.visits[ends.1]);
            if !trace.is_certain_up_to(&start) {
                continue;
            }
            budget.spend(end.step + 20).ok()?;
            // Other runs may show an endless one sooner.
            most_steps = most_steps.checked_sub(end.step)?;
            if let Some(found) = self.between(trace, start, end) {
                let Refutation { witness, .. } = self.shrunk(trace, start, found);
                let lasso =
                    check_refutation(self.concolic.program(), self.fairness, &witness).ok()?;
                return Some(Refutation { witness, lasso });
            }
        }
        None
    }

    fn between(&self, trace: &Trace, start: Visit, end: Visit) -> Option<Refutation> {
        self.lasso(trace.inputs.source(), [start.step, end.step - start.step])
    }

    /// The endless run that begins with a stem and a cycle of so many steps.
    pub(super) fn lasso<S: Choices + Clone>(
        &self,
        mut source: S,
        lengths: [u64; 2],
    ) -> Option<Refutation> {
        let mut stem = self.concolic.start();
        for _ in 0..lengths[0] {
            self.step(&mut stem, &mut source)?;
        }
        let mut sources = [source.clone(), source];
        let decided = self.cycle(&stem, &mut sources[0], lengths[1], Reductions::Decided)?;
        let has_reductions = decided.0.shadow.has_reductions();
        let is_sought =
            |it: &Refutation| self.sought == Sought::Any || is_idle(self.concolic.program(), it);
        let found = self.close(&mut stem, &decided, lengths).filter(is_sought);
        if found.is_some() || !has_reductions {
            return found;
        }
        let free = self.cycle(&stem, &mut sources[1], lengths[1], Reductions::Free)?;
        self.close(&mut stem, &free, lengths).filter(is_sought)
    }

    /// So many steps from the end of the stem, and what they need and do.
    fn cycle(
        &self,
        stem: &Run,
        source: &mut dyn Choices,
        n_steps: u64,
        reductions: Reductions,
    ) -> Option<(Run, Returned)> {
        let mut cycle = self.concolic.resume(stem.state.clone(), reductions);
        for _ in 0..n_steps {
            self.step(&mut cycle, source)?;
        }
        let returned = footprint::returns(&stem.state, &mut cycle).ok()?;
        Some((cycle, returned))
    }

    /// The same cycle, from an earlier visit of its place if that will do, and
    /// without constraints that are not needed.
    fn shrunk(&self, trace: &Trace, start: Visit, found: Refutation) -> Refutation {
        let program = self.concolic.program();
        let justify = |witness: Witness| justify_refutation(program, self.fairness, witness).ok();
        let earlier = trace.visits.iter().filter(|it| it.location == start.location);
        let sooner = |visit: &Visit| Witness {
            stem: found.witness.stem.iter().copied().take(visit.n_choices).collect(),
            n_stem_steps: visit.step,
            ..found.witness.clone()
        };
        let mut earlier = earlier.take_while(|it| it.step < start.step).take(MAX_EARLIER);
        let best = earlier.find_map(|visit| justify(sooner(visit))).unwrap_or(found);
        self.without_needless(best)
    }

    /// The same run, without constraints that are not needed.
    pub(super) fn without_needless(&self, mut best: Refutation) -> Refutation {
        let program = self.concolic.program();
        let justify = |witness: Witness| justify_refutation(program, self.fairness, witness).ok();
        let mut position = 0;
        while position < best.witness.recurrent.len() {
            let mut fewer = best.witness.clone();
            fewer.recurrent.remove(position);
            match justify(fewer) {
                Some(found) => best = found,
                None => position += 1,
            }
        }
        best
    }

    fn step(&self, run: &mut Run, source: &mut dyn Choices) -> Option<()> {
        let outcome = self.concolic.step(run, source).ok()?;
        (outcome == Outcome::Running).then_some(())
    }

    /// Finds a recurrent set for the cycle, and inputs that lead into it.
    fn close(
        &self,
        stem: &mut Run,
        (cycle, returned): &(Run, Returned),
        [n_stem_steps, n_cycle_steps]: [u64; 2],
    ) -> Option<Refutation> {
        let numbers = Cycle::new(returned, &|symbol| cycle.shadow.number_of(symbol))?;
        let sets = numbers.closed_sets();
        let present: Vec<i128> = stem.shadow.choices().iter().map(|it| it.value).collect();
        let (now, later): (Vec<_>, Vec<_>) =
            sets.into_iter().partition(|set| numbers.holds_now(set));
        let now = now.into_iter().map(|set| (present.clone(), set));
        let mut proposals: Vec<(Vec<i128>, Vec<Constraint>)> = now.take(1).collect();
        if proposals.is_empty() {
            let enter = |set: Vec<Constraint>| Some((inputs_into(stem, cycle, &set)?, set));
            proposals = later.into_iter().filter_map(enter).collect();
        }
        proposals.into_iter().find_map(|(inputs, recurrent)| {
            let choices = cycle.shadow.choices().iter().map(|it| it.value).collect();
            let witness = Witness {
                stem: inputs,
                n_stem_steps,
                cycle: choices,
                n_cycle_steps,
                reductions: cycle.shadow.reductions(),
                recurrent,
                rounds: None,
                trap: None,
                restriction: None,
                multipliers: Vec::new(),
            };
            justify_refutation(self.concolic.program(), self.fairness, witness).ok()
        })
    }
}

/// Inputs with which the stem goes the same way and ends in the set.
fn inputs_into(stem: &mut Run, cycle: &Run, set: &[Constraint]) -> Option<Vec<i128>> {
    let symbols: BTreeSet<Var> = set.iter().flat_map(|it| it.expr().variables()).collect();
    let mut forms = BTreeMap::new();
    for symbol in symbols {
        let Symbol::Entry(index) = Symbol::of(symbol) else { return None };
        let entry = cycle.shadow.entries().get(index)?;
        let form = footprint::at_end(stem, entry.slot).ok()?.form;
        let number = || LinearExpr::constant(cycle.shadow.number_of(symbol));
        forms.insert(symbol, form.unwrap_or_else(number));
    }
    let image = |symbol: Var| forms.get(&symbol).cloned().unwrap_or_default();
    let mut system: Vec<Constraint> =
        stem.shadow.decisions().iter().map(|it| it.constraint.clone()).collect();
    system.extend(set.iter().map(|it| it.map(image)));
    solve_choices(system, stem.shadow.choices(), SOLVER_EFFORT)
}

/// Pairs of visits of one place: the last ones, and some of the first.
fn cycles(visits: &[Visit]) -> Vec<Ends> {
    let mut by_location: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, visit) in visits.iter().enumerate() {
        by_location.entry(visit.location).or_default().push(index);
    }
    let mut cycles: Vec<Ends> = Vec::new();
    let mut add = |places: &[usize], start: usize, end: usize| {
        let pair = (places[start], places[end]);
        let (start, end) = (visits[pair.0], visits[pair.1]);
        let is_cycle = start.depth <= end.depth && end.step - start.step <= LONGEST_CYCLE;
        if is_cycle && !cycles.contains(&pair) {
            cycles.push(pair);
        }
    };
    // Where the last numbers were there before, the same may happen again.
    for places in by_location.values() {
        if let Some((last, earlier)) = places.split_last()
            && let Some(start) =
                earlier.iter().rposition(|it| visits[*it].numbers == visits[*last].numbers)
        {
            add(places, start, places.len() - 1);
        }
    }
    for period in 1..=MAX_PERIOD {
        for places in by_location.values() {
            let n_places = places.len();
            let last = n_places.checked_sub(period + 1);
            let ends = last.into_iter().chain([0, 1, 2, 5]).map(|start| (start, start + period));
            for (start, end) in ends.filter(|(_, end)| *end < n_places) {
                add(places, start, end);
            }
        }
    }
    cycles
}

/// Pairs of visits of one place with the same numbers, one after the other.
fn repetitions(visits: &[Visit]) -> Vec<Ends> {
    let mut last = BTreeMap::new();
    let mut found = Vec::new();
    for (index, visit) in visits.iter().enumerate() {
        if let Some(before) = last.insert((visit.location, visit.numbers), index) {
            found.push((before, index));
        }
    }
    found.sort_by_key(|(start, end)| visits[*end].step - visits[*start].step);
    found
}

/// Some ways to move in turn: parts are chosen by numbers from -4 on, the first part is the one
/// that made the others.
fn ways_to_take_turns(n_parts: usize) -> Vec<Turns> {
    let who = |part: usize| i128::try_from(part).unwrap_or(0) - 4;
    let others: Vec<i128> = (1..n_parts.max(2)).map(who).collect();
    let mut orders = vec![others.clone(), [vec![who(0)], others.clone()].concat()];
    // One of them twice.
    orders.extend(others.iter().map(|it| [vec![*it], others.clone()].concat()));
    let mut leads = vec![Vec::new()];
    leads.extend(others.iter().map(|it| vec![*it; LEAD]));
    let mut ways = Vec::new();
    // Two of them, while all others stay where they are.
    for inputs in &INPUTS[..2] {
        for ahead in &others {
            let pairs = others.iter().filter(|it| *it != ahead).map(|it| Turns {
                first: vec![*ahead; LEAD],
                again: vec![*ahead, *it],
                inputs: *inputs,
            });
            ways.extend(pairs);
        }
    }
    for again in &orders {
        for inputs in INPUTS {
            let way =
                |first: &Vec<i128>| Turns { first: first.clone(), again: again.clone(), inputs };
            ways.extend(leads.iter().map(way));
        }
    }
    ways
}

/// Pairs of visits of one place with the same numbers, the last ones of a run.
fn rounds(visits: &[Visit]) -> Vec<Ends> {
    let [n_ends, n_starts] = ENDS_IN_TURNS;
    let ends = (0..visits.len()).rev().take(n_ends);
    let alike = |end: usize| {
        let key = |it: usize| (visits[it].location, visits[it].numbers);
        let starts = (0..end).rev().filter(move |start| key(*start) == key(end));
        starts.take(n_starts).map(move |start| (start, end))
    };
    ends.flat_map(alike).collect()
}

/// The blocks that a cycle passes.
fn path(trace: &Trace, (start, end): Ends) -> Vec<(ProcedureId, BlockId)> {
    trace.blocks[trace.visits[start].n_blocks..=trace.visits[end].n_blocks].to_vec()
}
