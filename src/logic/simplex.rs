//! Exact decisions about conjunctions of linear constraints.
//!
//! Equalities are eliminated first (Gauss, with the divisor test on integers),
//! inequalities in what is left are tightened to integers, and the rational
//! simplex decides the rest. So "unsatisfiable" holds over the integers, while
//! "satisfiable" means only that no contradiction was found; hence the names
//! `surely_...`.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::Var;
use super::connected::parts;
use super::equalities::{Added, Equalities};
use super::farkas::{Combination, Farkas, Refutation};
use super::linear::{Constraint, LinearExpr, Relation};
use super::number::{Integer, Rational};
use super::tableau::{Feasibility, Greatest, Stopped, Tableau};

/// Whether the constraints surely have no common integer solution.
#[must_use]
pub fn is_surely_unsat(constraints: &[Constraint]) -> bool {
    match solve_equalities(constraints) {
        Some((_, inequalities)) => inequalities_surely_unsat(&references(&inequalities)),
        None => true,
    }
}

/// Whether every integer solution of the premises surely satisfies `conclusion`.
#[must_use]
pub fn is_surely_entailed(premises: &[Constraint], conclusion: &Constraint) -> bool {
    if conclusion.is_trivial() {
        return true;
    }
    Premises::new(premises).surely_entail(conclusion)
}

/// Constraints of which many questions are asked: their equalities are solved once, and a
/// question is about what is connected with it.
pub struct Premises {
    /// Nothing where a contradiction is visible.
    solved: Option<Solved>,
}

struct Solved {
    equalities: Equalities,
    inequalities: Vec<LinearExpr>,
    /// The parts of the inequalities that share no variables.
    parts: Vec<Part>,
}

struct Part {
    members: Vec<usize>,
    is_surely_unsat: OnceCell<bool>,
}

impl Premises {
    /// Prepares for questions about the constraints.
    #[must_use]
    pub fn new(constraints: &[Constraint]) -> Self {
        let solved = solve_equalities(constraints).map(|(equalities, inequalities)| {
            let parts = parts(&references(&inequalities)).into_iter();
            let parts = parts.map(|members| Part { members, is_surely_unsat: OnceCell::new() });
            Solved { equalities, parts: parts.collect(), inequalities }
        });
        Self { solved }
    }

    /// Whether every integer solution surely satisfies `conclusion`.
    #[must_use]
    pub fn surely_entail(&self, conclusion: &Constraint) -> bool {
        let Some(solved) = &self.solved else { return true };
        conclusion.is_trivial()
            || conclusion.inequalities().iter().all(|part| {
                part.negate().is_some_and(|negation| {
                    let reduced = solved.equalities.reduce(negation.expr()).0;
                    solved.refute(&Constraint::at_most_zero(reduced))
                })
            })
    }
}

impl Solved {
    /// Whether one more inequality is surely in contradiction with these. The parts that share
    /// no variable with it are the same for all questions.
    fn refute(&self, extra: &Constraint) -> bool {
        let exprs = &self.inequalities;
        if extra.is_contradiction() || exprs.iter().any(|it| is_refuted_by(it, extra.expr())) {
            return true;
        }
        let asked: Vec<Var> = extra.expr().variables().collect();
        let is_connected = |part: &Part| {
            let mut members = part.members.iter();
            members.any(|it| exprs[*it].variables().any(|v| asked.binary_search(&v).is_ok()))
        };
        let (connected, others): (Vec<&Part>, Vec<&Part>) =
            self.parts.iter().partition(|part| is_connected(part));
        let mut members: Vec<usize> =
            connected.iter().flat_map(|it| &it.members).copied().collect();
        members.sort_unstable();
        let about = members.iter().map(|it| &exprs[*it]).chain([extra.expr()]).collect::<Vec<_>>();
        inequalities_surely_unsat(&about) || others.iter().any(|part| self.is_surely_unsat(part))
    }

