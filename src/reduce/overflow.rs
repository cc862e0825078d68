//! Loops that nothing but an overflow ends, or another step that is undefined.
//!
//! A proof that leaves out the runs that overflow says nothing of a loop that all of them
//! leave out: `for (int i = 0; i < 5000000000; i++)` has no run without overflow that ends.
//! So a loop counts as ended only if it can be left where integers have their ranges. The same
//! is so of what else is undefined, where proofs take for granted that it does not happen:
//! `for (int i = 0; ; i++) a[i] = 0;` has no run in bounds that ends.
//!
//! Most loops are left in plain runs. Of the others it is asked whether their ends, as
//! errors, are out of reach, and the loops themselves are not.

use base::budget::Budget;
use base::graph::{reverse_postorder, strongly_connected_components};
use base::limits::{LONGEST_RUN, RUNS_FOR_EXITS, SHORT_RUNS, STEPS_EACH, STEPS_FOR_EXITS};
use base::source::Span;
use concolic::explore::Exploration;
use concolic::machine::Concolic;
use concrete::Outcome;
use concrete::choices::ChoiceList;
use concrete::interpreter::Interpreter;
use concrete::state::State;
use evidence::alarm::{Alarm, AlarmKind};
use heap::shape::ShapeLibrary;
use ir::semantics::{Definedness, largest_object};
use ir::slice;
use ir::slice::addresses::{Addresses, as_numbers, reading_inputs};
use ir::slice::parts::apart;
use ir::{
    BinaryOp, Block, BlockId, Callee, Command, Expr, Instruction, ProcedureId, Program, ScalarType,
    Terminator, Variable,
};
use obligation::{ErrorKind, Goal, Obligation};
use prove::is_proved_at_once;
use std::collections::{BTreeSet, HashSet};

/// The runs that a proof leaves out.
#[derive(Clone, Copy)]
pub(super) enum LeftOut<'a> {
    /// Those that overflow.
    Overflow,
    /// Those in which something undefined happens.
    Undefined {
        /// What ends them for the proof.
        alarms: &'a [Alarm],
        /// What the proof knows of memory.
        contents: Contents,
    },
}

/// What memory holds in the runs that a proof is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Contents {
    /// What was written.
    Written,
    /// Anything.
    Any,
}

