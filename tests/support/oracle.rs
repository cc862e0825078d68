//! The oracle: a run of the interpreter beside what the analysis claims.

mod calls;

use calls::{Call, Comparable};
use wane::base::budget::Budget;
use wane::base::source::Span;
use wane::concrete::choices::{Choices, Occasion};
use wane::concrete::interpreter::Interpreter;
use wane::concrete::memory::MemoryBlock;
use wane::concrete::state::State as ConcreteState;
use wane::concrete::{MemoryErrorKind, Outcome};
use wane::evidence::alarm::AlarmKind;
use wane::evidence::place::{NodeId, Place, Site};
use wane::evidence::step::Edge;
use wane::heap::model::{Valuation, valuations};
use wane::heap::print::formula;
use wane::heap::shape::ShapeLibrary;
use wane::heap::state::{Kind, State};
use wane::heap::{Atom, FloatingCell};
use wane::ir::{Program, ScalarType};
use wane::logic::{Constraint, LinearExpr, Var};
use wane::numeric::polyhedron::Polyhedron;
use wane::obligation::{Goal, Obligation};
use wane::prove::mutant;
use wane::sonar::Machine;
use wane::sonar::fixpoint::{self, Invariants};
use wane::sonar::transitions::{Transitions, transitions};
use wane::verdict::Verdict;

/// So many steps of a run are compared.
const COMPARED_STEPS: usize = 300;
/// A run of a program that was proved to halt halts within so many steps.
const HALTING_STEPS: usize = 30_000;
/// How often the states are narrowed; each time, all is compared anew.
const NARROWINGS: usize = 2;
/// So many models of the states of the last cutpoint are followed.
const MAX_FOLLOWED: usize = 6;
/// States where more blocks have bytes that nothing was written to are not compared: such
/// bytes agree with anything, and models are listed one by one.
const MAX_VAGUE: usize = 6;

/// Small numbers for ever, from a seed.
pub(crate) struct SeededChoices(u64);

impl SeededChoices {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }
}

impl Choices for SeededChoices {
    fn choose(&mut self, _: ScalarType, _: Occasion<'_>) -> i128 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        i128::from((mixed ^ (mixed >> 31)) % 9) - 2
    }
}

/// How much was compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Programs whose analysis came to an end.
    pub(crate) finished: usize,
    /// Those of them without alarms.
    pub(crate) safe: usize,
    /// Those of them that were proved to halt.
    pub(crate) proved: usize,
    /// Steps of the interpreter that were compared.
    pub(crate) steps: usize,
    /// Concrete states at cutpoints that were found to be described.
    pub(crate) arrivals: usize,
    /// Steps from cutpoint to cutpoint found in the relation of an edge.
    pub(crate) transitions: usize,
    /// Models that do not go on, as they rest on bytes that were not written yet.
    pub(crate) dropped: usize,
    /// Concrete errors that the analysis had announced.
    pub(crate) errors: usize,
    /// Calls of tabulated procedures found to be described where they begin.
    pub(crate) entries: usize,
    /// Concrete states at cutpoints in such calls found to be described.
    pub(crate) inside: usize,
    /// Such calls found to be described where they end.
    pub(crate) returns: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.finished += other.finished;
        self.safe += other.safe;
        self.proved += other.proved;
        self.steps += other.steps;
        self.arrivals += other.arrivals;
        self.transitions += other.transitions;
        self.dropped += other.dropped;
        self.errors += other.errors;
        self.entries += other.entries;
        self.inside += other.inside;
        self.returns += other.returns;
    }
}

/// Compares runs of a program with its analysis, one for each seed. A
/// difference is an error, described.
pub(crate) fn compare(
    program: &Program,
    n_steps: u64,
    seeds: std::ops::Range<u64>,
) -> Result<Tally, String> {
    let library = ShapeLibrary::builtin().map_err(|error| error.message)?;
    compare_by(&Machine::new(&Obligation::new(program, Goal::Ends), &library), n_steps, seeds)
}

