//! What the templates share: unknown functions at locations, and the exact
//! proof that functions found somehow do what they should.

use std::collections::{BTreeMap, BTreeSet};

use super::farkas_lp::{Assignment, Bound, Premises, Program, Search, Template, Unknown};
use descent::{AffineFunction, Component, Edge, EdgeProof, System};
use logic::simplex::{Optimum, minimize, surely_entails};
use logic::{Constraint, Integer, LinearExpr, Rational, Var};
use numeric::Polyhedron;

/// How the constraints of edges are read by a search.
#[derive(Clone, Copy)]
pub(super) enum Reading {
    /// As polyhedra.
    Solved,
    /// As they are.
    Literal,
}

/// A system whose edges are also polyhedra.
pub(super) struct Prepared<'a> {
    pub(super) system: &'a System,
    pub(super) polyhedra: Vec<Polyhedron>,
}

impl<'a> Prepared<'a> {
    /// Nothing for a system that is not well-formed.
    pub(super) fn new(system: &'a System) -> Option<Self> {
        if !system.is_well_formed() {
            return None;
        }
        let of = |edge: &Edge| Polyhedron::of(edge.relation.constraints.iter().cloned());
        Some(Self { system, polyhedra: system.edges.iter().map(of).collect() })
    }

    /// Searches with the edges as polyhedra; where that leads to functions that
    /// have no proof, because they need the constants that polyhedra tighten,
    /// with the constraints as they are.
    pub(super) fn search<T>(&self, with: impl Fn(Reading) -> Search<T>) -> Option<T> {
        match with(Reading::Solved) {
            Search::Found(found) => return Some(found),
            Search::Nothing => return None,
            Search::Unproved => {}
        }
        match with(Reading::Literal) {
            Search::Found(found) => Some(found),
            Search::Unproved | Search::Nothing => None,
        }
    }

    /// What holds along the edge.
    pub(super) fn premises(&self, reading: Reading, position: usize) -> Premises<'_> {
        match reading {
            Reading::Solved => Premises::Solved(&self.polyhedra[position]),
            Reading::Literal => Premises::Literal(&self.edge(position).relation.constraints),
        }
    }

    pub(super) fn edge(&self, position: usize) -> &'a Edge {
        &self.system.edges[position]
    }

    /// The edges on cycles among `edges`, a list per component.
    pub(super) fn cycles(&self, edges: &[usize]) -> Vec<Vec<usize>> {
        self.system.cycles(edges)
    }

    /// What a linear program about the edges costs: its size grows with their
    /// constraints, and its work with the square of that.
    pub(super) fn cost(&self, edges: &[usize]) -> u64 {
        let sizes = edges.iter().map(|edge| 1 + self.polyhedra[*edge].constraints().len());
        let size = sizes.sum::<usize>() as u64;
        1 + size.saturating_mul(size) / 16
    }

    /// The locations that the edges touch, in order.
    pub(super) fn locations(&self, edges: &[usize]) -> Vec<usize> {
        let ends = edges.iter().flat_map(|e| [self.edge(*e).from, self.edge(*e).to]);
        let mut locations: Vec<usize> = ends.collect();
        locations.sort_unstable();
        locations.dedup();
        locations
    }
}

/// The unknowns of one affine function per location.
pub(super) struct UnknownFunctions(BTreeMap<usize, (Vec<Var>, Var)>);

impl UnknownFunctions {
    pub(super) fn new(program: &mut Program, prepared: &Prepared<'_>, locations: &[usize]) -> Self {
        let mut functions = BTreeMap::new();
        for location in locations {
            let arity = prepared.system.arities[*location];
            let coefficients = (0..arity).map(|_| program.unknown(Unknown::Coefficient)).collect();
            let constant = program.unknown(Unknown::Constant);
            functions.insert(*location, (coefficients, constant));
        }
        Self(functions)
    }

    /// Adds `factor * f(variables)` at the location to a template.
    pub(super) fn add_to(
        &self,
        template: &mut Template,
        factor: i64,
        location: usize,
        variables: &[Var],
    ) {
        let Some((coefficients, constant)) = self.0.get(&location) else { return };
        let terms = coefficients.iter().zip(variables);
        let exprs = terms.map(|(unknown, v)| (*unknown, LinearExpr::term(*v, factor)));
        let constant = (*constant, LinearExpr::constant(factor));
        for (unknown, expr) in exprs.chain(std::iter::once(constant)) {
            match template.iter_mut().find(|(known, _)| *known == unknown) {
                Some((_, sum)) => *sum = &*sum + expr,
                None => template.push((unknown, expr)),
            }
        }
    }

    /// `f(post) - f(pre)` along the edge.
    pub(super) fn growth(&self, edge: &Edge) -> Template {
        let mut template = Template::new();
        self.add_to(&mut template, 1, edge.to, &edge.relation.post);
        self.add_to(&mut template, -1, edge.from, &edge.relation.pre);
        template
    }

