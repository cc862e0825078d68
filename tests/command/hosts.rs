//! What code hosts and build servers ask of the formats that they read: each rule once, of
//! a report with every kind of answer and with odd characters; then real readers.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what fails here fails the test")]

use super::formats::{finding, fixture, place, texts};
use roxmltree::Document;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::Command;
use wane::report::accepted::Accepted;
use wane::report::{
    Answer, Cause, Colour, Finding, Format, Location, Problem, Report, Texts, codes, render,
};

const ODD_FILE: &str = "/srv/odd, 100%: \"<&>'.c";

fn cause(code: &'static str, message: &str, location: Option<Location>) -> Cause {
    Cause { code, message: message.to_owned(), location }
}

/// The answers that the formats are shown on, and those that hosts make mistakes with.
fn every_kind() -> Report {
    let mut report = Report { root: "/srv".to_owned(), ..fixture() };
    let overflow = cause(codes::ENDS_BY_OVERFLOW, "only an overflow ends it", Some(place(2, 5, 5)));
    let told = format!("{}: the block is lost", place(3, 9, 4).describe());
    let lost = cause("W010", "the block is lost", Some(place(3, 9, 4)));
    let further = cause("W011", "so is\nthis one", Some(place(1, 1, 1)));
    let odd = Location { file: ODD_FILE.to_owned(), ..place(2, 3, 1) };
    let odd = cause("W001", "`p` is \u{1}null: 100%,\r\n::error::really ]]>", Some(odd));
    let elsewhere = Location { file: "/elsewhere/./a.h".to_owned(), ..place(7, 1, 1) };
    report.findings.extend([
        Finding { causes: vec![overflow], ..finding("termination", Answer::Unknown) },
        Finding {
            reason: told,
            causes: vec![lost.clone(), further],
            ..finding("memsafety", Answer::Refuted)
        },
        Finding {
            causes: vec![lost],
            accepted: Some(Accepted::Comment),
            ..finding("memsafety", Answer::Refuted)
        },
        Finding {
            file: ODD_FILE.to_owned(),
            reason: odd.message.clone(),
            causes: vec![odd, cause("W003", "elsewhere", Some(elsewhere))],
            ..finding("memsafety", Answer::Refuted)
        },
        Finding {
            argument: Some("G(a < b)".to_owned()),
            reason: "`G(a < b)` does not hold of `main`".to_owned(),
            ..finding("ltl", Answer::Refuted)
        },
        Finding {
            assumes: vec![cause("W003", "this access is in bounds", Some(place(3, 1, 2)))],
            ..finding("termination", Answer::Proved)
        },
    ]);
    let twin = report.findings[2].clone();
    report.findings.push(twin);
    let location = Location { file: "./a b.c".to_owned(), ..place(1, 2, 3) };
    report.warnings.push(Problem { message: "nothing to allow".to_owned(), location });
    report
}

fn rendered(format: Format) -> String {
    render(&every_kind(), format, &texts(), Colour::Off)
}

fn sarif() -> Value {
    serde_json::from_str(&rendered(Format::Sarif)).unwrap()
}

/// All values of the members with a name.
fn all_of<'a>(value: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get(name));
            members.values().for_each(|it| all_of(it, name, found));
        }
        Value::Array(items) => items.iter().for_each(|it| all_of(it, name, found)),
        _ => {}
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

/// Hosts take every result for a defect, so only defects are results.
#[test]
fn sarif_results_are_defects() {
    let log = sarif();
    let results = log["runs"][0]["results"].as_array().unwrap();
    for result in results {
        assert_eq!(result["kind"], "fail", "{result}");
        assert!(["error", "warning"].contains(&text(&result["level"])), "{result}");
    }
    let report = every_kind();
    let refuted = report.findings.iter().filter(|it| it.answer == Answer::Refuted).count();
    assert_eq!(results.len(), refuted + 1, "and the loop that only an overflow ends");
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notes = invocation["toolExecutionNotifications"].as_array().unwrap();
    let n_problems = report.problems.len() + report.warnings.len();
    assert_eq!(notes.len(), report.findings.len() - results.len() + n_problems);
    // The standard: on each result or on none.
    assert!(results.iter().all(|result| result["suppressions"].is_array()));
    let accepted: Vec<&Value> = results.iter().flat_map(|it| it["suppressions"].get(0)).collect();
    assert_eq!(accepted, [&json!({ "kind": "inSource" })]);
}

