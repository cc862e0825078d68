//! How general the precondition of a proof is, judged by the states of the proof.
//!
//! ```text
//!   each loop has a state at its head on a cycle of steps, with a measure without upper bound
//!   each pointer that comes in, or lies in a block behind one, is other than null by some
//!   precondition    no ring must have one length, or three nodes at least (`rings`)
//!   no number that comes in, or lies in such a block, has one value only (`fixed`)
//!   some block is no larger than objects are
//!   the last return is reached that gives no error, and each that gives a computed value (`returns`)
//!   ──────────────────────────────────────────────────────────────────────────────────────── GENERAL
//! ```
//!
//! No verdict rests on the states here: the proof holds under its precondition. What is judged
//! is whether that leaves out what the function is for. A loop that counts to a constant
//! (`ir::counted`) and the loops of the library's models need not run any number of times.

mod fixed;
mod nodes;
mod null;
mod returns;
mod rings;

use base::budget::Budget;
use base::graph::{Components, reachable, strongly_connected_components};
use base::limits::RANKING_UNITS;
use base::source::Span;
use evidence::certificate::Certificate;
use evidence::scope::{Coverage, Scope};
use heap::Atom;
use heap::shape::ShapeLibrary;
use heap::state::{Kind, State};
use ir::counted::is_counted;
use ir::cutpoint::{CallGraph, CutSet};
use ir::open::OpenEntry;
use ir::{BlockId, Callee, Command, MemoryKind, ProcedureId, Program, ScalarType, Variable};
use logic::{Constraint, LinearExpr, Var};
use null::{has_null, null_behind, null_pointers};
use rank;
use std::collections::BTreeSet;

/// Why there is a proof for calls only that nobody can make.
pub const TOO_LARGE: &str = "no object is so large";

/// A bound of depths where the precondition bounds them.
const LARGE: i64 = 1 << 10;
/// A bound that comes from the width of a type bounds nothing.
const LARGEST_OF_TYPES: i128 = i16::MAX as i128;
/// No object has more bytes.
const LARGEST_OBJECT: i128 = i64::MAX as i128;
/// A body that runs twice comes three times to its loop's head.
const VISITS_OF_TWO_ROUNDS: usize = 3;

