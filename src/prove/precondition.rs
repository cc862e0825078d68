//! Preconditions of a function that is analysed by itself, by bi-abduction
//! (Calcagno, Distefano, O'Hearn, Yang, POPL 2009).
//!
//! Execution from a candidate precondition either goes well for some rounds of
//! each loop, or meets an access for which memory is missing. Then what comes in
//! there is null, or an instance of a shape whose nodes have the pointer's type, or
//! a block of that type: more candidates. A candidate that goes well is added to
//! the precondition if the program can be proved with it.
//!
//! Nothing is believed of the search: the argument for the whole precondition is
//! found and checked as for any program.

mod attempt;
mod candidate;
mod carried;

use super::scope::coverage;
use super::{Verdict, by_states};
use attempt::{Attempt, failed, is_short, shapes_of};
use base::budget::Budget;
use base::limits::{
    EXTENSION_EFFORT, FIRST_STEPS, FRUITLESS_EFFORT, FRUITLESS_EFFORT_AGAIN, MOST_PROBES,
    MOST_PROOFS, PROBE_STEPS, PROOF_STEPS,
};
use candidate::Candidate;
pub use carried::carried_over;
use evidence::place::{NodeId, Place};
use evidence::scope::Scope;
use heap::shape::ShapeLibrary;
use heap::state::State;
use ir::open::OpenEntry;
use ir::{BlockId, Command, HavocSource, Program, ScalarType};
use obligation::{Goal, Known, Obligation};
use rules::contract::{Contract, Naming};
use rules::eval::Missing;
use rules::explore::{Exploration, explore};
use sonar::Machine;
use sonar::covering::States;
use sonar::plan::Plan;
use sonar::search_joins::SearchJoins;
use std::collections::{BTreeMap, VecDeque};
use verdict::{Reason, Unknown};

/// Blocks that are added at once to see where execution goes.
const MAX_BLOCKS: usize = 6;
/// How often execution comes to one cutpoint before a candidate has gone well.
const MAX_ROUNDS: usize = 4;

/// What is known of calls of the function that a program is about, as far as a search for what
/// they need to end has found it.
#[must_use]
pub fn needs(program: &Program, library: &ShapeLibrary, budget: &Budget) -> Known {
    let obligation = Obligation::new(program, Goal::Ends);
    let Some(open) = &obligation.program().open else { return Known::default() };
    let mut search = Search::new(&obligation, open, library, budget);
    search.run();
    search.found()
}

/// Reaches a goal for the calls that satisfy some precondition, which the
/// certificate names; or says why that was not shown for calls without one. What is
/// known to be enough for another goal is tried first, what was hopeless there is not tried,
/// and what was costly not for long.
pub(super) fn prove(
    obligation: &Obligation<'_>,
    open: &OpenEntry,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Answer {
    let mut search = Search::new(obligation, open, library, budget);
    search.run();
    search.finish()
}

/// What a search comes to.
pub(super) struct Answer {
    pub(super) verdict: Verdict,
    /// What was found out.
    pub(super) known: Known,
    /// Of a proof.
    pub(super) scope: Option<Scope>,
}

/// Reaches a goal for all calls, with few steps. Gives a proof.
pub(super) fn prove_of_all(
    obligation: &Obligation<'_>,
    open: &OpenEntry,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    let mut search = Search::new(obligation, open, library, budget);
    search.proof_steps = FIRST_STEPS;
    let any = Candidate::of_entry(search.machine.program, open);
    search.try_proof(vec![any.state], Effort::Small);
    search.proof
}

/// Whether all runs begin with a value that is not modelled, such as a pointer that comes in:
/// none of them is then evidence of anything. Floating-point numbers are another matter.
#[must_use]
pub fn begins_unmodelled(program: &Program) -> bool {
    let start = program.procedure(program.entry).block(BlockId(0));
    let commands = start.commands.iter().map(|instruction| &instruction.command);
    let mut before = commands.take_while(|command| !matches!(command, Command::Call { .. }));
    before.any(|command| match command {
        Command::Havoc { target, source: HavocSource::Approximation(_) } => {
            !matches!(program.variable(*target).ty, ScalarType::Float(_))
        }
        _ => false,
    })
}

/// A search for preconditions.
struct Search<'a> {
    machine: Machine<'a>,
    open: &'a OpenEntry,
    budget: &'a Budget,
    /// What is known of such calls from the search for another goal.
    known: &'a Known,
    /// The precondition so far: any of these.
    accepted: Vec<State>,
    /// Candidates with which something goes wrong that no more steps can mend.
    hopeless: Vec<State>,
    /// Candidates of which nothing is known for want of steps.
    costly: Vec<State>,
    /// The proof for it.
    proof: Option<Verdict>,
    /// The scope of that.
    scope: Option<Scope>,
    /// Which loops that leaves out.
    bounded: Bounded,
    /// Whether it keeps nodes apart that callers may have as one.
    apart: Apart,
    /// Why the first candidate that went well was not proved.
    failure: Option<Box<Unknown>>,
    /// What went wrong first where no memory could mend it.
    wrong: Option<Reason>,
    n_probes: usize,
    n_proofs: usize,
    /// The steps of a proof by one plan in this round.
    proof_steps: u64,
    /// The proofs that are tried in it.
    most_proofs: usize,
    /// Whether some proof of this round had too few.
    cut_short: CutShort,
    /// What was spent when it last had success.
    effort_before: u64,
    /// Whether it was given up without any.
    is_fruitless: bool,
}

