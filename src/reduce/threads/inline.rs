//! The code of a thread: its function, with the bodies of the functions that it calls in the
//! place of the calls, so that other threads can move in between.
//!
//! A function of the library that has nothing to do with threads is one step.

use super::locks::is_plain;
use super::whole::with_callees;
use super::{replaced, special_procedure, successors};
use base::graph::{reachable, strongly_connected_components};
use base::source::Span;
use ir::{
    BinaryOp, Block, BlockId, Callee, Command, Expr, Gap, Instruction, ProcedureId, Program,
    ScalarType, Terminator, UnaryOp, Variable, VariableInfo,
};
use std::collections::{BTreeMap, BTreeSet};

/// More blocks than this are not put together.
const MOST_BLOCKS: usize = 1_500;
/// Calls inside of each other.
const DEEPEST: usize = 24;

/// So many functions may be meant by a call through a pointer.
const MOST_TARGETS: usize = 8;

/// What library functions that are about threads begin with.
const THREAD_MODELS: [&str; 6] = ["pthread_", "sem_", "mtx_", "cnd_", "thrd_", "lock_"];
/// What is called to see whether a lock is a plain one.
const PLAIN_CHECK: &str = "is_plain$";

/// A thread's commands. Where it returns, it ends.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) blocks: Vec<Block>,
    /// Its own variables.
    pub(super) locals: BTreeSet<Variable>,
    /// What it is given.
    pub(super) parameters: Vec<Variable>,
    /// What it returns.
    pub(super) result: Option<Variable>,
}

impl Code {
    /// For each block, whether it may come again.
    pub(super) fn cyclic(&self) -> Vec<bool> {
        let components = strongly_connected_components(&successors(&self.blocks));
        (0..self.blocks.len()).map(|block| components.is_on_cycle(block)).collect()
    }
}

/// The code of a thread that runs a function, as a part of the procedure `owner`.
///
/// # Errors
/// Why there is none.
pub(super) fn inlined(
    program: &mut Program,
    owner: ProcedureId,
    start: ProcedureId,
) -> Result<Code, String> {
    let (blocks, locals) = (Vec::new(), BTreeSet::new());
    let code = Code { blocks, locals, parameters: Vec::new(), result: None };
    let mut inliner = Inliner { program, owner, code, active: Vec::new() };
    let parameters = inliner.program.procedure(start).parameters.clone();
    let mut names = BTreeMap::new();
    for parameter in parameters {
        // Those of the owner are there already.
        let own = if start == owner { parameter } else { inliner.fresh(parameter) };
        names.insert(parameter, Expr::from(own));
        inliner.code.parameters.push(own);
    }
    // Execution starts at block 0.
    let begin = inliner.push(Vec::new(), Terminator::Halt, Span::NOWHERE);
    if let Some(ty) = inliner.program.procedure(start).result.filter(|_| start != owner) {
        inliner.code.result = Some(inliner.add("result".to_owned(), ty, Span::NOWHERE));
    }
    let result = inliner.code.result;
    let end = Terminator::Return(result.map(Expr::from));
    let last = inliner.push(Vec::new(), end, Span::NOWHERE);
    let first = inliner.body(start, names, result, last)?;
    let span = inliner.program.procedure(start).span;
    inliner.code.blocks[begin.index()] =
        Block { commands: Vec::new(), terminator: Terminator::Goto(first), span };
    join_blocks(&mut inliner.code.blocks);
    Ok(inliner.code)
}

struct Inliner<'a> {
    program: &'a mut Program,
    owner: ProcedureId,
    code: Code,
    active: Vec<ProcedureId>,
}

/// What variables of a procedure are called in the thread's code.
type Names = BTreeMap<Variable, Expr>;

