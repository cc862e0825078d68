//! SARIF 2.1.0: what is to be mended is a result, all other answers are notes of the run.
//!
//! The standard has kinds of results for what was proved and for what stays open, and hosts
//! pass over them: GitHub's code scanning shows each result as a defect, of whatever kind and
//! level, and CodeChecker stores each. So results are what was refuted, and loops that only an
//! overflow ends. Proofs and open answers are notifications of the invocation, of level `none`
//! and `note`, in their order, with their rule, their places and the kind that the standard has
//! for them.
//!
//! Files below the root have names relative to it, without a `uriBaseId`: an address of the
//! root would make the same answers other bytes in another folder, and a base without address
//! makes CodeChecker reject the log. Hosts take such names to be relative to the repository.
//!
//! Which pipeline the run was part of (`automationDetails`) is left to who uploads the log: a
//! category that stands in it wins, at GitHub, over the one that the workflow gives, and two jobs
//! of a workflow with other options would replace each other's results.

mod line_hash;
mod rules;

use super::accepted::{Accepted, fingerprint};
use super::run::{Event, EventKind, Weight};
use super::{
    Answer, Cause, Evidence, Finding, Location, Problem, Report, Texts, assumed, codes, sentence,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A report as a SARIF log with one run.
#[must_use]
pub fn render(report: &Report, texts: &Texts) -> String {
    let mut context = Context { report, texts, hashes: BTreeMap::new() };
    let (to_mend, others): (Vec<&Finding>, Vec<&Finding>) =
        report.findings.iter().partition(|finding| level(finding).is_some());
    let results: Vec<Value> = to_mend.iter().map(|it| context.result(it)).collect();
    let answers = others.iter().map(|it| context.answer(it));
    let problems = report.problems.iter().map(|it| context.problem(it, "error"));
    let warnings = report.warnings.iter().map(|it| context.problem(it, "warning"));
    let notifications: Vec<Value> = answers.chain(problems).chain(warnings).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": report.tool,
                "fullName": format!("{} {}", report.tool, report.version),
                "version": report.version,
                "semanticVersion": report.version,
                "rules": rules::all(),
            }},
            "invocations": [{
                "executionSuccessful": report.problems.is_empty() && !report.is_interrupted,
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

/// The level of what is to be mended; nothing for all other answers.
fn level(finding: &Finding) -> Option<&'static str> {
    let is_overflow = finding.causes.first().is_some_and(|it| it.code == codes::ENDS_BY_OVERFLOW);
    match finding.answer {
        Answer::Refuted => Some("error"),
        Answer::Unknown if is_overflow => Some("warning"),
        Answer::Proved | Answer::Unknown => None,
    }
}

/// What results are made with.
struct Context<'a> {
    report: &'a Report,
    texts: &'a Texts,
    /// The hashes of the lines of the files that were needed.
    hashes: BTreeMap<&'a str, Vec<String>>,
}

impl<'a> Context<'a> {
    fn result(&mut self, finding: &'a Finding) -> Value {
        let rule = rule(finding);
        let place = self.place(finding);
        let suppressions: Vec<Value> = finding
            .accepted
            .map(|accepted| match accepted {
                Accepted::Comment => json!({ "kind": "inSource" }),
                Accepted::Baseline => json!({ "kind": "external" }),
            })
            .into_iter()
            .collect();
        let mut value = json!({
            "ruleId": rule,
            "ruleIndex": rules::index(rule),
            "kind": "fail",
            "level": level(finding),
            "message": { "text": sentence::ended(&sentence::of_finding(finding)) },
            "locations": [place],
            "partialFingerprints": self.fingerprints(finding),
            // All results must have this, or none: it is empty where nothing was accepted.
            "suppressions": suppressions,
        });
        let path = finding.evidence.as_ref().map_or(&[][..], Evidence::path);
        if !path.is_empty() {
            value["codeFlows"] = json!([self.code_flow(path)]);
        }
        let further = finding.causes.iter().skip(1).filter_map(|it| self.further(it));
        // Readers that know no code flows show these.
        let steps = path.iter().map(|it| self.step(it));
        let related: Vec<Value> = numbered(further.chain(steps));
        if !related.is_empty() {
            value["relatedLocations"] = Value::Array(related);
        }
        value
    }

    /// What lines are recognized by when they have moved: by GitHub, and by baselines.
    fn fingerprints(&mut self, finding: &'a Finding) -> Value {
        let known = fingerprint(finding, self.texts, &self.report.home);
        let mut value = json!({ "wane/v3": known });
        let location = finding.causes.first().and_then(|cause| cause.location.as_ref());
        let file = location.map_or(&finding.file, |it| &it.file);
        let line = location.and_then(|it| it.line).unwrap_or(1);
        if let Some(text) = self.texts.get(file) {
            let hashes = self.hashes.entry(file).or_insert_with(|| line_hash::of_lines(text));
            let index = usize::try_from(line.saturating_sub(1)).ok();
            if let Some(hash) = index.and_then(|it| hashes.get(it)) {
                value["primaryLocationLineHash"] = hash.as_str().into();
            }
        }
        value
    }

