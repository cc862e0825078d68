//! What callers may do with functions that are analysed by themselves: random small functions over
//! two global pointers, run by the interpreter from every small memory.
//!
//! * A proof is of all calls that satisfy the precondition: none of them fails, unless it is taken
//!   for granted that they do not, or runs for ever, unless it is called with a ring and the proof
//!   takes for granted that there is none, or loses memory that it was called with, unless it sets
//!   links anew.
//! * A proof whose scope is `all` or `general` leaves out no more than errors: if some call ends
//!   well at the function's end, so does one that satisfies the precondition.
//!
//! `WANE_CALLERS=1000` tries more functions, `WANE_SEED` others.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::random_numbers::Random;
use std::fmt::Write as _;
use wane::analyze::{Source, read};
use wane::base::budget::Budget;
use wane::base::source::Span;
use wane::c::{DataModel, MallocModel, Options, PreprocessedSource, compile};
use wane::concrete::Outcome;
use wane::concrete::choices::ChoiceList;
use wane::concrete::interpreter::Interpreter;
use wane::concrete::memory::MemoryBlockId;
use wane::concrete::state::State as ConcreteState;
use wane::concrete::value::{Pointer, Value};
use wane::evidence::alarm::{Alarm, AlarmKind};
use wane::evidence::approach::Form;
use wane::heap::model::satisfies;
use wane::heap::shape::ShapeLibrary;
use wane::heap::state::{Junk, State};
use wane::ir::semantics::{Definedness, IntModel};
use wane::ir::{InitialContent, MemoryKind, Program, ScalarType, Variable};
use wane::obligation::{Callers, ErrorKind, Goal, Obligation};
use wane::prove::prove;
use wane::question::Question;
use wane::report::Answer;
use wane::verdict::Verdict;

/// Nodes of a memory.
const MAX_NODES: usize = 3;
/// Steps of one analysis.
const STEPS: u64 = 400_000;
/// Steps of a run; far more than any that ends needs.
const RUN_STEPS: u64 = 600;
/// What memory safety excludes.
const SAFETY: [ErrorKind; 3] = [ErrorKind::InvalidAccess, ErrorKind::InvalidFree, ErrorKind::Leak];
/// What `seen` is at the end of each function.
const THE_END: i128 = 99;

/// Functions that tell what wane once took for general, or for no loss, and was not.
const KNOWN: [&str; 7] = [
    "if (!p) { seen = 1; return; }\n  if (!q) { seen = 2; return; }\n  while (p->next != q) p = p->next;\n  seen = 99;",
    "if (p) p->next = q;\n  q = 0;\n  seen = 99;",
    "p = 0;\n  seen = 99;",
    "if (!p) { seen = 1; return; }\n  p->next = 0;\n  seen = 99;",
    "while (p) p = p->next;\n  q->next = p;\n  seen = 99;",
    "struct node *old = p;\n  p = q;\n  q = old;\n  seen = 99;",
    "if (!p || !q) { seen = 1; return; }\n  while (q->next) q = q->next->next;\n  p->next->next = q;\n  seen = 99;",
];

/// One of several texts.
pub(crate) fn one_of<'a>(random: &mut Random, all: &[&'a str]) -> &'a str {
    all[random.below(all.len())]
}

/// The body of a random function.
fn body(random: &mut Random) -> String {
    let mut body = String::new();
    for place in 0..2 + random.below(3) {
        let [x, y] = [one_of(random, &["p", "q"]), one_of(random, &["p", "q"])];
        let statement = match random.below(10) {
            0 | 1 => format!("if (!{x}) {{ seen = {place}; return; }}"),
            2 => format!("if ({x} == {y}) {{ seen = {place}; return; }}"),
            3 => format!("{x} = {x}->next;"),
            4 => format!("{x}->next = {y};"),
            5 => format!("{x} = {y};"),
            6 => format!("{x} = 0;"),
            7 => format!("while ({x}) {x} = {x}->next;"),
            8 => format!("for (struct node *s = {x}; s && s != {y}; s = s->next) ;"),
            _ => format!("if ({x}) {x}->next = {y};"),
        };
        let _ = writeln!(body, "  {statement}");
    }
    body.push_str("  seen = 99;");
    body
}

