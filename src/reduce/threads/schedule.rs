//! The program of all threads.

use super::ends::number_of;
use super::first::first_thread;
use super::inline::Code;
use super::kinds::{Number, Site};
use super::locks::{Held, Protected, alone, protected};
use super::pauses::{IsMain, pauses};
use super::sharing::{Shared, silent};
use super::steps::{live, one_access_each, stops, without_sections};
use super::{Grain, Purpose, Special, Thread, created, special, successors};
use crate::instrument::{
    Instrumented, add_global, add_local, add_procedure, block, call, dead_end,
};
use crate::propositions::NUMBER;
use base::graph::weak_topological_order;
use base::source::Span;
use concolic::turns::WHO;
use ir::{
    BinaryOp, Block, BlockId, Command, Expr, HavocSource, Instruction, MemoryKind, ProcedureId,
    Program, ScalarType, Terminator, Variable,
};
use obligation::{Compassion, Fairness};
use std::collections::{BTreeMap, BTreeSet};

/// Where a thread is that has not begun.
pub(super) const NOT_STARTED: i128 = -1;
/// Where a thread is that has ended.
pub(super) const ENDED: i128 = -2;
/// Where a thread is that stays for ever, without what it was about to use.
const GONE: i128 = -3;
/// Where a thread is that has ended and was waited for, where names are seen.
pub(super) const JOINED: i128 = -4;
/// Where it is decided who moves.
pub(super) const SCHEDULE: BlockId = BlockId(1);
/// The variable that holds the number of the thread that moves.
pub(super) const TURN: &str = "$turn";
/// What a thread is called that has no name of its own.
pub(super) const NEVER_NAMED: i128 = 10_000;
/// What the first thread is called. Others follow.
const FIRST_NAME: i128 = 1_000;
/// Where no run goes on.
pub(super) const STUCK: BlockId = BlockId(2);

/// What the variables are called that hold where threads are, before the number.
const PLACE: &str = "$place";

/// The number and the function of a thread, by the name of the variable that holds where it is.
pub(super) fn place_name(name: &str) -> Option<(i128, String)> {
    let (number, function) = name.strip_prefix(PLACE)?.split_once('.')?;
    Some((number.parse().ok()?, function.to_owned()))
}

/// What the thread with a number is called in the program.
pub(super) fn name_of(number: usize) -> i128 {
    i128::try_from(number).unwrap_or(0).saturating_add(FIRST_NAME)
}

/// The program of these threads, the first of which runs `main`. Others than the relevant ones
/// are never started: what they do makes no difference.
pub(super) fn product(
    mut program: Program,
    mut threads: Vec<Thread>,
    relevant: &BTreeSet<usize>,
    (wanted, purpose, grain): (ProcedureId, Purpose, Grain),
) -> Result<(Instrumented, Grain), String> {
    let main = first_thread(&mut program)?;
    let shared = Shared::of(&program, &threads);
    let step = add_procedure(&mut program, "$step");
    let turn = add_local(&mut program, main, TURN, NUMBER);
    let who = add_local(&mut program, main, "$thread", NUMBER);
    let blocks = vec![dead_end(), dead_end(), dead_end()];
    let parameters = threads.iter().map(|it| it.code.parameters.first().copied()).collect();
    let places = Vec::new();
    let mut product = Product {
        blocks,
        places,
        step,
        turn,
        who,
        relevant: relevant.clone(),
        purpose,
        parameters,
        results: BTreeMap::new(),
        anybody: who,
        names: Vec::new(),
        has_detached: false,
        crowds: (0..threads.len()).filter(|it| threads[*it].number == Number::Crowd).collect(),
        held: BTreeMap::new(),
    };
    for (number, thread) in threads.iter().enumerate() {
        let name = format!("{PLACE}{number}.{}", program.procedure(thread.start).shown_name());
        product.places.push(add_global(&mut program, &name, NUMBER));
    }
    product.add_results(&mut program, &threads);
    product.add_names(&mut program, &threads, &shared);
    let protected = protected(&program, &threads, &shared, grain);
    let mut stopping = Vec::new();
    for number in &product.relevant {
        let thread = &mut threads[*number];
        one_access_each(&mut program, main, &mut thread.code, &shared);
        let is_wanted = thread.start == wanted;
        let what = (*number, is_wanted);
        stopping.push(stopped(&program, &mut thread.code, what, (&shared, &protected)));
    }
    let (mut parts, mut dispatches) = (Vec::new(), Vec::new());
    for (number, Stopping { stops, silent, held }) in relevant.iter().zip(stopping) {
        let Thread { start, code, number: kind, sites } = &threads[*number];
        let is_wanted = *start == wanted && *kind == Number::One;
        let kind = *kind;
        let part = Part { number: *number, code, stops, silent, is_wanted, kind, held, sites };
        if kind == Number::One {
            product.note_held(&part);
        }
        parts.push(part);
    }
    for part in &parts {
        dispatches.push((part.number, product.add(&program, part)));
    }
    let likely = dispatches.iter().find(|(number, _)| threads[*number].start == wanted);
    let likely = likely.map_or(STUCK, |(_, to)| *to);
    product.begin(&dispatches, likely);
    let control = product.places.clone();
    let body = &mut program.procedures[main.index()];
    body.blocks = product.blocks;
    body.lasting = Vec::new();
    let requirements = vec![Compassion { whenever: None, then: step }];
    let instrumented = Instrumented { program, fairness: Fairness { requirements, control } };
    Ok((instrumented, protected.grain()))
}

