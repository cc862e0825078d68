//! Programs in which each procedure is looked at by itself, whoever calls it.
//!
//! ```text
//!   f is long, or leads round a loop    f and g do not call each other in turn
//!   w₁ … wₙ: the globals that f, and what it calls, may give values
//!   ────────────────────────────────────────────────────────────────────────── PARTS
//!   x := f(A) in g  ⟶  x := *, w₁ := *, …, wₙ := *     assume 0, if f never comes back
//!   start e         ⟶  start e, or start f with any arguments and globals
//! ```
//!
//! A run that never ends has a chain of calls that never come back, each in the one before it. From
//! some call on all are of procedures that call each other in turn, or it is the last one. The
//! last call up to there that is not followed begins a run of the result that never ends either:
//! all other calls that are not followed there come back, and leave values behind that the result
//! allows.
//!
//! The rule is for programs in which nothing is said of memory. Procedures, variables and blocks
//! stay what they were.

use super::any;
use crate::cutpoint::{CallGraph, CutSet};
use crate::{
    Block, BlockId, Callee, Command, Expr, Instruction, IntKind, Procedure, ProcedureId, Program,
    ScalarType, Terminator, Variable, VariableInfo,
};
use base::source::Span;
use std::collections::BTreeSet;

/// So many blocks and commands are looked at again for each call.
const SHORT: usize = 24;

/// How calls are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// All are followed.
    Followed,
    /// Long procedures and those with loops are looked at by themselves.
    Apart,
}

/// The program with long procedures and those with loops looked at by themselves; `None` if there
/// are none but the entry.
#[must_use]
pub fn apart(program: &Program) -> Option<Program> {
    let calls = CallGraph::of_program(program);
    let effects = Effects::of(program, &calls);
    let reached = calls.reachable([program.entry]);
    let is_apart = |it: &ProcedureId| *it != program.entry && effects.is_long[it.index()];
    let mut parts: Vec<ProcedureId> = reached.into_iter().filter(is_apart).collect();
    if parts.is_empty() {
        return None;
    }
    let mut result = program.clone();
    for (index, procedure) in result.procedures.iter_mut().enumerate() {
        let caller = ProcedureId::at(index);
        let is_followed = |callee: ProcedureId| {
            !effects.is_long[callee.index()] || calls.are_mutually_recursive(caller, callee)
        };
        for block in &mut procedure.blocks {
            let commands = std::mem::take(&mut block.commands);
            let commands = commands.into_iter().flat_map(|it| match &it.command {
                Command::Call { target, callee: Callee::Direct(callee), .. }
                    if !is_followed(*callee) =>
                {
                    effects.of_call(*target, *callee, it.span)
                }
                _ => vec![it],
            });
            block.commands = commands.collect();
        }
    }
    parts.push(program.entry);
    start_anywhere(&mut result, &parts);
    Some(result)
}

/// What calls of procedures do, by procedure.
struct Effects {
    /// Whether there is a loop, or much, in what a call leads to.
    is_long: Vec<bool>,
    /// Whether it may come back.
    returns: Vec<bool>,
    /// The globals that it may give a value.
    written: Vec<BTreeSet<Variable>>,
}

impl Effects {
    fn of(program: &Program, calls: &CallGraph) -> Self {
        let n = program.procedures.len();
        let mut sizes = vec![0_usize; n];
        let mut written = vec![BTreeSet::new(); n];
        for component in calls.bottom_up() {
            let mut own = BTreeSet::new();
            let mut size = 0_usize;
            for id in &component {
                let procedure = program.procedure(*id);
                let has_loop = calls.may_recurse(*id)
                    || CutSet::of_procedure(procedure).iter().next().is_some();
                size = size.saturating_add(if has_loop { SHORT + 1 } else { size_of(procedure) });
                own.extend(globals_given(program, procedure));
                for callee in calls.callees(*id).filter(|it| !component.contains(it)) {
                    size = size.saturating_add(sizes[callee.index()]);
                    own.extend(&written[callee.index()]);
                }
            }
            for id in &component {
                sizes[id.index()] = size;
                written[id.index()].clone_from(&own);
            }
        }
        let is_long = sizes.into_iter().map(|size| size > SHORT).collect();
        let returns = program.procedures.iter().map(may_return).collect();
        Self { is_long, returns, written }
    }

