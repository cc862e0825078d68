//! All small heaps of nodes with links.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use wane::heap::graph::{Graph, Link};

/// All graphs of `n_nodes` nodes with `n_links` links each. Of graphs that
/// differ only in the order of nodes, one is listed.
pub(crate) fn graphs(n_nodes: usize, n_links: usize) -> impl Iterator<Item = Graph> {
    let choices: Vec<Link> =
        [Link::Null, Link::Elsewhere].into_iter().chain((0..n_nodes).map(Link::Node)).collect();
    let n_slots = n_nodes * n_links;
    let count = choices.len().pow(u32::try_from(n_slots).unwrap());
    let orders = orders(n_nodes);
    let mut slots = vec![Link::Null; n_slots];
    (0..count).filter_map(move |mut number| {
        for slot in &mut slots {
            *slot = choices[number % choices.len()];
            number /= choices.len();
        }
        let is_first = orders.iter().all(|order| is_at_most_reordered(&slots, n_links, order));
        is_first
            .then(|| (0..n_nodes).map(|node| slots[node * n_links..][..n_links].to_vec()).collect())
    })
}

/// Whether a graph is not behind the one in which node `order[i]` comes at
/// place `i`.
fn is_at_most_reordered(slots: &[Link], n_links: usize, order: &[usize]) -> bool {
    for (slot, own) in slots.iter().enumerate() {
        let other = match slots[order[slot / n_links] * n_links + slot % n_links] {
            Link::Node(target) => {
                Link::Node(order.iter().position(|node| *node == target).unwrap_or(target))
            }
            link => link,
        };
        if *own != other {
            return *own < other;
        }
    }
    true
}

/// All orders of so many nodes.
fn orders(n_nodes: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for node in 0..n_nodes {
        let insert = |order: &Vec<usize>| {
            (0..=order.len())
                .map(|at| {
                    let mut longer = order.clone();
                    longer.insert(at, node);
                    longer
                })
                .collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(insert).collect();
    }
    orders
}
