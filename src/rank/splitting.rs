//! The search for a division of locations into cells that makes a system
//! rankable.
//!
//! Where ranking is stuck, the inequalities on which steps there disagree divide
//! their locations: guards that not all values at a location satisfy, bounds of
//! what arrives, and where a loop lets a value fall. Cells that no step reaches disappear, and what is left is
//! ranked again; the next round sees the guards of steps between cells, which are
//! preconditions of the last round's.

use std::collections::{BTreeMap, BTreeSet};

use super::comparisons::comparisons;
use super::lexicographic;
use base::budget::Budget;
use descent::refinement::{Conditions, Refinement, Step, Tree, step_constraints};
use descent::{Certificate, Edge, Relation, System, certificate};
use logic::simplex::surely_unsat;
use logic::{Constraint, Farkas, Integer, LinearExpr, Var};
use numeric::Polyhedron;

/// How often cells are divided.
const MOST_ROUNDS: usize = 6;
/// How many inequalities divide a cell in one round.
const SPLITS_A_ROUND: usize = 3;
/// More cells than this beside the locations are not made.
const MOST_NEW_CELLS: usize = 48;
/// More possible steps than this beside the edges are not made.
const MOST_NEW_STEPS: usize = 240;
/// A larger part that is stuck is left alone.
const MOST_STUCK: usize = 40;

/// A division into cells and a ranking of these, if the search finds them: no
/// path from the first location is infinite. `stuck` are the edges that resist
/// ranking, a list a cyclic part. `divisions` is for dividing them, at most
/// [`DIVISION_UNITS`](base::limits::DIVISION_UNITS), `rankings` for ranking the cells,
/// in the units of [`lexicographic::attempt`].
#[must_use]
pub fn rank_cells(
    system: &System,
    stuck: &[Vec<usize>],
    divisions: Budget,
    rankings: &mut Budget,
) -> Option<Ranked> {
    if stuck.is_empty() || stuck.iter().map(Vec::len).sum::<usize>() > MOST_STUCK {
        return None;
    }
    let stuck: BTreeSet<usize> = stuck.iter().flatten().copied().collect();
    let mut compared = Division::new(system, divisions.clone());
    let mut guarded = Division::new(system, divisions.clone());
    rank_disagreements(system, stuck.clone(), divisions, rankings)
        .or_else(|| rank_comparisons(&mut compared, &stuck, rankings))
        .or_else(|| rank_guards(&mut guarded, &stuck, rankings))
}

/// Divides once, by guards that compare two values one of which changes: an index that goes
/// round a buffer until it meets another one is before it or behind it.
fn rank_guards(
    division: &mut Division<'_>,
    stuck: &BTreeSet<usize>,
    rankings: &mut Budget,
) -> Option<Ranked> {
    let edges: Vec<&Edge> = stuck.iter().map(|edge| &division.system.edges[*edge]).collect();
    let locations: BTreeSet<usize> = edges.iter().map(|edge| edge.from).collect();
    let mut splits = Vec::new();
    for location in locations {
        let relations = edges.iter().filter(|it| it.from == location).map(|it| &it.relation);
        let mut conditions: Vec<Constraint> = relations.flat_map(comparing_guards).collect();
        conditions.sort_by_key(|it| it.expr().constant_part().abs());
        let around = Surroundings::of(division, location);
        let mut found: Vec<Constraint> = Vec::new();
        for condition in conditions {
            if found.len() < SPLITS_A_ROUND && around.divides(&condition, &found) {
                found.push(condition);
            }
        }
        splits.extend(found.into_iter().map(|condition| (location, condition)));
    }
    if splits.is_empty() {
        return None;
    }
    for (cell, condition) in division.with_new_cells(splits) {
        division.split(cell, &condition)?;
    }
    division.ranking(rankings)?.ok()
}

