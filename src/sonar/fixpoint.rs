//! The reachable abstract states at cutpoints: `Y := SONAR*[{I}]` of CAV'06
//! Fig. 2, as a least fixed point.
//!
//! States at one place whose heaps match are joined: their numbers, by widening
//! after a delay. The loop that is nested deepest is settled first.

use super::Machine;
use super::abstraction::{Offsets, folded, node_form};
use super::covering::{States, cost_of_matching};
use super::heap_liveness::forget_unread;
use super::search_joins::SearchJoins;
use super::stable::{stable_bounds, stable_ends, stable_signs};
use base::budget::{Budget, Exhausted};
use base::limits::{MOST_EXACT_STATES, MOST_EXACT_STATES_OF_NUMBERS, MOST_STATES, MOST_SUMMARIES};
use entail::entailment::entail;
use entail::fold::promote;
use evidence::alarm::Alarm;
use evidence::certificate::Retired;
use evidence::place::{NodeId, Place, Site};
use hashbrown::HashMap;
use heap::fold_precision::FoldPrecision;
use heap::matching::Match;
use heap::shape::ShapeId;
use heap::state::State;
use heap::{Atom, Cell, Template};
use ir::{ProcedureId, ScalarType};
use rules::arbitrary::{any_integer, any_of_type};
use rules::departure::departure;
use rules::explore::{Arrival, explore};
use rules::forgetting::tidy;
use rules::semantics::DeadVariables;
use std::collections::{BTreeMap, BTreeSet};

/// An abstract state at a cutpoint.
#[derive(Clone, Debug)]
pub struct Node {
    /// Which cutpoint, in which calls.
    pub place: Place,
    /// The state, in node form.
    pub state: State,
    /// How often its numbers were joined.
    n_joins: u32,
    /// How often they were widened.
    n_widenings: u32,
    /// Whether a more general entry state took its place.
    pub retired: Retired,
}

/// What the analysis found: a state for the start, then states at cutpoints;
/// every run from the start is described by a path through them.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    /// The states, the start first.
    pub nodes: Vec<Node>,
    /// The states at each place; looked up, never iterated.
    at: HashMap<Place, Vec<NodeId>>,
    /// What became of the states at one place.
    precision: Precision,
    /// What seemed to go wrong on the way to the fixed point; what may go wrong
    /// in the states found, the transitions between them tell.
    pub suspicions: Vec<Alarm>,
}

/// Why the fixed point was not reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The budget ran out.
    Budget(Exhausted),
    /// This cutpoint has more states than the limit.
    TooManyStates(Place),
}

impl From<Exhausted> for Unfinished {
    fn from(what: Exhausted) -> Self {
        Self::Budget(what)
    }
}

/// States at one cutpoint before nodes may be folded that own other memory.
const MAX_OWNING: usize = 10;
/// Cells of one block that are named because some path knows them.
const MAX_NAMED_CELLS: usize = 8;
/// States at one loop before exact values of nodes may be lost.
const MAX_VALUED: usize = 6;
/// So often, widening keeps the bounds of single numbers: not for ever, or they might grow
/// with each step.
const MAX_BOUNDED_WIDENINGS: u32 = 6;
/// So often, a more general state takes the place of another one without widening.
const MAX_GENERALISED: u32 = 12;
/// Where bounds are kept, so many times more states may stand before they are lost, too.
const MORE_FOR_BOUNDS: usize = 4;
/// States at one cutpoint before offsets into blocks are generalised, and lone
/// nodes count as segments.
const MAX_PRECISE: usize = 3;

/// States at one cutpoint before pointers in memory are forgotten that seem not to be read.
const MAX_UNREAD: usize = 24;

/// Computes the reachable states from the program's entry.
///
/// # Errors
/// When the budget runs out or states keep coming.
pub fn run(
    machine: &Machine<'_>,
    budget: &mut Budget,
) -> Result<Invariants, Box<(Invariants, Unfinished)>> {
    run_from(machine, Place::start(machine.program.entry), State::initial(), budget)
}

