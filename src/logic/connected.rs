//! Inequalities that have something to do with each other.

use super::Var;
use super::linear::LinearExpr;
use std::collections::BTreeSet;

/// The positions of the expressions that are connected with the variables by variables that
/// they have in common, in order. Where all expressions can be at most 0 at the same time, the
/// others say nothing about the variables.
pub fn connected_with(variables: impl Iterator<Item = Var>, exprs: &[&LinearExpr]) -> Vec<usize> {
    let mut reached: BTreeSet<Var> = variables.collect();
    let mut open: Vec<usize> = (0..exprs.len()).collect();
    let mut found = Vec::new();
    loop {
        let n_open = open.len();
        open.retain(|position| {
            let is_connected = exprs[*position].variables().any(|it| reached.contains(&it));
            if is_connected {
                reached.extend(exprs[*position].variables());
                found.push(*position);
            }
            !is_connected
        });
        if open.len() == n_open {
            found.sort_unstable();
            return found;
        }
    }
}

/// The parts that expressions fall into which share no variables: their positions, in order.
/// An expression without variables is a part.
pub fn parts(exprs: &[&LinearExpr]) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut is_taken = vec![false; exprs.len()];
    for position in 0..exprs.len() {
        if is_taken[position] {
            continue;
        }
        let mut part = connected_with(exprs[position].variables(), exprs);
        if part.is_empty() {
            part.push(position);
        }
        part.iter().for_each(|member| is_taken[*member] = true);
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{LinearExpr, Var, connected_with, parts};

    fn sum(variables: &[u32]) -> LinearExpr {
        variables.iter().fold(LinearExpr::constant(1), |sum, it| sum + LinearExpr::var(Var(*it)))
    }

    #[test]
    fn what_shares_variables_is_together() {
        let exprs = [sum(&[1, 2]), sum(&[3]), sum(&[]), sum(&[4, 2]), sum(&[3, 5])];
        let exprs: Vec<&LinearExpr> = exprs.iter().collect();
        assert_eq!(parts(&exprs), [vec![0, 3], vec![1, 4], vec![2]]);
        assert_eq!(connected_with([Var(4)].into_iter(), &exprs), [0, 3]);
        assert!(connected_with([Var(9)].into_iter(), &exprs).is_empty());
    }
}
