//! Search for inputs that lead a program along other paths.
//!
//! First come a few plain ways to choose. Then each run's decisions are turned
//! over one by one: the path condition up to a decision, with an alternative to
//! it, is solved for the choices, and the program runs with them (generational
//! search, Godefroid, Levin, Molnar 2008). The search knows nothing of what it is
//! for, and is the same whenever it is repeated.

use super::agenda::Agenda;
use super::coverage::{Coverage, sizes};
use super::filler::FILLERS;
pub use super::filler::Filler;
use super::futures::{Future, Futures};
use super::hashes::{numbers, signature};
pub use super::inputs::{InputSource, Inputs, solve_choices};
use super::inputs::{Looking, solve_path};
use super::machine::{Concolic, Run};
use super::ranges::Ranges;
use super::shadow::{Choice, ChoiceSource, Decision, Symbol};
use super::texts::Texts;
use base::budget::Budget;
use base::source::Span;
use concrete::Outcome;
use concrete::state::Location;
use ir::cutpoint::CutSet;
use ir::{BlockId, ProcedureId};
use logic::{Constraint, Integer};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::rc::Rc;

/// A run from the start: what it chose, decided and passed.
#[derive(Clone, Debug)]
pub struct Trace {
    /// How it was made to choose.
    pub inputs: Inputs,
    /// Its choices.
    pub choices: Vec<Choice>,
    /// Its decisions.
    pub decisions: Vec<Decision>,
    /// How many blocks were come to before each of them.
    pub(super) blocks_at: Vec<usize>,
    /// How many decisions it made before the first that needs a value which is not modelled.
    n_certain: usize,
    /// The blocks that it came to, by procedure and index.
    pub blocks: Vec<(ProcedureId, BlockId)>,
    /// When it came to places where every endless run comes for ever.
    pub visits: Vec<Visit>,
    /// How it ended; `None` when it could not be shadowed any further.
    pub outcome: Option<Outcome>,
}

/// A run at the start of a block that is a cutpoint, or of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// How many steps were done.
    pub step: u64,
    /// Where it was.
    pub location: Location,
    /// How many calls were active.
    pub depth: usize,
    /// How many choices were made before.
    pub n_choices: usize,
    /// How many blocks were come to before.
    pub n_blocks: usize,
    /// How many decisions were made before.
    pub n_decisions: usize,
    /// A hash of the numbers that variables hold here, in the innermost call.
    pub numbers: u64,
    /// What the run can do from here, where the search looks for that.
    future: Option<Future>,
}

/// The search for inputs.
pub struct Exploration<'program> {
    concolic: &'program Concolic<'program>,
    cut_sets: Vec<CutSet>,
    max_steps: u64,
    n_plain: usize,
    /// Branches that have their turn before all others: those that mend an assumption that a
    /// run breaks, where news are preferred, and elsewhere, in large programs, those that are the
    /// first of their kind.
    first: VecDeque<Branch>,
    /// Which kinds of branches there were.
    kinds: BTreeSet<Kind>,
    is_large: bool,
    /// Whether what is new comes first in short runs, too.
    prefers_news: bool,
    /// How far runs go on behind the first value that is not modelled.
    further: u64,
    /// What runs can do from where they are, if that is looked at.
    futures: Option<Futures>,
    /// The futures all of whose decisions were turned over, up to the next visit, with the least
    /// number of steps before.
    known: BTreeMap<Future, u64>,
    /// How many futures were looked up there, and how many of them found.
    n_compared: u64,
    n_equal: u64,
    /// Branches that promise something new, if these come first.
    coverage: Option<Coverage>,
    /// All other branches, where news are preferred.
    agenda: Agenda<Kind, Branch>,
    open: VecDeque<Branch>,
    /// Paths that were run, as hashes of their decisions.
    seen: BTreeSet<u64>,
    turn: u64,
    n_branches: usize,
    /// Which branches were tried.
    tried: BTreeSet<usize>,
    /// The blocks of runs that promised something new.
    n_blocks_of_news: usize,
    n_blocks_of_others: usize,
}

/// Why a run is looked at.
#[derive(Clone, Copy)]
enum Worth {
    /// It promises something new.
    News,
    Other,
}

/// How the run chose, a decision, whether that is an equality, and an alternative to it. Where
/// news are preferred, it makes no difference how the run chose.
type Kind = (Option<Filler>, Location, bool, usize);

