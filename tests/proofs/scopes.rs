//! Which calls of a function a proof is about: each scope, and what it relies on.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::path::Path;
use wane::analyze::{Source, read};
use wane::base::budget::Budget;
use wane::c::{DataModel, Options, PreprocessedSource};
use wane::heap::shape::ShapeLibrary;
use wane::ir::semantics::{Definedness, IntModel};
use wane::question::Question;
use wane::report::{Answer, Finding, codes};

const FUNCTIONS: [&str; 28] = [
    "all_squares",
    "general_length",
    "general_first",
    "general_counted",
    "general_depth",
    "general_length_of_text",
    "general_columns",
    "general_look",
    "all_count_down",
    "general_call_back",
    "all_prepend",
    "general_value_behind",
    "general_cut",
    "bounded_second",
    "bounded_one_is_null",
    "bounded_field_is_null",
    "degenerate_stuck",
    "unknown_null",
    "unknown_memory",
    "unknown_filled",
    "general_unlink",
    "general_one_object",
    "general_objects",
    "bounded_early",
    "unknown_by_itself",
    "unknown_given_up",
    "unknown_given_up_through",
    "unknown_dealloc",
];

fn ask(function: &str, question: &Question) -> Finding {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/open_functions/scopes.c");
    let text = std::fs::read_to_string(path).unwrap();
    let source = PreprocessedSource { name: "scopes.c".to_owned(), text };
    let options = Options {
        data_model: DataModel::Lp64,
        int_model: IntModel::C,
        entry: Some(function.to_owned()),
        // What callers give is asked for, and not taken for granted.
        definedness: Definedness::Shown,
        ..Options::default()
    };
    let subject = read(Source::C(source), &options).unwrap();
    let library = ShapeLibrary::builtin().unwrap();
    subject.ask(question, &library, &mut Budget::of_steps(2_000_000))
}

/// The names of the functions say the scope.
#[test]
fn scopes_are_judged() {
    for function in FUNCTIONS {
        let wanted = function.split('_').next().unwrap();
        let finding = ask(function, &Question::Termination);
        let found = finding.scope.unwrap_or("unknown");
        assert_eq!(found, wanted, "{function}: {}", finding.reason);
        let answers = ["all", "general"].contains(&wanted);
        assert_eq!(finding.answer == Answer::Proved, answers, "{function}");
    }
}

#[test]
fn a_proof_of_too_few_calls_says_when_and_what_is_in_the_way() {
    let finding = ask("degenerate_stuck", &Question::Termination);
    assert_eq!(finding.causes[0].code, codes::NARROW);
    assert!(finding.causes[0].message.starts_with("proved only when list = 0"));
    assert_eq!(finding.causes[1].code, "W030");
    assert_eq!(finding.precondition, ["list = 0"]);
}

#[test]
fn what_is_taken_for_granted_is_said() {
    let says = |function: &str, words: &str| {
        let finding = ask(function, &Question::Termination);
        let is_said = finding.assumptions.iter().any(|it| it.contains(words));
        assert!(is_said, "{function}: {:?}", finding.assumptions);
    };
    says("general_look", "`look_at`, which has no body here, returns");
    says("all_prepend", "`new_memory`, which has no body here, returns new memory");
    says("general_call_back", "functions whose addresses come in");
    says("unknown_given_up_through", "but for what one is handed whose name says");
    says("granted_global", "leads to `shared_level`");
    says("granted_waiting", "what the program waits for comes");
}

/// What a function uses as one object is one; several are asked for where it goes from one to the
/// next.
#[test]
fn one_object_comes_before_an_array() {
    let asked = |function: &str| ask(function, &Question::Termination).precondition.join(", or ");
    assert!(!asked("general_one_object").contains("bytes("));
    assert!(asked("general_objects").contains("68*n <= bytes(buffers)"));
}

/// Nobody knows which function it is, so no run past its call is evidence.
#[test]
fn what_unknown_functions_do_refutes_nothing() {
    for function in FUNCTIONS {
        for question in [Question::Termination, Question::MemorySafety] {
            assert_ne!(ask(function, &question).answer, Answer::Refuted, "{function}");
        }
    }
}
