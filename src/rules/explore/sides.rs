//! Steps on which a number is not 0, as steps on which it is less, and more.

use heap::state::{Kind, State};
use logic::{LinearExpr, Var};

/// So many numbers are looked at on either side of 0.
const MOST_SIDES: usize = 2;

/// ```text
///   n: a number of seeds, none of them in the heap    n ≠ 0
///   ─────────────────────────────────────────────────────── SIDES
///                 n ≤ -1    or    n ≥ 1
/// ```
///
/// Relations are made of inequalities. A step with many such numbers stays one. What
/// nodes hold is left alone: each node of a list would double the states, which are
/// joined then, and a join of "<" and ">" says nothing.
pub(super) fn of(state: State) -> Vec<State> {
    if state.facts.nonzero.is_empty() {
        return vec![state];
    }
    let mut is_held = vec![false; state.vocabulary.len()];
    for atom in &state.heap.atoms {
        atom.for_each_expr(&mut |it| it.variables().for_each(|it| is_held[it.index()] = true));
    }
    let is_free_seed = |it: Var| state.vocabulary.is_seed(it) && !is_held[it.index()];
    let is_of_seeds =
        |it: &&LinearExpr| state.kind_of(it) == Kind::Integer && it.variables().all(is_free_seed);
    let numbers: Vec<LinearExpr> =
        state.facts.nonzero.iter().filter(is_of_seeds).cloned().collect();
    if numbers.len() > MOST_SIDES {
        return vec![state];
    }
    let mut sides = vec![state];
    for number in numbers {
        let both =
            sides.into_iter().flat_map(|it| [(it.clone(), number.clone()), (it, number.neg())]);
        let side = |(mut state, number): (State, LinearExpr)| {
            let is_there = !state.assume_at_most_zero(&number.add_constant(1)).is_empty();
            is_there.then_some(state)
        };
        sides = both.filter_map(side).collect();
    }
    sides
}