/// The same for a program whose calls are all tabulated.
pub(crate) fn compare_tabulated(
    program: &Program,
    n_steps: u64,
    seeds: std::ops::Range<u64>,
) -> Result<Tally, String> {
    let library = ShapeLibrary::builtin().map_err(|error| error.message)?;
    compare_by(
        &Machine::new(&Obligation::new(program, Goal::Ends), &library).with_calls_tabulated(),
        n_steps,
        seeds,
    )
}

fn compare_by(
    machine: &Machine<'_>,
    n_steps: u64,
    seeds: std::ops::Range<u64>,
) -> Result<Tally, String> {
    let Ok(mut invariants) = fixpoint::run(machine, &mut Budget::of_steps(n_steps)) else {
        return Ok(Tally::default());
    };
    let proved =
        matches!(mutant::prove(machine, &mut Budget::of_steps(n_steps)), Verdict::Proved(_));
    let mut tally = Tally { proved: proved.into(), ..Tally::default() };
    for round in 0..=NARROWINGS {
        let Ok(steps) = transitions(machine, &invariants, &mut Budget::of_steps(n_steps)) else {
            break;
        };
        let narrowed = steps.narrowed(&invariants);
        let is_safe = steps.alarms.is_empty();
        let claims = Claims { machine, invariants, steps, proved };
        let mut compared = Tally::default();
        for seed in seeds.clone() {
            compared.add(
                claims
                    .follow(seed)
                    .map_err(|why| format!("seed {seed}, narrowed {round} times: {why}"))?,
            );
        }
        if round == 0 {
            tally.add(Tally { finished: 1, safe: is_safe.into(), ..compared });
        }
        invariants = narrowed;
    }
    Ok(tally)
}

/// A node that describes a state, and how.
#[derive(Clone, Debug, PartialEq)]
struct Described {
    node: NodeId,
    model: Valuation,
    /// See [`rests_on_unwritten_bytes`].
    rests_on_unwritten_bytes: bool,
}

/// What the analysis says of a program.
struct Claims<'a> {
    machine: &'a Machine<'a>,
    invariants: Invariants,
    steps: Transitions,
    proved: bool,
}

