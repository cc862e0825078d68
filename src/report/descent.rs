//! What decreases at the places of an argument: the parts of the certificate that
//! are about a loop, or about one call of a recursion.
//!
//! Let s and t be states at one place, t later; the ranking relations of the place
//! (its `T` in "Termination proofs for systems code", PLDI 2006, Fig. 5) contain all
//! such pairs. A lexicographic tuple gives a relation a component: take the first
//! component that some step on the way from s to t decreases strictly. No step on the
//! way increases it, so it has decreased from s to t, and was not negative in s. Of
//! nested functions, the first one that is not negative in s decreases at every step.
//! A transition invariant is such a union as it stands. Pairs of states in different
//! cells or abstract states belong to `T_DIFF`, as those at different places do.

use descent::{AffineFunction, Component, EdgeProof};
use evidence::certificate::Certificate;
use evidence::place::Site;
use std::collections::BTreeSet;

/// What decreases: a lexicographic tuple, of which each component may have phases,
/// and where that stays the same, some of a union.
#[derive(Default)]
pub(super) struct Descent<'a> {
    /// The tuple.
    pub(super) tuple: Vec<&'a [AffineFunction]>,
    /// The union.
    pub(super) union: Vec<&'a [AffineFunction]>,
}

impl<'a> Descent<'a> {
    /// What these components say of a location, and the transition invariant there.
    pub(super) fn of_cell(
        certificate: &'a Certificate,
        cell: usize,
        components: &[&'a Component],
    ) -> Self {
        let functions = components.iter().filter_map(|component| component.functions.get(&cell));
        Self { tuple: functions.map(Vec::as_slice).collect(), union: union_at(certificate, cell) }
    }
}

fn union_at(certificate: &Certificate, cell: usize) -> Vec<&[AffineFunction]> {
    let invariants = certificate.ranking.invariants.iter().filter(|it| it.cutpoint == cell);
    invariants
        .flat_map(|it| it.rankings())
        .map(|ranking| std::slice::from_ref(&ranking.function))
        .collect()
}

/// The edges of the ranked system.
pub(super) struct Steps {
    /// Between which cells.
    cells: Vec<(usize, usize)>,
    /// The node of each cell.
    origins: Vec<usize>,
    /// Where the call is, for edges that start a recursive procedure.
    calls: Vec<Option<Site>>,
}

impl Steps {
    pub(super) fn of(certificate: &Certificate) -> Self {
        let system = certificate.ranked_system().unwrap_or_default();
        let steps = certificate.nodes.iter().filter_map(|node| node.steps.as_ref()).flatten();
        let calls: Vec<Option<Site>> = steps.map(|step| step.call).collect();
        let calls = match &certificate.refinement {
            Some(refinement) => {
                let of_step = refinement.steps.iter().map(|step| step.edge);
                of_step.map(|edge| calls.get(edge).copied().flatten()).collect()
            }
            None => calls,
        };
        let cells = system.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        Self { cells, origins: certificate.origins(), calls }
    }

    /// The nodes of each edge.
    pub(super) fn ends(&self) -> Vec<(usize, usize)> {
        self.cells.iter().map(|(from, to)| (self.origins[*from], self.origins[*to])).collect()
    }

    /// The cells of a node, with the node.
    pub(super) fn cells_of(&self, node: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let cells = self.origins.iter().enumerate();
        cells.filter(move |(_, origin)| **origin == node).map(move |(cell, _)| (node, cell))
    }

    /// The edges by which a call leads to one of the nodes.
    fn calls_of<'a>(&'a self, nodes: &'a [usize]) -> impl Iterator<Item = (usize, Site)> + 'a {
        let calls = self.calls.iter().enumerate();
        let calls = calls.filter_map(|(edge, call)| Some((edge, (*call)?)));
        calls.filter(|(edge, _)| nodes.contains(&self.origins[self.cells[*edge].1]))
    }

    /// The calls that lead to one of the nodes again and again, as far as something
    /// decreases by them.
    pub(super) fn calls_into(&self, certificate: &Certificate, nodes: &[usize]) -> BTreeSet<Site> {
        let sites: BTreeSet<Site> = self.calls_of(nodes).map(|(_, site)| site).collect();
        let is_told = |site: &Site| self.descents_by(certificate, nodes, *site).next().is_some();
        sites.into_iter().filter(is_told).collect()
    }

    /// What decreases by a call that leads to one of the nodes, by node.
    pub(super) fn descents_by<'a>(
        &'a self,
        certificate: &'a Certificate,
        nodes: &'a [usize],
        call: Site,
    ) -> impl Iterator<Item = (usize, Descent<'a>)> + 'a {
        let edges = self.calls_of(nodes).filter(move |(_, site)| *site == call);
        edges.filter_map(|(edge, _)| {
            let cell = self.cells[edge].1;
            let mut descent = Descent::default();
            for component in &certificate.ranking.components {
                let (Some(proof), Some(functions)) =
                    (component.proofs.get(&edge), component.functions.get(&cell))
                else {
                    continue;
                };
                descent.tuple.push(functions);
                match proof {
                    EdgeProof::NonIncreasing(_) | EdgeProof::Bounded { .. } => {}
                    EdgeProof::Decreasing { .. }
                    | EdgeProof::Falling(_)
                    | EdgeProof::Nested { .. } => {
                        return Some((self.origins[cell], descent));
                    }
                }
            }
            descent.union = union_at(certificate, cell);
            let is_told = !(descent.tuple.is_empty() && descent.union.is_empty());
            is_told.then_some((self.origins[cell], descent))
        })
    }
}

/// The parts of the argument that are about one loop, and not about a loop
/// around it: those that exclude its own repetition, else those that exclude
/// leaving or reaching it for ever.
pub(super) fn components_of_loop<'a>(
    certificate: &'a Certificate,
    edges: &[(usize, usize)],
    nodes: &[usize],
) -> Vec<&'a Component> {
    let within = |edge: usize, is_wanted: &dyn Fn(usize, usize) -> bool| {
        edges.get(edge).is_some_and(|(from, to)| is_wanted(*from, *to))
    };
    let having = |is_wanted: &dyn Fn(usize, usize) -> bool| -> Vec<&'a Component> {
        let components = certificate.ranking.components.iter();
        components
            .filter(|component| component.strict_edges().any(|edge| within(edge, is_wanted)))
            .collect()
    };
    let own = having(&|from, to| nodes.contains(&from) && nodes.contains(&to));
    if !own.is_empty() {
        return own;
    }
    let leaving = having(&|from, _| nodes.contains(&from));
    if leaving.is_empty() { having(&|_, to| nodes.contains(&to)) } else { leaving }
}