/// The place of a loop that no defined run leaves, in a program of which a proof leaves out
/// some runs.
pub(super) fn only_undefined_ends(
    program: &Program,
    left_out: LeftOut<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Span> {
    let definedness = match left_out {
        LeftOut::Overflow if !program_has_overflow(program) => return None,
        LeftOut::Overflow => Definedness::Shown,
        LeftOut::Undefined { .. } => Definedness::Assumed,
    };
    let is_of_any = matches!(left_out, LeftOut::Undefined { contents: Contents::Any, .. });
    let numbers =
        (is_of_any || program.open.is_some()).then(|| as_numbers(program, Addresses::Moving));
    // Runs of a function by itself find memory of which nothing is known.
    let begun = |numbers: Program| with_low_addresses(reading_inputs(numbers), program);
    let open = numbers.clone().filter(|it| it.open.is_some()).map(begun);
    let asked = program;
    let program = open.as_ref().unwrap_or(program);
    let goal = Goal::avoids_all(&[ErrorKind::ErrorReached]);
    let never = |marked: &Program| {
        let obligation = Obligation::new(marked, goal).with_definedness(definedness);
        is_proved_at_once(&obligation, library, budget)
    };
    let mut loops = loops_of(program);
    let mut seen = Seen::of(program);
    loops.retain(|it| !seen.leaves(it));
    if !loops.is_empty() || !seen.has_ended {
        seen.explore(program, budget);
        loops.retain(|it| !seen.leaves(it));
    }
    // The way to a loop may be long, or through what memory holds: procedures by themselves come
    // there sooner.
    if let Some(numbers) = numbers.filter(|_| is_of_any && !loops.is_empty()) {
        let parts = begun(apart(&numbers).unwrap_or(numbers));
        let mut others = Seen::of(&parts);
        others.explore(&parts, budget);
        loops.retain(|it| seen.fails_in(program, it) || !others.leaves(it));
    }
    // What is taken for granted leaves out runs of all kinds: where some end, or are seen to fail, a
    // run must be seen that leaves the loop, unless none comes to it.
    if let LeftOut::Undefined { alarms, .. } = left_out {
        let ends = Ends::of(program, alarms);
        loops.retain(|it| {
            ends.may_end(program, it) || seen.fails_in(program, it) || it.ends_by_addresses(asked)
        });
    }
    let may_be_left =
        |it: &Loop| definedness == Definedness::Shown && !never(&with_errors_at_ends(program, it));
    let found =
        loops.iter().find(|it| !may_be_left(it) && !never(&with_error_at_start(program, it)));
    if let Some(found) = found {
        return Some(program.procedure(found.procedure).block(found.head).span);
    }
    let may_end = || match left_out {
        LeftOut::Overflow => !never(&with_error_at_the_end(program)),
        LeftOut::Undefined { alarms, .. } => {
            (alarms.is_empty() || is_of_any) && seen.failures.is_empty()
        }
    };
    let is_endless = !seen.has_ended && !may_end();
    is_endless.then(|| place_of(program))
}

/// Where runs end for a proof that leaves them out from there on: the places of commands that are
/// undefined themselves, and of others. None is known if the program has not all of them.
struct Ends(Option<[BTreeSet<Span>; 2]>);

impl Ends {
    fn of(program: &Program, alarms: &[Alarm]) -> Self {
        let blocks = program.blocks();
        let known: BTreeSet<Span> = blocks.flat_map(spans).collect();
        let mut places = [BTreeSet::new(), BTreeSet::new()];
        for alarm in alarms {
            let is_other = !matches!(alarm.kind, AlarmKind::Undefined(_));
            places[usize::from(is_other)].insert(alarm.span);
        }
        Self(places.iter().all(|it| it.is_subset(&known)).then_some(places))
    }

    /// Whether a run may end so in the loop.
    fn may_end(&self, program: &Program, of: &Loop) -> bool {
        let Some([undefined, others]) = &self.0 else { return true };
        let is_end = |block: &Block| {
            let mut commands = block.commands.iter().map(|it| (&it.command, it.span));
            others.contains(&block.span)
                || commands.any(|(command, span)| match command {
                    Command::Unsupported { .. } => undefined.contains(&span),
                    Command::Copy { .. } => undefined.contains(&span) || others.contains(&span),
                    _ => others.contains(&span),
                })
        };
        let own = &program.procedure(of.procedure).blocks;
        of.blocks.iter().any(|block| is_end(&own[*block]))
            || called_in(program, of)
                .into_iter()
                .any(|called| program.procedures[called].blocks.iter().any(is_end))
    }
}

fn spans(block: &Block) -> impl Iterator<Item = Span> + '_ {
    block.commands.iter().map(|it| it.span).chain([block.span])
}

/// Whether runs of the program are left out.
pub(super) fn program_has_overflow(program: &Program) -> bool {
    let blocks = program.blocks();
    blocks.flat_map(|it| &it.commands).any(|it| it.command.range_assumed().is_some())
}

/// The place of the first procedure that the user wrote.
fn place_of(program: &Program) -> Span {
    let spans = program.procedures.iter().map(|it| it.span);
    spans.into_iter().find(|it| it.is_somewhere()).unwrap_or(Span::NOWHERE)
}

/// A part of a procedure that control can come round to, as large as possible.
struct Loop {
    procedure: ProcedureId,
    blocks: BTreeSet<usize>,
    head: BlockId,
}