    /// `-f(pre)` along the edge.
    pub(super) fn depth_below_zero(&self, edge: &Edge) -> Template {
        let mut template = Template::new();
        self.add_to(&mut template, -1, edge.from, &edge.relation.pre);
        template
    }

    /// The functions that are 0 everywhere.
    fn zero(&self) -> BTreeMap<usize, AffineFunction> {
        let function = |arity: usize| AffineFunction {
            coefficients: vec![Integer::ZERO; arity],
            constant: Integer::ZERO,
        };
        self.0.iter().map(|(location, (cs, _))| (*location, function(cs.len()))).collect()
    }

    /// The rational values of the functions' coefficients and constants.
    fn values<'a>(&'a self, assignment: &'a Assignment) -> impl Iterator<Item = &'a Rational> {
        let unknowns = self.0.values().flat_map(|(cs, constant)| cs.iter().chain([constant]));
        unknowns.map(|unknown| &assignment[unknown.index()])
    }

    /// The functions of an assignment, times `scale`.
    fn scaled(&self, assignment: &Assignment, scale: &Rational) -> BTreeMap<usize, AffineFunction> {
        let value = |unknown: &Var| (&assignment[unknown.index()] * scale).floor();
        let function = |(coefficients, constant): &(Vec<Var>, Var)| AffineFunction {
            coefficients: coefficients.iter().map(value).collect(),
            constant: value(constant),
        };
        self.0.iter().map(|(location, unknowns)| (*location, function(unknowns))).collect()
    }
}

/// The functions of an assignment, scaled to the smallest integers, all by the
/// same factor.
pub(super) fn integer_functions(
    unknowns: &[UnknownFunctions],
    assignment: &Assignment,
) -> Option<Vec<BTreeMap<usize, AffineFunction>>> {
    let values = || unknowns.iter().flat_map(|functions| functions.values(assignment));
    let denominator = values().fold(Integer::ONE, |all, v| all.lcm(v.denominator()));
    let divisor = values().fold(Integer::ZERO, |all, v| {
        all.gcd(&(v.numerator() * denominator.div_exact(v.denominator())))
    });
    let scale = Rational::new(denominator, divisor)?;
    Some(unknowns.iter().map(|functions| functions.scaled(assignment, &scale)).collect())
}

/// Proves exactly which of the edges the functions decrease on; nothing when
/// one increases or none decreases. The functions may be shifted by a common
/// constant, so that they are not negative where they decrease.
pub(super) fn certify(
    prepared: &Prepared<'_>,
    edges: &[usize],
    mut functions: BTreeMap<usize, AffineFunction>,
) -> Option<Component> {
    let mut component = Component::default();
    let mut decreasing = Vec::new();
    let mut shift: Option<Integer> = None;
    for position in edges {
        let edge = prepared.edge(*position);
        let growth = growth(edge, &functions)?;
        let premises = &edge.relation.constraints;
        if let Some(decrease) = surely_entails(premises, &Constraint::le(&growth, -1)) {
            let start = functions.get(&edge.from)?.of(&edge.relation.pre);
            match minimize(premises, &start) {
                Optimum::Bounded(least) => {
                    let least = least.ceil();
                    shift = Some(shift.map_or(least.clone(), |other| other.min(least)));
                    decreasing.push((*position, decrease));
                    continue;
                }
                Optimum::Infeasible => {
                    decreasing.push((*position, decrease));
                    continue;
                }
                Optimum::Unbounded | Optimum::Unknown => {}
            }
        }
        let proof = surely_entails(premises, &Constraint::le(&growth, 0))?;
        component.proofs.insert(*position, EdgeProof::NonIncreasing(proof));
    }
    let shift = shift.unwrap_or_default();
    for function in functions.values_mut() {
        function.constant = &function.constant - &shift;
    }
    for (position, decrease) in decreasing {
        let edge = prepared.edge(position);
        let start = functions.get(&edge.from)?.of(&edge.relation.pre);
        let premises = &edge.relation.constraints;
        let proof = match surely_entails(premises, &Constraint::ge(start, 0)) {
            Some(bound) => EdgeProof::Decreasing { decrease, bound },
            None => {
                let weaker = Constraint::le(growth(edge, &functions)?, 0);
                EdgeProof::NonIncreasing(surely_entails(premises, &weaker)?)
            }
        };
        component.proofs.insert(position, proof);
    }
    component.functions = functions.into_iter().map(|(l, f)| (l, vec![f])).collect();
    let is_useful = component.strict_edges().next().is_some();
    is_useful.then_some(component)
}