/// Judges the scope of a proof about a program that is [simplified](simplify).
#[must_use]
pub fn coverage(
    program: &Program,
    certificate: &Certificate,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Coverage {
    let Some(open) = &program.open else { return Coverage::all() };
    let requires = &certificate.statement.requires;
    if requires.is_empty() || requires.iter().any(asks_nothing) {
        return Coverage::all();
    }
    // Of what no call can keep to, nothing is shown, nor where recursion never comes back.
    let recurses = CallGraph::of_program(program).may_recurse(open.procedure);
    let too_large = |state: &State| has_too_large(program, state);
    let is_impossible = |state: &State| too_large(state) || recurses && has_ring(state);
    let possible = requires.iter().filter(|state| !is_impossible(state));
    let requires: &[State] = &possible.cloned().collect::<Vec<_>>();
    if requires.is_empty() {
        let why = match certificate.statement.requires.iter().any(too_large) {
            true => TOO_LARGE,
            false => "the recursion never comes back",
        };
        let fixed = vec![why.to_owned()];
        return Coverage { scope: Scope::Vacuous, fixed, ..Coverage::all() };
    }
    let proof = Proof::of(program, open, certificate, budget);
    let heads = heads(program, open.procedure);
    let bounded: Vec<Head> = heads.iter().copied().filter(|it| !proof.is_unbounded(*it)).collect();
    let (n_pointers, null) = null_pointers(open, requires);
    let equal = equal_pointers(open, requires, &null);
    let nodes = nodes::nodes(program, open, requires);
    let behind = null_behind(open, requires, &nodes);
    let runs_twice = |head: &Head| proof.visits(*head) >= VISITS_OF_TWO_ROUNDS;
    let is_empty = !heads.is_empty() && !heads.iter().any(runs_twice);
    let has_only_null = n_pointers > 0 && null.len() == n_pointers;
    let is_vacuous = || {
        let mut requires = requires.iter();
        let is_reached = |head: &Head| proof.visits(*head) >= head.first_visits(open);
        requires.all(|state| has_null(state, open)) && !heads.iter().any(is_reached)
    };
    let rings = rings::of_one_length(open, requires, &nodes);
    let fixed = fixed::fixed_numbers(program, open, requires, &nodes);
    let is_general = bounded.is_empty()
        && [null.len(), equal.len(), behind.len(), rings.len(), fixed.len()] == [0; 5];
    let unreached = match is_general {
        true => returns::unreached(program, open, certificate, (library, budget)),
        false => Vec::new(),
    };
    let scope = if (is_empty || has_only_null) && is_vacuous() {
        Scope::Vacuous
    } else if is_empty || has_only_null {
        Scope::Degenerate
    } else if is_general && unreached.is_empty() {
        Scope::General
    } else {
        Scope::Bounded
    };
    let bounded = bounded.into_iter().map(|head| head.span(program)).collect();
    Coverage { scope, bounded, null, equal, behind, rings, fixed, unreached }
}

/// Whether a precondition asks for a block that is larger than any object is (PTRDIFF_MAX), or for
/// as many nodes: each has a byte of its own.
fn has_too_large(program: &Program, state: &State) -> bool {
    let mut numbers = state.facts.numbers.clone();
    for (variable, value) in state.stores.iter().flatten() {
        if let ScalarType::Int(kind) = program.variable(*variable).ty
            && let Ok(least) = i64::try_from(kind.min())
        {
            numbers.assume(Constraint::ge(value.clone(), least));
        }
    }
    let is_too_large = |size: &LinearExpr| {
        let (least, _) = numbers.bounds(size);
        least.and_then(|it| it.to_i128()).is_some_and(|least| least > LARGEST_OBJECT)
    };
    state.heap.atoms.iter().any(|atom| match atom {
        Atom::Block(block) => is_too_large(&block.size),
        Atom::Instance(instance) => is_too_large(&instance.depth),
    })
}

/// Whether a precondition speaks of nodes that lead back to the first one: the last parameter of a
/// shape is where it leads.
fn has_ring(state: &State) -> bool {
    state.heap.atoms.iter().any(|atom| match atom {
        Atom::Instance(instance) => match instance.arguments.as_slice() {
            [first, .., behind] => first == behind,
            _ => false,
        },
        Atom::Block(_) => false,
    })
}

/// Whether a precondition holds of every call.
fn asks_nothing(state: &State) -> bool {
    let mut values = BTreeSet::new();
    let stores = state.stores.iter().flatten();
    state.heap.atoms.is_empty()
        && state.facts.nonzero.is_empty()
        && state.facts.numbers.constraints().is_empty()
        && stores.map(|(_, value)| value.as_var()).all(|it| it.is_some_and(|it| values.insert(it)))
}

/// The value of a variable that comes in.
fn value_of(state: &State, variable: Variable) -> Option<&LinearExpr> {
    let mut stores = state.stores.iter().flatten();
    stores.find(|(known, _)| *known == variable).map(|(_, value)| value)
}

/// Pointers that come in and are equal to one before them by all preconditions.
fn equal_pointers(open: &OpenEntry, requires: &[State], null: &[Variable]) -> Vec<Variable> {
    let are_equal = |state: &State, one: Variable, other: Variable| {
        let values = value_of(state, one).zip(value_of(state, other));
        values.is_some_and(|(one, other)| one == other)
    };
    let pointers: Vec<Variable> = open.pointers.iter().map(|(variable, _)| *variable).collect();
    let pointers: Vec<Variable> = pointers.into_iter().filter(|it| !null.contains(it)).collect();
    let is_equal = |position: usize| {
        let before = &pointers[..position];
        before
            .iter()
            .any(|it| requires.iter().all(|state| are_equal(state, *it, pointers[position])))
    };
    (0..pointers.len()).filter(|it| is_equal(*it)).map(|it| pointers[it]).collect()
}

/// The head of a loop, or the start of a recursive procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    procedure: ProcedureId,
    block: BlockId,
}

impl Head {
    /// How often a run comes here that goes round some loop or recursion, or reaches it at all.
    fn first_visits(self, open: &OpenEntry) -> usize {
        let is_call = self.procedure == open.procedure && self.block == BlockId(0);
        if is_call { 2 } else { 1 }
    }

    fn span(self, program: &Program) -> Span {
        let procedure = program.procedure(self.procedure);
        let block = procedure.block(self.block);
        let first = block.commands.first().map(|instruction| instruction.span);
        let spans = [Some(block.span), first, Some(procedure.span)];
        spans.into_iter().flatten().find(|span| span.is_somewhere()).unwrap_or(Span::NOWHERE)
    }
}

/// The loops and recursions of a function and of what it calls, as far as users wrote them.
fn heads(program: &Program, function: ProcedureId) -> Vec<Head> {
    let calls = CallGraph::of_program(program);
    let mut heads = Vec::new();
    let is_users = |id: &ProcedureId| !program.procedure(*id).is_of_library();
    for id in reached_from(program, function).into_iter().filter(is_users) {
        let procedure = program.procedure(id);
        let cuts = CutSet::of_procedure(procedure);
        let loops = cuts.iter().filter(|head| !is_counted(procedure, &cuts, *head));
        heads.extend(loops.map(|block| Head { procedure: id, block }));
        let start = Head { procedure: id, block: BlockId(0) };
        if calls.may_recurse(id) && !heads.contains(&start) {
            heads.push(start);
        }
    }
    heads
}

/// A function, and what it calls by name.
fn reached_from(program: &Program, function: ProcedureId) -> BTreeSet<ProcedureId> {
    reachable([function], |caller| {
        commands_of(program, caller).filter_map(|command| match command {
            Command::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
            _ => None,
        })
    })
}

fn commands_of(program: &Program, procedure: ProcedureId) -> impl Iterator<Item = &Command> {
    let blocks = program.procedure(procedure).blocks.iter();
    blocks.flat_map(|block| &block.commands).map(|instruction| &instruction.command)
}