/// A decision of a run that could be otherwise.
#[derive(Clone)]
pub(super) struct Branch {
    pub(super) trace: Rc<Trace>,
    decision: usize,
    alternative: usize,
    /// The least size that it is about, if it is about one.
    size: Option<u32>,
    /// Its number among all: what waits in two places is tried once.
    number: usize,
}

/// A future of a run, the number of steps before, and its decisions up to the next visit.
type Stretch = (Future, u64, Range<usize>);

/// Branches that promise something new get so many times the blocks of others.
const NEWS_FOR_OTHERS: usize = 2;

/// How often the decisions at one location are turned over in a run: the first
/// and the last ones.
const MAX_FIRST: usize = 3;
const MAX_LAST: usize = 2;

/// After so many futures, they are only looked at further if one of so many was there before.
const ENOUGH_COMPARED: u64 = 300;
const FEW_EQUAL: u64 = 4;

/// In a program of more blocks there is much to see besides what lies behind a branch.
const MANY_BLOCKS: usize = 400;

/// How many branches may wait.
const MAX_OPEN: usize = 20_000;

/// Shorter runs are searched for what is near only.
const LONG_RUN: u64 = 1_000;

/// The effort to solve one path condition.
const SOLVER_EFFORT: usize = 60;

impl<'program> Exploration<'program> {
    /// A search with runs of at most so many steps.
    #[must_use]
    pub fn new(concolic: &'program Concolic<'program>, max_steps: u64) -> Self {
        let procedures = &concolic.program().procedures;
        let n_blocks: usize = procedures.iter().map(|it| it.blocks.len()).sum();
        Self {
            concolic,
            cut_sets: procedures.iter().map(CutSet::of_procedure).collect(),
            max_steps,
            n_plain: 0,
            first: VecDeque::new(),
            kinds: BTreeSet::new(),
            is_large: n_blocks > MANY_BLOCKS,
            prefers_news: false,
            further: 0,
            futures: None,
            known: BTreeMap::new(),
            n_compared: 0,
            n_equal: 0,
            coverage: None,
            agenda: Agenda::new(),
            open: VecDeque::new(),
            seen: BTreeSet::new(),
            turn: 0,
            n_branches: 0,
            tried: BTreeSet::new(),
            n_blocks_of_news: 0,
            n_blocks_of_others: 0,
        }
    }

    /// The same, where branches come first that promise something new, those of runs that pass
    /// suspects before all others: for errors that long inputs lead to.
    #[must_use]
    pub fn toward(self, suspects: &[Span]) -> Self {
        Self { coverage: Some(Coverage::new(self.concolic.program(), suspects)), ..self }
    }

    /// The same, where assumptions that runs break are mended at once, and branches of a kind
    /// of which there were few come first: for loops that are behind many conditions.
    #[must_use]
    pub fn preferring_news(self) -> Self {
        Self { prefers_news: true, ..self }
    }

    /// The same, where runs go on for so many steps when they have needed a value which is not
    /// modelled: what they do then may hold whatever it is.
    #[must_use]
    pub fn going_on(self, further: u64) -> Self {
        Self { further, ..self }
    }

    /// The same, where decisions are turned over once only if runs can do the same from there:
    /// for errors that are some rounds of an automaton away.
    #[must_use]
    pub fn comparing_futures(self) -> Self {
        Self { futures: Some(Futures::of_program(self.concolic.program())), ..self }
    }

    /// The next run along a path that no earlier run took; `None` when there is
    /// none left or the budget is spent.
    pub fn next(&mut self, budget: &mut Budget) -> Option<Rc<Trace>> {
        loop {
            let (inputs, first, worth) = self.next_inputs(budget)?;
            let trace = self.run(inputs, first, budget)?;
            match worth {
                Worth::News => self.n_blocks_of_news += trace.blocks.len(),
                Worth::Other => self.n_blocks_of_others += trace.blocks.len(),
            }
            if self.seen.insert(signature(&trace)) {
                let trace = Rc::new(trace);
                self.open_branches(&trace, first);
                return Some(trace);
            }
        }
    }

    /// A run with numbers in some order; `None` when the budget is spent.
    pub fn scattered(&self, seed: u64, budget: &mut Budget) -> Option<Trace> {
        let then = Filler::Scattered(seed.wrapping_mul(0xd1b5_4a32_d192_ed03));
        self.run(Inputs { values: Vec::new(), then }, 0, budget)
    }

