//! Commands to the runner of GitHub's workflows, which shows them at the lines of a change.
//!
//! A command is a line. What would end it, or one of its properties, is written by its
//! number, so that no text of a program begins another command.

use super::{Remark, Weight, of_report};
use crate::{Report, codes};
use std::fmt::Write as _;

/// A command a remark. The host shows a few at each step only, so further reasons stand in
/// the text of the first.
#[must_use]
pub fn render(report: &Report) -> String {
    of_report(report).map(|remark| command(&remark, report)).collect()
}

fn command(remark: &Remark<'_>, report: &Report) -> String {
    let word = match remark.weight {
        Weight::Error => "error",
        Weight::Warning => "warning",
    };
    let title = match codes::find(remark.rule) {
        Some(page) => format!("{} {}: {}", report.tool, page.code, page.title()),
        None => format!("{} {}", report.tool, remark.rule),
    };
    let mut message = remark.message.clone();
    for sentence in &remark.run {
        let _ = write!(message, "\n{sentence}");
    }
    for (place, cause) in &remark.more {
        let file = report.relative(place.file);
        let (line, column) = (place.line, place.column);
        let _ = write!(message, "\n{file}:{line}:{column}: {} [{}]", cause.message, cause.code);
    }
    let place = remark.place;
    format!(
        "::{word} file={file},line={line},col={column},endColumn={end},title={title}::{message}\n",
        file = property(report.relative(place.file)),
        line = place.line,
        column = place.column,
        end = place.end,
        title = property(&title),
        message = data(&message),
    )
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of one of its properties.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
