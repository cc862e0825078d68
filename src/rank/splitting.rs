//! The search for a division of locations into cells that makes a system
//! rankable.
//!
//! Where ranking is stuck, the inequalities on which steps there disagree divide
//! their locations: guards that not all values at a location satisfy, bounds of
//! what arrives, and where a loop lets a value fall. Cells that no step reaches disappear, and what is left is
//! ranked again; the next round sees the guards of steps between cells, which are
//! preconditions of the last round's.

use std::collections::{BTreeMap, BTreeSet};

use super::refinement::{Conditions, Refinement, Step, Tree, step_constraints};
use super::{Certificate, Edge, Relation, System, certificate, lexicographic};
use crate::logic::simplex::surely_unsat;
use crate::logic::{Constraint, Farkas, Integer, LinearExpr, Var};
use crate::numeric::Polyhedron;

/// How often cells are divided.
const MOST_ROUNDS: usize = 6;
/// How many inequalities divide a cell in one round.
const SPLITS_A_ROUND: usize = 3;
/// More cells than this beside the locations are not made.
const MOST_NEW_CELLS: usize = 48;
/// More possible steps than this beside the edges are not made.
const MOST_NEW_STEPS: usize = 400;
/// A larger part that is stuck is left alone.
const MOST_STUCK: usize = 40;

/// A division into cells and a ranking of these, if the search finds them: no
/// path from the first location is infinite. `stuck` are the edges that resist
/// ranking, a list a cyclic part.
#[must_use]
pub fn rank_cells(system: &System, stuck: &[Vec<usize>]) -> Option<(Refinement, Certificate)> {
    if stuck.is_empty() || stuck.iter().map(Vec::len).sum::<usize>() > MOST_STUCK {
        return None;
    }
    let mut division = Division::new(system);
    let mut stuck: BTreeSet<usize> = stuck.iter().flatten().copied().collect();
    for _ in 0..MOST_ROUNDS {
        let splits = division.useful_splits(&stuck);
        if splits.is_empty() {
            return None;
        }
        for (cell, condition) in splits {
            division.split(cell, &condition)?;
        }
        division.remove_unreached();
        let refinement = division.refinement();
        let cells = refinement.system(system)?;
        let (ranking, rest) = lexicographic::attempt(&cells)?;
        if rest.is_empty() {
            let is_checked = refinement.check(system)
                && certificate::check_ranking(&cells, &ranking).is_ok();
            return is_checked.then_some((refinement, ranking));
        }
        stuck = rest.into_iter().flatten().collect();
    }
    None
}

/// A refinement in the making.
struct Division<'a> {
    system: &'a System,
    trees: Vec<Tree>,
    origins: Vec<usize>,
    conditions: Conditions,
    /// The steps that may be possible.
    steps: BTreeSet<Step>,
    refuted: BTreeMap<Step, Farkas>,
}

impl<'a> Division<'a> {
    /// One cell a location.
    fn new(system: &'a System) -> Self {
        let n_locations = system.arities.len();
        let ends = system.edges.iter().enumerate();
        Self {
            system,
            trees: (0..n_locations).map(Tree::Cell).collect(),
            origins: (0..n_locations).collect(),
            conditions: vec![Vec::new(); n_locations],
            steps: ends.map(|(edge, ends)| Step { edge, from: ends.from, to: ends.to }).collect(),
            refuted: BTreeMap::new(),
        }
    }

    fn refinement(&self) -> Refinement {
        Refinement {
            trees: self.trees.clone(),
            origins: self.origins.clone(),
            steps: self.steps.iter().copied().collect(),
            refuted: self.refuted.clone(),
        }
    }

