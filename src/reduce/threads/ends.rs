//! How threads end in the product, who waits for that, and what they leave behind.

use super::kinds::Number;
use super::schedule::{
    ENDED, JOINED, NEVER_NAMED, NOT_STARTED, Part, Product, STUCK, name_of, nowhere,
};
use super::{Special, Thread, asks_for_results, special};
use crate::instrument::add_global;
use crate::threads::Purpose;
use base::source::Span;
use ir::{
    BinaryOp, BlockId, Callee, Command, Expr, Gap, HavocSource, Instruction, ProcedureId, Program,
    Terminator, Variable,
};

/// Says that it is not modelled where the first thread ends itself and there is something to be
/// done when the program ends: the last thread does that.
pub(super) fn mind_handlers(program: &Program, first: ProcedureId, threads: &mut [Thread]) {
    let calls = program.procedure(first).blocks.iter().flat_map(|block| &block.commands);
    let calls = calls.filter_map(|it| match &it.command {
        Command::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
        _ => None,
    });
    let is_main = |it: &ProcedureId| program.procedure(*it).name == "main";
    if calls.skip_while(|it| !is_main(it)).nth(1).is_none() {
        return;
    }
    let Some(thread) = threads.first_mut() else { return };
    for block in &mut thread.code.blocks {
        let exits = |it: &Instruction| matches!(special(program, it), Some((Special::Exit, _)));
        if let Some(position) = block.commands.iter().position(exits) {
            let what =
                "what is done at the end, after the first thread has ended itself".to_owned();
            let command = Command::Unsupported { what, gap: Gap::NotModelled };
            let span = block.commands[position].span;
            block.commands.insert(position, Instruction { command, span });
        }
    }
}

impl Product {
    /// Adds variables for what threads return, if anybody asks.
    pub(super) fn add_results(&mut self, program: &mut Program, threads: &[Thread]) {
        if !threads.iter().any(|it| asks_for_results(program, &it.code)) {
            return;
        }
        for (number, thread) in threads.iter().enumerate().skip(1) {
            let result = thread.code.result.filter(|_| thread.number == Number::One);
            if let Some(result) = result {
                let ty = program.variable(result).ty;
                let variable = add_global(program, &format!("$result{number}"), ty);
                self.results.insert(number, variable);
            }
        }
    }

    /// What is noted when a thread ends.
    pub(super) fn ends(
        &self,
        program: &Program,
        part: &Part<'_>,
        value: Option<Expr>,
    ) -> Vec<Command> {
        let mut commands = Vec::new();
        if let Some(target) = self.results.get(&part.number) {
            let own = part.code.result.map(Expr::from);
            // What a thread exits with is of the type that its function returns, or is unknown.
            let fits =
                value.filter(|it| own.as_ref() == Some(it) || has_type(program, it, *target));
            commands.push(match fits {
                Some(value) => Command::Assign { target: *target, value },
                None => unknown(*target),
            });
        }
        commands.extend(self.leaves(part, part.number, ENDED));
        commands
    }

    /// What a thread is called goes to a variable. It is not known of one of a crowd.
    pub(super) fn name_of(&self, part: &Part<'_>, target: Variable) -> Command {
        match (part.kind, self.names.get(part.number)) {
            (Number::One, Some(name)) => Command::Assign { target, value: (*name).into() },
            _ => number_of(part, target),
        }
    }

    /// Adds that a thread waits until another one has ended, or stays at its stop. Gives the
    /// block that goes on.
    pub(super) fn join(
        &mut self,
        here: usize,
        arguments: &[Expr],
        (done, stop): (Vec<Command>, BlockId),
    ) -> usize {
        let next = self.push(done, Terminator::Halt);
        let value = arguments.first().cloned().unwrap_or(Expr::Constant(0));
        if !self.names.is_empty() {
            self.join_by_name(here, &value, (next, stop));
            return next.index();
        }
        let crowd = match self.purpose {
            Purpose::Proof => next,
            Purpose::Run => stop,
        };
        let mut cases = vec![(NEVER_NAMED, NEVER_NAMED, crowd)];
        for thread in 0..self.places.len() {
            let (place, ended) = (self.places[thread].into(), Expr::Constant(ENDED));
            let condition = Expr::binary(BinaryOp::Equal, place, ended);
            let branch = Terminator::Branch { condition, then: next, otherwise: stop };
            // What does not matter ends by itself.
            let is_relevant = self.relevant.contains(&thread);
            let on = if is_relevant { branch } else { Terminator::Goto(next) };
            let waits = self.push(Vec::new(), on);
            cases.push((name_of(thread), name_of(thread), waits));
        }
        self.blocks[here].terminator = Terminator::Switch { value, cases, default: STUCK };
        next.index()
    }

