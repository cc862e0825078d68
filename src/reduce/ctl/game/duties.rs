//! What a game adds to the program where inputs are ours: what they are, and that the adversary
//! wins where a run cannot go on or a proposition has no value.

use super::super::strategy::{Input, Said, Way, inputs, ways};
use super::Game;
use crate::instrument::{add_local, add_procedure, block, call, dead_end};
use crate::propositions::NUMBER;
use base::source::Span;
use ir::{
    BinaryOp, Block, BlockId, Callee, Command, Expr, HavocSource, InitialContent, Instruction,
    IntKind, Procedure, ProcedureId, Program, ScalarType, Terminator, Variable,
};
use std::collections::BTreeSet;

impl Game<'_> {
    /// Gives inputs their values where they are ours.
    pub(super) fn restrict_inputs(&mut self) {
        let all = inputs(&self.observer.program, &self.observer.observed());
        let ways: Vec<Vec<Way>> =
            all.iter().map(|input| ways(&self.observer.program, input)).collect();
        // The last ones first: positions before them stay as they are.
        for ((number, id), said) in self.strategy.inputs.iter().rev() {
            let Some(input) = all.get(*number) else { continue };
            let state = self.state_of(*id);
            let states = [state, self.going_on(state)];
            let is = |value: i128| {
                Expr::binary(BinaryOp::Equal, input.target.into(), Expr::Constant(value))
            };
            let ways = &ways[*number];
            let value = match (said, ways.first()) {
                (Said::Value(value), _) => is(*value),
                (Said::Way(_), Some(way)) => is(way.value),
                (Said::Way(_), None) => continue,
            };
            let restricted = |given: Expr| match said {
                Said::Value(_) => assumed(given),
                Said::Way(first) => first_open(ways, *first, &is),
            };
            let name = format!("$input{number}of{state}");
            let procedure = self.where_ours(&name, &states, restricted);
            self.call_behind(input, procedure, value);
        }
    }

    /// Lets the adversary win where an assumption ends a run whose inputs are ours.
    pub(super) fn watch_assumptions(&mut self) {
        let ours = self.ours();
        let mut both: Vec<usize> =
            ours.iter().flat_map(|state| [*state, self.going_on(*state)]).collect();
        if self.strategy.start.is_some() {
            both.extend([self.before(), self.before() + 1]);
        }
        let pending = call(self.pending, Span::NOWHERE).command;
        let wins = |given: Expr| {
            let (then, otherwise) = (BlockId(3), BlockId(2));
            let branch = Terminator::Branch { condition: given, then, otherwise };
            vec![
                block(Vec::new(), branch),
                block(vec![pending.clone()], Terminator::Goto(BlockId(2))),
            ]
        };
        let holds = self.where_ours("$held", &both, wins);
        for procedure in self.observer.observed() {
            for block in &mut self.observer.program.procedures[procedure.index()].blocks {
                for instruction in std::mem::take(&mut block.commands) {
                    if let Command::Assume { condition } = &instruction.command {
                        let is_range = instruction.command.range_assumed().is_some();
                        let callee = Callee::Direct(holds);
                        let held =
                            Expr::binary(BinaryOp::NotEqual, condition.clone(), Expr::Constant(0));
                        let command = Command::Call { target: None, callee, arguments: vec![held] };
                        block.commands.push(Instruction { command, span: instruction.span });
                        // Where inputs are the adversary's, an overflow is no way out.
                        if is_range {
                            continue;
                        }
                    }
                    block.commands.push(instruction);
                }
            }
        }
    }

    /// Lets the adversary win where a proposition has no value.
    pub(super) fn watch_propositions(&mut self) -> Result<(), String> {
        let procedures = self.branching.propositions().procedures(&self.observer.program)?;
        let pending = call(self.pending, Span::NOWHERE).command;
        let has_none = add_procedure(&mut self.observer.program, "$undefined");
        let body = &mut self.observer.program.procedures[has_none.index()];
        body.blocks = vec![block(vec![pending], Terminator::Goto(BlockId(0)))];
        for procedure in procedures {
            undefined_where(&mut self.observer.program.procedures[procedure.index()], has_none);
        }
        Ok(())
    }

    /// A procedure with one parameter that does something in these states: the blocks from 1 on,
    /// behind which stands one that returns.
    fn where_ours(
        &mut self,
        name: &str,
        states: &[usize],
        then: impl Fn(Expr) -> Vec<Block>,
    ) -> ProcedureId {
        let procedure = add_procedure(&mut self.observer.program, name);
        let given = add_local(&mut self.observer.program, procedure, "$given", NUMBER);
        let then = then(given.into());
        let default = BlockId::at(then.len() + 1);
        let cases = states.iter().map(|state| {
            let state = i128::try_from(*state).unwrap_or(-1);
            (state, state, BlockId(1))
        });
        let (value, cases) = (self.observer.state.into(), cases.collect());
        let body = &mut self.observer.program.procedures[procedure.index()];
        body.parameters.push(given);
        body.blocks = vec![block(Vec::new(), Terminator::Switch { value, cases, default })];
        body.blocks.extend(then);
        body.blocks.push(block(Vec::new(), Terminator::Return(None)));
        procedure
    }

    /// Calls a procedure behind an input.
    fn call_behind(&mut self, input: &Input, callee: ProcedureId, argument: Expr) {
        let body = &mut self.observer.program.procedures[input.procedure.index()];
        let commands = &mut body.blocks[input.block].commands;
        let span = commands[input.position].span;
        let callee = Callee::Direct(callee);
        let command = Command::Call { target: None, callee, arguments: vec![argument] };
        commands.insert(input.position + 1, Instruction { command, span });
    }
}