    fn edge(&self, step: Step) -> &'a Edge {
        &self.system.edges[step.edge]
    }

    fn premises(&self, step: Step) -> Vec<Constraint> {
        step_constraints(
            self.edge(step),
            &self.conditions[step.from],
            &self.conditions[step.to],
        )
    }

    /// Divides a cell: the number stays with what satisfies the condition.
    /// Nothing when there are too many cells or steps.
    fn split(&mut self, cell: usize, condition: &Constraint) -> Option<()> {
        let negation = condition.negate()?;
        let new = self.origins.len();
        let location = self.origins[cell];
        if new >= self.system.arities.len() + MOST_NEW_CELLS {
            return None;
        }
        self.origins.push(location);
        let mut other = self.conditions[cell].clone();
        other.push(negation);
        self.conditions.push(other);
        self.conditions[cell].push(condition.clone());
        replace(&mut self.trees[location], cell, condition, new);
        let touched: Vec<Step> =
            self.steps.iter().filter(|step| step.from == cell || step.to == cell).copied().collect();
        let impossible: Vec<Step> =
            self.refuted.keys().filter(|step| step.from == cell || step.to == cell).copied().collect();
        for step in impossible {
            let Some(farkas) = self.refuted.remove(&step) else { continue };
            for variant in variants(step, cell, new) {
                self.decide_again(variant, &farkas);
            }
        }
        for step in touched {
            self.steps.remove(&step);
            for variant in variants(step, cell, new) {
                self.decide(variant);
            }
        }
        (self.steps.len() <= self.system.edges.len() + MOST_NEW_STEPS).then_some(())
    }

    fn decide(&mut self, step: Step) {
        match surely_unsat(&self.premises(step)) {
            Some(farkas) => {
                self.refuted.insert(step, farkas);
            }
            None => {
                self.steps.insert(step);
            }
        }
    }

    /// Decides a step between parts of cells without a step between them: more
    /// premises move the lines of the proof.
    fn decide_again(&mut self, step: Step, known: &Farkas) {
        if known.check(&self.premises(step), &Constraint::contradiction()) {
            self.refuted.insert(step, known.clone());
        } else {
            self.decide(step);
        }
    }

    /// Removes the steps from cells that the first location does not reach.
    fn remove_unreached(&mut self) {
        let reached = self.refinement().reached();
        self.steps.retain(|step| reached.contains(&step.from));
        self.refuted.retain(|step, _| reached.contains(&step.from));
    }

    /// For each cell where ranking is stuck, a few inequalities that divide what
    /// is there. `stuck` are positions of steps.
    fn useful_splits(&self, stuck: &BTreeSet<usize>) -> Vec<(usize, Constraint)> {
        let steps: Vec<Step> = self.steps.iter().copied().collect();
        let stuck: BTreeSet<Step> = stuck.iter().filter_map(|at| steps.get(*at)).copied().collect();
        let cells: BTreeSet<usize> = stuck.iter().map(|step| step.from).collect();
        let mut splits = Vec::new();
        for cell in cells {
            let mut found = Vec::new();
            for condition in self.candidates(cell, &stuck) {
                if found.len() < SPLITS_A_ROUND && self.divides(cell, &condition, &found) {
                    found.push(condition);
                }
            }
            for condition in found {
                splits.push((cell, condition));
            }
        }
        self.with_new_cells(splits)
    }

    /// Each further condition of a cell divides both halves.
    fn with_new_cells(&self, splits: Vec<(usize, Constraint)>) -> Vec<(usize, Constraint)> {
        let mut halves: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut next = self.origins.len();
        let mut all = Vec::new();
        for (cell, condition) in splits {
            let parts = halves.entry(cell).or_insert_with(|| vec![cell]);
            let mut new = Vec::new();
            for part in parts.iter() {
                all.push((*part, condition.clone()));
                new.push(next);
                next += 1;
            }
            parts.extend(new);
        }
        all
    }

    /// Inequalities over the values at a cell that may tell its steps apart, the
    /// most promising first.
    fn candidates(&self, cell: usize, stuck: &BTreeSet<Step>) -> Vec<Constraint> {
        let mut guards = Vec::new();
        let mut bounds = Vec::new();
        let mut turns = Vec::new();
        for step in &self.steps {
            let edge = self.edge(*step);
            let premises = || Polyhedron::of(self.premises(*step));
            if step.from == cell && stuck.contains(step) {
                guards.extend(over_positions(&premises(), &edge.relation.pre));
                if step.to == cell {
                    turns.extend(self::turns(&premises(), &edge.relation));
                }
            }
            if step.to == cell {
                bounds.extend(over_positions(&premises(), &edge.relation.post));
            }
        }
        let mut all = guards;
        all.extend(bounds);
        all.sort_by_key(|condition| {
            (condition.expr().constant_part().abs() > Integer::from(FAR), condition.expr().terms().len())
        });
        all.into_iter().chain(turns).collect()
    }

    /// Whether some values that arrive or leave satisfy the condition and others
    /// do not, and it is not one of the others or the opposite of one.
    fn divides(&self, cell: usize, condition: &Constraint, others: &[Constraint]) -> bool {
        let Some(negation) = condition.negate() else { return false };
        if others.iter().any(|other| other == condition || *other == negation) {
            return false;
        }
        let meets = |side: &Constraint| {
            let mut around = self.steps.iter().filter(|step| step.from == cell || step.to == cell);
            around.any(|step| {
                let edge = self.edge(*step);
                let at = |variables: &[Var]| side.map(|v| LinearExpr::var(variables[v.index()]));
                let is_possible = |extra: Constraint| {
                    let mut premises = self.premises(*step);
                    premises.push(extra);
                    surely_unsat(&premises).is_none()
                };
                (step.from == cell && is_possible(at(&edge.relation.pre)))
                    || (step.to == cell && is_possible(at(&edge.relation.post)))
            })
        };
        meets(condition) && meets(&negation)
    }
}

