//! Calls.

use std::sync::Arc;

use wane_grammar::c::ast::{Expr as Tree, ExprKind, UnaryOperator};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::convert::Value;
use super::link::Reach;
use super::model::SectionEnd;
use super::scope::Entity;
use super::{Lowered, Lowering, fold};
use crate::library::{self, models};
use crate::types::{Function, Integer, Nature, Type};
use ir::{Callee, Command, Expr, HavocSource, ProcedureId, Terminator};

impl<'a> Lowering<'a> {
    /// `callee(arguments)`
    pub(super) fn call(
        &mut self,
        callee: &'a Tree,
        arguments: &'a [Tree],
        place: Place,
    ) -> Lowered<Value> {
        let named = Self::called_name(callee).map(|name| self.scopes.entity(name));
        let is_known = matches!(named, Some(None | Some(Entity::Function(_))));
        let callee_tree = (!is_known).then_some(callee);
        let operands: Vec<&'a Tree> = callee_tree.into_iter().chain(arguments).collect();
        self.in_any_order(&operands, place, |this| this.call_in_order(callee, arguments, place))
    }

    /// The same, from left to right.
    fn call_in_order(
        &mut self,
        callee: &'a Tree,
        arguments: &'a [Tree],
        place: Place,
    ) -> Lowered<Value> {
        if let Some(name) = Self::called_name(callee) {
            match self.scopes.entity(name) {
                Some(Entity::Function(index)) => {
                    let index = *index;
                    return self.call_function(index, arguments, place);
                }
                Some(_) => {}
                None => return self.call_undeclared(name, arguments, place),
            }
        }
        let target = self.rvalue(callee)?;
        let trees: Vec<&Tree> = arguments.iter().collect();
        let target = self.keep(target, &trees, callee.place);
        let Some(ty) = target.ty.as_function().cloned() else {
            let message = format!("{} cannot be called", self.describe(&target.ty));
            return self.error(callee.place, message);
        };
        let mut values = self.arguments(&ty, arguments)?;
        let callee_tree = callee;
        let callee = match target.expr {
            Expr::Procedure(procedure) => {
                if !self.may_be_called_as(procedure, &ty) {
                    self.unsupported("call of a function as one of another type", place);
                }
                Callee::Direct(procedure)
            }
            other => {
                self.note_call_through_pointer(callee_tree, &values, place);
                // So that the types can be compared with those of the callee.
                values = values.into_iter().map(|value| self.typed(value, place)).collect();
                Callee::Indirect(other)
            }
        };
        self.emit_call(callee, &ty, values, place)
    }

    /// Whether a call as `ty` is one of the procedure's own type.
    fn may_be_called_as(&self, procedure: ProcedureId, ty: &Function) -> bool {
        let function = self.declared.functions.iter().find(|it| it.procedure == Some(procedure));
        function.is_none_or(|function| function.ty.is_compatible(ty))
    }

    /// The value in a variable of its type.
    fn typed(&mut self, value: Value, place: Place) -> Value {
        let Some(scalar) = self.types.scalar(&value.ty) else { return value };
        match &value.expr {
            Expr::Variable(variable) if self.parts.scalar_type(*variable) == Some(scalar) => value,
            _ => self.snapshot(&value, place),
        }
    }

    /// The function that is called by its name, perhaps as `(*f)(…)`.
    fn called_name(callee: &Tree) -> Option<Symbol> {
        match &callee.kind {
            ExprKind::Name(name) => Some(*name),
            ExprKind::Unary(UnaryOperator::Dereference | UnaryOperator::AddressOf, operand) => {
                match operand.kind {
                    ExprKind::Name(_) => None,
                    _ => Self::called_name(operand),
                }
            }
            _ => None,
        }
    }

    /// A function that nobody declared: a builtin, or an implicit `int f()`.
    fn call_undeclared(
        &mut self,
        name: Symbol,
        arguments: &'a [Tree],
        place: Place,
    ) -> Lowered<Value> {
        let text = self.name(name);
        if text == "__builtin_choose_expr"
            && let [condition, then, otherwise] = arguments
        {
            let holds = self.constant(condition)? != 0;
            return self.rvalue(if holds { then } else { otherwise });
        }
        if let ("__builtin_constant_p", [operand]) = (text, arguments) {
            return self.is_known_constant(operand, place);
        }
        if let "__builtin_object_size" | "__builtin_dynamic_object_size" = text {
            let ty = Type::Int(self.types.size_type());
            return self.approximation(&ty, "size that the compiler knows", place);
        }
        if let ("__builtin_shuffle" | "__builtin_shufflevector", [first, ..]) = (text, arguments) {
            let ty = self.type_of(first)?;
            if let Some(result) = self.vector_operation(&[&ty], place) {
                return result;
            }
        }
        let model = self.model_of(text);
        let result = match model {
            Some(model) => self.declared.functions[model].ty.result.clone(),
            None => Self::builtin_result(text),
        };
        let is_known = library::is_builtin(text);
        if !is_known && !matches!(result, Type::Void | Type::Int(Integer::Int)) {
            // The compiler takes the result for an `int`.
            self.unsupported(format!("call of `{text}`, which is not declared"), place);
        } else if !is_known
            && model.is_none()
            && text.starts_with("__builtin_")
            && result == Type::INT
        {
            self.unsupported(format!("call of `{text}`, whose type is not known"), place);
        }
        let ty = Arc::new(Function { result, ..Function::clone(&Self::implicit_function()) });
        let index = self.declare_function(name, &Type::Function(ty), place, Reach::Program)?;
        self.call_function(index, arguments, place)
    }

