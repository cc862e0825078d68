//! Forms of expressions: what is linear in the symbols stays a linear
//! expression, conditions become decisions, and what else there is is pinned.

use super::shadow::{Decision, Form, Reductions, Refused, Shaded, Shadow, Slot};
use concrete::state::{Location, State};
use concrete::value::{Arithmetic, Value};
use ir::expr::{BinaryOp, Expr, IntKind, ScalarType, UnaryOp};
use ir::semantics::{EDGE, address_kind};
use ir::{Program, Variable};
use logic::{Constraint, Integer, LinearExpr};

/// Why an expression has no form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The interpreter fails here too, and says how.
    Fails,
    /// The run cannot be shadowed.
    Refused(Refused),
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

/// Evaluates expressions in a state and its shadow. No variable in them may be
/// without a value.
pub(super) struct Evaluator<'run> {
    pub(super) program: &'run Program,
    pub(super) location: Location,
    pub(super) state: &'run State,
    pub(super) shadow: &'run mut Shadow,
}

/// Where a variable that the innermost call sees stands.
pub(super) fn slot_of(program: &Program, state: &State, variable: Variable) -> Slot {
    match program.variable(variable).owner {
        None => Slot::Global(variable),
        Some(_) => Slot::Local(state.frames().len().saturating_sub(1), variable),
    }
}

pub(super) fn fixed(value: Value) -> Shaded {
    Shaded { value, form: None }
}

/// A number as an expression.
fn linear(form: &Form, number: i128) -> LinearExpr {
    form.clone().unwrap_or_else(|| LinearExpr::constant(number))
}

/// A form that depends on symbols, or `None`.
fn form(expr: LinearExpr) -> Form {
    expr.as_constant().is_none().then_some(expr)
}

/// Which side of zero, or zero.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Below,
    Zero,
    Above,
}

