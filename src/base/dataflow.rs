//! Facts that hold at the nodes of a graph: the least solution of what flows along its edges
//! (Kildall, *A unified approach to global program optimization*, POPL 1973).

use crate::graph::reversed;
use std::collections::BTreeSet;

/// The least facts that hold at each node, given those at the starts: `flow` says what a node
/// with a fact gives to which nodes, `join` adds a fact to a known one and tells whether that
/// made it weaker. Nodes to which nothing flows have none.
///
/// The facts do not depend on the order of the starts, if `flow` is monotone; it ends if each
/// fact can be made weaker so often only.
pub fn least<F: Clone, I: IntoIterator<Item = (usize, F)>>(
    n_nodes: usize,
    starts: impl IntoIterator<Item = (usize, F)>,
    mut flow: impl FnMut(usize, &F) -> I,
    mut join: impl FnMut(&mut F, F) -> bool,
) -> Vec<Option<F>> {
    let mut facts: Vec<Option<F>> = vec![None; n_nodes];
    let mut is_open = vec![false; n_nodes];
    let mut open = Vec::new();
    let mut arrive = |node: usize, fact: F, facts: &mut Vec<Option<F>>| match &mut facts[node] {
        Some(known) => join(known, fact),
        unknown => {
            *unknown = Some(fact);
            true
        }
    };
    for (node, fact) in starts {
        arrive(node, fact, &mut facts);
        is_open[node] = true;
        open.push(node);
    }
    while let Some(node) = open.pop() {
        if !std::mem::take(&mut is_open[node]) {
            continue;
        }
        let Some(fact) = facts[node].clone() else { continue };
        for (next, fact) in flow(node, &fact) {
            if arrive(next, fact, &mut facts) && !std::mem::replace(&mut is_open[next], true) {
                open.push(next);
            }
        }
    }
    facts
}

/// The least sets before each node of a graph: `over` says what is so before a node, given all that
/// is so before those that come next.
pub fn backward<T: Ord + Clone>(
    successors: &[Vec<usize>],
    over: impl Fn(usize, &BTreeSet<T>) -> BTreeSet<T>,
) -> Vec<BTreeSet<T>> {
    let predecessors = reversed(successors);
    let flow = |node: usize, behind: &BTreeSet<T>| {
        let before = over(node, behind);
        predecessors[node].iter().map(move |earlier| (*earlier, before.clone()))
    };
    let starts = (0..successors.len()).map(|node| (node, BTreeSet::new()));
    let behind = least(successors.len(), starts, flow, unite).into_iter();
    behind.enumerate().map(|(node, behind)| over(node, &behind.unwrap_or_default())).collect()
}

/// Adds the elements of one set to another; whether that added any.
pub fn unite<T: Ord>(known: &mut BTreeSet<T>, more: BTreeSet<T>) -> bool {
    let n_known = known.len();
    known.extend(more);
    known.len() > n_known
}

#[cfg(test)]
mod tests {
    use super::{backward, least, unite};
    use std::collections::BTreeSet;

    #[test]
    fn facts_flow_along_edges_and_round_cycles() {
        // 0 → 1 → 2 → 1, 2 → 3; nothing leads to 4.
        let successors = [vec![1], vec![2], vec![1, 3], vec![], vec![0]];
        let flow = |node: usize, passed: &BTreeSet<usize>| {
            let mut passed = passed.clone();
            passed.insert(node);
            let nexts = successors[node].iter();
            nexts.map(|next| (*next, passed.clone())).collect::<Vec<_>>()
        };
        let facts = least(5, [(0, BTreeSet::new())], flow, unite);
        let expected: [Option<&[usize]>; 5] =
            [Some(&[]), Some(&[0, 1, 2]), Some(&[0, 1, 2]), Some(&[0, 1, 2]), None];
        for (fact, expected) in facts.into_iter().zip(expected) {
            assert_eq!(fact, expected.map(|it| it.iter().copied().collect()));
        }
    }

    #[test]
    fn facts_flow_against_edges() {
        // 0 → 1 → 2 → 1, 2 → 3: each node adds itself, and 1 takes 3 away.
        let successors = [vec![1], vec![2], vec![1, 3], vec![]];
        let over = |node: usize, behind: &BTreeSet<usize>| {
            let kept = behind.iter().copied().filter(|it| node != 1 || *it != 3);
            kept.chain([node]).collect::<BTreeSet<_>>()
        };
        let expected = [vec![0, 1, 2], vec![1, 2], vec![1, 2, 3], vec![3]];
        assert_eq!(backward(&successors, over), expected.map(BTreeSet::from_iter));
    }
}
