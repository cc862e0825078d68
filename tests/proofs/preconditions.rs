//! Functions that are analysed by themselves: which preconditions are found, and
//! that they are sufficient, by running the functions on all small memories.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fmt::Write as _;
use std::path::Path;
use wane::analyze::{Source, Subject, read};
use wane::base::budget::Budget;
use wane::base::source::Span;
use wane::c::{DataModel, MallocModel, Options, PreprocessedSource, compile};
use wane::concrete::Outcome;
use wane::concrete::choices::ChoiceList;
use wane::concrete::interpreter::Interpreter;
use wane::concrete::memory::MemoryBlockId;
use wane::concrete::state::State as ConcreteState;
use wane::concrete::value::{Pointer, Value};
use wane::heap::model::satisfies;
use wane::heap::shape::ShapeLibrary;
use wane::heap::state::State;
use wane::ir::open::{Layout, LayoutId, NumberField, OpenEntry, PointerSort};
use wane::ir::semantics::{Definedness, IntModel};
use wane::ir::{InitialContent, MemoryKind, Program, ScalarType, Variable};
use wane::obligation::{Goal, Obligation};
use wane::prove::prove;
use wane::question::Question;
use wane::report::Answer;
use wane::verdict::Verdict;

const FUNCTIONS: [&str; 33] = [
    "append",
    "contains",
    "count_threaded",
    "destroy",
    "distance",
    "drain",
    "find_threaded",
    "first_found",
    "first_threaded",
    "follow_threads",
    "has_key",
    "hopeless",
    "insert_behind",
    "last",
    "length",
    "link_out",
    "merge",
    "pop_all",
    "prepend_made",
    "push",
    "put",
    "put_far",
    "reverse",
    "round_trip",
    "row_parity",
    "row_put",
    "size",
    "stuck",
    "sum",
    "there_and_back",
    "twig_depth",
    "twig_first",
    "waiting",
];
/// Steps of one analysis.
const STEPS: u64 = 2_000_000;
/// Blocks of a concrete memory.
const MAX_BLOCKS: usize = 3;
/// The same where nodes have flags, too.
const MAX_FLAGGED_BLOCKS: usize = 2;
/// Steps of a concrete run; far more than any of the functions needs.
const RUN_STEPS: u64 = 5_000;

fn source() -> PreprocessedSource {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/open_functions/functions.c");
    PreprocessedSource {
        name: "functions.c".to_owned(),
        text: std::fs::read_to_string(path).unwrap(),
    }
}

fn options(entry: &str) -> Options {
    Options {
        data_model: DataModel::Lp64,
        int_model: IntModel::Math,
        malloc: MallocModel::Succeeds,
        input: wane::c::Input::Ends,
        entry: Some(entry.to_owned()),
        // What callers give is asked for, and not taken for granted.
        definedness: Definedness::Shown,
        ..Options::default()
    }
}

#[test]
fn preconditions_that_are_found() {
    let library = ShapeLibrary::builtin().unwrap();
    let mut text = String::new();
    for function in FUNCTIONS {
        let subject = read(Source::C(source()), &options(function)).unwrap();
        for question in [Question::Termination, Question::MemorySafety] {
            let finding = subject.ask(&question, &library, &mut Budget::of_steps(STEPS));
            let scope = finding.scope.map_or_else(String::new, |scope| format!(" ({scope})"));
            let answer = finding.answer.word();
            let _ = writeln!(text, "{function}, {}: {answer}{scope}", question.name());
            for condition in &finding.precondition {
                let _ = writeln!(text, "  if {condition}");
            }
            // The report says it wherever it says that there is a proof.
            let says = finding.precondition.iter().all(|it| finding.reason.contains(it));
            assert!(says, "{}", finding.reason);
            // Proofs of too few calls are none.
            let answers = matches!(finding.scope, Some("all" | "general"));
            assert_eq!(finding.answer == Answer::Proved, answers, "{function}");
            assert!(finding.scope.is_some() || finding.precondition.is_empty());
        }
    }
    insta::with_settings!({ snapshot_path => "../../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("preconditions", text);
    });
}