/// How the execution of a candidate goes.
enum Probe {
    /// Well, as far as it went.
    Well,
    /// This is missing.
    Missing(Missing),
    /// Something goes wrong that no memory can mend.
    Wrong,
}

/// Whether a precondition keeps loops from going on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bounded {
    /// Some loop, as far as is known.
    Loops,
    /// None.
    NoLoop,
}

/// Whether a precondition keeps nodes apart that may be the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Apart {
    /// The neighbours of a node in a ring.
    Nodes,
    /// Nothing that would matter.
    Nothing,
}

/// Whether a proof needed more steps than it had.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CutShort {
    Yes,
    No,
}

/// Which plans are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// All.
    Full,
    /// The first one, and not again with more steps.
    Small,
}

/// Whether a branch of the search has led to a proof.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Proof,
    Nothing,
}

impl<'a> Search<'a> {
    fn new(
        obligation: &'a Obligation<'a>,
        open: &'a OpenEntry,
        library: &'a ShapeLibrary,
        budget: &'a Budget,
    ) -> Self {
        Self {
            machine: Machine::simplified(obligation, library),
            open,
            budget,
            known: &obligation.known,
            accepted: Vec::new(),
            hopeless: Vec::new(),
            costly: Vec::new(),
            proof: None,
            scope: None,
            bounded: Bounded::Loops,
            apart: Apart::Nothing,
            failure: None,
            wrong: None,
            n_probes: 0,
            n_proofs: 0,
            proof_steps: 0,
            most_proofs: MOST_PROOFS[0],
            cut_short: CutShort::No,
            effort_before: 0,
            is_fruitless: false,
        }
    }

    /// Searches in rounds, until one finds something. What is known to be enough for another
    /// goal is tried first, with the steps of the last round.
    fn run(&mut self) {
        self.proof_steps = PROOF_STEPS[PROOF_STEPS.len() - 1];
        let enough = &self.known.enough;
        if !enough.is_empty() {
            self.try_proof(enough.clone(), Effort::Full);
            if self.is_general() {
                return;
            }
        }
        for (steps, most) in PROOF_STEPS.into_iter().zip(MOST_PROOFS) {
            self.most_proofs = most;
            (self.proof_steps, self.n_probes, self.n_proofs) = (steps, 0, 0);
            (self.cut_short, self.effort_before) = (CutShort::No, self.budget.effort());
            self.from(&Candidate::of_entry(self.machine.program, self.open));
            if self.is_general() || self.cut_short == CutShort::No {
                return;
            }
        }
    }