    fn is_surely_unsat(&self, part: &Part) -> bool {
        *part.is_surely_unsat.get_or_init(|| {
            let own: Vec<&LinearExpr> =
                part.members.iter().map(|it| &self.inequalities[*it]).collect();
            inequalities_surely_unsat(&own)
        })
    }
}

/// Whether `exprs <= 0` surely have no common integer solution.
pub fn inequalities_surely_unsat(exprs: &[&LinearExpr]) -> bool {
    matches!(decide(exprs), Ok(Feasibility::Infeasible(_)))
}

/// Whether the inequalities `exprs <= 0` are surely in contradiction with one
/// more inequality.
pub fn inequalities_refute(exprs: &[&LinearExpr], extra: &Constraint) -> bool {
    if extra.is_contradiction() {
        return true;
    }
    if exprs.iter().any(|premise| is_refuted_by(premise, extra.expr())) {
        return true;
    }
    let mut all = exprs.to_vec();
    all.push(extra.expr());
    inequalities_surely_unsat(&all)
}

/// Whether the sum of the two expressions is a positive constant, so that not
/// both can be at most 0.
fn is_refuted_by(left: &LinearExpr, right: &LinearExpr) -> bool {
    left.is_opposed_to(right) && (left.constant_part() + right.constant_part()).is_positive()
}

/// The equalities in solved form and the other constraints, tightened, without
/// the solved variables; nothing when a contradiction is visible.
fn solve_equalities(constraints: &[Constraint]) -> Option<(Equalities, Vec<LinearExpr>)> {
    let mut equalities = Equalities::default();
    for constraint in constraints.iter().filter(|c| c.is_equality()) {
        if let Added::Contradiction(_) = equalities.add(constraint.expr()) {
            return None;
        }
    }
    let mut inequalities = Vec::with_capacity(constraints.len() + 1);
    for constraint in constraints.iter().filter(|c| !c.is_equality()) {
        let reduced = Constraint::at_most_zero(equalities.reduce(constraint.expr()).0);
        if reduced.is_contradiction() {
            return None;
        }
        if !reduced.is_trivial() {
            inequalities.push(reduced.into_expr());
        }
    }
    Some((equalities, inequalities))
}

/// Decides `exprs <= 0` over the rationals: each part by itself.
fn decide(exprs: &[&LinearExpr]) -> Result<Feasibility, Stopped> {
    if holds_at_zero(exprs) {
        return Ok(Feasibility::Feasible);
    }
    let mut answer = Ok(Feasibility::Feasible);
    for part in parts(exprs) {
        let own: Vec<&LinearExpr> = part.iter().map(|position| exprs[*position]).collect();
        match decide_part(&own) {
            Ok(Feasibility::Infeasible(multipliers)) => {
                let whole = multipliers.into_iter().map(|(own, it)| (part[own], it));
                return Ok(Feasibility::Infeasible(whole.collect()));
            }
            Ok(Feasibility::Feasible) => {}
            Err(stopped) => answer = Err(stopped),
        }
    }
    answer
}

fn holds_at_zero(exprs: &[&LinearExpr]) -> bool {
    exprs.iter().all(|expr| !expr.constant_part().is_positive())
}

/// Decides `exprs <= 0` over the rationals, in words if possible.
fn decide_part(exprs: &[&LinearExpr]) -> Result<Feasibility, Stopped> {
    if holds_at_zero(exprs) {
        return Ok(Feasibility::Feasible);
    }
    let variables = variables_of(exprs);
    match Tableau::<i128>::new(exprs, &variables).and_then(Tableau::decide) {
        Err(Stopped::Overflow) => Tableau::<Integer>::new(exprs, &variables)?.decide(),
        answer => answer,
    }
}

fn references(exprs: &[LinearExpr]) -> Vec<&LinearExpr> {
    exprs.iter().collect()
}

/// The variables that occur, in increasing order.
fn variables_of(exprs: &[&LinearExpr]) -> Vec<Var> {
    let mut variables: Vec<Var> = exprs.iter().flat_map(|expr| expr.variables()).collect();
    variables.sort_unstable();
    variables.dedup();
    variables
}

