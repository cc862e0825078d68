//! Locations divided into cells, and the exact check of such a division.
//!
//! A loop may need one measure where `x < y` and another elsewhere, or may end
//! only because some values never arrive. Dividing the values of a location
//! among *cells* makes each cell a location of its own, with measures of its own;
//! cells that no step reaches disappear (control-flow refinement: Gulwani, Jain
//! and Koskinen, PLDI 2009; Doménech, Gallagher and Genaim, TPLP 2019).
//!
//! [`Refinement::check`] shows that every path from the first location is a path
//! of cells. It trusts no search: each step that a refinement leaves out is
//! refuted by Farkas multipliers.

use base::graph::reachable;
use std::collections::{BTreeMap, BTreeSet};

use super::{Edge, Relation, Requirement, System};
use logic::{Constraint, Farkas, LinearExpr, Var};

/// How the values of a location are divided among cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// All of them belong to this cell.
    Cell(usize),
    /// An inequality over the positions of values decides.
    Split {
        /// The inequality; `Var::at(i)` is the value at position `i`.
        condition: Constraint,
        /// Where it holds.
        holds: Box<Tree>,
        /// Where it does not hold.
        fails: Box<Tree>,
    },
}

/// An edge of the system from one cell to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// The edge, by position.
    pub edge: usize,
    /// The cell before.
    pub from: usize,
    /// The cell after.
    pub to: usize,
}

/// A division of all locations into cells, and the steps between those cells
/// that paths from the first location reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refinement {
    /// By location.
    pub trees: Vec<Tree>,
    /// The location of each cell.
    pub origins: Vec<usize>,
    /// The steps that may be possible, in increasing order.
    pub steps: Vec<Step>,
    /// Proofs that steps are impossible.
    pub refuted: BTreeMap<Step, Farkas>,
}

impl Tree {
    /// The cells with what holds in them.
    #[must_use]
    pub fn cells(&self) -> Vec<(usize, Vec<Constraint>)> {
        let mut found = Vec::new();
        let mut open = vec![(self, Vec::new())];
        while let Some((tree, known)) = open.pop() {
            match tree {
                Self::Cell(cell) => found.push((*cell, known)),
                Self::Split { condition, holds, fails } => {
                    let mut other = known.clone();
                    other.extend(condition.negate());
                    let mut known = known;
                    known.push(condition.clone());
                    open.push((fails.as_ref(), other));
                    open.push((holds.as_ref(), known));
                }
            }
        }
        found
    }

    /// Whether every condition is an inequality over this many values.
    pub(super) fn is_over(&self, arity: usize) -> bool {
        match self {
            Self::Cell(_) => true,
            Self::Split { condition, holds, fails } => {
                condition.negate().is_some()
                    && condition.expr().variables().all(|v| v.index() < arity)
                    && holds.is_over(arity)
                    && fails.is_over(arity)
            }
        }
    }
}

/// What holds in each cell, by cell.
pub type Conditions = Vec<Vec<Constraint>>;

/// What holds along an edge between two cells, of which this is known.
#[must_use]
pub fn step_constraints(
    edge: &Edge,
    before: &[Constraint],
    after: &[Constraint],
) -> Vec<Constraint> {
    let at = |variables: &[Var], constraint: &Constraint| {
        constraint.map(|v| LinearExpr::var(variables[v.index()]))
    };
    let relation = &edge.relation;
    let before = before.iter().map(|c| at(&relation.pre, c));
    let after = after.iter().map(|c| at(&relation.post, c));
    relation.constraints.iter().cloned().chain(before).chain(after).collect()
}

impl Refinement {
    /// Whether every path of the system from its first location is a path of
    /// [`Refinement::system`].
    #[must_use]
    pub fn check(&self, system: &System) -> bool {
        let Some(conditions) = self.conditions(system) else { return false };
        let known: BTreeSet<Step> = self.steps.iter().copied().collect();
        let fits = |step: &Step| {
            let (from, to) = (self.origins.get(step.from), self.origins.get(step.to));
            let edge = system.edges.get(step.edge);
            edge.is_some_and(|edge| from == Some(&edge.from) && to == Some(&edge.to))
        };
        if !system.is_well_formed() || !known.iter().all(fits) {
            return false;
        }
        let reached = self.reached();
        let is_refuted = |step: &Step| {
            let edge = &system.edges[step.edge];
            let premises = step_constraints(edge, &conditions[step.from], &conditions[step.to]);
            let proof = self.refuted.get(step);
            proof.is_some_and(|farkas| farkas.check(&premises, &Constraint::contradiction()))
        };
        let mut cells = vec![Vec::new(); system.arities.len()];
        for (cell, origin) in self.origins.iter().enumerate() {
            cells[*origin].push(cell);
        }
        system.edges.iter().enumerate().all(|(edge, ends)| {
            cells[ends.from].iter().filter(|from| reached.contains(*from)).all(|from| {
                cells[ends.to].iter().all(|to| {
                    let step = Step { edge, from: *from, to: *to };
                    known.contains(&step) || is_refuted(&step)
                })
            })
        })
    }

    /// What holds in each cell, if the trees divide the locations of the system
    /// into just the cells.
    fn conditions(&self, system: &System) -> Option<Conditions> {
        if self.trees.len() != system.arities.len() || self.trees.is_empty() {
            return None;
        }
        let mut conditions = vec![None; self.origins.len()];
        for (location, tree) in self.trees.iter().enumerate() {
            if !tree.is_over(system.arities[location]) {
                return None;
            }
            for (cell, known) in tree.cells() {
                let is_new = conditions.get(cell).is_some_and(Option::is_none);
                if !is_new || self.origins[cell] != location {
                    return None;
                }
                conditions[cell] = Some(known);
            }
        }
        conditions.into_iter().collect()
    }

    /// The cells that steps from the first location reach.
    #[must_use]
    pub fn reached(&self) -> BTreeSet<usize> {
        let mut successors: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for step in &self.steps {
            successors.entry(step.from).or_default().push(step.to);
        }
        let start = self.trees.first().map(Tree::cells).unwrap_or_default();
        let next = |cell| successors.get(&cell).into_iter().flatten().copied();
        reachable(start.into_iter().map(|(cell, _)| cell), next)
    }

    /// The system of cells: an edge a step, in the same order. Nothing when the
    /// refinement does not fit the system.
    #[must_use]
    pub fn system(&self, system: &System) -> Option<System> {
        let conditions = self.conditions(system)?;
        let arities = self.origins.iter().map(|origin| system.arities[*origin]).collect();
        let edge = |step: &Step| {
            let edge = system.edges.get(step.edge)?;
            let (before, after) = (conditions.get(step.from)?, conditions.get(step.to)?);
            let relation = Relation {
                pre: edge.relation.pre.clone(),
                post: edge.relation.post.clone(),
                constraints: step_constraints(edge, before, after),
            };
            Some(Edge { from: step.from, to: step.to, relation })
        };
        let edges = self.steps.iter().map(edge).collect::<Option<_>>()?;
        let of = |wanted: &BTreeSet<usize>| {
            let steps = self.steps.iter().enumerate();
            steps.filter(|(_, step)| wanted.contains(&step.edge)).map(|(at, _)| at).collect()
        };
        let requirements = system.requirements.iter().map(|requirement| Requirement {
            whenever: of(&requirement.whenever),
            then: of(&requirement.then),
        });
        Some(System { arities, edges, requirements: requirements.collect() })
    }
}