/// Where a thread stops.
struct Stopping {
    stops: BTreeSet<usize>,
    silent: BTreeSet<usize>,
    held: BTreeMap<usize, Held>,
}

/// Divides the code of the thread with this number where it stops.
fn stopped(
    program: &Program,
    code: &mut Code,
    (number, is_wanted): (usize, bool),
    (shared, protected): (&Shared, &Protected),
) -> Stopping {
    let (is_main, alone) = match number {
        0 => (IsMain::Yes, alone(program, code)),
        _ => (IsMain::No, BTreeSet::new()),
    };
    let mut stops = stops(program, code, shared, (protected, &alone));
    pauses(program, code, &mut stops, (shared, protected), is_main);
    let held = protected.held(program, code);
    without_sections(program, code);
    let has_end = is_main == IsMain::No || is_wanted;
    let silent = if has_end { BTreeSet::new() } else { silent(program, code, &stops, shared) };
    let held = stops.iter().map(|it| (*it, held[*it].clone().unwrap_or_default())).collect();
    Stopping { stops, silent, held }
}

pub(super) struct Product {
    pub(super) blocks: Vec<Block>,
    /// For each thread, where it is.
    pub(super) places: Vec<Variable>,
    pub(super) step: ProcedureId,
    pub(super) turn: Variable,
    /// Which thread moves next.
    pub(super) who: Variable,
    pub(super) relevant: BTreeSet<usize>,
    pub(super) purpose: Purpose,
    /// For each thread, what it is given.
    pub(super) parameters: Vec<Option<Variable>>,
    /// What threads have returned.
    pub(super) results: BTreeMap<usize, Variable>,
    /// What one of those is called that are not told apart.
    pub(super) anybody: Variable,
    /// The numbers that stand for several threads.
    pub(super) crowds: BTreeSet<usize>,
    /// What threads are called, if that is seen.
    pub(super) names: Vec<Variable>,
    /// Whether threads may give these back that nobody waits for.
    pub(super) has_detached: bool,
    /// For each lock, the threads and places where it is held.
    pub(super) held: BTreeMap<Variable, Vec<(usize, i128)>>,
}

/// A thread on its way into the product.
pub(super) struct Part<'a> {
    pub(super) number: usize,
    pub(super) code: &'a Code,
    pub(super) stops: BTreeSet<usize>,
    /// Where it need not move any more.
    pub(super) silent: BTreeSet<usize>,
    pub(super) is_wanted: bool,
    pub(super) kind: Number,
    /// The locks that it holds at its stops.
    pub(super) held: BTreeMap<usize, Held>,
    pub(super) sites: &'a [Site],
}

impl Product {
    pub(super) fn push(&mut self, commands: Vec<Command>, terminator: Terminator) -> BlockId {
        self.blocks.push(block(commands, terminator));
        BlockId::at(self.blocks.len() - 1)
    }

