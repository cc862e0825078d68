//! The compiler's atomic operations, as one thread sees them.

use wane_grammar::c::ast::BinaryOperator;
use wane_grammar::c::place::Place;

use super::assign::Wanted;
use super::convert::Value;
use super::operator::operation;
use super::{Lowered, Lowering, fold};
use crate::c::types::Type;
use crate::ir::{BinaryOp, Expr, Terminator};

/// What an atomic operation does to the cell that its first argument points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atomic {
    /// Reads it.
    Load,
    /// Writes the second argument.
    Store,
    /// Writes zero.
    Clear,
    /// Writes the second argument and yields what was there.
    Exchange,
    /// Writes one and yields what was there.
    TestAndSet,
    /// Applies an operator and yields the old or the new value.
    Update(BinaryOperator, Wanted),
    /// Writes the third argument if the second one is there.
    CompareAndSwap(Wanted),
    /// Like the last, but the second argument points at the expected value,
    /// and receives what is there if the two differ.
    CompareExchange,
    /// Orders memory accesses: nothing for one thread.
    Fence,
}

impl Atomic {
    /// The operation of a builtin function.
    pub(super) fn of(name: &str) -> Option<Self> {
        if let Some(rest) = name.strip_prefix("__sync_") {
            return Self::of_sync(rest);
        }
        Some(match name.strip_prefix("__atomic_")? {
            "load_n" => Self::Load,
            "store_n" => Self::Store,
            "clear" => Self::Clear,
            "exchange_n" => Self::Exchange,
            "test_and_set" => Self::TestAndSet,
            "compare_exchange_n" => Self::CompareExchange,
            "thread_fence" | "signal_fence" => Self::Fence,
            other => match other.strip_prefix("fetch_") {
                Some(operator) => Self::Update(operator_of(operator)?, Wanted::Old),
                None => Self::Update(operator_of(other.strip_suffix("_fetch")?)?, Wanted::New),
            },
        })
    }

    fn of_sync(name: &str) -> Option<Self> {
        Some(match name {
            "synchronize" => Self::Fence,
            "lock_test_and_set" => Self::Exchange,
            "lock_release" => Self::Clear,
            "bool_compare_and_swap" => Self::CompareAndSwap(Wanted::New),
            "val_compare_and_swap" => Self::CompareAndSwap(Wanted::Old),
            other => match other.strip_prefix("fetch_and_") {
                Some(operator) => Self::Update(operator_of(operator)?, Wanted::Old),
                None => Self::Update(operator_of(other.strip_suffix("_and_fetch")?)?, Wanted::New),
            },
        })
    }
}

fn operator_of(name: &str) -> Option<BinaryOperator> {
    Some(match name {
        "add" => BinaryOperator::Add,
        "sub" => BinaryOperator::Subtract,
        "and" => BinaryOperator::BitAnd,
        "or" => BinaryOperator::BitOr,
        "xor" => BinaryOperator::BitXor,
        _ => return None,
    })
}

impl Lowering<'_> {
    pub(super) fn call_atomic(
        &mut self,
        atomic: Atomic,
        values: Vec<Value>,
        place: Place,
    ) -> Lowered<Value> {
        let mut values = values.into_iter();
        let Some(pointer) = values.next() else { return Ok(Value::void()) };
        let cell = self.dereference(pointer, place)?;
        let mut argument = || values.next().unwrap_or_else(|| Value::new(Type::INT, 0));
        let (first, second) = (argument(), argument());
        let old = self.load(cell.clone(), place)?;
        let new = match atomic {
            Atomic::Load | Atomic::Fence => return Ok(old),
            Atomic::Store | Atomic::Exchange => first,
            Atomic::Clear => Value::new(Type::INT, 0),
            Atomic::TestAndSet => Value::new(Type::INT, 1),
            Atomic::Update(operator, _) => match (&old.ty, operation(operator)) {
                // These count bytes, whatever the pointer points at.
                (Type::Pointer(_), Some(op)) => {
                    Value::new(old.ty.clone(), fold::binary(op, old.expr.clone(), first.expr))
                }
                _ => self.apply_operator(operator, old.clone(), first, place)?,
            },
            Atomic::CompareAndSwap(wanted) => {
                let expected = self.convert(first, &cell.ty, place)?;
                let equal = fold::binary(BinaryOp::Equal, old.expr.clone(), expected.expr);
                let new = self.convert(second, &cell.ty, place)?;
                self.when(equal.clone(), place, |this| this.store(&cell, new, place).map(|_| ()))?;
                return Ok(match wanted {
                    Wanted::Old => old,
                    Wanted::New => Value::new(Type::INT, self.kept_truth(equal, place)),
                });
            }
            Atomic::CompareExchange => {
                let seen = self.dereference(first, place)?;
                let expected = self.load(seen.clone(), place)?;
                let equal = fold::binary(BinaryOp::Equal, old.expr.clone(), expected.expr);
                let new = self.convert(second, &cell.ty, place)?;
                self.when(equal.clone(), place, |this| this.store(&cell, new, place).map(|_| ()))?;
                let differs = fold::unary(crate::ir::UnaryOp::Not, equal.clone());
                self.when(differs, place, |this| this.store(&seen, old, place).map(|_| ()))?;
                return Ok(Value::new(Type::INT, self.kept_truth(equal, place)));
            }
        };
        let new = self.convert(new, &cell.ty, place)?;
        let stored = self.store(&cell, new, place)?;
        Ok(match atomic {
            Atomic::Update(_, Wanted::New) => stored,
            _ => old,
        })
    }

    /// Comparisons of temporaries stay what they are.
    fn kept_truth(&mut self, condition: Expr, place: Place) -> Expr {
        self.materialize(Value::new(Type::INT, condition), place).expr
    }

    /// Does `work` if the condition holds.
    fn when(
        &mut self,
        condition: Expr,
        place: Place,
        work: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let span = self.span(place);
        let (then, after) = (self.body.block(span), self.body.block(span));
        self.branch_on(condition, then, after, place);
        self.body.current = then;
        let result = work(self);
        self.body.terminate(Terminator::Goto(after), span);
        self.body.current = after;
        result
    }
}
