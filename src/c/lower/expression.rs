//! Values of expressions.

use std::sync::Arc;

use wane_grammar::c::ast::{
    Association, CharacterLiteral, Designator, Expr as Tree, ExprKind, FloatSuffix, IntegerLiteral,
    StringKind, TypeName, UnaryOperator,
};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::convert::Value;
use super::effects::Cell;
use super::scope::Entity;
use super::unsequenced::Root;
use super::{Lowered, Lowering, fold};
use crate::types::{Function, Integer, Length, Qualifiers, Type};
use base::source::Span;
use ir::{BinaryOp, BlockId, Command, Expr, HavocSource, Instruction, Terminator, Variable};

/// Expressions this much higher than their last temporary get a new one, so
/// that later walks over expressions stay shallow.
const HEIGHT_STEP: u32 = 200;

impl<'a> Lowering<'a> {
    /// The value of an expression; its side effects are done by then.
    pub(super) fn rvalue(&mut self, tree: &'a Tree) -> Lowered<Value> {
        if let Some(value) = self.settled(tree) {
            return Ok(value);
        }
        let value = self.value(tree)?;
        if tree.depth.is_multiple_of(HEIGHT_STEP) && value.ty.is_scalar() {
            return Ok(self.materialize(value, tree.place));
        }
        Ok(value)
    }