/// A message ends with a full stop, and does not repeat the place that stands beside it.
#[test]
fn sarif_messages_are_sentences_without_places() {
    let log = sarif();
    let run = &log["runs"][0];
    let notes = &run["invocations"][0]["toolExecutionNotifications"];
    for told in run["results"].as_array().unwrap().iter().chain(notes.as_array().unwrap()) {
        let message = text(&told["message"]["text"]);
        assert!(message.ends_with(['.', '!', '?']), "{message}");
        assert!(!message.starts_with("a b.c:") && !message.contains("2:5"), "{message}");
    }
}

#[test]
fn sarif_rules_have_what_hosts_show() {
    let log = sarif();
    let driver = &log["runs"][0]["tool"]["driver"];
    assert_eq!(driver["name"], "wane");
    assert_eq!(driver["fullName"], "wane 0.0.0");
    assert_eq!(driver["semanticVersion"], driver["version"]);
    let mut names = BTreeSet::new();
    for rule in driver["rules"].as_array().unwrap() {
        let (id, name) = (text(&rule["id"]), text(&rule["name"]));
        assert!(!id.eq_ignore_ascii_case(name), "{id}");
        assert!(name.starts_with(|it: char| it.is_ascii_uppercase()), "{name}");
        assert!(name.chars().all(|it| it.is_ascii_alphanumeric()), "{name}");
        assert!(names.insert(name), "{name} twice");
        for key in ["shortDescription", "fullDescription"] {
            let said = text(&rule[key]["text"]);
            assert!(said.ends_with('.') && said.chars().count() <= 1024, "{id}: {said}");
        }
        assert!(!text(&rule["help"]["text"]).is_empty(), "{id}");
        assert!(!text(&rule["help"]["markdown"]).is_empty(), "{id}");
        let level = text(&rule["defaultConfiguration"]["level"]);
        let severity = text(&rule["properties"]["problem.severity"]);
        let pairs = [("error", "error"), ("warning", "warning"), ("note", "recommendation")];
        assert!(pairs.contains(&(level, severity)), "{id}: {level}, {severity}");
        let known = ["low", "medium", "high", "very-high"];
        assert!(known.contains(&text(&rule["properties"]["precision"])), "{id}");
        let tags = rule["properties"]["tags"].as_array().unwrap();
        assert!((1..=10).contains(&tags.len()), "{id}");
        // A property has no page: its help says what is checked, what an answer shows, what to do.
        let n_sentences = text(&rule["help"]["text"]).matches(['.', '?']).count();
        assert!(id.starts_with('W') || n_sentences >= 3, "{id}");
        // An address must be a whole one, and there is none.
        assert!(rule.get("helpUri").is_none(), "{id}");
    }
    // What can be a result has a rule that says so.
    let level = |id: &str| {
        let rule = driver["rules"].as_array().unwrap().iter().find(|it| it["id"] == id);
        rule.unwrap()["defaultConfiguration"]["level"].clone()
    };
    assert_eq!(["W001", "W050", "W035", "W030"].map(level), ["error", "error", "warning", "note"]);
}

#[test]
fn sarif_indices_are_those_of_rules() {
    let log = sarif();
    let run = &log["runs"][0];
    let rule = |index: &Value| {
        let index = usize::try_from(index.as_u64().unwrap()).unwrap();
        run["tool"]["driver"]["rules"][index]["id"].clone()
    };
    for result in run["results"].as_array().unwrap() {
        assert_eq!(rule(&result["ruleIndex"]), result["ruleId"]);
    }
    let mut associated = Vec::new();
    all_of(&run["invocations"], "associatedRule", &mut associated);
    assert!(!associated.is_empty());
    for reference in associated {
        assert_eq!(rule(&reference["index"]), reference["id"]);
    }
}