/// As [`run`], without abstraction: nothing is folded, joined or widened, so that
/// only programs come to an end whose loops do, after a few rounds.
///
/// # Errors
/// When the budget runs out or states keep coming.
pub fn run_exactly(
    machine: &Machine<'_>,
    budget: &mut Budget,
) -> Result<Invariants, Box<(Invariants, Unfinished)>> {
    let place = Place::start(machine.program.entry);
    Engine::new(machine, Precision::Exact).run(place, State::initial(), budget)
}

/// Computes the reachable states from any place and state, such as those of a
/// precondition. The state must be in node form: [`precondition`] makes it so.
///
/// # Errors
/// When the budget runs out or states keep coming.
pub fn run_from(
    machine: &Machine<'_>,
    place: Place,
    state: State,
    budget: &mut Budget,
) -> Result<Invariants, Box<(Invariants, Unfinished)>> {
    Engine::new(machine, Precision::Abstract).run(place, state, budget)
}

/// A state in which a run may start at a place, in node form. `None` when it
/// describes nothing.
#[must_use]
pub fn precondition(machine: &Machine<'_>, place: &Place, state: State) -> Option<State> {
    let state = tidy(machine, state, place)?;
    Some(node_form(machine, &state, Offsets::Constant))
}

/// Whether states at a place are those in which a procedure starts or ends.
fn is_summary(place: &Place) -> bool {
    place.sites.is_empty() || place.is_entry()
}

/// How much may be lost where so many states are known. Summaries of procedures
/// multiply, so exact values count for less there.
fn care_for(machine: &Machine<'_>, place: &Place, n_known: usize) -> FoldPrecision {
    let may_lose = match machine.dead() {
        DeadVariables::Forgotten => n_known >= MAX_OWNING,
        // What is lost is what must not be.
        DeadVariables::KeptIfOwning => false,
    };
    let usual = if is_summary(place) { MAX_PRECISE } else { MAX_VALUED };
    let max_valued = match machine.strategy.finest {
        FoldPrecision::KeepBounds => usual * MORE_FOR_BOUNDS,
        FoldPrecision::KeepLinks => return FoldPrecision::KeepLinks,
        FoldPrecision::KeepValues | FoldPrecision::KeepOwned | FoldPrecision::LoseOwned => usual,
    };
    match n_known {
        _ if n_known < max_valued => machine.strategy.finest,
        _ if may_lose => FoldPrecision::LoseOwned,
        _ => FoldPrecision::KeepOwned,
    }
}

/// Where a place stands in the weak topological order, calls included: places
/// inside a loop come before the loop's head, places behind it after.
type Priority = Vec<u32>;

struct Engine<'a> {
    machine: &'a Machine<'a>,
    invariants: Invariants,
    pending: BTreeSet<(Priority, NodeId)>,
    /// What leaves the places of nodes, as last seen.
    leaving: BTreeMap<(Priority, NodeId), Vec<(Place, State)>>,
    /// The nodes from which each recursive procedure is called.
    callers: BTreeMap<ProcedureId, BTreeSet<NodeId>>,
    /// The templates of all instances seen.
    templates: BTreeSet<(ShapeId, Template)>,
}

/// What becomes of the states at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// They are folded and joined.
    #[default]
    Abstract,
    /// They stay as they are.
    Exact,
}

impl<'a> Engine<'a> {
    fn new(machine: &'a Machine<'a>, precision: Precision) -> Self {
        Self {
            machine,
            invariants: Invariants { precision, ..Invariants::default() },
            pending: BTreeSet::new(),
            leaving: BTreeMap::new(),
            callers: BTreeMap::new(),
            templates: BTreeSet::new(),
        }
    }

    fn run(
        mut self,
        place: Place,
        state: State,
        budget: &mut Budget,
    ) -> Result<Invariants, Box<(Invariants, Unfinished)>> {
        self.add(place, state);
        match self.iterate(budget) {
            Ok(()) => Ok(self.finish()),
            Err(why) => Err(Box::new((self.finish(), why))),
        }
    }

    fn add(&mut self, place: Place, state: State) {
        let id = NodeId::at(self.invariants.nodes.len());
        self.learn_templates(&state);
        self.invariants.at.entry(place.clone()).or_default().push(id);
        self.invariants.nodes.push(Node {
            place,
            state,
            n_joins: 0,
            n_widenings: 0,
            retired: Retired::No,
        });
        self.wake(id);
    }

