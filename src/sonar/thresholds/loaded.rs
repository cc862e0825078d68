//! What temporaries hold that are loaded from memory.
//!
//! In `while (i < m->rows)` the comparison is one with a temporary, which is dead where the
//! loop starts. It was loaded from a cell of a block, and the state knows what that holds. Where
//! that was done by a pointer that a procedure is handed, its callers know it by what they hand over.

use heap::Atom;
use heap::state::State;
use ir::{BinaryOp, Callee, Command, Expr, Program, Variable};
use logic::LinearExpr;
use std::collections::BTreeMap;

/// So many pointers are followed to a number: in `a->b->n` it is two.
const MOST_POINTERS: usize = 3;

/// So many callers' names of a place are looked at.
const MOST_HANDED: usize = 4;

/// From where a temporary is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Source {
    base: Variable,
    offset: i64,
}

/// The variables that a program loads from one place only, and never writes otherwise.
#[derive(Clone, Debug, Default)]
pub(super) struct Loaded {
    /// By variable: its place; then the same by what callers call it.
    sources: BTreeMap<Variable, Vec<Source>>,
}

impl Loaded {
    /// Those of a program.
    pub(super) fn of_program(program: &Program) -> Self {
        let mut written: BTreeMap<Variable, Option<Source>> = BTreeMap::new();
        let mut handed: BTreeMap<Variable, Vec<Source>> = BTreeMap::new();
        let blocks = program.blocks();
        for instruction in blocks.flat_map(|block| &block.commands) {
            let command = &instruction.command;
            if let Command::Call { callee: Callee::Direct(callee), arguments, .. } = command {
                let parameters = &program.procedure(*callee).parameters;
                for (parameter, argument) in parameters.iter().zip(arguments) {
                    handed.entry(*parameter).or_default().extend(place(argument));
                }
            }
            let Some(target) = command.target() else { continue };
            let source = source_of(command);
            let known = written.entry(target).or_insert(source);
            if *known != source {
                *known = None;
            }
        }
        let with_callers = |own: Source| {
            let by_callers = handed.get(&own.base).into_iter().flatten().take(MOST_HANDED);
            let by_callers = by_callers.filter_map(|it| {
                Some(Source { base: it.base, offset: it.offset.checked_add(own.offset)? })
            });
            [own].into_iter().chain(by_callers).collect()
        };
        let sources = written.into_iter();
        let sources = sources.filter_map(|(target, own)| Some((target, with_callers(own?))));
        Self { sources: sources.collect() }
    }

    /// How many names the places have that an expression is loaded from.
    pub(super) fn n_names(&self, expr: &LinearExpr) -> usize {
        let variables = expr.terms().iter().map(|(it, _)| Variable::at(it.index()));
        let names = variables.filter_map(|it| Some(self.sources.get(&it)?.len()));
        names.max().unwrap_or(1)
    }

    /// Where in one block two numbers lie of which a comparison is the difference.
    pub(super) fn siblings(&self, comparison: &LinearExpr) -> Option<(i64, i64)> {
        let source = |at: usize| {
            let (variable, _) = comparison.terms().get(at)?;
            self.sources.get(&Variable::at(variable.index()))?.first()
        };
        let (one, other) = (source(0)?, source(1)?);
        let is_difference = comparison.terms().len() == 2 && one.base == other.base;
        (is_difference && one.offset != other.offset).then_some((one.offset, other.offset))
    }

    /// What a variable would hold if it were loaded now, by one name of its place.
    pub(super) fn value(
        &self,
        variable: Variable,
        state: &State,
        name: usize,
    ) -> Option<LinearExpr> {
        let sources = self.sources.get(&variable)?;
        let source = sources.get(name).or_else(|| sources.first())?;
        self.follow(source, state, MOST_POINTERS)
    }

    fn follow(&self, source: &Source, state: &State, n_left: usize) -> Option<LinearExpr> {
        let n_left = n_left.checked_sub(1)?;
        let mut frames = (0..state.stores.len()).rev();
        let known = frames.find_map(|frame| state.value_in(frame, source.base));
        let before = || self.sources.get(&source.base)?.first();
        let base = known.cloned().or_else(|| self.follow(before()?, state, n_left))?;
        // Where pointers walk, offsets have names, though they may be constants.
        let block = base.variables().find(|v| state.block_at(*v).is_some())?;
        let offset = state.constant_value(&base.sub(&block.into()))?;
        let offset = offset.to_i64()?.checked_add(source.offset)?;
        match &state.heap.atoms[state.block_at(block)?] {
            Atom::Block(block) => block.cell(offset).map(|cell| cell.value.clone()),
            Atom::Instance(_) => None,
        }
    }
}

fn source_of(command: &Command) -> Option<Source> {
    let Command::Load { address, .. } = command else { return None };
    place(address)
}

/// So many bytes behind where a variable points.
fn place(address: &Expr) -> Option<Source> {
    match address {
        Expr::Variable(base) => Some(Source { base: *base, offset: 0 }),
        Expr::Binary(BinaryOp::Add, base, offset) => match (base.as_ref(), offset.as_ref()) {
            (Expr::Variable(base), Expr::Constant(offset)) => {
                Some(Source { base: *base, offset: i64::try_from(*offset).ok()? })
            }
            _ => None,
        },
        _ => None,
    }
}
