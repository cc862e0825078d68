//! What a certificate says about loops, as C expressions.
//!
//! Only what can be said with integer variables of the loop's own
//! function: heaps and depths are not C. Every arithmetic is done in `long long`, on
//! variables of 32 bits at most, so that the expressions cannot overflow.

use super::Location;
use super::story::span_of;
use base::graph::{Components, strongly_connected_components};
use descent::{Component, EdgeProof, System};
use evidence::certificate::Certificate;
use evidence::place::Site;
use heap::state::State;
use ir::cutpoint::CutSet;
use ir::expr::ScalarType;
use ir::liveness::Liveness;
use ir::{Program, Variable};
use logic::{Constraint, Integer, LinearExpr, Var};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// More cases than this are not told.
const MAX_CASES: usize = 4;
/// More parts of a case than this are not told.
const MAX_PARTS: usize = 8;
/// Larger coefficients and constants are not told.
const MAX_NUMBER: i64 = 1 << 40;
/// Larger coefficients of variables are not told.
const MAX_COEFFICIENT: i64 = 1 << 20;

/// A fact about a loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The loop.
    pub location: Location,
    /// The function it is in.
    pub function: String,
    /// What kind of fact.
    pub kind: ClaimKind,
    /// The fact as a C expression.
    pub value: String,
}

/// The kinds of facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimKind {
    /// It holds whenever the loop's head is reached.
    Invariant,
    /// It relates the state at the loop's head to every earlier one there; `\at(x,
    /// AnyPrev)` is the earlier value of `x`.
    Transition,
}

/// The facts about all loops that the certificate implies and that are C.
#[must_use]
pub fn claims(program: &Program, certificate: &Certificate) -> Vec<Claim> {
    let liveness = Liveness::of_program(program);
    let cycles = Cycles::of(certificate);
    let mut claims = Vec::new();
    for (site, nodes) in loops(program, certificate) {
        let terms = Terms { program, liveness: &liveness, site };
        let location = Location::of_span(span_of(program, site), &program.sources);
        if location.line.is_none() {
            continue;
        }
        let function = program.procedure(site.procedure).name.clone();
        let mut add = |kind, value: Option<String>| {
            let (location, function) = (location.clone(), function.clone());
            claims.extend(value.map(|value| Claim { location, function, kind, value }));
        };
        add(ClaimKind::Invariant, terms.invariant(certificate, &nodes));
        let descent = cycles.as_ref().and_then(|it| terms.transition(certificate, it, &nodes));
        add(ClaimKind::Transition, descent);
    }
    claims
}

/// The heads of loops that are reached, each with all nodes there, whoever called.
fn loops(program: &Program, certificate: &Certificate) -> BTreeMap<Site, Vec<usize>> {
    let cuts: Vec<CutSet> = program.procedures.iter().map(CutSet::of_procedure).collect();
    let mut loops: BTreeMap<Site, Vec<usize>> = BTreeMap::new();
    for (position, node) in certificate.nodes.iter().enumerate() {
        let Some(site) = node.place.site() else { continue };
        let is_head = site.command == 0
            && cuts.get(site.procedure.index()).is_some_and(|set| set.contains(site.block));
        if node.steps.is_some() && is_head && !node.place.is_entry() {
            loops.entry(site).or_default().push(position);
        }
    }
    loops
}

/// The strongly connected parts of the steps between abstract states.
struct Cycles {
    system: System,
    parts: Components,
    /// By part: the positions of the steps inside of it.
    inside: Vec<Vec<usize>>,
}

impl Cycles {
    /// Nothing where states are divided into cells.
    fn of(certificate: &Certificate) -> Option<Self> {
        if certificate.refinement.is_some() {
            return None;
        }
        let system = certificate.ranked_system()?;
        let mut successors = vec![Vec::new(); certificate.nodes.len()];
        for edge in &system.edges {
            successors.get_mut(edge.from)?.push(edge.to);
        }
        let parts = strongly_connected_components(&successors);
        let mut inside = vec![Vec::new(); parts.members.len()];
        for (position, edge) in system.edges.iter().enumerate() {
            if parts.of[edge.from] == parts.of[edge.to] {
                inside[parts.of[edge.from]].push(position);
            }
        }
        Some(Self { system, parts, inside })
    }

