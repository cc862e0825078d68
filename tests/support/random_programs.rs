//! Random small programs over integers and list cells, most of whose runs end
//! well: dereferences are mostly guarded and loops mostly bounded.
//!
//! A cell has 16 bytes: an `i32` at 0 and the next cell's address at 8. A
//! program is a helper procedure `(ptr, i32) -> ptr`, which `main` calls, and
//! `main` itself. Both also use a global pointer. Sentences of a small
//! structured language are generated and then written down as blocks.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::fmt;
use wane::base::source::{SourceMap, Span};
use wane::ir::{
    BinaryOp, Block, BlockId, Callee, Command, Expr, HavocSource, InitialContent, Instruction,
    IntKind, MemoryKind, Procedure, ProcedureId, Program, ScalarType, Terminator, Variable,
    VariableInfo, text,
};

/// A program that shows itself as text when a test fails.
#[derive(Clone)]
pub(crate) struct RandomProgram {
    pub(crate) program: Program,
}

impl fmt::Debug for RandomProgram {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\n{}", text::print(&self.program))
    }
}

/// A program of this kind.
pub(crate) fn list_program() -> impl Strategy<Value = RandomProgram> {
    (vec(statement(), 0..3), vec(statement(), 1..6)).prop_map(|(helper, main)| {
        let helper: Vec<Statement> = helper.into_iter().filter(|it| !it.calls()).collect();
        RandomProgram {
            program: write_program(&helper, &main),
        }
    })
}

/// Values for what a run leaves open.
pub(crate) fn some_choices() -> impl Strategy<Value = Vec<i128>> {
    vec(-2_i128..6, 0..12)
}

/// Pointer variables by number; 0 is the global one.
type PointerName = usize;
/// Integer variables by number.
type IntName = usize;

const N_POINTERS: usize = 4;
const N_INTS: usize = 2;

/// A sentence of the structured language.
#[derive(Clone, Debug)]
enum Statement {
    SetInt(IntName, i128),
    AddInt(IntName, IntName, i128),
    Input(IntName),
    SetNull(PointerName),
    CopyPointer(PointerName, PointerName),
    /// A new cell with data and next set.
    New(PointerName, IntName, PointerName),
    /// A new cell of arbitrary bytes.
    NewRaw(PointerName),
    /// A new cell of zeros.
    NewZeroed(PointerName),
    LoadNext(Guard, PointerName, PointerName),
    StoreNext(Guard, PointerName, PointerName),
    LoadData(Guard, IntName, PointerName),
    StoreData(Guard, PointerName, IntName),
    /// Frees a cell and forgets its address.
    Free(Guard, PointerName),
    /// Pushes so many cells in front of a list.
    Build(PointerName, i128),
    /// Frees the first cell of a list, if any.
    Pop(PointerName),
    /// Frees all cells of a list.
    Drop(PointerName),
    /// Turns a list around in place.
    Reverse(PointerName),
    /// Goes through a list with a cursor.
    Traverse(PointerName, PointerName, Vec<Statement>),
    Repeat(i128, Vec<Statement>),
    WhilePositive(IntName, Vec<Statement>),
    If(Condition, Vec<Statement>, Vec<Statement>),
    Call(PointerName, PointerName, IntName),
}

/// Whether a dereference tests for null first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    Tested,
    Bare,
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    IsNull(PointerName),
    AreEqual(PointerName, PointerName),
    IsPositive(IntName),
    IsLess(IntName, IntName),
    /// Arbitrary.
    Coin,
}

impl Statement {
    fn calls(&self) -> bool {
        match self {
            Self::Call(..) => true,
            Self::Traverse(_, _, body) | Self::Repeat(_, body) | Self::WhilePositive(_, body) => {
                body.iter().any(Self::calls)
            }
            Self::If(_, then, otherwise) => then.iter().chain(otherwise).any(Self::calls),
            _ => false,
        }
    }
}

fn pointer() -> impl Strategy<Value = PointerName> + Clone {
    0..N_POINTERS
}

fn int() -> impl Strategy<Value = IntName> + Clone {
    0..N_INTS
}

fn guard() -> impl Strategy<Value = Guard> + Clone {
    prop_oneof![9 => Just(Guard::Tested), 1 => Just(Guard::Bare)]
}