    /// A proof, or an answer that is open.
    fn answer(&self, finding: &Finding) -> Value {
        let (kind, level) = match finding.answer {
            Answer::Proved => ("pass", "none"),
            Answer::Refuted | Answer::Unknown if finding.accepted.is_some() => ("open", "none"),
            Answer::Refuted | Answer::Unknown => ("open", "note"),
        };
        let rule = rule(finding);
        let further = finding.causes.iter().skip(1).filter_map(|it| self.further(it));
        let assumed = finding.assumes.iter().filter_map(|it| self.assumed(it));
        let places = std::iter::once(self.place(finding)).chain(further).chain(assumed);
        let mut value = json!({
            "level": level,
            "message": { "text": sentence::ended(&sentence::of_finding(finding)) },
            "locations": numbered(places),
            "associatedRule": { "id": rule, "index": rules::index(rule) },
            "properties": { "kind": kind },
        });
        if !finding.assumes.is_empty() {
            value["properties"]["assumes"] = json!(finding.assumes);
        }
        value
    }

    /// A file that was not read, or a warning.
    fn problem(&self, problem: &Problem, level: &str) -> Value {
        json!({
            "level": level,
            "message": { "text": sentence::ended(&problem.message) },
            "locations": [self.location(&problem.location)],
        })
    }

    /// The place of an answer.
    fn place(&self, finding: &Finding) -> Value {
        let first = finding.causes.first().and_then(|cause| cause.location.as_ref());
        first.map_or_else(
            || self.location(&Location::of_file(&finding.file)),
            |place| self.location(place),
        )
    }

    /// The run of a counterexample, a step an event.
    fn code_flow(&self, path: &[Event]) -> Value {
        let step = |event: &Event| {
            let importance = match (event.kind, event.weight) {
                (EventKind::Error | EventKind::Cycle, _) => "essential",
                (_, Weight::Main) => "important",
                (_, Weight::Minor) => "unimportant",
            };
            json!({ "location": self.step(event), "importance": importance })
        };
        let steps: Vec<Value> = path.iter().map(step).collect();
        json!({ "threadFlows": [{ "locations": steps }] })
    }

    /// The place of something that happens in a run, with what that is.
    fn step(&self, event: &Event) -> Value {
        let mut place = self.location(&event.location);
        place["message"] = json!({ "text": event.message });
        place
    }

    /// A further reason.
    fn further(&self, cause: &Cause) -> Option<Value> {
        let mut value = self.location(cause.location.as_ref()?);
        value["message"] = json!({ "text": format!("{}: {}", cause.code, cause.message) });
        Some(value)
    }

    /// A place of which a proof takes something for granted.
    fn assumed(&self, cause: &Cause) -> Option<Value> {
        let mut value = self.location(cause.location.as_ref()?);
        let text = match assumed::is_refuted(cause) {
            true => format!("assuming that {} ({})", cause.message, cause.code),
            false => format!("assuming that {}: not proved ({})", cause.message, cause.code),
        };
        value["message"] = json!({ "text": text });
        Some(value)
    }

    /// A place; of a file as a whole its first line, since hosts show nothing without one.
    fn location(&self, place: &Location) -> Value {
        let line = place.line.unwrap_or(1).max(1);
        let mut region = json!({ "startLine": line });
        if let (Some(_), Some(column)) = (place.line, place.column) {
            let column = column.max(1);
            region["startColumn"] = column.into();
            region["endColumn"] = column.saturating_add(place.length.max(1)).into();
        }
        let uri = uri(self.report.relative(&place.file));
        json!({ "physicalLocation": { "artifactLocation": { "uri": uri }, "region": region } })
    }
}

/// The code of the first reason, or the property where there is none.
fn rule(finding: &Finding) -> &str {
    finding.causes.first().map_or(finding.property.as_str(), |cause| cause.code)
}

/// Places with the numbers by which a message can name them.
fn numbered(places: impl Iterator<Item = Value>) -> Vec<Value> {
    let with_number = |(mut place, number): (Value, usize)| {
        place["id"] = number.into();
        place
    };
    places.zip(1..).map(with_number).collect()
}

/// A file name as a URI reference; one that no root shortens is a whole URI.
fn uri(file: &str) -> String {
    let steps = file.split('/').filter(|step| !["", "."].contains(step));
    let steps: Vec<String> = steps.map(encoded).collect();
    let start = if file.starts_with('/') { "file:///" } else { "" };
    format!("{start}{}", steps.join("/"))
}

/// Text with all characters by their numbers that have a meaning in a URI.
fn encoded(text: &str) -> String {
    let mut safe = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                safe.push(byte.into());
            }
            _ => safe.push_str(&format!("%{byte:02X}")),
        }
    }
    safe
}