fn source(body: &str) -> PreprocessedSource {
    let text = format!(
        "struct node {{ struct node *next; }};\nstruct node *p, *q;\nint seen;\n\
         void f(void) {{\n  {body}\n}}\n"
    );
    PreprocessedSource { name: "f.c".to_owned(), text }
}

/// A function by itself, called `f`.
pub(crate) fn options() -> Options {
    Options {
        data_model: DataModel::Lp64,
        int_model: IntModel::Math,
        malloc: MallocModel::Succeeds,
        entry: Some("f".to_owned()),
        ..Options::default()
    }
}

/// A memory, and whether links lead back in it.
struct Memory {
    state: ConcreteState,
    has_ring: bool,
}

/// Whether links lead back: each node's one leads to so many of them, from 1 on, or to none.
fn has_ring(links: &[usize]) -> bool {
    (1..=links.len()).any(|start| {
        let end = (0..=links.len()).fold(start, |node, _| match node {
            0 => 0,
            node => links[node - 1],
        });
        end != 0
    })
}

/// All memories of so many nodes; the first two numbers say what `p` and `q` point at, the others
/// what the nodes link to, zero for null.
fn memories(program: &Program, n_nodes: usize) -> Vec<Memory> {
    let open = program.open.clone().unwrap();
    let interpreter = Interpreter::new(program);
    let n_slots = 2 + n_nodes;
    let n_all = (n_nodes + 1).pow(u32::try_from(n_slots).unwrap());
    let memory = |number: usize| {
        let mut state = interpreter.initial_of(open.procedure);
        let allocate = |state: &mut ConcreteState| {
            let (kind, content) = (MemoryKind::Heap, InitialContent::Arbitrary);
            state.memory_mut().allocate(kind, Value::Int(8), content, Span::NOWHERE).unwrap()
        };
        let ids: Vec<MemoryBlockId> = (0..n_nodes).map(|_| allocate(&mut state)).collect();
        let start = |position| Value::Pointer(Pointer { block: ids[position], offset: 0 });
        let mut links = Vec::new();
        let mut rest = number;
        for slot in 0..n_slots {
            let chosen = rest % (n_nodes + 1);
            rest /= n_nodes + 1;
            let value = chosen.checked_sub(1).map_or(Value::NULL, start);
            match slot.checked_sub(2) {
                Some(node) => {
                    links.push(chosen);
                    let address = start(node);
                    state.memory_mut().store(address, ScalarType::Pointer, value).unwrap();
                }
                None => {
                    if let Some(pointer) = global(program, ["p", "q"][slot]) {
                        state.assign(pointer, value);
                    }
                }
            }
        }
        Memory { state, has_ring: has_ring(&links) }
    };
    let all = (0..n_all).map(memory);
    all.filter(|it| it.state.leaked().is_empty()).collect()
}

/// A global, unless the program does without it.
fn global(program: &Program, name: &str) -> Option<Variable> {
    let mut all = (0..program.variables.len()).map(Variable::at);
    all.find(|it| program.variable(*it).name == name && program.variable(*it).owner.is_none())
}

/// How a call goes.
#[derive(Clone, Copy)]
enum Gone {
    /// It ends; what `seen` is then, and whether memory is lost.
    Well(Option<i128>, bool),
    OnForEver,
    Wrong,
}

/// Calls the function.
fn call(program: &Program, mut state: ConcreteState) -> Gone {
    let interpreter = Interpreter::new(program);
    let mut choices = ChoiceList::new(Vec::new());
    let outcome = interpreter.run(&mut state, &mut choices, &mut Budget::of_steps(RUN_STEPS));
    let seen = match global(program, "seen").and_then(|seen| state.value(seen)) {
        Some(Value::Int(seen)) => Some(seen),
        _ => None,
    };
    match outcome {
        Outcome::Halted => Gone::Well(seen, !state.leaked().is_empty()),
        Outcome::OutOfBudget => Gone::OnForEver,
        _ => Gone::Wrong,
    }
}