fn condition() -> impl Strategy<Value = Condition> {
    prop_oneof![
        pointer().prop_map(Condition::IsNull),
        (pointer(), pointer()).prop_map(|(left, right)| Condition::AreEqual(left, right)),
        int().prop_map(Condition::IsPositive),
        (int(), int()).prop_map(|(left, right)| Condition::IsLess(left, right)),
        Just(Condition::Coin),
    ]
}

fn statement() -> BoxedStrategy<Statement> {
    let simple = prop_oneof![
        3 => on_ints(),
        4 => on_pointers(),
        4 => on_cells(),
        5 => on_lists(),
        1 => (pointer(), pointer(), int()).prop_map(|(to, from, int)| Statement::Call(to, from, int)),
    ];
    simple
        .boxed()
        .prop_recursive(2, 12, 3, |inner| {
            let body = || vec(inner.clone(), 1..3);
            prop_oneof![
                4 => inner.clone(),
                2 => (pointer(), pointer(), body())
                    .prop_map(|(cursor, list, body)| Statement::Traverse(cursor, list, body)),
                2 => (0_i128..4, body()).prop_map(|(rounds, body)| Statement::Repeat(rounds, body)),
                1 => (int(), body()).prop_map(|(int, body)| Statement::WhilePositive(int, body)),
                2 => (condition(), body(), vec(inner, 0..2))
                    .prop_map(|(condition, then, other)| Statement::If(condition, then, other)),
            ]
        })
        .boxed()
}

fn on_ints() -> impl Strategy<Value = Statement> {
    prop_oneof![
        (int(), -2_i128..5).prop_map(|(to, value)| Statement::SetInt(to, value)),
        (int(), int(), select(vec![-1_i128, 1, 2]))
            .prop_map(|(to, from, more)| Statement::AddInt(to, from, more)),
        int().prop_map(Statement::Input),
    ]
}

fn on_pointers() -> impl Strategy<Value = Statement> {
    prop_oneof![
        1 => pointer().prop_map(Statement::SetNull),
        2 => (pointer(), pointer()).prop_map(|(to, from)| Statement::CopyPointer(to, from)),
        3 => (pointer(), int(), pointer())
            .prop_map(|(to, data, next)| Statement::New(to, data, next)),
        1 => pointer().prop_map(Statement::NewZeroed),
    ]
}

fn on_cells() -> impl Strategy<Value = Statement> {
    prop_oneof![
        8 => (guard(), pointer(), pointer())
            .prop_map(|(guard, to, from)| Statement::LoadNext(guard, to, from)),
        6 => (guard(), pointer(), pointer())
            .prop_map(|(guard, to, from)| Statement::StoreNext(guard, to, from)),
        4 => (guard(), int(), pointer())
            .prop_map(|(guard, to, from)| Statement::LoadData(guard, to, from)),
        4 => (guard(), pointer(), int())
            .prop_map(|(guard, to, from)| Statement::StoreData(guard, to, from)),
        1 => (guard(), pointer()).prop_map(|(guard, it)| Statement::Free(guard, it)),
        1 => pointer().prop_map(Statement::NewRaw),
    ]
}

fn on_lists() -> impl Strategy<Value = Statement> {
    prop_oneof![
        4 => (pointer(), 0_i128..4).prop_map(|(list, count)| Statement::Build(list, count)),
        1 => pointer().prop_map(Statement::Pop),
        1 => pointer().prop_map(Statement::Drop),
        2 => pointer().prop_map(Statement::Reverse),
        2 => (pointer(), pointer())
            .prop_map(|(cursor, list)| Statement::Traverse(cursor, list, Vec::new())),
    ]
}

const INT: ScalarType = ScalarType::Int(IntKind {
    bits: 32,
    signed: true,
});
const NEXT: i128 = 8;
const CELL: i128 = 16;
const HELPER: ProcedureId = ProcedureId(0);
const MAIN: ProcedureId = ProcedureId(1);

fn write_program(helper: &[Statement], main: &[Statement]) -> Program {
    let mut variables = Vec::new();
    let global = new_variable(&mut variables, "g", ScalarType::Pointer, None);
    let mut writer = Writer::new(&mut variables, global, HELPER);
    let (argument, count) = (writer.pointers[1], writer.ints[0]);
    writer.set_all(&[argument, count]);
    writer.all(helper);
    let result = Terminator::Return(Some(Expr::Variable(writer.pointers[2])));
    let helper = writer.finish("helper", vec![argument, count], result);
    let mut writer = Writer::new(&mut variables, global, MAIN);
    writer.assign(global, 0.into());
    writer.set_all(&[]);
    writer.all(main);
    let main = writer.finish("main", Vec::new(), Terminator::Return(None));
    Program {
        procedures: vec![helper, main],
        variables,
        entry: MAIN,
        sources: SourceMap::default(),
        pointer_bytes: 8,
    }
}

