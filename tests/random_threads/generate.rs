//! Random programs: each about a few of the things that threads do.

use crate::random::Random;
use crate::sequence::is_defined;
use crate::tree::{
    AtomicOp, Cell, Expr, Function, Home, Kind, Object, Op, Place, Program, Role, Started,
    Statement, What,
};

/// What a program is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    /// Several reads in an expression.
    Order,
    /// Arrays whose index others change.
    Elements,
    /// Addresses in initialised objects.
    Pointers,
    /// Structures by their addresses.
    Devices,
    Fields,
    Locks,
    Calls,
    /// What runs before `main` and behind it.
    Handlers,
    Joins,
    Ids,
    /// What threads are given.
    Arguments,
    /// Objects that `main` allocates.
    Heap,
    Sections,
    /// Programs without `main`.
    Library,
}

const THEMES: [Theme; 14] = [
    Theme::Order,
    Theme::Elements,
    Theme::Pointers,
    Theme::Devices,
    Theme::Fields,
    Theme::Locks,
    Theme::Calls,
    Theme::Handlers,
    Theme::Joins,
    Theme::Ids,
    Theme::Arguments,
    Theme::Heap,
    Theme::Sections,
    Theme::Library,
];

/// A number that statements use.
#[derive(Clone, Debug)]
enum Spot {
    Number(Cell),
    /// An element of the array that begins here.
    Element(Cell),
    /// A field of a cell, or of an element of an array.
    Field(Cell),
    FieldElement(Cell),
    /// What this points at.
    Pointed(Cell),
    /// What an element of this points at.
    Tabled(Cell),
    Device(Cell),
    /// That of the device that this one points at.
    Peer(Cell),
    /// What the thread was given.
    Argument,
}

/// Where a statement is.
#[derive(Clone, Debug)]
struct Context {
    function: usize,
    /// Locals of its own that are numbers.
    locals: Vec<u8>,
    has_argument: bool,
    is_in_loop: bool,
    held: Vec<Cell>,
    depth: usize,
    calls: bool,
}

pub(crate) struct Maker<'a> {
    random: &'a mut Random,
    program: Program,
    themes: Vec<Theme>,
    spots: Vec<Spot>,
    /// Numbers that are 0 or 1.
    flags: Vec<Cell>,
    locks: Vec<Cell>,
    lock_pointers: Vec<Cell>,
    condition: Option<Cell>,
    id: Option<Cell>,
    /// Helpers by what they are.
    helpers: Vec<usize>,
    kind: Kind,
}

/// A random program.
pub(crate) fn program(random: &mut Random) -> Program {
    let mut themes = Vec::new();
    for _ in 0..=random.below(3) {
        themes.push(THEMES[random.below(THEMES.len())]);
    }
    let program = Program {
        objects: Vec::new(),
        functions: Vec::new(),
        threads: Vec::new(),
        constructors: Vec::new(),
        destructors: Vec::new(),
        given: Vec::new(),
        named: 0,
    };
    let mut maker = Maker {
        random,
        program,
        themes,
        spots: Vec::new(),
        flags: Vec::new(),
        locks: Vec::new(),
        lock_pointers: Vec::new(),
        condition: None,
        id: None,
        helpers: Vec::new(),
        kind: Kind::Int,
    };
    maker.objects();
    maker.functions();
    maker.program
}