    fn value(&mut self, tree: &'a Tree) -> Lowered<Value> {
        let place = tree.place;
        match &tree.kind {
            ExprKind::Name(name) => {
                if let Some(Entity::Constant(value, ty)) = self.scopes.entity(*name) {
                    return Ok(Value::new(ty.map_or(Type::INT, Type::Int), *value));
                }
                if self.scopes.entity(*name).is_none() && self.name(*name) == "nullptr" {
                    return Ok(Value::new(Type::Void.pointer(), 0));
                }
                self.read(tree)
            }
            ExprKind::Integer(literal) => Ok(self.integer(*literal)),
            ExprKind::Character(literal) => {
                let (int, value) = self.character(*literal);
                Ok(Value::new(Type::Int(int), value))
            }
            ExprKind::Floating(literal) => {
                let bytes = match literal.suffix {
                    FloatSuffix::Float => 4,
                    FloatSuffix::Double => 8,
                    FloatSuffix::LongDouble => self.types.model.long_double_bytes(),
                    FloatSuffix::Extended => 16,
                    FloatSuffix::Imaginary => {
                        self.unsupported("complex number", tree.place);
                        8
                    }
                };
                match literal.bits.and_then(|bits| self.real_literal(bytes, bits)) {
                    Some(value) => Ok(value),
                    None => self.unknown_real(bytes, place),
                }
            }
            ExprKind::Index(..)
            | ExprKind::Arrow(..)
            | ExprKind::Member(..)
            | ExprKind::Compound(..)
            | ExprKind::ComplexPart(_)
            | ExprKind::String(_) => self.read(tree),
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, tree),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, tree),
            ExprKind::Assign(None, left, right) => self.assignment(left, right, place),
            ExprKind::Assign(Some(operator), left, right) => {
                self.compound_assignment(*operator, left, right, place)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then.as_deref(), otherwise, place)
            }
            ExprKind::Comma(parts) => {
                let mut last = Value::void();
                for part in parts {
                    last = self.rvalue(part)?;
                }
                Ok(last)
            }
            ExprKind::Cast(ty, operand) => self.cast(ty, operand, place),
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, place),
            ExprKind::Statements(block) => self.statement_expression(block, place),
            ExprKind::Generic(selector, cases) => self.generic(selector, cases, place),
            ExprKind::SizeofExpr(operand) => self.size_of_operand(operand, place),
            ExprKind::SizeofType(ty) => {
                let ty = self.type_name(ty)?;
                self.size_value(&ty, place)
            }
            ExprKind::AlignofExpr(operand) => self.alignment_of(operand, place),
            ExprKind::AlignofType(ty) => self.alignment(ty),
            ExprKind::PreferredAlignofType(ty) => self.preferred_alignment(ty),
            ExprKind::LabelAddress(label) => Ok(self.label_address(*label, place)),
            ExprKind::VaArg(list, ty) => self.next_argument(list, ty, place),
            ExprKind::Offsetof(ty, path) => self.offset_of(ty, path, place),
            ExprKind::TypesCompatible(left, right) => {
                let (left, right) = (self.type_name(left)?, self.type_name(right)?);
                Ok(Value::new(Type::INT, i128::from(left.is_compatible(&right))))
            }
        }
    }

    /// The size of an operand. It is evaluated where that depends on a variable (C11 6.5.3.4p2).
    fn size_of_operand(&mut self, operand: &'a Tree, place: Place) -> Lowered<Value> {
        let ty = self.type_of(operand)?;
        if self.types.size(&ty).is_none() && matches!(ty, Type::Array(_)) {
            let ty = self.lvalue(operand)?.ty;
            return self.size_value(&ty, place);
        }
        self.size_value(&ty, place)
    }

    /// The value of what an expression designates.
    pub(super) fn read(&mut self, tree: &'a Tree) -> Lowered<Value> {
        if !self.minds_others() {
            let lvalue = self.lvalue(tree)?;
            return self.load(lvalue, tree.place);
        }
        let parts = Self::parts_of_read(tree);
        self.around(&parts, Root::Access, tree.place, |this| {
            let lvalue = this.lvalue(tree)?;
            this.load(lvalue, tree.place)
        })
    }

    /// The value in a temporary of its own.
    pub(super) fn materialize(&mut self, value: Value, place: Place) -> Value {
        let is_atom =
            matches!(value.expr, Expr::Constant(_) | Expr::Variable(_) | Expr::Procedure(_));
        if is_atom {
            return value;
        }
        let Some(target) = self.temporary_for(&value.ty, place) else { return value };
        self.assign(target, value.expr, place);
        Value::new(value.ty, target)
    }

    /// The value, safe from what the expressions `later` do before it is used.
    pub(super) fn keep(&mut self, value: Value, later: &[&Tree], place: Place) -> Value {
        let mut effects = Vec::new();
        later.iter().for_each(|tree| collect_effects(tree, &mut effects));
        let mut is_safe = true;
        value.expr.variables().for_each(|variable| {
            is_safe &= !effects.iter().any(|effect| self.may_change(*effect, variable, later));
        });
        if is_safe {
            return value;
        }
        let Some(target) = self.temporary_for(&value.ty, place) else { return value };
        self.emit(Command::Assign { target, value: value.expr }, place);
        Value::new(value.ty, target)
    }

    /// Whether an effect in these trees may change a variable. Calls change globals only, since
    /// the address of no local that is a variable is ever taken; and those that what is called names.
    fn may_change(&self, effect: Effect, variable: Variable, trees: &[&Tree]) -> bool {
        if self.parts.is_steady(variable) {
            return false;
        }
        let info = &self.parts.variables[variable.index()];
        match effect {
            Effect::Write(name) => self.name(name) == info.name,
            Effect::Call => {
                info.owner.is_none() && trees.iter().any(|it| self.may_write(it, &info.name))
            }
            Effect::Statements => true,
        }
    }

    /// Whether what is called in a tree may write a global of this name.
    fn may_write(&self, tree: &Tree, name: &str) -> bool {
        let touched = self.touched_by_all_of(tree);
        let is_it = |cell: Cell| match cell {
            Cell::Named(written) | Cell::Taken(written) => self.name(written) == name,
            Cell::Local(_) | Cell::Member(_) | Cell::Memory => false,
            Cell::Errno | Cell::Watched => true,
        };
        touched.calls.anything || touched.calls.foreign || touched.writes().any(is_it)
    }

    /// The type and value of a character constant.
    pub(super) fn character(&self, literal: CharacterLiteral) -> (Integer, i128) {
        let int = match literal.kind {
            StringKind::Byte => return (Integer::Int, literal.value),
            StringKind::Utf16 => Integer::UnsignedShort,
            StringKind::Utf32 => Integer::UnsignedInt,
            StringKind::Wide => self.types.wide_character(),
        };
        (int, int.kind(self.types.model).wrap(literal.value))
    }

    fn integer(&self, literal: IntegerLiteral) -> Value {
        let fits = |int: Integer| literal.value <= int.kind(self.types.model).max();
        let ranks = [
            (Integer::Int, Integer::UnsignedInt),
            (Integer::Long, Integer::UnsignedLong),
            (Integer::LongLong, Integer::UnsignedLongLong),
        ];
        for (signed, unsigned) in &ranks[usize::from(literal.longs.min(2))..] {
            if !literal.unsigned && fits(*signed) {
                return Value::new(Type::Int(*signed), literal.value);
            }
            if (literal.unsigned || !literal.decimal) && fits(*unsigned) {
                return Value::new(Type::Int(*unsigned), literal.value);
            }
        }
        Value::new(Type::Int(Integer::UnsignedLongLong), literal.value)
    }

    /// The value of an expression that must be an integer constant.
    pub(super) fn constant(&mut self, tree: &'a Tree) -> Lowered<i128> {
        let first = self.body.blocks.len();
        let value = self.aside(|this| this.rvalue(tree))?;
        // Runs need not come to where a constant stands: a `case`, a declaration that is
        // jumped over.
        let current = std::mem::replace(&mut self.body.current, BlockId::at(0));
        self.repeat_gaps(first);
        self.body.current = current;
        if let (Type::Int(_) | Type::Pointer(_), Expr::Constant(value)) = (&value.ty, &value.expr) {
            return Ok(*value);
        }
        let unknown = self.commands_from(first).find_map(|it| match &it.command {
            Command::Havoc { source: HavocSource::Approximation(what), .. } => Some(what),
            _ => None,
        });
        match unknown {
            Some(what) => {
                self.error(tree.place, format!("a {what} in a constant expression is not modelled"))
            }
            None => self.error(tree.place, "this is no integer constant"),
        }
    }

    /// The length of an array: a constant, or kept in a variable.
    pub(super) fn length(&mut self, tree: &'a Tree) -> Lowered<Length> {
        let value = if self.scopes.at_file() {
            Value::new(Type::INT, self.constant(tree)?)
        } else {
            self.rvalue(tree)?
        };
        if !matches!(value.ty, Type::Int(_)) {
            return self.error(tree.place, "the length of an array is an integer");
        }
        if let Expr::Constant(length) = value.expr {
            return match u64::try_from(length) {
                Ok(length) => Ok(Length::Fixed(length)),
                Err(_) => self.error(tree.place, "an array has a negative length"),
            };
        }
        let ty = Type::Int(self.types.size_type());
        let value = self.convert(value, &ty, tree.place)?;
        let Some(scalar) = self.types.scalar(&ty) else { return Ok(Length::Unknown) };
        let variable = self.temporary(scalar, tree.place);
        self.assign(variable, value.expr, tree.place);
        Ok(Length::Variable(variable))
    }

    /// The type of an expression that is not evaluated.
    pub(super) fn type_of(&mut self, tree: &'a Tree) -> Lowered<Type> {
        self.unevaluated(|this| {
            if Self::is_lvalue(tree)
                && !matches!(&tree.kind, ExprKind::Name(name) if this.is_constant(*name))
            {
                return Ok(this.lvalue(tree)?.ty);
            }
            Ok(this.rvalue(tree)?.ty)
        })
    }

    fn is_constant(&self, name: Symbol) -> bool {
        matches!(self.scopes.entity(name), Some(Entity::Constant(..)))
    }

    /// Runs `work` where its commands are never reached, for a result that does not depend on
    /// runs: a type, a constant. If something is not modelled there, the result is not known,
    /// and that is said where runs come.
    pub(super) fn unevaluated<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let first = self.body.blocks.len();
        let result = self.aside(work)?;
        self.repeat_gaps(first);
        Ok(result)
    }

    /// The commands of the blocks from this one on.
    fn commands_from(&self, first: usize) -> impl Iterator<Item = &Instruction> {
        self.body.blocks[first..].iter().flat_map(|block| &block.commands)
    }

    /// Says again what is not modelled in the blocks from this one on.
    pub(super) fn repeat_gaps(&mut self, first: usize) {
        let is_gap = |it: &&Instruction| matches!(it.command, Command::Unsupported { .. });
        let gaps: Vec<Instruction> = self.commands_from(first).filter(is_gap).cloned().collect();
        for gap in gaps {
            if self.scopes.at_file() {
                self.declared.gaps.push(gap.clone());
            }
            self.body.emit(gap.command, gap.span);
        }
    }

    /// Runs `work` where its commands are never reached.
    pub(super) fn aside<T>(&mut self, work: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let current = self.body.current;
        self.body.current = self.body.block(Span::NOWHERE);
        let result = work(self);
        self.body.terminate(Terminator::Halt, Span::NOWHERE);
        self.body.current = current;
        result
    }

    fn size_value(&mut self, ty: &Type, place: Place) -> Lowered<Value> {
        let size = self.size_expr(ty, place)?;
        Ok(Value::new(Type::Int(self.types.size_type()), size))
    }

    fn alignment(&mut self, ty: &'a TypeName) -> Lowered<Value> {
        let ty = self.type_name(ty)?;
        Ok(self.size_constant(self.types.alignment(&ty)))
    }

    fn alignment_of(&mut self, operand: &'a Tree, place: Place) -> Lowered<Value> {
        let ty = self.type_of(operand)?;
        if self.prefers_more(&ty) {
            self.unsupported("alignment of an object of 8 bytes", place);
        }
        Ok(self.size_constant(self.types.alignment(&ty)))
    }

    fn preferred_alignment(&mut self, ty: &'a TypeName) -> Lowered<Value> {
        let ty = self.type_name(ty)?;
        let least = self.types.alignment(&ty);
        Ok(self.size_constant(if self.prefers_more(&ty) { 8 } else { least }))
    }

    /// Whether compilers give numbers of a type more than the alignment that they have in
    /// structures, where they can: those of 8 bytes on i386.
    fn prefers_more(&self, ty: &Type) -> bool {
        let is_of_8_bytes = ty.is_scalar() && self.types.size(ty) == Some(8);
        is_of_8_bytes && self.types.alignment(ty) < 8
    }

    fn size_constant(&self, number: u64) -> Value {
        Value::new(Type::Int(self.types.size_type()), i128::from(number))
    }

    fn cast(&mut self, ty: &'a TypeName, operand: &'a Tree, place: Place) -> Lowered<Value> {
        let ty = self.type_name(ty)?;
        let value = self.rvalue(operand)?;
        if let Type::Record(id) = ty {
            return self.cast_to_record(&Type::Record(id), value, place);
        }
        self.convert(value, &ty, place)
    }

    /// GNU C: a cast to a union, or to the same structure.
    pub(super) fn cast_to_record(
        &mut self,
        ty: &Type,
        value: Value,
        place: Place,
    ) -> Lowered<Value> {
        if value.ty == *ty {
            return Ok(value);
        }
        let block = self.block_of(ty, place)?;
        let member = Lvalue { ty: value.ty.clone(), site: Site::Memory(block.into()) };
        self.store(&member, value, place)?;
        Ok(Value::new(ty.clone(), block))
    }

    fn generic(
        &mut self,
        selector: &'a Tree,
        cases: &'a [Association],
        place: Place,
    ) -> Lowered<Value> {
        let case = self.generic_case(selector, cases, place)?;
        self.rvalue(case)
    }

    /// The case that `_Generic` stands for.
    pub(super) fn generic_case(
        &mut self,
        selector: &'a Tree,
        cases: &'a [Association],
        place: Place,
    ) -> Lowered<&'a Tree> {
        let wanted = self.unevaluated(|this| Ok(this.rvalue(selector)?.ty))?;
        let mut default = None;
        for case in cases {
            match &case.ty {
                None => default = Some(&case.value),
                Some(ty) => {
                    // No value has a qualified type.
                    let (ty, qualifiers) = self.qualified_type_name(ty)?;
                    if qualifiers == Qualifiers::default() && ty.is_compatible(&wanted) {
                        return Ok(&case.value);
                    }
                }
            }
        }
        match default {
            Some(value) => Ok(value),
            None => self.error(place, "no case of `_Generic` has this type"),
        }
    }

    fn offset_of(
        &mut self,
        ty: &'a TypeName,
        path: &'a [Designator],
        place: Place,
    ) -> Lowered<Value> {
        let mut ty = self.type_name(ty)?;
        let mut offset = Expr::Constant(0);
        for step in path {
            let distance = match (step, &ty) {
                (Designator::Member(name, at), Type::Record(id)) => {
                    let Some(field) = self.types.member(*id, *name) else {
                        return self.error(*at, format!("no member `{}`", self.name(*name)));
                    };
                    ty = field.ty;
                    Expr::Constant(i128::from(field.offset))
                }
                (Designator::Index(index), Type::Array(array)) => {
                    let array = Arc::clone(array);
                    let index = self.rvalue(index)?.expr;
                    let size = self.size_expr(&array.element, place)?;
                    ty = array.element.clone();
                    fold::binary(BinaryOp::Multiply, index, size)
                }
                _ => return self.error(place, "this has no such part"),
            };
            offset = fold::binary(BinaryOp::Add, offset, distance);
        }
        Ok(Value::new(Type::Int(self.types.size_type()), offset))
    }

    /// The type of a function that nobody has declared: `int f()`.
    pub(super) fn implicit_function() -> Arc<Function> {
        Arc::new(Function { result: Type::INT, parameters: None, variadic: false })
    }
}

/// What evaluating an expression may do to variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// It writes a variable of this name.
    Write(Symbol),
    /// It calls a function.
    Call,
    /// It contains statements.
    Statements,
}

/// Lists what evaluating an expression may do to variables. Writing to memory
/// is nothing: no variable is there.
fn collect_effects(tree: &Tree, effects: &mut Vec<Effect>) {
    let written = match &tree.kind {
        ExprKind::Assign(_, target, _)
        | ExprKind::Unary(
            UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement
            | UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement,
            target,
        ) => Some(&target.kind),
        _ => None,
    };
    match (&tree.kind, written) {
        (ExprKind::Statements(_), _) => effects.push(Effect::Statements),
        (ExprKind::Call(..), _) => effects.push(Effect::Call),
        (_, Some(ExprKind::Name(name))) => effects.push(Effect::Write(*name)),
        _ => {}
    }
    tree.parts().into_iter().for_each(|part| collect_effects(part, effects));
}