fn new_variable(
    variables: &mut Vec<VariableInfo>,
    name: &str,
    ty: ScalarType,
    owner: Option<ProcedureId>,
) -> Variable {
    variables.push(VariableInfo {
        name: name.to_owned(),
        ty,
        owner,
        span: Span::NOWHERE,
    });
    Variable::at(variables.len() - 1)
}

/// Writes sentences down as blocks; the last block is still open.
struct Writer<'program> {
    variables: &'program mut Vec<VariableInfo>,
    procedure: ProcedureId,
    pointers: Vec<Variable>,
    ints: Vec<Variable>,
    scratch: [Variable; 2],
    coin: Variable,
    n_counters: usize,
    /// `None` where a terminator is still to be written.
    blocks: Vec<(Vec<Instruction>, Option<Terminator>)>,
    current: usize,
}

impl<'program> Writer<'program> {
    fn new(
        variables: &'program mut Vec<VariableInfo>,
        global: Variable,
        procedure: ProcedureId,
    ) -> Self {
        let mut new = |name: &str, ty| new_variable(variables, name, ty, Some(procedure));
        // A helper's parameters come first: p1 and i0.
        let first = new("p1", ScalarType::Pointer);
        let ints = (0..N_INTS)
            .map(|index| new(&format!("i{index}"), INT))
            .collect();
        let more = (2..N_POINTERS).map(|it| new(&format!("p{it}"), ScalarType::Pointer));
        let pointers = [global, first].into_iter().chain(more).collect();
        let scratch = ["t", "s"].map(|name| new(name, ScalarType::Pointer));
        let coin = new("coin", INT);
        let blocks = vec![(Vec::new(), None)];
        Self {
            variables,
            procedure,
            pointers,
            ints,
            scratch,
            coin,
            n_counters: 0,
            blocks,
            current: 0,
        }
    }

    fn finish(self, name: &str, parameters: Vec<Variable>, last: Terminator) -> Procedure {
        let block = |(commands, terminator): (Vec<Instruction>, Option<Terminator>)| Block {
            commands,
            terminator: terminator.unwrap_or_else(|| last.clone()),
            span: Span::NOWHERE,
        };
        Procedure {
            name: name.to_owned(),
            result: (!parameters.is_empty()).then_some(ScalarType::Pointer),
            parameters,
            blocks: self.blocks.into_iter().map(block).collect(),
            span: Span::NOWHERE,
        }
    }

    fn command(&mut self, command: Command) {
        self.blocks[self.current].0.push(Instruction {
            command,
            span: Span::NOWHERE,
        });
    }

    fn assign(&mut self, target: Variable, value: Expr) {
        self.command(Command::Assign { target, value });
    }

    /// Sets all local variables but some to null and zero.
    fn set_all(&mut self, but: &[Variable]) {
        let locals: Vec<Variable> = self.pointers[1..]
            .iter()
            .chain(&self.ints)
            .copied()
            .collect();
        for variable in locals {
            if !but.contains(&variable) {
                self.assign(variable, 0.into());
            }
        }
    }

    fn new_block(&mut self) -> usize {
        self.blocks.push((Vec::new(), None));
        self.blocks.len() - 1
    }

    fn end_with(&mut self, terminator: Terminator, next: usize) {
        self.blocks[self.current].1 = Some(terminator);
        self.current = next;
    }

    fn branch(&mut self, condition: Expr, then: usize, otherwise: usize, next: usize) {
        let (then, otherwise) = (BlockId::at(then), BlockId::at(otherwise));
        self.end_with(
            Terminator::Branch {
                condition,
                then,
                otherwise,
            },
            next,
        );
    }

    /// `if condition { then } else { otherwise }`
    fn if_else(
        &mut self,
        condition: Expr,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let (yes, no, after) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(condition, yes, no, yes);
        then(self);
        self.end_with(Terminator::Goto(BlockId::at(after)), no);
        otherwise(self);
        self.end_with(Terminator::Goto(BlockId::at(after)), after);
    }

