//! A program as several threads that see only variables of each other.

use super::{Agreement, Promise, ag_chk, seq_comp};
use crate::threads::ends::mind_handlers;
use crate::threads::freshness::private_accesses;
use crate::threads::inline::Code;
use crate::threads::kinds::{Counting, Number, threads};
use crate::threads::locks::{Held, Protected, alone, protected};
use crate::threads::names::are_seen;
use crate::threads::pauses::{IsMain, pauses};
use crate::threads::scalars::{Scalars, of_the_library};
use crate::threads::sharing::{Cell, Reach, Shared, does_anything};
use crate::threads::steps::{one_access_each, stops};
use crate::threads::whole::beside_threads;
use crate::threads::{
    Grain, Special, Thread, is_not_modelled, named_threads, orders_settled, special,
};
use ir::{Callee, Command, Expr, Instruction, ProcedureId, Program, ScalarType, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// The threads of a program, one of which is to end.
#[derive(Clone, Debug)]
pub struct Parallel {
    pub(super) program: Program,
    pub(super) main: ProcedureId,
    /// The thread that is to end.
    pub(super) wanted: usize,
    pub(super) threads: Vec<Stopping>,
    pub(super) scalars: Scalars,
    pub(super) seen: Shared,
    pub(super) shared: BTreeMap<Variable, Uses>,
}

/// A thread with the places where others may move before it goes on.
#[derive(Clone, Debug)]
pub(super) struct Stopping {
    pub(super) start: ProcedureId,
    pub(super) code: Code,
    pub(super) stops: BTreeSet<usize>,
    /// The locks that it surely holds where its blocks begin.
    pub(super) held: Vec<Option<Held>>,
    pub(super) locks: BTreeSet<Variable>,
    pub(super) number: Number,
}

/// How threads use a variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    /// The threads that write it while others may run.
    pub(super) writers: BTreeSet<usize>,
    /// The locks that are held at all uses.
    pub(super) locks: Held,
}

impl Parallel {
    /// The threads of a program, if the named one uses memory of its own only.
    ///
    /// # Errors
    /// Why agreements do not speak of this program.
    pub fn of(program: Program, named: &str) -> Result<Self, String> {
        let mut program = program;
        let (main, start) = named_threads(&mut program, named)?;
        let mut threads = threads(&mut program, main, (start, Counting::Any))?;
        mind_handlers(&program, main, &mut threads);
        orders_settled(&program, &mut threads);
        let is_wanted = |it: &Thread| it.start == start && it.number == Number::One;
        let wanted = threads.iter().position(is_wanted);
        let wanted = wanted.ok_or_else(|| format!("the thread `{named}` is never started"))?;
        let scalars = Scalars::promote(&mut program, &mut threads);
        let variables = scalars.variables();
        let seen = Shared::with_scalars(&program, &threads, variables);
        if is_open(&program, &threads) {
            return Err("what is not modelled beside it".to_owned());
        }
        if are_seen(&program, &threads, &seen) {
            return Err("what threads are called".to_owned());
        }
        if let Some(why) = bars(&program, &threads[wanted].code, &seen) {
            return Err(why);
        }
        let protected = protected(&program, &threads, &seen, Grain::Fine);
        let shared = uses(&program, &threads, &seen, &protected);
        let mut prepared = Vec::new();
        for (number, thread) in threads.into_iter().enumerate() {
            let what = (number, main);
            prepared.push(Stopping::of(&mut program, thread, what, (&seen, &protected)));
        }
        Ok(Self { program, main, wanted, threads: prepared, scalars, seen, shared })
    }

    /// The thread beside others that keep to an agreement (Definition 5).
    #[must_use]
    pub fn seq_comp(&self, agreement: &Agreement) -> Program {
        seq_comp::program(self, Some(agreement))
    }

    /// The thread by itself.
    #[must_use]
    pub fn in_isolation(&self) -> Program {
        seq_comp::program(self, None)
    }

