//! One step of the interpreter with its shadow.

use super::eval::{Evaluator, Stop, slot_of};
use super::shadow::{Choice, ChoiceSource, Form, Reductions, Refused, Shadow};
use base::source::Span;
use concrete::Outcome;
use concrete::choices::{Choices, Occasion, reduced};
use concrete::interpreter::Interpreter;
use concrete::memory::MemoryBlockId;
use concrete::state::{Location, State};
use concrete::value::{Pointer, Value};
use ir::expr::{Expr, ScalarType};
use ir::{BinaryOp, Callee, Command, InitialContent, MemoryKind, Program, Terminator, Variable};
use logic::{Constraint, Integer, LinearExpr};

/// Runs a program and its shadow.
#[derive(Clone, Debug)]
pub struct Concolic<'program> {
    program: &'program Program,
    interpreter: Interpreter<'program>,
}

/// A run as far as it has come.
#[derive(Clone, Debug)]
pub struct Run {
    /// The state.
    pub state: State,
    /// Its shadow.
    pub shadow: Shadow,
}

/// What a step will do to the shadow.
enum Effect {
    Nothing,
    Assign(Variable, Form),
    Havoc(Variable),
    Load(Variable, Pointer, ScalarType),
    Store(Pointer, ScalarType, Form),
    Allocate(Variable, InitialContent, i128),
    Free(Value),
    Fill(Pointer, i128),
    Copy([Pointer; 2], i128),
    Call(Vec<(Variable, Form)>),
    Return(Option<Variable>, Form),
}

impl<'program> Concolic<'program> {
    /// Prepares to run `program`.
    #[must_use]
    pub fn new(program: &'program Program) -> Self {
        Self { program, interpreter: Interpreter::new(program) }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'program Program {
        self.program
    }