/// A proof that the constraints have no common integer solution, to be checked
/// with [`Farkas::check`] against [`Constraint::contradiction`]. Nothing when
/// none was found.
#[must_use]
pub fn surely_unsat(constraints: &[Constraint]) -> Option<Farkas> {
    surely_entails(constraints, &Constraint::contradiction())
}

/// A proof that every integer solution of the premises satisfies `conclusion`.
/// Nothing when none was found.
#[must_use]
pub fn surely_entails(premises: &[Constraint], conclusion: &Constraint) -> Option<Farkas> {
    if conclusion.is_trivial() {
        return Some(Farkas::default());
    }
    let parts = conclusion.inequalities();
    let mut refutations = Vec::with_capacity(parts.len());
    for part in parts {
        let mut lines = premises.to_vec();
        lines.push(part.negate()?);
        refutations.push(refute(&lines)?);
    }
    Some(Farkas { refutations })
}

/// An inequality in which the coefficients of tag variables tell from which
/// lines it was combined.
struct Derived {
    /// The tightened inequality, without tags.
    expr: LinearExpr,
    /// The lines with multipliers whose sum is `divisor` times the inequality
    /// before tightening.
    origin: Combination,
    divisor: Integer,
    /// Whether rounding the constant made it stronger than its origin.
    rounded: bool,
}

/// Refutes the lines. Each line `e` becomes `e + tag`, so that elimination
/// leaves the multipliers behind as coefficients of the tags.
fn refute(lines: &[Constraint]) -> Option<Refutation> {
    let largest = lines.iter().filter_map(|line| line.expr().variables().last()).max();
    let first_tag = largest.map_or(0, |variable| variable.0.saturating_add(1));
    let tagged = |position: usize| {
        let tag = u32::try_from(position).ok().and_then(|p| first_tag.checked_add(p));
        Some(lines[position].expr() + LinearExpr::var(Var(tag?)))
    };
    let first_tag = Var(first_tag);
    let mut equalities = Equalities::with_tags(first_tag);
    for position in (0..lines.len()).filter(|p| lines[*p].is_equality()) {
        if let Added::Contradiction(expr) = equalities.add(&tagged(position)?) {
            return Some(divisor_contradiction(&expr, first_tag, lines.len()));
        }
    }
    let mut derived = Vec::new();
    for position in (0..lines.len()).filter(|p| !lines[*p].is_equality()) {
        derived.push(derive(&equalities.reduce(&tagged(position)?).0, first_tag));
    }
    let exprs: Vec<&LinearExpr> = derived.iter().map(|line| &line.expr).collect();
    match decide(&exprs) {
        Ok(Feasibility::Infeasible(multipliers)) => {
            Some(combine(&derived, &multipliers, lines.len()))
        }
        _ => None,
    }
}

/// Splits an expression with tags into what it says and where it is from.
fn split_tags(expr: &LinearExpr, first_tag: Var) -> (LinearExpr, Combination) {
    let (own, tags): (Vec<_>, Vec<_>) =
        expr.terms().iter().cloned().partition(|(variable, _)| *variable < first_tag);
    let position = |tag: Var| (tag.0 - first_tag.0) as usize;
    let origin = tags.into_iter().map(|(tag, multiplier)| (position(tag), multiplier)).collect();
    (LinearExpr::from_terms(own, expr.constant_part()), Combination(origin))
}

/// A sum of equalities whose coefficients have a divisor that its constant has
/// not: the cut alone is already a contradiction.
fn divisor_contradiction(expr: &LinearExpr, first_tag: Var, n_lines: usize) -> Refutation {
    let (_, origin) = split_tags(expr, first_tag);
    Refutation { cuts: vec![origin], last: Combination(vec![(n_lines, Integer::ONE)]) }
}

fn derive(expr: &LinearExpr, first_tag: Var) -> Derived {
    let (own, origin) = split_tags(expr, first_tag);
    let content = own.content();
    if content.is_zero() {
        return Derived { expr: own, origin, divisor: Integer::ONE, rounded: false };
    }
    let rounded = !content.divides(own.constant_part());
    let expr = Constraint::new(Relation::AtMost, own).expr().clone();
    Derived { expr, origin, divisor: content, rounded }
}