impl<'run> Evaluator<'run> {
    pub(super) fn arithmetic(&self) -> Arithmetic<'run> {
        Arithmetic::of(self.state.memory())
    }

    /// The value and form that something of a type holds when an expression is
    /// assigned to it.
    pub(super) fn eval_as(&mut self, ty: ScalarType, expr: &Expr) -> Result<Shaded, Stop> {
        let shaded = self.eval(expr)?;
        match (ty, shaded.value) {
            (ScalarType::Pointer, Value::Int(_)) => {
                self.wrap(address_kind(self.program.pointer_bytes), &shaded)
            }
            (ScalarType::Pointer | ScalarType::Int(_) | ScalarType::Float(_), _) => Ok(shaded),
        }
    }

    /// The value and form of an expression. The recursion is as deep as the
    /// expression.
    pub(super) fn eval(&mut self, expr: &Expr) -> Result<Shaded, Stop> {
        match expr {
            Expr::Constant(number) => Ok(fixed(Value::Int(*number))),
            Expr::Variable(variable) => {
                let slot = slot_of(self.program, self.state, *variable);
                Ok(self.shadow.variable(slot, self.state.value(*variable))?)
            }
            Expr::Procedure(procedure) => Ok(fixed(Value::Procedure(*procedure))),
            Expr::Unary(op, operand) => {
                let operand = self.eval(operand)?;
                self.unary(*op, &operand)
            }
            Expr::Binary(op, left, right) => {
                if let Some(result) = self.compared_product(*op, left, right)? {
                    return Ok(result);
                }
                let left = self.eval(left)?;
                let right = self.eval(right)?;
                self.binary(*op, &left, &right)
            }
            Expr::Wrap(kind, operand) => {
                let operand = self.eval(operand)?;
                self.wrap(*kind, &operand)
            }
        }
    }

    /// The value of an expression that no symbol may change.
    pub(super) fn eval_pinned(&mut self, expr: &Expr) -> Result<Value, Stop> {
        let shaded = self.eval(expr)?;
        self.pin(&shaded);
        Ok(shaded.value)
    }

    /// Whether a condition holds, which becomes a decision.
    pub(super) fn truth(&mut self, condition: &Expr) -> Result<bool, Stop> {
        let shaded = self.eval(condition)?;
        self.decide_truth(&shaded);
        self.arithmetic().is_true(shaded.value).map_err(|_| Stop::Fails)
    }

    pub(super) fn pin(&mut self, shaded: &Shaded) {
        self.shadow.pin(self.location, &shaded.form, shaded.value);
    }

    fn decide_truth(&mut self, shaded: &Shaded) {
        if let (Value::Int(number), Some(expr)) = (shaded.value, &shaded.form) {
            let alternatives = |side| match side {
                Side::Zero => vec![Side::Below, Side::Above],
                Side::Below => vec![Side::Zero, Side::Above],
                Side::Above => vec![Side::Zero, Side::Below],
            };
            let side = side_of(number);
            self.decide_side(expr, side, &alternatives(side));
        }
    }

    fn decide_side(&mut self, expr: &LinearExpr, side: Side, others: &[Side]) {
        let constraint = is_on(expr, side);
        let alternatives = others.iter().map(|side| is_on(expr, *side)).collect();
        self.shadow.decide(Decision { location: self.location, constraint, alternatives });
    }

    /// Notes a constraint that holds, with the one that would not.
    pub(super) fn decide(&mut self, constraint: Constraint) {
        let alternatives = constraint.negate().into_iter().collect();
        self.shadow.decide(Decision { location: self.location, constraint, alternatives });
    }

    /// Notes a constraint that holds, with others that would lead elsewhere.
    pub(super) fn decide_among(&mut self, constraint: Constraint, alternatives: Vec<Constraint>) {
        self.shadow.decide(Decision { location: self.location, constraint, alternatives });
    }

    /// Notes that a number lies in a range, as it does.
    pub(super) fn decide_between(&mut self, expr: &LinearExpr, low: i128, high: i128) {
        self.decide(Constraint::ge(expr, Integer::from(low)));
        self.decide(Constraint::le(expr, Integer::from(high)));
    }

    /// Notes that a number lies outside of a range, as it does.
    pub(super) fn decide_outside(
        &mut self,
        expr: &LinearExpr,
        number: i128,
        (low, high): (i128, i128),
    ) {
        if number < low {
            self.decide(Constraint::lt(expr, Integer::from(low)));
        } else {
            self.decide(Constraint::gt(expr, Integer::from(high)));
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Shaded) -> Result<Shaded, Stop> {
        let value = self.arithmetic().unary(op, operand.value).map_err(|_| Stop::Fails)?;
        let result = match op {
            UnaryOp::Not => {
                self.decide_truth(operand);
                None
            }
            UnaryOp::Negate => operand.form.as_ref().map(LinearExpr::neg),
            UnaryOp::BitNot => operand.form.as_ref().map(|it| it.neg().add_constant(-1_i64)),
        };
        Ok(Shaded { value, form: result })
    }

    /// A number in the type's range keeps its form; another one is so many times
    /// the modulus away, as long as it stays in the same period.
    fn wrap(&mut self, kind: IntKind, operand: &Shaded) -> Result<Shaded, Stop> {
        let value = self.arithmetic().wrap(kind, operand.value).map_err(|_| Stop::Fails)?;
        let (Some(expr), Value::Int(before), Value::Int(after)) =
            (&operand.form, operand.value, value)
        else {
            return Ok(fixed(value));
        };
        let shift = before.checked_sub(after);
        let (Some(shift), true) = (shift, kind.bits <= 126) else {
            self.pin(operand);
            return Ok(fixed(value));
        };
        let is_sum = expr.terms().len() > 1 || !expr.constant_part().is_zero();
        if is_sum && kind.bits <= 64 && self.shadow.reductions == Reductions::Free {
            return Ok(Shaded {
                value,
                form: Some(self.shadow.reduce(after, [kind.min(), kind.max()])),
            });
        }
        self.shadow.has_decided_reductions |= is_sum;
        let moved = expr.add_constant(-Integer::from(shift));
        self.decide_between(&moved, kind.min(), kind.max());
        Ok(Shaded { value, form: form(moved) })
    }

    fn binary(&mut self, op: BinaryOp, left: &Shaded, right: &Shaded) -> Result<Shaded, Stop> {
        let value =
            self.arithmetic().binary(op, left.value, right.value).map_err(|_| Stop::Fails)?;
        if left.form.is_none() && right.form.is_none() {
            return Ok(fixed(value));
        }
        let (Value::Int(a), Value::Int(b)) = (left.value, right.value) else {
            self.decide_beside_address(op, left, right);
            return Ok(fixed(value));
        };
        let (x, y) = (linear(&left.form, a), linear(&right.form, b));
        let result = match op {
            BinaryOp::Add => form(x + y),
            BinaryOp::Subtract => form(x - y),
            BinaryOp::Multiply => self.product(left, right),
            BinaryOp::Divide | BinaryOp::Remainder => self.quotient(op, left, (right, b)),
            BinaryOp::ShiftLeft => {
                self.pin_or(right, &[0]);
                match u32::try_from(b).ok().and_then(|it| 1_i128.checked_shl(it)) {
                    Some(factor) if b < 127 => form(x.scale(&Integer::from(factor))),
                    _ => self.pinned_form(left),
                }
            }
            BinaryOp::ShiftRight => self.shifted(left, (right, b)),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                match self.masked(op, [left, right], value) {
                    Some(form) => form,
                    None => {
                        self.pin(left);
                        self.pinned_form(right)
                    }
                }
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let difference = x - y;
                self.decide_truth(&Shaded { value: difference_of(a, b)?, form: form(difference) });
                None
            }
            BinaryOp::Less | BinaryOp::GreaterEqual => {
                self.decide(if a < b { Constraint::lt(x, y) } else { Constraint::ge(x, y) });
                None
            }
            BinaryOp::LessEqual | BinaryOp::Greater => {
                self.decide(if a <= b { Constraint::le(x, y) } else { Constraint::gt(x, y) });
                None
            }
        };
        Ok(Shaded { value, form: result })
    }

    /// An address equals no number near zero, whichever it is; all else depends on
    /// which number it is.
    fn decide_beside_address(&mut self, op: BinaryOp, left: &Shaded, right: &Shaded) {
        let near_zero = 1 - EDGE / 2..EDGE / 2;
        for shaded in [left, right] {
            match (op, shaded.value, &shaded.form) {
                (BinaryOp::Equal | BinaryOp::NotEqual, Value::Int(number), Some(expr))
                    if near_zero.contains(&number) && self.is_block_start(left, right) =>
                {
                    let expr = expr.clone();
                    self.decide_between(&expr, near_zero.start, near_zero.end - 1);
                }
                _ => self.pin(shaded),
            }
        }
    }

    /// Whether one of the two is the address of a procedure, or of a byte in the
    /// half of the edge around a block, so that no number near zero equals it.
    fn is_block_start(&self, left: &Shaded, right: &Shaded) -> bool {
        [left, right].into_iter().all(|shaded| match shaded.value {
            Value::Int(_) | Value::Procedure(_) => true,
            Value::Pointer(pointer) => pointer.offset > -EDGE / 2,
        })
    }

    fn pinned_form(&mut self, shaded: &Shaded) -> Form {
        self.pin(shaded);
        None
    }

    /// One factor becomes a constant: the one that is 0, or else the right one.
    fn product(&mut self, left: &Shaded, right: &Shaded) -> Form {
        let (kept, factor) = match (&left.form, &right.form) {
            (None, _) => (right, left),
            (Some(_), Some(_)) if left.value == Value::Int(0) => (right, left),
            (Some(_), _) => (left, right),
        };
        self.pin_or(factor, &[0, 1]);
        let Value::Int(number) = factor.value else { return None };
        let expr = kept.form.as_ref()?;
        form(expr.scale(&Integer::from(number)))
    }

    /// `x / k` and `x % k` where `x = k * e + c` for a constant `c`: as long as
    /// `x` has its sign, the one is `e` and a constant, the other a constant. Other numbers
    /// keep their quotient.
    fn quotient(&mut self, op: BinaryOp, left: &Shaded, (right, b): (&Shaded, i128)) -> Form {
        self.pin_or(right, &[1]);
        let Value::Int(a) = left.value else { return None };
        let Some(expr) = &left.form else { return None };
        let divisor = Integer::from(b);
        if let Some(result) = self.quotient_of_any(op, expr, [a, b]) {
            return Some(result);
        }
        let constant = expr.constant_part().clone();
        let multiple = expr.add_constant(-&constant).div_exact(&divisor);
        let (Some(multiple), Some(constant)) = (multiple, constant.to_i128()) else {
            return match self.same_quotient(op, expr, [a, b]) {
                Some(form) => form,
                None => self.pinned_form(left),
            };
        };
        // The quotient is rounded towards zero, the same way for one sign.
        let Some(offset) = a.checked_sub(constant).map(|it| it / b) else {
            return self.pinned_form(left);
        };
        let zero = LinearExpr::zero();
        self.decide(if a >= 0 { Constraint::ge(expr, zero) } else { Constraint::lt(expr, zero) });
        match op {
            BinaryOp::Divide => form(multiple.add_constant(a / b - offset)),
            _ => None,
        }
    }

    /// `x >> k` where `x = 2^k * e + c`: `e` and a constant. Others stay as they are.
    fn shifted(&mut self, left: &Shaded, (right, b): (&Shaded, i128)) -> Form {
        self.pin_or(right, &[0]);
        let factor = u32::try_from(b).ok().filter(|it| *it < 126).map(|it| 1_i128 << it);
        let expr = left.form.as_ref()?;
        let constant = expr.constant_part().clone();
        let multiple = factor.and_then(|factor| {
            let factor = Integer::from(factor);
            let multiple = expr.add_constant(-&constant).div_exact(&factor)?;
            Some(multiple + LinearExpr::constant(constant.div_floor(&factor)))
        });
        match multiple {
            Some(multiple) => form(multiple),
            None => match left.value {
                Value::Int(a) if self.same_shifted(expr, [a, b]).is_some() => None,
                _ => self.pinned_form(left),
            },
        }
    }
}

fn difference_of(a: i128, b: i128) -> Result<Value, Stop> {
    a.checked_sub(b).map(Value::Int).ok_or(Stop::Refused(Refused("a number above 128 bits")))
}

fn side_of(number: i128) -> Side {
    match number.signum() {
        -1 => Side::Below,
        0 => Side::Zero,
        _ => Side::Above,
    }
}

fn is_on(expr: &LinearExpr, side: Side) -> Constraint {
    let zero = LinearExpr::zero();
    match side {
        Side::Below => Constraint::lt(expr, zero),
        Side::Zero => Constraint::eq(expr, zero),
        Side::Above => Constraint::gt(expr, zero),
    }
}
