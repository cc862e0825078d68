//! The steps of a program: each read and each write is one, and what C leaves unsequenced
//! happens in any order (C11 6.5p2 and p3; calls as a whole, 6.5.2.2p10).

use super::code::{self, Instruction};
use super::steps::{cell_of, computed, expr_of_truth, runs, value_of};
use super::tree::{Cell, Expr, Frame, Place, Program, What};
use std::rc::Rc;

/// Larger numbers are not followed.
const MOST: i8 = 12;

/// What C does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// `field op= e` reads the cell of the field once.
    Once,
    /// It may do so again to write the field.
    OnceOrTwice,
}

/// Why a program is not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trouble {
    /// It does what C does not define.
    Undefined,
    /// Its numbers get too large.
    TooLarge,
    /// It has too many states.
    TooMany,
}

pub(crate) type Out<T> = Result<Vec<T>, Trouble>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Thread {
    NotStarted,
    Running(Frame),
    Ended,
}

/// Where all threads are, and what everything holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) memory: Vec<i8>,
    pub(crate) threads: Vec<Rc<Thread>>,
    /// What is to be called when the program ends.
    handlers: Vec<u8>,
    /// What the threads are called; 0, if one is not started, or was waited for.
    pub(crate) ids: Vec<i8>,
    /// The only thread that moves, if one is in a section.
    section: Option<usize>,
}

/// What else a step does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    Nothing,
    Write(Cell, i8),
    Start(u8, i8, Option<Cell>),
    Joined(u8),
    Register(u8),
    Exit,
    EndThread,
    Begin,
    End,
    EndProgram,
    Unregister,
}

pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Program,
    code: Vec<Vec<Instruction>>,
    callable: Vec<u8>,
    /// The cells that nobody writes.
    constant: Vec<bool>,
    initial: Vec<i8>,
    /// How many names of threads there are, if the program asks for them.
    pub(crate) n_ids: i8,
    pub(crate) reading: Reading,
}

