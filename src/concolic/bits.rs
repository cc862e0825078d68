//! Quotients and masks: as long as a number stays between two multiples of a power of two, its
//! bits above that power are what they are.

use super::eval::Evaluator;
use super::shadow::{Form, Shaded};
use concrete::value::Value;
use ir::expr::BinaryOp;
use ir::semantics::floors_of_mask;
use logic::{Constraint, Integer, LinearExpr};

/// Powers beyond this one are no numbers of programs.
const WIDEST: u32 = 120;

impl Evaluator<'_> {
    /// `x / k` is `q`, and `x % k` is `x - q·k`, as long as the quotient is `q`.
    pub(super) fn same_quotient(
        &mut self,
        op: BinaryOp,
        expr: &LinearExpr,
        [a, b]: [i128; 2],
    ) -> Option<Form> {
        let (size, quotient) = (b.checked_abs()?, a.checked_div(b)?);
        let whole = quotient.checked_mul(b)?;
        let low = if quotient == 0 || a < 0 { whole.checked_sub(size - 1)? } else { whole };
        let high = if quotient == 0 || a > 0 { whole.checked_add(size - 1)? } else { whole };
        self.decide_between(expr, low, high);
        Some(match op {
            BinaryOp::Divide => None,
            _ => Some(expr.add_constant(-Integer::from(whole))),
        })
    }

    /// `x >> n`, as long as it stays the same.
    pub(super) fn same_shifted(&mut self, expr: &LinearExpr, [a, n]: [i128; 2]) -> Option<()> {
        let distance = u32::try_from(n).ok().filter(|it| *it <= WIDEST)?;
        self.same_floor(expr, a, distance)
    }

    /// Notes that `⌊x / 2ⁿ⌋` is what it is.
    fn same_floor(&mut self, expr: &LinearExpr, a: i128, n: u32) -> Option<()> {
        let low = (a >> n).checked_mul(1 << n)?;
        self.decide_between(expr, low, low.checked_add((1 << n) - 1)?);
        Some(())
    }

    /// ```text
    ///   ⌊x / 2ⁿ⌋ = f     2ⁿ divides the mask     ⌊x / 2ⁿ⌋ = f     the mask's n lowest bits are set
    ///   ───────────────────────────────────     ──────────────────────────────────────────────────
    ///   x & mask is a constant                   x & mask is x and a constant
    /// ```
    ///
    /// And `x | mask = x + mask - (x & mask)`, `x ^ mask = x + mask - 2 (x & mask)`.
    pub(super) fn masked(
        &mut self,
        op: BinaryOp,
        [left, right]: [&Shaded; 2],
        result: Value,
    ) -> Option<Form> {
        let (expr, number, mask) = match (&left.form, &right.form) {
            (Some(expr), None) => (expr, left.value, right.value),
            (None, Some(expr)) => (expr, right.value, left.value),
            _ => return None,
        };
        let (Value::Int(a), Value::Int(mask), Value::Int(result)) = (number, mask, result) else {
            return None;
        };
        let mut floors = floors_of_mask(mask).into_iter().map(|(position, _)| position).peekable();
        let has_lowest = floors.next_if_eq(&0).is_some();
        match floors.next() {
            Some(position) if position > WIDEST => return None,
            Some(position) => self.same_floor(expr, a, position)?,
            None => {}
        }
        let moved = |sign: i64| {
            let term = expr.scale(&Integer::from(sign));
            let rest = Integer::from(result) - &Integer::from(a) * &Integer::from(sign);
            Some(term.add_constant(rest))
        };
        Some(match (op, has_lowest) {
            (BinaryOp::And, true) | (BinaryOp::Or | BinaryOp::Xor, false) => moved(1),
            (BinaryOp::Xor, true) => moved(-1),
            _ => None,
        })
    }

    /// Notes that a value is just this, and that it might have been one of these numbers: with
    /// them an operation changes nothing.
    pub(super) fn pin_or(&mut self, shaded: &Shaded, others: &[i128]) {
        let (Some(expr), Value::Int(number)) = (&shaded.form, shaded.value) else { return };
        let number_of = |number: i128| LinearExpr::constant(number);
        let mut alternatives: Vec<Constraint> = others
            .iter()
            .filter(|it| **it != number)
            .map(|it| Constraint::eq(expr, number_of(*it)))
            .collect();
        alternatives.push(Constraint::lt(expr, number_of(number)));
        alternatives.push(Constraint::gt(expr, number_of(number)));
        self.decide_among(Constraint::eq(expr, number_of(number)), alternatives);
    }
}
