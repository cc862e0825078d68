//! One report in all formats.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use wane::report::run::{
    Condition, Drawing, DrawnBlock, Event, EventKind, Field, FieldContent, Rounds, Weight,
};
use wane::report::{
    Answer, Cause, Colour, EndlessRun, Evidence, Finding, Format, Input, Location, LoopStory,
    Problem, Repetition, Report, Texts, human, render,
};

const FORMATS: [Format; 10] = [
    Format::Human,
    Format::Json,
    Format::JsonLines,
    Format::Sarif,
    Format::Html,
    Format::Gcc,
    Format::Github,
    Format::CodeClimate,
    Format::Junit,
    Format::Checkstyle,
];

const TEXT: &str = "int main(void) {\n    while (1 < 2)\n        step();\n}\n";

pub(super) fn place(line: u32, column: u32, length: u32) -> Location {
    Location { file: "a b.c".to_owned(), line: Some(line), column: Some(column), length }
}

pub(super) fn finding(property: &str, answer: Answer) -> Finding {
    Finding {
        file: "a b.c".to_owned(),
        entry: "main".to_owned(),
        property: property.to_owned(),
        argument: None,
        answer,
        subproperty: None,
        precondition: Vec::new(),
        scope: None,
        reason: "every run of `main` ends".to_owned(),
        causes: Vec::new(),
        int_model: "math",
        data_model: "lp64",
        assumptions: vec!["malloc does not fail".to_owned()],
        assumes: Vec::new(),
        evidence: None,
        fingerprint: None,
        accepted: None,
        test_case: None,
        warnings: Vec::new(),
        statistics: None,
    }
}

fn event(kind: EventKind, line: u32) -> Event {
    let variables = vec![Field::of("x".to_owned(), FieldContent::Address(0, 0))];
    let block = DrawnBlock {
        name: "#1".to_owned(),
        size: "16".to_owned(),
        condition: Condition::Live,
        fields: vec![
            Field::of("+0".to_owned(), FieldContent::Text("5".to_owned())),
            Field::of("+8".to_owned(), FieldContent::Address(0, 0)),
        ],
        n_more: 0,
    };
    Event {
        kind,
        message: format!("event at {line}"),
        location: place(line, 5, 4),
        weight: Weight::Main,
        heap: Some(Drawing { variables, blocks: vec![block], n_more: 0 }),
    }
}

fn endless_run() -> EndlessRun {
    let input = |value: &str| Input {
        name: "input".to_owned(),
        value: value.to_owned(),
        location: place(1, 5, 4),
    };
    EndlessRun {
        kind: Repetition::Loop,
        function: "main".to_owned(),
        inputs: vec![input("-5"), input("0")],
        stem_steps: 7,
        cycle_inputs: vec![input("1")],
        cycle_steps: 3,
        rounds: Rounds::Alike,
        invariant: vec!["n < 0".to_owned()],
        explanation: "`n < 0` holds again".to_owned(),
        path: vec![event(EventKind::Input, 1), event(EventKind::Cycle, 2)],
        visited: Vec::new(),
    }
}

/// An answer of each kind, and a problem.
pub(super) fn fixture() -> Report {
    let story = LoopStory {
        location: place(2, 5, 5),
        kind: Repetition::Loop,
        function: "main".to_owned(),
        called_from: vec![place(1, 1, 1)],
        measure: "length(x)".to_owned(),
        explanation: "the list from `x` gets shorter".to_owned(),
        relations: vec![
            "`length(x)` is at least 1 here, and smaller by at least 1 at any later time"
                .to_owned(),
        ],
    };
    let evidence = Some(Evidence { loops: vec![story], ..Evidence::default() });
    let proved = Finding { evidence, ..finding("termination", Answer::Proved) };
    let refuted = Finding {
        subproperty: Some("valid-deref".to_owned()),
        reason: "an invalid memory access".to_owned(),
        ..finding("memsafety", Answer::Refuted)
    };
    let endless = Finding {
        reason: "a run of `main` never ends".to_owned(),
        causes: vec![Cause {
            code: "W050",
            message: "this loop can run for ever".to_owned(),
            location: Some(place(2, 5, 5)),
        }],
        evidence: Some(Evidence { endless_run: Some(endless_run()), ..Evidence::default() }),
        ..finding("termination", Answer::Refuted)
    };
    let cause =
        |code, message: &str, location| Cause { code, message: message.to_owned(), location };
    let unknown = Finding {
        reason: "a b.c:2:5: no measure was found".to_owned(),
        causes: vec![
            cause("W030", "no measure was found", Some(place(2, 5, 5))),
            cause("W030", "no measure was found here either", Some(place(3, 9, 400))),
            cause("W033", "the time limit was reached", None),
        ],
        ..finding("termination", Answer::Unknown)
    };
    let problem = Problem { message: "a name is missing".to_owned(), location: place(3, 1, 0) };
    let unreadable =
        Problem { message: "b.c cannot be read".to_owned(), location: Location::of_file("b.c") };
    Report {
        version: "0.0.0",
        findings: vec![proved, refuted, endless, unknown],
        problems: vec![problem, unreadable],
        ..Report::new()
    }
}

