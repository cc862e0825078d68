//! Changes single fields of arguments.

use super::forged_atoms::{change_atom, change_farkas, change_proof};
use std::collections::BTreeSet;
use wane::descent::EdgeProof;
use wane::evidence::approach::Form;
use wane::evidence::certificate::{Certificate, Retired};
use wane::evidence::condition::Condition;
use wane::evidence::join_point::{Path, Representative};
use wane::evidence::place::NodeId;
use wane::evidence::step::{Cover, Edge};
use wane::heap::state::{Junk, Kind, State, Vocabulary};
use wane::ir::Variable;
use wane::ir::cutpoint::CutSet;
use wane::ir::links::Names;
use wane::ir::slice::relevance::{Irrelevant, Memory};
use wane::logic::{Constraint, Integer, LinearExpr, Var};
use wane::numeric::polyhedron::Polyhedron;
use wane::sonar::Machine;

/// Numbers from a seed (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below another one; 0 below 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % (bound.max(1) as u64)).unwrap()
    }

    /// One of some.
    pub(crate) fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of some, to be changed.
    pub(crate) fn of_mut<'a, T>(&mut self, items: &'a mut [T]) -> Option<&'a mut T> {
        let position = self.below(items.len());
        items.get_mut(position)
    }

    /// A number near 0.
    pub(crate) fn small(&mut self) -> i64 {
        i64::try_from(self.below(5)).unwrap() - 2
    }
}

/// Changes the fields of an argument.
pub(crate) struct Forger<'a> {
    pub(crate) random: &'a mut Random,
    pub(crate) certificate: &'a mut Certificate,
    /// Another argument, of which parts may be taken.
    pub(crate) donor: &'a Certificate,
    /// What it is about.
    pub(crate) machine: &'a Machine<'a>,
}

/// What can be changed.
pub(crate) const KINDS: &[&str] = &[
    "number assumed",
    "numbers forgotten",
    "numbers contradict",
    "value in a store",
    "variable in a store",
    "store entry dropped",
    "store entry twice",
    "atom dropped",
    "atom twice",
    "block",
    "cell",
    "floating cell",
    "instance",
    "template",
    "fields of nodes",
    "disequality",
    "junk",
    "kind of a variable",
    "step dropped",
    "step twice",
    "steps swapped",
    "target of a step",
    "call of a step",
    "relation assumed",
    "relation forgotten",
    "step of another argument",
    "binding",
    "free binding",
    "length of a binding",
    "proof",
    "multipliers",
    "place",
    "retired",
    "node without steps",
    "node twice",
    "meeting dropped",
    "meetings swapped",
    "stand",
    "path of a meeting",
    "precondition",
    "slice",
    "cutpoints",
    "calls tabulated",
    "cases",
    "names",
    "form",
    "ranking function",
    "ranking proof",
    "ranking component",
    "cells of nodes",
    "state of another argument",
];