    /// The program that fails where a thread breaks a promise (Definition 6).
    #[must_use]
    pub fn ag_chk(&self, thread: usize, promise: &Promise) -> Program {
        ag_chk::program(self, thread, promise)
    }

    /// The other threads that write what a promise speaks of.
    #[must_use]
    pub fn bound_by(&self, promise: &Promise) -> Vec<usize> {
        let writes = |it: &usize| {
            let mut uses = promise.measure.keys().filter_map(|variable| self.shared.get(variable));
            uses.any(|uses| uses.writers.contains(it))
        };
        (0..self.threads.len()).filter(|it| *it != self.wanted && writes(it)).collect()
    }

    /// The locks that both the thread that is to end and another one take.
    #[must_use]
    pub fn locks_with(&self, thread: usize) -> BTreeSet<Variable> {
        let [own, others] = [self.wanted, thread].map(|it| self.taken(it));
        own.intersection(&others).copied().collect()
    }

    fn taken(&self, thread: usize) -> BTreeSet<Variable> {
        let thread = &self.threads[thread];
        let mut commands = thread.code.blocks.iter().flat_map(|block| &block.commands);
        let mut taken = BTreeSet::new();
        for instruction in commands.by_ref() {
            if let Some((Special::BeginAcquire, [Expr::Variable(lock)])) =
                special(&self.program, instruction)
                && thread.locks.contains(lock)
            {
                taken.insert(*lock);
            }
        }
        taken
    }

    /// The integer variables that others change and the thread that is to end uses.
    #[must_use]
    pub fn changing(&self) -> BTreeSet<Variable> {
        let own = used(&self.threads[self.wanted].code);
        let is_changed = |(variable, uses): &(&Variable, &Uses)| {
            let is_integer = matches!(self.program.variable(**variable).ty, ScalarType::Int(_));
            is_integer && own.contains(variable) && uses.writers.iter().any(|it| *it != self.wanted)
        };
        self.shared.iter().filter(is_changed).map(|(variable, _)| *variable).collect()
    }

    /// What others leave as it is while the thread holds a lock, as the paper would print it:
    /// that is used under the lock only.
    #[must_use]
    pub fn kept_under_locks(&self, thread: &str) -> Vec<String> {
        let name = |it: &Variable| self.program.variable(*it).name.as_str();
        let mut kept = Vec::new();
        for variable in self.changing() {
            let locks = self.shared.get(&variable).map(|uses| &uses.locks);
            let lock = locks.and_then(|locks| locks.first()).filter(|lock| **lock != variable);
            if let Some(lock) = lock {
                kept.push(format!("{} != {thread} || {1}' == {1}", name(lock), name(&variable)));
            }
        }
        kept
    }

    /// The name of the function that a thread runs.
    #[must_use]
    pub fn name_of(&self, thread: usize) -> &str {
        self.program.procedure(self.threads[thread].start).shown_name()
    }

    /// The program that variables belong to.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The shared variables that a thread may find changed at a stop: `locks` are held there.
    pub(super) fn changed_by_others(
        &self,
        thread: usize,
        locks: &Held,
    ) -> impl Iterator<Item = Variable> + '_ {
        let locks = locks.clone();
        let is_crowd = self.threads[thread].number == Number::Crowd;
        let is_changed = move |(_, uses): &(&Variable, &Uses)| {
            let mut others = uses.writers.iter();
            let by_others = others.any(|it| *it != thread || is_crowd);
            by_others && uses.locks.is_disjoint(&locks)
        };
        self.shared.iter().filter(is_changed).map(|(variable, _)| *variable)
    }
}

