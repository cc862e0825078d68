//! Operators on values.

use wane_grammar::c::ast::{BinaryOperator, Expr as Tree, ExprKind, UnaryOperator};
use wane_grammar::c::place::Place;

use super::access::Site;
use super::assign::Wanted;
use super::convert::Value;
use super::element::Reach;
use super::{Lowered, Lowering, fold, real};
use crate::types::{Integer, Qualifiers, Type};
use ir::{BinaryOp, Command, Expr, IntKind, UnaryOp};

/// The goto program's operator for one of C; `&&` and `||` have none.
pub(super) fn operation(operator: BinaryOperator) -> Option<BinaryOp> {
    Some(match operator {
        BinaryOperator::Multiply => BinaryOp::Multiply,
        BinaryOperator::Divide => BinaryOp::Divide,
        BinaryOperator::Remainder => BinaryOp::Remainder,
        BinaryOperator::Add => BinaryOp::Add,
        BinaryOperator::Subtract => BinaryOp::Subtract,
        BinaryOperator::ShiftLeft => BinaryOp::ShiftLeft,
        BinaryOperator::ShiftRight => BinaryOp::ShiftRight,
        BinaryOperator::Less => BinaryOp::Less,
        BinaryOperator::Greater => BinaryOp::Greater,
        BinaryOperator::LessEqual => BinaryOp::LessEqual,
        BinaryOperator::GreaterEqual => BinaryOp::GreaterEqual,
        BinaryOperator::Equal => BinaryOp::Equal,
        BinaryOperator::NotEqual => BinaryOp::NotEqual,
        BinaryOperator::BitAnd => BinaryOp::And,
        BinaryOperator::BitXor => BinaryOp::Xor,
        BinaryOperator::BitOr => BinaryOp::Or,
        BinaryOperator::And | BinaryOperator::Or => return None,
    })
}