    /// `while condition { body }`
    fn while_loop(&mut self, condition: Expr, body: impl FnOnce(&mut Self)) {
        let (head, inside, after) = (self.new_block(), self.new_block(), self.new_block());
        self.end_with(Terminator::Goto(BlockId::at(head)), head);
        self.branch(condition, inside, after, inside);
        body(self);
        self.end_with(Terminator::Goto(BlockId::at(head)), after);
    }

    /// `body`, so many times, counted down in a variable of its own.
    fn repeat(&mut self, rounds: i128, body: impl FnOnce(&mut Self)) {
        let name = format!("c{}", self.n_counters);
        self.n_counters += 1;
        let counter = new_variable(self.variables, &name, INT, Some(self.procedure));
        self.assign(counter, rounds.into());
        self.while_loop(greater(counter, 0.into()), |writer| {
            body(writer);
            writer.assign(
                counter,
                Expr::binary(BinaryOp::Subtract, counter.into(), 1.into()),
            );
        });
    }

    fn guarded(&mut self, guard: Guard, pointer: Variable, body: impl FnOnce(&mut Self)) {
        match guard {
            Guard::Tested => self.if_else(not_null(pointer), body, |_| {}),
            Guard::Bare => body(self),
        }
    }

    fn load_next(&mut self, target: Variable, cell: Variable) {
        let address = next_of(cell);
        self.command(Command::Load {
            target,
            address,
            ty: ScalarType::Pointer,
        });
    }

    fn store_next(&mut self, cell: Variable, value: Expr) {
        let address = next_of(cell);
        self.command(Command::Store {
            address,
            value,
            ty: ScalarType::Pointer,
        });
    }

    fn store_data(&mut self, cell: Variable, value: Expr) {
        self.command(Command::Store {
            address: cell.into(),
            value,
            ty: INT,
        });
    }

    fn allocate(&mut self, target: Variable, content: InitialContent) {
        let kind = MemoryKind::Heap;
        self.command(Command::Allocate {
            target,
            size: CELL.into(),
            kind,
            content,
        });
    }

    fn free(&mut self, pointer: Variable) {
        self.command(Command::Free {
            address: pointer.into(),
            kind: MemoryKind::Heap,
        });
    }

    /// A new cell, by way of a scratch variable as `next` may be the target.
    fn new_cell(&mut self, target: Variable, data: Expr, next: Variable) {
        let [scratch, _] = self.scratch;
        self.allocate(scratch, InitialContent::Arbitrary);
        self.store_data(scratch, data);
        self.store_next(scratch, next.into());
        self.assign(target, scratch.into());
    }

    fn pop(&mut self, list: Variable) {
        let [scratch, _] = self.scratch;
        self.assign(scratch, list.into());
        self.load_next(list, scratch);
        self.free(scratch);
    }

    fn reverse(&mut self, list: Variable) {
        let [scratch, done] = self.scratch;
        self.assign(done, 0.into());
        self.while_loop(not_null(list), |writer| {
            writer.load_next(scratch, list);
            writer.store_next(list, done.into());
            writer.assign(done, list.into());
            writer.assign(list, scratch.into());
        });
        self.assign(list, done.into());
    }

    fn condition(&mut self, condition: Condition) -> Expr {
        match condition {
            Condition::IsNull(it) => is_null(self.pointers[it]),
            Condition::AreEqual(left, right) => {
                let (left, right) = (self.pointers[left], self.pointers[right]);
                Expr::binary(BinaryOp::Equal, left.into(), right.into())
            }
            Condition::IsPositive(it) => greater(self.ints[it], 0.into()),
            Condition::IsLess(left, right) => greater(self.ints[right], self.ints[left].into()),
            Condition::Coin => {
                let source = HavocSource::Input("coin".to_owned());
                self.command(Command::Havoc {
                    target: self.coin,
                    source,
                });
                greater(self.coin, 0.into())
            }
        }
    }

