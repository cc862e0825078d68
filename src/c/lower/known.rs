//! Calls of functions that the file does not define.

use std::rc::Rc;

use wane_grammar::c::ast::{Expr as Tree, ExprKind};
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::atomic::Atomic;
use super::builtin::Checked;
use super::convert::Value;
use super::scope::Entity;
use super::{Lowered, Lowering, fold};
use crate::c::MallocModel;
use crate::c::external::External;
use crate::c::library::{self, Model};
use crate::c::types::{Integer, Type};
use crate::ir::{
    BinaryOp, Callee, Command, Expr, HavocSource, InitialContent, IntKind, MemoryKind, ScalarType,
    Terminator,
};

/// Parts of a structure that are made arbitrary one by one.
const SCRAMBLE_LIMIT: u64 = 256;

/// A call of a known function.
struct Known<'n> {
    name: &'n str,
    values: Vec<Value>,
    result: Type,
    place: Place,
}

impl Known<'_> {
    /// The argument at an index, 0 if it was left out.
    fn argument(&self, index: usize) -> Expr {
        self.values.get(index).map_or(Expr::Constant(0), |value| value.expr.clone())
    }
}

impl<'a> Lowering<'a> {
    /// Calls a function without body. `trees` are the arguments as written.
    pub(super) fn call_undefined(
        &mut self,
        index: usize,
        values: Vec<Value>,
        trees: &[Tree],
        place: Place,
    ) -> Lowered<Value> {
        let name = self.name(self.functions[index].name);
        let result = self.functions[index].ty.result.clone();
        if !self.externals.contains_key(name) {
            self.externals.insert(name.to_owned(), External::of(name, &result));
        }
        if let Some(atomic) = Atomic::of(name) {
            return self.call_atomic(atomic, values, place);
        }
        if let Some(result) = self.call_variadic(name, &values, place) {
            return Ok(result);
        }
        if let Some(checked) = Checked::of(name) {
            return self.call_checked(checked, values, place);
        }
        if let Some((model, _)) = library::model(name) {
            return self.call_known(model, Known { name, values, result, place });
        }
        let written = name.strip_prefix("__builtin_").unwrap_or(name);
        let stand_in = self.source.find(&format!("__wane_{written}"));
        if let Some(Entity::Function(stand_in)) =
            stand_in.and_then(|name| self.scopes.file_entity(name))
        {
            let stand_in = *stand_in;
            return self.call_stand_in(stand_in, values, &result, place);
        }
        self.call_unknown(index, &values, trees, place)
    }

    /// Calls a function of the prelude.
    fn call_stand_in(
        &mut self,
        index: usize,
        values: Vec<Value>,
        result: &Type,
        place: Place,
    ) -> Lowered<Value> {
        let ty = Rc::clone(&self.functions[index].ty);
        let mut converted = Vec::new();
        for (value, formal) in values.into_iter().zip(ty.parameters.iter().flatten()) {
            converted.push(self.convert(value, formal, place)?);
        }
        let callee = Callee::Direct(self.procedure_of(index));
        let value = self.emit_call(callee, &ty, converted, place)?;
        self.convert(value, result, place)
    }

    /// A function of which nothing is known: its result is arbitrary, and what
    /// it may do to memory is not modelled.
    fn call_unknown(
        &mut self,
        index: usize,
        values: &[Value],
        trees: &[Tree],
        place: Place,
    ) -> Lowered<Value> {
        let name = self.name(self.functions[index].name);
        let result = self.functions[index].ty.result.clone();
        let is_harmless = values.iter().enumerate().all(|(position, value)| match &value.ty {
            Type::Pointer(pointee) => {
                let is_text = trees
                    .get(position)
                    .is_some_and(|tree| matches!(tree.kind, ExprKind::String(_)));
                pointee.constant
                    || is_text
                    || value.is_zero()
                    || matches!(pointee.ty, Type::Function(_))
            }
            Type::VaList | Type::Record(_) => false,
            _ => true,
        });
        if !is_harmless {
            self.unsupported(
                format!("call of undefined function `{name}` may change memory"),
                place,
            );
        }
        if self.functions[index].no_return {
            self.halt(place);
            return self.approximation(&result, name, place);
        }
        self.arbitrary(&result, Self::source_of(name, &result), place)
    }