impl Claims<'_> {
    /// Follows one run.
    fn follow(&self, seed: u64) -> Result<Tally, String> {
        let interpreter = Interpreter::new(self.machine.program);
        let mut choices = SeededChoices::new(seed);
        let mut state = interpreter.initial();
        let mut tally = Tally::default();
        let mut last = self.described(&state, &Place::start(self.machine.program.entry));
        if last.is_empty() {
            return Err("the start is not described".to_owned());
        }
        let mut is_compared = true;
        let mut calls: Vec<Call> = Vec::new();
        for step in 0..HALTING_STEPS {
            if step > 0 && is_compared {
                is_compared = self.follow_calls(&state, &mut calls, &mut tally)? == Comparable::Yes;
            }
            if step > 0 && is_compared && self.is_at_cutpoint(&state) {
                match calls.last() {
                    Some(call) => {
                        self.arrive_in(&state, call)?;
                        tally.inside += 1;
                    }
                    None => last = self.arrive(&state, &last, &mut tally)?,
                }
            }
            let span = interpreter.span(&state);
            is_compared = is_compared
                && step < COMPARED_STEPS
                && !self.gives_up_at(span)
                && n_vague(&state) <= MAX_VAGUE;
            if !is_compared && !self.proved {
                return Ok(tally);
            }
            tally.steps += usize::from(is_compared);
            match interpreter.step(&mut state, &mut choices) {
                Outcome::Running => {}
                Outcome::MemoryError { kind, span } => {
                    tally.errors += 1;
                    return self.is_announced(kind, span).map(|()| tally);
                }
                Outcome::Halted
                | Outcome::AssumeFailed
                | Outcome::ReachedError { .. }
                | Outcome::Unsupported { .. }
                | Outcome::OutOfBudget => return Ok(tally),
            }
        }
        Err(format!("proved to halt, but goes on for {HALTING_STEPS} steps"))
    }

    /// After some alarms the analysis does not go on with the states that it
    /// cannot tell to be safe.
    fn gives_up_at(&self, span: Span) -> bool {
        self.steps.alarms.iter().any(|alarm| {
            alarm.span == span
                && match &alarm.kind {
                    AlarmKind::NullDereference
                    | AlarmKind::OutOfBounds
                    | AlarmKind::ConstantWrite
                    | AlarmKind::NegativeAllocation
                    | AlarmKind::DivisionByZero
                    | AlarmKind::Leak
                    | AlarmKind::Overwritten
                    | AlarmKind::Unfreed
                    | AlarmKind::ErrorReached(_) => false,
                    AlarmKind::WildDereference
                    | AlarmKind::InvalidFree
                    | AlarmKind::Undefined(_)
                    | AlarmKind::Unsupported(_)
                    | AlarmKind::Granted(_)
                    | AlarmKind::Inseparable(_)
                    | AlarmKind::UnknownCallee => true,
                }
        })
    }

    fn is_announced(&self, kind: MemoryErrorKind, span: Span) -> Result<(), String> {
        let is_announced = self.steps.alarms.iter().any(|alarm| alarm.span == span);
        let place = self.machine.program.sources.describe(span);
        is_announced.then_some(()).ok_or_else(|| format!("{place}: {kind:?} without an alarm"))
    }

    fn is_at_cutpoint(&self, state: &ConcreteState) -> bool {
        state.location().is_some_and(|location| {
            location.command == 0
                && self.machine.approach.cuts[location.procedure.index()].contains(location.block)
        })
    }

    /// The nodes that describe a state, with the models.
    fn described(&self, state: &ConcreteState, place: &Place) -> Vec<Described> {
        let nodes =
            self.invariants.nodes.iter().enumerate().filter(|(_, node)| node.place == *place);
        nodes
            .flat_map(|(index, node)| {
                let models = valuations(state, &node.state, self.machine.shape_library);
                models.into_iter().map(move |model| Described {
                    rests_on_unwritten_bytes: rests_on_unwritten_bytes(&node.state, &model, state),
                    node: NodeId::at(index),
                    model,
                })
            })
            .collect()
    }

    /// A cutpoint is reached: the state is described, and each model of the
    /// state at the last cutpoint extends to one of an edge's relation.
    fn arrive(
        &self,
        state: &ConcreteState,
        last: &[Described],
        tally: &mut Tally,
    ) -> Result<Vec<Described>, String> {
        let place = place_of(state);
        let found = self.described(state, &place);
        if found.is_empty() {
            return Err(format!(
                "no node describes this state:\n{}\n{}",
                self.show(&place),
                show_state(state)
            ));
        }
        tally.arrivals += 1;
        let mut next: Vec<Described> = Vec::new();
        for before in last {
            let reached = found.iter().filter(|after| {
                let mut edges = self.steps.edges.iter();
                edges.any(|edge| self.relates(edge, before, after))
            });
            let n_before = next.len();
            let is_new = |it: &&Described| !next.contains(it);
            let mut reached = reached.peekable();
            if reached.peek().is_none() && before.rests_on_unwritten_bytes {
                tally.dropped += 1;
                continue;
            }
            if reached.peek().is_none() {
                return Err(format!(
                    "no edge fits {before:?}\nto one of {found:?}\n{}\n{}",
                    self.show(&place),
                    show_state(state)
                ));
            }
            let new: Vec<_> = reached.filter(is_new).cloned().collect();
            next.extend(new);
            tally.transitions += 1;
            next.truncate(MAX_FOLLOWED.max(n_before));
        }
        if next.is_empty() {
            return Err(format!("no model goes on\n{}\n{}", self.show(&place), show_state(state)));
        }
        Ok(next)
    }

    /// Whether the relation of an edge holds between two models, where they
    /// are determined.
    fn relates(&self, edge: &Edge, before: &Described, after: &Described) -> bool {
        if edge.from != before.node || edge.to != after.node {
            return false;
        }
        let from = &self.invariants.nodes[edge.from.index()].state;
        let to = &self.invariants.nodes[edge.to.index()].state;
        let shift = Var::at(from.vocabulary.len()).0;
        let mut relation = edge.relation.clone();
        bind(&mut relation, from, &before.model, 0);
        bind(&mut relation, to, &after.model, shift);
        !relation.is_empty()
    }

    fn show(&self, place: &Place) -> String {
        let print =
            |state: &State| formula(state, self.machine.program, self.machine.shape_library);
        let nodes = self.invariants.nodes.iter().enumerate();
        let lines = nodes.map(|(index, node)| {
            let mark = if node.place == *place { "*" } else { " " };
            format!("{mark} node {index}: {}\n", print(&node.state))
        });
        lines.collect()
    }
}