/// Lets the program begin in fewer states: what is arbitrary before `main` is this value, or each
/// word of it for memory. What an assumption there speaks of stays as it is, so that some states are
/// left.
pub(super) fn start_at(program: &mut Program, value: i128) {
    let Program { procedures, variables, entry, .. } = program;
    let blocks = &mut procedures[entry.index()].blocks;
    let mut assumed = BTreeSet::new();
    for instruction in blocks.iter().flat_map(|block| &block.commands) {
        if let Command::Assume { condition } = &instruction.command {
            condition.variables().for_each(|it| {
                assumed.insert(it);
            });
        }
    }
    for block in blocks {
        for instruction in std::mem::take(&mut block.commands) {
            let span = instruction.span;
            let (command, after) = match instruction.command {
                Command::Havoc { target, source: HavocSource::Input(source) } => {
                    let ty = variables[target.index()].ty;
                    let fixed = fixed(ty, value).filter(|_| !assumed.contains(&target));
                    let command = match fixed {
                        Some(value) => Command::Assign { target, value: Expr::Constant(value) },
                        None => Command::Havoc { target, source: HavocSource::Input(source) },
                    };
                    (command, Vec::new())
                }
                Command::Allocate { target, size, kind, content: InitialContent::Arbitrary } => {
                    let stores = stores(target, &size, value);
                    let content = InitialContent::Zero;
                    (Command::Allocate { target, size, kind, content }, stores)
                }
                other => (other, Vec::new()),
            };
            let commands = [command].into_iter().chain(after);
            block.commands.extend(commands.map(|command| Instruction { command, span }));
        }
    }
}

/// Larger blocks are zero at first, whatever value is asked for.
const MOST_WORDS: i128 = 16;

/// Gives the words of a block of zeros a value.
fn stores(block: Variable, size: &Expr, value: i128) -> Vec<Command> {
    const BYTES: i128 = 4;
    let ty = ScalarType::Int(IntKind { bits: 32, signed: true });
    let n_words = match size {
        Expr::Constant(size) if value != 0 && size % BYTES == 0 => size / BYTES,
        _ => 0,
    };
    let store = |word: i128| Command::Store {
        address: Expr::binary(BinaryOp::Add, block.into(), Expr::Constant(word * BYTES)),
        value: Expr::Constant(value),
        ty,
    };
    if n_words > MOST_WORDS { Vec::new() } else { (0..n_words).map(store).collect() }
}

/// What a variable is at first that is to have a value: the value, or 0 if it cannot have that.
fn fixed(ty: ScalarType, value: i128) -> Option<i128> {
    match ty {
        ScalarType::Int(kind) if kind.min() <= value && value <= kind.max() => Some(value),
        ScalarType::Int(_) | ScalarType::Pointer => Some(0),
        ScalarType::Float(_) => None,
    }
}

/// The blocks from 1 on of a procedure that lets a run go on if a condition holds.
fn assumed(condition: Expr) -> Vec<Block> {
    vec![block(vec![Command::Assume { condition }], Terminator::Goto(BlockId(2)))]
}

/// The same for the value that leads on by the first of these ways that is open, when one of
/// them is tried before the others; by the last one, if none is.
fn first_open(ways: &[Way], first: usize, is: &dyn Fn(i128) -> Expr) -> Vec<Block> {
    let (before, rest) = ways.split_at(first.min(ways.len()));
    let tried = rest.iter().take(1).chain(before).chain(rest.iter().skip(1));
    let end = BlockId::at(1 + ways.iter().map(|way| way.assumed.len() + 1).sum::<usize>());
    let mut blocks = Vec::new();
    for (place, way) in tried.enumerate() {
        let next = BlockId::at(1 + blocks.len() + way.assumed.len() + 1);
        // Past the last way there is nothing to try.
        let conditions = if place + 1 == ways.len() { &[][..] } else { &way.assumed };
        for condition in conditions {
            let then = BlockId::at(1 + blocks.len() + 1);
            let branch = Terminator::Branch { condition: condition.clone(), then, otherwise: next };
            blocks.push(block(Vec::new(), branch));
        }
        let condition = is(way.value);
        blocks.push(block(vec![Command::Assume { condition }], Terminator::Goto(end)));
    }
    while blocks.len() + 1 < end.index() {
        blocks.push(dead_end());
    }
    blocks
}

/// Calls a procedure where another one assumes what is not so.
fn undefined_where(body: &mut Procedure, has_none: ProcedureId) {
    let mut index = 0;
    while index < body.blocks.len() {
        let is_assumption = |it: &Instruction| matches!(it.command, Command::Assume { .. });
        if let Some(position) = body.blocks[index].commands.iter().position(is_assumption) {
            let rest = body.blocks[index].commands.split_off(position + 1);
            let assumption = body.blocks[index].commands.pop().map(|it| it.command);
            let Some(Command::Assume { condition }) = assumption else { continue };
            let (then, otherwise) =
                (BlockId::at(body.blocks.len()), BlockId::at(body.blocks.len() + 1));
            let branch = Terminator::Branch { condition, then, otherwise };
            let terminator = std::mem::replace(&mut body.blocks[index].terminator, branch);
            let span = body.blocks[index].span;
            body.blocks.push(Block { commands: rest, terminator, span });
            let undefined = vec![call(has_none, span).command];
            body.blocks.push(block(undefined, Terminator::Goto(otherwise)));
        }
        index += 1;
    }
}
