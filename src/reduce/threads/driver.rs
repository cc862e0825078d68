//! A program that starts no threads itself, as a driver: others call its functions, and when they
//! do is their affair. So each of them may run beside the one that is asked about, any number of
//! them at once.
//!
//! ```text
//!   main     start f's thread; again and again: start one for each function
//!   thread   f (any numbers, null where a pointer is never looked at)
//!   others   as long as they like: g (any numbers, null where a pointer is never looked at)
//! ```

use super::special_procedure;
use crate::instrument::{add_local, add_procedure, procedure_named};
use crate::propositions::NUMBER;
use base::source::Span;
use ir::{
    Block, BlockId, Callee, Command, Expr, Gap, HavocSource, InitialContent, Instruction,
    MemoryKind, ProcedureId, Program, ScalarType, Terminator, Variable,
};
use std::collections::BTreeSet;

/// What the name of the thread's procedure ends with.
const THREAD: &str = "$beside";
/// What those of the others end with.
const OTHERS: &str = "$others";

/// How often a thread calls its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Calls {
    Once,
    Again,
}

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
    let start = |program: &mut Program, function: ProcedureId, calls: Calls| {
        let thread = Expr::Procedure(thread(program, function, calls));
        let arguments = vec![id.into(), Expr::Constant(0), thread, Expr::Constant(0)];
        let callee = Callee::Direct(create);
        let span = program.procedure(function).span;
        Instruction { command: Command::Call { target: None, callee, arguments }, span }
    };
    let mut first = vec![start(&mut program, wanted, Calls::Once)];
    let others: Vec<Instruction> =
        functions.into_iter().map(|it| start(&mut program, it, Calls::Again)).collect();
    let room = Command::Allocate {
        target: id,
        size: Expr::Constant(i128::from(program.pointer_bytes)),
        kind: MemoryKind::Stack,
        content: InitialContent::Arbitrary,
    };
    first.insert(0, nowhere(room));
    // Two of each at once, as runs need no more.
    first.extend(others.iter().chain(&others).cloned());
    let more = add_local(&mut program, main, "more", NUMBER);
    let source = HavocSource::Input("more threads".to_owned());
    let decide = nowhere(Command::Havoc { target: more, source });
    let exit = Callee::Direct(add_procedure(&mut program, "pthread_exit$beside"));
    let arguments = vec![Expr::Constant(0)];
    let end = nowhere(Command::Call { target: None, callee: exit, arguments });
    let (then, otherwise) = (BlockId(2), BlockId(3));
    let block = |commands, terminator| Block { commands, terminator, span: Span::NOWHERE };
    program.procedures[main.index()].blocks = vec![
        block(first, Terminator::Goto(BlockId(1))),
        block(vec![decide], Terminator::Branch { condition: more.into(), then, otherwise }),
        block(others, Terminator::Goto(BlockId(1))),
        block(vec![end], Terminator::Return(None)),
    ];
    Ok(program)
}

fn nowhere(command: Command) -> Instruction {
    Instruction { command, span: Span::NOWHERE }
}

/// The functions whose addresses the program names: others may call them by these.
fn given_away(program: &Program) -> BTreeSet<ProcedureId> {
    let own = program.procedures.iter().filter(|it| special_procedure(it).is_none());
    // What a function returns is given to its callers.
    let given = own.flat_map(|it| &it.blocks).flat_map(Block::expressions);
    let mut found: BTreeSet<ProcedureId> = given.flat_map(Expr::procedures).collect();
    let is_users = |it: &ProcedureId| {
        let procedure = program.procedure(*it);
        procedure.is_defined() && !procedure.name.contains('$')
    };
    found.retain(is_users);
    found
}

/// A procedure that calls a function with any arguments.
fn thread(program: &mut Program, function: ProcedureId, calls: Calls) -> ProcedureId {
    let called = program.procedure(function).clone();
    let end = match calls {
        Calls::Once => THREAD,
        Calls::Again => OTHERS,
    };
    let thread = add_procedure(program, &format!("{}{end}", called.name));
    let mut commands = Vec::new();
    let mut arguments = Vec::new();
    for parameter in &called.parameters {
        let info = program.variable(*parameter).clone();
        let own = add_local(program, thread, &info.name, info.ty);
        commands.extend(any_value(&called.name, &info.name, (own, info.ty)));
        if info.ty == ScalarType::Pointer && is_used(program, *parameter) {
            let (name, function) = (&info.name, called.shown_name());
            let what = format!("what `{name}` points at when others call `{function}`");
            commands.push(Command::Unsupported { what, gap: Gap::NotModelled });
        }
        arguments.push(own.into());
    }
    let target = called.result.map(|ty| add_local(program, thread, "result", ty));
    commands.push(Command::Call { target, callee: Callee::Direct(function), arguments });
    let span = called.span;
    let block = |commands: Vec<Command>, terminator| {
        let commands = commands.into_iter().map(|command| Instruction { command, span }).collect();
        Block { commands, terminator, span }
    };
    let blocks = match calls {
        Calls::Once => vec![block(commands, Terminator::Return(None))],
        Calls::Again => {
            let goes_on = add_local(program, thread, "goes_on", NUMBER);
            let source = HavocSource::Input("another call".to_owned());
            let decide = Command::Havoc { target: goes_on, source };
            let (then, otherwise) = (BlockId(1), BlockId(2));
            let condition = goes_on.into();
            vec![
                block(vec![decide], Terminator::Branch { condition, then, otherwise }),
                block(commands, Terminator::Goto(BlockId(0))),
                block(Vec::new(), Terminator::Return(None)),
            ]
        }
    };
    let own = &mut program.procedures[thread.index()];
    own.span = span;
    own.blocks = blocks;
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
    program.expressions().any(|it| it.mentions(variable))
}
