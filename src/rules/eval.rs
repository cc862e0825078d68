//! Expressions to linear expressions over logical variables.
//!
//! What an expression is worth may depend on a question that the state leaves
//! open (does this wrap around? is this comparison true?). Then `eval` answers
//! with a [`Split`]: the caller tries each alternative and asks again.

use super::Semantics;
use super::arbitrary::{any_between, any_integer, bounds};
use super::bits::{Common, shift_left_by_unknown};
use super::product::{is_about_products, multiply};
use super::quotient::shift_by_unknown;
use base::source::Span;
use evidence::alarm::{Alarm, AlarmKind};
use heap::code;
use heap::state::{Kind, State};
use ir::links::Sort;
use ir::semantics::{self, Definedness, address_kind};
use ir::{BinaryOp, Expr, IntKind, ScalarType, UnaryOp, Variable};
use logic::{Integer, LinearExpr, Var};
use obligation::Goal;

/// Something that a state can be made to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// The expression is 0.
    Zero(LinearExpr),
    /// The expression is not 0.
    NonZero(LinearExpr),
    /// The expression is at most 0.
    AtMostZero(LinearExpr),
}

/// Alternatives of which at least one holds, each a conjunction. Without any, there is no such
/// state.
pub type Split = Vec<Vec<Assumption>>;

/// How often an expression may split before it is given up as any integer.
const MAX_SPLITS: usize = 6;

/// Collects alarms while commands are executed.
pub struct Context<'a> {
    /// What is analysed.
    pub machine: &'a Semantics<'a>,
    /// What may go wrong, so far.
    pub alarms: Vec<Alarm>,
    /// What was taken for granted: that these do not happen.
    pub assumed: Vec<Alarm>,
    /// What would have kept accesses from going wrong.
    pub missing: Vec<Missing>,
    /// The place of the current command.
    pub span: Span,
    /// The sort that calls give to a block that is allocated by the current command.
    pub(super) sort: Option<Sort>,
    /// The address of the block that the next command gives up, if it does.
    pub(super) given_up: Option<&'a Expr>,
    /// Whether splits are still allowed.
    pub(super) splitting: Splitting,
    /// So many variables the state had before the current expression.
    pub(super) n_known: usize,
}

/// Memory that an access needs and the state does not have (the anti-frame of
/// bi-abduction: Calcagno, Distefano, O'Hearn, Yang, POPL 2009).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A block around this address.
    Block(LinearExpr),
    /// The block that starts at the variable is too small, or starts too late, by
    /// this if it is positive.
    Room(Var, LinearExpr),
    /// Something other than zero: a divisor.
    Divisor(LinearExpr),
}

/// Whether an open question splits the state or is left open.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Splitting {
    Allowed,
    GivenUp,
}

impl<'a> Context<'a> {
    /// A context without alarms.
    #[must_use]
    pub fn new(machine: &'a Semantics<'a>) -> Self {
        Self {
            machine,
            alarms: Vec::new(),
            assumed: Vec::new(),
            missing: Vec::new(),
            span: Span::NOWHERE,
            sort: None,
            given_up: None,
            splitting: Splitting::Allowed,
            n_known: 0,
        }
    }

    /// Whether a value got its name in the current expression: a question about it comes
    /// again in each alternative, where it has another name.
    pub(super) fn is_new(&self, value: &LinearExpr) -> bool {
        value.variables().any(|it| it.index() >= self.n_known)
    }

    /// Records that something may go wrong at the current command.
    pub fn alarm(&mut self, kind: AlarmKind) {
        self.alarms.push(Alarm { span: self.span, kind });
    }

    /// ```text
    ///   the command is defined in Q only if B holds
    ///   ─────────────────────────────────────────── DEFINED
    ///   {Q} the command {as from Q & B}, B is noted
    /// ```
    ///
    /// Records that something undefined may happen at the current command: an alarm, unless
    /// definedness is taken for granted. What is defined of the command goes on either way.
    pub(super) fn undefined(&mut self, kind: AlarmKind) {
        match self.machine.definedness {
            Definedness::Shown => self.alarm(kind),
            Definedness::Assumed => self.assumed.push(Alarm { span: self.span, kind }),
        }
    }