impl Forger<'_> {
    /// Changes one field, if the argument has it.
    pub(crate) fn change(&mut self) -> Option<&'static str> {
        let kind = *self.random.of(KINDS);
        self.apply(kind).map(|()| kind)
    }

    fn apply(&mut self, kind: &str) -> Option<()> {
        match kind {
            "step dropped"
            | "step twice"
            | "steps swapped"
            | "target of a step"
            | "call of a step"
            | "relation assumed"
            | "relation forgotten"
            | "step of another argument" => self.change_steps(kind),
            "binding" | "free binding" | "length of a binding" | "proof" | "multipliers" => {
                self.change_cover(kind)
            }
            "place"
            | "retired"
            | "node without steps"
            | "node twice"
            | "state of another argument" => self.change_node(kind),
            "meeting dropped" | "meetings swapped" | "stand" | "path of a meeting" => {
                self.change_meeting(kind)
            }
            "precondition" | "slice" | "cutpoints" | "calls tabulated" | "cases" | "names"
            | "form" => self.change_approach(kind),
            "ranking function" | "ranking proof" | "ranking component" | "cells of nodes" => {
                self.change_ranking(kind)
            }
            _ => self.change_state(kind),
        }
    }

    /// Changes what the argument relies on, or how it goes about the program.
    fn change_approach(&mut self, kind: &str) -> Option<()> {
        let random = &mut *self.random;
        let program = self.machine.program;
        let approach = &mut self.certificate.approach;
        let any_variable =
            |random: &mut Random| Variable::at(random.below(program.variables.len()));
        match kind {
            "precondition" => self.certificate.statement.requires.push(State::initial()),
            "slice" => {
                let variables = program.variables.iter().map(|_| random.below(3) == 0).collect();
                let nothing = random.below(2) == 0;
                let memory =
                    if nothing { Memory::Nothing } else { Memory::Except(BTreeSet::new()) };
                approach.left_out = Some(Irrelevant { variables, memory });
            }
            "cutpoints" => {
                let other = random.of(&program.procedures);
                let mut cut_set = CutSet::of_procedure(other);
                if random.below(2) == 0 {
                    cut_set.add_start();
                }
                *random.of_mut(&mut approach.cuts)? = cut_set;
            }
            "calls tabulated" => {
                let is_tabulated = random.of_mut(&mut approach.tabulated)?;
                *is_tabulated = !*is_tabulated;
            }
            "cases" => {
                let (low, high) = (any_variable(random), any_variable(random));
                approach.conditions.push(Condition { low, high });
            }
            "names" => approach.names = Names::default(),
            _ => approach.form = random.of(&[Form::Written, Form::Simplified]).clone(),
        }
        Some(())
    }

    fn change_state(&mut self, kind: &str) -> Option<()> {
        let random = &mut *self.random;
        let mut states: Vec<&mut State> = Vec::new();
        for node in &mut self.certificate.nodes {
            states.push(&mut node.state);
            for meeting in &mut node.meetings {
                states.extend(meeting.representatives.iter_mut().filter_map(|stand| match stand {
                    Representative::State(state) => Some(&mut **state),
                    Representative::Path(_) => None,
                }));
            }
        }
        let state = &mut **random.of_mut(&mut states)?;
        let n_variables = state.vocabulary.len();
        match kind {
            "number assumed" => {
                let constraint = any_constraint(random, n_variables);
                state.facts.numbers.assume(constraint);
            }
            "numbers forgotten" => state.facts.numbers = Polyhedron::top(),
            "numbers contradict" => state.facts.numbers = Polyhedron::empty(),
            "disequality" => {
                let value = any_value(random, n_variables);
                if random.below(2) == 0 {
                    state.facts.nonzero.push(value);
                } else {
                    state.facts.nonzero.pop()?;
                }
            }
            "junk" => {
                state.junk = if state.junk == Junk::None { Junk::Some } else { Junk::None };
            }
            "kind of a variable" => {
                let changed = random.below(n_variables);
                let kinds = [Kind::Integer, Kind::Address, Kind::Unknown, Kind::Summary];
                let new = *random.of(&kinds);
                let mut vocabulary = Vocabulary::default();
                for index in 0..n_variables {
                    let own = state.vocabulary.kind(Var::at(index));
                    vocabulary.fresh(if index == changed { new } else { own });
                }
                state.vocabulary = vocabulary;
            }
            "value in a store"
            | "variable in a store"
            | "store entry dropped"
            | "store entry twice" => change_store(random, state, kind)?,
            _ => change_atom(random, state, kind)?,
        }
        Some(())
    }

    fn change_steps(&mut self, kind: &str) -> Option<()> {
        let random = &mut *self.random;
        let n_nodes = self.certificate.nodes.len();
        let arities: Vec<usize> =
            self.certificate.nodes.iter().map(|node| node.state.vocabulary.len()).collect();
        let mut lists: Vec<&mut Vec<Edge>> =
            self.certificate.nodes.iter_mut().filter_map(|node| node.steps.as_mut()).collect();
        lists.retain(|steps| !steps.is_empty());
        let steps = &mut **random.of_mut(&mut lists)?;
        let position = random.below(steps.len());
        match kind {
            "step dropped" => drop(steps.remove(position)),
            "step twice" => steps.insert(position, steps[position].clone()),
            "steps swapped" => {
                let other = random.below(steps.len());
                steps.swap(position, other);
            }
            "target of a step" => steps[position].to = NodeId::at(random.below(n_nodes + 1)),
            "call of a step" => {
                let donors = self.donor.nodes.iter().filter_map(|node| node.steps.as_ref());
                let calls: Vec<_> = donors.flatten().map(|step| step.call).collect();
                steps[position].call = *random.of(&calls);
            }
            "relation assumed" => {
                let step = &mut steps[position];
                let (n_before, n_after) =
                    (*arities.get(step.from.index())?, *arities.get(step.to.index())?);
                step.relation.assume(any_decrease(random, n_before, n_after));
            }
            "relation forgotten" => steps[position].relation = Polyhedron::top(),
            _ => {
                let donors = self.donor.nodes.iter().filter_map(|node| node.steps.as_ref());
                let donors: Vec<&Edge> = donors.flatten().collect();
                steps[position] = (*random.of(&donors)).clone();
            }
        }
        Some(())
    }

    fn covers(&mut self) -> Vec<&mut Cover> {
        let mut covers: Vec<&mut Cover> = Vec::new();
        for node in &mut self.certificate.nodes {
            let paths = node.meetings.iter_mut().flat_map(|meeting| &mut meeting.paths);
            covers.extend(paths.filter_map(|path| match path {
                Path::Covered(_, cover) => Some(cover),
                Path::GoesOn | Path::Same(_) => None,
            }));
            covers.extend(node.steps.iter_mut().flatten().map(|step| &mut step.cover));
        }
        covers
    }

    fn change_cover(&mut self, kind: &str) -> Option<()> {
        let choice = self.random.below(1 << 20);
        let mut covers = self.covers();
        let position = choice.checked_rem(covers.len())?;
        let mut cover = std::mem::replace(covers[position], Cover::of(Vec::new(), Vec::new()));
        let random = &mut *self.random;
        let changed = match kind {
            "binding" | "free binding" => {
                let n_known = cover.binding.len() + 8;
                let other = random.of_mut(&mut cover.binding);
                other.map(|value| {
                    *value = match kind {
                        "binding" => any_value(random, n_known),
                        _ => Var::at(1_000 + random.below(2)).into(),
                    };
                })
            }
            "length of a binding" => {
                if random.below(2) == 0 {
                    drop(cover.binding.pop())
                } else {
                    cover.binding.push(LinearExpr::zero())
                }
                Some(())
            }
            "proof" => random.of_mut(&mut cover.proofs).map(|proof| change_proof(random, proof)),
            _ => random.of_mut(&mut cover.multipliers).map(|proof| change_farkas(random, proof)),
        };
        *self.covers()[position] = cover;
        changed
    }

    fn change_node(&mut self, kind: &str) -> Option<()> {
        let random = &mut *self.random;
        let nodes = &mut self.certificate.nodes;
        let (one, other) = (random.below(nodes.len()), random.below(nodes.len()));
        match kind {
            "place" => nodes[one].place = nodes[other].place.clone(),
            "retired" => {
                let retired = &mut nodes[one].retired;
                *retired = if *retired == Retired::No { Retired::Yes } else { Retired::No };
            }
            "node without steps" => nodes[one].steps = None,
            "node twice" => nodes.push(nodes[one].clone()),
            _ => nodes[one].state = random.of(&self.donor.nodes).state.clone(),
        }
        Some(())
    }

    fn change_meeting(&mut self, kind: &str) -> Option<()> {
        let random = &mut *self.random;
        let mut nodes: Vec<_> =
            self.certificate.nodes.iter_mut().filter(|node| !node.meetings.is_empty()).collect();
        let meetings = &mut random.of_mut(&mut nodes)?.meetings;
        let (one, other) = (random.below(meetings.len()), random.below(meetings.len()));
        match kind {
            "meeting dropped" => drop(meetings.remove(one)),
            "meetings swapped" => meetings.swap(one, other),
            "stand" => {
                let n_paths = meetings[one].paths.len();
                let representatives = &mut meetings[one].representatives;
                match random.below(3) {
                    0 => drop(representatives.remove(random.below(representatives.len()))),
                    1 => representatives.push(Representative::Path(random.below(n_paths + 1))),
                    _ => {
                        *random.of_mut(representatives)? =
                            Representative::Path(random.below(n_paths + 1))
                    }
                }
            }
            _ => {
                let n_stands = meetings[one].representatives.len();
                let stand = random.below(n_stands + 1);
                let path = random.of_mut(&mut meetings[one].paths)?;
                *path = match random.below(3) {
                    0 => Path::GoesOn,
                    1 => Path::Same(stand),
                    _ => match path {
                        Path::Covered(_, cover) => Path::Covered(stand, cover.clone()),
                        Path::GoesOn | Path::Same(_) => {
                            Path::Covered(stand, Cover::of(Vec::new(), Vec::new()))
                        }
                    },
                };
            }
        }
        Some(())
    }

    fn change_ranking(&mut self, kind: &str) -> Option<()> {
        let random = &mut *self.random;
        let ranking = &mut self.certificate.ranking;
        if kind == "cells of nodes" {
            let refinement = self.certificate.refinement.as_mut()?;
            match random.below(3) {
                0 => drop(refinement.steps.pop()?),
                1 => *random.of_mut(&mut refinement.origins)? = 0,
                _ => drop(refinement.trees.pop()?),
            }
            return Some(());
        }
        let component = random.of_mut(&mut ranking.components)?;
        match kind {
            "ranking function" => {
                let mut functions: Vec<_> = component.functions.values_mut().flatten().collect();
                let function = random.of_mut(&mut functions)?;
                match random.of_mut(&mut function.coefficients) {
                    Some(coefficient) if random.below(3) > 0 => {
                        *coefficient = random.small().into()
                    }
                    _ => function.constant = random.small().into(),
                }
            }
            "ranking proof" => {
                let mut proofs: Vec<_> = component.proofs.values_mut().collect();
                match &mut **random.of_mut(&mut proofs)? {
                    EdgeProof::NonIncreasing(proof) | EdgeProof::Falling(proof) => {
                        change_farkas(random, proof);
                    }
                    EdgeProof::Bounded { growth: decrease, bound }
                    | EdgeProof::Decreasing { decrease, bound } => {
                        let changed = if random.below(2) == 0 { decrease } else { bound };
                        change_farkas(random, changed);
                    }
                    EdgeProof::Nested { bound, .. } => change_farkas(random, bound),
                }
            }
            _ => {
                let copy = component.clone();
                if random.below(2) == 0 {
                    drop(ranking.components.pop());
                } else {
                    ranking.components.push(copy);
                }
            }
        }
        Some(())
    }
}

