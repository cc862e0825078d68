//! Which values of a location are worth comparing.
//!
//! Where each of several values may be the greatest, the greatest of them is a measure that no
//! affine function is. Over the cells that say which one it is, each cell has its own function.
//! A value counts only where it may still be used, and where it is not one constant.

use std::collections::{BTreeMap, BTreeSet};

use descent::{Edge, System};
use logic::{Constraint, LinearExpr, Var};

/// More comparisons than this do not divide a location.
const MOST_COMPARISONS: usize = 3;

/// Comparisons of two values at the ends of these edges, by location; at most
/// [`MOST_COMPARISONS`] at each.
pub(super) fn comparisons(
    system: &System,
    edges: &BTreeSet<usize>,
) -> BTreeMap<usize, Vec<Constraint>> {
    let used = Used::of(system);
    let mut varying: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for edge in edges.iter().map(|edge| &system.edges[*edge]) {
        let positions = 0..edge.relation.pre.len();
        let found = positions.filter(|it| used.by_location[edge.from].contains(it));
        let found = found.filter(|it| !is_fixed(edge, edge.relation.pre[*it]));
        varying.entry(edge.from).or_default().extend(found);
    }
    let compared = |positions: BTreeSet<usize>| {
        let positions: Vec<usize> = positions.into_iter().collect();
        let pairs = positions.iter().enumerate();
        let pairs = pairs.flat_map(|(i, one)| positions[i + 1..].iter().map(move |two| (one, two)));
        let at_most = |(one, two): (&usize, &usize)| {
            Constraint::le(LinearExpr::var(Var::at(*one)), LinearExpr::var(Var::at(*two)))
        };
        pairs.map(at_most).collect::<Vec<_>>()
    };
    let all = varying.into_iter().map(|(location, positions)| (location, compared(positions)));
    all.filter(|(_, pairs)| (1..=MOST_COMPARISONS).contains(&pairs.len())).collect()
}

/// Whether the edge says that the value is one constant.
fn is_fixed(edge: &Edge, variable: Var) -> bool {
    let says = |it: &Constraint| {
        it.is_equality() && matches!(it.expr().terms(), [(v, _)] if *v == variable)
    };
    edge.relation.constraints.iter().any(says)
}

/// The values that a guard may still read, or another value that is used.
struct Used {
    by_location: Vec<BTreeSet<usize>>,
}

impl Used {
    fn of(system: &System) -> Self {
        let mut used = Self { by_location: vec![BTreeSet::new(); system.arities.len()] };
        let mut grows = true;
        while grows {
            grows = false;
            for edge in &system.edges {
                grows |= used.learn(edge);
            }
        }
        used
    }

    /// Adds what the edge uses of the values before it; whether that is something new.
    fn learn(&mut self, edge: &Edge) -> bool {
        let relation = &edge.relation;
        let mut grown = false;
        for (position, value) in relation.pre.iter().enumerate() {
            let mentioned = relation.constraints.iter().filter(|it| it.mentions(*value));
            if mentioned.into_iter().any(|it| self.is_use(edge, it)) {
                grown |= self.by_location[edge.from].insert(position);
            }
        }
        grown
    }

    /// A constant is no use; what computes values after the step is one if these are used.
    fn is_use(&self, edge: &Edge, constraint: &Constraint) -> bool {
        let terms = constraint.expr().terms();
        let after = |v: &Var| edge.relation.post.iter().position(|post| post == v);
        let mut written = terms.iter().filter_map(|(v, _)| after(v)).peekable();
        if constraint.is_equality() && written.peek().is_some() {
            return written.any(|post| self.by_location[edge.to].contains(&post));
        }
        !(constraint.is_equality() && terms.len() == 1)
    }
}
