//! Programs of a few threads, as trees: what their text says.

/// The number of a cell: 0 is none.
pub(crate) type Cell = i8;

/// What the accesses of a number are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    Volatile,
    Atomic,
    Bool,
    AtomicBool,
}

impl Kind {
    pub(crate) fn is_atomic(self) -> bool {
        matches!(self, Self::Atomic | Self::AtomicBool)
    }

    pub(crate) fn is_bool(self) -> bool {
        matches!(self, Self::Bool | Self::AtomicBool)
    }
}

/// The type of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Number(Kind),
    /// Two numbers.
    Array(Kind),
    /// `struct { unsigned a : 2, b : 2; }`, which are one cell.
    Fields,
    /// Two of these.
    FieldArray,
    /// `struct device { int n; struct device *peer; }`
    Device,
    /// The address of a number.
    Pointer(Kind),
    /// The same as an `unsigned long`.
    Hidden(Kind),
    /// Two addresses.
    Table(Kind),
    DevicePointer,
    /// The address of a function without parameters.
    Action,
    Lock,
    LockPointer,
    Condition,
    /// The name of a thread.
    Id,
}

impl What {
    /// How many cells an object has.
    pub(crate) fn cells(self) -> i8 {
        match self {
            Self::Array(_) | Self::FieldArray | Self::Table(_) | Self::Device => 2,
            _ => 1,
        }
    }
}

/// Where an object is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    File,
    /// A static one of a function.
    Function(usize),
    /// Nowhere: it is allocated once, at the start of `main`, and has no name.
    Heap,
}

#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) what: What,
    pub(crate) initial: Vec<i8>,
    pub(crate) home: Home,
    pub(crate) first: Cell,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// A cell, by its name or as it turned out.
    At(Cell),
    /// An element of the array that begins with this cell.
    Element(Cell, Box<Expr>),
    /// What an address points at, or the cell behind it.
    Pointed(Box<Expr>, i8),
    /// One of the two fields of a cell.
    Field(Box<Place>, u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Add,
    Subtract,
    And,
    Or,
    Remainder,
    Less,
    More,
    Equal,
    Differs,
}

/// What is done to a number in one step, by its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AtomicOp {
    Load,
    Store,
    Exchange,
    FetchAdd,
    FetchSubtract,
    FetchAnd,
    AddFetch,
    /// Whether the number was the second operand; then it becomes the third.
    Swap,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Expr {
    Value(i8),
    Address(Cell),
    Function(u8),
    Local(u8),
    Read(Place),
    Not(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    Both(Box<Expr>, Box<Expr>),
    Either(Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Assign(Place, Box<Expr>),
    /// `place op= expr`; what was read of the place, once it was.
    Update(Op, Place, Box<Expr>, Option<i8>),
    /// `place++` (old), `++place` (new); what was read.
    Count {
        up: bool,
        old: bool,
        place: Place,
        read: Option<i8>,
    },
    Atomic(AtomicOp, Vec<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    /// 0 or 1: nobody knows.
    Nondet,
    /// The name of the thread that asks.
    Itself,
    Lock(Box<Expr>),
    Unlock(Box<Expr>),
    TryLock(Box<Expr>),
    /// Waits for a condition: any, as it may wake up for no reason.
    Wait(Cell, Box<Expr>),
    Signal(Cell),
    /// Starts a thread; where its name goes.
    Create(u8, Option<Cell>),
    Join(u8),
    Register(u8),
    Exit,
    ExitThread,
    /// A call whose body runs.
    Running(Box<Frame>),
    /// What is about to be written into a cell, and what the whole is then.
    Write(Cell, i8, i8),
}

/// Where a call is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    pub(crate) function: u8,
    pub(crate) at: u16,
    pub(crate) locals: Vec<i8>,
    /// What is left of the expression there.
    pub(crate) doing: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    Do(Expr),
    Set(u8, Expr),
    If(Expr, Vec<Statement>, Vec<Statement>),
    While(Expr, Vec<Statement>),
    DoWhile(Vec<Statement>, Expr),
    /// So often, counted by a local.
    Repeat(u8, i8, Vec<Statement>),
    /// While a lock is held, which breaks and returns give back.
    Locked(Expr, Vec<Statement>),
    /// The same if it is free, or else something else.
    TryLocked(Expr, Vec<Statement>, Vec<Statement>),
    /// In one step.
    Section(Vec<Statement>),
    Break,
    Return(Expr),
}

/// What runs a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Main,
    Thread,
    /// Calls: with so many numbers.
    Helper {
        parameters: u8,
        returns: bool,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) n_locals: u8,
    pub(crate) body: Vec<Statement>,
}

/// A thread that is started.
#[derive(Clone, Debug)]
pub(crate) struct Started {
    pub(crate) function: usize,
    /// The address that it is given: its first local.
    pub(crate) argument: Option<Cell>,
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) objects: Vec<Object>,
    /// If there is a `main`, it is the last one.
    pub(crate) functions: Vec<Function>,
    pub(crate) threads: Vec<Started>,
    pub(crate) constructors: Vec<u8>,
    pub(crate) destructors: Vec<u8>,
    /// Functions whose addresses others are given, if there is no `main`.
    pub(crate) given: Vec<u8>,
    /// The function of the thread that is asked about.
    pub(crate) named: usize,
}