    /// Whether a component alone shows that no cycle of a part passes one of these nodes for
    /// ever.
    fn are_ranked(&self, nodes: &[usize], part: usize, component: &Component) -> bool {
        let proofs: Option<Vec<&EdgeProof>> =
            self.inside[part].iter().map(|position| component.proofs.get(position)).collect();
        let Some(proofs) = proofs else { return false };
        let local = |node: &usize| self.parts.members[part].binary_search(node).unwrap_or(0);
        let mut rest = vec![Vec::new(); self.parts.members[part].len()];
        for (position, proof) in self.inside[part].iter().zip(proofs) {
            match proof {
                EdgeProof::NonIncreasing(_) | EdgeProof::Bounded { .. } => {
                    let edge = &self.system.edges[*position];
                    rest[local(&edge.from)].push(local(&edge.to));
                }
                EdgeProof::Decreasing { .. } => {}
                EdgeProof::Falling(_) | EdgeProof::Nested { .. } => return false,
            }
        }
        let rest = strongly_connected_components(&rest);
        !nodes.iter().any(|node| rest.is_on_cycle(local(node)))
    }
}

/// The C terms at one loop.
struct Terms<'a> {
    program: &'a Program,
    liveness: &'a Liveness,
    site: Site,
}

impl Terms<'_> {
    /// A disjunction over the abstract states at the loop.
    fn invariant(&self, certificate: &Certificate, nodes: &[usize]) -> Option<String> {
        let mut cases = BTreeSet::new();
        for node in nodes {
            cases.insert(self.case(&certificate.nodes.get(*node)?.state)?);
        }
        if cases.is_empty() || cases.len() > MAX_CASES {
            return None;
        }
        let is_alone = cases.len() == 1;
        let cases: Vec<String> =
            cases.into_iter().map(|it| if is_alone { it } else { format!("({it})") }).collect();
        Some(cases.join(" || "))
    }

    /// What one abstract state says; nothing if that is nothing.
    fn case(&self, state: &State) -> Option<String> {
        let (variables, mut parts) = self.variables(state);
        for constraint in state.facts.numbers.constraints() {
            let names = |var: Var| variables.get(&var).cloned();
            if !is_of_type(constraint) {
                parts.extend(constraint_text(constraint, &names));
            }
        }
        // Two variables may be one value.
        parts.dedup();
        parts.truncate(MAX_PARTS);
        (!parts.is_empty()).then(|| parts.join(" && "))
    }

    /// The logical variables that C variables hold, and what else the store says.
    fn variables(&self, state: &State) -> (BTreeMap<Var, String>, Vec<String>) {
        let mut held: BTreeMap<Var, String> = BTreeMap::new();
        let mut parts = Vec::new();
        for (variable, value) in state.stores.iter().skip(1).next_back().into_iter().flatten() {
            let Some(text) = self.name(*variable) else { continue };
            if let Some(var) = value.as_var() {
                match held.get(&var) {
                    Some(other) => parts.push(format!("{other} == {text}")),
                    None => {
                        held.insert(var, text);
                    }
                }
            } else if let Some(number) = value.as_constant().and_then(small) {
                parts.push(format!("{text} == {number}LL"));
            }
        }
        (held, parts)
    }

    /// A C variable as an expression, if it is one that can be named at the loop: an
    /// integer of 32 bits at most that the loop needs, whose name means nothing else.
    fn name(&self, variable: Variable) -> Option<String> {
        let info = self.program.variable(variable);
        let procedure = self.site.procedure;
        let is_visible = match info.owner {
            // It may be a static variable of another function.
            None => false,
            Some(owner) if owner == procedure => {
                self.liveness.of(procedure).at_start(self.site.block).contains(variable)
            }
            Some(_) => false,
        };
        let is_alone = self.program.variables.iter().all(|other| {
            std::ptr::eq(other, info)
                || other.name != info.name
                || other.owner.is_some_and(|owner| owner != procedure)
        });
        let is_narrow = matches!(info.ty, ScalarType::Int(kind) if kind.bits <= 32);
        let is_plain = !info.name.is_empty()
            && info.name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        (is_visible && is_alone && is_narrow && is_plain).then(|| info.name.clone())
    }

    /// What decreases between any two visits of the loop.
    ///
    /// One component of the ranking must show it alone: on every edge that lies on a
    /// cycle with the loop its function does not increase, and every cycle through
    /// the loop has an edge on which it decreases and is not negative before. All
    /// visits must be in one strongly connected part, and no cell may be divided.
    fn transition(
        &self,
        certificate: &Certificate,
        cycles: &Cycles,
        nodes: &[usize],
    ) -> Option<String> {
        let parts = &cycles.parts;
        let part = *parts.of.get(*nodes.first()?)?;
        if !parts.cyclic[part] || nodes.iter().any(|node| parts.of[*node] != part) {
            return None;
        }
        certificate.ranking.components.iter().find_map(|component| {
            cycles.are_ranked(nodes, part, component).then_some(())?;
            let mut texts = nodes.iter().map(|node| {
                let function = component.functions.get(node)?.first()?;
                self.measure(&certificate.nodes[*node].state, function)
            });
            let first = texts.next()??;
            texts.all(|text| text.as_ref() == Some(&first)).then_some(())?;
            let [now, before] = first;
            Some(format!("{before} > {now} && {before} >= 0"))
        })
    }

    /// A ranking function now and at an earlier time.
    fn measure(&self, state: &State, function: &descent::AffineFunction) -> Option<[String; 2]> {
        let integers: Vec<Var> = state.vocabulary.of_kind(heap::state::Kind::Integer).collect();
        let expression = function.of(&integers);
        let (variables, _) = self.variables(state);
        let now = |var: Var| variables.get(&var).cloned();
        let before = |var: Var| now(var).map(|name| format!("\\at({name}, AnyPrev)"));
        let text = |name: &dyn Fn(Var) -> Option<String>| expression_text(&expression, name);
        (expression.as_constant().is_none()).then_some(())?;
        Some([text(&now)?, text(&before)?])
    }
}

