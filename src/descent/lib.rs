//! Arguments that a graph of linear relations has no infinite path, and their exact check.
//!
//! A [`System`] is a graph whose edges are linear relations between integers
//! before and after. A [`Certificate`] says why no path of it runs for ever;
//! [`certificate::check_ranking`] verifies it by exact addition alone.
//!
//! * [`certificate`]: the check.
//! * [`invariant`]: transition invariants of cutpoints.
//! * [`refinement`]: values divided into cases.

pub mod certificate;
pub mod invariant;
pub mod refinement;

use std::collections::{BTreeMap, BTreeSet};

use base::graph::levels;
use logic::{Constraint, Farkas, Integer, LinearExpr, Var};

/// A linear relation between values before and values after a step.
///
/// `pre` and `post` share no variable. Constraints may mention further
/// variables, which are existential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The values before, by position.
    pub pre: Vec<Var>,
    /// The values after, by position.
    pub post: Vec<Var>,
    /// What holds between them.
    pub constraints: Vec<Constraint>,
}

/// A step of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The location before.
    pub from: usize,
    /// The location after.
    pub to: usize,
    /// `pre` has one variable per position of `from`, `post` of `to`.
    pub relation: Relation,
}

/// A graph of linear relations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// For each location, how many values it has.
    pub arities: Vec<usize>,
    /// The steps.
    pub edges: Vec<Edge>,
    /// Which paths count: those that keep to all of these.
    pub requirements: Vec<Requirement>,
}

/// A compassion requirement ⟨p, q⟩, as positions of edges (POPL'07, §2.2): a path that takes
/// p-edges infinitely often takes q-edges infinitely often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    /// Edges on which p surely happens.
    pub whenever: BTreeSet<usize>,
    /// All edges on which q may happen.
    pub then: BTreeSet<usize>,
}

impl System {
    /// The system with one location that repeats the relations in any order.
    #[must_use]
    pub fn repeating(relations: impl IntoIterator<Item = Relation>) -> Self {
        let step = |relation| Edge { from: 0, to: 0, relation };
        let edges: Vec<Edge> = relations.into_iter().map(step).collect();
        let arity = edges.first().map_or(0, |edge| edge.relation.pre.len());
        Self { arities: vec![arity], edges, requirements: Vec::new() }
    }

    /// Those of the edges that are on fair cycles of them, a list per component.
    ///
    /// ```text
    ///   S strongly connected   e ∈ S ∩ p   S ∩ q = ∅
    ///   ───────────────────────────────────────────── UNFAIR
    ///   no fair path that stays in S takes e for ever
    /// ```
    #[must_use]
    pub fn cycles(&self, edges: &[usize]) -> Vec<Vec<usize>> {
        let mut open = self.strongly_connected(edges);
        open.reverse();
        let mut fair = Vec::new();
        while let Some(part) = open.pop() {
            let unfair = self.requirements.iter().find(|requirement| {
                part.iter().any(|edge| requirement.whenever.contains(edge))
                    && !part.iter().any(|edge| requirement.then.contains(edge))
            });
            let Some(Requirement { whenever, .. }) = unfair else {
                fair.push(part);
                continue;
            };
            let rest: Vec<usize> =
                part.into_iter().filter(|edge| !whenever.contains(edge)).collect();
            open.extend(self.strongly_connected(&rest).into_iter().rev());
        }
        fair
    }

    /// Those of the edges that are on cycles of them, a list per component.
    fn strongly_connected(&self, edges: &[usize]) -> Vec<Vec<usize>> {
        let ends = |position: &usize| (self.edges[*position].from, self.edges[*position].to);
        let levels = levels(&edges.iter().map(ends).collect::<Vec<_>>());
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for position in edges {
            let (from, to) = ends(position);
            if levels[&from] == levels[&to] {
                groups.entry(levels[&from]).or_default().push(*position);
            }
        }
        groups.into_values().collect()
    }

    /// Whether every edge has known ends and as many variables as they have values.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        let fits = |location: usize, variables: &[Var]| {
            self.arities.get(location).is_some_and(|arity| *arity == variables.len())
        };
        let is_fine =
            |edge: &Edge| fits(edge.from, &edge.relation.pre) && fits(edge.to, &edge.relation.post);
        self.edges.iter().all(is_fine)
    }
}