impl<'a> Lowering<'a> {
    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &'a Tree,
        tree: &'a Tree,
    ) -> Lowered<Value> {
        let place = tree.place;
        match operator {
            UnaryOperator::PreIncrement => {
                self.step(BinaryOperator::Add, operand, Wanted::New, place)
            }
            UnaryOperator::PreDecrement => {
                self.step(BinaryOperator::Subtract, operand, Wanted::New, place)
            }
            UnaryOperator::PostIncrement => {
                self.step(BinaryOperator::Add, operand, Wanted::Old, place)
            }
            UnaryOperator::PostDecrement => {
                self.step(BinaryOperator::Subtract, operand, Wanted::Old, place)
            }
            UnaryOperator::AddressOf => self.address(operand, place),
            UnaryOperator::Dereference => self.read(tree),
            UnaryOperator::Not => {
                let value = self.tested_value(operand)?;
                let truth = self.truth(value, operand.place)?;
                Ok(Value::new(Type::INT, fold::unary(UnaryOp::Not, truth)))
            }
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::BitNot => {
                let value = self.rvalue(operand)?;
                self.arithmetic_unary(operator, value, place)
            }
        }
    }

    fn arithmetic_unary(
        &mut self,
        operator: UnaryOperator,
        value: Value,
        place: Place,
    ) -> Lowered<Value> {
        if let Some(result) = self.vector_operation(&[&value.ty], place) {
            return result;
        }
        let value = self.promote(value);
        let op = match (operator, &value.ty) {
            (UnaryOperator::Plus, Type::Int(_) | Type::Float(_)) => return Ok(value),
            (UnaryOperator::Minus, Type::Float(bytes)) => {
                return match self.real(&value) {
                    Some(real) => Ok(real.negated().value()),
                    None => self.unknown_real(*bytes, place),
                };
            }
            (UnaryOperator::Minus, _) => UnaryOp::Negate,
            _ => UnaryOp::BitNot,
        };
        if let (UnaryOperator::BitNot, Type::Float(bytes)) = (operator, &value.ty) {
            let bytes = *bytes;
            self.unsupported("conjugate of a complex number", place);
            return self.unknown_real(bytes, place);
        }
        let Type::Int(int) = value.ty else {
            let message = format!("{} is no operand for this", self.describe(&value.ty));
            return self.error(place, message);
        };
        let expr = self.settle_at(int, fold::unary(op, value.expr), place);
        Ok(Value::new(Type::Int(int), expr))
    }

    /// `&operand`
    fn address(&mut self, operand: &'a Tree, place: Place) -> Lowered<Value> {
        // `&*p` reads nothing.
        if let ExprKind::Unary(UnaryOperator::Dereference, pointer) = &operand.kind {
            let value = self.rvalue(pointer)?;
            if matches!(value.ty, Type::Pointer(_)) {
                return Ok(value);
            }
        }
        let lvalue = match &operand.kind {
            ExprKind::Index(array, index) => {
                self.element((array, index), Reach::OnePast, operand.place)?
            }
            _ => self.lvalue(operand)?,
        };
        let address = self.address_of(&lvalue, place)?;
        let volatile = matches!(lvalue.site, Site::Volatile(_));
        let qualifiers = Qualifiers { constant: false, volatile };
        Ok(Value::new(lvalue.ty.pointer_with(qualifiers), address))
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &'a Tree,
        right: &'a Tree,
        tree: &'a Tree,
    ) -> Lowered<Value> {
        let Some(op) = operation(operator) else {
            return self.logical(operator, left, right, tree);
        };
        self.in_any_order(&[left, right], tree.place, |this| {
            let first = this.rvalue(left)?;
            let first = this.keep(first, &[right], left.place);
            let second = this.rvalue(right)?;
            this.apply(op, first, second, tree.place)
        })
    }

    /// `left op right` for an operator of C.
    pub(super) fn apply_operator(
        &mut self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
        place: Place,
    ) -> Lowered<Value> {
        match operation(operator) {
            Some(op) => self.apply(op, left, right, place),
            None => self.error(place, "this operator does not assign"),
        }
    }

    fn apply(&mut self, op: BinaryOp, left: Value, right: Value, place: Place) -> Lowered<Value> {
        if let Some(result) = self.vector_operation(&[&left.ty, &right.ty], place) {
            return result;
        }
        match op {
            BinaryOp::Add => self.add(left, right, place),
            BinaryOp::Subtract => self.subtract(left, right, place),
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => self.compare(op, left, right, place),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => self.shift(op, left, right, place),
            _ => self.arithmetic(op, left, right, place),
        }
    }

    pub(super) fn add(&mut self, left: Value, right: Value, place: Place) -> Lowered<Value> {
        match (&left.ty, &right.ty) {
            (Type::Pointer(_), Type::Int(_)) => self.offset(BinaryOp::Add, left, right, place),
            (Type::Int(_), Type::Pointer(_)) => self.offset(BinaryOp::Add, right, left, place),
            _ => self.arithmetic(BinaryOp::Add, left, right, place),
        }
    }

    fn subtract(&mut self, left: Value, right: Value, place: Place) -> Lowered<Value> {
        match (&left.ty, &right.ty) {
            (Type::Pointer(_), Type::Int(_)) => self.offset(BinaryOp::Subtract, left, right, place),
            (Type::Pointer(pointee), Type::Pointer(_)) => {
                self.note_comparison(&left, &right);
                let size = self.size_expr(&pointee.ty, place)?;
                let bytes = self.distance(left.expr, right.expr);
                let is_total = self.has_quotients(&size);
                let count = fold::binary(BinaryOp::Divide, bytes, size);
                let count = Value::new(Type::Int(self.types.difference_type()), count);
                Ok(if is_total { count } else { self.materialize(count, place) })
            }
            _ => self.arithmetic(BinaryOp::Subtract, left, right, place),
        }
    }

    /// The bytes between two addresses; what is added to one of them counts modulo
    /// the address space.
    fn distance(&self, left: Expr, right: Expr) -> Expr {
        let are_plain = [&left, &right].iter().all(|it| matches!(it, Expr::Variable(_)));
        let bytes = fold::binary(BinaryOp::Subtract, left, right);
        let word = IntKind { bits: self.pointer_bits(), signed: true };
        if are_plain { bytes } else { self.wrap(word, bytes) }
    }

    /// `pointer ± index`, in bytes.
    fn offset(
        &mut self,
        op: BinaryOp,
        pointer: Value,
        index: Value,
        place: Place,
    ) -> Lowered<Value> {
        let Type::Pointer(pointee) = &pointer.ty else {
            return self.error(place, "this is no pointer");
        };
        let size = self.size_expr(&pointee.ty, place)?;
        let index = self.index(index.expr);
        let distance = fold::binary(BinaryOp::Multiply, index, size);
        Ok(Value { expr: fold::binary(op, pointer.expr, distance), ty: pointer.ty })
    }

    /// Addresses count modulo their width, so an index as wide as an address
    /// need not be reduced to its unsigned range: `p + (size_t)-1` is `p - 1`.
    fn index(&self, index: Expr) -> Expr {
        let bits = self.pointer_bits();
        match index {
            Expr::Wrap(kind, inner) if kind.bits == bits && !kind.signed => *inner,
            Expr::Constant(value) if value >= 1_i128 << (bits - 1) => {
                Expr::Constant(value - (1_i128 << bits))
            }
            other => other,
        }
    }

    fn compare(&mut self, op: BinaryOp, left: Value, right: Value, place: Place) -> Lowered<Value> {
        let (left, right) = match (&left.ty, &right.ty) {
            (Type::Pointer(_) | Type::VaList, Type::Pointer(_) | Type::VaList) => {
                self.note_comparison(&left, &right);
                (self.number_of(left.expr), self.number_of(right.expr))
            }
            (Type::Pointer(_), Type::Int(_)) => {
                (self.number_of(left.expr), self.int_as_address(right))
            }
            (Type::Int(_), Type::Pointer(_)) => {
                (self.int_as_address(left), self.number_of(right.expr))
            }
            (Type::Int(a), Type::Int(b)) => {
                let common = Type::Int(a.common(*b, self.types.model));
                let left = self.convert(left, &common, place)?;
                let right = self.convert(right, &common, place)?;
                (left.expr, right.expr)
            }
            (Type::Float(_), Type::Int(_) | Type::Float(_)) | (Type::Int(_), Type::Float(_)) => {
                let known = self.reals(&left, &right).and_then(|both| real::compare(op, both));
                return match known {
                    Some(truth) => Ok(Value::new(Type::INT, i128::from(truth))),
                    None => Ok(Value { ty: Type::INT, ..self.arbitrary_truth(place)? }),
                };
            }
            (a, b) => {
                let message =
                    format!("{} cannot be compared with {}", self.describe(a), self.describe(b));
                return self.error(place, message);
            }
        };
        Ok(Value::new(Type::INT, fold::binary(op, left, right)))
    }

    /// An integer that is compared with an address.
    fn int_as_address(&mut self, value: Value) -> Expr {
        let expr = self.int_to_pointer(value.expr);
        self.number_of(expr)
    }

    fn shift(&mut self, op: BinaryOp, left: Value, right: Value, place: Place) -> Lowered<Value> {
        let (left, right) = (self.promote(left), self.promote(right));
        let (Type::Int(int), Type::Int(_)) = (&left.ty, &right.ty) else {
            return self.error(place, "only integers are shifted");
        };
        let int = *int;
        let kind = int.kind(self.types.model);
        let is_total = self.is_within(&right.expr, 0, i128::from(kind.bits) - 1);
        self.check_distance(kind.bits, &right.expr, place);
        let are_known = matches!((&left.expr, &right.expr), (Expr::Constant(_), Expr::Constant(_)));
        let shifted = fold::binary(op, left.expr, right.expr);
        let expr = match op {
            // What compilers make of `1 << 31`.
            BinaryOp::ShiftLeft if are_known => self.wrap(kind, shifted),
            BinaryOp::ShiftLeft => self.settle_at(int, shifted, place),
            _ => shifted,
        };
        let value = Value::new(Type::Int(int), expr);
        Ok(if is_total { value } else { self.materialize(value, place) })
    }

    /// Whether all numbers have quotients by this one, and remainders. What may have no result
    /// is evaluated by a command of its own: it goes wrong also where its value is not used.
    fn has_quotients(&self, divisor: &Expr) -> bool {
        self.is_within(divisor, 1, i128::MAX) || self.is_within(divisor, i128::MIN, -1)
    }

    /// A shift by the width or more has no result. A shift by a negative distance is an
    /// error already; so is that of 0 by what is left of the width.
    fn check_distance(&mut self, bits: u8, distance: &Expr, place: Place) {
        let last = i128::from(bits) - 1;
        if self.is_within(distance, 0, last) {
            return;
        }
        let left = fold::binary(BinaryOp::Subtract, Expr::Constant(last), distance.clone());
        let checked = Expr::binary(BinaryOp::ShiftRight, Expr::Constant(0), left);
        let condition = Expr::binary(BinaryOp::Equal, checked, Expr::Constant(0));
        self.emit(Command::Assume { condition }, place);
    }

    fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        place: Place,
    ) -> Lowered<Value> {
        match (&left.ty, &right.ty) {
            (Type::Int(a), Type::Int(b)) => {
                let int = a.common(*b, self.types.model);
                let left = self.convert(left, &Type::Int(int), place)?;
                let right = self.convert(right, &Type::Int(int), place)?;
                let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
                let is_total = !divides || self.has_quotients(&right.expr);
                let expr = self.result(op, int, (left.expr, right.expr), place);
                let value = Value::new(Type::Int(int), expr);
                Ok(if is_total { value } else { self.materialize(value, place) })
            }
            (Type::Float(_), Type::Int(_) | Type::Float(_)) | (Type::Int(_), Type::Float(_)) => {
                match self.reals(&left, &right).and_then(|both| real::arithmetic(op, both)) {
                    Some(real) => Ok(real.value()),
                    None => self.unknown_real(real::width(&left.ty, &right.ty), place),
                }
            }
            (a, b) => {
                let message = format!(
                    "{} and {} are no operands for this",
                    self.describe(a),
                    self.describe(b)
                );
                self.error(place, message)
            }
        }
    }

    /// Quotients of unsigned numbers, remainders and the bits that two numbers
    /// of a type have in common stay in the type.
    fn result(
        &mut self,
        op: BinaryOp,
        int: Integer,
        (left, right): (Expr, Expr),
        place: Place,
    ) -> Expr {
        // The remainder is undefined where the quotient is.
        if op == BinaryOp::Remainder && int.is_signed() {
            let quotient = fold::binary(BinaryOp::Divide, left.clone(), right.clone());
            self.settle_at(int, quotient, place);
        }
        let expr = fold::binary(op, left, right);
        let stays = match op {
            BinaryOp::Divide => !int.is_signed(),
            BinaryOp::Remainder | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => true,
            _ => false,
        };
        if stays { expr } else { self.settle_at(int, expr, place) }
    }
}
