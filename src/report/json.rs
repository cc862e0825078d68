//! JSON, as `docs/output.schema.json` describes it: all of a report but what only other formats
//! show, such as drawings of memory.

use super::{Finding, Report};
use serde::Serialize;
use serde_json::{Value, json};

/// A report as indented JSON.
#[must_use]
pub fn render(report: &Report) -> String {
    text_of(report)
}

/// Parts of a report as indented JSON.
pub(super) fn text_of(parts: &impl Serialize) -> String {
    // Only maps with odd keys make this fail, and there are none.
    let mut value = serde_json::to_value(parts).unwrap_or_default();
    if let Value::Object(fields) = &mut value {
        fields.values_mut().for_each(hide);
    }
    let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
    text.push('\n');
    text
}

/// An answer as a line.
#[must_use]
pub fn line(finding: &Finding) -> String {
    of_kind("result", value_of(finding))
}

/// The lines that follow the answers: errors, warnings, and that nothing is missing.
#[must_use]
pub fn closing_lines(report: &Report) -> String {
    let lines = |kind, problems: &[super::Problem]| -> String {
        let values = problems.iter().map(value_of);
        values.map(|it| of_kind(kind, it)).collect()
    };
    let end = json!({ "tool": report.tool, "version": report.version });
    lines("error", &report.problems) + &lines("warning", &report.warnings) + &of_kind("end", end)
}

/// What other formats show, and this one does not.
const HIDDEN: [&str; 8] =
    ["length", "visited", "weight", "heap", "claims", "invariants", "test_case", "warnings"];

/// A part of a report as a value.
fn value_of(part: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(part).unwrap_or_default();
    hide(&mut value);
    value
}

fn hide(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(hide),
        Value::Object(fields) => {
            fields.retain(|name, _| !HIDDEN.contains(&name.as_str()));
            fields.values_mut().for_each(hide);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// An object with its kind, as a line.
fn of_kind(kind: &str, mut value: Value) -> String {
    if let Value::Object(fields) = &mut value {
        fields.insert("kind".to_owned(), kind.into());
    }
    value.to_string() + "\n"
}
