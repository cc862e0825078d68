//! The automaton of a formula (Gerth, Peled, Vardi and Wolper, PSTV 1995).
//!
//! A state tells which literals hold where a run of the automaton is in it. A word is accepted
//! by a run that starts in an initial state and is in a state of each acceptance set again and
//! again: a *generalized* Büchi automaton. States from which no such run goes on are left out;
//! states that cannot be told apart are one.

use super::formula::{Formula, FormulaId, Table};
use base::graph::{reachable, strongly_connected_components};
use std::collections::{BTreeMap, BTreeSet};

/// A generalized Büchi automaton, labelled in its states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    /// The states.
    pub states: Vec<State>,
    /// Where runs begin.
    pub initial: Vec<usize>,
    /// How many acceptance sets there are.
    pub n_sets: usize,
}

/// A state of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// Which propositions hold, and which do not, in increasing order.
    pub literals: Vec<(usize, bool)>,
    /// The acceptance sets that it belongs to, in increasing order.
    pub accepts: Vec<usize>,
    /// The states that may follow, in increasing order.
    pub next: Vec<usize>,
}

/// A state under construction.
#[derive(Clone)]
struct Node {
    /// The nodes before; `None` where runs begin.
    incoming: BTreeSet<Option<usize>>,
    /// What is still to be looked at.
    new: BTreeSet<FormulaId>,
    /// What holds here.
    old: BTreeSet<FormulaId>,
    /// What holds in the next state.
    next: BTreeSet<FormulaId>,
}

/// The words that satisfy a formula. Nothing if the automaton has more than so many states.
#[must_use]
pub fn automaton(table: &Table, formula: FormulaId, most_states: usize) -> Option<Automaton> {
    let mut done: Vec<Node> = Vec::new();
    let start = Node {
        incoming: BTreeSet::from([None]),
        new: BTreeSet::from([formula]),
        old: BTreeSet::new(),
        next: BTreeSet::new(),
    };
    let mut open = vec![start];
    let mut effort = 100 * most_states;
    while let Some(node) = open.pop() {
        effort = effort.checked_sub(1)?;
        match expanded(table, node) {
            Expanded::Open(nodes) => open.extend(nodes),
            Expanded::Done(node) => {
                let same = done.iter_mut().find(|it| it.old == node.old && it.next == node.next);
                if let Some(known) = same {
                    known.incoming.extend(node.incoming);
                    continue;
                }
                let incoming = BTreeSet::from([Some(done.len())]);
                open.push(Node {
                    incoming,
                    new: node.next.clone(),
                    old: BTreeSet::new(),
                    next: BTreeSet::new(),
                });
                done.push(node);
                if done.len() > most_states {
                    return None;
                }
            }
        }
    }
    Some(of_nodes(table, &done).trimmed().merged())
}

/// What becomes of a node when one more formula is looked at.
enum Expanded {
    Open(Vec<Node>),
    Done(Node),
}

/// ```text
///   a && b  ⟶  a, b          a || b  ⟶  a | ~a, b          X a  ⟶  next: a
///   a U b   ⟶  b | a, ~b, next: a U b          a W b  ⟶  b | a, ~b, next: a W b
/// ```
///
/// `~a` is `!a` for a literal, so that words have few runs, and so it is for `a && b` where `b`
/// holds anyway. It is nothing for other formulas.
fn expanded(table: &Table, mut node: Node) -> Expanded {
    let Some(id) = node.new.pop_first() else { return Expanded::Done(node) };
    if !node.old.insert(id) {
        return Expanded::Open(vec![node]);
    }
    let add = |node: &mut Node, more: &[FormulaId]| {
        let is_new = |it: &FormulaId| !node.old.contains(it) && table.get(*it) != Formula::True;
        let unknown: Vec<FormulaId> = more.iter().copied().filter(is_new).collect();
        node.new.extend(unknown);
    };
    let but_not = |node: &mut Node, id: FormulaId, given: FormulaId| {
        let id = match table.get(id) {
            Formula::And(left, right) if left == given => right,
            Formula::And(left, right) if right == given => left,
            _ => id,
        };
        add(node, table.negated_literal(id).as_slice());
    };
    match table.get(id) {
        Formula::True => {}
        Formula::False => return Expanded::Open(Vec::new()),
        Formula::Literal { proposition, holds } => {
            let opposed = Formula::Literal { proposition, holds: !holds };
            if node.old.iter().any(|other| table.get(*other) == opposed) {
                return Expanded::Open(Vec::new());
            }
        }
        Formula::And(left, right) => add(&mut node, &[left, right]),
        Formula::Or(left, right) => {
            let mut other = node.clone();
            let (first, second) =
                if table.negated_literal(right).is_some() { (right, left) } else { (left, right) };
            add(&mut node, &[first]);
            add(&mut other, &[second]);
            but_not(&mut other, first, second);
            return Expanded::Open(vec![other, node]);
        }
        Formula::Next(_, operand) => {
            node.next.insert(operand);
        }
        Formula::Until(_, left, right) | Formula::WeakUntil(_, left, right) => {
            let mut later = node.clone();
            add(&mut later, &[left]);
            but_not(&mut later, right, left);
            later.next.insert(id);
            add(&mut node, &[right]);
            return Expanded::Open(vec![later, node]);
        }
    }
    Expanded::Open(vec![node])
}

