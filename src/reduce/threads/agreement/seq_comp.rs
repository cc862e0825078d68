//! A thread and, at each of its stops, any number of steps of others that keep to an agreement
//! (Definition 5). Promises are transitive: so many steps are one.

use super::parallel::Parallel;
use super::weaver::{Role, Weaver, anything};
use super::{Agreement, Promise};
use crate::instrument::add_local;
use crate::threads::locks::Held;
use ir::{Command, Expr, Instruction, Program, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// The thread that is to end beside others that keep to the agreement, or by itself.
pub(super) fn program(parallel: &Parallel, agreement: Option<&Agreement>) -> Program {
    let mut program = parallel.program.clone();
    let mut primed = BTreeMap::new();
    for variable in
        agreement.into_iter().flat_map(|it| &it.promises).flat_map(|it| it.measure.keys())
    {
        let name = format!("{}'", program.variable(*variable).name);
        let ty = program.variable(*variable).ty;
        primed
            .entry(*variable)
            .or_insert_with(|| add_local(&mut program, parallel.main, &name, ty));
    }
    let thread = &parallel.threads[parallel.wanted];
    let mut role = Composed { agreement, primed };
    let blocks = Weaver::new(parallel, thread).instrumented(&mut role);
    let name = parallel.name_of(parallel.wanted).to_owned();
    let body = &mut program.procedures[parallel.main.index()];
    body.name = name;
    body.blocks = blocks;
    body.lasting = Vec::new();
    program
}

struct Composed<'a> {
    agreement: Option<&'a Agreement>,
    /// For each variable that a promise speaks of the one that holds its next value.
    primed: BTreeMap<Variable, Variable>,
}

impl Composed<'_> {
    /// `A_STAR()`: others may change these variables.
    fn others_move(&self, changed: &BTreeSet<Variable>, held: &Held) -> Vec<Command> {
        let Some(agreement) = self.agreement else { return Vec::new() };
        let is_due = |it: &&Promise| {
            it.unless.is_subset(held) && it.measure.keys().any(|it| changed.contains(it))
        };
        let promises: Vec<&Promise> = agreement.promises.iter().filter(is_due).collect();
        let bound: BTreeSet<Variable> =
            promises.iter().flat_map(|it| it.measure.keys().copied()).collect();
        let next = |variable: Variable| match self.primed.get(&variable) {
            Some(primed) if changed.contains(&variable) => Expr::from(*primed),
            _ => variable.into(),
        };
        let (bound, free): (Vec<Variable>, Vec<Variable>) =
            changed.iter().partition(|it| bound.contains(*it));
        let mut commands: Vec<Command> = free.into_iter().map(anything).collect();
        commands.extend(bound.iter().filter_map(|it| self.primed.get(it)).copied().map(anything));
        for promise in promises {
            let condition = promise.is_kept(next, Expr::from);
            commands.push(Command::Assume { condition });
        }
        let assign = |it: Variable| Command::Assign { target: it, value: next(it) };
        commands.extend(bound.into_iter().map(assign));
        commands
    }
}

impl Role for Composed<'_> {
    /// What `main` and others have done before: anything. What the thread is given is not known.
    fn begins(&mut self, weaver: &Weaver<'_>) -> Vec<Command> {
        if weaver.parallel.wanted == 0 {
            return Vec::new();
        }
        let given = weaver.thread.code.parameters.iter().copied();
        weaver.parallel.shared.keys().copied().chain(given).map(anything).collect()
    }

    fn stops(&mut self, weaver: &mut Weaver<'_>, here: usize, held: &Held) -> usize {
        let parallel = weaver.parallel;
        let changed = parallel.changed_by_others(parallel.wanted, held).collect();
        let commands = self.others_move(&changed, held);
        weaver.extend(here, commands, base::source::Span::NOWHERE);
        here
    }

    fn ends(&mut self, _: &mut Weaver<'_>, here: usize) -> usize {
        here
    }

    fn takes(&mut self, _: Variable) -> Vec<Command> {
        Vec::new()
    }

    fn does(&mut self, _: &Weaver<'_>, instruction: &Instruction) -> Vec<Command> {
        vec![instruction.command.clone()]
    }
}
