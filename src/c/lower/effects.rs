//! What evaluating an expression may read and write, as far as it can be read off
//! the syntax tree: for the order of evaluation.

use std::collections::BTreeSet;

use wane_grammar::c::ast::{
    Attribute, BinaryOperator, Block, Declaration, Declarator, Derivation, Expr, ExprKind,
    FunctionDefinition, Initializer, Parameters, Specifier, Specifiers, Stmt, StmtKind, Storage,
    TypeName, TypeofArgument, UnaryOperator,
};
use wane_grammar::c::name::Symbol;

use super::errno::Errno;

/// Something that can be read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cell {
    /// A local that only its name leads to.
    Local(Symbol),
    /// A global that only its name leads to.
    Named(Symbol),
    /// A variable whose address is taken.
    Taken(Symbol),
    /// Members of this name, of any structure or union.
    Member(Symbol),
    /// What a pointer points at, or an element of an array.
    Memory,
    /// `errno`, where no pointer leads to it.
    Errno,
    /// What a specification has seen.
    Watched,
}

impl Cell {
    /// Whether the two may share bytes.
    pub(super) fn may_be(self, other: Self) -> bool {
        match (self, other) {
            // A function may declare a global of the file anew.
            (Self::Named(a), Self::Taken(b)) | (Self::Taken(a), Self::Named(b)) => a == b,
            (Self::Local(_) | Self::Named(_) | Self::Errno | Self::Watched, _)
            | (_, Self::Local(_) | Self::Named(_) | Self::Errno | Self::Watched) => self == other,
            (Self::Taken(a), Self::Taken(b)) => a == b,
            // One member may be a part of another one, or of the same union.
            (Self::Memory | Self::Taken(_) | Self::Member(_), _) => true,
        }
    }

    /// What it is to change the one and use the other where nothing orders the two. Members of
    /// different names are taken for different objects.
    pub(super) fn collides_with(self, other: Self) -> Option<Collision> {
        match (self, other) {
            (Self::Memory, Self::Memory) => Some(Collision::OfPlaces),
            (Self::Member(a), Self::Member(b)) => (a == b).then_some(Collision::OfPlaces),
            _ if self == other => Some(Collision::OfOne),
            _ => self.may_be(other).then_some(Collision::OfPlaces),
        }
    }
}

/// What evaluating something may do.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    /// What it reads and writes itself.
    pub(super) own: Access,
    /// What the functions read and write that it calls.
    pub(super) far: Access,
    /// What it calls.
    pub(super) calls: Calls,
}

/// Cells that are read and written.
#[derive(Clone, Debug, Default)]
pub(super) struct Access {
    pub(super) reads: BTreeSet<Cell>,
    pub(super) writes: BTreeSet<Cell>,
}

impl Access {
    fn add(&mut self, other: &Self) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    /// Whether it reads or writes nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }

    /// Whether one of the two writes what the other one reads or writes.
    pub(super) fn meets(&self, other: &Self, same: impl Fn(Cell, Cell) -> bool) -> bool {
        let hits = |writer: &Self, other: &Self| {
            let mut cells = other.reads.iter().chain(&other.writes);
            cells.any(|cell| writer.writes.iter().any(|written| same(*written, *cell)))
        };
        hits(self, other) || hits(other, self)
    }
}

/// What is called.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    /// Functions by their names.
    pub(super) named: BTreeSet<Symbol>,
    /// Whether something is called that may do anything.
    pub(super) anything: bool,
    /// Whether a function is called that the file does not define. What two of them do
    /// is arbitrary in either order.
    pub(super) foreign: bool,
    /// Whether the program may end there.
    pub(super) may_end: bool,
    /// Whether something is called that may take for ever.
    pub(super) may_last: bool,
    /// Whether something may go wrong there.
    pub(super) may_fail: bool,
    /// Whether an input may be read.
    pub(super) has_input: bool,
    /// Whether it contains statements, which cannot be lowered twice.
    pub(super) has_statements: bool,
}

impl Touched {
    /// Adds what a function does that is called.
    pub(super) fn add_callee(&mut self, callee: &Self) {
        self.far.add(&callee.own);
        self.far.add(&callee.far);
        self.calls.anything |= callee.calls.anything;
        self.calls.foreign |= callee.calls.foreign;
        self.calls.may_end |= callee.calls.may_end;
        self.calls.may_last |= callee.calls.may_last;
        self.calls.may_fail |= callee.calls.may_fail;
        self.calls.has_input |= callee.calls.has_input;
    }