impl Stopping {
    fn of(
        program: &mut Program,
        thread: Thread,
        (number, main): (usize, ProcedureId),
        (shared, protected): (&Shared, &Protected),
    ) -> Self {
        let Thread { start, mut code, number: kind, .. } = thread;
        one_access_each(program, main, &mut code, shared);
        let (is_main, alone) = match number {
            0 => (IsMain::Yes, alone(program, &code)),
            _ => (IsMain::No, BTreeSet::new()),
        };
        let mut stops = stops(program, &mut code, shared, (protected, &alone));
        pauses(program, &mut code, &mut stops, (shared, protected), is_main);
        let held = protected.held(program, &code);
        let locks = protected.locks().clone();
        Self { start, code, stops, held, locks, number: kind }
    }
}

/// Whether anything is not modelled of what threads do, or of what is done beside them: it may
/// change anything.
fn is_open(program: &Program, threads: &[Thread]) -> bool {
    let codes: Vec<&Code> = threads.iter().map(|it| &it.code).collect();
    let is_open = |it: &Instruction| is_not_modelled(program, &it.command);
    codes.iter().any(|it| does_anything(program, it))
        || beside_threads(program, &codes).any(is_open)
}

/// How threads use the variables that they see of each other.
fn uses(
    program: &Program,
    threads: &[Thread],
    seen: &Shared,
    protected: &Protected,
) -> BTreeMap<Variable, Uses> {
    let of = |variable: Variable| {
        let mut locks = protected.locks_of(Cell::Variable(variable));
        // Who holds a lock is the only one to change it.
        locks.extend(protected.locks().contains(&variable).then_some(variable));
        Uses { writers: BTreeSet::new(), locks }
    };
    let mut found: BTreeMap<Variable, Uses> =
        seen.variables().map(|variable| (variable, of(variable))).collect();
    for (number, thread) in threads.iter().enumerate() {
        let alone = if number == 0 { alone(program, &thread.code) } else { BTreeSet::new() };
        for (index, block) in thread.code.blocks.iter().enumerate() {
            for (position, instruction) in block.commands.iter().enumerate() {
                if alone.contains(&(index, position)) {
                    continue;
                }
                let target = instruction.command.target();
                if let Some(uses) = target.and_then(|it| found.get_mut(&it)) {
                    uses.writers.insert(number);
                }
            }
        }
    }
    found
}

/// The variables that code uses.
fn used(code: &Code) -> BTreeSet<Variable> {
    code.blocks.iter().flat_map(ir::Block::variables).collect()
}

/// Why the thread that is to end may depend on more than variables.
fn bars(program: &Program, code: &Code, seen: &Shared) -> Option<String> {
    let of_the_library = of_the_library(program);
    let is_changed =
        |it: &&Variable| program.variable(**it).owner.is_none() && of_the_library.contains(*it);
    if let Some(variable) = used(code).iter().find(is_changed) {
        let name = &program.variable(*variable).name;
        return Some(format!("`{name}`, which functions of the library use, too"));
    }
    let private = private_accesses(program, code);
    for (index, block) in code.blocks.iter().enumerate() {
        for (position, instruction) in block.commands.iter().enumerate() {
            let command = &instruction.command;
            if let Some((special, arguments)) = special(program, instruction) {
                let has_result = arguments.get(1).is_some_and(|it| *it != Expr::Constant(0));
                if special == Special::Join && has_result {
                    return Some("the result of a thread".to_owned());
                }
                continue;
            }
            if let Command::Call { callee, .. } = command {
                let Callee::Direct(callee) = callee else {
                    return Some("a call through a pointer".to_owned());
                };
                // It depends on numbers only.
                if seen.effects_of(*callee).is_none_or(|it| !it.is_empty()) {
                    let name = program.procedure(*callee).shown_name();
                    return Some(format!("what `{name}` does beside other threads"));
                }
                continue;
            }
            let reach = Reach::at(&private, (index, position));
            let touched = seen.touched(program, instruction, reach);
            if touched.iter().any(|cell| !matches!(cell, Cell::Variable(_))) {
                return Some("memory that threads see of each other".to_owned());
            }
        }
    }
    None
}