    /// What stands for a call.
    fn of_call(
        &self,
        target: Option<Variable>,
        callee: ProcedureId,
        span: Span,
    ) -> Vec<Instruction> {
        let instruction = |command| Instruction { command, span };
        if !self.returns[callee.index()] {
            return vec![instruction(Command::Assume { condition: Expr::Constant(0) })];
        }
        let globals = self.written[callee.index()].iter().copied();
        let given: BTreeSet<Variable> = globals.chain(target).collect();
        given.into_iter().map(|it| instruction(any(it, "what a call leaves behind"))).collect()
    }
}

fn size_of(procedure: &Procedure) -> usize {
    procedure.blocks.iter().map(|block| 1 + block.commands.len()).sum()
}

/// Whether a procedure may come back to its caller. One without body may do so.
fn may_return(procedure: &Procedure) -> bool {
    let is_return = |it: &Block| matches!(it.terminator, Terminator::Return(_));
    procedure.blocks.is_empty() || procedure.blocks.iter().any(is_return)
}

/// The globals that a procedure itself gives values.
fn globals_given<'a>(
    program: &'a Program,
    procedure: &'a Procedure,
) -> impl Iterator<Item = Variable> + 'a {
    let commands = procedure.blocks.iter().flat_map(|block| &block.commands);
    let targets = commands.filter_map(|it| it.command.target());
    targets.filter(|it| program.variable(*it).owner.is_none())
}

/// Lets the program start with one of these procedures: the last one as before, others with any
/// arguments and globals.
fn start_anywhere(program: &mut Program, parts: &[ProcedureId]) {
    let entry = ProcedureId::at(program.procedures.len());
    let span = Span::NOWHERE;
    let globals: Vec<Variable> = (0..program.variables.len())
        .map(Variable::at)
        .filter(|it| program.variable(*it).owner.is_none())
        .collect();
    let types: Vec<ScalarType> = program.variables.iter().map(|it| it.ty).collect();
    let variables = &mut program.variables;
    let mut variable = |name: &str, ty| {
        let name = format!("{name}{}", variables.len());
        variables.push(VariableInfo { name, ty, owner: Some(entry), span });
        Variable::at(variables.len() - 1)
    };
    let choice = variable("$part", ScalarType::Int(IntKind { bits: 32, signed: false }));
    let block = |commands: Vec<Command>, terminator| {
        let commands = commands.into_iter().map(|command| Instruction { command, span });
        Block { commands: commands.collect(), terminator, span }
    };
    let numbered = (1..).zip(1..parts.len());
    let cases = numbered.map(|(number, part)| (number, number, BlockId::at(part))).collect();
    let default = BlockId::at(parts.len());
    let choose = any(choice, "the part that is looked at");
    let mut blocks =
        vec![block(vec![choose], Terminator::Switch { value: choice.into(), cases, default })];
    for part in parts {
        let parameters = &program.procedures[part.index()].parameters;
        let types = parameters.iter().map(|it| &types[it.index()]);
        let arguments: Vec<Variable> = types.map(|ty| variable("$argument", *ty)).collect();
        let given: &[Variable] = if *part == program.entry { &[] } else { &globals };
        let given = given.iter().chain(&arguments);
        let mut commands: Vec<Command> =
            given.map(|it| any(*it, "what a part starts with")).collect();
        let arguments = arguments.into_iter().map(Expr::from).collect();
        let callee = Callee::Direct(*part);
        commands.push(Command::Call { target: None, callee, arguments });
        blocks.push(block(commands, Terminator::Halt));
    }
    program.procedures.push(Procedure {
        name: "$parts".to_owned(),
        parameters: Vec::new(),
        lasting: Vec::new(),
        result: None,
        blocks,
        span,
        shortcut: None,
    });
    program.entry = entry;
}
