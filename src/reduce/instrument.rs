//! More code for a program: variables, procedures, and calls of them.

use base::source::Span;
use ir::cutpoint::{CallGraph, CutSet};
use ir::{
    Block, BlockId, Callee, Command, Expr, Instruction, Procedure, ProcedureId, Program,
    ScalarType, Terminator, Variable, VariableInfo,
};
use obligation::Fairness;
use std::collections::BTreeSet;

/// A program with more code, and the runs of it that count.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The program.
    pub program: Program,
    /// Which of its runs count.
    pub fairness: Fairness,
}

/// A call of a procedure without parameters, for no result.
pub(super) fn call(procedure: ProcedureId, span: Span) -> Instruction {
    let callee = Callee::Direct(procedure);
    Instruction { command: Command::Call { target: None, callee, arguments: Vec::new() }, span }
}

/// The procedure with this name.
pub(super) fn procedure_named(program: &Program, name: &str) -> Option<ProcedureId> {
    program.procedures.iter().position(|it| it.name == name).map(ProcedureId::at)
}

/// Whether a procedure is called by its name anywhere.
pub(super) fn is_called(program: &Program, procedure: ProcedureId) -> bool {
    let blocks = program.blocks();
    blocks.flat_map(|block| &block.commands).any(|instruction| {
        matches!(instruction.command,
            Command::Call { callee: Callee::Direct(callee), .. } if callee == procedure)
    })
}

/// A new global variable.
pub(super) fn add_global(program: &mut Program, name: &str, ty: ScalarType) -> Variable {
    let name = name.to_owned();
    program.variables.push(VariableInfo { name, ty, owner: None, span: Span::NOWHERE });
    Variable::at(program.variables.len() - 1)
}

/// A new local variable of a procedure.
pub(super) fn add_local(
    program: &mut Program,
    owner: ProcedureId,
    name: &str,
    ty: ScalarType,
) -> Variable {
    let (name, owner) = (name.to_owned(), Some(owner));
    program.variables.push(VariableInfo { name, ty, owner, span: Span::NOWHERE });
    Variable::at(program.variables.len() - 1)
}

/// A new procedure that does nothing.
pub(super) fn add_procedure(program: &mut Program, name: &str) -> ProcedureId {
    program.procedures.push(Procedure {
        name: name.to_owned(),
        parameters: Vec::new(),
        lasting: Vec::new(),
        result: None,
        blocks: vec![block(Vec::new(), Terminator::Return(None))],
        span: Span::NOWHERE,
        shortcut: None,
    });
    ProcedureId::at(program.procedures.len() - 1)
}

/// A block of commands that stand nowhere.
pub(super) fn block(commands: Vec<Command>, terminator: Terminator) -> Block {
    let instruction = |command| Instruction { command, span: Span::NOWHERE };
    let commands = commands.into_iter().map(instruction).collect();
    Block { commands, terminator, span: Span::NOWHERE }
}

/// A block in which no run goes on.
pub(super) fn dead_end() -> Block {
    block(vec![Command::Assume { condition: Expr::Constant(0) }], Terminator::Return(None))
}

/// Whether the program ends in a block. Where it fails there, it ends instead.
pub(super) fn ends_here(block: &mut Block) -> bool {
    let mut commands = block.commands.iter();
    if let Some(error) = commands.position(|it| matches!(it.command, Command::Error { .. })) {
        block.span = block.commands[error].span;
        block.commands.truncate(error);
        block.terminator = Terminator::Halt;
    }
    block.terminator == Terminator::Halt
}

/// Calls a procedure at the head of each loop of another one, and where that begins, if it may
/// call itself: what goes on for ever comes there again and again.
pub(super) fn call_at_heads(
    program: &mut Program,
    calls: &CallGraph,
    within: ProcedureId,
    called: ProcedureId,
) {
    let body = &mut program.procedures[within.index()];
    if !body.is_defined() {
        return;
    }
    let mut heads: BTreeSet<BlockId> = CutSet::of_procedure(body).iter().collect();
    if calls.may_recurse(within) {
        heads.insert(BlockId(0));
    }
    for head in heads {
        let block = &mut body.blocks[head.index()];
        let span = block.commands.first().map_or(block.span, |first| first.span);
        block.commands.insert(0, call(called, span));
    }
}

/// Lets runs that end in a procedure, or fail there, go on for ever in `last`, a block behind
/// all others.
pub(super) fn go_on_for_ever(procedure: &mut Procedure, last: Vec<Command>) {
    let end = BlockId::at(procedure.blocks.len());
    let mut has_end = false;
    for block in &mut procedure.blocks {
        if ends_here(block) {
            block.terminator = Terminator::Goto(end);
            has_end = true;
        }
    }
    if has_end {
        procedure.blocks.push(block(last, Terminator::Goto(end)));
    }
}

/// Puts commands where a procedure begins, outside of loops that begin there.
pub(super) fn at_start(body: &mut Procedure, commands: Vec<Instruction>) {
    if commands.is_empty() {
        return;
    }
    let moved = BlockId::at(body.blocks.len());
    let is_head = CutSet::of_procedure(body).contains(BlockId(0));
    if !is_head {
        body.blocks[0].commands.splice(0..0, commands);
        return;
    }
    let span = body.span;
    let first = Block { commands, terminator: Terminator::Goto(moved), span };
    let old = std::mem::replace(&mut body.blocks[0], first);
    body.blocks.push(old);
    let n_blocks = body.blocks.len();
    for block in &mut body.blocks[1..n_blocks] {
        block.terminator.for_each_successor_mut(&mut |to| {
            if *to == BlockId(0) {
                *to = moved;
            }
        });
    }
}

/// C text with other words: `change` gets each name outside of quotes and comments, and what
/// follows it.
#[must_use]
pub fn with_words(text: &str, change: &dyn Fn(&str, &str) -> Option<String>) -> String {
    let is_start = |it: char| it.is_alphabetic() || it == '_' || it == '$';
    let is_part = |it: char| it.is_alphanumeric() || it == '_' || it == '$';
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at_line_start = written.is_empty() || written.ends_with('\n');
        let length = if is_start(first) {
            rest.find(|it| !is_part(it)).unwrap_or(rest.len())
        } else if first.is_ascii_digit() {
            rest.find(|it: char| !is_part(it) && it != '.').unwrap_or(rest.len())
        } else if rest.starts_with("//") || first == '#' && at_line_start {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' || first == '\'' {
            quoted_length(rest, first)
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        match change(word, after).filter(|_| is_start(first)) {
            Some(other) => written.push_str(&other),
            None => written.push_str(word),
        }
        rest = after;
    }
    written
}

/// How many bytes the quotation at the start of a text has.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    text.len()
}
