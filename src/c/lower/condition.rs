//! Conditions: `&&`, `||`, `?:`, and branches.

use wane_grammar::c::ast::{BinaryOperator, Expr as Tree, ExprKind, UnaryOperator};
use wane_grammar::c::place::Place;

use super::convert::Value;
use super::operator::operation;
use super::scope::Entity;
use super::{Lowered, Lowering, fold};
use crate::c::types::{Pointee, Type};
use crate::ir::{BlockId, Expr, IntKind, ScalarType, Terminator, Variable};

impl<'a> Lowering<'a> {
    /// Goes to `then` if the condition holds, else to `otherwise`.
    pub(super) fn branch(
        &mut self,
        tree: &'a Tree,
        then: BlockId,
        otherwise: BlockId,
    ) -> Lowered<()> {
        let span = self.span(tree.place);
        match &tree.kind {
            ExprKind::Unary(UnaryOperator::Not, operand) => self.branch(operand, otherwise, then),
            ExprKind::Binary(BinaryOperator::And, left, right) => {
                let middle = self.body.block(span);
                self.branch(left, middle, otherwise)?;
                self.body.current = middle;
                self.branch(right, then, otherwise)
            }
            ExprKind::Binary(BinaryOperator::Or, left, right) => {
                let middle = self.body.block(span);
                self.branch(left, then, middle)?;
                self.body.current = middle;
                self.branch(right, then, otherwise)
            }
            _ => {
                let value = self.tested_value(tree)?;
                let condition = self.truth(value, tree.place)?;
                self.branch_on(condition, then, otherwise, tree.place);
                Ok(())
            }
        }
    }

    /// A value of which only matters whether it is zero.
    pub(super) fn tested_value(&mut self, tree: &'a Tree) -> Lowered<Value> {
        self.note_tested(tree);
        self.rvalue(tree)
    }