/// Whether `symbolic` says something of bytes that nothing was written to: of what a cell holds,
/// or by placing a floating cell there. The run may choose them otherwise later, so such a model
/// need not go on.
fn rests_on_unwritten_bytes(symbolic: &State, model: &Valuation, state: &ConcreteState) -> bool {
    let is_told = |it: &LinearExpr| {
        let constraints = symbolic.facts.numbers.constraints();
        let open: Vec<Var> = it.variables().filter(|v| model.value(*v).is_none()).collect();
        constraints.iter().any(|it| open.iter().any(|v| it.mentions(*v)))
    };
    symbolic.heap.atoms.iter().any(|atom| match atom {
        Atom::Block(block) => {
            block.cells.iter().any(|cell| is_told(&cell.value))
                || block.floats().any(|it| lies_on_unwritten_bytes(&block.base, it, model, state))
        }
        Atom::Instance(_) => false,
    })
}

/// Whether nothing was written where a floating cell of a block is.
fn lies_on_unwritten_bytes(
    base: &Var,
    float: &FloatingCell,
    model: &Valuation,
    state: &ConcreteState,
) -> bool {
    let place =
        |it: LinearExpr| it.map(|v| model.value(v).cloned().unwrap_or_else(|| LinearExpr::var(v)));
    let address = place(LinearExpr::var(*base).add(&float.offset));
    state.memory().live_blocks().any(|(id, block)| {
        let start = LinearExpr::var(Var::at(id.index()));
        let mut unwritten = (0..block.size).filter(|at| {
            block.cells().all(|(offset, cell)| *at < offset || offset + cell.width <= *at)
        });
        unwritten.any(|at| address == start.add_constant(at))
    })
}

/// The live blocks with bytes that nothing was written to.
fn n_vague(state: &ConcreteState) -> usize {
    let written = |block: &MemoryBlock| block.cells().map(|(_, cell)| cell.width).sum::<i128>();
    state.memory().live_blocks().filter(|(_, block)| written(block) < block.size).count()
}

fn bind(relation: &mut Polyhedron, state: &State, model: &Valuation, shift: u32) {
    for variable in state.vocabulary.of_kind(Kind::Integer) {
        if let Some(number) = model.number(variable) {
            relation.assume(Constraint::eq(
                Var(variable.0 + shift),
                LinearExpr::constant(number.clone()),
            ));
        }
    }
}

/// Where a run stands, in the words of the analysis.
pub(crate) fn place_of(state: &ConcreteState) -> Place {
    let n_frames = state.frames().len();
    let sites = state.frames().iter().enumerate().map(|(index, frame)| {
        let location = frame.location();
        // A caller stands behind its call.
        let command = if index + 1 < n_frames {
            location.command.saturating_sub(1)
        } else {
            location.command
        };
        Site { procedure: location.procedure, block: location.block, command }
    });
    Place { entry: None, sites: sites.collect() }
}

/// A concrete state, to look at.
pub(crate) fn show_state(state: &ConcreteState) -> String {
    let globals: Vec<_> = state.globals().collect();
    let mut text = format!("globals {globals:?}\n");
    for frame in state.frames() {
        let variables: Vec<_> = frame.variables().collect();
        text += &format!("frame at {:?}: {variables:?}\n", frame.location());
    }
    for (id, block) in state.memory().live_blocks() {
        let cells: Vec<_> = block.cells().map(|(offset, cell)| (offset, cell.content)).collect();
        text += &format!("block {} {:?} of {}: {cells:?}\n", id.0, block.kind, block.size);
    }
    text
}