impl Loop {
    /// Whether it is left by what pointers hold only, and moves one: what counts on that may count on
    /// addresses that come round, which no object has.
    fn ends_by_addresses(&self, program: &Program) -> bool {
        let own = || self.blocks.iter().map(|it| &program.procedure(self.procedure).blocks[*it]);
        let is_pointer = |it: Variable| program.variable(it).ty == ScalarType::Pointer;
        let mut exits = own().filter(|block| {
            let mut next = block.terminator.successors().into_iter();
            next.any(|it| !self.blocks.contains(&it.index()))
        });
        let moves = |command: &Command| match command {
            Command::Assign { target, value: value @ Expr::Binary(..) } => {
                is_pointer(*target) && value.variables().any(is_pointer)
            }
            _ => false,
        };
        exits.all(|it| {
            let condition = it.terminator.expression();
            condition.is_some_and(|it| it.variables().any(is_pointer))
        }) && own().flat_map(|it| &it.commands).any(|it| moves(&it.command))
    }
}

/// A program about numbers where those that are addresses in another one are so low that no object
/// reaches to where they come round.
fn with_low_addresses(mut numbers: Program, of: &Program) -> Program {
    let most = Expr::Constant(largest_object(of.pointer_bytes));
    let is_address =
        |it: Variable| of.variables.get(it.index()).is_some_and(|it| it.ty == ScalarType::Pointer);
    let low = |address: Variable, span| {
        let condition = Expr::binary(BinaryOp::LessEqual, address.into(), most.clone());
        Instruction { command: Command::Assume { condition }, span }
    };
    for procedure in &mut numbers.procedures {
        for block in &mut procedure.blocks {
            let commands = std::mem::take(&mut block.commands).into_iter();
            let with_low = commands.flat_map(|it| {
                let begun = match it.command {
                    Command::Havoc { target, .. } if is_address(target) => Some(target),
                    _ => None,
                };
                let begun = begun.map(|address| low(address, it.span));
                std::iter::once(it).chain(begun)
            });
            block.commands = with_low.collect();
        }
        let addresses = procedure.parameters.iter().copied().filter(|it| is_address(*it));
        if let Some(first) = procedure.blocks.first_mut() {
            let begun = addresses.map(|it| low(it, first.span)).collect::<Vec<_>>();
            first.commands.splice(0..0, begun);
        }
    }
    numbers
}

/// Whether a loop of the program may count on addresses that come round.
pub(super) fn ends_by_addresses(program: &Program) -> bool {
    loops_of(program).iter().any(|it| it.ends_by_addresses(program))
}

fn loops_of(program: &Program) -> Vec<Loop> {
    let mut loops = Vec::new();
    for (index, procedure) in program.procedures.iter().enumerate() {
        let successors = procedure.successor_lists();
        // Loops of the library's models are left wherever a call of it is defined.
        if successors.is_empty() || procedure.is_of_library() {
            continue;
        }
        let components = strongly_connected_components(&successors);
        // Nothing comes to what models have left behind.
        let entered = reverse_postorder(&successors, 0);
        for component in 0..components.cyclic.len() {
            let in_component = |block: &usize| components.of[*block] == component;
            let blocks: BTreeSet<usize> = entered.iter().copied().filter(in_component).collect();
            if let (true, Some(head)) = (components.cyclic[component], blocks.first().copied()) {
                let (procedure, head) = (ProcedureId::at(index), BlockId::at(head));
                loops.push(Loop { procedure, blocks, head });
            }
        }
    }
    loops
}

/// The steps from block to block that plain runs take.
struct Seen {
    edges: HashSet<(ProcedureId, usize, usize)>,
    returns: HashSet<(ProcedureId, usize)>,
    /// Where runs were when they did something undefined, with their callers.
    failures: HashSet<(ProcedureId, usize)>,
    /// Whether a run came to its end.
    has_ended: bool,
}

