//! The transition system that the analysis leaves behind (CAV'06 §2, §4).
//!
//! Its locations are the abstract states at cutpoints; its edges are linear
//! relations between the numbers of one (the *seeds*) and of the next. They
//! over-approximate every step of the program from cutpoint to cutpoint.

use super::Machine;
use super::covering::{Covering, covering};
use super::fixpoint::Invariants;
use super::search_joins::SearchJoins;
use base::budget::{Budget, Exhausted};
use evidence::alarm::{Alarm, AlarmKind};
use evidence::join_point::JoinPoint;
use evidence::place::NodeId;
use evidence::step::{Cover, Edge};
use heap::matching::Match;
use heap::state::{Kind, State};
use ir::ProcedureId;
use logic::{Constraint, LinearExpr, Var};
use numeric::polyhedron::Polyhedron;
use rules::departure::departure;
use rules::explore::{Arrival, explore};
use rules::forgetting::tidy;
use std::collections::{BTreeMap, BTreeSet};

/// Why the states do not make up a transition system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// The budget ran out.
    Budget(Exhausted),
    /// A step from this state leads to none of the states: they are not closed
    /// under execution.
    Uncovered(NodeId),
}

impl From<Exhausted> for Open {
    fn from(what: Exhausted) -> Self {
        Self::Budget(what)
    }
}

/// The steps between abstract states, and what execution noticed on the way.
#[derive(Debug, Default)]
pub struct Transitions {
    /// All steps between the states that the start reaches, in the order in
    /// which execution finds them.
    pub edges: Vec<Edge>,
    /// For each edge, the state that arrives, folded, and how the target
    /// describes it.
    arriving: Vec<(State, Match)>,
    /// For each state, where paths from it meet before they reach the next ones.
    pub meetings: BTreeMap<NodeId, Vec<JoinPoint>>,
    /// For each state, the procedures that are called on the way, where calls are not followed.
    pub called: BTreeMap<NodeId, BTreeSet<ProcedureId>>,
    /// What may go wrong.
    pub alarms: Vec<Alarm>,
    /// What is taken for granted not to.
    pub assumed: BTreeSet<Alarm>,
}

/// All steps between the states that the start reaches. Each step is matched
/// anew against the states, so this also shows that they are closed under
/// execution.
///
/// # Errors
/// When a step leads to no state, or the budget runs out.
pub fn transitions(
    machine: &Machine<'_>,
    invariants: &Invariants,
    budget: &mut Budget,
) -> Result<Transitions, Open> {
    let mut all = Transitions::default();
    let mut is_reached = vec![false; invariants.nodes.len()];
    let mut open = vec![NodeId(0)];
    is_reached[0] = true;
    while let Some(from) = open.pop() {
        let n_before = all.edges.len();
        all.add_steps_from(machine, invariants, from, budget)?;
        for edge in &all.edges[n_before..] {
            if !is_reached[edge.to.index()] {
                is_reached[edge.to.index()] = true;
                open.push(edge.to);
            }
        }
    }
    all.alarms.sort();
    all.alarms.dedup();
    Ok(all)
}

impl Transitions {
    fn add_steps_from(
        &mut self,
        machine: &Machine<'_>,
        invariants: &Invariants,
        from: NodeId,
        budget: &mut Budget,
    ) -> Result<(), Open> {
        let node = &invariants.nodes[from.index()];
        if !machine.holds_all(&node.state) {
            self.alarms.push(Alarm { span: machine.span_of(&node.place), kind: AlarmKind::Leak });
        }
        let Some((place, start)) = departure(machine, from, &node.place, &node.state) else {
            return Ok(());
        };
        let n_seeds = node.state.vocabulary.len();
        let mut joins = SearchJoins::noting(machine, invariants);
        let found = explore(machine, &mut joins, &place, start, budget)?;
        self.meetings.insert(from, joins.meetings());
        self.alarms.extend(found.alarms);
        self.assumed.extend(found.assumed);
        self.called.insert(from, found.called);
        for Arrival { place, state, call, .. } in found.arrivals {
            let Some(state) = tidy(machine, state, &place) else { continue };
            let Covering { id: to, folded, parts, found } =
                covering(machine, invariants, &place, &state, budget)?
                    .ok_or(Open::Uncovered(from))?;
            let relation =
                relation_of(&folded, &invariants.nodes[to.index()].state, &found, n_seeds);
            let proofs = found.proofs.iter().map(|proof| proof.expand(&parts)).collect();
            self.edges.push(Edge {
                from,
                to,
                call,
                cover: Cover::of(found.binding.clone(), proofs),
                relation,
            });
            self.arriving.push((folded, found));
        }
        Ok(())
    }

    /// The same states with the numbers that arrive at them: one step of a
    /// decreasing iteration, which wins back what widening lost. They are still
    /// to be shown closed under execution.
    #[must_use]
    pub fn narrowed(&self, invariants: &Invariants) -> Invariants {
        let mut numbers: Vec<Option<Polyhedron>> = vec![None; invariants.nodes.len()];
        for (edge, (state, found)) in self.edges.iter().zip(&self.arriving) {
            let arriving = found.numbers(state, &invariants.nodes[edge.to.index()].state);
            let slot = &mut numbers[edge.to.index()];
            *slot = Some(match slot.take() {
                Some(known) => known.join(&arriving),
                None => arriving,
            });
        }
        let mut narrowed = invariants.clone();
        for (node, numbers) in narrowed.nodes.iter_mut().zip(numbers) {
            if let Some(numbers) = numbers {
                node.state.facts.numbers = numbers;
            }
        }
        narrowed
    }
}

/// `∃ others. numbers(have) ∧ w' = σ(w)`, over the seeds and the variables of
/// `want` moved up by the number of seeds.
fn relation_of(have: &State, want: &State, found: &Match, n_seeds: usize) -> Polyhedron {
    let n_seeds = u32::try_from(n_seeds).unwrap_or(u32::MAX);
    let n_want = u32::try_from(want.vocabulary.len()).unwrap_or(u32::MAX);
    let lift = |v: Var| LinearExpr::var(if v.0 < n_seeds { v } else { Var(v.0 + n_want) });
    let mut relation = have.facts.numbers.map(lift);
    for variable in want.vocabulary.of_kind(Kind::Integer) {
        let value = found.binding[variable.index()].map(lift);
        relation.assume(Constraint::eq(Var(variable.0 + n_seeds), value));
    }
    relation.project_onto(&|v| v.0 < n_seeds + n_want)
}
