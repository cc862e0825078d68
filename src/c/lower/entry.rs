//! What the program is started with (C11 5.1.2.2.1).

use std::sync::Arc;

use wane_grammar::c::place::Place;

use super::convert::Value;
use super::{Lowered, Lowering};
use crate::library::models;
use crate::types::{RecordId, Type};
use ir::{
    BinaryOp, Callee, Command, Expr, HavocSource, InitialContent, MemoryKind, ProcedureId,
    ScalarType, Variable,
};

/// So many texts the model knows by their numbers.
const FIRST_TEXTS: i128 = 3;

impl<'a> Lowering<'a> {
    /// Calls the entry function with arbitrary arguments.
    pub(super) fn call_entry(&mut self, index: usize) -> Lowered<()> {
        let place = self.declared.functions[index].place;
        if self.is_driver() {
            let main = self.parts.procedure("main", self.span(place));
            let callee = Callee::Direct(main);
            self.emit(Command::Call { target: None, callee, arguments: Vec::new() }, place);
            return Ok(());
        }
        let procedure = self.procedure_of(index);
        let callee = Callee::Direct(procedure);
        let ty = Arc::clone(&self.declared.functions[index].ty);
        let mut arguments: Vec<Expr> = Vec::new();
        if matches!(ty.result, Type::Record(_) | Type::VaList) {
            arguments.push(self.block_of(&ty.result, place)?.into());
        }
        let n_hidden = arguments.len();
        let mut copies: Vec<Variable> = Vec::new();
        let parameters: Vec<Type> = ty.parameters.iter().flatten().cloned().collect();
        for (position, parameter) in parameters.iter().enumerate() {
            let is_needed = self.is_used(procedure, n_hidden + position);
            let known = &self.parts.procedures[procedure.index()].parameters;
            let own = known.get(n_hidden + position).copied();
            let value = if self.hands_over_objects() {
                self.handed_argument((position, own), parameter, place)?
            } else if let Type::Record(record) = parameter
                && self.is_open()
                && self.may_keep_pointers(procedure, n_hidden + position)
            {
                let block = self.open_copy((procedure, n_hidden + position), *record, place)?;
                copies.push(block);
                block.into()
            } else if self.is_open() {
                self.open_argument((position, own), parameter, place)?
            } else if !is_needed && matches!(parameter, Type::Pointer(_)) {
                Expr::Constant(0)
            } else {
                let first = parameters[0].clone();
                let count = arguments.get(n_hidden).map(|it| Value::new(first, it.clone()));
                let texts = self.texts_for(procedure, n_hidden + position);
                self.start_argument((position, parameter, texts), count, place)?
            };
            arguments.push(value);
        }
        if ty.variadic {
            let block = Type::Void.pointer();
            arguments.push(self.approximation(&block, "variable arguments", place)?.expr);
        }
        if !self.is_open() {
            self.emit(Command::Call { target: None, callee, arguments }, place);
            return Ok(());
        }
        let formals = self.parts.procedures[procedure.index()].parameters.iter().copied();
        let formals: Vec<_> = formals.skip(n_hidden).zip(parameters).collect();
        let target = self.caller_result(&ty.result, place);
        self.emit(Command::Call { target, callee, arguments }, place);
        for copy in copies {
            let (address, kind) = (copy.into(), MemoryKind::Stack);
            self.emit(Command::Free { address, kind }, place);
        }
        if !self.hands_over_objects() {
            self.opened.entry = Some(self.describe_entry(procedure, &formals));
        }
        Ok(())
    }

    /// Whether a procedure may write pointers into the structure that it is handed by value at this
    /// position: what they lead to is lost with the copy.
    fn may_keep_pointers(&self, procedure: ProcedureId, position: usize) -> bool {
        let procedure = &self.parts.procedures[procedure.index()];
        let Some(parameter) = procedure.parameters.get(position) else { return false };
        let is_plain = |command: &Command| match command {
            Command::Load { .. } => true,
            Command::Store { value, ty, .. } => {
                *ty != ScalarType::Pointer && !value.mentions(*parameter)
            }
            _ => false,
        };
        let mut commands = procedure.blocks.iter().flat_map(|it| &it.commands);
        commands.any(|it| {
            let mut mentioned = it.command.expressions().filter(|it| it.mentions(*parameter));
            mentioned.next().is_some() && !is_plain(&it.command)
        })
    }