/// Constants beyond this are bounds of types rather than of the program.
const FAR: i64 = 1 << 20;

/// The steps that a step becomes when one cell is divided in two.
fn variants(step: Step, cell: usize, new: usize) -> Vec<Step> {
    let halves = |end: usize| if end == cell { vec![cell, new] } else { vec![end] };
    let mut all = Vec::with_capacity(4);
    for from in halves(step.from) {
        for to in halves(step.to) {
            all.push(Step { edge: step.edge, from, to });
        }
    }
    all
}

/// Puts a split in the place of a cell.
fn replace(tree: &mut Tree, cell: usize, condition: &Constraint, new: usize) {
    match tree {
        Tree::Cell(known) if *known == cell => {
            *tree = Tree::Split {
                condition: condition.clone(),
                holds: Box::new(Tree::Cell(cell)),
                fails: Box::new(Tree::Cell(new)),
            };
        }
        Tree::Cell(_) => {}
        Tree::Split { holds, fails, .. } => {
            replace(holds, cell, condition, new);
            replace(fails, cell, condition, new);
        }
    }
}

/// The inequalities that hold for these variables, by position.
fn over_positions(known: &Polyhedron, variables: &[Var]) -> Vec<Constraint> {
    let shadow = known.project_onto(&|v| variables.contains(&v));
    let position = |v: Var| variables.iter().position(|other| *other == v).unwrap_or(0);
    let place = |constraint: &Constraint| constraint.map(|v| LinearExpr::var(Var::at(position(v))));
    shadow.constraints().iter().flat_map(|c| place(c).inequalities()).collect()
}

/// Where a loop lets a value fall, and where it lets it grow.
fn turns(known: &Polyhedron, relation: &Relation) -> Vec<Constraint> {
    let ends = relation.pre.iter().zip(&relation.post);
    let changing = ends.filter(|(before, after)| {
        !known.entails(&Constraint::ge(**after, **before))
            && !known.entails(&Constraint::le(**after, **before))
    });
    let falling = changing.flat_map(|(before, after)| {
        let mut falling = known.clone();
        falling.assume(Constraint::le(*after, *before));
        over_positions(&falling, &relation.pre)
    });
    falling.collect()
}