    pub(super) fn moves_to(&self, thread: usize, place: i128) -> Command {
        Command::Assign { target: self.places[thread], value: Expr::Constant(place) }
    }

    /// Adds the code of a thread. Gives where it moves.
    fn add(&mut self, program: &Program, part: &Part<'_>) -> BlockId {
        let heads = heads(part);
        let live = live(part.code);
        let kept: BTreeSet<Variable> =
            part.stops.iter().flat_map(|stop| live[*stop].iter().copied()).collect();
        // The numbers of the places: 0 is the start.
        let numbers: BTreeMap<usize, i128> = part.stops.iter().copied().zip(1..).collect();
        let first = self.blocks.len();
        let at = |block: BlockId| BlockId::at(first + block.index());
        for it in &part.code.blocks {
            self.push(Vec::new(), Terminator::Halt);
            if let Some(last) = self.blocks.last_mut() {
                last.span = it.span;
            }
        }
        for (number, it) in part.code.blocks.iter().enumerate() {
            let mut here = first + number;
            let waits = if part.stops.contains(&number) { waits(part.code, it) } else { 0 };
            for instruction in &it.commands[..waits] {
                here = self.wait(here, instruction, first + number);
            }
            // Who waits for a thread makes no step either.
            let is_join =
                |it: &Instruction| matches!(special(program, it), Some((Special::Join, _)));
            let joins = waits + usize::from(it.commands.get(waits).is_some_and(is_join));
            for instruction in &it.commands[waits..joins] {
                here = self.instruction(program, here, (part, instruction), (first, number), &kept);
            }
            let moves = number == 0 || part.stops.contains(&number) || heads[number];
            if part.is_wanted && moves {
                self.blocks[here].commands.push(call(self.step, it.span));
            }
            for instruction in &it.commands[joins..] {
                here = self.instruction(program, here, (part, instruction), (first, number), &kept);
            }
            let ends = |this: &Self, value: Option<Expr>| match part.number {
                0 => (Vec::new(), Terminator::Return(Some(Expr::Constant(0)))),
                _ => (this.ends(program, part, value), Terminator::Goto(SCHEDULE)),
            };
            let mut terminator = it.terminator.clone();
            if let Terminator::Return(value) = &mut terminator {
                let (commands, end) = ends(self, value.take());
                self.blocks[here].commands.extend(commands.into_iter().map(nowhere));
                terminator = end;
            } else {
                terminator.for_each_successor_mut(&mut |to| *to = at(*to));
            }
            self.blocks[here].terminator = terminator;
        }
        // Who comes to a stop gives way.
        let mut ways: BTreeMap<BlockId, BlockId> = BTreeMap::new();
        for (stop, place) in &numbers {
            let mut commands = self.leaves(part, part.number, *place);
            let is_lost = |it: &&Variable| part.kind == Number::Crowd || !live[*stop].contains(*it);
            let dead = kept.iter().filter(is_lost);
            commands.extend(forgotten(program, dead));
            let way = self.push(commands, Terminator::Goto(SCHEDULE));
            ways.insert(BlockId::at(first + stop), way);
        }
        let last = self.blocks.len() - numbers.len();
        for it in &mut self.blocks[first..last] {
            it.terminator.for_each_successor_mut(&mut |to| {
                if let Some(way) = ways.get(to) {
                    *to = *way;
                }
            });
        }
        if part.kind == Number::Crowd {
            return self.any_of_crowd(part, first, &live);
        }
        let mut cases: Vec<(i128, i128, BlockId)> = vec![(0, 0, BlockId::at(first))];
        let moving = numbers.iter().filter(|(stop, _)| !part.silent.contains(stop));
        let resumed = moving.map(|(stop, place)| (*place, BlockId::at(first + stop)));
        cases.extend(resumed.map(|(place, to)| (place, place, to)));
        let value = self.places[part.number].into();
        let default = self.idle();
        let number = i128::try_from(part.number).unwrap_or(0);
        let turn = Command::Assign { target: self.turn, value: Expr::Constant(number) };
        self.push(vec![turn], Terminator::Switch { value, cases, default })
    }

