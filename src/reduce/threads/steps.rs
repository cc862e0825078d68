//! Where a thread stops: before it touches what others see, one access at a time.

use super::freshness::private_accesses;
use super::inline::{Code, target_mut};
use super::locks::{Protected, addresses};
use super::sharing::{Cell, Reach, Shared, base_of};
use super::{Special, facts, special, successors};
use base::dataflow::backward;
use base::source::Span;
use ir::{
    Block, BlockId, Command, Expr, Gap, Instruction, MemoryKind, ProcedureId, Program, Terminator,
    Variable, VariableInfo,
};
use std::collections::BTreeSet;

/// Lets each command of a thread read or write at most one variable that others see, once.
pub(super) fn one_access_each(
    program: &mut Program,
    owner: ProcedureId,
    code: &mut Code,
    shared: &Shared,
) {
    let mut blocks = std::mem::take(&mut code.blocks);
    let mut splitter = Splitter { program, owner, code, shared, reads: Vec::new() };
    for block in &mut blocks {
        let mut all = Vec::new();
        for mut instruction in std::mem::take(&mut block.commands) {
            let is_plain = matches!(&instruction.command,
                Command::Assign { target, value: Expr::Variable(_) }
                    if !shared.contains(Cell::Variable(*target)));
            // A plain read needs no other name, and a lock is only named.
            let special = special(splitter.program, &instruction);
            let is_mark = special.is_some_and(|(special, _)| special.begins());
            if !is_plain && !is_mark {
                let span = instruction.span;
                instruction.command.for_each_expression_mut(&mut |expr| {
                    *expr = splitter.split(expr, span);
                });
                all.append(&mut splitter.reads);
            }
            let target = instruction.command.target();
            let behind = target.filter(|it| shared.contains(Cell::Variable(*it)));
            match (behind, &instruction.command) {
                (None, _) | (_, Command::Assign { .. }) => all.push(instruction),
                (Some(target), _) => {
                    let span = instruction.span;
                    let value = splitter.copy_of(target);
                    if let Some(own) = target_mut(&mut instruction.command) {
                        *own = value;
                    }
                    let command = Command::Assign { target, value: value.into() };
                    all.extend([instruction, Instruction { command, span }]);
                }
            }
        }
        block.commands = all;
        let span = block.span;
        if let Terminator::Branch { condition: expr, .. } | Terminator::Switch { value: expr, .. } =
            &mut block.terminator
        {
            *expr = splitter.split(expr, span);
            block.commands.append(&mut splitter.reads);
        }
    }
    code.blocks = blocks;
}

struct Splitter<'a> {
    program: &'a mut Program,
    owner: ProcedureId,
    code: &'a mut Code,
    shared: &'a Shared,
    /// The reads that come first.
    reads: Vec<Instruction>,
}

impl Splitter<'_> {
    /// A variable of the thread's own for a value of this one.
    fn copy_of(&mut self, variable: Variable) -> Variable {
        let info = self.program.variable(variable).clone();
        self.program.variables.push(VariableInfo { owner: Some(self.owner), ..info });
        let copy = Variable::at(self.program.variables.len() - 1);
        self.code.locals.insert(copy);
        copy
    }

    /// An expression that reads a variable of its own wherever it has read one that others see.
    fn split(&mut self, expr: &Expr, span: Span) -> Expr {
        match expr {
            Expr::Constant(_) | Expr::Procedure(_) => expr.clone(),
            Expr::Variable(variable) if !self.shared.contains(Cell::Variable(*variable)) => {
                expr.clone()
            }
            Expr::Variable(variable) => {
                let target = self.copy_of(*variable);
                let command = Command::Assign { target, value: expr.clone() };
                self.reads.push(Instruction { command, span });
                target.into()
            }
            Expr::Unary(op, operand) => Expr::unary(*op, self.split(operand, span)),
            Expr::Wrap(kind, operand) => Expr::Wrap(*kind, Box::new(self.split(operand, span))),
            Expr::Binary(op, left, right) => {
                let left = self.split(left, span);
                Expr::binary(*op, left, self.split(right, span))
            }
        }
    }
}