    /// The interpreter that says what a step does.
    #[must_use]
    pub fn interpreter(&self) -> &Interpreter<'program> {
        &self.interpreter
    }

    /// A run from the program's start, whose symbols are its choices.
    #[must_use]
    pub fn start(&self) -> Run {
        let state = self.interpreter.initial();
        Run { shadow: Shadow::of_start(&state), state }
    }

    /// A run from the middle: its symbols are the numbers that it finds there,
    /// and its choices.
    #[must_use]
    pub fn resume(&self, state: State, reductions: Reductions) -> Run {
        let mut shadow = Shadow::of_middle(&state);
        shadow.reductions = reductions;
        Run { shadow, state }
    }

    /// Does what the interpreter does, with the shadow. After an outcome other
    /// than [`Outcome::Running`] the shadow is of no more use.
    ///
    /// # Errors
    /// When this step cannot be shadowed; the run is then of no more use.
    pub fn step(&self, run: &mut Run, choices: &mut dyn Choices) -> Result<Outcome, Refused> {
        let Some(location) = run.state.location() else { return Ok(Outcome::Halted) };
        let span = self.interpreter.span(&run.state);
        self.assign_missing(run, choices, span)?;
        let effect = match self.effect(run, location) {
            Ok(effect) => effect,
            // The interpreter is asked what happens; it must not go on.
            Err(Stop::Fails) => {
                return match self.interpreter.step(&mut run.state, choices) {
                    Outcome::Running => Err(Refused("shadow and interpreter disagree")),
                    outcome => Ok(outcome),
                };
            }
            Err(Stop::Refused(refused)) => return Err(refused),
        };
        if let Effect::Copy(pointers, width) = &effect {
            run.shadow.copy(&run.state, *pointers, *width);
        }
        let mut recorder =
            Recorder { choices, pointer_bytes: self.program.pointer_bytes, span, made: Vec::new() };
        let outcome = self.interpreter.step(&mut run.state, &mut recorder);
        let made = recorder.made;
        if outcome == Outcome::Running {
            self.apply(run, location, effect, made)?;
        }
        Ok(outcome)
    }

    /// Chooses values for the variables that the step will read and that have
    /// none, in the order in which the interpreter would.
    fn assign_missing(
        &self,
        run: &mut Run,
        choices: &mut dyn Choices,
        span: Span,
    ) -> Result<(), Refused> {
        let Some(location) = run.state.location() else { return Ok(()) };
        let mut missing = Vec::new();
        let mut visit = |expr: &Expr| {
            expr.variables().for_each(|variable| {
                if run.state.value(variable).is_none() && !missing.contains(&variable) {
                    missing.push(variable);
                }
            });
        };
        match self.command_at(location) {
            Some(At::Command(command)) => command.expressions().for_each(&mut visit),
            Some(At::Terminator(terminator)) => {
                terminator.expression().into_iter().for_each(visit);
            }
            None => {}
        }
        for variable in missing {
            let slot = slot_of(self.program, &run.state, variable);
            if run.shadow.is_old_variable(slot) {
                return Err(Refused("a variable is read that has no value"));
            }
            let ty = self.program.variable(variable).ty;
            let choice = choices.choose(ty, Occasion::UnassignedVariable);
            let value = reduced(choice, ty, self.program.pointer_bytes);
            let source = ChoiceSource::Uninitialised;
            let form = run.shadow.choose(Choice { ty, value, source, span });
            run.state.assign(variable, Value::Int(value));
            run.shadow.set_variable(slot, form);
        }
        Ok(())
    }

    fn command_at(&self, location: Location) -> Option<At<'program>> {
        let procedure = self.program.procedure(location.procedure);
        let block = procedure.blocks.get(location.block.index())?;
        Some(match block.commands.get(location.command) {
            Some(instruction) => At::Command(&instruction.command),
            None => At::Terminator(&block.terminator),
        })
    }

    /// What the step at `location` will do, with its decisions.
    fn effect(&self, run: &mut Run, location: Location) -> Result<Effect, Stop> {
        let result_target = run.state.frames().last().and_then(|it| it.result_target());
        let mut evaluator = Evaluator {
            program: self.program,
            location,
            state: &run.state,
            shadow: &mut run.shadow,
        };
        match self.command_at(location).ok_or(Stop::Fails)? {
            At::Command(command) => evaluator.command(command),
            At::Terminator(terminator) => evaluator.terminator(terminator, result_target),
        }
    }

    fn apply(
        &self,
        run: &mut Run,
        location: Location,
        effect: Effect,
        made: Vec<Choice>,
    ) -> Result<(), Refused> {
        let slot = |state: &State, variable| slot_of(self.program, state, variable);
        let pointer_bytes = self.program.pointer_bytes;
        let width_of = |ty: ScalarType| i128::from(ty.bytes(pointer_bytes));
        let Run { state, shadow } = run;
        let chosen: Vec<(ScalarType, Form)> =
            made.into_iter().map(|choice| (choice.ty, shadow.choose_or_free(choice))).collect();
        match effect {
            Effect::Nothing => {}
            Effect::Assign(target, form) => shadow.set_variable(slot(state, target), form),
            Effect::Havoc(target) => {
                let form = chosen.into_iter().next().and_then(|(_, form)| form);
                shadow.set_variable(slot(state, target), form);
            }
            Effect::Load(target, pointer, ty) => {
                let value = state.value(target).ok_or(Refused("a load without a value"))?;
                let loaded = shadow.load((pointer, ty, width_of(ty)), value, &chosen)?;
                for form in loaded.pinned {
                    let value = number_of(shadow, &form)?;
                    shadow.pin(location, &Some(form), Value::Int(value));
                }
                shadow.set_variable(slot(state, target), loaded.form);
            }
            Effect::Store(pointer, ty, form) => shadow.store(pointer, ty, width_of(ty), form),
            Effect::Allocate(target, content, size) => {
                let block = MemoryBlockId::at(state.memory().n_blocks().saturating_sub(1));
                if content == InitialContent::Zero {
                    shadow.fill(Pointer { block, offset: 0 }, size);
                }
                shadow.set_variable(slot(state, target), None);
            }
            Effect::Free(address) => {
                if let Value::Pointer(pointer) = address {
                    shadow.free(pointer.block);
                }
            }
            Effect::Fill(pointer, size) => shadow.fill(pointer, size),
            // Done before, as the bytes may overlap.
            Effect::Copy(..) => {}
            Effect::Call(parameters) => shadow.frames.push(parameters.into_iter().collect()),
            Effect::Return(target, form) => self.leave(state, shadow, target, form)?,
        }
        Ok(())
    }

    fn leave(
        &self,
        state: &State,
        shadow: &mut Shadow,
        target: Option<Variable>,
        form: Form,
    ) -> Result<(), Refused> {
        shadow.frames.pop();
        if shadow.n_old_frames > shadow.frames.len() {
            shadow.n_old_frames = shadow.frames.len();
        }
        if let Some(target) = target {
            shadow.set_variable(slot_of(self.program, state, target), form);
        }
        Ok(())
    }
}