    /// A run with texts; `None` when the budget is spent.
    pub fn reading(&self, mut texts: Texts<'_>, budget: &mut Budget) -> Option<Trace> {
        let trace = self.follow(&mut texts, budget)?;
        let values = trace.choices.iter().map(|it| it.value).collect();
        Some(Trace { inputs: Inputs { values, ..trace.inputs }, ..trace })
    }

    fn kind(&self, branch: &Branch) -> Kind {
        let Decision { location, constraint, .. } = &branch.trace.decisions[branch.decision];
        let then = (!self.prefers_news).then_some(branch.trace.inputs.then);
        (then, *location, constraint.is_equality(), branch.alternative)
    }

    /// Whether runs are searched for what is near only.
    fn is_short(&self) -> bool {
        self.max_steps < LONG_RUN
    }

    fn next_branch(&mut self) -> Option<(Branch, Worth)> {
        if let Some(branch) = self.first.pop_front() {
            return Some((branch, Worth::Other));
        }
        if self.n_blocks_of_news <= NEWS_FOR_OTHERS * self.n_blocks_of_others {
            let news = self.next_news();
            news.or_else(|| Some((self.next_other()?, Worth::Other)))
        } else {
            let other = self.next_other().map(|it| (it, Worth::Other));
            other.or_else(|| self.next_news())
        }
    }

    fn next_news(&mut self) -> Option<(Branch, Worth)> {
        Some((self.coverage.as_mut()?.next()?, Worth::News))
    }

    fn next_other(&mut self) -> Option<Branch> {
        // Depth finds cycles, breadth finds what is near.
        if self.prefers_news {
            self.agenda.next()
        } else if self.is_short() || self.turn.is_multiple_of(3) {
            self.open.pop_front()
        } else {
            self.open.pop_back()
        }
    }

    fn next_inputs(&mut self, budget: &mut Budget) -> Option<(Inputs, usize, Worth)> {
        if let Some(&then) = FILLERS.get(self.n_plain) {
            self.n_plain += 1;
            return Some((Inputs { values: Vec::new(), then }, 0, Worth::News));
        }
        loop {
            self.turn += 1;
            let (branch, worth) = self.next_branch()?;
            if !self.tried.insert(branch.number) {
                continue;
            }
            budget.spend(50 + branch.decision as u64).ok()?;
            let kind = self.kind(&branch);
            if let Some(inputs) = branch.solve() {
                self.agenda.taken(kind);
                return Some((inputs, branch.decision + 1, worth));
            }
            self.agenda.fruitless(kind);
        }
    }

    /// Runs the program until it ends or has done the greatest number of steps, or is of no
    /// more use: no run as a whole is evidence that has needed a value which is not modelled.
    ///
    /// What it can do is looked at from its decision `first` on.
    fn run(&self, inputs: Inputs, first: usize, budget: &mut Budget) -> Option<Trace> {
        let trace = self.follow_from(first, &mut inputs.source(), budget)?;
        Some(Trace { inputs, ..trace })
    }

    /// The same with choices from anywhere; the trace does not tell how they were made.
    pub(super) fn follow(&self, source: &mut impl Looking, budget: &mut Budget) -> Option<Trace> {
        self.follow_from(0, source, budget)
    }

    fn follow_from(
        &self,
        first: usize,
        source: &mut impl Looking,
        budget: &mut Budget,
    ) -> Option<Trace> {
        let mut run = self.concolic.start();
        let (mut blocks, mut visits) = (Vec::new(), Vec::new());
        let mut outcome = Some(Outcome::OutOfBudget);
        let (mut most_steps, mut n_certain) = (self.max_steps, None);
        let (mut blocks_at, mut n_blocks) = (Vec::new(), 0);
        for step in 0..self.max_steps {
            if step >= most_steps {
                break;
            }
            budget.spend(1).ok()?;
            self.note_visit(&run, (step, first), &mut blocks, &mut visits);
            let n_decisions = run.shadow.decisions().len();
            blocks_at.resize(n_decisions, n_blocks);
            n_blocks = blocks.len();
            if !source.look(&run) {
                break;
            }
            match self.concolic.step(&mut run, source) {
                Ok(Outcome::Running) => {
                    let mut made = run.shadow.decisions()[n_decisions..].iter();
                    let choices = run.shadow.choices();
                    if n_certain.is_none() && !made.all(|it| is_modelled(it, choices)) {
                        n_certain = Some(n_decisions);
                        most_steps = step.saturating_add(self.further);
                        if self.further == 0 {
                            outcome = None;
                        }
                    }
                }
                over => {
                    outcome = over.ok();
                    break;
                }
            }
        }
        let (choices, decisions) = (run.shadow.choices().to_vec(), run.shadow.decisions().to_vec());
        let inputs = Inputs { values: Vec::new(), then: Filler::Constant(0) };
        let n_certain = n_certain.unwrap_or(decisions.len());
        blocks_at.resize(decisions.len(), n_blocks);
        Some(Trace { inputs, choices, decisions, blocks_at, n_certain, blocks, visits, outcome })
    }

