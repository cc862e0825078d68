//! Runs a program: one command or terminator at a time.

use super::choices::{Choices, Occasion, reduced};
use super::memory::Memory;
use super::state::{Frame, Location, State, Variables};
use super::value::{Arithmetic, Pointer, Value};
use super::{Failure, MemoryErrorKind, Outcome};
use crate::base::budget::Budget;
use crate::base::source::Span;
use crate::ir::expr::{Expr, ScalarType};
use crate::ir::{
    Block, BlockId, Callee, Command, Instruction, MemoryKind, ProcedureId, Program, Terminator,
    Variable,
};
use std::sync::Arc;

/// What is the same in all states of a program.
#[derive(Clone, Debug)]
pub struct Interpreter<'program> {
    program: &'program Program,
    arithmetic: Arithmetic,
    globals: Arc<[Variable]>,
    /// For each procedure, its variables.
    own: Vec<Arc<[Variable]>>,
}

impl<'program> Interpreter<'program> {
    /// Prepares to run `program`.
    #[must_use]
    pub fn new(program: &'program Program) -> Self {
        let mut globals = Vec::new();
        let mut own = vec![Vec::new(); program.procedures.len()];
        for (index, info) in program.variables.iter().enumerate() {
            let scope = match info.owner {
                None => &mut globals,
                Some(owner) => &mut own[owner.index()],
            };
            scope.push(Variable::at(index));
        }
        Self {
            program,
            arithmetic: Arithmetic::of_pointer_bytes(program.pointer_bytes),
            globals: globals.into(),
            own: own.into_iter().map(Into::into).collect(),
        }
    }

    /// The state in which the entry procedure starts.
    #[must_use]
    pub fn initial(&self) -> State {
        let mut state = State {
            frames: Vec::new(),
            globals: Variables::unassigned(&self.globals),
            memory: Memory::new(self.program.pointer_bytes),
        };
        state.frames.push(self.frame(self.program.entry, None));
        state
    }

    fn frame(&self, procedure: ProcedureId, result_target: Option<Variable>) -> Frame {
        Frame {
            location: Location {
                procedure,
                block: BlockId(0),
                command: 0,
            },
            variables: Variables::unassigned(&self.own[procedure.index()]),
            allocas: Vec::new(),
            result_target,
        }
    }

    /// Does what stands at the state's location. When the outcome is not
    /// [`Outcome::Running`] the run is over.
    pub fn step(&self, state: &mut State, choices: &mut dyn Choices) -> Outcome {
        let Some(location) = state.location() else {
            return Outcome::Halted;
        };
        let procedure = self.program.procedure(location.procedure);
        let Some(block) = procedure.blocks.get(location.block.index()) else {
            let what = format!("procedure {} has no body", procedure.name);
            return Outcome::Unsupported {
                what,
                span: procedure.span,
            };
        };
        let mut machine = Machine {
            interpreter: self,
            state,
            choices,
        };
        let (result, span) = match block.commands.get(location.command) {
            Some(instruction) => (machine.instruction(instruction), instruction.span),
            None => (machine.terminator(block), block.span),
        };
        result.unwrap_or_else(|failure| failure.at(span))
    }

    /// Steps until the run is over or the budget is spent.
    pub fn run(
        &self,
        state: &mut State,
        choices: &mut dyn Choices,
        budget: &mut Budget,
    ) -> Outcome {
        loop {
            if budget.spend(1).is_err() {
                return Outcome::OutOfBudget;
            }
            match self.step(state, choices) {
                Outcome::Running => {}
                over => return over,
            }
        }
    }

    /// The place of what the state is about to do.
    #[must_use]
    pub fn span(&self, state: &State) -> Span {
        let Some(location) = state.location() else {
            return Span::NOWHERE;
        };
        let procedure = self.program.procedure(location.procedure);
        procedure
            .blocks
            .get(location.block.index())
            .map_or(procedure.span, |block| {
                block
                    .commands
                    .get(location.command)
                    .map_or(block.span, |it| it.span)
            })
    }
}

