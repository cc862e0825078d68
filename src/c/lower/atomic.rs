//! The compiler's atomic operations, as one thread sees them.

use wane_grammar::c::ast::BinaryOperator;
use wane_grammar::c::place::Place;

use super::access::Lvalue;
use super::assign::Wanted;
use super::convert::Value;
use super::model::SectionEnd;
use super::operator::operation;
use super::{Lowered, Lowering, fold};
use crate::types::{Integer, Type};
use crate::{Atomics, Threads};
use ir::{BinaryOp, Expr, HavocSource, ScalarType, Terminator, UnaryOp};

/// What an atomic operation does to the cell that its first argument points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atomic {
    /// Reads it.
    Load,
    /// Reads it into what the second argument points at.
    LoadInto,
    /// Writes what the second argument points at.
    StoreFrom,
    /// Writes what the second argument points at, and what was there to where the
    /// third one points.
    ExchangeInto,
    /// Writes the second argument.
    Store,
    /// Writes zero.
    Clear,
    /// Writes zero to one byte.
    ClearByte,
    /// Writes the second argument and yields what was there.
    Exchange,
    /// Writes one to one byte and yields what was there.
    TestAndSet,
    /// Applies an operator and yields the old or the new value.
    Update(Operator, Wanted),
    /// Writes the third argument if the second one is there.
    CompareAndSwap(Wanted),
    /// Like the last, but the second argument points at the expected value,
    /// and receives what is there if the two differ. The third argument may be the
    /// new value, or point at it; the fourth says whether the operation may fail
    /// although they are equal.
    CompareExchange(Passed),
    /// Whether the machine has such operations: nobody knows.
    Ask,
    /// Orders memory accesses: nothing for one thread.
    Fence,
}

/// What is applied to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// An operator of C.
    Plain(BinaryOperator),
    /// `~(a & b)`
    Nand,
}

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    /// As a value.
    Value,
    /// By its address.
    Address,
}

