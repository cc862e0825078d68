//! Orders on the nodes of a directed graph: reverse postorder, strongly
//! connected components (Tarjan) and weak topological order (Bourdoncle 1993).
//!
//! A graph of `n` nodes is its successor lists: node `v` has an edge to each
//! element of `successors[v]`. Repeated edges and self-loops are allowed. All
//! results depend on the order of the lists only, and nothing here recurses.

use std::collections::{BTreeMap, BTreeSet};

/// The nodes reachable from `entry`, each before its successors except along
/// edges that close a cycle.
#[must_use]
pub fn reverse_postorder(successors: &[Vec<usize>], entry: usize) -> Vec<usize> {
    let mut visited = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut stack = vec![(entry, 0)];
    visited[entry] = true;
    while let Some((node, next_edge)) = stack.pop() {
        let Some(&target) = successors[node].get(next_edge) else {
            order.push(node);
            continue;
        };
        stack.push((node, next_edge + 1));
        if !visited[target] {
            visited[target] = true;
            stack.push((target, 0));
        }
    }
    order.reverse();
    order
}

/// These nodes and all that they lead to.
pub fn reachable<N: Ord + Copy, I: IntoIterator<Item = N>>(
    from: impl IntoIterator<Item = N>,
    mut next: impl FnMut(N) -> I,
) -> BTreeSet<N> {
    let mut open: Vec<N> = from.into_iter().collect();
    let mut found = BTreeSet::new();
    while let Some(node) = open.pop() {
        if found.insert(node) {
            open.extend(next(node));
        }
    }
    found
}

/// The graph with its edges turned round: for each node, its predecessors, in order.
#[must_use]
pub fn reversed(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (from, nexts) in successors.iter().enumerate() {
        nexts.iter().for_each(|to| predecessors[*to].push(from));
    }
    predecessors
}

/// The partition of a graph's nodes into strongly connected components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// The components, each after every component that it has an edge to;
    /// members ascend.
    pub members: Vec<Vec<usize>>,
    /// For each node, the index of its component.
    pub of: Vec<usize>,
    /// For each component, whether it contains a cycle (several nodes, or one
    /// with a self-loop).
    pub cyclic: Vec<bool>,
}

impl Components {
    /// Whether some cycle runs through `node`.
    #[must_use]
    pub fn is_on_cycle(&self, node: usize) -> bool {
        self.cyclic[self.of[node]]
    }
}

/// The strongly connected components, successors first.
#[must_use]
pub fn strongly_connected_components(successors: &[Vec<usize>]) -> Components {
    let mut search = Tarjan::new(successors);
    let roots: Vec<usize> = (0..successors.len()).collect();
    let mut members = search.components(&roots, WHOLE_GRAPH);
    let cyclic = members.iter().map(|nodes| is_cyclic(successors, nodes)).collect();
    let mut of = vec![0; successors.len()];
    for (index, nodes) in members.iter_mut().enumerate() {
        nodes.sort_unstable();
        for &node in nodes.iter() {
            of[node] = index;
        }
    }
    Components { members, of, cyclic }
}

/// Numbers for the nodes that the edges touch: no edge leads to a greater
/// number, and two nodes have the same number exactly if a cycle runs through
/// both. The work is that of sorting the edges, however large the nodes are.
#[must_use]
pub fn levels(edges: &[(usize, usize)]) -> BTreeMap<usize, usize> {
    let touched: BTreeSet<usize> = edges.iter().flat_map(|(from, to)| [*from, *to]).collect();
    let dense: BTreeMap<usize, usize> = touched.iter().copied().zip(0..).collect();
    let mut successors = vec![Vec::new(); dense.len()];
    for (from, to) in edges {
        successors[dense[from]].push(dense[to]);
    }
    let components = strongly_connected_components(&successors);
    touched.into_iter().zip(components.of).collect()
}

fn is_cyclic(successors: &[Vec<usize>], component: &[usize]) -> bool {
    match component {
        [node] => successors[*node].contains(node),
        _ => true,
    }
}