    /// Whether what comes behind it may never be evaluated. What may do anything may do that.
    pub(super) fn may_not_come_back(&self) -> bool {
        self.calls.may_end || self.calls.may_last || self.calls.anything
    }

    /// The cells that it may write.
    pub(super) fn writes(&self) -> impl Iterator<Item = Cell> {
        self.own.writes.iter().chain(&self.far.writes).copied()
    }

    fn read(&mut self, cell: Cell) {
        self.own.reads.insert(cell);
    }

    fn write(&mut self, cell: Cell) {
        self.own.writes.insert(cell);
    }
}

/// What a name means outside of what is walked through; `None` for what is no
/// variable.
pub(super) type Meaning<'m> = dyn Fn(Symbol) -> Option<Cell> + 'm;

/// Who knows a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// One call of one function.
    Private,
    /// All calls, or others, too.
    Shared,
}

/// A walk through an expression or a function's body.
pub(super) struct Walk<'m> {
    pub(super) touched: Touched,
    meaning: &'m Meaning<'m>,
    errno: Errno,
    /// Names that are declared on the way.
    declared: Vec<(Symbol, Reach)>,
}

impl<'m> Walk<'m> {
    pub(super) fn new(meaning: &'m Meaning<'m>, errno: Errno) -> Self {
        Self { touched: Touched::default(), meaning, errno, declared: Vec::new() }
    }

    /// What a call of the function does. Its own variables concern nobody else.
    pub(super) fn function(&mut self, function: &FunctionDefinition) {
        if let Some(Derivation::Function(head)) = function.declarator.derivations.first() {
            match &head.parameters {
                Parameters::Typed(list) => {
                    for parameter in list {
                        self.specifiers(&parameter.specifiers);
                        self.declare(&parameter.declarator, Reach::Private);
                    }
                }
                Parameters::Names(names) => {
                    self.declared.extend(names.iter().map(|name| (*name, Reach::Private)));
                }
                Parameters::Unknown => {}
            }
        }
        for declaration in &function.parameter_declarations {
            self.declaration(declaration);
        }
        self.block(&function.body);
    }

    fn cell_of(&self, name: Symbol) -> Option<Cell> {
        match self.declared.iter().rev().find(|(declared, _)| *declared == name) {
            Some((_, Reach::Private)) => None,
            Some((_, Reach::Shared)) => Some(Cell::Taken(name)),
            None => (self.meaning)(name),
        }
    }