/// The inequalities between two values before a step, one of which the step changes.
fn comparing_guards(relation: &Relation) -> Vec<Constraint> {
    let known = Polyhedron::of(relation.constraints.iter().cloned());
    let changes = |position: usize| {
        let (before, after) = (relation.pre[position], relation.post.get(position));
        after.is_some_and(|after| !known.entails(&Constraint::eq(*after, before)))
    };
    let mut guards = over_positions(&known, &relation.pre);
    guards.retain(|it| {
        it.expr().terms().len() == 2 && it.expr().variables().any(|it| changes(it.index()))
    });
    guards
}

/// Divides by what steps disagree on, round by round.
fn rank_disagreements(
    system: &System,
    mut stuck: BTreeSet<usize>,
    divisions: Budget,
    rankings: &mut Budget,
) -> Option<Ranked> {
    let mut division = Division::new(system, divisions);
    for _ in 0..MOST_ROUNDS {
        let splits = division.useful_splits(&stuck);
        if splits.is_empty() {
            return None;
        }
        for (cell, condition) in splits {
            division.split(cell, &condition)?;
        }
        match division.ranking(rankings)? {
            Ok(found) => return Some(found),
            Err(rest) => stuck = rest,
        }
    }
    None
}

/// Divides once, by which of two values is the greater.
fn rank_comparisons(
    division: &mut Division<'_>,
    stuck: &BTreeSet<usize>,
    rankings: &mut Budget,
) -> Option<Ranked> {
    let mut splits = Vec::new();
    for (cell, conditions) in comparisons(division.system, stuck) {
        let around = Surroundings::of(division, cell);
        let dividing = conditions.into_iter().filter(|it| around.divides(it, &[]));
        splits.extend(dividing.map(|condition| (cell, condition)));
    }
    if splits.is_empty() {
        return None;
    }
    for (cell, condition) in division.with_new_cells(splits) {
        division.split(cell, &condition)?;
    }
    division.ranking(rankings)?.ok()
}

/// Cells, and the ranking of their steps.
type Ranked = (Refinement, Certificate);

/// A refinement in the making.
struct Division<'a> {
    system: &'a System,
    trees: Vec<Tree>,
    origins: Vec<usize>,
    conditions: Conditions,
    /// The steps that may be possible.
    steps: BTreeSet<Step>,
    refuted: BTreeMap<Step, Farkas>,
    /// For each constraint that is looked at.
    effort: Budget,
}

