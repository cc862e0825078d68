//! Assignments and what else changes a variable.

use wane_grammar::c::ast::{BinaryOperator, Expr as Tree, ExprKind};
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::convert::Value;
use super::members::is_reached_by_cast;
use super::model::SectionEnd;
use super::{Lowered, Lowering};
use crate::types::Type;
use ir::Expr;

/// Which value of `x++` or `++x` is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Old,
    New,
}

impl<'a> Lowering<'a> {
    /// `left = right`
    pub(super) fn assignment(
        &mut self,
        left: &'a Tree,
        right: &'a Tree,
        place: Place,
    ) -> Lowered<Value> {
        self.check_store(left, right, place)?;
        let mut operands = Self::parts_of_place(left);
        operands.push(right);
        let root = self.root_of(left);
        self.around(&operands, root, place, |this| {
            let target = this.lvalue(left)?;
            let target = this.keep_place(target, right, left.place);
            this.must_be_assignable(&target, left.place)?;
            if is_reached_by_cast(left) {
                let span = this.span(place);
                this.opened.accesses.note(span, None);
            }
            let value = this.rvalue(right)?;
            let value = this.convert(value, &target.ty, right.place)?;
            let steps = this.steps_of_store(left, &target);
            this.mark_update(steps, SectionEnd::Begin, place)?;
            let value = this.store(&target, value, place)?;
            this.mark_update(steps, SectionEnd::End, place)?;
            Ok(value)
        })
    }

    /// `left op= right`
    pub(super) fn compound_assignment(
        &mut self,
        operator: BinaryOperator,
        left: &'a Tree,
        right: &'a Tree,
        place: Place,
    ) -> Lowered<Value> {
        self.check_store(left, right, place)?;
        let is_read_before = match left.kind {
            _ if self.minds_others() => self.is_updated_in_two(left)?,
            ExprKind::Name(_) => true,
            _ => false,
        };
        let mut operands = if is_read_before { vec![left] } else { Self::parts_of_place(left) };
        operands.push(right);
        let root = self.root_of(left);
        self.around(&operands, root, place, |this| {
            let target = this.lvalue(left)?;
            let target = this.keep_place(target, right, left.place);
            this.must_be_assignable(&target, left.place)?;
            // The right side first: its effects are over when the old value is read.
            let operand = this.rvalue(right)?;
            let steps = this.steps_of_update(left, &target, place);
            this.mark_update(steps, SectionEnd::Begin, place)?;
            let (old, unit) = match this.settled(left) {
                Some(old) => (old, None),
                None => this.load_for_update(&target, left.place)?,
            };
            let new = this.update(left, operator, (old, operand), place)?;
            let new = this.convert(new, &target.ty, place)?;
            let new = this.store_update(&target, (new, unit), place)?;
            this.mark_update(steps, SectionEnd::End, place)?;
            Ok(new)
        })
    }

    /// Adds or takes away one.
    pub(super) fn step(
        &mut self,
        operator: BinaryOperator,
        operand: &'a Tree,
        wanted: Wanted,
        place: Place,
    ) -> Lowered<Value> {
        let (parts, root) = (Self::parts_of_place(operand), self.root_of(operand));
        self.around(&parts, root, place, |this| {
            this.step_in_order(operator, operand, wanted, place)
        })
    }

    fn step_in_order(
        &mut self,
        operator: BinaryOperator,
        operand: &'a Tree,
        wanted: Wanted,
        place: Place,
    ) -> Lowered<Value> {
        let target = self.lvalue(operand)?;
        self.must_be_assignable(&target, operand.place)?;
        let steps = self.steps_of_update(operand, &target, place);
        self.mark_update(steps, SectionEnd::Begin, place)?;
        let (old, unit) = match self.settled(operand) {
            Some(old) => (old, None),
            None => self.load_for_update(&target, operand.place)?,
        };
        let kept = match (&target.site, wanted) {
            (Site::Register(_), Wanted::Old) => self.snapshot(&old, place),
            _ => old.clone(),
        };
        let one = Value::new(Type::INT, 1);
        let new = self.update(operand, operator, (old, one), place)?;
        let new = self.convert(new, &target.ty, place)?;
        let new = self.store_update(&target, (new, unit), place)?;
        self.mark_update(steps, SectionEnd::End, place)?;
        Ok(match wanted {
            Wanted::Old => kept,
            Wanted::New => new,
        })
    }

    /// The new value of what `target` designates. Atomic numbers wrap around silently.
    fn update(
        &mut self,
        target: &Tree,
        operator: BinaryOperator,
        (old, operand): (Value, Value),
        place: Place,
    ) -> Lowered<Value> {
        self.context.wraps = self.is_atomic(target);
        let new = self.apply_operator(operator, old, operand, place);
        self.context.wraps = false;
        new
    }

    fn is_atomic(&self, tree: &Tree) -> bool {
        match &tree.kind {
            ExprKind::Name(name) | ExprKind::Member(_, name) | ExprKind::Arrow(_, name) => {
                self.atomics.names.contains(&(self.scopes.file(), *name))
            }
            ExprKind::Index(operand, _) | ExprKind::Unary(_, operand) => self.is_atomic(operand),
            _ => false,
        }
    }

    /// A copy of a value that later assignments do not change.
    pub(super) fn snapshot(&mut self, value: &Value, place: Place) -> Value {
        let Some(target) = self.temporary_for(&value.ty, place) else { return value.clone() };
        self.emit(ir::Command::Assign { target, value: value.expr.clone() }, place);
        Value::new(value.ty.clone(), target)
    }

    /// The place, safe from what `later` does before it is used.
    fn keep_place(&mut self, target: Lvalue, later: &'a Tree, place: Place) -> Lvalue {
        let mut kept = |address: Expr| {
            let value = Value::new(Type::Void.pointer(), address);
            self.keep(value, &[later], place).expr
        };
        let site = match target.site {
            Site::Register(variable) => Site::Register(variable),
            Site::Memory(address) => Site::Memory(kept(address)),
            Site::Member(address, member) => Site::Member(kept(address), member),
            Site::Volatile(address) => Site::Volatile(kept(address)),
            Site::Bits(address, bits) => Site::Bits(kept(address), bits),
        };
        Lvalue { ty: target.ty, site }
    }

    fn must_be_assignable(&self, target: &Lvalue, place: Place) -> Lowered<()> {
        match target.ty {
            Type::Array(_) | Type::Function(_) | Type::Void => {
                self.error(place, format!("{} cannot be assigned", self.describe(&target.ty)))
            }
            _ => Ok(()),
        }
    }
}