    /// What was found out.
    fn found(&self) -> Known {
        let (hopeless, costly) = (self.hopeless.clone(), self.costly.clone());
        let enough = self.accepted.clone();
        let fruitless = self.is_fruitless && self.proof.is_none();
        let failure = self.failure.as_ref().and_then(|unknown| unknown.reasons.first());
        let obstacle = failure.or(self.wrong.as_ref()).map(Reason::obstacle);
        Known { enough, hopeless, costly, fruitless, obstacle }
    }

    fn finish(mut self) -> Answer {
        if self.proof.is_none() && self.failure.is_none() {
            // No candidate went well: tell what goes wrong without a precondition.
            let any = Candidate::of_entry(self.machine.program, self.open);
            self.try_proof(vec![any.state], Effort::Full);
        }
        let (known, scope) = (self.found(), self.scope);
        let unknown = self.failure.unwrap_or_else(|| Box::new(Unknown { reasons: Vec::new() }));
        Answer { verdict: self.proof.unwrap_or(Verdict::Unknown(unknown)), known, scope }
    }

    /// Searches from a candidate on.
    fn from(&mut self, candidate: &Candidate) -> Found {
        let most = match &self.proof {
            Some(_) => EXTENSION_EFFORT,
            None if self.known.fruitless => FRUITLESS_EFFORT_AGAIN,
            None => FRUITLESS_EFFORT,
        };
        let is_enough = self.budget.effort() - self.effort_before > most;
        self.is_fruitless |= is_enough && self.proof.is_none();
        if is_enough || self.n_probes >= MOST_PROBES || self.n_proofs >= self.most_proofs {
            return Found::Nothing;
        }
        self.n_probes += 1;
        match self.probe(candidate) {
            Probe::Well => self.add(candidate),
            Probe::Missing(missing) => self.mend(candidate, &missing),
            Probe::Wrong => Found::Nothing,
        }
    }

    /// Whether the precondition so far leaves out nothing that the function is for.
    fn is_general(&self) -> bool {
        self.scope.is_some_and(Scope::answers)
    }

    /// Tries the ways to supply what is missing: null always, then the others until one leads to
    /// a general proof.
    fn mend(&mut self, candidate: &Candidate, missing: &Missing) -> Found {
        let null = candidate.with_null(missing).map(|null| self.from(&null));
        let found = match missing {
            Missing::Block(_) => self.mend_by_memory(candidate, missing),
            Missing::Room(..) => self.mend_by_room(candidate, missing),
            Missing::Divisor(_) => self.first_general(candidate.with_divisor(missing)),
        };
        if found == Found::Proof { found } else { null.unwrap_or(found) }
    }

    /// Tries what may lie where nothing is. One node is tried before a shape, unless execution
    /// goes on to what the node links to; rings come after lists with a length.
    fn mend_by_memory(&mut self, candidate: &Candidate, missing: &Missing) -> Found {
        for end in candidate.with_end(missing) {
            if self.from(&end) == Found::Proof {
                return Found::Proof;
            }
        }
        let mut block = candidate.with_block(missing, self.open);
        if let Some(block) = &mut block
            && !self.goes_beyond(candidate, block)
            && self.from(block) == Found::Proof
        {
            let _ = self.extend_one_object(candidate, missing);
            return Found::Proof;
        }
        let library = self.machine.shape_library;
        let [lists, rings] = candidate.with_shapes(missing, self.open, library);
        let mut found = self.first_general(lists);
        if found == Found::Nothing {
            let [counted, empty] = candidate.with_counted(missing, self.open, library);
            found = self.first_general(counted);
            if found == Found::Proof {
                let _ = self.first_general(empty);
            }
        }
        if self.leaves_no_more(found) {
            return found;
        }
        let objects = candidate.with_objects(missing, self.open);
        let others = rings.into_iter().chain(block).chain(objects);
        let others = others.chain(candidate.with_alias(missing));
        let others = self.first_general(others);
        if others == Found::Proof { others } else { found }
    }

    /// Tries what callers may have beside one object: an array of them, where a loop cannot go on
    /// in one, or the same object by another pointer, as in a short ring.
    fn extend_one_object(&mut self, candidate: &Candidate, missing: &Missing) -> Found {
        if self.is_general() {
            return Found::Nothing;
        }
        let others = match (self.bounded, self.apart) {
            (_, Apart::Nodes) => candidate.with_alias(missing),
            (Bounded::Loops, Apart::Nothing) => {
                candidate.with_objects(missing, self.open).into_iter().collect()
            }
            (Bounded::NoLoop, Apart::Nothing) => Vec::new(),
        };
        self.first_general(others)
    }

