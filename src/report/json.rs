//! JSON, as `docs/output.schema.json` describes it.

use super::Report;

/// A report as indented JSON.
#[must_use]
pub fn render(report: &Report) -> String {
    // Only maps with odd keys make this fail, and there are none.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}
