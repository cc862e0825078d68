//! Cutpoints: the blocks where termination is asked, and who calls whom.
//!
//! A run of a program that does not end either passes some cutpoint of some
//! loop infinitely often, or nests calls of recursive procedures without end
//! (PLDI'06 §2, CAV'06 §2). [`CutSet`] covers the first, [`CallGraph`] the second.

use super::{BlockId, Callee, Command, Expr, Procedure, ProcedureId, Program};
use base::graph::{
    Components, WeakTopologicalOrder, reachable, strongly_connected_components,
    weak_topological_order,
};
use std::collections::BTreeSet;

/// How many paths from cutpoints may meet at a block that is none.
const MAX_PATHS: u64 = 300;

/// Blocks of one procedure such that every cycle of its control-flow graph
/// passes through one, with the argument for that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutSet {
    is_cutpoint: Vec<bool>,
    numbering: Vec<usize>,
    nesting: Vec<Vec<u32>>,
}

impl CutSet {
    /// The heads of the loops of `procedure`: for a loop that is entered at one
    /// block only, that block.
    #[must_use]
    pub fn of_procedure(procedure: &Procedure) -> Self {
        let order = weak_topological_order(&procedure.successor_lists(), 0);
        let mut is_cutpoint = vec![false; procedure.blocks.len()];
        for head in order.heads() {
            is_cutpoint[head] = true;
        }
        Self { is_cutpoint, numbering: order.positions(), nesting: nesting(&order) }
    }

    /// The same, and blocks where paths meet, such that few paths lead from one cutpoint to the
    /// next: what follows each of a million paths by itself does not come to an end.
    #[must_use]
    pub fn with_few_paths(procedure: &Procedure) -> Self {
        let mut cut_set = Self::of_procedure(procedure);
        let successors = procedure.successor_lists();
        let mut order: Vec<usize> = (0..successors.len()).collect();
        order.sort_by_key(|block| cut_set.numbering[*block]);
        let mut n_paths = vec![0_u64; successors.len()];
        if let Some(start) = n_paths.first_mut() {
            *start = 1;
        }
        // Edges that do not enter a cutpoint go on in this order.
        for block in order {
            if n_paths[block] > MAX_PATHS {
                cut_set.is_cutpoint[block] = true;
            }
            if cut_set.is_cutpoint[block] {
                n_paths[block] = 1;
            }
            for next in &successors[block] {
                n_paths[*next] = n_paths[*next].saturating_add(n_paths[block]);
            }
        }
        cut_set
    }

    /// The same, with loops cut where their conditions hold, at the start of their bodies, where
    /// a body starts at one block: a loop that is entered only where its condition holds has then
    /// run its body once when it is left.
    #[must_use]
    pub fn at_bodies(procedure: &Procedure) -> Self {
        let heads = Self::with_few_paths(procedure);
        let successors = procedure.successor_lists();
        let order = weak_topological_order(&successors, 0);
        let mut is_cutpoint = heads.is_cutpoint.clone();
        for (start, head) in bodies(&successors, &order) {
            is_cutpoint[head] = false;
            is_cutpoint[start] = true;
        }
        let uncut: Vec<Vec<usize>> = successors
            .iter()
            .map(|targets| targets.iter().copied().filter(|it| !is_cutpoint[*it]).collect())
            .collect();
        let numbering = weak_topological_order(&uncut, 0).positions();
        let moved = Self { is_cutpoint, numbering, nesting: nesting(&order) };
        if every_cycle_is_cut(procedure, &moved) { moved } else { heads }
    }

    /// Makes the procedure's entry a cutpoint.
    pub fn add_start(&mut self) {
        if let Some(start) = self.is_cutpoint.first_mut() {
            *start = true;
        }
    }

    /// Whether `block` is a cutpoint.
    #[must_use]
    pub fn contains(&self, block: BlockId) -> bool {
        self.is_cutpoint.get(block.index()).copied().unwrap_or(false)
    }