    fn declare(&mut self, declarator: &Declarator, reach: Reach) {
        self.declared.extend(declarator.name.map(|name| (name, reach)));
        for step in &declarator.derivations {
            if let Derivation::Array(Some(length)) = step {
                self.expr(length);
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        let is_shared = declaration
            .specifiers
            .list
            .iter()
            .any(|word| matches!(word, Specifier::Storage(Storage::Static | Storage::Extern)));
        let reach = if is_shared { Reach::Shared } else { Reach::Private };
        self.specifiers(&declaration.specifiers);
        for item in &declaration.declarators {
            self.attributes(&item.declarator.attributes);
            self.declare(&item.declarator, reach);
            if let Some(initializer) = &item.initializer {
                self.initializer(initializer);
            }
        }
    }

    /// The expressions in the words of a type, and the functions that end a variable.
    fn specifiers(&mut self, specifiers: &Specifiers) {
        self.attributes(&specifiers.list);
        for word in &specifiers.list {
            match word {
                Specifier::Typeof(argument) => match &**argument {
                    TypeofArgument::Expr(value) => self.expr(value),
                    TypeofArgument::Type(name) => self.type_name(name),
                },
                Specifier::AtomicType(name) => self.type_name(name),
                _ => {}
            }
        }
    }

    fn attributes(&mut self, words: &[Specifier]) {
        for word in words {
            if let Specifier::Attribute(Attribute::Cleanup(handler)) = word {
                self.touched.calls.named.insert(*handler);
                self.touched.read(Cell::Memory);
                self.touched.write(Cell::Memory);
            }
        }
    }

    /// A type is evaluated where it has the length of an array.
    fn type_name(&mut self, name: &TypeName) {
        self.specifiers(&name.specifiers);
        self.declare(&name.declarator, Reach::Private);
    }

    fn initializer(&mut self, initializer: &Initializer) {
        initializer.parts().into_iter().for_each(|value| self.expr(value));
    }

    fn block(&mut self, block: &Block) {
        let length = self.declared.len();
        block.items.iter().for_each(|item| self.stmt(item));
        self.declared.truncate(length);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(value) | StmtKind::Return(value) => self.optional(value.as_ref()),
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.expr(condition);
                    self.stmt(body);
                }
                otherwise.iter().for_each(|body| self.stmt(body));
            }
            StmtKind::While { condition, body, .. } | StmtKind::DoWhile { condition, body, .. } => {
                self.touched.calls.may_last = true;
                self.expr(condition);
                self.stmt(body);
            }
            StmtKind::For { start, condition, step, body, .. } => {
                self.touched.calls.may_last = true;
                let length = self.declared.len();
                start.iter().for_each(|start| self.stmt(start));
                self.optional(condition.as_ref());
                self.optional(step.as_ref());
                self.stmt(body);
                self.declared.truncate(length);
            }
            StmtKind::Switch { value, body } => {
                self.expr(value);
                self.stmt(body);
            }
            StmtKind::Goto(_) => self.touched.calls.may_last = true,
            StmtKind::ComputedGoto(value) => {
                self.touched.calls.may_last = true;
                self.expr(value);
            }
            StmtKind::Asm(_) => {
                self.touched.calls.anything = true;
                self.touched.calls.may_fail = true;
                self.touched.calls.has_input = true;
            }
            StmtKind::Label(_)
            | StmtKind::Case(..)
            | StmtKind::Default
            | StmtKind::Continue
            | StmtKind::Break => {}
        }
    }

    fn optional(&mut self, expr: Option<&Expr>) {
        expr.into_iter().for_each(|expr| self.expr(expr));
    }

    /// The cell that an lvalue designates; what leads there is evaluated.
    pub(super) fn place(&mut self, expr: &Expr) -> Option<Cell> {
        match &expr.kind {
            ExprKind::Name(name) => self.cell_of(*name),
            ExprKind::Member(record, member) => {
                self.place(record)?;
                Some(Cell::Member(*member))
            }
            ExprKind::Arrow(pointer, member) => {
                self.touched.calls.may_fail = true;
                self.expr(pointer);
                Some(Cell::Member(*member))
            }
            ExprKind::Index(array, index) => {
                self.touched.calls.may_fail = true;
                self.expr(array);
                self.expr(index);
                Some(Cell::Memory)
            }
            ExprKind::Unary(UnaryOperator::Dereference, pointer) => {
                self.touched.calls.may_fail = true;
                self.expr(pointer);
                if self.errno.is_location(pointer) { self.errno.cell } else { Some(Cell::Memory) }
            }
            _ => {
                self.expr(expr);
                Some(Cell::Memory)
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(_)
            | ExprKind::Member(..)
            | ExprKind::Arrow(..)
            | ExprKind::Index(..)
            | ExprKind::Unary(UnaryOperator::Dereference, _) => {
                if let Some(cell) = self.place(expr) {
                    self.touched.read(cell);
                }
            }
            ExprKind::Unary(
                UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                | UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement,
                operand,
            ) => {
                if let Some(cell) = self.place(operand) {
                    self.touched.read(cell);
                    self.touched.write(cell);
                }
            }
            ExprKind::Unary(UnaryOperator::AddressOf, operand) => drop(self.place(operand)),
            ExprKind::Assign(operator, left, right) => {
                self.touched.calls.may_fail |= operator.is_some_and(|it| may_fail(it, right));
                if let Some(cell) = self.place(left) {
                    if operator.is_some() {
                        self.touched.read(cell);
                    }
                    self.touched.write(cell);
                }
                self.expr(right);
            }
            ExprKind::Call(callee, arguments) => self.call(callee, arguments),
            ExprKind::VaArg(list, _) => {
                self.touched.calls.may_fail = true;
                let cell = self.place(list).unwrap_or(Cell::Memory);
                self.touched.read(cell);
                self.touched.write(cell);
            }
            ExprKind::Binary(operator, left, right) => {
                self.touched.calls.may_fail |= may_fail(*operator, right);
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Statements(block) => {
                self.touched.calls.has_statements = true;
                self.block(block);
            }
            ExprKind::SizeofExpr(operand) if may_have_lengths(operand) => self.expr(operand),
            _ => {
                expr.types().into_iter().for_each(|name| self.type_name(name));
                expr.parts().into_iter().for_each(|part| self.expr(part));
            }
        }
    }

    fn call(&mut self, callee: &Expr, arguments: &[Expr]) {
        match callee.kind {
            ExprKind::Name(name) if self.cell_of(name).is_none() && !self.is_declared(name) => {
                self.touched.calls.named.insert(name);
            }
            _ => {
                self.expr(callee);
                self.touched.calls.anything = true;
                self.touched.calls.may_fail = true;
                self.touched.calls.has_input = true;
            }
        }
        arguments.iter().for_each(|argument| self.expr(argument));
    }

    fn is_declared(&self, name: Symbol) -> bool {
        self.declared.iter().any(|(declared, _)| *declared == name)
    }
}

/// Whether an operator has no result for some operands, of which `right` is the second one.
pub(super) fn may_fail(operator: BinaryOperator, right: &Expr) -> bool {
    let is_partial = matches!(
        operator,
        BinaryOperator::Divide
            | BinaryOperator::Remainder
            | BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight
    );
    is_partial && !matches!(right.kind, ExprKind::Integer(_))
}

/// Whether the type of an operand of `sizeof` may have a length in it that is evaluated.
fn may_have_lengths(operand: &Expr) -> bool {
    !operand.types().is_empty() || operand.parts().into_iter().any(may_have_lengths)
}

/// Whether evaluating the expression may do more than yield a value.
pub(super) fn does_something(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Assign(..)
        | ExprKind::Call(..)
        | ExprKind::Statements(_)
        | ExprKind::VaArg(..)
        | ExprKind::Unary(
            UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement
            | UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement,
            _,
        ) => true,
        _ => {
            expr.types().into_iter().any(has_busy_lengths)
                || expr.parts().into_iter().any(does_something)
        }
    }
}

