//! Statements as instructions with jumps.

use super::tree::{Expr, Op, Program, Role, Statement, What};

/// What a thread does where it is. Only `Repeat`, `Begin`, `End`, `Finish` and `AnyCall` are steps
/// of their own: else each access in an expression is one.
#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    Evaluate(Expr),
    Set(u8, Expr),
    /// Goes elsewhere if the expression is 0.
    Unless(Expr, u16),
    Goto(u16),
    /// Goes back, to begin another round of a loop.
    Repeat(u16),
    Return(Expr),
    /// What comes now is one step.
    Begin,
    End,
    /// Calls what is to be called when the program ends, and ends it.
    Finish,
    /// Calls any function that others can call, and again.
    AnyCall,
}

/// The code of each function; behind these that of the program's start and end, and that of
/// those who call its functions if it has no `main`.
pub(crate) fn code(program: &Program) -> Vec<Vec<Instruction>> {
    let mut all: Vec<Vec<Instruction>> = Vec::new();
    for function in &program.functions {
        let mut coder = Coder::default();
        coder.all(&function.body);
        coder.push(Instruction::Return(Expr::Value(0)));
        all.push(coder.code);
    }
    let call = |function: usize| {
        let callee = Box::new(Expr::Function(u8::try_from(function).unwrap()));
        Instruction::Evaluate(Expr::Call(callee, Vec::new()))
    };
    let mut start: Vec<Instruction> =
        program.constructors.iter().map(|it| call(usize::from(*it))).collect();
    start.extend(program.main().map(call));
    start.push(Instruction::Finish);
    all.push(start);
    all.push(vec![Instruction::AnyCall]);
    all
}

/// The functions that others can call if there is no `main`: by their names, through a table, or
/// since their address is given.
pub(crate) fn callable(program: &Program) -> Vec<u8> {
    let number = |it: usize| u8::try_from(it).unwrap();
    let all = program.functions.iter().enumerate();
    let mut callable: Vec<u8> =
        all.filter(|(_, it)| it.role == Role::Thread).map(|(it, _)| number(it)).collect();
    let actions = program.objects.iter().filter(|it| it.what == What::Action);
    callable.extend(actions.map(|it| u8::try_from(it.initial[0]).unwrap()));
    callable.extend(&program.given);
    callable
}

#[derive(Default)]
struct Coder {
    code: Vec<Instruction>,
    /// What is held at each loop around, and where its breaks are.
    loops: Vec<(usize, Vec<usize>)>,
    held: Vec<Expr>,
}

impl Coder {
    fn push(&mut self, instruction: Instruction) -> usize {
        self.code.push(instruction);
        self.code.len() - 1
    }

    fn here(&self) -> u16 {
        u16::try_from(self.code.len()).unwrap()
    }

    /// Lets an instruction go here.
    fn land(&mut self, from: usize) {
        let here = self.here();
        match &mut self.code[from] {
            Instruction::Unless(_, to) | Instruction::Goto(to) => *to = here,
            other => panic!("{other:?} goes nowhere"),
        }
    }

    fn all(&mut self, body: &[Statement]) {
        body.iter().for_each(|it| self.one(it));
    }

    fn unlock_down_to(&mut self, depth: usize) {
        let locks: Vec<Expr> = self.held[depth..].iter().rev().cloned().collect();
        for lock in locks {
            self.push(Instruction::Evaluate(Expr::Unlock(Box::new(lock))));
        }
    }

    fn within(&mut self, lock: &Expr, body: &[Statement]) {
        self.held.push(lock.clone());
        self.all(body);
        self.held.pop();
        self.push(Instruction::Evaluate(Expr::Unlock(Box::new(lock.clone()))));
    }

    /// A loop from `head` on.
    fn loop_around(&mut self, body: &[Statement]) {
        self.loops.push((self.held.len(), Vec::new()));
        self.all(body);
    }

    fn end_loop(&mut self, head: u16, leave: Option<usize>) {
        self.push(Instruction::Repeat(head));
        leave.into_iter().for_each(|it| self.land(it));
        let (_, breaks) = self.loops.pop().unwrap();
        breaks.into_iter().for_each(|it| self.land(it));
    }

    fn one(&mut self, statement: &Statement) {
        match statement {
            Statement::Do(expr) => {
                self.push(Instruction::Evaluate(expr.clone()));
            }
            Statement::Set(local, expr) => {
                self.push(Instruction::Set(*local, expr.clone()));
            }
            Statement::If(condition, then, otherwise) => {
                let from = self.push(Instruction::Unless(condition.clone(), 0));
                self.all(then);
                let over = self.push(Instruction::Goto(0));
                self.land(from);
                self.all(otherwise);
                self.land(over);
            }
            Statement::While(condition, body) => {
                let head = self.here();
                let leave = self.push(Instruction::Unless(condition.clone(), 0));
                self.loop_around(body);
                self.end_loop(head, Some(leave));
            }
            Statement::DoWhile(body, condition) => {
                let head = self.here();
                self.loop_around(body);
                let leave = self.push(Instruction::Unless(condition.clone(), 0));
                self.end_loop(head, Some(leave));
            }
            Statement::Repeat(local, times, body) => {
                self.push(Instruction::Set(*local, Expr::Value(0)));
                let head = self.here();
                let counter = || Box::new(Expr::Local(*local));
                let goes_on = Expr::Binary(Op::Less, counter(), Expr::number(*times));
                let leave = self.push(Instruction::Unless(goes_on, 0));
                self.loop_around(body);
                let next = Expr::Binary(Op::Add, counter(), Expr::number(1));
                self.push(Instruction::Set(*local, next));
                self.end_loop(head, Some(leave));
            }
            Statement::Locked(lock, body) => {
                self.push(Instruction::Evaluate(Expr::Lock(Box::new(lock.clone()))));
                self.within(lock, body);
            }
            Statement::TryLocked(lock, body, otherwise) => {
                let tried = Expr::TryLock(Box::new(lock.clone()));
                let from = self.push(Instruction::Unless(Expr::Not(Box::new(tried)), 0));
                self.within(lock, body);
                let over = self.push(Instruction::Goto(0));
                self.land(from);
                self.all(otherwise);
                self.land(over);
            }
            Statement::Section(body) => {
                self.push(Instruction::Begin);
                self.all(body);
                self.push(Instruction::End);
            }
            Statement::Break => {
                let depth = self.loops.last().unwrap().0;
                self.unlock_down_to(depth);
                let from = self.push(Instruction::Goto(0));
                self.loops.last_mut().unwrap().1.push(from);
            }
            Statement::Return(value) => {
                // What is given back is computed first.
                let is_plain = matches!(value, Expr::Value(_) | Expr::Local(_));
                assert!(is_plain || self.held.is_empty(), "a return of {value:?} within a lock");
                self.unlock_down_to(0);
                self.push(Instruction::Return(value.clone()));
            }
        }
    }
}