pub(super) fn texts() -> Texts {
    Texts::from([("a b.c".to_owned(), TEXT.to_owned())])
}

fn snapshot(name: &str, text: &str) {
    insta::with_settings!({ snapshot_path => "../../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn for_a_person() {
    let report = fixture();
    let problems = human::problems(&report.problems, &texts(), Colour::Off);
    let answers = render(&report, Format::Human, &texts(), Colour::Off);
    snapshot("format_human", &format!("{problems}----\n{answers}"));
}

#[test]
fn as_json() {
    snapshot("format_json", &render(&fixture(), Format::Json, &texts(), Colour::Off));
}

/// The rules are the pages about codes; the snapshot shows the rest.
#[test]
fn as_sarif() {
    let text = render(&fixture(), Format::Sarif, &texts(), Colour::Off);
    let mut log: serde_json::Value = serde_json::from_str(&text).unwrap();
    log["runs"][0]["tool"]["driver"]["rules"].take();
    snapshot("format_sarif", &serde_json::to_string_pretty(&log).unwrap());
}

#[test]
fn as_compilers_write() {
    snapshot("format_gcc", &render(&fixture(), Format::Gcc, &texts(), Colour::Off));
}

#[test]
fn as_commands_of_github() {
    snapshot("format_github", &render(&fixture(), Format::Github, &texts(), Colour::Off));
}

#[test]
fn as_issues_of_code_climate() {
    snapshot("format_codeclimate", &render(&fixture(), Format::CodeClimate, &texts(), Colour::Off));
}

#[test]
fn as_tests_of_junit() {
    snapshot("format_junit", &render(&fixture(), Format::Junit, &texts(), Colour::Off));
}

#[test]
fn as_errors_of_checkstyle() {
    snapshot("format_checkstyle", &render(&fixture(), Format::Checkstyle, &texts(), Colour::Off));
}

#[test]
fn as_a_page() {
    let page = render(&fixture(), Format::Html, &texts(), Colour::Off);
    let (_, body) = page.split_once("</style>").unwrap();
    snapshot("format_html", body);
}

#[test]
fn places_outside_of_the_text_are_no_harm() {
    let odd = [(0, 0, 0), (9, 1, 1), (2, 900, 1), (2, 1, u32::MAX), (u32::MAX, u32::MAX, u32::MAX)];
    for (line, column, length) in odd {
        let mut report = fixture();
        report.findings[2].causes[0].location = Some(place(line, column, length));
        for format in FORMATS {
            assert!(!render(&report, format, &texts(), Colour::On).is_empty());
        }
    }
}

/// The schema of SARIF, where the environment names it.
#[test]
#[allow(clippy::print_stderr, reason = "says what was skipped")]
fn sarif_is_valid_by_its_schema() {
    let Some(file) = std::env::var_os("WANE_SARIF_SCHEMA") else {
        eprintln!("skipped: WANE_SARIF_SCHEMA names no schema");
        return;
    };
    let schema: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let check = |text: &str| {
        let log: serde_json::Value = serde_json::from_str(text).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&log)
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{errors:?}\n{text}");
    };
    check(&render(&fixture(), Format::Sarif, &Texts::new(), Colour::Off));
    // Logs that were written for other files.
    let Some(folder) = std::env::var_os("WANE_SARIF_LOGS") else { return };
    for entry in std::fs::read_dir(folder).unwrap() {
        check(&std::fs::read_to_string(entry.unwrap().path()).unwrap());
    }
}
