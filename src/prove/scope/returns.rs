//! Which returns of a function some run reaches that satisfies the precondition.
//!
//! An early return is taken by calls with which there is nothing to do. A precondition under which
//! all calls take one leaves out what the function is for.

use base::budget::Budget;
use base::graph::reachable;
use base::limits::RETURN_STEPS;
use base::source::Span;
use evidence::alarm::AlarmKind;
use evidence::certificate::Certificate;
use evidence::place::{NodeId, Place};
use heap::shape::ShapeLibrary;
use heap::state::State;
use ir::cutpoint::CallGraph;
use ir::incoming::allocated;
use ir::open::OpenEntry;
use ir::{
    BinaryOp, Block, BlockId, Callee, Command, Expr, Instruction, Procedure, ProcedureId, Program,
    ScalarType, Terminator, Variable,
};
use obligation::{Goal, Obligation};
use rules::explore::explore;
use sonar::Machine;
use sonar::covering::States;
use sonar::search_joins::SearchJoins;
use std::collections::BTreeSet;

/// The returns that should be reached, and are not: the last one that gives no error, and those
/// that give a computed value. None where that was not found out.
pub(super) fn unreached(
    program: &Program,
    open: &OpenEntry,
    certificate: &Certificate,
    (library, budget): (&ShapeLibrary, &Budget),
) -> Vec<Span> {
    let procedure = program.procedure(open.procedure);
    let wanted = wanted(procedure, &reached_if_memory_lasts(program, procedure));
    let recurses = CallGraph::of_program(program).may_recurse(open.procedure);
    let is_tabulated = certificate.nodes.iter().any(|node| node.place.entry.is_some());
    let never_returns = !returning(program).contains(&open.procedure);
    if never_returns || recurses || is_tabulated {
        return Vec::new();
    }
    let marked = marked(program, open);
    let obligation =
        Obligation::new(&marked, Goal::Ends).requiring(certificate.statement.requires.clone());
    let machine = Machine::new(&obligation, library);
    let mut budget = budget.of_part(RETURN_STEPS);
    let mut reached = BTreeSet::new();
    for node in certificate.nodes.iter().filter(|node| node.steps.is_some()) {
        let (place, state) = (&node.place, node.state.clone());
        let mut joins = SearchJoins::new(&machine, &NoStates);
        let Ok(found) = explore(&machine, &mut joins, place, state, &mut budget) else {
            return Vec::new();
        };
        reached.extend(found.alarms.into_iter().filter_map(|alarm| match alarm.kind {
            AlarmKind::ErrorReached(name) => Some(name),
            _ => None,
        }));
    }
    let missed = wanted.into_iter().filter(|block| !reached.contains(&mark(*block)));
    missed.map(|block| procedure.block(block).span).collect()
}

/// The procedures with a path to a return on which all calls by name come back.
fn returning(program: &Program) -> BTreeSet<ProcedureId> {
    let mut found = BTreeSet::new();
    loop {
        let n_before = found.len();
        for (index, procedure) in program.procedures.iter().enumerate() {
            if may_return(procedure, &found) {
                found.insert(ProcedureId::at(index));
            }
        }
        if found.len() == n_before {
            return found;
        }
    }
}

/// Whether a path leads to a return if just these procedures come back.
fn may_return(procedure: &Procedure, returning: &BTreeSet<ProcedureId>) -> bool {
    let comes_back = |command: &Command| match command {
        Command::Call { callee: Callee::Direct(callee), .. } => returning.contains(callee),
        _ => true,
    };
    let mut seen = BTreeSet::from([BlockId(0)]);
    let mut open = vec![BlockId(0)];
    while let Some(id) = open.pop() {
        let block = procedure.block(id);
        if !block.commands.iter().all(|it| comes_back(&it.command)) {
            continue;
        }
        if value_of(block).is_some() {
            return true;
        }
        let next = block.terminator.successors().into_iter();
        open.extend(next.filter(|it| seen.insert(*it)));
    }
    false
}

