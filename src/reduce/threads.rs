//! Threads: a program whose runs are those of all threads, one step after the other (papers
//! of the kind of Cook, Podelski and Rybalchenko, *Proving thread termination*, PLDI 2007, call
//! it the interleaving semantics).
//!
//! Each thread has a number of places where others may move: before it touches what they see.
//! Between two such places it runs alone. Which thread runs next is an input:
//!
//! ```text
//!   schedule   who := input; on with who, where it stopped
//!   who        $step, if it is the thread that is to end; its commands up to the next place;
//!              back to the schedule
//! ```
//!
//! A thread that waits for a lock makes no steps: the run that would let it go on is none. So
//! the thread ends, whatever the schedule, if no run has infinitely many events `$step`; and a
//! run that has them is a schedule against it.
//!
//! * `kinds`: which threads there are.
//! * `first`: the thread that runs `main`.
//! * `inline`: the code of a thread with all calls in place.
//! * [`driver`]: a program that starts no threads, and whose functions others call.
//! * `crowd`: any number of threads of one function in it.
//! * `freshness`: memory that no other thread knows.
//! * `sharing`: what other threads see of it.
//! * `locks`: what is only used while a lock is held.
//! * `whole`: code that is no thread's.
//! * `orders`: which orders of evaluation make no difference.
//! * `ends`: how it ends, and who waits for that.
//! * `names`: what threads are called.
//! * `steps`: where it stops.
//! * `pauses`: where else, as it may not come to the next such place.
//! * `schedule`: the program of all.
//! * `scalars`: parts of objects as variables.
//! * [`agreement`]: the paper's way: what the others keep to, and the thread beside that.
//! * [`races`]: what they use without a common lock.
//! * [`story`]: the schedule of a run.

pub mod agreement;
mod crowd;
pub mod driver;
mod ends;
mod first;
mod freshness;
mod inline;
mod kinds;
mod locks;
mod names;
mod pauses;
mod scalars;
mod orders;
pub mod races;
mod schedule;
mod sharing;
mod steps;
mod whole;
pub mod story;

use super::instrument::{Instrumented, procedure_named};
use base::dataflow::least;
use c::ORDER_LEFT_OPEN;
use freshness::Position;
use inline::Code;
use ir::{
    BlockId, Command, Expr, Gap, Instruction, Procedure, ProcedureId, Program, Terminator, Variable,
};
pub use kinds::Counting;
use kinds::Thread;
pub use sharing::Use;
use std::collections::BTreeSet;

/// What the program of all threads is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To show that no run is endless: who cannot move is not chosen.
    Proof,
    /// To find an endless run: whatever number is chosen, somebody is meant, and who cannot
    /// move does nothing.
    Run,
}

/// Where threads stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Before each access that others may see.
    Fine,
    /// Not before accesses of memory while a lock is held that threads use memory under; nor
    /// where that is not held, if nobody else uses the memory before the thread moves on. A
    /// program for proofs asks whether that is so: there the thread may stay for ever, and
    /// what it is about to use is taken away.
    Coarse,
}

/// The program of all threads, and its runs in which the named one makes steps for ever.
///
/// The grain given back is fine if there is no coarser one.
///
/// # Errors
/// Why there is none.
pub fn scheduled(
    program: Program,
    named: &str,
    what: (Purpose, Grain, Counting),
) -> Result<(Instrumented, Grain), String> {
    let endless = if what.0 == Purpose::Run { Endless::AreReal } else { Endless::MayBeMore };
    scheduled_for(program, named, what, endless)
}

/// The same, made for proofs of both kinds: its endless runs are runs of the program. There is
/// none where threads may give their names back at any time.
///
/// # Errors
/// Why it cannot be made.
pub fn exactly_scheduled(
    program: Program,
    named: &str,
    counting: Counting,
) -> Result<Option<Instrumented>, String> {
    if names::detaches(&program) {
        return Ok(None);
    }
    let what = (Purpose::Proof, Grain::Fine, counting);
    Ok(Some(scheduled_for(program, named, what, Endless::AreReal)?.0))
}

/// What the endless runs of a product are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Endless {
    /// Runs of the program.
    AreReal,
    /// Others among them: who waits for a thread that nobody else sees goes on.
    MayBeMore,
}

fn scheduled_for(
    program: Program,
    named: &str,
    (purpose, grain, counting): (Purpose, Grain, Counting),
    endless: Endless,
) -> Result<(Instrumented, Grain), String> {
    let mut program = program;
    let (main, wanted) = named_threads(&mut program, named)?;
    let mut threads = kinds::threads(&mut program, main, (wanted, counting))?;
    ends::mind_handlers(&program, main, &mut threads);
    orders_settled(&program, &mut threads);
    let is_wanted = |it: &usize| threads[*it].start == wanted;
    let mut first: BTreeSet<usize> = (0..threads.len()).filter(is_wanted).collect();
    if first.is_empty() {
        return Err(format!("the thread `{named}`: {NEVER_STARTED}"));
    }
    first.insert(0);
    // Who waits for such a thread may wait for ever.
    let may_last = |it: &usize| {
        let code = &threads[*it].code;
        may_last(&program, code) || endless == Endless::AreReal && may_break_off(code)
    };
    first.extend((0..threads.len()).filter(may_last));
    // What a thread returns, and whether its name is free, depends on how far it is.
    let shared = sharing::Shared::of(&program, &threads);
    if threads.iter().any(|it| asks_for_results(&program, &it.code))
        || names::are_seen(&program, &threads, &shared)
    {
        first.extend(0..threads.len());
    }
    let relevant = sharing::relevant(&program, &threads, first);
    schedule::product(program, threads, &relevant, (wanted, purpose, grain))
}

