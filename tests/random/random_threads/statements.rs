//! Random statements.

use super::expressions::CallResult;
use super::generate::{Context, Maker, Theme};
use super::sequence::is_defined;
use super::tree::{Cell, Expr, Home, Object, Op, Place, Role, Statement, What};

impl Maker<'_> {
    /// A loop that would end if the thread were alone, or what it waits for is so already.
    pub(crate) fn bounded(&mut self, context: &Context) -> Vec<Statement> {
        let place = self.place(context);
        let read = Box::new(Expr::Read(place.clone()));
        let assign =
            |place: Place, value: i8| Statement::Do(Expr::Assign(place, Expr::number(value)));
        let compared =
            |op: Op, left: Box<Expr>, value: i8| Expr::Binary(op, left, Expr::number(value));
        match self.random.below(5) {
            0 => {
                let less = Box::new(compared(Op::Subtract, read.clone(), 1));
                let body = match self.random.below(5) {
                    0 => Expr::Update(Op::Subtract, place, Expr::number(1), None),
                    1 => Expr::Assign(place, less),
                    2 => Expr::Assign(place, Expr::number(0)),
                    _ => Expr::Count { up: false, old: self.one_in(2), place, read: None },
                };
                vec![Statement::While(compared(Op::More, read, 0), vec![Statement::Do(body)])]
            }
            1 => {
                let value = self.number(3);
                let flag = self.any(&self.flags.clone());
                let mut body = vec![assign(place, value)];
                if self.one_in(2) {
                    body.insert(0, assign(Place::At(flag), 0));
                }
                body.push(Statement::While(compared(Op::Differs, read, value), Vec::new()));
                body
            }
            2 | 3 => {
                let Some(local) = context.locals.last() else { return Vec::new() };
                let (value, bad) = (self.value(context, 2), self.number(4) - 1);
                let is_bad = compared(Op::Equal, Box::new(Expr::Local(*local)), bad);
                vec![Statement::Set(*local, value), Statement::While(is_bad, Vec::new())]
            }
            _ => {
                let change = self.statement(&Context { depth: 0, ..context.clone() });
                let (one, other) = (self.place(context), self.place(context));
                let [one, other] = [one, other].map(|it| Box::new(Expr::Read(it)));
                let (left, right) = (self.number(3), self.number(3));
                let left = Box::new(compared(Op::Equal, one, left));
                let right = Box::new(compared(Op::Equal, other, right));
                let both = Expr::Both(left, right);
                vec![change, Statement::While(both, Vec::new())]
            }
        }
    }

    /// Numbers are set, one after the other.
    pub(crate) fn sets(&mut self, context: &Context) -> Vec<Statement> {
        let mut sets = Vec::new();
        let flag = self.any(&self.flags.clone());
        let same = self.one_in(2);
        for value in [1, 0] {
            let place = match self.one_in(2) {
                true => Place::At(flag),
                false => self.place(context),
            };
            let value = if same { 1 } else { value };
            sets.push(Statement::Do(Expr::Assign(place, Expr::number(value))));
        }
        sets
    }

    /// A loop.
    pub(crate) fn repeated(&mut self, context: &Context) -> Statement {
        let inner =
            Context { is_in_loop: true, depth: context.depth.min(2) - 1, ..context.clone() };
        let mut body = Vec::new();
        for _ in 0..self.random.below(3) {
            body.push(self.statement(&inner));
        }
        let condition = self.condition(context, 2);
        match self.random.below(6) {
            0 => Statement::DoWhile(body, condition),
            1 => {
                let leaves = Statement::If(condition, vec![Statement::Break], Vec::new());
                let at = self.random.below(body.len() + 1);
                body.insert(at, leaves);
                Statement::While(Expr::Value(1), body)
            }
            _ => Statement::While(condition, body),
        }
    }

    pub(crate) fn statement(&mut self, context: &Context) -> Statement {
        if context.depth > 0 {
            let inner = Context { depth: context.depth - 1, ..context.clone() };
            match self.random.below(12) {
                0 => {
                    let condition = self.condition(context, 1);
                    let then = vec![self.statement(&inner)];
                    let otherwise =
                        if self.one_in(4) { vec![self.statement(&inner)] } else { Vec::new() };
                    return Statement::If(condition, then, otherwise);
                }
                1 if context.held.is_empty() => return self.repeated(context),
                2 => {
                    let function = &mut self.program.functions[context.function];
                    if function.role == Role::Thread {
                        let counter = function.n_locals;
                        function.n_locals += 1;
                        let inner = Context { is_in_loop: true, ..inner };
                        let body = vec![self.statement(&inner)];
                        let times = 1 + self.number(2);
                        return Statement::Repeat(counter, times, body);
                    }
                }
                3 | 4 => {
                    if let Some(found) = self.critical(context) {
                        return found;
                    }
                }
                5 if context.is_in_loop && self.one_in(2) => {
                    let condition = self.condition(context, 1);
                    return Statement::If(condition, vec![Statement::Break], Vec::new());
                }
                6 if self.is_about(Theme::Sections) => {
                    let inner = Context { depth: 0, calls: false, ..inner };
                    let body = (0..2).map(|_| self.statement(&inner)).collect();
                    return Statement::Section(body);
                }
                7 if self.one_in(5) => return self.end(context),
                _ => {}
            }
        }
        loop {
            let (local, expr) = self.action(context);
            if is_defined(&self.program, &expr) {
                return match local {
                    Some(local) => Statement::Set(local, expr),
                    None => Statement::Do(expr),
                };
            }
        }
    }

    /// An end of the thread, or of all.
    pub(crate) fn end(&mut self, context: &Context) -> Statement {
        let condition = self.condition(context, 1);
        let has_handlers = self.is_about(Theme::Handlers);
        let is_whole = context.held.is_empty() && !self.is_about(Theme::Library);
        let is_thread = self.program.functions[context.function].role == Role::Thread;
        let end = match self.random.below(3) {
            0 if is_whole && !has_handlers => Statement::Do(Expr::Exit),
            1 if is_whole && is_thread => Statement::Do(Expr::ExitThread),
            _ => Statement::Return(Expr::Value(0)),
        };
        Statement::If(condition, vec![end], Vec::new())
    }

    pub(crate) fn critical(&mut self, context: &Context) -> Option<Statement> {
        let lock = self.locks.get(self.random.below(self.locks.len().max(1))).copied()?;
        if context.held.contains(&lock) {
            return None;
        }
        let mut held = context.held.clone();
        held.push(lock);
        let inner = Context { depth: context.depth - 1, held, ..context.clone() };
        let name = match self.lock_pointers.first().copied() {
            Some(pointer) if lock == self.locks[0] && self.one_in(2) => {
                Expr::Read(Place::At(pointer))
            }
            _ => Expr::Address(lock),
        };
        let mut body: Vec<Statement> = Vec::new();
        for _ in 0..=self.random.below(2) {
            body.push(self.statement(&inner));
        }
        if let Some(condition) = self.condition
            && self.one_in(3)
        {
            let wait = Statement::Do(Expr::Wait(condition, Box::new(name.clone())));
            let waits = match self.one_in(2) {
                true => Statement::While(self.condition(context, 0), vec![wait]),
                false => Statement::Do(Expr::Signal(condition)),
            };
            body.insert(0, waits);
        }
        Some(match self.one_in(4) {
            true => Statement::TryLocked(name, body, Vec::new()),
            false => Statement::Locked(name, body),
        })
    }

    /// An expression for what it does, and the local that it goes to.
    pub(crate) fn action(&mut self, context: &Context) -> (Option<u8>, Expr) {
        let depth = 1 + usize::from(self.is_about(Theme::Order));
        match self.random.below(12) {
            0 | 1 => {
                let Some(local) = context.locals.last() else { return self.action(context) };
                // Parameters keep what they are.
                if self.program.functions[context.function].role != Role::Thread {
                    return self.action(context);
                }
                (Some(*local), self.value(context, depth))
            }
            2 | 3 => (None, self.flag_action(context)),
            4 => match self.call(context, CallResult::None, depth) {
                Some(call) => (None, call),
                None => self.action(context),
            },
            5 if self.is_about(Theme::Pointers) || self.is_about(Theme::Devices) => {
                match self.pointer_action() {
                    Some(expr) => (None, expr),
                    None => self.action(context),
                }
            }
            6 => (None, self.atomic(context, depth)),
            _ => (None, self.change(context, depth)),
        }
    }

    pub(crate) fn change(&mut self, context: &Context, depth: usize) -> Expr {
        let place = self.place(context);
        let read = || Box::new(Expr::Read(place.clone()));
        let mask = |it: Expr| Box::new(Expr::Binary(Op::And, Box::new(it), Expr::number(3)));
        let one = || Expr::number(1);
        match self.random.below(10) {
            0 | 1 => {
                let value = Expr::number(self.number(3));
                Expr::Assign(place, value)
            }
            2 => {
                let next = mask(Expr::Binary(Op::Add, read(), one()));
                Expr::Assign(place, next)
            }
            3 => {
                let by = self.any(&[0, 1]);
                let less = Expr::Binary(Op::Subtract, read(), Expr::number(by));
                Expr::Assign(place, Box::new(less))
            }
            4 => {
                let same = read();
                Expr::Assign(place, same)
            }
            5 | 6 => {
                let value = Box::new(self.value(context, depth));
                Expr::Assign(place, value)
            }
            7 => {
                let op = self.any(&[Op::Add, Op::Subtract, Op::Subtract, Op::And, Op::Or]);
                let by = Box::new(self.value(context, depth - 1));
                Expr::Update(op, place, by, None)
            }
            _ => {
                let (up, old) = (self.one_in(3), self.one_in(2));
                Expr::Count { up, old, place, read: None }
            }
        }
    }

    pub(crate) fn flag_action(&mut self, context: &Context) -> Expr {
        let flag = self.any(&self.flags.clone());
        let place = Place::At(flag);
        let read = Box::new(Expr::Read(place.clone()));
        match self.random.below(5) {
            0 => Expr::Assign(place, Box::new(Expr::Not(read))),
            1 => {
                let condition = Box::new(self.condition(context, 0));
                Expr::Assign(place, Box::new(Expr::Not(condition)))
            }
            _ => {
                let value = Expr::number(self.number(2));
                Expr::Assign(place, value)
            }
        }
    }

    /// A pointer that points elsewhere.
    pub(crate) fn pointer_action(&mut self) -> Option<Expr> {
        let own = |it: &&Object| {
            matches!(it.what, What::Pointer(_) | What::Table(_) | What::DevicePointer)
                && it.initial[0] != 0
        };
        let pointers: Vec<Object> = self.program.objects.iter().filter(own).cloned().collect();
        if pointers.is_empty() {
            return None;
        }
        let pointer = self.any(&pointers);
        let is_target = |it: &&Object| match pointer.what {
            What::DevicePointer => it.what == What::Device,
            _ => {
                it.what == What::Number(self.kind)
                    && it.home == Home::File
                    && !self.flags.contains(&it.first)
            }
        };
        let targets: Vec<Cell> =
            self.program.objects.iter().filter(is_target).map(|it| it.first).collect();
        let target = self.any(&targets);
        let place = match pointer.what {
            What::Table(_) => Place::Element(pointer.first, Box::new(self.index())),
            _ => Place::At(pointer.first),
        };
        Some(Expr::Assign(place, Box::new(Expr::Address(target))))
    }
}