/// Whether evaluating a type does something.
fn has_busy_lengths(name: &TypeName) -> bool {
    let in_words = name.specifiers.list.iter().any(|word| match word {
        Specifier::Typeof(argument) => match &**argument {
            TypeofArgument::Expr(value) => does_something(value),
            TypeofArgument::Type(name) => has_busy_lengths(name),
        },
        Specifier::AtomicType(name) => has_busy_lengths(name),
        _ => false,
    });
    let mut steps = name.declarator.derivations.iter();
    in_words
        || steps
            .any(|step| matches!(step, Derivation::Array(Some(length)) if does_something(length)))
}

/// Whether the order of two parts can make a difference.
pub(super) fn conflict(first: &Touched, second: &Touched) -> bool {
    let reaches = |other: &Touched| {
        let is_shared = |cell: &Cell| !matches!(cell, Cell::Local(_));
        let mut own = other.own.reads.iter().chain(&other.own.writes);
        !other.far.is_empty() || calls_much(other) || own.any(is_shared)
    };
    let may_be = Cell::may_be;
    first.far.meets(&second.own, may_be)
        || first.far.meets(&second.far, may_be)
        || first.own.meets(&second.far, may_be)
        || first.calls.anything && (reaches(second) || second.calls.foreign)
        || second.calls.anything && (reaches(first) || first.calls.foreign)
        || first.calls.foreign && reaches(second)
        || second.calls.foreign && reaches(first)
}

/// Whether the order of two parts can make a difference to more than what memory holds.
pub(super) fn conflict_beside_memory(first: &Touched, second: &Touched) -> bool {
    let is_variable = |it: &Cell| !matches!(it, Cell::Memory | Cell::Member(_) | Cell::Taken(_));
    let same = |one: Cell, other: Cell| is_variable(&one) && one.may_be(other);
    let uses_variables = |part: &Touched| {
        let of = |it: &Access| it.reads.iter().chain(&it.writes).any(is_variable);
        part.calls.anything || of(&part.own) || of(&part.far)
    };
    first.far.meets(&second.own, same)
        || first.far.meets(&second.far, same)
        || first.own.meets(&second.far, same)
        || first.calls.anything && uses_variables(second)
        || second.calls.anything && uses_variables(first)
        || end_apart(first, second)
}

/// Whether it makes a difference which part is evaluated first, as one may end the program.
pub(super) fn end_apart(first: &Touched, second: &Touched) -> bool {
    first.calls.may_end && second.may_not_come_back()
        || second.calls.may_end && first.may_not_come_back()
}

/// Whether something is called whose end matters, or that may do anything.
fn calls_much(part: &Touched) -> bool {
    part.calls.anything || part.calls.may_last || part.calls.may_end
}

/// What one part changes by itself and the other one uses by itself: nothing orders the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Collision {
    /// Places that pointers or members lead to, of one object or of two.
    OfPlaces,
    /// A variable.
    OfOne,
}

/// Whether one part changes by itself what the other one uses by itself.
pub(super) fn collide(first: &Touched, second: &Touched) -> Option<Collision> {
    let pairs = |changed: &Access, used: &Access| {
        let used: Vec<Cell> = used.reads.union(&used.writes).copied().collect();
        let changes = changed.writes.iter();
        changes.flat_map(|it| used.iter().filter_map(|other| it.collides_with(*other))).max()
    };
    pairs(&first.own, &second.own).max(pairs(&second.own, &first.own))
}