/// A hierarchical order of all nodes: every edge `u -> v` either goes forward,
/// or `v` is the head of a component that contains `u`.
///
/// The hierarchy is kept flat: a component is a stretch of positions that
/// begins with its head. A fixed-point iteration runs through the positions
/// and, at the end of a component that is not yet stable, back to its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeakTopologicalOrder {
    /// The nodes in order.
    pub order: Vec<usize>,
    /// For each position, where its component ends (exclusive) if the node
    /// there is the head of a component.
    pub component_end: Vec<Option<usize>>,
}

impl WeakTopologicalOrder {
    /// The heads of components, in order. Every cycle of the graph contains one.
    pub fn heads(&self) -> impl Iterator<Item = usize> + '_ {
        let positions = self.order.iter().zip(&self.component_end);
        positions.filter(|(_, end)| end.is_some()).map(|(&node, _)| node)
    }

    /// For each node, its position in the order.
    #[must_use]
    pub fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.order.len()];
        for (position, &node) in self.order.iter().enumerate() {
            positions[node] = position;
        }
        positions
    }
}

enum Task {
    Place(Vec<usize>),
    Close { head_position: usize },
}

/// A weak topological order of all nodes. The search starts at `entry`, so the
/// head of a loop that is entered at one place only is that place; nodes that
/// `entry` does not reach are placed as well.
#[must_use]
pub fn weak_topological_order(successors: &[Vec<usize>], entry: usize) -> WeakTopologicalOrder {
    let n_nodes = successors.len();
    let mut search = Tarjan::new(successors);
    let mut result = WeakTopologicalOrder { order: Vec::new(), component_end: Vec::new() };
    let roots: Vec<usize> = (entry.min(n_nodes)..n_nodes).chain(0..entry.min(n_nodes)).collect();
    // Components come successors first, so popping them from the end of the
    // task stack yields predecessors first.
    let mut tasks: Vec<Task> =
        search.components(&roots, WHOLE_GRAPH).into_iter().map(Task::Place).collect();
    let mut n_regions = WHOLE_GRAPH;
    while let Some(task) = tasks.pop() {
        let component = match task {
            Task::Place(component) => component,
            Task::Close { head_position } => {
                result.component_end[head_position] = Some(result.order.len());
                continue;
            }
        };
        let head = component[0];
        let head_position = result.order.len();
        result.order.push(head);
        result.component_end.push(None);
        if !is_cyclic(successors, &component) {
            continue;
        }
        n_regions += 1;
        search.enter_region(&component, n_regions);
        tasks.push(Task::Close { head_position });
        let inner = search.components(&successors[head], n_regions);
        tasks.extend(inner.into_iter().map(Task::Place));
    }
    result
}

/// The region that every node belongs to at first.
const WHOLE_GRAPH: usize = 0;
/// The mark of a node that has not been visited in the current search.
const UNVISITED: usize = usize::MAX;
/// The mark of a node whose component is complete.
const DONE: usize = usize::MAX - 1;

/// Tarjan's search, restricted to the nodes of one region of the graph.
struct Tarjan<'graph> {
    successors: &'graph [Vec<usize>],
    region: Vec<usize>,
    index: Vec<usize>,
    low: Vec<usize>,
}

impl<'graph> Tarjan<'graph> {
    fn new(successors: &'graph [Vec<usize>]) -> Self {
        let n_nodes = successors.len();
        Self {
            successors,
            region: vec![WHOLE_GRAPH; n_nodes],
            index: vec![UNVISITED; n_nodes],
            low: vec![UNVISITED; n_nodes],
        }
    }

    /// Makes a region of a component without its head (its first element).
    fn enter_region(&mut self, component: &[usize], region: usize) {
        for &node in &component[1..] {
            self.region[node] = region;
            self.index[node] = UNVISITED;
        }
    }

    /// The components of `region` that are reachable from `roots`, successors
    /// first; the first member of each is the one the search met first.
    fn components(&mut self, roots: &[usize], region: usize) -> Vec<Vec<usize>> {
        let mut components = Vec::new();
        let mut n_visited = 0;
        for &root in roots {
            if self.region[root] == region && self.index[root] == UNVISITED {
                self.search_from(root, &mut n_visited, &mut components);
            }
        }
        components
    }

