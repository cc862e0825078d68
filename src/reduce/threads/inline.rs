//! The code of a thread: its function, with the bodies of the functions that it calls in the
//! place of the calls, so that other threads can move in between.
//!
//! A function of the library that has nothing to do with threads is one step.

use super::{Special, replaced, special_procedure, successors, variables_of};
use crate::base::graph::strongly_connected_components;
use crate::base::source::Span;
use crate::ir::{
    Block, BlockId, Callee, Command, Expr, Instruction, ProcedureId, Program, ScalarType,
    Terminator, Variable, VariableInfo,
};
use std::collections::{BTreeMap, BTreeSet};

/// More blocks than this are not put together.
const MOST_BLOCKS: usize = 1_500;
/// Calls inside of each other.
const DEEPEST: usize = 24;

/// What library functions that are about threads begin with.
const THREAD_MODELS: [&str; 3] = ["pthread_", "sem_", KIND_CHECK];
/// What is called to see whether a lock is a plain one.
const KIND_CHECK: &str = "check_kind$";

/// A thread's commands. Where it returns, it ends.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) blocks: Vec<Block>,
    /// Its own variables.
    pub(super) locals: BTreeSet<Variable>,
    /// What it is given.
    pub(super) parameters: Vec<Variable>,
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
    let code = Code { blocks: Vec::new(), locals: BTreeSet::new(), parameters: Vec::new() };
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
    let last = inliner.push(Vec::new(), Terminator::Return(None), Span::NOWHERE);
    let first = inliner.body(start, names, None, last)?;
    let span = inliner.program.procedure(start).span;
    inliner.code.blocks[begin.index()] =
        Block { commands: Vec::new(), terminator: Terminator::Goto(first), span };
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
        self.add(name, ty, span)
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
        if self.active.contains(&id) || self.active.len() > DEEPEST {
            let name = self.program.procedure(id).shown_name();
            return Err(format!("the recursion of `{name}` in a thread"));
        }
        self.active.push(id);
        let procedure = self.program.procedure(id).clone();
        let own: Vec<Variable> = (0..self.program.variables.len())
            .map(Variable::at)
            .filter(|it| self.program.variable(*it).owner == Some(id))
            .collect();
        for variable in own {
            names.entry(variable).or_insert_with(|| self.fresh(variable).into());
        }
        let first = self.code.blocks.len();
        if first + procedure.blocks.len() > MOST_BLOCKS {
            return Err("so much code of threads".to_owned());
        }
        let at = |block: BlockId| BlockId::at(first + block.index());
        for block in &procedure.blocks {
            self.push(Vec::new(), Terminator::Halt, block.span);
        }
        for (number, block) in procedure.blocks.iter().enumerate() {
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
                Terminator::Branch { condition, then, otherwise } => Terminator::Branch {
                    condition: value(condition),
                    then: at(*then),
                    otherwise: at(*otherwise),
                },
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
                Callee::Indirect(_) => {
                    return Err("a call through a pointer in a thread".to_owned());
                }
            };
            if self.is_known_plain(called, arguments) {
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

    fn call(
        &mut self,
        here: usize,
        (called, arguments): (ProcedureId, Vec<Expr>),
        target: Option<Variable>,
        span: Span,
    ) -> Result<usize, String> {
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

    /// Whether this only asks whether a lock is a plain one that is known to be: a global object
    /// whose initializer writes nothing behind its first number. Others change that by ways that
    /// are not modelled.
    fn is_known_plain(&self, called: ProcedureId, arguments: &[Expr]) -> bool {
        let program = &self.program;
        let [Expr::Variable(lock)] = arguments else { return false };
        let mut before = program.procedure(program.entry).blocks.iter().flat_map(|it| &it.commands);
        program.procedure(called).name.starts_with(KIND_CHECK)
            && is_object(program, *lock)
            && !before.any(|it| match &it.command {
                Command::Store { address, .. } => {
                    *address != Expr::Variable(*lock) && variables_of(address).contains(lock)
                }
                _ => false,
            })
    }

    /// Whether the body of a procedure takes the place of its calls.
    fn is_followed(&self, called: ProcedureId) -> bool {
        let procedure = self.program.procedure(called);
        let is_librarys = procedure.name.contains('$');
        procedure.is_defined()
            && special_procedure(procedure).is_none()
            && (!is_librarys
                || THREAD_MODELS.iter().any(|prefix| procedure.name.starts_with(prefix))
                || self.has_sections(called, &mut BTreeSet::new()))
    }

    /// Whether a procedure, or one that it calls, is about threads.
    fn has_sections(&self, id: ProcedureId, seen: &mut BTreeSet<ProcedureId>) -> bool {
        if !seen.insert(id) {
            return false;
        }
        let procedure = self.program.procedure(id);
        if let Some(special) = special_procedure(procedure) {
            return special.begins() || special == Special::EndSection;
        }
        let commands = procedure.blocks.iter().flat_map(|block| &block.commands);
        let callees: Vec<ProcedureId> = commands
            .filter_map(|instruction| match &instruction.command {
                Command::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
                _ => None,
            })
            .collect();
        callees.into_iter().any(|callee| self.has_sections(callee, seen))
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