    /// What is noted when a thread of this part leaves for a place.
    pub(super) fn leaves(&self, part: &Part<'_>, number: usize, place: i128) -> Vec<Command> {
        match part.kind {
            Number::One => vec![self.moves_to(number, place)],
            Number::Crowd => Vec::new(),
        }
    }

    /// The same, if that is seen only behind a stop.
    fn or_idle(&self, stop: usize) -> BlockId {
        match self.purpose {
            Purpose::Proof => STUCK,
            Purpose::Run => BlockId::at(stop),
        }
    }

    /// Where a run goes on in which somebody was chosen who cannot move.
    fn idle(&self) -> BlockId {
        match self.purpose {
            Purpose::Proof => STUCK,
            Purpose::Run => SCHEDULE,
        }
    }

    /// Adds a command that a step begins with; where it is an assumption that does not hold,
    /// the thread waits at its stop. Gives the block that goes on behind it.
    fn wait(&mut self, here: usize, instruction: &Instruction, stop: usize) -> usize {
        let Command::Assume { condition } = &instruction.command else {
            self.blocks[here].commands.push(instruction.clone());
            return here;
        };
        let then = self.push(Vec::new(), Terminator::Halt);
        let condition = condition.clone();
        let otherwise = self.or_idle(stop);
        let branch = Terminator::Branch { condition, then, otherwise };
        self.blocks[here].terminator = branch;
        self.blocks[then.index()].span = instruction.span;
        then.index()
    }

