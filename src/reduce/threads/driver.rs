//! A program that starts no threads itself, as a driver: others call its functions, and when they
//! do is their affair. So each of them may run beside the one that is asked about, any number of
//! them at once.
//!
//! ```text
//!   main     start f's thread; again and again: start one for each function
//!   thread   f (any numbers, null where a pointer is never looked at)
//! ```

use super::special_procedure;
use crate::base::source::Span;
use crate::ir::{
    Block, BlockId, Callee, Command, Expr, HavocSource, InitialContent, Instruction, MemoryKind,
    ProcedureId, Program, ScalarType, Terminator, Variable,
};
use crate::reduce::weave::{add_local, add_procedure, procedure_named};
use std::collections::BTreeSet;

/// What the name of a thread's procedure ends with.
const THREAD: &str = "$beside";

/// The name of the thread of a function.
#[must_use]
pub fn thread_of(function: &str) -> String {
    format!("{function}{THREAD}")
}

/// The program whose `main`, which is empty, starts a thread for the named function, and any
/// number of threads for each of the others.
///
/// # Errors
/// Why there is none.
pub fn beside_all(
    mut program: Program,
    named: &str,
    callable: &[String],
) -> Result<Program, String> {
    let missing = |name: &str| format!("the thread `{name}`: the program has no such function");
    let wanted = procedure_named(&program, named).ok_or_else(|| missing(named))?;
    let main = procedure_named(&program, "main").ok_or_else(|| missing("main"))?;
    let found = callable.iter().filter_map(|name| procedure_named(&program, name));
    let mut functions: BTreeSet<ProcedureId> = found.collect();
    functions.insert(wanted);
    functions.extend(given_away(&program));
    let create = add_procedure(&mut program, "pthread_create$beside");
    let id = add_local(&mut program, main, "thread", ScalarType::Pointer);
    let mut starts = Vec::new();
    let mut first = Vec::new();
    for function in functions {
        let thread = thread(&mut program, function);
        let arguments =
            vec![id.into(), Expr::Constant(0), Expr::Procedure(thread), Expr::Constant(0)];
        let callee = Callee::Direct(create);
        let span = program.procedure(function).span;
        let command = Command::Call { target: None, callee, arguments };
        let start = Instruction { command, span };
        if function == wanted {
            first.push(start.clone());
        }
        starts.push(start);
    }
    let room = Command::Allocate {
        target: id,
        size: Expr::Constant(i128::from(program.pointer_bytes)),
        kind: MemoryKind::Stack,
        content: InitialContent::Arbitrary,
    };
    first.insert(0, Instruction { command: room, span: Span::NOWHERE });
    let again = Terminator::Goto(BlockId(1));
    let block = |commands| Block { commands, terminator: again.clone(), span: Span::NOWHERE };
    program.procedures[main.index()].blocks = vec![block(first), block(starts)];
    Ok(program)
}

/// The functions whose addresses the program names: others may call them by these.
fn given_away(program: &Program) -> BTreeSet<ProcedureId> {
    let mut found = BTreeSet::new();
    for procedure in program.procedures.iter().filter(|it| special_procedure(it).is_none()) {
        for instruction in procedure.blocks.iter().flat_map(|block| &block.commands) {
            instruction.command.for_each_expression(&mut |it| super::procedures_of(it, &mut found));
        }
    }
    let is_users = |it: &ProcedureId| {
        let procedure = program.procedure(*it);
        procedure.is_defined() && !procedure.name.contains('$')
    };
    found.retain(is_users);
    found
}

/// A procedure that calls a function with any arguments.
fn thread(program: &mut Program, function: ProcedureId) -> ProcedureId {
    let called = program.procedure(function).clone();
    let thread = add_procedure(program, &thread_of(&called.name));
    let mut commands = Vec::new();
    let mut arguments = Vec::new();
    for parameter in &called.parameters {
        let info = program.variable(*parameter).clone();
        let own = add_local(program, thread, &info.name, info.ty);
        commands.extend(any_value(&called.name, &info.name, (own, info.ty)));
        if info.ty == ScalarType::Pointer && is_used(program, *parameter) {
            let what = format!(
                "what `{}` points at when others call `{}`",
                info.name,
                called.shown_name()
            );
            commands.push(Command::Unsupported { what });
        }
        arguments.push(own.into());
    }
    let target = called.result.map(|ty| add_local(program, thread, "result", ty));
    commands.push(Command::Call { target, callee: Callee::Direct(function), arguments });
    let span = called.span;
    let commands = commands.into_iter().map(|command| Instruction { command, span }).collect();
    let body = Block { commands, terminator: Terminator::Return(None), span };
    let own = &mut program.procedures[thread.index()];
    own.span = span;
    own.blocks = vec![body];
    thread
}

/// Gives a variable any number, or null.
fn any_value(function: &str, name: &str, (target, ty): (Variable, ScalarType)) -> Option<Command> {
    match ty {
        ScalarType::Pointer => Some(Command::Assign { target, value: Expr::Constant(0) }),
        ScalarType::Int(_) => {
            let source = HavocSource::Input(format!("`{name}` of `{function}`"));
            Some(Command::Havoc { target, source })
        }
        ScalarType::Float(_) => {
            let source = HavocSource::Approximation(format!("`{name}` of `{function}`"));
            Some(Command::Havoc { target, source })
        }
    }
}

/// Whether a command reads a variable.
fn is_used(program: &Program, variable: Variable) -> bool {
    let mut is_used = false;
    let mut look = |expr: &Expr| expr.for_each_variable(&mut |it| is_used |= it == variable);
    for block in program.procedures.iter().flat_map(|procedure| &procedure.blocks) {
        block.commands.iter().for_each(|it| it.command.for_each_expression(&mut look));
        block.terminator.expression().into_iter().for_each(&mut look);
    }
    is_used
}