    /// The cutpoints, ascending.
    pub fn iter(&self) -> impl Iterator<Item = BlockId> + '_ {
        (0..self.is_cutpoint.len()).map(BlockId::at).filter(|block| self.contains(*block))
    }

    /// For each block a number, such that every edge that does not enter a
    /// cutpoint goes to a greater one. This is why every cycle is cut.
    #[must_use]
    pub fn numbering(&self) -> &[usize] {
        &self.numbering
    }

    /// Where a block stands among the loops: the heads of the loops around it,
    /// then its own position. In lexicographic order, what is inside a loop
    /// comes before the loop's head, and what follows the loop after it: the
    /// order for fixed points.
    #[must_use]
    pub fn nesting(&self, block: BlockId) -> &[u32] {
        &self.nesting[block.index()]
    }
}

/// For each block the head of the innermost loop around it, which may be the block itself.
#[must_use]
pub fn heads(procedure: &Procedure) -> Vec<Option<BlockId>> {
    let order = weak_topological_order(&procedure.successor_lists(), 0);
    let mut heads = vec![None; procedure.blocks.len()];
    // Inner loops come after those around them.
    for (position, end) in order.component_end.iter().enumerate() {
        for block in &order.order[position..end.unwrap_or(position)] {
            heads[*block] = Some(BlockId::at(order.order[position]));
        }
    }
    heads
}

fn bodies(successors: &[Vec<usize>], order: &WeakTopologicalOrder) -> Vec<(usize, usize)> {
    let ends = order.component_end.iter().enumerate();
    let loops = ends.filter_map(|(position, end)| Some((position, (*end)?)));
    loops
        .filter_map(|(position, end)| {
            let start = start_of_body(successors, order, (position, end))?;
            Some((start, order.order[position]))
        })
        .collect()
}

/// The first block behind the condition of a loop that every round passes: the blocks of the loop
/// stand from one position on up to another, its head first.
fn start_of_body(
    successors: &[Vec<usize>],
    order: &WeakTopologicalOrder,
    (head, end): (usize, usize),
) -> Option<usize> {
    let blocks = &order.order[head..end];
    let is_left = |block: usize| successors[block].iter().any(|next| !blocks.contains(next));
    let mut position = head + blocks.iter().position(|block| is_left(*block))? + 1;
    while position < end {
        if let Some(inner_end) = order.component_end[position] {
            position = inner_end;
            continue;
        }
        let start = order.order[position];
        if !is_left(start) && !comes_round_without(successors, blocks, start) {
            return Some(start);
        }
        position += 1;
    }
    None
}

/// Whether some round of a loop, whose head is the first of its blocks, misses one of them.
fn comes_round_without(successors: &[Vec<usize>], blocks: &[usize], missed: usize) -> bool {
    let head = blocks[0];
    let mut seen = BTreeSet::from([head]);
    let mut open = vec![head];
    while let Some(block) = open.pop() {
        for next in successors[block].iter().filter(|it| **it != missed && blocks.contains(it)) {
            if *next == head {
                return true;
            }
            if seen.insert(*next) {
                open.push(*next);
            }
        }
    }
    false
}

fn nesting(order: &WeakTopologicalOrder) -> Vec<Vec<u32>> {
    let mut paths = vec![Vec::new(); order.order.len()];
    let mut around: Vec<(usize, usize)> = Vec::new();
    for (position, &block) in order.order.iter().enumerate() {
        around.retain(|(_, end)| position < *end);
        let path = &mut paths[block];
        path.extend(around.iter().map(|(head, _)| number(*head)));
        path.push(number(position));
        if let Some(end) = order.component_end[position] {
            path.push(u32::MAX);
            around.push((position, end));
        }
    }
    paths
}