/// The refutation that adds the derived inequalities with these multipliers.
fn combine(derived: &[Derived], multipliers: &[(usize, Integer)], n_lines: usize) -> Refutation {
    let mut common = Integer::ONE;
    for (position, _) in multipliers {
        common = common.lcm(&derived[*position].divisor);
    }
    let mut cuts = Vec::new();
    let mut totals = vec![Integer::ZERO; n_lines];
    let mut from_cuts = Vec::new();
    for (position, multiplier) in multipliers {
        let line = &derived[*position];
        if line.rounded {
            from_cuts.push((n_lines + cuts.len(), multiplier * &common));
            cuts.push(line.origin.clone());
            continue;
        }
        let factor = multiplier * common.div_exact(&line.divisor);
        for (origin, own) in &line.origin.0 {
            totals[*origin] += own * &factor;
        }
    }
    let direct = totals.into_iter().enumerate().filter(|(_, total)| !total.is_zero());
    Refutation { cuts, last: Combination(direct.chain(from_cuts).collect()) }
}

/// The greatest or least value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// The exact value over the rational solutions.
    Bounded(Rational),
    /// There is no bound over the rationals.
    Unbounded,
    /// There are surely no integer solutions.
    Infeasible,
    /// The pivot limit was reached.
    Unknown,
}

impl Optimum {
    /// The value, when there is one.
    #[must_use]
    pub fn value(&self) -> Option<&Rational> {
        match self {
            Self::Bounded(value) => Some(value),
            Self::Unbounded | Self::Infeasible | Self::Unknown => None,
        }
    }
}

/// The greatest value of `objective` under the constraints.
#[must_use]
pub fn maximize(constraints: &[Constraint], objective: &LinearExpr) -> Optimum {
    Optimizer::new(constraints).maximize(objective)
}

/// The least value of `objective` under the constraints.
#[must_use]
pub fn minimize(constraints: &[Constraint], objective: &LinearExpr) -> Optimum {
    Optimizer::new(constraints).minimize(objective)
}

/// Answers many questions about the same constraints: it keeps a feasible
/// dictionary from one to the next.
pub struct Optimizer {
    equalities: Equalities,
    inequalities: Vec<LinearExpr>,
    variables: Vec<Var>,
    state: State,
}

/// The dictionary, in the numbers that it needs.
enum State {
    Infeasible,
    Unknown,
    Words(Tableau<i128>),
    Unbounded(Tableau<Integer>),
}

impl Optimizer {
    /// Prepares for questions about the constraints.
    #[must_use]
    pub fn new(constraints: &[Constraint]) -> Self {
        match solve_equalities(constraints) {
            Some((equalities, inequalities)) => Self::of_solved(equalities, inequalities),
            None => Self {
                equalities: Equalities::default(),
                inequalities: Vec::new(),
                variables: Vec::new(),
                state: State::Infeasible,
            },
        }
    }

    /// Prepares for inequalities that do not mention the solved variables.
    pub fn of_solved(equalities: Equalities, inequalities: Vec<LinearExpr>) -> Self {
        let exprs = references(&inequalities);
        let variables = variables_of(&exprs);
        let words = Tableau::<i128>::new(&exprs, &variables)
            .and_then(|mut tableau| Ok((tableau.prepare()?, tableau)));
        let state = match words {
            Ok((Feasibility::Feasible, tableau)) => State::Words(tableau),
            Ok((Feasibility::Infeasible(_), _)) => State::Infeasible,
            Err(Stopped::Pivots) => State::Unknown,
            Err(Stopped::Overflow) => Self::unbounded_state(&inequalities, &variables),
        };
        Self { equalities, inequalities, variables, state }
    }

    fn unbounded_state(inequalities: &[LinearExpr], variables: &[Var]) -> State {
        let big = Tableau::<Integer>::new(&references(inequalities), variables)
            .and_then(|mut tableau| Ok((tableau.prepare()?, tableau)));
        match big {
            Ok((Feasibility::Feasible, tableau)) => State::Unbounded(tableau),
            Ok((Feasibility::Infeasible(_), _)) => State::Infeasible,
            Err(_) => State::Unknown,
        }
    }

