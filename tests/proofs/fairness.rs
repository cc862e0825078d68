//! Proofs that rest on compassion requirements: what they claim of events is checked.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::liveness_drivers;
use crate::reader;

use liveness_drivers::{ALL, FoldPrecision};
use reader::READER;
use wane::analyze::{Source, read};
use wane::base::budget::Budget;
use wane::c::{Options, PreprocessedSource};
use wane::evidence::certificate::Certificate;
use wane::heap::shape::ShapeLibrary;
use wane::ir::{ProcedureId, Program, text};
use wane::obligation::{Compassion, Fairness, Goal, Obligation};
use wane::prove::nontermination::refute;
use wane::prove::{mutant, prove};
use wane::question::Question;
use wane::report::Answer;
use wane::sonar::Machine;
use wane::verdict::Verdict;
use wane::verdict::check::{Defect, check};
use wane::verdict::witness::{Flaw, check_refutation};

const STEPS: u64 = 100_000;

fn program() -> Program {
    text::parse("reader.goto", READER).unwrap().program
}

fn named(program: &Program, name: &str) -> ProcedureId {
    ProcedureId::at(program.procedures.iter().position(|it| it.name == name).unwrap())
}

fn requirement(program: &Program, whenever: Option<&str>, then: &str) -> Fairness {
    let whenever = whenever.map(|name| named(program, name));
    let requirements = vec![Compassion { whenever, then: named(program, then) }];
    Fairness { requirements, control: Vec::new() }
}

fn proof(program: &Program, fairness: &Fairness) -> Option<Certificate> {
    let library = ShapeLibrary::builtin().unwrap();
    let obligation = Obligation::new(program, Goal::Ends).under(fairness.clone());
    let machine = Machine::new(&obligation, &library);
    match mutant::prove(&machine, &mut Budget::of_steps(STEPS)) {
        Verdict::Proved(certificate) => Some(*certificate),
        _ => None,
    }
}

#[test]
fn a_reader_ends_where_its_questions_are_answered() {
    let (program, library) = (program(), ShapeLibrary::builtin().unwrap());
    let answer = |fairness: Fairness| {
        let obligation = Obligation::new(&program, Goal::Ends).under(fairness);
        prove(&obligation, &library, &Budget::of_steps(STEPS))
    };
    let fair = requirement(&program, Some("asked"), "answered");
    assert!(matches!(answer(fair), Verdict::Proved(_)));
    assert!(matches!(answer(Fairness::default()), Verdict::Refuted(_)));
    // Who is answered again and again has asked: that says nothing.
    let useless = requirement(&program, Some("answered"), "asked");
    assert!(matches!(answer(useless), Verdict::Refuted(_)));
}

/// Each other claim about which steps pass events is refused.
#[test]
fn a_false_use_of_a_requirement_is_refused() {
    let (program, library) = (program(), ShapeLibrary::builtin().unwrap());
    let fairness = requirement(&program, Some("asked"), "answered");
    let certificate = proof(&program, &fairness).unwrap();
    let verdict = |certificate: &Certificate, fairness: &Fairness| {
        let obligation = Obligation::new(&program, Goal::Ends).under(fairness.clone());
        check(&obligation, &library, certificate, &mut Budget::of_steps(STEPS))
    };
    assert_eq!(verdict(&certificate, &fairness), Ok(()));
    let n_edges = certificate.system().edges.len();
    let mut n_changes = 0;
    for edge in 0..n_edges {
        let mut more = certificate.clone();
        if more.requirements[0].whenever.insert(edge) {
            assert_eq!(verdict(&more, &fairness), Err(Defect::Events), "step {edge} is no p-step");
            n_changes += 1;
        }
        let mut fewer = certificate.clone();
        if fewer.requirements[0].then.remove(&edge) {
            assert_eq!(verdict(&fewer, &fairness), Err(Defect::Events), "step {edge} is a q-step");
            n_changes += 1;
        }
    }
    assert!(n_changes >= 4, "{n_changes} changes of {n_edges} steps");
    // Nor does the argument hold for other runs.
    for other in [Fairness::default(), requirement(&program, Some("answered"), "asked")] {
        assert!(verdict(&certificate, &other).is_err());
    }
    // What is fair needs a measure.
    let mut unranked = certificate.clone();
    unranked.ranking = Default::default();
    assert_eq!(verdict(&unranked, &fairness), Err(Defect::Ranking));
    let mut without = certificate.clone();
    without.requirements.clear();
    assert!(verdict(&without, &fairness).is_err());
    // Without requirements it is no argument that all runs end.
    let obligation = Obligation::new(&program, Goal::Ends);
    assert!(check(&obligation, &library, &without, &mut Budget::of_steps(STEPS)).is_err());
}

/// The run that nobody answers goes on for ever, but it is not fair.
#[test]
fn an_unfair_run_refutes_nothing() {
    let program = program();
    let anything = Fairness::default();
    let found = refute(&program, &anything, &mut Budget::of_steps(STEPS)).unwrap();
    assert!(check_refutation(&program, &anything, &found.witness).is_ok());
    let fair = requirement(&program, Some("asked"), "answered");
    assert_eq!(check_refutation(&program, &fair, &found.witness).err(), Some(Flaw::Unfair));
    assert!(refute(&program, &fair, &mut Budget::of_steps(STEPS)).is_none());
}

/// Of a procedure with a loop, calls are not followed: it may pass both events, or none.
#[test]
fn events_inside_calls_that_are_not_followed_count_as_possible_only() {
    let library = ShapeLibrary::builtin().unwrap();
    let straight = program();
    let fairness = requirement(&straight, Some("asked"), "answered");
    let obligation = Obligation::new(&straight, Goal::Ends).under(fairness.clone());
    let machine = Machine::new(&obligation, &library).with_calls_tabulated();
    assert!(!machine.is_tabulated(named(&straight, "read")));
    let verdict = mutant::prove(&machine, &mut Budget::of_steps(STEPS));
    assert!(matches!(verdict, Verdict::Proved(_)));
    let text = READER.replace("  return n\n", "  goto b3\nb3:\n  if n > 5 goto b4 else b5\nb4:\n  n := n - 1\n  goto b3\nb5:\n  return n\n");
    let program = text::parse("reader.goto", &text).unwrap().program;
    let fairness = requirement(&program, Some("asked"), "answered");
    let obligation = Obligation::new(&program, Goal::Ends).under(fairness.clone());
    let machine = Machine::new(&obligation, &library).with_calls_tabulated();
    assert!(machine.is_tabulated(named(&program, "read")));
    let verdict = mutant::prove(&machine, &mut Budget::of_steps(STEPS));
    assert!(!matches!(verdict, Verdict::Proved(_)), "no step surely passes `asked`");
}

/// The specifications of Tables 1 to 4 of POPL'07, on small drivers.
#[test]
fn drivers_keep_to_their_specifications() {
    let library = ShapeLibrary::builtin().unwrap();
    for kind in ALL {
        for (care, expected) in
            [(FoldPrecision::Careful, Answer::Proved), (FoldPrecision::Careless, Answer::Refuted)]
        {
            let text = liveness_drivers::program(kind, care, 1);
            let source = PreprocessedSource { name: "driver.c".to_owned(), text };
            let subject = read(Source::C(source), &Options::default()).unwrap();
            let (file, text) = ("driver.slic".to_owned(), kind.specification());
            let question = Question::Specification { file, text };
            let finding = subject.ask(&question, &library, &mut Budget::of_steps(10_000_000));
            assert_eq!(finding.answer, expected, "{kind:?} {care:?}: {}", finding.reason);
        }
    }
}