    /// Adds that a thread waits for the one that has this name, which is given back then. It may
    /// be one of many that are not told apart.
    fn join_by_name(&mut self, here: usize, value: &Expr, (next, stop): (BlockId, BlockId)) {
        let mut here = here;
        let is_at = |place: Variable, at: i128| {
            Expr::binary(BinaryOp::Equal, place.into(), Expr::Constant(at))
        };
        if !self.crowds.is_empty() {
            let otherwise = self.push(Vec::new(), Terminator::Halt);
            let condition = is_at(self.who, NEVER_NAMED);
            let decides = nowhere(self.decides());
            self.blocks[here].commands.push(decides);
            let then = next;
            self.blocks[here].terminator = Terminator::Branch { condition, then, otherwise };
            here = otherwise.index();
        }
        for thread in 0..self.places.len() {
            if self.crowds.contains(&thread) {
                continue;
            }
            let place = self.places[thread];
            let gives_back = self.push(vec![self.moves_to(thread, JOINED)], Terminator::Goto(next));
            let condition = is_at(place, ENDED);
            let branch = Terminator::Branch { condition, then: gives_back, otherwise: stop };
            // What does not matter ends by itself.
            let is_relevant = self.relevant.contains(&thread);
            let on = if is_relevant { branch } else { Terminator::Goto(gives_back) };
            let waits = self.push(Vec::new(), on);
            let otherwise = self.push(Vec::new(), Terminator::Halt);
            let is_called = Expr::binary(BinaryOp::Equal, value.clone(), self.names[thread].into());
            let apart = [NOT_STARTED, JOINED]
                .map(|it| Expr::binary(BinaryOp::NotEqual, place.into(), Expr::Constant(it)));
            let and = |left, right| Expr::binary(BinaryOp::And, left, right);
            let condition = apart.into_iter().fold(is_called, and);
            self.blocks[here].terminator = Terminator::Branch { condition, then: waits, otherwise };
            here = otherwise.index();
        }
        self.blocks[here].terminator = Terminator::Goto(STUCK);
    }

    /// Adds that a thread asks what another one has returned. Gives the block that goes on.
    pub(super) fn result(
        &mut self,
        program: &Program,
        here: usize,
        arguments: &[Expr],
        (target, span): (Option<Variable>, Span),
    ) -> usize {
        let next = self.push(Vec::new(), Terminator::Halt);
        let Some(target) = target else {
            self.blocks[here].terminator = Terminator::Goto(next);
            return next.index();
        };
        let mut cases = Vec::new();
        for (thread, result) in self.results.clone() {
            let is_known = self.names.is_empty()
                && self.relevant.contains(&thread)
                && program.variable(result).ty == program.variable(target).ty;
            let command = if is_known {
                Command::Assign { target, value: result.into() }
            } else {
                unknown(target)
            };
            let reads = self.push(vec![command], Terminator::Goto(next));
            self.blocks[reads.index()].commands[0].span = span;
            cases.push((name_of(thread), name_of(thread), reads));
        }
        let default = self.push(Vec::new(), Terminator::Goto(next));
        let command = unknown(target);
        self.blocks[default.index()].commands.push(Instruction { command, span });
        let value = arguments.first().cloned().unwrap_or(Expr::Constant(0));
        self.blocks[here].terminator = Terminator::Switch { value, cases, default };
        next.index()
    }
}

/// The number of a thread goes to a variable. It is not known of one of a crowd.
pub(super) fn number_of(part: &Part<'_>, target: Variable) -> Command {
    match part.kind {
        Number::One => Command::Assign { target, value: Expr::Constant(name_of(part.number)) },
        Number::Crowd => unknown(target),
    }
}

fn unknown(target: Variable) -> Command {
    let why = "what another thread returns, or is called".to_owned();
    Command::Havoc { target, source: HavocSource::Approximation(why) }
}

/// Whether a value that is a variable has the type of another one.
fn has_type(program: &Program, value: &Expr, like: Variable) -> bool {
    match value {
        Expr::Variable(variable) => program.variable(*variable).ty == program.variable(like).ty,
        Expr::Constant(_) => true,
        _ => false,
    }
}