impl Seen {
    /// What runs see that get the same number whatever they ask for.
    fn of(program: &Program) -> Self {
        let (edges, returns, failures) = (HashSet::new(), HashSet::new(), HashSet::new());
        let mut seen = Self { edges, returns, failures, has_ended: false };
        for value in RUNS_FOR_EXITS {
            seen.run(program, vec![value; 4 * usize::from(u8::MAX)]);
        }
        seen
    }

    /// Looks at runs that take other ways, too: what is read may have to fit.
    fn explore(&mut self, program: &Program, budget: &Budget) {
        let concolic = Concolic::new(program);
        let mut runs = Exploration::new(&concolic, SHORT_RUNS).preferring_news();
        let mut steps = budget.of_part(STEPS_FOR_EXITS);
        while let Some(trace) = runs.next(&mut steps) {
            self.run(program, trace.choices.iter().map(|it| it.value).collect());
        }
    }

    fn run(&mut self, program: &Program, choices: Vec<i128>) {
        let interpreter = Interpreter::new(program);
        let mut state = interpreter.initial();
        let mut choices = ChoiceList::new(choices);
        // Each loop has to be reached.
        let longest = LONGEST_RUN.max(STEPS_EACH * slice::size(program) as u64);
        for _ in 0..longest {
            let Some(before) = place(&state) else { break };
            let outcome = interpreter.step(&mut state, &mut choices);
            let after = place(&state).filter(|_| outcome == Outcome::Running);
            match after {
                Some(after) if after.0 == before.0 => {
                    self.edges.insert((before.1, before.2, after.2));
                }
                Some(after) if after.0 > before.0 => {}
                _ if matches!(outcome, Outcome::Running | Outcome::Halted) => {
                    self.returns.insert((before.1, before.2));
                }
                _ => {}
            }
            self.has_ended |= outcome == Outcome::Halted;
            if let Outcome::MemoryError { .. } = outcome {
                let places = state.frames().iter().map(|it| it.location());
                self.failures.extend(places.map(|it| (it.procedure, it.block.index())));
            }
            if outcome != Outcome::Running {
                break;
            }
        }
    }

    /// Whether a run was seen to do something undefined in the loop, or in what it calls.
    fn fails_in(&self, program: &Program, of: &Loop) -> bool {
        let within = called_in(program, of);
        self.failures.iter().any(|(at, block)| {
            *at == of.procedure && of.blocks.contains(block) || within.contains(&at.index())
        })
    }

    /// Whether a run was seen to leave the loop.
    fn leaves(&self, of: &Loop) -> bool {
        let is_in = |block: &usize| of.blocks.contains(block);
        self.returns.iter().any(|(at, block)| *at == of.procedure && is_in(block))
            || self
                .edges
                .iter()
                .any(|(at, from, to)| *at == of.procedure && is_in(from) && !is_in(to))
    }
}

/// How many calls are active, and the procedure and block of the innermost one.
fn place(state: &State) -> Option<(usize, ProcedureId, usize)> {
    let location = state.location()?;
    Some((state.frames().len(), location.procedure, location.block.index()))
}

fn error_block(span: Span) -> Block {
    let command = Command::Error { what: "an end".to_owned() };
    Block { commands: vec![Instruction { command, span }], terminator: Terminator::Halt, span }
}

/// The program with an error where the loop begins.
fn with_error_at_start(program: &Program, of: &Loop) -> Program {
    let mut marked = program.clone();
    let block = &mut marked.procedures[of.procedure.index()].blocks[of.head.index()];
    *block = error_block(block.span);
    marked
}