#[test]
fn sarif_places_have_regions_and_relative_names() {
    let log = sarif();
    let mut places = Vec::new();
    all_of(&log, "physicalLocation", &mut places);
    assert!(places.len() > 10);
    let mut names = BTreeSet::new();
    for place in places {
        let region = &place["region"];
        assert!(region["startLine"].as_u64().unwrap() >= 1, "{place}");
        if let Some(end) = region.get("endColumn") {
            assert!(end.as_u64() > region["startColumn"].as_u64(), "{place}");
        }
        // A base without address is rejected by some, and an address is another one elsewhere.
        assert!(place["artifactLocation"].get("uriBaseId").is_none(), "{place}");
        names.insert(text(&place["artifactLocation"]["uri"]));
    }
    let odd = "odd%2C%20100%25%3A%20%22%3C%26%3E%27.c";
    assert_eq!(
        names.into_iter().collect::<Vec<_>>(),
        ["a%20b.c", "b.c", "file:///elsewhere/a.h", odd]
    );
    for result in log["runs"][0]["results"].as_array().unwrap() {
        assert_eq!(result["locations"].as_array().unwrap().len(), 1, "one place");
    }
    let mut related = Vec::new();
    all_of(&log, "relatedLocations", &mut related);
    assert!(!related.is_empty());
    for list in related {
        for (place, number) in list.as_array().unwrap().iter().zip(1..) {
            assert_eq!(place["id"], number);
            assert!(!text(&place["message"]["text"]).is_empty());
        }
    }
    let mut steps = Vec::new();
    all_of(&log, "threadFlows", &mut steps);
    assert!(steps[0][0]["locations"][0]["location"]["message"]["text"].is_string());
    // Those who know no code flows see the steps beside the place.
    for result in log["runs"][0]["results"].as_array().unwrap() {
        let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
        let related = result["relatedLocations"].as_array().map_or(&[][..], Vec::as_slice);
        for step in flow.as_array().into_iter().flatten() {
            let is_step = |it: &&Value| {
                let place = &step["location"];
                (&it["message"], &it["physicalLocation"])
                    == (&place["message"], &place["physicalLocation"])
            };
            assert!(related.iter().any(|it| is_step(&it)), "{step}");
        }
    }
}

/// Lines above, and blanks, change no fingerprint; another rule or another line does.
#[test]
fn sarif_fingerprints_stay_when_lines_move() {
    let result = |line: u32, text: &str| {
        let looping = cause("W050", "this loop can run for ever", Some(place(line, 5, 5)));
        let finding = Finding { causes: vec![looping], ..finding("termination", Answer::Refuted) };
        let report = Report { findings: vec![finding], ..Report::new() };
        let texts = Texts::from([("a b.c".to_owned(), text.to_owned())]);
        let log = render(&report, Format::Sarif, &texts, Colour::Off);
        let log: Value = serde_json::from_str(&log).unwrap();
        log["runs"][0]["results"][0]["partialFingerprints"].clone()
    };
    let first = result(2, "int f(void) {\n    while (x) {}\n}\n");
    assert!(text(&first["primaryLocationLineHash"]).ends_with(":1"), "{first}");
    assert!(first["wane/v3"].is_string(), "{first}");
    assert_eq!(first, result(4, "int a;\n\nint f(void) {\n\twhile  ( x ) {}\n}\n"));
    let other = result(2, "int f(void) {\n    while (y) {}\n}\n");
    for key in ["primaryLocationLineHash", "wane/v3"] {
        assert_ne!(first[key], other[key]);
    }
}