    /// Whether the part of a state in which something undefined happens is left out.
    pub(super) fn takes_for_granted(&self) -> bool {
        self.machine.definedness == Definedness::Assumed
    }

    /// The values of an expression, each in the part of `state` where it holds.
    pub fn values(&mut self, state: State, expr: &Expr) -> Vec<(State, LinearExpr)> {
        if let Some(value) = self.known(&state, expr) {
            return vec![(state, value)];
        }
        self.by_splits(state, &mut |context, state| context.eval(state, expr))
    }

    /// The values that something of a type holds when an expression is assigned to
    /// it: a number becomes an address by reduction to the address space.
    pub fn values_as(
        &mut self,
        state: State,
        ty: ScalarType,
        expr: &Expr,
    ) -> Vec<(State, LinearExpr)> {
        let kind = address_kind(self.machine.program.pointer_bytes);
        if let Some(value) = self.known(&state, expr)
            && (ty != ScalarType::Pointer || state.kind_of(&value) != Kind::Integer)
        {
            return vec![(state, value)];
        }
        self.by_splits(state, &mut |context, state| {
            let value = context.eval(state, expr)?;
            match ty {
                ScalarType::Pointer if state.kind_of(&value) == Kind::Integer => {
                    context.wrap(state, kind, &value)
                }
                ScalarType::Pointer | ScalarType::Int(_) | ScalarType::Float(_) => Ok(value),
            }
        })
    }