/// The states of a proof as a graph, with measures.
struct Proof<'a> {
    certificate: &'a Certificate,
    ranking: descent::Certificate,
    /// The steps from each state.
    successors: Vec<Vec<usize>>,
    components: Components,
    /// Whether all depths are bounded: the precondition has no instance, and nothing allocates.
    has_bounded_depths: bool,
}

impl<'a> Proof<'a> {
    fn of(
        program: &Program,
        open: &OpenEntry,
        certificate: &'a Certificate,
        budget: &Budget,
    ) -> Self {
        let n_nodes = certificate.nodes.len();
        let mut successors = vec![Vec::new(); n_nodes];
        for step in certificate.nodes.iter().filter_map(|node| node.steps.as_ref()).flatten() {
            successors[step.from.index()].push(step.to.index());
        }
        let components = strongly_connected_components(&successors);
        let mut ranking = certificate.ranking.clone();
        let is_cyclic = components.cyclic.iter().any(|it| *it);
        if ranking.components.is_empty() && is_cyclic {
            // A proof of safety measures nothing. What has no measure may go on for ever.
            let mut effort = budget.of_search(RANKING_UNITS);
            let found = rank::lexicographic::attempt(&certificate.system(), &mut effort);
            ranking = found.map(|(ranking, _)| ranking).unwrap_or_default();
        }
        let atoms = certificate.statement.requires.iter().flat_map(|state| &state.heap.atoms);
        let has_instance = atoms.clone().any(|atom| matches!(atom, Atom::Instance(_)));
        let allocates = |procedure| {
            commands_of(program, procedure)
                .any(|command| matches!(command, Command::Allocate { kind: MemoryKind::Heap, .. }))
        };
        let allocates = reached_from(program, open.procedure).into_iter().any(allocates);
        let has_bounded_depths = !has_instance && !allocates;
        Self { certificate, ranking, successors, components, has_bounded_depths }
    }

    /// The states at a head that runs reach.
    fn nodes_at(&self, head: Head) -> impl Iterator<Item = usize> {
        let nodes = self.certificate.nodes.iter().enumerate();
        let is_at = move |place: &evidence::place::Place| {
            place.site().is_some_and(|site| {
                (site.procedure, site.block, site.command) == (head.procedure, head.block, 0)
            })
        };
        let at = nodes.filter(move |(_, node)| node.steps.is_some() && is_at(&node.place));
        at.map(|(index, _)| index)
    }

    /// Whether a loop can go on any number of times: it goes round, and what measures its
    /// rounds has no upper bound.
    fn is_unbounded(&self, head: Head) -> bool {
        self.nodes_at(head).any(|node| self.components.is_on_cycle(node) && self.is_free(node))
    }

    /// Whether no measure at a state is bounded from above, or some is not.
    fn is_free(&self, node: usize) -> bool {
        let state = &self.certificate.nodes[node].state;
        let integers: Vec<Var> = state.vocabulary.of_kind(Kind::Integer).collect();
        let mut numbers = state.facts.numbers.clone();
        if self.has_bounded_depths {
            for atom in &state.heap.atoms {
                if let Atom::Instance(instance) = atom {
                    numbers.assume(Constraint::le(&instance.depth, LARGE));
                }
            }
        }
        let (mut n_measures, mut is_free) = (0, false);
        for function in self.functions_at(node) {
            n_measures += 1;
            let (_, most) = numbers.bounds(&function.of(&integers));
            let most = most.and_then(|most| most.to_i128());
            is_free |= most.is_none_or(|most| most >= LARGEST_OF_TYPES);
        }
        n_measures == 0 || is_free
    }

    /// The measures at a state, or in its cells.
    fn functions_at(&self, node: usize) -> Vec<&descent::AffineFunction> {
        let origins = match &self.certificate.ranking.components.is_empty() {
            true => (0..self.certificate.nodes.len()).collect(),
            false => self.certificate.origins(),
        };
        let mut found = Vec::new();
        for component in &self.ranking.components {
            for (location, functions) in &component.functions {
                if origins.get(*location) == Some(&node) {
                    found.extend(functions);
                }
            }
        }
        found
    }

    /// How often a path comes to a head, if that is not on a cycle.
    fn visits(&self, head: Head) -> usize {
        let at: BTreeSet<usize> = self.nodes_at(head).collect();
        if at.iter().any(|node| self.components.is_on_cycle(*node)) {
            return usize::MAX;
        }
        // Successors come first.
        let mut most = vec![0; self.components.members.len()];
        for (index, members) in self.components.members.iter().enumerate() {
            let next = members.iter().flat_map(|node| &self.successors[*node]);
            let later = next.map(|node| self.components.of[*node]).filter(|it| *it != index);
            let behind = later.map(|it| most[it]).max().unwrap_or(0);
            most[index] = behind + members.iter().filter(|node| at.contains(node)).count();
        }
        most.into_iter().max().unwrap_or(0)
    }
}