    /// Tries how large a block may have to be: one of an array, as long as a number says, a
    /// string, or else just large enough.
    fn mend_by_room(&mut self, candidate: &Candidate, missing: &Missing) -> Found {
        if let Some(array) = candidate.with_array(missing, self.open)
            && self.from(&array) == Found::Proof
        {
            return Found::Proof;
        }
        let mut elements = candidate.with_elements(missing, self.open);
        elements.extend(candidate.with_index_below(missing, self.open));
        elements.retain(|next| self.makes_room(next, missing));
        let strings = candidate.with_string(missing, self.open).into_iter();
        let strings = strings.chain(candidate.with_longer_string(missing));
        let ways = elements.into_iter().chain(strings);
        match self.first_general(ways.chain(candidate.with_numbers(missing, self.open))) {
            Found::Proof => Found::Proof,
            Found::Nothing => self.first_general(candidate.with_room(missing)),
        }
    }

    /// Tries ways to supply what is missing until one leads to a general proof.
    fn first_general(&mut self, ways: impl IntoIterator<Item = Candidate>) -> Found {
        let mut found = Found::Nothing;
        for next in ways {
            if self.from(&next) == Found::Proof {
                found = Found::Proof;
                if self.leaves_no_more(found) {
                    break;
                }
            }
        }
        found
    }

    /// Whether other ways to supply what is missing cannot help: what is left out after a proof is
    /// not left out because of this pointer.
    fn leaves_no_more(&self, found: Found) -> bool {
        self.is_general() || (found == Found::Proof && self.bounded == Bounded::NoLoop)
    }

    /// Whether a block that was too small is large enough with a candidate.
    fn makes_room(&mut self, next: &Candidate, missing: &Missing) -> bool {
        let Missing::Room(base, _) = missing else { return false };
        self.n_probes += 1;
        match self.probe(next) {
            Probe::Missing(Missing::Room(other, _)) => other != *base,
            Probe::Missing(Missing::Block(_) | Missing::Divisor(_))
            | Probe::Well
            | Probe::Wrong => true,
        }
    }

    /// Whether execution of a candidate with a new block misses what lies behind
    /// the block's fields, when all else that it misses are single blocks.
    fn goes_beyond(&mut self, before: &Candidate, with_block: &Candidate) -> bool {
        let fields = before.n_variables()..with_block.n_variables();
        let mut next = with_block.clone();
        for _ in 0..MAX_BLOCKS {
            self.n_probes += 1;
            let Probe::Missing(missing) = self.probe(&next) else { return false };
            if next.is_behind(&missing, &fields) {
                return true;
            }
            let more = next.with_block(&missing, self.open);
            let more = more.or_else(|| next.with_array(&missing, self.open));
            match more.or_else(|| next.with_room(&missing)) {
                Some(more) => next = more,
                None => return false,
            }
        }
        false
    }

    /// Executes a candidate for some rounds of each loop.
    fn probe(&mut self, candidate: &Candidate) -> Probe {
        self.machine.semantics.contract = Some(Contract {
            procedure: self.open.procedure,
            requires: vec![candidate.state.clone()],
            naming: Naming::Kept,
        });
        let mut start = State::initial();
        start.vocabulary = candidate.state.vocabulary.clone();
        let mut open = VecDeque::from([(Place::start(self.machine.program.entry), start)]);
        let mut rounds: BTreeMap<Place, usize> = BTreeMap::new();
        let mut budget = self.budget.of_part(PROBE_STEPS);
        while let Some((place, state)) = open.pop_front() {
            let mut joins = SearchJoins::new(&self.machine, &NoStates);
            let found = explore(&self.machine, &mut joins, &place, state, &mut budget);
            let Ok(Exploration { arrivals, alarms, missing, .. }) = found else { break };
            let mut alarms = alarms.into_iter().filter(|it| it.kind.matters_for(Goal::Ends));
            if let Some(alarm) = alarms.next() {
                let mut missing = missing.into_iter();
                if let Some(mendable) =
                    missing.find(|missing| candidate.supplies(missing, self.open))
                {
                    return Probe::Missing(mendable);
                }
                self.wrong.get_or_insert(Reason::Alarm(alarm));
                return Probe::Wrong;
            }
            for arrival in arrivals {
                let n_rounds = rounds.entry(arrival.place.clone()).or_default();
                *n_rounds += 1;
                if *n_rounds <= MAX_ROUNDS {
                    open.push_back((arrival.place, arrival.state));
                }
            }
        }
        Probe::Well
    }

