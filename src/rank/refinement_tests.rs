//! Locations divided into cells: what the search finds, and what the check refuses.

use crate::{lexicographic, splitting};
use base::budget::Budget;
use base::limits::{DIVISION_UNITS, RANKING_UNITS};
use descent::refinement::{Refinement, Step, Tree};
use descent::{Edge, Relation, System};
use logic::{Constraint, Farkas, LinearExpr, Var};
use std::collections::BTreeMap;

const BEFORE: Var = Var(0);
const AFTER: Var = Var(1);

/// From anywhere, one step nearer to 0 and no further than `bound` beyond it.
fn towards_zero(bound: i64) -> System {
    let relation = |pre: Vec<Var>, constraints| Relation { pre, post: vec![AFTER], constraints };
    let step = |change: i64| Constraint::eq(AFTER, LinearExpr::var(BEFORE).add_constant(change));
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
    let system = System { arities: vec![1], edges: vec![any(0, 0, 1)], requirements: Vec::new() };
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
