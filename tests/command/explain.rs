//! `wane explain`: every code has a page, and the examples on it are true.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::headers;

use assert_cmd::Command;
use headers::{answer, options, verdict};
use std::fs;
use std::path::Path;
use wane::base::budget::Exhausted;
use wane::base::source::Span;
use wane::c::Options;
use wane::evidence::alarm::{Alarm, AlarmKind};
use wane::heap::shape::ShapeLibrary;
use wane::ir::Grant;
use wane::ir::semantics::Definedness;
use wane::question::Question;
use wane::report::{Answer, codes};
use wane::verdict::{Reason, Refutation, check};

/// One reason of each kind. A new variant does not compile here until it has a
/// line below.
fn all_reasons() -> Vec<Reason> {
    let alarms = [
        AlarmKind::NullDereference,
        AlarmKind::WildDereference,
        AlarmKind::OutOfBounds,
        AlarmKind::ConstantWrite,
        AlarmKind::InvalidFree,
        AlarmKind::NegativeAllocation,
        AlarmKind::DivisionByZero,
        AlarmKind::Undefined(String::new()),
        AlarmKind::Unsupported(String::new()),
        AlarmKind::Granted(Grant::Links),
        AlarmKind::Granted(Grant::Branches),
        AlarmKind::Granted(Grant::Locks),
        AlarmKind::Inseparable(String::new()),
        AlarmKind::UnknownCallee,
        AlarmKind::Leak,
        AlarmKind::Overwritten,
        AlarmKind::Unfreed,
        AlarmKind::ErrorReached(String::new()),
    ];
    for alarm in &alarms {
        match alarm {
            AlarmKind::NullDereference
            | AlarmKind::WildDereference
            | AlarmKind::OutOfBounds
            | AlarmKind::ConstantWrite
            | AlarmKind::InvalidFree
            | AlarmKind::NegativeAllocation
            | AlarmKind::DivisionByZero
            | AlarmKind::Undefined(_)
            | AlarmKind::Unsupported(_)
            | AlarmKind::Granted(_)
            | AlarmKind::Inseparable(_)
            | AlarmKind::UnknownCallee
            | AlarmKind::Leak
            | AlarmKind::Overwritten
            | AlarmKind::Unfreed
            | AlarmKind::ErrorReached(_) => {}
        }
    }
    let mut reasons: Vec<Reason> =
        alarms.into_iter().map(|kind| Reason::Alarm(Alarm { span: Span::NOWHERE, kind })).collect();
    reasons.extend([
        Reason::Exhausted(Exhausted::Steps),
        Reason::TooManyStates(Span::NOWHERE),
        Reason::NoRanking(Span::NOWHERE),
        Reason::NotClosed(Span::NOWHERE),
        Reason::Overflow(Span::NOWHERE),
        Reason::EndsByOverflow(Span::NOWHERE),
        Reason::NotBuilt(String::new()),
        Reason::Rejected(check::Defect::Start),
    ]);
    for reason in &reasons {
        match reason {
            Reason::Alarm(_)
            | Reason::Exhausted(_)
            | Reason::TooManyStates(_)
            | Reason::NoRanking(_)
            | Reason::NotClosed(_)
            | Reason::Overflow(_)
            | Reason::EndsByOverflow(_)
            | Reason::NotBuilt(_)
            | Reason::Rejected(_) => {}
        }
    }
    reasons
}

#[test]
fn every_reason_has_a_page() {
    for reason in all_reasons() {
        assert!(codes::find(reason.code()).is_some(), "{} has no page", reason.code());
    }
    assert!(codes::find(codes::INTERNAL_ERROR).is_some());
}

#[test]
fn every_page_has_its_parts() {
    let mut known: Vec<&str> = all_reasons().iter().map(Reason::code).collect();
    known.extend([codes::INTERNAL_ERROR, codes::VIOLATED, codes::NARROW, Refutation::CODE]);
    known.push(codes::CALLERS);
    for page in codes::all() {
        assert!(known.contains(&page.code), "nothing says {}", page.code);
        assert!(page.text.starts_with(&format!("# {}: ", page.code)), "{}", page.code);
        assert!(!page.title().is_empty() && page.summary().ends_with('.'), "{}", page.code);
        assert!(page.text.contains("\n## What to do\n"), "{}", page.code);
        assert_eq!(
            page.text.contains("\n## Example\n"),
            page.text.contains("\n## Instead\n"),
            "{}",
            page.code
        );
    }
}

/// The code block under a heading, with its language.
fn block<'a>(text: &'a str, heading: &str) -> Option<(&'a str, &'a str)> {
    let (_, rest) = text.split_once(&format!("\n## {heading}\n\n```"))?;
    let (language, rest) = rest.split_once('\n')?;
    Some((language, rest.split_once("```")?.0))
}

fn says(folder: &Path, (language, program): (&str, &str)) -> (Answer, String, Vec<&'static str>) {
    let file = folder.join(format!("example.{language}"));
    fs::write(&file, program).unwrap();
    let library = ShapeLibrary::builtin().unwrap();
    let named = program.lines().find_map(|line| line.strip_prefix("// property: "));
    let formula = program.lines().find_map(|line| line.strip_prefix("// ltl: "));
    let question = match (named, formula) {
        (Some(name), _) => Question::from_name(name).unwrap(),
        (None, Some(formula)) => Question::Ltl(formula.to_owned()),
        (None, None) => Question::Termination,
    };
    // What a proof would take for granted is what pages are about.
    let strict = Options { definedness: Definedness::Shown, ..options("").unwrap() };
    let finding = answer(&file, &question, &strict, &library).unwrap();
    let codes = finding.causes.iter().map(|cause| cause.code).collect();
    (finding.answer, verdict(&finding), codes)
}

#[test]
fn the_examples_are_true() {
    let folder = tempfile::tempdir().unwrap();
    for page in codes::all() {
        if let Some(example) = block(page.text, "Example") {
            let (_, verdict, codes) = says(folder.path(), example);
            assert!(codes.contains(&page.code), "the example of {} is {verdict}", page.code);
        }
        if let Some(instead) = block(page.text, "Instead") {
            let (answer, verdict, _) = says(folder.path(), instead);
            assert_eq!(answer, Answer::Proved, "the better example of {} is {verdict}", page.code);
        }
    }
}

#[test]
fn the_command_prints_pages() {
    let wane = || Command::new(env!("CARGO_BIN_EXE_wane"));
    let page = wane().args(["explain", "w030"]).assert().success();
    assert_eq!(page.get_output().stdout, codes::find("W030").unwrap().text.as_bytes());
    let list = wane().arg("explain").assert().success();
    assert_eq!(list.get_output().stdout, codes::list().as_bytes());
    wane().args(["explain", "W999"]).assert().code(2);
}