impl Inliner<'_> {
    fn fresh(&mut self, like: Variable) -> Variable {
        let VariableInfo { name, ty, span, .. } = self.program.variable(like).clone();
        let copy = self.add(name, ty, span);
        self.program.forms.note_copy(copy, like);
        copy
    }

    fn add(&mut self, name: String, ty: ScalarType, span: Span) -> Variable {
        let owner = Some(self.owner);
        self.program.variables.push(VariableInfo { name, ty, owner, span });
        let variable = Variable::at(self.program.variables.len() - 1);
        self.code.locals.insert(variable);
        variable
    }

    fn push(&mut self, commands: Vec<Instruction>, terminator: Terminator, span: Span) -> BlockId {
        self.code.blocks.push(Block { commands, terminator, span });
        BlockId::at(self.code.blocks.len() - 1)
    }

    /// The body of a procedure: its result goes to `target`, and execution to `next`. Gives
    /// where it begins.
    fn body(
        &mut self,
        id: ProcedureId,
        mut names: Names,
        target: Option<Variable>,
        next: BlockId,
    ) -> Result<BlockId, String> {
        self.active.push(id);
        let procedure = self.program.procedure(id).clone();
        let own: Vec<Variable> = (0..self.program.variables.len())
            .map(Variable::at)
            .filter(|it| self.program.variable(*it).owner == Some(id))
            .collect();
        for variable in own {
            names.entry(variable).or_insert_with(|| self.fresh(variable).into());
        }
        self.answer_checks(&procedure.blocks, &mut names);
        let first = self.code.blocks.len();
        if first + procedure.blocks.len() > MOST_BLOCKS {
            return Err("so much code of threads".to_owned());
        }
        let at = |block: BlockId| BlockId::at(first + block.index());
        for block in &procedure.blocks {
            self.push(Vec::new(), Terminator::Halt, block.span);
        }
        let reached = reached(&procedure.blocks, &names);
        for (number, block) in procedure.blocks.iter().enumerate() {
            if !reached.contains(&number) {
                continue;
            }
            let mut here = first + number;
            for instruction in &block.commands {
                here = self.instruction(here, instruction, &names)?;
            }
            let value = |expr: &Expr| renamed(expr, &names);
            let terminator = match &block.terminator {
                Terminator::Return(result) => {
                    if let (Some(target), Some(result)) = (target, result) {
                        let command = Command::Assign { target, value: value(result) };
                        let instruction = Instruction { command, span: block.span };
                        self.code.blocks[here].commands.push(instruction);
                    }
                    Terminator::Goto(next)
                }
                Terminator::Goto(to) => Terminator::Goto(at(*to)),
                Terminator::Halt => Terminator::Halt,
                Terminator::Branch { condition, then, otherwise } => {
                    let (then, otherwise) = (at(*then), at(*otherwise));
                    match value(condition) {
                        condition if truth(&condition) == Some(true) => Terminator::Goto(then),
                        condition if truth(&condition) == Some(false) => {
                            Terminator::Goto(otherwise)
                        }
                        condition => Terminator::Branch { condition, then, otherwise },
                    }
                }
                Terminator::Switch { value: by, cases, default } => Terminator::Switch {
                    value: value(by),
                    cases: cases.iter().map(|(low, high, to)| (*low, *high, at(*to))).collect(),
                    default: at(*default),
                },
            };
            self.code.blocks[here].terminator = terminator;
        }
        self.active.pop();
        Ok(BlockId::at(first))
    }

    /// Adds an instruction to a block. Gives the block that goes on behind it.
    fn instruction(
        &mut self,
        here: usize,
        instruction: &Instruction,
        names: &Names,
    ) -> Result<usize, String> {
        let mut command = instruction.command.clone();
        command.for_each_expression_mut(&mut |expr| *expr = renamed(expr, names));
        let target = target_mut(&mut command).map(|target| {
            if let Some(Expr::Variable(other)) = names.get(target) {
                *target = *other;
            }
            *target
        });
        let span = instruction.span;
        if let Command::Call { callee, arguments, .. } = &command {
            let called = match callee {
                Callee::Direct(called) | Callee::Indirect(Expr::Procedure(called)) => *called,
                Callee::Indirect(pointer) => {
                    let call = (pointer.clone(), arguments.clone());
                    return self.call_through(here, call, target, span);
                }
            };
            if self.program.procedure(called).name.starts_with(PLAIN_CHECK) {
                return Ok(here);
            }
            if self.is_followed(called) {
                let arguments = arguments.clone();
                return self.call(here, (called, arguments), target, span);
            }
        }
        self.code.blocks[here].commands.push(Instruction { command, span });
        Ok(here)
    }

    /// Writes the answers into the place of the questions whether a lock is a plain one.
    fn answer_checks(&self, blocks: &[Block], names: &mut Names) {
        for instruction in blocks.iter().flat_map(|block| &block.commands) {
            let Command::Call { target: Some(target), callee: Callee::Direct(called), arguments } =
                &instruction.command
            else {
                continue;
            };
            if self.program.procedure(*called).name.starts_with(PLAIN_CHECK) {
                let lock = arguments.first().map(|lock| renamed(lock, names));
                let is_plain = lock.is_some_and(|lock| is_plain(self.program, &lock));
                names.insert(*target, Expr::Constant(i128::from(is_plain)));
            }
        }
    }

    /// What is not modelled, at its place.
    fn unsupported(&mut self, here: usize, what: String, span: Span) {
        let command = Command::Unsupported { what, gap: Gap::NotModelled };
        self.code.blocks[here].commands.push(Instruction { command, span });
    }

    /// A call through a pointer: of each function that it may be, whose address is taken
    /// somewhere and whose type is the call's.
    fn call_through(
        &mut self,
        here: usize,
        (pointer, arguments): (Expr, Vec<Expr>),
        target: Option<Variable>,
        span: Span,
    ) -> Result<usize, String> {
        let what = "a call through a pointer in a thread".to_owned();
        let targets = self.targets(arguments.len());
        if targets.len() > MOST_TARGETS {
            self.unsupported(here, what, span);
            return Ok(here);
        }
        let next = self.push(Vec::new(), Terminator::Halt, span);
        let mut here = here;
        for called in targets {
            let then = self.push(Vec::new(), Terminator::Halt, span);
            let otherwise = self.push(Vec::new(), Terminator::Halt, span);
            let condition = Expr::binary(BinaryOp::Equal, pointer.clone(), Expr::Procedure(called));
            self.code.blocks[here].terminator = Terminator::Branch { condition, then, otherwise };
            let end = self.call(then.index(), (called, arguments.clone()), target, span)?;
            self.code.blocks[end].terminator = Terminator::Goto(next);
            here = otherwise.index();
        }
        self.unsupported(here, what, span);
        Ok(next.index())
    }

    /// The functions of so many parameters whose address is taken somewhere.
    fn targets(&self, n_arguments: usize) -> Vec<ProcedureId> {
        let found: BTreeSet<ProcedureId> =
            self.program.expressions().flat_map(Expr::procedures).collect();
        let fits = |it: &ProcedureId| {
            let procedure = self.program.procedure(*it);
            procedure.is_defined() && procedure.parameters.len() == n_arguments
        };
        found.into_iter().filter(fits).collect()
    }

    fn call(
        &mut self,
        here: usize,
        (called, arguments): (ProcedureId, Vec<Expr>),
        target: Option<Variable>,
        span: Span,
    ) -> Result<usize, String> {
        if self.active.contains(&called) || self.active.len() > DEEPEST {
            let name = self.program.procedure(called).shown_name();
            self.unsupported(here, format!("the recursion of `{name}` in a thread"), span);
            return Ok(here);
        }
        let parameters = self.program.procedure(called).parameters.clone();
        let mut names = Names::new();
        for (parameter, argument) in parameters.iter().zip(arguments) {
            if self.is_fixed(&argument) && !assigns(self.program, called, *parameter) {
                names.insert(*parameter, argument);
                continue;
            }
            let target = self.fresh(*parameter);
            names.insert(*parameter, target.into());
            let command = Command::Assign { target, value: argument };
            self.code.blocks[here].commands.push(Instruction { command, span });
        }
        let next = self.push(Vec::new(), Terminator::Halt, span);
        let first = self.body(called, names, target, next)?;
        self.code.blocks[here].terminator = Terminator::Goto(first);
        Ok(next.index())
    }

    /// Whether an argument is the same whenever it is read: a constant, or the address of a
    /// global object.
    fn is_fixed(&self, argument: &Expr) -> bool {
        match argument {
            Expr::Constant(_) | Expr::Procedure(_) => true,
            Expr::Variable(variable) => is_object(self.program, *variable),
            Expr::Binary(_, left, right) => self.is_fixed(left) && self.is_fixed(right),
            _ => false,
        }
    }

    /// Whether the body of a procedure takes the place of its calls.
    fn is_followed(&self, called: ProcedureId) -> bool {
        let procedure = self.program.procedure(called);
        let is_librarys = procedure.name.contains('$');
        procedure.is_defined()
            && special_procedure(procedure).is_none()
            && (!is_librarys
                || THREAD_MODELS.iter().any(|prefix| procedure.name.starts_with(prefix))
                || self.is_several_steps(called))
    }

    /// Whether a function of the library, or one that it calls, is about threads, or calls what
    /// the program has given it.
    fn is_several_steps(&self, called: ProcedureId) -> bool {
        let is_more = |instruction: &Instruction| match &instruction.command {
            Command::Call { callee: Callee::Direct(callee), .. } => {
                let callee = self.program.procedure(*callee);
                special_procedure(callee).is_some() || !callee.is_of_library()
            }
            Command::Call { callee: Callee::Indirect(_), .. } => true,
            _ => false,
        };
        with_callees(self.program, called).into_iter().any(|id| {
            let blocks = &self.program.procedure(id).blocks;
            blocks.iter().flat_map(|block| &block.commands).any(is_more)
        })
    }
}