    /// The value of an expression that adds up what the state knows: what `eval` finds,
    /// without a copy of the state.
    fn known(&self, state: &State, expr: &Expr) -> Option<LinearExpr> {
        match expr {
            Expr::Constant(value) => Some(LinearExpr::constant(*value)),
            Expr::Variable(variable) => {
                let is_global = self.machine.program.variable(*variable).owner.is_none();
                let store = if is_global { 0 } else { state.stores.len() - 1 };
                state.value_in(store, *variable).cloned()
            }
            Expr::Binary(BinaryOp::Add, left, right) => {
                let (left, right) = (self.known(state, left)?, self.known(state, right)?);
                let is_folded = small(&left).is_some() && small(&right).is_some();
                (!is_folded).then(|| left.add(&right))
            }
            Expr::Procedure(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Wrap(..) => None,
        }
    }

    /// What `compute` finds, each in the part of `state` where it holds.
    fn by_splits<T>(
        &mut self,
        state: State,
        compute: &mut impl FnMut(&mut Self, &mut State) -> Result<T, Split>,
    ) -> Vec<(State, T)> {
        let mut done = Vec::new();
        let mut open: Vec<(State, Vec<Split>)> = vec![(state, Vec::new())];
        while let Some((state, mut splits)) = open.pop() {
            let mut attempt = state.clone();
            self.splitting = Splitting::Allowed;
            self.n_known = state.vocabulary.len();
            let mut result = compute(self, &mut attempt);
            // A question that comes again cannot be settled.
            if matches!(&result, Err(split) if splits.len() >= MAX_SPLITS || splits.contains(split))
            {
                attempt = state.clone();
                self.splitting = Splitting::GivenUp;
                result = compute(self, &mut attempt);
            }
            match result {
                Ok(value) => done.push((attempt, value)),
                Err(split) => {
                    splits.push(split.clone());
                    let is_named = is_about_products(&split, &state, &attempt);
                    let start = if is_named { attempt } else { state };
                    for alternative in split.iter().rev() {
                        let mut next = start.clone();
                        if !alternative
                            .iter()
                            .any(|assumption| assumption.apply(&mut next).is_empty())
                        {
                            open.push((next, splits.clone()));
                        }
                    }
                }
            }
        }
        done
    }

    /// The value of a variable; an unknown one is named first.
    pub fn read(&mut self, state: &mut State, variable: Variable) -> LinearExpr {
        let info = self.machine.program.variable(variable);
        let store = if info.owner.is_none() { 0 } else { state.stores.len() - 1 };
        match state.value_in(store, variable) {
            Some(value) => value.clone(),
            None => {
                let value = self.machine.any_value(state, info.ty);
                state.set_in(store, variable, value.clone());
                value
            }
        }
    }

    /// Sets a variable of the innermost frame or a global, which may lose what that held.
    pub fn write(&mut self, state: &mut State, variable: Variable, value: LinearExpr) {
        let is_global = self.machine.program.variable(variable).owner.is_none();
        let store = if is_global { 0 } else { state.stores.len() - 1 };
        let before = self.before_assignment(state, variable);
        state.set_in(store, variable, value);
        self.note_overwritten(state, &before);
    }

    pub(super) fn eval(&mut self, state: &mut State, expr: &Expr) -> Result<LinearExpr, Split> {
        match expr {
            Expr::Constant(value) => Ok(LinearExpr::constant(*value)),
            Expr::Variable(variable) => Ok(self.read(state, *variable)),
            Expr::Procedure(id) => Ok(LinearExpr::constant(code::address_of(*id))),
            Expr::Unary(op, operand) => {
                let value = self.eval(state, operand)?;
                match op {
                    UnaryOp::Negate => Ok(value.neg()),
                    UnaryOp::BitNot => Ok(value.neg().add_constant(-1)),
                    UnaryOp::Not => self.truth(state, &Assumption::Zero(value)),
                }
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = self.operands(state, *op, left, right)?;
                self.binary(state, *op, &left, &right)
            }
            Expr::Wrap(kind, operand) => {
                let value = self.eval(state, operand)?;
                self.wrap(state, *kind, &value)
            }
        }
    }

    fn binary(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        left: &LinearExpr,
        right: &LinearExpr,
    ) -> Result<LinearExpr, Split> {
        if let (Some(a), Some(b)) = (small(left), small(right))
            && let Ok(value) = semantics::binary(op, a, b)
        {
            return Ok(LinearExpr::constant(value));
        }
        match op {
            BinaryOp::Add => Ok(left.add(right)),
            BinaryOp::Subtract => Ok(self.subtract(state, left, right)),
            BinaryOp::Multiply => Ok(multiply(state, left, right)),
            BinaryOp::Divide => self.divide(state, left, right).map(|(quotient, _)| quotient),
            BinaryOp::Remainder => self.divide(state, left, right).map(|(_, remainder)| remainder),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight if left.is_zero() => {
                self.check_shift(state, right)?;
                Ok(LinearExpr::zero())
            }
            BinaryOp::ShiftLeft => match small(right) {
                Some(count @ 0..=100) => {
                    Ok(multiply(state, left, &LinearExpr::constant(1_i128 << count)))
                }
                _ => {
                    self.check_shift(state, right)?;
                    Ok(shift_left_by_unknown(state, left, right))
                }
            },
            BinaryOp::ShiftRight => match small(right) {
                Some(count @ 0..=100) => {
                    Ok(self.divide_floor(state, left, &Integer::from(1_i128 << count))?.0)
                }
                _ => {
                    self.check_shift(state, right)?;
                    Ok(shift_by_unknown(state, left, right))
                }
            },
            BinaryOp::And => self.bitwise_and(state, left, right),
            BinaryOp::Or => self.united(state, Common::Kept, (left, right)),
            BinaryOp::Xor => self.united(state, Common::Cleared, (left, right)),
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => match self.claim(state, op, left, right) {
                Some(claim) => self.truth(state, &claim),
                None => Ok(any_between(state, 0, 1).into()),
            },
        }
    }

    fn check_shift(&mut self, state: &mut State, count: &LinearExpr) -> Result<(), Split> {
        if state.surely_at_most_zero(&count.neg()) {
            return Ok(());
        }
        self.undefined(AlarmKind::DivisionByZero);
        self.assume_defined(state, &Assumption::AtMostZero(count.neg()))
    }

    /// Leaves the part of a state in which an operation is defined, if that is taken for
    /// granted. A split without alternatives says that there is none.
    fn assume_defined(&self, state: &mut State, claim: &Assumption) -> Result<(), Split> {
        if self.takes_for_granted() && claim.apply(state).is_empty() {
            return Err(Vec::new());
        }
        Ok(())
    }

    /// 1 or 0, as the assumption holds or not.
    fn truth(&mut self, state: &mut State, claim: &Assumption) -> Result<LinearExpr, Split> {
        let denial = claim.negation();
        if claim.surely_holds(state) {
            return Ok(LinearExpr::constant(1));
        }
        if denial.surely_holds(state) {
            return Ok(LinearExpr::zero());
        }
        if self.splitting == Splitting::Allowed {
            return Err(vec![vec![claim.clone()], vec![denial]]);
        }
        Ok(LinearExpr::from(any_between(state, 0, 1)))
    }

    /// Truncating division: quotient and remainder.
    fn divide(
        &mut self,
        state: &mut State,
        left: &LinearExpr,
        right: &LinearExpr,
    ) -> Result<(LinearExpr, LinearExpr), Split> {
        if !state.surely_nonzero(right) {
            self.missing.push(Missing::Divisor(right.clone()));
            self.undefined(AlarmKind::DivisionByZero);
            self.assume_defined(state, &Assumption::NonZero(right.clone()))?;
        }
        if state.kind_of(left) != Kind::Integer || state.kind_of(right) != Kind::Integer {
            return Ok((any_integer(state), any_integer(state)));
        }
        let Some(divisor) = right.as_constant().filter(|d| !d.is_zero()).cloned() else {
            return self.divide_by_unknown(state, left, right);
        };
        if let Some(exact) = left.div_exact(&divisor) {
            return Ok((exact, LinearExpr::zero()));
        }
        let size = if divisor.signum() < 0 { -&divisor } else { divisor.clone() };
        let (quotient, remainder) = if state.surely_at_most_zero(&left.neg()) {
            self.divide_floor(state, left, &size)?
        } else if state.surely_at_most_zero(left) {
            let (quotient, remainder) = self.divide_floor(state, &left.neg(), &size)?;
            (quotient.neg(), remainder.neg())
        } else if self.splitting == Splitting::Allowed {
            return Err(sign_split(left));
        } else {
            return Ok((any_integer(state), any_integer(state)));
        };
        Ok((if divisor.signum() < 0 { quotient.neg() } else { quotient }, remainder))
    }

    /// ```text
    ///   min ≤ v ≤ max            max < v ≤ max + 2ⁿ          otherwise
    ///   ─────────────     ────────────────────────     ───────────────────
    ///   wrap(v) = v         wrap(v) = v - 2ⁿ            min ≤ wrap(v) ≤ max
    /// ```
    pub(super) fn wrap(
        &mut self,
        state: &mut State,
        kind: IntKind,
        value: &LinearExpr,
    ) -> Result<LinearExpr, Split> {
        if let Some(constant) = small(value)
            && let Ok(constant) = semantics::wrap(kind, constant)
        {
            return Ok(LinearExpr::constant(constant));
        }
        let (min, max) = bounds(kind);
        if state.kind_of(value) != Kind::Integer {
            return Ok(self.wrap_address(state, kind, value));
        }
        let below = value.neg().add_constant(min.clone());
        let above = value.add_constant(-&max);
        let is_low_enough = state.surely_at_most_zero(&above);
        let is_high_enough = state.surely_at_most_zero(&below);
        if is_low_enough && is_high_enough {
            return Ok(value.clone());
        }
        if let Some(reduced) = self.reduced_sum(state, kind, value)? {
            return Ok(reduced);
        }
        let surely_above = state.surely_at_most_zero(&above.neg().add_constant(1));
        let surely_below = state.surely_at_most_zero(&below.neg().add_constant(1));
        if let Some(modulus) = kind.modulus() {
            let modulus = Integer::from(modulus);
            if surely_above && state.surely_at_most_zero(&above.add_constant(-&modulus)) {
                return Ok(value.add_constant(-&modulus));
            }
            if surely_below && state.surely_at_most_zero(&below.add_constant(-&modulus)) {
                return Ok(value.add_constant(modulus));
            }
        }
        if surely_above || surely_below || self.splitting == Splitting::GivenUp {
            return Ok(any_between(state, min, max).into());
        }
        let at_most = |expr: LinearExpr| Assumption::AtMostZero(expr);
        let mut split = vec![vec![at_most(below.clone()), at_most(above.clone())]];
        split.push(vec![at_most(above.neg().add_constant(1))]);
        split.push(vec![at_most(below.neg().add_constant(1))]);
        Err(split)
    }

    /// The parts of `state` in which a condition is non-zero.
    pub fn assume(&mut self, state: State, condition: &Expr) -> Vec<State> {
        match condition {
            Expr::Unary(UnaryOp::Not, operand) => self.refute(state, operand),
            Expr::Binary(op, left, right) if op.is_comparison() => {
                self.compare(state, *op, left, right, Clone::clone)
            }
            // What is added to an unknown address may have gone round the ends of memory.
            _ => self.test(state, condition, |state, value| {
                let is_address = state.kind_of(&value) == Kind::Unknown;
                (!is_address || value.as_var().is_some()).then_some(Assumption::NonZero(value))
            }),
        }
    }

    /// The parts of `state` in which a value is in the range of an integer type.
    pub fn assume_in_range(&mut self, state: State, value: &Expr, kind: IntKind) -> Vec<State> {
        let values = self.values(state, value).into_iter();
        let in_range = values.filter_map(|(mut state, value)| {
            let (min, max) = bounds(kind);
            let least = Assumption::AtMostZero(value.neg().add_constant(min));
            let most = Assumption::AtMostZero(value.add_constant(-&max));
            let is_empty = least.apply(&mut state).is_empty() || most.apply(&mut state).is_empty();
            (!is_empty).then_some(state)
        });
        in_range.collect()
    }

    /// The parts of `state` in which a condition is zero.
    pub fn refute(&mut self, state: State, condition: &Expr) -> Vec<State> {
        match condition {
            Expr::Unary(UnaryOp::Not, operand) => self.assume(state, operand),
            Expr::Binary(op, left, right) if op.is_comparison() => {
                self.compare(state, *op, left, right, Assumption::negation)
            }
            _ => self.test(state, condition, |_, value| Some(Assumption::Zero(value))),
        }
    }

    fn test(
        &mut self,
        state: State,
        value: &Expr,
        claim: impl Fn(&State, LinearExpr) -> Option<Assumption>,
    ) -> Vec<State> {
        self.values(state, value)
            .into_iter()
            .filter_map(|(mut state, value)| {
                let claim = claim(&state, value);
                let is_empty = claim.is_some_and(|it| it.apply(&mut state).is_empty());
                (!is_empty).then_some(state)
            })
            .collect()
    }

    fn compare(
        &mut self,
        state: State,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        outcome: fn(&Assumption) -> Assumption,
    ) -> Vec<State> {
        let claims = self.by_splits(state, &mut |context, state| {
            let (left, right) = context.operands(state, op, left, right)?;
            Ok(context.claim(state, op, &left, &right))
        });
        let mut found = Vec::new();
        for (mut state, claim) in claims {
            match claim.as_ref().map(outcome) {
                None => found.push(state),
                Some(claim) if claim.apply(&mut state).is_empty() => {}
                Some(Assumption::NonZero(difference)) if self.is_split(&state, &difference) => {
                    for side in [difference.clone(), difference.neg()] {
                        let mut state = state.clone();
                        let is_less = Assumption::AtMostZero(side.add_constant(1));
                        if !is_less.apply(&mut state).is_empty() {
                            found.push(state);
                        }
                    }
                }
                Some(_) => found.push(state),
            }
        }
        found
    }

    /// Whether numbers that differ are told apart by which is less. What ends where two indices
    /// meet needs it: relations between numbers say nothing of numbers that differ.
    fn is_split(&self, state: &State, difference: &LinearExpr) -> bool {
        self.machine.goal == Goal::Ends
            && difference.terms().len() == 2
            && state.kind_of(difference) == Kind::Integer
            && !state.surely_at_most_zero(difference)
            && !state.surely_at_most_zero(&difference.neg())
    }
}

pub(super) fn sign_split(value: &LinearExpr) -> Split {
    vec![
        vec![Assumption::AtMostZero(value.neg())],
        vec![Assumption::AtMostZero(value.add_constant(1))],
    ]
}

pub(super) fn small(value: &LinearExpr) -> Option<i128> {
    value.as_constant().and_then(Integer::to_i128)
}
