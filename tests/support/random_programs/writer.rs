//! Writes the sentences of random programs down as blocks.

use super::{Condition, Guard, N_INTS, N_POINTERS, Statement};
use wane::base::source::{SourceMap, Span};
use wane::ir::{
    BinaryOp, Block, BlockId, Callee, Command, Expr, HavocSource, InitialContent, Instruction,
    IntKind, MemoryKind, Procedure, ProcedureId, Program, ScalarType, Terminator, Variable,
    VariableInfo,
};

const INT: ScalarType = ScalarType::Int(IntKind { bits: 32, signed: true });
const NEXT: i128 = 8;
const CELL: i128 = 16;
const HELPER: ProcedureId = ProcedureId(0);
const MAIN: ProcedureId = ProcedureId(1);

/// The program that does what the sentences say.
pub(super) fn write_program(helper: &[Statement], main: &[Statement]) -> Program {
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
        open: None,
        forms: wane::ir::forms::Forms::default(),
    }
}

fn new_variable(
    variables: &mut Vec<VariableInfo>,
    name: &str,
    ty: ScalarType,
    owner: Option<ProcedureId>,
) -> Variable {
    variables.push(VariableInfo { name: name.to_owned(), ty, owner, span: Span::NOWHERE });
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
        let ints = (0..N_INTS).map(|index| new(&format!("i{index}"), INT)).collect();
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
        let own = |index: &usize| self.variables[*index].owner == Some(self.procedure);
        let own = (0..self.variables.len()).filter(own).map(Variable::at);
        Procedure {
            shortcut: None,
            name: name.to_owned(),
            lasting: own.filter(|variable| !parameters.contains(variable)).collect(),
            result: (!parameters.is_empty()).then_some(ScalarType::Pointer),
            parameters,
            blocks: self.blocks.into_iter().map(block).collect(),
            span: Span::NOWHERE,
        }
    }

    fn command(&mut self, command: Command) {
        self.blocks[self.current].0.push(Instruction { command, span: Span::NOWHERE });
    }

    fn assign(&mut self, target: Variable, value: Expr) {
        self.command(Command::Assign { target, value });
    }

    /// Sets all local variables but some to null and zero.
    fn set_all(&mut self, but: &[Variable]) {
        let locals: Vec<Variable> = self.pointers[1..].iter().chain(&self.ints).copied().collect();
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
        self.end_with(Terminator::Branch { condition, then, otherwise }, next);
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
            writer.assign(counter, Expr::binary(BinaryOp::Subtract, counter.into(), 1.into()));
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
        self.command(Command::Load { target, address, ty: ScalarType::Pointer });
    }

    fn store_next(&mut self, cell: Variable, value: Expr) {
        let address = next_of(cell);
        self.command(Command::Store { address, value, ty: ScalarType::Pointer });
    }

    fn store_data(&mut self, cell: Variable, value: Expr) {
        self.command(Command::Store { address: cell.into(), value, ty: INT });
    }

    fn allocate(&mut self, target: Variable, content: InitialContent) {
        let kind = MemoryKind::Heap;
        self.command(Command::Allocate { target, size: CELL.into(), kind, content });
    }

    fn free(&mut self, pointer: Variable) {
        self.command(Command::Free { address: pointer.into(), kind: MemoryKind::Heap });
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

    fn close(&mut self, list: Variable) {
        let [next, last] = self.scratch;
        self.assign(next, list.into());
        self.while_loop(not_null(next), |writer| {
            writer.assign(last, next.into());
            writer.load_next(next, last);
        });
        self.store_next(last, list.into());
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
                self.command(Command::Havoc { target: self.coin, source });
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
                self.command(Command::Havoc { target: self.ints[*to], source });
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
                let load = Command::Load { target, address: from.into(), ty: INT };
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
            Statement::Dangle(guard, it) => {
                let pointer = self.pointers[*it];
                self.guarded(*guard, pointer, |it| it.free(pointer));
            }
            Statement::Close(list) => {
                let list = self.pointers[*list];
                self.if_else(not_null(list), |it| it.close(list), |_| {});
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