/// CodeChecker's reader of SARIF, where the system has it.
#[test]
#[allow(clippy::print_stderr, reason = "says what was skipped")]
fn codechecker_reads_what_is_refuted() {
    let python = |script: &str, argument: &str| {
        let output = Command::new("python3").args(["-c", script, argument]).output().ok()?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        Some((output.status.success(), String::from_utf8(output.stdout).unwrap(), errors))
    };
    if !python("import codechecker_report_converter", "").is_some_and(|it| it.0) {
        eprintln!("skipped: python3 has no codechecker_report_converter");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.sarif");
    std::fs::write(&log, rendered(Format::Sarif)).unwrap();
    let script = "import json, sys
from codechecker_report_converter.report.parser.sarif import Parser
reports = Parser().get_reports(sys.argv[1])
print(json.dumps([[it.checker_name, it.file.original_path, it.line, it.column, it.message,
                   len(it.bug_path_events)] for it in reports]))";
    let (is_read, output, errors) = python(script, log.to_str().unwrap()).unwrap();
    assert!(is_read, "{errors}");
    let reports: Value = serde_json::from_str(&output).unwrap();
    let mut told = Vec::new();
    let sarif = sarif();
    for result in sarif["runs"][0]["results"].as_array().unwrap() {
        let place = &result["locations"][0]["physicalLocation"];
        let region = &place["region"];
        let n_steps =
            result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().map_or(1, Vec::len);
        told.push(json!([
            result["ruleId"],
            place["artifactLocation"]["uri"],
            region["startLine"],
            region.get("startColumn").unwrap_or(&json!(1)),
            result["message"]["text"],
            n_steps,
        ]));
    }
    assert_eq!(reports, Value::Array(told), "{errors}");
}

/// The schema of the report on code quality, as its host documents it.
#[test]
fn code_climate_issues_keep_to_the_schema() {
    let schema = json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["description", "check_name", "fingerprint", "severity", "location"],
            "properties": {
                "description": { "type": "string", "minLength": 1 },
                "check_name": { "type": "string", "minLength": 1 },
                "fingerprint": { "type": "string", "minLength": 1 },
                "severity": { "enum": ["info", "minor", "major", "critical", "blocker"] },
                "location": {
                    "type": "object",
                    "required": ["path", "lines"],
                    "properties": {
                        "path": { "type": "string", "pattern": "^[^./]" },
                        "lines": {
                            "type": "object",
                            "required": ["begin"],
                            "properties": { "begin": { "type": "integer", "minimum": 1 } },
                        },
                    },
                },
            },
        },
    });
    let issues: Value = serde_json::from_str(&rendered(Format::CodeClimate)).unwrap();
    let errors: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&issues)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let issues = issues.as_array().unwrap();
    let fingerprints: BTreeSet<&str> = issues.iter().map(|it| text(&it["fingerprint"])).collect();
    assert_eq!(fingerprints.len(), issues.len(), "the host drops what has the same");
    let severities: BTreeSet<&str> = issues.iter().map(|it| text(&it["severity"])).collect();
    assert_eq!(severities.len(), 5, "{severities:?}");
    assert!(issues.iter().all(|it| it["description"] != "the block is lost"), "it is accepted");
}

/// The numbers of a suite are those of its tests, and what is unknown is no failure.
#[test]
fn junit_is_read_back() {
    let written = rendered(Format::Junit);
    let document = Document::parse(&written).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> usize {
        node.attribute(name).unwrap().parse().unwrap()
    };
    let count = |node: roxmltree::Node<'_, '_>, name: &str| {
        node.descendants().filter(|it| it.has_tag_name(name)).count()
    };
    let suites = || root.children().filter(|it| it.has_tag_name("testsuite"));
    for suite in suites().chain([root]) {
        let names = ["testcase", "failure", "error", "skipped"];
        let counted = names.map(|name| count(suite, name));
        assert_eq!(counted, ["tests", "failures", "errors", "skipped"].map(|it| number(suite, it)));
        assert!(suite.attribute("time").is_none() && suite.attribute("timestamp").is_none());
    }
    let report = every_kind();
    assert_eq!(count(root, "testcase"), report.findings.len() + report.problems.len());
    let open = |it: &&Finding| it.answer == Answer::Unknown || it.accepted.is_some();
    assert_eq!(count(root, "skipped"), report.findings.iter().filter(open).count());
    let files: Vec<&str> = suites().filter_map(|it| it.attribute("name")).collect();
    assert_eq!(files, ["a b.c", "b.c", "odd, 100%: \"<&>'.c"]);
    for suite in suites() {
        for case in suite.children().filter(|it| it.has_tag_name("testcase")) {
            assert_eq!(case.attribute("classname"), suite.attribute("name"));
        }
    }
    let named = |name: &str| root.descendants().any(|it| it.attribute("name") == Some(name));
    assert!(named("main: memsafety") && named("main: ltl `G(a < b)`"));
    let messages: Vec<&str> = root.descendants().filter_map(|it| it.attribute("message")).collect();
    let odd = "`p` is \u{fffd}null: 100%,\r\n::error::really ]]>";
    assert!(messages.iter().any(|it| it.ends_with(odd)), "{messages:?}");
    assert!(messages.iter().any(|it| it.starts_with("accepted: ")), "{messages:?}");
    let said = root.descendants().find(|it| it.has_tag_name("system-err")).unwrap();
    assert_eq!(said.text(), Some("a b.c:1:2: nothing to allow\n"));
}

