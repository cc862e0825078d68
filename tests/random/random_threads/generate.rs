//! Random programs: each about a few of the things that threads do, or a duel.

use super::tree::{
    Cell, Expr, Function, Home, Kind, Object, Op, Place, Program, Role, Started, Statement, What,
};
use crate::random::Random;

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
pub(crate) enum Spot {
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
pub(crate) struct Context {
    pub(crate) function: usize,
    /// Locals of its own that are numbers.
    pub(crate) locals: Vec<u8>,
    pub(crate) has_argument: bool,
    pub(crate) is_in_loop: bool,
    pub(crate) held: Vec<Cell>,
    pub(crate) depth: usize,
    pub(crate) calls: bool,
}

pub(crate) struct Maker<'a> {
    pub(crate) random: &'a mut Random,
    pub(crate) program: Program,
    pub(crate) themes: Vec<Theme>,
    pub(crate) spots: Vec<Spot>,
    /// Numbers that are 0 or 1.
    pub(crate) flags: Vec<Cell>,
    pub(crate) locks: Vec<Cell>,
    pub(crate) lock_pointers: Vec<Cell>,
    pub(crate) condition: Option<Cell>,
    pub(crate) id: Option<Cell>,
    /// Helpers by what they are.
    pub(crate) helpers: Vec<usize>,
    pub(crate) kind: Kind,
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
    if maker.one_in(2) {
        maker.duel();
    } else {
        maker.objects();
        maker.functions();
    }
    maker.program
}

impl Maker<'_> {
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.random.below(n) == 0
    }

    pub(crate) fn is_about(&self, theme: Theme) -> bool {
        self.themes.contains(&theme)
    }

    pub(crate) fn any<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.random.below(all.len())].clone()
    }

    pub(crate) fn object(&mut self, name: &str, what: What, initial: Vec<i8>) -> Cell {
        let first = 1 + self.program.objects.iter().map(|it| it.what.cells()).sum::<i8>();
        let home = Home::File;
        self.program.objects.push(Object { name: name.to_owned(), what, initial, home, first });
        first
    }

    pub(crate) fn number(&mut self, below: usize) -> i8 {
        i8::try_from(self.random.number(below)).unwrap()
    }

    pub(crate) fn objects(&mut self) {
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

    pub(crate) fn pointers(&mut self, targets: &[Cell]) {
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

    pub(crate) fn devices(&mut self) {
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

    pub(crate) fn functions(&mut self) {
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
            self.program.threads = vec![
                Started { function: 0, argument: None },
                Started { function: usize::MAX, argument: None },
            ];
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

    pub(crate) fn function(&mut self, name: &str, role: Role) -> usize {
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

    pub(crate) fn start_threads(&mut self, n_functions: usize) {
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

    pub(crate) fn context(&self, function: usize) -> Context {
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

    pub(crate) fn thread(&mut self, number: usize) -> Vec<Statement> {
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

    pub(crate) fn helper(&mut self, helper: usize) -> Vec<Statement> {
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

    pub(crate) fn handler(&mut self, handler: usize) -> Vec<Statement> {
        let context = Context { depth: 1, ..self.context(handler) };
        if self.one_in(2) {
            return vec![self.repeated(&context)];
        }
        vec![self.statement(&Context { depth: 0, ..context })]
    }

    pub(crate) fn main(&mut self, registered: &[u8]) {
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
}

/// Whether a statement breaks a loop around it.
fn breaks(statement: &Statement) -> bool {
    match statement {
        Statement::Break => true,
        Statement::While(..) | Statement::DoWhile(..) | Statement::Repeat(..) => false,
        other => other.bodies().into_iter().flatten().any(breaks),
    }
}