/// Whether a variable holds the address of a global object: it is written before `main` only.
pub(super) fn is_object(program: &Program, variable: Variable) -> bool {
    let info = program.variable(variable);
    info.owner.is_none()
        && info.ty == ScalarType::Pointer
        && program.procedures.iter().enumerate().all(|(id, procedure)| {
            ProcedureId::at(id) == program.entry
                || procedure
                    .blocks
                    .iter()
                    .flat_map(|block| &block.commands)
                    .all(|instruction| instruction.command.target() != Some(variable))
        })
        && program
            .procedure(program.entry)
            .blocks
            .iter()
            .flat_map(|it| &it.commands)
            .any(|it| matches!(it.command, Command::Allocate { target, .. } if target == variable))
}

fn assigns(program: &Program, procedure: ProcedureId, variable: Variable) -> bool {
    let blocks = &program.procedure(procedure).blocks;
    let mut commands = blocks.iter().flat_map(|block| &block.commands);
    commands.any(|instruction| instruction.command.target() == Some(variable))
}

/// Puts blocks together that follow each other in one way only. What is left over is empty.
pub(super) fn join_blocks(blocks: &mut [Block]) {
    let mut n_before = vec![0_usize; blocks.len()];
    n_before[0] = 1;
    for next in blocks.iter().flat_map(|block| block.terminator.successors()) {
        n_before[next.index()] += 1;
    }
    for index in 0..blocks.len() {
        while let Terminator::Goto(next) = blocks[index].terminator
            && next.index() != index
            && n_before[next.index()] == 1
            && next.index() != 0
        {
            let next = &mut blocks[next.index()];
            let commands = std::mem::take(&mut next.commands);
            let terminator = std::mem::replace(&mut next.terminator, Terminator::Halt);
            let span = next.span;
            let block = &mut blocks[index];
            block.commands.extend(commands);
            block.terminator = terminator;
            block.span = span;
        }
    }
}

