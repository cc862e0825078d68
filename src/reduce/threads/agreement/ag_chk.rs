//! A thread that fails where one of its steps breaks a promise (Definition 6).
//!
//! Other threads may have changed anything at each stop, but for what is only used under a lock
//! that the thread holds. A step that is made while the thread holds a lock of the promise is
//! excused: the thread that is to end does not hold that lock then. Memory is not followed: what
//! is read there may be anything.

use super::Promise;
use super::parallel::Parallel;
use super::weaver::{Role, Weaver, anything};
use crate::instrument::add_local;
use crate::propositions::NUMBER;
use crate::threads::locks::Held;
use base::source::Span;
use ir::{Command, Expr, Instruction, Program, Variable};
use std::collections::BTreeMap;

/// The program of a thread and a promise.
pub(super) fn program(parallel: &Parallel, thread: usize, promise: &Promise) -> Program {
    let mut program = parallel.program.clone();
    let excused = add_local(&mut program, parallel.main, "$excused", NUMBER);
    let mut before = BTreeMap::new();
    for variable in promise.measure.keys() {
        let info = program.variable(*variable).clone();
        let name = format!("`{}", info.name);
        before.insert(*variable, add_local(&mut program, parallel.main, &name, info.ty));
    }
    let mut role = Checked { promise, thread, excused, before };
    let blocks = Weaver::new(parallel, &parallel.threads[thread]).instrumented(&mut role);
    let body = &mut program.procedures[parallel.main.index()];
    body.blocks = blocks;
    body.lasting = Vec::new();
    program
}

struct Checked<'a> {
    promise: &'a Promise,
    thread: usize,
    /// Whether the step may break the promise.
    excused: Variable,
    /// For each variable of the promise its value before the step.
    before: BTreeMap<Variable, Variable>,
}

impl Checked<'_> {
    fn excuse(&self, value: i128) -> Command {
        Command::Assign { target: self.excused, value: Expr::Constant(value) }
    }

    fn notes(&self) -> Vec<Command> {
        let note = |(variable, before): (&Variable, &Variable)| Command::Assign {
            target: *before,
            value: (*variable).into(),
        };
        self.before.iter().map(note).collect()
    }

    /// Fails, if the step that ends here breaks the promise.
    fn asserts(&self, weaver: &mut Weaver<'_>, here: usize) -> usize {
        let [next, asked] = weaver.branch(here, self.excused.into());
        let before = |variable: Variable| {
            self.before.get(&variable).map_or(Expr::Constant(0), |before| (*before).into())
        };
        let [kept, broken] = weaver.branch(asked, self.promise.is_kept(Expr::from, before));
        weaver.goes_on(kept, next);
        let what = "a broken promise".to_owned();
        weaver.extend(broken, vec![Command::Error { what }], Span::NOWHERE);
        next
    }
}

impl Role for Checked<'_> {
    /// The thread begins at any time; its first step, up to its first stop, changes nothing that
    /// others see while they run.
    fn begins(&mut self, weaver: &Weaver<'_>) -> Vec<Command> {
        let given = weaver.thread.code.parameters.iter().copied();
        let mut commands: Vec<Command> = given.map(anything).collect();
        if self.thread != 0 {
            commands.extend(weaver.parallel.shared.keys().copied().map(anything));
        }
        commands.extend(self.notes());
        commands.push(self.excuse(1));
        commands
    }

    fn stops(&mut self, weaver: &mut Weaver<'_>, here: usize, held: &Held) -> usize {
        let next = self.asserts(weaver, here);
        let changed = weaver.parallel.changed_by_others(self.thread, held);
        let mut commands: Vec<Command> = changed.map(anything).collect();
        commands.extend(self.notes());
        let is_excused = !self.promise.unless.is_disjoint(held);
        commands.push(self.excuse(i128::from(is_excused)));
        weaver.extend(next, commands, Span::NOWHERE);
        next
    }

    fn ends(&mut self, weaver: &mut Weaver<'_>, here: usize) -> usize {
        self.asserts(weaver, here)
    }

    fn takes(&mut self, lock: Variable) -> Vec<Command> {
        let is_excuse = self.promise.unless.contains(&lock);
        is_excuse.then(|| self.excuse(1)).into_iter().collect()
    }

    fn does(&mut self, weaver: &Weaver<'_>, instruction: &Instruction) -> Vec<Command> {
        match &instruction.command {
            Command::Load { target, .. }
            | Command::Measure { target, .. }
            | Command::Allocate { target, .. } => vec![anything(*target)],
            Command::Call { target, .. } => {
                let Parallel { program, seen, .. } = weaver.parallel;
                let within = seen.written_within(program, instruction);
                within.chain(*target).map(anything).collect()
            }
            Command::Store { .. }
            | Command::Free { .. }
            | Command::Fill { .. }
            | Command::Copy { .. }
            | Command::Error { .. } => Vec::new(),
            Command::Assign { .. }
            | Command::Havoc { .. }
            | Command::Assume { .. }
            | Command::Unsupported { .. } => vec![instruction.command.clone()],
        }
    }
}