    fn all(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|it| self.statement(it));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::SetInt(to, value) => self.assign(self.ints[*to], (*value).into()),
            Statement::AddInt(to, from, more) => {
                let sum = Expr::binary(BinaryOp::Add, self.ints[*from].into(), (*more).into());
                self.assign(self.ints[*to], sum);
            }
            Statement::Input(to) => {
                let source = HavocSource::Input("input".to_owned());
                self.command(Command::Havoc {
                    target: self.ints[*to],
                    source,
                });
            }
            Statement::SetNull(to) => self.assign(self.pointers[*to], 0.into()),
            Statement::CopyPointer(to, from) => {
                self.assign(self.pointers[*to], self.pointers[*from].into());
            }
            Statement::Call(to, from, int) => self.command(Command::Call {
                target: Some(self.pointers[*to]),
                callee: Callee::Direct(HELPER),
                arguments: vec![self.pointers[*from].into(), self.ints[*int].into()],
            }),
            Statement::If(condition, then, otherwise) => {
                let condition = self.condition(*condition);
                self.if_else(condition, |it| it.all(then), |it| it.all(otherwise));
            }
            Statement::Repeat(rounds, body) => self.repeat(*rounds, |it| it.all(body)),
            Statement::WhilePositive(int, body) => {
                let int = self.ints[*int];
                self.while_loop(greater(int, 0.into()), |writer| {
                    writer.all(body);
                    writer.assign(int, Expr::binary(BinaryOp::Subtract, int.into(), 1.into()));
                });
            }
            on_memory => self.on_memory(on_memory),
        }
    }

    fn on_memory(&mut self, statement: &Statement) {
        match statement {
            Statement::New(to, data, next) => {
                let (to, next) = (self.pointers[*to], self.pointers[*next]);
                self.new_cell(to, self.ints[*data].into(), next);
            }
            Statement::NewRaw(to) => self.allocate(self.pointers[*to], InitialContent::Arbitrary),
            Statement::NewZeroed(to) => self.allocate(self.pointers[*to], InitialContent::Zero),
            Statement::LoadNext(guard, to, from) => {
                let (to, from) = (self.pointers[*to], self.pointers[*from]);
                self.guarded(*guard, from, |it| it.load_next(to, from));
            }
            Statement::StoreNext(guard, to, from) => {
                let (to, from) = (self.pointers[*to], self.pointers[*from]);
                self.guarded(*guard, to, |it| it.store_next(to, from.into()));
            }
            Statement::LoadData(guard, to, from) => {
                let (target, from) = (self.ints[*to], self.pointers[*from]);
                let load = Command::Load {
                    target,
                    address: from.into(),
                    ty: INT,
                };
                self.guarded(*guard, from, |it| it.command(load));
            }
            Statement::StoreData(guard, to, from) => {
                let (to, from) = (self.pointers[*to], self.ints[*from]);
                self.guarded(*guard, to, |it| it.store_data(to, from.into()));
            }
            Statement::Free(guard, it) => {
                let pointer = self.pointers[*it];
                self.guarded(*guard, pointer, |it| it.free(pointer));
                self.assign(pointer, 0.into());
            }
            Statement::Build(list, count) => {
                let list = self.pointers[*list];
                self.repeat(*count, |it| it.new_cell(list, 7.into(), list));
            }
            Statement::Pop(list) => {
                let list = self.pointers[*list];
                self.if_else(not_null(list), |it| it.pop(list), |_| {});
            }
            Statement::Drop(list) => {
                let list = self.pointers[*list];
                self.while_loop(not_null(list), |it| it.pop(list));
            }
            Statement::Reverse(list) => self.reverse(self.pointers[*list]),
            Statement::Traverse(cursor, list, body) => {
                let (cursor, list) = (self.pointers[*cursor], self.pointers[*list]);
                self.assign(cursor, list.into());
                self.while_loop(not_null(cursor), |writer| {
                    writer.all(body);
                    writer.guarded(Guard::Tested, cursor, |it| it.load_next(cursor, cursor));
                });
            }
            other => self.statement(other),
        }
    }
}

fn next_of(cell: Variable) -> Expr {
    Expr::binary(BinaryOp::Add, cell.into(), NEXT.into())
}

fn not_null(pointer: Variable) -> Expr {
    Expr::binary(BinaryOp::NotEqual, pointer.into(), 0.into())
}

fn is_null(pointer: Variable) -> Expr {
    Expr::binary(BinaryOp::Equal, pointer.into(), 0.into())
}

fn greater(left: Variable, right: Expr) -> Expr {
    Expr::binary(BinaryOp::Greater, left.into(), right)
}