    /// The result type of a builtin function that has no model.
    fn builtin_result(name: &str) -> Type {
        match name.strip_prefix("__builtin_").unwrap_or(name) {
            "malloc" | "calloc" | "realloc" | "alloca" | "memcpy" | "memmove" | "memset"
            | "frame_address" | "return_address" | "assume_aligned" => Type::Void.pointer(),
            _ => Type::INT,
        }
    }

    fn call_function(
        &mut self,
        index: usize,
        arguments: &'a [Tree],
        place: Place,
    ) -> Lowered<Value> {
        let index = self.defined(index);
        self.report_obstacle(index, place);
        let function = &self.declared.functions[index];
        let ty = Arc::clone(&function.ty);
        let is_defined = function.definition.is_some();
        let name = self.name(function.name);
        let values = self.arguments(&ty, arguments)?;
        if !is_defined {
            if self.declared.functions[index].linkage.weak {
                self.unsupported(format!("call of the weak function `{name}`"), place);
            }
            if let Some(value) = self.constant_builtin(name, &values, arguments) {
                return Ok(value);
            }
            return self.call_watched(index, values, arguments, place);
        }
        if library::is_error(name) {
            self.may_be_the_error(name, place)?;
        }
        if models::is_of_models(name) {
            return self.call_model(index, name, values, place);
        }
        let callee = Callee::Direct(self.procedure_of(index));
        if !name.starts_with(models::ONE_STEP) {
            return self.emit_call(callee, &ty, values, place);
        }
        self.mark_section(SectionEnd::Begin, place)?;
        let result = self.emit_call(callee, &ty, values, place)?;
        self.mark_section(SectionEnd::End, place)?;
        Ok(result)
    }

    /// Calling the error function is an error for those who ask for that; all others see
    /// what its body does. So the run may end here, or go on.
    fn may_be_the_error(&mut self, name: &str, place: Place) -> Lowered<()> {
        let source = HavocSource::Input(HavocSource::IS_ERROR.to_owned());
        let is_error = self.arbitrary(&Type::Int(Integer::Bool), source, place)?;
        let span = self.span(place);
        let (ends, goes_on) = (self.body.block(span), self.body.block(span));
        self.branch_on(fold::truth(is_error.expr), ends, goes_on, place);
        self.body.current = ends;
        self.emit(Command::Error { what: name.to_owned() }, place);
        self.body.terminate(Terminator::Halt, span);
        self.body.current = goes_on;
        Ok(())
    }

    /// The values of arguments, converted as the function's type says.
    fn arguments(&mut self, ty: &Function, arguments: &'a [Tree]) -> Lowered<Vec<Value>> {
        let mut values = Vec::new();
        for (index, tree) in arguments.iter().enumerate() {
            let value = self.rvalue(tree)?;
            let formal = ty.parameters.as_ref().and_then(|formals| formals.get(index)).cloned();
            let value = match &formal {
                Some(Type::Record(id))
                    if formal.as_ref() != Some(&value.ty)
                        && self.types.record(*id).nature == Nature::Transparent =>
                {
                    self.cast_to_record(&Type::Record(*id), value, tree.place)?
                }
                Some(Type::Record(_)) | None if matches!(value.ty, Type::Record(_)) => {
                    self.argument_copy(value, formal.as_ref(), tree.place)?
                }
                Some(formal) => self.convert(value, formal, tree.place)?,
                None => self.promote_argument(value, tree.place)?,
            };
            let later: Vec<&Tree> = arguments[index + 1..].iter().collect();
            values.push(self.keep(value, &later, tree.place));
        }
        Ok(values)
    }

    /// A structure is passed as the address of a copy.
    fn argument_copy(
        &mut self,
        value: Value,
        formal: Option<&Type>,
        place: Place,
    ) -> Lowered<Value> {
        let value = match formal {
            Some(formal) => self.convert(value, formal, place)?,
            None => value,
        };
        let block = self.block_of(&value.ty, place)?;
        let size = self.size(&value.ty, place)?;
        self.copy(block.into(), value.expr, size, place);
        Ok(Value::new(value.ty, block))
    }

    /// Calls a procedure.
    pub(super) fn emit_call(
        &mut self,
        callee: Callee,
        ty: &Function,
        values: Vec<Value>,
        place: Place,
    ) -> Lowered<Value> {
        let mut arguments = Vec::new();
        let mut result = None;
        if matches!(ty.result, Type::Record(_) | Type::VaList) {
            let block = self.block_of(&ty.result, place)?;
            arguments.push(block.into());
            result = Some(block);
        }
        let expected = ty.parameters.as_ref().map(Vec::len);
        let given = values.len();
        let mut values = values;
        let further = values.split_off(expected.unwrap_or(given).min(given));
        arguments.extend(values.into_iter().map(|value| value.expr));
        self.pad(&mut arguments, ty, given, place)?;
        if ty.variadic {
            arguments.push(self.variadic_block(further, place)?);
        }
        let target = match result {
            Some(_) => None,
            None => self.result_variable(&ty.result, place),
        };
        self.emit(Command::Call { target, callee, arguments }, place);
        Ok(match result.or(target) {
            Some(variable) => Value::new(ty.result.clone(), variable),
            None => Value::void(),
        })
    }

    /// Arguments that an old call left out are arbitrary.
    fn pad(
        &mut self,
        arguments: &mut Vec<Expr>,
        ty: &Function,
        given: usize,
        place: Place,
    ) -> Lowered<()> {
        for missing in ty.parameters.iter().flatten().skip(given) {
            let value = self.arbitrary(missing, HavocSource::Uninitialised, place)?;
            arguments.push(value.expr);
        }
        Ok(())
    }
}