impl<'a> Division<'a> {
    /// One cell a location.
    fn new(system: &'a System, effort: Budget) -> Self {
        let n_locations = system.arities.len();
        let ends = system.edges.iter().enumerate();
        Self {
            system,
            trees: (0..n_locations).map(Tree::Cell).collect(),
            origins: (0..n_locations).collect(),
            conditions: vec![Vec::new(); n_locations],
            steps: ends.map(|(edge, ends)| Step { edge, from: ends.from, to: ends.to }).collect(),
            refuted: BTreeMap::new(),
            effort,
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

    /// A checked ranking of the cells that are reached, or the steps that resist it.
    fn ranking(&mut self, effort: &mut Budget) -> Option<Result<Ranked, BTreeSet<usize>>> {
        self.remove_unreached();
        let refinement = self.refinement();
        let cells = refinement.system(self.system)?;
        let guarded = lexicographic::guarded(self.system);
        let steps = refinement.steps.iter().enumerate();
        let steps = steps.filter(|(_, step)| guarded.contains(&step.edge));
        let guarded = steps.map(|(position, _)| position).collect();
        let (ranking, rest) = lexicographic::attempt_guarded(&cells, &guarded, effort)?;
        if !rest.is_empty() {
            return Some(Err(rest.into_iter().flatten().collect()));
        }
        let is_checked =
            refinement.check(self.system) && certificate::check_ranking(&cells, &ranking).is_ok();
        is_checked.then_some(Ok((refinement, ranking)))
    }

    fn edge(&self, step: Step) -> &'a Edge {
        &self.system.edges[step.edge]
    }

    fn premises(&self, step: Step) -> Vec<Constraint> {
        step_constraints(self.edge(step), &self.conditions[step.from], &self.conditions[step.to])
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
        let touched: Vec<Step> = self
            .steps
            .iter()
            .filter(|step| step.from == cell || step.to == cell)
            .copied()
            .collect();
        let impossible: Vec<Step> = self
            .refuted
            .keys()
            .filter(|step| step.from == cell || step.to == cell)
            .copied()
            .collect();
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
        let is_small = self.steps.len() <= self.system.edges.len() + MOST_NEW_STEPS;
        (is_small && !self.effort.is_spent()).then_some(())
    }

    fn decide(&mut self, step: Step) {
        let premises = self.premises(step);
        let known = self.effort.spend(premises.len() as u64);
        // What is not looked at may be possible.
        match known.ok().and_then(|()| surely_unsat(&premises)) {
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
    fn useful_splits(&mut self, stuck: &BTreeSet<usize>) -> Vec<(usize, Constraint)> {
        let steps: Vec<Step> = self.steps.iter().copied().collect();
        let stuck: BTreeSet<Step> = stuck.iter().filter_map(|at| steps.get(*at)).copied().collect();
        let cells: BTreeSet<usize> = stuck.iter().map(|step| step.from).collect();
        let mut splits = Vec::new();
        for cell in cells {
            let around = Surroundings::of(self, cell);
            let mut found = Vec::new();
            for condition in around.candidates(&stuck) {
                if found.len() >= SPLITS_A_ROUND || self.effort.spend(around.size as u64).is_err() {
                    break;
                }
                if around.divides(&condition, &found) {
                    found.push(condition);
                }
            }
            splits.extend(found.into_iter().map(|condition| (cell, condition)));
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
}

/// The steps to and from a cell, as polyhedra.
struct Surroundings<'a> {
    cell: usize,
    steps: Vec<(Step, &'a Relation, Polyhedron)>,
    /// How many constraints there are.
    size: usize,
}

impl<'a> Surroundings<'a> {
    fn of(division: &Division<'a>, cell: usize) -> Self {
        let around = division.steps.iter().filter(|step| step.from == cell || step.to == cell);
        let known = around.map(|step| {
            let relation = &division.edge(*step).relation;
            (*step, relation, Polyhedron::of(division.premises(*step)))
        });
        let steps: Vec<_> = known.collect();
        let size = steps.iter().map(|(_, _, known)| known.constraints().len()).sum();
        Self { cell, steps, size }
    }

    /// Inequalities over the values at the cell that may tell its steps apart,
    /// the most promising first.
    fn candidates(&self, stuck: &BTreeSet<Step>) -> Vec<Constraint> {
        let mut all = Vec::new();
        let mut bounds = Vec::new();
        let mut turns = Vec::new();
        for (step, relation, known) in &self.steps {
            if step.from == self.cell && stuck.contains(step) {
                all.extend(over_positions(known, &relation.pre));
                if step.to == self.cell {
                    turns.extend(self::turns(known, relation));
                }
            }
            if step.to == self.cell {
                bounds.extend(over_positions(known, &relation.post));
            }
        }
        all.extend(bounds);
        let far = Integer::from(FAR);
        all.sort_by_key(|condition| {
            let expr = condition.expr();
            (expr.constant_part().abs() > far, expr.terms().len())
        });
        all.extend(turns);
        let mut seen = BTreeSet::new();
        all.retain(|condition| seen.insert(condition.clone()));
        all
    }

    /// Whether some values that arrive or leave satisfy the condition and others
    /// do not, and it is not one of the others or the opposite of one.
    fn divides(&self, condition: &Constraint, others: &[Constraint]) -> bool {
        let Some(negation) = condition.negate() else { return false };
        if others.iter().any(|other| other == condition || *other == negation) {
            return false;
        }
        self.may_violate(condition) && self.may_violate(&negation)
    }

    /// Whether some values that arrive or leave may violate the condition.
    fn may_violate(&self, condition: &Constraint) -> bool {
        self.steps.iter().any(|(step, relation, known)| {
            let at = |variables: &[Var]| condition.map(|v| LinearExpr::var(variables[v.index()]));
            (step.from == self.cell && !known.entails(&at(&relation.pre)))
                || (step.to == self.cell && !known.entails(&at(&relation.post)))
        })
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
