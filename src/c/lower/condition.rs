//! Conditions: `&&`, `||`, `?:`, and branches.

use wane_grammar::c::ast::{BinaryOperator, Expr as Tree, ExprKind, UnaryOperator};
use wane_grammar::c::place::Place;

use super::convert::Value;
use super::scope::Entity;
use super::{Lowered, Lowering, builtin};
use crate::types::{Pointee, Type};
use ir::{BlockId, Expr, IntKind, ScalarType, Terminator, Variable};

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
            ExprKind::Call(..) => self.context.tested = Some(tree.place),
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
        if self.context.is_trying {
            return Ok(self.no_constant(tree.place));
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

    /// Whether the expression is a constant, and which truth value it has. It is lowered aside
    /// for that, once: what stands inside of it is tried with it.
    fn known_truth(&mut self, tree: &'a Tree) -> Lowered<Option<bool>> {
        Ok(self.known_constant(tree)?.map(|value| value != 0))
    }

    /// The constant that the expression is; a number that is none is 0 or 1.
    pub(super) fn known_constant(&mut self, tree: &'a Tree) -> Lowered<Option<i128>> {
        if !self.context.is_trying && !self.may_be_constant(tree)? {
            return Ok(None);
        }
        let outer = std::mem::replace(&mut self.context.is_trying, true);
        let value = self.unevaluated(|this| {
            let value = this.rvalue(tree)?;
            match (&value.ty, &value.expr) {
                (Type::Int(_), Expr::Constant(_)) => Ok(value.expr),
                _ => this.truth(value, tree.place),
            }
        });
        self.context.is_trying = outer;
        Ok(match value? {
            Expr::Constant(value) => Some(value),
            _ => None,
        })
    }

    /// Whether an expression is made of what constants are made of (C11 6.6), and of what
    /// compilers know.
    fn may_be_constant(&mut self, tree: &'a Tree) -> Lowered<bool> {
        Ok(match &tree.kind {
            ExprKind::Integer(_)
            | ExprKind::Character(_)
            | ExprKind::Floating(_)
            | ExprKind::SizeofType(_)
            | ExprKind::SizeofExpr(_)
            | ExprKind::AlignofType(_)
            | ExprKind::PreferredAlignofType(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::Offsetof(..)
            | ExprKind::TypesCompatible(..) => true,
            ExprKind::Name(name) => match self.scopes.entity(*name) {
                Some(entity) => matches!(entity, Entity::Constant(..)),
                None => self.name(*name) == "nullptr",
            },
            ExprKind::Unary(UnaryOperator::AddressOf, operand) => self.is_offset(operand)?,
            ExprKind::Unary(
                UnaryOperator::Not
                | UnaryOperator::Plus
                | UnaryOperator::Minus
                | UnaryOperator::BitNot,
                operand,
            )
            | ExprKind::Cast(_, operand) => self.may_be_constant(operand)?,
            ExprKind::Binary(_, left, right) => {
                self.may_be_constant(left)? && self.may_be_constant(right)?
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                for part in [Some(condition), then.as_ref(), Some(otherwise)].into_iter().flatten()
                {
                    if !self.may_be_constant(part)? {
                        return Ok(false);
                    }
                }
                true
            }
            ExprKind::Generic(selector, cases) => {
                let case = self.generic_case(selector, cases, tree.place)?;
                self.may_be_constant(case)?
            }
            ExprKind::Call(callee, arguments) => match &callee.kind {
                ExprKind::Name(name) if builtin::is_constant(self.name(*name)) => {
                    for argument in arguments {
                        let is_text = matches!(argument.kind, ExprKind::String(_));
                        if !is_text && !self.may_be_constant(argument)? {
                            return Ok(false);
                        }
                    }
                    true
                }
                _ => false,
            },
            _ => false,
        })
    }

    /// Whether it is a part of something at a constant address: `&((struct s *) 0)->member`.
    fn is_offset(&mut self, tree: &'a Tree) -> Lowered<bool> {
        Ok(match &tree.kind {
            ExprKind::Arrow(pointer, _) | ExprKind::Unary(UnaryOperator::Dereference, pointer) => {
                self.may_be_constant(pointer)?
            }
            ExprKind::Member(record, _) => self.is_offset(record)?,
            ExprKind::Index(array, index) => {
                self.may_be_constant(index)?
                    && (self.is_offset(array)? || self.may_be_constant(array)?)
            }
            _ => false,
        })
    }

    /// What is no constant, where only that is asked.
    fn no_constant(&mut self, place: Place) -> Value {
        let int = ScalarType::Int(IntKind { bits: 32, signed: true });
        Value::new(Type::INT, self.temporary(int, place))
    }

    /// The value of `condition ? then : otherwise`.
    pub(super) fn conditional(
        &mut self,
        condition: &'a Tree,
        then: Option<&'a Tree>,
        otherwise: &'a Tree,
        place: Place,
    ) -> Lowered<Value> {
        let known = self.known_truth(condition)?;
        if known.is_none() && self.context.is_trying {
            return Ok(self.no_constant(place));
        }
        if let Some(holds) = known {
            let then = then.unwrap_or(condition);
            let (taken, other) = if holds { (then, otherwise) } else { (otherwise, then) };
            let value = self.rvalue(taken)?;
            let first = self.body.blocks.len();
            let other = self.aside(|this| this.rvalue(other))?;
            // The type is known if both have it.
            if other.ty != value.ty {
                self.repeat_gaps(first);
            }
            let ty = self.common_type(&value, &other, place)?;
            return self.convert(value, &ty, place);
        }
        let span = self.span(place);
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

    /// The variable for a result of a type, as both branches of a conditional expression write it;
    /// structures pass their address.
    pub(super) fn result_variable(&mut self, ty: &Type, place: Place) -> Option<Variable> {
        match ty {
            Type::Void => None,
            other => Some(
                self.temporary_for(other, place)
                    .unwrap_or_else(|| self.temporary(ScalarType::Pointer, place)),
            ),
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