/// A value over these variables.
pub(crate) fn any_value(random: &mut Random, n_variables: usize) -> LinearExpr {
    let variable = LinearExpr::var(Var::at(random.below(n_variables)));
    match random.below(5) {
        0 => LinearExpr::from(random.small()),
        1 => variable.add_constant(random.small()),
        2 => variable.sub(&Var::at(random.below(n_variables)).into()),
        3 => variable.scale(&Integer::from(random.small())),
        _ => variable,
    }
}

fn any_constraint(random: &mut Random, n_variables: usize) -> Constraint {
    let (left, right) = (any_value(random, n_variables), any_value(random, n_variables));
    match random.below(4) {
        0 => Constraint::eq(left, right),
        1 => Constraint::le(left, random.small()),
        2 => Constraint::ge(left, random.small()),
        _ => Constraint::lt(left, right),
    }
}

/// Something gets smaller along a step, or is not negative before it.
fn any_decrease(random: &mut Random, n_before: usize, n_after: usize) -> Constraint {
    let before = LinearExpr::var(Var::at(random.below(n_before)));
    let after = LinearExpr::var(Var::at(n_before + random.below(n_after)));
    match random.below(3) {
        0 => Constraint::ge(before, 0),
        1 => Constraint::lt(after, before),
        _ => any_constraint(random, n_before + n_after),
    }
}

fn change_store(random: &mut Random, state: &mut State, kind: &str) -> Option<()> {
    let n_variables = state.vocabulary.len();
    let mut stores: Vec<_> = state.stores.iter_mut().filter(|store| !store.is_empty()).collect();
    let store = &mut **random.of_mut(&mut stores)?;
    let position = random.below(store.len());
    match kind {
        "value in a store" => store[position].1 = any_value(random, n_variables),
        "variable in a store" => store[position].0 = Variable::at(random.below(40)),
        "store entry dropped" => drop(store.remove(position)),
        _ => {
            let entry = (store[position].0, any_value(random, n_variables));
            store.insert(position, entry);
        }
    }
    Some(())
}