/// An affine function of the values at a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffineFunction {
    /// One coefficient per position.
    pub coefficients: Vec<Integer>,
    /// The constant summand.
    pub constant: Integer,
}

impl AffineFunction {
    /// The function of these variables, by position.
    #[must_use]
    pub fn of(&self, variables: &[Var]) -> LinearExpr {
        let terms = variables.iter().copied().zip(self.coefficients.iter().cloned());
        LinearExpr::from_terms(terms, &self.constant)
    }

    /// The function as a person writes it, with a name per position.
    #[must_use]
    pub fn display(&self, name: &impl Fn(usize) -> String) -> String {
        let variables: Vec<Var> = (0..self.coefficients.len()).map(Var::at).collect();
        self.of(&variables).display(&|variable| name(variable.index()))
    }
}

/// Why an edge cannot be taken for ever, or does no harm to those that cannot.
/// In each case `f` is the first function of the component, at the edge's ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeProof {
    /// `f(post) <= f(pre)`.
    NonIncreasing(Farkas),
    /// `f(post) <= f(pre) - 1` and `f(pre) >= 0`.
    Decreasing {
        /// Proof of the decrease.
        decrease: Farkas,
        /// Proof of the bound.
        bound: Farkas,
    },
    /// `f(post) <= f(pre)` and `f(pre) >= 0`.
    Bounded {
        /// Proof that it does not grow.
        growth: Farkas,
        /// Proof of the bound.
        bound: Farkas,
    },
    /// `f(post) <= f(pre) - 1`, where no fair cycle avoids the edges on which `f` is bounded.
    Falling(Farkas),
    /// A nested ranking function `f1, ..., fd` (Ben-Amram and Genaim, CAV 2017):
    /// `f1(pre) - f1(post) >= 1`, `f_i(pre) - f_i(post) + f_(i-1)(pre) >= 1`
    /// for the others, and `fd(pre) >= 0`.
    Nested {
        /// Proofs of the decreases, in order.
        decreases: Vec<Farkas>,
        /// Proof of the bound.
        bound: Farkas,
    },
}

/// One component of a lexicographic argument: functions at some locations, and
/// a proof for each edge on a cycle among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Component {
    /// The functions, by location; more than one only for nested arguments.
    pub functions: BTreeMap<usize, Vec<AffineFunction>>,
    /// The proofs, by position of the edge in the system.
    pub proofs: BTreeMap<usize, EdgeProof>,
}

impl Component {
    /// The edges that no infinite path takes infinitely often.
    pub fn strict_edges(&self) -> impl Iterator<Item = usize> + '_ {
        let is_strict = |proof: &EdgeProof| {
            !matches!(proof, EdgeProof::NonIncreasing(_) | EdgeProof::Bounded { .. })
        };
        self.proofs.iter().filter(move |(_, proof)| is_strict(proof)).map(|(edge, _)| *edge)
    }

    /// The functions as a person writes them, a line per location: `name`
    /// tells the names of the values at a location.
    #[must_use]
    pub fn display(&self, name: &impl Fn(usize, usize) -> String) -> Vec<(usize, String)> {
        let text = |location: usize, functions: &[AffineFunction]| {
            let shown: Vec<String> = functions
                .iter()
                .map(|function| function.display(&|position| name(location, position)))
                .collect();
            if shown.len() == 1 { shown.concat() } else { format!("<{}>", shown.join(", ")) }
        };
        self.functions.iter().map(|(location, fs)| (*location, text(*location, fs))).collect()
    }
}

/// A proof that no path of a system is infinite.
///
/// The components are used one after the other: each removes its strict edges,
/// and in the end no cycle is left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The components, most significant first.
    pub components: Vec<Component>,
    /// For what the components leave: cutpoints that no path passes for ever, one
    /// after the other. Without the edges from these no cycle is left.
    pub invariants: Vec<invariant::TransitionInvariant>,
}

impl Certificate {
    /// A certificate by components alone.
    #[must_use]
    pub fn of(components: Vec<Component>) -> Self {
        Self { components, invariants: Vec::new() }
    }
}

/// An affine function that ranks one relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The function, of `pre` or `post` by position.
    pub function: AffineFunction,
    /// Proof that `f(post) <= f(pre) - 1`.
    pub decrease: Farkas,
    /// Proof that `f(pre) >= 0`.
    pub bound: Farkas,
}