    /// Why the result of a function is arbitrary. Functions that yield addresses
    /// yield good ones, which is not modelled; only what is called "nondet"
    /// means any address.
    fn source_of(name: &str, result: &Type) -> HavocSource {
        if matches!(result, Type::Pointer(_)) && !name.contains("nondet") {
            return HavocSource::Approximation(name.to_owned());
        }
        HavocSource::Input(name.to_owned())
    }

    fn halt(&mut self, place: Place) {
        let span = self.span(place);
        self.body.terminate(Terminator::Halt, span);
    }

    fn call_known(&mut self, model: Model, call: Known<'_>) -> Lowered<Value> {
        let place = call.place;
        match model {
            Model::Allocate => {
                let size = self.byte_count(&call, 0)?;
                self.allocated(size, InitialContent::Arbitrary, &call)
            }
            Model::AllocateZeroed => {
                let count = self.byte_count(&call, 0)?;
                let size = self.byte_count(&call, 1)?;
                let size = fold::binary(BinaryOp::Multiply, count, size);
                self.allocated(size, InitialContent::Zero, &call)
            }
            Model::Reallocate => self.reallocate(&call),
            Model::AllocateOnStack => {
                let size = self.byte_count(&call, 0)?;
                let target = self.temporary(ScalarType::Pointer, place);
                let (kind, content) = (MemoryKind::Alloca, InitialContent::Arbitrary);
                self.emit(Command::Allocate { target, size, kind, content }, place);
                self.pointer_result(target.into(), &call)
            }
            Model::Free => {
                self.emit(
                    Command::Free { address: call.argument(0), kind: MemoryKind::Heap },
                    place,
                );
                Ok(Value::void())
            }
            Model::Fill => {
                let (address, size) = (call.argument(0), self.byte_count(&call, 2)?);
                let byte = self.wrap(IntKind { bits: 8, signed: false }, call.argument(1));
                self.emit(Command::Fill { address: address.clone(), byte, size }, place);
                self.pointer_result(address, &call)
            }
            Model::Copy => {
                let (target, source) = (call.argument(0), call.argument(1));
                let size = self.byte_count(&call, 2)?;
                self.emit(Command::Copy { target: target.clone(), source, size }, place);
                self.pointer_result(target, &call)
            }
            Model::Halt => {
                if call.name == "exit" {
                    self.call_destructors();
                }
                self.halt(place);
                self.zero(&call)
            }
            Model::Error => {
                self.emit(Command::Error { what: call.name.to_owned() }, place);
                self.halt(place);
                self.zero(&call)
            }
            Model::Assume => self.assume(&call),
            Model::Unreachable => {
                self.emit(Command::Assume { condition: Expr::Constant(0) }, place);
                self.halt(place);
                Ok(Value::void())
            }
            Model::Assert => self.assert(&call),
            Model::Input => self.input(&call),
            Model::NaturalInput => {
                let value = self.input(&call)?;
                let condition =
                    fold::binary(BinaryOp::GreaterEqual, value.expr.clone(), Expr::Constant(0));
                self.emit(Command::Assume { condition }, place);
                Ok(value)
            }
            Model::Nothing | Model::Zero => self.zero(&call),
            Model::First => match call.values.first() {
                Some(first) => Ok(first.clone()),
                None => self.zero(&call),
            },
            Model::Absolute => self.absolute(&call),
            Model::Scan(first) => self.scan(first, &call),
            Model::Unsupported => {
                self.unsupported(format!("call of `{}`", call.name), place);
                self.approximation(&call.result, call.name, place)
            }
        }
    }

    /// An argument as a number of bytes.
    fn byte_count(&mut self, call: &Known<'_>, index: usize) -> Lowered<Expr> {
        let ty = Type::Int(self.types.size_type());
        match call.values.get(index) {
            Some(value) if matches!(value.ty, Type::Int(_)) => {
                Ok(self.convert(value.clone(), &ty, call.place)?.expr)
            }
            _ => self.error(call.place, format!("`{}` needs a number of bytes", call.name)),
        }
    }