fn small(number: &Integer) -> Option<i64> {
    number.to_i64().filter(|it| it.unsigned_abs() <= MAX_NUMBER.unsigned_abs())
}

/// Whether the constraint bounds one variable by what looks like the end of a type:
/// such facts are true but tell nothing.
fn is_of_type(constraint: &Constraint) -> bool {
    let expr = constraint.expr();
    let bound = expr.constant_part().to_i64().map_or(i64::MAX, i64::saturating_abs);
    let is_end = [bound, bound.saturating_add(1)].iter().any(|it| it.count_ones() == 1);
    expr.terms().len() == 1 && is_end && bound > 30_000
}

fn constraint_text(
    constraint: &Constraint,
    name: &dyn Fn(Var) -> Option<String>,
) -> Option<String> {
    let text = expression_text(constraint.expr(), name)?;
    let relation = if constraint.is_equality() { "==" } else { "<=" };
    Some(format!("{text} {relation} 0"))
}

/// A linear expression in `long long`; nothing if something in it has no name.
fn expression_text(expr: &LinearExpr, name: &dyn Fn(Var) -> Option<String>) -> Option<String> {
    let mut parts = Vec::new();
    for (variable, coefficient) in expr.terms() {
        let coefficient = small(coefficient).filter(|it| it.abs() <= MAX_COEFFICIENT)?;
        let name = name(*variable)?;
        parts.push(match coefficient {
            1 => format!("(long long){name}"),
            -1 => format!("-(long long){name}"),
            _ => format!("{coefficient}LL * {name}"),
        });
    }
    if parts.len() > MAX_PARTS {
        return None;
    }
    match small(expr.constant_part())? {
        0 if !parts.is_empty() => {}
        number => parts.push(format!("{number}LL")),
    }
    Some(parts.join(" + "))
}
