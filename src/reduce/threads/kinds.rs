//! The threads of a program, and how many of one function are told apart.
//!
//! A *crowd* stands for any number of threads that run one function: one of them moves from
//! anywhere, with any values of its own, to its next stop, and is forgotten. What it is given
//! is not known either. All runs of any number of such threads are runs of the crowd.

use super::inline::{Code, inlined};
use super::{Creation, created, creations, starts_unknown};
use ir::{Command, Expr, ProcedureId, Program};
use std::collections::BTreeMap;

/// More threads than this are not told apart.
const MOST_THREADS: usize = 16;
/// The same where some of them run the same function.
const MOST_ALIKE: usize = 5;
/// So many of each function can move, where only some do.
const FEW: usize = 2;

/// Which threads of one function are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// All.
    Each,
    /// Some; the others never move.
    Few,
    /// At most the one that is to end; all others are a crowd, if there are several.
    Any,
}

/// Whether it is one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    One,
    Crowd,
}

/// A thread of the program, or a crowd.
pub(super) struct Thread {
    /// The function that it runs.
    pub(super) start: ProcedureId,
    pub(super) code: Code,
    pub(super) number: Number,
    /// What each of its commands that start a thread starts, in their order.
    pub(super) sites: Vec<Site>,
}

/// Which threads may be the one that is started: the first of these that is not started yet,
/// or one of a crowd; else, one that never moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Site {
    pub(super) slots: Vec<usize>,
    pub(super) crowd: Option<usize>,
}

/// The ways to count of the programs for proofs, in the order in which to try them, and of
/// those for runs.
///
/// # Errors
/// Why there are none.
pub(super) fn countings(
    program: &mut Program,
    main: ProcedureId,
) -> Result<(Vec<Counting>, Counting), String> {
    let kinds = Kinds::of(program, main)?;
    let has_crowd = kinds.n_started.values().any(|it| *it > 1);
    let most = if has_crowd { MOST_ALIKE } else { MOST_THREADS };
    let can_each = each(program, main).is_ok_and(|it| it.len() <= most);
    let mut proofs = Vec::new();
    if has_crowd || !can_each {
        proofs.push(Counting::Any);
    }
    if can_each {
        proofs.push(Counting::Each);
    }
    Ok((proofs, if can_each { Counting::Each } else { Counting::Few }))
}

/// The threads of a program that starts in `main`; that is the first.
///
/// # Errors
/// Why they are not known.
pub(super) fn threads(
    program: &mut Program,
    main: ProcedureId,
    which: (ProcedureId, Counting),
) -> Result<Vec<Thread>, String> {
    let mut threads = counted(program, main, which)?;
    threads.iter_mut().for_each(|it| number_sites(program, &mut it.code));
    Ok(threads)
}

/// Writes the number of its site behind the arguments of each command that starts a thread: the
/// order of blocks changes where threads are divided.
fn number_sites(program: &Program, code: &mut Code) {
    let mut number = 0;
    for instruction in code.blocks.iter_mut().flat_map(|block| &mut block.commands) {
        if created(program, instruction).is_some()
            && let Command::Call { arguments, .. } = &mut instruction.command
        {
            arguments.push(Expr::Constant(number));
            number += 1;
        }
    }
}

fn counted(
    program: &mut Program,
    main: ProcedureId,
    (wanted, counting): (ProcedureId, Counting),
) -> Result<Vec<Thread>, String> {
    if counting == Counting::Each {
        return each(program, main);
    }
    let kinds = Kinds::of(program, main)?;
    let mut threads: Vec<Thread> = Vec::new();
    let mut sites: BTreeMap<ProcedureId, Site> = BTreeMap::new();
    for (start, code) in kinds.codes {
        let is_crowd = kinds.n_started.get(&start).is_some_and(|it| *it > 1);
        let (n_slots, has_crowd) = match counting {
            _ if !is_crowd => (1, false),
            Counting::Any => (usize::from(start == wanted), true),
            Counting::Few | Counting::Each => (FEW, false),
        };
        let mut code = Some(code);
        let mut site = Site::default();
        let numbers = std::iter::repeat_n(Number::One, n_slots);
        for number in numbers.chain(has_crowd.then_some(Number::Crowd)) {
            let code = match code.take() {
                Some(code) => code,
                None => inlined(program, main, start)?,
            };
            match number {
                Number::One => site.slots.push(threads.len()),
                Number::Crowd => site.crowd = Some(threads.len()),
            }
            threads.push(Thread { start, code, number, sites: Vec::new() });
        }
        sites.insert(start, site);
    }
    for thread in &mut threads {
        let started = creations(program, &thread.code);
        thread.sites = started.into_iter().map(|it| sites[&it.start].clone()).collect();
    }
    Ok(threads)
}

/// A thread for each command that starts one.
fn each(program: &mut Program, main: ProcedureId) -> Result<Vec<Thread>, String> {
    let one = |start, code| Thread { start, code, number: Number::One, sites: Vec::new() };
    let mut threads = vec![one(main, inlined(program, main, main)?)];
    let mut next = 0;
    while next < threads.len() {
        for creation in creations_of(program, &threads[next].code)? {
            if creation.repeats || threads.len() >= MOST_THREADS {
                let name = program.procedure(creation.start).shown_name();
                return Err(format!("so many threads of `{name}`"));
            }
            let code = inlined(program, main, creation.start)?;
            let site = Site { slots: vec![threads.len()], crowd: None };
            threads[next].sites.push(site);
            threads.push(one(creation.start, code));
        }
        next += 1;
    }
    Ok(threads)
}

fn creations_of(program: &Program, code: &Code) -> Result<Vec<Creation>, String> {
    if starts_unknown(program, code) {
        return Err("a thread whose function is not named where it is started".to_owned());
    }
    Ok(creations(program, code))
}

/// The functions that threads run.
struct Kinds {
    /// With their code, `main` first.
    codes: Vec<(ProcedureId, Code)>,
    /// How often each is started, two standing for more, too.
    n_started: BTreeMap<ProcedureId, usize>,
}

impl Kinds {
    fn of(program: &mut Program, main: ProcedureId) -> Result<Self, String> {
        let mut codes = vec![(main, inlined(program, main, main)?)];
        let mut next = 0;
        let mut started = Vec::new();
        while next < codes.len() {
            for creation in creations_of(program, &codes[next].1)? {
                if program.procedure(creation.start).name == "main" {
                    return Err("a thread that runs `main`".to_owned());
                }
                if codes.iter().all(|(start, _)| *start != creation.start) {
                    codes.push((creation.start, inlined(program, main, creation.start)?));
                }
                started.push((codes[next].0, creation));
            }
            next += 1;
        }
        let mut n_started: BTreeMap<ProcedureId, usize> = BTreeMap::new();
        // Who is started by many is many.
        for _ in 0..=codes.len() {
            let mut counted: BTreeMap<ProcedureId, usize> = BTreeMap::new();
            for (by, creation) in &started {
                let n_by = n_started.get(by).copied().unwrap_or(1);
                let n = if creation.repeats { 2 } else { n_by };
                let count = counted.entry(creation.start).or_default();
                *count = (*count + n).min(2);
            }
            n_started = counted;
        }
        Ok(Self { codes, n_started })
    }
}