/// The program with an error wherever the loop is left: behind it, and where the program
/// ends in it or an assumption of the program fails.
fn with_errors_at_ends(program: &Program, of: &Loop) -> Program {
    let mut marked = program.clone();
    let within = called_in(program, of);
    for (index, procedure) in marked.procedures.iter_mut().enumerate() {
        let is_own = index == of.procedure.index();
        let n_blocks = procedure.blocks.len();
        let is_in = |block: usize| within.contains(&index) || is_own && of.blocks.contains(&block);
        let end = BlockId::at(n_blocks);
        if n_blocks == 0 {
            continue;
        }
        procedure.blocks.push(error_block(procedure.span));
        for block in 0..n_blocks {
            if !is_in(block) {
                continue;
            }
            let is_left = |to: BlockId| is_own && !within.contains(&index) && !is_in(to.index());
            let terminator = &mut procedure.blocks[block].terminator;
            match terminator {
                Terminator::Halt => *terminator = Terminator::Goto(end),
                Terminator::Return(_) if is_own && !within.contains(&index) => {
                    *terminator = Terminator::Goto(end);
                }
                other => other.for_each_successor_mut(&mut |to| {
                    if is_left(*to) {
                        *to = end;
                    }
                }),
            }
            split_at_assumptions(&mut procedure.blocks, block, end);
        }
    }
    marked
}

/// The program with an error wherever it ends, or an assumption of its own fails.
fn with_error_at_the_end(program: &Program) -> Program {
    let mut marked = program.clone();
    for procedure in &mut marked.procedures {
        let (n_blocks, end) = (procedure.blocks.len(), BlockId::at(procedure.blocks.len()));
        if n_blocks == 0 {
            continue;
        }
        procedure.blocks.push(error_block(procedure.span));
        for block in 0..n_blocks {
            if let Terminator::Halt = procedure.blocks[block].terminator {
                procedure.blocks[block].terminator = Terminator::Goto(end);
            }
            split_at_assumptions(&mut procedure.blocks, block, end);
        }
    }
    marked
}

/// Makes branches to `end` of the assumptions in a block that are not about ranges.
fn split_at_assumptions(blocks: &mut Vec<Block>, block: usize, end: BlockId) {
    let mut at = block;
    loop {
        let is_assumption = |it: &Instruction| {
            matches!(it.command, Command::Assume { .. }) && it.command.range_assumed().is_none()
        };
        let Some(position) = blocks[at].commands.iter().position(is_assumption) else { return };
        let rest = blocks[at].commands.split_off(position + 1);
        let Some(Instruction { command: Command::Assume { condition }, span }) =
            blocks[at].commands.pop()
        else {
            return;
        };
        let next = BlockId::at(blocks.len());
        let branch = Terminator::Branch { condition, then: next, otherwise: end };
        let terminator = std::mem::replace(&mut blocks[at].terminator, branch);
        blocks.push(Block { commands: rest, terminator, span });
        at = next.index();
    }
}

/// The procedures that may run while the loop does.
fn called_in(program: &Program, of: &Loop) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let own = &program.procedure(of.procedure).blocks;
    let mut open: Vec<&Block> = of.blocks.iter().map(|block| &own[*block]).collect();
    while let Some(block) = open.pop() {
        for instruction in &block.commands {
            let Command::Call { callee, .. } = &instruction.command else { continue };
            let callees: Vec<usize> = match callee {
                Callee::Direct(callee) => {
                    program.entered(*callee).map(ProcedureId::index).collect()
                }
                Callee::Indirect(_) => (0..program.procedures.len()).collect(),
            };
            for callee in callees {
                if found.insert(callee) {
                    open.extend(&program.procedures[callee].blocks);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::loops_of;

    #[test]
    fn loops_that_nothing_comes_to_are_none() {
        let loops = |first: &str| {
            let text = format!(
                "procedure main(n: i32) {{
                b0: {first}
                b1: n := n + 1 if n < 9 goto b1 else b2
                b2: return }}
                entry main"
            );
            loops_of(&ir::text::parse("loops.goto", &text).unwrap().program).len()
        };
        assert_eq!(loops("goto b1"), 1);
        assert_eq!(loops("return"), 0);
    }
}