fn number(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// Checks that every cycle of the procedure passes through a cutpoint. It
/// relies on the numbering alone: along a cycle that avoids all cutpoints the
/// numbers would rise for ever.
#[must_use]
pub fn every_cycle_is_cut(procedure: &Procedure, cut_set: &CutSet) -> bool {
    let numbering = cut_set.numbering();
    numbering.len() == procedure.blocks.len()
        && procedure.blocks.iter().zip(numbering).all(|(block, number)| {
            block.terminator.successors().into_iter().all(|next| {
                cut_set.contains(next) || numbering.get(next.index()).is_some_and(|it| number < it)
            })
        })
}

/// Which procedures may call which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallGraph {
    callees: Vec<Vec<usize>>,
    address_taken: Vec<ProcedureId>,
    called_through_pointers: Vec<ProcedureId>,
    components: Components,
}

impl CallGraph {
    /// The calls that occur in `program`. An indirect call may reach any procedure whose address
    /// is taken anywhere, if it takes and gives what the call gives and takes.
    #[must_use]
    pub fn of_program(program: &Program) -> Self {
        let address_taken = address_taken(program);
        let callees: Vec<Vec<usize>> = program
            .procedures
            .iter()
            .map(|procedure| callees(program, procedure, &address_taken))
            .collect();
        let components = strongly_connected_components(&callees);
        let indirect = program.commands().flat_map(|command| match command {
            Command::Call { target, callee: Callee::Indirect(_), arguments } => {
                program.callable_of(&address_taken, (*target, arguments))
            }
            _ => Vec::new(),
        });
        let called_through_pointers: BTreeSet<ProcedureId> = indirect.collect();
        let called_through_pointers = called_through_pointers.into_iter().collect();
        Self { callees, address_taken, called_through_pointers, components }
    }

    /// The procedures that `caller` may call, ascending.
    pub fn callees(&self, caller: ProcedureId) -> impl Iterator<Item = ProcedureId> + '_ {
        self.callees[caller.index()].iter().map(|&callee| ProcedureId::at(callee))
    }

    /// The procedures whose address is taken, or may come in, ascending.
    #[must_use]
    pub fn address_taken(&self) -> &[ProcedureId] {
        &self.address_taken
    }

    /// Those of them that a call through a pointer may reach, ascending.
    #[must_use]
    pub fn called_through_pointers(&self) -> &[ProcedureId] {
        &self.called_through_pointers
    }

    /// Whether a call of `procedure` may lead to another call of it before it
    /// returns.
    #[must_use]
    pub fn may_recurse(&self, procedure: ProcedureId) -> bool {
        self.components.is_on_cycle(procedure.index())
    }

    /// Whether `left` and `right` may call each other, directly or not.
    #[must_use]
    pub fn are_mutually_recursive(&self, left: ProcedureId, right: ProcedureId) -> bool {
        let of = &self.components.of;
        of[left.index()] == of[right.index()] && self.may_recurse(left)
    }

    /// These procedures and all that they lead to.
    pub fn reachable(&self, from: impl IntoIterator<Item = ProcedureId>) -> BTreeSet<ProcedureId> {
        reachable(from, |it| self.callees(it))
    }

    /// Sets of mutually recursive procedures (or single ones), callees first.
    pub fn bottom_up(&self) -> impl Iterator<Item = Vec<ProcedureId>> + '_ {
        let procedures = |nodes: &Vec<usize>| nodes.iter().copied().map(ProcedureId::at).collect();
        self.components.members.iter().map(procedures)
    }
}

fn address_taken(program: &Program) -> Vec<ProcedureId> {
    let mut taken = vec![false; program.procedures.len()];
    let mut take = |procedure: ProcedureId| taken[procedure.index()] = true;
    program.expressions().flat_map(Expr::procedures).for_each(&mut take);
    program.open.iter().flat_map(|it| &it.callbacks).copied().for_each(&mut take);
    (0..taken.len()).filter(|&index| taken[index]).map(ProcedureId::at).collect()
}