/// The interpreter at work on one step.
struct Machine<'step, 'program> {
    interpreter: &'step Interpreter<'program>,
    state: &'step mut State,
    choices: &'step mut dyn Choices,
}

impl Machine<'_, '_> {
    fn instruction(&mut self, instruction: &Instruction) -> Result<Outcome, Failure> {
        if let Some(frame) = self.state.frames.last_mut() {
            frame.location.command += 1;
        }
        self.command(&instruction.command, instruction.span)
    }

    fn command(&mut self, command: &Command, span: Span) -> Result<Outcome, Failure> {
        match command {
            Command::Assign { target, value } => {
                let value = self.eval(value)?;
                self.assign(*target, value);
            }
            Command::Havoc { target, source } => {
                let value = self.chosen(*target, Occasion::Havoc(source));
                self.assign(*target, value);
            }
            Command::Load {
                target,
                address,
                ty,
            } => {
                let address = self.eval(address)?;
                let value = self.load(address, *ty)?;
                self.assign(*target, value);
            }
            Command::Store { address, value, ty } => {
                let (address, value) = (self.eval(address)?, self.eval(value)?);
                self.state.memory.store(address, *ty, value)?;
            }
            Command::Allocate {
                target,
                size,
                kind,
                content,
            } => {
                let size = self.eval(size)?;
                let block = self.state.memory.allocate(*kind, size, *content, span)?;
                if let (MemoryKind::Alloca, Some(frame)) = (kind, self.state.frames.last_mut()) {
                    frame.allocas.push(block);
                }
                self.assign(*target, Value::Pointer(Pointer { block, offset: 0 }));
            }
            Command::Free { address, kind } => {
                let address = self.eval(address)?;
                self.state.memory.free(*kind, address)?;
            }
            Command::Fill {
                address,
                byte,
                size,
            } => {
                let (address, byte) = (self.eval(address)?, self.eval(byte)?);
                let size = self.eval(size)?;
                self.state.memory.fill(address, byte, size)?;
            }
            Command::Copy {
                target,
                source,
                size,
            } => {
                let (target, source) = (self.eval(target)?, self.eval(source)?);
                let size = self.eval(size)?;
                self.state.memory.copy(target, source, size)?;
            }
            Command::Assume { condition } => {
                if !self.eval(condition)?.is_true() {
                    return Ok(Outcome::AssumeFailed);
                }
            }
            Command::Call {
                target,
                callee,
                arguments,
            } => self.call(*target, callee, arguments)?,
            Command::Error { what } => {
                return Ok(Outcome::ReachedError {
                    what: what.clone(),
                    span,
                });
            }
            Command::Unsupported { what } => {
                return Ok(Outcome::Unsupported {
                    what: what.clone(),
                    span,
                });
            }
        }
        Ok(Outcome::Running)
    }