    fn note_tested(&mut self, tree: &Tree) {
        match &tree.kind {
            ExprKind::Call(..) => self.tested = Some(tree.place),
            ExprKind::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, left, right) if matches!(&right.kind, ExprKind::Integer(literal) if literal.value == 0) =>
            {
                self.note_tested(left);
            }
            _ => {}
        }
    }

    pub(super) fn branch_on(
        &mut self,
        condition: Expr,
        then: BlockId,
        otherwise: BlockId,
        place: Place,
    ) {
        let span = self.span(place);
        let terminator = match condition {
            Expr::Constant(0) => Terminator::Goto(otherwise),
            Expr::Constant(_) => Terminator::Goto(then),
            condition => Terminator::Branch { condition, then, otherwise },
        };
        self.body.terminate(terminator, span);
    }

    /// The value of `left && right` or `left || right`.
    pub(super) fn logical(
        &mut self,
        operator: BinaryOperator,
        left: &'a Tree,
        right: &'a Tree,
        tree: &'a Tree,
    ) -> Lowered<Value> {
        // A constant left side decides, or leaves the right side.
        if let Some(value) = self.known_truth(left)? {
            let decides = value == (operator == BinaryOperator::Or);
            if decides {
                return Ok(Value::new(Type::INT, i128::from(value)));
            }
            let right_value = self.rvalue(right)?;
            return Ok(Value::new(Type::INT, self.truth(right_value, right.place)?));
        }
        let span = self.span(tree.place);
        let result =
            self.temporary(ScalarType::Int(IntKind { bits: 32, signed: true }), tree.place);
        let (yes, no, join) = (self.body.block(span), self.body.block(span), self.body.block(span));
        self.branch(tree, yes, no)?;
        for (block, value) in [(yes, 1), (no, 0)] {
            self.body.current = block;
            self.assign(result, Expr::Constant(value), tree.place);
            self.body.terminate(Terminator::Goto(join), span);
        }
        self.body.current = join;
        Ok(Value::new(Type::INT, result))
    }

    /// Whether an expression is a constant that is easily seen, and which.
    fn known_truth(&mut self, tree: &'a Tree) -> Lowered<Option<bool>> {
        Ok(self.evident(tree)?.map(|value| value != 0))
    }

    /// The value of a constant expression, found without lowering it; `None`
    /// says nothing.
    fn evident(&mut self, tree: &'a Tree) -> Lowered<Option<i128>> {
        Ok(match &tree.kind {
            ExprKind::Integer(literal) => Some(literal.value),
            ExprKind::Character(literal) => Some(self.character(*literal).1),
            ExprKind::Name(name) => match self.scopes.entity(*name) {
                Some(Entity::Constant(value, _)) => Some(*value),
                _ => None,
            },
            ExprKind::SizeofType(_) | ExprKind::SizeofExpr(_) | ExprKind::TypesCompatible(..) => {
                match self.aside(|this| this.rvalue(tree))?.expr {
                    Expr::Constant(value) => Some(value),
                    _ => None,
                }
            }
            ExprKind::Unary(UnaryOperator::Not, operand) => {
                self.evident(operand)?.map(|value| i128::from(value == 0))
            }
            ExprKind::Unary(UnaryOperator::Minus, operand) => {
                self.evident(operand)?.map(|value| -value)
            }
            ExprKind::Binary(operator, left, right) => {
                self.evident_binary(*operator, left, right)?
            }
            ExprKind::Conditional(condition, Some(then), otherwise) => {
                match self.evident(condition)? {
                    Some(0) => self.evident(otherwise)?,
                    Some(_) => self.evident(then)?,
                    None => None,
                }
            }
            _ => None,
        })
    }

    fn evident_binary(
        &mut self,
        operator: BinaryOperator,
        left: &'a Tree,
        right: &'a Tree,
    ) -> Lowered<Option<i128>> {
        let Some(left) = self.evident(left)? else { return Ok(None) };
        match operator {
            BinaryOperator::And if left == 0 => return Ok(Some(0)),
            BinaryOperator::Or if left != 0 => return Ok(Some(1)),
            _ => {}
        }
        let Some(right) = self.evident(right)? else { return Ok(None) };
        if let BinaryOperator::And | BinaryOperator::Or = operator {
            return Ok(Some(i128::from(right != 0)));
        }
        // Beyond `int` the operands' types would matter.
        let small = |value: &i128| i32::try_from(*value).is_ok();
        let result =
            operation(operator).and_then(|op| match fold::binary(op, left.into(), right.into()) {
                Expr::Constant(value) => Some(value),
                _ => None,
            });
        Ok(result.filter(|value| small(&left) && small(&right) && small(value)))
    }

    /// The value of `condition ? then : otherwise`.
    pub(super) fn conditional(
        &mut self,
        condition: &'a Tree,
        then: Option<&'a Tree>,
        otherwise: &'a Tree,
        place: Place,
    ) -> Lowered<Value> {
        let span = self.span(place);
        let known = self.known_truth(condition)?;
        if let (Some(holds), Some(then)) = (known, then) {
            let (taken, other) = if holds { (then, otherwise) } else { (otherwise, then) };
            let value = self.rvalue(taken)?;
            let other = self.aside(|this| this.rvalue(other))?;
            let ty = self.common_type(&value, &other, place)?;
            return self.convert(value, &ty, place);
        }
        let (yes, no) = (self.body.block(span), self.body.block(span));
        let first = match then {
            Some(then) => {
                self.branch(condition, yes, no)?;
                self.body.current = yes;
                self.rvalue(then)?
            }
            None => {
                let value = self.rvalue(condition)?;
                let value = self.keep(value, &[otherwise], place);
                let truth = self.truth(value.clone(), condition.place)?;
                self.branch_on(truth, yes, no, place);
                self.body.current = yes;
                value
            }
        };
        let yes_end = self.body.current;
        self.body.current = no;
        let second = self.rvalue(otherwise)?;
        let ty = self.common_type(&first, &second, place)?;
        let result = self.result_variable(&ty, place);
        let join = self.body.block(span);
        self.join(second, &ty, result, otherwise.place)?;
        self.body.terminate(Terminator::Goto(join), span);
        self.body.current = yes_end;
        self.join(first, &ty, result, place)?;
        self.body.terminate(Terminator::Goto(join), span);
        self.body.current = join;
        Ok(result.map_or_else(Value::void, |result| Value::new(ty, result)))
    }

    /// The variable that both branches write; structures pass their address.
    fn result_variable(&mut self, ty: &Type, place: Place) -> Option<Variable> {
        match ty {
            Type::Void => None,
            other => {
                let scalar = self.types.scalar(other).unwrap_or(ScalarType::Pointer);
                Some(self.temporary(scalar, place))
            }
        }
    }

    fn join(
        &mut self,
        value: Value,
        ty: &Type,
        result: Option<Variable>,
        place: Place,
    ) -> Lowered<()> {
        if let Some(result) = result {
            let value = self.convert(value, ty, place)?;
            self.assign(result, value.expr, place);
        }
        Ok(())
    }

    /// The type of a conditional expression.
    fn common_type(&mut self, left: &Value, right: &Value, place: Place) -> Lowered<Type> {
        let ty = match (&left.ty, &right.ty) {
            (Type::Int(a), Type::Int(b)) => Type::Int(a.common(*b, self.types.model)),
            (Type::Float(a), Type::Float(b)) => Type::Float(*a.max(b)),
            (Type::Float(_), Type::Int(_)) => left.ty.clone(),
            (Type::Int(_), Type::Float(_)) => right.ty.clone(),
            (Type::Void, _) | (_, Type::Void) => Type::Void,
            (Type::Pointer(a), Type::Pointer(b)) => self.common_pointer(left, right, a, b),
            (Type::Pointer(_), Type::Int(_)) => left.ty.clone(),
            (Type::Int(_), Type::Pointer(_)) => right.ty.clone(),
            (a, b) if a == b => a.clone(),
            (a, b) => {
                let message =
                    format!("{} and {} have no common type", self.describe(a), self.describe(b));
                return self.error(place, message);
            }
        };
        Ok(ty)
    }

    /// A null constant takes the other's type, `void *` wins otherwise.
    fn common_pointer(&self, left: &Value, right: &Value, a: &Pointee, b: &Pointee) -> Type {
        if left.is_zero() && a.ty == Type::Void {
            return right.ty.clone();
        }
        if right.is_zero() && b.ty == Type::Void {
            return left.ty.clone();
        }
        if a.ty != Type::Void && b.ty == Type::Void { right.ty.clone() } else { left.ty.clone() }
    }
}