impl Atomic {
    /// The operation of a builtin function.
    pub(super) fn of(name: &str) -> Option<Self> {
        if let Some(rest) = name.strip_prefix("__sync_") {
            return Self::of_sync(rest);
        }
        Some(match name.strip_prefix("__atomic_")? {
            "load_n" => Self::Load,
            "load" => Self::LoadInto,
            "store" => Self::StoreFrom,
            "exchange" => Self::ExchangeInto,
            "compare_exchange" => Self::CompareExchange(Passed::Address),
            "always_lock_free" | "is_lock_free" => Self::Ask,
            "store_n" => Self::Store,
            "clear" => Self::ClearByte,
            "exchange_n" => Self::Exchange,
            "test_and_set" => Self::TestAndSet,
            "compare_exchange_n" => Self::CompareExchange(Passed::Value),
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

fn operator_of(name: &str) -> Option<Operator> {
    Some(Operator::Plain(match name {
        "nand" => return Some(Operator::Nand),
        "add" => BinaryOperator::Add,
        "sub" => BinaryOperator::Subtract,
        "and" => BinaryOperator::BitAnd,
        "or" => BinaryOperator::BitOr,
        "xor" => BinaryOperator::BitXor,
        _ => return None,
    }))
}

impl Lowering<'_> {
    /// An atomic operation. One step is the access of its cell only: what it is given is read
    /// before, and what it gives beside its value is written behind.
    pub(super) fn call_atomic(
        &mut self,
        atomic: Atomic,
        values: Vec<Value>,
        place: Place,
    ) -> Lowered<Value> {
        match atomic {
            Atomic::Fence => return Ok(Value::void()),
            Atomic::Ask => return self.either(place),
            _ => {}
        }
        let mut values = values.into_iter();
        let Some(pointer) = values.next() else { return Ok(Value::void()) };
        let mut cell = self.dereference(pointer, place)?;
        if let Atomic::ClearByte | Atomic::TestAndSet = atomic {
            cell.ty = Type::Int(Integer::UnsignedChar);
        }
        if !cell.ty.is_scalar() {
            self.unsupported("atomic operation on this type", place);
            return self.arbitrary_block(&cell.ty, place);
        }
        let mut argument = || values.next().unwrap_or_else(|| Value::new(Type::INT, 0));
        let arguments = [argument(), argument(), argument()];
        if let Atomic::CompareAndSwap(_) | Atomic::CompareExchange(_) = atomic {
            return self.compare_and_swap(atomic, &cell, arguments, place);
        }
        let [first, second, _] = arguments;
        let operand = match atomic {
            Atomic::StoreFrom | Atomic::ExchangeInto => self.pointed_value(first.clone(), place)?,
            _ => first.clone(),
        };
        self.mark_section(SectionEnd::Begin, place)?;
        let old = self.load(cell.clone(), place)?;
        let new = match atomic {
            Atomic::Clear | Atomic::ClearByte => Some(Value::new(Type::INT, 0)),
            Atomic::TestAndSet => Some(Value::new(Type::INT, 1)),
            Atomic::Update(operator, _) => {
                Some(self.updated(operator, old.clone(), operand, place)?)
            }
            Atomic::Store | Atomic::Exchange | Atomic::StoreFrom | Atomic::ExchangeInto => {
                Some(operand)
            }
            _ => None,
        };
        let mut stored = None;
        if let Some(new) = new {
            let new = self.convert(new, &cell.ty, place)?;
            stored = Some(self.store(&cell, new, place)?);
        }
        self.mark_section(SectionEnd::End, place)?;
        match (atomic, stored) {
            (Atomic::LoadInto, _) => self.give(first, old, place),
            (Atomic::ExchangeInto, _) => self.give(second, old, place),
            (Atomic::StoreFrom, _) => Ok(Value::void()),
            (Atomic::Update(_, Wanted::New), Some(stored)) => Ok(stored),
            _ => Ok(old),
        }
    }

    /// Compares a cell with what is expected there, and writes it if that is so.
    fn compare_and_swap(
        &mut self,
        atomic: Atomic,
        cell: &Lvalue,
        [first, second, third]: [Value; 3],
        place: Place,
    ) -> Lowered<Value> {
        let (seen, expected, new) = match atomic {
            Atomic::CompareExchange(passed) => {
                let new = match passed {
                    Passed::Value => second,
                    Passed::Address => self.pointed_value(second, place)?,
                };
                let seen = self.dereference(first, place)?;
                let expected = self.load(seen.clone(), place)?;
                (Some(seen), expected, new)
            }
            _ => (None, self.convert(first, &cell.ty, place)?, second),
        };
        let new = self.convert(new, &cell.ty, place)?;
        let luck = match &seen {
            Some(_) if !third.is_zero() => Some(self.luck(place)?.expr),
            _ => None,
        };
        self.mark_section(SectionEnd::Begin, place)?;
        let old = self.load(cell.clone(), place)?;
        let mut equal = fold::binary(BinaryOp::Equal, old.expr.clone(), expected.expr);
        if let Some(luck) = luck {
            equal = fold::binary(BinaryOp::And, luck, equal);
        }
        if seen.is_some() {
            equal = self.kept_truth(equal, place);
        }
        self.when(equal.clone(), place, |this| this.store(cell, new, place).map(|_| ()))?;
        self.mark_section(SectionEnd::End, place)?;
        if let Some(seen) = seen {
            let differs = fold::unary(UnaryOp::Not, equal.clone());
            self.when(differs, place, |this| this.store(&seen, old, place).map(|_| ()))?;
            return Ok(Value::new(Type::INT, self.kept_truth(equal, place)));
        }
        match atomic {
            Atomic::CompareAndSwap(Wanted::Old) => Ok(old),
            _ => Ok(Value::new(Type::INT, self.kept_truth(equal, place))),
        }
    }

    /// Writes a value to where a pointer points.
    fn give(&mut self, pointer: Value, value: Value, place: Place) -> Lowered<Value> {
        let target = self.dereference(pointer, place)?;
        self.store(&target, value, place)?;
        Ok(Value::void())
    }

    /// Whether a weak exchange does not fail: beside other threads it may fail as often as it
    /// likes (C11 7.17.7.4p4).
    fn luck(&mut self, place: Place) -> Lowered<Value> {
        if self.options.threads == Threads::One {
            return self.either(place);
        }
        let source = HavocSource::Input("whether a weak exchange fails".to_owned());
        let value = self.arbitrary(&Type::Int(Integer::Bool), source, place)?;
        Ok(Value { ty: Type::INT, expr: value.expr })
    }

    /// 0 or 1, as the implementation likes.
    fn either(&mut self, place: Place) -> Lowered<Value> {
        let value = self.approximation(&Type::Int(Integer::Bool), "atomic operation", place)?;
        Ok(Value { ty: Type::INT, expr: value.expr })
    }

    /// What the pointer points at.
    fn pointed_value(&mut self, pointer: Value, place: Place) -> Lowered<Value> {
        let lvalue = self.dereference(pointer, place)?;
        self.load(lvalue, place)
    }

    /// The new value of a cell. Pointers are moved by bytes.
    fn updated(
        &mut self,
        operator: Operator,
        old: Value,
        operand: Value,
        place: Place,
    ) -> Lowered<Value> {
        if !matches!(old.ty, Type::Pointer(_)) {
            let (operator, is_nand) = match operator {
                Operator::Plain(operator) => (operator, false),
                Operator::Nand => (BinaryOperator::BitAnd, true),
            };
            let Some(ScalarType::Int(kind)) = self.types.scalar(&old.ty) else {
                return self.apply_operator(operator, old, operand, place);
            };
            // Where numbers are of bits at all, the result wraps around.
            let operand = self.convert(operand, &old.ty, place)?;
            let Some(op) = operation(operator) else { return Ok(old) };
            let result = fold::binary(op, old.expr, operand.expr);
            let result = if is_nand { fold::unary(UnaryOp::BitNot, result) } else { result };
            let is_exact = kind.signed && self.options.atomics == Atomics::Exact;
            let expr = if is_exact { result } else { self.wrap(kind, result) };
            return Ok(Value { expr, ty: old.ty });
        }
        let op = match operator {
            Operator::Plain(BinaryOperator::Add) => BinaryOp::Add,
            Operator::Plain(BinaryOperator::Subtract) => BinaryOp::Subtract,
            Operator::Plain(_) | Operator::Nand => {
                self.unsupported("bits of an address", place);
                BinaryOp::Add
            }
        };
        let distance = Type::Int(self.types.difference_type());
        let operand = self.convert(operand, &distance, place)?;
        Ok(Value { expr: fold::binary(op, old.expr, operand.expr), ty: old.ty })
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