/// What one question finds serves the other. The answer is the one that is found when that is
/// asked alone.
#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let library = ShapeLibrary::builtin().unwrap();
    for function in FUNCTIONS {
        let subject = || read(Source::C(source()), &options(function)).unwrap();
        let is_safe = |subject: &Subject| {
            let mut budget = Budget::of_steps(STEPS);
            let found = subject.ask(&Question::MemorySafety, &library, &mut budget);
            (found.answer, found.reason, found.precondition)
        };
        let asked_before = subject();
        let _ = asked_before.ask(&Question::Termination, &library, &mut Budget::of_steps(STEPS));
        assert_eq!(is_safe(&asked_before), is_safe(&subject()), "{function}");
    }
}

/// What is found for termination, for functions whose pointers lead to structures.
fn required(function: &str, library: &ShapeLibrary) -> Option<(Program, OpenEntry, Vec<State>)> {
    let program = compile(&source(), &options(function)).unwrap();
    let open = program.open.clone().unwrap();
    // There are no functions in the memories that are tried.
    let mut fields = open.layouts.iter().flat_map(|layout| &layout.pointers);
    let calls_others =
        !open.functions.is_empty() || fields.any(|it| it.sort == PointerSort::Function);
    if calls_others || open.layouts.iter().any(|layout| layout.pointers.is_empty()) {
        return None;
    }
    let obligation = Obligation::new(&program, Goal::Ends);
    match prove(&obligation, library, &Budget::of_steps(STEPS)) {
        Verdict::Proved(certificate) => Some((program, open, certificate.statement.requires)),
        Verdict::Refuted(_) | Verdict::Violated(_) | Verdict::Unknown(_) => None,
    }
}

/// A pointer of a memory: where it is, and what it may point at; or a byte that is 0 or 1.
#[derive(Clone, Copy)]
enum Slot {
    Incoming(Variable, LayoutId),
    Field(usize, i64, Option<LayoutId>),
    Flag(usize, i64, ScalarType),
}

/// The bytes of an object that are numbers.
fn flags_of(layout: &Layout) -> impl Iterator<Item = &NumberField> {
    layout.numbers.iter().filter(|number| number.kind.bits == 8)
}

/// All memories with these blocks, as states in which the function starts.
fn memories(
    interpreter: &Interpreter<'_>,
    open: &OpenEntry,
    blocks: &[LayoutId],
) -> Vec<ConcreteState> {
    let mut slots: Vec<Slot> =
        open.pointers.iter().map(|(variable, layout)| Slot::Incoming(*variable, *layout)).collect();
    for (position, layout) in blocks.iter().enumerate() {
        let fields = open.layout(*layout).pointers.iter();
        slots.extend(fields.map(|field| Slot::Field(position, field.offset, field.target)));
        let flags = flags_of(open.layout(*layout));
        let ty = |flag: &NumberField| ScalarType::Int(flag.kind);
        slots.extend(flags.map(|flag| Slot::Flag(position, flag.offset, ty(flag))));
    }
    let mut found = vec![Vec::new()];
    for slot in &slots {
        let target = match slot {
            Slot::Incoming(_, layout) => Some(*layout),
            Slot::Field(_, _, layout) => *layout,
            Slot::Flag(..) => None,
        };
        let fitting = (0..blocks.len()).filter(|position| Some(blocks[*position]) == target);
        let values: Vec<Option<usize>> = match slot {
            Slot::Flag(..) => vec![Some(0), Some(1)],
            Slot::Incoming(..) | Slot::Field(..) => {
                std::iter::once(None).chain(fitting.map(Some)).collect()
            }
        };
        found = found
            .iter()
            .flat_map(|chosen| {
                values.iter().map(|value| {
                    let mut longer = chosen.clone();
                    longer.push(*value);
                    longer
                })
            })
            .collect();
    }
    let state_of = |chosen: &Vec<Option<usize>>| {
        let mut state = interpreter.initial_of(open.procedure);
        let allocate = |layout: &LayoutId, state: &mut ConcreteState| {
            let size = Value::Int(open.layout(*layout).bytes.into());
            let (kind, content) = (MemoryKind::Heap, InitialContent::Arbitrary);
            state.memory_mut().allocate(kind, size, content, Span::NOWHERE).unwrap()
        };
        let ids: Vec<MemoryBlockId> =
            blocks.iter().map(|layout| allocate(layout, &mut state)).collect();
        let start = |position: usize, offset: i64| {
            Value::Pointer(Pointer { block: ids[position], offset: offset.into() })
        };
        for (slot, chosen) in slots.iter().zip(chosen) {
            if let (Slot::Flag(position, offset, ty), Some(flag)) = (slot, chosen) {
                let (address, flag) = (start(*position, *offset), i128::try_from(*flag).unwrap());
                state.memory_mut().store(address, *ty, Value::Int(flag)).unwrap();
                continue;
            }
            let value = chosen.map_or(Value::NULL, |position| start(position, 0));
            match slot {
                Slot::Incoming(variable, _) => state.assign(*variable, value),
                Slot::Field(position, offset, _) => {
                    let address = start(*position, *offset);
                    state.memory_mut().store(address, ScalarType::Pointer, value).unwrap();
                }
                Slot::Flag(..) => {}
            }
        }
        state
    };
    found.iter().map(state_of).collect()
}