/// The blocks that execution may come to, where variables are these.
fn reached(blocks: &[Block], names: &Names) -> BTreeSet<usize> {
    let nexts = |number: usize| {
        let nexts = match &blocks[number].terminator {
            Terminator::Branch { condition, then, otherwise } => {
                match truth(&renamed(condition, names)) {
                    Some(true) => vec![*then],
                    Some(false) => vec![*otherwise],
                    None => vec![*then, *otherwise],
                }
            }
            other => other.successors(),
        };
        nexts.into_iter().map(BlockId::index)
    };
    if blocks.is_empty() { BTreeSet::new() } else { reachable([0], nexts) }
}

/// What a condition is that is a constant, or asks whether one is zero.
fn truth(condition: &Expr) -> Option<bool> {
    match condition {
        Expr::Constant(number) => Some(*number != 0),
        Expr::Unary(UnaryOp::Not, operand) => truth(operand).map(|it| !it),
        Expr::Binary(BinaryOp::Equal, left, right) => Some(constant(left)? == constant(right)?),
        Expr::Binary(BinaryOp::NotEqual, left, right) => Some(constant(left)? != constant(right)?),
        _ => None,
    }
}

fn constant(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Constant(number) => Some(*number),
        _ => truth(expr).map(i128::from),
    }
}

fn renamed(expr: &Expr, names: &Names) -> Expr {
    replaced(expr, &|variable| names.get(&variable).cloned().unwrap_or(variable.into()))
}

/// The variable that a command assigns.
pub(super) fn target_mut(command: &mut Command) -> Option<&mut Variable> {
    match command {
        Command::Assign { target, .. }
        | Command::Havoc { target, .. }
        | Command::Load { target, .. }
        | Command::Measure { target, .. }
        | Command::Allocate { target, .. } => Some(target),
        Command::Call { target, .. } => target.as_mut(),
        _ => None,
    }
}