/// Proves exactly which of the edges the functions fall on, and that they are bounded on those of
/// the cut, where they are shifted to 0; nothing when one increases or none falls.
fn certify_below(
    prepared: &Prepared<'_>,
    edges: &[usize],
    mut functions: BTreeMap<usize, AffineFunction>,
    cut: &BTreeSet<usize>,
) -> Option<Component> {
    let start = |edge: &Edge, functions: &BTreeMap<usize, AffineFunction>| {
        Some(functions.get(&edge.from)?.of(&edge.relation.pre))
    };
    let mut shift: Option<Integer> = None;
    for position in edges.iter().filter(|position| cut.contains(position)) {
        let edge = prepared.edge(*position);
        match minimize(&edge.relation.constraints, &start(edge, &functions)?) {
            Optimum::Bounded(least) => {
                let least = least.ceil();
                shift = Some(shift.map_or(least.clone(), |other| other.min(least)));
            }
            Optimum::Infeasible => {}
            Optimum::Unbounded | Optimum::Unknown => return None,
        }
    }
    let shift = shift.unwrap_or_default();
    for function in functions.values_mut() {
        function.constant = &function.constant - &shift;
    }
    let mut component = Component::default();
    for position in edges {
        let edge = prepared.edge(*position);
        let premises = &edge.relation.constraints;
        let growth = growth(edge, &functions)?;
        let fall = surely_entails(premises, &Constraint::le(&growth, -1));
        let keep = || surely_entails(premises, &Constraint::le(&growth, 0));
        let proof = if cut.contains(position) {
            let bound = surely_entails(premises, &Constraint::ge(start(edge, &functions)?, 0))?;
            match fall {
                Some(decrease) => EdgeProof::Decreasing { decrease, bound },
                None => EdgeProof::Bounded { growth: keep()?, bound },
            }
        } else {
            fall.map(EdgeProof::Falling).or_else(|| keep().map(EdgeProof::NonIncreasing))?
        };
        component.proofs.insert(*position, proof);
    }
    component.functions = functions.into_iter().map(|(l, f)| (l, vec![f])).collect();
    let is_useful = component.strict_edges().next().is_some();
    is_useful.then_some(component)
}

/// `f(post) - f(pre)` along the edge.
fn growth(edge: &Edge, functions: &BTreeMap<usize, AffineFunction>) -> Option<LinearExpr> {
    let after = functions.get(&edge.to)?.of(&edge.relation.post);
    Some(after - functions.get(&edge.from)?.of(&edge.relation.pre))
}

/// Which edges must be bounded from below in [`one_component`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim<'a> {
    /// All of them; as many as possible decrease.
    Every,
    /// Just this one, which decreases.
    Only(usize),
    /// These, which every fair cycle passes; as many edges as possible fall.
    Cut(&'a BTreeSet<usize>),
}

impl Aim<'_> {
    fn falls_on(self, edge: usize) -> bool {
        match self {
            Self::Every | Self::Cut(_) => true,
            Self::Only(aimed) => aimed == edge,
        }
    }

    fn bounds(self, edge: usize) -> bool {
        match self {
            Self::Every => true,
            Self::Only(aimed) => aimed == edge,
            Self::Cut(cut) => cut.contains(&edge),
        }
    }
}

/// Functions that increase on none of the edges and decrease, bounded, on some:
/// one step of Alias, Darte, Feautrier and Gonnord (SAS 2010, §3).
pub(super) fn one_component(
    prepared: &Prepared<'_>,
    edges: &[usize],
    aim: Aim<'_>,
) -> Option<Component> {
    prepared.search(|reading| {
        let mut program = Program::default();
        let locations = prepared.locations(edges);
        let unknowns = UnknownFunctions::new(&mut program, prepared, &locations);
        if edges.iter().all(|position| prepared.polyhedra[*position].is_empty()) {
            return certify(prepared, edges, unknowns.zero())
                .map_or(Search::Nothing, Search::Found);
        }
        for position in edges {
            if prepared.polyhedra[*position].is_empty() {
                continue;
            }
            let (edge, premises) =
                (prepared.edge(*position), prepared.premises(reading, *position));
            let mut growth = unknowns.growth(edge);
            if aim.falls_on(*position) {
                growth.push((program.unknown(Unknown::Gain), LinearExpr::constant(1_i64)));
            }
            if aim.bounds(*position) {
                program.require(premises, &unknowns.depth_below_zero(edge), Bound::Some);
            }
            program.require(premises, &growth, Bound::Zero);
        }
        let unknowns = [unknowns];
        program.solve(|assignment| {
            let functions = integer_functions(&unknowns, assignment)?.pop()?;
            match aim {
                Aim::Cut(cut) => certify_below(prepared, edges, functions, cut),
                Aim::Every | Aim::Only(_) => certify(prepared, edges, functions),
            }
        })
    })
}