impl Expr {
    pub(crate) fn number(value: i8) -> Box<Self> {
        Box::new(Self::Value(value))
    }

    pub(crate) fn is_value(&self) -> bool {
        matches!(self, Self::Value(_))
    }

    /// What is evaluated now, in any order.
    pub(crate) fn operands(&self) -> Vec<&Self> {
        match self {
            Self::Value(_)
            | Self::Address(_)
            | Self::Function(_)
            | Self::Local(_)
            | Self::Nondet
            | Self::Itself
            | Self::Signal(_)
            | Self::Create(..)
            | Self::Join(_)
            | Self::Register(_)
            | Self::Exit
            | Self::ExitThread
            | Self::Running(_)
            | Self::Write(..) => Vec::new(),
            Self::Read(place) | Self::Count { place, .. } => Vec::from_iter(place.operand()),
            Self::Not(only)
            | Self::Both(only, _)
            | Self::Either(only, _)
            | Self::Choice(only, ..)
            | Self::Comma(only, _)
            | Self::Lock(only)
            | Self::Unlock(only)
            | Self::TryLock(only)
            | Self::Wait(_, only) => vec![only],
            Self::Binary(_, left, right) => vec![left, right],
            Self::Assign(place, value) | Self::Update(_, place, value, _) => {
                place.operand().into_iter().chain([&**value]).collect()
            }
            Self::Atomic(_, operands) => operands.iter().collect(),
            Self::Call(callee, arguments) => std::iter::once(&**callee).chain(arguments).collect(),
        }
    }

