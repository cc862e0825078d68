//! Linear programs over the coefficients of unknown functions.
//!
//! Farkas' lemma: `t(z) <= 0` for all `z` of a non-empty polyhedron
//! `A z + b <= 0` exactly if `t(z) = λ (A z + b) - s` for some `λ, s >= 0`. With
//! `t` linear in unknown coefficients, comparing the coefficients of each `z`
//! gives linear constraints on the unknowns and the multipliers `λ`.
//!
//! Solutions of these programs are candidates only: the float solver is not
//! trusted, and the caller proves what it needs about the rounded functions.

use good_lp::{Expression, ProblemVariables, Solution as _, SolverModel as _, variable};

use logic::equalities::cancel;
use logic::simplex::Optimizer;
use logic::{Constraint, Integer, LinearExpr, Rational, Relation, Var};
use numeric::Polyhedron;
use std::collections::BTreeSet;

/// What an unknown of the program stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// A coefficient of a function; small ones are preferred.
    Coefficient,
    /// The constant of a function, or the multiplier of an equality.
    Constant,
    /// A Farkas multiplier, not negative.
    Multiplier,
    /// Between 0 and 1; the sum of the gains is to be as great as possible.
    Gain,
}

/// Whether the constant of an implication matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// `t(z) <= 0`.
    Zero,
    /// `t(z) <= c` for some constant `c`.
    Some,
}