/// The blocks of a procedure that paths lead to on which no allocation fails: precondition or
/// not, no run comes to others where `malloc` does not fail.
fn reached_if_memory_lasts(program: &Program, procedure: &Procedure) -> BTreeSet<BlockId> {
    let allocated = allocated(program);
    reachable([BlockId(0)], |id| {
        let terminator = &procedure.block(id).terminator;
        let fails = match terminator {
            Terminator::Branch { condition, then, otherwise } => {
                is_null_test(condition, &allocated).map(|if_null| match if_null {
                    true => *then,
                    false => *otherwise,
                })
            }
            _ => None,
        };
        let successors = terminator.successors().into_iter();
        successors.filter(move |it| Some(*it) != fails).collect::<Vec<_>>()
    })
}

/// Whether a condition tests if one of the variables is null: what it is for null.
fn is_null_test(condition: &Expr, variables: &BTreeSet<Variable>) -> Option<bool> {
    let is_tested = |value: &Expr| matches!(value, Expr::Variable(it) if variables.contains(it));
    match condition {
        Expr::Binary(BinaryOp::Equal, value, null) if **null == Expr::Constant(0) => {
            is_tested(value).then_some(true)
        }
        Expr::Binary(BinaryOp::NotEqual, value, null) if **null == Expr::Constant(0) => {
            is_tested(value).then_some(false)
        }
        value => is_tested(value).then_some(false),
    }
}

/// The blocks with the returns that are what a function is for, of these.
fn wanted(procedure: &Procedure, reached: &BTreeSet<BlockId>) -> Vec<BlockId> {
    let blocks = procedure.blocks.iter().enumerate();
    let blocks = blocks.filter(|(index, _)| reached.contains(&BlockId::at(*index)));
    let returns = blocks.filter_map(|(index, block)| {
        let value = value_of(block)?;
        let is_error = value.is_some_and(|value| is_error(value, procedure));
        (!is_error).then_some((BlockId::at(index), value, block.span))
    });
    let returns: Vec<(BlockId, Option<&Expr>, Span)> = returns.collect();
    let last = returns.iter().max_by_key(|(_, _, span)| (span.file, span.line, span.column));
    let last = last.map(|(block, ..)| *block);
    let is_wanted = |block: BlockId, value: Option<&Expr>| {
        Some(block) == last || value.is_some_and(|value| !matches!(value, Expr::Constant(_)))
    };
    let wanted = returns.iter().filter(|(block, value, _)| is_wanted(*block, *value));
    wanted.map(|(block, ..)| *block).collect()
}

/// What a block returns, if it returns; for a function without result, nothing.
fn value_of(block: &Block) -> Option<Option<&Expr>> {
    match &block.terminator {
        Terminator::Return(value) => Some(value.as_ref()),
        Terminator::Goto(_)
        | Terminator::Branch { .. }
        | Terminator::Switch { .. }
        | Terminator::Halt => None,
    }
}

/// Whether functions tell by such a result that they did not do what they are for.
fn is_error(value: &Expr, procedure: &Procedure) -> bool {
    match value {
        Expr::Constant(0) => procedure.result == Some(ScalarType::Pointer),
        Expr::Constant(number) => *number < 0,
        Expr::Variable(_)
        | Expr::Procedure(_)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Wrap(..) => false,
    }
}

/// The program with a mark at each return of the function.
fn marked(program: &Program, open: &OpenEntry) -> Program {
    let mut marked = program.clone();
    let procedure = &mut marked.procedures[open.procedure.index()];
    for (index, block) in procedure.blocks.iter_mut().enumerate() {
        if value_of(block).is_some() {
            let command = Command::Error { what: mark(BlockId::at(index)) };
            block.commands.push(Instruction { command, span: block.span });
        }
    }
    marked
}

fn mark(block: BlockId) -> String {
    format!("return of {}", block.index())
}

/// Procedures that are analysed by themselves do not matter here.
struct NoStates;

impl States for NoStates {
    fn at(&self, _place: &Place) -> Vec<(NodeId, &State)> {
        Vec::new()
    }
}