    /// A block without links says more than an instance of one: it stays.
    fn learn_templates(&mut self, state: &State) {
        for atom in &state.heap.atoms {
            if let Atom::Instance(instance) = atom
                && !self.machine.shape_library.get(instance.shape).is_plain()
            {
                self.templates.insert((instance.shape, instance.template.clone()));
            }
        }
    }

    /// Bodies of recursive procedures come first.
    fn priority(&self, place: &Place) -> Priority {
        let is_main = place.entry.is_none() && !place.is_entry();
        let nesting =
            |site: &Site| self.machine.approach.cuts[site.procedure.index()].nesting(site.block);
        std::iter::once(u32::from(is_main))
            .chain(place.sites.iter().flat_map(nesting).copied())
            .collect()
    }

    /// What leaves a place is held back until nothing at it, or in loops inside of
    /// it, is pending: what comes later would be joined with it only.
    fn iterate(&mut self, budget: &mut Budget) -> Result<(), Unfinished> {
        loop {
            if let Some(arrivals) = self.settled() {
                for (place, state) in arrivals {
                    self.arrive(place, state, budget)?;
                }
                continue;
            }
            let Some((priority, id)) = self.pending.pop_first() else { return Ok(()) };
            if self.is_out_of_use(id) {
                continue;
            }
            let node = &self.invariants.nodes[id.index()];
            let Some((place, start)) = departure(self.machine, id, &node.place, &node.state) else {
                continue;
            };
            let own = node.place.clone();
            let mut joins = SearchJoins::new(self.machine, &self.invariants);
            let found = explore(self.machine, &mut joins, &place, start, budget)?;
            self.invariants.suspicions.extend(found.alarms);
            for procedure in found.called {
                self.callers.entry(procedure).or_default().insert(id);
            }
            let arrivals = found.arrivals.into_iter().filter(|arrival| arrival.callee.is_none());
            let arrivals = arrivals.map(|Arrival { place, state, .. }| (place, state));
            let (staying, leaving) = arrivals.partition(|(place, _)| *place == own);
            self.leaving.insert((priority, id), leaving);
            let staying: Vec<_> = staying;
            for (place, state) in staying {
                self.arrive(place, state, budget)?;
            }
        }
    }

    /// What leaves a node before whose place all is settled.
    fn settled(&mut self) -> Option<Vec<(Place, State)>> {
        let ((priority, _), _) = self.leaving.first_key_value()?;
        let is_settled = self.pending.first().is_none_or(|(first, _)| first > priority);
        let ((_, id), arrivals) = is_settled.then(|| self.leaving.pop_first())??;
        Some(if self.is_out_of_use(id) { Vec::new() } else { arrivals })
    }

    fn is_out_of_use(&self, id: NodeId) -> bool {
        let node = &self.invariants.nodes[id.index()];
        node.retired == Retired::Yes || node.place.entry.is_some_and(|it| self.is_retired(it))
    }

    fn arrive(
        &mut self,
        place: Place,
        state: State,
        budget: &mut Budget,
    ) -> Result<(), Unfinished> {
        let Some(state) = tidy(self.machine, state, &place) else { return Ok(()) };
        match self.invariants.precision {
            Precision::Abstract => self.absorb(place, state, budget),
            Precision::Exact => self.adopt(place, &state, budget),
        }
    }

    fn is_retired(&self, id: NodeId) -> bool {
        self.invariants.nodes[id.index()].retired == Retired::Yes
    }

    /// Explores a node again, and the callers of the procedure that it is the
    /// entry or an exit of.
    fn wake(&mut self, id: NodeId) {
        let place = self.invariants.nodes[id.index()].place.clone();
        self.pending.insert((self.priority(&place), id));
        let entry = if place.sites.is_empty() {
            place.entry
        } else {
            Some(id).filter(|_| place.is_entry())
        };
        let procedure = entry.and_then(|entry| self.invariants.nodes[entry.index()].place.site());
        let callers = procedure
            .and_then(|site| self.callers.get(&site.procedure))
            .cloned()
            .unwrap_or_default();
        for caller in callers {
            let place = self.invariants.nodes[caller.index()].place.clone();
            self.pending.insert((self.priority(&place), caller));
        }
    }

