//! Runs a program: one command or terminator at a time.

use super::choices::{Choices, Occasion, reduced};
use super::memory::{Memory, MemoryBlockId};
use super::state::{Frame, Location, State, Variables};
use super::value::{Arithmetic, Pointer, Value};
use super::{Failure, MemoryErrorKind, Outcome};
use base::budget::Budget;
use base::source::Span;
use ir::expr::{Expr, ScalarType};
use ir::{
    Block, BlockId, Callee, Command, InitialContent, Instruction, MemoryKind, ProcedureId, Program,
    Terminator, Variable,
};
use std::sync::Arc;

/// What is the same in all states of a program.
#[derive(Clone, Debug)]
pub struct Interpreter<'program> {
    program: &'program Program,
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
        Self { program, globals: globals.into(), own: own.into_iter().map(Into::into).collect() }
    }

    /// The state in which the entry procedure starts.
    #[must_use]
    pub fn initial(&self) -> State {
        self.initial_of(self.program.entry)
    }

    /// A state in which `procedure` starts, as the outermost call, with empty
    /// memory. Parameters and globals are arbitrary until they are assigned.
    #[must_use]
    pub fn initial_of(&self, procedure: ProcedureId) -> State {
        State {
            frames: vec![self.frame(procedure, None)],
            globals: Variables::unassigned(&self.globals),
            memory: Memory::new(self.program.pointer_bytes),
        }
    }

    fn frame(&self, procedure: ProcedureId, result_target: Option<Variable>) -> Frame {
        Frame {
            location: Location { procedure, block: BlockId(0), command: 0 },
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
            return Outcome::Unsupported { what, span: procedure.span };
        };
        let mut machine = Machine { interpreter: self, state, choices };
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
        procedure.blocks.get(location.block.index()).map_or(procedure.span, |block| {
            block.commands.get(location.command).map_or(block.span, |it| it.span)
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
                let value = self.eval_for(*target, value)?;
                self.state.assign(*target, value);
            }
            Command::Havoc { target, source } => {
                let value = self.chosen(*target, Occasion::Havoc(source));
                self.state.assign(*target, value);
            }
            Command::Load { target, address, ty } => {
                let value = self.load(address, *ty)?;
                self.state.assign(*target, value);
            }
            Command::Store { address, value, ty } => {
                let [address, value] = self.eval_all([address, value])?;
                self.state.memory.store(address, *ty, value)?;
            }
            Command::Allocate { target, size, kind, content } => {
                let size = self.eval(size)?;
                // There is no run in which what has no room has an address.
                if size.as_int().is_some_and(|size| !self.state.memory.has_room(size)) {
                    return Ok(Outcome::AssumeFailed);
                }
                let block = self.allocate(size, *kind, *content, span)?;
                self.state.assign(*target, Value::Pointer(Pointer { block, offset: 0 }));
            }
            Command::Measure { target, address } => {
                let address = self.eval(address)?;
                let size = self.state.memory.measure(address)?;
                self.state.assign(*target, Value::Int(size));
            }
            Command::Free { address, kind } => {
                let address = self.eval(address)?;
                self.state.memory.free(*kind, address)?;
            }
            Command::Fill { address, byte, size } => {
                let [address, byte, size] = self.eval_all([address, byte, size])?;
                self.state.memory.fill(address, byte, size)?;
            }
            Command::Copy { target, source, size, overlap } => {
                let [target, source, size] = self.eval_all([target, source, size])?;
                self.state.memory.copy(target, source, size, *overlap)?;
            }
            Command::Assume { condition } if !self.holds(condition)? => {
                return Ok(Outcome::AssumeFailed);
            }
            Command::Assume { .. } => {}
            Command::Call { target, callee, arguments } => self.call(*target, callee, arguments)?,
            Command::Error { what } => {
                return Ok(Outcome::ReachedError { what: what.clone(), span });
            }
            Command::Unsupported { what, .. } => {
                return Ok(Outcome::Unsupported { what: what.clone(), span });
            }
        }
        Ok(Outcome::Running)
    }

    fn allocate(
        &mut self,
        size: Value,
        kind: MemoryKind,
        content: InitialContent,
        span: Span,
    ) -> Result<MemoryBlockId, Failure> {
        let block = self.state.memory.allocate(kind, size, content, span)?;
        if let (MemoryKind::Alloca, Some(frame)) = (kind, self.state.frames.last_mut()) {
            frame.allocas.push(block);
        }
        Ok(block)
    }

    fn call(
        &mut self,
        target: Option<Variable>,
        callee: &Callee,
        arguments: &[Expr],
    ) -> Result<(), Failure> {
        let is_indirect = matches!(callee, Callee::Indirect(_));
        let callee = self.callee(callee)?;
        let program = self.interpreter.program;
        let procedure = program.procedure(callee);
        if is_indirect && !program.is_callable_as(callee, target, arguments) {
            return Err(Failure::unsupported("a call of a function as one of another type"));
        }
        if !procedure.is_defined() {
            return Err(Failure::Unsupported(format!("procedure {} has no body", procedure.name)));
        }
        if procedure.parameters.len() != arguments.len() {
            let what = format!("call of {} with a wrong number of arguments", procedure.name);
            return Err(Failure::Unsupported(what));
        }
        let mut frame = self.interpreter.frame(callee, target);
        for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
            let value = self.eval_for(*parameter, argument)?;
            frame.variables.set(*parameter, Some(value));
        }
        self.state.frames.push(frame);
        Ok(())
    }

    fn callee(&mut self, callee: &Callee) -> Result<ProcedureId, Failure> {
        let address = match callee {
            Callee::Direct(procedure) => return Ok(*procedure),
            Callee::Indirect(address) => self.eval(address)?,
        };
        match address {
            Value::Procedure(procedure) => Ok(procedure),
            Value::Int(0) => Err(Failure::Error(MemoryErrorKind::NullDereference)),
            Value::Int(_) | Value::Pointer(_) => Err(Failure::Error(MemoryErrorKind::WildPointer)),
        }
    }

    fn terminator(&mut self, block: &Block) -> Result<Outcome, Failure> {
        let next = match &block.terminator {
            Terminator::Goto(next) => *next,
            Terminator::Branch { condition, then, otherwise } => {
                if self.holds(condition)? {
                    *then
                } else {
                    *otherwise
                }
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.eval(value)?;
                let number = value.as_int();
                let number =
                    number.ok_or_else(|| Failure::unsupported("a switch on an address"))?;
                let found = cases.iter().find(|(low, high, _)| (*low..=*high).contains(&number));
                found.map_or(*default, |(_, _, target)| *target)
            }
            Terminator::Return(value) => return self.return_value(value.as_ref()),
            Terminator::Halt => return Ok(Outcome::Halted),
        };
        if let Some(frame) = self.state.frames.last_mut() {
            frame.location = Location { block: next, command: 0, ..frame.location };
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
            let value = value.map(|value| self.held(target, value));
            self.state.set(target, value);
        }
        Ok(Outcome::Running)
    }

    fn load(&mut self, address: &Expr, ty: ScalarType) -> Result<Value, Failure> {
        let address = self.eval(address)?;
        let choices = &mut *self.choices;
        let occasion = match address {
            Value::Pointer(to)
                if self.state.memory.block(to.block).kind == MemoryKind::Constant =>
            {
                Occasion::LibraryText
            }
            _ => Occasion::UninitialisedMemory,
        };
        let mut choose = |ty| choices.choose(ty, occasion);
        self.state.memory.load(address, ty, &mut choose)
    }

    fn chosen(&mut self, variable: Variable, occasion: Occasion<'_>) -> Value {
        let program = self.interpreter.program;
        let ty = program.variable(variable).ty;
        let choice = self.choices.choose(ty, occasion);
        Value::Int(reduced(choice, ty, program.pointer_bytes))
    }

    fn eval_all<const N: usize>(&mut self, exprs: [&Expr; N]) -> Result<[Value; N], Failure> {
        let mut values = [Value::NULL; N];
        for (value, expr) in values.iter_mut().zip(exprs) {
            *value = self.eval(expr)?;
        }
        Ok(values)
    }

    /// Whether a condition holds.
    fn holds(&mut self, condition: &Expr) -> Result<bool, Failure> {
        let value = self.eval(condition)?;
        self.arithmetic().is_true(value)
    }

    /// The value that `target` holds when an expression is assigned to it.
    fn eval_for(&mut self, target: Variable, expr: &Expr) -> Result<Value, Failure> {
        let value = self.eval(expr)?;
        Ok(self.held(target, value))
    }

    /// A value as a variable holds it.
    fn held(&self, target: Variable, value: Value) -> Value {
        match self.interpreter.program.variable(target).ty {
            ScalarType::Pointer => self.arithmetic().as_address(value),
            ScalarType::Int(_) | ScalarType::Float(_) => value,
        }
    }

    fn arithmetic(&self) -> Arithmetic<'_> {
        Arithmetic::of(&self.state.memory)
    }

    fn eval(&mut self, expr: &Expr) -> Result<Value, Failure> {
        loop {
            if let Some(value) = self.state.value_of(expr)? {
                return Ok(value);
            }
            for variable in expr.variables() {
                self.read(variable);
            }
        }
    }

    fn read(&mut self, variable: Variable) {
        if self.state.value(variable).is_none() {
            let value = self.chosen(variable, Occasion::UnassignedVariable);
            self.state.assign(variable, value);
        }
    }
}