/// Divides the blocks of a thread where it stops, but for the commands that it does `alone`.
/// Gives the blocks before which it does.
pub(super) fn stops(
    program: &Program,
    code: &mut Code,
    shared: &Shared,
    (protected, alone): (&Protected, &BTreeSet<(usize, usize)>),
) -> BTreeSet<usize> {
    let within = sections(program, code);
    let private = private_accesses(program, code);
    let held = protected.held(program, code);
    let mut stops = BTreeSet::new();
    for (number, mut depth) in within.into_iter().enumerate() {
        let mut here = number;
        let mut held = held[number].clone().unwrap_or_default();
        let mut asked = BTreeSet::new();
        let commands = std::mem::take(&mut code.blocks[number].commands);
        for (position, instruction) in commands.into_iter().enumerate() {
            let span = instruction.span;
            let special = special(program, &instruction).map(|(special, _)| special);
            let begins = special.is_some_and(Special::begins);
            let is_stop = depth == 0
                && !alone.contains(&(number, position))
                && if begins {
                    !protected.is_release(program, &instruction)
                } else {
                    let reach = Reach::at(&private, (number, position));
                    is_visible(program, (&instruction, reach), shared, protected)
                };
            if is_stop || special.is_some() {
                asked.clear();
            }
            if is_stop {
                let block = &mut code.blocks[here];
                let rest = Block {
                    commands: Vec::new(),
                    terminator: std::mem::replace(&mut block.terminator, Terminator::Halt),
                    span: instruction.span,
                };
                let next = code.blocks.len();
                code.blocks[here].terminator = Terminator::Goto(BlockId::at(next));
                code.blocks.push(rest);
                stops.insert(next);
                here = next;
            }
            match special {
                Some(_) if begins => depth += 1,
                Some(Special::EndSection) => depth = depth.saturating_sub(1),
                _ => {}
            }
            protected.update(program, &instruction, &mut held);
            let reach = Reach::at(&private, (number, position));
            if special.is_none()
                && !alone.contains(&(number, position))
                && protected.must_own(&held)
                && shared.touched(program, &instruction, reach).contains(&Cell::Memory)
            {
                let questions = questions(&instruction, &mut asked);
                code.blocks[here].commands.extend(questions);
            }
            asked.retain(|it| instruction.command.target() != Some(*it));
            let is_whole =
                matches!(instruction.command, Command::Copy { .. } | Command::Fill { .. });
            if is_stop && is_whole && !alone.contains(&(number, position)) {
                let what = "a block of memory that other threads use, at once".to_owned();
                let command = Command::Unsupported { what, gap: Gap::NotModelled };
                code.blocks[here].commands.push(Instruction { command, span });
            }
            code.blocks[here].commands.push(instruction);
        }
    }
    stops
}

/// Takes away what a command is about to use, but for what was asked about already.
fn questions(instruction: &Instruction, asked: &mut BTreeSet<Variable>) -> Vec<Instruction> {
    let addresses = addresses(&instruction.command).unwrap_or_default();
    let bases = addresses.into_iter().map(|it| base_of(it).map_or(it.clone(), Expr::from));
    let is_new = |it: &Expr| match it {
        Expr::Variable(variable) => asked.insert(*variable),
        _ => true,
    };
    let question = |address| Instruction {
        command: Command::Free { address, kind: MemoryKind::Any },
        span: instruction.span,
    };
    bases.filter(is_new).map(question).collect()
}

/// Leaves out where sections begin and end.
pub(super) fn without_sections(program: &Program, code: &mut Code) {
    let is_mark = |it: &Instruction| {
        special(program, it).is_some_and(|(it, _)| it.begins() || it == Special::EndSection)
    };
    for block in &mut code.blocks {
        block.commands.retain(|it| !is_mark(it));
    }
}

/// Whether others may see an instruction, or it waits for them.
pub(super) fn is_visible(
    program: &Program,
    (instruction, reach): (&Instruction, Reach),
    shared: &Shared,
    protected: &Protected,
) -> bool {
    if let Some((Special::Join, _)) = special(program, instruction) {
        return true;
    }
    let cells = shared.touched(program, instruction, reach);
    cells.into_iter().any(|cell| !protected.contains(cell))
}

/// For each block, how many sections it begins in.
pub(super) fn sections(program: &Program, code: &Code) -> Vec<u32> {
    let step = |instruction: &Instruction, _, depth: &mut u32| {
        *depth = depth_after(program, instruction, *depth);
    };
    let join = |known: &mut u32, depth: u32| {
        let is_less = depth < *known;
        *known = depth.min(*known);
        is_less
    };
    facts(code, 0, step, join).into_iter().map(Option::unwrap_or_default).collect()
}

/// In how many sections an instruction leaves a thread that is in so many before.
pub(super) fn depth_after(program: &Program, instruction: &Instruction, depth: u32) -> u32 {
    match special(program, instruction) {
        Some((it, _)) if it.begins() => depth + 1,
        Some((Special::EndSection, _)) => depth.saturating_sub(1),
        _ => depth,
    }
}

/// The thread's own variables that are read again from each block on.
pub(super) fn live(code: &Code) -> Vec<BTreeSet<Variable>> {
    backward(&successors(&code.blocks), |index, behind| {
        let block = &code.blocks[index];
        let mut now = behind.clone();
        now.extend(block.terminator.variables_read());
        for instruction in block.commands.iter().rev() {
            if let Some(target) = instruction.command.target() {
                now.remove(&target);
            }
            now.extend(instruction.command.variables_read());
        }
        now.retain(|it| code.locals.contains(it));
        now
    })
}
