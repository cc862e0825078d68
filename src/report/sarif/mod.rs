//! SARIF 2.1.0: what was proved is of kind `pass`, what stays open `open`, what
//! was refuted `fail`.

use super::accepted::{Accepted, fingerprint};
use super::run::{Event, EventKind, Weight};
use super::{Answer, Cause, Evidence, Finding, Location, Problem, Report, Texts, claim, codes};
use question::Question;
use serde_json::{Value, json};

/// A report as a SARIF log with one run.
#[must_use]
pub fn render(report: &Report, texts: &Texts) -> String {
    let names = Names { root: &report.root };
    let results: Vec<Value> = report.findings.iter().map(|it| result(it, &names, texts)).collect();
    let notifications: Vec<Value> = report
        .problems
        .iter()
        .map(|it| notification(it, "error", &names))
        .chain(report.warnings.iter().map(|it| notification(it, "warning", &names)))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": report.tool,
                "version": report.version,
                "rules": rules(),
            }},
            "invocations": [{
                "executionSuccessful": report.problems.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

/// One rule a property and one a code.
fn rules() -> Vec<Value> {
    let questions =
        [Question::Termination, Question::MemorySafety, Question::MemoryCleanup, Question::Reach];
    let rule = |id: &str, short: &str, full: &str, level: &str| {
        json!({
            "id": id,
            "shortDescription": { "text": short },
            "fullDescription": { "text": full },
            "defaultConfiguration": { "level": level },
        })
    };
    let of_properties = questions.iter().map(|question| {
        let text = claim(question.name(), "main");
        rule(question.name(), &text, &text, "error")
    });
    let of_codes =
        codes::all().iter().map(|entry| rule(entry.code, entry.title(), entry.summary(), "note"));
    of_properties.chain(of_codes).collect()
}

fn result(finding: &Finding, names: &Names<'_>, texts: &Texts) -> Value {
    let first = finding.causes.first();
    let (kind, level) = match finding.answer {
        Answer::Proved => ("pass", "none"),
        Answer::Refuted => ("fail", "error"),
        Answer::Unknown if first.is_some_and(|it| it.code == codes::ENDS_BY_OVERFLOW) => {
            ("fail", "warning")
        }
        Answer::Unknown => ("open", "none"),
    };
    let rule = first.map_or(finding.property.as_str(), |cause| cause.code);
    let whole_file = Location::of_file(&finding.file);
    let place = first.and_then(|cause| cause.location.as_ref()).unwrap_or(&whole_file);
    let mut value = json!({
        "ruleId": rule,
        "kind": kind,
        "level": level,
        "message": { "text": finding.reason },
        "locations": [names.location(place)],
        "partialFingerprints": { "wane/v2": fingerprint(finding, texts) },
    });
    if let Some(accepted) = finding.accepted {
        let kind = match accepted {
            Accepted::Comment => "inSource",
            Accepted::Baseline => "external",
        };
        value["suppressions"] = json!([{ "kind": kind }]);
    }
    if let Some(evidence) = &finding.evidence
        && !evidence.path().is_empty()
    {
        value["codeFlows"] = json!([code_flow(evidence, names)]);
    }
    if !finding.assumes.is_empty() {
        let places: Vec<Value> = finding.assumes.iter().map(|it| json!(it)).collect();
        value["properties"] = json!({ "assumes": places });
    }
    let others = finding.causes.iter().skip(1).map(|it| related(it, names));
    let assumed = finding.assumes.iter().map(|it| assumed(it, names));
    let related: Vec<Value> = others.chain(assumed).flatten().collect();
    if !related.is_empty() {
        value["relatedLocations"] = Value::Array(related);
    }
    value
}

/// The run of a counterexample, a step an event.
fn code_flow(evidence: &Evidence, names: &Names<'_>) -> Value {
    let step = |event: &Event| {
        let mut place = names.location(&event.location);
        place["message"] = json!({ "text": event.message });
        let importance = match (event.kind, event.weight) {
            (EventKind::Error | EventKind::Cycle, _) => "essential",
            (_, Weight::Main) => "important",
            (_, Weight::Minor) => "unimportant",
        };
        json!({ "location": place, "importance": importance })
    };
    let steps: Vec<Value> = evidence.path().iter().map(step).collect();
    json!({ "threadFlows": [{ "locations": steps }] })
}

fn related(cause: &Cause, names: &Names<'_>) -> Option<Value> {
    let mut value = names.location(cause.location.as_ref()?);
    value["message"] = json!({ "text": format!("{}: {}", cause.code, cause.message) });
    Some(value)
}

/// A place of which a proof takes something for granted.
fn assumed(cause: &Cause, names: &Names<'_>) -> Option<Value> {
    let mut value = names.location(cause.location.as_ref()?);
    let text = format!("assuming that {}: not proved ({})", cause.message, cause.code);
    value["message"] = json!({ "text": text });
    Some(value)
}

fn notification(problem: &Problem, level: &str, names: &Names<'_>) -> Value {
    json!({
        "level": level,
        "message": { "text": problem.message },
        "locations": [names.location(&problem.location)],
    })
}

/// How files are named: relative to the root, if they are below it.
struct Names<'a> {
    root: &'a str,
}

impl Names<'_> {
    fn location(&self, place: &Location) -> Value {
        let below = place.file.strip_prefix(self.root).and_then(|rest| rest.strip_prefix('/'));
        let file = below.filter(|_| !self.root.is_empty()).unwrap_or(&place.file);
        let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
        if let (Some(line), Some(column)) = (place.line, place.column) {
            let end = column.saturating_add(place.length.max(1));
            physical["region"] =
                json!({ "startLine": line, "startColumn": column, "endColumn": end });
        }
        json!({ "physicalLocation": physical })
    }
}

/// A file name as a URI reference.
fn uri(file: &str) -> String {
    let mut text = String::new();
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(byte.into())
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}