/// The thread that moves, and what it sees.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) state: &'a State,
    pub(crate) thread: usize,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(program: &'a Program, reading: Reading) -> Self {
        let mut initial = vec![0];
        program.objects.iter().for_each(|it| initial.extend(&it.initial));
        let mut asks_for_ids = false;
        program.for_each_expression(&mut |it| asks_for_ids |= matches!(it, Expr::Itself));
        // So many at once, and one that was used before.
        let n_threads = i8::try_from(program.threads.len()).unwrap() + 1;
        Self {
            program,
            code: code::code(program),
            callable: code::callable(program),
            constant: constant(program, initial.len()),
            initial,
            n_ids: if asks_for_ids { n_threads + 1 } else { 0 },
            reading,
        }
    }

    /// The number of threads: those that are started, and behind them `main`, or those that
    /// call what they like.
    pub(crate) fn n_threads(&self) -> usize {
        self.program.threads.len() + 1
    }

    /// Whether a thread is one that is asked about.
    pub(crate) fn is_named(&self, thread: usize) -> bool {
        let function = self.program.threads.get(thread).map(|it| it.function);
        function.or(self.program.main()) == Some(self.program.named)
    }

    /// What a thread is called in a story.
    pub(crate) fn name(&self, thread: usize) -> String {
        match (self.program.threads.get(thread), self.program.main()) {
            (Some(it), Some(_)) => format!("{}#{thread}", self.program.functions[it.function].name),
            (None, Some(_)) => "main".to_owned(),
            _ if thread == 0 => self.program.functions[self.program.named].name.clone(),
            _ => format!("caller#{thread}"),
        }
    }

    /// What a cell is called in a story.
    pub(crate) fn name_of(&self, cell: usize) -> String {
        let (object, index) = self.program.object(i8::try_from(cell).unwrap());
        format!("{}+{index}", object.name)
    }

    /// The states in which the program may start.
    pub(crate) fn starts(&self) -> Result<Vec<State>, Trouble> {
        let n_functions = self.program.functions.len();
        let frame = |function: usize| Frame {
            function: u8::try_from(function).unwrap(),
            at: 0,
            locals: Vec::new(),
            doing: None,
        };
        let mut threads = vec![Thread::NotStarted; self.n_threads() - 1];
        if self.program.main().is_some() {
            threads.push(Thread::Running(frame(n_functions)));
        } else {
            threads = vec![Thread::Running(frame(n_functions + 1)); self.n_threads()];
            let locals = vec![0; usize::from(self.program.functions[self.program.named].n_locals)];
            threads[0] = Thread::Running(Frame { locals, ..frame(self.program.named) });
        }
        let mut ready = Vec::new();
        for thread in threads {
            ready.push(Rc::new(match thread {
                Thread::Running(frame) => self.settled(frame)?,
                other => other,
            }));
        }
        let state = State {
            memory: self.initial.clone(),
            ids: vec![0; self.n_threads()],
            threads: ready,
            handlers: Vec::new(),
            section: None,
        };
        let with = |id: i8| {
            let mut state = state.clone();
            *state.ids.last_mut().unwrap() = id;
            state
        };
        Ok((self.n_ids.min(1)..=self.n_ids).map(with).collect())
    }

    /// The states after a step of a thread.
    pub(crate) fn moves(&self, state: &State, thread: usize) -> Out<State> {
        let Thread::Running(frame) = &*state.threads[thread] else { return Ok(Vec::new()) };
        if state.section.is_some_and(|it| it != thread) {
            return Ok(Vec::new());
        }
        let mut all = Vec::new();
        for (frame, effect) in self.frame_steps(View { state, thread }, frame)? {
            let mut next = state.clone();
            next.threads[thread] = Rc::new(self.settled(frame)?);
            self.apply(&mut next, thread, effect)?;
            all.push(next);
        }
        Ok(all)
    }

    /// A thread whose next step is one that others see.
    fn settled(&self, mut frame: Frame) -> Result<Thread, Trouble> {
        let has_ended = self.settle(&mut frame)?.is_some();
        Ok(if has_ended { Thread::Ended } else { Thread::Running(frame) })
    }

    fn apply(&self, next: &mut State, thread: usize, effect: Effect) -> Result<(), Trouble> {
        match effect {
            Effect::Nothing => {}
            Effect::Write(cell, value) => next.memory[usize::try_from(cell).unwrap()] = value,
            Effect::Start(started, id, into) => {
                let index = usize::from(started);
                let it = &self.program.threads[index];
                let function = &self.program.functions[it.function];
                let mut locals = vec![0; usize::from(function.n_locals)];
                if let Some(argument) = it.argument {
                    locals[0] = argument;
                }
                let function = u8::try_from(it.function).unwrap();
                let frame = Frame { function, at: 0, locals, doing: None };
                next.threads[index] = Rc::new(self.settled(frame)?);
                next.ids[index] = id;
                if let Some(cell) = into {
                    next.memory[usize::try_from(cell).unwrap()] = id;
                }
            }
            Effect::Joined(joined) => next.ids[usize::from(joined)] = 0,
            Effect::Register(function) => next.handlers.push(function),
            Effect::Unregister => {
                next.handlers.pop();
            }
            Effect::Exit => {
                let function = self.program.functions.len();
                let at = u16::try_from(self.code[function].len() - 1).unwrap();
                let function = u8::try_from(function).unwrap();
                let frame = Frame { function, at, locals: Vec::new(), doing: None };
                next.threads[thread] = Rc::new(Thread::Running(frame));
            }
            Effect::EndThread => next.threads[thread] = Rc::new(Thread::Ended),
            Effect::Begin => next.section = Some(thread),
            Effect::End => next.section = None,
            Effect::EndProgram => {
                next.threads.iter_mut().for_each(|it| *it = Rc::new(Thread::Ended));
                next.memory.clear();
                next.ids.clear();
                next.section = None;
            }
        }
        Ok(())
    }

    /// The steps of a call.
    pub(crate) fn frame_steps(&self, view: View<'_>, frame: &Frame) -> Out<(Frame, Effect)> {
        let after = |at: u16| Frame { at, ..frame.clone() };
        if let Some(doing) = &frame.doing {
            let mut steps = Vec::new();
            self.steps(view, doing, &mut steps)?;
            let with = |doing| Frame { doing: Some(doing), ..frame.clone() };
            return Ok(steps.into_iter().map(|(it, effect)| (with(it), effect)).collect());
        }
        let calls = |function: u8| {
            let callee = Box::new(Expr::Function(function));
            Frame { doing: Some(Expr::Call(callee, Vec::new())), ..frame.clone() }
        };
        Ok(match &self.code[usize::from(frame.function)][usize::from(frame.at)] {
            Instruction::Repeat(to) => vec![(after(*to), Effect::Nothing)],
            Instruction::Begin => vec![(after(frame.at + 1), Effect::Begin)],
            Instruction::End => vec![(after(frame.at + 1), Effect::End)],
            Instruction::AnyCall => {
                self.callable.iter().map(|it| (calls(*it), Effect::Nothing)).collect()
            }
            Instruction::Finish => match view.state.handlers.last() {
                Some(handler) => vec![(calls(*handler), Effect::Unregister)],
                None => match self.program.destructors.get(frame.locals.len()) {
                    Some(destructor) => {
                        let mut next = calls(*destructor);
                        next.locals.push(0);
                        vec![(next, Effect::Nothing)]
                    }
                    None => vec![(frame.clone(), Effect::EndProgram)],
                },
            },
            other => panic!("{other:?} is no step"),
        })
    }

    /// Does what nobody else sees. Gives what the call is, if it has ended.
    fn settle(&self, frame: &mut Frame) -> Result<Option<i8>, Trouble> {
        loop {
            let instruction = &self.code[usize::from(frame.function)][usize::from(frame.at)];
            let expr = match instruction {
                Instruction::Goto(to) => {
                    frame.at = *to;
                    continue;
                }
                Instruction::Evaluate(expr)
                | Instruction::Set(_, expr)
                | Instruction::Unless(expr, _)
                | Instruction::Return(expr) => Some(expr),
                _ => None,
            };
            if frame.doing.is_none() {
                let Some(expr) = expr else { return Ok(None) };
                frame.doing = Some(expr.clone());
            }
            let Some(mut doing) = frame.doing.take() else { return Ok(None) };
            self.reduce(&mut doing, &frame.locals)?;
            let Expr::Value(value) = doing else {
                frame.doing = Some(doing);
                return Ok(None);
            };
            match instruction {
                Instruction::Return(_) => return Ok(Some(value)),
                Instruction::Set(local, _) => frame.locals[usize::from(*local)] = value,
                _ => {}
            }
            match instruction {
                Instruction::Unless(_, to) if value == 0 => frame.at = *to,
                // These are never done with what they call.
                Instruction::Finish | Instruction::AnyCall => {}
                _ => frame.at += 1,
            }
        }
    }

    /// Computes what needs no step.
    fn reduce(&self, expr: &mut Expr, locals: &[i8]) -> Result<(), Trouble> {
        for operand in expr.operands_mut() {
            self.reduce(operand, locals)?;
        }
        let value = match expr {
            Expr::Local(local) => Some(locals[usize::from(*local)]),
            Expr::Address(cell) => Some(*cell),
            Expr::Function(function) => Some(i8::try_from(*function).unwrap()),
            Expr::Read(place) => match cell_of(place)? {
                Some((cell, None)) if self.constant[usize::try_from(cell).unwrap()] => {
                    Some(self.initial[usize::try_from(cell).unwrap()])
                }
                _ => None,
            },
            Expr::Not(operand) => value_of(operand).map(|it| i8::from(it == 0)),
            Expr::Binary(op, left, right) => match (value_of(left), value_of(right)) {
                (Some(left), Some(right)) => Some(computed(*op, left, right)?),
                _ => None,
            },
            Expr::Both(left, right) => match value_of(left) {
                Some(0) => Some(0),
                Some(_) => return self.goes_on(expr_of_truth(right), expr, locals),
                None => None,
            },
            Expr::Either(left, right) => match value_of(left) {
                Some(0) => return self.goes_on(expr_of_truth(right), expr, locals),
                Some(_) => Some(1),
                None => None,
            },
            Expr::Choice(condition, then, otherwise) => match value_of(condition) {
                Some(0) => return self.goes_on((**otherwise).clone(), expr, locals),
                Some(_) => return self.goes_on((**then).clone(), expr, locals),
                None => None,
            },
            Expr::Comma(left, right) => match value_of(left) {
                Some(_) => return self.goes_on((**right).clone(), expr, locals),
                None => None,
            },
            Expr::Running(frame) => self.settle(frame)?,
            _ => None,
        };
        if let Some(value) = value {
            *expr = Expr::Value(value);
        }
        Ok(())
    }

    fn goes_on(&self, with: Expr, expr: &mut Expr, locals: &[i8]) -> Result<(), Trouble> {
        *expr = with;
        self.reduce(expr, locals)
    }

    /// The steps of an expression: of any of its operands, unless one of these is a call that
    /// runs; and its own, if what it needs is there.
    fn steps(
        &self,
        view: View<'_>,
        expr: &Expr,
        out: &mut Vec<(Expr, Effect)>,
    ) -> Result<(), Trouble> {
        let operands = expr.operands();
        let running = operands.iter().position(|it| runs(it));
        for (number, operand) in operands.iter().enumerate() {
            if operand.is_value() || running.is_some_and(|it| it != number) {
                continue;
            }
            let mut steps = Vec::new();
            self.steps(view, operand, &mut steps)?;
            for (step, effect) in steps {
                let mut next = expr.clone();
                *next.operands_mut().swap_remove(number) = step;
                out.push((next, effect));
            }
        }
        if running.is_none() {
            self.own_steps(view, expr, out)?;
        }
        Ok(())
    }

    /// A value as a cell can hold it.
    pub(crate) fn converted(&self, cell: Cell, value: i8) -> Result<i8, Trouble> {
        match self.program.kind(cell) {
            Some(kind) if kind.is_bool() => Ok(i8::from(value != 0)),
            Some(_) if value.abs() > MOST => Err(Trouble::TooLarge),
            _ => Ok(value),
        }
    }
}

/// The cells of pointers that no assignment names.
fn constant(program: &Program, n_cells: usize) -> Vec<bool> {
    let mut constant = vec![false; n_cells];
    for object in &program.objects {
        let range = usize::try_from(object.first).unwrap()..;
        for cell in range.take(usize::try_from(object.what.cells()).unwrap()) {
            constant[cell] = match object.what {
                What::Pointer(_)
                | What::Hidden(_)
                | What::Table(_)
                | What::DevicePointer
                | What::Action
                | What::LockPointer => true,
                What::Device => cell == usize::try_from(object.first).unwrap() + 1,
                _ => false,
            };
        }
    }
    program.for_each_expression(&mut |expr| {
        let is_read = matches!(expr, Expr::Read(_));
        match expr.place().filter(|_| !is_read) {
            Some(Place::At(cell)) => constant[usize::try_from(*cell).unwrap()] = false,
            Some(Place::Element(first, _)) => {
                let first = usize::try_from(*first).unwrap();
                constant[first..first + 2].fill(false);
            }
            _ => {}
        }
    });
    constant
}
