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

use base::graph::strongly_connected_components;
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

/// Which parts of an argument are about a loop, and not about one around it.
pub(super) struct Parts<'a> {
    all: &'a [Component],
    /// By which component a cell is on no cycle any more.
    excluded: Vec<Option<usize>>,
    /// Which cells are on a cycle.
    may_come_back: Vec<bool>,
}

impl<'a> Parts<'a> {
    /// Each component takes the edges away that it decreases by.
    pub(super) fn of(certificate: &'a Certificate, steps: &Steps) -> Self {
        let n_cells = steps.origins.len();
        let mut left: Vec<Option<(usize, usize)>> = steps.cells.iter().copied().map(Some).collect();
        let on_cycles = |left: &[Option<(usize, usize)>]| {
            let mut successors = vec![Vec::new(); n_cells];
            left.iter().flatten().for_each(|(from, to)| successors[*from].push(*to));
            strongly_connected_components(&successors)
        };
        let all = &certificate.ranking.components;
        let mut excluded = vec![None; n_cells];
        let mut before = on_cycles(&left);
        let may_come_back = (0..n_cells).map(|it| before.is_on_cycle(it)).collect();
        for (number, component) in all.iter().enumerate() {
            for edge in component.strict_edges() {
                left[edge] = None;
            }
            let after = on_cycles(&left);
            let is_gone = |cell: usize| before.is_on_cycle(cell) && !after.is_on_cycle(cell);
            (0..n_cells).filter(|it| is_gone(*it)).for_each(|it| excluded[it] = Some(number));
            before = after;
        }
        Self { all, excluded, may_come_back }
    }

    /// Those that exclude that the loop with these nodes comes round, at one of its cells: in a single
    /// step, or at last.
    pub(super) fn of_loop(
        &self,
        steps: &Steps,
        nodes: &[usize],
        cell: usize,
    ) -> Vec<&'a Component> {
        let is_own = |edge: usize| {
            let ends = steps.cells.get(edge);
            ends.is_some_and(|(from, to)| {
                [from, to].iter().all(|it| nodes.contains(&steps.origins[**it]))
            })
        };
        let components = self.all.iter().enumerate().filter(|(number, component)| {
            self.excluded[cell] == Some(*number) || component.strict_edges().any(is_own)
        });
        components.map(|it| it.1).collect()
    }

    /// Whether a run may come to a cell again.
    pub(super) fn comes_back(&self, cell: usize) -> bool {
        self.may_come_back[cell]
    }

    /// Whether others come before these of a loop: their decrease lets these begin anew.
    pub(super) fn are_within_others(&self, cell: usize, own: &[&Component]) -> bool {
        let mut before =
            self.all.iter().take_while(|it| !own.iter().any(|own| std::ptr::eq(*own, *it)));
        !own.is_empty() && before.any(|it| it.functions.contains_key(&cell))
    }
}
