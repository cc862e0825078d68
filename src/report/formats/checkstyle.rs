//! The XML of Checkstyle, which many build servers read.

use super::{Weight, of_report};
use crate::Report;
use crate::markup::{HEAD, attribute};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The version of that format.
const VERSION: &str = "8.0";

/// The files by name, in each an element for each remark in it and for each further reason.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    for remark in of_report(report) {
        let severity = match remark.weight {
            Weight::Error => "error",
            Weight::Warning => "warning",
        };
        let first = (remark.place, severity, remark.rule, remark.message.as_str());
        let more = remark.more.iter().map(|(at, it)| (*at, "info", it.code, it.message.as_str()));
        for (place, severity, rule, message) in std::iter::once(first).chain(more) {
            let elements = files.entry(report.relative(place.file)).or_default();
            let _ = writeln!(
                elements,
                "    <error{}{}{}{}{}/>",
                attribute("line", &place.line.to_string()),
                attribute("column", &place.column.to_string()),
                attribute("severity", severity),
                attribute("message", message),
                attribute("source", &format!("{}.{rule}", report.tool)),
            );
        }
    }
    let mut text = format!("{HEAD}<checkstyle{}>\n", attribute("version", VERSION));
    for (file, elements) in &files {
        let _ = writeln!(text, "  <file{}>\n{elements}  </file>", attribute("name", file));
    }
    text + "</checkstyle>\n"
}
