//! Which branches decide whether a block is reached (Ferrante, Ottenstein, Warren, *The program
//! dependence graph and its use in optimization*, TOPLAS 1987).

use crate::Procedure;
use base::graph::{reverse_postorder, reversed};

/// For each block, the blocks at whose ends it is decided whether it comes next.
pub(super) fn deciding(procedure: &Procedure) -> Vec<Vec<usize>> {
    let successors = procedure.successor_lists();
    let behind = post_dominators(&successors);
    let mut deciding = vec![Vec::new(); successors.len()];
    for (branch, nexts) in successors.iter().enumerate() {
        if nexts.len() < 2 {
            continue;
        }
        for &next in nexts {
            let mut at = next;
            while at != behind[branch] && at < successors.len() {
                if deciding[at].last() != Some(&branch) {
                    deciding[at].push(branch);
                }
                at = behind[at];
            }
        }
    }
    deciding
}

/// For each block, the next one that every way to an end passes; one more than the greatest
/// index is the end. Where there is no way to an end, there might be one from each block.
fn post_dominators(successors: &[Vec<usize>]) -> Vec<usize> {
    let end = successors.len();
    let mut forward: Vec<Vec<usize>> = successors.to_vec();
    forward.push(Vec::new());
    forward[..end].iter_mut().filter(|nexts| nexts.is_empty()).for_each(|it| it.push(end));
    let mut order = reverse_postorder(&reversed(&forward), end);
    if order.len() <= end {
        let mut leads_to_end = vec![false; end + 1];
        order.iter().for_each(|&block| leads_to_end[block] = true);
        (0..end).filter(|&block| !leads_to_end[block]).for_each(|block| forward[block].push(end));
        order = reverse_postorder(&reversed(&forward), end);
    }
    let mut rank = vec![0; end + 1];
    order.iter().enumerate().for_each(|(position, &block)| rank[block] = position);
    let mut behind: Vec<Option<usize>> = vec![None; end + 1];
    behind[end] = Some(end);
    // Cooper, Harvey and Kennedy: the nearest common one, until nothing changes.
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &block in order.iter().skip(1) {
            let known = forward[block].iter().copied().filter(|it| behind[*it].is_some());
            let common = known.reduce(|left, right| meeting(&behind, &rank, left, right));
            if common.is_some() && behind[block] != common {
                behind[block] = common;
                changed = true;
            }
        }
    }
    behind.into_iter().map(|it| it.unwrap_or(end)).collect()
}

fn meeting(behind: &[Option<usize>], rank: &[usize], left: usize, right: usize) -> usize {
    let (mut left, mut right) = (left, right);
    while left != right {
        let later = if rank[left] > rank[right] { &mut left } else { &mut right };
        match behind[*later] {
            Some(next) if next != *later => *later = next,
            _ => return behind.len() - 1,
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::deciding;
    use crate::text;

    #[test]
    fn branches_decide_what_they_can_lead_past() {
        let text = "procedure main(x: i32, n: i32) {
            b0: if x goto b1 else b2
            b1: x := 1 goto b2
            b2: if n goto b3 else b4
            b3: n := n - 1 goto b2
            b4: if x goto b5 else b6
            b5: return
            b6: x := 2 return
            } entry main";
        let program = text::parse("control.goto", text).unwrap().program;
        let found = deciding(&program.procedures[0]);
        assert_eq!(found, [vec![], vec![0], vec![2], vec![2], vec![], vec![4], vec![4]]);
    }

    #[test]
    fn what_never_ends_has_branches_too() {
        let text = "procedure main(x: i32) {
            b0: if x goto b1 else b2
            b1: x := 1 goto b0
            b2: x := 0 goto b0
            } entry main";
        let program = text::parse("control.goto", text).unwrap().program;
        let found = deciding(&program.procedures[0]);
        assert!(found[1].contains(&0) && found[2].contains(&0), "{found:?}");
    }
}