    /// The same, to be changed.
    pub(crate) fn operands_mut(&mut self) -> Vec<&mut Self> {
        match self {
            Self::Read(place) | Self::Count { place, .. } => Vec::from_iter(place.operand_mut()),
            Self::Not(only)
            | Self::Both(only, _)
            | Self::Either(only, _)
            | Self::Choice(only, ..)
            | Self::Comma(only, _)
            | Self::Lock(only)
            | Self::Unlock(only)
            | Self::TryLock(only)
            | Self::Wait(_, only) => vec![only],
            Self::Binary(_, left, right) => vec![left, right],
            Self::Assign(place, value) | Self::Update(_, place, value, _) => {
                place.operand_mut().into_iter().chain([&mut **value]).collect()
            }
            Self::Atomic(_, operands) => operands.iter_mut().collect(),
            Self::Call(callee, arguments) => {
                std::iter::once(&mut **callee).chain(arguments).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What is evaluated later, if at all.
    pub(crate) fn later_mut(&mut self) -> Vec<&mut Self> {
        match self {
            Self::Both(_, right) | Self::Either(_, right) | Self::Comma(_, right) => vec![right],
            Self::Choice(_, then, otherwise) => vec![then, otherwise],
            _ => Vec::new(),
        }
    }

    /// What is evaluated later, if at all.
    pub(crate) fn later(&self) -> Vec<&Self> {
        match self {
            Self::Both(_, right) | Self::Either(_, right) | Self::Comma(_, right) => vec![right],
            Self::Choice(_, then, otherwise) => vec![then, otherwise],
            _ => Vec::new(),
        }
    }

    /// The place that it writes or reads.
    pub(crate) fn place(&self) -> Option<&Place> {
        match self {
            Self::Read(place)
            | Self::Assign(place, _)
            | Self::Update(_, place, ..)
            | Self::Count { place, .. } => Some(place),
            _ => None,
        }
    }

    /// This and everything in it.
    pub(crate) fn for_each(&self, see: &mut impl FnMut(&Self)) {
        see(self);
        self.operands().into_iter().chain(self.later()).for_each(|it| it.for_each(see));
    }
}

impl Place {
    pub(crate) fn operand(&self) -> Option<&Expr> {
        match self {
            Self::At(_) => None,
            Self::Element(_, operand) | Self::Pointed(operand, _) => Some(operand),
            Self::Field(place, _) => place.operand(),
        }
    }

    pub(crate) fn operand_mut(&mut self) -> Option<&mut Expr> {
        match self {
            Self::At(_) => None,
            Self::Element(_, operand) | Self::Pointed(operand, _) => Some(operand),
            Self::Field(place, _) => place.operand_mut(),
        }
    }
}

impl Statement {
    pub(crate) fn expression(&self) -> Option<&Expr> {
        match self {
            Self::Do(expr)
            | Self::Set(_, expr)
            | Self::If(expr, ..)
            | Self::While(expr, _)
            | Self::DoWhile(_, expr)
            | Self::Locked(expr, _)
            | Self::TryLocked(expr, ..)
            | Self::Return(expr) => Some(expr),
            Self::Repeat(..) | Self::Section(_) | Self::Break => None,
        }
    }

    pub(crate) fn expression_mut(&mut self) -> Option<&mut Expr> {
        match self {
            Self::Do(expr)
            | Self::Set(_, expr)
            | Self::If(expr, ..)
            | Self::While(expr, _)
            | Self::DoWhile(_, expr)
            | Self::Locked(expr, _)
            | Self::TryLocked(expr, ..)
            | Self::Return(expr) => Some(expr),
            Self::Repeat(..) | Self::Section(_) | Self::Break => None,
        }
    }

    pub(crate) fn bodies(&self) -> Vec<&Vec<Self>> {
        match self {
            Self::If(_, then, otherwise) | Self::TryLocked(_, then, otherwise) => {
                vec![then, otherwise]
            }
            Self::While(_, body)
            | Self::DoWhile(body, _)
            | Self::Repeat(_, _, body)
            | Self::Locked(_, body)
            | Self::Section(body) => vec![body],
            Self::Do(_) | Self::Set(..) | Self::Break | Self::Return(_) => Vec::new(),
        }
    }

    pub(crate) fn bodies_mut(&mut self) -> Vec<&mut Vec<Self>> {
        match self {
            Self::If(_, then, otherwise) | Self::TryLocked(_, then, otherwise) => {
                vec![then, otherwise]
            }
            Self::While(_, body)
            | Self::DoWhile(body, _)
            | Self::Repeat(_, _, body)
            | Self::Locked(_, body)
            | Self::Section(body) => vec![body],
            Self::Do(_) | Self::Set(..) | Self::Break | Self::Return(_) => Vec::new(),
        }
    }
}

impl Program {
    /// Whether all threads are started by `main`; else by calls of its functions.
    pub(crate) fn main(&self) -> Option<usize> {
        let last = self.functions.len().checked_sub(1)?;
        (self.functions[last].role == Role::Main).then_some(last)
    }

    /// The object that a cell belongs to, and which of its cells it is.
    pub(crate) fn object(&self, cell: Cell) -> (&Object, i8) {
        let is_its = |it: &&Object| (it.first..it.first + it.what.cells()).contains(&cell);
        let object = self.objects.iter().find(is_its).unwrap();
        (object, cell - object.first)
    }

    /// What the accesses of a cell are, if it is a number.
    pub(crate) fn kind(&self, cell: Cell) -> Option<Kind> {
        match self.object(cell) {
            (Object { what: What::Number(kind) | What::Array(kind), .. }, _) => Some(*kind),
            (Object { what: What::Device, .. }, 0) => Some(Kind::Int),
            _ => None,
        }
    }

    /// All expressions of the program.
    pub(crate) fn for_each_expression(&self, see: &mut impl FnMut(&Expr)) {
        for function in &self.functions {
            for_each_statement(&function.body, &mut |it| {
                if let Some(expr) = it.expression() {
                    expr.for_each(see);
                }
            });
        }
    }
}

pub(crate) fn for_each_statement(body: &[Statement], see: &mut impl FnMut(&Statement)) {
    for statement in body {
        see(statement);
        statement.bodies().into_iter().for_each(|it| for_each_statement(it, see));
    }
}