    /// Whether the constraints surely have no integer solution.
    #[must_use]
    pub fn is_infeasible(&self) -> bool {
        matches!(self.state, State::Infeasible)
    }

    /// The greatest value of `objective`.
    #[must_use]
    pub fn maximize(&mut self, objective: &LinearExpr) -> Optimum {
        if self.is_infeasible() {
            return Optimum::Infeasible;
        }
        let (reduced, scale) = self.equalities.reduce(objective);
        if let Some(value) = reduced.as_constant() {
            return Rational::new(value, scale).map_or(Optimum::Unknown, Optimum::Bounded);
        }
        if reduced.variables().any(|v| self.variables.binary_search(&v).is_err()) {
            return match self.state {
                State::Unknown => Optimum::Unknown,
                _ => Optimum::Unbounded,
            };
        }
        match self.greatest(&reduced) {
            Ok(Greatest::Bounded(value)) => {
                value.checked_div(&Rational::from(scale)).map_or(Optimum::Unknown, Optimum::Bounded)
            }
            Ok(Greatest::Unbounded) => Optimum::Unbounded,
            Err(_) => Optimum::Unknown,
        }
    }

    /// The least value of `objective`.
    #[must_use]
    pub fn minimize(&mut self, objective: &LinearExpr) -> Optimum {
        match self.maximize(&objective.neg()) {
            Optimum::Bounded(value) => Optimum::Bounded(-value),
            other => other,
        }
    }

    /// The greatest integer value that `objective` can have, if it is bounded.
    #[must_use]
    pub fn integer_upper_bound(&mut self, objective: &LinearExpr) -> Option<Integer> {
        self.maximize(objective).value().map(Rational::floor)
    }

    /// A rational solution of the constraints: the one where the last question
    /// was answered, if its answer was bounded. Variables that are missing are 0.
    #[must_use]
    pub fn vertex(&self) -> BTreeMap<Var, Rational> {
        let mut point: BTreeMap<Var, Rational> = match &self.state {
            State::Words(tableau) => tableau.vertex(&self.variables).collect(),
            State::Unbounded(tableau) => tableau.vertex(&self.variables).collect(),
            State::Infeasible | State::Unknown => BTreeMap::new(),
        };
        let mut defined = Vec::new();
        for (pivot, expr) in self.equalities.rows() {
            let coefficient = Rational::from(expr.coefficient(pivot));
            let known = |v: Var| point.get(&v).cloned().unwrap_or_default();
            let rest = expr.evaluate(|v| if v == pivot { Rational::ZERO } else { known(v) });
            defined.extend((-rest).checked_div(&coefficient).map(|value| (pivot, value)));
        }
        point.extend(defined);
        point
    }

    /// Whether the inequality at `position` is surely satisfiable strictly over
    /// the rationals; judged by the current vertex only.
    pub fn is_slack(&self, position: usize) -> bool {
        match &self.state {
            State::Words(tableau) => tableau.is_slack(position),
            State::Unbounded(tableau) => tableau.is_slack(position),
            State::Infeasible | State::Unknown => false,
        }
    }

    /// Climbs in words; where they overflow, starts again in unbounded numbers.
    fn greatest(&mut self, objective: &LinearExpr) -> Result<Greatest, Stopped> {
        if let State::Words(tableau) = &mut self.state {
            match tableau.maximize(objective, &self.variables) {
                Err(Stopped::Overflow) => {
                    self.state = Self::unbounded_state(&self.inequalities, &self.variables);
                }
                answer => return answer,
            }
        }
        match &mut self.state {
            State::Unbounded(tableau) => tableau.maximize(objective, &self.variables),
            State::Words(_) | State::Infeasible | State::Unknown => Err(Stopped::Pivots),
        }
    }
}

#[cfg(test)]
#[path = "simplex_tests.rs"]
mod tests;