    fn note_visit(
        &self,
        run: &Run,
        (step, first): (u64, usize),
        blocks: &mut Vec<(ProcedureId, BlockId)>,
        visits: &mut Vec<Visit>,
    ) {
        let Some(location) = run.state.location() else { return };
        if location.command > 0 {
            return;
        }
        let Location { procedure, block, .. } = location;
        if block == BlockId(0) || self.cut_sets[procedure.index()].contains(block) {
            let depth = run.state.frames().len();
            let (n_blocks, numbers) = (blocks.len(), numbers(run));
            let n_choices = run.shadow.choices().len();
            let n_decisions = run.shadow.decisions().len();
            let futures = self.futures.as_ref().filter(|_| n_decisions >= first);
            let future = futures.and_then(|it| it.of(run));
            visits.push(Visit {
                step,
                location,
                depth,
                n_choices,
                n_blocks,
                n_decisions,
                numbers,
                future,
            });
        }
        blocks.push((procedure, block));
    }

    /// Notes what leads elsewhere at a decision, to be tried at once.
    fn open_alternatives(&mut self, trace: &Rc<Trace>, decision: usize) {
        if self.excludes_overflow(trace.decisions[decision].location) {
            return;
        }
        for alternative in (0..trace.decisions[decision].alternatives.len()).rev() {
            let branch = self.branch(trace, (decision, alternative), None);
            self.first.push_front(branch);
        }
    }

    fn branch(
        &mut self,
        trace: &Rc<Trace>,
        (decision, alternative): (usize, usize),
        size: Option<u32>,
    ) -> Branch {
        self.n_branches += 1;
        Branch { trace: Rc::clone(trace), decision, alternative, size, number: self.n_branches }
    }

    /// Notes a branch, to be tried when it is its turn.
    fn note(&mut self, branch: Branch) {
        let kind = self.kind(&branch);
        if self.prefers_news {
            self.agenda.note(kind, branch);
            return;
        }
        let is_first = self.is_large && self.kinds.insert(kind);
        let queue = if is_first { &mut self.first } else { &mut self.open };
        if queue.len() < MAX_OPEN {
            queue.push_back(branch);
        }
    }

    /// The decisions of a run from `first` on that are not in futures whose decisions were turned
    /// over before; and its other futures, with the number of steps before and their decisions
    /// up to the next visit.
    fn without_known(&mut self, trace: &Trace, first: usize) -> (Vec<usize>, Vec<Stretch>) {
        let n_decisions = trace.n_certain;
        let later = trace.visits.iter().filter(|it| it.n_decisions >= first);
        let starts: Vec<&Visit> = later.collect();
        let ends = starts.iter().skip(1).map(|it| it.n_decisions).chain([n_decisions]);
        let n_before = starts.first().map_or(n_decisions, |it| it.n_decisions);
        let (mut decisions, mut stretches) = ((first..n_before).collect::<Vec<_>>(), Vec::new());
        let mut here = BTreeSet::new();
        for (visit, end) in starts.iter().zip(ends) {
            let stretch = visit.n_decisions..end;
            if let Some(future) = visit.future {
                let is_known = self.known.get(&future).is_some_and(|step| *step <= visit.step);
                self.n_compared += 1;
                if is_known || !here.insert(future) {
                    self.n_equal += 1;
                    continue;
                }
                stretches.push((future, visit.step, stretch.clone()));
            }
            decisions.extend(stretch);
        }
        (decisions, stretches)
    }