/// The ways to count threads of the programs for proofs of the named one, in the order in which
/// to try them, and of those for runs.
///
/// # Errors
/// Why there are none.
pub fn countings(program: &mut Program, named: &str) -> Result<(Vec<Counting>, Counting), String> {
    let (main, _) = named_threads(program, named)?;
    kinds::countings(program, main)
}

/// What is said of a function that no thread runs.
const NEVER_STARTED: &str = "the program starts none that runs this function; without `main`, \
                             it would run beside all others";

/// The first thread, and the one that runs the function with this name.
fn named_threads(program: &mut Program, named: &str) -> Result<(ProcedureId, ProcedureId), String> {
    let missing = || format!("the thread `{named}`: {NEVER_STARTED}");
    let wanted = procedure_named(program, named).ok_or_else(missing)?;
    let main = first::first_thread(program)?;
    Ok((main, if named == "main" { main } else { wanted }))
}

/// Leaves out orders of evaluation that no thread can tell from each other.
fn orders_settled(program: &Program, threads: &mut [Thread]) {
    let shared = sharing::Shared::of(program, threads);
    let protected = locks::protected(program, threads, &shared, Grain::Fine);
    for (number, thread) in threads.iter_mut().enumerate() {
        orders::settle(program, &mut thread.code, number, (&shared, &protected));
    }
}

/// Whether a thread may not end: it has loops, or waits for others. One that does what is not
/// modelled counts, too: it is to come there.
fn may_last(program: &Program, code: &Code) -> bool {
    let mut commands = code.blocks.iter().flat_map(|block| &block.commands);
    code.cyclic().contains(&true)
        || commands.any(|it| {
            special(program, it).is_some_and(|(it, _)| it != Special::Itself)
                || is_left_open(program, &it.command, &mut BTreeSet::new())
        })
}

/// Whether a run may come to its end in code, or not be one of those that C defines: the
/// process may be ended there, or something may go wrong. Nobody who waits for the thread goes on
/// then.
fn may_break_off(code: &Code) -> bool {
    let breaks_off = |command: &Command| match command {
        Command::Assign { value, .. } => !value.is_total(),
        Command::Havoc { .. } | Command::Allocate { .. } => false,
        Command::Free { kind, .. } => *kind != ir::MemoryKind::Stack,
        _ => true,
    };
    code.blocks.iter().any(|block| {
        matches!(block.terminator, Terminator::Halt)
            || block.commands.iter().any(|it| breaks_off(&it.command))
    })
}

/// Whether a command is not modelled or not defined, or calls what is not.
fn is_left_open(program: &Program, command: &Command, seen: &mut BTreeSet<ProcedureId>) -> bool {
    has_gap(program, command, &[Gap::NotModelled, Gap::Contents, Gap::Undefined], seen)
}

/// Whether a command is not modelled, or calls what is not: it may do anything.
fn is_not_modelled(program: &Program, command: &Command) -> bool {
    has_gap(program, command, &[Gap::NotModelled, Gap::Contents], &mut BTreeSet::new())
}

fn has_gap(
    program: &Program,
    command: &Command,
    gaps: &[Gap],
    seen: &mut BTreeSet<ProcedureId>,
) -> bool {
    match command {
        // In each order a thread does the same accesses: it matters to who looks at these only.
        Command::Unsupported { gap: Gap::Handed(_), .. } => gaps.contains(&Gap::Contents),
        Command::Unsupported { what, gap } => what != ORDER_LEFT_OPEN && gaps.contains(gap),
        Command::Call { callee: ir::Callee::Direct(callee), .. } => {
            let blocks = &program.procedure(*callee).blocks;
            let mut commands = blocks.iter().flat_map(|block| &block.commands);
            seen.insert(*callee) && commands.any(|it| has_gap(program, &it.command, gaps, seen))
        }
        _ => false,
    }
}

/// Whether code uses what other threads return.
fn asks_for_results(program: &Program, code: &Code) -> bool {
    let mut commands = code.blocks.iter().flat_map(|block| &block.commands);
    commands.any(|it| special(program, it).is_some_and(|(it, _)| it == Special::Result))
}

/// Whether it is not known what code starts.
fn starts_unknown(program: &Program, code: &Code) -> bool {
    let mut commands = code.blocks.iter().flat_map(|block| &block.commands);
    commands.any(|it| {
        matches!(special(program, it), Some((Special::Create | Special::CreateC11, _)))
            && created(program, it).is_none()
    })
}