    fn call(
        &mut self,
        target: Option<Variable>,
        callee: &Callee,
        arguments: &[Expr],
    ) -> Result<(), Failure> {
        let callee = match callee {
            Callee::Direct(procedure) => *procedure,
            Callee::Indirect(address) => match self.eval(address)? {
                Value::Procedure(procedure) => procedure,
                Value::Int(0) => return Err(Failure::Error(MemoryErrorKind::NullDereference)),
                Value::Int(_) | Value::Pointer(_) => {
                    return Err(Failure::Error(MemoryErrorKind::WildPointer));
                }
            },
        };
        let procedure = self.interpreter.program.procedure(callee);
        if !procedure.is_defined() {
            return Err(Failure::Unsupported(format!(
                "procedure {} has no body",
                procedure.name
            )));
        }
        if procedure.parameters.len() != arguments.len() {
            let what = format!(
                "call of {} with a wrong number of arguments",
                procedure.name
            );
            return Err(Failure::Unsupported(what));
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.eval(argument)?);
        }
        self.state
            .frames
            .push(self.interpreter.frame(callee, target));
        for (parameter, value) in procedure.parameters.iter().zip(values) {
            self.assign(*parameter, value);
        }
        Ok(())
    }

    fn terminator(&mut self, block: &Block) -> Result<Outcome, Failure> {
        let next = match &block.terminator {
            Terminator::Goto(next) => *next,
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                if self.eval(condition)?.is_true() {
                    *then
                } else {
                    *otherwise
                }
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                let value = self.eval(value)?;
                let number = value.as_int();
                let number =
                    number.ok_or_else(|| Failure::unsupported("a switch on an address"))?;
                let found = cases
                    .iter()
                    .find(|(low, high, _)| (*low..=*high).contains(&number));
                found.map_or(*default, |(_, _, target)| *target)
            }
            Terminator::Return(value) => return self.return_value(value.as_ref()),
            Terminator::Halt => return Ok(Outcome::Halted),
        };
        if let Some(frame) = self.state.frames.last_mut() {
            frame.location = Location {
                block: next,
                command: 0,
                ..frame.location
            };
        }
        Ok(Outcome::Running)
    }

    fn return_value(&mut self, value: Option<&Expr>) -> Result<Outcome, Failure> {
        let value = value.map(|value| self.eval(value)).transpose()?;
        let Some(frame) = self.state.frames.pop() else {
            return Ok(Outcome::Halted);
        };
        self.state.release_allocas(&frame);
        if self.state.frames.is_empty() {
            return Ok(Outcome::Halted);
        }
        if let Some(target) = frame.result_target {
            // Without a value the caller's variable becomes arbitrary.
            self.set(target, value);
        }
        Ok(Outcome::Running)
    }

    fn load(&mut self, address: Value, ty: ScalarType) -> Result<Value, Failure> {
        let choices = &mut *self.choices;
        let mut choose = |ty| choices.choose(ty, Occasion::UninitialisedMemory);
        self.state.memory.load(address, ty, &mut choose)
    }

    fn chosen(&mut self, variable: Variable, occasion: Occasion<'_>) -> Value {
        let program = self.interpreter.program;
        let ty = program.variable(variable).ty;
        let choice = self.choices.choose(ty, occasion);
        Value::Int(reduced(choice, ty, program.pointer_bytes))
    }

    fn assign(&mut self, variable: Variable, value: Value) {
        self.set(variable, Some(value));
    }

    fn set(&mut self, variable: Variable, value: Option<Value>) {
        let local = self
            .state
            .frames
            .last_mut()
            .map(|frame| &mut frame.variables);
        for scope in local.into_iter().chain([&mut self.state.globals]) {
            if let Some(position) = scope.position(variable) {
                scope.values[position] = value;
                return;
            }
        }
    }

    /// The recursion is as deep as the expression.
    fn eval(&mut self, expr: &Expr) -> Result<Value, Failure> {
        let arithmetic = self.interpreter.arithmetic;
        match expr {
            Expr::Constant(number) => Ok(Value::Int(*number)),
            Expr::Variable(variable) => Ok(self.read(*variable)),
            Expr::Procedure(procedure) => Ok(Value::Procedure(*procedure)),
            Expr::Unary(op, operand) => arithmetic.unary(*op, self.eval(operand)?),
            Expr::Binary(op, left, right) => {
                let left = self.eval(left)?;
                arithmetic.binary(*op, left, self.eval(right)?)
            }
            Expr::Wrap(kind, operand) => arithmetic.wrap(*kind, self.eval(operand)?),
        }
    }

    fn read(&mut self, variable: Variable) -> Value {
        if let Some(value) = self.state.value(variable) {
            return value;
        }
        let value = self.chosen(variable, Occasion::UnassignedVariable);
        self.assign(variable, value);
        value
    }
}
