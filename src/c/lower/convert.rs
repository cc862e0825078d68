//! Values, and their conversion from one C type to another.

use wane_grammar::c::place::Place;

use super::fold::{self, Ranges};
use super::scope::Home;
use super::{Lowered, Lowering};
use crate::Atomics;
use crate::types::{Integer, Type};
use ir::semantics::IntModel;
use ir::{BinaryOp, Command, Expr, HavocSource, IntKind, ScalarType, Variable};

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) ty: Type,
    /// The scalar; the address of a structure or `va_list`.
    pub(super) expr: Expr,
}

impl Value {
    pub(super) fn new(ty: Type, expr: impl Into<Expr>) -> Self {
        Self { ty, expr: expr.into() }
    }

    /// The value of an expression without one.
    pub(super) fn void() -> Self {
        Self::new(Type::Void, 0)
    }

    /// Whether it is the constant 0.
    pub(super) fn is_zero(&self) -> bool {
        self.expr == Expr::Constant(0)
    }
}

impl Lowering<'_> {
    /// Reads ranges off the expressions made so far.
    fn ranges(&self) -> Ranges<'_> {
        Ranges {
            variables: &self.parts.variables,
            model: self.options.int_model,
            pointer_bits: self.pointer_bits(),
        }
    }

    pub(super) fn pointer_bits(&self) -> u8 {
        8 * u8::try_from(self.types.model.pointer_bytes()).unwrap_or(8)
    }

    /// Whether the value is surely between the two.
    pub(super) fn is_within(&self, expr: &Expr, least: i128, most: i128) -> bool {
        self.ranges().of(expr).is_some_and(|(low, high)| least <= low && high <= most)
    }

    /// The value reduced to the range of `kind`.
    pub(super) fn wrap(&self, kind: IntKind, expr: Expr) -> Expr {
        self.ranges().wrap(kind, expr)
    }

    /// The result of arithmetic in an integer type: unsigned results wrap, and
    /// under the machine model signed ones too.
    pub(super) fn settle(&self, int: Integer, expr: Expr) -> Expr {
        let wraps = self.context.wraps && self.options.atomics == Atomics::Wrapping;
        let is_exact = self.options.int_model != IntModel::Machine && !wraps;
        if int.is_signed() && is_exact {
            return expr;
        }
        self.wrap(int.kind(self.types.model), expr)
    }

    /// As [`Self::settle`]; where signed results must not overflow, runs in which this
    /// one does end here.
    pub(super) fn settle_at(&mut self, int: Integer, expr: Expr, place: Place) -> Expr {
        if int.is_signed() && self.options.int_model == IntModel::C && !self.context.wraps {
            let wrapped = self.wrap(int.kind(self.types.model), expr.clone());
            if wrapped != expr {
                let condition = fold::binary(BinaryOp::Equal, wrapped, expr.clone());
                self.emit(Command::Assume { condition }, place);
            }
        }
        self.settle(int, expr)
    }

    /// A new temporary of the current procedure.
    pub(super) fn temporary(&mut self, ty: ScalarType, place: Place) -> Variable {
        let span = self.span(place);
        self.parts.temporary(ty, self.body.procedure, span)
    }

    /// The same for values of a type of C, with its form; nothing for those that are no scalars.
    pub(super) fn temporary_for(&mut self, ty: &Type, place: Place) -> Option<Variable> {
        let scalar = self.types.scalar(ty)?;
        let target = self.temporary(scalar, place);
        self.note_form(Home::Register(target), ty);
        Some(target)
    }

    /// An arbitrary value.
    pub(super) fn arbitrary(
        &mut self,
        ty: &Type,
        source: HavocSource,
        place: Place,
    ) -> Lowered<Value> {
        let Some(target) = self.temporary_for(ty, place) else {
            let block = self.arbitrary_block(ty, place)?;
            if *ty != Type::Void {
                self.scramble(ty, block.expr.clone(), "arbitrary object", place);
            }
            return Ok(block);
        };
        self.emit(Command::Havoc { target, source }, place);
        Ok(Value::new(ty.clone(), target))
    }

    /// The value of something that is not modelled.
    pub(super) fn approximation(&mut self, ty: &Type, what: &str, place: Place) -> Lowered<Value> {
        self.arbitrary(ty, HavocSource::Approximation(what.to_owned()), place)
    }

    /// Converts a value to another type.
    pub(super) fn convert(&mut self, value: Value, to: &Type, place: Place) -> Lowered<Value> {
        if let Some(result) = self.convert_vector(&value.ty, to, place) {
            return result;
        }
        let to = to.clone();
        let expr = match (&value.ty, &to) {
            (_, Type::Void) => return Ok(Value::void()),
            (Type::Float(_), Type::Float(_)) if value.ty == to => value.expr,
            (_, Type::Int(Integer::Bool)) if value.ty.is_scalar() => match value.ty {
                Type::Float(_) => self.truth(value, place)?,
                Type::Pointer(_) => fold::truth(self.number_of(value.expr)),
                _ => fold::truth(value.expr),
            },
            (Type::Int(from), Type::Int(int)) => {
                let converted = self.convert_int(*from, *int, value.expr.clone());
                if matches!(converted, Expr::Wrap(..)) {
                    self.note_range(*from, *int, value.expr, place);
                }
                converted
            }
            (Type::Float(_), Type::Int(int)) => {
                let known =
                    self.real(&value).and_then(|it| it.truncated(int.kind(self.types.model)));
                match known {
                    Some(number) => number.into(),
                    None => return self.approximation(&to, "floating-point number", place),
                }
            }
            (Type::Int(_) | Type::Float(_), Type::Float(bytes)) => {
                return match self.real_as(&value, *bytes) {
                    Some(real) => Ok(real.value()),
                    None => self.unknown_real(*bytes, place),
                };
            }
            (Type::Int(_), Type::Pointer(_)) => self.int_to_pointer(value.expr),
            (Type::Pointer(_), Type::Int(int)) => {
                self.note_comparison(&value, &value);
                let kind = int.kind(self.types.model);
                let number = match value.expr {
                    Expr::Constant(_) => self.number_of(value.expr),
                    other => Expr::Wrap(self.address_kind(), Box::new(other)),
                };
                self.wrap(kind, number)
            }
            (Type::Pointer(from), Type::Pointer(pointee)) => {
                self.note_cast(from, &value.expr, pointee);
                value.expr
            }
            (Type::Record(from), Type::Record(into)) if from == into => value.expr,
            (Type::VaList, Type::VaList | Type::Pointer(_)) | (Type::Pointer(_), Type::VaList) => {
                value.expr
            }
            (Type::Int(_), Type::VaList) => {
                self.unsupported("first value of a `va_list`", place);
                return Ok(Value::new(Type::VaList, self.block_of(&Type::VaList, place)?));
            }
            (from, to) => {
                let message =
                    format!("{} cannot become {}", self.describe(from), self.describe(to));
                return self.error(place, message);
            }
        };
        Ok(Value { ty: to, expr })
    }

    /// Conversion between integer types: narrower and unsigned types wrap, a
    /// type that holds all values of the other changes nothing.
    fn convert_int(&self, from: Integer, to: Integer, expr: Expr) -> Expr {
        let (source, target) = (from.kind(self.types.model), to.kind(self.types.model));
        let holds_all = if source.signed == target.signed {
            target.bits >= source.bits
        } else {
            target.signed && target.bits > source.bits
        };
        if holds_all { expr } else { self.wrap(target, expr) }
    }

    /// Where integers wrap around, each has a value of its type.
    pub(super) fn assume_range(&mut self, variable: Variable, ty: ScalarType, place: Place) {
        let (ScalarType::Int(kind), IntModel::Machine) = (ty, self.options.int_model) else {
            return;
        };
        // Values of the other types are in their range by themselves.
        if kind.signed && kind.bits >= 32 {
            let least = Expr::binary(BinaryOp::GreaterEqual, variable.into(), kind.min().into());
            let most = Expr::binary(BinaryOp::LessEqual, variable.into(), kind.max().into());
            self.emit(Command::Assume { condition: least }, place);
            self.emit(Command::Assume { condition: most }, place);
        }
    }

    /// Signed integers are in their range, for they wrap around or do not overflow.
    /// It is said where it matters most: where they become sizes.
    fn note_range(&mut self, from: Integer, to: Integer, expr: Expr, place: Place) {
        let (source, target) = (from.kind(self.types.model), to.kind(self.types.model));
        let is_size = source.signed && !target.signed && target.bits >= source.bits;
        if is_size {
            let wrapped = Expr::Wrap(source, Box::new(expr.clone()));
            let condition = Expr::binary(BinaryOp::Equal, wrapped, expr);
            self.emit(Command::Assume { condition }, place);
        }
    }

    /// The integer type that an address fits in exactly.
    fn address_kind(&self) -> IntKind {
        IntKind { bits: self.pointer_bits(), signed: false }
    }

    /// Addresses count modulo the address space: what is assigned to a pointer is
    /// reduced by that, so that no other reduction to that width is needed.
    pub(super) fn int_to_pointer(&self, expr: Expr) -> Expr {
        match expr {
            Expr::Constant(_) => self.wrap(self.address_kind(), expr),
            other => modular(other, self.pointer_bits()),
        }
    }

    /// The number of an address that is not in a variable: one that was counted on
    /// from another address is reduced to the address space.
    pub(super) fn number_of(&self, address: Expr) -> Expr {
        match address {
            Expr::Variable(_) | Expr::Procedure(_) => address,
            other => self.wrap(self.address_kind(), other),
        }
    }

    /// 0 or 1, unknown which.
    pub(super) fn arbitrary_truth(&mut self, place: Place) -> Lowered<Value> {
        self.approximation(&Type::Int(Integer::Bool), "floating-point number", place)
    }

    /// The value as 0 or 1, for a condition.
    pub(super) fn truth(&mut self, value: Value, place: Place) -> Lowered<Expr> {
        match value.ty {
            Type::Int(_) => Ok(fold::truth(value.expr)),
            Type::Pointer(_) => Ok(fold::truth(self.number_of(value.expr))),
            Type::Float(_) => match self.real(&value) {
                Some(real) => Ok(Expr::Constant(real.is_nonzero().into())),
                None => Ok(self.arbitrary_truth(place)?.expr),
            },
            ty => {
                let message = format!("{} is no condition", self.describe(&ty));
                self.error(place, message)
            }
        }
    }

    /// Integer promotion.
    pub(super) fn promote(&self, value: Value) -> Value {
        match value.ty {
            Type::Int(int) => Value { ty: Type::Int(int.promoted()), expr: value.expr },
            _ => value,
        }
    }

    /// The value of a variable argument or of an argument without prototype.
    pub(super) fn promote_argument(&mut self, value: Value, place: Place) -> Lowered<Value> {
        match value.ty {
            Type::Float(4) => self.convert(value, &Type::Float(8), place),
            _ => Ok(self.promote(value)),
        }
    }
}

/// The expression without reductions to a width that sums modulo that width need.
fn modular(expr: Expr, bits: u8) -> Expr {
    match expr {
        Expr::Wrap(kind, inner) if kind.bits == bits => modular(*inner, bits),
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            Expr::binary(op, modular(*left, bits), modular(*right, bits))
        }
        other => other,
    }
}