    /// A pointer as the function's declared result.
    fn pointer_result(&mut self, pointer: Expr, call: &Known<'_>) -> Lowered<Value> {
        let value = Value::new(Type::Void.pointer(), pointer);
        match call.result {
            // An implicit declaration says `int`; the address is meant.
            Type::Int(_) => Ok(value),
            _ => self.convert(value, &call.result, call.place),
        }
    }

    fn zero(&mut self, call: &Known<'_>) -> Lowered<Value> {
        if call.result.is_scalar() && !matches!(call.result, Type::Float(_)) {
            return Ok(Value::new(call.result.clone(), 0));
        }
        self.approximation(&call.result, call.name, call.place)
    }

    fn input(&mut self, call: &Known<'_>) -> Lowered<Value> {
        self.arbitrary(&call.result, Self::source_of(call.name, &call.result), call.place)
    }

    /// A new heap block, or null if the user allows that.
    fn allocated(
        &mut self,
        size: Expr,
        content: InitialContent,
        call: &Known<'_>,
    ) -> Lowered<Value> {
        let place = call.place;
        let target = self.temporary(ScalarType::Pointer, place);
        let command = Command::Allocate { target, size, kind: MemoryKind::Heap, content };
        if self.options.malloc == MallocModel::Succeeds {
            self.emit(command, place);
            return self.pointer_result(target.into(), call);
        }
        let span = self.span(place);
        let choice = self.arbitrary(
            &Type::Int(Integer::Bool),
            HavocSource::Input(call.name.to_owned()),
            place,
        )?;
        let (yes, no, join) = (self.body.block(span), self.body.block(span), self.body.block(span));
        self.branch_on(fold::truth(choice.expr), yes, no, place);
        self.body.current = yes;
        self.emit(command, place);
        self.body.terminate(Terminator::Goto(join), span);
        self.body.current = no;
        self.assign(target, Expr::Constant(0), place);
        self.body.terminate(Terminator::Goto(join), span);
        self.body.current = join;
        self.pointer_result(target.into(), call)
    }

    /// The old block ends, a new one with arbitrary content begins. What the
    /// new one takes over of the old is not modelled, so that no
    /// counterexample may come this way.
    fn reallocate(&mut self, call: &Known<'_>) -> Lowered<Value> {
        let place = call.place;
        let mut size = self.byte_count(call, 1)?;
        if call.values.len() > 2 {
            let factor = self.byte_count(call, 2)?;
            size = fold::binary(BinaryOp::Multiply, size, factor);
        }
        let old = call.argument(0);
        if old != Expr::Constant(0) {
            self.approximate(call.name, place);
        }
        self.emit(Command::Free { address: old, kind: MemoryKind::Heap }, place);
        self.allocated(size, InitialContent::Arbitrary, call)
    }

    /// From here on the run is an over-approximation: it depends on a value that
    /// is not modelled, whatever the value is.
    fn approximate(&mut self, what: &str, place: Place) {
        let target = self.temporary(ScalarType::Int(IntKind { bits: 1, signed: false }), place);
        let source = HavocSource::Approximation(what.to_owned());
        self.emit(Command::Havoc { target, source }, place);
        let condition = fold::binary(BinaryOp::Equal, target.into(), Expr::Constant(0));
        self.emit(Command::Assume { condition }, place);
    }

    fn assume(&mut self, call: &Known<'_>) -> Lowered<Value> {
        if let Some(value) = call.values.first() {
            let condition = self.truth(value.clone(), call.place)?;
            self.emit(Command::Assume { condition }, call.place);
        }
        self.zero(call)
    }

    fn assert(&mut self, call: &Known<'_>) -> Lowered<Value> {
        let Some(value) = call.values.first() else { return self.zero(call) };
        let condition = self.truth(value.clone(), call.place)?;
        let span = self.span(call.place);
        let (good, bad) = (self.body.block(span), self.body.block(span));
        self.branch_on(condition, good, bad, call.place);
        self.body.current = bad;
        self.emit(Command::Error { what: call.name.to_owned() }, call.place);
        self.halt(call.place);
        self.body.current = good;
        self.zero(call)
    }