    fn search_from(&mut self, root: usize, n_visited: &mut usize, found: &mut Vec<Vec<usize>>) {
        let mut path = vec![(root, 0)];
        let mut open = vec![root];
        self.visit(root, n_visited);
        while let Some((node, next_edge)) = path.pop() {
            if let Some(&target) = self.successors[node].get(next_edge) {
                path.push((node, next_edge + 1));
                if self.region[target] != self.region[node] || self.index[target] == DONE {
                    continue;
                }
                if self.index[target] == UNVISITED {
                    self.visit(target, n_visited);
                    open.push(target);
                    path.push((target, 0));
                } else {
                    self.low[node] = self.low[node].min(self.index[target]);
                }
                continue;
            }
            if let Some(&(parent, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if self.low[node] == self.index[node] {
                found.push(self.close_component(node, &mut open));
            }
        }
    }

    fn visit(&mut self, node: usize, n_visited: &mut usize) {
        self.index[node] = *n_visited;
        self.low[node] = *n_visited;
        *n_visited += 1;
    }

    fn close_component(&mut self, root: usize, open: &mut Vec<usize>) -> Vec<usize> {
        let start = open.iter().rposition(|&node| node == root).unwrap_or(0);
        let component = open.split_off(start);
        for &node in &component {
            self.index[node] = DONE;
        }
        component
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn graphs() -> impl Strategy<Value = Vec<Vec<usize>>> {
        (1_usize..12).prop_flat_map(|n_nodes| {
            prop::collection::vec(prop::collection::vec(0..n_nodes, 0..4), n_nodes)
        })
    }

    fn reaches(successors: &[Vec<usize>], from: usize, to: usize) -> bool {
        successors[from].iter().any(|&next| reverse_postorder(successors, next).contains(&to))
    }

    proptest! {
        #[test]
        fn components_are_mutual_reachability(graph in graphs()) {
            let components = strongly_connected_components(&graph);
            for from in 0..graph.len() {
                for to in 0..graph.len() {
                    let mutual = from == to || (reaches(&graph, from, to) && reaches(&graph, to, from));
                    prop_assert_eq!(mutual, components.of[from] == components.of[to]);
                    if graph[from].contains(&to) {
                        prop_assert!(components.of[to] <= components.of[from]);
                    }
                }
                prop_assert_eq!(reaches(&graph, from, from), components.is_on_cycle(from));
            }
        }

        #[test]
        fn levels_fall_and_are_equal_on_cycles(graph in graphs()) {
            let ends = graph.iter().enumerate().flat_map(|(from, targets)| targets.iter().map(move |to| (from, *to)));
            let edges: Vec<(usize, usize)> = ends.collect();
            let levels = levels(&edges);
            for (from, to) in &edges {
                prop_assert!(levels[to] <= levels[from]);
                prop_assert_eq!(from == to || reaches(&graph, *to, *from), levels[to] == levels[from]);
            }
        }

        #[test]
        fn backward_edges_enter_heads_of_their_component(graph in graphs()) {
            let wto = weak_topological_order(&graph, 0);
            let positions = wto.positions();
            let mut sorted = wto.order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..graph.len()).collect::<Vec<_>>());
            for (source, targets) in graph.iter().enumerate() {
                for &target in targets {
                    let (from, to) = (positions[source], positions[target]);
                    let into_head = wto.component_end[to].is_some_and(|end| (to..end).contains(&from));
                    prop_assert!(from < to || into_head);
                }
            }
        }
    }

    #[test]
    fn nested_loops_have_their_entries_as_heads() {
        // 0 -> 1 -> 2 -> 3 -> 2, 3 -> 1, 1 -> 4
        let graph = vec![vec![1], vec![2, 4], vec![3], vec![2, 1], vec![]];
        let wto = weak_topological_order(&graph, 0);
        assert_eq!(wto.order, [0, 1, 2, 3, 4]);
        assert_eq!(wto.component_end, [None, Some(4), Some(4), None, None]);
        assert_eq!(wto.heads().collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn long_chains_need_no_stack() {
        let n_nodes = 200_000;
        let graph: Vec<Vec<usize>> = (0..n_nodes).map(|node| vec![(node + 1) % n_nodes]).collect();
        assert_eq!(strongly_connected_components(&graph).members.len(), 1);
        assert_eq!(weak_topological_order(&graph, 0).heads().count(), 1);
        assert_eq!(reverse_postorder(&graph, 0).len(), n_nodes);
    }
}