    /// Adds an instruction to a block. Gives the one that goes on behind it.
    fn instruction(
        &mut self,
        program: &Program,
        here: usize,
        (part, instruction): (&Part<'_>, &Instruction),
        (first, number): (usize, usize),
        kept: &BTreeSet<Variable>,
    ) -> usize {
        let span = instruction.span;
        let special = special(program, instruction);
        let done = match &instruction.command {
            Command::Call { target: Some(target), .. } => {
                vec![Command::Assign { target: *target, value: Expr::Constant(0) }]
            }
            _ => Vec::new(),
        };
        match special {
            None if asks(&instruction.command) => {
                return self.ask(program, here, (part, instruction), kept);
            }
            None => self.blocks[here].commands.push(instruction.clone()),
            Some((Special::Create | Special::CreateC11, _)) => {
                if let Some(created) = created(program, instruction)
                    && let Some(site) = created.site.and_then(|it| part.sites.get(it))
                {
                    let done = done.into_iter().map(|command| Instruction { command, span });
                    self.blocks[here].commands.extend(done);
                    return self.starts(here, site, &created, (program.pointer_bytes, span));
                }
            }
            Some((Special::Join, arguments)) => {
                let stop = self.or_idle(first + number);
                return self.join(here, arguments, (done, stop));
            }
            Some((Special::Result, arguments)) => {
                let target = instruction.command.target();
                return self.result(program, here, arguments, (target, span));
            }
            Some((Special::Itself, _)) => {
                let name = instruction.command.target().map(|it| number_of(part, it));
                let name = name.map(|command| Instruction { command, span });
                self.blocks[here].commands.extend(name);
            }
            Some((Special::Name, _)) => {
                let name = instruction.command.target().map(|it| self.name_of(part, it));
                let name = name.map(|command| Instruction { command, span });
                self.blocks[here].commands.extend(name);
            }
            Some((Special::Exit, arguments)) => {
                let value = arguments.first().cloned();
                let ends = self.ends(program, part, value).into_iter();
                let ends = ends.map(|command| Instruction { command, span });
                self.blocks[here].commands.extend(ends);
                self.blocks[here].terminator = Terminator::Goto(SCHEDULE);
                return self.push(Vec::new(), Terminator::Goto(STUCK)).index();
            }
            Some((
                Special::BeginSection
                | Special::EndSection
                | Special::BeginAcquire
                | Special::BeginRelease
                | Special::BeginTry,
                _,
            )) => {}
        }
        here
    }

    /// Lets the thread stay for ever, and nobody use what it was about to use. Gives the block
    /// that goes on behind that question.
    fn ask(
        &mut self,
        program: &Program,
        here: usize,
        (part, instruction): (&Part<'_>, &Instruction),
        kept: &BTreeSet<Variable>,
    ) -> usize {
        if self.purpose == Purpose::Run {
            return here;
        }
        let mut commands = vec![instruction.command.clone()];
        commands.extend(self.leaves(part, part.number, GONE));
        commands.extend(forgotten(program, kept.iter()));
        let then = self.push(commands, Terminator::Goto(SCHEDULE));
        let otherwise = self.push(Vec::new(), Terminator::Halt);
        let decides = Instruction { command: self.decides(), span: instruction.span };
        self.blocks[then.index()].commands[0].span = instruction.span;
        self.blocks[here].commands.push(decides);
        let stays = Expr::Constant(GONE);
        let condition = Expr::binary(BinaryOp::Equal, self.who.into(), stays);
        self.blocks[here].terminator = Terminator::Branch { condition, then, otherwise };
        otherwise.index()
    }

    pub(super) fn decides(&self) -> Command {
        let source = HavocSource::Input(WHO.to_owned());
        Command::Havoc { target: self.who, source }
    }

    /// Where the program begins, and where it is decided who moves: any number that is none of
    /// a thread stands for the likely one.
    fn begin(&mut self, dispatches: &[(usize, BlockId)], likely: BlockId) {
        let begin: Vec<Command> = (0..self.places.len())
            .map(|thread| self.moves_to(thread, if thread == 0 { 0 } else { NOT_STARTED }))
            .chain(self.takes_name(0))
            .collect();
        let first = dispatches.first().map_or(STUCK, |(_, to)| *to);
        self.blocks[0] = block(begin, Terminator::Goto(first));
        let decides = self.decides();
        let default = match self.purpose {
            Purpose::Proof => STUCK,
            Purpose::Run => likely,
        };
        let number = |thread: usize| i128::try_from(thread).unwrap_or(0);
        let cases = match self.purpose {
            Purpose::Proof => {
                let own = dispatches.iter().map(|(thread, to)| (number(*thread), *to));
                own.map(|(thread, to)| (thread, thread, to)).collect()
            }
            Purpose::Run => {
                let in_turn = dispatches.iter().map(|(_, to)| *to).cycle();
                let all = (-4..=12).zip(in_turn).map(|(it, to)| (it, it, to));
                all.collect()
            }
        };
        let value = self.who.into();
        let on = Terminator::Switch { value, cases, default };
        self.blocks[SCHEDULE.index()] = block(vec![decides], on);
    }
}

/// Whether a command only asks whether anybody else would use memory.
fn asks(command: &Command) -> bool {
    matches!(command, Command::Free { kind: MemoryKind::Any, .. })
}

/// Gives variables the same value always.
fn forgotten<'a>(program: &Program, variables: impl Iterator<Item = &'a Variable>) -> Vec<Command> {
    let is_number = |it: &&Variable| !matches!(program.variable(**it).ty, ScalarType::Float(_));
    let zero = |it: &Variable| Command::Assign { target: *it, value: Expr::Constant(0) };
    variables.filter(is_number).map(zero).collect()
}

/// For each block of a thread, whether a loop begins there.
fn heads(part: &Part<'_>) -> Vec<bool> {
    let order = weak_topological_order(&successors(&part.code.blocks), 0);
    let mut heads = vec![false; part.code.blocks.len()];
    order.heads().for_each(|head| heads[head] = true);
    heads
}

/// How many commands a step begins with that change nothing that others see, up to an
/// assumption: if it does not hold, the thread waits.
fn waits(code: &Code, block: &Block) -> usize {
    let is_read = |command: &Command| match command {
        Command::Load { target, .. } | Command::Assign { target, .. } => {
            code.locals.contains(target)
        }
        Command::Assume { .. } => true,
        _ => false,
    };
    let n_reads = block.commands.iter().take_while(|it| is_read(&it.command)).count();
    let is_wait = |it: &Instruction| {
        matches!(it.command, Command::Assume { .. }) && it.command.range_assumed().is_none()
    };
    block.commands[..n_reads].iter().rposition(is_wait).map_or(0, |last| last + 1)
}

pub(super) fn nowhere(command: Command) -> Instruction {
    Instruction { command, span: Span::NOWHERE }
}