    fn absolute(&mut self, call: &Known<'_>) -> Lowered<Value> {
        let place = call.place;
        let (Some(value), Type::Int(int)) = (call.values.first().cloned(), &call.result) else {
            return self.zero(call);
        };
        let int = *int;
        let value = self.convert(value, &call.result, place)?;
        let Some(scalar) = self.types.scalar(&call.result) else { return self.zero(call) };
        let target = self.temporary(scalar, place);
        let span = self.span(place);
        let (yes, no, join) = (self.body.block(span), self.body.block(span), self.body.block(span));
        let is_negative = fold::binary(BinaryOp::Less, value.expr.clone(), Expr::Constant(0));
        self.branch_on(is_negative, yes, no, place);
        let negated = self.settle(int, fold::unary(crate::ir::UnaryOp::Negate, value.expr.clone()));
        for (block, expr) in [(yes, negated), (no, value.expr)] {
            self.body.current = block;
            self.emit(Command::Assign { target, value: expr }, place);
            self.body.terminate(Terminator::Goto(join), span);
        }
        self.body.current = join;
        Ok(Value::new(call.result.clone(), target))
    }

    /// Input is stored wherever the arguments point.
    fn scan(&mut self, first: usize, call: &Known<'_>) -> Lowered<Value> {
        for value in call.values.iter().skip(first) {
            match &value.ty {
                Type::Pointer(pointee)
                    if pointee.ty.is_scalar() && !self.is_character(&pointee.ty) =>
                {
                    let source = HavocSource::Input(call.name.to_owned());
                    let input = self.arbitrary(&pointee.ty, source, call.place)?;
                    let target =
                        Lvalue { ty: pointee.ty.clone(), site: Site::Memory(value.expr.clone()) };
                    self.store(&target, input, call.place)?;
                }
                _ => self.unsupported(format!("`{}` into this argument", call.name), call.place),
            }
        }
        self.input(call)
    }

    /// Characters may be the start of a longer text.
    fn is_character(&self, ty: &Type) -> bool {
        matches!(ty, Type::Int(Integer::Char | Integer::SignedChar | Integer::UnsignedChar))
    }

    /// Makes all parts of an object arbitrary.
    pub(super) fn scramble(&mut self, ty: &Type, address: Expr, what: &str, place: Place) {
        let mut leaves = Vec::new();
        if self.leaves(ty, 0, &mut leaves).is_none() {
            self.unsupported(format!("large arbitrary object from `{what}`"), place);
            return;
        }
        for (offset, scalar) in leaves {
            let target = self.temporary(scalar, place);
            let source = HavocSource::Approximation(what.to_owned());
            self.emit(Command::Havoc { target, source }, place);
            let offset = Expr::Constant(i128::from(offset));
            let address = fold::binary(BinaryOp::Add, address.clone(), offset);
            self.emit(Command::Store { address, value: target.into(), ty: scalar }, place);
        }
    }

    /// Offsets and types of the scalars in an object; `None` if there are many.
    fn leaves(&self, ty: &Type, offset: u64, into: &mut Vec<(u64, ScalarType)>) -> Option<()> {
        if into.len() as u64 > SCRAMBLE_LIMIT {
            return None;
        }
        match ty {
            Type::Record(id) => {
                let record = self.types.record(*id);
                for field in &record.layout.as_ref()?.fields {
                    match field.bits {
                        Some(bits) => {
                            into.push((offset + field.offset, ScalarType::Int(bits.unit)))
                        }
                        None => self.leaves(&field.ty, offset + field.offset, into)?,
                    }
                }
                Some(())
            }
            Type::Array(array) => {
                let size = self.types.size(&array.element)?;
                let total = self.types.size(ty)?;
                for index in 0..total.checked_div(size)? {
                    self.leaves(&array.element, offset + index * size, into)?;
                }
                Some(())
            }
            other => {
                into.push((offset, self.types.scalar(other)?));
                Some(())
            }
        }
    }
}
