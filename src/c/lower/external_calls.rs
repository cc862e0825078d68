//! Calls of functions that the file does not define.

use wane_grammar::c::ast::{BinaryOperator, Expr as Tree, ExprKind};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::atomic::Atomic;
use super::builtin::Checked;
use super::convert::Value;
use super::ownership_assumptions::may_give_up;
use super::scope::Entity;
use super::{Lowered, Lowering, fold};
use crate::external::External;
use crate::library::{self, Letters, Model, Output, models, prototype};
use crate::types::{Integer, Type};
use ir::{
    BinaryOp, Callee, Command, Expr, Grant, HavocSource, InitialContent, IntKind, MemoryKind,
    Overlap, ScalarType, Terminator,
};

/// A call of a known function.
pub(super) struct Known<'n> {
    pub(super) name: &'n str,
    pub(super) values: Vec<Value>,
    pub(super) result: Type,
    pub(super) place: Place,
}

impl Known<'_> {
    /// The argument at an index, 0 if it was left out.
    pub(super) fn argument(&self, index: usize) -> Expr {
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
        self.let_others_move(place);
        let name = self.name(self.declared.functions[index].name);
        let result = self.declared.functions[index].ty.result.clone();
        if let Some(helper) = models::optional(name) {
            return match self.function_named(&helper) {
                Some(helper) => self.call_model(helper, name, values, place),
                None => Ok(Value::new(result, 0)),
            };
        }
        if !self.outside.functions.contains_key(name) {
            self.outside.functions.insert(name.to_owned(), External::of(name, &result));
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
        self.disturb_errno(name, place)?;
        let model = self.model_of(name);
        let is_librarys = model.is_none_or(|model| {
            let function = &self.declared.functions[index];
            let known = &self.declared.functions[model].ty;
            let is_same = match (&function.ty.result, &known.result) {
                (Type::Record(own), Type::Record(known)) => self.are_same(*own, *known),
                _ => true,
            };
            is_same && prototype::matches(&function.ty, known)
        });
        let written = model
            .filter(|model| is_librarys && self.declared.functions[*model].definition.is_some());
        if let (Some(model), true, None) = (library::model(name), is_librarys, written) {
            if let Some(known) = External::likeness(name) {
                self.outside.kept.liken(name, known);
            }
            return self.call_known(model, Known { name, values, result, place }, trees);
        }
        match written {
            Some(model) => {
                let special = self.opening_anew(name, trees);
                let special = special.or_else(|| self.seeding_by_clock(name, trees));
                let model = special.unwrap_or(model);
                let value = self.call_model(model, name, values, place)?;
                match &result {
                    Type::Record(_) => Ok(Value { ty: result, ..value }),
                    _ => self.convert(value, &result, place),
                }
            }
            _ if !self.source.is_users(self.declared.functions[index].place) => {
                let what = format!("`{}`, a library function without a model", name);
                self.unsupported(what, place);
                self.approximation(&result, name, place)
            }
            _ => self.call_unknown(index, &values, trees, place),
        }
    }

    /// The model of `fopen` with a literal mode that does not append to the file.
    fn opening_anew(&self, name: &str, trees: &[Tree]) -> Option<usize> {
        let ExprKind::String(mode) = &trees.get(1)?.kind else { return None };
        let appends = mode.units.first() == Some(&u32::from(b'a'));
        let is_anew = models::plain_name(name) == "fopen" && !appends;
        is_anew.then(|| self.function_named("__model_fopen_anew"))?
    }

    /// The model of `srand` with a seed that comes from the clock or the process: nobody knows it.
    fn seeding_by_clock(&self, name: &str, trees: &[Tree]) -> Option<usize> {
        if !matches!(models::plain_name(name), "srand" | "srandom") {
            return None;
        }
        let (mut open, mut is_by_clock) = (vec![trees.first()?], false);
        while let Some(tree) = open.pop() {
            if let ExprKind::Call(callee, _) = &tree.kind
                && let ExprKind::Name(callee) = callee.kind
            {
                is_by_clock |= matches!(self.name(callee), "time" | "clock" | "getpid")
                    && self.is_librarys(callee);
            }
            // Of a remainder, say, there are only few.
            let keeps_all = match &tree.kind {
                ExprKind::Cast(..) => true,
                ExprKind::Binary(op, ..) => {
                    matches!(op, BinaryOperator::Add | BinaryOperator::BitXor)
                }
                _ => false,
            };
            open.extend(keeps_all.then(|| tree.parts()).into_iter().flatten());
        }
        is_by_clock.then(|| self.function_named("__model_seed_by_clock"))?
    }

    /// Whether a name is that of a function of the library here.
    fn is_librarys(&self, name: Symbol) -> bool {
        match self.scopes.entity(name) {
            Some(Entity::Function(index)) => self.declared.functions[*index].definition.is_none(),
            _ => false,
        }
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
        let name = self.name(self.declared.functions[index].name);
        let result = self.declared.functions[index].ty.result.clone();
        let gives_up = may_give_up(name);
        let is_harmless = values.iter().enumerate().all(|(position, value)| match &value.ty {
            Type::Pointer(_) if gives_up => value.is_zero(),
            Type::Pointer(pointee) => {
                let is_text = trees
                    .get(position)
                    .is_some_and(|tree| matches!(tree.kind, ExprKind::String(_)));
                let is_read = pointee.constant && !self.types.leads_on(&pointee.ty);
                is_read || is_text || value.is_zero()
            }
            Type::VaList | Type::Record(_) => false,
            _ => true,
        });
        self.rely_on(name, place);
        if self.source.is_part() {
            let what = format!("call of `{name}`, which another file may define");
            self.unsupported(what, place);
        }
        if ["__builtin_", "__sync_", "__atomic_"].iter().any(|it| name.starts_with(it)) {
            self.unsupported(format!("call of `{name}`"), place);
        }
        let is_gift =
            matches!(result, Type::Pointer(_)) && self.declared.functions[index].gift.is_fresh;
        let what = format!("call of undefined function `{name}` may change memory");
        let mut is_said = is_harmless;
        if self.is_open() && self.models.site.is_none() && (is_gift || !is_harmless) {
            let call = Known { name, values: values.to_vec(), result: result.clone(), place };
            if let Some(value) = self.call_kept(index, &call, trees)? {
                return Ok(value);
            }
            is_said = is_said || self.hand_over(&call, &what);
        }
        if !is_said {
            // It may call functions of the file as well, and these may do anything.
            match self.is_open() || !self.takes_address_of_function() {
                true => self.clobber(what, place),
                false => self.unsupported(what, place),
            }
        }
        if self.declared.functions[index].no_return {
            self.halt(place);
            return self.approximation(&result, name, place);
        }
        self.arbitrary(&result, Self::source_of(name, &result), place)
    }

    /// Whether the program takes the address of a function that it defines.
    fn takes_address_of_function(&self) -> bool {
        let mut defined = self.declared.functions.iter().filter(|it| it.definition.is_some());
        defined.any(|it| self.taken.is_value(it.name))
    }

    /// Notes that a function without body is taken to return and to leave alone what it
    /// is not given. Functions that verifiers share are known to do so.
    fn rely_on(&mut self, name: &str, place: Place) {
        let shared = ["nondet", "__VERIFIER", "__CPROVER", "___sl_"];
        if !shared.iter().any(|part| name.contains(part)) {
            self.outside.relied_on.insert(name.to_owned());
            self.leave_the_program(place);
        }
    }

    /// Why the result of a function is arbitrary. Functions that yield addresses
    /// yield good ones, which is not modelled; only what is called "nondet"
    /// means any address.
    pub(super) fn source_of(name: &str, result: &Type) -> HavocSource {
        if matches!(result, Type::Pointer(_)) && !name.contains("nondet") {
            return HavocSource::Approximation(name.to_owned());
        }
        HavocSource::Input(name.to_owned())
    }

    /// The first argument, as a `long` or, where it is an address, as a `void *`.
    fn first(&mut self, call: &Known<'_>) -> Lowered<Value> {
        let Some(first) = call.values.first().cloned() else { return self.zero(call) };
        let is_address = call.name.contains("aligned");
        let ty = if is_address { Type::Void.pointer() } else { Type::Int(Integer::Long) };
        self.convert(first, &ty, call.place)
    }

    /// The program may be observed here, and only where it says so.
    fn make_step(&mut self, call: &Known<'_>) -> Lowered<Value> {
        if let Some(index) = self.hook_named("$step") {
            let callee = Callee::Direct(self.procedure_of(index));
            let arguments = Vec::new();
            self.emit(Command::Call { target: None, callee, arguments }, call.place);
        }
        self.zero(call)
    }

    pub(super) fn halt(&mut self, place: Place) {
        let span = self.span(place);
        self.body.terminate(Terminator::Halt, span);
    }

    fn call_known(&mut self, model: Model, call: Known<'_>, trees: &[Tree]) -> Lowered<Value> {
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
            Model::AllocateOnStack => self.block_of_kind(MemoryKind::Alloca, &call),
            Model::AllocateForEver => self.block_of_kind(MemoryKind::Static, &call),
            Model::BeginStream => self.block_of_kind(MemoryKind::Stream, &call),
            Model::Free => Ok(self.free(MemoryKind::Heap, &call)),
            Model::EndStream => Ok(self.free(MemoryKind::Stream, &call)),
            Model::Fill => {
                let (address, size) = (call.argument(0), self.byte_count(&call, 2)?);
                let byte = self.wrap(IntKind { bits: 8, signed: false }, call.argument(1));
                self.emit(Command::Fill { address: address.clone(), byte, size }, place);
                self.pointer_result(address, &call)
            }
            Model::Copy => self.copy_bytes(Overlap::Allowed, &call),
            Model::CopyApart => self.copy_bytes(Overlap::Undefined, &call),
            Model::Seal => Ok(self.free(MemoryKind::Constant, &call)),
            Model::PrintAndExit => {
                self.print((Output::Elsewhere, Letters::Narrow), &call, trees)?;
                self.call_destructors(place)?;
                self.halt(place);
                self.zero(&call)
            }
            Model::Halt => {
                match models::plain_name(call.name) {
                    "exit" => self.call_destructors(place)?,
                    "quick_exit" => self.run_calls("__model_run_quick_calls", place)?,
                    _ => {}
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
            Model::Undefined => {
                let what = "a place that is said not to be reached";
                let what = said_of_itself(&call, trees).unwrap_or_else(|| what.to_owned());
                self.undefined(what, place);
                self.halt(place);
                Ok(Value::void())
            }
            Model::Assert => self.assert(&call),
            Model::Input => self.input(&call),
            Model::Rounds => {
                let rounds = self.rounds(place);
                self.convert(rounds, &call.result, place)
            }
            Model::Guess => self.approximation(&call.result, &self.site_name(), place),
            Model::Print(output, letters) => self.print((output, letters), &call, trees),
            Model::Scan(source, letters) => self.scan((source, letters), &call, trees),
            Model::Step => self.make_step(&call),
            Model::Nothing | Model::Zero => self.zero(&call),
            Model::First => self.first(&call),
            Model::Absolute => self.absolute(&call),
            Model::Clobber => {
                let what = said_of_itself(&call, trees);
                self.clobber(what.unwrap_or_else(|| format!("call of `{}`", call.name)), place);
                self.zero(&call)
            }
            Model::Unsupported => {
                let what = said_of_itself(&call, trees);
                self.unsupported(what.unwrap_or_else(|| format!("call of `{}`", call.name)), place);
                self.approximation(&call.result, call.name, place)
            }
            Model::Awaits => Ok(self.awaits(&call)),
        }
    }

    /// Whether others are taken to keep to their part: those whom a function by itself meets.
    fn awaits(&mut self, call: &Known<'_>) -> Value {
        let awaits = self.is_open();
        if awaits {
            self.emit(Grant::Locks.command(), call.place);
        }
        Value { expr: Expr::Constant(awaits.into()), ty: call.result.clone() }
    }

    /// An argument as a number of bytes.
    pub(super) fn byte_count(&mut self, call: &Known<'_>, index: usize) -> Lowered<Expr> {
        let ty = Type::Int(self.types.size_type());
        match call.values.get(index) {
            Some(value) if matches!(value.ty, Type::Int(_)) => {
                Ok(self.convert(value.clone(), &ty, call.place)?.expr)
            }
            _ => self.error(call.place, format!("`{}` needs a number of bytes", call.name)),
        }
    }

    fn copy_bytes(&mut self, overlap: Overlap, call: &Known<'_>) -> Lowered<Value> {
        let (target, source) = (call.argument(0), call.argument(1));
        let size = self.byte_count(call, 2)?;
        let copy = Command::Copy { target: target.clone(), source, size, overlap };
        self.emit(copy, call.place);
        self.pointer_result(target, call)
    }

    /// A pointer as the function's declared result.
    pub(super) fn pointer_result(&mut self, pointer: Expr, call: &Known<'_>) -> Lowered<Value> {
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
        let name =
            if models::is_of_models(call.name) { self.site_name() } else { call.name.to_owned() };
        self.arbitrary(&call.result, Self::source_of(&name, &call.result), call.place)
    }

    /// Who chooses a value in a model: the function that the program calls where the
    /// value is its result, else what the program runs in.
    fn site_name(&self) -> String {
        let here = &self.parts.procedures[self.body.procedure.index()];
        match &self.models.site {
            Some(site) if here.shown_name() == site.name => site.name.clone(),
            Some(_) => HavocSource::IN_LIBRARY.to_owned(),
            None => "input".to_owned(),
        }
    }

    /// How often a stream can be read that has just been opened, at most: any number from
    /// 2³² on says that of a finite one.
    pub(super) fn rounds(&mut self, place: Place) -> Value {
        let ty = ScalarType::Int(IntKind { bits: 63, signed: false });
        let target = self.temporary(ty, place);
        let source = HavocSource::Input(HavocSource::INPUT_LENGTH.to_owned());
        self.emit(Command::Havoc { target, source }, place);
        let rounds = fold::binary(BinaryOp::Add, target.into(), Expr::Constant(1 << 32));
        Value::new(Type::Int(Integer::UnsignedLongLong), rounds)
    }

    fn block_of_kind(&mut self, kind: MemoryKind, call: &Known<'_>) -> Lowered<Value> {
        let size = self.byte_count(call, 0)?;
        let target = self.temporary(ScalarType::Pointer, call.place);
        let content = InitialContent::Arbitrary;
        self.emit(Command::Allocate { target, size, kind, content }, call.place);
        self.pointer_result(target.into(), call)
    }

    fn free(&mut self, kind: MemoryKind, call: &Known<'_>) -> Value {
        self.emit(Command::Free { address: call.argument(0), kind }, call.place);
        Value::void()
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
        let negated = self.settle(int, fold::unary(ir::UnaryOp::Negate, value.expr.clone()));
        for (block, expr) in [(yes, negated), (no, value.expr)] {
            self.body.current = block;
            self.emit(Command::Assign { target, value: expr }, place);
            self.body.terminate(Terminator::Goto(join), span);
        }
        self.body.current = join;
        Ok(Value::new(call.result.clone(), target))
    }
}

/// What a model says of itself that it does not do.
fn said_of_itself(call: &Known<'_>, trees: &[Tree]) -> Option<String> {
    match trees.first().map(|tree| &tree.kind) {
        Some(ExprKind::String(text)) if models::is_of_models(call.name) => {
            Some(text.units.iter().filter_map(|unit| char::from_u32(*unit)).collect())
        }
        _ => None,
    }
}
