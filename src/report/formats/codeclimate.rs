//! The list of issues of Code Climate, as far as GitLab's report on code quality reads it.

use super::{Place, Remark, Weight, of_report};
use crate::accepted::{fingerprint, number};
use crate::{Answer, Report, Texts, codes};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// An issue a remark.
#[must_use]
pub fn render(report: &Report, texts: &Texts) -> String {
    let mut seen = BTreeMap::new();
    let issues: Vec<Value> = of_report(report)
        .map(|remark| {
            let known = match remark.finding {
                Some(finding) => fingerprint(finding, texts, &report.home),
                None => number(&[remark.place.file, remark.rule, &remark.message]),
            };
            issue(&remark, &unique(known, &mut seen), report)
        })
        .collect();
    // Only maps with odd keys make this fail, and there are none.
    serde_json::to_string_pretty(&issues).unwrap_or_default() + "\n"
}

/// The host drops the second of two issues with one fingerprint. Answers about lines that
/// read alike have the same; they are numbered in their order.
fn unique(fingerprint: String, seen: &mut BTreeMap<String, u32>) -> String {
    let count = seen.entry(fingerprint.clone()).or_default();
    *count += 1;
    if *count == 1 { fingerprint } else { format!("{fingerprint}-{count}") }
}

fn issue(remark: &Remark<'_>, fingerprint: &str, report: &Report) -> Value {
    let location = |place: Place<'_>| {
        let path = report.relative(place.file);
        json!({ "path": path, "lines": { "begin": place.line } })
    };
    let others: Vec<Value> = remark.more.iter().map(|(place, _)| location(*place)).collect();
    let mut value = json!({
        "type": "issue",
        "categories": ["Bug Risk"],
        "check_name": remark.rule,
        "description": remark.message,
        "fingerprint": fingerprint,
        "severity": severity(remark),
        "location": location(remark.place),
    });
    if !others.is_empty() {
        value["other_locations"] = Value::Array(others);
    }
    value
}

/// Of a file that was not read nothing is known: that is the worst.
fn severity(remark: &Remark<'_>) -> &'static str {
    let answer = remark.finding.map(|finding| finding.answer);
    match (remark.weight, answer) {
        (Weight::Error, None) => "blocker",
        (_, Some(Answer::Refuted)) => "critical",
        (_, Some(_)) if remark.rule == codes::ENDS_BY_OVERFLOW => "major",
        (_, Some(_)) => "minor",
        (Weight::Warning, None) => "info",
    }
}