impl Maker<'_> {
    fn one_in(&mut self, n: usize) -> bool {
        self.random.below(n) == 0
    }

    fn is_about(&self, theme: Theme) -> bool {
        self.themes.contains(&theme)
    }

    fn any<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.random.below(all.len())].clone()
    }

    fn object(&mut self, name: &str, what: What, initial: Vec<i8>) -> Cell {
        let first = 1 + self.program.objects.iter().map(|it| it.what.cells()).sum::<i8>();
        let home = Home::File;
        self.program.objects.push(Object { name: name.to_owned(), what, initial, home, first });
        first
    }

    fn number(&mut self, below: usize) -> i8 {
        i8::try_from(self.random.below(below)).unwrap()
    }

    fn objects(&mut self) {
        let kinds = [Kind::Int, Kind::Int, Kind::Atomic, Kind::Atomic, Kind::Volatile];
        // What can be pointed at is all of one kind.
        self.kind = self.any(&kinds);
        let mut targets = Vec::new();
        let others = [Theme::Elements, Theme::Pointers, Theme::Devices, Theme::Fields];
        let has_others = others.into_iter().any(|it| self.is_about(it));
        let n_more = if has_others { 0 } else { self.random.below(2) };
        for number in 0..=n_more {
            let initial = vec![self.number(3)];
            let cell = self.object(&format!("x{number}"), What::Number(self.kind), initial);
            targets.push(cell);
            self.spots.push(Spot::Number(cell));
        }
        if !has_others && self.one_in(2) {
            let kind = self.any(&kinds);
            let initial = vec![self.number(3)];
            let cell = self.object("y", What::Number(kind), initial);
            self.spots.push(Spot::Number(cell));
        }
        let flags = [Kind::Int, Kind::Atomic, Kind::Bool, Kind::AtomicBool];
        for number in 0..=self.random.below(2) {
            let kind = self.any(&flags);
            let initial = vec![self.number(2)];
            let cell = self.object(&format!("f{number}"), What::Number(kind), initial);
            self.flags.push(cell);
        }
        if self.is_about(Theme::Elements) {
            let initial = vec![self.number(3), self.number(3)];
            let first = self.object("z", What::Array(self.kind), initial);
            targets.extend([first, first + 1]);
            self.spots.extend([Spot::Element(first), Spot::Element(first)]);
        }
        if self.is_about(Theme::Fields) {
            if self.one_in(2) {
                let initial = vec![self.number(16)];
                let cell = self.object("s", What::Fields, initial);
                self.spots.extend([Spot::Field(cell), Spot::Field(cell)]);
            } else {
                let initial = vec![self.number(16), self.number(16)];
                let cell = self.object("s", What::FieldArray, initial);
                self.spots.extend([Spot::FieldElement(cell), Spot::FieldElement(cell)]);
            }
        }
        self.pointers(&targets);
        if self.is_about(Theme::Devices) {
            self.devices();
        }
        if self.is_about(Theme::Locks) || self.one_in(4) {
            for number in 0..=self.random.below(2) {
                let lock = self.object(&format!("m{number}"), What::Lock, vec![0]);
                self.locks.push(lock);
            }
            if self.one_in(3) {
                let lock = self.locks[0];
                let pointer = self.object("lp", What::LockPointer, vec![lock]);
                self.lock_pointers.push(pointer);
            }
            if self.one_in(4) {
                self.condition = Some(self.object("cv", What::Condition, vec![0]));
            }
        }
        if self.is_about(Theme::Ids) {
            self.id = Some(self.object("old", What::Id, vec![0]));
        }
    }

    fn pointers(&mut self, targets: &[Cell]) {
        let kind = self.kind;
        if self.is_about(Theme::Pointers) {
            let target = self.any(targets);
            let spot = match self.random.below(4) {
                0 => Spot::Pointed(self.object("h", What::Hidden(kind), vec![target])),
                1 => {
                    let other = self.any(targets);
                    Spot::Tabled(self.object("tab", What::Table(kind), vec![target, other]))
                }
                _ => Spot::Pointed(self.object("g", What::Pointer(kind), vec![target])),
            };
            self.spots.extend([spot.clone(), spot]);
        }
        if self.is_about(Theme::Heap) {
            let initial = vec![0];
            let cell = self.object("heap", What::Number(kind), initial);
            self.program.objects.last_mut().unwrap().home = Home::Heap;
            let pointer = self.object("hp", What::Pointer(kind), vec![0]);
            assert_eq!(cell + 1, pointer, "the pointer stands behind what it points at");
            self.spots.extend([Spot::Pointed(pointer), Spot::Pointed(pointer)]);
        }
    }

    fn devices(&mut self) {
        let first = 1 + self.program.objects.iter().map(|it| it.what.cells()).sum::<i8>();
        let is_alone = self.one_in(3);
        let other = if is_alone { first } else { first + 2 };
        let initial = vec![self.number(3), other];
        let first = self.object("d0", What::Device, initial);
        if !is_alone {
            let initial = vec![self.number(3), first];
            self.object("d1", What::Device, initial);
            self.spots.push(Spot::Device(other));
        }
        let pointed = self.any(&[first, other]);
        let pointer = self.object("dp", What::DevicePointer, vec![pointed]);
        self.spots.extend([Spot::Device(first), Spot::Pointed(pointer), Spot::Pointed(pointer)]);
        let peer = self.any(&[first, other]);
        self.spots.push(Spot::Peer(peer));
    }

    fn functions(&mut self) {
        let n_threads = 2 + self.random.below(2);
        for number in 0..n_threads {
            let name = if number == 0 { "t".to_owned() } else { format!("u{number}") };
            self.function(&name, Role::Thread);
        }
        let is_library = self.is_about(Theme::Library);
        if self.is_about(Theme::Calls) || is_library {
            for number in 0..=self.random.below(2) {
                let returns = self.one_in(2);
                let parameters = match () {
                    () if !returns => 0,
                    () => u8::try_from(self.random.below(3)).unwrap(),
                };
                let helper =
                    self.function(&format!("call{number}"), Role::Helper { parameters, returns });
                self.helpers.push(helper);
                let is_action = parameters == 0 && !returns;
                if is_action && (is_library || self.one_in(2)) {
                    let function = i8::try_from(helper).unwrap();
                    if is_library && self.one_in(2) {
                        self.program.given.push(u8::try_from(helper).unwrap());
                    } else {
                        self.object(&format!("op{number}"), What::Action, vec![function]);
                    }
                }
            }
        }
        for helper in self.helpers.clone() {
            let body = self.helper(helper);
            self.program.functions[helper].body = body;
        }
        // Behind what may be called: handlers are not.
        let mut registered = Vec::new();
        if self.is_about(Theme::Handlers) && !is_library {
            let role = Role::Helper { parameters: 0, returns: false };
            for name in ["on_exit", "first", "last"] {
                if self.one_in(2) {
                    let handler = self.function(name, role);
                    let own = u8::try_from(handler).unwrap();
                    self.program.functions[handler].body = self.handler(handler);
                    match name {
                        "first" => self.program.constructors.push(own),
                        "last" => self.program.destructors.push(own),
                        _ => registered.push(own),
                    }
                }
            }
        }
        if is_library {
            self.program.threads =
                vec![Started { function: 0, argument: None }, Started {
                    function: usize::MAX,
                    argument: None,
                }];
        } else {
            self.start_threads(n_threads);
        }
        for number in 0..n_threads {
            let body = self.thread(number);
            self.program.functions[number].body = body;
        }
        if !is_library {
            self.main(&registered);
        }
    }

    fn function(&mut self, name: &str, role: Role) -> usize {
        let n_locals = match role {
            Role::Main => 0,
            Role::Thread => 2,
            Role::Helper { parameters, .. } => parameters,
        };
        self.program.functions.push(Function {
            name: name.to_owned(),
            role,
            n_locals,
            body: Vec::new(),
        });
        self.program.functions.len() - 1
    }

    fn start_threads(&mut self, n_functions: usize) {
        let mut functions: Vec<usize> = (0..n_functions).collect();
        if functions.len() < 3 && self.one_in(4) {
            functions.push(self.random.below(n_functions));
        }
        let is_about_arguments = self.is_about(Theme::Arguments);
        let targets: Vec<Cell> = self
            .program
            .objects
            .iter()
            .filter(|it| matches!(it.what, What::Number(kind) if kind == self.kind))
            .filter(|it| it.home == Home::File && !self.flags.contains(&it.first))
            .map(|it| it.first)
            .collect();
        for function in functions {
            let argument = is_about_arguments.then(|| self.any(&targets));
            self.program.threads.push(Started { function, argument });
        }
    }

    fn context(&self, function: usize) -> Context {
        let it = &self.program.functions[function];
        let is_given = self.program.threads.iter().any(|it| it.argument.is_some());
        let has_argument = it.role == Role::Thread && is_given;
        let locals = (u8::from(has_argument)..it.n_locals).collect();
        Context {
            function,
            locals,
            has_argument,
            is_in_loop: false,
            held: Vec::new(),
            depth: 2,
            calls: it.role == Role::Thread,
        }
    }

    fn thread(&mut self, number: usize) -> Vec<Statement> {
        let context = self.context(number);
        let mut body = Vec::new();
        if self.one_in(2) {
            body.push(self.statement(&Context { depth: 0, ..context.clone() }));
        }
        if number == 0 {
            let is_for_main = self.is_about(Theme::Handlers) && self.one_in(2);
            match self.random.below(3) {
                _ if is_for_main => {}
                0 => body.push(self.repeated(&context)),
                _ => body.extend(self.bounded(&context)),
            }
            if self.one_in(3) {
                body.push(self.statement(&context));
            }
            return body;
        }
        let inner = Context { is_in_loop: true, depth: 1, ..context.clone() };
        let mut inside = match self.one_in(2) {
            true => self.sets(&context),
            false => vec![self.statement(&inner)],
        };
        for _ in 0..self.random.below(2) {
            inside.push(self.statement(&inner));
        }
        match self.random.below(4) {
            0 => body.push(Statement::While(Expr::Value(1), inside)),
            1 => {
                let condition = self.condition(&context, 1);
                body.push(Statement::While(condition, inside));
            }
            _ => {
                inside.retain(|it| !breaks(it));
                body.extend(inside);
            }
        }
        body
    }

    fn helper(&mut self, helper: usize) -> Vec<Statement> {
        let context = Context { depth: 0, ..self.context(helper) };
        let mut body = Vec::new();
        let Role::Helper { returns, .. } = self.program.functions[helper].role else {
            return body;
        };
        if !returns || self.one_in(3) {
            let is_locked = !self.locks.is_empty() && self.one_in(3);
            let statement = self.statement(&context);
            body.push(match self.locks.first() {
                Some(lock) if is_locked => Statement::Locked(Expr::Address(*lock), vec![statement]),
                _ => statement,
            });
        }
        if returns {
            let value = match context.locals.as_slice() {
                [one, other] => {
                    let op = self.any(&[Op::Subtract, Op::Subtract, Op::More, Op::Equal]);
                    let [one, other] = [one, other].map(|it| Box::new(Expr::Local(*it)));
                    Expr::Binary(op, one, other)
                }
                _ => self.value(&context, 1),
            };
            body.push(Statement::Return(value));
        }
        body
    }

    fn handler(&mut self, handler: usize) -> Vec<Statement> {
        let context = Context { depth: 1, ..self.context(handler) };
        if self.one_in(2) {
            return vec![self.repeated(&context)];
        }
        vec![self.statement(&Context { depth: 0, ..context })]
    }

    fn main(&mut self, registered: &[u8]) {
        let main = self.function("main", Role::Main);
        let context = Context { depth: 0, calls: true, ..self.context(main) };
        let mut body = Vec::new();
        if let Some(heap) = self.program.objects.iter().find(|it| it.home == Home::Heap) {
            let pointer = heap.first + 1;
            body.push(Statement::Do(Expr::Assign(
                Place::At(pointer),
                Box::new(Expr::Address(heap.first)),
            )));
            let target = Place::Pointed(Box::new(Expr::Read(Place::At(pointer))), 0);
            let value = Expr::number(self.number(3));
            body.push(Statement::Do(Expr::Assign(target, value)));
        }
        body.extend(registered.iter().map(|it| Statement::Do(Expr::Register(*it))));
        if self.one_in(4) {
            body.push(self.statement(&context));
        }
        let n_threads = u8::try_from(self.program.threads.len()).unwrap();
        let is_about_joins = self.is_about(Theme::Joins) || self.id.is_some();
        let mut order: Vec<u8> = (0..n_threads).collect();
        if is_about_joins {
            order.reverse();
        }
        let mut open = Vec::new();
        for thread in order {
            let into = self.id.filter(|_| thread == n_threads - 1 && is_about_joins);
            body.push(Statement::Do(Expr::Create(thread, into)));
            if is_about_joins && (into.is_some() || self.one_in(2)) {
                body.push(Statement::Do(Expr::Join(thread)));
            } else {
                open.push(thread);
            }
            if self.one_in(5) {
                body.push(self.statement(&context));
            }
        }
        if self.one_in(5) {
            body.push(self.repeated(&Context { depth: 1, ..context.clone() }));
        }
        if !self.one_in(3) {
            open.sort_unstable();
            body.extend(open.into_iter().map(|it| Statement::Do(Expr::Join(it))));
            if self.one_in(4) {
                body.push(self.statement(&context));
            }
        }
        self.program.functions[main].body = body;
        if self.is_about(Theme::Handlers) && self.one_in(2) {
            self.program.named = main;
        }
    }

    /// A loop that would end if the thread were alone, or what it waits for is so already.
    fn bounded(&mut self, context: &Context) -> Vec<Statement> {
        let place = self.place(context);
        let read = Box::new(Expr::Read(place.clone()));
        let assign = |place: Place, value: i8| {
            Statement::Do(Expr::Assign(place, Expr::number(value)))
        };
        let compared = |op: Op, left: Box<Expr>, value: i8| {
            Expr::Binary(op, left, Expr::number(value))
        };
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
    fn sets(&mut self, context: &Context) -> Vec<Statement> {
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
    fn repeated(&mut self, context: &Context) -> Statement {
        let inner = Context { is_in_loop: true, depth: context.depth.min(2) - 1, ..context.clone() };
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

    fn statement(&mut self, context: &Context) -> Statement {
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
    fn end(&mut self, context: &Context) -> Statement {
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

    fn critical(&mut self, context: &Context) -> Option<Statement> {
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
    fn action(&mut self, context: &Context) -> (Option<u8>, Expr) {
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
            4 => match self.call(context, false, depth) {
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

    fn change(&mut self, context: &Context, depth: usize) -> Expr {
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
                let op = self.any(&[Op::Add, Op::Subtract, Op::Subtract, Op::And]);
                let by = Box::new(self.value(context, depth - 1));
                Expr::Update(op, place, by, None)
            }
            _ => {
                let (up, old) = (self.one_in(3), self.one_in(2));
                Expr::Count { up, old, place, read: None }
            }
        }
    }

    fn flag_action(&mut self, context: &Context) -> Expr {
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
    fn pointer_action(&mut self) -> Option<Expr> {
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

    /// 0 or 1.
    fn index(&mut self) -> Expr {
        let flag = self.any(&self.flags.clone());
        let read = Box::new(Expr::Read(Place::At(flag)));
        match self.random.below(5) {
            0 => Expr::Not(read),
            1 => Expr::Value(self.number(2)),
            _ => *read,
        }
    }

    fn place(&mut self, context: &Context) -> Place {
        let mut spots = self.spots.clone();
        if context.has_argument {
            spots.extend([Spot::Argument, Spot::Argument]);
        }
        let read = |cell: Cell| Box::new(Expr::Read(Place::At(cell)));
        match self.any(&spots) {
            Spot::Number(cell) | Spot::Device(cell) => Place::At(cell),
            Spot::Element(first) => Place::Element(first, Box::new(self.index())),
            Spot::Field(cell) => Place::Field(Box::new(Place::At(cell)), self.field()),
            Spot::FieldElement(first) => {
                let element = Place::Element(first, Box::new(self.index()));
                Place::Field(Box::new(element), self.field())
            }
            Spot::Pointed(cell) => Place::Pointed(read(cell), 0),
            Spot::Tabled(first) => {
                let element = Expr::Read(Place::Element(first, Box::new(self.index())));
                Place::Pointed(Box::new(element), 0)
            }
            Spot::Peer(device) => Place::Pointed(read(device + 1), 0),
            Spot::Argument => Place::Pointed(Box::new(Expr::Local(0)), 0),
        }
    }

    fn field(&mut self) -> u8 {
        u8::from(self.one_in(2))
    }

    /// A call of a helper that returns a number, or of one that does not.
    fn call(&mut self, context: &Context, is_number: bool, depth: usize) -> Option<Expr> {
        let fits = |it: &usize| {
            matches!(self.program.functions[*it].role,
                Role::Helper { returns, .. } if returns == is_number)
        };
        let helpers: Vec<usize> = self.helpers.iter().copied().filter(fits).collect();
        if helpers.is_empty() || !context.calls || !context.held.is_empty() {
            return None;
        }
        let helper = self.any(&helpers);
        let Role::Helper { parameters, .. } = self.program.functions[helper].role else {
            return None;
        };
        let depth = depth.saturating_sub(1);
        let arguments = (0..parameters).map(|_| self.value(context, depth)).collect();
        let value = i8::try_from(helper).unwrap();
        let is_action = |it: &&Object| it.what == What::Action && it.initial[0] == value;
        let action = self.program.objects.iter().find(is_action).map(|it| it.first);
        let callee = match action {
            Some(action) if self.one_in(2) => Expr::Read(Place::At(action)),
            _ => Expr::Function(u8::try_from(helper).unwrap()),
        };
        Some(Expr::Call(Box::new(callee), arguments))
    }

    fn atomic(&mut self, context: &Context, depth: usize) -> Expr {
        let numbers: Vec<Cell> = self
            .spots
            .iter()
            .filter_map(|it| match it {
                Spot::Number(cell) => Some(*cell),
                _ => None,
            })
            .collect();
        let cell = self.any(&numbers);
        let address = Expr::Address(cell);
        let op = self.any(&[
            AtomicOp::Load,
            AtomicOp::Store,
            AtomicOp::Store,
            AtomicOp::Exchange,
            AtomicOp::FetchAdd,
            AtomicOp::FetchSubtract,
            AtomicOp::FetchSubtract,
            AtomicOp::FetchAnd,
            AtomicOp::AddFetch,
            AtomicOp::Swap,
            AtomicOp::Swap,
        ]);
        let n_more = match op {
            AtomicOp::Load => 0,
            AtomicOp::Swap => 2,
            _ => 1,
        };
        let mut operands = vec![address];
        operands.extend((0..n_more).map(|_| self.value(context, depth.saturating_sub(1))));
        Expr::Atomic(op, operands)
    }

    fn value(&mut self, context: &Context, depth: usize) -> Expr {
        loop {
            let value = self.any_value(context, depth);
            if is_defined(&self.program, &value) {
                return value;
            }
        }
    }

    fn any_value(&mut self, context: &Context, depth: usize) -> Expr {
        if depth > 0 {
            let op = self.any(&[Op::Add, Op::Subtract, Op::Subtract, Op::And]);
            let n = if self.is_about(Theme::Order) { 7 } else { 12 };
            match self.random.below(n) {
                0 | 1 => {
                    let left = Box::new(self.any_value(context, depth - 1));
                    return Expr::Binary(op, left, Box::new(self.any_value(context, depth - 1)));
                }
                2 | 3 => {
                    if let Some(call) = self.call(context, true, depth) {
                        return call;
                    }
                }
                4 if self.one_in(3) => {
                    let (up, place) = (self.one_in(3), self.place(context));
                    return Expr::Count { up, old: true, place, read: None };
                }
                5 if self.one_in(3) => {
                    let condition = Box::new(self.condition(context, 0));
                    let then = Box::new(self.any_value(context, depth - 1));
                    let otherwise = Box::new(self.any_value(context, depth - 1));
                    return Expr::Choice(condition, then, otherwise);
                }
                _ => {}
            }
        }
        match self.random.below(5) {
            0 => Expr::Value(self.number(3)),
            1 => match context.locals.last() {
                Some(local) => Expr::Local(*local),
                None => Expr::Value(self.number(2)),
            },
            2 => {
                let flag = self.any(&self.flags.clone());
                Expr::Read(Place::At(flag))
            }
            _ => Expr::Read(self.place(context)),
        }
    }

    fn condition(&mut self, context: &Context, depth: usize) -> Expr {
        loop {
            let condition = self.any_condition(context, depth);
            if is_defined(&self.program, &condition) {
                return condition;
            }
        }
    }

    fn any_condition(&mut self, context: &Context, depth: usize) -> Expr {
        let n = if self.is_about(Theme::Order) { 16 } else { 13 };
        let roll = self.random.below(n);
        if let Some(id) = self.id
            && self.one_in(3)
        {
            let itself = Box::new(Expr::Itself);
            return match self.one_in(2) {
                true => Expr::Binary(Op::Equal, itself, Box::new(Expr::Read(Place::At(id)))),
                false => Expr::Binary(Op::Remainder, itself, Expr::number(2)),
            };
        }
        match roll {
            0..=3 => {
                let op = self.any(&[Op::More, Op::More, Op::Differs, Op::Equal]);
                let bound = self.any(&[0, 0, 0, 1]);
                Expr::Binary(op, Box::new(Expr::Read(self.place(context))), Expr::number(bound))
            }
            4 | 5 => Expr::Read(self.place(context)),
            6 => {
                let flag = self.any(&self.flags.clone());
                Expr::Not(Box::new(Expr::Read(Place::At(flag))))
            }
            7 => {
                let flag = self.any(&self.flags.clone());
                Expr::Read(Place::At(flag))
            }
            8 if depth > 0 => {
                let left = Box::new(self.any_condition(context, depth - 1));
                let right = Box::new(self.any_condition(context, depth - 1));
                match self.one_in(2) {
                    true => Expr::Both(left, right),
                    false => Expr::Either(left, right),
                }
            }
            9 if self.one_in(2) => Expr::Nondet,
            10 if depth > 0 => {
                let (up, place) = (self.one_in(4), self.place(context));
                let count = Expr::Count { up, old: true, place, read: None };
                Expr::Binary(Op::More, Box::new(count), Expr::number(0))
            }
            11 if depth > 0 => {
                let atomic = self.atomic(context, 0);
                match &atomic {
                    Expr::Atomic(AtomicOp::Store, _) => self.any_condition(context, depth),
                    _ => Expr::Binary(Op::More, Box::new(atomic), Expr::number(0)),
                }
            }
            12 => match context.locals.last() {
                Some(local) => {
                    let op = self.any(&[Op::More, Op::Equal, Op::Differs]);
                    Expr::Binary(op, Box::new(Expr::Local(*local)), Expr::number(self.number(2)))
                }
                None => Expr::Read(self.place(context)),
            },
            _ => {
                let op = self.any(&[Op::More, Op::More, Op::Less, Op::Equal, Op::Differs]);
                let left = Box::new(self.any_value(context, depth.min(1)));
                Expr::Binary(op, left, Box::new(self.any_value(context, depth.min(1))))
            }
        }
    }
}

/// Whether a statement breaks a loop around it.
fn breaks(statement: &Statement) -> bool {
    match statement {
        Statement::Break => true,
        Statement::While(..) | Statement::DoWhile(..) | Statement::Repeat(..) => false,
        other => other.bodies().into_iter().flatten().any(breaks),
    }
}
