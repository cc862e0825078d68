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
pub(super) type Conditions = Vec<Vec<Constraint>>;

/// What holds along an edge between two cells, of which this is known.
pub(super) fn step_constraints(
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
    pub(super) fn reached(&self) -> BTreeSet<usize> {
        let mut successors: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for step in &self.steps {
            successors.entry(step.from).or_default().push(step.to);
        }
        let start = self.trees.first().map(Tree::cells).unwrap_or_default();
        let mut open: Vec<usize> = start.into_iter().map(|(cell, _)| cell).collect();
        let mut reached: BTreeSet<usize> = open.iter().copied().collect();
        while let Some(cell) = open.pop() {
            for next in successors.get(&cell).into_iter().flatten() {
                if reached.insert(*next) {
                    open.push(*next);
                }
            }
        }
        reached
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

#[cfg(test)]
mod tests {
    use super::super::{lexicographic, splitting};
    use super::*;
    use base::budget::Budget;
    use base::limits::{DIVISION_UNITS, RANKING_UNITS};

    const BEFORE: Var = Var(0);
    const AFTER: Var = Var(1);

    /// From anywhere, one step nearer to 0 and no further than `bound` beyond it.
    fn towards_zero(bound: i64) -> System {
        let relation =
            |pre: Vec<Var>, constraints| Relation { pre, post: vec![AFTER], constraints };
        let step =
            |change: i64| Constraint::eq(AFTER, LinearExpr::var(BEFORE).add_constant(change));
        let down = vec![step(-1), Constraint::ge(BEFORE, LinearExpr::constant(1 - bound))];
        let up = vec![step(1), Constraint::le(BEFORE, LinearExpr::constant(-1))];
        let edge = |from, relation| Edge { from, to: 1, relation };
        let edges = vec![
            edge(0, relation(Vec::new(), Vec::new())),
            edge(1, relation(vec![BEFORE], down)),
            edge(1, relation(vec![BEFORE], up)),
        ];
        System { arities: vec![0, 1], edges, requirements: Vec::new() }
    }

    fn refined(system: &System) -> Option<Refinement> {
        let mut rankings = Budget::of_steps(RANKING_UNITS);
        let divisions = Budget::of_steps(DIVISION_UNITS);
        let (_, stuck) = lexicographic::attempt(system, &mut rankings)?;
        let found = splitting::rank_cells(system, &stuck, divisions, &mut rankings);
        found.map(|(refinement, _)| refinement)
    }

    #[test]
    fn cells_have_measures_where_the_location_has_none() {
        let system = towards_zero(0);
        let refinement = refined(&system).expect("both sides have a measure");
        assert!(refinement.check(&system));
        assert_eq!(refined(&towards_zero(2)), None);
    }

    /// Each change that leaves something out is found, and so is another system.
    #[test]
    fn a_wrong_refinement_is_refused() {
        let system = towards_zero(0);
        let right = refined(&system).expect("both sides have a measure");
        let is_refused = |change: &dyn Fn(&mut Refinement)| {
            let mut changed = right.clone();
            change(&mut changed);
            !changed.check(&system)
        };
        for position in 0..right.steps.len() {
            assert!(is_refused(&|it| {
                it.steps.remove(position);
            }));
        }
        for step in right.refuted.keys() {
            assert!(is_refused(&|it| drop(it.refuted.remove(step))));
            assert!(is_refused(&|it| drop(it.refuted.insert(*step, Farkas::default()))));
        }
        assert!(is_refused(&|it| it.trees[1] = Tree::Cell(1)));
        assert!(is_refused(&|it| it.trees.swap(0, 1)));
        assert!(is_refused(&|it| it.trees.truncate(1)));
        assert!(is_refused(&|it| it.origins.push(0)));
        assert!(is_refused(&|it| it.steps.push(Step { edge: 7, from: 0, to: 0 })));
        let far = Constraint::le(Var::at(9), LinearExpr::constant(0));
        assert!(is_refused(&|it| it.trees[0] = split(far.clone(), 0, 0)));
        let twice = Constraint::le(Var::at(0), LinearExpr::constant(0));
        assert!(is_refused(&|it| it.trees[1] = split(twice.clone(), 1, 1)));
        assert!(!right.check(&towards_zero(2)));
    }

    fn split(condition: Constraint, holds: usize, fails: usize) -> Tree {
        let (holds, fails) = (Box::new(Tree::Cell(holds)), Box::new(Tree::Cell(fails)));
        Tree::Split { condition, holds, fails }
    }

    /// An edge of which nothing is known.
    fn any(from: usize, to: usize, arity: u32) -> Edge {
        let (pre, post) = ((0..arity).map(Var), (0..arity).map(|v| Var(v + arity)));
        let (pre, post) = (pre.collect(), post.collect());
        Edge { from, to, relation: Relation { pre, post, constraints: Vec::new() } }
    }

    #[test]
    fn each_cell_is_a_leaf_of_its_location() {
        let system =
            System { arities: vec![1], edges: vec![any(0, 0, 1)], requirements: Vec::new() };
        let below = |bound: i64| Constraint::le(BEFORE, LinearExpr::constant(bound));
        let divided = |first: Constraint, last: usize, n_cells: usize| {
            let (holds, fails) = (Box::new(Tree::Cell(0)), Box::new(split(below(5), 1, last)));
            let pairs = (0..n_cells).flat_map(|from| (0..n_cells).map(move |to| (from, to)));
            Refinement {
                trees: vec![Tree::Split { condition: first, holds, fails }],
                origins: vec![0; n_cells],
                steps: pairs.map(|(from, to)| Step { edge: 0, from, to }).collect(),
                refuted: BTreeMap::new(),
            }
        };
        assert!(divided(below(0), 2, 3).check(&system));
        assert!(!divided(below(0), 0, 2).check(&system));
        assert!(!divided(Constraint::eq(BEFORE, LinearExpr::zero()), 2, 3).check(&system));
    }

    #[test]
    fn steps_are_between_cells_of_their_edge() {
        let system =
            System { arities: vec![0, 0], edges: vec![any(0, 1, 0)], requirements: Vec::new() };
        let refinement = |origins: &[usize], steps: &[(usize, usize)]| Refinement {
            trees: vec![Tree::Cell(0), Tree::Cell(1)],
            origins: origins.to_vec(),
            steps: steps.iter().map(|(from, to)| Step { edge: 0, from: *from, to: *to }).collect(),
            refuted: BTreeMap::new(),
        };
        assert!(refinement(&[0, 1], &[(0, 1)]).check(&system));
        assert!(!refinement(&[0, 1], &[(0, 1), (1, 1)]).check(&system));
        assert!(!refinement(&[1, 0], &[(1, 0)]).check(&system));
    }
}