    /// A structure that is handed over by value, and ends with the call.
    fn open_copy(
        &mut self,
        (procedure, position): (ProcedureId, usize),
        record: RecordId,
        place: Place,
    ) -> Lowered<Variable> {
        let parameter = self.parts.procedures[procedure.index()].parameters[position];
        let name = self.parts.variables[parameter.index()].name.clone();
        let size = self.size(&Type::Record(record), place)?;
        let block = self.temporary(ScalarType::Pointer, place);
        let command = Command::Allocate {
            target: block,
            size: Expr::Constant(i128::from(size)),
            kind: MemoryKind::Stack,
            content: InitialContent::Arbitrary,
        };
        self.emit(command, place);
        self.open_fields(block, &name, record, place);
        Ok(block)
    }

    /// Whether a procedure's body mentions the parameter at this position.
    fn is_used(&self, procedure: ProcedureId, position: usize) -> bool {
        let procedure = &self.parts.procedures[procedure.index()];
        let Some(parameter) = procedure.parameters.get(position) else { return true };
        let mut is_used = false;
        let mut look = |expr: &Expr| is_used |= expr.mentions(*parameter);
        procedure.blocks.iter().for_each(|it| it.expressions().for_each(&mut look));
        is_used
    }

    /// The model of the texts that a procedure is given by a parameter: whether it reads only the
    /// first ones, by their numbers.
    fn texts_for(&self, procedure: ProcedureId, position: usize) -> &'static str {
        let procedure = &self.parts.procedures[procedure.index()];
        let Some(parameter) = procedure.parameters.get(position) else {
            return models::START_TEXTS;
        };
        let is_fixed = |address: &Expr| match address {
            Expr::Variable(_) => true,
            Expr::Binary(BinaryOp::Add, left, right) => {
                let known = FIRST_TEXTS * i128::from(self.types.model.pointer_bytes());
                matches!((&**left, &**right), (Expr::Variable(_), Expr::Constant(at)) if *at < known)
            }
            _ => false,
        };
        let mut is_walked = false;
        let mut look = |expr: &Expr| is_walked |= expr.mentions(*parameter);
        for block in &procedure.blocks {
            for instruction in &block.commands {
                match &instruction.command {
                    Command::Load { address, .. } if is_fixed(address) => {}
                    command => command.expressions().for_each(&mut look),
                }
            }
            block.terminator.expression().into_iter().for_each(&mut look);
        }
        if is_walked { models::TEXTS_IN_TURN } else { models::START_TEXTS }
    }

    /// The argument of `main` at a position; `count` is the first one.
    fn start_argument(
        &mut self,
        (position, ty, texts): (usize, &Type, &str),
        count: Option<Value>,
        place: Place,
    ) -> Lowered<Expr> {
        let is_texts = matches!(ty, Type::Pointer(to) if matches!(to.ty, Type::Pointer(_)));
        match (position, ty, count) {
            (0, Type::Int(_), _) => Ok(self.number_of_texts("argc", ty, 1, place)?.expr),
            (1, _, Some(count)) if is_texts => self.start_texts(texts, count, place),
            (2, _, _) if is_texts => self.environment(place),
            _ => Ok(self.approximation(ty, "argument of the entry function", place)?.expr),
        }
    }

    /// The texts of the environment.
    pub(super) fn environment(&mut self, place: Place) -> Lowered<Expr> {
        let count = self.number_of_texts("environment's size", &Type::INT, 0, place)?;
        self.start_texts(models::START_TEXTS, count, place)
    }

    /// An arbitrary number of texts.
    fn number_of_texts(
        &mut self,
        name: &str,
        ty: &Type,
        least: i128,
        place: Place,
    ) -> Lowered<Value> {
        let count = self.arbitrary(ty, HavocSource::Input(name.to_owned()), place)?;
        let bounds = [(BinaryOp::GreaterEqual, least), (BinaryOp::LessEqual, i128::from(i32::MAX))];
        for (operator, bound) in bounds {
            let condition = Expr::binary(operator, count.expr.clone(), Expr::Constant(bound));
            self.emit(Command::Assume { condition }, place);
        }
        Ok(count)
    }

    /// So many texts, and a null pointer behind them.
    fn start_texts(&mut self, model: &str, count: Value, place: Place) -> Lowered<Expr> {
        match self.function_named(model) {
            Some(model) => Ok(self.call_model(model, "argv", vec![count], place)?.expr),
            None => Ok(self.approximation(&Type::Void.pointer(), "argument", place)?.expr),
        }
    }
}