#[test]
fn checkstyle_is_read_back() {
    let written = rendered(Format::Checkstyle);
    let document = Document::parse(&written).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "checkstyle");
    let files: Vec<_> = root.children().filter(|it| it.has_tag_name("file")).collect();
    let names: Vec<&str> = files.iter().filter_map(|it| it.attribute("name")).collect();
    assert_eq!(names, ["/elsewhere/./a.h", "a b.c", "b.c", "odd, 100%: \"<&>'.c"]);
    for error in root.descendants().filter(|it| it.has_tag_name("error")) {
        let number = |name: &str| error.attribute(name).unwrap().parse::<u32>().unwrap();
        assert!(number("line") >= 1 && number("column") >= 1);
        assert!(["error", "warning", "info"].contains(&error.attribute("severity").unwrap()));
        assert!(error.attribute("source").unwrap().starts_with("wane."));
        assert!(!error.attribute("message").unwrap().is_empty());
    }
    let odd = files[3].first_element_child().unwrap();
    assert_eq!(odd.attribute("source"), Some("wane.W001"));
    let message = odd.attribute("message").unwrap();
    assert!(message.ends_with("`p` is \u{fffd}null: 100%,\r\n::error::really ]]>"), "{message:?}");
}

/// The runner takes each line for a command, and undoes the numbers of characters.
#[test]
fn commands_of_github_are_one_line_each() {
    let written = rendered(Format::Github);
    let undo = |text: &str| {
        let text = text.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":");
        text.replace("%2C", ",").replace("%25", "%")
    };
    let mut of_odd_file = Vec::new();
    for line in written.lines() {
        let (word, rest) = line.strip_prefix("::").unwrap().split_once(' ').unwrap();
        assert!(["error", "warning"].contains(&word), "{line}");
        let (properties, message) = rest.split_once("::").unwrap();
        let pairs: Vec<(&str, String)> = properties
            .split(',')
            .map(|it| it.split_once('=').unwrap())
            .map(|(name, value)| (name, undo(value)))
            .collect();
        let names: Vec<&str> = pairs.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["file", "line", "col", "endColumn", "title"], "{line}");
        assert!(!pairs[0].1.starts_with('/') && !pairs[0].1.starts_with("./"), "{line}");
        if pairs[0].1 == ODD_FILE.trim_start_matches("/srv/") {
            of_odd_file.push((pairs[4].1.clone(), undo(message)));
        }
    }
    let [(title, message)] = &of_odd_file[..] else { panic!("{written}") };
    assert_eq!(title, "wane W001: a null pointer may be dereferenced");
    assert!(message.contains("null: 100%,\r\n::error::really"), "{message}");
    assert!(message.ends_with("\n/elsewhere/./a.h:7:1: elsewhere [W003]"), "{message}");
}

/// Compilers' lines: one a remark, notes under it.
#[test]
fn lines_of_compilers_have_places_and_words() {
    let written = rendered(Format::Gcc);
    for line in written.lines() {
        let words = [": error: ", ": warning: ", ": note: "];
        assert!(words.iter().any(|it| line.contains(it)), "{line}");
    }
    let told: Vec<&str> = written.lines().filter(|it| it.contains("W011")).collect();
    assert_eq!(told, ["a b.c:1:1: note: so is this one [W011]"]);
    let overflow = written.lines().find(|it| it.contains("W035")).unwrap();
    assert!(overflow.starts_with("a b.c:2:5: warning: "), "{overflow}");
    let lost = written.lines().find(|it| it.contains("[W010]"));
    let told = "a run of `main` makes an invalid memory access: the block is lost";
    assert_eq!(lost, Some(format!("a b.c:3:9: error: {told} [W010]").as_str()));
    assert_eq!(written.matches("[W010]").count(), 1, "the other one is accepted");
}

/// Nothing to say is a whole document, too.
#[test]
fn empty_reports_are_read_back() {
    let empty = |format| render(&Report::new(), format, &Texts::new(), Colour::Off);
    assert_eq!(empty(Format::Gcc) + &empty(Format::Github), "");
    assert_eq!(empty(Format::CodeClimate), "[]\n");
    for format in [Format::Junit, Format::Checkstyle] {
        let written = empty(format);
        let document = Document::parse(&written).unwrap();
        assert!(document.root_element().first_element_child().is_none(), "{written}");
    }
}