/// A state is in the set of `a U b` if it does not owe it, or `b` holds there.
fn of_nodes(table: &Table, nodes: &[Node]) -> Automaton {
    let promised = nodes.iter().flat_map(|node| &node.old).copied();
    let promised: BTreeSet<FormulaId> =
        promised.filter(|id| matches!(table.get(*id), Formula::Until(..))).collect();
    let state = |(index, node): (usize, &Node)| {
        let literals: BTreeSet<(usize, bool)> = node
            .old
            .iter()
            .filter_map(|id| match table.get(*id) {
                Formula::Literal { proposition, holds } => Some((proposition, holds)),
                _ => None,
            })
            .collect();
        let is_kept = |id: &FormulaId| match table.get(*id) {
            Formula::Until(_, _, right) => {
                !node.old.contains(id)
                    || node.old.contains(&right)
                    || table.get(right) == Formula::True
            }
            _ => true,
        };
        let accepts = promised.iter().enumerate().filter(|(_, id)| is_kept(id));
        let follows = |other: &(usize, &Node)| other.1.incoming.contains(&Some(index));
        State {
            literals: literals.into_iter().collect(),
            accepts: accepts.map(|(set, _)| set).collect(),
            next: nodes.iter().enumerate().filter(follows).map(|(at, _)| at).collect(),
        }
    };
    Automaton {
        states: nodes.iter().enumerate().map(state).collect(),
        initial: (0..nodes.len()).filter(|at| nodes[*at].incoming.contains(&None)).collect(),
        n_sets: promised.len(),
    }
}

impl Automaton {
    /// Without the states that are in no accepting run.
    fn trimmed(self) -> Self {
        let successors: Vec<Vec<usize>> = self.states.iter().map(|it| it.next.clone()).collect();
        let components = strongly_connected_components(&successors);
        let mut is_live = vec![false; self.states.len()];
        // Components come after those that they lead to.
        for (number, members) in components.members.iter().enumerate() {
            let accepted: BTreeSet<usize> =
                members.iter().flat_map(|at| &self.states[*at].accepts).copied().collect();
            let is_accepting = components.cyclic[number] && accepted.len() == self.n_sets;
            let leads_on = members.iter().flat_map(|at| &successors[*at]).any(|it| is_live[*it]);
            if is_accepting || leads_on {
                members.iter().for_each(|at| is_live[*at] = true);
            }
        }
        let initial = self.initial.iter().copied().filter(|it| is_live[*it]);
        let nexts = |at: usize| successors[at].iter().copied().filter(|it| is_live[*it]);
        let kept = reachable(initial, nexts);
        self.renamed(&kept.into_iter().enumerate().map(|(new, old)| (old, new)).collect())
    }

    /// States are one if they have the same literals and sets, and successors that are one.
    fn merged(self) -> Self {
        let mut classes = vec![0; self.states.len()];
        let mut n_classes = 0;
        loop {
            let mut known = BTreeMap::new();
            let class = |(at, state): (usize, &State)| {
                let next: BTreeSet<usize> = state.next.iter().map(|it| classes[*it]).collect();
                let key = (classes[at], state.literals.clone(), state.accepts.clone(), next);
                let fresh = known.len();
                *known.entry(key).or_insert(fresh)
            };
            let finer: Vec<usize> = self.states.iter().enumerate().map(class).collect();
            let n_finer = known.len();
            classes = finer;
            if n_finer == n_classes {
                return self.renamed(&classes.into_iter().enumerate().collect());
            }
            n_classes = n_finer;
        }
    }

    /// The states that have names, by their names.
    fn renamed(&self, names: &BTreeMap<usize, usize>) -> Self {
        let of = |states: &[usize]| -> Vec<usize> {
            let new: BTreeSet<usize> =
                states.iter().filter_map(|it| names.get(it)).copied().collect();
            new.into_iter().collect()
        };
        let mut states: BTreeMap<usize, State> = BTreeMap::new();
        for (old, new) in names {
            let State { literals, accepts, next } = &self.states[*old];
            let state =
                State { literals: literals.clone(), accepts: accepts.clone(), next: of(next) };
            states.entry(*new).or_insert(state);
        }
        Self {
            states: states.into_values().collect(),
            initial: of(&self.initial),
            n_sets: self.n_sets,
        }
    }
}
