//! JSON, as `docs/output.schema.json` describes it.

use super::{Finding, Report};
use serde_json::{Value, json};

/// A report as indented JSON.
#[must_use]
pub fn render(report: &Report) -> String {
    // Only maps with odd keys make this fail, and there are none.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}

/// An answer as a line.
#[must_use]
pub fn line(finding: &Finding) -> String {
    of_kind("result", serde_json::to_value(finding).unwrap_or_default())
}

/// The lines that follow the answers: errors, warnings, and that nothing is missing.
#[must_use]
pub fn closing_lines(report: &Report) -> String {
    let lines = |kind, problems: &[super::Problem]| -> String {
        let values = problems.iter().map(|it| serde_json::to_value(it).unwrap_or_default());
        values.map(|it| of_kind(kind, it)).collect()
    };
    let end = json!({ "tool": report.tool, "version": report.version });
    lines("error", &report.problems) + &lines("warning", &report.warnings) + &of_kind("end", end)
}

/// An object with its kind, as a line.
fn of_kind(kind: &str, mut value: Value) -> String {
    if let Value::Object(fields) = &mut value {
        fields.insert("kind".to_owned(), kind.into());
    }
    value.to_string() + "\n"
}