fn callees(program: &Program, procedure: &Procedure, address_taken: &[ProcedureId]) -> Vec<usize> {
    let mut callees = Vec::new();
    for instruction in procedure.blocks.iter().flat_map(|block| &block.commands) {
        if let Command::Call { target, callee, arguments } = &instruction.command {
            match callee {
                Callee::Direct(callee) => {
                    callees.extend(program.entered(*callee).map(ProcedureId::index));
                }
                Callee::Indirect(_) => callees.extend(
                    program
                        .callable_of(address_taken, (*target, arguments))
                        .into_iter()
                        .flat_map(|it| program.entered(it))
                        .map(ProcedureId::index),
                ),
            }
        }
    }
    callees.sort_unstable();
    callees.dedup();
    callees
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Block, Expr, Terminator};
    use base::source::Span;
    use proptest::prelude::*;

    fn procedure(successors: &[Vec<usize>]) -> Procedure {
        let block = |targets: &Vec<usize>| Block {
            commands: Vec::new(),
            terminator: Terminator::Switch {
                value: Expr::Constant(0),
                cases: targets[1..].iter().map(|&it| (0, 0, BlockId::at(it))).collect(),
                default: BlockId::at(targets[0]),
            },
            span: Span::NOWHERE,
        };
        Procedure {
            shortcut: None,
            name: "f".to_owned(),
            parameters: Vec::new(),
            lasting: Vec::new(),
            result: None,
            blocks: successors.iter().map(block).collect(),
            span: Span::NOWHERE,
        }
    }

    proptest! {
        #[test]
        fn every_control_flow_graph_is_cut(
            graph in (1_usize..10).prop_flat_map(|n_blocks| prop::collection::vec(
                prop::collection::vec(0..n_blocks, 1..4),
                n_blocks,
            ))
        ) {
            let procedure = procedure(&graph);
            prop_assert!(every_cycle_is_cut(&procedure, &CutSet::of_procedure(&procedure)));
            prop_assert!(every_cycle_is_cut(&procedure, &CutSet::at_bodies(&procedure)));
        }
    }

    #[test]
    fn loops_are_cut_where_their_conditions_hold() {
        // while (1: and 2:) { 3: if 4: else 5: 6: } 7:
        let successors =
            [vec![1], vec![2, 7], vec![3, 7], vec![4, 5], vec![6], vec![1], vec![1], vec![7]];
        let procedure = procedure(&successors);
        let cuts = CutSet::at_bodies(&procedure);
        assert_eq!(cuts.iter().collect::<Vec<_>>(), [BlockId(3), BlockId(7)]);
    }

    #[test]
    fn the_checker_rejects_a_missing_cutpoint() {
        let procedure = procedure(&[vec![1], vec![2], vec![1]]);
        let mut cut_set = CutSet::of_procedure(&procedure);
        assert_eq!(cut_set.iter().collect::<Vec<_>>(), [BlockId(1)]);
        cut_set.is_cutpoint[1] = false;
        assert!(!every_cycle_is_cut(&procedure, &cut_set));
    }

    #[test]
    fn calls_through_addresses_may_recurse() {
        let text = "
            procedure even(n: i32) { b: call odd(n - 1) return }
            procedure odd(n: i32) { b: call even(n - 1) return }
            procedure leaf() { b: return }
            procedure hook() { b: call apply(0) return }
            procedure apply(f: ptr) { b: call *(f)() return }
            procedure main() { b: call leaf() call apply(&hook) call even(3) return }
            entry main";
        let program = crate::text::parse("calls.goto", text).unwrap().program;
        let calls = CallGraph::of_program(&program);
        let recursive: Vec<bool> =
            (0..6).map(|index| calls.may_recurse(ProcedureId(index))).collect();
        assert_eq!(recursive, [true, true, false, true, true, false]);
        assert_eq!(calls.address_taken(), [ProcedureId(3)]);
        assert!(calls.are_mutually_recursive(ProcedureId(0), ProcedureId(1)));
        assert!(!calls.are_mutually_recursive(ProcedureId(0), ProcedureId(3)));
        assert!(!calls.are_mutually_recursive(ProcedureId(2), ProcedureId(2)));
        assert_eq!(calls.bottom_up().last(), Some(vec![ProcedureId(5)]));
        assert_eq!(calls.callees(ProcedureId(4)).collect::<Vec<_>>(), [ProcedureId(3)]);
    }
}