/// What is known where a template must be at most 0.
#[derive(Clone, Copy)]
pub(super) enum Premises<'a> {
    /// A polyhedron: fewer unknowns, constants tightened to integers.
    Solved(&'a Polyhedron),
    /// The constraints as they are: rational reasoning finds here only what a
    /// Farkas proof from the same constraints can show.
    Literal(&'a [Constraint]),
}

/// How a search ended.
pub(super) enum Search<T> {
    /// With what the caller accepted.
    Found(T),
    /// With an exact solution that the caller did not accept.
    Unproved,
    /// Without a solution.
    Nothing,
}

/// The values of the unknowns.
pub(super) type Assignment = Vec<Rational>;

/// A linear program under construction. Unknowns are numbered as variables.
#[derive(Default)]
pub(super) struct Program {
    unknowns: Vec<Unknown>,
    constraints: Vec<Constraint>,
}

/// `sum of unknown * expr`, an expression whose coefficients are linear in the
/// unknowns.
pub(super) type Template = Vec<(Var, LinearExpr)>;

/// Float candidates are worth a try up to this many unknowns, and for
/// coefficients up to 2^30.
const MOST_FLOAT_UNKNOWNS: usize = 1_500;

/// The exact solver is asked up to this many unknowns.
const MOST_EXACT_UNKNOWNS: usize = 700;

/// Up to this many unknowns the float solver's "no" is not believed.
const MOST_DOUBTED_UNKNOWNS: usize = 250;

/// The weight of a gain against the size of the coefficients.
const GAIN_WEIGHT: f64 = 1_000.0;

/// Denominators that rounding may use.
const LARGEST_DENOMINATOR: i128 = 10_000;

impl Program {
    /// A new unknown.
    pub(super) fn unknown(&mut self, kind: Unknown) -> Var {
        self.unknowns.push(kind);
        Var::at(self.unknowns.len() - 1)
    }

    /// Requires the template to be at most 0 (or bounded) where the premises
    /// hold, which must be satisfiable for this to be complete.
    pub(super) fn require(&mut self, premises: Premises<'_>, template: &Template, bound: Bound) {
        match premises {
            Premises::Solved(polyhedron) => {
                let inequalities = polyhedron.inequalities().iter();
                let multipliers: Vec<(Var, &LinearExpr)> =
                    inequalities.map(|c| (self.unknown(Unknown::Multiplier), c.expr())).collect();
                self.relate(&solved(polyhedron, template), &multipliers, bound);
            }
            Premises::Literal(constraints) => {
                let kind = |c: &Constraint| match c.relation() {
                    Relation::Equal => Unknown::Constant,
                    Relation::AtMost => Unknown::Multiplier,
                };
                let multipliers: Vec<(Var, &LinearExpr)> =
                    constraints.iter().map(|c| (self.unknown(kind(c)), c.expr())).collect();
                self.relate(template, &multipliers, bound);
            }
        }
    }

    /// Compares the coefficients of the template with those of the sum of the
    /// multiplied expressions.
    fn relate(&mut self, template: &Template, multipliers: &[(Var, &LinearExpr)], bound: Bound) {
        let mut variables: Vec<Var> = template.iter().flat_map(|(_, e)| e.variables()).collect();
        variables.extend(multipliers.iter().flat_map(|(_, e)| e.variables()));
        variables.sort_unstable();
        variables.dedup();
        let collect = |part: &dyn Fn(&LinearExpr) -> Integer| {
            let positive = template.iter().map(|(unknown, expr)| (*unknown, part(expr)));
            let negative = multipliers.iter().map(|(unknown, expr)| (*unknown, -part(expr)));
            LinearExpr::from_terms(positive.chain(negative), 0_i64)
        };
        for variable in variables {
            let row = collect(&|expr| expr.coefficient(variable));
            self.constraints.push(Constraint::zero(row));
        }
        if bound == Bound::Zero {
            let row = collect(&|expr| expr.constant_part().clone());
            self.constraints.push(Constraint::at_most_zero(row));
        }
    }

    /// The first solution that the caller accepts: the rounded float one, else
    /// the exact one. For larger programs a float solution without any gain is
    /// believed, which can only lose a ranking.
    pub(super) fn solve<T>(&self, accept: impl Fn(&Assignment) -> Option<T>) -> Search<T> {
        let floats = self.solve_in_floats();
        let rounded = floats.as_deref().and_then(|values| self.rounded(values));
        if let Some(found) = rounded.as_ref().and_then(&accept) {
            return Search::Found(found);
        }
        let size = self.unknowns.len();
        let is_hopeless = floats.is_some_and(|values| self.gain(&values) < 1e-6);
        if size > MOST_EXACT_UNKNOWNS || (is_hopeless && size > MOST_DOUBTED_UNKNOWNS) {
            return Search::Nothing;
        }
        match self.solve_exactly() {
            Some(exact) => accept(&exact).map_or(Search::Unproved, Search::Found),
            None => Search::Nothing,
        }
    }

    fn gain(&self, values: &[f64]) -> f64 {
        let gains = self.unknowns.iter().zip(values).filter(|(kind, _)| **kind == Unknown::Gain);
        gains.map(|(_, value)| value).sum()
    }

    /// Fractions for what the caller will look at: the functions.
    fn rounded(&self, values: &[f64]) -> Option<Assignment> {
        let round = |(kind, value): (&Unknown, &f64)| match kind {
            Unknown::Coefficient | Unknown::Constant => rounded(*value),
            Unknown::Multiplier | Unknown::Gain => Some(Rational::ZERO),
        };
        self.unknowns.iter().zip(values).map(round).collect()
    }

    /// Maximises the gains by the exact simplex.
    ///
    /// The program is a cone but for the bounds of the gains, so it has a
    /// solution with certain gains positive over the rationals exactly if it
    /// has one over the integers: tightening constraints to integers is harmless.
    fn solve_exactly(&self) -> Option<Assignment> {
        let mut constraints = self.constraints.clone();
        let mut gains = LinearExpr::zero();
        for (position, kind) in self.unknowns.iter().enumerate() {
            let unknown = LinearExpr::var(Var::at(position));
            match kind {
                Unknown::Coefficient | Unknown::Constant => {}
                Unknown::Multiplier => constraints.push(Constraint::ge(unknown, 0)),
                Unknown::Gain => {
                    gains = gains + &unknown;
                    constraints.push(Constraint::ge(&unknown, 0));
                    constraints.push(Constraint::le(unknown, 1));
                }
            }
        }
        let mut optimizer = Optimizer::new(&constraints);
        if optimizer.maximize(&gains).value()?.signum() <= 0 {
            return None;
        }
        let vertex = optimizer.vertex();
        let value = |position: usize| vertex.get(&Var::at(position)).cloned().unwrap_or_default();
        Some((0..self.unknowns.len()).map(value).collect())
    }

    /// Maximises the gains in floating point, with small coefficients. What is multiplied and has
    /// large ones, such as the limits of types, is left out.
    fn solve_in_floats(&self) -> Option<Vec<f64>> {
        let is_tame = |c: &Integer| c.to_i64().is_some_and(|value| value.unsigned_abs() >> 30 == 0);
        let exprs = || self.constraints.iter().map(Constraint::expr);
        let terms = exprs().flat_map(|expr| expr.terms());
        let wild: BTreeSet<Var> = terms.filter(|it| !is_tame(&it.1)).map(|it| it.0).collect();
        let can_be_left_out = |it: &Var| self.unknowns[it.index()] == Unknown::Multiplier;
        if self.unknowns.len() > MOST_FLOAT_UNKNOWNS
            || !exprs().all(|expr| is_tame(expr.constant_part()))
            || !wild.iter().all(can_be_left_out)
        {
            return None;
        }
        // The solver may assert in numerically hopeless cases.
        std::panic::catch_unwind(|| self.float_values(&wild)).ok().flatten()
    }

    fn float_values(&self, left_out: &BTreeSet<Var>) -> Option<Vec<f64>> {
        let mut variables = ProblemVariables::new();
        let mut objective = Expression::from(0.0);
        let mut columns: Vec<Expression> = Vec::with_capacity(self.unknowns.len());
        for (position, kind) in self.unknowns.iter().enumerate() {
            columns.push(match kind {
                _ if left_out.contains(&Var::at(position)) => Expression::from(0.0),
                Unknown::Coefficient => {
                    let (up, down) =
                        (variables.add(variable().min(0.0)), variables.add(variable().min(0.0)));
                    objective -= up + down;
                    up - down
                }
                Unknown::Constant => variables.add(variable()).into(),
                Unknown::Multiplier => variables.add(variable().min(0.0)).into(),
                Unknown::Gain => {
                    let gain = variables.add(variable().min(0.0).max(1.0));
                    objective += GAIN_WEIGHT * gain;
                    gain.into()
                }
            });
        }
        let mut model = variables.maximise(objective).using(good_lp::microlp);
        for constraint in &self.constraints {
            let mut row = Expression::from(constraint.expr().constant_part().to_f64());
            for (unknown, coefficient) in constraint.expr().terms() {
                row += coefficient.to_f64() * columns[unknown.index()].clone();
            }
            model = model.with(if constraint.is_equality() { row.eq(0.0) } else { row.leq(0.0) });
        }
        let solution = model.solve().ok()?;
        Some(columns.iter().map(|column| solution.eval(column)).collect())
    }
}

/// The template over the polyhedron's variables that its equalities do not
/// define; up to a positive factor, the same for all summands.
fn solved(polyhedron: &Polyhedron, template: &Template) -> Template {
    let mut current = template.clone();
    for (pivot, equality) in polyhedron.solved_equalities() {
        let reduce = |expr: &LinearExpr| cancel(expr, pivot, equality.expr());
        let mut factor = Integer::ONE;
        for (_, expr) in &current {
            if let Some((_, scale)) = reduce(expr) {
                factor = factor.lcm(&scale);
            }
        }
        for (_, expr) in &mut current {
            *expr = match reduce(expr) {
                Some((reduced, scale)) => reduced.scale(&factor.div_exact(&scale)),
                None => expr.scale(&factor),
            };
        }
    }
    current
}

/// The simplest fraction near a float: continued fractions.
fn rounded(value: f64) -> Option<Rational> {
    if !value.is_finite() || value.abs() > 1e12 {
        return None;
    }
    let (mut previous, mut current) = ((0_i128, 1_i128), (1_i128, 0_i128));
    let mut rest = value;
    for _ in 0..40 {
        let whole = rest.floor();
        if whole.abs() > 1e12 {
            break;
        }
        #[allow(clippy::cast_possible_truncation, reason = "the size was just tested")]
        let digit = whole as i128;
        let next = (digit * current.0 + previous.0, digit * current.1 + previous.1);
        if next.1 > LARGEST_DENOMINATOR {
            break;
        }
        (previous, current) = (current, next);
        #[allow(clippy::cast_precision_loss, reason = "a candidate, checked exactly later")]
        let error = (current.0 as f64 / current.1 as f64 - value).abs();
        if error < 1e-9 * value.abs().max(1.0) {
            break;
        }
        rest = 1.0 / (rest - whole);
    }
    Rational::new(current.0, current.1)
}