/// The preconditions of a proof, if there is one, and what it takes for granted.
fn requires(
    program: &Program,
    goal: Goal,
    library: &ShapeLibrary,
) -> Option<(Vec<State>, Vec<Alarm>)> {
    let definedness = match goal {
        Goal::Ends => Definedness::Assumed,
        Goal::Avoids(_) => Definedness::Shown,
    };
    let callers = match goal {
        Goal::Ends => Callers::Anyone,
        Goal::Avoids(_) => Callers::ByTypes,
    };
    let obligation =
        Obligation::new(program, goal).with_definedness(definedness).called_by(callers);
    match prove(&obligation, library, &Budget::of_steps(STEPS)) {
        // `bounds` has more of these.
        Verdict::Proved(found) if matches!(&found.approach.form, Form::Bounds(needs) if !needs.is_empty()) => {
            None
        }
        Verdict::Proved(found) => Some((found.statement.requires, found.assumes)),
        Verdict::Refuted(_) | Verdict::Violated(_) | Verdict::Unknown(_) => None,
    }
}

/// What is wrong with what is said of a function.
fn complaint(body: &str, library: &ShapeLibrary) -> Result<bool, String> {
    let program = compile(&source(body), &options()).unwrap();
    let subject = read(Source::C(source(body)), &options()).unwrap();
    let ends = subject.ask(&Question::Termination, library, &mut Budget::of_steps(STEPS));
    let safe = subject.ask(&Question::MemorySafety, library, &mut Budget::of_steps(STEPS));
    let all: Vec<Memory> = (0..=MAX_NODES).flat_map(|n| memories(&program, n)).collect();
    let asked = [(ends, Goal::Ends), (safe, Goal::avoids_all(&SAFETY))];
    // Of what a link led to that is set anew nothing is said.
    let links_anew = body.contains("->next = ");
    let mut is_proved = false;
    for (finding, goal) in asked {
        if finding.answer != Answer::Proved {
            continue;
        }
        let Some((requires, assumes)) = requires(&program, goal, library) else { continue };
        // Callers have other memory, too.
        let beside_others = |required: State| State { junk: Junk::Some, ..required };
        let requires: Vec<State> = requires.into_iter().map(beside_others).collect();
        is_proved = true;
        let name = &finding.property;
        let (mut ends_well, mut is_covered) = (false, false);
        let grants = assumes.iter().any(|it| matches!(it.kind, AlarmKind::Granted(_)));
        for Memory { state, has_ring } in &all {
            let is_meant = requires.is_empty()
                || requires.iter().any(|required| satisfies(state, required, library));
            let gone = call(&program, state.clone());
            let is_at_end = matches!(gone, Gone::Well(Some(THE_END), _));
            ends_well |= is_at_end;
            is_covered |= is_at_end && is_meant;
            match gone {
                Gone::Wrong if !assumes.is_empty() => {}
                Gone::OnForEver if grants && *has_ring => {}
                Gone::OnForEver if is_meant && goal == Goal::Ends => {
                    return Err(format!("{name}: a call does not end: {state:?}"));
                }
                Gone::Wrong if is_meant => return Err(format!("{name}: a call fails: {state:?}")),
                Gone::Well(_, true) if is_meant && goal != Goal::Ends && !links_anew => {
                    return Err(format!("{name}: a call loses memory: {:?}", finding.reason));
                }
                _ => {}
            }
        }
        if ends_well && !is_covered {
            return Err(format!("{name}: no call reaches the end: {}", finding.reason));
        }
    }
    Ok(is_proved)
}

#[test]
fn what_is_said_of_functions_is_so_for_their_callers() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let mut random = Random(number("WANE_SEED").unwrap_or(1));
    let n_random = number("WANE_CALLERS").unwrap_or(4);
    let library = ShapeLibrary::builtin().unwrap();
    let known = KNOWN.iter().map(|it| (*it).to_owned());
    let bodies: Vec<String> = known.chain((0..n_random).map(|_| body(&mut random))).collect();
    let mut n_proved = 0;
    for body in &bodies {
        match complaint(body, &library) {
            Ok(is_proved) => n_proved += usize::from(is_proved),
            Err(complaint) => panic!("{body}\n{complaint}"),
        }
    }
    assert!(n_proved * 4 >= bodies.len(), "only {n_proved} proofs");
}