fn number_of(shadow: &Shadow, form: &LinearExpr) -> Result<i128, Refused> {
    let value = form.evaluate(|symbol| shadow.rational_of(symbol));
    value.floor().to_i128().ok_or(Refused("a number above 128 bits"))
}

enum At<'program> {
    Command(&'program Command),
    Terminator(&'program Terminator),
}

impl Evaluator<'_> {
    fn pointer(&mut self, address: &Expr) -> Result<Pointer, Stop> {
        // Only the interpreter knows what access through a number does.
        self.eval_pinned(address)?.as_pointer().ok_or(Stop::Fails)
    }

    fn size(&mut self, size: &Expr) -> Result<i128, Stop> {
        self.eval_pinned(size)?.as_int().ok_or(Stop::Fails)
    }

    fn command(&mut self, command: &Command) -> Result<Effect, Stop> {
        Ok(match command {
            Command::Assign { target, value } => Effect::Assign(
                *target,
                self.eval_as(self.program.variable(*target).ty, value)?.form,
            ),
            Command::Havoc { target, .. } => Effect::Havoc(*target),
            Command::Load { target, address, ty } => {
                Effect::Load(*target, self.pointer(address)?, *ty)
            }
            Command::Store { address, value, ty } => {
                let pointer = self.pointer(address)?;
                Effect::Store(pointer, *ty, self.eval_as(*ty, value)?.form)
            }
            Command::Allocate { target, size, content, .. } => {
                Effect::Allocate(*target, *content, self.size(size)?)
            }
            // Sizes are pinned when blocks are made.
            Command::Measure { target, address } => {
                self.eval_pinned(address)?;
                Effect::Assign(*target, None)
            }
            Command::Free { kind: MemoryKind::Constant, .. } => Effect::Nothing,
            Command::Free { address, .. } => Effect::Free(self.eval_pinned(address)?),
            Command::Fill { address, byte, size } => {
                let address = self.eval_pinned(address)?;
                self.eval_pinned(byte)?;
                match (self.size(size)?, address) {
                    (0, _) => Effect::Nothing,
                    (size, Value::Pointer(pointer)) => Effect::Fill(pointer, size),
                    (_, Value::Int(_) | Value::Procedure(_)) => return Err(Stop::Fails),
                }
            }
            Command::Copy { target, source, size, .. } => {
                let target = self.eval_pinned(target)?;
                let source = self.eval_pinned(source)?;
                match (self.size(size)?, target, source) {
                    (0, ..) => Effect::Nothing,
                    (size, Value::Pointer(target), Value::Pointer(source)) => {
                        Effect::Copy([target, source], size)
                    }
                    (..) => return Err(Stop::Fails),
                }
            }
            Command::Assume { condition } => {
                let n_before = self.shadow.decisions().len();
                let holds = self.truth(condition)?;
                if holds && is_comparison(condition) {
                    // The other way would end the run silently.
                    self.shadow.settle_last(n_before);
                }
                Effect::Nothing
            }
            Command::Call { callee, arguments, .. } => self.call(callee, arguments)?,
            Command::Error { .. } | Command::Unsupported { .. } => return Err(Stop::Fails),
        })
    }

    fn call(&mut self, callee: &Callee, arguments: &[Expr]) -> Result<Effect, Stop> {
        let procedure = match callee {
            Callee::Direct(procedure) => *procedure,
            Callee::Indirect(address) => match self.eval_pinned(address)? {
                Value::Procedure(procedure) => procedure,
                Value::Int(_) | Value::Pointer(_) => return Err(Stop::Fails),
            },
        };
        let parameters = &self.program.procedure(procedure).parameters;
        let mut forms = Vec::with_capacity(arguments.len());
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let ty = self.program.variable(*parameter).ty;
            forms.push((*parameter, self.eval_as(ty, argument)?.form));
        }
        Ok(Effect::Call(forms))
    }

    fn terminator(
        &mut self,
        terminator: &Terminator,
        result_target: Option<Variable>,
    ) -> Result<Effect, Stop> {
        Ok(match terminator {
            Terminator::Goto(_) | Terminator::Halt => Effect::Nothing,
            Terminator::Branch { condition, .. } => {
                self.truth(condition)?;
                Effect::Nothing
            }
            Terminator::Switch { value, cases, .. } => {
                let value = self.eval(value)?;
                let Value::Int(number) = value.value else { return Err(Stop::Fails) };
                if let Some(expr) = &value.form {
                    let ranges: Vec<(i128, i128)> = cases.iter().map(|it| (it.0, it.1)).collect();
                    if !(ranges.len() >= LONG_SWITCH && self.decide_at_once(expr, number, &ranges))
                    {
                        self.decide_case(expr, number, ranges.into_iter());
                    }
                }
                Effect::Nothing
            }
            Terminator::Return(value) => {
                let frame = self.state.frames().len().saturating_sub(1);
                let has_allocas =
                    self.state.frames().last().is_some_and(|it| !it.allocas().is_empty());
                if frame < self.shadow.n_old_frames && has_allocas {
                    return Err(Stop::Refused(Refused("a call returns that used alloca")));
                }
                let form = match (value, result_target) {
                    (Some(value), Some(target)) => {
                        self.eval_as(self.program.variable(target).ty, value)?.form
                    }
                    (Some(value), None) => self.eval(value)?.form,
                    (None, _) => None,
                };
                Effect::Return(result_target.filter(|_| value.is_some()), form)
            }
        })
    }

    /// The case taken out of many, where one constraint says so, and all others: one by one
    /// they would be as many decisions. Whether that is so.
    fn decide_at_once(&mut self, expr: &LinearExpr, number: i128, cases: &[(i128, i128)]) -> bool {
        let at = |number: i128| Constraint::eq(expr, Integer::from(number));
        let below = |number: i128| Constraint::lt(expr, Integer::from(number));
        let greatest = cases.iter().map(|(_, high)| *high).max();
        let Some(behind) = greatest.and_then(|it| it.checked_add(1)) else { return false };
        let is_case = cases.contains(&(number, number));
        let less = cases.iter().map(|(_, high)| *high).filter(|it| *it < number).max();
        let more = cases.iter().map(|(low, _)| *low).filter(|it| *it > number).min();
        // Between cases, what is less than all that are greater is the rest of it.
        let (constraint, rest) = match (less, more) {
            _ if is_case => (at(number), None),
            _ if cases.iter().any(|(low, high)| (*low..=*high).contains(&number)) => return false,
            (Some(less), more) => (Constraint::gt(expr, Integer::from(less)), more.map(below)),
            (None, Some(more)) => (below(more), None),
            (None, None) => return false,
        };
        let taken = if is_case { number } else { behind };
        let others = cases.iter().map(|(low, _)| *low).chain([behind]);
        let alternatives = others.filter(|it| *it != taken).map(at).collect();
        self.decide_among(constraint, alternatives);
        if let Some(rest) = rest {
            self.decide_among(rest, Vec::new());
        }
        true
    }

    /// The case taken, and that the earlier ones are not.
    fn decide_case(
        &mut self,
        expr: &LinearExpr,
        number: i128,
        cases: impl Iterator<Item = (i128, i128)>,
    ) {
        for (low, high) in cases {
            if (low..=high).contains(&number) {
                self.decide_between(expr, low, high);
                return;
            }
            self.decide_outside(expr, number, (low, high));
        }
    }
}

/// Of a switch with so many cases, each is near to all others.
const LONG_SWITCH: usize = 3;

/// Whether a condition holds in one way only: it compares, and not for being different.
fn is_comparison(condition: &Expr) -> bool {
    matches!(
        condition,
        Expr::Binary(
            BinaryOp::Equal
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual,
            ..
        )
    )
}

/// Passes questions on and notes the answers.
struct Recorder<'run> {
    choices: &'run mut dyn Choices,
    pointer_bytes: u32,
    span: Span,
    made: Vec<Choice>,
}

impl Choices for Recorder<'_> {
    fn choose(&mut self, ty: ScalarType, occasion: Occasion<'_>) -> i128 {
        let value = reduced(self.choices.choose(ty, occasion), ty, self.pointer_bytes);
        self.made.push(Choice { ty, value, source: ChoiceSource::of(occasion), span: self.span });
        value
    }
}