    /// Notes the branches of a run from its decision `first` on.
    fn open_branches(&mut self, trace: &Rc<Trace>, first: usize) {
        let n_decisions = trace.n_certain;
        let is_broken = trace.outcome == Some(Outcome::AssumeFailed);
        if self.prefers_news && is_broken && first < n_decisions {
            self.open_alternatives(trace, n_decisions - 1);
        }
        let mut chosen = BTreeSet::new();
        let (later, futures) = self.without_known(trace, first);
        if self.n_compared > ENOUGH_COMPARED && self.n_equal < self.n_compared / FEW_EQUAL {
            self.futures = None;
        }
        chosen.extend(few_of_each_location(trace, later.iter().copied(), MAX_FIRST));
        chosen.extend(few_of_each_location(trace, later.into_iter().rev(), MAX_LAST));
        for (future, step, decisions) in futures {
            if decisions.into_iter().all(|decision| chosen.contains(&decision)) {
                self.known.insert(future, step);
            }
        }
        chosen.retain(|decision| !self.excludes_overflow(trace.decisions[*decision].location));
        let coverage = self.coverage.as_mut();
        let promises = coverage.map(|it| it.note(self.concolic.program(), trace));
        let promises = promises.unwrap_or_default();
        let mut ranges = Ranges::of_types(&trace.choices);
        for (decision, it) in trace.decisions.iter().enumerate() {
            let promised = promises.get(decision);
            for way in promised.into_iter().flat_map(sizes) {
                // A run may have been led to this size, or to where sizes matter.
                let is_open = decision + 1 >= first || way.is_near();
                if let (true, Some(alternative)) = (is_open, it.alternatives.len().checked_sub(1)) {
                    let branch = self.branch(trace, (decision, alternative), way.size());
                    if let Some(coverage) = &mut self.coverage {
                        coverage.wait(way, branch);
                    }
                }
            }
            for (alternative, other) in it.alternatives.iter().enumerate() {
                if !chosen.contains(&decision) || !ranges.allow(other) {
                    continue;
                }
                let branch = self.branch(trace, (decision, alternative), None);
                let is_same_way = alternative > 0 && it.is_disequality();
                let promise = promised.and_then(|it| *it.get(alternative)?);
                let promise = promise.filter(|it| !is_same_way && it.size().is_none());
                if let (Some(way), Some(coverage)) = (promise, &mut self.coverage) {
                    coverage.wait(way, branch.clone());
                }
                // In its turn it is tried all the same, for few runs may have done so with this
                // past.
                self.note(branch);
            }
            ranges.decide(it);
        }
    }

    /// Whether a decision was made where runs end whose result is not in its type: to
    /// go elsewhere is to go nowhere.
    fn excludes_overflow(&self, location: Location) -> bool {
        let procedure = self.concolic.program().procedure(location.procedure);
        let block = procedure.blocks.get(location.block.index());
        let instruction = block.and_then(|it| it.commands.get(location.command));
        instruction.is_some_and(|it| it.command.range_assumed().is_some())
    }
}

impl Trace {
    /// Whether nothing that is not modelled has decided anything before, as far as is seen.
    #[must_use]
    pub fn is_certain_up_to(&self, visit: &Visit) -> bool {
        let mut decisions = self.decisions.iter().take(visit.n_decisions);
        decisions.all(|it| is_modelled(it, &self.choices))
    }
}

/// Whether none of these choices that a decision depends on stands for a value that is not modelled.
fn is_modelled(decision: &Decision, choices: &[Choice]) -> bool {
    decision.constraint.expr().variables().all(|symbol| match Symbol::of(symbol) {
        Symbol::Choice(index) => {
            choices.get(index).is_none_or(|it| it.source != ChoiceSource::Approximation)
        }
        Symbol::Entry(_) | Symbol::Reduction(_) => true,
    })
}

fn few_of_each_location(
    trace: &Trace,
    decisions: impl Iterator<Item = usize>,
    limit: usize,
) -> Vec<usize> {
    let mut counts: std::collections::BTreeMap<Location, usize> = std::collections::BTreeMap::new();
    let mut is_wanted = |index: &usize| {
        let count = counts.entry(trace.decisions[*index].location).or_default();
        *count += 1;
        *count <= limit
    };
    decisions.filter(|index| is_wanted(index)).collect()
}

impl Branch {
    /// Choices that lead a run up to the decision and then elsewhere.
    fn solve(&self) -> Option<Inputs> {
        let trace = &self.trace;
        let other = &trace.decisions[self.decision].alternatives[self.alternative];
        let before = &trace.decisions[..self.decision];
        let size = self.size.and_then(|least| {
            let number = other.expr().variables().next()?;
            Some(Constraint::ge(number, Integer::from(u64::from(least))))
        });
        let other: Vec<Constraint> = std::iter::once(other.clone()).chain(size).collect();
        let values = solve_path(before, &other, &trace.choices, SOLVER_EFFORT)?;
        Some(Inputs { values, then: trace.inputs.then })
    }
}