    /// Adds an arriving state to those at its place as it is, unless one of them
    /// describes it.
    fn adopt(
        &mut self,
        place: Place,
        state: &State,
        budget: &mut Budget,
    ) -> Result<(), Unfinished> {
        let known = self.invariants.at.get(&place).cloned().unwrap_or_default();
        budget.spend(cost_of_matching(state, known.len()))?;
        let describes = |id: &NodeId| {
            let want = &self.invariants.nodes[id.index()].state;
            entail(state, want, self.machine.shape_library)
                .is_some_and(|found| found.keeps_facts() && found.is_covered(state, want))
        };
        if known.iter().any(describes) {
            return Ok(());
        }
        let most = if state.heap.atoms.is_empty() {
            MOST_EXACT_STATES_OF_NUMBERS
        } else {
            MOST_EXACT_STATES
        };
        if known.len() >= most {
            return Err(Unfinished::TooManyStates(place));
        }
        self.add(place, node_form(self.machine, state, Offsets::Constant));
        Ok(())
    }

    /// Adds an arriving state to those at its place.
    fn absorb(
        &mut self,
        place: Place,
        state: State,
        budget: &mut Budget,
    ) -> Result<(), Unfinished> {
        let mut state = state;
        let mut known = self.invariants.at.get(&place).cloned().unwrap_or_default();
        if let Some(control) = &self.machine.strategy.control {
            let nodes = &self.invariants.nodes;
            known.retain(|id| !self.machine.are_apart(&state, &nodes[id.index()].state));
            control.forget(self.machine, &mut state, &place);
        }
        budget.spend(cost_of_matching(&state, known.len()))?;
        let care = care_for(self.machine, &place, known.len());
        let (mut state, _) = folded(self.machine, (&place, state), care, budget)?;
        if known.len() >= MAX_PRECISE {
            promote(&mut state, &self.templates, self.machine.shape_library);
            (state, _) = folded(self.machine, (&place, state), care, budget)?;
        }
        if known.len() >= MAX_UNREAD && forget_unread(self.machine, &mut state, &place) {
            (state, _) = folded(self.machine, (&place, state), care, budget)?;
        }
        let is_near =
            |id: &NodeId| !self.machine.are_apart(&state, &self.invariants.nodes[id.index()].state);
        let near: Vec<NodeId> = known.iter().copied().filter(is_near).collect();
        for id in &near {
            let want = &self.invariants.nodes[id.index()].state;
            if let Some(found) = self.entail(&state, want, care) {
                self.join_into(*id, &state, found);
                return Ok(());
            }
        }
        let offsets = if known.len() < MAX_PRECISE { Offsets::Constant } else { Offsets::Named };
        let general = node_form(self.machine, &state, offsets);
        for id in &near {
            let old = self.invariants.nodes[id.index()].state.clone();
            if let Some(found) = self.entail(&old, &general, care) {
                // One that is as general as it gets, and still does not describe what arrives,
                // would be made more general for ever.
                let n_joins = self.invariants.nodes[id.index()].n_joins;
                if n_joins > self.machine.strategy.widening_delay + 2 * MAX_GENERALISED {
                    continue;
                }
                self.generalise(*id, &old, general, &found);
                return Ok(());
            }
        }
        let max_states = if is_summary(&place) { MOST_SUMMARIES } else { MOST_STATES };
        if known.len() >= max_states {
            return Err(Unfinished::TooManyStates(place));
        }
        self.add(place, general);
        Ok(())
    }

    /// Matches two states, unless that loses what is to be kept.
    fn entail(&self, have: &State, want: &State, care: FoldPrecision) -> Option<Match> {
        let library = self.machine.shape_library;
        let found = entail(have, want, library)?;
        let is_lost = found.loses((have, want), library, care) || found.drops_elements(have, want);
        (!is_lost).then_some(found)
    }