/// A place where a thread is started.
struct Creation {
    start: ProcedureId,
    /// Whether that may happen more than once.
    repeats: bool,
}

/// The threads that code starts, in its order.
fn creations(program: &Program, code: &Code) -> Vec<Creation> {
    let cyclic = code.cyclic();
    let mut found = Vec::new();
    for (number, block) in code.blocks.iter().enumerate() {
        for instruction in &block.commands {
            if let Some(created) = created(program, instruction) {
                found.push(Creation { start: created.start, repeats: cyclic[number] });
            }
        }
    }
    found
}

/// What a command that starts a thread says.
struct Created {
    start: ProcedureId,
    /// Where the thread's number goes.
    id: Expr,
    /// What the thread is given.
    argument: Expr,
    /// The number of the place, once it has one.
    site: Option<usize>,
}

/// What a command says, if it starts a thread.
fn created(program: &Program, instruction: &Instruction) -> Option<Created> {
    let (special, arguments) = special(program, instruction)?;
    let (start, argument, more) = match (special, arguments) {
        (Special::Create, [_, _, start, argument, more @ ..])
        | (Special::CreateC11, [_, start, argument, more @ ..]) => (start, argument, more),
        _ => return None,
    };
    let Expr::Procedure(start) = start else { return None };
    let site = match more {
        [Expr::Constant(number)] => usize::try_from(*number).ok(),
        _ => None,
    };
    let (id, argument) = (arguments.first()?.clone(), argument.clone());
    Some(Created { start: *start, id, argument, site })
}

/// What the functions of threads are that the product knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Special {
    Create,
    CreateC11,
    /// Waits until a thread has ended.
    Join,
    /// What a thread has returned that has ended.
    Result,
    /// The number of the thread that asks.
    Itself,
    /// What it is called.
    Name,
    Exit,
    BeginSection,
    EndSection,
    BeginAcquire,
    BeginRelease,
    BeginTry,
}

impl Special {
    /// Whether a section begins.
    fn begins(self) -> bool {
        matches!(
            self,
            Self::BeginSection | Self::BeginAcquire | Self::BeginRelease | Self::BeginTry
        )
    }
}

/// The special function that a command calls, with its arguments.
fn special<'a>(program: &Program, instruction: &'a Instruction) -> Option<(Special, &'a [Expr])> {
    let Command::Call { callee: ir::Callee::Direct(callee), arguments, .. } = &instruction.command
    else {
        return None;
    };
    Some((special_procedure(program.procedure(*callee))?, arguments))
}

fn special_procedure(procedure: &Procedure) -> Option<Special> {
    let (name, _) = procedure.name.split_once('$')?;
    Some(match name {
        "pthread_create" => Special::Create,
        "thrd_create" => Special::CreateC11,
        "wait_for" => Special::Join,
        "result_of" | "number_of" => Special::Result,
        "self" => Special::Itself,
        "name" => Special::Name,
        "pthread_exit" | "thrd_exit" => Special::Exit,
        "begin_section" => Special::BeginSection,
        "end_section" => Special::EndSection,
        "begin_acquire" => Special::BeginAcquire,
        "begin_release" => Special::BeginRelease,
        "begin_try" => Special::BeginTry,
        _ => return None,
    })
}

/// An expression with others in the place of its variables.
fn replaced(expr: &Expr, by: &impl Fn(Variable) -> Expr) -> Expr {
    match expr {
        Expr::Constant(_) | Expr::Procedure(_) => expr.clone(),
        Expr::Variable(variable) => by(*variable),
        Expr::Unary(op, operand) => Expr::unary(*op, replaced(operand, by)),
        Expr::Wrap(kind, operand) => Expr::Wrap(*kind, Box::new(replaced(operand, by))),
        Expr::Binary(op, left, right) => Expr::binary(*op, replaced(left, by), replaced(right, by)),
    }
}

/// The least facts that hold where the blocks of a thread's code begin, none where it never
/// comes: `step` says what an instruction makes of a fact, `join` is that of [`least`].
fn facts<F: Clone>(
    code: &Code,
    first: F,
    step: impl Fn(&Instruction, Position, &mut F),
    join: impl FnMut(&mut F, F) -> bool,
) -> Vec<Option<F>> {
    let flow = |index: usize, before: &F| {
        let block = &code.blocks[index];
        let mut now = before.clone();
        for (position, instruction) in block.commands.iter().enumerate() {
            step(instruction, (index, position), &mut now);
        }
        let nexts = block.terminator.successors().into_iter();
        nexts.map(move |next| (next.index(), now.clone()))
    };
    least(code.blocks.len(), [(0, first)], flow, join)
}

/// The blocks that follow each block.
fn successors(blocks: &[ir::Block]) -> Vec<Vec<usize>> {
    let of = |it: &ir::Block| it.terminator.successors().into_iter().map(BlockId::index).collect();
    blocks.iter().map(of).collect()
}
