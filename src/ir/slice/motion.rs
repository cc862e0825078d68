//! How variables change: which pointers move on, and which numbers are counters.

use crate::liveness::Liveness;
use crate::{
    BinaryOp, Callee, Command, Expr, HavocSource, Procedure, ProcedureId, Program, Terminator,
    Variable,
};
use base::graph::{reachable, strongly_connected_components};
use std::collections::BTreeSet;

/// The largest constant that counters get.
pub(super) const MOST_COUNTED: i128 = 1 << 20;

/// How a variable changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Motion {
    /// Whether it is computed from its own value, maybe by way of other variables, calls and
    /// returns, or from one that is.
    pub(super) moves: bool,
    /// Whether it only ever gets constants, and constants are added to it.
    pub(super) counts: bool,
}

/// How each variable changes, by variable.
pub(super) fn motions(program: &Program) -> Vec<Motion> {
    let mut counts = vec![true; program.variables.len()];
    for parameter in program.procedures.iter().flat_map(|it| &it.parameters) {
        counts[parameter.index()] = false;
    }
    let liveness = Liveness::of_program(program);
    for (index, procedure) in program.procedures.iter().enumerate() {
        let id = ProcedureId::at(index);
        for block in &procedure.blocks {
            liveness.of(id).walk(block, &mut |at, live| {
                let command = &block.commands[at].command;
                let Some(target) = command.target() else { return };
                // What nobody reads may be anything.
                let is_counted = match command {
                    Command::Assign { value, .. } => counts_on(target, value),
                    Command::Havoc { source: HavocSource::Uninitialised, .. } => {
                        program.variable(target).owner == Some(id) && !live.contains(target)
                    }
                    _ => false,
                };
                counts[target.index()] &= is_counted;
            });
        }
    }
    let moving = moving(program);
    let motion = |(at, counts)| Motion { moves: moving.contains(&at), counts };
    counts.into_iter().enumerate().map(motion).collect()
}

/// The variables that lie on a cycle of values computed from values, and what is computed from
/// them, by index. Handing a value round without a change moves nothing.
fn moving(program: &Program) -> BTreeSet<usize> {
    let mut flows =
        Flows { computed: vec![Vec::new(); program.variables.len()], changing: Vec::new() };
    for procedure in &program.procedures {
        for command in procedure.blocks.iter().flat_map(|it| &it.commands).map(|it| &it.command) {
            match command {
                Command::Assign { target, value } => flows.add(*target, value),
                Command::Call { callee: Callee::Direct(callee), arguments, target } => {
                    for callee in program.entered(*callee) {
                        flows.add_call(program.procedure(callee), arguments, *target);
                    }
                }
                _ => {}
            }
        }
    }
    let components = strongly_connected_components(&flows.computed);
    let is_on_cycle = |(from, to): &&(usize, usize)| components.of[*from] == components.of[*to];
    let on_cycles = flows.changing.iter().filter(is_on_cycle).map(|it| it.0);
    reachable(on_cycles, |it| flows.computed[it].iter().copied())
}

/// Which variables are computed from which.
struct Flows {
    /// For each variable, those that it is part of the new value of.
    computed: Vec<Vec<usize>>,
    /// The pairs of these where the new value is more than a copy.
    changing: Vec<(usize, usize)>,
}

impl Flows {
    fn add_call(&mut self, callee: &Procedure, arguments: &[Expr], target: Option<Variable>) {
        for (parameter, argument) in callee.parameters.iter().zip(arguments) {
            self.add(*parameter, argument);
        }
        for block in &callee.blocks {
            if let (Some(target), Terminator::Return(Some(value))) = (target, &block.terminator) {
                self.add(target, value);
            }
        }
    }

    fn add(&mut self, target: Variable, value: &Expr) {
        let is_copy = matches!(value, Expr::Variable(_));
        value.variables().for_each(|from| {
            self.computed[from.index()].push(target.index());
            if !is_copy {
                self.changing.push((from.index(), target.index()));
            }
        });
    }
}

/// Whether a value is a small constant, or that of a variable with one added.
fn counts_on(target: Variable, value: &Expr) -> bool {
    let is_small = |it: &Expr| matches!(it, Expr::Constant(0..=MOST_COUNTED));
    match value {
        Expr::Wrap(_, inner) => counts_on(target, inner),
        Expr::Binary(BinaryOp::Add, left, right) => {
            **left == Expr::Variable(target) && is_small(right)
        }
        other => is_small(other),
    }
}