    /// Adds a candidate to the precondition if there is a proof for both. What is hopeless
    /// stays so: where memory is missing for a run to end, it is missing for a run to be safe.
    fn add(&mut self, candidate: &Candidate) -> Found {
        if self.accepted.contains(&candidate.state) {
            return Found::Proof;
        }
        let is_hopeless = self.hopeless.contains(&candidate.state)
            || self.known.hopeless.contains(&candidate.state);
        // The first failure is told.
        if is_hopeless && self.failure.is_some() {
            return Found::Nothing;
        }
        self.n_proofs += 1;
        let mut requires = self.accepted.clone();
        requires.push(candidate.state.clone());
        let is_costly = self.known.costly.contains(&candidate.state);
        let effort = if is_hopeless || is_costly { Effort::Small } else { Effort::Full };
        let attempt = self.try_proof(requires, effort);
        self.costly.retain(|state| *state != candidate.state);
        match attempt {
            Attempt::Proof => return Found::Proof,
            Attempt::Hopeless => self.hopeless.push(candidate.state.clone()),
            Attempt::Costly => self.costly.push(candidate.state.clone()),
            Attempt::Failed => {}
        }
        Found::Nothing
    }

    /// Takes a proof with these preconditions. The search goes on for longer only where it led
    /// to more.
    fn accept(&mut self, proof: Verdict, requires: Vec<State>) {
        let before = self.scope;
        if let Verdict::Proved(certificate) = &proof {
            let library = self.machine.shape_library;
            let found = coverage(self.machine.program, certificate, library, self.budget);
            self.scope = Some(found.scope);
            self.bounded = if found.bounded.is_empty() { Bounded::NoLoop } else { Bounded::Loops };
            self.apart = if found.rings.is_empty() { Apart::Nothing } else { Apart::Nodes };
        }
        if self.scope != before || self.is_general() {
            self.effort_before = self.budget.effort();
        }
        self.proof = Some(proof);
        self.accepted = requires;
    }

    fn try_proof(&mut self, requires: Vec<State>, effort: Effort) -> Attempt {
        self.machine.semantics.contract = Some(Contract {
            procedure: self.open.procedure,
            requires: requires.clone(),
            naming: Naming::Fresh,
        });
        let used = shapes_of(&requires);
        let fits = |plan: &Plan| used.iter().all(|shape| plan.shapes.contains(shape));
        let n_plans = if effort == Effort::Small { 1 } else { usize::MAX };
        let mut attempt = Attempt::Hopeless;
        for plan in self.machine.plans().into_iter().filter(fits).take(n_plans) {
            self.machine.strategy.plan = plan;
            let mut steps = self.budget.of_part(self.proof_steps);
            match by_states(&self.machine, &mut steps) {
                Verdict::Unknown(unknown) => {
                    if is_short(&unknown, &steps) && effort == Effort::Full {
                        self.cut_short = CutShort::Yes;
                    }
                    attempt = attempt.max(failed(&unknown, &steps));
                    self.failure.get_or_insert(unknown);
                    if !self.machine.has_folded() && !steps.is_spent() {
                        // All plans say the same.
                        break;
                    }
                }
                proof => {
                    self.accept(proof, requires);
                    return Attempt::Proof;
                }
            }
        }
        attempt
    }
}

/// Nothing is known of recursive procedures: their calls do not return.
struct NoStates;

impl States for NoStates {
    fn at(&self, _place: &Place) -> Vec<(NodeId, &State)> {
        Vec::new()
    }
}