    /// The node's heap describes the state's: its numbers grow.
    fn join_into(&mut self, id: NodeId, state: &State, found: Match) {
        let found = self.name_cells(id, state, found);
        let node = &mut self.invariants.nodes[id.index()];
        if found.keeps_facts() && found.is_covered(state, &node.state) {
            return;
        }
        let arriving = found.numbers(state, &node.state);
        found.weaken(&mut node.state);
        found.note_common_products(state, &mut node.state);
        let directions = self.machine.directions(&node.state);
        let joined = node.state.facts.numbers.join_along(&arriving, &directions);
        node.n_joins += 1;
        // A new dimension is taken as it is: there are only so many, and what bounds
        // it was no inequality before.
        let is_new = joined.equalities().len() < node.state.facts.numbers.equalities().len();
        node.state.facts.numbers = if node.n_joins > self.machine.strategy.widening_delay && !is_new
        {
            let old = &node.state.facts.numbers;
            let thresholds = self.machine.strategy.thresholds.at(&node.state, &joined);
            let mut widened = old.widen(&joined, &thresholds);
            node.n_widenings += 1;
            if node.n_widenings <= MAX_BOUNDED_WIDENINGS {
                widened.assume_all(stable_bounds(old, &joined));
            }
            widened.assume_all(stable_signs(self.machine, &node.state, (old, &joined)));
            widened.assume_all(stable_ends(&node.state, (old, &joined)));
            // A node that stays as it is will do so whenever the state arrives again.
            let is_stuck =
                node.n_widenings > MAX_BOUNDED_WIDENINGS && found.keeps_facts() && widened == *old;
            if is_stuck && let Some(implied) = found.implied_numbers(state, &node.state) {
                widened = implied;
            }
            widened
        } else {
            joined
        };
        node.state.prune_values();
        self.wake(id);
    }

    /// Gives names to numbers in the node's blocks that the arriving state
    /// knows: arbitrary bytes may then be measured. Returns the match anew.
    fn name_cells(&mut self, id: NodeId, state: &State, found: Match) -> Match {
        let node = &mut self.invariants.nodes[id.index()];
        let mut general = node.state.clone();
        for (atom, offset, ty) in &found.unnamed {
            let has_room = matches!(general.heap.atoms.get(*atom),
                Some(Atom::Block(block)) if block.cells.len() < MAX_NAMED_CELLS);
            if has_room {
                // Other states say nothing of these bytes, not even their range.
                let value = match ty {
                    ScalarType::Int(_) => any_integer(&mut general),
                    ScalarType::Pointer | ScalarType::Float(_) => any_of_type(&mut general, *ty),
                };
                if let Some(Atom::Block(block)) = general.heap.atoms.get_mut(*atom) {
                    block.name(Cell { offset: *offset, ty: *ty, value });
                }
            }
        }
        match entail(state, &general, self.machine.shape_library) {
            Some(better) if general != node.state => {
                node.state = general;
                self.wake(id);
                better
            }
            _ => found,
        }
    }

    /// The arriving state's heap describes the node's: it takes its place.
    fn generalise(&mut self, id: NodeId, old: &State, general: State, found: &Match) {
        let mut general = general;
        self.learn_templates(&general);
        let arriving = found.numbers(old, &general);
        found.weaken(&mut general);
        found.note_common_products(old, &mut general);
        let directions = self.machine.directions(&general);
        let joined = general.facts.numbers.join_along(&arriving, &directions);
        // Heaps that become more general do so a few times only.
        let n_joins = self.invariants.nodes[id.index()].n_joins;
        general.facts.numbers = if n_joins > self.machine.strategy.widening_delay + MAX_GENERALISED
        {
            let thresholds = self.machine.strategy.thresholds.at(&general, &joined);
            arriving.widen(&joined, &thresholds)
        } else {
            joined
        };
        general.prune_values();
        let node = &mut self.invariants.nodes[id.index()];
        if node.place.is_entry() {
            // What was found in the body speaks of the old state's variables.
            node.retired = Retired::Yes;
            let place = node.place.clone();
            if let Some(known) = self.invariants.at.get_mut(&place) {
                known.retain(|other| *other != id);
            }
            self.add(place, general);
            return;
        }
        node.state = general;
        node.n_joins += 1;
        self.wake(id);
    }

    fn finish(self) -> Invariants {
        let mut invariants = self.invariants;
        invariants.suspicions.sort();
        invariants.suspicions.dedup();
        invariants
    }
}

impl States for Invariants {
    fn precision(&self) -> Precision {
        self.precision
    }

    fn at(&self, place: &Place) -> Vec<(NodeId, &State)> {
        let known = self.at.get(place).into_iter().flatten();
        known.map(|id| (*id, &self.nodes[id.index()].state)).collect()
    }
}