/// The choices of up to so many blocks of these types, in order.
fn multisets(layouts: usize, n_blocks: usize) -> Vec<Vec<LayoutId>> {
    let mut found: Vec<Vec<LayoutId>> = vec![Vec::new()];
    let mut last = found.clone();
    for _ in 0..n_blocks {
        let longer = |chosen: &Vec<LayoutId>| {
            let least = chosen.last().map_or(0, |layout| layout.index());
            let chosen = chosen.clone();
            (least..layouts).map(move |next| {
                let mut longer = chosen.clone();
                longer.push(LayoutId::at(next));
                longer
            })
        };
        last = last.iter().flat_map(longer).collect();
        found.extend(last.clone());
    }
    found
}

#[test]
fn calls_that_satisfy_their_precondition_end_well() {
    let library = ShapeLibrary::builtin().unwrap();
    let (mut n_functions, mut n_satisfied, mut n_others) = (0, 0, 0);
    for function in FUNCTIONS {
        let Some((program, open, requires)) = required(function, &library) else { continue };
        n_functions += 1;
        let interpreter = Interpreter::new(&program);
        let mut is_ever = false;
        let has_flags = open.layouts.iter().any(|layout| flags_of(layout).next().is_some());
        let most = if has_flags { MAX_FLAGGED_BLOCKS } else { MAX_BLOCKS };
        for blocks in multisets(open.layouts.len(), most) {
            for state in memories(&interpreter, &open, &blocks) {
                if !requires.iter().any(|required| satisfies(&state, required, &library)) {
                    n_others += 1;
                    continue;
                }
                is_ever = true;
                n_satisfied += 1;
                for choice in [0, 1] {
                    let mut choices = ChoiceList::new(vec![choice, 1 - choice, 7]);
                    let mut state = state.clone();
                    let outcome =
                        interpreter.run(&mut state, &mut choices, &mut Budget::of_steps(RUN_STEPS));
                    // What one order does is no run of another one that only looks ahead.
                    let ends = matches!(outcome, Outcome::Halted | Outcome::AssumeFailed);
                    assert!(ends, "{function}: {blocks:?}: {outcome:?}");
                }
            }
        }
        assert!(is_ever, "nothing satisfies the precondition of {function}");
    }
    assert!(
        n_functions >= 15 && n_satisfied >= 60 && n_others >= 1_000,
        "{n_satisfied} {n_others}"
    );
}
